"""What is counted and timed in an instrumented program."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass

from staticana.ir import Module
from staticana.loops import loop_forest


@dataclass(frozen=True)
class LoopCounter:
    """One counted loop; `id` is its cell. `kernel` is the id of the outermost loop around it (itself when `nesting`
    is 1), None where that is not counted; kernels are timed."""

    id: int
    function: str
    header: str
    at: str
    nesting: int
    kernel: int | None


@dataclass(frozen=True)
class Plan:
    """The loops to count, and whether kernels are timed."""

    counters: tuple[LoopCounter, ...]
    timed: bool = True

    @property
    def digest(self) -> str:
        """Identifies the plan in stored runs."""
        rows = [(c.id, c.function, c.header) for c in self.counters]
        return hashlib.sha256(json.dumps([rows, self.timed]).encode()).hexdigest()[:16]


def plan_for(module: Module, loops: Iterable[tuple[str, str]], *, timed: bool = True) -> Plan:
    """Count the given loops, (function, header) each, and the kernels around them."""
    wanted = set(loops)
    counters: list[LoopCounter] = []
    for function in module.functions.values():
        if function.is_declaration or " available_externally " in function.header[:60] \
                or not any(f == function.name for f, _ in wanted):
            continue
        forest = loop_forest(function, module)
        by_header = forest.by_header()
        ids: dict[str, int] = {}
        for loop in forest.loops:
            if not loop.is_source:
                continue
            outer, nesting, above = loop, 1, loop.parent
            while above is not None:
                if by_header[above].is_source:
                    outer, nesting = by_header[above], nesting + 1
                above = by_header[above].parent
            inside = any((function.name, other.header) in wanted and other.blocks <= loop.blocks
                         for other in forest.loops)
            if (function.name, loop.header) in wanted or (nesting == 1 and inside):
                ids[loop.header] = len(counters)
                counters.append(LoopCounter(len(counters), function.name, loop.header, loop.at, nesting,
                                            ids.get(outer.header)))
    return Plan(tuple(counters), timed)


def plan_all(module: Module, *, timed: bool = True) -> Plan:
    """Count every loop of the program."""
    return plan_for(module, [(f.name, loop.header) for f in module.functions.values() if not f.is_declaration
                             and " available_externally " not in f.header[:60]
                             for loop in loop_forest(f, module).loops], timed=timed)
