"""Kernels that stand in other files than their own, or beside a host that does not compile."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from looplaw_common.errors import InputError, LooplawWarning
from staticana import Analysis, analyze_module, canonical, compile_sources, parse_module
from staticana.frontend.clang import usable_compilers
from staticana.frontend.gpu import options_of_hosts
from staticana.results import KernelResult, LoopResult

_ROWS = """__kernel void rows(__global float *sum, __global const float *a, int n) {
  int row = get_global_id(0);
  if (row < n) {
    for (int k = 0; k < n; k++)
      sum[row] += a[k * n + row] * TILE;
  }
}
"""
_HOST = """#include <stdio.h>
#define TILE 16
typedef struct kernel_of_cl *cl_kernel;
typedef struct program_of_cl *cl_program;
cl_program clCreateProgramWithSource(int, const char **);
int clBuildProgram(cl_program, const char *);
static const char *source = TEXT;
int main(void) {
  char options[100];
  sprintf(options, "-DTILE=%d -D OTHER=3", TILE);
  cl_program program = clCreateProgramWithSource(1, &source);
  return clBuildProgram(program, options);
}
"""
_DEVICE = """#include <nowhere/solver.h>
struct Timer { nowhere::clock begin; };
template <class T> __global__ void scale(T *a, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) a[i] *= 2;
}
int main(int argc, char **argv) {
  Timer timer;
  nowhere::solver handle(argc);
  if (handle.fails()) { return 1; } else { handle.go(); }
  scale<double><<<1, 64>>>((double *)handle.data(), argc);
  for (auto &part : handle.parts()) { scale<float><<<1, 64>>>(part, argc); }
}
"""
_BINDINGS = """#include <cstddef>
#include <cstdlib>
typedef struct kernel_of_cl *cl_kernel;
extern "C" cl_kernel clCreateKernel(void *, const char *, int *);
extern "C" int clSetKernelArg(cl_kernel, unsigned, size_t, const void *);
extern "C" int clEnqueueNDRangeKernel(void *, cl_kernel, unsigned, const size_t *, const size_t *,
                                      const size_t *, unsigned, const void *, void *);
