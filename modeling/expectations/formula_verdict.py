"""Does a formula keep a bound of values, and where: the verdict without a run.

A formula of a count says something only where its assumptions hold (`AssumedFormula`). So the bound
is compared at values that the parameters can have by their types, small ones one by one and larger
ones at random, and the answer says where it was: "holds" is for all of these, "holds where" for
those that satisfy the assumptions, and "broken" names one that does and misses the bound.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import Literal

from looplaw_common.errors import InputError
from looplaw_common.formula.formula import Formula
from looplaw_common.formula.values import Value

from ..pmnf.assumed_formula import AssumedFormula, Range

Bound = Literal["O", "<=", ">=", "==", "<", ">"]
Status = Literal["holds", "holds where", "broken", "unchecked"]
Point = Mapping[str, Value]
Fit = Callable[[Point], Point | None]
_SEED = 1
_MOST = (1 << 31) - 1
"""The largest value at which laws are held: sizes that no machine has are left out."""
_UNKNOWN = (-_MOST - 1, _MOST)
_WHOLE = 300
"""A single parameter is tried at all values up to here, and at all of a type of eight bits."""
_SMALL = (_WHOLE, 16, 5, 2)
"""Largest value of each of one, two, three and more parameters that are tried in all
combinations."""
_NEGATIVE = 3
_GRID = 800
_SCALES = (4, 16, 64, 1024, 1 << 20)
_POINTS = 64
_NUMBER = re.compile(r"(?<![\w.])\d{1,10}(?![\w.])")
_MOST_MARKS = 12
_EXPONENTS, _BESIDE, _STAYS = (6, 10, 14, 20), 4, 1009
"""Large values are powers of two and the numbers next to them; what stays has the last value."""
_SPREAD = (0, 1, 2, 3, 5, 8, 12, 17, 22, 27, 33, 38, 50, 70, 100, 130, 200, 255, 300, 1000, 70_000)
"""Values of the others where one parameter has a value at which something changes."""
_VISITS = 20_000
"""Nodes of a formula visited for one value; where a sum takes more, the point is left out."""
_ROUNDING = 1e-9
"""Relative error of bounds with logarithms and roots."""


@dataclass(frozen=True)
class FormulaVerdict:
    """What a formula says of a law.

    where: conditions under which the law holds, of a verdict "holds where"; is_open: one of them is
    an assumption that values of the parameters' types break, so that nobody knows what happens
    there. The others only say that sizes are not negative.
    """

    status: Status
    reason: str
    where: tuple[str, ...] = ()
    is_open: bool = False


def hold_values(
    relation: Bound,
    expected: Formula,
    formula: AssumedFormula,
    *,
    tolerance: float = 0.0,
    fit: Fit | None = None,
    said: str = "the formula is",
) -> FormulaVerdict:
    """Hold a bound of values against a formula.

    Args:
        relation: <=, >= or ==. tolerance: share of the bound by which a value may miss it.
        fit: moves a point to where the parameters may be by what users state; None where it cannot.
        said: what the formula is, in words.
    """
    seen = _Seen(relation, expected, formula, tolerance)
    names = sorted(formula.symbols | expected.symbols)
    known = set[tuple[Value, ...]]()
    for point in _points(names, formula.ranges, _marks(expected, formula)):
        at = point if fit is None else fit(point)
        if at is None:
            continue
        key = tuple(at[n] for n in names)
        if key in known or not _is_possible(at, formula.ranges):
            continue
        known.add(key)
        if (wrong := seen.look(at)) is not None:
            return FormulaVerdict("broken", f"{formula.text} is {wrong}")
    return seen.verdict(said)


def hold_growth(formula: AssumedFormula, fit: Fit | None, reason: str) -> FormulaVerdict:
    """The verdict on a bound of growth that a formula keeps where its assumptions hold: they are
    tried at large values of each parameter alone and of all together.

    Args:
        fit: see `hold_values`. reason: why the bound is kept.
    """
    broken = dict[str, None]()
    names = sorted(formula.symbols)
    for point in _large(names, formula.ranges) if formula.assumed.conditions else ():
        at = point if fit is None else fit(point)
        if at is not None and _is_possible(at, formula.ranges):
            broken.update(dict.fromkeys(formula.broken(at)))
    where = (*broken, *formula.assumed.unread)
    if not where:
        return FormulaVerdict("holds", reason)
    return FormulaVerdict("holds where", f"{told_where(where)}: {reason}", where, is_open=True)


def _large(names: Sequence[str], ranges: Mapping[str, Range]) -> Iterator[dict[str, Value]]:
    """Points where each parameter is large, and where all are."""
    for moving in (*((n,) for n in names), tuple(names)):
        for exponent, beside in product(_EXPONENTS, range(_BESIDE)):
            large = (1 << exponent) + beside
            found = {n: large if n in moving else _STAYS for n in names}
            yield {n: min(v, ranges.get(n, _UNKNOWN)[1]) for n, v in found.items()}


class _Seen:
    """A bound at one point after the other."""

    def __init__(
        self, relation: Bound, expected: Formula, formula: AssumedFormula, tolerance: float
    ) -> None:
        self._relation, self._expected, self._formula = relation, expected, formula
        self._tolerance = tolerance
        self._kept = 0
        self._assumed: dict[str, bool] = {}  # condition -> is it broken by sizes, too?
        self._negative: set[str] = set()  # parameters below zero where the law is missed

    def look(self, at: Point) -> str | None:
        """What is wrong at a point; None where nothing is, or nothing is said."""
        try:
            value, broken = self._formula.at(at, visits=_VISITS)
            bound = self._expected.evaluate(at, visits=_VISITS)
        except InputError:
            return None
        if broken:
            below = self._below_zero(at)
            for text in broken:
                is_size = not below or any(n in self._formula.ranges for n in below)
                self._assumed[text] = self._assumed.get(text, False) or is_size
            return None
        if value is None or not misses(self._relation, value, bound, self._tolerance):
            self._kept += 1
            return None
        if below := self._below_zero(at):
            self._negative.update(below)
            return None
        where = ", ".join(f"{n}={v}" for n, v in sorted(at.items()))
        return f"{number(value)} at {where}, not {self._relation} {number(bound)}"

    @staticmethod
    def _below_zero(at: Point) -> list[str]:
        return [n for n, v in at.items() if v < 0]

    def verdict(self, said: str) -> FormulaVerdict:
        """What was seen, where nothing was wrong."""
        formula = self._formula
        words = formula.assumed.words
        if not self._kept:
            return FormulaVerdict("unchecked", nowhere(formula))
        signs = tuple(f"{n} >= 0" for n in sorted(self._negative))
        where = tuple(dict.fromkeys((*self._assumed, *signs)))
        reason = f"{said} {formula.text}" + assuming(words)
        if not where:
            return FormulaVerdict("holds", reason)
        is_open = any(self._assumed.values())
        return FormulaVerdict("holds where", f"{told_where(where)}: {reason}", where, is_open)


def nowhere(formula: AssumedFormula) -> str:
    """Why a formula says nothing of a law."""
    texts = [*(c.text for c in formula.assumed.conditions), *formula.assumed.unread]
    if not texts:
        return f"the formula {formula.text} has no value where it was tried"
    return f"the formula {formula.text} assumes {told_where(texts)}, and no such values were found"


def told_where(conditions: Sequence[str]) -> str:
    """Conditions in words."""
    return " and ".join(conditions)


def assuming(words: Sequence[str]) -> str:
    """What else is assumed, in words."""
    shown = words[:2]
    more = f" and {len(words) - 2} more" if len(words) > len(shown) else ""
    return f", assuming that {'; '.join(shown)}{more}" if shown else ""


def misses(relation: Bound, value: Value, bound: Value, tolerance: float = 0.0) -> bool:
    """Does a value miss its bound by more than the tolerance and rounding?"""
    share = tolerance + (_ROUNDING if isinstance(bound, float) else 0)
    slack = share * abs(float(bound)) if share else 0
    above, below = value > bound + slack, value < bound - slack
    return {"<=": above, ">=": below}.get(relation, above or below)


def number(value: Value) -> str:
    """A value as people read it."""
    return f"{value:g}" if isinstance(value, float) else str(value)


def _is_possible(at: Point, ranges: Mapping[str, Range]) -> bool:
    return all(low <= at[n] <= high for n, (low, high) in ranges.items() if n in at)


def _marks(expected: Formula, formula: AssumedFormula) -> tuple[int, ...]:
    """Numbers that the texts name, and those beside them: what changes, changes there."""
    texts = [expected.text, formula.text, *(c.text for c in formula.assumed.conditions)]
    found = dict.fromkeys(int(n) for text in texts for n in _NUMBER.findall(text))
    return tuple(n + d for n in list(found)[:_MOST_MARKS] for d in (0, 1, -1))


def _points(
    names: Sequence[str], ranges: Mapping[str, Range], marks: Sequence[int]
) -> Iterator[dict[str, Value]]:
    """Values to try: all small ones, the ends of the types, and larger ones at random."""
    if not names:
        yield {}
        return
    bounds = [_within(ranges.get(n, _UNKNOWN)) for n in names]
    top = _SMALL[min(len(names), len(_SMALL)) - 1]
    negative = top if len(names) == 1 else _NEGATIVE
    each = [_few(low, high, top, negative) for low, high in bounds]
    for number_, values in enumerate(product(*each)):
        if number_ >= _GRID:
            break
        yield dict(zip(names, values, strict=True))
    ends = [(low, 0, 1, high) if low < 0 else (0, 1, high) for low, high in bounds]
    for number_, values in enumerate(product(*ends)):
        if number_ >= _POINTS:
            break
        yield dict(zip(names, values, strict=True))
    chance = Random(_SEED)
    spread = sorted({*_SPREAD, *marks})
    for k, (low, high) in enumerate(bounds if len(names) > 1 else ()):
        for mark, beside in product(dict.fromkeys(m for m in marks if low <= m <= high), spread):
            drawn = [beside if len(names) == 2 else chance.choice(spread) for _ in names]
            pairs = zip((*drawn[:k], mark, *drawn[k + 1 :]), bounds, strict=True)
            yield dict(zip(names, (min(max(v, a), b) for v, (a, b) in pairs), strict=True))
    for scale in _SCALES:
        for _ in range(_POINTS):
            yield {
                n: _drawn(chance, scale, low, high, marks)
                for n, (low, high) in zip(names, bounds, strict=True)
            }


def _within(values: Range) -> Range:
    return max(values[0], -_MOST - 1), min(values[1], _MOST)


def _few(low: int, high: int, top: int, negative: int) -> list[int]:
    """Small values in range, those nearest to zero first."""
    up = range(max(low, 0), min(high, top) + 1)
    down = range(min(-1, high), max(low, -negative) - 1, -1)
    return [*up, *down]


def _drawn(chance: Random, scale: int, low: int, high: int, marks: Sequence[int]) -> int:
    """A value at random: mostly up to a scale, sometimes a number that matters, or any."""
    kind = chance.random()
    if kind < 0.6 or not marks:
        value = chance.randint(1, scale)
    elif kind < 0.8:
        value = chance.choice(marks)
    elif kind < 0.9:
        value = chance.randint(max(low, -scale), min(high, scale)) if low <= scale else low
    else:
        value = chance.randint(max(low, 0), high) if high >= 0 else high
    return min(max(value, low), high)
