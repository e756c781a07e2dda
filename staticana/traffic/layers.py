"""Lines that miss caches, estimated from layer conditions: fast enough to ask at many sizes.

A loop's iterations reuse each other's lines where what one iteration touches fits in the cache
(the layer condition of Stengel, Treibig, Hager and Wellein, ICS 2015). So, from the inside out, the
lines that one execution of a loop of T iterations misses are

    M = h F + (1 - h) T M',    h = 1 / (1 + (W / C)**s)

with M' those of an iteration, F the distinct lines of the loop, W the bytes of one iteration and C
the capacity: the condition is taken as smooth, since real caches are neither fully associative nor
strictly LRU. References to one object that follow each other through the same lines are counted
once (Wolf and Lam, PLDI 1991). Loops whose trip counts depend on outer ones are averaged over some
iterations of these (Gauss and Legendre).

Rows that lie a multiple of a page or of half a page apart share few sets of a cache, as if each
line took the room of several; caches larger than `_HASHED` choose sets by a hash.

What data choose is kept apart as random accesses to an object of known size.

Address translation is followed alike, with pages in place of lines: a translation is kept where the
pages of one iteration are few. Pages that a walk enters one after the other are not counted, since
the cost of streams holds them; those that it jumps to are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ..expr import Expr, Number, expr, symbols
from .access_tree import AccessNode, AccessTree, LoopNode

Floats = NDArray[np.float64]
LINE, PAGE = 64, 4096
UNITS = np.array([float(LINE), float(PAGE)])
_SETS = PAGE // LINE
_HASHED = 4 << 20
_STEEPNESS = 8.0
"""How sharp a layer condition is: half of the transition lies between 0.87 C and 1.15 C."""
SAMPLED = 5
"""Iterations of an outer loop that are looked at where trip counts inside depend on it."""
_WHOLE = 0.01
"""A step is a multiple of another one if their ratio is this close to an integer."""
_CROWDED_OUT, _SWEPT = 0.5, 2.0
"""Streams beside random accesses take this share of their bytes from the room of the object, as
long as it has not been gone over so many times."""
_SAME_STEP, _SAME_TRIPS, _MORE_TRIPS = 0.01, 0.1, 2.0
"""Streams move alike if their steps differ by this share at most, and their trips by this share and
so many: boundaries are treated otherwise than what lies between them."""
_PAIRS = 1 << 18
"""Pairs of streams that are compared at a time: a matter of memory, not of results."""
_MOSTLY = 0.5
"""Streams that share more than this part of their lines read and write the same ones."""
_ALONE, _FOLLOWED = 3.0, 4.0
"""Lines of runs up to the first length come as those of a stride do; those of runs beyond the
second one do not, since a prefetcher goes on where some lines followed each other (Intel's
optimization manual: the streamer waits for two or three)."""
_OFTEN = 0.5
"""How often data let an address move that they may also leave where it is."""
READ, WRITTEN, STRIDED, UPDATED = KINDS = range(4)
"""Kinds of misses: of lines that follow each other, read, written, or both; of others."""


@dataclass
class Touched:
    """What one loop touches in all its executions, with everything inside it.

    lines (4, K): lines that miss a cache of each of K capacities, by kind. random: pairs of
    (accesses, bytes of the object that they choose from). paged (K,): jumps to a page whose
    translation is lost where that of pages of so many bytes is kept. fresh: lines touched for the
    first time in the program; fresh_pages: pages. provided (4, K): those of `lines` that are fresh:
    the system clears a page just before, so that what they cost is the page. all_pages: of the
    program.
    """

    lines: Floats
    provided: Floats
    paged: Floats
    random: list[tuple[float, float]] = field(default_factory=list)
    fresh: float = 0.0
    fresh_pages: float = 0.0
    all_pages: float = 0.0


def touched(
    tree: AccessTree,
    parameters: Mapping[str, Number],
    capacities: Sequence[float],
    trips: Mapping[str, float],
    sampled: int = SAMPLED,
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
    """
    return _Estimate(parameters, capacities, trips, sampled).of(tree)


