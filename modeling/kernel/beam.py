"""The beam search by the kernel: see `search.beam_search`."""

from __future__ import annotations

import ctypes
from ctypes import c_double, c_int64, c_void_p

import numpy as np
from numpy.typing import NDArray

from ..settings import ARITHMETIC, BeamSettings
from .library import address, doubles, pointer

Floats = NDArray[np.float64]
_LANES = 8


class _Search(ctypes.Structure):
    _fields_ = [
        *((n, c_int64) for n in ("series", "terms", "padded", "points", "length", "width")),
        *((n, c_int64) for n in ("levels", "patience", "wide")),
        *((n, c_void_p) for n in ("columns", "target", "cost")),
        *((n, c_double) for n in ("worse", "exact", "exact_stop", "remaining", "tiny")),
    ]


def beam_search(
    library: ctypes.CDLL, columns: Floats, target: Floats, cost: Floats, settings: BeamSettings
) -> list[tuple[NDArray[np.int64], Floats, Floats, Floats]] | None:
    """Chosen terms (K, B, k), score, left (K, B) and parts (K, B, k) of each level, from columns
    (K, T, P) of norm one, target (K, P) and cost (K, T); None where memory is short."""
    count, terms, points = columns.shape
    padded = np.zeros((count, points, terms + -terms % _LANES))
    padded[..., :terms] = columns.transpose(0, 2, 1)
    longer = np.zeros((count, points + -points % _LANES))
    longer[:, :points] = target
    target, cost = longer, doubles(cost)
    width, levels = settings.width, min(settings.levels, points - 1, terms)
    structure = _Search(
        count,
        terms,
        padded.shape[2],
        points,
        longer.shape[1],
        width,
        levels,
        settings.patience,
        settings.spare * width,
        *map(address, (padded, target, cost)),
        settings.worse,
        ARITHMETIC.exact,
        ARITHMETIC.exact_stop,
        ARITHMETIC.remaining,
        ARITHMETIC.tiny,
    )
    chosen = np.zeros((levels, count, width, levels), dtype=np.int64)
    score, left = np.full((2, levels, count, width), -np.inf)
    parts = np.zeros((levels, count, width, levels))
    sizes = np.zeros(levels, dtype=np.int64)
    library.beam_search.restype = c_int64
    found = library.beam_search(
        ctypes.byref(structure), *map(pointer, (chosen, score, left, parts, sizes))
    )
    if found < 0:
        return None
    return [
        (chosen[k, :, :b, : k + 1], score[k, :, :b], left[k, :, :b], parts[k, :, :b, : k + 1])
        for k, b in enumerate(sizes[:found].tolist())
    ]
