"""Lines from the memory law against an exact LRU simulation of the addresses that kernels touch.

    POLYBENCH=DIR python -m benchmarks.bench_traffic [KERNEL ...]

DIR is PolyBench/C 4.2.1, of which the data sets MINI, SMALL and MEDIUM are run; caches of 32 KB and
256 KB. The simulation counts the loads and stores of the kernel as clang compiles it at -O1.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from looplaw_common.errors import LooplawError
from staticana import canonical, compile_sources
from staticana.interprocedural.program import Program
from staticana.ir.parser import parse_module
from staticana.traffic import traffic

CAPACITIES = (32 << 10, 256 << 10)
DATA_SETS = ("MINI", "SMALL", "MEDIUM")
_TRUTH = Path(__file__).with_name("traffic_truth.c")


def simulated(
    source: Path, flags: tuple[str, ...], capacities: tuple[int, ...] = CAPACITIES
) -> list[int]:
    """Lines that miss each cache, exactly; the program times its kernel as PolyBench does.

    Raises:
        subprocess.CalledProcessError: it cannot be built or run.
    """
    compiler = os.environ.get("CLANG", "clang")
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


def _macros(source: Path, flags: tuple[str, ...]) -> dict[str, int]:
    compiler = os.environ.get("CLANG", "clang")
    text = subprocess.run(
        [compiler, *flags, "-E", "-dM", str(source)], check=True, capture_output=True, text=True
    ).stdout
    found = re.findall(r"^#define (\w+) (\d+)$", text, re.MULTILINE)
    return {name.lower(): int(value) for name, value in found}


def kernel_row(folder: Path, source: Path) -> str:
    """One line of the table."""
    entry = "kernel_" + source.stem.replace("-", "_")
    common = (
        "-I",
        str(folder / "utilities"),
        "-I",
        str(source.parent),
        "-DPOLYBENCH_USE_C99_PROTO",
    )
    errors: list[float] = []
    cells: list[str] = []
    try:
        seconds = 0.0
        for name in DATA_SETS:
            flags = (*common, f"-D{name}_DATASET", "-DPOLYBENCH_TIME")
            start = time.process_time()
            # heat-3d's time steps are a macro, not the kernel's argument
            text = canonical(compile_sources((str(source),), flags=flags))
            law = traffic(Program(parse_module(text), entry=entry))
            seconds += time.process_time() - start
            truth = simulated(source, flags)
            macros = _macros(source, flags)
            parameters = {p: macros[p] for p in law.parameters}
            start = time.process_time()
            found = law.at(parameters, CAPACITIES)
            for level, exact in zip(found.levels, truth, strict=True):
                error = level.missed / exact - 1
                errors.append(error)
                cells.append(f"{100 * error:+7.1f}")
            seconds += time.process_time() - start
    except (LooplawError, KeyError) as why:
        return f"{source.stem:16} refused: {why}"
    within = "yes" if max(map(abs, errors)) <= 0.05 else "NO"
    return f"{source.stem:16} {' '.join(cells)} {within:>4} {seconds:7.1f} s"


def main() -> None:
    """Print the table."""
    folder = Path(os.environ.get("POLYBENCH", ""))
    benchmarks = folder / "utilities" / "benchmark_list"
    if not os.environ.get("POLYBENCH") or not benchmarks.is_file():
        sys.exit("bench_traffic: POLYBENCH must name the folder of PolyBench/C 4.2.1")
    only = set(sys.argv[1:])
    print("error of the lines in %, by data set and cache (32 KB, 256 KB); within 5 %; CPU seconds")
    rows = []
    for line in benchmarks.read_text().split():
        source = folder / line
        if not only or source.stem in only:
            rows.append(kernel_row(folder, source))
            print(rows[-1], flush=True)
    good = sum(" yes " in row for row in rows)
    print(f"{good} of {len(rows)} within 5 % everywhere")


if __name__ == "__main__":
    main()
