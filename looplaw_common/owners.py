"""Which process something on a disk belongs to, and whether that still lives."""

from __future__ import annotations

import contextlib
import os
import platform
from functools import cache
from hashlib import sha256
from pathlib import Path


def machine() -> str:
    """What tells this machine's processes from those of others: host, boot and namespace."""
    parts = [platform.node()]
    with contextlib.suppress(OSError):
        parts += [
            Path("/proc/sys/kernel/random/boot_id").read_text().strip(),
            os.readlink("/proc/self/ns/pid"),
        ]
    return " ".join(parts)


def start_of(pid: int) -> str | None:
    """When a process was started, in ticks since boot, which tells it from a later one of its
    number; empty where the system does not tell, None if it does not exist."""
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
    except (PermissionError, OverflowError):
        pass
    return ""


def owned_name() -> str:
    """The owner in the name of a file: machine, process and its start, and what makes it unique."""
    pid = os.getpid()
    return f"{_machine_digest()}-{pid}-{start_of(pid) or 0}-{os.urandom(4).hex()}"


def is_orphaned(name: str) -> bool:
    """Has the owner in a name (`owned_name`) ended? Of one on another machine that is not known."""
    parts = name.split("-")
    if len(parts) != 4 or parts[0] != _machine_digest() or not parts[1].isdecimal():
        return False
    start = start_of(int(parts[1]))
    return start is None or start not in ("", parts[2])


@cache
def _machine_digest() -> str:
    return sha256(machine().encode("utf-8", "surrogateescape")).hexdigest()[:8]
