"""Analyses kept by content: of the IR as the compiler wrote it, the options, and our own code."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

import msgspec

from looplaw_common.store import Store, code_version
from looplaw_common.version import __version__
from staticana import Analysis

from ..documents.analysis import AnalysisDocument, analysis_document

STORE = Store("analyses")


@dataclass(frozen=True)
class Asked:
    """What an analysis is asked for, IR aside."""

    entry: str = "main"
    parameters: Mapping[str, str] = field(default_factory=dict)
    strict: bool = False
    seconds: float = 2.0
    total: float | None = None

    def key(self, ir: str) -> str:
        """The key of the analysis of some IR."""
        top = Path(__file__).resolve().parents[2]
        version = code_version((top / "staticana", top / "looplaw" / "documents"))
        text = sha256(ir.encode("utf-8", "surrogateescape")).hexdigest()
        given = sorted(self.parameters.items())
        return f"{__version__} {version} {text} {self.entry} {given} {self.strict} {self.seconds}"


def kept_or(ir: str, asked: Asked, analyse: Callable[[], Analysis]) -> AnalysisDocument:
    """The document of an analysis, from the cache where it was made before.

    Args:
        analyse: makes it. What rests on how long something took, or was interrupted, is not kept.
    """
    key = asked.key(ir)
    found = STORE.get(key)
    if found is not None:
        try:
            return msgspec.json.decode(found, type=AnalysisDocument)
        except msgspec.DecodeError:
            pass  # damaged: made again
    document = analysis_document(analyse())
    if not is_cut_short(document):
        STORE.put(key, msgspec.json.encode(document))
    return document


def is_cut_short(document: AnalysisDocument) -> bool:
    """Does a count have no formula since finding it took too long?"""
    return any(
        (count.reason or "").startswith("budget")
        for loop in (*document.loops, *document.library)
        for count in (loop.per_entry, loop.per_call, loop.total)
    )
