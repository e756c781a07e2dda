"""A study as one HTML file that works from disk: our own small page (folder `page`) with the data
inside.

The data of a study come from programs and their output, so nothing of them is ever mark-up: they
stand in a script element of type application/json with every <, > and & escaped, the page's script
puts them in as text, and a content security policy lets run only the script and the style sheet
whose digests it names.
"""

from __future__ import annotations

import html
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from looplaw_common.documents import builtins, convert
from looplaw_common.errors import InputError
from looplaw_common.formula.formula import parse_formula
from looplaw_common.text import visible
from modeling.pmnf.curve import CurveDocument
from modeling.pmnf.time_law import TimeLawDocument
from modeling.settings import INTERVAL

from ..documents.analysis import AnalysisDocument
from ..documents.study import StudyDocument
from ..laws.answer import answer, node_cores
from ..laws.limits import is_sure, level_name
from ..laws.own_time import callers_of, only_inside, own_shares
from ..laws.time_prediction import PredictedRest, RestModel, rest_model
from .answer_text import law_line, sentences
from .assets import page
from .formulas import fewer_digits
from .law_grid import curve_grid, law_grid
from .listings.listing import listings
from .listings.listing_html import listing_section
from .study_tables import study_summary

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
_REPEATED = (
    "function",
    "parent",
    "kernel",
    "parameters",
    "verdict",
    "verdict_reason",
    "obeys",
    "settle",
)
"""Of a loop: what many loops share; kept once and known by number, as `texts`."""
_QUALITY = ("smape", "adjusted_r2", "loo_smape", "points")
_ALTERNATIVE = ("weight", "sigma", "kappa", "root", "constant", "terms")
_MOST_ALTERNATIVES, _MOST_WEIGHT = 6, 0.99
"""Laws that a page's interval is mixed of: the likeliest, until they make up this share."""
_FEW_FILES = 3
"""Of more files only the first stands in the title."""
_BRIEF = 20
"""Kernels, hottest first, whose law the page has as the terminal shows it."""
_UNREAD = ("callpath", "metric", "parameters", "law", "counted", "name")
"""Of a model: said by the loop that it stands in, or packed in another form."""
_MAX_TEXT = 4000
"""Longest text of a program's error output that the page keeps: its end, where the message usually
is."""
_CONTEXT = 10
"""Lines of source shown around a loop; a page has room for more than a terminal."""
_EXACT = 2**53
"""Larger integers lose digits in a browser's numbers, so they travel as text."""

Json = Mapping[str, Any]
"""A part of a document as dictionaries and lists: what is packed for the page."""


def render_html(study: StudyDocument) -> str:
    """The page of a study."""
    data = embed(_with_answer(study, _Packer().study(builtins(study))))
    sources = {s.file: s.text for s in study.sources}
    scripts = [s for s in _SCRIPTS if s != "ranks.js" or study.ranks]
    return page(
        "page.html",
        scripts,
        title=html.escape(visible(_title(study))),
        data=data,
        summary=html.escape(visible(study_summary(study))),
        listing=listing_section(listings(study, sources, context=_CONTEXT)),
    )


def _title(study: StudyDocument) -> str:
    """The study's title; of a program of many files the first one and how many more."""
    names = [file.rsplit("/", 1)[-1] for file in study.program]
    if len(names) > _FEW_FILES and study.title == ", ".join(names):
        return f"{names[0]} and {len(names) - 1} more files"
    return study.title or "study"


