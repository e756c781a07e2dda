"""Random functions of the papers' protocols, and real measurements with their largest point held
out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np

from modeling import Series, Term

COMMON = ("1 0", "2 0", "3 0", "0 1")
RARE = (*(f"{i}/2 0" for i in (1, 3, 5)), *(f"{i}/3 0" for i in (1, 2, 4, 5, 7, 8)), "0 2")
EXOTIC = (
    *(f"{i}/4 0" for i in range(1, 12, 2)),
    *(f"{i}/5 0" for i in range(1, 15) if i not in (5, 10)),
    "0 1/2",
    "0 3/2",
)
CLASSES = ("constant", "common 1", "common 2", "rare 1", "rare 2", "exotic 1", "exotic 2")
RANGES = tuple(2.0 ** np.arange(k, k + 5) for k in (1, 3, 5, 7))
GRID = (4.0, 8.0, 16.0, 32.0, 64.0)
BEYOND = 4.0
TOLERANCE = 0.02


@dataclass(frozen=True)
class Case:
    """A series and the truth about it: all terms (when known), leading term, where to predict and
    what is true there."""

    kind: str
    series: Series
    terms: frozenset[Term]
    lead: Term | None
    query: dict[str, float]
    truth: float


def one_parameter(count: int, noise: float, repetitions: int, seed: int) -> Iterator[Case]:
    """`count` functions for each of the seven classes (Reisert et al., Euro-Par 2017, 4.1)."""
    generator = np.random.default_rng(seed)
    for kind in CLASSES:
        own, every, terms = pools(kind)
        for k in range(count):
            chosen = [own[generator.integers(len(own))]] if terms else []
            while len(chosen) < terms:
                other = every[generator.integers(len(every))]
                if other not in chosen:
                    chosen.append(other)
            x = RANGES[k % len(RANGES)]
            named = [Term.of({"x": (t.split()[0], t.split()[1])}) for t in chosen]
            coefficients = 10 ** generator.uniform(-2, 3, len(named) + 1)
            yield _case(
                kind, str(k), ("x",), x[:, None], named, coefficients, noise, repetitions, generator
            )


def pools(kind: str) -> tuple[tuple[str, ...], tuple[str, ...], int]:
    if kind == "constant":
        return (), (), 0
    name, terms = kind.split()
    own = {"common": COMMON, "rare": RARE, "exotic": EXOTIC}[name]
    every = {"common": COMMON, "rare": COMMON + RARE, "exotic": COMMON + RARE + EXOTIC}[name]
    return own, every, int(terms)


def several_parameters(
    count: int, parameters: int, noise: float, repetitions: int, seed: int
) -> Iterator[Case]:
    """Calotoiu et al., CLUSTER 2016, Eq. 3: c0 + c1 A + c2 B, A and B products of some of one
    factor for each parameter; i in {0/4 .. 12/4}, j in {0, 1, 2}, coefficients in (0, 100), five
    values for each parameter."""
    generator = np.random.default_rng(seed)
    names = tuple("xyzuv"[:parameters])
    points = np.array(list(product(GRID, repeat=parameters)))
    for k in range(count):
        factors = {
            n: (Fraction(int(generator.integers(13)), 4), int(generator.integers(3))) for n in names
        }
        c0, *others = generator.uniform(0, 100, 3)
        found: dict[Term, float] = {}
        for c in others:
            term = Term.of({n: f for n, f in factors.items() if generator.integers(2)})
            found[term] = found.get(term, 0.0) + c
        c0 += found.pop(Term(()), 0.0)
        yield _case(
            f"{parameters} parameters",
            str(k),
            names,
            points,
            list(found),
            np.array([c0, *found.values()]),
            noise,
            repetitions,
            generator,
        )


def irrelevant_parameter(count: int, side: int, noise: float, seed: int) -> Iterator[Case]:
    """c0 + c1 t(x) at side x side points (x, y), t one of the common and rare terms."""
    generator = np.random.default_rng(seed)
    points = np.array(list(product(GRID[-side:], repeat=2)))
    shapes = COMMON + RARE
    for k in range(count):
        exponents = tuple(shapes[generator.integers(len(shapes))].split())
        term = Term.of({"x": exponents})  # type: ignore[dict-item]
        yield _case(
            "one of two",
            str(k),
            ("x", "y"),
            points,
            [term],
            10 ** generator.uniform(-2, 3, 2),
            noise,
            1,
            generator,
        )


def _case(
    kind: str,
    name: str,
    names: tuple[str, ...],
    points: np.ndarray,
    terms: list[Term],
    coefficients: np.ndarray,
    noise: float,
    repetitions: int,
    generator: np.random.Generator,
) -> Case:
    def parts(at: np.ndarray) -> np.ndarray:
        columns = {n: at[:, k] for k, n in enumerate(names)}
        return coefficients[:, None] * np.stack(
            [np.ones(len(at)), *(t.evaluate(columns) for t in terms)]
        )

    factor = 1 + generator.uniform(-noise, noise, (len(points), repetitions))
    far = points.max(axis=0) * BEYOND
    there = parts(far[None])[:, 0]
    lead = terms[int(there[1:].argmax())] if terms else Term(())
    series = Series.from_values(
        f"{kind} {name}", "time", names, points, parts(points).sum(axis=0)[:, None] * factor
    )
    return Case(
        kind,
        series,
        frozenset(terms),
        lead,
        dict(zip(names, far.tolist(), strict=True)),
        float(there.sum()),
    )


def real_cases(path: Path) -> Iterator[Case]:
    """Measurements from a JSON Lines file with the fields set, metric, callpath, params, points,
    values, query, held_out."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            d = json.loads(line)
            series = Series.from_values(
                str(d["id"]), d["metric"], d["params"], d["points"], d["values"]
            )
            yield Case(
                d["set"],
                series,
                frozenset(),
                None,
                dict(zip(d["params"], d["query"][0], strict=True)),
                float(np.mean(d["held_out"])),
            )


def last_value(case: Case) -> float:
    """Naive: the value at the largest point."""
    return float(case.series.means[_largest(case.series)])


def log_log_line(points: int) -> Callable[[Case], float]:
    """Naive: for each parameter a straight line in log-log through its last points, the others at
    their largest values."""

    def predict(case: Case) -> float:
        s = case.series
        result = last_value(case)
        top = s.points[_largest(s)]
        for k, name in enumerate(s.parameters):
            line = np.flatnonzero((np.delete(s.points, k, axis=1) == np.delete(top, k)).all(axis=1))
            line = line[np.argsort(s.points[line, k])][-points:]
            x, y = s.points[line, k], s.means[line]
            if len(line) > 1 and (y > 0).all() and (x > 0).all():
                slope = np.polyfit(np.log(x), np.log(y), 1)
                result *= float(
                    np.exp(np.polyval(slope, np.log(case.query[name]))) / s.means[_largest(s)]
                )
        return result

    return predict


def _largest(series: Series) -> int:
    return int(np.lexsort(series.points.T)[-1])


def relative_error(predicted: float, true: float) -> float:
    """|y - f| / ((|y| + |f|) / 2) in %."""
    total = abs(predicted) + abs(true)
    return 200 * abs(predicted - true) / total if total else 0.0
