"""A study as one HTML file that works from disk: our own small page (folder `page`) with the data
inside.

The data of a study come from programs and their output, so nothing of them is ever mark-up: they
stand in a script element of type application/json with every <, > and & escaped, the page's script
puts them in as text, and a content security policy lets run only the script and the style sheet
whose digests it names.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

from modeling import DataError

from .formulas import fewer_digits
from .listing import listings
from .listing_html import clean, listing_section
from .tables import study_summary

FORMAT = "looplaw-study/1"
_SCRIPTS = (
    "formula.js",
    "model.js",
    "own.js",
    "plot.js",
    "details.js",
    "surface.js",
    "tree.js",
    "ranks.js",
    "theme.js",
    "listing.js",
    "target.js",
    "page.js",
)
_COUNTED = ("iterations", "entries", "predicted", "lower", "upper", "equal")
_PACKED = ("counted", "time", "time_model", "iterations_model", "display_per_call", "before")
_ROUNDED = ("interval", "quality", "rivals")
_REPEATED = ("function", "parent", "kernel", "parameters", "verdict", "verdict_reason", "obeys")
"""Of a loop: what many loops share; kept once and known by number, as `texts`."""
_QUALITY = ("smape", "adjusted_r2", "loo_smape", "points")
_ALTERNATIVE = ("weight", "sigma", "kappa", "root", "constant", "terms")
_MOST_ALTERNATIVES, _MOST_WEIGHT = 6, 0.99
"""Laws that a page's interval is mixed of: the likeliest, until they make up this share."""
_UNREAD = ("callpath", "metric", "parameters")
"""Of a model: said by the loop that it stands in."""
_MAX_TEXT = 4000
"""Longest text of a program's error output that the page keeps: its end, where the message usually
is."""
_CONTEXT = 10
"""Lines of source shown around a loop; a page has room for more than a terminal."""
_EXACT = 2**53
"""Larger integers lose digits in a browser's numbers, so they travel as text."""

Json = Mapping[str, object]


def render_html(study: Mapping[str, object]) -> str:
    """The page for a "looplaw-study/1" object.

    Raises:
        DataError: this is not a study.
    """
    if not isinstance(study, Mapping) or study.get("format") != FORMAT:
        raise DataError(
            f'not a study ("format": "{FORMAT}" is missing); make one with looplaw study PROGRAM'
        )
    try:
        data = embed(_Packer().study(study))
    except RecursionError:
        raise DataError("not a study: its objects are nested too deeply") from None
    sources = {str(s.get("file")): str(s.get("text")) for s in _rows(study.get("sources"))}
    scripts = [s for s in _SCRIPTS if s != "ranks.js" or study.get("ranks")]
    return _page(
        "page.html",
        scripts,
        title=html.escape(clean(str(study.get("title") or "study"))),
        data=data,
        summary=html.escape(study_summary(study)),
        listing=listing_section(listings(study, sources, context=_CONTEXT)),
    )


def render_listing(
    analysis: Json,
    sources: Mapping[str, str],
    *,
    title: str,
    functions: Sequence[str] = (),
    least: int = 0,
) -> str:
    """The page of annotated source alone.

    Args:
        analysis: a "looplaw-analysis/1" object.
        sources: file -> text.
        functions: only these; all when empty.
        least: values from which the shortened formulas hold.
    """
    found = listings(analysis, sources, functions=functions, context=_CONTEXT)
    parameters = ", ".join(
        f"{p.get('name')} from {p.get('origin')}" for p in _rows(analysis.get("parameters"))
    )
    return _page(
        "annotated.html",
        ("formula.js", "theme.js", "listing.js", "annotated.js"),
        title=html.escape(clean(title)),
        about=html.escape(
            clean(f"Iterations of each loop in a run{'; ' if parameters else ''}{parameters}")
        ),
        listing=listing_section(found, least=least, alone=True),
    )


def _page(name: str, scripts: Sequence[str], **parts: str) -> str:
    """A page of ours with style, scripts and a policy that lets nothing else run."""
    style, script = (
        re.sub(r"\s*([{};])\s*", r"\1", _lean(_asset("page.css"))),
        _lean("\n".join(_asset(s) for s in scripts)),
    )
    policy = (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        f"base-uri 'none'; form-action 'none'"
    )
    parts |= {"policy": html.escape(policy), "style": style, "script": script}
    # one pass, so that a placeholder inside a part (the data may say anything) stays as it is
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], _asset(name))


def embed(data: object) -> str:
    """JSON that is inert inside an HTML script element: pure ASCII, no <, > or &."""
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _asset(name: str) -> str:
    return (files(__package__) / "page" / name).read_text(encoding="utf-8").strip()


def _lean(text: str) -> str:
    """Without indentation and comments, which stand on lines of their own or behind two blanks; no
    text of the page's own sources spans lines."""
    bare = re.sub(r"^\s*/\*(?:(?!\*/)[\s\S])*\*/[ \t]*$|  // .*$", "", text, flags=re.MULTILINE)
    lines = (line.strip() for line in bare.split("\n"))
    return "\n".join(line for line in lines if line)


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


