"""What this machine has of what looplaw uses.

The compiler is judged by canaries, small programs whose loops must get exact formulas that a
counted run agrees with.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from looplaw_common.commands import answered, tool
from looplaw_common.errors import LooplawError
from looplaw_common.scratch import scratch_folder
from runtime import EVENTS, build_program, plan_for, run, unavailable
from staticana import analyze_module, canonical, compile_sources, find_compiler, parse_module
from staticana.frontend.clang import Compiler, usable_compilers
from staticana.frontend.registry import LANGUAGES

from .report.cells import counted_noun

_COMPILE_S = 120
"""A compiler that takes longer over a canary is of no use."""
_C = """#include <stdlib.h>
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  double *a = malloc(n * n * sizeof *a), s = 0;
  if (!a) return 1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) a[i * n + j] = i;
  for (int i = n; i > 1; i /= 2) s += a[n];
  free(a);
  return s < 0;
}
"""
_CXX = """#include <cstdlib>
#include <fstream>
#include <vector>
struct Work { virtual ~Work() {} virtual long of(int n) const { return n; } };
struct Sum : Work {
  long of(int n) const override { long s = 0; for (int i = 0; i < n; i++) s += i; return s; }
};
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  std::vector<int> v;
  v.push_back(n);
  Sum sum;
  long s = sum.of(n);
  for (int i = 0; i < n; i++) s += 2;
  std::ofstream file;
  return s < 0;
}
"""
_OPENMP = """#include <omp.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int n = atoi(argv[1]), s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; i++) s += i;
  return omp_get_max_threads() < 0 || s < 0;
}
"""
_N = 9


@dataclass(frozen=True)
class Canary:
    """A program that shows what a compiler can be used for.

    Attributes:
        name: what it shows.
        needed: looplaw is of little use where it fails.
        loops: how many of its loops must be exact, and counted as their formulas say.
        install: what to install where it fails; {version} is the compiler's.
    """

    name: str
    file: str
    source: str
    flags: tuple[str, ...]
    needed: bool
    loops: int
    install: str


CANARIES = (
    Canary("C", "canary.c", _C, (), True, 3, "clang-{version} and libc6-dev"),
    Canary("C++", "canary.cc", _CXX, (), False, 2, "libstdc++-12-dev, or the newest there is"),
    Canary("OpenMP", "canary-omp.c", _OPENMP, ("-fopenmp",), False, 1, "libomp-{version}-dev"),
)


@dataclass(frozen=True)
class Check:
    """One thing looked for: whether it is there, whether the main job needs it, what was found or
    how to get it."""

    name: str
    ok: bool
    needed: bool
    found: str


def examine(tell: Callable[[str], None] = lambda _: None) -> Iterator[Check]:
    """Look for everything, one thing after the other; tell: hears what takes longer."""
    yield Check("python", sys.version_info >= (3, 11), True, platform.python_version())
    for name in ("llvmlite", "numpy", "scipy", "click", "rich"):
        try:
            yield Check(name, True, True, version(name))
        except PackageNotFoundError:
            yield Check(name, False, True, f"type: pip install {name}")
    yield from _compilers(tell)
    for language in LANGUAGES:
        path = language.find()
        missing = f"only needed for {language.language} programs"
        yield Check(language.driver, path is not None, False, path or missing)
    mpi = tool("mpiexec")
    yield Check("mpiexec", mpi is not None, False, mpi or "only needed for MPI programs")
    yield from _events()
    yield Check(
        "colour",
        "NO_COLOR" not in os.environ,
        False,
        "NO_COLOR is set" if "NO_COLOR" in os.environ else "on terminals",
    )


def outcome(checks: Iterable[Check]) -> str:
    """The last line: "ready", else what to do."""
    missing = [f"{c.name}: {c.found}" for c in checks if c.needed and not c.ok]
    return f"not ready: {'; '.join(missing)}" if missing else "ready"


def _compilers(tell: Callable[[str], None]) -> Iterator[Check]:
    """The compiler that is used, what works with it, and the one to use."""
    try:
        used = find_compiler()
    except LooplawError as error:
        yield Check("compiler", False, True, str(error))
        return
    yield Check("compiler", True, True, f"{used}: {' '.join(used.command)}")
    slow = "; zig builds its libraries once, for a minute or two" if used.kind == "zig" else ""
    failed: list[Canary] = []
    for canary in CANARIES:
        tell(f"testing {canary.name}: a small program is compiled, counted and run{slow}")
        why = _fails(canary)
        if why is not None:
            failed.append(canary)
            install = canary.install.format(version=used.version[0])
            why = why if "install" in why else f"{why}; install {install}"
        yield Check(
            canary.name,
            why is None,
            canary.needed,
            why or f"the loops of a small program ({canary.loops}) are counted as predicted",
        )
    others = [c for c in usable_compilers() if c != used]
    # what failed first: the first C++ program that zig links builds its whole library, for a minute
    wanted = [*failed, *(canary for canary in CANARIES if canary not in failed)]
    if failed and others:
        tell(f"trying {counted_noun(len(others), 'other compiler')}")
    builds = (c for c in others if failed and all(_builds(canary, c) for canary in wanted))
    better = next(builds, None)
    for c in others:
        yield Check("also found", True, False, f"{c}: {' '.join(c.command)}")
    advice = (
        f"LOOPLAW_CC={_choice(better)} ({better}), which has {' and '.join(c.name for c in failed)}"
        if better is not None
        else f"{used}, the one in use"
    )
    yield Check("recommended", True, False, advice)


def _choice(compiler: Compiler) -> str:
    return "zig" if compiler.kind == "zig" else compiler.command[0]


def _fails(canary: Canary) -> str | None:
    """Compile, analyse, instrument, link and run a canary; what went wrong, None if nothing."""
    with scratch_folder("doctor") as folder:
        source = folder / canary.file
        source.write_text(canary.source)
        try:
            text = canonical(compile_sources([source], flags=canary.flags, only=find_compiler()))
            module = parse_module(text)
            loops = [
                loop
                for loop in analyze_module(module).loops
                if loop.total.kind == "exact" and canary.file in loop.at
            ]
            if len(loops) != canary.loops:
                return f"{len(loops)} of the {canary.loops} loops of a small program are exact"
            plan = plan_for(module, [key for loop in loops for key in loop.headers])
            program = build_program(text, plan, folder / "canary", cxx=canary.file.endswith(".cc"))
            result = run([str(program.executable), str(_N)], timeout_s=30, cells=folder / "cells")
        except LooplawError as error:
            return str(error).replace(f"{folder}/", "")
        if result.status != "ok" or result.counts is None:
            return f"a small program {result.status}: {result.reason or 'no counts'}"
        predicted = {
            loop.at: loop.total.evaluate(dict.fromkeys(loop.parameters, _N)) for loop in loops
        }
        counted = {c.at: int(result.counts.iterations[c.id]) for c in plan.counters}
        wrong = [at for at in predicted if counted.get(at) != predicted[at]]
    if wrong:
        at = wrong[0]
        return f"{Path(at).name} ran {counted.get(at)} times, not {predicted[at]}"
    return None


def _builds(canary: Canary, compiler: Compiler) -> bool:
    """Does a compiler compile and link a canary? It links only what it has compiled: the first
    program that zig links builds its libraries, for half a minute."""
    with scratch_folder("doctor") as folder:
        source, compiled = folder / canary.file, folder / "canary.o"
        source.write_text(canary.source)
        command = compiler.for_source(source)
        return _succeeds([*command, *canary.flags, "-c", str(source), "-o", str(compiled)]) and (
            _succeeds([*command, *canary.flags, str(compiled), "-o", str(folder / "canary")])
        )


def _succeeds(command: Sequence[str]) -> bool:
    try:
        done = answered(command, timeout_s=_COMPILE_S)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _events() -> Iterator[Check]:
    """Events that can be counted, and why others cannot."""
    reasons = {name: unavailable(name) for name in EVENTS}
    there = [name for name, why in reasons.items() if why is None]
    if there:
        yield Check("events", True, False, f"--metric {', '.join(there)}")
    for why in dict.fromkeys(why for why in reasons.values() if why is not None):
        names = ", ".join(n for n in reasons if reasons[n] == why)
        yield Check("events", False, False, f"{names}: {why}")
