"""Functions of the C library on texts that are known.

Each is given the memory and the arguments, and returns what the function does, or NotImplemented
where it is not followed. Source: ISO C, sections 7.21.6 and 7.24.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from .numbers import Address, Value
from .objects import Objects

_CONVERSION = re.compile(rb"%([-0 +]*)(\d*)(?:l|ll|z|h|hh)?([%dicsux])")


def _strlen(memory: Objects, a: list[Value]) -> Any:
    text = memory.text(a[0])
    return None if text is None else len(text)


def _strcmp(memory: Objects, a: list[Value]) -> Any:
    one, other = memory.text(a[0]), memory.text(a[1])
    if one is None or other is None:
        return None
    return (one > other) - (one < other)


def _strcpy(memory: Objects, a: list[Value]) -> Any:
    return _put(memory, a[0], memory.text(a[1]))


def _strcat(memory: Objects, a: list[Value]) -> Any:
    one, other = memory.text(a[0]), memory.text(a[1])
    return _put(memory, a[0], None if one is None or other is None else one + other)


def _put(memory: Objects, at: Value, text: bytes | None) -> Any:
    if not isinstance(at, Address):
        return NotImplemented
    if text is None:
        memory.forget_object(at.base)
    else:
        memory.put(at, text)
    return at


def _strchr(memory: Objects, a: list[Value]) -> Any:
    text, byte, at = memory.text(a[0]), a[1], a[0]
    if text is None or not isinstance(byte, int) or not isinstance(at, Address):
        return None
    found = (text + b"\0").find(byte % 256)
    return Address(at.base, at.offset + found) if found >= 0 else 0


def _memcpy(memory: Objects, a: list[Value]) -> Any:
    to, source, size = a[:3]
    if not isinstance(to, Address):
        return NotImplemented
    if isinstance(source, Address) and isinstance(size, int):
        memory.copy(to, source, size)
    else:
        memory.forget_object(to.base)
    return to


def _memset(memory: Objects, a: list[Value]) -> Any:
    to, byte, size = a[:3]
    if not isinstance(to, Address):
        return NotImplemented
    if isinstance(byte, int) and isinstance(size, int):
        memory.fill(to, byte, size)
    else:
        memory.forget_object(to.base)
    return to


def _sprintf(memory: Objects, a: list[Value]) -> Any:
    return _printed(memory, a[0], None, a[1], a[2:])


def _snprintf(memory: Objects, a: list[Value]) -> Any:
    return _printed(memory, a[0], a[1], a[2], a[3:])


def _printed(memory: Objects, to: Value, room: Value, form: Value, values: list[Value]) -> Any:
    """What is written by a format, and how long it would be."""
    if not isinstance(to, Address):
        return NotImplemented
    text = _formatted(memory, memory.text(form), values)
    if text is None or isinstance(room, (float, Address)):
        memory.forget_object(to.base)
        return None
    if room is None or room > 0:
        memory.put(to, text if room is None else text[: room - 1])
    return len(text)


def _formatted(memory: Objects, form: bytes | None, values: list[Value]) -> bytes | None:
    if form is None:
        return None
    result, at, left = b"", 0, list(values)
    for match in _CONVERSION.finditer(form):
        result += form[at : match.start()]
        at = match.end()
        part = _converted(memory, match, left)
        if part is None:
            return None
        result += part
    rest = form[at:]
    return None if b"%" in rest or b"%" in _CONVERSION.sub(b"", form) else result + rest


def _converted(memory: Objects, match: re.Match[bytes], left: list[Value]) -> bytes | None:
    kind = match[3]
    if kind == b"%":
        return b"%"
    value = left.pop(0) if left else None
    if kind == b"s":
        text = memory.text(value)
        width = int(match[2] or 0)
        return (
            None if text is None else text.ljust(width) if b"-" in match[1] else text.rjust(width)
        )
    if not isinstance(value, int):
        return None
    if kind == b"c":
        return bytes([value % 256]) if not match[2] and value % 256 else None
    number = value if kind in (b"d", b"i") else value if value >= 0 else None
    code = {b"i": "d", b"u": "d"}.get(kind, kind.decode())
    return (
        None
        if number is None
        else (f"%{match[1].decode()}{match[2].decode()}{code}" % number).encode()
    )


LIBRARY: Mapping[str, Callable[[Objects, list[Value]], Any]] = {
    "strlen": _strlen,
    "strcmp": _strcmp,
    "strcpy": _strcpy,
    "strcat": _strcat,
    "strchr": _strchr,
    "memcpy": _memcpy,
    "memmove": _memcpy,
    "llvm.memcpy": _memcpy,
    "llvm.memmove": _memcpy,
    "memset": _memset,
    "llvm.memset": _memset,
    "sprintf": _sprintf,
    "snprintf": _snprintf,
}
