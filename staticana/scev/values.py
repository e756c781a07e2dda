"""The value of a register, and what a load finds in memory, as the analysis knows them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import gcd
from typing import NamedTuple

from ..alias.memory_location import UnderlyingObject
from ..expr import ONE, ZERO, Expr, sym, symbols
from ..expr.predicates import literal
from ..ir.types import Instruction, Operand

NO_PRECONDITIONS: frozenset[Expr] = frozenset()


def is_float(kind: str) -> bool:
    """Is it a type of floating-point numbers, or of vectors, arrays or structures?"""
    return kind in ("float", "double", "half", "x86_fp80", "fp128") or kind[0] in "<[{"


@dataclass(frozen=True)
class Value:
    """A formula and what must be >= 0 for it to be right."""

    expr: Expr
    preconditions: frozenset[Expr] = NO_PRECONDITIONS


@dataclass(frozen=True)
class Real:
    """A real number of which a register holds the nearest one that it can.

    floor, ceiling: the whole numbers next to it. nearest: the one that it is rounded to, halves
    away from zero. whole: it rounded towards zero. needs: what must be >= 0 for that. gap: how far
    it is from all whole numbers at least, where it is none; lost: how far the register may be from
    it. is_small: it fits an int, as a root and a logarithm do.
    """

    floor: Expr
    ceiling: Expr
    nearest: Expr | None
    whole: Expr
    needs: frozenset[Expr]
    gap: Fraction = Fraction(0)
    lost: Fraction = Fraction(0)
    is_small: bool = False


def is_given(value: Value) -> bool:
    """Is it a formula of what a function is handed and of what it finds in memory alone?"""
    return all(
        symbols.is_loaded(s) or symbols.as_argument(s) is not None or symbols.is_from_outside(s)
        for s in value.expr.symbols.union(*(n.symbols for n in value.preconditions))
    )


@dataclass(frozen=True)
class RowField:
    """A field of a container that is an element of another one: its value, and the bytes that its
    own elements take."""

    value: Value
    bytes: Expr
    preconditions: frozenset[Expr] = NO_PRECONDITIONS


Place = tuple[UnderlyingObject, int | None]
Places = frozenset[Place] | None
"""Where a container may be; None: anywhere."""


@dataclass(frozen=True)
class Window:
    """Blocks of a function in which rows are made, but not filled yet: up to the end of a loop."""

    function: str
    header: str


@dataclass(frozen=True)
class RowEvent:
    """What happens to rows of a type. kind: a marker; container: where what holds the rows may be;
    value: bytes, None where they are not known, with the symbol `index` for the row's number;
    other: for `SAME`, the other container."""

    kind: str
    number: int
    container: Places
    value: Value | None
    other: Places = None
    window: Window | None = None
    index: str | None = None

    def in_terms_of(self, names: Mapping[str, Expr]) -> RowEvent:
        """With other names of the program's parameters."""
        if self.value is None:
            return self
        needs = frozenset(n.substitute(names) for n in self.value.preconditions)
        return replace(self, value=Value(self.value.expr.substitute(names), needs))


class Answer(NamedTuple):
    """An integer that a library function writes: where, the integer's type, and its value."""

    address: Operand
    type: str
    value: Expr


class Since(NamedTuple):
    """The writes that a load sees: `writes` tells them from others in their function; the value may
    differ between executions of `block`."""

    writes: str
    block: str


@dataclass(frozen=True)
class Reached:
    """What a load sees: `value`; else what was there on entry (`on_entry`); else something unknown.

    `outside`: unknown functions called in between, taken not to write there. `since`: where the
    writes are known but not what they leave, which they are; loads that see the same writes see one
    value. `by`: the call that has written last, of which it is not known what it leaves.
    """

    value: Value | None = None
    on_entry: bool = False
    outside: frozenset[str] = frozenset()
    since: Since | None = None
    by: Instruction | None = None


UNREACHED = Reached()
"""Nothing is known of what a load sees."""


class PointerTable(NamedTuple):
    """What a load yields by what it reads: `values` at each offset in bytes that `offset` may be,
    None where it is not known. At other offsets stands nothing that a program may read."""

    offset: Expr
    values: Mapping[int, Expr | None]

    @property
    def reached(self) -> Iterator[tuple[int, Expr | None]]:
        """The entries that the offset may be that of: of a table of structures, one member."""
        step = 0
        for monomial, coefficient in self.offset.terms.items():
            if monomial:
                step = gcd(step, coefficient) if isinstance(coefficient, int) else 1
        start = self.offset.terms.get((), 0)
        for at, value in self.values.items():
            if not isinstance(start, int) or (
                at == start if step == 0 else not (at - start) % step
            ):
                yield at, value

    def calls(self, function: str) -> Expr | None:
        """1 where a call of what is read goes to a function, else 0; None where an entry may be
        that one or another, or none is known. `function`: its symbol."""
        entries, total = list(self.reached), ZERO
        if not entries:
            return None
        for at, value in entries:
            found = None if value is None else shares(value)
            if found is None:
                return None
            if function in found:
                total = total + literal("eq", self.offset - at).indicator() * found[function]
        return total


def shares(value: Expr) -> Mapping[str, Expr] | None:
    """Which functions, or other globals, a pointer may be, by their symbols, and for each a formula
    that is 1 where it is the one, else 0: `n > 9 ? fast : slow`. Nothing for null; None for other
    pointers."""
    found: dict[str, Expr] = {}
    rest = value
    for name in sorted(s for s in value.symbols if symbols.global_name(s) is not None):
        line = value.affine_in(name)
        if line is None:
            return None
        found[name] = line[0]
        rest = rest - found[name] * sym(name)
    # an address beside a function's is another one that is not called
    whole = sum(found.values(), ZERO)
    return found if rest == ZERO and whole in (ZERO, ONE) else None
