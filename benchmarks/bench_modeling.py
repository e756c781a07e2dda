"""Accuracy and speed of models, on the protocols of the papers and on real measurements.

    python -m benchmarks.bench_modeling [--functions 100] [--seed 1] [--noise 0,0.02,0.05,0.1,0.2]
        [--repetitions 1,5] [--method default,exhaustive,golden,refinement,lasso] [--parameters
        1,2,3] [--real FILE.jsonl] [--prior] [--speed] [--bulk]
        [--suite hard|curves|calibration|real] [--json FILE]

One parameter: Reisert et al., Euro-Par 2017, section 4.1 (seven classes, five points, four ranges
of x). Several: Calotoiu et al., CLUSTER 2016, Eq. 3 (five values for each parameter). "exact":
every term right; "lead": the exponents of the term that leads at four times the largest point;
"within": the prediction there within 2 %; "cover": the true value lies in the 90 % interval. Beside
them stand two naive rules, and Extra-P where EXTRAP_PYTHON names a python that has it. CPU time is
that of modeling alone; numpy uses one thread unless OPENBLAS_NUM_THREADS says otherwise.
"""

from __future__ import annotations

import os

os.environ.setdefault(
    "OPENBLAS_NUM_THREADS", "1"
)  # before numpy is imported: rates are those of one core

import argparse
import json
import math
import resource
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from modeling import Measurements, Model, OnlineFitter, Prior, Term, fit, growth_in, read
from modeling.kernel.library import kernel
from modeling.least_squares.quadratic_forms import left_out_forms
from modeling.pmnf.prediction import certainty

from .modeling_calibration import calibration
from .modeling_curves import curves_suite
from .modeling_hard import hard_suite
from .modeling_peer import PeerModel, extra_p
from .modeling_protocols import (
    TOLERANCE,
    Case,
    irrelevant_parameter,
    last_value,
    log_log_line,
    one_parameter,
    real_cases,
    relative_error,
    several_parameters,
)

NAIVE: dict[str, Callable[[Case], float]] = {
    "last value": last_value,
    "log-log line, 2": log_log_line(2),
    "log-log line, 3": log_log_line(3),
}
PUBLIC = tuple(
    Path(__file__).parent / "data" / f"{name}.jsonl"
    for name in ("pyhpc", "scaling_development", "scaling_once")
)
"""Measurements that others published (see data/README.md)."""
Answers = tuple[Sequence[Model | PeerModel], float]


@dataclass(frozen=True)
class Row:
    """What one method did on one protocol; shares are of the functions, averaged over classes."""

    protocol: str
    method: str
    shares: dict[str, float]
    by_class: dict[str, dict[str, float]]
    per_second: float
    cpu_s: float


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--functions", type=int, default=100, help="a class (one parameter) or protocol (several)"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--noise", default="0,0.02,0.05,0.1,0.2")
    parser.add_argument("--repetitions", default="1,5")
    parser.add_argument("--method", default="default,exhaustive,golden,refinement,lasso")
    parser.add_argument("--parameters", default="1,2,3")
    parser.add_argument(
        "--real", type=Path, help="JSON Lines of series with their largest point held out"
    )
    parser.add_argument("--prior", action="store_true", help="what a static analysis is worth")
    parser.add_argument("--speed", action="store_true", help="speed alone")
    parser.add_argument(
        "--bulk", action="store_true", help="a large file alone: loading and modeling it"
    )
    parser.add_argument(
        "--suite",
        choices=("papers", "hard", "curves", "calibration", "real"),
        default="papers",
        help="see modeling_hard and modeling_calibration; real: those of --real alone, or all of"
        " data",
    )
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    if options.bulk:
        bulk()
        return
    if options.suite == "calibration":
        calibration(options.functions, options.seed)
        return
    if options.suite == "curves":
        curves_suite(options.functions, options.seed)
        return
    if options.suite == "hard":
        found = hard_suite(options.functions, options.seed)
        if options.json:
            options.json.write_text(json.dumps({"hard": found}, indent=1) + "\n")
        return
    if options.suite == "real":
        for path in [options.real] if options.real else PUBLIC:
            real_measurements(path, options.method.split(","))
        return
    if not os.environ.get("EXTRAP_PYTHON"):
        print("Extra-P is left out: set EXTRAP_PYTHON to a python that has it")
    rows: list[Row] = []
    methods = options.method.split(",")
    for parameters in [] if options.speed else map(int, options.parameters.split(",")):
        for repetitions in map(int, options.repetitions.split(",")):
            for noise in map(float, options.noise.split(",")):
                if repetitions > 1 and not noise:
                    continue
                rows += synthetic(
                    parameters, options.functions, noise, repetitions, options.seed, methods
                )
    real = real_measurements(options.real, methods) if options.real else {}
    if options.prior:
        prior_worth(options.functions, options.seed)
    speed()
    streaming()
    bulk()
    if options.json:
        options.json.write_text(
            json.dumps({"synthetic": [vars(r) for r in rows], "real": real}, indent=1) + "\n"
        )


