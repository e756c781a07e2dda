"""Names of others cannot forge what a terminal or a build server reads: no verb writes a line
break, an escape or a command of a build server that came with a name, to neither stream."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from looplaw.cli.main import VERBS
from looplaw_common.text import as_line, for_people
from tests import command_line
from tests.places import ROOT

NAME = "ev\n::error::forged\x1b]0;t\x07 ##[error]forged ##vso[task.x]forged \u202e\x9b2J\r"
FORGED = re.compile(r"(?m)^\s*::(?:error|warning|set-output|add-mask)::forged|##(?:\[|vso\[)")
BUSY = """#include <stdlib.h>
double s, *g;
void work(int n) { for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) s += g[i] * j; }
int main(int c, char **v) {
  int n = atoi(v[1]);
  g = calloc(n, 8);
  work(n);
  for (int i = 0; i < n; i++) if (rand() % 3) for (int k = 0; k < g[i]; k++) s += k;
  return s < -1;
}
"""
SOURCE, BROKEN, OLD, DATA = (f"{word}{NAME}.{end}" for word, end in (
    ("", "c"), ("broken", "c"), ("old", "c"), ("data", "jsonl")
))  # fmt: skip
STUDY = ("--vary", "n=4,8,16", "--repetitions", "1")
LINES = (
    ("analyze", SOURCE),
    ("analyze", SOURCE, "--functions"),
    ("analyze", SOURCE, "--matrix"),
    ("analyze", SOURCE, "--annotate"),
    ("analyze", SOURCE, "--html", f"{NAME}.html"),
    ("analyze", BROKEN),
    ("analyze", NAME),
    ("analyze", SOURCE, "--entry", NAME),
    ("analyze", SOURCE, "--param", f"{NAME}=argv[1]"),
    ("c++", BROKEN),
    ("cc", f"none{NAME}.c"),
    ("check", "out", "--laws", "laws.toml"),
    ("check", "data.jsonl", "--laws", "laws.toml", "--github"),
    ("check", SOURCE, "--init", "--laws", f"{NAME}.toml"),
    ("clusters", "ranks.jsonl"),
    ("compare", "out"),
    ("show", "out"),
    ("compare", "data.jsonl", "data.jsonl"),
    ("completion", NAME),
    ("counts", f"none{NAME}"),
    ("demo", f"--{NAME}"),
    ("diff", OLD, SOURCE),
    ("diff", "--base", NAME, SOURCE),
    ("doctor", f"--{NAME}"),
    ("export", DATA, "--format", NAME),
    ("export", f"none{NAME}"),
    ("fc", f"none{NAME}.f90"),
    ("findings", "out"),
    ("findings", SOURCE),
    ("fit", DATA),
    ("fit", "ranks.jsonl"),
    ("fit", "parameters.jsonl"),
    ("fit", DATA, "--format", "markdown"),
    ("fit", DATA, "--html", f"{NAME}.html"),
    ("fit", f"broken{NAME}.jsonl"),
    ("history", "out", "--commit", NAME, "--store", f"{NAME}.history"),
    ("history", "--store", f"{NAME}.history"),
    ("import", f"none{NAME}"),
    ("init", SOURCE, "--out", f"{NAME}.toml"),
    ("lsp", NAME),
    ("machine", "--json", f"none/{NAME}"),
    ("merge", DATA, f"none{NAME}", "--out", f"{NAME}.stats"),
    ("next", "out"),
    ("next", f"none{NAME}"),
    ("plan", SOURCE),
    ("plot", DATA, "--out", f"{NAME}.png"),
    ("predict", "m.json", "--at", "n=100"),
    ("predict", "out", "--at", "n=100"),
    ("predict", "m.json", "--at", f"{NAME}=100"),
    ("report", "out"),
    ("report", DATA, "--out", f"{NAME}.html"),
    ("run", SOURCE, "--vary", "n=2,4", "--dry-run"),
    ("runs", "out"),
    ("scaling", "data.jsonl"),
    ("study", SOURCE, *STUDY, "--out", "out"),
    ("study", SOURCE, "--vary", f"{NAME}=1,2"),
    ("verify", SOURCE, "--vary", "n=3"),
    (NAME,),
)


def forged(text: str) -> list[str]:
    """What a terminal or a build server would obey, or took for a line of ours."""
    found = [repr(c) for c in text if (ord(c) < 32 and c not in "\n\t") or "\x7f" <= c <= "\x9f"]
    found += [repr(c) for c in text if "\u202a" <= c <= "\u202e"]
    return found + FORGED.findall(text)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Programs and measurements with such names, a study and models of them."""
    folder = tmp_path_factory.mktemp("forged")
    (folder / SOURCE).write_text(BUSY)
    (folder / OLD).write_text(BUSY.replace("j < i", "j < 1"))
    (folder / BROKEN).write_text("int broken(\n")
    rows = [
        {"params": {"n": n}, "callpath": path, "metric": f"t{NAME}", "value": 3.0 * n**k}
        for n in (2, 4, 8, 16, 32)
        for k, path in ((2, f"main->{NAME}"), (1, f"b{NAME}"))
    ]
    for name, changed in {
        DATA: rows,
        "data.jsonl": rows,
        "parameters.jsonl": [{**r, "params": {f"n{NAME}": r["value"]}} for r in rows],
        "ranks.jsonl": [{**r, "rank": k} for r in rows for k in range(4)],
        f"broken{NAME}.jsonl": [{"params": {NAME: []}}],
    }.items():
        (folder / name).write_text("".join(json.dumps(row) + "\n" for row in changed))
    law = f'[[law]]\nkernel = {json.dumps(f"main->{NAME}")}\nmetric = "*"\nexpect = "O(n)"\n'
    (folder / "laws.toml").write_text(law)
    for line in (("study", SOURCE, *STUDY, "--out", "out"), ("fit", DATA, "--json", "m.json")):
        done = command_line.looplaw(*line, cwd=folder)
        assert done.returncode == 0, done.stderr
    return folder


