"""Laws as constants and terms with their coefficients: those of many series a column at a time."""

from __future__ import annotations

import numpy as np

from ..data.measurements import Floats
from ..pmnf.dictionary import TermTable
from ..pmnf.hypotheses import Codes
from ..pmnf.terms import Term

Terms = tuple[tuple[float, Term], ...]


def written(
    codes: Codes, coefficients: Floats, table: TermTable
) -> tuple[list[float], list[Terms]]:
    """Constants and terms of K laws with codes (K, k, m) and coefficients (K, k), those that are
    zero left out."""
    constants = np.zeros(len(codes))
    used, varies = coefficients != 0, codes.any(axis=-1)
    for own, plain in zip(coefficients.T, (used & ~varies).T, strict=True):
        constants[plain] = own[plain]
    found: list[Terms] = [()] * len(codes)
    names, numbers = _named(codes, table)
    kinds = (used & varies) @ (1 << np.arange(codes.shape[1]))
    for kind in np.flatnonzero(np.bincount(kinds)).tolist():  # the places of their terms
        rows = np.flatnonzero(kinds == kind)
        columns = [
            zip(coefficients[rows, i].tolist(), map(names.__getitem__, own), strict=True)
            for i, own in enumerate(numbers[rows].T.tolist())
            if kind >> i & 1
        ]
        for k, terms in zip(rows.tolist(), zip(*columns, strict=True), strict=False):
            found[k] = terms
    return constants.tolist(), found


def _named(codes: Codes, table: TermTable) -> tuple[dict[int, Term], Codes]:
    """Terms by number, and their numbers (K, k) for codes (K, k, m); the constant has none."""
    if codes.shape[-1] == 1:
        numbers = codes[..., 0]
        present = np.flatnonzero(np.bincount(numbers.ravel()))
        return {k: table.term((k,)) for k in present.tolist() if k}, numbers
    rows = codes.reshape(-1, codes.shape[-1])
    present, places = np.unique(rows, axis=0, return_inverse=True)
    names = {
        k: table.term(tuple(present[k].tolist()))
        for k in np.flatnonzero(present.any(axis=1)).tolist()
    }
    return names, places.reshape(codes.shape[:-1])
