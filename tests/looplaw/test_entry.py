"""The command line and the packages start at once: nothing heavy is imported before it is needed.
The command line and the packages start at once: nothing heavy is imported before it is needed."""

from __future__ import annotations

import ast
import importlib
import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from looplaw.cli.main import VERBS, command, main
from tests.places import ROOT

HEAVY = {
    "numpy",
    "scipy",
    "sklearn",
    "networkx",
    "llvmlite",
    "sympy",
    "rich",
    "pandas",
    "xarray",
    "matplotlib",
    "numba",
}


def imported(*line: str) -> set[str]:
    """Packages that were imported when this Python program ended."""
    tell = "lambda: print(json.dumps(sorted(sys.modules)), file=sys.stderr)"
    code = f"import sys, json, atexit\natexit.register({tell})\n{line[0]}"
    done = subprocess.run(
        [sys.executable, "-c", code, *line[1:]],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return {name.partition(".")[0] for name in json.loads(done.stderr.splitlines()[-1])}


@pytest.mark.parametrize(
    "line",
    [
        ("import looplaw",),
        ("import looplaw, modeling",),
        ("import runpy; runpy.run_module('looplaw', run_name='__main__')", "--help"),
        ("import runpy; runpy.run_module('looplaw', run_name='__main__')", "--version"),
    ],
)
def test_nothing_heavy_is_imported(line: tuple[str, ...]) -> None:
    assert not imported(*line) & HEAVY


def test_the_script_is_the_module_and_collects_no_garbage_at_its_end() -> None:
    (script,) = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"].values()
    code = (
        "import atexit, gc, pkgutil\n"
        "atexit.register(lambda: print(gc.get_freeze_count() > 0, gc.get_threshold()[0] > 700))\n"
        f"pkgutil.resolve_name({script!r})()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "--version"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "True True"


def test_help_lists_every_verb() -> None:
    assert [command(verb).name for verb in VERBS] == sorted(VERBS)
    pages = (["--help"], ["help", "more"])
    shown = "".join(CliRunner().invoke(main, page).stdout for page in pages)
    assert all(f"\n  {name} " in shown for name in VERBS)
    assert "looplaw fit bench.json" in shown
    assert CliRunner().invoke(main, ["fit", "--help"]).stdout.startswith("Usage: looplaw fit")
    wrong = CliRunner().invoke(main, ["fti"])
    assert wrong.exit_code == 2
    assert "no such command 'fti'" in wrong.stderr.lower()


@pytest.mark.parametrize("package", ["modeling", "staticana", "runtime", "looplaw.report"])
def test_what_is_exported_lazily_is_what_type_checkers_see(package: str) -> None:
    found = importlib.import_module(package)
    folder = ROOT / package.replace(".", "/")
    tree = ast.parse((folder / "__init__.py").read_text())
    (checked,) = (node for node in tree.body if isinstance(node, ast.If))
    seen = {
        ("." * n.level + str(n.module), a.name)
        for n in checked.body
        if isinstance(n, ast.ImportFrom)
        for a in n.names
    }
    assert seen == {(module, name) for module, names in found._MODULES.items() for name in names}
    at_once = {"DataError", "InputError", "LooplawError"} if package == "modeling" else set()
    assert {n for _, n in seen} | at_once == set(found.__all__) == set(dir(found))
    for module, name in seen:
        assert getattr(found, name) is getattr(importlib.import_module(module, package), name)
        assert name not in {p.stem for p in folder.iterdir()}, "a module of that name would hide it"
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = found.nothing


def test_a_folder_that_hides_a_package_is_named(tmp_path: Path) -> None:
    (tmp_path / "runtime").mkdir()
    (tmp_path / "runtime/__init__.py").write_text("")
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(1, {str(ROOT)!r}); import looplaw"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert f"the package runtime of looplaw is hidden by {tmp_path / 'runtime'}" in done.stderr


@pytest.mark.parametrize("same_place", [True, False])
def test_another_project_with_a_package_of_the_same_name_is_named(
    tmp_path: Path, same_place: bool
) -> None:
    """As in a virtual environment into which both were installed: one after the other into one
    folder, or found there before ours."""
    site, home = tmp_path / "site-packages", tmp_path / "home"
    home.mkdir()
    for name in ("looplaw", "looplaw_common", "staticana", "modeling", "runtime"):
        (home / name).symlink_to(ROOT / name)
    site.mkdir()
    place = home if same_place else site
    if same_place:
        for path in list(home.iterdir()):
            path.unlink()
            shutil.copytree(
                ROOT / path.name, path, ignore=shutil.ignore_patterns("__pycache__", "page")
            )
    (place / "runtime").mkdir(exist_ok=True)
    (place / "runtime" / "__init__.py").write_text("class Runtime: ...\n")
    info = place / "runtime-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: runtime\nVersion: 1.0\n")
    (info / "RECORD").write_text("runtime/__init__.py,,\n")
    paths = os.pathsep.join((str(site), str(home)))
    done = subprocess.run(
        [sys.executable, "-c", "import looplaw"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    did = "was overwritten" if same_place else "is hidden"
    assert f"the package runtime of looplaw {did} by {place / 'runtime'}" in done.stderr
    assert "of the installed project runtime: pip uninstall runtime" in done.stderr
