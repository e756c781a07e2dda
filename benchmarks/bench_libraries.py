"""Laws of libraries held against counted runs of drivers that are made for them.

    python -m benchmarks.bench_libraries [--runs 12] [--seed 1] [--each] [--flag FLAG ...]
        [--budget SECONDS] [--json FILE] SOURCE...

SOURCE is a compile_commands.json, a file or a folder of C: one library, or with --each one of every
file. Each exported function whose arguments a driver can make (`library_drivers`) is called with
random ones, its loops counted, and what its law says of this call compared:

- a formula in arguments, values of memory before the call and recorded counts is equal;
- one that names whether the run passes tests is so for some choice of these;
- bounds hold.

A call that crashes, or takes longer than two seconds, tells nothing and is counted as such. A law
is not judged where one of its preconditions is not true. Where it rests on what is only said in
words (the way that the run takes, no overflow) and is not so, it is listed as open, not as wrong.
"""

from __future__ import annotations

import argparse
import itertools
import json
import re
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from looplaw.projects.analysing import compiled
from looplaw.projects.database import SourceFile, files_of
from looplaw.projects.linking import parts
from looplaw_common.errors import LooplawError
from looplaw_common.files import write_whole
from runtime import RunResult, build_program, plan_for, run
from runtime.build.build import Program, optimise
from runtime.counters.reader import snapshot
from staticana import Analysis, Count, Module, canonical, compile_sources, parse_module
from staticana.assumed import AssumptionKind, assumption
from staticana.expr import Expr
from staticana.frontend.isolation import linked
from staticana.ir.loop_info import loop_forest
from staticana.libraries import Library, Limits

from .library_drivers import Driver, driver_of
from .library_types import Types

OUTCOMES = ("equal", "named", "chosen", "bounds", "outside", "open", "wrong", "nothing")
"""What may be found of a law in a call; "nothing": it names what nobody recorded."""
_LEVEL = 1
"""Of optimisation: the counts are the same at each, and a library is built once."""
_WITHOUT_OTHERS = ("-Wl,--unresolved-symbols=ignore-all",)
"""Flags that link what calls other libraries; such a call crashes."""
_MOST_TESTS = 8
"""Tests that a law names, of which all choices are tried."""
_IN_WORDS: frozenset[AssumptionKind] = frozenset(
    (
        "no overflow",
        "aliasing",
        "no throw",
        "no error exit",
        "inside objects",
        "way taken",
        "order of data",
        "threads",
        "other",
    )
)
"""Kinds of assumptions that a run may break without a formula telling."""
_LOADED = "value loaded from "
_ARGUMENT = re.compile(r"argument (\w+) of (\S+)")
_ITERATIONS = re.compile(r"(mean )?iterations of the loop at (\S+:\d+:\d+)")
Values = Mapping[str, int | Fraction]


@dataclass(frozen=True)
class Called:
    """One call. values: of arguments (a0, ...) and expressions (v0, ...) before it; iterations and
    entries: place of a loop -> how often."""

    values: Mapping[str, int]
    iterations: Mapping[str, int]
    entries: Mapping[str, int]


@dataclass(frozen=True)
class Finding:
    """What is found of a law in a call. words: what it rests on; seed: of the call."""

    library: str
    function: str
    at: str
    outcome: str
    kind: str
    law: str
    values: dict[str, str]
    counted: int
    words: tuple[str, ...]
    seed: int


@dataclass
class Tally:
    """What was found of a library."""

    title: str
    exported: int = 0
    driven: int = 0
    called: int = 0
    calls: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)
    analysis_s: float = 0.0

    def to_json(self) -> dict[str, object]:
        return {**vars(self), "findings": [vars(f) for f in self.findings]}


# -- one law
def symbols_of(
    count: Count, analysis: Analysis, driver: Driver, called: Called, at: str
) -> tuple[dict[str, int | Fraction], list[str]]:
    """The values of the symbols of a law of the loop `at` in a call, and those that say whether a
    test is passed. What the loop itself was counted is no value: a law that names it says nothing.
    """
    signature = next(s for s in driver.functions if s.symbol == analysis.entry)
    numbers = {name: k for k, name in signature.names.items()}
    told = {text: k for k, text in enumerate(driver.values[signature.symbol])}
    found: dict[str, int | Fraction] = {}
    tests: list[str] = []
    for p in analysis.parameters:
        origin = re.fullmatch(r"arg:(.+):(\d+)", p.origin)
        if origin and origin[1] == analysis.entry and f"a{origin[2]}" in called.values:
            found[p.name] = called.values[f"a{origin[2]}"]
    for o in count.opaque:
        argument, loops = _ARGUMENT.fullmatch(o.meaning), _ITERATIONS.fullmatch(o.meaning)
        if argument and argument[2] == analysis.entry and argument[1] in numbers:
            value = called.values.get(f"a{numbers[argument[1]]}")
        elif o.meaning.startswith(_LOADED):
            number = told.get(o.meaning.removeprefix(_LOADED))
            value = None if number is None else called.values.get(f"v{number}")
        elif loops:
            made, entered = called.iterations.get(loops[2]), called.entries.get(loops[2])
            if loops[2] == at or made is None or entered is None:
                continue
            if loops[1] or entered <= 1:
                found[o.symbol] = Fraction(made, max(1, entered))
            continue
        else:
            if o.is_guard:
                tests.append(o.symbol)
            continue
        if value is not None:
            found[o.symbol] = value
    return found, tests


