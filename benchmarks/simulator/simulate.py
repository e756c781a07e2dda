"""Simulated runs of applications on up to 10**5 ranks: a clock for each rank, moved on by what the
ranks do.

A step computes on every rank's own share of a domain, exchanges halos with the neighbours of a grid
of ranks, and then reduces, transposes, sweeps, asks a master or writes, as the application's
numbers say. A rank that comes late keeps those waiting that need its data, and they keep others
waiting in the next step; a collective waits for the last. Shares are whole numbers of cells, so
that ranks differ in their work by themselves. All noise comes from a seeded generator.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.simulator.machine import Machine
from modeling.data.measurements import Floats
from modeling.data.timed_runs import Runs
from modeling.rank_classes.rank_rules import balanced_sides

_STEPS = 3  # steps that are simulated; the others take as long as these on average
_CHUNKS = 4096  # tasks that a master deals out


@dataclass(frozen=True)
class Application:
    """What one step does. Work of a cell: `flops`, `traffic_bytes`; `resident_bytes` of it stay in
    memory. The domain has `dimensions`; each halo exchange sends `halo_bytes` for a cell on a face.
    Then `reductions` of `reduction_bytes`, `transposes` of the whole domain, pipelined `sweeps`
    through it, `tasks` share of the work that a master deals out, `written_bytes` a cell. On one
    rank alone: `serial_flops` a cell, `fixed_s`. `imbalance`: relative spread of the cells' cost
    between ranks; `hot`: share of the domain, at its start, whose cells cost ten times as much."""

    name: str
    flops: float = 40.0
    traffic_bytes: float = 48.0
    resident_bytes: float = 64.0
    steps: int = 100
    dimensions: int = 3
    halos: int = 0
    halo_bytes: float = 8.0
    reductions: int = 0
    reduction_bytes: float = 8.0
    transposes: float = 0.0
    sweeps: int = 0
    tasks: float = 0.0
    written_bytes: float = 0.0
    serial_flops: float = 0.0
    fixed_s: float = 0.0
    imbalance: float = 0.0
    hot: float = 0.0


@dataclass(frozen=True)
class _Layout:
    """One configuration: sides of the grid of ranks; cells (R,) of each; neighbours: for each
    direction the ranks that have one, that neighbour, whether it is on another node, and the cells
    of the face between them."""

    nodes: float
    cores: float
    sides: tuple[int, ...]
    cells: Floats
    neighbours: tuple[tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.bool_], Floats], ...]

    @property
    def ranks(self) -> int:
        return len(self.cells)


def _layout(size: float, nodes: float, cores: float, dimensions: int, halos: bool) -> _Layout:
    sides = balanced_sides(round(nodes * cores), dimensions)
    edge = max(round(size ** (1 / dimensions)), 1)
    lengths = [np.full(k, edge // k) + (np.arange(k) < edge % k) for k in sides]
    grid = np.meshgrid(*lengths, indexing="ij")
    cells = np.prod(np.stack(grid), axis=0).astype(float)
    scale = size / max(edge**dimensions, 1)  # of a domain that is no whole cube
    index = np.arange(cells.size).reshape(sides)
    found = []
    for d in range(dimensions) if halos else ():
        face = np.divide(cells, np.maximum(grid[d], 1))
        for a, b in ((slice(1, None), slice(None, -1)), (slice(None, -1), slice(1, None))):
            own, other = (index[(slice(None),) * d + (s,)].ravel() for s in (a, b))
            found.append(
                (own, other, (own // round(cores)) != (other // round(cores)), face.ravel()[own])
            )
    return _Layout(nodes, cores, sides, cells.ravel() * scale, tuple(found))


def simulate(
    app: Application,
    machine: Machine,
    size: Floats,
    nodes: Floats,
    cores: Floats,
    seed: int = 0,
    repetitions: int = 3,
) -> Runs:
    """Runs at all given configurations; the time of each is the median of its repetitions. Sizes
    are cells, times seconds.

    Every configuration has a generator of its own, so that the time of one does not depend on which
    others are asked for.
    """
    times = []
    for m, a, c in zip(size, nodes, cores, strict=True):
        rng = np.random.default_rng([seed, round(m), round(a), round(c)])
        layout = _layout(m, a, c, app.dimensions, app.halos > 0)
        spread = np.exp(app.imbalance * rng.normal(size=layout.ranks))
        times.append(
            float(
                np.median([run_time(app, machine, layout, spread, rng) for _ in range(repetitions)])
            )
        )
    return Runs(size, nodes, cores, np.array(times))


def run_time(
    app: Application, machine: Machine, layout: _Layout, spread: Floats, rng: np.random.Generator
) -> float:
    """Seconds of one run; spread (R,): the relative cost of a rank's cells."""
    noise = machine.noise
    slow = 1 + noise.slower * rng.random(round(layout.nodes)) * (
        rng.random(round(layout.nodes)) < noise.slow
    )
    work = _work(app, machine, layout) * spread * np.repeat(slow, round(layout.cores))
    clock = np.zeros(layout.ranks)
    for _ in range(_STEPS):
        clock = _step(app, machine, layout, work, clock, rng)
    time = float(clock.max()) * app.steps / _STEPS * np.exp(rng.normal(0, noise.run))
    return float(time * (rng.uniform(1.2, 2.5) if rng.random() < noise.disturbed else 1.0))


