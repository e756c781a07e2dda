"""Values of registers, and what instructions without memory make of them.

Integers are the signed numbers that their bits stand for, floating-point numbers are those of the
machine: IEEE 754 rounds to nearest. None is a value that is not known.
"""

from __future__ import annotations

import math
import operator
import struct
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NamedTuple, Union

from ..ir.integers import compared, computed, signed
from ..ir.matchers import is_any
from ..ir.types import Instruction, IntLiteral, Operand, int_bits

_FAST = frozenset(("fast", "reassoc", "arcp", "afn", "contract", "nnan", "ninf"))
"""Flags of arithmetic that need not round as it says."""
_WIDTHS = {"float": 32, "double": 64}


class Address(NamedTuple):
    """Bytes from the start of an object, which a name stands for."""

    base: str
    offset: int


Known = Union[int, float, Address]
Value = Union[Known, None]


def literal(token: Operand, kind: str) -> Value:
    """The value of a constant of a type that is no address."""
    if isinstance(token, IntLiteral):
        width = int_bits(kind)
        return float(token.value) if kind in _WIDTHS else signed(token.value, width or 64)
    if token in ("true", "false"):
        return int(token == "true")
    if token in ("null", "zeroinitializer") and (kind == "ptr" or int_bits(kind)):
        return 0
    if kind not in _WIDTHS:
        return None
    try:
        if token.startswith("0xK"):
            number = _extended(int(token[3:], 16))
        elif token.startswith("0x"):
            number = float(struct.unpack(">d", bytes.fromhex(token[2:].zfill(16)))[0])
        else:
            number = float(token)
    except (ValueError, struct.error, OverflowError):  # larger than what a double holds
        return None
    return number if math.isfinite(number) else None


def _extended(bits: int) -> float:
    """The number that 80 bits stand for, where a double holds it (Intel, volume 1, table 4-3)."""
    sign, exponent, digits = bits >> 79, bits >> 64 & 0x7FFF, bits & ((1 << 64) - 1)
    exact = digits * Fraction(2) ** (exponent - 16383 - 63)
    number = float(exact)
    return (-number if sign else number) if number == exact else math.nan


def binary(i: Instruction, a: Value, b: Value) -> Value:
    """What integer or floating-point arithmetic yields."""
    width = int_bits(i.type)
    if i.opcode[0] == "f":
        return _float(i, a, b)
    if width is None:
        return None
    if not isinstance(a, int) or not isinstance(b, int):
        is_zero = is_any(i, "and", "mul") and 0 in (a, b)
        return 0 if is_zero else None
    found = computed(i.opcode, a, b, width)
    if found is None:
        return None
    result = signed(found, width)
    if i.flags:
        if "nsw" in i.flags and width > 1 and not _fits_signed(i.opcode, a, b, found, width):
            return None
        if "nuw" in i.flags and not _fits_unsigned(i.opcode, a, b, width):
            return None
        if "exact" in i.flags:
            return None
    return result


def _fits_signed(op: str, a: int, b: int, found: int, width: int) -> bool:
    if op == "shl":
        found = a << b
    return -(1 << (width - 1)) <= found < 1 << (width - 1)


def _fits_unsigned(op: str, a: int, b: int, width: int) -> bool:
    limit = 1 << width
    a, b = a % limit, b % limit
    found = {"add": a + b, "sub": a - b, "mul": a * b, "shl": a << min(b, width)}.get(op, 0)
    return 0 <= found < limit


_FLOATS: Mapping[str, Callable[[float, float], float]] = {
    "fadd": operator.add,
    "fsub": operator.sub,
    "fmul": operator.mul,
    "fdiv": operator.truediv,
    "frem": math.fmod,
}


def _float(i: Instruction, a: Value, b: Value) -> Value:
    if not isinstance(a, float) or not isinstance(b, float) or i.flags & _FAST:
        return None
    try:
        return rounded(_FLOATS[i.opcode](a, b), i.type)
    except (ZeroDivisionError, ValueError, OverflowError, KeyError):
        return None


def rounded(number: float, kind: str) -> Value:
    """A number in a type; infinities and what is none are not followed. A sum, product or quotient
    of floats that is rounded to double first is rounded to the same float (Figueroa, 1995)."""
    if kind == "double":
        return number if math.isfinite(number) else None
    if kind != "float":
        return None
    try:
        return float(struct.unpack("f", struct.pack("f", number))[0])
    except OverflowError:
        return None


def comparison(i: Instruction, a: Value, b: Value) -> Value:
    """What `icmp` or `fcmp` says."""
    predicate = i.extra[0]
    if a is None or b is None:
        return None
    if is_any(i, "fcmp"):
        if not isinstance(a, float) or not isinstance(b, float):
            return None
        found = (
            compared(_ORDERED[predicate[1:]], *_as_integers(a, b), 64)
            if predicate[1:] in _ORDERED
            else None
        )
        return None if found is None else int(found)
    if isinstance(a, Address) or isinstance(b, Address):
        return _of_addresses(predicate, a, b)
    width = 64 if i.type == "ptr" else int_bits(i.type)
    if width is None or isinstance(a, float) or isinstance(b, float):
        return None
    return int(compared(predicate, a, b, width))


