"""Prediction intervals by the kernel: see `pmnf.interval` and `fitter.laws`."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from ctypes import c_double, c_int64, c_void_p
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..settings import ARITHMETIC, INTERVAL
from .library import address, doubles, integers, kernel, pointer
from .normal import normal_quantiles

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]
Flags = NDArray[np.bool_]


@lru_cache(maxsize=8)
def levels_of(level: float) -> tuple[Floats, Floats]:
    """(2,): the levels of the ends of an interval of this probability, and their normal
    quantiles."""
    q = np.array([0.5 - level / 2, 0.5 + level / 2])
    return q, normal_quantiles(q)


def quantiles(
    centres: Floats,
    widths: Floats,
    weight: Floats,
    levels: Floats,
    normal: Floats,
    precision: float,
    rounds: int,
) -> Floats:
    """(Q, ...) quantiles at levels (Q,), whose normal quantiles are known, of mixtures of normal
    distributions (A, ...)."""
    shape = np.broadcast_shapes(centres.shape, widths.shape, weight.shape)
    data = [doubles(np.broadcast_to(a, shape)) for a in (centres, widths, weight)]
    of = [doubles(levels), doubles(normal)]
    found = np.empty((len(levels), *shape[1:]))
    kernel().quantiles(
        c_int64(shape[0]),
        c_int64(found[0].size),
        *map(pointer, data),
        c_int64(len(levels)),
        *map(pointer, of),
        c_double(precision),
        c_int64(rounds),
        pointer(found),
    )
    return found


class _Asked(ctypes.Structure):
    _fields_ = [
        *((n, c_int64) for n in ("series", "fits", "size", "parameters", "points", "below")),
        *((n, c_void_p) for n in ("codes", "coefficients", "root", "live", "sigma", "kappa")),
        *((n, c_void_p) for n in ("weight", "there", "inside", "change", "below_codes")),
        *((n, c_void_p) for n in ("below_coefficients", "is_below", "inside_below", "positive")),
        *((n, c_void_p) for n in ("distance", "scatter", "changed")),
        *((n, c_double) for n in ("selected", "left_out", "most_fallen", "most_deviation")),
        *((n, c_double) for n in ("unseen_shift", "unseen_spread", "widened", "tiny", "rounding")),
    ]


@dataclass(frozen=True)
class Below:
    """Laws of the regimes below: numbers of the changes (K, A), codes (K, A, b, m) and coefficients
    (K, A, b); and where points, and where the data end on the way there, are below each change
    (changes, N)."""

    change: Codes
    codes: Codes
    coefficients: Floats
    there: Flags
    inside: Flags


@dataclass(frozen=True)
class Mixtures:
    """The alternatives of K series: codes (K, A, k, m), coefficients, root (K, A, k, k) and live as
    in `ChosenLaws`, sigma, kappa and weight (K, A), positive (K,)."""

    codes: Codes
    coefficients: Floats
    root: Floats
    live: Floats
    sigma: Floats
    kappa: Floats
    weight: Floats
    positive: Flags


def ends(
    laws: Mixtures,
    there: Sequence[Floats],
    inside: Sequence[Floats],
    below: Below | None,
    distance: Floats,
    scatter: Floats,
    changed: Floats,
    widened: float,
    levels: tuple[Floats, Floats],
) -> tuple[Floats, Floats]:
    """Lower and upper ends (K, N) of prediction intervals at N points.

    Args:
        laws: the alternatives.
        there: (T_l, N) factors of each parameter at the points ...
        inside: ... and where the data end on the way there.
        below: laws of the regimes below, if any law changes.
        distance: (N,) squared distances beyond the data.
        scatter: (K,) relative variance of an observation beyond that of a mean.
        changed: (K, N) probability that laws have ended before.
        widened: how much farther the ends are from the first law.
        levels: of the ends, and their normal quantiles.
    """
    (count, fits, size, parameters), points = laws.codes.shape, len(distance)
    low, high = np.empty((2, count, points))
    held: list[NDArray[Any]] = [integers(laws.codes)]
    held += map(doubles, (laws.coefficients, laws.root, laws.live))
    held += map(doubles, (laws.sigma, laws.kappa, laws.weight))
    tables = [[doubles(t) for t in some] for some in (there, inside)]
    held += [np.array([address(t) for t in some], dtype=np.int64) for some in tables]
    regimes: list[NDArray[Any]] = []
    if below is not None:
        regimes = [integers(below.change), integers(below.codes), doubles(below.coefficients)]
        regimes += [below.there.astype(np.uint8), below.inside.astype(np.uint8)]
    last: list[NDArray[Any]] = [laws.positive.astype(np.uint8), doubles(distance), doubles(scatter)]
    last.append(doubles(changed))
    of = [doubles(a) for a in levels]
    structure = _Asked(
        *(count, fits, size, parameters, points),
        0 if below is None else below.codes.shape[2],
        *map(address, held),
        *(map(address, regimes) if regimes else [None] * 5),
        *map(address, last),
        INTERVAL.selected,
        INTERVAL.left_out,
        INTERVAL.most_fallen,
        INTERVAL.most_deviation,
        INTERVAL.unseen_shift,
        INTERVAL.unseen_spread,
        widened,
        ARITHMETIC.tiny,
        ARITHMETIC.rounding,
    )
    kernel().interval_ends(
        ctypes.byref(structure),
        *map(pointer, of),
        c_double(INTERVAL.precision),
        c_int64(INTERVAL.rounds),
        pointer(low),
        pointer(high),
    )
    return low, high
