"""A change of the law while observations stream in is found, with where it began; noise alone is
none."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np
import pytest

from modeling import DriftDetector, OnlineFitter
from modeling.stream.drift import limit

Noise = Callable[[np.random.Generator], float]
NOISES: dict[str, Noise] = {
    "normal": lambda g: 1 + 0.03 * g.standard_normal(),
    "lognormal": lambda g: float(np.exp(0.3 * g.standard_normal())),
    "heavy": lambda g: float(np.exp(0.05 * g.standard_t(3))),
    "one-sided": lambda g: 1 + 0.05 * g.exponential(),
}


def stream(
    noise: Noise,
    count: int,
    seed: int,
    *,
    change: int = 0,
    factor: float = 1,
    between: float = 1e3,
    new_points: bool = False,
) -> DriftDetector:
    """A detector that saw so many observations at sizes drawn at random; from `change` on all are
    larger by a factor."""
    generator, detector = np.random.default_rng(seed), DriftDetector("f", "time", ("n",), between)
    for k in range(1, count + 1):
        n = (
            float(np.exp(generator.uniform(2, 7)))
            if new_points
            else float(generator.choice([8, 16, 32, 64, 128]))
        )
        detector.observe(
            (n,), (3 * n**1.5 + 10) * noise(generator) * (factor if change and k >= change else 1)
        )
    return detector


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("new_points", [False, True])
def test_false_alarms_are_as_rare_as_was_asked(noise: str, new_points: bool) -> None:
    streams, length, between = 20, 400, 1000
    alarms = sum(
        len(stream(NOISES[noise], length, seed, between=between, new_points=new_points).found)
        for seed in range(streams)
    )
    expected = streams * length / between
    assert alarms <= expected + 4 * np.sqrt(expected), f"{expected:.0f} were to be expected"


def test_the_usual_limit_gives_no_false_alarm() -> None:
    assert not any(stream(NOISES["normal"], 2000, seed, between=1e6).found for seed in range(8))
    assert limit(1e6) > limit(1e3) > 0


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("factor", [0.5, 2.0])
def test_a_change_is_found_where_it_began(noise: str, factor: float) -> None:
    began, delay = [], []
    for seed in range(10):
        drifts = [
            d
            for d in stream(NOISES[noise], 300, seed, change=150, factor=factor, between=1e6).found
            if d.began > 100
        ]
        assert drifts, "a factor of two is missed"
        assert (drifts[0].ratio > 1) == (factor > 1)
        began.append(drifts[0].began)
        delay.append(drifts[0].certain - 149)
    assert abs(np.median(began) - 150) <= 3
    assert np.median(delay) <= 30


def test_one_disturbed_run_is_no_change() -> None:
    detector = DriftDetector("f", "time", ("n",))
    for k in range(200):
        detector.observe((float(k % 4),), 1e3 if k == 100 else 1 + 0.01 * np.sin(k))
    assert not detector.found


def test_counts_that_never_varied_change_for_good() -> None:
    detector = DriftDetector("f", "iterations", ("n",))
    for k in range(1, 201):
        n = 2.0 ** (k % 5)
        detector.observe((n,), 3 * n + (k > 120))
    assert [d.began for d in detector.found] == [121]
    assert detector.found[0].params == {"n": 2.0 ** (121 % 5)}


def test_the_fitter_tells_which_series_changed() -> None:
    generator, fitter = np.random.default_rng(2), OnlineFitter(("n", "p"))
    for k in range(400):
        params = {
            "n": float(2 ** generator.integers(3, 8)),
            "p": float(2 ** generator.integers(0, 3)),
        }
        for name, factor in (("a", 1.0), ("b", 1.4 if k >= 250 else 1.0)):
            fitter.observe(
                name,
                "time",
                params,
                params["n"] / params["p"] * factor * (1 + 0.05 * generator.standard_normal()),
            )
    (drift,) = fitter.drifts
    assert (drift.callpath, drift.metric) == ("b", "time")
    assert abs(drift.began - 251) <= 5
    assert drift.ratio == pytest.approx(1.4, rel=0.15)
    assert str(drift).startswith(
        f"b, time: the law has changed since observation {drift.began} (at n="
    )


def _size(value: object, seen: set[int]) -> int:
    """Bytes of an object and what it holds."""
    if id(value) in seen or isinstance(value, type):
        return 0
    seen.add(id(value))
    inner: list[object] = (
        [*value.keys(), *value.values()]
        if isinstance(value, dict)
        else list(value)
        if isinstance(value, (list, tuple, set, frozenset)) or type(value).__name__ == "deque"
        else list(vars(value).values())
        if hasattr(value, "__dict__")
        else []
    )
    return sys.getsizeof(value) + sum(_size(v, seen) for v in inner)


def test_memory_and_cost_do_not_grow_with_the_number_of_observations() -> None:
    generator, fitter, sizes, spent = np.random.default_rng(1), OnlineFitter(("n",)), [], []
    values = (1 + 0.1 * generator.standard_normal(20_000)).tolist()
    for block in range(4):
        started = time.process_time()
        for k, value in enumerate(values[block * 5000 : (block + 1) * 5000]):
            fitter.observe("f", "time", {"n": float(k % 8 + 1)}, value)
        spent.append(time.process_time() - started)
        sizes.append(_size(fitter, set()))
    assert max(sizes) < 2 * min(sizes), "four times the observations"
    assert spent[-1] < 3 * spent[0]
