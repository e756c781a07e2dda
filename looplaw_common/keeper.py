"""The life of a keeper: it starts a program, waits for all that the program starts, and ends them
where nobody waits for them any more. A guard above it does so where the keeper is killed. See
`processes`.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import gc
import json
import os
import select
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NoReturn

from .limits import lift_limits

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
"""The signals by which a user, a terminal or a batch system ends this process."""
_GRACE_S = 3.0
"""A launcher may take so long to end its processes after SIGTERM."""
_ORPHAN_GRACE_S = 1.0
"""And so long once looplaw has died: what was its is to be gone soon."""
_IDLE_S = 10.0
"""Without a time limit: what the program left behind may do nothing for so long."""
_POLL_S = 0.02
_CANCEL_S = 30.0
_GAP_BYTES = 48
"""Room for the line that stands for what is left out."""
_PIPE_BYTES = 1 << 20
"""Of the pipes that programs print into: more than they print at once, so that they seldom wait.
Linux lets every user have pipes of this size."""
_NS = 1e9
_PDEATHSIG, _SUBREAPER = 1, 36
_LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


@dataclass(frozen=True)
class Task:
    """What a keeper is to do; see `processes.run_kept`."""

    words: tuple[str, ...]
    keep: tuple[int, int]
    environment: Mapping[str, str] | None
    cwd: str | None
    timeout_s: float | None
    gently: bool
    cancel: tuple[str, ...]
    memory: int | None = None
    stdin: str | None = None


def keep(task: Task, hold: int, tell: int, mask: set[int | signal.Signals]) -> NoReturn:
    """Become the guard of a keeper and start it; never returns. The keeper tells how the program
    ended.

    Args:
        hold: everything is ended once something comes through this pipe, or its other end is
            closed.
        tell: where to write how the program ended, as a line of JSON. The other end sees its end
            when nothing is left; without a whole line, the keeper was killed.
        mask: signals that are blocked in the program.
    """
    status = 1
    try:
        gc.disable()  # finalizers are this process's parent's business
        os.setsid()
        signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)  # a guard ends when its keeper has
        _close_others((hold, tell))
        _adopt_orphans()
        guard, is_there = os.pipe()
        if _LIBC is None:  # a guard would not find what a killed keeper leaves
            _live(task, hold, tell, guard, mask)
        keeper = forked()
        if keeper == 0:
            os.close(is_there)
            _live(task, hold, tell, guard, mask)
        os.close(hold)
        os.close(guard)
        _, ended = os.waitpid(keeper, 0)
        if os.WIFSIGNALED(ended):
            _end_all_below()
        status = 0
    finally:
        os._exit(status)


def forked() -> int:
    """As os.fork."""
    with warnings.catch_warnings():
        # Python warns of forks while threads run; a keeper takes none of their locks.
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def _live(
    task: Task, hold: int, tell: int, guard: int, mask: set[int | signal.Signals]
) -> NoReturn:
    """The life of a keeper; `guard` is closed at its other end when the guard is killed."""
    status = 1
    try:
        wake = _listen(mask)
        _adopt_orphans()
        try:
            answer = _Keeper(task, hold, guard, wake[0]).watch()
        except OSError as error:
            answer = {
                "errno": error.errno or errno.EIO,
                "file": str(error.filename or task.words[0]),
            }
        rest = memoryview(json.dumps(answer).encode() + b"\n")
        while rest:
            rest = rest[os.write(tell, rest) :]
        status = 0
    finally:
        os._exit(status)


def _adopt_orphans() -> None:
    """Become the parent of every process below this one whose parent ends (Linux)."""
    if _LIBC is not None:
        _LIBC.prctl(_SUBREAPER, 1, 0, 0, 0)


def _end_all_below() -> None:
    """End all that is below this process."""
    until = time.monotonic() + _GRACE_S
    while time.monotonic() < until:
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        for pid in _descendants():
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(_POLL_S / 10)


def _descendants() -> list[int]:
    """All processes below this one."""
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, IndexError):
            fields = (folder / "stat").read_bytes().rpartition(b")")[2].split()
            if fields[0] != b"Z":
                children.setdefault(int(fields[1]), []).append(int(folder.name))
    found, open_ = list[int](), [os.getpid()]
    while open_:
        below = children.get(open_.pop(), [])
        found += below
        open_ += below
    return found


def _listen(mask: set[int | signal.Signals]) -> tuple[int, int]:
    """Have signals wake the keeper, and nothing else: it ends with its parent, not by Ctrl-C. A
    handler, unlike SIG_IGN, is not passed on to the program."""
    wake, signaled = os.pipe()
    for end in (wake, signaled):
        os.set_blocking(end, False)
    signal.set_wakeup_fd(signaled, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    for number in ENDING:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, lambda *_: None)
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    return wake, signaled


def _close_others(kept: Sequence[int]) -> None:
    """Close what the fork copied: a pipe that another thread waits at must not stay open here."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        if stream not in kept:
            os.dup2(nothing, stream)
    below = 3
    for descriptor in (*sorted({k for k in kept if k > 2}), os.sysconf("SC_OPEN_MAX")):
        os.closerange(below, descriptor)
        below = descriptor + 1


