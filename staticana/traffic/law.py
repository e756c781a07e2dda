"""The law of a program's memory traffic: footprints of its loops, and lines that miss a cache."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ..alias.library import may_call_back
from ..expr import Expr, Number
from ..frontend.openmp.teams import team_module
from ..frontend.rust import countable
from ..interprocedural.program import Program
from ..ir.parser import parse_module
from ..recursion import deep_recursion
from .access_tree import AccessNode, AccessTree, Guard, LoopNode, TreeNode, placed_tree, unguarded
from .closed import footprint, footprint_bounds, largest
from .evaluation import Evaluation
from .machine_code import LINE
from .refusal import Refused
from .regimes import Regime, regimes
from .simulation import Simulator


@dataclass(frozen=True)
class LoopFootprint:
    """A loop and the lines that one execution of it touches; `lines` None: no closed formula."""

    at: str
    function: str
    depth: int
    lines: Expr | None
    per_iteration: Expr | None
    """Lines of one iteration: what a cache must hold for lines to be used again in the next."""

    def fits_until(self, capacity_bytes: int) -> tuple[str, int] | None:
        """(parameter, its largest value for which one iteration fits in a cache); None without a
        formula in one parameter."""
        if self.per_iteration is None or len(self.per_iteration.symbols) != 1:
            return None
        (name,) = self.per_iteration.symbols
        found = largest(self.per_iteration, name, capacity_bytes // LINE)
        return None if found is None or name[0] == "%" else (name, found)


@dataclass(frozen=True)
class TrafficLaw:
    """Lines of 64 bytes between a program and its caches.

    tree: what the entry runs, with places.
    """

    tree: AccessTree

    @property
    def notes(self) -> tuple[str, ...]:
        """What the law rests on, in words."""
        return self.tree.notes

    @property
    def fractions(self) -> frozenset[str]:
        """The unknowns that are fractions of cases."""
        return self.tree.fractions

    @property
    def unknowns(self) -> Mapping[str, str]:
        """Symbols among the parameters that stand for what only a run tells -> their meaning.
        Fractions among them need no value: without one, lines have bounds."""
        return self.tree.unknowns

    @property
    def parameters(self) -> tuple[str, ...]:
        """The parameters that addresses and trip counts depend on."""
        found: set[str] = set()
        for node in self.tree.nodes:
            match node:
                case LoopNode():
                    found |= node.trips.symbols
                case Guard():
                    found |= node.share.symbols
                case AccessNode():
                    found |= node.place.symbols
        return tuple(sorted(s for s in found if s[0] != "%"))

    @property
    def loops(self) -> tuple[LoopFootprint, ...]:
        """The loops in the order of the program, outer before inner."""
        found: dict[tuple[str, str, int], LoopFootprint] = {}

        def visit(body: tuple[TreeNode, ...], depth: int) -> None:
            for node in unguarded(body):
                if isinstance(node, LoopNode):
                    one = LoopFootprint(
                        node.at, node.function, depth, footprint((node,)), footprint(node.body)
                    )
                    found.setdefault((node.at, node.function, depth), one)
                    visit(node.body, depth + 1)

        visit(self.tree.body, 1)
        return tuple(found.values())

    @cached_property
    def footprint(self) -> tuple[Expr, Expr | None]:
        """The least and the most distinct lines that one call touches; where they are the same, the
        formula. None: no bound."""
        whole = footprint(self.tree.body)
        return footprint_bounds(self.tree.body) if whole is None else (whole, whole)

    @cached_property
    def regimes(self) -> tuple[Regime, ...]:
        """Closed formulas of the lines that miss, with their conditions; empty where there are
        none."""
        return regimes(self.tree.body)

    def at(self, parameters: Mapping[str, Number], capacities_bytes: Sequence[int]) -> Evaluation:
        """Iterations, lines that miss caches of these capacities, and write-backs of one run that
        begins with nothing in them.

        Raises:
            Refused: a parameter has no value, or the lines cannot be told.
        """
        return self._simulator.evaluate(capacities_bytes, parameters)

    @cached_property
    def _simulator(self) -> Simulator:
        return Simulator(self.tree, self.parameters)

    def lines(self, capacity_bytes: int, parameters: Mapping[str, Number]) -> float:
        """Lines that miss a cache of this capacity in one run that begins with nothing in it.

        Raises:
            Refused: a parameter has no value, or an address is not affine once they have.
        """
        return self.at(parameters, (capacity_bytes,)).levels[0].missed


@deep_recursion()
def serial_program(
    canonical_text: str,
    *,
    entry: str = "main",
    parameters: Mapping[str, str] | None = None,
    argc: int | None = None,
) -> Program:
    """A program from its IR, one thread standing for each team, to be asked for its traffic.

    Raises:
        InputError: the entry or a parameter does not exist.
    """
    plain = countable(parse_module(canonical_text))
    serial, _ = team_module(plain, entry=entry, calls_back=may_call_back)
    return Program(serial, entry=entry, parameters=parameters, argc=argc)


def traffic(program: Program, function: str | None = None) -> TrafficLaw:
    """The law of one call of a function (the entry unless told).

    Raises:
        Refused: an address or a trip count is no formula of iteration numbers and parameters; the
            message says which and where.
    """
    return TrafficLaw(placed_tree(program, function))


def traffic_of_functions(
    canonical_text: str,
    functions: Iterable[str],
    *,
    entry: str = "main",
    parameters: Mapping[str, str] | None = None,
) -> dict[str, TrafficLaw]:
    """The law of one call of each function (by symbol) that has one, as the entry reaches it.

    Raises:
        InputError: the entry or a parameter does not exist.
    """
    program = serial_program(canonical_text, entry=entry, parameters=parameters)
    found: dict[str, TrafficLaw] = {}
    for name in functions:
        with contextlib.suppress(Refused):
            found[name] = traffic(program, name)
    return found


def traffic_of(
    canonical_text: str, *, entry: str = "main", parameters: Mapping[str, str] | None = None
) -> TrafficLaw:
    """The law of a program from its IR, as `analysis.analyze` takes it.

    Raises:
        InputError: the entry or a parameter does not exist.
        Refused: as `traffic` does.
    """
    return traffic(serial_program(canonical_text, entry=entry, parameters=parameters))
