"""Programs of several files, of which one does not compile."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from looplaw.cli.main import main
from staticana import InputError, compile_sources
from staticana.alias.whole_programs import is_whole
from staticana.ir.parser import parse_module

GOOD = """
void f(void);
int shared = 8;
int main(void) {
    int s = 0;
    for (int i = 0; i < 100; i++) s += i;
    f();
    for (int i = 0; i < shared; i++) s += i;
    return s;
}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    Path("good.c").write_text(GOOD)
    Path("bad.c").write_text(
        '#include "nowhere.h"\nextern int shared; void f(void) { shared = 9; }'
    )
    Path("wrong.c").write_text("int g(int n) { return n")
    return tmp_path


@pytest.mark.parametrize("more", [(), ("--matrix",)])
def test_the_rest_is_analysed_and_the_reason_and_the_cure_are_said(
    folder: Path, more: tuple[str, ...]
) -> None:
    done = CliRunner().invoke(main, ["analyze", "good.c", "bad.c", "--json", "out.json", *more])
    assert done.exit_code == 0, done.output
    assert "left out: bad.c: " in done.stderr
    assert "'nowhere.h' file not found (name the folder of nowhere.h with" in done.stderr
    first, second = (loop["total"] for loop in json.loads(Path("out.json").read_text())["loops"])
    assert (first["kind"], first["formula"]) == ("exact", "100")
    # what is left out may set the variable
    assert "f writes only what its arguments point to" in second["assumptions"]


def test_findings_are_those_of_the_rest(folder: Path) -> None:
    done = CliRunner().invoke(main, ["findings", "good.c", "wrong.c"])
    assert done.exit_code == 0, done.output
    assert "left out: wrong.c: " in done.stderr


def test_where_none_compiles_the_first_error_is_said(folder: Path) -> None:
    done = CliRunner().invoke(main, ["analyze", "bad.c", "wrong.c"])
    assert (done.exit_code, "left out" in done.stderr) == (2, False)


def test_a_program_without_one_of_its_files_is_not_whole(folder: Path) -> None:
    left_out: list[str] = []
    text = compile_sources(
        ["wrong.c", "good.c"], left_out=lambda path, why: left_out.append(path.name)
    )
    assert left_out == ["wrong.c"]
    assert not is_whole(parse_module(text))
    with pytest.raises(InputError):
        compile_sources(["wrong.c", "good.c"])
