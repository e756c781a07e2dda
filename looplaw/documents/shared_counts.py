"""Counts of many documents kept once: in a library, most functions stand in the analyses of many
exported ones, with the same counts and the same texts."""

from __future__ import annotations

from typing import Any, TypeVar

from msgspec import UNSET
from msgspec.structs import replace

from .analysis import AnalysisDocument, LoopDocument
from .count import CountDocument

_T = TypeVar("_T")


class SharedCounts:
    """Counts, and the texts in them, each once."""

    def __init__(self) -> None:
        self._known: dict[Any, Any] = {}  # each under itself

    def shared(self, document: AnalysisDocument) -> AnalysisDocument:
        """The same document, of counts that others have, too."""
        return replace(
            document,
            loops=tuple(map(self._loop, document.loops)),
            library=tuple(map(self._loop, document.library)),
            functions=tuple(
                replace(
                    f,
                    work=self._count(f.work),
                    depth=self._count(f.depth),
                    operations={kind: self._count(c) for kind, c in f.operations.items()},
                )
                for f in document.functions
            ),
        )

    def _loop(self, loop: LoopDocument) -> LoopDocument:
        return replace(
            loop,
            at=self._one(loop.at),
            function=self._one(loop.function),
            parent=self._one(loop.parent),
            per_entry=self._count(loop.per_entry),
            per_call=self._count(loop.per_call),
            total=self._count(loop.total),
        )

    def _count(self, count: CountDocument) -> CountDocument:
        known: CountDocument | None = self._known.get(count)
        if known is None:
            known = replace(
                count,
                opaque=tuple(map(self._one, count.opaque)),
                assumptions=tuple(map(self._one, count.assumptions)),
                reason=self._one(count.reason),
                assumed=UNSET if count.assumed is UNSET else tuple(map(self._one, count.assumed)),
            )
            self._known[known] = known
        return known

    def _one(self, value: _T) -> _T:
        found: _T = self._known.setdefault(value, value)
        return found
