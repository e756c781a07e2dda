"""Calls after which control may not go on behind them, as far as their names tell.

Which of them end a run, and how, is asked once for each entry (`early_ends`); that the others do
not is the same for all.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from ..alias.library import TRAPS, Control, LibraryFunction, declared_function
from ..ir import cxx_names as cxx
from ..ir.graph import callee
from ..ir.system_files import is_system_file
from ..ir.types import Block, Function, Instruction, Module

REPORTS = ("error", "error_at_line")
ALARMS = ("alarm", "ualarm", "setitimer")  # without a handler, the signal ends the program
SIGNALS = ("raise", "kill")


class LeavingCall(NamedTuple):
    """A call, where it stands, and whom it calls."""

    block: Block
    instruction: Instruction
    callee: str


def leaving_calls(
    module: Module, defined: dict[str, Function], function: Function
) -> tuple[LeavingCall, ...]:
    """The calls of a function that may not come back, or twice; a superset of those that matter
    for an entry."""
    in_library = is_system_file(module.file_of(function.dbg) or "")
    found: list[LeavingCall] = []
    for block in function.blocks.values():
        for i in block.instructions:
            name = callee(i) if i.is_call else None
            if name is None:
                continue
            target = defined.get(name)
            if target is not None:
                # a check of the C++ library, seen from the program
                may = not in_library and is_system_file(module.file_of(target.dbg) or "")
            else:
                may = _may_leave(name, declared_function(module, name))
            if may:
                found.append(LeavingCall(block, i, name))
    return tuple(found)


@lru_cache(maxsize=4096)
def _ends_or_checks(name: str) -> bool:
    return name in TRAPS or name == cxx.TERMINATE or cxx.CHECKS.match(name) is not None


def _may_leave(name: str, known: LibraryFunction | None) -> bool:
    """May a function outside of the program do anything but come back once?"""
    if _ends_or_checks(name) or known is None:
        return True
    return (
        known.control is not Control.RETURNS
        or known.forks
        or known.throws
        or "exec" in name
        or name in (*SIGNALS, *ALARMS, *REPORTS)
    )
