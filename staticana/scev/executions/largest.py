"""Bounds over what differs between the iterations of a loop, by the largest or the smallest of it
in a run.

A loop of n - i iterations whose n and i data decide runs no more often in all than it is entered
times the largest n - i. Someone who runs the program sees that number, as the length of a list.
"""

from __future__ import annotations

from ...expr import Expr, Extremum, Loaded, from_atom, is_nonnegative, symbols
from ...expr.polynomial import Atom
from ..context import FunctionContext
from ..rising import falls_with, rises_with
from ..unknowns import EXTREMES, LARGEST, SMALLEST, UnknownInfo, loaded_from


def with_largest(view: FunctionContext, e: Expr, varying: frozenset[str], index: str) -> Expr:
    """A bound with the largest one of each of the symbols, and of what is read where the iteration
    number says, where it rises with them; else with the largest of the sides of its maxima that
    hold them, else with the smallest one of what it falls with. The formula as it is where that is
    no bound."""
    moving = _moving(e, varying, index)
    if not moving:
        return e
    if not all(rises_with(e, a.key) for a in moving):
        found = _with_largest_sides(view, e, frozenset(m.key for m in moving), index)
        if found != e:
            return found
    extremes: dict[str, Expr] = {}
    for a in moving:
        which = LARGEST if rises_with(e, a.key) else SMALLEST if falls_with(e, a.key) else None
        extreme = None if which is None else _extreme(view, a, which)
        if extreme is None:
            return e
        extremes[a.key] = extreme
    return _put(e, extremes)


def _moving(e: Expr, varying: frozenset[str], index: str) -> list[Atom]:
    """The values in a formula that differ between iterations."""
    found: dict[str, Atom] = {}
    work = sorted(e.atoms, key=lambda a: a.key)
    while work:
        a = work.pop()
        if a.key in varying or (
            isinstance(a, Loaded) and not a.symbols.isdisjoint({*varying, index})
        ):
            found[a.key] = a
        elif not isinstance(a, Loaded):
            work += [inner for p in a.parts for inner in sorted(p.atoms, key=lambda a: a.key)]
    return list(found.values())


def _put(e: Expr, values: dict[str, Expr]) -> Expr:
    """Replace symbols and values from memory."""

    def change(a: Atom) -> Expr:
        if a.key in values:
            return values[a.key]
        parts = tuple(_put(p, values) for p in a.parts)
        return from_atom(a) if isinstance(a, Loaded) or parts == a.parts else a.rebuild(parts)

    return e.map_atoms(change)


def largest(view: FunctionContext, a: Atom) -> Expr | None:
    """The largest one of a value in a run."""
    return _extreme(view, a, LARGEST)


def _extreme(view: FunctionContext, a: Atom, which: str) -> Expr | None:
    """The largest or the smallest one of a value in a run."""
    if not isinstance(a, Loaded):
        unknowns = view.program.unknowns
        return unknowns.extreme(a.key, view.function, ("value", "variable"), which)
    text = view.program.memory.text_of(a)
    return _named(view, a.key, text, loaded_from(text), a.inside, which) if text else None


def _with_largest_sides(view: FunctionContext, e: Expr, moving: frozenset[str], index: str) -> Expr:
    """The bound with the largest one of each side of a maximum that differs; the formula as it is
    where it does not rise with them."""

    def differs(a: Atom) -> bool:
        return any(inner.key in moving for inner in from_atom(a).all_atoms())

    for m, c in e.terms.items():
        if any(differs(a) for a, _ in m) and not (
            c > 0
            and all(n > 0 and is_nonnegative(from_atom(a)) for a, n in m)
            and all(isinstance(a, Extremum) and index not in a.symbols for a, _ in m if differs(a))
        ):
            return e

    def change(a: Atom) -> Expr:
        if not differs(a):
            return from_atom(a)
        return a.rebuild(
            tuple(_largest_side(view, p) if any(map(differs, p.atoms)) else p for p in a.parts)
        )

    return e.map_atoms(change)


def _largest_side(view: FunctionContext, side: Expr) -> Expr:
    number = side.terms.get((), 0)
    rest = side - number
    return _named(view, str(rest), "{0}", "{0}", (rest,)) + number


def _named(
    view: FunctionContext,
    key: str,
    name: str,
    meaning: str,
    inside: tuple[Expr, ...],
    which: str = LARGEST,
) -> Expr:
    return view.program.unknowns.add(
        UnknownInfo(
            symbols.unknown(view.function.name, which.strip(), key),
            "value",
            f"{EXTREMES[which]} {name}",
            which + meaning,
            "",
            view.function.name,
            view.function.entry.name,
            inside,
        )
    )
