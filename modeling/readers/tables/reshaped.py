"""Tables brought to one form: a line for each observation, a column for each size.

People write a size into names of columns, into words and into cells of several numbers; each
function here knows one of these ways, and gives any other table back as it is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import prod

from ...data.parameter_roles import is_concurrency
from ...data.units import is_time, unit_of
from .cells import Style, quantity
from .grid import Grid, Row
from .names import Kind, named

_FEW = 3
_SERIAL = frozenset("serial sequential seq single".split())
"""What people write for one thread or process."""
_DIGITS = 2
"""Digits of a number that is no accident in a word."""
_LONGEST_NAME = 80
_SIDES = re.compile(r"\d{1,9}(?:\s*[x×X*]\s*\d{1,9}){1,2}|\(\d{1,9}(?:,\s*\d{1,9}){1,2}\)")
_MOST_BLANKS = 3
"""Those of a name; more are in sentences."""
_NAMED = re.compile(r"([A-Za-z]\w{0,20})\s*=\s*([-+]?[\d.][\w.,+-]*)")
_JOINS = re.compile(r"\b(?:of|for|in)\s*$")
"""A word between what was measured and which repetition it is: "time of run 1"."""
_REPETITION = re.compile(
    r"(?:(?<![^\W_])|(?<=[a-z])(?=[A-Z])|(?=#))(?i:rep(?:etition|eat|licate)?|trial|run"
    r"|iter(?:ation)?|sample|attempt|round|experiment|try|measurement|pass|#)[\s_.#-]*"
    r"(\d{1,4})(?!\d)"
)
"""What numbers the repetition in the name of a column."""
_SIZE_NAMED = re.compile(r"([^\d]{0,30}?)(\d{1,12}[kKMG]?)(?![\w.])([^\d]{0,30})")
"""A name of a column with a size: n = 64, n64, 64 threads, time of 64 threads (s)."""
_LONGEST_SIZE = 20
NAMELESS = re.compile(r"column\d+")
"""The names of columns that have none."""
_RATES = (Kind.DERIVED, Kind.RATE)
_ISOLATED = re.compile(r"(?<![A-Za-z0-9.])\d{1,12}(?![A-Za-z0-9]|\.\d)")
_NO_COUNT = re.compile(r"\d[,:^*']|[,:^*']\d|(?:^|[\s=(])-\d|\d\s?[kKMGT]i?B\b|(?<![\d.])0\d")
"""Digits that are part of a number in another notation (10,000, 2^10, 9:00, -4, 64 KB, 10 000)."""
_ATTACHED = re.compile(r"(?<=[A-Za-z])\d{2,12}(?![A-Za-z0-9]|\.\d)")


def without_nameless(grid: Grid) -> Grid:
    """The table without columns that have no name, as the numbers of rows that data frames write; a
    first one of sizes gets the name n where no size that has a name varies."""
    if (
        grid.header[:1] == ("",)
        and "n" not in grid.header
        and _are_sizes(grid)
        and not _varies(grid)
    ):
        return without_nameless(replace(grid, header=("n", *grid.header[1:])))
    kept = [k for k, name in enumerate(grid.header) if name]
    if len(kept) == len(grid.header):
        return grid

    def chosen(rows: Iterator[Row]) -> Iterator[Row]:
        return (Row(r.where, r.line, [r.cells[k] for k in kept]) for r in rows)

    return grid.with_rows([grid.header[k] for k in kept], chosen)


def _varies(grid: Grid) -> bool:
    """Does a column of whole numbers vary that is called as a size is?"""
    sizes = [k for k, name in enumerate(grid.header) if name and named(name).kind is Kind.SIZE]
    columns = [{quantity(row.cells[k], Style()) for row in grid.sample()} for k in sizes]
    return any(
        len(found) > 1 and all(q is not None and float(q.number).is_integer() for q in found)
        for found in columns
    )


def _are_sizes(grid: Grid) -> bool:
    """Does the first column hold rising numbers that do not number the rows?"""
    found = [quantity(row.cells[0], Style()) for row in grid.sample()]
    sizes = [q.number for q in found if q is not None]
    rises = len(sizes) == len(found) > 1 and sizes == sorted({*sizes}) and sizes[0] > 0
    if rises and not all(float(n).is_integer() for n in sizes):
        return True
    return rises and sizes[-1] >= 2 * sizes[0] and sizes[-1] - sizes[0] > len(sizes)


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
    their products there; any other table as it is, also where two of them have the same product."""
    columns = dict(enumerate(zip(*(row.cells for row in grid.sample()), strict=True)))
    sides = {
        k: found
        for k, column in columns.items()
        if all(found := [_SIDES.fullmatch(cell.strip()) for cell in column])
        and any(len({*re.findall(r"\d+", m[0])}) > 1 for m in found if m)
        and len(set(column)) > 1
        and len({_product(cell) for cell in column}) == len({cell.strip() for cell in column})
    }
    if not sides:
        return grid

    def rows(rows: Iterator[Row]) -> Iterator[Row]:
        for row in rows:
            cells = list(row.cells)
            for k in sides:
                if _SIDES.fullmatch(cells[k].strip()):
                    cells[k] = str(_product(cells[k]))
            yield Row(row.where, row.line, cells)

    notes = tuple(f"{grid.header[k]} is the product of its sides" for k in sides)
    return replace(grid.with_rows(grid.header, rows), notes=(*grid.notes, *notes))


