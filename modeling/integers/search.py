"""The search for an exact formula of counts.

Everything is computed with integers and fractions. A formula is accepted only if

- it reproduces every count,
- at least two points more than it has coefficients confirm it, and whichever two points are left
  out, the others still determine every coefficient: no part of it explains single points,
- it shortens the description of the counts by `MARGIN` bits (see `codes`), so that it is not there
  by chance,
- no simpler formula explains all counts but one: then that count may be wrong,
- no other formula of nearly the same length reproduces the counts and says otherwise in between.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, islice, pairwise
from itertools import product as tuples
from math import gcd, log2
from operator import itemgetter

import numpy as np

from looplaw_common.formula.tree import free_names

from ..pmnf.count_law import NO_POWER_OF_TWO, CountLaw, Found, NoLaw, is_among
from .atoms import Atom, product
from .codes import Point, count_bits, integer_bits, rational_bits
from .dictionary import Dictionary, dictionary_of
from .family import CONFIRMING
from .linear import PRIME, solved, survives
from .periodic import floor_form
from .pieces import pieces
from .write import formula_of

NONE = "no exact formula in the family"
MARGIN = 7.0
"""Bits by which a formula must shorten the description of the counts: one series in 2**7 that
follows no law may be given one by chance, whatever the number of formulas tried."""
POLYNOMIAL_MARGIN = 3.0
"""The same for polynomials: counts of loops follow polynomials so often that they need less
evidence than other formulas."""
RIVAL = 3.0
"""A formula that is longer by at most so many bits is a rival of the simplest one."""
OUTLIER = 1.0
"""A formula that is so many bits shorter than another one, and wrong at one point, casts doubt on
it: only that point speaks for the other one."""
MOST_POINTS = 64
"""Points that formulas are searched at; the others confirm."""
MOST_PARAMETERS = 3
_SIMPLE = 8.0
"""Length of the columns up to which formulas are tried that miss one count, where there is none
that misses no count."""
_ALONG = (7, 11, 13, 17, 19)
"""Values of one parameter at which columns are held against its powers up to the highest."""
_HIGHEST = 8
_SAMPLE = 48
"""Values of a parameter at which formulas are compared."""


@dataclass(frozen=True)
class _Candidate:
    """A sum of columns that reproduces all counts."""

    bits: float
    atoms: tuple[Atom, ...]
    coefficients: tuple[Fraction, ...]

    @property
    def polynomial(self) -> bool:
        return all(a.polynomial for a in self.atoms)

    @property
    def margin(self) -> float:
        return POLYNOMIAL_MARGIN if self.polynomial else MARGIN

    def at(self, point: Point) -> Fraction:
        return sum(
            (c * a.of(point) for c, a in zip(self.coefficients, self.atoms, strict=True)),
            Fraction(0),
        )

    def text(self, names: Sequence[str]) -> str:
        terms = [(c, a.tree) for c, a in zip(self.coefficients, self.atoms, strict=True)]
        return floor_form(names, terms, self.at) or formula_of(terms)


@lru_cache(maxsize=4096)
def find_formula(
    names: tuple[str, ...], points: tuple[Point, ...], values: tuple[int, ...]
) -> Found:
    """The simplest formula of the family that is certain to be behind counts, or why there is none.

    Args:
        names: the parameters.
        points: distinct parameter vectors, whole numbers in the order of the names.
        values: the counts there.
    """
    varying = [k for k in range(len(names)) if len({p[k] for p in points}) > 1]
    if len(set(values)) == 1 and len(values) > CONFIRMING:
        return CountLaw(str(values[0]), {}, len(values), len(values) - 1)
    refused: Found = NoLaw("too few points to confirm a formula")
    laws: list[tuple[float, CountLaw]] = []
    for size in range(1, min(len(varying), MOST_PARAMETERS) + 1):
        for chosen in combinations(varying, size):
            reduced = _projected(chosen, points, values)
            if reduced is None or len(reduced[0]) <= CONFIRMING:
                continue
            bits, found = _search(tuple(names[k] for k in chosen), *reduced)
            if isinstance(found, CountLaw):
                laws.append((bits, found))
            elif not (isinstance(refused, NoLaw) and refused.rivals):
                refused = found
        if laws:
            break
    shortest: dict[str, tuple[float, CountLaw]] = {}
    for bits, law in sorted(laws, key=itemgetter(0)):
        shortest.setdefault(
            law.formula, (bits, law)
        )  # other parameters beside its own find it, too
    laws = list(shortest.values())
    if len(laws) > 1 and laws[1][0] - laws[0][0] <= RIVAL:
        return NoLaw(
            "parameters changed together: the counts fit formulas of either",
            tuple(law.formula for _, law in laws[:3]),
        )
    return laws[0][1] if laws else refused


def _projected(
    chosen: Sequence[int], points: Sequence[Point], values: Sequence[int]
) -> tuple[tuple[Point, ...], tuple[int, ...]] | None:
    """The counts as a function of some of the parameters; None where they depend on others."""
    found: dict[Point, int] = {}
    for p, y in zip(points, values, strict=True):
        key = tuple(p[k] for k in chosen)
        if found.setdefault(key, y) != y:
            return None
    keys = tuple(sorted(found))
    return keys, tuple(found[k] for k in keys)


def _search(
    names: tuple[str, ...], points: tuple[Point, ...], values: tuple[int, ...]
) -> tuple[float, Found]:
    """(length, what was found) for counts that depend on all of the parameters."""
    some = _chosen_points(points)
    near = tuple(points[k] for k in some)
    dictionary = dictionary_of(names, near)
    seen = [values[k] for k in some]
    plain = count_bits(points, values)
    target = np.array([v % PRIME for v in seen], dtype=np.int64)
    found: list[_Candidate] = []
    fits: list[frozenset[int]] = []
    for group in dictionary.groups:
        limit = min([plain - POLYNOMIAL_MARGIN, *(c.bits + RIVAL for c in found)])
        hits = group.fitting(target, limit)
        for k in hits[np.argsort(group.bits[hits], kind="stable")].tolist():
            if group.bits[k] > min((c.bits + RIVAL for c in found), default=np.inf):
                break
            tried = group.places[k].tolist()
            places = frozenset(tried)
            if any(known <= places for known in fits):
                continue  # the same sum with idle columns
            fits.append(places)
            columns = [dictionary.values(c) for c in tried]
            atoms = tuple(dictionary.column(c) for c in tried)
            found += _solved(atoms, columns, seen, float(group.bits[k]))
    found += _from_lines(names, near, seen)
    if len(names) == 1:
        for atoms in pieces(names[0], points, values):
            bits_of = sum(a.bits for a in atoms)
            found += _solved(atoms, [[a.of(p) for p in near] for a in atoms], seen, bits_of)
    found = [c for c in found if all(c.at(p) == y for p, y in zip(points, values, strict=True))]
    if len(names) == 1:
        found = [_in_newton_basis(c, len(points)) for c in found]
    found.sort(key=lambda c: c.bits)
    if not found or plain - found[0].bits < found[0].margin:
        limit = min(_SIMPLE, plain - MARGIN - log2(len(near)))
        return np.inf, _outlier(names, near, seen, dictionary, limit) or NoLaw(NONE)
    return found[0].bits, _judged(names, points, values, found, dictionary, near, seen)


def _values_confirm(
    names: Sequence[str],
    points: Sequence[Point],
    values: Sequence[int],
    law: _Candidate,
    columns: Sequence[Sequence[int]],
) -> bool:
    """Do the values of each parameter alone confirm how the formula depends on it?

    A grid has many points even where it has few values of a parameter: a cubic through four values
    of n explains all points of a grid, for any counts, and p - 1 is 0, 1 and 3 for p = 1, 2 and 4
    as is the number of neighbours of a rank, which is something else for p = 8. Whichever value of
    a parameter is left out, the others therefore have to determine every coefficient; what is more
    than a multiple of a power of a parameter needs two values more than it has numbers to choose;
    and rounded functions of one parameter have to be found along a line on which nothing else
    changes.
    """
    if len(names) < 2:
        return True
    for k, name in enumerate(names):
        seen = {p[k] for p in points}
        if (free := _freedom(law, points[0], k)) > 1 and len(seen) < free + CONFIRMING:
            return False
        for left_out in seen:
            kept = [i for i, p in enumerate(points) if p[k] != left_out]
            if not survives([[c[i] for i in kept] for c in columns], 0):
                return False
        if any(_rounds_alone(a, name) for a in law.atoms):
            others = min(p[:k] + p[k + 1 :] for p in points)
            line = [i for i, p in enumerate(points) if p[:k] + p[k + 1 :] == others]
            along = tuple(values[i] for i in line)
            if len(line) <= CONFIRMING:
                return False
            found = find_formula((name,), tuple((points[i][k],) for i in line), along)
            if not isinstance(found, CountLaw):
                return False
    return True


def _freedom(law: _Candidate, point: Point, k: int) -> int:
    """Numbers that can be chosen in a formula for it to fit counts along one parameter: a factor
    for each function of it, and for each that is no power what it is shifted or divided by."""
    lines = [[Fraction(a.of((*point[:k], x, *point[k + 1 :]))) for x in _ALONG] for a in law.atoms]
    alike = {tuple(v / line[-1] for v in line) for line in lines if line[-1]}
    return len(alike) + sum(not _is_power(line) for line in lines)


def _is_power(line: Sequence[Fraction]) -> bool:
    """Are these values a number times a power of `_ALONG`?"""
    return any(all(v * _ALONG[0] ** e == line[0] * x**e for v, x in zip(line, _ALONG, strict=True))
               for e in range(_HIGHEST + 1))  # fmt: skip


def _rounds_alone(atom: Atom, name: str) -> bool:
    """Is there a function in it that rounds, of this parameter and no other?"""
    return any(not a.polynomial and free_names(a.tree) == {name} for a in (atom.factors or (atom,)))


def _in_newton_basis(found: _Candidate, most: int) -> _Candidate:
    """A polynomial with the length that it has as a sum of integers times binomials of n, if that
    is less: whole-valued polynomials are these sums (Polya, 1915)."""
    if not found.polynomial:
        return found
    row = [found.at((x,)) for x in range(most)]
    bits = 3.0
    while any(row):
        if any(v.denominator != 1 for v in row):
            return found
        bits += 1 + integer_bits(int(row[0]))
        row = [b - a for a, b in pairwise(row)]
    return replace(found, bits=min(bits, found.bits))


def _chosen_points(points: Sequence[Point]) -> list[int]:
    """Places of the points that are searched at: all, or some that are spread evenly."""
    if len(points) <= MOST_POINTS:
        return list(range(len(points)))
    return sorted({round(k) for k in np.linspace(0, len(points) - 1, MOST_POINTS)})


def _solved(
    atoms: tuple[Atom, ...], columns: Sequence[Sequence[int]], values: Sequence[int], bits: float
) -> Iterator[_Candidate]:
    coefficients = solved(columns, values)
    if coefficients is not None and any(coefficients):
        used = [(c, a) for c, a in zip(coefficients, atoms, strict=True) if c]
        length = bits + 1 + sum(map(_coefficient_bits, coefficients, columns))
        yield _Candidate(length, tuple(a for _, a in used), tuple(c for c, _ in used))


def _coefficient_bits(c: Fraction, column: Sequence[int]) -> float:
    """Length of a coefficient, or of that of the column divided by what its values have in
    common: n/64 is whole where all sizes are multiples of 64."""
    return min(rational_bits(c), 1 + rational_bits(c * gcd(*column)))


def _judged(  # type: ignore[no-untyped-def]
    names, points, values, found, dictionary: Dictionary, near, seen
) -> Found:
    """Is the simplest formula confirmed, whole and without rivals?"""
    best = found[0]
    columns = [[a.of(p) for p in near] for a in best.atoms]
    unconfirmed = NoLaw(f"too few points confirm each part of {best.text(names)}")
    if not survives(columns, CONFIRMING):
        return unconfirmed
    wrong = _outlier(names, near, seen, dictionary, best.bits - OUTLIER)
    if wrong is not None:
        return wrong
    sample = _samples(points)
    where = _domain(names, points, best, sample)
    if where is None:
        return NoLaw(NONE)
    inside = [p for p in sample if _holds(where, names, p)]
    rivals = [*found[1:], *_twins(best, near, dictionary)]
    for rival in sorted(rivals, key=lambda c: c.bits):
        if rival.bits - best.bits > RIVAL:
            break
        if best.polynomial and not rival.polynomial:
            continue
        others = [p for p in inside if _differs(best, rival, p)]
        exception = _exception(names, points, others, where)
        if exception is None:
            return NoLaw(
                "the counts fit several formulas",
                (best.text(names), rival.text(names)),
                dict(zip(names, others[0], strict=True)),
            )
        where |= exception
        inside = [p for p in inside if _holds(where, names, p)]
    if not _values_confirm(names, near, seen, best, columns):
        return unconfirmed
    return CountLaw(best.text(names), where, len(points), len(points) - len(best.atoms))


def _twins(best: _Candidate, points: Sequence[Point], family: Dictionary) -> Iterator[_Candidate]:
    """The formula with another function in the place of one of its columns, which is a multiple of
    that column at the measured points."""
    for k, (atom, c) in enumerate(zip(best.atoms, best.coefficients, strict=True)):
        for twin in family.twins(atom):
            at = next(p for p in points if twin.of(p))
            other = c * atom.of(at) / twin.of(at)
            bits = best.bits + twin.bits - atom.bits + rational_bits(other) - rational_bits(c)
            yield _Candidate(
                bits,
                (*best.atoms[:k], twin, *best.atoms[k + 1 :]),
                (*best.coefficients[:k], other, *best.coefficients[k + 1 :]),
            )


def _exception(
    names: Sequence[str], points: Sequence[Point], others: Sequence[Point], where: Mapping[str, str]
) -> dict[str, str] | None:
    """What a parameter must not be for two formulas to agree, which differ at `others`: nothing
    where they agree; None where that is no simple condition."""
    if not others:
        return {}
    for k, name in enumerate(names):
        values = [p[k] for p in others]
        step = gcd(*values)
        kinds = [NO_POWER_OF_TWO] if all(v > 0 and v & (v - 1) == 0 for v in values) else []
        kinds += [f"no multiple of {step}"] if step > 2 else []
        for kind in kinds:
            if name not in where and all(is_among(kind, p[k]) for p in points):
                return {name: kind}
    return None


def _differs(a: _Candidate, b: _Candidate, point: Point) -> bool:
    value = b.at(point)
    return value.denominator == 1 and value >= 0 and value != a.at(point)


def _samples(points: Sequence[Point]) -> list[Point]:
    """Points around and between those that were measured, and up to twice as large; small ones
    first."""
    axes = []
    share = max(4, int(_SAMPLE ** (1 / min(2, len(points[0])))))
    for values in zip(*points, strict=True):
        least, most = min(values), max(values)
        near = {v + c for v in values for c in (-1, 0, 1)}
        spread = {round(v) for v in np.linspace(least, 2 * most, share)}
        first = range(least, least + share)
        every = sorted(v for v in {*near, *spread, *first} if v >= least)
        axes.append(every if len(points[0]) == 1 else every[:: max(1, len(every) // share)])
    return sorted(tuples(*axes), key=lambda p: (sum(p), p))


def _domain(
    names: Sequence[str], points: Sequence[Point], law: _Candidate, sample: Sequence[Point]
) -> dict[str, str] | None:
    """What parameters must have in common for the formula to be whole there; None where it is not
    even among values that have in common what the measured ones have, or negative.

    A formula that is not whole everywhere is rounded in a way that these points do not show, so
    that nothing is said beyond what they have in common.
    """
    where = {a.only_at[0]: a.only_at[1] for a in law.atoms if a.only_at}
    for k, name in enumerate(names):
        values = [p[k] for p in points]
        step = 0
        for v in values:
            step = gcd(step, v - values[0])
        if name in where or step < 2 or _is_whole(law, sample, where, names):
            continue
        where[name] = _remainder(values[0] % step, step)
    return where if _is_whole(law, sample, where, names) else None


def _remainder(r: int, q: int) -> str:
    if q == 2:
        return "odd" if r else "even"
    return f"{r} modulo {q}" if r else f"multiple of {q}"


def _is_whole(
    law: _Candidate, sample: Sequence[Point], where: dict[str, str], names: Sequence[str]
) -> bool:
    return all(
        (value := law.at(p)).denominator == 1 and value >= 0
        for p in sample
        if _holds(where, names, p)
    )


def _holds(where: dict[str, str], names: Sequence[str], point: Point) -> bool:
    return all(
        is_among(where[name], value)
        for name, value in zip(names, point, strict=True)
        if name in where
    )


def _outlier(  # type: ignore[no-untyped-def]
    names, points, values, dictionary: Dictionary, limit: float
) -> NoLaw | None:
    """What is said if a formula shorter than `limit` explains all counts but one."""
    target = np.array([v % PRIME for v in values], dtype=np.int64)
    for group in dictionary.groups:
        for kept, numbers in group.fitting_but_one(target, limit):
            for k in numbers.tolist():
                tried, bits = group.places[k].tolist(), float(group.bits[k])
                atoms = tuple(dictionary.column(c) for c in tried)
                every = [dictionary.values(c) for c in tried]
                columns = [[column[j] for j in kept] for column in every]
                for found in _solved(atoms, columns, [values[j] for j in kept], bits):
                    if found.bits >= limit:
                        continue
                    left = (j for j in range(len(points)) if j not in kept)
                    off = (points[j] for j in left if found.at(points[j]) != values[j])
                    wrong = list(islice(off, 2))
                    if (
                        len(wrong) == 1
                        and survives(columns, CONFIRMING)
                        and all(found.at(p) >= 0 for p in points)
                    ):
                        at = ", ".join(f"{n} = {v}" for n, v in zip(names, wrong[0], strict=True))
                        return NoLaw(f"all counts but the one at {at} follow {found.text(names)}")
    return None


def _from_lines(
    names: tuple[str, ...], points: tuple[Point, ...], values: Sequence[int]
) -> list[_Candidate]:
    """Sums of products of formulas of single parameters, each found on a line of points along which
    only that parameter changes."""
    if len(names) < 2:
        return []
    factors: list[list[tuple[Atom, ...]]] = []
    for k in range(len(names)):
        line = _longest_line(k, points, values)
        found = _line_atoms(names, k, *line) if line is not None else []
        if not found:
            return []
        factors.append(found)
    one = product(())
    result: list[_Candidate] = []
    for parts in tuples(*factors):
        grid = [
            product([a for a in chosen if a is not one])
            for chosen in tuples(*([one, *(a for a in p if a.bits > 0.5)] for p in parts))
        ]
        result += _sparse(grid, points, values)
    return result


def _sparse(
    atoms: Sequence[Atom], points: Sequence[Point], values: Sequence[int]
) -> Iterator[_Candidate]:
    """Sums of some of the columns, or of all."""
    columns = [tuple(map(a.of, points)) for a in atoms]
    most = len(points) - CONFIRMING
    sets = [
        chosen
        for size in range(1, min(3, len(atoms), most) + 1)
        for chosen in combinations(range(len(atoms)), size)
    ]
    if 3 < len(atoms) <= most:
        sets.append(tuple(range(len(atoms))))
    for chosen in sets:
        yield from (
            c
            for c in _solved(
                tuple(atoms[k] for k in chosen),
                [columns[k] for k in chosen],
                values,
                2 + sum(atoms[k].bits for k in chosen),
            )
            if all(c.coefficients)
        )


def _longest_line(
    k: int, points: Sequence[Point], values: Sequence[int]
) -> tuple[tuple[Point, ...], tuple[int, ...]] | None:
    lines: dict[Point, list[tuple[Point, int]]] = {}
    for p, y in zip(points, values, strict=True):
        lines.setdefault((*p[:k], *p[k + 1 :]), []).append(((p[k],), y))
    best = max(lines.values(), key=len)
    if len(best) <= CONFIRMING:
        return None
    best.sort()
    return tuple(p for p, _ in best), tuple(y for _, y in best)


def _line_atoms(
    names: tuple[str, ...], k: int, points: tuple[Point, ...], values: tuple[int, ...]
) -> list[tuple[Atom, ...]]:
    """The formula of a line as one column, and its columns one by one."""
    dictionary = dictionary_of((names[k],), points)
    target = np.array([v % PRIME for v in values], dtype=np.int64)
    best: _Candidate | None = None
    for group in dictionary.groups:
        for c in group.fitting(target, np.inf).tolist():
            chosen = group.places[c].tolist()
            for found in _solved(
                tuple(dictionary.column(j) for j in chosen),
                [dictionary.values(j) for j in chosen],
                values,
                float(group.bits[c]),
            ):
                if all(found.coefficients) and (best is None or found.bits < best.bits):
                    best = found
    if best is None:
        return []

    def lifted(a: Atom) -> Atom:
        return Atom(a.tree, a.bits, lambda p: a.of((p[k],)), a.only_at)

    single = tuple(lifted(a) for a in best.atoms)
    return [single]
