"""Intrinsic functions of LLVM, and the runtime of OpenMP (kmp.h), which compilers call.

What an intrinsic writes, keeps and calls is said by the attributes that LLVM gives its declaration
(Intrinsics.td). Rows say what attributes do not: how much is written, where a result points to, and
what an intrinsic without attributes for it does. One without a row of which no declaration is at
hand may do anything.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from ...ir.types import Function
from .library_function import ALL, Control, LibraryFunction
from .rows import LEAVES, MAY_LEAVE, TWICE, row

UNLISTED = "llvm.*"
"""The row of the intrinsics that have none of their own."""

INTRINSICS = (
    *row("llvm.memcpy.* llvm.memmove.*", (1,), (0,), length=2, cost="a2"),
    *row("llvm.memset.*", (), (0,), length=2, cost="a2"),
    # -- marks for the optimiser: what lives, what is known
    *row("llvm.lifetime.* llvm.invariant.start.* llvm.invariant.end.* llvm.var.annotation*"),
    *row("llvm.dbg.* llvm.donothing llvm.fake.use llvm.pseudoprobe llvm.instrprof.*"),
    *row("llvm.launder.invariant.group* llvm.strip.invariant.group* llvm.ssa.copy.*", returns=0),
    *row("llvm.ptr.annotation.* llvm.annotation.*", returns=0),
    *row("llvm.ptrmask.* llvm.preserve.*", into=0),
    *row("llvm.objectsize.* llvm.is.constant.* llvm.expect.*"),
    # -- the machine's registers, clocks and stack
    *row(
        "llvm.stacksave* llvm.stackrestore* llvm.frameaddress* llvm.returnaddress llvm.sponentry*"
    ),
    *row("llvm.addressofreturnaddress* llvm.read_register.* llvm.read_volatile_register.*"),
    *row("llvm.write_register.* llvm.readcyclecounter llvm.readsteadycounter llvm.clear_cache"),
    # -- control
    *row("llvm.eh.sjlj.*", ALL, control=TWICE),
    *row("llvm.trap llvm.debugtrap llvm.ubsantrap", control=LEAVES),
    *row("llvm.coro.*", control=MAY_LEAVE),
    # -- argument lists and functions with a context
    *row("llvm.va_start* llvm.va_copy*", ALL, (0,)),
    *row("llvm.va_end*", (0,)),
    *row("llvm.init.trampoline*", ALL, (0,), keeps=ALL),
    *row("llvm.adjust.trampoline*", into=0),
    # -- those of one machine: most have numbers only, few store, and to the place they are handed,
    # but for those that store to places in a vector
    *row("llvm.x86.* llvm.aarch64.* llvm.arm.* llvm.ppc.* llvm.riscv.* llvm.s390.*", ALL, ALL),
    *row("llvm.hexagon.* llvm.mips.* llvm.loongarch.* llvm.wasm.* llvm.ve.*", ALL, ALL),
    *row("llvm.nvvm.* llvm.amdgcn.* llvm.spv.* llvm.dx.* llvm.r600.*", ALL, ALL),
    *row("llvm.x86.avx512.scatter* llvm.x86.avx512.mask.scatter*", ALL, ALL, anywhere=True),
    *row("llvm.aarch64.sve.st1.scatter* llvm.ve.vl.vsc*", ALL, ALL, anywhere=True),
    *row("llvm.amdgcn.raw.* llvm.amdgcn.struct.* llvm.amdgcn.s.buffer.*", ALL, ALL, anywhere=True),
    *row("llvm.x86.int", ALL, ALL, anywhere=True, calls_anything=True, control=MAY_LEAVE),
    *row(
        UNLISTED,
        ALL,
        ALL,
        keeps=ALL,
        anywhere=True,
        calls_anything=True,
        throws=True,
        control=MAY_LEAVE,
    ),
)

OPENMP = (
    *row("omp_get_wtime omp_get_num_threads omp_get_thread_num omp_get_max_threads"),
    *row("omp_in_parallel omp_team_size looplaw.omp.asked"),
    *row("looplaw.omp.first looplaw.omp.thread"),
    *row("__kmpc_for_static_init_* __kmpc_dispatch_next_*", ALL, ALL),
    *row("__kmpc_for_static_fini __kmpc_global_thread_num", ALL),
    *row("omp_* __kmpc_*", ALL, ALL, calls_back=ALL, control=MAY_LEAVE),
    *row("__svml*"),
)

_MEMORY = re.compile(r"\bmemory\(([^)]*)\)")
_GROUP = re.compile(r"#\d+")
_UNTOUCHED = re.compile(r"\breadonly\b|\breadnone\b")
_NOT_KEPT = re.compile(r"\bcaptures\(none\)|\bnocapture\b")


def of_declaration(declaration: Function, groups: Mapping[str, str]) -> LibraryFunction:
    """What an intrinsic does by the attributes of its declaration (LLVM Language Reference,
    "Function Attributes" and "Parameter Attributes").

    groups: the attribute groups of the module, `#1` -> its text.
    """
    parameters = tuple((p.type, p.attributes) for p in declaration.parameters)
    text = " ".join(groups.get(g, "") for g in _GROUP.findall(declaration.header))
    return _described(declaration.name, declaration.type, parameters, declaration.header + text)


@lru_cache(maxsize=4096)
def _described(
    name: str, result: str, parameters: tuple[tuple[str, str], ...], text: str
) -> LibraryFunction:
    accesses = _accesses(text)
    pointers = [at for at, (kind, _) in enumerate(parameters) if "ptr" in kind]
    written = "write" in accesses.get("argmem", accesses[""])
    through = [at for at in pointers if written and not _UNTOUCHED.search(parameters[at][1])]
    # a pointer that is stored nowhere can still be what is returned, as a number, too
    may_keep = result != "void" or any("write" in a for a in accesses.values())
    kept = [at for at in pointers if may_keep and not _NOT_KEPT.search(parameters[at][1])]
    return LibraryFunction(
        name,
        reads=tuple(pointers),
        writes=tuple(through),
        keeps=tuple(kept),
        anywhere="write" in accesses[""] or any(parameters[at][0] != "ptr" for at in through),
        calls_anything=not re.search(r"\bnocallback\b", text),
        throws=not re.search(r"\bnounwind\b", text),
        control=_control(text),
    )


def _accesses(text: str) -> dict[str, str]:
    """Kind of memory -> how it is accessed, "" for what no other kind names: everything where there
    is no attribute."""
    found = _MEMORY.search(text)
    if found is None:
        return {"": "readwrite"}
    parts = (part.rpartition(":") for part in found[1].split(","))
    accesses = {kind.strip(): access.strip() for kind, _, access in parts}
    return {"": "none", **accesses}


def _control(text: str) -> Control:
    if re.search(r"\bnoreturn\b", text):
        return LEAVES
    return Control.RETURNS if re.search(r"\bwillreturn\b", text) else MAY_LEAVE
