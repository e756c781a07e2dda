"""A table before its columns mean anything: names and rows of cells."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice

from looplaw_common.errors import DataError

from .cells import Style, quantity

MAX_COLUMNS = 1024
"""Columns of a table: each may be a parameter or a metric, that is, another series."""
SEEN = 1000
"""Rows that tell what the columns are."""
_FEW = 3


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
    of a text that comes in parts, where the dialect can. `caption` is what stands above the
    table; `is_loose` is a table of lines that may be none, so that something must grow in it."""

    name: str
    line: int
    header: tuple[str, ...]
    rows: Callable[[], Iterator[Row]]
    is_named: bool = True
    lines: Callable[[Iterable[str]], Iterator[Row]] | None = None
    comma_is_decimal: bool = False
    caption: str = ""
    is_loose: bool = False

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

    def style(self, sample: Sequence[Row]) -> Style:
        """How the numbers of the table are written."""
        return Style.of(
            (cell for row in sample for cell in row.cells), comma_is_decimal=self.comma_is_decimal
        )


def melted(grid: Grid) -> Grid:
    """A table whose columns are named by numbers, one value of a parameter each, with a line for
    each cell; any other table as it is."""
    style = Style()
    wide = [k for k, name in enumerate(grid.header) if quantity(name, style) is not None]
    kept = [k for k in range(len(grid.header)) if k not in wide]
    if len(wide) < _FEW or not 1 <= len(kept) <= _FEW or not grid.is_named:
        return grid

    def rows() -> Iterator[Row]:
        for row in grid.rows():
            own = [row.cells[k] for k in kept]
            for k in wide:
                yield Row(row.where, row.line, [*own, grid.header[k], row.cells[k]])

    header = (*(grid.header[k] for k in kept), "column", "value")
    return replace(grid, header=header, rows=rows, lines=None)