def judged(count: Count, values: Values, tests: Sequence[str], counted: int) -> str:
    """What a count says of a call in which its loop made so many iterations; see `OUTCOMES`."""
    if _excludes(count.preconditions, values):
        return "outside"
    sure = all(n.symbols <= values.keys() for n in count.preconditions)
    sure &= not any(assumption(text).kind in _IN_WORDS for text in count.assumptions)
    wrong = "wrong" if sure else "open"
    named = count.formula is not None and bool(
        count.formula.symbols & {o.symbol for o in count.opaque if not o.is_argument}
    )
    if count.formula is not None and count.formula.symbols <= values.keys() | set(tests):
        own = [t for t in tests if t in count.formula.symbols]
        if len(own) <= _MOST_TESTS:
            choices = itertools.product((0, 1), repeat=len(own))
            possible = {
                _value(count.formula, {**values, **dict(zip(own, c, strict=True))}) for c in choices
            }
            if counted in possible:
                return "chosen" if own else "named" if named else "equal"
            if counted == 0 and any(assumption(t).kind == "way taken" for t in count.assumptions):
                return "chosen"  # what the law says of runs that go another way is nothing
            return wrong if None not in possible else "open"
    checked = False
    for bound, sign in ((count.lower, 1), (count.upper, -1)):
        if bound is not None and bound.symbols <= values.keys() and bound != 0:
            value = _value(bound, values)
            if value is None:
                continue
            checked = True
            if sign * (counted - value) < 0:
                return wrong
    return "bounds" if checked else "nothing"


def _excludes(preconditions: Iterable[Expr], values: Values) -> bool:
    """Is one of them known not to be true?"""
    for n in preconditions:
        if n.symbols <= values.keys():
            value = _value(n, values)
            if value is None or value < 0:
                return True
    return False


def _value(e: Expr, values: Values) -> int | Fraction | None:
    """None where it has no value: a division by zero, or too much to add up."""
    try:
        return e.evaluate(values)
    except (OverflowError, ZeroDivisionError):
        return None


# -- one library
@dataclass(frozen=True)
class Built:
    """A library with its driver."""

    title: str
    analyses: Mapping[str, Analysis]
    driver: Driver
    program: Program


def analysed(text: str, budget: float) -> Iterator[Analysis]:
    """The laws of every exported function of a module."""
    library = Library(parse_module(text))
    names = sorted(library.names, key=lambda n: (library.reach(n), n))
    limits = Limits(total=budget, grace=budget / 8)
    if names:
        library.prepare(names, limits)
    for name, allowance in zip(names, limits.for_each(len(names)), strict=True):
        yield library.analyse(name, allowance).analysis


def built(title: str, text: str, analyses: Mapping[str, Analysis], folder: Path) -> Built:
    """The driver of a library, and both as one program.

    Raises:
        LooplawError: the driver does not compile, or a symbol is defined nowhere.
    """
    module = parse_module(text)
    types = Types(module)
    found = (types.signature(module.functions[name]) for name in sorted(analyses))
    signatures = [s for s in found if s is not None]
    values = {name: _expressions(a) for name, a in analyses.items()}
    driver = driver_of(types, signatures, values)
    source = folder / "driver.c"
    source.write_text(driver.text)
    whole = linked([text, compile_sources([source], flags=["-w"])])
    plan = plan_for(parse_module(whole), _loops(module), timed=False)
    program = build_program(
        whole,
        plan,
        folder / "driver",
        link_flags=_WITHOUT_OTHERS,
        code=lambda t: optimise(t, level=_LEVEL),
    )
    return Built(title, analyses, driver, program)


