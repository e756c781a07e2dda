"""The parser reads each opcode into typed operands."""

from __future__ import annotations

import pytest

from staticana.ir.parser import parse_module
from staticana.ir.types import (
    NO_RESULT,
    Constant,
    GlobalRef,
    Instruction,
    IntLiteral,
    Operand,
    Register,
    int_bits,
    operand,
    quoted,
    unquoted,
)

_MODULE = """\
@table = global [4 x i32] zeroinitializer
define i32 @"a name"(i32 noundef %n, ptr %"p q") {{
entry:
  {line}
  ret i32 0
}}
declare i32 @printf(ptr, ...)
"""


def read(line: str) -> Instruction:
    (function, _) = parse_module(_MODULE.format(line=line)).functions.values()
    return function.entry.instructions[0]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("%i.0", Register),
        ('%"a b"', Register),
        ("@table", GlobalRef),
        ("42", IntLiteral),
        ("-1", IntLiteral),
        ("true", Constant),
        ("null", Constant),
        ("1.0e+00", Constant),
        ("getelementptr (i8, ptr @table, i64 4)", Constant),
    ],
)
def test_operand_says_what_it_is(text: str, kind: type[Operand]) -> None:
    made = operand(text)
    assert type(made) is kind
    assert made == text
    assert {text: 1}[made] == 1


def test_names_are_without_sigil_and_quotes() -> None:
    register, function = operand('%"p q"'), operand("@f")
    assert isinstance(register, Register)
    assert isinstance(function, GlobalRef)
    assert (register.name, function.name) == ("p q", "f")


def test_literal_has_its_number() -> None:
    literal = operand("-12")
    assert isinstance(literal, IntLiteral)
    assert literal.value == -12


@pytest.mark.parametrize(
    ("line", "kind", "operands", "extra"),
    [
        ("%a = add nsw i32 %n, 1", "i32", ("%n", "1"), ()),
        ("%a = icmp slt i32 %n, 7", "i32", ("%n", "7"), ("slt",)),
        ("%a = load i32, ptr @table, align 4", "i32", ("@table",), ()),
        ('store i32 %n, ptr %"p q", align 4', "i32", ("%n", '%"p q"'), ()),
        (
            "%a = getelementptr inbounds [4 x i32], ptr @table, i64 0, i32 %n",
            "[4 x i32]",
            ("@table", "0", "%n"),
            ("ptr", "i64", "i32"),
        ),
        ("%a = sext i32 %n to i64", "i64", ("%n",), ("i32",)),
        ("%a = select i1 true, i32 %n, i32 0", "i32", ("true", "%n", "0"), ()),
        ("%a = freeze i32 %n", "i32", ("%n",), ()),
        ("%a = alloca %struct.S, align 8", "%struct.S", (), ()),
        ("%a = alloca i8, i64 %n, align 8", "i8", ("%n",), ()),
        ("%a = extractvalue { i32, i1 } %n, 0", "{ i32, i1 }", ("%n",), ("0",)),
        (
            "%a = call i32 (ptr, ...) @printf(ptr noundef @table, i32 %n) #1",
            "i32",
            ("@printf", "@table", "%n"),
            ("ptr", "i32"),
        ),
        ("%a = load atomic i32, ptr %p seq_cst, align 4", "i32", ("%p",), ()),
        ("%a = load atomic ptr, ptr @g acquire, align 8", "ptr", ("@g",), ()),
        (
            'store atomic i32 %n, ptr %"p q" syncscope("agent") release, align 4',
            "i32",
            ("%n", '%"p q"'),
            (),
        ),
        (
            "store atomic i32 1, ptr getelementptr inbounds (%s, ptr @g, i32 0, i32 1) monotonic",
            "i32",
            ("1", "getelementptr inbounds (%s, ptr @g, i32 0, i32 1)"),
            (),
        ),
        ("%a = atomicrmw add ptr @table, i32 %n seq_cst", "i32", ("@table", "%n"), ()),
    ],
)
def test_opcodes(line: str, kind: str, operands: tuple[str, ...], extra: tuple[str, ...]) -> None:
    i = read(line)
    assert (i.type, i.operands, i.extra) == (kind, operands, extra)
    assert all(isinstance(o, Operand) for o in i.operands)
    assert i.token == ("%a" if line.startswith("%a") else NO_RESULT)


def test_branches() -> None:
    i = read("switch i32 %n, label %d [ i32 -1, label %a i32 2, label %b ]")
    assert (i.operands, i.labels) == (("%n",), ("d", "a", "b"))
    assert [c.value for c in i.cases if isinstance(c, IntLiteral)] == [-1, 2]
    assert read("br i1 %c, label %x, label %y").labels == ("x", "y")


def test_metadata_of_an_instruction() -> None:
    i = read("%a = load i32, ptr @table, align 4, !dbg !7, !tbaa !12")
    assert (i.dbg, i.tbaa, i.loop) == ("!7", "!12", None)
    i = read("br label %x, !dbg !3, !llvm.loop !9")
    assert (i.dbg, i.loop) == ("!3", "!9")


def test_parts_of_a_module_share_their_operands() -> None:
    module = parse_module(_MODULE.format(line="%a = add i32 %n, 1"))
    function = module.functions["a name"]
    assert function.definitions["%a"].operands[0] is function.parameters[0].token
    assert function.parameters[1].token.name == "p q"


def test_a_label_of_one_character_begins_a_block() -> None:
    module = parse_module(
        "define void @f() {\n"
        "  br label %6\n"
        "\n"
        "6:                                                ; preds = %6, %0\n"
        "  br label %6\n"
        "}\n"
    )
    assert list(module.functions["f"].blocks) == ["0", "6"]


@pytest.mark.parametrize("name", ["i.0", "0", "-x", "_ZN3fooE", "a b", "f$1", "1st", "std::f"])
def test_names_are_quoted_as_llvm_prints_them(name: str) -> None:
    plain = name in ("i.0", "0", "-x", "_ZN3fooE")
    assert quoted(name) == (name if plain else f'"{name}"')
    assert unquoted(quoted(name)) == name


def test_width_of_integers() -> None:
    assert [int_bits(t) for t in ("i1", "i64", "ptr", "i", "double")] == [1, 64, None, None, None]


@pytest.mark.parametrize(
    "kind",
    ["void", "i32", "ptr", "{ ptr, i8 }", "{ { i64, i64 }, ptr }", "<2 x float>", "[2 x i64]"],
)
def test_result_of_a_function(kind: str) -> None:
    text = f"declare dso_local noundef {kind} @f(ptr, i32) #1\n"
    assert parse_module(text).functions["f"].type == kind


def test_a_negated_constant_has_an_operand() -> None:
    text = "define float @f() {\nentry:\n  %a = fneg fast float 0.0\n  ret float %a\n}\n"
    (negated, _) = parse_module(text).functions["f"].blocks["entry"].instructions
    assert (negated.type, negated.operands) == ("float", ("0.0",))
