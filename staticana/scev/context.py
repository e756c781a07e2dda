"""What the parts of the analysis may ask of each other.

The analysis is recursive: the value of a register may rest on what memory holds, that on the path
conditions of stores, those on comparisons of registers, and a value behind a loop on the trip count
of the loop. Each part is handed the function that it belongs to, finds the others there, and
imports no other part but for its type. `interprocedural.program.Program` implements
`ProgramContext`, `memory.memory.Memory` implements `MemoryQueries`.

Answers are memoised where they are found. A question that comes back to itself is answered by a
stand-in ("unknown") for as long as it is being worked out (`expr.budget.Provisional`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Protocol, TypeVar

from ..alias.alias_analysis import Aliasing
from ..alias.call_graph import Calls
from ..alias.memory_location import MemoryLocation, UnderlyingObject
from ..alias.packed_arguments import Piece, pieces, whole_of
from ..expr import Assumptions, Expr, Loaded
from ..expr.budget import Allowance
from ..expr.predicates import Cond
from ..ir import cxx_names as cxx
from ..ir.data_layout import Layout
from ..ir.debug_members import MemberNames
from ..ir.graph import callee
from ..ir.loop_info import Loop, LoopForest
from ..ir.matchers import is_any, is_phi
from ..ir.system_files import own_location
from ..ir.types import Function, Global, Instruction, Module, Operand
from .unknowns import Unknowns
from .values import Answer, PointerTable, Reached, RowEvent, Value

if TYPE_CHECKING:
    from .arithmetic.float_values import FloatValues
    from .conditions import Conditions
    from .constants.constant_runs import ConstantRuns
    from .executions.executions import Executions
    from .loop_variables import LoopVariables
    from .path_conditions import Paths
    from .ranking import Ranking
    from .scalar_evolution import ScalarEvolution
    from .trip_counts import TripCounts

_T = TypeVar("_T")


_THIS = "this"
_RUST_SLICE = ("data_ptr", "length")
"""Members of a slice in Rust's debug information: the variable goes by its own name."""


class FunctionContext:
    """One function under analysis: its loops, its names, and the parts of the analysis that belong
    to it, which `function_analysis.FunctionView` makes."""

    scalars: ScalarEvolution
    floats: FloatValues
    conditions: Conditions
    paths: Paths
    variables: LoopVariables
    trip_counts: TripCounts
    executions: Executions
    ranking: Ranking
    constant_runs: ConstantRuns

    def __init__(self, program: ProgramContext, function: Function) -> None:
        self.program = program
        self.function = function
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
            made = self.function.definitions.get(variable.value)
            if name is not None and (name == _THIS or name.startswith("__")):
                if made is not None and made.is_call and cxx.ELEMENT.match(callee(made) or ""):
                    continue  # as a function calls it that was inlined
            if name is not None and found.get(variable.value, "__").startswith("__"):
                found[variable.value] = name  # `it` rather than the compiler's own `__begin1`
        # what leaves a loop is what it was there, not what it is copied to
        found |= {t: found[inside] for t in found if (inside := self._inside(t)) in found}
        return self._names_of_parts() | found

    def _inside(self, token: str) -> str:
        """The register that leaves loops by phis of one value as this one."""
        seen = {token}
        while is_phi(i := self.function.definitions.get(token)) and len(i.operands) == 1:
            if i.operands[0] in seen:  # in code that nothing comes to
                break
            token = i.operands[0]
            seen.add(token)
        return token

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


