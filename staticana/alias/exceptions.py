"""Exceptions after which a run goes on: those that a handler may catch and return from.

A handler of the entry behind which the run does nothing more (`catch (...) { report(e); return 1;
}`) ends it as an uncaught exception does.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING

from looplaw_common.digraph import Digraph, circles

from ..ir import cxx_names as cxx
from ..ir.graph import blocks_reached, callee, closure
from ..ir.matchers import is_any, is_invoke, is_return
from ..ir.system_files import is_system_file
from ..ir.types import Function, Instruction, Module, Operand

if TYPE_CHECKING:
    from .call_graph import Site

_CATCH_ALL = "null"
_DESTRUCTOR = re.compile(r"D[012]Ev$")


def caught(
    handling: Mapping[str, frozenset[str]], sites: Iterable[Site], pointed: Collection[str]
) -> frozenset[str]:
    """The functions of which an exception may come to a handler behind which the run goes on, and
    those that have such a handler.

    handling: the blocks where exceptions come that a function may catch and go on; sites: the calls
    whose targets are known; pointed: functions that others may call.
    """
    if not any(handling.values()):
        return frozenset()
    work, below = list(pointed), dict[str, list[str]]()
    for s in sites:
        below.setdefault(s.caller, []).append(s.callee)
        if is_invoke(s.instruction) and s.instruction.labels[1] in handling.get(s.caller, ()):
            work.append(s.callee)
    found = {name for name, blocks in handling.items() if blocks}
    seen: set[str] = set()
    while work:
        name = work.pop()
        if name not in seen:
            seen.add(name)
            work += below.get(name, ())
    return frozenset(found | seen)


def always_throwing(
    defined: Mapping[str, Function], sites: Iterable[Site], graph: Digraph[str]
) -> frozenset[str]:
    """The functions of which every call that ends, ends in an exception.

    sites: the calls whose targets are known; graph: who calls whom by them.
    """
    certain = {(s.caller, s.instruction.line): s.callee for s in sites if s.certain}
    found: set[str] = set()

    def throws(f: Function, i: Instruction) -> bool:
        return callee(i) in cxx.THROWS or certain.get((f.name, i.line)) in found

    def ends_thrown(f: Function) -> bool:
        def onwards(name: str) -> tuple[str, ...]:
            thrown = next((i for i in calls(name) if throws(f, i)), None)
            if thrown is None:
                return f.blocks[name].successors
            return thrown.labels[1:] if is_invoke(thrown) else ()

        def calls(name: str) -> list[Instruction]:
            return [i for i in f.blocks[name].instructions if i.is_call]

        ends = [name for name in closure([f.entry.name], onwards) if not onwards(name)]
        return bool(ends) and all(
            is_any(f.blocks[name].terminator, "resume") or any(throws(f, i) for i in calls(name))
            for name in ends
        )

    for circle in circles(graph):  # what calls itself is taken to return
        found.update([name for name in circle if ends_thrown(defined[name])])
    return frozenset(found)


def catches(function: Function, invoke: Instruction, thrown: Operand | None = None) -> bool:
    """Does control certainly come to the handlers of the function itself from a call that throws?

    thrown: the type information of the exception; by default it is not known which one comes.
    """
    if not is_invoke(invoke):
        return False
    pad = function.blocks[invoke.labels[1]].instructions
    wanted = {_CATCH_ALL, thrown}
    return any(is_any(i, "landingpad") and not wanted.isdisjoint(i.extra) for i in pad)


def handlers(module: Module, f: Function, *, is_entry: bool) -> frozenset[str]:
    """The landing pads of a function behind which the run may go on.

    A pad counts where blocks behind it return, or catch and go round a loop that nothing but
    `exit` leaves. In the entry the program ends with a return, so a pad that leads to one counts
    only where blocks behind it do further work (`_works`).
    """
    found: set[str] = set()
    for b in f.blocks.values():
        if not any(is_any(i, "landingpad") for i in b.instructions):
            continue
        reached = {b.name, *blocks_reached(f, b.name, within=f.blocks)}
        if any(is_return(f.blocks[r].terminator) for r in reached):
            goes_on = not is_entry or _works(module, f, reached)
        else:  # a loop that only exit() leaves
            goes_on = _catches(f, reached) and _repeats(f, reached)
        if goes_on:
            found.add(b.name)
    return frozenset(found)


def _works(module: Module, f: Function, blocks: Collection[str]) -> bool:
    """Do blocks hold a loop, or call a function of the program other than a destructor?"""
    if _repeats(f, blocks):
        return True
    for name in blocks:
        for i in f.blocks[name].instructions:
            called = module.functions.get(callee(i) or "") if i.is_call else None
            if called is None or called.dbg is None or _DESTRUCTOR.search(called.name):
                continue
            if not is_system_file(module.file_of(called.dbg) or ""):
                return True
    return False


def _repeats(f: Function, blocks: Collection[str]) -> bool:
    return any(name in blocks_reached(f, name, within=blocks) for name in blocks)


def _catches(f: Function, blocks: Collection[str]) -> bool:
    """Do blocks catch what comes, rather than pass it on?"""
    calls = (callee(i) for name in blocks for i in f.blocks[name].instructions if i.is_call)
    return cxx.CATCHES in calls
