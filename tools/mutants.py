"""`make mutants`: do tests notice when the code is wrong? One small change at a time (a relation,
an operator, a constant, a condition turned round) is made to a copy of the repository, and the
tests of its room that run the line do so until one fails. A mutant that no test notices has
survived.

    make mutants ARGS='--number 300 --seed 1'
    make mutants ARGS='--rooms store escaping --number 40 --json FILE'    goes on where FILE ends

What cannot be told from the program by any input, and why, stands in EXPLAINED.
"""

from __future__ import annotations

import argparse
import ast
import copy
import json
import random
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from .mutant_runs import ROOT, Mutant, copy_of_repository, outcomes

FORMAT = "looplaw-mutants/1"


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
            "staticana/scev/executions/*.py",
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
            "tests/looplaw/report/test_report.py", "tests/looplaw/report/test_tables.py",
            "tests/looplaw/check/test_findings.py",
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
    with tempfile.TemporaryDirectory(prefix="looplaw-mutants-") as folder:
        copied = copy_of_repository(Path(folder))
        for room in options.rooms:
            waiting = [m for m in chosen if m.room == room and m.name not in known]
            for mutant, is_killed in outcomes(copied, waiting, ROOMS[room].tests):
                known[mutant.name] = is_killed
                print(f"{'killed  ' if is_killed else 'survived'} {mutant.name}", flush=True)
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