def _with_answer(study: StudyDocument, packed: dict[str, object]) -> dict[str, object]:
    """What the terminal says at the size that the run is meant for, and what the page needs to say
    the same at others: which kernels enter which, which are part of others, the time outside."""
    loops = packed["loops"]
    models = {k.at for k in study.loops if k.time_model is not None}
    if study.kind == "measurements" or not isinstance(loops, list) or not models:
        return packed
    found = answer(study, with_next=False)
    number = {loop.at: k for k, loop in enumerate(study.loops)}
    callers = callers_of(study, [loop.at for loop in study.loops if loop.at in models])
    shares = own_shares(study, only_inside(callers))
    for at, by in callers.items():
        if any(by):
            loops[number[at]]["callers"] = [-1 if k is None else number[k] for k in by]
        if at in shares:
            loops[number[at]]["own"] = _plain(shares[at])
    told: dict[str, object] = {"at": _plain(found.at), "text": sentences(replace(found, cost=None))}
    if (time := found.time) is not None:
        for k in time.kernels:
            by_name = None if k.bound_by is None else level_name(k.bound_by)
            if by_name is not None and not is_sure(k):
                by_name += "?"
            loops[number[k.at]] |= {"then": _ends(k.seconds, k.low, k.high), "by": by_name}
            if k.is_part:
                loops[number[k.at]]["part"] = 1
        for ranked in found.kernels[:_BRIEF]:
            loops[number[ranked.loop.at]]["brief"] = law_line(ranked.work)
        told["then"] = _ends(time.seconds, time.low, time.high)
        rest, texts = rest_model(study), packed["texts"]
        packed["rest"] = _rest(rest, time.outside, texts if isinstance(texts, list) else [])
        packed["answer"] = told
    if study.cost_per_hour is not None:
        packed["cores"] = node_cores(study)
    return packed


def _rest(rest: RestModel, there: PredictedRest, texts: list[object]) -> object:
    """The time outside of all kernels: at the target, with its interval, and its model."""
    ends: dict[str, object] = {"then": _ends(there.seconds, there.low, there.high)}
    if rest.model is None:
        return ends
    return ends | {"model": _model(builtins(rest.model.document), _Once(texts))}


def _ends(*values: float) -> list[object]:
    return [_rounded(_plain(v)) for v in values]


def render_listing(
    analysis: AnalysisDocument,
    sources: Mapping[str, str],
    *,
    title: str,
    functions: Sequence[str] = (),
    least: int = 0,
) -> str:
    """The page of annotated source alone.

    Args:
        sources: file -> text.
        functions: only these; all when empty.
        least: values from which the shortened formulas hold.
    """
    found = listings(analysis, sources, functions=functions, context=_CONTEXT)
    parameters = ", ".join(f"{p.name} from {p.origin}" for p in analysis.parameters)
    return page(
        "annotated.html",
        ("formula.js", "theme.js", "listing.js", "annotated.js"),
        title=html.escape(visible(title)),
        about=html.escape(
            visible(f"Iterations of each loop in a run{'; ' if parameters else ''}{parameters}")
        ),
        listing=listing_section(found, least=least, alone=True),
    )


def embed(data: object) -> str:
    """JSON that is inert inside an HTML script element: pure ASCII, no <, > or &."""
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


