"""Instrument IR, build and run programs, collect and store their counts."""

from .build import Program, build_program
from .cells import CallRow, Calls, Snapshot, UnitCounts, follow, read_units, snapshot
from .entries import EntryPlan, Probe, Recorded, Seen, plan_entries, read_entries
from .errors import InputError, RunError
from .instrument import instrument
from .launch import RunResult, counts_of, run
from .plan import LoopCounter, Plan, plan_all, plan_for
from .store import RunRecord, Store
from .sweep import Experiment, run_sweep
from .wrapper import compile_wrapped

__all__ = ["CallRow", "Calls", "EntryPlan", "Experiment", "InputError", "LoopCounter", "Plan", "Probe", "Program", "Recorded",
           "RunError", "RunRecord", "RunResult", "Seen", "Snapshot", "Store", "UnitCounts", "build_program", "compile_wrapped",
           "counts_of", "follow", "instrument", "plan_all", "plan_entries", "plan_for", "read_entries", "read_units", "run",
           "run_sweep", "snapshot"]
