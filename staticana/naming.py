"""Readable names for the internal symbols of an analysis, the same name for the same symbol
everywhere."""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import count

from .address_differences import without_addresses
from .alias.packed_arguments import Piece
from .assumed import MOST_OUTSIDE, gathered, notes_of
from .closed_forms.divisor_guards import with_divisors_guarded
from .closed_forms.iteration_preconditions import excludes_all, is_refuted, strongest
from .closed_forms.sum_bounds import lower_bound, upper_bound
from .closed_forms.sums import summed_again
from .count import Count, Kind, Unknown
from .expr import (
    NO_ASSUMPTIONS,
    NUMBER,
    SIZE,
    ZERO,
    Assumptions,
    Atom,
    Expr,
    Loaded,
    Monomial,
    Sum,
    Sym,
    TooComplex,
    from_atom,
    simplify,
    sym,
    symbols,
    with_quotients_rounded_up,
    without_idle_guards,
)
from .expr.budget import Budget, OverBudget
from .expr.intervals import Ranges, interval
from .expr.parities import of_one_parity
from .guarded_formulas import of_its_guard, under_its_guards
from .interprocedural.program import Program
from .ir.demangling import with_source_names
from .ir.tokens import global_names
from .scev.bounded_count import BoundedCount
from .scev.source_names import THIS, last_part
from .scev.unknowns import ITERATIONS, UnknownInfo, loaded_from

Bound = Callable[[Expr, Assumptions], Expr | None]
_RESERVED = frozenset(
    "floor ceiling Max Min log sqrt Mod Piecewise Sum True False E I N O Q S C pi".split()
)
_INDICES = ("i", "j", "k", "l", "r", "s")
_LONGEST = 60
"""Characters of a name, before its number: that of a value may begin as a formula."""
_LINE = r"(?:\S*?:)?(\d+):\d+"
_COUNTED = (
    (re.compile(rf"iterations of the loop at {_LINE}"), "iterations"),
    (re.compile(rf"executions of {_LINE}"), "times"),
)
"""What a mean counts, and what it is called by: `iterations_45` is of the loop in line 45."""
_OF_PLACES = {"fraction": "share", "guard": "passes"}
"""What fractions, and symbols that say whether a run comes to a place, are called by."""


_NOWHERE = "what it rests on excludes itself, or that it runs: a value wraps around"


@dataclass(frozen=True)
class _Rests:
    """What is said of preconditions: whether they cannot hold, those that are left to hold in words
    and as formulas over readable names, what may be used where they hold, and their symbols."""

    is_refuted: bool
    texts: tuple[str, ...]
    written: tuple[Expr, ...]
    assumptions: Assumptions
    symbols: frozenset[str]


