"""Arithmetic of integers of fixed width, as instructions do it.

Numbers are the signed ones that the bits stand for. Source: LLVM Language Reference, "Binary
Operations", "Bitwise Binary Operations", and "icmp".
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping

_COMPARISONS: Mapping[str, Callable[[int, int], bool]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    **{f"{sign}gt": operator.gt for sign in "us"},
    **{f"{sign}ge": operator.ge for sign in "us"},
    **{f"{sign}lt": operator.lt for sign in "us"},
    **{f"{sign}le": operator.le for sign in "us"},
}
_SIMPLE: Mapping[str, Callable[[int, int], int]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
}


def signed(number: int, width: int) -> int:
    """The number that the lowest bits of another are; that of one bit is 0 or 1."""
    low = number & ((1 << width) - 1)
    return low - (1 << width) if width > 1 and low >> (width - 1) else low


def compared(predicate: str, a: int, b: int, width: int) -> bool:
    """What a comparison says of two numbers."""
    if predicate[0] == "u":
        a, b = a % (1 << width), b % (1 << width)
    return _COMPARISONS[predicate](a, b)


def computed(op: str, a: int, b: int, width: int) -> int | None:
    """What an operation of integers yields, before it is cut to their width; None where it is
    poison or ends the program."""
    simple = _SIMPLE.get(op)
    if simple is not None:
        return simple(a, b)
    low, lower = a % (1 << width), b % (1 << width)
    if op in ("shl", "lshr", "ashr"):
        if lower >= width:
            return None
        return low << lower if op == "shl" else (low if op == "lshr" else a) >> lower
    if op in ("udiv", "urem"):
        return None if not lower else low // lower if op == "udiv" else low % lower
    if op in ("sdiv", "srem"):
        if not b:
            return None
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        return quotient if op == "sdiv" else a - quotient * b
    return None