class _Packer:
    """Makes a study small: vectors of parameters are kept once and known by number, points are
    columns."""

    def __init__(self) -> None:
        self._names: set[str] = set()
        self._vectors = _Once()
        self._lists = _Once()
        self._texts = _Once()

    def study(self, study: Json) -> dict[str, object]:
        """The study as page.js unpacks it, with `vectors` (of parameters), `lists` (of their
        numbers) and `texts`."""
        separate = ("loops", "runs", "functions", "sources", "ranks", "parameters")
        packed: dict[str, object] = {
            k: _plain(v) for k, v in study.items() if k not in separate and v is not None
        }
        self._names = {p["name"] for p in study["parameters"]}
        packed["loops"] = [self._loop(loop) for loop in study["loops"]]
        packed["parameters"] = [
            p | {"values": [_plain(v) for v in p["values"]]} for p in study["parameters"]
        ]
        packed["functions"] = [_function(f) for f in study["functions"]]
        packed["ranks"] = [self._ranked(kernel) for kernel in study["ranks"]]
        packed["runs"] = [self._run(run) for run in study["runs"]]
        packed |= {
            "vectors": self._vectors.kept,
            "lists": self._lists.kept,
            "texts": self._texts.kept,
        }
        return packed

    def _run(self, run: Json) -> list[object]:
        numbers = (
            _plain(run[k]) for k in ("repetition", "status", "exit_code", "elapsed_s", "cpu_s")
        )
        return [self._vector(run), *numbers, _end(run["stderr"]), _end(run["reason"])]

    def _loop(self, loop: Json) -> dict[str, object]:
        packed: dict[str, object] = {
            k: _slim(_plain(v)) for k, v in loop.items() if v is not None and k not in _PACKED
        }
        for key in ("inner", "source"):
            if not loop[key]:
                del packed[key]
        total = loop["total"]
        for key in ("per_entry", "per_call"):  # most loops are entered once a call and called once
            if loop[key] == total:
                packed.pop(key, None)
        if loop["kernel"] == loop["at"]:
            packed.pop("kernel", None)
        if total is not None and loop["display"] == total["formula"]:
            packed.pop("display", None)
        law = loop.get("law")
        if law is None or law["kind"] == "exact":  # that is `display`, of which all may be known
            packed.pop("law", None)
            shown = loop["display"] or (total or {}).get("formula")
            if law is not None and law["formula"] != shown and not self._is_known(shown):
                packed["runs"] = law["formula"]
        if loop["counted"]:
            packed["counted"] = self._counted(loop["counted"])
        if loop["time"]:
            packed["time"] = self._times(loop["time"])
        exact = total is not None and total["kind"] == "exact" and self._can_evaluate(loop)
        for key in ("time_model",) if exact else ("time_model", "iterations_model"):
            if loop[key] is not None:  # exact counts need no model
                packed[key] = _model(loop[key], self._texts)
        if loop.get("before") is not None:
            packed["before"] = self._before(loop["before"])
        return packed | {k: self._texts.number(packed[k]) for k in _REPEATED if k in packed}

    def _can_evaluate(self, loop: Json) -> bool:
        """Is the law in the swept parameters alone?"""
        return self._is_known(
            (loop["law"] or {}).get("formula") or loop["display"] or loop["total"]["formula"]
        )

    def _is_known(self, formula: str | None) -> bool:
        if formula is None:
            return False
        try:
            return parse_formula(formula).symbols <= self._names
        except InputError:  # of a document that something else wrote
            return False

    def _before(self, before: Json) -> dict[str, object]:
        """What the loop was in the study that this one is compared with."""
        packed = {k: _plain(v) for k, v in before.items() if k not in _PACKED}
        packed["time"] = self._times(before["time"] or [])
        if before["time_model"] is not None:
            packed["time_model"] = _model(before["time_model"], self._texts)
        return packed

    def _ranked(self, kernel: Json) -> dict[str, object]:
        """A kernel's classes of ranks; the models of its imbalance as the page draws them."""
        packed = {k: _rounded(_plain(v)) for k, v in kernel.items() if k != "imbalance"}
        models = {k: _model(m, self._texts) for k, m in kernel["imbalance"].items()}
        return packed | {"imbalance": models}

    def _times(self, times: Sequence[Json]) -> dict[str, object]:
        return {"at": self._list(times), "values": [_seconds(p["values"]) for p in times]}

    def _counted(self, points: Sequence[Json]) -> dict[str, object]:
        """Columns; one that repeats the iterations is "=", one of equal values is that value."""
        columns = {k: [_plain(p[k]) for p in points] for k in _COUNTED}
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
        return self._vectors.number(_plain(point["params"]))


