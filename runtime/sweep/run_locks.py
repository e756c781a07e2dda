"""Locks of runs, so that several sweeps of one study share the runs instead of repeating them.

A lock is a file created with O_EXCL, which is atomic on network file systems as well (NFS version 3
and later). The lock of a process that has died is taken over by creating the file of the next
generation, KEY.1 after KEY.0: again with O_EXCL, so that only one of several sweeps succeeds, and
nobody ever removes a file that may be another's. fcntl locks would be simpler, but many clusters
mount their file systems without them.
"""

from __future__ import annotations

import contextlib
import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from looplaw_common.errors import RunError
from looplaw_common.files import own_folder
from looplaw_common.owners import machine, start_of

from ..launch.run import end_leftovers
from ..launch.slurm_commands import this_task

_MAX_BYTES = 4096
"""Of a lock's file: more is not read."""
_GRACE_S = 60.0
"""A lock is needed for this long beyond the time limit of its run: starting, ending, writing."""
_UNWRITTEN_S = 10.0
"""A lock of this age whose owner is not written into it is that of a process which died while it
created it."""


@dataclass(frozen=True)
class Owner:
    """The process that holds a lock.

    Attributes:
        machine: host, boot and process namespace.
        start: of the process, in ticks since boot, which tells it from a later one of its number.
        cells: the file that the program it runs counts into.
        lasts_s: the longest time for which the lock is needed, None for any.
        job, restart: the Slurm job that the process is part of, and how often that was requeued;
            empty outside of Slurm.
    """

    machine: str
    pid: int
    start: str
    cells: str
    lasts_s: float | None
    job: str = ""
    restart: str = ""

    @staticmethod
    def this(cells: Path, timeout_s: float | None) -> Owner:
        """The calling process, with runs of at most `timeout_s`."""
        return Owner(
            machine(),
            os.getpid(),
            start_of(os.getpid()) or "",
            str(cells),
            None if timeout_s is None else timeout_s + _GRACE_S,
            *this_task(os.environ),
        )

    def outlived(self, job: str, restart: str, over: frozenset[str]) -> bool:
        """Does Slurm say that the process has ended? It does if its job or task is `over`, or if it
        is an earlier start of the job that asks (`job`, `restart`)."""
        if not self.job:
            return False
        return (
            self.job in over
            or self.job.partition("_")[0] in over
            or (self.job == job and self.restart != restart)
        )


class RunLocks:
    """The locks of one study directory.

    Args:
        folder: of the locks; created if needed.
        owner: who takes locks.
        over: jobs and tasks of Slurm that are known to have ended.

    Raises:
        RunError: the folder cannot be written.
    """

    def __init__(self, folder: Path, owner: Owner, over: frozenset[str] = frozenset()) -> None:
        self._folder, self._owner, self._over = folder, owner, over
        self._held: dict[str, int] = {}
        try:
            own_folder(folder)
        except OSError as error:
            raise RunError(f"{folder}: cannot be written: {error.strerror or error}") from None

    def acquire(self, key: str) -> bool:
        """Lock a run; False if a live process holds the lock. Programs that a dead owner on this
        machine left running are ended."""
        generations = self._generations(key)
        number = 0
        if generations:
            number, path = max(generations.items())
            last = self._read(path)
            if self._alive(last, path):
                return False
            if last is not None and last.machine == self._owner.machine:
                end_leftovers(Path(last.cells))
            number += 1
        taken = self._make(self._folder / f"{key}.{number}")
        if taken:
            self._held[key] = number
        return taken

    def release(self, key: str) -> None:
        """Release a lock, when its run is on disk or will not be made."""
        held = self._held.pop(key)
        for number, path in self._generations(key).items():
            if number <= held:
                with contextlib.suppress(FileNotFoundError):
                    path.unlink()

    def _alive(self, owner: Owner | None, path: Path) -> bool:
        """Is the owner still at work? Of one on another machine it is known only when Slurm says
        that it has ended, or when no run can last so long."""
        if owner is None:
            return self._age_s(path) < _UNWRITTEN_S
        if owner.machine == self._owner.machine:
            return start_of(owner.pid) == owner.start
        if owner.outlived(self._owner.job, self._owner.restart, self._over):
            return False
        return owner.lasts_s is None or self._age_s(path) < owner.lasts_s

    def _generations(self, key: str) -> dict[int, Path]:
        return {
            int(p.suffix[1:]): p for p in self._folder.glob(f"{key}.*") if p.suffix[1:].isdigit()
        }

    def _make(self, path: Path) -> bool:
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644)
        except FileExistsError:
            return False
        except OSError as error:
            raise RunError(f"{path}: cannot be written: {error.strerror or error}") from None
        try:
            os.write(descriptor, json.dumps(asdict(self._owner)).encode())
        except OSError as error:
            with contextlib.suppress(OSError):
                path.unlink()
            raise RunError(f"{path}: cannot be written: {error.strerror or error}") from None
        finally:
            os.close(descriptor)
        return True

    @staticmethod
    def _read(path: Path) -> Owner | None:
        """The owner of a lock; None if the lock is gone or its owner is not written completely."""
        try:
            with path.open("rb") as file:
                data = json.loads(file.read(_MAX_BYTES))
            lasts = data["lasts_s"]
            return Owner(
                str(data["machine"]),
                int(data["pid"]),
                str(data["start"]),
                str(data["cells"]),
                None if lasts is None else float(lasts),
                str(data.get("job", "")),
                str(data.get("restart", "")),
            )
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None

    def _age_s(self, path: Path) -> float:
        """Age of a lock by the clock of the file system, which may not be this machine's."""
        probe = self._folder / f".now-{os.getpid()}-{os.urandom(4).hex()}"
        try:
            os.close(os.open(probe, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644))
            return probe.stat().st_mtime - path.stat().st_mtime
        except OSError:
            return 0.0
        finally:
            with contextlib.suppress(OSError):
                probe.unlink()
