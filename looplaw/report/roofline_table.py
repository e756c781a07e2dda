"""The table of rooflines: arithmetic intensity and the bound of time of every function."""

from __future__ import annotations

from msgspec import UnsetType

from ..documents.analysis import AnalysisDocument, FunctionDocument, RooflinePoint
from .analysis_tables import named_function
from .cells import Row, counted_noun, records_table
from .grid import Column, Table

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
    """Each function with floating-point operations: its arithmetic intensity and a lower bound of
    its time, per call.

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
            " traffic of each datum once; flops/peak is a bound in any case. With --at, times are"
            " those of the bytes between memory and the last cache, where the memory law tells"
            f" them. Formulas shown hold for values of at least {machine.least}."
        ),
    ]
    if idle:
        note.append(
            f"{counted_noun(idle, 'function')} without floating-point operations not shown."
        )
    records = [_roofline_record(f) for f in analysis.functions]
    return Table(
        tuple(columns),
        tuple(rows),
        note=tuple(note),
        records=records_table(_ROOFLINE_KEYS, records),
    )


def _flops(f: FunctionDocument) -> str | None:
    return f.operations["flops"].formula if "flops" in f.operations else None


def _roofline_row(f: FunctionDocument, is_placed: bool) -> Row:
    line = f.roofline
    if isinstance(line, UnsetType):
        return (named_function(f), "", "-", "-", "?", *(("?",) if is_placed else ()))
    point = line.at or RooflinePoint()
    return (
        named_function(f),
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
    """The time at the given values, or the names of the values that are missing."""
    if point.missing:
        return f"needs {', '.join(point.missing)}"
    return "?" if isinstance(point.time_s, UnsetType) else f"{point.time_s:.3g}"
