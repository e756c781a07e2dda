"""Subsets of terms that explain the data, by beam search: forward selection that keeps several
states.

Each state is an orthonormal basis of its terms' columns; what a further term would take from the
residual sum of squares is (r't)**2 / |t - QQ't|**2 for all terms at once, one matrix product for
all series and states.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..data.measurements import Floats
from ..kernel import beam as compiled
from ..kernel.library import kernel
from ..pmnf.hypotheses import Codes, least, values_at
from ..settings import ARITHMETIC, BeamSettings


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
    library = kernel()
    if library is not None:
        levels = compiled.beam_search(library, codes, tables, weight, target, cost, settings)
        if levels is not None:
            return [Level(*level) for level in levels]
    columns = values_at(codes, tables) * weight[:, None]
    return _by_numpy(columns, (weight != 0).sum(axis=1), target, cost, settings)


def _by_numpy(
    columns: Floats, count: Codes, target: Floats, cost: Floats, settings: BeamSettings
) -> list[Level]:
    """The same from weighted columns (K, T, P) of the terms and how many points count (K,)."""
    series, terms, points = columns.shape
    norms = np.einsum("ktp,ktp->kt", columns, columns)
    columns = columns / np.sqrt(np.maximum(norms, ARITHMETIC.tiny))[..., None]
    swapped = np.ascontiguousarray(columns.transpose(0, 2, 1))
    total = np.einsum("kp,kp->k", target, target)
    basis = np.zeros((series, 1, 0, points))
    residual, left = target[:, None, :], total[:, None]
    remaining = np.ones((series, 1, terms))
    chosen = np.zeros((series, 1, 0), dtype=np.int64)
    spent = np.zeros((series, 1))
    parts = np.zeros((series, 1, 0))
    row, ended = np.arange(series)[:, None], np.zeros(series, dtype=bool)
    states: list[Level] = []
    for size in range(1, min(settings.levels, int(count.max()) - 1, terms) + 1):
        ended |= size >= count
        half = np.maximum(count - size, 1)[:, None] / 2
        after = residual @ swapped
        after *= after
        outside = np.maximum(remaining, ARITHMETIC.remaining)
        after /= outside
        np.subtract(left[..., None], after, out=after)
        # the rounding of this difference is the greater the less of a term is outside of the state
        least = ARITHMETIC.slack * np.sqrt(left * total[:, None])
        np.maximum(after, least[..., None] / outside, out=after)
        np.maximum(after, ARITHMETIC.exact * total[:, None, None], out=after)
        # the score is -half log after: with priors as factors, logarithms of the best few suffice
        after *= np.exp(spent / half)[..., None]
        after *= np.exp(cost / half)[:, None]
        after[remaining <= ARITHMETIC.remaining] = np.inf
        state, term, possible = _best(after, chosen, settings)
        chosen = np.concatenate([chosen[row, state], term[..., None]], axis=2)
        basis, residual = _extend(basis[row, state], residual[row, state], columns[row, term])
        remaining = remaining[row, state] - (basis[:, :, -1] @ swapped) ** 2
        spent = spent[row, state] + cost[row, term]
        parts = np.concatenate([parts[row, state], (basis[:, :, -1] @ target[:, :, None])], axis=2)
        left = np.einsum("kbp,kbp->kb", residual, residual)
        score = -half * np.log(np.maximum(left, ARITHMETIC.exact * total[:, None])) - spent
        score[~possible | ended[:, None]] = -np.inf
        states.append(Level(np.sort(chosen, axis=2), score, left, parts))
        ended |= left.min(axis=1) <= ARITHMETIC.exact_stop * total
        if size > settings.patience:
            with np.errstate(invalid="ignore"):
                ended |= score.max(axis=1) < states[-2].score.max(axis=1) - settings.worse
        if ended.all():
            break
    return states


def _best(
    after: Floats, chosen: Codes, settings: BeamSettings
) -> tuple[Codes, Codes, NDArray[np.bool_]]:
    """(state, term), and whether it adds something, each (K, width), the least first, without sets
    that occur twice: where fewer are left, some stand again that add nothing."""
    series, _, terms = after.shape
    flat = after.reshape(series, -1)
    keep = min(settings.width, flat.shape[1])
    wide = min(flat.shape[1], settings.spare * keep)
    index = least(flat, wide)
    state, term = index // terms, index % terms
    row = np.arange(series)[:, None]
    sets = np.sort(np.concatenate([chosen[row, state], term[..., None]], axis=2), axis=2)
    key = np.zeros(state.shape, dtype=np.int64)
    for k in range(sets.shape[2]):
        key = key * (terms + 1) + sets[..., k]
    possible = np.isfinite(np.take_along_axis(flat, index, axis=1))
    # two ways to one set are equal but for rounding: the first place stands for both, where the
    # first of them is
    order = np.argsort(key, axis=1, kind="stable")
    ordered = np.take_along_axis(key, order, axis=1)
    new = np.ones(key.shape, dtype=bool)
    new[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    places = np.where(possible, index, flat.shape[1])
    first = np.minimum.reduceat(
        np.take_along_axis(places, order, axis=1).ravel(), np.flatnonzero(new)
    )
    again = np.zeros(key.shape, dtype=bool)
    np.put_along_axis(again, order, ~new, axis=1)
    of_set = np.empty(key.shape, dtype=np.int64)
    np.put_along_axis(of_set, order, first[np.cumsum(new) - 1].reshape(key.shape), axis=1)
    index = np.where(of_set < flat.shape[1], of_set, index)
    order = np.argsort(again, axis=1, kind="stable")[:, :keep]
    possible &= ~again
    index, possible = (np.take_along_axis(a, order, axis=1) for a in (index, possible))
    return index // terms, index % terms, possible


def _extend(basis: Floats, residual: Floats, column: Floats) -> tuple[Floats, Floats]:
    """Add a column (K, B, P) to each basis (K, B, k, P) and take its part out of the residual."""
    v = column
    for _ in range(2):  # a second pass restores what rounding took (Parlett, 1980, section 6.9)
        v = v - np.einsum("kbi,kbip->kbp", np.einsum("kbip,kbp->kbi", basis, v), basis)
    v = v / np.maximum(np.sqrt(np.einsum("kbp,kbp->kb", v, v)), ARITHMETIC.tiny)[..., None]
    residual = residual - np.einsum("kbp,kbp->kb", residual, v)[..., None] * v
    return np.concatenate([basis, v[:, :, None]], axis=2), residual
