"""Formulas of iteration numbers, at numbers."""

from __future__ import annotations

from collections.abc import Mapping

from ...expr import ZERO, Atom, Expr, Loaded, expr, from_atom, symbols


class IterationFormula:
    """A formula of iteration numbers with everything else replaced by numbers; `known`: nothing was
    replaced for want of a value."""

    __slots__ = ("constant", "e", "known", "steps", "symbols")

    def __init__(self, e: Expr, values: Mapping[str, Expr]) -> None:
        self.known = not any(map(symbols.is_loaded, e.symbols))
        e = _unloaded(e).substitute(values)
        strange = {s: expr(0) for s in e.symbols if not symbols.is_iteration(s)}
        self.known &= not strange
        self.e = e.substitute(strange) if strange else e
        self.symbols = self.e.symbols
        self.steps: dict[str, float] | None = {}
        rest = self.e
        for name in self.symbols:
            line = rest.affine_in(name)
            if line is None or (step := line[0].constant) is None:
                self.steps = None
                break
            self.steps[name] = float(step)
            rest = line[1]
        number = rest.constant
        self.constant = float(number) if self.steps is not None and number is not None else 0.0
        if number is None:
            self.steps = None

    def at(self, index: Mapping[str, float]) -> float:
        """The value; iteration numbers that are not whole are rounded where it is curved."""
        if self.steps is not None:
            return self.constant + sum(c * index.get(s, 0) for s, c in self.steps.items())
        try:
            return float(self.e.evaluate({s: round(index.get(s, 0)) for s in self.symbols}))
        except (ArithmeticError, ValueError, KeyError):
            return 0.0

    def step(self, name: str, index: Mapping[str, float]) -> float:
        if name not in self.symbols:
            return 0.0
        if self.steps is not None:
            return self.steps[name]
        here = dict(index)
        here[name] = index.get(name, 0) + 1
        return self.at(here) - self.at(index)


def _unloaded(e: Expr) -> Expr:
    """A formula with 0 for values from memory, which stand among its symbols but are none."""

    def change(a: Atom) -> Expr:
        if isinstance(a, Loaded):
            return ZERO
        is_plain = a.is_symbol or not any(map(symbols.is_loaded, a.symbols))
        return from_atom(a) if is_plain else a.rebuild(tuple(map(_unloaded, a.parts)))

    return e.map_atoms(change) if any(map(symbols.is_loaded, e.symbols)) else e
