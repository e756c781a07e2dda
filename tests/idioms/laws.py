"""Everyday C++: one idiom a program, each loop with the law that a programmer expects of it.

Behind the brace of a loop stands `/* law: FORMULA */` in n and m, the numbers in argv[1] and
argv[2]; `parametric` where only a run can tell, and `named` where each target of a pointer has a
count of its own. What is claimed to be exact is also held against the counts of a twin.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import sympy

from staticana import Analysis, Compiler, LoopResult, analyze, canonical, compile_sources
from tests.claims.oracle import contradictions
from tests.claims.truth import Run, Source, build

PROGRAMS = Path(__file__).parent / "programs"
_ARGS = re.compile(r"// args:(.*)")
_LAW = re.compile(r"\{ /\* law: (.*) \*/$")
_NAMES = ("n", "m", "k")
_BY_DATA = ("parametric", "named")


@dataclass(frozen=True)
class Idiom:
    """A program and what is expected of it: the law of each loop by line."""

    path: Path
    vectors: tuple[tuple[str, ...], ...]
    laws: dict[int, str]

    @classmethod
    def read(cls, path: Path) -> Idiom:
        lines = path.read_text().splitlines()
        args = _ARGS.match(lines[0])
        assert args is not None, path
        laws = {k: m[1] for k, line in enumerate(lines, 1) if (m := _LAW.search(line))}
        return cls(path, tuple(tuple(v.split()) for v in args[1].split("|")), laws)

    def runs(self, folder: Path, compiler: Compiler) -> list[Run]:
        """The counts of a twin, one for each vector."""
        source = Source(tuple(self.path.read_text().splitlines()))
        text = source.instrumented(statements=False)
        twin = build(text, ".cc", folder, compiler, flags=("-std=gnu++17",), name=self.path.stem)
        found = [twin.run(v, {}) for v in self.vectors]
        assert all(run is not None and run.is_meaningful for run in found), self.path
        return [run for run in found if run is not None]


@dataclass(frozen=True)
class Verdict:
    """What became of one loop. wrong: an exact formula or a bound that a count contradicts."""

    program: str
    line: int
    law: str
    found: str
    as_expected: bool
    wrong: bool


def verdicts(idiom: Idiom, runs: Sequence[Run], only: Compiler | None = None) -> list[Verdict]:
    """Each loop of a program against its law and against the counts."""
    text = compile_sources([idiom.path], flags=("-std=gnu++17",), only=only)
    analysis = analyze(canonical(text))
    source = Source(tuple(idiom.path.read_text().splitlines()))
    wrong = {
        w.at.split(":")[-2]
        for vector, run in zip(idiom.vectors, runs, strict=True)
        for _, w in contradictions(analysis, source, run, vector, file=idiom.path.name)
    }
    loops = {int(loop.at.split(":")[-2]): loop for loop in analysis.loops}
    found = []
    for line, law in idiom.laws.items():
        loop = loops.get(line)
        counts = [run.iterations.get(line, 0) for run in runs]
        right = _as_expected(idiom, analysis, loop, law, counts)
        text = "no loop" if loop is None else _shown(loop)
        found.append(Verdict(idiom.path.stem, line, law, text, right, str(line) in wrong))
    return found


def _shown(loop: LoopResult) -> str:
    total = loop.total
    return f"{total.kind} {total.formula if total.formula is not None else total.reason}"


def _as_expected(
    idiom: Idiom, analysis: Analysis, loop: LoopResult | None, law: str, counts: Sequence[int]
) -> bool:
    """Is the count exact and equal to the law, or of a kind that is expected?"""
    expected = None if law in _BY_DATA else sympy.sympify(law)
    if loop is None:  # a loop that never runs may be left out
        return not any(counts)
    if expected is None:
        return loop.total.kind in ("exact", "parametric")
    if loop.total.kind != "exact" or loop.total.formula is None:
        return False
    for vector, counted in zip(idiom.vectors, counts, strict=True):
        numbers = dict(zip(_NAMES, map(int, vector), strict=False))
        value = expected.subs(numbers)
        assert value == counted, (idiom.path.stem, loop.at, law, vector, counted)
        given = {
            p.name: int(vector[int(match[1]) - 1])
            for p in analysis.parameters
            if (match := re.fullmatch(r"argv\[(\d+)\]", p.origin)) and int(match[1]) <= len(vector)
        }
        given |= {p.name: len(vector) + 1 for p in analysis.parameters if p.origin == "argc"}
        if not loop.total.formula.symbols <= given.keys():
            return False
        if loop.total.formula.evaluate(given) != value:
            return False
    return True


def all_idioms(names: Sequence[str] = ()) -> list[Idiom]:
    """The programs, those that are named or all."""
    paths = sorted(PROGRAMS.glob("*.cc"))
    return [Idiom.read(p) for p in paths if not names or p.stem in names]
