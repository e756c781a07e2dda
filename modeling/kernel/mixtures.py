"""Samples under bounded noise by the kernel: see `evidence.bounded_noise`."""

from __future__ import annotations

import ctypes
from ctypes import c_double, c_int64, c_void_p
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..settings import ARITHMETIC, Settings
from .library import LANES, address, doubles, integers, kernel, pointer

Floats = NDArray[np.float64]


class _Sampling(ctypes.Structure):
    _fields_ = [
        *((n, c_int64) for n in ("k", "points", "far", "laws", "samples", "cells")),
        *((n, c_void_p) for n in ("columns", "beyond", "counts", "lows", "highs")),
        *((n, c_void_p) for n in ("prior", "total", "noise", "kind", "nonnegative")),
        *((n, c_void_p) for n in ("z", "log_density", "density", "edges", "above")),
        *((n, c_double) for n in ("first_edge", "negative", "log_width", "tiny", "value")),
        *((n, c_double) for n in ("clipped", "good", "tempered", "tempering", "kept")),
        ("correlation", c_double),
        ("equal", c_int64),
        ("rounds", c_int64),
    ]


@dataclass(frozen=True)
class Round:
    """What a round found of n laws: mean (k, n), moved root (k, k, n), log evidence, least half
    width, power of the weights, whether it is nowhere possible, and negative beyond the data
    (n,)."""

    mean: Floats
    root: Floats
    evidence: Floats
    width: Floats
    power: Floats
    nowhere: NDArray[np.bool_]
    negative: NDArray[np.bool_]


class Sampler:
    """Adaptive importance sampling of N laws of one size; see `bounded_noise.Trials`."""

    def __init__(
        self,
        columns: Floats,
        far: Floats,
        counts: Floats,
        lows: Floats,
        highs: Floats,
        prior: Floats,
        nonnegative: NDArray[np.bool_],
        noise: Floats,
        density: Floats,
        kinds: Floats,
        kind: NDArray[np.int64],
        above: Floats,
        settings: Settings,
    ) -> None:
        total = kinds[kind]
        edges = np.log(settings.bounded.edges)
        given = (columns, far, counts, lows, highs, prior, total, noise)
        self._arrays: list[NDArray[Any]] = [doubles(a) for a in given]
        self._arrays += [integers(kind), np.ascontiguousarray(nonnegative, dtype=np.uint8)]
        self._tables = [doubles(a) for a in (density, edges, above)]
        self._k = len(columns)
        bounded = settings.bounded
        self._structure = _Sampling(
            *columns.shape[:2],
            far.shape[1],
            columns.shape[2],
            0,
            len(self._tables[0]),
            *map(address, self._arrays),
            None,
            None,
            *map(address, self._tables),
            bounded.edges[0],
            settings.coefficients.negative,
            settings.coefficients.log_width,
            ARITHMETIC.tiny,
            ARITHMETIC.value,
            ARITHMETIC.log_weight,
            bounded.good_share,
            bounded.tempered_share,
            bounded.tempering,
            bounded.kept_covariance,
            ARITHMETIC.correlation,
            bool((counts == counts[0]).all()),
            bounded.tempering_rounds,
        )

    def round(
        self, rows: NDArray[np.int64], centre: Floats, root: Floats, z: Floats, log_density: Floats
    ) -> Round:
        """Draw samples z (k, M) with log densities (M,) around centre (k, N) with root (k, k, N)
        for some of the laws (n,); M is a multiple of `LANES`."""
        if z.shape[1] % LANES:
            raise ValueError(f"{z.shape[1]} samples are no multiple of {LANES}")
        k, n, structure = self._k, len(rows), self._structure
        samples = [doubles(z), doubles(log_density)]
        structure.samples = z.shape[1]
        structure.z, structure.log_density = map(address, samples)
        mean, moved = np.empty((k, n)), np.empty((k, k, n))
        evidence, width, power = np.empty((3, n))
        nowhere, negative = np.empty((2, n), dtype=np.uint8)
        arrays: list[NDArray[Any]] = [integers(rows), doubles(centre), doubles(root)]
        arrays += [mean, moved, evidence, width, power, nowhere, negative]
        kernel().sampled(ctypes.byref(structure), c_int64(n), *map(pointer, arrays))
        flags = nowhere.astype(bool), negative.astype(bool)
        return Round(mean, moved, evidence, width, power, *flags)
