"""How large variables can be where a transition runs, over parameters.

A variable that a loop makes of itself and of others grows with each transition by what that adds
at most, as often as the transition runs (Brockschmidt, Emmes, Falke, Fuhs and Giesl, TOPLAS 2016,
section 4). What is multiplied, so that no polynomial need bound it, has no size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property

from looplaw_common.digraph import Digraph, circles

from ..expr import ZERO, Expr, maximum
from .linear import Linear
from .transitions import PARAMETER, TransitionSystem

_Place = tuple[str, str]
"""A header and a name of its state."""


class Sizes:
    """Bounds of the absolute values of variables; times: transition -> how often it runs."""

    def __init__(self, system: TransitionSystem, times: Mapping[int, Expr]) -> None:
        self._system, self._times = system, times
        self._found: dict[_Place, Expr | None] = {}

    def most(self, header: str, form: Linear) -> Expr | None:
        """What a form over the state of a header, and parameters, is at most, if not negative;
        None where that is not known."""
        return self._sum(header, form, lambda e: maximum(0, e))

    def _absolute(self, header: str, form: Linear) -> Expr | None:
        return self._sum(header, form, lambda e: maximum(e, -e))

    def _sum(self, header: str, form: Linear, of_given: Callable[[Expr], Expr]) -> Expr | None:
        """A form with the sizes of its variables, and `of_given` of what is over parameters."""
        state = {n: c for n, c in form.terms.items() if n and not n.startswith(PARAMETER)}
        total = of_given(self._system.formula(form - Linear(state)))
        for name in sorted(state):
            size = self._size((header, name))
            if size is None:
                return None
            total = total + size * max(state[name], -state[name])
        return total

    @cached_property
    def _flow(self) -> Digraph[_Place]:
        """What goes into what."""
        return Digraph(
            ((h, n) for h, names in self._system.state.items() for n in names),
            (
                ((t.source, old), (t.target, new))
                for t in self._system.transitions
                if t.target is not None
                for new, value in t.update.items()
                for old in value.names
                if old in self._system.state[t.source]
            ),
        )

    @cached_property
    def _together(self) -> Mapping[_Place, frozenset[_Place]]:
        """Variables that go into one another."""
        return {p: frozenset(c) for c in circles(self._flow) for p in c}

    def _size(self, place: _Place) -> Expr | None:
        if place not in self._together:
            return None  # what a path leaves open
        if place not in self._found:
            group = self._together[place]
            self._found.update(dict.fromkeys(group, self._of_group(group)))
        return self._found[place]

    def _of_group(self, group: frozenset[_Place]) -> Expr | None:
        """A bound of all variables of a group: the largest value that one has from outside, and
        what transitions add."""
        firsts = [
            self._absolute(h, self._system.first[n])
            for h, n in sorted(group)
            if h == self._system.root and n in self._system.first
        ]
        added: dict[int, list[Expr | None]] = {}
        for k, header, value in self._updates(group):
            own = [n for n in value.names if (header, n) in group]
            rest = value - Linear({n: value[n] for n in own})
            more = self._absolute(header, rest)
            if not own:
                firsts.append(more)
            elif sum(max(value[n], -value[n]) for n in own) > 1 or (
                rest.terms and k not in self._times
            ):
                return None
            elif rest.terms:
                added.setdefault(k, []).append(more)
        total = maximum(*(f for f in (ZERO, *firsts) if f is not None))
        for k, parts in added.items():
            total = total + self._times[k] * maximum(*(p for p in (ZERO, *parts) if p is not None))
        is_known = None not in firsts and not any(None in parts for parts in added.values())
        return total if is_known else None

    def _updates(self, group: frozenset[_Place]) -> Iterator[tuple[int, str, Linear]]:
        """The transitions that give variables of a group a value, each with where it is from."""
        for k, t in enumerate(self._system.transitions):
            for name, value in t.update.items():
                if t.target is not None and (t.target, name) in group:
                    yield k, t.source, value
