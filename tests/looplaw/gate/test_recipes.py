"""The recipes for build servers: their steps run in a repository with growth and in one without."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.looplaw.gate.test_gate import LINEAR, QUADRATIC, _git
from tests.places import ROOT

yaml: Any = pytest.importorskip("yaml")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Two commits: the second one makes a function grow."""
    top = tmp_path / "repository"
    top.mkdir()
    _git(tmp_path, "init", "-q", str(top))
    for text in (LINEAR, QUADRATIC):
        (top / "scan.c").write_text(text)
        _git(top, "add", ".")
        _git(top, "commit", "-qm", "a version")
    return top


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """With a `looplaw` on PATH that is the one under test."""
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "looplaw"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m looplaw "$@"\n')
    program.chmod(0o755)
    return {
        **os.environ,
        "PATH": f"{folder}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
    }


def _bash(
    script: str, folder: Path, environment: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    command = ["bash", "-eo", "pipefail", "-c", script]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(("base", "code"), [("HEAD~1", 1), ("HEAD", 0)])
def test_the_github_action(
    base: str, code: int, repository: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    step = next(s for s in action["runs"]["steps"] if s.get("id") == "diff")
    inputs = {name: value["default"] for name, value in action["inputs"].items()}
    given = {
        **dict.fromkeys(step["env"], ""),
        "BASE": base,
        "BUDGET": inputs["budget-total"],
        "UNDECIDED": inputs["undecided"],
        "LEVEL": inputs["level"],
        "RUNNER_TEMP": str(tmp_path),
        "GITHUB_OUTPUT": str(tmp_path / "output"),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary"),
    }
    done = _bash(step["run"], repository, environment | given)
    assert done.returncode == code, done.stderr
    assert ("::error file=scan.c,line=4" in done.stdout) == bool(code)
    assert ("**grows faster** in n" in (tmp_path / "summary").read_text()) == bool(code)
    results = json.loads((tmp_path / "looplaw.sarif").read_text())["runs"][0]["results"]
    assert len(results) == code
    assert f"comment={tmp_path}/looplaw.md" in (tmp_path / "output").read_text()


@pytest.mark.parametrize(
    ("listed", "grew", "written"),
    [("", "true", "issues/7/comments"), ("", "", ""), ("42", "", "issues/comments/42")],
)
def test_the_comment_of_the_github_action(
    listed: str, grew: str, written: str, tmp_path: Path
) -> None:
    """One comment, found by its marker; none where nothing grew; a token that may not write is no
    failure."""
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    step = next(s for s in action["runs"]["steps"] if s.get("name") == "Comment")
    (tmp_path / "comment.md").write_text("findings\n")
    gh = tmp_path / "gh"
    gh.write_text(
        f'#!/bin/sh\necho "$@" >> {tmp_path}/asked\n'
        f'case "$*" in *--paginate*) echo "{listed}" ;; *) exit 1 ;; esac\n'
    )
    gh.chmod(0o755)
    given = {
        **os.environ,
        "PATH": f"{tmp_path}:{os.environ['PATH']}",
        "FILE": str(tmp_path / "comment.md"),
        "GREW": grew,
        "NUMBER": "7",
        "GITHUB_REPOSITORY": "o/r",
    }
    done = _bash(step["run"], tmp_path, given)
    assert done.returncode == 0, done.stderr
    asked = (tmp_path / "asked").read_text().splitlines()[1:]
    assert (written in asked[0]) if written else not asked


def test_the_gitlab_template(repository: Path, environment: dict[str, str]) -> None:
    job = yaml.safe_load((ROOT / "ci" / "gitlab.yml").read_text())["looplaw"]
    base = _bash("git rev-parse HEAD~1", repository, environment).stdout.strip()
    given = {
        **job["variables"],
        "CI_PROJECT_DIR": str(repository),
        "CI_MERGE_REQUEST_DIFF_BASE_SHA": base,
    }
    done = _bash("\n".join(job["script"]), repository, environment | given)
    assert done.returncode == 1, done.stderr
    (finding,) = json.loads((repository / "gl-code-quality-report.json").read_text())
    assert finding["location"] == {"path": "scan.c", "lines": {"begin": 4}}
    assert finding["severity"] == "major"
    assert (repository / job["artifacts"]["reports"]["junit"]).is_file()


def test_the_pre_commit_hook(repository: Path, environment: dict[str, str]) -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    (repository / "scan.c").write_text(LINEAR)
    shrunk = _bash(f"{hook['entry']} scan.c", repository, environment)
    assert shrunk.returncode == 0, shrunk.stderr
    (repository / "scan.c").write_text(
        QUADRATIC.replace("s += a[i];", "s += a[i];").replace("j <= i", "j <= i * i")
    )
    assert _bash(f"{hook['entry']} scan.c", repository, environment).returncode == 1


@pytest.mark.skipif(shutil.which("cmake") is None, reason="no cmake on PATH")
def test_the_cmake_recipe(repository: Path, environment: dict[str, str]) -> None:
    (repository / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.16)\nproject(scan C)\nenable_testing()\n"
        f'include("{ROOT}/ci/growth.cmake")\nadd_library(scan scan.c)\n'
    )
    configured = _bash("cmake -B build -DLOOPLAW_BASE=HEAD~1 .", repository, environment)
    if "No CMAKE_C_COMPILER" in configured.stderr:
        pytest.skip("no C compiler for cmake")
    assert configured.returncode == 0, configured.stderr
    done = _bash("cmake --build build --target looplaw-diff", repository, environment)
    assert done.returncode != 0
    assert "scan: n -> n*(n + 1)/2" in done.stdout, done.stderr
    _bash("cmake -B build -DLOOPLAW_BASE=HEAD .", repository, environment)
    same = _bash("cmake --build build --target looplaw-diff", repository, environment)
    assert same.returncode == 0, same.stdout + same.stderr


def test_the_badge(repository: Path, environment: dict[str, str]) -> None:
    for base, message in (("HEAD~1", "1 grew"), ("HEAD", "none")):
        _bash(f"looplaw diff --base {base} --badge badge.json", repository, environment)
        assert json.loads((repository / "badge.json").read_text())["message"] == message
