"""`make bench-faults`: every file operation of a command fails once, in every way it can: no room,
an error of the disk, no permission, too many open files, half a write, and SIGKILL right before it.

A small library preloaded into this process (faults.c) counts the operations that a command makes
below its folder and lets the k-th fail; the command runs in a fork, so that nothing is imported
again. Before it, the folder holds what an earlier command wrote. Afterwards every output must be
what it was or all that is new, every finished run must be there, an error must be one line, and the
same command, undisturbed, must end well without making a finished run again.

    make bench-faults                                   a seeded sample of 40 faults of each verb
    make bench-faults ARGS='--all'                      every operation in every way
    make bench-faults ARGS='--verbs fit merge --number 100 --seed 7'
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import errno
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.imports import SharedImports

ROOT = Path(__file__).resolve().parents[2]
FORMAT = "looplaw-bench-faults/1"
_SHIM = "LOOPLAW_FAULTS_SHIM"
_KILL, _SHORT = -1, -2
WAYS: Mapping[str, tuple[int, tuple[str, ...]]] = {
    "ENOSPC": (errno.ENOSPC, ("write", "sync", "create", "mkdir", "rename", "link")),
    "EIO": (errno.EIO, ("write", "sync", "create", "open", "mkdir", "rename", "link", "unlink")),
    "EACCES": (errno.EACCES, ("create", "open", "mkdir", "rename", "link", "unlink")),
    "EMFILE": (errno.EMFILE, ("create", "open")),
    "short": (_SHORT, ("write",)),
    "kill -9": (_KILL, ("write", "sync", "create", "open", "mkdir", "rename", "link", "unlink")),
}
"""Way -> (what the library is told, the operations that can fail so)."""
PROGRAM = """#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static volatile long s;
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    for (int i = 0; i < n; i++) {
        s += i;
    }
    char line[32];
    int log = open(getenv("FAULTS_LOG"), O_WRONLY | O_APPEND | O_CREAT, 0644);
    return write(log, line, sprintf(line, "%d\\n", n)) < 0;
}
"""
_BEFORE = ("write", "sync", "create", "mkdir", "rename", "link")
"""Operations whose failure leaves nothing behind; of a folder that cannot be opened or a file that
cannot be removed, something stays."""
_LINE = re.compile(r"looplaw[ :].*")
_CODES = (0, 1, 2, 3)


@dataclass(frozen=True)
class Verb:
    """A command that is faulted.

    Attributes:
        before: commands that make what the folder holds before.
        words: the command; {stdout} redirects its output into the folder.
        outputs: files that it replaces, each of which must be whole.
        runs: parameter values that it runs; empty for verbs that run nothing.
        old: those that were run before.
    """

    before: tuple[tuple[str, ...], ...]
    words: tuple[str, ...]
    outputs: tuple[str, ...]
    runs: tuple[int, ...] = ()
    old: tuple[int, ...] = ()
    stdout: str = ""


_STUDY = ("study", "program.c", "--repetitions", "1", "--out", "out", "--json", "s.json", "--vary")
_RUN = ("run", "program.c", "--repetitions", "1", "--out", "out", "--models", "m.json", "--vary")
VERBS: Mapping[str, Verb] = {
    "study": Verb(
        ((*_STUDY, "n=1,2"),),
        (*_STUDY, "n=1,2,3,4"),
        ("out/study.json", "out/models.json", "out/report.html", "s.json"),
        (1, 2, 3, 4),
        (1, 2),
    ),
    "run": Verb(
        ((*_RUN, "n=1,2"),), (*_RUN, "n=1,2,3,4"), ("m.json",), (1, 2, 3, 4), (1, 2), "data.jsonl"
    ),
    "fit": Verb(
        (("fit", "old.jsonl", "--json", "m.json", "--html", "r.html"),),
        ("fit", "new.jsonl", "--json", "m.json", "--html", "r.html"),
        ("m.json", "r.html"),
    ),
    "report": Verb(
        (("report", "old.jsonl", "--out", "r.html"),),
        ("report", "new.jsonl", "--out", "r.html"),
        ("r.html",),
    ),
    "merge": Verb(
        (("merge", "a.stats", "--out", "all.stats"),),
        ("merge", "a.stats", "b.stats", "--out", "all.stats"),
        ("all.stats",),
    ),
    "export": Verb(
        (("export", "old.jsonl", "--out", "e.csv"),),
        ("export", "new.jsonl", "--out", "e.csv"),
        ("e.csv",),
    ),
    "check": Verb(
        (("check", "old.jsonl", "--laws", "laws.toml", "--junit", "j.xml", "--json", "c.json"),),
        ("check", "new.jsonl", "--laws", "laws.toml", "--junit", "j.xml", "--json", "c.json"),
        ("j.xml", "c.json"),
    ),
}


@dataclass
class Tally:
    """What became of the faults of a verb.

    Attributes:
        operations: file operations that the command makes.
        survived: faults after which it ended well all the same.
        lost, doubled: runs.
        damaged: outputs that are neither old nor new.
        litter: temporary files left behind by a command that was not killed.
        wrong: what is wrong, in words.
    """

    operations: int = 0
    faulted: int = 0
    survived: int = 0
    lost: int = 0
    doubled: int = 0
    damaged: int = 0
    litter: int = 0
    wrong: list[str] = field(default_factory=list)


class Faults:
    """The preloaded library."""

    def __init__(self) -> None:
        self._library = ctypes.CDLL(os.environ[_SHIM])
        self._library.looplaw_fault_seen.restype = ctypes.c_char_p

    def arm(self, folder: Path, k: int, kind: int) -> None:
        self._library.looplaw_fault_arm(os.fsencode(folder), ctypes.c_long(k), kind)

    def seen(self) -> Iterator[str]:
        k = 0
        while (name := self._library.looplaw_fault_seen(ctypes.c_long(k))) is not None:
            yield name.decode()
            k += 1


@dataclass(frozen=True)
class Ended:
    """How a command ended; `operations`: those that it made below its folder."""

    code: int
    errors: str
    operations: tuple[str, ...] = ()


def command(
    words: Sequence[str], folder: Path, faults: Faults, k: int = 0, kind: int = 0, stdout: str = ""
) -> Ended:
    """A command of looplaw in a fork of this process; its k-th file operation fails."""
    notes = folder.parent / f"{folder.name}.notes"
    shutil.rmtree(notes, ignore_errors=True)
    notes.mkdir()
    with SharedImports() as imports:
        child = os.fork()
        if child == 0:
            _become(words, folder, faults, k, kind, notes, stdout, imports)
        _, status = os.waitpid(child, 0)
    seen = notes / "operations"
    return Ended(
        os.waitstatus_to_exitcode(status),
        (notes / "stderr").read_text(errors="replace"),
        tuple(seen.read_text().split()) if seen.exists() else (),
    )


def _become(
    words: Sequence[str],
    folder: Path,
    faults: Faults,
    k: int,
    kind: int,
    notes: Path,
    stdout: str,
    imports: SharedImports,
) -> None:
    code = 99
    try:
        os.chdir(folder)
        out = folder / stdout if stdout else notes / "stdout"
        for number, path in ((1, out), (2, notes / "stderr")):
            os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644), number)
        from looplaw.cli.main import main

        sys.argv = ["looplaw", *words]
        faults.arm(folder, k, kind)
        try:
            code = int(main() or 0)
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 1 if end.code else 0
        with contextlib.suppress(OSError):
            sys.stdout.flush()
        seen = list(faults.seen())
        faults.arm(Path("/nowhere"), 0, 0)
        (notes / "operations").write_text("\n".join(seen))
        imports.tell()
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


# -- what is looked at
def whole(path: Path) -> bytes | None:
    """The content of an output, with what differs between two runs left out; None if there is
    none, b"damaged" if it is not whole."""
    if not path.exists():
        return None
    data = path.read_bytes()
    try:
        if path.suffix == ".json":
            json.loads(data)
            return b"json"  # times differ
        if path.suffix == ".html":
            return b"html" if data.rstrip().endswith(b"</html>") else b"damaged"
    except ValueError:
        return b"damaged"
    return data


def records(folder: Path) -> list[dict[str, object]]:
    """The finished runs of a folder, read without the store's help."""
    found = []
    for path in folder.glob("out/runs/*.jsonl"):
        for line in path.read_bytes().splitlines(keepends=True):
            if line.endswith(b"\n") and b'"run":' in line[:40]:
                with contextlib.suppress(ValueError):
                    found.append(json.loads(line)["run"])
    return [run for run in found if run["status"] == "ok"]


