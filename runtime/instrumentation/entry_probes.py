"""Entries of loops recorded at run time: iterations of each entry, with the values that its formula
speaks of.

Whenever a loop is left, the runtime (`looplaw_rt.c`) gets its number, the iterations of this entry
and a vector of values, and keeps each distinct combination with how often it was seen, in one small
hash table for each loop in a memory-mapped file. A table that is nearly full takes in fewer and
fewer new combinations, and counts what it leaves out. Registers that may not have been set where
the loop is left live in a local variable with a flag.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from looplaw_common.errors import RunError
from staticana.entry_formulas import EntryFormula, Holder
from staticana.ir.loop_info import Loop
from staticana.ir.types import Function

from ..launch.run import written

_MAGIC = 0x31544E4557414C4C
_HEADER_BYTES = 4096
_HEADER = struct.Struct("<QQQ")
_MAX_BYTES = 48 << 20
_SLOTS = 4096
_FIXED = 3  # words of a combination before its values: how often, iterations, states
_UNSET, _SET, _CHANGED = range(3)
_ERROR_EXIT = 1 << 62
_TWICE = frozenset(("setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "vfork"))

ENTRIES_IR = """
declare void @__looplaw_entry(i64, i64, i64, ptr)
"""


@dataclass(frozen=True)
class Probe:
    """A loop whose entries are recorded; `slots`, a power of two, is the size of its table."""

    id: int
    claim: EntryFormula
    slots: int

    @property
    def words(self) -> int:
        """Length of a table's row."""
        return _FIXED + len(self.claim.holders)


@dataclass(frozen=True)
class EntryPlan:
    """The loops whose entries are recorded."""

    probes: tuple[Probe, ...]

    def constants(self) -> str:
        """What the runtime has to know, as IR."""
        rows = ", ".join(f"[2 x i64] [i64 {p.words}, i64 {p.slots}]" for p in self.probes)
        return (
            f"\n@__looplaw_probes = constant i64 {len(self.probes)}, align 8\n"
            f"@__looplaw_probe = constant [{len(self.probes)} x [2 x i64]] "
            f"{f'[{rows}]' if rows else 'zeroinitializer'}, align 8\n"
        )


def plan_entries(claims: Iterable[EntryFormula]) -> EntryPlan:
    """Record the entries of these loops in bounded memory."""
    chosen = tuple(claims)
    slots = _SLOTS
    while slots > 16 and sum(8 * (_FIXED + len(c.holders)) for c in chosen) * slots > _MAX_BYTES:
        slots //= 2
    return EntryPlan(tuple(Probe(k, c, slots) for k, c in enumerate(chosen)))


# -- what a run left behind
@dataclass(frozen=True)
class Seen:
    """Entries of one loop that were alike. values: symbol -> value, without those that had none;
    changed: symbols held to have one value that had several (`values` has the first); error_exit:
    left where the formula takes it not to be.
    """

    times: int
    iterations: int
    values: Mapping[str, int]
    changed: frozenset[str]
    error_exit: bool


@dataclass(frozen=True)
class Recorded:
    """What was recorded of one loop. missed: entries that are not in `seen` since its table was
    full."""

    seen: tuple[Seen, ...]
    missed: int


def read_entries(path: Path, plan: EntryPlan) -> tuple[Recorded, ...]:
    """Entries by probe, of all processes of a run.

    Raises:
        RunError: there are none, or the file is not one of ours.
    """
    paths = written(path)
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
                tuple(_seen(p.claim.holders, row.tolist()) for row in rows[rows[:, 0] > 0]),
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
        frozenset(s for s, n in state.items() if n == _CHANGED),
        bool(states & _ERROR_EXIT),
    )


# -- instrumentation
class Editor(Protocol):
    """The edits in one function, as `instrument` makes them."""

    function: Function
    loops: dict[str, Loop]
    setup: list[str]

    def fresh(self) -> str: ...
    def insert(self, line: int, text: Iterable[str]) -> None: ...
    def first(self, block: str) -> int: ...
    def after(self, token: str, text: Iterable[str]) -> None: ...
    def on_entry(self, loop: Loop, body: Callable[[], list[str]]) -> None: ...
    def on_edge(self, source: str, target: str, body: list[str]) -> None: ...


def record_entries(editor: Editor, probes: Sequence[Probe]) -> None:
    """Put the recording of some loops of one function in."""
    _Recording(editor).put(probes)


