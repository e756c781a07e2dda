"""`make mutants`: do tests notice when the code is wrong? One small change at a time (a relation,
an operator, a constant, a condition turned round) is made to a copy of the repository, and the
tests of its room run until one fails. A mutant that no test notices has survived.

    make mutants ARGS='--number 300 --seed 1'
    make mutants ARGS='--rooms store escaping --number 40 --json FILE'    goes on where FILE ends

What cannot be told from the program by any input, and why, stands in EXPLAINED.
"""

from __future__ import annotations

import argparse
import ast
import copy
import json
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FORMAT = "looplaw-mutants/1"
_PACKAGES = ("looplaw_common", "staticana", "runtime", "modeling", "looplaw", "benchmarks", "tools")
_SAID = "said.txt"
_LEAST_S = 60
"""CPU time that the tests of a mutant may take at least; five times that of the unchanged code."""


@dataclass(frozen=True)
class Room:
    """Code, as patterns of files, and the tests that are to notice changes in it, quick ones
    first."""

    files: tuple[str, ...]
    tests: tuple[str, ...]


ROOMS: Mapping[str, Room] = {
    "counting": Room(
        (
            "staticana/closed_forms/*.py", "staticana/expr/*.py", "staticana/scev/*.py",
            "staticana/count.py",
        ),
        (
            "tests/staticana/expr", "tests/staticana/closed_forms", "tests/staticana/scev",
            "tests/staticana/test_count.py", "tests/staticana/test_programs.py",
            "tests/staticana/test_random_nests.py",
        ),
    ),
    "evidence": Room(
        ("modeling/evidence/*.py",),
        ("tests/modeling/evidence", "tests/modeling/search", "tests/modeling/fitter"),
    ),
    "store": Room(
        (
            "runtime/sweep/store.py", "runtime/sweep/records.py", "runtime/sweep/run_locks.py",
            "runtime/sweep/index.py", "runtime/sweep/sweep.py",
        ),
        ("tests/runtime/sweep", "tests/runtime/launch/test_launch_and_store.py"),
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
            "tests/looplaw/report/test_report.py", "tests/looplaw/check/test_findings.py",
            "tests/runtime/slurm/test_slurm.py", "tests/looplaw/cli/test_streams.py",
        ),
    ),
}  # fmt: skip
EXPLAINED: Mapping[str, str] = {}
"""FILE: LINE OF SOURCE -> CHANGED -> why no input can tell it from the program."""

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


@dataclass(frozen=True)
class Mutant:
    """One change: the characters from `start` to `end` of a file become `text`."""

    room: str
    file: str
    line: int
    start: int
    end: int
    before: str
    text: str

    @property
    def name(self) -> str:
        return f"{self.file}:{self.line}: {self.before} -> {self.text}"


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

    for node in _told(ast.parse(source)):
        start = place(node.lineno, node.col_offset)
        end = place(node.end_lineno or node.lineno, node.end_col_offset or 0)
        before = source[start:end]
        for changed in _changes(node):
            text = ast.unparse(changed)
            text = f"({text})" if isinstance(changed, ast.expr) else text
            yield Mutant(
                room, str(path.relative_to(root)), node.lineno, start, end,
                " ".join(before.split())[:80], " ".join(text.split())[:400],
            )  # fmt: skip


def _told(node: ast.AST) -> Iterator[ast.expr | ast.stmt]:
    """Expressions and statements that may be changed: not types, texts of messages, decorators,
    nor the constants of a module, whose sources are documented."""
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
            if isinstance(child, ast.expr | ast.stmt):
                yield child
            yield from _told(child)


def _changes(node: ast.expr | ast.stmt) -> Iterator[ast.expr | ast.stmt]:
    changed = copy.deepcopy(node)
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


