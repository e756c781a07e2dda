"""Loops that may run for ever are told before functions are sought that fall in them."""

from __future__ import annotations

from staticana.expr import sym
from staticana.ranking.bounds import Solver, bounds_of
from staticana.ranking.linear import UNIT, Linear
from staticana.ranking.polyhedra import effort
from staticana.ranking.transitions import Transition, TransitionSystem

STEPS = 100_000


def system(guard: dict[str, int], step: int) -> TransitionSystem:
    """while (guard >= 0) x += step; x starts with n."""
    again = Transition(
        "h", "h", (Linear(guard),), {"x": Linear({"x": 1, UNIT: step} if step else {"x": 1})}, "h"
    )
    out = Transition("h", None, (Linear({k: -v for k, v in guard.items()}),), {}, None)
    state, first = {"h": frozenset(("x",))}, {"x": Linear({"$n": 1})}
    return TransitionSystem(
        "h", {"h": None}, (again, out), state, first, (), {"$n": sym("n")}, frozenset()
    )


def test_a_variable_that_moves_away_from_its_end_bounds_nothing() -> None:
    rising, falling = (system({"x": 1, UNIT: -1}, step) for step in (1, -1))
    assert Solver(rising).endless == {"h"}
    assert not Solver(falling).endless
    assert not bounds_of(rising).iterations
    assert str(bounds_of(falling).iterations["h"]) == "Max(0, n)"


def test_data_alone_end_a_loop_that_asks_for_what_is_left_open() -> None:
    assert bounds_of(system({"?read": 1}, 1)).endless == {"h"}
    assert not bounds_of(system({"x": 1, UNIT: -1}, 1)).endless


def test_equal_systems_have_equal_bounds_and_take_equal_steps() -> None:
    found = []
    for _ in range(2):
        with effort(STEPS) as e:
            found.append((bounds_of(system({"x": 1, UNIT: -3}, -1)).iterations, e.spent))
    assert found[0] == found[1]
    assert found[0][1] > 0
