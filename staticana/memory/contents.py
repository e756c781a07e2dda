"""What an object holds, as pieces laid one over the other: array SSA with formulas.

A piece is what one store leaves, summed over the loops around it: at ``offset + sum stride_k i_k``
stands ``value(i)`` wherever ``guard(i)`` is 1, for all ``0 <= i_k < number_k``. The contents of an
object are pieces in the order in which they hide each other, latest first, above what the object
held at first. A read walks down: what a piece holds counts where no piece above it was hit, and the
walk ends where nothing is left. Which pieces are hit is a product of indicators, so that a read
with a subscript that varies is one formula with a case for each piece.

Sources: K. Knobe and V. Sarkar, "Array SSA form and its use in parallelization", POPL 1998; P.
Cousot, R. Cousot and F. Logozzo, "A parametric segmentation functor", POPL 2011.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from ..closed_forms.index_range import unguarded
from ..expr import (
    ONE,
    ZERO,
    Assumptions,
    Expr,
    Monomial,
    Number,
    choose,
    expr,
    floor_div,
    from_atom,
    is_integer,
    is_nonnegative,
    simplify,
    step,
    sym,
)
from ..expr.predicates import literal
from ..expr.quotients import relaxed
from ..scev.values import NO_PRECONDITIONS, Value

_MOST_PIECES = 24
"""Pieces of an object that are told apart."""
_MOST_CASES = 6
"""Pieces that one read may hit."""
_MOST_OFFSETS = 256
"""Elements of an array that are told apart one by one."""
_MOST_CONDITIONS = 3
"""Conditions of one piece that are decided by the subscript."""


class Bottom(Enum):
    """What an object held before all pieces."""

    UNDEFINED = "nothing that a program may read"
    ZEROS = "zeros"
    ON_ENTRY = "what the function found there"
    UNKNOWN = "anything"


@dataclass(frozen=True)
class Axis:
    """One direction in which a piece extends: `number` elements, `stride` bytes apart, by the bound
    symbol `index`. The number may depend on the indices of the axes before it."""

    index: str
    stride: Expr
    number: Expr

    @property
    def length(self) -> Expr:
        """The number of elements where there is one at all."""
        return positive(self.number)


@dataclass(frozen=True)
class Piece:
    """What one store leaves.

    offset: bytes from the start of the object to the first element; axes: outer ones first; value:
    over the indices, None where it is not known; guard: 1 where it is stored, else 0; needs: what
    must be >= 0 for all of that.
    """

    offset: Expr
    value: Expr | None
    axes: tuple[Axis, ...] = ()
    guard: Expr = ONE
    needs: frozenset[Expr] = NO_PRECONDITIONS

    @property
    def is_anywhere(self) -> bool:
        """Is it not known where it is?"""
        return self.value is None and self.guard == ZERO

    def mapped(self, change: Callable[[Expr], Expr]) -> Piece:
        """With each formula changed."""
        return Piece(
            change(self.offset),
            None if self.value is None else change(self.value),
            tuple(Axis(a.index, change(a.stride), change(a.number)) for a in self.axes),
            change(self.guard),
            frozenset(map(change, self.needs)),
        )

    def formulas(self) -> Iterator[Expr]:
        """All of its formulas."""
        yield from self.places()
        yield from self.needs
        if self.value is not None:
            yield self.value

    def places(self) -> Iterator[Expr]:
        """The formulas that say where it is."""
        yield self.offset
        yield self.guard
        for a in self.axes:
            yield from (a.stride, a.number)

    @property
    def extent(self) -> Expr:
        """Bytes from the first to the last element, where all strides are positive."""
        return sum((a.stride * (a.length - 1) for a in self.axes), ZERO)


@dataclass(frozen=True)
class Here:
    """What is known where a formula is evaluated. stepped: the formula over iteration numbers,
    where the facts are of these."""

    known: Assumptions
    stepped: Callable[[Expr], Expr] = lambda e: e

    def holds(self, e: Expr) -> bool:
        """Is a formula known to be at least 0?"""
        over = self.stepped(e)
        below = relaxed(over, -1)  # as the same without rounding: whole numbers above -1
        return (
            is_nonnegative(e, self.known)
            or is_nonnegative(over, self.known)
            or (below != over and is_nonnegative(below * _grain(below), self.known))
        )

    def simplified(self, piece: Piece) -> Piece:
        """A piece whose place is written without guards that are idle."""
        if all(a.is_free for e in piece.places() for a in e.atoms):
            return piece
        axes = tuple(replace(a, number=simplify(a.number, self.known)) for a in piece.axes)
        offset, guard = (simplify(e, self.known) for e in (piece.offset, piece.guard))
        return replace(piece, offset=offset, axes=axes, guard=guard)

    def plus(self, fact: Expr) -> Here:
        """The same where a further formula is at least 0."""
        return replace(self, known=self.known.plus(fact, self.stepped(fact)))


@dataclass(frozen=True)
class Hit:
    """Where a read falls in a piece: the indices, the indicator of its being in there, and the one
    condition that this says is at least 0, if it is one."""

    at: dict[str, Expr]
    inside: Expr
    condition: Expr | None


_MISS = Hit({}, ZERO, None)


@dataclass(frozen=True)
class Contents:
    """Pieces, latest first, over what was there before. size: bytes of an element; entry: of what
    the function found there, the value at an offset."""

    pieces: tuple[Piece, ...]
    bottom: Bottom
    size: int
    entry: Callable[[Expr], Expr] | None = None

    @property
    def is_known(self) -> bool:
        """Is anything known of it?"""
        return bool(self.pieces) or self.bottom is not Bottom.UNKNOWN

    def over(self, below: Contents) -> Contents:
        """These pieces above other contents, where they stand on what was there."""
        if self.bottom is not Bottom.ON_ENTRY:
            return self
        pieces = (*self.pieces, *below.pieces)
        if len(pieces) > _MOST_PIECES:
            return replace(self, bottom=Bottom.UNKNOWN)
        return Contents(pieces, below.bottom, self.size, below.entry)

    def read(self, offset: Expr, here: Here) -> Value | None:
        """What stands at an offset in bytes, by what is known where it is read; None where that is
        not known."""
        if not is_integer(offset * Fraction(1, self.size)):
            return None  # parts of two elements
        cases: list[tuple[Expr, Expr]] = []
        left, needs = ONE, NO_PRECONDITIONS
        for piece in self.pieces:
            piece = here.simplified(piece)
            found = place_in(piece, offset, here)
            if found is None:
                return None
            if found.inside == ZERO or without_weaker(left * found.inside) == ZERO:
                continue
            if piece.value is None or len(cases) == _MOST_CASES:
                return None
            value = piece.value.substitute(found.at)
            inside = found.inside
            rest = without_weaker(left * (1 - inside))
            cases.append((inside if rest != ZERO else ONE, value))
            needs |= {n.substitute(found.at) for n in piece.needs}
            left = rest
            if left == ZERO:
                return Value(_folded(cases), needs)
            if found.condition is not None:
                here = here.plus(-found.condition - 1)
        return self._behind_all(offset, cases, needs)

    def offsets(self) -> list[int] | None:
        """The offsets of all elements that a program may read; None where they are not numbers, or
        many."""
        found: set[int] = set()
        for piece in self.pieces:
            start, axis = piece.offset.constant, piece.axes[0] if piece.axes else None
            stride = axis.stride.constant if axis is not None else 0
            number = axis.number.constant if axis is not None else 1
            if len(piece.axes) > 1 or not (
                isinstance(start, int) and isinstance(stride, int) and isinstance(number, int)
            ):
                return None
            if len(found) + number > _MOST_OFFSETS:
                return None
            found.update(start + stride * k for k in range(number))
        return sorted(found) if self.bottom is Bottom.UNDEFINED else None

    def where_rising(self) -> frozenset[Expr] | None:
        """What must be >= 0 for no element to be below the one before; None where that is not one
        number for all of them."""
        if len(self.pieces) != 1 or len(self.pieces[0].axes) != 1:
            return None
        piece, (axis,) = self.pieces[0], self.pieces[0].axes
        if piece.value is None or piece.guard != ONE:
            return None
        i = sym(axis.index)
        more = piece.value.substitute({axis.index: i + 1}) - piece.value
        if is_nonnegative(more, Assumptions([i])):
            return frozenset()
        if axis.index not in more.symbols:
            return frozenset((more,))
        known = Assumptions([i, *(n - 2 - i for n in _ends(axis))])  # there is one behind it
        return frozenset() if is_nonnegative(simplify(more, known), known) else None

    def _behind_all(
        self, offset: Expr, cases: list[tuple[Expr, Expr]], needs: frozenset[Expr]
    ) -> Value | None:
        """What is read where no piece is hit for certain."""
        if self.bottom is Bottom.ON_ENTRY and not cases and self.entry is not None:
            return Value(self.entry(offset))
        if self.bottom is Bottom.ZEROS:
            return Value(_folded([*cases, (ONE, ZERO)]), needs)
        if self.bottom is not Bottom.UNDEFINED or not cases:
            return None
        # nothing else may be read: it was written
        inside, value = cases[0]
        conditions = _as_conditions(inside) if len(cases) == 1 else None
        if conditions is not None:
            return Value(value, needs | conditions)
        if any(p.axes or p.guard != ONE for p in self.pieces):
            return None
        return Value(_folded(cases), needs)


def place_in(piece: Piece, offset: Expr, here: Here) -> Hit | None:
    """Where an offset falls in a piece; None where that cannot be said."""
    rest = offset - piece.offset
    if not piece.axes:
        return _on_element(piece, rest, here)
    at: dict[str, Expr] = {}
    found: list[Expr] = []  # what says that the offset is in the piece
    inside = ONE
    for depth, axis in enumerate(piece.axes):
        part = _divided(rest, axis.stride.substitute(at), is_last=depth == len(piece.axes) - 1)
        if part is None:
            return None if depth else _MISS  # between two elements
        at[axis.index], rest = part.quotient, part.rest
        inside = inside * part.inside
        length = axis.length.substitute(at)
        own = [c for c in (part.quotient, length - 1 - part.quotient) if not here.holds(c)]
        if part.exact is not None:  # a whole number above -1 is not below 0
            grain = _grain(part.exact)
            sides = (part.exact, length - 1 - part.exact)
            if all(here.holds(c * grain + (grain - 1)) for c in sides):
                own = []
        if own and depth:
            return None  # it may be an element of another row
        found += own
    if rest != ZERO or (found and _is_ragged(piece)) or len(found) > _MOST_CONDITIONS:
        return None
    if any(here.holds(-c - 1) for c in found):
        return _MISS
    is_plain = inside == ONE and piece.guard == ONE
    inside = inside * piece.guard.substitute(at)
    for c in found:
        inside = inside * step(c)
    return Hit(at, inside, found[0] if is_plain and len(found) == 1 else None)


def _on_element(piece: Piece, rest: Expr, here: Here) -> Hit:
    """Whether an offset, less that of a piece of one element, falls on it."""
    if rest == ZERO:
        return Hit({}, piece.guard, None)
    if here.holds(rest - 1) or here.holds(-rest - 1):
        return _MISS
    if here.holds(rest):
        equal = 1 - step(rest - 1)
    elif here.holds(-rest):
        equal = 1 - step(-rest - 1)
    else:
        equal = literal("eq", rest).indicator()
    return Hit({}, equal * piece.guard, None)


def _is_ragged(piece: Piece) -> bool:
    """Have the rows of a piece different lengths?"""
    bound = {a.index for a in piece.axes}
    return any(not bound.isdisjoint(a.number.symbols | a.stride.symbols) for a in piece.axes)


class _Part(NamedTuple):
    """An offset divided by the stride of an axis. inside: 1 where it falls on an element; exact:
    the quotient as it is there, without rounding."""

    quotient: Expr
    rest: Expr
    inside: Expr = ONE
    exact: Expr | None = None


def _divided(e: Expr, stride: Expr, *, is_last: bool) -> _Part | None:
    """An offset by a stride: of the last axis nothing may be left. None where it never falls on an
    element."""
    unit = stride.constant
    if unit is None:
        return _Part(*_by_symbol(e, stride))
    parts = e * Fraction(1, int(unit))
    broken = {m for m, c in parts.terms.items() if Fraction(c).denominator != 1}
    if not broken:
        return _Part(parts, ZERO)
    if not is_last:
        whole = Expr({m: c for m, c in parts.terms.items() if m not in broken})
        if whole.constant is not None:
            whole = floor_div(e, expr(unit))  # one subscript for all axes
        return _Part(whole, e - whole * unit)
    if broken == {()}:
        return None
    constant = int(e.terms.get((), 0))
    rest = -constant % int(unit)
    quotient = floor_div(e - constant, expr(unit)) + (rest + constant) // int(unit)
    return _Part(quotient, ZERO, _is_congruent(e - constant, rest, int(unit)), parts)


def _grain(e: Expr) -> int:
    """The least number whose product with a formula has whole coefficients."""
    return lcm(*(Fraction(c).denominator for c in e.terms.values()))


def _is_congruent(e: Expr, rest: int, divisor: int) -> Expr:
    """1 where a formula leaves this rest, else 0: of two classes, one is what the other leaves."""
    left = e - floor_div(e, expr(divisor)) * divisor
    return step(left - rest) - step(left - rest - 1) if rest else 1 - step(left - 1)


def _by_symbol(e: Expr, stride: Expr) -> tuple[Expr, Expr]:
    """(quotient, rest) of an offset by a stride that is one product of symbols."""
    quotient = floor_div(e, stride)
    taken = Expr({m: c for m, c in quotient.terms.items() if all(a.is_free for a, _ in m)})
    return taken, e - taken * stride


def _ends(axis: Axis) -> list[Expr]:
    """The number of elements, as it is where there are several: n + 1 for Max(0, n) + 1."""
    needs: list[Expr] = [axis.number, axis.length]
    for a in axis.number.atoms:
        bare = unguarded(from_atom(a))[:1]
        if bare and not a.is_least:
            needs.append(axis.number - from_atom(a) + bare[0])
    return needs


def _folded(cases: Sequence[tuple[Expr, Expr]]) -> Expr:
    """The value of the first case that holds; the last one always does."""
    result = cases[-1][1]
    for inside, value in reversed(cases[:-1]):
        result = choose(inside, value, result)
    return result


def _as_conditions(inside: Expr) -> frozenset[Expr] | None:
    """The formulas of which an indicator says that they are at least 0, where it is a product of
    such."""
    if len(inside.terms) != 1:
        rest = (1 - inside).atom
        return frozenset((-rest.parts[0] - 1,)) if rest is not None and rest.is_indicator else None
    ((monomial, factor),) = inside.terms.items()
    if factor != 1 or not all(a.is_indicator for a, _ in monomial):
        return None
    return frozenset(a.parts[0] for a, _ in monomial)


def without_weaker(e: Expr) -> Expr:
    """A formula without conditions that others in the same product imply: [r >= 3] [r >= 4] is
    [r >= 4]."""
    terms: dict[Monomial, Number] = {}
    for monomial, c in e.terms.items():
        conditions = [a for a, _ in monomial if a.is_indicator]
        weaker = {
            a
            for a in conditions
            for b in conditions
            if ((a.parts[0] - b.parts[0]).constant or 0) > 0
        }
        kept = tuple((a, n) for a, n in monomial if a not in weaker)
        terms[kept] = terms.get(kept, 0) + c
    return Expr({m: c for m, c in terms.items() if c})


def positive(number: Expr) -> Expr:
    """A number of iterations where there are any: n for Max(0, n)."""
    bare = unguarded(number)
    atom = number.atom
    is_max = bool(bare) and atom is not None and not atom.is_least
    return bare[0] if is_max else number


# -- how pieces lie to each other
def are_apart(a: Piece, b: Piece, here: Here) -> bool:
    """Have two pieces no element in common?"""
    return here.holds(b.offset - a.offset - a.extent - 1) or here.holds(
        a.offset - b.offset - b.extent - 1
    )


def joined(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """The pieces, single elements beside a row that hold what its formula says there made part of
    it: `a[0] = 0` below `a[i + 1] = a[i] + u`, `row[n] = p` above `row[i] = p`."""
    found: list[Piece] = []
    for piece in pieces:
        if found and (one := _joined(found[-1], piece)) is not None:
            found[-1] = one
        else:
            found.append(piece)
    return tuple(found)


def _joined(above: Piece, below: Piece) -> Piece | None:
    if above.guard != ONE or below.guard != ONE:
        return None
    row, one = (above, below) if above.axes else (below, above)
    if one.axes or len(row.axes) != 1 or one.value is None or row.value is None:
        return None
    (axis,) = row.axes
    needs = row.needs | one.needs
    if axis.index in frozenset[str]().union(*(n.symbols for n in needs)):
        return None
    if one.offset == row.offset - axis.stride:
        if row.value.substitute({axis.index: expr(-1)}) != one.value:
            return None
        longer = replace(axis, number=axis.number + 1)
        value = row.value.substitute({axis.index: sym(axis.index) - 1})
        return Piece(one.offset, value, (longer,), ONE, needs)
    for end in dict.fromkeys((axis.number, axis.length)):
        if one.offset == row.offset + axis.stride * end:
            last = {row.value.substitute({axis.index: e}) for e in (axis.number, axis.length)}
            if one.value not in last:
                return None
            needs |= set() if end == axis.number else {end}
            longer = replace(axis, number=axis.number + 1)
            return Piece(row.offset, row.value, (longer,), ONE, needs)
    return None
