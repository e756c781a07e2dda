"""Tables that are drawn: markdown and other frames, and columns of blanks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, pairwise

from .cells import Style, clean, is_bound, is_missing, quantity
from .grid import Grid, Row
from .separated import plain_name, positions
from .stacked_names import stacked_names

MOST_TABLES = 64
_FRAME = re.compile(r"[│┃║]")
_RULE = re.compile(r"[\s|:+=~^\u2500-\u257f-]*")
_TAG = re.compile(r"</?[a-zA-Z]\w*(?:\s[^<>]*)?>")
_CORNERS = "┌┍┎┏╒╓╔╭"
"""What the first line of a box begins with."""
_TREE = re.compile(r"[├└│]\s?──|[├└]─+ ")
"""What draws a tree of folders."""
DATE = re.compile(r".*\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\w*\b.*\d:\d\d:\d\d.*")
"""A line that says when."""
_MOMENT = re.compile(r"\[?(?:\d{4}-\d\d-\d\d[T ])?\d{1,2}:\d\d:\d\d(?:[.,]\d+)?Z?\]?")
_HEADING = re.compile(r"#{1,6}\s+(.*?)\s*#*")
_WITH_NAME = re.compile(r"[A-Za-z_][\w.]*[=:]\s*[-+.\d]")
_LONGEST_CAPTION = 80
_LISTED = 8
_LONGEST = 400
"""Characters of a row."""


# --- frames: markdown, reStructuredText's grid, psql, boxes


def framed(lines: Sequence[str], name: str) -> Iterator[Grid]:
    heading, above, found = "", "", 0
    block: list[tuple[int, str]] = []
    alone: tuple[int, str] | None = None
    last: _Open | None = None
    is_told = False
    for number, line in enumerate(chain(lines, ("",)), 1):
        line = line.rstrip("\r")
        is_tree = _TREE.search(line) and not _RULE.fullmatch(line.strip())
        is_drawn = len(line) < 1 << 16 and not is_tree
        text = _FRAME.sub("|", line.strip()) if is_drawn else ""
        is_inside = bool(block and text and text[0] not in _CORNERS)
        if "|" in text or (is_inside and _RULE.fullmatch(text)):
            block.append((number, text))
            continue
        if len(block) == 1 and "|" in block[0][1]:
            alone = block[0]
        elif block and alone is not None:
            block, alone = _with_header(alone, block), None
        known = last.grid.header if last is not None else ()
        if len(block) > 1 and (grid := _of_frame(block, name, heading, above, known)) is not None:
            if last is None or is_told or not last.take(grid):
                if last is not None:
                    yield last.whole()
                    found += 1
                last = _Open(grid)
            is_told = False
        above = "" if block else above
        block = []
        is_told |= not _is_remark(text)
        if match := _HEADING.fullmatch(text):
            heading, above = clean(match[1]), ""
        elif text and not _TAG.fullmatch(text) and not _RULE.fullmatch(text):
            above = clean(text.strip("> *:")) if len(text) <= _LONGEST_CAPTION else ""
        if found >= MOST_TABLES:
            return
    if last is not None:
        yield last.whole()


class _Open:
    """A table that may go on below a remark: what comes there without names of its own is part of
    it, unless a row says again what it is of. A caption or heading in between begins another."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self.rows = list(grid.rows())
        self.leading = _leading(self.rows)
        self.told = self._said(self.rows)
        self.joined: list[int] = []

    def _said(self, rows: Sequence[Row]) -> set[tuple[str, ...]]:
        return {tuple(row.cells[: self.leading]) for row in rows}

    def take(self, grid: Grid) -> bool:
        """Add the rows of a table if they go on with this one."""
        rows = list(grid.rows())
        has_no_names = rows[0].line == grid.line
        if not has_no_names or len(rows[0].cells) != len(self.grid.header) or not self.leading:
            return False
        told = self._said(rows)
        if told & self.told or _leading(rows) != self.leading:
            return False
        self.rows += rows
        self.told |= told
        self.joined.append(rows[0].line)
        return True

    def whole(self) -> Grid:
        """The table with all its rows."""
        more = ", ".join(map(str, self.joined[:_LISTED]))
        notes = (f"the table goes on at line {more}",) if more else ()
        return replace(self.grid, rows=partial(iter, self.rows), notes=(*self.grid.notes, *notes))


