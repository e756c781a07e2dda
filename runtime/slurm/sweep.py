"""A sweep through Slurm: runs are submitted as job arrays, and again if their tasks end without
them.

The store decides, not the queue. A run is finished when its line is on disk. A task that left the
queue without the lines of its runs was preempted, timed out, or lost with its node; these runs are
submitted again, up to a bound. Runs are locked, so that a task which Slurm starts twice, two
commands on one study, or a command that was restarted make no run twice. Jobs that an earlier
command left in the queue are waited for.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from looplaw_common.errors import RunError
from looplaw_common.files import write_whole

from ..launch.slurm_commands import cancel_waiting, fates, queued, submit
from ..sweep.records import RunRecord
from ..sweep.schedule import Experiment, Schedule
from ..sweep.store import Store
from ..sweep.sweep import Budget, experiment_key
from .job_arrays import Slurm, Work, arrays, batch_of, read_tasks

_MISSED = 2
"""A task is lost when it is missing from the queue for so many polls in a row: its last lines may
reach a network file system after the queue has forgotten it."""
_CANCELLED = "CANCELLED"
_SUBMITTED = "job-"
"""Prefix of the empty file that remembers the number of a submitted job."""
_LOG_BYTES = 4096
"""Of a lost task's log: its end, kept as the run's stderr."""


def known_runs(schedule: Schedule) -> list[Experiment]:
    """The runs of all rounds that do not depend on how earlier rounds end."""
    found = list(schedule.next_round())
    while found and not schedule.waits:
        more = schedule.next_round()
        if not more:
            break
        found += more
    return found


@dataclass(frozen=True)
class _Task:
    """A submitted task of a job array.

    Attributes:
        name: JOB_TASK.
        keys: of the runs it makes.
        log: the file it writes to.
    """

    name: str
    keys: tuple[str, ...]
    log: Path

    @property
    def job(self) -> str:
        return self.name.partition("_")[0]


def run_on_slurm(
    schedule: Schedule,
    store: Store,
    slurm: Slurm,
    work: Work,
    *,
    budget: Budget | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> Iterator[tuple[RunRecord, bool]]:
    """Make all runs of a schedule through Slurm.

    A run that failed in all its submissions is yielded once. When the budget is spent, tasks that
    have not started are cancelled. An interrupt leaves the jobs in the queue; the same command goes
    on with them.

    Args:
        work: what all tasks have in common.
        say: gets a line about each submission, loss, and about jobs left in the queue.

    Yields:
        Each finished run, and whether it was made just now.

    Raises:
        RunError: Slurm rejects a job, or the files of a job cannot be written.
    """
    sweep = _SlurmSweep(work, store, slurm, budget or Budget(), say)
    try:
        while runs := known_runs(schedule):
            for found in sweep.finished(runs):
                schedule.add(found[0])
                yield found
            if sweep.is_cut:
                sweep.budget.stopped = True
            if sweep.budget.stopped:
                return
    except KeyboardInterrupt:
        sweep.left()
        raise


class _SlurmSweep:
    """The state of a sweep: the finished runs it knows of, and the tasks it waits for."""

    def __init__(
        self, work: Work, store: Store, slurm: Slurm, budget: Budget, say: Callable[[str], None]
    ) -> None:
        self._work, self._store, self._slurm, self.budget, self._say = (
            work,
            store,
            slurm,
            budget,
            say,
        )
        self._over: set[str] = set()
        self._cut = False  # the budget allows fewer runs than there are
        self._tasks = self._left_by_others()
        # Read the store after the queue: a task that ends in between would otherwise be in neither.
        self._done = {key: r for key, r in store.load().items() if r.ok}
        self._missed: Counter[str] = Counter()

    @property
    def is_cut(self) -> bool:
        """Were there more runs than the budget allows?"""
        return self._cut

    def _left_by_others(self) -> dict[str, _Task]:
        """Tasks that an earlier command submitted for this study and that are still queued."""
        markers = [
            (marker, marker.name[len(_SUBMITTED) :])
            for marker in self._store.folder.glob(f"slurm/*/{_SUBMITTED}*")
        ]
        waiting = queued() if markers else frozenset()
        if waiting is None:
            raise RunError(
                "squeue does not answer: it is not known whether jobs of this study are still in"
                " the queue"
            )
        found: dict[str, _Task] = {}
        for marker, job in markers:
            tasks = self._tasks_of(read_tasks(marker.parent), job, marker.parent)
            alive = {t.name: t for t in tasks if t.name in waiting}
            found |= alive
            self._over |= {t.name for t in tasks if t.name not in alive} if alive else {job}
        if found:
            self._say(
                f"{len(found)} tasks of jobs {_numbers(found.values())} are still in the queue and"
                " are waited for"
            )
        return found

    def _tasks_of(
        self, tasks: Sequence[Sequence[Experiment]], job: str, folder: Path
    ) -> list[_Task]:
        return [
            _Task(
                f"{job}_{k}",
                tuple(experiment_key(self._work.identity, e) for e in runs),
                folder / f"{job}_{k}.log",
            )
            for k, runs in enumerate(tasks)
        ]

    def finished(self, runs: Sequence[Experiment]) -> Iterator[tuple[RunRecord, bool]]:
        """Yield these runs as they are finished, and whether each was made just now."""
        open_: dict[str, Experiment] = {}
        for e in runs:
            key = experiment_key(self._work.identity, e)
            if key in self._done:
                yield replace(self._done[key], params=dict(e.params)), False
            else:
                open_[key] = e
        attempts: Counter[str] = Counter()
        covered = {key for task in self._tasks.values() for key in task.keys}
        self._submit(self._allowed(open_, covered), 0)
        while open_:
            waiting = queued()
            failed: dict[str, RunRecord] = {}
            for record in self._store.fresh():
                if record.ok:
                    self._done[record.key] = record
                if record.key in open_ and record.ok:
                    yield replace(record, params=dict(open_.pop(record.key).params)), True
                elif record.key in open_:
                    failed[record.key] = record
            if self._stopped(waiting):
                return
            if self.budget.stopped:  # running tasks go on to their end, nothing is submitted again
                time.sleep(self._slurm.poll_s)
                continue
            for key, (record, cancelled) in self._lost(open_, waiting).items():
                if cancelled or attempts[key] >= self._slurm.retries:
                    self._store.append(record)  # no task has written one
                if cancelled:
                    attempts[key] = self._slurm.retries
                failed.setdefault(key, record)
            attempts.update(failed.keys())
            for key in [key for key in failed if attempts[key] > self._slurm.retries]:
                open_.pop(key)
                yield failed.pop(key), True
            if failed:
                self._submit([open_[key] for key in failed], max(attempts[key] for key in failed))
            elif open_:
                time.sleep(self._slurm.poll_s)

    def _allowed(self, open_: dict[str, Experiment], covered: set[str]) -> list[Experiment]:
        """The runs to submit; those that the budget does not allow are taken out of `open_`."""
        wanted = [key for key in open_ if key not in covered]
        budget = self.budget
        left = len(wanted) if budget.runs is None else max(0, budget.runs - budget.made)
        for key in wanted[left:]:
            del open_[key]
            self._cut = True
        budget.made += len(wanted[:left])
        return [open_[key] for key in wanted[:left]]

    def _submit(self, runs: Sequence[Experiment], attempt: int) -> None:
        work = replace(self._work, over=tuple(sorted(self._over)))
        for array in arrays(runs, self._slurm, self._work.timeout_s):
            batch = batch_of(array, self._work.study, self._work.identity, self._slurm, attempt)
            job = submit(batch.write(work))
            write_whole(batch.folder / f"{_SUBMITTED}{job}", "")
            self._tasks |= {t.name: t for t in self._tasks_of(array.tasks, job, batch.folder)}
            self._say(
                f"job {job}: {len(array.tasks)} tasks, {sum(map(len, array.tasks))} runs"
                + (f", submitted again ({attempt} of {self._slurm.retries})" if attempt else "")
            )

    def _lost(
        self, open_: Mapping[str, Experiment], waiting: frozenset[str] | None
    ) -> dict[str, tuple[RunRecord, bool]]:
        """Runs whose tasks ended without them, as failed runs with the state that Slurm reports of
        the task, and whether somebody cancelled it."""
        if waiting is None:
            return {}
        gone: list[_Task] = []
        for name, task in list(self._tasks.items()):
            self._missed[name] = 0 if name in waiting else self._missed[name] + 1
            if self._missed[name] >= _MISSED:
                del self._tasks[name]
                self._over.add(name)
                gone.append(task)
        still = {key for task in self._tasks.values() for key in task.keys}
        lacking = [
            (task, key) for task in gone for key in task.keys if key in open_ and key not in still
        ]
        states = fates(sorted({task.job for task, _ in lacking}))
        found = {}
        for task, key in lacking:
            state = states.get(task.name, "lost, Slurm does not know it any more")
            e = open_[key]
            record = RunRecord(
                key,
                dict(e.params),
                e.argv,
                e.repetition,
                "failed",
                None,
                f"task {task.name} ended without it: {state}",
                _tail(task.log),
                0.0,
                0.0,
                (),
                (),
                (),
                launcher=e.launcher,
                seed=self._work.seed,
            )
            found[key] = record, state == _CANCELLED
        return found

    def _stopped(self, waiting: frozenset[str] | None) -> bool:
        """Is the budget spent, and does no task run any more? Waiting tasks are cancelled."""
        if not self.budget.is_late:
            return False
        if not self.budget.stopped:
            self.budget.stopped = True
            cancel_waiting({task.job for task in self._tasks.values()})
            return False
        return waiting is not None and not waiting & self._tasks.keys()

    def left(self) -> None:
        """Report the jobs that stay in the queue."""
        if self._tasks:
            jobs = _numbers(self._tasks.values())
            self._say(
                f"jobs {jobs} stay in the queue: the same command goes on with them, scancel {jobs}"
                " ends them"
            )


def _numbers(tasks: Iterable[_Task]) -> str:
    return " ".join(sorted({t.job for t in tasks}, key=int))


def _tail(path: Path) -> str:
    try:
        return path.read_bytes()[-_LOG_BYTES:].decode("utf-8", errors="replace")
    except OSError:
        return ""
