"""The family of formulas: which functions it has, and which sums of their products are tried.

A formula is a sum of at most a few columns with rational coefficients. A column is a product of
atoms. Sets have a description length of their own: what is simple is short.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from itertools import product as tuples
from math import nan

import numpy as np
from numpy.typing import NDArray

from .atoms import Atom, doublings, joint, powers, product, residue, rounded, shifted
from .codes import Point
from .linear import Integers

CONFIRMING = 2
"""Points that a formula must explain beyond those that determine its coefficients."""
_DEGREE = (8, 4, 3)
"""Largest power of a parameter in sparse formulas, by the number of parameters."""
_TOTAL_DEGREE = 5
"""Largest total degree of a product of powers of several parameters."""
_SHIFTS = (-3, -2, -1, 1, 2, 3)
_JOINT_SHIFTS = (-2, -1, 1, 2)
_SHIFTED_DEGREE = 3
_MOST_RESIDUES = 8
_LIGHT = 12.0
"""Atoms up to this length are tried in pairs."""
_SIMPLE = 6.5
"""Length of a function that rounds up to which it is tried beside several parameters."""
_PATTERNS = 8
"""Patterns that are kept, 2 MB each: parameters of one program mostly have the same."""


@dataclass(frozen=True)
class Pattern:
    """Functions by number, and the sets of them whose sums are tried.

    Attributes:
        factors: of each function, those whose product it is; none where it is no product.
        leaves: (most, functions) the functions that are no products whose product each is, filled
            up with -1.
        used: those that are in a set, in the order of their first use.
        sets: size -> (the sets (S, size), their lengths (S,), nan for the sum of the functions'),
            smallest first.
    """

    factors: Sequence[tuple[int, ...]]
    leaves: Integers
    used: Integers
    sets: Mapping[int, tuple[Integers, NDArray[np.float64]]]


class _Sums:
    """A pattern that grows."""

    def __init__(self) -> None:
        self._factors: list[tuple[int, ...]] = []
        self._leaves: list[tuple[int, ...]] = []
        self._used: dict[int, None] = {}
        self._sets: dict[int, list[tuple[int, ...]]] = {}
        self._lengths: dict[int, list[float]] = {}

    def leaf(self) -> int:
        """The number of a new function."""
        self._factors.append(())
        self._leaves.append((len(self._leaves),))
        return len(self._leaves) - 1

    def product(self, factors: Sequence[int]) -> int:
        """The number of a product of functions."""
        if len(factors) == 1:
            return factors[0]
        self._factors.append(tuple(factors))
        self._leaves.append(tuple(leaf for f in factors for leaf in self._leaves[f]))
        return len(self._leaves) - 1

    def add(self, chosen: Sequence[int], bits: float = nan) -> None:
        """Try sums of these functions; their own length is the default."""
        self._used.update(dict.fromkeys(chosen))
        self._sets.setdefault(len(chosen), []).append(tuple(chosen))
        self._lengths.setdefault(len(chosen), []).append(bits)

    def pattern(self) -> Pattern:
        leaves = np.full((max(map(len, self._leaves)), len(self._leaves)), -1)
        for k, found in enumerate(self._leaves):
            leaves[: len(found), k] = found
        return Pattern(
            tuple(self._factors),
            leaves,
            np.fromiter(self._used, dtype=np.int64, count=len(self._used)),
            {
                size: (np.array(self._sets[size]), np.array(self._lengths[size]))
                for size in sorted(self._sets)
            },
        )


def family(names: Sequence[str], points: Sequence[Point]) -> tuple[Pattern, dict[int, Atom]]:
    """The family at points, and those of its functions that are no products."""
    if len(names) == 1:
        return _of_one(names[0], [p[0] for p in points])
    leaves = [
        product(()),
        *(a for k in range(len(names)) for a in powers(names, k, _most_powers(len(names)))),
        *(
            shifted(name, k, a, degree)
            for k, name in enumerate(names)
            for a in _JOINT_SHIFTS
            for degree in range(1, _SHIFTED_DEGREE + 1)
        ),
        *(special := list(_special_several(names, points))),
    ]
    return _of_several(len(names), len(special)), dict(enumerate(leaves))


def _of_one(name: str, values: Sequence[int]) -> tuple[Pattern, dict[int, Atom]]:
    d = _Sums()
    atoms: dict[int, Atom] = {}

    def of(atom: Atom) -> int:
        k = d.leaf()
        atoms[k] = atom
        return k

    one = of(product(()))
    d.add((one,))
    powered = [of(a) for a in powers((name,), 0, max(_DEGREE[0], len(values)))]
    monomials = [one, *powered[: _DEGREE[0]]]
    for size in (1, 2, 3):
        for chosen in combinations(monomials, size):
            d.add(chosen)
    for degree in range(1, len(values) - CONFIRMING):
        d.add([one, *powered[:degree]], 2.0 + degree)
    for k in _shifted_products(d, of, name, powered[0]):
        d.add((k,))
        d.add((one, k))
    special = [of(a) for a in rounded((name,), 0, values)]
    for s in special:
        _with_special(d, one, powered, s)
    for pair in doublings(name, values):
        log, power = map(of, pair)
        n_log = d.product((powered[0], log))
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
    light = [s for s in special if atoms[s].bits <= _LIGHT]
    for s, t in combinations(light, 2):
        both = d.product((s, t))
        for chosen in ((s, t), (both,), (one, both), (one, s, t)):
            d.add(chosen)
    _periodic(d, of, name, one, powered)
    return d.pattern(), atoms


def _with_special(d: _Sums, one: int, powered: Sequence[int], s: int) -> None:
    """Formulas with one function that is no polynomial."""
    low = [one, *powered[:3]]
    times = [d.product((*([m] if m != one else []), s)) for m in low[:3]]
    for t in times:
        d.add((t,))
        for size in (1, 2):
            for chosen in combinations(low, size):
                d.add((*chosen, t))
        d.add((one, low[1], low[2], t))
    square = d.product((s, s))
    n_square = d.product((powered[0], square))
    for chosen in (
        (square,),
        (s, square),
        (one, s, square),
        (times[0], times[1]),
        (one, times[0], times[1]),
        (low[1], times[0], times[1]),
        (one, low[1], times[0], times[1]),
        (n_square,),
        (one, n_square),
    ):
        d.add(chosen)


def _shifted_products(d: _Sums, of: Callable[[Atom], int], name: str, n: int) -> Iterator[int]:
    """(n + a)**d and products of two and three different factors, the parameter itself among
    them."""
    for a in _SHIFTS:
        for degree in range(2, 7):
            yield of(shifted(name, 0, a, degree))
    factors = [n, *(of(shifted(name, 0, a, 1)) for a in _SHIFTS)]
    for size in (2, 3):
        for chosen in combinations(factors, size):
            yield d.product(chosen)


def _periodic(
    d: _Sums, of: Callable[[Atom], int], name: str, one: int, powered: Sequence[int]
) -> None:
    """Polynomials whose lower coefficients depend on the remainder of the parameter."""
    for q in range(2, _MOST_RESIDUES + 1):
        marks = [of(residue(name, 0, r, q)) for r in range(1, q)]
        times = [d.product((powered[0], m)) for m in marks]
        for degree in range(4):
            whole = [one, *powered[:degree]]
            d.add([*whole, *marks], 4.0 + degree + q)
            if degree:
                d.add([*whole, *marks, *times], 6.0 + degree + q)


def _most_powers(count: int) -> int:
    return _DEGREE[min(count, 3) - 1]


@lru_cache(maxsize=_PATTERNS)
def _of_several(count: int, specials: int) -> Pattern:
    """The pattern over several parameters, with so many functions that are no products of theirs;
    its leaves are those of `family`, in their order."""
    d = _Sums()
    one = d.leaf()
    d.add((one,))
    most = _most_powers(count)
    by_name = [[d.leaf() for _ in range(most)] for _ in range(count)]
    moved = [[d.leaf() for _ in _JOINT_SHIFTS for _ in range(_SHIFTED_DEGREE)] for _ in by_name]
    special = [d.leaf() for _ in range(specials)]

    def monomial(exponents: Sequence[int]) -> int:
        factors = [by_name[k][i - 1] for k, i in enumerate(exponents) if i]
        return d.product(factors) if factors else one

    exponents = [e for e in tuples(range(most + 1), repeat=count) if sum(e) <= _TOTAL_DEGREE]
    monomials = sorted(((sum(e), monomial(e)) for e in exponents), key=lambda pair: pair[0])
    _sums_of_few(d, monomials, count)
    _whole_polynomials(d, monomials, count, monomial)
    for k in _shifted_several(d, by_name, moved):
        d.add((k,))
        d.add((one, k))
    for s in special:
        _with_special_of_several(d, one, monomials, s)
    return d.pattern()


def _up_to(monomials: Sequence[tuple[int, int]], degree: int) -> list[int]:
    """The monomials, from pairs of degree and monomial, up to a degree."""
    return [m for s, m in monomials if s <= degree]


def _sums_of_few(d: _Sums, monomials: Sequence[tuple[int, int]], count: int) -> None:
    """Each monomial, and sums of two and three."""
    every = [m for _, m in monomials]
    for m in every:
        d.add((m,))
    for size in (2, 3):
        least = every if size == 2 or count == 2 else _up_to(monomials, 3)
        for chosen in combinations(least, size):
            d.add(chosen)


def _whole_polynomials(
    d: _Sums,
    monomials: Sequence[tuple[int, int]],
    count: int,
    monomial: Callable[[Sequence[int]], int],
) -> None:
    """All monomials of a total degree, or of degrees in each parameter."""
    for degree in (1, 2, 3, 4):
        d.add(_up_to(monomials, degree), 2.0 + degree)
    for degrees in tuples(range(4), repeat=count):
        if sum(map(bool, degrees)) > 1:
            grid = [monomial(e) for e in tuples(*(range(g + 1) for g in degrees))]
            d.add(grid, 3.0 + sum(degrees))


def _with_special_of_several(
    d: _Sums, one: int, monomials: Sequence[tuple[int, int]], s: int
) -> None:
    """Formulas with one function that is no polynomial, alone and times a monomial."""
    times = [d.product((m, s) if m != one else (s,)) for m in _up_to(monomials, 2)]
    for t in times:
        d.add((t,))
        for m in _up_to(monomials, 3):
            d.add((m, t))
    for t in times:
        for chosen in combinations(_up_to(monomials, 1), 2):
            d.add((*chosen, t))


def _shifted_several(
    d: _Sums, by_name: Sequence[Sequence[int]], moved: Sequence[Sequence[int]]
) -> Iterator[int]:
    """Products of powers of shifted parameters."""
    choices = [
        [None, *plain[:_SHIFTED_DEGREE], *others]
        for plain, others in zip(by_name, moved, strict=True)
    ]
    for chosen in tuples(*choices):
        factors = [c for c in chosen if c is not None]
        if factors:
            yield d.product(factors)


def _special_several(names: Sequence[str], points: Sequence[Point]) -> Iterator[Atom]:
    count = len(names)
    for a, b in tuples(range(count), repeat=2):
        if a != b:
            yield from joint(names, a, b, points)
    for k in range(count):
        values = sorted({p[k] for p in points})
        if len(values) > CONFIRMING:
            yield from (s for s in rounded(names, k, values) if s.bits <= _SIMPLE)
