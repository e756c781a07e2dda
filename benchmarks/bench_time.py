"""Times predicted at 4 and at 8 times the largest size measured, by looplaw and by its rivals.

    python -m benchmarks.bench_time [--measure FILE |
        --fit FILE ... [--leave-out MACHINE | --elsewhere]] [--only NAME ...]

Six sizes of each program are measured, and the two that are predicted, in turn, so that an hour in
which the machine is slow does not fall on one of them alone. Runs that waited for a processor that
other programs had are left out, as a study leaves them out: a run of a second cannot avoid what the
shortest of seven runs of a millisecond does. Where all runs at a predicted size waited, it is not
known how long it takes, and nothing is compared. `--measure` keeps the runs in a file and `--fit`
models those of a file, so that both can be done apart; without either, both are done. A file holds
the machine, too, as `looplaw machine` measured it; of several files, which may be packed, each is a
machine for which figures are printed apart. With `--leave-out` they are printed for the one whose
name, or that of whose file, holds these words, and constants are chosen on the others (see
`time_constants`). With `--elsewhere` the times of each machine are foretold from the runs on each
other one (see `time_elsewhere`). Programs: the samples, those of `time_programs`, and
PolyBench/C where POLYBENCH names its folder. Rivals: Extra-P where EXTRAP_PYTHON names a Python
that has it, the line through the last two points on logarithms, and the law alone: the last time
times the ratio of the counts.

Errors are those of the least run at a predicted size. Intervals are of one run: `least` and `runs`
tell how often they hold the least one, and each of them.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import permutations, product
from pathlib import Path
from typing import Any, get_args

import msgspec
import numpy as np

from looplaw.laws.comparison import counters_of, swept_laws
from looplaw.laws.loop_call_tree import gathered
from looplaw.laws.machine_costs import costs_for, costs_of
from looplaw.settings.settings import Runs, Settings
from looplaw.studies.building import build
from looplaw.studies.design import words
from looplaw.studies.live import Live
from looplaw.studies.prepare import prepare
from looplaw.studies.prepared import Prepared
from looplaw.studies.time_laws import with_time_laws
from looplaw_common.errors import InputError, LooplawError
from looplaw_common.files import write_whole
from modeling import Model, Models, Series
from modeling.pmnf.machine_costs import Costs
from modeling.pmnf.prediction import Certainty
from modeling.pmnf.time_law import TimeLaw
from modeling.timelaw.fit import DEFAULT_TIME, TimeSettings
from runtime import RunRecord, is_disturbed, run, undisturbed
from runtime.machine.description import Machine
from runtime.machine.known import read_machine, this_machine
from runtime.sweep.records import run_line, run_record

from .modeling_peer import extra_p
from .time_constants import changed, constants_of
from .time_elsewhere import Elsewhere, foretold, row, table
from .time_programs import TimedProgram, own_programs, polybench, samples

FORMAT = "looplaw-bench-time/1"
FACTORS = (4, 8)
LONGEST_S = 1.2
"""A run at 8 times the largest size takes about this long."""
MOST_BYTES = 1 << 30
_SHARES = (0.25, 0.35, 0.45, 0.6, 0.8, 1.0)
"""The six sizes, as shares of the largest."""
_REPETITIONS, _OF_TARGETS = 7, (5, 4)


def programs(scratch: Path, only: Sequence[str]) -> Iterator[TimedProgram]:
    """The programs to measure; `only` names some."""
    found = [*own_programs(), *samples()]
    root = os.environ.get("POLYBENCH")
    if root:
        found += polybench(Path(root), scratch)
    yield from (
        p for p in found if not only or p.title.rpartition("/")[2] in only or p.title in only
    )


def _run_s(command: Sequence[str]) -> tuple[float, int]:
    """CPU seconds of a run, and the most bytes that it had in memory."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, usage = os.wait4(process.pid, 0)
    process.returncode = 0
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss << 10


def _argv(program: TimedProgram, value: int) -> list[str]:
    return [
        w.replace("{" + program.name + "}", str(value)) for w in program.settings.args or ("{n}",)
    ]


