"""The beam search by the kernel: see `search.beam_search`."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from ctypes import c_double, c_int64, c_void_p
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..settings import ARITHMETIC, BeamSettings, Settings
from .library import LANES, address, doubles, integers, kernel, pointer

Floats = NDArray[np.float64]


class _Search(ctypes.Structure):
    _fields_ = [
        *((n, c_int64) for n in ("series", "terms", "padded", "points", "length", "width")),
        *((n, c_int64) for n in ("levels", "patience", "wide", "parameters")),
        *((n, c_void_p) for n in ("codes", "tables", "weight", "target", "cost")),
        *((n, c_double) for n in ("worse", "exact", "exact_stop", "remaining", "slack", "tiny")),
        ("mask", c_int64),
    ]


class _Weighing(ctypes.Structure):
    _fields_ = [
        *((n, c_int64) for n in ("series", "terms", "parameters", "states", "size")),
        *((n, c_int64) for n in ("levels", "numbers")),
        *((n, c_void_p) for n in ("codes", "costs", "together", "distinguishable", "points")),
        *((n, c_void_p) for n in ("several", "constants", "slopes")),
        *((n, c_double) for n in ("disguised", "interaction", "subset", "residual", "log_width")),
    ]


@dataclass(frozen=True)
class States:
    """States of one size as hypotheses: codes (K, B, k, m), log prior and roughly the log evidence
    (K, B)."""

    codes: NDArray[np.int64]
    prior: Floats
    evidence: Floats


class Weigher:
    """Prior and evidence of the states of a beam: terms (K, T, m) they are made of, costs (T_l,) of
    the factors of each parameter, and together (T_l,) as in `FactorTable`; how many are
    distinguishable (K, m), constants (K, S) of the log evidence at noise levels (S,) without those
    of the size, and how many points count (K,)."""

    def __init__(
        self,
        terms: NDArray[np.int64],
        costs: Sequence[Floats],
        together: Sequence[Floats],
        distinguishable: NDArray[np.int64],
        constants: Floats,
        sigmas: Floats,
        points: Floats,
        settings: Settings,
    ) -> None:
        self._settings, self._points = settings, doubles(points)
        self._terms, self._sigmas, self._constants = integers(terms), sigmas, constants
        self._kept = [[doubles(c) for c in each] for each in (costs, together)]
        self._costs, self._together = (
            np.array([address(c) for c in each], dtype=np.int64) for each in self._kept
        )
        self._distinguishable = integers(distinguishable)
        self._several = doubles(settings.hypotheses.log_several_terms)

    def states(
        self, chosen: NDArray[np.int64], score: Floats, left: Floats, parts: Floats
    ) -> States:
        """Of chosen terms (K, B, k) with scores and what they leave (K, B), and parts (K, B, k)."""
        (count, number, size), (_, terms, parameters) = chosen.shape, self._terms.shape
        freedom, levels = self._points[:, None] - size, len(self._sigmas)
        constants = np.full((count, levels + -levels % LANES), -np.inf)
        own = -freedom / 2 * np.log(2 * np.pi * self._sigmas**2)
        constants[:, :levels] = self._constants + own
        slopes = np.zeros(constants.shape[1])
        slopes[:levels] = -0.5 / self._sigmas**2
        prior = self._settings.hypotheses
        structure = _Weighing(
            count,
            terms,
            parameters,
            number,
            size,
            levels,
            len(self._several),
            *map(address, (self._terms, self._costs, self._together, self._distinguishable)),
            *map(address, (self._points, self._several)),
            address(constants),
            address(slopes),
            prior.disguised,
            prior.interaction,
            np.log(2.0**parameters - 1),
            ARITHMETIC.residual,
            self._settings.coefficients.log_width,
        )
        given = [integers(chosen), *map(doubles, (score, left, parts))]
        codes = np.empty((count, number, size, parameters), dtype=np.int64)
        found = States(codes, np.empty((count, number)), np.empty((count, number)))
        kernel().weigh_states(
            ctypes.byref(structure), *map(pointer, given), *map(pointer, vars(found).values())
        )
        return found


def beam_search(
    terms: NDArray[np.int64],
    tables: Sequence[Floats],
    weight: Floats,
    target: Floats,
    cost: Floats,
    settings: BeamSettings,
) -> list[tuple[NDArray[np.int64], Floats, Floats, Floats]]:
    """Chosen terms (K, B, k), score, left (K, B) and parts (K, B, k) of each level; scores are
    minus infinity where the beam of a series has ended.

    Args:
        terms: (K, T, m) factor numbers.
        tables: (T_l, P) values of the factors of parameter l.
        weight: (K, P) of the points, zero where one does not count.
        target: (K, P) weighted observations.
        cost: (K, T) of the terms.
        settings: of the search.
    """
    (count, number, parameters), points = terms.shape, weight.shape[1]
    held = [doubles(t) for t in tables]
    pointers = np.array([address(t) for t in held], dtype=np.int64)
    terms, weight, target, cost = integers(terms), *map(doubles, (weight, target, cost))
    width, levels = settings.width, min(settings.levels, points - 1, number)
    structure = _Search(
        count,
        number,
        number + -number % LANES,
        points,
        points + -points % LANES,
        width,
        levels,
        settings.patience,
        settings.spare * width,
        parameters,
        *map(address, (terms, pointers, weight, target, cost)),
        settings.worse,
        ARITHMETIC.exact,
        ARITHMETIC.exact_stop,
        ARITHMETIC.remaining,
        ARITHMETIC.slack,
        ARITHMETIC.tiny,
        ARITHMETIC.place,
    )
    chosen = np.zeros((levels, count, width, levels), dtype=np.int64)
    score, left = np.full((2, levels, count, width), -np.inf)
    parts = np.zeros((levels, count, width, levels))
    sizes = np.zeros(levels, dtype=np.int64)
    found = kernel().beam_search(
        ctypes.byref(structure), *map(pointer, (chosen, score, left, parts, sizes))
    )
    return [
        (chosen[k, :, :b, : k + 1], score[k, :, :b], left[k, :, :b], parts[k, :, :b, : k + 1])
        for k, b in enumerate(sizes[:found].tolist())
    ]
