"""A table before its columns mean anything: names and rows of cells."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice

from looplaw_common.errors import DataError

from .cells import Style

MAX_COLUMNS = 1024
"""Columns of a table: each may be a parameter or a metric, that is, another series."""
SEEN = 1000
"""Rows that tell what the columns are."""


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
    measured; `opening` are those of the lines that open sections; `notes` say in words what was
    read as something else; `beside` is the number of a line of numbers right beside rows without
    names that is none of them, 0 where there is none."""

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
    opening: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    beside: int = 0

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
