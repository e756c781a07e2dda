"""Kernels of graphics processors: which thread runs, of how many, as parameters of the program.

A kernel is run by the threads of a launch: `grid` blocks (work-groups) of `block` threads (work
items) along up to three axes. Where a thread stands it reads by intrinsics, whose names differ from
machine to machine and from language to language; here they are `tid`, `ctaid`, `block` and `grid`
in all of them. Counts of a kernel are those of one thread; `staticana.launch` adds them up.

Sources: LLVM's "User Guide for NVPTX Back-end" (special registers) and "User Guide for AMDGPU
Backend" (work items and work groups); OpenCL C specification, 6.15.1 (work-item functions); AMD's
device library (ockl); SPIR-V specification, 3.21 (built-ins).
"""

from __future__ import annotations

import re
from collections.abc import Callable

from ...expr import ZERO, Expr, expr, floor_div
from ...ir.graph import callee
from ...ir.matchers import is_any
from ...ir.types import Function, Instruction, IntLiteral, Module
from .program_parameters import ProgramParameters

AXES = "xyz"
ORIGIN = "thread:"
ONE_THREAD = "counts are those of one thread of a kernel"
MOST_THREADS = 1024
"""Threads of a block, on every machine there is (CUDA C++ Programming Guide, table 28)."""

_KERNEL = re.compile(r"\b(?:ptx|amdgpu|spir)_kernel\b")
_CASTS = ("trunc", "zext", "sext", "insertvalue", "insertelement")
_WORDS = {
    "tid": "tid|workitem.id|tidig",
    "ctaid": "ctaid|workgroup.id|tgid",
    "block": "ntid|local.size",
    "grid": "nctaid|ngroups",
    "size": "global.size",
}
_MACHINES = r"llvm\.(?:nvvm\.read\.ptx\.sreg|amdgcn|r600\.read)\."
_REGISTERS = {
    what: re.compile(rf"{_MACHINES}(?:{names.replace('.', chr(92) + '.')})\.([xyz])")
    for what, names in _WORDS.items()
}
_FUNCTIONS = {
    "get_local_id": "tid",
    "get_group_id": "ctaid",
    "get_local_size": "block",
    "get_enqueued_local_size": "block",
    "get_num_groups": "grid",
    "get_global_id": "id",
    "get_global_size": "size",
    "get_global_offset": "none",
    "BuiltInLocalInvocationId": "tid",
    "BuiltInWorkgroupId": "ctaid",
    "BuiltInWorkgroupSize": "block",
    "BuiltInNumWorkgroups": "grid",
    "BuiltInGlobalInvocationId": "id",
    "BuiltInGlobalSize": "size",
    "BuiltInGlobalOffset": "none",
}
_FUNCTION = re.compile(r"(?:_Z\d+|__ockl_)(?:__spirv_)?(\w+?)(?:[ji])?")
_LINEAR = {"_Z19get_local_linear_idv": "tid", "_Z20get_global_linear_idv": "id"}
_LANE = re.compile(
    r"llvm\.nvvm\.read\.ptx\.sreg\.laneid|__ockl_lane_u32|_Z22get_sub_group_local_idv"
)
_WARP_SIZE = re.compile(r"llvm\.(?:nvvm\.read\.ptx\.sreg\.warpsize|amdgcn\.wavefrontsize)")


def symbol(parameters: ProgramParameters, what: str, axis: str) -> Expr:
    """The parameter for a thread's number (tid), its block's (ctaid), or how many there are (block,
    grid), along an axis."""
    return parameters.given(f"{ORIGIN}{what}.{axis}", f"{what}_{axis}")


def thread_number(
    parameters: ProgramParameters, called: str, argument: int | None = None, lanes: int = 32
) -> Expr | None:
    """What a call says of the thread that runs; None if it says nothing of it.

    Args:
        argument: the number that the function is called with, None where it is called with none.
        lanes: threads of a warp.
    """
    for what, pattern in _REGISTERS.items():
        found = pattern.fullmatch(called)
        if found is not None:
            return _number(parameters, what, found[1])
    if called in _LINEAR:
        return _linear(parameters, _LINEAR[called])
    if _WARP_SIZE.fullmatch(called):
        return expr(lanes)
    if _LANE.fullmatch(called):
        number = symbol(parameters, "tid", "x")
        return number - floor_div(number, lanes) * lanes
    what_asked = _asked(called)
    if what_asked is None or argument is None:
        return None
    if not 0 <= argument < len(AXES):
        return ZERO if what_asked in ("tid", "ctaid", "id", "none") else expr(1)
    return _number(parameters, what_asked, AXES[argument])


