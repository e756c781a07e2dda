"""Integer instructions as formulas, one function for each opcode.

A formula stands for the mathematical integer, taken as signed. Where LLVM's flags or C's rules say
that arithmetic does not wrap, that is exact; unsigned operands must not be negative, which becomes
a precondition where it is not evident. Arithmetic that is meant to wrap (hash functions, random
numbers) has no formula: the function answers None.

Source: LLVM Language Reference, "Binary Operations" and "Bitwise Binary Operations".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...expr import ZERO, Assumptions, Expr, floor_div, is_nonnegative, power, trunc_div
from ...ir.matchers import is_any
from ...ir.types import Instruction
from ..context import FunctionContext
from ..values import NO_PRECONDITIONS, Value
from .fits import INT, as_signed, assumptions_at, fitting, unsigned, within

_LARGEST_MULTIPLIER = 1 << 16
"""Wrapping multiplication by a larger constant is a hash or a random number, not an index."""
_WIDEST_SHIFT = 63
"""Shifts by fewer bits than this are products and quotients of signed numbers of 64 bits."""
_MOST_RUNS = 3
"""Runs of ones in a mask; each makes a formula longer by two terms."""
Evaluator = Callable[[FunctionContext, Instruction, Value, Value], Value | None]


def _add(view: FunctionContext, i: Instruction, a: Value, b: Value) -> Value:
    return Value(a.expr + b.expr, a.preconditions | b.preconditions)


def _subtract(view: FunctionContext, i: Instruction, a: Value, b: Value) -> Value:
    return Value(a.expr - b.expr, a.preconditions | b.preconditions)


def _multiply(view: FunctionContext, i: Instruction, a: Value, b: Value) -> Value | None:
    product, preconditions = a.expr * b.expr, a.preconditions | b.preconditions
    if not i.flags & {"nsw", "nuw"}:
        width, number = int(i.type[1:]), b.expr.constant
        if width <= 32 and a.expr.constant is None and number is None:
            preconditions |= {(1 << width) - 1 - product}  # two variables: the product must fit
        if number is not None and not -_LARGEST_MULTIPLIER <= number <= _LARGEST_MULTIPLIER:
            return None
    return Value(product, preconditions)


def _shift_left(view: FunctionContext, i: Instruction, a: Value, b: Value) -> Value | None:
    number, preconditions = b.expr.constant, a.preconditions | b.preconditions
    if number is not None and 0 <= number < _WIDEST_SHIFT:
        return Value(a.expr * (1 << int(number)), preconditions)
    if a.expr.constant is not None:
        return Value(power(2, b.expr) * a.expr.constant, preconditions | _not_negative(b.expr))
    return None


def _shift_right(view: FunctionContext, i: Instruction, a: Value, b: Value) -> Value:
    a = fitting(view, _unshifted(view, i, a), i, i.type, is_any(i, "ashr"))
    if is_any(i, "ashr"):
        a = as_signed(view, a, i, i.operands[0])
    number, preconditions = b.expr.constant, a.preconditions | b.preconditions
    source = unsigned(view, a, i) if is_any(i, "lshr") else a
    if number is not None and 0 <= number < _WIDEST_SHIFT:
        return Value(floor_div(source.expr, 1 << int(number)), source.preconditions | preconditions)
    quotient = floor_div(source.expr, power(2, b.expr))
    return Value(quotient, source.preconditions | preconditions | _not_negative(b.expr))


def _unshifted(view: FunctionContext, i: Instruction, a: Value) -> Value:
    """What is shifted right, where it was shifted left before: a bit-field is cut out so, and what
    leaves the register on the left is lost."""
    left = view.function.definitions.get(i.operands[0])
    width = int(i.type[1:])
    if not is_any(left, "shl") or left.flags & {"nsw", "nuw"} or width < INT:
        return a
    if is_any(i, "ashr"):
        needed = (a.expr + (1 << (width - 1)), (1 << (width - 1)) - 1 - a.expr)
    else:
        needed = (a.expr, (1 << width) - 1 - a.expr)
    assumptions = assumptions_at(view, i)
    return Value(
        a.expr, a.preconditions | {n for n in needed if not is_nonnegative(n, assumptions)}
    )


def _not_negative(e: Expr) -> frozenset[Expr]:
    return NO_PRECONDITIONS if is_nonnegative(e) else frozenset((e,))


def _divide_signed(view: FunctionContext, i: Instruction, a: Value, b: Value) -> Value | None:
    """C rounds a quotient towards zero; the remainder is what is left."""
    a, b = fitting(view, a, i, i.type, True), fitting(view, b, i, i.type, True)
    a, b = as_signed(view, a, i, i.operands[0]), as_signed(view, b, i, i.operands[1])
    divisor = b.expr.constant
    if "exact" in i.flags and divisor is not None and divisor > 0:
        # nothing is left over, as where two pointers are subtracted
        return Value(floor_div(a.expr, b.expr), a.preconditions | b.preconditions)
    quotient, more = _signed_quotient(a.expr, b.expr, assumptions_at(view, i))
    if quotient is None:
        return None
    result = quotient if is_any(i, "sdiv") else a.expr - quotient * b.expr
    return Value(result, a.preconditions | b.preconditions | more)


def _signed_quotient(
    a: Expr, b: Expr, assumptions: Assumptions
) -> tuple[Expr | None, frozenset[Expr]]:
    if a == ZERO:  # whatever it is divided by, which is not zero
        return ZERO, NO_PRECONDITIONS
    divide = floor_div if is_nonnegative(a, assumptions) else trunc_div
    number = b.constant
    if number is not None:
        if number == 0:
            return None, NO_PRECONDITIONS
        sign = 1 if number > 0 else -1
        return divide(a, b * sign) * sign, NO_PRECONDITIONS
    preconditions = NO_PRECONDITIONS if is_nonnegative(b - 1, assumptions) else frozenset((b - 1,))
    return divide(a, b), preconditions


def _divide_unsigned(view: FunctionContext, i: Instruction, a: Value, b: Value) -> Value:
    a, b = fitting(view, a, i, i.type, False), fitting(view, b, i, i.type, False)
    source, divisor = unsigned(view, a, i), unsigned(view, b, i)
    if source.expr == ZERO:
        return Value(ZERO, source.preconditions)
    assumptions = assumptions_at(view, i)
    more = (
        NO_PRECONDITIONS
        if is_nonnegative(divisor.expr - 1, assumptions)
        else frozenset((divisor.expr - 1,))
    )
    quotient = floor_div(source.expr, divisor.expr)
    result = quotient if is_any(i, "udiv") else source.expr - quotient * divisor.expr
    return Value(result, source.preconditions | divisor.preconditions | more)


def _or(view: FunctionContext, i: Instruction, a: Value, b: Value) -> Value | None:
    """Bits that do not overlap add up; those of a constant that overlap count once."""
    if "disjoint" in i.flags:
        return _add(view, i, a, b)
    both = _masked(i, a, b)
    return None if both is None else _all(a, b, a.expr + b.expr - both)


def _and(view: FunctionContext, i: Instruction, a: Value, b: Value) -> Value | None:
    """Masks of the lowest bits are remainders by a power of two."""
    mask = b.expr.constant
    if isinstance(mask, int) and mask >= (1 << 31) - 1 and mask & (mask + 1) == 0:
        # all the bits that a size has
        return unsigned(view, within(view, _all(a, b, a.expr), i, None, mask), i)
    both = _masked(i, a, b)
    return None if both is None else _all(a, b, both)


def _xor(view: FunctionContext, i: Instruction, a: Value, b: Value) -> Value | None:
    """Without the bits of both; all bits inverted are -x - 1 in two's complement."""
    both = _masked(i, a, b)
    return None if both is None else _all(a, b, a.expr + b.expr - both * 2)


