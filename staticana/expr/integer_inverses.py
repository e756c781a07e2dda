"""Logarithms and roots of integers, rounded, by integer arithmetic: floating point fails at powers
of two."""

from __future__ import annotations

import math


def integer_log(base: int, value: int) -> int:
    """The smallest i >= 0 with base ** i >= value."""
    if value <= 1:
        return 0
    if base == 2:
        return (value - 1).bit_length()
    count, reached = 0, 1
    while reached < value:
        reached *= base
        count += 1
    return count


def integer_root(degree: int, value: int) -> int:
    """The largest i >= 0 with i ** degree <= value; 0 where there is none."""
    if value <= 0:
        return 0
    if degree == 2:
        return math.isqrt(value)
    low, high = 0, 1 << (value.bit_length() // degree + 1)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if middle**degree <= value else (low, middle - 1)
    return low
