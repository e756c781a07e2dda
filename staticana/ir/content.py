"""Digests of the content of IR: the same for the same code, wherever it stands in its module.

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

from looplaw_common.digraph import Digraph, circles

from .types import Global, Module

_NODE = re.compile(r"!\d+\b")
_GROUP = re.compile(r"(?<= )#\d+\b")
_UNIT = "DICompileUnit("
_CHECKSUM = re.compile(r', checksumkind: \w+, checksum: "[^"]*"')
"""Of a whole source file, in which any function may have changed."""


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
            node: _CHECKSUM.sub("", text) if "DIFile(" in text else text
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
