"""Linear facts that follow from others, held against linear programs and against points."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from staticana.ranking.linear import UNIT, Linear
from staticana.ranking.polyhedra import TooMuch, effort, implies, is_empty, without_implied

NAMES = ("x", "y", "z")
FORMS = st.tuples(*[st.integers(-3, 3)] * 4).map(
    lambda c: Linear({n: k for n, k in zip((*NAMES, UNIT), c, strict=True) if k})
)
POINTS = [dict(zip(NAMES, p, strict=True)) for p in product(range(-4, 5), repeat=3)]


def at(form: Linear, point: dict[str, int]) -> float:
    return float(sum(c * point.get(n, 1) for n, c in form.terms.items()))


def least(facts: list[Linear], goal: Linear) -> tuple[int, float]:
    """The status of a linear program, and the least value of the goal."""
    found = linprog(
        [float(goal[n]) for n in NAMES],
        A_ub=[[-float(f[n]) for n in NAMES] for f in facts] or None,
        b_ub=[float(f[UNIT]) for f in facts] or None,
        bounds=[(None, None)] * 3,
        method="highs",
    )
    return found.status, 0.0 if found.fun is None else found.fun + float(goal[UNIT])


@settings(max_examples=150, deadline=None)
@given(st.lists(FORMS, max_size=5), FORMS)
def test_a_fact_follows_just_where_a_linear_program_says_so(
    facts: list[Linear], goal: Linear
) -> None:
    status, value = least(facts, goal)
    follows = implies(facts, goal)
    if status == 0 and abs(value) > 1e-6:
        assert follows == (value > 0 or is_empty(facts))
    if status == 3:
        assert not follows
    if follows:
        assert all(at(goal, p) >= 0 for p in POINTS if all(at(f, p) >= 0 for f in facts))


@settings(max_examples=100, deadline=None)
@given(st.lists(FORMS, max_size=6))
def test_facts_in_normal_form_hold_at_the_same_points(facts: list[Linear]) -> None:
    shorter = without_implied(facts)
    for p in POINTS:
        assert all(at(f, p) >= 0 for f in facts) == all(at(f, p) >= 0 for f in shorter)
    if is_empty(facts):
        assert not any(all(at(f, p) >= 0 for f in facts) for p in POINTS)


def test_proofs_end_where_their_steps_are_spent() -> None:
    facts = [Linear({n: 1, UNIT: -k}) for k, n in enumerate(NAMES)]
    goal = Linear(dict.fromkeys(NAMES, 1))
    with effort(10**6):
        assert implies(facts, goal)
    with pytest.raises(TooMuch), effort(5):
        implies(facts, goal)
