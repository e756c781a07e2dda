"""What a study asks of a modeler that learns while the program runs, and how its cost is measured."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

from modeling import Measurements, Models

_STATUS = Path("/proc/self/status")
_KIB = re.compile(r"(VmHWM|VmRSS):\s+(\d+) kB")


class Modeler(Protocol):
    """Takes in observations one by one and has models at any time."""

    def observe(self, callpath: str, metric: str, params: Mapping[str, float], value: float) -> None:
        """Take in one observation."""
        ...

    def measurements(self) -> Measurements:
        """What was observed so far, aggregated."""
        ...

    def models(self) -> Models:
        """The models of everything observed so far."""
        ...


@runtime_checkable
class Advisor(Protocol):
    """A modeler that knows where the next measurement would tell most."""

    def propose(self) -> Sequence[Mapping[str, float]]:
        """Parameter vectors to measure next, the best first; none if it does not matter."""
        ...


@dataclass(frozen=True)
class Cost:
    """What fitting has taken so far: how often, CPU time of all of it, memory that the largest one added to the process
    (None where the system does not tell), and the statistics kept (series times points)."""

    fits: int = 0
    cpu_s: float = 0.0
    peak_bytes: int | None = 0
    statistics: int = 0

    def __str__(self) -> str:
        memory = "memory unknown" if self.peak_bytes is None else f"{self.peak_bytes / 2**20:.1f} MiB"
        return f"fitting: {self.fits} times, {self.cpu_s:.2f} s CPU, {memory}; {self.statistics} statistics kept"


class Metered:
    """Makes models with `fit`, of what `modeler` has observed, and measures what that costs."""

    def __init__(self, fit: Callable[[], Models], modeler: Modeler) -> None:
        self._fit, self._modeler = fit, modeler
        self.cost = Cost()
        self.elapsed_s = 0.0

    def models(self) -> Models:
        """The models of everything so far."""
        before, started, wall = _reset_peak(), time.process_time(), time.monotonic()
        found = self._fit()
        spent = time.process_time() - started
        self.elapsed_s += time.monotonic() - wall
        after = None if before is None else _memory("VmHWM")
        peak = None if before is None or after is None or self.cost.peak_bytes is None \
            else max(self.cost.peak_bytes, after - before)
        kept = sum(len(s.points) for s in self._modeler.measurements().series)
        self.cost = Cost(self.cost.fits + 1, self.cost.cpu_s + spent, peak, kept)
        return found


def _reset_peak() -> int | None:
    """Let the kernel forget the peak of the memory in use; returns what is in use now, None where that is not told."""
    try:
        descriptor = os.open("/proc/self/clear_refs", os.O_WRONLY)
        try:
            os.write(descriptor, b"5")
        finally:
            os.close(descriptor)
    except OSError:
        return None
    return _memory("VmRSS")


def _memory(name: str) -> int | None:
    """Bytes of memory that the process uses (VmRSS), or has used at most (VmHWM)."""
    try:
        found = dict(_KIB.findall(_STATUS.read_text()))
        return int(found[name]) * 1024
    except (OSError, KeyError):
        return None
