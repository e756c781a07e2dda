"""Hardware and kernel events of a child process, its threads and descendants (Linux
perf_event_open).

An event is opened on the thread that is about to start the program: disabled, inherited by the
children of the thread, and enabled when they call exec. So nothing of this process is counted, and
nothing of the program is missed.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

_HARDWARE, _SOFTWARE = 0, 1
_DISABLED, _INHERIT, _EXCLUDE_KERNEL, _EXCLUDE_HYPERVISOR, _ENABLE_ON_EXEC = (
    1,
    1 << 1,
    1 << 5,
    1 << 6,
    1 << 12,
)
_TIMES = 3
"""read_format: also read for how long the event was enabled, and for how long it had a counter."""
_CLOSE_ON_EXEC = 8
_ATTRIBUTES = struct.Struct("=IIQQQQQIIQ")
_READ = struct.Struct("=QQQ")
_CALLS = {"x86_64": 298, "aarch64": 241, "riscv64": 241, "ppc64le": 319, "loongarch64": 241}
_PARANOID = Path("/proc/sys/kernel/perf_event_paranoid")


@dataclass(frozen=True)
class Event:
    """An event.

    Attributes:
        type, config: as in perf_event_attr.
        in_kernel: counted in the kernel too, where it happens only there.
        per_unit: counts are in 1/per_unit.
    """

    type: int
    config: int
    in_kernel: bool = False
    per_unit: int = 1


EVENTS: Mapping[str, Event] = {
    "instructions": Event(_HARDWARE, 1),
    "cycles": Event(_HARDWARE, 0),
    "cache-references": Event(_HARDWARE, 2),
    "cache-misses": Event(_HARDWARE, 3),
    "branch-instructions": Event(_HARDWARE, 4),
    "branch-misses": Event(_HARDWARE, 5),
    "task-clock": Event(_SOFTWARE, 1, per_unit=10**9),
    "page-faults": Event(_SOFTWARE, 2),
    "context-switches": Event(_SOFTWARE, 3, in_kernel=True),
}
"""The events by the names of perf; task-clock is CPU time in seconds."""


class ProcessEvents:
    """Counts events of the processes that this thread starts inside the `with` block.

    Args:
        names: of `EVENTS`; events that are not available get no value.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._open: dict[str, int] = {}

    def __enter__(self) -> ProcessEvents:
        for name in self._names:
            try:
                self._open[name] = _opened(EVENTS[name])
            except OSError:
                continue
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for descriptor in self._open.values():
            os.close(descriptor)
        self._open.clear()

    def values(self) -> dict[str, int | float]:
        """The counts. An event that had to share its counter with others was not counted all the
        time; it is left out rather than extrapolated."""
        found: dict[str, int | float] = {}
        for name, descriptor in self._open.items():
            count, enabled, running = _READ.unpack(os.read(descriptor, _READ.size))
            if running == enabled > 0:
                per_unit = EVENTS[name].per_unit
                found[name] = count if per_unit == 1 else count / per_unit
        return found


def unavailable(name: str) -> str | None:
    """Why an event cannot be counted here; None if it can."""
    try:
        os.close(_opened(EVENTS[name]))
    except OSError as error:
        return _reason(error)
    return None


def _reason(error: OSError) -> str:
    if error.errno in (errno.EACCES, errno.EPERM):
        try:
            level = f" (perf_event_paranoid is {_PARANOID.read_text().strip()})"
        except OSError:
            level = ""
        return f"not permitted{level}; type: sudo sysctl kernel.perf_event_paranoid=1"
    if error.errno in (errno.ENOENT, errno.ENODEV, errno.EOPNOTSUPP):
        return "this machine has no such counter; virtual machines often have none"
    return f"perf_event_open: {error.strerror or error}"


def _opened(event: Event) -> int:
    """Open an event for the processes that the calling thread will start.

    Raises:
        OSError: the machine has no such event or does not allow it.
    """
    call = (
        _CALLS.get(platform.machine())
        if sys.platform == "linux" and sys.byteorder == "little"
        else None
    )
    if call is None:
        raise OSError(errno.ENOSYS, f"not known on {sys.platform}, {platform.machine()}")
    flags = _DISABLED | _INHERIT | _ENABLE_ON_EXEC
    if not event.in_kernel:
        flags |= _EXCLUDE_KERNEL | _EXCLUDE_HYPERVISOR
    attributes = ctypes.create_string_buffer(
        _ATTRIBUTES.pack(event.type, _ATTRIBUTES.size, event.config, 0, 0, _TIMES, flags, 0, 0, 0),
        _ATTRIBUTES.size,
    )
    descriptor = int(
        ctypes.CDLL(None, use_errno=True).syscall(
            ctypes.c_long(call),
            attributes,
            ctypes.c_int(0),
            ctypes.c_int(-1),
            ctypes.c_int(-1),
            ctypes.c_ulong(_CLOSE_ON_EXEC),
        )
    )
    if descriptor < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return descriptor
