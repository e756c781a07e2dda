"""Random launches of random affine kernels: every law against what a run counts.

    python -m tests.fuzz.kernels [--number 2000] [--seed 1] [--keep FOLDER]

Kernels in OpenCL C with guards, loops and subscripts that are affine in a thread's numbers, in
sizes and in the loops around, along one, two or three axes. `number` counts launches. Prints how
many laws were equal, within their bounds, named only, or unmet for the launch; exit code 1 if one
was wrong.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from looplaw_common.errors import RunError
from runtime.kernels import Argument, KernelProgram
from runtime.kernels.comparison import Launch, Verdict, compared
from staticana import analyze_module, canonical, compile_sources, parse_module

_LAUNCHES = 10
"""Of each kernel."""
_KERNELS = 8
"""Of each file."""
_SIZES = (0, 1, 2, 3, 7, 8, 15, 16, 31, 32, 33, 40)
_BLOCKS = {
    1: ((32,), (64,), (96,), (20,), (128,)),
    2: ((32, 2), (32, 3), (64, 1), (8, 8), (16, 4)),
    3: ((32, 2, 2), (32, 1, 3), (4, 4, 2)),
}
_GRIDS = {1: ((1,), (2,), (5,), (3,)), 2: ((1, 2), (2, 2), (3, 1)), 3: ((1, 2, 1), (2, 1, 2))}


class Writer:
    """Writes one kernel."""

    def __init__(self, numbers: random.Random, name: str) -> None:
        self._numbers = numbers
        self._name = name
        self._axes = numbers.choice((1, 1, 1, 2, 2, 3))
        self._lines: list[str] = []
        self._loops: list[str] = []

    def text(self) -> str:
        """The kernel's source."""
        numbers = self._numbers
        for at in range(self._axes):
            self._lines.append(f"  int g{at} = get_global_id({at}), l{at} = get_local_id({at});")
            self._lines.append(f"  int b{at} = get_group_id({at});")
        self._lines.append("  float s = 0;")
        if numbers.random() < 0.6:
            self._lines.append(f"  if ({self._condition()}) return;")
        for _ in range(numbers.randint(1, 2)):
            self._statement("  ", 0)
        self._lines.append(f"  out[{self._subscript()}] = s;")
        body = "\n".join(self._lines)
        arguments = "__global float *out, __global const float *in, int n, int m"
        return f"__kernel void {self._name}({arguments}) {{\n{body}\n}}\n"

    def _statement(self, indent: str, depth: int) -> None:
        numbers = self._numbers
        kind = numbers.random()
        if kind < 0.55 and depth < 3:
            i = f"i{len(self._loops)}_{len(self._lines)}"
            self._lines.append(f"{indent}{self._head(i)} {{")
            self._loops.append(i)
            self._statement(indent + "  ", depth + 1)
            self._loops.pop()
            self._lines.append(f"{indent}}}")
        elif kind < 0.75 and depth < 3:
            self._lines.append(f"{indent}if ({self._condition()}) {{")
            self._statement(indent + "  ", depth + 1)
            self._lines.append(f"{indent}}}")
        else:
            self._lines.append(f"{indent}s += in[{self._subscript()}];")

    def _head(self, i: str) -> str:
        numbers = self._numbers
        start, end = self._bound(), self._bound()
        step = numbers.choice((1, 1, 1, 2, 3))
        form = numbers.random()
        if form < 0.6:
            return f"for (int {i} = {start}; {i} < {end}; {i} += {step})"
        if form < 0.75:
            return f"for (int {i} = {end}; {i} > {start}; {i} -= {step})"
        if form < 0.9:
            axis = numbers.randrange(self._axes)
            stride = numbers.choice((f"get_local_size({axis})", f"get_global_size({axis})"))
            first = f"l{axis}" if "local" in stride else f"g{axis}"
            return f"for (int {i} = {first}; {i} < {end}; {i} += {stride})"
        return (
            f"for (int {i} = {numbers.choice(('n', 'm', 'get_local_size(0)'))}; {i} > 0; {i} /= 2)"
        )

    def _bound(self) -> str:
        numbers = self._numbers
        kinds = ["0", str(numbers.randint(0, 9)), "n", "m", "n + m", "2 * n"]
        kinds += [f"g{a}" for a in range(self._axes)] + [f"l{a}" for a in range(self._axes)]
        kinds += [f"b{a}" for a in range(self._axes)] + self._loops
        first = numbers.choice(kinds)
        if numbers.random() < 0.3:
            return f"{first} {numbers.choice('+-')} {numbers.choice(kinds)}"
        return first

    def _condition(self) -> str:
        numbers = self._numbers
        axis = numbers.randrange(self._axes)
        first = numbers.choice((f"g{axis}", f"g{axis}", f"l{axis}", f"2 * g{axis}", f"b{axis}"))
        if numbers.random() < 0.1:
            return f"{first} % {numbers.choice((2, 4, 32))} == {numbers.randint(0, 1)}"
        test = f"{first} {numbers.choice(('<', '>=', '<=', '>', '=='))} {self._bound()}"
        if numbers.random() < 0.25:
            other = f"l{axis} {numbers.choice(('<', '>='))} {numbers.choice(('n', 'm', '8'))}"
            return f"{test} {numbers.choice(('&&', '||'))} {other}"
        return test

    def _subscript(self) -> str:
        """An index that is never below -4096."""
        numbers = self._numbers
        x = numbers.choice(("g0", "l0", "g0", "b0", f"g{self._axes - 1}"))
        parts = [numbers.choice((x, x, f"2 * {x}", f"{x} * n", f"{x} * 8", f"{x} / 4", f"{x} % 8"))]
        for _ in range(numbers.randint(0, 2)):
            y = numbers.choice([f"g{a}" for a in range(self._axes)] + self._loops + ["n", "m"])
            parts.append(numbers.choice((y, f"{y} * n", f"{y} * 32", str(numbers.randint(0, 8)))))
        return " + ".join(parts)


