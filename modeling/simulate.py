"""A simulated parallel machine: times of applications on up to 10**5 ranks, in the manner of LogGP.

A message of b bytes costs o + L + b G (Alexandrov et al., "LogGP", SPAA 1995), cheaper inside a node; the cores of a node
share its link to the network and its memory. A step of an application computes on its share of the problem and then
exchanges halos, reduces over all ranks, transposes (all to all), fills a pipeline or asks a master, as its numbers say.
All noise comes from a seeded generator. Sizes are units of work (cells); times are seconds.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .measurements import Floats
from .positions import balanced_sides, outer_faces
from .ranks import Experiment, RankedKernel
from .runs import Runs


@dataclass(frozen=True)
class Machine:
    """Latency L, overhead o, seconds per byte G between and inside nodes, cores that saturate a node's memory, growth of
    G with the nodes of an all-to-all (bisection), relative noise of a run, probability of a disturbed one."""

    latency_s: float = 2e-6
    overhead_s: float = 1e-6
    byte_s: float = 1e-9
    local_latency_s: float = 4e-7
    local_byte_s: float = 1e-10
    memory_cores: float = 12.0
    bisection: float = 1 / 3
    noise: float = 0.02
    disturbed: float = 0.01


@dataclass(frozen=True)
class Application:
    """Per step and cell: seconds of parallel work; of serial work, and seconds of it at any size; halo exchanges of a
    domain of so many dimensions, reductions, transposes, stages of a pipeline (sweep), requests to a master; imbalance:
    relative spread of the ranks' work."""

    name: str
    work_s: float = 1e-8
    serial_s: float = 0.0
    fixed_s: float = 0.0
    steps: int = 100
    dimensions: int = 3
    halos: float = 0.0
    reductions: float = 0.0
    transposes: float = 0.0
    sweeps: float = 0.0
    requests: float = 0.0
    imbalance: float = 0.0
    memory_bound: float = 0.0
    cell_bytes: float = 8.0


def step_time(app: Application, machine: Machine, size: Floats, nodes: Floats, cores: Floats) -> Floats:
    """Seconds of a step without noise; arrays broadcast."""
    ranks = nodes * cores
    share = size / ranks
    many, split = ranks > 1, nodes > 1
    slowed = 1 + app.memory_bound * np.maximum(cores / machine.memory_cores - 1, 0)
    spread = 1 + app.imbalance * np.sqrt(2 * np.log(ranks))  # the slowest of many
    compute = app.work_s * share * slowed * spread + app.serial_s * size + app.fixed_s
    latency = np.where(split, machine.latency_s, machine.local_latency_s) + 2 * machine.overhead_s
    per_byte = np.where(split, machine.byte_s * cores, machine.local_byte_s * cores)  # the cores share the link
    face = share ** ((app.dimensions - 1) / app.dimensions) * app.cell_bytes
    halo = 2 * app.dimensions * (latency + face * per_byte)
    levels = np.log2(cores) * (machine.local_latency_s + 2 * machine.overhead_s) + \
        np.log2(nodes) * (machine.latency_s + 2 * machine.overhead_s)
    transpose = (ranks - 1) * machine.overhead_s + share * app.cell_bytes * per_byte * nodes**machine.bisection
    sweep = 2 * np.sqrt(ranks) * (latency + np.sqrt(share) * app.cell_bytes * per_byte)
    master = ranks * machine.overhead_s
    talk = app.halos * halo + app.transposes * transpose + app.sweeps * sweep + app.requests * master
    total: Floats = compute + np.where(many, talk + app.reductions * levels, 0.0)
    return total


def simulate(app: Application, machine: Machine, size: Floats, nodes: Floats, cores: Floats, seed: int = 0,
             repetitions: int = 3) -> Runs:
    """Runs at all given configurations; the time of each is the median of its repetitions."""
    rng = np.random.default_rng(seed)
    clean = app.steps * step_time(app, machine, size, nodes, cores)
    noise = np.exp(rng.normal(0, machine.noise, (repetitions, len(clean))))
    hit = np.where(rng.random(noise.shape) < machine.disturbed, rng.uniform(1.2, 2.5, noise.shape), 1.0)
    return Runs(size, nodes, cores, clean * np.median(noise * hit, axis=0))


def simulate_boundaries(ranks: int, side: int, *, cell_s: float = 1e-8, boundary_cells: float = 8.0, noise: float = 0.02,
                        seed: int = 0, parameters: tuple[str, ...] = ("n", "p")) -> Experiment:
    """One step of a 2-D domain on `ranks` ranks of side**2 cells each, where every cell on the domain's edge costs as much
    as `boundary_cells` more (Calotoiu et al., "Empirical Modeling of Spatially Diverging Performance", Listing 1)."""
    rng = np.random.default_rng(seed)
    sides = balanced_sides(ranks, 2)
    faces = np.array([outer_faces(r, sides) for r in range(ranks)], dtype=float)
    iterations = side * side + boundary_cells * side * faces
    time = iterations * cell_s * rng.uniform(1 - noise, 1 + noise, ranks)
    point = {"n": float(side), "p": float(ranks)}
    return Experiment(tuple(point[n] for n in parameters), np.arange(ranks),
                      {"iterations": iterations[:, None], "time": time[:, None]})


def boundary_kernel(ranks: tuple[int, ...], sides: tuple[int, ...], *, noise: float = 0.02, seed: int = 0) -> RankedKernel:
    """`simulate_boundaries` at all pairs of ranks and sides."""
    return RankedKernel("compute", ("n", "p"), tuple(
        simulate_boundaries(p, n, noise=noise, seed=seed + k * 1000 + j)
        for k, n in enumerate(sides) for j, p in enumerate(ranks)))
