"""Tests against mutants, without starting anew for each.

One process collects the tests of a room. A fork of it runs them all once and notes which test runs
which lines (coverage.py, by contexts); that is kept in the user's cache folder until the code
changes, and of tests in files that change only those are run again. Then a fork for each mutant
gets the changed functions put in place of the unchanged ones, in memory and, for what the tests
start, on disk; it runs the tests that run the changed lines, the quickest and those that caught
others of the file first, until one fails or the budget is used up.
"""

from __future__ import annotations

import ast
import compileall
import gc
import hashlib
import json
import mmap
import os
import resource
import shutil
import signal
import struct
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import _lru_cache_wrapper
from pathlib import Path
from types import CodeType, FunctionType

import pytest
from hypothesis import Phase, settings

from looplaw_common.cache import cache_folder

ROOT = Path(__file__).resolve().parents[1]
_PACKAGES = ("looplaw_common", "staticana", "runtime", "modeling", "looplaw", "benchmarks", "tools")
_OPTIONS = ("-q", "-p", "no:cacheprovider", "-m", "not slow", "--hypothesis-seed=0")
_LEAST_S, _TIMES = 5, 5
"""CPU time that a test may take: this many times that without a change, and so much at least."""
_LEAST_WALL_S, _TIMES_WALL = 60, 20
"""The same in time on the clock: a change may make a test wait for ever."""
_STARTS_S = 0.05
"""CPU time of a test's processes from which on it may run a line that it does not run itself."""
_NOTICED, _BROKEN = 1, 3
"""Exit statuses of a fork: a test has failed; the change could not be made."""


@dataclass(frozen=True)
class Mutant:
    """One change: the characters from `start` to `end` of a file become `text`. Its key names
    file, function and change, but no line. function: the lines of the function around it."""

    room: str
    file: str
    line: int
    start: int
    end: int
    text: str
    key: str
    function_digest: str
    function: tuple[int, int]

    def applied(self, source: str) -> str:
        """The file with the change."""
        return source[: self.start] + self.text + source[self.end :]


@dataclass(frozen=True)
class Task:
    """A mutant to try: with this test first; of the tests in these files only those that the
    budget did not allow before."""

    mutant: Mutant
    first: str | None = None
    seen: frozenset[str] = frozenset()
    left: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Suite:
    """The tests of a room, files or folders; the room's files; the packages that the tests run."""

    room: str
    files: tuple[str, ...]
    tests: tuple[str, ...]
    packages: tuple[str, ...]


@dataclass(frozen=True)
class Outcome:
    """by: the test that noticed, None for a survivor; left: tests that the budget did not allow."""

    mutant: Mutant
    by: str | None
    left: tuple[str, ...]


def copy_of_repository(folder: Path) -> Path:
    """What the tests need of the repository, in a folder."""
    for name in (*_PACKAGES, "tests", "samples", "docs"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "Makefile", "CHANGELOG.md"):
        shutil.copy(ROOT / name, folder / name)
    for name in _PACKAGES:
        compileall.compile_dir(folder / name, quiet=2)
    return folder


def digests_of_tests(root: Path, tests: Iterable[str]) -> dict[str, str]:
    """Files of tests -> what tells their versions apart."""
    files = {
        f
        for t in tests
        for f in ((root / t).rglob("test_*.py") if (root / t).is_dir() else [root / t])
    }
    return {str(f.relative_to(root)): _digest([f]) for f in sorted(files)}


def _digest(files: Iterable[Path]) -> str:
    whole = hashlib.sha256()
    for file in files:
        whole.update(str(file.name).encode() + b"\0" + file.read_bytes())
    return whole.hexdigest()[:16]


def outcomes(folder: Path, tasks: Sequence[Task], suite: Suite, budget: float) -> Iterator[Outcome]:
    """What becomes of the mutants of a room in a copy of the repository.

    Args:
        budget: CPU seconds of tests for one mutant.

    Raises:
        SystemExit: the tests fail without a change, too.
    """
    if not tasks:
        return
    told, tell = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(told)
        _serve(_Runs(folder, tasks, suite, budget, tell), folder, suite.tests)
    os.close(tell)
    with os.fdopen(told) as lines:
        for line in lines:
            answer = json.loads(line)
            if "fails" in answer:
                os.waitpid(child, 0)
                sys.exit(f"{answer['fails']}: fails without a change\n{_said(folder)}")
            task = tasks[answer["task"]]
            yield Outcome(task.mutant, answer["by"], tuple(answer["left"]))
    if os.waitpid(child, 0)[1] != 0:
        sys.exit(f"the tests of {tasks[0].mutant.room} came to no end\n{_said(folder)}")


