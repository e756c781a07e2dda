"""Bounds of a nest's loops from ranking functions.

How often a transition runs, for one entry of the nest, is bounded by what a ranking function is at
first, and by what other transitions add to it, each as often as it runs (Brockschmidt, Emmes,
Falke, Fuhs and Giesl, TOPLAS 2016; Sinn, Zuleger and Veith, JAR 2017). So those bounds follow one
from another, until nothing new is found.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from ..expr import ZERO, Expr, maximum
from .invariants import Invariants, invariants
from .linear import ZERO_FORM, Linear
from .synthesis import RankingFunction, ranking_function
from .transitions import TransitionSystem, split_by_step


@dataclass(frozen=True)
class NestBounds:
    """Header -> iterations at most, for each entry of a nest; needs: what they rest on."""

    iterations: Mapping[str, Expr]
    needs: frozenset[Expr]


def bounds_of(system: TransitionSystem) -> NestBounds:
    """The bounds of a transition system."""
    found = Solver(system).found()
    if any(h not in found for h in system.state):
        finer = split_by_step(system)
        if len(finer.transitions) > len(system.transitions):
            found = {**Solver(finer).found(), **found}
    return NestBounds(found, system.needs)


class Solver:
    """Bounds of one transition system. times: transition -> how often it runs at most."""

    def __init__(self, system: TransitionSystem) -> None:
        self.system = system
        self.times: dict[int, Expr] = {}
        self._stages: list[tuple[frozenset[int], frozenset[int], frozenset[int]]] = []

    @cached_property
    def known(self) -> Invariants:
        return invariants(self.system)

    @cached_property
    def inside(self) -> frozenset[int]:
        """The transitions that stay in the nest."""
        return frozenset(
            k for k, t in enumerate(self.system.transitions) if t.target is not None
        )

    def found(self) -> dict[str, Expr]:
        """Header -> bound of its iterations."""
        result: dict[str, Expr] = {}
        for header in self.system.state:
            bound = self._at_once(header)
            if bound is not None:
                result[header] = bound
        if len(result) < len(self.system.state):
            self._find_times()
            for header in self.system.state:
                if header not in result:
                    bound = self._of_stages(header)
                    if bound is not None:
                        result[header] = bound
        return result

    def _started(self, header: str) -> frozenset[int]:
        return frozenset(
            k for k, t in enumerate(self.system.transitions) if t.source == header and t.starts
        )

    def _at_once(self, header: str) -> Expr | None:
        """A bound by one function that nothing raises."""
        goals = self._started(header)
        if not goals:
            return ZERO
        function = ranking_function(
            self.system, self.known, self.inside | goals, goals, must=True
        )
        return None if function is None else self._value(function)

    def _value(self, function: RankingFunction) -> Expr:
        """What a function is at first, and what is added to it."""
        first = function.forms.get(self.system.root, ZERO_FORM).substitute(self.system.first.get)
        total = self._positive(first)
        for k, rise in function.rises.items():
            more = self._positive(rise)
            if more != ZERO:
                total = total + self.times[k] * more
        return total

    def _positive(self, form: Linear) -> Expr:
        """A form over parameters, where it is positive."""
        e = self.system.formula(form)
        number = e.constant
        return maximum(0, e) if number is None else e if number > 0 else ZERO

    # -- one after another
    def _find_times(self) -> None:
        """Bound the transitions, those first that need nothing of others."""
        left = self.inside
        while left:
            paid = self.inside - left
            function = ranking_function(
                self.system, self.known, left, left, paid=paid, must=False
            )
            if function is None:
                return
            bound = self._value(function)
            for k in function.falls:
                self.times[k] = bound
            self._stages.append((left, function.falls, paid))
            left -= function.falls

    def _of_stages(self, header: str) -> Expr | None:
        """The sum of the bounds of all transitions that begin an iteration."""
        goals = self._started(header)
        total = ZERO
        if goals - self.inside:  # what leaves the nest does so once
            total = total + 1
            goals &= self.inside
        for left, falls, paid in self._stages:
            own = goals & falls
            if not own:
                continue
            function = ranking_function(
                self.system, self.known, left, own, paid=paid, must=True
            )
            if function is None:
                return None
            total = total + self._value(function)
            goals -= own
        return None if goals else total
