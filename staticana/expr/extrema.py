"""Maximum, minimum, and the indicator of e >= 0."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Self

from . import symbols
from .atoms import Atom, OfOne
from .integer_valued import is_integer
from .polynomial import ONE, ZERO, Expr, expr, from_atom
from .printing import format_expr, is_parity_hidden
from .proofs import NO_ASSUMPTIONS, Assumptions, is_nonnegative
from .terms import Number, number


class Extremum(Atom):
    """Max or Min of two or more formulas."""

    __slots__ = ("args", "kind")
    kind: str
    args: tuple[Expr, ...]

    def __new__(cls, kind: str, args: tuple[Expr, ...]) -> Self:
        return cls._of(f"{kind}({', '.join(map(str, args))})", kind=kind, args=args)

    @property
    def parts(self) -> tuple[Expr, ...]:
        return self.args

    def rebuild(self, parts: tuple[Expr, ...]) -> Expr:
        return maximum(*parts) if self.kind == "Max" else minimum(*parts)

    def written(self) -> str:
        return f"{self.kind}({', '.join(map(str, self.args))})"

    @property
    def alternatives(self) -> tuple[Expr, ...]:
        return self.args

    @property
    def is_least(self) -> bool:
        return self.kind == "Min"

    @property
    def is_parity_hidden(self) -> bool:
        return all(p.constant is not None or is_parity_hidden(p) for p in self.args)

    def never_negative(self, assumptions: Assumptions | None) -> bool:
        return (all if self.is_least else any)(is_nonnegative(p, assumptions) for p in self.args)

    def bounds(self, assumptions: Assumptions | None = None) -> Sequence[Expr]:
        return self._bounds

    @cached_property
    def _bounds(self) -> tuple[Expr, ...]:
        e = from_atom(self)
        return tuple(p - e if self.is_least else e - p for p in self.args)

    def where_positive(self) -> Expr | None:
        return (
            self.args[0] + self.args[1]
            if self.kind == "Max" and len(self.args) == 2 and ZERO in self.args
            else None
        )

    def evaluate(self, values: Mapping[str, Number]) -> Number:
        found = [a.evaluate(values) for a in self.args]
        return max(found) if self.kind == "Max" else min(found)


def maximum(*args: Expr | Number, assumptions: Assumptions | None = None) -> Expr:
    """Max; arguments that another one provably reaches are dropped."""
    return _extremum("Max", [expr(a) for a in args], assumptions)


def minimum(*args: Expr | Number, assumptions: Assumptions | None = None) -> Expr:
    """Min; arguments that another one provably undercuts are dropped."""
    return _extremum("Min", [expr(a) for a in args], assumptions)


def _extremum(kind: str, args: list[Expr], assumptions: Assumptions | None) -> Expr:
    if assumptions is None or not assumptions.known:
        return _plain_extremum(kind, tuple(args))
    return _reduced(kind, args, assumptions)


@lru_cache(maxsize=16384)
def _plain_extremum(kind: str, args: tuple[Expr, ...]) -> Expr:
    return _reduced(kind, list(args), None)


def forget_formulas() -> None:
    """Forget what was found for formulas of another program: values from memory that are equal
    there carry types of that program with them."""
    _plain_extremum.cache_clear()
    _plain_step.cache_clear()
    format_expr.cache_clear()
    NO_ASSUMPTIONS.forget()


def _reduced(kind: str, args: list[Expr], assumptions: Assumptions | None) -> Expr:
    """The extremum without the arguments that another one makes idle."""
    flat: list[Expr] = []
    for a in args:
        inner = a.atom
        flat.extend(inner.args if isinstance(inner, Extremum) and inner.kind == kind else [a])
    flat = list(dict.fromkeys(flat))
    kept: list[Expr] = []
    sign = 1 if kind == "Max" else -1
    for at, a in enumerate(flat):
        others = kept + flat[at + 1 :]
        if not any(is_nonnegative((b - a) * sign, assumptions) for b in others):
            kept.append(a)
    if len(kept) == 1:
        return kept[0]
    if kind == "Max" and ZERO in kept:
        kept = list(dict.fromkeys(_unguard(untruncate(a)) for a in kept))
        if len(kept) == 1:
            return kept[0]
    common = _common(kept)
    if common:
        return common + _extremum(kind, [k - common for k in kept], assumptions)
    kept.sort(key=lambda e: (e.constant is None, str(e)))
    return from_atom(Extremum(kind, tuple(kept)))


def _unguard(e: Expr) -> Expr:
    """In Max(0, Min(Max(0, a), b)) the inner guard is idle: the minimum is positive only where both
    are."""
    inner = e.atom
    if not isinstance(inner, Extremum) or inner.kind != "Min":
        return e
    args = []
    for a in inner.args:
        guard = a.atom
        if isinstance(guard, Extremum) and guard.kind == "Max" and ZERO in guard.args:
            rest = tuple(p for p in guard.args if p != ZERO)
            a = maximum(*rest) if rest else a
        args.append(a)
    return minimum(*args)


def _common(args: list[Expr]) -> Expr:
    """What all arguments share; nothing where one is a number: Max(0, n) reads better than n +
    Max(-n, 0)."""
    if any(a.constant is not None for a in args):
        return ZERO
    shared = {m: c for m, c in args[0].terms.items() if all(a.terms.get(m) == c for a in args[1:])}
    return Expr(shared)


def untruncate(e: Expr) -> Expr:
    """In Max(0, trunc(a/b) + k) with k <= 0, the quotient may be rounded down as well: both are not
    positive for a < 0. Likewise Max(0, a) + k, which may be a + k."""
    for m, c in e.terms.items():
        a = m[0][0] if len(m) == 1 and c == 1 and m[0][1] == 1 else None
        simpler = None if a is None else a.where_positive()
        if a is not None and simpler is not None:
            rest = e - from_atom(a)
            return e if rest.constant is None or rest.constant > 0 else rest + simpler
    return e


class Step(OfOne):
    """1 where arg >= 0, else 0."""

    __slots__ = ()
    name = "step"
    is_never_negative = True
    is_indicator = True

    def written(self) -> str:
        return f"Piecewise((1, {self.arg} >= 0), (0, True))"

    def bounds(self, assumptions: Assumptions | None = None) -> Sequence[Expr]:
        return self._bounds

    @cached_property
    def _bounds(self) -> tuple[Expr, Expr]:
        e = from_atom(self)
        return e, 1 - e

    def rebuild(self, parts: tuple[Expr, ...]) -> Expr:
        return step(parts[0])

    def evaluate(self, values: Mapping[str, Number]) -> Number:
        return 1 if self.arg.evaluate(values) >= 0 else 0


def flag_in(e: Expr) -> tuple[Expr, Number, Number] | None:
    """(product of indicators, the value where it is 1, that where it is 0) of a formula in which
    nothing else varies."""
    varying = [m for m in e.terms if m]
    if len(varying) != 1 or not all(a.is_indicator for a, _ in varying[0]):
        return None
    clear = e.terms.get((), 0)
    return Expr({varying[0]: 1}), e.terms[varying[0]] + clear, clear


def _is_address(e: Expr) -> bool:
    """Is it the address of a global or of a function, or one behind it: at least 1?"""
    shown = [m for m in e.terms if m]
    if len(shown) != 1 or e.terms.get((), 0) < 0:
        return False
    (monomial,) = shown
    return (
        e.terms[monomial] == 1
        and len(monomial) == 1
        and monomial[0][1] == 1
        and symbols.is_global_address(monomial[0][0])
    )


def step(arg: Expr, assumptions: Assumptions | None = None) -> Expr:
    """The indicator of arg >= 0 for integer-valued `arg`; of e and its complement one is kept, so
    that they add to 1."""
    value = arg.constant
    if value is not None:
        return ONE if value >= 0 else ZERO
    if assumptions is None or not assumptions.known:
        return _plain_step(arg)
    return _step(arg, assumptions)


@lru_cache(maxsize=16384)
def _plain_step(arg: Expr) -> Expr:
    return _step(arg, None)


def _step(arg: Expr, assumptions: Assumptions | None) -> Expr:
    """The indicator for a formula that is no number."""
    if is_nonnegative(arg, assumptions) or _is_address(arg + 1):
        return ONE
    if is_nonnegative(-arg - 1, assumptions) and is_integer(arg):
        return ZERO
    if _is_address(-arg):
        return ZERO
    flag = flag_in(arg)
    if flag is not None:
        own, when_set, when_clear = flag
        return own * int(when_set >= 0) + (1 - own) * int(when_clear >= 0)
    if arg.terms.get((), 0) <= -1:
        simpler = untruncate(arg)  # x / c >= 1 says the same rounded down
        if simpler != arg:
            return step(simpler, assumptions)  # it may be a number
    if is_integer(arg):
        divisor = math.gcd(*(int(c) for m, c in arg.terms.items() if m))
        if divisor > 1:
            arg = Expr(
                {
                    m: math.floor(Fraction(c, divisor)) if not m else number(Fraction(c, divisor))
                    for m, c in arg.terms.items()
                }
            )
            arg = Expr({m: c for m, c in arg.terms.items() if c})
        lead = max((m for m in arg.terms if m), key=lambda m: [(a.key, e) for a, e in m])
        if arg.terms[lead] < 0:
            return 1 - step(-arg - 1)  # in one form, too
    return from_atom(Step(arg))


def choose(condition: Expr, yes: Expr, no: Expr) -> Expr:
    """condition ? yes : no for an indicator; minimum and maximum are recognised."""
    if yes == no:
        return yes
    value = condition.constant
    if value is not None:
        return yes if value else no
    inner, swap = condition.atom, False
    if inner is None:
        inner, swap = (1 - condition).atom, True
    if isinstance(inner, Step):
        first, second = (no, yes) if swap else (yes, no)
        difference = first - second
        for offset in (
            0,
            1,
        ):  # chosen where first >= second, or first > second: Max; the other way round: Min
            if inner.arg + offset == difference:
                return maximum(first, second)
            if inner.arg + offset == -difference:
                return minimum(first, second)
    return no + condition * (yes - no)
