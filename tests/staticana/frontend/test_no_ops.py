"""Instructions that pass a value on are taken out of canonical IR, and what hints say of branches
is kept as weights."""

from __future__ import annotations

import re

import pytest

from staticana import InputError, analyze, canonical
from staticana.frontend.isolation import BrokeDown, isolated, linked, transformed
from staticana.frontend.no_ops import has_no_ops, without_no_ops

pytestmark = pytest.mark.usefixtures("as_users_have_it")

_LOOP = """
declare i64 @llvm.expect.i64(i64, i64)
declare i32 @llvm.annotation.i32.p0(i32, ptr, ptr, i32)
declare ptr @llvm.launder.invariant.group.p0(ptr)
@text = private constant [2 x i8] c"a\\00"

define i32 @f(i32 %n, ptr %p) {
entry:
  %0 = bitcast ptr %p to ptr
  %1 = call ptr @llvm.launder.invariant.group.p0(ptr nonnull %0)
  %none = icmp eq ptr %1, null
  %wide = zext i1 %none to i64
  %hint = call i64 @llvm.expect.i64(i64 %wide, i64 0)
  %bad = icmp ne i64 %hint, 0
  br i1 %bad, label %out, label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %same = call i32 @llvm.annotation.i32.p0(i32 %n, ptr @text, ptr @text, i32 1)
  %more = icmp slt i32 %i, %same
  br i1 %more, label %body, label %out
body:
  %v = load i32, ptr %1, align 4, !invariant.group !0
  %next = add nsw i32 %i, 1
  br label %head
out:
  ret i32 0
}
!0 = !{}
"""


def test_what_passes_a_value_on_is_gone_and_its_uses_have_the_value() -> None:
    text = canonical(_LOOP)
    body = text[text.index("define") : text.index("\n}")]
    assert not re.search(r"bitcast|@llvm\.|invariant\.group", body)
    assert "icmp eq ptr %p, null" in body
    assert "load i32, ptr %p" in body
    (loop,) = analyze(text, entry="f").loops
    assert loop.total.kind in ("exact", "parametric")
    assert loop.parameters


def test_a_hint_becomes_the_weights_of_the_branch() -> None:
    text = canonical(_LOOP)
    (node,) = re.findall(r"br i1 %bad, [^\n]*!prof (!\d+)", text)
    assert f'{node} = !{{!"branch_weights", !"expected", i32 1, i32 2000}}' in text
    transformed(text)


def test_the_variable_of_a_thread_is_read_by_its_name() -> None:
    text = canonical("""
@own = internal thread_local global i32 3, align 4
declare nonnull ptr @llvm.threadlocal.address.p0(ptr nonnull)
define i32 @f() {
entry:
  %where = call align 4 ptr @llvm.threadlocal.address.p0(ptr align 4 @own)
  %value = load i32, ptr %where, align 4
  ret i32 %value
}
""")
    assert "load i32, ptr @own" in text
    assert "call align" not in text


def test_casts_that_change_the_type_stay() -> None:
    text = """define i64 @f(double %x) {
entry:
  %y = bitcast double %x to i64
  ret i64 %y
}"""
    assert without_no_ops(text) == text
    assert "bitcast double" in canonical(text)


def test_addresses_of_virtual_tables_by_old_clangs_are_read() -> None:
    old = """%class.A = type { i32 (...)** }
@table = constant { [3 x i8*] } zeroinitializer
define void @f(%class.A* %a) {
entry:
  %0 = bitcast %class.A* %a to i32 (...)***
  store i32 (...)** bitcast (i8** getelementptr inbounds ({ [3 x i8*] }, { [3 x i8*] }* @table, \
i32 0, inrange i32 0, i32 2) to i32 (...)**), i32 (...)*** %0, align 8
  ret void
}"""
    assert "store ptr getelementptr" in canonical(old)


@pytest.mark.parametrize("text", ["define", "define i32 @f() { ret i64 0 }", "junk"])
def test_what_is_no_ir_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(InputError, match=r"^not valid LLVM IR: [^\n]*$"):
        canonical(text)


def test_the_death_of_a_child_is_an_error() -> None:
    def dies() -> bytes:
        import os

        os.abort()

    with pytest.raises(BrokeDown, match="breaks down over this module"):
        isolated(dies)
    with pytest.raises(BrokeDown, match="does not come to an end"):
        isolated(lambda: b"%d" % sum(iter(int, 1)), timeout_s=0.2)
    assert isolated(lambda: b"x" * 3_000_000) == b"x" * 3_000_000


def test_modules_that_do_not_link_are_refused() -> None:
    one = "define i32 @f() {\nentry:\n  ret i32 0\n}"
    with pytest.raises(InputError, match="f"):
        linked([one, one])


@pytest.mark.parametrize(
    "line",
    [
        "  %0 = bitcast ptr %p to ptr",
        "  %1 = call i64 @llvm.expect.i64(i64 %x, i64 1)",
        "  %1 = tail call i64 @llvm.expect.with.probability.i64(i64 %x, i64 1, double 1.0)",
        "  %1 = call i32 @llvm.ssa.copy.i32(i32 %x)",
        "  %1 = call i32 @llvm.annotation.i32.p0(i32 %x, ptr @a, ptr @b, i32 1)",
        "  %1 = call ptr @llvm.ptr.annotation.p0.p0(ptr %x, ptr @a, ptr @b, i32 1, ptr null)",
        "  %1 = call ptr @llvm.launder.invariant.group.p0(ptr %x)",
        "  %1 = call ptr @llvm.strip.invariant.group.p0(ptr %x)",
        "  %1 = call ptr @llvm.threadlocal.address.p0(ptr @x)",
    ],
)
def test_whatever_passes_a_value_on_is_noticed(line: str) -> None:
    assert has_no_ops(f"define void @f() {{\nentry:\n{line}\n  ret void\n}}\n")
    assert not has_no_ops("define void @f() {\nentry:\n  ret void\n}\n")
