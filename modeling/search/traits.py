"""Traits of laws of one parameter that the series of a file have in common: terms that fall, and
powers times a logarithm.

Of the laws that are tried one in five falls somewhere or multiplies a power by a logarithm; in one
program nearly all of them may, or none. How many do is learned from the series that tell the noise
of a metric, when that noise is known (see `evidence.noise`), and laws of each kind are then as
probable as that: with p(kind) the share that was learned and q(kind) the prior of all its laws,

    p(law) = q(law) p(kind) / q(kind).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..data.measurements import Floats
from ..pmnf.dictionary import Factor, FactorTable
from ..pmnf.hypotheses import Candidates, Codes
from .batch import Batch
from .candidate_fits import CandidateFits, evidence_by_kind
from .single_parameter import Hypotheses

FALLS, PRODUCT = 1, 2
KINDS = 2 * PRODUCT
"""Laws without either trait, with one of them, and with both."""


def trait_of(factor: Factor) -> int:
    """The traits of a factor."""
    power, log = factor
    return FALLS * (power < 0) + PRODUCT * bool(power and log)


@dataclass(frozen=True, eq=False)
class Traits:
    """Those of the factors (T,) of a parameter, and log_prior (KINDS,) of all laws of each kind
    together."""

    factors: Codes
    log_prior: Floats

    @staticmethod
    def of(table: FactorTable, hypotheses: Sequence[Hypotheses]) -> Traits:
        """For all laws that are tried."""
        own = np.array([trait_of(f) for f in table.factors])
        mass = sum(
            np.bincount(_kinds(own, h.rows), np.exp(h.prior), minlength=KINDS) for h in hypotheses
        )
        with np.errstate(divide="ignore"):
            return Traits(own, np.log(mass / np.sum(mass)))

    @cached_property
    def possible(self) -> Codes:
        """The kinds that have laws."""
        return np.flatnonzero(np.isfinite(self.log_prior))

    def believed(self, candidates: Sequence[Candidates], learned: Floats) -> list[Candidates]:
        """Candidates as probable as the log shares (KINDS,) that were learned say."""
        more = np.zeros(KINDS)
        own = learned[self.possible] - np.logaddexp.reduce(learned[self.possible])
        more[self.possible] = own - self.log_prior[self.possible]
        return [
            replace(c, prior=c.prior + more[_kinds(self.factors, c.codes[..., 0])])
            for c in candidates
        ]

    def evidence(self, batch: Batch, fits: Sequence[CandidateFits]) -> Floats:
        """(KINDS, K, S, V): log evidence of each noise level under laws of each kind."""
        kinds = [_kinds(self.factors, w.codes[..., 0]) for w in fits]
        found = evidence_by_kind(batch, fits, kinds, KINDS)
        mass = np.where(np.isfinite(self.log_prior), self.log_prior, 0.0)
        result: Floats = found - mass[:, None, None, None]
        return result


def _kinds(factors: Codes, rows: Codes) -> Codes:
    """(...): what kinds laws with factor numbers (..., k) are."""
    found = factors.take(rows.ravel()).reshape(rows.shape)
    result: Codes = found[..., 0].copy()
    # numpy's reduction along a short axis takes three times as long
    for k in range(1, rows.shape[-1]):
        result |= found[..., k]
    return result
