"""What must hold so that the value with which a loop ends fits its integer.

An unsigned test a < b ends a loop of which a grows with the first a that is not below b. Where that
is beyond the largest number, a begins anew, and the loop goes on: for (i = 0; i < n; i += 7) with n
among the largest six. Where no wrapped value can end it either, it never ends by this test.
"""

from __future__ import annotations

from typing import NamedTuple

from ..expr import ZERO, Assumptions, Expr, Pow, expr, is_nonnegative, sym
from ..expr.predicates import ADDRESS_BITS

_LARGEST = 1 << 64
"""The first number that 64 bits do not hold."""
_SMALL_STEP = 1 << 16
"""The largest step in which a value of 64 bits is taken not to wrap around; see `_FAR`."""
_FAR = _LARGEST >> 1
"""A value of 64 bits that starts no higher takes more than a day to wrap around in such steps, at
an iteration a nanosecond. Of larger steps, and of values that may start higher, it is asked that
they fit."""


class Fits(NamedTuple):
    """needed: what must be at least zero so that the value fits, None: nothing; is_endless: where
    it does not fit, the test holds for ever."""

    needed: Expr | None = None
    is_endless: bool = False


ALWAYS = Fits()


def first_fits(
    lesser: Expr, limit: Expr, period: Expr, index: str, known: Assumptions
) -> Expr | None:
    """What must be at least zero so that the lesser operand fits when it is tested first; None:
    nothing. Where a loop is tested at its end, that is a step after its start: `do i += 3; while
    (i < n)` of an i near the largest number. Arguments as in `end_fits`."""
    start = lesser.substitute({index: ZERO})
    needed = limit - 1 - start
    if index not in lesser.symbols or _is_of_addresses(period) or start.atom is not None:
        return None  # what is no sum fits
    return None if is_nonnegative(needed, known) else needed


def end_fits(
    lesser: Expr,
    greater: Expr,
    limit: Expr,
    period: Expr,
    slack: Expr,
    index: str,
    at: Expr,
    known: Assumptions,
) -> Fits:
    """Whether the lesser operand fits in the iteration in which a test fails.

    Args:
        lesser, greater: the operands of an unsigned test, over the iteration number `index`.
        limit: the first number that they cannot hold; period: what wraps around to zero.
        slack: what is at least 0 while the test holds: greater - lesser, less 1 where it is strict.
        at: the iteration in which it fails first.
        known: assumptions on entry of the loop.
    """
    if index not in lesser.symbols or _is_of_addresses(period):
        return ALWAYS
    following = _following(lesser, index)
    number, fixed = period.constant, index not in greater.symbols
    is_strict = (greater - lesser - slack).constant == 1
    line = lesser.affine_in(index)
    if following is None and fixed and line is not None:
        most, is_endless = greater - is_strict + line[0], False  # a step that is no number
    elif following is None or not isinstance(number, int) or not fixed:
        most, is_endless = lesser.substitute({index: at}), False
    else:
        factor, step = following
        if factor == 1 and step <= 0:
            return ALWAYS  # the greater one falls, and is asked not to be negative
        if factor == 1 and step == 1 and is_strict:
            return ALWAYS  # it ends at the other one, which fits
        if factor == 1 and number >= _LARGEST and _takes_days(lesser, step, index, known):
            return ALWAYS
        most = (greater - is_strict) * factor + step
        # it comes to the numbers again that it had, or to zero and stays there
        start = lesser.substitute({index: ZERO}).constant
        is_endless = (factor == 1 and number % step == 0) or (
            step == 0 and _is_power_of_two(factor) and _is_power_of_two(start)
        )
    needed = limit - 1 - most
    return ALWAYS if is_nonnegative(needed, known) else Fits(needed, is_endless)


def end_is_not_below(
    lesser: Expr, greater: Expr, slack: Expr, index: str, at: Expr, known: Assumptions
) -> Fits:
    """Whether the greater operand is not negative in the iteration in which a test fails; arguments
    as in `end_fits`."""
    following = _following(greater, index)
    is_strict = (greater - lesser - slack).constant == 1
    if index not in greater.symbols or following is None:
        return ALWAYS
    if following == (1, -1) and index not in lesser.symbols:
        needed, is_endless = lesser - (not is_strict), True
    else:
        needed, is_endless = greater.substitute({index: at}), False
    return ALWAYS if is_nonnegative(needed, known) else Fits(needed, is_endless)


def grows_while_it_fits(greater: Expr, limit: Expr, index: str, known: Assumptions) -> Expr | None:
    """What must be at least zero in each iteration in which a test holds whose greater operand
    grows; None where nothing must."""
    following = _following(greater, index)
    if index not in greater.symbols or following is None or _is_of_addresses(limit):
        return None
    factor, step = following
    if factor == 1 and step <= 0:
        return None
    if factor == 1 and limit.constant == _LARGEST and _takes_days(greater, step, index, known):
        return None
    return limit - 1 - greater


def _takes_days(growing: Expr, step: int, index: str, known: Assumptions) -> bool:
    """Does a value of 64 bits that grows by a number take days to wrap around?"""
    start = growing.substitute({index: ZERO})
    return step <= _SMALL_STEP and is_nonnegative(expr(_FAR) - start, known)


def _following(e: Expr, index: str) -> tuple[int, int] | None:
    """(c, d) where the formula is c times itself and d in the next iteration, for numbers."""
    after = e.split(index)
    factor = 1
    if after is None:
        bases = {
            a.base
            for m in e.terms
            for a, _ in m
            if index in a.symbols and isinstance(a, Pow) and a.exponent.split(index)
        }
        if len(bases) != 1:
            return None
        (factor,) = bases
    step = (e.substitute({index: sym(index) + 1}) - e * factor).constant
    return (factor, int(step)) if step is not None and step == int(step) else None


def _is_of_addresses(limit: Expr) -> bool:
    """Is it the limit of pointers, which none comes to?"""
    return limit.constant == 1 << ADDRESS_BITS


def _is_power_of_two(number: object) -> bool:
    return isinstance(number, int) and number > 0 and number & (number - 1) == 0
