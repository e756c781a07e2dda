"""Loops whose branches LLVM writes over several lines are reshaped and marked as others are."""

from __future__ import annotations

from staticana.frontend.isolation import read_apart
from staticana.frontend.loop_shape import LoopMarks, one_latch, own_exits
from staticana.ir.loop_info import loop_forest
from staticana.ir.parser import parse_module

_SWITCHES = """
define i32 @f(i32 %n) !dbg !4 {
entry:
  br label %head
head:
  %i = phi i32 [ %n, %entry ], [ %down, %body ], [ %half, %body ], [ %down, %again ]
  %down = sub i32 %i, 1
  %half = sdiv i32 %i, 2
  switch i32 %i, label %body [
    i32 0, label %end
    i32 1, label %left
  ], !dbg !7
left:
  switch i32 %n, label %end [
    i32 3, label %body
  ], !dbg !7
body:
  switch i32 %half, label %again [
    i32 7, label %head
    i32 9, label %end
  ], !dbg !7
again:
  switch i32 %half, label %head [
    i32 8, label %end
  ], !dbg !7
end:
  ret i32 %i
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "f.c", directory: "/")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "f", file: !1, line: 1, type: !5, unit: !0)
!5 = !DISubroutineType(types: !6)
!6 = !{}
!7 = !DILocation(line: 2, column: 3, scope: !4)
""".replace(", [ %half, %body ]", "")


def test_switches_are_reshaped_and_marked() -> None:
    text = own_exits(one_latch(read_apart(_SWITCHES)))
    module = parse_module(text)
    lines = text.split("\n")
    marks = LoopMarks(module, lines)
    (loop,) = loop_forest(module.functions["f"], module).loops
    marks.add(module.functions["f"], loop, "!7")
    again = parse_module(read_apart("\n".join(lines)))
    (loop,) = loop_forest(again.functions["f"], again).loops
    assert len(loop.latches) == 1
    assert again.functions["f"].blocks[loop.latches[0]].terminator.loop is not None
    assert len({e.target for e in loop.exits}) == len(loop.exits) == 4
