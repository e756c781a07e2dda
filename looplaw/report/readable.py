"""Formulas for people: conditions behind the formula instead of in every term.

A count holds for all integers, so that its text is full of Max(0, n) and of Piecewise. A person
writes n and, beside it, `if n >= 0`. Both say the same wherever the condition holds; what happens
elsewhere is in the formula that programs read.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

from looplaw_common.formula.formula import parse_formula
from looplaw_common.formula.tree import Call, Cases, Name, Node, Number, Summation, walk
from modeling import InputError
from staticana.expr import (
    ZERO,
    Assumptions,
    Atom,
    CLog,
    Expr,
    Extremum,
    Floor,
    Pow,
    Root,
    Step,
    Sum,
    Sym,
    TooComplex,
    Trunc,
    floor_div,
    from_atom,
    guarded,
    is_nonnegative,
    simplify,
    sym,
)

from ..laws.formula_reading import NotWritten, exact_tree
from .formula_writer import Clamped, IsZero, equality, linear_factors, relation, written
from .formulas import IF

_MAX_CHARS = 20_000
"""Longer formulas are shown as they are."""
_MOST_NODES = 3000
_LARGEST_BOUND = 8
"""Max(0, n - c) is written n - c, with n >= c beside it, for c up to this: sizes at which nobody
runs a program. A larger c is a size that matters, such as that of a cache block."""
_MOST_STEPS = 5
"""Conditions whose combinations are tried."""
_FEW_NAMES = 2
"""Symbols with one bound that have a condition each; more share one: a, b, c >= 0."""
_MOST_CASES = 4
"""Values of a formula that are told apart by their conditions."""
_SHORT, _MORE = 72, 0.5
"""Cases that are written whatever their length, and how much longer than a formula with
indicators, [n >= 1], the others may be."""


@dataclass(frozen=True)
class Readable:
    """formula: as people write it; conditions: where it is what the formula for programs is."""

    formula: str
    conditions: tuple[str, ...] = ()

    def __str__(self) -> str:
        if not self.conditions:
            return self.formula
        inside = f"({self.formula})" if " if " in self.formula else self.formula
        return f"{inside}{IF}{', '.join(self.conditions)}"


class _Unreadable(Exception):
    """The formula has a shape that people have no better text for."""


@lru_cache(maxsize=4096)
def readable(text: str) -> Readable | None:
    """A formula of the analysis as people write it; None where it is no formula, or one without a
    better text."""
    if len(text) > _MAX_CHARS:
        return None
    try:
        tree = parse_formula(text).tree
        if isinstance(tree, (Name, Number)) or sum(1 for _ in walk(tree)) > _MOST_NODES:
            return None
        found = _of(exact_tree(tree))
    except (InputError, NotWritten, TooComplex, _Unreadable, ZeroDivisionError):
        return None
    if _has_guards(tree):
        return found
    # log(n, 2), say, was written without a guard because none is needed
    return Readable(found.formula) if len(found.formula) <= len(text) else None


def _has_guards(tree: Node) -> bool:
    return any(
        isinstance(node, (Cases, Summation)) or (isinstance(node, Call) and node.function == "Max")
        for node, _ in walk(tree)
    )


def _of(e: Expr) -> Readable:
    rest, conditions = guarded(e)
    domain = _Domain()
    for c in conditions:
        domain.require(c)
    rest = domain.stripped(rest, outside=True)
    rest = simplify(rest, domain.assumptions)
    more, inner = guarded(rest)
    for c in inner:
        domain.require(c)
    value, literals = _cases(more, domain.assumptions)
    domain.relax(e, more)
    return Readable(value, (*domain.texts(), *literals))


# -- where the formula holds
@dataclass
class _Domain:
    """Conditions that are collected while guards are taken out of a formula."""

    lower: dict[str, int] = field(default_factory=dict)  # symbol -> least value
    others: list[Expr] = field(default_factory=list)  # >= 0

    @property
    def assumptions(self) -> Assumptions:
        bounds = [sym(name) - least for name, least in self.lower.items()]
        return Assumptions([*bounds, *self.others])

    def require(self, condition: Expr) -> None:
        """Condition >= 0 holds, by bounds of symbols where they say the same."""
        bounds = _bounds(condition)
        if bounds is None:
            self.others.append(condition)
        else:
            self._add(bounds)

    def _add(self, bounds: Mapping[str, int]) -> None:
        for name, least in bounds.items():
            self.lower[name] = max(least, self.lower.get(name, least))

    def stripped(
        self, e: Expr, *, outside: bool = False, index: frozenset[str] = frozenset()
    ) -> Expr:
        """The formula without Max(0, x) whose condition can stand beside it.

        outside: this is the whole formula, hence 0 where a Max(0, x) is that all terms share: its
        condition may then be any. index: variables of sums around, of which no condition can speak.
        """
        shared = {a for a, _ in e.common_factor()[0]} if outside else set()

        def change(a: Atom) -> Expr:
            if a.is_symbol:
                return from_atom(a)
            if isinstance(a, Sum):
                inner = index | {a.index}
                return a.rebuild(
                    (self.stripped(a.body, index=inner), self.stripped(a.count, index=index))
                )
            parts = [self.stripped(p, index=index) for p in a.parts]
            whole = a in shared
            if isinstance(a, Extremum) and not a.is_least and len(parts) == 2:
                return self._maximum(a, parts, whole, index)
            if isinstance(a, CLog):
                if not self._holds(parts[0] - 1, whole, index):
                    raise _Unreadable
            elif isinstance(a, Root):
                if not self._holds(parts[0], whole, index):
                    parts = [from_atom(Clamped(parts[0]))]
            elif isinstance(a, Trunc):
                if not self._holds(parts[0], whole, index):
                    raise _Unreadable
                return floor_div(parts[0], parts[1])
            elif not isinstance(a, (Sym, Extremum, Floor, Pow, Step, Clamped)):
                raise _Unreadable
            return a.rebuild(tuple(parts))

        return e.map_atoms(change)

    def _maximum(
        self, a: Extremum, parts: Sequence[Expr], whole: bool, index: frozenset[str]
    ) -> Expr:
        least = next((p for p in parts if p.constant is not None), None)
        if least is None:
            return a.rebuild(tuple(parts))
        other = parts[1] if least is parts[0] else parts[0]
        if self._holds(other - least, whole and least == 0, index):
            return other
        return a.rebuild(tuple(parts))

    def _holds(self, condition: Expr, whole: bool, index: frozenset[str]) -> bool:
        """Can condition >= 0 stand beside the formula? It is then added."""
        if is_nonnegative(condition, self.assumptions):
            return True
        if condition.symbols & index:
            return False
        bounds = _bounds(condition)
        if bounds is None:
            if whole and not _has_shapes(condition):
                self.others.append(condition)
                return True
            return False
        if not whole and max(bounds.values(), default=0) > _LARGEST_BOUND:
            return False
        self._add(bounds)
        return True

    def relax(self, e: Expr, stripped: Expr) -> None:
        """Lower the bounds by one where the formula is 0 there, with its guards and without them:
        n - 1 if n >= 2 is n - 1 if n >= 1."""
        if stripped.has(CLog):
            return
        for name, least in self.lower.items():
            below = {name: ZERO + (least - 1)}
            if least > 0 and not e.substitute(below) and not stripped.substitute(below):
                self.lower[name] = least - 1

    def texts(self) -> list[str]:
        alike: dict[int, list[str]] = {}
        for name, least in sorted(self.lower.items()):
            alike.setdefault(least, []).append(name)
        found = [
            text
            for least, names in alike.items()
            for text in (
                [f"{', '.join(names)} >= {least}"]
                if len(names) > _FEW_NAMES
                else [f"{name} >= {least}" for name in names]
            )
        ]
        kept: list[Expr] = []
        bounds = [sym(name) - least for name, least in self.lower.items()]
        for k, c in enumerate(self.others):
            known = Assumptions([*bounds, *kept, *self.others[k + 1 :]])
            if not is_nonnegative(c, known):
                kept.append(c)
        return found + list(dict.fromkeys(map(relation, kept)))


def _has_shapes(e: Expr) -> bool:
    """Is there more in it than symbols and their products?"""
    return any(not a.is_symbol for a in e.atoms)


def _bounds(e: Expr) -> dict[str, int] | None:
    """Least values of symbols under which e >= 0, and without which it is mostly not; None where
    there are none."""
    e = e * e.denominator
    atom = e.atom
    if isinstance(atom, Floor) and (atom.den.constant or 0) > 0:
        return _bounds(atom.num)
    if isinstance(atom, Extremum) and atom.is_least:
        return _all_bounds(atom.args)
    if _has_shapes(e):
        return None
    common, rest = e.common_factor()
    factors = [sym(a.key) for a, n in common if n % 2]
    linear, rest = linear_factors(rest)
    factors += [f for f, n in linear if n % 2]
    if rest.constant is not None and rest.constant < 0:
        return None
    if rest.constant is None:
        factors.append(rest)
    if len(factors) == 1 and len(factors[0].symbols) == 1:
        return _least(factors[0])
    if len(factors) == 1:
        return _of_positive(factors[0])
    return _all_bounds(factors)


def _all_bounds(parts: Iterable[Expr]) -> dict[str, int] | None:
    """The bounds that all of the formulas need."""
    found: dict[str, int] = {}
    for p in parts:
        bounds = _bounds(p)
        if bounds is None:
            return None
        for name, least in bounds.items():
            found[name] = max(least, found.get(name, least))
    return found


def _of_positive(e: Expr) -> dict[str, int] | None:
    """All symbols at least 0 where no coefficient is negative."""
    if all(c >= 0 for c in e.terms.values()):
        return dict.fromkeys(sorted(e.symbols), 0)
    return None


def _least(e: Expr) -> dict[str, int] | None:
    """The least value of the only symbol from which on a polynomial is >= 0."""
    (name,) = e.symbols
    coefficients = e.split(name)
    if coefficients is None:
        return None
    numbers = {k: Fraction(c.constant or 0) for k, c in coefficients.items()}
    if max(numbers) == 1:
        slope, offset = numbers[1], numbers.get(0, Fraction(0))
        return {name: math.ceil(-offset / slope)} if slope > 0 else None
    for least in range(-_LARGEST_BOUND, 8 * _LARGEST_BOUND + 1):
        shifted = e.substitute({name: sym(name) + least})
        if all(c >= 0 for c in shifted.terms.values()):
            return {name: least}
    return None


# -- cases
@dataclass(frozen=True)
class _Case:
    """The formula `value` where every one of the steps is as `holds` says."""

    holds: tuple[bool, ...]
    value: Expr


def _cases(e: Expr, assumptions: Assumptions) -> tuple[str, tuple[str, ...]]:
    """(text, conditions outside of which it is 0) of a formula with indicators."""
    plain = written(_paired(e))
    indices = {a.index for a in e.all_atoms() if isinstance(a, Sum)}
    steps = sorted(
        a for a in e.all_atoms() if isinstance(a, Step) and indices.isdisjoint(a.arg.symbols)
    )
    if not steps or len(steps) > _MOST_STEPS:
        return plain, ()
    cases = _possible(e, steps, assumptions, [])
    values = list(dict.fromkeys(c.value for c in cases))
    for value in values if len(values) == 2 and ZERO in values else ():
        literals = _described(cases, value, steps, assumptions) if value else None
        if literals is not None:
            return written(value), literals
    chain = _chain(cases, steps, assumptions)
    if chain is None or len(chain) > max(_SHORT, (1 + _MORE) * len(plain)):
        return plain, ()
    return chain, ()


def _chain(cases: Sequence[_Case], steps: Sequence[Step], assumptions: Assumptions) -> str | None:
    """`a if n < 2, b if n < 5, else c`: the case with the fewest conditions first, of several that
    of small values; None where some case has no conditions of its own."""
    said, are_many = list[str](), len({c.value for c in cases}) > 2
    while len(values := list(dict.fromkeys(c.value for c in cases))) > 1:
        values = values[::-1] if are_many else values
        described = [(v, _described(cases, v, steps, assumptions)) for v in values]
        told = [(v, literals) for v, literals in described if literals is not None]
        if len(said) + len(values) > _MOST_CASES or not told:
            return None
        value, literals = min(told, key=lambda d: (len(d[1]), bool(d[0])))
        said.append(f"{written(value)} if {' and '.join(literals)}")
        cases = [c for c in cases if c.value != value]
    last = written(values[0])
    return f"{', '.join(said)}, else {last}" if said else last


def _possible(
    e: Expr, steps: Sequence[Step], assumptions: Assumptions, chosen: list[bool]
) -> list[_Case]:
    """The formula in every combination of the steps that can occur."""
    if len(chosen) == len(steps):
        return [_Case(tuple(chosen), e)]
    a = steps[len(chosen)]
    found = []
    for holds, fact in ((True, a.arg), (False, -a.arg - 1)):
        if is_nonnegative(-fact - 1, assumptions):
            continue
        inside = assumptions.plus(fact)
        rest = simplify(e, inside)
        if not holds and (pinned := _pinned(a, assumptions)) is not None:
            rest = simplify(rest.substitute({pinned[0]: ZERO + pinned[1]}), inside)
        found += _possible(rest, steps, inside, [*chosen, holds])
    return found


def _pinned(a: Step, assumptions: Assumptions) -> tuple[str, int] | None:
    """The symbol, and its only value, where the condition of a step fails."""
    bounds = _bounds(a.arg) or {}
    if len(bounds) != 1 or a.arg.symbols != bounds.keys():
        return None
    ((name, least),) = bounds.items()
    if a.arg != sym(name) - least or not is_nonnegative(sym(name) - (least - 1), assumptions):
        return None
    return name, least - 1


def _described(
    cases: Sequence[_Case], value: Expr, steps: Sequence[Step], assumptions: Assumptions
) -> tuple[str, ...] | None:
    """Conditions that hold together exactly where the formula has this value; None where there are
    no such ones."""
    inside = [c.holds for c in cases if c.value == value]
    outside = [c.holds for c in cases if c.value != value]
    fixed = {k: inside[0][k] for k in range(len(steps)) if len({h[k] for h in inside}) == 1}
    if any(all(h[k] is v for k, v in fixed.items()) for h in outside):
        different = _described_by_failure(inside, outside, steps)
        return None if different is None else (different,)
    for k in list(fixed):
        fewer = {j: v for j, v in fixed.items() if j != k}
        if not any(all(h[j] is v for j, v in fewer.items()) for h in outside):
            fixed = fewer
    return tuple(_literals(fixed, steps, assumptions))


def _described_by_failure(
    inside: Sequence[tuple[bool, ...]], outside: Sequence[tuple[bool, ...]], steps: Sequence[Step]
) -> str | None:
    """x != 0 where the value is another one only for x == 0."""
    fixed = {k: outside[0][k] for k in range(len(steps)) if len({h[k] for h in outside}) == 1}
    if any(all(h[k] is v for k, v in fixed.items()) for h in inside):
        return None
    for k in list(fixed):
        fewer = {j: v for j, v in fixed.items() if j != k}
        if not any(all(h[j] is v for j, v in fewer.items()) for h in inside):
            fixed = fewer
    same = _same(fixed, steps)
    if len(fixed) == 1:
        ((k, holds),) = fixed.items()
        return relation(steps[k].arg, fails=holds)
    return equality(same[0], fails=True) if same and len(fixed) == 2 else None


def _same(fixed: Mapping[int, bool], steps: Sequence[Step]) -> list[Expr]:
    """x of x >= 0 and not x - 1 >= 0: x is 0."""
    return [
        steps[k].arg
        for k, holds in fixed.items()
        for j, other in fixed.items()
        if holds and not other and steps[k].arg - steps[j].arg == 1
    ]


def _literals(
    fixed: Mapping[int, bool], steps: Sequence[Step], assumptions: Assumptions
) -> list[str]:
    same = _same(fixed, steps)
    said = {k for k in fixed if any(steps[k].arg in (x, x - 1) for x in same)}
    found = [equality(x) for x in same]
    for k, holds in fixed.items():
        if k in said:
            continue
        if not holds and (pinned := _pinned(steps[k], assumptions)) is not None:
            found.append(f"{pinned[0]} == {pinned[1]}")
        else:
            bounds = _bounds(steps[k].arg) if holds else None
            found += (
                [relation(steps[k].arg, fails=not holds)]
                if bounds is None
                else [f"{name} >= {least}" for name, least in bounds.items()]
            )
    return found


def _paired(e: Expr) -> Expr:
    """The indicator of x == 0 as one atom: [x >= 0] - [x >= 1]."""
    steps = sorted(a for a in e.atoms if isinstance(a, Step))
    by_argument = {a.arg: a for a in steps}
    for a in steps:
        above = by_argument.get(a.arg - 1)
        if above is None:
            continue
        without, times = e.by(a)
        rest, more = without.by(above)
        both, same = times + more, from_atom(IsZero(a.arg))
        if len(both.terms) < min(len(times.terms), len(more.terms)):
            e = rest + times * same + both * from_atom(above)
    return e