def synthetic(
    parameters: int,
    functions: int,
    noise: float,
    repetitions: int,
    seed: int,
    methods: Sequence[str],
) -> list[Row]:
    """One protocol, every method."""
    if parameters == 1:
        cases = list(one_parameter(functions, noise, repetitions, seed))
    else:
        cases = list(several_parameters(functions, parameters, noise, repetitions, seed))
    title = (
        f"{parameters} parameter{'s' * (parameters > 1)}, noise +-{noise:.0%}, "
        f"{repetitions} repetition{'s' * (repetitions > 1)}"
    )
    print(f"\n{title}, {len(cases)} functions")
    names = ("exact", "lead", "within", "cover", "negative")
    print(
        f"{'':<18}"
        + "".join(f"{n:>10}" for n in names)
        + f"{'models/s':>11}{'CPU s':>8}   lead/within by class"
    )
    rows = []
    for method in methods:
        rows.append(_judged(title, method, cases, _ours(cases, method)))
    peer = extra_p([c.series for c in cases])
    if peer:
        rows.append(_judged(title, "Extra-P", cases, peer))
    for row in rows:
        print(
            f"{row.method:<18}"
            + "".join(f"{row.shares[n]:>10.1%}" for n in names)
            + f"{row.per_second:>11.1f}{row.cpu_s:>8.2f}   "
            + "  ".join(
                f"{100 * v['lead']:.0f}/{100 * v['within']:.0f}" for v in row.by_class.values()
            )
        )
    for name, rule in NAIVE.items():
        hits = float(np.mean([abs(rule(c) / c.truth - 1) <= TOLERANCE for c in cases]))
        print(f"{name:<18}{'':>20}{hits:>10.1%}")
    return rows


def _ours(cases: Sequence[Case], method: str) -> Answers:
    data = Measurements(tuple(c.series for c in cases))
    started = time.process_time()
    models = fit(data, method=method).models
    return models, time.process_time() - started


def _judged(title: str, method: str, cases: Sequence[Case], answers: Answers) -> Row:
    models, seconds = answers
    found: dict[str, list[dict[str, float]]] = {}
    for case, model in zip(cases, models, strict=True):
        predicted = float(model.evaluate(case.query))  # type: ignore[arg-type]
        low, high = model.interval(case.query) if isinstance(model, Model) else (np.nan, np.nan)
        found.setdefault(case.kind, []).append(
            {
                "exact": frozenset(t for c, t in model.terms if c) == case.terms,
                "lead": lead(model, case) == case.lead,
                "within": abs(predicted / case.truth - 1) <= TOLERANCE,
                "cover": bool(low <= case.truth <= high),
                "negative": predicted < 0,
            }
        )
    by_class = {
        kind: {n: float(np.mean([v[n] for v in values])) for n in values[0]}
        for kind, values in found.items()
    }
    shares = {
        n: float(np.mean([v[n] for v in by_class.values()])) for n in next(iter(by_class.values()))
    }
    return Row(title, method, shares, by_class, len(cases) / max(seconds, 1e-9), seconds)