# -- running
class Copy:
    """A copy of the repository in which one file at a time is changed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in (*_PACKAGES, "tests", "samples", "docs"):
            shutil.copytree(
                ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__")
            )
        for name in ("pyproject.toml", "README.md", "Makefile", "CHANGELOG.md"):
            shutil.copy(ROOT / name, folder / name)

    def outcome(self, tests: Sequence[str], limit_s: int) -> tuple[bool, float]:
        """Do the tests pass, and in which CPU time?"""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        child = os.fork()
        if child == 0:
            _become(self.folder, tests, limit_s)
        status = _waited(child, 4 * limit_s)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return status == 0, used

    def with_mutant(self, mutant: Mutant, limit_s: int) -> bool:
        """Is a mutant noticed?"""
        path = self.folder / mutant.file
        source = path.read_text(encoding="utf-8")
        try:
            path.write_text(
                source[: mutant.start] + mutant.text + source[mutant.end :], encoding="utf-8"
            )
            return not self.outcome(ROOMS[mutant.room].tests, limit_s)[0]
        finally:
            path.write_text(source, encoding="utf-8")


def _waited(child: int, wall_s: float) -> int:
    """The exit status of a process, which is ended after this time: a change may make it wait."""
    until = time.monotonic() + wall_s
    while time.monotonic() < until:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            return status
        time.sleep(0.05)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return -1


def _become(folder: Path, tests: Sequence[str], limit_s: int) -> None:
    code = 1
    try:
        os.setsid()
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        said = os.open(folder / _SAID, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        os.dup2(said, 1)
        os.dup2(said, 2)
        resource.setrlimit(resource.RLIMIT_CPU, (limit_s, limit_s + 5))
        os.chdir(folder)
        sys.path[:] = [str(folder), *(p for p in sys.path if p not in ("", str(ROOT)))]
        os.environ["PYTHONPATH"] = str(folder)
        sys.dont_write_bytecode = True
        for name in [n for n in sys.modules if n.partition(".")[0] in (*_PACKAGES, "tests")]:
            del sys.modules[name]
        import pytest

        options = ["-x", "-q", "-p", "no:cacheprovider", "-m", "not slow", "--hypothesis-seed=0"]
        code = int(pytest.main([*options, *tests]))
        sys.stdout.flush()
    finally:
        os._exit(code)


def _warm() -> None:
    """Import what the tests import and no mutant is in, once for all."""
    import click  # noqa: F401
    import hypothesis  # noqa: F401
    import msgspec  # noqa: F401
    import networkx  # noqa: F401
    import numpy  # noqa: F401
    import pytest  # noqa: F401
    import rich.table  # noqa: F401
    import sympy  # noqa: F401


def sample(rooms: Sequence[str], number: int, seed: int) -> list[Mutant]:
    """So many mutants, as many of each room; a larger number holds the smaller ones."""
    shuffled = []
    for room in rooms:
        found = mutants_of(room)
        random.Random(f"{seed} {room}").shuffle(found)
        shuffled.append(found)
    mixed = [m for some in zip(*shuffled, strict=False) for m in some]
    return mixed[:number]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print survivors and the score; 1 if it is below what is asked for."""
    parser = argparse.ArgumentParser(prog="make mutants ARGS=...", description=__doc__)
    parser.add_argument("--rooms", nargs="*", default=list(ROOMS), choices=list(ROOMS))
    parser.add_argument("--number", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--least", type=float, default=0.85, help="The score to reach.")
    parser.add_argument("--json", type=Path, help="Outcomes; a later run with it goes on there.")
    options = parser.parse_args(arguments)
    known: dict[str, bool] = {}
    if options.json and options.json.exists():
        known = json.loads(options.json.read_text())["killed"]
    chosen = sample(options.rooms, options.number, options.seed)
    _warm()
    with tempfile.TemporaryDirectory(prefix="looplaw-mutants-") as folder:
        copied, limits = Copy(Path(folder)), dict[str, int]()
        for mutant in chosen:
            if mutant.name in known:
                continue
            if mutant.room not in limits:
                passed, used = copied.outcome(ROOMS[mutant.room].tests, 3600)
                if not passed:
                    said = (copied.folder / _SAID).read_text(errors="replace")
                    sys.exit(f"{said[-3000:]}\n{mutant.room}: its tests fail without a change")
                limits[mutant.room] = int(max(_LEAST_S, 5 * used))
            known[mutant.name] = copied.with_mutant(mutant, limits[mutant.room])
            print(f"{'killed  ' if known[mutant.name] else 'survived'} {mutant.name}", flush=True)
            if options.json:
                document = {"format": FORMAT, "seed": options.seed, "killed": known}
                options.json.write_text(json.dumps(document, indent=1) + "\n")
    return _shown(chosen, known, options.least)


def _shown(chosen: Sequence[Mutant], known: Mapping[str, bool], least: float) -> int:
    judged = [m for m in chosen if m.name not in EXPLAINED]
    for room in dict.fromkeys(m.room for m in judged):
        some = [m for m in judged if m.room == room]
        killed = sum(known[m.name] for m in some)
        print(f"{room:10} {len(some):4} mutants, {killed:4} killed: {killed / len(some):.0%}")
    for m in judged:
        if not known[m.name]:
            print(f"survived: {m.name}")
    score = sum(known[m.name] for m in judged) / len(judged)
    print(f"{len(judged)} mutants, {len(chosen) - len(judged)} explained; score {score:.1%}")
    return 0 if score >= least else 1


if __name__ == "__main__":
    sys.exit(main())
