"""Symbols for what the compiler alone cannot know: loaded values, mean trip counts, branch
fractions, loop variables.

Inside the analysis every such symbol has a unique internal name (`expr.symbols`); readable names
are given when results are written (`naming`).
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace

from ..expr import NUMBER, Expr, sym, symbols
from ..ir.types import Function
from .rising import rises_with

MEAN_ITERATIONS = "mean iterations of the loop at "
"""How the meaning of iterations that differ between entries of a loop begins."""
ITERATIONS = "iterations of the loop at "
"""The same for a loop that a run enters at most once."""

WEIGHTED = "(weighted by the work inside)"
"""How the meaning of a mean ends that is one over what is counted, not over entries."""
LENGTH = "length of the string at "
"""How the meaning of a string's length begins."""
NODES = "nodes of the list at "
HEIGHT = "height of the tree at "
ELEMENTS = "elements of the array at "
"""How the meaning of a number of elements begins, from a pointer to the end of its object."""
CELLS = "elements of all rows of "
"""The same of all that is found through one array of pointers."""
BUT_THE_LAST = " but the last"
INPUT = " that are read at "
"""What the meaning of a number of inputs holds."""
LARGEST = "largest "
SMALLEST = "smallest "
"""How the meaning of the largest or the smallest of several values begins."""
EXTREMES = {LARGEST: "most", SMALLEST: "least"}
"""How their names begin."""
_NUMBER = re.compile(
    f"({LARGEST})?({LENGTH}|{NODES}|{HEIGHT}|{ELEMENTS}|{CELLS}|[a-z]+({BUT_THE_LAST})?{INPUT}"
    rf"|.+{re.escape(NUMBER)}$)|{ITERATIONS}"
)
_BY_DEFINITION = re.compile(
    f"{LARGEST}|{SMALLEST}|{NODES}|{HEIGHT}|[a-z]+({BUT_THE_LAST})?{INPUT}|{ITERATIONS}"
)
"""How the meaning begins of what has one value, since its meaning says so."""


def loaded_from(text: str) -> str:
    """The meaning of a value that is loaded, by its source expression."""
    return text if text.endswith(NUMBER) else f"value loaded from {text or 'memory'}"


NAMELESS = "v"
"""The name of a value that no variable of the source holds."""


@dataclass(frozen=True)
class UnknownInfo:
    """What a symbol stands for.

    kind: "value" (a value of the program), "variable" (a loop's variable), "mean" (mean over the
    executions of the place where it is used), "fraction" (of executions, between 0 and 1) or
    "guard" (1 where the run comes to a place that it comes to at most once, else 0).
    `function` and `block` say where it is set: it may differ between executions of that block.
    `type` is that of the value in IR, where it is known.
    `most`: what it is not larger than, provided that all of `needs` are >= 0.
    `name` and `meaning` may hold {0}, {1}, ... for the formulas `inside`: indices into an array.
    """

    symbol: str
    kind: str
    name: str
    meaning: str
    at: str
    function: str
    block: str
    inside: tuple[Expr, ...] = ()
    type: str = ""
    most: Expr | None = None
    needs: frozenset[Expr] = frozenset()

    @property
    def is_one(self) -> bool:
        """Has it one value in a run by what it means?"""
        return _BY_DEFINITION.match(self.meaning) is not None


