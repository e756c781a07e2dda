"""Counts of functions that call themselves.

A function that calls itself once in each activation is a loop over its arguments: they change by A and b from call to
call until the condition of the call fails, so closed forms and trip counts are those of loops; with m calls of equal
arguments, level k has m**k activations. Two calls on the two halves of a range form a balanced tree: with s - 1 inner
nodes over s elements, whose sizes add up to s ceil(log2 s) - 2**ceil(log2 s) + s.

Source for the sum over the halves: Graham, Knuth and Patashnik, Concrete Mathematics, section 3.3 (exercise 3.34).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from .conditions import Cond
from .expr import (
    ONE,
    Atom,
    Expr,
    Facts,
    Floor,
    Sym,
    TooComplex,
    ceil_log,
    floor_div,
    from_atom,
    is_integer,
    is_nonnegative,
    maximum,
    power,
    simplify,
    sym,
)
from .quantity import Quantity, unknown
from .recurrence import closed_forms, first_failure
from .summation import inner_facts, summation

if TYPE_CHECKING:
    from .calls import Site
    from .program import Program

_SIZE = "%size"


@dataclass(frozen=True)
class Recursion:
    """How the counts of one activation add up over all activations that one call from outside causes."""

    total: Callable[[Quantity], Quantity]


def solve(program: Program, name: str, sites: list[Site]) -> Recursion | str:
    """The recursion of a function over the calls of itself; a string says why it has no closed form."""
    view = program.view(name)
    entry = view.function.entry.name
    # an argument that is the same in every call is not a variable of the recursion, and has its value's name
    symbols = {program.argument_symbol(view.function, at): a.key for at, p in enumerate(view.function.parameters)
               if isinstance(a := program.argument(view.function, p.token).atom, Sym)}
    steps: list[dict[str, Expr]] = []
    conditions: list[Cond] = []
    needs: frozenset[Expr] = frozenset()
    for site in sites:
        if site.block in view.forest.innermost:
            return f"{name} calls itself in a loop"
        condition, more = view.paths.below(entry, site.block)
        if condition.is_opaque or view.is_data(condition):
            return f"whether {name} calls itself again depends on data"
        passed = program.arguments(view, site.block, site.instruction, view.function)
        steps.append({symbols[s]: e for s, e in passed.items() if s in symbols and
                      all(program.opaques.get(n) is None for n in e.symbols)})
        conditions.append(condition)
        needs |= more
    if needs:
        return f"the condition under which {name} calls itself may wrap around"
    wanted = _needed(conditions, steps)
    if all(c == conditions[0] for c in conditions):
        if all({s: step.get(s) for s in wanted} == {s: steps[0].get(s) for s in wanted} for step in steps):
            return _chain(name, conditions[0], steps, len(sites))
        if len(sites) == 2:
            return _halves(name, conditions[0], steps, set(symbols.values()))
    return f"{name} calls itself with arguments that have no common law"


def _needed(conditions: list[Cond], steps: list[dict[str, Expr]]) -> set[str]:
    """Arguments on which the conditions rest, through the calls."""
    found: set[str] = set()
    work = [s for c in conditions for e in c.formulas() for s in e.symbols]
    while work:
        s = work.pop()
        if s not in found:
            found.add(s)
            work.extend(n for step in steps if s in step for n in step[s].symbols)
    return found


def _chain(name: str, condition: Cond, steps: list[dict[str, Expr]], calls: int) -> Recursion | str:
    """One call, or several with equal arguments, in each activation."""
    agreed = {s: e for s, e in steps[0].items() if all(step.get(s) == e for step in steps)}
    index = f"%i.{name}.call"
    closed = closed_forms(agreed, {s: sym(s) for s in agreed}, index)
    lost = {s for step in steps for s in step if s not in closed}
    condition = condition.substitute(closed)
    if any(s in lost for e in condition.formulas() for s in e.symbols):
        return f"the arguments with which {name} calls itself have no closed form"
    horizon = first_failure(condition, index, Facts([sym(index)]))
    if horizon is None or horizon.at is None or horizon.happens != ONE:
        return f"how deep {name} calls itself has no closed form"
    activations = horizon.at + 1
    facts = inner_facts(index, activations, Facts())
    levels = power(calls, sym(index)) if calls > 1 else ONE

    def added(e: Expr) -> Expr:
        if e.symbols & lost:
            raise TooComplex
        inside = simplify(e.substitute(closed), facts)
        return summation(inside * levels, index, activations, Facts())

    def total(q: Quantity) -> Quantity:
        if any(n.symbols & (lost | closed.keys()) for n in q.needs):
            return unknown(f"{name} calls itself, and what its counts need has no common form")
        return _checked(name, q, replace(q.mapped(added), needs=q.needs | frozenset(horizon.needs)))
    return Recursion(total)


def _halves(name: str, condition: Cond, steps: list[dict[str, Expr]], arguments: set[str]) -> Recursion | str:
    """Two calls, on the halves of s elements, while s >= 2."""
    problem = f"{name} calls itself twice, and not on two halves"
    if condition.kind != "ge":
        return problem
    size = condition.arg + 2
    if any(size.symbols - step.keys() & arguments for step in steps):
        return problem
    facts = Facts([condition.arg])
    needs: frozenset[Expr] = frozenset()
    half = floor_div(size, 2)
    wanted = {_residual(half), _residual(size - half)}
    halves = {_residual(simplify(size.substitute(step), facts)) for step in steps}
    if halves != wanted:
        # bounds that are not negative stay so: then (lo + hi) / 2 is rounded down
        signs = [sym(s) for s in sorted(size.symbols & arguments)]
        facts = Facts([condition.arg, *signs])
        if not all(is_nonnegative(simplify(sign.substitute(step), facts), facts) for sign in signs for step in steps):
            return problem
        needs = frozenset(signs)
        halves = {_residual(simplify(size.substitute(step), facts)) for step in steps}
    if halves != wanted:
        return problem
    pivot = next((s for s in sorted(size.symbols) if (parts := size.split(s)) is not None and set(parts) <= {0, 1}
                  and parts[1].constant in (1, -1)), None)
    if pivot is None:
        return problem
    parts = size.split(pivot)
    assert parts is not None
    back = (sym(_SIZE) - parts.get(0, Expr({}))) * int(parts[1].constant or 1)
    changing = {s for step in steps for s, e in step.items() if e != sym(s)}
    passed = {s for s in steps[0] if s not in changing}

    def over_size(e: Expr, known: Facts) -> dict[int, Expr]:
        found = simplify(e, known).substitute({pivot: back})
        shape = found.split(_SIZE)
        if shape is None or set(shape) - {0, 1} or any(
                s in arguments and s not in passed for s in found.symbols):
            raise TooComplex
        return shape

    def added(e: Expr) -> Expr:
        inner = over_size(e, facts)
        leaf = over_size(e, Facts([-condition.arg - 1]))
        if 1 in leaf:
            raise TooComplex
        s = maximum(1, size)
        level = ceil_log(2, s)
        zero = Expr({})
        return inner.get(1, zero) * (s * level - power(2, level) + s) + inner.get(0, zero) * (s - 1) + leaf.get(0, zero) * s

    def total(q: Quantity) -> Quantity:
        if any(not n.symbols.isdisjoint(changing) for n in q.needs):
            return unknown(f"{name} calls itself, and what its counts need has no common form")
        return _checked(name, q, replace(q.mapped(added), needs=q.needs | needs))
    return Recursion(total)


def _residual(e: Expr) -> Expr:
    """One form for equal formulas: in floor(x / d) all coefficients are taken modulo d."""
    def change(a: Atom) -> Expr:
        divisor = a.den.constant if isinstance(a, Floor) else None
        if not isinstance(a, Floor) or not isinstance(divisor, int) or divisor < 2 or not is_integer(a.num):
            return from_atom(a)
        outside = Expr({m: q for m, c in a.num.terms.items() if (q := math.floor(c) // divisor)})
        return outside + floor_div(a.num - outside * divisor, divisor)
    return e.map_atoms(change)


def _checked(name: str, before: Quantity, after: Quantity) -> Quantity:
    """Says why where the sum over all activations has no form."""
    if after.formula is None and before.formula is not None:
        return unknown(f"{name} calls itself, and the sum over its calls has no closed form")
    return after
