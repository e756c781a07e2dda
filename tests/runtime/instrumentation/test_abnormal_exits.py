"""No count is lost or doubled, whatever way a function, a thread or the process is left; by hand
counts in comments."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from runtime import build_program, plan_all, run
from runtime.counters.run_files import files_of_run
from staticana import InputError, canonical, compile_sources, find_compiler, parse_module

# name -> (source, {line: (entries, iterations)}, how the run ends); the expected numbers are
# counted by hand
PROGRAMS: dict[str, tuple[str, dict[int, tuple[int, int]], str]] = {
    "_exit": (
        """#include <unistd.h>
int main(void) {
    for (int i = 0; i < 10; i++) {
        for (int k = 0; k < 3; k++) {
            if (i == 4 && k == 1) _exit(0);
        }
    }
    return 1;
}
""",
        {3: (1, 5), 4: (5, 14)},
        "",
    ),
    "crash": (
        """int main(void) {
    volatile int *nowhere = 0;
    for (int i = 0; i < 10; i++) {
        for (int k = 0; k < 2; k++) {
            if (i == 6 && k == 1) *nowhere = 1;
        }
    }
    return 0;
}
""",
        {3: (1, 7), 4: (7, 14)},
        "crashed: SIGSEGV",
    ),
    "killed": (
        """#include <signal.h>
#include <unistd.h>
static long sum(const long *a, int n) {
    long s = 0;
    for (int i = 0; i < n; i++) {
        s += a[i];
    }
    return s;
}
int main(void) {
    static long a[1000];
    for (int i = 0; i < 100; i++) {
        a[i] = sum(a, i * 10);
        if (i == 42) kill(getpid(), SIGKILL);
    }
    return 0;
}
""",
        {5: (43, 9030), 12: (1, 43)},
        "crashed: SIGKILL",
    ),
    "terminated": (
        """#include <signal.h>
int main(void) {
    for (int i = 0; i < 10; i++) {
        if (i == 3) raise(SIGTERM);
    }
    return 0;
}
""",
        {3: (1, 4)},
        "crashed: SIGTERM",
    ),
    "own_handler": (
        """#include <signal.h>
#include <stdlib.h>
static int a[64];
static int total(int n) {
    int s = 0;
    for (int i = 0; i < n; i++) {
        s += a[i];
    }
    return s;
}
static void on_signal(int number) {
    a[1] = total(number) + total(8);
    if (number == SIGINT) exit(total(3) - 3);
}
int main(void) {
    for (int i = 0; i < 64; i++) {
        a[i] = 1;
    }
    signal(SIGTERM, on_signal);
    signal(SIGINT, on_signal);
    for (int k = 0; k < 5; k++) {
        raise(SIGTERM);
        a[1] = 1;
    }
    raise(SIGINT);
    return 1;
}
""",
        {6: (13, 5 * 15 + 5 * 8 + 2 + 8 + 3), 16: (1, 64), 21: (1, 5)},
        "exit code 9",
    ),
    "fork_within": (
        """#include <sys/wait.h>
#include <unistd.h>
static int split(void) {
    int children = 0;
    for (int i = 0; i < 3; i++) {
        if (fork() == 0) return -1;
        children++;
    }
    return children;
}
int main(void) {
    int children = 0;
    for (int round = 0; round < 2; round++) {
        children = split();
        if (children < 0) break;
    }
    for (int i = 0; i < 6; i++) {
        if (children > 0) wait(0);
    }
    return 0;
}
""",
        {5: (2, 6), 13: (1, 2), 17: (7, 42)},
        "",
    ),
    "exec": (
        """#include <unistd.h>
int main(int argc, char **argv) {
    for (int i = 0; i < 5 + argc; i++) {
        if (i == 4 && argc == 1) execl(argv[0], argv[0], "again", (char *)0);
    }
    return 0;
}
""",
        {3: (2, 5 + 7)},
        "",
    ),
    "pthread_exit": (
        """#include <pthread.h>
static void *work(void *p) {
    for (long i = 0;; i++) {
        for (long k = 0; k < 3; k++) {
            if (i == (long)p) pthread_exit(0);
        }
    }
}
int main(void) {
    for (long k = 0; k < 40; k++) {
        pthread_t t;
        pthread_create(&t, 0, work, (void *)k);
        pthread_join(t, 0);
    }
    return 0;
}
""",
        {3: (40, 820), 4: (820, 3 * 780 + 40), 10: (1, 40)},
        "",
    ),
    "atexit": (
        """#include <stdlib.h>
