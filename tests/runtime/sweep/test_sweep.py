"""What a sweep makes, what it leaves to others, and when it stops; runs are made up."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import runtime.sweep.sweep
from runtime import Budget, Experiment, RunRecord, Store, run_sweep
from runtime.launch.run import RunResult
from runtime.sweep.run_locks import Owner, RunLocks
from runtime.sweep.schedule import Listed
from runtime.sweep.sweep import experiment_key

POINTS = [Experiment({"n": n}, (str(n),)) for n in range(4)]


class Programs:
    """In place of `run`: programs that end at once, with the status that is set for their n."""

    def __init__(self) -> None:
        self.made: list[int] = []
        self.cells: list[Path] = []
        self.status: Mapping[int, str] = {}

    def __call__(self, argv: Sequence[str], *, cells: Path, **_: Any) -> RunResult:
        n = int(argv[-1])
        self.made.append(n)
        self.cells.append(cells)
        assert cells.parent.is_dir()
        return RunResult(self.status.get(n, "ok"), 0, "", "", 0.1, 0.1, None)


@pytest.fixture
def programs(monkeypatch: pytest.MonkeyPatch) -> Programs:
    found = Programs()
    monkeypatch.setattr(runtime.sweep.sweep, "run", found)
    return found


def sweep(
    folder: Path, points: Sequence[Experiment] = POINTS, **options: Any
) -> list[tuple[RunRecord, bool]]:
    schedule = Listed(points, seed=7)
    return list(run_sweep(Path("a.out"), schedule, Store(folder), identity="i", **options))


def ns(found: Sequence[tuple[RunRecord, bool]]) -> list[tuple[int, bool]]:
    return [(r.params["n"], made) for r, made in found]


def test_each_run_is_made_once_and_kept_with_its_place_in_the_order(
    tmp_path: Path, programs: Programs
) -> None:
    assert ns(sweep(tmp_path)) == [(n, True) for n in range(4)]
    kept = sorted(Store(tmp_path).load().values(), key=lambda r: r.params["n"])
    assert [(r.order, r.seed, r.status) for r in kept] == [(n, 7, "ok") for n in range(4)]
    assert all(r.environment and r.program and r.started for r in kept)
    assert ns(sweep(tmp_path)) == [(n, False) for n in range(4)]
    assert programs.made == [0, 1, 2, 3]
    assert not list((tmp_path / "locks").iterdir())


def test_failed_runs_are_made_again_the_others_are_not(tmp_path: Path, programs: Programs) -> None:
    programs.status = {1: "failed", 2: "timeout"}
    assert [r.ok for r, _ in sweep(tmp_path)] == [True, False, False, True]
    programs.status = {}
    assert ns(sweep(tmp_path)) == [(0, False), (1, True), (2, True), (3, False)]
    assert all(r.ok for r in Store(tmp_path).load().values())


@pytest.mark.parametrize("runs", [0, 1, 3, 4, 5])
def test_a_number_of_runs_is_not_exceeded(tmp_path: Path, programs: Programs, runs: int) -> None:
    sweep(tmp_path, POINTS[2:3])
    budget = Budget(runs=runs)
    found = sweep(tmp_path, POINTS, budget=budget)
    assert sum(made for _, made in found) == budget.made == min(runs, 3)
    assert budget.stopped == (runs < 3)
    assert len(programs.made) == 1 + min(runs, 3)


def test_a_time_is_not_exceeded(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    free, none, some = (Budget(seconds=seconds, started=now) for seconds in (None, 0, 5))
    runs = Budget(seconds=5, runs=2, started=now)
    assert not free.spent
    assert none.is_late, "also where the clock has not moved since"
    assert not some.is_late
    assert not runs.spent
    now += 4
    assert not some.is_late
    now += 2
    assert some.is_late
    assert some.spent
    assert runs.spent, "its time is over, though it may make runs"
    assert not free.spent
    runs = Budget(seconds=5, runs=2, made=2, started=now)
    assert not runs.is_late
    assert runs.spent


class Told(Listed):
    """A schedule that notes which runs it is told of."""

    def __init__(self) -> None:
        super().__init__(POINTS)
        self.told: list[RunRecord] = []

    def add(self, record: RunRecord) -> None:
        self.told.append(record)


def test_a_schedule_is_told_of_every_run(tmp_path: Path, programs: Programs) -> None:
    programs.status = {2: "failed"}
    sweep(tmp_path, POINTS[:2])
    schedule = Told()
    found = list(run_sweep(Path("a.out"), schedule, Store(tmp_path), identity="i"))
    assert schedule.told == [record for record, _ in found]
    assert [r.status for r in schedule.told] == ["ok", "ok", "failed", "ok"]


class Other:
    """Another sweep of the same study that holds locks; when this one sleeps, it goes on."""

    def __init__(self, folder: Path, held: Sequence[int]) -> None:
        self._store = Store(folder)
        self._locks = RunLocks(folder / "locks", Owner.this(Path("cells"), None))
        self._held = list(held)
        self.looks = 0
        for n in held:
            assert self._locks.acquire(experiment_key("i", POINTS[n]))

    def sleep(self, _: float) -> None:
        """Finish one run; it fails if n is 3."""
        self.looks += 1
        n = self._held.pop(0)
        done = RunResult("failed" if n == 3 else "ok", 0, "", "", 0.1, 0.1, None)
        key = experiment_key("i", POINTS[n])
        self._store.append(RunRecord.of(key, {"n": n}, (str(n),), 0, done))
        self._locks.release(key)


def test_runs_that_another_sweep_makes_are_waited_for(
    tmp_path: Path, programs: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After all others; a run that failed there is not repeated here."""
    other = Other(tmp_path, [2, 0, 3])
    monkeypatch.setattr(time, "sleep", other.sleep)
    found = sweep(tmp_path)
    assert ns(found) == [(1, True), (2, False), (0, False), (3, False)]
    assert [r.ok for r, _ in found] == [True, True, True, False]
    assert programs.made == [1]
    assert other.looks == 3


