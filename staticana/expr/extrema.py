"""Maximum, minimum, the indicator of e >= 0, and sums without a closed form, in normal form."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from typing import Literal

from . import symbols
from .atoms import Extremum, Step, Sum, Trunc
from .integer_valued import is_integer
from .polynomial import ONE, ZERO, Expr, expr, from_atom, lone_atom, rebuilt
from .proofs import Assumptions, is_nonnegative
from .quotients import floor_div
from .terms import Number, number

_Kind = Literal["Max", "Min"]


# -- maximum and minimum
def maximum(*args: Expr | Number, assumptions: Assumptions | None = None) -> Expr:
    """Max; arguments that another one provably reaches are dropped."""
    return _extremum("Max", [expr(a) for a in args], assumptions)


def minimum(*args: Expr | Number, assumptions: Assumptions | None = None) -> Expr:
    """Min; arguments that another one provably undercuts are dropped."""
    return _extremum("Min", [expr(a) for a in args], assumptions)


@rebuilt.register(Extremum)
def _rebuilt_extremum(a: Extremum, parts: tuple[Expr, ...]) -> Expr:
    return _extremum(a.kind, list(parts), None)


def _extremum(kind: _Kind, args: list[Expr], assumptions: Assumptions | None) -> Expr:
    if assumptions is None or not assumptions.known:
        return _plain_extremum(kind, tuple(args))
    return _reduced(kind, args, assumptions)


@lru_cache(maxsize=16384)
def _plain_extremum(kind: _Kind, args: tuple[Expr, ...]) -> Expr:
    return _reduced(kind, list(args), None)


def _reduced(kind: _Kind, args: list[Expr], assumptions: Assumptions | None) -> Expr:
    """The extremum without the arguments that another one makes idle."""
    kept = _not_idle(kind, _flat(kind, args), assumptions)
    if kind == "Max" and len(kept) > 1 and ZERO in kept:
        kept = list(dict.fromkeys(_unguard(untruncate(a)) for a in kept))
    if len(kept) == 1:
        return kept[0]
    common = _common(kept)
    if common:
        return common + _extremum(kind, [k - common for k in kept], assumptions)
    kept.sort(key=lambda e: (e.constant is None, str(e)))
    return from_atom(Extremum(kind, tuple(kept)))


def _flat(kind: _Kind, args: list[Expr]) -> list[Expr]:
    """The arguments, each once, with those of the same extremum among them."""
    flat: dict[Expr, None] = {}
    for a in args:
        inner = a.atom
        same = isinstance(inner, Extremum) and inner.kind == kind
        flat.update(dict.fromkeys(inner.alternatives if inner is not None and same else [a]))
    return list(flat)


def _not_idle(kind: _Kind, args: list[Expr], assumptions: Assumptions | None) -> list[Expr]:
    """The arguments that no other one is shown to reach, or to undercut."""
    kept: list[Expr] = []
    sign = 1 if kind == "Max" else -1
    for at, a in enumerate(args):
        others = kept + args[at + 1 :]
        if not any(is_nonnegative((b - a) * sign, assumptions) for b in others):
            kept.append(a)
    return kept


def _unguard(e: Expr) -> Expr:
    """In Max(0, Min(Max(0, a), b)) the inner guard is idle: the minimum is positive only where both
    are."""
    inner = e.atom
    if not isinstance(inner, Extremum) or not inner.is_least:
        return e
    return minimum(*map(_without_zero, inner.args))


def _without_zero(e: Expr) -> Expr:
    """Max(0, a, ...) as Max(a, ...); other formulas pass."""
    guard = e.atom
    if not isinstance(guard, Extremum) or guard.is_least:
        return e
    rest = [p for p in guard.args if p != ZERO]
    return maximum(*rest) if len(rest) < len(guard.args) else e


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
        a = lone_atom(m) if c == 1 else None
        simpler: Expr | None = None
        if isinstance(a, Trunc):
            simpler = floor_div(a.num, a.den)
        elif isinstance(a, Extremum):
            simpler = a.truncated
        if a is not None and simpler is not None:
            rest = e - from_atom(a)
            return e if rest.constant is None or rest.constant > 0 else rest + simpler
    return e


# -- indicators
def step(arg: Expr, assumptions: Assumptions | None = None) -> Expr:
    """The indicator of arg >= 0 for integer-valued `arg`; of e and its complement one is kept, so
    that they add to 1."""
    value = arg.constant
    if value is not None:
        return ONE if value >= 0 else ZERO
    if assumptions is None or not assumptions.known:
        return _plain_step(arg)
    return _step(arg, assumptions)


@rebuilt.register(Step)
def _rebuilt_step(a: Step, parts: tuple[Expr, ...]) -> Expr:
    return step(parts[0])


@lru_cache(maxsize=16384)
def _plain_step(arg: Expr) -> Expr:
    return _step(arg, None)


def _step(arg: Expr, assumptions: Assumptions | None) -> Expr:
    """The indicator for a formula that is no number."""
    shown = _shown_sign(arg, assumptions)
    if shown is not None:
        return ONE if shown else ZERO
    flag = flag_in(arg)
    if flag is not None:
        own, when_set, when_clear = flag
        return own * int(when_set >= 0) + (1 - own) * int(when_clear >= 0)
    if arg.terms.get((), 0) <= -1:
        simpler = untruncate(arg)  # x / c >= 1 says the same rounded down
        if simpler != arg:
            return step(simpler, assumptions)  # it may be a number
    if is_integer(arg):
        arg = _primitive(arg)
        if arg.leading < 0:
            return 1 - step(-arg - 1)  # in one form, too
    return from_atom(Step(arg))


def _shown_sign(arg: Expr, assumptions: Assumptions | None) -> bool | None:
    """Is a formula >= 0 everywhere (True), or below 0 everywhere (False)? None: neither is
    shown."""
    if is_nonnegative(arg, assumptions) or _is_address(arg + 1):
        return True
    below = is_nonnegative(-arg - 1, assumptions) and is_integer(arg)
    return False if below or _is_address(-arg) else None


def _is_address(e: Expr) -> bool:
    """Is it the address of a global or of a function, or one behind it: at least 1?"""
    line = e.line
    if line is None:
        return False
    a, slope, shift = line
    return slope == 1 and shift >= 0 and symbols.is_global_address(a)


def _primitive(arg: Expr) -> Expr:
    """What a formula with whole values is >= 0 with, divided by what divides all its terms but the
    constant."""
    # 1 where fractions are whole together only: the constant must not be rounded then
    divisor = (arg - arg.terms.get((), 0)).content
    if divisor <= 1:
        return arg
    divided = ((m, number(Fraction(c, divisor))) for m, c in arg.terms.items())
    rounded = {m: c if m else math.floor(c) for m, c in divided}
    return Expr({m: c for m, c in rounded.items() if c})


def flag_in(e: Expr) -> tuple[Expr, Number, Number] | None:
    """(product of indicators, the value where it is 1, that where it is 0) of a formula in which
    nothing else varies."""
    varying = [m for m in e.terms if m]
    if len(varying) != 1 or not all(a.is_indicator for a, _ in varying[0]):
        return None
    clear = e.terms.get((), 0)
    return Expr({varying[0]: 1}), e.terms[varying[0]] + clear, clear


def choose(condition: Expr, yes: Expr, no: Expr) -> Expr:
    """condition ? yes : no for an indicator; minimum and maximum are recognised."""
    if yes == no:
        return yes
    value = condition.constant
    if value is not None:
        return yes if value else no
    found = _as_extremum(condition, yes, no)
    return no + condition * (yes - no) if found is None else found


def _as_extremum(condition: Expr, yes: Expr, no: Expr) -> Expr | None:
    """The greater or the lesser of two formulas, where the condition compares just these."""
    inner, first, second = condition.atom, yes, no
    if inner is None:
        inner, first, second = (1 - condition).atom, no, yes
    if not isinstance(inner, Step):
        return None
    difference = first - second
    for offset in (0, 1):  # first is chosen where first >= second, or where first > second
        if inner.arg + offset == difference:
            return maximum(first, second)
        if inner.arg + offset == -difference:
            return minimum(first, second)
    return None


def forget_extrema() -> None:
    """Forget what was found without assumptions."""
    _plain_extremum.cache_clear()
    _plain_step.cache_clear()


@rebuilt.register(Sum)
def _sum(a: Sum, parts: tuple[Expr, ...]) -> Expr:
    body, count = parts
    if count == ZERO or not body:
        return ZERO
    if a.index not in body.symbols:  # what varied in it is known to be the same for all
        return body * maximum(0, count)
    return from_atom(Sum(body, a.index, count))