def sizes(program: TimedProgram, executable: Path) -> list[int]:
    """Six sizes: runs at 8 times the largest take about `LONGEST_S`, in `MOST_BYTES` at most."""
    value = program.first
    seconds: list[tuple[int, float]] = []
    while True:
        found, held = _run_s([str(executable), *_argv(program, value)])
        seconds.append((value, found))
        if found > LONGEST_S / 2 or held > MOST_BYTES / 2:
            break
        value = program.times(value, 2)
    growth = 1.0
    if len(seconds) > 2 and seconds[-2][1] > 0.005:
        growth = max(1.0, math.log2(seconds[-1][1] / seconds[-2][1]))
    most = LONGEST_S / max(seconds[-1][1], 1e-3)
    if program.doubling:
        largest = value + (1 if most > 1.9 else 0 if most > 0.8 else -1) - 3
        return [largest - 5 + k for k in range(6)]
    largest = max(24, int(value * min(2.0, most ** (1 / growth))) // 8)
    return sorted({max(4, round(largest * share)) for share in _SHARES})


def prepared_for(program: TimedProgram, values: Sequence[int]) -> Prepared:
    """The study of a program at some sizes."""
    settings: Settings = replace(
        program.settings, vary={program.name: tuple(values)}, runs=Runs(timeout_s=120.0)
    )
    return prepare(settings)


def build_program_of(program: TimedProgram, folder: Path) -> dict[str, Any]:
    """Build the instrumented program in a folder; what measuring it takes, as JSON."""
    plain = folder / "plain"
    _build_plain(program, plain)
    values = sizes(program, plain)
    targets = [program.times(values[-1], f) for f in FACTORS]
    prepared = prepared_for(program, [*values, *targets])
    made = build(prepared, folder)
    return {
        "title": program.title,
        "name": program.name,
        "values": values,
        "targets": targets,
        "executable": str(made.executable),
        "argv": {str(e.params[program.name]): list(e.argv) for e in prepared.experiments},
        "counters": len(prepared.plan.counters),
    }


def measure(built: dict[str, Any]) -> dict[str, Any]:
    """The runs of a program as JSON."""
    records: list[RunRecord] = []
    with tempfile.TemporaryDirectory(prefix="looplaw-bench-") as name:
        for k in range(-1, _REPETITIONS):
            records += [_run(built, v, k, Path(name)) for v in built["values"]]
            for value, repetitions in zip(built["targets"], _OF_TARGETS, strict=True):
                if 0 <= k < repetitions:
                    records.append(_run(built, value, k, Path(name)))
    runs = [json.loads(run_line(r).split(b'"run":', 1)[1][:-2]) for r in records]
    return {
        **{k: built[k] for k in ("title", "name", "values", "targets")},
        "runs": [r for r in runs if r["repetition"] >= 0],
    }


def _run(built: dict[str, Any], value: int, repetition: int, folder: Path) -> RunRecord:
    argv = built["argv"][str(value)]
    done = run([built["executable"], *argv], cells=folder / "cells", timeout_s=60.0)
    return RunRecord.of("", {built["name"]: value}, tuple(argv), repetition, done)


def _build_plain(program: TimedProgram, target: Path) -> None:
    """The program as it is, to find sizes with."""
    from staticana import find_compiler

    compiler = find_compiler()
    sources = [str(p) for p in program.settings.program]
    subprocess.run(
        [
            *compiler.command,
            "-O3",
            "-w",
            *program.settings.flags,
            *sources,
            "-lm",
            "-o",
            str(target),
        ],
        check=True,
    )


def built_programs(folder: Path, only: Sequence[str]) -> list[dict[str, Any]]:
    """Build all programs below a folder; those that are there are kept."""
    found = []
    for program in programs(folder, only):
        place = folder / program.title.replace("/", "-")
        place.mkdir(exist_ok=True)
        note = place / "built.json"
        if not note.is_file():
            try:
                note.write_text(json.dumps(build_program_of(program, place)))
            except (LooplawError, subprocess.CalledProcessError) as error:
                print(f"{program.title}: {error}", file=sys.stderr, flush=True)
                continue
        found.append(json.loads(note.read_text()))
        print(f"built {program.title}: {found[-1]['values']}", file=sys.stderr, flush=True)
    return found


def measured(file: Path, built: Sequence[dict[str, Any]], machine: Machine) -> None:
    """Measure programs and keep the runs with the machine; programs that the file holds are not run
    again.

    Raises:
        InputError: the file holds the runs of another machine.
    """
    about = json.loads(msgspec.json.encode(machine))
    known = content(file)["programs"] if file.is_file() else []
    if known and (other := content(file).get("machine")) and other["cpu"] != about["cpu"]:
        raise InputError(f"{file}: runs of {other['cpu']}, not of {about['cpu']}; name another")
    done = {p["title"] for p in known}
    for one in built:
        if one["title"] in done:
            continue
        start = time.monotonic()
        known.append(measure(one))
        write_whole(file, json.dumps({"format": FORMAT, "machine": about, "programs": known}))
        seconds = time.monotonic() - start
        print(f"measured {one['title']}: {seconds:.1f} s", file=sys.stderr, flush=True)


def content(file: Path) -> dict[str, Any]:
    """A file of runs, packed where its name ends so."""
    data = file.read_bytes()
    found: dict[str, Any] = json.loads(gzip.decompress(data) if file.suffix == ".gz" else data)
    return found


@dataclass(frozen=True)
class Predicted:
    """A kernel at one of the predicted sizes, seconds: truth is the least of its runs there.
    intervals: of 90 %, for one run, of the predictors that have any; certainty: what they say of
    their value."""

    program: str
    kernel: str
    factor: int
    truth: float
    share: float
    runs: tuple[float, ...]
    predictions: dict[str, float]
    intervals: dict[str, tuple[float, float]]
    certainty: dict[str, str]

    def holds(self, name: str) -> float:
        """Share of the runs in the interval of a predictor."""
        low, high = self.intervals[name]
        return float(np.mean([low <= s <= high for s in self.runs]))


OURS, PLAIN, LAW, LINE, PEER = "looplaw", "without law", "counts alone", "log-log", "Extra-P"
LEAST_SHARE, LEAST_S = 0.01, 2e-6
"""Kernels with less of a run's time at the predicted size, or shorter at the smallest size, are
left out."""


def _learned(
    program: TimedProgram,
    values: Sequence[int],
    records: Sequence[RunRecord],
    costs: Costs | None,
    constants: TimeSettings,
) -> tuple[Prepared, Models, Models]:
    """The study of a program, its models without laws of time, and with them, of runs at some
    sizes."""
    prepared = prepared_for(program, values)
    live = Live(prepared)
    for r in records:
        if r.params[program.name] in values:
            live.add(r)
    plain = live.models()
    analysis, plan, lowest = prepared.analysis, prepared.plan, prepared.lowest
    swept = swept_laws(analysis, plan, live.runs, lowest, words(prepared.settings, analysis))
    models = with_time_laws(plain, prepared, live.runs, costs, swept.laws, constants)
    return prepared, plain, models


def _usable(
    program: TimedProgram, entry: dict[str, Any]
) -> tuple[list[RunRecord], list[RunRecord]]:
    """All runs of a program, and those that did not wait."""
    name, values = program.name, entry["values"]
    every = [run_record(r) for r in entry["runs"]]
    kept = [r for r in undisturbed(every) if r.params[name] in values or not is_disturbed(r)]
    return every, kept


def chosen_on(files: Sequence[Path], only: Sequence[str]) -> TimeSettings:
    """The constants that all runs in some files speak for."""
    laws: list[TimeLaw] = []
    with tempfile.TemporaryDirectory(prefix="looplaw-bench-") as scratch:
        for file in files:
            costs = costs_in(file, None)
            entries = {p["title"]: p for p in content(file)["programs"]}
            for program in programs(Path(scratch), only):
                if program.title in entries:
                    entry = entries[program.title]
                    sizes_run = [*entry["values"], *entry["targets"]]
                    _, records = _usable(program, entry)
                    _, _, models = _learned(program, sizes_run, records, costs, DEFAULT_TIME)
                    laws += [m.law for m in models.models if m.law is not None]
    return constants_of(laws)


def foretold_elsewhere(here: Path, there: Path, only: Sequence[str]) -> list[Elsewhere]:
    """The times of the runs in a file, foretold from those in another one."""
    costs = costs_in(here, None), costs_in(there, None)
    if costs[0] is None or costs[1] is None:
        raise InputError("--elsewhere needs what both machines were measured to cost")
    entries = [{p["title"]: p for p in content(file)["programs"]} for file in (here, there)]
    found: list[Elsewhere] = []
    with tempfile.TemporaryDirectory(prefix="looplaw-bench-") as scratch:
        for program in programs(Path(scratch), only):
            if all(program.title in known for known in entries):
                pair = entries[0][program.title], entries[1][program.title]
                for one in _program_elsewhere(program, pair, (costs[0], costs[1])):
                    print(row(one), flush=True)
                    found.append(one)
    return found


def _program_elsewhere(
    program: TimedProgram, pair: tuple[dict[str, Any], dict[str, Any]], costs: tuple[Costs, Costs]
) -> Iterator[Elsewhere]:
    """All kernels of a program at the sizes that were run there, those apart that take no time."""
    name = program.name
    (all_here, here), (all_there, there) = (_usable(program, entry) for entry in pair)
    sizes_here = [*pair[0]["values"], *pair[0]["targets"]]
    prepared, _, models = _learned(program, sizes_here, here, costs[0], DEFAULT_TIME)
    ids, inside = counters_of(prepared.plan), _inside(prepared)
    kernels = [m for m in models.models if m.metric == "time" and m.callpath in ids]
    known, seen = (
        {m.callpath: _seconds(records, ids[m.callpath], name) for m in kernels}
        for records in (here, there)
    )
    for model in kernels:
        at = model.callpath
        counts = _most_counted(
            [*all_here, *all_there], [ids[k] for k in inside[at] if k in ids], name
        )
        truth = {
            size: runs
            for size, runs in sorted(seen[at].items())
            if min(runs) >= LEAST_S
            and min(runs) >= LEAST_SHARE * max(min(s.get(size, [0.0])) for s in seen.values())
        }
        before = {size: min(runs) for size, runs in known[at].items()}
        if before and truth:
            yield from foretold(program.title, model, name, costs, before, truth, counts)


def _inside(prepared: Prepared) -> dict[str, tuple[str, ...]]:
    """Loop -> the loops in it, itself among them."""
    loops = prepared.analysis.loops
    return gathered(
        {loop.at: loop.inner for loop in loops}, {loop.at: (loop.at,) for loop in loops}
    )


def left_out(files: Sequence[Path], words_of: str) -> tuple[Path, list[Path]]:
    """The file of the machine that is left out, and the others.

    Raises:
        InputError: no file is of a machine so named, or several are, or there is no other.
    """
    own = [f for f in files if words_of.lower() in named(f).lower()]
    others = [f for f in files if f not in own]
    if len(own) != 1 or not others:
        names = "; ".join(named(f) for f in files)
        raise InputError(
            f"--leave-out {words_of}: {len(own)} of the files are of it, {len(others)} of others;"
            f" name one machine and give the file of another one at least to --fit: {names}"
        )
    return own[0], others


def predicted(
    program: TimedProgram,
    entry: dict[str, Any],
    costs: Costs | None,
    constants: TimeSettings = DEFAULT_TIME,
) -> Iterator[Predicted]:
    """All kernels of a program at the two sizes, by all predictors."""
    name, values = program.name, entry["values"]
    every, records = _usable(program, entry)
    prepared, plain, models = _learned(program, values, records, costs, constants)
    ids = counters_of(prepared.plan)
    inside = _inside(prepared)
    kernels = [m.callpath for m in models.models if m.metric == "time" and m.callpath in ids]
    every_time = {at: _seconds(records, ids[at], name) for at in kernels}
    times = {at: {v: min(s) for v, s in found.items()} for at, found in every_time.items()}
    series = {
        at: _series(at, name, [(v, times[at][v]) for v in values])
        for at in kernels
        if all(times[at].get(v, 0) > 0 for v in values)
    }
    found = extra_p(list(series.values())) if series else None
    peers = dict(zip(series, found[0], strict=True)) if found else {}
    for at in series:
        counts = _most_counted(every, [ids[k] for k in inside[at] if k in ids], name)
        for factor, target in zip(FACTORS, entry["targets"], strict=True):
            truth = times[at].get(target, 0.0)
            if truth <= 0:
                continue
            share = truth / max(t.get(target, 0.0) for t in times.values())
            if share < LEAST_SHARE or times[at][values[0]] < LEAST_S:
                continue
            model, other = models.find(at, "time"), plain.find(at, "time")
            if model is None or other is None:
                continue
            x, y = values[-2:], [times[at][v] for v in values[-2:]]
            slope = math.log(y[1] / y[0]) / math.log(x[1] / x[0])
            predictions = {
                OURS: float(model.evaluate({name: target})),
                PLAIN: float(other.evaluate({name: target})),
                LINE: y[1] * (target / x[1]) ** slope,
                LAW: y[1] * counts[target] / counts[x[1]],
            }
            if at in peers:
                predictions[PEER] = peers[at].evaluate({name: target})
            runs = tuple(every_time[at][target])
            both, there = {OURS: model, PLAIN: other}, {name: float(target)}
            bands = {which: _interval(m, there) for which, m in both.items()}
            said = {which: str(m.certainty_at(there)) for which, m in both.items()}
            yield Predicted(program.title, at, factor, truth, share, runs, predictions, bands, said)


def _interval(model: Model, at: dict[str, float]) -> tuple[float, float]:
    low, high = model.interval(at, of="observation")
    return float(low), float(high)


def _series(at: str, name: str, times: Sequence[tuple[int, float]]) -> Series:
    ones = np.ones(len(times))
    x, y = np.array(times, dtype=float).T
    return Series(at, "time", (name,), x[:, None], ones, y, 0 * ones)


def _seconds(records: Sequence[RunRecord], ids: Sequence[int], name: str) -> dict[int, list[float]]:
    """Seconds of a kernel by size, those of all repetitions."""
    found: dict[int, list[float]] = {}
    for r in records:
        seconds = sum(r.seconds[k] for k in ids)
        if seconds > 0:  # others have no times: see `undisturbed`
            found.setdefault(r.params[name], []).append(seconds)
    return found


def _most_counted(
    records: Sequence[RunRecord], loops: Sequence[Sequence[int]], name: str
) -> dict[int, float]:
    """Iterations of a kernel's most frequent loop by size."""
    largest = max(records, key=lambda r: r.params[name])
    most = max(loops, key=lambda ids: largest.iterations_of(ids) or 0)
    return {r.params[name]: float(r.iterations_of(most) or 0) for r in records}


def costs_in(file: Path, machine: Path | None) -> Costs | None:
    """The costs of memory on the machine of a file of runs; `machine` names them where it is from
    before files held their machines."""
    about = content(file).get("machine")
    if machine is None and about is not None:
        return costs_of(msgspec.convert(about, Machine))
    return costs_for(None if machine is None else str(machine), print)


def fitted(
    file: Path, only: Sequence[str], machine: Path | None, constants: TimeSettings = DEFAULT_TIME
) -> list[Predicted]:
    """Predictions for the runs of a file."""
    costs = costs_in(file, machine)
    entries = {p["title"]: p for p in content(file)["programs"]}
    found: list[Predicted] = []
    with tempfile.TemporaryDirectory(prefix="looplaw-bench-") as scratch:
        for program in programs(Path(scratch), only):
            if program.title in entries:
                start = time.process_time()
                rows = list(predicted(program, entries[program.title], costs, constants))
                found += rows
                for row in rows:
                    print(_row(row), flush=True)
                print(f"{program.title}: {time.process_time() - start:.1f} s", file=sys.stderr)
    return found


def _row(row: Predicted) -> str:
    errors = " ".join(
        f"{name} {100 * (value / row.truth - 1):+6.0f}" for name, value in row.predictions.items()
    )
    low, high = row.intervals[OURS]
    held = "in" if low <= row.truth <= high else "OUT"
    band = f"{low / row.truth:.2f}-{high / row.truth:.2f}"
    where = row.kernel.rsplit("/", 1)[-1]
    return f"{row.program:24} {where:24} x{row.factor} {row.truth:9.3g} s {errors} {band} {held}"


def summary(found: Sequence[Predicted]) -> str:
    """The table of all predictors."""
    head = "median   mean  <=25%   >2x  holds least  holds runs  better than counts alone"
    rows = [f"{'at, predictor':26} {head}"]
    for factor in FACTORS:
        here = [p for p in found if p.factor == factor]
        for name in (OURS, PLAIN, PEER, LINE, LAW):
            chosen = [p for p in here if name in p.predictions]
            if not chosen:
                continue
            ratios = np.array([max(p.predictions[name], 1e-12) / p.truth for p in chosen])
            errors = np.abs(ratios - 1)
            law = np.abs(np.array([p.predictions[LAW] / p.truth for p in chosen]) - 1)
            beyond = np.mean((ratios > 2) | (ratios < 0.5))
            more = ""
            if name in chosen[0].intervals:
                bands = [(p.intervals[name], p) for p in chosen]
                least = np.mean([low <= p.truth <= high for (low, high), p in bands])
                single = np.mean([p.holds(name) for p in chosen])
                more = f"{100 * least:11.0f} {100 * single:11.0f}"
            if name == OURS:
                more += f" {100 * np.mean(errors <= law):9.0f}"
            rows.append(
                f"x{factor} {name:22} {100 * np.median(errors):6.1f} {100 * errors.mean():6.1f}"
                f" {100 * np.mean(errors <= 0.25):6.0f} {100 * beyond:5.0f} {more}"
            )
        rows.append(f"   {len(here)} kernels")
    return "\n".join(rows)


def certainties(found: Sequence[Predicted]) -> str:
    """The table of what models say of their values: how many, how often their intervals hold single
    runs, and how many are off by more than a quarter."""
    rows = [f"{'at, predictor, says':26}  number  holds runs  off by > 25%"]
    for factor, name, said in product(FACTORS, (OURS, PLAIN), get_args(Certainty)):
        here = [p for p in found if p.factor == factor and p.certainty[name] == said]
        if here:
            off = sum(abs(p.predictions[name] / p.truth - 1) > 0.25 for p in here)
            held = 100 * float(np.mean([p.holds(name) for p in here]))
            rows.append(f"x{factor} {name:15}{said:8} {len(here):7} {held:11.0f} {off:13}")
    return "\n".join(rows)


CHOSEN_ON = frozenset(
    "2mm adi bicg deriche fdtd-2d gemm gesummv heat-3d jacobi-2d ludcmp nussinov symm syrk"
    " trmm".split()
)
"""Kernels of PolyBench that the constants of `TimeSettings` were chosen on, beside all samples."""


def held_out(found: Sequence[Predicted]) -> list[Predicted]:
    """The kernels of PolyBench on which no constant was chosen."""
    return [
        p
        for p in found
        if p.program.startswith("polybench/") and p.program.rpartition("/")[2] not in CHOSEN_ON
    ]


def printed(found: Sequence[Predicted]) -> None:
    """Print the tables of one machine."""
    print(f"{summary(found)}\n\n{certainties(found)}")
    if apart := held_out(found):
        print(f"\nof these, those of PolyBench on which no constant was chosen:\n{summary(apart)}")


def named(file: Path) -> str:
    """The machine of a file of runs, for a heading."""
    about = content(file).get("machine")
    if about is None:
        return str(file)
    sizes = (f"{c['level']} {c['nominal_bytes'] >> 10} KB" for c in about["caches"][:-1])
    return f"{about['cpu']}, {', '.join(sizes)} ({file})"


def main() -> None:
    """Measure, fit, print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--measure", type=Path, metavar="FILE")
    parser.add_argument("--fit", type=Path, nargs="+", metavar="FILE", help="each is a machine")
    parser.add_argument("--leave-out", metavar="MACHINE", help="choose constants on the others")
    parser.add_argument(
        "--elsewhere", action="store_true", help="foretell each machine's times from each other's"
    )
    parser.add_argument(
        "--build", type=Path, metavar="DIR", help="where programs are built, to keep"
    )
    parser.add_argument("--only", nargs="*", default=())
    parser.add_argument("--machine", type=Path, metavar="FILE", help="costs of memory")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all predictions")
    given = parser.parse_args()
    if given.elsewhere:
        if len(given.fit or ()) < 2:
            parser.error("--elsewhere needs the files of two machines: --fit FILE FILE")
        if given.leave_out or given.machine or given.json:
            parser.error("--elsewhere goes without --leave-out, --machine and --json")
    every: list[Predicted] = []
    with tempfile.TemporaryDirectory(prefix="looplaw-bench-") as scratch:
        files = given.fit or [given.measure or Path(scratch) / "runs.json"]
        if not given.fit:
            folder = given.build or Path(scratch)
            folder.mkdir(exist_ok=True)
            here = read_machine(given.machine) if given.machine else this_machine()
            measured(files[0], built_programs(folder, given.only), here)
            if given.measure:
                return
        if given.elsewhere:
            for here, there in permutations(files, 2):
                pairs = foretold_elsewhere(here, there, given.only)
                print(f"\n{named(there)}, foretold from runs on {named(here)}:\n{table(pairs)}\n")
            return
        constants = DEFAULT_TIME
        if given.leave_out:
            chosen, others = left_out(files, given.leave_out)
            constants, files = chosen_on(others, given.only), [chosen]
            print(f"constants chosen on {'; '.join(map(named, others))}: {changed(constants)}")
        for file in files:
            found = fitted(file, given.only, given.machine, constants)
            every += found
            print(f"\n{named(file)}")
            printed(found)
    if given.json:
        write_whole(given.json, json.dumps([asdict(p) for p in every], indent=1))


if __name__ == "__main__":
    main()
