"""Instrument IR, build and run programs, collect and store their counts."""

from .build import Program, build_program
from .cells import Snapshot, follow, snapshot
from .entries import EntryPlan, Probe, Recorded, Seen, plan_entries, read_entries
from .errors import InputError, RunError
from .instrument import instrument
from .launch import RunResult, run
from .plan import LoopCounter, Plan, plan_all, plan_for
from .store import RunRecord, Store
from .sweep import Experiment, run_sweep

__all__ = ["EntryPlan", "Experiment", "InputError", "LoopCounter", "Plan", "Probe", "Program", "Recorded", "RunError",
           "RunRecord", "RunResult", "Seen", "Snapshot", "Store", "build_program", "follow", "instrument", "plan_all",
           "plan_entries", "plan_for", "read_entries", "run", "run_sweep", "snapshot"]
