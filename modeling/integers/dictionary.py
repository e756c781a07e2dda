"""The family of formulas: columns, and the sets of columns whose sums are tried at given points.

A formula is a sum of at most a few columns with rational coefficients. A column is a product of
atoms. Sets have a description length of their own: what is simple is short.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations
from itertools import product as tuples
from math import prod

import numpy as np

from .atoms import Atom, doublings, joint, powers, product, residue, rounded, shifted
from .codes import Point
from .linear import PRIME, Integers, residues

CONFIRMING = 2
"""Points that a formula must explain beyond those that determine its coefficients."""
_DEGREE = (8, 4, 3)
"""Largest power of a parameter in sparse formulas, by the number of parameters."""
_TOTAL_DEGREE = 5
"""Largest total degree of a product of powers of several parameters."""
_SHIFTS = (-3, -2, -1, 1, 2, 3)
_JOINT_SHIFTS = (-2, -1, 1, 2)
_MOST_RESIDUES = 8
_LIGHT = 12.0
"""Atoms up to this length are tried in pairs."""
_KEPT = 8
"""Families at sets of points that are kept, 10 MB each: series of a study share their points, and
three parameters have seven subsets."""


@dataclass(frozen=True)
class Sets:
    """Sets of k columns: places (S, k), and their lengths (S,) in bits."""

    places: Integers
    bits: np.ndarray


@dataclass
class Dictionary:
    """Columns at points and the sets that are tried, in groups of equal size, smallest first.

    twins: functions that are multiples of a column at these points, and may differ elsewhere.
    """

    names: tuple[str, ...]
    points: tuple[Point, ...]
    columns: list[Atom] = field(default_factory=list)
    values: list[tuple[int, ...]] = field(default_factory=list)
    twins: dict[int, list[Atom]] = field(default_factory=dict)
    _known: dict[tuple[int, ...], int] = field(default_factory=dict)
    _sets: dict[int, dict[tuple[int, ...], float]] = field(default_factory=dict)
    _placed: dict[int, tuple[Atom, int | None]] = field(default_factory=dict)
    _evaluated: dict[int, tuple[Atom, tuple[int, ...]]] = field(default_factory=dict)

    def _at_points(self, atom: Atom) -> tuple[int, ...]:
        """The values of an atom, those of a product from those of its factors.

        Atoms are known by their identity: thousands of products share a few factors, and to compare
        trees would cost more than to evaluate them."""
        found = self._evaluated.get(id(atom))
        if found is None:
            if atom.factors:
                columns = map(self._at_points, atom.factors)
                values = tuple(map(prod, zip(*columns, strict=True)))
            else:
                values = tuple(map(atom.of, self.points))
            found = self._evaluated[id(atom)] = (atom, values)
        return found[1]

    def place(self, atom: Atom) -> int | None:
        """The place of a column; that of its first twin if it has one, None if it is zero at all
        points."""
        found = self._placed.get(id(atom))
        if found is None:
            found = self._placed[id(atom)] = (atom, self._new_place(atom))
        return found[1]

    def _new_place(self, atom: Atom) -> int | None:
        values = self._at_points(atom)
        if not any(values):
            return None
        key = _direction(values)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = len(self.columns)
            self.columns.append(atom)
            self.values.append(values)
        elif self.columns[found].tree != atom.tree:
            self.twins.setdefault(found, []).append(atom)
        return found

    def add(self, atoms: Iterable[Atom], bits: float | None = None) -> None:
        """Try sums of these columns; their own length is the default."""
        chosen = list(atoms)
        places = [self.place(a) for a in chosen]
        if None in places or len(set(places)) < len(places):
            return
        if len(places) > len(self.points) - CONFIRMING:
            return
        length = sum(a.bits for a in chosen) if bits is None else bits
        group = self._sets.setdefault(len(places), {})
        key = tuple(sorted(p for p in places if p is not None))
        group[key] = min(length, group.get(key, length))

    def groups(self) -> list[Sets]:
        """All sets by size."""
        return [
            Sets(np.array(list(found), dtype=np.int64), np.array(list(found.values())))
            for _, found in sorted(self._sets.items())
        ]

    def residues(self) -> Integers:
        """(points, columns) modulo the prime."""
        return residues(self.values)


def _direction(values: tuple[int, ...]) -> tuple[int, ...]:
    first = next(v for v in values if v)
    inverse = pow(first % PRIME, -1, PRIME) if first % PRIME else 1
    return tuple(v * inverse % PRIME for v in values)


@lru_cache(maxsize=_KEPT)
def dictionary_of(
    names: tuple[str, ...], points: tuple[Point, ...]
) -> tuple[Dictionary, list[Sets], Integers]:
    """The family at these points."""
    found = Dictionary(names, points)
    one = product(())
    found.add((one,))
    if len(names) == 1:
        _of_one(found, one)
    else:
        _of_several(found, one)
    return found, found.groups(), found.residues()


def _of_one(d: Dictionary, one: Atom) -> None:
    name, values = d.names[0], [p[0] for p in d.points]
    powered = powers(d.names, 0, _DEGREE[0])
    monomials = [one, *powered]
    for size in (1, 2, 3):
        for chosen in combinations(monomials, size):
            d.add(chosen)
    for degree in range(1, len(d.points) - CONFIRMING):
        whole = [one, *powers(d.names, 0, degree)]
        d.add(whole, 2.0 + degree)
    for atom in _shifted_products(name, values):
        d.add((atom,))
        d.add((one, atom))
    special = list(rounded(d.names, 0, values))
    for s in special:
        _with_special(d, one, powered, s)
    for log, power in doublings(name, values):
        n_log = product((powered[0], log))
        for chosen in (
            (log, power),
            (one, log, power),
            (powered[0], power),
            (one, powered[0], power),
            (n_log, power),
            (one, n_log, power),
            (one, powered[0], n_log, power),
        ):
            d.add(chosen)
    light = [s for s in special if s.bits <= _LIGHT]
    for s, t in combinations(light, 2):
        both = product((s, t))
        for chosen in ((s, t), (both,), (one, both), (one, s, t)):
            d.add(chosen)
    _periodic(d, one)


def _with_special(d: Dictionary, one: Atom, powered: Sequence[Atom], s: Atom) -> None:
    """Formulas with one function that is no polynomial."""
    low = [one, *powered[:3]]
    times = [product((*([m] if m is not one else []), s)) for m in low[:3]]
    for t in times:
        d.add((t,))
        for size in (1, 2):
            for chosen in combinations(low, size):
                d.add((*chosen, t))
        d.add((one, low[1], low[2], t))
    square = product((s, s))
    for chosen in (
        (square,),
        (s, square),
        (one, s, square),
        (times[0], times[1]),
        (one, times[0], times[1]),
        (low[1], times[0], times[1]),
        (one, low[1], times[0], times[1]),
        (product((powered[0], square)),),
        (one, product((powered[0], square))),
    ):
        d.add(chosen)


def _shifted_products(name: str, values: Sequence[int]) -> Iterator[Atom]:
    """(n + a)**d and products of two and three different factors, the parameter itself among
    them."""
    for a in _SHIFTS:
        for degree in range(2, 7):
            yield shifted(name, 0, a, degree)
    factors = [powers((name,), 0, 1)[0], *(shifted(name, 0, a, 1) for a in _SHIFTS)]
    for size in (2, 3):
        for chosen in combinations(factors, size):
            yield product(chosen)


def _periodic(d: Dictionary, one: Atom) -> None:
    """Polynomials whose lower coefficients depend on the remainder of the parameter."""
    name = d.names[0]
    x = powers(d.names, 0, 1)[0]
    for q in range(2, _MOST_RESIDUES + 1):
        marks = [residue(name, 0, r, q) for r in range(1, q)]
        for degree in range(4):
            whole = [one, *powers(d.names, 0, degree)]
            d.add([*whole, *marks], 4.0 + degree + q)
            if degree:
                d.add([*whole, *marks, *(product((x, m)) for m in marks)], 6.0 + degree + q)


def _of_several(d: Dictionary, one: Atom) -> None:
    count = len(d.names)
    most = _DEGREE[min(count, 3) - 1]
    by_name = [powers(d.names, k, most) for k in range(count)]
    monomials = [
        (sum(e), product([by_name[k][i - 1] for k, i in enumerate(e) if i]))
        for e in tuples(range(most + 1), repeat=count)
        if sum(e) <= _TOTAL_DEGREE
    ]
    monomials.sort(key=lambda pair: pair[0])
    monomials[0] = (0, one)
    every = [m for _, m in monomials]
    for m in every:
        d.add((m,))
    for size in (2, 3):
        least = every if size == 2 or count == 2 else [m for s, m in monomials if s <= 3]
        for chosen in combinations(least, size):
            d.add(chosen)
    for degree in (1, 2, 3, 4):
        d.add([m for s, m in monomials if s <= degree], 2.0 + degree)
    for degrees in tuples(range(4), repeat=count):
        if sum(map(bool, degrees)) > 1:
            grid = [
                product([by_name[k][i - 1] for k, i in enumerate(e) if i])
                for e in tuples(*(range(g + 1) for g in degrees))
            ]
            d.add(grid, 3.0 + sum(degrees))
    for atom in _shifted_several(d.names):
        d.add((atom,))
        d.add((one, atom))
    for s in _special_several(d):
        times = [product((m, s) if m is not one else (s,)) for w, m in monomials if w <= 2]
        for t in times:
            d.add((t,))
            for w, m in monomials:
                if w <= 3:
                    d.add((m, t))
        low = [m for w, m in monomials if w <= 1]
        for t in times:
            for chosen in combinations(low, 2):
                d.add((*chosen, t))


def _shifted_several(names: Sequence[str]) -> Iterator[Atom]:
    """Products of powers of shifted parameters."""
    choices: list[list[Atom | None]] = [
        [
            None,
            *powers(names, k, 3),
            *(shifted(n, k, a, g) for a in _JOINT_SHIFTS for g in (1, 2, 3)),
        ]
        for k, n in enumerate(names)
    ]
    for chosen in tuples(*choices):
        factors = [c for c in chosen if c is not None]
        if factors:
            yield product(factors)


def _special_several(d: Dictionary) -> Iterator[Atom]:
    count = len(d.names)
    for a, b in tuples(range(count), repeat=2):
        if a != b:
            yield from joint(d.names, a, b, d.points)
    for k in range(count):
        values = sorted({p[k] for p in d.points})
        if len(values) > CONFIRMING:
            yield from (s for s in rounded(d.names, k, values) if s.bits <= 6.5)
