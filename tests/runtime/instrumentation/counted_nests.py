"""Nests of loops in C, each in a function of its own, which count themselves in a second build:
that is what an instrumented program must count."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from runtime import Program, build_program, plan_all, run
from staticana import Module, canonical, compile_sources, parse_module
from staticana.frontend.clang import find_compiler

_HEAD = """#include <stdio.h>
#include <stdlib.h>
#ifdef COUNTED
#define COUNT(f, k) counted[f][k]++
#else
#define COUNT(f, k)
#endif
static long counted[64][3];
static int d[64], e[64];
static void show(void) {
#ifdef COUNTED
    fprintf(stderr, "counts");
    for (int f = 0; f < 64; f++) for (int k = 0; k < 3; k++) fprintf(stderr, " %ld", counted[f][k]);
#endif
}
static void leave(long t) { show(); exit(t == 5); }
"""
_MAIN = """int main(int argc, char **argv) {
    int which = atoi(argv[1]), n = argc < 4 ? 0 : argc - 3;
    int *a = n ? malloc((n + 1) * sizeof *a) : NULL, *b = n ? malloc((n + 1) * sizeof *b) : NULL;
    for (int i = 0; i < 64; i++) d[i] = i * 37 % 64;
    for (int i = 0; n && i <= n; i++) { a[i] = atoi(argv[i + 2]); b[i] = 2 * i; }
"""


@dataclass(frozen=True)
class CountedNests:
    """A program of nests and what counts them: its `oracle` is built without an optimiser."""

    names: tuple[str, ...]
    module: Module
    program: Program
    oracle: Path

    @staticmethod
    def build(folder: Path, declarations: str, nests: Mapping[str, str]) -> CountedNests:
        """The program of the nests; each gets n, a and b (n + 1 numbers each, none where n is 0),
        adds to t, and has C(k) in the body of its loop number k from 0."""
        parts, calls = [_HEAD, declarations], list[str]()
        for f, (name, text) in enumerate(nests.items()):
            body = text.replace("C(", f"COUNT({f}, ")
            parts.append(
                f"static long {name}(int n, int *a, int *b) {{ long t = 0; {body} return t; }}"
            )
            calls.append(f'    if (which == {f}) printf("%ld\\n", {name}(n, a, b));')
        source = folder / "nests.c"
        source.write_text(
            "\n".join([*parts, _MAIN, *calls, "    show();", "    return 0;", "}", ""])
        )
        module = parse_module(canonical(compile_sources([source])))
        program = build_program(module.text, plan_all(module, timed=False), folder / "nests")
        command = [*find_compiler().command, "-O0", "-w", "-DCOUNTED", str(source)]
        subprocess.run([*command, "-o", str(folder / "oracle")], check=True)
        return CountedNests(tuple(nests), module, program, folder / "oracle")

    def counts(
        self, name: str, numbers: Sequence[int], folder: Path
    ) -> tuple[list[int], list[int]]:
        """The iterations of the loops of a nest that it counts, counted, and as they are."""
        f = self.names.index(name)
        arguments = [str(f), *map(str, numbers)]
        told = subprocess.run(
            [self.oracle, *arguments], capture_output=True, text=True, check=False
        )
        wanted = [int(n) for n in told.stderr.split()[1:]][3 * f : 3 * f + 3]
        done = run([str(self.program.executable), *arguments], cells=folder / "cells")
        assert done.counts is not None
        plan = plan_all(self.module, timed=False).counters
        ids = [c.id for c in plan if c.function == name]
        found = [int(done.counts.iterations[k]) for k in ids]
        return found, wanted[: len(found)]