def test_a_run_that_another_sweep_has_just_finished_is_not_repeated(
    tmp_path: Path, programs: Programs
) -> None:
    rounds = run_sweep(Path("a.out"), Listed(POINTS), Store(tmp_path), identity="i")
    assert next(rounds)[1]
    assert ns(sweep(tmp_path, POINTS[1:3])) == [(1, True), (2, True)]
    assert ns(list(rounds)) == [(1, False), (2, False), (3, True)]
    assert programs.made == [0, 1, 2, 3]


def test_runs_of_another_program_are_others(tmp_path: Path, programs: Programs) -> None:
    one = POINTS[1]
    others = [
        replace(one, repetition=1),
        replace(one, launcher=("nice",)),
        replace(one, environment=("env", "A=1")),
        replace(one, argv=("0", "1")),
    ]
    assert all(made for _, made in sweep(tmp_path, [one, *others]))
    assert not any(made for _, made in sweep(tmp_path, [one, *others]))
    assert experiment_key("i", one) != experiment_key("j", one)


@pytest.mark.parametrize(
    ("launcher", "shared", "is_in_the_study"),
    [
        ((), False, False),
        ((), True, False),
        (("mpiexec", "-n", "2"), False, False),
        (("mpiexec", "-n", "2"), True, True),
        (("/usr/bin/srun",), False, True),
        (("sbatch", "--wait"), True, True),
    ],
)
def test_programs_on_other_machines_count_into_a_file_that_both_see(
    tmp_path: Path,
    programs: Programs,
    launcher: tuple[str, ...],
    shared: bool,
    is_in_the_study: bool,
) -> None:
    sweep(tmp_path, [replace(POINTS[0], launcher=launcher)], shared=shared)
    assert programs.cells[0].is_relative_to(tmp_path) == is_in_the_study
    assert not list(tmp_path.glob("scratch-*")), "it is gone afterwards"
