"""`make mutants`: do tests notice when the code is wrong? One small change at a time (a relation,
an operator, a constant, a condition turned round) is made to a copy of the repository, and the
tests of its room that run the line do so until one fails. A mutant that no test notices has
survived.

    make mutants ARGS='--number 300 --seed 1'
    make mutants ARGS='--rooms store --json FILE'    one room's share, kept in FILE

The sample takes as many mutants of each room and is drawn by a hash of the seed and of what the
mutant changes, so that an edit elsewhere draws the same ones. With --json an outcome is kept as
long as the function that it changes is the same; a survivor is then tried again with the files of
tests that have changed, and a killed one if the file of the test that noticed it has changed.

The tests of a mutant are tried until those that were run take --budget seconds of CPU time without
a change, so the score is a lower bound: the table says how many survivors have tests left.
What cannot be told from the program by any input, and why, stands in EXPLAINED.
"""

from __future__ import annotations

import argparse
import ast
import copy
import hashlib
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .mutant_runs import (
    ROOT,
    Mutant,
    Outcome,
    Suite,
    Task,
    copy_of_repository,
    digests_of_tests,
    outcomes,
)

FORMAT = "looplaw-mutants/2"


@dataclass(frozen=True)
class Room:
    """Code, as patterns of files, the tests that are to notice changes in it, and the packages
    that these run."""

    files: tuple[str, ...]
    tests: tuple[str, ...]
    packages: tuple[str, ...]


ROOMS: Mapping[str, Room] = {
    "counting": Room(
        (
            "staticana/closed_forms/*.py", "staticana/expr/*.py", "staticana/scev/*.py",
            "staticana/scev/executions/*.py",
            "staticana/count.py",
        ),
        (
            "tests/staticana/expr", "tests/staticana/closed_forms", "tests/staticana/scev",
            "tests/staticana/test_count.py", "tests/staticana/test_assumed.py",
            "tests/staticana/test_naming.py", "tests/staticana/interprocedural",
            "tests/staticana/frontend/test_openmp.py",
            "tests/staticana/frontend/test_containers.py", "tests/staticana/test_programs.py",
            "tests/staticana/nests/test_random_nests.py",
        ),
        ("looplaw_common", "staticana"),
    ),
    "evidence": Room(
        ("modeling/evidence/*.py",),
        ("tests/modeling/evidence", "tests/modeling/search", "tests/modeling/fitter"),
        ("looplaw_common", "modeling"),
    ),
    "store": Room(
        (
            "runtime/sweep/store.py", "runtime/sweep/records.py", "runtime/sweep/run_locks.py",
            "runtime/sweep/index.py", "runtime/sweep/sweep.py",
        ),
        ("tests/runtime/sweep", "tests/runtime/launch/test_launch_and_store.py"),
        ("looplaw_common", "staticana", "runtime"),
    ),
    "escaping": Room(
        (
            "looplaw_common/text.py", "looplaw_common/files.py", "looplaw_common/html.py",
            "looplaw/report/grid.py", "looplaw/check/ci_annotations.py",
            "looplaw/check/findings/sarif.py", "looplaw/check/findings/remarks.py",
            "looplaw/exchange/write_*.py", "runtime/slurm/job_arrays.py",
            "looplaw/settings/trust.py", "looplaw_common/limits.py",
        ),
        (
            "tests/looplaw_common/test_text.py", "tests/looplaw_common/test_files.py",
            "tests/looplaw/settings/test_trust.py", "tests/looplaw/exchange",
            "tests/looplaw/report/test_grid.py", "tests/looplaw/report/test_tables.py",
            "tests/looplaw/report/test_report.py",
            "tests/looplaw/check/test_findings.py",
            "tests/runtime/slurm/test_slurm.py", "tests/looplaw/ending/test_streams.py",
        ),
        ("looplaw_common", "staticana", "runtime", "modeling", "looplaw"),
    ),
}  # fmt: skip
EXPLAINED: Mapping[str, str] = {
    "staticana/closed_forms/sum_bounds.py: _relaxed_term: towards < 0 -> (towards <= 0)":
        "a side is 1 or -1",
    "looplaw_common/limits.py: _reserved: 0 -> (1) (4)":
        "every process has reserved more than a KiB that it has not written to",
    "runtime/sweep/run_locks.py: RunLocks._alive: self._age_s(path) < _UNWRITTEN_S -> "
    "(self._age_s(path) <= _UNWRITTEN_S)":
        "no clock shows an age of exactly the limit, and a guess of 10 s may be meant either way",
    "runtime/sweep/run_locks.py: RunLocks._alive: self._age_s(path) < owner.lasts_s -> "
    "(self._age_s(path) <= owner.lasts_s)":
        "no clock shows an age of exactly the limit, which has a minute of grace in it",
}  # fmt: skip
"""A mutant's key, as a survivor is printed -> why no input can tell it from the program."""

