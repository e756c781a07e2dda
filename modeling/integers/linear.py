"""Exact linear algebra for many small systems: which sets of columns can make up given counts?

Sets are first tried modulo a prime, all of one size at once: what does not fit modulo a prime fits
nowhere, as long as the prime divides no denominator of a coefficient that could be believed. What
is left is solved with fractions.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
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


def residues(columns: Sequence[Sequence[int]]) -> Integers:
    """(rows, columns) of columns of integers of any size, modulo the prime."""
    return np.array([[v % PRIME for v in c] for c in columns], dtype=np.int64).T


def fitting(columns: Integers, sets: Integers, values: Integers) -> NDArray[np.bool_]:
    """Which sets (S, k) of columns (P, C) are independent and make up the values (P,)?"""
    rows, size = len(columns), sets.shape[1]
    some = np.unique(np.linspace(0, rows - 1, size + _SIEVING).round().astype(np.int64))
    left = np.arange(len(sets))
    if 2 * len(some) < rows:  # what fails at a few points need not be tried at all of them
        _, rest = _tried(columns[some], sets, values[some])
        left = np.flatnonzero(rest)
    rank, rest = _tried(columns, sets[left], values)
    found = np.zeros(len(sets), dtype=bool)
    found[left] = (rank == size) & rest
    return found


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
