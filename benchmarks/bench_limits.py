"""What limits a kernel, as laws of time say it, against exact simulation on made-up machines.

    [POLYBENCH=DIR] python -m benchmarks.bench_limits [--machines 6] [--seed 1] [--only NAME ...]
        [--json FILE]

The programs of `bench_time` at small sizes. Every access of a run goes through a stack of lines
(exact LRU, `staticana.traffic`), which counts the lines that each loop misses in caches of machines
whose capacities and costs are drawn. The time of a kernel is what the same machine takes for its
iterations and lines, with overlaps that are drawn, too, and 2 % of noise; the part that takes most
of it is known. A study of six sizes learns its law from these times and from costs that a tenth to
a fifth is wrong with, and says what limits the kernel at 2 and at 4 times the largest size. Lines
that miss any cache are first touched: the system provides their pages, which nothing hides.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

from looplaw.laws.binding import given_values
from looplaw.laws.comparison import counters_of, swept_laws
from looplaw.laws.loop_call_tree import gathered
from looplaw.settings.settings import Runs, Settings
from looplaw.studies.building import build
from looplaw.studies.design import words
from looplaw.studies.live import Live
from looplaw.studies.prepare import prepare
from looplaw.studies.prepared import Prepared
from looplaw.studies.time_laws import with_time_laws
from looplaw_common.errors import LooplawError
from looplaw_common.files import write_whole
from modeling.pmnf.machine_costs import Costs, Level
from modeling.pmnf.time_law import CORE, FRESH, LATENCY, limits_at
from runtime import RunRecord, run
from staticana.traffic import Evaluation, Refused, serial_program, traffic
from staticana.traffic.simulation import Simulator

from .bench_time import programs
from .time_programs import TimedProgram

_SHARES = (0.25, 0.35, 0.45, 0.6, 0.8, 1.0)
FACTORS = (2, 4)
_SIMULATED_S = 0.15
"""A simulation of the largest size takes longer than this, and hardly ten times as long."""
_NOISE = 0.02
_OFF = 0.15
"""Deviation of the logarithm by which what the machine was measured to cost is wrong."""
_ANY = 1 << 30
"""A cache that holds everything."""
SAID = (0.9, 0.8, 0.5, 0.0)


@dataclass(frozen=True)
class MadeUp:
    """A machine: costs as they are, and as a probe tells them; overlaps of computing with caches
    and with memory."""

    true: Costs
    told: Costs
    near: float
    far: float


@dataclass(frozen=True)
class Limit:
    """What was said of a kernel at one of the sizes, and what is so: `share` of its parts."""

    program: str
    kernel: str
    machine: int
    factor: int
    said: str
    probability: float
    truth: str
    share: float


def made_up(random: np.random.Generator) -> MadeUp:
    """A machine of three caches, small ones, since simulated runs are short."""
    sizes = np.cumprod([random.uniform(8, 16) * 1024, random.uniform(3, 8), random.uniform(3, 8)])
    read = np.cumsum(random.lognormal([-1.0, -0.7, -0.2, 1.2], 0.6))
    far = read * np.maximum.accumulate(random.uniform(1.0, 2.5, 4))
    fresh = float(random.lognormal(2.0, 0.5))
    latency = np.cumsum(random.lognormal([-0.5, 0.0, 0.5, 2.0], 0.5))

    def costs(off: float) -> Costs:
        wrong = lambda v: v * random.lognormal(0.0, off, np.shape(v))  # noqa: E731
        r, f, lat, s = wrong(read), wrong(far), wrong(latency), wrong(sizes)
        r, f, lat = (np.maximum.accumulate(v) for v in (r, f, lat))
        levels = tuple(
            Level(
                name,
                float(s[k]) if k < len(s) else None,
                (float(r[k]), float(r[k]), float(f[k]), float(r[k])),
            )
            for k, name in enumerate(("L1", "L2", "L3", "memory"))
        )
        random_bytes = tuple(float(v) for v in (s[0], s[1], s[2], 16 * s[2]))
        return Costs(
            levels,
            random_bytes,
            tuple(map(float, lat)),
            (8192.0, float(1 << 30)),
            (0.0, 0.0),
            (8192.0, float(1 << 30)),
            (fresh * random.lognormal(0.0, off),) * 2,
        )

    near, beyond = 1 + random.lognormal(-1.5, 1.2), 1 + random.lognormal(-1.6, 0.8)
    return MadeUp(costs(0.0), costs(_OFF), near, beyond)


def parts_of(
    evaluation: Evaluation, loops: Sequence[str], machine: MadeUp, core: Mapping[str, float]
) -> dict[str, float]:
    """Nanoseconds of the parts of a kernel whose loops these are.

    Args:
        core: loop -> ns of an iteration.
    """
    own = [loop for loop in evaluation.loops if loop.at in loops]
    steps, costs = machine.true.steps, machine.true
    waits = np.diff(np.array(costs.random_ns))
    first = [loop.levels[-1] for loop in own]
    found = {
        CORE: sum(core[loop.at] * loop.iterations for loop in own),
        LATENCY: 0.0,
        FRESH: costs.fresh_ns[0] * sum(line.missed for line in first),
    }
    for k, level in enumerate(costs.levels[1:]):
        lines = [(loop.levels[k], f) for loop, f in zip(own, first, strict=True)]
        found[level.name] = sum(
            steps[k, 0] * (line.streamed - f.streamed) + steps[k, 2] * (line.strided - f.strided)
            for line, f in lines
        )
        found[LATENCY] += float(waits[k]) * sum(line.random - f.random for line, f in lines)
    return found


def total_of(parts: Mapping[str, float], machine: MadeUp) -> float:
    """Nanoseconds of all parts, which hide each other in part."""
    near = sum(v for name, v in parts.items() if name not in (CORE, "memory", FRESH))
    cached = (parts[CORE] ** machine.near + near**machine.near) ** (1 / machine.near)
    hidden = (cached**machine.far + parts["memory"] ** machine.far) ** (1 / machine.far)
    return float(hidden + parts[FRESH])


@dataclass(frozen=True)
class _Simulated:
    """A program with its accesses, and the values of everything that they depend on."""

    program: TimedProgram
    simulator: Simulator
    prepared: Prepared

    def at(self, value: int, capacities: Sequence[int]) -> Evaluation:
        """A run, every access of which is simulated.

        Raises:
            Refused: there are too many, or data decide where some go.
        """
        argv = tuple(words_of(self.program, value))
        given = given_values(self.prepared.analysis.parameters, {self.program.name: value}, argv)
        known = {n: v for n, v in given.items() if v is not None}
        found = self.simulator.evaluate(capacities, {**known, self.program.name: value})
        if not found.is_sure:
            raise Refused("not every access is known")
        return found


def words_of(program: TimedProgram, value: int) -> list[str]:
    """The command line for a size."""
    return [
        w.replace("{" + program.name + "}", str(value)) for w in program.settings.args or ("{n}",)
    ]


def _prepared(program: TimedProgram, values: Sequence[int]) -> Prepared:
    settings: Settings = replace(
        program.settings, vary={program.name: tuple(values)}, runs=Runs(timeout_s=120.0)
    )
    return prepare(settings)


def _largest(simulated: _Simulated) -> int:
    """The largest size that is simulated in reasonable time, by doubling from the first.

    Raises:
        Refused: none is.
    """
    value, known = simulated.program.first, 0
    simulated.at(value, [32 << 10])  # its code is made
    while True:
        begun = time.process_time()
        try:
            simulated.at(value, [32 << 10])
        except Refused:
            if not known:
                raise
            return known
        if time.process_time() - begun > _SIMULATED_S:
            return value
        known, value = value, simulated.program.times(value, 2)


def limits_of(program: TimedProgram, number: int, seed: int, folder: Path) -> Iterator[Limit]:
    """A program on some machines.

    Raises:
        Refused: its accesses cannot all be simulated.
    """
    first = _prepared(program, [program.first, 2 * program.first])
    settings = program.settings
    whole = serial_program(
        first.text,
        entry=settings.entry,
        parameters=settings.parameters,
        argc=len(settings.args or ("{n}",)) + 1,
    )
    law = traffic(whole)
    simulator = Simulator(law.tree, law.parameters, accesses=math.inf)
    most = _largest(_Simulated(program, simulator, first))
    largest = most // FACTORS[-1] if not program.doubling else most - 2
    if program.doubling:
        values = [largest - 5 + k for k in range(6)]
    else:
        largest |= 1  # rows of caches here share no sets
        values = sorted({max(4, round(largest * share)) for share in _SHARES})
    prepared = _prepared(program, values)
    simulated = _Simulated(program, simulator, prepared)
    random = np.random.default_rng([seed, *program.title.encode()])
    machines = [made_up(random) for _ in range(number)]
    targets = [program.times(largest, f) for f in FACTORS]
    records = _records(program, prepared, values, folder)
    for k, machine in enumerate(machines):
        capacities = [*(round(c) for c in machine.true.capacities), _ANY]
        found = {v: simulated.at(v, capacities) for v in [*values, *targets]}
        core = {loop.at: float(random.lognormal(0.0, 0.8)) for loop in prepared.analysis.loops}
        yield from _limits(simulated, machine, k, core, found, records, targets, random)


def _records(
    program: TimedProgram, prepared: Prepared, values: Sequence[int], folder: Path
) -> list[RunRecord]:
    """One run at each size, for its counts."""
    made = build(prepared, folder)
    records = []
    for e in prepared.experiments:
        done = run([str(made.executable), *e.argv], cells=folder / "cells", timeout_s=60.0)
        records.append(RunRecord.of("", e.params, tuple(e.argv), 0, done))
    return [r for r in records if r.params[program.name] in values]


def _limits(
    simulated: _Simulated,
    machine: MadeUp,
    number: int,
    core: Mapping[str, float],
    found: Mapping[int, Evaluation],
    records: Sequence[RunRecord],
    targets: Sequence[int],
    random: np.random.Generator,
) -> Iterator[Limit]:
    """What laws of the times on one machine say, beside what is so."""
    prepared, name = simulated.prepared, simulated.program.name
    loops = prepared.analysis.loops
    ids = counters_of(prepared.plan)
    inside = gathered({x.at: x.inner for x in loops}, {x.at: (x.at,) for x in loops})

    def parts(at: str, value: int) -> dict[str, float]:
        return parts_of(found[value], inside[at], machine, core)

    live = Live(prepared)
    for r in records:
        seconds = [0.0] * len(r.seconds)
        for at, rows in ids.items():
            timed = [k for k in rows if r.seconds[k] > 0]
            if timed and at in inside:
                ns = total_of(parts(at, r.params[name]), machine)
                seconds[timed[0]] = 1e-9 * ns * float(random.lognormal(0.0, _NOISE))
        live.add(replace(r, seconds=tuple(seconds)))
    analysis, plan = prepared.analysis, prepared.plan
    swept = swept_laws(
        analysis, plan, live.runs, prepared.lowest, words(prepared.settings, analysis)
    )
    models = with_time_laws(live.models(), prepared, live.runs, machine.told, swept.laws)
    for model in models.models:
        at = model.callpath
        if model.law is None or at not in inside:
            continue
        for factor, value in zip(FACTORS, targets, strict=True):
            limits = limits_at(model.law, {name: float(value)})
            said = next(iter(limits))
            true = parts(at, value)
            truth = max(true, key=lambda part: true[part])
            share = true[truth] / max(sum(true.values()), 1e-300)
            title = simulated.program.title
            yield Limit(title, at, number, factor, said, limits[said], truth, share)


def table(found: Sequence[Limit]) -> str:
    """How often it is right, by how sure it is said."""
    rows = [f"{'at, probability':20} said  right"]
    for factor in FACTORS:
        below = 1.1
        for least in SAID:
            chosen = [x for x in found if x.factor == factor and least <= x.probability < below]
            below = least
            if chosen:
                right = 100 * np.mean([x.said == x.truth for x in chosen])
                rows.append(f"x{factor} from {least:.1f}{'':10} {len(chosen):5} {right:6.0f}")
        sure = [x for x in found if x.factor == factor and x.probability >= 0.8]
        if sure:
            right = 100 * np.mean([x.said == x.truth for x in sure])
            share = 100 * len(sure) / sum(x.factor == factor for x in found)
            rows.append(
                f"x{factor} 8 in 10 or more: {len(sure)} ({share:.0f} % of all),"
                f" {right:.0f} % right"
            )
    return "\n".join(rows)


def main() -> None:
    """Simulate, learn, print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--machines", type=int, default=6, help="made up for each program")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="*", default=())
    parser.add_argument("--json", type=Path, metavar="FILE")
    given = parser.parse_args()
    found: list[Limit] = []
    with tempfile.TemporaryDirectory(prefix="looplaw-bench-") as scratch:
        for program in programs(Path(scratch), given.only):
            folder = Path(scratch) / program.title.replace("/", "-")
            folder.mkdir()
            begun = time.process_time()
            try:
                rows = list(limits_of(program, given.machines, given.seed, folder))
            except LooplawError as error:
                print(f"{program.title}: {error}", file=sys.stderr, flush=True)
                continue
            found += rows
            for x in rows:
                print(
                    f"{x.program:24} {x.kernel.rsplit('/', 1)[-1]:22} {x.machine} x{x.factor}"
                    f" said {x.said:11} {x.probability:.2f} is {x.truth:8} {x.share:.2f}"
                    f" {'' if x.said == x.truth else 'WRONG'}".rstrip(),
                    flush=True,
                )
            print(f"{program.title}: {time.process_time() - begun:.1f} s", file=sys.stderr)
    print(f"\n{table(found)}")
    if given.json:
        write_whole(given.json, json.dumps([asdict(x) for x in found], indent=1))


if __name__ == "__main__":
    main()