static volatile int s;
static void late(void) {
    for (int i = 0; i < 6; i++) {
        s++;
    }
}
__attribute__((destructor)) static void later(void) {
    for (int i = 0; i < 7; i++) {
        s++;
    }
}
__attribute__((constructor(101))) static void early(void) {
    for (int i = 0; i < 8; i++) {
        s++;
    }
}
int main(void) {
    atexit(late);
    return 0;
}
""",
        {4: (1, 6), 9: (1, 7), 14: (1, 8)},
        "",
    ),
    "setjmp": (
        """#include <setjmp.h>
static jmp_buf back;
static int depth;
static void jump(void) {
    for (int i = 0; i < 4; i++) {
        if (i == 2 && depth++ < 3) longjmp(back, depth);
    }
}
int main(void) {
    for (volatile int k = 0; k < 5; k++) {
        int n = setjmp(back);
        for (int i = 0; i < n; i++) {
            depth += 0;
        }
        jump();
    }
    return 0;
}
""",
        {5: (8, 9 + 20), 10: (1, 5), 12: (8, 6)},
        "",
    ),
}

CXX = """#include <cstdlib>
#include <stdexcept>
#include <vector>
static volatile int kept;
struct Late { ~Late() { for (int i = 0; i < 3; i++) { kept += i; } } };
static Late first;
static int deep(int n) {
    for (int i = 0; i < 3; i++) {
        if (n == 0 && i == 1) throw n;
        if (n > 0) deep(n - 1);
    }
    return n;
}
template <class T> static T total(const std::vector<T> &v) {
    T s = 0;
    for (auto x : v) {
        s += x;
    }
    return s;
}
int main() {
    int caught = 0;
    for (int i = 0; i < 4; i++) {
        try {
            deep(i);
        } catch (int) {
            for (int k = 0; k < 2; k++) {
                caught++;
            }
        }
    }
    std::vector<int> a(10, 1);
    std::vector<double> b(20, 1.0);
    if (total(a) + total(b) + caught != 38) return 1;
    std::exit(0);
}
"""


def counts(path: Path, folder: Path) -> tuple[dict[int, tuple[int, int]], str]:
    """{line: (entries, iterations)} over all processes of a run, and how it ended."""
    text = canonical(compile_sources([path]))
    plan = plan_all(parse_module(text))
    program = build_program(text, plan, folder / "program", cxx=path.suffix == ".cc")
    result = run([str(program.executable)], timeout_s=60, cells=folder / "cells")
    assert result.counts is not None
    assert result.counts.is_complete
    assert not result.stderr
    found: dict[int, tuple[int, int]] = {}
    for c in plan.counters:
        line = int(c.at.split(":")[-2])
        before = found.get(line, (0, 0))
        found[line] = (
            before[0] + int(result.counts.entries[c.id]),
            before[1] + int(result.counts.iterations[c.id]),
        )
    return found, result.reason


@pytest.mark.parametrize("name", PROGRAMS)
def test_nothing_is_lost(name: str, tmp_path: Path) -> None:
    source, expected, end = PROGRAMS[name]
    path = tmp_path / f"{name}.c"
    path.write_text(source)
    found, reason = counts(path, tmp_path)
    assert found == expected
    assert reason == end


def test_exceptions_templates_and_destructors(tmp_path: Path) -> None:
    if find_compiler().kind == "zig" or shutil.which(find_compiler().cxx[0]) is None:
        pytest.skip("no clang++ here, and building zig's C++ library takes minutes")
    path = tmp_path / "program.cc"
    path.write_text(CXX)
    found, reason = counts(path, tmp_path)
    assert not reason
    assert found[5] == (1, 3)
    assert found[8] == (
        10,
        14,
    )  # deep(n): one entry in each of n + 1 frames; one iteration each, two in the last
    assert found[16] == (2, 30)
    assert found[23] == (1, 4)
    assert found[27] == (4, 8)


def test_processes_write_files_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(PROGRAMS["fork_within"][0])
    counts(path, tmp_path)
    assert len(files_of_run(tmp_path / "cells")) == 7


def test_full_disk_is_reported_and_the_program_goes_on(tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full on this system")
    path = tmp_path / "program.c"
    path.write_text(PROGRAMS["atexit"][0])
    text = canonical(compile_sources([path]))
    program = build_program(text, plan_all(parse_module(text)), tmp_path / "program").executable
    for target, word in (
        (tmp_path / "missing" / "cells", "no such folder"),
        (Path("/dev/full"), "cannot write"),
    ):
        done = subprocess.run(
            [str(program)],
            env={**os.environ, "LOOPLAW_CELLS": str(target)},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stderr.count("\n") == 1
        assert word in done.stderr


def test_limit_of_the_file_keeps_what_was_counted(tmp_path: Path) -> None:
    """Threads whose counters no longer fit are reported; the others' counts stay right."""
    path = tmp_path / "program.c"
    path.write_text("""#include <pthread.h>
static pthread_barrier_t all;
static void *work(void *p) {
    for (long i = 0; i < 10; i++) {
        pthread_barrier_wait(&all);
    }
    return p;
}
int main(void) {
    pthread_t t[200];
    pthread_barrier_init(&all, 0, 200);
    for (int k = 0; k < 200; k++) {
        pthread_create(&t[k], 0, work, 0);
    }
    for (int k = 0; k < 200; k++) {
        pthread_join(t[k], 0);
    }
    return 0;
}
""")
    text = canonical(compile_sources([path]))
    plan = plan_all(parse_module(text))
    program = build_program(text, plan, tmp_path / "program").executable
    limited = tmp_path / "limited.sh"
    limited.write_text(f"trap '' XFSZ\nulimit -f 16\nexec '{program}'\n")
    result = run(["bash", str(limited)], timeout_s=60, cells=tmp_path / "cells")
    assert result.counts is not None
    assert not result.counts.is_complete
    assert (result.status, result.reason) == (
        "failed",
        f"the counts of {result.counts.lost} threads did not fit",
    )
    assert "counts are incomplete" in result.stderr
    at = {int(c.at.split(":")[-2]): c.id for c in plan.counters}
    counted = result.counts.iterations
    assert counted[at[12]] == 200
    assert counted[at[15]] == 200
    assert counted[at[4]] == 10 * (200 - result.counts.lost)


