"""Simulated ranks that diverge: a 2-D domain whose edge costs more than its inside."""

from __future__ import annotations

import numpy as np

from modeling.data.ranks import Experiment, RankedKernel
from modeling.rank_classes.rank_rules import balanced_sides, outer_faces


def simulate_boundaries(
    ranks: int,
    side: int,
    *,
    cell_s: float = 1e-8,
    boundary_cells: float = 8.0,
    noise: float = 0.02,
    seed: int = 0,
    parameters: tuple[str, ...] = ("n", "p"),
) -> Experiment:
    """One step of a 2-D domain on `ranks` ranks of side**2 cells each, where every cell on the
    domain's edge costs as much as `boundary_cells` more (Calotoiu et al., "Empirical Modeling of
    Spatially Diverging Performance", Listing 1)."""
    rng = np.random.default_rng(seed)
    sides = balanced_sides(ranks, 2)
    faces = np.array([outer_faces(r, sides) for r in range(ranks)], dtype=float)
    iterations = side * side + boundary_cells * side * faces
    time = iterations * cell_s * rng.uniform(1 - noise, 1 + noise, ranks)
    point = {"n": float(side), "p": float(ranks)}
    return Experiment(
        tuple(point[n] for n in parameters),
        np.arange(ranks),
        {"iterations": iterations[:, None], "time": time[:, None]},
    )


def boundary_kernel(
    ranks: tuple[int, ...], sides: tuple[int, ...], *, noise: float = 0.02, seed: int = 0
) -> RankedKernel:
    """`simulate_boundaries` at all pairs of ranks and sides."""
    return RankedKernel(
        "compute",
        ("n", "p"),
        tuple(
            simulate_boundaries(p, n, noise=noise, seed=seed + k * 1000 + j)
            for k, n in enumerate(sides)
            for j, p in enumerate(ranks)
        ),
    )