def _expressions(analysis: Analysis) -> list[str]:
    """What values of memory the laws of a function name."""
    loops = (*analysis.loops, *analysis.library)
    texts = (o.meaning for loop in loops for o in loop.total.opaque)
    return sorted({t.removeprefix(_LOADED) for t in texts if t.startswith(_LOADED)})


def _loops(module: Module) -> list[tuple[str, str]]:
    return [
        (f.name, loop.header)
        for f in module.functions.values()
        if not f.is_declaration
        for loop in loop_forest(f, module).loops
        if loop.is_source
    ]


def calls_of(
    b: Built, symbol: str, seeds: range, folder: Path
) -> Iterator[tuple[int, str, Called | None]]:
    """Calls of one function: the seed, how it ended, and what was counted where it came back."""
    number = next(k for k, s in enumerate(b.driver.functions) if s.symbol == symbol)
    left = seeds
    while left:
        for old in folder.iterdir():
            if old.name.startswith(("told.", "before.", "after.")):
                old.unlink()
        words = [str(number), str(left[0]), str(left[-1]), str(folder)]
        done = run(
            [str(b.program.executable), *words],
            timeout_s=3.0 * len(left),
            cells=folder / "cells",
            cwd=folder,
        )
        last = left[0]
        while last + 1 in left and (folder / f"told.{last + 1}").exists():
            last += 1
        for seed in range(left[0], last + 1):
            yield seed, *_ended(b, seed, done, folder)
        left = range(last + 1, left.stop)


def _ended(b: Built, seed: int, done: RunResult, folder: Path) -> tuple[str, Called | None]:
    """How one call ended."""
    told = folder / f"told.{seed}"
    lines = told.read_text().splitlines() if told.exists() else []
    values = {name: int(value) for name, value in (line.split() for line in lines)}
    if values.pop("ready", None) is None:
        return "no arguments", None
    if values.pop("done", None) is None:
        if done.status == "ok":
            return "ended the program", None
        late = done.status == "timeout" or "SIGALRM" in done.reason or "SIGKILL" in done.reason
        return ("late" if late else "crashed"), None
    assert b.program.plan is not None
    before, after = (snapshot(folder / f"{name}.{seed}") for name in ("before", "after"))
    iterations, entries = Counter[str](), Counter[str]()
    for c in b.program.plan.counters:
        iterations[c.at] += _gained(before.iterations, after.iterations, c.id)
        entries[c.at] += _gained(before.entries, after.entries, c.id)
    return "ok", Called(values, iterations, entries)


def _gained(before: NDArray[np.int64], after: NDArray[np.int64], k: int) -> int:
    """What a counter gained; before anything was counted there is none."""
    return int(after[k] if after.size else 0) - int(before[k] if before.size else 0)


def held(b: Built, runs: int, seed: int, tally: Tally, folder: Path) -> None:
    """Hold the laws of a library against calls."""
    for s in b.driver.functions:
        analysis = b.analyses[s.symbol]
        if not analysis.loops and not analysis.library:
            continue
        tally.driven += 1
        told: dict[tuple[str, str], Finding] = {}
        came_back = False
        for at_seed, status, called in calls_of(b, s.symbol, range(seed, seed + runs), folder):
            tally.calls[status] += 1
            if called is not None:
                came_back = True
                for found in _of_call(b, analysis, called, at_seed):
                    tally.outcomes[found.outcome] += 1
                    if found.outcome in ("wrong", "open"):
                        told.setdefault((found.at, found.outcome), found)
        tally.findings += told.values()
        tally.called += came_back


def _of_call(b: Built, analysis: Analysis, called: Called, seed: int) -> Iterator[Finding]:
    """What is found of each law in one call."""
    for loop in (*analysis.loops, *analysis.library):
        counted = called.iterations.get(loop.at)
        if counted is not None:
            law = loop.total
            values, tests = symbols_of(law, analysis, b.driver, called, loop.at)
            yield Finding(
                b.title,
                analysis.entry,
                loop.at,
                judged(law, values, tests, counted),
                law.kind,
                _law(law),
                {name: str(value) for name, value in values.items()},
                counted,
                law.assumptions,
                seed,
            )


def _law(count: Count) -> str:
    if count.formula is not None:
        return str(count.formula)
    return f"from {count.lower} to {count.upper}"


# -- all libraries
def libraries(
    sources: Sequence[Path], flags: Sequence[str], *, each: bool
) -> Iterator[tuple[str, list[SourceFile]]]:
    """Title and files of each library."""
    for source in sources:
        if source.name.endswith(".json"):
            files = list(files_of(source))
            title = source.parent.name
        else:
            found = sorted(source.rglob("*.c")) if source.is_dir() else [source]
            files, title = [SourceFile(f.resolve(), ()) for f in found], source.name
        files = [SourceFile(f.path, (*f.flags, *flags)) for f in files]
        if each:
            yield from ((f"{title}/{f.path.name}", [f]) for f in files)
        else:
            yield title, files


