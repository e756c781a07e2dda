"""Terms of the performance model normal form: products of powers and logarithms of parameters.

f = c_0 + sum_k c_k prod_l x_l**i_kl log2(x_l)**j_kl (Calotoiu et al., CLUSTER 2016, Eq. 2).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

import numpy as np
from msgspec import Struct
from msgspec.structs import force_setattr

from ..data.measurements import Floats

Exponents = tuple[tuple[str, Fraction, Fraction], ...]


class Term(Struct, frozen=True, order=True, gc=False):
    """prod x**i log2(x)**j; `factors` are (parameter, i, j), sorted, without (0, 0)."""

    factors: Exponents
    _text: str = ""

    def __post_init__(self) -> None:  # many formulas show one term
        if not self._text:
            force_setattr(self, "_text", _text(self.factors))

    @staticmethod
    def of(exponents: Mapping[str, tuple[Fraction | int | str, Fraction | int | str]]) -> Term:
        """From parameter -> (polynomial exponent, exponent of log2)."""
        rows = [(name, Fraction(i), Fraction(j)) for name, (i, j) in sorted(exponents.items())]
        return Term(tuple(r for r in rows if r[1] or r[2]))

    @property
    def parameters(self) -> frozenset[str]:
        return frozenset(name for name, _, _ in self.factors)

    def times(self, other: Term) -> Term:
        """The product."""
        powers = {name: (i, j) for name, i, j in self.factors}
        for name, i, j in other.factors:
            a, b = powers.get(name, (Fraction(0), Fraction(0)))
            powers[name] = (a + i, b + j)
        return Term.of(powers)

    def over(self, other: Term) -> Term:
        """The quotient."""
        return self.times(Term(tuple((name, -i, -j) for name, i, j in other.factors)))

    def evaluate(self, columns: Mapping[str, Floats]) -> Floats:
        """Values at points given as one array per parameter; not finite where a logarithm or power
        is undefined."""
        result: Floats = np.ones(
            np.broadcast_shapes(*(np.shape(c) for c in columns.values())) if columns else ()
        )
        with np.errstate(all="ignore"):
            for name, i, j in self.factors:
                x = np.asarray(columns[name], dtype=float)
                if i:
                    result = result * x ** float(i)
                if j:
                    result = result * np.log2(x) ** float(j)
        return result

    def to_json(self) -> dict[str, list[str]]:
        """parameter -> [polynomial exponent, exponent of log2], as text."""
        return {name: [str(i), str(j)] for name, i, j in self.factors}

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"Term({self.factors!r})"


def _text(factors: Exponents) -> str:
    parts = []
    for name, i, j in factors:
        if i:
            parts.append(
                name
                if i == 1
                else f"{name}**{i}"
                if i > 0 and i.denominator == 1
                else f"{name}**({i})"
            )
        if j:
            log = f"log({name}, 2)"
            parts.append(
                log
                if j == 1
                else f"{log}**{j}"
                if j > 0 and j.denominator == 1
                else f"{log}**({j})"
            )
    return "*".join(parts) or "1"


class Standing(Enum):
    """What the points say of a law that was given as fixed."""

    BELIEVED = 1
    """Nothing against it."""
    DOUBTED = 2
    """A law that differs from it in one place fits better."""
    REFUTED = 3
    """It does not hold; it is still the best hint which laws may."""


@dataclass(frozen=True)
class Prior:
    """What is known before measuring.

    parameters: only these may occur (None: any); terms: terms of a known formula, put into the
    dictionary whatever their exponents and preferred where the data do not tell; upper: terms of a
    bound, which no law may outgrow in any parameter; lower: terms of a bound that every law grows
    as fast as, in each parameter. Empty bounds say nothing. fixed: the law is made of `terms` and a
    constant, only coefficients are fitted. standing: what the points say of a fixed law; found when
    it is tested (see `fitter.prior_check`).
    """

    parameters: frozenset[str] | None = None
    terms: tuple[Term, ...] = ()
    upper: tuple[Term, ...] = ()
    lower: tuple[Term, ...] = ()
    fixed: bool = False
    standing: Standing = Standing.BELIEVED


NO_PRIOR = Prior()


def growth_in(terms: Sequence[Term], name: str) -> tuple[Fraction, Fraction]:
    """(i, j) of the fastest growth x**i log2(x)**j of a sum of terms in one parameter, the others
    held; at least (0, 0)."""
    return max(
        [(Fraction(0), Fraction(0)), *((i, j) for t in terms for n, i, j in t.factors if n == name)]
    )


def grows_faster(a: Term, b: Term) -> bool:
    """Does a outgrow b when all parameters grow together?"""

    def order(t: Term) -> tuple[Fraction, Fraction]:
        return sum((i for _, i, _ in t.factors), Fraction(0)), sum(
            (j for _, _, j in t.factors), Fraction(0)
        )

    return order(a) > order(b)
