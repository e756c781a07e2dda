"""Instrument IR, build and run programs, collect and store their counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from looplaw_common.lazy import exported

if TYPE_CHECKING:
    from looplaw_common.errors import InputError, RunError

    from .build.build import Program, build_program
    from .build.compiler_wrapper import compile_wrapped
    from .build.executed_instructions import counted_instructions
    from .counters.counts import CallRow, Calls, Snapshot, UnitCounts
    from .counters.entries import EntryPlan, Probe, Recorded, Seen, plan_entries, read_entries
    from .counters.reader import follow, read_units, snapshot
    from .counters.run_files import files_of_run, rank_of
    from .counters.word_layout import CHANGED, UNSET
    from .instrumentation.call_tables import MAX_VALUES
    from .instrumentation.counter_cost import LeftOut, affordable, executed
    from .instrumentation.counter_plan import CallValue, LoopCounter, Plan, plan_all, plan_for
    from .instrumentation.instrument import instrument
    from .instrumentation.kernels import Kernel, Selection, kernels_of, select
    from .instrumentation.signals import leaving_handlers
    from .launch.environment import describe
    from .launch.inputs import InputFile
    from .launch.perf import EVENTS, unavailable
    from .launch.run import RunResult, counts_of, is_batch, run, totals
    from .slurm.job_arrays import DEMANDS, Batch, Demand, Slurm, Work, arrays, batch_of, walltime
    from .slurm.sweep import known_runs, run_on_slurm
    from .sweep.index import open_index
    from .sweep.records import CounterPlace, RankCounts, RunRecord
    from .sweep.repetition import Estimate, trimmed_mean
    from .sweep.schedule import Experiment, Repeated, Schedule, UntilTight
    from .sweep.store import Store
    from .sweep.sweep import Budget, Provenance, run_sweep
    from .sweep.undisturbed import is_disturbed, points_disturbed, undisturbed

__all__ = [
    "CHANGED",
    "DEMANDS",
    "EVENTS",
    "MAX_VALUES",
    "UNSET",
    "Batch",
    "Budget",
    "CallRow",
    "CallValue",
    "Calls",
    "CounterPlace",
    "Demand",
    "EntryPlan",
    "Estimate",
    "Experiment",
    "InputError",
    "InputFile",
    "Kernel",
    "LeftOut",
    "LoopCounter",
    "Plan",
    "Probe",
    "Program",
    "Provenance",
    "RankCounts",
    "Recorded",
    "Repeated",
    "RunError",
    "RunRecord",
    "RunResult",
    "Schedule",
    "Seen",
    "Selection",
    "Slurm",
    "Snapshot",
    "Store",
    "UnitCounts",
    "UntilTight",
    "Work",
    "affordable",
    "arrays",
    "batch_of",
    "build_program",
    "compile_wrapped",
    "counted_instructions",
    "counts_of",
    "describe",
    "executed",
    "files_of_run",
    "follow",
    "instrument",
    "is_batch",
    "is_disturbed",
    "kernels_of",
    "known_runs",
    "leaving_handlers",
    "open_index",
    "plan_all",
    "plan_entries",
    "plan_for",
    "points_disturbed",
    "rank_of",
    "read_entries",
    "read_units",
    "run",
    "run_on_slurm",
    "run_sweep",
    "select",
    "snapshot",
    "totals",
    "trimmed_mean",
    "unavailable",
    "undisturbed",
    "walltime",
]

_MODULES = {
    "looplaw_common.errors": ("InputError", "RunError"),
    ".build.build": ("Program", "build_program"),
    ".build.compiler_wrapper": ("compile_wrapped",),
    ".build.executed_instructions": ("counted_instructions",),
    ".counters.counts": ("CallRow", "Calls", "Snapshot", "UnitCounts"),
    ".counters.entries": ("EntryPlan", "Probe", "Recorded", "Seen", "plan_entries", "read_entries"),
    ".counters.reader": ("follow", "read_units", "snapshot"),
    ".counters.run_files": ("files_of_run", "rank_of"),
    ".counters.word_layout": ("CHANGED", "UNSET"),
    ".instrumentation.call_tables": ("MAX_VALUES",),
    ".instrumentation.counter_cost": ("LeftOut", "affordable", "executed"),
    ".instrumentation.counter_plan": ("CallValue", "LoopCounter", "Plan", "plan_all", "plan_for"),
    ".instrumentation.instrument": ("instrument",),
    ".instrumentation.kernels": ("Kernel", "Selection", "kernels_of", "select"),
    ".instrumentation.signals": ("leaving_handlers",),
    ".launch.environment": ("describe",),
    ".launch.inputs": ("InputFile",),
    ".launch.perf": ("EVENTS", "unavailable"),
    ".launch.run": ("RunResult", "counts_of", "is_batch", "run", "totals"),
    ".slurm.job_arrays": (
        "DEMANDS",
        "Batch",
        "Demand",
        "Slurm",
        "Work",
        "arrays",
        "batch_of",
        "walltime",
    ),
    ".slurm.sweep": ("known_runs", "run_on_slurm"),
    ".sweep.index": ("open_index",),
    ".sweep.records": ("CounterPlace", "RankCounts", "RunRecord"),
    ".sweep.repetition": ("Estimate", "trimmed_mean"),
    ".sweep.schedule": ("Experiment", "Repeated", "Schedule", "UntilTight"),
    ".sweep.store": ("Store",),
    ".sweep.sweep": ("Budget", "Provenance", "run_sweep"),
    ".sweep.undisturbed": ("is_disturbed", "points_disturbed", "undisturbed"),
}

__getattr__, __dir__ = exported(globals(), _MODULES)
