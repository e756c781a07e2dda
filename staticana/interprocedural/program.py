"""A whole program under analysis: what its functions ask of each other.

`Program` implements `scev.context.ProgramContext`; each kind of question has a module of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping
from functools import cached_property
from typing import TypeVar

from looplaw_common.errors import InputError

from ..alias.call_graph import defined_in
from ..alias.memory_location import MemoryLocation
from ..alias.packed_arguments import Piece
from ..expr import NO_ASSUMPTIONS, Assumptions, Expr, Loaded, TooComplex, sym, symbols
from ..expr.budget import DEFAULT_SECONDS, Allowance, Budget, OverBudget
from ..expr.loaded import carried
from ..expr.predicates import Cond
from ..frontend.openmp.regions import is_outlined
from ..ir.demangling import demangled
from ..ir.loop_info import TEAM_SIZE, LoopForest
from ..ir.types import Function, Instruction, Module, Operand, int_bits, quoted
from ..memory.memory import Memory
from ..scev.arithmetic.fits import INT, readers
from ..scev.bounded_count import BoundedCount, unknown
from ..scev.context import FunctionContext, ProgramContext
from ..scev.function_analysis import FunctionView
from ..scev.unknowns import Unknowns
from ..scev.values import Answer, RowEvent, Value
from .contexts import Contexts, Notes, Questions
from .facts import Facts
from .inputs.argument_bindings import ArgumentBindings
from .inputs.collectives import received
from .inputs.command_line import CommandLine
from .inputs.communicators import same_handle
from .inputs.output_parameters import answer, out_parameter, starts_processes
from .inputs.parameter_ranges import facts_of_counted, of_counted, range_of_parameter
from .inputs.program_parameters import ProgramParameters
from .inputs.string_texts import string_text
from .inputs.thread_numbers import ONE_THREAD, known_of_threads, thread_number
from .never_null import NeverNull
from .returned_values import ReturnedValues
from .shared_contexts import SharedContexts

_T = TypeVar("_T")
_ROW_BUDGETS = 5
"""Counts' time that may go into finding what happens to elements of containers."""


def _no_entry(entry: str, defined: list[str]) -> str:
    """What to say where a program does not have its entry."""
    if not defined:
        return f"--entry {entry}: the program defines no function"
    known = f"the program defines {', '.join(defined[:8])}"
    if entry == "main":
        return f"no main: {known}; looplaw analyze --entry {defined[0]} needs no main"
    return f"--entry {entry}: no such function; {known}"


