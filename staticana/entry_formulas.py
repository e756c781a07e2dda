"""What is claimed of one entry of a loop: its iterations over registers of its function, and which
registers those are.

The counts of `count` are written in readable names; here the same formulas keep the internal
symbols, each with the place where a run shows its value, so that a formula can be held against the
truth whenever the loop is left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from .expr import ZERO, Expr, Loaded, TooComplex, symbols
from .frontend.phases import headers_that_run, is_phase
from .interprocedural.program import Program
from .ir.demangling import demangled
from .ir.loop_info import Loop
from .ir.matchers import is_any
from .ir.types import Instruction, Module, Parameter, Register, int_bits, quoted
from .naming import Naming, in_words
from .scev.bounded_count import BoundedCount
from .scev.context import FunctionContext

MAX_VALUES = 28
"""Symbols recorded at one entry."""


@dataclass(frozen=True)
class Holder:
    """Where the value of a symbol is found in a run.

    kind: "direct": the register or address `tokens[0]` is known wherever the loop is; "last": the
    register may not be set, its last value counts, forgotten in the block `since`; "kept": the
    registers `tokens` may be set anywhere or never, and all have one value between two executions
    of the block `since` (None: in one call of the function); "index": the number of the iteration
    of the loop with the header `since`. `type` is the registers' type, `name` the readable name of
    the symbol.
    """

    symbol: str
    name: str
    kind: Literal["direct", "last", "kept", "index"]
    tokens: tuple[str, ...]
    type: str
    since: str | None = None


@dataclass(frozen=True)
class EntryFormula:
    """Iterations per entry of one loop of the IR.

    formula: None where it contains what no register holds (`reason` says what); lower, upper: None
    likewise. preconditions: what must be >= 0 for all this to hold; `unproved` is set when one of
    them cannot be recorded. error_exits: the ways out which the formula takes as not taken, as
    (block, target).
    """

    function: str
    header: str
    at: str
    formula: Expr | None
    lower: Expr | None
    upper: Expr | None
    preconditions: tuple[Expr, ...]
    unproved: bool
    holders: tuple[Holder, ...]
    error_exits: frozenset[tuple[str, str]]
    reason: str | None


def entry_formulas(program: Program, naming: Naming) -> Iterator[EntryFormula]:
    """The formulas of all loops of a program."""
    told: set[tuple[str, str]] = set()
    for name in program.defined:
        finder = _Holders(program, naming, program.view(name))
        loops = finder.view.forest.loops
        in_phases = {loop.at for loop in loops if is_phase(loop.header)}
        for loop in loops:
            if loop.at in in_phases:  # the program that runs has one loop in place of them
                if is_phase(loop.header) and (name, loop.at) not in told:
                    told.add((name, loop.at))
                    yield _without_formula(name, loop, "its phases are counted one by one")
                continue
            try:
                yield _entry(finder, loop)
            except TooComplex:
                yield _without_formula(name, loop, "the formula would be too long")


def _without_formula(function: str, loop: Loop, reason: str) -> EntryFormula:
    nothing = frozenset[tuple[str, str]]()
    return EntryFormula(
        function, loop.header, loop.at, None, None, None, (), False, (), nothing, reason
    )


def recordable(found: Iterable[EntryFormula], module: Module) -> Iterator[EntryFormula]:
    """The formulas of a module that was changed for the analysis, for the one that runs: without
    those whose symbols no register of it holds."""
    for e in found:
        f = module.functions.get(e.function)
        if f is not None and is_phase(e.header):
            yield from (replace(e, header=h) for h in headers_that_run(module, f.name, e.at))
            continue
        if f is None or e.header not in f.blocks:
            continue
        tokens = {t for h in e.holders for t in h.tokens if t.startswith("%")}
        blocks = {h.since for h in e.holders if h.since is not None}
        blocks |= {b for way in e.error_exits for b in way}
        held = f.definitions.keys() | {p.token for p in f.parameters}
        if tokens <= held and blocks <= f.blocks.keys():
            yield e
        else:
            reason = "its formula contains a value that no register of the program holds"
            yield replace(
                e,
                formula=None,
                lower=None,
                upper=None,
                preconditions=(),
                holders=(),
                error_exits=frozenset(),
                reason=reason,
            )


def _entry(finder: _Holders, loop: Loop) -> EntryFormula:
    view = finder.view
    found = finder.program.within(lambda: view.trip_counts.iterations(loop.header))
    found = found.resting_on(frozenset(n for n in found.preconditions if not in_words(n)))
    held: dict[str, Holder] = {}
    missing: dict[str, str] = {}
    for symbol in sorted(_used(found)):
        holder = finder.holder(symbol, loop)
        if isinstance(holder, Holder):
            held[symbol] = holder
        elif holder is not None:
            missing[symbol] = holder

    def known(e: Expr | None) -> Expr | None:
        return e if e is not None and missing.keys().isdisjoint(e.symbols) else None

    formula, lower, upper = known(found.formula), known(found.lower) or ZERO, known(found.upper)
    reason = None
    if formula is None:
        wanted = found.formula.symbols if found.formula is not None else frozenset()
        lost = next((missing[s] for s in sorted(missing) if s in wanted), "no formula was found")
        reason = found.reason or lost
    preconditions = tuple(sorted((n for n in found.preconditions if known(n) is not None), key=str))
    used = set().union(
        *(e.symbols for e in (formula, lower, upper, *preconditions) if e is not None)
    )
    holders = tuple(h for s, h in held.items() if s in used)
    if len(holders) > MAX_VALUES:
        return _without_formula(
            view.function.name, loop, f"its formula contains {len(holders)} symbols"
        )
    errors = frozenset((e.source, e.target) for e in loop.exits if e.target in view.paths.dead)
    return EntryFormula(
        view.function.name,
        loop.header,
        loop.at,
        formula,
        lower,
        upper,
        preconditions,
        len(preconditions) < len(found.preconditions),
        holders,
        errors,
        reason,
    )


def _used(q: BoundedCount) -> set[str]:
    return set().union(
        *(e.symbols for e in (q.formula, q.lower, q.upper, *q.preconditions) if e is not None)
    )


def _type(i: Instruction) -> str:
    """The type of an instruction's result."""
    if is_any(i, "alloca", "getelementptr"):
        return "ptr"
    return "i1" if is_any(i, "icmp", "fcmp") else i.type


