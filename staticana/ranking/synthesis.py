"""Linear ranking functions by linear programming.

For each header a linear form f over its state and the parameters is sought that no transition
raises, and that some lower by one and more while it is positive (Podelski and Rybalchenko, VMCAI
2004; Alias, Darte, Feautrier and Gonnord, SAS 2010). Transitions of which it is known how often
they run may raise it by an amount that only parameters decide. Farkas' lemma makes a linear program
of it; its solution, in floating point, is rounded to fractions and then proved.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction

from .invariants import Facts
from .linear import UNIT, ZERO_FORM, Linear
from .linear_program import LinearProgram, TooLarge
from .polyhedra import implies
from .transitions import PARAMETER, Transition, TransitionSystem

DENOMINATORS = (24, 5_040)
"""Of the fractions that are tried for a solution, the simple ones first."""
_WEIGHT_OF_CONSTANT = 0.01
"""What constants of bounds cost, beside the coefficients of names."""
_WEIGHT_OF_FIRST = 1.5
"""What coefficients cost at the header that the nest starts from."""
WEIGHT_OF_RISE = 2.0
"""What it costs that a transition raises a function."""
_WEIGHT_OF_FALL = 1_000.0
"""What it is worth that a transition lowers it."""
_FALLS = 0.99
"""Of a fall by one, what floating point must show to be believed."""
_LARGE = 1 << 36
"""Constants beyond which a fact only disturbs floating point: what wide types can hold."""


class Way(Enum):
    """How a function changes with the transitions that are counted."""

    LOWERED = "by one and more, from one and more"
    HALVED = "to its half and less, from one and more"
    DOUBLED = "to twice as much and more, from one and more"


@dataclass(frozen=True)
class RankingFunction:
    """forms: header -> form; falls: the transitions that change it as was asked; rises: transition
    -> what it adds at most, over parameters; anew: those of them behind which it is no more than
    that, whatever it was before; most: of one that is doubled, transition -> what it is at most
    before, over parameters."""

    forms: Mapping[str, Linear]
    falls: frozenset[int]
    rises: Mapping[int, Linear]
    anew: frozenset[int]
    most: Mapping[int, Linear] = field(default_factory=dict)


@dataclass(frozen=True)
class Goal:
    """What is asked of a ranking function.

    among: the transitions that must not raise it; falls: those that lower it, all of them (`must`)
    or as many as can; paid: those that may raise it; anew: as of a function. at: the headers where
    it is more than 0. Of one that is doubled, `among` must not lower it, `paid` may make anything
    of it, and parameters bound it if `is_bounded`, else types alone.
    """

    among: frozenset[int]
    falls: frozenset[int]
    paid: frozenset[int]
    anew: frozenset[int]
    at: frozenset[str]
    must: bool
    way: Way = Way.LOWERED
    is_bounded: bool = False


Form = Mapping[str, Mapping[int, float]]
"""A form with unknown coefficients: name -> column -> factor."""


class Search:
    """The linear program of one ranking function."""

    def __init__(self, system: TransitionSystem, headers: frozenset[str]) -> None:
        self.system, self.headers = system, headers
        self.program = LinearProgram()
        self.parameters = sorted(
            {
                n
                for t in system.transitions
                for f in t.guard
                for n in f.names
                if n.startswith(PARAMETER)
            }
            | {n for f in system.first.values() for n in f.names}
            | {
                n
                for t in system.transitions
                for f in t.update.values()
                for n in f.names
                if n.startswith(PARAMETER)
            }
        )
        self.forms: dict[str, Form] = {}

    def form(self, names: Iterable[str], weight: float = 1.0) -> Form:
        """A form over these names with free coefficients, each a difference of two columns."""
        found: dict[str, Mapping[int, float]] = {}
        for n in (*names, UNIT):
            cost = weight * (1.0 if n else _WEIGHT_OF_CONSTANT)
            found[n] = {self.program.column(cost): 1.0, self.program.column(cost): -1.0}
        return found

    def at(self, header: str) -> Form:
        """The form of a header."""
        if header not in self.headers:
            return {}
        if header not in self.forms:
            names = (*sorted(self.system.state[header]), *self.parameters)
            # what it is at first becomes the bound
            weight = _WEIGHT_OF_FIRST if header == self.system.root else 1.0
            self.forms[header] = self.form(names, weight)
        return self.forms[header]

    def after(self, t: Transition) -> Form:
        """The form of a transition's target, over the state of its source."""
        if t.target is None:
            return {}
        found: dict[str, dict[int, float]] = {}
        for n, columns in self.at(t.target).items():
            value = t.update[n].terms if n in t.update else {n: 1}
            for name, c in value.items():
                row = found.setdefault(name, {})
                for k, by in columns.items():
                    row[k] = row.get(k, 0.0) + by * float(c)
        return found

    def holds(self, facts: Sequence[Linear], parts: Sequence[tuple[Form, float]]) -> None:
        """The sum of these forms is at least 0 wherever the facts hold."""
        program = self.program
        rows: dict[str, dict[int, float]] = {UNIT: {}}
        for form, sign in parts:
            for n, columns in form.items():
                row = rows.get(n)
                if row is None:
                    rows[n] = {k: sign * c for k, c in columns.items()}
                    continue
                for k, c in columns.items():
                    row[k] = row.get(k, 0.0) + sign * c
        for f in facts:
            if -_LARGE < f[UNIT] < _LARGE:
                factor = program.column()
                for n, by in f.terms.items():
                    rows.setdefault(n, {})[factor] = -float(by)
        for n in sorted(rows):
            if n:
                program.equal(rows[n])
            else:
                program.at_least(rows[n])


