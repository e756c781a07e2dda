"""Text of LLVM 14 to 19 has constant expressions that LLVM 22 refuses: each becomes its number, or
an instruction where it is used."""

from __future__ import annotations

import ctypes
import re
from pathlib import Path

import llvmlite.binding as llvm
import pytest

from staticana import InputError, analyze, canonical, compile_sources
from staticana.frontend.constant_expressions import without_constant_expressions
from staticana.frontend.isolation import read_apart

_SIZE = "i64 ptrtoint (ptr getelementptr (%S, ptr null, i64 1) to i64)"
_NUMBERS = {
    f"mul ({_SIZE}, i64 3)": 48,
    "mul (i64 ptrtoint (ptr getelementptr (%S, ptr null, i32 0, i32 1) to i64), i64 -5)": -40,
    f"sub nuw ({_SIZE}, i64 mul nsw ({_SIZE}, i64 2))": -16,
    f"select (i1 icmp ugt ({_SIZE}, i64 15), i64 7, i64 8)": 7,
    f"zext (i8 trunc (i64 sub (i64 0, {_SIZE}) to i8) to i64)": 240,
    f"sext (i8 trunc (i64 sub (i64 0, {_SIZE}) to i8) to i64)": -16,
    f"shl ({_SIZE}, i64 62)": 0,
    "lshr (i64 -1, i64 63)": 1,
    "ashr (i64 -9, i64 1)": -5,
    "sdiv (i64 -7, i64 2)": -3,
    "srem (i64 -7, i64 2)": -1,
    "udiv (i64 -1, i64 2)": 2**63 - 1,
    f"or ({_SIZE}, i64 and (i64 6, i64 3))": 18,
    "zext (i1 icmp slt (i64 -1, i64 0) to i64)": 1,
    "sext (i1 icmp ult (i64 1, i64 2) to i64)": -1,
}
_MODULE = """target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
%S = type { i32, double }
"""


@pytest.mark.parametrize(("expression", "number"), _NUMBERS.items())
def test_what_is_a_number_is_written_as_that(expression: str, number: int) -> None:
    text = f"{_MODULE}@g = constant {{ i64, ptr }} {{ i64 {expression}, ptr @g }}\n"
    assert f"{{ i64 {number}, ptr @g }}" in without_constant_expressions(text)
    assert f"i64 {number}, ptr @g" in read_apart(text)


_FUNCTION = """@w = global i32 5
@a = global [4 x i32] zeroinitializer
define i64 @f(i1 %0, i64 %1) {
  br i1 %0, label %5, label %"left over"

"left over":
  %3 = add i64 %1, mul (i64 zext (i1 icmp ne (ptr @w, ptr @a) to i64), i64 10)
  %4 = insertvalue { i64, i64 } { i64 mul (i64 4, i64 5), i64 0 }, i64 %3, 1
  br label %5

5:
  %6 = phi i64 [ zext (i1 icmp eq (ptr @w, ptr @a) to i64), %2 ], [ %3, %"left over" ]
  %7 = phi i64 [ sub (i64 and (i64 ptrtoint (ptr @w to i64), i64 0), i64 1), %2 ],\
 [ select (i1 icmp eq (ptr @w, ptr null), i64 3, i64 4), %"left over" ]
  %8 = add i64 %6, %7
  ret i64 %8
}
"""


def test_what_is_no_number_is_computed_where_it_is_used() -> None:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    module = llvm.parse_assembly(read_apart(_FUNCTION))
    machine = llvm.Target.from_default_triple().create_target_machine()
    with llvm.create_mcjit_compiler(module, machine) as engine:
        engine.finalize_object()
        call = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_bool, ctypes.c_int64)
        function = call(engine.get_function_address("f"))
        assert function(True, 7) == 0 - 1
        assert function(False, 7) == 17 + 4


@pytest.mark.parametrize(
    "line",
    [
        "@g = constant i64 mul (i64 ptrtoint (ptr @g to i64), i64 3)",
        "@g = constant i64 sdiv (i64 1, i64 0)",
        "@g = constant i64 mul (i64 ptrtoint (ptr getelementptr (%T, ptr null, i64 1) to i64),"
        " i64 2)\n%T = type opaque",
    ],
)
def test_what_is_neither_is_refused(line: str, tmp_path: Path) -> None:
    path = tmp_path / "p.ll"
    path.write_text(f"{line}\ndefine i32 @main() {{\n  ret i32 0\n}}\n")
    with pytest.raises(InputError, match="constexprs are no longer supported"):
        compile_sources([path])


def test_texts_and_names_are_no_expressions() -> None:
    text = (
        '@"mul (i64 1, i64 2)" = constant [14 x i8] c"mul (i8 1, i8)"\n'
        "define void @f() {\n  %1 = mul i64 shl (i64 1, i64 2), 2\n"
        '  call void @"shl (i64 1, i64 2)"()\n  ret void\n}\n'
        'declare void @"shl (i64 1, i64 2)"()\n'
    )
    assert without_constant_expressions(text) == text.replace(
        "i64 shl (i64 1, i64 2), 2", "i64 4, 2"
    )


def test_a_weak_symbol_in_text_of_an_older_clang(tmp_path: Path) -> None:
    """Typed pointers, as clang 14 writes them."""
    path = tmp_path / "p.ll"
    path.write_text(
        "@w = extern_weak global i32\n"
        "define i32 @main(i32 %n) {\nstart:\n  br label %head\nhead:\n"
        "  %i = phi i32 [ zext (i1 icmp ne (i32* @w, i32* null) to i32), %start ],"
        " [ %next, %head ]\n"
        "  %next = add i32 %i, 1\n  %more = icmp slt i32 %next, %n\n"
        "  br i1 %more, label %head, label %end\nend:\n  ret i32 0\n}\n"
    )
    text = canonical(compile_sources([path]))
    assert re.search(r"icmp ne ptr @w, null", text)
    assert analyze(text).functions
