"""The formula of what waits in the loops of a kernel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from looplaw.studies.chained_work import SCHEDULER_PLACES, chained_work
from looplaw_common.formula.formula import parse_formula
from modeling.pmnf.time_law import Count

_SIZES = (20, 40, 80)
_COUNTS = {"a.c:1:1": Count("n"), "a.c:2:1": Count("n**2"), "a.c:3:1": Count("n**3")}
_PARENTS = {"a.c:1:1": None, "a.c:2:1": "a.c:1:1", "a.c:3:1": "a.c:2:1"}


def values(count: Count, points: Sequence[Mapping[str, int]]) -> np.ndarray:
    return np.array([float(parse_formula(count.formula).values(dict(p))) for p in points])


def work(latency: Mapping[str, int], entries: Sequence[int]) -> str:
    rows = [({"n": n}, e) for n, e in zip(_SIZES, entries, strict=True)]
    return chained_work(latency, _COUNTS, _PARENTS, lambda at: rows, values)


@pytest.mark.parametrize("cost", [1, 3])
def test_executions_are_the_iterations_of_the_loop_around(cost: int) -> None:
    text = work({"a.c:3:1": cost}, [n**2 for n in _SIZES])
    for n in (10.0, 1000.0):
        waited = cost * n**3 * n / (n + SCHEDULER_PLACES / cost)
        assert float(parse_formula(text).values({"n": n})) == pytest.approx(waited, rel=1e-3)


def test_executions_may_be_a_number() -> None:
    text = work({"a.c:3:1": 1}, [5, 5, 5])
    found = float(parse_formula(text).values({"n": 10.0}))
    assert found == pytest.approx(1e6 / (1e3 + 5 * SCHEDULER_PLACES), rel=1e-3)


@pytest.mark.parametrize(
    ("latency", "entries"),
    [({}, [1, 1, 1]), ({"a.c:3:1": 0}, [1, 1, 1]), ({"a.c:3:1": 1}, [7, 9, 30]),
     ({"a.c:3:1": 1}, [0, 0, 1]), ({"a.c:1:1": 1}, [1, 1, 1])],
)  # fmt: skip
def test_there_is_none_without_a_chain_that_matters(
    latency: Mapping[str, int], entries: Sequence[int]
) -> None:
    assert work(latency, entries) == ""
