"""Tables whose values commas, semicolons or tabs separate."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from looplaw_common.errors import DataError

from ...data.units import is_unit
from .cells import Style, quantity
from .grid import Grid, Row

_SEPARATORS = (",", ";", "\t")
_TIDY = {"callpath", "metric", "value"}
_COMMENT = re.compile(r"\s*(?:#|%|//|\*\*\*)")
_LOOKED_AT = 1 << 20
_PREAMBLE = 60
"""Lines before the header that are no part of a table."""
_PARAMETER = re.compile(r"Param(?:eter)?: *(\S.*)|\((\w+)\)")
_NAME = re.compile(r"[\w .()/%#-]{0,40}")
_MOST_WORDS = 6
_ASSIGNED = re.compile(r"[A-Za-z]\s*[:=]\s*[-+]?\.?\d")
_COUNTED = re.compile(r"[A-Za-z]\s+\d[\d.]*\S*|^\s*\d[\d.eE+]*\s+[A-Za-z]+ [A-Za-z]")
"""A number beside its name."""
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")


def separated_values(text: str, name: str) -> Grid | None:
    """The table of a text whose first lines are values that commas, semicolons or tabs separate.

    Raises:
        DataError: FILE:LINE: a row has another number of cells than the header (when it is read).
    """
    found = _first_line(text[:_LOOKED_AT])
    if found is None:
        return None
    skipped, separator, header, is_named = found

    def rows_of(parts: Iterable[str]) -> Iterator[Row]:
        return _csv_rows(parts, name, separator, header, skipped + is_named)

    return Grid(
        name,
        skipped + 1,
        positions(header) if not is_named else tuple(map(plain_name, header)),
        lambda: rows_of((text,)),
        is_named=is_named,
        lines=rows_of,
        comma_is_decimal=separator == ";",
    )


def _first_line(text: str) -> tuple[int, str, tuple[str, ...], bool] | None:
    """Lines before the first of the table, the separator, that line's cells, and whether they name
    columns."""
    lines = text.split("\n")
    is_whole = len(text) < _LOOKED_AT
    some = [line.rstrip("\r") for line in (lines if is_whole else lines[:-1] or lines)]
    first = next(filter(None, map(str.strip, some)), "")
    if first.endswith("}") and '{"' in first:
        return None  # a log of objects
    if '"' in some[0] and (record := _record(text)) is not None:
        return record
    above: Sequence[str] = ()
    for skipped, line in enumerate(some[:_PREAMBLE]):
        if not line.strip():
            continue
        separator = next((s for s in _SEPARATORS if s in line.strip()), None)  # no indents
        if separator is None or (separator == "," and "|" in line):
            continue
        cells = _split(line, separator)
        following = [x for x in some[skipped + 1 : skipped + _PREAMBLE] if x.strip()]
        may_be_sentence = separator == "," and not _are_sizes(cells)
        may_be_sentence = may_be_sentence and not _heads(cells, following, separator)
        if may_be_sentence and _is_sentence(line, cells):
            continue
        is_rare = 2 * sum(separator in x for x in following) < len(following)
        if is_rare and not all(map(_NAME.fullmatch, cells)):
            continue  # a sentence, or a command
        if _stands_above(cells, [_split(x, separator) for x in following]):
            above = cells
            continue
        alike = [len(_split(x, separator)) == len(cells) for x in following]
        numeric = _holds_numbers(cells)
        is_comment = _COMMENT.match(line) is not None
        if not numeric and not is_comment and skipped == 0:
            return (skipped, separator, _under(above, cells), True)
        if not alike or sum(alike) < max(1, 0.7 * len(alike)):
            continue
        if numeric and not _is_header(cells, following, separator):
            if is_comment:
                continue
            return skipped, separator, tuple(cells), False
        names = [c.strip() for c in cells]
        if is_comment and not set(names) >= _TIDY:
            names[0] = _COMMENT.sub("", names[0]).strip() or names[0]
        return skipped, separator, _under(above, names), True
    return None


def _stands_above(cells: Sequence[str], following: Sequence[Sequence[str]]) -> bool:
    """Is a line of a sheet a title, or does it group the columns that the next line names?"""
    if _is_title(cells):
        return any(not _is_title(other) for other in following)
    if len(following) < 2 or _holds_numbers(cells):
        return False
    names, first = following[:2]
    is_merged = any(not a.strip() and b.strip() for a, b in zip(cells, names, strict=False))
    is_above = (is_merged or _needs_more(cells, names)) and not _holds_numbers(names)
    return is_above and _holds_numbers(first) and len(names) == len(cells)


def _needs_more(names: Sequence[str], below: Sequence[str]) -> bool:
    """Do names need those below them: units, or what tells those apart that are the same?"""
    filled, units = [n for n in names if n.strip()], [u for u in below if u.strip()]
    return bool(units) and (len(set(filled)) < len(filled) or all(map(is_unit, units)))


def _under(above: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    """The names of columns behind those of their groups, of which merged cells leave the first."""
    groups = [""] * len(names)
    if len(above) == len(names) and sum(bool(c.strip()) for c in above) > 1:
        is_merged = not _needs_more(above, names)
        for k, cell in enumerate(above):
            groups[k] = cell.strip() or (groups[k - 1] if is_merged else "")
    return tuple(f"{g} {n.strip()}".strip() for g, n in zip(groups, names, strict=True))


def _holds_numbers(cells: Sequence[str]) -> bool:
    return any(quantity(c, Style()) is not None for c in cells)


def _is_title(cells: Sequence[str]) -> bool:
    """Does a line of a sheet hold words in a few of its cells only, as what stands above a table
    does?"""
    filled = [c for c in cells if c.strip()]
    return 2 * len(filled) < len(cells) and not _holds_numbers(filled)


def _is_sentence(line: str, cells: Sequence[str]) -> bool:
    """Are the commas of a line those of a sentence, of a log or of thousands?"""
    if len(cells) > 1 and all(_COUNTED.search(c) and re.search("[A-Za-z]{2}", c) for c in cells):
        return True  # "at 20s, row rate 140498.38/sec"
    return (
        any(len(cell.split()) > _MOST_WORDS or _ASSIGNED.search(cell) for cell in cells)
        or (not _THOUSANDS.sub("", line).count(",") and re.search("[A-Za-z] ", line) is not None)
    ) and '"' not in line


def _record(text: str) -> tuple[int, str, tuple[str, ...], bool] | None:
    """The first record where it names columns and quotes them, perhaps over several lines."""
    for separator in _SEPARATORS:
        rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
        try:
            cells = next(rows, [])
        except csv.Error:
            continue
        if len(cells) > 1 and not _holds_numbers(cells) and not _is_title(cells):
            return rows.line_num - 1, separator, tuple(c.strip() for c in cells), True
    return None


def _is_header(cells: Sequence[str], following: Sequence[str], separator: str) -> bool:
    """Are cells that hold a number the names of columns: is every column that begins with a word
    one of numbers?"""
    if not following or _are_sizes(cells):
        return True
    below = _split(following[0], separator)
    return any(
        quantity(a, Style()) is None and quantity(b, Style()) is not None
        for a, b in zip(cells, below, strict=False)
    )


def _heads(cells: Sequence[str], following: Sequence[str], separator: str) -> bool:
    """Are the lines below rows of as many cells, of which the last is a number in each, as in none
    of a line of names?"""
    rows = [_split(x, separator) for x in following]
    is_number = [len(r) == len(cells) and quantity(r[-1], Style()) is not None for r in rows]
    return len(rows) > 1 and all(is_number) and quantity(cells[-1], Style()) is None


def _are_sizes(cells: Sequence[str]) -> bool:
    """Do three cells and more name a size each, by the same words, as n = 4 and n = 8?"""
    found = [re.fullmatch(r"(\D+)\d+(\D*)|\d+\s+([A-Za-z]+)", c.strip()) for c in cells]
    stems = Counter(m.groups() for m in found if m)
    return bool(stems) and max(stems.values()) > 2


def _split(line: str, separator: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=separator, skipinitialspace=True), [])
    except csv.Error:
        return []


def plain_name(name: str) -> str:
    """The name of a parameter as harnesses write it: "Param: size", "(size)"."""
    found = _PARAMETER.fullmatch(name)
    return (found[1] or found[2]) if found else name


def positions(header: Sequence[str]) -> tuple[str, ...]:
    """Names for columns that have none."""
    return tuple(f"column{k + 1}" for k in range(len(header)))


def _csv_rows(
    parts: Iterable[str], name: str, separator: str, header: Sequence[str], skipped: int
) -> Iterator[Row]:
    """The lines after the header that are not empty; the parts of the text are whole lines.

    Raises:
        DataError: FILE:LINE: it is not CSV, or has another number of cells than the header.
    """
    lines = chain.from_iterable(io.StringIO(part, newline="") for part in parts)
    for _ in range(skipped):
        next(lines, None)
    rows = csv.reader(lines, delimiter=separator, strict=True)
    width = len(header)
    may_comment = not set(header) >= _TIDY and not any(h.startswith("#") for h in header[:1])
    try:
        for cells in rows:
            where = f"{name}:{rows.line_num + skipped}"
            is_comment = may_comment and cells and cells[0].lstrip().startswith("#")
            if len(cells) != width or is_comment:
                is_prose = (
                    separator == "\t" and len(cells) == 1 and cells[0].count(" ") > _MOST_WORDS
                )
                cells = [] if is_comment or is_prose else _fitting(cells, header)
            if not cells:
                continue
            if len(cells) != width:
                raise DataError(
                    f"{where}: {len(cells)} fields, the header has {width}; quote cells that hold"
                    f" {separator!r}, and name every column"
                )
            yield Row(where, rows.line_num + skipped, cells)
    except csv.Error as error:
        raise DataError(f"{name}:{rows.line_num + skipped}: not CSV: {error}") from None


def _is_prose(text: str, header: Sequence[str]) -> bool:
    """Is a line without a separator a sentence below the table, as people paste it?"""
    return len(header) > 2 and text.count(" ") > _MOST_WORDS


def _fitting(cells: list[str], header: Sequence[str]) -> list[str]:
    """Cells of a line of another length than the header: a comment is no row, and empty cells at
    the end do not count."""
    if cells and cells[0].lstrip().startswith("#"):
        return []
    is_alone = len(cells) == 1 and len(header) > 1
    if is_alone and (cells[0].strip(" \t") in ("", "```", "~~~") or _is_prose(cells[0], header)):
        return []
    while len(cells) > len(header) and not cells[-1].strip():
        cells = cells[:-1]
    return cells
