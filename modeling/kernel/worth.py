"""Which of the hypotheses that were ranked get an exact fit, by the kernel: see
`search.single_parameter`."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from ctypes import c_double, c_int64, c_void_p
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..settings import ARITHMETIC
from .library import address, doubles, integers, kernel, pointer

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]


class _Ranked(ctypes.Structure):
    _fields_ = [
        *((n, c_int64) for n in ("n", "k")),
        *((n, c_void_p) for n in ("number", "rows", "evidence", "prior")),
    ]


@dataclass(frozen=True)
class Ranked:
    """Hypotheses of one size: numbers and log evidence (K, n) of the best, infinite where all are
    kept, and of all of them factor numbers (H, k) and log prior (H,)."""

    number: Codes
    evidence: Floats
    rows: Codes
    prior: Floats


def worth_fitting(
    groups: Sequence[Ranked], most: int, always: int, hopeless: float
) -> list[tuple[Codes, Floats]]:
    """Factor numbers (K, n, k, 1) and log prior (K, n) of the hypotheses of each group that are
    worth an exact fit, without probability where a series has fewer of them.

    Args:
        groups: hypotheses by size.
        most: how many of all sizes are kept of a series.
        always: how many of the first group are kept anyway.
        hopeless: how far behind the best log evidence none is kept.

    Raises:
        MemoryError: there is no room for the limits.
    """
    series, width = len(groups[0].number), max(g.number.shape[1] for g in groups)
    held: list[list[NDArray[Any]]] = [
        [integers(g.number), integers(g.rows), doubles(g.evidence), doubles(g.prior)]
        for g in groups
    ]
    rows = (_Ranked * len(groups))(
        *(
            _Ranked(*g.number.shape[1:], g.rows.shape[1], *map(address, h))
            for g, h in zip(groups, held, strict=True)
        )
    )
    number = np.empty((len(groups), series, width), dtype=np.int64)
    counts = np.empty((len(groups), series), dtype=np.int64)
    kernel().worth(
        *map(c_int64, (len(groups), series)),
        ctypes.byref(rows),
        *map(c_int64, (most, always)),
        *map(c_double, (hopeless, ARITHMETIC.evidence)),
        c_int64(width),
        *map(pointer, (number, counts)),
    )
    found = []
    for of, own, many, g in zip(rows, number, counts, groups, strict=True):
        n = g.number.shape[1]
        codes = np.empty((series, n, g.rows.shape[1], 1), dtype=np.int64)
        prior = np.empty((series, n))
        kernel().numbered(
            *map(c_int64, (series, n, width)),
            ctypes.byref(of),
            *map(pointer, (own, many, codes, prior)),
        )
        found.append((codes, prior))
    return found
