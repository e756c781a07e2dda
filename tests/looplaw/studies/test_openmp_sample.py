"""The OpenMP sample on one and two threads: what the team counts together is the law."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from looplaw.cli.main import main
from tests.places import SAMPLES

SOURCE = SAMPLES / "openmp" / "triangle.c"


def test_a_team_counts_what_the_formulas_say(tmp_path: Path) -> None:
    done = CliRunner().invoke(
        main,
        [
            "study",
            str(SOURCE),
            "--flag=-fopenmp",
            "--param",
            "p=omp:threads",
            "--vary",
            "n=1,7,30",
            "--vary",
            "k=2,5",
            "--vary",
            "p=1,2",
            "--repetitions",
            "1",
            "--out",
            str(tmp_path / "out"),
        ],
    )
    if done.exit_code == 2 and "OpenMP" in done.stderr:
        pytest.skip(f"THE OPENMP SAMPLE IS NOT TESTED: {done.stderr.splitlines()[-1]}")
    assert done.exit_code == 0, done.output
    loops = json.loads((tmp_path / "out" / "study.json").read_text())["loops"]
    truth = {
        10: lambda n, k, p: sum(1 for _ in range(p) for _ in range(8)),
        14: lambda n, k, p: n,
        15: lambda n, k, p: sum(1 for i in range(n) for _ in range(i + 1)),
        17: lambda n, k, p: sum(k for i in range(n) for _ in range(i + 1)),
    }
    for loop in loops:
        assert (loop["total"]["kind"], loop["obeys"]) == ("exact", "yes")
        count = truth.pop(int(loop["at"].split(":")[-2]), None)
        if count is not None:
            assert len(loop["counted"]) == 12
            assert all(c["iterations"] == count(**c["params"]) for c in loop["counted"])
    assert not truth
