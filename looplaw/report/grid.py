"""The table renderer: for the terminal (80 columns suffice) and as JSON, CSV, Markdown and LaTeX.

Cells are data: nothing in them is interpreted as mark-up of rich, Markdown or LaTeX, and control
characters are shown as escapes instead of being sent to the terminal.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from rich.cells import cell_len
from rich.table import Table as RichTable
from rich.text import Text

from looplaw_common.text import escaped, for_spreadsheets, in_one_line
from modeling import DataError

from .formulas import first_part, latex, wrap
from .terminal_lines import terminal_lines

FORMATS = ("text", "json", "csv", "markdown", "latex")
ALIASES = {"table": "text"}
Lines = tuple[str, ...]
"""A cell of several lines. A text is one: a line break in it came with a name."""
Cell = str | int | float | bool | Lines | None
Shape = Literal["text", "path", "formula", "brief", "number", "word"]

_GAP = 2
_PROSE, _MOST_PROSE = 80, 1000
_HEAD = 4  # fewer letters of a folder say nothing
_GOOD, _BAD, _ODD = "green", "bold red", "yellow"
_LABEL = re.compile(r"(at least |at most |by |\w+: )(.+)")
_STYLES = {
    "yes": _GOOD,
    "obeys": _GOOD,
    "exact": _GOOD,
    "ok": _GOOD,
    "no": _BAD,
    "miscounted": _BAD,
    "failed": _BAD,
    "exceeds": _ODD,
    "unknown": _ODD,
    "parametric": _ODD,
    "bounded": _ODD,
    "not identifiable": _ODD,
}


@dataclass(frozen=True)
class Column:
    """A column: `key` names it in JSON and CSV, `title` heads it elsewhere.

    shape: "word" is never broken, "path" is shortened in its middle, "formula" breaks behind
    operators and is typeset in LaTeX, "brief" is a formula that is cut off instead, "number" stands
    at the right, "text" breaks at blanks. least: narrowest width in characters.
    """

    key: str
    title: str
    shape: Shape = "text"
    least: int = 6


@dataclass(frozen=True)
class Table:
    """Rows with one cell for each column, and a note below.

    columns: a plain name stands for a column of words, or of text that wraps if it is in `wide`.
    note: lines below the table, not in json and csv. records: the table that json and csv write
    instead.
    """

    columns: tuple[Column | str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    wide: tuple[str, ...] = ()
    note: str | Lines = ""
    records: Table | None = None

    def __post_init__(self) -> None:
        if any(len(row) != len(self.columns) for row in self.rows):
            raise ValueError(f"a row has not {len(self.columns)} cells")

    @property
    def heads(self) -> tuple[Column, ...]:
        """The columns, plain names completed."""
        return tuple(
            c if isinstance(c, Column) else Column(c, c, "text" if c in self.wide else "word")
            for c in self.columns
        )


def render(
    table: Table,
    form: str = "text",
    *,
    width: int = 80,
    color: bool | None = None,
    safe: bool = False,
) -> str:
    """The table as text without a line break at its end.

    Args:
        form: text, json (a list of objects), csv, markdown or latex (a booktabs tabular).
        width: columns of the terminal, for text.
        color: None finds out: only when stdout is a terminal. NO_COLOR in the environment always
            turns it off.
        safe: texts in CSV that a spreadsheet would compute get an apostrophe in front.

    Raises:
        DataError: there is no such format.
    """
    if form not in FORMATS:
        raise DataError(f"no format {form!r}: use one of {', '.join(FORMATS)}")
    if form == "json":
        return _json(table.records or table)
    if form == "csv":
        return _csv(table.records or table, for_spreadsheets if safe else str)
    if form == "markdown":
        return _markdown(table)
    if form == "latex":
        return _latex(table)
    wanted = sys.stdout.isatty() and os.environ.get("TERM") != "dumb" if color is None else color
    return _text(table, max(width, 20), wanted)


def _json(table: Table) -> str:
    def plain(cell: Cell) -> Cell:
        if isinstance(cell, tuple):
            return "\n".join(cell)
        # JSON knows no NaN and no infinity
        return None if isinstance(cell, float) and cell - cell != 0 else cell

    return json.dumps(
        [
            {c.key: plain(cell) for c, cell in zip(table.heads, row, strict=True)}
            for row in table.rows
        ],
        indent=1,
    )


def _csv(table: Table, written: Callable[[str], str]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([c.key for c in table.heads])
    writer.writerows([[_exact(cell, written) for cell in row] for row in table.rows])
    return out.getvalue().removesuffix("\n")


def _exact(cell: Cell, written: Callable[[str], str]) -> str:
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if cell is None:
        return ""
    if isinstance(cell, tuple):
        cell = "\n".join(cell)
    if isinstance(cell, str):
        # not even between quotes do readers of CSV agree on these
        return "".join(escaped(c) if c in "\0\r" else c for c in written(cell))
    return repr(cell)


# -- Markdown and LaTeX
def _markdown(table: Table) -> str:
    heads = table.heads
    lines = [
        "| " + " | ".join(markdown_text(c.title) for c in heads) + " |",
        "|" + "|".join(" ---: " if c.shape == "number" else " --- " for c in heads) + "|",
    ]
    lines += [
        "| "
        + " | ".join(_markdown_cell(c, cell) for c, cell in zip(heads, row, strict=True))
        + " |"
        for row in table.rows
    ]
    lines += [part for note in _notes(table) for part in ("", markdown_text(note))]
    return "\n".join(lines)


def _markdown_cell(column: Column, cell: Cell) -> str:
    text = _shown(cell)
    if column.shape not in ("formula", "brief", "path"):
        return "<br>".join(markdown_text(line) for line in text.split("\n"))
    return "<br>".join(
        line.strip() if line.strip() in ("-", "?") else code_span(line.strip())
        for line in text.split("\n")
        if line.strip()
    )


def code_span(text: str) -> str:
    ticks = "`" * (max((len(run) for run in re.findall("`+", text)), default=0) + 1)
    pad = " " if text[0] == "`" or text[-1] == "`" else ""
    return f"{ticks}{pad}{text}{pad}{ticks}".replace(
        "|", "\\|"
    )  # a table splits cells before it sees code


def markdown_text(text: str) -> str:
    escaped = re.sub(r"([\\`*_\[\]#|~$])", r"\\\1", text)
    return escaped.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


_LATEX_CHARS = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "²": r"\textsuperscript{2}",
}


def _latex(table: Table) -> str:
    heads = table.heads
    layout = "".join("r" if c.shape == "number" else "l" for c in heads)
    lines = [
        "% needs \\usepackage{booktabs,amsmath}",
        rf"\begin{{tabular}}{{{layout}}}",
        r"\toprule",
        " & ".join(_latex_text(c.title) for c in heads) + r" \\",
        r"\midrule",
    ]
    lines += [
        " & ".join(_latex_cell(c, cell) for c, cell in zip(heads, row, strict=True)) + r" \\"
        for row in table.rows
    ]
    lines += [r"\bottomrule", r"\end{tabular}"]
    lines += [r"\par\noindent " + _latex_text(note) for note in _notes(table)]
    return "\n".join(lines)


def _latex_cell(column: Column, cell: Cell) -> str:
    formula = column.shape in ("formula", "brief")
    lines = [
        _latex_formula(line) if formula or line.startswith("by ") else _latex_text(line)
        for line in _shown(cell).split("\n")
    ]
    stacked = r" \\ ".join(lines)
    return stacked if len(lines) == 1 else rf"\shortstack[l]{{{stacked}}}"


def _latex_formula(line: str) -> str:
    """A line that is a formula, perhaps behind a word, typeset; any other text escaped."""
    match = _LABEL.fullmatch(line)
    label, rest = match.groups() if match else ("", line)
    math = latex(rest)
    if math is None:
        return _latex_text(line)
    return f"{_latex_text(label)} ${math}$" if label else f"${math}$"


def _latex_text(text: str) -> str:
    indent = len(text) - len(text.lstrip())
    escaped = "".join(_LATEX_CHARS.get(c, c) for c in text.strip())
    return (r"\hspace*{" + f"{indent / 2:g}em}}" if indent and escaped else "") + escaped


# -- text
def _text(table: Table, width: int, color: bool) -> str:
    if table.note and not table.rows:  # it says why there are none
        return "\n".join(_note(table, _of_prose(width)))
    heads = table.heads
    cells = [[_shown(cell) for cell in row] for row in table.rows]
    widths = _widths(heads, cells, width)
    drawn = RichTable(box=None, padding=(0, _GAP, 0, 0), pad_edge=False, show_header=False)
    for column, size in zip(heads, widths, strict=True):
        # fold: of a name in wide characters nothing is lost, though it was measured in narrow ones
        side: Literal["left", "right"] = "right" if column.shape == "number" else "left"
        drawn.add_column(width=size, overflow="fold", justify=side)
    drawn.add_row(
        *(
            Text("\n".join(wrap(c.title, w)), style="bold")
            for c, w in zip(heads, widths, strict=True)
        )
    )
    drawn.add_row(*(Text("─" * w, style="dim") for w in widths))
    for row in cells:
        drawn.add_row(
            *(
                Text(_fitted(c, cell, w), style=_style(c, cell))
                for c, cell, w in zip(heads, row, widths, strict=True)
            )
        )
    drawn_width = sum(widths) + _GAP * len(widths)
    lines = terminal_lines([drawn], width=drawn_width, color=color)
    if table.note:
        lines += ["", *_note(table, _of_prose(width))]
    return "\n".join(lines)


def _of_prose(width: int) -> int:
    """Columns of the sentences below a table: also where a table has as many as it wants."""
    return width if width <= _MOST_PROSE else _PROSE


def _note(table: Table, width: int) -> list[str]:
    return [part for line in _notes(table) for part in _hanging(line, width)]


def _notes(table: Table) -> list[str]:
    return [line for line in _shown(table.note).split("\n") if line]


def _style(column: Column, cell: str) -> str:
    if column.shape not in ("word", "text"):
        return ""
    first = cell.split("\n")[0]
    return _STYLES.get(
        first, _STYLES.get(first.split(" ")[0], "") if column.shape == "word" else ""
    )


def _hanging(text: str, width: int) -> list[str]:
    if len(text) <= width:
        return [text]
    first = wrap(text, width)[0]
    rest = text[len(first) :].strip()
    return [first, *(f"  {line}" for line in wrap(rest, width - 2))] if rest else [first]


def _shown(cell: Cell) -> str:
    """The text of a cell for readers: yes and no, four digits, nothing for None. Only a cell of
    several lines has line breaks."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, float):
        return f"{cell:.4g}"
    if isinstance(cell, tuple):
        return "\n".join(map(in_one_line, cell))
    return in_one_line(str(cell))