def visits(tree: AccessTree, parameters: Mapping[str, Number], sampled: int = SAMPLED) -> int:
    """How many loads, stores and loops `touched` looks at, at most: each as often as iterations of
    the loops around it are sampled."""
    estimate = _Estimate(parameters, (), {}, sampled)
    return sum(map(estimate.visits, tree.body))


class _Stream:
    """One access and all that it touches in the loops so far, one execution of the outermost of
    them on average: `rows` ranges of `extent` bytes from `start`; moves: (step, trips) by loop."""

    __slots__ = (
        "access",
        "count",
        "entries",
        "extent",
        "followed",
        "fresh_lines",
        "fresh_pages",
        "inner",
        "is_updated",
        "lost",
        "missed",
        "moves",
        "owners",
        "provided",
        "random",
        "room",
        "rows",
        "run",
        "start",
        "turns",
    )

    def __init__(self, access: AccessNode, start: float, k: int) -> None:
        self.access, self.start = access, start
        self.rows, self.extent, self.count = 1.0, float(access.size), 1.0
        self.missed: Floats = np.ones(k)
        self.moves: tuple[tuple[float, float], ...] = ()
        self.inner = 0.0
        self.fresh_lines = 0.0
        self.provided: Floats = np.zeros(k)
        self.entries, self.fresh_pages = 1.0, 0.0
        self.lost: Floats = np.ones(k)
        self.is_updated = False
        self.followed = 0
        self.turns, self.room = 0.0, 0.0
        self.run = 0.0  # bytes that follow each other until it jumps; 0: it does not
        self.random: float | None = None
        self.owners: tuple[str, ...] = ()

    @property
    def lines(self) -> float:
        """Distinct lines."""
        if self.random is not None:
            most = max(1.0, self.random / LINE)
            return most * -float(np.expm1(-self.turns / most))
        rows = self.rows * (max(0.0, self.extent - self.access.size) / LINE + 1)
        return min(rows, self.reach / LINE + 1, self.count)

    @property
    def pages(self) -> float:
        """Distinct pages."""
        if self.random is not None:
            most = max(1.0, self.random / PAGE)
            return most * -float(np.expm1(-self.turns / most))
        rows = self.rows * (max(0.0, self.extent - self.access.size) / PAGE + 1)
        return min(rows, self.reach / PAGE + 1, self.count)

    @property
    def untrained(self) -> float:
        """The share of its lines that no prefetcher brings, since the runs are short."""
        lines = self.run / LINE + 1
        share = (_FOLLOWED - lines) / (_FOLLOWED - _ALONE)
        return min(1.0, max(0.0, share)) if self.run else 0.0

    @property
    def reach(self) -> float:
        """Bytes from the first to the last address."""
        return sum(step * (trips - 1) for step, trips in self.moves) + self.access.size


class _Form:
    """A formula of iteration numbers with everything else replaced by numbers; `known`: nothing was
    replaced for want of a value."""

    __slots__ = ("constant", "e", "known", "steps", "symbols")

    def __init__(self, e: Expr, values: Mapping[str, Expr]) -> None:
        e = e.substitute(values)
        strange = {s: expr(0) for s in e.symbols if not symbols.is_iteration(s)}
        self.known = not strange
        self.e = e.substitute(strange) if strange else e
        self.symbols = self.e.symbols
        self.steps: dict[str, float] | None = {}
        rest = self.e
        for name in self.symbols:
            parts = rest.split(name)
            step = parts.get(1, expr(0)).constant if parts is not None else None
            if parts is None or set(parts) - {0, 1} or step is None:
                self.steps = None
                break
            self.steps[name] = float(step)
            rest = parts.get(0, expr(0))
        number = rest.constant
        self.constant = float(number) if self.steps is not None and number is not None else 0.0
        if number is None:
            self.steps = None

    def at(self, index: Mapping[str, int]) -> float:
        if self.steps is not None:
            return self.constant + sum(c * index.get(s, 0) for s, c in self.steps.items())
        try:
            return float(self.e.evaluate({s: index.get(s, 0) for s in self.symbols}))
        except (ArithmeticError, ValueError, KeyError):
            return 0.0

    def step(self, name: str, index: Mapping[str, int]) -> float:
        if name not in self.symbols:
            return 0.0
        if self.steps is not None:
            return self.steps[name]
        here = dict(index)
        here[name] = index.get(name, 0) + 1
        return self.at(here) - self.at(index)


