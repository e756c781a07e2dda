"""Hypotheses: which terms may stand in a model of given parameters."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product

from .terms import Prior, Term

_F = Fraction
_POWERS = tuple(_F(t) for t in "0 1/4 1/3 1/2 2/3 3/4 1 5/4 4/3 3/2 5/3 7/4 2 9/4 7/3 5/2 8/3 11/4 3 4".split())
_LOGS = (_F(0), _F(1), _F(2))
_FALLING = ((_F(-1), _F(0)), (_F(-1), _F(1)), (_F(-1, 2), _F(0)), (_F(-2), _F(0)))
_FEW = tuple((_F(i), _F(j)) for i in ("1/2", "1", "3/2", "2", "5/2", "3") for j in (0, 1)) + ((_F(0), _F(1)), _FALLING[0])
_JOINT = tuple((_F(i), _F(j)) for i in ("1/3", "1/2", "2/3", "1", "3/2", "2", "3") for j in (0, 1)) + (
    (_F(0), _F(1)), (_F(0), _F(2)), _FALLING[0])
_MAX_SINGLES = 4000


@lru_cache(maxsize=64)
def single_terms(parameters: tuple[str, ...]) -> tuple[Term, ...]:
    """All one-term hypotheses: every power of one parameter, products over several."""
    found: list[Term] = []
    for name in parameters:
        found += [Term.of({name: (i, j)}) for i, j in product(_POWERS, _LOGS) if i or j]
        found += [Term.of({name: pair}) for pair in _FALLING]
    joint = _JOINT if len(parameters) <= 2 else tuple(p for p in _JOINT if p[0].denominator == 1)[:7]
    for size in range(2, min(len(parameters), 3) + 1):
        for names in combinations(parameters, size):
            for pairs in product(joint, repeat=size):
                found.append(Term.of(dict(zip(names, pairs, strict=True))))
                if len(found) > _MAX_SINGLES:
                    return tuple(dict.fromkeys(found))
    return tuple(dict.fromkeys(found))


@lru_cache(maxsize=64)
def small_terms(parameters: tuple[str, ...]) -> tuple[Term, ...]:
    """The common terms, from which pairs are formed."""
    found = [Term.of({name: pair}) for name in parameters for pair in _FEW]
    for size in range(2, min(len(parameters), 3) + 1):
        for names in combinations(parameters, size):
            for pairs in product(((_F(1), _F(0)), (_F(2), _F(0)), (_F(1), _F(1)), (_F(0), _F(1))), repeat=size):
                found.append(Term.of(dict(zip(names, pairs, strict=True))))
    return tuple(dict.fromkeys(found))


def allowed(parameters: tuple[str, ...], prior: Prior) -> tuple[str, ...]:
    """The parameters that may occur."""
    return parameters if prior.parameters is None else tuple(p for p in parameters if p in prior.parameters)
