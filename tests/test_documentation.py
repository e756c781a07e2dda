"""Every example of README and docs runs: commands in a folder with the files they name, Python as it stands."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner

from looplaw.cli import main

ROOT = Path(__file__).parent.parent
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
_COMMAND = re.compile(r"^    (?:\$ )?(?:\.venv/bin/)?looplaw (.+?)(?: +#.*)?$", re.MULTILINE)
_PYTHON = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_NOT_RUN = ("PROGRAM", "FILE", "STUDY", "/", "VERB", "OLD", "OUT")
"""Words in capitals stand for something; a line of verbs lists them."""


def commands() -> list[str]:
    """What the pages tell people to type, once each, in the order in which it can be done."""
    found = dict.fromkeys(c for page in PAGES for c in _COMMAND.findall(page.read_text(encoding="utf-8"))
                          if not any(word in c.split() for word in _NOT_RUN))
    return sorted(found, key=lambda c: {"fit": 0, "study": 1}.get(c.split()[0], 2))


_KERNELS = (("main->solve", "time", lambda n, p: 1e-9 * n**3 / p), ("main->io", "time", lambda n, p: 1e-6 * n * n),
            ("main->solve", "bytes", lambda n, p: 8.0 * n * n / p), ("main->solve", "memory", lambda n, p: 24.0 * n * n / p))


def _write(path: Path, observations: Iterable[Mapping[str, object]]) -> None:
    path.write_text("".join(json.dumps(o) + "\n" for o in observations))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the examples start from: sources, measurements, the samples."""
    made = tmp_path_factory.mktemp("examples")
    shutil.copytree(ROOT / "samples", made / "samples")
    shutil.copy(ROOT / "samples/matmul/matmul.c", made)
    shutil.copy(ROOT / "samples/slides/slides.c", made / "nest.c")
    shutil.copy(ROOT / "samples/matmul/matmul.c", made / "solver.c")
    shutil.copy(ROOT / "samples/lu/lu.c", made)
    (made / "study.toml").write_text('program = ["nest.c"]\n[vary]\nn = [16, 32, 64]\n[run]\nrepetitions = 1\n')
    _write(made / "measurements.jsonl", ({"params": {"n": n, "p": p}, "callpath": c, "metric": metric, "value": f(n, p)}
                                         for n in (64, 128, 256, 512, 1024) for p in (1, 2, 4, 8, 16)
                                         for c, metric, f in _KERNELS))
    _write(made / "times.jsonl", ({"params": {"p": p, "n": n}, "callpath": "main", "metric": "time", "repetition": r,
                                   "value": 1e-8 * n**3 / p + 1e-5 * p + 1e-6 * n * (1 + 0.01 * r)}
                                  for n in (64, 128, 256) for p in (1, 2, 4, 8, 16) for r in range(2)))
    _write(made / "ranks.jsonl", ({"params": {"p": side * side}, "callpath": "main->sweep", "metric": metric, "rank": rank,
                                   "value": each * (100 + 10 * sum(k in (0, side - 1) for k in divmod(rank, side)))}
                                  for side in (3, 4, 5, 6, 8) for rank in range(side * side)
                                  for metric, each in (("iterations", 1), ("time", 1e-6))))
    products = ((1000, 9.5), (1000, 14.0), (2000, 11.2), (4000, 10.1), (8000, 12.7))
    _write(made / "spmv.jsonl", ({"params": {"rows": r, "nnz_mean": z}, "callpath": "spmv", "metric": "time",
                                  "value": 1e-9 * r * z} for r, z in products))
    (made / "runs").mkdir()
    for n, p in ((n, p) for n in (64, 128, 256, 512) for p in (1, 2, 4)):
        _write(made / f"runs/size_{n}x{p}.json", [{"params": {}, "callpath": "main", "metric": "time", "value": n * n / p}])
    (made / "data.txt").write_text("PARAMETER n\nPOINTS 4 8 16 32 64\nREGION main\nMETRIC time\n"
                                   + "".join(f"DATA {n * n} {n * n + 1}\n" for n in (4, 8, 16, 32, 64)))
    subprocess.run([sys.executable, "-m", "looplaw", "cc", "-O2", "nest.c", "-o", "program"], cwd=made, check=True,
                   env={**os.environ, "PYTHONPATH": str(ROOT)})
    subprocess.run(["./program", "64"], cwd=made, check=True, env={**os.environ, "LOOPLAW_CELLS": "cells"},
                   stdout=subprocess.DEVNULL)
    return made


def test_the_pages_have_commands() -> None:
    shown = {c.split()[0] for c in commands()}
    assert shown >= {"fit", "study", "analyze", "plan", "verify", "predict", "findings", "diff", "plot"}


@pytest.mark.parametrize("command", commands())
def test_a_command_of_the_pages(command: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    text = ""
    for part in command.partition(" > ")[0].split(" | "):
        words = shlex.split(part.removeprefix("looplaw "))
        if words[0] == "plot":
            pytest.importorskip("matplotlib")
        done = CliRunner().invoke(main, words, input=text)
        # 1 is an answer of some, 3 that models are not identified yet
        allowed = {0, 1} if words[0] in ("check", "findings", "diff", "verify") else {0, 3} if "--adaptive" in words else {0}
        assert done.exit_code in allowed, f"{command}: {done.output[-500:]} {done.stderr[-500:]}"
        assert "Traceback" not in done.output
        text = done.stdout


def _programs() -> Iterator[tuple[str, str]]:
    for page in PAGES:
        for k, text in enumerate(_PYTHON.findall(page.read_text(encoding="utf-8"))):
            yield f"{page.stem}-{k}", text


@pytest.mark.parametrize(("name", "text"), list(_programs()))
def test_python_of_the_pages(name: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # installed, the plugin would be there twice
    file = tmp_path / "test_example.py"
    file.write_text(text)
    test = ["-m", "pytest", "-q", "-p", "looplaw.scaling.plugin", "-p", "no:cacheprovider"] if "def test_" in text else []
    done = subprocess.run([sys.executable, *test, str(file)], cwd=tmp_path, capture_output=True, text=True, timeout=300,
                          check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_tutorial_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        import nbclient
        import nbformat
        import numba  # noqa: F401
    except ImportError as error:
        warnings.warn(f"the tutorial was not run: install looplaw[notebook] ({error})", stacklevel=1)
        pytest.skip("no notebook packages")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    book = nbformat.read(ROOT / "docs/tutorial.ipynb", as_version=4)
    nbclient.NotebookClient(book, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(ROOT)}}).execute()
    shown = [o["data"]["text/html"] for c in book.cells for o in c.get("outputs", []) if "text/html" in o.get("data", {})]
    assert any("$" in text and "<table>" in text for text in shown)


def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    if shutil.which("mkdocs", path=str(Path(sys.executable).parent)) is None:
        warnings.warn("the site was not built: install looplaw[docs]", stacklevel=1)
        pytest.skip("no mkdocs")
    done = subprocess.run([Path(sys.executable).parent / "mkdocs", "build", "--strict", "--site-dir", tmp_path / "site"],
                          cwd=ROOT, capture_output=True, text=True, timeout=300, check=False,
                          env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)})
    assert done.returncode == 0, done.stderr
    for name in main.commands:
        assert (tmp_path / "site" / "verbs" / name / "index.html").is_file()
