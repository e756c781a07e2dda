"""The types of a library's functions, from the debug information of its IR, and where values stand
in memory that a C expression of its source names.

Source: LLVM's "Source Level Debugging", DIBasicType, DIDerivedType, DICompositeType.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from staticana import Module
from staticana.ir.types import Function

_TRANSPARENT = (
    "DW_TAG_typedef",
    "DW_TAG_const_type",
    "DW_TAG_volatile_type",
    "DW_TAG_restrict_type",
)
_ENCODING = re.compile(r"encoding: DW_ATE_(\w+)")
_ARGUMENT = re.compile(r"DILocalVariable\(.*\barg: (\d+)")
_COUNT = re.compile(r"count: (\d+)")
_MAX_DEPTH = 32
_PART = re.compile(r"\s*(->|\.)\s*([A-Za-z_]\w*)|\s*\[([^\[\]]*)\]")
_INDEX = re.compile(r"(?:([A-Za-z_]\w*)\s*)?([+-]?\s*\d+)?")


@dataclass(frozen=True)
class Type:
    """A type. kind: "integer", "real", "pointer", "record", "array", "function", "nothing" (void)
    or "other"; bytes: its size; node: of the debug information; to: what a pointer points to, an
    array consists of; count: of elements."""

    kind: str
    bytes: int = 0
    is_signed: bool = False
    node: str = ""
    to: Type | None = None
    count: int = 0


@dataclass(frozen=True)
class Member:
    """A member of a record, at so many bytes."""

    name: str
    offset: int
    type: Type


@dataclass(frozen=True)
class Signature:
    """A function as it is called. names: of the arguments, by their number."""

    symbol: str
    result: Type
    arguments: tuple[Type, ...]
    names: Mapping[int, str]


NOTHING = Type("nothing")
_OTHER = Type("other")


class Types:
    """The types of a module."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._members: dict[str, tuple[Member, ...]] = {}

    def signature(self, function: Function) -> Signature | None:
        """How a function is called; None where it takes or returns what registers hold in parts, or
        its debug information does not tell."""
        m = self._module
        routine = m.metadata_field(m.metadata_field(function.dbg, "type"), "types")
        found = re.findall(r"null|!\d+", m.metadata.get(routine or "", ""))
        kinds = [self.of(None if node == "null" else node) for node in found] or [NOTHING]
        if len(kinds) - 1 != len(function.parameters) or NOTHING in kinds[1:]:
            return None
        if any(re.search(r"\b(?:byval|sret|inreg)\b", p.attributes) for p in function.parameters):
            return None
        for p, kind in zip(function.parameters, kinds[1:], strict=True):
            if (kind.kind == "pointer") != (p.type == "ptr"):
                return None
        names = self._arguments.get(function.dbg or "", {})
        return Signature(function.name, kinds[0], tuple(kinds[1:]), names)

    @cached_property
    def _arguments(self) -> dict[str, dict[int, str]]:
        """Function -> number of an argument -> its name."""
        found: dict[str, dict[int, str]] = {}
        for node, text in self._module.metadata.items():
            match = _ARGUMENT.search(text)
            if match is not None:
                scope = self._module.metadata_field(node, "scope") or ""
                name = self._module.metadata_field(node, "name") or ""
                found.setdefault(scope, {})[int(match[1]) - 1] = name
        return found

    def of(self, node: str | None, depth: int = 0) -> Type:
        """The type that a node describes; of a record, its members are asked for apart."""
        if node is None:
            return NOTHING
        m = self._module
        text = m.metadata.get(node, "")
        size = int(m.metadata_field(node, "size") or 0) // 8
        base = m.metadata_field(node, "baseType")
        if depth > _MAX_DEPTH:
            return _OTHER
        if any(tag in text for tag in _TRANSPARENT):
            return self.of(base, depth + 1)
        if "DW_TAG_pointer_type" in text:
            return Type("pointer", size, node=node, to=self.of(base, depth + 1))
        if "DISubroutineType(" in text:
            return Type("function", node=node)
        if "DW_TAG_enumeration_type" in text:
            return Type("integer", size, node=node)
        if "DW_TAG_array_type" in text:
            return self._array(node, size, base, depth)
        if "DICompositeType(" in text:
            return Type("record", size, node=node)
        return self._basic(text, node, size)

    def _array(self, node: str, size: int, base: str | None, depth: int) -> Type:
        of = self.of(base, depth + 1)
        ranges = self._module.metadata_operands(self._module.metadata_field(node, "elements"))
        counts = [_COUNT.search(self._module.metadata.get(r, "")) for r in ranges]
        for match in reversed(counts):
            number = int(match[1]) if match is not None else 0
            of = Type("array", of.bytes * number, node=node, to=of, count=number)
        return of if of.bytes == size else _OTHER

    def _basic(self, text: str, node: str, size: int) -> Type:
        match = _ENCODING.search(text)
        way = match[1] if match is not None else ""
        if way == "float" and size in (4, 8):
            return Type("real", size, node=node)
        if way in ("signed", "signed_char", "unsigned", "unsigned_char", "boolean") and size <= 8:
            return Type("integer", size, way.startswith("signed"), node)
        return _OTHER

    def is_boolean(self, kind: Type) -> bool:
        return "DW_ATE_boolean" in self._module.metadata.get(kind.node, "")

    def members(self, record: Type) -> tuple[Member, ...]:
        """The members of a structure, bit fields aside; of a union, all at 0."""
        if record.node not in self._members:
            self._members[record.node] = tuple(self._find_members(record.node))
        return self._members[record.node]

    def _find_members(self, node: str) -> list[Member]:
        m, found = self._module, []
        for member in m.metadata_operands(m.metadata_field(node, "elements")):
            text = m.metadata.get(member, "")
            if "DW_TAG_member" not in text or "DIFlagBitField" in text:
                continue
            offset = int(m.metadata_field(member, "offset") or 0) // 8
            kind = self.of(m.metadata_field(member, "baseType"))
            found.append(Member(m.metadata_field(member, "name") or "", offset, kind))
        return found

    def is_union(self, record: Type) -> bool:
        return "DW_TAG_union_type" in self._module.metadata.get(record.node, "")

    def read(self, expression: str, of: Signature) -> tuple[str, Type] | None:
        """C that reads the value of an expression of the source, in arguments of a function that
        are variables a0, a1, ...; None where it does not start from one, or is not a number."""
        text = expression.strip()
        stars = len(text) - len(text.lstrip("*"))
        start = re.match(r"[A-Za-z_]\w*", text[stars:])
        at = {name: k for k, name in of.names.items()}
        if start is None or start[0] not in at or stars > 1:
            return None
        place = _Place(self, f"(char *)a{at[start[0]]}", of.arguments[at[start[0]]], at)
        rest = text[stars + start.end() :]
        while rest:
            part = _PART.match(rest)
            if part is None or not place.goes(part):
                return None
            rest = rest[part.end() :]
        if stars and not place.element("0"):
            return None
        return place.number()


