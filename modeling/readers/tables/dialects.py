"""The ways to write a table: separated values, markdown and other frames, columns of blanks, lines
of a log that differ in their numbers only, and records of JSON.

Each gives `Grid`s; `grids_in` asks all of them. A text may hold several tables and other lines.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, pairwise

from looplaw_common.errors import DataError

from .cells import Style, clean, is_missing, measures_time, quantity
from .grid import Grid, Row

_SEPARATORS = (",", ";", "\t")
_TIDY = {"callpath", "metric", "value"}
_COMMENT = re.compile(r"\s*(?:#|%|//|\*\*\*)")
_LOOKED_AT = 1 << 20
_PREAMBLE = 60
"""Lines before the header that are no part of a table."""
_MOST_LINES = 200_000
"""Lines of a text in which tables are looked for."""
_MOST_TABLES = 64
_FRAME = re.compile(r"[│┃║]")
_RULE = re.compile(r"[\s|:+=~^─━═┼╪╫╬├┤┌┐└┘┬┴╭╮╰╯╞╡╔╗╚╝╠╣╦╩-]*")
_PARAMETER = re.compile(r"Param(?:eter)?: *(\S.*)|\((\w+)\)")
_MOST_WORDS = 6
_ASSIGNED = re.compile(r"[A-Za-z]\s*[:=]\s*[-+]?\.?\d")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_ERROR = re.compile(r"\s*±\s{2,}")
"""What JMH writes between a score and its error, which has a column of its own."""
_HEADING = re.compile(r"#{1,6}\s+(.*?)\s*#*")
_SLOT = re.compile(
    r"(?<![\w.])(?:\d+ ?h(?:ours?)? ?)?\d+ ?m(?:in)? ?\d+(?:\.\d+)? ?s(?:ec)?\b"
    r"|(?<![\w.])[-+]?\$?(?:\d+\^\d+|\d+:\d+:\d+(?:\.\d+)?|\d+(?:[,_]\d{3})*(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d+)?"
    r"(?:\s*(?:ns|us|µs|μs|ms|sec(?:ond)?s?|s|msecs?|milliseconds?|microseconds?|nanoseconds?"
    r"|min(?:ute)?s?|[KMG]i?B|[kKMG%])\b)?(?!\w|\.[A-Za-z])"
)
_NAME_BEFORE = re.compile(r"([A-Za-z_][\w ]{0,40}?)\s*(?:=|:|\bis\b|->|=>)?\s*$")
_NAME_BEHIND = re.compile(r"\s*([A-Za-z]{2,20}(?:/s(?:ec(?:ond)?)?\b)?)")
_WITH_NAME = re.compile(r"[A-Za-z_]\w*[=:]\s*[-+.\d]")
_LIST = re.compile(r"\s*(?:,|and|,\s*and|/)\s*")
_FEWEST_ROUNDS = 3
_MOST_PROSE = 1 << 14
_LONGEST = 400
"""Characters of a line of a log."""


def grids_in(text: str, name: str) -> Iterator[Grid]:
    """The tables of a text, those first whose dialect leaves least doubt."""
    text = text.removeprefix("\ufeff")
    if text.lstrip()[:1] in "[{" and (found := _of_json(text, name)) is not None:
        yield found
        return
    if (separated := separated_values(text, name)) is not None:
        yield separated
        return
    lines = text.split("\n", _MOST_LINES)[:_MOST_LINES]
    framed = list(_framed(lines, name))
    lines = [_ERROR.sub("  ", line) for line in lines]
    blanks = framed or _of_blanks(lines, name)
    if not any(table.is_named for table in blanks):
        blanks = _in_turns(lines, name) or blanks
    tables = blanks or _of_log(lines, name)
    yield from tables or _of_prose(text[:_MOST_PROSE], name)


# --- separated values


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
        _names(header) if not is_named else tuple(map(_plain_name, header)),
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
    if '"' in some[0] and (record := _record(text)) is not None:
        return record
    above: Sequence[str] = ()
    for skipped, line in enumerate(some[:_PREAMBLE]):
        if not line.strip():
            continue
        separator = next((s for s in _SEPARATORS if s in line), None)
        if separator is None or (separator == "," and "|" in line):
            continue
        cells = _split(line, separator)
        if separator == "," and _is_sentence(line, cells):
            continue
        following = [x for x in some[skipped + 1 : skipped + _PREAMBLE] if x.strip()]
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
    is_above = is_merged and not _holds_numbers(names) and _holds_numbers(first)
    return is_above and len(names) == len(cells)


def _under(above: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    """The names of columns behind those of their groups, of which merged cells leave the first."""
    groups = [""] * len(names)
    if len(above) == len(names) and sum(bool(c.strip()) for c in above) > 1:
        for k, cell in enumerate(above):
            groups[k] = cell.strip() or groups[k - 1]
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
    if not following:
        return True
    below = _split(following[0], separator)
    return any(
        quantity(a, Style()) is None and quantity(b, Style()) is not None
        for a, b in zip(cells, below, strict=False)
    )


def _split(line: str, separator: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=separator, skipinitialspace=True), [])
    except csv.Error:
        return []


def _plain_name(name: str) -> str:
    """The name of a parameter as harnesses write it: "Param: size", "(size)"."""
    found = _PARAMETER.fullmatch(name)
    return (found[1] or found[2]) if found else name


def _names(header: Sequence[str]) -> tuple[str, ...]:
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
                cells = [] if is_comment else _fitting(cells, header)
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


def _fitting(cells: list[str], header: Sequence[str]) -> list[str]:
    """Cells of a line of another length than the header: a comment is no row, and empty cells at
    the end do not count."""
    if cells and cells[0].lstrip().startswith("#"):
        return []
    if len(cells) == 1 and not cells[0].strip():
        return []
    while len(cells) > len(header) and not cells[-1].strip():
        cells = cells[:-1]
    return cells


# --- tables in frames: markdown, reStructuredText's grid, psql, boxes


def _framed(lines: Sequence[str], name: str) -> Iterator[Grid]:
    heading, found = "", 0
    block: list[tuple[int, str]] = []
    for number, line in enumerate(chain(lines, ("",)), 1):
        line = line.rstrip("\r")
        text = _FRAME.sub("|", line.strip()) if len(line) < 1 << 16 else ""
        if "|" in text or (block and text and _RULE.fullmatch(text)):
            block.append((number, text))
            continue
        if len(block) > 1 and (grid := _of_frame(block, name, heading)) is not None:
            yield grid
            found += 1
        block = []
        if match := _HEADING.fullmatch(text):
            heading = clean(match[1])
        if found >= _MOST_TABLES:
            return


def _of_frame(block: Sequence[tuple[int, str]], name: str, heading: str) -> Grid | None:
    rows = [(number, _pieces(text)) for number, text in block if not _RULE.fullmatch(text)]
    if len(rows) < 2:
        return None
    (line, header), *body = rows
    kept = [Row(f"{name}:{n}", n, cells) for n, cells in body if len(cells) == len(header)]
    if len(kept) < len(body) or not kept:
        if not kept or len(kept) < 0.7 * len(body):
            return None
    return Grid(name, line, tuple(map(clean, header)), partial(iter, kept), caption=heading)


def _pieces(text: str) -> list[str]:
    text = text.replace("\\|", "¦")
    text = text[1:] if text.startswith("|") else text
    text = text[:-1] if text.endswith("|") else text
    return [clean(piece) for piece in text.split("|")]


# --- columns of blanks


def _of_blanks(lines: Sequence[str], name: str) -> list[Grid]:
    """Tables whose columns are separated by blanks: blocks of lines with as many cells, of which
    the last are numbers."""
    found: list[Grid] = []
    start = 0
    while start < len(lines) and len(found) < _MOST_TABLES:
        end, split = _block(lines, start)
        if end - start >= 2:
            found.append(_of_block(lines, start, end, split, name))
        start = max(end, start + 1)
    return found


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
_DASHES = re.compile(r"\s*-{2,}\s*")


def _is_row(cells: Sequence[str]) -> bool:
    if any(_WITH_NAME.match(c) for c in cells):
        return False  # a line of a log
    numbers = sum(quantity(c, Style()) is not None for c in cells)
    known = sum(is_missing(c) for c in cells)
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
    if above >= 0:
        text = re.sub(r"^\s*(?:#|%|//)+\s*", "", lines[above]).strip()
        for way in (_WIDE, _ANY, _DASHES):
            names = way.split(text.strip("- "))
            if len(names) == width and all(_may_name(n) for n in names):
                header = tuple(_plain_name(clean(n)) for n in names)
                break
    named = bool(header) and len(set(header)) == width
    return Grid(
        name=name,
        line=(above if named else start) + 1,
        header=header if named else _names(rows[0].cells),
        rows=partial(iter, rows),
        is_named=named,
        is_loose=True,
    )


def _may_name(text: str) -> bool:
    """May a text above a block of numbers be the name of a column?"""
    return len(text) <= 40 and not text.endswith(":") and quantity(text, Style()) is None


# --- lines of a log


def _of_log(lines: Sequence[str], name: str) -> list[Grid]:
    """Lines that are the same but for their numbers: each place of a number is a column, named by
    the word before or behind it."""
    by_form: dict[str, list[Row]] = {}
    for form, row in _said(lines, name):
        if len(row.cells) > 1:
            by_form.setdefault(form, []).append(row)
    found = [
        _of_form(_slot_names(form), rows, name) for form, rows in by_form.items() if len(rows) > 2
    ]
    return found[:_MOST_TABLES]


def _said(lines: Sequence[str], name: str) -> Iterator[tuple[str, Row]]:
    """The lines with numbers: what they are without these, and the numbers."""
    for k, line in enumerate(lines):
        text = line.strip().lstrip("$>%❯ ")
        if not text or len(text) > _LONGEST:
            continue
        cells = [m[0].strip() for m in _SLOT.finditer(text)]
        if 1 <= len(cells) <= 12:
            form = re.sub(r"\s+", " ", _SLOT.sub("\0", text))
            yield form, Row(f"{name}:{k + 1}", k + 1, cells)


def _of_form(header: tuple[str, ...], rows: Sequence[Row], name: str) -> Grid:
    named = len(set(header)) == len(header)
    return Grid(
        name,
        rows[0].line,
        header if named else _names(header),
        partial(iter, rows),
        is_named=named and any(not h.startswith("column") for h in header),
        is_loose=True,
    )


def _in_turns(lines: Sequence[str], name: str) -> list[Grid]:
    """A table of lines that come again in turns, as a command and its time: the numbers of each
    round are a row. Numbers alone are a size and a time, as loops print them."""
    said = list(_said(lines, name))
    bare = [row for form, row in said if form == "\0"]
    if len(bare) == len(said) and len(bare) >= 2 * _FEWEST_ROUNDS and len(bare) % 2 == 0:
        rounds = [
            Row(a.where, a.line, [*a.cells, *b.cells])
            for a, b in zip(bare[::2], bare[1::2], strict=True)
        ]
        sizes = [quantity(row.cells[0], Style()) for row in rounds]
        whole = [q.number for q in sizes if q is not None and float(q.number).is_integer()]
        rising = len(whole) == len(rounds) and all(b > a for a, b in pairwise(whole))
        broken = any("." in row.cells[1] for row in rounds)
        return [_of_form(("n", "time"), rounds, name)] if rising and broken else []
    counts = Counter(form for form, _ in said if form != "\0")
    for count in sorted({c for c in counts.values() if c > 1}, reverse=True):
        turns = [(form, row) for form, row in said if counts[form] == count]
        period = len(turns) // count
        order = [form for form, _ in turns[:period]]
        header = [slot for form in order for slot in _slot_names(form)]
        if period < 2 or 2 * len(turns) < len(said) or [form for form, _ in turns] != order * count:
            continue
        if len(set(header)) < len(header):
            continue
        rounds = [
            Row(
                turns[k][1].where,
                turns[k][1].line,
                [cell for _, row in turns[k : k + period] for cell in row.cells],
            )
            for k in range(0, len(turns), period)
        ]
        return [_of_form(tuple(header), rounds, name)]
    return []


def _slot_names(form: str) -> tuple[str, ...]:
    pieces = form.split("\0")
    names = []
    for k in range(len(pieces) - 1):
        before = _NAME_BEFORE.search(pieces[k].lstrip(" ,;()"))
        behind = _NAME_BEHIND.match(pieces[k + 1])
        is_assigned = before is not None and re.search(r"(?:=|:|\bis)\s*$", pieces[k])
        chosen = before if is_assigned or behind is None else behind
        word = chosen[1].strip() if chosen else ""
        names.append(word.split(" ")[-1] if word else f"column{k + 1}")
    return tuple(names)


# --- sentences


def _of_prose(text: str, name: str) -> list[Grid]:
    """Sizes and times in sentences, in turns ("n=100 takes 21 seconds, n=1000 takes 31 seconds") or
    one list after the other ("386, 1184 and 9664 seconds for 1TB, 3TB and 10TB")."""
    found = [(quantity(m[0].strip(), Style()), m.start(), m.end()) for m in _SLOT.finditer(text)]
    slots = [(q, start, end) for q, start, end in found if q is not None]
    slots = slots[len(slots) % 2 :]  # "on a cluster of 9 nodes" stands before all
    units = [q.unit for q, *_ in slots]
    for k in reversed(range(len(slots) - 1)):  # "386, 1184 and 9664 seconds": one unit for all
        if not units[k] and _LIST.fullmatch(text[slots[k][2] : slots[k + 1][1]]):
            units[k] = units[k + 1]
    is_time = [measures_time(unit) for unit in units]
    number = len(slots) // 2
    half = [True] * number
    if len(slots) != 2 * number or number < 3:
        return []
    in_turns = is_time[1::2] == half and not any(is_time[::2])
    if in_turns or (is_time[::2] == half and not any(is_time[1::2])):
        pairs = [(2 * k + (not in_turns), 2 * k + in_turns) for k in range(number)]
    elif is_time[:number] == half and not any(is_time[number:]):
        pairs = [(k + number, k) for k in range(number)]
    elif is_time[number:] == half and not any(is_time[:number]):
        pairs = [(k, k + number) for k in range(number)]
    else:
        return []
    rows = []
    for size, time in pairs:
        line = text.count("\n", 0, slots[size][1]) + 1
        cells = [f"{slots[k][0].number} {units[k]}".strip() for k in (size, time)]
        rows.append(Row(f"{name}:{line}", line, cells))
    return [Grid(name, rows[0].line, ("n", "time"), partial(iter, rows), is_loose=True)]


# --- records of JSON


def _of_json(text: str, name: str) -> Grid | None:
    """A list of records, one object a line, or what `to_json` of a data frame wrote."""
    records = _records(text)
    if not records or not all(isinstance(r, Mapping) for r in records):
        return None
    flat = [_flat(r) for r in records if isinstance(r, Mapping)]
    header = tuple(dict.fromkeys(key for record in flat for key in record))
    if not header or not any(isinstance(v, (int, float)) for r in flat for v in r.values()):
        return None
    rows = [
        Row(
            f"{name}: record {k + 1}",
            k + 1,
            ["" if (v := r.get(h)) is None else str(v) for h in header],
        )
        for k, r in enumerate(flat)
    ]
    return Grid(name, 1, header, partial(iter, rows))


def _records(text: str) -> list[object] | None:
    try:
        data = json.loads(text)
    except ValueError:
        return _json_lines(text)
    except RecursionError:
        return None
    if isinstance(data, Mapping):
        if {"columns", "data"} <= set(data) and isinstance(data["data"], list):
            names = data["columns"]
            if isinstance(names, list) and all(isinstance(r, list) for r in data["data"]):
                return [dict(zip(map(str, names), row, strict=False)) for row in data["data"]]
        columns = list(data.values())
        if columns and all(isinstance(c, Mapping) for c in columns):
            keys = list(columns[0])
            same = all(list(c) == keys for c in columns)
            if same and keys and all(not isinstance(v, (dict, list)) for v in columns[0].values()):
                return [{str(n): c[k] for n, c in data.items()} for k in keys]
        if columns and all(isinstance(c, list) for c in columns):
            lengths = {len(c) for c in columns if isinstance(c, list)}
            if len(lengths) == 1:
                return [dict(zip(data, row, strict=True)) for row in zip(*columns, strict=True)]
        lists = [c for c in columns if isinstance(c, list) and c and isinstance(c[0], Mapping)]
        return list(lists[0]) if len(lists) == 1 else None
    return data if isinstance(data, list) else None


def _json_lines(text: str) -> list[object] | None:
    found = []
    for line in text.split("\n"):
        if line.strip():
            try:
                found.append(json.loads(line))
            except (ValueError, RecursionError):
                return None
    return found


def _flat(record: Mapping[str, object]) -> dict[str, object]:
    """A record with the fields of objects inside it, one level deep."""
    found: dict[str, object] = {}
    for key, value in record.items():
        if isinstance(value, Mapping):
            found |= {str(k): v for k, v in value.items() if not isinstance(v, (dict, list))}
        elif not isinstance(value, list):
            found[str(key)] = value
    return found
