"""Loops that call the system or a library: what a turn takes is not told by the source, and is
learned as a constant per turn, not as a part of the loops inside that grow with the data."""

from __future__ import annotations

import numpy as np
import pytest

from modeling.pmnf.memory_traffic import Traffic
from modeling.pmnf.time_law import Count, TimeLaw
from modeling.timelaw.fit import fit_time_law, grouped

from .test_time_law import machine

_CAPACITIES = tuple(8192.0 * 2 ** (k / 2) for k in range(33))
_SIZES = np.array([50.0, 100, 200, 400, 800])
_TURNS = 1000.0


def seconds(n: np.ndarray, turn_ns: float, each_ns: float = 1.0) -> np.ndarray:
    """Turns that call something and then walk n numbers."""
    found: np.ndarray = 1e-9 * _TURNS * (turn_ns + each_ns * n)
    return found


def learned(turn_ns: float, *, called: bool) -> TimeLaw:
    rng = np.random.default_rng(5)
    measured = seconds(_SIZES, turn_ns) * np.exp(0.01 * rng.normal(size=len(_SIZES)))
    counts = [Count(f"{_TURNS:.0f}*n"), Count(f"{_TURNS:.0f}")]
    flags = [False, called]
    traffic = Traffic((), (), _CAPACITIES)
    return fit_time_law(measured, {"n": _SIZES}, counts, traffic, machine(), called=flags).law


@pytest.mark.parametrize("turn_ns", [5.0, 50, 500, 5e3, 5e4])
def test_what_a_turn_takes_does_not_grow_with_the_data(turn_ns: float) -> None:
    law = learned(turn_ns, called=True)
    for far in (8e3, 51_200.0):
        expected = float(seconds(np.array([far]), turn_ns)[0])
        low, high = (float(v) for v in law.interval({"n": far}, 0.9))
        assert low < expected < high
        if turn_ns <= 500:  # beyond, the data's part is near the noise
            assert float(law.seconds({"n": far})) == pytest.approx(expected, rel=0.15)


def test_a_loop_without_calls_costs_what_loops_cost() -> None:
    """Its turns are known to be short, so that many small sizes are not needed."""
    law = learned(5.0, called=False)
    expected = float(seconds(np.array([8e3]), 5.0)[0])
    assert float(law.seconds({"n": 8e3})) == pytest.approx(expected, rel=0.1)


def test_a_rare_loop_is_kept_where_it_calls_something() -> None:
    n = np.array([1e4, 1e5, 1e6, 1e7])
    often, rare = n, 3 * n**0
    assert [g.loop for g in grouped(np.stack([often, rare]), [False, False])] == [0]
    groups = grouped(np.stack([often, rare]), [False, True])
    assert [(g.loop, g.called) for g in groups] == [(0, False), (1, True)]


def test_a_group_calls_something_where_any_of_its_loops_does() -> None:
    n = np.array([10.0, 20, 40])
    groups = grouped(np.stack([n**2, n, 2 * n]), [False, True, False])
    assert [(g.called) for g in groups] == [False, True]


def test_loops_with_calls_come_before_more_frequent_ones_where_not_all_have_room() -> None:
    n = np.array([64.0, 128, 256])
    counts = np.stack([n**4, n**3, n**2.5, n**2, n**1.5, n])
    called = [False] * 5 + [True]
    assert 5 in [g.loop for g in grouped(counts, called)]
    assert grouped(counts, called)[0].loop == 0
