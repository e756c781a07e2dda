"""Sweeps that are killed, that share a study, or that find no room on the disk."""

from __future__ import annotations

import json
import os
import random
import resource
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from runtime import RunError, Store, build_program, plan_all
from staticana import canonical, compile_sources, parse_module
from tests.places import ROOT

RUNS = 30
# Every execution leaves a line in a log of the program's own: the witness of what was run how
# often.
PROGRAM = """#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static volatile long s;
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    for (int i = 0; i < n * 1000; i++) {
        s++;
    }
    char line[32];
    int log = open(getenv("LOG"), O_WRONLY | O_APPEND | O_CREAT, 0644);
    while (n == 1000 && access(getenv("GATE"), F_OK)) {
        usleep(1000);
    }
    return write(log, line, sprintf(line, "%d\\n", n)) < 0;
}
"""


class Study:
    """The program, a store, and the log of executions."""

    def __init__(self, folder: Path, program: Path | None = None) -> None:
        source = folder / "program.c"
        source.write_text(PROGRAM)
        if program is None:
            text = canonical(compile_sources([source]))
            program = build_program(
                text, plan_all(parse_module(text)), folder / "program"
            ).executable
        self.program = program
        self.folder, self.log, self.gate = folder / "out", folder / "log", folder / "gate"

    def start(self, first: int = 1, last: int = RUNS) -> subprocess.Popen[str]:
        words = [
            sys.executable,
            "-m",
            "tests.runtime.sweep.sweeper",
            str(self.program),
            str(self.folder),
            str(first),
            str(last),
        ]
        environment = os.environ | {
            "PYTHONPATH": str(ROOT),
            "LOG": str(self.log),
            "GATE": str(self.gate),
        }
        return subprocess.Popen(
            words,
            cwd=ROOT,
            env=environment,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def executed(self) -> Counter[int]:
        return Counter(map(int, self.log.read_text().split())) if self.log.exists() else Counter()

    def kept(self) -> set[int]:
        """The finished runs, read without the store's help: lines that are JSON."""
        found = set()
        for path in self.folder.glob("runs/*.jsonl"):
            for line in path.read_text().splitlines(keepends=True):
                if line.endswith("\n") and '"run":' in line:
                    found.add(json.loads(line)["run"]["params"]["n"])
        return found


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return Study(tmp_path)


def test_killed_at_random_moments(study: Study) -> None:
    """A finished run is neither lost nor repeated, whenever the sweep is killed."""
    check_kills(study, latest_s=0.03)
    assert all(r.iterations[0] == 1000 * r.params["n"] for r in Store(study.folder).load().values())


@pytest.mark.slow
def test_killed_at_random_moments_within_a_real_program(tmp_path: Path) -> None:
    """n cycles of LULESH: its outermost loop makes n iterations."""
    root = os.environ.get("LULESH")
    if not root:
        pytest.skip("LULESH=DIR names a clone of github.com/LLNL/LULESH")
    text = canonical(compile_sources(sorted(Path(root).glob("lulesh*.cc")), flags=["-DUSE_MPI=0"]))
    plan = plan_all(parse_module(text))
    made = build_program(text, plan, tmp_path / "lulesh", cxx=True).executable
    script = tmp_path / "program"
    script.write_text(f'#!/bin/sh\n"{made}" -s 5 -i "$1" && echo "$1" >> "$LOG"\n')
    script.chmod(0o755)
    study = Study(tmp_path, script)
    check_kills(study, latest_s=0.1)
    cycles = [c.id for c in plan.counters if c.function == "main" and c.nesting == 1]
    assert all(
        r.params["n"] in [r.iterations[k] for k in cycles]
        for r in Store(study.folder).load().values()
    )


def check_kills(study: Study, latest_s: float) -> None:
    """Kill the sweep again and again, up to so long after one of its runs."""
    generator = random.Random()
    seed = generator.getrandbits(32)
    generator.seed(seed)
    kills = 0
    while len(study.kept()) < RUNS - 3 and kills < 8:
        before, executed = study.kept(), study.executed()
        with study.start() as process:
            assert process.stdout
            for _ in range(len(before) + generator.randint(0, 6)):
                process.stdout.readline()
            try:
                process.wait(generator.uniform(0, latest_s))
            except subprocess.TimeoutExpired:
                process.kill()
                kills += 1
        after = study.kept()
        assert before <= after, f"seed {seed}: runs were lost"
        assert all(study.executed()[n] == executed[n] for n in before), (
            f"seed {seed}: runs were repeated"
        )
    with study.start() as process:
        out, errors = process.communicate()
    assert process.returncode == 0, errors
    assert kills >= 3
    assert sorted(int(line.split()[0]) for line in out.splitlines()) == list(range(1, RUNS + 1))
    assert {line.split()[1] for line in out.splitlines()} == {"ok"}
    assert study.kept() == set(range(1, RUNS + 1))
    runs = Store(study.folder).load().values()
    assert sorted(r.params["n"] for r in runs) == list(range(1, RUNS + 1))
    assert sum(study.executed().values()) <= RUNS + kills, (
        f"seed {seed}: more than the run a kill ended was repeated"
    )


def test_two_sweeps_share_a_study(study: Study) -> None:
    with study.start() as one, study.start() as other:
        outs = [process.communicate() for process in (one, other)]
    assert (one.returncode, other.returncode) == (0, 0), outs
    made = [
        [int(line.split()[0]) for line in out.splitlines() if line.endswith("1")] for out, _ in outs
    ]
    seen = [sorted(int(line.split()[0]) for line in out.splitlines()) for out, _ in outs]
    assert seen == [list(range(1, RUNS + 1))] * 2, "each of them sees all runs"
    assert sorted(made[0] + made[1]) == list(range(1, RUNS + 1)), "each run is made by one of them"
    assert study.executed() == Counter(range(1, RUNS + 1))
    assert not list((study.folder / "locks").iterdir())


def test_the_run_of_a_killed_sweep_is_taken_over(study: Study) -> None:
    """While its owner lives nobody touches a run; once it is killed, another sweep ends what is
    left of it and runs it."""
    with study.start(1000, 1000) as owner:
        while not list((study.folder / "locks").glob("*.0")) or not study.log.exists():
            assert owner.poll() is None, owner.stderr and owner.stderr.read()
        with study.start(1000, 1000) as other:
            with pytest.raises(subprocess.TimeoutExpired):
                other.wait(1.5)
            assert len(list((study.folder / "locks").iterdir())) == 1
            owner.kill()
            owner.wait()
            while not list((study.folder / "locks").glob("*.1")):
                assert other.poll() is None, other.stderr and other.stderr.read()
            study.gate.touch()
            out, errors = other.communicate()
    assert out.split() == ["1000", "ok", "1"], errors
    assert study.executed() == Counter([1000]), "the program of the killed sweep was ended"


@contextmanager
def file_limit(nbytes: int) -> Iterator[None]:
    """No file of this process and its children may become larger."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (nbytes, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_no_room_for_a_run(study: Study) -> None:
    """The line that does not fit leaves no trace, and the message says what to do."""
    store = Store(study.folder)
    with study.start(1, 4) as process:
        process.wait()
    record = next(iter(Store(study.folder).load().values()))
    size = 3 * len(json.dumps(vars(record), default=vars)) // 2
    with file_limit(size):
        store.append(record)
        with pytest.raises(
            RunError, match="cannot be written: File too large; finished runs are kept"
        ):
            store.append(record)
    assert store.path.stat().st_size <= size
    assert store.path.read_bytes().endswith(b"}\n")
    store.append(record)
    again = Store(study.folder)
    assert len(again.load()) == 4
    assert again.torn == 0
