"""A nest of loops as an integer transition system (Brockschmidt et al., TOPLAS 2016, section 2).

Its places are the headers of its loops; a transition is a path from one header to the next, with
what holds on it and what it makes of the variables, both linear over the integers.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field

from ..expr import Expr
from .linear import UNIT, Linear

PARAMETER = "$"
"""How the names of what does not change in the nest begin."""
OPEN = "?"
"""How the names of what a path leaves open begin."""


def _name(item: tuple[str, object]) -> str:
    return item[0]


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
    which the function begins, which is never come to again. copies: of a refined system, header ->
    the one that it is a copy of; ranges: name of a state -> the least and the largest number that
    its type holds.
    """

    root: str
    parents: Mapping[str, str | None]
    transitions: tuple[Transition, ...]
    state: Mapping[str, frozenset[str]]
    first: Mapping[str, Linear]
    known: tuple[Linear, ...]
    values: Mapping[str, Expr]
    needs: frozenset[Expr]
    ranges: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    copies: Mapping[str, str] = field(default_factory=dict)

    @property
    def content(self) -> Hashable:
        """Stands for all of it."""
        named = (self.parents, self.state, self.first, self.values, self.ranges, self.copies)
        steps = tuple(
            (t.source, t.target, t.guard, tuple(sorted(t.update.items(), key=_name)), t.starts)
            for t in self.transitions
        )
        parts = tuple(tuple(sorted(m.items(), key=_name)) for m in named)
        return self.root, steps, self.known, self.needs, parts

    @property
    def loops(self) -> Iterable[str]:
        """The headers of loops, inner ones first."""
        return sorted(self.parents, key=lambda h: (-len(self.around(h)), h))

    def around(self, header: str) -> tuple[str, ...]:
        """A loop and those around it, from inside out; of what is no loop, nothing."""
        found: list[str] = []
        header = self.copies.get(header, header)
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
