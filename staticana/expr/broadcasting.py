"""Exact functions of numbers as functions of arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .terms import Number

_LARGEST = 1 << 63
"""The first integer that an array of integers does not hold."""


def exact_function(
    evaluate: Callable[[Mapping[str, Number]], Number], order: tuple[str, ...]
) -> Callable[..., Any]:
    """A function of numbers or arrays, by position in this order or by name, that broadcast.

    Every point is evaluated by itself, with integers of any size.

    Raises:
        TypeError: it is called without a value for each of the names.
    """

    def law(*args: Any, **named: Any) -> Any:
        given = dict(zip(order, args, strict=False)) | named
        if len(args) + len(named) != len(order) or set(given) != set(order):
            raise TypeError(f"the arguments are {', '.join(order)}")
        values = [given[name] for name in order]
        if all(np.ndim(v) == 0 for v in values):
            return evaluate({n: _exact(v) for n, v in given.items()})
        columns = np.broadcast_arrays(*values)
        points = zip(*(np.ravel(c).tolist() for c in columns), strict=True)
        found = [evaluate(dict(zip(order, map(_exact, p), strict=True))) for p in points]
        return _array(found).reshape(columns[0].shape)

    return law


def _array(values: list[Number]) -> NDArray[Any]:
    """Integers where all are, and fit; floating-point numbers otherwise."""
    fits = all(isinstance(x, int) and abs(x) < _LARGEST for x in values)
    return np.array(values, dtype=int if fits else float)


def _exact(value: Any) -> Number:
    plain = value.item() if hasattr(value, "item") else value
    return plain if isinstance(plain, int) else Fraction(plain)
