"""What the system tells of a machine beside what is measured: kept with it, so that a file of runs
is all that is needed to judge a law on a machine that is gone."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from .description import System

_CACHES = Path("/sys/devices/system/cpu/cpu0/cache")
_PROCESSORS = Path("/proc/cpuinfo")
_HUGE = Path("/sys/kernel/mm/transparent_hugepage/enabled")


def system(
    caches: Path = _CACHES, processors: Path = _PROCESSORS, huge_pages: Path = _HUGE
) -> System:
    """Ways of the data caches, pages, and whether the machine is virtual, as Linux tells; what it
    does not tell is None or left out."""
    ways: dict[str, int] = {}
    for index in sorted(caches.glob("index*")):
        with contextlib.suppress(OSError, ValueError):
            if _text(index / "type") != "Instruction":
                number = int(_text(index / "ways_of_associativity"))
                ways[f"L{int(_text(index / 'level'))}"] = number
    chosen = virtual = None
    with contextlib.suppress(OSError, IndexError):
        chosen = _text(huge_pages).split("[")[1].split("]")[0]
    with contextlib.suppress(OSError):
        flags = [line for line in _text(processors).splitlines() if line.startswith("flags")]
        virtual = " hypervisor" in flags[0] if flags else None
    page = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else None
    return System(ways, page, chosen, virtual)


def _text(file: Path) -> str:
    return file.read_text().strip()