class _Estimate:
    def __init__(
        self,
        parameters: Mapping[str, Number],
        capacities: Sequence[float],
        trips: Mapping[str, float],
        sampled: int,
    ) -> None:
        self.sampled = sampled
        self.values = {name: expr(v) for name, v in parameters.items()}
        self.capacities = np.array(capacities, dtype=float)
        self.trips = trips
        self.forms: dict[Expr, _Form] = {}
        self.needs: dict[LoopNode, frozenset[str]] = {}
        self.found: dict[str, Touched] = {}

    def of(self, tree: AccessTree) -> dict[str, Touched]:
        streams: list[_Stream] = []
        for node in tree.body:
            streams += self.node(node, {}, ())
        self.close(streams, held_by(streams), None, 1.0, {})
        _mark_updated(streams)
        for s in streams:
            self.credit(s)
        for entry in self.found.values():
            entry.all_pages = sum(s.fresh_pages for s in streams)
        return self.found

    def credit(self, s: _Stream) -> None:
        """Book a stream of the whole program on the loops around it."""
        kind = WRITTEN if s.access.is_store else UPDATED if s.is_updated else READ
        strided = 1.0 if s.inner > LINE else s.untrained
        for at in dict.fromkeys(s.owners):
            entry = self.found.setdefault(at, self.nothing())
            if s.random is not None:
                entry.random.append((s.turns, s.random + s.room))
            else:
                for k, share in ((kind, 1 - strided), (STRIDED, strided)):
                    entry.lines[k] += share * s.missed
                    entry.provided[k] += share * np.minimum(s.missed, s.provided)
                entry.paged += s.lost
            entry.fresh += s.fresh_lines
            entry.fresh_pages += s.fresh_pages

    def nothing(self) -> Touched:
        """A loop that touches nothing."""
        shape = (len(KINDS), len(self.capacities))
        return Touched(np.zeros(shape), np.zeros(shape), np.zeros(shape[1]))

    def form(self, e: Expr) -> _Form:
        found = self.forms.get(e)
        if found is None:
            found = self.forms[e] = _Form(e, self.values)
        return found

    def node(
        self, node: AccessNode | LoopNode, index: dict[str, int], owners: tuple[str, ...]
    ) -> list[_Stream]:
        if isinstance(node, LoopNode):
            return self.loop(node, index, owners)
        s = _Stream(node, self.form(node.address).at(index), len(self.capacities))
        s.owners = owners
        return [s]

    def number_of(self, loop: LoopNode, index: Mapping[str, int]) -> float:
        form = None if loop.trips is None else self.form(loop.trips)
        if form is None or (not form.known and loop.at in self.trips):
            return max(0.0, self.trips.get(loop.at, 1.0))
        return max(0.0, form.at(index))

    def needed(self, loop: LoopNode) -> frozenset[str]:
        """Iteration numbers that trip counts and curved addresses inside a loop depend on."""
        found = self.needs.get(loop)
        if found is None:
            names: set[str] = set()
            for node in loop.body:
                if isinstance(node, LoopNode):
                    names |= self.needed(node)
                    if node.trips is not None:
                        names |= self.form(node.trips).symbols
                elif (form := self.form(node.address)).steps is None:
                    names |= form.symbols
            found = self.needs[loop] = frozenset(names)
        return found

    def visits(self, node: AccessNode | LoopNode) -> int:
        """How often this and what is in it is looked at, in one iteration of the loop around."""
        if not isinstance(node, LoopNode):
            return 1
        turns = self.sampled if node.index in self.needed(node) else 1
        return 1 + turns * sum(map(self.visits, node.body))

    def loop(self, loop: LoopNode, index: dict[str, int], owners: tuple[str, ...]) -> list[_Stream]:
        trips = self.number_of(loop, index)
        if trips <= 0:
            return []
        inside = (*owners, loop.at) if loop.at else owners
        where, weights = [(int(trips) // 2, 1.0)], 1.0
        if loop.index in self.needed(loop):
            where = _quadrature(trips, self.sampled)
        streams: dict[AccessNode, _Stream] = {}
        held = np.zeros(2)
        for k, weight in where:
            here = {**index, loop.index: k}
            part: list[_Stream] = []
            for node in loop.body:
                part += self.node(node, here, inside)
            held += weight * held_by(part)
            for s in part:
                known = streams.get(s.access)
                if known is None:
                    streams[s.access] = _scaled(s, weight)
                else:
                    _add(known, s, weight)
        found = list(streams.values())
        for s in found:
            s.start = self.form(s.access.address).at({**index, loop.index: 0})
            _settle(s)
        self.close(found, held * weights, loop, trips, index)
        return found

    def close(
        self,
        streams: list[_Stream],
        held: Floats,
        loop: LoopNode | None,
        trips: float,
        index: Mapping[str, int],
    ) -> None:
        """Take the streams of one iteration, which hold so many bytes of lines and of pages, to
        those of one execution of the loop."""
        crowds = [s.lines * LINE * (_crowd(s) - 1) for s in streams]
        if loop is not None:
            for s in streams:
                self.move(s, loop, trips, index)
        room = np.full((len(streams), len(self.capacities)), held[0])
        if loop is not None:
            crowded = np.array(crowds)[:, None] * (self.capacities < _HASHED)
            room += crowded
        distinct, distinct_pages = _distinct(streams).tolist()
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
            _touch_first(streams)
            for s, fits in zip(streams, every, strict=True):
                s.provided = (1 - fits) * s.fresh_lines

    def move(self, s: _Stream, loop: LoopNode, trips: float, index: Mapping[str, int]) -> None:
        """Widen a stream by the iterations of a loop."""
        s.count *= trips
        s.turns *= trips
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
        widened = _along(s.moves, step, trips)
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

    def follow(self, s: _Stream, trips: float) -> None:
        """Widen a stream by the outermost of the loops that walk through a table of subscripts in
        order: through all of the object."""
        extent = None if s.access.extent is None else self.form(s.access.extent).at({})
        step = extent / trips if extent and extent > 0 else s.count * s.access.size / trips
        if trips > 1:
            s.inner = s.inner or min(step, LINE)
            s.moves = (*s.moves, (step, trips))
            s.extent += step * (trips - 1)


def _along(moves: Sequence[tuple[float, float]], step: float, trips: float) -> float:
    """By how much a loop multiplies the rows: by its trips, or by less where it moves them over
    each other, since an inner loop steps by the same or a part of it."""
    for inner, times in moves:
        number = step / inner
        if inner > LINE and number <= times and abs(number - round(number)) < _WHOLE:
            return (times + round(number) * (trips - 1)) / times
    return trips


def _scaled(s: _Stream, weight: float) -> _Stream:
    s.rows, s.extent, s.count = s.rows * weight, s.extent * weight * s.rows, s.count * weight
    s.missed = s.missed * weight
    s.entries *= weight
    s.lost = s.lost * weight
    s.turns *= weight
    s.run *= weight
    s.moves = tuple((step, trips * weight) for step, trips in s.moves)
    return s


def _add(known: _Stream, s: _Stream, weight: float) -> None:
    """Add an iteration's stream to a weighted sum."""
    known.extent += s.extent * weight * s.rows
    known.rows += s.rows * weight
    known.count += s.count * weight
    known.missed = known.missed + s.missed * weight
    known.entries += s.entries * weight
    known.lost = known.lost + s.lost * weight
    known.turns += s.turns * weight
    known.run += s.run * weight
    known.room = max(known.room, s.room)
    moves = dict(known.moves)
    for step, trips in s.moves:
        moves[step] = moves.get(step, 0.0) + trips * weight
    known.moves = tuple(moves.items())


def _settle(s: _Stream) -> None:
    """From sums to means: the extent of a row is weighted by rows."""
    if s.rows > 0:
        s.extent = s.extent / s.rows


def _crowd(s: _Stream) -> float:
    """How many times its room a stream takes in a cache that chooses the set by the bits of the
    address inside a page."""
    step = next((step for step, _ in s.moves if step > max(LINE, s.extent)), 0.0)
    rows = int(min(s.rows, 2 * _SETS))
    if rows < 2 or step == 0 or s.extent >= PAGE or s.random is not None:
        return 1.0
    wide = int(s.extent // LINE) + 1
    first = (np.arange(rows) * step // LINE).astype(np.int64)
    used = len(np.unique((first[:, None] + np.arange(wide)) % _SETS))
    return _SETS / used if rows * wide > used else 1.0


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


def held_by(streams: Sequence[_Stream]) -> Floats:
    """Bytes of the lines and of the pages that streams touch."""
    found: Floats = _distinct(streams).sum(axis=1) * UNITS
    return found


def _touch_first(streams: Sequence[_Stream]) -> None:
    """Credit the lines and pages of a program to the streams that touch them first.

    Streams that do not move alike are taken to meet by chance, where their ranges overlap: what
    earlier ones left of a range is the share that later ones find untouched. But loads find what
    was stored: where a store goes to their range, it goes to all that they read.
    """
    groups: dict[str, list[_Stream]] = {}
    for s in streams:
        groups.setdefault(s.access.object, []).append(s)
    for members in groups.values():
        members.sort(key=lambda s: not s.access.is_store)
        start = np.array([s.start for s in members])
        end = start + [s.reach for s in members]
        anywhere = np.array([s.random is not None for s in members])
        start[anywhere], end[anywhere] = start.min(), end.max()
        stores = np.array([s.access.is_store for s in members])
        of_both = np.zeros((2, len(members)))
        for own, unit, first in zip(_own(members) * _shares(members), UNITS, of_both, strict=True):
            room = np.maximum((end - start) / unit + 1, own)
            for k in range(len(members)):
                common = np.minimum(end[:k], end[k]) - np.maximum(start[:k], start[k])
                known = first[:k] * np.maximum(common, 0) / (end[:k] - start[:k])
                if stores[k] or not (stores[:k] & (common > 0)).any():
                    first[k] = max(0.0, own[k] * (1 - known.sum() / room[k]))
        for s, lines, pages in zip(members, *of_both.tolist(), strict=True):
            s.fresh_lines, s.fresh_pages = lines, pages


def _own(streams: Sequence[_Stream]) -> Floats:
    """(2, S): distinct lines and pages of each stream."""
    return np.array([[s.lines for s in streams], [s.pages for s in streams]]).reshape(2, -1)


def _mark_updated(streams: Sequence[_Stream]) -> None:
    """Mark the streams that read lines which their loop writes as well: the lines go back."""
    groups: dict[tuple[str, tuple[str, ...]], list[_Stream]] = {}
    for s in streams:
        if s.random is None:
            groups.setdefault((s.access.object, s.owners), []).append(s)
    for group in groups.values():
        for depth in {len(s.moves) for s in group}:
            alike = [s for s in group if len(s.moves) == depth]
            stores = np.array([s.access.is_store for s in alike])
            if stores.any() and not stores.all():
                for rows, shares in _beside(alike):
                    meets = (shares[0][:, stores] < _MOSTLY).any(axis=1)
                    for s, met in zip(alike[rows], meets.tolist(), strict=True):
                        s.is_updated = met and not s.access.is_store


def _distinct(streams: Sequence[_Stream]) -> Floats:
    """(2, S): lines and pages of each stream that no earlier one touches."""
    found = _own(streams)
    groups: dict[str, list[int]] = {}
    for k, s in enumerate(streams):
        groups.setdefault(s.access.object, []).append(k)
    for places in groups.values():
        if len(places) > 1:
            members = [streams[k] for k in places]
            most = _most(members, found[:, places])
            found[:, places] *= _shares(members)
            total = found[:, places].sum(axis=1)
            found[:, places] *= np.minimum(1.0, most / np.maximum(total, 1e-300))[:, None]
    return found


def _shares(streams: Sequence[_Stream]) -> Floats:
    """(2, S): the shares of the lines and pages of each stream of one object that earlier ones,
    which move alike, do not touch."""
    shares = np.ones((2, len(streams)))
    alike: dict[int, dict[tuple[float, tuple[tuple[float, float], ...]], int]] = {}
    chosen_by_data = False
    for k, s in enumerate(streams):
        if s.random is not None:
            shares[:, k] = float(not chosen_by_data)
            chosen_by_data = True
        elif alike.setdefault(len(s.moves), {}).setdefault((s.start, s.moves), k) != k:
            shares[:, k] = 0.0  # the very same lines
    for firsts in alike.values():
        if len(firsts) > 1:
            places = list(firsts.values())
            for rows, found in _beside([streams[k] for k in places]):
                earlier = np.arange(len(places)) < np.arange(len(places))[rows, None]
                least = np.where(earlier, found, 1.0).min(axis=2, initial=1.0)
                shares[:, places[rows]] = least
    return shares


def _beside(streams: Sequence[_Stream]) -> Iterator[tuple[slice, Floats]]:
    """(rows, (2, R, S)): shares of the lines and pages of the streams in these rows that each
    stream does not touch: 1 where they move differently. All are in equally many loops."""
    count, depth = len(streams), len(streams[0].moves)
    moves = np.array([s.moves for s in streams]).reshape(count, depth, 2)
    widest = np.array([sorted(s.moves, reverse=True) for s in streams]).reshape(count, depth, 2)
    start = np.array([s.start for s in streams])
    size = np.array([s.access.size for s in streams])
    rows = max(1, _PAIRS // count)
    for low in range(0, count, rows):
        mine = slice(low, low + rows)
        apart = np.abs(start[mine, None] - start)
        share = np.zeros(apart.shape)
        for step, trips in widest[mine].transpose(1, 2, 0)[:, :, :, None]:
            with np.errstate(divide="ignore", invalid="ignore"):
                number = np.where((step > 0) & (trips > 1), np.rint(apart / step), 0.0)
            share += np.minimum(1.0, number / np.maximum(trips, 1.0))
            apart = np.abs(apart - number * step)
        apart -= size[mine, None]
        one, other = moves[mine, None], moves[None]
        limits = np.maximum(one, other) * (_SAME_STEP, _SAME_TRIPS) + (0.0, _MORE_TRIPS)
        like = (np.abs(one - other) <= limits).all(axis=(2, 3))
        both = share + np.clip(apart / UNITS[:, None, None], 0.0, 1.0)
        yield mine, np.where(like, both, 1.0)


def _most(streams: Sequence[_Stream], own: Floats) -> Floats:
    """(2,): lines and pages from the first to the last address of streams of one object.

    Args:
        own: (2, S) distinct ones of each.
    """
    chosen = np.array([s.random is not None for s in streams])
    if chosen.any():
        widest = max(s.random or 0.0 for s in streams)
        rest: Floats = own[:, ~chosen].sum(axis=1)
        return np.maximum(1.0, widest / UNITS) + rest
    first = min(s.start for s in streams)
    last = max(s.start + s.reach for s in streams)
    most: Floats = np.maximum((last - first) / UNITS + 1, own.max(axis=1))
    return most
