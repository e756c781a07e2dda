"""Calls through pointers whose one target is known: a virtual call of an object that was made in
sight, a function that was put into a structure or into a std::function.

What the pointer holds is asked of the analysis of values, which follows it through memory, and the
call is written as a direct one. Several rounds are made, since what one call reaches may hold the
pointers of others.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..alias.call_graph import RESOLVED
from ..expr import Loaded, TooComplex, symbols
from ..expr.budget import Allowance, Budget, OverBudget
from ..ir.parser import edited
from ..ir.types import Instruction, Module, Register, quoted
from ..scev.values import Value
from .program import Program

_ROUNDS = 4
"""Analyses in turn, each of which may find targets that only the last one made known."""
_DEPTH = 6
"""Functions that hand on what holds the pointer."""
_MAX_CALLS = 400
"""Calls through pointers beyond which a program is taken as it is."""


def with_calls_resolved(
    module: Module, entry: str, *, allowance: Allowance
) -> tuple[Module, Program | None]:
    """The module in which calls through pointers with one known target are direct calls, and the
    program under analysis in which no further one was found: what was asked of it is known there
    for whoever goes on with it."""
    for _ in range(_ROUNDS):
        waiting = [
            (f.name, i)
            for f in module.functions.values()
            for i in f.calls
            if isinstance(i.operands[0], Register)
        ]
        if not waiting or len(waiting) > _MAX_CALLS:
            return module, None
        lines = module.text.split("\n")
        program = Program(module, entry=entry, allowance=allowance)
        found = list(_resolved(program, waiting))
        if not found:
            return module, program
        for i, target in found:
            pointer = f"{i.operands[0]}("
            before, at, after = lines[i.line].partition(pointer)
            if at:
                lines[i.line] = f"{before}@{quoted(target)}({after}"
                f = module.functions[target]
                if RESOLVED not in lines[f.line]:
                    lines[f.line] = lines[f.line].replace(" !dbg ", f"{RESOLVED} !dbg ", 1)
        module = edited(module, "\n".join(lines))
    return module, None


def _resolved(
    program: Program, calls: list[tuple[str, Instruction]]
) -> Iterator[tuple[Instruction, str]]:
    """(call, the function that it goes to)."""
    for caller, i in calls:
        is_known = (caller, i.line) in program.calls.target  # by what may point where
        if is_known or caller not in program.calls.reachable:
            continue
        try:
            with Budget(program.seconds):
                value = program.view(caller).scalars.value(i.operands[0])
                name = _function(program, caller, value, _DEPTH)
        except (OverBudget, TooComplex):
            continue
        target = program.defined.get(name) if name is not None else None
        if target is not None and len(target.parameters) == len(i.operands) - 1:
            yield i, target.name


def _function(program: Program, holder: str, value: Value, depth: int) -> str | None:
    """The function that a value is the address of: of what a function finds in memory when it is
    called, the one that stands there at each of its calls."""
    atom = value.expr.atom
    name = symbols.global_name(atom.key) if atom is not None else None
    if name is not None or depth == 0 or not isinstance(atom, Loaded):
        return name
    calls, function = program.calls, program.defined[holder]
    is_open = holder == program.entry or holder in calls.pointed or holder in calls.recursive
    if is_open or value.preconditions or not program.is_portable(value):
        return None
    found: set[str | None] = set()
    for site in calls.callers.get(holder, ()):
        view = program.view(site.caller)
        if site.block not in view.reachable:
            continue
        if program.target(site.caller, site.instruction) is not function:
            return None
        lifted = program.at_call(view, site.block, site.instruction, value)
        found.add(_function(program, site.caller, lifted, depth - 1))
        if len(found) > 1:
            return None
    return found.pop() if found else None
