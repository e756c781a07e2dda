"""Exact fits by the kernel: see `evidence.posterior` and `search.candidate_fits`."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from ctypes import c_double, c_int64, c_void_p
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..settings import ARITHMETIC, CoefficientSettings
from .choice import Gathering, MostProbable
from .library import address, doubles, integers, kernel, pointer

Floats = NDArray[np.float64]


class Rules(ctypes.Structure):
    """What one fit needs beside its data."""

    _fields_ = [
        *((n, c_double) for n in ("closest", "lowest", "highest", "step", "log_width")),
        *((n, c_double) for n in ("negative", "dependent", "tiny", "residual", "ratio")),
        ("strength", c_double),
        ("steps", c_int64),
        ("positive", c_int64),
    ]


def rules(settings: CoefficientSettings, steps: int, positive: bool) -> Rules:
    """From the settings, the number of Gauss-Newton steps, and whether all values are positive."""
    return Rules(
        settings.closest,
        *settings.bounds,
        settings.step,
        settings.log_width,
        settings.negative,
        ARITHMETIC.dependent,
        ARITHMETIC.tiny,
        ARITHMETIC.residual,
        ARITHMETIC.ratio,
        ARITHMETIC.strength,
        steps,
        positive,
    )


def fit_rows(
    columns: Floats, y: Floats, magnitude: Floats, deviation: Floats, volume: Floats, rule: Rules
) -> tuple[Floats, ...]:
    """base, rss (N,), coefficients (k, N), root (k, k, N) and residual (P, N) of columns (k, P, N),
    as `posterior.fit_rows`."""
    k, points, n = columns.shape
    data = [doubles(a) for a in (columns, y, magnitude, deviation, volume)]
    shapes = (n,), (n,), (k, n), (k, k, n), (points, n)
    found = tuple(map(np.empty, shapes))
    kernel().fit_rows(
        c_int64(n),
        c_int64(k),
        c_int64(points),
        *map(pointer, data),
        ctypes.byref(rule),
        *map(pointer, found),
    )
    return found


def sum_levels(
    kind: NDArray[np.int64],
    base: Floats,
    rss: Floats,
    constants: Floats,
    slopes: Floats,
    found: Floats,
) -> None:
    """Add to log evidence (Q, K, S, V) of noise levels that of candidates of these kinds (K, n),
    with base and rss (K, n, V); constants (K, S) and slopes (S,) times rss."""
    count, n, profiles = base.shape
    data: list[NDArray[Any]] = [integers(kind)]
    data += [doubles(a) for a in (base, rss, constants, slopes)]
    kernel().sum_levels(
        *map(c_int64, (count, n, profiles, len(slopes), len(found))),
        *map(pointer, data),
        pointer(found),
    )


class _Shared(ctypes.Structure):
    _fields_ = [
        *((n, c_int64) for n in ("series", "points", "beyond", "parameters")),
        *((n, c_int64) for n in ("profiles", "levels", "top", "outlier", "complete")),
        *((n, c_void_p) for n in ("tables", "far", "y", "magnitude", "deviation", "volume")),
        *((n, c_void_p) for n in ("counts", "least", "constants", "slopes", "nonnegative")),
        ("largest", c_double),
        ("rounding", c_double),
    ]


@dataclass(frozen=True)
class Shared:
    """What the candidates of a batch have in common.

    tables[l] (T_l, P), far[l] (T_l, F); y, magnitude, spread (K, P); variances (V, P); top the
    largest point; outlier the number of the profile, among V, that takes it for one, or -1; least
    (K,) the least residual of the repetitions there, largest the greatest that an outlier may have;
    constants (K, V, S) of the log evidence at each noise level, slopes (S,) times rss beside them;
    nonnegative (K,).
    """

    tables: Sequence[Floats]
    far: Sequence[Floats]
    y: Floats
    magnitude: Floats
    spread: Floats
    variances: Floats
    top: int
    outlier: int
    least: Floats
    largest: float
    slopes: Floats
    nonnegative: NDArray[np.bool_]

    @cached_property
    def prepared(self) -> tuple[_Shared, list[NDArray[Any]]]:
        """As the kernel reads it, all but the constants, and the arrays that must live as long."""
        tables, far = [doubles(t) for t in self.tables], [doubles(f) for f in self.far]
        deviation = np.sqrt(self.spread[:, None] * self.variances)
        finite = np.isfinite(deviation)
        complete = bool(finite.all())
        logs = np.log(deviation if complete else np.where(finite, deviation, 1.0))
        counts = finite[:, 0].sum(axis=1)
        of_points = (self.y, self.magnitude, deviation, logs.sum(axis=2), counts, self.least)
        data = [doubles(a) for a in of_points]
        slopes, flags = doubles(self.slopes), np.ascontiguousarray(self.nonnegative, dtype=np.uint8)
        pointers = [np.array([address(a) for a in some], dtype=np.int64) for some in (tables, far)]
        structure = _Shared(
            *self.y.shape,
            far[0].shape[1],
            len(tables),
            len(self.variances),
            len(self.slopes),
            self.top,
            self.outlier,
            complete,
            *map(address, pointers),
            *map(address, data),
            None,
            address(slopes),
            address(flags),
            self.largest,
            ARITHMETIC.rounding,
        )
        return structure, [*tables, *far, *data, slopes, flags, *pointers]


class _Sized(ctypes.Structure):
    _fields_ = [
        *((n, c_int64) for n in ("n", "k")),
        *((n, c_void_p) for n in ("codes", "prior", "constants")),
    ]


class _Worth(ctypes.Structure):
    _fields_ = [*((n, c_double) for n in ("hopeless", "straight"))]


@dataclass(frozen=True)
class Sized:
    """Candidates of one size: codes (K, n, k, m), log prior (K, n), and constants (K, V, S) of the
    log evidence at each noise level."""

    codes: NDArray[np.int64]
    prior: Floats
    constants: Floats


def fit_and_gather(
    shared: Shared,
    groups: Sequence[Sized],
    rule: Rules,
    further: Rules | None,
    worth: tuple[float, float],
    gathering: Gathering,
) -> tuple[MostProbable, Floats]:
    """The most probable fits of each series, and the least variance (K,) that any possible fit
    leaves. All other fits are forgotten: those of a few series at a time stay in the cache.

    Args:
        shared: what all candidates have in common.
        groups: the candidates by size.
        rule: of the first fits.
        further: of those that follow, if any.
        worth: how far behind the best log weight they are hopeless, and the root mean square of
            residuals from which they are made.
        gathering: how many are kept.

    Raises:
        MemoryError: there is no room for the fits of a few series.
    """
    structure, _ = shared.prepared
    held: list[NDArray[Any]] = []
    rows = (_Sized * len(groups))()
    for place, g in enumerate(groups):
        arrays = [integers(g.codes), doubles(g.prior), doubles(g.constants)]
        rows[place] = _Sized(*g.codes.shape[1:3], *map(address, arrays))
        held += arrays
    found, written = gathering.room(len(shared.y))
    variance = np.empty(len(shared.y))
    kernel().fit_and_gather(
        c_int64(len(groups)),
        ctypes.byref(rows),
        ctypes.byref(structure),
        ctypes.byref(rule),
        None if further is None else ctypes.byref(further),
        ctypes.byref(_Worth(*worth)),
        ctypes.byref(gathering.structure),
        ctypes.byref(written),
        pointer(variance),
    )
    return found, variance


def fit_candidates(
    shared: Shared,
    constants: Floats,
    codes: NDArray[np.int64],
    prior: Floats,
    worth: tuple[Floats, Floats] | None,
    rule: Rules,
    results: Sequence[Floats],
) -> None:
    """Fit candidates (K, n, k, m) with log prior (K, n) under each profile, and write base, rss,
    log_weight, coefficients, root and far values; of those fitted before whose log weight and rss
    are greater than what is `worth` it, (K,) and (K,)."""
    structure, _ = shared.prepared
    constants = doubles(constants)
    structure.constants = address(constants)
    codes, prior = integers(codes), doubles(prior)
    limits = [doubles(w) for w in worth] if worth is not None else []
    kernel().fit_candidates(
        c_int64(codes.shape[1]),
        c_int64(codes.shape[2]),
        pointer(codes),
        pointer(prior),
        *(map(pointer, limits) if limits else (None, None)),
        ctypes.byref(structure),
        ctypes.byref(rule),
        *map(pointer, results),
    )
