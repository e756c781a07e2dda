"""A bound on this process's memory: beyond it allocations fail, and nothing else on the machine is
pushed out of memory. Programs that are started keep the limits of the user."""

from __future__ import annotations

import os
import re
import resource
import sys

_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT]?)i?B?", re.IGNORECASE)
_POWERS = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4}
_WHAT = resource.RLIMIT_DATA if sys.platform == "linux" else resource.RLIMIT_AS
_CONTROL_GROUPS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")
"""Where Linux tells the limit of a container: control groups of versions 2 and 1."""
_OF_USER = resource.getrlimit(_WHAT)


def parse_size(text: str) -> int:
    """512M, 4G, 1.5 GiB or 1000000 -> bytes; K, M, G and T are powers of 1024.

    Raises:
        ValueError: it is none of these, or zero.
    """
    match = _SIZE.fullmatch(text.strip())
    found = int(float(match[1]) * 1024 ** _POWERS[match[2].upper()]) if match else 0
    if found <= 0:
        raise ValueError(text)
    return found


def written_size(nbytes: int) -> str:
    """A number of bytes as `parse_size` reads it, with four digits: 1.5 GiB."""
    for unit, power in (("TiB", 4), ("GiB", 3), ("MiB", 2), ("KiB", 1)):
        if nbytes >= 1024**power:
            return f"{nbytes / 1024**power:.4g} {unit}"
    return f"{nbytes} B"


def limit_memory(nbytes: int) -> None:
    """Let this process, and its forks, have no more memory than this.

    RLIMIT_DATA counts what may be written to (Linux 4.7), also what libraries and threads have only
    reserved up to now; that is left out of the account.
    """
    _load_blas()
    _, hard = _OF_USER
    most = nbytes + _reserved()
    if hard != resource.RLIM_INFINITY:
        most = min(most, hard)
    resource.setrlimit(_WHAT, (most, hard))


def is_memory_limited() -> bool:
    """Is there a bound on the memory of this process?"""
    return resource.getrlimit(_WHAT)[0] != resource.RLIM_INFINITY


def _load_blas() -> None:
    """OpenBLAS asks for its buffers again and again, for ever, when it gets none; so let it have
    them before there is a bound."""
    import numpy as np
    from scipy.linalg import lu_factor

    square = np.eye(128)
    lu_factor(square @ square)


def _reserved() -> int:
    """Bytes that this process may write to and has not written to; 0 where that is not known."""
    try:
        with open("/proc/self/status", encoding="ascii") as lines:
            said = dict(line.split(":", 1) for line in lines)
        kib = [int(said[name].split()[0]) for name in ("VmData", "RssAnon")]
    except (OSError, KeyError, ValueError, IndexError):
        return 0
    return max(kib[0] - kib[1], 0) * 1024


def resident() -> int:
    """Bytes of memory that this process takes up now; the most that it ever took where the system
    does not tell (macOS)."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * resource.getpagesize()
    except (OSError, ValueError, IndexError):
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most if sys.platform == "darwin" else most * 1024


def memory_of_machine() -> int:
    """Bytes of memory that the processes of this machine, or of this container, may have."""
    found = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    for file in _CONTROL_GROUPS:
        try:
            with open(file, encoding="ascii") as lines:
                found.append(int(lines.read()))
        except (OSError, ValueError):
            continue  # no control group, or one without a limit ("max")
    return min(n for n in found if n > 0)


def lift_limits(most: int | None = None) -> None:
    """In a child, before it becomes another program: the limits that the user had set, and no more
    memory than `most` bytes."""
    soft, hard = _OF_USER
    if most is not None:
        soft = min([most, *(n for n in _OF_USER if n != resource.RLIM_INFINITY)])
    if resource.getrlimit(_WHAT) != (soft, hard):
        resource.setrlimit(_WHAT, (soft, hard))


def memory_of_compilers() -> int:
    """Bytes that a compiler may have: what it reads may be a device that never ends."""
    return min(4 << 30, memory_of_machine() // 2)
