"""A nest of loops as an integer transition system (Brockschmidt et al., TOPLAS 2016, section 2).

Its places are the headers of its loops; a transition is a path from one header to the next, with
what holds on it and what it makes of the variables, both linear over the integers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ..expr import Expr
from .linear import UNIT, Linear, name_
from .polyhedra import is_empty, without_implied

PARAMETER = "$"
"""How the names of what does not change in the nest begin."""
OPEN = "?"
"""How the names of what a path leaves open begin."""
_MOST = 96
"""Transitions of the largest system."""
_LONGEST_STEP = 3
"""Names of a step whose sign makes several transitions of one."""


@dataclass(frozen=True)
class Transition:
    """A path from a header to the next one; `target` None: it leaves the nest.

    guard: facts over the state of the source. update: name of the target's state -> its value.
    starts: does an iteration of the source's loop begin with it?
    """

    source: str
    target: str | None
    guard: tuple[Linear, ...]
    update: Mapping[str, Linear]
    starts: bool

    def after(self, form: Linear) -> Linear:
        """A form over the target's state, over that of the source."""
        return form.substitute(self.update.get)


@dataclass(frozen=True)
class TransitionSystem:
    """The transitions of a nest. first: the state on entry, over parameters; known: facts of
    parameters; values: parameter -> its formula; needs: what those rest on."""

    root: str
    transitions: tuple[Transition, ...]
    state: Mapping[str, frozenset[str]]
    first: Mapping[str, Linear]
    known: tuple[Linear, ...]
    values: Mapping[str, Expr]
    needs: frozenset[Expr]

    def formula(self, form: Linear) -> Expr:
        """A form over parameters alone as a formula."""
        result = Expr({(): form[UNIT]} if form[UNIT] else {})
        for name in sorted(form.names):
            result = result + self.values[name] * form[name]
        return result


def split_by_step(system: TransitionSystem) -> TransitionSystem:
    """The system with the transitions that add a changing amount to a variable split by the sign
    of what they add (control-flow refinement)."""
    found = tuple(part for t in system.transitions for part in _split(system, t))
    return replace(system, transitions=found) if len(found) <= _MOST else system


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
