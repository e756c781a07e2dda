"""`make test-pythons`: a broad and quick part of the tests on the newer Pythons of this machine, of
PATH and of pyenv, each in an environment of its own that is kept in build/pythons.

    make test-pythons
    make test-pythons ARGS='--newest'        only on the newest that is found, as .ci/run does
    make test-pythons ARGS='--python 3.13'

Where none is found, or its packages cannot be had, a line says so and nothing fails.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from .release_check import VERSIONS, pythons

ROOT = Path(__file__).resolve().parent.parent
_KEPT = ROOT / "build" / "pythons"
_TESTED_WITH = ("pytest>=8.4", "pytest-xdist>=3.6", "hypothesis>=6.100", "networkx>=3.3")
_PACKAGES = ("-e", ".[compiler]", *_TESTED_WITH)
TESTS = (
    "tests/looplaw/cli/test_messages.py",
    "tests/looplaw/cli/test_first_contact.py",
    "tests/looplaw/ending/test_streams.py",
    "tests/looplaw/ending/test_event_loops.py",
    "tests/looplaw/bulk",
    "tests/looplaw/documents",
    "tests/looplaw/exchange",
    "tests/looplaw/settings",
    "tests/looplaw/test_api.py",
    "tests/looplaw_common",
    "tests/modeling/pmnf",
    "tests/modeling/readers",
    "tests/runtime/sweep",
    "tests/staticana/closed_forms",
    "tests/staticana/frontend/test_constant_expressions.py",
    "tests/staticana/frontend/test_damaged_input.py",
    "tests/staticana/ir",
)
"""What meets the interpreter most: the command line, processes and streams, documents, readers,
deep recursion, and one way through the analysis."""
_NOTHING_BUT_DATA = ("analyze", "--json", "-", "examples/stencil.c")
"""A command that has nothing to say on stderr."""


def newer(wanted: Sequence[str] | None = None) -> dict[str, str]:
    """Version -> interpreter, of those that are found and newer than this one."""
    own = sys.version_info[:2]
    asked = wanted or [v for v in VERSIONS if tuple(map(int, v.split("."))) > own]
    return pythons(asked)


def environment(version: str, python: str) -> Path | None:
    """The interpreter of the environment for a version, made where it is missing or the project
    asks for other packages; None where these cannot be had."""
    asked = (ROOT / "pyproject.toml").read_bytes() + python.encode() + repr(_PACKAGES).encode()
    folder = _KEPT / f"{version}-{hashlib.sha256(asked).hexdigest()[:12]}"
    own, ready = folder / "bin" / "python", folder / "ready"
    if not ready.exists():
        made = [
            [python, "-m", "venv", "--clear", str(folder)],
            [
                str(own),
                "-m",
                "pip",
                "install",
                "--quiet",
                "--disable-pip-version-check",
                *_PACKAGES,
            ],
        ]
        for command in made:
            try:
                done = subprocess.run(
                    command, cwd=ROOT, capture_output=True, text=True, check=False
                )
                code, said = done.returncode, done.stderr.strip()
            except OSError as error:
                code, said = 1, str(error)
            if code:
                last = (said.splitlines() or ["no reason given"])[-1]
                print(f"Python {version}: its packages cannot be had, not tested: {last}")
                return None
        ready.touch()
    return own


def is_quiet(own: Path) -> bool:
    """Does a command say nothing beside its data, to the very end of the interpreter, where
    deprecations are errors?"""
    words = [str(own), "-W", "error::DeprecationWarning:looplaw", "-m", "looplaw"]
    done = subprocess.run(
        [*words, *_NOTHING_BUT_DATA], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode or "Traceback" in done.stderr or "Warning" in done.stderr:
        print(done.stderr)
        return False
    return True


def main(arguments: Sequence[str] | None = None) -> int:
    """Test on every newer Python that is found; 1 if a test fails on one."""
    parser = argparse.ArgumentParser(prog="make test-pythons ARGS=...", description=__doc__)
    parser.add_argument("--python", action="append", help="A version to test on; once for each.")
    parser.add_argument("--newest", action="store_true", help="Only the newest that is found.")
    parser.add_argument("tests", nargs="*", default=list(TESTS), help="Other tests than those.")
    options = parser.parse_args(arguments)
    found = newer(options.python)
    if not found:
        print("no newer Python than this one is found, of PATH and of pyenv: nothing is tested")
        return 0
    versions = sorted(found, key=lambda v: tuple(map(int, v.split("."))))
    failed = []
    for version in versions[-1:] if options.newest else versions:
        own = environment(version, found[version])
        if own is None:
            continue
        print(f"Python {version}: {found[version]}", flush=True)
        with tempfile.TemporaryDirectory(prefix="looplaw-pythons-") as folder:
            done = subprocess.run(
                [str(own), "-m", "pytest", "-q", "-n", "4", "--dist", "loadfile"]
                + ["-p", "no:cacheprovider", f"--basetemp={folder}/tests", *options.tests],
                cwd=ROOT,
                env={k: v for k, v in os.environ.items() if k != "PYTHONPATH"},
                check=False,
            )
        if done.returncode or not is_quiet(own):
            failed.append(version)
    if failed:
        print(f"fails on Python {', '.join(failed)}")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
