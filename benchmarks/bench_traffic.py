"""Lines from the memory law against an exact LRU simulation of the addresses that kernels touch.

    [POLYBENCH=DIR] python -m benchmarks.bench_traffic [--json FILE] [KERNEL ...]

The programs of `traffic_programs` at two sizes each, and the kernels of PolyBench/C 4.2.1 where
POLYBENCH names its folder, with the data sets MINI, SMALL and MEDIUM; caches of 32 KB and 256 KB.
The simulation counts the loads and stores of the kernel as clang compiles it at -O1. It needs a
clang with -fsanitize-coverage=trace-loads: CLANG, or one of those on PATH.
"""

from __future__ import annotations

import argparse
import functools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from looplaw_common.errors import LooplawError
from looplaw_common.files import write_whole
from staticana import canonical, compile_sources
from staticana.interprocedural.program import Program
from staticana.ir.parser import parse_module
from staticana.traffic import Refused, TrafficLaw, traffic

CAPACITIES = (32 << 10, 256 << 10)
DATA_SETS = ("MINI", "SMALL", "MEDIUM")
SURE_WITHIN = 0.05
"""Errors up to this are right."""
_PROGRAMS = Path(__file__).with_name("traffic_programs")
_SIZES: Mapping[str, tuple[tuple[int, int], tuple[int, int]]] = {
    "blocked": ((100, 16), (200, 40)),
    "branches": ((60, 0), (300, 0)),
    "fft": ((4096, 0), (65536, 0)),
    "gather": ((20_000, 5000), (100_000, 100_000)),
    "hash": ((20_000, 5000), (100_000, 100_000)),
    "histogram": ((20_000, 5000), (200_000, 300_000)),
    "rows": ((60, 0), (150, 0)),
    "search": ((20_000, 1 << 12), (100_000, 1 << 17)),
    "spmv": ((2000, 2000), (20_000, 20_000)),
    "stencil7": ((24, 4), (60, 3)),
    "structs": ((400, 3), (10_000, 3)),
    "transpose": ((100, 0), (700, 0)),
    "triangle": ((60, 0), (250, 0)),
    "vectors": ((1000, 3), (30_000, 3)),
    "walks": ((5000, 7), (50_000, 13)),
}
"""(n, m) of the programs."""
_UNKNOWNS: Mapping[str, Mapping[str, int]] = {
    "gather": {"x_bytes": 8},
    "hash": {"table_bytes": 8},
    "histogram": {"h_bytes": 4},
    "search": {"a_bytes": 8},
    "spmv": {"x_bytes": 8},
}
"""Bytes of an element of the object of m elements that data choose from."""
_CLANGS = ("clang", *(f"clang-{k}" for k in range(22, 13, -1)))
_TRUTH = Path(__file__).with_name("traffic_truth.c")


def simulated(
    source: Path, flags: tuple[str, ...], capacities: tuple[int, ...] = CAPACITIES
) -> list[int]:
    """Lines that miss each cache, exactly; the program times its kernel as PolyBench does.

    Raises:
        subprocess.CalledProcessError: it cannot be built or run.
    """
    compiler = _clang()
    with tempfile.TemporaryDirectory() as folder:
        kernel, cache, program = (str(Path(folder, n)) for n in ("k.o", "c.o", "p"))
        libraries = ("-lstdc++",) if source.suffix == ".cpp" else ()
        trace = "-fsanitize-coverage=func,trace-pc,trace-loads,trace-stores"
        run = (
            [compiler, "-O1", "-fno-vectorize", trace, *flags, "-c", str(source), "-o", kernel],
            [compiler, "-O2", "-c", str(_TRUTH), "-o", cache],
            [compiler, kernel, cache, "-lm", *libraries, "-o", program],
        )
        for command in run:
            subprocess.run(command, check=True, capture_output=True)
        found = subprocess.run(
            [program],
            check=True,
            capture_output=True,
            text=True,
            env={**os.environ, "LOOPLAW_CAPACITIES": ",".join(map(str, capacities))},
        )
    return [int(line) for line in found.stdout.split()]


@functools.cache
def _clang() -> str:
    chosen = os.environ.get("CLANG")
    found = chosen or next((c for c in _CLANGS if shutil.which(c)), None)
    if found is None:
        sys.exit("bench_traffic: no clang on PATH; set CLANG")
    return found


@dataclass(frozen=True)
class Row:
    """One kernel at one size. law, low, high, simulated: lines for each of `CAPACITIES`; reason:
    why there is no law, or why it is not sure."""

    kernel: str
    size: str
    law: tuple[float, ...] = ()
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
    simulated: tuple[int, ...] = ()
    sure: bool = False
    reason: str = ""
    cpu_s: float = 0.0

    @property
    def errors(self) -> tuple[float, ...]:
        """Relative errors."""
        return tuple(a / b - 1 for a, b in zip(self.law, self.simulated, strict=True))

    @property
    def is_right(self) -> bool:
        """Is it close to the simulation everywhere?"""
        return bool(self.law) and max(map(abs, self.errors)) <= SURE_WITHIN

    def text(self) -> str:
        """A line of the table."""
        if not self.law:
            return f"{self.kernel:15} {self.size:>14} refused: {self.reason}"
        cells = " ".join(
            f"{a:12.0f} {b:12d} {100 * e:+7.1f}"
            for a, b, e in zip(self.law, self.simulated, self.errors, strict=True)
        )
        note = "" if self.sure else f" not sure: {self.reason}"
        return f"{self.kernel:15} {self.size:>14} {cells} {self.cpu_s:6.1f}{note}"


