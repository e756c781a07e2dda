"""The benchmark of real programs: programs that a file describes, and laws held against runs."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from benchmarks.static.described import described_program
from benchmarks.static.rows import LoopRow, Row, restored
from benchmarks.static.swept import broken_laws, command_lines
from benchmarks.static.tables import head, line_of, shares

DESCRIPTION = """
root = "src"
[[build]]
sources = ["*.c"]
runs = [["100", "5"]]
[build.sweep]
args = ["{n}", "-t", "{t}"]
vary = {n = [16, 24], t = [2, 3]}
check = [{n = 40, t = 4}]
"""


def test_a_file_describes_a_program(tmp_path: Path) -> None:
    folder = tmp_path / "heat"
    folder.mkdir()
    (folder / "bench.toml").write_text(DESCRIPTION)
    benchmark, root = described_program(folder)
    (build,) = benchmark.builds(root)
    assert (benchmark.variable, root) == ("heat", folder / "src")
    assert (build.unit, build.runs) == ("heat", (("100", "5"),))
    assert build.sweep is not None
    assert build.sweep.vary == {"n": (16, 24), "t": (2, 3)}
    assert command_lines({"args": build.sweep.args, "check": build.sweep.check}) == [
        ["40", "-t", "4"]
    ]


@pytest.mark.parametrize("text", [None, "[[build]]\nsorces = ['a.c']", "root = 3", "="])
def test_a_description_that_says_nothing_is_refused(tmp_path: Path, text: str | None) -> None:
    if text is not None:
        (tmp_path / "bench.toml").write_text(text)
    with pytest.raises(ValueError, match=r"bench\.toml"):
        described_program(tmp_path)


def test_a_law_that_another_run_breaks_is_told() -> None:
    laws = {
        "a.c:1:1": {"kind": "bound", "formula": "n**2", "values": [16]},
        "a.c:2:1": {"kind": "bound", "formula": "n", "values": [4]},
        "a.c:3:1": {"kind": "bound", "formula": "n*k", "values": [None]},
    }
    run = {"good": True, "counts": {"a.c:1:1": 17, "a.c:2:1": 4, "a.c:3:1": 9}}
    assert broken_laws(laws, [run]) == ["law n**2 (bound) at a.c:1:1 gives 16, counted 17"]
    assert broken_laws(laws, [run | {"good": False}]) == []


def test_shares_of_named_and_swept_laws() -> None:
    row = Row()
    loops = [
        LoopRow(kind="exact", executes=True),
        LoopRow(kind="value", executes=True, equal=False),
        LoopRow(kind="data", executes=True, law="bound", law_is_swept=True),
        LoopRow(kind="data", executes=True, law="bound"),
        LoopRow(kind="data", executes=True, law="counted", law_is_swept=True),
        LoopRow(kind="unknown", executes=False),
    ]
    row.loops = {str(k): loop for k, loop in enumerate(loops)}
    found = shares([row])
    assert found["executing"] == 5
    assert [found[k] for k in ("named", "swept", "counted")] == [0.8, 0.4, 0.2]
    assert len(head()) == len(line_of("heat", found))
    written = {**found, **asdict(row), "asked": [], "modelled": [], "missed": []}
    assert restored(json.loads(json.dumps(written))) == row
