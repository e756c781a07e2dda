"""Induction variables, which count iterations by themselves.

A variable with i = i + s or i = i - s in every iteration, s a constant or loop-invariant, has run
through as many steps as there were iterations: its value on the way out less that on the way in,
over s. So such a loop needs no counter at all, only two instructions at its ends. The variable may
be a pointer, as iterators over arrays and vectors are; its step is the size of an element.
"""

from __future__ import annotations

from dataclasses import dataclass

from staticana.ir.data_layout import Layout
from staticana.ir.loop_info import Loop
from staticana.ir.types import (
    Function,
    GlobalRef,
    Instruction,
    IntLiteral,
    Operand,
    Register,
    int_bits,
    operand,
)

from .ir_text.code_builder import CodeBuilder

_MAX_CHAIN = 6
"""Instructions that compute a step; they are repeated at each exit of the loop."""
_PURE = frozenset(("add", "sub", "mul", "shl", "and", "or", "xor", "sext", "zext", "trunc"))
_MAX_STEP = 4096
"""Differences of a 64-bit variable that may wrap are right up to 2**63: with steps up to this, for
2**51 iterations, more than a run makes."""


@dataclass(frozen=True)
class InductionVariable:
    """A phi of the loop's header that changes by the same step in every iteration.

    It does not wrap, or is 64 bits wide with a small step, so that differences are right anyway.

    Attributes:
        token: its register; `start` is its value on entry, `type` an integer type or "ptr".
        step: a number (of a pointer: of bytes) or a register; added, or subtracted where the
            variable `falls`.
        extension: "sext" or "zext", which widens it to 64 bits; of a pointer "ptrtoint".
        chain: the instructions in the loop that compute the step from loop-invariant values.
    """

    token: Register
    start: Operand
    type: str
    step: Operand
    extension: str
    falls: bool = False
    chain: tuple[Instruction, ...] = ()

    @property
    def is_unit(self) -> bool:
        """Does it change by one, so that the difference is the count?"""
        return self.step in ("1", "-1")

    @property
    def is_scaled(self) -> bool:
        """Is the sum of differences the count, once it is divided by a number?"""
        return isinstance(self.step, IntLiteral) and not self.is_unit


def find_induction_variable(
    function: Function, loop: Loop, layout: Layout | None = None
) -> InductionVariable | None:
    """An induction variable of the loop: one with step 1 or -1 if there is one, else one with a
    constant step, else any; None if there is none.

    Args:
        layout: the sizes of types; without it, pointers are not looked at.
    """
    if loop.latch is None or loop.preheader is None:
        return None
    found: list[InductionVariable] = []
    pointers: list[InductionVariable] = []
    for phi in function.blocks[loop.header].phis:
        if set(phi.labels) != {loop.latch, loop.preheader}:
            continue
        incoming = dict(zip(phi.labels, phi.operands, strict=True))
        change, start = function.definitions.get(incoming[loop.latch]), incoming[loop.preheader]
        if phi.type == "ptr" and change is not None and layout is not None:
            bytes_ = _bytes_passed(change, phi.token, layout)
            if bytes_ and isinstance(start, Register | GlobalRef):
                step = operand(str(bytes_))
                pointers.append(InductionVariable(phi.token, start, "ptr", step, "ptrtoint"))
            continue
        if (
            change is None
            or change.opcode not in ("add", "sub")
            or phi.token not in change.operands
            or not _is_plain(start)
        ):
            continue
        falls = change.opcode == "sub"
        if falls and change.operands[0] != phi.token:
            continue
        step = change.operands[1] if change.operands[0] == phi.token else change.operands[0]
        if falls and isinstance(step, IntLiteral):
            falls, step = False, operand(str(-step.value))
        bits = int_bits(phi.type)
        if bits is None or not 8 <= bits <= 64:
            continue
        extension = _extension(phi, change, start, step)
        chain = _chain(function, loop, step)
        constant = isinstance(step, IntLiteral)
        if extension and chain is not None and (constant or _ends_by(function, loop, phi)):
            found.append(
                InductionVariable(phi.token, start, phi.type, step, extension, falls, chain)
            )
    constant_steps = [v for v in (*found, *pointers) if isinstance(v.step, IntLiteral)]
    return next((v for v in found if v.is_unit), next(iter((*constant_steps, *found)), None))


