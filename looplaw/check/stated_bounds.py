"""Bounds of loops that programmers state: `// looplaw: iterations <= n` above a loop.

Where the analysis has no bound of its own for the iterations of a loop in a run, it takes the one
that is stated, and says so among the assumptions; `check` and each study hold it against what is
counted.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from looplaw_common.errors import InputError

from ..documents.analysis import AnalysisDocument, LoopDocument

if TYPE_CHECKING:
    from .comments import Statement


def with_stated_bounds(document: AnalysisDocument, say: Callable[[str], None]) -> AnalysisDocument:
    """The document with bounds that its sources state; `say` is told of what cannot be read."""
    stated: dict[tuple[str, int], Statement] = {}
    for file in dict.fromkeys(loop.at.rsplit(":", 2)[0] for loop in document.loops):
        stated |= _stated(file, document, say)
    if not stated:
        return document
    return msgspec.structs.replace(
        document, loops=tuple(_bounded(loop, stated) for loop in document.loops)
    )


def _stated(
    file: str, document: AnalysisDocument, say: Callable[[str], None]
) -> dict[tuple[str, int], Statement]:
    """Line of a loop -> what is stated of it."""
    try:
        text = Path(file).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return {}
    if "looplaw" not in text:
        return {}
    from .comments import owner, read_comments  # only where there is one: they know models

    lines = [int(c.at.rsplit(":", 2)[1]) for c in document.loops if c.at.startswith(f"{file}:")]
    functions = [
        (f.name, f.line) for f in document.functions if f.file == file and f.line is not None
    ]
    found: dict[tuple[str, int], Statement] = {}
    try:
        for s in read_comments(file, text):
            law = s.law
            if law is None or law.metric != "iterations" or law.relation not in ("<=", "=="):
                continue
            found[file, owner(s, text, functions, lines).line] = s
    except InputError as error:
        say(str(error))
    return found


def _bounded(loop: LoopDocument, stated: dict[tuple[str, int], Statement]) -> LoopDocument:
    file, line, _ = loop.at.rsplit(":", 2)
    s = stated.get((file, int(line)))
    total = loop.total
    if s is None or s.law is None or total.upper is not None:
        return loop
    said = f"stated: iterations {s.law.text} ({s.at})"
    total = msgspec.structs.replace(
        total,
        kind="bounded" if total.kind == "unknown" else total.kind,
        lower=total.lower or "0",
        upper=s.law.formula.text,
        assumptions=(*total.assumptions, said),
        assumed=msgspec.UNSET,
    )
    return msgspec.structs.replace(loop, total=total)
