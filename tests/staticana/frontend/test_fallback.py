"""Where one compiler cannot do it, or writes what LLVM does not read, the next one is used, and
that is said once."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from looplaw_common.errors import LooplawWarning
from staticana import InputError, canonical, compile_sources
from staticana.frontend import clang
from staticana.frontend.clang import Compiler, find_compiler, linkers, usable_compilers

_ODD = Compiler(("odd",), ("odd",), "clang", (14, 0, 0))


def _source(folder: Path) -> Path:
    path = folder / "a.c"
    path.write_text("int f(int n) { return n; }\n")
    return path


def _pretend(
    monkeypatch: pytest.MonkeyPatch,
    *others: Compiler,
    says: str = "",
    only_for: Path | None = None,
    used: list[tuple[Compiler, Path]] | None = None,
) -> None:
    """A first compiler that writes no IR (for one file), or says why it does not compile."""
    compiled = clang.compiled_by

    def by(compiler: Compiler, source: Path, flags: tuple[str, ...] = ()) -> str:
        if used is not None:
            used.append((compiler, source))
        if compiler != _ODD:
            return compiled(compiler, source, flags)
        if says:
            raise InputError(says)
        return "odd words" if only_for in (None, source) else compiled(others[0], source, flags)

    monkeypatch.setattr(clang, "find_compiler", lambda: _ODD)
    monkeypatch.setattr(clang, "usable_compilers", lambda: (_ODD, *others))
    monkeypatch.setattr(clang, "compiled_by", by)


def test_the_next_compiler_is_used_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, other = _source(tmp_path), usable_compilers()[0]
    _pretend(monkeypatch, other)
    with pytest.warns(LooplawWarning, match=r"a\.c: compiled by clang \d+") as said:
        text = compile_sources([source])
    assert "define" in canonical(text)
    assert len(said) == 1
    assert "\n" not in str(said[0].message)


def test_what_one_compiler_refuses_the_next_one_compiles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A flag, a header, a standard that it does not know."""
    source, other = _source(tmp_path), usable_compilers()[0]
    _pretend(monkeypatch, other, says="does not compile: error: invalid value 'c99' in '-std=c99'")
    with pytest.warns(LooplawWarning) as said:
        assert "define" in compile_sources([source], flags=["-std=c99"])
    (warning,) = map(str, [w.message for w in said])
    assert "invalid value 'c99'" in warning
    assert str(other) in warning
    assert "clang 14.0.0" in warning


def test_all_files_of_a_program_come_from_one_compiler(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two compilers may have two C++ libraries. The file that failed is the first that is tried
    with the next one: if that fails, too, nothing else was compiled for it."""
    source, second = _source(tmp_path), tmp_path / "b.c"
    second.write_text("int g(int n) { return n; }\n")
    used: list[tuple[Compiler, Path]] = []
    _pretend(monkeypatch, usable_compilers()[0], only_for=second, used=used)
    with pytest.warns(LooplawWarning) as said:
        compile_sources([source, second])
    assert len(said) == 1
    assert used[-2:] == [(usable_compilers()[0], second), (usable_compilers()[0], source)]


def test_an_error_of_the_source_is_shown_once(tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    source.write_text("int f(void) { return nowhere; }\n")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(InputError, match=r"a\.c:1:22: error: .*'nowhere'") as error:
            compile_sources([source])
    assert "\n" not in str(error.value)
    assert str(error.value).count("error:") == 1


def test_older_compilers_take_the_standard_of_newer_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C++17 has no header of its own that a compiler could miss: the standard is what is old."""
    source = tmp_path / "a.cc"
    source.write_text("template <auto N> int f() { return N; }\nint g() { return f<3>(); }\n")
    chosen = find_compiler()
    compiled = clang.compiled_by

    def by(compiler: Compiler, source: Path, flags: tuple[str, ...] = ()) -> str:
        return compiled(compiler, source, flags if "-std=gnu++17" in flags else ("-std=c++14",))

    monkeypatch.setattr(clang, "compiled_by", by)
    monkeypatch.setattr(clang, "_CXX17_BY_DEFAULT", chosen.version[0] + 1)
    with pytest.warns(LooplawWarning, match="-std=gnu[+][+]17, since with clang"):
        assert "define" in compile_sources([source])


def test_a_program_is_linked_with_the_library_of_its_compiler() -> None:
    chosen = find_compiler()
    assert next(linkers("define i32 @main()")) == chosen
    both = {c.kind for c in usable_compilers()}
    for text, kind in (("call @_ZNSt3__16vectorD1Ev", "zig"), ("call @_ZNSt6vectorD1Ev", "clang")):
        if kind in both:
            assert {c.kind for c in linkers(text, cxx=True)} == {kind}


def test_other_compilers_are_asked_only_where_the_first_does_not_link(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(clang, "usable_compilers", lambda: asked.append("all") or ())
    found = linkers("define i32 @main()")
    assert (next(found), asked) == (find_compiler(), [])
    assert (list(found), asked) == ([], ["all"])


def test_without_another_compiler_it_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _pretend(monkeypatch)
    with pytest.raises(InputError, match=r"a\.c: clang 14\.0\.0 writes IR that LLVM \d+ does not"):
        compile_sources([_source(tmp_path)])


def test_compilers_are_listed_once() -> None:
    found = usable_compilers()
    assert len({c.command for c in found}) == len(found)


@pytest.mark.parametrize(("flags", "kept"), [((), True), (("-DNDEBUG",), False)])
def test_zig_keeps_assertions_until_it_is_told_not_to(
    flags: tuple[str, ...], kept: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOOPLAW_CC", "zig")
    source = tmp_path / "a.c"
    source.write_text("#include <assert.h>\nint half(int i) { assert(i < 9); return i / 2; }\n")
    assert ("__assert_fail" in compile_sources([source], flags=flags)) == kept
