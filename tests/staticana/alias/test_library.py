"""The table of library functions, and what the alias analysis concludes from it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from staticana import Analysis, analyze, analyze_module, canonical, compile_sources, parse_module
from staticana.alias.library import (
    LIBRARY,
    Control,
    LibraryFunction,
    Parses,
    declared_function,
    library_function,
)
from staticana.ir.types import Module


def test_each_function_has_one_row() -> None:
    assert [name for name, n in Counter(f.name for f in LIBRARY).items() if n > 1] == []


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("mpi_comm_size_", {1, 2}),
        ("mpi_sendrecv_", {5, 11, 12}),
        ("mpi_send_", {6}),
        ("mpi_barrier_", {1}),
    ],
)
def test_fortran_gets_results_and_the_error_code_by_reference(name: str, written: set[int]) -> None:
    known = library_function(name)
    assert known is not None
    assert known.message is None
    assert written <= {at for at in range(13) if known.writes_through(at)}
    assert all(map(known.reads.__contains__, (0, ...)))


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("malloc", "malloc"),
        ("PMPI_Send", "MPI_Send"),
        ("MPI_Allreduce_c", "MPI_Allreduce"),
        ("MPI_Comm_group", "MPI_*"),
        ("mpi_allreduce_", "MPI_Allreduce"),
        ("mpi_comm_group_", "MPI_*"),
        ("MPI_Iallgather", "MPI_Iallgather"),
        ("llvm.memcpy.p0.p0.i64", "llvm.memcpy.*"),
        ("llvm.smax.i32", "llvm.*"),
        ("_ZNSt6vectorIiSaIiEE9push_backERKi", "_ZNSt*"),
        ("__kmpc_for_static_init_4", "__kmpc_for_static_init_*"),
        ("__kmpc_fork_call", "__kmpc_*"),
    ],
)
def test_rows_are_found_by_name_and_by_family(name: str, row: str) -> None:
    found = library_function(name)
    assert found is not None
    assert found.name == row


def test_own_functions_have_no_row() -> None:
    assert library_function("compute") is None


def test_arguments() -> None:
    scanf, strtol = library_function("scanf"), library_function("strtol")
    assert scanf is not None
    assert [scanf.writes_through(at) for at in range(4)] == [False, True, True, True]
    assert strtol is not None
    assert [strtol.writes_through(at) for at in range(3)] == [False, True, False]
    assert strtol.keeps_argument(0)
    assert strtol.parses is Parses.INTEGER


@pytest.mark.parametrize(
    ("name", "control", "soon"),
    [
        ("strlen", Control.RETURNS, True),
        ("printf", Control.WAITS, False),
        ("exit", Control.LEAVES, False),
        ("longjmp", Control.LEAVES, False),
        ("_setjmp", Control.TWICE, False),
        ("execv", Control.LEAVES, False),
        ("qsort", Control.RETURNS, False),  # its comparison may leave
        ("_Znwm", Control.RETURNS, False),  # it may throw
    ],
)
def test_control(name: str, control: Control, soon: bool) -> None:
    found = library_function(name)
    assert found is not None
    assert (found.control, found.returns_soon) == (control, soon)


def test_what_memory_is_attached_to_is_used() -> None:
    """A row that attaches memory or registers functions for nobody would say nothing."""
    used = {family for f in LIBRARY for family in f.uses}
    attached = {f.to for f in LIBRARY if f.to}
    assert attached - used == {"exit"}  # what runs behind the last loop of main
    assert used == attached - {"exit"}
    assert all(f.to for f in LIBRARY if f.attaches or f.registers)


_DECLARATIONS = """
declare void @llvm.matrix.column.major.store.v4i32.i64(<4 x i32>, ptr, i64, i1, i32, i32)
declare void @llvm.masked.scatter.v4i32.v4p0(<4 x i32>, <4 x ptr>, <4 x i1>)
declare void @llvm.masked.compressstore.v4i32(<4 x i32>, ptr, <4 x i1>)
declare void @llvm.experimental.memset.pattern.p0.i64.i64(ptr, i64, i64, i1)
declare i32 @llvm.umax.i32(i32, i32)
declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr, <4 x i1>, <4 x i32>)
declare void @llvm.assume(i1)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare void @llvm.lifetime.start.p0(ptr)
declare i64 @llvm.objectsize.i64.p0(ptr, i1, i1, i1)
declare void @llvm.no.such.intrinsic(ptr)
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
declare void @llvm.eh.sjlj.longjmp(ptr)
declare void @llvm.x86.sse2.maskmov.dqu(<16 x i8>, <16 x i8>, ptr)
"""


@pytest.fixture(scope="module")
def declarations() -> Module:
    return parse_module(canonical(_DECLARATIONS + "define void @f() {\n  ret void\n}\n"))


def _intrinsic(declarations: Module, beginning: str) -> LibraryFunction:
    (name,) = (n for n in declarations.functions if n.startswith(beginning))
    found = declared_function(declarations, name)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("name", "writes", "anywhere"),
    [
        ("llvm.matrix.column.major.store", (1,), False),
        ("llvm.masked.compressstore", (1,), False),
        ("llvm.experimental.memset.pattern", (0,), False),
        ("llvm.umax", (), False),
        ("llvm.masked.load", (), False),
        ("llvm.assume", (), False),
        ("llvm.prefetch", (), False),
        ("llvm.lifetime.start", (), False),
        ("llvm.objectsize", (), False),
        ("llvm.masked.scatter", (1,), True),
        ("llvm.no.such.intrinsic", (0,), True),
        ("llvm.experimental.gc.statepoint", (2,), True),
    ],
)
def test_attributes_say_what_an_intrinsic_writes(
    declarations: Module, name: str, writes: tuple[int, ...], anywhere: bool
) -> None:
    found = _intrinsic(declarations, name)
    assert [at for at in range(6) if found.writes_through(at)] == list(writes)
    assert found.anywhere == anywhere


def test_an_intrinsic_that_is_not_known_may_do_anything(declarations: Module) -> None:
    found = _intrinsic(declarations, "llvm.no.such.intrinsic")
    assert found.keeps_argument(0)
    assert found.calls_anything
    assert not found.returns_soon
    undeclared = library_function("llvm.no.such.intrinsic")
    assert undeclared is not None
    assert undeclared.anywhere
    assert undeclared.calls_anything
    known = _intrinsic(declarations, "llvm.umax")
    assert known.returns_soon
    assert not known.calls_anything
    assert not _intrinsic(declarations, "llvm.matrix").keeps_argument(1)


def analysis(tmp_path: Path, body: str, functions: str = "") -> Analysis:
    source = tmp_path / "a.c"
    source.write_text(
        "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <setjmp.h>\n"
        f"volatile double work;\n{functions}\n"
        f"int main(int argc, char **argv) {{\n  int n = atoi(argv[1]);\n{body}\n  return 0;\n}}\n"
    )
    return analyze(canonical(compile_sources([source])))


def total(found: Analysis) -> str | None:
    (loop,) = found.loops
    return str(loop.total.formula) if loop.total.kind == "exact" else None


def test_what_a_row_says_needs_no_assumption(tmp_path: Path) -> None:
    """strtol writes its end pointer, not the text."""
    functions = "struct s { int n; char text[8]; };"
    found = analysis(
        tmp_path,
        "  struct s *p = malloc(sizeof *p);\n  p->n = n;\n"
        "  for (int i = 0; i < p->n; i++) work += strtol(argv[2], NULL, 10);",
        functions,
    )
    assert total(found) == "Max(0, n)"
    assert not [a for a in found.loops[0].total.assumptions if "strtol" in a]


def test_result_points_into_the_argument(tmp_path: Path) -> None:
    """A store through what memcpy returns changes the object it was handed."""
    body = (
        "  int a[2] = {n, n}, b[2] = {n, n};\n"
        "  int *p = {call};\n  p[0] = 3;\n"
        "  for (int i = 0; i < a[0]; i++) work += i;"
    )
    found = analysis(tmp_path, body.replace("{call}", "memcpy(a, b, sizeof a)"))
    assert total(found) in ("3", None)
    found = analysis(tmp_path, body.replace("{call}", "(int *)memchr(a, n, sizeof a)"))
    assert total(found) != "Max(0, n)"


def test_callback_that_keeps_its_argument(tmp_path: Path) -> None:
    """qsort hands pointers to the array on: what the comparison keeps may change it later."""
    functions = """
