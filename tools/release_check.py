"""`make release-check`: the wheel and the source distribution are built and tried, each in a new
virtual environment, on every Python from 3.11 on that is found: the command line, counting through
the compiler that is there, fitting, and the files that only packages have.

    make release-check
    make release-check ARGS='--wheelhouse build/wheelhouse'   offline, after one time online
    make release-check ARGS='--python 3.11 3.13'

With --wheelhouse, what is missing there is fetched once for each version (`pip wheel`), and all is
then installed from it without an index.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
PACKAGES = ("looplaw", "looplaw_common", "modeling", "runtime", "staticana")
_NEEDED = (
    "runtime/counters/looplaw_rt.c",
    "runtime/counters/rt_file.h",
    "runtime/machine/probe.c",
    "looplaw/report/page/page.html",
    *(f"{name}/py.typed" for name in PACKAGES),
)
_OF_SOURCE = (
    "LICENSE",
    "CHANGELOG.md",
    "CITATION.cff",
    "SECURITY.md",
    "Makefile",
    "examples/lu.c",
    "samples/lu/lu.c",
    "tests/conftest.py",
    "tools/release_check.py",
)
"""What a source distribution has besides, so that its tests run."""
_KERNEL = re.compile(r"modeling/kernel/kernel-\w+\.bc")
_UNWANTED = ("tests/", "benchmarks/", "tools/", "samples/")
_SMALL = """
import looplaw
model = looplaw.fit({"n": [2, 4, 8, 16, 32]}, [2.0 * n * n for n in (2, 4, 8, 16, 32)])
assert str(model.lead) == "n**2", model
count = looplaw.analyze("loop.c")["main"].work
assert count.kind == "exact", count
"""
_PROGRAM = """#include <stdlib.h>
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    volatile int s = 0;
    for (int i = 0; i < n; i++) s++;
    return 0;
}
"""


def pythons(wanted: Sequence[str] = VERSIONS) -> dict[str, str]:
    """Version -> interpreter, for those of the versions that are found and start."""
    found = {}
    for version in wanted:
        homes = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"), reverse=True)
        for command in (*map(str, homes), shutil.which(f"python{version}")):
            if command and _version_of(command) == version:
                found[version] = command
                break
    return found


def _version_of(command: str) -> str | None:
    code = "import sys, venv, ensurepip; print('%d.%d' % sys.version_info[:2])"
    done = subprocess.run([command, "-c", code], capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else None


def missing(names: Sequence[str]) -> list[str]:
    """What a distribution with these files lacks, and what it should not have."""
    lacking = [f"lacks {n}" for n in _NEEDED if n not in names]
    if not any(map(_KERNEL.fullmatch, names)):
        lacking.append("lacks the kernel of fits")
    return lacking + [f"has {n}" for n in names if n.startswith(_UNWANTED)][:5]


def _run(words: Sequence[str], cwd: Path) -> None:
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    done = subprocess.run(
        list(words), cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(
            f"{' '.join(words)}: exit code {done.returncode}\n{done.stdout[-1500:]}"
            f"\n{done.stderr[-1500:]}"
        )


def build(folder: Path) -> tuple[Path, Path]:
    """(wheel, source distribution), from a copy of what git knows, so that nothing else gets in."""
    tree = folder / "tree"
    tree.mkdir()
    files = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", "-z"], capture_output=True, check=True
    ).stdout.decode()
    for name in filter(None, files.split("\0")):
        if (ROOT / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, tree / name)
    out = folder / "dist"
    _run([sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", str(out), "."], tree)
    backend = "import setuptools.build_meta as b, sys; b.build_sdist(sys.argv[1])"
    environment = folder / "backend"
    _run([sys.executable, "-m", "venv", str(environment)], folder)
    python = str(environment / "bin" / "python")
    _run([python, "-m", "pip", "install", "--quiet", "setuptools>=77"], folder)
    _run([python, "-c", backend, str(out)], tree)
    (wheel,), (source,) = out.glob("*.whl"), out.glob("*.tar.gz")
    return wheel, source


def check_contents(wheel: Path, source: Path) -> list[str]:
    """What is wrong with the files of both."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    found = [f"{wheel.name} {text}" for text in missing(names)]
    tops = {top for n in names if "-" not in (top := n.partition("/")[0])}  # not its dist-info
    if tops != set(PACKAGES):
        found.append(f"{wheel.name} has the packages {', '.join(sorted(tops))}")
    with tarfile.open(source) as archive_of_source:
        inside = [n.partition("/")[2] for n in archive_of_source.getnames()]
    found += [f"{source.name} {text}" for text in missing(inside) if text.startswith("lacks")]
    found += [f"{source.name} lacks {name}" for name in _OF_SOURCE if name not in inside]
    return found


def try_out(python: str, what: Path, wheelhouse: Path | None, folder: Path) -> None:
    """Install a distribution into a new environment, and use it away from the repository."""
    environment = folder / "venv"
    shutil.rmtree(environment, ignore_errors=True)
    _run([python, "-m", "venv", str(environment)], folder)
    own = str(environment / "bin" / "python")
    install = [own, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    if wheelhouse is not None:
        wheelhouse.mkdir(parents=True, exist_ok=True)
        local = ["--find-links", str(wheelhouse)]
        fetch = [own, "-m", "pip", "wheel", "--quiet", *local, "-w", str(wheelhouse)]
        _run([*fetch, f"{what}[compiler]", "setuptools>=77"], folder)
        install += ["--no-index", *local]
    _run([*install, f"{what}[compiler]"], folder)
    (folder / "loop.c").write_text(_PROGRAM)
    looplaw = str(environment / "bin" / "looplaw")
    _run([looplaw, "--version"], folder)
    _run([looplaw, "analyze", "loop.c", "--json", "analysis.json"], folder)
    _run([own, "-c", _SMALL], folder)
    study = ["study", "loop.c", "--vary", "n=2,4,8,16", "--machine", "none", "--out", "out"]
    _run([looplaw, *study, "--repetitions", "1"], folder)


def main(arguments: Sequence[str] | None = None) -> int:
    """Build, look inside, and try; 1 if anything is wrong."""
    parser = argparse.ArgumentParser(prog="make release-check ARGS=...", description=__doc__)
    parser.add_argument("--python", nargs="*", default=list(VERSIONS), help="Versions to try.")
    parser.add_argument("--wheelhouse", type=Path, help="Install offline from this folder.")
    options = parser.parse_args(arguments)
    house = options.wheelhouse and options.wheelhouse.resolve()
    with tempfile.TemporaryDirectory(prefix="looplaw-release-") as name:
        folder = Path(name)
        wheel, source = build(folder)
        print(f"built {wheel.name} and {source.name}", flush=True)
        if wrong := check_contents(wheel, source):
            print("\n".join(wrong))
            return 1
        found = pythons(options.python)
        for version in options.python:
            if version not in found:
                print(f"Python {version}: not found, not tried")
                continue
            for what in (wheel, source):
                place = folder / f"{version}-{what.suffix}"
                place.mkdir()
                try_out(found[version], what, house, place)
                print(f"Python {version}: {what.name} works", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
