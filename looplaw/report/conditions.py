"""Conditions of laws in words: of several with an alternative in common, what they ask for else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from modeling import InputError
from modeling.pmnf.relation import SIGN, outside_parentheses
from staticana.expr import Expr, Extremum, TooComplex

from ..laws.formula_reading import NotWritten, exact_formula
from .formula_writer import equality, multiple_of, relation

_LONGEST = 2_000


@dataclass(frozen=True)
class Condition:
    """Any of `ways` is at least 0; `text`: as it came, of which `ways` are not known where it is
    nothing to read."""

    text: str
    ways: tuple[Expr, ...] = ()

    @staticmethod
    def read(text: str) -> Condition:
        """A relation `a >= b` or `a <= b`, whose sides may be the largest of several formulas."""
        sides, signs = outside_parentheses(text, SIGN)
        if len(text) > _LONGEST or [s.strip() for s in signs] not in ([">="], ["<="]):
            return Condition(text)
        try:
            left, right = (exact_formula(side) for side in sides)
        except (InputError, NotWritten, TooComplex):
            return Condition(text)
        e = left - right if signs[0].strip() == ">=" else right - left
        return Condition(text, _parts(e, is_least=False))

    def at(self, values: Mapping[str, Expr]) -> Condition:
        """Where these names have these values: without the ways in which it then cannot hold."""
        found = tuple(w.substitute(values) for w in self.ways)
        open_ = tuple(w for w in found if w.constant is None or w.constant >= 0)
        return Condition(self.text, open_ or self.ways)

    def holds_at(self, values: Mapping[str, Expr]) -> bool:
        """Does it hold whatever the names are that have no value here?"""
        found = (w.substitute(values).constant for w in self.ways)
        return any(number is not None and number >= 0 for number in found)


def in_words(conditions: Sequence[Condition]) -> list[str]:
    """The conditions, a line for each; those that are no relations as they are."""
    number = Counter(str(w) for c in conditions if len(c.ways) > 1 for w in c.ways)
    often = next((text for text, n in number.most_common(1) if n > 1), None)
    lines, others = [], []
    for c in conditions:
        rest = tuple(w for w in c.ways if str(w) != often)
        if c.ways and len(rest) < len(c.ways):
            others.append(_ways(rest))
            common = next(w for w in c.ways if str(w) == often)
        else:
            lines.append(_ways(c.ways) if c.ways else c.text)
    if others:
        lines.append(f"{_way(common)}, or else")
        lines += [f"  {text}" for text in dict.fromkeys(others)]
    return lines


def _ways(ways: Sequence[Expr]) -> str:
    return " or ".join(map(_way, ways))


def _way(e: Expr) -> str:
    """One way in which a condition holds: all parts are at least 0."""
    parts = _parts(e, is_least=True)
    if len(parts) == 2 and not (parts[0] + parts[1]).terms:
        return equality(parts[0])
    return " and ".join(map(_part, parts))


def _part(e: Expr) -> str:
    found = multiple_of(e)
    if found is not None:
        return found
    from ..laws.law_terms import LEAST, in_range  # with numpy, which few analyses need

    with suppress(TooComplex):  # sizes that nobody has are not told apart
        e = in_range(e, dict.fromkeys(e.symbols, LEAST))
    whole = e * e.denominator
    return relation(whole.over(whole.content or 1))


def _parts(e: Expr, *, is_least: bool) -> tuple[Expr, ...]:
    """The formulas of which e is the least, or the largest."""
    a = e.atom
    if isinstance(a, Extremum) and a.is_least is is_least:
        return tuple(a.args)
    return (e,)