def _widths(columns: Sequence[Column], cells: Sequence[Sequence[str]], width: int) -> list[int]:
    """Width of each column: what it wants if all fits; else words and numbers in full, and the rest
    is shared."""
    wanted = [
        max([_longest_word(c.title), *(cell_len(t) for row in cells for t in row[k].split("\n"))])
        for k, c in enumerate(columns)
    ]
    sizes = [
        want if c.shape in ("word", "number") else min(want, max(c.least, _longest_word(c.title)))
        for c, want in zip(columns, wanted, strict=True)
    ]
    room = width - _GAP * (len(columns) - 1)
    while sum(sizes) < room:
        growing = [k for k, want in enumerate(wanted) if sizes[k] < want]
        if not growing:
            break
        sizes[min(growing, key=lambda k: sizes[k] / wanted[k] ** 0.7)] += (
            1  # long cells get more, but not all of it
        )
    while sum(sizes) > room and max(sizes) > 3:  # narrower than even the words
        sizes[sizes.index(max(sizes))] -= 1
    return sizes


def _longest_word(title: str) -> int:
    return max((cell_len(word) for word in title.split()), default=1)


def _fitted(column: Column, text: str, width: int) -> str:
    if column.shape == "path":
        return "\n".join(shorten(line, width) for line in text.split("\n"))
    if column.shape == "brief":
        return "\n".join(first_part(line, width) for line in text.split("\n"))
    return "\n".join(part for line in text.split("\n") for part in wrap(line, width))


def shorten(path: str, width: int) -> str:
    """A path or call path with its middle left out; indentation, the beginning and the end
    (file:line:col) stay."""
    if len(path) <= width:
        return path
    name = path.lstrip(" ")
    indent = max(min(len(path) - len(name), width - 12), 0)
    room = width - indent
    if len(name) > room:
        last = re.split(r"(?=/)|(?<=->)", name)[-1]
        keep = len(last) if len(last) < room else room - 1
        head = room - 1 - keep if room - 1 - keep >= _HEAD or last == name else 0
        name = f"{name[:head]}…{name[len(name) - keep :]}"
    return " " * indent + name
