"""Commands that are given in somebody's checkout run no module and no tool that lies in it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from staticana.frontend.fortran import find_flang
from tests import command_line
from tests.places import ROOT

MODULES = (
    *("ziglang", "numpy", "scipy", "click", "rich", "sympy", "llvmlite", "networkx", "msgspec"),
    *("multiprocessing", "concurrent", "tempfile", "subprocess", "platform", "tomllib", "hashlib"),
)
TOOLS = ("git", "clang", "clang-14", "cc", "gcc", "mpicc", "mpiexec", "ld", "rustc", "flang", "zig")
PROGRAM = """#include <stdlib.h>
double s;
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  for (int i = 0; i < n; i++) s += i;
  return s < 0;
}
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder with a program, and modules and tools that leave a mark."""
    folder = tmp_path / "checkout"
    folder.mkdir()
    (folder / "p.c").write_text(PROGRAM)
    (folder / "bad.c").write_text("int broken(\n")
    for name in MODULES:
        (folder / name).mkdir()
        for file in ("__init__.py", "__main__.py"):
            (folder / name / file).write_text(
                f"open({str(tmp_path / 'mark')!r}, 'a').write('{name}\\n')\n"
            )
    for name in TOOLS:
        (folder / name).write_text(f"#!/bin/sh\necho {name} >> {tmp_path / 'mark'}\nexit 1\n")
        (folder / name).chmod(0o755)
    return folder


def given(words: Sequence[str], folder: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """The command in the folder, as a PATH with relative entries finds tools."""
    return subprocess.run(
        words,
        cwd=folder,
        env={
            **os.environ,
            "PATH": f".:{folder.name}::{os.environ['PATH']}",
            "LOOPLAW_MACHINE": "none",
            **more,
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


# What `looplaw` and `python -m looplaw` start with: the folder is not on the path, or in front.
SCRIPT = (sys.executable, "-P", "-m", "looplaw")
MODULE = (sys.executable, "-m", "looplaw")


@pytest.mark.parametrize(
    ("start", "line"),
    [
        (MODULE, "analyze bad.c"),  # another compiler is tried
        (SCRIPT, "study p.c --vary n=4,8 --repetitions 1 --launcher env"),
        (SCRIPT, "diff --base HEAD p.c"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_nothing_of_the_folder_runs(start: Sequence[str], line: str, checkout: Path) -> None:
    done = given([*start, *line.split()], checkout, PYTHONPATH=str(ROOT))
    assert not (checkout.parent / "mark").exists(), (checkout.parent / "mark").read_text()
    assert "internal error" not in done.stderr, done.stderr
    expected = {"analyze bad.c": 2, "diff --base HEAD p.c": 2}.get(line, 0)
    assert done.returncode == expected, done.stderr


def test_the_kernel_is_built_by_an_installed_compiler(checkout: Path) -> None:
    code = "from modeling.kernel import intermediate\nprint(intermediate.compiler()[0])"
    done = given([*SCRIPT[:2], "-c", code], checkout, PYTHONPATH=str(ROOT))
    found = done.stdout.split()
    assert found, done.stderr
    assert all(os.path.isabs(name) and not name.startswith(str(checkout)) for name in found)
    assert not (checkout.parent / "mark").exists()


def test_workers_take_no_module_of_the_folder(checkout: Path) -> None:
    """multiprocessing starts interpreters by words of its own."""
    code = (
        "from looplaw.bulk.workers import in_processes\n"
        "if __name__ == '__main__': print(list(in_processes(1, abs, [-3])))\n"
    )
    (checkout.parent / "worker.py").write_text(code)
    done = given([*SCRIPT[:2], "../worker.py"], checkout, PYTHONPATH=str(ROOT))
    assert (done.stdout, done.returncode) == ("[3]\n", 0), done.stderr
    assert not (checkout.parent / "mark").exists(), (checkout.parent / "mark").read_text()


@pytest.mark.parametrize("verb", [["analyze"], ["diff", "p.c"]], ids=lambda words: words[0])
@pytest.mark.parametrize("name", ["-x.c", "--help.c", "-fplugin=evil.c", "@flags.c", "-x.f90"])
def test_the_name_of_a_source_is_no_option(name: str, verb: Sequence[str], tmp_path: Path) -> None:
    """Compilers take a name with - in front for an option, one with @ for a file of options."""
    if name.endswith(".f90") and find_flang() is None:
        pytest.skip("FORTRAN IS NOT TESTED: install flang")
    fortran = "program p\ninteger :: i\nreal :: s\ns = 0\ndo i = 1, 7\ns = s + i\nend do\nend\n"
    (tmp_path / name).write_text(fortran if name.endswith(".f90") else PROGRAM)
    (tmp_path / "p.c").write_text(PROGRAM)
    done = command_line.looplaw(*verb, "--", name, cwd=tmp_path)
    assert (done.returncode, done.stderr.strip().count("\n")) == (0, 0), done.stderr


def test_options_in_a_source_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "@flags.c").write_text("-DX=1 p.c\n")
    (tmp_path / "p.c").write_text(PROGRAM)
    done = command_line.looplaw("analyze", "@flags.c", cwd=tmp_path)
    assert (done.returncode, "does not compile" in done.stderr) == (2, True), done.stderr


def test_warnings_of_numpy_are_for_debugging(tmp_path: Path) -> None:
    """What is wrong for users is said by looplaw."""
    code = (
        "import numpy as np, sys\nfrom looplaw.cli.console import guarded\n"
        "with guarded(len(sys.argv) > 1): print(np.float64(1e308) * np.float64(10))\n"
    )
    quiet = given([sys.executable, "-c", code], tmp_path, PYTHONPATH=str(ROOT))
    loud = given([sys.executable, "-c", code, "debug"], tmp_path, PYTHONPATH=str(ROOT))
    assert (quiet.stdout, quiet.stderr) == ("inf\n", "")
    assert "RuntimeWarning" in loud.stderr
