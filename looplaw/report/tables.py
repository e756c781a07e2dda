"""What the terminal shows of a study, an analysis, models and functions; `grid` draws it.

Each function takes a JSON object (looplaw-study/1, looplaw-analysis/1 or looplaw-models/1). People
get the columns that answer their question and fit 80 characters; programs (json, csv) get
unshortened formulas and a field for each thing, as `records`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

from modeling import DataError

from .formulas import fewer_digits, with_condition
from .grid import FORMATS, Cell, Column, Table, render

Json = Mapping[str, object]
Row = tuple[Cell, ...]

_REMARKABLE = ("miscounted", "exceeds", "below", "not identifiable")


def study_table(study: Json) -> Table:
    """Each loop with its law, how it counted and how its time grows; below what stands out, and a
    summary.

    Raises:
        DataError: this is not a study.
    """
    _expect(study, "looplaw-study/1")
    loops = _objects(study, "loops")
    columns = (
        Column("at", "loop", "path", 18),
        Column("law", "iterations", "formula", 12),
        Column("kind", "kind", "word"),
        Column("obeys", "counted", "word"),
        Column("time_model", "time, s", "formula", 12),
        Column("verdict", "verdict", "text", 12),
    )
    rows = tuple(
        (
            _indented(loop),
            _law_and_model(loop),
            _kind(_object(loop, "total")).replace("parametric", "param."),
            _counted(loop),
            _model_text(loop.get("time_model")),
            _verdict(loop),
        )
        for loop in loops
    )
    remarks = [
        f"{_words(loop.get('at'))} {verdict}: {_words(loop.get('verdict_reason'))}"
        for verdict in _REMARKABLE
        for loop in loops
        if loop.get("verdict") == verdict and loop.get("verdict_reason")
    ]
    return Table(
        columns,
        rows,
        note="\n".join([*remarks, study_summary(study)]),
        records=_study_records(loops),
    )


def _study_records(loops: Sequence[Json]) -> Table:
    keys = (
        "at",
        "function",
        "nesting",
        "kind",
        "law",
        "lower",
        "upper",
        "reason",
        "obeys",
        "vectors",
        "equal",
        "iterations_model",
        "time_model",
        "growth_ratio",
        "verdict",
        "verdict_reason",
    )
    rows: list[Row] = []
    for loop in loops:
        total, points, model = (
            _object(loop, "total"),
            _objects(loop, "counted"),
            _object(loop, "time_model"),
        )
        counts = _object(loop, "iterations_model")
        rows.append(
            (
                _words(loop.get("at")),
                _words(loop.get("function")),
                _whole(loop.get("nesting")),
                _kind(total),
                _maybe(loop.get("display")) or _maybe(total.get("formula")),
                _maybe(total.get("lower")),
                _maybe(total.get("upper")),
                _maybe(total.get("reason")),
                _words(loop.get("obeys")),
                len(points),
                sum(p.get("equal") is True for p in points),
                _maybe(counts.get("formula")),
                _maybe(model.get("formula")),
                _maybe(loop.get("growth_ratio")),
                _words(loop.get("verdict")),
                _maybe(loop.get("verdict_reason")),
            )
        )
    return _records(keys, rows)


def _counted(loop: Json) -> str:
    points = _objects(loop, "counted")
    obeys = _words(loop.get("obeys"))
    if not points or obeys not in ("yes", "no", "bounded"):
        return "-"
    if obeys == "bounded":
        return f"in {len(points)}/{len(points)}"
    return f"{obeys} {sum(p.get('equal') is True for p in points)}/{len(points)}"


def _verdict(loop: Json) -> str:
    """The verdict; where time does not grow as the law and that is sure, by what factor of growth."""
    ratio, verdict = _words(loop.get("growth_ratio")), _words(loop.get("verdict"))
    return verdict + (
        f"\nby {ratio}" if ratio not in ("", "1") and verdict != "not identifiable" else ""
    )


def study_summary(study: Json) -> str:
    """One line: how many loops, how many obey, what failed."""
    summary = _object(study, "summary")
    count, exact, obey, wrong, failed = (
        _whole(summary.get(key)) or 0
        for key in ("loops", "exact", "obey", "miscounted", "failed_runs")
    )
    runs = _number(len(_objects(study, "runs")), "run")
    return (
        f"{_number(count, 'loop')}: {exact} with an exact law, {obey} counted exactly as predicted,"
        f" {wrong} miscounted; {runs}, {failed or 'none'} failed."
    )


def analysis_table(analysis: Json) -> Table:
    """Each loop with the formula of its iterations, or why there is none.

    Raises:
        DataError: this is not an analysis.
    """
    _expect(analysis, "looplaw-analysis/1")
    loops = _objects(analysis, "loops")
    columns = [
        Column("at", "loop", "path", 16),
        Column("function", "function", "path", 8),
        Column("kind", "kind", "word"),
        Column("total", "iterations in a run", "formula", 16),
    ]
    rows: list[Row] = [
        (
            _indented(loop),
            _words(loop.get("function")),
            _kind(_object(loop, "total")),
            _law(_object(loop, "total")),
        )
        for loop in loops
    ]
    reasons = [_reason(_object(loop, "total")) for loop in loops]
    if any(reasons):
        columns.append(Column("reason", "why not exact", "text", 16))
        rows = [(*row, reason) for row, reason in zip(rows, reasons, strict=True)]
    return Table(
        tuple(columns),
        tuple(rows),
        note=_analysis_note(analysis, loops),
        records=_analysis_records(loops),
    )


def _analysis_records(loops: Sequence[Json]) -> Table:
    rows: list[Row] = []
    for loop in loops:
        total = _object(loop, "total")
        rows.append(
            (
                _words(loop.get("at")),
                _words(loop.get("function")),
                _whole(loop.get("nesting")),
                _kind(total),
                *(_maybe(total.get(key)) for key in ("formula", "lower", "upper", "reason")),
                "; ".join(_strings(total.get("assumptions"))),
            )
        )
    return _records(
        ("at", "function", "nesting", "kind", "total", "lower", "upper", "reason", "assumptions"),
        rows,
    )


def _analysis_note(analysis: Json, loops: Sequence[Json]) -> str:
    kinds = [_kind(_object(loop, "total")) for loop in loops]
    found = ", ".join(
        f"{kinds.count(kind)} {kind}"
        for kind in ("exact", "parametric", "bounded", "unknown")
        if kind in kinds
    )
    library = len(_objects(analysis, "library"))
    more = f"; {_number(library, 'loop')} in library headers not shown" if library else ""
    parameters = ", ".join(
        f"{_words(p.get('name'))} = {_words(p.get('origin'))}"
        for p in _objects(analysis, "parameters")
    )
    return "\n".join(
        [
            *_strings(analysis.get("notes")),
            f"{_number(len(loops), 'loop')}: {found or 'none'}{more}.",
            f"Parameters: {parameters or 'none'}.",
        ]
    )


def _reason(total: Json) -> str:
    if total.get("kind") == "exact":
        return ""
    symbols = [
        f"{_words(o.get('symbol'))} is {_words(o.get('meaning'))}"
        for o in _objects(total, "opaque")
    ]
    return _words(total.get("reason")) or "; ".join(symbols)


def verification_table(found: Json) -> Table:
    """Each loop with the entries that were held against its formula; below the counterexamples and
    a summary.

    Raises:
        DataError: this is not a verification.
    """
    _expect(found, "looplaw-verification/1")
    loops = _objects(found, "loops")
    columns = (
        Column("at", "loop", "path", 18),
        Column("per_entry", "iterations per entry", "formula", 12),
        Column("entries", "entries", "number"),
        Column("agree", "agree", "number"),
        Column("total", "total", "word"),
        Column("verdict", "verdict", "text", 14),
    )
    rows = tuple(
        (
            _indented(loop),
            _law(_object(loop, "per_entry")),
            _whole(loop.get("entries")),
            _whole(loop.get("agree")) if loop.get("checked_by") != "nothing" else None,
            _words(loop.get("total_obeys")).replace("unchecked", "-"),
            _checked(loop),
        )
        for loop in loops
    )
    remarks = [
        f"{_words(loop.get('at'))}: {_counterexample(_object(loop, 'counterexample'))}"
        for loop in loops
        if loop.get("counterexample")
    ]
    remarks += [
        f"{_words(loop.get('at'))}: counted {n.get('iterations')} in the run, predicted"
        f" {n.get('predicted') if n.get('predicted') is not None else _between(n)} at"
        f" {_at(_object(n, 'params'))}"
        for loop in loops
        if loop.get("total_obeys") == "no"
        for n in _objects(loop, "total_counted")
        if n.get("equal") is False or n.get("equal") is None
    ][:20]
    summary = _object(found, "summary")
    wrong, totals, failed, entries = (
        _whole(summary.get(key)) or 0
        for key in ("wrong_at_entry", "wrong_totals", "failed", "entries_checked")
    )
    remarks.append(
        f"{_number(_whole(summary.get('runs')) or 0, 'run')}, {failed or 'none'} failed; "
        f"{_number(entries, 'entry').replace('entrys', 'entries')} checked."
    )
    remarks.append(
        f"{_number(wrong, 'loop')} wrong at an entry, {_number(totals, 'loop')} miscounted in"
        " total."
    )
    return Table(columns, rows, note="\n".join(remarks), records=_verification_records(loops))


def _verification_records(loops: Sequence[Json]) -> Table:
    words = (
        "at",
        "function",
        "nesting",
        "checked_by",
        "entries",
        "checked",
        "agree",
        "outside_assumptions",
        "undetermined",
        "not_recorded",
        "not_left",
        "reason",
        "total_obeys",
    )
    rows: list[Row] = [
        (
            *(
                _whole(loop[k]) if isinstance(loop.get(k), int) else _maybe(loop.get(k))
                for k in words
            ),
            (
                _counterexample(_object(loop, "counterexample"))
                if loop.get("counterexample")
                else None
            ),
        )
        for loop in loops
    ]
    return _records((*words, "counterexample"), rows)


def _checked(loop: Json) -> str:
    """What the entries say, and which of them say nothing."""
    if loop.get("counterexample"):
        return "wrong"
    if not loop.get("entries"):
        return "not entered"
    if loop.get("checked_by") == "nothing" or not loop.get("checked"):
        what = "not checkable at entry: " + (
            _words(loop.get("reason")) or "its assumptions did not hold"
        )
    else:
        what = (
            "agrees"
            if loop.get("checked_by") == "formula"
            else f"within bounds; {_words(loop.get('reason'))}"
        )
    left_out = (
        ("outside_assumptions", "outside its assumptions"),
        ("undetermined", "undetermined"),
        ("not_recorded", "not recorded"),
        ("not_left", "not left"),
    )
    more = [f"{loop.get(key)} {text}" for key, text in left_out if loop.get(key)]
    return "; ".join([what, *(more if loop.get("checked_by") != "nothing" else ())])


def _counterexample(found: Json) -> str:
    values = _at(_object(found, "values"))
    note = _words(found.get("note"))
    return (
        f"{found.get('iterations')} iterations in an entry, {found.get('formula')} says"
        f" {found.get('expected')}"
        + (f" at {values}" if values else "")
        + (f"; {note}" if note else "")
    )


def _between(counted: Json) -> str:
    return f"{counted.get('lower')} to {counted.get('upper')}"


def _at(values: Json) -> str:
    return ", ".join(f"{name}={value}" for name, value in values.items())


def models_table(models: Json) -> Table:
    """Each model with its errors; below why one is not identifiable.

    Raises:
        DataError: these are no models.
    """
    _expect(models, "looplaw-models/1")
    found = _objects(models, "models")
    columns = (
        Column("callpath", "call path", "path", 10),
        Column("metric", "metric", "path", 6),
        Column("formula", "model", "formula", 14),
        Column("smape", "error %", "number"),
        Column("loo_smape", "left out %", "number"),
        Column("points", "points", "number"),
        Column("identifiable", "sure", "word"),
    )
    keys = (
        "callpath",
        "metric",
        "formula",
        "smape",
        "loo_smape",
        "adjusted_r2",
        "points",
        "identifiable",
        "reason",
    )
    rows: list[Row] = []
    records: list[Row] = []
    for model in found:
        quality = _object(model, "quality")
        name, errors = (
            (_words(model.get("callpath")), _words(model.get("metric"))),
            [_real(quality.get(key)) for key in ("smape", "loo_smape", "adjusted_r2")],
        )
        points, sure = _whole(quality.get("points")), bool(model.get("identifiable"))
        rows.append((*name, _model_text(model), *map(percent, errors[:2]), points, sure))
        records.append(
            (
                *name,
                _words(model.get("formula")),
                *errors,
                points,
                sure,
                _maybe(model.get("reason")),
            )
        )
    note = [
        f"{_words(m.get('callpath'))}, {_words(m.get('metric'))}: not identifiable from these"
        f" points{': ' if m.get('reason') else ''}{_words(m.get('reason'))}"
        for m in found
        if not m.get("identifiable")
    ]
    return _one_metric(
        Table(columns, tuple(rows), note="\n".join(note), records=_records(keys, records))
    )


def _one_metric(table: Table) -> Table:
    """Without the column of metrics where all are times: what a reader expects needs no room."""
    if {row[1] for row in table.rows} != {"time"}:
        return table
    return replace(
        table,
        columns=(table.columns[0], *table.columns[2:]),
        rows=tuple((r[0], *r[2:]) for r in table.rows),
    )


def percent(error: float | None) -> str:
    """An error in percent; what rounding leaves of an exact fit is not written out."""
    return (
        ""
        if error is None
        else "<0.01"
        if error < 0.01
        else f"{error:.2g}"
        if error < 100
        else f"{error:.0f}"
    )


def functions_table(source: Json) -> Table:
    """Work, depth, efficiency and operations per call of each function of an analysis or a study.

    Raises:
        DataError: a function is not an object.
    """
    found = _objects(source, "functions")
    kinds = tuple(dict.fromkeys(kind for f in found for kind in _object(f, "operations")))
    columns = (
        Column("name", "function", "path", 12),
        Column("work", "work", "formula", 8),
        Column("depth", "depth", "formula", 8),
        Column("efficiency", "eff.", "formula", 6),
        Column("operations", "operations", "formula", 14),
    )
    rows: list[Row] = []
    records: list[Row] = []
    for f in found:
        operations = {kind: _object(_object(f, "operations"), kind) for kind in kinds}
        work, depth = _law(_object(f, "work")), _law(_object(f, "depth"))
        where = f"\n{_words(f.get('file'))}:{_words(f.get('line'))}" if f.get("file") else ""
        rows.append(
            (
                _words(f.get("name")) + where,
                work,
                depth,
                _words(f.get("efficiency")),
                "\n".join(
                    f"{k}: {_law(c)}"
                    for k, c in operations.items()
                    if c and c.get("formula") != "0"
                ),
            )
        )
        records.append(
            (
                _words(f.get("name")),
                _maybe(f.get("file")),
                _whole(f.get("line")),
                work,
                depth,
                _maybe(f.get("efficiency")),
                *(_law(c) for c in operations.values()),
            )
        )
    keys = ("name", "file", "line", "work", "depth", "efficiency", *kinds)
    return Table(columns, tuple(rows), records=_records(keys, records))


def roofline_table(analysis: Json) -> Table:
    """Each function that computes with its arithmetic intensity and its bound of time, per call.

    Raises:
        DataError: this is not an analysis with rooflines.
    """
    _expect(analysis, "looplaw-analysis/1")
    machine, found = _object(analysis, "roofline"), _objects(analysis, "functions")
    at = ", ".join(f"{name}={value}" for name, value in _object(machine, "at").items())
    columns = [
        Column("name", "function", "path", 10),
        Column("intensity", "flop/byte", "formula", 10),
        Column("leading", "if large", "formula", 8),
        Column("bound", "bound by", "word"),
        Column("time_s", "time bound per call, s", "formula", 16),
    ]
    if at:
        columns.append(Column("at", f"s at {at}", "text", 8))
    rows: list[Row] = []
    records: list[Row] = []
    idle = 0
    for f in found:
        line, flops = _object(f, "roofline"), _object(_object(f, "operations"), "flops")
        point, nbytes = _object(line, "at"), _object(line, "bytes")
        records.append(
            (
                _words(f.get("name")),
                _maybe(f.get("file")),
                _whole(f.get("line")),
                _maybe(flops.get("formula")),
                _maybe(nbytes.get("formula")),
                *(_maybe(line.get(k)) for k in ("intensity", "leading", "time_s")),
                _maybe(point.get("bound") or line.get("bound")),
                _real(point.get("time_s")),
                _maybe(line.get("reason")),
            )
        )
        if flops.get("formula") == "0":
            idle += 1
            continue
        where = f"\n{_words(f.get('file'))}:{_words(f.get('line'))}" if f.get("file") else ""
        row: Row = (
            _words(f.get("name")) + where,
            _words(line.get("display")) or _words(line.get("reason")),
            _words(line.get("leading")) or "-",
            _words(point.get("bound")) or _words(line.get("bound")) or "-",
            _words(line.get("display_time")) or "?",
        )
        rows.append((*row, _placed(point)) if at else row)
    keys = (
        "name",
        "file",
        "line",
        "flops",
        "bytes",
        "intensity",
        "leading",
        "time_s",
        "bound",
        "at_s",
        "reason",
    )
    balance = f"{_real(machine.get('balance')) or 0.0:.3g}"
    note = [
        (
            f"Machine: {_rate(machine.get('peak_flops'))} flop/s,"
            f" {_rate(machine.get('peak_bandwidth'))} byte/s; below {balance} flop/byte memory is"
            " the bound."
        ),
        (
            f"Bytes: {_words(machine.get('bytes'))}. Caches lower them, down to the compulsory"
            " traffic of each datum once; flops/peak is a bound in any case. Formulas shown hold"
            f" for values of at least {_words(machine.get('least'))}."
        ),
    ]
    note += (
        [f"{_number(idle, 'function')} without floating-point operations not shown."]
        if idle
        else []
    )
    return Table(tuple(columns), tuple(rows), note="\n".join(note), records=_records(keys, records))


def _rate(value: object) -> str:
    return f"{_real(value) or 0.0:.4g}".replace("e+0", "e").replace("e+", "e")


def _placed(point: Json) -> str:
    """The time at the values given, or which values are missing."""
    if missing := _strings(point.get("missing")):
        return f"needs {', '.join(missing)}"
    time = _real(point.get("time_s"))
    return "?" if time is None else f"{time:.3g}"


# -- cells
def _records(keys: Sequence[str], rows: Sequence[Row]) -> Table:
    return Table(tuple(keys), tuple(rows))


def _law(count: Json, display: object = None) -> str:
    """The formula, or the bounds, or a question mark."""
    if text := _words(display) or _words(count.get("formula")):
        return with_condition(text)
    bounds = (("at least", count.get("lower")), ("at most", count.get("upper")))
    return (
        "\n".join(
            f"{word} {with_condition(_words(bound))}" for word, bound in bounds if bound is not None
        )
        or "?"
    )


def _law_and_model(loop: Json) -> str:
    """What is known of a loop's iterations; below it the model of its counts where the law alone
    does not tell them."""
    total, model = _object(loop, "total"), _object(loop, "iterations_model")
    law = _law(total, loop.get("display"))
    if _kind(total) == "exact" or not model:
        return law
    return "\n".join(line for line in (law, f"counted: {_model_text(model)}") if line != "?")


def _indented(loop: Json) -> str:
    return "  " * max((_whole(loop.get("nesting")) or 1) - 1, 0) + _words(loop.get("at"))


def _model_text(model: object) -> str:
    if not isinstance(model, Mapping):
        return "-"
    return fewer_digits(_words(model.get("formula")))


def _kind(count: Json) -> str:
    return _words(count.get("kind")) or "unknown"


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


# -- reading JSON that may be anything
def _expect(data: Json, form: str) -> None:
    if not isinstance(data, Mapping) or data.get("format") != form:
        raise DataError(f'this is not a {form} object ("format": "{form}" is missing)')


def _as_object(value: object) -> Json:
    if not isinstance(value, Mapping):
        raise DataError(f"an object is expected where {str(value)[:40]!r} stands")
    return cast(Json, value)


def _object(data: Json, key: str) -> Json:
    value = data.get(key)
    return {} if value is None else _as_object(value)


def _objects(data: Json, key: str) -> list[Json]:
    value = data.get(key)
    if value is None:
        return []
    if not isinstance(value, list | tuple):
        raise DataError(f'"{key}" is not a list')
    return [_as_object(v) for v in value]


def _strings(value: object) -> list[str]:
    return [str(v) for v in value] if isinstance(value, list | tuple) else []


def _words(value: object) -> str:
    return "" if value is None else str(value)


def _maybe(value: object) -> str | None:
    return None if value is None else str(value)


def _real(value: object) -> float | None:
    try:
        return (
            float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
        )
    except OverflowError:  # an integer that no float can hold
        return None


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


__all__ = [
    "FORMATS",
    "Table",
    "analysis_table",
    "functions_table",
    "models_table",
    "percent",
    "render",
    "roofline_table",
    "study_summary",
    "study_table",
    "verification_table",
]