def of_library(
    title: str, files: Sequence[SourceFile], given: argparse.Namespace, folder: Path
) -> Tally:
    """Analyse a library, call its functions, compare.

    Raises:
        LooplawError: it does not compile, or its driver does not.
    """
    texts, failed = compiled(files, 1)
    if not texts:
        raise LooplawError(next(iter(failed.values()), "no file of C"))
    chosen = list(parts(texts).texts.values())
    text = canonical(chosen[0] if len(chosen) == 1 else linked(chosen))
    tally = Tally(title)
    begun = time.process_time()
    analyses = {a.entry: a for a in analysed(text, given.budget)}
    tally.analysis_s = time.process_time() - begun
    tally.exported = len(analyses)
    if given.shift:
        analyses = {name: _shifted(a, given.shift) for name, a in analyses.items()}
    if any(a.loops or a.library for a in analyses.values()):
        held(built(title, text, analyses, folder), given.runs, given.seed, tally, folder)
    return tally


def _shifted(analysis: Analysis, by: int) -> Analysis:
    """Laws that are wrong by so many iterations: a comparison that can fail finds them."""
    loops = tuple(
        replace(loop, total=replace(loop.total, formula=loop.total.formula + by))
        if loop.total.formula is not None
        else loop
        for loop in analysis.loops
    )
    return replace(analysis, loops=loops)


def table(tallies: Sequence[Tally]) -> str:
    """A row for each library, and for all."""
    heads = ("library", "exports", "driven", "back", "calls", "crashed", "late", *OUTCOMES)
    rows: list[tuple[str, ...]] = [heads]
    whole = Tally("all")
    for t in tallies:
        whole.exported += t.exported
        whole.driven += t.driven
        whole.called += t.called
        whole.calls += t.calls
        whole.outcomes += t.outcomes
    for t in (*tallies, whole):
        crashed = sum(t.calls.values()) - t.calls["ok"] - t.calls["late"]
        figures = (t.exported, t.driven, t.called, t.calls["ok"], crashed, t.calls["late"])
        rows.append((t.title[:28], *map(str, figures), *(str(t.outcomes[o]) for o in OUTCOMES)))
    widths = [max(len(r[k]) for r in rows) for k in range(len(heads))]
    return "\n".join(
        "  ".join(
            (r[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(r[1:], widths[1:], strict=True)))
        )
        for r in rows
    )


def main() -> int:
    """Print the table, and each law that a call does not obey."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sources", nargs="+", type=Path, metavar="SOURCE")
    parser.add_argument("--runs", type=int, default=12, help="calls of each function")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", action="store_true", help="each file is a library")
    parser.add_argument("--flag", action="append", default=[], help="for the compiler")
    parser.add_argument("--budget", type=float, default=120.0, help="CPU seconds of one library")
    parser.add_argument("--shift", type=int, default=0, help="make every formula wrong by this")
    parser.add_argument("--json", type=Path, metavar="FILE")
    given = parser.parse_args()
    tallies: list[Tally] = []
    left_out: list[str] = []
    broken = 0
    for title, files in libraries(given.sources, given.flag, each=given.each):
        with tempfile.TemporaryDirectory(prefix="looplaw-bench-") as scratch:
            try:
                tally = of_library(title, files, given, Path(scratch))
            except LooplawError as error:
                left_out.append(f"{title}: {error}")
                print(left_out[-1], file=sys.stderr, flush=True)
                continue
            except Exception:  # the others are still held; the exit code tells
                print(f"{title}: the analysis broke", file=sys.stderr, flush=True)
                traceback.print_exc()
                broken += 1
                continue
        tallies.append(tally)
        print(f"{title}: {sum(tally.calls.values())} calls", file=sys.stderr, flush=True)
        for f in tally.findings:
            print(
                f"{f.outcome} {f.function} {f.at} {f.kind}: {f.law} counted {f.counted}"
                f" at {f.values} seed {f.seed} {list(f.words)}",
                flush=True,
            )
        if not given.each:
            print(table([tally]), flush=True)
        if given.json:  # after each, since all of them take long
            write_whole(given.json, json.dumps([t.to_json() for t in tallies], indent=1))
    print("\n".join(["", table(tallies), *(f"left out: {text}" for text in left_out)]))
    return int(broken > 0 or any(t.outcomes["wrong"] for t in tallies))


if __name__ == "__main__":
    sys.exit(main())
