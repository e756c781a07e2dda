"""IR that was optimised before it came here: rotated loops are counted as their source says."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from staticana import analyze_module, canonical, compile_sources, parse_module
from staticana.frontend.clang import find_compiler
from tests.twin import analysed, line_of

SOURCE = """#include <stdlib.h>
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    volatile long s = 0;
    for (int i = 0; i < n; i++) {
        for (int j = i; j < n; j += 2) {
            s++;
        }
    }
    do {
        s += 2;
    } while (--n > 0);
    return argc < 0;
}
"""


@pytest.mark.parametrize("level", ["-O0", "-O1"])
def test_bitcode_of_other_levels(level: str, tmp_path: Path) -> None:
    source, bitcode = tmp_path / "program.c", tmp_path / "program.bc"
    source.write_text(SOURCE)
    subprocess.run(
        [
            *find_compiler().command,
            "-fno-sanitize=undefined",
            level,
            "-g",
            "-fno-vectorize",
            "-fno-unroll-loops",
            "-c",
            "-emit-llvm",
            str(source),
            "-o",
            str(bitcode),
        ],
        check=True,
        capture_output=True,
    )
    totals = {int(line_of(loop.at).split(":")[1]): loop.total for loop in analysed([bitcode]).loops}
    for n in (1, 2, 5, 8):
        values = {"n": n, "argv1": n}
        for line, expected in ((5, n), (6, sum(len(range(i, n, 2)) for i in range(n))), (10, n)):
            if totals[line].kind == "exact":
                assert totals[line].evaluate(values) == expected, (
                    level,
                    line,
                    str(totals[line].formula),
                )
    assert totals[5].kind == "exact"


def test_parts_of_threads_that_are_unrolled_do_not_add_up(tmp_path: Path) -> None:
    """Two threads with 25 iterations each run 24 pairs, one with 50 runs 25."""
    if find_compiler().kind == "zig":
        pytest.skip("zig compiles with its own flags")
    source, ir = tmp_path / "program.c", tmp_path / "program.ll"
    source.write_text("""#include <stdlib.h>
long a[100000];
int main(int argc, char **argv) {
    long n = atol(argv[1]), s = 0;
#pragma omp parallel for reduction(+ : s)
    for (long i = 0; i < n; i++) {
        s += a[i] % 7;
    }
    return s;
}
""")
    kinds = []
    for times in ("1", "2"):
        unrolled = ["-mllvm", f"-unroll-count={times}", "-mllvm", "-unroll-runtime"]
        made = ["-S", "-emit-llvm", str(source), "-o", str(ir)]
        subprocess.run(
            [*find_compiler().command, "-O2", "-g", "-fopenmp", "-fno-vectorize", *unrolled, *made],
            check=True,
            capture_output=True,
        )
        kinds.append({loop.total.kind for loop in analysed([ir]).loops})
    assert kinds[0] == {"exact"}
    assert "exact" not in kinds[1]


def test_values_at_entries_are_registers_of_the_program(tmp_path: Path) -> None:
    """The analysis inlines short functions, whose registers the program that runs does not have."""
    compiler, ir = find_compiler(), tmp_path / "program.ll"
    if compiler.kind == "zig" or shutil.which(compiler.cxx[0]) is None:
        pytest.skip("no clang++ here")
    source = Path(__file__).parents[2] / "claims" / "programs" / "pushes_thrown.cc"
    made = ["-O2", "-g", "-S", "-emit-llvm", str(source), "-o", str(ir)]
    subprocess.run([*compiler.cxx, *made], check=True, capture_output=True)
    module = parse_module(canonical(compile_sources([ir])))
    found = analyze_module(module, entries=True).entries
    assert found
    for e in found:
        f = module.functions[e.function]
        known = f.definitions.keys() | {p.token for p in f.parameters}
        assert {t for h in e.holders for t in h.tokens if t.startswith("%")} <= known