def _said(folder: Path) -> str:
    return (folder / "said.txt").read_text(errors="replace")[-3000:]


def _serve(plugin: _Runs, folder: Path, tests: Sequence[str]) -> None:
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
        # a mutant's file must not leave its compiled form to the next one
        os.environ |= {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
        sys.dont_write_bytecode = True
        for name in [n for n in sys.modules if n.partition(".")[0] in (*_PACKAGES, "tests")]:
            del sys.modules[name]
        arguments = [*_OPTIONS, f"--basetemp={folder / 'temp'}", *tests]
        code = int(pytest.main(arguments, plugins=[plugin]))
    finally:
        os._exit(code)


@dataclass(frozen=True)
class _Run:
    """What a test does without a change. lines: file of the room -> lines that it runs; seconds:
    CPU time; starts: does it start processes that may run others?"""

    lines: Mapping[str, Sequence[int]]
    seconds: float
    starts: bool

    def runs(self, file: str, first: int, last: int) -> bool:
        """Does it run one of these lines?"""
        return any(first <= n <= last for n in self.lines.get(file, ()))


@dataclass
class _Watch:
    """Which test a fork runs and how long it may, in memory that both share."""

    shared: mmap.mmap = field(default_factory=lambda: mmap.mmap(-1, 16))

    def begin(self, test: int, seconds: float) -> None:
        """In the fork: a test begins."""
        used = _cpu(resource.getrusage(resource.RUSAGE_SELF))
        limit = int(used + max(_LEAST_S, _TIMES * seconds)) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))
        until = time.monotonic() + max(_LEAST_WALL_S, _TIMES_WALL * seconds)
        self.shared[:] = struct.pack("dq", until, test)

    @property
    def until(self) -> float:
        """When the test is ended."""
        return float(struct.unpack("dq", self.shared[:])[0])

    @property
    def test(self) -> int:
        """The test that began last."""
        return int(struct.unpack("dq", self.shared[:])[1])

    def forked(self, work: Callable[[], int]) -> int:
        """The exit status of a fork that does some work; -1 if it took too long."""
        self.shared[:] = struct.pack("dq", time.monotonic() + _LEAST_WALL_S, -1)
        child = os.fork()
        if child == 0:
            code = _NOTICED
            try:
                os.setpgid(0, 0)
                code = work()
            finally:
                os._exit(code)
        pid = 0
        while not pid and time.monotonic() < self.until:
            pid, status = os.waitpid(child, os.WNOHANG)
            time.sleep(0 if pid else 0.005)
        with suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)  # with what it has left running
        if not pid:
            os.waitpid(child, 0)
            return -1
        return os.waitstatus_to_exitcode(status)


