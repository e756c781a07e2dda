"""The layout of tables, and that what they hold can be told from them."""

from __future__ import annotations

import csv
import io
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from looplaw.report.grid import Column, Table, code_span, render, shorten

WORDS = st.text("abc-/.", min_size=1, max_size=12)
NUMBERS = (Column("name", "name", "word"), Column("count", "count", "number"))


def lines(table: Table, width: int = 80) -> list[str]:
    return render(table, width=width, color=False).split("\n")


def test_numbers_stand_at_the_right_in_every_format() -> None:
    table = Table(NUMBERS, (("a", 7), ("long_name", 123456)))
    assert lines(table) == [
        "name        count",
        "─────────  ──────",
        "a               7",
        "long_name  123456",
    ]
    assert render(table, "markdown").split("\n")[1] == "| --- | ---: |"
    assert r"\begin{tabular}{lr}" in render(table, "latex")


@settings(max_examples=30)
@given(st.lists(st.tuples(WORDS, WORDS, WORDS), min_size=1, max_size=4), st.integers(60, 100))
def test_what_fits_is_not_broken(rows: list[tuple[str, str, str]], width: int) -> None:
    """Two blanks between columns, each as wide as its longest word."""
    table = Table(("a", "b", "c"), tuple(rows))
    sizes = [max(len(row[k]) for row in rows) for k in range(3)]
    expected = [
        "  ".join(cell.ljust(size) for cell, size in zip(row, sizes, strict=True)).rstrip()
        for row in [("a", "b", "c"), *rows]
    ]
    expected.insert(1, "  ".join("─" * size for size in sizes))
    assert lines(table, width) == expected


@settings(max_examples=30)
@given(
    st.lists(st.text("ab ", max_size=60), min_size=2, max_size=4),
    st.sampled_from(["text", "formula"]),
    st.integers(30, 80),
)
def test_what_does_not_fit_is_broken_and_all_there(
    cells: list[str], shape: str, width: int
) -> None:
    columns = tuple(Column(f"{k}", f"{k}", shape) for k in range(len(cells)))  # type: ignore[arg-type]
    found = lines(Table(columns, (tuple(cells),)), width)
    assert max(map(len, found)) <= width
    starts = [m.start() for m in re.finditer("─+", found[1])]
    ends = [*(s - 2 for s in starts[1:]), width]
    for cell, start, end in zip(cells, starts, ends, strict=True):
        shown = "".join(line[start:end] for line in found[2:])
        assert shown.replace(" ", "") == cell.replace(" ", "")


def test_widths() -> None:
    long = Table((Column("a", "a", "text"),), (("word " * 60,),))
    assert max(map(len, render(long, color=False).split("\n"))) in range(76, 81)
    assert render(long, width=5, color=False) == render(long, width=20, color=False)
    letters = Table((Column("a", "a", "text"),), (("a " * 60,),))
    assert max(map(len, lines(letters, 5))) in (19, 20), "never less than 20"
    assert max(map(len, render(letters, color=False).split("\n"))) in (79, 80), "of a terminal"
    many = Table(tuple("abcdef"), (("0123456789",) * 6,))
    assert lines(many, 20)[1] == "───  ───  ───  ───  ───  ───", "never less than three"
    assert lines(Table(tuple("ab"), (("0123456789", "01234"),)), 20)[1] == "──────────  ─────"


def test_a_word_of_a_title_is_in_one_piece() -> None:
    columns = (Column("k", "of iterations", "text", 3), Column("l", "l", "text", 3))
    text = lines(Table(columns, (("b c d e f g h i j k", "x y z " * 30),)), 24)
    assert any("iterations" in line for line in text[:3])


def test_names_in_wide_characters_keep_all_of_them() -> None:
    name = "计算内核" * 3
    for shape in ("word", "text", "path", "formula"):
        found = lines(Table((Column("a", "名称", shape), "b"), ((name, "end"),)))  # type: ignore[arg-type]
        assert found[2] == f"{name}  end", shape
        assert cell_len(found[1]) == 24 + 2 + 3
    narrow = lines(Table(("a", "b"), ((name, "x" * 10),)), 20)
    assert "".join(re.findall("[计算内核]", "".join(narrow))) == name
    assert max(map(cell_len, narrow)) <= 20


@pytest.mark.parametrize(
    ("path", "width", "short"),
    [
        ("kernels/matmul.c:10:3", 19, "kern…/matmul.c:10:3"),
        ("kernels/matmul.c:10:3", 20, "kerne…/matmul.c:10:3"),
        (" " * 10 + "matmul.c:1:2", 20, " " * 8 + "matmul.c:1:2"),
        (" " * 10 + "matmul.c:1:2", 22, " " * 10 + "matmul.c:1:2"),
        ("  a/b.c:1:2", 10, "a/b.c:1:2"),
    ],
)
def test_paths_at_the_edges(path: str, width: int, short: str) -> None:
    assert shorten(path, width) == short
    assert len(short) <= width


@given(st.lists(WORDS, min_size=1, max_size=4), st.integers(0, 20), st.integers(14, 60))
def test_a_short_path_has_the_beginning_and_the_end(
    parts: list[str], indent: int, width: int
) -> None:
    path = " " * indent + "/".join(parts)
    found = shorten(path, width)
    assert len(found) <= width
    if len(path) <= width:
        assert found == path
        return
    head, mark, tail = found.strip(" ").partition("…")
    assert path.strip(" ").startswith(head)
    assert path.endswith(tail)
    if mark:
        assert len(found) == width or not head, "as much of it as there is room for"


def spans(text: str) -> list[str]:
    """The code spans of a cell in a Markdown table, by CommonMark 0.31, 6.1, after the table (GFM,
    4.10) has taken its own backslashes away."""
    text = text.replace("\\|", "|")
    found, at = [], 0
    while (opening := re.compile("`+").search(text, at)) is not None:
        ticks = opening[0]
        closing = re.compile(rf"(?<!`){ticks}(?!`)").search(text, opening.end())
        if closing is None:
            return [*found, "unclosed"]
        inner = text[opening.end() : closing.start()]
        if inner[:1] == inner[-1:] == " " and inner.strip(" "):
            inner = inner[1:-1]
        found.append(inner)
        at = closing.end()
    return found


@given(st.text("`ab|*", min_size=1, max_size=12))
def test_code_is_code_whatever_is_in_it(text: str) -> None:
    assert spans(code_span(text)) == [text]


def test_plain_code_is_between_plain_ticks() -> None:
    assert code_span("a->b") == "`a->b`"
    assert code_span("a`b") == "``a`b``"


def test_labels_of_formulas_are_words_in_latex() -> None:
    table = Table((Column("f", "f", "formula"),), (("at least n**2",), ("n**2",), ("by n",)))
    body = render(table, "latex").split("\n")[5:8]
    assert body == [r"at least $n^{2}$ \\", r"$n^{2}$ \\", r"by $n$ \\"]


def test_records_and_missing_cells_in_csv() -> None:
    records = Table(("a", "b"), ((None, False), (1.5, True)))
    table = Table(("shown",), (("x",),), records=records)
    assert list(csv.reader(io.StringIO(render(table, "csv")))) == [
        ["a", "b"],
        ["", "false"],
        ["1.5", "true"],
    ]
    assert "shown" in render(table, color=False)