def executed(folder: Path) -> Counter[int]:
    """How often the program ran with each value, by its own log."""
    log = Path(f"{folder}.log")
    return Counter(map(int, log.read_text().split())) if log.exists() else Counter()


class Experiment:
    """A verb and the folder it starts from."""

    def __init__(self, name: str, verb: Verb, scratch: Path, faults: Faults) -> None:
        self._verb, self._faults, self.name = verb, faults, name
        # always the same place: the compiler writes it into the program, which would be another
        self._place, self._start = scratch / name, scratch / f"{name}-start"
        self._place.mkdir()
        _inputs(self._place)
        os.environ["FAULTS_LOG"] = f"{self._place}.log"
        for words in verb.before:
            done = command(words, self._place, faults, stdout=verb.stdout)
            if done.code not in (0, 1, 3):
                raise RuntimeError(f"{name}: {' '.join(words)}: {done.code}: {done.errors}")
        self._old = {o: whole(self._place / o) for o in verb.outputs}
        self._place.rename(self._start)
        self._log = executed(self._place)
        after = self._fresh()
        self.expected = command(verb.words, after, faults, stdout=verb.stdout)
        self._new = {o: whole(after / o) for o in verb.outputs}
        self.operations = self.expected.operations

    def _fresh(self) -> Path:
        """The folder as the earlier command left it."""
        shutil.rmtree(self._place, ignore_errors=True)
        shutil.copytree(self._start, self._place, symlinks=True)
        lines = "".join(f"{n}\n" * times for n, times in self._log.items())
        Path(f"{self._place}.log").write_text(lines)
        return self._place

    def possible(self) -> list[tuple[int, str]]:
        """(k, way) of all faults that the command can meet."""
        return [
            (k, way)
            for k, operation in enumerate(self.operations, 1)
            for way, (_, operations) in WAYS.items()
            if operation in operations
        ]

    def fault(self, k: int, way: str, tally: Tally) -> None:
        """Let the k-th operation fail in this way, look, and give the command again."""
        verb, folder = self._verb, self._fresh()
        before = {str(run["key"]) for run in records(folder)}
        done = command(verb.words, folder, self._faults, k, WAYS[way][0], verb.stdout)
        found: list[str] = []
        killed = way == "kill -9"
        if done.code in (0, self.expected.code):
            tally.survived += 1
            found += [f"{o} is not new" for o in verb.outputs if whole(folder / o) != self._new[o]]
        tally.damaged += self._damaged(folder, found)
        keys = {str(run["key"]) for run in records(folder)}
        found += [] if killed else self._said(done)
        if not killed and (litter := _litter(folder)):
            tally.litter += len(litter)
            if self.operations[k - 1] in _BEFORE:
                found.append(f"left behind: {', '.join(litter)}")
        lost, doubled = len(before - keys), 0
        again = command(verb.words, folder, self._faults, stdout=verb.stdout)
        if again.code != self.expected.code:
            found.append(f"does not go on: exit code {again.code}: {again.errors.strip()[-200:]}")
        tally.damaged += self._damaged(folder, found)
        if verb.runs:
            after = [str(run["key"]) for run in records(folder)]
            lost += len(keys - set(after)) + (len(verb.runs) - len(set(after)))
            doubled += len(after) - len(set(after))
            times = executed(folder)
            doubled += sum(times[n] - 1 for n in verb.old)
            more = sum(times.values()) - len(verb.runs)
            doubled += max(0, more - 1)  # the run that the fault took away is made again
        tally.lost += lost
        tally.doubled += doubled
        tally.faulted += 1
        found += [f"{lost} runs lost"] * bool(lost) + [f"{doubled} runs doubled"] * bool(doubled)
        where = f"{self.name}: {way} at {k} ({self.operations[k - 1]})"
        tally.wrong += [f"{where}: {text}" for text in found]
        for text in found:
            print(f"  {where}: {text}", file=sys.stderr, flush=True)

    def _damaged(self, folder: Path, found: list[str]) -> int:
        bad = [
            o
            for o in self._verb.outputs
            if whole(folder / o) not in (self._old[o], self._new[o])
            or whole(folder / o) == b"damaged"
        ]
        found += [f"{o} is damaged" for o in bad]
        return len(bad)

    def _said(self, done: Ended) -> list[str]:
        """What is wrong with how it ended."""
        found = [] if done.code in _CODES else [f"exit code {done.code}: {done.errors[-200:]}"]
        if "Traceback" in done.errors or "internal error" in done.errors:
            found.append(done.errors.strip()[-300:])
        elif done.code == 2 and not any(map(_LINE.match, done.errors.splitlines())):
            found.append(f"no message: {done.errors.strip()[-200:]!r}")
        return found


