"""What is known of each loop as LLVM optimisation remarks (YAML): opt-viewer, llvm-opt-report and
the like show them."""

from __future__ import annotations

import re

from looplaw_common.text import escaped

from ...documents.analysis import AnalysisDocument, LoopDocument
from ...documents.count import CountDocument
from ...documents.study import StudyDocument, StudyLoop

_KINDS = {"obeys": "Passed", "miscounted": "Missed", "exceeds": "Missed"}
"""A loop that keeps to its law is a remark of kind Passed, one that does not is Missed, the rest
Analysis."""
_PLACE = re.compile(r"(.+):(\d+):(\d+)", re.DOTALL)


def remarks(data: StudyDocument | AnalysisDocument) -> str:
    """A YAML document for each loop of a study or an analysis."""
    return "".join(_remark(loop) for loop in data.loops)


def _remark(loop: StudyLoop | LoopDocument) -> str:
    place = _PLACE.fullmatch(loop.at)
    if place is None:
        return ""
    arguments = "".join(f"  - {key}: {_text(value)}\n" for key, value in _arguments(loop))
    verdict = loop.verdict if isinstance(loop, StudyLoop) else "counted"
    where = f"{{ File: {_text(place[1])}, Line: {place[2]}, Column: {place[3]} }}"
    return (
        f"--- !{_KINDS.get(verdict, 'Analysis')}\nPass: looplaw\nName: {_name(verdict)}\nDebugLoc:"
        f" {where}\nFunction: {_text(loop.function)}\nArgs:\n{arguments}...\n"
    )


def _arguments(loop: StudyLoop | LoopDocument) -> list[tuple[str, str]]:
    """Pieces of the sentence that viewers put together; keys other than String name what the piece
    is."""
    found = [
        ("String", "loop runs "),
        ("Iterations", loop.display or _count(loop.total or CountDocument("unknown"))),
        ("String", " times in a run"),
    ]
    if not isinstance(loop, StudyLoop):
        return found
    if loop.time_model is not None:
        found += [("String", ", in "), ("Time", f"{loop.time_model.formula} s")]
    if loop.verdict_reason:
        found += [
            ("String", "; "),
            ("Verdict", loop.verdict),
            ("String", f": {loop.verdict_reason}"),
        ]
    return found


def _count(count: CountDocument) -> str:
    return (
        count.formula
        or " and ".join(count.bounds)
        or f"an unknown number of ({count.reason or 'no reason given'})"
    )


def _text(text: str) -> str:
    """A double-quoted scalar. JSON's strings are such too, except that readers of YAML do not put
    the two halves of a character beyond 16 bits together."""
    return "".join(('"', *map(_character, text), '"'))


def _character(c: str) -> str:
    if c in '"\\':
        return f"\\{c}"
    if "\ud800" <= c <= "\udfff":
        return f"\\{escaped(c)}"  # not a character, so that YAML cannot hold it
    return c if c.isprintable() else f"\\u{ord(c):04x}" if c <= "\uffff" else f"\\U{ord(c):08x}"


def _name(verdict: str) -> str:
    return "".join(word.capitalize() for word in verdict.split())