def lead(model: Model | PeerModel, case: Case) -> Term:
    """The term that contributes most at the point asked for."""
    at: Any = case.query
    found = [(abs(c * float(t.evaluate(at))), k) for k, (c, t) in enumerate(model.terms)]
    return model.terms[max(found)[1]][1] if found else Term(())


def real_measurements(path: Path, methods: Sequence[str]) -> dict[str, dict[str, float]]:
    """Mean relative error in % of predictions of the held-out points, by set, and naive rules
    beside them."""
    sets: dict[str, list[Case]] = {}
    for case in real_cases(path):
        sets.setdefault(case.kind, []).append(case)
    predictors = [*methods, *(["Extra-P"] if os.environ.get("EXTRAP_PYTHON") else []), *NAIVE]
    print(f"\n{path.stem}, {sum(map(len, sets.values()))} series: error in % of the held-out point")
    print(
        f"{'':<26}{'series':>7}"
        + "".join(f"{p:>17}" for p in predictors)
        + f"{'cover':>8}{'sure':>6}{'wrong':>6}{'negative':>9}"
    )
    table: dict[str, dict[str, float]] = {}
    for name, cases in sets.items():
        row: dict[str, float] = {}
        cover = negative = sure = wrong = 0
        for predictor in predictors:
            if predictor in NAIVE:
                values = [NAIVE[predictor](c) for c in cases]
            else:
                answers = (
                    extra_p([c.series for c in cases])
                    if predictor == "Extra-P"
                    else _ours(cases, predictor)
                )
                assert answers
                values = [
                    float(m.evaluate(c.query)) for c, m in zip(cases, answers[0], strict=True)
                ]  # type: ignore[arg-type]
                if predictor == "default":
                    negative = sum(v < 0 for v in values)
                    pairs: Any = zip(cases, answers[0], strict=True)
                    ends = [m.interval(c.query) for c, m in pairs]
                    cover = sum(
                        bool(a <= c.truth <= b) for c, (a, b) in zip(cases, ends, strict=True)
                    )
                    low, high = np.array(ends, dtype=float).T
                    told = certainty(np.array(values), low, high) == "sure"
                    true = np.array([c.truth for c in cases])
                    sure = int(told.sum())
                    wrong = int((np.abs(np.array(values) - true) > 0.25 * np.abs(true))[told].sum())
            row[predictor] = float(
                np.mean([relative_error(v, c.truth) for v, c in zip(values, cases, strict=True)])
            )
        table[name] = row
        print(
            f"{name:<26}{len(cases):>7}"
            + "".join(f"{row[p]:>17.1f}" for p in predictors)
            + f"{cover / len(cases):>8.0%}{sure / len(cases):>6.0%}"
            + (f"{wrong / sure:>6.0%}" if sure else f"{'-':>6}")
            + f"{negative:>9}"
        )
    mean = {p: float(np.mean([r[p] for r in table.values()])) for p in predictors}
    print(f"{'mean over sets':<33}" + "".join(f"{mean[p]:>17.1f}" for p in predictors))
    if "default" in predictors:
        others = [p for p in predictors if p == "Extra-P" or p.startswith("log-log")]
        better = sum(r["default"] < min(r[p] for p in others) for r in table.values())
        print(
            f"default is better than the best of {', '.join(others)} on {better} of {len(table)}"
            " sets"
        )
    return table | {"mean": mean}