def _is_recordable(kind: str) -> bool:
    return kind == "ptr" or (int_bits(kind) or 65) <= 64


class _Holders:
    """Finds the registers of one function that hold symbols."""

    def __init__(self, program: Program, naming: Naming, view: FunctionContext) -> None:
        self.program, self.naming, self.view, self.function = program, naming, view, view.function

    def holder(self, symbol: str, loop: Loop) -> Holder | str | None:
        """Where a symbol's value is found; None for a parameter that the command line gives, text:
        why nowhere."""
        name, info = self.naming.name(symbol), self.program.unknowns.get(symbol)
        origin = next((o for o, n in self.program.parameters.items() if n == symbol), "")
        if origin.startswith("argv["):
            return None
        if info is not None and info.kind in ("mean", "fraction"):
            return f"{name}: {info.meaning}"
        if symbols.global_name(symbol) is not None:
            return Holder(symbol, name, "direct", (symbol,), "ptr")
        found = self._argument(symbol, name, origin) or self._iteration(symbol, name, loop)
        if found is not None:
            return found
        tokens = self._registers(symbol)
        if not tokens:
            called = demangled(self.function.name)
            return None if origin else f"{name} is the value of no register of {called}"
        return self._register(symbol, name, tokens, loop)

    def _argument(self, symbol: str, name: str, origin: str) -> Holder | str | None:
        """An argument of the function, or a part of one."""
        program, function = self.program, self.function
        argument = next(
            (
                p
                for at, p in enumerate(function.parameters)
                if symbol == program.argument_symbol(function, at)
                or origin == f"arg:{function.name}:{at}"
            ),
            None,
        )
        if argument is None and symbol == symbols.ARGV and function.name == program.entry:
            argument = function.parameters[1]
        if argument is not None and not self._is_behind(argument, symbol):
            if not _is_recordable(argument.type):
                return f"{name} is no integer"
            return Holder(symbol, name, "direct", (argument.token,), argument.type)
        for token, piece in self.view.pieces.items():
            if piece.at is not None and (
                symbol == program.piece_symbol(function, piece)
                or origin == f"arg:{function.name}:{piece.at}:{piece.shift}"
            ):
                at_once = function.block_of[token] == function.entry.name
                kind = function.definitions[token].type
                return Holder(symbol, name, "direct" if at_once else "kept", (token,), kind)
        return None

    def _is_behind(self, argument: Parameter, symbol: str) -> bool:
        """Does an argument point to the value of a symbol, as those of Fortran do?"""
        return argument.type == "ptr" and any(
            is_any(self.function.definitions[t], "load") for t in self._loads.get(symbol, ())
        )

    def _iteration(self, symbol: str, name: str, loop: Loop) -> Holder | None:
        """The number of the iteration of a loop around."""
        for outer in self.view.forest.loops:
            if symbol == self.view.variables.index(outer.header) and loop.blocks < outer.blocks:
                return Holder(symbol, name, "index", (), "i64", outer.header)
        return None

    def _registers(self, symbol: str) -> tuple[str, ...]:
        own = f"%{quoted(symbols.register_name(symbol, self.function.name) or '')}"
        return (own,) if own in self.function.definitions else self._loads.get(symbol, ())

    def _register(
        self, symbol: str, name: str, tokens: tuple[str, ...], loop: Loop
    ) -> Holder | str:
        """Registers that hold the symbol, by where they are set."""
        view, function, info = self.view, self.function, self.program.unknowns.get(symbol)
        kind, block = _type(function.definitions[tokens[0]]), function.block_of[tokens[0]]
        if not _is_recordable(kind):
            return f"{name} is no integer"
        since = info.block if info is not None and info.function == function.name else None
        if symbols.is_loaded(symbol):
            since = self._changes(symbol, block)
        if since != block:
            return Holder(symbol, name, "kept", tokens, kind, since)
        if block not in loop.blocks and view.forest.dominates(block, loop.header):
            return Holder(symbol, name, "direct", tokens, kind)
        # set anew in each iteration of the loop around it
        around = view.forest.innermost.get(block)
        return Holder(symbol, name, "last", tokens, kind, around if around != block else None)

    def _changes(self, symbol: str, block: str) -> str | None:
        """The innermost loop around a load in which its address changes."""
        header = self.view.forest.innermost.get(block)
        while header is not None and not self.view.varying(self._atoms[symbol].address, header):
            header = self.view.loops[header].parent
        return header

    @cached_property
    def _atoms(self) -> dict[str, Loaded]:
        """Values from memory that registers of the function hold."""
        values = (self.view.scalars.value(token).expr.atom for token in self._tokens)
        return {a.key: a for a in values if isinstance(a, Loaded)}

    @cached_property
    def _tokens(self) -> tuple[Register, ...]:
        return tuple(
            i.token
            for i in self.function.definitions.values()
            if is_any(i, "load", "call", "invoke") and _is_recordable(i.type)
        )

    @cached_property
    def _loads(self) -> dict[str, tuple[str, ...]]:
        """Symbols that stand for loaded values -> the loads, of one type, that yield them."""
        found: dict[str, tuple[str, ...]] = {}
        definitions = self.function.definitions
        for token in self._tokens:
            i, atom = definitions[token], self.view.scalars.value(token).expr.atom
            if atom is not None and all(
                definitions[t].type == i.type for t in found.get(atom.key, ())
            ):
                found[atom.key] = (*found.get(atom.key, ()), token)
        return found
