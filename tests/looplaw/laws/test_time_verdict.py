"""Verdicts on times whose law is known."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from looplaw.laws.time_verdict import judge_time, long_times
from modeling.data.observations import Point, point_of
from modeling.pmnf.machine_costs import Costs, Level
from modeling.pmnf.memory_traffic import Traffic
from modeling.pmnf.time_law import Count, TimeLaw
from modeling.timelaw.fit import fit_time_law

_CAPACITIES = tuple(8192.0 * 2 ** (k / 2) for k in range(33))
_COSTS = Costs(
    (
        Level("L1", 32 << 10, (0.5, 0.5, 1.0, 0.5)),
        Level("L2", 1 << 20, (1.0, 1.2, 1.5, 1.2)),
        Level("memory", None, (6.0, 9.0, 12.0, 9.0)),
    ),
    (8192.0, float(1 << 30)),
    (1.0, 20.0),
    (8192.0, float(1 << 30)),
    (1.0, 20.0),
    (float(1 << 20),),
    (10.0,),
)
_SIZES = (100, 200, 300, 500, 800, 1200)


def ns(n: float, factor: float = 1.0) -> float:
    """Nanoseconds of a sweep over n**2 doubles whose lines from memory cost `factor` times what
    the machine says."""
    size = 8 * n * n
    lines = 0.125 * n * n * (0.5 * (size > 32 << 10) + 5 * factor * (size > 1 << 20))
    return 1.5 * n * n + lines


def learned(factor: float = 1.0) -> TimeLaw:
    axis = tuple(float(round(50 * 2 ** (k / 4))) for k in range(30))
    read = [[0.125 * (8 * n * n > c) for c in _CAPACITIES] for n in axis]
    traffic = Traffic(("n",), (axis,), _CAPACITIES, tuple(np.array(read).ravel().tolist()))
    n = np.array(_SIZES, dtype=float)
    seconds = np.array([1e-9 * ns(x, factor) for x in _SIZES])
    return fit_time_law(seconds, {"n": n}, [Count("n**2")], traffic, _COSTS).law


def times(of: Callable[[float], float]) -> dict[Point, list[float]]:
    return {point_of({"n": n}): [1e-9 * of(n), 1.1e-9 * of(n)] for n in _SIZES}


def judged(of: Callable[[float], float], law: TimeLaw | None = None) -> tuple[str, str]:
    found = judge_time(law or learned(), long_times(times(of), 2e-6))
    assert found is not None
    return found


def test_a_sweep_that_leaves_the_cache_obeys() -> None:
    verdict, reason = judged(ns)
    assert verdict == "obeys"
    assert "L2 for n < " in reason
    assert "memory for n >= " in reason


def test_growth_beyond_the_law_is_named_with_size_and_level() -> None:
    verdict, reason = judged(lambda n: ns(n) * (n / 500) ** 1.5 if n > 500 else ns(n))
    assert verdict == "exceeds"
    assert "from n = " in reason
    assert "memory" in reason


def test_lines_that_cost_far_more_than_on_this_machine_exceed() -> None:
    verdict, reason = judged(lambda n: ns(n, 12.0), learned(12.0))
    assert verdict == "exceeds"
    assert "lines from memory cost" in reason


def test_growth_below_the_law_is_below() -> None:
    assert judged(lambda n: 1e4 * n)[0] == "below"


def test_a_few_short_times_decide_nothing() -> None:
    assert judge_time(learned(), long_times({point_of({"n": 100}): [1e-7]}, 2e-6)) is None


def test_repetitions_that_are_far_apart_do_not_break_a_law() -> None:
    far = {p: [v[0], 20 * v[0]] for p, v in times(lambda n: ns(n) * (n / 100) ** 0.6).items()}
    found = judge_time(learned(), long_times(far, 2e-6))
    assert found is not None
    assert found[0] == "modeled"
    assert "scatter too much" in found[1]


def test_one_repetition_each_is_as_sure_as_what_the_law_leaves() -> None:
    factors = dict(zip(_SIZES, (2.0, 0.5, 1.0, 6.0, 2.0, 9.0), strict=True))
    once = {point_of({"n": n}): [1e-9 * ns(n) * f] for n, f in factors.items()}
    found = judge_time(learned(), long_times(once, 2e-6))
    assert found is not None
    assert found[0] == "obeys"  # to the power 1.35, give or take 0.34


def test_one_repetition_left_of_some_is_as_far_off_as_the_others() -> None:
    law = learned()
    grown = times(lambda n: ns(n) * (n / 100) ** 0.6)
    for p in list(grown)[::2]:
        grown[p] = grown[p][:1]
    found = judge_time(law, long_times(grown, 2e-6))
    assert found is not None
    assert found[0] == "exceeds"


def test_runs_that_waited_for_a_processor_do_not_break_a_law() -> None:
    grown = times(lambda n: ns(n) * (n / 100) ** 0.6)
    waited = {p: 0.6 * min(v) for p, v in list(grown.items())[-3:]}
    calm = judge_time(learned(), long_times(grown, 2e-6))
    busy = judge_time(learned(), long_times(grown, 2e-6, waited))
    assert calm is not None
    assert busy is not None
    assert (calm[0], busy[0]) == ("exceeds", "obeys")