_SHOWN = 60
"""Characters of the source that a mutant's key quotes."""

_RELATIONS: Mapping[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
_OPERATORS: Mapping[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult, ast.Mod: ast.FloorDiv, ast.Pow: ast.Mult, ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}  # fmt: skip
_CALLS = {
    "min": "max", "max": "min", "any": "all", "all": "any", "floor": "ceil", "ceil": "floor",
    "sorted": "list", "abs": "int",
}  # fmt: skip


def mutants_of(room: str, root: Path = ROOT) -> list[Mutant]:
    """All mutants of a room."""
    files = [path for pattern in ROOMS[room].files for path in sorted(root.glob(pattern))]
    return [m for path in files for m in _of_file(room, path, root)]


def _of_file(room: str, path: Path, root: Path) -> Iterator[Mutant]:
    source = path.read_text(encoding="utf-8")
    lines = [0]
    for line in source.splitlines(keepends=True):
        lines.append(lines[-1] + len(line))
    texts = source.splitlines()

    def place(line: int, column: int) -> int:
        return lines[line - 1] + len(texts[line - 1].encode()[:column].decode())

    tree = ast.parse(source)
    functions = dict(_functions(tree, ""))
    digests = {
        name: hashlib.sha256("".join(ast.dump(n) for n in nodes).encode()).hexdigest()[:16]
        for name, nodes in functions.items()
    }
    spans = {
        name: (min(_lines(n).start for n in nodes), max(_lines(n).stop for n in nodes) - 1)
        for name, nodes in functions.items()
    }
    where = {
        n: name for name, nodes in functions.items() for node in nodes for n in _lines(node)
    }  # the innermost comes last
    seen: Counter[tuple[str, str]] = Counter()
    for node in _told(tree):
        start = place(node.lineno, node.col_offset)
        end = place(node.end_lineno or node.lineno, node.end_col_offset or 0)
        before = source[start:end]
        for changed in _changes(node):
            text = ast.unparse(changed)
            text = f"({text})" if isinstance(changed, ast.expr) else text
            name = where.get(node.lineno, "")
            change = f"{_shortened(before)} -> {_shortened(text)}"
            seen[name, change] += 1
            again = f" ({seen[name, change]})" if seen[name, change] > 1 else ""
            file = str(path.relative_to(root))
            yield Mutant(
                room, file, node.lineno, start, end, text, f"{file}: {name}: {change}{again}",
                digests.get(name, ""), spans.get(name, (0, 0)),
            )  # fmt: skip


def _shortened(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _SHOWN else words[:_SHOWN] + "..."


def _functions(node: ast.AST, prefix: str) -> Iterator[tuple[str, list[ast.AST]]]:
    """Functions by their qualified names, outer ones first; a property has two of one name."""
    found: dict[str, list[ast.AST]] = {}
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.ClassDef):
            found.setdefault(prefix + child.name, []).append(child)
    for name, nodes in found.items():
        if isinstance(nodes[0], ast.FunctionDef):
            yield name, nodes
        for child in nodes:
            yield from _functions(child, f"{name}.")


def _lines(node: ast.AST) -> range:
    assert isinstance(node, ast.FunctionDef)
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def _told(node: ast.AST) -> Iterator[ast.expr | ast.stmt]:
    """Expressions and statements that may be changed: not types, texts of messages, decorators,
    nor the constants of a module, whose sources are documented; nor zip's `strict`, which asserts
    what holds."""
    for name, inner in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "exc", "msg", "bases", "keywords"):
            if name != "keywords" or not isinstance(node, ast.Call):
                continue
        if isinstance(node, ast.Module) and name == "body":
            inner = [s for s in inner if isinstance(s, ast.FunctionDef | ast.ClassDef)]
        if isinstance(node, ast.ClassDef) and name == "body":
            inner = [s for s in inner if isinstance(s, ast.FunctionDef)]
        for child in inner if isinstance(inner, list) else [inner]:
            if not isinstance(child, ast.AST) or isinstance(child, ast.JoinedStr | ast.Slice):
                continue
            if isinstance(child, ast.keyword) and child.arg == "strict":
                continue
            if isinstance(child, ast.expr | ast.stmt):
                yield child
            yield from _told(child)


