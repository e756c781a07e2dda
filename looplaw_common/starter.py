"""A small process that keepers are forked from.

A fork copies the page tables of its process: where looplaw has loaded all that a study needs, each
takes 10 ms and more, and each program needs two (its keeper's and its own). A fork that is made
before anything is loaded holds a tenth of that. It waits for tasks at a socket, forks a keeper for
each, and ends with the process that made it. Programs get the working folder, environment, umask,
processors and blocked signals of whoever asks, and the other limits that held at the beginning.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import json
import os
import signal
import socket
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import NoReturn

from .keeper import ENDING, Task, die_with_parent, forked, keep

_MOST_BYTES = 1 << 20
"""Of a task; longer ones than the system sends at once (200 KB, mostly) are forked otherwise."""
_END = b"end"


class Starter:
    """The socket of a small process; forks of the process that made it may use it, too."""

    def __init__(self) -> None:
        """Fork it.

        Raises:
            OSError: the system has no such sockets, or no process to spare.
        """
        own, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        sys.stdout.flush()
        sys.stderr.flush()
        # a signal that comes now must not run this process's handlers in the fork
        before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
        try:
            self._pid = forked()
            if self._pid == 0:
                own.close()
                _serve(other)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            other.close()
        self._socket, self._maker = own, os.getpid()
        atexit.register(self._end)

    def start(self, task: Task, hold: int, tell: int, mask: set[int | signal.Signals]) -> bool:
        """Have a keeper started, as `keep` says; False where that cannot be."""
        environment = os.environ if task.environment is None else task.environment
        try:
            asked = {
                "task": {**asdict(task), "environment": dict(environment)},
                "mask": sorted(mask),
                "folder": os.getcwd(),
                "umask": _umask(),
                "processors": sorted(os.sched_getaffinity(0)),
            }
            socket.send_fds(self._socket, [json.dumps(asked).encode()], [hold, tell])
        except OSError:  # it is too long, the folder is gone, or the small process was killed
            return False
        return True

    def _end(self) -> None:
        """Let it end, and have its CPU time counted as this process's children's."""
        if os.getpid() != self._maker:
            return
        with contextlib.suppress(OSError):
            self._socket.send(_END)
        self._socket.close()
        with contextlib.suppress(OSError):
            os.waitpid(self._pid, 0)


def _umask() -> int:
    """The umask, without a moment in which it is another one."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("Umask:"):
            return int(line.split()[1], 8)
    return 0o022


# -- in the small process
def _serve(asked: socket.socket) -> NoReturn:
    """Fork a keeper for each task; never returns."""
    try:
        gc.disable()
        die_with_parent()
        os.setsid()
        for number in ENDING:
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, signal.SIG_DFL)
        signal.signal(signal.SIGCHLD, lambda *_: _reap())
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)
        while True:
            data, descriptors, _, _ = socket.recv_fds(asked, _MOST_BYTES, 2)
            if len(descriptors) != 2:  # the end, told or not
                break
            if forked() == 0:
                asked.close()
                _keep(data, descriptors)
            for descriptor in descriptors:
                os.close(descriptor)
    finally:
        os._exit(0)


def _reap() -> None:
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _keep(data: bytes, descriptors: Sequence[int]) -> NoReturn:
    """Become a keeper where the process is that asks."""
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        asked = json.loads(data)
        os.umask(asked["umask"])
        with contextlib.suppress(OSError):
            os.sched_setaffinity(0, asked["processors"])
        folder, task = asked["folder"], asked["task"]
        task |= {name: tuple(task[name]) for name in ("words", "keep", "cancel")}
        os.chdir(folder)
        hold, tell = descriptors
        keep(Task(**task), hold, tell, set(asked["mask"]))
    finally:
        os._exit(1)
