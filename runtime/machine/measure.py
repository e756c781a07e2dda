"""Measures a machine in a few seconds: runs `probe.c` over working sets and derives the levels.

Whatever disturbs a sample (other processes, interrupts, a neighbour on the shared cache) makes it
longer, so the least of several samples that lie apart in time is kept, and rounds go on until they
hardly improve anything or the time is up.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import subprocess
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path

from looplaw_common.errors import RunError
from looplaw_common.keeper import die_with_parent
from looplaw_common.processes import completed
from looplaw_common.scratch import scratch_folder
from staticana.frontend.clang import Compiler, find_compiler

from ..launch.environment import machine as described
from .description import MACHINE, Curve, Machine
from .levels import levels
from .system import system

BUDGET_S = 8.0
"""CPU time that measuring may take; with building and the first touch of memory below 10 s."""
_LEAST_BYTES, _MOST_BYTES = 8 << 10, 256 << 20
_OF_MEMORY = 8
"""At most this part of the memory that is free is taken."""
_STEADY = 0.02
"""Rounds end when the least values of the last two improved by less than this in the median."""
_LEAST_ROUNDS, _MOST_ROUNDS = 3, 12
_CHASE_SAMPLES = 2
"""Samples of a random cycle that are taken at once, since making the cycle costs more."""
_ANSWER_S = 30
_BUILD_S = 300
_FRESH = tuple(1 << k for k in range(18, 28))
"""Bytes of new memory that is touched for the first time."""
_BRANCHES = tuple(1 << k for k in range(9, 19))
"""Random bytes that decide a branch each: what the predictors of today keep apart, and more."""
_OPERATIONS = {
    "add": "dependent addition",
    "divide": "dependent division",
    "multiply": "independent multiplication or addition",
    "integer": "dependent integer multiplication and addition",
    "logic": "independent integer operation",
}
"""Kind of question -> what the description calls the operation."""
_STRIDES = (64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384)
_FALLBACK = (("L1", 32 << 10), ("L2", 1 << 20), ("L3", 16 << 20))
"""Sizes where the system tells none; those that behave otherwise are found by measuring."""
_CACHES = Path("/sys/devices/system/cpu/cpu0/cache")
_SUFFIX = {"K": 10, "M": 20, "G": 30}

Question = tuple[str, int, int]
Progress = Callable[[float], None]


def nominal_caches(folder: Path = _CACHES) -> tuple[tuple[str, int], ...]:
    """(name, bytes) of the data caches of one core as Linux tells, ascending."""
    found: dict[str, int] = {}
    for index in sorted(folder.glob("index*")):
        with contextlib.suppress(OSError, ValueError, KeyError):
            if (index / "type").read_text().strip() != "Instruction":
                text = (index / "size").read_text().strip()
                level = f"L{int((index / 'level').read_text())}"
                found[level] = int(text[:-1]) << _SUFFIX[text[-1]]
    ascending = all(a < b for a, b in zip([*found.values()], [*found.values()][1:], strict=False))
    return tuple(found.items()) if found and ascending else _FALLBACK


class Probe:
    """The measuring program, asked over its standard input."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def ask(self, question: Question) -> float:
        """Nanoseconds of one sample.

        Raises:
            RunError: the program ended.
        """
        stdin, stdout = self._process.stdin, self._process.stdout
        if stdin is None or stdout is None:
            raise RunError("measuring the machine: its program has no pipes")
        try:
            stdin.write(f"{question[0]} {question[1]} {question[2]}\n")
            stdin.flush()
            return float(stdout.readline())
        except (OSError, ValueError):
            self._process.kill()
            said = (self._process.communicate()[1] or "it ended").strip().splitlines()
            raise RunError(f"measuring the machine: {said[-1] if said else 'it ended'}") from None


def _probe_source() -> bytes:
    return (files("runtime.machine") / "probe.c").read_bytes()


def _flags(compiler: Compiler) -> tuple[str, ...]:
    """zig compiles for the processor that it runs on unless told, and then updates lines five times
    as slowly, by scattered stores of wide vectors; clang compiles for any of the architecture."""
    return (*_FLAGS, *(_ANY_PROCESSOR if compiler.kind == "zig" else ()))


_FLAGS = ("-O3", "-std=gnu11", "-w")
_ANY_PROCESSOR = ("-mcpu=baseline",)


def measured_by() -> str:
    """What tells descriptions apart that other versions of the measuring program made."""
    words = [_probe_source(), *(w.encode() for w in (*_FLAGS, *_ANY_PROCESSOR))]
    return hashlib.sha256(b" ".join(words)).hexdigest()[:16]


