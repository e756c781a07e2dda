"""Locks of runs: whose lock is respected, and when it is taken over."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from runtime import RunError
from runtime.sweep.run_locks import Owner, RunLocks
from tests.runtime.sweep.test_crashes import file_limit

HOUR_S = 3600.0


def this(timeout_s: float | None = None) -> Owner:
    return Owner.this(Path("cells"), timeout_s)


def elsewhere(timeout_s: float | None = None, job: str = "", restart: str = "") -> Owner:
    """A process on another machine."""
    return replace(this(timeout_s), machine="elsewhere", job=job, restart=restart)


def held_by(owner: Owner, folder: Path, age_s: float = 0.0) -> None:
    assert RunLocks(folder, owner).acquire("k")
    before = time.time() - age_s
    os.utime(folder / "k.0", (before, before))


def names(folder: Path) -> list[str]:
    return sorted(p.name for p in folder.iterdir())


def test_a_lock_is_held_until_it_is_released(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "locks"
    one, other = RunLocks(folder, this()), RunLocks(folder, this())
    assert one.acquire("k")
    assert not other.acquire("k")
    assert other.acquire("another")
    one.release("k")
    assert names(folder) == ["another.0"]
    assert other.acquire("k")


def test_others_may_read_a_lock_but_not_write_it(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        held_by(this(), tmp_path)
    finally:
        os.umask(before)
    assert (tmp_path / "k.0").stat().st_mode & 0o777 == 0o644


def test_locks_that_someone_removed_are_released_without_complaint(tmp_path: Path) -> None:
    locks = RunLocks(tmp_path, this())
    assert locks.acquire("k")
    (tmp_path / "k.0").unlink()
    locks.release("k")


def test_the_lock_of_an_ended_process_is_taken_over_by_one_of_many(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        pass
    held_by(replace(this(), pid=process.pid, start="1"), tmp_path)
    one, other = RunLocks(tmp_path, this()), RunLocks(tmp_path, this())
    assert one.acquire("k")
    assert not other.acquire("k")
    assert names(tmp_path) == ["k.0", "k.1"]
    one.release("k")
    assert names(tmp_path) == []


def test_who_comes_second_has_no_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process creates the file after this one has seen that there is none."""
    opened = os.open

    def second(path: Path, *rest: int) -> int:
        path.write_text(json.dumps(asdict(this())))
        return opened(path, *rest)

    locks = RunLocks(tmp_path, this())
    monkeypatch.setattr(os, "open", second)
    assert not locks.acquire("k")
    monkeypatch.undo()
    assert names(tmp_path) == ["k.0"]
    assert not locks.acquire("k")


def test_of_several_owners_the_last_counts(tmp_path: Path) -> None:
    for number in range(3):
        ended = RunLocks(tmp_path, replace(this(), start=f"{number}"))
        assert ended.acquire("k")
        assert f"k.{number}" in names(tmp_path)
    assert RunLocks(tmp_path, this()).acquire("k")
    assert not RunLocks(tmp_path, this()).acquire("k")


def test_a_process_that_got_the_number_of_an_ended_one_holds_nothing(tmp_path: Path) -> None:
    held_by(replace(this(), start="1"), tmp_path)
    assert RunLocks(tmp_path, this()).acquire("k")


def test_a_process_that_nobody_waited_for_has_ended(tmp_path: Path) -> None:
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as process:
        assert process.stdin
        stat = Path(f"/proc/{process.pid}/stat")
        start = stat.read_text().rpartition(")")[2].split()[19]
        held_by(replace(this(), pid=process.pid, start=start), tmp_path)
        assert not RunLocks(tmp_path, this()).acquire("k")
        process.stdin.close()
        while stat.read_text().rpartition(")")[2].split()[0] != "Z":
            pass
        assert RunLocks(tmp_path, this()).acquire("k")