static const int *kept;
static int compare(const void *a, const void *b) { kept = a; return *(int *)a - *(int *)b; }
void change(void) { *(int *)kept = 7; }
"""
    found = analysis(
        tmp_path,
        "  int a[3] = {n, n, n};\n  qsort(a, 3, sizeof a[0], compare);\n  a[0] = n;\n  change();\n"
        "  for (int i = 0; i < a[0]; i++) work += i;",
        functions,
    )
    assert total(found) != "Max(0, n)"


def test_own_function_is_no_library_function(tmp_path: Path) -> None:
    """A program's own `calloc` may return the same memory twice."""
    functions = """
static int pool[4];
void *calloc(size_t n, size_t size) { return pool; }
"""
    found = analysis(
        tmp_path,
        "  int *a = calloc(1, 4), *b = calloc(1, 4);\n  *a = n;\n  *b = 5;\n"
        "  for (int i = 0; i < *a; i++) work += i;",
        functions,
    )
    assert total(found) in ("5", None)


def test_a_call_without_the_text_it_should_print_is_read() -> None:
    module = parse_module("""
@text = private constant [3 x i8] c"%n\\00"
declare i32 @fprintf(ptr, ptr, ...)
define i32 @main(i32 %argc, ptr %argv) {
entry:
  %slot = alloca i32
  store i32 9, ptr %slot
  %printed = call i32 @fprintf(ptr null)
  %n = load i32, ptr %slot
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret i32 0
}
""")
    (found,) = analyze_module(module).loops
    assert str(found.total.formula) == "9"
