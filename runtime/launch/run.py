"""Runs one program once, within a time limit and never through a shell, and reads its counts.

A launcher is the beginning of a command line: mpiexec, srun, env. The program and its arguments
follow it, or replace {command} in one of its words, quoted for a shell: sbatch --wait --wrap
'srun {command}'.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO

from looplaw_common.commands import tool_words
from looplaw_common.errors import RunError
from looplaw_common.processes import Ended, NotStartedError, UnwatchedError, run_kept

from ..counters.counts import Snapshot, UnitCounts
from ..counters.reader import read_units, snapshot
from ..counters.run_files import files_of_run
from .inputs import InputFile, placed
from .perf import ProcessEvents

_STDERR_BYTES = 4096
"""Of a program's stderr: its beginning and its end, kept with the run."""
_COMMAND = "{command}"
_GRACE_S = 3.0
"""Processes that were killed are gone by then."""
_POLL_S = 0.02
_SIGNALS = {s.value: s.name for s in signal.Signals}

_COMPLAINT = "looplaw: counts are incomplete: "
"""What a message of the counters begins with (`rt_file.h`)."""


@dataclass(frozen=True)
class RunResult:
    """A run.

    Attributes:
        status: "ok", "failed" (see `reason`), "timeout", or "incomplete": the program ended, but
            not all that it had started, within the time limit.
        elapsed_s: until the program had ended.
        cpu_s: of the program and all that it started.
        waited_s: the longest that one of them waited for a processor that others had.
        counts: totals of all processes, None where the program left none.
        ranks: rank of an MPI process -> its counts.
        events: those that were asked for and could be counted.
    """

    status: str
    exit_code: int | None
    reason: str
    stderr: str
    elapsed_s: float
    cpu_s: float
    counts: Snapshot | None
    ranks: Mapping[int, Snapshot] = field(default_factory=dict)
    events: Mapping[str, int | float] = field(default_factory=dict)
    waited_s: float = 0.0


@dataclass(frozen=True)
class _Command:
    """A command line; of a batch system also the file of the job's stderr and the command that
    cancels the job."""

    words: tuple[str, ...]
    errors: Path | None = None
    cancel: tuple[str, ...] = ()


def is_batch(launcher: Sequence[str]) -> bool:
    """Does the launcher run programs on other machines? Their files must then be on a shared file
    system."""
    return bool(launcher) and Path(launcher[0]).name in ("srun", "sbatch", "salloc", "slurm")


def command_line(argv: Sequence[str], launcher: Sequence[str]) -> tuple[str, ...]:
    """The whole command line as words."""
    if any(_COMMAND in word for word in launcher):
        return tuple(word.replace(_COMMAND, shlex.join(argv)) for word in launcher)
    return (*launcher, *argv)


def _command(argv: Sequence[str], launcher: Sequence[str], cells: Path | None) -> _Command:
    """The command line. A job of sbatch gets a name to cancel it by, and a file for its stderr."""
    words = _found(command_line(argv, launcher))
    if cells is None or not launcher or Path(launcher[0]).name != "sbatch":
        return _Command(words)
    errors, name = cells.with_name("stderr"), f"looplaw-{cells.parent.name}"
    return _Command(
        (words[0], f"--job-name={name}", "--output=/dev/null", f"--error={errors}", *words[1:]),
        errors,
        (str(Path(words[0]).with_name("scancel")), f"--name={name}"),
    )


def _found(words: Sequence[str]) -> tuple[str, ...]:
    """A command whose bare name is looked up here, once; a path is the user's own.

    Raises:
        RunError: there is no such command.
    """
    if os.path.dirname(words[0]):
        return tuple(words)
    try:
        return tuple(tool_words(words))
    except FileNotFoundError as error:
        raise RunError(f"cannot start {words[0]}: {error.strerror}") from None


