"""Nested ranking functions, for loops that run in phases: each of several functions falls once the
one before it is no longer positive.

With f_0 = 0, each iteration lowers f_i by 1 and more, less f_{i - 1}, and begins with f_d >= 1
(Leike and Heizmann, "Ranking templates for linear loops", LMCS 2015). Where all are at most M at
first, f_i is at most g_i(t) before iteration t, for g_i(0) = M and g_i(t + 1) = g_i(t) +
g_{i - 1}(t) - 1. g_2(t) = (t + 1)(M - t/2) is negative from t > 2 M on, and g_3(t) =
M (t**2 + t + 2)/2 - t (t**2 + 5)/6 from t >= 3 M + 1 on, for t (t**2 + 5) > (t - 1)(t**2 + t + 2).
So there are at most d M + d - 1 iterations (Ben-Amram and Genaim, CAV 2017, show that such bounds
are linear for all d).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from .invariants import Facts
from .linear import ZERO_FORM, Linear
from .linear_program import TooLarge
from .polyhedra import implies
from .synthesis import DENOMINATORS, WEIGHT_OF_RISE, Form, Goal, Search, rounded
from .transitions import TransitionSystem

DEPTHS = (2, 3)
"""Phases for which the bound above is shown."""
_ONE = Linear({"": 1})


@dataclass(frozen=True)
class NestedFunction:
    """levels: for each phase, header -> form. at_first: transition that leads to the loop -> what
    each form is at most behind it, over parameters."""

    levels: Sequence[Mapping[str, Linear]]
    at_first: Mapping[int, Sequence[Linear]]


def nested_function(
    system: TransitionSystem, facts: Facts, goal: Goal, depth: int
) -> NestedFunction | None:
    """A nested function of this depth that all transitions of `goal.falls` lower, none among the
    others raises, and that begins anew with those that are paid."""
    with suppress(TooLarge):
        return _nested_function(system, facts, goal, depth)
    return None


def may_fall(system: TransitionSystem, facts: Facts, goal: Goal) -> bool:
    """Is there a form that falls, positive or not, as the first of the functions nested in each
    other does? Without one there is no nested function of any depth."""
    search = Search(system, goal.at)
    with suppress(TooLarge):
        _falls(system, facts, goal, [search])
        return search.program.solution() is not None
    return False


def _falls(
    system: TransitionSystem, facts: Facts, goal: Goal, levels: Sequence[Search]
) -> Mapping[int, tuple[Sequence[Linear], Form]]:
    """Ask that transitions lower each level by one, less what the level before is at first; those
    that lower them, each with what holds on it and what it must be more than."""
    program = levels[0].program
    one: Form = {"": {program.column(0.0, 1.0): 1.0}}
    program.equal(one[""], 1.0)
    falls: dict[int, tuple[Sequence[Linear], Form]] = {}
    for k in sorted(goal.among | goal.falls):
        t, told = system.transitions[k], facts.on(k)
        before, after = [s.at(t.source) for s in levels], [s.after(t) for s in levels]
        for i in range(len(levels) if t.target in goal.at else 0):
            parts = [(before[i], 1.0), (after[i], -1.0)]
            if k in goal.falls:
                parts += [(one, -1.0), *([(before[i - 1], 1.0)] if i else [])]
            levels[i].holds(told, parts)
        if k in goal.falls:
            falls[k] = told, one
    return falls


def _nested_function(
    system: TransitionSystem, facts: Facts, goal: Goal, depth: int
) -> NestedFunction | None:
    levels = [Search(system, goal.at) for _ in range(depth)]
    for search in levels:
        search.program = levels[0].program
    at_first: dict[int, list[Form]] = {}
    for k, (told, one) in _falls(system, facts, goal, levels).items():
        last = levels[-1]
        last.holds(told, [(last.at(system.transitions[k].source), 1.0), (one, -1.0)])
    for k in sorted(goal.paid):
        t = system.transitions[k]
        at_first[k] = [s.form(s.parameters, WEIGHT_OF_RISE) for s in levels]
        for s, most in zip(levels, at_first[k], strict=True):
            s.holds(facts.on(k), [(most, 1.0), (s.after(t), -1.0)])
    x = levels[0].program.solution()
    for denominator in DENOMINATORS if x is not None else ():
        assert x is not None
        found = NestedFunction(
            [{h: rounded(f, x, denominator) for h, f in s.forms.items()} for s in levels],
            {k: [rounded(f, x, denominator) for f in fs] for k, fs in at_first.items()},
        )
        if all(implies(facts.on(k), c) for k, c in _conditions(system, found, goal)):
            return found
    return None


def _conditions(
    system: TransitionSystem, found: NestedFunction, goal: Goal
) -> Iterator[tuple[int, Linear]]:
    """What must not be negative, each on a transition."""
    for k in sorted(goal.among | goal.falls | goal.paid):
        t = system.transitions[k]
        earlier = ZERO_FORM
        for i, forms in enumerate(found.levels):
            before = forms.get(t.source, ZERO_FORM)
            after = t.after(forms[t.target]) if t.target and t.target in forms else None
            if k in goal.paid:
                if after is not None:
                    yield k, found.at_first[k][i] - after
            elif after is not None:
                yield k, before - after + (earlier - 1 if k in goal.falls else ZERO_FORM)
            earlier = before
        if k in goal.falls:
            yield k, earlier - 1
