"""Values of SSA registers as formulas over a function's arguments, its loops' variables and opaque
symbols.

A formula stands for the mathematical integer, taken as signed. Where LLVM's flags or C's rules say
that arithmetic does not wrap, that is exact. Unsigned comparisons and divisions need an operand
that is not negative: where this is not evident it is recorded as a need (a formula that must be >=
0), to be proved where more is known, or to be told to the user. Arithmetic that is meant to wrap
(hash functions, random numbers) is opaque.
"""

from __future__ import annotations

import math
import re
import struct
from fractions import Fraction

from ..expr import (
    ONE,
    ZERO,
    Expr,
    Facts,
    TooComplex,
    choose,
    expr,
    floor_div,
    is_nonnegative,
    maximum,
    minimum,
    power,
    sym,
    trunc_div,
)
from ..expr.predicates import FALSE, OPAQUE, TRUE, Cond, compare, conjunction, disjunction
from ..ir.loop_info import TEAM_SIZE
from ..ir.parser import constant_address
from ..ir.types import Instruction
from .context import FunctionContext
from .packed_arguments import source
from .unknowns import OpaqueInfo
from .values import NO_NEEDS, Value

_MAX_DEPTH = 150
_FINEST, _LARGEST = 1 << 20, 1 << 31  # of floating-point constants whose sums need no rounding
_EXTREMA = {"smax": maximum, "umax": maximum, "smin": minimum, "umin": minimum}
_PASSED_ON = ("llvm.expect.", "llvm.ssa.copy", "llvm.annotation")
_TO_INTEGER = frozenset(
    "atoi atol atoll strtol strtoll strtoul strtoull strtoimax strtoumax __isoc23_strtol "
    "__isoc23_strtoll __isoc23_strtoul __isoc23_strtoull".split()
)
_CHECKED = re.compile(r"@llvm\.[su](add|sub|mul)\.with\.overflow\.")
_TO_FLOAT = frozenset("atof strtod strtof".split())


