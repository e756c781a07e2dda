"""The call graphs of the test programs against runs in which a compiler's hooks count calls."""

from __future__ import annotations

import random
import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest

import looplaw as ll
from staticana import find_compiler
from tests.places import ROOT

HOOKS = """#include <stdio.h>
#include <stdlib.h>
#define N __attribute__((no_instrument_function))
static void *stack[100000], *pairs[10000][2];
static long depth, number, counts[10000];
N static void print(void) {
    FILE *f = fopen(getenv("CALLS"), "w");
    for (long k = 0; k < number; k++)
        fprintf(f, "%p %p %ld\\n", pairs[k][0], pairs[k][1], counts[k]);
    fclose(f);
}
N void __cyg_profile_func_enter(void *function, void *site) {
    void *caller = depth ? stack[depth - 1] : NULL;
    if (!depth && !number) atexit(print);
    stack[depth++] = function;
    long k = 0;
    while (k < number && (pairs[k][0] != caller || pairs[k][1] != function)) k++;
    if (k == number) { pairs[k][0] = caller; pairs[k][1] = function; number++; }
    counts[k]++;
}
N void __cyg_profile_func_exit(void *function, void *site) { depth--; }
"""
RANGES = re.compile(r"// vary: ([^;\n]+);")
CASES = re.compile(r"/\* ([^:]*: \w+=.*?)\*/")
FILES = sorted(
    file for part in ("programs", "whole/programs") for file in (ROOT / "tests" / part).glob("*.c")
)
SYMBOL = re.compile(r"^([0-9a-f]+) [tT] (\w+)$", re.MULTILINE)


def cases(text: str) -> list[tuple[list[str], dict[str, int]]]:
    """Command lines and the parameters that they are, as the first line of a program has them."""
    if found := CASES.match(text):
        pairs = [case.split(":") for case in found[1].split("|")]
        return [
            (words.split(), {n: int(v) for n, v in (w.split("=") for w in values.split())})
            for words, values in pairs
        ]
    found = RANGES.match(text)
    if found is None:
        return []
    ranges = [word.partition("=") for word in found[1].split()]
    limits = {name: [int(v) for v in values.split(":")] for name, _, values in ranges}
    draw = random.Random(text)
    points = [{name: span[k] for name, span in limits.items()} for k in (0, -1)]
    points.append({name: draw.randint(span[0], span[-1]) for name, span in limits.items()})
    return [([*map(str, point.values())], point) for point in points]


@pytest.mark.slow
@pytest.mark.parametrize("path", [f for f in FILES if cases(f.read_text())], ids=lambda f: f.stem)
def test_exact_calls_are_as_many_as_a_run_makes(path: Path, tmp_path: Path) -> None:
    graph = ll.analyze(path, matrix=False).call_graph
    (tmp_path / "hooks.c").write_text(HOOKS)
    command = [*find_compiler().command, "-O0", "-w", "-no-pie", "-finstrument-functions"]
    program, told = tmp_path / "program", tmp_path / "calls"
    subprocess.run([*command, path, tmp_path / "hooks.c", "-lm", "-o", program], check=True)
    named = subprocess.run(["nm", program], capture_output=True, text=True, check=True).stdout
    symbols = {int(address, 16): name for address, name in SYMBOL.findall(named)}
    for words, point in cases(path.read_text()):
        told.unlink(missing_ok=True)
        subprocess.run(
            [program, *words],
            env={"CALLS": str(told)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=tmp_path,
            check=False,
            timeout=60,
        )
        made: Counter[tuple[str, str]] = Counter()
        for line in told.read_text().splitlines():
            caller, callee, number = line.replace("(nil)", "0").split()
            if caller != "0":
                made[symbols[int(caller, 16)], symbols[int(callee, 16)]] = int(number)
        for edge in made.keys() if "setjmp" not in path.read_text() else ():
            assert graph.has_edge(*edge) or edge[1] not in graph, (edge, point)
        for *edge, calls in graph.edges(data="calls"):
            totals = [total.evaluate(point) for total in calls.values() if total.kind == "exact"]
            if len(totals) == len(calls) and None not in totals:
                assert sum(totals) == made[tuple(edge)], (edge, point)