def _changes(node: ast.expr | ast.stmt) -> Iterator[ast.expr | ast.stmt]:
    changed = copy.copy(node)  # what is in it stays as it is
    match changed:
        case ast.Compare(ops=[operator]) if type(operator) in _RELATIONS:
            changed.ops = [_RELATIONS[type(operator)]()]
        case ast.BinOp(op=operator) if type(operator) in _OPERATORS and not _is_text(changed):
            changed.op = _OPERATORS[type(operator)]()
        case ast.BoolOp():
            changed.op = ast.Or() if isinstance(changed.op, ast.And) else ast.And()
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield operand
            return
        case ast.Constant(value=bool(value)):
            changed.value = not value
        case ast.Constant(value=int(value)):
            changed.value = value + 1
        case ast.Call(func=ast.Name(id=name)) if name in _CALLS:
            changed.func = ast.Name(_CALLS[name], ast.Load())
        case ast.IfExp():
            changed.body, changed.orelse = changed.orelse, changed.body
        case ast.Break():
            yield ast.Continue()
            return
        case ast.Continue():
            yield ast.Break()
            return
        case _:
            return
    yield changed


def _is_text(node: ast.BinOp) -> bool:
    return any(
        isinstance(side, ast.JoinedStr)
        or (isinstance(side, ast.Constant) and isinstance(side.value, str | bytes))
        for side in (node.left, node.right)
    )


def sample(rooms: Sequence[str], number: int, seed: int) -> list[Mutant]:
    """So many mutants, as many of each room; a larger number holds the smaller ones."""

    def rank(mutant: Mutant) -> bytes:
        return hashlib.sha256(f"{seed} {mutant.key}".encode()).digest()

    ranked = [sorted(mutants_of(room), key=rank) for room in rooms]
    mixed = [m for some in zip(*ranked, strict=False) for m in some]
    return mixed[:number]


class _Ledger:
    """Outcomes, and which hold for the code and the tests as they are."""

    def __init__(self, path: Path | None, seed: int) -> None:
        self._path, self._seed = path, seed
        self._found: dict[str, dict[str, Any]] = {}
        self._tests: dict[str, dict[str, str]] = {}
        if path and path.exists():
            document = json.loads(path.read_text(encoding="utf-8"))
            if document.get("format") != FORMAT:
                sys.exit(f"{path}: is no {FORMAT}; give another file")
            self._found, self._tests = document["mutants"], document["tests"]

    def task(self, mutant: Mutant, tests: Mapping[str, str], budget: float) -> Task | None:
        """What is to be tried, None where the outcome is known."""
        known = self._found.get(mutant.key)
        if known is None or known["function"] != mutant.function_digest:
            return Task(mutant)
        before = self._tests[known["tests"]]
        if known["by"] is not None:
            file = known["by"].partition("::")[0]
            same = before.get(file) == tests.get(file)
            return None if same else Task(mutant, first=known["by"])
        seen = frozenset(f for f, d in tests.items() if before.get(f) == d)
        if len(seen) == len(tests) and (not known["left"] or budget <= known["budget"]):
            return None
        return Task(mutant, seen=seen, left=frozenset(known["left"]))

    def keep(self, outcome: Outcome, tests: Mapping[str, str], budget: float) -> None:
        """Note an outcome, at once in the file."""
        text = json.dumps(tests, sort_keys=True)
        name = hashlib.sha256(text.encode()).hexdigest()[:16]
        self._tests[name] = dict(tests)
        self._found[outcome.mutant.key] = {
            "function": outcome.mutant.function_digest, "by": outcome.by, "left": outcome.left,
            "budget": budget, "tests": name,
        }  # fmt: skip
        if self._path:
            used = {m["tests"] for m in self._found.values()}
            document = {
                "format": FORMAT, "seed": self._seed, "mutants": self._found,
                "tests": {n: t for n, t in self._tests.items() if n in used},
            }  # fmt: skip
            self._path.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")

    def is_killed(self, mutant: Mutant) -> bool:
        """Has a test noticed it?"""
        return self._found[mutant.key]["by"] is not None

    def left(self, mutant: Mutant) -> int:
        """Tests that the budget did not allow."""
        return len(self._found[mutant.key]["left"])