class Naming:
    """Turns quantities over internal symbols into counts over readable ones. `reserved`: names that
    only parameters may have."""

    def __init__(self, program: Program, reserved: Collection[str] = ()) -> None:
        self._program = program
        self._names: dict[str, str] = {}
        self._taken: set[str] = {*program.parameters.values(), *_RESERVED, *reserved}
        self._meanings: dict[str, Unknown] = {}
        self._next: dict[tuple[str, bool], int] = {}
        # names stay, hence what was written in them once
        self._atoms: dict[Atom, Expr | None] = {}
        self._monomials: dict[Monomial, Expr | None] = {}
        self._exprs: dict[Expr, Expr] = {}
        self._preconditions: dict[Expr, str] = {}
        self._rests: dict[frozenset[Expr], _Rests] = {}  # the same for many counts of a function
        self._placed: dict[Atom, Expr | None] = {}  # without addresses
        self._products: dict[tuple[str, ...], Expr] = {}  # of means and fractions
        self._one_mean: dict[Expr, Expr] = {}  # formula -> with one symbol for each of those
        self._unassumed = NO_ASSUMPTIONS
        self._shortened: dict[tuple[Assumptions, Expr], Expr] = {}
        # what runs of one base write alike
        self._shared = (program if program.base is None else program.base).shortened
        self._bounds: dict[tuple[Bound, Assumptions, Expr], Expr | None] = {}
        self._texts: dict[frozenset[str], tuple[str, ...]] = {}
        self._outside: dict[str, set[str]] = {}  # what is said of functions -> their names
        # counts that no value of the program decides; most operations of functions are alike
        self._plain: dict[tuple[BoundedCount, frozenset[str], int], Count] = {}

    def name(self, symbol: str) -> str:
        """The readable name of a symbol; program parameters keep theirs."""
        if symbol in self._names:
            return self._names[symbol]
        if not symbols.is_internal(symbol):
            return symbol
        info = self._program.unknowns.get(symbol)
        argument = symbols.as_argument(symbol)
        meaning, at = "", ""
        if info is not None:
            base, meaning, at = (
                self._filled(_called(info), info.inside),
                self._filled(info.meaning, info.inside),
                info.at,
            )
        elif argument is not None and argument.function in self._program.defined:
            view = self._program.view(argument.function)
            base = (
                view.parameter_names[argument.at]
                if argument.shift is None or argument.width is None
                else view.piece_name(Piece(argument.at, argument.shift, argument.width))
            )
            meaning = f"argument {base} of {view.function.name}"
        else:
            base, meaning = self._unplaced(symbol)
        # t, u and f, of no place, always carry a number, since there are many of them
        return self._choose(
            symbol,
            re.sub(r"\W+", "_", with_source_names(base)).strip("_")[:_LONGEST].rstrip("_") or "v",
            meaning,
            at,
            numbered=info is not None
            and info.kind in ("mean", "fraction", "guard")
            and len(base) == 1,
        )

    def _unplaced(self, symbol: str) -> tuple[str, str]:
        """(how its name begins, what it is) of a symbol that no place of the program defines. The
        names of registers and blocks are the compiler's, and say nothing to people."""
        if symbols.is_iteration(symbol):
            base = next((i for i in _INDICES if i not in self._taken), "i")
            return base, "the number of an iteration"
        name = symbols.global_name(symbol)
        text = symbols.as_constant(symbol)
        named = [name] if name is not None else global_names(text or "")
        if named:
            return f"address_of_{named[0]}", f"the address of {' and of '.join(named)}"
        if text in ("undef", "poison"):
            return "undefined", "a value that the program never sets"
        if text is not None:
            return "constant", "a constant that is no whole number"
        if symbol.startswith(symbols.ARGV):
            return "argv", "the words of the command line"
        return "v", "a value that nothing is known of"

    def _choose(
        self, symbol: str, base: str, meaning: str, at: str, *, numbered: bool = False
    ) -> str:
        """A name that is not taken yet."""
        if keyword.iskeyword(base) or hasattr(builtins, base) or base[0].isdigit():
            base = f"v_{base}"  # sympify reads `iter` as Python's function
        # names are never given back: the search goes on where it ended the last time
        first = self._next.get((base, numbered), 1)
        form = f"{base}{{}}" if numbered else f"{base}_{{}}"
        number, chosen = next(
            (n, c)
            for n in count(first)
            if (c := base if n == 1 and not numbered else form.format(n)) not in self._taken
        )
        self._next[base, numbered] = number + 1
        self._taken.add(chosen)
        self._names[symbol] = chosen
        self._meanings[symbol] = Unknown(chosen, with_source_names(meaning), with_source_names(at))
        return chosen

    def expr(self, e: Expr) -> Expr:
        """The formula over readable names."""
        found = self._exprs.get(e)
        if found is None:
            found = self._exprs[e] = e.map_atoms(self._atom, self._atoms, self._monomials)
        return found

    def readable(self, e: Expr) -> Expr:
        """As `expr`, for parameters that are not negative: a quotient is then the floor that people
        read in n/p."""
        return simplify(
            self.expr(e), Assumptions([sym(name) for name in self._program.parameters.values()])
        )

    def _atom(self, a: Atom) -> Expr:
        if isinstance(a, Sym):
            return sym(self.name(a.name))
        if isinstance(a, Loaded):
            return sym(self._loaded(a))
        if not any(map(symbols.is_internal, _all_symbols(a))):
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
            text = with_source_names(self._filled(self._program.memory.text_of(a), a.inside))
            is_unnamed = a.kind == SIZE and not a.text
            is_own = text.startswith((f"{THIS}.", f"{THIS}->"))
            owner = self._owner(a.address) if is_unnamed or is_own else None
            if owner is not None:
                text = owner + (NUMBER if is_unnamed else text.removeprefix(THIS))
            base = re.sub(r"\W+", "_", last_part(text)).strip("_") or "v"
            meaning = loaded_from(text)
            self._choose(a.key, base, meaning, "")
        return self._names[a.key]

    def _owner(self, address: Expr) -> str | None:
        """What holds a value at an address: an argument, a global, or what another value points
        to; None where that has no name of its own."""
        base = (address - address.terms.get((), 0)).atom
        if isinstance(base, Loaded):
            return self._filled(self._program.memory.text_of(base), base.inside) or None
        if not isinstance(base, Sym):
            return None
        argument = symbols.as_argument(base.name)
        if argument is None or argument.function not in self._program.defined:
            return symbols.global_name(base.name)
        name = self._program.view(argument.function).parameter_names[argument.at]
        return None if name == THIS else name

    def precondition(self, e: Expr) -> str:
        """e >= 0, written with the number on the right."""
        found = self._preconditions.get(e)
        if found is None:
            constant = e.terms.get((), 0)
            rest = self.expr(e - constant)
            found = self._preconditions[e] = (
                f"{-rest} <= {constant}"
                if all(c < 0 for c in rest.terms.values())
                else f"{rest} >= {-constant}"
            )
        return found

    def count(self, q: BoundedCount, extra: frozenset[str] = frozenset()) -> Count:
        """The count that a quantity is."""
        key = (q, extra, len(self._program.notes))  # to which notes are only added
        found = self._plain.get(key)
        if found is None:
            found = self._within(q, extra)
            if found.kind == "exact":
                self._plain[key] = found
        if self._program.strict and found.assumptions:
            return Count.unknown(f"it would rest on this: {found.assumptions[0]}")
        return found

    def _within(self, q: BoundedCount, extra: frozenset[str]) -> Count:
        if q.formula is not None and not q.formula.symbols and not q.preconditions:
            return self._count(q, extra)  # most counts: nothing that takes time
        try:
            with Budget(self._program.allowance.each, is_found=True):
                return self._count(q, extra)
        except TooComplex:
            return Count.unknown("the formula would be too long")
        except OverBudget:
            return Count.unknown(self._program.late())

    def _merged(self, e: Expr) -> Expr:
        """The formula with one named count for each product of means and fractions: nobody reads
        more of t1*f2*u3*n than how often that is."""
        if self._program.unknowns.linear_factors(e) < 2:
            return e
        if e not in self._one_mean:
            self._one_mean[e] = self._find_merged(e)
        return self._one_mean[e]

    def _find_merged(self, e: Expr) -> Expr:
        unknowns, result = self._program.unknowns, ZERO
        for monomial, coefficient in e.terms.items():
            infos = [
                info
                for a, n in monomial
                if n == 1
                and isinstance(a, Sym)
                and (info := unknowns.get(a.name)) is not None
                and info.kind in ("mean", "fraction")
            ]
            term = Expr({monomial: coefficient})
            if len(infos) > 1:
                several = {i.symbol for i in infos}
                rest = tuple((a, n) for a, n in monomial if a.key not in several)
                term = Expr({rest: coefficient}) * self._product(infos)
            result = result + term
        return result

    def _product(self, infos: Sequence[UnknownInfo]) -> Expr:
        """The symbol that stands for a product of means and fractions."""
        names = tuple(sorted(i.symbol for i in infos))
        if names not in self._products:
            self._products[names] = self._find_product(infos, names)
        return self._products[names]

    def _find_product(self, infos: Sequence[UnknownInfo], names: tuple[str, ...]) -> Expr:
        infos = sorted(infos, key=lambda i: (i.kind != "mean", i.meaning))
        inner = max(infos, key=lambda i: (_called(i).startswith("times"), i.kind == "fraction"))
        meaning = " times ".join(i.meaning.removeprefix("mean ") for i in infos)
        return self._program.unknowns.add(
            replace(
                inner,
                symbol=symbols.unknown("", "product", *names),
                kind="mean",
                name=_called(inner).replace("share_", "times_"),
                meaning=f"mean {meaning}",
            )
        )

    def _count(self, q: BoundedCount, extra: frozenset[str]) -> Count:
        q = without_addresses(self._program, q, self._placed)
        if q.formula is not None:
            merged = self._merged(q.formula)
            q = q if merged is q.formula else replace(q, formula=merged)
        needs = self._program.needs(q)
        rests = self._rests.get(needs)
        if rests is None:
            rests = self._rests[needs] = self._rests_on(needs)
        if rests.is_refuted:
            return Count.unknown(q.reason or _NOWHERE)
        words = self._program.words(q)
        said = (text for text, _ in words)
        texts = self._gathered(
            frozenset({*rests.texts, *said, *q.notes, *extra, *self._program.notes})
        )
        preconditions = (*rests.written, *(n for _, needed in words for n in needed))
        formula, lower, upper = self._written(q, rests.assumptions)
        if formula == ZERO != q.formula and rests.texts:
            return Count.unknown(q.reason or _NOWHERE)  # it says nothing where the loop runs
        parameters = set(self._program.parameters.values())
        lower, upper = (
            bound if _is_told(rests.symbols - parameters, found, bound, parameters) else None
            for found, bound in ((q.lower, lower), (q.upper, upper))
        )
        named = _symbols(
            q.lower if lower is not None else None, q.upper if upper is not None else None
        )
        told = self._unknowns(named - parameters)
        if formula is None or q.formula is None:
            kind: Kind = "bounded" if upper is not None else "unknown"
            reason = with_source_names(q.reason or "no formula was found")
            texts += self._of_values(sorted(named - parameters))
            return Count(kind, None, lower, upper, told, texts, reason, preconditions)
        foreign, what = sorted(q.formula.symbols - parameters), "contains"
        if not foreign:
            foreign, what = sorted(rests.symbols - parameters), "rests on"
        if not foreign:
            return Count("exact", formula, lower, upper, (), texts, preconditions=preconditions)
        opaque = self._unknowns(foreign)
        texts += self._of_values(sorted({*foreign, *(named - parameters)}))
        reason = with_source_names(
            q.reason or f"it {what} " + ", ".join(o.meaning for o in opaque[:3])
        )
        opaque = tuple(dict.fromkeys((*opaque, *told)))
        return Count("parametric", formula, lower, upper, opaque, texts, reason, preconditions)

    def _unknowns(self, found: Iterable[str]) -> tuple[Unknown, ...]:
        """What symbols stand for that have names."""
        return tuple(self._meanings[s] for s in sorted(found) if s in self._meanings)

    def _is_named(self, symbol: str) -> bool:
        """Does a symbol stand for one value of the program, which bounds may be written in?"""
        if symbols.as_argument(symbol) is not None or symbols.is_loaded(symbol):
            return True
        info = self._program.unknowns.get(symbol)
        return info is not None and info.kind == "value" and not info.meaning.startswith(ITERATIONS)

    def _gathered(self, texts: frozenset[str]) -> tuple[str, ...]:
        """What a count rests on, in order, with one line for many functions outside the program."""
        found = self._texts.get(texts)
        if found is None:
            found, among = gathered(texts)
            self._texts[texts] = found
            for said, names in among.items():
                self._outside.setdefault(said, set()).update(names)
        return found

    @property
    def notes(self) -> tuple[str, ...]:
        """What counts only number, by name."""
        return notes_of(self._outside)

    def _rests_on(self, preconditions: frozenset[Expr]) -> _Rests:
        """What counts with these preconditions say of them."""
        said = frozenset(n for n in preconditions if in_words(n) is not None)
        preconditions -= said
        # names are given in the order of the text, which must not be that of a set
        ordered = sorted({without_idle_guards(n) for n in preconditions}, key=str)
        divided = self._program.assumptions.plus(*ordered)
        ordered = sorted({with_quotients_rounded_up(n, divided) for n in ordered}, key=str)
        known = Ranges(self._program.range_of)
        ranges = {n: interval(n, known) for n in strongest(ordered)}
        left = [n for n, found in ranges.items() if found is None or found[0] < 0]
        never = any(found is not None and found[1] < 0 for found in ranges.values())
        assumptions = self._program.assumptions
        if never or any(is_refuted(n, assumptions) for n in left) or excludes_all(left):
            return _Rests(True, (), (), assumptions, frozenset())
        return _Rests(
            False,
            (*(self.precondition(n) for n in left), *sorted(w for n in said if (w := in_words(n)))),
            tuple(sorted((self.expr(n) for n in left), key=str)),
            assumptions.plus(*ordered),
            frozenset().union(*(n.symbols for n in left)),
        )

    def _written(
        self, q: BoundedCount, assumptions: Assumptions
    ) -> tuple[Expr | None, Expr | None, Expr | None]:
        """Formula, lower and upper bound over readable names; bounds only over parameters and
        values of the program."""
        parameters = set(self._program.parameters.values())

        def written(e: Expr) -> Expr:
            found = self._shortened.get((assumptions, e))
            if found is None:
                found = self._shortened[assumptions, e] = find(e)
            return found

        def find(e: Expr) -> Expr:
            numbers = [sym(s) for s in sorted(e.symbols) if self._program.unknowns.is_number(s)]
            known = [n for n in self._program.facts_of_parameters if n.symbols & e.symbols]
            if numbers or known:
                e = simplify(e, assumptions.plus(*numbers, *known))
            short = self._shared.get((assumptions, e))
            if short is None:
                short = self._shared[assumptions, e] = self._short(e, assumptions)
            return self.expr(short)

        formula = None if q.formula is None else written(q.formula)

        def closed(e: Expr | None, bound: Bound) -> Expr | None:
            """A bound without sums where there is one; a bound with sums is one, too."""
            if e is None or not all(s in parameters or self._is_named(s) for s in e.symbols):
                return None
            if formula is not None and e == q.formula and not e.has_sum:
                return formula
            key = bound, assumptions, e
            if key not in self._bounds:
                self._bounds[key] = bound(e, assumptions)
            found = self._bounds[key]
            return written(found if found is not None else e)

        return formula, closed(q.lower, lower_bound), closed(q.upper, upper_bound)

    def _short(self, e: Expr, assumptions: Assumptions) -> Expr:
        """A formula as it is written, over internal symbols."""
        short = of_its_guard(without_idle_guards(of_one_parity(summed_again(e, self._unassumed))))
        short = under_its_guards(short, assumptions, self._unassumed)
        return with_divisors_guarded(with_quotients_rounded_up(short, assumptions), assumptions)

    def _of_values(self, foreign: Sequence[str]) -> tuple[str, ...]:
        """What is taken for granted of the values among the symbols, in words."""
        infos = [self._program.unknowns.get(s) for s in foreign]
        held = sorted(
            {
                self.name(i.symbol)
                for i in infos
                if i is not None
                and i.kind == "value"
                and i.symbol != symbols.LOADED
                and not i.is_one
            }
        )
        spared: list[str] = []
        for s in foreign:
            outside = self._program.memory.assumed.get(s, ())
            if len(outside) > MOST_OUTSIDE:
                few = [f"{len(outside)} functions outside the program do"]
                self._outside.setdefault(f"not write {self.name(s)}", set()).update(outside)
            else:
                few = [f"{name} does" for name in outside]
            spared += [f"{they} not write {self.name(s)}" for they in few]
        return (*(f"{name} has one value wherever it is used" for name in held), *sorted(spared))


