"""A sweep: runs of a program over parameter values.

Finished runs are durable and never repeated, so an interrupted sweep goes on where it was. Several
sweeps of one study at the same time share the work (see `run_locks`).
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from looplaw_common.scratch import scratch_folder

from ..launch.run import is_batch, run
from .records import RunRecord
from .run_locks import Owner, RunLocks
from .schedule import Experiment, Schedule
from .store import Store

_PAUSE_S = 0.1
"""Between two looks at the store while other sweeps make all runs that are left."""


@dataclass
class Budget:
    """Time that all runs of a sweep together may take, and how many it may make.

    A sweep starts no run once the budget is `spent`.

    Attributes:
        seconds, runs: None for any.
        made: runs that were made.
        stopped: set by the sweep if the budget has ended it.
    """

    seconds: float | None = None
    runs: int | None = None
    made: int = 0
    started: float = field(default_factory=time.monotonic)
    stopped: bool = False

    @property
    def is_late(self) -> bool:
        """Is its time over?"""
        return self.seconds is not None and time.monotonic() - self.started >= self.seconds

    @property
    def spent(self) -> bool:
        return self.is_late or (self.runs is not None and self.made >= self.runs)


@dataclass(frozen=True)
class Provenance:
    """What is stored beside the runs: the environment, and what the program's counters mean."""

    environment: Mapping[str, Any] = field(default_factory=dict)
    program: Mapping[str, Any] = field(default_factory=lambda: {"counters": []})


def experiment_key(identity: str, experiment: Experiment) -> str:
    """The key of a run: equal for the same program, counters, arguments and repetition.

    Args:
        identity: of the program with its counters.
    """
    words = [*experiment.launcher, *experiment.environment]
    words += [f"<{experiment.stdin}"] if experiment.stdin is not None else []
    words += [f"{file.path}={file.content}" for file in experiment.files]
    text = json.dumps([identity, words, list(experiment.argv), experiment.repetition])
    return hashlib.sha256(text.encode()).hexdigest()[:24]


def run_sweep(
    executable: Path,
    schedule: Schedule,
    store: Store,
    *,
    identity: str,
    timeout_s: float | None = None,
    budget: Budget | None = None,
    provenance: Provenance | None = None,
    on_start: Callable[[Experiment, Path], None] | None = None,
    events: Sequence[str] = (),
    shared: bool = False,
    over: frozenset[str] = frozenset(),
) -> Iterator[tuple[RunRecord, bool]]:
    """Make all runs of a schedule, or as many as the budget allows.

    Runs that succeeded before are not repeated, failed ones are. A failed run does not end the
    sweep. Runs that another sweep of the same store makes meanwhile are yielded as not made here.

    Args:
        executable: the program, instrumented.
        identity: tells the program with its counters and `events` from others; part of the keys.
        timeout_s: longest time of a run.
        provenance: stored once, for all runs.
        on_start: gets the experiment and the file of its counts, which can be followed while the
            program runs.
        events: of `perf.EVENTS`, counted in each run.
        shared: every launcher may start the program on other machines, so that files of counts
            must be on a shared file system.
        over: jobs of Slurm that are known to have ended; their locks are taken over.

    Yields:
        Each finished run, and whether it was made just now.

    Raises:
        RunError: a run cannot be started, or cannot be written to the disk.
    """
    with scratch_folder("run") as local:
        sweep = _Sweep(
            executable,
            schedule,
            store,
            identity,
            timeout_s,
            budget or Budget(),
            provenance or Provenance(),
            on_start,
            local,
            events,
            shared,
            over,
        )
        yield from sweep.rounds()


class _Sweep:
    """The state of a sweep: the finished runs it knows of, and its locks."""

    def __init__(
        self,
        executable: Path,
        schedule: Schedule,
        store: Store,
        identity: str,
        timeout_s: float | None,
        budget: Budget,
        provenance: Provenance,
        on_start: Callable[[Experiment, Path], None] | None,
        local: Path,
        events: Sequence[str],
        shared: bool,
        over: frozenset[str],
    ) -> None:
        self._executable, self._schedule, self._store = executable.resolve(), schedule, store
        self._identity, self._timeout_s, self._budget = identity, timeout_s, budget
        self._provenance, self._on_start, self._local, self._events = (
            provenance,
            on_start,
            local,
            events,
        )
        self._shared = shared
        self._done = {key: r for key, r in store.load().items() if r.ok}
        self._locks = RunLocks(store.folder / "locks", Owner.this(local / "cells", timeout_s), over)
        self._made = 0

    def rounds(self) -> Iterator[tuple[RunRecord, bool]]:
        """All rounds of the schedule."""
        while experiments := self._schedule.next_round():
            waiting = [(e, experiment_key(self._identity, e)) for e in experiments]
            while waiting:
                left = []
                for e, key in waiting:
                    found = self._finished(e, key)
                    if found is None and self._budget.spent:
                        self._budget.stopped = True
                        return
                    found = found or self._make(e, key)
                    if found is None:  # another sweep makes it: look again after the others
                        left.append((e, key))
                    else:
                        self._schedule.add(found[0])
                        yield found
                if len(left) == len(waiting):
                    time.sleep(_PAUSE_S)
                    self._look()
                waiting = left

    def _finished(self, e: Experiment, key: str) -> tuple[RunRecord, bool] | None:
        known = self._done.get(key)
        return None if known is None else (replace(known, params=dict(e.params)), False)

    def _look(self) -> None:
        """Read what other sweeps have finished since; their failed runs are not repeated here."""
        for record in self._store.fresh():
            known = self._done.get(record.key)
            if known is None or not known.ok:
                self._done[record.key] = record

    def _make(self, e: Experiment, key: str) -> tuple[RunRecord, bool] | None:
        """Make a run; None if another sweep is making it. It may also have finished it just now."""
        if not self._locks.acquire(key):
            return None
        try:
            self._look()
            return self._finished(e, key) or (self._run(e, key), True)
        finally:
            self._locks.release(key)

    def _run(self, e: Experiment, key: str) -> RunRecord:
        environment = self._store.describe("environment", self._provenance.environment)
        program = self._store.describe("program", self._provenance.program)
        if is_batch(e.launcher) or (self._shared and e.launcher):
            with scratch_folder("cells", self._store.folder) as shared:
                record = self._counted(e, key, shared / "cells")
        else:
            record = self._counted(e, key, self._local / "cells")
        self._made += 1
        self._budget.made += 1
        record = replace(record, environment=environment, program=program)
        self._store.append(record)
        self._done[key] = record
        return record

    def _counted(self, e: Experiment, key: str, cells: Path) -> RunRecord:
        if self._on_start:
            self._on_start(e, cells)
        started = datetime.now(UTC).isoformat(timespec="milliseconds")
        done = run(
            [*e.environment, str(self._executable), *e.argv],
            timeout_s=self._timeout_s,
            cells=cells,
            launcher=e.launcher,
            ranks=e.ranks,
            events=self._events,
            stdin=e.input,
            files=e.files,
        )
        return replace(
            RunRecord.of(key, e.params, e.argv, e.repetition, done),
            launcher=e.launcher,
            started=started,
            order=self._made,
            seed=self._schedule.seed,
        )
