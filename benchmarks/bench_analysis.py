"""CPU time and memory of the static analysis, for a generated C++ program and for given programs.

    python -m benchmarks.bench_analysis [--instructions 6500 100000] [--json FILE] [PROGRAM ...]

A program is a file, or several with commas between them (`a.c,b.c`); --flag=-I. and the like go to
the compiler. Each program is analysed in a process of its own, and its time includes the imports.
The table shows medians over several runs; several numbers of instructions give the curve.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

_WORKER = "--worker"


def cxx_program(instructions: int, seed: int) -> str:
    """Generate a C++ program with a template class and nested loops, of about so many IR
    instructions.

    It has one loop in 80 instructions, as proxy applications do (LULESH: one in 90).
    """
    generator = random.Random(seed)
    parts = [
        "#include <cstdlib>",
        "template <class T> struct Grid {",
        "    T *data; int n, m;",
        "    T &at(int i, int j) { return data[i * m + j]; }",
        "};",
    ]
    count = max(1, instructions // 485)
    for k in range(count):
        step = generator.choice(["i++", "i += 2", "i *= 2"])
        parts += [
            f"static double kernel{k}(Grid<double> &g, int n, int m, double a) {{",
            "    double s = 0;",
            f"    for (int i = 1; i < n; {step}) {{",
            f"        for (int j = {generator.randint(0, 2)}; j < m; j++) {{",
            "            g.at(i % g.n, j % g.m) = a * g.at(i % g.n, j % g.m) + i - j;",
            *(
                f"            s += g.at((i + {d}) % g.n, (j + {d}) % g.m) * {d}.5 - a / (1.0 + s"
                " * s);"
                for d in range(25)
            ),
            "            if (j > i) s += g.at(i % g.n, j % g.m);",
            "        }",
            "        for (int j = i; j > 0; j /= 2) s += j;",
            "    }",
            "    for (int i = 0; i < n; i++)",
            "        for (int j = i; j < n; j++)",
            "            for (int l = j; l < m; l += 3) s += i * j - l;",
            "    return s;",
            "}",
        ]
    calls = "\n".join(f"        s += kernel{k}(g, n + {k}, i, s);" for k in range(count))
    parts += [
        "int main(int argc, char **argv) {",
        "    int n = atoi(argv[1]), m = atoi(argv[2]);",
        "    Grid<double> g = {new double[10000], 100, 100};",
        "    double s = 0;",
        "    for (int i = 0; i < m; i++) {",
        calls,
        "    }",
        "    delete[] g.data;",
        "    return s > 0;",
        "}",
    ]
    return "\n".join(parts) + "\n"


def worker(program: str, flags: list[str]) -> None:
    """Analyse a program once and print time and memory as JSON."""
    started = time.process_time()
    from staticana import analyze_module, canonical, compile_sources, parse_module

    ir = compile_sources(program.split(","), flags=flags)
    read = time.process_time()
    text = canonical(ir)
    compiled = time.process_time()
    module = parse_module(text)
    analysis = analyze_module(module, matrix=False)
    finished = time.process_time()
    kinds = [loop.total.kind for loop in (*analysis.loops, *analysis.library)]
    print(
        json.dumps(
            {
                "instructions": sum(
                    len(b.instructions)
                    for f in module.functions.values()
                    for b in f.blocks.values()
                ),
                "loops": len(kinds),
                "exact": kinds.count("exact"),
                "parametric": kinds.count("parametric"),
                "other": kinds.count("bounded") + kinds.count("unknown"),
                "analysis_s": finished - compiled,
                "canonical_s": compiled - read,
                "total_s": finished - started,
                "memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
            }
        )
    )


def main() -> None:
    """Run and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", nargs="*")
    parser.add_argument("--instructions", type=int, nargs="*", default=[6500])
    parser.add_argument("--flag", action="append", default=[], dest="flags")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    rows = {}
    with tempfile.TemporaryDirectory() as folder:
        written = []
        for number in options.instructions:
            written.append(Path(folder) / f"generated-{number}.cc")
            written[-1].write_text(cxx_program(number, options.seed))
        for program in (*map(str, written), *options.programs):
            found = [
                json.loads(
                    subprocess.run(
                        [
                            *(sys.executable, "-m", "benchmarks.bench_analysis", _WORKER),
                            *(program, *options.flags),
                        ],
                        capture_output=True,
                        text=True,
                        check=True,
                    ).stdout
                )
                for _ in range(options.runs)
            ]
            rows[Path(program.split(",")[0]).name] = {
                k: statistics.median(f[k] for f in found) for k in found[0]
            }
    print(
        f"{'program':<24}{'instr.':>8}{'loops':>7}{'exact':>7}{'param.':>8}{'other':>7}"
        f"{'analysis s':>12}{'all s':>8}{'MB':>7}"
    )
    for name, r in rows.items():
        print(
            f"{name:<24}{r['instructions']:>8.0f}{r['loops']:>7.0f}{r['exact']:>7.0f}"
            f"{r['parametric']:>8.0f}"
            f"{r['other']:>7.0f}{r['analysis_s']:>12.2f}{r['total_s']:>8.2f}{r['memory_mb']:>7.0f}"
        )
    print("CPU seconds; all: imports, IR passes and analysis, without the compiler itself.")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    if len(sys.argv) > 2 and sys.argv[1] == _WORKER:
        worker(sys.argv[2], sys.argv[3:])
    else:
        main()