def _product(sides: str) -> int:
    return prod(map(int, re.findall(r"\d+", sides)))


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
            of = _JOINS.sub("", name[: found.start()]).rstrip(" _.-") + name[found.end() :]
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
    """What repetitions measured that are called by nothing, or by their unit of time."""
    unit = name.strip("[]() ")
    return f"time ({unit})" if is_time(unit_of(unit)) else name or "time"


def melted(grid: Grid) -> Grid:
    """A table whose columns are named by numbers, one value of a parameter each ("64", "n = 64",
    "64 threads"), with a line for each cell; any other table as it is. Beside rows of words, the
    name above these is that of the numbers where it is that of a size."""
    sizes, name = _sizes(grid.header)
    kept = [k for k in range(len(grid.header)) if k not in sizes]
    if len(sizes) < _FEW or not 1 <= len(kept) <= _FEW or not grid.is_named:
        return grid
    header = [grid.header[k] for k in kept]
    if len(kept) == 1 and not name and named(header[0]).kind is Kind.SIZE:
        if all(quantity(row.cells[kept[0]], Style()) is None for row in grid.sample()):
            name, header = header[0], ["row"]
    sample = [[quantity(row.cells[k], Style()) for k in sizes] for row in grid.sample()]
    ones = [all(q is None or q.number == 1 for q in of) for of in zip(*sample, strict=True)]
    is_ratio = any(ones) and not all(ones)  # to the one that is 1 throughout
    stem = grid.header[next(iter(sizes))]
    said = next((w for w in re.findall(r"[a-z]+", stem.lower()) if named(w).kind in _RATES), "")
    value = said or ("speedup" if is_ratio else "value")

    def rows(rows: Iterator[Row]) -> Iterator[Row]:
        for row in rows:
            own = [row.cells[k] for k in kept]
            for k, size in sizes.items():
                yield Row(row.where, row.line, [*own, size, row.cells[k]])

    found = grid.with_rows([*header, name or "column", value], rows)
    seems = "ratios" if is_ratio else "times"
    note = f"{name or 'column'} is in the names of {len(sizes)} columns"
    return replace(found, notes=(*grid.notes, note if said else f"{note}, {seems} as it seems"))


def _sizes(header: Sequence[str]) -> tuple[dict[int, str], str]:
    """The columns that are named by a size, and it, and the name of all these sizes."""
    style = Style()
    bare = {k: name for k, name in enumerate(header) if quantity(name, style) is not None}
    found = {
        k: m
        for k, name in enumerate(header)
        if (m := _SIZE_NAMED.fullmatch(name.strip()))
        and not named(name).statistic
        and not NAMELESS.fullmatch(name)
    }
    stems = {k: (m[1].strip(), m[3].strip().removesuffix("s")) for k, m in found.items()}
    if not stems:
        return bare, ""
    (usual, _), *_ = Counter(stems.values()).most_common(1)
    found = {k: m for k, m in found.items() if stems[k] == usual}
    before, behind = usual[0], max((m[3].strip() for m in found.values()), key=len)
    numbers = [m[2] for m in found.values()]
    counts = numbers in ([str(k) for k in range(first, first + len(numbers))] for first in (0, 1))
    rest = re.sub(r"\(.*?\)", "", behind).split()
    name = rest[0] if rest else re.split(r"[ _]", before.rstrip("=:_- "))[-1]
    is_size = "=" in before or (bool(rest) and named(name).kind is Kind.SIZE)
    rises = len({*numbers}) == len(numbers)
    large = [q.number for n in numbers if (q := quantity(n, style)) is not None]
    # gcc-9 to gcc-12 are no sizes
    is_swept = bool(large) and max(large) >= 2 * min(large) and not counts
    if not name or not rises or len(name) > _LONGEST_SIZE or not (is_size or is_swept):
        return bare, ""
    return dict(zip(found, numbers, strict=True)), name