def _is_remark(line: str) -> bool:
    """Is a line between two tables empty, or quoted as what is said by the way?"""
    text = line.strip()
    return not text or (text.startswith(">") and not text.endswith(":"))


def _leading(rows: Sequence[Row]) -> int:
    """How many cells say what a row is of: words, and the whole numbers that stand behind them."""
    columns = list(zip(*(row.cells for row in rows), strict=True))
    numbers = [[quantity(c, Style()) for c in column] for column in columns]
    words = next((k for k, of in enumerate(numbers) if None not in of), len(columns))
    is_size = words < len(columns) and all(
        q is not None and float(q.number).is_integer() for q in numbers[words]
    )
    return words + is_size


def _with_header(
    header: tuple[int, str], block: Sequence[tuple[int, str]]
) -> list[tuple[int, str]]:
    """A block of rows with the line of names that stands apart above it, where it has none."""
    names, first = _pieces(header[1]), _pieces(block[0][1])
    numbers = [quantity(c, Style()) is not None for c in first]
    return [header, *block] if len(names) == len(first) and all(numbers) else list(block)


def _of_frame(
    block: Sequence[tuple[int, str]], name: str, heading: str, above: str, known: Sequence[str]
) -> Grid | None:
    rows = [(number, _pieces(text)) for number, text in block if not _RULE.fullmatch(text)]
    if len(rows) < 2 or all(_MOMENT.fullmatch(cells[0]) for _, cells in rows):
        return None  # a log with bars in its lines
    (line, header), *body = rows
    numbers = sum(quantity(c, Style()) is not None for c in header)
    if len(known) == len(header) and 2 * numbers >= len(header):
        header, body = list(known), rows  # the table before goes on below a remark
    kept = [Row(f"{name}:{n}", n, cells) for n, cells in body if len(cells) == len(header)]
    if len(kept) < len(body) or not kept:
        if not kept or len(kept) < 0.7 * len(body):
            return None
    names = tuple(clean(n.strip("-")) for n in header)
    return Grid(name, line, names, partial(iter, kept), caption=heading, above=above)


def _pieces(text: str) -> list[str]:
    text = text.replace("\\|", "¦")
    text = text[1:] if text.startswith("|") else text
    text = text[:-1] if text.endswith("|") else text
    return [clean(piece) for piece in text.split("|")]


# --- columns of blanks


def of_blanks(lines: Sequence[str], name: str) -> list[Grid]:
    """Tables whose columns are separated by blanks: blocks of lines with as many cells, of which
    the last are numbers."""
    found: list[_Open] = []
    start = last = 0
    while start < len(lines) and len(found) < MOST_TABLES:
        end, split = _block(lines, start)
        if end - start >= 2:
            grid = _of_block(lines, start, end, split, name)
            if not grid.is_named and _has_same_words(grid):
                pass  # lines of a log
            elif not (found and all(map(_is_remark, lines[last:start])) and found[-1].take(grid)):
                found.append(_Open(grid))
            last = end
        start = max(end, start + 1)
    return [table.whole() for table in found]


def _has_same_words(grid: Grid) -> bool:
    """Is there a column with the same word in each row, as "np 4 time 2.5" has two?"""
    columns = zip(*(row.cells for row in grid.rows()), strict=True)
    return any(len({*c}) == 1 and quantity(c[0], Style()) is None for c in columns)


def _block(lines: Sequence[str], start: int) -> tuple[int, re.Pattern[str]]:
    """The end of the longest block of rows from a line on, and what separates its cells."""
    best = start, _WIDE
    for split in (_WIDE, _ANY):
        width, end = 0, start
        for k in range(start, len(lines)):
            text = lines[k].strip()
            if k > start and _RULE.fullmatch(text) and text:
                continue
            cells = split.split(text) if text and len(text) < _LONGEST else []
            if len(cells) < 2 or (width and len(cells) != width) or not _is_row(cells):
                break
            width, end = len(cells), k + 1
        if end > best[0]:
            best = end, split
    return best