_ORDERED = {"eq": "eq", "ne": "ne", "gt": "sgt", "ge": "sge", "lt": "slt", "le": "sle"}


def _as_integers(a: float, b: float) -> tuple[int, int]:
    """Integers that compare as two numbers do."""
    return (a > b) - (a < b), 0


def _of_addresses(predicate: str, a: Known, b: Known) -> Value:
    if isinstance(a, Address) and isinstance(b, Address) and a.base == b.base:
        return int(
            compared(
                predicate if predicate in ("eq", "ne") else f"s{predicate[1:]}",
                a.offset,
                b.offset,
                64,
            )
        )
    if predicate not in ("eq", "ne") or not (a == 0 or b == 0):
        return None  # where objects lie is not known
    return int(predicate == "ne")


def cast(i: Instruction, value: Value) -> Value:
    """What a conversion makes of a value."""
    if value is None:
        return None
    source, target = i.extra[0], i.type
    op = i.opcode
    if op in ("bitcast", "inttoptr", "ptrtoint", "addrspacecast", "ptrtoaddr"):
        is_kept = source == target or isinstance(value, Address) or value == 0
        return value if is_kept and not isinstance(value, float) else None
    if isinstance(value, Address):
        return None
    width, before = int_bits(target), int_bits(source)
    if op in ("fpext", "fptrunc"):
        return rounded(float(value), target)
    if op in ("fptosi", "fptoui"):
        whole = math.trunc(value)
        low, high = (
            (-(1 << (width or 1) - 1), 1 << (width or 1) - 1)
            if op == "fptosi"
            else (0, 1 << (width or 1))
        )
        return signed(whole, width) if width and low <= whole < high else None
    if isinstance(value, float) or before is None:
        return None
    number = value % (1 << before) if op in ("zext", "uitofp") else -value if before == 1 else value
    if op in ("sitofp", "uitofp"):
        return (
            rounded(float(number), target) if abs(number) <= 1 << 24 or target == "double" else None
        )
    if op == "trunc":
        number = value
    return signed(number, width) if width is not None else None


# -- functions of numbers alone
def intrinsic(name: str, kind: str, arguments: list[Value]) -> Value:
    """What an intrinsic or a function of the library of C makes of numbers; None where it is not
    followed, or rounds as its library does."""
    base = name.removeprefix("llvm.").partition(".")[0]
    integers = [a for a in arguments if isinstance(a, int)]
    floats = [a for a in arguments if isinstance(a, float)]
    width = int_bits(kind)
    if width is not None and integers and len(integers) == len(arguments):
        of_integers = _INTEGERS.get(base)
        found = None if of_integers is None else of_integers(width, *integers)
        return None if found is None else signed(found, width)
    if kind in _WIDTHS and floats and len(floats) == len(arguments):
        return _of_floats(base, kind, floats)
    return None


def _of_floats(base: str, kind: str, a: list[float]) -> Value:
    if base in ("fmuladd", "fma"):
        exact = Fraction(a[0]) * Fraction(a[1]) + Fraction(a[2])
        fused, apart = rounded(float(exact), kind), rounded(a[0] * a[1], kind)
        if kind == "float" or not isinstance(apart, float):
            return None  # rounding twice may differ
        # a compiler may round once or twice: followed where that is the same
        return fused if base == "fma" or fused == rounded(apart + a[2], kind) else None
    base = base.removesuffix("f") if kind == "float" and base not in _REALS else base
    function = _REALS.get(base)
    if function is None:
        return None
    try:
        return rounded(float(function(*a)), kind)
    except (ValueError, OverflowError):
        return None


def _half_away(x: float) -> float:
    whole = math.floor(abs(x))
    return math.copysign(whole + (abs(x) - whole >= 0.5), x)


_REALS: Mapping[str, Callable[..., float]] = {
    "sqrt": math.sqrt,
    "fabs": abs,
    "floor": math.floor,
    "ceil": math.ceil,
    "trunc": math.trunc,
    "round": _half_away,
    "rint": round,
    "nearbyint": round,
    "fmin": min,
    "fmax": max,
    "minnum": min,
    "maxnum": max,
}
"""Functions that IEEE 754 defines exactly, or rounds correctly."""


def _low(width: int, number: int) -> int:
    return number % (1 << width)


_INTEGERS: Mapping[str, Callable[..., int | None]] = {
    "smax": lambda w, a, b: max(a, b),
    "smin": lambda w, a, b: min(a, b),
    "umax": lambda w, a, b: max(_low(w, a), _low(w, b)),
    "umin": lambda w, a, b: min(_low(w, a), _low(w, b)),
    "abs": lambda w, a, *_: abs(a),
    "labs": lambda w, a: abs(a),
    "ctpop": lambda w, a: _low(w, a).bit_count(),
    "ctlz": lambda w, a, poison: w - _low(w, a).bit_length() if a or not poison else None,
    "cttz": lambda w, a, poison: (a & -a).bit_length() - 1 if a else None if poison else w,
}
