"""After an edit of one function, the laws that are kept are those that a fresh analysis finds."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from looplaw.documents.analysis import AnalysisDocument, analysis_document
from looplaw.projects.exports import Export, KnownExports
from looplaw.projects.kept import Asked
from staticana import canonical, compile_sources, parse_module
from staticana.frontend.clang import find_compiler
from staticana.libraries import Library

pytestmark = pytest.mark.skipif(find_compiler().kind != "clang", reason="needs clang")

_HEAD = """#include <stdlib.h>
struct grid { int n, m; double *data; int *rows; };
static int limit = 10;
int shared_limit;
static int steps[4] = {1, 2, 3, 4};
static int *kept;
static double (*chosen)(double);
static double half(double x) { return x / 2; }
static double twice(double x) { return x * 2; }
void set_limit(int n) { limit = n; }
void choose(int k) { chosen = k ? half : twice; }
"""
_STATEMENTS = (
    "for (int i = 0; i < n; i++) s += i;",
    "for (int i = 0; i < m; i += 3) a[i] = s;",
    "for (int i = 0; i < g->n; i++) for (int j = 0; j < g->m; j++) s += g->data[i * g->m + j];",
    "for (int i = 0; i < limit; i++) s += i * m;",
    "for (int i = 0; i < shared_limit; i++) s -= i;",
    "for (int i = 0; i < steps[m & 3]; i++) s += steps[i & 3];",
    "for (int i = n; i > 1; i /= 2) s += a[i];",
    "if (n > m) s += a[0];",
    "if (m < 0) exit(1);",
    "g->rows[0] = n;",
    "g->n = m;",
    "shared_limit = n;",
    "limit += 1;",
    "steps[1] = n;",
    "kept = &g->n;",
    "if (kept) *kept = 5;",
    "s += chosen ? chosen(s) : 0;",
    "{ int local[8]; for (int i = 0; i < 8; i++) local[i] = n; s += local[m & 7]; }",
    "{ int *p = malloc(n * sizeof(int)); for (int i = 0; i < n; i++) p[i] = i; free(p); }",
)


def _function(generator: random.Random, k: int, callees: int) -> str:
    body = [generator.choice(_STATEMENTS) for _ in range(generator.randint(1, 4))]
    for _ in range(generator.randint(0, 2) if callees else 0):
        called = generator.randrange(callees)
        given = generator.choice(("n, m", "n + 1, 3", "m, n", "g->n, g->m"))
        body.insert(generator.randint(0, len(body)), f"s += f{called}(g, a, {given});")
    linkage = "static " if generator.random() < 0.4 else ""
    head = f"{linkage}double f{k}(struct grid *g, double *a, int n, int m) {{"
    return "\n".join([head, "    double s = 0;", *(f"    {b}" for b in body), "    return s;", "}"])


def _program(generator: random.Random) -> list[str]:
    functions = [_function(generator, k, k) for k in range(8)]
    calls = " + ".join(f"f{k}(g, a, n, {k})" for k in range(0, 8, 3))
    head = "double all(struct grid *g, double *a, int n, int m) {"
    return [*functions, f"{head} return {calls} + m; }}"]


def _edited(generator: random.Random, functions: list[str]) -> list[str]:
    """One function with a statement put in, taken out or changed."""
    k = generator.randrange(8)
    lines = functions[k].split("\n")
    at = generator.randrange(2, len(lines) - 2)
    kind = generator.choice(("insert", "replace", "replace", "extend"))
    statement = f"    {generator.choice(_STATEMENTS)}"
    if kind == "insert":
        lines.insert(at, statement)
    elif kind == "replace" and "= f" not in lines[at]:
        lines[at] = statement
    else:  # in the same line, so that no other function moves
        lines[at] += statement
    return [*functions[:k], "\n".join(lines), *functions[k + 1 :]]


def _moved(generator: random.Random, functions: list[str]) -> list[str]:
    """One function with lines put in that change no more than its own numbers: all others only
    stand in other lines."""
    k = generator.randrange(8)
    lines = functions[k].split("\n")
    at = generator.randrange(2, len(lines) - 2)
    for _ in range(generator.choice((1, 2, 60))):
        lines.insert(at, generator.choice(("    s += n;", "    // a remark", "")))
    return [*functions[:k], "\n".join(lines), *functions[k + 1 :]]


Edit = Callable[[random.Random, list[str]], list[str]]


def _library(source: Path, functions: list[str]) -> Library:
    source.write_text("\n".join([_HEAD, *functions, ""]))
    return Library(parse_module(canonical(compile_sources([str(source)], flags=["-g"]))))


def _analysed(library: Library, names: Iterator[str]) -> dict[str, AnalysisDocument]:
    """Analyses as they come back from a worker, kept."""
    known = KnownExports(library, Asked())
    found = {}
    for name in names:
        export = library.analyse(name)
        document = analysis_document(export.analysis)
        read = msgspec.json.decode(msgspec.json.encode(document), type=AnalysisDocument)
        known.keep(Export(sorted(export.rests_on), read))
        found[name] = read
    return found


def _compared(folder: Path, seed: int, edits: int, edit: Edit = _edited) -> tuple[int, int]:
    """Laws kept over edits, and all that were asked for."""
    generator = random.Random(seed)
    functions = _program(generator)
    source = folder / "library.c"
    library = _library(source, functions)
    _analysed(library, iter(library.names))
    kept = asked = 0
    for _ in range(edits):
        functions = edit(generator, functions)
        library = _library(source, functions)
        known = KnownExports(library, Asked()).found()
        fresh = _analysed(_library(source, functions), iter(library.names))
        for name, document in known.items():
            assert msgspec.json.encode(document) == msgspec.json.encode(fresh[name]), (
                f"seed {seed}: {name} is stale\n{source.read_text()}"
            )
        kept += len(known)
        asked += len(library.names)
    return kept, asked


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.mark.parametrize("seed", range(3))
def test_laws_that_are_kept_are_those_of_a_fresh_analysis(tmp_path: Path, seed: int) -> None:
    _compared(tmp_path, seed, 3)


def test_laws_of_functions_that_stand_in_other_lines_are_kept(tmp_path: Path) -> None:
    kept, asked = _compared(tmp_path, 4, 3, _moved)
    assert kept > asked / 2


@pytest.mark.slow
def test_laws_that_are_kept_over_many_edits(tmp_path: Path) -> None:
    found = [_compared(tmp_path, seed, 4) for seed in range(100, 130)]
    assert sum(kept for kept, _ in found) > 0.1 * sum(asked for _, asked in found)
