"""Numbers in lines of a log and in sentences: what is the same in all lines names the columns."""

from __future__ import annotations

import re
import sys
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from functools import partial
from itertools import accumulate, islice, pairwise

from .aligned import DATE, MOST_TABLES
from .cells import Style, in_unit, measures_time, quantity
from .grid import MAX_COLUMNS, Grid, Row
from .names import Kind, named
from .reshaped import NAMELESS
from .separated import positions

_SLOT = re.compile(
    r"(?<![\w.])(?:\d+ ?h(?:ours?)? ?)?\d+ ?m(?:in)? ?\d+(?:\.\d+)? ?s(?:ec)?\b"
    r"|(?<![\w.])[-+]?\$?(?:\d+\^\d+|\d+:\d\d(?::\d\d)?(?:\.\d+)?|\d+(?:[,_]\d{3})*(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d+)?"
    r"(?:\s*(?:ns|us|µs|μs|ms|sec(?:ond)?s?|s|msecs?|milliseconds?|microseconds?|nanoseconds?"
    r"|min(?:ute)?s?|[KMG]i?B(?:/s)?|[kKMG])\b|%)?(?!\w|\.[A-Za-z])"
    r"|(?<![\w./-])(?:[A-Za-z_][\w./-]*\d|\d[\w./-]*[A-Za-z])(?:[\w./-]*[\w/])?"
)
"""A number with its unit, or a word with a digit, as the name of a file."""
_DATED = re.compile(
    r"\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?\]?[\s,:-]*"
)
"""When a line of a log was written."""
_PLACE = re.compile(
    r"(\b[\w./+-]+\.(?:c|cc|cpp|cxx|cu|hh|hpp|hxx|cuh|py|pyx|rs|go|java|kt|scala|js|mjs|ts|tsx|rb"
    r"|php|cs|swift|jl|hs|zig|nim|lua|f90|f95|F90|cljs?|exs?|dart)):\d+(?::\d+)?(?![\w.])"
)
"""A line of a file, as compilers and loggers name it."""
_CLOCK = re.compile(r"(\[)?(?P<hours>\d{1,2}):\d\d:\d\d(?:[.,]\d+)?(?(1)\])[\s,:|-]*")
"""A time of day at the start of a line."""
_AMOUNT = r"(\d+(?:\.\d+)?)\s?([a-zA-Zµμ]+(?:/s)?)"
_ESTIMATE = re.compile(rf"\[\s*{_AMOUNT}\s+{_AMOUNT}\s+{_AMOUNT}\s*\]")
"""A value between the ends of its interval."""
_SPREAD = re.compile(
    r"\s*\(?(?:±|\+/-|\+-)\s*[\d.,]+%?\s*\)?|(?:\b[Rr]ange:?\s*)?\[\s*[\d.]+\s?[a-zµ]*\s*,\s*[\d.]+\s?[a-zµ]*\s*\]"
)
"""How far a value spreads, and the range that it is in."""
_IDLE = frozenset(
    "in of at with for to by on took takes is was and the a an from after per per_iter run".split()
)
"""Words before a number that do not name it."""
_NAME_BEFORE = re.compile(
    r"([A-Za-z_](?:[\w ]|[-/](?=[A-Za-z])){0,40}?)\s*(\([\w ]{1,20}\)\s*)?(?:=|:|\bis\b|->|=>)?\s*$"
)
_PHRASE_BEFORE = re.compile(_NAME_BEFORE.pattern.replace("[-/]", "[-/.]"))
"""All words before a number, of which those of "sort.ms" are one."""
_NAME_BEHIND = re.compile(r"\)?\s*([A-Za-z]{2,20}(?:/s(?:ec(?:ond)?)?\b)?)(?![\w/ ]*[:=]\s*$)")
_ONE_WORD = re.compile(r"[^A-Za-z]*([A-Za-z_]+)[^A-Za-z]*")
_PADDED = re.compile("(?<! )= \0")
"""A number that is aligned behind its name."""
_LIST = re.compile(r"\s*(?:,|and|,\s*and|/)\s*")
_FEWEST_ROUNDS = 3
_REGULAR = 0.8
"""The share of sections in which a line is, that belongs to all."""
_OFTEN = 0.25
"""That of a line with a time, as runs may fail."""
_MAIN = 0.5
"""The share of lines with numbers that belong to sections; it is `_OFTEN` where they have times."""
_MAY_BE_SET = frozenset(
    (Kind.SIZE, Kind.VARIANT, Kind.UNKNOWN, Kind.DATE, Kind.REPETITION, Kind.REPETITIONS)
)
_MOST_CELLS = 12
_PLAIN = "plain"
"""The case of lines without the options that others have."""
_MOST_OPENINGS = 8
"""Forms of lines of which one may open all sections."""
_LONGEST_TITLE = 60
_LONGEST = 400
"""Characters of a line of a log."""


