"""Recorded entries of loops: the layout of their tables and the reader of their file.

`looplaw verify` compares each entry of a loop with the formula of its iterations. Whenever a loop
is left, the runtime (`rt_entries.h`) gets its number, the iterations of this entry and the values
that the formula mentions, and keeps each distinct combination with how often it was seen, in one
hash table for each loop. A nearly full table takes in fewer and fewer new combinations and counts
what it leaves out.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from looplaw_common.errors import RunError
from staticana.entry_formulas import EntryFormula, Holder

from .run_files import files_of_run

_MAGIC = 0x31544E4557414C4C  # "LLAWENT1", as in rt_entries.h
_HEADER_BYTES = 4096
_HEADER = struct.Struct("<QQQ")
_MAX_BYTES = 48 << 20
"""Memory of all tables of a process: with a process for each of 40 cores, less than 2 GB."""
_SLOTS = 4096
_MIN_SLOTS = 16
_FIXED_WORDS = 3
"""Of a combination, before its values: how often, iterations, states."""
UNSET, SET, CHANGED = range(3)
"""State of a value: never set, set, set again to something else. Two bits of the states."""
ERROR_EXIT = 1 << 62
"""Bit of the states: the loop was left by an exit that its formula takes never to be taken."""


@dataclass(frozen=True)
class Probe:
    """A loop whose entries are recorded.

    Attributes:
        formula: of its iterations, with the registers that hold the values it mentions.
        slots: rows of its table, a power of two.
    """

    id: int
    formula: EntryFormula
    slots: int

    @property
    def words(self) -> int:
        """Words of a row."""
        return _FIXED_WORDS + len(self.formula.holders)


@dataclass(frozen=True)
class EntryPlan:
    """The loops whose entries are recorded."""

    probes: tuple[Probe, ...]

    def constants(self) -> str:
        """The sizes of the tables as IR, for the runtime."""
        rows = ", ".join(f"[2 x i64] [i64 {p.words}, i64 {p.slots}]" for p in self.probes)
        return (
            f"\n@__looplaw_probes = constant i64 {len(self.probes)}, align 8\n"
            f"@__looplaw_probe = constant [{len(self.probes)} x [2 x i64]] "
            f"{f'[{rows}]' if rows else 'zeroinitializer'}, align 8\n"
        )


def plan_entries(formulas: Iterable[EntryFormula]) -> EntryPlan:
    """Record the entries of these loops, in tables that together stay below a fixed size."""
    chosen = tuple(formulas)
    row_bytes = sum(8 * (_FIXED_WORDS + len(f.holders)) for f in chosen)
    slots = _SLOTS
    while slots > _MIN_SLOTS and row_bytes * slots > _MAX_BYTES:
        slots //= 2
    return EntryPlan(tuple(Probe(k, f, slots) for k, f in enumerate(chosen)))


@dataclass(frozen=True)
class Seen:
    """Entries of a loop that were alike.

    Attributes:
        values: symbol -> value, without the symbols that had none.
        changed: symbols that should have one value and had several; `values` has the first.
        error_exit: the loop was left where its formula takes it not to be.
    """

    times: int
    iterations: int
    values: Mapping[str, int]
    changed: frozenset[str]
    error_exit: bool


@dataclass(frozen=True)
class Recorded:
    """What was recorded of a loop; `missed`: entries that did not fit into its table."""

    seen: tuple[Seen, ...]
    missed: int


def read_entries(path: Path, plan: EntryPlan) -> tuple[Recorded, ...]:
    """The entries of each probe, from all processes of a run.

    Raises:
        RunError: there is no file, or it is not of this plan.
    """
    paths = files_of_run(path)
    if not paths:
        raise RunError(f"{path}: the program recorded no entries of loops")
    tables = [_read(p, plan) for p in paths]
    return tuple(
        Recorded(tuple(s for t in tables for s in t[k].seen), sum(t[k].missed for t in tables))
        for k in range(len(plan.probes))
    )


def _read(path: Path, plan: EntryPlan) -> list[Recorded]:
    try:
        data = np.fromfile(path, dtype=np.int64)
    except OSError as error:
        raise RunError(f"{path}: cannot be read: {error.strerror or error}") from None
    needed = _HEADER_BYTES // 8 + sum(1 + p.words * p.slots for p in plan.probes)
    if data.size != needed or _HEADER.unpack_from(data.tobytes()[: _HEADER.size])[:2] != (
        _MAGIC,
        len(plan.probes),
    ):
        raise RunError(f"{path}: not a file of entries of this program")
    at = _HEADER_BYTES // 8
    found = []
    for p in plan.probes:
        rows = data[at + 1 : at + 1 + p.words * p.slots].reshape(p.slots, p.words)
        found.append(
            Recorded(
                tuple(_seen(p.formula.holders, row.tolist()) for row in rows[rows[:, 0] > 0]),
                int(data[at]),
            )
        )
        at += 1 + p.words * p.slots
    return found


def _seen(holders: Sequence[Holder], row: list[int]) -> Seen:
    times, iterations, states, *values = row
    state = {h.symbol: states >> 2 * k & 3 for k, h in enumerate(holders)}
    return Seen(
        times,
        iterations,
        {h.symbol: v for h, v in zip(holders, values, strict=True) if state[h.symbol]},
        frozenset(s for s, n in state.items() if n == CHANGED),
        bool(states & ERROR_EXIT),
    )
