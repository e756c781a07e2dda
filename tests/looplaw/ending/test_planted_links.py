"""A link that lies where output goes leads no verb to write elsewhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests import command_line

PROGRAM = """#include <stdlib.h>
volatile double s;
int main(int c, char **v) { int n = atoi(v[1]); for (int i = 0; i < n; i++) s += i; return 0; }
"""
STUDY = ("study", "p.c", "--vary", "n=4,8", "--repetitions", "1", "--out", "out")
LINES = {
    "analyze p.c --json T": "T",
    "analyze p.c --html T": "T",
    "fit d.jsonl --json T": "T",
    "fit d.jsonl --html T": "T",
    "export d.jsonl --format csv --out T": "T",
    "report d.jsonl --out T": "T",
    "check d.jsonl --laws laws.toml --json T": "T",
    "check d.jsonl --laws laws.toml --junit T": "T",
    "diff p.c p.c --json T": "T",
    "merge d.stats --out T": "T",
    "plot d.jsonl f --out T.svg": "T.svg",
    "init p.c --out T.toml": "T.toml",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "p.c").write_text(PROGRAM)
    (tmp_path / "laws.toml").write_text('[[law]]\nkernel = "*"\nmetric = "*"\nexpect = "O(n)"\n')
    rows = [
        {"params": {"n": n}, "callpath": "f", "metric": "time", "value": 3 * n} for n in range(4, 9)
    ]
    (tmp_path / "d.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "victim").write_text("what was there")
    return tmp_path


@pytest.mark.parametrize("line", LINES)
def test_a_planted_link_is_not_written_through(line: str, folder: Path) -> None:
    if "merge" in line:
        from modeling import read
        from modeling.readers.statistics import write_statistics

        with (folder / "d.stats").open("wb") as stream:
            write_statistics(stream, read(folder / "d.jsonl"))
    planted = folder / LINES[line]
    planted.symlink_to(folder / "victim")
    done = command_line.looplaw(*line.split(), cwd=folder)
    assert (folder / "victim").read_text() == "what was there"
    assert "Traceback" not in done.stderr, done.stderr
    assert not planted.is_symlink() or done.returncode == 2, done.stderr


def test_a_study_writes_into_its_own_folder_alone(folder: Path) -> None:
    out, elsewhere = folder / "out", folder / "elsewhere"
    out.mkdir()
    elsewhere.mkdir()
    for name in ("study.json", "models.json", "report.html"):
        (out / name).symlink_to(folder / "victim")
    done = command_line.looplaw(*STUDY, cwd=folder)
    assert done.returncode == 0, done.stderr
    assert (folder / "victim").read_text() == "what was there"
    assert not (out / "study.json").is_symlink()
    for name in ("runs", "locks"):
        for file in (out / name).iterdir():
            file.unlink()
        (out / name).rmdir()
        (out / name).symlink_to(elsewhere)
        refused = command_line.looplaw(*STUDY, cwd=folder)
        assert refused.returncode == 2, refused.stderr
        assert f"out/{name}: is a symbolic link" in refused.stderr
        assert not list(elsewhere.iterdir())
        (out / name).unlink()
