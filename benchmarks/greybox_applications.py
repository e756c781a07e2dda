"""Applications and machines of the grey-box tables, and the configurations that each table runs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from benchmarks.simulator.machine import Machine, Network, Noise
from benchmarks.simulator.simulate import Application, simulate
from modeling.data.timed_runs import Runs

APPLICATIONS = (
    Application("halo3d", halos=1, reductions=1),
    Application("cg", flops=14, traffic_bytes=96, halos=1, reductions=3),
    Application("fft", flops=120, dimensions=2, transposes=2, reductions=1),
    Application("sweep", sweeps=2, halo_bytes=64, reductions=1),
    Application("master", flops=400, tasks=0.9, reductions=1),
    Application("serial", serial_flops=0.02, halos=1, reductions=1),
    Application("io", halos=2, reductions=1, written_bytes=0.5),
    Application("imbal", imbalance=0.15, halos=1, reductions=2),
    Application(
        "md",
        flops=400,
        traffic_bytes=200,
        resident_bytes=120,
        halos=2,
        halo_bytes=48,
        imbalance=0.04,
        reductions=1,
    ),
    Application("short", flops=8, traffic_bytes=16, resident_bytes=16, halos=1, reductions=6),
    Application("hot", hot=0.03, halos=1, reductions=1),
    Application(
        "multi", flops=60, halos=3, halo_bytes=16, reductions=4, transposes=0.3, fixed_s=2e-5
    ),
)
"""Stencils, a solver, transforms, a transport sweep, task farms, serial parts, output, uneven
ranks, particles."""

MACHINES = {
    "A": Machine(),
    "B": Machine(
        flop_s=4e-12,
        cache_bytes=(6 << 20, 6 << 20),
        cache_byte_s=(4e-13, 4e-13),
        memory_byte_s=1.2e-12,
        memory_cores=1,
        network=Network(latency_s=4e-6, overhead_s=2e-6, byte_s=8e-11, radix=18, taper=1.0),
        noise=Noise(run=0.03, detours=200, disturbed=0.02),
    ),
}
"""A: many nodes of cores that share caches and memory, an oversubscribed network; B: nodes with one
fast accelerator."""


_NODES = np.array([1.0, *(k * 2.0**e for e in range(1, 12) for k in (1, 1.5)), 4096.0])


@dataclass(frozen=True)
class Setting:
    """One table: title, machine, several cores a node, problems that grow (hybrid scaling)."""

    title: str
    machine: str
    cores: bool
    hybrid: bool


SETTINGS = (
    Setting("Table 1: A, strong scaling", "A", False, False),
    Setting("Table 2: B, strong scaling", "B", False, False),
    Setting("Table 3: A, hybrid scaling", "A", False, True),
    Setting("Table 4: B, hybrid scaling", "B", False, True),
    Setting("Table 5: A, several cores, strong scaling", "A", True, False),
    Setting("Table 6: A, several cores, hybrid scaling", "A", True, True),
)


def simulated(setting: Setting, app: Application, seed: int) -> Runs:
    """A full factorial design: 1 to 4,096 nodes with a rank each, or 1 to 2,048 nodes with up to 48
    (98,304 ranks)."""
    sizes = 2.0 ** np.arange(16, 27, 1.5 if setting.cores else 1)
    nodes = 2.0 ** np.arange(0, 12) if setting.cores else _NODES
    cores = np.array([1.0, 2, 4, 8, 16, 32, 48]) if setting.cores else np.ones(1)
    grid = np.meshgrid(sizes, nodes, cores, indexing="ij")
    return simulate(app, MACHINES[setting.machine], *(axis.ravel() for axis in grid), seed=seed)
