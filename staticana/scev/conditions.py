"""Conditions of branches: what an i1 register stands for, as a `Cond` over formulas."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..expr import ZERO, Expr, TooComplex, is_integer, is_nonnegative, sym
from ..expr.predicates import (
    ADDRESS_BITS,
    FALSE,
    TRUE,
    UNDECIDED,
    Cond,
    compare,
    conjunction,
    disjunction,
    literal,
)
from ..ir.matchers import is_any, is_load, is_phi
from ..ir.types import Instruction, IntLiteral, Operand
from .arithmetic.fits import (
    as_equal,
    as_signed,
    as_tested,
    fitting,
    is_narrow,
    may_wrap_around,
    unsigned,
)
from .arithmetic.real_values import common_denominator
from .context import FunctionContext
from .values import NO_PRECONDITIONS, Value, is_float, shares

_MIRRORED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}
_UNKNOWN: tuple[Cond, frozenset[Expr]] = (UNDECIDED, NO_PRECONDITIONS)


class Conditions:
    """Conditions of one function, each derived once; each with its preconditions."""

    def __init__(self, view: FunctionContext) -> None:
        self.view = view
        self._conditions: dict[str, tuple[Cond, frozenset[Expr]]] = {}

    def of(self, token: Operand) -> tuple[Cond, frozenset[Expr]]:
        """The condition that an i1 register stands for, with its preconditions."""
        found = self._conditions.get(token)
        if found is None:
            try:
                found = self._find(token)
            except TooComplex:
                found = _UNKNOWN
            self._conditions[token] = found
        return found

    def _find(self, token: Operand) -> tuple[Cond, frozenset[Expr]]:
        if token in ("true", "false"):
            return (TRUE if token == "true" else FALSE), NO_PRECONDITIONS
        i = self.view.function.definitions.get(token)
        reader = _READERS.get(i.opcode) if i is not None else None
        return reader(self, i) if i is not None and reader is not None else _UNKNOWN

    def _passed_on(self, i: Instruction) -> tuple[Cond, frozenset[Expr]]:
        return self.of(i.operands[0])

    def _logic(self, i: Instruction) -> tuple[Cond, frozenset[Expr]]:
        """and, or, xor and select of conditions; `a ? b : false` is how C's && arrives."""
        if i.type != "i1":
            return _UNKNOWN
        parts = [self.of(o) for o in i.operands]
        preconditions = NO_PRECONDITIONS.union(*(n for _, n in parts))
        conditions = [c for c, _ in parts]
        match i.opcode:
            case "and":
                return conjunction(*conditions), preconditions
            case "or":
                return disjunction(*conditions), preconditions
            case "select":
                test, yes, no = conditions
                either = disjunction(conjunction(test, yes), conjunction(test.negate(), no))
                return either, preconditions
            case "xor" if i.operands[1] == "true":
                return conditions[0].negate(), preconditions
        return _UNKNOWN

    def _phi(self, i: Instruction) -> tuple[Cond, frozenset[Expr]]:
        if self.view.function.block_of[i.token] not in self.view.loops:
            return self._merged_condition(i)
        return self._as_value(i)

    def _as_value(self, i: Instruction) -> tuple[Cond, frozenset[Expr]]:
        """A register whose formula decides it."""
        value = self.view.scalars.value(i.token)
        if value.expr.constant is not None:
            return (TRUE if value.expr.constant else FALSE), value.preconditions
        is_formula = is_phi(i) or (
            is_any(i, "trunc") and value.expr == self.view.scalars.value(i.operands[0]).expr
        )
        if is_formula and not self.view.is_varying_data(value.expr):
            return Cond("ne", value.expr), value.preconditions
        return _UNKNOWN

    def _called(self, i: Instruction) -> tuple[Cond, frozenset[Expr]]:
        """What a function of the program says of its arguments."""
        view, program = self.view, self.view.program
        target = program.target(view.function.name, i)
        found = program.returned_condition(target.name) if target is not None else None
        if found is None or program.number_of_words(view, i) is not None:
            return self._as_value(i)
        block = view.function.block_of[i.token]
        needs: set[Expr] = set()

        def lifted(e: Expr) -> Expr:
            value = program.at_call(view, block, i, Value(e))
            needs.update(value.preconditions)
            return value.expr

        condition = found[0].map(lifted)
        needs.update(
            *(
                program.at_call(view, block, i, Value(e, frozenset({e}))).preconditions
                for e in found[1]
            )
        )
        return condition, frozenset(needs)

    def _merged_condition(self, i: Instruction) -> tuple[Cond, frozenset[Expr]]:
        """The phi of `a && b` and the like: what arrives, under the condition that it does."""
        block = self.view.function.block_of[i.token]
        top, parts, preconditions = self.view.paths.top(block), [], NO_PRECONDITIONS
        if top == block:
            return UNDECIDED, NO_PRECONDITIONS
        for token, label in zip(i.operands, i.labels, strict=True):
            if label not in self.view.reachable or token == "false":
                continue
            header = self.view.forest.innermost.get(label)
            if header is not None and block not in self.view.loops[header].blocks:
                return UNDECIDED, NO_PRECONDITIONS
            arrives, more = self.view.paths.edge_from(top, label, block, with_values=True)
            holds, others = self.of(token)
            parts.append(conjunction(arrives, holds))
            preconditions |= more | others
        return disjunction(*parts), preconditions

    def _float_comparison(self, i: Instruction) -> tuple[Cond, frozenset[Expr]]:
        left, right = self.view.floats.exact(i.operands[0]), self.view.floats.exact(i.operands[1])
        predicate = i.extra[0]
        if left is None and right is not None:
            return self._beside_real(right, _MIRRORED.get(predicate[1:], ""), i.operands[0])
        if right is None and left is not None:
            return self._beside_real(left, predicate[1:], i.operands[1])
        if (
            left is None
            or right is None
            or predicate[1:] not in ("eq", "ne", "lt", "le", "gt", "ge")
        ):
            return UNDECIDED, NO_PRECONDITIONS
        scale = common_denominator(left, right)
        signed = predicate[1:] if predicate[1:] in ("eq", "ne") else f"s{predicate[1:]}"
        return compare(
            signed, left.expr * scale, right.expr * scale
        ), left.preconditions | right.preconditions

    def _beside_real(
        self, whole: Value, predicate: str, token: Operand
    ) -> tuple[Cond, frozenset[Expr]]:
        """The comparison of a whole number with a number that is rounded."""
        real = self.view.floats.real(token)
        if real is None or not is_integer(whole.expr) or predicate not in _MIRRORED:
            return UNDECIDED, NO_PRECONDITIONS
        bound = real.floor if predicate in ("le", "gt") else real.ceiling
        return compare(f"s{predicate}", whole.expr, bound), whole.preconditions | real.needs

    def _comparison(self, i: Instruction) -> tuple[Cond, frozenset[Expr]]:
        if is_float(i.type):
            return self._float_comparison(i)
        widened = self._widened_truth(i)
        if widened is not None:
            return widened
        left, right = self.view.scalars.value(i.operands[0]), self.view.scalars.value(i.operands[1])
        if i.type == "ptr" and "null" in i.operands:
            other = i.operands[0] if i.operands[1] == "null" else i.operands[1]
            if self.view.program.never_null(self.view, other):
                return (FALSE if i.extra[0] == "eq" else TRUE), NO_PRECONDITIONS
            ends = self._end_of_words(other) or self._end_of_table(other)
            if ends is not None:
                return (ends.negate() if i.extra[0] == "ne" else ends), NO_PRECONDITIONS
        predicate = i.extra[0]
        if predicate in ("eq", "ne"):
            same = self.view.program.same_handle(left.expr, right.expr)
            if same is not None:
                return (same if predicate == "eq" else same.negate()), NO_PRECONDITIONS
        decided = self._by_range(i)
        if decided is not None:
            return decided, NO_PRECONDITIONS
        if is_narrow(i.type):
            if predicate in ("eq", "ne"):
                left, right = self._alike(left, right, i)
            else:
                left = fitting(self.view, left, i, i.type, predicate[0] == "s")
                right = fitting(self.view, right, i, i.type, predicate[0] == "s")
        elif predicate[0] == "s":
            left = as_signed(self.view, left, i, i.operands[0])
            right = as_signed(self.view, right, i, i.operands[1])
        preconditions = left.preconditions | right.preconditions | as_tested(self.view, i)
        if predicate in ("eq", "ne"):
            preconditions |= as_equal(self.view, left, right, i)
        # The operands of an unsigned test stay without precondition when the solver can tell
        # wrapping from the formula.
        if predicate[0] == "u":
            left, right = unsigned(self.view, left, i), unsigned(self.view, right, i)
            preconditions |= left.preconditions | right.preconditions
        if predicate in ("ugt", "ult", "uge", "ule") and ZERO in (left.expr, right.expr):
            # x > 0 for an unsigned x is x != 0
            if (predicate == "ugt") == (right.expr == ZERO) and predicate in ("ugt", "ult"):
                needed = (
                    left.preconditions | right.preconditions | as_equal(self.view, left, right, i)
                )
                return compare("ne", left.expr, right.expr), needed
        bits = int(i.type[1:]) if i.type[:1] == "i" else ADDRESS_BITS
        may_wrap = predicate[0] == "s" and any(may_wrap_around(self.view, o) for o in i.operands)
        return compare(predicate, left.expr, right.expr, bits, may_wrap=may_wrap), preconditions

    def _widened_truth(self, i: Instruction) -> tuple[Cond, frozenset[Expr]] | None:
        """The condition of a truth value that was widened and compared with 0 or 1: `!x != 0`."""
        number = i.operands[1]
        wide = self.view.function.definitions.get(i.operands[0])
        if i.extra[0] not in ("eq", "ne") or not isinstance(number, IntLiteral):
            return None
        if not is_any(wide, "zext") or wide.extra[0] != "i1":
            return None
        if number.value not in (0, 1):
            return None
        condition, preconditions = self.of(wide.operands[0])
        is_same = (i.extra[0] == "eq") == (number.value == 1)
        return (condition if is_same else condition.negate()), preconditions

    def _end_of_words(self, token: Operand) -> Cond | None:
        """The condition that a pointer, read from argv, is the null behind the last word."""
        load = self.view.function.definitions.get(token)
        if not is_load(load):
            return None
        behind = self.view.program.words_behind(self.view.scalars.value(load.operands[0]).expr)
        return None if behind is None else literal("ge", behind).negate()

    def _end_of_table(self, token: Operand) -> Cond | None:
        """The condition that a pointer, read from a table, is null."""
        load = self.view.function.definitions.get(token)
        table = self.view.program.memory.table(self.view, load) if load is not None else None
        if table is None:
            return None
        nulls = []
        for at, value in table.reached:
            if value == ZERO:
                nulls.append(at)
            elif value is None or not (shares(value) or self._is_address(value)):
                return None
        return disjunction(*(literal("eq", table.offset - o) for o in nulls)) if nulls else None

    def _is_address(self, pointer: Expr) -> bool:
        """Is it the address of a global or of an object, and so not null?"""
        names = [s for s in pointer.symbols if (pointer - sym(s)).constant is not None]
        return len(names) == 1 and self.view.program.is_never_null(self.view, sym(names[0]))

    def _alike(self, left: Value, right: Value, i: Instruction) -> tuple[Value, Value]:
        """Narrow operands of a test for equality: both read as signed, or both as unsigned where a
        variable of an unsigned type is compared."""
        # numbers that differ by less than 2**width are equal where their bits are
        difference = left.expr - right.expr
        limit = (1 << int(i.type[1:])) - 1
        known = self.view.paths.assumptions(self.view.function.block_of[i.token])
        needed = frozenset(
            n for n in (difference + limit, limit - difference) if not is_nonnegative(n, known)
        )
        return Value(left.expr, left.preconditions | needed), right

    def _by_range(self, i: Instruction) -> Cond | None:
        """A comparison that the types of its operands decide: an unsigned value is never below
        zero, a char never 300."""
        predicate = i.extra[0]
        left, right = (self._range(o, i.type, predicate[0] == "u") for o in i.operands)
        if left is None or right is None:
            return None
        match predicate[1:] if predicate[0] in "us" else predicate:
            case "lt":
                always, never = left[1] < right[0], left[0] >= right[1]
            case "le":
                always, never = left[1] <= right[0], left[0] > right[1]
            case "gt":
                always, never = left[0] > right[1], left[1] <= right[0]
            case "ge":
                always, never = left[0] >= right[1], left[1] < right[0]
            case "eq":
                always, never = False, left[1] < right[0] or left[0] > right[1]
            case "ne":
                always, never = left[1] < right[0] or left[0] > right[1], False
            case _:
                return None
        return TRUE if always else FALSE if never else None

    def _range(self, token: Operand, kind: str, is_unsigned: bool) -> tuple[int, int] | None:
        """The numbers that an operand can be, by its type or by what it was extended from."""
        if kind[:1] != "i" or not kind[1:].isdigit():
            return None
        width = int(kind[1:])
        if isinstance(token, IntLiteral):
            value = token.value
            value = value % (1 << width) if is_unsigned else value
            return value, value
        i = self.view.function.definitions.get(token)
        if is_any(i, "zext", "sext") and i.extra[0][1:].isdigit():
            inner = int(i.extra[0][1:])
            if is_any(i, "zext") and inner > 1:
                return 0, (1 << inner) - 1
            if is_any(i, "sext") and inner > 1 and not is_unsigned:
                return -(1 << (inner - 1)), (1 << (inner - 1)) - 1
        if is_unsigned:
            return 0, (1 << width) - 1
        return -(1 << (width - 1)), (1 << (width - 1)) - 1


_READERS: Mapping[str, Callable[[Conditions, Instruction], tuple[Cond, frozenset[Expr]]]] = {
    "icmp": Conditions._comparison,
    "fcmp": Conditions._comparison,
    "freeze": Conditions._passed_on,
    "and": Conditions._logic,
    "or": Conditions._logic,
    "xor": Conditions._logic,
    "select": Conditions._logic,
    "call": Conditions._called,
    "invoke": Conditions._called,
    "phi": Conditions._phi,
    "trunc": Conditions._as_value,
    "extractvalue": Conditions._as_value,
}
"""Opcode -> how a register that it sets is read as a condition."""
