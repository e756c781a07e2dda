"""`looplaw study` of kernels: launches at several sizes, counted on this processor."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from looplaw.cli.main import main
from tests.kernels import FOLDER, text_of

_EXAMPLES = Path(__file__).parents[3] / "examples"


def _study(folder: Path, *words: str, code: int = 0) -> tuple[dict[str, Any], str]:
    text_of(FOLDER / "vectors.cl")  # skips where there is no clang
    folder = folder / "new" / "study"
    words = ("study", *words, "--out", str(folder))
    done = CliRunner().invoke(main, words)
    assert done.exit_code == code, done.output
    found = folder / "study.json"
    return json.loads(found.read_text()) if found.is_file() else {}, done.output


def test_launches_follow_the_numbers_that_are_varied(tmp_path: Path) -> None:
    """All laws of a kernel are held against what threads, warps and accesses did."""
    study, _ = _study(tmp_path, str(_EXAMPLES / "rows.cl"), "--vary", "n=30,64,70")
    laws = {loop["at"].rpartition("rows.cl:")[2]: loop for loop in study["loops"]}
    assert [c["iterations"] for c in laws["5:5"]["counted"]] == [900, 4096, 4900]
    assert [c["iterations"] for c in laws["5:5 [depth]"]["counted"]] == [30, 64, 70]
    # 64 threads a block, of which those above n do nothing: warps of 32
    assert [c["iterations"] for c in laws["5:5 [warps]"]["counted"]] == [960, 4096, 6720]
    assert [c["iterations"] for c in laws["6:14 [sectors]"]["counted"]] == [4, 4]
    assert {loop["obeys"] for loop in laws.values()} <= {"yes"}
    assert laws["6:14 [sectors]"]["source"] == "sum[row] = s;"
    models = json.loads((tmp_path / "new/study/models.json").read_text())["models"]
    assert {m["metric"] for m in models} >= {"work", "depth", "warps", "sectors"}
    page = (tmp_path / "new/study/report.html").read_text()
    assert "strided, 32 sectors a warp" in page


def test_launches_of_the_host(tmp_path: Path) -> None:
    study, said = _study(
        tmp_path, str(_EXAMPLES / "steps.cu"), "--vary", "n=100,1000", "--vary", "steps=3"
    )
    assert "grid_x = ceiling(n/256)" in said
    (work,) = (loop for loop in study["loops"] if "[" not in loop["at"])
    assert [c["iterations"] for c in work["counted"]] == [100, 1000]
    assert work["obeys"] == "yes"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "nothing is varied"),
        (("--vary", "m=3"), "--vary n=100"),
        (("--vary", "n=3", "--vary", "m=3"), "the kernels have no parameter m"),
        (("--vary", "n=3", "--param", "grid_x=k+1"), "k has no values"),
        (("--vary", "n=3", "--kernel", "columns"), "the kernels are rows"),
    ],
)
def test_what_is_missing_is_said(words: tuple[str, ...], told: str, tmp_path: Path) -> None:
    _, said = _study(tmp_path, str(_EXAMPLES / "rows.cl"), *words, code=2)
    assert told in said


def test_sizes_as_formulas(tmp_path: Path) -> None:
    """A grid that does not cover the rows is what the law says, too."""
    words = ("--vary", "n=40,100", "--param", "grid_x=1", "--param", "block_x=32")
    study, _ = _study(tmp_path, str(_EXAMPLES / "rows.cl"), *words)
    work = study["loops"][0]
    assert [c["iterations"] for c in work["counted"]] == [32 * 40, 32 * 100]
    assert work["law"]["formula"] == "n*Min(32, n)"
