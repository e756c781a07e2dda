"""check --init covers functions, check names what has no law, check --static runs nothing."""

import json
from pathlib import Path

from click.testing import CliRunner, Result

from looplaw.cli.main import main

HEAD = "#include <stdlib.h>\nvolatile int s;\n"
MAIN = "int main(int c, char **v) { int n = atoi(v[1]); scan(n); return 0; }\n"
ONE = "for (int i = 0; i < n; i++) s++;"
TWO = "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) s++;"


def _check(*words: object) -> Result:
    return CliRunner().invoke(main, ["check", *map(str, words)])


def _program(file: Path, body: str) -> Path:
    file.write_text(f"{HEAD}static void scan(int n) {{ {body} }}\n{MAIN}")
    return file


def test_functions_have_laws_and_new_loops_are_named(tmp_path: Path) -> None:
    source, laws = _program(tmp_path / "a.c", ONE), tmp_path / "laws.toml"
    assert _check(source, "--init", "--laws", laws).exit_code == 0
    written = laws.read_text()
    assert 'kernel = "scan"\nmetric = "work"\nexpect = "O(n)"' in written
    assert 'kernel = "main"\nmetric = "work"' in written
    assert "O(0)" not in written
    assert _check(source, "--laws", laws, "--static").exit_code == 0
    _program(source, f"{ONE} {ONE}")
    more = _check(source, "--laws", laws)
    assert more.exit_code == 0
    assert "new: scan[2], n" in more.stderr
    target = tmp_path / "found.json"
    assert _check(source, "--laws", laws, "--new", "fail", "--json", target).exit_code == 1
    assert json.loads(target.read_text())["new"] == [{"kernel": "scan[2]", "formula": "n"}]
    _program(source, TWO)
    grown = _check(source, "--laws", laws, "--static")
    assert grown.exit_code == 1
    assert "broken" in grown.stdout
