"""Accidental quadratics of a program: hidden work in its loops, by rules on what is called there.

A finding is a loop of the program in which, in every iteration, something is done over again whose
cost grows with the number of iterations that have been or are to come. Collections of such bugs:
"Accidentally Quadratic" (N. Elhage), Olivo, Dillig and Lin, "Static detection of asymptotic
performance bugs in collection traversals", PLDI 2015.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from functools import partial

from ..expr import TooComplex
from ..expr.budget import Budget, OverBudget
from ..interprocedural.program import Program
from ..ir.system_files import is_system_file
from ..scev.context import FunctionContext
from .containers import container_calls
from .finding import HiddenCost
from .objects import name_of, runs_often
from .texts import Found, calls_in_loop
from .walks import Walks, calls_of_walks, own_loops


def hidden_costs(program: Program) -> tuple[HiddenCost, ...]:
    """The hidden costs in the functions of the program's own files."""
    found: set[HiddenCost] = set()
    known = Walks()
    for name, function in program.defined.items():
        file = program.module.file_of(function.dbg)
        if function.dbg is None or file is None or is_system_file(file):
            continue
        found.update(_in_function(program.view(name), program.seconds, known))
    return tuple(sorted(found))


def _in_function(view: FunctionContext, seconds: float, known: Walks) -> Iterator[HiddenCost]:
    for header, loop in view.loops.items():
        if not loop.is_source:
            continue
        if not runs_often(view, header):
            continue
        found: list[HiddenCost] = []
        # where a rule asks for what takes too long, it says nothing
        with contextlib.suppress(TooComplex, OverBudget), Budget(seconds):
            of_walks = partial(calls_of_walks, known=known)
            for rule in (calls_in_loop, of_walks, own_loops):
                found += [_finding(view, header, f) for f in rule(view, header)]
            found += container_calls(view, header)
        yield from found


def _finding(view: FunctionContext, header: str, found: Found) -> HiddenCost:
    call, name, token, text = found
    argument = name_of(view, token)
    at = view.loops[header].at if name == "loop" else view.place(call)
    what = "this loop" if name == "loop" else f"{name}({argument})"
    around = view.loops[header].parent if name == "loop" else header
    where = view.loops[around].at if around is not None else view.loops[header].at
    return HiddenCost(at, _function(view), name, argument, f"{what} {text} (loop at {where})")


def _function(view: FunctionContext) -> str:
    return view.program.module.metadata_field(view.function.dbg, "name") or view.function.name
