"""Control-flow refinement: systems with the same runs that have more transitions or more headers,
of which more can be told.

The idea of specialising control by what holds there is that of Domenech, Gallagher and Genaim
("Control-flow refinement by partial evaluation", TPLP 2019), with the properties that paths test.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .invariants import Facts
from .linear import Linear, name_
from .polyhedra import implies, is_empty, without_implied
from .transitions import OPEN, Transition, TransitionSystem

_MOST = 96
"""Transitions of the largest system."""
_LONGEST_STEP = 3
"""Names of a step whose sign makes several transitions of one."""
_MOST_PROPERTIES = 12
"""Comparisons that tell phases apart."""
_MOST_COPIES = 8
"""Of one header."""
_LARGE = 1 << 31
"""Constants from which on a comparison is one of a type's range."""


def split_by_step(system: TransitionSystem) -> TransitionSystem:
    """The system with the transitions that add a changing amount to a variable split by the sign
    of what they add (control-flow refinement)."""
    found = tuple(part for t in system.transitions for part in _split(system, t))
    is_finer = len(system.transitions) < len(found) <= _MOST
    return replace(system, transitions=found) if is_finer else system


def _split(system: TransitionSystem, t: Transition) -> list[Transition]:
    parts = [t]
    for name in sorted(t.update):
        step = t.update[name] - name_(name)
        if (
            name not in system.state[t.source]
            or step.constant is not None
            or len(step.names) > _LONGEST_STEP
            or any(n.startswith(OPEN) for n in step.names)
        ):
            continue
        signs = ([step - 1], [step, -step], [-step - 1])
        guards = [(p, without_implied((*p.guard, *s))) for p in parts for s in signs]
        parts = [replace(p, guard=g) for p, g in guards if not is_empty(g)]
    return parts


_Place = tuple[str, frozenset[Linear]]
"""A header and the properties that are known to hold there."""


def by_properties(system: TransitionSystem) -> TransitionSystem:
    """The system with a copy of a header for each set of tests of its paths that are known to hold
    there: phases that follow one another are apart, and paths that no phase takes are gone."""
    tests = {h: _tests(system, h) for h in system.state}
    facts = Facts(system)
    start = frozenset(
        p for p in tests[system.root] if implies(system.known, p.substitute(system.first.get))
    )
    places: dict[_Place, str] = {}
    copies: dict[str, int] = {}

    def name(place: _Place) -> str:
        if place not in places:
            number = copies[place[0]] = copies.get(place[0], 0) + 1
            places[place] = f"{place[0]} {number}"
            work.append(place)
        return places[place]

    work: list[_Place] = []
    root = name((system.root, start))
    found: list[Transition] = []
    while work:
        header, held = place = work.pop()
        for k, t in enumerate(system.transitions):
            if t.source != header:
                continue
            told = (*facts.on(k), *held)
            if is_empty(told):
                continue
            target = None
            if t.target is not None:
                after = frozenset(p for p in tests[t.target] if implies(told, t.after(p)))
                target = name((t.target, after))
            guard = without_implied(told)
            found.append(replace(t, source=places[place], target=target, guard=guard))
        if len(found) > _MOST or copies[header] > _MOST_COPIES:
            return system
    if len(places) == len(system.state):
        return system
    return replace(
        system,
        root=root,
        transitions=tuple(found),
        state={n: system.state[h] for (h, _), n in places.items()},
        copies={n: system.copies.get(h, h) for (h, _), n in places.items()},
    )


def _tests(system: TransitionSystem, header: str) -> Sequence[Linear]:
    """What paths from a header ask of its state."""
    state = system.state[header]
    asked = dict.fromkeys(
        g.normal()
        for t in system.transitions
        if t.source == header
        for g in t.guard
        if not g.names.isdisjoint(state)
        and not any(n.startswith(OPEN) for n in g.names)
        and all(-_LARGE < c < _LARGE for c in g.terms.values())
    )
    return tuple(asked)[:_MOST_PROPERTIES]
