"""The estimate: streams of all accesses, taken from loop to loop from the inside out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from ...expr import Expr, Number, expr
from ..access_tree import AccessNode, AccessTree, LoopNode, Making, unguarded
from .iteration_formulas import IterationFormula
from .shared_lines import held_by, mark_updated, touch_first, unfollowed, unshared
from .streams import LINE, PAGE, Apart, Floats, Stream, add, crowding, scaled, settle, widening

_HASHED = 4 << 20
"""Caches with more bytes than that choose sets by a hash of the address."""
_STEEPNESS = 8.0
"""How sharp a layer condition is: half of the transition lies between 0.87 C and 1.15 C."""
SAMPLED = 5
"""Iterations of an outer loop that are looked at where trip counts inside depend on it."""
_CROWDED_OUT, _SWEPT = 0.5, 2.0
"""Streams beside random accesses take this share of their bytes from the room of the object, as
long as it has not been gone over so many times."""
_KEPT, _MOST_KEPT = float(128 << 10), float(32 << 20)
"""Bytes at the end of its heap that the allocator of the system does not give back; once a larger
block was freed, it lets twice that block lie there, if it is no larger than this (mallopt(3):
M_TOP_PAD, M_TRIM_THRESHOLD, M_MMAP_THRESHOLD and how the latter moves)."""
_OFTEN = 0.5
"""How often data let an address move that they may also leave where it is."""
READ, WRITTEN, STRIDED, UPDATED = KINDS = range(4)
"""Kinds of misses: of lines that follow each other, read, written, or both; of others."""


def given_back(sizes: Sequence[float]) -> float:
    """The share of blocks of so many bytes, all freed before they are allocated again, whose memory
    the allocator returns to the system: of large ones all, of others what lies beyond the end that
    it keeps, once their sum is more than it lets lie there."""
    largest, total = max(sizes), sum(sizes)
    if largest > _MOST_KEPT:
        return 1.0
    most = _KEPT if largest < _KEPT else 2 * largest - _KEPT
    return (total - _KEPT) / total if total > most else 0.0


@dataclass
class Touched:
    """What one loop touches in all its executions, with everything inside it.

    lines (4, K): lines that miss a cache of each of K capacities, by kind; arrays have a column for
    each capacity and each way that rows share sets, one way after the other. random: pairs of
    (accesses, bytes of the object that they choose from). paged (K,): jumps to a page whose
    translation is lost where that of pages of so many bytes is kept. fresh: lines touched for the
    first time in the program; fresh_pages: pages. provided (4, K): those of `lines` that are fresh:
    the system clears a page just before, so that what they cost is the page. renewed_pages: those
    of `fresh_pages` that were given back before. all_pages: of the program.
    """

    lines: Floats
    provided: Floats
    paged: Floats
    random: list[tuple[float, float]] = field(default_factory=list)
    fresh: float = 0.0
    fresh_pages: float = 0.0
    renewed_pages: float = 0.0
    all_pages: float = 0.0


def touched(
    tree: AccessTree,
    parameters: Mapping[str, Number],
    capacities: Sequence[float],
    trips: Mapping[str, float],
    sampled: int = SAMPLED,
    aparts: Sequence[Apart | None] = (None,),
) -> dict[str, Touched]:
    """What every loop of a program touches, by the place of the loop.

    Args:
        parameters: values of the program's parameters and of unknowns of its formulas; what has
            none is taken as 0.
        capacities: bytes, K of them.
        trips: place of a loop -> its mean trip count, for where there is no formula, or one with an
            unknown that has no value.
        sampled: iterations of an outer loop that are looked at where trip counts inside depend on
            it.
        aparts: how rows share sets that lie so far apart; where None, as they do. Each is another
            way, all of which are found at once.
    """
    return _Estimate(parameters, capacities, trips, sampled, aparts).of(tree)


def visits(tree: AccessTree, parameters: Mapping[str, Number], sampled: int = SAMPLED) -> int:
    """How often `touched` looks at a load, store or loop, at most: as often as iterations of the
    loops around it are sampled, and again at what is in a loop where it goes on to the next one
    around."""
    estimate = _Estimate(parameters, (), {}, sampled)
    return sum(estimate.visits(node)[1] for node in unguarded(tree.body))


class _Estimate:
    """One estimate: formulas at these parameters, lines that miss caches of these capacities."""

    def __init__(
        self,
        parameters: Mapping[str, Number],
        capacities: Sequence[float],
        trips: Mapping[str, float],
        sampled: int,
        aparts: Sequence[Apart | None] = (None,),
    ) -> None:
        self.sampled, self.aparts, self.each = sampled, aparts, len(capacities)
        self.values = {name: expr(v) for name, v in parameters.items()}
        self.capacities = np.tile(np.array(capacities, dtype=float), len(aparts))
        self.trips = trips
        self.forms: dict[Expr, IterationFormula] = {}
        self.needs: dict[LoopNode, frozenset[str]] = {}
        self.found: dict[str, Touched] = {}

    def of(self, tree: AccessTree) -> dict[str, Touched]:
        streams: list[Stream] = []
        for node in unguarded(tree.body):
            streams += self.node(node, {}, ())
        self.close(streams, held_by(streams), None, 1.0, {})
        footprint = sum(s.fresh_pages for s in streams)
        self.renew(streams)
        mark_updated(streams)
        for s, own in zip(streams, unfollowed(streams), strict=True):
            self.credit(s, own)
        for entry in self.found.values():
            entry.all_pages = footprint
        return self.found

    def renew(self, streams: Sequence[Stream]) -> None:
        """Memory that is given back to the system is new to what is allocated next: what a function
        allocates in each iteration is freed at its end, one block after the other."""
        groups: dict[Making, list[Stream]] = {}
        for s in streams:
            if s.access.made is not None and s.access.made.loops:
                groups.setdefault(s.access.made, []).append(s)
        for members in groups.values():
            sizes: dict[str, float] = {}
            for s in members:
                known = None if s.access.extent is None else self.form(s.access.extent).at({})
                size = known if known and known > 0 else s.random or s.reach
                sizes[s.access.object] = max(size, sizes.get(s.access.object, 0.0))
            share = given_back(list(sizes.values()))
            for s in members:
                again = share * max(0.0, s.makes - 1)
                s.renewed_pages = again * s.fresh_pages
                s.fresh_pages += s.renewed_pages
                s.fresh_lines, s.provided = (1 + again) * s.fresh_lines, (1 + again) * s.provided

    def credit(self, s: Stream, own: float) -> None:
        """Book a stream of the whole program on the loops around it.

        Args:
            own: the share of its turns, where data choose them, that go to a line of their own.
        """
        kind = WRITTEN if s.access.is_store else UPDATED if s.is_updated else READ
        strided = 1.0 if s.inner > LINE else s.untrained
        for at in dict.fromkeys(s.owners):
            entry = self.found.setdefault(at, self.nothing())
            if s.random is not None:
                entry.random.append((own * s.turns, s.random + s.room))
            else:
                for k, share in ((kind, 1 - strided), (STRIDED, strided)):
                    entry.lines[k] += share * s.missed
                    entry.provided[k] += share * np.minimum(s.missed, s.provided)
                entry.paged += s.lost
            entry.fresh += s.fresh_lines
            entry.fresh_pages += s.fresh_pages
            entry.renewed_pages += s.renewed_pages

    def nothing(self) -> Touched:
        """A loop that touches nothing."""
        shape = (len(KINDS), len(self.capacities))
        return Touched(np.zeros(shape), np.zeros(shape), np.zeros(shape[1]))

    def form(self, e: Expr) -> IterationFormula:
        found = self.forms.get(e)
        if found is None:
            found = self.forms[e] = IterationFormula(e, self.values)
        return found

    def node(
        self, node: AccessNode | LoopNode, index: dict[str, int], owners: tuple[str, ...]
    ) -> list[Stream]:
        if isinstance(node, LoopNode):
            return self.loop(node, index, owners)
        s = Stream(node, self.form(node.address).at(index), len(self.capacities))
        s.owners = owners
        return [s]

    def number_of(self, loop: LoopNode, index: Mapping[str, int]) -> float:
        form = self.form(loop.trips)
        return max(0.0, form.at(index) if form.known else self.trips.get(loop.at, 1.0))

    def needed(self, loop: LoopNode) -> frozenset[str]:
        """Iteration numbers that trip counts and curved addresses inside a loop depend on."""
        found = self.needs.get(loop)
        if found is None:
            names: set[str] = set()
            for node in unguarded(loop.body):
                if isinstance(node, LoopNode):
                    names |= self.needed(node)
                    names |= self.form(node.trips).symbols
                elif (form := self.form(node.address)).steps is None:
                    names |= form.symbols
            found = self.needs[loop] = frozenset(names)
        return found

    def visits(self, node: AccessNode | LoopNode) -> tuple[int, int]:
        """The accesses in this, and how often it and they are looked at, in one iteration of the
        loop around."""
        if not isinstance(node, LoopNode):
            return 1, 1
        turns = self.sampled if node.index in self.needed(node) else 1
        inside = [self.visits(n) for n in unguarded(node.body)]
        accesses = sum(n for n, _ in inside)
        return accesses, 1 + accesses + turns * sum(looks for _, looks in inside)

    def loop(self, loop: LoopNode, index: dict[str, int], owners: tuple[str, ...]) -> list[Stream]:
        trips = self.number_of(loop, index)
        if trips <= 0:
            return []
        inside = (*owners, loop.at) if loop.at else owners
        where = [(int(trips) // 2, 1.0)]
        if loop.index in self.needed(loop):
            where = _quadrature(trips, self.sampled)
        streams: dict[AccessNode, Stream] = {}
        held = np.zeros(2)
        for k, weight in where:
            here = {**index, loop.index: k}
            part: list[Stream] = []
            for node in unguarded(loop.body):
                part += self.node(node, here, inside)
            held += weight * held_by(part)
            for s in part:
                known = streams.get(s.access)
                if known is None:
                    streams[s.access] = scaled(s, weight)
                else:
                    add(known, s, weight)
        found = list(streams.values())
        for s in found:
            s.start = self.form(s.access.address).at({**index, loop.index: 0})
            settle(s)
        self.close(found, held, loop, trips, index)
        return found

    def close(
        self,
        streams: list[Stream],
        held: Floats,
        loop: LoopNode | None,
        trips: float,
        index: Mapping[str, int],
    ) -> None:
        """Take the streams of one iteration, which hold so many bytes of lines and of pages, to
        those of one execution of the loop."""
        crowds = [[s.lines * LINE * (crowding(s, a) - 1) for a in self.aparts] for s in streams]
        if loop is not None:
            for s in streams:
                self.move(s, loop, trips, index)
        room = np.full((len(streams), len(self.capacities)), held[0])
        if loop is not None:
            wide = np.repeat(
                np.array(crowds).reshape(len(streams), len(self.aparts)), self.each, axis=1
            )
            room += wide * (self.capacities < _HASHED)
        distinct, distinct_pages = unshared(streams).tolist()
        beside = LINE * sum(distinct)
        for s, lines in zip(streams, distinct, strict=True):
            if s.random is not None and s.turns * s.access.size <= _SWEPT * s.random:
                s.room = _CROWDED_OUT * max(0.0, beside - LINE * lines)
        every = 1 / (1 + (room / self.capacities) ** _STEEPNESS)
        for s, lines, fits in zip(streams, distinct, every, strict=True):
            again = trips * s.missed
            # memory that the system provides was in use a moment ago: it is in the caches, too
            first = lines if loop is not None else 0.0
            s.missed = np.minimum(again, fits * first + (1 - fits) * again)
        kept = 1 / (1 + (held[1] / self.capacities) ** _STEEPNESS)
        for s, pages in zip(streams, distinct_pages, strict=True):
            again = trips * s.lost
            first = pages * min(1.0, s.entries / s.pages) if pages else 0.0
            s.lost = np.minimum(again, kept * first + (1 - kept) * again)
        if loop is None:
            touch_first(streams)
            for s, fits in zip(streams, every, strict=True):
                s.provided = (1 - fits) * s.fresh_lines

    def move(self, s: Stream, loop: LoopNode, trips: float, index: Mapping[str, int]) -> None:
        """Widen a stream by the iterations of a loop."""
        s.count *= trips
        s.turns *= trips
        if s.access.made is not None and loop.index in s.access.made.loops:
            s.makes *= trips
        if s.random is not None:
            return
        if loop.index in s.access.jumps:
            if s.inner == 0.0 and not s.moves:
                s.turns = trips
                extent = None if s.access.extent is None else self.form(s.access.extent).at({})
                s.random = extent if extent and extent > 0 else max(LINE, s.count * s.access.size)
                s.missed = np.clip(1 - self.capacities / s.random, 0.0, 1.0)
            else:
                s.moves = (*s.moves, (s.extent, trips))
                s.extent *= trips  # as rows of a sparse matrix follow each other
            return
        if loop.index in s.access.follows:
            s.followed += 1
            if s.followed == len(s.access.follows):
                self.follow(s, trips)
            return
        step = abs(self.form(s.access.address).step(loop.index, index))
        step = max(step, _OFTEN * s.access.creeps.get(loop.index, 0))
        if step == 0 or trips <= 1:
            return
        if s.inner == 0.0:
            s.inner, s.turns = step, trips
        widened = widening(s.moves, step, trips)
        s.moves = (*s.moves, (step, trips))
        if step <= max(s.extent, LINE):
            if s.rows > 1:  # every row goes on, one after the other
                s.entries *= 1 + step * (trips - 1) / PAGE
            s.extent += step * (trips - 1)
        else:
            if step > s.extent + LINE:
                if s.extent > s.access.size:
                    s.run = s.run or s.extent
                s.entries *= max(1.0, widened * min(1.0, step / PAGE))
            s.rows *= widened

    def follow(self, s: Stream, trips: float) -> None:
        """Widen a stream by the outermost of the loops that walk through a table of subscripts in
        order: through all of the object."""
        extent = None if s.access.extent is None else self.form(s.access.extent).at({})
        step = extent / trips if extent and extent > 0 else s.count * s.access.size / trips
        if trips > 1:
            s.inner = s.inner or min(step, LINE)
            s.moves = (*s.moves, (step, trips))
            s.extent += step * (trips - 1)


def _quadrature(trips: float, sampled: int) -> list[tuple[int, float]]:
    """(iteration, weight) whose weighted sum is the mean over a loop's iterations."""
    n = max(1, round(trips))
    if n <= sampled:
        return [(k, 1 / n) for k in range(n)]
    return [(min(n - 1, int((1 + x) / 2 * n)), w / 2) for x, w in _gauss(sampled)]


@lru_cache
def _gauss(points: int) -> tuple[tuple[float, float], ...]:
    """Places and weights of the Gauss-Legendre quadrature on [-1, 1]."""
    x, w = np.polynomial.legendre.leggauss(points)
    return tuple(zip(x.tolist(), w.tolist(), strict=True))
