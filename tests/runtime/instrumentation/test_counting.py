# ruff: noqa: E501  (lines of C in texts)
"""Instrumented programs count what the program itself counts, on every way out."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from runtime import build_program, instrument, plan_all, plan_for, run
from staticana import canonical, compile_sources, parse_module
from staticana.frontend.clang import find_compiler

# name -> (source, arguments, {line: (entries, iterations)})
PROGRAMS: dict[str, tuple[str, list[str], dict[int, tuple[int, int]]]] = {
    "breaks": (
        """int main(int argc, char **argv) {
    long s = argc;
    for (int i = 0; i < 10; i++) {
        if (i == 6) break;
        s += i;
    }
    for (;;) {
        if (s > 100) break;
        s += 7;
    }
    do {
        s -= 2;
    } while (s > 50);
    return argv[0][0] == s;
}
""",
        [],
        {3: (1, 7), 7: (1, 14), 11: (1, 29)},
    ),
    "promises_to_write_nothing": (
        """__attribute__((const, noinline)) int sum(int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s += i ^ n;
    return s;
}
__attribute__((pure, noinline)) static int above(const int *a, int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s += a[i] > 3;
    return s;
}
static int halves(int n) {
    int s = 0;
    for (; n; n /= 2) s++;
    return s;
}
int (*pointer)(int) __attribute__((const)) = halves;
int main(int argc, char **argv) {
    int a[10] = {4, 2}, s = 0;
    if (argc > 1) pointer = sum;
    for (int k = 0; k < 5; k++) s += sum(10) + above(a, argc + 9) + pointer(10);
    return argv[0][0] == s;
}
""",
        [],
        {3: (5, 50), 8: (5, 50), 13: (5, 20), 20: (1, 5)},
    ),
    "promises_nothing_else": (
        """#include <math.h>
int main(int argc, char **argv) {
    double s = argc;
    int k = 0;
    for (int i = 0; i < 9; i++) {
        s *= i;
        k += isinf(s);  // a call of which no more is promised than that it writes nothing
    }
    return argv[0][0] == k;
}
""",
        [],
        {5: (1, 9)},
    ),
    "exit_in_callee": (
        """#include <stdlib.h>
static void leave(int i) {
    for (int k = 0; k < 3; k++) {
        if (i == 4 && k == 1) exit(0);
    }
}
int main(void) {
    for (int i = 0; i < 10; i++) {
        leave(i);
    }
    return 1;
}
""",
        [],
        {3: (5, 14), 8: (1, 5)},
    ),
    "abort": (
        """#include <stdlib.h>
int main(int argc, char **argv) {
    volatile long s = argc + argv[0][0];
    for (int i = 0; i < 10; i++) {
        s++;
        if (i == 6) abort();
    }
    return 0;
}
""",
        [],
        {4: (1, 7)},
    ),
    "longjmp": (
        """#include <setjmp.h>
static jmp_buf back;
static void work(int n) {
    for (int i = 0; i < n; i++) {
        if (i == 2) longjmp(back, 1);
    }
}
int main(void) {
    volatile int tries = 0;
    if (setjmp(back) == 0) tries = 0;
    if (tries++ < 4) work(10);
    return 0;
}
""",
        [],
        {4: (4, 12)},
    ),
    "recursion": (
        """#include <stdlib.h>
static long walk(int n) {
    long s = 0;
    for (int i = 0; i < 2; i++) {
        s += n > 0 ? walk(n - 1) : 1;
    }
    return s;
}
int main(int argc, char **argv) {
    return argc < 2 || walk(atoi(argv[1])) != 32;
}
""",
        ["4"],
        {4: (31, 62)},
    ),
    "threads": (
        """#include <pthread.h>
static void *work(void *p) {
    volatile long s = 0;
    for (long i = 0; i < (long)p; i++) {
        s += i;
    }
    return 0;
}
int main(void) {
    pthread_t t[6];
    for (long k = 0; k < 6; k++) {
        pthread_create(&t[k], 0, work, (void *)(k * 1000));
    }
    for (int k = 0; k < 6; k++) {
        pthread_join(t[k], 0);
    }
    return 0;
}
""",
        [],
        {4: (6, 15000), 11: (1, 6), 14: (1, 6)},
    ),
    "fork": (
        """#include <sys/wait.h>
#include <unistd.h>
static void work(int n) {
    volatile long s = 0;
    for (int i = 0; i < n; i++) {
        s++;
    }
}
int main(void) {
    work(10);
    if (fork() == 0) {
        work(100);
        return 0;
    }
    wait(0);
    work(1000);
    return 0;
}
""",
        [],
        {5: (3, 1110)},
    ),
    "switch_exit": (
        """#include <stdlib.h>
