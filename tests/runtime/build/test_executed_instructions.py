"""Instructions of a program's own, counted in its machine code."""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import partial
from pathlib import Path

import pytest

from runtime import build_program, counted_instructions, plan_all, run
from runtime.build.executed_instructions import BlockCounters
from runtime.instrumentation.counter_cost import library_price
from staticana import canonical, compile_sources, parse_module

PROGRAM = """
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
/* three ways by one comparison: the flags are alive where a block begins */
static int order(long a, long b) { return a < b ? -1 : a == b ? 0 : 1; }
static long mix(long n) {
    long s = 0;
    for (long i = 0; i < n; i++) {
        switch (i % 7) {
        case 0: s += 3; break;
        case 1: s ^= i; break;
        case 3: s -= order(s, i); break;
        case 5: s += s & 1 ? 2 : 9; break;
        default: s += order(i, s % 5);
        }
    }
    return s;
}
int main(int argc, char **argv) {
    long n = atol(argv[1]);
    if (argc > 2 && argv[2][0] == 'f') {
        if (fork() == 0) _exit(mix(n) & 1);
        int status;
        wait(&status);
    }
    if (argc > 2 && argv[2][0] == 'x') { volatile long s = mix(n); _exit(s & 0); }
    printf("%ld\\n", mix(n));
    return 0;
}
"""


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("blocks") / "program.c"
    path.write_text(PROGRAM)
    found = canonical(compile_sources([path]))
    if not BlockCounters.support(found):
        pytest.skip("the assembly of this machine is not read")
    return found


def counted(text: str, *words: str, counters: bool = False) -> float:
    plan = plan_all(parse_module(text), timed=False) if counters else None

    def succeeds(executable: Path) -> bool:
        return run([str(executable), *words]).status == "ok"

    found = counted_instructions(text, plan, succeeds)
    assert found is not None
    return found


def test_iterations_are_counted_to_the_single_instruction(text: str) -> None:
    one, two, three = (counted(text, str(7 * n)) for n in (1000, 2000, 3000))
    assert abs((three - two) - (two - one)) < 0.01 * (two - one), "what a number decides may differ"
    assert two - one > 7 * 1000 * 4


def test_the_program_does_what_it_does_without(text: str, tmp_path: Path) -> None:
    plain = build_program(text, None, tmp_path / "plain").executable
    blocks = BlockCounters(tmp_path / "counts")
    made = build_program(text, None, tmp_path / "counted", code=blocks.code).executable
    for n in ("0", "1", "12345"):
        said = [subprocess.check_output([str(p), n]) for p in (plain, made)]
        assert said[0] == said[1]
    assert blocks.executed(library_price) is not None


def test_counts_outlive_exits_and_include_processes(text: str) -> None:
    alone = counted(text, "50000")
    assert counted(text, "50000", "x") == pytest.approx(alone, rel=0.05), "_exit()"
    assert counted(text, "50000", "f") == pytest.approx(2 * alone, rel=0.05), "a forked process"


def test_what_counters_cost_is_what_callgrind_counts(text: str, tmp_path: Path) -> None:
    if shutil.which("valgrind") is None:
        pytest.skip("no valgrind")
    plan, words = plan_all(parse_module(text), timed=False), "200000"

    def by_callgrind(counters: bool, n: str) -> int:
        path = tmp_path / f"{counters}{n}"
        made = build_program(text, plan if counters else None, path).executable
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", str(made), n],
            capture_output=True,
            text=True,
            check=True,
        )
        found = re.search(r"Collected : (\d+)", done.stderr)
        assert found is not None
        return int(found.group(1))

    run_of = partial(counted, text, words)
    for counters in (False, True):
        measured = by_callgrind(counters, words) - by_callgrind(counters, "0")
        assert run_of(counters=counters) == pytest.approx(measured, rel=0.01)


def test_no_run_tells_nothing(text: str) -> None:
    assert counted_instructions(text, None, lambda _: False) is None
    assert not BlockCounters.support(text.replace("x86_64", "aarch64"))
