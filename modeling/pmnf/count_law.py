"""Exact formulas of counts, as `modeling.integers` finds them, and what is said where it finds
none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray

from looplaw_common.errors import InputError
from looplaw_common.formula.formula import Formula, parse_formula

POWER_OF_TWO, NO_POWER_OF_TWO = "power of two", "no power of two"


def is_among(kind: str, value: int) -> bool:
    """Is a value of the kind that `CountLaw.where` names?"""
    if kind == POWER_OF_TWO:
        return value > 0 and value & (value - 1) == 0
    if kind == NO_POWER_OF_TWO:
        return not is_among(POWER_OF_TWO, value)
    if kind in ("even", "odd"):
        return value % 2 == (kind == "odd")
    first, *_, last = kind.split()
    if first == "no":
        return value % int(last) != 0
    return value % int(last) == (0 if first == "multiple" else int(first))


@dataclass(frozen=True)
class CountLaw:
    """An exact formula of counts.

    formula: as text, whole-valued wherever `where` holds; where: parameter -> what its values have
    in common, if the formula is only known for such: "even", "odd", "multiple of 64", "3 modulo 8",
    "power of two", "no power of two", "no multiple of 32"; seen: points, all of which it
    reproduces; confirming: those beyond the ones that determine its coefficients.
    """

    formula: str
    where: Mapping[str, str] = field(default_factory=dict)
    seen: int = 0
    confirming: int = 0

    @cached_property
    def parsed(self) -> Formula:
        """The formula, ready to be evaluated."""
        return parse_formula(self.formula)

    @property
    def symbols(self) -> frozenset[str]:
        """The parameters that a value needs, those of `where` included."""
        return self.parsed.symbols | self.where.keys()

    def value(self, at: Mapping[str, int]) -> int | None:
        """The count at whole parameter values; None where the formula is not known to hold."""
        if not self.holds(at):
            return None
        try:
            found = self.parsed.evaluate(at)
        except InputError:
            return None
        if isinstance(found, Fraction) or found < 0 or found != int(found):
            return None
        return int(found)

    def holds(self, at: Mapping[str, int]) -> bool:
        """Is the formula known to hold at these values?"""
        return all(is_among(kind, at[name]) for name, kind in self.where.items() if name in at)


@dataclass(frozen=True)
class NoLaw:
    """There is no exact formula in the family, or several.

    rivals: formulas that all reproduce the counts, the simplest first; decide: the smallest point
    at which they differ.
    """

    reason: str
    rivals: tuple[str, ...] = ()
    decide: Mapping[str, int] | None = None


Found = CountLaw | NoLaw


class Counted(msgspec.Struct, frozen=True):
    """What is known of a series of counts, as documents hold it.

    formula: exact, where one was found; without it the model beside is an approximation. where,
    seen, confirming: see `CountLaw`. reason, rivals, decide: see `NoLaw`. lower, upper: bounds
    between the points, if the counts do not fall anywhere. only: parameter -> its one value, since
    nothing is known of others. Without a formula, seen is the number of counts that the model
    beside meets exactly, if it meets all.
    """

    formula: str | None = None
    where: dict[str, str] = msgspec.field(default_factory=dict)
    seen: int = 0
    confirming: int = 0
    reason: str | None = None
    rivals: tuple[str, ...] = ()
    decide: dict[str, int] | None = None
    lower: str | None = None
    upper: str | None = None
    only: dict[str, float] = msgspec.field(default_factory=dict)

    @staticmethod
    def of(found: Found, lower: str | None = None, upper: str | None = None) -> Counted:
        """The result of a search."""
        if isinstance(found, CountLaw):
            return Counted(found.formula, dict(found.where), found.seen, found.confirming)
        return Counted(
            reason=found.reason,
            rivals=found.rivals,
            decide=None if found.decide is None else dict(found.decide),
            lower=lower,
            upper=upper,
        )

    @property
    def law(self) -> CountLaw | None:
        """The formula; None where there is none."""
        if self.formula is None:
            return None
        return CountLaw(self.formula, self.where, self.seen, self.confirming)

    def known_at(self, columns: Mapping[str, ArrayLike]) -> NDArray[np.bool_]:
        """Where does the formula hold for certain, at points given as arrays that broadcast?"""
        shape = np.broadcast_shapes(*(np.shape(c) for c in columns.values()))
        found = np.ones(shape, dtype=bool)
        for name, value in self.only.items():
            if name in columns:
                found &= np.asarray(columns[name], dtype=float) == value
        for name, kind in self.where.items():
            values = np.broadcast_to(np.asarray(columns[name], dtype=float), shape)
            among = [v == int(v) and is_among(kind, int(v)) for v in values.ravel().tolist()]
            found &= np.array(among, dtype=bool).reshape(shape)
        return found
