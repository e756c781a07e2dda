"""Laws of exported functions kept by content: of the functions that they rest on, and of the
outlines of all others.

After an edit of one function, those exported functions are analysed again that come to it, or that
rest on its values otherwise, not those that only stand in other lines now. All of them are where
the edit changes what any function may rest on: which pointers it keeps and hands on, whom it calls,
what it stores where others may see it.
"""

from __future__ import annotations

import msgspec

from looplaw_common.store import Store
from staticana.ir.content import Place
from staticana.libraries import Library

from ..documents.analysis import AnalysisDocument
from .kept import Asked, is_cut_short
from .moved import moved

_STORE = Store("exports")


class Export(msgspec.Struct, frozen=True):
    """The laws of an exported function, and the functions whose content they rest on."""

    rests_on: list[str]
    analysis: AnalysisDocument


class _Kept(msgspec.Struct, frozen=True):
    """functions: name -> digest of the content of those that the laws rest on; places: where they
    stood."""

    functions: dict[str, str]
    places: dict[str, Place]
    analysis: AnalysisDocument


class KnownExports:
    """What is known of a library from runs before."""

    def __init__(self, library: Library, asked: Asked) -> None:
        self._library = library
        self._asked = asked

    def found(self) -> dict[str, AnalysisDocument]:
        """The laws that hold as they are, by exported function."""
        found: dict[str, AnalysisDocument] = {}
        for name in self._library.names:
            kept = self._kept(name)
            if kept is not None and all(
                self._library.content(f) == digest for f, digest in kept.functions.items()
            ):
                now = {f: self._library.place(f) for f in kept.places}
                analysis = moved(kept.analysis, kept.places, {f: p for f, p in now.items() if p})
                found |= {} if analysis is None else {name: analysis}
        return found

    def keep(self, export: Export) -> None:
        """Remember laws, but for those that the time for all or memory cut short."""
        if is_cut_short(export.analysis):
            return
        functions = {f: self._library.content(f) for f in export.rests_on}
        told = {f: digest for f, digest in functions.items() if digest is not None}
        places = {f: place for f in told if (place := self._library.place(f)) is not None}
        kept = _Kept(told, places, export.analysis)
        _STORE.put(self._key(export.analysis.entry), msgspec.json.encode(kept))

    def _kept(self, name: str) -> _Kept | None:
        found = _STORE.get(self._key(name))
        try:
            return None if found is None else msgspec.json.decode(found, type=_Kept)
        except msgspec.DecodeError:
            return None  # damaged: made again

    def _key(self, name: str) -> str:
        asked = Asked(name, strict=self._asked.strict, seconds=self._asked.seconds)
        return asked.key_of(self._library.shared)