class MemoryQueries(Protocol):
    """Loads and stores (`memory`)."""

    @property
    def program(self) -> ProgramContext: ...
    @property
    def aliasing(self) -> Aliasing: ...
    @property
    def names(self) -> MemberNames: ...
    @property
    def assumed(self) -> Mapping[str, frozenset[str]]:
        """Symbol -> functions outside the program that are taken not to write there."""

    def load(self, view: FunctionContext, i: Instruction) -> Value:
        """The value of a load."""

    def reaching(
        self, view: FunctionContext, place: MemoryLocation, block: str, before: Instruction
    ) -> Reached:
        """What stands at a place when control is before an instruction of `block`."""

    def before(
        self, view: FunctionContext, place: MemoryLocation, block: str, before: Instruction
    ) -> Value | None:
        """What stands at a fixed place when control is before an instruction."""

    def perhaps_unset(
        self, view: FunctionContext, place: MemoryLocation, block: str, before: Instruction
    ) -> Value | None:
        """As `reaching`, of a local variable that is perhaps not set on every way."""

    def may_change_at_any_time(self, place: MemoryLocation) -> bool:
        """May another thread or a handler write to a place?"""

    def size_before_end(self, view: FunctionContext, load: Instruction) -> int | None:
        """The size of an element of a vector, where a load reads where its elements end."""

    def held(
        self, view: FunctionContext, place: MemoryLocation, block: str, before: Instruction
    ) -> Expr | None:
        """As `reaching`, where that rests on nothing."""

    def text_length(self, address: Expr) -> int | None:
        """The length of a text that the program never writes, by its address."""

    def initial(self, symbol: str) -> Global | None:
        """A global that holds what it starts with, by the symbol of its address."""

    def object_of(self, view: FunctionContext, symbol: str) -> UnderlyingObject | None:
        """The object or pointer argument whose address a symbol is."""

    def on_exit(self, function: Function, place: MemoryLocation) -> Reached:
        """What a function leaves at a place, over its arguments."""

    def stays(
        self,
        view: FunctionContext,
        place: MemoryLocation,
        block: str,
        after: Instruction,
        loop: Loop,
        but_for: tuple[Instruction, ...] = (),
    ) -> bool:
        """Does a place hold what it does behind an instruction until a loop is left, but for some
        instructions?"""

    def changing(
        self, view: FunctionContext, place: MemoryLocation, blocks: Collection[str]
    ) -> frozenset[Instruction]:
        """The instructions of these blocks that may write to a place."""

    def standing(
        self, view: FunctionContext, load: Instruction, block: str, before: Instruction
    ) -> Value | None:
        """What stands where a load reads, when control is before an instruction of `block`; None
        where any moment may change it, or where it is among a container's elements."""

    def element(self, view: FunctionContext, a: Loaded) -> Expr:
        """What a function finds at an address whose index has been put in: an element of a
        table."""

    def table(self, view: FunctionContext, load: Instruction) -> PointerTable | None:
        """What a pointer may be that is read from a table, or through its entries."""

    def on_entry(self, view: FunctionContext, value: Loaded) -> Expr:
        """What a function found in memory, as a formula where all callers agree on one."""

    def hoisted(
        self, view: FunctionContext, address: Expr, place: MemoryLocation, block: str, symbol: str
    ) -> str:
        """The block above all loops that neither change the address nor write there."""

    def text_of(self, a: Loaded) -> str:
        """The source expression of a value from memory."""

    def lift(
        self,
        view: FunctionContext,
        block: str,
        before: Instruction,
        e: Expr,
        arguments: Mapping[str, Expr],
        needed: set[Expr] | None = None,
    ) -> Expr:
        """A callee's formula in the caller's terms, with memory as it is before an instruction;
        `needed` collects what the values there rest on."""


