"""The plan: which loops of a program are counted, timed, and kept apart by their calls."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass

from staticana.ir.loop_info import LoopForest, loop_forest
from staticana.ir.types import Function, Module

from .abnormal_exits import is_emitted
from .kernels import outermost


@dataclass(frozen=True)
class LoopCounter:
    """A loop of the plan.

    Attributes:
        id: its index in the plan.
        nesting: number of source loops around it, itself included; a kernel has 1.
        kernel: id of its kernel, None if that is not in the plan.
        counted: False for a kernel that is only timed.
    """

    id: int
    function: str
    header: str
    at: str
    nesting: int
    kernel: int | None
    counted: bool = True


@dataclass(frozen=True)
class CallValue:
    """A value of a kernel's call that a symbol of its formulas stands for.

    Attributes:
        tokens: registers that hold it. Those set within the kernel have the same value throughout a
            call, or are not set in it.
        type: of the registers.
    """

    name: str
    tokens: tuple[str, ...]
    type: str


@dataclass(frozen=True)
class Plan:
    """The loops to count, and what else to record.

    Attributes:
        timed: kernels get time stamps.
        entries: entries of loops are counted too, where they do not follow from other counts.
        precise: counters are in memory at every moment, so that a crash in the middle of a loop
            loses no iteration. This costs time.
        calls: kernels' calls are kept apart by the values that influence them.
        sampled: of short calls only some are kept, so that this costs next to nothing.
        symbols: kernel (function, header) -> its values; where given, only calls of these kernels
            are kept apart, by these values.
    """

    counters: tuple[LoopCounter, ...]
    timed: bool = True
    entries: bool = True
    precise: bool = False
    calls: bool = False
    symbols: tuple[tuple[tuple[str, str], tuple[CallValue, ...]], ...] = ()
    sampled: bool = False

    @property
    def digest(self) -> str:
        """A digest that identifies the plan in stored runs."""
        rows = [(c.id, c.function, c.header, c.counted) for c in self.counters]
        text = json.dumps(
            [
                rows,
                self.timed,
                self.entries,
                self.precise,
                self.calls,
                *([repr(self.symbols)] if self.symbols else []),
                *(["sampled"] if self.sampled else []),
            ]
        )
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def plan_for(
    module: Module,
    loops: Iterable[tuple[str, str]],
    *,
    known: Iterable[tuple[str, str]] = (),
    timed: bool = True,
    entries: bool = True,
    precise: bool = False,
    calls: bool = False,
) -> Plan:
    """A plan that counts the given loops but those whose count is `known`, and times the kernels
    around all of them.

    Args:
        loops, known: (function, header) of loops.
    """
    given, wanted = set(loops), set(loops) - set(known)
    functions = {f for f, _ in given}
    counters: list[LoopCounter] = []
    for function in _defined(module):
        if function.name not in functions:
            continue
        forest = loop_forest(function, module)
        by_header = forest.by_header()
        ids: dict[str, int] = {}
        for loop in forest.loops:
            if not loop.is_source:
                continue
            outer, nesting = outermost(by_header, loop)
            own = (function.name, loop.header) in wanted
            if own or (
                timed and nesting == 1 and _holds(forest, loop.blocks, given, function.name)
            ):
                ids[loop.header] = len(counters)
                counters.append(
                    LoopCounter(
                        len(counters),
                        function.name,
                        loop.header,
                        loop.at,
                        nesting,
                        ids.get(outer.header),
                        own,
                    )
                )
    return Plan(tuple(counters), timed, entries, precise, calls)


def _holds(
    forest: LoopForest, blocks: frozenset[str], given: set[tuple[str, str]], function: str
) -> bool:
    """Does one of the given loops lie within these blocks?"""
    return any(
        (function, other.header) in given and other.blocks <= blocks for other in forest.loops
    )


def plan_all(
    module: Module,
    *,
    timed: bool = True,
    entries: bool = True,
    precise: bool = False,
    calls: bool = False,
) -> Plan:
    """A plan that counts every loop of the program."""
    return plan_for(
        module,
        [(f.name, loop.header) for f in _defined(module) for loop in loop_forest(f, module).loops],
        timed=timed,
        entries=entries,
        precise=precise,
        calls=calls,
    )


def _defined(module: Module) -> list[Function]:
    return [f for f in module.functions.values() if is_emitted(f)]
