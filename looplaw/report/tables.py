"""What the terminal shows of a study, an analysis, models and functions; `grid` draws it.

Each function takes a typed document (`looplaw.documents`). People get the columns that answer their
question and fit 80 characters; programs (json, csv) get unshortened formulas and a field for each
thing, as `records`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from msgspec import UnsetType

from modeling.pmnf.documents import ModelDocument, ModelsDocument

from ..documents.analysis import AnalysisDocument, FunctionDocument, LoopDocument, RooflinePoint
from ..documents.count import CountDocument, Number
from ..documents.study import CountedDocument, StudyDocument, StudyLoop
from ..documents.verification import CounterexampleDocument, VerificationDocument, VerifiedLoop
from .formulas import fewer_digits, with_condition
from .grid import FORMATS, Cell, Column, Table, render

Row = tuple[Cell, ...]

_REMARKABLE = ("miscounted", "exceeds", "below", "not identifiable")


def study_table(study: StudyDocument) -> Table:
    """Each loop with its law, how it counted and how its time grows; below what stands out, and a
    summary."""
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
            _indented(loop.nesting, loop.at),
            _law_and_model(loop),
            _kind(loop).replace("parametric", "param."),
            _counted(loop),
            _model_text(loop.time_model),
            _verdict(loop),
        )
        for loop in study.loops
    )
    remarks = [
        f"{loop.at} {verdict}: {loop.verdict_reason}"
        for verdict in _REMARKABLE
        for loop in study.loops
        if loop.verdict == verdict and loop.verdict_reason
    ]
    return Table(
        columns,
        rows,
        note="\n".join([*remarks, study_summary(study)]),
        records=_study_records(study.loops),
    )


def _study_records(loops: Sequence[StudyLoop]) -> Table:
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
        total = loop.total or CountDocument("unknown")
        rows.append(
            (
                loop.at,
                loop.function,
                loop.nesting,
                total.kind,
                loop.law,
                total.lower,
                total.upper,
                total.reason,
                loop.obeys,
                len(loop.counted),
                sum(p.equal is True for p in loop.counted),
                loop.iterations_model.formula if loop.iterations_model else None,
                loop.time_model.formula if loop.time_model else None,
                loop.growth_ratio,
                loop.verdict,
                loop.verdict_reason,
            )
        )
    return _records(keys, rows)


def _counted(loop: StudyLoop) -> str:
    points = len(loop.counted)
    if not points or loop.obeys not in ("yes", "no", "bounded"):
        return "-"
    if loop.obeys == "bounded":
        return f"in {points}/{points}"
    return f"{loop.obeys} {sum(p.equal is True for p in loop.counted)}/{points}"


def _verdict(loop: StudyLoop) -> str:
    """The verdict; where time does not grow as the law and that is sure, by what factor of growth."""
    ratio = loop.growth_ratio
    told = ratio not in (None, "", "1") and loop.verdict != "not identifiable"
    return loop.verdict + (f"\nby {ratio}" if told else "")


def study_summary(study: StudyDocument) -> str:
    """One line: how many loops, how many obey, what failed."""
    s, runs = study.summary, _number(len(study.runs), "run")
    return (
        f"{_number(s.loops, 'loop')}: {s.exact} with an exact law, {s.obey} counted exactly as"
        f" predicted, {s.miscounted} miscounted; {runs}, {s.failed_runs or 'none'} failed."
    )


def analysis_table(analysis: AnalysisDocument) -> Table:
    """Each loop with the formula of its iterations, or why there is none."""
    columns = [
        Column("at", "loop", "path", 16),
        Column("function", "function", "path", 8),
        Column("kind", "kind", "word"),
        Column("total", "iterations in a run", "formula", 16),
    ]
    rows: list[Row] = [
        (_indented(loop.nesting, loop.at), loop.function, loop.total.kind, _law(loop.total))
        for loop in analysis.loops
    ]
    reasons = [_reason(loop.total) for loop in analysis.loops]
    if any(reasons):
        columns.append(Column("reason", "why not exact", "text", 16))
        rows = [(*row, reason) for row, reason in zip(rows, reasons, strict=True)]
    return Table(
        tuple(columns),
        tuple(rows),
        note=_analysis_note(analysis),
        records=_analysis_records(analysis.loops),
    )


def _analysis_records(loops: Sequence[LoopDocument]) -> Table:
    rows: list[Row] = [
        (
            loop.at,
            loop.function,
            loop.nesting,
            loop.total.kind,
            loop.total.formula,
            loop.total.lower,
            loop.total.upper,
            loop.total.reason,
            "; ".join(loop.total.assumptions),
        )
        for loop in loops
    ]
    return _records(
        ("at", "function", "nesting", "kind", "total", "lower", "upper", "reason", "assumptions"),
        rows,
    )


def _analysis_note(analysis: AnalysisDocument) -> str:
    kinds = [loop.total.kind for loop in analysis.loops]
    found = ", ".join(
        f"{kinds.count(kind)} {kind}"
        for kind in ("exact", "parametric", "bounded", "unknown")
        if kind in kinds
    )
    library = len(analysis.library)
    more = f"; {_number(library, 'loop')} in library headers not shown" if library else ""
    parameters = ", ".join(f"{p.name} = {p.origin}" for p in analysis.parameters)
    return "\n".join(
        [
            *analysis.notes,
            f"{_number(len(analysis.loops), 'loop')}: {found or 'none'}{more}.",
            f"Parameters: {parameters or 'none'}.",
        ]
    )


def _reason(total: CountDocument) -> str:
    if total.kind == "exact":
        return ""
    return total.reason or "; ".join(f"{o.symbol} is {o.meaning}" for o in total.opaque)


def verification_table(found: VerificationDocument) -> Table:
    """Each loop with the entries that were held against its formula; below the counterexamples and
    a summary."""
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
            _indented(loop.nesting, loop.at),
            _law(loop.per_entry),
            loop.entries,
            loop.agree if loop.checked_by != "nothing" else None,
            loop.total_obeys.replace("unchecked", "-"),
            _checked(loop),
        )
        for loop in found.loops
    )
    remarks = [
        f"{loop.at}: {_counterexample(loop.counterexample)}"
        for loop in found.loops
        if loop.counterexample is not None
    ]
    remarks += [
        f"{loop.at}: counted {n.iterations} in the run, predicted"
        f" {n.predicted if n.predicted is not None else _between(n)} at {_at(n.params)}"
        for loop in found.loops
        if loop.total_obeys == "no"
        for n in loop.total_counted
        if not n.equal
    ][:20]
    s = found.summary
    remarks.append(
        f"{_number(s.runs, 'run')}, {s.failed or 'none'} failed; "
        f"{_number(s.entries_checked, 'entry').replace('entrys', 'entries')} checked."
    )
    remarks.append(
        f"{_number(s.wrong_at_entry, 'loop')} wrong at an entry,"
        f" {_number(s.wrong_totals, 'loop')} miscounted in total."
    )
    return Table(columns, rows, note="\n".join(remarks), records=_verification_records(found.loops))


def _verification_records(loops: Sequence[VerifiedLoop]) -> Table:
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
            *(getattr(loop, word) for word in words),
            None if loop.counterexample is None else _counterexample(loop.counterexample),
        )
        for loop in loops
    ]
    return _records((*words, "counterexample"), rows)


def _checked(loop: VerifiedLoop) -> str:
    """What the entries say, and which of them say nothing."""
    if loop.counterexample is not None:
        return "wrong"
    if not loop.entries:
        return "not entered"
    if loop.checked_by == "nothing" or not loop.checked:
        what = f"not checkable at entry: {loop.reason or 'its assumptions did not hold'}"
    else:
        what = "agrees" if loop.checked_by == "formula" else f"within bounds; {loop.reason or ''}"
    left_out = (
        (loop.outside_assumptions, "outside its assumptions"),
        (loop.undetermined, "undetermined"),
        (loop.not_recorded, "not recorded"),
        (loop.not_left, "not left"),
    )
    more = [f"{count} {text}" for count, text in left_out if count]
    return "; ".join([what, *(more if loop.checked_by != "nothing" else ())])


def _counterexample(found: CounterexampleDocument) -> str:
    values = _at(found.values)
    return (
        f"{found.iterations} iterations in an entry, {found.formula} says {found.expected}"
        + (f" at {values}" if values else "")
        + (f"; {found.note}" if found.note else "")
    )


def _between(counted: CountedDocument) -> str:
    return f"{counted.lower} to {counted.upper}"


def _at(values: Mapping[str, Number]) -> str:
    return ", ".join(f"{name}={value}" for name, value in values.items())


def models_table(models: ModelsDocument) -> Table:
    """Each model with its errors; below why one is not identifiable."""
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
    for m in models.models:
        q = m.quality
        shown = percent(q.smape), percent(q.loo_smape)
        rows.append((m.callpath, m.metric, _model_text(m), *shown, q.points, m.identifiable))
        errors = q.smape, q.loo_smape, q.adjusted_r2
        records.append(
            (m.callpath, m.metric, m.formula, *errors, q.points, m.identifiable, m.reason)
        )
    note = [
        f"{m.callpath}, {m.metric}: not identifiable from these"
        f" points{': ' if m.reason else ''}{m.reason or ''}"
        for m in models.models
        if not m.identifiable
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


def functions_table(source: AnalysisDocument | StudyDocument) -> Table:
    """Work, depth, efficiency and operations per call of each function of an analysis or a study."""
    found = source.functions
    kinds = tuple(dict.fromkeys(kind for f in found for kind in f.operations))
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
        work, depth = _law(f.work), _law(f.depth)
        operations = "\n".join(
            f"{kind}: {_law(f.operations[kind])}"
            for kind in kinds
            if kind in f.operations and f.operations[kind].formula != "0"
        )
        rows.append((_named(f), work, depth, f.efficiency or "", operations))
        counts = (_law(f.operations.get(kind)) for kind in kinds)
        records.append((f.name, f.file, f.line, work, depth, f.efficiency, *counts))
    keys = ("name", "file", "line", "work", "depth", "efficiency", *kinds)
    return Table(columns, tuple(rows), records=_records(keys, records))


def _named(f: FunctionDocument) -> str:
    """The function, and below it where it stands."""
    return f"{f.name}\n{f.file}:{'' if f.line is None else f.line}" if f.file else f.name


_ROOFLINE_KEYS = (
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


def roofline_table(analysis: AnalysisDocument) -> Table:
    """Each function that computes with its arithmetic intensity and its bound of time, per call.

    Raises:
        ValueError: the analysis has no rooflines.
    """
    machine = analysis.roofline
    if isinstance(machine, UnsetType):
        raise ValueError("an analysis with rooflines is expected")
    at = ", ".join(f"{name}={value}" for name, value in machine.at.items())
    columns = [
        Column("name", "function", "path", 10),
        Column("intensity", "flop/byte", "formula", 10),
        Column("leading", "if large", "formula", 8),
        Column("bound", "bound by", "word"),
        Column("time_s", "time bound per call, s", "formula", 16),
    ]
    if at:
        columns.append(Column("at", f"s at {at}", "text", 8))
    idle = sum(_flops(f) == "0" for f in analysis.functions)
    rows = [_roofline_row(f, bool(at)) for f in analysis.functions if _flops(f) != "0"]
    note = [
        (
            f"Machine: {_rate(machine.peak_flops)} flop/s,"
            f" {_rate(machine.peak_bandwidth)} byte/s; below {machine.balance:.3g} flop/byte memory"
            " is the bound."
        ),
        (
            f"Bytes: {machine.bytes}. Caches lower them, down to the compulsory"
            " traffic of each datum once; flops/peak is a bound in any case. Formulas shown hold"
            f" for values of at least {machine.least}."
        ),
    ]
    if idle:
        note.append(f"{_number(idle, 'function')} without floating-point operations not shown.")
    records = [_roofline_record(f) for f in analysis.functions]
    return Table(
        tuple(columns), tuple(rows), note="\n".join(note), records=_records(_ROOFLINE_KEYS, records)
    )


def _flops(f: FunctionDocument) -> str | None:
    return f.operations["flops"].formula if "flops" in f.operations else None


def _roofline_row(f: FunctionDocument, is_placed: bool) -> Row:
    line = f.roofline
    if isinstance(line, UnsetType):
        return (_named(f), "", "-", "-", "?", *(("?",) if is_placed else ()))
    point = line.at or RooflinePoint()
    return (
        _named(f),
        line.display or line.reason or "",
        line.leading or "-",
        point.bound or line.bound or "-",
        line.display_time or "?",
        *((_placed(point),) if is_placed else ()),
    )


def _roofline_record(f: FunctionDocument) -> Row:
    line = f.roofline
    if isinstance(line, UnsetType):
        return (f.name, f.file, f.line, _flops(f), *[None] * 7)
    point = line.at or RooflinePoint()
    return (
        f.name,
        f.file,
        f.line,
        _flops(f),
        line.bytes.formula,
        line.intensity,
        line.leading,
        line.time_s,
        point.bound or line.bound,
        None if isinstance(point.time_s, UnsetType) else point.time_s,
        line.reason,
    )


def _rate(value: float) -> str:
    return f"{value:.4g}".replace("e+0", "e").replace("e+", "e")


def _placed(point: RooflinePoint) -> str:
    """The time at the values given, or which values are missing."""
    if point.missing:
        return f"needs {', '.join(point.missing)}"
    return "?" if isinstance(point.time_s, UnsetType) else f"{point.time_s:.3g}"


# -- cells
def _records(keys: Sequence[str], rows: Sequence[Row]) -> Table:
    return Table(tuple(keys), tuple(rows))


def _law(count: CountDocument | None, display: str | None = None) -> str:
    """The formula, or the bounds, or a question mark."""
    if text := display or (count.formula if count else None):
        return with_condition(text)
    if count is None:
        return "?"
    bounds = (("at least", count.lower), ("at most", count.upper))
    return (
        "\n".join(f"{word} {with_condition(bound)}" for word, bound in bounds if bound is not None)
        or "?"
    )


def _law_and_model(loop: StudyLoop) -> str:
    """What is known of a loop's iterations; below it the model of its counts where the law alone
    does not tell them."""
    law, model = _law(loop.total, loop.display), loop.iterations_model
    if _kind(loop) == "exact" or model is None:
        return law
    return "\n".join(line for line in (law, f"counted: {_model_text(model)}") if line != "?")


def _indented(nesting: int, at: str) -> str:
    return "  " * max(nesting - 1, 0) + at


def _model_text(model: ModelDocument | None) -> str:
    return "-" if model is None else fewer_digits(model.formula)


def _kind(loop: StudyLoop) -> str:
    return "unknown" if loop.total is None else loop.total.kind


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


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
