"""Hypotheses as arrays: each term is a row of factor numbers, one for each parameter; zero is the
factor 1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..data.measurements import Floats
from ..settings import ARITHMETIC
from .dictionary import FactorTable

Codes = NDArray[np.int64]


@dataclass(frozen=True)
class Candidates:
    """Hypotheses of k terms (the constant is one) for K series: codes (K, n, k, m), log prior (K,
    n)."""

    codes: Codes
    prior: Floats

    @property
    def size(self) -> int:
        """k, the number of coefficients."""
        return int(self.codes.shape[-2])

    def part(self, rows: slice | Codes) -> Candidates:
        """Those of some of the series."""
        return Candidates(self.codes[rows], self.prior[rows])


def values_at(codes: Codes, tables: Sequence[Floats]) -> Floats:
    """Values (..., P) of terms with codes (..., m); tables[l] (T_l, P) holds the factors of
    parameter l at the points."""
    result = tables[0][codes[..., 0]]
    for k in range(1, len(tables)):
        result = result * tables[k][codes[..., k]]
    return result


def columns_of(codes: Codes, tables: Sequence[Floats]) -> Floats:
    """Values (k, P, N) of hypotheses with codes (N, k, m); as `values_at`, the number of the
    hypothesis last."""
    points = np.arange(tables[0].shape[1])[None, :, None]
    result = tables[0][codes[..., 0].T[:, None], points]
    for k in range(1, len(tables)):
        result *= tables[k][codes[..., k].T[:, None], points]
    return result


def scales_of(codes: Codes, tables: Sequence[FactorTable]) -> Floats:
    """What the columns of terms were divided by."""
    result: Floats = tables[0].scale[codes[..., 0]]
    for k in range(1, len(tables)):
        result = result * tables[k].scale[codes[..., k]]
    return result


def limit_of(values: Floats, count: int) -> Floats:
    """(K, 1): what so many values of each row (K, n) reach; where there are no more, the least of
    them."""
    count = min(count, values.shape[1])
    return -np.partition(-values, count - 1, axis=1)[:, count - 1 : count]


def least(values: Floats, keep: int) -> Codes:
    """Places (K, keep) of the least of the positive values of each row (K, H), the least one first.

    Positive numbers are in the order of their bits, and the last of these give way to the place:
    partitions of whole numbers are faster than those of places, and numbers that are equal but for
    rounding are in the order of their places (see `Arithmetic.equal`).
    """
    place = ARITHMETIC.place
    packed = values.view(np.int64) & ~place
    packed |= np.arange(values.shape[1])
    packed.partition(keep - 1, axis=1)
    found: Codes = np.sort(packed[:, :keep], axis=1) & place
    return found
