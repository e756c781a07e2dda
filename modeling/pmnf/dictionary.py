"""Factors x**i log2(x)**j of one parameter, and how probable each is before anything was measured.

Real programs mostly grow with simple exponents (Calotoiu et al., SC 2013; Reisert et al., Euro-Par
2017, section 4.1: common, rare, exotic), so the prior of a factor falls with the denominators of
its exponents, with each logarithm and with negative powers. It decides only where the data cannot.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

import numpy as np

from ..data.measurements import Floats
from .terms import Term

Factor = tuple[Fraction, Fraction]
"""(exponent of the power, exponent of the binary logarithm)."""

_F = Fraction
ONE: Factor = (_F(0), _F(0))
_DENOMINATOR = {1: 0.0, 2: 1.0, 3: 1.2, 4: 1.8, 5: 2.1}
_LOGARITHM = {_F(0): 0.0, _F(1): 1.3, _F(2): 2.3}


def cost(factor: Factor) -> float:
    """Negative logarithm of the prior, but for a constant."""
    power, log = factor
    if not power:
        return {_F(1): 0.0, _F(2): 1.0, _F(0): 0.0}.get(log, 1.9)
    unusual = _DENOMINATOR.get(power.denominator, 2.5) + 0.35 * max(0.0, abs(float(power)) - 1)
    return unusual + _LOGARITHM.get(log, 2.5) + (1.0 if power < 0 else 0.0)


@lru_cache(maxsize=8)
def factors() -> tuple[Factor, ...]:
    """All factors that are tried, without the constant."""
    plain = {_F(n, d) for d in (1, 2, 3, 4, 5) for n in range(1, 4 * d + 1) if n <= 3 * d or d == 1}
    mixed = {_F(n, d) for d in (1, 2, 3, 4) for n in range(1, 3 * d + 1)}
    found = {(i, _F(0)) for i in plain} | {(i, _F(j)) for i in mixed for j in (1, 2)}
    found |= {(_F(0), _F(j, 2)) for j in (1, 2, 3, 4)}
    found |= {(-i, _F(0)) for i in map(_F, ("1/3", "1/2", "2/3", "1", "3/2", "2"))} | {
        (_F(-1), _F(1))
    }
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
    columns are divided.
    """

    factors: tuple[Factor, ...]
    unusual: Floats
    costs: Floats
    scale: Floats

    @staticmethod
    def of(x: Floats, known: tuple[Factor, ...] = (), fastest: Factor | None = None) -> FactorTable:
        """For values x (any shape); `known` factors are offered at no cost, none that outgrows the
        `fastest` at all."""
        extra = tuple(f for f in dict.fromkeys(known) if f != ONE)
        values = np.unique(x)
        tried = [
            f
            for f in dict.fromkeys((*extra, *factors()))
            if (fastest is None or f <= fastest) and (not f[1] or values[0] >= 1)
        ]
        columns = _evaluate_all(tried, values)
        with np.errstate(all="ignore"):
            scale = np.abs(columns).max(axis=1)
            usable = np.isfinite(columns).all(axis=1) & (np.ptp(columns, axis=1) > 1e-12 * scale)
        kept = tuple(f for f, use in zip(tried, usable.tolist(), strict=True) if use)
        raw = np.array([0.0 if f in extra else cost(f) for f in kept])
        total = np.log(np.exp(-raw).sum()) if len(raw) else 0.0
        return FactorTable(
            (ONE, *kept),
            np.concatenate([[0.0], raw]),
            np.concatenate([[0.0], raw + total]),
            np.concatenate([[1.0], scale[usable]]),
        )

    def columns(self, x: Floats) -> Floats:
        """Scaled values (T, len(x))."""
        return _evaluate_all(self.factors, x) / self.scale[:, None]


def _evaluate_all(factors: Sequence[Factor], x: Floats) -> Floats:
    """Values (T, len(x)); not finite where a power or logarithm is undefined."""
    powers, logs = np.array([[float(i), float(j)] for i, j in factors]).reshape(-1, 2).T[..., None]
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
