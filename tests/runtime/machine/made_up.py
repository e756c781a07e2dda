"""A machine that does not exist, for tests that need one."""

from __future__ import annotations

import numpy as np

from runtime.machine.description import MACHINE, Curve, Machine
from runtime.machine.levels import levels
from runtime.machine.measure import working_sets

NOMINAL = (("L1", 48 << 10), ("L2", 2 << 20), ("L3", 64 << 20))
SIZES = working_sets(NOMINAL, 8 << 30)


def curve(capacities: list[float], costs: list[float], noise: float, seed: int) -> Curve:
    """Random loads on a machine of these capacities."""
    draw = np.random.default_rng(seed)
    w = np.array(SIZES, dtype=float)
    cost = np.full(len(w), float(costs[0]))
    for c, a, b in zip(capacities, costs, costs[1:], strict=False):
        cost += np.maximum(0, 1 - c / w) * (b - a)
    return Curve(SIZES, tuple(cost * (1 + noise * draw.random(len(w)))))


def streamed(capacities: list[float], costs: list[float]) -> Curve:
    """Streams that miss everything once they are half as long again as the cache."""
    w = np.array(SIZES, dtype=float)
    cost = np.full(len(w), float(costs[0]))
    for c, a, b in zip(capacities, costs, costs[1:], strict=False):
        cost += np.clip((w / c - 1) / 0.5, 0, 1) * (b - a)
    return Curve(SIZES, tuple(cost))


def made_up_machine() -> Machine:
    one = Curve((64, 128), (1.0, 2.0))
    all_levels = levels(
        NOMINAL,
        **{
            name: curve([45e3, 2e6, 3e7], [1, 2, 4, 9], 0, 1)
            for name in ("read", "written", "updated", "dependent", "independent")
        },
    )
    return Machine(
        MACHINE, "elsewhere", "a processor", "2026-01-01T00:00:00Z", 8, all_levels, one, one, one,
        one, one, one, one, 7.5, 8.0,
    )  # fmt: skip
