"""Structures that are handed over by value, copied by the function that gets them.

The System V ABI passes a structure of more than 16 bytes in memory: `define i32 @f(ptr
byval(%struct.options) %o)`. It is the call that makes the copy, and no instruction shows that: a
write to `%o` would read as one to the caller's structure. Here the function copies `%o` to a
variable of its own, which sroa takes apart like any other.
"""

from __future__ import annotations

import re

from ..ir.data_layout import Layout
from ..ir.parser import parse_module
from ..ir.tokens import NAME
from ..ir.types import Function, Register

_BY_VALUE = " byval("
_KIND = re.compile(r"\bbyval\((.*?)\)(?: |$)")
_ALIGNED = re.compile(r"\balign \d+")
_REGISTER = re.compile(rf"%{NAME}")
_COPY = "llvm.memcpy.p0.p0.i64"


def has_values(text: str) -> bool:
    """Is a structure handed over by value?"""
    return _BY_VALUE in text


def with_own_copies(text: str) -> str:
    """The text in which each function copies what it is handed by value.

    Args:
        text: a module as LLVM prints it, whose registers and blocks all have names.
    """
    module = parse_module(text, wanted=lambda lines: _BY_VALUE in lines[0])
    layout = Layout(module)
    lines = text.split("\n")
    for f in module.functions.values():
        if not f.is_declaration and _BY_VALUE in lines[f.line]:
            _copy(f, layout, lines)
    if f"@{_COPY}(" not in text:
        lines.append(f"declare void @{_COPY}(ptr, ptr, i64, i1)\n")
    return "\n".join(lines)


def _copy(f: Function, layout: Layout, lines: list[str]) -> None:
    """Let a function work on a copy of each structure that it is handed by value."""
    made: list[str] = []
    own: dict[str, str] = {}
    for p in f.parameters:
        kind = _KIND.search(p.attributes)
        size = None if kind is None else layout.size(kind[1])
        if kind is None or size is None:
            continue
        own[p.token] = name = _named(f, p.token)
        aligned = _ALIGNED.search(p.attributes)
        behind = f", {aligned[0]}" if aligned else ""
        at = f" {aligned[0]}" if aligned else ""
        made += [
            f"  {name} = alloca {kind[1]}{behind}",
            f"  call void @{_COPY}(ptr{at} {name}, ptr{at} {p.token}, i64 {size}, i1 false)",
        ]
    if not own:
        return
    for n in range(f.line + 1, f.end + 1):
        lines[n] = _REGISTER.sub(lambda m: own.get(m[0], m[0]), lines[n])
    first = f.entry.instructions[0].line
    lines[first] = "\n".join([*made, lines[first]])


def _named(f: Function, token: Register) -> str:
    """A name for the copy that no register has."""
    name = f'{token[:-1]}.own"' if token.endswith('"') else f"{token}.own"
    while name in f.definitions or name in f.attributes_of:
        name = f'{name[:-1]}.own"' if name.endswith('"') else f"{name}.own"
    return name