def with_sizes_from_words(grid: Grid) -> Grid:
    """A table in whose words stands a size, as in lorem_100 and sort/1000/real_time, with a column
    of these sizes; any other table as it is.

    Three of four words must be the same but for one number, which takes three values or more that
    are no numbers of tests (1, 2, 3), and is in no other column.
    """
    sample = grid.sample()
    columns = list(zip(*(row.cells for row in sample), strict=True))
    for k, column in enumerate(columns):
        parts = [part for cell in column if (part := _parted(cell)) is not None]
        if 4 * len(parts) < 3 * len(column) or (place := _varying(parts)) is None:
            continue
        own = [numbers[place] for _, numbers in parts]
        if not any([cell.strip() for cell in column] == own for column in columns):
            return _with_column(grid, k, _InWords.of(column, place, len(parts[0][1])))
    return grid


def _varying(parts: Sequence[tuple[str, tuple[str, ...]]]) -> int | None:
    """The one place of a number that is swept in words that are the same but for it; None where
    none is."""
    places = {len(numbers) for _, numbers in parts}
    if len(places) != 1:
        return None
    swept = [k for k in range(places.pop()) if len({of[k] for _, of in parts}) > 1]
    if len(swept) != 1:
        return None
    stems: dict[str, set[str]] = {}
    for stem, of in parts:
        stems.setdefault(stem, set()).add(of[swept[0]])
    numbers = sorted({int(n) for of in stems.values() for n in of})
    is_swept = len(numbers) > 2 and numbers[-1] >= 2 * max(1, numbers[0])
    counts = is_swept and numbers[-1] - numbers[0] == len(numbers) - 1
    grown = sum(len(of) > 1 for of in stems.values())
    return swept[0] if is_swept and not counts and 2 * grown >= len(stems) else None


def _parted(text: str) -> tuple[str, tuple[str, ...]] | None:
    """A word without the numbers in it, and the numbers; None where it holds none."""
    text = text.strip()
    is_number = quantity(text, Style()) is not None or _SIDES.fullmatch(text)
    if is_number or text.count(" ") > _MOST_BLANKS or _NO_COUNT.search(text):
        return None
    found = list(_ISOLATED.finditer(text)) or list(_ATTACHED.finditer(text))
    if not found:
        return None
    ends = [(0, 0), *((m.start(), m.end()) for m in found), (len(text), len(text))]
    pieces = [text[a[1] : b[0]] for a, b in pairwise(ends)]
    return "\0".join(pieces), tuple(m[0] for m in found)


@dataclass(frozen=True)
class _InWords:
    """Where the size stands among the numbers of a word, of which each has so many; is_plain: words
    without it are told apart without what separated it from them."""

    place: int
    numbers: int
    is_plain: bool = True

    @classmethod
    def of(cls, words: Sequence[str], place: int, numbers: int) -> _InWords:
        """For the words of a sample."""
        plain, whole = cls(place, numbers), cls(place, numbers, is_plain=False)
        stems = [{way.split(word)[0] for word in words} for way in (plain, whole)]
        return plain if len(stems[0]) == len(stems[1]) else whole

    def split(self, text: str) -> tuple[str, str]:
        """A word without the size, and the size; the word itself where it has none."""
        found = _parted(text)
        if found is None or len(found[1]) != self.numbers:
            return text, ""
        (pieces, numbers), place = (found[0].split("\0"), found[1]), self.place
        before = "".join(f"{p}{n}" for p, n in zip(pieces, numbers[:place], strict=False))
        before += pieces[place]
        after = pieces[place + 1] + "".join(
            f"{n}{p}" for n, p in zip(numbers[place + 1 :], pieces[place + 2 :], strict=True)
        )
        if not self.is_plain:
            return f"{before}#{after}", numbers[place]
        before, after = before.rstrip(_SEPARATING), after.lstrip(_SEPARATING)
        return f"{before}{'/' if before and after else ''}{after}", numbers[place]


_SEPARATING = "_-/=: ."


def _with_column(grid: Grid, k: int, where: _InWords) -> Grid:
    def rows(rows: Iterator[Row]) -> Iterator[Row]:
        for row in rows:
            stem, number = where.split(row.cells[k])
            yield Row(row.where, row.line, [*row.cells[:k], stem, *row.cells[k + 1 :], number])

    name = next(n for n in ("n", "size", "n_in_name") if n not in grid.header)
    found = grid.with_rows([*grid.header, name], rows)
    return replace(found, notes=(*grid.notes, f"{name} is the number in {grid.header[k]}"))
