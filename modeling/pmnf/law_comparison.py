"""Which of two laws grows faster, and in which parameters.

The laws are compared by their leading terms (`growth`) along rays: one parameter grows and the
others stay, or several grow together. Those that stay have some numbers in turn, since a law may be
another one in another case; those that grow run through classes of remainders.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import inf
from random import Random

from looplaw_common.errors import InputError
from looplaw_common.formula.formula import Formula, parse_formula
from looplaw_common.formula.growth import (
    CannotTell,
    Growth,
    Quantity,
    growth,
    joined,
    residues,
    value_of,
)

from .assumed_formula import NOTHING_ASSUMED, Assumed, AssumedFormula
from .region import EVERYWHERE, Number, Region

_OTHERS = (1009, 10**6 + 3, 7)
"""Values of the parameters that stay."""
_INTEGER = re.compile(r"(?<![\w.*])(\d{1,4})(?![\w.])")
_MOST_SPECIAL = 5
_SMALL = (0, 1, 2, 3, 4, 5, 7, 9, 12, 17, 25, 40, 64)
_MEDIUM = (5, 8, 12, 17, 25, 40, 64, 101, 210, 1009)
_FEW, _POINTS, _SEED, _MORE = 100, 400, 1, 4
"""Laws that stay below the first number at large values are compared at so many small points, and
how many times as much work there counts as more."""
_SAME = 60
"""Points at which laws must have the same values to be equal."""
_MANY_TIMES = 16
"""More than a constant factor, where a parameter cannot grow without end."""
_VISITS, _MOST_VISITS = 3_000, 60_000
"""Nodes of a law that may be visited for one value at small points, and up to a bound."""


@dataclass(frozen=True)
class LawComparison:
    """How a law changed.

    faster, slower: the parameters in which it grows faster, or slower, than before. factor: after /
    before where all parameters are large; None where it tends to no constant that is known. reason:
    why the laws could not be compared.
    """

    faster: tuple[str, ...] = ()
    slower: tuple[str, ...] = ()
    factor: float | None = None
    reason: str | None = None


def compare_laws(
    before: Formula | AssumedFormula,
    after: Formula | AssumedFormula,
    *,
    fixed: Mapping[str, Number] | None = None,
    region: Region = EVERYWHERE,
) -> LawComparison:
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
        return LawComparison(factor=1.0)
    region = region.within(both, before.symbols | after.symbols)
    fixed = {k: v for k, v in (fixed or {}).items() if k in before.symbols | after.symbols}
    names = sorted((before.symbols | after.symbols) - fixed.keys())
    faster, slower, factor = list[str](), list[str](), None
    judged, is_seen, unknown, alone = 0, False, "", set[str]()
    capped = [n for n in names if n in region.highest]
    rays = _Rays(before, after, names, fixed, region)
    directions = _directions([n for n in names if n not in region.highest])
    for moving in (*directions, *((n,) for n in capped)):
        if not moving and capped:
            continue
        found = rays.along(moving) if set(moving).isdisjoint(capped) else rays.up_to(moving[0])
        if isinstance(found, str):
            unknown = unknown or found
            continue
        judged += 1
        is_seen |= found.is_seen
        alone |= set(moving) if len(moving) == 1 and found.ratio_grows else set()
        if len(moving) == max(len(names) - len(capped), 1):
            factor = found.factor
        # several parameters together tell something new only where none alone does
        if found.ups and not set(moving) & set(faster):
            known = [n for n in moving if len(moving) == 1 or n in alone]
            faster += known or [n for n in moving if n in after.symbols]
        if found.downs and not set(moving) & set(slower):
            slower += [n for n in moving if len(moving) == 1 or n in before.symbols]
    if not judged and region.assumed:
        said = " and ".join(r.text for r in region.assumed)
        return LawComparison(reason=f"the laws hold where {said}, and no such values were found")
    if unknown and not faster:
        return _without_common_sums(before, after, fixed, region, unknown)
    if len(names) > len(capped) and not is_seen and not faster:
        return _near(before, after, names, fixed, region)
    together = not faster and not slower
    return LawComparison(
        tuple(dict.fromkeys(faster)), tuple(dict.fromkeys(slower)), factor if together else None
    )


def same_values(before: AssumedFormula, after: AssumedFormula) -> bool:
    """Have two laws the same values, in whatever form? Told by points where what they assume
    holds; no where there are none."""
    a, b = before.formula, after.formula
    if a == b:
        return True
    names = sorted(a.symbols | b.symbols)
    region = EVERYWHERE.within(before.assumed | after.assumed, names)
    chance, judged = Random(_SEED), 0
    numbers = (*_MEDIUM, *_special(a, b))  # of cases, which hold nowhere else
    for _ in range(_SAME if names else 1):
        at = region.fitted({n: chance.choice(numbers) for n in names}, ())
        try:
            if at is not None and _value(a, at, _VISITS) != _value(b, at, _VISITS):
                return False
        except (InputError, ArithmeticError, ValueError):
            continue
        judged += at is not None
    return judged > 0


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
            if _value(law, {**at, name: at.get(name, 0) + 1}, _VISITS) < _value(
                law, {name: 0, **at}, _VISITS
            ):
                return False
    except (InputError, ArithmeticError, ValueError):
        return False
    return True


def _without_common_sums(
    before: Formula, after: Formula, fixed: Mapping[str, Number], region: Region, unknown: str
) -> LawComparison:
    """Laws of which it is not known how they grow, without the sums that are terms of both: where
    the rest of them does not grow faster, neither does the whole."""
    terms = [Counter(part.text for part in law.parts) for law in (before, after)]
    sums = Counter({t: n for t, n in (terms[0] & terms[1]).items() if "Sum(" in t})
    if sums:
        rest = [parse_formula(" + ".join((t - sums).elements()) or "0") for t in terms]
        found = compare_laws(rest[0], rest[1], fixed=fixed, region=region)
        if not (found.faster or found.reason):
            return LawComparison(factor=found.factor)
    return LawComparison(reason=f"how the laws grow is not known: {unknown}")


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
    """Two laws along a direction: the later one outgrows the earlier one, or the other way round;
    their quotient in the end, where it is known; and whether they are more than a few at all.
    ratio_grows: the later one outgrows the earlier one where less than a step counts, too."""

    ups: bool
    downs: bool
    factor: float | None
    is_seen: bool
    ratio_grows: bool = False


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
) -> LawComparison:
    """Laws that stay small wherever some parameter is large, compared at small points."""
    chance = Random(_SEED)
    worst, judged = Fraction(1), 0
    for _ in range(_POINTS):
        values = {**{n: chance.choice(_SMALL) for n in names}, **fixed}
        if not region.holds(values):
            continue
        try:
            a, b = (_value(f, values, _VISITS) for f in (before, after))
        except (InputError, ArithmeticError, ValueError):
            continue
        judged += 1
        worst = max(worst, _quotient(a, b))
    if not judged or worst > _MORE:
        return LawComparison(
            reason="the laws are small at large values, and there is more work at small ones"
        )
    return LawComparison(factor=1.0)


@dataclass(frozen=True)
class _Rays:
    """Two laws side by side. names: the parameters that can move."""

    before: Formula
    after: Formula
    names: Sequence[str]
    fixed: Mapping[str, Number]
    region: Region

    @cached_property
    def special(self) -> tuple[int, ...]:
        """Further values of the parameters that stay."""
        return _special(self.before, self.after)

    def along(self, moving: tuple[str, ...]) -> _Ray | str:
        """The laws along one direction; why nothing is known of them there."""
        stays = (*_OTHERS, *self.special) if len(moving) < len(self.names) else _OTHERS[:1]
        rays, unknown = list[_Ray](), "they have no values for large parameters"
        for stay in stays:
            at: dict[str, Number] = {**dict.fromkeys(self.names, stay), **self.fixed}
            numbers = {n: v for n, v in at.items() if n not in moving}
            sides = (side for r in self.region.assumed for side in (r.left, r.right))
            for period, residue in residues((self.before, self.after, *sides), numbers):
                grown = dict.fromkeys(moving, Growth.parameter(scale=period, offset=residue))
                try:
                    values = self.region.fitted({**numbers, **grown}, moving)
                    if values is not None:
                        a, b = (value_of(f, values) for f in (self.before, self.after))
                        rays.append(_ray(a, b))
                except CannotTell as error:
                    return str(error)
                except (InputError, ArithmeticError, ValueError):
                    continue
        return _merged(rays) or unknown

    def up_to(self, name: str) -> _Ray | str:
        """The laws where a parameter grows as far as it can."""
        rays = list[_Ray]()
        for stay in _OTHERS:
            at: dict[str, Number] = {**dict.fromkeys(self.names, stay), **self.fixed}
            try:
                pairs = [self._values({**at, name: rung}) for rung in self.region.rungs(name)]
            except (InputError, ArithmeticError, ValueError):
                continue
            quotients = [_quotient(a, b) for a, b in pairs]
            rays.append(
                _Ray(
                    _is_many_times(quotients),
                    _is_many_times([1 / q for q in quotients]),
                    float(quotients[-1]) if quotients else 1.0,
                    any(max(pair) > _FEW for pair in pairs),
                )
            )
        return _merged(rays) or f"they have no values up to the largest {name}"

    def _values(self, at: Mapping[str, Number]) -> tuple[Number, Number]:
        """Raises InputError where no point of the region is like this one."""
        values = self.region.fitted(at, ())
        if values is None:
            raise InputError("outside of what is stated of the parameters")
        return _value(self.before, values, _MOST_VISITS), _value(self.after, values, _MOST_VISITS)


def _ray(before: Quantity, after: Quantity) -> _Ray:
    """Two laws by their leading terms, where nothing counts as one step.

    Raises:
        CannotTell: whether one outgrows the other depends on terms that are not known.
    """
    a, b = (_steps(law).lead for law in (before, after))
    sign = b.order.over(a.order).sign
    if (b if sign > 0 else a).low <= 0:
        raise CannotTell("terms that cancel")
    is_known = not sign and a.is_exact and b.is_exact
    return _Ray(
        sign > 0,
        sign < 0,
        float(Fraction(b.low) / Fraction(a.low)) if is_known else None,
        any(t.order.sign > 0 or t.high > _FEW for t in (a, b)),
        sign > 0 or _outgrows(after, before),
    )


def _outgrows(after: Quantity, before: Quantity) -> bool:
    a, b = growth(before), growth(after)
    return bool(a.terms and b.terms) and b.lead.order.over(a.lead.order).sign > 0


def _steps(law: Quantity) -> Growth:
    grown = growth(law)
    try:
        return (grown if grown.sign > 0 else Growth()) + 1
    except CannotTell:
        return joined(grown, Growth()) + 1


def _merged(rays: Sequence[_Ray]) -> _Ray | None:
    if not rays:
        return None
    return _Ray(
        any(r.ups for r in rays),
        any(r.downs for r in rays),
        rays[0].factor,
        any(r.is_seen for r in rays),
        any(r.ratio_grows for r in rays),
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
