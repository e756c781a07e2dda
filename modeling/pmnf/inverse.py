"""The inverse of a model: the size at which it takes a value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf

import numpy as np

from looplaw_common.errors import DataError, InputError

from ..data.measurements import Floats
from .model import Model

_BELOW, _ABOVE = 1e-6, 1e12
"""Sizes that are looked at, as multiples of the largest measured one."""
_STEPS = 1 << 13


@dataclass(frozen=True)
class Size:
    """The size of a parameter at which a model takes a value, and the 90 % interval of that size;
    the last one, where there are several. NaN where the model never takes the value, infinite
    where its interval does not end."""

    parameter: str
    value: float
    low: float
    high: float


def size_for(model: Model, value: float, at: Mapping[str, float]) -> Size:
    """The size of the one parameter without a value in `at` at which the model takes a value.

    Args:
        value: in the unit of the model.
        at: values of the other parameters.

    Raises:
        InputError: the value is not above zero.
        DataError: not exactly one parameter of the model is left.
    """
    if not value > 0:
        raise InputError(f"{value:g}: times are above 0, as in --time 1s")
    free = sorted(model.needed - set(at))
    if len(free) != 1:
        others = ", ".join(sorted(model.needed)) or "none"
        raise DataError(
            f"{model.callpath}, {model.metric}: one parameter is to be found, and the others need a"
            f" value in --at; it has {others}"
        )
    name = free[0]
    top = measured_to(model).get(name, 1.0)
    grid = np.geomspace(top * _BELOW, top * _ABOVE, _STEPS)
    place: dict[str, Floats | float] = {**at, name: grid}
    with np.errstate(all="ignore"):
        middle = np.asarray(model.value_at(place), dtype=float)
        low, high = (  # where no value is known, nothing is
            np.where(np.isfinite(middle), x, np.nan) for x in model.interval(place)
        )
    found = _last(grid, middle, value)
    ends = sorted((_last(grid, high, value, inf), _last(grid, low, value, inf)))
    return Size(name, found, min(ends[0], found), max(ends[1], found))


def measured_to(model: Model) -> dict[str, float]:
    """The largest measured value of each parameter that is known."""
    return {} if model.mixture is None else {name: top for name, top, *_ in model.mixture.reach}


def _last(grid: Floats, curve: Floats, value: float, otherwise: float = float("nan")) -> float:
    """Where a curve last takes a value, interpolated in logarithms."""
    above = np.where(np.isfinite(curve), curve, np.nan) >= value
    places = np.flatnonzero(above[1:] != above[:-1])
    places = places[np.isfinite(curve[places]) & np.isfinite(curve[places + 1])]
    if not len(places):
        return otherwise
    k = int(places[-1])
    if min(curve[k], curve[k + 1]) <= 0:
        return float(grid[k + 1])
    share = np.log(value / curve[k]) / np.log(curve[k + 1] / curve[k])
    return float(grid[k] * (grid[k + 1] / grid[k]) ** share)
