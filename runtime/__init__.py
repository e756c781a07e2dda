"""Instrument IR, build and run programs, collect and store their counts."""

from .batch import DEMANDS, Batch, Demand, Slurm, Work, arrays, batch_of, walltime
from .build import Program, build_program
from .cells import CallRow, Calls, Snapshot, UnitCounts, follow, read_units, snapshot
from .costs import LeftOut, affordable
from .entries import EntryPlan, Probe, Recorded, Seen, plan_entries, read_entries
from .environment import describe
from .errors import InputError, RunError
from .farm import known_runs, run_on_slurm
from .index import open_index
from .instrument import instrument
from .kernels import Kernel, Selection, kernels_of, select
from .launch import RunResult, counts_of, is_batch, run, totals
from .perf import EVENTS, unavailable
from .plan import CallValue, LoopCounter, Plan, plan_all, plan_for
from .records import CounterPlace, RankCounts, RunRecord
from .repetition import Estimate, trimmed_mean
from .schedule import Experiment, Repeated, Schedule, UntilTight
from .signals import leaving_handlers
from .store import Store
from .sweep import Budget, Provenance, run_sweep
from .wrapper import compile_wrapped

__all__ = ["DEMANDS", "EVENTS", "Batch", "Budget", "CallRow", "CallValue", "Calls", "CounterPlace", "Demand",
           "EntryPlan", "Estimate", "Experiment", "InputError", "Kernel", "LeftOut", "LoopCounter", "Plan", "Probe",
           "Program", "Provenance", "RankCounts", "Recorded", "Repeated", "RunError", "RunRecord", "RunResult",
           "Schedule", "Seen", "Selection", "Slurm", "Snapshot", "Store", "UnitCounts", "UntilTight", "Work",
           "affordable", "arrays", "batch_of", "build_program", "compile_wrapped", "counts_of", "describe", "follow",
           "instrument", "is_batch", "kernels_of", "known_runs", "leaving_handlers", "open_index", "plan_all",
           "plan_entries", "plan_for", "read_entries", "read_units", "run", "run_on_slurm", "run_sweep", "select",
           "snapshot", "totals", "trimmed_mean", "unavailable", "walltime"]
