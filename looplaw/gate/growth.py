"""Which of two laws grows faster, and in which parameters.

The laws are evaluated exactly, in integers, along rays: one parameter grows and the others stay,
or several grow together. Along a ray the quotient of the laws is compared at numbers whose
logarithms double: it tends to a constant where both grow alike, and at least keeps growing with
the logarithm where one outgrows the other. Maxima, floors, cases and sums need no rules of their
own. Each ray is tried at powers of two, beside them and at numbers of the other parity, since a
law may differ between residues.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise
from math import inf
from random import Random

from looplaw_common.errors import InputError
from modeling.pmnf.assumed_formula import NOTHING_ASSUMED, Assumed, AssumedFormula
from modeling.pmnf.formula import Formula, parse_formula

from .region import EVERYWHERE, Region

Number = int | float | Fraction
_LADDERS = ((2**64, 2**128, 2**256), (2**8, 2**12, 2**16), (2**6, 2**8, 2**10), (16, 32, 64))
"""Where laws are compared; the smaller ones are for sums and powers that would take too long."""
_OFFSETS = (0, 1, 3)
_OTHERS = (1009, 10**6 + 3, 7)
"""Values of the parameters that stay."""
_ABOVE = 8
"""How many times as large as what stays the largest rung of a ladder is, at least."""
_INTEGER = re.compile(r"(?<![\w.*])(\d{1,4})(?![\w.])")
_MOST_SPECIAL = 5
_SMALL = (0, 1, 2, 3, 4, 5, 7, 9, 12, 17, 25, 40, 64)
_FEW, _POINTS, _SEED, _MORE = 100, 400, 1, 4
"""Laws that stay below the first number at large values are compared at so many small points, and
how many times as much work there counts as more."""
_STEPS = (1.15, 1.22)
"""How much the quotient grows from rung to rung, at least, where one law outgrows the other:
log(n) doubles from rung to rung of the first ladder and grows by 4/3 and 5/4 on the third; laws
that differ in lower terms only stay below."""
_CREEP = Fraction(21, 20)
"""How much the quotient grows from rung to rung, at least, for growth that is not sure."""
_MANY_TIMES = 16
"""More than a constant factor, where a parameter cannot grow without end."""
_STEPS_UP = 16
"""Values above a rung at which assumptions are tried, too."""
_TOO_LONG = "the laws are too long to evaluate at large values"
_VISITS = (3_000, 3_000, 20_000, 60_000)
"""Nodes of a law that may be visited for one value, on each ladder: long sums fall through to
the shorter ladders, and on the last one to fewer points."""


@dataclass(frozen=True)
class Growth:
    """How a law changed.

    faster, slower: the parameters in which it grows faster, or slower, than before. factor: after /
    before where all parameters are large; None where it tends to no constant. is_equal: the same
    values wherever it was evaluated. reason: why the laws could not be compared. creeps: there is
    more work than before, and its share grows with some parameter, but too little to be sure, as
    where n**2 became n**2*log(n) and sums allow small values only.
    """

    faster: tuple[str, ...] = ()
    slower: tuple[str, ...] = ()
    factor: float | None = None
    is_equal: bool = False
    reason: str | None = None
    creeps: bool = False


def compare_growth(
    before: Formula | AssumedFormula,
    after: Formula | AssumedFormula,
    *,
    fixed: Mapping[str, Number] | None = None,
    region: Region = EVERYWHERE,
) -> Growth:
    """How `after` grows compared with `before`; both over the same symbols.

    Formulas of counts are compared where the assumptions of both hold.

    Args:
        region: where the symbols may be. A symbol that cannot grow beyond a number is one in which
            the law grows if there it is more than 16 times as much as before.
        fixed: symbols that do not grow, such as the fraction of cases that take a branch, and the
            value at which to compare.
    """
    both = _assumed(before) | _assumed(after)
    before, after = _plain(before), _plain(after)
    if before == after:
        return Growth(factor=1.0, is_equal=True)
    region = region.within(both, before.symbols | after.symbols)
    fixed = {k: v for k, v in (fixed or {}).items() if k in before.symbols | after.symbols}
    names = sorted((before.symbols | after.symbols) - fixed.keys())
    faster, slower, equal, factor = list[str](), list[str](), True, 1.0
    judged, is_seen, creeps, is_blind = 0, False, False, False
    special = _special(before, after)
    capped = [n for n in names if n in region.highest]
    rays = _Rays(before, after, names, fixed, special, region)
    directions = _directions([n for n in names if n not in region.highest])
    for moving in (*directions, *((n,) for n in capped)):
        if not moving and capped:
            continue
        found = rays.along(moving) if set(moving).isdisjoint(capped) else rays.up_to(moving[0])
        if found is None:
            is_blind = True
            continue
        judged += 1
        is_seen |= found.is_seen
        creeps |= found.creeps
        equal &= found.is_equal
        if len(moving) == max(len(names) - len(capped), 1):
            factor = found.factor
        # several parameters together tell something new only where none alone does
        if found.ups and not set(moving) & set(faster):
            faster += [n for n in moving if len(moving) == 1 or n in after.symbols]
        if found.downs and not set(moving) & set(slower):
            slower += [n for n in moving if len(moving) == 1 or n in before.symbols]
    if not judged and region.assumed:
        said = " and ".join(r.text for r in region.assumed)
        return Growth(reason=f"the laws hold where {said}, and no such values were found")
    if is_blind and not faster:
        return _without_long_sums(before, after, fixed, region)
    if len(names) > len(capped) and not is_seen and not faster:
        return _near(before, after, names, fixed, region)
    together = not faster and not slower
    return Growth(
        tuple(dict.fromkeys(faster)),
        tuple(dict.fromkeys(slower)),
        factor if together else None,
        equal,
        creeps=creeps and together,
    )


def _plain(formula: Formula | AssumedFormula) -> Formula:
    return formula.formula if isinstance(formula, AssumedFormula) else formula


def _assumed(formula: Formula | AssumedFormula) -> Assumed:
    return formula.assumed if isinstance(formula, AssumedFormula) else NOTHING_ASSUMED


def is_increasing(text: str | None, name: str) -> bool:
    """Does a law not fall where one of its symbols grows, at small points? No where it has no
    formula, or none that can be evaluated."""
    if text is None:
        return False
    chance = Random(_SEED)
    try:
        law = parse_formula(text)
        for _ in range(_FEW):
            at: dict[str, Number] = {n: chance.choice(_SMALL) for n in sorted(law.symbols)}
            if _value(law, {**at, name: at.get(name, 0) + 1}, _VISITS[0]) < _value(
                law, {name: 0, **at}, _VISITS[0]
            ):
                return False
    except (InputError, ArithmeticError, ValueError):
        return False
    return True


def _without_long_sums(
    before: Formula, after: Formula, fixed: Mapping[str, Number], region: Region
) -> Growth:
    """Laws that are too long to evaluate, without the sums that are terms of both: where the rest
    of them does not grow faster, neither does the whole."""
    terms = [Counter(part.text for part in law.parts) for law in (before, after)]
    sums = Counter({t: n for t, n in (terms[0] & terms[1]).items() if "Sum(" in t})
    if sums:
        rest = [parse_formula(" + ".join((t - sums).elements()) or "0") for t in terms]
        found = compare_growth(rest[0], rest[1], fixed=fixed, region=region)
        if not (found.faster or found.creeps or found.reason):
            return Growth(factor=found.factor, is_equal=found.is_equal)
    return Growth(reason=_TOO_LONG)


def _directions(names: list[str]) -> Iterator[tuple[str, ...]]:
    if not names:
        yield ()
    for name in names:
        yield (name,)
    if len(names) > 2:
        yield from combinations(names[:8], 2)
    if len(names) > 1:
        yield tuple(names)


@dataclass(frozen=True)
class _Ray:
    ups: bool
    downs: bool
    is_equal: bool
    factor: float
    is_seen: bool
    creeps: bool = False


def _special(before: Formula, after: Formula) -> tuple[int, ...]:
    """Small numbers that cases of the laws compare with: what runs where m == 3 is only seen
    there."""
    if not any("Piecewise" in f.text for f in (before, after)):
        return ()
    found = Counter(int(n) for f in (before, after) for n in _INTEGER.findall(f.text))
    return tuple(n for n, _ in found.most_common(_MOST_SPECIAL))


def _near(
    before: Formula,
    after: Formula,
    names: Sequence[str],
    fixed: Mapping[str, Number],
    region: Region,
) -> Growth:
    """Laws that stay small wherever some parameter is large, compared at small points."""
    chance = Random(_SEED)
    equal, worst, judged = True, Fraction(1), 0
    for _ in range(_POINTS):
        values = {**{n: chance.choice(_SMALL) for n in names}, **fixed}
        if not region.holds(values):
            continue
        try:
            a, b = (_value(f, values, _VISITS[0]) for f in (before, after))
        except (InputError, ArithmeticError, ValueError):
            continue
        judged += 1
        equal &= a == b
        worst = max(worst, _quotient(a, b))
    if not judged or worst > _MORE:
        return Growth(
            reason="the laws are small at large values, and there is more work at small ones"
        )
    return Growth(factor=1.0, is_equal=equal)


@dataclass(frozen=True)
class _Rays:
    """Two laws side by side. names: the parameters that can move; special: further values of those
    that stay."""

    before: Formula
    after: Formula
    names: Sequence[str]
    fixed: Mapping[str, Number]
    special: tuple[int, ...]
    region: Region

    def along(self, moving: tuple[str, ...]) -> _Ray | None:
        """The laws along one direction; None where neither can be evaluated."""
        stays = (*_OTHERS, *self.special) if len(moving) < len(self.names) else ()
        rays = list[_Ray]()
        for stay in stays or _OTHERS[:1]:
            at: dict[str, Number] = {**dict.fromkeys(self.names, stay), **self.fixed}
            for ladder, visits in zip(_LADDERS, _VISITS, strict=True):
                if stays and ladder[-1] < _ABOVE * stay and stay in _OTHERS:
                    break  # terms of what stays would hide those of what grows
                is_plain = ladder is _LADDERS[-1] or stay in self.special
                try:
                    offsets = _OFFSETS[:1] if is_plain else _OFFSETS
                    rays.append(self._up(at, moving, ladder, offsets, visits))
                except (InputError, ArithmeticError, ValueError):
                    continue
                break
        return _merged(rays)

    def up_to(self, name: str) -> _Ray | None:
        """The laws where a parameter grows as far as it can."""
        rays = list[_Ray]()
        for stay in _OTHERS:
            at: dict[str, Number] = {**dict.fromkeys(self.names, stay), **self.fixed}
            try:
                pairs = [
                    self._values(at, (name,), rung, _VISITS[-1]) for rung in self.region.rungs(name)
                ]
            except (InputError, ArithmeticError, ValueError):
                continue
            quotients = [_quotient(a, b) for a, b in pairs]
            rays.append(
                _Ray(
                    _is_many_times(quotients),
                    _is_many_times([1 / q for q in quotients]),
                    all(a == b and not isinstance(a, float) for a, b in pairs),
                    float(quotients[-1]) if quotients else 1.0,
                    any(max(pair) > _FEW for pair in pairs),
                )
            )
        return _merged(rays)

    def _up(
        self,
        at: Mapping[str, Number],
        moving: tuple[str, ...],
        ladder: Sequence[int],
        offsets: Sequence[int],
        visits: int,
    ) -> _Ray:
        """The laws where some parameters climb a ladder and the others stay.

        Raises:
            InputError, ArithmeticError, ValueError: one of them has no value there.
        """
        ups = downs = is_seen = creeps = False
        equal, factor = True, 1.0
        for offset in offsets:
            quotients = []
            for rung in ladder:
                a, b = self._values(at, moving, rung + offset, visits)
                equal &= a == b and not isinstance(a, float)  # rounding hides lower terms
                is_seen |= max(a, b) > _FEW
                quotients.append(_quotient(a, b))
            factor = float(quotients[-1])
            ups |= _keeps_growing(quotients)
            downs |= _keeps_growing([1 / q for q in quotients])
            creeps |= quotients[-1] > 1 and all(b > a * _CREEP for a, b in pairwise(quotients))
        return _Ray(ups, downs, equal, factor, is_seen, creeps)

    def _values(
        self, at: Mapping[str, Number], moving: tuple[str, ...], rung: int, visits: int
    ) -> tuple[Number, Number]:
        values: Mapping[str, Number] = {**at, **dict.fromkeys(moving, rung)}
        if not self.region.is_everywhere:
            values = self._inside(values, moving, rung)
        return _value(self.before, values, visits), _value(self.after, values, visits)

    def _inside(
        self, values: Mapping[str, Number], moving: tuple[str, ...], rung: int
    ) -> Mapping[str, Number]:
        """A point of the region at this rung, or just above it: some assumptions hold for certain
        remainders only.

        Raises:
            InputError: none was found.
        """
        for step in range(_STEPS_UP if self.region.assumed and moving else 1):
            found = self.region.fitted({**values, **dict.fromkeys(moving, rung + step)}, moving)
            if found is not None:
                return found
        raise InputError("outside of what is stated of the parameters")


def _merged(rays: Sequence[_Ray]) -> _Ray | None:
    if not rays:
        return None
    return _Ray(
        any(r.ups for r in rays),
        any(r.downs for r in rays),
        all(r.is_equal for r in rays),
        rays[0].factor,
        any(r.is_seen for r in rays),
        any(r.creeps for r in rays),
    )


def _is_many_times(quotients: Sequence[Fraction]) -> bool:
    """Is the last quotient so much larger than one, and than the first, that it is more than a
    factor?"""
    return len(quotients) > 1 and min(quotients[-1], quotients[-1] / quotients[0]) > _MANY_TIMES


def _value(formula: Formula, values: Mapping[str, Number], visits: int) -> Number:
    found = formula.evaluate(values, visits=visits)
    if isinstance(found, float) and not -inf < found < inf:
        raise OverflowError
    return found if found > 0 else 0


def _quotient(before: Number, after: Number) -> Fraction:
    """after / before, where nothing counts as one step."""
    return (Fraction(after) + 1) / (Fraction(before) + 1)


def _keeps_growing(quotients: list[Fraction]) -> bool:
    return all(
        q > p * Fraction(step)
        for p, q, step in zip(quotients, quotients[1:], reversed(_STEPS), strict=False)
    )
