"""A table before its columns mean anything: names and rows of cells."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from math import prod

from looplaw_common.errors import DataError

from ...data.parameter_roles import is_concurrency
from ...data.units import is_unit
from .cells import Style, quantity

MAX_COLUMNS = 1024
"""Columns of a table: each may be a parameter or a metric, that is, another series."""
SEEN = 1000
"""Rows that tell what the columns are."""
_FEW = 3
_SERIAL = frozenset("serial sequential seq single".split())
"""What people write for one thread or process."""
_DIGITS = 2
"""Digits of a number that is no accident in a word."""
_LONGEST_NAME = 80
_SIDES = re.compile(r"\d{1,9}(?:\s*[x×X*]\s*\d{1,9}){1,2}")
_NAMED = re.compile(r"([A-Za-z]\w{0,20})\s*=\s*([-+]?[\d.][\w.,+-]*)")
_REPETITION = re.compile(
    r"(?:(?<![^\W_])|(?<=[a-z])(?=[A-Z])|(?=#))(?i:rep(?:etition|eat|licate)?|trial|run"
    r"|iter(?:ation)?|sample|attempt|round|experiment|try|measurement|pass|#)[\s_.#-]*"
    r"(\d{1,4})(?!\d)"
)
"""What numbers the repetition in the name of a column."""


@dataclass(frozen=True)
class Row:
    """One line of a table: FILE:LINE, its number, and its cells as they stand."""

    where: str
    line: int
    cells: Sequence[str]


@dataclass(frozen=True)
class Grid:
    """A table: the name of its file, the line of its header, the names of its columns, and its
    rows. `is_named` is False where the columns have no names of their own; `lines` reads the rows
    of a text that comes in parts, where the dialect can. `caption` is the heading that the table is
    under, `above` the line before it; `is_loose` is a table of lines that may be none, so that
    something must grow in it; `of_runs` are the columns that each repetition had, so that they were
    measured; `notes` say in words what was read as something else."""

    name: str
    line: int
    header: tuple[str, ...]
    rows: Callable[[], Iterator[Row]]
    is_named: bool = True
    lines: Callable[[Iterable[str]], Iterator[Row]] | None = None
    comma_is_decimal: bool = False
    caption: str = ""
    above: str = ""
    is_loose: bool = False
    of_runs: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def where(self) -> str:
        """FILE:LINE of the header."""
        return f"{self.name}:{self.line}"

    def sample(self) -> list[Row]:
        """The first rows, up to one that is wrong, which is said where all are read."""
        found: list[Row] = []
        with suppress(DataError):
            found.extend(islice(self.rows(), SEEN))
        return found

    def with_rows(
        self, header: Sequence[str], changed: Callable[[Iterator[Row]], Iterator[Row]]
    ) -> Grid:
        """The table with other columns: `changed` makes its rows from those that it has."""
        lines = self.lines
        return replace(
            self,
            header=tuple(header),
            rows=lambda: changed(self.rows()),
            lines=None if lines is None else lambda parts: changed(lines(parts)),
        )

    def style(self, sample: Sequence[Row]) -> Style:
        """How the numbers of the table are written."""
        return Style.of(
            (cell for row in sample for cell in row.cells), comma_is_decimal=self.comma_is_decimal
        )


def without_nameless(grid: Grid) -> Grid:
    """The table without columns that have no name, as the numbers of rows that data frames
    write."""
    kept = [k for k, name in enumerate(grid.header) if name]
    if len(kept) == len(grid.header):
        return grid

    def chosen(rows: Iterator[Row]) -> Iterator[Row]:
        return (Row(r.where, r.line, [r.cells[k] for k in kept]) for r in rows)

    return grid.with_rows([grid.header[k] for k in kept], chosen)


def without_sizes_in_words(grid: Grid) -> Grid:
    """A table in whose words stands a number that has a column of its own, as in
    "bubblesort_25000" beside 25000, without it in the words; any other table as it is."""
    sample = grid.sample()
    style = grid.style(sample)
    columns = list(zip(*(row.cells for row in sample), strict=True)) if sample else []
    numeric = [all(quantity(c, style) for c in column) for column in columns]
    twins: dict[int, int] = {}
    for k, words in enumerate(columns):
        for j, numbers in enumerate(columns):
            if not numeric[k] and numeric[j] and len({n.strip() for n in numbers}) > 1:
                pairs = zip(words, numbers, strict=True)
                if all(_without(word, number) != word.strip() for word, number in pairs):
                    twins[k] = j
    if not twins:
        return grid

    def rows(rows: Iterator[Row]) -> Iterator[Row]:
        for row in rows:
            cells = list(row.cells)
            for k, j in twins.items():
                cells[k] = _without(cells[k], cells[j])
            yield Row(row.where, row.line, cells)

    return grid.with_rows(grid.header, rows)


def with_serial_as_one(grid: Grid) -> Grid:
    """A table in which "serial" stands for one of the threads or processes that a column counts,
    with 1 there; any other table as it is."""
    columns = dict(enumerate(zip(*(row.cells for row in grid.sample()), strict=True)))
    style = Style()
    words: dict[int, str] = {}
    for k, column in columns.items():
        if is_concurrency(grid.header[k].strip()):
            said = {c.strip() for c in column if quantity(c, style) is None}
            if len(said) == 1 and len(set(column)) > 2 and min(said).lower() in _SERIAL:
                words[k] = said.pop()
    if not words:
        return grid

    def rows(rows: Iterator[Row]) -> Iterator[Row]:
        for row in rows:
            cells = [
                "1" if words.get(k) == cell.strip() else cell for k, cell in enumerate(row.cells)
            ]
            yield Row(row.where, row.line, cells)

    notes = tuple(f"{word} is {grid.header[k]} = 1" for k, word in words.items())
    return replace(grid.with_rows(grid.header, rows), notes=(*grid.notes, *notes))


def with_areas(grid: Grid) -> Grid:
    """A table with a column of widths and heights, as 3840x2160, that are not all squares, with
    their products there; any other table as it is."""
    columns = dict(enumerate(zip(*(row.cells for row in grid.sample()), strict=True)))
    sides = {
        k: found
        for k, column in columns.items()
        if all(found := [_SIDES.fullmatch(cell.strip()) for cell in column])
        and any(len({*m[0].lower().replace("×", "x").split("x")}) > 1 for m in found if m)
        and len(set(column)) > 1
    }
    if not sides:
        return grid

    def rows(rows: Iterator[Row]) -> Iterator[Row]:
        for row in rows:
            cells = list(row.cells)
            for k in sides:
                if _SIDES.fullmatch(cells[k].strip()):
                    cells[k] = str(prod(map(int, re.findall(r"\d+", cells[k]))))
            yield Row(row.where, row.line, cells)

    notes = tuple(f"{grid.header[k]} is the product of its sides" for k in sides)
    return replace(grid.with_rows(grid.header, rows), notes=(*grid.notes, *notes))


def with_names_in_cells(grid: Grid) -> Grid:
    """A table with a column in which each cell names the number in it, all by the same name, as
    N=4 and N=8, with that name above the numbers; any other table as it is."""
    columns = dict(enumerate(zip(*(row.cells for row in grid.sample()), strict=True)))
    names: dict[int, str] = {}
    for k, column in columns.items():
        found = [_NAMED.fullmatch(cell.strip()) for cell in column]
        said = {m[1] for m in found if m}
        if len(said) == 1 and all(m is not None for m in found) and not said & {*grid.header}:
            names[k] = said.pop()
    if not names:
        return grid

    def rows(rows: Iterator[Row]) -> Iterator[Row]:
        for row in rows:
            cells = list(row.cells)
            for k in names:
                if m := _NAMED.fullmatch(cells[k].strip()):
                    cells[k] = m[2]
            yield Row(row.where, row.line, cells)

    header = [names.get(k, n) for k, n in enumerate(grid.header)]
    return replace(grid.with_rows(header, rows), is_named=True)


def _without(word: str, number: str) -> str:
    """A word without a number of at least two digits and what separates it from what is before."""
    word, number = word.strip(), number.strip()
    found = re.search(rf"[_\-/ =:.]*(?<![\d.,]){re.escape(number)}(?![\d,]|\.\d)", word)
    if len(number) < _DIGITS or found is None or found[0] == word:
        return word
    return word[: found.start()] + word[found.end() :]


def gathered(grid: Grid) -> Grid:
    """A table with a column for each repetition ("run 1", "old rep2 (ms)") with a line for each of
    them instead; any other table as it is."""
    again: dict[str, dict[int, int]] = {}
    for k, name in enumerate(grid.header):
        if found := _REPETITION.search(name[:_LONGEST_NAME]):
            of = name[: found.start()].rstrip(" _.-") + name[found.end() :]
            again.setdefault(of.strip(" _.-"), {})[int(found[1])] = k
    numbers = sorted(next(iter(again.values()), {}))
    counts = len(numbers) > 1 and numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    if not counts or numbers[0] > 1 or any(sorted(of) != numbers for of in again.values()):
        return grid
    taken = {k for of in again.values() for k in of.values()}
    kept = [k for k in range(len(grid.header)) if k not in taken]
    of_runs = tuple(map(_quantity, again))
    header = [*(grid.header[k] for k in kept), "repetition", *of_runs]
    if len(set(header)) < len(header):
        return grid

    def rows(rows: Iterator[Row]) -> Iterator[Row]:
        for row in rows:
            own = [row.cells[k] for k in kept]
            for n in numbers:
                yield Row(
                    row.where,
                    row.line,
                    [*own, str(n), *(row.cells[of[n]] for of in again.values())],
                )

    return replace(grid.with_rows(header, rows), of_runs=of_runs)


def _quantity(name: str) -> str:
    """What repetitions measured that are called by nothing, or by their unit."""
    unit = name.strip("[]() ")
    return f"time ({unit})" if is_unit(unit) else name or "time"


def melted(grid: Grid) -> Grid:
    """A table whose columns are named by numbers, one value of a parameter each, with a line for
    each cell; any other table as it is."""
    style = Style()
    wide = [k for k, name in enumerate(grid.header) if quantity(name, style) is not None]
    kept = [k for k in range(len(grid.header)) if k not in wide]
    if len(wide) < _FEW or not 1 <= len(kept) <= _FEW or not grid.is_named:
        return grid

    def rows(rows: Iterator[Row]) -> Iterator[Row]:
        for row in rows:
            own = [row.cells[k] for k in kept]
            for k in wide:
                yield Row(row.where, row.line, [*own, grid.header[k], row.cells[k]])

    return grid.with_rows([*(grid.header[k] for k in kept), "column", "value"], rows)
