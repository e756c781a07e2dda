"""The analysis does not depend on the compiler: equal kinds and equal formulas, word by word, for
IR of one program by clang 14, 16, 19, 22 and zig.

The IR is kept in tests/staticana/corpus, written by tools/ir_corpus.py.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Collection
from pathlib import Path

import pytest

from benchmarks import bench_compilers
from staticana import analyze, canonical, compile_sources
from tools.ir_corpus import COMPILERS, CORPUS, modules, sources

_FILES = sorted(CORPUS.glob("*.xz"))


_COLUMN = re.compile(r"(\.\w+:\d+):\d+")


def _found(text: str) -> list[tuple[str, ...]]:
    """The laws of a module; reasons without columns, which compilers count differently."""
    analysis = analyze(canonical(text), seconds=20)
    return [
        (
            loop.at,
            total.kind,
            *map(str, (total.formula, total.lower, total.upper)),
            _COLUMN.sub(r"\1", str(total.reason)),
        )
        for loop in analysis.loops
        for total in (loop.total,)
    ]


def _compare(path: Path, compilers: Collection[str]) -> None:
    texts = modules(path)
    assert tuple(texts) == COMPILERS
    first, *others = ((name, _found(texts[name])) for name in compilers)
    for name, found in others:
        assert found == first[1], f"{name} differs from {first[0]}"


@pytest.mark.parametrize("path", _FILES, ids=lambda p: p.stem)
def test_the_oldest_and_the_newest_compiler_lead_to_the_same_laws(path: Path) -> None:
    _compare(path, (COMPILERS[0], *COMPILERS[-2:]))


@pytest.mark.slow
@pytest.mark.parametrize("path", _FILES, ids=lambda p: p.stem)
def test_every_compiler_leads_to_the_same_laws(path: Path) -> None:
    _compare(path, COMPILERS)


def test_the_corpus_is_that_of_the_programs() -> None:
    """After a sample or a program has changed: .venv/bin/python tools/ir_corpus.py."""
    known = {f"{s.parent.name}-{s.stem}" for s in sources()}
    assert {p.stem for p in _FILES} <= known
    assert len(_FILES) > 60
    assert sum(p.stat().st_size for p in _FILES) < 3_000_000


def test_an_atomic_update_is_no_loop() -> None:
    """clang 14 repeats a compare-and-exchange where others write `atomicrmw fadd`; a loop of the
    source that does the same, by a goto too, stays one."""
    found = modules(CORPUS / "compilers-openmp_loops.xz")
    assert "cmpxchg" in found["clang-14"]
    for text in found.values():
        assert {loop.total.kind for loop in analyze(canonical(text)).loops} == {"exact"}
    source = (
        "#include <stdatomic.h>\n#include <stdlib.h>\n_Atomic int a;\n"
        "int main(int argc, char **argv) {\n  int n = atoi(argv[1]), seen = a;\n"
        "  while (!atomic_compare_exchange_weak(&a, &seen, seen + n)) {\n  }\n"
        "again:\n  if (!atomic_compare_exchange_weak(&a, &seen, seen * n)) goto again;\n"
        "  return a;\n}\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.c"
        path.write_text(source)
        loops = analyze(canonical(compile_sources([path]))).loops
    assert sorted(int(loop.at.split(":")[-2]) for loop in loops) == [6, 9]
    assert {loop.total.kind for loop in loops} == {"parametric"}


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit",
    [
        unit
        for name in ("compilers", "programs", "samples")
        for unit in bench_compilers.units(name, bench_compilers.SETS[name])
    ]
    + [unit for found in bench_compilers.real_programs().values() for unit in found],
    ids=lambda unit: unit.name,
)
def test_the_compilers_of_this_machine_lead_to_the_same_laws(unit: bench_compilers.Unit) -> None:
    """Also programs that use C++'s library, and those that variables such as POLYBENCH name."""
    compilers = bench_compilers.available()
    row = bench_compilers.compare(unit.name, [unit], compilers)
    assert not row.differing
    if not row.programs:
        pytest.skip("no compiler here has what it needs")
