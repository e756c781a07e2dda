"""A nest of loops as an integer transition system (Brockschmidt et al., TOPLAS 2016, section 2).

Its places are the headers of its loops; a transition is a path from one header to the next, with
what holds on it and what it makes of the variables, both linear over the integers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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
    starts: the header of the loop an iteration of which begins with it, if any.
    """

    source: str
    target: str | None
    guard: tuple[Linear, ...]
    update: Mapping[str, Linear]
    starts: str | None

    def after(self, form: Linear) -> Linear:
        """A form over the target's state, over that of the source."""
        return form.substitute(self.update.get)


@dataclass(frozen=True)
class TransitionSystem:
    """The transitions of a nest, or of a whole function.

    parents: loop -> the one around it; state: header -> the names that matter there; first: the
    state on entry, over parameters; known: facts of parameters; values: parameter -> its formula;
    needs: what those rest on. The root is the header that control comes to first, or the block with
    which the function begins, which is never come to again.
    """

    root: str
    parents: Mapping[str, str | None]
    transitions: tuple[Transition, ...]
    state: Mapping[str, frozenset[str]]
    first: Mapping[str, Linear]
    known: tuple[Linear, ...]
    values: Mapping[str, Expr]
    needs: frozenset[Expr]

    @property
    def loops(self) -> Iterable[str]:
        """The headers of loops, inner ones first."""
        return sorted(self.parents, key=lambda h: (-len(self.around(h)), h))

    def around(self, header: str) -> tuple[str, ...]:
        """A loop and those around it, from inside out; of what is no loop, nothing."""
        found: list[str] = []
        at: str | None = header if header in self.parents else None
        while at is not None:
            found.append(at)
            at = self.parents[at]
        return tuple(found)

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


def peeled(system: TransitionSystem) -> TransitionSystem:
    """The system with its first iteration apart: what it sets may hold in all others."""
    first = f"{system.root} first"
    more = [replace(t, source=first) for t in system.transitions if t.source == system.root]
    return replace(
        system,
        root=first,
        parents={**system.parents, first: system.root},
        transitions=(*system.transitions, *more),
        state={**system.state, first: system.state[system.root]},
    )
