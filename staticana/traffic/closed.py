"""Footprints of loops as formulas, where there is a closed one.

References to one object with equal coefficients are a uniformly generated set (Wolf and Lam, PLDI
1991); those whose distance is a constant share their lines but for a few, and count once. Ranges
begin anywhere in a line: one of b bytes touches (b - e)/64 + 1 lines on average, with elements of
e bytes. Formulas leave out what differs by a constant number of lines for each range.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..expr import ONE, Expr, TooComplex, expr
from .machine_code import LINE
from .references import LoopNode, Node, Reference, unguarded

Chain = tuple[LoopNode, ...]


def footprint(body: Sequence[Node]) -> Expr | None:
    """Distinct lines of one execution of a body; None where there is no closed formula: trip counts
    that depend on loops inside, objects that are reached by several kinds of subscripts."""
    try:
        return _footprint(body)
    except TooComplex:
        return None


def _footprint(body: Sequence[Node]) -> Expr | None:
    total = expr(0)
    groups: dict[str, tuple[Reference, Chain, object]] = {}
    for reference, chain in _references(body):
        steps = _steps(reference, chain)
        if steps is None or reference.spread is not None or reference.row is not None:
            return None
        shape = tuple(sorted((str(step), str(loop.trips)) for loop, step in steps))
        known = groups.get(reference.object)
        if known is None:
            groups[reference.object] = (reference, chain, shape)
        elif known[2] != shape or not _is_near(known[0], known[1], reference, chain):
            return None
    for reference, chain, _ in groups.values():
        lines = _lines(reference, _steps(reference, chain) or [])
        if lines is None:
            return None
        total = total + lines
    return total


def _references(body: Sequence[Node]) -> Iterator[tuple[Reference, Chain]]:
    for node in unguarded(body):
        if isinstance(node, Reference):
            yield node, ()
        else:
            yield from node.references()


def _steps(reference: Reference, chain: Chain) -> list[tuple[LoopNode, Expr]] | None:
    """The loops that change the address, with bytes per iteration; None unless the address is
    affine and the trip counts of the chain do not depend on its own loops."""
    own = {loop.index for loop in chain}
    found: list[tuple[LoopNode, Expr]] = []
    for loop in chain:
        if loop.trips.symbols & own:
            return None
        parts = reference.offset.split(loop.index)
        if parts is None or set(parts) - {0, 1} or parts.get(1, expr(0)).symbols & own:
            return None
        if parts.get(1):
            found.append((loop, parts[1]))
    return found


def _is_near(a: Reference, inside: Chain, b: Reference, chain: Chain) -> bool:
    """Is the distance of two references a constant number of bytes, of a line at most?"""
    start_a = a.offset.substitute({loop.index: expr(0) for loop in inside})
    start_b = b.offset.substitute({loop.index: expr(0) for loop in chain})
    distance = (start_a - start_b).constant
    return distance is not None and abs(int(distance)) <= LINE and a.size == b.size


def _lines(reference: Reference, steps: list[tuple[LoopNode, Expr]]) -> Expr | None:
    """Lines of one reference: a range of the smallest step's loop for each iteration of the
    others."""
    stretched: LoopNode | None = None
    for loop, step in steps:
        number = _bytes(step)
        if number is not None and 0 < number <= LINE:
            if stretched is not None:
                return None
            stretched = loop
    separate = ONE
    row = ONE
    for loop, step in steps:
        if loop is stretched:
            number = _bytes(step)
            assert number is not None
            row = ((loop.trips - 1) * number).over(LINE) + 1
        else:
            separate = separate * loop.trips
    others = [(loop, step) for loop, step in steps if loop is not stretched]
    if stretched is not None and len(others) == 1:
        # rows that lie one behind the other are one range
        number = _bytes(dict(steps)[stretched])
        if number is not None and others[0][1] == stretched.trips * number:
            whole = others[0][0].trips * stretched.trips
            return (whole * number - reference.size).over(LINE) + 1
    return separate * row


def _bytes(step: Expr) -> int | None:
    """The length of a step that is a number."""
    number = step.constant
    return None if number is None else abs(int(number))


def largest(e: Expr, name: str, lines: int) -> int | None:
    """The largest value of the only symbol for which a formula that grows is at most `lines`; None
    where it has others, or never exceeds them."""
    if e.symbols != {name}:
        return None

    def fits(value: int) -> bool:
        return e.evaluate({name: value}) <= lines

    low, high = 0, 1
    while fits(high):
        low, high = high, 2 * high
        if high > 1 << 50:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low
