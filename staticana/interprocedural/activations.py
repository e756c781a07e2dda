"""How often functions run, and loops that run once for each call that they make.

A loop over the children of a node that visits each of them runs as often as nodes are visited, the
roots aside: the calls of a function are the sum over the sites that call it (Kirchhoff's law, as in
Knuth and Stevenson, "Optimal measurement points for program frequency counts", 1973). Where a loop
makes one of these calls in each iteration and all other sites have counts, its iterations follow,
whatever decides on its end.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from ..alias.call_graph import Site
from ..expr import ZERO, Expr, symbols
from ..ir.system_files import is_system_file
from ..scev.bounded_count import NOTHING, ONCE, BoundedCount
from ..scev.unknowns import UnknownInfo
from .program import Program

CALLS = "calls of "
"""How the meaning of a number of calls begins."""
_MOST_BY_DATA = 1
"""Sites beside the loop's on which data decide, at most: with more of them a mean says more."""
_DEEPEST = 12
"""Callers above each other through which calls are counted."""

_ARGUMENTS = re.compile(r"(?<!operator)(?<!operator<)<.*$")


def plain_name(name: str) -> str:
    """A function's name as part of another one: of an instance of a template, which may be very
    long, that of the template."""
    return _ARGUMENTS.sub("", name).replace("operator()", "function")


class Activations:
    """Calls of functions in a run, written in the program's parameters and in numbers of calls that
    have names. `named` gives the latter."""

    def __init__(self, program: Program, named: Callable[[str], BoundedCount]) -> None:
        self._program = program
        self._named = named
        self._known: dict[str, BoundedCount | None] = {}

    def calls(self, name: str) -> BoundedCount:
        """The calls of a function: a formula in parameters, or a number with a name."""
        return self._counted(name, _DEEPEST) or self._named(name)

    def _counted(self, name: str, depth: int) -> BoundedCount | None:
        """The calls of a function where its callers decide on them, and data do not."""
        if name not in self._known:
            self._known[name] = None  # what calls itself
            self._known[name] = self._count(name, depth)
        return self._known[name]

    def _count(self, name: str, depth: int) -> BoundedCount | None:
        sites = self._sites(name)
        if name == self._program.entry:
            return ONCE if sites is not None and not sites else None
        if sites is None or not depth or name in self._program.calls.recursive:
            return None
        passes: list[tuple[Site, BoundedCount]] = []
        for s in sites:
            each = self._per_call(s)
            if each is None:
                return None
            passes.append((s, each))
        found = NOTHING
        for s, each in passes:
            above = self._counted(s.caller, depth - 1)
            if above is None:
                return None
            found = found.plus(above.times(each))
        return found

    def _sites(self, name: str) -> list[Site] | None:
        """All calls of a function; None where there may be others."""
        calls = self._program.calls
        sites = calls.callers.get(name, [])
        if (name in calls.pointed and name != calls.entry) or not all(s.certain for s in sites):
            return None
        return [s for s in sites if s.block in self._program.view(s.caller).reachable]

    def _per_call(self, site: Site) -> BoundedCount | None:
        """How often a site is passed in one call of its function, where that is a formula in the
        program's parameters."""
        found = self._program.view(site.caller).executions.of(site.block)
        is_exact = found.formula is not None and found.lower == found.formula == found.upper
        parts = (found.formula, *found.preconditions)
        if not is_exact or any(symbols.is_internal(s) for e in parts if e for s in e.symbols):
            return None
        return found

    def _is_library(self, name: str) -> bool:
        module = self._program.module
        return is_system_file(module.file_of(self._program.defined[name].dbg) or "")

    def _number(self, site: Site) -> BoundedCount:
        """How often a run passes a site, by a name."""
        program, view = self._program, self._program.view(site.caller)
        function, place = program.defined[site.callee], view.place(site.instruction)
        name = program.module.metadata_field(function.dbg, "name") or site.callee
        line = "".join(f"_{part}" for part in place.split(":")[-2:-1])
        symbol = program.unknowns.add(
            UnknownInfo(
                symbols.unknown(site.caller, "site", site.instruction.line),
                "value",
                f"{plain_name(name)}_calls{line}",
                f"{CALLS}{name} at {place}",
                place,
                program.entry,
                program.view(program.entry).function.entry.name,
            )
        )
        return BoundedCount(symbol, ZERO, None, reason=f"data decide on the call at {place}")

    def of_loop(self, name: str, header: str, each: Expr) -> BoundedCount | None:
        """The iterations of a loop in a run where it makes one call of a function in each of them;
        `each`: its iterations in one call of its function."""
        view = self._program.view(name)
        blocks, circle = view.loops[header].blocks, self._program.calls.circle(name)
        sites = self._program.calls.sites_in.get(name, ())
        for s in sorted(sites, key=lambda s: s.callee not in circle):
            if (
                s.certain
                and s.block in blocks
                and not self._is_library(s.callee)
                and view.executions.of(s.block).formula == each
                and (found := self._without_others(s)) is not None
            ):
                return found
        return None

    def _without_others(self, site: Site) -> BoundedCount | None:
        """The calls of a function that come from one site."""
        sites = self._sites(site.callee)
        if sites is None or site.callee == self._program.entry:
            return None
        passes: list[tuple[Site, BoundedCount | None]] = []
        for s in sites:
            if s is not site:
                passes.append((s, self._per_call(s)))
                if sum(each is None for _, each in passes) > _MOST_BY_DATA:
                    return None
        others = NOTHING
        for s, each in passes:  # how often their functions run takes longest to find
            found = self._number(s) if each is None else self.calls(s.caller).times(each)
            others = others.plus(found)
        total = self._named(site.callee)
        if total.formula is None or others.formula is None:
            return None
        left = total.formula - others.formula
        if not total.formula.symbols <= left.symbols:
            return None  # each call makes another one elsewhere, too: none of them ever returns
        return BoundedCount(
            left,
            ZERO,
            None,
            total.preconditions | others.preconditions,
            total.notes | others.notes,
            total.reason,
        )
