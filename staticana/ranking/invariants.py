"""Linear facts that hold whenever control is at a header: candidates, of which those are kept that
all transitions keep (Flanagan and Leino, "Houdini", FME 2001)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from .linear import UNIT, Linear, name_
from .polyhedra import implies, is_empty, without_implied
from .transitions import OPEN, PARAMETER, Transition, TransitionSystem

_MOST = 24
"""Candidates at each header."""
_LARGE = 1 << 15
"""Constants from which on a guard says nothing of what iterations keep."""
_ROUNDS = 2
"""Headers in a row that a candidate is carried on to."""

Invariants = Mapping[str, tuple[Linear, ...]]


def invariants(system: TransitionSystem) -> Invariants:
    """Facts at each header, over its state and parameters."""
    found = {h: list(c) for h, c in _candidates(system).items()}
    found[system.root] = [
        c for c in found[system.root] if implies(system.known, c.substitute(system.first.get))
    ]
    return _kept(system, found, system.transitions)


def missing_at_start(system: TransitionSystem) -> tuple[Linear, ...]:
    """Facts of parameters under which more would hold at the headers: what iterations keep, but
    what a nest need not start with."""
    later = [t for t in system.transitions if system.state[t.source]]
    kept = _kept(system, {h: list(c) for h, c in _candidates(system).items()}, later)
    asked = [c.substitute(system.first.get) for c in kept[system.root]]
    for t in system.transitions:
        if t.target is not None and not system.state[t.source]:
            asked += [t.after(c) for c in kept[t.target]]
    plain = (a for a in asked if a.names and all(n.startswith(PARAMETER) for n in a.names))
    told = (a for a in without_implied(plain) if not implies(system.known, a))
    return tuple(sorted(told, key=lambda a: (len(a.names), str(sorted(a.terms.items())))))


def _kept(
    system: TransitionSystem, kept: dict[str, list[Linear]], transitions: Iterable[Transition]
) -> Invariants:
    """Of candidates, those that these transitions keep."""
    steps = [(t, t.target) for t in transitions if t.target is not None]
    changed = {*system.state}
    while changed:
        at, changed = changed, set()
        for t, target in steps:
            if t.source not in at and target not in at:
                continue
            facts = (*t.guard, *kept[t.source], *system.known)
            left = [c for c in kept[target] if implies(facts, t.after(c))]
            # nothing is lost on a way that what is kept excludes
            if len(left) < len(kept[target]) and not is_empty(facts):
                kept[target] = left
                changed.add(target)
    return {h: tuple(c) for h, c in kept.items()}


def _candidates(system: TransitionSystem) -> Mapping[str, tuple[Linear, ...]]:
    found: dict[str, dict[Linear, None]] = {h: {} for h in system.state}
    for c in _of_start(system):
        found[system.root].setdefault(c)
    for t in system.transitions:
        for c in _of_guard(system, t):
            found[t.source].setdefault(c)
        for c in _of_values(system, t):
            found[t.target or t.source].setdefault(c)
    for t in system.transitions:
        for c in _behind_guard(system, t) if t.target == t.source else ():
            found[t.source].setdefault(c)
    for _ in range(_ROUNDS):
        for t in system.transitions:
            if t.target is None or t.target == t.source:
                continue
            for c in tuple(found[t.source]) if len(found[t.target]) < _MOST else ():
                carried = _carried(system, t, c)
                if carried is not None:
                    found[t.target].setdefault(carried)
    return {h: tuple(c)[:_MOST] for h, c in found.items()}


def _of_start(system: TransitionSystem) -> Iterator[Linear]:
    """Variables stay above, or below, what they start with; so do differences of two."""
    ways = {n: name_(n) - first for n, first in sorted(system.first.items())}
    given = {next(iter(f.terms)): n for n, f in system.first.items() if len(f.terms) == 1}
    for fact in system.known:
        if fact.names and fact.names <= given.keys() and -_LARGE < fact[UNIT] < _LARGE:
            yield fact.substitute(lambda n: name_(given[n]))
    for way in ways.values():
        yield from (way, -way)
    if len(ways) > 4:
        return
    names = list(ways)
    for k, a in enumerate(names):
        for b in names[k + 1 :]:
            for form in (ways[a] + ways[b], ways[a] - ways[b]):
                yield from (form, -form)


def _of_guard(system: TransitionSystem, t: Transition) -> Iterator[Linear]:
    """What a path tests, and what is left of it behind a step."""
    state = system.state[t.source]
    for g in t.guard:
        if not any(n.startswith(OPEN) for n in g.names) and not g.names.isdisjoint(state):
            yield from (g + 1, g)


def _behind_guard(system: TransitionSystem, t: Transition) -> Iterator[Linear]:
    """What a path tests, of what it makes of the variables."""
    for g in t.guard:
        if not any(n.startswith(OPEN) for n in g.names):
            carried = _carried(system, t, g)
            if carried is not None:
                yield carried


def _of_values(system: TransitionSystem, t: Transition) -> Iterator[Linear]:
    """What a path sets anew stays so, or stays above or below it."""
    for name, value in sorted(t.update.items()):
        if all(n.startswith(PARAMETER) for n in value.names):
            way = name_(name) - value
            yield from (way, -way)


def _carried(system: TransitionSystem, t: Transition, c: Linear) -> Linear | None:
    """A fact at the source of a transition over the state of its target, where each name goes on
    under one."""
    assert t.target is not None
    names: dict[str, Linear] = {}
    for new in sorted(system.state[t.target]):
        value = t.update[new]
        old = [n for n in value.names if n in system.state[t.source]]
        if len(old) == 1 and value[old[0]] == 1 and len(value.names) == 1:
            names.setdefault(old[0], name_(new) - (value - name_(old[0])))
    if not all(n in names or n not in system.state[t.source] for n in c.names):
        return None
    return c.substitute(names.get)


class Facts:
    """What holds on each transition of a system."""

    def __init__(self, system: TransitionSystem) -> None:
        self._system = system
        # what holds at the header that a copy is of is in the guards of its transitions
        self._known: Invariants = (
            dict.fromkeys(system.state, ()) if system.copies else invariants(system)
        )
        self._found: dict[int, tuple[Linear, ...]] = {}

    def on(self, k: int) -> tuple[Linear, ...]:
        """What holds on transition `k`, over the state of its source and parameters."""
        if k not in self._found:
            t = self._system.transitions[k]
            told = (*t.guard, *self._known[t.source], *self._system.known)
            self._found[k] = without_implied(told)
        return self._found[k]
