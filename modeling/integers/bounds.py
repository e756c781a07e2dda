"""What is certain about counts without a formula, if they only grow: those around bound them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from looplaw_common.formula.text import normal_text
from looplaw_common.formula.tree import Cases, Compare, Name, Node, Number, Truth

from .codes import Point


@dataclass(frozen=True)
class Envelope:
    """Counts (points (P, m), values (P,)) that do not fall where parameters grow.

    Between points the count is at least that of every smaller point, and at most that of every
    larger one. Beyond the points there is no upper bound, below them none but 0.
    """

    names: tuple[str, ...]
    points: tuple[Point, ...]
    values: tuple[int, ...]

    @staticmethod
    def of(names: Sequence[str], points: Sequence[Point], values: Sequence[int]) -> Envelope | None:
        """The envelope; None where a count falls, so that others may lie outside."""
        pairs = sorted(zip(points, values, strict=True))
        for k, (p, y) in enumerate(pairs):
            for q, z in pairs[k + 1 :]:
                if all(a <= b for a, b in zip(p, q, strict=True)) and y > z:
                    return None
        return Envelope(tuple(names), tuple(p for p, _ in pairs), tuple(y for _, y in pairs))

    def at(self, where: Mapping[str, int]) -> tuple[int, int | None]:
        """The least and the greatest count at a point; None where nothing bounds it."""
        point = tuple(where[n] for n in self.names)
        pairs = list(zip(self.points, self.values, strict=True))
        below = [y for p, y in pairs if all(a <= b for a, b in zip(p, point, strict=True))]
        above = [y for p, y in pairs if all(a >= b for a, b in zip(p, point, strict=True))]
        return max(below, default=0), min(above, default=None)

    @property
    def lower(self) -> str | None:
        """The lower bound as a formula of the only parameter; None where there are several."""
        return self._steps(zip(self.points[1:], self.values[:-1], strict=True), self.values[-1])

    @property
    def upper(self) -> str | None:
        """The upper bound up to the largest point, which it keeps beyond where nothing is known."""
        return self._steps(zip(self.points[:-1], self.values, strict=False), self.values[-1], "<=")

    def _steps(self, pairs, last: int, relation="<") -> str | None:  # type: ignore[no-untyped-def]
        if len(self.names) != 1:
            return None
        x = Name(self.names[0])
        cases: list[tuple[Node, Node]] = [
            (Number(y), Compare(x, relation, Number(p[0]))) for p, y in pairs
        ]
        return normal_text(Cases((*cases, (Number(last), Truth(True)))))
