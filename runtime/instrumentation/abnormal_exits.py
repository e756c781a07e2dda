"""Abnormal exits: instructions at which control may leave a function, or come back a second time,
without passing one of its returns.

A call of an unknown function may call exit() or abort(), jump (longjmp), throw, fork, or wait until
a signal ends the process; a volatile access may trap. What was counted before such an instruction
has to be in memory when it is reached, and nothing may be concluded across it from the conservation
of flow.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from staticana.ir.loop_info import loop_forest
from staticana.ir.types import Function, Instruction, Module

# Library functions that return to their caller, and soon. A function that is neither here nor
# defined in the program is taken to be able to do all that the module's docstring lists.
_RETURNING = frozenset(
    """
    malloc calloc realloc free aligned_alloc posix_memalign memcpy memmove memset memcmp memchr
    strlen strcmp strncmp strcpy strncpy strcat strncat strchr strrchr strstr strdup strtok
    strtol strtoul strtoll strtoull strtod strtof atoi atol atoll atof abs labs rand srand
    rand_r random srandom drand48 srand48 lrand48 getenv time clock clock_gettime gettimeofday
    toupper tolower isdigit isspace isalpha sqrt sqrtf cbrt pow powf exp expf exp2 log logf log2
    log10 log1p expm1 sin sinf cos cosf tan asin acos atan atan2 sinh cosh tanh floor floorf
    ceil ceilf fabs fabsf fmin fmax fminf fmaxf fmod round lround rint trunc hypot erf erfc
    tgamma lgamma ldexp frexp modf copysign fma sincos isnan isinf _ZdlPv _ZdaPv _ZdlPvm _ZdaPvm
    __cxa_atexit __cxa_begin_catch __cxa_end_catch __isoc99_sscanf __isoc23_strtol
    __isoc23_strtoul __isoc23_strtoll __isoc23_sscanf __errno_location omp_get_wtime
    omp_get_num_threads omp_get_thread_num omp_get_max_threads __kmpc_for_static_init_4
    __kmpc_for_static_init_4u __kmpc_for_static_init_8 __kmpc_for_static_init_8u
    __kmpc_for_static_fini __kmpc_dispatch_next_4 __kmpc_dispatch_next_4u __kmpc_dispatch_next_8
    __kmpc_dispatch_next_8u __kmpc_global_thread_num
    """.split()
)
_LEAVING_INTRINSICS = (
    "llvm.eh.sjlj.",
    "llvm.trap",
    "llvm.debugtrap",
    "llvm.ubsantrap",
    "llvm.coro.",
)


def linkage(function: Function) -> frozenset[str]:
    """The words in front of a function's name in its header: linkage, visibility, type."""
    return frozenset(function.header[: function.header.find("@")].split())


def is_emitted(function: Function) -> bool:
    """Does the compiler emit code for this definition?"""
    return not function.is_declaration and "available_externally" not in linkage(function)


def is_own(function: Function | None) -> bool:
    """Does a call in this module reach this definition? The linker may replace a weak one."""
    return function is not None and is_emitted(function) and "weak" not in linkage(function)


def callee_of(i: Instruction) -> str | None:
    """The name of the called function; None for calls through pointers and inline assembly."""
    token = i.operands[0]
    return token[1:].strip('"') if token.startswith("@") else None


@dataclass(frozen=True)
class AbnormalExits:
    """Which functions of a module may not return, and which run loops.

    Attributes:
        leaving: functions that contain an abnormal exit, directly or through their callees.
        looping: functions that contain a loop, likewise.
        callers: callee -> functions that call it directly.
    """

    module: Module
    leaving: frozenset[str]
    looping: frozenset[str]
    callers: Mapping[str, frozenset[str]]

    def may_leave(self, i: Instruction) -> bool:
        """May control not continue behind this instruction, or continue there twice?"""
        return _is_unknown(self.module, i) or (
            i.opcode in ("call", "invoke") and callee_of(i) in self.leaving
        )

    def may_last(self, i: Instruction) -> bool:
        """May it leave, or run loops of its own?"""
        return self.may_leave(i) or (
            i.opcode in ("call", "invoke") and callee_of(i) in self.looping
        )

    def with_callers(self, name: str) -> frozenset[str]:
        """The function and all functions that may call it, directly or not."""
        return _with_callers({name}, self.callers)


def _is_unknown(module: Module, i: Instruction) -> bool:
    """Is this instruction an abnormal exit by itself?"""
    if i.opcode in ("load", "store"):
        return "volatile" in i.flags
    if i.opcode not in ("call", "invoke"):
        return i.opcode in ("callbr", "resume")
    name = callee_of(i)
    if name is None:
        return i.operands[0] != "asm"
    if name.startswith("llvm."):
        return name.startswith(_LEAVING_INTRINSICS)
    return not is_own(module.functions.get(name)) and name not in _RETURNING


def find_abnormal_exits(module: Module) -> AbnormalExits:
    """Find the abnormal exits and the loops of a module, and follow the call graph upwards."""
    callers: dict[str, set[str]] = {}
    leaving: set[str] = set()
    looping: set[str] = set()
    for f in module.functions.values():
        if f.is_declaration:
            continue
        if loop_forest(f, module).loops:
            looping.add(f.name)
        for i in (i for b in f.blocks.values() for i in b.instructions):
            if _is_unknown(module, i):
                leaving.add(f.name)
            elif (
                i.opcode in ("call", "invoke")
                and (name := callee_of(i)) is not None
                and not name.startswith("llvm.")
            ):
                callers.setdefault(name, set()).add(f.name)
    frozen = {name: frozenset(found) for name, found in callers.items()}
    return AbnormalExits(
        module, _with_callers(leaving, frozen), _with_callers(looping, frozen), frozen
    )


def _with_callers(start: Iterable[str], callers: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """Functions, and all that call one of them through any number of levels."""
    found, work = set(start), list(start)
    while work:
        new = callers.get(work.pop(), frozenset()) - found
        found |= new
        work.extend(new)
    return frozenset(found)
