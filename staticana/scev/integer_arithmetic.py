"""Integer instructions as formulas, one function for each opcode.

A formula stands for the mathematical integer, taken as signed. Where LLVM's flags or C's rules say
that arithmetic does not wrap, that is exact; unsigned operands must not be negative, which becomes a
precondition where it is not evident. Arithmetic that is meant to wrap (hash functions, random
numbers) has no formula: the function answers None.

Source: LLVM Language Reference, "Binary Operations" and "Bitwise Binary Operations".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..expr import Expr, Facts, floor_div, is_nonnegative, power, trunc_div
from ..ir.types import Instruction
from .context import FunctionContext
from .values import NO_NEEDS, Value

_LARGEST_MULTIPLIER = 1 << 16
"""Wrapping multiplication by a larger constant is a hash or a random number, not an index."""
_WIDEST_SHIFT = 63

Evaluator = Callable[[FunctionContext, Instruction, Value, Value], Value | None]


def facts_at(view: FunctionContext, i: Instruction) -> Facts:
    """What holds where an instruction stands."""
    return view.paths.facts(view.function.block_of[i.token])


def unsigned(view: FunctionContext, value: Value, i: Instruction) -> Value:
    """The value taken as unsigned: it must not be negative (constants are printed as signed and are
    converted)."""
    number = value.expr.constant
    if number is not None and number < 0:
        kind = i.extra[0] if i.opcode == "zext" else i.type
        return Value(value.expr + (1 << int(kind[1:])), value.needs) if kind[:1] == "i" else value
    if is_nonnegative(value.expr) or is_nonnegative(value.expr, facts_at(view, i)):
        return value
    return Value(value.expr, value.needs | {value.expr})


def _add(view: FunctionContext, i: Instruction, a: Value, b: Value) -> Value:
    return Value(a.expr + b.expr, a.needs | b.needs)


def _subtract(view: FunctionContext, i: Instruction, a: Value, b: Value) -> Value:
    return Value(a.expr - b.expr, a.needs | b.needs)


def _multiply(view: FunctionContext, i: Instruction, a: Value, b: Value) -> Value | None:
    product, needs = a.expr * b.expr, a.needs | b.needs
    if not i.flags & {"nsw", "nuw"}:
        width, number = int(i.type[1:]), b.expr.constant
        if width <= 32 and a.expr.constant is None and number is None:
            needs |= {(1 << width) - 1 - product}  # two variables: the product must fit
        if number is not None and not -_LARGEST_MULTIPLIER <= number <= _LARGEST_MULTIPLIER:
            return None
    return Value(product, needs)


def _shift_left(view: FunctionContext, i: Instruction, a: Value, b: Value) -> Value | None:
    number, needs = b.expr.constant, a.needs | b.needs
    if number is not None and 0 <= number < _WIDEST_SHIFT:
        return Value(a.expr * (1 << int(number)), needs)
    if a.expr.constant is not None:
        return Value(power(2, b.expr) * a.expr.constant, needs | _not_negative(b.expr))
    return None


def _shift_right(view: FunctionContext, i: Instruction, a: Value, b: Value) -> Value:
    number, needs = b.expr.constant, a.needs | b.needs
    source = unsigned(view, a, i) if i.opcode == "lshr" else a
    if number is not None and 0 <= number < _WIDEST_SHIFT:
        return Value(floor_div(source.expr, 1 << int(number)), source.needs | needs)
    quotient = floor_div(source.expr, power(2, b.expr))
    return Value(quotient, source.needs | needs | _not_negative(b.expr))


def _not_negative(e: Expr) -> frozenset[Expr]:
    return NO_NEEDS if is_nonnegative(e) else frozenset((e,))


def _divide_signed(view: FunctionContext, i: Instruction, a: Value, b: Value) -> Value | None:
    """C rounds a quotient towards zero; the remainder is what is left."""
    quotient, more = _signed_quotient(a.expr, b.expr, facts_at(view, i))
    if quotient is None:
        return None
    result = quotient if i.opcode == "sdiv" else a.expr - quotient * b.expr
    return Value(result, a.needs | b.needs | more)


def _signed_quotient(a: Expr, b: Expr, facts: Facts) -> tuple[Expr | None, frozenset[Expr]]:
    divide = floor_div if is_nonnegative(a, facts) else trunc_div
    number = b.constant
    if number is not None:
        if number == 0:
            return None, NO_NEEDS
        sign = 1 if number > 0 else -1
        return divide(a, b * sign) * sign, NO_NEEDS
    needs = NO_NEEDS if is_nonnegative(b - 1, facts) else frozenset((b - 1,))
    return divide(a, b), needs


def _divide_unsigned(view: FunctionContext, i: Instruction, a: Value, b: Value) -> Value:
    source, divisor = unsigned(view, a, i), unsigned(view, b, i)
    facts = facts_at(view, i)
    more = NO_NEEDS if is_nonnegative(divisor.expr - 1, facts) else frozenset((divisor.expr - 1,))
    quotient = floor_div(source.expr, divisor.expr)
    result = quotient if i.opcode == "udiv" else source.expr - quotient * divisor.expr
    return Value(result, source.needs | divisor.needs | more)


def _or(view: FunctionContext, i: Instruction, a: Value, b: Value) -> Value | None:
    """Bits that do not overlap add up."""
    return _add(view, i, a, b) if "disjoint" in i.flags else None


def _and(view: FunctionContext, i: Instruction, a: Value, b: Value) -> Value | None:
    """Masks of the lowest bits are remainders by a power of two, masks of the others their
    complement."""
    mask, needs = b.expr.constant, a.needs | b.needs
    if not isinstance(mask, int):
        return None
    if mask >= 0 and mask & (mask + 1) == 0:
        if mask >= (1 << 31) - 1:
            return unsigned(view, Value(a.expr, needs), i)  # all the bits that a size has
        return Value(a.expr - floor_div(a.expr, mask + 1) * (mask + 1), needs)
    if mask < 0 and -mask & (-mask - 1) == 0:
        return Value(floor_div(a.expr, -mask) * -mask, needs)
    return None


def _xor(view: FunctionContext, i: Instruction, a: Value, b: Value) -> Value | None:
    """All bits inverted: -x - 1 in two's complement."""
    return Value(-a.expr - 1, a.needs | b.needs) if b.expr.constant == -1 else None


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
