"""Whole programs of the families, judged: analysed from the IR of each compiler and run.

The truth is counted once, by a twin that one of the compilers has built.
"""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from staticana import Compiler, LoopResult, analyze_module
from tests.claims.oracle import THREADS, contradictions
from tests.claims.truth import Run, Source, build

from .families import FAMILIES, Program, Vector, program
from .modules import Batch, twin_main

BATCH = 40


@dataclass(frozen=True)
class Finding:
    """One loop of one program by one compiler: the kind of its total, why it is not exact; `wrong`
    is what a run contradicts, `sort` of which claim."""

    program: Program
    compiler: str
    kind: str
    reason: str = ""
    wrong: str | None = None
    sort: str = ""
    compared: int = 0
    assumptions: tuple[str, ...] = ()


@dataclass
class Judged:
    """All findings of one program."""

    program: Program
    runs: int = 0
    findings: list[Finding] = field(default_factory=list)

    @property
    def wrong(self) -> list[Finding]:
        return [f for f in self.findings if f.wrong]


def draw(
    numbers: Iterable[int], seed: int, families: Sequence[str] = tuple(FAMILIES)
) -> list[Program]:
    """The programs of a seed with these numbers, as many of each family."""
    return [program(families[k % len(families)], seed, k) for k in numbers]


def batches(programs: Sequence[Program], size: int = BATCH) -> Iterator[list[Program]]:
    """Those that may share a file."""

    def shelf(p: Program) -> tuple[bool, str, tuple[str, ...]]:
        return p.is_cxx, p.standard, p.flags

    for p in programs:
        if p.alone:
            yield [p]
    rest = sorted((p for p in programs if not p.alone), key=shelf)
    for _, group in itertools.groupby(rest, shelf):
        some = list(group)
        for at in range(0, len(some), size):
            yield some[at : at + size]


def judge(
    programs: Sequence[Program], compilers: Sequence[Compiler], *, strict: bool = False
) -> list[Judged]:
    """The programs of one file."""
    batch = Batch.of(programs)
    source = Source(batch.lines)
    found = [Judged(p) for p in programs]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        runs = _runs(batch, source, compilers[-1], folder)
        for j, r in zip(found, runs, strict=True):
            j.runs = len(r)
        for compiler in compilers:
            for k, module in enumerate(batch.modules(compiler, folder)):
                j = found[k]
                j.findings += _judged(batch, source, k, module, runs[k], str(compiler), strict)
    return found


def _runs(
    batch: Batch, source: Source, compiler: Compiler, folder: Path
) -> list[list[tuple[Vector, Run]]]:
    """The runs of each program that mean something."""
    twin = build(
        source.instrumented(statements=True),
        batch.suffix,
        folder,
        compiler,
        flags=batch.flags,
        main=twin_main(batch),
    )
    found = []
    for k, p in enumerate(batch.programs):
        some = []
        for v in p.vectors:
            run = twin.run(v.words, {**dict(v.environment), "TWIN_PROGRAM": str(k)}, v.stdin)
            if run is not None and run.is_meaningful:
                some.append((v, run))
        found.append(some)
    return found


def _judged(batch, source, k, module, runs, compiler, strict):  # type: ignore[no-untyped-def]
    p = batch.programs[k]
    first = batch.starts[k] + 1
    last = first + len(p.lines)
    try:
        analysis = analyze_module(module, strict=strict, matrix=False)
    except Exception as error:  # any failure is a finding
        text = f"{type(error).__name__}: {error}"
        return [Finding(p, compiler, "failure", wrong=text, sort=type(error).__name__)]
    bad: dict[str, tuple[str, str]] = {}
    for vector, run in runs:
        found = contradictions(
            analysis,
            source,
            run,
            vector.words,
            file=f"program{batch.suffix}",
            first=first,
            statements=True,
            threads=int(dict(vector.environment).get("OMP_NUM_THREADS", THREADS)),
        )
        for loop, wrong in found:
            bad.setdefault(loop.at, (wrong.sort, str(wrong)))
    findings = []
    for loop in analysis.loops:
        line = _line(loop)
        if not first <= line < last:
            continue
        sort, text = bad.get(loop.at, ("", None))
        total = loop.total
        shown = f"{p.lines[line - first].strip()}: {text}" if text else None
        findings.append(
            Finding(
                p,
                compiler,
                total.kind,
                total.reason or "",
                shown,
                sort,
                len(runs),
                total.assumptions,
            )
        )
    return findings


def _line(loop: LoopResult) -> int:
    return int(loop.at.rsplit(":", 2)[1])
