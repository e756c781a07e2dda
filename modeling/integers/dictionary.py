"""The family of formulas at given points: its columns, and the sets of them that are tried."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import prod

import numpy as np
from numpy.typing import NDArray

from .atoms import Atom, product
from .codes import Point
from .family import CONFIRMING, Pattern, family
from .linear import PRIME, Integers, Sieve, fitting

_KEPT = 8
"""Families at sets of points that are kept, 5 MB each: series of a study share their points, and
three parameters have seven subsets."""
_PLACE_BITS = 21
"""Columns are fewer than two to this power, so that three of them fit into one number."""


@dataclass(frozen=True)
class Sets:
    """Sets of k columns: places (S, k), and their lengths (S,) in bits; residues (points, columns)
    of all columns."""

    places: Integers
    bits: NDArray[np.float64]
    residues: Integers

    def fitting(self, values: Integers, limit: float) -> Integers:
        """The numbers of the sets shorter than `limit` that are independent and make up the values
        (points,), modulo the prime."""
        return self._sieve.fitting(values, np.flatnonzero(self.bits < limit))

    def fitting_but_one(
        self, values: Integers, limit: float
    ) -> Iterator[tuple[list[int], Integers]]:
        """The rows that are left, so that each row is missing once, and the numbers of the sets
        shorter than `limit` that make up the values there, but not all of them."""
        tried = np.flatnonzero(self.bits < limit)
        for kept, sieve in self._parts if len(tried) else ():
            found = sieve.fitting(values[kept], tried)
            if len(found):
                yield kept, found[~fitting(self.residues, self.places[found], values)]

    @cached_property
    def _sieve(self) -> Sieve:
        return Sieve(self.residues, self.places)

    @cached_property
    def _parts(self) -> list[tuple[list[int], Sieve]]:
        rows, size = len(self.residues), self.places.shape[1]
        if size > rows - 1 - CONFIRMING:
            return []
        parts = _most_rows(rows, size)
        return [(kept, Sieve(self.residues[kept], self.places)) for kept in parts]


class Dictionary:
    """Columns at points and the sets that are tried.

    Columns are functions of which none is a multiple of another at these points, nor zero at all of
    them. Modulo the prime they are worked out all at once; their exact values and what they look
    like, when they are asked for.

    Attributes:
        residues: (points, columns) modulo the prime.
        groups: the sets, those of one size together, smallest first.
    """

    def __init__(self, points: tuple[Point, ...], pattern: Pattern, atoms: dict[int, Atom]) -> None:
        """atoms: the functions of the pattern that are no products."""
        self._points = points
        self._pattern = pattern
        self._atoms = atoms
        self._exact = {k: tuple(map(atom.of, points)) for k, atom in atoms.items()}
        values = self._residues()
        are_some = (values != 0).any(axis=1, keepdims=True)[:, 0]
        self._known: dict[bytes, int] = {}
        self._places = np.array(
            [
                self._known.setdefault(row.tobytes(), len(self._known)) if is_some else -1
                for row, is_some in zip(_directions(values), are_some, strict=True)
            ]
        )
        _, first = np.unique(self._places[self._places >= 0], return_index=True)
        self._first = np.flatnonzero(self._places >= 0)[first]
        self.residues = np.ascontiguousarray(values[self._first].T)
        self.groups = tuple(self._groups())

    def _residues(self) -> Integers:
        """(functions, points) of those that are used, modulo the prime."""
        leaves = np.ones((self._pattern.leaves.shape[1] + 1, len(self._points)), dtype=np.int64)
        for k, values in self._exact.items():
            leaves[k] = [v % PRIME for v in values]
        factors = self._pattern.leaves[:, self._pattern.used]  # -1 is the last row, of ones
        found: Integers = leaves[factors[0]]
        for factor in factors[1:]:
            found = found * leaves[factor] % PRIME
        return found

    def _groups(self) -> Iterator[Sets]:
        pattern = self._pattern
        places = np.full(pattern.leaves.shape[1], -1)
        places[pattern.used] = self._places
        own = np.zeros(pattern.leaves.shape[1] + 1)
        own[list(self._atoms)] = [atom.bits for atom in self._atoms.values()]
        lengths = own[pattern.leaves].sum(axis=0)
        for size, (functions, bits) in pattern.sets.items():
            if size > len(self._points) - CONFIRMING:
                break
            bits = np.where(np.isnan(bits), lengths[functions].sum(axis=1), bits)
            columns = np.sort(places[functions], axis=1)
            whole = (columns[:, 0] >= 0) & (np.diff(columns, axis=1) != 0).all(axis=1)
            if whole.any():
                yield Sets(*_shortest(columns[whole], bits[whole]), self.residues)

    def column(self, place: int) -> Atom:
        """The function of a column, the first of its twins."""
        return self._atom(self._number(place))

    def values(self, place: int) -> tuple[int, ...]:
        """The exact values of a column."""
        leaves = self._pattern.leaves[:, self._number(place)].tolist()
        columns = [self._exact[k] for k in leaves if k >= 0]
        return tuple(map(prod, zip(*columns, strict=True)))

    def twins(self, atom: Atom) -> Iterator[Atom]:
        """Functions that are multiples of one at these points, and may differ elsewhere."""
        values = np.array([[atom.of(p) % PRIME for p in self._points]])
        place = self._known.get(_directions(values)[0].tobytes())
        if place is None:
            return
        tree = self.column(place).tree
        for k in self._pattern.used[self._places == place].tolist():
            if self._atom(k).tree != tree:
                yield self._atom(k)

    def _number(self, place: int) -> int:
        return int(self._pattern.used[self._first[place]])

    def _atom(self, k: int) -> Atom:
        return self._atoms.get(k) or product([self._atom(f) for f in self._pattern.factors[k]])


def _directions(values: Integers) -> Integers:
    """Rows of residues, multiplied so that each begins with one behind its zeros."""
    first = (values != 0).argmax(axis=1)
    heads, which = np.unique(values[np.arange(len(values)), first], return_inverse=True)
    inverses = np.array([pow(head, -1, PRIME) if head else 0 for head in heads.tolist()])
    found: Integers = values * inverses[which][:, None] % PRIME
    return found


def _most_rows(rows: int, size: int) -> Iterator[list[int]]:
    """Rows that suffice to tell whether `size` columns fit, so chosen that each row is missing
    once."""
    step = max(1, min(rows // 3, rows - size - CONFIRMING - 1))
    for first in range(0, rows, step):
        yield [j for j in range(rows) if not first <= j < first + step]


def _shortest(places: Integers, bits: NDArray[np.float64]) -> tuple[Integers, NDArray[np.float64]]:
    """Each set once, as short as it is anywhere, in the order in which they come."""
    size = places.shape[1]
    if size * _PLACE_BITS < 64:
        keys = places @ (np.int64(1) << (_PLACE_BITS * np.arange(size)))
        _, first, which = np.unique(keys, return_index=True, return_inverse=True)
    else:
        _, first, which = np.unique(places, axis=0, return_index=True, return_inverse=True)
    least = np.full(len(first), np.inf)
    np.minimum.at(least, which.reshape(-1), bits)
    order = np.argsort(first)
    return places[first[order]], least[order]


@lru_cache(maxsize=_KEPT)
def dictionary_of(names: tuple[str, ...], points: tuple[Point, ...]) -> Dictionary:
    """The family at these points."""
    return Dictionary(points, *family(names, points))
