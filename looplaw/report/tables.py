"""One renderer for all tables, and the tables of each command."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

FORMATS = ("text", "json", "csv", "markdown", "latex")
_STYLES = {"exact": "green", "parametric": "yellow", "bounded": "yellow", "unknown": "red", "obeys": "green",
           "miscounted": "bold red", "exceeds": "red", "yes": "green", "no": "bold red"}
_LATEX = {c: f"\\{c}" for c in "&%$#_{}"} | {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
                                               "\\": r"\textbackslash{}", "<": r"\textless{}", ">": r"\textgreater{}"}


@dataclass(frozen=True)
class Table:
    """Columns by name, rows of text, and a closing line. `wide` are the columns that may wrap."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    wide: tuple[str, ...] = ()
    note: str = ""


def render(table: Table, form: str = "text", *, width: int = 80, color: bool = False) -> str:
    """The table as text (rich), json, csv, markdown or latex."""
    if form == "json":
        return json.dumps([dict(zip(table.columns, row, strict=True)) for row in table.rows], indent=1)
    if form == "csv":
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerows([table.columns, *table.rows])
        return out.getvalue().rstrip("\n")
    if form == "markdown":
        def line(cells: Sequence[str]) -> str:
            return "| " + " | ".join(c.replace("|", r"\|").replace("\n", " ") for c in cells) + " |"
        return "\n".join([line(table.columns), line(["---"] * len(table.columns)), *map(line, table.rows)])
    if form == "latex":
        def escaped(cells: Sequence[str]) -> str:
            return " & ".join("".join(_LATEX.get(c, c) for c in cell) for cell in cells) + r" \\"
        return "\n".join([r"\begin{tabular}{" + "l" * len(table.columns) + "}", escaped(table.columns), r"\hline",
                          *map(escaped, table.rows), r"\end{tabular}"])
    return _text(table, width, color)


def _text(table: Table, width: int, color: bool) -> str:
    shown = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), show_edge=False)
    for name in table.columns:
        shown.add_column(name, overflow="fold", no_wrap=name not in table.wide,
                         min_width=min(12, len(name)) if name in table.wide else None)
    for row in table.rows:
        shown.add_row(*(Text(cell, style=_STYLES.get(cell.strip(), "")) for cell in row))
    out = io.StringIO()
    Console(file=out, width=width, no_color=not color, force_terminal=color, highlight=False,
            legacy_windows=False).print(shown)
    text = "\n".join(line.rstrip() for line in out.getvalue().rstrip("\n").split("\n"))
    return f"{text}\n{table.note}" if table.note else text


def short(text: str, width: int) -> str:
    """Shortened in the middle."""
    return text if len(text) <= width else f"{text[:(width - 1) // 2]}…{text[-(width // 2):]}"


def place(at: str, width: int = 24) -> str:
    """A source place by its file's name."""
    return short(at.rsplit("/", 1)[-1], width)


def formula_of(count: Mapping[str, Any]) -> str:
    """A count's formula, else its bounds."""
    if count["formula"] is not None:
        return str(count["formula"])
    if count["upper"] is not None:
        return f"{count['lower'] or 0} .. {count['upper']}"
    return "?"


def analysis_table(analysis: Mapping[str, Any]) -> Table:
    """One row per loop: where, how often it runs, why not exactly."""
    rows = []
    for loop in analysis["loops"]:
        count = loop["total"]
        why = "" if count["kind"] == "exact" else f"\n{count['reason'] or ''}"
        rows.append((place(loop["at"]), short("  " * (loop["nesting"] - 1) + loop["function"], 16), count["kind"],
                     formula_of(count) + why))
    exact = sum(loop["total"]["kind"] == "exact" for loop in analysis["loops"])
    parameters = ", ".join(f"{p['name']} = {p['origin']}" for p in analysis["parameters"]) or "none"
    return Table(("loop", "function", "kind", "iterations in a run"), tuple(rows), ("iterations in a run",),
                 f"{len(rows)} loops, {exact} exact. Parameters: {parameters}.")


def functions_table(analysis: Mapping[str, Any]) -> Table:
    """Work, depth and operations per call of each function."""
    rows = tuple((short(f["name"], 18), formula_of(f["work"]), formula_of(f["depth"]), f["efficiency"] or "",
                  formula_of(f["operations"]["flops"])) for f in analysis["functions"])
    return Table(("function", "work", "depth", "efficiency", "flops"), rows, ("work", "depth", "efficiency", "flops"))


def models_table(models: Mapping[str, Any]) -> Table:
    """One row per model."""
    rows = tuple((short(m["callpath"], 24), m["metric"], readable(m), f"{m['quality']['smape']:.2g}",
                  f"{m['quality']['loo_smape']:.2g}", str(m["quality"]["points"]),
                  "yes" if m["identifiable"] else f"no: {m['reason']}") for m in models["models"])
    return Table(("call path", "metric", "model", "SMAPE", "LOO", "points", "identifiable"), rows,
                 ("model", "identifiable"), "Errors in %: of the fit, and of predicting each point from the others.")


def readable(model: Mapping[str, Any] | None) -> str:
    """A model with three digits."""
    if model is None:
        return ""
    parts = [f"{model['constant']:.3g}"] if model["constant"] or not model["terms"] else []
    for t in model["terms"]:
        names = []
        for name, (i, j) in t["exponents"].items():
            if i != "0":
                names.append(name if i == "1" else f"{name}^{i}" if "/" not in i and i[0] != "-" else f"{name}^({i})")
            if j != "0":
                names.append(f"log2({name})" if j == "1" else f"log2({name})^{j}")
        sign = "- " if t["coefficient"] < 0 else "+ " if parts else ""
        parts.append(f"{sign}{abs(t['coefficient']):.3g} {' '.join(names)}")
    return " ".join(parts)


def study_table(study: Mapping[str, Any]) -> Table:
    """One row per loop: law, counted against predicted, time model, verdict."""
    rows = []
    for loop in study["loops"]:
        count = loop["total"]
        points = len(loop["counted"])
        equal = {"yes": f"yes ({points})", "no": "NO", "bounded": "in bounds"}.get(loop["obeys"], "-")
        law = loop["display"] or formula_of(count)
        time = readable(loop["time_model"])
        if loop["time_model"] and not loop["time_model"]["identifiable"]:
            time += " ?"
        rows.append((short("  " * (loop["nesting"] - 1) + loop["at"].rsplit("/", 1)[-1], 22), short(law, 160), equal,
                     time, loop["verdict"]))
    s = study["summary"]
    note = (f"{s['loops']} loops: {s['exact']} exact, {s['obey']} counted exactly as predicted in every run, "
            f"{s['miscounted']} miscounted; {s['runs']} runs, {s['failed_runs']} failed.")
    return Table(("loop", "iterations (law)", "counted=law", "time (model, s)", "verdict"), tuple(rows),
                 ("iterations (law)", "time (model, s)"), note)
