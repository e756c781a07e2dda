"""Names for what only a run tells, and where data choose an element.

Values that are the same in all iterations become symbols; trip counts that differ get the symbol of
their mean, conditions that of their fraction, and subscripts choose at random in their object.
"""

from __future__ import annotations

import re

from ...expr import Atom, Expr, Floor, Loaded, Trunc, expr, floor_div, from_atom, sym, symbols
from ...interprocedural.program import Program
from ...naming import Naming
from ...scev.unknowns import UnknownInfo
from ..frames import Frame
from .nodes import Spread


class Unknowns:
    """What only a run tells of a program. meanings: symbol -> what it stands for; fractions: those
    of them that are fractions of cases."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.naming = Naming(program)
        self.meanings: dict[str, str] = {}
        self.fractions: set[str] = set()
        self._starts: dict[Atom, Expr] = {}

    def _symbol(self, letter: str, meaning: str) -> str:
        """The symbol of something that only a run tells, one for each meaning."""
        for name, known in self.meanings.items():
            if known == meaning:
                return name
        taken = sum(name.startswith(letter) for name in self.meanings)
        name = f"{letter}{taken + 1}"
        self.meanings[name] = meaning
        return name

    def mean_trips(self, at: str, trips: Expr | None) -> Expr:
        """The mean trip count of a loop at a place, whose formula depends on data.

        In `for (k = row[i]; k < row[i + 1]; k++)` row[i] is the mean times i: rows follow each
        other.
        """
        mean = sym(self._symbol("t", f"mean trip count of the loop at {at}"))
        loaded = [] if trips is None else [a for a in trips.all_atoms() if isinstance(a, Loaded)]
        if len(loaded) == 2:
            for one, other in (loaded, loaded[::-1]):
                for index in filter(symbols.is_iteration, sorted(one.address.symbols)):
                    if one.address.substitute({index: sym(index) + 1}) == other.address:
                        self._starts[one] = mean * sym(index)
                        self._starts[other] = mean * (sym(index) + 1)
        return mean

    def share(self, frame: Frame, share: Expr, at: str) -> tuple[Expr, bool]:
        """(share, is it a fraction that data decide?) of the cases that come to a place."""
        infos = [self.program.unknowns.get(s) for s in share.symbols]
        is_fraction = any(i is not None and i.kind == "fraction" for i in infos)
        if not is_fraction:
            share = self.settled(frame, share)
        if not is_fraction and not is_strange(share):
            return share, False
        name = self._symbol("f", f"fraction of the cases that come to {at}")
        self.fractions.add(name)
        return sym(name), True

    def settled(self, frame: Frame, e: Expr) -> Expr:
        """A formula with names for values that are the same in all iterations."""

        def change(a: Atom) -> Expr:
            if a in self._starts:
                return self._starts[a]
            if isinstance(a, Loaded) or (a.is_symbol and symbols.is_opaque(a)):
                if self._is_varying(frame, a):
                    return from_atom(a)
                name = self.naming.expr(from_atom(a))
                for symbol in name.symbols:
                    self.meanings.setdefault(symbol, "a value that only a run tells")
                return name
            if a.is_symbol or not any(map(symbols.is_opaque, a.symbols)):
                return from_atom(a)
            return a.rebuild(tuple(p.map_atoms(change) for p in a.parts))

        return e.map_atoms(change) if is_strange(e) else e

    def _is_varying(self, frame: Frame, a: Atom) -> bool:
        """May a value differ between iterations of the loops around?"""
        if isinstance(a, Loaded):
            return any(symbols.is_iteration(s) for s in a.symbols) or any(
                self._is_varying(frame, inner)
                for inner in a.address.all_atoms()
                if isinstance(inner, Loaded) or (inner.is_symbol and symbols.is_opaque(inner))
            )
        info = self.program.unknowns.get(str(a))
        if info is None or info.kind in ("mean", "fraction") or not info.function:
            return False
        return info.block in self.program.view(info.function).forest.innermost

    def chosen(
        self,
        frame: Frame,
        offset: Expr,
        size: int,
        extent: Expr | None,
        name: str,
        loops: list[str],
    ) -> tuple[Expr, Spread]:
        """An offset that depends on data: what is left without them, and how they choose.

        Args:
            extent: bytes of the object, None where not known. name: what the source calls it.
            loops: iteration numbers of all loops around, in callers too.
        """
        data = _data(offset)
        if extent is None:
            symbol = f"{re.sub(r'[^A-Za-z0-9_]', '_', name or 'object')}_bytes"
            self.meanings[symbol] = f"bytes of {name or 'an object'}"
            extent = sym(symbol)
        rest, step = offset.by(data[0]) if len(data) == 1 else (offset, expr(0))
        if len(data) != 1 or is_strange(rest) or is_strange(step) or not step:
            rest, step = expr(0), expr(size)
        if (number := step.constant) is not None and number < 0:
            step = -step
        infos = [self.program.unknowns.get(str(a)) for a in data if a.is_symbol]
        carried = [i for i in infos if i is not None and i.kind == "variable"]
        level = _halving(frame, offset, carried)
        seeds = _seeds(data, loops) if level is None else [s for s in map(sym, loops) if s != level]
        salt = sum(map(ord, " ".join(sorted(map(str, data))))) + 1
        count, unique = floor_div(extent, step), tuple(dict.fromkeys(seeds))
        return rest, Spread(count, step, unique, salt, level, bool(carried) and level is None)


def _seeds(data: list[Atom], loops: list[str]) -> list[Expr]:
    """What the values of data follow from: their addresses, else the iterations."""
    found: list[Expr] = []
    for a in data:
        if isinstance(a, Loaded) and not any(map(symbols.is_loaded, a.address.symbols)):
            plain = {s: expr(0) for s in a.address.symbols if symbols.is_opaque(s)}
            found.append(a.address.substitute(plain))
        else:
            found += [sym(s) for s in loops]
    return found


def _halving(frame: Frame, offset: Expr, carried: list[UnknownInfo]) -> Expr | None:
    """The number of the iteration, where an offset is the middle of a range that a loop makes
    smaller: a binary search. carried: the values that a loop hands on to its next iteration."""
    blocks = {i.block for i in carried}
    names = {i.symbol for i in carried}
    if len(names) != 2 or len(blocks) != 1 or not blocks <= frame.view.loops.keys():
        return None
    is_middle = any(
        isinstance(a, Floor | Trunc) and a.den.constant == 2 and names & a.num.symbols
        for a in offset.all_atoms()
    )
    return sym(frame.view.variables.index(blocks.pop())) if is_middle else None


def _data(e: Expr) -> list[Atom]:
    """The outermost atoms of a formula that are values from data."""
    found: dict[Atom, None] = {}
    for a in sorted(e.atoms):
        if isinstance(a, Loaded) or (a.is_symbol and symbols.is_opaque(a)):
            found[a] = None
        elif any(map(symbols.is_opaque, a.symbols)):
            for part in a.parts:
                found.update(dict.fromkeys(_data(part)))
    return list(found)


def is_strange(e: Expr) -> bool:
    """Does a formula depend on what is not known?"""
    return any(map(symbols.is_opaque, e.symbols))
