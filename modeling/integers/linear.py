"""Exact linear algebra for many small systems: which sets of columns can make up given counts?

Sets are first tried modulo a prime, all of one size at once: what does not fit modulo a prime fits
nowhere, as long as the prime divides no denominator of a coefficient that could be believed. What
is left is solved with fractions.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import gcd

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
PRIME = 2**31 - 1
"""Products of two residues fit into 64 bits."""
_CELLS = 4_000_000
"""Numbers that are worked on at a time: a matter of memory, not of results."""
_SIEVING = 3
"""Points beyond those that determine coefficients at which sets are tried first: a matter of time,
not of results."""
_SELDOM = 2
"""Values with which sets are tried by elimination: a sieve takes as long as that for some of them.
A matter of time, not of results."""
_HALF = 16
"""Bits of the lower half of a value: residues times halves add up exactly in double precision."""


def residues(columns: Sequence[Sequence[int]]) -> Integers:
    """(rows, columns) of columns of integers of any size, modulo the prime."""
    return np.array([[v % PRIME for v in c] for c in columns], dtype=np.int64).T


def fitting(columns: Integers, sets: Integers, values: Integers) -> NDArray[np.bool_]:
    """Which sets (S, k) of columns (P, C) are independent and make up the values (P,)?"""
    rows, left = _few(len(columns), sets.shape[1]), np.arange(len(sets))
    if 2 * len(rows) < len(columns):  # what fails at a few points need not be tried at all of them
        _, rest = _tried(columns[rows], sets, values[rows])
        left = np.flatnonzero(rest)
    rank, rest = _tried(columns, sets[left], values)
    found = np.zeros(len(sets), dtype=bool)
    found[left] = (rank == sets.shape[1]) & rest
    return found


class Sieve:
    """Sets (S, k) of columns (P, C) that are held against several values. For each set there is a
    combination of the values at a few points that vanishes for all of its columns, which tells of
    most sets at once that they do not make up any others."""

    def __init__(self, columns: Integers, sets: Integers) -> None:
        self._columns, self._sets, self._asked = columns, sets, 0

    def fitting(self, values: Integers, tried: Integers) -> Integers:
        """Those of the sets with the numbers `tried` that are independent and make up the values
        (P,)."""
        self._asked += 1
        if self._asked > _SELDOM and len(tried):
            rows, combinations = self._combinations
            tried = tried[self._independent[tried]]
            some = values[rows]
            halves = np.stack([some >> _HALF, some % (1 << _HALF)], axis=1).astype(float)
            high, low = (combinations[tried] @ halves).T.astype(np.int64)
            tried = tried[((high % PRIME << _HALF) + low) % PRIME == 0]
        if not len(tried):
            return tried
        return tried[fitting(self._columns, self._sets[tried], values)]

    @cached_property
    def _independent(self) -> NDArray[np.bool_]:
        """(S,): the others make up no values, and their combinations may all be zero."""
        rank, _ = _tried(self._columns, self._sets, np.zeros(len(self._columns), dtype=np.int64))
        return np.asarray(rank == self._sets.shape[1])

    @cached_property
    def _combinations(self) -> tuple[Integers, NDArray[np.float64]]:
        """The few points, and what their values are multiplied by (S, points)."""
        size = self._sets.shape[1]
        rows = _few(len(self._columns), size)
        count = len(rows)
        columns, unit = self._columns[rows], np.eye(count, dtype=np.int64)
        weight = np.array([pow(7, 10_007 * (k + 1), PRIME) for k in range(count - size)])
        found = np.empty((len(self._sets), count))
        step = max(1, _CELLS // (count * (size + count)))
        for first in range(0, len(found), step):
            part = columns[:, self._sets[first : first + step]].transpose(1, 0, 2)
            every = np.broadcast_to(unit, (len(part), count, count))
            system = np.concatenate([part, every], axis=2)
            _eliminated(system, size)
            left = system[:, size:, size:] * weight[:, None] % PRIME
            found[first : first + step] = left.sum(axis=1) % PRIME
        return rows, found


def _few(rows: int, size: int) -> Integers:
    """Rows at which most sets of so many columns already fail."""
    return np.unique(np.linspace(0, rows - 1, size + _SIEVING).round().astype(np.int64))


def _tried(
    columns: Integers, sets: Integers, values: Integers
) -> tuple[Integers, NDArray[np.bool_]]:
    """(rank of each set, is nothing left of the values?); nothing is left of them either where a
    set is dependent."""
    size = sets.shape[1]
    rank = np.zeros(len(sets), dtype=np.int64)
    rest = np.zeros(len(sets), dtype=bool)
    step = max(1, _CELLS // (len(columns) * (size + 1)))
    for first in range(0, len(sets), step):
        part = sets[first : first + step]
        system = np.concatenate(
            [
                columns[:, part].transpose(1, 0, 2),
                np.broadcast_to(values[None, :, None], (len(part), len(values), 1)),
            ],
            axis=2,
        )
        rank[first : first + step], rest[first : first + step] = _eliminated(system, size)
    return rank, rest


def _eliminated(system: Integers, size: int) -> tuple[Integers, NDArray[np.bool_]]:
    """(rank of the first `size` columns, is the last column zero below them?) of systems
    (S, P, size + 1), by elimination without divisions."""
    count, rows, _ = system.shape
    rank = np.zeros(count, dtype=np.int64)
    every = np.arange(count)
    for k in range(min(size, rows)):
        pivot = k + (system[:, k:, k] != 0).argmax(axis=1)
        swapped = system[every, pivot].copy()
        system[every, pivot] = system[:, k]
        system[:, k] = swapped
        head = swapped[:, None, k : k + 1]
        rank += swapped[:, k] != 0
        below = system[:, k + 1 :, k : k + 1]
        system[:, k + 1 :] = (
            system[:, k + 1 :] * head - below * swapped[:, None, :] % PRIME
        ) % PRIME
    return rank, np.asarray(~system[:, size:, -1].any(axis=1))


def solved(columns: Sequence[Sequence[int]], values: Sequence[int]) -> tuple[Fraction, ...] | None:
    """The coefficients that make up the values of the columns; None where there are none, or the
    columns are dependent."""
    rows: list[list[int]] = []  # in echelon form, row k beginning with k zeros
    size = len(columns)
    for *row, y in zip(*columns, values, strict=True):
        rest = _reduced([*row, y], rows)
        if len(rows) < size:
            first = next((k for k in range(len(rows), size) if rest[k]), None)
            if first is not None and first != len(rows):
                return solved_by_order(columns, values, len(rows), first)
            if first is not None:
                rows.append(rest)
            elif rest[-1]:
                return None
        elif rest[-1]:
            return None
    if len(rows) < size:
        return None
    found: list[Fraction] = [Fraction(0)] * size
    for k in reversed(range(size)):
        known = sum((rows[k][j] * found[j] for j in range(k + 1, size)), Fraction(0))
        found[k] = (rows[k][-1] - known) / rows[k][k]
    return tuple(found)


def solved_by_order(
    columns: Sequence[Sequence[int]], values: Sequence[int], a: int, b: int
) -> tuple[Fraction, ...] | None:
    """`solved` with two columns exchanged, where the first of them begins later."""
    order = list(range(len(columns)))
    order[a], order[b] = order[b], order[a]
    found = solved([columns[k] for k in order], values)
    return None if found is None else tuple(found[order[k]] for k in range(len(order)))


def _reduced(row: list[int], rows: Sequence[Sequence[int]]) -> list[int]:
    """A row less multiples of those before it, divided by what its numbers have in common."""
    for k, pivot in enumerate(rows):
        if factor := row[k]:
            head = pivot[k]
            row = [v * head - factor * w for v, w in zip(row, pivot, strict=True)]
    common = gcd(*row)
    return [v // common for v in row] if common > 1 else row


def survives(columns: Sequence[Sequence[int]], lost: int) -> bool:
    """Do the columns stay independent whichever `lost` rows are taken away?

    Then every sum of them differs from zero at more than `lost` points, so that each part of a
    formula was seen at that many points and one.
    """
    matrix = residues(columns)
    rows, size = matrix.shape
    if rows - lost < size:
        return False
    kept = np.array(list(combinations(range(rows), rows - lost)), dtype=np.int64)
    step = max(1, _CELLS // (rows * (size + 1)))
    for first in range(0, len(kept), step):
        part = matrix[kept[first : first + step]]
        system = np.concatenate([part, np.zeros((*part.shape[:2], 1), dtype=np.int64)], axis=2)
        if (_eliminated(system, size)[0] < size).any():
            return False
    return True
