"""Where one compiler writes what LLVM does not read, the next one is used, and that is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from looplaw_common.errors import LooplawWarning
from staticana import InputError, canonical, compile_sources
from staticana.frontend import clang
from staticana.frontend.clang import Compiler, usable_compilers

_ODD = Compiler(("odd",), ("odd",), "clang", (14, 0, 0))


def _source(folder: Path) -> Path:
    path = folder / "a.c"
    path.write_text("int f(int n) { return n; }\n")
    return path


def _pretend(monkeypatch: pytest.MonkeyPatch, *others: Compiler) -> None:
    compiled = clang.compiled_by

    def by(compiler: Compiler, source: Path, flags: tuple[str, ...] = ()) -> str:
        return "odd words" if compiler == _ODD else compiled(compiler, source, flags)

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


def test_without_another_compiler_it_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _pretend(monkeypatch)
    with pytest.raises(InputError, match=r"a\.c: clang 14\.0\.0 writes IR that LLVM \d+ does not"):
        compile_sources([_source(tmp_path)])


def test_compilers_are_listed_once() -> None:
    found = usable_compilers()
    assert len({c.command for c in found}) == len(found)