def _litter(folder: Path) -> list[str]:
    """Temporary files and folders, and locks."""
    found = [*folder.rglob(".*.tmp"), *folder.rglob(".looplaw-*"), *folder.glob("out/locks/*")]
    return sorted(str(p.relative_to(folder)) for p in found)


def _inputs(folder: Path) -> None:
    """A program, measurements and statistics."""
    (folder / "program.c").write_text(PROGRAM)
    (folder / "laws.toml").write_text('[[law]]\nkernel = "f"\nmetric = "time"\nexpect = "O(n^2)"\n')
    for name, factor in (("old", 1), ("new", 3)):
        rows = [
            {"params": {"n": n}, "callpath": "f", "metric": "time", "value": factor * n}
            for n in (4, 8, 16, 32, 64)
        ]
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    from modeling import read
    from modeling.readers.statistics import write_statistics

    for name, source in (("a", "old"), ("b", "new")):
        with (folder / f"{name}.stats").open("wb") as stream:
            write_statistics(stream, read(folder / f"{source}.jsonl"))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; 1 if anything is wrong."""
    parser = argparse.ArgumentParser(prog="bench_faults")
    parser.add_argument("--verbs", nargs="*", default=list(VERBS), choices=list(VERBS))
    parser.add_argument("--number", type=int, default=40, help="Faults of each verb.")
    parser.add_argument("--all", action="store_true", help="Every operation in every way.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path, help="Write the results to this file.")
    options = parser.parse_args(arguments)
    if _SHIM not in os.environ:
        return _preloaded(sys.argv[1:] if arguments is None else arguments)
    os.environ.pop("LD_PRELOAD", None)  # this process has it; what it starts does without
    os.environ["LOOPLAW_MACHINE"] = "none"
    rng, faults = random.Random(options.seed), Faults()
    results: dict[str, Tally] = {}
    print("verb    operations  faults  survived  lost  doubled  damaged  litter  wrong")
    with tempfile.TemporaryDirectory(prefix="looplaw-faults-") as scratch:
        for name in options.verbs:
            experiment = Experiment(name, VERBS[name], Path(scratch), faults)
            tally = results[name] = Tally(len(experiment.operations))
            possible = experiment.possible()
            if not options.all:
                possible = rng.sample(possible, min(options.number, len(possible)))
            for k, way in possible:
                experiment.fault(k, way, tally)
            print(_row(name, tally), flush=True)
    if options.json:
        document = {"format": FORMAT, "seed": options.seed, "verbs": {
            name: vars(tally) for name, tally in results.items()
        }}  # fmt: skip
        options.json.write_text(json.dumps(document, indent=1) + "\n")
    return 1 if any(tally.wrong for tally in results.values()) else 0


def _row(name: str, t: Tally) -> str:
    return (
        f"{name:7} {t.operations:10} {t.faulted:7} {t.survived:9} {t.lost:5} {t.doubled:8}"
        f" {t.damaged:8} {t.litter:7} {len(t.wrong):6}"
    )


def _preloaded(arguments: Sequence[str]) -> int:
    """Build the library, and start again with it."""
    from staticana import find_compiler

    with tempfile.TemporaryDirectory(prefix="looplaw-faults-") as folder:
        library = Path(folder) / "faults.so"
        source = Path(__file__).with_name("faults.c")
        words = ["-shared", "-fPIC", "-O1", "-w", str(source), "-o", str(library), "-ldl"]
        subprocess.run([*find_compiler().command, *words], check=True)
        environment = {**os.environ, "LD_PRELOAD": str(library), _SHIM: str(library)}
        module = "benchmarks.hardening.bench_faults"
        environment["PYTHONPATH"] = str(ROOT)
        return subprocess.run(
            [sys.executable, "-m", module, *arguments], env=environment, check=False
        ).returncode


if __name__ == "__main__":
    sys.exit(main())
