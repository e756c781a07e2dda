"""Tests against mutants, without starting anew for each.

One process collects the tests of a room. A fork of it runs them all once and notes which test runs
which lines (coverage.py, by contexts). Then a fork for each mutant gets the changed functions put
in place of the unchanged ones, in memory and, for what the tests start, on disk; it runs the tests
that run the changed lines, the quickest first, until one fails.
"""

from __future__ import annotations

import ast
import gc
import json
import os
import resource
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FunctionType

import pytest

ROOT = Path(__file__).resolve().parents[1]
_PACKAGES = ("looplaw_common", "staticana", "runtime", "modeling", "looplaw", "benchmarks", "tools")
_OPTIONS = ("-q", "-p", "no:cacheprovider", "-m", "not slow", "--hypothesis-seed=0")
_LEAST_S = 30
"""CPU time that the tests of a mutant may take at least; five times that of the unchanged code."""
_STARTS_S = 0.05
"""CPU time of a test's processes from which on it may run a line that it does not run itself."""


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

    def applied(self, source: str) -> str:
        """The file with the change."""
        return source[: self.start] + self.text + source[self.end :]


def copy_of_repository(folder: Path) -> Path:
    """What the tests need of the repository, in a folder."""
    for name in (*_PACKAGES, "tests", "samples", "docs"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "Makefile", "CHANGELOG.md"):
        shutil.copy(ROOT / name, folder / name)
    return folder


def outcomes(
    folder: Path, mutants: Sequence[Mutant], tests: Sequence[str]
) -> Iterator[tuple[Mutant, bool]]:
    """(mutant, does a test notice it) for mutants of a copy of the repository.

    Raises:
        SystemExit: the tests fail without a change, too.
    """
    if not mutants:
        return
    told, tell = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(told)
        _serve(folder, mutants, tests, tell)
    os.close(tell)
    with os.fdopen(told) as lines:
        for line in lines:
            answer = json.loads(line)
            if "fails" in answer:
                os.waitpid(child, 0)
                sys.exit(f"{answer['fails']}: fails without a change\n{_said(folder)}")
            yield mutants[answer["mutant"]], answer["killed"]
    if os.waitpid(child, 0)[1] != 0:
        sys.exit(f"the tests of {mutants[0].room} came to no end\n{_said(folder)}")


def _said(folder: Path) -> str:
    return (folder / "said.txt").read_text(errors="replace")[-3000:]


def _serve(folder: Path, mutants: Sequence[Mutant], tests: Sequence[str], tell: int) -> None:
    """Never returns."""
    code = 1
    try:
        os.setsid()
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        said = os.open(folder / "said.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        os.dup2(said, 1)
        os.dup2(said, 2)
        os.chdir(folder)
        sys.path[:] = [str(folder), *(p for p in sys.path if p not in ("", str(ROOT)))]
        os.environ["PYTHONPATH"] = str(folder)
        for name in [n for n in sys.modules if n.partition(".")[0] in (*_PACKAGES, "tests")]:
            del sys.modules[name]
        plugin = _Runs(folder, mutants, tell)
        arguments = [*_OPTIONS, f"--basetemp={folder / 'temp'}", *tests]
        code = int(pytest.main(arguments, plugins=[plugin]))
    finally:
        os._exit(code)


@dataclass(frozen=True)
class _Known:
    """What the tests do without a change. lines: file -> line -> tests that run it; seconds: CPU
    time of each test; starts: those that start processes."""

    lines: dict[str, dict[str, list[int]]]
    seconds: list[float]
    starts: list[int]
    failed: str | None = None

    def tests_of(self, mutant: Mutant, source: str) -> list[int]:
        """The tests that run the changed lines, the quickest first."""
        last = source.count("\n", 0, mutant.end) + 1
        at = self.lines.get(mutant.file, {})
        found = {k for n in range(mutant.line, last + 1) for k in at.get(str(n), ())}
        return sorted(found or self.starts, key=lambda k: self.seconds[k])


class _Runs:
    """A plugin of pytest that runs the collected tests in forks."""

    def __init__(self, folder: Path, mutants: Sequence[Mutant], tell: int) -> None:
        self._folder, self._mutants, self._tell = folder, mutants, tell
        self._failed = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._failed |= report.failed

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """In place of pytest's own loop."""
        files = sorted({m.file for m in self._mutants})
        found = self._folder / "lines.json"
        status = _forked(lambda: self._explore(session, files, found), 24 * 3600)
        if status != 0:
            self._say({"fails": "the first run of the tests"})
            return True
        known = _Known(**json.loads(found.read_text()))
        if known.failed is not None:
            self._say({"fails": known.failed})
            return True
        for k, mutant in enumerate(self._mutants):
            path = self._folder / mutant.file
            source = path.read_text(encoding="utf-8")
            chosen = known.tests_of(mutant, source)
            limit = max(_LEAST_S, 5 * sum(known.seconds[k] for k in chosen))
            try:
                path.write_text(mutant.applied(source), encoding="utf-8")
                status = _forked(lambda m=mutant, c=chosen: self._try(session, m, c), limit)  # type: ignore[misc]
            finally:
                path.write_text(source, encoding="utf-8")
            self._say({"mutant": k, "killed": status != 0})
        return True

    def _say(self, answer: dict[str, object]) -> None:
        os.write(self._tell, (json.dumps(answer) + "\n").encode())

    def _explore(self, session: pytest.Session, files: Iterable[str], found: Path) -> int:
        import coverage

        paths = {str(self._folder / name): name for name in files}
        seen = coverage.Coverage(data_file=None, config_file=False, include=list(paths))
        seconds, starts, failed = list[float](), list[int](), None
        seen.start()
        for k, item in enumerate(session.items):
            seen.switch_context(str(k))
            own, children = (resource.getrusage(w) for w in _WHO)
            self._run(item)
            used = [_cpu(resource.getrusage(w)) - _cpu(b) for w, b in zip(_WHO, (own, children))]
            seconds.append(sum(used))
            if used[1] > _STARTS_S:
                starts.append(k)
            if self._failed:
                failed = item.nodeid
                break
        seen.stop()
        data = seen.get_data()
        lines = {
            name: {
                str(line): [int(c) for c in contexts if c]
                for line, contexts in data.contexts_by_lineno(path).items()
            }
            for path, name in paths.items()
        }
        found.write_text(json.dumps(vars(_Known(lines, seconds, starts, failed))))
        return 0

    def _try(self, session: pytest.Session, mutant: Mutant, chosen: Sequence[int]) -> int:
        """1 where a test notices."""
        _put_in_place(self._folder / mutant.file)
        for k in chosen:
            self._run(session.items[k])
            if self._failed:
                return 1
        return 0

    def _run(self, item: pytest.Item) -> None:
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)