namespace cl {
class NDRange {
  size_t sizes[3];
  unsigned axes;
public:
  inline NDRange() : sizes{0, 0, 0}, axes(0) {}
  inline NDRange(size_t n) : sizes{n, 1, 1}, axes(1) {}
  inline unsigned dimensions() const { return axes; }
  inline const size_t *get() const { return sizes; }
};
class Kernel {
public:
  cl_kernel object;
  inline Kernel(void *program, const char *name) { object = clCreateKernel(program, name, 0); }
  template <class T> inline int setArg(unsigned at, const T &value) {
    return clSetKernelArg(object, at, sizeof value, &value);
  }
};
class CommandQueue {
public:
  void *object;
  inline int enqueueNDRangeKernel(const Kernel &kernel, const NDRange &offset,
                                  const NDRange &global, const NDRange &local) const {
    return clEnqueueNDRangeKernel(object, kernel.object, global.dimensions(),
                                  offset.dimensions() ? offset.get() : nullptr, global.get(),
                                  local.dimensions() ? local.get() : nullptr, 0, 0, 0);
  }
};
}  // namespace cl
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  cl::Kernel kernel(nullptr, "rows");
  cl::CommandQueue queue;
  kernel.setArg(2, n);
  for (int t = 0; t < n; t++)
    queue.enqueueNDRangeKernel(kernel, cl::NDRange(), cl::NDRange((n + 63) / 64 * 64),
                               cl::NDRange(64));
}
"""

pytestmark = pytest.mark.skipif(
    all(c.kind != "clang" for c in usable_compilers()),
    reason="no clang with targets for graphics processors",
)


def _analysed(*files: Path) -> Analysis:
    return analyze_module(parse_module(canonical(compile_sources(files))), matrix=False)


def _kernels(analysis: Analysis) -> dict[str, KernelResult]:
    return {f.name: f.kernel for f in analysis.functions if f.kernel is not None}


def _depth(loop: LoopResult) -> object:
    assert loop.launch is not None
    return loop.launch.depth.evaluate({"n": 9, "block_x": 32, "grid_x": 2})


def _quoted(text: str) -> str:
    return "\n".join(f'    "{line}\\n"' for line in text.splitlines())


def test_a_text_of_a_host_is_read_with_the_definitions_that_the_host_hands_over(
    tmp_path: Path,
) -> None:
    host = tmp_path / "host.c"
    host.write_text(_HOST.replace("TEXT", f"\n{_quoted(_ROWS)}"), encoding="utf-8")
    with pytest.warns(LooplawWarning, match=r"-DTILE=16 -DOTHER=3, as their host says"):
        found = _analysed(host)
    assert _depth(found["host.c:11"]) == 9  # the line of the literal


def test_a_host_beside_its_kernels_says_their_definitions(tmp_path: Path) -> None:
    host, kernels = tmp_path / "host.c", tmp_path / "rows.cl"
    host.write_text(_HOST.replace("TEXT", '""'), encoding="utf-8")
    kernels.write_text(_ROWS, encoding="utf-8")
    assert options_of_hosts([host], ()).known == ("-DTILE=16", "-DOTHER=3")
    assert options_of_hosts([host], ("-DTILE=4",)).every == ("-DOTHER=3",)
    with pytest.raises(InputError, match=r"'TILE'; hosts define .*--flag=-DTILE=\.\.\."):
        compile_sources([kernels])
    with pytest.warns(LooplawWarning, match="TILE=16"):
        assert list(_kernels(_analysed(host, kernels))) == ["rows"]


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("a.cu", "child<<<1, 32>>>(a);", "launches child: dynamic parallelism"),
        (
            "a.cl",
            "queue_t q = get_default_queue();"
            " enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(9), ^{ a[0] = 2; });",
            "enqueues kernels: dynamic parallelism",
        ),
    ],
)
def test_kernels_that_launch_kernels_are_refused_by_name(
    name: str, text: str, told: str, tmp_path: Path
) -> None:
    words = ("__kernel", "__global ") if name == "a.cl" else ("__global__", "")
    child, parent = (f"{words[0]} void {n}({words[1]}float *a) {{" for n in ("child", "parent"))
    file = tmp_path / name
    file.write_text(f"{child} a[0] = 1; }}\n{parent} {text} }}\n", encoding="utf-8")
    with pytest.raises(InputError, match=told):
        compile_sources([file])


def test_values_that_a_host_computes(tmp_path: Path) -> None:
    """They are taken to be some number, which is said."""
    host, kernels = tmp_path / "host.cpp", tmp_path / "rows.cl"
    text = 'void f(S &o, int n) { cl(); o << "-DTILE=" << n << " -DN=" << n; g("-DT=" + t(n)); }'
    host.write_text(text, encoding="utf-8")
    kernels.write_text(_ROWS, encoding="utf-8")
    assert options_of_hosts([host], ("-DT=4",)).assumed == ("-DTILE=16", "-DN=16")
    assert options_of_hosts([host], ()).assumed[-1] == "-DT=16"


def test_texts_of_python_and_files_of_literals(tmp_path: Path) -> None:
    host = tmp_path / "host.py"
    text = _ROWS.replace("TILE", "2")
    host.write_text(f'a = cl.Program(c, """{text}""")\nb = """{text} """\n', encoding="utf-8")
    found = _analysed(host)
    assert {f.symbol for f in found.functions if f.kernel} == {"rows", "rows_2"}
    assert _depth(found["host.py:4"]) == 9
    (tmp_path / "empty.py").write_text("x = 1\n", encoding="utf-8")
    with pytest.raises(InputError, match="holds no kernel in OpenCL C"):
        compile_sources([tmp_path / "empty.py"])
    first, second = tmp_path / "first.opencl", tmp_path / "second.opencl"
    first.write_text('// a part\nR"(\n#define TILE 2\n)"\n', encoding="utf-8")
    second.write_text(f'// another\nR"(\n{_ROWS})"\n', encoding="utf-8")
    assert _depth(_analysed(first, second)["second.opencl:6"]) == 9


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("user.py", "add = RawKernel(r'''", "''', 'scale')"),
        ("user.hip", '#include <nowhere.h>\nconst char *hiprtc_text = R"(', ')"; int main() {}'),
        ("user.cpp", 'extern "C" const char *text = R"(', ')"; int main() {}'),
    ],
)
def test_texts_of_cuda_that_are_compiled_at_run_time(
    tmp_path: Path, name: str, before: str, after: str
) -> None:
    kernel = """
