"""The JSON document "looplaw-speedups/1": what `looplaw fit --speedup --json` writes."""

from __future__ import annotations

from typing import Literal

import msgspec

SPEEDUPS: Literal["looplaw-speedups/1"] = "looplaw-speedups/1"


class BandDocument(msgspec.Struct, frozen=True):
    """Relative width of the prediction interval."""

    near: float
    far: float
    factor: float


class TimedRun(msgspec.Struct, frozen=True):
    """One run with what follows from it and what the law says there; times in seconds, None where a
    quantity does not exist."""

    size: float
    nodes: float
    cores: float
    time: float
    speedup: float | None = None
    efficiency: float | None = None
    serial_fraction: float | None = None
    model: float | None = None
    lower: float | None = None
    upper: float | None = None
    model_speedup: float | None = None
    speedup_lower: float | None = None
    speedup_upper: float | None = None


class SpeedupLaw(msgspec.Struct, frozen=True):
    """The law of one call path, and the runs that it was fitted to."""

    callpath: str
    roles: dict[str, str]
    work: str
    seed: int
    method: str
    weights: dict[str, float]
    errors: dict[str, float | None]
    band: BandDocument
    law: str | None
    unit: float
    runs: tuple[TimedRun, ...]


class SpeedupsDocument(msgspec.Struct, frozen=True):
    """Laws of speed-up of several call paths."""

    format: Literal["looplaw-speedups/1"]
    laws: tuple[SpeedupLaw, ...]
