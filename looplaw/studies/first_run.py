"""A run at the smallest values before all others, which tells what counters will cost."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from looplaw_common.scratch import scratch_folder
from runtime import (
    Plan,
    RunResult,
    build_program,
    counted_instructions,
    executed,
    is_batch,
    plan_for,
    run,
)

from .building import is_cxx
from .prepared import Prepared

_START = 100_000.0
"""Instructions of the start of a process, before main: what a counter costs once is little beside
them, however small the smallest values are."""


class FirstRun:
    """Runs of a study's program at its smallest values."""

    def __init__(self, prepared: Prepared) -> None:
        self._prepared = prepared
        self._smallest = min(prepared.experiments, key=lambda e: sum(e.params.values()))
        self._is_batch = is_batch(self._smallest.launcher)

    def executed(self) -> Mapping[tuple[str, str], tuple[float, float]] | None:
        """Entries and iterations of all loops; None where the run does not succeed, or is a batch
        job."""
        if self._is_batch:
            return None
        prepared = self._prepared
        plan = plan_for(
            prepared.module, [(c.function, c.header) for c in prepared.plan.counters], timed=False
        )
        with scratch_folder("first") as folder:
            program = build_program(
                prepared.text,
                plan,
                folder / "program",
                cxx=is_cxx(prepared),
                link_flags=prepared.link_flags,
            )
            done = self._run(program.executable, folder / "cells")
        if done.status != "ok" or done.counts is None:
            return None
        return executed(plan, done.counts)

    def overhead(self, plan: Plan) -> float | None:
        """What a plan's counters cost, in shares of the program's instructions; None where these
        cannot be counted."""
        if self._is_batch or not self._plain:
            return None
        with_counters = self._instructions(plan)
        if with_counters is None:
            return None
        return (with_counters - self._plain) / (self._plain + _START)

    @cached_property
    def _plain(self) -> float | None:
        return self._instructions(None)

    def _instructions(self, plan: Plan | None) -> float | None:
        return counted_instructions(
            self._prepared.text,
            plan,
            lambda executable: self._run(executable).status == "ok",
            cxx=is_cxx(self._prepared),
            link_flags=self._prepared.link_flags,
        )

    def _run(self, executable: Path, cells: Path | None = None) -> RunResult:
        return run(
            [*self._smallest.environment, str(executable), *self._smallest.argv],
            cells=cells,
            timeout_s=self._prepared.settings.runs.timeout_s,
            launcher=self._smallest.launcher,
            ranks=None if cells is None else self._smallest.ranks,
            stdin=self._smallest.input,
            files=self._smallest.files,
        )
