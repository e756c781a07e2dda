"""What a loop leaves in an object: the stores of one iteration, summed over all of them.

The body's stores are pieces over the iteration number. Where an address is affine in it, the loop
adds an axis to the piece, in either direction and with any stride. Two stores hide each other by
the distance of the iterations in which they come to one element. What an iteration reads of the
object is what stood there before the loop, or what the iteration before has stored there: then the
elements are the values of a recurrence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from ..closed_forms.iteration_preconditions import for_all_iterations
from ..closed_forms.recurrences import closed_forms
from ..expr import ONE, ZERO, Expr, step, sym, symbols
from ..scev.values import Value
from .contents import Axis, Here, Piece, are_apart, positive


@dataclass(frozen=True)
class Read:
    """What an iteration reads of the object: at an offset over the iteration number, behind some of
    the stores of the same iteration, by their places in the body."""

    offset: Expr
    behind: frozenset[int]


@dataclass(frozen=True)
class Iterations:
    """The iterations 0 .. number - 1 of a loop, the facts of each of them, and what the object held
    at an offset before them. varying: the symbols of a formula that another iteration changes."""

    index: str
    number: Expr
    here: Here
    before: Callable[[Expr, Here], Value | None]
    varying: Callable[[Expr], Sequence[str]]

    @property
    def last(self) -> Expr:
        """The number of the last iteration, where there is one."""
        return positive(self.number) - 1

    @property
    def inside(self) -> Here:
        """What holds in each iteration."""
        i = sym(self.index)
        return self.here.plus(i).plus(self.last - i).plus(self.last)


def left_by_iterations(
    body: Sequence[Piece], reads: Mapping[str, Read], loop: Iterations
) -> list[Piece] | None:
    """The pieces that a loop leaves, latest first; None where it is not known how they lie.

    Args:
        body: the stores of one iteration over its number, latest first.
        reads: what stands in their formulas for values that are read of the object itself.
    """
    known = [_without_reads(at, body, reads, loop) for at in range(len(body))]
    pieces: list[Piece] = []
    for piece in known:
        found = _over(piece, loop)
        if found is None:
            return None
        pieces.append(found)
    return _in_order(known, pieces, loop)


# -- what the stores read of the object
def _without_reads(
    at: int, body: Sequence[Piece], reads: Mapping[str, Read], loop: Iterations
) -> Piece:
    """A store of the body with the values that it reads of the object put in; its value is None
    where one of them is not known."""
    piece = body[at]
    if piece.value is None:
        return piece
    own = {s for e in piece.formulas() for s in loop.varying(e)} - {loop.index}
    own -= {a.index for a in piece.axes}
    if not own:
        return piece
    unknown = replace(piece, value=None, guard=ONE, needs=frozenset())
    if not own <= reads.keys() or piece.axes or not own.isdisjoint(piece.guard.symbols):
        return unknown
    values: dict[str, Expr] = {}
    needs = piece.needs
    carried: list[str] = []
    for name in sorted(own):
        if _sees_before(reads[name], body, loop):
            found = loop.before(reads[name].offset, loop.inside)
            if found is None:
                return unknown
            values[name] = found.expr
            needs |= found.preconditions
        else:
            carried.append(name)
    if carried:
        if len(carried) > 1 or not _is_previous(at, carried[0], body, reads, loop):
            return unknown
        value = piece.value.substitute(values)
        found = _recurrence(value, carried[0], reads, loop) if piece.guard == ONE else None
        if found is None:
            return unknown
        values[carried[0]] = found.expr
        needs |= found.preconditions
    value = piece.value.substitute(values)
    return replace(piece, value=value, needs=frozenset(n.substitute(values) for n in needs))


def _sees_before(read: Read, body: Sequence[Piece], loop: Iterations) -> bool:
    """Does every iteration read what stood there before the loop?"""
    return all(_misses(read, at, piece, loop) for at, piece in enumerate(body))


def _misses(read: Read, at: int, piece: Piece, loop: Iterations) -> bool:
    """Is what is read never what a store of this or an earlier iteration has left?"""
    distance = _distance(piece, read.offset, loop)
    if distance is not None:
        number = distance.constant
        if number is not None and Fraction(number).denominator != 1:
            return True
        ahead = -distance - (1 if at in read.behind else 0)
        return loop.inside.holds(ahead) or loop.inside.holds(distance - loop.last - 1)
    whole = _over(piece, loop)
    place = _over(Piece(read.offset, ZERO), loop)
    return whole is not None and place is not None and are_apart(whole, place, loop.inside)


def _distance(piece: Piece, offset: Expr, loop: Iterations) -> Expr | None:
    """How many iterations before it is read at an offset a store comes to that element; None where
    this is no number for all of them."""
    if piece.axes:
        return None
    stored, read = piece.offset.affine_in(loop.index), offset.affine_in(loop.index)
    if stored is None or read is None or stored[0] != read[0]:
        return None
    stride = stored[0].constant
    if not stride:
        return None
    return (stored[1] - read[1]) * Fraction(1, int(stride))


def _is_previous(
    at: int, name: str, body: Sequence[Piece], reads: Mapping[str, Read], loop: Iterations
) -> bool:
    """Does an iteration read what this store has left in the one before, and nothing else?"""
    read = reads[name]
    others = (_misses(read, k, p, loop) for k, p in enumerate(body) if k != at)
    if _distance(body[at], read.offset, loop) != ONE:
        line = read.offset.affine_in(loop.index)
        if line is None or line[0] != ZERO or body[at].offset != read.offset or at in read.behind:
            return False
    return all(others)


def _recurrence(
    value: Expr, name: str, reads: Mapping[str, Read], loop: Iterations
) -> Value | None:
    """What an iteration reads that the one before has stored: x(i) of x(i + 1) = value(x(i), i)."""
    first = loop.before(reads[name].offset.substitute({loop.index: ZERO}), loop.here)
    if first is None or loop.varying(first.expr):
        return None
    closed = closed_forms({name: value}, {name: first.expr}, loop.index).get(name)
    return None if closed is None else Value(closed, first.preconditions)


# -- one store over all iterations
def _over(piece: Piece, loop: Iterations) -> Piece | None:
    """What a store leaves that is made in each iteration; None where it is not known where."""
    line = piece.offset.affine_in(loop.index)
    if line is None or any(loop.varying(e) for e in line):
        return None
    if any(loop.index in a.stride.symbols for a in piece.axes):
        return None
    if any(loop.varying(e) for a in piece.axes for e in (a.stride, a.number)):
        return None
    stride, start = line
    if any(loop.varying(e) for e in piece.formulas()):
        piece = replace(piece, value=None, guard=ONE, needs=frozenset())
    needs, broken = for_all_iterations(piece.needs, loop.index, loop.last, loop.inside.known)
    if broken is not None:
        piece = replace(piece, value=None, needs=frozenset())
    else:
        piece = replace(piece, needs=needs)
    if stride == ZERO:
        return _last(piece, loop)
    if not _are_rows_apart(piece, stride, loop):
        return None
    own = symbols.nested(loop.index)
    rename = {loop.index: sym(own)}
    if loop.here.holds(-stride):  # the last iteration stores the first element
        rename, start, stride = (
            {loop.index: loop.last - sym(own)},
            start + stride * loop.last,
            -stride,
        )
    elif not loop.here.holds(stride):
        return None
    moved = replace(piece, offset=ZERO).mapped(lambda e: e.substitute(rename))
    axis = Axis(own, stride, loop.number)
    return _flat(replace(moved, offset=start, axes=(axis, *moved.axes)))


def _last(piece: Piece, loop: Iterations) -> Piece | None:
    """What stays of a store that goes to the same place in each iteration: the last one."""
    last = {loop.index: loop.last}
    if loop.index in piece.guard.symbols:
        return None
    for a in piece.axes:  # the last iteration stores to all that the others have stored to
        if not loop.inside.holds(a.number.substitute(last) - a.number):
            return None
    piece = replace(
        piece, axes=tuple(replace(a, number=a.number.substitute(last)) for a in piece.axes)
    )
    value = None if piece.value is None else piece.value.substitute(last)
    return replace(piece, value=value, guard=piece.guard * step(loop.last))


def _are_rows_apart(piece: Piece, stride: Expr, loop: Iterations) -> bool:
    """Do two iterations store to different elements?"""
    if not piece.axes:
        return True
    inside = loop.inside
    for a in piece.axes:
        inside = inside.plus(a.length - 1)
    return inside.holds(stride - piece.extent - 1)


def _flat(piece: Piece) -> Piece:
    """Rows that lie behind each other without a gap as one row, where one formula tells all."""
    if len(piece.axes) != 2:
        return piece
    outer, inner = piece.axes
    if outer.stride != inner.stride * inner.length or outer.index in inner.number.symbols:
        return piece
    column = {inner.index: sym(inner.index) - inner.length * sym(outer.index)}
    changed = piece.mapped(lambda e: e.substitute(column))
    if any(
        outer.index in e.symbols for e in (changed.value or ZERO, changed.guard, *changed.needs)
    ):
        return piece
    axis = Axis(inner.index, inner.stride, outer.number * inner.number)
    return replace(changed, offset=piece.offset, axes=(axis,))


# -- which store hides which
def _in_order(
    body: Sequence[Piece], pieces: Sequence[Piece], loop: Iterations
) -> list[Piece] | None:
    """The pieces in the order in which they hide each other, latest first; None where neither of
    two hides the other for all elements that they share."""
    above: dict[int, set[int]] = {at: set() for at in range(len(pieces))}
    for later in range(len(pieces)):
        for earlier in range(later + 1, len(pieces)):
            if are_apart(pieces[later], pieces[earlier], loop.inside):
                continue
            distance = _distance(body[earlier], body[later].offset, loop)
            if distance is None and not _is_one_place(body[later], body[earlier], loop):
                return None
            apart = ZERO if distance is None else -distance
            number = apart.constant
            if number is not None and Fraction(number).denominator != 1:
                continue
            # the earlier store of the body comes to an element `apart` iterations after the later
            if loop.inside.holds(-apart):
                above[earlier].add(later)
            elif loop.inside.holds(apart - 1):
                above[later].add(earlier)
            else:
                return None
    found: list[Piece] = []
    left = list(range(len(pieces)))
    while left:
        at = next((k for k in left if above[k].isdisjoint(left)), None)
        if at is None:
            return None
        left.remove(at)
        found.append(pieces[at])
    return found


def _is_one_place(a: Piece, b: Piece, loop: Iterations) -> bool:
    """Do two stores go to the same elements in each iteration?"""
    return a.offset == b.offset and loop.index not in a.offset.symbols and a.axes == b.axes
