"""The most probable fits of each series."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from ..data.measurements import Floats
from ..kernel import choice
from ..pmnf.hypotheses import Candidates, Codes, values_at
from ..settings import ARITHMETIC, at
from .batch import Batch
from .candidate_fits import CandidateFits, compiled_fits, fit_candidates

BELOW = 2
"""Most coefficients of a law of one parameter below a change of regime: a constant and a term."""


@dataclass(frozen=True)
class Gathered(choice.MostProbable):
    """The most probable fits of K series, and which of them explain by bounded noise or by steps
    what is left (K, A): that is no law that is missing.

    A fit may hold from a value on only: change (K, A) is the number of that place (see `Changes`;
    with one parameter it is the number of the first point), zero for a law of all points;
    below_codes (K, A, b, m) and below_coefficients (K, A, b) are the law below it.
    """

    explained: NDArray[np.bool_]
    change: Codes
    below_codes: Codes
    below_coefficients: Floats

    def part(self, rows: Codes) -> Gathered:
        """Those of some of the series."""
        return Gathered(*(getattr(self, f.name)[rows] for f in fields(self)))

    @staticmethod
    def joined(parts: Sequence[Gathered]) -> Gathered:
        """Those of all series of parts that have as many fits each; these may have room for other
        numbers of coefficients."""
        alike = _alike(parts)
        return Gathered(
            *(np.concatenate([getattr(p, f.name) for p in alike]) for f in fields(Gathered))
        )


def fitted_with(profile: Codes, change: Codes) -> Codes:
    """Noise profiles (...) that fits were made with: the points of a regime have one noise
    throughout, whatever its forecasts have."""
    return np.where(change > 0, 0, profile)


def live(y: Floats, coefficients: Floats, root: Floats) -> NDArray[np.bool_]:
    """(K, A, k): coefficients of fits to means y (K, P) that contribute more than rounding, and are
    told by more than the rounding of the values; root (K, A, k, k)."""
    size = np.abs(y).max(axis=1, initial=0.0)[:, None, None]
    told = ARITHMETIC.slack * np.sqrt(np.einsum("kaij,kaij->kai", root, root))
    result: NDArray[np.bool_] = np.abs(coefficients) > np.maximum(ARITHMETIC.idle * size, told)
    return result


FitsOf = Callable[[Codes], list[CandidateFits]]
"""The fits of all candidates of some of the series of a batch, which choose laws for other
noise."""


def fit_and_gather(
    batch: Batch, candidates: Sequence[Candidates]
) -> tuple[Gathered, Floats, FitsOf]:
    """The most probable fits, and the least variance (K,) that any possible fit leaves. Fits of all
    candidates are there for those who ask for them."""
    best, variance = compiled_fits(batch, candidates, _most(batch))

    def again(rows: Codes) -> list[CandidateFits]:
        return fit_candidates(batch.part(rows), [c.part(rows) for c in candidates])

    return _of_one_law(best), variance, again


def gather(
    batch: Batch, candidate_fits: Sequence[CandidateFits], most: int | None = None
) -> Gathered:
    """The most probable fits, `most` of them."""
    levels = batch.levels
    sizes = [w.codes.shape[1:-1] for w in candidate_fits]
    constants = [batch.constants(w.codes.shape[2]) for w in candidate_fits]
    asked = choice.Gathering(sizes, batch.far, levels.sigmas, levels.profiles, most or _most(batch))
    return _of_one_law(choice.gathered(candidate_fits, constants, asked))


def _most(batch: Batch) -> int:
    """How many fits are gathered: more than are kept, so that fits under bounded noise find room,
    and most of the probability is held where no other series tell the noise."""
    settings = batch.settings.selection
    alone = at(settings.gathered_alone, len(batch.tables) - 1)
    return 2 * settings.kept if batch.levels.pooled else alone


def _of_one_law(found: choice.MostProbable) -> Gathered:
    """Fits of laws of all points, of which nothing is explained yet."""
    shape = found.evidence.shape
    return Gathered(
        **vars(found),
        explained=np.zeros(shape, dtype=np.bool_),
        change=np.zeros(shape, dtype=np.int64),
        below_codes=np.zeros((*shape, BELOW, found.codes.shape[-1]), dtype=np.int64),
        below_coefficients=np.zeros((*shape, BELOW)),
    )


def by_evidence(evidence: Floats) -> Codes:
    """Places (K, A) of log evidences (K, A), the greatest first; equal ones stay in order."""
    return np.argsort(-np.rint(evidence / ARITHMETIC.evidence), axis=1, kind="stable")


def leading(batch: Batch, codes: Codes, coefficients: Floats) -> Codes:
    """The terms (N, m) of hypotheses (N, k, m) that are greatest at the last point beyond, the
    first one where nothing but rounding is; the constant is none of them."""
    last = np.abs(coefficients * values_at(codes, [f[:, -1:] for f in batch.far])[..., 0])
    last[last <= ARITHMETIC.rounding * last.max(axis=1, keepdims=True)] = 0.0
    greatest = np.where((codes > 0).any(axis=-1), last, -1.0).argmax(axis=1)
    result: Codes = codes[np.arange(len(codes)), greatest]
    return result


def merged(*parts: Gathered) -> Gathered:
    """The most probable fits of several, as many as the first one has."""
    parts = _alike(parts)
    every = np.concatenate([p.evidence for p in parts], axis=1)
    order = by_evidence(every)[:, : parts[0].evidence.shape[1]]
    row = np.arange(len(order))[:, None]
    return Gathered(
        *(
            np.concatenate([getattr(p, f.name) for p in parts], axis=1)[row, order]
            for f in fields(parts[0])
        )
    )


def widened(part: Gathered, size: int, below: int = BELOW) -> Gathered:
    """With room for so many coefficients, and for as many of the law below a change."""
    more, more_below = size - part.codes.shape[2], below - part.below_codes.shape[2]
    if more_below > 0:
        part = replace(
            part,
            below_codes=np.pad(part.below_codes, ((0, 0), (0, 0), (0, more_below), (0, 0))),
            below_coefficients=np.pad(part.below_coefficients, ((0, 0), (0, 0), (0, more_below))),
        )
    if not more:
        return part
    return replace(
        part,
        codes=np.pad(part.codes, ((0, 0), (0, 0), (0, more), (0, 0))),
        coefficients=np.pad(part.coefficients, ((0, 0), (0, 0), (0, more))),
        root=np.pad(part.root, ((0, 0), (0, 0), (0, more), (0, more))),
    )


def _alike(parts: Sequence[Gathered]) -> tuple[Gathered, ...]:
    """With room for as many coefficients in each."""
    size = max(p.codes.shape[2] for p in parts)
    below = max(p.below_codes.shape[2] for p in parts)
    return tuple(widened(p, size, below) for p in parts)
