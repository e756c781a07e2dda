"""Who is at work on a run: so that two sweeps of one study share the runs instead of repeating them.

A claim is a file made with O_EXCL, which is atomic on network file systems as well. What is claimed by a process that
has died is taken over by making the file of the next generation, KEY.1 after KEY.0: again O_EXCL, so only one of
several that want it succeeds, and nobody ever removes what may be another's.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from .errors import RunError
from .launch import end_leftovers

_MAX_BYTES = 4096
_GRACE_S = 60.0
_UNWRITTEN_S = 10.0
"""So old, a claim without an owner's name is that of a process which died while it made it."""


@dataclass(frozen=True)
class Owner:
    """A process: machine (host, boot and process namespace), number, start (in ticks since boot), and the file that
    the program it runs counts into. lasts_s: longest time that a claim is needed, None for any."""

    machine: str
    pid: int
    start: str
    cells: str
    lasts_s: float | None

    @staticmethod
    def this(cells: Path, timeout_s: float | None) -> Owner:
        """This process, with runs of at most `timeout_s`."""
        return Owner(_machine(), os.getpid(), _start_of(os.getpid()) or "", str(cells),
                     None if timeout_s is None else timeout_s + _GRACE_S)


class Claims:
    """Claims of one study directory, made for `owner`.

    Raises:
        RunError: the folder cannot be written.
    """

    def __init__(self, folder: Path, owner: Owner) -> None:
        self._folder, self._owner = folder, owner
        self._held: dict[str, int] = {}
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise RunError(f"{folder}: cannot be written: {error.strerror or error}") from None

    def take(self, key: str) -> bool:
        """Claim a run; False where somebody who is alive is at work on it. Of one who is not, programs that are still
        running are ended."""
        generations = self._generations(key)
        number = 0
        if generations:
            number, path = max(generations.items())
            last = self._read(path)
            if _alive(last, lambda: self._age_s(path)):
                return False
            if last is not None and last.machine == self._owner.machine:
                end_leftovers(Path(last.cells))
            number += 1
        taken = self._make(self._folder / f"{key}.{number}")
        if taken:
            self._held[key] = number
        return taken

    def release(self, key: str) -> None:
        """Give a claim up, when its run is on disk or will not be made."""
        held = self._held.pop(key, -1)
        for number, path in sorted(self._generations(key).items(), reverse=True):
            if number <= held:
                path.unlink(missing_ok=True)

    def _generations(self, key: str) -> dict[int, Path]:
        return {int(p.suffix[1:]): p for p in self._folder.glob(f"{key}.*") if p.suffix[1:].isdigit()}

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
            path.unlink(missing_ok=True)
            raise RunError(f"{path}: cannot be written: {error.strerror or error}") from None
        finally:
            os.close(descriptor)
        return True

    @staticmethod
    def _read(path: Path) -> Owner | None:
        """None where the claim is gone, or was not written to its end."""
        try:
            with path.open("rb") as file:
                data = json.loads(file.read(_MAX_BYTES))
            lasts = data["lasts_s"]
            return Owner(str(data["machine"]), int(data["pid"]), str(data["start"]), str(data["cells"]),
                         None if lasts is None else float(lasts))
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None

    def _age_s(self, path: Path) -> float:
        """Age of a claim by the clock of the file system, which may be another machine's."""
        probe = self._folder / f".now-{os.getpid()}"
        try:
            probe.touch()
            return probe.stat().st_mtime - path.stat().st_mtime
        except OSError:
            return 0.0
        finally:
            with contextlib.suppress(OSError):
                probe.unlink()


def _alive(owner: Owner | None, age_s: Callable[[], float]) -> bool:
    """Is the owner at work? On another machine that is only known to be over when no run can last so long."""
    if owner is None:
        return age_s() < _UNWRITTEN_S
    if owner.machine == _machine():
        return _start_of(owner.pid) == owner.start
    return owner.lasts_s is None or age_s() < owner.lasts_s


def _machine() -> str:
    parts = [platform.node()]
    with contextlib.suppress(OSError):
        parts += [Path("/proc/sys/kernel/random/boot_id").read_text().strip(), os.readlink("/proc/self/ns/pid")]
    return " ".join(parts)


def _start_of(pid: int) -> str | None:
    """When a process was started, which tells it from a later one with its number; None where there is none."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
        return None if fields[0] in (b"Z", b"X") else fields[19].decode()
    except (OSError, IndexError):
        pass
    if Path("/proc/self/stat").exists():
        return None
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return None
    except PermissionError:
        pass
    return ""

