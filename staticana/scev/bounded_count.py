"""Counts while they are being derived: a formula with its bounds and what it rests on."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TypeVar

from ..expr import ONE, ZERO, Expr, TooComplex, linear, maximum

T = TypeVar("T")

LONG_BOUND = 24
"""Terms of the longest bound that is of use."""
_LONG_TEXT = 8_000
"""Characters of its atoms: each call on the way up may put one maximum into another."""


@dataclass(frozen=True, init=False)
class BoundedCount:
    """A number of executions.

    formula: None where there is none (`reason` says why); lower, upper: bounds free of symbols for
    what is unknown, upper None for unlimited; preconditions: formulas that must be >= 0 for all
    this to hold; notes: further assumptions in words.
    """

    formula: Expr | None
    lower: Expr = ZERO
    upper: Expr | None = None
    preconditions: frozenset[Expr] = frozenset()
    notes: frozenset[str] = frozenset()
    reason: str | None = None

    def __init__(
        self,
        formula: Expr | None,
        lower: Expr = ZERO,
        upper: Expr | None = None,
        preconditions: frozenset[Expr] = frozenset(),
        notes: frozenset[str] = frozenset(),
        reason: str | None = None,
    ) -> None:
        if formula is None and upper is None and not lower.terms:
            preconditions = frozenset()  # it says nothing, which rests on nothing
        # in one step, not in one for each field as dataclasses do: nothing is made more often
        fields = {
            "formula": formula,
            "lower": lower,
            "upper": upper,
            "preconditions": preconditions,
            "notes": notes,
            "reason": reason,
        }
        object.__setattr__(self, "__dict__", fields)

    def plus(self, other: BoundedCount) -> BoundedCount:
        if other is NOTHING or self is NOTHING:  # most kinds of operations of most functions
            return self if other is NOTHING else other
        return self._with(other, operator.add)

    def times(self, other: BoundedCount) -> BoundedCount:
        """The product of two numbers that are not negative.

        A formula may be right only where its code is reached and fall below zero elsewhere, where
        the other factor is zero; bounds of that factor need not be.
        """
        if self._is_exact and other._is_exact:
            return (
                self
                if other is ONCE
                else other
                if self is ONCE
                else self._with(other, operator.mul)
            )
        return self._product(other)

    @property
    def _is_exact(self) -> bool:
        return self.lower is self.formula and self.upper is self.formula

    def _product(self, other: BoundedCount) -> BoundedCount:
        """`times` of two counts of which one has other bounds than its formula. Bounds that the
        product has not, since the other factor has none, are not made free of what is negative."""
        formula, reason = self._combined(other, operator.mul)
        lower, upper = ZERO, None
        is_least = False
        if self.lower.terms and other.lower.terms:
            one, two = self._least, other._least
            is_least = formula is not None and one is self.formula and two is other.formula
            lower = formula if is_least and formula is not None else _multiplied(one, two) or ZERO
        if self.upper is not None and other.upper is not None:
            most, more = self._most, other._most
            if is_least and most is self.formula and more is other.formula:
                upper = formula
            elif most is not None and more is not None:
                upper = _multiplied(most, more)
        elif any(u is not None and not u.terms for u in (self.upper, other.upper)):
            formula, upper, reason = ZERO, ZERO, None  # what never runs, however long it would
        return BoundedCount(
            formula,
            lower,
            upper,
            _union(self.preconditions, other.preconditions),
            _union(self.notes, other.notes),
            reason,
        )

    def at_most(self, bound: BoundedCount | None) -> BoundedCount:
        """With the upper bound of another count of the same."""
        if bound is None:
            return self
        return BoundedCount(
            self.formula,
            self.lower,
            bound.upper,
            _union(self.preconditions, bound.preconditions),
            _union(self.notes, bound.notes),
            self.reason,
        )

    def not_negative(self) -> BoundedCount:
        """With bounds that are so everywhere; those that nobody reads are dropped."""
        if not self.lower.terms and self.upper is None:  # as of most
            return self
        return BoundedCount(
            self.formula, self._least, self._most, self.preconditions, self.notes, self.reason
        )

    @cached_property
    def _least(self) -> Expr:
        """The lower bound, at least zero everywhere."""
        return _not_negative(self.lower) or ZERO

    @cached_property
    def _most(self) -> Expr | None:
        """The upper bound, at least zero everywhere."""
        return (
            self._least
            if self.upper is self.lower and self._least.terms
            else _not_negative(self.upper)
        )

    def _combined(
        self, other: BoundedCount, combine: Callable[[Expr, Expr], Expr]
    ) -> tuple[Expr | None, str | None]:
        """The formula of two, or why there is none."""
        if self.formula is not None and other.formula is not None:
            try:
                return combine(self.formula, other.formula), self.reason or other.reason
            except TooComplex:
                return None, "the formula would be too long"
        return None, self.reason or other.reason

    def _with(self, other: BoundedCount, combine: Callable[[Expr, Expr], Expr]) -> BoundedCount:
        formula, reason = self._combined(other, combine)
        exact = self.lower is self.formula and other.lower is other.formula
        try:
            lower: Expr = (
                formula if exact and formula is not None else combine(self.lower, other.lower)
            )
        except TooComplex:
            lower = ZERO
        upper: Expr | None = None
        if (
            exact
            and formula is not None
            and self.upper is self.formula
            and other.upper is other.formula
        ):
            upper = formula
        elif self.upper is not None and other.upper is not None:
            try:
                upper = combine(self.upper, other.upper)
            except TooComplex:
                upper = None
        return BoundedCount(
            formula,
            lower,
            upper,
            _union(self.preconditions, other.preconditions),
            _union(self.notes, other.notes),
            reason,
        )

    def scaled(self, factor: int) -> BoundedCount:
        """The same for each of `factor` executions."""
        return (self if self._is_exact else self.not_negative()).summed(lambda e: e * factor)

    def substitute(self, values: Mapping[str, Expr]) -> BoundedCount:
        return self.mapped(lambda e: e.substitute(values))

    def mapped(self, change: Callable[[Expr], Expr]) -> BoundedCount:
        """All formulas changed in the same way."""
        try:
            changed = self.summed(change)
            return (
                changed.resting_on(frozenset(map(change, self.preconditions)))
                if self.preconditions
                else changed
            )
        except TooComplex:
            return unknown("the formula would be too long")

    def resting_on(self, preconditions: frozenset[Expr]) -> BoundedCount:
        """The same counts with other preconditions."""
        return BoundedCount(
            self.formula, self.lower, self.upper, preconditions, self.notes, self.reason
        )

    def summed(self, change: Callable[[Expr], Expr]) -> BoundedCount:
        """The counts changed in the same way, preconditions left as they are.

        Raises:
            TooComplex: `change` does.
        """
        formula = None if self.formula is None else change(self.formula)
        lower = (
            formula if self.lower is self.formula and formula is not None else change(self.lower)
        )
        upper = (
            formula
            if self.upper is self.formula
            else None
            if self.upper is None
            else change(self.upper)
        )
        return BoundedCount(formula, lower, upper, self.preconditions, self.notes, self.reason)


def weighted_sum(parts: Sequence[tuple[BoundedCount, int]]) -> BoundedCount:
    """The sum of counts, each for so many executions: as `plus` and `scaled` find it, without the
    sums in between."""
    plain = [
        (count if count._is_exact else count.not_negative(), number)
        for count, number in parts
        if count is not NOTHING
    ]
    formulas = [(count.formula, number) for count, number in plain if count.formula is not None]
    if len(plain) > 2 and len(formulas) == len(plain):
        try:
            return _summed_at_once(plain, linear(formulas))
        except TooComplex:
            pass  # which of the sums is too long, and what is left then, is told one by one
    found = NOTHING
    for count, number in plain:
        found = found.plus(count.summed(partial(operator.mul, number)))
    return found


def _summed_at_once(plain: Sequence[tuple[BoundedCount, int]], formula: Expr) -> BoundedCount:
    """`weighted_sum` of counts that have formulas."""
    lower = formula
    if not all(count.lower is count.formula for count, _ in plain):
        lower = linear([(count.lower, number) for count, number in plain])
    upper: Expr | None = formula
    if lower is not formula or not all(count.upper is count.formula for count, _ in plain):
        bounds = [(count.upper, number) for count, number in plain if count.upper is not None]
        upper = linear(bounds) if len(bounds) == len(plain) else None
    return BoundedCount(
        formula,
        lower,
        upper,
        frozenset().union(*(count.preconditions for count, _ in plain)),
        frozenset().union(*(count.notes for count, _ in plain)),
        next((count.reason for count, _ in plain if count.reason), None),
    )


def _not_negative(bound: Expr | None) -> Expr | None:
    """A bound that is at least zero everywhere; None where it is of no use."""
    if bound is None or _is_long(bound):
        return None
    number = bound.constant
    return maximum(0, bound) if number is None else bound if number > 0 else ZERO


def _multiplied(a: Expr, b: Expr) -> Expr | None:
    """The product, None where it is too long."""
    try:
        return a * b
    except TooComplex:
        return None


def exactly(
    value: Expr, preconditions: frozenset[Expr] = frozenset(), notes: frozenset[str] = frozenset()
) -> BoundedCount:
    """A quantity known exactly."""
    return BoundedCount(value, value, value, preconditions, notes)


def unknown(reason: str, lower: Expr = ZERO, upper: Expr | None = None) -> BoundedCount:
    """A quantity without formula."""
    return BoundedCount(None, lower, upper, reason=reason)


def _union(a: frozenset[T], b: frozenset[T]) -> frozenset[T]:
    """Both sets; most counts rest on nothing, or on what others rest on."""
    return a if not b or a is b else b if not a else a | b


def _is_long(bound: Expr) -> bool:
    return (
        len(bound.terms) > LONG_BOUND
        or sum(len(a) for monomial in bound.terms for a, _ in monomial) > _LONG_TEXT
    )


NOTHING = exactly(ZERO)
ONCE = exactly(ONE)
