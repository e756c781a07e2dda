"""The JSON document "looplaw-verification/1": what `looplaw verify --json` writes."""

from __future__ import annotations

from typing import Literal

import msgspec

from .count import CountDocument
from .study import CountedDocument

VERIFICATION: Literal["looplaw-verification/1"] = "looplaw-verification/1"


class VerifiedRun(msgspec.Struct, frozen=True):
    """One run of the program, with the values of its parameters."""

    params: dict[str, int]
    argv: tuple[str, ...]
    status: str
    reason: str


class CounterexampleDocument(msgspec.Struct, frozen=True):
    """An entry that its formula does not fit."""

    iterations: int
    expected: str
    values: dict[str, int]
    formula: str
    note: str


class VerifiedLoop(msgspec.Struct, frozen=True):
    """One loop: what its entries say of its formula, and its totals run by run."""

    at: str
    function: str
    nesting: int
    per_entry: CountDocument
    checked_by: Literal["formula", "bounds", "nothing"]
    entries: int
    checked: int
    agree: int
    outside_assumptions: int
    undetermined: int
    not_recorded: int
    not_left: int
    reason: str | None
    counterexample: CounterexampleDocument | None
    total: CountDocument
    total_obeys: str
    total_counted: tuple[CountedDocument, ...]


class VerificationSummary(msgspec.Struct, frozen=True):
    """Numbers of loops, runs and entries."""

    loops: int
    wrong_at_entry: int
    wrong_totals: int
    runs: int
    failed: int
    entries_checked: int


class VerificationDocument(msgspec.Struct, frozen=True):
    """All loops of a program checked."""

    format: Literal["looplaw-verification/1"]
    runs: tuple[VerifiedRun, ...]
    loops: tuple[VerifiedLoop, ...]
    summary: VerificationSummary