def _called(info: UnknownInfo) -> str:
    """The name of a symbol, by the line of what it counts where it has no other."""
    if len(info.name) != 1:
        return info.name
    if info.kind == "mean":
        for pattern, word in _COUNTED:
            found = pattern.search(info.meaning)
            if found:
                return f"{word}_{found[1]}"
    if info.kind in _OF_PLACES and (found := re.search(_LINE, info.at)):
        return f"{_OF_PLACES[info.kind]}_{found[1]}"
    return info.name


def _is_told(
    values: frozenset[str], found: Expr | None, bound: Expr | None, parameters: set[str]
) -> bool:
    """Can anybody tell whether a bound holds that rests on values of a run? Only where it names
    them itself, as it was found and as it is written."""
    if not values or found is None or bound is None:
        return True
    return values <= found.symbols and not bound.symbols <= parameters


def in_words(need: Expr) -> str | None:
    """The words that say what a count needs, where no formula does."""
    return next(iter(map(symbols.assumed_words, need.symbols)), None)


def _symbols(*formulas: Expr | None) -> frozenset[str]:
    """The symbols of these formulas."""
    return frozenset[str]().union(*(e.symbols for e in formulas if e is not None))


def _all_symbols(a: Atom) -> set[str]:
    """Free symbols and bound indices."""
    return {
        *a.symbols,
        *(inner.index for inner in from_atom(a).all_atoms() if isinstance(inner, Sum)),
    }


__all__ = ["Naming", "in_words"]
