"""The ranking of all hypotheses of one parameter by the kernel: see `search.single_parameter`."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from ctypes import c_double, c_int64, c_void_p
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..settings import ARITHMETIC, CoefficientSettings
from .fits import rules
from .library import LANES, address, doubles, integers, kernel, pointer

Floats = NDArray[np.float64]


class _Ranking(ctypes.Structure):
    _fields_ = [
        *((n, c_int64) for n in ("series", "points", "size", "hypotheses", "padded")),
        *((n, c_int64) for n in ("keep", "profiles", "levels")),
        *((n, c_void_p) for n in ("y", "precision", "prior", "constants", "slopes")),
        *((n, c_void_p) for n in ("label", "order", "weighted")),
        *((n, c_double) for n in ("error", "negative", "log_width", "tiny", "difference")),
        *((n, c_double) for n in ("slack", "strength")),
        ("mask", c_int64),
    ]


@dataclass(frozen=True)
class Weighted:
    """Hypotheses of one size factored for one weighting of the points, as the kernel reads them:
    addresses of its arrays, the arrays, which must live as long, and the largest scale of an
    error."""

    addresses: tuple[int, ...]
    arrays: tuple[Floats, ...]
    largest: float

    @staticmethod
    def of(
        rows: NDArray[np.int64],
        columns: Floats,
        weight: Floats,
        prior: Floats,
        settings: CoefficientSettings,
    ) -> Weighted:
        """From factor numbers rows (H, k) of columns (T, P), the weight (P,) of the points and log
        prior (H,)."""
        count, k = rows.shape
        points = len(weight)
        padded = count + -count % LANES
        basis, scales = np.zeros((k, points, padded)), np.full(padded, np.inf)
        scales[:count] = np.exp(-2 / points * prior)
        records = np.empty((count, k * points + k * k + k + 1))
        held = doubles(weight)
        arrays: tuple[Floats, ...] = (basis, scales, records, held)
        data = [integers(rows), doubles(columns), held]
        kernel().weigh(
            *map(c_int64, (count, padded, k, points)),
            *map(pointer, data),
            ctypes.byref(rules(settings, 0, True)),
            pointer(basis),
            pointer(records),
        )
        scales[:count][np.isinf(records[:, -1])] = np.inf
        largest = float(scales.max(initial=1.0, where=np.isfinite(scales)))
        return Weighted(tuple(map(address, arrays)), arrays, largest)


def ranked(
    y: Floats,
    label: NDArray[np.int64],
    weighted: Sequence[Weighted],
    size: int,
    prior: Floats,
    keep: int,
    precision: Floats,
    constants: Floats,
    slopes: Floats,
    settings: CoefficientSettings,
) -> tuple[NDArray[np.int64], Floats]:
    """Numbers and approximate log evidence (K, V keep) of the best hypotheses of one size.

    Args:
        y: (K, P).
        label: (K,) which weights are those of each series.
        weighted: the hypotheses for each label and each of V profiles.
        size: coefficients of a hypothesis.
        prior: (H,).
        keep: how many are kept under each profile, at most H.
        precision: (K, V) units of the errors.
        constants: (K, V, S) of the log evidence at each noise level, slopes (S,) times the error.
        settings: prior over coefficients.

    Raises:
        MemoryError: there is no room for the errors.
    """
    count, points = y.shape
    profiles, levels = constants.shape[1:]
    table = np.array([w.addresses for w in weighted], dtype=np.int64)
    y, precision, prior, constants, slopes = map(doubles, (y, precision, prior, constants, slopes))
    label, order = integers(label), integers(np.argsort(label, kind="stable"))
    structure = _Ranking(
        count,
        points,
        size,
        len(prior),
        len(prior) + -len(prior) % LANES,
        keep,
        profiles,
        levels,
        *map(address, (y, precision, prior, constants, slopes, label, order, table)),
        ARITHMETIC.error,
        settings.negative,
        settings.log_width,
        ARITHMETIC.tiny,
        ARITHMETIC.difference,
        ARITHMETIC.slack * max(w.largest for w in weighted),
        ARITHMETIC.strength,
        ARITHMETIC.place,
    )
    number = np.empty((count, profiles * keep), dtype=np.int64)
    evidence = np.empty((count, profiles * keep))
    kernel().rank(ctypes.byref(structure), pointer(number), pointer(evidence))
    return number, evidence


def two_laws(y: Floats, logs: Floats, prior: Floats, scale: Floats, log_width: float) -> Floats:
    """(S, K): the greatest log likelihood, without constants, of two laws of one coefficient each
    with a change between them: logarithms y (K, P) of values and logs (H, P) of laws with log prior
    (H,), scale (S,) of the squares."""
    best = np.empty((len(scale), len(y)))
    data = [doubles(a) for a in (y, logs, prior, scale)]
    kernel().two_laws(
        *map(c_int64, (len(y), y.shape[1], len(prior), len(scale))),
        *map(pointer, data),
        c_double(log_width),
        pointer(best),
    )
    return best