class _Recording:
    def __init__(self, editor: Editor) -> None:
        self.editor = editor
        # after a longjmp only volatile variables have their last value
        self.volatile = (
            "volatile "
            if any(
                i.opcode in ("call", "invoke") and i.operands[0][1:] in _TWICE
                for b in editor.function.blocks.values()
                for i in b.instructions
            )
            else ""
        )
        self.kept: dict[str, str] = {}  # symbol -> its local variables' name
        self.counted: dict[str, str] = {}  # header -> the local variable that counts iterations
        self.width = 1

    def put(self, probes: Sequence[Probe]) -> None:
        for probe in probes:
            loop = self.editor.loops[probe.claim.header]
            count = self._count(loop)
            self.width = max(self.width, len(probe.claim.holders))
            for holder in probe.claim.holders:
                if holder.kind in ("last", "kept"):
                    self._keep(holder)
            for edge in loop.exits:
                if not edge.is_unwind:
                    error = (edge.source, edge.target) in probe.claim.error_exits
                    self.editor.on_edge(
                        edge.source, edge.target, self._report(probe, count, edge.is_test, error)
                    )
        self.editor.setup.append(f"  %ll.values = alloca [{self.width} x i64], align 8")

    # -- pieces
    def _local(self, name: str) -> None:
        self.editor.setup += [
            f"  %{name} = alloca i64, align 8",
            f"  store {self.volatile}i64 0, ptr %{name}, align 8",
        ]

    def _load(self, name: str, body: list[str]) -> str:
        value = self.editor.fresh()
        body.append(f"  %{value} = load {self.volatile}i64, ptr %{name}, align 8")
        return f"%{value}"

    def _store(self, value: str, name: str) -> str:
        return f"  store {self.volatile}i64 {value}, ptr %{name}, align 8"

    def _does(self, text: str, body: list[str]) -> str:
        value = self.editor.fresh()
        body.append(f"  %{value} = {text}")
        return f"%{value}"

    def _count(self, loop: Loop) -> str:
        """The local variable with the executions of the header in this entry."""
        if loop.header not in self.counted:
            name = self.counted[loop.header] = self.editor.fresh()
            self._local(name)
            self.editor.on_entry(loop, lambda: [self._store("0", name)])
            body: list[str] = []
            more = self._does(f"add i64 {self._load(name, body)}, 1", body)
            self.editor.insert(self.editor.first(loop.header), [*body, self._store(more, name)])
        return self.counted[loop.header]

    def _keep(self, holder: Holder) -> None:
        """Local variables with the first value since the block (the last one if that counts), and
        whether there was one or even another."""
        if holder.symbol in self.kept:
            return
        name = self.kept[holder.symbol] = self.editor.fresh()
        self._local(name)
        self._local(f"{name}.state")
        function = self.editor.function
        if holder.since is not None:
            self.editor.insert(
                function.blocks[holder.since].terminator.line,
                [self._store("0", name), self._store(str(_UNSET), f"{name}.state")],
            )
        for token in holder.tokens:
            body: list[str] = []
            value = self._integer(token, holder.type, body)
            if holder.kind == "last":
                self.editor.after(
                    token,
                    [*body, self._store(value, name), self._store(str(_SET), f"{name}.state")],
                )
                continue
            old, state = self._load(name, body), self._load(f"{name}.state", body)
            unset = self._does(f"icmp eq i64 {state}, {_UNSET}", body)
            first = self._does(f"select i1 {unset}, i64 {value}, i64 {old}", body)
            same = self._does(f"icmp eq i64 {first}, {value}", body)
            was = self._does(f"select i1 {unset}, i64 {_SET}, i64 {state}", body)
            now = self._does(f"select i1 {same}, i64 {was}, i64 {_CHANGED}", body)
            self.editor.after(
                token, [*body, self._store(first, name), self._store(now, f"{name}.state")]
            )

    def _integer(self, token: str, kind: str, body: list[str]) -> str:
        if kind == "i64":
            return token
        cast = "ptrtoint" if kind == "ptr" else "zext" if kind == "i1" else "sext"
        return self._does(f"{cast} {kind} {token} to i64", body)

    def _report(self, probe: Probe, count: str, is_test: bool, error: bool) -> list[str]:
        """The call that records one entry."""
        body: list[str] = []
        iterations = self._load(count, body)
        if is_test:
            iterations = self._does(f"sub i64 {iterations}, 1", body)
        states = str(_ERROR_EXIT if error else 0)
        for k, holder in enumerate(probe.claim.holders):
            state = str(_SET)
            if holder.kind == "direct":
                value = self._integer(holder.tokens[0], holder.type, body)
            elif holder.kind == "index":
                assert holder.since is not None
                around = self._count(self.editor.loops[holder.since])
                value = self._does(f"sub i64 {self._load(around, body)}, 1", body)
            else:
                value = self._load(self.kept[holder.symbol], body)
                state = self._load(f"{self.kept[holder.symbol]}.state", body)
            place = self._does(f"getelementptr i64, ptr %ll.values, i64 {k}", body)
            body.append(f"  store i64 {value}, ptr {place}, align 8")
            shifted = self._does(f"shl i64 {state}, {2 * k}", body)
            states = self._does(f"or i64 {states}, {shifted}", body)
        return [
            *body,
            (
                f"  call void @__looplaw_entry(i64 {probe.id}, i64 {iterations}, i64 {states}, ptr"
                " %ll.values)"
            ),
        ]
