"""looplaw run --launcher slurm: the scripts it prints, the settings it takes, and a real Slurm
where there is one."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from looplaw.cli.main import main
from tests.places import SAMPLES

SAMPLE = SAMPLES / "lu" / "lu.c"
STUDY = """program = ["{}"]
[vary]
n = [16, 32]
[run]
launcher = "slurm"
repetitions = 2
timeout = 90
[slurm]
partition = "short"
together = 2
options = ["--exclusive"]
setup = ["module load gcc"]
poll = "1s"
[[slurm.at]]
when = {{n = 32}}
time = "2h"
mem = "{{n}}G"
"""


def looplaw(*line: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in line])


@pytest.fixture
def study(tmp_path: Path) -> Path:
    path = tmp_path / "study.toml"
    path.write_text(STUDY.format(SAMPLE))
    return path


def test_the_scripts_are_printed_and_nothing_else_happens(study: Path, tmp_path: Path) -> None:
    done = looplaw(
        "run", study, "--dry-run", "--out", tmp_path / "out", "--slurm", "partition=long"
    )
    assert done.exit_code == 0, done.output
    scripts = done.stdout.split("#!/bin/bash\n")[1:]
    assert len(scripts) == 2, "runs that ask for more are an array of their own"
    small, large = sorted(scripts, key=lambda text: "--mem" in text)
    for line in ("--array=0-0", "--partition=long", "--exclusive", "--ntasks=1"):
        assert f"#SBATCH {line}\n" in small
        assert f"#SBATCH {line}\n" in large
    assert "#SBATCH --time=0:05:00\n" in small, "two runs of 90 s, and two minutes"
    assert "#SBATCH --time=2:00:00\n" in large
    assert "#SBATCH --mem=32G\n" in large
    assert all("\nmodule load gcc\n" in text for text in scripts)
    assert not (tmp_path / "out").exists()


def test_command_lines_of_other_launchers(tmp_path: Path) -> None:
    done = looplaw(
        "run",
        SAMPLE,
        "--vary",
        "n=16,32",
        "--repetitions",
        1,
        "--launcher",
        "numactl -N 0",
        "--dry-run",
        "--out",
        tmp_path / "out",
    )
    lines = sorted(line.split() for line in done.stdout.splitlines())
    assert [(line[:3], line[4:]) for line in lines] == [
        (["numactl", "-N", "0"], [n]) for n in ("16", "32")
    ]


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("tim=30m", "--slurm: tim: unknown field; did you mean time?"),
        ("time=30", "slurm time 30: write it with a unit"),
        ("retries=-1", "--slurm: retries: expected an integer >= 0, not -1"),
        ("together=x", "--slurm: together: expected an integer"),
        ("mem", "--slurm mem: write NAME=VALUE"),
        ("mem={m}G", "{m} has no values; add --vary m=..."),
    ],
)
def test_settings_that_are_wrong(option: str, message: str, tmp_path: Path) -> None:
    done = looplaw(
        "run",
        SAMPLE,
        "--vary",
        "n=16",
        "--launcher",
        "slurm",
        "--slurm",
        option,
        "--dry-run",
        "--out",
        tmp_path,
    )
    assert done.exit_code == 2
    assert message in " ".join(done.stderr.split())


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("when = {n = 32}", "", "slurm.at[0]: say for which values"),
        ('mem = "', 'memory = "', "slurm.at[0].memory: unknown field; did you mean mem?"),
        ("together = 2", "together = true", "slurm.together: expected an integer"),
    ],
)
def test_study_files_that_are_wrong(study: Path, old: str, new: str, message: str) -> None:
    study.write_text(study.read_text().replace(old, new))
    done = looplaw("run", study, "--dry-run")
    assert done.exit_code == 2
    assert message in " ".join(done.stderr.split())


def slurm_answers() -> bool:
    """Does a Slurm run here? Without its configuration sinfo looks for a minute."""
    try:
        return (
            shutil.which("sinfo") is not None
            and subprocess.run(["sinfo"], capture_output=True, check=False, timeout=5).returncode
            == 0
        )
    except subprocess.TimeoutExpired:
        return False


@pytest.mark.skipif(
    not slurm_answers(), reason="SLURM ITSELF IS NOT TESTED: sinfo does not answer here"
)
def test_a_real_slurm(tmp_path: Path) -> None:
    line = (
        "run",
        SAMPLE,
        "--vary",
        "n=16,32",
        "--repetitions",
        2,
        "--launcher",
        "slurm",
        "--slurm",
        "poll=1s",
        "--out",
        tmp_path / "out",
    )
    done = looplaw(*line)
    assert done.exit_code == 0, done.output
    rows = [json.loads(row) for row in done.stdout.splitlines()]
    found = {
        (r["params"]["n"], r["repetition"]): r["value"]
        for r in rows
        if r["callpath"].endswith(":10:13") and r["metric"] == "iterations"
    }
    assert found == {(n, k): (n - 1) * n * (2 * n - 1) // 6 for n in (16, 32) for k in (0, 1)}
    assert "4 tasks, 4 runs" in done.stderr
    again = looplaw(*line)
    assert "job" not in again.stderr, "nothing is run twice"
    assert sorted(again.stdout.splitlines()) == sorted(done.stdout.splitlines())
