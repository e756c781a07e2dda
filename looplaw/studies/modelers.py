"""Modelers that learn while the program runs: their interface, and what fitting costs."""

from __future__ import annotations

import copy
import os
import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

from modeling import Measurements, Model, Models, OnlineFitter, Series

from ..exchange import Observation

_STATUS = Path("/proc/self/status")
_KIB = re.compile(r"(VmHWM|VmRSS):\s+(\d+) kB")


class Observer(Protocol):
    """Has observed something."""

    def measurements(self) -> Measurements:
        """What was observed so far, aggregated."""
        ...


class Modeler(Observer, Protocol):
    """Takes in observations one by one and has models at any time."""

    def observe(
        self, callpath: str, metric: str, params: Mapping[str, float], value: float
    ) -> None:
        """Take in one observation."""
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


class PerCall:
    """Fits calls that were kept apart by their values: an online fitter for each set of parameters,
    since every kernel has its own. Calls of a run that has not ended are included as they are known
    so far, and replaced when more is known."""

    def __init__(self) -> None:
        self._fitters: dict[tuple[str, ...], OnlineFitter] = {}
        self._so_far: tuple[Observation, ...] = ()

    def add(self, observations: Iterable[Observation]) -> None:
        """Calls of a finished run."""
        _observe(self._fitters, observations)

    def so_far(self, observations: Iterable[Observation]) -> None:
        """The calls of the current run so far; they replace those given before."""
        self._so_far = tuple(observations)

    def _all(self) -> Iterable[OnlineFitter]:
        if not self._so_far:
            return self._fitters.values()
        copies = copy.deepcopy(self._fitters)
        _observe(copies, self._so_far)
        return copies.values()

    def measurements(self) -> tuple[Series, ...]:
        """What was observed so far, aggregated."""
        return tuple(s for fitter in self._all() for s in fitter.measurements().series)

    def models(self) -> tuple[Model, ...]:
        """The models of everything observed so far."""
        return tuple(m for fitter in self._all() for m in fitter.models().models)


def _observe(
    fitters: dict[tuple[str, ...], OnlineFitter], observations: Iterable[Observation]
) -> None:
    for o in observations:
        names = tuple(sorted(o.params))
        fitters.setdefault(names, OnlineFitter(names)).observe(
            o.callpath, o.metric, o.params, o.value
        )


@dataclass(frozen=True)
class Cost:
    """What fitting has taken so far: how often, CPU time of all of it, memory that the largest one
    added to the process (None where the system does not tell), and the statistics kept (series
    times points)."""

    fits: int = 0
    cpu_s: float = 0.0
    peak_bytes: int | None = 0
    statistics: int = 0

    def __str__(self) -> str:
        memory = (
            "memory unknown" if self.peak_bytes is None else f"{self.peak_bytes / 2**20:.1f} MiB"
        )
        return (
            f"fitting: {self.fits} times, {self.cpu_s:.2f} s CPU, {memory}; {self.statistics}"
            " statistics kept"
        )


class Metered:
    """Makes models with `fit`, of what `observer` has observed, and measures what that costs."""

    def __init__(self, fit: Callable[[], Models], observer: Observer) -> None:
        self._fit, self._observer = fit, observer
        self.cost = Cost()
        self.elapsed_s = 0.0

    def models(self) -> Models:
        """The models of everything so far."""
        before, started, wall = _reset_peak(), time.process_time(), time.monotonic()
        found = self._fit()
        spent = time.process_time() - started
        self.elapsed_s += time.monotonic() - wall
        after = None if before is None else _memory("VmHWM")
        peak = (
            None
            if before is None or after is None or self.cost.peak_bytes is None
            else max(self.cost.peak_bytes, after - before)
        )
        kept = sum(len(s.points) for s in self._observer.measurements().series)
        self.cost = Cost(self.cost.fits + 1, self.cost.cpu_s + spent, peak, kept)
        return found


def _reset_peak() -> int | None:
    """Reset the kernel's record of peak memory; returns the memory in use now, None where the
    system does not say."""
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
