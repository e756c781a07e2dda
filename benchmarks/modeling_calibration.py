"""Do intervals hold what they promise, and are models that are called sure right?

    python -m benchmarks.bench_modeling --suite calibration [--functions 30] [--seed 1]

The functions of the papers' protocols (see `modeling_protocols`) with normal noise of 2 to 40 %.
Shares at four times the largest point: "mean", "observation": new means of as many repetitions, and
new single observations, inside their 90 % intervals; "sure", "rough", "open" models; "wrong":
models called sure that are off by more than a quarter; "within": models that are off by at most a
tenth.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from modeling import Measurements, Series, fit

from .modeling_protocols import Case, one_parameter, several_parameters

NOISE = (0.02, 0.05, 0.1, 0.2, 0.4)
LEAST, QUARTER, TENTH = 0.02, 0.25, 0.1


def calibration(functions: int, seed: int) -> list[dict[str, float]]:
    """Print the table, and return it."""
    heads = ("mean", "observation", "sure", "rough", "open", "wrong", "within")
    print(f"{'parameters, repetitions, noise':<32}" + "".join(f"{h:>13}" for h in heads))
    rows = []
    for parameters, repetitions in ((1, 1), (1, 5), (2, 1), (2, 5), (3, 1)):
        for noise in NOISE:
            row = _row(parameters, repetitions, noise, functions, seed)
            rows.append(
                {"parameters": parameters, "repetitions": repetitions, "noise": noise, **row}
            )
            title = f"{parameters}, {repetitions}, {noise:.0%}"
            print(f"{title:<32}" + "".join(f"{row[h]:>13.0%}" for h in heads), flush=True)
    return rows


def _row(
    parameters: int, repetitions: int, noise: float, functions: int, seed: int
) -> dict[str, float]:
    generator = np.random.default_rng((seed, parameters, repetitions, int(1000 * noise)))

    def factor(*shape: int) -> np.ndarray:
        return np.maximum(1 + noise * generator.standard_normal(shape), LEAST)

    cases = list(_functions(parameters, functions, seed))
    series = [
        Series.from_values(
            f"{c.kind} {k}",
            "time",
            c.series.parameters,
            c.series.points,
            c.series.means[:, None] * factor(len(c.series.means), repetitions),
        )
        for k, c in enumerate(cases)
    ]
    models = fit(Measurements(tuple(series))).models
    mean, single, wrong, near = [], [], [], []
    for case, model in zip(cases, models, strict=True):
        low, high = model.interval(case.query)  # type: ignore[arg-type]
        mean.append(bool(low <= case.truth * factor(repetitions).mean() <= high))
        low, high = model.interval(case.query, of="observation")  # type: ignore[arg-type]
        single.append(bool(low <= case.truth * factor(1)[0] <= high))
        off = abs(float(model.evaluate(case.query)) / case.truth - 1)  # type: ignore[arg-type]
        near.append(off <= TENTH)
        if model.identifiable:
            wrong.append(off > QUARTER)
    known = [m.certainty for m in models]
    shares = {name: known.count(name) / len(known) for name in ("sure", "rough", "open")}  # type: ignore[arg-type]
    return {
        "mean": float(np.mean(mean)),
        "observation": float(np.mean(single)),
        **shares,
        "wrong": float(np.mean(wrong)) if wrong else 0.0,
        "within": float(np.mean(near)),
    }


def _functions(parameters: int, functions: int, seed: int) -> Iterator[Case]:
    """Functions without noise."""
    if parameters == 1:
        return one_parameter(functions, 0.0, 1, seed)
    return several_parameters(4 * functions, parameters, 0.0, 1, seed)
