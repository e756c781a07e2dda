"""Subsets of terms that explain the data, by beam search: forward selection that keeps several
states.

Each state is an orthonormal basis of its terms' columns; what a further term would take from the
residual sum of squares is (r't)**2 / |t - QQ't|**2 for all terms at once, one matrix product for
all series and states.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..data.measurements import Floats
from ..kernel import beam as compiled
from ..pmnf.hypotheses import Codes
from ..settings import BeamSettings


@dataclass(frozen=True)
class Level:
    """States of k terms: chosen (K, B, k) sorted term numbers, score (K, B), the larger the better,
    minus infinity where the beam of a series has ended; left (K, B) is the residual sum of squares,
    parts (K, B, k) what the target has of each vector of an orthonormal basis of the terms."""

    chosen: Codes
    score: Floats
    left: Floats
    parts: Floats


def beam_search(
    codes: Codes,
    tables: Sequence[Floats],
    weight: Floats,
    target: Floats,
    cost: Floats,
    settings: BeamSettings,
) -> list[Level]:
    """Levels of one term and more, of each series until its data are explained or further terms
    explain nothing.

    Args:
        codes: (K, T, m) factor numbers of the terms.
        tables: (T_l, P) values of the factors of parameter l.
        weight: (K, P) of the points, zero where one does not count.
        target: (K, P) weighted observations.
        cost: (K, T) negative log prior of each term.
        settings: width of the beam, most levels.
    """
    levels = compiled.beam_search(codes, tables, weight, target, cost, settings)
    return [Level(*level) for level in levels]
