"""Every example of README and docs runs: commands in a folder with the files they name, Python as
it stands."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from click.testing import CliRunner

from looplaw.cli.main import VERBS, command, main
from looplaw.cli.usage import examples
from looplaw.documents.study import RunDocument, StudyDocument, SweptParameter
from looplaw_common.documents import builtins
from modeling import read, write_statistics
from modeling.pmnf.prediction import Certainty
from runtime.machine.known import write_machine
from staticana.count import Kind
from tests.command_line import python
from tests.places import ROOT
from tests.runtime.machine.made_up import made_up_machine
from tests.runtime.slurm.one_node import slurm_answers
from tests.staticana.frontend.test_openmp import missing_openmp
from tools.formats import DOCUMENTS

_FIRST = [ROOT / "README.md", ROOT / "docs/commands.md"]
PAGES = [*_FIRST, *sorted({*(ROOT / "docs").glob("*.md")} - {*_FIRST})]
_COMMAND = re.compile(r"^    (?:\$ )?(?:\.venv/bin/)?looplaw (.+?)(?: +#.*)?$", re.MULTILINE)
_PYTHON = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_NOT_RUN = ("PROGRAM", "FILE", "STUDY", "/", "VERB", "OLD", "OUT")
"""Words in capitals stand for something, in examples of --help; a line of verbs lists them."""
_REFUSED = "lg(n)"
"""A command that is shown with its error."""


def commands() -> list[str]:
    """What the pages tell people to type, once each, in the order in which it can be done."""
    shown = [c for page in PAGES for c in _COMMAND.findall(page.read_text(encoding="utf-8"))]
    shown += [
        line.removeprefix("looplaw ")
        for verb in VERBS
        for line in examples(command(verb))
        if line.startswith("looplaw ") and ">> ~" not in line and "~/.config" not in line
    ]
    found = dict.fromkeys(c for c in shown if not any(word in c.split() for word in _NOT_RUN))
    # laws.toml is written before it is used, models.json is overwritten after
    first, last = (
        {"merge": -2, "fit": -1, "study": 0},
        {"--format parquet": -3, "--laws": 2, "--models": 3},
    )
    return sorted(
        found,
        key=lambda c: next(
            (n for word, n in last.items() if word in c), first.get(c.split()[0], 1)
        ),
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder examples/, in which commands are typed, and what other commands have made."""
    made = tmp_path_factory.mktemp("run") / "examples"
    shutil.copytree(ROOT / "examples", made)
    shutil.copytree(ROOT / "samples", made / "samples")
    shutil.copytree(ROOT / "samples", made.parent / "samples")
    (made / "ranks").mkdir()
    for rank in (0, 1):
        with (made / f"ranks/{rank}.stats").open("wb") as stream:
            write_statistics(stream, read(made / "measurements.jsonl"))
    with contextlib.chdir(made):
        found = CliRunner().invoke(
            main, ["study", "lu.c", "--vary", "n=16,32,64", "--out", "looplaw-out/before"]
        )
    assert found.exit_code == 0, found.output
    shutil.copytree(made / "looplaw-out/before", made / "looplaw-out/after")
    subprocess.run(
        [sys.executable, "-m", "looplaw", "cc", "-O2", "nest.c", "-o", "program"],
        cwd=made,
        check=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    subprocess.run(
        ["./program", "64"],
        cwd=made,
        check=True,
        env={**os.environ, "LOOPLAW_CELLS": "cells"},
        stdout=subprocess.DEVNULL,
    )
    if shutil.which("mpicc"):
        wrapped = f"{sys.executable} -m looplaw cc"
        more = {"PYTHONPATH": str(ROOT), "MPICH_CC": wrapped, "OMPI_CC": wrapped}
        words = ["mpicc", "samples/heat-mpi/heat.c", "-lm", "-o", "heat"]
        subprocess.run(words, cwd=made, check=True, env={**os.environ, **more})
    for node in (1, 2):
        shutil.copy(made / "ranks/0.stats", made / f"node{node}.stats")
    write_machine(made_up_machine(), made / "there.json")
    (made / "looplaw-out/heat").mkdir()
    runs = tuple(
        RunDocument({"n": n, "p": p}, elapsed_s=1e-6 * n * n / p + 0.02)
        for n in (512, 1024, 2048)
        for p in (1, 2, 4, 8)
    )
    swept = (SweptParameter("n", "argv[1]"), SweptParameter("p", "mpi:size"))
    study = StudyDocument(program=("heat.c",), parameters=swept, loops=(), runs=runs)
    (made / "looplaw-out/heat/study.json").write_text(json.dumps(builtins(study)))
    text = (made / "b.c").read_text()
    (made / "src").mkdir()
    for file in ("old.c", "src/sum.c"):
        (made / file).write_text(text)
    (made / "build").mkdir(exist_ok=True)
    (made / "build/compile_commands.json").write_text(
        json.dumps(
            [
                {"directory": str(made), "file": file, "command": f"cc -c {file}"}
                for file in ("a.c", "b.c")
            ]
        )
    )
    git = ("git", "-c", "user.name=a", "-c", "user.email=a@b")
    for words in (("init", "-q"), ("add", "src"), ("commit", "-qm", "first")):
        subprocess.run([*git, *words], cwd=made, check=True)
    for file in ("new.c", "src/sum.c"):
        (made / file).write_text(text.replace("s += x", "for (int j = 0; j < n; j++) s += x"))
    subprocess.run([*git, "commit", "-qam", "second"], cwd=made, check=True)
    return made


@pytest.mark.parametrize("verb", sorted(VERBS.keys() - {"cc", "c++", "fc"}))
def test_every_verb_shows_how_it_is_used(verb: str) -> None:
    assert any(f"looplaw {verb}" in line for line in examples(command(verb)))


def test_the_pages_have_commands() -> None:
    shown = {c.split()[0] for c in commands()}
    assert shown >= {
        "fit",
        "study",
        "analyze",
        "plan",
        "verify",
        "predict",
        "findings",
        "diff",
        "plot",
    }


def missing(command: str) -> str | None:
    """What a command needs that is not here."""
    if "tls://" in command:
        return "a Dask cluster"
    if "--launcher slurm" in command and "--dry-run" not in command and not slurm_answers():
        return "Slurm"
    if ("--mpi" in command or "./heat" in command) and not shutil.which("mpiexec"):
        return "MPI"
    return missing_openmp() if "-fopenmp" in command else None


def test_no_page_has_a_command_that_is_never_tried() -> None:
    """All that a page tells people to type with its words is run, or says what it needs."""
    for page in PAGES:
        for shown in _COMMAND.findall(page.read_text(encoding="utf-8")):
            assert shown in commands(), f"{page.name}: {shown}"


@pytest.mark.parametrize("command", commands())
def test_a_command_of_the_pages(
    command: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if needed := missing(command):
        pytest.skip(f"needs {needed}")
    monkeypatch.chdir(folder)
    if "heat.c" in command:  # made again with ./heat; a process of MPI takes 0.1 s to start
        command = command.replace("p=1,2,4", "p=1,2")
    if "--init" in command:  # never overwritten
        Path("laws.toml").unlink(missing_ok=True)
    command, _, given = command.partition(" > ")[0].partition(" < ")
    text = Path(given).read_text() if given else ""
    for part in command.split(" | "):
        words = [
            name
            for word in shlex.split(part.removeprefix("looplaw "))
            for name in (
                sorted(map(str, Path().glob(word))) if word.startswith("node*") else [word]
            )
        ]
        if words[0] == "plot" or "--plot" in words:
            pytest.importorskip("matplotlib")
        if {"data", "--threads"} & set(words):
            pytest.importorskip("pyarrow")
        if "--workers" in words:
            pytest.importorskip("distributed")
        done = CliRunner().invoke(main, words, input=text)
        # 1 is an answer of some, 3 that models are not identified yet
        allowed = (
            {0, 1}
            if words[0] in ("check", "findings", "diff", "verify")
            else {0, 3}
            if "--adaptive" in words or "--machine" in words  # these runs are too short for a law
            else {2 if _REFUSED in command else 0}
        )
        assert done.exit_code in allowed, f"{command}: {done.output[-500:]} {done.stderr[-500:]}"
        assert "Traceback" not in done.output
        text = done.stdout


def _programs() -> Iterator[tuple[str, str]]:
    for page in PAGES:
        for k, text in enumerate(_PYTHON.findall(page.read_text(encoding="utf-8"))):
            yield f"{page.stem}-{k}", text


@pytest.mark.parametrize(("name", "text"), list(_programs()))
def test_python_of_the_pages(
    name: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv(
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1"
    )  # installed, the plugin would be there twice
    shutil.copytree(ROOT / "samples", tmp_path / "samples")
    file = tmp_path / "test_example.py"
    file.write_text(text)
    if "def test_" not in text:
        done = python(file, tmp_path)
    else:
        test = [
            "-m",
            "pytest",
            "-q",
            "-p",
            "looplaw.pytest_plugin.plugin",
            "-p",
            "no:cacheprovider",
        ]
        done = subprocess.run(
            [sys.executable, *test, "-p", "no:cacheprovider", str(file)],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
    assert done.returncode == 0, done.stdout + done.stderr


_PACKAGES = r"(?:staticana|runtime|modeling|looplaw|looplaw_common|benchmarks|tools)"
_PATH = re.compile(rf"`((?:{_PACKAGES}|tests|samples|docs)/[\w./-]*)")
_MODULE = re.compile(rf"(?<![\w/.-])({_PACKAGES}(?:\.[A-Za-z_]\w*)+)(?![\w/-])")
_TEXTS = [*PAGES, ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md", ROOT / "samples/README.md"]


def _exists(dotted: str) -> bool:
    """Whether a dotted name is a module, or something that a module has."""
    words = dotted.split(".")
    for k in range(len(words), 0, -1):
        try:
            found = importlib.import_module(".".join(words[:k]))
        except ModuleNotFoundError:
            continue
        for word in words[k:]:
            if not hasattr(found, word):
                return False
            found = getattr(found, word)
        return True
    return False


@pytest.mark.parametrize("page", _TEXTS, ids=lambda page: page.name)
def test_modules_and_files_that_a_page_names_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    missing = [path for path in _PATH.findall(text) if not (ROOT / path).exists()]
    missing += [
        name
        for name in dict.fromkeys(_MODULE.findall(text))
        if not _exists(name) and not name.endswith((".sarif", ".toml"))
    ]
    assert not missing


def test_the_glossary_has_the_words_of_results() -> None:
    text = (ROOT / "docs/glossary.md").read_text(encoding="utf-8")
    terms = {
        w for row in re.findall(r"^\| ([^|]+) \|", text, re.MULTILINE) for w in row.split(", ")
    }
    assert terms >= {*get_args(Kind), "obeys", "exceeds", "below", "certainty", "law", "verdict"}
    assert all(f"`{word}`" in text for word in get_args(Certainty))


def test_the_map_of_contributing_has_every_room() -> None:
    package, named = "", set()
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for name in re.findall(r"^\| (?:\*\*)?`([\w/]+)`", text, re.MULTILINE):
        package = name if name.endswith("/") else package
        named.add(name.rstrip("/") if name == package else package + name)
    rooms = {
        str(init.parent.relative_to(ROOT))
        for top in ("looplaw", "runtime", "staticana", "modeling", "looplaw_common")
        for init in (ROOT / top).rglob("__init__.py")
    }
    assert rooms <= named, f"CONTRIBUTING.md: add a line for {sorted(rooms - named)}"


@pytest.mark.slow  # the sessions of docs/tutorial.md are always pasted
def test_the_tutorial_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        import nbclient
        import nbformat
        import numba  # noqa: F401
    except ImportError as error:
        warnings.warn(
            f"the tutorial was not run: install looplaw[notebook] ({error})", stacklevel=1
        )
        pytest.skip("no notebook packages")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    book = nbformat.read(ROOT / "docs/tutorial.ipynb", as_version=4)
    where = {"metadata": {"path": str(ROOT / "docs")}}
    nbclient.NotebookClient(book, timeout=300, kernel_name="python3", resources=where).execute()
    shown = [
        o["data"]["text/html"]
        for c in book.cells
        for o in c.get("outputs", [])
        if "text/html" in o.get("data", {})
    ]
    assert any("$" in text and "<table>" in text for text in shown)


@pytest.mark.slow  # `make docs` builds it, too
def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    if shutil.which("mkdocs", path=str(Path(sys.executable).parent)) is None:
        warnings.warn("the site was not built: install looplaw[docs]", stacklevel=1)
        pytest.skip("no mkdocs")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", tmp_path / "site"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)},
    )
    assert done.returncode == 0, done.stderr
    formats = (tmp_path / "site" / "formats" / "index.html").read_text(encoding="utf-8")
    assert all(f">{name}<" in formats for name in DOCUMENTS)
    for name in VERBS:
        assert (tmp_path / "site" / "verbs" / name / "index.html").is_file()
    design = (tmp_path / "site" / "design" / "index.html").read_text(encoding="utf-8")
    assert "<td><code>staticana.alias</code></td>" in design
