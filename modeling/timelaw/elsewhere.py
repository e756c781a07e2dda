"""A law of time on a machine where the program never ran.

What a law has learned of the program stays: its counts, its lines, how far the costs of memory that
were measured are those that it meets. What it has learned of the machine is exchanged: memory costs
what was measured there, and computing is faster or slower as operations of the core are. How much
less is known then is part of the law, so that every interval has it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from ..pmnf.machine_costs import Costs
from ..pmnf.time_law import FAR_OVERLAP, OVERLAP, REST, TimeLaw

Floats = NDArray[np.float64]
_UNKNOWN = 0.7
"""Deviation of the logarithm of a core's speed where neither machine tells it: processors of the
last ten years differ by a factor of two."""
_LEAST = 0.2
"""The same where operations of both are known and have one ratio: instructions are scheduled, and
vectors are as wide, differently."""
_MOVED = 0.5
"""What the factor on a measured cost of memory, learned on one machine, may be off on another: as
half of the programs of `benchmarks.bench_time --elsewhere` show it on two machines."""
_OTHER_LEVELS = 0.7
"""The same for a machine with another number of caches."""
ADDITION = "dependent addition"


@dataclass(frozen=True)
class Speed:
    """How many times as long a core takes: `ratio`; deviation: of its logarithm."""

    ratio: float
    deviation: float


def speed_of(here: Costs, there: Costs) -> Speed:
    """How long computing takes there, relative to here: the mean of the operations that both were
    measured for; they differ as far as its operations may from those of a program."""
    shared = sorted(here.operations.keys() & there.operations.keys())
    if not shared:
        return Speed(1.0, _UNKNOWN)
    ratios = np.log([there.operations[n] / here.operations[n] for n in shared])
    return Speed(float(np.exp(ratios.mean())), float(np.hypot(ratios.std(), _LEAST)))


def elsewhere(law: TimeLaw, there: Costs) -> TimeLaw:
    """The law on another machine.

    Args:
        there: what that machine was measured to cost.
    """
    there = there.of_team(law.costs.threads)
    here, speed = law.costs, speed_of(law.costs, there)
    groups, own, other = len(law.counts), len(here.levels) - 1, len(there.levels) - 1
    tail = groups + 2 * own
    theta, root = np.array(law.theta), np.array(law.root)
    theta[:groups] += np.log(speed.ratio)
    if law.chain:
        theta[tail + REST] += np.log(_addition(here, there, speed))
    levels = _levels(theta[groups:tail].reshape(2, own), other)
    moved = np.concatenate((theta[:groups], levels.ravel(), theta[tail:]))
    kept = root[groups:tail] if own == other else np.zeros((2 * other, root.shape[1]))
    learned = np.concatenate((root[:groups], kept, root[tail:]))
    return replace(
        law,
        theta=tuple(moved.tolist()),
        root=tuple(map(tuple, np.concatenate((learned, _open(law, there, speed)), 1).tolist())),
        costs=there,
    )


def _addition(here: Costs, there: Costs, speed: Speed) -> float:
    """How many times as long an addition takes that others wait for."""
    both = here.operations.get(ADDITION), there.operations.get(ADDITION)
    return both[1] / both[0] if both[0] and both[1] else speed.ratio


def _levels(learned: Floats, other: int) -> Floats:
    """(2, other) factors on costs and shifts of capacities: as they were learned for as many
    levels, else their means."""
    if learned.shape[1] == other:
        return learned
    return np.broadcast_to(learned.mean(axis=1, keepdims=True), (2, other))


def _open(law: TimeLaw, there: Costs, speed: Speed) -> Floats:
    """(D, k) what is open besides: computing, in one; costs of memory, each by itself."""
    groups, other = len(law.counts), len(there.levels) - 1
    tail = groups + 2 * other
    size = tail + REST + bool(law.chain) + 2 * (law.branches is not None)
    memory = _MOVED if len(law.costs.levels) == len(there.levels) else _OTHER_LEVELS
    alone = np.zeros(size)
    alone[groups:tail] = memory
    alone[tail : tail + REST] = _MOVED
    alone[[tail + OVERLAP, tail + FAR_OVERLAP]] = 0.0  # what hides what is the program's
    alone[tail + REST + bool(law.chain) :] = _MOVED
    core = np.zeros(size)
    core[:groups] = speed.deviation
    if law.chain:
        core[tail + REST] = speed.deviation
    return np.column_stack((core, np.diag(alone)))