def run(
    argv: Sequence[str],
    *,
    timeout_s: float | None = None,
    cells: Path | None = None,
    entries: Path | None = None,
    launcher: Sequence[str] = (),
    ranks: int | None = None,
    cwd: Path | None = None,
    events: Sequence[str] = (),
    stdin: Path | None = None,
    files: Sequence[InputFile] = (),
) -> RunResult:
    """Run a program; its standard output is discarded.

    Counts are read when the program and all that it started have ended (`run_kept`). A program that
    exits with 0 but leaves no counts, or not those of all its ranks, has failed.

    Args:
        timeout_s: the program is ended after this time; None for no limit.
        cells: the file for counts; `entries`: the file for entries of loops.
        ranks: number of MPI processes that must leave counts.
        events: of `perf.EVENTS`; counted for all processes started here, the launcher included.
        stdin: the file that the program, or its launcher, reads; None for an empty one.
        files: those that the program finds under their names.

    Raises:
        RunError: it cannot be started, or one of its files cannot be written.
        KeyboardInterrupt, or what another signal raises: passed on after the program has been
            ended.
    """
    environment = _environment(cells, entries)
    command = _command(argv, launcher, cells)
    if command.errors is not None:
        command.errors.unlink(missing_ok=True)
    with placed(files), ProcessEvents(events) as counted:
        ended = _ended(
            command, environment, cwd, timeout_s, cells, launcher, stdin, counted=bool(events)
        )
        found = counted.values()
    text = ended.errors
    if command.errors is not None and command.errors.exists():
        with command.errors.open("rb") as stream:
            text += _tail(stream)
    total, by_rank = _collect(cells) if cells is not None else (None, {})
    judged: tuple[str, int | None, str]
    if ended.unwatched:
        judged = ("failed", None, ended.unwatched)
    elif ended.late:
        judged = ("timeout", None, f"ended after {timeout_s:g} s")
    else:
        judged = _judged(ended, timeout_s, total, cells, by_rank, ranks)
    return RunResult(
        *judged, text, ended.elapsed_s, ended.cpu_s, total, by_rank, found, ended.waited_s
    )


def _environment(cells: Path | None, entries: Path | None) -> dict[str, str]:
    """The environment of a program that counts into these files; old ones are removed."""
    environment = dict(os.environ)
    for name, path in (("LOOPLAW_CELLS", cells), ("LOOPLAW_ENTRIES", entries)):
        environment.pop(name, None)
        if path is not None:
            for old in files_of_run(path):
                old.unlink()
            environment[name] = str(path)
    return environment


def _ended(
    command: _Command,
    environment: Mapping[str, str],
    cwd: Path | None,
    timeout_s: float | None,
    cells: Path | None,
    launcher: Sequence[str],
    stdin: Path | None,
    *,
    counted: bool,
) -> Ended:
    """Run a command until it and all that it started have ended.

    Raises:
        RunError: it cannot be started.
    """
    over = False
    try:
        ended = run_kept(
            command.words,
            keep_stderr=_STDERR_BYTES,
            environment=environment,
            cwd=cwd,
            timeout_s=timeout_s,
            gently=bool(launcher),
            cancel=command.cancel,
            inherits=counted,
            stdin=stdin,
        )
        over = not ended.late
        return ended
    except UnwatchedError as error:
        return Ended(0, 0.0, 0.0, unwatched=str(error.strerror))
    except NotStartedError as error:
        raise RunError(f"cannot start {command.words[0]}: {error.strerror or error}") from None
    finally:
        if not over and cells is not None:
            end_leftovers(cells)  # a launcher may have had them started by another process