@contextlib.contextmanager
def probe(most: int) -> Iterator[Probe]:
    """The measuring program with memory for `most` bytes; it ends with the block.

    Raises:
        RunError: it cannot be built.
    """
    compiler = find_compiler()
    with scratch_folder() as folder:
        source, program = folder / "probe.c", folder / "probe"
        source.write_bytes(_probe_source())
        command = [*compiler.command, *_flags(compiler), str(source), "-o", str(program)]
        try:
            done = completed(command, _BUILD_S)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise RunError(f"measuring the machine: {error}") from None
        if done.code:
            said = done.errors.strip().splitlines() or ["the compiler failed"]
            raise RunError(f"measuring the machine: {said[0]}")
        process = subprocess.Popen(
            [str(program), str(most)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=die_with_parent,
        )
        try:
            yield Probe(process)
        finally:
            process.kill()
            process.communicate()


def measure(
    *,
    budget_s: float = BUDGET_S,
    nominal: tuple[tuple[str, int], ...] | None = None,
    progress: Progress = lambda share: None,
) -> Machine:
    """Measure this machine.

    Args:
        budget_s: wall time for samples.
        nominal: (name, bytes) of the caches; what the system tells where None.
        progress: told the share of the time that has gone, 0 to 1.

    Raises:
        InputError: there is no compiler.
        RunError: the measuring program cannot be built or run.
    """
    begun = time.monotonic()
    nominal = nominal or nominal_caches()
    sizes = working_sets(nominal, _memory())
    with probe(sizes[-1]) as asked:
        least = _sampled(asked, _questions(sizes), begun + budget_s, begun, progress)
        stamp = min(asked.ask(("stamp", 64, 64)) for _ in range(5))

    def curve(kind: str) -> Curve:
        points = sorted((q[1], ns) for q, ns in least.items() if q[0] == kind)
        return Curve(tuple(b for b, _ in points), tuple(ns for _, ns in points))

    strided = sorted((q[2], ns) for q, ns in least.items() if q[0] == "stride")
    curves = {
        name: curve(kind)
        for name, kind in (
            ("read", "read"),
            ("written", "write"),
            ("updated", "update"),
            ("dependent", "dependent"),
            ("independent", "independent"),
        )
    }
    about = described()
    return Machine(
        format=MACHINE,
        host=str(about["host"]),
        cpu=str(about["cpu"]),
        created=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        cores=int(about["cores"] or 1),
        caches=levels(nominal, **curves),
        **curves,
        pages=curve("page"),
        strided=Curve(tuple(s for s, _ in strided), tuple(ns for _, ns in strided)),
        ns_per_timestamp=stamp,
        seconds=time.monotonic() - begun,
        fresh=curve("fresh") if all(ns > 0 for q, ns in least.items() if q[0] == "fresh") else None,
        branches=curve("branch"),
        operations={name: least[kind, 64, 64] for kind, name in _OPERATIONS.items()},
        system=system(),
    )


def working_sets(nominal: tuple[tuple[str, int], ...], memory: int) -> tuple[int, ...]:
    """Sizes to measure: two an octave, beyond the last cache as far as free memory allows."""
    most = min(_MOST_BYTES, max(4 * nominal[-1][1], 64 << 20), memory // _OF_MEMORY)
    sizes = []
    size = _LEAST_BYTES
    while size <= most:
        sizes += [size, size * 3 // 2]
        size *= 2
    return tuple(s for s in sizes if s <= most)


def _memory() -> int:
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError):
        return 1 << 30


def _questions(sizes: tuple[int, ...]) -> list[Question]:
    asked: list[Question] = []
    for size in sizes:
        asked += [(kind, size, 64) for kind in ("read", "independent") if _is_power(size, kind)]
        asked += [("dependent", size, 64)] * _CHASE_SAMPLES
        asked += [("write", size, 64), ("update", size, 64)]
        if size >= 1 << 18:
            asked += [("page", size, 4096)] * _CHASE_SAMPLES
    asked += [("fresh", size, 64) for size in _FRESH if size <= sizes[-1]]
    asked += [("branch", size, 64) for size in _BRANCHES]
    asked += [(kind, 64, 64) for kind in _OPERATIONS]
    large = sizes[-1] // 4
    asked += [("stride", large, stride) for stride in _STRIDES]
    return asked


def _is_power(size: int, kind: str) -> bool:
    """Independent loads choose their line by a mask, so that working sets must be powers of two."""
    return kind != "independent" or size & (size - 1) == 0


def _sampled(
    asked: Probe, questions: list[Question], until: float, begun: float, progress: Progress
) -> dict[Question, float]:
    """The least sample of every question, over rounds."""
    least: dict[Question, float] = {}
    calm = 0
    for number in range(_MOST_ROUNDS):
        gains = []
        for question in questions:
            if time.monotonic() > until and len(least) == len(set(questions)):
                return least
            sample = asked.ask(question)
            before = least.get(question)
            least[question] = sample if before is None else min(before, sample)
            if before is not None:
                gains.append(1 - least[question] / before)
            progress(min(1.0, (time.monotonic() - begun) / (until - begun)))
        calm = calm + 1 if gains and sorted(gains)[len(gains) * 9 // 10] < _STEADY else 0
        if number + 1 >= _LEAST_ROUNDS and calm >= 2:
            break
    return least