def of_log(lines: Sequence[str], name: str) -> list[Grid]:
    """Lines that are the same but for their numbers: each place of a number is a column, named by
    the word before or behind it."""
    by_form: dict[str, list[Row]] = {}
    times: list[int] = []
    for form, row in _said(lines, name):
        if _is_timed(form, row):
            times.append(row.line)
        by_form.setdefault(form, []).append(row)
    pairs = _in_pairs(by_form, set(times))
    by_form = {f: rows for f, rows in by_form.items() if len(rows[0].cells) > 1}
    for form, rows in list(by_form.items()):
        if _is_timed_behind(form, [row.line for row in rows], times):
            del by_form[form]
    _with_early_ends(by_form)
    titles = _titles(lines)
    several = [(_own_names(form), rows) for form, rows in by_form.items() if len(rows) > 2]
    found = sorted([*pairs, *several], key=lambda table: table[1][0].line)
    return [
        _of_form(*_under_titles(names, rows, titles), name)
        for names, rows in islice(found, MOST_TABLES)
    ]


def _in_pairs(
    by_form: dict[str, list[Row]], times: Set[int]
) -> list[tuple[tuple[str, ...], list[Row]]]:
    """Tables of pairs of lines, a number that varies and right behind it a time; both forms are
    taken out of `by_form`."""
    at = {row.line: (form, row) for form, rows in by_form.items() for row in rows}
    before = dict(pairwise(sorted(at, reverse=True)))
    found = []
    for form, rows in list(by_form.items()):
        above = [at[before[row.line]] for row in rows if row.line in before]
        forms = {f for f, _ in above}
        if len(rows) < _FEWEST_ROUNDS or len(above) < len(rows) or len(forms) > 1:
            continue
        other = forms.pop()
        is_pair = other != form and len(by_form.get(other, ())) == len(rows)
        if not is_pair or rows[0].line not in times or by_form[other][0].line in times:
            continue
        table = _side_by_side(other, [row for _, row in above], form, rows)
        if table is not None:
            found.append(table)
            del by_form[form], by_form[other]
    return found


def _side_by_side(
    form: str, rows: Sequence[Row], behind: str, others: Sequence[Row]
) -> tuple[tuple[str, ...], list[Row]] | None:
    """The names and rows of lines with what the lines behind them say more; None where the first
    are all the same, or names are."""
    names, more = _own_names(form), _own_names(behind)
    pairs = list(zip(rows, others, strict=True))
    same = {n for n in more if n in names}
    same = {
        n for n in same if all(a.cells[names.index(n)] == b.cells[more.index(n)] for a, b in pairs)
    }
    new = [k for k, n in enumerate(more) if n not in same]
    header = (*names, *(more[k] for k in new))
    if len({*header}) < len(header) or len({tuple(a.cells) for a in rows}) == 1:
        return None
    return header, [Row(a.where, a.line, [*a.cells, *(b.cells[k] for k in new)]) for a, b in pairs]


def _is_timed_behind(form: str, places: Sequence[int], times: Sequence[int]) -> bool:
    """Do times stand behind each line of a form that tells none: are they what was measured?"""
    ends = [*places[1:], sys.maxsize]
    between = all(
        bisect_right(times, a) < bisect_left(times, b) for a, b in zip(places, ends, strict=True)
    )
    is_other = times and set(times).isdisjoint(places)
    told = {named(n).kind for n in _slot_names(form)}
    return bool(is_other and between) and not told & {Kind.TIME, Kind.RATE, Kind.QUANTITY}


