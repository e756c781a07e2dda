"""Readable names for the internal symbols of an analysis, the same name for the same symbol everywhere."""

from __future__ import annotations

import keyword
import re
from itertools import count

from .budget import OverBudget, budget
from .containers import SIZE
from .count import Count, Kind, Opaque
from .expr import LOADED, Atom, Expr, Facts, Loaded, Sum, Sym, TooComplex, from_atom, simplify, sym
from .opaque import is_internal
from .program import Program
from .quantity import Quantity
from .summation import with_divisors_guarded

_ARGUMENT = re.compile(r"%(?P<function>.+)\.arg#(?P<at>\d+)$")
_RESERVED = frozenset("floor ceiling Max Min log sqrt Mod Piecewise Sum True False E I N O Q S C pi".split())
_INDICES = ("i", "j", "k", "l", "r", "s")


class Naming:
    """Turns quantities over internal symbols into counts over readable ones."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._names: dict[str, str] = {}
        self._taken: set[str] = set(program.parameters.values()) | _RESERVED
        self._meanings: dict[str, Opaque] = {}
        self._next: dict[tuple[str, bool], int] = {}
        # names stay, hence what was written in them once
        self._atoms: dict[Atom, Expr | None] = {}
        self._exprs: dict[Expr, Expr] = {}
        self._needs: dict[Expr, str] = {}

    def name(self, symbol: str) -> str:
        """The readable name of a symbol; program parameters keep theirs."""
        if symbol in self._names:
            return self._names[symbol]
        if not is_internal(symbol):
            return symbol
        info = self._program.opaques.get(symbol)
        argument = _ARGUMENT.match(symbol)
        meaning, at = f"value {symbol}", ""
        if info is not None:
            base, meaning, at = self._filled(info.name, info.inside), self._filled(info.meaning, info.inside), info.at
        elif argument and argument.group("function") in self._program.defined:
            view = self._program.view(argument.group("function"))
            base = view.parameter_names[int(argument.group("at"))]
            meaning = f"argument {base} of {view.function.name}"
        elif symbol.startswith("%i."):
            base = next((i for i in _INDICES if i not in self._taken), "i")
        else:
            base = symbol.strip("%@")
        # t and f always carry a number, since there are many of them
        return self._choose(symbol, re.sub(r"\W+", "_", base).strip("_") or "v", meaning, at,
                            numbered=info is not None and info.kind in ("mean", "fraction"))

    def _choose(self, symbol: str, base: str, meaning: str, at: str, *, numbered: bool = False) -> str:
        """A name that is not taken yet."""
        if keyword.iskeyword(base) or base[0].isdigit():
            base = f"v_{base}"
        # names are never given back: the search goes on where it ended the last time
        first = self._next.get((base, numbered), 1)
        form = f"{base}{{}}" if numbered else f"{base}_{{}}"
        number, chosen = next((n, c) for n in count(first)
                              if (c := base if n == 1 and not numbered else form.format(n)) not in self._taken)
        self._next[base, numbered] = number + 1
        self._taken.add(chosen)
        self._names[symbol] = chosen
        self._meanings[symbol] = Opaque(chosen, meaning, at)
        return chosen

    def expr(self, e: Expr) -> Expr:
        """The formula over readable names."""
        found = self._exprs.get(e)
        if found is None:
            found = self._exprs[e] = e.map_atoms(self._atom, self._atoms)
        return found

    def readable(self, e: Expr) -> Expr:
        """As `expr`, for parameters that are not negative: a quotient is then the floor that people read in n/p."""
        return simplify(self.expr(e), Facts([sym(name) for name in self._program.parameters.values()]))

    def _atom(self, a: Atom) -> Expr:
        if isinstance(a, Sym):
            return sym(self.name(a.name))
        if isinstance(a, Loaded):
            return sym(self._loaded(a))
        if not any(map(is_internal, _all_symbols(a))):
            return from_atom(a)
        if isinstance(a, Sum):
            return from_atom(Sum(self.expr(a.body), self.name(a.index), self.expr(a.count)))
        return a.rebuild(tuple(self.expr(p) for p in a.parts))

    def _filled(self, text: str, inside: tuple[Expr, ...]) -> str:
        """A source expression with its indices written out."""
        for at, e in enumerate(inside):
            text = text.replace(f"{{{at}}}", str(self.readable(e)))
        return text

    def _loaded(self, a: Loaded) -> str:
        """The name of a value from memory: `n` for s->n, `rowptr_i` for rowptr[i]."""
        if a.key not in self._names:
            text = self._filled(a.text, a.inside)
            base = re.sub(r"\W+", "_", text.replace("->", ".").rsplit(".", 1)[-1]).strip("_") or "v"
            meaning = f"{text.removesuffix('_size')}.size()" if a.kind == SIZE else f"value loaded from {text or 'memory'}"
            self._choose(a.key, base, meaning, "")
        return self._names[a.key]

    def need(self, e: Expr) -> str:
        """e >= 0, written with the number on the right."""
        found = self._needs.get(e)
        if found is None:
            constant = e.terms.get((), 0)
            rest = self.expr(e - constant)
            found = self._needs[e] = f"{-rest} <= {constant}" if all(c < 0 for c in rest.terms.values()) \
                else f"{rest} >= {-constant}"
        return found

    def count(self, q: Quantity, extra: frozenset[str] = frozenset()) -> Count:
        """The count that a quantity is."""
        try:
            with budget(self._program.seconds):
                return self._count(q, extra)
        except TooComplex:
            return Count.unknown("the formula would be too long")
        except OverBudget:
            return Count.unknown(f"its count takes longer than {self._program.seconds:g} s")

    def _count(self, q: Quantity, extra: frozenset[str]) -> Count:
        parameters = set(self._program.parameters.values())
        ordered = sorted(q.needs, key=str)  # names are given in this order, which must not be that of a set
        assumptions = sorted({self.need(n) for n in ordered} | q.notes | extra | self._program.assumed)
        needs = tuple(sorted((self.expr(n) for n in ordered), key=str))
        facts = Facts(q.needs)

        def written(e: Expr) -> Expr:
            return self.expr(with_divisors_guarded(e, facts))
        lower = written(q.lower) if q.lower.symbols <= parameters else None
        upper = written(q.upper) if q.upper is not None and q.upper.symbols <= parameters else None
        if q.formula is None:
            kind: Kind = "bounded" if upper is not None else "unknown"
            return Count(kind, None, lower, upper, (), tuple(assumptions), q.reason or "no formula was found",
                         needs)
        formula = written(q.formula)
        foreign = sorted(s for s in q.formula.symbols if s not in parameters)
        if not foreign:
            return Count("exact", formula, formula, formula, (), tuple(assumptions), needs=needs)
        opaque = tuple(self._meanings[s] for s in foreign if s in self._meanings)
        infos = [self._program.opaques.get(s) for s in foreign]
        held = sorted({self.name(i.symbol) for i in infos if i is not None and i.kind == "value" and i.symbol != LOADED})
        kept = tuple(f"{name} has one value wherever it is used" for name in held)
        kept += tuple(sorted(f"{outside} does not write {self.name(s)}" for s in foreign
                             for outside in self._program.memory.assumed.get(s, ())))
        reason = q.reason or "it contains " + ", ".join(o.meaning for o in opaque[:3])
        return Count("parametric", formula, lower, upper, opaque, (*assumptions, *kept), reason, needs)


def _all_symbols(a: Atom) -> set[str]:
    """Free symbols and bound indices."""
    return {*a.symbols, *(inner.index for inner in from_atom(a).all_atoms() if isinstance(inner, Sum))}


__all__ = ["Naming"]
