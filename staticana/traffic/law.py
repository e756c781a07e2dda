"""The law of a program's memory traffic: footprints of its loops, and lines that miss a cache."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..expr import Expr, Number
from ..interprocedural.program import Program
from .footprints import bound
from .misses import misses
from .references import LoopNode, Nest, references


@dataclass(frozen=True)
class LoopFootprint:
    """A loop and the lines that one execution of it touches; `lines` None: no closed formula."""

    at: str
    function: str
    depth: int
    lines: Expr | None


@dataclass(frozen=True)
class TrafficLaw:
    """Lines of 64 bytes between a program and its caches.

    nest: what the entry runs. notes: what the law rests on, in words.
    """

    nest: Nest

    @property
    def notes(self) -> tuple[str, ...]:
        return self.nest.notes

    @property
    def parameters(self) -> tuple[str, ...]:
        """The parameters that addresses and trip counts depend on."""
        found: set[str] = set()
        work = list(self.nest.body)
        while work:
            node = work.pop()
            if isinstance(node, LoopNode):
                found |= node.trips.symbols
                work.extend(node.body)
            else:
                found |= node.offset.symbols
        return tuple(sorted(s for s in found if s[0] != "%"))

    def lines(self, capacity_bytes: int, parameters: Mapping[str, Number]) -> float:
        """Lines that miss a cache of this capacity in one run that begins with nothing in it.

        Raises:
            Refused: a parameter has no value, or an address is not affine once they have.
        """
        return misses(bound(self.nest.body, parameters), capacity_bytes)


def traffic(program: Program, function: str | None = None) -> TrafficLaw:
    """The law of one call of a function (the entry unless told).

    Raises:
        Refused: an address or a trip count is no formula of iteration numbers and parameters; the
            message says which and where.
    """
    return TrafficLaw(references(program, function or program.entry))
