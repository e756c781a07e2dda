"""Accidental quadratics are found in the function and by the argument that drive them, and nothing
is found in their mended twins, which stand in the same files."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from looplaw.cli.main import command
from staticana import analyze, canonical, compile_sources

PROGRAMS = Path(__file__).parent / "programs"
_WANTED = re.compile(r"/\* finding: (.*?) \*/")
SAMPLE = frozenset(
    "strlen_in_condition strcat_join memmove_front list_append unique_by_search sscanf_numbers"
    " vector_erase_front list_ends".split()
)
"""What the suite runs by default; C++ takes seconds a file."""


def wanted(path: Path) -> dict[int, set[tuple[str, ...]]]:
    """Line -> the calls with their arguments that are to be found there."""
    found = {}
    for n, line in enumerate(path.read_text().splitlines(), 1):
        match = _WANTED.search(line)
        if match:
            found[n] = {tuple(part.split()) for part in match[1].split(" | ")}
    return found


def found(path: Path) -> dict[int, set[tuple[str, ...]]]:
    """Line -> what the analysis finds there."""
    analysis = analyze(canonical(compile_sources([path])), matrix=False)
    lines: dict[int, set[tuple[str, ...]]] = {}
    for f in analysis.findings:
        lines.setdefault(int(f.at.rsplit(":", 2)[1]), set()).add((f.call, f.argument))
    return lines


def _cases() -> list[object]:
    files = sorted(p for p in PROGRAMS.iterdir() if p.suffix in (".c", ".cc"))
    return [
        pytest.param(p, id=p.name, marks=() if p.stem in SAMPLE else pytest.mark.slow)
        for p in files
    ]


@pytest.mark.parametrize("path", _cases())
def test_what_is_quadratic_is_found_and_what_is_mended_is_not(path: Path) -> None:
    expected, actual = wanted(path), found(path)
    assert actual.keys() == expected.keys()
    assert all(actual[n] <= expected[n] for n in actual)


def test_findings_of_a_source_are_listed_with_exit_code_1() -> None:
    path = PROGRAMS / "strlen_in_condition.c"
    done = CliRunner().invoke(command("findings"), [str(path), "--format", "json"])
    assert done.exit_code == 1, done.output
    (row,) = json.loads(done.stdout)
    assert row["level"] == "warning"
    assert "strlen(s)" in row["message"]


def test_a_loop_over_a_few_elements_is_no_finding(tmp_path: Path) -> None:
    path = tmp_path / "few.c"
    path.write_text(
        "#include <string.h>\nint main(int c, char **v) {\n    int s = 0;\n"
        "    for (int i = 0; i < 3; i++) s += (int)strlen(v[0]);\n"
        "    for (int i = 1; i < c; i++) s += (int)strlen(v[i]);\n    return s;\n}\n"
    )
    assert found(path) == {}
