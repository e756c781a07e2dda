"""Instrument IR, build and run programs, collect and store their counts."""

from .batch import DEMANDS, Batch, Demand, Slurm, Work, arrays, batch_of, walltime
from .build import Program, build_program
from .cells import CallRow, Calls, Snapshot, UnitCounts, follow, read_units, snapshot
from .entries import EntryPlan, Probe, Recorded, Seen, plan_entries, read_entries
from .environment import describe
from .errors import InputError, RunError
from .farm import known_runs, run_on_slurm
from .index import open_index
from .instrument import instrument
from .launch import RunResult, counts_of, is_batch, run
from .perf import EVENTS, unavailable
from .plan import LoopCounter, Plan, plan_all, plan_for
from .records import CounterPlace, RankCounts, RunRecord
from .repetition import Estimate, trimmed_mean
from .schedule import Experiment, Repeated, Schedule, UntilTight
from .store import Store
from .sweep import Budget, Provenance, run_sweep
from .wrapper import compile_wrapped

__all__ = ["DEMANDS", "EVENTS", "Batch", "Budget", "CallRow", "Calls", "CounterPlace", "Demand", "EntryPlan",
           "Estimate", "Experiment", "InputError", "LoopCounter", "Plan", "Probe", "Program", "Provenance",
           "RankCounts", "Recorded", "Repeated", "RunError", "RunRecord", "RunResult", "Schedule", "Seen", "Slurm",
           "Snapshot", "Store", "UnitCounts", "UntilTight", "Work", "arrays", "batch_of", "build_program",
           "compile_wrapped", "counts_of", "describe", "follow", "instrument", "is_batch", "known_runs",
           "open_index", "plan_all", "plan_entries", "plan_for", "read_entries", "read_units", "run", "run_on_slurm",
           "run_sweep", "snapshot", "trimmed_mean", "unavailable", "walltime"]
