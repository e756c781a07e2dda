"""Functions of kernels: which thread runs, barriers, exchange between threads of a warp, arithmetic
of the device libraries. Sources: OpenCL C specification, 6.15; SPIR-V specification; AMD's device
libraries (ockl, ocml); NVIDIA's libdevice.

At a barrier other threads' writes are seen: it is taken to write all memory that they reach.
"""

from __future__ import annotations

from .library_function import ALL
from .rows import row

GPU = (
    *row("_Z13get_global_idj _Z12get_local_idj _Z12get_group_idj _Z14get_local_sizej"),
    *row("_Z23get_enqueued_local_sizej _Z14get_num_groupsj _Z15get_global_sizej"),
    *row("_Z17get_global_offsetj _Z12get_work_dimv _Z19get_local_linear_idv"),
    *row("_Z20get_global_linear_idv _Z18get_sub_group_sizev _Z22get_sub_group_local_idv"),
    *row("_Z16get_sub_group_idv _Z18get_num_sub_groupsv"),
    *row("__ockl_get_* __ockl_lane_u32 __ocml_* __nv_* _Z*__spirv_BuiltIn*"),
    *row("_Z7barrierj* _Z18work_group_barrierj* _Z17sub_group_barrierj*", anywhere=True),
    *row("_Z9mem_fencej _Z14read_mem_fencej _Z15write_mem_fencej", anywhere=True),
    *row("_Z*__spirv_ControlBarrier* _Z*__spirv_MemoryBarrier*", anywhere=True),
    *row("looplaw_barrier looplaw_fence looplaw_warp_barrier", anywhere=True),
    *row("looplaw_vote looplaw_shuffle looplaw_launch"),
    # the host's side: kernels write what pointers were handed to them
    *row("cudaMallocLooplaw hipMallocLooplaw", (), (0,), size=8),
    *row("cudaLaunchKernel hipLaunchKernel", ALL, ALL, behind=(3,)),
    *row("__cudaPopCallConfiguration __hipPopCallConfiguration", (), ALL),
    *row("__hipRegister* __hipUnregister* __cudaRegister* __cudaUnregister*"),
    *row("cudaFree* hipFree* cudaDevice* hipDevice* cudaThread* hipThread* cudaStream* hipStream*"),
    *row("cudaGetLastError hipGetLastError cudaPeekAtLastError hipPeekAtLastError"),
    *row("cudaSetDevice hipSetDevice cudaGetErrorString hipGetErrorString"),
    *row("cudaEvent* hipEvent*", (), (0,)),
    *row("cudaMemcpy* hipMemcpy* cudaMemset* hipMemset*", (1,), (0,)),
    *row("looplaw_argument_* looplaw_enqueue looplaw_local clSetKernelArg clRelease* clRetain*"),
    *row("clCreateKernel", (1,), (2,)),
    *row("clEnqueueNDRangeKernel", (7,), (8,)),
    *row("clEnqueueWriteBuffer", (5, 7), (8,)),
    *row("looplaw_atomic_add_float looplaw_atomic_add_double", (0,), (0,)),
    *row("llvm.nvvm.barrier* llvm.nvvm.bar.* llvm.nvvm.membar.* llvm.nvvm.fence*", anywhere=True),
    *row("llvm.amdgcn.s.barrier* llvm.amdgcn.wave.barrier*", anywhere=True),
)
