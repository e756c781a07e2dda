"""Events of a program are its own: none of the caller's, all of its children's."""

from __future__ import annotations

import errno
import os
import subprocess
from pathlib import Path

import pytest

from runtime import EVENTS, RunResult, run, unavailable
from runtime.launch import perf
from staticana import find_compiler

PAGES = 3000
TOUCH = """#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv) {
    long pages = atol(argv[1]), size = sysconf(_SC_PAGESIZE);
    for (int child = atoi(argv[2]); child > 0; child--) {
        pid_t pid = fork();
        if (pid == 0) break;
        waitpid(pid, 0, 0);
        if (child == 1) return 0;
    }
    volatile char *room = malloc(pages * size);
    for (long i = 0; i < pages; i++) room[i * size] = 1;
    return 0;
}
"""
TURNS = """#define _GNU_SOURCE
#include <sched.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv) {
    cpu_set_t all, one;
    int there[2], back[2], cpu = 0;
    char turn = 0;
    sched_getaffinity(0, sizeof all, &all);
    while (!CPU_ISSET(cpu, &all)) cpu++;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    if (sched_setaffinity(0, sizeof one, &one) || pipe(there) || pipe(back)) return 1;
    int child = fork() == 0;
    int from = child ? there[0] : back[0], to = child ? back[1] : there[1];
    for (int i = 0; i < atoi(argv[1]); i++) {
        if (child && read(from, &turn, 1) != 1) return 1;
        if (write(to, &turn, 1) != 1) return 1;
        if (!child && read(from, &turn, 1) != 1) return 1;
    }
    if (!child) wait(NULL);
    return 0;
}
"""
SPIN = """#include <stdlib.h>
int main(int argc, char **argv) {
    for (volatile long i = 0; i < atol(argv[1]); i++);
    return 0;
}
"""


def counted(source: str, folder: Path, event: str, *words: object) -> RunResult:
    """A run of the program, built without counters."""
    if (why := unavailable(event)) is not None:
        pytest.skip(f"{event.upper()} IS NOT TESTED: {why}")
    program, code = folder / "program", folder / "program.c"
    code.write_text(source)
    subprocess.run([*find_compiler().command, "-O1", str(code), "-o", str(program)], check=True)
    done = run([str(program), *map(str, words)], timeout_s=60, events=[event])
    assert done.status == "ok", done
    return done


@pytest.mark.parametrize("children", [0, 1, 3])
def test_pages_that_a_program_and_its_children_touch(children: int, tmp_path: Path) -> None:
    """Each process touches its pages once; starting up costs some hundred more."""
    found = counted(TOUCH, tmp_path, "page-faults", PAGES, children).events["page-faults"]
    touching = max(children, 1)
    assert isinstance(found, int)
    assert touching * PAGES <= found < touching * PAGES + 1000


def test_processes_that_take_turns_on_one_cpu_are_switched_at_each(tmp_path: Path) -> None:
    """Neither goes on before the other had the only CPU: both are switched away in each turn, but
    for the child in its last."""
    assert (
        counted(TURNS, tmp_path, "context-switches", 200).events["context-switches"] >= 2 * 200 - 1
    )


def test_cpu_time_is_that_of_the_operating_system(tmp_path: Path) -> None:
    done = counted(SPIN, tmp_path, "task-clock", 60_000_000)
    assert done.events["task-clock"] == pytest.approx(done.cpu_s, rel=0.2)


def test_instructions_grow_with_the_work(tmp_path: Path) -> None:
    few, twice, four = (
        counted(SPIN, tmp_path, "instructions", n * 1_000_000).events["instructions"]
        for n in (1, 2, 4)
    )
    assert (four - twice) / (twice - few) == pytest.approx(2, rel=0.01)


def test_the_caller_is_not_counted(tmp_path: Path) -> None:
    """What this process does while the program runs is no part of it."""
    if (why := unavailable("page-faults")) is not None:
        pytest.skip(f"PAGE-FAULTS IS NOT TESTED: {why}")
    with perf.ProcessEvents(["page-faults"]) as events:
        bytearray(64 << 20)
        assert events.values() == {}, "nothing was started"


def test_what_cannot_be_counted_fails_no_run(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(_: perf.Event) -> int:
        raise OSError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(perf, "_opened", refused)
    done = run(["true"], timeout_s=60, events=list(EVENTS))
    assert (done.status, done.events) == ("ok", {})
    assert "perf_event_paranoid" in str(unavailable("instructions"))


def test_an_event_that_shared_its_counter_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of the time it was not counted: the rest would be a guess."""
    times = {"shared": (1000, 500), "whole": (1000, 1000)}
    for kind, (enabled, running) in times.items():
        read, write = os.pipe()
        os.write(write, perf._READ.pack(42, enabled, running))
        monkeypatch.setattr(perf, "_opened", lambda _, fd=read: fd)
        with perf.ProcessEvents(["instructions"]) as events:
            assert events.values() == ({"instructions": 42} if kind == "whole" else {})
        os.close(write)