def _all(a: Value, b: Value, result: Expr) -> Value:
    return Value(result, a.preconditions | b.preconditions)


def _masked(i: Instruction, a: Value, b: Value) -> Expr | None:
    """The bits that a value shares with a constant, in two's complement.

    A run of ones from bit l up to bit h keeps 2**l * floor(x / 2**l) - 2**h * floor(x / 2**h); a
    negative constant drops what its complement keeps.
    """
    if a.expr.constant is not None:
        a, b = b, a
    mask = b.expr.constant
    if not isinstance(mask, int) or i.type == "i1":
        return None
    kept, low, runs = ZERO, 0, 0
    rest = mask if mask >= 0 else ~mask
    while rest:
        zeros = (rest & -rest).bit_length() - 1
        ones = (~(rest >> zeros) & ((rest >> zeros) + 1)).bit_length() - 1
        low, high = low + zeros, low + zeros + ones
        kept += floor_div(a.expr, 1 << low) * (1 << low)
        kept -= floor_div(a.expr, 1 << high) * (1 << high)
        low, rest, runs = high, rest >> (zeros + ones), runs + 1
        if runs > _MOST_RUNS:
            return None
    return kept if mask >= 0 else a.expr - kept


ARITHMETIC: Mapping[str, Evaluator] = {
    "add": _add,
    "sub": _subtract,
    "mul": _multiply,
    "shl": _shift_left,
    "lshr": _shift_right,
    "ashr": _shift_right,
    "sdiv": _divide_signed,
    "srem": _divide_signed,
    "udiv": _divide_unsigned,
    "urem": _divide_unsigned,
    "or": _or,
    "and": _and,
    "xor": _xor,
}
"""Opcode -> the value of the instruction from its two operands; None: it has no formula."""
