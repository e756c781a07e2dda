"""A module that is read again after an edit is what a fresh reading of its text gives."""

from __future__ import annotations

import pytest

from staticana.ir.parser import edited, parse_module

_TEXT = """target datalayout = "e-m:e-i64:64"

define void @first() {
entry:
  ret void
}

define i32 @second(i32 %n) !dbg !2 {
entry:
  ret i32 %n
}

declare void @third()

!llvm.module.flags = !{!0}

!0 = !{i32 7, !"PIC Level", i32 2}
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = distinct !DISubprogram(name: "second", file: !1, line: 3)
"""
_BODY = "define void @third() {\nentry:\n  call void @first()\n  ret void\n}\n"


@pytest.mark.parametrize(
    "text",
    [
        _TEXT,
        _TEXT.replace("ret i32 %n", "ret i32 7"),
        _TEXT.replace("line: 3", "line: 9"),
        _TEXT.replace("declare void @third()", "") + _BODY,
        _TEXT + '!3 = !{!"more"}\n',
        _TEXT.replace('!1 = !DIFile(filename: "a.c", directory: "/")\n', ""),
        "\n" + _TEXT,
    ],
)
def test_an_edited_module_is_what_its_text_says(text: str) -> None:
    before = parse_module(_TEXT)
    fresh, found = parse_module(text), edited(before, text)
    assert found.metadata == fresh.metadata
    assert found.functions == fresh.functions
    assert list(found.functions) == ["first", "second", "third"]  # their order stays
    again = edited(found, text)
    assert (again.metadata, again.functions) == (fresh.metadata, fresh.functions)


def test_what_did_not_change_is_not_read_again() -> None:
    before = parse_module(_TEXT)
    found = edited(before, _TEXT.replace("ret i32 %n", "ret i32 7"))
    assert found.functions["first"] is before.functions["first"]
    assert found.functions["second"] is not before.functions["second"]
