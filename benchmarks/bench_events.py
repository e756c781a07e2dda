"""The cost of an event: a call of a kernel that is counted, kept apart by its argument, and timed.

    python -m benchmarks.bench_events [--events 50000000] [--json FILE]

A loop calls the runtime that instrumented programs are linked with, once for each event. Printed
are nanoseconds of CPU time for an event, the least of five rounds: without time stamps; with
sampled stamps, as in instrumented programs (at random events, at most once in 32,768 ticks); with
two stamps at every event; and for comparison the cost of two stamps alone and of the empty loop.
The last figure is a reader's time for a snapshot of the whole file.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import tempfile
import time
from pathlib import Path

from runtime import read_units
from runtime.build.build import runtime_object
from runtime.counters.word_layout import ROW_WORDS, TURN_WORDS, CallLayout, Layout, LoopLayout
from staticana import find_compiler

_SNAPSHOTS = 100
"""Of which the mean time is shown."""
_PROGRAM = """
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
struct unit {
    uint64_t words;
    const char *plan;
    uint64_t plan_bytes, tables;
    const uint64_t *table;
    uint64_t sampled;
    const uint64_t *group;
    uint64_t index, generation;
};
void *__looplaw_attach(struct unit *, uint64_t **);
void __looplaw_call_1_1(struct unit *, uint64_t *, uint64_t, const uint64_t *);
void __looplaw_timed_call(struct unit *, uint64_t *, uint64_t, uint64_t, const uint64_t *);
uint64_t __looplaw_now(void), __looplaw_turn(uint64_t *, uint64_t, uint64_t *);
static const char plan[] = PLAN;
static const uint64_t table[] = {ROW, 512, 1, 0};
static const uint64_t group[] = {0};
static struct unit unit = {WORDS, plan, sizeof plan - 1, 1, table, 1, group, 0, 0};
static __thread struct { uint64_t *words, left; } own;
static long events;
static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
enum { NEVER, SOMETIMES, ALWAYS, NOTHING, STAMPS, KINDS };
static double round_of(int kind) {
    uint64_t values[2] = {3, 0};
    double start = now();
    for (long k = 0; k < events; k++) {
        int timed = kind == ALWAYS;
        values[1] = (uint64_t)k & 63;
        __asm__ volatile("" : : "r"(values) : "memory");
        if (kind == NOTHING) continue;
        if (kind == STAMPS) {
            __looplaw_now();
            __looplaw_now();
            continue;
        }
        if (kind == SOMETIMES && (int64_t)--own.left < 0) /* as in every function */
            timed = __looplaw_turn(own.words, 0, &own.left) != 0;
        if (timed) __looplaw_timed_call(&unit, own.words, 0, __looplaw_now(), values);
        else __looplaw_call_1_1(&unit, own.words, 0, values);
    }
    return (now() - start) / (double)events * 1e9;
}
static void *other(void *p) { __looplaw_attach(&unit, &own.words); round_of(NEVER); return p; }
int main(int argc, char **argv) {
    double best[KINDS] = {1e9, 1e9, 1e9, 1e9, 1e9};
    events = atol(argv[argc - 1]);
    __looplaw_attach(&unit, &own.words);
    for (int r = 0; r < 5; r++)
        for (int kind = 0; kind < KINDS; kind++) {
            double ns = round_of(kind);
            if (ns < best[kind]) best[kind] = ns;
        }
    events = 1000;
    pthread_t t[3];
    for (int k = 0; k < 3; k++) { pthread_create(&t[k], 0, other, 0); }
    for (int k = 0; k < 3; k++) { pthread_join(t[k], 0); }
    for (int kind = 0; kind < KINDS; kind++) printf("%f\\n", best[kind]);
    return 0;
}
"""


def _build(folder: Path) -> Path:
    """Compile the program that makes the events."""
    kernel = CallLayout(0, (0,), ("n",))
    layout = Layout(
        TURN_WORDS, (LoopLayout("f", "h", "f.c:1:1", 1, 0, None, None, None, None, kernel),)
    )
    source, program = folder / "events.c", folder / "events"
    source.write_text(
        _PROGRAM.replace("PLAN;", json.dumps(layout.to_text()) + ";")
        .replace("ROW", str(ROW_WORDS + 2))
        .replace("WORDS", str(TURN_WORDS))
    )
    compiler = find_compiler()
    objects = [str(source), str(runtime_object(compiler)), "-lpthread"]
    subprocess.run([*compiler.command, "-O2", *objects, "-o", str(program)], check=True)
    return program


def main() -> None:
    """Build, run, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--events", type=int, default=20_000_000)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cells = folder / "cells"
        done = subprocess.run(
            [str(_build(folder)), str(options.events)],
            env={**os.environ, "LOOPLAW_CELLS": str(cells)},
            capture_output=True,
            text=True,
            check=True,
        )
        plain, sampled, timed, empty, stamps = map(float, done.stdout.split())
        started = time.perf_counter()
        for _ in range(_SNAPSHOTS):
            units = read_units(cells)
        snapshot_us = (time.perf_counter() - started) * 1e6 / _SNAPSHOTS
        rows = units[0].counts.calls.rows
        size = cells.stat().st_size
    counted = sum(r.calls for r in rows)
    expected = 15 * options.events + 3000
    print(
        f"{plain:.1f} ns an event, {sampled:.1f} ns with sampled time stamps, {timed:.1f} ns with"
        f" both stamps at every event; two stamps alone take {stamps:.1f} ns, the empty loop"
        f" {empty:.2f} ns\n{counted} events in {len(rows)} rows, {size} bytes (expected"
        f" {expected}); a snapshot takes {snapshot_us:.0f} us"
    )
    if options.json:
        found = {
            "event_ns": plain,
            "sampled_event_ns": sampled,
            "timed_event_ns": timed,
            "stamps_ns": stamps,
            "loop_ns": empty,
            "snapshot_us": snapshot_us,
            "exact": counted == expected,
        }
        options.json.write_text(json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
