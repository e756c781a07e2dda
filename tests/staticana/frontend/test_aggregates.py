"""Structures that are loaded and stored whole are taken apart, and hold what they held."""

from __future__ import annotations

import ctypes
from pathlib import Path

import llvmlite.binding as llvm
import pytest

from staticana import analyze, canonical, compile_sources
from staticana.expr import expr
from staticana.frontend.aggregates import has_aggregates, with_members_apart
from staticana.frontend.fortran import find_flang

IR = """%pair = type { i32, [2 x i64] }

define i64 @work(i64 %n, i32 %k) {
entry:
  %a = alloca { i64, i32, %pair }
  %b = alloca { i64, i32, %pair }
  %one = insertvalue { i64, i32, %pair } { i64 3, i32 undef, %pair { i32 5, [2 x i64] [i64 7, i64 11] } }, i32 %k, 1
  %two = insertvalue { i64, i32, %pair } %one, i64 %n, 2, 1, 1
  store { i64, i32, %pair } %two, ptr %a
  store { i64, i32, %pair } zeroinitializer, ptr %b
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %more, %loop ]
  %held = load { i64, i32, %pair }, ptr %a
  %inner = extractvalue { i64, i32, %pair } %held, 2
  %least = extractvalue %pair %inner, 1, 0
  %most = extractvalue { i64, i32, %pair } %held, 2, 1, 1
  %small = extractvalue { i64, i32, %pair } %held, 1
  %changed = insertvalue { i64, i32, %pair } %held, i64 %i, 0
  store { i64, i32, %pair } %changed, ptr %b
  %copy = load { i64, i32, %pair }, ptr %b
  %at = extractvalue { i64, i32, %pair } %copy, 0
  %wide = sext i32 %small to i64
  %x = add i64 %at, %least
  %y = add i64 %x, %wide
  %more = add i64 %sum, %y
  %next = add i64 %i, 1
  %again = icmp slt i64 %next, %most
  br i1 %again, label %loop, label %end
end:
  ret i64 %more
}
"""  # noqa: E501

FORTRAN = """program main
  implicit none
  real(8), allocatable :: u(:,:)
  integer, allocatable :: most(:)
  character(32) :: arg
  integer :: n, k, i, j
  call get_command_argument(1, arg)
  read(arg, *) n
  allocate(u(n, 2*n), most(2*n))
  do i = 1, 2*n
    most(i) = i
  end do
  do k = 1, 5
    do j = 1, size(u, 2)
      do i = 1, most(j)
        u(1, j) = u(1, j) + i
      end do
    end do
  end do
  print *, u(1, 1)
end program
"""


def run(text: str, n: int, k: int) -> int:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    module = llvm.parse_assembly(text)
    module.verify()
    machine = llvm.Target.from_default_triple().create_target_machine()
    with llvm.create_mcjit_compiler(module, machine) as engine:
        engine.finalize_object()
        kind = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int32)
        return int(kind(engine.get_function_address("work"))(n, k))


@pytest.mark.parametrize(("n", "k"), [(1, 0), (4, -2), (9, 1 << 20)])
def test_members_hold_what_the_whole_held(n: int, k: int) -> None:
    apart = with_members_apart(IR)
    assert not has_aggregates(apart)
    assert "extractvalue" not in apart
    assert run(apart, n, k) == run(IR, n, k) == n * (n - 1) // 2 + n * (7 + k)


def test_what_is_read_of_a_structure_is_a_law() -> None:
    [loop] = analyze(canonical(IR), entry="work").loops
    assert loop.total.formula is not None
    assert loop.total.formula.evaluate({"n": 9, "k": 1}) == 9


def test_what_calls_make_and_take_stays_whole() -> None:
    text = """declare { i64, i64 } @made()
declare void @taken({ i64, i64 })
define void @work(ptr %p) {
entry:
  %m = call { i64, i64 } @made()
  store { i64, i64 } %m, ptr %p
  %l = load { i64, i64 }, ptr %p
  call void @taken({ i64, i64 } %l)
  ret void
}
"""
    assert with_members_apart(text) == text


def test_what_has_too_many_members_is_stored_whole() -> None:
    long = ", ".join(["i64"] * 70)
    kind = f"{{ i64, {{ {long} }} }}"
    text = f"""define void @work(ptr %p) {{
entry:
  store {kind} zeroinitializer, ptr %p
  ret void
}}
"""
    assert with_members_apart(text) == text


def test_members_are_no_better_aligned_than_the_whole() -> None:
    text = """define i64 @work(ptr %p, ptr %q) {
entry:
  %h = load { i64, i8 }, ptr %p, align 2
  %m = extractvalue { i64, i8 } %h, 0
  store { i64, i8 } %h, ptr %q, align 16
  ret i64 %m
}
"""
    apart = with_members_apart(text)
    assert [line.rpartition(", ")[2] for line in apart.split("\n") if " load " in line] == [
        "align 2",
        "align 1",
    ]
    assert [line.rpartition(", ")[2] for line in apart.split("\n") if "store " in line] == [
        "align 8",
        "align 1",
    ]


def test_a_register_called_as_a_structure_stays() -> None:
    text = """%n = type { i32 }
define i64 @work(ptr %p) {
entry:
  %h = load { i64, %n }, ptr %p
  %n = extractvalue { i64, %n } %h, 0
  ret i64 %n
}
"""
    assert "extractvalue { i64, %n } %h, 0" in with_members_apart(text)


def test_bounds_of_allocated_arrays_are_known(tmp_path: Path) -> None:
    if find_flang() is None:
        pytest.skip("there is no flang")
    (tmp_path / "p.f90").write_text(FORTRAN)
    loops = analyze(canonical(compile_sources([tmp_path / "p.f90"])), entry="_QQmain").loops
    inner = next(x.total for x in loops if ":15:" in x.at)
    assert inner.kind == "exact"
    assert inner.formula is not None
    name = next(iter(inner.formula.symbols))
    assert inner.formula.substitute({name: expr(4)}).constant == 5 * sum(range(1, 9))
