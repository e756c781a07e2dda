"""Growth by factors, and rates: how often the family is named, and how well it is foretold.

Each series has 6 to 9 points with 3 % noise. Growth is asked for one quarter beyond the largest
point, rates at four times it; powers and logarithms, of which no curve may be told, at four times.
"""

from __future__ import annotations

from collections.abc import Callable
from math import lgamma
from typing import Any, TypeAlias

import numpy as np

from modeling import Measurements, Series, fit
from modeling.data.measurements import Floats

_NOISE = 0.03
Drawn: TypeAlias = tuple[str, str, Any, Callable[[Any], Any], float]
"""Parameter, metric, points, law, and the multiple of the largest point that is asked."""


def _exponential(rng: np.random.Generator) -> Drawn:
    base = rng.choice([2.0, 3.0, rng.uniform(1.2, 4)])
    count, step = int(rng.integers(6, 10)), max(1, round(float(np.log(4) / np.log(base) / 2)))
    x = np.arange(count) * step + rng.integers(3, 12)
    floor = rng.choice([0.0, 1.0]) * base ** float(x[2])
    return "n", "time_s", x.astype(float), lambda n: 1e-6 * (floor + base**n), 1.25


def _factorial(rng: np.random.Generator) -> Drawn:
    x = np.arange(rng.integers(6, 9)) + rng.integers(3, 6)
    power = rng.integers(0, 2)

    def law(n: Floats) -> Floats:
        return np.array([1e-8 * v**power * np.exp(lgamma(v + 1)) for v in np.rint(n).tolist()])

    return "n", "time_s", x.astype(float), law, 1.25


def _scalability(rng: np.random.Generator) -> Drawn:
    sigma, kappa = rng.uniform(0.01, 0.1), 10 ** rng.uniform(-4, -2.5)
    x = 2.0 ** np.arange(rng.integers(6, 9))
    return (
        *("threads", "throughput", x),
        *(lambda n: 900 * n / (1 + sigma * (n - 1) + kappa * n * (n - 1)), 4.0),
    )


def _amdahl(rng: np.random.Generator) -> Drawn:
    serial = rng.uniform(0.02, 0.2)
    x = 2.0 ** np.arange(rng.integers(6, 9))
    return "threads", "throughput", x, lambda n: 900 * n / (1 + serial * (n - 1)), 4.0


def _saturation(rng: np.random.Generator) -> Drawn:
    half = 2 ** rng.uniform(8, 12)
    x = 2.0 ** np.arange(6, 6 + rng.integers(6, 10))
    return "size", "bandwidth_MBps", x, lambda n: 9000 * n / (n + half), 4.0


def _power(rng: np.random.Generator) -> Drawn:
    i, j = rng.choice([0, 0.5, 1, 1.5, 2, 3, 4]), rng.choice([0, 1])
    x = rng.choice([1, 10, 64]) * 2.0 ** np.arange(rng.integers(6, 9))
    metric = str(rng.choice(["time_s", "throughput", "cost"]))
    floor = rng.uniform(0, 3)
    return "n", metric, x, lambda n: 1e-3 * (floor + n**i * np.log2(n + 1) ** j), 4.0


FAMILIES: dict[str, tuple[Callable[[np.random.Generator], Drawn], tuple[str, ...]]] = {
    "c b**n, with a floor or without": (_exponential, ("b**x", "2**x")),
    "c n!, c n n!": (_factorial, ("x!", "x x!")),
    "universal scalability law": (_scalability, ("1/x",)),
    "Amdahl, as a rate": (_amdahl, ("1/x",)),
    "saturation": (_saturation, ("1/x",)),
    "powers and logarithms": (_power, ()),
}


def curves_suite(functions: int, seed: int) -> dict[str, dict[str, float]]:
    """Print the table, and return it."""
    print(f"\ncurves, {functions} series each, seed {seed}, {_NOISE:.0%} noise")
    heads = ("family right", "error %", "line %", "cover", "sure", "wrong")
    print(f"{'':<34}" + "".join(f"{h:>14}" for h in heads))
    table = {}
    for name, (draw, parts) in FAMILIES.items():
        rng = np.random.default_rng(seed)
        rows = [_tried(draw(rng), parts, rng) for _ in range(functions)]
        own = {h: float(np.nanmean([r[h] for r in rows])) for h in heads}
        table[name] = own
        shown = (f"{v:>14.1f}" if "%" in h else f"{v:>14.0%}" for h, v in own.items())
        print(f"{name:<34}" + "".join(shown), flush=True)
    return table


def _tried(drawn: Drawn, parts: tuple[str, ...], rng: np.random.Generator) -> dict[str, float]:
    name, metric, x, law, beyond = drawn
    values = law(x) * np.exp(_NOISE * rng.standard_normal(len(x)))
    series = Series.from_values("f", metric, (name,), x[:, None].tolist(), values.tolist())
    model = fit(Measurements((series,)))[0]
    top = float(x.max()) * beyond if beyond == 4 else float(np.ceil(x.max() * beyond))
    at: Any = {name: top}
    truth = float(law(np.array([top]))[0])
    told = model.predict(at)
    lead = model.curve.curves[0].parts[0] if model.curve is not None else ""
    slope = np.log(values[-1] / values[-2]) / np.log(x[-1] / x[-2])
    line = float(values[-1] * (top / x[-1]) ** slope)
    is_sure = told.certainty == "sure"

    def error(value: float) -> float:
        return 200 * abs(value - truth) / (value + truth)

    return {
        "family right": lead in parts if parts else lead == "",
        "error %": error(float(told.value)),
        "line %": error(line),
        "cover": told.low <= truth <= told.high,
        "sure": is_sure,
        "wrong": abs(float(told.value) / truth - 1) > 0.25 if is_sure else np.nan,
    }