class _Stream:
    """What a program writes to one of its streams: the beginning and the end are kept."""

    def __init__(self, most: int) -> None:
        self._head, self._tail, self._left_out = bytearray(), bytearray(), 0
        self._half = max(0, most - _GAP_BYTES) // 2
        self.reading: int | None = None
        if most == 0:
            self.writing = os.open(os.devnull, os.O_WRONLY)
            return
        self.reading, self.writing = os.pipe()
        os.set_blocking(self.reading, False)
        with contextlib.suppress(OSError, AttributeError):
            fcntl.fcntl(self.reading, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)

    def drain(self) -> None:
        """Take what is there."""
        while self.reading is not None:
            try:
                part = os.read(self.reading, _PIPE_BYTES)
            except BlockingIOError:
                return
            if not part:
                os.close(self.reading)
                self.reading = None
                return
            room = self._half - len(self._head)
            self._head += part[:room]
            self._tail += part[room:]
            if (excess := len(self._tail) - self._half) > 0:
                del self._tail[:excess]
                self._left_out += excess

    @property
    def text(self) -> str:
        """Byte by byte, as JSON can hold it."""
        gap = f"\n... {self._left_out} bytes left out ...\n" if self._left_out else ""
        return self._head.decode("latin-1") + gap + self._tail.decode("latin-1")


