"""What calls through pointers may write: all that the functions do that they may come to."""

from __future__ import annotations

from staticana.alias.alias_analysis import Aliasing
from staticana.ir.data_layout import Layout
from staticana.ir.parser import parse_module
from staticana.ir.types import Instruction

_MODULE = """
target datalayout = "e-m:e-i64:64"
@_ZTV1A = constant { [3 x ptr] } { [3 x ptr] [ptr null, ptr null, ptr @virtual] }
@table = constant [2 x ptr] [ptr @first, ptr @second]
@x = internal global i64 0
@y = internal global i64 0

define void @virtual(ptr %this, i64 %n) {
entry:
  store i64 %n, ptr @x
  ret void
}

define void @first(ptr %a, ptr %b) {
entry:
  store i64 1, ptr %a
  store i64 1, ptr @y
  ret void
}

define void @second(ptr %a, ptr %b) {
entry:
  store i64 2, ptr %b
  call void @caller(ptr %a, ptr %b, ptr %b)
  ret void
}

define void @caller(ptr %object, ptr %called, ptr %other) {
entry:
  %here = alloca i64
  %there = alloca i64
  call void %called(ptr %here, ptr %there)
  %vtable = load ptr, ptr %object
  %found = load ptr, ptr %vtable
  call void %found(ptr %object, i64 1)
  ret void
}
"""


def test_a_virtual_call_writes_what_functions_of_its_types_do_and_another_what_all_do() -> None:
    module = parse_module(_MODULE)
    aliasing = Aliasing(module, Layout(module))
    caller = module.functions["caller"]
    plain, virtual = (i for b in caller.blocks.values() for i in b.instructions if i.is_call)

    def roots(call: Instruction) -> set[str | None]:
        written = aliasing.written_by(caller, call).writes
        return {w.underlying_object for w in written}

    # `second` calls back: what circles write by their arguments may be anywhere
    assert {"@x", "@y", "caller:%here", None} <= roots(plain)
    assert roots(virtual) == {"@x"}
