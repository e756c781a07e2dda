"""Laws of launches of kernels, held against runs of the kernels on this processor.

    python -m benchmarks.bench_gpu [FILE...] [--launches 6] [--seed 1] [--flag=-DX=1] [--json FILE]
        [--no-runs]

Without files, the kernels of tests/programs/kernels. Each kernel is analysed and run with several
launches of random sizes: threads and blocks, and the integers that it is handed. The table says of
each kernel's loops and accesses how many laws are exact, have bounds, or are named only, and how
the counts compare. The exit code is 1 if a law is wrong.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from looplaw_common.errors import InputError, RunError
from runtime.kernels import Buffer, KernelProgram
from runtime.kernels.comparison import Launch, Verdict, compared
from staticana import Analysis, analyze_module, canonical, compile_sources, parse_module
from staticana.results import FunctionResult

_OWN = Path(__file__).parents[1] / "tests" / "programs" / "kernels"
_SHAPES: dict[int, list[tuple[tuple[int, ...], tuple[int, ...]]]] = {
    1: [((3,), (64,)), ((7,), (32,)), ((2,), (256,)), ((5,), (96,)), ((4,), (40,)), ((1,), (128,))],
    2: [
        ((2, 3), (32, 4)),
        ((3, 2), (64, 2)),
        ((4, 4), (32, 8)),
        ((2, 2), (16, 16)),
        ((1, 5), (32, 2)),
    ],
    3: [((2, 2, 2), (32, 2, 2)), ((1, 3, 2), (64, 2, 1)), ((2, 1, 1), (8, 8, 2))],
}
_FIXED: dict[str, tuple[tuple[int, ...], ...]] = {
    "matmul_tiled": ((16, 16),),
    "transpose_tiled": ((32, 8),),
    "columns_in_tile": ((32, 32),),
    "row_per_block": ((64,), (128,), (256,)),
    "block_histogram": ((256,), (64,)),
    "odd_even_sort": ((64,), (128,)),
}
"""The blocks that kernels are written for, where not for any."""
_SIZES = (0, 1, 5, 17, 31, 32, 33, 64, 96, 100, 128, 200)
_DATA_BYTES = 1 << 16


@dataclass
class Row:
    """What was found of one kernel."""

    file: str
    kernel: str
    laws: Counter[str] = field(default_factory=Counter)
    verdicts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    not_run: str = ""
    seconds: float = 0.0

    def to_json(self) -> dict[str, object]:
        return {
            "file": self.file,
            "kernel": self.kernel,
            "laws": dict(self.laws),
            "verdicts": dict(self.verdicts),
            "wrong": self.wrong,
            "not_run": self.not_run,
        }


def _launches(
    function: FunctionResult, program: KernelProgram, number: int, numbers: random.Random
) -> Iterator[Launch]:
    assert function.kernel is not None
    shapes = _SHAPES[function.kernel.dimensions]
    blocks = _FIXED.get(function.name)
    for at in range(number):
        grid, block = shapes[at % len(shapes)]
        if blocks is not None:
            block = blocks[at % len(blocks)]
        arguments: dict[str, int | Buffer] = {
            name: numbers.choice(_SIZES)
            for name, kind in zip(program.names, program.parameters, strict=True)
            if kind[:1] == "i"
        }
        if function.name == "fft_stage":
            arguments["half"] = 1 << numbers.randrange(6)
        if function.name == "spmv_row":
            rows = [0]
            for _ in range(_DATA_BYTES // 4):
                rows.append(rows[-1] + numbers.randrange(5))
            arguments["first"] = Buffer(data=b"".join(r.to_bytes(4, "little") for r in rows))
        yield Launch(grid, block, arguments)


def _laws(function: FunctionResult) -> Counter[str]:
    assert function.kernel is not None
    found: Counter[str] = Counter()
    for launch in function.kernel.loops.values():
        for count in (launch.work, launch.depth, launch.warps):
            found[f"loop {count.kind}"] += 1
    for access in function.kernel.accesses:
        count = access.sectors if access.conflicts is None else access.conflicts
        found[f"access {count.kind}"] += 1
    return found


def _text_of(verdict: Verdict, launch: Launch) -> str:
    return f"{verdict.at} {verdict.what}: {verdict.law} is not {verdict.counted} at {launch.values}"


def rows_of(
    files: Sequence[Path], flags: Sequence[str], launches: int, seed: int, *, runs: bool = True
) -> Iterator[Row]:
    """A row for each kernel of a program.

    Raises:
        InputError: a file does not compile.
    """
    text = canonical(compile_sources(files, flags=flags))
    begin = time.process_time()
    analysis = analyze_module(parse_module(text), matrix=False)
    seconds = time.process_time() - begin
    for row in rows_in(files[-1].name, text, analysis, launches if runs else 0, seed):
        yield replace(row, seconds=seconds)


def rows_in(name: str, text: str, analysis: Analysis, launches: int, seed: int) -> Iterator[Row]:
    """A row for each kernel of a canonical module, which is run where there are launches."""
    for function in analysis.functions:
        if function.kernel is None:
            continue
        row = Row(name, function.name, _laws(function))
        if launches:
            _run(row, text, analysis, function, launches, seed)
        yield row


def _run(
    row: Row, text: str, analysis: Analysis, function: FunctionResult, launches: int, seed: int
) -> None:
    numbers = random.Random(f"{seed} {function.name}")
    try:
        with KernelProgram.build(text, function.symbol) as program:
            for launch in _launches(function, program, launches, numbers):
                for verdict in compared(analysis, function, program, launch):
                    row.verdicts[verdict.verdict] += 1
                    if verdict.verdict == "wrong":
                        row.wrong.append(_text_of(verdict, launch))
    except (InputError, RunError) as error:
        row.not_run = str(error)[:200]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--launches", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--flag", action="append", default=[])
    parser.add_argument("--no-runs", action="store_true")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    rows: list[Row] = []
    failed: dict[str, str] = {}
    for file in given.files or sorted(p for p in _OWN.iterdir() if p.is_file()):
        try:
            for row in rows_of(
                [file], given.flag, given.launches, given.seed, runs=not given.no_runs
            ):
                rows.append(row)
                laws = ", ".join(f"{n} {kind}" for kind, n in sorted(row.laws.items()))
                verdicts = ", ".join(f"{n} {v}" for v, n in sorted(row.verdicts.items()))
                print(
                    f"{row.file:24} {row.kernel:24} {laws} | {verdicts} {row.not_run}", flush=True
                )
                for text in row.wrong[:5]:
                    print(f"    WRONG {text}", flush=True)
        except InputError as error:
            failed[str(file)] = str(error)
            print(f"{file}: {error}", flush=True)
    found, held = Counter[str](), Counter[str]()
    for row in rows:
        found += row.laws
        held += row.verdicts
    wrong = sum(len(row.wrong) for row in rows)
    print(
        f"{len(rows)} kernels, {len(failed)} files not read; laws {dict(found)};"
        f" compared {dict(held)}; not run {sum(bool(r.not_run) for r in rows)}; wrong {wrong}"
    )
    if given.json:
        document = {"kernels": [row.to_json() for row in rows], "not_read": failed}
        given.json.write_text(json.dumps(document, indent=1), encoding="utf-8")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
