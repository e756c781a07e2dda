"""Values that calls yield: numbers from argv, intrinsics, library functions, the program's own."""

from __future__ import annotations

from ..expr import maximum, minimum
from ..ir.loop_info import TEAM_SIZE
from ..ir.types import Instruction
from .context import FunctionContext
from .integer_arithmetic import unsigned
from .values import Value

_EXTREMA = {"smax": maximum, "umax": maximum, "smin": minimum, "umin": minimum}
_PASSED_ON = ("llvm.expect.", "llvm.ssa.copy", "llvm.annotation")
_TO_INTEGER = frozenset(
    "atoi atol atoll strtol strtoll strtoul strtoull strtoimax strtoumax __isoc23_strtol "
    "__isoc23_strtoll __isoc23_strtoul __isoc23_strtoull".split()
)
_ABSOLUTE = ("abs", "labs", "llabs")
TO_FLOAT = frozenset("atof strtod strtof".split())
"""Library functions that read a floating-point number from a string."""


def call_value(view: FunctionContext, i: Instruction) -> Value:
    """The value of a call."""
    callee = i.operands[0].lstrip("@%").strip('"')
    found = (
        _number_from_argv(view, i, callee)
        or _intrinsic(view, i, callee)
        or _library(view, i, callee)
        or _defined(view, i)
    )
    return found or Value(view.scalars.unknown(i, f"result of {callee}"))


def _number_from_argv(view: FunctionContext, i: Instruction, callee: str) -> Value | None:
    """atoi(argv[k]) and the like: a parameter of the program."""
    if callee not in _TO_INTEGER and callee not in TO_FLOAT:
        return None
    string = view.scalars.value(i.operands[1]).expr
    parameter = view.program.argv_parameter(view, i, string)
    return None if parameter is None else Value(parameter)


def _intrinsic(view: FunctionContext, i: Instruction, callee: str) -> Value | None:
    if not callee.startswith("llvm."):
        return None
    name, is_integer = callee.split(".")[1], i.type[:1] == "i"
    if name in _EXTREMA and is_integer:
        a, b = view.scalars.value(i.operands[1]), view.scalars.value(i.operands[2])
        if name[0] == "u":
            a, b = unsigned(view, a, i), unsigned(view, b, i)
        return Value(_EXTREMA[name](a.expr, b.expr), a.preconditions | b.preconditions)
    if name == "abs" and is_integer:
        return _absolute(view, i)
    return view.scalars.value(i.operands[1]) if callee.startswith(_PASSED_ON) else None


def _library(view: FunctionContext, i: Instruction, callee: str) -> Value | None:
    if callee in _ABSOLUTE and len(i.operands) > 1:
        return _absolute(view, i)
    return Value(view.program.team_size()) if callee == TEAM_SIZE else None


def _absolute(view: FunctionContext, i: Instruction) -> Value:
    a = view.scalars.value(i.operands[1])
    return Value(maximum(a.expr, -a.expr), a.preconditions)


def _defined(view: FunctionContext, i: Instruction) -> Value | None:
    """What a function of the program returns, over the arguments of this call."""
    if i.type[:1] != "i" and i.type != "ptr":
        return None
    program = view.program
    target = program.target(view.function.name, i)
    returned = program.returned(target.name) if target is not None else None
    if returned is None:
        return None
    return program.at_call(view, view.function.block_of[i.token], i, returned)