class Unknowns:
    """The symbols that one analysis introduced, by internal name. base: those of an analysis that
    it rests on."""

    def __init__(self, base: Unknowns | None = None) -> None:
        self._base = base
        self._known: dict[str, UnknownInfo] = {}
        self._linear: set[str] = set()  # means and fractions
        self._factors: dict[Expr, int] = {}
        self._lent: list[tuple[Unknowns, set[str]]] = []

    def borrow(self, lender: Unknowns, functions: set[str]) -> None:
        """Know the symbols of these functions, too, as another analysis introduced them."""
        self._lent.append((lender, functions))

    def _borrowed(self, symbol: str) -> UnknownInfo | None:
        for lender, functions in self._lent:
            found = lender._known.get(symbol)
            if found is not None and found.function in functions:
                return found
        return None

    def add(self, info: UnknownInfo) -> Expr:
        """Register the symbol (the first description stays) and return it as a formula."""
        if info.symbol not in self._known:
            self._known[info.symbol] = info
            if info.kind in ("mean", "fraction"):
                self._linear.add(info.symbol)
        return sym(info.symbol)

    def bound(self, symbol: Expr, most: Expr, needs: frozenset[Expr]) -> None:
        """Say of a symbol that was registered what it is not larger than."""
        name = next(iter(symbol.symbols))
        self._known[name] = replace(self._known[name], most=most, needs=needs)

    def call(self, symbol: str, name: str) -> None:
        """Give a symbol that was registered another name."""
        info = self.get(symbol)
        assert info is not None
        self._known[symbol] = replace(info, name=name)

    def get(self, symbol: str) -> UnknownInfo | None:
        found = self._known.get(symbol)
        if found is None and self._lent:
            found = self._borrowed(symbol)
        if found is None and self._base is not None:
            return self._base.get(symbol)
        if found is None and symbols.is_loaded(symbol):
            return _FROM_MEMORY
        return found

    def is_number(self, symbol: str) -> bool:
        """Is it a number of something: never negative?"""
        info = self.get(symbol)
        return info is not None and info.kind == "value" and _NUMBER.match(info.meaning) is not None

    def extreme(
        self,
        symbol: str,
        function: Function,
        kinds: Collection[str] = ("value",),
        which: str = LARGEST,
    ) -> Expr | None:
        """The largest or the smallest one of a value in a run; None for what is of none of these
        kinds, or not described."""
        info = self.get(symbol)
        if info is None or info.kind not in kinds or not info.function:
            return None
        if info.meaning.startswith(which):
            return sym(symbol)
        return self.add(
            replace(
                info,
                symbol=symbols.unknown(function.name, which.strip(), symbol),
                kind="value",
                name=f"{EXTREMES[which]} {info.name}",
                meaning=which + info.meaning.replace("loop variable", "value of"),
                function=function.name,
                block=function.entry.name,
            )
        )

    def at_most(self, e: Expr) -> tuple[Expr, frozenset[Expr]]:
        """A bound with the largest values that its symbols can have, where it rises with them, and
        what these need."""
        most: dict[str, Expr] = {}
        needs: frozenset[Expr] = frozenset()
        for s in e.symbols:
            info = self.get(s)
            if info is not None and info.most is not None and rises_with(e, s):
                most[s], needs = info.most, needs | info.needs
        return (e.substitute(most) if most else e), needs

    def has_linear(self, e: Expr) -> bool:
        """True when a mean or a fraction occurs, which may only multiply."""
        return bool(self._linear_in(e))

    def _linear_in(self, e: Expr) -> frozenset[str]:
        """The means and fractions of a formula."""
        own = e.symbols & self._linear
        if self._base is None:
            return own
        # a view of keys would go through all of them
        own |= {s for s in self._base._linear_in(e) if s not in self._known}
        if not self._lent:
            return own
        lent = {s: info for s in e.symbols if s not in self._known and (info := self._borrowed(s))}
        return (own - lent.keys()) | {s for s, i in lent.items() if i.kind in ("mean", "fraction")}

    def linear_factors(self, e: Expr) -> int:
        """The largest number of means and fractions in one product."""
        linear = self._linear_in(e)
        if len(linear) < 2:
            return len(linear)
        found = self._factors.get(e)
        if found is None:
            found = self._factors[e] = max(sum(n for a, n in m if a in linear) for m in e.terms)
        return found

    def linear_terms(self, e: Expr) -> int:
        """The number of terms with means and fractions."""
        if len(e.terms) < 2:
            return int(self.has_linear(e))
        linear = self._linear_in(e)
        return sum(any(not linear.isdisjoint(a.symbols) for a, _ in m) for m in e.terms)


_FROM_MEMORY = UnknownInfo(symbols.LOADED, "value", "v", "value loaded from memory", "", "", "")
"""Stands for every `Loaded`: fixed when a function is entered, hence in no block of any."""
