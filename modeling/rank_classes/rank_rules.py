"""Rules that place ranks in classes by their position in the decomposition of a domain."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from looplaw_common.errors import InputError

from ..pmnf.formula import Formula

Rule = Callable[[int, int, Mapping[str, float]], str]
"""(rank, number of ranks, parameters) -> name of the rank's class."""


@dataclass(frozen=True)
class ClassOf:
    """A rule that was written down: (point, rank) -> class, as the column `name` of a table says
    it."""

    name: str
    classes: Mapping[tuple[tuple[tuple[str, float], ...], int], str]

    def __call__(self, rank: int, ranks: int, params: Mapping[str, float]) -> str:
        try:
            return self.classes[tuple(sorted(params.items())), rank]
        except KeyError:
            at = ", ".join(f"{k}={v:g}" for k, v in params.items())
            raise InputError(f"{self.name}: no class for rank {rank} at {at}") from None


_NAMES = {
    1: ("inner", "end"),
    2: ("inner", "edge", "corner"),
    3: ("inner", "face", "edge", "corner"),
}


@lru_cache(maxsize=4096)
def balanced_sides(ranks: int, dimensions: int) -> tuple[int, ...]:
    """Sides of the most nearly cubic grid of so many ranks, in descending order (as
    MPI_Dims_create's)."""
    if dimensions == 1:
        return (ranks,)
    best: tuple[int, ...] | None = None
    for side in _divisors(ranks):
        sides = tuple(sorted((side, *balanced_sides(ranks // side, dimensions - 1)), reverse=True))
        if best is None or (sides[0] - sides[-1], sides) < (best[0] - best[-1], best):
            best = sides
    assert best is not None  # side 1 divides every number
    return best


def _divisors(number: int) -> list[int]:
    low = [k for k in range(1, math.isqrt(number) + 1) if number % k == 0]
    return sorted({*low, *(number // k for k in low)})


def outer_faces(rank: int, sides: tuple[int, ...]) -> int:
    """On how many faces of the domain the rank lies, ranks numbered with the last dimension fastest
    (as MPI_Cart_create); a side of one rank lies on two."""
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
        raise InputError(
            f"grid:{dimensions}: decompositions have 1, 2 or 3 dimensions, as in grid:2"
        )
    names = _NAMES[dimensions]

    def rule(rank: int, ranks: int, params: Mapping[str, float]) -> str:
        faces = outer_faces(rank, balanced_sides(ranks, dimensions))
        return names[faces] if faces < len(names) else f"{faces} faces"

    return rule


def formula_rule(formula: Formula) -> Rule:
    """Ranks for which a formula in `rank`, `ranks` (their number) and the parameters has the same
    value are a class, which is called by that value."""

    def rule(rank: int, ranks: int, params: Mapping[str, float]) -> str:
        exact = {name: int(v) if v == int(v) else v for name, v in params.items()}
        value = formula.evaluate({**exact, "rank": rank, "ranks": ranks})
        return f"{float(value):g}"

    return rule