def _with_early_ends(by_form: dict[str, list[Row]]) -> None:
    """Put lines that end earlier than others, but are the same up to there, among these, with empty
    cells at their end, where what the others have more is measured and has a name."""
    before = ""
    for form in sorted(by_form):
        is_longer = before and form.startswith(f"{before} ") and len(by_form[form]) > 1
        if is_longer and _adds_measured(form, before):
            more = form.count("\0") - before.count("\0")
            early = [Row(r.where, r.line, [*r.cells, *[""] * more]) for r in by_form.pop(before)]
            by_form[form] = sorted([*by_form[form], *early], key=lambda row: row.line)
        before = form


def _adds_measured(form: str, before: str) -> bool:
    """Are the numbers that a form has beyond the end of a shorter one measured, by their names?"""
    names = _slot_names(form)
    known = before.count("\0")
    kinds = [named(n).kind for n in names[known:]]
    is_same = names[:known] == _slot_names(before)
    return is_same and bool(kinds) and not any(kind in _MAY_BE_SET for kind in kinds)


def _titles(lines: Sequence[str]) -> list[str]:
    """The last line above each line that has no number, or ends with a colon."""
    found, title = list[str](), ""
    for line in lines:
        found.append(title)
        text = line.strip(" \t#>=*-`")
        if text.endswith(":") or not any(c.isdecimal() for c in line):
            title = text.strip(":* \t") or title
    return found


def _under_titles(
    names: tuple[str, ...], rows: Sequence[Row], above: Sequence[str]
) -> tuple[tuple[str, ...], Sequence[Row]]:
    """The names and rows of lines with a column for the titles above them, where several of these
    have two lines and more each."""
    titles = [t if len(t := above[row.line - 1]) <= _LONGEST_TITLE else "" for row in rows]
    number = len({*titles})
    if number < 2 or len(rows) < 2 * number or "" in titles:
        return names, rows
    forms = {re.sub(r"\s+", " ", _SLOT.sub("\0", t)) for t in titles}
    form = forms.pop()
    is_size = not forms and form.count("\0") == 1
    sizes = [m[0].strip() if (m := _SLOT.search(t)) and is_size else t for t in titles]
    name = _slot_names(form)[0] if is_size else "title"
    if name in names:
        return names, rows
    told = [Row(r.where, r.line, [t, *r.cells]) for r, t in zip(rows, sizes, strict=True)]
    return (name, *names), told


def _said(lines: Sequence[str], name: str) -> Iterator[tuple[str, Row]]:
    """The lines with numbers: what they are without these, and the numbers."""
    shown = [line.strip().lstrip("$>%❯ ") if len(line) <= _LONGEST else "" for line in lines]
    has_clock = _are_times_of_day(shown)
    for k, text in enumerate(shown):
        if not text or DATE.fullmatch(text):
            continue
        text = _PLACE.sub(r"\1", _DATED.sub("", text))
        if (clock := _CLOCK.match(text)) and (clock[1] or has_clock):
            text = text[clock.end() :]
        text = _SPREAD.sub("", _ESTIMATE.sub(_middle, text))
        cells = [m[0].strip() for m in _SLOT.finditer(text)]
        if 1 <= len(cells) <= _MOST_CELLS:
            form = _PADDED.sub("=\0", re.sub(r"\s+", " ", _SLOT.sub("\0", text)))
            yield form, Row(f"{name}:{k + 1}", k + 1, cells)


def _are_times_of_day(lines: Sequence[str]) -> bool:
    """Do most lines begin with a clock that never goes back, and have other numbers behind it?
    Hours of one digit that are 0 are those of durations."""
    found = [m for line in lines if line and (m := _CLOCK.match(line))]
    times = [[float(x) for x in re.findall(r"\d+", m[0])] for m in found]
    rest = sum(_SLOT.search(m.string, m.end()) is not None for m in found)
    is_duration = any(m["hours"] == "0" for m in found)
    is_usual = (
        not is_duration
        and len(found) > 2
        and 2 * len(found) >= sum(map(bool, lines))
        and 2 * rest >= len(found)
    )
    return is_usual and all(b >= a for a, b in pairwise(times))


def _middle(found: re.Match[str]) -> str:
    """The value between the ends of its interval; all three, where it does not lie there."""
    read = [quantity(f"{found[k]} {found[k + 1]}", Style()) for k in (1, 3, 5)]
    sizes = [in_unit(q, read[0].unit) for q in read if q is not None and read[0] is not None]
    known = [n for n in sizes if n is not None]
    is_inside = len(known) == len(read) and known == sorted(known)
    return f"{found[3]} {found[4]}" if is_inside else found[0]


