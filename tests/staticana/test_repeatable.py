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
ANALYSE = """
import json, sys
from pathlib import Path
from staticana import analyze
print(json.dumps(analyze(Path(sys.argv[1]).read_text(), entry="total").to_json()))
"""


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> str:
    source = tmp_path_factory.mktemp("repeatable") / "total.c"
    source.write_text(SOURCE)
    return canonical(compile_sources([source]))


def test_the_order_of_sets_names_nothing(text: str, tmp_path: Path) -> None:
    """Four values of one name: which gets which number does not depend on how strings are hashed.
    Four values of one name: which gets which number does not depend on how strings are hashed."""
    module = tmp_path / "total.ll"
    module.write_text(text)
    root = str(ROOT)
    found = {
        subprocess.run(
            [sys.executable, "-c", ANALYSE, str(module)],
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
