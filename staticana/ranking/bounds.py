"""Bounds of a nest's loops from ranking functions.

How often a transition runs, for one entry of the nest, is bounded by what a ranking function is at
first, and by what other transitions add to it, each as often as it runs (Brockschmidt, Emmes,
Falke, Fuhs and Giesl, TOPLAS 2016; Sinn, Zuleger and Veith, JAR 2017). So those bounds follow one
from another, until nothing new is found.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import floor, lcm

from looplaw_common.digraph import Digraph, circles, postorder

from ..expr import ONE, ZERO, Expr, Number, ceil_log, expr, has_loaded, maximum
from .invariants import Facts, missing_at_start
from .linear import UNIT, ZERO_FORM, Linear, name_, names_of
from .nested import DEPTHS, may_fall, nested_function
from .polyhedra import TooMuch, effort, implies, is_empty, own_effort
from .refinement import by_properties, split_by_step
from .sizes import Sizes
from .synthesis import Goal, RankingFunction, Way, ranking_function
from .transitions import OPEN, Transition, TransitionSystem

_MOST_CASES = 3
"""Facts at the start whose cases are told apart."""
_STEPS_OF_CASES = 200_000
"""Steps of proofs of what holds where more is assumed: a tenth of a second."""
_LARGE = 1 << 31
"""Constants that no linear program stands beside small ones."""
Bounds = Mapping[str, Expr]
"""Header -> iterations at most."""
_Find = Callable[["Solver", frozenset[str]], Bounds]


@dataclass(frozen=True)
class Assuming:
    """A bound that holds where all of `needs` are >= 0."""

    bound: Expr
    needs: frozenset[Expr]


@dataclass(frozen=True)
class NestBounds:
    """For each entry of a nest; needs: what the bounds rest on; endless: loops that have none
    whatever they start with; inside: those whose bounds rest on accesses that stay inside their
    objects; assuming: loops without a bound that have one where more holds of what the nest starts
    with."""

    iterations: Bounds
    needs: frozenset[Expr]
    endless: frozenset[str] = frozenset()
    inside: frozenset[str] = frozenset()
    assuming: Mapping[str, Assuming] = field(default_factory=dict)

    def with_others(self, more: NestBounds) -> NestBounds:
        """With the bounds of those loops that have none."""
        found = {**more.iterations, **self.iterations}
        inside = self.inside | (more.inside - self.iterations.keys())
        needs, endless = self.needs | more.needs, self.endless & more.endless
        assuming = {**more.assuming, **self.assuming}
        assuming = {h: a for h, a in assuming.items() if h not in found}
        return NestBounds(found, needs, endless, inside, assuming)

    def of(self, header: str) -> Assuming | None:
        """The bound of a loop, and what it rests on."""
        if header in self.iterations:
            return Assuming(self.iterations[header], self.needs)
        found = self.assuming.get(header)
        return None if found is None else Assuming(found.bound, found.needs | self.needs)


_known: OrderedDict[Hashable, tuple[NestBounds, int, int]] = OrderedDict()
_MOST_KNOWN = 2048
"""Systems whose bounds are kept."""


def bounds_of(system: TransitionSystem) -> NestBounds:
    """The bounds of a transition system, of an equal one as they were found before: runs of a
    library, and both versions of a program, have most of their functions in common. It takes the
    same steps."""
    own = own_effort()
    if own is None or any(map(has_loaded, (*system.values.values(), *system.needs))):
        return _bounds_of(system)  # values from memory carry types of their program with them
    key, left = system.content, own.left
    if key in _known:
        found, steps, most = _known[key]
        if steps <= left if steps <= most else left <= most:  # with all the steps that it took
            own.spent += min(steps, left + 1)
            return found
    found = _bounds_of(system)
    _known[key] = found, left - own.left, left
    if len(_known) > _MOST_KNOWN:
        _known.popitem(last=False)
    return found


def _bounds_of(system: TransitionSystem) -> NestBounds:
    """The bounds of a transition system, which is refined as long as loops have none."""
    found: dict[str, Expr] = {}
    plain = _Alternatives(lambda: [system])
    endless = plain.solver(0).endless  # whatever system is made of this one
    cases = _Alternatives(lambda: _cases(system))
    phases = _Alternatives(lambda: _phases(system))
    attempts = [(way, Solver.at_once) for way in (plain, cases, phases)]
    attempts += [(way, Solver.in_stages) for way in (plain, phases, cases)]
    for way, find in attempts:
        wanted = frozenset(h for h in system.parents if h not in found and h not in endless)
        if wanted:
            with suppress(TooMuch):
                found.update(way.bounds(wanted, find))
    alone = plain.solver(0).data_alone
    wanted = frozenset(h for h in system.parents if h not in found and h not in alone)
    return NestBounds(found, system.needs, alone, assuming=_assuming(system, wanted))


def _assuming(system: TransitionSystem, wanted: frozenset[str]) -> Mapping[str, Assuming]:
    """Bounds of loops where that holds which iterations would keep, though a nest may start
    without it: `while (i != 0) i /= 2` where i is not negative. The fewest facts that do are
    taken; none under which a loop never comes to a second iteration."""
    found: dict[str, Assuming] = {}
    # it takes nothing of the steps that are left for loops which need no more
    with suppress(TooMuch), effort(_STEPS_OF_CASES):
        asked = tuple(filter(_asks_for_more, missing_at_start(system) if wanted else ()))
        asked = asked[:_MOST_CASES]
        ways = [facts for a in asked for facts in ((a + 1,), (a,))]  # that of fewer runs first
        for facts in dict.fromkeys([*ways, asked]):
            assumed = replace(system, known=(*system.known, *facts))
            solver = Solver(assumed)
            needs = frozenset(assumed.formula(f.times(_scale(f))) for f in facts)
            left = wanted - found.keys() - solver.endless
            for header, bound in solver.in_stages(left).items():
                if bound != ZERO and solver.may_go_on(header):
                    found[header] = Assuming(bound, needs)
    return found


def _asks_for_more(fact: Linear) -> bool:
    """Does a fact ask anything to be large enough? One that only asks sizes to be small, as
    n <= 1, says nothing of what is called for, and what rests on it would be said of no other."""
    return any(c > 0 for name, c in fact.terms.items() if name != UNIT)


def _scale(form: Linear) -> int:
    """What makes a form one over integers."""
    return lcm(*(c.denominator for c in form.terms.values()))


def _phases(system: TransitionSystem) -> list[TransitionSystem]:
    """The system with its phases apart, if there are several."""
    refined = by_properties(split_by_step(system))
    return [] if refined is system else [refined]


def _cases(system: TransitionSystem) -> list[TransitionSystem]:
    """The system for each case of what the nest starts with, if there are several: whether all
    holds that iterations would keep, or which of it does not."""
    asked = missing_at_start(system)[:_MOST_CASES]
    if not asked:
        return []
    cases = [replace(system, known=(*system.known, *asked))]
    return cases + [replace(system, known=(*system.known, -e - 1)) for e in asked]


class _Alternatives:
    """Systems of which each run is one of."""

    def __init__(self, systems: Callable[[], list[TransitionSystem]]) -> None:
        self._systems = systems
        self._solvers: dict[int, Solver] = {}

    @cached_property
    def _made(self) -> list[TransitionSystem]:
        return self._systems()

    def solver(self, k: int) -> Solver:
        """That of one of the systems."""
        if k not in self._solvers:
            self._solvers[k] = Solver(self._made[k])
        return self._solvers[k]

    def bounds(self, wanted: frozenset[str], find: _Find) -> Bounds:
        """The larger ones of the bounds of these loops."""
        wanted = wanted if self._made else frozenset()
        found: list[Bounds] = []
        for k in range(len(self._made)):
            found.append(find(self.solver(k), wanted))
            wanted &= found[-1].keys()
            if not wanted:
                break
        return {h: maximum(*(f[h] for f in found)) for h in wanted}


@dataclass(frozen=True)
class _Stage:
    """Transitions that were bounded together, and what was asked for then; bound: how often they
    run together, where that is not asked again for some of them."""

    falls: frozenset[int]
    goal: Goal
    bound: Expr | None = None


class Solver:
    """Bounds of one transition system. times: transition -> how often it runs at most."""

    def __init__(self, system: TransitionSystem) -> None:
        self.facts = Facts(system)
        self.system = self._without_dead(system)
        self.times: dict[int, Expr] = {
            k: ONE for k, t in enumerate(self.system.transitions) if self._is_once(t)
        }
        self._done: list[_Stage] = []
        self._found: dict[str, Expr | None] = {}

    @cached_property
    def _circle(self) -> Mapping[str, int]:
        """Header -> number of the strongly connected component of control that it is in; those that
        control comes to later have the smaller numbers."""
        steps = [(t.source, t.target) for t in self.system.transitions if t.target is not None]
        graph = Digraph(self.system.state, steps)
        return {h: k for k, circle in enumerate(circles(graph)) for h in circle}

    def _is_once(self, t: Transition) -> bool:
        """Does it lead to where control does not come back from?"""
        return t.target is not None and self._circle[t.source] != self._circle[t.target]

    def _left_at_most(self, leaving: frozenset[int]) -> Expr:
        """How many of these transitions a run takes at most, none of which it takes twice."""
        most: dict[int, int] = {}
        by_source = sorted(
            (self._circle[t.source], self._circle.get(t.target or "", -1), k in leaving)
            for k, t in enumerate(self.system.transitions)
        )
        for source, target, is_counted in by_source:
            if source != target:
                most[source] = max(most.get(source, 0), most.get(target, 0) + is_counted)
        return expr(max(most.values(), default=0))

    def _without_dead(self, system: TransitionSystem) -> TransitionSystem:
        """The system without transitions that invariants exclude: a comparison that only numbers
        of the other sign would pass, whose large constants no linear program stands."""
        kept = tuple(
            t
            for k, t in enumerate(system.transitions)
            if all(-_LARGE < g[UNIT] < _LARGE for g in t.guard) or not is_empty(self.facts.on(k))
        )
        if len(kept) == len(system.transitions):
            return system
        self.facts = Facts(replace(system, transitions=kept))
        return replace(system, transitions=kept)

    @cached_property
    def inside(self) -> frozenset[int]:
        """The transitions that do not end the run."""
        return frozenset(k for k, t in enumerate(self.system.transitions) if t.target is not None)

    def at_once(self, wanted: frozenset[str]) -> Bounds:
        """Header -> bound of its iterations, of these loops, by one function."""
        for header in sorted(wanted - self._found.keys()):
            bound = None
            if not self._is_hopeless(header):
                bound = self._at_once(header)
                bound = self._in_phases(header) if bound is None else bound
            self._found[header] = bound
        return {h: bound for h in wanted if (bound := self._found[h]) is not None}

    def in_stages(self, wanted: frozenset[str]) -> Bounds:
        """The same by functions one after another, where there is no such."""
        found = {**self.at_once(wanted)}
        for header in sorted(wanted - found.keys()):
            bound = None if self._is_hopeless(header) else self._of_stages(header)
            if bound is not None:
                found[header] = bound
        return found

    @cached_property
    def endless(self) -> frozenset[str]:
        """Loops with an iteration after which all holds that it asked for, what it leaves open
        being the same again: it may run for ever, and no function falls."""
        return frozenset(
            t.source
            for k, t in self._alone
            if all(implies((*t.guard, *self.system.known), t.after(g)) for g in t.guard)
            and not is_empty(self.facts.on(k))
        )

    def may_go_on(self, header: str) -> bool:
        """May an iteration of a loop begin that does not end the run?"""
        started = (k for k in self._started(header) if k in self.inside)
        return any(not is_empty(self.facts.on(k)) for k in started)

    @cached_property
    def data_alone(self) -> frozenset[str]:
        """Those with an iteration that asks for nothing but what is left open."""

        def is_asked(fact: Linear) -> bool:
            return not all(n.startswith(OPEN) for n in fact.names) and not self._is_by_type(fact)

        return frozenset(t.source for _, t in self._alone if not any(map(is_asked, t.guard)))

    @cached_property
    def _alone(self) -> list[tuple[int, Transition]]:
        """Iterations that lead back to their header without another one in between, of loops that
        control comes to."""
        steps = [(t.source, t.target) for t in self.system.transitions if t.target is not None]
        reached = set(postorder(Digraph(self.system.state, steps), self.system.root))
        return [
            (k, t)
            for k, t in enumerate(self.system.transitions)
            if t.starts == t.source == t.target and t.source in reached
        ]

    def _is_by_type(self, fact: Linear) -> bool:
        """Does the type of a name alone tell a fact?"""
        ranges = self.system.ranges
        if not fact.names <= ranges.keys():
            return False
        return fact[UNIT] + sum(fact[n] * ranges[n][fact[n] < 0] for n in fact.names) >= 0

    def _is_hopeless(self, header: str) -> bool:
        """May an iteration begin and end without a change to what it asks for?"""
        for k, t in enumerate(self.system.transitions):
            if t.starts == header and t.source == t.target:
                state = self.system.state[t.source]
                asked = names_of(t.guard)
                if not any(n in state and self._is_moved(t, n, asked) for n in asked):
                    if not is_empty(self.facts.on(k)):
                        return True
        return False

    @staticmethod
    def _is_moved(t: Transition, name: str, asked: frozenset[str]) -> bool:
        """Does a transition make something else of a name, of which more than the type is known?"""
        value = t.update.get(name, ZERO_FORM)
        opened = frozenset(n for n in value.names if n.startswith(OPEN))
        return value != name_(name) and opened <= asked

    def _started(self, header: str) -> frozenset[int]:
        return frozenset(k for k, t in enumerate(self.system.transitions) if t.starts == header)

    def _within(self, header: str) -> frozenset[int]:
        """The transitions inside a loop."""
        return frozenset(
            k
            for k in self.inside
            if (t := self.system.transitions[k]).target is not None
            and header in self.system.around(t.source)
            and header in self.system.around(t.target)
        )

    def _together(self, circle: int) -> frozenset[int]:
        """The transitions inside a strongly connected component."""
        return frozenset(
            k
            for k in self.inside
            if self._circle[self.system.transitions[k].source] == circle
            and not self._is_once(self.system.transitions[k])
        )

    def _headers(self, transitions: frozenset[int]) -> frozenset[str]:
        ends = (self.system.transitions[k] for k in transitions)
        return frozenset(h for t in ends for h in (t.source, t.target) if h is not None)

    def _at_once(self, header: str) -> Expr | None:
        """A bound by one function that nothing in the outermost loop raises."""
        goals = self._started(header)
        if not goals:
            return ZERO
        own = {self._circle[self.system.transitions[k].source] for k in goals}
        if len(own) > 1:
            return None
        for goal in self._asked(self._together(own.pop()), goals, must=True):
            function = ranking_function(self.system, self.facts, goal)
            if function is not None:
                return self._logarithm(goal) or self._value(function, goal)
        return None

    def _in_phases(self, header: str) -> Expr | None:
        """A bound by a nested function, where nothing else in the outermost loop has a bound."""
        goals = self._started(header)
        own = {self._circle[self.system.transitions[k].source] for k in goals}
        if len(own) != 1:
            return None
        goal = next(self._asked(self._together(own.pop()), goals, must=True), None)
        return None if goal is None else self._nested(goal)

    def _nested(self, goal: Goal) -> Expr | None:
        """How often transitions run by a nested function that begins anew with others."""
        depths = DEPTHS if goal.paid == goal.anew else ()
        for depth in depths if depths and may_fall(self.system, self.facts, goal) else ():
            function = nested_function(self.system, self.facts, goal, depth)
            if function is not None:
                firsts = [(self.times[k], forms) for k, forms in function.at_first.items()]
                if self.system.root in goal.at:
                    at_root = [level.get(self.system.root, ZERO_FORM) for level in function.levels]
                    firsts.append((ONE, [f.substitute(self.system.first.get) for f in at_root]))
                total = ZERO
                for times, forms in firsts:
                    most = maximum(0, *(self.system.formula(f) for f in forms))
                    total = total + times * (most * depth + depth - 1)
                return total
        return None

    def _logarithm(self, goal: Goal) -> Expr | None:
        """A bound by a function that is halved, where nothing raises it, or doubled."""
        if not goal.paid and any(self._is_opened(self.system.transitions[k]) for k in goal.falls):
            function = ranking_function(self.system, self.facts, replace(goal, way=Way.HALVED))
            if function is not None:
                first = function.forms.get(self.system.root, ZERO_FORM)
                first = first.substitute(self.system.first.get)
                # the last of k iterations begins with 1 at least, the first with 2 ** (k - 1)
                return ceil_log(2, self.system.formula(first.times(_scale(first))) + 1)
        if any(self._is_multiplied(k) for k in goal.falls):
            doubled = replace(goal, way=Way.DOUBLED, anew=frozenset(), is_bounded=True)
            function = ranking_function(self.system, self.facts, doubled)
            if function is not None:
                return self._doublings(function, doubled)
        return None

    def _is_opened(self, t: Transition) -> bool:
        """Does it make something of a name that it leaves open: a quotient?"""
        return any(n.startswith(OPEN) for v in t.update.values() for n in v.names)

    def _asked(
        self, group: frozenset[int], falls: frozenset[int] | None = None, *, must: bool
    ) -> Iterator[Goal]:
        """What may be asked of a function for a group of transitions: the more of its others set it
        anew, the less precise. falls: None for all that have no bound."""
        left = frozenset(k for k in group if k not in self.times)
        goals = left if falls is None else falls
        at = self._headers(group | goals)
        around = frozenset(
            k for k in self.inside - group if self.system.transitions[k].target in at
        )
        if around <= self.times.keys():
            paid = (group - left) | around
            yield Goal(left, goals, paid, around, at, must)
            set_anew = frozenset(k for k in paid if self._sets_anew(k)) | around
            if set_anew != around:
                yield Goal(left, goals, paid, set_anew, at, must)
        others = self.inside - left
        if around and others <= self.times.keys():
            yield Goal(left, goals, others, frozenset(), frozenset(self.system.state), must)

    def _hands_on(self, k: int) -> bool:
        """Does a transition give a name a value that rests on others from before?"""
        t = self.system.transitions[k]
        return any(not v.names.isdisjoint(self.system.state[t.source]) for v in t.update.values())

    def _sets_anew(self, k: int) -> bool:
        """Does a transition give a name a value that rests on nothing from before?"""
        t = self.system.transitions[k]
        return any(v.names.isdisjoint(self.system.state[t.source]) for v in t.update.values())

    def _value(self, function: RankingFunction, goal: Goal) -> Expr | None:
        """How often the transitions of a function run: what it is at first, and what is added to
        it."""
        if goal.way is Way.DOUBLED:
            return self._doublings(function, goal)
        first = function.forms.get(self.system.root, ZERO_FORM).substitute(self.system.first.get)
        total = self._positive(first)
        # transitions that were bounded together run no more often together than that
        paid: dict[tuple[frozenset[int], Linear], Expr] = {}
        for k, rise in function.rises.items():
            together = next((s.falls for s in self._done if k in s.falls), frozenset((k,)))
            paid[together, rise] = self.times[k] * self._positive(rise)
        for more in paid.values():
            total = total + more
        for k in goal.anew - goal.paid:
            t = self.system.transitions[k]
            if t.target in goal.at:
                most = self._sizes.most(t.source, t.after(function.forms.get(t.target, ZERO_FORM)))
                if most is None:
                    return None
                total = total + self.times[k] * most
        return total

    @property
    def _sizes(self) -> Sizes:
        return Sizes(self.system, self.times)

    def _doublings(self, function: RankingFunction, goal: Goal) -> Expr:
        """How often a function can be doubled, each time that control comes to it or that something
        else is made of it."""
        begun = ONE if self.system.root in goal.at else ZERO
        for k in goal.paid:
            begun = begun + self.times[k]
        # the first of k doublings finds 1 at least, the last one 2 ** (k - 1)
        if function.most:
            tops = [self._positive(m) for m in function.most.values()]
            return begun * ceil_log(2, maximum(*tops) + 1)
        forms = (function.forms[self.system.transitions[k].source] for k in function.falls)
        return begun * max(floor(self._largest(f)) for f in forms).bit_length()

    def _largest(self, form: Linear) -> Number:
        """What a form is at most, by the types of what it is over."""
        return form[UNIT] + sum(
            form[n] * self.system.ranges[n][form[n] > 0] for n in sorted(form.names)
        )

    def _positive(self, form: Linear) -> Expr:
        """A form over parameters, where it is positive."""
        e = self.system.formula(form)
        number = e.constant
        return maximum(0, e) if number is None else e if number > 0 else ZERO

    # -- one after another
    @cached_property
    def _stages(self) -> Sequence[_Stage]:
        """The transitions that have bounds, those first that need nothing of others."""
        pieces = [self._together(k) for k in sorted(set(self._circle.values()), reverse=True)]
        groups = [self.inside, *pieces, *(self._within(h) for h in self.system.loops)]
        groups = list(dict.fromkeys(groups))
        # of those that fall together a function must be positive on each, of a single one less
        ways = (self._lowered_together, self._doubled, self._lowered, self._restarted)
        while any(self._is_bounded_more(way(g)) for way in ways for g in groups) or any(
            self._is_nested(g) for g in pieces
        ):
            pass
        return self._done

    def _is_nested(self, piece: frozenset[int]) -> bool:
        """Bound the transitions of a piece by a nested function; was there one?"""
        left = frozenset(k for k in piece if k not in self.times)
        goal = next(self._asked(piece, left, must=True), None) if left else None
        bound = None if goal is None else self._nested(goal)
        if goal is None or bound is None:
            return False
        self.times.update(dict.fromkeys(left, bound))
        self._done.append(_Stage(left, goal, bound))
        return True

    def _is_bounded_more(self, asked: Iterable[Goal]) -> bool:
        """Bound the transitions that are asked for; were there any?"""
        for goal in asked:
            function = ranking_function(self.system, self.facts, goal)
            bound = None if function is None else self._value(function, goal)
            if function is not None and bound is not None:
                self.times.update(dict.fromkeys(function.falls, bound))
                self._done.append(_Stage(function.falls, goal))
                return True
        return False

    def _lowered_together(self, group: frozenset[int]) -> Iterable[Goal]:
        return () if group <= self.times.keys() else self._asked(group, must=False)

    def _lowered(self, group: frozenset[int]) -> Iterable[Goal]:
        left = sorted(group - self.times.keys())
        for k in left if len(left) > 1 else ():
            yield from self._asked(group, frozenset((k,)), must=True)

    def _restarted(self, group: frozenset[int]) -> Iterable[Goal]:
        """What falls between transitions that may make anything of it."""
        left = group - self.times.keys()
        for goal in self._asked(group, must=False) if left else ():
            if goal.at <= self._headers(group) and any(map(self._hands_on, goal.paid)):
                anew = replace(goal, paid=frozenset(), anew=goal.paid)
                yield anew
                yield from (replace(anew, falls=frozenset((k,)), must=True) for k in sorted(left))
            break

    def _doubled(self, group: frozenset[int]) -> Iterable[Goal]:
        left = sorted(group - self.times.keys())
        multiplied = [k for k in left if self._is_multiplied(k)]
        together = [frozenset(left)] if left and multiplied == left else []
        for falls in [*together, *(frozenset((k,)) for k in multiplied)]:
            for goal in self._asked(group, falls, must=True):
                yield from self._doubling(goal)
                break  # others differ in what may be added

    def _doubling(self, goal: Goal) -> Iterable[Goal]:
        """The same of a function that is doubled."""
        doubled = replace(goal, way=Way.DOUBLED, anew=frozenset())
        yield replace(doubled, is_bounded=True)
        if all(self.system.ranges.keys() >= self.system.state[h] for h in goal.at):
            yield doubled

    def _is_multiplied(self, k: int) -> bool:
        """Does a transition make a multiple of a name, or what it leaves open?"""
        values = self.system.transitions[k].update.values()
        return any(n.startswith(OPEN) or not -2 < v[n] < 2 for v in values for n in v.names)

    def _of_stages(self, header: str) -> Expr | None:
        """The sum of the bounds of all transitions that begin an iteration."""
        goals = self._started(header)
        once = frozenset(k for k in goals if self._is_once(self.system.transitions[k]))
        leaving = (goals - self.inside) | once
        total = self._left_at_most(leaving)
        goals -= leaving
        for stage in self._stages:
            own = goals & stage.falls
            if not own:
                continue
            bound = stage.bound
            if bound is None:
                asked = replace(stage.goal, falls=own, must=True)
                function = ranking_function(self.system, self.facts, asked)
                bound = None if function is None else self._value(function, asked)
            if bound is None:
                return None
            total = total + bound
            goals -= own
        return None if goals else total