def _of_form(header: tuple[str, ...], rows: Sequence[Row], name: str) -> Grid:
    named = len(set(header)) == len(header)
    return Grid(
        name,
        rows[0].line,
        header if named else positions(header),
        partial(iter, rows),
        is_named=named and any(not h.startswith("column") for h in header),
        is_loose=True,
    )


def in_turns(lines: Sequence[str], name: str) -> list[Grid]:
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
    first = dict(reversed(said))
    timed = {form for form, row in first.items() if _is_timed(form, row)}
    usual = {form for form, _ in counts.most_common(_MOST_OPENINGS)} | {*islice(counts, 1)}
    for opening, count in counts.items():  # as they stand: what comes first opens
        if (
            opening in usual
            and count > 1
            and (grid := _of_sections(said, opening, timed, _titles(lines), name))
        ):
            return [grid]
    return []


def _of_sections(
    said: Sequence[tuple[str, Row]], opening: str, timed: Set[str], titles: Sequence[str], name: str
) -> Grid | None:
    """A table of sections that lines of one form open, as a command and its times: what the other
    lines in them hold is in the rows, one for each time that they come again. Lines that come more
    rarely hold for all sections after them; `timed` are the forms of lines with times, `titles`
    those above each line, which tell apart what comes again in a section."""
    sections: list[dict[str, list[Row]]] = []
    above: list[dict[str, Row]] = []
    latest: dict[str, Row] = {}
    options: dict[int, str] = {}
    head = opening.partition("\0")[0]
    width = opening.count("\0")
    for form, row in said:
        if form == opening:
            sections.append({form: [row]})
            above.append(dict(latest))
        elif head.strip() and form.startswith(f"{head}\0"):  # with more or fewer options
            same = sum(a == b for a, b in zip(_starts(form), _starts(opening), strict=False))
            known = [*row.cells[:same], *[""] * width][:width]
            sections.append({opening: [Row(row.where, row.line, known)]})
            options[row.line] = _rest(form, row, same)
            above.append(dict(latest))
        elif sections:
            sections[-1].setdefault(form, []).append(row)
        latest[form] = row
    common = Counter(form for section in sections for form in section)
    inside = [
        f
        for f, n in common.items()
        if f != opening and n >= max(2, (_OFTEN if f in timed else _REGULAR) * len(sections))
    ]
    taken = {opening, *inside}
    outside = [
        f
        for f in (above[0] if above else ())
        if f not in taken and len({row[f].line for row in above}) > 1
    ]
    if any(Counter(f for f, _ in said)[f] >= _FEWEST_ROUNDS for f in timed - taken):
        return None  # times of other sections would be lost
    told = sum(len(section.get(f, ())) for section in sections for f in (opening, *inside))
    if not inside or told < (_OFTEN if timed & {*inside} else _MAIN) * len(said):
        return None
    forms = [*outside, opening, *inside]
    if sum(f.count("\0") for f in forms) > MAX_COLUMNS:
        return None
    header = _distinct(
        [_slot_names(f) for f in forms], forms, numbered=len(sections) >= _FEWEST_ROUNDS
    )
    if header is None:
        return None
    rows = []
    told_by, of = list[str](), list[int]()
    for section, before in zip(sections, above, strict=True):
        held = {f: [before[f]] for f in outside} | section
        rounds = max(len(section.get(f, ())) for f in inside)
        for k in range(max(rounds, opening in timed)):
            cells: list[str] = []
            for f in forms:
                found = held.get(f, [])
                place = k if f in inside else 0
                is_missing = place >= len(found)
                cells += [""] * f.count("\0") if is_missing else found[place].cells
            first = section[opening][0]
            rows.append(Row(first.where, first.line, cells))
            places = [section[f][k].line for f in inside if len(section.get(f, ())) > k]
            above_it = titles[min(places, default=first.line) - 1]
            told_by.append(above_it if len(above_it) <= _LONGEST_TITLE else "")
            of.append(first.line)
    differ = len({*zip(of, told_by, strict=True)}) == len(of) > len(sections)
    if differ and all(told_by) and 2 * len({*told_by}) <= len(of):
        rows = [Row(r.where, r.line, [*r.cells, t]) for r, t in zip(rows, told_by, strict=True)]
        header = (*header, "title")
    if any(options.values()):
        if len({*options.values()}) == len(sections) or "case" in header:
            return None  # which of them makes the difference?
        rows = [Row(r.where, r.line, [*r.cells, options.get(r.line) or _PLAIN]) for r in rows]
        header = (*header, "case")
    start = sum(f.count("\0") for f in outside)
    return replace(_of_form(header, rows, name), opening=header[start : start + width])


