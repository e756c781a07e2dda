"""Analyses kept by content: of the IR as the compiler wrote it, the options, and our own code."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
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
    """What an analysis is asked for, IR aside. seconds: CPU time of one count; total: of all;
    memory: bytes of each process; warp: lanes of a warp of kernels. What is cut short by total or
    memory is not kept."""

    entry: str = "main"
    parameters: Mapping[str, str] = field(default_factory=dict)
    strict: bool = False
    seconds: float = 2.0
    total: float | None = None
    memory: int | None = None
    warp: int | None = None

    def key(self, ir: str) -> str:
        """The key of the analysis of some IR."""
        return self.key_of(digest(ir))

    def key_of(self, ir_digest: str) -> str:
        """The same by what stands for the IR."""
        given = sorted(self.parameters.items())
        asked = f"{self.entry} {given} {self.strict} {self.seconds} {self.warp}"
        return f"{__version__} {_code_version()} {ir_digest} {asked}"


@cache
def _code_version() -> str:
    """Of what this process runs: asked once."""
    top = Path(__file__).resolve().parents[2]
    return code_version((top / "staticana", top / "looplaw" / "documents"))


def digest(ir: str) -> str:
    """What stands for IR in keys."""
    return sha256(ir.encode("utf-8", "surrogateescape")).hexdigest()


def kept(ir_digest: str, asked: Asked) -> AnalysisDocument | None:
    """The document of an analysis that was made before."""
    found = STORE.get(asked.key_of(ir_digest))
    try:
        return None if found is None else msgspec.json.decode(found, type=AnalysisDocument)
    except msgspec.DecodeError:
        return None  # damaged: made again


def kept_or(
    ir_digest: str, asked: Asked, analyse: Callable[[], Analysis], *, fresh: bool = False
) -> AnalysisDocument:
    """The document of an analysis, from the cache where it was made before.

    Args:
        analyse: makes it. What the time for all, memory or an interruption cut short is not kept.
        fresh: make it again.
    """
    found = None if fresh else kept(ir_digest, asked)
    if found is not None:
        return found
    document = analysis_document(analyse())
    if not is_cut_short(document):
        STORE.put(asked.key_of(ir_digest), msgspec.json.encode(document))
    return document


def is_cut_short(document: AnalysisDocument) -> bool:
    """May another run find the formula of a count that was refused: was the time for all used up,
    or the memory?"""
    of_loops = (
        count
        for loop in (*document.loops, *document.library)
        for count in (loop.per_entry, loop.per_call, loop.total)
    )
    of_functions = (
        count for f in document.functions for count in (f.work, f.depth, *f.operations.values())
    )
    return any(count.may_be_found for count in (*of_loops, *of_functions))
