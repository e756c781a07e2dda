"""Where a function may be left, or entered a second time, without passing one of its own exits.

A call of something unknown may exit, abort, jump, throw, fork or be ended by a signal; a volatile
access may trap. What was counted before such an instruction has to be in memory when it is reached.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from staticana.ir.loop_info import loop_forest
from staticana.ir.types import Function, Instruction, Module

# Library functions that return to their caller, and soon. What is not named here and not defined in
# the program may leave by exit(), longjmp() or an exception, fork, or wait for long.
_RETURN = frozenset(
    """
malloc calloc realloc free aligned_alloc posix_memalign memcpy memmove memset memcmp memchr
strlen strcmp strncmp strcpy strncpy strcat strncat strchr strrchr strstr strdup strtok strtol strtoul strtoll strtoull
strtod strtof atoi atol atoll atof abs labs rand srand rand_r random srandom drand48 srand48 lrand48 getenv
time clock clock_gettime gettimeofday toupper tolower isdigit isspace isalpha
sqrt sqrtf cbrt pow powf exp expf exp2 log logf log2 log10 log1p expm1 sin sinf cos cosf tan asin acos atan atan2
sinh cosh tanh floor floorf ceil ceilf fabs fabsf fmin fmax fminf fmaxf fmod round lround rint trunc hypot erf erfc
tgamma lgamma ldexp frexp modf copysign fma sincos isnan isinf
_ZdlPv _ZdaPv _ZdlPvm _ZdaPvm __cxa_atexit __cxa_begin_catch __cxa_end_catch
__isoc99_sscanf __isoc23_strtol __isoc23_strtoul __isoc23_strtoll __isoc23_sscanf
__errno_location omp_get_wtime omp_get_num_threads omp_get_thread_num omp_get_max_threads
__kmpc_for_static_init_4 __kmpc_for_static_init_4u __kmpc_for_static_init_8 __kmpc_for_static_init_8u
__kmpc_for_static_fini __kmpc_dispatch_next_4 __kmpc_dispatch_next_4u __kmpc_dispatch_next_8 __kmpc_dispatch_next_8u
__kmpc_global_thread_num
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
    """The words in front of a function's name."""
    return frozenset(function.header[: function.header.find("@")].split())


def is_emitted(function: Function) -> bool:
    """Is code made of this definition?"""
    return not function.is_declaration and "available_externally" not in linkage(function)


def is_own(function: Function | None) -> bool:
    """Is this the definition that a call in the module will reach?"""
    return function is not None and is_emitted(function) and "weak" not in linkage(function)


def callee_of(i: Instruction) -> str | None:
    """The name of what is called; None for calls through pointers and for assembly."""
    token = i.operands[0]
    return token[1:].strip('"') if token.startswith("@") else None


@dataclass(frozen=True)
class Barriers:
    """leaving: functions a call of which may not return; looping: those that contain loops;
    `callers` by callee, with own functions only. Calls count through all levels."""

    module: Module
    leaving: frozenset[str]
    looping: frozenset[str]
    callers: Mapping[str, frozenset[str]]

    def leaves(self, i: Instruction) -> bool:
        """May control not go on behind this instruction, or go on there twice?"""
        return _is_unknown(self.module, i) or (
            i.opcode in ("call", "invoke") and callee_of(i) in self.leaving
        )

    def lasts(self, i: Instruction) -> bool:
        """Does it leave, or run loops of its own?"""
        return self.leaves(i) or (i.opcode in ("call", "invoke") and callee_of(i) in self.looping)

    def above(self, name: str) -> frozenset[str]:
        """The function and all that may call it."""
        return _closed({name}, self.callers)


def _is_unknown(module: Module, i: Instruction) -> bool:
    if i.opcode in ("load", "store"):
        return "volatile" in i.flags
    if i.opcode not in ("call", "invoke"):
        return i.opcode in ("callbr", "resume")
    name = callee_of(i)
    if name is None:
        return i.operands[0] != "asm"
    if name.startswith("llvm."):
        return name.startswith(_LEAVING_INTRINSICS)
    return not is_own(module.functions.get(name)) and name not in _RETURN


def find_barriers(module: Module) -> Barriers:
    """Follow calls upwards from what leaves and from what has loops."""
    callers: dict[str, set[str]] = {}
    leaving: set[str] = set()
    looping: set[str] = set()
    for f in module.functions.values():
        if f.is_declaration:
            continue
        if loop_forest(f, module).loops:
            looping.add(f.name)
        for b in f.blocks.values():
            for i in b.instructions:
                if _is_unknown(module, i):
                    leaving.add(f.name)
                elif (
                    i.opcode in ("call", "invoke")
                    and (name := callee_of(i)) is not None
                    and not name.startswith("llvm.")
                ):
                    callers.setdefault(name, set()).add(f.name)
    frozen = {name: frozenset(found) for name, found in callers.items()}
    return Barriers(module, _closed(leaving, frozen), _closed(looping, frozen), frozen)


def _closed(start: Iterable[str], callers: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """With everything that calls one of them."""
    found, work = set(start), list(start)
    while work:
        new = callers.get(work.pop(), frozenset()) - found
        found |= new
        work.extend(new)
    return frozenset(found)
