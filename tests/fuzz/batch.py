"""Many generated cases at once: one file to compile and analyse, one counting twin that runs every
argument vector.

The twin is the same text with counters of its own behind the brace of every loop and function. It
is compiled so that undefined behaviour traps, and runs each vector in a process of its own with a
limit of steps: a vector that overflows or does not end has no count to compare with.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import sympy

from staticana import (
    Analysis,
    Compiler,
    Count,
    Expr,
    LoopResult,
    analyze_module,
    canonical,
    find_compiler,
    parse_module,
)
from staticana.expr import Number
from staticana.frontend.clang import compiled_by
from tests.twin import line_of

from .generator import Case
from .modules import only

PARAMETERS = ("n", "m", "u")
_VALUES = (
    (0, 0, 0),
    (1, 1, 1),
    (-2, 3, 2),
    (5, 2, 8),
    (8, 9, 3),
    (13, 4, 7),
    (7, 16, 5),
    (17, -1, 16),
    (11, 11, 1),
    (2, 7, 12),
    (-3, -5, 4),
    (64, 3, 9),
    (31, 32, 6),
    (3, 1, 33),
    (100, 6, 2),
)
_STEPS = 400_000
_LOOP = re.compile(r"^(\s*)((?:for|while) \(.*\)|do) \{ /\* (.*) \*/$")
_FUNCTION = re.compile(r"^(?:static )?long \w+\(.*\) \{$")
_INEQUALITY = re.compile(r"(.*) (>=|<=) (-?\d+)$")
_DATA = "".join(
    [
        "static const int fuzz_data[64] = {",
        ", ".join(str((k * k * 37 + k * 101 + 59) * 2654435761 % 2**32 >> 24) for k in range(64)),
        "}; void *malloc(unsigned long);",
    ]
)
_RUNTIME = """
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
static unsigned long long *twin_count, twin_steps;
static void twin(int k) { twin_count[k]++; if (++twin_steps > %d) _exit(3); }
"""
_MAIN = """
int main(void) {
    long vectors[][%d] = {%s};
    twin_count = mmap(0, %d * 8, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (int c = 0; c < %d; c++) for (int v = 0; v < %d; v++) {
        for (int k = 0; k < %d; k++) twin_count[k] = 0;
        pid_t child = fork();
        if (child == 0) { alarm(20); twin_run(c, vectors[v]); _exit(0); }
        int status = 1;
        waitpid(child, &status, 0);
        if (status) continue;
        printf("%%d %%d", c, v);
        for (int k = 0; k < %d; k++) if (twin_count[k]) printf(" %%d %%llu", k, twin_count[k]);
        printf("\\n");
    }
}
"""


@dataclass(frozen=True)
class LoopFinding:
    """One loop of one case: `shape`, the kind of its total, how many vectors it was compared at;
    `wrong` is all that is to be said about a mistake, `fault` its sort; `formula` is the exact
    total, with its counts at those vectors."""

    shape: str
    kind: str
    compared: int
    reason: str
    wrong: str | None = None
    fault: str = ""
    formula: Expr | None = None
    counts: tuple[tuple[Mapping[str, int], int], ...] = ()


@dataclass(frozen=True)
class Run:
    """What one vector counted: iterations and entries of loops, calls of functions, by line."""

    values: Mapping[str, int]
    loops: Mapping[int, int]
    entries: Mapping[int, int]
    calls: Mapping[int, int]


def vectors(types: Sequence[str]) -> list[tuple[int, ...]]:
    """Argument vectors of a case; unsigned parameters are not negative."""
    return [
        tuple(abs(v) if kind.startswith("unsigned") else v for kind, v in zip(types, values))
        for values in _VALUES
    ]


def check(cases: Sequence[Case], compiler: Compiler | None = None) -> list[list[LoopFinding]]:
    """The findings of every case, in order; `compiler`: whose IR is analysed."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cases.c"
        lines = [_DATA]
        spans = []
        for k, case in enumerate(cases):
            start = len(lines)
            lines += case.named(f"k{k}").splitlines()
            spans.append((start, len(lines)))
        path.write_text("\n".join(lines) + "\n")
        runs = _run_twin(cases, lines, Path(folder))
        module = parse_module(canonical(compiled_by(compiler or find_compiler(), path)))
    texts = module.text.splitlines()
    findings = []
    for k, (case, span) in enumerate(zip(cases, spans, strict=True)):
        own = {
            name: f
            for name, f in module.functions.items()
            if f.is_declaration or name == f"k{k}" or name.startswith(f"k{k}_")
        }
        globals_ = {
            name: g
            for name, g in module.globals.items()
            if not re.match(r"k\d+_", name) or name.startswith(f"k{k}_")
        }
        try:
            text = "\n".join(only(module, texts, own.keys() | globals_.keys()))
            analysis = analyze_module(
                replace(module, functions=own, globals=globals_, text=text), entry=f"k{k}"
            )
        except Exception as error:  # any failure of the analysis is a finding, with its program
            sort = type(error).__name__
            findings.append(
                [LoopFinding("any", "failure", 0, "", _message(case, f"{sort}: {error}"), sort)]
            )
            continue
        findings.append(_compare(case, analysis, lines, span, runs[k]))
    return findings


def compiles(case: Case) -> bool:
    """Is it C, with every name declared?"""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "case.c"
        path.write_text(f"{_DATA}\n{case.named('entry')}\nvoid *kept = entry;\n")
        return (
            subprocess.run(
                # zig has no -fsyntax-only
                [*find_compiler().command, "-w", "-c", str(path), "-o", f"{folder}/case.o"],
                capture_output=True,
            ).returncode
            == 0
        )


def _run_twin(cases: Sequence[Case], lines: Sequence[str], folder: Path) -> list[list[Run]]:
    size = len(lines) + 1
    out = []
    for number, line in enumerate(lines, 1):
        loop = _LOOP.match(line)
        if loop:
            out.append(f"{loop[1]}twin({size + number}); {loop[2]} {{ twin({number});")
        elif _FUNCTION.match(line):
            out.append(f"{line} twin({2 * size + number});")
        else:
            out.append(line)
    branches = []
    for k, case in enumerate(cases):
        arguments = ", ".join(f"({kind})v[{at}]" for at, kind in enumerate(case.types))
        branches.append(f"    if (c == {k}) k{k}({arguments});")
    table = ", ".join(
        "{" + ", ".join(map(str, v)) + "}" for v in vectors(("int", "int", "unsigned"))
    )
    text = [
        _RUNTIME % _STEPS,
        *out,
        "static void twin_run(int c, const long *v) {",
        *branches,
        "}",
        _MAIN % (len(PARAMETERS), table, 3 * size, len(cases), len(_VALUES), 3 * size, 3 * size),
    ]
    (folder / "twin.c").write_text("\n".join(text))
    trap = "undefined,float-cast-overflow,implicit-integer-truncation"
    subprocess.run(
        [
            *find_compiler().command,
            "-O1",
            "-w",
            f"-fsanitize={trap}",
            f"-fsanitize-trap={trap}",
            str(folder / "twin.c"),
            "-o",
            str(folder / "twin"),
        ],
        check=True,
        capture_output=True,
    )
    printed = subprocess.run(
        [str(folder / "twin")], check=True, capture_output=True, text=True
    ).stdout
    runs: list[list[Run]] = [[] for _ in cases]
    for row in printed.splitlines():
        k, v, *rest = map(int, row.split())
        counted = dict(zip(rest[::2], rest[1::2], strict=True))
        parts = [
            {key - part * size: c for key, c in counted.items() if key // size == part}
            for part in range(3)
        ]
        names = PARAMETERS[: len(cases[k].types)]
        runs[k].append(Run(dict(zip(names, vectors(cases[k].types)[v], strict=True)), *parts))
    return runs


def _message(case: Case, text: str) -> str:
    return f"{text}\n// program\n{case.named('entry')}"


def _compare(
    case: Case, analysis: Analysis, lines: Sequence[str], span: tuple[int, int], runs: Sequence[Run]
) -> list[LoopFinding]:
    place = {_line(loop): loop for loop in analysis.loops}
    heads = {f.name: f.line for f in analysis.functions}
    found = _work(case, analysis, runs)
    for number in range(span[0] + 1, span[1] + 1):
        head = _LOOP.match(lines[number - 1])
        if head is None:
            continue
        loop = place.pop(number, None)
        if loop is None:  # a loop whose body never comes round again is none in the graph
            wrong = next(
                (
                    f"not listed, but counted {run.loops[number]} at {run.values}"
                    for run in runs
                    if run.loops.get(number, 0) > run.entries.get(number, 0)
                ),
                None,
            )
            found.append(
                LoopFinding(
                    head[3],
                    "none",
                    0,
                    "",
                    wrong and _message(case, f"{head[0].strip()}: {wrong}"),
                    "missing",
                )
            )
            continue
        wrong, fault = None, ""
        counts: list[tuple[Mapping[str, int], int]] = []
        for run in runs:
            counted = run.loops.get(number, 0)
            entries, calls = run.entries.get(number, 0), run.calls.get(heads[loop.function] or 0, 0)
            known: dict[Expr, Number | str] = {}
            complaints = [
                _complaint(name, count, run.values, counted, times, known)
                for name, count, times in (
                    ("total", loop.total, 1),
                    ("per entry", loop.per_entry, entries),
                    ("per call", loop.per_call, calls),
                )
            ]
            if loop.total.kind == "exact" and _applies(loop.total, run.values):
                counts.append((run.values, counted))
            fault, wrong = next((c for c in complaints if c), ("", None))
            if wrong:
                break
        reason = (loop.total.reason or "") if loop.total.kind != "exact" else ""
        text = _message(case, f"{head[0].strip()}\n{_shown(loop)}\n{wrong}") if wrong else None
        found.append(
            LoopFinding(
                head[3],
                loop.total.kind,
                len(counts),
                re.sub(r"\S*\.c:\d+:\d+", "...", reason),
                text,
                fault,
                loop.total.formula if loop.total.kind == "exact" else None,
                tuple(counts),
            )
        )
    if place:
        text = f"loops where there are none: {sorted(place)}"
        found.append(LoopFinding("any", "failure", 0, "", _message(case, text), "surplus"))
    return found


def _work(case: Case, analysis: Analysis, runs: Sequence[Run]) -> list[LoopFinding]:
    """The work of an entry that calls no loops: the iterations of its innermost loops."""
    entry = next(f for f in analysis.functions if f.name == analysis.entry)
    if any(loop.function != entry.name for loop in analysis.loops):
        return []
    innermost = [
        _line(loop)
        for loop in analysis.loops
        if all(other.parent != loop.at for other in analysis.loops)
    ]
    for run in runs:
        counted = sum(run.loops.get(number, 0) for number in innermost)
        fault, wrong = _complaint("work", entry.work, run.values, counted, 1, {}) or ("", None)
        if wrong:
            text = _message(
                case,
                f"{entry.work.kind} {entry.work.formula}"
                f" {'; '.join(entry.work.assumptions)}\n{wrong}",
            )
            return [LoopFinding("work", entry.work.kind, 0, "", text, fault)]
    return [LoopFinding("work", entry.work.kind, 0, "")]


def _line(loop: LoopResult) -> int:
    return int(line_of(loop.at).rsplit(":", 1)[1])


def _shown(loop: LoopResult) -> str:
    parts = (("total", loop.total), ("per entry", loop.per_entry), ("per call", loop.per_call))
    return "\n".join(
        f"{name}: {c.kind} {c.formula} [{c.lower}, {c.upper}] {'; '.join(c.assumptions)}"
        for name, c in parts
    )


def _complaint(
    name: str,
    count: Count,
    values: Mapping[str, int],
    counted: int,
    times: int,
    known: dict[Expr, Number | str],
) -> tuple[str, str] | None:
    """The sort of a mistake and what is wrong with one count that applies `times` times; `known`
    are values that were computed before."""
    if times == 0 or not _applies(count, values):
        return None
    for what, formula, sign in (
        ("predicted", count.formula if count.kind == "exact" else None, 0),
        ("lower bound", count.lower, 1),
        ("upper bound", count.upper, -1),
    ):
        if formula is None or not formula.symbols <= values.keys():
            continue
        if formula not in known:
            try:
                known[formula] = formula.evaluate(values)
            except ArithmeticError as error:
                known[formula] = str(error)
        value = known[formula]
        if isinstance(value, str):
            return (
                f"{what} {value[:12]}",
                f"{name}: {what} {formula}: {value}, counted {counted} at {dict(values)}",
            )
        difference = counted - value * times
        if sign * difference < 0 or (sign == 0 and difference != 0):
            factor = f" x {times}" if times > 1 else ""
            return (
                f"{name} {what}",
                f"{name}: {what} {value}{factor}, counted {counted} at {dict(values)}",
            )
    return None


def _applies(count: Count, values: Mapping[str, int]) -> bool:
    """Do the assumptions hold? Those in words, or about symbols that are no parameters, are taken
    not to."""
    return all(_holds(a, tuple(values.items())) for a in count.assumptions)


@lru_cache(maxsize=4096)
def _holds(assumption: str, values: tuple[tuple[str, int], ...]) -> bool:
    found = _INEQUALITY.match(assumption)
    if found is None:
        return False
    try:
        left = sympy.sympify(found[1], locals={k: sympy.Integer(v) for k, v in values})
    except ValueError:  # a quotient by 0, which has no value
        return False
    if not left.is_number or left.has(sympy.zoo, sympy.nan):
        return False
    return bool(left >= int(found[3])) if found[2] == ">=" else bool(left <= int(found[3]))
