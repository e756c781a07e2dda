"""What a call in a loop is handed: the same object in every iteration, a pointer that moves along
one, or something else each time."""

from __future__ import annotations

from ..alias.memory_location import Pointer, UnderlyingObject
from ..ir.graph import callee
from ..ir.matchers import is_alloca, is_choice, is_gep, is_icmp, is_load, is_phi, is_store
from ..ir.types import GlobalRef, Instruction, IntLiteral, Operand
from ..scev.context import FunctionContext
from ..scev.source_names import value_name

_FILLS = frozenset(
    "fgets getline getdelim fread read recv pread sprintf snprintf vsprintf vsnprintf strcpy"
    " strncpy stpcpy gets fscanf scanf sscanf getcwd inet_ntop readlink".split()
)
"""Functions that write a new text into a buffer."""
_MOST_STEPS = 24
"""Instructions between a pointer and its value one iteration before."""
_MOST_TRIPS = 64
"""A loop that plainly runs no more often than this is not worth a finding."""


def plain(name: str) -> str:
    """A library function's name without what glibc adds to it."""
    for prefix in ("__isoc99_", "__isoc23_", "__"):
        name = name.removeprefix(prefix)
    return name.removesuffix("_chk")


def runs_often(view: FunctionContext, header: str) -> bool:
    """May a loop run more than a few times? Not where its test names a small number. (What one
    caller passes does not matter.)"""
    for e in view.loops[header].exits:
        operands = view.function.blocks[e.source].terminator.operands
        test = view.function.definitions.get(operands[0]) if operands and not e.is_unwind else None
        if not is_icmp(test):
            continue
        number = test.operands[1]
        is_bound = test.extra[0] not in ("eq", "ne") and isinstance(number, IntLiteral)
        if is_bound and isinstance(number, IntLiteral) and 1 < number.value <= _MOST_TRIPS:
            counted = view.function.definitions.get(test.operands[0])
            if counted is not None and counted in view.function.blocks[header].phis:
                return False
    return True


def is_fixed(view: FunctionContext, token: Operand, header: str) -> bool:
    """Has a pointer the same value in all iterations of a loop?"""
    if isinstance(token, GlobalRef):
        return True
    i = view.function.definitions.get(token)
    if i is None:
        return True
    inside = view.loops[header].blocks
    if view.function.block_of[token] not in inside:
        return True
    if is_load(i):
        value = view.scalars.value(token).expr
        return not view.varying(value, header) and is_fixed(view, i.operands[0], header)
    if is_gep(i):
        return all(is_fixed(view, o, header) for o in i.operands)
    return False


def moves(view: FunctionContext, token: Operand, header: str) -> Instruction | None:
    """The header phi that a pointer is, where it steps along one object from iteration to
    iteration."""
    phi = view.function.definitions.get(token)
    if not is_phi(phi) or phi not in view.function.blocks[header].phis:
        return None
    inside = view.loops[header].blocks
    steps = [o for o, label in zip(phi.operands, phi.labels, strict=True) if label in inside]
    return phi if steps and all(_steps_from(view, o, phi, 0) for o in steps) else None


def _steps_from(view: FunctionContext, token: Operand, phi: Instruction, depth: int) -> bool:
    if token == phi.token:
        return True
    i = view.function.definitions.get(token)
    if i is None or depth > _MOST_STEPS:
        return False
    if is_gep(i):
        return _steps_from(view, i.operands[0], phi, depth + 1)
    if is_choice(i):
        parts = i.operands if is_phi(i) else i.operands[1:]
        return all(_steps_from(view, o, phi, depth + 1) for o in parts)
    return False


def is_literal(view: FunctionContext, token: Operand) -> bool:
    """Is it a text of the source, whose length is fixed?"""
    base = view.program.memory.aliasing.underlying_object(view.function, token)[0]
    if not isinstance(base, GlobalRef):
        return False
    found = view.program.module.globals.get(base.name)
    return found is not None and found.attributes.endswith("constant")


def is_refilled(view: FunctionContext, token: Operand, header: str) -> bool:
    """Does each iteration of a loop write a new text to an object, or make the object?"""
    aliasing, function = view.program.memory.aliasing, view.function
    base = aliasing.underlying_object(function, token)[0]
    if base is None:
        return True
    if (
        isinstance(base, Pointer)
        and function.block_of.get(base.register) in view.loops[header].blocks
    ):
        made = function.definitions[base.register]
        if not (is_load(made) and is_fixed(view, base.register, header)):
            return True
    for block in view.loops[header].blocks:
        for i in function.blocks[block].instructions:
            if is_store(i) and i.operands[0] == "0" and i.type == "i8":
                if aliasing.underlying_object(function, i.operands[1]) == (base, 0):
                    return True
            if _may_fill(view, i) and any(
                aliasing.underlying_object(function, o) == (base, 0) for o in i.operands[1:]
            ):
                return True
    return False


def _may_fill(view: FunctionContext, i: Instruction) -> bool:
    """Does a call write a new text into a buffer that it is handed, or may it, as one through a
    pointer may?"""
    if not i.is_call:
        return False
    name = callee(i)
    return name is None or plain(name) in _FILLS


def name_of(view: FunctionContext, token: Operand) -> str:
    """The variable whose object a pointer points to."""
    i = view.function.definitions.get(token)
    if is_phi(i):
        held = view.held_by(i)
        if held:
            return held
    if i is None or is_load(i):
        text = value_name(view, token)
        if text:
            return text
    base = view.program.memory.aliasing.underlying_object(view.function, token)[0]
    return base_name(view, base) or "it"


def base_name(view: FunctionContext, base: UnderlyingObject | None) -> str | None:
    """The name of an object."""
    if isinstance(base, GlobalRef):
        return base.name
    if not isinstance(base, Pointer) or base.function != view.function.name:
        return None
    i = view.function.definitions.get(base.register)
    if is_alloca(i):
        return view.variable_name(base.register) or i.name
    declared = next((v for v in view.function.variables if v.value == base.register), None)
    if declared is not None:
        name = view.program.module.metadata_field(declared.node, "name")
        if name:
            return name
    return value_name(view, base.register)
