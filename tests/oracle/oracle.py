"""What a counting twin is, where the marked loops are, and how gcov counts them in the real
program.

A twin does in Python what a C program's loops do, and counts. It is the truth that counts derived
from compiled code are held against, so it has loops like the source's and no formulas. An iteration
is one start of a loop's body: one left by break or return counts, the last test that fails does
not.
"""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

Counts = dict[str, int]
Vector = tuple[int, ...]

_MARKER = re.compile(r"/\* (L\d+) \*/\s*$")
_PROBE = "looplaw_probe = 1;"
_TIMEOUT_S = 20


@dataclass(frozen=True)
class Case:
    """A program with its twin.

    Attributes:
        source: the C file, the first one if there are several.
        parameters: names in the order of argv.
        twin: called with the values of a vector; marker -> iterations in a run.
        edges: vectors at the borders (0, 1, negative, powers of two and neighbours); one may be
            shorter than `parameters` where the program has default arguments.
        random: draws a vector for which the twin takes less than 0.2 s.
        kinds: marker -> "exact" (a static count has to be exact) or "any" (it may be uncountable,
            never wrong); markers not named are "exact".
        others: the further C files of the program.
    """

    source: Path
    parameters: tuple[str, ...]
    twin: Callable[..., Counts]
    edges: tuple[Vector, ...]
    random: Callable[[random.Random], Vector]
    kinds: Mapping[str, str] = field(default_factory=dict)
    others: tuple[Path, ...] = ()

    @property
    def sources(self) -> tuple[Path, ...]:
        """All C files."""
        return (self.source, *self.others)

    def counts(self, vector: Vector) -> Counts:
        """Iterations of every marked loop in a run with these arguments."""
        return self.twin(*vector)

    def params(self, vector: Vector) -> dict[str, int]:
        """The vector by name."""
        return dict(zip(self.parameters, vector, strict=False))

    def kind(self, marker: str) -> str:
        """ "exact" or "any"."""
        return self.kinds.get(marker, "exact")

    def places(self) -> dict[str, tuple[Path, int]]:
        """Marker -> file and line of the loop keyword."""
        return {name: (path, line) for path in self.sources for name, line in markers(path).items()}


def markers(path: Path) -> dict[str, int]:
    """Marker -> line of the loop keyword, counted from 1.

    Raises:
        ValueError: a marker occurs twice.
    """
    found: dict[str, int] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if match := _MARKER.search(line):
            if match.group(1) in found:
                raise ValueError(f"{path}:{number}: the marker {match.group(1)} is there twice")
            found[match.group(1)] = number
    return found


def quotient(a: int, b: int) -> int:
    """a / b as in C, rounded towards zero."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def remainder(a: int, b: int) -> int:
    """a % b as in C, with the sign of a."""
    return a - b * quotient(a, b)


def integers(*ranges: tuple[int, int]) -> Callable[[random.Random], Vector]:
    """Draws a vector with each entry in its range, both ends included."""

    def draw(rng: random.Random) -> Vector:
        return tuple(rng.randint(low, high) for low, high in ranges)

    return draw


def can_count() -> bool:
    """Whether gcc and gcov are there."""
    return shutil.which("gcc") is not None and shutil.which("gcov") is not None


@dataclass(frozen=True)
class Covered:
    """A program built to count how often each line ran. probes: marker -> file name and line of the
    first statement of the loop's body."""

    folder: Path
    probes: Mapping[str, tuple[str, int]]

    def counts(self, vector: Vector) -> Counts:
        """Run the program and return how often each marked loop's body started.

        Raises:
            subprocess.SubprocessError: the program failed or did not end.
        """
        for data in self.folder.glob("*.gcda"):
            data.unlink()
        subprocess.run(
            [str(self.folder / "program"), *map(str, vector)],
            cwd=self.folder,
            check=True,
            capture_output=True,
            timeout=_TIMEOUT_S,
        )
        notes = sorted(path.name for path in self.folder.glob("*.gcda"))
        shown = subprocess.run(
            ["gcov", "--json-format", "--stdout", *notes],
            cwd=self.folder,
            check=True,
            capture_output=True,
            text=True,
            timeout=_TIMEOUT_S,
        ).stdout
        executed: dict[tuple[str, int], int] = {}
        for report in map(json.loads, shown.splitlines()):
            for file in report["files"]:
                for line in file["lines"]:
                    executed[Path(file["file"]).name, line["line_number"]] = line["count"]
        return {marker: executed[place] for marker, place in self.probes.items()}


def cover(sources: Sequence[Path], folder: Path) -> Covered:
    """Build a program with gcc --coverage.

    gcov counts lines, and the first statement of a body is often an inner loop, whose line runs
    more often than the body starts. So a statement of its own is put first into each marked body;
    nothing else is changed.

    Raises:
        ValueError: a marked line does not end in an opening brace before the marker.
        subprocess.SubprocessError: the program does not compile.
    """
    probes: dict[str, tuple[str, int]] = {}
    for path in sources:
        text = ["static volatile int looplaw_probe;"]
        for line in path.read_text(encoding="utf-8").splitlines():
            text.append(line)
            if match := _MARKER.search(line):
                if not line[: match.start()].rstrip().endswith("{"):
                    raise ValueError(f"{path}: no opening brace before the marker {match.group(1)}")
                text.append(_PROBE)
                probes[match.group(1)] = (path.name, len(text))
        (folder / path.name).write_text("\n".join([*text, ""]), encoding="utf-8")
    subprocess.run(
        [
            "gcc",
            "-std=c99",
            "-O0",
            "-g",
            "--coverage",
            "-o",
            "program",
            *(path.name for path in sources),
        ],
        cwd=folder,
        check=True,
        capture_output=True,
        timeout=_TIMEOUT_S,
    )
    return Covered(folder, probes)
