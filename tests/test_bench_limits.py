"""What limits made-up machines is what their costs say, and the table of what was said of them."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.bench_limits import Limit, made_up, parts_of, table, total_of
from modeling.pmnf.time_law import CORE, FRESH, LATENCY
from staticana.traffic import Evaluation, LoopLines
from staticana.traffic.evaluation import Lines


def lines(streamed: float = 0.0, strided: float = 0.0, random: float = 0.0) -> Lines:
    every = streamed + strided + random
    return Lines(0, streamed, strided, random, 0.0, every, every, every, every)


def test_the_parts_of_a_kernel_are_its_counts_at_the_costs_of_the_machine() -> None:
    machine = made_up(np.random.default_rng(3))
    levels = (lines(80, 40, 5), lines(70, 30, 5), lines(60, 20, 5), lines(50, 0, 5))
    mine = LoopLines("a.c:1:5", "f", 1, 1000.0, 1.0, 1.0, levels)
    other = LoopLines("a.c:9:5", "f", 1, 1e9, 1.0, 1.0, levels)
    run = Evaluation((), (mine, other), 55.0, "simulated")
    found = parts_of(run, ["a.c:1:5"], machine, {"a.c:1:5": 2.0, "a.c:9:5": 1.0})
    costs = machine.true
    assert found[CORE] == 2000.0
    assert found[FRESH] == pytest.approx(55 * costs.fresh_ns[0])
    assert found[LATENCY] == 0.0  # what data choose was touched first here
    steps = costs.steps
    assert found["memory"] == pytest.approx(10 * steps[2, 0] + 20 * steps[2, 2])
    parts = sum(found.values())
    assert max(found.values()) < total_of(found, machine) < parts


def test_the_table_tells_how_often_it_is_right_where_it_is_sure() -> None:
    found = [
        Limit("p", "k", 0, 2, CORE, p, truth, 0.6)
        for p, truth in ((0.95, CORE), (0.85, CORE), (0.82, LATENCY), (0.4, LATENCY))
    ]
    assert "x2 8 in 10 or more: 3 (75 % of all), 67 % right" in table(found)