def _bytes_passed(change: Instruction, pointer: Operand, layout: Layout) -> int | None:
    """How far an instruction moves a pointer; None where it does not, or not by a number."""
    if change.opcode != "getelementptr" or len(change.operands) != 2:
        return None
    base, index = change.operands
    size = layout.size(change.type)
    if base != pointer or not isinstance(index, IntLiteral) or not size:
        return None
    bytes_ = size * index.value
    return bytes_ if 0 < abs(bytes_) <= _MAX_STEP else None


def _extension(phi: Instruction, change: Instruction, start: Operand, step: Operand) -> str | None:
    """How the variable is widened to 64 bits; None where it may wrap."""
    if "nsw" in change.flags or (
        phi.type == "i64" and isinstance(step, IntLiteral) and 0 < abs(step.value) <= _MAX_STEP
    ):
        return "sext" if step != "0" else None
    if (
        "nuw" in change.flags
        and step == "1"
        and not (isinstance(start, IntLiteral) and start.value < 0)
    ):
        return "zext"
    return None


def _ends_by(function: Function, loop: Loop, variable: Instruction) -> bool:
    """Does one test of the variable against a loop-invariant value end the loop? With a step of 0
    such a loop ends at once or never, so that nothing is divided by 0."""
    if len(loop.exits) != 1 or loop.exits[0].source != loop.header or not loop.exits[0].is_test:
        return False
    condition = function.definitions.get(function.blocks[loop.header].terminator.operands[0])
    if condition is None or condition.opcode != "icmp":
        return False

    def is_variable(token: Operand) -> bool:
        widened = function.definitions.get(token)
        return token == variable.token or (
            widened is not None
            and widened.opcode in ("sext", "zext")
            and widened.operands == (variable.token,)
        )

    return sum(map(is_variable, condition.operands)) == 1 and all(
        is_variable(o) or _chain(function, loop, o) is not None for o in condition.operands
    )


def _chain(function: Function, loop: Loop, token: Operand) -> tuple[Instruction, ...] | None:
    """The instructions in the loop that compute a value from loop-invariant ones, in their order;
    None if the value may change from iteration to iteration."""
    found: dict[str, Instruction] = {}

    def visit(of: Operand) -> bool:
        if isinstance(of, GlobalRef):
            return False
        if of in found or function.block_of.get(of) not in loop.blocks:
            return True
        i = function.definitions[of]
        if i.opcode not in _PURE or len(found) >= _MAX_CHAIN or not all(map(visit, i.operands)):
            return False
        found[of] = i
        return True

    return tuple(found.values()) if visit(token) else None


def _is_plain(value: Operand) -> bool:
    return isinstance(value, Register | IntLiteral)


def widened(variable: InductionVariable, token: Operand, code: CodeBuilder) -> str:
    """A value of the variable's type as 64 bits, by the variable's own extension."""
    if variable.type == "i64" or (variable.type != "ptr" and not isinstance(token, Register)):
        return token
    return code.value(f"{variable.extension} {variable.type} {token} to i64")


def fixed_count(function: Function, loop: Loop) -> int | None:
    """The iterations of a loop from a number to a number, which only its test at the head ends."""
    variable = find_induction_variable(function, loop)
    if variable is None or not isinstance(variable.start, IntLiteral):
        return None
    if (
        not isinstance(variable.step, IntLiteral)
        or len(loop.exits) != 1
        or not _ends_by(function, loop, function.definitions[variable.token])
    ):
        return None
    terminator = function.blocks[loop.header].terminator
    test = function.definitions[terminator.operands[0]]
    left, right = test.operands
    relation, bound = (test.extra[0], right) if isinstance(right, IntLiteral) else ("", left)
    if not isinstance(bound, IntLiteral) or left != variable.token:
        return None
    if terminator.labels[0] not in loop.blocks:
        relation = {"sge": "slt", "sgt": "sle", "sle": "sgt", "slt": "sge", "eq": "ne"}.get(
            relation, ""
        )
    start, step, end = variable.start.value, variable.step.value, bound.value
    if relation in ("sle", "sge"):
        end, relation = (end + 1, "slt") if relation == "sle" else (end - 1, "sgt")
    if relation == "ne" and (end - start) % step == 0 and (end - start) // step >= 0:
        return (end - start) // step
    half = 1 << ((int_bits(variable.type) or 1) - 1)
    if not -half <= end + step < half:
        return None
    if (relation == "slt" and step > 0) or (relation == "sgt" and step < 0):
        return max(0, -((start - end) // step))
    return None
