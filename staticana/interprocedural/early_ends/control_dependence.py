"""Which blocks and functions control comes back from, and what decides whether it comes to them.

Post-dominance and control dependence: Ferrante, Ottenstein and Warren, TOPLAS 1987.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from ...ir.graph import blocks_leading_to, closure
from ...ir.matchers import is_any, is_invoke, is_return
from ...ir.types import Function
from ..program import Program
from .ends import Event


class ControlDependence:
    """Where control goes in the functions of a program, and from where it does not come back.
    base: the same of the program's base."""

    def __init__(self, program: Program, base: ControlDependence | None = None) -> None:
        self.program = program
        self._base = base
        self._usual: dict[str, frozenset[str]] = {}
        self._endless: dict[str, bool] = {}
        self._no_way_back: dict[str, frozenset[str]] = {}
        self._behind: dict[tuple[str, str], frozenset[str]] = {}

    def _of(self, name: str) -> ControlDependence:
        """What knows where control goes in a function."""
        contexts = self.program.contexts
        is_new = self._base is None or contexts is None or contexts.is_new(name)
        return self if is_new or self._base is None else self._base

    def usual(self, name: str) -> frozenset[str]:
        """The blocks of a function that control comes to without an exception, and that go on."""
        if self._of(name) is not self:
            return self._of(name).usual(name)
        if name not in self._usual:
            view = self.program.view(name)
            blocks, dead = view.function.blocks, view.paths.dead

            def successors(name: str) -> Iterable[str]:
                last = blocks[name].terminator
                onwards = last.labels[:1] if is_invoke(last) else blocks[name].successors
                return (s for s in onwards if s not in dead)

            self._usual[name] = frozenset(closure([view.function.entry.name], successors))
        return self._usual[name]

    def is_hidden(self, name: str, header: str) -> bool:
        """Does a loop only run on ways that are taken not to be gone: to an error exit, or from an
        exception?"""
        return name not in self._open or self.is_hidden_in(name, header)

    def is_hidden_in(self, name: str, header: str) -> bool:
        """The same within one call of its function."""
        return header not in self.usual(name)

    @cached_property
    def _open(self) -> frozenset[str]:
        """Functions that are called on other ways."""
        calls = self.program.calls

        def called(name: str) -> set[str]:
            usual = self.usual(name)
            return {s.callee for s in calls.sites_in.get(name, ()) if s.block in usual}

        return frozenset(closure({self.program.entry, *calls.pointed}, called))

    def is_unguarded(self, name: str, block: str) -> bool:
        """Does a function come to a block whenever it is called and the loops around the block run,
        unless it leaves by an exception before?"""
        view = self.program.view(name)
        function, usual = view.function, self.usual(name)
        while True:
            header = view.forest.innermost.get(block)
            if header == block:  # whoever comes to a loop comes to its header
                header = view.loops[block].parent
            start = function.entry.name if header is None else header
            region = function.blocks.keys() if header is None else view.loops[header].blocks
            around = usual.intersection(region) - {block, start}
            passed = _reached(function, start, around) if start != block else set()
            if header is None:
                return not any(is_return(function.blocks[b].terminator) for b in passed)
            if any(header in function.blocks[b].successors for b in passed):
                return False
            block = header

    def has_no_return(self, name: str) -> bool:
        """Does a function only come back by an exception, if at all?"""
        blocks = self.program.defined[name].blocks
        return all(not is_return(blocks[b].terminator) for b in self.usual(name))

    def never_returns(self, name: str) -> bool:
        """Does every call of a function end the program?"""
        if self._base is not None:  # it is written there
            return self._base.never_returns(name)
        if name not in self._endless:
            self._endless[name] = False  # what calls itself
            function = self.program.defined[name]
            last = {
                s.block
                for s in self.program.calls.sites_in.get(name, ())
                if s.certain and self.never_returns(s.callee)
            }
            passed = closure(
                [function.entry.name], lambda b: () if b in last else function.blocks[b].successors
            )
            self._endless[name] = not any(
                b not in last and is_any(function.blocks[b].terminator, "ret", "resume")
                for b in passed
            )
        return self._endless[name]

    def deciding(self, name: str, block: str) -> str | None:
        """The nearest block above from which a function may still return; None where there is
        none."""
        dominator, lost = self.program.view(name).forest.dominator, self.lost(name)
        while block in lost and dominator.get(block, block) != block:
            block = dominator[block]
        return None if block in lost else block

    def lost(self, name: str) -> frozenset[str]:
        """Blocks from which a function does not return."""
        if self._base is not None:  # it is written there
            return self._base.lost(name)
        if name not in self._no_way_back:
            self._no_way_back[name] = self._find_lost(name)
        return self._no_way_back[name]

    def _find_lost(self, name: str) -> frozenset[str]:
        function = self.program.defined[name]
        ends = [b.name for b in function.blocks.values() if is_any(b.terminator, "ret", "resume")]
        if not ends:
            return frozenset()
        return frozenset(function.blocks) - blocks_leading_to(function, ends)

    def follows(self, name: str, event: Event, block: str, line: int = 0) -> bool:
        """May control come to a block after the event?"""
        if self._base is not None:  # it is written there
            return self._base.follows(name, event, block, line)
        if event.block == block and event.line < line:
            return True
        key = (name, event.block)
        if key not in self._behind:
            blocks = self.program.defined[name].blocks
            self._behind[key] = frozenset(
                closure(blocks[event.block].successors, lambda b: blocks[b].successors)
            )
        return block in self._behind[key]


def _reached(function: Function, start: str, within: frozenset[str]) -> set[str]:
    """A block, and those that control comes to from it through some blocks."""
    return closure([start], lambda name: within.intersection(function.blocks[name].successors))
