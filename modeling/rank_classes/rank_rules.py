"""Rules that assign ranks to classes: by position in the decomposition of a domain, by a formula,
or by a column of a table (Calotoiu et al., section V, "tuned clusters")."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from looplaw_common.errors import DataError, InputError
from looplaw_common.formula.formula import Formula

from ..data.observations import Point, point_of
from ..readers.choice import Choice
from ..readers.tables import table_of

Rule = Callable[[int, int, Mapping[str, float]], str]
"""(rank, number of ranks, parameters) -> name of the rank's class."""


@dataclass(frozen=True)
class ColumnRule:
    """A rule that a table states: (point, rank) -> class, as its column `name` says."""

    name: str
    classes: Mapping[tuple[Point, int], str]

    def __call__(self, rank: int, ranks: int, params: Mapping[str, float]) -> str:
        try:
            return self.classes[point_of(params), rank]
        except KeyError:
            at = ", ".join(f"{k}={v:g}" for k, v in params.items())
            raise InputError(f"{self.name}: no class for rank {rank} at {at}") from None


def column_rule(text: str, name: str, column: str, parameters: Sequence[str]) -> ColumnRule:
    """The rule that a column of a table (CSV with a column rank) states.

    Args:
        parameters: the columns that are parameters; by default all without another meaning.

    Raises:
        InputError: there is no such column.
        DataError: FILE:LINE: a rank is missing, or is in two classes at one point.
    """
    table = table_of(text, name, Choice(tuple(parameters)), ignored=(column,))
    place = table.grid.header.index(column)
    found: dict[tuple[Point, int], str] = {}
    for row in table.grid.rows():
        rank, said = table.rank_of(row), row.cells[place].strip()
        if rank is None:
            raise DataError(f"{row.where}: rank is missing; a class is that of a rank")
        before = found.setdefault((point_of(table.params(row)), rank), said)
        if before != said:
            raise DataError(
                f"{row.where}: rank {rank} is in the class {said} here and in {before} before"
            )
    return ColumnRule(column, found)


_NAMES = {
    1: ("inner", "end"),
    2: ("inner", "edge", "corner"),
    3: ("inner", "face", "edge", "corner"),
}


@lru_cache(maxsize=4096)
def balanced_sides(ranks: int, dimensions: int) -> tuple[int, ...]:
    """The sides of the most nearly cubic grid of so many ranks, in descending order, as
    MPI_Dims_create chooses them."""
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
    """The number of faces of the domain on which a rank lies, with ranks numbered as by
    MPI_Cart_create, the last dimension fastest. If a side has one rank, that rank lies on two."""
    faces = 0
    for side in reversed(sides):
        rank, place = divmod(rank, side)
        faces += (place == 0) + (place == side - 1)
    return faces


def grid_rule(dimensions: int) -> Rule:
    """The rule of corner, edge, face and inner ranks of a domain of one to three dimensions.

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
    """The rule that ranks are in one class if a formula in `rank`, `ranks` (their number) and the
    parameters has the same value for them; the class is called by that value."""

    def rule(rank: int, ranks: int, params: Mapping[str, float]) -> str:
        exact = {name: int(v) if v == int(v) else v for name, v in params.items()}
        value = formula.evaluate({**exact, "rank": rank, "ranks": ranks})
        return f"{float(value):g}"

    return rule
