"""Laws that hold from a size on: two regimes as alternatives to one law throughout.

A program leaves its cache, its library takes another protocol, max(a, b x) passes from one argument
to the other: below some size another law holds than above it, and the last regime is what a
forecast needs. With the points below a change under a law g and those from it on under a law f, of
which each has its own coefficients, the evidence of f is

    p(y | f, s) = p(change) / Q * p(f | g) p(y_above | f, s) * sum_g p(g) p(y_below | g, s)

for each of Q places of the change: the same Laplace approximation as that of one law (`posterior`),
with the same noise s on both sides (Smith, "A Bayesian approach to inference about a change-point
in a sequence of random variables", Biometrika 62, 1975). Each further coefficient pays its Occam
factor, so that one law wins wherever it describes all points. The law above is likely to grow as
the one below did, at another cost: p(f | g) gives a share of its probability to laws with the
leading term of g. Where the change is at the last point this is all that is known of its growth.

Most series have no change. A first look tells which: laws of one term on each side, whose residuals
in logarithms are known in closed form, all places of the change at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from ..data.measurements import Floats
from ..evidence.posterior import Observed, fit_rows, level_likelihood, log_sum
from ..kernel.ranking import two_laws
from ..pmnf.dictionary import LINE, ONE, Factor, FactorTable
from ..pmnf.hypotheses import Codes
from ..settings import ARITHMETIC, Settings
from .batch import Batch
from .gathered import BELOW, Gathered, by_evidence, merged, widened
from .single_parameter import Hypotheses


@dataclass(frozen=True)
class RegimeDesign:
    """What series with the same points share: the values x (P,) of their one parameter, in
    ascending order, and the laws of one regime by size, codes (H_k, k) with log prior (H_k,)."""

    x: Floats
    codes: Sequence[Codes]
    prior: Sequence[Floats]

    @staticmethod
    def of(
        x: Floats,
        table: FactorTable,
        hypotheses: Sequence[Hypotheses],
        slowest: Factor,
        settings: Settings,
    ) -> RegimeDesign | None:
        """For all hypotheses with one parameter, by size, of which those that grow more slowly than
        a static lower bound are improbable; None where the points are too few, or several have the
        same value."""
        if len(x) < settings.regimes.fewest or (np.diff(x) <= 0).any():
            return None
        codes, priors = [], []
        for group in hypotheses[:BELOW]:
            size = group.rows.shape[1]
            usual = table.unusual[group.rows].sum(axis=1) <= settings.regimes.most_unusual[size - 1]
            kept = usual & ((group.rows[:, 0] == 0) | (size == 1))
            codes.append(group.rows[kept])
            priors.append(group.prior[kept])
        priors = _with_affine(codes, priors, table, settings.regimes.log_affine)
        for rows, prior in zip(codes, priors, strict=True):
            slow = [slowest > ONE and table.factors[k] < slowest for k in rows[:, -1]]
            prior -= settings.hypotheses.too_slow * np.array(slow)
        total = np.logaddexp.reduce(np.concatenate(priors))
        return RegimeDesign(x, codes, [p - total for p in priors])

    @property
    def places(self) -> list[int]:
        """Numbers of the points at which a last regime may begin: two points at least are below."""
        return list(range(2, len(self.x)))


def _with_affine(
    codes: Sequence[Codes], priors: Sequence[Floats], table: FactorTable, log_share: float
) -> list[Floats]:
    """Log priors (H_k,) of which a share belongs to a + b x, where x is in the dictionary: what a
    message or a pass over data costs on each side of a change (Hockney, "The communication
    challenge for MPP", Parallel Computing 20, 1994). Its latency is far above what a few points
    show of its slope, so that they alone would take a constant, a logarithm or a root instead."""
    total = np.logaddexp.reduce(np.concatenate(priors))
    found = [p - total for p in priors]
    if LINE not in table.factors or len(codes) < BELOW:
        return found
    affine = codes[-1][:, -1] == table.factors.index(LINE)
    found = [p + np.log1p(-np.exp(log_share)) for p in found]
    found[-1][affine] = np.logaddexp(found[-1][affine], log_share)
    return found


def with_regimes(batch: Batch, gathered: Gathered, design: RegimeDesign) -> Gathered:
    """The most probable fits, those of a last regime among them, from those of one law."""
    rows = _worth_a_look(batch, gathered, design, batch.settings.regimes.slack)
    if not len(rows):
        return gathered
    gathered = widened(gathered, max(BELOW, gathered.codes.shape[2]))
    result = gathered.part(np.arange(len(gathered.evidence)))
    for some in blocks(rows, batch.settings):
        fits, _ = _with_change(batch.part(some), design, gathered)
        joined = merged(gathered.part(some), fits)
        for f in fields(result):
            getattr(result, f.name)[some] = getattr(joined, f.name)
    return result


def regime_levels(batch: Batch, gathered: Gathered, design: RegimeDesign) -> Floats:
    """Log evidence (K, S) of noise levels under two regimes, without the log odds of a change."""
    result = np.full((len(batch.y), len(batch.levels.sigmas)), -np.inf)
    looked_at = _worth_a_look(batch, gathered, design, batch.settings.regimes.slack)
    for some in blocks(looked_at, batch.settings):
        _, levels = _with_change(batch.part(some), design, gathered)
        result[some] = levels - batch.levels.changes
    return result


def blocks(rows: NDArray[np.int64], settings: Settings) -> Iterator[NDArray[np.int64]]:
    together = settings.regimes.together
    return (rows[start : start + together] for start in range(0, len(rows), together))


def _worth_a_look(
    batch: Batch, gathered: Gathered, design: RegimeDesign, slack: float
) -> NDArray[np.int64]:
    """Numbers of the series that two regimes may describe at most so much worse than one law."""
    if not (batch.y > 0).all():
        return np.zeros(0, dtype=np.int64)
    points, settings = batch.y.shape[1], batch.settings
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(batch.tables[0][design.codes[0][:, 0]])
    usable = np.isfinite(logs).all(axis=1)
    scale = -0.5 / batch.levels.sigmas**2 / batch.spread.mean()
    best = two_laws(
        np.log(batch.y),
        logs[usable],
        design.prior[0][usable],
        scale,
        settings.coefficients.log_width,
    )
    levels = np.logaddexp.reduce(batch.levels.prior, axis=1) - (points / 2 - 1) * np.log(
        2 * np.pi * batch.levels.sigmas**2
    )
    bound = (best + levels[:, None] + batch.repetitions.T).max(axis=0) + batch.levels.changes
    return np.flatnonzero(bound > gathered.evidence[:, 0] - slack)


@dataclass(frozen=True)
class Segment:
    """Laws fitted to some of the points: log likelihood (S, K, H) at each noise level, coefficients
    (K, H, 2), root (K, H, 2, 2), values beyond the data (K, H, F), codes (H, 2), log prior (H,),
    size (H,), and number of the leading factor (H,)."""

    likelihood: Floats
    coefficients: Floats
    root: Floats
    beyond: Floats
    codes: Codes
    prior: Floats
    lead: Codes

    @staticmethod
    def of(batch: Batch, design: RegimeDesign, points: slice) -> Segment:
        """Fits of all laws that have no more coefficients than there are points."""
        y, magnitude, spread = (
            np.ascontiguousarray(a[:, points]) for a in (batch.y, batch.magnitude, batch.spread)
        )
        series, count = y.shape
        parts = []
        for codes, prior in zip(design.codes, design.prior, strict=True):
            size = codes.shape[1]
            if size > count:
                break
            owner = np.repeat(np.arange(series), len(codes))
            number = np.tile(codes, (series, 1))
            columns = np.ascontiguousarray(batch.tables[0][:, points][number].transpose(1, 2, 0))
            fits = fit_rows(
                columns,
                Observed.of(y, magnitude, spread).take(owner),
                batch.settings.coefficients,
                steps=batch.settings.selection.steps,
            )
            likelihood = level_likelihood(
                fits.base, fits.rss, float(count - size), batch.levels.sigmas
            )
            far = batch.far[0][number]
            beyond = np.einsum("kn,nkf->nf", fits.coefficients, far)
            coefficients = np.zeros((series * len(codes), BELOW))
            coefficients[:, :size] = fits.coefficients.T
            root = np.zeros((series * len(codes), BELOW, BELOW))
            root[:, :size, :size] = np.moveaxis(fits.root, -1, 0)
            padded = np.zeros((len(codes), BELOW), dtype=np.int64)
            padded[:, :size] = codes
            parts.append(
                (
                    likelihood.reshape(len(likelihood), series, -1),
                    coefficients.reshape(series, -1, BELOW),
                    root.reshape(series, -1, BELOW, BELOW),
                    beyond.reshape(series, len(codes), -1),
                    padded,
                    prior,
                    codes[:, -1],
                )
            )
        axes = (2, 1, 1, 1, 0, 0, 0)
        return Segment(*(np.concatenate([p[n] for p in parts], axis=a) for n, a in enumerate(axes)))


def _with_change(batch: Batch, design: RegimeDesign, like: Gathered) -> tuple[Gathered, Floats]:
    """The fits of a last regime from each point on, the most probable first, and the log evidence
    (K, S) of all of them at each noise level."""
    settings = batch.settings.regimes
    places = design.places[-settings.most_places :]  # the last ones decide what lies beyond
    share = batch.levels.changes - np.log(len(places))
    fits, levels = zip(*(_from(batch, place, design, share, like) for place in places), strict=True)
    return merged(*fits), np.logaddexp.reduce(levels, axis=0)


def _from(
    batch: Batch, place: int, design: RegimeDesign, share: float, like: Gathered
) -> tuple[Gathered, Floats]:
    """The fits of a last regime that begins at a point, which has this log probability, and their
    log evidence (K, S) at each noise level."""
    settings = batch.settings.regimes
    below, above = (
        Segment.of(batch, design, slice(0, place)),
        Segment.of(batch, design, slice(place, None)),
    )
    joint = below.likelihood + below.prior  # (S, K, H)
    top = joint.max(axis=2, keepdims=True)
    weights = np.exp(joint - top)
    total = weights.sum(axis=2)
    evidence_below = np.log(total) + top[..., 0]
    factors = int(max(below.lead.max(), above.lead.max())) + 1
    leads = np.zeros((*total.shape, factors))
    for lead in np.unique(below.lead).tolist():
        leads[..., lead] = weights[..., below.lead == lead].sum(axis=2) / total
    own = np.exp(above.prior)
    of_lead = np.bincount(above.lead, own, factors)
    one_point = place == len(design.x) - 1  # tells nothing of growth
    same = settings.same_at_one if one_point else settings.same
    prior = (1 - same) * own + same * leads[..., above.lead] * (own / of_lead[above.lead])
    best = log_sum(joint + batch.repetitions.T[..., None]).argmax(axis=1)
    prior *= _meeting(batch, place, below, best, above)
    impossible = (above.beyond < 0).any(axis=2) & batch.nonnegative[:, None]
    each = above.likelihood + np.log(prior + ARITHMETIC.tiny)
    each += (evidence_below + batch.repetitions.T + share)[..., None]
    each = np.where(impossible, -np.inf, each)
    levels = log_sum(each.transpose(2, 0, 1).copy()).T
    each += np.logaddexp.reduce(batch.levels.prior, axis=1)[:, None, None]
    evidence = log_sum(each.copy())
    first = by_evidence(evidence)[:, : settings.kept]
    row = np.arange(len(first))[:, None]
    logs = each[:, row, first]  # (S, K, kept): of those alone whose noise is asked for
    posterior = np.exp(logs - np.where(impossible, 0.0, evidence)[row, first])
    posterior = np.where(impossible[row, first], 1 / len(each), posterior)
    sigma = np.exp(np.einsum("ska,s->ka", posterior, np.log(batch.levels.sigmas)))
    found = padded(
        like,
        above.codes[first],
        above.coefficients[row, first],
        above.root[row, first],
        above.beyond[row, first],
        above.lead[first],
        above.prior[first],
        sigma,
        evidence[row, first],
        place,
        below.codes[best],
        below.coefficients[np.arange(len(best)), best],
    )
    return found, levels


def _meeting(batch: Batch, place: int, below: Segment, best: Codes, above: Segment) -> Floats:
    """(K, H): how much more probable coefficients are where both laws may meet between the points
    around a change. A continuous change leaves the scale of the law above no choice but where in
    the gap they meet, which is so much narrower than the range of a coefficient."""
    settings = batch.settings.regimes
    around = batch.tables[0][:, place - 1 : place + 1]
    values = np.einsum("khc,hcp->khp", above.coefficients, around[above.codes])
    law = np.einsum(
        "kc,kcp->kp", below.coefficients[np.arange(len(best)), best], around[below.codes[best]]
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        apart = np.log(values / law[:, None])
    width = np.abs(apart[..., 1] - apart[..., 0])
    meet = (apart.min(axis=2) < settings.nearly) & (apart.max(axis=2) > -settings.nearly)
    range_ = batch.settings.coefficients.log_range
    gain = np.where(meet & np.isfinite(width), range_ / np.maximum(width, settings.narrowest), 0.0)
    return 1 - settings.continuous + settings.continuous * gain


def padded(
    like: Gathered,
    codes: Codes,
    coefficients: Floats,
    root: Floats,
    beyond: Floats,
    lead: Codes,
    prior: Floats,
    sigma: Floats,
    evidence: Floats,
    place: int,
    below_codes: Codes,
    below_coefficients: Floats,
) -> Gathered:
    """Fits (K, A) as others are held, with as many coefficients."""
    size = max(like.codes.shape[2], BELOW)
    shape = evidence.shape

    more = (0, size - BELOW)
    zero = np.zeros(shape, dtype=np.int64)
    return Gathered(
        np.pad(codes, ((0, 0), (0, 0), more))[..., None],
        np.pad(coefficients, ((0, 0), (0, 0), more)),
        np.pad(root, ((0, 0), (0, 0), more, more)),
        beyond,
        lead[..., None],
        prior,
        sigma,
        zero,
        evidence,
        np.zeros(shape, dtype=np.bool_),
        np.full(shape, place),
        np.broadcast_to(below_codes[:, None, :, None], (*shape, BELOW, 1)).copy(),
        np.broadcast_to(below_coefficients[:, None], (*shape, BELOW)).copy(),
    )