def prior_worth(functions: int, seed: int) -> None:
    """How often the lead is right when the analysis says which parameter matters, or the terms,
    against when it does not.

    Two parameters are varied, one matters: c0 + c1 x**i log2(x)**j at k x k points.
    """
    print(
        f"\nworth of the static prior, {functions} functions of one of two parameters: lead exact"
    )
    print(
        f"{'points':<8}{'noise':>8}{'nothing known':>16}{'parameter known':>18}{'bounds known':>15}"
        f"{'terms known':>14}"
    )
    for side in (3, 4, 5):
        for noise in (0.02, 0.05, 0.1, 0.2):
            cases = list(irrelevant_parameter(functions, side, noise, seed))
            data = Measurements(tuple(c.series for c in cases))
            shares = []
            for known in (
                lambda c: Prior(),
                lambda c: Prior(frozenset("x")),
                _bounded,
                lambda c: Prior(frozenset("x"), (c.lead,)),
            ):
                priors = {(c.series.callpath, "time"): known(c) for c in cases}
                models = fit(data, priors).models
                shares.append(
                    float(
                        np.mean([lead(m, c) == c.lead for m, c in zip(models, cases, strict=True)])
                    )
                )
            print(
                f"{side}x{side:<6}{noise:>8.0%}{shares[0]:>16.0%}{shares[1]:>18.0%}"
                f"{shares[2]:>15.0%}{shares[3]:>14.0%}"
            )


def _bounded(case: Case) -> Prior:
    """The parameter, and the whole powers of it between which the law lies, as bounds of nested
    loops are."""
    power = growth_in([case.lead], "x")[0]
    above = Term.of(
        {
            "x": (
                (
                    math.ceil(power)
                    if case.lead == Term.of({"x": (math.ceil(power), 0)})
                    else math.floor(power) + 1
                ),
                0,
            )
        }
    )
    return Prior(frozenset("x"), upper=(above,), lower=(Term.of({"x": (math.floor(power), 0)}),))


def speed() -> None:
    """Hypotheses and complete models a second."""
    generator = np.random.default_rng(0)
    x = np.array([4.0, 8.0, 16.0, 32.0, 64.0])
    powers = np.linspace(0.1, 4, 57)
    first, second = np.triu_indices(len(powers), 1)
    columns = np.stack(
        [np.ones((5, len(first))), x[:, None] ** powers[first], x[:, None] ** powers[second]]
    )
    forms = left_out_forms(columns / np.abs(columns).max(axis=1, keepdims=True))
    values = 1 + generator.random((20000, 5))
    started = time.process_time()
    forms.best(values)
    rate = len(values) * len(first) / (time.process_time() - started)
    started = time.process_time()
    for start in range(0, len(values), 128):
        forms.errors(values[start : start + 128])
    errors = len(values) * len(first) / (time.process_time() - started)
    print(
        f"\nleave-one-out errors of {len(first)} two-term hypotheses: {errors / 1e6:.0f} million a"
        f" CPU second, {rate / 1e6:.0f} million with the best of each series found"
    )
    batches()
    for parameters, count in ((1, 20000), (2, 2000), (3, 300)):
        cases = list(_timed(parameters, count))
        data = Measurements(tuple(c.series for c in cases))
        started = time.process_time()
        models = fit(data)
        fitted = time.process_time()
        for model in models.models:
            # made when they are looked at
            model.formula, model.quality, model.identifiable  # noqa: B018
        named = time.process_time()
        models.interval(_elsewhere(cases[0]))
        done = time.process_time()
        print(
            f"complete models, {parameters} parameter{'s' * (parameters > 1)}, {len(cases)} series:"
            f" {len(cases) / (done - started):.0f} a CPU second (fits"
            f" {len(cases) / (fitted - started):.0f}, formulas, errors and identifiability"
            f" {len(cases) / (named - fitted):.0f}, intervals {len(cases) / (done - named):.0f})"
        )


def _elsewhere(case: Case) -> dict[str, float]:
    """Twice as far as the query of a case, where certainty has not asked for the interval."""
    return {name: 2 * value for name, value in case.query.items()}