def _macros(source: Path, flags: tuple[str, ...]) -> dict[str, int]:
    text = subprocess.run(
        [_clang(), *flags, "-E", "-dM", str(source)], check=True, capture_output=True, text=True
    ).stdout
    found = re.findall(r"^#define (\w+) (\d+)$", text, re.MULTILINE)
    return {name.lower(): int(value) for name, value in found}


def _row(
    source: Path, size: str, entry: str, flags: tuple[str, ...], values: Mapping[str, int]
) -> Row:
    """Law and simulation of a kernel; `values`: of parameters."""
    start = time.process_time()
    try:
        text = canonical(compile_sources((str(source),), flags=flags))
        law = traffic(Program(parse_module(text), entry=entry))
        found = law.at({p: values[p] for p in _wanted(law, values)}, CAPACITIES)
    except (LooplawError, KeyError) as why:
        return Row(source.stem, size, reason=str(why))
    seconds = time.process_time() - start
    levels = found.levels
    return Row(
        source.stem,
        size,
        tuple(x.missed for x in levels),
        tuple(x.low for x in levels),
        tuple(x.high for x in levels),
        tuple(simulated(source, flags)),
        bool(found.is_sure),
        next((x.reason for x in levels if x.reason), ""),
        seconds,
    )


def _wanted(law: TrafficLaw, values: Mapping[str, int]) -> list[str]:
    """The parameters of a law; fractions that data decide may stay without a value."""
    missing = [p for p in law.parameters if p not in values and p not in law.fractions]
    if missing:
        raise Refused(f"no value for {', '.join(missing)}")
    return [p for p in law.parameters if p in values]


def polybench_rows(folder: Path, only: set[str]) -> Iterator[Row]:
    """The kernels of PolyBench."""
    for line in (folder / "utilities" / "benchmark_list").read_text().split():
        source = folder / line
        if only and source.stem not in only:
            continue
        entry = "kernel_" + source.stem.replace("-", "_")
        include = ("-I", str(folder / "utilities"), "-I", str(source.parent))
        for name in DATA_SETS:
            # some kernels' time steps are a macro, not an argument
            flags = (*include, "-DPOLYBENCH_USE_C99_PROTO", f"-D{name}_DATASET", "-DPOLYBENCH_TIME")
            yield _row(source, name, entry, flags, _macros(source, flags))


def program_rows(only: set[str]) -> Iterator[Row]:
    """The programs beside this file."""
    for source in sorted(_PROGRAMS.glob("*.c*")):
        if only and source.stem not in only:
            continue
        for n, m in _SIZES[source.stem]:
            values = {"n": n, "m": m, "this_size": n, "y_size": n}
            values |= {k: size * m for k, size in _UNKNOWNS.get(source.stem, {}).items()}
            values["t1"] = m.bit_length() if source.stem == "search" else 5
            flags = (f"-DN={n}", f"-DM={m}")
            yield _row(source, f"{n}, {m}" if m else str(n), "kernel", flags, values)


def _summary(rows: list[Row], title: str) -> str:
    kernels = {r.kernel for r in rows}
    wrong = {r.kernel for r in rows if not r.is_right}
    misleading = sum(r.sure and max(map(abs, r.errors)) > 0.1 for r in rows if r.law)
    most = max((r.cpu_s for r in rows), default=0.0)
    return (
        f"{title}: {len(kernels - wrong)} of {len(kernels)} within 5 % at every size; sure but off"
        f" by more than 10 %: {misleading}; CPU seconds of a kernel at most {most:.1f}"
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="bench_traffic")
    parser.add_argument("--json", type=Path)
    parser.add_argument("kernels", nargs="*")
    given = parser.parse_args()
    only = set(given.kernels)
    folder = Path(os.environ.get("POLYBENCH", ""))
    groups = [("programs", program_rows(only))]
    if os.environ.get("POLYBENCH"):
        if not (folder / "utilities" / "benchmark_list").is_file():
            sys.exit("bench_traffic: POLYBENCH must name the folder of PolyBench/C 4.2.1")
        groups.append(("PolyBench", polybench_rows(folder, only)))
    caches = " ".join(
        f"{f'law, {c >> 10} KB':>12} {'simulated':>12} {'error %':>7}" for c in CAPACITIES
    )
    print(f"{'kernel':15} {'size':>14} {caches} {'CPU s':>6}")
    found: dict[str, list[Row]] = {}
    for title, rows in groups:
        for row in rows:
            found.setdefault(title, []).append(row)
            print(row.text(), flush=True)
    for title, group in found.items():
        print(_summary(group, title))
    if given.json is not None:
        document = {title: [asdict(r) for r in group] for title, group in found.items()}
        write_whole(given.json, json.dumps(document, indent=1) + "\n")


if __name__ == "__main__":
    main()
