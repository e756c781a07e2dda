"""What is known of each loop as LLVM optimisation remarks (YAML): opt-viewer, llvm-opt-report and
the like show them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from modeling import DataError

Json = Mapping[str, object]

_KINDS = {"obeys": "Passed", "miscounted": "Missed", "exceeds": "Missed"}
"""A loop that keeps to its law is a remark of kind Passed, one that does not is Missed, the rest
Analysis."""
_PLACE = re.compile(r"(.+):(\d+):(\d+)")


def remarks(data: Json) -> str:
    """A YAML document for each loop of a looplaw-study/1 or looplaw-analysis/1 object.

    Raises:
        DataError: the object has no loops.
    """
    loops = data.get("loops")
    if not isinstance(loops, list):
        raise DataError('neither a study nor an analysis ("loops" is missing)')
    return "".join(_remark(loop) for loop in loops if isinstance(loop, Mapping))


def _remark(loop: Json) -> str:
    place = _PLACE.fullmatch(str(loop.get("at")))
    if place is None:
        return ""
    arguments = "".join(f"  - {key}: {_text(value)}\n" for key, value in _arguments(loop))
    verdict = str(loop.get("verdict") or "counted")
    where = f"{{ File: {_text(place[1])}, Line: {place[2]}, Column: {place[3]} }}"
    return (
        f"--- !{_KINDS.get(verdict, 'Analysis')}\nPass: looplaw\nName: {_name(verdict)}\nDebugLoc:"
        f" {where}\nFunction: {_text(str(loop.get('function')))}\nArgs:\n{arguments}...\n"
    )


def _arguments(loop: Json) -> list[tuple[str, str]]:
    """Pieces of the sentence that viewers put together; keys other than String name what the piece
    is."""
    total = loop.get("total")
    count = total if isinstance(total, Mapping) else {}
    found = [
        ("String", "loop runs "),
        ("Iterations", _count(loop.get("display"), count)),
        ("String", " times in a run"),
    ]
    if isinstance(model := loop.get("time_model"), Mapping):
        found += [("String", ", in "), ("Time", f"{model.get('formula')} s")]
    if reason := loop.get("verdict_reason"):
        found += [
            ("String", "; "),
            ("Verdict", str(loop.get("verdict"))),
            ("String", f": {reason}"),
        ]
    return found


def _count(display: object, count: Json) -> str:
    if text := display or count.get("formula"):
        return str(text)
    bounds = [
        f"{word} {count[key]}"
        for word, key in (("at least", "lower"), ("at most", "upper"))
        if count.get(key)
    ]
    return (
        " and ".join(bounds) or f"an unknown number of ({count.get('reason') or 'no reason given'})"
    )


def _text(text: str) -> str:
    """A JSON string is a YAML double-quoted scalar."""
    return json.dumps(text)


def _name(verdict: str) -> str:
    return "".join(word.capitalize() for word in verdict.split())
