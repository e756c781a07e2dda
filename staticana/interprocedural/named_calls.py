"""Totals in numbers of calls that nobody can tell: "three for each call of `compare`".

How often a library function calls what it is handed, and how often a function that calls itself by
data does so, only a run can tell. What runs in one of these calls can be told all the same: the
number of calls gets a name, and the total is a product with it. Where templates of the C++ library
are called so, or have loops that end by data, the functions of the program that they call are
counted: the comparisons of std::sort. Below many such functions the calls of the loop's own
function get the name: each function of a parser calls the next one's scanner.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from ..expr import ZERO, symbols
from ..frontend.openmp.regions import is_outlined
from ..ir.graph import closure
from ..scev.bounded_count import NOTHING, ONCE, BoundedCount
from ..scev.unknowns import UnknownInfo
from .activations import CALLS, Activations, plain_name
from .loop_nesting import Key
from .program import Program
from .summaries import Summaries

_MOST = 3
"""Numbers of calls in one formula, at most: nobody reads more."""
_MOST_ROOTS = 64
"""Functions called so in one program, at most: each function that calls one is counted again."""


@dataclass(frozen=True)
class _Root:
    """A function that is called nobody knows how often, and why."""

    name: str
    reason: str


class NamedCalls:
    """Totals of the loops that run below functions whose calls have no count."""

    def __init__(self, summaries: Summaries) -> None:
        self.program: Program = summaries.program
        calls = self.program.calls
        self._reasons = {f: f"{f} may be called through a pointer" for f in sorted(calls.pointed)}
        self._reasons |= summaries.unsolved
        self._summaries = summaries

    @cached_property
    def _roots(self) -> list[_Root]:
        """The functions whose calls get names; those of the library only stay apart."""
        calls, found = self.program.calls, dict[str, str]()
        for s in calls.sites:
            if self._is_library(s.caller) and not self._is_library(s.callee):
                found[s.callee] = f"{s.callee} is called by the library as often as data decide"
        found |= self._reasons
        for f, why in list(found.items()):  # activations of one are made by the others, too
            found |= {g: why for g in calls.circle(f) if g not in found}
        return [_Root(f, why) for f, why in found.items() if f in calls.reachable]

    def _nearest_roots(self, name: str) -> set[str]:
        """The roots that come to a function without passing another one, itself where it is one."""
        roots = {r.name for r in self._roots}
        graph = self.program.calls.graph

        def callers(f: str) -> Iterable[str]:
            return () if f in roots else graph.predecessors(f)

        passed = closure((name,), callers)
        return roots & passed

    @cached_property
    def _apart(self) -> Summaries:
        return self._summaries.apart_from(r.name for r in self._roots)

    def _is_library(self, name: str) -> bool:
        return name in self.program.facts.of_module.of_library

    def is_by_library(self, count: BoundedCount) -> bool:
        """Does a count hold what loops and branches of the library decide?"""
        if count.formula is None:
            return True
        infos = map(self.program.unknowns.get, count.formula.symbols)
        return any(
            (i.kind in ("mean", "fraction") or i.is_one)
            and i.function
            and self._is_library(i.function)
            for i in infos
            if i is not None
        )

    @cached_property
    def _activations(self) -> Activations:
        return Activations(self.program, lambda name: self._number(self._root(name)))

    def by_data(self, name: str, header: str) -> BoundedCount | None:
        """The iterations of a loop in a run where data decide how often its function is called:
        the calls that the loop makes, a product with the calls of those that come to it, or with
        those of its own function. None where it is the program itself that is called so."""
        return (
            self._of_calls_inside(name, header)
            or self.total(name, header)
            or self._of_own_calls(name, header)
        )

    def _of_calls_inside(self, name: str, header: str) -> BoundedCount | None:
        """A loop that other things than the program's parameters end, and that calls a function
        once in each iteration."""
        if is_outlined(name):
            return None
        each = self._in_activation(name, header).formula
        if each is None or not any(map(symbols.is_internal, each.symbols)):
            return None
        return self._activations.of_loop(name, header, each)

    def _of_own_calls(self, name: str, header: str) -> BoundedCount | None:
        if name == self.program.entry or is_outlined(name):
            return None
        root, each = self._root(name), self._in_activation(name, header)
        if each.formula == ZERO:
            return None
        return self._number(root).times(self._in_one_call(root, each, (name, header)))

    def _in_activation(self, name: str, header: str) -> BoundedCount:
        """The iterations of a loop in one activation of its function."""
        if name in self.program.calls.recursive and name not in self._summaries.unsolved:
            view = self.program.view(name)
            return self._summaries.of_loop(view, view.loops[header])
        return self._summaries.summary(name).loops[name, header]

    def of_calls_made(self, name: str, header: str, refused: BoundedCount) -> BoundedCount | None:
        """The iterations of a loop in a run by a mean over the calls of its function, whatever
        became of these: for a loop whose count was refused, since they may be cut short or go on
        again."""
        if name == self.program.entry or is_outlined(name):
            return None
        root, nothing = self._root(name), BoundedCount(None, reason=refused.reason)
        found = self._number(root).times(self._in_one_call(root, nothing, (name, header)))
        return replace(found, lower=refused.lower, reason=refused.reason)

    def _root(self, name: str) -> _Root:
        why = f"{name} is called as often as data decide"
        return _Root(name, self._reasons.get(name, why))

    def total(self, name: str, header: str) -> BoundedCount | None:
        """The iterations of a loop in a run; None where too many functions are called nobody knows
        how often, or the program itself is one."""
        if len(self._roots) > _MOST_ROOTS:
            return None
        key = (name, header)
        counts = self._below_roots(key)
        if not counts:
            return None
        found = self._apart.summary(self.program.entry).loops.get(key, NOTHING)
        for r in (r for r in self._roots if r.name in counts):
            each = counts[r.name]
            if each.formula != ZERO:
                found = found.plus(self._number(r).times(self._in_one_call(r, each, key)))
        if found.formula == ZERO and not all(r in self._constructors for r in counts):
            return None
        return found if found.formula is not None else None

    def _below_roots(self, key: Key) -> dict[str, BoundedCount] | None:
        """The iterations of a loop in one call of each root that comes to it; None where that is
        not known of one, or there are too many. Those with few functions below them are asked
        first: one that has no formula makes all others idle."""
        found: dict[str, BoundedCount] = {}
        below = self.program.calls.below
        for r in sorted(self._nearest_roots(key[0]), key=lambda r: (len(below(r)), r)):
            each = self._apart.summary(r).loops.get(key)
            if each is None:
                continue
            if each.formula is None or r == self.program.entry or is_outlined(r):
                return None
            found[r] = each
            if len(found) > _MOST:
                return None
        return found

    @property
    def _constructors(self) -> frozenset[str]:
        return self.program.facts.of_module.constructors

    def _number(self, root: _Root) -> BoundedCount:
        program = self.program
        if root.name in self._constructors and not program.calls.callers.get(root.name):
            return ONCE
        view = program.view(root.name)
        name = program.module.metadata_field(view.function.dbg, "name") or root.name
        symbol = program.unknowns.add(
            UnknownInfo(
                symbols.unknown(root.name, "calls", view.function.entry.name),
                "value",
                f"{plain_name(name)}_calls",
                f"{CALLS}{name}",
                view.place(view.function.entry.terminator),
                program.entry,
                program.view(program.entry).function.entry.name,
            )
        )
        return BoundedCount(symbol, ZERO, None, reason=root.reason)

    def _in_one_call(self, root: _Root, each: BoundedCount, key: tuple[str, str]) -> BoundedCount:
        """What one call does: a mean, where that is not the same in all of them."""
        unknowns = self.program.unknowns
        if each.formula is not None:
            used = each.formula.symbols.union(*(n.symbols for n in each.preconditions))
            varying = (s for s in used if symbols.is_internal(s))
            if all((i := unknowns.get(s)) and i.kind in ("mean", "fraction") for s in varying):
                return each
        view, loop = self.program.view(root.name), self.program.view(key[0]).loops[key[1]]
        symbol = unknowns.add(
            UnknownInfo(
                symbols.unknown(root.name, "each", *key),
                "mean",
                "u",
                f"mean iterations of the loop at {loop.at} for each call of {root.name}",
                loop.at,
                root.name,
                view.function.entry.name,
            )
        )
        return BoundedCount(symbol, ZERO, None, notes=each.notes, reason=root.reason)