class Scalars:
    """Evaluates registers of one function, each once."""

    def __init__(self, view: FunctionContext) -> None:
        self.view = view
        self.program = view.program
        self.function = view.function
        self._values: dict[str, Value] = {}
        self._conditions: dict[str, tuple[Cond, frozenset[Expr]]] = {}
        self._active: set[str] = set()
        self._grains: dict[str, int] = {}

    # -- values
    def value(self, token: str) -> Value:
        """The value of a register, constant or argument."""
        found = self._values.get(token)
        if found is not None:
            return found
        if token[0] not in "%@":
            return Value(self._constant(token))
        if token[0] == "@":
            return Value(sym(token))
        if token not in self.function.definitions:
            self._values[token] = result = Value(self.program.argument(self.function, token))
            return result
        instruction = self.function.definitions[token]
        if token in self._active or len(self._active) > _MAX_DEPTH:
            return Value(self.opaque(instruction))
        self._active.add(token)
        try:
            result = self._instruction(instruction)
        except TooComplex:
            result = Value(self.opaque(instruction))
        finally:
            self._active.discard(token)
        self._values[token] = result
        return result

    def bits(self, token: str, shift: int, width: int) -> Value | None:
        """The signed number in some bits of a register; None where they cannot be told apart."""
        found = source(self.function, token, shift, width)
        if found is None:
            return None
        if found.token is not None:
            return self.value(found.token)
        if found.piece is not None:
            return Value(self.program.piece(self.function, found.piece))
        return Value(expr(found.value or 0))

    def _constant(self, token: str) -> Expr:
        if token.lstrip("-").isdigit():
            return expr(int(token))
        address = constant_address(token)
        if address is not None:
            offset = self.program.memory.aliasing.constant_offset(address[1], address[2])
            return (
                sym(f"%const.{token}")
                if offset is None
                else self._constant_base(address[0]) + offset
            )
        if token in ("null", "false", "zeroinitializer"):
            return ZERO
        if token == "true":
            return ONE
        return sym(f"%const.{token}")

    def _constant_base(self, token: str) -> Expr:
        return sym(token) if token[0] == "@" else self._constant(token)

    def opaque(
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
        symbol = key or f"%{self.function.name}.{instruction.name}"
        return self.program.opaques.add(
            OpaqueInfo(
                symbol,
                "value",
                name or "v",
                meaning,
                place,
                self.function.name,
                block or self.function.block_of[instruction.token],
            )
        )

    def facts(self, instruction: Instruction) -> Facts:
        """What holds where the instruction stands."""
        return self.view.paths.facts(self.function.block_of[instruction.token])

    def unsigned(self, value: Value, instruction: Instruction) -> Value:
        """The value taken as unsigned: it must not be negative (constants are printed as signed and
        are converted)."""
        number = value.expr.constant
        if number is not None and number < 0:
            kind = i.extra[0] if (i := instruction).opcode == "zext" else instruction.type
            return (
                Value(value.expr + (1 << int(kind[1:])), value.needs) if kind[:1] == "i" else value
            )
        if is_nonnegative(value.expr) or is_nonnegative(value.expr, self.facts(instruction)):
            return value
        return Value(value.expr, value.needs | {value.expr})

    def _instruction(self, i: Instruction) -> Value:
        kind = i.type
        if i.opcode == "phi":
            return self._phi(i)
        if i.opcode in ("icmp", "fcmp") or (
            kind == "i1" and i.opcode in ("and", "or", "xor", "select")
        ):
            condition, needs = self.condition(i.token)
            return (
                Value(self.opaque(i))
                if condition.is_opaque
                else Value(condition.indicator(), needs)
            )
        if i.opcode == "load":
            return self.program.memory.load(self.view, i)
        if i.opcode == "getelementptr":
            return self._address(i)
        if i.opcode == "call" or i.opcode == "invoke":
            return self._call(i)
        if i.opcode == "select":
            condition, needs = self.condition(i.operands[0])
            yes, no = self.value(i.operands[1]), self.value(i.operands[2])
            if (condition.is_opaque and yes != no) or self._is_float(kind):
                return Value(self.opaque(i))
            if yes == no:
                return yes
            return Value(
                choose(condition.indicator(), yes.expr, no.expr), needs | yes.needs | no.needs
            )
        if i.opcode in (
            "sext",
            "freeze",
            "bitcast",
            "inttoptr",
            "ptrtoint",
            "addrspacecast",
            "ptrtoaddr",
        ):
            inner = self.value(i.operands[0])
            if i.opcode == "sext" and i.extra[0] == "i1":
                return Value(-inner.expr, inner.needs)
            return inner if not self._is_float(kind) else Value(self.opaque(i))
        if i.opcode == "trunc":
            return self._truncated(i)
        if i.opcode == "zext":
            inner = self.value(i.operands[0])
            return inner if "nneg" in i.flags or i.extra[0] == "i1" else self.unsigned(inner, i)
        if i.opcode in ("fptosi", "fptoui"):
            return self._from_float(i)
        if i.opcode == "extractvalue" and kind[:1] == "{":
            checked = self._checked(i)
            if checked is not None:
                return checked
        if kind[:1] == "i" and len(i.operands) == 2:
            result = self._arithmetic(i)
            if result is not None:
                return result
        if i.opcode == "alloca":
            return Value(
                self.opaque(
                    i,
                    f"address of {self.view.variable_name(i.token) or i.name}",
                    self.function.entry.name,
                )
            )
        return Value(self.opaque(i))

    def _truncated(self, i: Instruction) -> Value:
        """A value cut to fewer bits: itself where it fits. Wider integers are taken to fit, as all
        arithmetic is."""
        piece = self.view.pieces.get(i.token)
        if piece is not None:
            return Value(
                self.opaque(i) if piece.at is None else self.program.piece(self.function, piece)
            )
        inner = self.value(i.operands[0])
        width = int(i.type[1:])
        if width >= 32:
            return inner
        if width < 8:
            return inner if inner.expr in (ZERO, ONE) else Value(self.opaque(i))
        half = 1 << (width - 1)
        fits = (inner.expr + half, half - 1 - inner.expr)
        return Value(
            inner.expr, inner.needs | {n for n in fits if not is_nonnegative(n, self.facts(i))}
        )

    @staticmethod
    def _is_float(kind: str) -> bool:
        return kind in ("float", "double", "half", "x86_fp80", "fp128") or kind[0] in "<[{"

    def _arithmetic(self, i: Instruction) -> Value | None:
        left, right = self.value(i.operands[0]), self.value(i.operands[1])
        a, b, needs = left.expr, right.expr, left.needs | right.needs
        width = int(i.type[1:])
        wraps = not i.flags & {"nsw", "nuw"}
        number = b.constant
        match i.opcode:
            case "add" | "sub":
                return Value(a + b if i.opcode == "add" else a - b, needs)
            case "or" if "disjoint" in i.flags:
                return Value(a + b, needs)
            case "mul":
                product = a * b
                if wraps and width <= 32 and a.constant is None and b.constant is None:
                    needs |= {(1 << width) - 1 - product}
                if wraps and number is not None and not -(1 << 16) <= number <= 1 << 16:
                    return None  # a multiplier of hash functions and random numbers
                return Value(product, needs)
            case "shl":
                if number is not None and 0 <= number < 63:
                    return Value(a * (1 << int(number)), needs)
                if a.constant is not None:
                    return Value(
                        power(2, b) * a.constant,
                        needs | ({b} if not is_nonnegative(b) else NO_NEEDS),
                    )
            case "lshr" | "ashr" if number is not None and 0 <= number < 63:
                source = self.unsigned(left, i) if i.opcode == "lshr" else left
                return Value(floor_div(source.expr, 1 << int(number)), source.needs | needs)
            case "lshr" | "ashr":
                source = self.unsigned(left, i) if i.opcode == "lshr" else left
                return Value(
                    floor_div(source.expr, power(2, b)),
                    source.needs | needs | ({b} if not is_nonnegative(b) else NO_NEEDS),
                )
            case "sdiv" | "srem":
                quotient, more = self._signed_quotient(i, a, b)
                if quotient is None:
                    return None
                return Value(quotient if i.opcode == "sdiv" else a - quotient * b, needs | more)
            case "udiv" | "urem":
                source, divisor = self.unsigned(left, i), self.unsigned(right, i)
                a, b = source.expr, divisor.expr
                more = NO_NEEDS if is_nonnegative(b - 1, self.facts(i)) else frozenset((b - 1,))
                quotient = floor_div(a, b)
                return Value(
                    quotient if i.opcode == "udiv" else a - quotient * b,
                    source.needs | divisor.needs | more,
                )
            case "and" if (
                isinstance(number, int) and number >= (1 << 31) - 1 and number & (number + 1) == 0
            ):
                return self.unsigned(Value(a, needs), i)  # a mask of all the bits that a size has
            case "and" if isinstance(number, int) and number >= 0 and number & (number + 1) == 0:
                return Value(a - floor_div(a, number + 1) * (number + 1), needs)
            case "and" if isinstance(number, int) and number < 0 and -number & (-number - 1) == 0:
                return Value(floor_div(a, -number) * -number, needs)
            case "xor" if number == -1:
                return Value(-a - 1, needs)
        return None

    def _signed_quotient(
        self, i: Instruction, a: Expr, b: Expr
    ) -> tuple[Expr | None, frozenset[Expr]]:
        if b.constant is not None:
            if b.constant == 0:
                return None, NO_NEEDS
            sign = 1 if b.constant > 0 else -1
            if is_nonnegative(a, self.facts(i)):
                return floor_div(a, b * sign) * sign, NO_NEEDS
            return trunc_div(a, b * sign) * sign, NO_NEEDS
        facts = self.facts(i)
        needs = NO_NEEDS if is_nonnegative(b - 1, facts) else frozenset((b - 1,))
        return (floor_div(a, b) if is_nonnegative(a, facts) else trunc_div(a, b)), needs

    def _checked(self, i: Instruction) -> Value | None:
        """(sum, has it overflowed) of checked arithmetic: the sum, and no."""
        source = self.function.definitions.get(i.operands[0])
        if (
            source is None
            or source.opcode != "call"
            or (found := _CHECKED.match(source.operands[0])) is None
        ):
            return None
        if i.extra[-1:] != ("0",):
            return Value(ZERO)
        a, b = self.value(source.operands[1]), self.value(source.operands[2])
        e = {"add": a.expr + b.expr, "sub": a.expr - b.expr, "mul": a.expr * b.expr}[found.group(1)]
        return Value(e, a.needs | b.needs)

    def _from_float(self, i: Instruction) -> Value:
        """(int)atof(argv[1]) reads an integer parameter as well as atoi does."""
        source = self.function.definitions.get(i.operands[0])
        if source is not None and source.opcode == "call" and source.operands[0][1:] in _TO_FLOAT:
            return Value(self.value(source.token).expr)
        return Value(self.opaque(i))

    def _address(self, i: Instruction) -> Value:
        """base + offset in bytes; vectors of addresses and unknown sizes are opaque."""
        base = self.value(i.operands[0])
        layout, kind = self.program.layout, i.type
        result, needs = base.expr, base.needs
        for at, token in enumerate(i.operands[1:]):
            index = self.value(token)
            needs |= index.needs
            if at == 0:
                size = layout.size(kind)
            elif layout.is_struct(kind):
                field = layout.offset(kind, int(index.expr.constant or 0))
                if field is None:
                    return Value(self.opaque(i))
                result, kind = result + field[0], field[1]
                continue
            else:
                kind = layout.element(kind) or "?"
                size = layout.size(kind)
            if size is None:
                return Value(self.opaque(i))
            result = result + index.expr * size
        return Value(result, needs)

    def _call(self, i: Instruction) -> Value:
        callee = i.operands[0].lstrip("@%").strip('"')
        arguments = i.operands[1:]
        if callee in _TO_INTEGER or callee in _TO_FLOAT:
            parameter = self.program.argv_parameter(self.view, i, self.value(arguments[0]).expr)
            if parameter is not None:
                return Value(parameter)
        if callee.startswith("llvm."):
            parts = callee.split(".")
            if parts[1] in _EXTREMA and i.type[:1] == "i":
                a, b = self.value(arguments[0]), self.value(arguments[1])
                if parts[1][0] == "u":
                    a, b = self.unsigned(a, i), self.unsigned(b, i)
                return Value(_EXTREMA[parts[1]](a.expr, b.expr), a.needs | b.needs)
            if parts[1] == "abs" and i.type[:1] == "i":
                a = self.value(arguments[0])
                return Value(maximum(a.expr, -a.expr), a.needs)
            if callee.startswith(_PASSED_ON):
                return self.value(arguments[0])
        if callee in ("abs", "labs", "llabs") and arguments:
            a = self.value(arguments[0])
            return Value(maximum(a.expr, -a.expr), a.needs)
        if callee == TEAM_SIZE:
            return Value(self.program.team_size())
        if i.type[:1] == "i" or i.type == "ptr":
            target = self.program.target(self.function.name, i)
            returned = self.program.returned(target.name) if target is not None else None
            if returned is not None:
                return self.program.at_call(self.view, self.function.block_of[i.token], i, returned)
        return Value(self.opaque(i, f"result of {callee}"))

    # -- merges
    def _phi(self, i: Instruction) -> Value:
        block = self.function.block_of[i.token]
        if self._is_float(i.type):
            return Value(self.opaque(i))
        if block in self.view.loops:
            return self.view.variables.variable(i, block)
        incoming = [
            (token, label)
            for token, label in zip(i.operands, i.labels, strict=True)
            if label in self.view.reachable
        ]
        values = [self._leaving(token, label, block) for token, label in incoming]
        if any(v is None for v in values) or not values:
            return Value(self.opaque(i))
        known = [v for v in values if v is not None]
        if all(v.expr == known[0].expr for v in known):
            return Value(known[0].expr, NO_NEEDS.union(*(v.needs for v in known)))
        return self._merge(i, block, [label for _, label in incoming], known)

    def _merge(self, i: Instruction, block: str, labels: list[str], values: list[Value]) -> Value:
        """Which value arrives depends on the path from the last block that all paths pass."""
        paths = self.view.paths
        top = paths.top(block)
        left = self.view.loops.get(top)
        if left is not None and block not in left.blocks:
            return Value(
                self.opaque(i)
            )  # conditions within a loop say by which exit an iteration leaves it, not the last
        edges = [paths.edge_from(top, label, block) for label in labels]
        if any(c.is_opaque for c, _ in edges):
            return Value(self.opaque(i))
        result = values[-1].expr
        for (condition, _), v in zip(edges[-2::-1], values[-2::-1], strict=True):
            result = choose(condition.indicator(), v.expr, result)
        needs = NO_NEEDS.union(*(v.needs for v in values), *(n for _, n in edges))
        return Value(result, needs)

    def _leaving(self, token: str, label: str, block: str) -> Value | None:
        """A value as seen after the loops that the edge label -> block leaves; None where they
        decide it by data."""
        value = self.value(token)
        header = self.view.forest.innermost.get(label)
        while header is not None and block not in self.view.loops[header].blocks:
            left = self.view.trip_counts.exit_value(header, label, value)
            if left is None:
                return None
            value = left
            label = header
            header = self.view.loops[header].parent
        return value

    # -- conditions
    def condition(self, token: str) -> tuple[Cond, frozenset[Expr]]:
        """The condition that an i1 register stands for, with its needs."""
        found = self._conditions.get(token)
        if found is None:
            try:
                found = self._condition(token)
            except TooComplex:
                found = OPAQUE, NO_NEEDS
            self._conditions[token] = found
        return found

    def _condition(self, token: str) -> tuple[Cond, frozenset[Expr]]:
        if token in ("true", "false"):
            return (TRUE if token == "true" else FALSE), NO_NEEDS
        i = self.function.definitions.get(token)
        if i is None:
            return OPAQUE, NO_NEEDS
        if i.opcode in ("icmp", "fcmp"):
            return self._comparison(i)
        if i.opcode in ("freeze",):
            return self.condition(i.operands[0])
        if i.opcode in ("and", "or", "select", "xor") and i.type == "i1":
            parts = [self.condition(o) for o in i.operands]
            needs = NO_NEEDS.union(*(n for _, n in parts))
            conditions = [c for c, _ in parts]
            match i.opcode:
                case "and":
                    return conjunction(*conditions), needs
                case "or":
                    return disjunction(*conditions), needs
                case "select":
                    test, yes, no = conditions
                    return (
                        disjunction(conjunction(test, yes), conjunction(test.negate(), no)),
                        needs,
                    )
                case "xor" if i.operands[1] == "true":
                    return conditions[0].negate(), needs
            return OPAQUE, NO_NEEDS
        if i.opcode == "call" and i.operands[0].startswith("@llvm.expect."):
            return self.condition(i.operands[1])
        if i.opcode == "phi" and self.function.block_of[token] not in self.view.loops:
            return self._merged_condition(i)
        if i.opcode in ("trunc", "phi", "call", "extractvalue"):
            value = self.value(token)
            if value.expr.constant is not None:
                return (TRUE if value.expr.constant else FALSE), value.needs
            if i.opcode == "phi" and not self.view.is_varying_data(value.expr):
                return Cond("ne", value.expr), value.needs
        return OPAQUE, NO_NEEDS

    def _merged_condition(self, i: Instruction) -> tuple[Cond, frozenset[Expr]]:
        """The phi of `a && b` and the like: what arrives, under the condition that it does."""
        block = self.function.block_of[i.token]
        top, parts, needs = self.view.paths.top(block), [], NO_NEEDS
        if top == block:
            return OPAQUE, NO_NEEDS
        for token, label in zip(i.operands, i.labels, strict=True):
            if label not in self.view.reachable or token == "false":
                continue
            header = self.view.forest.innermost.get(label)
            if header is not None and block not in self.view.loops[header].blocks:
                return OPAQUE, NO_NEEDS
            arrives, more = self.view.paths.edge_from(top, label, block)
            holds, others = self.condition(token)
            parts.append(conjunction(arrives, holds))
            needs |= more | others
        return disjunction(*parts), needs

    def exact_float(self, token: str) -> Value | None:
        """The value of a floating-point register that is a multiple of a power of two which needs
        no rounding.

        A counter that steps by 0.25 is exact as long as it stays below 2**51; one that steps by 0.1
        is not.
        """
        i = self.function.definitions.get(token)
        if i is None:
            return self._float_constant(token)
        match i.opcode:
            case "sitofp" | "uitofp":
                inner = self.value(i.operands[0])
                return inner if i.opcode == "sitofp" else self.unsigned(inner, i)
            case "fpext":
                return self.exact_float(i.operands[0])
            case "phi" if self.function.block_of[token] in self.view.loops:
                variable = self.view.variables.variable(i, self.function.block_of[token])
                return Value(variable.expr * Fraction(1, self.grain(i)))
            case "fadd" | "fsub" | "fmul" | "fneg":
                parts = [self.exact_float(o) for o in i.operands]
                if None in parts:
                    return None
                known = [p for p in parts if p is not None]
                needs = NO_NEEDS.union(*(p.needs for p in known))
                if i.opcode == "fneg":
                    return Value(-known[0].expr, needs)
                a, b = known[0].expr, known[1].expr
                if i.opcode == "fmul":
                    return (
                        Value(a * b, needs)
                        if a.constant is not None or b.constant is not None
                        else None
                    )
                return Value(a + b if i.opcode == "fadd" else a - b, needs)
        return None

    def grain(self, phi: Instruction) -> int:
        """What a floating-point loop variable is multiplied with to be an integer: 2 for one that
        steps by 0.5."""
        if phi.token not in self._grains:
            self._grains[phi.token] = 1
            values = [self.exact_float(o) for o in phi.operands]
            self._grains[phi.token] = math.lcm(
                *(
                    Fraction(c).denominator
                    for v in values
                    if v is not None
                    for c in v.expr.terms.values()
                )
            )
        return self._grains[phi.token]

    @staticmethod
    def _float_constant(token: str) -> Value | None:
        try:
            number = (
                struct.unpack(">d", bytes.fromhex(token[2:].zfill(16)))[0]
                if token.startswith("0x")
                else float(token)
            )
            exact = Fraction(number)
        except (ValueError, OverflowError, struct.error):
            return None
        if exact.denominator > _FINEST or abs(exact) >= _LARGEST:
            return None
        return Value(expr(exact))

    def _float_comparison(self, i: Instruction) -> tuple[Cond, frozenset[Expr]]:
        left, right = self.exact_float(i.operands[0]), self.exact_float(i.operands[1])
        predicate = i.extra[0]
        if (
            left is None
            or right is None
            or predicate[1:] not in ("eq", "ne", "lt", "le", "gt", "ge")
        ):
            return OPAQUE, NO_NEEDS
        scale = math.lcm(
            *(Fraction(c).denominator for v in (left, right) for c in v.expr.terms.values())
        )
        signed = predicate[1:] if predicate[1:] in ("eq", "ne") else f"s{predicate[1:]}"
        return compare(signed, left.expr * scale, right.expr * scale), left.needs | right.needs

    def _comparison(self, i: Instruction) -> tuple[Cond, frozenset[Expr]]:
        if self._is_float(i.type):
            return self._float_comparison(i)
        left, right = self.value(i.operands[0]), self.value(i.operands[1])
        if i.type == "ptr" and "null" in i.operands:
            other = i.operands[0] if i.operands[1] == "null" else i.operands[1]
            if self.program.never_null(self.view, other):
                return (FALSE if i.extra[0] == "eq" else TRUE), NO_NEEDS
        needs = left.needs | right.needs
        predicate = i.extra[0]
        # The operands of an unsigned test stay without need when the solver can tell wrapping from
        # the formula.
        if predicate[0] == "u":
            left, right = self.unsigned(left, i), self.unsigned(right, i)
            needs |= left.needs | right.needs
        if predicate in ("ugt", "ult", "uge", "ule") and ZERO in (left.expr, right.expr):
            # x > 0 for an unsigned x is x != 0
            if (predicate == "ugt") == (right.expr == ZERO) and predicate in ("ugt", "ult"):
                return compare("ne", left.expr, right.expr), left.needs | right.needs
        return compare(predicate, left.expr, right.expr), needs
