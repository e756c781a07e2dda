"""Names of structure members, from the debug information.

IR addresses a member by its byte offset in a structure type; DICompositeType lists the members of
the source type of the same name, each with its offset in bits. Source: LLVM's "Source Level
Debugging", DICompositeType and DIDerivedType.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cached_property

from .types import Module

_PREFIXES = ("struct.", "class.", "union.")
_MAX_DEPTH = 16
"""Structures, arrays and typedefs, one inside the other, down to a member."""
_UNNAMED = re.compile(r"%\d+$")
_REFERS = re.compile(r"DW_TAG_(?:pointer|reference)_type")
_NAMED = re.compile(r'%(?:"[^"]*"|[-\w.$]+)')


class MemberNames:
    """Member names by the IR's structure types and byte offsets."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._flattened: dict[str, str] = {}
        self._unnamed: dict[str, list[str]] = {}
        self._held: dict[str, tuple[tuple[int, str], ...]] = {}

    @cached_property
    def described(self) -> dict[str, str]:
        """Name of a structure (or of a typedef for one without a name) -> its metadata node."""
        found: dict[str, str] = {}
        typedefs: list[tuple[str, str]] = []
        field = self._module.metadata_field
        for node, text in self._module.metadata.items():
            if (
                "DICompositeType(" in text
                and "elements:" in text
                and "DW_TAG_enumeration" not in text
                and "DW_TAG_array" not in text
            ):
                name = field(node, "name")
                if name:
                    found.setdefault(name, node)
            elif "DW_TAG_typedef" in text:
                name, base = field(node, "name"), field(node, "baseType")
                if (
                    name
                    and base
                    and "DICompositeType(" in self._module.metadata.get(base, "")
                    and field(base, "name") is None
                ):
                    typedefs.append((name, base))
        for name, node in typedefs:
            found.setdefault(name, node)
        return found

    @cached_property
    def _instances(self) -> dict[str, list[str]]:
        """Name of a template of structures -> the nodes of its instances."""
        found: dict[str, list[str]] = {}
        for name, node in self.described.items():
            template, bracket, _ = name.partition("<")
            if bracket:
                found.setdefault(template, []).append(node)
        return found

    def name(self, kind: str, offset: int) -> str | None:
        """The member of an IR structure type (``%struct.Domain``) at a byte offset; of a template
        (``%class.Grid.5``) where all its instances agree."""
        if _UNNAMED.match(kind):
            return self._in_namesakes(kind, offset)
        name = kind.lstrip("%").strip('"')
        for prefix in _PREFIXES:
            name = name.removeprefix(prefix)
        node = self.described.get(name)
        if node is None:  # a namespace in front, a number behind
            short = name.rpartition("::")[2]
            node = self.described.get(short) or self.described.get(short.partition(".")[0])
            if node is None:
                among = self._instances.get(short.partition(".")[0], ())
                names = {self._member(each, offset * 8, 0) for each in among}
                return names.pop() if len(names) == 1 else None
        return self._member(node, offset * 8, 0) if node else None

    def of_unnamed(self, offsets: Collection[int], offset: int) -> str | None:
        """The member at a byte offset of a structure without a name, whose fields lie at
        `offsets`, where all without a name whose members lie there agree."""
        names = {
            self._member(node, offset * 8, 0)
            for node, places in self._without_name
            if offset in places and places <= set(offsets)
        }
        return names.pop() if len(names) == 1 else None

    @cached_property
    def _without_name(self) -> tuple[tuple[str, frozenset[int]], ...]:
        """The structures without a name, and the byte offsets of their members."""
        found, field = [], self._module.metadata_field
        for node, text in self._module.metadata.items():
            if "DW_TAG_structure_type" in text and field(node, "name") is None:
                places = frozenset(at // 8 for at, _ in self._elements(node))
                found.append((node, places))
        return tuple(found)

    def _in_namesakes(self, kind: str, offset: int) -> str | None:
        """The member of a type that lost its name when modules were linked, where all types that
        have the same fields have one name for it."""
        if kind not in self._unnamed:
            body = self._flat(kind)
            alike = (t for t in self._module.types if not _UNNAMED.match(t))
            self._unnamed[kind] = [t for t in alike if self._flat(t) == body]
        names = {self.name(t, offset) for t in self._unnamed[kind]}
        return names.pop() if len(names) == 1 else None

    def _flat(self, kind: str) -> str:
        """The fields of a type, with those of the types among them."""
        if kind not in self._flattened:
            self._flattened[kind] = kind  # what contains itself
            body = self._module.types.get(kind, kind)
            self._flattened[kind] = _NAMED.sub(lambda m: self._flat(m[0]), body)
        return self._flattened[kind]

    def part(self, variable: str, bit: int) -> str | None:
        """The member that begins at a bit of a local variable (a metadata node) of structure
        type."""
        field = self._module.metadata_field
        node = field(variable, "type")
        for _ in range(_MAX_DEPTH):
            if node is None or "DICompositeType(" in self._module.metadata.get(node, ""):
                break
            node = field(node, "baseType")  # of typedef, const
        return self._member(node, bit, 0) if node else None

    def variable(self, name: str) -> str | None:
        """The metadata node of a global variable."""
        field, found = self._module.metadata_field, self._module.globals.get(name)
        return field(found.dbg, "var") if found is not None else None

    def path(self, variable: str | None, offset: int) -> tuple[str | int, ...]:
        """The members and the elements, from the outermost to a number or a pointer, that lie at a
        byte offset in a variable (a metadata node); empty where its type does not tell."""
        return self._path(self._module.metadata_field(variable, "type"), offset)

    def pointed(self, variable: str, offset: int) -> tuple[str | int, ...]:
        """The same of what a pointer or a reference points to; empty for other variables."""
        node = self._without_names(self._module.metadata_field(variable, "type"))
        text = self._module.metadata.get(node or "", "")
        if not _REFERS.search(text):
            return ()
        return self._path(self._module.metadata_field(node, "baseType"), offset)

    def _path(self, node: str | None, offset: int) -> tuple[str | int, ...]:
        field, bits, found = self._module.metadata_field, offset * 8, list[str | int]()
        for _ in range(_MAX_DEPTH):
            node = self._without_names(node)
            text = self._module.metadata.get(node or "", "")
            if node is None or "DICompositeType(" not in text:
                return tuple(found) if bits == 0 else ()
            if "DW_TAG_array_type" in text:
                node, size = field(node, "baseType"), self._array_step(node)
                if not size:
                    return ()
                found.append(bits // size)
                bits %= size
                continue
            if "DW_TAG_structure_type" not in text:
                return tuple(found)
            inside = [(at, e) for at, e in self._elements(node) if at <= bits]
            if not inside:
                return ()
            at, element = max(inside, key=lambda one: one[0])
            name = field(element, "name")
            if name is None or field(element, "tag") == "DW_TAG_inheritance":
                return ()
            found.append(name)
            bits, node = bits - at, field(element, "baseType")
        return ()

    def _without_names(self, node: str | None) -> str | None:
        """A type without its typedefs and qualifiers."""
        for _ in range(_MAX_DEPTH):
            text = self._module.metadata.get(node or "", "")
            if "DIDerivedType(" not in text or _REFERS.search(text):
                break
            node = self._module.metadata_field(node, "baseType")
        return node

    def _array_step(self, node: str | None) -> int | None:
        """Bits from one element of an array to the next; None for one of several dimensions."""
        field = self._module.metadata_field
        if len(self._module.metadata_operands(field(node, "elements"))) != 1:
            return None
        size = field(self._without_names(field(node, "baseType")), "size")
        return int(size) if size is not None else None

    def _member(self, node: str, bits: int, depth: int) -> str | None:
        field = self._module.metadata_field
        best: tuple[int, str] | None = None
        for at, element in self._elements(node):
            if at <= bits and (best is None or at >= best[0]):
                best = at, element
        if best is None:
            return None
        at, element = best
        if field(element, "tag") == "DW_TAG_inheritance":
            base = field(element, "baseType")
            return self._member(base, bits - at, depth + 1) if base and depth < _MAX_DEPTH else None
        return field(element, "name") if at == bits else None

    def _elements(self, node: str) -> tuple[tuple[int, str], ...]:
        """(bit, metadata node) of the members and the bases that a structure consists of."""
        found = self._held.get(node)
        if found is None:
            field = self._module.metadata_field
            found = self._held[node] = tuple(
                (int(field(element, "offset") or 0), element)
                for element in self._module.metadata_operands(field(node, "elements"))
                if field(element, "tag") in ("DW_TAG_member", "DW_TAG_inheritance")
                and "DIFlagStaticMember" not in self._module.metadata.get(element, "")
            )
        return found
