"""Integer instructions as formulas, one function for each opcode.

A formula stands for the mathematical integer, taken as signed. Where LLVM's flags or C's rules say
that arithmetic does not wrap, that is exact; unsigned operands must not be negative, which becomes
a precondition where it is not evident. Arithmetic that is meant to wrap (hash functions, random
numbers) has no formula: the function answers None.

Source: LLVM Language Reference, "Binary Operations" and "Bitwise Binary Operations".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..expr import (
    ZERO,
    Assumptions,
    Expr,
    Loaded,
    expr,
    floor_div,
    is_nonnegative,
    power,
    trunc_div,
)
from ..expr.intervals import interval
from ..ir.types import Instruction, Operand
from .context import FunctionContext
from .values import NO_PRECONDITIONS, Value

_LARGEST_MULTIPLIER = 1 << 16
"""Wrapping multiplication by a larger constant is a hash or a random number, not an index."""
_WIDEST_SHIFT = 63
_WRAPPING = frozenset(("add", "sub", "mul", "shl"))
_MOST_STEPS = 32
"""Instructions that are looked at behind a value, for arithmetic that wraps around."""
_NO_WRAP = frozenset(("nsw", "nuw"))
_REDUCING = frozenset(("udiv", "urem", "lshr"))
"""Instructions whose result is small where their operand has wrapped around."""
_MOST_RUNS = 3
"""Runs of ones in a mask; each makes a formula longer by two terms."""
INT = 32
"""Bits from which integers are taken to be wide enough: narrower ones wrap by conversion, which is
no overflow."""

Evaluator = Callable[[FunctionContext, Instruction, Value, Value], Value | None]


def assumptions_at(view: FunctionContext, i: Instruction) -> Assumptions:
    """What holds where an instruction stands."""
    return view.paths.assumptions(view.function.block_of[i.token])


def unsigned(view: FunctionContext, value: Value, i: Instruction) -> Value:
    """The value taken as unsigned: it must not be negative (constants are printed as signed and are
    converted)."""
    number = value.expr.constant
    if number is not None and number < 0:
        kind = i.extra[0] if i.opcode == "zext" else i.type
        return (
            Value(value.expr + (1 << int(kind[1:])), value.preconditions)
            if kind[:1] == "i"
            else value
        )
    kind = i.extra[0] if i.opcode in ("zext", "uitofp") else i.type
    if kind == "ptr" and i.opcode == "icmp":
        return value  # pointers into one object are compared, and none lies beyond 2**63
    if kind == "i32":
        value = within(view, value, i, None, (1 << INT) - 1)
    elif kind == "i64" and i.opcode in _REDUCING:
        value = within(view, value, i, None, (1 << 64) - 1)
    if is_nonnegative(value.expr) or is_nonnegative(value.expr, assumptions_at(view, i)):
        return value
    return Value(value.expr, value.preconditions | {value.expr})


def within(
    view: FunctionContext, value: Value, i: Instruction, low: int | None, high: int
) -> Value:
    """A value whose bits are read as a number from `low` to `high`: where the types of the
    program's parameters do not show that it fits, it must."""
    found = interval(value.expr, view.program.range_of)
    if found is None:
        return value
    needed = []
    if low is not None and found[0] < low:
        needed.append(value.expr - low)
    if found[1] > high:
        needed.append(high - value.expr)
    assumptions = assumptions_at(view, i) if needed else None
    more = {n for n in needed if not is_nonnegative(n, assumptions)}
    return Value(value.expr, value.preconditions | more) if more else value


def started(view: FunctionContext, value: Value, phi: Instruction, token: Operand) -> Value:
    """What a loop variable is at first: it must fit where arithmetic made it that wraps around."""
    source = view.function.definitions.get(token)
    if source is None or value.expr.constant is not None or not _wraps(view, source):
        return value
    return cut(view, value, phi)


def cut(view: FunctionContext, value: Value, i: Instruction) -> Value:
    """A value cut to an int or a wider integer: as a number it must fit, which its readers decide:
    those that read it as unsigned see the numbers behind the largest int, too."""
    width = int(i.type[1:])
    high = (1 << width) - 1 if _is_never_signed(view, i) else (1 << (width - 1)) - 1
    return within(view, value, i, -(1 << (width - 1)), high)


def _is_never_signed(view: FunctionContext, i: Instruction) -> bool:
    """Is a value taken as unsigned by all that reads it, or by arithmetic that wraps around, of
    which its own readers decide?"""
    seen: set[Operand] = set()
    work = [i.token]
    while work:
        token = work.pop()
        if token in seen:
            continue
        seen.add(token)
        if len(seen) > _MOST_STEPS:
            return False
        for user in view.function.users.get(token, ()):
            if user.opcode in ("phi", "select", "freeze"):
                work.append(user.token)
            elif not reads_unsigned(user) and (
                user.opcode not in _WRAPPING or user.flags & _NO_WRAP
            ):
                return False
    return bool(view.function.users.get(i.token))


