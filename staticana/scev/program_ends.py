"""How a block that never goes on ends the program: by an error, or as a run may well end."""

from __future__ import annotations

from collections.abc import Iterable

from ..alias.library import ELSEWHERE, EXITS
from ..ir.graph import callee, is_intrinsic
from ..ir.matchers import is_any
from ..ir.types import Block, Function, Instruction, IntLiteral
from .context import ProgramContext

_DEEPEST = 4  # calls of functions that end the program


def ends_in_error(program: ProgramContext, function: Function, block: Block) -> bool:
    """Does a block that ends in `unreachable` report an error: abort, a failed assertion, a throw,
    or an exit whose status is, whoever calls, a constant that is not zero?

    Any other status may be that of a run that went well, and longjmp and the end of a thread go on
    elsewhere.
    """
    return _in_error(program, function, block, None, _DEEPEST)


def reports_error(program: ProgramContext, function: Function, call: Instruction) -> bool:
    """Is the status of a call of exit, whoever calls, a constant that is not zero?"""
    return _is_failure(program, function, call, None)


def _in_error(
    program: ProgramContext, function: Function, block: Block, site: Instruction | None, depth: int
) -> bool:
    """`site`: the one call of the function that is asked about."""
    last = next(
        (i for i in reversed(block.instructions) if i.is_call and not is_intrinsic(i)), None
    )
    name = None if last is None else callee(last)
    if last is None or name is None:
        return True
    if name in EXITS:
        return _is_failure(program, function, last, site)
    if name in program.defined and depth:
        called = program.defined[name]
        return all(
            _in_error(program, called, b, last, depth - 1)
            for b in called.blocks.values()
            if is_any(b.terminator, "unreachable")
        )
    return not any(part in name for part in ELSEWHERE)


def _is_failure(
    program: ProgramContext, function: Function, call: Instruction, site: Instruction | None
) -> bool:
    status = call.operands[1] if len(call.operands) > 1 else None
    if isinstance(status, IntLiteral):
        return status.value != 0
    at = next((k for k, p in enumerate(function.parameters) if p.token == status), None)
    if at is None:
        return False
    argument = at + 1

    def is_failure(sites: Iterable[Instruction]) -> bool:
        handed = [s.operands[argument : argument + 1] for s in sites]
        return bool(handed) and all(
            o and isinstance(o[0], IntLiteral) and o[0].value != 0 for o in handed
        )

    if site is not None:
        return is_failure((site,))
    name = function.name
    return program.ask_callers(
        name,
        ("status", at),
        lambda p: is_failure(s.instruction for s in p.calls.callers.get(name, ())),
    )