def test_every_verb_is_tried() -> None:
    assert {line[0] for line in LINES} >= VERBS.keys()


@pytest.mark.parametrize("line", LINES, ids=lambda line: line[0][:8].strip())
def test_a_name_forges_nothing(line: tuple[str, ...], made: Path) -> None:
    done = command_line.looplaw(*line, cwd=made)
    assert "Traceback" not in done.stderr, done.stderr
    assert "internal error" not in done.stderr, done.stderr
    assert not forged(done.stdout), done.stdout
    assert not forged(done.stderr), done.stderr


def test_what_is_written_for_people() -> None:
    assert as_line("a\nb\tc\x1b") == "a b c\\x1b"
    assert for_people("::error::x\n  ::warning::y\na::b") == (
        "\\x3a:error::x\n  \\x3a:warning::y\na::b"
    )
    assert for_people("# ##[error]x ##vso[a] ##teamcity[b] ## c") == (
        "# \\x23#[error]x \\x23#vso[a] \\x23#teamcity[b] ## c"
    )
    coloured = "\x1b[1;31mred\x1b[0m \x1b]0;t\x07\x1b[2J"
    assert for_people(coloured, styled=True) == "\x1b[1;31mred\x1b[0m \\x1b]0;t\\x07\\x1b[2J"
    assert "\x1b" not in for_people(coloured)


WRITERS = {
    "looplaw/cli/console.py": "the one writer",
    "looplaw/cli/main.py": "a text of ours, before the writer is loaded",
    "looplaw/cli/commands/completion.py": "a script of click's for a shell",
    "looplaw/pytest_plugin/harness.py": "an answer to the process that started it",
}


def _printing() -> Iterator[str]:
    for package in ("looplaw", "looplaw_common", "modeling", "runtime", "staticana"):
        for path in sorted((ROOT / package).rglob("*.py")):
            file = str(path.relative_to(ROOT))
            text = path.read_text()
            if file in WRITERS or not re.search(r"\bprint\(|echo\(|\.exit\(f?\"", text):
                continue
            for node in ast.walk(ast.parse(text)):
                if not isinstance(node, ast.Call):
                    continue
                called = getattr(node.func, "attr", getattr(node.func, "id", ""))
                given = node.args[0] if node.args else None
                by = getattr(given.func, "id", "") if isinstance(given, ast.Call) else ""
                safe = by in ("as_line", "for_people")
                is_print = isinstance(node.func, ast.Name) and called == "print"
                says = called == "exit" and isinstance(given, ast.JoinedStr)
                if (is_print or called in ("echo", "secho") or says) and not safe:
                    yield f"{file}:{node.lineno}: {called}"


def test_one_writer_writes() -> None:
    assert not list(_printing())