class ProgramContext(Protocol):
    """The whole program under analysis."""

    @property
    def module(self) -> Module: ...
    @property
    def layout(self) -> Layout: ...
    @property
    def entry(self) -> str: ...
    @property
    def strict(self) -> bool:
        """Is nothing assumed but the rules of the language?"""

    allowance: Allowance

    def is_assumed_argc(self, function: Function, token: Operand) -> bool:
        """Is it argc, of which a value is taken for granted?"""

    @property
    def calls(self) -> Calls: ...
    @property
    def unknowns(self) -> Unknowns: ...
    @property
    def memory(self) -> MemoryQueries: ...
    @property
    def assumptions(self) -> Assumptions:
        """What holds of the program's parameters."""

    @property
    def parameters(self) -> Mapping[str, str]:
        """Parameters of the program: origin -> name."""

    @property
    def defined(self) -> Mapping[str, Function]:
        """Functions of this program."""

    @property
    def asks_callers(self) -> bool:
        """Are arguments and memory on entry what all callers agree on?"""

    @property
    def asks_contexts(self) -> bool:
        """Are callers asked by what their calls hand on, found once for all runs?"""

    def agreed(self, name: str, what: int | Piece | Loaded) -> Expr | None:
        """The formula in program parameters that an argument, a part of one or a value in memory is
        whenever a function is entered, by what calls hand on."""

    def knows_callers_of(self, name: str) -> None:
        """Note that more is told of a function's callers than what they hand on."""

    @property
    def from_below(self) -> ProgramContext | None:
        """The program with nothing asked of callers; None for that program itself."""

    def view(self, name: str) -> FunctionContext:
        """The analysis of one function."""

    def in_own_arguments(self, name: str) -> FunctionContext | None:
        """The analysis of a function that asks no callers, where it was finished before."""

    def told(self, name: str) -> frozenset[str]:
        """Of the symbols that a function is analysed over where no callers are asked: those of
        which this analysis knows more than what they are called."""

    def in_this_run(self, view: FunctionContext, e: Expr) -> Expr:
        """A formula over a function's own arguments and what it finds in memory, with what this
        analysis knows of these."""

    def forest(self, function: Function) -> LoopForest:
        """The loops of a function."""

    def handed_pieces(self, function: Function) -> frozenset[Piece]:
        """The parts of a function's arguments that are values of their own."""

    def runs_once(self, name: str) -> bool:
        """Does a run call the function at most once?"""

    def target(self, caller: str, call: Instruction) -> Function | None:
        """The one defined function that a call goes to."""

    def argument(self, function: Function, token: Operand) -> Expr:
        """An argument: a program parameter, what all callers pass, or a symbol of its own."""

    def argument_symbol(self, function: Function, at: int) -> str:
        """The symbol of an argument whose value callers decide."""

    def piece(self, function: Function, piece: Piece) -> Expr:
        """A part of an argument, as `argument`."""

    def piece_symbol(self, function: Function, piece: Piece) -> str:
        """The symbol of one part of an argument."""

    def arguments(
        self,
        view: FunctionContext,
        block: str,
        call: Instruction,
        target: Function,
        read: Collection[str] | None = None,
    ) -> Mapping[str, Expr]:
        """The values of a callee's arguments, by their symbols; read: those that are asked for."""

    def range_of(self, symbol: str) -> tuple[int, int] | None:
        """The least and the largest value that a parameter or an argument can have by its type;
        None for other symbols."""

    def argument_preconditions(
        self, view: FunctionContext, block: str, call: Instruction, target: Function
    ) -> Mapping[str, frozenset[Expr]]:
        """What the values of a callee's arguments rest on, by their symbols."""

    def parameter_of(self, function: Function, at: int) -> Expr:
        """Argument `at` of the entry as a parameter of the program."""

    def argv_string(self, address: Expr) -> Expr | None:
        """The pointer argv[k], from its address."""

    def words_behind(self, address: Expr) -> Expr | None:
        """How many words of the command line follow the one whose pointer stands at an address of
        argv; below 0 for the null behind the last one."""

    def string_text(self, view: FunctionContext, token: Operand) -> Expr | None:
        """The address of the text that a std::string holds; None where it may be another."""

    def number_of_words(self, view: FunctionContext, call: Instruction) -> Expr | None:
        """What a call returns that asks how many elements a vector of words has."""

    def argv_parameter(
        self, view: FunctionContext, call: Instruction, string: Expr, *, is_decimal: bool
    ) -> Expr | None:
        """The parameter that atoi(argv[k]) and the like read."""

    def argv_value(self, at: int, name: str) -> Expr:
        """The number that word `at` of the command line is."""

    def out_parameter(self, view: FunctionContext, load: Instruction) -> Value | None:
        """A named global, or what Fortran reads."""

    def answer(self, view: FunctionContext, call: Instruction) -> Answer | None:
        """What a call writes, where that is a parameter of the program: MPI_Comm_size, sscanf."""

    def received(
        self, view: FunctionContext, block: str, call: Instruction, place: MemoryLocation
    ) -> Value | None:
        """What a collective call of MPI leaves at a place, as a formula in parameters."""

    def same_handle(self, left: Expr, right: Expr) -> Cond | None:
        """Where two handles of communicators are equal, one of which the program makes; None for
        other numbers."""

    def thread_number(self, called: str, argument: int | None) -> Expr | None:
        """What a function, called with a number, says of the thread of a graphics processor that
        runs; None for other functions."""

    def team_size(self) -> Expr:
        """The number of threads of a team, unless the program sets it."""

    @property
    def row_events(self) -> Mapping[int, Sequence[RowEvent] | None]:
        """What happens to containers that are elements of others, by their type."""

    def never_null(self, view: FunctionContext, token: Operand) -> bool:
        """Is the pointer never null, as addresses of objects are?"""

    def is_never_null(self, view: FunctionContext, e: Expr) -> bool:
        """Is a formula of a function an address that is never null?"""

    def returned(self, callee: str) -> Value | None:
        """The integer a function returns, over its arguments."""

    def returned_bits(self, callee: str, shift: int, width: int, at: int = -1) -> Value | None:
        """The number in some bits of what a function returns, over its arguments; `at`: of this
        part of a structure."""

    def returned_field(self, callee: str, at: int) -> Value | None:
        """A part of the structure that a function returns in registers, over its arguments."""

    def returned_condition(self, callee: str) -> tuple[Cond, frozenset[Expr]] | None:
        """The truth value a function returns, over its arguments, with its preconditions."""

    def is_portable(self, value: Value) -> bool:
        """Is it a formula of a function's arguments and of what the function finds in memory?"""

    def at_call(self, view: FunctionContext, block: str, call: Instruction, value: Value) -> Value:
        """A portable value of a callee in the caller's terms."""

    def ask_callers(
        self, function: str, key: Hashable, question: Callable[[ProgramContext], _T]
    ) -> _T:
        """What the callers of a function say to a question that its own analysis asks; `key` tells
        it from the function's other questions."""

    def assume(self, note: str, function: str = "") -> None:
        """Note, in words, what all counts rest on that a function has a part in; without one, all
        counts of this analysis."""

    def assume_outside(self, functions: frozenset[str], function: str) -> None:
        """Note that functions outside the program were taken, in a function, to write only what
        they are handed."""
