"""The pieces of text that instrumentation is made of: straight-line code, signatures, names."""

from __future__ import annotations

from itertools import count

import pytest

from runtime.instrumentation.ir_text.code_builder import CodeBuilder
from runtime.instrumentation.ir_text.function_editor import closing_bracket
from runtime.instrumentation.ir_text.signature import Signature
from staticana import parse_module


def builder(*, volatile: bool = False) -> CodeBuilder:
    numbers = count(1)
    return CodeBuilder(lambda: f"ll.{next(numbers)}", volatile=volatile)


def test_an_addition_is_a_load_an_add_and_a_store() -> None:
    code = builder()
    code.increase(code.element("%base", 3), "add", 1)
    assert code.lines == [
        "  %ll.1 = getelementptr inbounds i64, ptr %base, i64 3",
        "  %ll.2 = load i64, ptr %ll.1, align 8",
        "  %ll.3 = add i64 %ll.2, 1",
        "  store i64 %ll.3, ptr %ll.1, align 8",
    ]


def test_counts_that_must_be_in_memory_are_volatile() -> None:
    code = builder(volatile=True)
    code.increase("%word", "sub", "%n")
    assert [line.split(",")[0] for line in code.lines] == [
        "  %ll.1 = load volatile i64",
        "  %ll.2 = sub i64 %ll.1",
        "  store volatile i64 %ll.2",
    ]


@pytest.mark.parametrize(
    ("type", "text"),
    [("i32", "sext i32 %x to i64"), ("i1", "zext i1 %x to i64"), ("ptr", "ptrtoint ptr %x to i64")],
)
def test_values_are_widened_by_their_type(type: str, text: str) -> None:
    code = builder()
    assert code.widened("%x", type) == "%ll.1"
    assert code.lines == [f"  %ll.1 = {text}"]
    assert builder().widened("%x", "i64") == "%x"


HEADERS = {
    "define dso_local i32 @f(i32 noundef %n, ptr %p) #0 {": ("i32", "i32"),
    "define internal fastcc void @f() {": ("fastcc void", "void"),
    "define linkonce_odr hidden noundef { i64, ptr } @f(i32 %a) comdat align 2 {": (
        "noundef { i64, ptr }",
        "{ i64, ptr }",
    ),
}


@pytest.mark.parametrize("header", HEADERS)
def test_signatures_are_taken_apart_and_put_together(header: str) -> None:
    body = "unreachable" if "void" not in header else "ret void"
    function = parse_module(f"{header}\n  {body}\n}}\n").functions["f"]
    signature = Signature.of(function, function.header)
    assert signature.text() == header
    assert (signature.convention, signature.result) == HEADERS[header]
    copy = signature.copied("@f.copy", signature.after)
    assert copy.startswith("define internal ")
    assert "comdat" not in copy
    more = signature.with_counts().parameters
    assert more.endswith("ptr %ll.counts")
    assert more.startswith(signature.parameters)


def test_brackets_close_where_quotes_allow() -> None:
    assert closing_bracket('f("a)" (x))', 1) == 10
    with pytest.raises(ValueError, match="no bracket closes"):
        closing_bracket("f(a", 1)
