"""What a kernel does to memory, tabulated over its parameters: no machine is in it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

import msgspec
import numpy as np
from msgspec.structs import force_setattr
from numpy.typing import NDArray

from looplaw_common.errors import InputError
from looplaw_common.formula.formula import Formula, parse_formula

from .machine_costs import KINDS, Costs

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Columns:
    """Traffic per iteration at P points: lines (P, kinds, K) that miss caches of K capacities;
    random (P, K): accesses by the bytes they choose from; paged (P, K): accesses to another page by
    the bytes of all pages in turn; fresh (P, K): lines touched first by all bytes that the program
    touches."""

    lines: Floats
    random: Floats
    paged: Floats
    fresh: Floats


Column = tuple[float, ...] | str
_OTHERS = ("random", "paged", "fresh")
"""Columns of which each number of halvings has the same table."""


class Traffic(msgspec.Struct, frozen=True, dict=True):
    """Traffic per iteration of a kernel's most frequent loop.

    parameters and axes: those it depends on, and the values at which it is known. capacities:
    ascending by one factor. read, written, strided, updated: lines that miss a cache of each
    capacity; random: accesses to sets of each size; paged: accesses to another page than the one
    before, by the size of all pages in turn; fresh: lines touched for the first time in the
    program, by the size of all that it touches; all flattened from (*axes, capacities). A column is
    empty where it is zero.

    Between the values it is linear in the logarithms of the parameters, beyond them constant.

    Rows of a matrix that lie a multiple of 128 bytes apart go to half of the sets of a cache, those
    that lie twice as far to a quarter, and so on: whether they do changes from one size to the
    next. apart: the bytes from row to row as a formula, empty where that plays no part; halved: as
    often as the sets are halved there are tables, `halved` + 1 of them, which come first in the
    columns of lines. The others, which no halving changes, have one table.

    renewed: are lines that are touched first mostly of memory that the program gave back before?
    Whether the system has to provide it anew is up to the allocator.

    A column is written as a text (see `packed`), and may be read as one or as its numbers.
    """

    parameters: tuple[str, ...]
    axes: tuple[tuple[float, ...], ...]
    capacities: tuple[float, ...]
    read: Column = ()
    written: Column = ()
    strided: Column = ()
    updated: Column = ()
    random: Column = ()
    paged: Column = ()
    fresh: Column = ()
    apart: str = ""
    halved: int = 0
    renewed: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.halved <= MOST_HALVED * bool(self.apart):
            raise ValueError(f"halved is {self.halved}, not from 0 to {MOST_HALVED} beside apart")
        try:
            _ = self.distance
        except InputError as error:
            raise ValueError(f"apart: {error}") from None
        one = math.prod(len(a) for a in self.axes) * len(self.capacities)
        every = one * (self.halved + 1)
        for name in (*KINDS, *_OTHERS):
            written = getattr(self, name)
            values = unpacked(written, one, every) if isinstance(written, str) else tuple(written)
            if len(values) == every and name in _OTHERS:
                values = values[:one]  # as it was written once
            size = one if name in _OTHERS else every
            if len(values) not in (0, size):
                raise ValueError(f"{name} holds {len(values)} numbers, not {size}")
            force_setattr(self, name, values)

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """Of the tables: one for each number of halvings, and in it a value of each parameter."""
        return (self.halved + 1, *(len(a) for a in self.axes))

    @property
    def points(self) -> int:
        return math.prod(self.shape)

    @cached_property
    def distance(self) -> Formula | None:
        """`apart` as a formula."""
        return parse_formula(self.apart) if self.apart else None

    @property
    def symbols(self) -> frozenset[str]:
        """The parameters that need a value."""
        return frozenset(self.parameters).union(self.distance.symbols if self.distance else ())

    @property
    def columns_packed(self) -> dict[str, str]:
        """The columns as they are written."""
        table = math.prod(len(a) for a in self.axes) * len(self.capacities)
        names = (*KINDS, *_OTHERS)
        return {n: packed(values, table) for n in names if (values := getattr(self, n))}

    @cached_property
    def grid(self) -> Columns:
        """The tables as arrays, points in the order of `shape`."""
        points, k = self.points, len(self.capacities)

        def filled(name: str) -> Floats:
            values = np.array(getattr(self, name), dtype=float).reshape(-1, k)
            copies = points // max(1, len(values))
            return np.tile(values, (copies, 1)) if len(values) else np.zeros((points, k))

        lines = np.stack([filled(name) for name in KINDS], axis=1)
        return Columns(lines, *(filled(name) for name in _OTHERS))

    def at(self, columns: Mapping[str, Floats], *, crowded: bool = True) -> Columns:
        """Traffic at P points.

        Args:
            crowded: do rows share sets where their distance tells so? Else as at sizes beside.
        """
        count = max((np.size(c) for c in columns.values()), default=1)
        grid = self.grid
        where = np.zeros((count, 1), dtype=np.int64)
        if crowded and self.distance is not None:
            bytes_apart = self.distance.values({n: columns[n] for n in self.distance.symbols})
            where[:, 0] = np.minimum(halvings(np.broadcast_to(bytes_apart, (count,))), self.halved)
        weight = np.ones((count, 1))
        for name, axis in zip(self.parameters, self.axes, strict=True):
            low, share = _place(np.broadcast_to(columns[name], (count,)), np.array(axis))
            high = np.minimum(low + 1, len(axis) - 1)
            where = where * len(axis)
            where = np.concatenate((where + low[:, None], where + high[:, None]), axis=1)
            weight = np.concatenate(
                (weight * (1 - share)[:, None], weight * share[:, None]), axis=1
            )
        return Columns(
            np.einsum("pc,pc...->p...", weight, grid.lines[where]),
            np.einsum("pc,pc...->p...", weight, grid.random[where]),
            np.einsum("pc,pc...->p...", weight, grid.paged[where]),
            np.einsum("pc,pc...->p...", weight, grid.fresh[where]),
        )


def packed(values: Sequence[float], table: int) -> str:
    """A column as a text: its numbers, "=" for one that is as in the table before, of so many
    numbers, and behind either "x" and how often it comes again at once."""
    words = [
        "=" if k >= table and v == values[k - table] else _text(v) for k, v in enumerate(values)
    ]
    runs = ((word, len(list(of))) for word, of in groupby(words))
    return " ".join(word if number == 1 else f"{word}x{number}" for word, number in runs)


def _text(value: float) -> str:
    """The shortest text of a number: laws have four digits."""
    short = f"{value:.4g}"
    return short if float(short) == value else repr(value)


def unpacked(text: str, table: int, most: int) -> tuple[float, ...]:
    """The numbers of a column that `packed` wrote, at most so many and one more.

    Raises:
        ValueError: it did not write it.
    """
    found: list[float] = []
    for word in text.split():
        value, _, number = word.partition("x")
        if value == "=" and len(found) < table:
            raise ValueError("the first table of a column has none before it")
        for _ in range(min(int(number or 1), most + 1 - len(found))):
            found.append(found[len(found) - table] if value == "=" else float(value))
    return tuple(found)


def halvings(apart: Floats) -> NDArray[np.int64]:
    """How often the sets are halved that the lines of rows so many bytes (P,) apart go to: they are
    all where the distance is no multiple of two lines."""
    shared = [np.mod(np.rint(apart), LINE << k) == 0 for k in range(1, MOST_HALVED + 1)]
    found: NDArray[np.int64] = np.sum(shared, axis=0) * (apart > LINE)
    return found


LINE, MOST_HALVED = 64, 4
"""Bytes of a line, and how often sets are halved at most: four of 64 hold as few rows as one."""


def _place(x: Floats, axis: Floats) -> tuple[NDArray[np.int64], Floats]:
    """Index of the value below and the share of the one above, in logarithms."""
    low = np.clip(np.searchsorted(axis, x, side="right") - 1, 0, max(0, len(axis) - 2))
    if len(axis) < 2:
        return low, np.zeros(len(x))
    below, above = np.log(axis[low]), np.log(axis[low + 1])
    share = (np.log(np.maximum(x, 1e-300)) - below) / (above - below)
    return low, np.clip(share, 0.0, 1.0)


def missed(columns: Columns, capacities: Floats, sizes: Floats) -> Floats:
    """Lines (..., P, kinds) that miss caches of some sizes (...): between capacities linear in
    their logarithm."""
    step = np.log(capacities[1] / capacities[0])
    at = np.clip(np.log(sizes / capacities[0]) / step, 0, len(capacities) - 1 - 1e-9)
    low = at.astype(np.int64)
    share = (at - low)[..., None, None]
    lines = np.moveaxis(columns.lines, -1, 0)
    found: Floats = (1 - share) * lines[low] + share * lines[low + 1]
    return found


def random_ns(
    columns: Columns, capacities: Floats, costs: Costs, held: Floats
) -> tuple[Floats, Floats]:
    """What random accesses cost in caches (..., P), which hold so many times (...) what the
    machine's do, and what they cost more (P,) where they miss the last one, ns.

    They are apart since runs whose data fit in caches tell nothing of the second: computing hides
    caches, but not memory.
    """
    cached = np.minimum(costs.random(capacities / held[..., None]), costs.random_cached)
    beyond = np.maximum(costs.random(capacities) - costs.random_cached, 0.0)
    return cached @ columns.random.T, columns.random @ beyond


def paged_ns(columns: Columns, capacities: Floats, costs: Costs) -> Floats:
    """What the translation of addresses costs (P,), ns."""
    found: Floats = columns.paged @ costs.paged(capacities)
    return found


def fresh_ns(columns: Columns, capacities: Floats, costs: Costs, rise: Floats) -> Floats:
    """What first touches cost (..., P), ns, where they rise with their number a share (...) as
    steeply, in logarithms, as where the machine was measured."""
    found: Floats = costs.fresh(capacities, rise) @ columns.fresh.T
    return found