def _starts(form: str) -> list[str]:
    """What a form is up to each of its numbers."""
    return list(accumulate(form.split("\0")[:-1]))


def _rest(form: str, row: Row, same: int) -> str:
    """What a line says behind its first numbers."""
    words = form.split("\0")
    told = (f"{w}{c}" for w, c in zip(words[same:], [*row.cells[same:], ""], strict=True))
    return "".join(told).strip()


def _is_timed(form: str, row: Row) -> bool:
    """Does a line hold a time, by a name or a unit in it?"""
    found = (quantity(cell, Style()) for cell in row.cells)
    return any(named(n).kind is Kind.TIME for n in _slot_names(form)) or any(
        q is not None and measures_time(q.unit) for q in found
    )


def _distinct(
    names: Sequence[tuple[str, ...]], forms: Sequence[str], *, numbered: bool = False
) -> tuple[str, ...] | None:
    """Names of columns, no two of which are the same: those that are, are told by all words before
    their number, and those without a name are `numbered`; None where these are the same, too."""
    short = Counter(n for of in names for n in of)
    told = [
        n if short[n] == 1 else phrase
        for of, form in zip(names, forms, strict=True)
        for n, phrase in zip(of, _slot_names(form, whole=True), strict=True)
    ]
    found = [
        f"column{k}" if numbered and NAMELESS.fullmatch(n) else n for k, n in enumerate(told, 1)
    ]
    return tuple(found) if len(set(found)) == len(found) else None


def _own_names(form: str) -> tuple[str, ...]:
    """The names of a form's numbers, told apart where that can be done."""
    names = _slot_names(form)
    return _distinct([names], [form]) or names


def _slot_names(form: str, *, whole: bool = False) -> tuple[str, ...]:
    """The words that name the numbers of a form; `whole` gives all words before a number."""
    pieces = form.rstrip(" :").split("\0")
    words = [_ONE_WORD.fullmatch(piece) for piece in pieces[:-1]]
    if not any(c.isalpha() for c in pieces[-1]) and len({w[1] for w in words if w}) == len(words):
        return tuple(w[1] for w in words if w)  # "np 4 time 2.5"
    names = []
    for k in range(len(pieces) - 1):
        before = _NAME_BEFORE.search(pieces[k].lstrip(" ,;()"))
        behind = _NAME_BEHIND.match(pieces[k + 1])
        is_assigned = before is not None and re.search(r"(?:=|:|\bis)\s*$", pieces[k])
        is_size = behind is not None and named(behind[1]).kind is Kind.SIZE
        is_sure = is_assigned and before is not None
        kind = named(before[1]).kind if before is not None else Kind.UNKNOWN
        if is_size and kind not in (Kind.SIZE, Kind.TIME):
            is_sure = False  # "Read: 20000 rows"
        elif behind is not None and kind is Kind.TIME and named(behind[1]).kind is Kind.UNKNOWN:
            is_sure = True  # "time 2.0 s cached"
        chosen = before if before is not None and (is_sure or behind is None) else behind
        word = chosen[1].strip() if chosen else ""
        if whole and before is not None:
            phrase = _PHRASE_BEFORE.search(pieces[k].lstrip(" ,;()")) or before
            word = phrase[1].strip().replace("-", "").replace(" ", "_")
        last = word.split(" ")[-1]
        unit = before[2].strip("() ").removeprefix("in ") if before and before[2] else ""
        name = f"column{k + 1}" if not word or last.lower() in _IDLE else last
        names.append(f"{name} ({unit})" if unit and chosen is before else name)
    return tuple(names)


# --- sentences


def of_prose(text: str, name: str) -> list[Grid]:
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
