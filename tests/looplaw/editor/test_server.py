"""The language server as an editor meets it: a process, the protocol, and nothing left behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import sympy

from .client import Client, served

pytest.importorskip("pygls")

_TRIANGLE = """\
void triangle(double *a, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      a[i] += a[j];
}
"""


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    with served(tmp_path_factory.mktemp("workspace"), debounce=0.05) as started:
        yield started


def _formula(hint: str) -> str:
    return hint.removeprefix("= ").removesuffix(" a call")


def _processes_below(pid: int) -> set[int]:
    """All processes that a process has started, and those that these have."""
    found: set[int] = set()
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, task.read_text().split()):
            found |= {child} | _processes_below(child)
    return found


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_each_loop_has_its_law_behind_its_line(client: Client) -> None:
    path = client.folder / "triangle.c"
    path.write_text(_TRIANGLE)
    uri = client.open(path)
    hints = client.hints(uri)
    assert hints.keys() == {2, 3}
    assert hints[2] == "= n a call"
    for n in (0, 1, 7):
        counted = sum(1 for i in range(n) for _ in range(i))
        assert sympy.sympify(_formula(hints[3])).subs("n", n) == counted
    assert f"`{_formula(hints[3])}`" in client.hover(uri, 3)
    assert client.diagnostics(uri) == []


def test_hover_tells_where_the_symbols_come_from_and_what_the_function_does(client: Client) -> None:
    path = client.folder / "hover.c"
    path.write_text(_TRIANGLE.replace("triangle", "work"))
    uri = client.open(path)
    loop = client.hover(uri, 3)
    assert "exact in the function's arguments" in loop
    assert "`n`: argument n of work" in loop
    function = client.hover(uri, 1)
    assert "`n*(n - 1)/2`" in function
    assert "floating-point operations" in function
    assert client.hover(uri, 4) == ""


def test_a_text_that_is_not_saved_is_what_counts(client: Client) -> None:
    path = client.folder / "edited.c"
    path.write_text(_TRIANGLE)
    (client.folder / "size.h").write_text("#define ROWS 12\n")
    uri = client.open(path)
    assert client.hints(uri)[2] == "= n a call"
    edited = '#include "size.h"\n' + _TRIANGLE.replace("j < i", "j < ROWS")
    version = client.change(uri, edited)
    assert client.hints(uri) == {3: "= n a call", 4: "= 12*n a call"}
    assert client.diagnostics(uri, version) == []
    assert path.read_text() == _TRIANGLE


def test_errors_stand_at_their_line_and_laws_stay(client: Client) -> None:
    path = client.folder / "broken.c"
    path.write_text(_TRIANGLE)
    uri = client.open(path)
    before = client.hints(uri)
    version = client.change(uri, "int x\n" + _TRIANGLE)
    (found,) = client.diagnostics(uri, version)
    assert found["range"]["start"]["line"] == 0
    assert found["severity"] == 1
    assert "expected ';'" in found["message"]
    assert client.hints(uri) == {line + 1: text for line, text in before.items()}
    version = client.change(uri, _TRIANGLE)
    assert client.diagnostics(uri, version) == []


def test_places_are_counted_as_the_client_counts(client: Client) -> None:
    path = client.folder / "wide.c"
    line = "  /* \N{ROCKET}\N{GREEK SMALL LETTER PI} */ for (int i = 0; i < strlen(s); i++) k++;"
    text = f"#include <string.h>\nint wide(char *s) {{\n  int k = 0;\n{line}\n  return k;\n}}\n"
    path.write_text(text)
    uri = client.open(path)
    (found,) = client.diagnostics(uri)
    before, _, _ = line.partition("strlen")
    assert found["range"]["start"] == {"line": 3, "character": len(before.encode("utf-16-le")) // 2}
    assert found["range"]["end"]["character"] == len(line.encode("utf-16-le")) // 2
    assert found["code"] == "accidental-quadratic"


def test_outline_and_lenses_show_the_work_of_functions(client: Client) -> None:
    path = client.folder / "outline.c"
    path.write_text(_TRIANGLE)
    uri = client.open(path)
    document = {"textDocument": {"uri": uri}}
    (function,) = client.request("textDocument/documentSymbol", document)
    assert function["name"] == "triangle"
    assert len(function["children"]) == 2
    (lens,) = client.request("textDocument/codeLens", document)
    assert lens["command"]["title"] == "work = n*(n - 1)/2 iterations a call"


def test_loops_of_headers_are_known_from_the_files_that_include_them(client: Client) -> None:
    header = client.folder / "kernel.h"
    header.write_text(_TRIANGLE.replace("void", "static void"))
    source = client.folder / "kernel.c"
    source.write_text(
        '#include "kernel.h"\nvoid twice(double *a, int n) { triangle(a, n); triangle(a, n); }\n'
    )
    client.hints(client.open(source))
    assert client.hints(client.open(header))[2] == "= n a call"


def test_a_program_is_never_run(client: Client, tmp_path: Path) -> None:
    written = tmp_path / "written"
    path = client.folder / "runs.c"
    path.write_text(
        "#include <stdio.h>\n"
        "__attribute__((constructor)) static void first(void)"
        f' {{ fclose(fopen("{written}", "w")); }}\n'
        f'int main(void) {{ fclose(fopen("{written}", "w")); return 0; }}\n'
    )
    client.hints(client.open(path))
    assert not written.exists()


def test_flags_come_from_compile_commands_and_none_that_loads_code(client: Client) -> None:
    folder = client.folder / "project"
    folder.mkdir()
    path = folder / "flags.c"
    path.write_text("void f(int *a) { for (int i = 0; i < ROWS; i++) a[i] = i; }\n")
    command = "cc -fplugin=/nowhere/evil.so -Xclang -load -Xclang /nowhere/evil.so -B/nowhere"
    entry = {"directory": str(folder), "file": "flags.c", "command": f"{command} -DROWS=77 flags.c"}
    (folder / "compile_commands.json").write_text(json.dumps([entry]))
    uri = client.open(path)
    assert client.hints(uri)[1] == "= 77 a call"
    assert client.diagnostics(uri) == []


def test_names_of_files_and_what_is_no_file(client: Client) -> None:
    folder = client.folder / "\N{LATIN SMALL LETTER U WITH DIAERESIS} b"
    folder.mkdir()
    path = folder / "\N{LATIN SMALL LETTER A WITH DIAERESIS} c.c"
    path.write_text(_TRIANGLE, newline="\r\n")
    uri = client.open(path)
    before = client.hints(uri)
    assert before.keys() == {2, 3}
    client.change(uri, "\r\n" + _TRIANGLE)
    assert client.hints(uri) == {line + 1: text for line, text in before.items()}
    assert client.hover((folder / "not-open.c").as_uri(), 1) == ""
    assert client.hints(client.open(folder / "notes.txt", "for (;;)")) == {}
    settings = {"settings": {"looplaw": {"budget": "much"}}}
    client.notify("workspace/didChangeConfiguration", settings)
    assert (
        "settings"
        in client.wait(lambda m: m.get("method") == "window/logMessage")["params"]["message"]
    )
    assert client.hints(uri).keys() == {3, 4}


def test_only_the_last_of_many_changes_is_shown(client: Client) -> None:
    path = client.folder / "typed.c"
    path.write_text(_TRIANGLE)
    uri = client.open(path)
    for k in range(2, 9):
        version = client.change(uri, _TRIANGLE.replace("j < i", f"j < {k}"))
    assert client.hints(uri)[3] == "= 8*n a call"
    assert client.diagnostics(uri, version) == []


def test_a_worker_that_dies_is_replaced(client: Client) -> None:
    path = client.folder / "survives.c"
    path.write_text(_TRIANGLE)
    uri = client.open(path)
    expected = client.hints(uri)
    for pid in _processes_below(client.process.pid):
        os.kill(pid, signal.SIGKILL)
    client.change(uri, "\n" + _TRIANGLE)
    assert client.hints(uri) == {line + 1: text for line, text in expected.items()}


@pytest.mark.parametrize("way", ["goodbye", "closed pipe", "terminated", "interrupted", "killed"])
def test_nothing_is_left_behind(tmp_path: Path, way: str) -> None:
    scratch, work = tmp_path / "scratch", tmp_path / "work"
    scratch.mkdir()
    work.mkdir()
    (work / "a.c").write_text(_TRIANGLE)
    client = Client(work, {**os.environ, "TMPDIR": str(scratch)})
    try:
        client.initialize(debounce=0.0)
        uri = client.open(work / "a.c")
        client.hints(uri)
        client.change(uri, _TRIANGLE * 2)  # something is under way
        started = _processes_below(client.process.pid)
        assert started
        if way == "goodbye":
            assert client.leave() == 0
        elif way == "closed pipe":
            assert client.process.stdin is not None
            client.process.stdin.close()
            client.process.wait(timeout=60)
        elif way == "terminated":
            client.process.terminate()
            assert client.process.wait(timeout=60) == 143
        elif way == "interrupted":
            client.hints(uri)  # nothing is under way any more, and the client is silent
            client.process.send_signal(signal.SIGINT)
            assert client.process.wait(timeout=60) == 130
        else:
            client.process.kill()
            client.process.wait()
        client.wait_until(lambda: not any(map(_runs, started)))
        client.wait_until(lambda: not list(scratch.iterdir()))
    finally:
        client.process.kill()
        client.process.wait()


def test_without_the_extra_one_line_says_what_to_type(tmp_path: Path) -> None:
    (tmp_path / "pygls").mkdir()
    missing = "raise ModuleNotFoundError(\"No module named 'pygls'\", name='pygls')\n"
    (tmp_path / "pygls" / "__init__.py").write_text(missing)
    path = os.pathsep.join((str(tmp_path), *filter(None, sys.path)))
    done = subprocess.run(
        [sys.executable, "-m", "looplaw", "lsp"],
        input="",
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
        cwd=tmp_path,
        check=False,
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == "looplaw: pygls is not installed: pip install 'looplaw[editor]'\n"
