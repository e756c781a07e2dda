"""A study as one HTML file that works from disk: our own small page (folder `page`) with the data inside.

The data of a study come from programs and their output, so nothing of them is ever mark-up: they stand in a script
element of type application/json with every <, > and & escaped, the page's script puts them in as text, and a content
security policy lets run only the script and the style sheet whose digests it names.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Mapping
from importlib.resources import files

from modeling import DataError

from .tables import study_summary

FORMAT = "looplaw-study/1"
_SCRIPTS = ("formula.js", "model.js", "plot.js", "details.js", "page.js")
_MAX_TEXT = 4000
"""Longest text of a program's error output that the page keeps: its end, where the message usually is."""
_EXACT = 2**53
"""Larger integers lose digits in a browser's numbers, so they travel as text."""

Json = Mapping[str, object]


def render_html(study: Mapping[str, object]) -> str:
    """The page for a "looplaw-study/1" object.

    Raises:
        DataError: this is not a study.
    """
    if not isinstance(study, Mapping) or study.get("format") != FORMAT:
        raise DataError(f'not a study ("format": "{FORMAT}" is missing); make one with looplaw study PROGRAM')
    style, script = _asset("page.css"), "\n".join(_asset(name) for name in _SCRIPTS)
    policy = (f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
              f"base-uri 'none'; form-action 'none'")
    parts = {"title": html.escape(str(study.get("title") or "study")), "summary": html.escape(study_summary(study)),
             "policy": html.escape(policy), "style": style, "script": script, "data": embed(_Packer().study(study))}
    # one pass, so that a placeholder inside a part (the data may say anything) stays as it is
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], _asset("page.html"))


def embed(data: object) -> str:
    """JSON that is inert inside an HTML script element: pure ASCII, no <, > or &."""
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _asset(name: str) -> str:
    return (files(__package__) / "page" / name).read_text(encoding="utf-8").strip()


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


class _Packer:
    """Makes a study small: parameter vectors are kept once and referred to by number, points become rows."""

    def __init__(self) -> None:
        self._vectors: dict[str, int] = {}
        self._kept: list[object] = []

    def study(self, study: Json) -> dict[str, object]:
        """The study with `vectors` added; `counted`, `time` and `runs` are lists of rows, as page.js unpacks them."""
        packed: dict[str, object] = {k: _plain(v) for k, v in study.items() if k not in ("loops", "runs")}
        packed["loops"] = [self._loop(loop) for loop in _rows(study.get("loops"))]
        packed["runs"] = [[self._vector(run.get("params")),
                           *(_plain(run.get(k)) for k in ("repetition", "status", "exit_code", "elapsed_s", "cpu_s")),
                           _end(run.get("stderr")), _end(run.get("reason"))] for run in _rows(study.get("runs"))]
        packed["vectors"] = self._kept
        return packed

    def _loop(self, loop: Json) -> dict[str, object]:
        packed: dict[str, object] = {k: _plain(v) for k, v in loop.items() if k not in ("counted", "time")}
        packed["counted"] = [[self._vector(p.get("params")),
                              *(_plain(p.get(k)) for k in ("iterations", "entries", "predicted", "lower", "upper",
                                                           "equal"))] for p in _rows(loop.get("counted"))]
        packed["time"] = [[self._vector(p.get("params")), _plain(p.get("values"))] for p in _rows(loop.get("time"))]
        for key in ("per_entry", "per_call"):  # most loops are entered once a call and called once
            if loop.get(key) == loop.get("total"):
                packed.pop(key, None)
        return packed

    def _vector(self, params: object) -> int:
        vector = _plain(params if isinstance(params, Mapping) else {})
        key = json.dumps(vector, sort_keys=True)
        if key not in self._vectors:
            self._vectors[key] = len(self._kept)
            self._kept.append(vector)
        return self._vectors[key]


def _rows(value: object) -> list[Json]:
    return [row for row in value if isinstance(row, Mapping)] if isinstance(value, list | tuple) else []


def _plain(value: object) -> object:
    """JSON that a browser reads without loss: no NaN, long integers as text, floats with the digits that matter."""
    match value:
        case None | bool() | str():
            return value
        case int():
            return value if abs(value) <= _EXACT else str(value)
        case float():
            return float(f"{value:.8g}") if value - value == 0 else None
        case Mapping():
            return {str(k): _plain(v) for k, v in value.items()}
        case list() | tuple():
            return [_plain(v) for v in value]
    return str(value)


def _end(value: object) -> str:
    text = "" if value is None else str(value)
    return text if len(text) <= _MAX_TEXT else "… " + text[-_MAX_TEXT:]
