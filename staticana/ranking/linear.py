"""Linear forms over named integers: variables of loops, values that one path leaves open, and what
does not change in a nest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import gcd, lcm

from ..expr import Number

UNIT = ""
"""The name of the constant term."""


@dataclass(frozen=True)
class Linear:
    """`terms`: name -> coefficient, none of them 0; the constant has the name `UNIT`."""

    terms: Mapping[str, Number]

    @cached_property
    def names(self) -> frozenset[str]:
        """What it varies with."""
        return frozenset(self.terms) - {UNIT}

    @property
    def constant(self) -> Number | None:
        """The value where it is a number."""
        return None if self.names else self.terms.get(UNIT, 0)

    def __getitem__(self, name: str) -> Number:
        return self.terms.get(name, 0)

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash(frozenset(self.terms.items()))

    def plus(self, other: Linear, factor: Number = 1) -> Linear:
        """This and a multiple of another one."""
        found = dict(self.terms)
        for name, c in other.terms.items():
            total = found.get(name, 0) + factor * c
            if total:
                found[name] = total
            else:
                found.pop(name, None)
        return Linear(found)

    def __add__(self, other: Linear | Number) -> Linear:
        return self.plus(other if isinstance(other, Linear) else number(other))

    def __sub__(self, other: Linear | Number) -> Linear:
        return self.plus(other, -1) if isinstance(other, Linear) else self.plus(number(-other))

    def __neg__(self) -> Linear:
        return self.times(-1)

    def times(self, factor: Number) -> Linear:
        """A multiple."""
        return Linear({n: c * factor for n, c in self.terms.items()} if factor else {})

    def substitute(self, value: Callable[[str], Linear | None]) -> Linear:
        """Names replaced by what `value` gives; None leaves them."""
        result = Linear({})
        for name, c in self.terms.items():
            found = value(name) if name else None
            result = result.plus(name_(name) if found is None else found, c)
        return result

    def normal(self) -> Linear:
        """As a fact `>= 0` over integers: whole coefficients without a common factor, the constant
        rounded down."""
        scale = lcm(*(c.denominator for c in self.terms.values())) if self.terms else 1
        whole = {n: int(c * scale) for n, c in self.terms.items()}
        common = gcd(*(c for n, c in whole.items() if n)) or 1
        return Linear({n: q for n, c in whole.items() if (q := c // common)})


ZERO_FORM = Linear({})


def number(value: Number) -> Linear:
    """A constant."""
    return Linear({UNIT: value}) if value else ZERO_FORM


def name_(name: str) -> Linear:
    """One name, once."""
    return Linear({name: 1})


def names_of(forms: Iterable[Linear]) -> frozenset[str]:
    """What any of these varies with."""
    return frozenset[str]().union(*(f.names for f in forms))
