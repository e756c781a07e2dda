"""What the parts of the analysis may ask of each other.

The analysis is recursive: the value of a register may rest on what memory holds, that on the path
conditions of stores, those on comparisons of registers, and a value behind a loop on the trip count
of the loop. Each part is written against the protocols below and imports no other part;
`function_analysis.FunctionView` implements `FunctionContext`, `interprocedural.program.Program`
implements `ProgramContext`.

Answers are memoised where they are found. A question that comes back to itself is answered by a
stand-in ("unknown") for as long as it is being worked out (`expr.budget.Provisional`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from typing import Protocol, TypeVar

from ..alias.alias_analysis import Aliasing
from ..alias.call_graph import Calls
from ..alias.memory_location import MemoryLocation, UnderlyingObject
from ..expr import Assumptions, Expr, Loaded
from ..expr.budget import Allowance
from ..expr.predicates import Cond
from ..ir.data_layout import Layout
from ..ir.debug_members import MemberNames
from ..ir.loop_info import Loop, LoopForest
from ..ir.types import Function, Global, Instruction, Module, Operand
from ..ranking.bounds import NestBounds
from .bounded_count import BoundedCount
from .loop_solution import LoopForms, LoopSolution
from .packed_arguments import Piece
from .pointer_table import PointerTable
from .unknowns import Unknowns
from .values import Answer, Reached, Real, RowEvent, Value

_T = TypeVar("_T")


class ScalarQueries(Protocol):
    """Values of registers (`scalar_evolution`)."""

    def value(self, token: Operand) -> Value:
        """The value of a register, constant or argument."""

    def bits(self, token: Operand, shift: int, width: int) -> Value | None:
        """The signed number in some bits of a register; None where they cannot be told apart."""

    def unknown(
        self,
        instruction: Instruction,
        meaning: str | None = None,
        block: str | None = None,
        key: str | None = None,
    ) -> Expr:
        """The symbol that stands for a register's value."""


class FloatQueries(Protocol):
    """Floating-point registers whose arithmetic needs no rounding (`float_values`)."""

    def exact(self, token: Operand) -> Value | None:
        """The value of a register or constant; None where its arithmetic may round."""

    def real(self, token: Operand) -> Real | None:
        """The real number behind a register that is rounded, by the whole numbers next to it."""

    def grain(self, phi: Instruction) -> int:
        """What a floating-point loop variable is multiplied with to be an integer."""


class ConditionQueries(Protocol):
    """Conditions of branches (`conditions`)."""

    def of(self, token: Operand) -> tuple[Cond, frozenset[Expr]]:
        """The condition that an i1 register stands for, with its preconditions."""


class PathQueries(Protocol):
    """Conditions of paths between blocks (`path_conditions`)."""

    @property
    def dead(self) -> set[str]:
        """Blocks that end the program."""

    def edge(self, source: str, target: str) -> tuple[Cond, frozenset[Expr]]:
        """The condition under which `source`, once reached, is left to `target`."""

    def edge_from(self, top: str, source: str, target: str) -> tuple[Cond, frozenset[Expr]]:
        """The condition that control, once at `top`, takes the edge source -> target."""

    def below(self, top: str, block: str) -> tuple[Cond, frozenset[Expr]]:
        """The condition that control, once at `top`, comes to `block`."""

    def top(self, block: str) -> str:
        """The nearest block that all ways to `block` pass."""

    def is_never_taken(self, source: str, target: str) -> bool:
        """Is an edge only taken by an exception, or where an allocation fails?"""

    def weight(self, top: str, block: str) -> BoundedCount:
        """How often control comes to `block` for each time it is at `top`."""

    def assumptions(self, block: str) -> Assumptions:
        """Formulas that are >= 0 whenever control is in `block`."""


class VariableQueries(Protocol):
    """Variables of loops (`loop_variables`)."""

    def variable(self, phi: Instruction, header: str) -> Value:
        """The symbol of a loop variable."""

    def symbol(self, phi: Instruction) -> str:
        """The name of a loop variable's symbol."""

    def index(self, header: str) -> str:
        """Name of a loop's iteration number."""

    def signs(self, header: str) -> list[Expr]:
        """Lower bounds of loop variables that plainly never decrease."""

    def forms(self, header: str) -> LoopForms:
        """The variables of a loop: updates, initial values, closed forms."""

    def known_forms(self, header: str) -> LoopForms:
        """What has been found so far of a loop that is being solved."""

    def in_memory(
        self,
        header: str,
        place: str,
        first: Callable[[], Value | None],
        latest: Callable[[], Value | None],
    ) -> Value | None:
        """What a place in memory holds at the head of a loop that adds to it."""

    def is_solved(self, symbol: str, header: str) -> bool:
        """Has the loop variable a closed form?"""


class TripCountQueries(Protocol):
    """Trip counts of loops (`trip_counts`)."""

    def solution(self, header: str) -> LoopSolution:
        """What is known of one loop."""

    def iterations(self, header: str) -> BoundedCount:
        """Iterations per entry, over the variables of the loops around."""

    def exit_value(self, header: str, label: str, value: Value) -> Value | None:
        """A value of the loop once the loop has been left by an edge from block `label`."""


