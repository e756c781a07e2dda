"""Type-based alias rules, as the compiler wrote them into the module (!tbaa).

A tag (base type, access type, offset) says by which member an access goes. Two accesses may touch
the same memory only if one is to a member of the other's base type at that place, or to a type that
contains it (the character type contains all). The compiler has
optimised the program by the same rule.

Sources: LLVM Language Reference, "tbaa" metadata; Diwan, McKinley and Moss, "Type-based alias
analysis", PLDI 1998.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property, lru_cache

from .types import Module

_OPERAND = re.compile(r'!"(?:[^"\\]|\\.)*"|!\d+|i64 -?\d+|null')
_OPTIMISED = re.compile(r"DICompileUnit\(language: DW_LANG_C[^\n]* isOptimized: true")
_UNION = re.compile(r'(?m)^%"?union\.')
_MAX_DEPTH = 64
"""Structures, one inside the other, in the description of a type."""

Node = str
Fields = tuple[tuple[int, Node], ...]


class TypeRules:
    """Answers for the tags of one module."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self.tag = lru_cache(maxsize=None)(self._tag)
        self._fields = lru_cache(maxsize=None)(self._read_fields)
        self._way_down = lru_cache(maxsize=None)(self._find_way_down)
        self.may_alias = lru_cache(maxsize=None)(self._may_alias)

    @cached_property
    def hold_for_kinds(self) -> bool:
        """May accesses without tags be told apart by whether they are to an int, a float or a
        pointer? Not in C that was optimised without leaving any tag (-fno-strict-aliasing), nor
        where unions have no tags (-O0)."""
        text = self._module.text
        if ", !tbaa !" in text:
            return True
        return not _OPTIMISED.search(text) and not _UNION.search(text)

    def _operands(self, node: Node) -> list[str]:
        text = self._module.metadata.get(node, "")
        return _OPERAND.findall(text[text.find("{") :]) if "{" in text else []

    def _tag(self, node: Node) -> tuple[Node, Node, int] | None:
        """(base type, access type, offset) of an access; None for a node in another format."""
        parts = self._operands(node)
        if len(parts) < 3 or parts[0][1] == '"' or not parts[2].startswith("i64"):
            return None
        return parts[0], parts[1], int(parts[2][4:])

    def _read_fields(self, node: Node) -> Fields | None:
        """(offset, type) of a struct's members; a scalar type has its parent at offset 0. None:
        another format."""
        parts = self._operands(node)
        if not parts or parts[0][:2] != '!"':
            return None
        types = parts[1::2]
        offsets = [int(p[4:]) if p.startswith("i64") else 0 for p in parts[2::2]]
        return tuple(
            (o, t)
            for t, o in zip(types, [*offsets, 0], strict=False)
            if t.startswith("!") and t[1] != '"'
        )

    def _may_alias(self, left: Node, right: Node) -> bool:
        """May accesses with these two tags touch the same memory?"""
        a, b = self.tag(left), self.tag(right)
        if a is None or b is None or left == right:
            return True
        found = self._within(a, b)
        if found is None:
            found = self._within(b, a)
        return bool(found)

    def _within(self, outer: tuple[Node, Node, int], inner: tuple[Node, Node, int]) -> bool | None:
        """Does the way down from the outer base come to the inner base at the same offset? None:
        not at all."""
        passed, is_known = self._way_down(outer[0], outer[2])
        offset = passed.get(inner[0])
        return offset == inner[2] if offset is not None else None if is_known else True

    def _find_way_down(self, node: Node, offset: int) -> tuple[Mapping[Node, int], bool]:
        """The types on the way down from a place in a type, with the offset in each; and whether
        they are all."""
        passed: dict[Node, int] = {}
        for _ in range(_MAX_DEPTH):
            passed.setdefault(node, offset)
            known = self._fields(node)
            if known is None:
                return passed, False
            fields = [f for f in known if f[0] <= offset]
            if not fields:
                return passed, True
            at, node = max(fields, key=lambda f: f[0])
            offset -= at
        return passed, False
