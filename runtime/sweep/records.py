"""The record of a run, and its form as a line of text.

A line is `{"crc":"89abcdef","KIND":{...}}`: JSON with the CRC-32 of the bytes of its payload, so
that a line which a crash cut short, or which was damaged later, is recognised.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from ..counters.counts import CallRow, Snapshot
from ..launch.run import RunResult

_LINE = re.compile(rb'\{"crc":"([0-9a-f]{8})","([a-z]+)":(.*)\}', re.DOTALL)


Counts = tuple[tuple[int, ...], tuple[int, ...], tuple[float, ...]]


@dataclass(frozen=True)
class RankCounts:
    """One MPI process of a run; tuples hold one entry for each counter of the plan."""

    rank: int
    entries: tuple[int, ...]
    iterations: tuple[int, ...]
    seconds: tuple[float, ...]


def _of(counts: Snapshot | None) -> Counts:
    return (
        ((), (), ())
        if counts is None
        else (
            tuple(counts.entries.tolist()),
            tuple(counts.iterations.tolist()),
            tuple(counts.seconds.tolist()),
        )
    )


@dataclass(frozen=True)
class RunRecord:
    """A finished run; tuples hold one entry for each counter of the plan, summed over processes.

    Attributes:
        repetition: from 0; negative for runs that only warm up.
        elapsed_s, cpu_s: of the launcher and what it waited for.
        waited_s: the longest that one of these waited for a processor that others had.
        ranks: the processes of an MPI program one by one; a formula describes one process.
        started: UTC, ISO 8601.
        order: the number of the run among those of its writer.
        environment, program: digests of the lines that describe them.
        events: those of `perf.EVENTS` that were asked for.
        calls: kernels' calls by their values, of all processes together.
        missed_calls: kernel -> calls that were not kept.
        rank: of a process that `of_ranks` took out of a run, else None.
    """

    key: str
    params: Mapping[str, int]
    argv: tuple[str, ...]
    repetition: int
    status: str
    exit_code: int | None
    reason: str
    stderr: str
    elapsed_s: float
    cpu_s: float
    entries: tuple[int, ...]
    iterations: tuple[int, ...]
    seconds: tuple[float, ...]
    ranks: tuple[RankCounts, ...] = ()
    launcher: tuple[str, ...] = ()
    started: str = ""
    order: int = 0
    seed: int = 0
    environment: str = ""
    program: str = ""
    events: Mapping[str, int | float] = field(default_factory=dict)
    calls: tuple[CallRow, ...] = ()
    missed_calls: Mapping[int, int] = field(default_factory=dict)
    waited_s: float = 0.0
    rank: int | None = field(default=None, compare=False)

    @staticmethod
    def of(
        key: str, params: Mapping[str, int], argv: tuple[str, ...], repetition: int, done: RunResult
    ) -> RunRecord:
        """The record of a run that was just made."""
        return RunRecord(
            key,
            dict(params),
            argv,
            repetition,
            done.status,
            done.exit_code,
            done.reason,
            done.stderr,
            done.elapsed_s,
            done.cpu_s,
            *_of(done.counts),
            tuple(RankCounts(rank, *_of(counts)) for rank, counts in sorted(done.ranks.items())),
            events=dict(done.events),
            calls=() if done.counts is None else done.counts.calls.rows,
            missed_calls={} if done.counts is None else dict(done.counts.calls.missed),
            waited_s=done.waited_s,
        )

    @property
    def ok(self) -> bool:
        """Did it succeed?"""
        return self.status == "ok"

    def iterations_of(self, counters: Sequence[int]) -> int | None:
        """The sum over the copies of a source loop; None if one of them was not counted."""
        found = [self.iterations[k] for k in counters]
        return None if any(n < 0 for n in found) else sum(found)

    def of_ranks(self, parameter: str | None = None) -> tuple[RunRecord, ...]:
        """The run's processes as runs of their own; the run itself if it had no ranks.

        Args:
            parameter: the name under which the rank becomes a parameter, None for none.
        """
        return tuple(
            replace(
                self,
                entries=r.entries,
                iterations=r.iterations,
                seconds=r.seconds,
                ranks=(),
                rank=r.rank,
                params=dict(self.params) | ({parameter: r.rank} if parameter else {}),
            )
            for r in self.ranks
        ) or (self,)


@dataclass(frozen=True)
class CounterPlace:
    """A counter of the program that was run.

    Attributes:
        at: place of its loop.
        parameters: of the run, on which calls of the kernel depend besides the recorded values;
            None if it may depend on any.
    """

    at: str
    function: str
    timed: bool
    parameters: tuple[str, ...] | None = None


def line_of(kind: str, data: object) -> bytes:
    """A line with its newline."""
    body = json.dumps(data, separators=(",", ":")).encode()
    return b'{"crc":"%08x","%s":%s}\n' % (zlib.crc32(body), kind.encode(), body)


def parse_line(line: bytes) -> tuple[str, Any] | None:
    """Kind and data of a line without its newline; None if it is damaged."""
    found = _LINE.fullmatch(line)
    if found is None or zlib.crc32(found[3]) != int(found[1], 16):
        return None
    try:
        return found[2].decode(), json.loads(found[3])
    except (ValueError, RecursionError):
        return None


def run_line(record: RunRecord) -> bytes:
    """The line of a run."""
    data = asdict(record)
    del data["rank"]
    return line_of("run", data)


def run_record(data: object) -> RunRecord:
    """A run from JSON; fields that older versions did not write have their defaults.

    Raises:
        ValueError, TypeError, KeyError: the data are not those of a run.
    """
    if not isinstance(data, dict):
        raise ValueError("not a record")
    return RunRecord(
        str(data["key"]),
        {str(k): int(v) for k, v in data["params"].items()},
        tuple(map(str, data["argv"])),
        int(data["repetition"]),
        str(data["status"]),
        None if data["exit_code"] is None else int(data["exit_code"]),
        str(data["reason"]),
        str(data["stderr"]),
        float(data["elapsed_s"]),
        float(data["cpu_s"]),
        *_counts(data),
        tuple(RankCounts(int(r["rank"]), *_counts(r)) for r in data.get("ranks", ())),
        tuple(map(str, data.get("launcher", ()))),
        str(data.get("started", "")),
        int(data.get("order", 0)),
        int(data.get("seed", 0)),
        str(data.get("environment", "")),
        str(data.get("program", "")),
        {
            str(name): count if isinstance(count, int) else float(count)
            for name, count in data.get("events", {}).items()
        },
        tuple(_call_row(row) for row in data.get("calls", ())),
        {int(k): int(n) for k, n in data.get("missed_calls", {}).items()},
        float(data.get("waited_s", 0.0)),
    )


def _call_row(row: Mapping[str, Any]) -> CallRow:
    return CallRow(
        int(row["kernel"]),
        {str(k): int(v) for k, v in row["values"].items()},
        int(row["calls"]),
        {int(k): int(n) for k, n in row["iterations"].items()},
        None if row["seconds"] is None else float(row["seconds"]),
        int(row["timed"]),
    )


def _counts(data: Mapping[str, Any]) -> Counts:
    return (
        tuple(map(int, data["entries"])),
        tuple(map(int, data["iterations"])),
        tuple(map(float, data["seconds"])),
    )


def counter_places(data: object) -> tuple[CounterPlace, ...]:
    """The counters of a program from JSON.

    Raises:
        ValueError, TypeError, KeyError: the data are not those of a program.
    """
    if not isinstance(data, dict):
        raise ValueError("not a program")
    return tuple(
        CounterPlace(
            str(c["at"]),
            str(c["function"]),
            bool(c["timed"]),
            None if c.get("parameters") is None else tuple(map(str, c["parameters"])),
        )
        for c in data["counters"]
    )
