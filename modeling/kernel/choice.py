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
from .library import address, doubles, integers, kernel, pointer

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
        *((n, c_double) for n in ("equal", "rounding")),
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


class GatheredStructure(ctypes.Structure):
    """Where the kernel writes what it gathers."""

    _fields_ = [
        *((n, c_void_p) for n in ("codes", "coefficients", "root", "beyond", "lead", "prior")),
        *((n, c_void_p) for n in ("sigma", "profile", "evidence")),
    ]


class Gathering:
    """What the kernel is told of fits that it gathers: sizes are the numbers of fits and of
    coefficients (n, k) of each size, of hypotheses of m parameters.

    Args:
        sizes: (n, k) of each size.
        far: (T_l, F) factors of each parameter beyond the data.
        sigmas: (S,) noise levels.
        numbers: (V,) of the noise profiles.
        most: of the fits of a series that are kept.
    """

    def __init__(
        self,
        sizes: Sequence[tuple[int, int]],
        far: Sequence[Floats],
        sigmas: Floats,
        numbers: Codes,
        most: int,
    ) -> None:
        self._tables = [doubles(f) for f in far]
        pointers = np.array([address(t) for t in self._tables], dtype=np.int64)
        self._held: list[NDArray[Any]] = [pointers, doubles(-0.5 / sigmas**2)]
        self._held += [doubles(np.log(sigmas)), integers(numbers)]
        self.kept = min(most, len(numbers) * sum(n for n, _ in sizes))
        self.size, self.beyond = max(k for _, k in sizes), self._tables[0].shape[1]
        self.structure = _Gathering(
            *(0, len(numbers), len(sigmas), len(far), self.beyond, len(sizes), self.kept),
            *(self.size, None, *map(address, self._held)),
            *(ARITHMETIC.evidence, ARITHMETIC.rounding),
        )

    def room(self, count: int) -> tuple[MostProbable, GatheredStructure]:
        """For the fits of so many series."""
        shape, several = (count, self.kept), len(self._tables)
        found = MostProbable(
            np.empty((*shape, self.size, several), dtype=np.int64),
            np.empty((*shape, self.size)),
            np.empty((*shape, self.size, self.size)),
            np.empty((*shape, self.beyond)),
            np.empty((*shape, several), dtype=np.int64),
            np.empty(shape),
            np.empty(shape),
            np.empty(shape, dtype=np.int64),
            np.empty(shape),
        )
        return found, GatheredStructure(*map(address, vars(found).values()))


def gathered(
    groups: Sequence[Fitted], constants: Sequence[Floats], gathering: Gathering
) -> MostProbable:
    """The most probable fits of each series.

    Args:
        groups: the fits by size.
        constants: (K, V, S) of their log evidence at each noise level.
        gathering: how many, and of which profiles and levels.
    """
    held: list[NDArray[Any]] = []
    rows = (_Fits * len(groups))()
    for place, (g, own_constants) in enumerate(zip(groups, constants, strict=True)):
        arrays: list[NDArray[Any]] = [integers(g.codes)]
        parts = (g.prior, g.base, g.rss, g.log_weight, g.coefficients, g.root, g.beyond)
        arrays += [doubles(a) for a in (*parts, own_constants)]
        rows[place] = _Fits(g.codes.shape[1], g.codes.shape[2], *map(address, arrays))
        held += arrays
    found, written = gathering.room(len(groups[0].base))
    structure = gathering.structure
    structure.series, structure.fits = len(groups[0].base), ctypes.cast(rows, c_void_p)
    kernel().gather(ctypes.byref(structure), ctypes.byref(written))
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
    kernel().choose_fits(ctypes.byref(structure), *map(pointer, vars(found).values()))
    return found


def in_order(order: Codes, array: NDArray[A]) -> NDArray[A]:
    """(K, kept, ...): rows of an array (K, A, ...) by their numbers (K, kept)."""
    source = np.ascontiguousarray(array)
    found = np.empty((*order.shape, *source.shape[2:]), dtype=source.dtype)
    width = source[:1, :1].nbytes
    sizes = (len(source), source.shape[1], order.shape[1], width)
    order = integers(order)
    kernel().rows_in_order(*map(c_int64, sizes), pointer(order), pointer(source), pointer(found))
    return found
