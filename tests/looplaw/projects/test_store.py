"""Results kept in the user's cache."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from looplaw.projects.kept import Asked, kept_or
from looplaw_common.store import Store, code_version
from staticana import Analysis, analyze_module, canonical, compile_sources, parse_module
from staticana.expr.budget import Allowance


def test_what_was_not_used_for_longest_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    store = Store("things", 100)
    for at, key in enumerate("abc"):
        store.put(key, b"x" * 30)
        (path,) = (p for p in (tmp_path / "looplaw" / "things").glob("*/*") if _is_new(p))
        os.utime(path, (1000 + at, 1000 + at))
    assert store.get("a") == b"x" * 30  # used now
    store.put("d", b"x" * 30)
    assert [store.get(key) is not None for key in "abcd"] == [True, False, True, True] or [
        store.get(key) is not None for key in "abcd"
    ] == [True, False, False, True]
    assert store.get("unknown") is None


def _is_new(path: Path) -> bool:
    return path.stat().st_mtime > 100_000


def test_a_folder_that_cannot_be_written_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (tmp_path / "looplaw").mkdir()
    (tmp_path / "looplaw" / "things").write_text("in the way")
    store = Store("things")
    store.put("a", b"1")
    assert store.get("a") is None


def test_changed_code_has_another_version(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    before = code_version([tmp_path])
    assert code_version([tmp_path]) == before
    (tmp_path / "a.py").write_text("x = 21\n")
    assert code_version([tmp_path]) != before


@pytest.mark.parametrize(
    ("each", "total", "runs"),
    [
        pytest.param(0.0, None, 1, id="the time for one count, which the next one has not either"),
        pytest.param(2.0, 0.0, 2, id="the time for all"),
    ],
)
def test_what_is_cut_short_is_kept_but_for_what_another_run_may_find(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, each: float, total: float | None, runs: int
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    text = "int f(int n, int m) { int s = 0; for (int i = n; i < m * n; i += 3) s += i; return s; }"
    (tmp_path / "f.c").write_text(text)
    module = parse_module(canonical(compile_sources([tmp_path / "f.c"])))
    made = list[Analysis]()

    def made_anew() -> Analysis:
        made.append(analyze_module(module, entry="f", allowance=Allowance(each, total)))
        return made[-1]

    for _ in range(2):
        document = kept_or("the file", Asked("f", seconds=each), made_anew)
        assert any(loop.total.is_cut_short for loop in document.loops)
    assert len(made) == runs
