"""Shapes that no single term of the normal form describes, designs that tell little, and noise that
is not normal: what measurements of programs look like, generated with seeds.

    python -m benchmarks.bench_modeling --suite hard [--functions 40] [--seed 1] [--json FILE]

Each shape is a law, a design and a noise; a model of it is asked for the value at four times the
largest point. "shared" fits all series of a shape as one file, "alone" each as a file of its own;
beside them stand the line through the last two points in log-log coordinates, and Extra-P where
EXTRAP_PYTHON names a python that has it. Errors are |y - f| / ((|y| + |f|) / 2) in %, 200 at most,
and their means. "sure" is the share of models of "alone" that are called sure, "wrong" the share of
these that are off by more than a quarter, "wide" the share of these whose 90 % interval spans more
than a factor of two on either side, "cover" the share of the true values inside the interval.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from modeling import Measurements, Model, Series, fit

from .modeling_peer import extra_p
from .modeling_protocols import BEYOND, Case, log_log_line, relative_error

Floats = NDArray[np.float64]
Law = Callable[[Floats], Floats]
"""Values (P,) at points (P, m)."""
Noise = Callable[[np.random.Generator, Floats, int], Floats]
"""Observations (P, R) of values (P,)."""
QUARTER, TWICE = 0.25, 2.0


@dataclass(frozen=True)
class Shape:
    """Laws drawn at random with the points they are measured at, how often, and with what noise."""

    draw: Callable[[np.random.Generator], tuple[tuple[str, ...], Floats, Law]]
    noise: Noise
    repetitions: int


def normal(s: float) -> Noise:
    """Normal noise of relative standard deviation s."""

    def observed(generator: np.random.Generator, f: Floats, repetitions: int) -> Floats:
        return f[:, None] * (1 + s * generator.standard_normal((len(f), repetitions)))

    return observed


def contaminated(s: float, share: float, factor: float) -> Noise:
    """The same with a share of the observations multiplied by a factor."""

    def observed(generator: np.random.Generator, f: Floats, repetitions: int) -> Floats:
        hit = generator.random((len(f), repetitions)) < share
        return normal(s)(generator, f, repetitions) * np.where(hit, factor, 1.0)

    return observed


def lognormal(s: float) -> Noise:
    """Factors exp(s z), z standard normal: the law is the median."""

    def observed(generator: np.random.Generator, f: Floats, repetitions: int) -> Floats:
        return f[:, None] * np.exp(s * generator.standard_normal((len(f), repetitions)))

    return observed


def tailed(s: float) -> Noise:
    """A floor and a long tail: what runs add to the law is exponential, with the mean s f; the
    law is scaled so that it is the mean."""

    def observed(generator: np.random.Generator, f: Floats, repetitions: int) -> Floats:
        return f[:, None] * (1 + s * generator.exponential(1.0, (len(f), repetitions))) / (1 + s)

    return observed


def _sizes(generator: np.random.Generator, least: int = 5, most: int = 9) -> Floats:
    """Powers of two or of 1.5, as many as that."""
    count, step = int(generator.integers(least, most + 1)), float(generator.choice([1.5, 2.0]))
    return np.asarray(np.round(float(generator.choice([8, 32, 100])) * step ** np.arange(count)))


def _one(x: Floats, law: Callable[[Floats], Floats]) -> tuple[tuple[str, ...], Floats, Law]:
    return ("x",), x[:, None], lambda at: law(at[:, 0])


def _within(generator: np.random.Generator, x: Floats, above: int = 2) -> float:
    """A place between two points, with at least two points below and `above` above it."""
    k = int(generator.integers(2, len(x) - above + 1))
    return float(np.exp(generator.uniform(np.log(x[k - 1]), np.log(x[k]))))


def simple(generator: np.random.Generator) -> Any:
    """a + b x**i of the usual kind."""
    x, power = _sizes(generator), float(generator.choice([0.5, 1, 1.5, 2, 3]))
    a, b = generator.uniform(0.1, 1), generator.uniform(0.5, 2)
    return _one(x, lambda at: a + b * (at / x[0]) ** power)


def cache_step(generator: np.random.Generator) -> Any:
    """b x, and so many times as much an element from the size of a cache on."""
    x, power = _sizes(generator), float(generator.choice([1, 1, 1.5, 2]))
    edge, factor = _within(generator, x), generator.uniform(1.5, 5)
    return _one(x, lambda at: at**power * np.where(at > edge, factor, 1.0))


def protocol_switch(generator: np.random.Generator) -> Any:
    """a + b x, with another latency and bandwidth from a message size on."""
    x = _sizes(generator)
    edge = _within(generator, x)
    a, b = generator.uniform(2, 20) * x[0], generator.uniform(0.5, 2)
    jump, rate = generator.uniform(1.5, 4), generator.uniform(0.3, 0.8)
    return _one(
        x,
        lambda at: np.where(at > edge, jump * (a + b * edge) + rate * b * (at - edge), a + b * at),
    )


def greater_of_two(generator: np.random.Generator) -> Any:
    """max(a, b x)."""
    x = _sizes(generator)
    edge = _within(generator, x)
    return _one(x, lambda at: np.maximum(edge, at))


def tiles(generator: np.random.Generator) -> Any:
    """a + b ceil(x / tile), at sizes that are no multiples."""
    x = _sizes(generator)
    tile = float(x[-1] / generator.uniform(3, 12))
    a = generator.uniform(0, 2)
    return _one(x, lambda at: a + np.ceil(at / tile))


def amdahl(generator: np.random.Generator) -> Any:
    """s + (1 - s) / p."""
    p = 2.0 ** np.arange(int(generator.integers(5, 8)))
    s = 10 ** generator.uniform(-2.5, -0.7)
    return ("p",), p[:, None], lambda at: s + (1 - s) / at[:, 0]


def scaling_overhead(generator: np.random.Generator) -> Any:
    """a + b / p + c log p."""
    p = 2.0 ** np.arange(int(generator.integers(5, 8)))
    a, c = 10 ** generator.uniform(-3, -1, 2)
    return ("p",), p[:, None], lambda at: a + 1 / at[:, 0] + c * np.log2(at[:, 0])


def cubic_work(generator: np.random.Generator) -> Any:
    """n**3 / p + c p log p on a grid."""
    n, p = 64 * 2.0 ** np.arange(4), 4 * 2.0 ** np.arange(5)
    points = np.array(list(product(n, p)))
    c = 10 ** generator.uniform(-1.5, 1) * n[1] ** 3 / p[-1] / (p[-1] * np.log2(p[-1]))
    return (
        ("n", "p"),
        points,
        lambda at: at[:, 0] ** 3 / at[:, 1] + c * at[:, 1] * np.log2(at[:, 1]),
    )


def crossover(generator: np.random.Generator) -> Any:
    """A term of higher order that reaches the lower one at about the largest point."""
    x = _sizes(generator)
    low, high = (1.0, float(generator.choice([2.0, 3.0])))
    edge = x[-1] * generator.uniform(0.5, 1.5)
    return _one(x, lambda at: (at / edge) ** low + (at / edge) ** high)


def four_points(generator: np.random.Generator) -> Any:
    """a + b x**i log2(x)**j at four points."""
    x = _sizes(generator, 4, 4)
    power, log = float(generator.choice([0.5, 1, 1.5, 2])), int(generator.integers(2))
    a = generator.uniform(0, 1)
    return _one(x, lambda at: a + (at / x[0]) ** power * np.log2(at) ** log)


def sparse_cross(generator: np.random.Generator) -> Any:
    """Two parameters, each varied alone from the smallest point, and one point with both larger: a
    sum or a product."""
    names, points, parts = _two(generator)
    cross = (points[:, 0] == points[0, 0]) | (points[:, 1] == points[0, 1])
    some = np.flatnonzero(cross)
    both = int(generator.choice(np.flatnonzero(~cross)))
    return names, points[np.append(some, both)], parts


def sparse_random(generator: np.random.Generator) -> Any:
    """Two parameters, ten points drawn from a grid of five by five, the largest among them."""
    names, points, parts = _two(generator)
    some = generator.choice(len(points) - 1, 9, replace=False)
    return names, points[np.append(some, len(points) - 1)], parts


def step_on_grid(generator: np.random.Generator) -> Any:
    """Two parameters, a sum or a product, and so many times as much from a value of the first on,
    of which one to three values are above it."""
    names, points, law = _two(generator)
    edge = float(generator.choice(np.unique(points[:, 0])[2:]))
    factor = generator.uniform(1.3, 6)
    return names, points, lambda at: law(at) * np.where(at[:, 0] >= edge, factor, 1.0)


def _two(generator: np.random.Generator) -> tuple[tuple[str, ...], Floats, Law]:
    a, b = 2.0 ** np.arange(2, 7), 32 * 2.0 ** np.arange(5)
    points = np.array(list(product(a, b)))
    i, j = generator.choice([0.5, 1.0, 1.5, 2.0], 2)
    c, d = generator.uniform(0.2, 2, 2)
    together = bool(generator.integers(2))

    def law(at: Floats) -> Floats:
        u, v = (at[:, 0] / a[0]) ** i, (at[:, 1] / b[0]) ** j
        return np.asarray(1 + c * u * v if together else 1 + c * u + d * v)

    return ("p", "n"), points, law


QUIET = normal(0.02)
SHAPES: Mapping[str, Shape] = {
    "clean, 5 repetitions": Shape(simple, QUIET, 5),
    "5 % times 5, 5 repetitions": Shape(simple, contaminated(0.02, 0.05, 5.0), 5),
    "10 % times 3, 10 repetitions": Shape(simple, contaminated(0.02, 0.1, 3.0), 10),
    "5 % times 5, once each": Shape(simple, contaminated(0.02, 0.05, 5.0), 1),
    "floor and tail 20 %, 5 rep.": Shape(simple, tailed(0.2), 5),
    "lognormal 20 %": Shape(simple, lognormal(0.2), 1),
    "lognormal 30 %, 5 rep.": Shape(simple, lognormal(0.3), 5),
    "cache step": Shape(cache_step, QUIET, 1),
    "cache step, 5 repetitions": Shape(cache_step, QUIET, 5),
    "protocol switch": Shape(protocol_switch, QUIET, 1),
    "max(a, b x)": Shape(greater_of_two, QUIET, 1),
    "max(a, b x), 5 repetitions": Shape(greater_of_two, QUIET, 5),
    "ceil(x / tile)": Shape(tiles, QUIET, 1),
    "Amdahl": Shape(amdahl, QUIET, 1),
    "a + b/p + c log p": Shape(scaling_overhead, QUIET, 1),
    "n^3/p + c p log p": Shape(cubic_work, QUIET, 1),
    "crossover near the top": Shape(crossover, QUIET, 1),
    "four points": Shape(four_points, QUIET, 1),
    "sparse cross, 2 parameters": Shape(sparse_cross, QUIET, 1),
    "sparse random, 2 parameters": Shape(sparse_random, QUIET, 1),
    "step on a grid, 2 parameters": Shape(step_on_grid, QUIET, 1),
}


def hard_cases(name: str, count: int, seed: int) -> Iterator[Case]:
    """`count` series of a shape."""
    shape = SHAPES[name]
    for k in range(count):
        generator = np.random.default_rng((seed, list(SHAPES).index(name), k))
        names, points, law = shape.draw(generator)
        size = 10 ** generator.uniform(-3, 3)
        values = size * shape.noise(generator, law(points), shape.repetitions)
        far = points.max(axis=0) * BEYOND
        series = Series.from_values(f"{name} {k}", "time", names, points, values)
        truth = size * float(law(far[None])[0])
        query = dict(zip(names, far.tolist(), strict=True))
        yield Case(name, series, frozenset(), None, query, truth)


def hard_suite(functions: int, seed: int) -> dict[str, dict[str, float]]:
    """Print the table of all shapes, and return it."""
    heads = ("shared", "alone", "line", "Extra-P", "sure", "wrong", "wide", "cover")
    print(f"\nhard shapes, {functions} series each, seed {seed}: mean error in % at 4x")
    print(f"{'':<30}" + "".join(f"{h:>9}" for h in heads))
    table = {}
    for name in SHAPES:
        row = _row(list(hard_cases(name, functions, seed)))
        table[name] = row
        print(f"{name:<30}" + "".join(_shown(h, row.get(h, np.nan)) for h in heads), flush=True)
    mean = {h: float(np.nanmean([r.get(h, np.nan) for r in table.values()])) for h in heads[:3]}
    print(f"{'mean':<30}" + "".join(_shown(h, mean[h]) for h in heads[:3]))
    return table


def _shown(head: str, value: float) -> str:
    if np.isnan(value):
        return f"{'-':>9}"
    return f"{value:>9.1f}" if head in ("shared", "alone", "line", "Extra-P") else f"{value:>9.0%}"


def _row(cases: Sequence[Case]) -> dict[str, float]:
    def error(values: Sequence[float]) -> float:
        return float(
            np.mean([relative_error(v, c.truth) for v, c in zip(values, cases, strict=True)])
        )

    def values(models: Sequence[Any]) -> list[float]:
        return [float(m.evaluate(c.query)) for m, c in zip(models, cases, strict=True)]

    line = log_log_line(2)
    alone = [fit(Measurements((c.series,))).models[0] for c in cases]
    row = {
        "shared": error(values(fit(Measurements(tuple(c.series for c in cases))).models)),
        "alone": error(values(alone)),
        "line": error([line(c) for c in cases]),
        **_certainty(cases, alone),
    }
    peer = extra_p([c.series for c in cases])
    return row | ({"Extra-P": error(values(peer[0]))} if peer else {})


def _certainty(cases: Sequence[Case], models: Sequence[Model]) -> dict[str, float]:
    """How many models are called sure, and how many of these rightly."""
    sure, wrong, wide, cover = [], [], [], []
    for case, model in zip(cases, models, strict=True):
        at: Any = case.query
        value = float(model.evaluate(at))
        low, high = (float(x) for x in model.interval(at))
        cover.append(low <= case.truth <= high)
        sure.append(model.identifiable)
        if model.identifiable:
            wrong.append(abs(value / case.truth - 1) > QUARTER)
            wide.append(high > TWICE * value or low * TWICE < value)
    found = {"sure": sure, "wrong": wrong, "wide": wide, "cover": cover}
    return {n: float(np.mean(v)) if v else np.nan for n, v in found.items()}
