"""Integers that a call reads from a word of the command line and writes to a variable:
`sscanf(argv[1], "%d", &n)`, `std::istringstream(argv[1]) >> n`, `std::from_chars`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ...alias.library import source_name
from ...expr import Expr
from ...ir import cxx_names as cxx
from ...ir.graph import callee
from ...ir.matchers import is_alloca, is_any, is_load
from ...ir.types import GlobalRef, Instruction, IntLiteral, Operand
from ...scev.context import FunctionContext
from .string_texts import string_text

_CONVERSION = re.compile(r'c"\s*%(hh|h|ll|l|j|z|t|)([du])\s*(?:\\0A)?\\00"')
"""A format that reads one integer, and nothing before it (decimal): its length, its sign."""
_LENGTHS = {"hh": "i8", "h": "i16", "": "i32", "l": "", "ll": "i64", "j": "i64", "z": "", "t": ""}
"""The type that scanf writes; empty: one as wide as a pointer, as on all systems that have both."""

_DECIMAL = 10
"""The one base in which a word is a number that the user gives."""
_INTEGERS = {"s": "i16", "t": "i16", "i": "i32", "j": "i32", "l": "", "m": "", "x": "i64"}
_INTEGERS["y"] = "i64"
_UNSIGNED = frozenset("tjmy")
"""The codes of unsigned types in mangled names."""


class WordRead(NamedTuple):
    """address: where the integer is written. type: its type. text: the address of the word.
    is_unsigned: it is read as an unsigned number; is_strict: words with a sign are no such."""

    address: Operand
    type: str
    text: Expr
    is_unsigned: bool
    is_strict: bool = False


def word_read(view: FunctionContext, call: Instruction) -> WordRead | None:
    """What a call reads from a text as its first integer and writes; None where it is another
    call, reads more than one value, or may read another text."""
    name = callee(call) or ""
    if source_name(name) == "sscanf":
        return None if name in view.program.defined else _scanned(view, call)
    if "rs" in name and (match := cxx.STREAM_EXTRACTS.match(name)):
        return _extracted(view, call, match[1] or match[2] or match[3])
    if "from_chars" in name and (match := cxx.FROM_CHARS.match(name)):
        return _from_chars(view, call, match[1])
    return None


def _from_chars(view: FunctionContext, call: Instruction, code: str) -> WordRead | None:
    """A decimal number, of a text that is read to its end. `code`: of its type in mangled names."""
    first, end, address, *base = call.operands[1:]
    written = _INTEGERS.get(code)
    if written is None or not all(isinstance(b, IntLiteral) and b.value == _DECIMAL for b in base):
        return None
    text = _text_from(view, first)
    definitions = view.function.definitions
    last = definitions.get(end)
    length = definitions.get(last.operands[1]) if last and len(last.operands) == 2 else None
    if last is None or length is None or (last.opcode, last.type) != ("getelementptr", "i8"):
        return None
    start, name = last.operands[0], callee(length) or ""
    begin = _text_from(view, start)
    if cxx.TEXT_LENGTH.match(name):
        measured = view.scalars.value(length.operands[1]).expr
    elif cxx.STRING_SIZE.match(name):
        string = length.operands[1]
        measured = _viewed(view, string) or string_text(view.program, view, string) or -text
    else:
        return None
    if not begin == text == measured:
        return None
    return WordRead(address, written or _word(view), text, code in _UNSIGNED, is_strict=True)


def _text_from(view: FunctionContext, token: Operand) -> Expr:
    """Where a pointer to text points: what a string or a view was made of, where it gave it."""
    i = view.function.definitions.get(token)
    if i is not None and cxx.VIEW_START.match(callee(i) or ""):
        viewed = _viewed(view, i.operands[1])
        if viewed is not None:
            return viewed
    return string_text(view.program, view, token) or view.scalars.value(token).expr


def _viewed(view: FunctionContext, token: Operand) -> Expr | None:
    """The text that a local std::string_view is all of."""
    made = view.function.definitions.get(token)
    if not is_alloca(made):
        return None
    texts: list[Operand] = []
    for user in view.function.users.get(token, ()):
        name = callee(user) or ""
        if cxx.VIEW_OF_TEXT.match(name) and user.operands[1] == token:
            texts.append(user.operands[2])
        elif not name.startswith("llvm.lifetime.") and not (
            cxx.VIEW_ASKED.match(name) and user.operands[1:].count(token) == 1
        ):
            return None
    return view.scalars.value(texts[0]).expr if len(texts) == 1 else None


def _scanned(view: FunctionContext, call: Instruction) -> WordRead | None:
    if len(call.operands) != 4 or not isinstance(form := call.operands[2], GlobalRef):
        return None
    found = view.program.module.globals.get(form.name)
    match = (
        _CONVERSION.fullmatch(found.initializer)
        if found and found.attributes.endswith("constant")
        else None
    )
    if match is None:
        return None
    text = view.scalars.value(call.operands[1]).expr
    written = _LENGTHS[match[1]] or _word(view)
    return WordRead(call.operands[3], written, text, match[2] == "u")


def _word(view: FunctionContext) -> str:
    """The type of an integer as wide as a pointer."""
    return f"i{8 * (view.program.layout.size('ptr') or 8)}"


def _extracted(view: FunctionContext, call: Instruction, code: str) -> WordRead | None:
    written = _INTEGERS.get(code)
    if written is None or len(call.operands) != 3:
        return None
    text = _stream_text(view, call, call.operands[1])
    if text is None:
        return None
    return WordRead(call.operands[2], written or _word(view), text, code in _UNSIGNED)


def _stream_text(view: FunctionContext, call: Instruction, stream: Operand) -> Expr | None:
    """The text of a local stream of which `call` is the first to read, and all that it gets."""
    made = view.function.definitions.get(stream)
    if not is_alloca(made):
        return None
    begun: list[Instruction] = []
    texts: list[Operand] = []
    for user in _users(view, stream):
        name = callee(user) or ""
        if user is call or name.startswith("llvm.lifetime."):
            continue
        if cxx.STREAM_OF_STRING.match(name) or cxx.STREAM_EMPTY.match(name):
            begun.append(user)
            if not cxx.STREAM_EMPTY.match(name):
                texts += user.operands[2:3]
        elif cxx.STREAM_PUTS_TEXT.match(name) and _precedes(view, user, call):
            texts += user.operands[2:3]
        elif not user.is_call or not (
            cxx.STREAM_ENDED.match(name)
            or cxx.STREAM_ASKED.match(name)
            or _precedes(view, call, user)
        ):
            return None
    if len(begun) != 1 or len(texts) != 1 or not _precedes(view, begun[0], call):
        return None
    if cxx.STREAM_OF_STRING.match(callee(begun[0]) or ""):
        return string_text(view.program, view, texts[0])
    return view.scalars.value(texts[0]).expr


def _users(view: FunctionContext, stream: Operand) -> Iterator[Instruction]:
    """What uses a stream, one of its parts, or a reference to it that a call returns. Where its
    address is stored or merged with another, that is a use, too."""
    for user in view.function.users.get(stream, ()):
        is_part = is_any(user, "getelementptr", "bitcast")
        if not is_load(user) and not is_part:
            yield user
        if is_part or (user.is_call and user.type == "ptr"):
            yield from _users(view, user.token)


def _precedes(view: FunctionContext, first: Instruction, then: Instruction) -> bool:
    """Has `first` always run, as often, when `then` runs?"""
    blocks = [
        next(b.name for b in view.function.blocks.values() if i in b.instructions)
        for i in (first, then)
    ]
    loops = [view.forest.innermost.get(b) for b in blocks]
    if loops[0] != loops[1] or not all(b in view.reachable for b in blocks):
        return False
    if blocks[0] == blocks[1]:
        return first.line < then.line
    return view.forest.dominates(*blocks)