def test_precise_counters_survive_a_crash_within_a_loop(tmp_path: Path) -> None:
    """Iteration 4096 (the 4097th) writes behind the only page that may be written."""
    path = tmp_path / "program.c"
    path.write_text("""#include <sys/mman.h>
int main(void) {
    char *p = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(p + 4096, 4096, PROT_NONE);
    for (int i = 0; i < 8192; i++) {
        p[i] = 1;
    }
    return p[0];
}
""")
    text = canonical(compile_sources([path]))
    plan = plan_all(parse_module(text), precise=True)
    program = build_program(text, plan, tmp_path / "program").executable
    result = run([str(program)], timeout_s=60, cells=tmp_path / "cells")
    assert result.reason == "crashed: SIGSEGV"
    assert result.counts is not None
    assert result.counts.iterations.tolist() == [4097]


def test_constructors_run_with_every_linker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """lld does not merge .ctors into .init_array; the order of priorities is kept."""
    path = tmp_path / "program.c"
    path.write_text(
        "#include <stdio.h>\n"
        "__attribute__((constructor)) static void c(void) { putchar('c'); }\n"
        "__attribute__((constructor(300))) static void b(void) { putchar('b'); }\n"
        "__attribute__((constructor(200))) static void a(void) { putchar('a'); }\n"
        "__attribute__((destructor(200))) static void z(void) { putchar('z'); fflush(stdout); }\n"
        "__attribute__((destructor)) static void y(void) { putchar('y'); }\n"
        "int main(void) { putchar('m'); return 0; }\n"
    )
    for name in ("", "zig"):
        monkeypatch.setenv("LOOPLAW_CC", name)
        try:
            text = canonical(compile_sources([path]))
        except InputError:
            continue
        program = build_program(text, None, tmp_path / f"program{name}").executable
        assert subprocess.run([str(program)], capture_output=True).stdout == b"abcmyz"
