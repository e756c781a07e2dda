"""Laws by the names that people have for them: "quadratic", "n log n", "Amdahl's law"."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from ..data.parameter_roles import is_concurrency

if TYPE_CHECKING:
    from .model import Model
    from .terms import Term

_POWERS = {
    (Fraction(0), Fraction(0)): "constant",
    (Fraction(1), Fraction(0)): "linear",
    (Fraction(2), Fraction(0)): "quadratic",
    (Fraction(3), Fraction(0)): "cubic",
    (Fraction(0), Fraction(1)): "logarithmic",
    (Fraction(1, 2), Fraction(0)): "a square root",
}


def law_name(model: Model) -> str | None:
    """What the growth of a model is called; None where its formula says it best."""
    if model.law is not None or model.counted is not None:
        return None
    if model.curve is not None:
        return model.curve.told
    lead = model.lead
    if any(c < 0 for c, _ in model.terms):
        return None
    serial = _amdahl(model)
    if serial is not None:
        return serial
    if not lead.factors and any(t.factors for _, t in model.terms):
        return None  # falls to a constant
    if len(lead.factors) > 1:
        return f"grows like {spelled(lead)}"
    exponents = lead.factors[0][1:] if lead.factors else (Fraction(0), Fraction(0))
    name = _POWERS.get(exponents)
    if name is None:
        return f"grows like {spelled(lead)}"
    several = len(model.parameters) > 1
    return f"{name} in {lead.factors[0][0]}" if lead.factors and several else name


def spelled(term: Term) -> str:
    """A term as people say it: n log n, n**2 log n."""
    parts = []
    for name, i, j in term.factors:
        if i:
            exponent = str(i) if i.denominator == 1 and i > 0 else f"({i})"
            parts.append(name if i == 1 else f"{name}**{exponent}")
        if j:
            parts.append(f"log {name}" if j == 1 else f"log({name})**{j}")
    return " ".join(parts)


def _amdahl(model: Model) -> str | None:
    """Amdahl's law where a time is a constant and what workers share."""
    terms = [(c, t) for c, t in model.terms if c]
    if len(terms) != 1 or model.constant <= 0 or model.before is not None:
        return None
    coefficient, term = terms[0]
    if len(term.factors) != 1:
        return None
    name, i, j = term.factors[0]
    if (int(i), int(j)) != (-1, 0) or i.denominator != 1 or not is_concurrency(name):
        return None
    share = model.constant / (model.constant + coefficient)
    return (
        f"Amdahl's law: serial share {share:.2g}, so at most {1 / share:.3g} times as fast as one"
    )
