"""The times of two kernels of a function that a loop calls in turn, one for each kernel: a sample
of its calls has both, in whatever period the calls are timed."""

from __future__ import annotations

from pathlib import Path

from runtime import build_program, plan_all, run
from staticana import canonical, compile_sources, parse_module

# With n of some thousands a call takes about 10 us, so that at most every second one is timed.
PROGRAM = """#include <stdlib.h>
static long data[64];
__attribute__((noinline)) static long rows(const long *a, long n, long which) {
    long s = 0;
    if (which)
        for (long i = 0; i < n; i++) s += a[(i * s) & 63];
    else
        for (long i = 0; i < n; i++) s += a[(i * s + 1) & 63];
    return s;
}
int main(int argc, char **argv) {
    long s = 0, n = atol(argv[1]), rounds = atol(argv[2]);
    for (long k = 0; k < 64; k++) data[k] = argc + k;
    for (long k = 0; k < rounds; k++) {
        s += rows(data, n, 0);
        s += rows(data, n, 1);
    }
    return s == 12345;
}
"""


def test_both_of_two_calls_in_turn_are_timed(tmp_path: Path) -> None:
    (tmp_path / "program.c").write_text(PROGRAM)
    text = canonical(compile_sources([tmp_path / "program.c"]))
    plan = plan_all(parse_module(text), timed=True, entries=False)
    program = build_program(text, plan, tmp_path / "program").executable
    for n in (1000, 1400, 2000, 2800, 4000, 5600):
        done = run([str(program), str(n), "400"], timeout_s=60, cells=tmp_path / f"cells{n}")
        assert done.counts is not None
        iterations = done.counts.iterations
        samples = done.counts.samples[iterations == 400 * n]
        assert len(samples) == 2
        assert samples.min() >= 0.2 * samples.sum(), n
