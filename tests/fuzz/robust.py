"""`make fuzz-robust`: random programs of csmith, and IR that was damaged (truncated, bits flipped,
lines deleted or repeated, two modules spliced), through the command line. None may end it by a
signal or a traceback, and an error is one line. Exit code 1 if one does.

The command runs in a forked copy of this process, so that nothing is imported again for each case.
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
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

CORPUS = Path(__file__).parents[1] / "staticana" / "corpus"
_CODES = (0, 1, 2, 3)
_SECONDS = 300  # CPU time of one case, its children's aside
_CSMITH_HEADERS = "/usr/include/csmith"
_VERBS = (("analyze", "--budget", "0.2"), ("analyze", "--budget", "0.2", "--strict"), ("plan",))


@dataclass(frozen=True)
class Outcome:
    """How one command ended: `code` as the shell sees it, minus the signal that ended it."""

    what: str
    command: tuple[str, ...]
    code: int
    errors: str

    @property
    def fault(self) -> str | None:
        """What is wrong with it, if anything."""
        if self.code < 0:
            return f"ended by signal {-self.code}"
        if "Traceback (most recent call last)" in self.errors:
            return "traceback"
        if self.code not in _CODES:
            return f"exit code {self.code}"
        said = [x for x in self.errors.splitlines() if x.startswith("looplaw: ")]
        if self.code == 2 and len(said) != 1:
            return f"an error in {len(said)} lines"
        return "internal error" if "internal error" in self.errors else None


def run(what: str, command: Sequence[str], folder: Path) -> Outcome:
    """One command of looplaw."""
    out, errors = folder / "stdout", folder / "stderr"
    child = os.fork()
    if child == 0:
        _become(command, out, errors)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    return Outcome(what, tuple(command), code, errors.read_text(errors="replace"))


def _become(command: Sequence[str], out: Path, errors: Path) -> None:
    """In the child: run the command line, and end."""
    code = 99
    try:
        for number, path in ((1, out), (2, errors)):
            file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(file, number)
        resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS + 5))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        sys.argv = ["looplaw", *command]
        from looplaw.__main__ import main

        try:
            code = int(main() or 0)
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 1 if end.code else 0
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException:
        import traceback

        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(code)


def csmith_programs(number: int, seed: int, folder: Path) -> Iterator[tuple[str, Path]]:
    """Random C programs, smaller and larger ones."""
    rng = random.Random(seed)
    for k in range(number):
        path = folder / "csmith.c"
        words = ["--seed", str(seed * 100_000 + k), "--max-funcs", str(rng.randint(1, 6))]
        words += ["--max-block-depth", str(rng.randint(2, 5)), "-o", str(path)]
        words += rng.choice(([], ["--no-jumps"], ["--float"], ["--inline-function"]))
        subprocess.run(["csmith", *words], check=True, capture_output=True)
        yield f"csmith {' '.join(words[:6])}", path


def _modules() -> list[str]:
    """Modules of several compilers to damage."""
    found = [lzma.decompress(p.read_bytes()).decode() for p in sorted(CORPUS.glob("*.xz"))]
    return [t for text in found for t in _split(text) if 2000 < len(t) < 400_000]


def _split(text: str) -> list[str]:
    """A file of the corpus holds the modules of several compilers, each with its heading."""
    parts = re.split(r"(?m)^(?=; ModuleID|; ==+ )", text)
    return [p for p in parts if "define" in p]


def damaged(number: int, seed: int, folder: Path) -> Iterator[tuple[str, Path]]:
    """Modules as text and as bitcode, each damaged in one way or two."""
    import llvmlite.binding as llvm

    modules = _modules()
    rng = random.Random(seed)
    for k in range(number):
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
        yield f"{suffix} {k} of seed {seed}, {' and '.join(ways)}", path


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


def outcomes(programs: int, modules: int, seed: int) -> Iterator[Outcome]:
    """What the command line does with so many programs of csmith and damaged modules."""
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if shutil.which("csmith"):
            for what, path in csmith_programs(programs, seed, folder):
                flags = [f"--flag=-I{_CSMITH_HEADERS}", "--flag=-w"]
                verb = rng.choice(_VERBS)
                yield run(what, [*verb, *flags, str(path)], folder)
        for what, path in damaged(modules, seed, folder):
            yield run(what, [*rng.choice(_VERBS), str(path)], folder)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="make fuzz-robust ARGS=...", description=__doc__)
    parser.add_argument("--programs", type=int, default=300, help="programs of csmith")
    parser.add_argument("--modules", type=int, default=200, help="damaged modules")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args(arguments)
    codes: dict[str, Counter[int]] = {}
    faults: Counter[str] = Counter()
    if given.programs and not shutil.which("csmith"):
        print("csmith is not installed: its programs are left out", file=sys.stderr)
    for outcome in outcomes(given.programs, given.modules, given.seed):
        codes.setdefault(outcome.what.split()[0], Counter())[outcome.code] += 1
        if outcome.fault:
            faults[outcome.fault] += 1
            print(f"---- {outcome.what}: {outcome.fault}\n{outcome.errors[-1500:]}", flush=True)
    for kind, counter in codes.items():
        each = ", ".join(f"{n} with exit code {c}" for c, n in sorted(counter.items()))
        print(f"{kind}: {counter.total()} ({each})")
    total = sum(c.total() for c in codes.values())
    print(f"{total} inputs of seed {given.seed}, {faults.total()} faults {dict(faults) or ''}")
    if given.json:
        figures = {kind: dict(c) for kind, c in codes.items()}
        document = {"seed": given.seed, "codes": figures, "faults": dict(faults)}
        given.json.write_text(json.dumps(document, indent=1) + "\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