class _Keeper:
    """Starts a program and waits for it and its descendants."""

    def __init__(self, task: Task, hold: int, guard: int, wake: int) -> None:
        self._task, self._wake = task, wake
        self._hold, self._guard = hold, guard
        self._is_orphan = self._is_unguarded = False
        self._cpu = self._waited = 0.0
        self._code: int | None = None
        self._elapsed = 0.0
        self._streams = [_Stream(most) for most in task.keep]
        out, errors = (stream.writing for stream in self._streams)
        with open(task.stdin or os.devnull, "rb") as read:
            self._process = subprocess.Popen(
                task.words,
                stdin=read,
                stdout=out,
                stderr=errors,
                env=task.environment,
                cwd=task.cwd,
                start_new_session=True,
                preexec_fn=partial(_become_a_program, task.memory),
            )
        self._started = time.monotonic()  # Popen returns when the program is there
        self._waited_before = _waited_of(self._process.pid)
        os.close(out)
        os.close(errors)

    def watch(self) -> dict[str, object]:
        """Wait until nothing is left or what is left has to be ended."""
        task = self._task
        until = None if task.timeout_s is None else self._started + task.timeout_s
        busy, busy_at = -1.0, 0.0
        late, left = False, 0
        while self._reaped():
            now = time.monotonic()
            if self._code is None or until is not None:
                limit = until
            else:
                if (used := _cpu_of(_descendants())) != busy:
                    busy, busy_at = used, now
                limit = min(now + 1.0, busy_at + _IDLE_S)
                if now >= busy_at + _IDLE_S:
                    limit = now
            if limit is not None and now >= limit:
                late, left = self._code is None, len(_descendants())
                self._end()
                break
            reading = [s.reading for s in self._streams if s.reading is not None]
            found, _, _ = select.select(
                [self._hold, self._guard, self._wake, *reading],
                [],
                [],
                None if limit is None else limit - now,
            )
            for stream in self._streams:
                stream.drain()
            if self._hold in found or self._guard in found:
                self._end()
                break
            if self._wake in found:
                os.read(self._wake, 4096)
        if self._is_unguarded:
            return {"lost": True}
        for stream in self._streams:
            stream.drain()
        out, errors = (stream.text for stream in self._streams)
        return {
            "stdout": out,
            "stderr": errors,
            "code": -signal.SIGKILL if self._code is None else self._code,
            "elapsed_s": self._elapsed or time.monotonic() - self._started,
            "cpu_s": self._cpu,
            "waited_s": self._waited,
            "late": late,
            "left": 0 if late else left,
        }

    def _reaped(self) -> bool:
        """Collect those that have ended; is any left?"""
        while True:
            try:
                ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
                if ended is None:
                    return True
                before = self._waited_before if ended.si_pid == self._process.pid else 0.0
                self._waited = max(self._waited, _waited_of(ended.si_pid) - before)
                pid, status, usage = os.wait4(ended.si_pid, 0)
            except ChildProcessError:
                return self._in_group()
            self._cpu += usage.ru_utime + usage.ru_stime
            if pid == self._process.pid:
                self._code = os.waitstatus_to_exitcode(status)
                self._elapsed = time.monotonic() - self._started
                self._process.returncode = self._code

    def _in_group(self) -> bool:
        """Without a subreaper: is one of the program's group left?"""
        if _LIBC is not None:
            return False
        try:
            os.killpg(self._process.pid, 0)
        except (ProcessLookupError, PermissionError):
            return False
        time.sleep(_POLL_S)  # nothing wakes us when a process that is not ours ends
        return True

    def _look_up(self) -> None:
        """Learn whether those above this process still live."""
        for end in select.select([self._hold, self._guard], [], [], 0)[0]:
            if os.read(end, 1):
                continue  # the parent lives, and wants the end
            self._is_unguarded = self._is_unguarded or end == self._guard
            self._is_orphan = True

    def _wait_gracefully(self) -> None:
        """Give the program the time to end by itself: less where nobody waits for it any more."""
        until = time.monotonic() + _GRACE_S
        while self._reaped() and self._code is None and time.monotonic() < until:
            if not self._is_orphan:
                self._look_up()
                if self._is_orphan:
                    until = min(until, time.monotonic() + _ORPHAN_GRACE_S)
            for stream in self._streams:
                stream.drain()
            time.sleep(_POLL_S)

    def _end(self) -> None:
        """End everything; a launcher gets the time to end processes on other machines."""
        if self._task.gently and self._code is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGTERM)
            self._wait_gracefully()
        self._look_up()
        until = time.monotonic() + _GRACE_S
        while self._reaped() and time.monotonic() < until:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
            for pid in _descendants():
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(_POLL_S / 10)
        if self._task.cancel:
            with contextlib.suppress(OSError, subprocess.TimeoutExpired):
                subprocess.run(
                    list(self._task.cancel),
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    timeout=_CANCEL_S,
                    check=False,
                )


def _become_a_program(memory: int | None) -> None:
    die_with_parent()
    lift_limits(memory)


def die_with_parent() -> None:
    """Have the system kill this process when the thread that forked it ends (Linux)."""
    if _LIBC is not None:
        _LIBC.prctl(_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def _waited_of(pid: int) -> float:
    """Seconds that the main thread of a process could have run and others had its processor; 0
    where the system does not tell (Documentation/scheduler/sched-stats.rst of Linux)."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        return int(Path(f"/proc/{pid}/schedstat").read_bytes().split()[1]) / _NS
    return 0.0


def _cpu_of(pids: Sequence[int]) -> float:
    """CPU time in ticks of these processes and what they waited for."""
    ticks = 0
    for pid in pids:
        with contextlib.suppress(OSError, IndexError):
            fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
            ticks += sum(map(int, fields[11:15]))
    return float(ticks)
