"""Runs one program once: bounded in time, never through a shell, what it left behind read out."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO

from .cells import Snapshot, UnitCounts, read_units, snapshot
from .errors import RunError

_STDERR_BYTES = 4096


@dataclass(frozen=True)
class RunResult:
    """One run. status: "ok", "failed" (exit code or signal, see `reason`) or "timeout"; counts: of all its processes
    together, None where the program left none; ranks: those of each MPI process, with its forked children, by number.
    """

    status: str
    exit_code: int | None
    reason: str
    stderr: str
    elapsed_s: float
    cpu_s: float
    counts: Snapshot | None
    ranks: Mapping[int, Snapshot] = field(default_factory=dict)


def run(argv: Sequence[str], *, timeout_s: float | None = None, cells: Path | None = None, entries: Path | None = None,
        launcher: Sequence[str] = (), cwd: Path | None = None) -> RunResult:
    """Run `launcher + argv`; its standard output is discarded. Counts go to the file `cells`, entries of loops to the
    file `entries`.

    Raises:
        RunError: it cannot be started.
        KeyboardInterrupt: passed on after the program has been ended.
    """
    environment = dict(os.environ)
    for name, path in (("LOOPLAW_CELLS", cells), ("LOOPLAW_ENTRIES", entries)):
        environment.pop(name, None)
        if path is not None:
            for old in written(path):
                old.unlink()
            environment[name] = str(path)
    with tempfile.TemporaryFile() as errors:
        started = time.monotonic()
        try:
            process = subprocess.Popen([*launcher, *argv], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                       stderr=errors, env=environment, start_new_session=True, cwd=cwd)
        except OSError as error:
            raise RunError(f"cannot start {([*launcher, *argv])[0]}: {error.strerror or error}") from None
        late = threading.Event()

        def stop() -> None:
            late.set()
            _end(process)
        timer = threading.Timer(timeout_s, stop) if timeout_s else None
        if timer:
            timer.daemon = True
            timer.start()
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:
            _end(process)
            process.wait()
            raise
        finally:
            if timer:
                timer.cancel()
        elapsed = time.monotonic() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        text = _tail(errors)
    code = process.returncode
    counts, ranks = _collect(cells) if cells is not None else (None, {})
    cpu = usage.ru_utime + usage.ru_stime
    if late.is_set():
        return RunResult("timeout", None, f"ended after {timeout_s:g} s", text, elapsed, cpu, counts, ranks)
    if code == 0:
        return RunResult("ok", 0, "", text, elapsed, cpu, counts, ranks)
    reason = f"crashed: {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
    return RunResult("failed", code, reason, text, elapsed, cpu, counts, ranks)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the whole process group: launchers have children."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _tail(stream: IO[bytes]) -> str:
    size = stream.seek(0, os.SEEK_END)
    stream.seek(max(0, size - _STDERR_BYTES))
    return stream.read().decode("utf-8", errors="replace")


def written(cells: Path) -> list[Path]:
    """The file itself, and those of ranks and forked children."""
    return [p for p in (cells, *sorted(cells.parent.glob(f"{cells.name}.rank*")),
                        *sorted(cells.parent.glob(f"{cells.name}.pid*"))) if p.exists()]


def counts_of(cells: Path) -> list[tuple[Path, tuple[UnitCounts, ...]]]:
    """What every process of a run has counted: the program's, its MPI ranks', and forked children's.

    Raises:
        RunError: there is nothing, or a file is not one of ours.
    """
    paths = written(cells)
    if not paths:
        raise RunError(f"{cells}: no counts; run the program with LOOPLAW_CELLS={cells}")
    return [(path, read_units(path)) for path in paths]


def _collect(cells: Path) -> tuple[Snapshot | None, dict[int, Snapshot]]:
    total: Snapshot | None = None
    ranks: dict[int, Snapshot] = {}
    for path in written(cells):
        try:
            found = snapshot(path)
        except RunError:
            continue  # killed before its header was written
        total = found if total is None else total.merged(found)
        if found.rank is not None:
            own = ranks.get(found.rank)
            ranks[found.rank] = found if own is None else replace(own.merged(found), rank=found.rank)
    return total, ranks
