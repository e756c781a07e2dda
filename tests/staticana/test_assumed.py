"""Assumptions told apart by their words."""

from __future__ import annotations

from pathlib import Path

import pytest

from staticana import analyze, canonical, compile_sources
from staticana.assumed import MOST_OUTSIDE, assumption, beyond_arguments


@pytest.mark.parametrize(
    ("text", "kind", "at", "formula"),
    [
        ("the program is called with 2 arguments", "arguments", None, None),
        ("allocations succeed", "allocation succeeds", None, None),
        ("34 functions outside the program return", "external function", None, None),
        ("34 functions outside the program do not write n", "external function", None, None),
        ("strtol writes only what its arguments point to", "external function", None, None),
        ("p >= 1", "values", None, "p >= 1"),
        ("floor((v + 1)/7) - 7*n >= 0", "values", None, "floor((v + 1)/7) - 7*n >= 0"),
        (
            "Piecewise((300, n >= m + 1), (0, True)) <= 255",
            "values",
            None,
            "Piecewise((300, n >= m + 1), (0, True)) <= 255",
        ),
        ("no exception leaves the loop at b.cc:10:5", "no throw", "b.cc:10:5", None),
        ("no error exit at x/y.c:21:13", "no error exit", "x/y.c:21:13", None),
        (
            "accesses of the loop at x.c:4:5 stay inside their objects",
            "inside objects",
            "x.c:4:5",
            None,
        ),
        ("no wrap-around of values in the loop at y.c:10:5", "no overflow", "y.c:10:5", None),
        ("rows has one value wherever it is used", "aliasing", None, None),
        (
            "offsets read in the loop at samples/cg/cg.c:36:5 do not decrease",
            "order of data",
            "samples/cg/cg.c:36:5",
            None,
        ),
        (
            "nested parallel regions run on one thread each, unless those around them do",
            "threads",
            None,
            None,
        ),
        ("what nobody has said before", "other", None, None),
    ],
)
def test_kinds(text: str, kind: str, at: str | None, formula: str | None) -> None:
    found = assumption(text)
    assert (found.kind, found.at, found.formula) == (kind, at, formula)
    assert bool(beyond_arguments([text])) == (kind != "arguments")


def test_a_count_says_what_it_assumes_in_both_forms(tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    source.write_text(
        "#include <stdlib.h>\nint main(int argc, char **argv) {\n"
        "    int n = atoi(argv[1]), *p = malloc(n * sizeof *p);\n    if (!p) return 1;\n"
        "    for (int i = 0; i < n; i++) p[i] = i;\n    return 0;\n}\n"
    )
    total = analyze(canonical(compile_sources([source]))).loops[0].total
    data = total.to_json()
    assert data["assumptions"] == list(total.assumptions)
    assert [a["text"] for a in data["assumed"]] == list(total.assumptions)  # type: ignore[attr-defined]
    assert "allocation succeeds" in {a["kind"] for a in data["assumed"]}  # type: ignore[attr-defined]


def test_many_functions_outside_are_one_line_of_a_count_and_named_once(tmp_path: Path) -> None:
    def counted(number: int) -> tuple[tuple[str, ...], str]:
        names = [f"outside{k}" for k in range(number)]
        source = tmp_path / "a.c"
        source.write_text(
            "".join(f"void {name}(void);\n" for name in names)
            + "void all(int n) {\n    for (int i = 0; i < n; i++) {"
            + "".join(f" {name}();" for name in names)
            + " }\n}\n"
        )
        found = analyze(canonical(compile_sources([source])), entry="all")
        return found.loops[0].total.assumptions, "\n".join(found.notes)

    few, notes = counted(MOST_OUTSIDE)
    assert {f"outside{k} returns" for k in range(MOST_OUTSIDE)} <= set(few)
    assert "outside" not in notes
    many, notes = counted(MOST_OUTSIDE + 1)
    assert f"{MOST_OUTSIDE + 1} functions outside the program return" in many
    assert len(many) < 4
    assert all(f"outside{k}" in notes for k in range(MOST_OUTSIDE + 1))
