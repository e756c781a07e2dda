"""A whole program: parameters, calls, and counts per call composed over the call graph, from
callees to callers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import networkx as nx

from looplaw_common.errors import InputError

from ..alias.alias_analysis import ALLOCATORS
from ..alias.call_graph import Calls, Site, defined_in
from ..expr import (
    LOADED,
    ZERO,
    Atom,
    Expr,
    Facts,
    Loaded,
    TooComplex,
    expr,
    from_atom,
    has_loaded,
    sym,
)
from ..expr.budget import Budget, OverBudget, Provisional
from ..ir.data_layout import Layout
from ..ir.loop_info import TEAM_SIZE
from ..ir.types import Function, Instruction, Module
from ..scev.bounded_count import NOTHING, ONCE, Quantity, unknown
from ..scev.context import FunctionContext
from ..scev.function_analysis import FunctionView
from ..scev.memory import Memory
from ..scev.packed_arguments import Piece, handed_pieces
from ..scev.source_names import target_name
from ..scev.unknowns import OpaqueInfo, Opaques, is_internal
from ..scev.values import Value
from . import fortran_arguments as fortran
from .operations import OPERATIONS, argument_operations, instruction_mix
from .recursion import solve
from .self_calls import Recursion

_ARGV = "%argv"
_ARGV_ITEM = re.compile(r"%argv\[(\d+)\]$")
_NAME = re.compile(r"[A-Za-z_]\w*$")
_ORIGIN = re.compile(r"argv\[\d+\]|mpi:size|mpi:rank|omp:threads|global:.+|arg:.+:\d+")
_WORLD = frozenset(("1140850688", "@ompi_mpi_comm_world"))  # MPI_COMM_WORLD of MPICH and Open MPI
_MAX_FACTORS = 5  # means and fractions in one product
_KEEP_ARGUMENTS = frozenset(("@MPI_Init", "@MPI_Init_thread", "@PMPI_Init"))


@dataclass(frozen=True)
class ProgramParameter:
    """A parameter of the program and where it comes from: argv[1], mpi:size, omp:threads,
    global:VAR, arg:FUNCTION:0."""

    name: str
    origin: str


@dataclass
class Summary:
    """Counts per call of one function: iterations of loops by (function, header), operations by
    kind, work."""

    loops: dict[tuple[str, str], Quantity]
    operations: dict[str, Quantity]
    work: Quantity


class Program:
    """Derives everything that crosses functions.

    argc: how many words the command line has, the program's included. strict: functions outside the
    program may write everything that others can reach. seconds: CPU time that one count may take.
    """

    def __init__(
        self,
        module: Module,
        *,
        entry: str,
        parameters: Mapping[str, str] | None = None,
        argc: int | None = None,
        strict: bool = False,
        seconds: float = 2.0,
    ) -> None:
        defined = sorted(defined_in(module))
        if entry not in defined:
            raise InputError(
                f"--entry {entry}: no such function; the program defines {', '.join(defined[:8])}"
                if defined
                else f"--entry {entry}: the program defines no function"
            )
        self.module = module
        self.entry = entry
        self.argc = argc
        self.seconds = seconds
        self.layout = Layout(module)
        self.opaques = Opaques()
        self.memory = Memory(self, strict=strict)
        self.calls = Calls(module, self.memory.aliasing, entry)
        self.unsolved: dict[
            str, str
        ] = {}  # functions that call themselves -> why there is no formula
        self.parameters: dict[str, str] = {}  # origin -> name
        self.assumed: set[str] = set()
        self.facts = Facts()  # what holds of the program's parameters
        self._views: dict[str, FunctionView] = {}
        self._summaries: dict[str, Summary] = {}
        self._bindings: dict[tuple[str, int], Expr | None] = {}
        self._pieces: dict[tuple[str, Piece], Expr | None] = {}
        self._returned: dict[str, Value | None] = {}
        self._named = self._check_parameters(parameters or {})
        if TEAM_SIZE in module.functions:
            self.team_size()

    def _check_parameters(self, parameters: Mapping[str, str]) -> dict[str, str]:
        """--param NAME=ORIGIN, as origin -> name."""
        found: dict[str, str] = {}
        for name, origin in parameters.items():
            if not _NAME.match(name):
                raise InputError(f"--param {name}={origin}: {name!r} is not a name")
            if not _ORIGIN.fullmatch(origin):
                raise InputError(
                    f"--param {name}={origin}: write argv[1], mpi:size, omp:threads, global:VAR or "
                    "arg:FUNCTION:0"
                )
            if origin.startswith("global:") and origin[7:] not in self.module.globals:
                raise InputError(
                    f"--param {name}={origin}: the program has no global variable {origin[7:]}"
                )
            if origin.startswith("arg:"):
                _, function, at = origin.split(":")
                target = self.module.functions.get(function)
                if target is None or int(at) >= len(target.parameters):
                    raise InputError(
                        f"--param {name}={origin}: there is no argument {at} of a function"
                        f" {function}"
                    )
            found[origin] = name
        return found

    # -- functions and calls
    def view(self, name: str) -> FunctionView:
        if name not in self._views:
            self._views[name] = FunctionView(self, self.module.functions[name])
        return self._views[name]

    @property
    def defined(self) -> dict[str, Function]:
        """Functions of this program."""
        return self.calls.defined

    def target(self, caller: str, call: Instruction) -> Function | None:
        """The one defined function that a call goes to."""
        return self.calls.target.get((caller, call.line))

    # -- parameters
    def argument_symbol(self, function: Function, at: int) -> str:
        return f"%{function.name}.arg#{at}"  # no register has a name with #

    def piece_symbol(self, function: Function, piece: Piece) -> str:
        """The symbol of one part of an argument."""
        assert piece.at is not None
        return f"{self.argument_symbol(function, piece.at)}:{piece.shift}:{piece.width}"

    def piece(self, function: Function, piece: Piece) -> Expr:
        """A part of an argument, as `argument`."""
        assert piece.at is not None
        if function.name == self.entry and function.name != "main":
            name = self.view(function.name).piece_name(piece)
            return self._parameter(f"arg:{function.name}:{piece.at}:{piece.shift}", name)
        key = (function.name, piece)
        if key not in self._pieces:
            with Provisional(self._pieces, key, None):
                self._pieces[key] = self._same_everywhere(
                    function,
                    piece.at,
                    lambda view, token: view.scalars.bits(token, piece.shift, piece.width),
                )
        bound = self._pieces[key]
        return bound if bound is not None else sym(self.piece_symbol(function, piece))

    @cached_property
    def _taken_apart(self) -> Mapping[str, frozenset[Piece]]:
        """Parts of arguments that are values of their own, by function."""
        return handed_pieces(self.defined, self.calls.sites)

    def _handed(
        self, view: FunctionContext, block: str, call: Instruction, target: Function
    ) -> dict[str, Value]:
        """The values of the parts of a callee's arguments, by their symbols."""
        found: dict[str, Value] = {}
        for piece in sorted(self._taken_apart.get(target.name, ())):
            if piece.at is None or piece.at + 1 >= len(call.operands):
                continue
            symbol = self.piece_symbol(target, piece)
            value = view.scalars.bits(call.operands[piece.at + 1], piece.shift, piece.width)
            if value is None:
                name = self.view(target.name).piece_name(piece)
                value = Value(
                    self.opaques.add(
                        OpaqueInfo(
                            f"%{view.function.name}.{call.line}.{piece.at}.{piece.shift}",
                            "value",
                            name,
                            f"{name} handed to {target.name}",
                            view.place(call),
                            view.function.name,
                            block,
                        )
                    )
                )
            found[symbol] = value
        return found

    def argument(self, function: Function, token: str) -> Expr:
        """An argument: a program parameter, what all callers pass, or a symbol of its own."""
        at = next((k for k, p in enumerate(function.parameters) if p.token == token), None)
        if at is None:
            return sym(f"%{function.name}.{token}")
        origin = f"arg:{function.name}:{at}"
        if origin in self._named:
            return self._parameter(origin, self._named[origin])
        if function.name == self.entry:
            if function.name == "main":
                return self._command_line(function, at)
            if function.parameters[at].type[:1] == "i":
                return self._parameter(origin, self.view(function.name).parameter_names[at])
        bound = self._binding(function, at)
        return bound if bound is not None else sym(self.argument_symbol(function, at))

    def _command_line(self, function: Function, at: int) -> Expr:
        if at == 1:
            return sym(_ARGV)
        if at == 0 and not fortran.is_fortran(self.module):
            if self.argc is None:
                self.argc = self._words_read + 1
                self.assumed.add(f"the program is called with {self._words_read} arguments")
            return expr(self.argc)
        return sym(self.argument_symbol(function, at))

    @cached_property
    def _words_read(self) -> int:
        """The highest argv[k] that is read with a constant k."""
        main = self.module.functions[self.entry]
        argv = main.parameters[1].token if len(main.parameters) > 1 else ""
        highest = 0
        aliases = {(main.name, argv)}
        for i in main.definitions.values():  # argv kept in a variable, for MPI_Init
            if i.opcode == "load" and any(
                u.opcode == "store" and u.operands == (argv, i.operands[0])
                for b in main.blocks.values()
                for u in b.instructions
            ):
                aliases.add((main.name, i.token))
        for s in self.calls.sites:  # argv handed on as it is
            for k, token in enumerate(s.instruction.operands[1:]):
                if (s.caller, token) in aliases and k < len(self.defined[s.callee].parameters):
                    aliases.add((s.callee, self.defined[s.callee].parameters[k].token))
        for f in self.defined.values():
            for i in f.definitions.values():
                if (
                    i.opcode == "getelementptr"
                    and (f.name, i.operands[0]) in aliases
                    and i.operands[1].isdigit()
                ):
                    scale = self.layout.size(i.type) or 8
                    highest = max(highest, int(i.operands[1]) * scale // 8)
        return highest

    def _binding(self, function: Function, at: int) -> Expr | None:
        """What every caller passes, when it is the same formula in program parameters."""
        key = (function.name, at)
        if key not in self._bindings:
            with Provisional(self._bindings, key, None):
                self._bindings[key] = self._find_binding(function, at)
        return self._bindings[key]

    def _find_binding(self, function: Function, at: int) -> Expr | None:
        return self._same_everywhere(function, at, lambda view, token: view.scalars.value(token))

    def _same_everywhere(
        self, function: Function, at: int, read: Callable[[FunctionContext, str], Value | None]
    ) -> Expr | None:
        """What `read` finds in what every caller passes, when it is one formula in program
        parameters."""
        if function.name in self.calls.pointed:
            return None
        found: set[Expr] = set()
        for s in self.calls.callers.get(function.name, ()):
            if at + 1 >= len(s.instruction.operands):
                return None
            token = s.instruction.operands[at + 1]
            if s.caller == function.name and token == function.parameters[at].token:
                continue  # handed on unchanged in a recursive call
            if s.caller == function.name and token[0] == "%":
                # changed; and it must not be evaluated while it rests on what is being found here
                return None
            value = read(self.view(s.caller), token)
            if (
                value is None
                or value.needs
                or any(
                    is_internal(name) and name[0] != "@" and not name.startswith(_ARGV)
                    for name in value.expr.symbols
                )
            ):
                return None
            found.add(value.expr)
            if len(found) > 1:
                return None
        return found.pop() if found else None

    def argv_string(self, address: Expr) -> Expr | None:
        """The pointer argv[k], from its address."""
        rest = address - sym(_ARGV)
        value = rest.constant
        if _ARGV in address.symbols and isinstance(value, int) and value > 0 and value % 8 == 0:
            return sym(f"{_ARGV}[{value // 8}]")
        return None

    def argv_parameter(self, view: FunctionContext, call: Instruction, string: Expr) -> Expr | None:
        """atoi(argv[k]) and the like."""
        atom = string.atom
        match = _ARGV_ITEM.match(atom.key) if atom is not None else None
        if match is None:
            return None
        at = int(match.group(1))
        return self.argv_value(at, self._holder(view, call.token) or f"argv{at}")

    def argv_value(self, at: int, name: str) -> Expr:
        """The number that word `at` of the command line is; `name` unless --param names it."""
        return self._parameter(f"argv[{at}]", self._named.get(f"argv[{at}]") or name)

    def parameter_of(self, function: Function, at: int) -> Expr:
        """Argument `at` of the entry as a parameter of the program."""
        origin = f"arg:{function.name}:{at}"
        return self._parameter(
            origin, self._named.get(origin) or self.view(function.name).parameter_names[at]
        )

    def _holder(self, view: FunctionContext, token: str) -> str | None:
        """The variable that holds a value, else the parameter of a function it is passed to."""
        function = view.function
        users: dict[str, list[Instruction]] = {}
        for b in function.blocks.values():
            for i in b.instructions:
                for o in i.operands:
                    users.setdefault(o, []).append(i)
        seen, work, passed = {token}, [token], None
        while work:
            current = work.pop(0)
            name = view.variable_name(current)
            if name:
                return name
            for i in users.get(current, ()):
                if (
                    i.opcode
                    in ("trunc", "sext", "zext", "freeze", "phi", "select", "fptosi", "fptoui")
                    and i.token not in seen
                ):
                    seen.add(i.token)
                    work.append(i.token)
                elif i.opcode == "store" and i.operands[0] == current:
                    passed = (
                        passed
                        or view.variable_name(i.operands[1])
                        or target_name(view, i.operands[1])
                    )
                elif i.opcode in ("call", "invoke") and i.operands[0][1:] in self.defined:
                    callee = self.view(i.operands[0][1:])
                    at = i.operands[1:].index(current) if current in i.operands[1:] else None
                    if at is not None and at < len(callee.parameter_names):
                        passed = passed or callee.parameter_names[at]
        return passed

    def _parameter(self, origin: str, name: str) -> Expr:
        if origin not in self.parameters:
            taken = set(self.parameters.values())
            if name in taken or not _NAME.match(name):
                name = (
                    "".join(c if c.isalnum() else "_" for c in name)
                    if not _NAME.match(name)
                    else name
                )
                number = 1
                base = name
                while name in taken:
                    number += 1
                    name = f"{base}{number}"
            self.parameters[origin] = name
        return sym(self.parameters[origin])

    def out_parameter(self, view: FunctionContext, load: Instruction) -> Expr | None:
        """A variable that only MPI_Comm_size (or the like) or a named global sets, or one of
        Fortran."""
        found = fortran.loaded(self, view, load)
        if found is not None:
            return found
        token = load.operands[0]
        if token[0] == "@" and f"global:{token[1:]}" in self._named:
            return self._parameter(f"global:{token[1:]}", self._named[f"global:{token[1:]}"])
        i = view.function.definitions.get(token)
        if i is None or i.opcode != "alloca":
            return None
        setters = [
            u
            for b in view.function.blocks.values()
            for u in b.instructions
            if token in u.operands and u.opcode != "load" and not u.operands[0].startswith("@llvm.")
        ]
        if len(setters) != 1 or setters[0].opcode not in ("call", "invoke"):
            return None
        callee = setters[0].operands[0][1:]
        if setters[0].operands[1] not in _WORLD:
            return None
        if callee == "MPI_Comm_size":
            return self._parameter("mpi:size", self._named.get("mpi:size", "p"))
        if callee == "MPI_Comm_rank" and "mpi:rank" in self._named:
            return self._parameter("mpi:rank", self._named["mpi:rank"])
        return None

    def team_size(self) -> Expr:
        """The number of threads of a team, unless the program sets it."""
        size = self._parameter("omp:threads", self._named.get("omp:threads", "p"))
        self.facts = Facts([size - 1])
        return size

    def kept_argument(self, view: FunctionContext, load: Instruction) -> Expr | None:
        """argc or argv read back from a variable whose address only MPI_Init got."""
        i = view.function.definitions.get(load.operands[0])
        if i is None or i.opcode != "alloca" or view.function.name != self.entry:
            return None
        stored = None
        for b in view.function.blocks.values():
            for u in b.instructions:
                if (
                    i.token not in u.operands
                    or u.opcode == "load"
                    or u.operands[0].startswith("@llvm.")
                ):
                    continue
                if u.opcode == "store" and u.operands[1] == i.token and stored is None:
                    stored = u.operands[0]
                elif u.opcode not in ("call", "invoke") or u.operands[0] not in _KEEP_ARGUMENTS:
                    return None
        if stored is None or stored not in {p.token for p in view.function.parameters}:
            return None
        return view.scalars.value(stored).expr

    def never_null(self, view: FunctionContext, token: str) -> bool:
        """Addresses of objects, and allocations (which are assumed to succeed)."""
        if token[0] == "@":
            return True
        i = view.function.definitions.get(token)
        if i is None:
            return False
        if i.opcode in ("call", "invoke") and i.operands[0][1:] in ALLOCATORS:
            self.assumed.add("allocations succeed")
            return True
        if i.opcode == "phi":
            return False
        return i.opcode == "alloca" or (i.opcode == "getelementptr" and "inbounds" in i.flags)

    def returned(self, callee: str) -> Value | None:
        """The integer a function returns, over its arguments; None where it is not a formula of
        them."""
        if callee not in self._returned:
            with Provisional(self._returned, callee, None):
                self._returned[callee] = self._find_returned(callee)
        return self._returned[callee]

    def _find_returned(self, callee: str) -> Value | None:
        if callee not in self.defined or callee in self.calls.recursive:
            return None
        view = self.view(callee)
        returns = [
            b
            for b in view.function.blocks.values()
            if b.terminator.opcode == "ret" and b.name in view.reachable
        ]
        if len(returns) != 1 or not returns[0].terminator.operands:
            return None
        value = view.scalars.value(returns[0].terminator.operands[0])
        return value if self.is_portable(value) else None

    def is_portable(self, value: Value) -> bool:
        """Is it a formula of a function's arguments and of what the function finds in memory?"""
        symbols = value.expr.symbols.union(*(n.symbols for n in value.needs))
        return all(s.startswith(LOADED) or self.opaques.get(s) is None for s in symbols)

    def at_call(self, view: FunctionContext, block: str, call: Instruction, value: Value) -> Value:
        """A portable value of a callee in the caller's terms."""
        target = self.target(view.function.name, call)
        assert target is not None
        values = {
            self.argument_symbol(target, at): view.scalars.value(token)
            for at, token in enumerate(call.operands[1:])
            if at < len(target.parameters)
        }
        values |= self._handed(view, block, call, target)
        substitution = {name: v.expr for name, v in values.items()}

        def lifted(e: Expr) -> Expr:
            return self.memory.lift(view, block, call, e, substitution)

        needs = frozenset(map(lifted, value.needs))
        used = (v.needs for name, v in values.items() if name in value.expr.symbols)
        return Value(lifted(value.expr), needs.union(*used))

    def assume_outside(self, functions: frozenset[str]) -> None:
        """Functions that are not part of the program were taken to write only what they are handed."""
        self.assumed.update(f"{name} writes only what its arguments point to" for name in functions)

    # -- counts
    def summary(self, name: str) -> Summary:
        """Counts per call of a function, callees included; calls that close a recursion are left
        out."""
        if name not in self._summaries:
            for f in nx.dfs_postorder_nodes(self.calls.graph, name):
                if f not in self._summaries:
                    self._summaries[f] = self._summarise(f)
        return self._summaries[name]

    def _summarise(self, name: str) -> Summary:
        view = self.view(name)
        loops: dict[tuple[str, str], Quantity] = {}
        work = NOTHING
        for loop in view.forest.loops:
            key = (name, loop.header)
            loops[key] = self.within(lambda h=loop.header: view.nests.iterations_per_call(h))  # type: ignore[misc]
            calls = any(
                s.block in loop.blocks
                and s.callee in self._summaries
                and self._summaries[s.callee].loops
                for s in self.calls.sites_in.get(name, ())
            )
            if (
                loop.is_source
                and not calls
                and not any(
                    other.is_source and other.blocks < loop.blocks for other in view.forest.loops
                )
            ):
                work = work.plus(loops[key])
        try:
            with Budget(self.seconds):
                operations = self._own_operations(view)
        except OverBudget:
            operations = dict.fromkeys(OPERATIONS, unknown(self._late()))
        again: list[Site] = []
        circle = self._circle(name)
        for site in self.calls.sites_in.get(name, ()):
            if site.block not in view.reachable:
                continue
            inner = self._summaries.get(site.callee)
            if site.callee == name:
                again.append(site)
            if inner is None or site.callee in circle:
                continue  # a call that closes a cycle
            carry = self._carrier(view, site)

            def added(
                total: Quantity,
                each: Quantity,
                *counted: str,
                site: Site = site,
                carry: Callable[[Expr], Expr] = carry,
            ) -> Quantity:
                if each.formula == ZERO and not each.needs:
                    return total
                return self.within(
                    lambda: total.plus(self._at_site(view, site, each, carry, counted))
                )

            for key, each in inner.loops.items():
                loops[key] = added(loops.get(key, NOTHING), each, "loop", *key)
            for kind, each in inner.operations.items():
                operations[kind] = added(operations[kind], each, kind)
            work = added(work, inner.work, "work")
        summary = Summary(loops, operations, work)
        return (
            self._over_activations(name, summary, again)
            if name in self.calls.recursive
            else summary
        )

    def within(self, count: Callable[[], Quantity]) -> Quantity:
        """A count, or that it takes too long or becomes too long."""
        try:
            with Budget(self.seconds):
                return count()
        except TooComplex:
            return unknown("the formula would be too long")
        except OverBudget:
            return unknown(self._late())

    def _late(self) -> str:
        return f"its count takes longer than {self.seconds:g} s"

    def _circle(self, name: str) -> frozenset[str]:
        """Functions that call a function and are called by it."""
        if name not in self.calls.recursive:
            return frozenset()
        return frozenset(
            (name, *(f for f in self.calls.below(name) if name in self.calls.below(f)))
        )

    def _over_activations(self, name: str, one: Summary, again: list[Site]) -> Summary:
        """Counts of one activation of a function that calls itself -> of one call from outside."""
        found: Recursion | str = f"{name} calls itself through other functions"
        if (
            self._circle(name) == {name}
            and name not in self.calls.pointed
            and all(s.certain for s in again)
        ):
            try:
                with Budget(self.seconds):
                    found = solve(self, name, again)
            except TooComplex:
                found = f"{name} calls itself, the formula would be too long"
            except OverBudget:
                found = f"{name} calls itself, and {self._late()}"
        if isinstance(found, str):
            self.unsolved[name] = found
            return one
        total = found.total

        def over_all(q: Quantity) -> Quantity:
            if not all(
                self.is_steady(name, again, e)
                for e in (q.formula, q.lower, q.upper, *q.needs)
                if e is not None
            ):
                return unknown(
                    f"{name} calls itself, and what its counts find in memory may change in"
                    " between",
                    q.lower,
                )
            return self.within(lambda: total(q))

        return Summary(
            {k: over_all(q) for k, q in one.loops.items()},
            {k: over_all(q) for k, q in one.operations.items()},
            over_all(one.work),
        )

    def is_steady(self, name: str, again: Iterable[Site], e: Expr) -> bool:
        """Does an activation that a function makes of itself find the same values in memory as the
        one that makes it?"""
        loaded = (
            [from_atom(a) for a in e.all_atoms() if isinstance(a, Loaded)] if has_loaded(e) else []
        )
        try:
            return all(
                self._carrier(self.view(name), site)(a) == a for a in loaded for site in again
            )
        except TooComplex:
            return False

    def arguments(
        self, view: FunctionContext, block: str, call: Instruction, target: Function
    ) -> dict[str, Expr]:
        """The values of a callee's arguments, by their symbols."""
        return (
            {
                self.argument_symbol(target, at): view.scalars.value(token).expr
                for at, token in enumerate(call.operands[1:])
                if at < len(target.parameters) and target.parameters[at].type[:1] in "ip"
            }
            | {symbol: v.expr for symbol, v in self._handed(view, block, call, target).items()}
            | fortran.handed(self, view, call, block, target)
        )

    def _carrier(self, view: FunctionContext, site: Site) -> Callable[[Expr], Expr]:
        """Turns a callee's formulas into the caller's: arguments put in, memory as it is at the
        call."""
        values = self.arguments(view, site.block, site.instruction, self.defined[site.callee])
        known: dict[Atom, Expr | None] = {}

        def change(a: Atom) -> Expr:
            return self.memory.lift(view, site.block, site.instruction, from_atom(a), values)

        return lambda e: (
            e if e.symbols.isdisjoint(values) and not has_loaded(e) else e.map_atoms(change, known)
        )

    def _at_site(
        self,
        view: FunctionContext,
        site: Site,
        each: Quantity,
        carry: Callable[[Expr], Expr],
        counted: tuple[str, ...],
    ) -> Quantity:
        """A callee's count, summed over the executions of one call."""
        if not site.certain:
            place = view.place(site.instruction)
            share = self.opaques.add(
                OpaqueInfo(
                    f"%{site.caller}.share.{site.instruction.line}.{site.callee}",
                    "fraction",
                    "f",
                    f"fraction of the calls at {place} that go to {site.callee}",
                    place,
                    site.caller,
                    site.block,
                )
            )
            whole = self._at_site(view, replace(site, certain=True), each, carry, counted)
            return whole.times(Quantity(share, ZERO, ONCE.formula))
        if each.formula is not None and not each.formula.symbols and not each.needs:
            if each.formula == ZERO:
                return each
            return view.nests.executions(site.block).times(each)
        try:
            inner = each.mapped(carry)
            symbols = set().union(
                *(e.symbols for e in (inner.formula, inner.lower, inner.upper) if e is not None),
                *(n.symbols for n in inner.needs),
            )
            executions = view.nests.executions(site.block)
            if (
                inner.formula is not None
                and executions.formula is not None
                and self.opaques.linear_factors(inner.formula)
                + self.opaques.linear_factors(executions.formula)
                > _MAX_FACTORS
            ):
                return executions.times(self._mean_at(view, site, inner, counted))
            if not self._changes_around(view, site.block, symbols):
                return executions.times(inner)
            return view.nests.total(
                site.block,
                inner,
                self._words(site, counted),
                key=f"{site.instruction.line}.{site.callee}.{'.'.join(counted)}",
            )
        except TooComplex:
            return unknown("the formula would be too long")

    def _changes_around(self, view: FunctionContext, block: str, symbols: set[str]) -> bool:
        """May one of the symbols (means and fractions aside) differ between executions of a block
        in one call?"""
        header = view.forest.innermost.get(block)
        while header is not None:
            for s in symbols:
                info = self.opaques.get(s)
                if s.startswith("%i.") or (
                    info is not None
                    and info.kind in ("value", "variable")
                    and view.varies(s, header)
                ):
                    return True
            header = view.loops[header].parent
        return False

    def _mean_at(
        self, view: FunctionContext, site: Site, inner: Quantity, counted: tuple[str, ...]
    ) -> Quantity:
        """One mean for what would be a product of many: nobody reads f1*t2*f3*t4*f5*n."""
        place = view.place(site.instruction)
        symbol = self.opaques.add(
            OpaqueInfo(
                f"%{site.caller}.mean.{site.instruction.line}.{site.callee}.{'.'.join(counted)}",
                "mean",
                "u",
                f"mean {self._words(site, counted)} for each call at {place}",
                place,
                site.caller,
                site.block,
            )
        )
        upper = (
            inner.upper
            if inner.upper is not None and not any(map(is_internal, inner.upper.symbols))
            else None
        )
        return Quantity(
            symbol,
            ZERO,
            upper,
            inner.needs,
            inner.notes,
            inner.reason or "it rests on many decisions by data",
        )

    def _words(self, site: Site, counted: tuple[str, ...]) -> str:
        """What is counted at a call, for the reader."""
        name = self.module.metadata_field(self.defined[site.callee].dbg, "name") or site.callee
        if counted[0] == "loop":
            return (
                f"iterations of the loop at {self.view(counted[1]).loops[counted[2]].at} in {name}"
            )
        return f"{counted[0]} in {name}"

    def _own_operations(self, view: FunctionContext) -> dict[str, Quantity]:
        """Each block's mix times its count."""
        groups: dict[Quantity, dict[str, int]] = {}
        found = dict.fromkeys(OPERATIONS, NOTHING)
        for block in view.function.blocks.values():
            if block.name not in view.reachable or block.name in view.paths.dead:
                continue
            mix = instruction_mix(block, self.layout)
            if mix:
                total = groups.setdefault(view.nests.executions(block.name), {})
                for kind, number in mix.items():
                    total[kind] = total.get(kind, 0) + number
            for kind, each in argument_operations(view, block).items():
                found[kind] = found[kind].plus(
                    view.nests.total(
                        block.name, each, f"{kind} in {block.name}", key=f"{kind}.{block.name}"
                    )
                )
        for count, mix in groups.items():
            for kind, number in mix.items():
                found[kind] = found[kind].plus(count.scaled(number))
        return found