def _work(app: Application, machine: Machine, layout: _Layout) -> Floats:
    """(R,) seconds of a step's work on each rank, that of the master's tasks left out."""
    own = 1 - app.tasks
    first = np.cumsum(layout.cells) - layout.cells
    hot = np.clip(app.hot * layout.cells.sum() - first, 0, layout.cells)
    cells = (layout.cells + 9 * hot) * own
    return machine.compute(
        cells * app.flops,
        cells * app.traffic_bytes,
        layout.cells * app.resident_bytes,
        layout.cores,
    )


def _step(
    app: Application,
    machine: Machine,
    layout: _Layout,
    work: Floats,
    clock: Floats,
    rng: np.random.Generator,
) -> Floats:
    total, ranks = float(layout.cells.sum()), layout.ranks
    clock = clock + work + machine.noise.detours_in(work, rng)
    alone = app.fixed_s + total * app.serial_flops * machine.flop_s
    if alone:
        clock = np.maximum(clock, clock[0] + alone)  # the others wait for what rank 0 does alone
    if app.tasks:
        clock = np.full(ranks, _dealt(app, machine, layout, float(clock.max())))
    for _ in range(app.halos if ranks > 1 else 0):
        clock = _exchange(app, machine, layout, clock)
    for _ in range(app.sweeps):
        clock = np.full(ranks, float(clock.max()) + _swept(app, machine, layout, float(work.max())))
    if ranks > 1:
        for _ in range(app.reductions):
            clock = np.full(
                ranks,
                float(clock.max())
                + machine.all_reduce(app.reduction_bytes, layout.nodes, layout.cores),
            )
        if app.transposes:
            each = total / ranks * 8
            clock = np.full(
                ranks,
                float(clock.max())
                + app.transposes * machine.all_to_all(each, layout.nodes, layout.cores),
            )
    if app.written_bytes:
        clock = np.full(
            ranks, float(clock.max()) + machine.write(total * app.written_bytes, layout.nodes)
        )
    return clock


def _exchange(app: Application, machine: Machine, layout: _Layout, clock: Floats) -> Floats:
    """Every rank goes on when its neighbours' messages are there; it sends one after the other."""
    network = machine.network
    sent = clock + (network.overhead_s + network.gap_s) * 2 * app.dimensions
    after = sent.copy()
    for own, other, remote, face in layout.neighbours:
        arrives = sent[other] + machine.message(
            face * app.halo_bytes, remote, layout.nodes, layout.cores
        )
        after[own] = np.maximum(after[own], arrives)
    return after


def _swept(app: Application, machine: Machine, layout: _Layout, work: float) -> float:
    """Seconds of a wavefront through a 2-D grid of ranks in 16 blocks each: the pipeline fills
    while the first work."""
    first, second = (*layout.sides, 1)[:2] if app.dimensions > 1 else (layout.ranks, 1)
    blocks, stages = 16, first + second - 2
    face = (float(layout.cells.max()) ** 0.5) * app.halo_bytes / blocks
    message = (
        float(machine.message(face, layout.nodes > 1, layout.nodes, layout.cores))
        if layout.ranks > 1
        else 0.0
    )
    return (stages + blocks) * (work / blocks + message) - message * (stages == 0)


def _dealt(app: Application, machine: Machine, layout: _Layout, start: float) -> float:
    """When all tasks are done that rank 0 hands out, one at a time, to idle ranks: either it or the
    workers are the bottleneck."""
    total = float(layout.cells.sum()) * app.tasks
    one = np.array([total / _CHUNKS])
    resident = one * app.resident_bytes
    task = float(
        machine.compute(one * app.flops, one * app.traffic_bytes, resident, layout.cores)[0]
    )
    if layout.ranks == 1:
        return start + _CHUNKS * task
    ask = float(machine.message(64.0, layout.nodes > 1, layout.nodes, 1))
    served = _CHUNKS * (2 * machine.network.overhead_s + machine.network.gap_s)
    return start + max(
        served + task, float(np.ceil(_CHUNKS / (layout.ranks - 1))) * (task + 2 * ask)
    )
