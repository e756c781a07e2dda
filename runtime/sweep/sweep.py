"""Runs a program over parameter values; what is finished stays finished, and several sweeps share
the work."""

from __future__ import annotations

import hashlib
import json
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ..build.build import Program
from ..launch.run import is_batch, run
from .records import RunRecord
from .run_locks import Claims, Owner
from .schedule import Experiment, Schedule
from .store import Store

_PAUSE_S = 0.1


@dataclass
class Budget:
    """Time that runs may take in all; `seconds` None for any. A sweep starts no run when it is
    `spent`, and says in `stopped` whether that ended it."""

    seconds: float | None = None
    started: float = field(default_factory=time.monotonic)
    stopped: bool = False

    @property
    def spent(self) -> bool:
        return self.seconds is not None and time.monotonic() - self.started >= self.seconds


@dataclass(frozen=True)
class Provenance:
    """What is written beside the runs: the environment, and what the counters of the program are."""

    environment: Mapping[str, Any] = field(default_factory=dict)
    program: Mapping[str, Any] = field(default_factory=lambda: {"counters": []})


def experiment_key(identity: str, experiment: Experiment) -> str:
    """Identifies a run: same program, same counters, same arguments, same repetition."""
    words = [*experiment.launcher, *experiment.environment]
    text = json.dumps([identity, words, list(experiment.argv), experiment.repetition])
    return hashlib.sha256(text.encode()).hexdigest()[:24]


def run_sweep(
    program: Program,
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
    """Yield each run as it is finished, with whether it was made just now, until the schedule has
    no more or the budget is spent. Runs that succeeded before are not repeated, those that failed
    are. A failed run does not end the sweep.

    Another sweep of the same store, at the same time, makes some of the runs; they are yielded as
    not made here.

    `on_start` gets the experiment and the file of its counts, which can be followed while the
    program runs. `events` are counted of each run made here; `identity` has to tell runs with them
    from those without. `shared`: every launcher may start the program on other machines; `over`:
    jobs of Slurm that are known to have ended, with what they claimed.

    Raises:
        RunError: a run cannot be started or not be written to the disk.
    """
    with tempfile.TemporaryDirectory(prefix="looplaw-run-") as local:
        sweep = _Sweep(
            program,
            schedule,
            store,
            identity,
            timeout_s,
            budget or Budget(),
            provenance or Provenance(),
            on_start,
            Path(local),
            events,
            shared,
            over,
        )
        yield from sweep.rounds()


class _Sweep:
    """One sweep: what it knows of finished runs, and what it is at work on."""

    def __init__(
        self,
        program: Program,
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
        self._program, self._schedule, self._store = program, schedule, store
        self._identity, self._timeout_s, self._budget = identity, timeout_s, budget
        self._provenance, self._on_start, self._local, self._events = (
            provenance,
            on_start,
            local,
            events,
        )
        self._shared = shared
        self._done = {key: r for key, r in store.load().items() if r.ok}
        self._claims = Claims(store.folder / "claims", Owner.this(local / "cells", timeout_s), over)
        self._made = 0

    def rounds(self) -> Iterator[tuple[RunRecord, bool]]:
        """All rounds of the schedule."""
        while experiments := self._schedule.next_round():
            waiting = deque((e, experiment_key(self._identity, e)) for e in experiments)
            idle = 0
            while waiting:
                e, key = waiting.popleft()
                found = self._finished(e, key)
                if found is None and self._budget.spent:
                    self._budget.stopped = True
                    return
                if found is None:
                    found = self._make(e, key)
                if (
                    found is None
                ):  # another sweep is at work on it: first the others, then look again
                    waiting.append((e, key))
                    idle += 1
                    if idle >= len(waiting):
                        time.sleep(_PAUSE_S)
                        self._look()
                        idle = 0
                    continue
                idle = 0
                self._schedule.add(found[0])
                yield found

    def _finished(self, e: Experiment, key: str) -> tuple[RunRecord, bool] | None:
        known = self._done.get(key)
        return None if known is None else (replace(known, params=dict(e.params)), False)

    def _look(self) -> None:
        """Take in what other sweeps have finished since; their failed runs are not repeated here."""
        for record in self._store.fresh():
            known = self._done.get(record.key)
            if known is None or not known.ok:
                self._done[record.key] = record

    def _make(self, e: Experiment, key: str) -> tuple[RunRecord, bool] | None:
        """Make a run, unless another sweep does, or has while this one looked elsewhere."""
        if not self._claims.take(key):
            return None
        try:
            self._look()
            return self._finished(e, key) or (self._run(e, key), True)
        finally:
            self._claims.release(key)

    def _run(self, e: Experiment, key: str) -> RunRecord:
        environment = self._store.describe("environment", self._provenance.environment)
        program = self._store.describe("program", self._provenance.program)
        if is_batch(e.launcher) or (self._shared and e.launcher):
            with tempfile.TemporaryDirectory(prefix="scratch-", dir=self._store.folder) as shared:
                record = self._counted(e, key, Path(shared) / "cells")
        else:
            record = self._counted(e, key, self._local / "cells")
        self._made += 1
        record = replace(record, environment=environment, program=program)
        self._store.append(record)
        self._done[key] = record
        return record

    def _counted(self, e: Experiment, key: str, cells: Path) -> RunRecord:
        if self._on_start:
            self._on_start(e, cells)
        started = datetime.now(UTC).isoformat(timespec="milliseconds")
        done = run(
            [*e.environment, str(self._program.executable.resolve()), *e.argv],
            timeout_s=self._timeout_s,
            cells=cells,
            launcher=e.launcher,
            ranks=e.ranks,
            events=self._events,
        )
        return replace(
            RunRecord.of(key, e.params, e.argv, e.repetition, done),
            launcher=e.launcher,
            started=started,
            order=self._made,
            seed=self._schedule.seed,
        )
