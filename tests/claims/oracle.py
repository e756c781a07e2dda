"""Programs that try to deceive the analysis, held against a twin that counts for itself.

The twin keeps its counters in a file that is mapped shared, so that no way out of a program loses
one: exit, _exit, abort, a signal, a thread, a forked child. A formula that is `exact` must equal
the count for every vector of arguments; a bound must hold.
"""

from __future__ import annotations

import ctypes
import re
import struct
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from staticana import Analysis, Compiler, analyze, canonical, compile_sources, find_compiler

LINES = 4096
_LOOP = re.compile(r"^\s*(?:\}\s*)?(?:else\s+)?(?:for|while|do)\b.*\{\s*(?:/\*.*\*/\s*)?$")
_COUNTERS = """
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
static unsigned long long *twin_count;
__attribute__((constructor(101))) static void twin_open(void) {{
    int file = open("{file}", O_RDWR | O_CREAT, 0600);
    if (ftruncate(file, {lines} * 8)) _exit(99);
    twin_count = (unsigned long long *)mmap(
        0, {lines} * 8, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
}}
"""
_EXCEPTIONS = """
#include <dlfcn.h>
extern "C" __attribute__((noreturn)) void __cxa_throw(void *o, void *t, void (*d)(void *)) {
    __atomic_fetch_add(&twin_count[0], 1, 0);
    ((void (*)(void *, void *, void (*)(void *)))dlsym(RTLD_NEXT, "__cxa_throw"))(o, t, d);
    __builtin_unreachable();
}
"""


@dataclass(frozen=True)
class Deceiver:
    """A program, the vectors of arguments it is run with, and flags it needs."""

    path: Path
    vectors: tuple[tuple[str, ...], ...]
    flags: tuple[str, ...]

    @classmethod
    def read(cls, path: Path) -> Deceiver:
        """`args:` in the first line holds vectors between bars; `flags:` may follow."""
        head = path.read_text().split("*/", 1)[0]
        args = re.search(r"args:([^:]*?)(?: : |\n|$)", head)
        flags = re.search(r"flags:(.*)", head)
        assert args is not None, path
        vectors = tuple(tuple(v.split()) for v in args.group(1).split("|"))
        return cls(path, vectors, tuple(flags.group(1).split()) if flags else ())


@dataclass(frozen=True)
class Wrong:
    """An exact formula or a bound that a count contradicts."""

    at: str
    vector: tuple[str, ...]
    claim: str
    predicted: int | None
    counted: int

    def __str__(self) -> str:
        return (
            f"{self.at} {' '.join(self.vector)}: {self.claim} = {self.predicted}, counted"
            f" {self.counted}"
        )


def build(program: Deceiver, folder: Path, compiler: Compiler) -> Path:
    """The twin: an increment behind the brace that opens a loop's body."""
    source = folder / f"twin_{program.path.name}"
    out = []
    for number, line in enumerate(program.path.read_text().splitlines(), 1):
        if _LOOP.match(line):
            brace = line.rindex("{")
            line = (
                f"{line[: brace + 1]} __atomic_fetch_add(&twin_count[{number}], 1, 0);"
                f"{line[brace + 1 :]}"
            )
        out.append(line)
    counters = _COUNTERS.format(file=folder / "counts", lines=LINES)
    if program.path.suffix == ".cc":
        counters += _EXCEPTIONS
    source.write_text(counters + f'#line 1 "{program.path.name}"\n' + "\n".join(out) + "\n")
    executable = folder / "twin"
    command = [*compiler.for_source(source), "-O1", "-w", *program.flags, str(source)]
    subprocess.run(
        [*command, "-o", str(executable), "-lm", "-lpthread"], check=True, capture_output=True
    )
    return executable


@dataclass(frozen=True)
class Run:
    """Iterations by line, and how the assumptions begin that the run broke."""

    counted: dict[int, int]
    broken: tuple[str, ...]


def count(executable: Path, folder: Path, vector: Sequence[str]) -> Run:
    """Run the twin; counter 0 is that of exceptions."""
    file = folder / "counts"
    file.unlink(missing_ok=True)
    done = subprocess.run(
        [str(executable), *vector],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        timeout=60,
        check=False,
    )
    words = struct.unpack(f"{LINES}Q", file.read_bytes())
    broken = ["no error exit at"] * bool(done.returncode)
    broken += [f"the program is called with {k} arguments" for k in range(9) if k != len(vector)]
    broken += ["no exception"] * bool(words[0])
    return Run(dict(enumerate(words)), tuple(broken))


def values(analysis: Analysis, vector: Sequence[str]) -> dict[str, int] | None:
    """Values of the parameters as the arguments give them; None where one is missing."""
    found = {}
    for p in analysis.parameters:
        if p.origin == "argc":
            found[p.name] = len(vector) + 1
            continue
        match = re.fullmatch(r"argv\[(\d+)\]", p.origin)
        if match is None or int(match.group(1)) > len(vector):
            return None
        text = re.match(r"\s*[+-]?\d+", vector[int(match.group(1)) - 1])
        found[p.name] = ctypes.c_int(int(text.group()) if text else 0).value
    return found


def judged(program: Deceiver, folder: Path) -> tuple[Analysis, Iterator[Wrong]]:
    """The analysis, and what counts contradict."""
    compiler = find_compiler()
    analysis = analyze(canonical(compile_sources([program.path], flags=program.flags)))
    executable = build(program, folder, compiler)

    def contradictions() -> Iterator[Wrong]:
        for vector in program.vectors:
            run = count(executable, folder, vector)
            counted = run.counted
            given = values(analysis, vector)
            for loop in analysis.loops:
                name, line, _ = loop.at.rsplit("/", 1)[-1].split(":")
                if name != program.path.name:
                    continue
                seen = counted[int(line)]
                if given is not None and not loop.total.holds(given):
                    continue  # a listed assumption, a relation of parameters, is not true
                if any(note.startswith(run.broken) for note in loop.total.assumptions):
                    continue  # an error exit was taken, or an exception thrown
                for claim, formula, wrong in (
                    ("exact", loop.total.formula if loop.total.kind == "exact" else None, "!="),
                    ("lower", loop.total.lower, ">"),
                    ("upper", loop.total.upper, "<"),
                ):
                    if formula is None:
                        continue
                    if not formula.symbols:
                        predicted = formula.evaluate({})
                    elif given is None or not formula.symbols <= given.keys():
                        continue
                    else:
                        predicted = formula.evaluate(given)
                    bad = {"!=": predicted != seen, ">": predicted > seen, "<": predicted < seen}[
                        wrong
                    ]
                    if bad:
                        yield Wrong(loop.at, vector, f"{claim} {formula}", int(predicted), seen)

    return analysis, contradictions()
