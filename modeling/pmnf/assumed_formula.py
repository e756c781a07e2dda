"""Formulas with what they assume: the one place where a formula of a count gets a value.

A count is right where its assumptions hold and says nothing elsewhere. `AssumedFormula` keeps both
together: at a point where an assumption does not hold, it has no value. Assumptions that nobody can
evaluate, such as "no exception is thrown", are kept in words, for whoever reads the answer.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from looplaw_common.errors import InputError
from looplaw_common.formula.formula import Formula, parse_formula
from looplaw_common.formula.growth import Quantity
from looplaw_common.formula.values import Value

from .relation import SIGN, Relation, between, outside_parentheses

Range = tuple[int, int]
"""The least and the largest value that a parameter has by its type."""


@dataclass(frozen=True)
class Assumed:
    """What formulas of one count rest on.

    conditions: what can be evaluated; words: what cannot; unread: conditions that could not be
    read, so that nobody knows where they hold.
    """

    conditions: tuple[Relation, ...] = ()
    words: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()

    @staticmethod
    def of(formulas: Sequence[str], words: Sequence[str] = ()) -> Assumed:
        """Assumptions from the texts of relations, such as `52*tone <= 255`, and from words."""
        conditions, unread = list[Relation](), list[str]()
        for text in formulas:
            try:
                conditions += condition(text)
            except InputError:
                unread.append(text)
        return Assumed(tuple(conditions), tuple(words), tuple(unread))

    @cached_property
    def symbols(self) -> frozenset[str]:
        """The names that conditions are about."""
        return frozenset().union(*(c.symbols for c in self.conditions))

    def broken(self, at: Mapping[str, Quantity]) -> tuple[str, ...]:
        """The conditions that do not hold at a point, or that have no value there."""
        found = []
        for c in self.conditions:
            try:
                holds = c.holds(at)
            except InputError:
                holds = False
            if not holds:
                found.append(c.text)
        return (*found, *self.unread)

    def about(self, names: Collection[str]) -> Assumed:
        """The conditions about these names alone: what can be said where others have no value."""
        return replace(
            self, conditions=tuple(c for c in self.conditions if c.symbols <= set(names))
        )

    def __or__(self, other: Assumed) -> Assumed:
        """What both rest on."""
        return Assumed(
            tuple(dict.fromkeys((*self.conditions, *other.conditions))),
            tuple(dict.fromkeys((*self.words, *other.words))),
            tuple(dict.fromkeys((*self.unread, *other.unread))),
        )


NOTHING_ASSUMED = Assumed()


def condition(text: str) -> tuple[Relation, ...]:
    """The relations that the text of a condition states.

    Raises:
        InputError: it states none.
    """
    parts, signs = outside_parentheses(text, SIGN)
    if not signs:
        raise InputError(f"{text}: no relation")
    return between(parts, signs)


@dataclass(frozen=True)
class AssumedFormula:
    """A formula of a count and what it rests on. ranges: parameter -> its values by its type; of
    parameters that are not among them nobody knows whether they can be negative."""

    formula: Formula
    assumed: Assumed = NOTHING_ASSUMED
    ranges: Mapping[str, Range] = field(default_factory=dict)

    @staticmethod
    def read(
        text: str, assumed: Assumed = NOTHING_ASSUMED, ranges: Mapping[str, Range] | None = None
    ) -> AssumedFormula:
        """From the text of a formula.

        Raises:
            InputError: the text is no formula.
        """
        return AssumedFormula(parse_formula(text), assumed, ranges or {})

    @property
    def text(self) -> str:
        return self.formula.text

    @property
    def symbols(self) -> frozenset[str]:
        """The names that need a value: those of the formula and of its conditions."""
        return self.formula.symbols | self.assumed.symbols

    def broken(self, at: Mapping[str, Value]) -> tuple[str, ...]:
        """What does not hold at a point, so that the formula says nothing there."""
        return self.assumed.broken(at)

    def at(
        self, point: Mapping[str, Value], *, visits: int | None = None
    ) -> tuple[Value | None, tuple[str, ...]]:
        """(the value, ()), or (None, what does not hold there).

        Raises:
            InputError: the formula has no value there; see `Formula.evaluate`.
        """
        broken = self.broken(point)
        return (None if broken else self.formula.evaluate(point, visits=visits)), broken

    def evaluate(self, at: Mapping[str, Value], *, visits: int | None = None) -> Value | None:
        """The value at a point; None where an assumption does not hold, or cannot be decided.

        Raises:
            InputError: the formula has no value there; see `Formula.evaluate`.
        """
        return self.at(at, visits=visits)[0]