def _model(model: Json, texts: _Once) -> object:
    read: dict[str, Any] = {k: _plain(v) for k, v in model.items() if k not in _UNREAD}
    if read["identifiable"]:
        del read["identifiable"]
    curve = read.pop("curve", None)
    if not read.get("unit"):  # the loop's metric says it
        read.pop("unit", None)
    read["quality"] = [read["quality"][k] for k in _QUALITY]
    if read["interval"] is not None:
        read["interval"] = _mixture(read["interval"], read)
    packed = read | {k: _rounded(read[k]) for k in _ROUNDED}
    if (law := model.get("law")) is not None:
        packed["law"] = law_grid(convert(law, TimeLawDocument, "law"))
    if curve is not None:
        law = convert(curve, CurveDocument, "curve")
        packed["curve"] = curve_grid(law, law.learned.curves[0].top)
    if (counted := model.get("counted")) is not None:
        packed["exact" if counted["formula"] is not None else "approximate"] = (
            counted["formula"] or counted["reason"]
        )
    if packed["formula"] == _told(packed):  # the page writes it from the terms
        del packed["formula"]
    if not packed["constant"]:
        del packed["constant"]
    if packed["interval"] is not None:  # how far the data reach is the same for many
        positive, reach, *rest = packed["interval"]
        packed["interval"] = [positive, texts.number(reach), *rest]
    return _slim(packed)


def _told(model: Json) -> str:
    """The formula as page.js writes it from a model's constant and terms, of one parameter each."""
    parts = [f"{model['constant']:.10g}"] if model["constant"] else []
    for term in model["terms"]:
        powers = [
            f"{n}**{i}" if "/" not in i else f"{n}**({i})"
            for n, (i, j) in term["exponents"].items()
            if j == "0" and not i.startswith("-")
        ]
        if len(powers) != len(term["exponents"]) or term["coefficient"] <= 0:
            return ""
        factors = [p.removesuffix("**1") for p in powers]
        parts.append("*".join([f"{term['coefficient']:.10g}", *factors]))
    return " + ".join(parts)


def _mixture(interval: Json, model: Json) -> list[object]:
    """What the page needs to draw an interval; laws that are the model's own are not repeated."""
    ordered: list[Json] = sorted(interval["alternatives"], key=lambda a: -float(a["weight"] or 0))
    kept: list[object] = []
    total = 0.0
    for a in ordered[:_MOST_ALTERNATIVES]:
        if total < _MOST_WEIGHT:
            own = all(a[k] == model[k] for k in ("constant", "terms"))
            packed = {**a, "root": [_without_zeros(row) for row in a["root"]]}
            kept.append(
                [packed[k] for k in _ALTERNATIVE if not (own and k in ("constant", "terms"))]
            )
            total += float(a["weight"] or 0)
    found = [interval["positive"], interval["reach"], kept, int(bool(interval.get("unseen")))]
    shown = int(interval.get("shown") or 0)
    return [*found, shown] if 0 < shown <= len(INTERVAL.open_terms) else found


def _without_zeros(row: Sequence[float]) -> list[float]:
    """A row without the zeros at its end."""
    last = max((k for k, value in enumerate(row) if value), default=-1)
    return [float(value) for value in row[: last + 1]]


def _function(function: Json) -> dict[str, object]:
    """A function with what the page reads of its counts: the formula, else the bounds and the
    reason."""

    def count(value: Json) -> object:
        keys = ("formula",) if value["formula"] is not None else ("lower", "upper", "reason")
        return _slim({k: _plain(value[k]) for k in keys})

    packed: dict[str, object] = {k: function[k] for k in ("name", "file", "line", "efficiency")}
    packed["operations"] = {k: count(v) for k, v in function["operations"].items()}
    return packed | {k: count(function[k]) for k in ("work", "depth")}


class _Once:
    """Values, each kept once and known by its place."""

    def __init__(self, kept: list[object] | None = None) -> None:
        self.kept: list[object] = [] if kept is None else kept
        self._places: dict[str, int] = {}

    def number(self, value: object) -> int:
        place = self._places.setdefault(json.dumps(value, sort_keys=True), len(self.kept))
        if place == len(self.kept):
            self.kept.append(value)
        return place


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


def _seconds(values: Sequence[float]) -> list[object]:
    """Times to four digits, what no plot or table shows more of."""
    return [_rounded(_plain(v)) for v in values]


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
    if not math.isfinite(short):  # the largest numbers, rounded up
        return value
    return int(short) if short == int(short) else short  # 1 is shorter than 1.0


def _end(value: object) -> str:
    text = "" if value is None else str(value)
    return text if len(text) <= _MAX_TEXT else "… " + text[-_MAX_TEXT:]