def test_the_start_of_a_process_is_that_of_the_kernel() -> None:
    """In ticks since boot; by a process that is started between two looks at that clock."""
    ticks = os.sysconf("SC_CLK_TCK")
    told, tell = os.pipe()
    before = time.clock_gettime(time.CLOCK_BOOTTIME)
    child = os.fork()
    if child == 0:
        os.write(tell, this().start.encode())
        os._exit(0)
    after = time.clock_gettime(time.CLOCK_BOOTTIME)
    start = int(os.read(told, 99)) / ticks
    os.waitpid(child, 0)
    os.close(told)
    os.close(tell)
    assert before - 1 <= start <= after + 1


@pytest.mark.parametrize(
    ("timeout_s", "age_s", "is_taken"),
    [
        (None, 1000 * HOUR_S, False),
        (HOUR_S, 0.0, False),
        (HOUR_S, HOUR_S + 1, False),
        (HOUR_S, HOUR_S + 600, True),
    ],
)
def test_a_lock_of_another_machine_lasts_as_long_as_its_run_may(
    tmp_path: Path, timeout_s: float | None, age_s: float, is_taken: bool
) -> None:
    """Starting, ending and writing take a while beyond the time limit of the run."""
    held_by(elsewhere(timeout_s), tmp_path, age_s)
    assert RunLocks(tmp_path, this()).acquire("k") == is_taken
    assert not list(tmp_path.glob(".now*"))


def test_a_lock_says_how_long_it_may_last(tmp_path: Path) -> None:
    held_by(this(50.0), tmp_path)
    written = json.loads((tmp_path / "k.0").read_text())
    assert written == asdict(this(50.0))
    assert 50 < written["lasts_s"] < 50 + HOUR_S


@pytest.mark.parametrize("text", ["", "{", "[]", '{"machine": "x"}', "[" * 4096])
def test_a_lock_whose_owner_died_while_it_was_written(tmp_path: Path, text: str) -> None:
    (tmp_path / "k.0").write_text(text)
    assert not RunLocks(tmp_path, this()).acquire("k"), "its owner may be about to write it"
    before = time.time() - 60
    os.utime(tmp_path / "k.0", (before, before))
    assert RunLocks(tmp_path, this()).acquire("k")


JOBS: Sequence[tuple[str, str, str, str, list[str], bool]] = [
    # the owner's job and restart, those of the process that asks, jobs that are over
    ("", "", "", "", [], False),
    ("", "", "", "", ["7"], False),
    ("", "0", "", "1", ["", "7"], False),
    ("7", "0", "8", "0", [], False),
    ("7", "0", "8", "1", [], False),
    ("7", "0", "8", "0", ["8"], False),
    ("7", "0", "8", "0", ["7"], True),
    ("7_3", "0", "8", "0", ["7_3"], True),
    ("7_3", "0", "8", "0", ["7_4"], False),
    ("7_3", "0", "8", "0", ["7"], True),
    ("7_3", "0", "8", "0", ["3"], False),
    ("7", "0", "7", "0", [], False),
    ("7", "0", "7", "1", [], True),
    ("7_3", "0", "7_3", "1", [], True),
    ("7_3", "0", "7_4", "1", [], False),
]


@pytest.mark.parametrize(("job", "restart", "asks", "its_restart", "over", "is_taken"), JOBS)
def test_a_lock_of_another_machine_ends_with_its_slurm_job(
    tmp_path: Path,
    job: str,
    restart: str,
    asks: str,
    its_restart: str,
    over: list[str],
    is_taken: bool,
) -> None:
    """With the job, with its task of an array, with the whole array, or when the job that asks is
    the same one, started again."""
    held_by(elsewhere(HOUR_S, job, restart), tmp_path)
    asking = replace(this(), job=asks, restart=its_restart)
    assert RunLocks(tmp_path, asking, frozenset(over)).acquire("k") == is_taken


def test_a_lock_that_cannot_be_written_is_no_lock(tmp_path: Path) -> None:
    with file_limit(0), pytest.raises(RunError, match=r"k\.0: cannot be written: File too large"):
        RunLocks(tmp_path, this()).acquire("k")
    assert names(tmp_path) == []
    assert RunLocks(tmp_path, this()).acquire("k")
