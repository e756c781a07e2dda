"""Footprints of loops as formulas, where there is a closed one.

References to one object with equal coefficients are a uniformly generated set (Wolf and Lam, PLDI
1991); those whose distance is a constant share their lines but for a few, and count once. Ranges
begin anywhere in a line: one of b bytes touches (b - e)/64 + 1 lines on average, with elements of
e bytes. Formulas leave out what differs by a constant number of lines for each range.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ..expr import ONE, Expr, TooComplex, expr, maximum
from .access_tree import AccessNode, LoopNode, TreeNode, unguarded
from .machine_code import LINE

Chain = tuple[LoopNode, ...]


def footprint(body: Sequence[TreeNode]) -> Expr | None:
    """Distinct lines of one execution of a body; None where there is no closed formula: trip counts
    that depend on loops inside, objects that are reached by several kinds of subscripts."""
    try:
        found = _grouped(body)
        return _sum(found.every) if found.is_complete and found.are_apart else None
    except TooComplex:
        return None


def footprint_bounds(body: Sequence[TreeNode]) -> tuple[Expr, Expr | None]:
    """The least and the most distinct lines that one execution of a body may touch: of an object
    that is reached by several kinds of subscripts those of one kind, and of all. None: no bound."""
    try:
        found = _grouped(body)
        lower = expr(0)
        for groups in found.objects.values():
            lines = [n for g in groups if (n := _lines(g.access, g.steps)) is not None]
            lower = lower + (maximum(*lines) if lines else expr(0))
        return lower, _sum(found.every) if found.is_complete else None
    except TooComplex:
        return expr(0), None


def _sum(groups: Iterable[_Group]) -> Expr | None:
    total = expr(0)
    for group in groups:
        lines = _lines(group.access, group.steps)
        if lines is None:
            return None
        total = total + lines
    return total


@dataclass(frozen=True)
class _Grouped:
    """Object -> its groups of references. is_complete: no reference is left out; are_apart: no two
    groups of an object may share lines."""

    objects: dict[str, list[_Group]]
    is_complete: bool
    are_apart: bool

    @property
    def every(self) -> Iterator[_Group]:
        """All groups."""
        return (g for groups in self.objects.values() for g in groups)


def _grouped(body: Sequence[TreeNode]) -> _Grouped:
    objects: dict[str, list[_Group]] = {}
    is_complete = are_apart = True
    for access, chain in _accesses(body):
        steps = _steps(access, chain)
        place = access.place
        if steps is None or place.spread is not None or place.row is not None:
            is_complete = False
            continue
        one = _Group(access, chain, steps)
        for key in place.objects:
            known = objects.setdefault(key, [])
            how = [_relation(one, other) for other in known]
            are_apart &= _UNKNOWN not in how
            if _SAME not in how:
                known.append(one)
    return _Grouped(objects, is_complete, are_apart)


@dataclass(frozen=True, eq=False)
class _Group:
    """References that share their lines, by one of them."""

    access: AccessNode
    chain: Chain
    steps: list[tuple[LoopNode, Expr]]

    @property
    def shape(self) -> tuple[tuple[str, str], ...]:
        return tuple(sorted((str(step), str(loop.trips)) for loop, step in self.steps))

    @property
    def start(self) -> Expr:
        return self.access.place.offset.substitute({loop.index: expr(0) for loop in self.chain})


_SAME, _APART, _UNKNOWN = range(3)
_ROWS = 8
"""References whose distance is at most so many steps of a loop share their lines, but for as many
iterations."""


def _relation(a: _Group, b: _Group) -> int:
    """Do two groups of one object share their lines?

    Those of fewer loops than the other touch little beside it; rows whose distance is no multiple
    of a step inside are different rows.
    """
    if a.shape != b.shape:
        one, other = ({loop.index for loop, _ in g.steps} for g in (a, b))
        return _APART if one < other or other < one else _UNKNOWN
    distance = a.start - b.start
    number = distance.constant
    if number is not None and abs(int(number)) <= LINE:
        return _SAME
    for _, step in a.steps:
        if any(distance == step * k for k in range(-_ROWS, _ROWS + 1)):
            return _SAME
    return _APART if number is None or not a.steps else _UNKNOWN


def _accesses(body: Sequence[TreeNode]) -> Iterator[tuple[AccessNode, Chain]]:
    for node in unguarded(body):
        if isinstance(node, AccessNode):
            yield node, ()
        else:
            yield from node.accesses()


def _steps(access: AccessNode, chain: Chain) -> list[tuple[LoopNode, Expr]] | None:
    """The loops that change the address, with bytes per iteration; None unless the address is
    affine and the trip counts of the chain do not depend on its own loops."""
    own = {loop.index for loop in chain}
    found: list[tuple[LoopNode, Expr]] = []
    for loop in chain:
        if loop.trips.symbols & own:
            return None
        line = access.place.offset.affine_in(loop.index)
        if line is None or line[0].symbols & own:
            return None
        if line[0]:
            found.append((loop, line[0]))
    return found


def _lines(access: AccessNode, steps: list[tuple[LoopNode, Expr]]) -> Expr | None:
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
            return (whole * number - access.size).over(LINE) + 1
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