def launches(numbers: random.Random, axes: int) -> Iterator[Launch]:
    """Random launches along some axes."""
    for _ in range(_LAUNCHES):
        arguments: dict[str, Argument] = {"n": numbers.choice(_SIZES), "m": numbers.choice(_SIZES)}
        yield Launch(numbers.choice(_GRIDS[axes]), numbers.choice(_BLOCKS[axes]), arguments)


def judged(seed: int, keep: Path | None = None) -> tuple[Counter[str], list[str]]:
    """The verdicts over the kernels of one file, and what is wrong."""
    numbers = random.Random(seed)
    source = "\n".join(Writer(numbers, f"k{at}").text() for at in range(_KERNELS))
    verdicts, wrong = Counter[str](), list[str]()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"kernels{seed}.cl"
        path.write_text(source, encoding="utf-8")
        text = canonical(compile_sources([path]))
    analysis = analyze_module(parse_module(text), matrix=False)
    for function in analysis.functions:
        if function.kernel is None:
            continue
        with KernelProgram.build(text, function.symbol) as program:
            for launch in launches(numbers, function.kernel.dimensions):
                try:
                    found = compared(analysis, function, program, launch)
                except RunError:  # more accesses than are kept
                    verdicts["too long"] += 1
                    continue
                for verdict in found:
                    verdicts[verdict.verdict] += 1
                    if verdict.verdict == "wrong":
                        wrong.append(_told(function.name, verdict, launch))
    if wrong and keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        (keep / f"kernels{seed}.cl").write_text(source, encoding="utf-8")
    return verdicts, wrong


def _told(kernel: str, verdict: Verdict, launch: Launch) -> str:
    return (
        f"{kernel} {verdict.at.rsplit('/', 1)[-1]} {verdict.what}: {verdict.law} is not"
        f" {verdict.counted} at {launch.values}"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--number", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path)
    given = parser.parse_args(arguments)
    total, bad, done = Counter[str](), 0, 0
    while done < given.number:
        seed = given.seed * 1_000_003 + done
        verdicts, wrong = judged(seed, given.keep)
        total += verdicts
        bad += len(wrong)
        done += _KERNELS * _LAUNCHES
        for text in wrong[:4]:
            print(f"WRONG (file {seed}) {text}", flush=True)
        print(f"{done} launches: {dict(total)}", file=sys.stderr, flush=True)
    print(f"{done} launches: {dict(total)}, {bad} wrong")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