def reads_unsigned(user: Instruction) -> bool:
    """Does an instruction take its operands as unsigned numbers?"""
    return user.opcode in ("zext", "udiv", "urem", "lshr", "uitofp") or (
        user.opcode == "icmp" and user.extra[0][0] in "ue" and user.extra[0] != "eq"
    )


def as_signed(view: FunctionContext, value: Value, i: Instruction, token: Operand) -> Value:
    """An int, or a wider integer, that is read as signed: it must fit where arithmetic made it that
    wraps around."""
    source = view.function.definitions.get(token)
    if source is None or value.expr.constant is not None or not _wraps(view, source):
        return value
    half = 1 << (int(source.type[1:]) - 1)
    return within(view, value, i, -half, half - 1)


def as_equal(view: FunctionContext, left: Value, right: Value, i: Instruction) -> frozenset[Expr]:
    """What two ints, or wider integers, that are compared for equality rest on: where arithmetic
    made one that wraps around, equal bits must mean equal numbers."""
    sources = (view.function.definitions.get(o) for o in i.operands[:2])
    if i.type[:1] != "i" or not any(x is not None and _wraps(view, x) for x in sources):
        return NO_PRECONDITIONS
    highest = (1 << int(i.type[1:])) - 1
    difference = Value(left.expr - right.expr)
    return within(view, difference, i, -highest, highest).preconditions


def _wraps(view: FunctionContext, source: Instruction) -> bool:
    """Is it an int, or a wider integer, made by arithmetic that wraps around as signed numbers?"""
    kind = source.type
    if kind[:1] != "i" or not kind[1:].isdigit() or int(kind[1:]) < INT:
        return False
    seen: set[Operand] = set()
    work = [source]
    while work and len(seen) < _MOST_STEPS:
        i = work.pop()
        if i.token in seen or i.type != kind:
            continue
        seen.add(i.token)
        if i.opcode in _WRAPPING:
            if "nsw" not in i.flags:
                return True
            continue
        if i.opcode in ("phi", "select", "freeze"):
            found = (view.function.definitions.get(o) for o in i.operands)
            work += (x for x in found if x is not None)
    return False


def is_narrow(kind: str) -> bool:
    """Is it an integer narrower than int? C computes in int and cuts the result to fit."""
    return kind[:1] == "i" and kind[1:].isdigit() and 1 < int(kind[1:]) < INT


def fitting(view: FunctionContext, value: Value, i: Instruction, kind: str, signed: bool) -> Value:
    """A narrow value where its number matters and no longer its bits alone: it must fit.

    Sums and products of a narrow type are right modulo 2**width whatever they wrap; what extends,
    compares, divides or shifts them right reads a number. Values that data decide have the type
    already, and fit.
    """
    if not is_narrow(kind) or _is_data(view, value.expr):
        return value
    width = int(kind[1:])
    low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if signed else (0, (1 << width) - 1)
    number = value.expr.constant
    if isinstance(number, int):  # constants are printed as signed
        return Value(expr((number - low) % (1 << width) + low), value.preconditions)
    assumptions = assumptions_at(view, i)
    needed = (value.expr - low, high - value.expr)
    return Value(
        value.expr, value.preconditions | {n for n in needed if not is_nonnegative(n, assumptions)}
    )


def _is_data(view: FunctionContext, e: Expr) -> bool:
    """Is it one value that only a run can tell?"""
    atom = e.atom
    if atom is None:
        return False
    info = view.program.unknowns.get(atom.key)
    return isinstance(atom, Loaded) or (info is not None and info.kind == "value")


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
    a = fitting(view, _unshifted(view, i, a), i, i.type, i.opcode == "ashr")
    if i.opcode == "ashr":
        a = as_signed(view, a, i, i.operands[0])
    number, preconditions = b.expr.constant, a.preconditions | b.preconditions
    source = unsigned(view, a, i) if i.opcode == "lshr" else a
    if number is not None and 0 <= number < _WIDEST_SHIFT:
        return Value(floor_div(source.expr, 1 << int(number)), source.preconditions | preconditions)
    quotient = floor_div(source.expr, power(2, b.expr))
    return Value(quotient, source.preconditions | preconditions | _not_negative(b.expr))


def _unshifted(view: FunctionContext, i: Instruction, a: Value) -> Value:
    """What is shifted right, where it was shifted left before: a bit-field is cut out so, and what
    leaves the register on the left is lost."""
    left = view.function.definitions.get(i.operands[0])
    width = int(i.type[1:])
    if left is None or left.opcode != "shl" or left.flags & {"nsw", "nuw"} or width < INT:
        return a
    if i.opcode == "ashr":
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
    result = quotient if i.opcode == "sdiv" else a.expr - quotient * b.expr
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
    result = quotient if i.opcode == "udiv" else source.expr - quotient * divisor.expr
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
        return unsigned(view, _all(a, b, a.expr), i)  # all the bits that a size has
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
