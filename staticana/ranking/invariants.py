"""Linear facts that hold whenever control is at a header: candidates, of which those are kept that
all transitions keep (Flanagan and Leino, "Houdini", FME 2001)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .linear import Linear, name_
from .polyhedra import Facts, implies, without_implied
from .transitions import OPEN, Transition, TransitionSystem

_MOST = 24
"""Candidates at each header."""
_ROUNDS = 2
"""Headers in a row that a candidate is carried on to."""

Invariants = Mapping[str, tuple[Linear, ...]]


def invariants(system: TransitionSystem) -> Invariants:
    """Facts at each header, over its state and parameters."""
    kept = {h: list(c) for h, c in _candidates(system).items()}
    start = system.known
    kept[system.root] = [
        c for c in kept[system.root] if implies(start, c.substitute(system.first.get))
    ]
    steps = [t for t in system.transitions if t.target is not None]
    changed = {*system.state}
    while changed:
        at, changed = changed, set()
        for t in steps:
            assert t.target is not None
            if t.source not in at and t.target not in at:
                continue
            facts = (*t.guard, *kept[t.source], *start)
            left = [c for c in kept[t.target] if implies(facts, t.after(c))]
            if len(left) < len(kept[t.target]):
                kept[t.target] = left
                changed.add(t.target)
    return {h: tuple(c) for h, c in kept.items()}


def _candidates(system: TransitionSystem) -> Mapping[str, tuple[Linear, ...]]:
    found: dict[str, dict[Linear, None]] = {h: {} for h in system.state}
    for c in _of_start(system):
        found[system.root].setdefault(c)
    for t in system.transitions:
        for c in _of_guard(system, t):
            found[t.source].setdefault(c)
    for _ in range(_ROUNDS):
        for t in system.transitions:
            if t.target is None or t.target == t.source:
                continue
            for c in tuple(found[t.source]):
                carried = _carried(system, t, c)
                if carried is not None:
                    found[t.target].setdefault(carried)
    return {h: tuple(c)[:_MOST] for h, c in found.items()}


def _of_start(system: TransitionSystem) -> Iterator[Linear]:
    """Variables stay above, or below, what they start with; so do differences of two."""
    ways = {n: name_(n) - first for n, first in sorted(system.first.items())}
    for n, way in ways.items():
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


def facts_of(system: TransitionSystem, known: Invariants, t: Transition) -> Facts:
    """What holds on a transition."""
    return without_implied((*t.guard, *known[t.source], *system.known))