_WIDE, _ANY = re.compile(r"\s{2,}|\t"), re.compile(r"\s+")
_STYLES = Style(), Style(",")
_DASHES = re.compile(r"\s*-{2,}\s*")


def _is_row(cells: Sequence[str]) -> bool:
    if any(_WITH_NAME.match(c) for c in cells[1:]):
        return False  # a line of a log
    numbers = sum(any(quantity(c, style) is not None for style in _STYLES) for c in cells)
    numbers += _WITH_NAME.match(cells[0]) is not None
    known = sum(is_missing(c) or is_bound(c) for c in cells)
    return numbers >= 1 and 2 * (numbers + known) >= len(cells)


def _of_block(
    lines: Sequence[str], start: int, end: int, split: re.Pattern[str], name: str
) -> Grid:
    texts = [(k, lines[k].strip()) for k in range(start, end)]
    rows = [
        Row(f"{name}:{k + 1}", k + 1, [clean(c) for c in split.split(text)])
        for k, text in texts
        if not (_RULE.fullmatch(text))
    ]
    width = len(rows[0].cells)
    above = start - 1
    while above >= 0 and _RULE.fullmatch(lines[above].strip()):
        above -= 1
    header: tuple[str, ...] = ()
    title = clean(lines[above].strip().strip("#>*:= ")) if above >= 0 else ""
    if above >= 0 and not DATE.fullmatch(lines[above]):
        text = re.sub(r"^\s*(?:#|%|//)+\s*", "", lines[above]).strip()
        for way in (_WIDE, _ANY, _DASHES):
            names = way.split(text.strip("- "))
            if len(names) == width - 1 and _number_rows(rows):
                names = ["", *names]  # as data frames are printed
            if len(names) == width and all(_may_name(n) for n in names):
                header = tuple(plain_name(clean(n)) for n in names)
                break
    if len({*header}) < width and above >= 0 and (stacked := stacked_names(lines, above, width)):
        header = stacked
    if not header and len(rows) > 2 and (sizes := _sizes_above(rows)):
        header, rows, above = sizes, rows[1:], start
    named = bool(header) and len(set(header)) == width
    beside = [] if named else [k for k in (start - 1, end) if _is_beside(lines, k)]
    return Grid(
        name=name,
        line=(above if named else start) + 1,
        header=header if named else positions(rows[0].cells),
        rows=partial(iter, rows),
        above=title if not named and len(title) <= _LONGEST_CAPTION else "",
        is_named=named,
        is_loose=True,
        beside=beside[0] + 1 if beside else 0,
    )


def _is_beside(lines: Sequence[str], k: int) -> bool:
    """Is a line right above or below rows without names one of numbers, too, from its first cell
    on, as one of means is not?"""
    cells = _ANY.split(lines[k].strip()) if 0 <= k < len(lines) else []
    are_numbers = [quantity(c, Style()) is not None for c in cells]
    numbers = sum(are_numbers) if are_numbers[:1] == [True] else 0
    return numbers > 1 and 2 * numbers >= len(cells) and not DATE.fullmatch(lines[k])


def _number_rows(rows: Sequence[Row]) -> bool:
    """Do the first cells count 0, 1, 2, ...?"""
    return [row.cells[0] for row in rows] == [str(k) for k in range(len(rows))]


def _sizes_above(rows: Sequence[Row]) -> tuple[str, ...]:
    """The first row where it is a word and rising sizes, as above a table of two parameters."""
    word, *sizes = rows[0].cells
    numbers = [quantity(s, Style()) for s in sizes]
    whole = [q.number for q in numbers if q is not None and float(q.number).is_integer()]
    rises = len(whole) == len(sizes) > 1 and all(b > a for a, b in pairwise(whole))
    firsts = [quantity(row.cells[0], Style()) is None for row in rows[1:]]
    is_header = quantity(word, Style()) is None and len({*firsts}) == 1
    return tuple(map(clean, rows[0].cells)) if rises and is_header else ()


def _may_name(text: str) -> bool:
    """May a text above a block of numbers be the name of a column?"""
    return len(text) <= 40 and not text.endswith(":") and quantity(text, Style()) is None
