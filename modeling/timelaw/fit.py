"""A law of time learned from few runs: maximum a posteriori, and the Laplace approximation.

Observations are log-normal about the law, with heavy tails (Student's t, by reweighting), and an
absolute error of the clock. The prior of each unknown is normal in its logarithm: wide for what an
iteration costs, narrow for what memory costs, since the machine was measured. The noise is
integrated out over a grid. See `law` for the unknowns.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..pmnf.machine_costs import Costs
from ..pmnf.memory_traffic import Traffic
from ..pmnf.time_law import REST, Branches, Count, Design, TimeLaw, jacobian_of, parts

Floats = NDArray[np.float64]
_NS = 1e-9


@dataclass(frozen=True)
class TimeSettings:
    """Constants of the fit; pairs are mean and deviation of a logarithm.

    core: ns of an iteration of the most frequent loop; outer: of others; called: of those that call
    what is not in the program, which takes from a few ns to a hundred microseconds. level,
    capacity: factor on the machine's cost of a level, and on its capacity; room: on all capacities
    as random accesses meet them. They are below 1: the probe had one stream at a time and the
    caches for itself. random, missing, paged, fresh: factor on the
    machine's costs; missing: of random accesses beyond the last cache; renewed: in place of fresh,
    of memory that is given back and taken again. overlap, far: of p - 1,
    r - 1. rise: of first touches with their number, relative to what was measured.
    chain: ns of an addition that others wait for (2 to 4 cycles). mispredicted: factor on what the
    machine's predictor loses of branches on even chances. pattern: on the length after which
    branches come again, which is longer where other data decide too. sigmas, usual_sigma:
    deviations of observations, and their prior. floor_s: absolute error of a time. tails: degrees
    of freedom of the noise. drift: deviation that each doubling beyond the points adds. odds: of
    the law against a sum of terms, before any run (see `choice`). alike: counts whose ratio varies
    less are one. most_groups: counts in a law. rounds: steps of the optimisation at most.

    They are those with small errors on the samples, the programs of `benchmarks.time_programs` and
    every second kernel of PolyBench; `make bench-time` tells the other half apart. far, missing and
    rise lie between what these machines showed and half of the programs on another one (see
    `benchmarks/data/README.md`).
    """

    core: tuple[float, float] = (0.0, 1.5)
    outer: tuple[float, float] = (1.0, 1.2)
    called: tuple[float, float] = (4.0, 2.5)
    level: tuple[float, float] = (-0.1, 0.5)
    capacity: tuple[float, float] = (-0.1, 0.3)
    room: tuple[float, float] = (-0.6, 0.3)
    random: tuple[float, float] = (-0.7, 0.6)
    missing: tuple[float, float] = (0.0, 0.5)
    paged: tuple[float, float] = (-0.6, 0.6)
    fresh: tuple[float, float] = (0.0, 0.2)
    renewed: tuple[float, float] = (-0.3, 0.8)
    overlap: tuple[float, float] = (-1.5, 1.2)
    far: tuple[float, float] = (-1.6, 0.8)
    rise: tuple[float, float] = (0.0, 1.0)
    chain: tuple[float, float] = (-0.4, 0.5)
    mispredicted: tuple[float, float] = (-0.5, 0.6)
    pattern: tuple[float, float] = (0.5, 0.7)
    sigmas: tuple[float, ...] = (0.01, 0.02, 0.04, 0.08, 0.16)
    usual_sigma: tuple[float, float] = (-3.5, 0.8)
    floor_s: float = 1e-6
    tails: float = 8.0
    drift: float = 0.045
    odds: float = 1000.0
    alike: float = 0.04
    most_groups: int = 4
    rounds: int = 40


DEFAULT_TIME = TimeSettings()


@dataclass(frozen=True)
class Fit:
    """A law, the logarithm of its evidence (for relative deviations), residuals (P,), and the times
    (P,) that it was learned from. Where counts were given, residuals are those about them."""

    law: TimeLaw
    evidence: float
    residuals: Floats
    seconds: Floats


@dataclass(frozen=True)
class _Prior:
    mean: Floats
    deviation: Floats


@dataclass(frozen=True)
class Group:
    """Loops whose counts are proportional: the index of the one that stands for them; called: does
    the body of any of them call what is not in the program?"""

    loop: int
    called: bool = False


def grouped(
    counts: Floats, called: Sequence[bool], settings: TimeSettings = DEFAULT_TIME
) -> list[Group]:
    """The loops (J, Q) whose counts stand for all: the most frequent first, then those that may
    take most, none proportional to another one; those that never matter are left out.

    Args:
        called: of each loop: does its body call what is not in the program?
    """
    weight = np.where(called, _CALL, 1.0)
    runs = [j for j, row in enumerate(counts) if (row > 0).any() and np.isfinite(row).all()]
    order = sorted(runs, key=lambda j: -counts[j, -1])
    order[1:] = sorted(order[1:], key=lambda j: -weight[j] * counts[j, -1])
    kept: list[Group] = []
    for j in order:
        row = counts[j]
        later = slice(-len(row) // 2, None)
        if kept and (weight[j] * row[later] <= _IDLE * counts[kept[0].loop][later]).all():
            continue
        ratios = [row / np.maximum(counts[k.loop], 1e-300) for k in kept]
        alike = [k for k, r in enumerate(ratios) if r.max() <= (1 + settings.alike) * r.min()]
        for k in alike:
            kept[k] = replace(kept[k], called=kept[k].called or bool(called[j]))
        if not alike and len(kept) < settings.most_groups:
            kept.append(Group(j, bool(called[j])))
    return kept


_IDLE = 1e-5
"""Loops that run less than this share of the most frequent one are left out."""
_CALL = 300.0
"""What a call of the system or of a library may take, in iterations of the most frequent loop."""


def fit_time_law(
    seconds: Floats,
    points: Mapping[str, Floats],
    counts: Sequence[Count],
    traffic: Traffic,
    costs: Costs,
    settings: TimeSettings = DEFAULT_TIME,
    chain: str = "",
    branches: Branches | None = None,
    counted: Floats | None = None,
    called: Sequence[bool] = (),
    repeats: float = 0.0,
) -> Fit:
    """Learn a law.

    Args:
        seconds: (P,) positive, one time for each point.
        points: parameter -> values (P,).
        counts: of the loops of the kernel that the law is to hold, the most frequent first.
        traffic: per iteration of the first count.
        chain: formula of the additions that wait for one another, empty where there are none.
        branches: those that data decide again and again; they count where the machine's predictor
            was measured.
        counted: (G, P) what the runs counted, where formulas of counts are only near it.
        called: of each count: do its loops call what is not in the program? No unless told.
        repeats: how much longer one run takes than the least of those at its point (see
            `repetitions`).
    """
    branches = branches if costs.branch_lengths else None
    blank = _law(counts, traffic, costs, points, settings, chain, branches)
    design = blank.design(points)
    if counted is not None:
        design = replace(design, counts=counted, main=design.counts[0])
    prior = _prior(blank, settings, called)
    y = np.log(np.maximum(seconds, 1e-12) / _NS)
    floor = settings.floor_s / np.maximum(seconds, 1e-12)
    fits = [_fitted(y, floor, design, blank, prior, s, settings) for s in settings.sigmas]
    evidence = np.array([f[2] for f in fits])
    weight = np.exp(evidence - evidence.max())
    weight /= weight.sum()
    best = int(evidence.argmax())
    theta, root, _ = fits[best]
    sigma = float(np.sqrt((weight * np.array(settings.sigmas) ** 2).sum()))
    law = TimeLaw(
        tuple(counts),
        tuple(map(float, theta)),
        tuple(tuple(map(float, row)) for row in root),
        sigma,
        settings.drift,
        settings.floor_s,
        blank.reach,
        traffic,
        costs,
        chain,
        branches,
        repeats,
    )
    total = float(evidence.max() + np.log(np.exp(evidence - evidence.max()).sum()))
    residuals = y - np.log(parts(theta, design, blank.capacities, costs).total)
    return Fit(law, total, residuals, seconds)


def _law(
    counts: Sequence[Count],
    traffic: Traffic,
    costs: Costs,
    points: Mapping[str, Floats],
    settings: TimeSettings,
    chain: str,
    branches: Branches | None,
) -> TimeLaw:
    size = len(counts) + 2 * (len(costs.levels) - 1) + REST + bool(chain)
    size += 2 * (branches is not None)
    return TimeLaw(
        tuple(counts),
        (0.0,) * size,
        ((0.0,),) * size,
        0.0,
        settings.drift,
        settings.floor_s,
        {n: (float(v.min()), float(v.max())) for n, v in points.items()},
        traffic,
        costs,
        chain,
        branches,
    )


def _prior(law: TimeLaw, settings: TimeSettings, called: Sequence[bool]) -> _Prior:
    steps = len(law.costs.levels) - 1
    flags = called or [False] * len(law.counts)
    inner = [settings.core, *[settings.outer] * (len(law.counts) - 1)]
    rows = [
        *[settings.called if c else own for own, c in zip(inner, flags, strict=True)],
        *[settings.level] * steps,
        *[settings.capacity] * steps,
        settings.random,
        settings.renewed if law.traffic.renewed else settings.fresh,
        settings.overlap,
        settings.paged,
        settings.room,
        settings.far,
        settings.rise,
        settings.missing,
        *([settings.chain] if law.chain else []),
        *([settings.mispredicted, settings.pattern] if law.branches else []),
    ]
    return _Prior(np.array([m for m, _ in rows]), np.array([d for _, d in rows]))


@dataclass(frozen=True)
class _Problem:
    """Observations y (P,), logarithms of ns with deviations scale (P,), and what explains them."""

    y: Floats
    scale: Floats
    design: Design
    blank: TimeLaw
    prior: _Prior
    tails: float

    def predicted(self, theta: Floats) -> Floats:
        law = self.blank
        found: Floats = np.log(parts(theta, self.design, law.capacities, law.costs).total)
        return found

    def loss(self, theta: Floats, value: Floats) -> float:
        """Minus the logarithm of the posterior, without constants."""
        z = ((self.y - value) / self.scale) ** 2
        away = ((theta - self.prior.mean) / self.prior.deviation) ** 2
        return float((self.tails + 1) / 2 * np.log1p(z / self.tails).sum() + 0.5 * away.sum())


def _fitted(
    y: Floats,
    floor: Floats,
    design: Design,
    blank: TimeLaw,
    prior: _Prior,
    sigma: float,
    settings: TimeSettings,
) -> tuple[Floats, Floats, float]:
    """(theta, root of the covariance, log evidence) for one level of noise: the best end of the
    descents."""
    scale = np.sqrt(sigma**2 + floor**2)
    problem = _Problem(y, scale, design, blank, prior, settings.tails)
    ends = [_descended(problem, start, settings.rounds) for start in _starts(problem)]
    _, theta, hessian, value = min(ends, key=lambda end: end[0])
    root = np.linalg.cholesky(np.linalg.inv(hessian))
    logdet = float(np.linalg.slogdet(hessian)[1])
    occam = -0.5 * (((theta - prior.mean) / prior.deviation) ** 2).sum()
    occam -= float(np.log(prior.deviation).sum()) + 0.5 * logdet
    return theta, root, float(occam) + noise_evidence(y - value, floor, sigma, settings)


def _descended(
    problem: _Problem, theta: Floats, rounds: int
) -> tuple[float, Floats, Floats, Floats]:
    """(loss, theta, hessian, prediction) where a descent ends: Gauss and Newton with Levenberg's
    damping."""
    law, prior, scale = problem.blank, problem.prior, problem.scale
    precision = np.diag(prior.deviation**-2.0)
    value, hessian = problem.predicted(theta), precision
    now, damping = problem.loss(theta, value), 1e-2
    for _ in range(rounds):
        jacobian = jacobian_of(theta, problem.design, law.capacities, law.costs)
        away = problem.y - value
        weight = (problem.tails + 1) / (problem.tails + (away / scale) ** 2) / scale**2
        hessian = (jacobian * weight) @ jacobian.T + precision
        gradient = jacobian @ (weight * away) - precision @ (theta - prior.mean)
        improved = False
        while damping < 1e8:
            step = np.linalg.solve(hessian + damping * np.diag(np.diag(hessian)), gradient)
            trial = theta + np.clip(step, -2.0, 2.0)
            there = problem.predicted(trial)
            following = problem.loss(trial, there)
            if following < now:
                improved = True
                break
            damping *= 4
        if not improved:
            break
        gained, theta, value, now, damping = now - following, trial, there, following, damping / 6
        if gained < 1e-6:
            break
    return now, theta, hessian, value


def _starts(problem: _Problem) -> list[Floats]:
    """Unknowns to descend from: with a scale that fits on average, since the core cost is all that
    is not known at all; where there is a chain, also with the time in it."""
    first = problem.prior.mean.copy()
    groups = len(problem.design.counts)
    first[:groups] += np.clip(np.median(problem.y - problem.predicted(first)), -8, 8)
    if problem.design.chain is None:
        return [first]
    second = first.copy()
    second[:groups] -= _BESIDE
    chain = groups + 2 * len(problem.blank.costs.capacities) + REST
    second[chain] += np.clip(np.median(problem.y - problem.predicted(second)), -1, 1)
    return [first, second]


_BESIDE = 1.5
"""Core costs of the start in which a chain takes the time are so much smaller, in logarithms."""


def noise_evidence(
    residuals: Floats, floor: Floats, sigma: float, settings: TimeSettings = DEFAULT_TIME
) -> float:
    """Log likelihood of residuals (P,) of logarithms at a level of noise, with its prior.

    Args:
        floor: (P,) absolute error over time.
    """
    scale = np.sqrt(sigma**2 + floor**2)
    nu = settings.tails
    z = (residuals / scale) ** 2
    likelihood = float((_log_t(nu) - np.log(scale) - (nu + 1) / 2 * np.log1p(z / nu)).sum())
    mean, deviation = settings.usual_sigma
    return likelihood - 0.5 * float(((np.log(sigma) - mean) / deviation) ** 2)


def _log_t(nu: float) -> float:
    """Logarithm of the constant of Student's density."""
    return math.lgamma((nu + 1) / 2) - math.lgamma(nu / 2) - 0.5 * math.log(nu * math.pi)