class _Runs:
    """A plugin of pytest that runs the collected tests in forks."""

    def __init__(
        self, folder: Path, tasks: Sequence[Task], suite: Suite, budget: float, tell: int
    ) -> None:
        self._folder, self._tasks, self._suite = folder, tasks, suite
        self._budget, self._tell = budget, tell
        self._failed = False
        self._watch = _Watch()
        self._caught: Counter[tuple[str, str]] = Counter()  # file, test -> mutants

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self) -> None:
        """An example that fails is enough: it need not be made small nor kept."""
        settings.register_profile(
            "mutants",
            settings(deadline=None, database=None, phases=(Phase.explicit, Phase.generate)),
        )
        settings.load_profile("mutants")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._failed |= report.failed

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """In place of pytest's own loop."""
        known = self._known(session)
        if known is None:
            return True
        for k, task in enumerate(self._tasks):
            mutant = task.mutant
            path = self._folder / mutant.file
            source = path.read_text(encoding="utf-8")
            chosen, left = self._chosen(session, known, task, source)
            times = path.stat()
            try:
                path.write_text(mutant.applied(source), encoding="utf-8")
                status = self._watch.forked(
                    lambda m=mutant, c=chosen: self._try(session, known, m, c)  # type: ignore[misc]
                )
            finally:
                path.write_text(source, encoding="utf-8")
                os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
            if status == _BROKEN:
                self._say({"fails": f"{mutant.key} cannot be made"})
                return True
            by = session.items[self._watch.test].nodeid if status else None
            if by is not None:
                self._caught[mutant.file, by] += 1
            self._say({"task": k, "by": by, "left": left})
        return True

    def _chosen(
        self, session: pytest.Session, known: Sequence[_Run], task: Task, source: str
    ) -> tuple[list[int], list[str]]:
        """The tests to run in turn, and those that the budget does not allow."""
        mutant, items = task.mutant, session.items
        around = mutant.function
        last = source.count("\n", 0, mutant.end) + 1
        found = [k for k, run in enumerate(known) if run.runs(mutant.file, mutant.line, last)]
        if not found:  # an argument's default belongs to the function, and is run with the module
            found = [k for k, r in enumerate(known) if r.starts or r.runs(mutant.file, *around)]
        found = [
            k
            for k in found
            if items[k].nodeid.partition("::")[0] not in task.seen or items[k].nodeid in task.left
        ]

        def rank(k: int) -> tuple[bool, float]:
            caught = self._caught[mutant.file, items[k].nodeid]
            return items[k].nodeid != task.first, known[k].seconds / (1 + caught)

        allowed, left, used = list[int](), list[str](), 0.0
        for k in sorted(found, key=rank):
            used += known[k].seconds
            if used <= self._budget or not allowed:
                allowed.append(k)
            else:
                left.append(items[k].nodeid)
        return allowed, left

    def _say(self, answer: dict[str, object]) -> None:
        os.write(self._tell, (json.dumps(answer) + "\n").encode())

    def _known(self, session: pytest.Session) -> list[_Run] | None:
        """What each test does, as far as possible from the cache folder; None where one fails."""
        kept = cache_folder() / "mutants" / f"{self._suite.room}.json"
        code = _digest(
            f
            for name in (*self._suite.packages, "tests", "samples")
            for f in sorted((self._folder / name).rglob("*"))
            if f.is_file() and f.suffix != ".pyc" and not f.name.startswith("test_")
        )
        tests = digests_of_tests(self._folder, self._suite.tests)
        old: dict[str, object] = {}
        if kept.exists():
            document = json.loads(kept.read_text(encoding="utf-8"))
            if document["code"] == code:
                same = {f for f, d in document["tests"].items() if tests.get(f) == d}
                old = {n: r for n, r in document["runs"].items() if n.partition("::")[0] in same}
        new = [k for k, item in enumerate(session.items) if item.nodeid not in old]
        found = self._folder / "found.json"
        if new:
            if self._watch.forked(lambda: self._explore(session, new, found)) != 0:
                by = session.items[self._watch.test].nodeid
                self._say({"fails": by})
                return None
            old |= json.loads(found.read_text(encoding="utf-8"))
            kept.parent.mkdir(parents=True, exist_ok=True)
            document = {"code": code, "tests": tests, "runs": old}
            kept.write_text(json.dumps(document), encoding="utf-8")
        return [_Run(**old[item.nodeid]) for item in session.items]  # type: ignore[arg-type]

    def _explore(self, session: pytest.Session, which: Sequence[int], found: Path) -> int:
        import coverage

        paths = {str(self._folder / name): name for name in self._suite.files}
        seen = coverage.Coverage(data_file=None, config_file=False, include=list(paths))
        used: dict[int, tuple[float, float]] = {}
        seen.start()
        for k in which:
            seen.switch_context(str(k))
            own, children = (resource.getrusage(w) for w in _WHO)
            self._watch.begin(k, 100)
            self._run(session.items[k], None)
            used[k] = (
                _cpu(resource.getrusage(_WHO[0])) - _cpu(own),
                _cpu(resource.getrusage(_WHO[1])) - _cpu(children),
            )
            if self._failed:
                return _NOTICED
        seen.stop()
        data = seen.get_data()
        lines: dict[int, dict[str, list[int]]] = {k: {} for k in which}
        for path, name in paths.items():
            for line, contexts in data.contexts_by_lineno(path).items():
                for context in filter(None, contexts):
                    lines[int(context)].setdefault(name, []).append(line)
        runs = {
            session.items[k].nodeid: asdict(_Run(lines[k], sum(used[k]), used[k][1] > _STARTS_S))
            for k in which
        }
        found.write_text(json.dumps(runs), encoding="utf-8")
        return 0

    def _try(
        self, session: pytest.Session, known: Sequence[_Run], mutant: Mutant, chosen: Sequence[int]
    ) -> int:
        """1 where a test notices."""
        try:
            _put_in_place(self._folder / mutant.file)
        except Exception:
            traceback.print_exc()
            return _BROKEN
        for k, following in zip(chosen, (*chosen[1:], None), strict=True):
            self._watch.begin(k, known[k].seconds)
            self._run(session.items[k], None if following is None else session.items[following])
            if self._failed:
                return _NOTICED
        return 0

    def _run(self, item: pytest.Item, following: pytest.Item | None) -> None:
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)


_WHO = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)


def _cpu(usage: resource.struct_rusage) -> float:
    return usage.ru_utime + usage.ru_stime


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
    for cached in [o for o in gc.get_objects() if isinstance(o, _lru_cache_wrapper)]:
        code = getattr(cached.__wrapped__, "__code__", None)
        if code is not None and Path(code.co_filename).parent == path.parent:
            cached.cache_clear()  # of what was found while tests were collected


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