class Program:
    """The functions of a program, its parameters, memory and calls.

    argc: how many words the command line has, the program's included. strict: nothing is assumed
    but the rules of the language. rows: containers that are elements of others have sizes.
    allowance: what the analysis may take; by default 2 s of CPU time for a count. facts: those of
    the module, this entry and `strict`, where they are known. asks_callers: are arguments and
    memory on entry what all callers agree on? base: an analysis that asks none, whose functions are
    those of this one as far as this one's callers answer none of their questions. known: the
    program's parameters, where another analysis shares them. may_borrow: functions in contexts may
    be those of runs before.

    Raises:
        InputError: the entry or a parameter does not exist.
    """

    def __init__(
        self,
        module: Module,
        *,
        entry: str,
        parameters: Mapping[str, str] | None = None,
        argc: int | None = None,
        strict: bool = False,
        rows: bool = True,
        allowance: Allowance | None = None,
        facts: Facts | None = None,
        asks_callers: bool = True,
        base: Program | None = None,
        known: ProgramParameters | None = None,
        may_borrow: bool = True,
    ) -> None:
        defined = defined_in(module) if facts is None else facts.calls.defined
        if entry and entry not in defined:
            raise InputError(_no_entry(entry, sorted(defined)))
        self.module = module
        self.entry = entry
        self.allowance = allowance if allowance is not None else Allowance(DEFAULT_SECONDS)
        self.strict = strict
        self.asks_callers = asks_callers
        self.unknowns: Unknowns = Unknowns(None if base is None else base.unknowns)
        self.facts = facts if facts is not None else Facts.of(module, entry, strict=strict)
        self.layout = self.facts.of_module.layout
        self.calls = self.facts.calls
        self.memory: Memory = Memory(
            self,
            self.facts.writes,
            self.facts.of_module.names,
            None if base is None else base.memory,
        )
        self.base = base
        self.may_borrow = may_borrow
        self._asking: Contexts | None = None  # for which this one is asked
        self.assumed: set[str] = set()
        self.noted = Notes()  # the same of single functions, where no callers are asked
        self._notes: tuple[tuple[int, int], frozenset[str]] = ((-1, -1), frozenset())
        self.questions = Questions(self)
        self.shortened: dict[tuple[Assumptions, Expr], Expr] = {}  # formulas as they are written
        self.shared = SharedContexts()  # of the runs whose base this is
        self.of_this_run: set[str] = set()  # functions that know more of callers than constants
        if base is not None and not asks_callers:
            self.noted, self.questions = base.noted, base.questions
        self.assumptions = NO_ASSUMPTIONS  # what holds of the program's parameters
        self._views: dict[str, FunctionView] = {}
        self._once: dict[str, bool] = {}
        self._told: dict[str, frozenset[str]] = {}
        self._ranges: dict[str, tuple[int, int] | None] = {}
        if known is None and base is not None:
            known = base._known.copy()
        self._known: ProgramParameters = (
            known if known is not None else ProgramParameters(module, parameters or {})
        )
        self._command_line = CommandLine(self, self._known, argc)
        self.bindings = ArgumentBindings(self, self._known, self._command_line)
        self._returned = ReturnedValues(self)
        self._never_null = NeverNull(self)
        if TEAM_SIZE in module.functions:
            self.team_size()
        self.is_device_code = self.facts.of_module.is_device_code
        if self.is_device_code:
            self.assumptions = self.assumptions.plus(*known_of_threads(self._known))
            self.assume(ONE_THREAD)
        self.row_events: dict[int, list[RowEvent] | None] = {}
        if rows and self.facts.of_module.has_rows:
            # found in a program of its own, which does not know them: what is asked for here is
            # remembered as it was answered
            alone = Program(
                module,
                entry=entry,
                parameters=parameters,
                argc=argc,
                strict=strict,
                allowance=self.allowance,
                rows=False,
                facts=self.facts,
                base=base,
            )
            self.row_events = alone.told_rows(self._known)

    def told_rows(self, known: ProgramParameters) -> dict[int, list[RowEvent] | None]:
        """What happens to containers that are elements of others, in another program's
        parameters; empty where it takes too long to find out."""
        try:
            with Budget(_ROW_BUDGETS * self.seconds):
                found = self.memory.rows.events()
        except (TooComplex, OverBudget):
            return {}
        same = {name: known.given(origin, name) for origin, name in self.parameters.items()}
        return {
            number: None if events is None else [e.in_terms_of(same) for e in events]
            for number, events in found.items()
        }

    @cached_property
    def from_below(self) -> ProgramContext | None:
        """The program with nothing asked of callers, in which what functions return and leave is
        found over their arguments alone: where callers are asked, they may ask for just that. None
        for that program itself."""
        if not self.asks_callers or self.base is not None:
            return self.base
        below = Program(
            self.module,
            entry=self.entry,
            argc=self.argc,
            strict=self.strict,
            allowance=self.allowance,
            rows=False,
            facts=self.facts,
            asks_callers=False,
            known=self._known,
        )
        below.assumed = self.assumed
        below._command_line.is_assumed = self._command_line.is_assumed
        return below

    @property
    def asks_contexts(self) -> bool:
        return self.base is not None and self.asks_callers and not self.facts.of_module.has_rows

    def agreed(self, name: str, what: int | Piece | Loaded) -> Expr | None:
        return None if self.contexts is None else self.contexts.agreed(name, what)

    def told_by_callers(self, name: str, q: BoundedCount) -> BoundedCount:
        """A count of one call of a function, with what all callers agree on."""
        contexts = self.contexts
        if contexts is None or not self.asks_contexts or name == self.entry:
            return q
        try:
            with Budget(self.seconds):
                return q.mapped(lambda e: contexts.in_run(name, e))
        except (TooComplex, OverBudget):
            return q

    def knows_callers_of(self, name: str) -> None:
        self.of_this_run.add(name)

    # -- functions and calls
    def runs_once(self, name: str) -> bool:
        """Does a run call a function at most once: the entry, and what one call outside of loops in
        such a function calls?"""
        if not self.asks_callers:
            return self.ask_callers(name, "once", lambda p: p.asks_callers and p.runs_once(name))
        if name not in self._once:
            self._once[name] = False  # what calls itself
            self._once[name] = self._is_called_once(name)
        return self._once[name]

    def _is_called_once(self, name: str) -> bool:
        if is_outlined(name) or self.is_device_code:
            return False  # each thread calls it
        sites = self.calls.callers.get(name, ())
        if name == self.entry:
            return not sites
        if len(sites) != 1 or name in self.calls.pointed:
            return False
        view = self.view(sites[0].caller)
        return (
            sites[0].block not in view.forest.innermost
            and not view.forest.irreducible
            and self.runs_once(sites[0].caller)
        )

    @cached_property
    def contexts(self) -> Contexts | None:
        """Which functions are analysed anew; None where all are."""
        if self.base is None:
            return None
        if self._asking is not None:
            return self._asking
        asking = Program(
            self.module,
            entry=self.entry,
            strict=self.strict,
            rows=False,
            allowance=self.allowance,
            facts=self.facts,
            base=self.base,
            known=self._known,  # a parameter that is met there is one of the run
        )
        asking.row_events = self.row_events
        asking._asking = Contexts(asking, self.base)
        asking._asking.may_borrow = self.may_borrow
        for lender, functions in asking._asking.lenders:
            for program in (asking, self):
                program.unknowns.borrow(lender.program.unknowns, functions)
                known = program.memory.assumed.maps
                own = [id(m) for m in known]
                known += [m for m in lender.program.memory.assumed.maps if id(m) not in own]
        return asking._asking

    def home(self, name: str) -> Program:
        """The analysis that knows what a call of a function does: the base, where that function and
        all below it are those of the base."""
        if self.base is None or self.contexts is None:
            return self
        lender = self.contexts.lender(name)
        if lender is not None:
            return lender.program
        return self if self.contexts.is_new_below(name) else self.base

    def view(self, name: str) -> FunctionView:
        if self.base is not None and self.contexts is not None:
            if not self.contexts.is_new(name):
                return self.base.view(name)
            lender = self.contexts.lender(name)
            if lender is not None:
                return lender.program.view(name)
        if name not in self._views:
            self._views[name] = FunctionView(self, self.module.functions[name])
        return self._views[name]

    def in_own_arguments(self, name: str) -> FunctionView | None:
        """The analysis of a function that asks no callers, where it was finished before."""
        if self.base is None or not self.base.questions.is_settled(name):
            return None
        return self.base.view(name)

    def told(self, name: str) -> frozenset[str]:
        """Of the symbols that a function is analysed over where no callers are asked: those of
        which this analysis knows more than what they are called."""
        if name not in self._told:
            self._told[name] = frozenset(
                s for s, e in self._known_on_entry(name) if not self._is_renamed(s, e)
            )
        return self._told[name]

    def _known_on_entry(self, name: str) -> Iterator[tuple[str, Expr]]:
        """What this analysis knows of the symbols that a function is analysed over."""
        function, view = self.module.functions[name], self.view(name)
        for at, p in enumerate(function.parameters):
            yield self.argument_symbol(function, at), self.argument(function, p.token)
        for piece in self.handed_pieces(function):
            if piece.at is not None:
                yield self.piece_symbol(function, piece), self.piece(function, piece)
        if self.base is not None:
            for a in list(self.base.memory.entry_values.asked.get(name, {}).values()):
                yield a.key, self.memory.on_entry(view, a)

    def _is_renamed(self, symbol: str, e: Expr) -> bool:
        """Is a formula no more than another name of a value on entry: its own symbol, or that of a
        parameter?"""
        name = e.atom.key if e.atom is not None and e.atom.is_symbol else None
        return name == symbol or name in self._known.names.values()

    def in_this_run(self, view: FunctionContext, e: Expr) -> Expr:
        """A formula over a function's own arguments and what it finds in memory, with what this
        analysis knows of these."""
        values = {
            s: known
            for s, known in self._known_on_entry(view.function.name)
            if s in e.symbols and not symbols.is_loaded(s)
        }
        return carried(e, values, lambda a: self.memory.on_entry(view, a))

    def forest(self, function: Function) -> LoopForest:
        """The loops of a function."""
        return self.facts.of_module.forest(function)

    def handed_pieces(self, function: Function) -> frozenset[Piece]:
        """The parts of a function's arguments that are values of their own."""
        return self.facts.of_module.handed_pieces.get(function.name, frozenset())

    @property
    def viewed(self) -> frozenset[str]:
        """The functions whose values were asked for."""
        return frozenset(self._views)

    @property
    def defined(self) -> dict[str, Function]:
        """Functions of this program."""
        return self.calls.defined

    def target(self, caller: str, call: Instruction) -> Function | None:
        """The one defined function that a call goes to."""
        return self.calls.target.get((caller, call.line))

    def never_null(self, view: FunctionContext, token: Operand) -> bool:
        """Is a pointer never null?"""
        return self._never_null.pointer(view, token)

    def is_never_null(self, view: FunctionContext, e: Expr) -> bool:
        """Is a formula of a function an address that is never null?"""
        return self._never_null.symbol(view, e)

    def is_portable(self, value: Value) -> bool:
        """Is it a formula of a function's arguments and of what the function finds in memory?"""
        found = value.expr.symbols.union(*(n.symbols for n in value.preconditions))
        return all(symbols.is_loaded(s) or self.unknowns.get(s) is None for s in found)

    def returned_bits(self, callee: str, shift: int, width: int, at: int = -1) -> Value | None:
        return self.home(callee)._returned.bits(callee, shift, width, at)

    def returned_field(self, callee: str, at: int) -> Value | None:
        return self.home(callee)._returned.field(callee, at)

    def returned_condition(self, callee: str) -> tuple[Cond, frozenset[Expr]] | None:
        return self.home(callee)._returned.condition(callee)

    def returned(self, callee: str) -> Value | None:
        """The integer a function returns, over its arguments."""
        return self.home(callee)._returned.value(callee)

    # -- arguments
    def argument_symbol(self, function: Function, at: int) -> str:
        return symbols.argument(function.name, at)

    def piece_symbol(self, function: Function, piece: Piece) -> str:
        """The symbol of one part of an argument."""
        assert piece.at is not None
        return symbols.argument_part(function.name, piece.at, piece.shift, piece.width)

    def argument(self, function: Function, token: Operand) -> Expr:
        """An argument: a program parameter, what all callers pass, or a symbol of its own."""
        return self.bindings.argument(function, token)

    def needs(self, q: BoundedCount) -> frozenset[Expr]:
        """What a count rests on, with what its parameters must not exceed though their types let
        them."""
        if not self._known.halved:
            return q.preconditions
        used = _symbols_of(q)
        return q.preconditions | {
            most - sym(p) for p, most in self._known.halved.items() if p in used
        }

    def words(self, q: BoundedCount) -> list[tuple[str, tuple[Expr, ...]]]:
        """Between which numbers words of the command line must lie that a count rests on: in words
        and as formulas."""
        return self._known.words(_symbols_of(q)) if self._known.readings else []

    def piece(self, function: Function, piece: Piece) -> Expr:
        """A part of an argument, as `argument`."""
        return self.bindings.piece(function, piece)

    def arguments(
        self,
        view: FunctionContext,
        block: str,
        call: Instruction,
        target: Function,
        read: Collection[str] | None = None,
    ) -> dict[str, Expr]:
        """The values of a callee's arguments, by their symbols; read: those that are asked for."""
        return self.bindings.arguments(view, block, call, target, read)

    def range_of(self, symbol: str) -> tuple[int, int] | None:
        """The least and the largest value that a parameter, an argument, a register or a value from
        memory can have by its type; None for other symbols."""
        known = self._counted.get(symbol) or self._known.ranges.get(symbol)
        if known is not None:
            return known
        if self.unknowns.is_number(symbol):
            return 0, (1 << 63) - 1
        if symbol not in self._ranges:
            self._ranges[symbol] = self._range_by_type(symbol)
        return self._ranges[symbol]

    @property
    def _counted(self) -> dict[str, tuple[int, int]]:
        """What parameters can be that number or count something."""
        named = ((name, of_counted(origin)) for origin, name in self._known.names.items())
        return {name: found for name, found in named if found is not None}

    @property
    def facts_of_parameters(self) -> tuple[Expr, ...]:
        """What is at least 0 of parameters that number or count something."""
        return tuple(facts_of_counted(self._known.names))

    def _range_by_type(self, symbol: str) -> tuple[int, int] | None:
        """What an integer can be by its type. Whether it is signed, those who read it know."""
        argument, info = symbols.as_argument(symbol), self.unknowns.get(symbol)
        function, token, kind = None, None, ""
        if argument is not None and argument.shift is None:
            function = self.module.functions.get(argument.function)
            if function is not None and argument.at < len(function.parameters):
                token, kind = function.parameters[argument.at][:2]
        elif symbols.is_loaded(symbol):
            kind = symbols.loaded_kind(symbol)
        elif info is not None and info.kind == "value":
            function, kind = self.module.functions.get(info.function), info.type
            name = symbols.register_name(symbol, info.function)
            made = function.definitions.get(f"%{quoted(name)}") if function and name else None
            token = made.result if made is not None else None
        bits = int_bits(kind)
        if bits is None:
            return None
        half = 1 << (bits - 1)
        if bits >= INT and function is not None and token is not None:
            read = readers(self.view(function.name), token)
            if read.unsigned and not read.behind:
                return 0, 2 * half - 1
            if bits > INT:
                return -half, half - 1
        return -half, 2 * half - 1

    def argument_preconditions(
        self, view: FunctionContext, block: str, call: Instruction, target: Function
    ) -> dict[str, frozenset[Expr]]:
        """What the values of a callee's arguments rest on, by their symbols."""
        return self.bindings.preconditions(view, block, call, target)

    def at_call(self, view: FunctionContext, block: str, call: Instruction, value: Value) -> Value:
        """A portable value of a callee in the caller's terms."""
        return self.bindings.at_call(view, block, call, value)

    # -- parameters
    @property
    def parameters(self) -> dict[str, str]:
        """Parameters of the program met so far: origin -> name."""
        return self._known.names

    @property
    def argc(self) -> int | None:
        """How many words the command line has, the program's included; None: not known."""
        return self._command_line.argc

    @property
    def argc_hides_code(self) -> bool:
        """May code run only with another number of arguments than is taken for granted?"""
        return self._command_line.hides_code

    def is_assumed_argc(self, function: Function, token: Operand) -> bool:
        """Is it argc, of which a value is taken for granted?"""
        return self._command_line.is_assumed_argc(function, token)

    def range_of_parameter(self, name: str, origin: str) -> tuple[int, int] | None:
        """The least and the largest value of a parameter of the program by its type; None where
        its sign is not known."""
        return range_of_parameter(self.module, name, origin, self._known.ranges)

    def parameter_of(self, function: Function, at: int) -> Expr:
        """Argument `at` of the entry as a parameter of the program."""
        origin = f"arg:{function.name}:{at}"
        return self._known.given(origin, self.view(function.name).parameter_names[at])

    def argv_string(self, address: Expr) -> Expr | None:
        """The pointer argv[k], from its address."""
        return self._command_line.argv_string(address)

    def words_behind(self, address: Expr) -> Expr | None:
        """How many words of the command line follow the one whose pointer stands at an address."""
        return self._command_line.words_behind(address)

    def string_text(self, view: FunctionContext, token: Operand) -> Expr | None:
        """The address of the text that a std::string holds; None where it may be another."""
        return string_text(self, view, token)

    def number_of_words(self, view: FunctionContext, call: Instruction) -> Expr | None:
        """What a call returns that asks how many elements a vector of words has."""
        return self._command_line.number_in_vector(view, call)

    def argv_parameter(
        self, view: FunctionContext, call: Instruction, string: Expr, *, is_decimal: bool
    ) -> Expr | None:
        """The parameter that atoi(argv[k]) and the like read."""
        return self._command_line.argv_parameter(view, call, string, is_decimal=is_decimal)

    def argv_value(self, at: int, name: str) -> Expr:
        """The number that word `at` of the command line is; `name` unless --param names it."""
        return self._command_line.argv_value(at, name)

    def out_parameter(self, view: FunctionContext, load: Instruction) -> Value | None:
        """A named global, or what Fortran reads."""
        return out_parameter(self, self._known, view, load)

    def answer(self, view: FunctionContext, call: Instruction) -> Answer | None:
        """What a call writes, where that is a parameter of the program: MPI_Comm_size, sscanf."""
        return answer(self._command_line, self._known, view, call)

    def received(
        self, view: FunctionContext, block: str, call: Instruction, place: MemoryLocation
    ) -> Value | None:
        """What a collective call of MPI leaves at a place, as a formula in parameters."""
        return received(self._known, view, block, call, place)

    def same_handle(self, left: Expr, right: Expr) -> Cond | None:
        """Where two handles of communicators are equal, one of which the program makes."""
        return same_handle(self._known, left, right)

    def thread_number(self, called: str, argument: int | None) -> Expr | None:
        """What a function says of the thread of a graphics processor that runs."""
        return thread_number(self._known, called, argument)

    def team_size(self) -> Expr:
        """The number of threads of a team, unless the program sets it."""
        is_processes = starts_processes(self.module) or self._known.named.get("mpi:size") == "p"
        size = self._known.given("omp:threads", "threads" if is_processes else "p")
        self.assumptions = Assumptions([size - 1])
        return size

    # -- assumptions and limits
    def ask_callers(
        self, function: str, key: Hashable, question: Callable[[ProgramContext], _T]
    ) -> _T:
        """What the callers of a function say to a question that its own analysis asks; `key` tells
        it from the function's other questions."""
        return self.questions.ask(function, key, question)

    def assume(self, note: str, function: str = "") -> None:
        """Note, in words, what all counts rest on that a function has a part in; without one, all
        counts of this analysis."""
        if self.asks_callers:
            self.assumed.add(note)
        self.noted.add(note, function)

    def assume_outside(self, functions: frozenset[str], function: str) -> None:
        """Note that functions outside the program are taken, in a function, to write only what they
        are passed."""
        for name in functions:
            self.assume(f"{demangled(name)} writes only what its arguments point to", function)

    @property
    def notes(self) -> frozenset[str]:
        """What all counts of this analysis rest on, in words: they may become more."""
        lent = (
            () if self.contexts is None or self.contexts.program is self else self.contexts.lenders
        )
        others = [lender.program.noted.number for lender, _ in lent]
        if self.base is not None:
            others.append(self.base.noted.number)
        key = len(self.assumed), sum(others)
        if self._notes[0] != key:
            found = frozenset(self.assumed)
            found |= {n for lender, fs in lent for n in lender.program.noted.of(fs)}
            if self.base is not None:
                found |= self.base.noted.of(self.calls.below_any((self.entry,)))
            self._notes = key, found
        return self._notes[1]

    def within(self, count: Callable[[], BoundedCount]) -> BoundedCount:
        """A count, or that it takes too long or becomes too long."""
        try:
            with Budget(self.seconds):
                return count()
        except TooComplex:
            return unknown("the formula would be too long")
        except OverBudget:
            return unknown(self.late())

    @property
    def seconds(self) -> float:
        """CPU time that the next count may take."""
        return self.allowance.seconds

    def late(self) -> str:
        """Why a count that took too long is refused."""
        return self.allowance.refusal


def _symbols_of(q: BoundedCount) -> frozenset[str]:
    """All that a count is written in, and what it rests on."""
    formulas = (q.formula, q.lower, q.upper, *q.preconditions)
    return frozenset[str]().union(*(e.symbols for e in formulas if e is not None))