class _Packer:
    """Makes a study small: vectors of parameters are kept once and known by number, points are
    columns."""

    def __init__(self) -> None:
        self._vectors = _Once()
        self._lists = _Once()
        self._texts = _Once()

    def study(self, study: Json) -> dict[str, object]:
        """The study as page.js unpacks it, with `vectors` (of parameters), `lists` (of their
        numbers) and `texts`."""
        packed: dict[str, object] = {
            k: _plain(v)
            for k, v in study.items()
            if k not in ("loops", "runs", "functions", "sources", "ranks")
        }
        packed["loops"] = [self._loop(loop) for loop in _rows(study.get("loops"))]
        packed["parameters"] = [_parameter(p) for p in _rows(study.get("parameters"))]
        packed["program"] = [str(p) for p in _list(study.get("program"))]
        for key in ("environment", "summary"):
            packed[key] = packed.get(key) if isinstance(packed.get(key), dict) else {}
        packed["functions"] = [_function(f) for f in _rows(study.get("functions"))]
        packed["ranks"] = [self._ranked(kernel) for kernel in _rows(study.get("ranks"))]
        packed["runs"] = [self._run(run) for run in _rows(study.get("runs"))]
        packed |= {
            "vectors": self._vectors.kept,
            "lists": self._lists.kept,
            "texts": self._texts.kept,
        }
        return packed

    def _run(self, run: Json) -> list[object]:
        numbers = (
            _plain(run.get(k)) for k in ("repetition", "status", "exit_code", "elapsed_s", "cpu_s")
        )
        return [self._vector(run), *numbers, _end(run.get("stderr")), _end(run.get("reason"))]

    def _loop(self, loop: Json) -> dict[str, object]:
        packed: dict[str, object] = {
            k: _slim(_plain(v)) for k, v in loop.items() if v is not None and k not in _PACKED
        }
        packed["at"], total = str(loop.get("at")), loop.get("total")
        for key in ("per_entry", "per_call"):  # most loops are entered once a call and called once
            if loop.get(key) == loop.get("total"):
                packed.pop(key, None)
        if loop.get("kernel") == loop.get("at"):
            packed.pop("kernel", None)
        if isinstance(total, Mapping) and loop.get("display") == total.get("formula"):
            packed.pop("display", None)
        if counted := _rows(loop.get("counted")):
            packed["counted"] = self._counted(counted)
        if times := _rows(loop.get("time")):
            packed["time"] = self._times(times)
        exact = isinstance(total, Mapping) and total.get("kind") == "exact"
        for key in ("time_model", "iterations_model")[
            : 1 if exact else 2
        ]:  # exact counts need no model
            if isinstance(model := loop.get(key), Mapping):
                packed[key] = _model(model, self._texts)
        if isinstance(before := loop.get("before"), Mapping):
            packed["before"] = self._before(before)
        return packed | {k: self._texts.number(packed[k]) for k in _REPEATED if k in packed}

    def _before(self, before: Json) -> dict[str, object]:
        """What the loop was in the study that this one is compared with."""
        packed = {k: _plain(v) for k, v in before.items() if k not in _PACKED}
        packed["time"] = self._times(_rows(before.get("time")))
        if isinstance(model := before.get("time_model"), Mapping):
            packed["time_model"] = _model(model, self._texts)
        return packed

    def _ranked(self, kernel: Json) -> dict[str, object]:
        """A kernel's classes of ranks; the models of its imbalance as the page draws them."""
        packed = {k: _rounded(_plain(v)) for k, v in kernel.items() if k != "imbalance"}
        imbalance = kernel.get("imbalance")
        models = imbalance if isinstance(imbalance, Mapping) else {}
        return packed | {
            "imbalance": {
                str(k): _model(m, self._texts) for k, m in models.items() if isinstance(m, Mapping)
            }
        }

    def _times(self, times: Sequence[Json]) -> dict[str, object]:
        return {"at": self._list(times), "values": [_seconds(p.get("values")) for p in times]}

    def _counted(self, points: Sequence[Json]) -> dict[str, object]:
        """Columns; one that repeats the iterations is "=", one of equal values is that value."""
        columns = {k: [_plain(p.get(k)) for p in points] for k in _COUNTED}
        packed: dict[str, object] = {
            "at": self._list(points),
            "iterations": columns.pop("iterations"),
        }
        for key, values in columns.items():
            if key != "equal" and values == packed["iterations"]:  # in Python True == 1
                packed[key] = "="
            elif any(v != values[0] or type(v) is not type(values[0]) for v in values):
                packed[key] = values
            elif values[0] is not None:
                packed[key] = values[0]
        return packed

    def _list(self, points: Sequence[Json]) -> int:
        return self._lists.number([self._vector(p) for p in points])

    def _vector(self, point: Json) -> int:
        params = point.get("params")
        return self._vectors.number(_plain(params if isinstance(params, Mapping) else {}))


