"""Where the parameters of laws may be: what users state of them, as `n <= 1e6` or `m <= n`, and
what the laws themselves assume."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, floor, inf
from typing import overload

from looplaw_common.errors import InputError
from looplaw_common.formula.formula import Formula
from looplaw_common.formula.growth import Growth, Quantity, value_of
from looplaw_common.formula.tree import Name

from .assumed_formula import Assumed
from .relation import Relation

Number = int | float | Fraction
_TRIES = 4
"""Relations that pull on one another are followed this far."""
_RUNGS = 4


@dataclass(frozen=True)
class Region:
    """The points where all relations hold.

    relations: what users state; assumed: what formulas rest on. A relation of users without a value
    at a point, such as 1/n <= m at n = 0, says nothing there; an assumption without one does not
    hold. is_empty: some assumption could not be read.
    """

    relations: tuple[Relation, ...] = ()
    assumed: tuple[Relation, ...] = ()
    is_empty: bool = False

    def within(self, assumed: Assumed, names: Collection[str]) -> Region:
        """The part where assumptions hold, of those about these names: any others can be made to
        hold by what stands in no formula."""
        kept = (c for c in assumed.conditions if c.symbols <= set(names))
        found = tuple(dict.fromkeys((*self.assumed, *kept)))
        return Region(self.relations, found, self.is_empty or bool(assumed.unread))

    @property
    def is_everywhere(self) -> bool:
        return not self.relations and not self.assumed and not self.is_empty

    @cached_property
    def highest(self) -> dict[str, int]:
        """Parameter -> the largest number it may be, where that is a constant."""
        return {n: floor(v) for n, v in self._bounds(is_upper=True).items()}

    @cached_property
    def lowest(self) -> dict[str, int]:
        """Parameter -> the smallest number it may be, where that is a constant."""
        return {n: ceil(v) for n, v in self._bounds(is_upper=False).items()}

    def _bounds(self, *, is_upper: bool) -> dict[str, float]:
        found: dict[str, float] = {}
        for r in (*self.relations, *self.assumed):
            pairs = [(r.least, r.most)] if is_upper else [(r.most, r.least)]
            if r.sign == "==":
                pairs = [(r.left, r.right), (r.right, r.left)]
            for side, bound in pairs:
                name = _name(side)
                if name is None or bound.symbols:
                    continue
                value = float(bound.evaluate({})) - (r.sign in "<>") * (1 if is_upper else -1)
                if is_upper:
                    found[name] = min(found.get(name, inf), value)
                else:
                    found[name] = max(found.get(name, -inf), value)
        return found

    def rungs(self, name: str) -> tuple[int, ...]:
        """Values of a parameter that cannot grow beyond its highest, up to that."""
        top, low = self.highest[name], max(self.lowest.get(name, 1), 1)
        found = {round(top ** (k / _RUNGS)) for k in range(1, _RUNGS)} | {low, top}
        return tuple(sorted(v for v in found if low <= v <= top))

    @overload
    def fitted(
        self, values: Mapping[str, Number], moving: Sequence[str]
    ) -> dict[str, Number] | None: ...

    @overload
    def fitted(
        self, values: Mapping[str, Quantity], moving: Sequence[str]
    ) -> dict[str, Quantity] | None: ...

    def fitted(
        self, values: Mapping[str, Quantity], moving: Sequence[str]
    ) -> Mapping[str, Quantity] | None:
        """A point of the region that is like this one where parameters are moving, or grow; None
        where none was found."""
        if self.is_empty:
            return None
        found = dict(values)
        for name, value in values.items():
            if name not in moving and not isinstance(value, Growth):
                low, high = self.lowest.get(name, value), self.highest.get(name, value)
                found[name] = max(min(value, high), low)
        for _ in range(_TRIES):
            broken = self._broken(found)
            if not broken:
                return found
            for r in broken:
                if not _mended(r, found, moving):
                    return None
        return None

    def holds(self, values: Mapping[str, Quantity]) -> bool:
        """Is a point in the region, as far as its parameters are known?"""
        return not self.is_empty and not self._broken(values)

    def _broken(self, values: Mapping[str, Quantity]) -> list[Relation]:
        found = [r for r in self.relations if _is_broken(r, values, without_value=False)]
        return found + [r for r in self.assumed if _is_broken(r, values, without_value=True)]


EVERYWHERE = Region()


def _is_broken(r: Relation, values: Mapping[str, Quantity], *, without_value: bool) -> bool:
    try:
        return r.holds(values) is False
    except InputError:
        return without_value


def _name(side: Formula) -> str | None:
    return side.tree.name if isinstance(side.tree, Name) else None


def _mended(r: Relation, values: dict[str, Quantity], moving: Sequence[str]) -> bool:
    """Move a parameter that stays so that a relation holds: up to the larger one that moves, or
    down to it."""
    try:
        least, most = value_of(r.least, values), value_of(r.most, values)
    except InputError:
        return False
    step = 1 if r.sign in ("<", ">") else 0
    up, down = _name(r.most), _name(r.least)
    if r.sign == "==":
        name = next((n for n in (up, down) if n is not None and n not in moving), None)
        if name is None:
            return False
        values[name] = least if name == up else most
        return True
    above = _rounded_up(least) + step
    if up is not None and up not in moving:
        values[up] = above
        return True
    if down is not None and down not in moving:
        values[down] = -_rounded_up(-most) - step
        return True
    if up is not None and down is not None:  # both move: the smaller one leads
        values[up] = above
        return True
    for name in sorted(r.most.symbols - set(moving)):
        for value in (above, above**2):
            kept, values[name] = values[name], value
            if not _is_broken(r, values, without_value=True):
                return True
            values[name] = kept
    return False


def _rounded_up(value: Quantity) -> Growth | int:
    return value.ceiling() if isinstance(value, Growth) else ceil(value)
