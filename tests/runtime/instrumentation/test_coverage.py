"""Counts equal those of clang's coverage on every sample and on the programs that environment
variables name."""

from __future__ import annotations

import os
import subprocess
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from benchmarks import coverage
from benchmarks.programs import BENCHMARKS
from runtime import build_program, plan_all, run
from staticana import canonical, compile_sources, find_compiler, parse_module
from tests.places import SAMPLES

ARGUMENTS = {
    "matmul": "7 9 11",
    "lu": "23",
    "stencil": "17 5",
    "cg": "9 7",
    "mergesort": "777",
    "nbody": "31",
    "fft": "6",
    "ep": "9 1 5",
    "trsv": "41",
    "slides": "64 1 999",
}
REAL = {"LULESH": "-s 5 -i 4", "HPCG": "--nx=16 --ny=16 --nz=16 --rt=0"}


def check(
    sources: Sequence[Path], arguments: Sequence[str], folder: Path, flags: Sequence[str] = ()
) -> int:
    """Compare every loop that coverage tells apart; returns how many these are."""
    compiler = find_compiler()
    if compiler.kind == "zig" or coverage.tools(compiler.command[0]) is None:
        pytest.skip("no clang with llvm-profdata and llvm-cov here: apt install clang-19 llvm-19")
    cxx = sources[0].suffix != ".c"
    text = canonical(compile_sources(sources, flags=flags))
    plan = plan_all(parse_module(text))
    program = build_program(text, plan, folder / "counted", cxx=cxx).executable
    counts = run(
        [str(program), *arguments], timeout_s=300, cells=folder / "cells", cwd=folder
    ).counts
    assert counts is not None
    covered, raw = folder / "covered", folder / "covered.profraw"
    subprocess.run(
        [
            *(compiler.cxx if cxx else compiler.command),
            "-O1",
            "-w",
            *flags,
            *coverage.FLAGS,
            *map(str, sources),
            "-lm",
            "-o",
            str(covered),
        ],
        check=True,
    )
    subprocess.run(
        [str(covered), *arguments],
        env={**os.environ, "LLVM_PROFILE_FILE": str(raw)},
        check=False,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=folder,
    )
    regions = coverage.regions(covered, [raw], compiler.command[0])
    counted: Counter[coverage.Place] = Counter()
    for c in plan.counters:
        counted[coverage.place(c.at, regions)] += int(counts.iterations[c.id])
    known = {
        place: n for place, n in coverage.iterations(regions, counted).items() if n is not None
    }
    assert {place: counted[place] for place in known} == known
    return len(known)


@pytest.mark.parametrize("name", ARGUMENTS)
def test_samples(name: str, tmp_path: Path) -> None:
    source = SAMPLES / name / f"{name}.c"
    assert check([source], ARGUMENTS[name].split(), tmp_path) >= source.read_text().count("for (")


@pytest.mark.slow
@pytest.mark.parametrize("variable", REAL)
def test_real_programs(variable: str, tmp_path: Path) -> None:
    root = os.environ.get(variable)
    benchmark = next(b for b in BENCHMARKS if b.variable == variable)
    if not root:
        pytest.skip(f"{variable}=DIR names a clone of {benchmark.source}")
    made = benchmark.builds(Path(root).resolve())[0]
    sources = sorted(p for pattern in made.sources for p in Path(root).resolve().glob(pattern))
    assert check(sources, REAL[variable].split(), tmp_path, made.flags) > 50