def ranking_function(system: TransitionSystem, facts: Facts, goal: Goal) -> RankingFunction | None:
    """A function that is as asked for."""
    with suppress(TooLarge):
        return _ranking_function(system, facts, goal)
    return None


def _ranking_function(system: TransitionSystem, facts: Facts, goal: Goal) -> RankingFunction | None:
    search = Search(system, goal.at)
    falls: dict[int, Form] = {}
    rises: dict[int, Form] = {}
    most: dict[int, Form] = {}
    is_doubled = goal.way is Way.DOUBLED
    if is_doubled and not goal.is_bounded:  # then ranges bound it
        search.parameters = [n for n in search.parameters if n in system.ranges]
    for k in sorted(goal.among | goal.falls):
        t = system.transitions[k]
        told = facts.on(k)
        before, after = search.at(t.source), search.after(t)
        if k in goal.falls:
            one = {search.program.column(-_WEIGHT_OF_FALL, 1.0): 1.0}
            if goal.must:
                search.program.equal(one, 1.0)
            falls[k] = {UNIT: one}
            if is_doubled and goal.is_bounded:
                most[k] = search.form(search.parameters, WEIGHT_OF_RISE)
                search.holds(told, [(most[k], 1.0), (before, -1.0)])
            if is_doubled and t.target in goal.at:
                search.holds(told, [(after, 1.0), (before, -2.0)])
            elif goal.way is Way.HALVED:
                search.holds(told, [(before, 1.0), (after, -2.0)])
            elif not is_doubled:
                search.holds(told, [(before, 1.0), (after, -1.0), (falls[k], -1.0)])
            search.holds(told, [(before, 1.0), (falls[k], -1.0)])
        elif t.target in goal.at:
            sign = -1.0 if is_doubled else 1.0
            search.holds(told, [(before, sign), (after, -sign)])
    for k in () if is_doubled else sorted(goal.paid):
        t = system.transitions[k]
        rises[k] = search.form(search.parameters, WEIGHT_OF_RISE)
        before = {} if k in goal.anew else search.at(t.source)
        search.holds(facts.on(k), [(before, 1.0), (search.after(t), -1.0), (rises[k], 1.0)])
    x = search.program.solution()
    if x is None:
        return None
    fallen = frozenset(k for k, f in falls.items() if sum(x[c] for c in f[UNIT]) > _FALLS)
    if not fallen:
        return None
    for denominator in DENOMINATORS:
        found = RankingFunction(
            {h: rounded(f, x, denominator) for h, f in search.forms.items()},
            fallen,
            {k: rounded(f, x, denominator) for k, f in rises.items()},
            goal.anew,
            {k: rounded(f, x, denominator) for k, f in most.items()},
        )
        if is_proved(system, facts, found, goal):
            return found
    return None


def rounded(form: Form, x: Sequence[float], most: int) -> Linear:
    """The coefficients that a solution gives, as fractions with a denominator of at most so
    much."""
    terms = {}
    for n, columns in form.items():
        value = sum(x[k] * by for k, by in columns.items())
        near = Fraction(value).limit_denominator(most)
        if near:
            terms[n] = near if near.denominator != 1 else near.numerator
    return Linear(terms)


def is_proved(system: TransitionSystem, facts: Facts, found: RankingFunction, goal: Goal) -> bool:
    """Is a ranking function what it says to be? Decided exactly."""
    for k in sorted({*goal.among, *found.falls, *found.rises}):
        t = system.transitions[k]
        before = ZERO_FORM if k in found.anew else found.forms.get(t.source, ZERO_FORM)
        after = t.after(found.forms[t.target]) if t.target and t.target in found.forms else None
        told = facts.on(k)
        if not all(implies(told, c) for c in _conditions(k, before, after, found, goal)):
            return False
    return True


def _conditions(
    k: int, before: Linear, after: Linear | None, found: RankingFunction, goal: Goal
) -> Iterator[Linear]:
    """What must not be negative on a transition, before and behind which a function is this."""
    if k not in found.falls:
        if after is not None and goal.way is Way.DOUBLED:
            yield after - before
        elif after is not None:
            yield before - after + found.rises.get(k, ZERO_FORM)
        return
    yield before - 1
    if k in found.most:
        yield found.most[k] - before
    if after is not None and goal.way is Way.DOUBLED:
        yield after - before.times(2)
    elif after is not None:
        yield before - after.times(2) if goal.way is Way.HALVED else before - after - 1