int main(int argc, char **argv) {
    long s = 0;
    for (int i = 0; i < argc * 100; i++) {
        switch (i % 16) {
        case 9:
        case 11:
            if (i > 60) goto out;
            break;
        case 12:
            continue;
        default:
            s += i;
        }
        while (s % 7) {
            s++;
        }
    }
out:
    return s == 0 && argv[0] == NULL;
}
""",
        [],
        {4: (1, 74)},
    ),
}

CXX = """#include <stdexcept>
#include <vector>
struct Table { Table() { for (int i = 0; i < 5; i++) { rows.push_back(i); } } std::vector<int> rows; };
static Table table;
static long risky(int n) {
    long s = 0;
    for (int i = 0; i < n; i++) {
        s += i;
        if (s > 1000) throw std::runtime_error("too much");
    }
    return s;
}
int main() {
    long t = 0;
    for (int k = 0; k < 5; k++) {
        try {
            t += risky(40 * (k + 1));
        } catch (const std::exception &) {
            t--;
        }
    }
    for (auto x : table.rows) {
        t += x;
    }
    return t == 0;
}
"""


def count(
    path: Path, arguments: list[str], folder: Path, *, tail_calls: bool = False
) -> tuple[dict[int, tuple[int, int]], str]:
    """{line: (entries, iterations)} of the loops in the file itself, and the run's reason;
    tail_calls: as compilers mark calls that are handed no local variable."""
    text = canonical(compile_sources([path]))
    if tail_calls:
        text = re.sub(r"(?<== )call (?=.* @sum\()", "tail call ", text)
        assert "tail call" in text
    plan = plan_all(parse_module(text))
    program = build_program(text, plan, folder / "program", cxx=path.suffix == ".cc")
    result = run([str(program.executable), *arguments], timeout_s=60, cells=folder / "cells")
    assert result.counts is not None
    found = {
        int(c.at.split(":")[-2]): (
            int(result.counts.entries[c.id]),
            int(result.counts.iterations[c.id]),
        )
        for c in plan.counters
        if path.name in c.at
    }
    return found, result.reason


@pytest.mark.parametrize("compiler", ["", "zig"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_counts_on_every_way_out(
    name: str, compiler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOOPLAW_CC", compiler)
    source, arguments, expected = PROGRAMS[name]
    path = tmp_path / f"{name}.c"
    path.write_text(source)
    found, reason = count(path, arguments, tmp_path)
    assert {line: found[line] for line in expected} == expected
    assert reason == ("crashed: SIGABRT" if name == "abort" else "")


def test_tail_calls_are_handed_the_counts_of_their_callers(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text("""#include <stdlib.h>
static unsigned char bytes[64];
__attribute__((noinline)) static unsigned sum(unsigned n) {
    unsigned s = 0;
    for (unsigned i = 0; i < n; i++) s += bytes[i];
    return s;
}
int main(int argc, char **argv) {
    return sum(atoi(argv[1]));
}
""")
    found, reason = count(path, ["12"], tmp_path, tail_calls=True)
    assert not reason
    assert found[5] == (1, 12)


def test_exceptions_and_static_constructors(tmp_path: Path) -> None:
    if find_compiler().kind == "zig" or shutil.which(find_compiler().cxx[0]) is None:
        pytest.skip("no clang++ here, and building zig's C++ library takes minutes")
    path = tmp_path / "program.cc"
    path.write_text(CXX)
    found, reason = count(path, [], tmp_path)
    assert not reason
    assert found[3] == (1, 5)
    assert found[7] == (5, 40 + 4 * 46)
    assert found[15] == (1, 5)
    assert found[22] == (1, 5)


def test_known_loops_get_no_counter(tmp_path: Path) -> None:
    """A loop whose count is known exactly costs nothing; its kernel is still timed."""
    source = tmp_path / "program.c"
    source.write_text("""#include <stdlib.h>
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    volatile int s = 0;
    for (int i = 0; i < n; i++) {
        s += i;
    }
    for (int i = 0; i < n; i++) {
        while (s > 3) {
            s /= 2;
        }
        s += i;
    }
    return 0;
}
""")
    text = canonical(compile_sources([source]))
    module = parse_module(text)
    every = {int(c.at.split(":")[-2]): (c.function, c.header) for c in plan_all(module).counters}
    plan = plan_for(module, every.values(), known=[every[5], every[8]])
    assert {int(c.at.split(":")[-2]): c.counted for c in plan.counters} == {
        5: False,
        8: False,
        9: True,
    }
    counts = run(
        [str(build_program(text, plan, tmp_path / "program").executable), "6"],
        cells=tmp_path / "cells",
    ).counts
    assert counts is not None
    assert counts.iterations.tolist()[:2] == [-1, -1]
    assert counts.iterations[2] > 0
    assert counts.samples.tolist() == [1, 1, 0]
    alone = instrument(module, plan_for(module, [every[9]], timed=False, entries=False))
    assert alone.layout.words == 1
