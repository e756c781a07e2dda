"""Tables of studies, analyses and models: complete in every format, whatever the data say."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import Any

import pytest

from looplaw.report.analysis_tables import analysis_table, functions_table
from looplaw.report.grid import FORMATS, Column, Table, render, shorten
from looplaw.report.model_tables import models_table
from looplaw.report.study_tables import study_table
from looplaw_common.documents import convert
from modeling import DataError
from modeling.pmnf.documents import ModelsDocument
from tests.looplaw.study_example import example_study, typed, typed_analysis

Json = dict[str, Any]


def analysis(*, hostile: bool = True) -> Json:
    study: Json = example_study(hostile=hostile)
    return {
        "format": "looplaw-analysis/1",
        "entry": "main",
        "library": [{"at": "lib.h:1:1"}],
        "notes": ["g: a cycle with several entries is not counted"],
        "parameters": study["parameters"],
        "loops": study["loops"],
        "functions": study["functions"],
    }


def models() -> Json:
    study: Json = example_study(hostile=True)
    return {
        "format": "looplaw-models/1",
        "models": [
            m
            for loop in study["loops"]
            for m in (loop["time_model"], loop["iterations_model"])
            if m
        ],
    }


def tables() -> dict[str, Table]:
    return {
        "study": study_table(typed(example_study(hostile=True, miscounted=True))),
        "analysis": analysis_table(typed_analysis(analysis())),
        "models": models_table(convert(models(), ModelsDocument, "models")),
        "functions": functions_table(typed_analysis(analysis())),
    }


@pytest.mark.parametrize("name", ["study", "analysis", "models", "functions"])
@pytest.mark.parametrize("width", [60, 80, 132])
def test_text_fits_the_terminal(name: str, width: int) -> None:
    text = render(tables()[name], width=width, color=False)
    assert max(len(line) for line in text.split("\n")) <= width
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028]", text)


def test_what_is_wrong_with_many_models_is_said_once() -> None:
    one = models()["models"][0] | {"identifiable": False, "reason": "vary a parameter"}
    many = [one | {"callpath": f"f{k}", "metric": "time", "notes": []} for k in range(5)]
    table = models_table(convert(models() | {"models": many}, ModelsDocument, "models"))
    why = "not identifiable from these points: vary a parameter"
    assert table.note[:1] == (f"f0, time, and 4 more: {why}",)
    assert sum(why in note for note in table.note) == 1


@pytest.mark.parametrize("name", ["study", "analysis", "models", "functions"])
def test_data_formats_parse_and_agree(name: str) -> None:
    table = tables()[name]
    objects = json.loads(render(table, "json"))
    rows = list(csv.DictReader(io.StringIO(render(table, "csv"))))
    assert len(objects) == len(rows) == len(table.rows)
    for a, b in zip(objects, rows, strict=True):
        assert a.keys() == b.keys()
        assert all(
            (v is None and b[k] == "") or isinstance(v, bool | float) or str(v) == b[k]
            for k, v in a.items()
        )


@pytest.mark.parametrize("name", ["study", "analysis", "models", "functions"])
def test_markdown_keeps_its_columns(name: str) -> None:
    table = tables()[name]
    lines = render(table, "markdown").split("\n")[: len(table.rows) + 2]
    cells = {len(re.findall(r"(?<!\\)\|", line)) for line in lines}
    assert cells == {len(table.columns) + 1}
    assert not any("<script" in re.sub(r"(`+).*?\1", "", line) for line in lines)


@pytest.mark.parametrize("name", ["study", "analysis", "models", "functions"])
def test_latex_escapes(name: str) -> None:
    table = tables()[name]
    text = render(table, "latex")
    body = text[text.index(r"\midrule") : text.index(r"\bottomrule")].split("\n")[1:-1]
    assert len(body) == len(table.rows)
    for line in body:
        outside = re.sub(r"\\begin\{cases\}.*?\\end\{cases\}", "", line)
        assert len(re.findall(r"(?<!\\)&", outside)) == len(table.columns) - 1
    assert not re.search(r"(?<!\\)[%#]", "\n".join(body))
    assert "**" not in body[0]


def test_study_table_says_what_matters() -> None:
    text = render(study_table(typed(example_study(miscounted=True))), color=False)
    for word in (
        "matmul.c:12:7",
        "n**3",
        "yes 15/15",
        "no 6/15",
        "in 15/15",
        "exceeds",
        "by n**(1/2)",
        "param.",
        "wrong.c:7:3 miscounted: counted 65 where 64 were predicted",
        "14 loops: 11 with an exact law, 10 counted exactly as predicted, 1 miscounted;",
        "47 runs, 2 failed.",
    ):
        assert word in text, word
    assert "\n  …/matmul.c:11:5" in text  # nesting is indentation
    assert "\n    …matmul.c:12:7" in text


def test_analysis_table_gives_reasons() -> None:
    text = " ".join(
        render(
            analysis_table(typed_analysis(analysis(hostile=False))), width=200, color=False
        ).split()
    )
    for words in (
        "the test a[j - 1] > a[j] depends on data",
        "1 loop in library headers not shown",
        "g: a cycle with several entries is not counted",
        "Parameters: n = argv[1]",
    ):
        assert words in text


def test_what_a_named_count_cannot_exceed_is_told() -> None:
    document = analysis(hostile=False)
    loop = next(row for row in document["loops"] if row["total"]["kind"] == "parametric")
    loop["total"] |= {"lower": "0", "upper": "n*(n - 1)/2", "reason": "its end depends on data"}
    document["loops"] = [loop]
    shown = render(analysis_table(typed_analysis(document)), width=200, color=False)
    assert "at most n*(n - 1)/2" in shown
    assert "its end depends on data" in shown
    loop["total"]["upper"] = "oo"
    assert "at most" not in render(analysis_table(typed_analysis(document)), color=False)


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ("f", "* if f returns"),
        ("f g", "* if f and g return"),
        ("f g h", "* if f, g and h return"),
        ("f g h i j", "* if f, g, h and 2 more functions return"),
        ("_FortranAAssign _FortranAioEndIoStatement", "* if Fortran's library returns"),
        ("_FortranAAssign f", "* if Fortran's library and f return"),
    ],
)
def test_functions_that_are_taken_to_return_are_named_together(names: str, said: str) -> None:
    document = analysis(hostile=False)
    loop = next(row for row in document["loops"] if row["total"]["kind"] == "exact")
    texts = [*(f"{name} returns" for name in names.split()), "no exception is thrown"]
    loop["total"]["assumptions"] = texts
    document["loops"] = [loop]
    shown = render(analysis_table(typed_analysis(document)), width=200, color=False)
    assert f"{said}; no exception is thrown\n" in shown


def test_colour_only_where_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    table = study_table(typed(example_study()))
    monkeypatch.delenv("NO_COLOR", raising=False)
    plain, colored = render(table, color=False), render(table, color=True)
    assert "\x1b[" not in plain
    assert "\x1b[32m" in colored
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored).split() == plain.split()
    assert render(table) == plain  # stdout of a test is no terminal
    monkeypatch.setenv("NO_COLOR", "1")
    assert render(table, color=True) == plain


def test_markup_of_rich_is_not_interpreted() -> None:
    text = render(Table(("a",), (("[bold]x[/bold] :smile: \x1b[31m",),)), color=True)
    assert "[bold]x[/bold] :smile: \\x1b[31m" in text


def test_plain_names_make_columns() -> None:
    rows = ((3, "because of a rather long story that goes on"), (True, None))
    table = Table(("size", "why"), rows, ("why",), "the end")
    text = render(table, width=30, color=False)
    assert text.split("\n")[-1] == "the end"
    assert max(map(len, text.split("\n"))) <= 30
    assert json.loads(render(table, "json")) == [
        {"size": 3, "why": "because of a rather long story that goes on"},
        {"size": True, "why": None},
    ]
    with pytest.raises(ValueError, match="has not 2 cells"):
        Table(("a", "b"), ((1,),))
    with pytest.raises(DataError, match="text, json, csv, markdown, latex"):
        render(table, "yaml")
    assert set(FORMATS) == {"text", "json", "csv", "markdown", "latex"}


def test_empty_table() -> None:
    for form in FORMATS:
        assert render(Table((Column("a", "a"),), ()), form)


@pytest.mark.parametrize(
    ("path", "width", "short"),
    [
        ("a.c:1:2", 10, "a.c:1:2"),
        ("kernels/matmul.c:10:3", 18, "…/matmul.c:10:3"),
        ("kernels/dense/matmul.c:10:3", 22, "kernels…/matmul.c:10:3"),
        ("  kernels/matmul.c:10:3", 18, "  …/matmul.c:10:3"),
        ("a_very_long_name.c:10:3", 12, "…name.c:10:3"),
        ("main->solve->relax", 14, "main->so…relax"),
    ],
)
def test_paths_lose_their_middle(path: str, width: int, short: str) -> None:
    assert shorten(path, width) == short
    assert len(short) <= width
