"""Sizes and field offsets of LLVM types, for address arithmetic.

The rules are those of 64-bit targets, natural alignment up to 16 bytes and pointers of 8 bytes,
where the module's data layout says nothing else. Source: LLVM Language Reference, "Data Layout",
and `StructLayout` in LLVM's DataLayout.cpp.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from .tokens import split_top
from .types import Module

_ARRAY = re.compile(r"\[(\d+) x (.*)\]$")
_VECTOR = re.compile(r"<(\d+) x (.*)>$")
_INT = re.compile(r"i(\d+)$")
_FLOATS = {"half": 2, "bfloat": 2, "float": 4, "double": 8, "x86_fp80": 16, "fp128": 16}
_SPECIFIED = re.compile(r"([if])(\d+):(\d+)|p(\d*):(\d+):(\d+)")
_POINTER = re.compile(r"ptr(?: addrspace\((\d+)\))?$")
_NAMED = re.compile(r'%(?:"[^"]*"|[-\w.$]+)')
_COPY = re.compile(r'\.\d+(?="?$)')
_MOST_MEMBERS = 64
"""Elements of an array that are told apart."""
_MAX_DEPTH = 64
"""Names of types that stand for each other, one after another."""


class Layout:
    """Answers for the types of one module; None for what has no known size."""

    def __init__(self, module: Module) -> None:
        self._types = module.types
        self._pointers, self._alignments = _specified(module.datalayout)
        self._canonical = _one_name_each(module.types)
        self._measure = lru_cache(maxsize=None)(self._measured)
        self._fields = lru_cache(maxsize=None)(self._split_fields)
        self._placed = lru_cache(maxsize=None)(self._place_fields)

    def size(self, kind: str) -> int | None:
        """Allocation size in bytes: the distance of two neighbours in an array."""
        found = self._measure(kind)
        return found[0] if found else None

    def offset(self, kind: str, index: int) -> tuple[int, str] | None:
        """(byte offset, type) of a field of a struct."""
        placed = self._placed(kind)
        return placed[index] if 0 <= index < len(placed) else None

    def field_at(self, kind: str, offset: int) -> tuple[int, str] | None:
        """(byte offset, type) of the field of a struct that a byte of it is in; None in a gap."""
        for start, field in self._placed(kind):
            if start <= offset < start + (self.size(field) or 0):
                return start, field
        return None

    def _place_fields(self, kind: str) -> tuple[tuple[int, str], ...]:
        """(byte offset, type) of the fields of a struct, up to one of unknown size."""
        fields = self._fields(kind)
        found: list[tuple[int, str]] = []
        at = 0
        for field in fields[0] if fields is not None else ():
            measured = self._measure(field)
            if measured is None:
                break
            if fields is not None and not fields[1]:
                at = -(-at // measured[1]) * measured[1]
            found.append((at, field))
            at += measured[0]
        return tuple(found)

    def element(self, kind: str) -> str | None:
        """The element type of an array or vector."""
        match = _ARRAY.match(kind) or _VECTOR.match(kind)
        return match.group(2) if match else None

    def members(self, kind: str) -> Sequence[str]:
        """The types of the members of a structure or a short array that is aligned as usual;
        nothing for any other type."""
        fields = self._fields(kind)
        if fields is not None:
            return () if fields[1] else fields[0]
        match = _ARRAY.match(kind)
        if match is None or int(match.group(1)) > _MOST_MEMBERS:
            return ()
        return [match.group(2)] * int(match.group(1))

    def same(self, kind: str) -> str:
        """One name for structure types of equal layout and name (linked modules bring copies: %0,
        %class.D.12)."""
        return self._canonical.get(kind, kind)

    def is_struct(self, kind: str) -> bool:
        return self._fields(kind) is not None

    def _split_fields(self, kind: str) -> tuple[list[str], bool] | None:
        for _ in range(_MAX_DEPTH):
            if not kind.startswith("%"):
                break
            kind = self._types.get(kind, "opaque")
        packed = kind.startswith("<{")
        if packed:
            kind = kind[1:-1]
        if not kind.startswith("{"):
            return None
        inside = kind[1:-1].strip()
        return (split_top(inside) if inside else []), packed

    def _measured(self, kind: str) -> tuple[int, int] | None:
        """(size, alignment)."""
        match = _POINTER.match(kind)
        if match:
            return self._pointers.get(match.group(1) or "", self._pointers[""])
        if kind in _FLOATS:
            alignment = self._alignments.get(kind, _FLOATS[kind])
            stored = 10 if kind == "x86_fp80" else _FLOATS[kind]
            return -(-stored // alignment) * alignment, alignment
        match = _INT.match(kind)
        if match:
            size = -(-int(match.group(1)) // 8)
            power = min(1 << (size - 1).bit_length(), 16)
            alignment = self._alignments.get(f"i{8 * power}", power)
            return -(-size // alignment) * alignment, alignment
        match = _ARRAY.match(kind)
        if match:
            inner = self._measure(match.group(2))
            return (int(match.group(1)) * inner[0], inner[1]) if inner else None
        match = _VECTOR.match(kind)
        if match:
            inner = self._measure(match.group(2))
            if inner is None:
                return None
            size = 1 << (int(match.group(1)) * inner[0] - 1).bit_length()
            return size, size
        fields = self._fields(kind)
        if fields is None:
            return None
        at, alignment = 0, 1
        for field in fields[0]:
            measured = self._measure(field)
            if measured is None:
                return None
            if not fields[1]:
                at = -(-at // measured[1]) * measured[1]
                alignment = max(alignment, measured[1])
            at += measured[0]
        return -(-at // alignment) * alignment, alignment


def _specified(datalayout: str) -> tuple[dict[str, tuple[int, int]], dict[str, int]]:
    """(size, alignment) of pointers by address space ("" is the usual one), and alignments of
    numbers, in bytes."""
    pointers, alignments = {"": (8, 8)}, dict[str, int]()
    if datalayout and "i64:" not in datalayout:
        alignments["i64"] = 4  # LLVM's default
    names = {"f64": "double", "f80": "x86_fp80", "f128": "fp128"}
    for part in datalayout.split("-"):
        match = _SPECIFIED.match(part)
        if match is None:
            continue
        kind, bits, alignment, space, size, by = match.groups()
        if kind:
            name = f"i{bits}" if kind == "i" else names.get(f"f{bits}", "")
            alignments[name] = max(1, int(alignment) // 8)
        elif space in ("", "0"):
            pointers[""] = int(size) // 8, int(by) // 8
        else:
            pointers[space] = int(size) // 8, int(by) // 8
    return pointers, alignments


def _one_name_each(types: Mapping[str, str]) -> dict[str, str]:
    """Type name -> the name that stands for all types with the same body, told apart by source name
    where they have one."""
    found: dict[str, str] = {}
    for _ in range(4):  # bodies name each other
        groups: dict[str, list[str]] = {}
        for name, body in types.items():
            groups.setdefault(
                _NAMED.sub(lambda m: found.get(m.group(), m.group()), body), []
            ).append(name)
        before = dict(found)
        for group in groups.values():
            sources = {_COPY.sub("", n) for n in group if not n[1:].isdigit()}
            for name in group:
                own = _COPY.sub("", name)
                found[name] = own if own in sources else min(sources) if len(sources) == 1 else name
        if found == before:
            break
    return found
