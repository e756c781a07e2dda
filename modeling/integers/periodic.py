"""Polynomials with periodic constants, written as one rounded quotient."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from looplaw_common.formula.text import normal_text
from looplaw_common.formula.tree import Add, Call, Name, Node, Number, Power

from .write import Terms, floored

_PERIOD = 840
"""A multiple of all divisors that are tried."""


def floor_form(
    names: Sequence[str], terms: Terms, at: Callable[[tuple[int, ...]], Fraction]
) -> str | None:
    """floor(P(n)) for a sum of powers of a parameter and functions of its remainder, if it is
    that; None for other sums."""
    if len(names) != 1:
        return None
    powers = [(c, node) for c, node in terms if _is_power(names[0], node)]
    rest = [(c, node) for c, node in terms if not _is_power(names[0], node)]
    if not rest or not powers or not all(_is_residue(node) for _, node in rest):
        return None

    def smooth(x: int) -> Fraction:
        return sum((c * _value(node, x) for c, node in powers if node != Number(1)), Fraction(0))

    first = [at((x,)) - smooth(x) for x in range(_PERIOD)]
    found = floored([t for t in powers if t[1] != Number(1)], first)
    return None if found is None else normal_text(found)


def _is_power(name: str, node: Node) -> bool:
    base = node.base if isinstance(node, Power) else node
    return node == Number(1) or base == Name(name)


def _is_residue(node: Node) -> bool:
    return (isinstance(node, Call) and node.function == "Mod") or isinstance(node, Add)


def _value(node: Node, x: int) -> int:
    if isinstance(node, Power):
        assert isinstance(node.exponent, Number)
        return int(x ** int(node.exponent.value))
    return x