def batches() -> None:
    """Complete models a CPU second in fits of few series, and with five repetitions: the kernel is
    compiled before."""
    kernel()
    for size, repetitions in ((1, 1), (20, 1), (200, 1), (1500, 5)):
        cases = list(_timed(1, max(4 * size, 800), repetitions))
        spent, made = 0.0, 0
        for start in range(0, len(cases) - size + 1, size):
            data = Measurements(tuple(c.series for c in cases[start : start + size]))
            started = time.process_time()
            models = fit(data)
            for model in models.models:
                model.formula, model.quality, model.identifiable  # noqa: B018
            models.interval(_elsewhere(cases[0]))
            spent, made = spent + time.process_time() - started, made + size
            if spent > 1:
                break
        print(
            f"complete models, 1 parameter, batches of {size}, {repetitions} repetition"
            f"{'s' * (repetitions > 1)}: {made / spent:.0f} a CPU second"
        )


def streaming(observations: int = 20000) -> None:
    """CPU time of an observation and of the models after all of them, with the default method and
    with the online LASSO, whose models need no more than its Gram matrices."""
    for parameters in (1, 2):
        for method in ("default", "lasso"):
            cases = list(
                one_parameter(3, 0, 1, 1)
                if parameters == 1
                else several_parameters(20, parameters, 0, 1, 1)
            )
            fitter = OnlineFitter(cases[0].series.parameters, method=method, between_alarms=None)
            generator = np.random.default_rng(0)
            factors = generator.uniform(0.95, 1.05, observations).tolist()
            started = time.process_time()
            for k, factor in enumerate(factors):
                series = cases[k % len(cases)].series
                place = k // len(cases) % len(series.means)
                params = dict(zip(series.parameters, series.points[place].tolist(), strict=True))
                fitter.observe(series.callpath, "time", params, series.means[place] * factor)
            observed = time.process_time()
            fitter.models()  # imports what it needs
            warm = time.process_time()
            models = fitter.models().models
            done = time.process_time()
            leads = np.mean([lead(m, c) == c.lead for m, c in zip(models, cases, strict=True)])
            print(
                f"streaming, {parameters} parameter{'s' * (parameters > 1)}, {method}:"
                f" {1e6 * (observed - started) / observations:.0f} us an observation,"
                f" {1e3 * (done - warm) / len(models):.1f} ms a model, lead exact {leads:.0%}"
            )


def bulk(callpaths: int = 10000) -> None:
    """CPU time to load and to model many call paths, 5 x 5 points with five repetitions each, from
    JSON Lines."""
    generator = np.random.default_rng(0)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bulk.jsonl"
        p, n = (a.ravel() for a in np.meshgrid(2.0 ** np.arange(2, 7), 10 * 2.0 ** np.arange(5)))
        with path.open("w") as file:
            for number in range(callpaths):
                low, high = generator.uniform(1, 100, 2)
                law = low + high * n ** generator.choice([0.5, 1, 1.5, 2]) * p ** generator.choice(
                    [0, 0.5, 1]
                )
                values = law[:, None] * (1 + generator.uniform(-0.02, 0.02, (len(law), 5)))
                file.writelines(
                    f'{{"params": {{"p": {a}, "n": {b}}}, "callpath": "main->f{number}", "metric":'
                    f' "time", "value": {value}}}\n'
                    for a, b, row in zip(p.tolist(), n.tolist(), values.tolist(), strict=True)
                    for value in row
                )
        started = time.process_time()
        data = read(path)
        loaded, peak_loaded = time.process_time(), peak_mb()
        fit(data)
        modelled = time.process_time()
    print(
        f"{callpaths} call paths x 25 points x 5 repetitions: loaded in {loaded - started:.1f} and"
        f" modelled in {modelled - loaded:.1f} CPU s; at most {peak_loaded:.0f} and {peak_mb():.0f}"
        " MB in this process so far"
    )


def peak_mb() -> float:
    """The most memory that this process has used so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _timed(parameters: int, count: int, repetitions: int = 1) -> list[Case]:
    if parameters > 1:
        return list(several_parameters(count, parameters, 0.02, 1, 1))
    cases = list(one_parameter(4 * count // 7, 0.02, repetitions, 1))
    return [c for c in cases if np.array_equal(c.series.points, cases[0].series.points)]


if __name__ == "__main__":
    main()
