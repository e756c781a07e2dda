"""The formulas that counts alone tell, loop by loop, beside those that the source proves.

    POLYBENCH=DIR LULESH=DIR python -m benchmarks.bench_integers [--only NAME ...] [--json FILE]
    python -m benchmarks.bench_integers --speed [--seed N]

Every loop is counted at some sizes, and a formula is searched in the counts as if nothing were
known of the source (`modeling.integers`). A formula is right if it reproduces the counts at sizes
that were kept apart: one between the others, and one twice as large as the largest. With --speed,
the CPU time that a formula takes, by the number of parameters of a series.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

from looplaw.laws.comparison import counters_of
from looplaw.settings.settings import Runs, Settings
from looplaw.studies.prepare import prepare
from looplaw.studies.sweep import run_study
from looplaw_common.errors import LooplawError
from looplaw_common.files import write_whole
from modeling.integers.search import find_formula
from modeling.pmnf.count_law import CountLaw
from runtime import RunRecord

from .time_programs import TimedProgram, polybench, samples

FORMAT = "looplaw-bench-integers/1"
_SIZES = (5, 6, 7, 8, 9, 10, 11, 12, 17, 24)
"""Sizes at which loops are counted."""
_APART = (15, 48)
"""Sizes that check the formulas."""


@dataclass(frozen=True)
class Row:
    """A loop: the formula of its counts, or why there is none, and whether it held elsewhere."""

    program: str
    at: str
    formula: str | None
    holds_for: dict[str, str]
    reason: str | None
    static: str
    verdict: str


def programs(scratch: Path) -> Iterator[TimedProgram]:
    """The samples, PolyBench where POLYBENCH names it, and LULESH where LULESH does."""
    yield from samples()
    if root := os.environ.get("POLYBENCH"):
        yield from polybench(Path(root), scratch)
    if root := os.environ.get("LULESH"):
        sources = tuple(sorted(Path(root).glob("*.cc")))
        settings = Settings(
            sources, {}, args=("-s", "{s}", "-i", "10"), flags=("-DUSE_MPI=0", "-I", root)
        )
        yield TimedProgram("LULESH", "LULESH", settings, "s", first=5)


def rows_of(program: TimedProgram, folder: Path) -> Iterator[Row]:
    """The loops that ran.

    Raises:
        LooplawError: it could not be built.
    """
    sizes = tuple(range(4, 12)) if program.doubling else _SIZES
    apart = (13,) if program.doubling else _APART
    settings: Settings = replace(
        program.settings,
        vary={program.name: (*sizes, *apart)},
        runs=Runs(timeout_s=60.0, repetitions=1),
    )
    prepared = prepare(settings)
    records: dict[int, RunRecord] = {
        int(r.params[program.name]): r
        for r in run_study(prepared, folder).live.runs
        if r.status == "ok"
    }
    loops = {loop.at: loop for loop in prepared.analysis.loops}
    for at, ids in counters_of(prepared.plan).items():
        counts = {n: r.iterations_of(ids) for n, r in records.items()}
        known = {n: c for n, c in counts.items() if c is not None}
        if not any(known.values()):
            continue
        yield _row(program, at, loops[at].total.kind, known, apart)


def _row(
    program: TimedProgram, at: str, static: str, counts: dict[int, int], apart: tuple[int, ...]
) -> Row:
    seen = [n for n in counts if n not in apart]
    found = find_formula((program.name,), tuple((n,) for n in seen), tuple(counts[n] for n in seen))
    if not isinstance(found, CountLaw):
        reason = found.reason + (f": {' or '.join(found.rivals)}" if found.rivals else "")
        return Row(program.title, at, None, {}, reason, static, "none")
    told = {n: found.value({program.name: n}) for n in apart if n in counts}
    wrong = any(v is not None and v != counts[n] for n, v in told.items())
    verdict = "wrong" if wrong else "right" if any(v is not None for v in told.values()) else "-"
    return Row(program.title, at, found.formula, dict(found.where), None, static, verdict)


def speed(seed: int, series: int = 5) -> None:
    """CPU time of formulas of series over the same random points: the first, for which the family
    of formulas is worked out, and the mean of the others."""
    rng = np.random.default_rng(seed)
    print("parameters  points  first s  others s  found")
    for count in range(1, 7):
        names = tuple("abcdef"[:count])
        drawn = rng.integers(1, 60, (12 * count, count)).tolist()
        points = tuple(sorted({tuple(map(int, p)) for p in drawn}))
        used: list[float] = []
        found = 0
        for k in range(1, series + 1):
            counts = tuple(k * p[0] * p[-1] + p[count // 2] + 3 for p in points)
            began = time.process_time()
            found += isinstance(find_formula(names, points, counts), CountLaw)
            used.append(time.process_time() - began)
        others = sum(used[1:]) / (series - 1)
        print(f"{count:10} {len(points):7} {used[0]:8.3f} {others:9.3f}  {found} of {series}")


def main() -> int:
    """Print the table; 1 where a formula was wrong at a size that was kept apart."""
    parser = argparse.ArgumentParser(prog="bench_integers")
    parser.add_argument("--only", nargs="*", default=[], help="Names of programs.")
    parser.add_argument("--json", type=Path, help="Write the rows to this file.")
    parser.add_argument("--speed", action="store_true", help="Print what formulas take.")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.speed:
        speed(options.seed)
        return 0
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="looplaw-bench-") as name:
        for program in programs(Path(name)):
            if options.only and program.title.rpartition("/")[2] not in options.only:
                continue
            folder = Path(name) / program.title.replace("/", "-")
            folder.mkdir()
            try:
                some = list(rows_of(program, folder))
            except LooplawError as error:
                print(f"{program.title}: {error}", file=sys.stderr)
                continue
            for r in some:
                where = "".join(f" ({n}: {k})" for n, k in r.holds_for.items())
                told = f"{r.formula}{where}" if r.formula else f"none: {r.reason}"
                print(f"{r.program:22} {r.at:34} {r.static:10} {r.verdict:5} {told}", flush=True)
            rows += some
    print()
    for group in dict.fromkeys(r.program.partition("/")[0] for r in rows):
        own = [r for r in rows if r.program.partition("/")[0] == group]
        said = Counter("none" if r.formula is None else r.verdict for r in own)
        print(
            f"{group}: {len(own)} loops ran, {len(own) - said['none']} with an exact formula of"
            f" their counts ({said['right']} held at sizes kept apart, {said['wrong']} did not),"
            f" {said['none']} without"
        )
    if options.json:
        document = {"format": FORMAT, "rows": [asdict(r) for r in rows]}
        write_whole(options.json, json.dumps(document, indent=1))
    return int(any(r.verdict == "wrong" for r in rows))


if __name__ == "__main__":
    sys.exit(main())
