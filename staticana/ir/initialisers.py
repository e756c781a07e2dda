"""Constants in the initialisers of globals, found by type and byte offset.

An initialiser nests as its type does: `{ i32, [2 x i64] } { i32 1, [2 x i64] [i64 2, i64 3] }`.
Source: LLVM Language Reference, "Complex Constants".
"""

from __future__ import annotations

import re
from functools import lru_cache

from ..expr import ZERO, Expr, expr
from .data_layout import Layout
from .tokens import split_top, split_type
from .types import IntLiteral, operand

_MAX_DEPTH = 24
"""Structures and arrays, one inside the other, in an initialiser."""


def number_at(layout: Layout, kind: str, text: str, offset: int, wanted: str) -> Expr | None:
    """The number at an offset of an initialiser."""
    found = constant_at(layout, kind, text, offset, wanted)
    if found == "zeroinitializer" or found == "null":
        return ZERO
    number = operand(found) if found is not None else None
    return expr(number.value) if isinstance(number, IntLiteral) else None


def text_of(text: str) -> bytes | None:
    """The bytes of a text, from the initialiser c"..." of an array; None where it is another."""
    if not (text.startswith('c"') and text.endswith('"')):
        return None
    escaped = re.sub(r"\\\\|\\([0-9A-Fa-f]{2})", _unescaped, text[2:-1])
    return escaped.encode("latin-1", errors="replace")


def _unescaped(found: re.Match[str]) -> str:
    return "\\" if found[1] is None else chr(int(found[1], 16))


@lru_cache(maxsize=256)
def _parts(text: str) -> tuple[str, ...]:
    """The elements of an array or a structure: what is asked for at one offset of a table is asked
    for at the next one."""
    return tuple(split_top(text.strip()[1:-1]))


def constant_at(
    layout: Layout, kind: str, text: str, offset: int, wanted: str, depth: int = 0
) -> str | None:
    """What stands at an offset of an initialiser, as text; "zeroinitializer" for any zero."""
    size = layout.size(kind)
    if depth > _MAX_DEPTH or size is None or not 0 <= offset < size:
        return None
    if text == "zeroinitializer" or text == "null":
        return text
    if kind == wanted:
        return text
    parts = _parts(text) if text[:1] in "[{" else ()
    if layout.is_struct(kind):
        for at, part in enumerate(parts):
            field = layout.offset(kind, at)
            if field is not None and field[0] <= offset < field[0] + (layout.size(field[1]) or 0):
                return constant_at(
                    layout, field[1], split_type(part)[1], offset - field[0], wanted, depth + 1
                )
        return None
    inner = layout.element(kind)
    each = layout.size(inner) if inner else None
    if not each or not inner or offset // each >= len(parts):
        return None
    return constant_at(
        layout, inner, split_type(parts[offset // each])[1], offset % each, wanted, depth + 1
    )
