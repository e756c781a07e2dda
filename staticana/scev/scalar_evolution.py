"""Values of SSA registers as formulas over a function's arguments, its loops' variables and symbols
for what is unknown.

`_EVALUATORS` lists the opcodes that have formulas; what is left is a symbol. A formula stands for
the mathematical integer, taken as signed; what must be >= 0 for it to be right stands beside it, to
be proved where more is known, or to be told to the user (see `integer_arithmetic`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from ..alias.library import Parses
from ..alias.packed_arguments import Piece, source, whole_of
from ..expr import (
    ONE,
    ZERO,
    Expr,
    TooComplex,
    choose,
    expr,
    is_nonnegative,
    sym,
    symbols,
    trunc_div,
)
from ..expr.budget import check_values
from ..ir.graph import callee
from ..ir.matchers import is_any, is_branch, is_load
from ..ir.tokens import constant_address, constant_arithmetic
from ..ir.types import Constant, GlobalRef, Instruction, IntLiteral, Operand, int_bits
from .arithmetic.fits import (
    INT,
    as_printed,
    as_signed,
    assumptions_at,
    cut,
    fitting,
    handed_on,
    taken_over,
    unsigned,
    within,
)
from .arithmetic.integer_arithmetic import ARITHMETIC
from .arithmetic.real_values import common_denominator
from .call_values import call_value, number_read
from .context import FunctionContext
from .unknowns import NAMELESS, UnknownInfo
from .values import NO_PRECONDITIONS, Value, is_float, is_given

_MAX_DEPTH = 150
"""Values, each needed for the one before, that are sought at a time; the next one is unknown."""
_PACKED = ("8", "16", "32")
"""Widths of numbers that are returned several in one register."""
_UNDEFINED = ("undef", "poison")
"""What a variable holds that nothing has set yet: whatever it may hold on another way."""
_CHECKED = re.compile(r"@llvm\.[su](add|sub|mul)\.with\.overflow\.")


class ScalarEvolution:
    """Evaluates registers of one function, each once."""

    def __init__(self, view: FunctionContext) -> None:
        self.view = view
        self.program = view.program
        self.function = view.function
        self._values: dict[str, Value] = {}
        self._active: set[str] = set()

    def value(self, token: Operand) -> Value:
        """The value of a register, constant or argument."""
        found = self._values.get(token)
        if found is not None:
            return found
        if isinstance(token, Constant):
            return Value(self._constant(token))
        if token not in self.function.definitions:
            self._values[token] = result = Value(self.program.argument(self.function, token))
            return result
        instruction = self.function.definitions[token]
        if token in self._active:
            return self._from_below(token, instruction) or Value(self.unknown(instruction))
        if len(self._active) > _MAX_DEPTH:
            return Value(self.unknown(instruction))
        check_values()
        if instruction.is_call and instruction.type == "ptr":
            # what is handed may rest on loops, and those on this address: it is found first
            for o in instruction.operands[1:]:
                self.value(o)
            if token in self._values:
                return self._values[token]
        self._active.add(token)
        try:
            result = _EVALUATORS.get(instruction.opcode, ScalarEvolution.unknown_value)(
                self, instruction
            )
        except TooComplex:
            result = Value(self.unknown(instruction))
        finally:
            self._active.discard(token)
        self._values[token] = result
        return result

    def _from_below(self, token: Operand, instruction: Instruction) -> Value | None:
        """A register whose value is being found, where callers who were asked for what they agree
        on come back to it: what it is over the function's arguments."""
        below = self.program.from_below
        if below is None or is_any(instruction, "phi", "alloca"):
            return None
        found = below.view(self.function.name).scalars.value(token)
        return found if is_given(found) else None

    def bits(self, token: Operand, shift: int, width: int) -> Value | None:
        """The signed number in some bits of a register; None where they cannot be told apart."""
        found = source(self.function, token, shift, width)
        if found is None:
            return self._kept_bits(token, shift, width)
        if found.token is not None:
            return handed_on(self.view, found.token)
        if found.piece is not None:
            return Value(self.program.piece(self.function, found.piece))
        return Value(expr(found.value or 0))

    def _kept_bits(self, token: Operand, shift: int, width: int) -> Value | None:
        """Bits of a register that is loaded whole, or that a function returns: what memory holds
        there, or what the function makes them of."""
        i = self.function.definitions.get(token)
        while is_any(i, "lshr", "trunc"):
            by = i.operands[1] if is_any(i, "lshr") else None
            if by is not None and not isinstance(by, IntLiteral):
                return None
            shift += by.value if isinstance(by, IntLiteral) else 0
            i = self.function.definitions.get(i.operands[0])
        at = -1
        if is_any(i, "extractvalue") and len(i.extra) == 1:
            at, i = int(i.extra[0]), self.function.definitions.get(i.operands[0])
            if i is None or not i.is_call or shift % 8:
                return None
        elif i is None or i.type[:1] != "i" or shift + width > int(i.type[1:]) or shift % 8:
            return None
        if i.is_call:
            target = self.program.target(self.function.name, i)
            part = self.program.returned_bits(target.name, shift, width, at) if target else None
            if part is None:
                return None
            return self.program.at_call(self.view, self.function.block_of[i.token], i, part)
        if not is_load(i) or i.flags & {"volatile", "atomic"}:
            return None
        memory = self.program.memory
        whole = memory.aliasing.location(self.function, i.operands[0], i.type, i.tbaa)
        if whole.underlying_object is None or whole.offset is None:
            return None
        place = whole._replace(
            offset=whole.offset + shift // 8, size=width // 8, kind=f"i{width}", tag=None
        )
        found = memory.reaching(self.view, place, self.function.block_of[i.token], i)
        if found.value is not None:
            self.program.assume_outside(found.outside, self.function.name)
        return found.value

    def _constant(self, token: Operand) -> Expr:
        if isinstance(token, IntLiteral):
            return expr(token.value)
        if isinstance(token, GlobalRef):
            # symbols of addresses are never zero
            is_missing = self.program.module.may_be_missing(token.name)
            return sym(symbols.constant(token) if is_missing else token)
        address = constant_address(token)
        if address is not None:
            offset = self.program.memory.aliasing.constant_offset(address[1], address[2])
            return (
                sym(symbols.constant(token))
                if offset is None
                else self._constant(address[0]) + offset
            )
        if token in ("null", "false", "zeroinitializer"):
            return ZERO
        if token == "true":
            return ONE
        computed = constant_arithmetic(token)
        if computed is None:
            return sym(symbols.constant(token))
        first, *rest = map(self._constant, computed[1])
        if not rest:
            return first
        return first - rest[0] if computed[0] == "sub" else first + rest[0]

    def unknown(
        self,
        instruction: Instruction,
        meaning: str | None = None,
        block: str | None = None,
        key: str | None = None,
    ) -> Expr:
        """The symbol that stands for this register's value."""
        view = self.view
        name = view.held_by(instruction)
        place = view.place(instruction)
        if meaning is None:
            meaning = f"value of {name}" if name else f"result of {instruction.opcode}"
        symbol = key or symbols.register(self.function.name, str(instruction.name))
        return self.program.unknowns.add(
            UnknownInfo(
                symbol,
                "value",
                name or NAMELESS,
                meaning,
                place,
                self.function.name,
                block or self.function.block_of[instruction.token],
                type=instruction.type,
            )
        )

    def unknown_value(self, i: Instruction) -> Value:
        """The symbol of a register, as a value."""
        return Value(self.unknown(i))

    # -- instructions
    def _truth(self, i: Instruction) -> Value:
        """A condition as a number: 1 where it holds."""
        condition, preconditions = self.view.conditions.of(i.token)
        if condition.is_undecided:
            return self.unknown_value(i)
        return Value(condition.indicator(), preconditions)

    def _load(self, i: Instruction) -> Value:
        found = self.program.memory.load(self.view, i)
        return taken_over(self.view, found, i.token, i.type)

    def _call(self, i: Instruction) -> Value:
        return call_value(self.view, i)

    def _arithmetic(self, i: Instruction) -> Value:
        if i.type == "i1" and is_any(i, "and", "or", "xor"):
            return self._truth(i)
        found = None
        if i.type[:1] == "i":
            left, right = self.value(i.operands[0]), self.value(i.operands[1])
            found = ARITHMETIC[i.opcode](self.view, i, left, right)
        return as_printed(found, i.type) if found is not None else self.unknown_value(i)

    def _select(self, i: Instruction) -> Value:
        if i.type == "i1":
            return self._truth(i)
        condition, preconditions = self.view.conditions.of(i.operands[0])
        yes, no = self.value(i.operands[1]), self.value(i.operands[2])
        if (condition.is_undecided and yes != no) or is_float(i.type):
            return self.unknown_value(i)
        if yes == no:
            return yes
        value = choose(condition.indicator(), yes.expr, no.expr)
        return Value(value, preconditions | yes.preconditions | no.preconditions)

    def _unchanged(self, i: Instruction) -> Value:
        """Casts that keep the number."""
        inner = self.value(i.operands[0])
        return self.unknown_value(i) if is_float(i.type) else inner

    def _sign_extended(self, i: Instruction) -> Value:
        if i.extra[0] == "i1":  # true is -1
            inner = self.value(i.operands[0])
            return Value(-inner.expr, inner.preconditions)
        inner = self.value(i.operands[0])
        inner = as_signed(self.view, inner, i, i.operands[0])
        return fitting(self.view, inner, i, i.extra[0], True)

    def _zero_extended(self, i: Instruction) -> Value:
        inner = self.value(i.operands[0])
        if i.extra[0] == "i1":
            return inner
        inner = fitting(self.view, inner, i, i.extra[0], "nneg" in i.flags)
        return inner if "nneg" in i.flags else unsigned(self.view, inner, i)

    def _local_variable(self, i: Instruction) -> Value:
        name = self.view.variable_name(i.token) or i.name
        return Value(self.unknown(i, f"address of {name}", self.function.entry.name))

    def _truncated(self, i: Instruction) -> Value:
        """A value cut to fewer bits: the same modulo a power of two. Whoever reads a narrow number
        asks that it fits; an int or a wider integer must fit at once."""
        piece = self.view.pieces.get(i.token)
        if piece is not None and piece.at is not None:
            return Value(self.program.piece(self.function, piece))
        if i.type[1:] in _PACKED:
            part = self._kept_bits(i.token, 0, int(i.type[1:]))
            if part is not None:
                return part
        if piece is not None:
            return Value(self._unknown_piece(i, piece))
        inner = self.value(i.operands[0])
        width = int(i.type[1:])
        if width == 1:
            is_bit = is_nonnegative(inner.expr) and is_nonnegative(1 - inner.expr)
            return inner if is_bit else Value(self.unknown(i))
        return cut(self.view, inner, i) if width >= INT else inner

    def _unknown_piece(self, i: Instruction, piece: Piece) -> Expr:
        """The symbol of a part of a register whose parts are not known: one wherever the part is
        taken out, known where the register is."""
        whole = whole_of(self.function, i)
        if not is_any(whole, "extractvalue"):
            return self.unknown(i)
        key = symbols.unknown(
            self.function.name, str(whole.name), f"bits{piece.shift}", str(piece.width)
        )
        return self.unknown(i, block=self.function.block_of[whole.token], key=key)

    def _extracted(self, i: Instruction) -> Value:
        """(sum, has it overflowed) of checked arithmetic.

        Where overflow only ends the program (Rust's checks, -ftrapv), it is taken not to happen;
        else the program goes on with a flag that is not known, and the sum must fit.
        """
        source = self.function.definitions.get(i.operands[0]) if i.type[:1] == "{" else None
        while is_any(source, "insertvalue"):
            if source.extra == i.extra:
                return self.value(source.operands[1])
            source = self.function.definitions.get(source.operands[0])
        if source is not None and source.is_call and len(i.extra) == 1:
            field = self._returned_field(source, int(i.extra[0]))
            if field is not None:
                return field
        found = _CHECKED.match(source.operands[0]) if is_any(source, "call") else None
        if source is None or found is None:
            return self.unknown_value(i)
        traps = self._overflow_traps(source)
        if i.extra[-1:] != ("0",):
            return Value(ZERO) if traps else self.unknown_value(i)
        a, b = self.value(source.operands[1]), self.value(source.operands[2])
        e = {"add": a.expr + b.expr, "sub": a.expr - b.expr, "mul": a.expr * b.expr}[found.group(1)]
        preconditions = a.preconditions | b.preconditions
        if traps:
            return Value(e, preconditions)
        width = int(source.operands[0].rpartition(".i")[2])
        signed = source.operands[0].startswith("@llvm.s")
        low, high = (
            (-(1 << (width - 1)), (1 << (width - 1)) - 1) if signed else (0, (1 << width) - 1)
        )
        known = assumptions_at(self.view, i)
        return Value(
            e, preconditions | {n for n in (e - low, high - e) if not is_nonnegative(n, known)}
        )

    def _returned_field(self, call: Instruction, at: int) -> Value | None:
        """A part of the structure that a function of the program returns."""
        target = self.program.target(self.function.name, call)
        part = self.program.returned_field(target.name, at) if target is not None else None
        if part is None:
            return None
        return self.program.at_call(self.view, self.function.block_of[call.token], call, part)

    def _overflow_traps(self, checked: Instruction) -> bool:
        """Is the flag of checked arithmetic tested, and only to end the program?"""
        function, dead = self.function, self.view.paths.dead
        work = [
            i.token
            for i in function.users.get(checked.token, ())
            if is_any(i, "extractvalue") and i.extra[-1:] != ("0",)
        ]
        is_tested = False
        while work:
            for i in function.users.get(work.pop(), ()):
                if is_any(i, "xor", "freeze") or (callee(i) or "").startswith("llvm.expect."):
                    work.append(i.token)
                elif not is_branch(i) or dead.isdisjoint(i.labels):
                    return False
                else:
                    is_tested = True
        return is_tested

    def _from_float(self, i: Instruction) -> Value:
        """(int)atof(argv[1]) reads an integer parameter as well as atoi does."""
        source = self.function.definitions.get(i.operands[0])
        if source is not None and number_read(source) is Parses.FLOAT:
            return Value(self.value(source.token).expr)
        return self._whole_part(i) or Value(self.unknown(i))

    def _whole_part(self, i: Instruction) -> Value | None:
        """A floating-point number rounded towards zero."""
        exact = self.view.floats.exact(i.operands[0])
        if exact is not None:
            scale = common_denominator(exact)
            whole = Value(trunc_div(exact.expr * scale, scale), exact.preconditions)
            return self._converted(i, whole)
        real = self.view.floats.real(i.operands[0])
        if real is None:
            return None
        found = Value(real.whole, real.needs)
        return found if real.is_small else self._converted(i, found)

    def _converted(self, i: Instruction, found: Value) -> Value:
        """A whole number converted from floating point: it must fit the type."""
        bits = int_bits(i.type) or INT
        if is_any(i, "fptoui"):
            return within(self.view, found, i, 0, (1 << bits) - 1)
        return within(self.view, found, i, -(1 << (bits - 1)), (1 << (bits - 1)) - 1)

    def _address(self, i: Instruction) -> Value:
        """base + offset in bytes; vectors of addresses and unknown sizes have no formula."""
        base = self.value(i.operands[0])
        layout, kind = self.program.layout, i.type
        result, preconditions = base.expr, base.preconditions
        for at, token in enumerate(i.operands[1:]):
            index = self.value(token)
            preconditions |= index.preconditions
            if at == 0:
                size = layout.size(kind)
            elif layout.is_struct(kind):
                field = layout.offset(kind, int(index.expr.constant or 0))
                if field is None:
                    return Value(self.unknown(i))
                result, kind = result + field[0], field[1]
                continue
            else:
                kind = layout.element(kind) or "?"
                size = layout.size(kind)
            if size is None:
                return Value(self.unknown(i))
            result = result + index.expr * size
        return Value(result, preconditions)

    def _phi(self, i: Instruction) -> Value:
        block = self.function.block_of[i.token]
        if is_float(i.type):
            return Value(self.unknown(i))
        if block in self.view.loops:
            return self.view.variables.variable(i, block)
        incoming = [
            (token, label)
            for token, label in zip(i.operands, i.labels, strict=True)
            if label in self.view.reachable and token not in _UNDEFINED
        ]
        values = [self._leaving(token, label, block) for token, label in incoming]
        if any(v is None for v in values) or not values:
            return Value(self.unknown(i))
        known = [v for v in values if v is not None]
        if all(v.expr == known[0].expr for v in known):
            return Value(known[0].expr, NO_PRECONDITIONS.union(*(v.preconditions for v in known)))
        return self._merge(i, block, [label for _, label in incoming], known)

    def _merge(self, i: Instruction, block: str, labels: list[str], values: list[Value]) -> Value:
        """Which value arrives depends on the path from the last block that all paths pass."""
        paths = self.view.paths
        top = paths.top(block)
        left = self.view.loops.get(top)
        if left is not None and block not in left.blocks:
            return Value(
                self.unknown(i)
            )  # conditions within a loop say by which exit an iteration leaves it, not the last
        edges = [paths.arrival(top, label, block) for label in labels]
        if any(c.is_undecided for c, _ in edges):
            return Value(self.unknown(i))
        result = values[-1].expr
        for (condition, _), v in zip(edges[-2::-1], values[-2::-1], strict=True):
            result = choose(condition.indicator(), v.expr, result)
        preconditions = NO_PRECONDITIONS.union(
            *(v.preconditions for v in values), *(n for _, n in edges)
        )
        return Value(result, preconditions)

    def _leaving(self, token: Operand, label: str, block: str) -> Value | None:
        """A value as seen after the loops that the edge label -> block leaves; None where they
        decide it by data."""
        value = self.value(token)
        header = self.view.forest.innermost.get(label)
        while header is not None and block not in self.view.loops[header].blocks:
            left = self.view.trip_counts.exit_value(header, label, value)
            if left is None:
                return None
            value = left
            header = self.view.loops[header].parent
        return value


_EVALUATORS: Mapping[str, Callable[[ScalarEvolution, Instruction], Value]] = {
    "phi": ScalarEvolution._phi,
    "icmp": ScalarEvolution._truth,
    "fcmp": ScalarEvolution._truth,
    "load": ScalarEvolution._load,
    "getelementptr": ScalarEvolution._address,
    "call": ScalarEvolution._call,
    "invoke": ScalarEvolution._call,
    "select": ScalarEvolution._select,
    "sext": ScalarEvolution._sign_extended,
    "zext": ScalarEvolution._zero_extended,
    "trunc": ScalarEvolution._truncated,
    "fptosi": ScalarEvolution._from_float,
    "fptoui": ScalarEvolution._from_float,
    "extractvalue": ScalarEvolution._extracted,
    "alloca": ScalarEvolution._local_variable,
    **dict.fromkeys(
        ("freeze", "bitcast", "inttoptr", "ptrtoint", "addrspacecast", "ptrtoaddr"),
        ScalarEvolution._unchanged,
    ),
    **dict.fromkeys(ARITHMETIC, ScalarEvolution._arithmetic),
}
"""Opcode -> the value of the register that it sets; all others are symbols."""
