"""Rules that place ranks in classes by their position in the decomposition of a domain."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from .errors import InputError

Rule = Callable[[int, int, Mapping[str, float]], str]
"""(rank, number of ranks, parameters) -> name of the rank's class."""

_NAMES = {1: ("inner", "end"), 2: ("inner", "edge", "corner"), 3: ("inner", "face", "edge", "corner")}


@lru_cache(maxsize=4096)
def balanced_sides(ranks: int, dimensions: int) -> tuple[int, ...]:
    """Sides of the most nearly cubic grid of so many ranks, in descending order (as MPI_Dims_create's)."""
    if dimensions == 1:
        return (ranks,)
    best: tuple[int, ...] | None = None
    for side in range(1, ranks + 1):
        if ranks % side:
            continue
        sides = tuple(sorted((side, *balanced_sides(ranks // side, dimensions - 1)), reverse=True))
        if best is None or (sides[0] - sides[-1], sides) < (best[0] - best[-1], best):
            best = sides
    assert best is not None  # side 1 divides every number
    return best


def outer_faces(rank: int, sides: tuple[int, ...]) -> int:
    """On how many faces of the domain the rank lies, ranks numbered with the last dimension fastest (as MPI_Cart_create);
    a side of one rank lies on two."""
    faces = 0
    for side in reversed(sides):
        rank, place = divmod(rank, side)
        faces += (place == 0) + (place == side - 1)
    return faces


def grid_rule(dimensions: int) -> Rule:
    """Corner, edge, (face,) inner ranks of a domain of one to three dimensions.

    Raises:
        InputError: another number of dimensions.
    """
    if dimensions not in _NAMES:
        raise InputError(f"grid:{dimensions}: decompositions have 1, 2 or 3 dimensions, as in grid:2")
    names = _NAMES[dimensions]

    def rule(rank: int, ranks: int, params: Mapping[str, float]) -> str:
        faces = outer_faces(rank, balanced_sides(ranks, dimensions))
        return names[faces] if faces < len(names) else f"{faces} faces"
    return rule
