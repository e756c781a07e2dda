"""Structures that the calling convention hands over in one register: two ints are the halves of an
i64.

clang puts the members together with shifts and `or` before a call and takes them apart with shifts
and `trunc` behind it. Here each member is a value of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ..ir.matchers import is_any
from ..ir.types import Function, Instruction, IntLiteral, Operand, Register, int_bits
from .call_graph import Site

_COERCED = re.compile(r"\.coerce\d*\"?$")
_MAX_DEPTH = 24
"""Instructions between a value and the argument that it is a part of."""


class Piece(NamedTuple):
    """Bits `shift` to `shift + width` of parameter `at`; `at` None: of a register whose parts are
    not known."""

    at: int | None
    shift: int
    width: int


def pieces(function: Function) -> Mapping[str, Piece]:
    """Registers that hold one of several parts of a parameter or another register."""
    found: dict[str, Piece] = {}
    sources: list[tuple[int | None, Register]] = [
        (at, p.token) for at, p in enumerate(function.parameters) if p.type[:1] == "i"
    ]
    sources += [
        (None, i.token)
        for i in function.definitions.values()
        if is_any(i, "extractvalue")
        or (is_any(i, "call", "invoke", "load", "phi") and i.type[:1] == "i")
    ]
    for at, token in sources:
        parts = _parts(function.users, token)
        if any(p.shift for p in parts.values()) or (at is not None and _COERCED.search(token)):
            found.update({t: p._replace(at=at) for t, p in parts.items()})
    return found


def whole_of(function: Function, part: Instruction) -> Instruction | None:
    """The instruction whose result a `trunc` takes bits out of, from below or behind a shift."""
    i = function.definitions.get(part.operands[0])
    return function.definitions.get(i.operands[0]) if is_any(i, "lshr") else i


def _parts(users: Mapping[str, tuple[Instruction, ...]], token: Operand) -> dict[str, Piece]:
    found: dict[str, Piece] = {}
    for i in users.get(token, ()):
        width = int_bits(i.type)
        if is_any(i, "trunc") and width is not None:
            found[i.token] = Piece(None, 0, width)
        elif (
            is_any(i, "lshr")
            and i.operands[0] == token
            and isinstance(by := i.operands[1], IntLiteral)
        ):
            found.update(
                {
                    cut.token: Piece(None, by.value, bits)
                    for cut in users.get(i.token, ())
                    if is_any(cut, "trunc") and (bits := int_bits(cut.type)) is not None
                }
            )
    return found


class Source(NamedTuple):
    """What some bits of a register are: a number (`value`), a whole register (`token`), or part of
    a parameter (`piece`)."""

    value: int | None = None
    token: Operand | None = None
    piece: Piece | None = None


_ZERO = Source(0)


def source(
    function: Function, token: Operand, shift: int, width: int, depth: int = 0
) -> Source | None:
    """Where the number in some bits of a register comes from; None where the bits cannot be told
    apart."""
    if isinstance(token, IntLiteral):
        bits = token.value >> shift & (1 << width) - 1
        return Source(bits - (1 << width) if bits >> (width - 1) else bits)
    if token in ("undef", "poison"):
        return _ZERO
    i = function.definitions.get(token)
    if i is None:
        at = next((k for k, p in enumerate(function.parameters) if p.token == token), None)
        if at is None:
            return None
        if shift == 0 and width == int_bits(function.parameters[at].type):
            return Source(token=token)  # a whole argument, which callers hand over as such
        return Source(piece=Piece(at, shift, width))
    own = int_bits(i.type)
    if own is None or depth > _MAX_DEPTH:
        return None
    if shift == 0 and width == own:
        return Source(token=token)
    if is_any(i, "or"):
        left, right = (source(function, o, shift, width, depth + 1) for o in i.operands)
        return right if left == _ZERO else left if right == _ZERO else None
    origin = _origin(i, own, shift, width)
    if origin is None or isinstance(origin, Source):
        return origin
    return source(function, i.operands[0], origin, width, depth + 1)


def _origin(i: Instruction, own: int, shift: int, width: int) -> Source | int | None:
    """The first of the same bits in the first operand of an instruction of `own` bits, or the
    number that they are."""
    last = i.operands[-1] if len(i.operands) > 1 else None
    by = last.value if isinstance(last, IntLiteral) else None
    match i.opcode:
        case "and" if by is not None:
            mask = by >> shift & (1 << width) - 1
            return _ZERO if mask == 0 else shift if mask == (1 << width) - 1 else None
        case "shl" if by is not None and shift + width <= by:
            return _ZERO
        case "shl" if by is not None and shift >= by:
            return shift - by
        case "lshr" if by is not None and shift + by + width <= own:
            return shift + by
        case "trunc" if shift + width <= own:
            return shift
        case "zext" | "sext":
            inner = int_bits(i.extra[0])
            if inner is not None and shift + width <= inner:
                return shift
            return _ZERO if inner is not None and shift >= inner and is_any(i, "zext") else None
    return None


def handed_pieces(
    functions: Mapping[str, Function], sites: Iterable[Site]
) -> Mapping[str, frozenset[Piece]]:
    """The parts of each function's arguments that it takes apart, or hands on to one that does."""
    found = {
        name: {p for p in pieces(f).values() if p.at is not None} for name, f in functions.items()
    }
    waiting = [s for s in sites if s.caller in functions and s.callee in functions]
    changed = True
    while changed:
        changed = False
        for s in waiting:
            for piece in tuple(found[s.callee]):
                if piece.at is None or piece.at + 1 >= len(s.instruction.operands):
                    continue
                own = source(
                    functions[s.caller],
                    s.instruction.operands[piece.at + 1],
                    piece.shift,
                    piece.width,
                )
                if own is not None and own.piece is not None and own.piece not in found[s.caller]:
                    found[s.caller].add(own.piece)
                    changed = True
    return {name: frozenset(some) for name, some in found.items()}
