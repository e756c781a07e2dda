"""What this machine has of what looplaw uses."""

from __future__ import annotations

import os
import platform
import shutil
import sys
import tempfile
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from looplaw_common.errors import LooplawError
from runtime import EVENTS, build_program, plan_all, run, unavailable
from staticana import canonical, compile_sources, find_compiler, parse_module
from staticana.frontend.registry import LANGUAGES

_PROGRAM = (
    "int main(int argc, char **argv) { int s = 0; for (int i = 0; i < argc; i++) s += argv[i][0];"
    " return s < 0; }\n"
)


@dataclass(frozen=True)
class Check:
    """One thing looked for: whether it is there, whether the main job needs it, what was found or
    how to get it."""

    name: str
    ok: bool
    needed: bool
    found: str


def examine() -> list[Check]:
    """Look for everything."""
    checks = [Check("python", sys.version_info >= (3, 11), True, platform.python_version())]
    for name in ("llvmlite", "numpy", "scipy", "networkx", "click", "rich"):
        try:
            checks.append(Check(name, True, True, version(name)))
        except PackageNotFoundError:
            checks.append(Check(name, False, True, f"type: pip install {name}"))
    try:
        compiler = find_compiler()
        checks.append(Check("compiler", True, True, f"{compiler}: {' '.join(compiler.command)}"))
        checks.append(_whole_way())
    except LooplawError as error:
        checks.append(Check("compiler", False, True, str(error)))
    for language in LANGUAGES:
        path = language.find()
        missing = f"only needed for {language.language} programs"
        checks.append(Check(language.driver, path is not None, False, path or missing))
    mpi = shutil.which("mpiexec")
    checks.append(Check("mpiexec", mpi is not None, False, mpi or "only needed for MPI programs"))
    checks.extend(_events())
    checks.append(
        Check(
            "colour",
            "NO_COLOR" not in os.environ,
            False,
            "NO_COLOR is set" if "NO_COLOR" in os.environ else "on terminals",
        )
    )
    return checks


def _events() -> list[Check]:
    """Events that can be counted, and why others cannot."""
    reasons = {name: unavailable(name) for name in EVENTS}
    there = [name for name, why in reasons.items() if why is None]
    checks = [Check("events", True, False, f"--metric {', '.join(there)}")] if there else []
    for why in dict.fromkeys(why for why in reasons.values() if why is not None):
        checks.append(
            Check(
                "events",
                False,
                False,
                f"{', '.join(n for n in reasons if reasons[n] == why)}: {why}",
            )
        )
    return checks


def _whole_way() -> Check:
    """Compile, instrument, link and run a tiny program."""
    with tempfile.TemporaryDirectory(prefix="looplaw-doctor-") as folder:
        source = Path(folder) / "probe.c"
        source.write_text(_PROGRAM)
        try:
            text = canonical(compile_sources([source]))
            program = build_program(text, plan_all(parse_module(text)), Path(folder) / "probe")
            result = run([str(program.executable)], timeout_s=30, cells=Path(folder) / "cells")
        except LooplawError as error:
            return Check("build and run", False, True, str(error))
        good = (
            result.status == "ok"
            and result.counts is not None
            and result.counts.iterations.tolist() == [1]
        )
        return Check(
            "build and run",
            good,
            True,
            (
                "an instrumented program was built and counted"
                if good
                else f"the probe {result.status}: {result.reason or 'wrong count'}"
            ),
        )