def _model(model: Json, texts: _Once) -> object:
    read = {k: _plain(v) for k, v in model.items() if k not in _UNREAD}
    if read.get("identifiable") is True:
        del read["identifiable"]
    if isinstance(quality := read.get("quality"), dict):
        read["quality"] = [quality.get(k) for k in _QUALITY]
    if isinstance(interval := read.get("interval"), dict):
        read["interval"] = _outlook(interval, read)
    packed = read | {k: _rounded(read.get(k)) for k in _ROUNDED}
    if isinstance(
        outlook := packed["interval"], list
    ):  # how far the data reach is the same for many
        packed["interval"] = [outlook[0], texts.number(outlook[1]), outlook[2]]
    return _slim(packed)


def _outlook(interval: Mapping[str, Any], model: Json) -> list[object]:
    """What the page needs to draw an interval, as `modeling.pmnf.interval.PredictiveMixture` writes it; laws
    that are the model's own are not repeated."""
    ordered: list[Mapping[str, Any]] = sorted(
        interval.get("alternatives") or [], key=lambda a: -float(a["weight"])
    )
    kept: list[object] = []
    total = 0.0
    for a in ordered[:_MOST_ALTERNATIVES]:
        if total < _MOST_WEIGHT:
            own = all(a.get(k) == model.get(k) for k in ("constant", "terms"))
            packed = dict(a) | {"root": [_without_zeros(row) for row in a["root"]]}
            kept.append(
                [packed[k] for k in _ALTERNATIVE if not (own and k in ("constant", "terms"))]
            )
            total += float(a["weight"])
    return [interval.get("positive"), interval.get("reach"), kept]


def _without_zeros(row: Sequence[float]) -> list[float]:
    """A row without the zeros at its end."""
    last = max((k for k, value in enumerate(row) if value), default=-1)
    return [float(value) for value in row[: last + 1]]


def _parameter(parameter: Json) -> dict[str, object]:
    return {
        "name": str(parameter.get("name")),
        "origin": str(parameter.get("origin")),
        "values": [_plain(v) for v in _list(parameter.get("values")) if isinstance(v, int | float)],
    }


def _function(function: Json) -> dict[str, object]:
    """A function with what the page reads of its counts: the formula, else the bounds and the
    reason."""

    def count(value: object) -> object:
        if not isinstance(value, Mapping):
            return None
        keys = ("formula",) if value.get("formula") is not None else ("lower", "upper", "reason")
        return _slim({k: _plain(value.get(k)) for k in keys})

    packed: dict[str, object] = {
        k: _plain(function.get(k)) for k in ("name", "file", "line", "efficiency")
    }
    operations = function.get("operations")
    if isinstance(operations, Mapping):
        packed["operations"] = {str(k): count(v) for k, v in operations.items()}
    return packed | {k: count(function.get(k)) for k in ("work", "depth")}


class _Once:
    """Values, each kept once and known by its place."""

    def __init__(self) -> None:
        self.kept: list[object] = []
        self._places: dict[str, int] = {}

    def number(self, value: object) -> int:
        place = self._places.setdefault(json.dumps(value, sort_keys=True), len(self.kept))
        if place == len(self.kept):
            self.kept.append(value)
        return place


def _rows(value: object) -> list[Json]:
    return [row for row in _list(value) if isinstance(row, Mapping)]


def _list(value: object) -> Sequence[object]:
    return value if isinstance(value, list | tuple) else ()


def _plain(value: object) -> object:
    """JSON that a browser reads without loss: no NaN, long integers as text, floats with the digits
    that matter."""
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


def _slim(value: object) -> object:
    """Without nulls, empty lists and the bounds of exact counts; an empty `parameters` says
    something."""
    if not isinstance(value, dict):
        return value
    bounds = ("lower", "upper") if value.get("kind") == "exact" else ()
    return {
        k: _slim(v)
        for k, v in value.items()
        if v is not None and k not in bounds and (v != [] or k == "parameters")
    }


def _seconds(values: object) -> list[object]:
    """Times to four digits, what no plot or table shows more of."""
    found = [_rounded(_plain(v)) for v in _list(values)]
    return [v if isinstance(v, int | float) else None for v in found]


def _rounded(value: object) -> object:
    if isinstance(value, dict):
        return {k: _rounded(v) for k, v in value.items()}
    if isinstance(value, list):
        return [_rounded(v) for v in value]
    if isinstance(value, str):
        return fewer_digits(value, 4)
    if not isinstance(value, float):
        return value
    short = float(f"{value:.4g}")
    return int(short) if short == int(short) else short  # 1 is shorter than 1.0


def _end(value: object) -> str:
    text = "" if value is None else str(value)
    return text if len(text) <= _MAX_TEXT else "… " + text[-_MAX_TEXT:]
