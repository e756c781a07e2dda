"""Programs that end when looplaw ends, however that ends, and that are over when they are said to
be.

A program is started by a keeper: a fork of this process that does nothing else. On Linux the keeper
is a subreaper (prctl(2), PR_SET_CHILD_SUBREAPER), so that whatever the program starts stays below
it: double forks, `setsid`, background jobs of a shell. The keeper waits until nothing is left,
enforces the time limit, and ends everything as soon as the pipe to this process closes, which
happens even when this process is killed by SIGKILL. Above the keeper stands a guard, a subreaper as
well: if the keeper is killed, the program gets SIGKILL (PR_SET_PDEATHSIG), and the guard inherits
and ends what the program had started; if the guard is killed, the keeper ends everything. Only who
kills both at once leaves daemons behind. Elsewhere a keeper without a guard looks after the
program's process group only.

The keeper is a fork without exec: events of perf are enabled by exec, so that nothing but the
program is counted. It is a fork of a small process where one was made (`start_from_small_process`),
and of this one where there is none, or where events of this thread are to be counted.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .commands import tool_environment
from .keeper import ENDING, Task, forked, keep
from .limits import memory_of_compilers
from .starter import Starter

_END_IT = b"e"
"""What a keeper is told where this process lives on and the program shall not."""
_MESSAGES = 1 << 20
"""Bytes that are kept of what a compiler prints."""


class NotStartedError(OSError):
    """A program cannot be started."""


class UnwatchedError(OSError):
    """A program was ended, with all that it had started, as its keeper or guard was killed."""

    def __init__(self, program: str) -> None:
        super().__init__(
            errno.ECHILD,
            "ended, since the process of looplaw that watched it was killed, as happens when memory"
            " is short",
            program,
        )


@dataclass(frozen=True)
class Ended:
    """How a program ended.

    Attributes:
        code: its exit code, minus the number of the signal that ended it.
        elapsed_s: until the program itself had ended.
        cpu_s: of the program and all that it started.
        waited_s: the longest that one of them waited for a processor that others had.
        late: the program was ended at the time limit.
        left: processes that it had started and that had to be ended after it.
        stdout, stderr: what was kept of them, see `run_kept`.
        unwatched: why it was ended where its keeper or guard was killed; the rest is then unknown.
    """

    code: int
    elapsed_s: float
    cpu_s: float
    late: bool = False
    left: int = 0
    waited_s: float = 0.0
    stdout: bytes = b""
    stderr: bytes = b""
    unwatched: str = ""

    @property
    def errors(self) -> str:
        """What was kept of stderr, as text."""
        return self.stderr.decode("utf-8", errors="replace")


_STARTERS: list[Starter] = []
"""The small process of this one, if it was made."""


def start_from_small_process() -> None:
    """Have programs started by a small process, which is forked now: before much is loaded. Where
    it cannot be made, or was made before, nothing changes."""
    if sys.platform == "linux" and not _STARTERS:
        with contextlib.suppress(OSError):
            _STARTERS.append(Starter())


def run_kept(
    words: Sequence[str],
    *,
    keep_stdout: int = 0,
    keep_stderr: int = 0,
    environment: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    timeout_s: float | None = None,
    gently: bool = False,
    cancel: Sequence[str] = (),
    inherits: bool = False,
    memory: int | None = None,
    stdin: Path | None = None,
) -> Ended:
    """Run a program until it and all that it started have ended.

    Args:
        keep_stdout, keep_stderr: so many bytes are kept of what is written there, the beginning
            and the end; a program that prints without end fills neither memory nor a disk.
        environment: None for that of this process.
        timeout_s: what then runs is ended. Without a limit, what the program left behind is ended
            once it has done nothing for ten seconds.
        gently: the program is a launcher and gets SIGTERM before SIGKILL.
        cancel: a command that ends what the program started elsewhere, for when it is ended.
        inherits: the program is to be counted by events of perf that this thread has opened.
        memory: bytes that the program, and each that it starts, may have; None for no limit.
        stdin: the file that the program reads as its standard input; None for an empty one.

    Raises:
        NotStartedError: it cannot be started.
        UnwatchedError: its keeper or guard was killed.
        BaseException: of a signal handler; passed on after the program has been ended.
    """
    task = Task(
        tuple(words),
        (keep_stdout, keep_stderr),
        environment,
        None if cwd is None else str(cwd),
        timeout_s,
        gently,
        tuple(cancel),
        memory,
        None if stdin is None else str(stdin),
    )
    hold, let_go = os.pipe()
    told, tell = os.pipe()
    # A signal between the fork and the `try` would leave a program that nobody waits for.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    try:
        keeper = None
        starters = [] if inherits else _STARTERS
        if not any(s.start(task, hold, tell, before) for s in starters):
            keeper = forked()
            if keeper == 0:
                keep(task, hold, tell, before)
    except BaseException:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        for descriptor in (hold, let_go, told, tell):
            os.close(descriptor)
        raise
    for descriptor in (hold, tell):
        os.close(descriptor)
    try:
        try:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            text = _read_all(told)
        except BaseException:
            with contextlib.suppress(BrokenPipeError):
                os.write(let_go, _END_IT)
            _read_all(told)  # until everything has ended
            raise
    finally:
        os.close(let_go)
        os.close(told)
        if keeper is not None:
            os.waitpid(keeper, 0)
    data: dict[str, Any] = json.loads(text) if text.endswith(b"\n") else {"lost": True}
    if "lost" in data:
        raise UnwatchedError(words[0])
    if "errno" in data:
        raise NotStartedError(data["errno"], os.strerror(data["errno"]), data["file"])
    for stream in ("stdout", "stderr"):
        data[stream] = data[stream].encode("latin-1")
    return Ended(**data)


def completed(words: Sequence[str], timeout_s: float) -> Ended:
    """Run a compiler, or another command that needs no more memory than one, that ends when this
    process ends.

    Raises:
        NotStartedError, UnwatchedError: as `run_kept`.
        subprocess.TimeoutExpired: it was ended at the time limit.
    """
    found = run_kept(
        words,
        keep_stdout=_MESSAGES,
        keep_stderr=_MESSAGES,
        environment=tool_environment(),
        timeout_s=timeout_s,
        memory=memory_of_compilers(),
    )
    if found.late:
        raise subprocess.TimeoutExpired(list(words), timeout_s)
    return found


def _read_all(descriptor: int) -> bytes:
    parts = []
    while part := os.read(descriptor, 65536):
        parts.append(part)
    return b"".join(parts)
