"""Small whole programs, each loop with the law that a person would write for it.

The first comment of a program holds the vectors of arguments it is run with, between bars, each
with the values that its named inputs have in that run; a comment behind a loop's brace holds the
law of its iterations in the whole run. A name in a law that no run gives a value to stands for a
count that ends by data; the analysis may call it otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from pathlib import Path

import sympy

from staticana import Analysis, Compiler, LoopResult, analyze, canonical, compile_sources
from tests.claims.truth import Source, build

PROGRAMS = Path(__file__).parent / "programs"
DATA = "data"
"""The law of a loop whose count is data, of which nothing is expected but not to be wrong."""
_LAW = re.compile(r"\{ /\* (.*?) \*/$")
_PLACE = re.compile(r":(\d+):\d+$")
_EXACT = ("exact", "parametric")


@dataclass(frozen=True)
class Vector:
    """Arguments of a run, and the values that the program's inputs have in it."""

    args: tuple[str, ...]
    values: Mapping[str, int]


@dataclass(frozen=True)
class Whole:
    """A program and what is expected of it."""

    path: Path

    @cached_property
    def lines(self) -> tuple[str, ...]:
        return tuple(self.path.read_text().splitlines())

    @cached_property
    def laws(self) -> dict[int, str]:
        """Line of a loop -> its law."""
        found = {}
        for n, line in enumerate(self.lines, 1):
            match = _LAW.search(line)
            if match:
                found[n] = match[1]
        return found

    @cached_property
    def vectors(self) -> tuple[Vector, ...]:
        head = self.path.read_text().split("*/", 1)[0].removeprefix("/*")
        found = []
        for part in head.split("|"):
            args, _, values = part.strip().rpartition(": ")
            given = dict(v.split("=") for v in values.split())
            found.append(Vector(tuple(args.split()), {k: int(v) for k, v in given.items()}))
        return tuple(found)


@dataclass(frozen=True)
class Verdict:
    """What became of one law: "law", "other" (a formula, not the expected one), "none" or "wrong"
    (a formula that a run contradicts)."""

    program: str
    line: int
    expected: str
    found: str
    sort: str

    def __str__(self) -> str:
        place = f"{self.program}:{self.line}"
        return f"{self.sort:5} {place:28} {self.expected:34} {self.found}"


def programs(names: tuple[str, ...] = ()) -> list[Whole]:
    """The programs of the suite, or those that are named."""
    files = sorted(p for p in PROGRAMS.iterdir() if p.suffix in (".c", ".cc"))
    return [Whole(p) for p in files if not names or p.stem in names]


def verdicts(
    whole: Whole, folder: Path, compiler: Compiler, truth: Compiler | None = None
) -> Iterator[Verdict]:
    """Every law of a program against the analysis, and both against counted runs of what the clang
    `truth` makes of it."""
    analysis = analyze(canonical(compile_sources([whole.path], only=compiler)), matrix=False)
    wrong = dict(_contradicted(whole, analysis, folder, truth)) if truth is not None else {}
    for line, law in whole.laws.items():
        found = _loops_at(analysis, line)
        text = " & ".join(f"{f.total.formula or f.total.reason} [{f.total.kind}]" for f in found)
        if line in wrong:
            sort, text = "wrong", wrong[line]
        elif law == DATA:
            sort = "law"
        elif len(found) != 1 or found[0].total.kind not in _EXACT:
            sort = "none"
        else:
            known = frozenset().union(*(v.values for v in whole.vectors))
            sort = "law" if same_law(law, str(found[0].total.formula), known) else "other"
        yield Verdict(whole.path.name, line, law, text, sort)


def _loops_at(analysis: Analysis, line: int) -> list[LoopResult]:
    return [f for f in analysis.loops if (m := _PLACE.search(f.at)) and int(m[1]) == line]


def same_law(expected: str, found: str, known: frozenset[str]) -> bool:
    """Are two laws the same for inputs that are not negative, whatever a count that ends by data is
    called?"""
    law, other = (_read(t) for t in (expected, found))
    names = sorted(s.name for s in law.free_symbols if s.name not in known)
    foreign = sorted(s.name for s in other.free_symbols if s.name not in known)
    if len(names) != len(foreign):
        return False
    return any(
        _equal(law, other.subs(dict(zip(order, names, strict=True)), simultaneous=True))
        for order in permutations(foreign)
    )


def _equal(one: sympy.Expr, other: sympy.Expr) -> bool:
    """Tried at many points: the forms that laws are written in are not normal."""
    names = sorted(one.free_symbols | other.free_symbols, key=str)
    for start in range(2, 14):
        point = {s: start + 3 * k + (start * k) % 5 for k, s in enumerate(names)}
        if one.subs(point) != other.subs(point):
            return False
    return True


def _contradicted(
    whole: Whole, analysis: Analysis, folder: Path, compiler: Compiler
) -> Iterator[tuple[int, str]]:
    """Lines of loops whose law, or whose expected law, a counted run contradicts."""
    source = Source(whole.lines)
    path = whole.path
    text = source.instrumented(statements=False)
    twin = build(text, path.suffix, folder, compiler, name=path.stem)
    for vector in whole.vectors:
        run = twin.run(vector.args, {})
        assert run is not None, f"{path} does not end"
        assert run.is_meaningful, f"{path} {' '.join(vector.args)}"
        for line, law in whole.laws.items():
            counted = run.iterations.get(line, 0)
            if law != DATA and (stated := _value(law, vector.values)) not in (None, counted):
                raise AssertionError(f"{path}:{line}: {law} is {stated}, counted {counted}")
            for loop in _loops_at(analysis, line):
                if loop.total.kind not in _EXACT or not loop.total.holds(vector.values):
                    continue
                found = _value(str(loop.total.formula), vector.values)
                if found not in (None, counted):
                    given = " ".join(vector.args)
                    yield line, f"{loop.total.formula} = {found}, counted {counted} with {given}"


def _value(law: str, values: Mapping[str, int]) -> int | None:
    e = _read(law)
    if any(s.name not in values for s in e.free_symbols):
        return None
    return int(e.subs({s: values[s.name] for s in e.free_symbols}))


def _read(law: str) -> sympy.Expr:
    """A formula, in which names that sympy has a meaning for (`N`) are names."""
    names = re.findall(r"\b[A-Za-z_]\w*\b(?!\()", law)
    return sympy.sympify(law, {n: sympy.Symbol(n) for n in names if n not in ("True", "False")})
