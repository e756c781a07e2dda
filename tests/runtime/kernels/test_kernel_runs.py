"""Laws of launches against runs of the kernels on this processor."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from benchmarks.bench_gpu import rows_in
from looplaw.settings.settings import Settings
from looplaw.studies.opencl import check_with_host
from looplaw_common.errors import InputError, RunError
from runtime.kernels import Buffer, KernelProgram
from runtime.kernels.opencl_host import OpenCLProgram, has_opencl
from staticana import canonical, compile_sources
from tests.fuzz.kernels import judged
from tests.kernels import FOLDER, PROGRAMS, analysed, text_of


@pytest.mark.parametrize("file", ["grids.cu", "vectors.cl", "warps.hip"])
def test_no_law_is_refuted(file: str) -> None:
    text = text_of(FOLDER / file)  # skips where there is no clang
    rows = list(rows_in(file, text, analysed(FOLDER / file), 2, 5))
    assert not [text for row in rows for text in row.wrong]
    assert not [row.kernel for row in rows if row.not_run]
    compared = sum(row.verdicts["equal"] for row in rows)
    assert compared >= 0.8 * sum(row.verdicts.total() for row in rows)
    exact = sum(row.laws["loop exact"] for row in rows)
    assert exact >= 0.9 * sum(n for row in rows for kind, n in row.laws.items() if "loop" in kind)


def test_random_kernels() -> None:
    text_of(FOLDER / "vectors.cl")
    verdicts, wrong = judged(3)
    assert not wrong
    assert verdicts["equal"] > verdicts.total() / 2


def test_threads_wait_for_each_other() -> None:
    """What a block leaves is what all of its threads did: a sum by halving strides."""
    text = text_of(FOLDER / "vectors.cl")
    with KernelProgram.build(text, "reduce") as program:
        counted = program.run((3,), (64,), [Buffer(4096), Buffer(4096), Buffer(), 100])
    (loop,) = counted.loops.values()
    assert (loop.work, loop.depth, loop.warps) == (6 * 192, 6, 6 * 192)


def test_what_a_kernel_prints_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "says.cl"
    path.write_text(
        "__kernel void k(__global int *a, int n) {"
        ' for (int i = 0; i < n; i++) printf("%d\\n", i); }',
        encoding="utf-8",
    )
    with KernelProgram.build(text_of(path), "k") as program:
        (loop,) = program.run((1,), (2,), [Buffer(64), 3]).loops.values()
    assert loop.work == 6


def test_what_does_not_run_here_is_said(tmp_path: Path) -> None:
    path = tmp_path / "image.cl"
    path.write_text(
        "float far_away(int);\n__kernel void k(__global float *a) { a[0] = far_away(1); }\n",
        encoding="utf-8",
    )
    with pytest.raises(InputError, match=r"it calls \w*far_away"):
        KernelProgram.build(text_of(path), "k").close()


def test_assembly_of_the_card_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "asm.cu"
    code = 'unsigned v; asm("mov.u32 %0, %%laneid;" : "=r"(v)); a[threadIdx.x] = v;'
    path.write_text(f"__global__ void k(unsigned *a) {{ {code} }}", encoding="utf-8")
    with pytest.raises(InputError, match="assembly of the card"):
        KernelProgram.build(text_of(path), "_Z1kPj")


@pytest.mark.parametrize("at", [-5_000_000, 5_000_000])
def test_what_is_written_far_beside_an_array_changes_no_count(tmp_path: Path, at: int) -> None:
    path = tmp_path / "far.cl"
    path.write_text(
        "__kernel void k(__global int *a, __global int *b, int at) {"
        " for (int i = 0; i < 1000; i++) { a[at + i] = -1; b[at - i] = -1; } }",
        encoding="utf-8",
    )
    with KernelProgram.build(text_of(path), "k") as program:
        (loop,) = program.run((2,), (32,), [Buffer(64), Buffer(64), at]).loops.values()
    assert (loop.work, loop.depth, loop.warps) == (64_000, 1000, 64_000)


def test_clocks_and_textures_run(tmp_path: Path) -> None:
    path = tmp_path / "still.cu"
    path.write_text(
        "__global__ void k(float *a, cudaTextureObject_t t, int n) {"
        " long long start = clock64();"
        " for (int i = 0; i < n; i++) a[threadIdx.x] += tex1Dfetch<float>(t, i);"
        " a[0] = clock64() - start; }",
        encoding="utf-8",
    )
    with KernelProgram.build(text_of(path), "_Z1kPfyi") as program:
        (loop,) = program.run((1,), (32,), [Buffer(256), 0, 7]).loops.values()
    assert loop.work == 224


def test_an_opencl_program_with_its_own_host(tmp_path: Path) -> None:
    """Launches and memory of a run by the OpenCL library of this machine."""
    text_of(FOLDER / "vectors.cl")  # skips where there is no clang
    if not has_opencl():
        pytest.skip("no OpenCL library: install pocl-opencl-icd")
    for name in ("host.c", "rows.cl"):
        shutil.copy(PROGRAMS / "opencl" / name, tmp_path)
    host = OpenCLProgram.build([tmp_path / "host.c"], ())
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        try:
            launches = host.run(["9", "2"])
        except RunError as error:
            pytest.skip(f"no OpenCL device: {error}")
        finally:
            host.close()
        settings = Settings((tmp_path / "host.c", tmp_path / "rows.cl"), {"n": (9,), "steps": (2,)})
        text = canonical(compile_sources(settings.program))
        checks = {check.kernel: check for check in check_with_host(settings, text)}
    assert [launch.kernel for launch in launches] == ["rows"] * 2 + ["scale"] * 9
    assert (launches[0].grid, launches[0].block) == ((1, 1, 1), (64, 1, 1))
    for name, number in (("rows", 2), ("scale", 9)):
        verdicts = [v for _, v in checks[name].verdicts]
        assert checks[name].launches == number
        assert [v for v in verdicts if v.verdict not in ("equal", "unmet")] == []
        assert any(v.what == "launches" and v.verdict == "equal" for v in verdicts)
        assert any(v.what.startswith("memory") for v in verdicts)
