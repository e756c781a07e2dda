"""Values of arguments: what callers pass, and a callee's formulas in the terms of one call.

Top down, an argument for which all callers pass the same formula in program parameters is that
formula. Bottom up, a formula over a callee's arguments becomes one of the caller's by substitution
at the call (slides 004: counts are composed over the call graph from callees to callers).
"""

from __future__ import annotations

from collections.abc import Collection

from ...alias.call_graph import Site
from ...alias.packed_arguments import Piece
from ...expr import Expr, sym, symbols
from ...expr.budget import Provisional
from ...ir.types import Function, Instruction, Operand, Register, int_bits
from ...scev.arithmetic.fits import INT, handed_on, readers, taken_over
from ...scev.context import FunctionContext, ProgramContext
from ...scev.unknowns import UnknownInfo
from ...scev.values import Value
from . import fortran_arguments as fortran
from .command_line import CommandLine
from .program_parameters import ProgramParameters


class ArgumentBindings:
    """Arguments of all functions of a program."""

    def __init__(
        self, program: ProgramContext, parameters: ProgramParameters, command_line: CommandLine
    ) -> None:
        self.program = program
        self.parameters = parameters
        self.command_line = command_line
        self._bindings: dict[tuple[str, int | Piece], Expr | None] = {}
        # arguments and parts of them that functions ask for, where callers are not asked
        self.asked: dict[str, dict[int | Piece, None]] = {}

    def argument(self, function: Function, token: Operand) -> Expr:
        """An argument: a program parameter, what all callers pass, or a symbol of its own."""
        at = next((k for k, p in enumerate(function.parameters) if p.token == token), None)
        if at is None:
            return sym(symbols.register(function.name, token))
        origin = f"arg:{function.name}:{at}"
        if origin in self.parameters.named:
            return self._of_entry(function, at, self.parameters.named[origin])
        if function.name == self.program.entry:
            if function.name == "main":
                return self.command_line.argument(function, at)
            if function.parameters[at].type[:1] == "i":
                name = self.program.view(function.name).parameter_names[at]
                return self._of_entry(function, at, name)
        bound = self.bound(function, at)
        return bound if bound is not None else sym(self.program.argument_symbol(function, at))

    def _of_entry(self, function: Function, at: int, name: str) -> Expr:
        """An argument that is a parameter of the program. Its type does not say whether it is
        signed, those who read it do."""
        origin, argument = f"arg:{function.name}:{at}", function.parameters[at]
        parameter = self.parameters.introduce(origin, name)
        bits = int_bits(argument.type)
        if bits is None:
            return parameter
        if bits < INT:
            return self.parameters.has_width(parameter, bits, may_be_unsigned=True)
        read = readers(self.program.view(function.name), argument.token)
        return self.parameters.is_read(parameter, bits, read)

    def bound(self, function: Function, what: int | Piece) -> Expr | None:
        """What every caller passes as an argument, or as a part of one, when it is the same formula
        in program parameters."""
        if not self.program.asks_callers:
            self.asked.setdefault(function.name, {}).setdefault(what)
            return None
        if self.program.asks_contexts:
            return self.program.agreed(function.name, what)
        key = (function.name, what)
        if key not in self._bindings:
            with Provisional(self._bindings, key, None):
                self._bindings[key] = self._same_everywhere(function, what)
        return self._bindings[key]

    def passed(self, site: Site, what: int | Piece) -> Value | None:
        """What a call passes as an argument, or as a part of one."""
        target = self.program.defined[site.callee]
        at = what if isinstance(what, int) else what.at
        if at is None or at + 1 >= len(site.instruction.operands):
            return None
        return self._given(self.program.view(site.caller), site.instruction, target, what)

    def _given(
        self, view: FunctionContext, call: Instruction, target: Function, what: int | Piece
    ) -> Value | None:
        """What a call passes as an argument of a function, or as a part of one."""
        if isinstance(what, int):
            return self._passed(view, call, target, what)
        assert what.at is not None
        return view.scalars.bits(call.operands[what.at + 1], what.shift, what.width)

    def _passed(self, view: FunctionContext, call: Instruction, target: Function, at: int) -> Value:
        """What a call passes as argument `at` of a function."""
        value = handed_on(view, call.operands[at + 1])
        if not value.preconditions:
            return value
        p = target.parameters[at]
        return taken_over(self.program.view(target.name), value, p.token, p.type)

    def _same_everywhere(self, function: Function, what: int | Piece) -> Expr | None:
        at = what if isinstance(what, int) else what.at
        if at is None or function.name in self.program.calls.pointed:
            return None
        found: set[Expr] = set()
        for s in self.program.calls.callers.get(function.name, ()):
            if at + 1 >= len(s.instruction.operands):
                return None
            token = s.instruction.operands[at + 1]
            if s.caller == function.name and token == function.parameters[at].token:
                continue  # handed on unchanged in a recursive call
            if s.caller == function.name and isinstance(token, Register):
                # changed; and it must not be evaluated while it rests on what is being found here
                return None
            value = self._given(self.program.view(s.caller), s.instruction, function, what)
            if value is None or not _is_told(value):
                return None
            found.add(value.expr)
            if len(found) > 1:
                return None
        return found.pop() if found else None

    def piece(self, function: Function, piece: Piece) -> Expr:
        """A part of an argument, as `argument`."""
        assert piece.at is not None
        if function.name == self.program.entry and function.name != "main":
            name = self.program.view(function.name).piece_name(piece)
            return self.parameters.introduce(f"arg:{function.name}:{piece.at}:{piece.shift}", name)
        bound = self.bound(function, piece)
        return bound if bound is not None else sym(self.program.piece_symbol(function, piece))

    def _handed(
        self, view: FunctionContext, block: str, call: Instruction, target: Function
    ) -> dict[str, Value]:
        """The values of the parts of a callee's arguments, by their symbols."""
        found: dict[str, Value] = {}
        for piece in sorted(self.program.handed_pieces(target)):
            if piece.at is None or piece.at + 1 >= len(call.operands):
                continue
            symbol = self.program.piece_symbol(target, piece)
            value = view.scalars.bits(call.operands[piece.at + 1], piece.shift, piece.width)
            if value is None:
                name = self.program.view(target.name).piece_name(piece)
                value = Value(
                    self.program.unknowns.add(
                        UnknownInfo(
                            symbols.unknown(
                                view.function.name,
                                view.function.offset_of(call),
                                piece.at,
                                piece.shift,
                            ),
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

    def _behind(
        self, view: FunctionContext, block: str, call: Instruction, target: Function
    ) -> dict[str, Expr]:
        """The values of variables that are passed by their address, as Fortran does."""
        found = fortran.handed(self.program, view, call, block, target)
        return {symbol: v.expr for symbol, v in found.items()}

    def arguments(
        self,
        view: FunctionContext,
        block: str,
        call: Instruction,
        target: Function,
        read: Collection[str] | None = None,
    ) -> dict[str, Expr]:
        """The values of a callee's arguments, by their symbols; read: those that are asked for."""
        return (
            {
                symbol: view.scalars.value(token).expr
                for at, token in enumerate(call.operands[1:])
                if at < len(target.parameters) and target.parameters[at].type[:1] in "ip"
                for symbol in (self.program.argument_symbol(target, at),)
                if read is None or symbol in read
            }
            | {symbol: v.expr for symbol, v in self._handed(view, block, call, target).items()}
            | self._behind(view, block, call, target)
        )

    def preconditions(
        self, view: FunctionContext, block: str, call: Instruction, target: Function
    ) -> dict[str, frozenset[Expr]]:
        """What the values of a callee's arguments rest on, by their symbols; those that rest on
        nothing are left out."""
        values = {
            self.program.argument_symbol(target, at): self._passed(view, call, target, at)
            for at in range(min(len(call.operands) - 1, len(target.parameters)))
            if target.parameters[at].type[:1] in "ip"
        } | self._handed(view, block, call, target)
        values |= fortran.handed(self.program, view, call, block, target)
        return {symbol: v.preconditions for symbol, v in values.items() if v.preconditions}

    def at_call(self, view: FunctionContext, block: str, call: Instruction, value: Value) -> Value:
        """A portable value of a callee in the caller's terms."""
        target = self.program.target(view.function.name, call)
        assert target is not None
        values = {
            self.program.argument_symbol(target, at): self._passed(view, call, target, at)
            for at in range(min(len(call.operands) - 1, len(target.parameters)))
        }
        values |= self._handed(view, block, call, target)
        values |= fortran.handed(self.program, view, call, block, target)
        substitution = {name: v.expr for name, v in values.items()}

        def lifted(e: Expr) -> Expr:
            return self.program.memory.lift(view, block, call, e, substitution)

        preconditions = frozenset(map(lifted, value.preconditions))
        used = (v.preconditions for name, v in values.items() if name in value.expr.symbols)
        needed: set[Expr] = set()
        found = self.program.memory.lift(view, block, call, value.expr, substitution, needed)
        return Value(found, preconditions.union(needed, *used))


def _is_told(value: Value | None) -> bool:
    """Is a value a formula in what is the same in all functions?"""
    return (
        value is not None
        and not value.preconditions
        and all(map(symbols.is_from_outside, value.expr.symbols))
    )
