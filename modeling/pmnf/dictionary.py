"""Factors x**i log2(x)**j of one parameter, and how probable each is before anything was measured.

Real programs mostly grow with simple exponents (Calotoiu et al., SC 2013; Reisert et al., Euro-Par
2017, section 4.1: common, rare, exotic), so the prior of a factor falls with the denominators of
its exponents, with each logarithm and with negative powers. It decides only where the data cannot.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from ..data.measurements import Floats
from ..settings import ARITHMETIC, DEFAULT, DictionarySettings
from .terms import Term

Factor = tuple[Fraction, Fraction]
"""(exponent of the power, exponent of the binary logarithm)."""

_F = Fraction
ONE: Factor = (_F(0), _F(0))
LINE: Factor = (_F(1), _F(0))
"""x itself."""


def cost(factor: Factor, settings: DictionarySettings = DEFAULT.dictionary) -> float:
    """Negative logarithm of the prior, but for a constant."""
    power, log = factor
    j = int(log) if log.denominator == 1 and log >= 0 else sys.maxsize
    if not power:
        pure = settings.pure_logarithms
        return pure[j] if j < len(pure) else settings.other_pure_logarithm
    known = power.denominator <= len(settings.denominators)
    odd = settings.denominators[power.denominator - 1] if known else settings.other_denominator
    steep = settings.power * max(0.0, abs(float(power)) - 1)
    logarithms = settings.logarithms
    logarithm = logarithms[j] if j < len(logarithms) else settings.other_logarithm
    return odd + steep + logarithm + (settings.negative if power < 0 else 0.0)


@lru_cache
def factors(settings: DictionarySettings = DEFAULT.dictionary) -> tuple[Factor, ...]:
    """All factors that are tried, without the constant."""
    whole, largest = settings.largest_whole, settings.largest_power
    found = {(_F(n), _F(0)) for n in range(1, whole + 1)}
    for d in range(1, len(settings.denominators) + 1):
        powers = {_F(n, d) for n in range(1, largest * d + 1)}
        found |= {(i, _F(0)) for i in powers}
        if d <= settings.mixed_denominators:
            found |= {(i, _F(j)) for i in powers for j in settings.mixed_logarithms}
    found |= {(_F(0), _F(j, 2)) for j in settings.half_logarithms}
    found |= {(-_F(i), _F(0)) for i in settings.falling} | {(_F(-1), _F(1))}
    return tuple(sorted(found))


def evaluate(factor: Factor, x: Floats) -> Floats:
    """Values; not finite where a power or logarithm is undefined."""
    power, log = factor
    with np.errstate(all="ignore"):
        value = np.asarray(x, dtype=float) ** float(power)
        return value * np.log2(x) ** float(log) if log else value


@dataclass(frozen=True, eq=False)
class FactorTable:
    """The factors of one parameter that are defined at its measured values.

    factors (T,), the first is 1; unusual (T,) is how odd each is (`cost`), costs (T,) the negative
    logarithm of its prior; scale (T,) the largest magnitude of each at those values, by which its
    columns are divided; beside (T,) what each costs in a law that also falls.
    """

    factors: tuple[Factor, ...]
    unusual: Floats
    costs: Floats
    scale: Floats
    beside: Floats

    @staticmethod
    def of(
        x: Floats,
        known: tuple[Factor, ...] = (),
        fastest: Factor | None = None,
        settings: DictionarySettings = DEFAULT.dictionary,
    ) -> FactorTable:
        """For values x (any shape); `known` factors are offered at no cost, none that outgrows the
        `fastest` at all."""
        extra = tuple(f for f in dict.fromkeys(known) if f != ONE)
        values = np.unique(x)
        tried = [
            f
            for f in dict.fromkeys((*extra, *factors(settings)))
            if (fastest is None or f <= fastest) and (not f[1] or values[0] >= 1)
        ]
        columns = _evaluate_all(_exponents(tried), values)
        with np.errstate(all="ignore"):
            scale = np.abs(columns).max(axis=1)
            usable = np.isfinite(columns).all(axis=1) & (
                np.ptp(columns, axis=1) > ARITHMETIC.column * scale
            )
        kept = tuple(f for f, use in zip(tried, usable.tolist(), strict=True) if use)
        raw = np.array([0.0 if f in extra else cost(f, settings) for f in kept])
        steep = [0.0 if f in extra else max(float(f[0]) - 1, 0.0) for f in kept]
        total = np.log(np.exp(-raw).sum()) if len(raw) else 0.0
        return FactorTable(
            (ONE, *kept),
            np.concatenate([[0.0], raw]),
            np.concatenate([[0.0], raw + total]),
            np.concatenate([[1.0], scale[usable]]),
            settings.beside_falling * np.array([0.0, *steep]),
        )

    @cached_property
    def together(self) -> Floats:
        """(T,): -1 of factors that fall, of the others what they cost in a law that falls."""
        return np.where([power < 0 for power, _ in self.factors], -1.0, self.beside)

    def cost_together(self, rows: NDArray[np.int64]) -> Floats:
        """What laws with factor numbers (..., k) cost beside their factors one by one."""
        own = self.together[rows]
        result: Floats = np.where(own.min(axis=-1) < 0, np.maximum(own.max(axis=-1), 0.0), 0.0)
        return result

    @cached_property
    def _exponents(self) -> Floats:
        return _exponents(self.factors)

    def columns(self, x: Floats) -> Floats:
        """Scaled values (T, len(x))."""
        return _evaluate_all(self._exponents, x) / self.scale[:, None]


def _exponents(factors: Sequence[Factor]) -> Floats:
    """(2, T, 1): exponents of the power and of the logarithm."""
    pairs = np.array([[float(i), float(j)] for i, j in factors]).reshape(-1, 2)
    return np.ascontiguousarray(pairs.T)[..., None]


def _evaluate_all(exponents: Floats, x: Floats) -> Floats:
    """Values (T, len(x)); not finite where a power or logarithm is undefined."""
    powers, logs = exponents
    with np.errstate(all="ignore"):
        values: Floats = np.asarray(x, dtype=float) ** powers
        has = np.flatnonzero(logs)
        values[has] *= np.log2(x) ** logs[has]
    return values


@dataclass(frozen=True, eq=False)
class TermTable:
    """The terms that factors of several parameters make: names and tables (m,) of the parameters. A
    term is made when it is first asked for."""

    names: tuple[str, ...]
    tables: tuple[FactorTable, ...]
    _made: dict[tuple[int, ...], Term] = field(default_factory=dict, repr=False)

    def term(self, code: tuple[int, ...]) -> Term:
        """The product of the factors with these numbers (m,)."""
        found = self._made.get(code)
        if found is None:
            factors = (t.factors[c] for c, t in zip(code, self.tables, strict=True))
            found = self._made[code] = Term.of(dict(zip(self.names, factors, strict=True)))
        return found
