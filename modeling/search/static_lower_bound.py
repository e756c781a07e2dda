"""A static lower bound limits the hypotheses: what grows more slowly than the bound is improbable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..pmnf.dictionary import ONE, Factor, FactorTable
from ..pmnf.hypotheses import Candidates

_TOO_SLOW = 20.0


def above_bound(
    candidates: Sequence[Candidates], tables: Sequence[FactorTable], slowest: Sequence[Factor]
) -> list[Candidates]:
    """Candidates with a penalty for each parameter in which no term grows as fast as `slowest`, one
    factor a parameter.

    A penalty, no exclusion: a bound holds for all values, measured ones may be too small to show
    it.
    """
    found = list(candidates)
    for k, (table, least) in enumerate(zip(tables, slowest, strict=True)):
        if least <= ONE:
            continue
        enough = np.array([f >= least for f in table.factors])
        if enough.any():
            found = [
                replace(
                    c,
                    prior=np.where(
                        enough[c.codes[..., k]].any(axis=-1), c.prior, c.prior - _TOO_SLOW
                    ),
                )
                for c in found
            ]
    return found
