"""How far a forecast can be from the truth at best: forecasts of an oracle that knows from which
laws, coefficients and noise the protocols draw, beside those of models.

    python -m benchmarks.modeling_ceilings [--functions 50] [--seed 301] [--noise 0.2]
        [--repetitions 5] [--classes "rare 2,exotic 2"] [--four-points 300]

With one parameter (Reisert et al., Euro-Par 2017, section 4.1) the oracle weighs all 850 sets of
terms of the seven classes by their probability in the protocol times the likelihood, integrated
over log-uniform coefficients. Noise is uniform with known half width h, so that the law f lies
between high / (1 + h) and low / (1 - h) at each point and the likelihood of R repetitions is f**-R
there. The integral is that of samples, in which each set of coefficients in turn follows from
values of the law between these bounds and the others from their prior (multiple importance
sampling, balance heuristic: Veach and Guibas, SIGGRAPH 1995). "lead": the most probable leading
term is right; "within": the value within 2 % of which most of the probability lies is within 2 %.

`--four-points` is for the shape of that name of `modeling_hard`: the median of the eight laws with
all constants and scales on grids ("at best"), and the same with log-uniform constants from a
thousandth to a thousand times the term at the smallest point, as though nothing were known of them
("laws known"). Means of errors in %, with their standard errors.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, combinations, product

import numpy as np
from numpy.typing import NDArray

from modeling import Measurements, Term, fit

from .bench_modeling import lead
from .modeling_hard import hard_cases
from .modeling_protocols import (
    CLASSES,
    TOLERANCE,
    Case,
    log_log_line,
    one_parameter,
    pools,
    relative_error,
)

Floats = NDArray[np.float64]
_LEAST, _MOST = 1e-2, 1e3  # coefficients of the protocol
_WIDTH = float(np.log(_MOST / _LEAST))
_FIRST, _SAMPLES = 40, 300  # samples of each kind: to see whether a law is possible, and of it
_SINGULAR = 1e12
_ANCHORS = {1: (-1,), 2: (0, -1), 3: (0, 2, -1)}  # points whose values give 1, 2, 3 coefficients


def _laws() -> dict[tuple[str, ...], float]:
    """Probability of each set of terms in the protocol, each class as probable as the others."""
    found: dict[tuple[str, ...], float] = {}
    for kind in CLASSES:
        own, every, terms = pools(kind)
        drawn: list[tuple[str, ...]] = [()] if not terms else [(a,) for a in own]
        if terms > 1:
            drawn = [(a, b) for a in own for b in every if b != a]
        weights = (
            [1.0] if not terms else [1 / len(own) / (len(every) - 1 if d[1:] else 1) for d in drawn]
        )
        for chosen, weight in zip(drawn, weights, strict=True):
            key = tuple(sorted(chosen))
            found[key] = found.get(key, 0.0) + weight / len(CLASSES)
    return found


def _values(term: str, x: Floats) -> Floats:
    """x**i log2(x)**j for a term "i j"."""
    power, log = (float(Fraction(part)) for part in term.split())
    value: Floats = x**power * np.log2(x) ** log
    return value


@dataclass(frozen=True)
class Sampled:
    """Coefficients (k, N) of one law that the points allow, and their weights (N,)."""

    coefficients: Floats
    weight: Floats


def _sampled(
    columns: Floats, bounds: Floats, repetitions: int, count: int, generator: np.random.Generator
) -> Sampled:
    """Samples of the law with columns (k, P) between the bounds (2, P)."""
    k = len(columns)
    low, high = bounds
    every = (list(s) for size in range(1, k + 1) for s in combinations(range(k), size))
    subsets = [s for s in every if np.linalg.cond(_anchored(columns, s)) < _SINGULAR]
    drawn = []
    for known in subsets:
        others, at = [i for i in range(k) if i not in known], list(_ANCHORS[len(known)])
        c = np.empty((k, count))
        c[others] = np.exp(generator.uniform(np.log(_LEAST), np.log(_MOST), (len(others), count)))
        value = low[at, None] + (high - low)[at, None] * generator.random((len(at), count))
        left = value - columns[others][:, at].T @ c[others]
        c[known] = np.linalg.solve(_anchored(columns, known), left)
        drawn.append(c)
    c = np.concatenate(drawn, axis=1)
    f = columns.T @ c
    possible = ((c >= _LEAST) & (c <= _MOST)).all(axis=0)
    possible &= ((f >= low[:, None]) & (f <= high[:, None])).all(axis=0)
    c, f = c[:, possible], f[:, possible]
    density = np.zeros(c.shape[1])
    for known in subsets:
        others, at = [i for i in range(k) if i not in known], list(_ANCHORS[len(known)])
        volume = float(np.prod((high - low)[at]))
        each = abs(float(np.linalg.det(_anchored(columns, known)))) / volume
        density += each * np.prod(1 / (c[others] * _WIDTH), axis=0)
    prior = np.prod(1 / (c * _WIDTH), axis=0)
    likelihood = np.exp(-repetitions * np.log(f / low[:, None]).sum(axis=0))
    return Sampled(c, prior * likelihood / (density * count))


def _anchored(columns: Floats, known: list[int]) -> Floats:
    """Some of the columns at as many points."""
    return np.asarray(columns[known][:, list(_ANCHORS[len(known)])].T)


def best_forecast(
    case: Case, noise: float, generator: np.random.Generator
) -> tuple[Term, float] | None:
    """The most probable leading term, and the value within 2 % of which most of the probability
    lies; None where no sample is possible."""
    series = case.series
    x, repetitions = series.points[:, 0], int(series.counts[0])
    bounds = np.stack([series.highs / (1 + noise), series.lows / (1 - noise)])
    far = np.array([case.query["x"]])
    of_lead: dict[str, float] = {}
    values, weights = [], []
    for terms, probability in _laws().items():
        columns = np.stack([np.ones_like(x), *(_values(t, x) for t in terms)])
        found = _sampled(columns, bounds, repetitions, _FIRST, generator)
        if not len(found.weight) and len(terms) > 1:
            continue
        found = _sampled(columns, bounds, repetitions, _SAMPLES, generator)
        parts = np.array([1.0, *(float(_values(t, far)[0]) for t in terms)])[:, None]
        parts = parts * found.coefficients
        weight = found.weight * probability
        leading = parts[1:].argmax(axis=0) if terms else np.zeros(len(weight), dtype=np.int64)
        for number, term in enumerate(terms or ("",)):
            mass = float(weight[leading == number].sum())
            of_lead[term] = of_lead.get(term, 0.0) + mass
        values.append(parts.sum(axis=0))
        weights.append(weight)
    value, weight = np.concatenate(values), np.concatenate(weights)
    if not weight.sum() > 0:
        return None
    top = max(of_lead, key=lambda t: of_lead[t])
    return _term(top), _densest(value, weight)


def _term(text: str) -> Term:
    if not text:
        return Term(())
    power, log = text.split()
    return Term.of({"x": (power, log)})


def _densest(value: Floats, weight: Floats) -> float:
    """The value within the tolerance of which most of the weight lies."""
    order = np.argsort(value)
    value, reached = value[order], np.concatenate([[0.0], np.cumsum(weight[order])])
    tried = value * (1 + TOLERANCE)
    last = np.searchsorted(value, tried / (1 - TOLERANCE), side="right")
    return float(tried[(reached[last] - reached[:-1]).argmax()])


def protocol(
    functions: int, noise: float, repetitions: int, seed: int, classes: Sequence[str]
) -> None:
    """Print lead and within of models and of the oracle for each class."""
    cases = list(one_parameter(functions, noise, repetitions, seed))
    models = fit(Measurements(tuple(c.series for c in cases))).models
    generator = np.random.default_rng(seed)
    print(
        f"\none parameter, noise +-{noise:.0%}, {repetitions} repetitions, {functions} functions a"
        f" class, seed {seed}: lead/within\n{'':<14}{'models':>10}{'at best':>10}"
    )
    rows: dict[str, list[list[float]]] = {}
    for case, model in zip(cases, models, strict=True):
        if case.kind not in classes:
            continue
        told = best_forecast(case, noise, generator)
        term, value = told if told is not None else (None, 0.0)
        near = [abs(v / case.truth - 1) <= TOLERANCE for v in (_at(model, case), value)]
        row = [lead(model, case) == case.lead, near[0], term == case.lead, near[1]]
        rows.setdefault(case.kind, []).append([100.0 * r for r in row])
    for kind, found in rows.items():
        m = np.mean(found, axis=0)
        print(f"{kind:<14}{f'{m[0]:.0f}/{m[1]:.0f}':>10}{f'{m[2]:.0f}/{m[3]:.0f}':>10}")
    every = np.array(list(chain.from_iterable(rows.values())))
    apart, m = every[:, 2:] - every[:, :2], every.mean(axis=0)
    error = apart.std(axis=0) / np.sqrt(len(apart))
    print(f"{'mean':<14}{f'{m[0]:.1f}/{m[1]:.1f}':>10}{f'{m[2]:.1f}/{m[3]:.1f}':>10}")
    print(
        f"left to win: {apart[:, 0].mean():.1f} +- {error[0]:.1f} /"
        f" {apart[:, 1].mean():.1f} +- {error[1]:.1f}",
        flush=True,
    )


def _at(model: object, case: Case) -> float:
    return float(model.evaluate(case.query))  # type: ignore[attr-defined]


_DRAWN = (np.arange(400) + 0.5) / 400  # uniform below 1
_ANY = np.geomspace(1e-3, 1e3, 400)


def _four_points(case: Case, constants: Floats = _DRAWN, sigma: float = 0.02) -> float:
    """The median of the values that a + x**i log2(x)**j times a scale may have at the point asked
    for, each of the constants as probable, under normal noise."""
    x, y, far = case.series.points[:, 0], case.series.means, case.query["x"]
    scales = np.linspace(-4, 4, 81) * sigma
    values, logs = [], []
    for power, log in product((0.5, 1.0, 1.5, 2.0), (0, 1)):
        law, there = (
            constants[:, None] + (at / x[0]) ** power * np.log2(at) ** log
            for at in (x, np.array([far]))
        )
        scale = np.exp(np.log(y / law).mean(axis=1, keepdims=True) + scales)
        mean = scale[..., None] * law[:, None]
        residual = ((y / mean - 1) ** 2).sum(axis=-1) / (2 * sigma**2)
        values.append((scale * there).ravel())
        logs.append((-residual - np.log(mean).sum(axis=-1)).ravel())
    value, weight = np.concatenate(values), np.concatenate(logs)
    order = np.argsort(value)
    reached = np.cumsum(np.exp(weight[order] - weight.max()))
    return float(value[order][np.searchsorted(reached, reached[-1] / 2)])


def four_points(count: int, seed: int) -> None:
    """Print the errors of models, of the line and of the oracle."""
    cases = list(hard_cases("four points", count, seed))
    shared = fit(Measurements(tuple(c.series for c in cases))).models
    alone = (fit(Measurements((c.series,))).models[0] for c in cases)
    line = log_log_line(2)
    said = {
        "shared": [_at(m, c) for m, c in zip(shared, cases, strict=True)],
        "alone": [_at(m, c) for m, c in zip(alone, cases, strict=True)],
        "line": [line(c) for c in cases],
        "laws known": [_four_points(c, _ANY) for c in cases],
        "at best": [_four_points(c) for c in cases],
    }
    errors = {
        name: np.array([relative_error(v, c.truth) for v, c in zip(values, cases, strict=True)])
        for name, values in said.items()
    }
    print(f"\nfour points, {count} series, seed {seed}: mean error in %, and less that of the line")
    for name, found in errors.items():
        apart = found - errors["line"]
        each = (f"{v.mean():.2f} +- {v.std() / np.sqrt(count):.2f}" for v in (found, apart))
        print(f"{name:<12}" + "".join(f"{text:>18}" for text in each), flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--functions", type=int, default=50, help="a class; 0 for none")
    parser.add_argument("--seed", type=int, default=301)
    parser.add_argument("--noise", type=float, default=0.2)
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--classes", default=",".join(CLASSES))
    parser.add_argument("--four-points", type=int, default=300, help="series; 0 for none")
    return parser.parse_args()


def main() -> None:
    args = _arguments()
    if args.functions:
        classes = args.classes.split(",")
        protocol(args.functions, args.noise, args.repetitions, args.seed, classes)
    if args.four_points:
        four_points(args.four_points, args.seed)


if __name__ == "__main__":
    main()
