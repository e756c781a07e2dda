"""Every example of README and docs runs: commands in a folder with the files they name, Python as it stands."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from looplaw.cli import main

ROOT = Path(__file__).parent.parent
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
_COMMAND = re.compile(r"^    (?:\$ )?(?:\.venv/bin/)?looplaw (.+?)(?: +#.*)?$", re.MULTILINE)
_PYTHON = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_NOT_RUN = ("PROGRAM", "FILE", "STUDY", "/", "VERB", "OLD")
"""Words in capitals stand for something; a line of verbs lists them."""


def commands() -> list[str]:
    """What the pages tell people to type, once each, in the order in which it can be done."""
    found = dict.fromkeys(c for page in PAGES for c in _COMMAND.findall(page.read_text(encoding="utf-8"))
                          if not any(word in c.split() for word in _NOT_RUN))
    return sorted(found, key=lambda c: {"fit": 0, "study": 1}.get(c.split()[0], 2))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the examples start from: sources, measurements, the samples."""
    made = tmp_path_factory.mktemp("examples")
    shutil.copytree(ROOT / "samples", made / "samples")
    shutil.copy(ROOT / "samples/matmul/matmul.c", made)
    shutil.copy(ROOT / "samples/slides/slides.c", made / "nest.c")
    shutil.copy(ROOT / "samples/matmul/matmul.c", made / "solver.c")
    lines = [{"params": {"n": n, "p": p}, "callpath": c, "metric": "time", "value": f(n, p)}
             for n in (64, 128, 256, 512, 1024) for p in (1, 2, 4, 8, 16)
             for c, f in (("main->solve", lambda n, p: 1e-9 * n**3 / p), ("main->io", lambda n, p: 1e-6 * n * n))]
    (made / "measurements.jsonl").write_text("".join(json.dumps(x) + "\n" for x in lines))
    return made


def test_the_pages_have_commands() -> None:
    shown = {c.split()[0] for c in commands()}
    assert shown >= {"fit", "study", "analyze", "plan", "verify", "predict", "findings", "diff", "plot"}


@pytest.mark.parametrize("command", commands())
def test_a_command_of_the_pages(command: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    words = shlex.split(command)
    if words[0] == "plot":
        pytest.importorskip("matplotlib")
    done = CliRunner().invoke(main, words)
    findings_allowed = words[0] in ("check", "findings", "diff", "verify")  # exit code 1 is an answer of theirs
    assert done.exit_code in ((0, 1) if findings_allowed else (0,)), f"{command}: {done.output[-500:]} {done.stderr[-500:]}"
    assert "Traceback" not in done.output


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
