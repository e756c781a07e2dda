"""`make fuzz-robust`: random programs of csmith, and IR that was damaged (truncated, bits flipped,
lines deleted or repeated, two modules spliced), through the command line. None may end it by a
signal or a traceback or keep it busy for ever, an error is one line, and no run of a csmith program
may contradict a count. Exit code 1 if one does.

The command runs in a forked copy of this process, so that nothing is imported again for each case.
With --json the outcome of each case is written down as soon as it is known, and the same command
goes on there: cases without a fault are not done again.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import lzma
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from looplaw_common.files import write_whole
from tests.command_line import exit_code
from tests.imports import SharedImports

CORPUS = Path(__file__).parents[1] / "staticana" / "corpus"
_CODES = (0, 1, 2, 3)
_CPU_S = 120  # of one case, its children's aside
_ELAPSED_S = 600  # a machine may be shared by many
_PROGRESS_S = 20
_CSMITH_HEADERS = "/usr/include/csmith"
_ANALYSES = (("analyze", "--budget", "0.2"), ("analyze", "--budget", "0.2", "--strict"), ("plan",))
_RUNS = (*_ANALYSES, ("verify", "--timeout", "5"))


@dataclass(frozen=True)
class Outcome:
    """How one command ended: `code` as the shell sees it, minus the signal that ended it;
    `fault` is what is wrong with that."""

    what: str
    command: tuple[str, ...]
    code: int
    errors: str
    fault: str | None
    elapsed_s: float


def fault_of(verb: str, code: int, errors: str) -> str | None:
    """What is wrong with how a command ended, if anything."""
    if code in (-signal.SIGXCPU, -signal.SIGALRM):
        return "no end"
    if code < 0:
        return f"ended by signal {-code}"
    if "Traceback (most recent call last)" in errors:
        return "traceback"
    if code not in _CODES:
        return f"exit code {code}"
    if verb == "verify" and code == 1:
        return "a wrong count"
    said = [x for x in errors.splitlines() if x.startswith("looplaw: ")]
    if code == 2 and len(said) != 1:
        return f"an error in {len(said)} lines"
    return "internal error" if "internal error" in errors else None


def run(what: str, command: Sequence[str], folder: Path) -> Outcome:
    """One command of looplaw, in a session of its own that ends with it."""
    out, errors = folder / "stdout", folder / "stderr"
    started = time.monotonic()
    with SharedImports() as imports:
        child = os.fork()
        if child == 0:
            _become(command, out, errors, imports)
        _, status = os.waitpid(child, 0)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    code = os.waitstatus_to_exitcode(status)
    said = errors.read_text(errors="replace")
    elapsed_s = time.monotonic() - started
    return Outcome(what, tuple(command), code, said, fault_of(command[0], code, said), elapsed_s)


def _become(command: Sequence[str], out: Path, errors: Path, imports: SharedImports) -> None:
    """In the child: run the command line, and end."""
    code = 99
    try:
        os.setsid()
        for number, path in ((1, out), (2, errors)):
            file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(file, number)
        sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w", errors="backslashreplace")
        resource.setrlimit(resource.RLIMIT_CPU, (_CPU_S, _CPU_S + 5))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.alarm(_ELAPSED_S)
        code = exit_code(command)
        sys.stdout.flush()
        sys.stderr.flush()
        imports.tell()
    finally:
        os._exit(code)


def csmith_program(number: int, seed: int, folder: Path) -> tuple[str, Path]:
    """A random C program, small or large, and the command that writes it again."""
    rng = random.Random(f"csmith {seed} {number}")
    path = folder / "csmith.c"
    words = ["--seed", str(seed * 100_000 + number), "--max-funcs", str(rng.randint(1, 6))]
    words += ["--max-block-depth", str(rng.randint(2, 5))]
    words += rng.choice(([], ["--no-jumps"], ["--float"], ["--inline-function"]))
    subprocess.run(["csmith", *words, "-o", str(path)], check=True, capture_output=True)
    return f"csmith {' '.join(words)}", path


@cache
def _modules() -> list[str]:
    """Modules of several compilers to damage."""
    found = [lzma.decompress(p.read_bytes()).decode() for p in sorted(CORPUS.glob("*.xz"))]
    return [t for text in found for t in _split(text) if 2000 < len(t) < 400_000]


def _split(text: str) -> list[str]:
    """A file of the corpus holds the modules of several compilers, each with its heading."""
    parts = re.split(r"(?m)^(?=; ModuleID|; ==+ )", text)
    return [p for p in parts if "define" in p]


def damaged_module(number: int, seed: int, folder: Path) -> tuple[str, Path]:
    """A module as text or as bitcode, damaged in one way or two."""
    import llvmlite.binding as llvm

    rng = random.Random(f"damaged {seed} {number}")
    modules = _modules()
    text = rng.choice(modules)
    ways = rng.choices(sorted(_WAYS), k=rng.randint(1, 2))
    data = text.encode()
    suffix = "ll"
    if rng.random() < 0.4:
        with contextlib.suppress(RuntimeError):
            data, suffix = llvm.parse_assembly(text).as_bitcode(), "bc"
    for way in ways:
        data = _WAYS[way](data, rng, modules)
    path = folder / f"damaged.{suffix}"
    path.write_bytes(data)
    return f"{suffix} {number} of seed {seed}, {' and '.join(ways)}", path


def _truncated(data: bytes, rng: random.Random, modules: Sequence[str]) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def _flipped(data: bytes, rng: random.Random, modules: Sequence[str]) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.choice((1, 2, 8, 64))):
        if changed:
            changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def _deleted(data: bytes, rng: random.Random, modules: Sequence[str]) -> bytes:
    lines = data.split(b"\n")
    for _ in range(rng.choice((1, 3, 20))):
        if len(lines) > 1:
            del lines[rng.randrange(len(lines))]
    return b"\n".join(lines)


def _repeated(data: bytes, rng: random.Random, modules: Sequence[str]) -> bytes:
    lines = data.split(b"\n")
    at = rng.randrange(len(lines))
    some = lines[at : at + rng.choice((1, 2, 30))]
    where = rng.choice((at, rng.randrange(len(lines))))
    return b"\n".join([*lines[:where], *some, *lines[where:]])


def _spliced(data: bytes, rng: random.Random, modules: Sequence[str]) -> bytes:
    other = rng.choice(modules).encode()
    return data[: rng.randrange(len(data) + 1)] + other[rng.randrange(len(other)) :]


def _swapped(data: bytes, rng: random.Random, modules: Sequence[str]) -> bytes:
    """Two numbers or names exchanged, which leaves the text valid more often."""
    words = list(re.finditer(rb"%[\w.]+|![0-9]+|\b[0-9]+\b", data))
    if len(words) < 2:
        return data
    a, b = sorted(rng.sample(words, 2), key=lambda m: m.start())
    return data[: a.start()] + b[0] + data[a.end() : b.start()] + a[0] + data[b.end() :]


_WAYS = {
    "truncated": _truncated,
    "bits flipped": _flipped,
    "lines deleted": _deleted,
    "lines repeated": _repeated,
    "spliced": _spliced,
    "words exchanged": _swapped,
}


def case(kind: str, number: int, seed: int, folder: Path) -> Outcome:
    """What the command line does with one csmith program or one damaged module."""
    rng = random.Random(f"verb {kind} {seed} {number}")
    if kind == "csmith":
        what, path = csmith_program(number, seed, folder)
        flags = [f"--flag=-I{_CSMITH_HEADERS}", "--flag=-w"]
        return run(what, [*rng.choice(_RUNS), *flags, str(path)], folder)
    what, path = damaged_module(number, seed, folder)
    return run(what, [*rng.choice(_ANALYSES), str(path)], folder)


def outcomes(
    cases: Sequence[tuple[str, int]],
    seed: int,
    known: Mapping[str, Outcome],
    tell: Callable[[str, Outcome], None] = lambda name, outcome: None,
) -> dict[str, Outcome]:
    """All cases, those that are known without a fault as they are known; `tell` hears each."""
    found = {}
    for kind, number in cases:
        name = f"{kind} {number}"
        before = known.get(name)
        if before is not None and before.fault is None:
            found[name] = before
            continue
        with tempfile.TemporaryDirectory() as folder:
            found[name] = case(kind, number, seed, Path(folder))
        tell(name, found[name])
    return found


def _read(path: Path | None, seed: int) -> dict[str, Outcome]:
    if path is None or not path.exists():
        return {}
    document = json.loads(path.read_text())
    if document["seed"] != seed:
        sys.exit(f"--json {path}: it holds outcomes of seed {document['seed']}; name a new file")
    return {
        name: Outcome(**{**o, "command": tuple(o["command"])})
        for name, o in document["cases"].items()
    }


def _show(found: Sequence[Outcome], seed: int) -> int:
    """The figures; how many faults."""
    kinds: dict[str, list[Outcome]] = {}
    for o in found:
        kinds.setdefault(f"{o.what.split()[0]}, {o.command[0]}", []).append(o)
    for kind, some in sorted(kinds.items()):
        codes = sorted(Counter(o.code for o in some).items())
        each = ", ".join(f"{n} with exit code {c}" for c, n in codes)
        print(f"{kind}: {len(some)} ({each}), at most {max(o.elapsed_s for o in some):.0f} s")
    faults = Counter(o.fault for o in found if o.fault)
    print(f"{len(found)} inputs of seed {seed}, {faults.total()} faults {dict(faults) or ''}")
    return faults.total()


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="make fuzz-robust ARGS=...", description=__doc__)
    parser.add_argument("--programs", type=int, default=300, help="programs of csmith")
    parser.add_argument("--modules", type=int, default=200, help="damaged modules")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path, help="outcomes; a later run with it goes on there")
    given = parser.parse_args(arguments)
    if given.programs and not shutil.which("csmith"):
        print("csmith is not installed: its programs are left out", file=sys.stderr)
        given.programs = 0
    known = _read(given.json, given.seed)
    told_s = time.monotonic()

    def tell(name: str, o: Outcome) -> None:
        nonlocal told_s
        known[name] = o
        if o.fault:
            print(f"---- {o.what}: {o.fault}\n{o.command}\n{o.errors[-1500:]}", flush=True)
        if time.monotonic() - told_s > _PROGRESS_S:
            told_s = time.monotonic()
            faults = sum(k.fault is not None for k in known.values())
            print(f"{len(known)} inputs, {faults} faults", file=sys.stderr, flush=True)
        if given.json:
            document = {"seed": given.seed, "cases": {n: asdict(k) for n, k in known.items()}}
            write_whole(given.json, json.dumps(document, indent=1) + "\n")

    cases = [("csmith", k) for k in range(given.programs)]
    cases += [("damaged", k) for k in range(given.modules)]
    return 1 if _show(list(outcomes(cases, given.seed, known, tell).values()), given.seed) else 0


if __name__ == "__main__":
    sys.exit(main())