class _Place:
    """A place in memory on the way along an expression: C for a value, or for an address."""

    def __init__(self, types: Types, value: str, kind: Type, arguments: Mapping[str, int]) -> None:
        self._types, self._kind, self._arguments = types, kind, arguments
        self._value: str | None = value
        self._address = ""

    def _pointer(self) -> str:
        """C for the pointer that stands here."""
        return self._value if self._value is not None else f"*(char **)({self._address})"

    def goes(self, part: re.Match[str]) -> bool:
        """Go on along a member or an index; is there one?"""
        if part[1] is None:
            index = self._index(part[3])
            return index is not None and self.element(index)
        kind = self._kind
        if part[1] == "->":
            if kind.kind != "pointer" or kind.to is None:
                return False
            self._address, kind, self._value = self._pointer(), kind.to, None
        if kind.kind != "record" or self._value is not None:
            return False
        members = self._types.members(kind)
        member = next((m for m in members if m.name == part[2]), None)
        unnamed = re.fullmatch(r"field(\d+)", part[2])  # as laws call it in types without a name
        if member is None and unnamed and int(unnamed[1]) < len(members):
            member = members[int(unnamed[1])]
        if member is None:
            return False
        self._address, self._kind = f"({self._address} + {member.offset})", member.type
        return True

    def element(self, index: str) -> bool:
        """Go on to an element."""
        kind = self._kind
        if kind.to is None or not kind.to.bytes:
            return False
        if kind.kind == "pointer":
            self._address, self._value = self._pointer(), None
        elif kind.kind != "array":
            return False
        self._address = f"({self._address} + ({index}) * {kind.to.bytes})"
        self._kind = kind.to
        return True

    def _index(self, text: str) -> str | None:
        match = _INDEX.fullmatch(text.strip())
        if match is None or not text.strip():
            return None
        name, number = match[1], (match[2] or "0").replace(" ", "")
        if name is not None and name not in self._arguments:
            return None
        return f"{'0' if name is None else f'(int64_t)a{self._arguments[name]}'} + {number}"

    def number(self) -> tuple[str, Type] | None:
        if self._value is not None or self._kind.kind not in ("integer", "pointer"):
            return None
        sign = "" if self._kind.is_signed else "u"
        return f"(int64_t)*({sign}int{8 * self._kind.bytes}_t *)({self._address})", self._kind
