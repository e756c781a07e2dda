"""IR for machines that are not this one is analysed; what cannot run here is said."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import llvmlite.binding as llvm
import pytest

from looplaw_common.commands import tool
from runtime import build_program
from staticana import InputError, analyze, canonical, compile_sources, parse_module
from staticana.ir.data_layout import Layout

TARGETS = {
    "aarch64-unknown-linux-gnu": "e-m:e-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128",
    "riscv64-unknown-linux-gnu": "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128",
    "nvptx64-nvidia-cuda": "e-i64:64-i128:128-v16:16-v32:32-n16:32:64",
    "amdgcn-amd-amdhsa": "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-i64:64-A5",
    "wasm32-unknown-unknown": "e-m:e-p:32:32-i64:64-n32:64-S128",
    "unheardof-of-of": "",
}
_BODY = """
%struct.s = type {{ i8, ptr, i64 }}

define i32 @{main}(i32 %argc, ptr %argv) {{
entry:
  %at = getelementptr ptr, ptr %argv, i64 1
  %text = load ptr, ptr %at
  %n = call i32 @atoi(ptr %text)
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %out
body:
  %next = add nsw i32 %i, 1
  br label %head
out:
  ret i32 0
}}
declare i32 @atoi(ptr)
"""


def _ir(triple: str) -> str:
    layout = f'target datalayout = "{TARGETS[triple]}"\n' if TARGETS[triple] else ""
    main = "__main_argc_argv" if triple.startswith("wasm") else "main"
    return f'{layout}target triple = "{triple}"\n{_BODY.format(main=main)}'


@pytest.mark.parametrize("triple", TARGETS)
def test_counts_need_no_code_generation(triple: str, tmp_path: Path) -> None:
    path = tmp_path / "f.ll"
    path.write_text(_ir(triple))
    text = canonical(compile_sources([path]))
    (loop,) = analyze(text).loops
    assert loop.total.kind == "exact"
    assert loop.total.evaluate(dict.fromkeys(loop.parameters, 7)) == 7
    if triple.split("-")[0] != llvm.get_default_triple().split("-")[0]:
        with pytest.raises(InputError, match=f"IR for {triple} and cannot run on this machine"):
            build_program(text, None, tmp_path / "a")


@pytest.mark.parametrize(
    ("triple", "pointer", "offset"),
    [("wasm32-unknown-unknown", 4, 8), ("amdgcn-amd-amdhsa", 8, 16), ("unheardof-of-of", 8, 16)],
)
def test_sizes_are_those_of_the_target(triple: str, pointer: int, offset: int) -> None:
    layout = Layout(parse_module(_ir(triple)))
    assert layout.size("ptr") == pointer
    assert layout.offset("%struct.s", 2) == (offset, "i64")
    assert layout.size("%struct.s") == offset + 8
    assert layout.size("ptr addrspace(5)") == (4 if triple.startswith("amdgcn") else pointer)


@pytest.mark.parametrize("target", ["aarch64-linux-gnu", "riscv64-linux-gnu", "wasm32", "i686"])
def test_sizes_agree_with_clang(target: str) -> None:
    clang = next((c for c in ("clang", "clang-22", "clang-19", "clang-14") if shutil.which(c)), "")
    if not clang:
        pytest.skip("no clang")
    source = (
        "struct s { char a; long double b; short c; double d; void *p; long long e; };"
        "unsigned long size = sizeof(struct s), at = __builtin_offsetof(struct s, e);"
        "struct s x;"
    )
    done = subprocess.run(
        [clang, f"--target={target}", "-S", "-emit-llvm", "-x", "c", "-", "-o", "-"],
        input=source,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        pytest.skip(f"{clang} has no target {target}")
    module = parse_module(canonical(done.stdout))
    layout = Layout(module)
    size, at = (int(module.globals[n].initializer) for n in ("size", "at"))
    assert layout.size("%struct.s") == size
    found = layout.offset("%struct.s", 5)
    assert found is not None
    assert found[0] == at


_KERNEL = """
target triple = "{triple}"
define {convention} void @k(i32 %n, ptr %y) {{
entry:
  %block = call i32 @{block}()
  %thread = call i32 @{thread}()
  %start = mul nsw i32 %block, 256
  %first = add nsw i32 %start, %thread
  br label %for.cond
for.cond:
  %i = phi i32 [ %first, %entry ], [ %next, %for.body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %for.body, label %for.end
for.body:
  call void @{barrier}()
  %next = add nsw i32 %i, 1024
  br label %for.cond
for.end:
  ret void
}}
declare i32 @{block}()
declare i32 @{thread}()
declare void @{barrier}()
"""


@pytest.mark.parametrize(
    ("triple", "convention", "block", "thread", "barrier"),
    [
        (
            "nvptx64-nvidia-cuda",
            "ptx_kernel",
            "nvvm.read.ptx.sreg.ctaid.x",
            "nvvm.read.ptx.sreg.tid.x",
            "nvvm.barrier0",
        ),
        (
            "amdgcn-amd-amdhsa",
            "amdgpu_kernel",
            "amdgcn.workgroup.id.x",
            "amdgcn.workitem.id.x",
            "amdgcn.s.barrier",
        ),
    ],
)
def test_a_kernel_is_counted_for_one_thread(
    triple: str, convention: str, block: str, thread: str, barrier: str
) -> None:
    """The numbers that say which thread runs are parameters."""
    text = _KERNEL.format(
        triple=triple,
        convention=convention,
        block=f"llvm.{block}",
        thread=f"llvm.{thread}",
        barrier=f"llvm.{barrier}",
    )
    found = analyze(canonical(text), entry="k")
    (loop,) = found.loops
    assert loop.total.kind == "exact"
    names = {p.origin: p.name for p in found.parameters}
    assert names.keys() == {
        "arg:k:0",
        *(f"thread:{what}.{a}" for what in ("tid", "ctaid", "block", "grid") for a in "xyz"),
    }
    for n, b, t in ((5000, 1, 3), (0, 0, 0), (300, 1, 44), (300, 1, 43)):
        values = {names["arg:k:0"]: n, "ctaid_x": b, "tid_x": t}
        assert loop.total.evaluate(values) == len(range(256 * b + t, n, 1024))


_SPIRV = """
__kernel void rows(__global float *sum, __global const float *a, int n) {
  int row = get_global_id(0);
  if (row < n) {
    float s = 0;
    for (int k = 0; k < n; k++) s += a[row * n + k];
    sum[row] = s;
  }
}
"""


def test_spirv_has_the_laws_of_its_source(tmp_path: Path) -> None:
    spirv, clang = (
        next((c for n in names if (c := tool(n)) is not None), None)
        for names in (("llvm-spirv-15", "llvm-spirv-14"), ("clang-15", "clang-14"))
    )
    if spirv is None or clang is None:
        pytest.skip("no llvm-spirv, or no clang of its version")
    source, bitcode, file = (tmp_path / f"rows.{end}" for end in ("cl", "bc", "spv"))
    source.write_text(_SPIRV, encoding="utf-8")
    flags = ["-target", "spir64", "-O1", "-g", "-Xclang", "-disable-llvm-passes"]
    flags += ["-Xclang", "-finclude-default-header", "-emit-llvm", "-c"]
    subprocess.run([clang, *flags, source, "-o", bitcode], check=True)
    subprocess.run([spirv, "--spirv-debug-info-version=legacy", bitcode, "-o", file], check=True)
    (of_source,), (of_spirv,) = (
        analyze(canonical(compile_sources([f])), matrix=False).functions for f in (source, file)
    )
    assert of_source.kernel is not None
    assert of_spirv.kernel is not None
    assert str(of_spirv.kernel.counts.work.formula) == str(of_source.kernel.counts.work.formula)
    assert [a.pattern for a in of_spirv.kernel.accesses] == ["strided", "coalesced"]


def test_spirv_that_is_none_is_said(tmp_path: Path) -> None:
    file = tmp_path / "no.spv"
    file.write_bytes(b"no")
    with pytest.raises(InputError, match=r"no\.spv: (not SPIR-V|SPIR-V needs llvm-spirv)"):
        compile_sources([file])
