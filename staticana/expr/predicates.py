"""Conditions of branches, as a small boolean algebra over formulas.

A literal is ``e >= 0``, ``e == 0`` or ``e != 0`` for an integer formula e. Where a condition cannot
be written so (it depends on data), it is `undecided`. `indicator` turns a condition into the
formula that is 1 where it holds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from .extrema import flag_in, step
from .polynomial import ONE, ZERO, Expr, expr
from .terms import Number


@dataclass(frozen=True, init=False)
class Cond:
    """`kind`: true, false, ge, eq, ne (of `arg`), and, or (of `parts`), undecided.

    `wraps` are the operands of an unsigned comparison, the one that must not be larger first, and
    the first number that they cannot hold: below zero the first becomes huge and fails it (where
    `negated`, it is the opposite that fails). Of signed numbers that may wrap around, too, with a
    fourth: what was added to both.
    """

    kind: str
    arg: Expr = ZERO
    parts: tuple[Cond, ...] = ()
    wraps: tuple[Expr, ...] = ()
    negated: bool = False

    def __init__(
        self,
        kind: str,
        arg: Expr = ZERO,
        parts: tuple[Cond, ...] = (),
        wraps: tuple[Expr, ...] = (),
        negated: bool = False,
    ) -> None:
        # in one step, not in one for each field as dataclasses do: they are made all the time
        fields = {"kind": kind, "arg": arg, "parts": parts, "wraps": wraps, "negated": negated}
        object.__setattr__(self, "__dict__", fields)

    def __hash__(self) -> int:
        """Kept, since conditions are asked for by each block behind them."""
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.kind, self.arg, self.parts, self.wraps, self.negated))

    def negate(self) -> Cond:
        """The condition that holds where this does not; of an undecided one, itself."""
        match self.kind:
            case "true":
                return FALSE
            case "false":
                return TRUE
            case "ge":
                opposite = literal("ge", -self.arg - 1, self.wraps)
                return replace(opposite, negated=not self.negated) if opposite.wraps else opposite
            case "eq":
                return Cond("ne", self.arg)
            case "ne":
                return Cond("eq", self.arg)
            case "and":
                return disjunction(*(p.negate() for p in self.parts))
            case "or":
                return conjunction(*(p.negate() for p in self.parts))
        return self

    @property
    def is_literal(self) -> bool:
        """Is it a comparison of one formula with 0?"""
        return self.kind in ("ge", "eq", "ne")

    @property
    def is_unsigned(self) -> bool:
        """Is it a comparison of unsigned numbers?"""
        return len(self.wraps) == 3

    @property
    def is_undecided(self) -> bool:
        """Is it, or a part of it, not written as a formula?"""
        return self.kind == "undecided" or any(p.is_undecided for p in self.parts)

    def formulas(self) -> tuple[Expr, ...]:
        """The formulas of all literals."""
        if self.parts:
            return tuple(e for p in self.parts for e in p.formulas())
        return (self.arg,) if self.is_literal else ()

    def substitute(self, values: Mapping[str, Expr]) -> Cond:
        """Replace symbols."""
        return self.map(lambda e: e.substitute(values))

    def map(self, change: Callable[[Expr], Expr]) -> Cond:
        """The condition with each of its formulas changed."""
        if self.parts:
            build = conjunction if self.kind == "and" else disjunction
            return build(*(p.map(change) for p in self.parts))
        if not self.is_literal:
            return self
        found = literal(self.kind, change(self.arg), tuple(map(change, self.wraps)))
        return replace(found, negated=self.negated) if found.wraps else found

    def indicator(self) -> Expr:
        """1 where the condition holds, else 0; not for undecided conditions."""
        match self.kind:
            case "true":
                return ONE
            case "false":
                return ZERO
            case "ge":
                return step(self.arg)
            case "eq":
                return step(self.arg) - step(self.arg - 1)
            case "ne":
                return 1 - step(self.arg) + step(self.arg - 1)
            case "and":
                product = ONE
                for p in self.parts:
                    product = product * p.indicator()
                return product
            case "or":
                return 1 - self.negate().indicator()
        raise ValueError("an undecided condition has no indicator")


TRUE, FALSE, UNDECIDED = Cond("true"), Cond("false"), Cond("undecided")


def literal(kind: str, arg: Expr, wraps: tuple[Expr, ...] = ()) -> Cond:
    """A literal, decided where its formula is a number."""
    value = arg.constant
    flag = flag_in(arg) if value is None else None
    if flag is not None:
        return _of_flag(kind, *flag)
    if value is None:
        if kind != "ge" and _is_never_zero(arg):
            return TRUE if kind == "ne" else FALSE
        return Cond(kind, arg, wraps=wraps)
    return TRUE if _holds(kind, value) else FALSE


def _holds(kind: str, value: Number) -> bool:
    return {"ge": value >= 0, "eq": value == 0, "ne": value != 0}[kind]


def _of_flag(kind: str, flag: Expr, when_set: Number, when_clear: Number) -> Cond:
    """A literal of a formula in which nothing but an indicator varies: what that stands for."""
    (steps,) = flag.terms
    is_set = conjunction(*(Cond("ge", a.parts[0]) for a, _ in steps))
    if _holds(kind, when_set):
        return TRUE if _holds(kind, when_clear) else is_set
    return is_set.negate() if _holds(kind, when_clear) else FALSE


def _is_never_zero(e: Expr) -> bool:
    """Do all terms but the constant share a divisor that it has not: 16*i + 8 is never 32?"""
    constant = e.terms.get((), 0)
    divisor = (e - constant).content
    return isinstance(constant, int) and divisor > 1 and constant % divisor != 0


def conjunction(*parts: Cond) -> Cond:
    """The condition that holds where all parts do."""
    return _combine("and", TRUE, FALSE, parts)


def disjunction(*parts: Cond) -> Cond:
    """The condition that holds where one of the parts does."""
    return _combine("or", FALSE, TRUE, parts)


def _combine(kind: str, neutral: Cond, absorbing: Cond, parts: tuple[Cond, ...]) -> Cond:
    """The parts under one operation, of which `neutral` changes nothing and `absorbing` decides
    all; each part once, without what the others make idle."""
    if any(p.kind == absorbing.kind for p in parts):
        return absorbing
    kept = [p for p in parts if p.kind != neutral.kind]
    if len(kept) < 2:  # as most are
        return kept[0] if kept else neutral
    flat = list(dict.fromkeys(q for p in kept for q in (p.parts if p.kind == kind else (p,))))
    if len(flat) == 1:
        return flat[0]
    if not any(p.parts for p in flat):
        return Cond(kind, parts=tuple(flat))
    literals = {(p.kind, p.arg) for p in flat if p.is_literal}
    short = [_without_opposites(p, literals) for p in flat]
    if short != flat:
        return _combine(kind, neutral, absorbing, tuple(short))
    return Cond(kind, parts=tuple(flat))


def _without_opposites(p: Cond, literals: set[tuple[str, Expr]]) -> Cond:
    """a or (not a and b) is a or b, which is what `a || b` means; a and (not a or b) is a and b.

    Args:
        literals: kind and formula of the comparisons beside the condition.
    """
    kept = tuple(q for q in p.parts if literals.isdisjoint(_opposites(q)))
    if len(kept) == len(p.parts):
        return p
    return conjunction(*kept) if p.kind == "and" else disjunction(*kept)


def _opposites(a: Cond) -> tuple[tuple[str, Expr], ...]:
    """Kind and formula of the comparisons that hold where this one does not."""
    match a.kind:
        case "ge":
            return (("ge", -a.arg - 1),)
        case "eq" | "ne":
            other = "ne" if a.kind == "eq" else "eq"
            return ((other, a.arg), (other, -a.arg))
    return ()


ADDRESS_BITS = 128
"""Bits of operands that are pointers: objects end before addresses wrap around (C11, 6.5.6), and no
run comes to the end of so many."""


_ORDERS = frozenset(sign + order for sign in "su" for order in ("lt", "le", "gt", "ge"))
"""Predicates of signed and unsigned comparisons in IR."""


def compare(predicate: str, a: Expr, b: Expr, bits: int = 64, *, may_wrap: bool = False) -> Cond:
    """The condition of an integer comparison `icmp`; unsigned ones assume operands that are not
    negative (see `wraps`), and that have so many bits. Signed numbers that `may_wrap` do so where
    they would as unsigned ones if 2**(bits - 1) were added to them."""
    if predicate in ("eq", "ne"):
        return literal(predicate, a - b)
    if predicate not in _ORDERS:
        return UNDECIDED
    # low is the one that must not be larger
    low, high = (a, b) if predicate[1] == "l" else (b, a)
    slack = high - low - 1 if predicate[2] == "t" else high - low
    if predicate[0] == "u":
        return literal("ge", slack, (low, high, expr(1 << bits)))
    found = literal("ge", slack)
    if not may_wrap or found.kind != "ge":
        return found
    half = expr(1 << (bits - 1))
    return replace(found, wraps=(low + half, high + half, half * 2, half))