def main(arguments: Sequence[str] | None = None) -> int:
    """Print survivors and the score; 1 if it is below what is asked for."""
    parser = argparse.ArgumentParser(prog="make mutants ARGS=...", description=__doc__)
    parser.add_argument("--rooms", nargs="*", default=list(ROOMS), choices=list(ROOMS))
    parser.add_argument("--number", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--least", type=float, default=0.85, help="The score to reach.")
    parser.add_argument("--budget", type=float, default=30, help="CPU seconds of tests per mutant.")
    parser.add_argument("--json", type=Path, help="Outcomes; a later run with it goes on there.")
    options = parser.parse_args(arguments)
    ledger = _Ledger(options.json, options.seed)
    chosen = sample(list(ROOMS), options.number, options.seed)
    chosen = [m for m in chosen if m.room in options.rooms]
    with tempfile.TemporaryDirectory(prefix="looplaw-mutants-") as folder:
        copied = copy_of_repository(Path(folder))
        for room in options.rooms:
            tests = digests_of_tests(copied, ROOMS[room].tests)
            some = [m for m in chosen if m.room == room]
            tasks = [t for m in some if (t := ledger.task(m, tests, options.budget))]
            suite = Suite(
                room,
                tuple(sorted({m.file for m in mutants_of(room)})),
                ROOMS[room].tests,
                ROOMS[room].packages,
            )
            for outcome in outcomes(copied, tasks, suite, options.budget):
                ledger.keep(outcome, tests, options.budget)
                how = f"killed by {outcome.by}" if outcome.by else "survived"
                print(f"{how}: {outcome.mutant.key} (line {outcome.mutant.line})", flush=True)
    return _shown(chosen, ledger, options)


def _shown(chosen: Sequence[Mutant], ledger: _Ledger, options: argparse.Namespace) -> int:
    judged = [m for m in chosen if m.key not in EXPLAINED]
    survivors = [m for m in judged if not ledger.is_killed(m)]
    for m in survivors:
        print(f"survived: {m.key} (line {m.line})")
    print(f"{'room':10} sample  explained  killed  survived  with tests left  score")
    for room in (*options.rooms, "all"):
        here = [m for m in chosen if room in (m.room, "all")]
        alive = [m for m in survivors if room in (m.room, "all")]
        counted = sum(m in judged for m in here)
        left = sum(ledger.left(m) > 0 for m in alive)
        score = 1 - len(alive) / counted if counted else 1.0
        print(
            f"{room:10} {len(here):6}  {len(here) - counted:9}  {counted - len(alive):6}"
            f"  {len(alive):8}  {left:15}  {score:5.1%}"
        )
    print(
        f"seed {options.seed}; tests of up to {options.budget:g} CPU seconds for each mutant: "
        "a survivor with tests left may be noticed by those"
    )
    return 0 if score >= options.least else 1


if __name__ == "__main__":
    sys.exit(main())
