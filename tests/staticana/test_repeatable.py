"""An analysis says the same whenever it is run, and leaves the interpreter as it was."""

from __future__ import annotations

import gc
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from staticana import InputError, analyze, canonical, compile_sources
from tests.places import ROOT

SOURCE = """
struct grid { unsigned n; };
long total(struct grid *a, struct grid *b, struct grid *c, struct grid *d) {
    long s = 0;
    for (unsigned i = 0; i < a->n / b->n + c->n / d->n; i++) s += i;
    return s;
}
"""
OPTIONS = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
    int n = 32, m = 5;
    const char *out = "";
    for (int i = 1; i < argc; ++i) {
        const char *a = argv[i];
        if (!strcmp(a, "-n")) {
            n = atoi(argv[++i]);
        } else if (!strcmp(a, "-i")) {
            m = atoi(argv[++i]);
        } else if (!strcmp(a, "-o")) {
            out = argv[++i];
        } else {
            fprintf(stderr, "unknown %s\\n", a);
            exit(1);
        }
    }
    long s = 0;
    for (int k = 0; k < n * m; k++) s += k;
    printf("%s %ld\\n", out, s);
    return 0;
}
"""
ANALYSE = """
import json, sys
from pathlib import Path
from staticana import analyze
for name, entry in zip(sys.argv[1::2], sys.argv[2::2]):
    print(json.dumps(analyze(Path(name).read_text(), entry=entry).to_json()))
"""


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> str:
    source = tmp_path_factory.mktemp("repeatable") / "total.c"
    source.write_text(SOURCE)
    return canonical(compile_sources([source]))


def test_the_order_of_sets_names_nothing(text: str, tmp_path: Path) -> None:
    """How strings are hashed decides neither which of four values of one name gets which number,
    nor what a loop over options that unoptimised code keeps in memory is called."""
    module, source, options = (tmp_path / name for name in ("total.ll", "options.c", "options.ll"))
    module.write_text(text)
    source.write_text(OPTIONS)
    options.write_text(compile_sources([source]))
    root = str(ROOT)
    found = {
        subprocess.run(
            [sys.executable, "-c", ANALYSE, str(module), "total", str(options), "main"],
            capture_output=True,
            text=True,
            check=True,
            cwd=root,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": root},
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(found) == 1


@pytest.mark.parametrize("enabled", [True, False])
def test_the_collector_of_cycles_is_left_as_it_was(text: str, enabled: bool) -> None:
    before = gc.isenabled()
    try:
        (gc.enable if enabled else gc.disable)()
        analyze(text, entry="total")
        assert gc.isenabled() == enabled
        with pytest.raises(InputError):
            analyze(text, entry="total", parameters={"n": "global:missing"})
        assert gc.isenabled() == enabled
    finally:
        (gc.enable if before else gc.disable)()


def test_what_another_program_was_analysed_before_changes_nothing() -> None:
    """The same program, its types under other numbers: values in memory carry these."""
    path = ROOT / "tests" / "whole" / "programs" / "csr_handed.c"
    text = canonical(compile_sources([path]))
    other = re.sub(r"!(\d+)\b", lambda m: f"!{int(m[1]) + 1}", text)
    alone = [str(loop.total.formula) for loop in analyze(other, matrix=False).loops]
    analyze(text, matrix=False)
    assert [str(loop.total.formula) for loop in analyze(other, matrix=False).loops] == alone
    assert not any("ptr" in formula for formula in alone)
