"""The most probable fits of each series, and the choice among them, by the kernel: see
`search.gathered` and `search.model_selection`."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from ctypes import c_double, c_int64, c_void_p
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..settings import ARITHMETIC, SelectionSettings
from .library import address, doubles, integers, pointer

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]
A = TypeVar("A", bound=np.generic)


class _Fits(ctypes.Structure):
    _fields_ = [
        *((n, c_int64) for n in ("n", "k")),
        *((n, c_void_p) for n in ("codes", "prior", "base", "rss", "log_weight")),
        *((n, c_void_p) for n in ("coefficients", "root", "beyond", "constants")),
    ]


class _Gathering(ctypes.Structure):
    _fields_ = [
        *((n, c_int64) for n in ("series", "profiles", "levels", "parameters", "beyond")),
        *((n, c_int64) for n in ("groups", "kept", "most")),
        *((n, c_void_p) for n in ("fits", "far", "slopes", "log_sigmas", "numbers")),
        ("equal", c_double),
        ("rounding", c_double),
    ]


@dataclass(frozen=True)
class Fitted:
    """Candidates of one size with log prior (K, n), fitted under each of V noise profiles: base and
    rss (K, n, V) as in `posterior.Fits`, values beyond the data (K, n, V, F), coefficients (K, n,
    V, k), root (K, n, V, k, k), and log_weight (K, n, V), the log evidence with noise levels
    integrated out."""

    codes: Codes
    prior: Floats
    base: Floats
    rss: Floats
    coefficients: Floats
    root: Floats
    beyond: Floats
    log_weight: Floats


@dataclass(frozen=True)
class MostProbable:
    """The most probable fits of K series, the best first, padded to the largest number of
    coefficients: codes (K, A, k, m), coefficients (K, A, k), root (K, A, k, k), beyond (K, A, F)
    values, lead (K, A, m) terms; log prior of the hypothesis, sigma, profile, log evidence (K,
    A)."""

    codes: Codes
    coefficients: Floats
    root: Floats
    beyond: Floats
    lead: Codes
    prior: Floats
    sigma: Floats
    profile: Codes
    evidence: Floats


def gathered(
    library: ctypes.CDLL,
    groups: Sequence[Fitted],
    constants: Sequence[Floats],
    far: Sequence[Floats],
    sigmas: Floats,
    numbers: Codes,
    kept: int,
) -> MostProbable:
    """The `kept` most probable fits of each series, at most as many as there are.

    Args:
        library: the kernel.
        groups: the fits by size.
        constants: (K, V, S) of their log evidence at each noise level.
        far: (T_l, F) factors of each parameter beyond the data.
        sigmas: (S,) noise levels.
        numbers: (V,) of the noise profiles.
        kept: A.
    """
    count, _, profiles = groups[0].base.shape
    most, several = max(g.codes.shape[2] for g in groups), groups[0].codes.shape[3]
    held: list[NDArray[Any]] = []
    rows = (_Fits * len(groups))()
    for place, (g, own_constants) in enumerate(zip(groups, constants, strict=True)):
        arrays: list[NDArray[Any]] = [integers(g.codes)]
        parts = (g.prior, g.base, g.rss, g.log_weight, g.coefficients, g.root, g.beyond)
        arrays += [doubles(a) for a in (*parts, own_constants)]
        rows[place] = _Fits(g.codes.shape[1], g.codes.shape[2], *map(address, arrays))
        held += arrays
    tables = [doubles(f) for f in far]
    pointers = np.array([address(t) for t in tables], dtype=np.int64)
    own = [doubles(-0.5 / sigmas**2), doubles(np.log(sigmas)), integers(numbers)]
    beyond = tables[0].shape[1]
    structure = _Gathering(
        count,
        profiles,
        len(sigmas),
        several,
        beyond,
        len(groups),
        kept,
        most,
        ctypes.cast(rows, c_void_p),
        address(pointers),
        *map(address, own),
        ARITHMETIC.evidence,
        ARITHMETIC.rounding,
    )
    found = MostProbable(
        np.zeros((count, kept, most, several), dtype=np.int64),
        np.zeros((count, kept, most)),
        np.zeros((count, kept, most, most)),
        np.zeros((count, kept, beyond)),
        np.zeros((count, kept, several), dtype=np.int64),
        np.zeros((count, kept)),
        np.zeros((count, kept)),
        np.zeros((count, kept), dtype=np.int64),
        np.zeros((count, kept)),
    )
    library.gather(ctypes.byref(structure), *map(pointer, vars(found).values()))
    return found


class _Choosing(ctypes.Structure):
    _fields_ = [
        *((n, c_int64) for n in ("series", "fits", "beyond", "horizon", "parameters", "kept")),
        *((n, c_int64) for n in ("grouped", "compared")),
        *((n, c_void_p) for n in ("evidence", "power", "values", "lead", "line", "line_weight")),
        *((n, c_double) for n in ("action_share", "lead_weight", "agreement", "rounding", "equal")),
    ]


@dataclass(frozen=True)
class Chosen:
    """Numbers (K, kept) of the fits that are kept, the chosen one first, their share of the
    probability (K, kept), the last ones with that of all the others, and of the chosen one the
    probability that its leading term leads and that of fits which agree with it (K,)."""

    order: Codes
    share: Floats
    lead_share: Floats
    agreement: Floats


def chosen(
    library: ctypes.CDLL,
    evidence: Floats,
    power: Floats,
    beyond: Floats,
    lead: Codes,
    line: Floats,
    line_weight: Floats,
    settings: SelectionSettings,
) -> Chosen:
    """The fit of each series with the least expected loss.

    Args:
        library: the kernel.
        evidence: (K, A) log evidence of the fits, and its power (K,).
        power: (K,).
        beyond: (K, A, F) values.
        lead: (K, A, m) leading terms.
        line: (K, horizon) values of local extrapolation, and its weight (K,) as one more expert.
        line_weight: (K,).
        settings: of the choice.
    """
    count, fits = evidence.shape
    kept = min(settings.kept, fits)
    arrays: list[NDArray[Any]] = [doubles(evidence), doubles(power), doubles(beyond)]
    arrays += [integers(lead), doubles(line), doubles(line_weight)]
    structure = _Choosing(
        count,
        fits,
        beyond.shape[2],
        settings.horizon,
        lead.shape[2],
        kept,
        settings.grouped if kept < fits else 0,
        settings.compared,
        *map(address, arrays),
        settings.action_share,
        settings.lead_weight,
        settings.agreement,
        settings.rounding,
        ARITHMETIC.equal,
    )
    order = np.empty((count, kept), dtype=np.int64)
    found = Chosen(order, np.zeros((count, kept)), np.zeros(count), np.zeros(count))
    library.choose_fits(ctypes.byref(structure), *map(pointer, vars(found).values()))
    return found


def in_order(library: ctypes.CDLL, order: Codes, array: NDArray[A]) -> NDArray[A]:
    """(K, kept, ...): rows of an array (K, A, ...) by their numbers (K, kept)."""
    source = np.ascontiguousarray(array)
    found = np.empty((*order.shape, *source.shape[2:]), dtype=source.dtype)
    width = source[:1, :1].nbytes
    sizes = (len(source), source.shape[1], order.shape[1], width)
    order = integers(order)
    library.rows_in_order(*map(c_int64, sizes), pointer(order), pointer(source), pointer(found))
    return found
