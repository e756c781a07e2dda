"""looplaw plot: pictures of kernels, from studies and from measurements."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from looplaw.report.pictures.machine import draw_machine
from runtime.machine.description import Curve
from tests.command_line import looplaw
from tests.lazily import needs
from tests.looplaw.study_example import example_study
from tests.runtime.machine.made_up import made_up_machine

pytestmark = needs("matplotlib", reason="plots were not drawn: install looplaw[plot]")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "study.json").write_text(json.dumps(example_study()))
    lines = [
        {
            "params": {"n": n, "p": p},
            "callpath": "main->solve",
            "metric": "time",
            "value": 1e-6 * n * n / p,
        }
        for n in (8, 16, 32, 64, 128)
        for p in (1, 2, 4, 8, 16)
    ]
    (tmp_path / "m.jsonl").write_text("".join(json.dumps(x) + "\n" for x in lines))
    return tmp_path


def words_of(picture: Path) -> set[str]:
    texts = ElementTree.parse(picture).getroot().itertext()
    return {text.strip() for text in texts if text.strip()}


def test_the_curves_of_a_machine(tmp_path: Path) -> None:
    machine, branch = made_up_machine(), "ns/branch"
    draw_machine(machine, tmp_path / "loads.svg")
    branches = Curve((512, 8192, 1 << 18), (0.6, 0.7, 3.9))
    draw_machine(replace(machine, branches=branches), tmp_path / "all.svg")
    loads, both = words_of(tmp_path / "loads.svg"), words_of(tmp_path / "all.svg")
    assert {"dependent load", "line read", "L1", "working set, bytes"} <= loads & both
    assert branch in both - loads


def test_a_kernel_of_a_study_as_svg(folder: Path) -> None:
    done = looplaw(
        "plot", "study.json", "stencil.c:21", "--out", "a.svg", "--over", "steps", cwd=folder
    )
    assert done.returncode == 0, done.stderr
    words = words_of(folder / "a.svg")
    assert "steps   (n = 256)" in words
    assert {
        "90 % interval",
        "model",
        "measured (median)",
        "time, s",
        "kernels/stencil.c:21:3",
    } <= words
    first = (folder / "a.svg").read_bytes()
    looplaw("plot", "study.json", "stencil.c:21", "--out", "a.svg", "--over", "steps", cwd=folder)
    assert (folder / "a.svg").read_bytes() == first


def test_a_call_path_as_png(folder: Path) -> None:
    done = looplaw("plot", "m.jsonl", "main->solve", "--out", "a.png", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert (folder / "a.png").read_bytes().startswith(b"\x89PNG\r\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("study.json", "nowhere"), "nowhere: no such kernel; measured are kernels/matmul.c:10:3"),
        (
            ("study.json", "kernels"),
            "2 kernels fit: kernels/matmul.c:10:3, kernels/stencil.c:21:3; name one",
        ),
        (("m.jsonl", "main->solve", "--over", "q"), "the parameters are n, p"),
        (("m.jsonl", "main->solve", "--out", "a.bmp"), ".png, .svg, .pdf"),
    ],
)
def test_what_cannot_be_drawn_is_said(words: tuple[str, ...], said: str, folder: Path) -> None:
    done = looplaw("plot", *words, cwd=folder)
    assert done.returncode in (2, 3)
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_speedup_and_efficiency(folder: Path) -> None:
    for option, ratio in (
        ("--speedup", "speed-up"),
        ("--parallel-efficiency", "parallel efficiency"),
    ):
        done = looplaw(
            "plot", "m.jsonl", "main->solve", option, "--out", f"{ratio}.svg", cwd=folder
        )
        assert done.returncode == 0, done.stderr
        assert {"p   (n = 128)", ratio, "ideal"} <= words_of(folder / f"{ratio}.svg")
    wrong = looplaw("plot", "study.json", "stencil.c:21", "--speedup", cwd=folder)
    assert "say --over p if p is one" in wrong.stderr


def test_a_study_alone_is_its_whole_run(folder: Path) -> None:
    done = looplaw("plot", "study.json", "--over", "n", "--out", "run.svg", cwd=folder)
    assert done.returncode == 0, done.stderr
    words = words_of(folder / "run.svg")
    assert {"CPU time [s]", "n   (steps = 40)", "model", "measured (median)", "64", "256"} <= words
    assert any(word.endswith(": whole run") for word in words)


def test_columns_of_a_table_share_a_picture(tmp_path: Path) -> None:
    rows = "".join(f"{n},{n * n},{9 * n}\n" for n in (8, 16, 32, 64, 128, 256))
    (tmp_path / "t.csv").write_text("n,old [ms],new [ms]\n" + rows)
    done = looplaw("plot", "t.csv", "--out", "t.svg", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert {"old [ms]", "new [ms]", "ms", "n", "t.csv"} <= words_of(tmp_path / "t.svg")
