"""Memory that loops change step by step: a counter in a member, the end of a container.

What a place holds is followed back block by block. At the head of a loop that writes there it is a
variable of the loop like a header phi: its first value is what the place holds before the loop, its
next one what it holds at the latch. This is memory SSA for one place, on demand (Chow et al.,
"Effective representation of aliases and indirect memory operations in SSA form", CC 1996).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..alias.memory_location import MemoryLocation, Pointer
from ..expr import choose
from ..ir.types import Instruction
from ..scev.context import FunctionContext
from ..scev.loop_variables import place_name
from ..scev.values import NO_PRECONDITIONS, Value
from .writes import Write

if TYPE_CHECKING:
    from .reaching_stores import ReachingStores

_END = 1 << 62
"""A line behind all instructions of a block."""
_MAX_WRITES = 24
"""Writes that may have touched a place whose history is followed."""
_MAX_STEPS = 200
"""Blocks that one history goes through."""


class History:
    """Follows places through the blocks of functions."""

    def __init__(self, stores: ReachingStores) -> None:
        self._stores = stores

    def value(
        self,
        view: FunctionContext,
        place: MemoryLocation,
        block: str,
        before: Instruction,
        writes: Sequence[Write],
    ) -> Value | None:
        """What a place holds when control is before an instruction; `writes`: all that may have
        touched it by then."""
        if len(writes) > _MAX_WRITES or place.underlying_object is None or place.offset is None:
            return None
        return _Walk(self._stores, view, place, writes).before(block, before.line)


class _Walk:
    """One place in one function."""

    def __init__(
        self,
        stores: ReachingStores,
        view: FunctionContext,
        place: MemoryLocation,
        writes: Sequence[Write],
    ) -> None:
        self.stores, self.view, self.place = stores, view, place
        self._by_block: dict[str, list[Write]] = {}
        for w in writes:
            self._by_block.setdefault(w.block, []).append(w)
        self._known: dict[str, Value | None] = {}
        self._steps = 0

    def before(self, block: str, line: int) -> Value | None:
        """What the place holds in a block before a line."""
        own = [w for w in self._by_block.get(block, ()) if w.instruction.line < line]
        if own:
            last = max(own, key=lambda w: w.instruction.line)
            return self.stores.stored(self.view, last, self.place)
        if block not in self._known:
            self._steps += 1
            if self._steps > _MAX_STEPS:
                return None
            found = self._on_entry(block)
            if block in self.view.loops:
                return found  # it may be found while the loop is being followed
            self._known[block] = found
        return self._known[block]

    def _on_entry(self, block: str) -> Value | None:
        """What it holds when control comes to a block."""
        view = self.view
        if block == view.function.entry.name:
            found = self.stores.before_all(view, self.place)
            return None if found is None else Value(found)
        if block in view.loops:
            return self._at_head(block)
        above = [p for p in view.function.predecessors[block] if p in view.reachable]
        if len(above) == 1:
            return self._leaving(above[0], block)
        top = view.paths.top(block)
        between = self.stores.writes.leading(view.function, top, block)
        if not any(b in between and b != top for b in self._by_block):
            return self._leaving(top, block, is_edge=False)
        return self._merged(block, top, above)

    def _at_head(self, header: str) -> Value | None:
        loop = self.view.loops[header]
        if loop.preheader is None or loop.latch is None:
            return None
        if not any(b in loop.blocks for b in self._by_block):
            return self.before(loop.preheader, _END)
        base = self.place.underlying_object
        if isinstance(base, Pointer):
            made = self.view.function.block_of.get(base.register)
            if made in loop.blocks:
                return None  # another object in each iteration
        latch, preheader = loop.latch, loop.preheader
        return self.view.variables.in_memory(
            header,
            place_name(self.place),
            lambda: self.before(preheader, _END),
            lambda: self.before(latch, _END),
        )

    def _leaving(self, source: str, block: str, *, is_edge: bool = True) -> Value | None:
        """What it holds at the end of a block, as seen behind the loops that are left on the way to
        another one; is_edge: there is no block in between."""
        value = self.before(source, _END)
        header, label = self.view.forest.innermost.get(source), source if is_edge else None
        while value is not None and header is not None:
            if block in self.view.loops[header].blocks:
                break
            value = self.view.trip_counts.exit_value(header, label, value)
            header = self.view.loops[header].parent
        return value

    def _merged(self, block: str, top: str, above: Sequence[str]) -> Value | None:
        """Which way control came decides: as for a phi. Nearly all walks end at a write of what is
        not known: such ways are gone first, and conditions are asked for behind them."""
        paths = self.view.paths
        left = self.view.loops.get(top)
        if left is not None and block not in left.blocks:
            return None
        found: dict[str, Value] = {}
        for p in sorted(above, key=lambda p: p not in self._by_block):
            if paths.is_never_taken(p, block):
                continue
            value = self._leaving(p, block)
            if value is not None:
                found[p] = value
            elif paths.edge_from(top, p, block)[0].kind != "false":
                return None
        edges = [(p, *paths.arrival(top, p, block)) for p in above if p in found]
        ways = [(found[p], c, n) for p, c, n in edges if c.kind != "false"]
        if not ways:
            return None
        needs = NO_PRECONDITIONS.union(*(v.preconditions for v, _, _ in ways))
        result = ways[-1][0].expr
        if all(v.expr == result for v, _, _ in ways):
            return Value(result, needs)
        if any(c.is_undecided for _, c, _ in ways):
            return None
        for v, condition, _ in ways[-2::-1]:
            result = choose(condition.indicator(), v.expr, result)
        return Value(result, needs.union(*(n for _, _, n in ways)))
