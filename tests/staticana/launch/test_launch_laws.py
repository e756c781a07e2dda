"""The laws of launches, as those who ask for them get them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from staticana import analyze, canonical, compile_sources
from staticana.results import KernelResult
from tests.kernels import FOLDER, PROGRAMS, analysed, kernel, text_of

_BAD = PROGRAMS / "kernels_known_bad.cl"
_SPACE = """
target triple = "nvptx64-nvidia-cuda"
@count = internal addrspace(3) global i32 undef, align 4
define ptx_kernel void @k(i32 %n, ptr %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %t, 0
  br i1 %first, label %set, label %join
set:
  store i32 %n, ptr addrspace(3) @count
  br label %join
join:
  call void @llvm.nvvm.barrier0()
  %end = load i32, ptr addrspace(3) @count
  br label %for.cond
for.cond:
  %i = phi i32 [ 0, %join ], [ %next, %for.body ]
  %more = icmp slt i32 %i, %end
  br i1 %more, label %for.body, label %for.end
for.body:
  %next = add nsw i32 %i, 1
  br label %for.cond
for.end:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()
"""


def _kernel(file: str, name: str) -> KernelResult:
    found = kernel(analysed(FOLDER / file), name).kernel
    assert found is not None
    return found


def _values(grid: tuple[int, ...], block: tuple[int, ...], **numbers: int) -> dict[str, int]:
    sizes = {f"grid_{a}": n for a, n in zip("xyz", (*grid, 1, 1), strict=False)}
    return sizes | {f"block_{a}": n for a, n in zip("xyz", (*block, 1, 1), strict=False)} | numbers


def test_a_guard_is_counted_for_threads_and_warps() -> None:
    found = _kernel("vectors.cl", "saxpy").counts
    values = _values((4,), (64,), n=100)
    assert found.work.evaluate(values) == 100
    assert found.depth.evaluate(values) == 1
    assert found.warps.evaluate(values) == 128
    # no whole warps: each block of 50 has two, of which the last one has 18 lanes
    assert found.warps.evaluate(_values((4,), (50,), n=100)) == 4 * 32
    assert found.warps.evaluate(_values((4,), (20,), n=41)) == 3 * 32


def test_what_data_decide_has_a_name() -> None:
    """Rows of a sparse product: their lengths add up to the end of the last one; the longest row
    and the longest of each warp are values of a run."""
    (loop,) = _kernel("vectors.cl", "spmv_row").loops.values()
    assert str(loop.work.formula) == "first_Min_block_x_grid_x_n - first_0"
    assert "do not decrease" in loop.work.assumptions[0]
    for count, what in ((loop.depth, "thread that does most"), (loop.warps, "lane of a warp")):
        assert count.kind == "parametric"
        assert what in count.opaque[0].meaning
    assert loop.warps.formula is not None
    name = loop.warps.opaque[0].symbol
    assert loop.warps.formula.evaluate(_values((3,), (64,), n=192) | {name: 7}) == 192 * 7


def test_work_of_a_grid_stride_loop_is_that_of_its_range() -> None:
    loop = analysed(FOLDER / "vectors.cl")["vectors.cl:10"]
    assert str(loop.launch.work.formula) == "Max(0, n)"
    assert loop.launch.depth.evaluate(_values((3,), (32,), n=100)) == 2


def test_kernels_of_one_file_have_symbols_of_their_own() -> None:
    document = analysed(FOLDER / "grids.cu").to_json()
    functions = document["functions"]
    assert isinstance(functions, list)
    kernels = {f["name"]: f["kernel"] for f in functions if "kernel" in f}
    assert kernels["heat3d"]["dimensions"] == 3
    assert kernels["matmul"]["dimensions"] == 2
    assert kernels["matmul_tiled"]["shared_bytes"]["formula"] == "2048"
    for found in kernels.values():
        assert {"dimensions", "warp", "work", "depth", "warps", "efficiency"} <= found.keys()
        assert found["warp"] == 32
    json.dumps(document)


@pytest.mark.parametrize(
    ("kernel", "array", "pattern", "sectors"),
    [
        ("matmul", "b", "coalesced", 4),
        ("matmul", "a", "broadcast", 1),
        ("matmul_swapped", "a", "strided", 32),
        ("transpose", "out", "strided", 32),
        ("transpose", "in", "coalesced", 4),
    ],
)
def test_what_a_warp_touches(kernel: str, array: str, pattern: str, sectors: int) -> None:
    access = next(a for a in _kernel("grids.cu", kernel).accesses if a.array == array)
    assert (access.pattern, access.space) == (pattern, "global")
    assert access.sectors.evaluate(_values((2, 2), (32, 8), n=64)) == sectors


def test_tiles_of_16_threads_take_two_rows_of_a_warp() -> None:
    found = _kernel("grids.cu", "matmul")
    sizes, n = _values((3, 2), (16, 8), n=40), 40
    rows = range(0, 2 * 8, 2)
    warps = sum(32 * n for _ in range(3) for row in rows if row < n)
    assert found.counts.warps.evaluate(sizes) == warps
    assert found.counts.warps.evaluate(_values((3, 2), (24, 8), n=40)) is None
    access = next(a for a in found.accesses if a.array == "a")
    assert access.sectors.evaluate(sizes) == 2  # a row each


def test_banks_of_a_tile_and_of_a_padded_one() -> None:
    for name, ways in (("columns_in_tile", 32), ("transpose_tiled", 1)):
        loads = [a for a in _kernel("grids.cu", name).accesses if a.kind == "load"]
        (tile,) = [a for a in loads if a.space == "shared"]
        assert tile.conflicts is not None
        assert tile.conflicts.evaluate(_values((2, 2), (32, 8), n=64)) == ways


def test_bytes_that_a_launch_moves_and_blocks_at_once() -> None:
    values = _values((2, 2), (32, 8), n=64)
    for name, sectors in (("matmul", (4 + 1, 4)), ("matmul_swapped", (32 + 1, 32))):
        found = _kernel("grids.cu", name)
        assert found.moved.upper is not None
        warps, (loads, stores) = 16 * 64 // 32, sectors
        assert found.moved.upper.evaluate(values) == 32 * warps * (64 * loads + stores)
        assert found.best.upper is not None
        assert found.best.upper.evaluate(values) == 32 * warps * (64 * 5 + 4)
    tiled = _kernel("grids.cu", "matmul_tiled")
    assert tiled.blocks is not None
    assert str(tiled.blocks.formula) == str(98304 // 2048)


def test_wavefronts_have_64_lanes_and_warps_as_many_as_asked_for() -> None:
    assert _kernel("warps.hip", "dot").warp == 64
    found = kernel(analysed(FOLDER / "vectors.cl", 16), "saxpy").kernel
    assert found is not None
    assert found.counts.warps.evaluate(_values((4,), (64,), n=100)) == 112


def test_launches_bind_a_kernel_to_the_program() -> None:
    found = _kernel("grids.cu", "lower_triangle")
    (site,) = found.sites
    assert site.block == ("256", "1", "1")
    assert found.launches is not None
    n, steps = 1000, 7
    values = {"n": n, "steps": steps}
    assert found.launches.evaluate(values) == steps
    assert site.work.evaluate(values) == steps * n * (n + 1) // 2


def test_what_shared_memory_holds_is_no_number_of_one_thread() -> None:
    """A thread reads behind a barrier what another one wrote: nothing is claimed of it."""
    found = analyze(canonical(_SPACE), entry="k", matrix=False)
    (loop,) = found.loops
    assert loop.launch is not None
    assert loop.launch.work.kind != "exact"
    assert loop.launch.depth.kind != "exact"


def test_findings_name_what_is_known_to_be_bad() -> None:
    found = {f.function for f in analysed(_BAD).findings}
    bad = {f.name for f in analysed(_BAD).functions if f.name.startswith("bad_")}
    assert len(bad) == 10
    assert found == bad


_HOST = """
#include <cstdlib>
__global__ void once(float *a, int n) {{
  for (int i = threadIdx.x; i < n; i += blockDim.x) a[i] *= 2;
}}
int main(int argc, char **argv) {{
  int n = atoi(argv[1]), steps = atoi(argv[2]);
  float *a, *h = (float *)malloc(n * sizeof *h);
  cudaMalloc(&a, n * sizeof *a);
  for (int t = 0; t < steps; t++) {{
    once<<<{grid}, 256>>>(a, n);
    {copy}
  }}
  return 0;
}}
"""
_COPY = "cudaMemcpy(h, a, n * sizeof *a, cudaMemcpyDeviceToHost);"


@pytest.mark.parametrize(
    ("grid", "copy", "messages"),
    [
        ("1", "", ("the grid does not grow",)),
        ("(n + 255) / 256", _COPY, ("a copy for each launch",)),
        ("(n + 255) / 256", "", ()),
    ],
)
def test_findings_on_launches(
    grid: str, copy: str, messages: tuple[str, ...], tmp_path: Path
) -> None:
    path = tmp_path / "host.cu"
    path.write_text(_HOST.format(grid=grid, copy=copy), encoding="utf-8")
    found = [f.message for f in analysed(path).findings]
    assert len(found) == len(messages)
    assert all(f.startswith(m) for f, m in zip(found, messages, strict=True))


_OPENCL = """
typedef struct k *cl_kernel;
cl_kernel clCreateKernel(void *, const char *, int *);
int clSetKernelArg(cl_kernel, unsigned, unsigned long, const void *);
int clEnqueueNDRangeKernel(void *, cl_kernel, unsigned, const unsigned long *,
    const unsigned long *, const unsigned long *, unsigned, const void *, void *);
int atoi(const char *);
cl_kernel rows;
static cl_kernel other;
static void set_up(void *program) {{
  int error;
  other = clCreateKernel(program, "lower_triangle_cl", &error);
}}
int main(int argc, char **argv) {{
  int n = atoi(argv[1]), steps = atoi(argv[2]), error;
  set_up(0);
  cl_kernel kernel = clCreateKernel(0, "row_sums", &error);
  {body}
  return error;
}}
"""
_KERNELS = """
__kernel void row_sums(__global float *a, int n) {
  int i = get_global_id(0);
  if (i < n) for (int k = 0; k < n; k++) a[i] += a[k];
}
__kernel void lower_triangle_cl(int n, __global float *a) {
  int i = get_global_id(0);
  for (int k = 0; k <= i && k < n; k++) a[i] += a[k];
}
"""


def _of_opencl(folder: Path, body: str) -> dict[str, KernelResult]:
    host, device = folder / "host.c", folder / "kernels.cl"
    host.write_text(_OPENCL.format(body=body), encoding="utf-8")
    device.write_text(_KERNELS, encoding="utf-8")
    text_of(FOLDER / "vectors.cl")  # skips where there is no clang
    analysis = analyze(canonical(compile_sources([host, device])), matrix=False)
    return {f.name: f.kernel for f in analysis.functions if f.kernel is not None}


def test_an_opencl_host_binds_sizes_and_arguments(tmp_path: Path) -> None:
    found = _of_opencl(
        tmp_path,
        """
  unsigned long block = 64, total = (n + 63) / 64 * 64;
  clSetKernelArg(kernel, 1, sizeof n, &n);
  for (int t = 0; t < steps; t++)
    error = clEnqueueNDRangeKernel(0, kernel, 1, 0, &total, &block, 0, 0, 0);
  unsigned long alone[2] = {n, 1}, pair[2] = {32, 1};
  for (int t = 1; t <= n; t++) {
    clSetKernelArg(other, 0, sizeof t, &t);
    error = clEnqueueNDRangeKernel(0, other, 2, 0, alone, pair, 0, 0, 0);
  }
""",
    )
    (site,) = found["row_sums"].sites
    assert site.block == ("64", "1", "1")
    assert site.work.evaluate({"n": 100, "steps": 3}) == 3 * 100 * 100
    assert site.launches.evaluate({"n": 100, "steps": 3}) == 3
    (site,) = found["lower_triangle_cl"].sites
    n = 96
    counted = sum(min(i + 1, t) for t in range(1, n + 1) for i in range(n))
    assert site.work.evaluate({"n": n, "steps": 3}) == counted
    assert site.work.evaluate({"n": 100, "steps": 3}) is None  # 100 threads are no whole blocks


def test_blocks_that_an_opencl_host_leaves_open(tmp_path: Path) -> None:
    found = _of_opencl(
        tmp_path,
        """
  unsigned long total = n;
  clSetKernelArg(kernel, 1, sizeof n, &n);
  error = clEnqueueNDRangeKernel(0, kernel, 1, 0, &total, 0, 0, 0, 0);
""",
    )
    (site,) = found["row_sums"].sites
    assert site.block == (None, None, None)
    assert site.work.evaluate({"n": 100, "steps": 3}) == 100 * 100
    assert site.warps.kind == "unknown"


@pytest.mark.parametrize(
    "body",
    [
        # which of two kernels, or which of two values, is not known
        "cl_kernel some = steps > 1 ? kernel : other;"
        " clSetKernelArg(some, 1, sizeof n, &n); clSetKernelArg(kernel, 1, sizeof n, &n);",
        "if (steps > 1) clSetKernelArg(kernel, 1, sizeof n, &steps);"
        " clSetKernelArg(kernel, 1, sizeof n, &n); if (n > 4)"
        " clSetKernelArg(kernel, 1, sizeof n, &steps);",
        "clSetKernelArg(other, 1, sizeof n, &n);",
    ],
)
def test_arguments_that_may_be_others_are_not_told(body: str, tmp_path: Path) -> None:
    launch = " unsigned long total = n; error ="
    launch += " clEnqueueNDRangeKernel(0, kernel, 1, 0, &total, 0, 0, 0, 0);"
    (site,) = _of_opencl(tmp_path, body + launch)["row_sums"].sites
    assert site.work.kind == "unknown"


_TEMPLATES = """
template <int R> __global__ void window(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) for (int k = -R; k <= R; k++) a[i] += k;
}
template __global__ void window<3>(float *, int);
template __global__ void window<9>(float *, int);
"""


def test_each_instance_of_a_template_has_laws_of_its_loops(tmp_path: Path) -> None:
    text_of(FOLDER / "vectors.cl")  # skips where there is no clang
    path = tmp_path / "window.cu"
    path.write_text(_TEMPLATES, encoding="utf-8")
    analysis = analyze(canonical(compile_sources([path])), matrix=False)
    found = {f.name: f.kernel for f in analysis.functions if f.kernel is not None}
    for name, iterations in (("window<3>", 7), ("window<9>", 19)):
        (law,) = found[name].loops.values()
        assert law.work.evaluate(_values((4,), (64,), n=100)) == 100 * iterations
