"""Do models differ between processors? The kernel compiled for this one and for any of its kind, on
random series over one, two and three
parameters: few points, huge ranges, points that are close or equal, sparse designs, values that are
zero, negative or those of a pure law, one repetition or five, alone or with others of the metric.

    python -m benchmarks.modeling_kernel [--series 3000] [--seed 1] [--kind WORDS] [--show 20]

What is compared, to the last bit: the terms of the law, what they contribute, forecasts and ends of
intervals at two and four times the largest point, errors, rivals, and what is said of certainty.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from modeling import Measurements, Model, Series, fit
from modeling.fitter.design import _space
from modeling.kernel import library

Floats = NDArray[np.float64]
Generator = np.random.Generator
Points = Callable[[Generator], Floats]

NAMES = ("x", "y", "z")
TOGETHER = (1, 4, 30)
"""Series of an experiment: one alone, some, and so many that they share a noise."""
NOISE = (0.0, 0.02, 0.2)


def _powers(g: Generator) -> Floats:
    return 2.0 ** (g.integers(0, 6) + np.arange(g.integers(4, 10)))


def _steps(g: Generator) -> Floats:
    return float(g.integers(1, 40)) * np.arange(1, g.integers(5, 14))


def _few(g: Generator) -> Floats:
    return np.sort(g.choice(np.arange(1.0, 60), int(g.integers(1, 5)), replace=False))


def _huge(g: Generator) -> Floats:
    return 10.0 ** np.sort(g.uniform(0, 12, int(g.integers(4, 9))))


def _close(g: Generator) -> Floats:
    return float(g.uniform(50, 5000)) + np.sort(g.uniform(0, 1, int(g.integers(4, 8))))


def _small(g: Generator) -> Floats:
    return np.sort(g.uniform(0.001, 3, int(g.integers(4, 8))))


def _from_zero(g: Generator) -> Floats:
    return np.arange(0.0, g.integers(4, 9)) * float(g.integers(1, 20))


def _many(g: Generator) -> Floats:
    return np.sort(g.choice(np.arange(2.0, 900), int(g.integers(20, 40)), replace=False))


_LINES: dict[str, Points] = {
    "powers of two": _powers,
    "even steps": _steps,
    "few points": _few,
    "huge range": _huge,
    "close points": _close,
    "small points": _small,
    "from zero": _from_zero,
    "many points": _many,
}


def _values(g: Generator, several: int) -> list[Floats]:
    """Some values of each of several parameters."""
    found = []
    for _ in range(several):
        count = int(g.integers(3, 6))
        powers = 2.0 ** (g.integers(1, 4) + np.arange(count))
        found.append(powers if g.integers(2) else np.arange(1.0, count + 1) * g.integers(1, 30))
    return found


def _grid(g: Generator, several: int) -> Floats:
    return np.array(list(product(*_values(g, several))))


def _holes(g: Generator, several: int) -> Floats:
    points = _grid(g, several)
    return points[np.sort(g.choice(len(points), max(5, len(points) // 2), replace=False))]


def _cross(g: Generator, several: int) -> Floats:
    values = _values(g, several)
    least = [v[0] for v in values]
    found = {tuple(least)}
    for k, own in enumerate(values):
        found |= {(*least[:k], x, *least[k + 1 :]) for x in own.tolist()}
    return np.array([*sorted(found), [v[-1] for v in values]])


def _scattered(g: Generator, several: int) -> Floats:
    return g.integers(1, 60, (int(g.integers(3, 14)), several)).astype(float)


def _together(g: Generator, several: int) -> Floats:
    x = _powers(g)
    return np.stack([x * float(g.integers(1, 5)) for _ in range(several)], axis=1)


_GRIDS: dict[str, Callable[[Generator, int], Floats]] = {
    "grid": _grid,
    "grid with holes": _holes,
    "cross": _cross,
    "scattered": _scattered,
    "changing together": _together,
}


@dataclass(frozen=True)
class Experiment:
    """Series at the same points."""

    kind: str
    series: tuple[Series, ...]


def experiments(number: int, seed: int, kind: str = "") -> Iterator[Experiment]:
    """Experiments of about so many series in all, of those kinds whose names hold some words."""
    kinds = [(f"1 parameter, {n}", 1, n) for n in _LINES]
    kinds += [(f"{k} parameters, {n}", k, n) for k in (2, 3) for n in _GRIDS]
    kinds = [k for k in kinds if kind in k[0]]
    made, turn = 0, 0
    while made < number:
        name, several, design = kinds[turn % len(kinds)]
        g = np.random.default_rng((seed, turn))
        size = TOGETHER[turn // len(kinds) % len(TOGETHER)]
        size = size if several == 1 else min(size, 12 // several)
        points = _LINES[design](g)[:, None] if several == 1 else _GRIDS[design](g, several)
        noise, repetitions = NOISE[g.integers(len(NOISE))], (1, 5)[g.integers(2)]
        metric = ("time", "energy")[g.integers(2)]
        every = tuple(_series(g, f"f{k}", metric, points, noise, repetitions) for k in range(size))
        yield Experiment(f"{name}, noise {noise:g}, {repetitions} repetitions", every)
        made, turn = made + size, turn + 1


def _law(g: Generator, points: Floats) -> Floats:
    """Values of a random sum of products at the points."""
    total = np.full(len(points), 10 ** g.uniform(-1, 3) if g.integers(4) else 0.0)
    for _ in range(int(g.integers(0, 3))):
        term = np.ones(len(points))
        for x in points.T:
            if g.integers(3) or points.shape[1] == 1:
                term *= np.maximum(x, 1e-3) ** float(g.choice([-1, 0.5, 1, 1, 1.5, 2, 3, 0.75]))
                if g.integers(3) == 0 and (x >= 1).all():
                    term *= np.log2(x)
        total += 10 ** g.uniform(-2, 2) * term
    kind = g.integers(20)
    if kind == 0:
        total = np.where(points[:, 0] > np.median(points[:, 0]), 3 * total, total)
    elif kind == 1:
        total = total - total.mean()
    elif kind == 2:
        total = np.where(np.arange(len(total)) < len(total) // 2, 0.0, total)
    elif kind == 3:
        total = np.round(total, 1)
    elif kind == 4:
        total = 10 + 3 * np.ceil(points[:, 0] / np.median(points[:, 0]))
    return total


def _series(
    g: Generator, path: str, metric: str, points: Floats, noise: float, repetitions: int
) -> Series:
    size = len(points), repetitions
    off = g.normal(0, noise, size) if g.integers(2) else g.uniform(-noise, noise, size)
    values = _law(g, points)[:, None] * (1 + np.maximum(off, -0.9))
    if repetitions > 1 and noise and not g.integers(6):
        values = values * np.where(g.random(size) < 0.05, 3.0, 1.0)
    return Series.from_values(path, metric, NAMES[: points.shape[1]], points, values)


@dataclass(frozen=True)
class Told:
    """What is compared of a model."""

    words: tuple[str, ...]
    numbers: Floats
    scale: Floats

    @staticmethod
    def of(model: Model, points: Floats) -> Told:
        """At two and four times the largest point."""
        top = points.max(axis=0)
        numbers, scale = [], []
        for factor in (2.0, 4.0):
            at = dict(zip(model.parameters, (top * factor).tolist(), strict=True))
            parts = [model.constant, *(float(c * t.evaluate(at)) for c, t in model.terms)]
            numbers += parts
            scale += [max(map(abs, parts))] * len(parts)
            three = [float(model.evaluate(at)), *map(float, model.interval(at))]
            three += map(float, model.interval(at, of="observation"))
            numbers += three
            scale += [max(map(abs, three))] * len(three)
        quality = model.quality
        errors = [quality.smape, quality.adjusted_r2]
        words = (
            " + ".join(str(t) for _, t in model.terms),
            str(model.before and (model.before.parameter, model.before.until)),
            str(model.identifiable),
            str(model.reason),
            str(model.certainty),
            str(len(model.rivals)),
        )
        one = np.array([*scale, *(max(abs(e), 1.0) for e in errors)])
        return Told(words, np.array([*numbers, *errors]), one)

    def apart(self, other: Told) -> float:
        """The greatest relative difference; infinite where words differ."""
        if self.words != other.words or len(self.numbers) != len(other.numbers):
            return np.inf
        same = (self.numbers == other.numbers) | (np.isnan(self.numbers) & np.isnan(other.numbers))
        scale = np.maximum(np.maximum(self.scale, other.scale), 1e-300)
        with np.errstate(invalid="ignore"):
            off = np.abs(self.numbers - other.numbers) / scale
        return float(np.nan_to_num(np.where(same, 0.0, off), nan=np.inf).max())


def told(series: Sequence[Series], *, generic: bool) -> list[Told]:
    """What the models of some series say, by a kernel for this processor or for any of its kind."""
    own = library._of_this_machine
    if generic:
        library._of_this_machine = _generic
    _space.cache_clear()  # which keeps what a kernel has made of the points
    try:
        models = fit(Measurements(tuple(series))).models
        return [Told.of(m, s.points) for m, s in zip(models, series, strict=True)]
    finally:
        library._of_this_machine = own


@cache
def _generic() -> library.Kernel:
    return library.kernel_for("generic", "")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--series", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", default="", help="words in the names of the kinds looked at")
    parser.add_argument("--show", type=int, default=20, help="differences shown at most")
    options = parser.parse_args()
    started = time.process_time()
    found: Counter[str] = Counter()
    count = 0
    for number, e in enumerate(experiments(options.series, options.seed, options.kind)):
        one, other = (told(e.series, generic=generic) for generic in (False, True))
        for k, (a, b) in enumerate(zip(one, other, strict=True)):
            count += 1
            apart = a.apart(b)
            if not apart:
                continue
            kind = ", ".join(e.kind.split(", ")[:2])
            found[kind] += 1
            if sum(found.values()) <= options.show:
                print(f"experiment {number}, {e.kind}, series {k} of {len(one)}: {apart:.2g}")
                differ = [(x, y) for x, y in zip(a.words, b.words, strict=True) if x != y]
                for x, y in differ or [(str(a.numbers), str(b.numbers))]:
                    print(f"    own     {x}\n    generic {y}")
    print(
        f"{count} series, {sum(found.values())} differ ({time.process_time() - started:.0f} CPU s)"
    )
    for kind, many in found.most_common():
        print(f"    {many:5} {kind}")


if __name__ == "__main__":
    main()