def _judged(
    ended: Ended,
    timeout_s: float | None,
    counts: Snapshot | None,
    cells: Path | None,
    found: Mapping[int, Snapshot],
    ranks: int | None,
) -> tuple[str, int | None, str]:
    """Status, exit code and reason of a run that ended by itself.

    Args:
        cells: the file of counts where they were asked for.
        found: the counts of each rank; `ranks`: how many should have left some.
    """
    code = ended.code
    if code < 0:
        return "failed", code, f"crashed: {_SIGNALS.get(-code, f'signal {-code}')}"
    if code > 0:
        return "failed", code, f"exit code {code}"
    if ended.left:
        what = "1 process" if ended.left == 1 else f"{ended.left} processes"
        when = "that did nothing" if timeout_s is None else f"that still ran after {timeout_s:g} s"
        return "incomplete", code, f"the program left {what} {when}; ended, and not counted"
    if counts is None and cells is not None:
        return "failed", 0, f"it left no counts{_why(cells, ended.errors)}"
    if counts is not None and not counts.is_complete:
        return "failed", 0, f"the counts of {counts.lost} threads did not fit"
    if ranks is not None and len(found) != ranks:
        return (
            "failed",
            0,
            (
                f"{len(found)} MPI processes left counts, not {ranks}: use the launcher of the"
                f" program's MPI library, with {ranks} processes"
            ),
        )
    worlds = {s.world for s in found.values() if s.world}
    if ranks is not None and worlds and ranks not in worlds:
        told = "each process that it is alone" if worlds == {1} else f"of {max(worlds)} processes"
        return (
            "failed",
            0,
            (
                f"MPI tells {told}, not that there are {ranks}: use the launcher of the program's"
                " MPI library (in Slurm --launcher 'slurm mpiexec -n {p}')"
            ),
        )
    return "ok", 0, ""


def _why(cells: Path, errors: str) -> str:
    """What kept a program from leaving counts: as the counters in it said, or as the file shows."""
    said = [line for line in errors.splitlines() if line.startswith(_COMPLAINT)]
    if said:
        return f": {said[-1].removeprefix(_COMPLAINT)}"
    for path in files_of_run(cells):
        try:
            snapshot(path)
        except RunError as error:
            return f": {error}"
    return ""


def end_leftovers(cells: Path) -> None:
    """End the processes of this machine that count into `cells`, which a killed launcher or sweep
    leaves behind; returns when they are gone."""
    until = time.monotonic() + _GRACE_S
    while (found := _counting_into(cells)) and time.monotonic() < until:
        for pid in found:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(_POLL_S)


def _counting_into(cells: Path) -> list[int]:
    """Other processes that have the file in their environment. Zombies have no environment."""
    wanted = b"LOOPLAW_CELLS=" + os.fsencode(cells)
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if int(folder.name) != os.getpid() and wanted in (
                folder / "environ"
            ).read_bytes().split(b"\0"):
                found.append(int(folder.name))
    return found


def _tail(stream: IO[bytes]) -> str:
    size = stream.seek(0, os.SEEK_END)
    stream.seek(max(0, size - _STDERR_BYTES))
    return stream.read().decode("utf-8", errors="replace")


def counts_of(cells: Path) -> list[tuple[Path, tuple[UnitCounts, ...]]]:
    """The counts of every process of a run: the program, its MPI ranks, its forked children.

    Raises:
        RunError: there is no file, or one is not a file of counts.
    """
    paths = files_of_run(cells)
    if not paths:
        raise RunError(f"{cells}: no counts; run the program with LOOPLAW_CELLS={cells}")
    return [(path, read_units(path)) for path in paths]


def totals(cells: Path) -> Snapshot | None:
    """What all processes of a run, which may still be going on, have counted so far; None if
    nothing."""
    return _collect(cells)[0]


def _collect(cells: Path) -> tuple[Snapshot | None, dict[int, Snapshot]]:
    """Totals, and the counts of each rank together with its forked children."""
    total: Snapshot | None = None
    ranks: dict[int, Snapshot] = {}
    for path in files_of_run(cells):
        try:
            found = snapshot(path)
        except RunError:
            continue  # killed before its header was written
        total = found if total is None else total.merged(found)
        if found.rank is not None:
            own = ranks.get(found.rank)
            ranks[found.rank] = (
                found if own is None else replace(own.merged(found), rank=found.rank)
            )
    return total, ranks
