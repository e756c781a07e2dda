"""Other names of functions and variables: calls and tables say what they stand for."""

from __future__ import annotations

from staticana.ir.other_names import has_other_names, with_one_name

ALIASES = """@v = global i32 3
@text = constant [4 x i8] c"@av\\00"
@pointer = global ptr @av2
@av = alias i32, ptr @v
@av2 = alias i32, ptr @av
@avoid = global i32 1
"""
CHOICE = """@f = weak_odr ifunc void (ptr), ptr @f.resolver

define void @f.one(ptr byval([2 x i64]) align 8 %0) #0 {
  ret void
}

define ptr @f.resolver() {
  ret ptr @f.one
}
"""


def test_an_alias_of_an_alias_is_called_by_its_own_name() -> None:
    found = with_one_name(ALIASES)
    assert has_other_names(ALIASES)
    assert "@pointer = global ptr @v\n" in found
    assert "@av2 = alias i32, ptr @v\n" in found


def test_strings_and_longer_names_stay() -> None:
    found = with_one_name(ALIASES)
    assert 'c"@av\\00"' in found
    assert "@avoid = global" in found


def test_variables_of_the_library_have_one_name_each() -> None:
    text = "@__timezone = external global i64\n@timezone = external global i64\n"
    use = "@kept = global ptr @__timezone\n"
    assert has_other_names(text + use)
    assert "@kept = global ptr @timezone\n" in with_one_name(text + use)
    alone = "@__timezone = external global i64\n"
    own = "@__timezone = global i64 0\n@timezone = external global i64\n"
    for other in (alone, own):
        assert not has_other_names(other + use)
        assert with_one_name(other + use) == other + use


def test_what_a_resolver_chooses_is_called_with_what_is_passed_by_value() -> None:
    found = with_one_name(CHOICE)
    assert "define weak_odr void @f(ptr byval([2 x i64]) align 8 %0) {" in found
    assert "call void %looplaw.chosen(ptr byval([2 x i64]) align 8 %0)" in found
    assert " ifunc " not in found