_WHO = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)


def _cpu(usage: resource.struct_rusage) -> float:
    return usage.ru_utime + usage.ru_stime


def _forked(work: Callable[[], int], limit_s: float) -> int:
    """The exit status of a fork that does some work in this much CPU time at most."""
    child = os.fork()
    if child == 0:
        code = 2
        try:
            os.setpgid(0, 0)
            resource.setrlimit(resource.RLIMIT_CPU, (int(limit_s) + 1, int(limit_s) + 6))
            code = work()
        finally:
            os._exit(code)
    until = time.monotonic() + 10 * limit_s  # a change may make it wait
    while time.monotonic() < until:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            return status
        time.sleep(0.01)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return -1


def _put_in_place(path: Path) -> None:
    """Let the functions of a file that is imported do what the file now says."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    whole = compile(tree, str(path), "exec", dont_inherit=True)
    now = _by_name(_codes(whole))
    live = [
        o
        for o in gc.get_objects()
        if isinstance(o, FunctionType) and o.__code__.co_filename == str(path)
    ]
    before = _by_name({f.__code__ for f in live})
    for f in live:
        name = f.__code__.co_qualname
        at = before[name].index(f.__code__)
        codes = now.get(name, [])
        # of several functions of one name, such as a property's, each in its turn
        if len(codes) == len(before[name]) and codes[at].co_freevars == f.__code__.co_freevars:
            f.__code__ = codes[at]
    _put_defaults(tree, live)


def _put_defaults(tree: ast.Module, live: Sequence[FunctionType]) -> None:
    """Constants among the defaults of arguments."""
    names = {f.__code__.co_name: f for f in live}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and (f := names.get(node.name)) is not None:
            if f.__defaults__ and len(node.args.defaults) == len(f.__defaults__):
                pairs = zip(node.args.defaults, f.__defaults__, strict=True)
                f.__defaults__ = tuple(_constant(d, v) for d, v in pairs)
            for a, d in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True):
                if f.__kwdefaults__ and d is not None and a.arg in f.__kwdefaults__:
                    f.__kwdefaults__[a.arg] = _constant(d, f.__kwdefaults__[a.arg])


def _constant(node: ast.expr, otherwise: object) -> object:
    return node.value if isinstance(node, ast.Constant) else otherwise


def _codes(code: CodeType) -> Iterator[CodeType]:
    for c in code.co_consts:
        if isinstance(c, CodeType):
            yield c
            yield from _codes(c)


def _by_name(codes: Iterable[CodeType]) -> dict[str, list[CodeType]]:
    found: dict[str, list[CodeType]] = {}
    for c in sorted(codes, key=lambda c: c.co_firstlineno):
        found.setdefault(c.co_qualname, []).append(c)
    return found