class ExecutionQueries(Protocol):
    """Executions of blocks per call of the function (`executions`)."""

    def of(self, block: str) -> BoundedCount:
        """Executions of a block."""

    def iterations_per_call(self, header: str) -> BoundedCount:
        """Iterations of a loop."""

    def total(
        self, node: str, each: BoundedCount, target: str, around: str | None = "", *, key: str
    ) -> BoundedCount:
        """Sum of `each` over all executions of `node`."""


class RankingQueries(Protocol):
    """Bounds of loops whose ends data decide (`ranking`)."""

    def bounds(self, root: str | None) -> NestBounds:
        """The bounds of the loops of a nest, or of all loops of the function."""

    def iterations(self, header: str, root: str | None) -> BoundedCount | None:
        """Iterations of a loop at most, for each entry of the loop `root`, or for each call."""

    def executions(self, block: str) -> BoundedCount | None:
        """How often control comes to a block of a loop at most, for each call."""


class ConstantRunQueries(Protocol):
    """What constants decide is run (`constant_runs`)."""

    def solved(self, solution: LoopSolution) -> LoopSolution | None:
        """The solution of a loop that runs equally often whenever it is entered."""

    def most(self, header: str) -> int | None:
        """The iterations of an entry, at most, where constants alone lead out of a loop that data
        may end before."""

    def executions(self, block: str) -> BoundedCount | None:
        """Executions of a block in each call of the function."""

    def iterations(self, header: str) -> BoundedCount | None:
        """Iterations of a loop in each call of the function."""

    def periodic(self, header: str, block: str, runs: BoundedCount) -> BoundedCount | None:
        """Executions of a block of a loop in so many iterations, where a state that comes back
        decides in which."""


class FunctionContext(Protocol):
    """One function under analysis."""

    @property
    def program(self) -> ProgramContext: ...
    @property
    def function(self) -> Function: ...
    @property
    def forest(self) -> LoopForest: ...
    @property
    def loops(self) -> dict[str, Loop]:
        """Loops by header."""

    @property
    def reachable(self) -> Mapping[str, str]:
        """Blocks that can be reached (as keys)."""

    @property
    def scalars(self) -> ScalarQueries: ...
    @property
    def floats(self) -> FloatQueries: ...
    @property
    def conditions(self) -> ConditionQueries: ...
    @property
    def paths(self) -> PathQueries: ...
    @property
    def variables(self) -> VariableQueries: ...
    @property
    def trip_counts(self) -> TripCountQueries: ...
    @property
    def executions(self) -> ExecutionQueries: ...
    @property
    def ranking(self) -> RankingQueries: ...
    @property
    def constant_runs(self) -> ConstantRunQueries: ...
    @property
    def pieces(self) -> Mapping[str, Piece]:
        """Registers that hold one of several parts of a parameter."""

    @property
    def parameter_names(self) -> tuple[str, ...]:
        """Source names of the formal parameters, else their names in the IR."""

    def piece_name(self, piece: Piece) -> str:
        """The source name of a part of an argument."""

    def variable_name(self, token: str) -> str | None:
        """The source variable that a register holds."""

    def held_by(self, i: Instruction) -> str | None:
        """The source variable that stands for a register."""

    def place(self, instruction: Instruction) -> str:
        """file:line:column, else the function's name."""

    def own_place(self, instruction: Instruction) -> str:
        """The same in the program's own files: what is inlined from a header of a library stands
        where that is called."""

    def varies(self, symbol: str, header: str) -> bool:
        """May the symbol's value differ between two iterations of the loop?"""

    def varying(self, e: Expr, header: str) -> list[str]:
        """The symbols of a formula that may differ between two iterations of the loop."""

    def has_values(self, condition: Cond) -> bool:
        """Does the condition depend on values that only a run can tell?"""

    def is_data(self, condition: Cond) -> bool:
        """As `has_values`, or on loop variables without a closed form."""

    def is_varying_data(self, e: Expr, *, loops: bool = True) -> bool:
        """Does the formula depend on values that only a run can tell?"""

    def enclosing_loops(self, header: str) -> list[str]:
        """The loops around one, from inside out."""

    def assumptions_on_entry(self, loop: Loop) -> Assumptions:
        """Formulas that are >= 0 whenever control comes to a loop."""

    def exit_targets(self, header: str) -> set[str]:
        """Where a loop is left to, exceptions and error exits aside."""

    def outermost_left(self, source: str, target: str) -> str:
        """The header of the outermost loop that the edge source -> target leaves."""


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
    ) -> Expr:
        """A callee's formula in the caller's terms, with memory as it is before an instruction."""

    def lift_value(
        self,
        view: FunctionContext,
        block: str,
        before: Instruction,
        e: Expr,
        arguments: Mapping[str, Expr],
    ) -> Value:
        """As `lift`, with what the values in memory rest on."""


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
        self, view: FunctionContext, block: str, call: Instruction, target: Function
    ) -> Mapping[str, Expr]:
        """The values of a callee's arguments, by their symbols."""

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

    def kept_argument(self, view: FunctionContext, load: Instruction) -> Expr | None:
        """argc or argv read back from a variable whose address only MPI_Init got."""

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