extern "C" __global__ void scale(float *a, int n) {
  for (int i = 0; i < n; i++)
    a[threadIdx.x * n + i] *= 2;
}
"""
    file = tmp_path / name
    file.write_text(f"{before}{kernel}{after}\n", encoding="utf-8")
    with warnings.catch_warnings(action="ignore", category=LooplawWarning):
        analysis = _analysed(file)
    assert set(_kernels(analysis)) == {"scale"}
    line = 3 + before.count("\n")
    assert str(analysis[f"{name}:{line}"].per_entry.formula) == "Max(0, n)"


def test_kernels_of_a_file_whose_host_wants_a_library_that_is_missing(tmp_path: Path) -> None:
    file = tmp_path / "solver.cu"
    file.write_text(_DEVICE, encoding="utf-8")
    with pytest.warns(LooplawWarning, match=r"its kernels alone.*nowhere/solver\.h"):
        found = _kernels(_analysed(file))
    assert {name.partition("<")[0] for name in found} == {"scale"}
    assert len(found) == 2
    file.write_text(_DEVICE.replace("a[i] *= 2", "a[i] *= nowhere::f()"), encoding="utf-8")
    with pytest.raises(InputError, match="nowhere"):
        compile_sources([file])
    file.write_text("#include <nowhere.h>\nint main() {}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"does not compile: .*nowhere\.h"):
        compile_sources([file])


def test_of_an_error_on_either_side_the_kernels_one_is_named(tmp_path: Path) -> None:
    path = tmp_path / "both.cu"
    host = "static int a = nothing(1), b = nothing(2); static int c = nowhere;"
    kernel = "__global__ void k(float *a) { a[threadIdx.x] = %s; }"
    path.write_text(f"{host}\n{kernel % '1'}\nint main() {{ k<<<1, 32>>>(0); }}", encoding="utf-8")
    with pytest.warns(LooplawWarning, match="its kernels alone"):
        assert "define" in compile_sources([path])
    path.write_text(f"{host}\n{kernel % 'wanted'}", encoding="utf-8")
    with pytest.raises(InputError, match=r"both\.cu:2:.*undeclared identifier 'wanted'"):
        compile_sources([path])


def test_vectors_of_hip_have_operators_behind_those_of_a_program(tmp_path: Path) -> None:
    path = tmp_path / "lanes.hip"
    path.write_text(
        """#include <hip/hip_runtime.h>
        static __device__ float3 operator+(float3 a, float3 b) { return {a.x + b.x, 0, 0}; }
        __global__ void k(uchar4 *a, float4 *f, int2 *i, float3 *g, int n) {
          for (int t = 0; t < n; t++) {
            a[t] ^= a[t + 1] & (unsigned char)3;
            f[t] = 2 * f[t] + f[t + 1] / 3.0 - 1;
            i[t] = -(i[t] << 2) % 7 | ~i[t + 1];
            if (i[t] == i[t + 1] || i[t] != i[0]) g[t] = g[t] + g[t + 1];
            g[t] += 1;
          }
        }""",
        encoding="utf-8",
    )
    (loop,) = _analysed(path).loops
    assert str(loop.per_entry.formula) == "Max(0, n)"


def test_barriers_groups_and_textures_of_toolkits(tmp_path: Path) -> None:
    path = tmp_path / "kit.cu"
    path.write_text(
        """#include <cooperative_groups.h>
        #include <cuda/barrier>
        namespace cg = cooperative_groups;
        __device__ unsigned partner(const cg::thread_group &g) { g.sync(); return g.size(); }
        __global__ void k(float *a, cudaTextureObject_t t, cudaSurfaceObject_t s, int n) {
          __shared__ cuda::barrier<cuda::thread_scope_block> b;
          cg::thread_block block = cg::this_thread_block();
          if (block.thread_rank() == 0) init(&b, block.size());
          block.sync();
          a[0] = partner(cg::tiled_partition<16>(block));
          for (unsigned i = cg::tiled_partition<16>(block).size(); i > 0; i /= 2)
            a[i] += tex2DLayered<float>(t, 0.5f, 0.5f, n);
          b.wait(b.arrive());
          surf2Dwrite(fmaxf(max(1.0f, 2.0), umin(3, n)), s, 4, n, cudaBoundaryModeTrap);
        }""",
        encoding="utf-8",
    )
    (loop,) = analyze_module(parse_module(canonical(compile_sources([path])))).loops
    assert (loop.per_entry.kind, str(loop.per_entry.formula)) == ("exact", "5")


@pytest.mark.skipif(
    all(c.kind != "clang" or c.version < (17,) for c in usable_compilers()),
    reason="clang has __bf16 in code of devices from version 17 on",
)
def test_numbers_of_16_bits_and_intrinsics(tmp_path: Path) -> None:
    file = tmp_path / "small.cu"
    file.write_text(
        "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n"
        "__global__ void sums(__half *h, __nv_bfloat16 *b, float *a, int n) {\n"
        "  for (int i = threadIdx.x; i < n; i += blockDim.x) {\n"
        "    h[i] = __hadd(h[i], __float2half(__fdiv_rn(a[i], 3)));\n"
        "    b[i] = b[i] * b[i] + __float2bfloat16(a[i]);\n"
        "    a[i] = __half2float(h[i]) + __byte_perm(i, n, 0x123) + __umulhi(i, n);\n"
        "  }\n}\n",
        encoding="utf-8",
    )
    widths = {(a.kind, a.bytes) for a in _kernels(_analysed(file))["sums"].accesses}
    assert widths == {("load", 2), ("store", 2), ("load", 4), ("store", 4)}


def test_launches_through_the_bindings_for_cxx(tmp_path: Path) -> None:
    host, kernels = tmp_path / "host.cpp", tmp_path / "rows.cl"
    host.write_text(_BINDINGS, encoding="utf-8")
    kernels.write_text(_ROWS.replace("TILE", "2"), encoding="utf-8")
    (site,) = _kernels(_analysed(host, kernels))["rows"].sites
    assert (site.grid[0], site.block) == ("ceiling(n/64)", ("64", "1", "1"))
    assert site.launches.evaluate({"n": 100}) == 100
    assert site.work.evaluate({"n": 100}) == 100**3


def test_a_file_that_includes_hip_through_its_own_header_is_compiled_as_hip(tmp_path: Path) -> None:
    (tmp_path / "common.h").write_text("#include <hip/hip_runtime.h>\n", encoding="utf-8")
    file = tmp_path / "scale.cu"
    file.write_text(
        '#include "common.h"\n__global__ void scale(float4 *a) { a[threadIdx.x] = 2.f * a[0]; }\n',
        encoding="utf-8",
    )
    assert _kernels(_analysed(file))["scale"].warp == 64


def test_hosts_with_streams_textures_and_occupancy_bind_their_launches(tmp_path: Path) -> None:
    path = tmp_path / "host.cu"
    path.write_text(
        """#include <cuda_runtime.h>
        #define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) exit(1); } while (0)
        __global__ void k(cudaTextureObject_t t, float *a, int n) {
          for (int i = 0; i < n; i++) a[i] += tex2D<float>(t, i, 0);
        }
        int main(int argc, char **argv) {
          int n = atoi(argv[1]), per;
          float *a;
          cudaStream_t s;
          cudaArray_t array;
          cudaTextureObject_t t;
          CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
          CHECK(cudaMallocAsync(&a, n * sizeof *a, s));
          cudaChannelFormatDesc d = cudaCreateChannelDesc<float>();
          CHECK(cudaMallocArray(&array, &d, n, 1));
          cudaResourceDesc r = {};
          r.resType = cudaResourceTypeArray;
          r.res.array.array = array;
          cudaTextureDesc x = {};
          x.filterMode = cudaFilterModePoint;
          CHECK(cudaCreateTextureObject(&t, &r, &x, NULL));
          CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per, k, 256, 0));
          k<<<(n + 255) / 256, 256, 0, cudaStreamDefault>>>(t, a, n);
          CHECK(cudaFreeArray(array));
        }""",
        encoding="utf-8",
    )
    with warnings.catch_warnings(action="error", category=LooplawWarning):
        analysis = _analysed(path)
    (site,) = _kernels(analysis)["k"].sites
    assert site.warps.evaluate({"n": 1000}) == 4 * 256 * 1000
