"""Digests of the content of IR: the same for the same code, wherever it stands in its module and
its source file: lines in a function are counted from its first one.

LLVM numbers metadata and groups of attributes through a whole module, so that an edit in one
function changes the text of the others. Here references are replaced by digests of what they refer
to. Metadata refer to each other in circles, which are taken as one (Tarjan, "Depth-first search and
linear graph algorithms", 1972).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from hashlib import blake2b
from typing import NamedTuple

from looplaw_common.digraph import Digraph, circles

from .types import Global, Module

_NODE = re.compile(r"!\d+\b")
_GROUP = re.compile(r"(?<= )#\d+\b")
_UNIT = "DICompileUnit("
_CHECKSUM = re.compile(r', checksumkind: \w+, checksum: "[^"]*"')
"""Of a whole source file, in which any function may have changed."""
_LINE = re.compile(r"(?<=[( ])(line|scopeLine): (\d+)")
_SCOPE = re.compile(r"(?<=[( ])scope: (!\d+)")
_FUNCTION = "distinct !DISubprogram("
_INSIDE = ("!DILocation(", "!DILexicalBlock", "!DILocalVariable(", "!DILabel(")
"""What describes the inside of a function: its scope leads there."""


class Place(NamedTuple):
    """Where a function stands: the first and the last line of its source."""

    file: str
    first: int
    last: int


def digest(parts: Iterable[str]) -> str:
    """A digest of several texts in their order."""
    found = blake2b(digest_size=16)
    for part in parts:
        found.update(part.encode("utf-8", "surrogateescape") + b"\0")
    return found.hexdigest()


class Contents:
    """The content of the parts of one module."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._lines = module.text.split("\n")
        self._functions: dict[str, str] = {}

    def function(self, name: str) -> str:
        """A digest of all that is written of a function, its debug information included."""
        if name not in self._functions:
            f = self._module.functions[name]
            self._functions[name] = digest(map(self.written, self._lines[f.line : f.end + 1]))
        return self._functions[name]

    def place(self, name: str) -> Place | None:
        """Where a function stands; None where that is not known."""
        f = self._module.functions[name]
        file, first = self._module.file_of(f.dbg), self._firsts.get(f.dbg or "")
        if file is None or first is None:
            return None
        return Place(file, first, self._lasts.get(f.dbg or "", first))

    @cached_property
    def _firsts(self) -> dict[str, int]:
        """Node that describes a function, or something inside it -> the first line of that."""
        found: dict[str, int] = {}
        for node, function in self._functions_of.items():
            line = _LINE.search(self._module.metadata[function])
            if line is not None:
                found[node] = int(line[2])
        return found

    @cached_property
    def _lasts(self) -> dict[str, int]:
        """Node that describes a function -> its last line that something inside it is in."""
        found: dict[str, int] = {}
        for node, function in self._functions_of.items():
            for match in _LINE.finditer(self._module.metadata[node]):
                found[function] = max(found.get(function, 0), int(match[2]))
        return found

    @cached_property
    def _functions_of(self) -> dict[str, str]:
        """Node that describes a function, or something inside it -> the node of the function."""
        texts, found = self._module.metadata, dict[str, str]()
        for node in texts:
            way: list[str] = []
            at = node
            while at not in found:
                text = texts.get(at, "")
                if text.startswith(_FUNCTION):
                    found[at] = at
                    break
                is_inside = text.removeprefix("distinct ").startswith(_INSIDE)
                scope = _SCOPE.search(text) if is_inside else None
                if scope is None:
                    break
                way.append(at)
                at = scope[1]
            if at in found:
                found |= dict.fromkeys(way, found[at])
        return found

    def _counted(self, node: str, text: str) -> str:
        """The text of a node, with lines of a function counted from its first one."""
        first = self._firsts.get(node)
        if first is None:
            return _CHECKSUM.sub("", text) if "DIFile(" in text else text
        return _LINE.sub(lambda m: f"{m[1]}: {m[2] if m[2] == '0' else int(m[2]) - first}", text)

    def variable(self, g: Global) -> str:
        """A digest of a global variable, but for where the source declares it."""
        field = self._module.metadata_field
        node = field(g.dbg, "var") or g.dbg
        names = (field(node, "name") or "", field(node, "linkageName") or "")
        kind = self.metadata(field(node, "type"))
        return digest((g.name, g.attributes, g.type, g.initializer, *names, kind))

    def metadata(self, node: str | None) -> str:
        """A digest of a metadata node and of all that it refers to."""
        return self._metadata.get(node, "") if node is not None else ""

    def written(self, text: str) -> str:
        """A line of IR with what it refers to instead of numbers."""
        if "!" in text:
            text = _NODE.sub(lambda m: self._metadata.get(m[0], m[0]), text)
        if "#" in text:
            text = _GROUP.sub(lambda m: self._module.attributes.get(m[0], m[0]), text)
        return text

    @cached_property
    def _metadata(self) -> dict[str, str]:
        texts = {
            node: self._counted(node, text)
            for node, text in self._module.metadata.items()
            if node[1:].isdecimal()
        }
        # what a unit lists, its global variables say themselves; nobody comes to others through it
        graph = Digraph(
            texts,
            (
                (node, other)
                for node, text in texts.items()
                if _UNIT not in text
                for other in _NODE.findall(text)
            ),
        )
        found: dict[str, str] = {}
        for circle in circles(graph):  # what is referred to comes first
            nodes = sorted(circle, key=lambda n: int(n[1:]))
            place = {node: f"<{at}>" for at, node in enumerate(nodes)}

            def named(match: re.Match[str], place: dict[str, str] = place) -> str:
                return place.get(match[0]) or found.get(match[0], "!")

            whole = digest(_NODE.sub(named, texts.get(node, "")) for node in nodes)
            if len(nodes) == 1:
                found[nodes[0]] = whole
            else:
                found.update((node, f"{whole}.{at}") for at, node in enumerate(nodes))
        return found