def _asked(called: str) -> str | None:
    found = _FUNCTION.fullmatch(called) if called.startswith(("_Z", "__ockl_")) else None
    return None if found is None else _FUNCTIONS.get(found[1])


def what_is_read(called: str) -> tuple[str, str | None] | None:
    """(what a function says of the thread that runs, the axis where its name has it); None for
    other functions. "lane" and "warp" are of the warp, "linear.tid" and "linear.id" along all
    axes."""
    for what, pattern in _REGISTERS.items():
        found = pattern.fullmatch(called)
        if found is not None:
            return what, found[1]
    if called in _LINEAR:
        return f"linear.{_LINEAR[called]}", None
    if _WARP_SIZE.fullmatch(called):
        return "warp", None
    if _LANE.fullmatch(called):
        return "lane", None
    asked = _asked(called)
    return None if asked is None else (asked, None)


def is_thread_number(called: str) -> bool:
    """Does a function say which thread runs, or of how many?"""
    return (
        called in _LINEAR
        or _asked(called) is not None
        or _LANE.fullmatch(called) is not None
        or any(p.fullmatch(called) for p in _REGISTERS.values())
    )


def axes_read(module: Module) -> frozenset[str]:
    """The axes along which the functions of a module ask where a thread stands."""
    found: set[str] = set()
    for function in module.functions.values():
        for call in function.calls:
            axes = _axes_of(call)
            if not axes <= found and _is_used(function, call):
                found |= axes
    return frozenset(found)


def _is_used(function: Function, i: Instruction) -> bool:
    """Does anything but casts use a value?"""
    users = function.users.get(i.token, ())
    return any(not is_any(u, *_CASTS) or _is_used(function, u) for u in users)


def _axes_of(call: Instruction) -> frozenset[str]:
    called = callee(call) or ""
    if called in _LINEAR:
        return frozenset(AXES)
    if _asked(called) is not None:
        argument = call.operands[1] if len(call.operands) > 1 else None
        at = argument.value if isinstance(argument, IntLiteral) else len(AXES)
        return frozenset(AXES[at : at + 1])
    registers = (p.fullmatch(called) for p in _REGISTERS.values())
    return frozenset(found[1] for found in registers if found is not None)


def _number(parameters: ProgramParameters, what: str, axis: str) -> Expr:
    if what == "none":
        return ZERO
    of: Callable[[str], Expr] = lambda part: symbol(parameters, part, axis)  # noqa: E731
    if what == "id":
        return of("ctaid") * of("block") + of("tid")
    if what == "size":
        return of("grid") * of("block")
    return of(what)


def _linear(parameters: ProgramParameters, what: str) -> Expr:
    """A number along all axes, the first one fastest."""
    number = ZERO
    of_all = "block" if what == "tid" else "size"
    for axis in reversed(AXES):
        number = number * _number(parameters, of_all, axis) + _number(parameters, what, axis)
    return number


def is_kernel(function: Function) -> bool:
    """Is a function a kernel, by its calling convention?"""
    return _KERNEL.search(function.header.split("@")[0]) is not None


def is_device_code(module: Module) -> bool:
    """Does a module hold kernels, or functions that ask which thread runs?"""
    return any(
        is_kernel(f) or any(is_thread_number(callee(call) or "") for call in f.calls)
        for f in module.functions.values()
        if not f.is_declaration
    )


def known_of_threads(parameters: ProgramParameters) -> list[Expr]:
    """What holds of these parameters: formulas that are at least zero."""
    found: list[Expr] = []
    for axis in AXES:
        for one, of_all in (("tid", "block"), ("ctaid", "grid")):
            number, size = (symbol(parameters, what, axis) for what in (one, of_all))
            found += [number, size - 1, size - 1 - number]
        found.append(MOST_THREADS - symbol(parameters, "block", axis))
    return found
