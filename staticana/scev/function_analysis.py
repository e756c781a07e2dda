"""One function under analysis: its loops, values, path conditions and nests, each derived on demand
and once."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from ..expr import Assumptions, Expr
from ..expr.predicates import Cond
from ..ir.loop_info import Loop, LoopForest
from ..ir.matchers import is_any, is_phi
from ..ir.system_files import own_location
from ..ir.types import Function, Instruction
from .arithmetic.float_values import FloatValues
from .conditions import Conditions
from .constants.constant_runs import ConstantRuns
from .context import ProgramContext
from .executions.executions import Executions
from .loop_variables import LoopVariables
from .packed_arguments import Piece, pieces, whole_of
from .path_conditions import Paths
from .ranking import Ranking
from .scalar_evolution import ScalarEvolution
from .trip_counts import TripCounts

_RUST_SLICE = ("data_ptr", "length")
"""Members of a slice in Rust's debug information: the variable goes by its own name."""


class FunctionView:
    """The parts of the analysis that belong to one function, and what they ask of each other."""

    def __init__(self, program: ProgramContext, function: Function) -> None:
        self.program = program
        self.function = function
        self.scalars = ScalarEvolution(self)
        self.floats = FloatValues(self)
        self.conditions = Conditions(self)
        self.paths = Paths(self)
        self.variables = LoopVariables(self)
        self.trip_counts = TripCounts(self)
        self.executions = Executions(self)
        self.ranking = Ranking(self)
        self.constant_runs = ConstantRuns(self)
        self._places: dict[str | None, str] = {}

    @cached_property
    def forest(self) -> LoopForest:
        return self.program.forest(self.function)

    @cached_property
    def loops(self) -> dict[str, Loop]:
        """Loops by header."""
        return self.forest.by_header()

    @cached_property
    def reachable(self) -> dict[str, str]:
        """Blocks that can be reached (as keys)."""
        return self.forest.dominator

    @cached_property
    def _names(self) -> dict[str, str]:
        found: dict[str, str] = {}
        module = self.program.module
        for variable in self.function.variables:
            name = module.metadata_field(variable.node, "name")
            if variable.bit is not None:
                part = self.program.memory.names.part(variable.node, variable.bit)
                if part not in _RUST_SLICE:
                    name = part or name
            if name is not None:
                found.setdefault(variable.value, name)
        return self._names_of_parts() | found

    def _names_of_parts(self) -> dict[str, str]:
        """The members that are taken out of a register which holds several."""
        found: dict[str, str] = {}
        for token, piece in self.pieces.items():
            whole = whole_of(self.function, self.function.definitions[token])
            records = self.function.variables_in.get(whole.token, ()) if whole is not None else ()
            for _, variable in records:
                bit = (variable.bit or 0) + piece.shift
                part = self.program.memory.names.part(variable.node, bit)
                if part is not None and part not in _RUST_SLICE:
                    found.setdefault(token, part)
        return found

    def variable_name(self, token: str) -> str | None:
        """The source variable that a register holds."""
        return self._names.get(token)

    def held_by(self, i: Instruction) -> str | None:
        """The source variable that stands for a register: it holds the register, perhaps in a wider
        type, or each of the values that merge there; None where there are several or none."""
        own = self.variable_name(i.token)
        found = (
            {own}
            if own
            else self._widened.get(i.token) or (self._merged(i) if is_phi(i) else set())
        )
        return next(iter(found)) if len(found) == 1 else None

    @cached_property
    def _widened(self) -> dict[str, set[str | None]]:
        """Register -> source variables that hold it in a wider type, or, of what a call returns in
        registers, the first of the members that one register holds."""
        found: dict[str, set[str | None]] = {}
        for i in self.function.definitions.values():
            of = self.function.definitions.get(i.operands[0]) if i.operands else None
            packed = is_any(i, "trunc") and is_any(of, "extractvalue")
            if (packed or is_any(i, "sext", "zext")) and i.token in self._names:
                found.setdefault(i.operands[0], set()).add(self._names[i.token])
        return found

    def _merged(self, phi: Instruction) -> set[str | None]:
        """The source variables of all that a phi merges, directly or through others that hold none;
        None for what has none.

        So has what leaves a loop: LCSSA form merges it once more, and no debug record says so.
        """
        found: set[str | None] = set()
        phis: dict[str, Instruction] = {phi.token: phi}
        to_do = [phi]
        while to_do:
            for token in to_do.pop().operands:
                value = self.function.definitions.get(token)
                if token in self._names or not is_phi(value):
                    found.add(self._names.get(token))
                elif token not in phis:
                    phis[token] = value
                    to_do.append(value)
        return found

    @cached_property
    def parameter_names(self) -> tuple[str, ...]:
        """Source names of the formal parameters, else their names in the IR."""
        names = [self._names.get(p.token, p.token.name) for p in self.function.parameters]
        for k, p in enumerate(self.function.parameters):
            if k and names[k] == names[k - 1] and p.token.name.endswith(".1") and p.type[:1] == "i":
                names[k] = f"{names[k]}_len"  # the second half of a Rust slice
        return tuple(names)

    @cached_property
    def pieces(self) -> Mapping[str, Piece]:
        """Registers that hold one of several parts of a parameter."""
        return pieces(self.function)

    def piece_name(self, piece: Piece) -> str:
        """The source name of a part of an argument."""
        assert piece.at is not None
        names = (self.variable_name(t) for t, p in self.pieces.items() if p == piece)
        return next((n for n in names if n), f"{self.parameter_names[piece.at]}_{piece.shift // 8}")

    def place(self, instruction: Instruction) -> str:
        """file:line:column, else the function's name."""
        found = self._places.get(instruction.dbg)
        if found is None:
            location = self.program.module.location(instruction.dbg)
            found = str(location) if location else self.function.name
            self._places[instruction.dbg] = found
        return found

    def own_place(self, instruction: Instruction) -> str:
        """The same in the program's own files: what is inlined from a header of a library stands
        where that is called."""
        at = own_location(self.program.module, instruction.dbg)
        return str(at) if at is not None else self.place(instruction)

    # -- what varies
    def varies(self, symbol: str, header: str) -> bool:
        """May the symbol's value differ between two iterations of the loop?"""
        info = self.program.unknowns.get(symbol)
        if info is None:
            return False
        if info.function != self.function.name:
            return info.kind != "value"
        return info.block in self.loops[header].blocks

    def varying(self, e: Expr, header: str) -> list[str]:
        return sorted(s for s in e.symbols if self.varies(s, header))

    def has_values(self, condition: Cond) -> bool:
        """Does the condition depend on values that only a run can tell?"""
        return any(self.is_varying_data(e, loops=False) for e in condition.formulas())

    def is_data(self, condition: Cond) -> bool:
        """As `has_values`, or on loop variables without a closed form."""
        return any(self.is_varying_data(e) for e in condition.formulas())

    def is_varying_data(self, e: Expr, *, loops: bool = True) -> bool:
        for symbol in e.symbols:
            info = self.program.unknowns.get(symbol)
            if info is None:
                continue
            if info.kind != "variable":
                return True
            if (
                loops
                and info.function == self.function.name
                and not self.variables.is_solved(symbol, info.block)
            ):
                return True
        return False

    # -- loops
    def enclosing_loops(self, header: str) -> list[str]:
        """The loops around one, from inside out."""
        found: list[str] = []
        parent = self.loops[header].parent
        while parent is not None:
            found.append(parent)
            parent = self.loops[parent].parent
        return found

    def assumptions_on_entry(self, loop: Loop) -> Assumptions:
        """Formulas that are >= 0 whenever control comes to a loop."""
        above = self.forest.dominator.get(loop.header, loop.header)
        return self.paths.assumptions(above) if above != loop.header else Assumptions()

    def exit_targets(self, header: str) -> set[str]:
        """Where the loop is left to, exceptions and error exits aside."""
        return {
            e.target
            for e in self.loops[header].exits
            if not e.is_unwind
            and e.target not in self.paths.dead
            and not self.paths.is_never_taken(e.source, e.target)
        }

    def outermost_left(self, source: str, target: str) -> str:
        """The header of the outermost loop that the edge source -> target leaves."""
        header = self.forest.innermost[source]
        parent = self.loops[header].parent
        while parent is not None and target not in self.loops[parent].blocks:
            header, parent = parent, self.loops[parent].parent
        return header
