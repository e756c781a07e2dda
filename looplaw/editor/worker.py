"""The worker of the language server: a process that stays warm and forks a child for each job.

    python -P -m looplaw.editor.worker

Jobs come in on stdin, answers go out on stdout, one JSON object a line: {"id": 1, "job": Job} and
{"cancel": 1}; {"id": 1, "answer": Answer} and {"id": 1, "failed": reason}. A job that is cancelled
is ended with all that it started, at once. When stdin ends, so does the worker.

It works in the root folder: no file of a workspace is imported by Python, or changes which compiler
is run (as rust-toolchain.toml would).
"""

from __future__ import annotations

import contextlib
import gc
import os
import select
import shutil
import signal
import tempfile
import warnings
from collections import deque
from dataclasses import dataclass
from pathlib import Path

import msgspec

from looplaw_common.errors import LooplawError
from looplaw_common.keeper import die_with_parent
from looplaw_common.scratch import new_scratch_folder

from .answering import answer
from .notes import Job

_CHUNK = 1 << 16


class Message(msgspec.Struct, frozen=True):
    """A line on stdin."""

    id: int = 0
    job: Job | None = None
    cancel: int | None = None


@dataclass
class _Child:
    """A job that runs: its process, the pipe with its answer, its temporary files."""

    id: int
    pid: int
    pipe: int
    folder: Path
    said: bytearray


class Worker:
    """Runs jobs one after another in children of this process."""

    def __init__(self, incoming: int, outgoing: int, folder: Path) -> None:
        self._incoming, self._outgoing, self._folder = incoming, outgoing, folder
        self._waiting: deque[tuple[int, Job]] = deque()
        self._child: _Child | None = None
        self._unread = bytearray()

    def run(self) -> None:
        """Work until stdin ends."""
        try:
            while self._turn():
                pass
        finally:
            self._end_child()

    def _turn(self) -> bool:
        """Wait for a message or for an answer; False at the end of stdin."""
        if self._child is None and self._waiting:
            self._start(*self._waiting.popleft())
        pipes = [] if self._child is None else [self._child.pipe]
        ready, _, _ = select.select([self._incoming, *pipes], [], [])
        if self._incoming in ready:
            part = os.read(self._incoming, _CHUNK)
            if not part:
                return False
            self._unread += part
            *lines, rest = self._unread.split(b"\n")
            self._unread = bytearray(rest)
            for line in lines:
                self._take(bytes(line))
        elif self._child is not None:
            part = os.read(self._child.pipe, _CHUNK)
            self._child.said += part
            if not part:
                self._finish(self._child)
        return True

    def _take(self, line: bytes) -> None:
        message = msgspec.json.decode(line, type=Message)
        if message.job is not None:
            self._waiting.append((message.id, message.job))
        elif message.cancel is not None:
            kept = [(k, job) for k, job in self._waiting if k != message.cancel]
            self._waiting = deque(kept)
            if self._child is not None and self._child.id == message.cancel:
                self._end_child()

    def _start(self, number: int, job: Job) -> None:
        folder = Path(tempfile.mkdtemp(prefix="job-", dir=self._folder))
        reading, writing = os.pipe()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of threads: there are none
            pid = os.fork()
        if pid == 0:
            os.close(reading)
            os.close(self._incoming)
            os.close(self._outgoing)
            _child(job, writing, folder)
        os.close(writing)
        self._child = _Child(number, pid, reading, folder, bytearray())

    def _finish(self, child: _Child) -> None:
        """Pass on what a child that has ended said."""
        self._child = None
        status = _reap(child)
        if not child.said or status != 0:
            text = {"id": child.id, "failed": "the analysis broke down"}
            self._say(msgspec.json.encode(text))
        else:
            self._say(b'{"id":%d,%s}' % (child.id, bytes(child.said)))

    def _end_child(self) -> None:
        if self._child is not None:
            child, self._child = self._child, None
            os.kill(child.pid, signal.SIGKILL)
            _reap(child)

    def _say(self, line: bytes) -> None:
        left = memoryview(line + b"\n")
        while left:
            left = left[os.write(self._outgoing, left) :]


def _reap(child: _Child) -> int:
    os.close(child.pipe)
    _, status = os.waitpid(child.pid, 0)
    shutil.rmtree(child.folder, ignore_errors=True)
    return status


def _child(job: Job, writing: int, folder: Path) -> None:
    """Answer one job in this process, and never return."""
    code = 1
    try:
        die_with_parent()
        gc.disable()  # it ends before there is much to collect
        with contextlib.suppress(OSError):  # where memory runs out, this goes before an editor
            Path("/proc/self/oom_score_adj").write_text("1000")
        os.environ["TMPDIR"] = tempfile.tempdir = str(folder)
        said = _said(job)
        with os.fdopen(writing, "wb") as out:
            out.write(said)
        code = 0
    finally:
        os._exit(code)


def _said(job: Job) -> bytes:
    """The part of a line that answers a job."""
    try:
        return b'"answer":' + msgspec.json.encode(answer(job))
    except (LooplawError, OSError) as error:
        reason = " ".join(str(error).split())
    except (Exception, RecursionError, MemoryError) as error:  # a fault of ours: the server goes on
        reason = f"internal error: {type(error).__name__}: {error}"
    return b'"failed":' + msgspec.json.encode(reason)


_WARM = "int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += i * n; return s; }\n"


def _warm(folder: Path) -> None:
    """Answer a first job here, so that no child has to look for compilers or import anything."""
    file = folder / "warm.c"
    file.write_text(_WARM)
    _said(Job(str(file)))
    file.unlink()
    gc.collect()
    gc.freeze()  # a child's collector would touch, and copy, every page


def main() -> None:
    """Work on stdin and stdout; nothing else that runs here can write to them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # for the server to handle
    incoming, outgoing = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.chdir("/")
    folder = new_scratch_folder("lsp")
    try:
        _warm(folder)
        Worker(incoming, outgoing, folder).run()
    except BrokenPipeError:
        pass  # the server is gone
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
