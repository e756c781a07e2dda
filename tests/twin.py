"""A counting twin of a C program: the same source with a counter of its own in the body of every
loop.

It is made by inserting an increment behind the brace that opens a loop's body, and compiled without
our instrumentation, so that it shares nothing with what it checks. The sources under test write
each loop's head and brace on one line.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from staticana import Analysis, analyze, canonical, compile_sources, find_compiler

_LOOP = re.compile(r"^\s*(?:\}\s*)?(?:else\s+)?(?:for|while|do)\b.*\{\s*(?:/\*.*\*/\s*)?$")
_REPORT = (
    "#include <stdio.h>\nstatic unsigned long long twin_count[4096];\n__attribute__((destructor))"
    ' static void twin_report(void) { FILE *f = fopen(TWIN_FILE, "a"); for (int i = 0; i < 4096;'
    ' i++) if (twin_count[i]) fprintf(f, "{name}:%d %llu\\n", i, twin_count[i]); fclose(f); }\n'
)


@dataclass(frozen=True)
class Twin:
    """The built twin; `lines` are the loops found, as "file:line"."""

    executable: Path
    counts_file: Path
    lines: frozenset[str]

    def run(
        self, argv: Sequence[object], environment: Mapping[str, str] | None = None
    ) -> dict[str, int]:
        """Iterations of every loop, by "file:line"."""
        self.counts_file.unlink(missing_ok=True)
        subprocess.run(
            [str(self.executable), *map(str, argv)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=60,
            check=False,
            env={**os.environ, **(environment or {})},
        )
        counts = dict.fromkeys(self.lines, 0)
        for line in self.counts_file.read_text().splitlines() if self.counts_file.exists() else ():
            at, _, number = line.rpartition(" ")
            counts[at] += int(number)
        return counts


def build_twin(sources: Sequence[Path], folder: Path, flags: Sequence[str] = ()) -> Twin:
    """Write, compile and link the twin."""
    compiler = find_compiler()
    rewritten, lines = [], set()
    counts = folder / "twin.txt"
    for source in sources:
        out = []
        for number, line in enumerate(source.read_text().splitlines(), 1):
            if _LOOP.match(line):
                lines.add(f"{source.name}:{number}")
                brace = line.rindex("{")
                line = (
                    f"{line[: brace + 1]} __atomic_fetch_add(&twin_count[{number}], 1, 0);"
                    f" {line[brace + 1 :]}"
                )
            out.append(line)
        path = folder / f"twin_{source.name}"
        path.write_text(_REPORT.replace("{name}", source.name) + "\n".join(out) + "\n")
        rewritten.append(str(path))
    executable = folder / "twin"
    subprocess.run(
        [
            *compiler.command,
            "-O0",
            "-w",
            "-UNDEBUG",
            f'-DTWIN_FILE="{counts}"',
            *flags,
            *rewritten,
            "-o",
            str(executable),
            "-lm",
        ],
        check=True,
        capture_output=True,
    )
    return Twin(executable, counts, frozenset(lines))


def analysed(
    sources: Sequence[Path],
    *,
    entry: str = "main",
    argc: int | None = None,
    parameters: Mapping[str, str] | None = None,
    flags: Sequence[str] = (),
) -> Analysis:
    """The analysis of some sources, which all tests of a process share."""
    text = _compiled(tuple((path, path.read_bytes()) for path in sources), tuple(flags))
    named = None if parameters is None else tuple(parameters.items())
    return _analysed(text, entry, argc, named)


@cache
def _analysed(
    text: str, entry: str, argc: int | None, parameters: tuple[tuple[str, str], ...] | None
) -> Analysis:
    named = None if parameters is None else dict(parameters)
    return analyze(canonical(text), entry=entry, argc=argc, parameters=named)


@cache
def _compiled(sources: tuple[tuple[Path, bytes], ...], flags: tuple[str, ...]) -> str:
    return compile_sources([path for path, _ in sources], flags=flags)


def line_of(at: str) -> str:
    """file:line of a place file:line:column."""
    name, line, _ = at.rsplit("/", 1)[-1].split(":")
    return f"{name}:{line}"


def ordered_names(analysis: Analysis) -> list[str]:
    """Names of the parameters in the order of argv."""
    return [p.name for p in sorted(analysis.parameters, key=lambda p: p.origin)]


def check_exact(
    analysis: Analysis,
    twin: Twin,
    vectors: Sequence[Sequence[int]],
    names: Sequence[str] | None = None,
) -> int:
    """Assert that every exact formula equals the twin's count, every bound holds; returns how many
    were compared."""
    names = names or ordered_names(analysis)
    compared = 0
    assert {line_of(loop.at) for loop in analysis.loops} <= twin.lines
    for vector in vectors:
        counts = twin.run(vector)
        values = dict(zip(names, vector, strict=True))
        for loop in analysis.loops:
            counted = counts[line_of(loop.at)]
            if loop.total.kind == "exact":
                assert loop.total.formula is not None
                assert loop.total.formula.evaluate(values) == counted, (
                    loop.at,
                    str(loop.total.formula),
                    values,
                )
                compared += 1
            for bound, sign in ((loop.total.lower, 1), (loop.total.upper, -1)):
                if bound is None or not bound.symbols <= values.keys():
                    continue
                if bound is not loop.total.formula:
                    assert sign * (counted - bound.evaluate(values)) >= 0, (
                        loop.at,
                        str(bound),
                        values,
                        counted,
                    )
    return compared
