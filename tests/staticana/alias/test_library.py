"""The table of library functions, and what the alias analysis concludes from it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from staticana import Analysis, analyze, analyze_module, canonical, compile_sources, parse_module
from staticana.alias.library import LIBRARY, Control, Parses, library_function


def test_each_function_has_one_row() -> None:
    assert [name for name, n in Counter(f.name for f in LIBRARY).items() if n > 1] == []


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("malloc", "malloc"),
        ("PMPI_Send", "MPI_Send"),
        ("MPI_Allreduce_c", "MPI_Allreduce"),
        ("MPI_Comm_split", "MPI_*"),
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
