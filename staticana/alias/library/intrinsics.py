"""Intrinsic functions of LLVM, and the runtime of OpenMP (kmp.h), which compilers call."""

from __future__ import annotations

from .library_function import ALL
from .rows import LEAVES, MAY_LEAVE, TWICE, row

INTRINSICS = (
    *row("llvm.memcpy.* llvm.memmove.*", (1,), (0,), length=2, cost="a2"),
    *row("llvm.memset.*", (), (0,), length=2, cost="a2"),
    *row("llvm.eh.sjlj.*", ALL, control=TWICE),
    *row("llvm.trap llvm.debugtrap llvm.ubsantrap", control=LEAVES),
    *row("llvm.coro.*", control=MAY_LEAVE),
    *row("llvm.ptrmask.*", into=0),
    *row("llvm.masked.store.* llvm.masked.compressstore.* llvm.vp.store.*", (), (1,)),
    *row("llvm.experimental.vp.strided.store.*", (), (1,)),
    *row("llvm.masked.scatter.* llvm.vp.scatter.*", lists=True),  # through vectors of pointers
    *row("llvm.va_start* llvm.va_copy* llvm.init.trampoline", ALL, (0,)),
    # -- those of one machine: most have numbers only, few store, and to the place they are handed
    *row("llvm.x86.* llvm.aarch64.* llvm.arm.* llvm.ppc.* llvm.riscv.* llvm.s390.*", ALL, ALL),
    *row("llvm.hexagon.* llvm.mips.* llvm.loongarch.* llvm.wasm.* llvm.ve.*", ALL, ALL),
    *row("llvm.nvvm.* llvm.amdgcn.* llvm.spv.* llvm.dx.* llvm.r600.*", ALL, ALL),
    *row("llvm.*"),
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
