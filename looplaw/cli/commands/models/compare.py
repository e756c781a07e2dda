"""looplaw compare: two versions, measured; which is faster where, and from which size on."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import isfinite
from pathlib import Path
from typing import Any

import click

from looplaw_common.errors import DataError, InputError
from modeling import Measurements
from modeling.data.measurements import Series
from modeling.data.units import measures_time
from modeling.readers.choice import Choice
from modeling.readers.tables.names import Kind, named
from modeling.scaling.standings import is_at_one_size
from modeling.scaling.versions import Ratio, Turn, Versions, compare

from ....documents.reading import named_floats
from ....report import Table
from ....report.braille import picture_of_two
from ....report.cells import counted_noun
from ....report.formulas import fewer_digits
from ....report.grid import Column
from ....report.standings import is_rate, standings_of, standings_table
from ...common import show, write_json
from ...console import guarded, is_terminal, tell, tell_lines
from ...fitting.options import choice_options
from .shown import is_finished, show_finished, show_options

FORMAT = "looplaw-compare/1"


_SHORT = 24
"""Characters of a name that a sentence has room for."""


@click.command("compare")
@click.argument("sources", nargs=-1, required=True, metavar="A B | FILE [A B]")
@choice_options
@show_options
def compare_command(sources: tuple[str, ...], form: str, debug: bool, **given: Any) -> None:
    """Compare two versions: files of measurements A and B, or the series A and B of one FILE.

    Says which is faster at the largest size that both have (or --at), and how many times, with the
    90 % interval. Says how each grows, and from which size on the other one is faster. A series is
    named by its call path or metric, a part of it, or a word that tells series apart. The series of
    a FILE at one size are ranked.

    \b
    looplaw compare before.csv after.csv
    looplaw compare before.csv after.csv --at n=1e6
    looplaw compare sorts.csv radix std
    looplaw compare before.csv after.csv --values time_ms --params n
    """
    with guarded(debug):
        if len(sources) == 1 and is_finished(sources[0]):
            show_finished(sources[0], form, given)
            return
        choice = Choice(given["params"], given["values"], given["series"])
        pairs = _pairs(sources, choice, given["metric"])
        at = named_floats(given["places"])
        found = [compare(a, b, at or None, more_is_better=is_rate(a)) for a, b in pairs]
        found = [replace(v, name=_name(a, b)) for v, (a, b) in zip(found, pairs, strict=True)]
        if given["target"]:
            write_json(_document(found), given["target"])
        if given["target"] != "-":
            if len(sources) == 1 and len(pairs) > 1 and found[0].models is None:
                series = {id(s): s for pair in pairs for s in pair}
                show(standings_table(standings_of(tuple(series.values()))), form)
                return
            if form == "text" and is_terminal() and found[0].models is not None:
                tell_lines(picture_of_two(pairs[0], found[0].models) + "\n")
            _show(found, form)


def _pairs(
    sources: Sequence[str], choice: Choice, metric: str | None
) -> list[tuple[Series, Series]]:
    """The series to compare: those of equal names in two files, or two of one file.

    Raises:
        InputError: no such file or series, or more than two sources.
        DataError: nothing in the files corresponds.
    """
    if len(sources) == 2 and all(s == "-" or Path(s).exists() for s in sources):
        first, second = (_read(s, choice, metric) for s in sources)
        return _corresponding(first, second, sources)
    if len(sources) not in (1, 3):
        missing = [s for s in sources if s != "-" and not Path(s).exists()]
        raise InputError(
            f"{missing[0] if missing else ' '.join(sources)}: no such file; compare takes two"
            " files, or a file and two of its series, as in looplaw compare sorts.csv radix std"
        )
    data = _read(sources[0], choice, metric)
    if len(sources) == 3:
        one, other = (_chosen(data, word, sources[0]) for word in sources[1:])
        return _corresponding(one, other, sources[1:], anyway=True)
    metrics = dict.fromkeys(s.metric for s in data)
    pairs = [[s for s in data if s.metric == m] for m in metrics]
    found = [(of[0], of[1]) for of in pairs if len(of) == 2]
    if not found and len(data) == 2:
        found = [(data[0], data[1])]
    if not found and is_at_one_size(data):
        found = [pair for of in pairs for pair in _with_first(of)]
    if not found:
        raise InputError(
            f"{sources[0]}: holds {len(data)} series; name two of them behind the file:"
            f" {_listed(data)}"
        )
    return found


def _with_first(series: Sequence[Series]) -> list[tuple[Series, Series]]:
    """The best of the series at one size with each other one, the next first."""
    usable = [s for s in series if s.means[0] > 0]
    order = sorted(usable, key=lambda s: -s.means[0] if is_rate(s) else s.means[0])
    return [(order[0], other) for other in order[1:]]


def _read(source: str, choice: Choice, metric: str | None) -> tuple[Series, ...]:
    found = _measurements(source, choice).series
    if metric is None:
        return found
    if not (kept := tuple(s for s in found if s.metric == metric)):
        raise InputError(
            f"{source}: no metric {metric}; there are"
            f" {', '.join(dict.fromkeys(s.metric for s in found))}"
        )
    return kept


def _measurements(source: str, choice: Choice) -> Measurements:
    path = Path(source)
    if path.is_dir() and (path / "study.json").is_file():
        from modeling.data.columns import Columns
        from modeling.readers.collect import collect

        from ....exchange import study_observations

        return collect(Columns.of(study_observations(path)[0]), source)
    from ...fitting.series import read_measurements

    return read_measurements([source], None, choice=choice)


def _chosen(data: Sequence[Series], word: str, source: str) -> list[Series]:
    """The series that a word names: exactly, as a label, or as a part.

    Raises:
        InputError: none is.
    """
    ways: tuple[Callable[[Series], bool], ...] = (
        lambda s: word in (s.callpath, s.metric),
        lambda s: f"={word}]" in s.callpath or f"={word}," in s.callpath,
        lambda s: word in s.callpath or word in s.metric,
    )
    for fits in ways:
        if found := [s for s in data if fits(s)]:
            return found
    raise InputError(f"{source}: no series {word}; there are {_listed(data)}")


def _listed(data: Sequence[Series]) -> str:
    """The names of series: their call paths, or their metrics where these alone differ."""
    paths = dict.fromkeys(s.callpath for s in data)
    names = paths if len(paths) > 1 else dict.fromkeys(s.metric for s in data)
    return ", ".join(names)[:300]


def _corresponding(
    first: Sequence[Series], second: Sequence[Series], names: Sequence[str], *, anyway: bool = False
) -> list[tuple[Series, Series]]:
    """Pairs of series of one name and metric, else of one metric where each side has one; `anyway`
    in the order in which they stand, where the names differ in the words that chose them."""
    of_second = {(s.callpath, s.metric): s for s in second}
    both = [
        (s, of_second[s.callpath, s.metric]) for s in first if (s.callpath, s.metric) in of_second
    ]
    if both and not anyway:
        return both
    if anyway:
        keyed = {
            (s.callpath.replace(names[1], "\0"), s.metric.replace(names[1], "\0")): s
            for s in second
        }
        own = [
            (s, keyed[key])
            for s in first
            if (key := (s.callpath.replace(names[0], "\0"), s.metric.replace(names[0], "\0")))
            in keyed
        ]
        if own:
            return own
    metrics = list(dict.fromkeys(s.metric for s in first))
    found = []
    for m in metrics:
        a, b = ([s for s in side if s.metric == m] for side in (first, second))
        if len(a) == len(b) == 1:
            found.append((a[0], b[0]))
    if not found and len(first) == len(second) == 1:
        found = [(first[0], second[0])]
    if not found:
        raise DataError(
            f"{names[0]} and {names[1]} have no series of one name: A has"
            f" {', '.join(dict.fromkeys(s.callpath for s in first))[:200]}, B"
            f" {', '.join(dict.fromkeys(s.callpath for s in second))[:200]}; name one of each with"
            " looplaw compare FILE A B, or --metric"
        )
    return found


def _name(a: Series, b: Series) -> str:
    if a.metric in ("time", b.metric):
        return a.callpath if a.callpath == b.callpath else f"{a.callpath} | {b.callpath}"
    return " | ".join(
        s.metric if s.callpath == "main" else f"{s.callpath}: {s.metric}" for s in (a, b)
    )


def _show(found: Sequence[Versions], form: str) -> None:
    columns = (
        Column("name", "series", "path", 12),
        Column("metric", "metric", "text", 8),
        Column("faster", "faster", "word"),
        Column("ratio", "times", "number"),
        Column("low", "lower", "number"),
        Column("high", "upper", "number"),
        Column("crossing", "from", "text", 8),
        Column("a", "A grows as", "formula", 8),
        Column("b", "B grows as", "formula", 8),
    )
    rows = tuple(
        (
            v.name,
            v.metric,
            v.faster,
            f"{v.ratio.value:.3g}",
            _end(v.ratio.low),
            _end(v.ratio.high),
            "; ".join(f"{c.then} {_where(v, c)}" for c in v.crossings),
            *(_growth(v, side) for side in (0, 1)),
        )
        for v in found
    )
    if form != "text" or len(found) > 1:
        show(Table(columns, rows), form)
    if form == "text":
        for v in found:
            of = v.name if f"{v.metric} | " in v.name else f"{v.name}, {v.metric}"
            tell(f"{of}: {said(v)}")


def _growth(v: Versions, side: int) -> str:
    return "" if v.models is None else fewer_digits(str(v.models[side].lead))


def said(v: Versions) -> str:
    """A comparison in words."""
    if v.points and all(p.a == p.b for p in v.points):
        sizes = counted_noun(len(v.points), "size")
        return f"the same at {sizes}" if v.over else "the same"
    who = _names(v)
    parts = [
        f"{who[c.then]} is {_better(v)} from {v.over} = {_where(v, c)} on"
        + (", beyond what was measured" if c.at > v.reach else "")
        for c in v.crossings
    ]
    at = ", ".join(f"{n} = {_size(x)}" for n, x in v.at.items())
    where = f"at {at} " if at else ""
    if v.faster == "cannot tell":
        parts.append(f"{where}the measurements do not tell which is {_better(v)}{_why(v)}")
    else:
        parts.append(f"{where}{who[v.faster]} is {_better(v)}, {_times(v.ratio)}")
    if v.models is not None:
        parts.append(f"{who['A']} grows as {_growth(v, 0)}, {who['B']} as {_growth(v, 1)}")
    tested = [p for p in v.points if isfinite(p.p_value)]
    if tested and v.over is not None:
        sure = sum(p.is_significant for p in tested)
        parts.append(f"ranks tell them apart at {sure} of {len(tested)} sizes")
    elif tested:
        parts.append(
            f"p = {tested[-1].p_value:.2g}, n = {tested[-1].counts[0]} and {tested[-1].counts[1]}"
        )
    return "; ".join(parts)


def _names(v: Versions) -> dict[str, str]:
    """What people call A and B: the names of two series, where these are short."""
    words = [re.findall(r"\w+|\W", name) for name in v.name.split(" | ")]
    for _ in range(2):  # what both have at their start, then at their end
        while len(words) == 2 and all(len(w) > 1 for w in words) and words[0][0] == words[1][0]:
            words = [w[1:] for w in words]
        words = [w[::-1] for w in words]
    names = ["".join(w) for w in words]
    is_short = len(names) == 2 and all(0 < len(n) <= _SHORT for n in names)
    return dict(zip("AB", names if is_short else "AB", strict=True))


def _better(v: Versions) -> str:
    if named(v.metric).kind in (Kind.RATE, Kind.DERIVED):
        return "better"
    return "faster" if measures_time(v.metric, v.unit) or v.metric == "value" else "smaller"


def _why(v: Versions) -> str:
    if v.over is None and not any(isfinite(p.p_value) for p in v.points):
        return ": each was measured once, so the noise is not known; repeat it 5 times"
    if v.over is None and all(min(p.counts) < 4 for p in v.points):
        return ": ranks of fewer than 4 values each tell nothing; repeat it 5 times"
    return f" (A over B {_interval(v.ratio)})"


def _times(ratio: Ratio) -> str:
    return f"{ratio.value:.3g} times ({_interval(ratio)})"


def _interval(ratio: Ratio) -> str:
    return f"{_end(ratio.low)} to {_end(ratio.high)}"


def _end(value: float) -> str:
    return f"{value:.3g}" if isfinite(value) else ""


def _where(v: Versions, c: Turn) -> str:
    return f"{_size(c.at)} ({_size(c.low)} to {_size(c.high)})"


def _size(value: float) -> str:
    """A size with three digits, as people write it: 3,100 and 2.1e+07."""
    if not 1 <= abs(value) < 1e7:
        return f"{value:.3g}"
    digits = max(0, 2 - len(str(int(abs(value)))) + 1)
    rounded = round(value, digits) if digits else float(f"{value:.3g}")
    return f"{rounded:,.{digits}f}".rstrip("0").rstrip(".") if digits else f"{rounded:,.0f}"


def _document(found: Sequence[Versions]) -> dict[str, object]:
    return {"format": FORMAT, "series": [_series(v) for v in found]}


def _series(v: Versions) -> dict[str, object]:
    return {
        "name": v.name,
        "metric": v.metric,
        "faster": v.faster,
        "at": dict(v.at),
        "ratio": {
            "value": v.ratio.value,
            "low": _finite(v.ratio.low),
            "high": _finite(v.ratio.high),
        },
        "over": v.over,
        "crossings": [
            {"at": c.at, "low": c.low, "high": c.high, "then": c.then} for c in v.crossings
        ],
        "points": [
            {
                "at": dict(p.at),
                "A": p.a,
                "B": p.b,
                "counts": list(p.counts),
                "p_value": _finite(p.p_value),
            }
            for p in v.points
        ],
        "models": None if v.models is None else [m.formula for m in v.models],
    }


def _finite(value: float) -> float | None:
    return value if isfinite(value) else None
