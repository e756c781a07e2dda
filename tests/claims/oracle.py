"""Claims of an analysis held against counts.

A formula that is `exact` must equal the count, a bound must hold, unless the run broke an
assumption that is listed with that claim: a relation of parameters that is not true, another number
of arguments, or an end (an exit, an exception) that the assumption names by its place and that was
taken there. An end anywhere else excuses nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from staticana import (
    Analysis,
    Count,
    LoopResult,
    analyze,
    canonical,
    compile_sources,
    find_compiler,
)

from .truth import Run, Source, build

_CALLED = re.compile(r"the program is called with (\d+) arguments")
_END = re.compile(
    r"(?:no |the run does not )(error exit|exception|end).* at (?:\S*/)?([^\s/:]+):(\d+):\d+$"
)
_FURTHER = re.compile(r"no error exit at \d+ further places")
_OF_PREFIX = re.compile(r"argv\[(\d+)\] is a decimal number")
_LIBRARY_CALL = re.compile(r"\.\w+\(|\bstd::")
THREADS = 3
"""How many threads the parallel regions of twins have."""
_PLACE = re.compile(r" at \S*?:(\d+):\d+$")
_ENVIRONMENT = {"OMP_NUM_THREADS": str(THREADS), "OMP_WAIT_POLICY": "passive"}


@dataclass(frozen=True)
class Deceiver:
    """A program, the vectors of arguments it is run with, and flags it needs."""

    path: Path
    vectors: tuple[tuple[str, ...], ...]
    flags: tuple[str, ...]

    @classmethod
    def read(cls, path: Path) -> Deceiver:
        """`args:` in the first line holds vectors between bars; `flags:` may follow."""
        head = path.read_text().split("*/", 1)[0]
        args = re.search(r"args:([^:]*?)(?: : |\n|$)", head)
        flags = re.search(r"flags:(.*)", head)
        assert args is not None, path
        vectors = tuple(tuple(v.split()) for v in args.group(1).split("|"))
        return cls(path, vectors, tuple(flags.group(1).split()) if flags else ())


@dataclass(frozen=True)
class Wrong:
    """An exact formula or a bound that a count contradicts."""

    at: str
    vector: tuple[str, ...]
    claim: str
    predicted: int | None
    counted: int
    assumptions: tuple[str, ...] = ()

    @property
    def sort(self) -> str:
        return self.claim.split()[0] + " " + self.claim.split()[1]

    def __str__(self) -> str:
        noted = f" ({'; '.join(self.assumptions)})" if self.assumptions else ""
        return (
            f"{self.at} {' '.join(self.vector)}: {self.claim} = {self.predicted}, counted"
            f" {self.counted}{noted}"
        )


def values(analysis: Analysis, vector: Sequence[str], threads: int = THREADS) -> dict[str, int]:
    """Values of the parameters as the arguments give them, those that are missing left out."""
    found = {}
    for p in analysis.parameters:
        if p.origin == "omp:threads":
            found[p.name] = threads
            continue
        if p.origin == "argc":
            found[p.name] = len(vector) + 1
            continue
        match = re.fullmatch(r"argv\[(\d+)\]", p.origin)
        if match is None or int(match.group(1)) > len(vector):
            continue
        text = re.match(r"\s*[+-]?\d+", vector[int(match.group(1)) - 1])
        found[p.name] = int(text.group()) if text else 0
    return found


def excused(
    count: Count,
    source: Source,
    run: Run,
    vector: Sequence[str],
    given: Mapping[str, int],
    file: str,
    counted: int,
) -> bool:
    """Did the run break an assumption that is listed with the count? Relations of values that are
    no parameters are not known here, and excuse nothing: a bound that is stated must hold."""
    try:
        if not count.holds(given):
            return True
    except OverflowError:  # nobody can say whether 2**n is below a number
        return True
    named = {int(m[1]) for a in count.assumptions if (m := _PLACE.search(a))}
    for text in count.assumptions:
        called, end = _CALLED.match(text), _END.match(text)
        if called is not None and int(called[1]) != len(vector):
            return True
        decimal = _OF_PREFIX.match(text)
        if decimal is not None and re.match(r"\s*[+-]?0\w", vector[int(decimal[1]) - 1]):
            return True
        if end is not None and end[2] == file and _was_taken(end[1], int(end[3]), source, run):
            return True
        if text.startswith("the run passes") and counted == 0:
            return True  # what is passed once decides over all that stands behind it
        if _FURTHER.match(text) and any(n not in named for n in run.ends):
            return True
    return False


def _was_taken(what: str, line: int, source: Source, run: Run) -> bool:
    """Did the run leave at this line, or in what is called there?"""
    reached = source.lines_run_from(line)
    if any(run.ends.get(n) for n in reached):
        return True
    # the library's own exceptions have no line: they come from a call of the library
    by_library = run.has_thrown and not any("throw" in source.lines[n - 1] for n in run.ends)
    return (
        what == "exception"
        and by_library
        and any(_LIBRARY_CALL.search(source.lines[n - 1]) for n in reached)
    )


def contradictions(
    analysis: Analysis,
    source: Source,
    run: Run,
    vector: Sequence[str],
    *,
    file: str,
    first: int = 1,
    statements: bool = False,
    threads: int = THREADS,
) -> Iterator[tuple[LoopResult, Wrong]]:
    """What one run says against the counts of loops; `first`: the line of the source where the
    program begins, `statements`: as in `Source.instrumented`, `threads`: how many run a region by
    default."""
    given = values(analysis, vector, threads)
    heads = {f.name: f.line for f in analysis.functions}
    repeated = [f.name for f in analysis.functions]
    for loop in analysis.loops:
        place = re.fullmatch(r"(.*):(\d+):\d+", loop.at.rsplit("/", 1)[-1])
        if place is None:  # a cycle of jumps has none
            continue
        name, line = place[1], int(place[2])
        if name != file or line not in source.loops or line < first:
            continue
        counted = run.iterations.get(line, 0)
        claims = [("total", loop.total, 1)]
        if statements and repeated.count(loop.function) == 1:
            head = heads.get(loop.function) or 0
            claims.append(("entry", loop.per_entry, run.entries.get(line, 0)))
            if head in {a for a, _ in source.functions.values()}:
                claims.append(("call", loop.per_call, run.calls.get(head, 0)))
        for what, count, times in claims:
            if (times == 0 and what != "total") or excused(
                count, source, run, vector, given, file, counted
            ):
                continue
            for sort, formula, sign in (
                ("exact", count.formula if count.kind == "exact" else None, 0),
                ("lower", count.lower, 1),
                ("upper", count.upper, -1),
            ):
                if formula is None or not formula.symbols <= given.keys():
                    continue
                try:
                    predicted = formula.evaluate(given) * times
                except OverflowError:
                    continue
                if predicted == counted or (sign and sign * (counted - predicted) > 0):
                    continue
                claim = f"{sort} {what} {formula}"
                yield (
                    loop,
                    Wrong(
                        loop.at, tuple(vector), claim, int(predicted), counted, count.assumptions
                    ),
                )
                break


def judged(
    program: Deceiver, folder: Path, *, strict: bool = False, statements: bool = True
) -> tuple[Analysis, Iterator[Wrong]]:
    """The analysis, and what counts contradict; `statements`: as in `Source.instrumented`."""
    compiler = find_compiler()
    analysis = analyze(
        canonical(compile_sources([program.path], flags=program.flags)), strict=strict
    )
    source = Source(tuple(program.path.read_text().splitlines()))
    # nothing may stand between a pragma of OpenMP and its loop
    statements = statements and "#pragma omp" not in program.path.read_text()
    path = program.path
    twin = build(
        source.instrumented(statements=statements),
        path.suffix,
        folder,
        compiler,
        flags=program.flags,
        name=path.stem,
    )

    def all_wrong() -> Iterator[Wrong]:
        for vector in program.vectors:
            run = twin.run(vector, _ENVIRONMENT)
            assert run is not None, f"{path} {' '.join(vector)} does not end"
            if run.is_meaningful:
                found = contradictions(
                    analysis, source, run, vector, file=path.name, statements=statements
                )
                for _, wrong in found:
                    yield wrong

    return analysis, all_wrong()
