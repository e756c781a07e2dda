"""A static lower bound makes hypotheses improbable that grow more slowly than it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..pmnf.dictionary import ONE, Factor, FactorTable
from ..pmnf.hypotheses import Candidates
from ..settings import HypothesisSettings


def above_bound(
    candidates: Sequence[Candidates],
    tables: Sequence[FactorTable],
    slowest: Sequence[Factor],
    settings: HypothesisSettings,
) -> list[Candidates]:
    """Candidates with a penalty for each parameter in which no term grows as fast as `slowest`, one
    factor a parameter.

    A penalty and no exclusion: a bound holds for all values, and measured ones may be too small to
    show it.
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
                        enough[c.codes[..., k]].any(axis=-1), c.prior, c.prior - settings.too_slow
                    ),
                )
                for c in found
            ]
    return found
