"""Runs a program over parameter values; what is finished stays finished."""

from __future__ import annotations

import hashlib
import json
import random
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from .build import Program
from .launch import run
from .store import RunRecord, Store


@dataclass(frozen=True)
class Experiment:
    """One run to make: the parameter vector, the program's arguments, the number of the repetition."""

    params: Mapping[str, int]
    argv: tuple[str, ...]
    repetition: int
    launcher: tuple[str, ...] = ()


def experiment_key(identity: str, experiment: Experiment) -> str:
    """Identifies a run: same program, same counters, same arguments, same repetition."""
    text = json.dumps([identity, list(experiment.launcher), list(experiment.argv), experiment.repetition])
    return hashlib.sha256(text.encode()).hexdigest()[:24]


def ordered(experiments: Iterable[Experiment], seed: int = 0) -> list[Experiment]:
    """Repetition after repetition, each in a random order of its own, so that drifts do not look like growth."""
    rounds: dict[int, list[Experiment]] = {}
    for e in experiments:
        rounds.setdefault(e.repetition, []).append(e)
    generator = random.Random(seed)
    result: list[Experiment] = []
    for repetition in sorted(rounds):
        group = rounds[repetition]
        generator.shuffle(group)
        result.extend(group)
    return result


def run_sweep(program: Program, experiments: Sequence[Experiment], store: Store, *, identity: str,
              timeout_s: float | None = None,
              on_start: Callable[[Experiment, Path], None] | None = None) -> Iterator[tuple[RunRecord, bool]]:
    """Yield each run as it is finished, with whether it was made just now; runs that succeeded before are not
    repeated, those that failed are. A failed run does not end the sweep.

    `on_start` gets the experiment and the file of its counts, which can be followed while the program runs.
    """
    done = store.load()
    with tempfile.TemporaryDirectory(prefix="looplaw-run-") as folder:
        cells = Path(folder) / "cells"
        for e in ordered(experiments):
            key = experiment_key(identity, e)
            known = done.get(key)
            if known is not None and known.status == "ok":
                yield replace(known, params=dict(e.params)), False
                continue
            if on_start:
                on_start(e, cells)
            result = run([str(program.executable), *e.argv], timeout_s=timeout_s, cells=cells, launcher=e.launcher)
            counts = result.counts
            record = RunRecord(
                key, dict(e.params), e.argv, e.repetition, result.status, result.exit_code, result.reason,
                result.stderr, result.elapsed_s, result.cpu_s,
                tuple(counts.entries.tolist()) if counts else (), tuple(counts.iterations.tolist()) if counts else (),
                tuple(counts.seconds.tolist()) if counts else ())
            store.append(record)
            yield record, True
