"""looplaw run --launcher slurm: the scripts it prints, the settings it takes, and a real Slurm
where there is one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from looplaw.cli.main import main
from tests.places import ROOT, SAMPLES
from tests.runtime.slurm.one_node import is_installed, one_node, slurm_answers

SAMPLE = SAMPLES / "lu" / "lu.c"
PROGRAM = """#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static volatile long s;
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    char line[64];
    int log = open(getenv("LOG"), O_WRONLY);
    if (write(log, line, sprintf(line, "start %d\\n", n)) < 0) return 2;
    for (int i = 0; i < n; i++) s++;
    while (n == 7 && access(getenv("GATE"), F_OK)) usleep(1000);
    return 0;
}
"""
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


@pytest.fixture(scope="module")
def queue(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, str]]:
    """The variables by which a Slurm is found: one that runs here, else one of our own."""
    if slurm_answers():
        yield {}
        return
    if not is_installed():
        pytest.skip("SLURM ITSELF IS NOT TESTED: sinfo does not answer, nor is Slurm installed")
    with one_node(tmp_path_factory.mktemp("slurm")) as found:
        yield found


def test_a_real_slurm(
    tmp_path: Path, queue: Mapping[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in queue.items():
        monkeypatch.setenv(name, value)
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


def test_a_study_is_killed_and_goes_on_from_its_jobs(
    tmp_path: Path, queue: Mapping[str, str]
) -> None:
    """The program says when it starts; with 7 it waits until the command has been killed."""
    (tmp_path / "p.c").write_text(PROGRAM)
    log, gate = tmp_path / "log", tmp_path / "gate"
    os.mkfifo(log)
    line = [sys.executable, "-m", "looplaw", "study", "p.c", "--vary", "n=4,5,6,7,8"]
    line += ["--repetitions", "1", "--launcher", "slurm", "--slurm", "poll=1s", "--out", "out"]
    environment = {**os.environ, **queue, "LOG": str(log), "GATE": str(gate)}
    environment["PYTHONPATH"] = str(ROOT)
    with os.fdopen(os.open(log, os.O_RDWR), "rb", buffering=0) as said:
        first = subprocess.Popen(line, cwd=tmp_path, env=environment, stderr=subprocess.DEVNULL)
        started = b""
        while b"start 7\n" not in started:
            started += said.read(4096)
        first.kill()
        first.wait()
        gate.touch()
        done = subprocess.run(
            line, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        os.set_blocking(said.fileno(), False)
        started += said.read(1 << 16) or b""
    assert done.returncode == 0, done.stderr
    assert Counter(started.decode().split()) == {"start": 5, **dict.fromkeys("45678", 1)}
    (loop,) = (x for x in studied(tmp_path / "out") if x["source"].startswith("for"))
    assert [c["equal"] for c in loop["counted"]] == [True] * 5
    assert (tmp_path / "out" / "report.html").is_file()


def studied(folder: Path) -> list[dict[str, Any]]:
    """The loops of a study."""
    found: list[dict[str, Any]] = json.loads((folder / "study.json").read_text())["loops"]
    return found
