"""A study from source to comparison: compile, analyse, instrument, build, run, fit, compare, write.

Every finished run is on disk before the next one starts; the same study started again goes on where
it stopped.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from threading import RLock

from looplaw_common.files import write_whole
from looplaw_common.version import __version__
from modeling import Drift, DriftDetector, Measurements, Models, OnlineFitter, Prior
from modeling.data.ranks import by_rank_where_known
from modeling.rank_classes.class_models import fit_diverging
from runtime import (
    Batch,
    Budget,
    CallRow,
    CounterPlace,
    Experiment,
    Kernel,
    LeftOut,
    Plan,
    Program,
    Provenance,
    Repeated,
    RunRecord,
    Schedule,
    Store,
    UntilTight,
    Work,
    affordable,
    arrays,
    batch_of,
    build_program,
    describe,
    is_batch,
    kernels_of,
    known_runs,
    leaving_handlers,
    plan_for,
    run,
    run_on_slurm,
    run_sweep,
    select,
)
from runtime.launch.environment import Environment
from staticana import (
    Analysis,
    Count,
    InputError,
    LoopResult,
    Module,
    analyze_module,
    canonical,
    compile_sources,
    find_compiler,
    format_nest,
    parse_module,
)
from staticana.frontend.clang import CXX_SUFFIXES
from staticana.parallel import process_parameter

from ..exchange import call_observations, observations_of
from ..laws.annotate import displayed, sources_of
from ..laws.comparison import SHORTEST_S, Comparison, Row, compare, counters_of
from ..laws.law_terms import in_range
from ..laws.loop_call_tree import calls
from ..laws.metrics import OPERATIONS, RECORDED, Operations
from ..laws.priors import analysis_priors
from ..laws.symbols import KernelSymbols, kernel_symbols
from ..report.ranks import ranks_section
from ..settings.settings import Settings
from ..settings.sources import line_of
from .adaptive import Adaptive
from .design import Runner, experiments, free_parameters, planned, points, rank_number, words
from .modelers import Modeler, PerCall

FORMAT = "looplaw-study/1"
_TIMES = ("time", "time_per_call")


@dataclass(frozen=True)
class Prepared:
    """A study ready to run: everything that does not depend on measurements."""

    settings: Settings
    text: str
    module: Module
    analysis: Analysis
    plan: Plan
    experiments: tuple[Experiment, ...]  # one for each point
    left_out: tuple[LeftOut, ...] = ()  # kernels that would cost too much
    symbols: tuple[KernelSymbols, ...] = ()  # of the kernels whose calls are kept apart
    handlers: tuple[str, ...] = ()  # of signals, that leave: why counters are precise

    @property
    def identity(self) -> str:
        """Changes when the program or what is counted changes, so that old runs are not taken for
        new ones."""
        more = "".join(
            json.dumps(words) for words in (self.settings.link, self.settings.events) if words
        )
        return hashlib.sha256(
            (self.text + self.plan.digest + str(find_compiler()) + more).encode()
        ).hexdigest()[:24]

    @property
    def operations(self) -> Operations:
        """What is asked for beside what is measured."""
        metrics = tuple(dict.fromkeys(name for name in self.settings.metrics if name in OPERATIONS))
        return Operations(self.analysis, self.plan, metrics, rank_number(self.analysis))

    @property
    def lowest(self) -> dict[str, int]:
        """Smallest swept value of every parameter, and the first rank."""
        rank = rank_number(self.analysis)
        return {name: min(values) for name, values in self.settings.vary.items()} | (
            {rank: 0} if rank else {}
        )


def prepare(settings: Settings, *, timed: bool = True, skip_exact: bool = False) -> Prepared:
    """Compile and analyse the program, plan what is counted (and timed) and what is run.

    timed: measure the times of kernels; else it is for `verify`, which needs the formulas of single
    entries instead. skip_exact: count only loops whose count only a run can tell.

    Raises:
        InputError: the program does not compile, or a parameter does not exist or has no value.
    """
    text = canonical(compile_sources(settings.program, flags=settings.flags))
    module = parse_module(text)
    if settings.entry != "main" and not settings.vary:
        raise InputError(
            f"--entry {settings.entry}: a study runs whole programs; use looplaw analyze for a"
            " function"
        )
    entries = not timed or not set(RECORDED).isdisjoint(settings.metrics)
    analysis = analyze_module(
        module, entry=settings.entry, parameters=settings.parameters, matrix=timed, entries=entries
    )
    settings = planned(settings, analysis, needed=timed)
    template = words(settings, analysis)
    given = len(template) + 1
    if (
        any(
            f"called with {len(template)} arguments" not in note
            for loop in analysis.loops
            for note in loop.total.assumptions
            if note.startswith("the program is called")
        )
        or settings.args is not None
    ):
        analysis = analyze_module(
            module,
            entry=settings.entry,
            parameters=settings.parameters,
            argc=given,
            matrix=timed,
            entries=entries,
        )
    known = [
        key
        for loop in analysis.loops
        if skip_exact and loop.total.kind == "exact"
        for key in loop.headers
    ]
    keys = [key for loop in analysis.loops for key in loop.headers]

    def plan_of(kernels: Sequence[Kernel]) -> Plan:
        chosen = {key for kernel in kernels for key in kernel.loops}
        return plan_for(
            module,
            [key for key in keys if key in chosen],
            known=known,
            timed=timed,
            precise=bool(handlers),
        )

    handlers = leaving_handlers(module)
    reached = set(keys)
    kernels = select(
        [k for k in kernels_of(module) if not reached.isdisjoint(k.loops)], settings.selection
    )
    everything = Prepared(
        settings,
        text,
        module,
        analysis,
        plan_of(kernels),
        tuple(experiments(settings, analysis)),
        handlers=handlers,
    )
    most = settings.selection.most_overhead
    if most is None:
        return with_symbols(everything)
    kept, left = affordable(module, kernels, plan_of, most, first_run(everything))
    if not kept and left:
        raise InputError(
            f"--max-overhead {100 * most:g}%: it leaves no kernel; the counters of"
            f" {left[-1].kernel.names[0]} alone are predicted to cost {100 * left[-1].overhead:.2g}"
            " % of the program's instructions"
        )
    return with_symbols(replace(everything, plan=plan_of(kept), left_out=left))


def with_symbols(prepared: Prepared) -> Prepared:
    """With the plan to keep calls of kernels apart by the values of their formulas, where that is
    asked for.

    Raises:
        InputError: no formula speaks of a value that can be recorded.
    """
    if set(RECORDED).isdisjoint(prepared.settings.metrics):
        return prepared
    found = kernel_symbols(prepared.module, prepared.analysis, prepared.plan)
    if not found:
        raise InputError(
            "--metric symbols: the formulas of the kernels speak of no value that a call has; the"
            " parameters of the run are all there is"
        )
    plan = replace(prepared.plan, calls=True, symbols=tuple((s.kernel, s.values) for s in found))
    return replace(prepared, plan=plan, symbols=found)


def first_run(prepared: Prepared) -> dict[tuple[str, str], tuple[float, float]] | None:
    """Entries and iterations of all loops in a run at the smallest values; None where that run does
    not succeed, or is a batch job."""
    smallest = min(prepared.experiments, key=lambda e: sum(e.params.values()))
    if is_batch(smallest.launcher):
        return None
    plan = plan_for(
        prepared.module, [(c.function, c.header) for c in prepared.plan.counters], timed=False
    )
    with tempfile.TemporaryDirectory(prefix="looplaw-first-") as folder:
        program = build_program(
            prepared.text,
            plan,
            Path(folder) / "program",
            cxx=is_cxx(prepared),
            link_flags=prepared.settings.link,
        )
        done = run(
            [*smallest.environment, str(program.executable), *smallest.argv],
            cells=Path(folder) / "cells",
            timeout_s=prepared.settings.runs.timeout_s,
            launcher=smallest.launcher,
            ranks=smallest.ranks,
        )
    if done.status != "ok" or done.counts is None:
        return None
    return {
        (c.function, c.header): (
            float(done.counts.entries[c.id]),
            float(done.counts.iterations[c.id]),
        )
        for c in plan.counters
    }


def is_cxx(prepared: Prepared) -> bool:
    """Does the program need the C++ library?"""
    return (
        any(path.suffix in CXX_SUFFIXES for path in prepared.settings.program)
        or "@__gxx_personality_v0" in prepared.text
        or "@_ZSt" in prepared.text
    )


def build(prepared: Prepared, folder: Path) -> Program:
    """Build the instrumented program, under a name of its own: another study may run the one that
    is there."""
    place = executable_of(prepared, folder)
    with tempfile.TemporaryDirectory(prefix=".build-", dir=folder) as scratch:
        made = build_program(
            prepared.text,
            prepared.plan,
            Path(scratch) / place.name,
            cxx=is_cxx(prepared),
            link_flags=prepared.settings.link,
        )
        return replace(made, executable=made.executable.replace(place))


def executable_of(prepared: Prepared, folder: Path) -> Path:
    """Where the instrumented program is built."""
    return folder / f"program-{prepared.identity[:12]}"


def priors(prepared: Prepared) -> dict[tuple[str, str], Prior]:
    """What the static result allows each series: which parameters, which terms are known, which
    bounds counts keep."""
    return analysis_priors(
        prepared.analysis,
        prepared.settings.vary.keys(),
        prepared.lowest,
        free_parameters(prepared.settings, prepared.analysis),
    )


def observed_ranks(prepared: Prepared, records: Iterable[RunRecord]) -> list[RunRecord]:
    """The runs process by process, each with its rank where formulas name it: a formula is that of
    one process."""
    name = rank_number(prepared.analysis)
    return [process for record in records for process in record.of_ranks(name)]


class Live:
    """Takes in finished runs one by one; models are there at any time.

    Args:
        modeler: what fits; the online fitter with what the static analysis allows if none is given.
    """

    def __init__(self, prepared: Prepared, modeler: Modeler | None = None) -> None:
        self._prepared = prepared
        self._ids = counters_of(prepared.plan)
        self._kernels = {c.at for c in prepared.plan.counters if c.nesting == 1}
        self.modeler = modeler or OnlineFitter(
            tuple(prepared.settings.vary), priors(prepared), between_alarms=None
        )
        self._calls = PerCall()
        self._over: set[tuple[tuple[tuple[str, int], ...], int]] = set()
        self._busy = RLock()
        self._places = places(prepared)
        self.runs: list[RunRecord] = []
        self.drifts: list[Drift] = []
        self._detectors: dict[tuple[str, str], DriftDetector] = {}
        self._known: set[tuple[str, str]] = set()
        self._loops = [loop.at for loop in prepared.analysis.loops]

    def add(self, record: RunRecord) -> None:
        """One finished run; failed ones are kept for the report but not fitted, those that warm up
        are neither."""
        with self._busy:
            self._over.add((tuple(record.params.items()), record.repetition))
            self._calls.so_far(())
            if record.repetition < 0:
                return
            self.runs.append(record)
            if record.status == "ok" and len(record.iterations) == len(
                self._prepared.plan.counters
            ):
                self._learn(record)

    def _learn(self, record: RunRecord) -> None:
        observed: dict[tuple[str, str], list[float]] = {}
        for process in record.of_ranks():
            self._observe(process, observed)
        self._watch(record.params, observed)
        for name, count in record.events.items():
            self.modeler.observe("main", name, record.params, count)
        for o in self._prepared.operations.of(record):
            self._known.add((o.callpath, o.metric))
            self.modeler.observe(o.callpath, o.metric, record.params, o.value)
        self._calls.add(call_observations(record.calls, self._places, record.params))

    def so_far(self, experiment: Experiment, rows: Sequence[CallRow]) -> bool:
        """Calls that the run which is going on has made by now, from another thread; False if that
        is over already, or only warms up."""
        with self._busy:
            if (
                experiment.repetition < 0
                or (tuple(experiment.params.items()), experiment.repetition) in self._over
            ):
                return False
            self._calls.so_far(call_observations(rows, self._places, experiment.params))
            return True

    def measurements(self) -> Measurements:
        """Everything observed so far, aggregated."""
        with self._busy:
            return Measurements((*self.modeler.measurements().series, *self._calls.measurements()))

    def _watch(
        self, params: Mapping[str, int], observed: Mapping[tuple[str, str], Sequence[float]]
    ) -> None:
        """Has a law changed? Ranks differ for other reasons, so their mean is watched."""
        names = tuple(self._prepared.settings.vary)
        for key, values in observed.items():
            detector = self._detectors.setdefault(key, DriftDetector(*key, names))
            drift = detector.observe(
                tuple(float(params[n]) for n in names), sum(values) / len(values)
            )
            if drift is not None:
                self.drifts.append(drift)

    def _observe(self, record: RunRecord, observed: dict[tuple[str, str], list[float]]) -> None:
        for at in self._loops:
            ids = self._ids.get(at, [])
            if not ids:
                continue
            iterations = record.iterations_of(ids)
            if iterations is not None:
                self.modeler.observe(at, "iterations", record.params, iterations)
                observed.setdefault((at, "iterations"), []).append(iterations)
            seconds = sum(record.seconds[k] for k in ids)
            if at in self._kernels and seconds > 0:
                self.modeler.observe(at, "time", record.params, seconds)
                observed.setdefault((at, "time"), []).append(seconds)

    def without_operations(self) -> list[str]:
        """A line for each metric whose value no run told for some functions."""
        operations = self._prepared.operations
        names = operations.names.values()
        lacking = {m: [n for n in names if (n, m) not in self._known] for m in operations.metrics}
        return [
            f"{metric} of {', '.join(found)} cannot be told from what is counted; looplaw analyze"
            " --functions shows the formulas"
            for metric, found in lacking.items()
            if found
        ]

    def times(self, record: RunRecord) -> list[float]:
        """The times of a run's kernels, in a fixed order."""
        return [sum(record.seconds[k] for k in self._ids[at]) for at in sorted(self._kernels)]

    def models(self) -> Models:
        """Models of everything so far; kernels faster than the clock resolves are left out."""
        with self._busy:
            found = (*self.modeler.models().models, *self._calls.models())
            short = {
                (s.callpath, s.metric)
                for s in self.measurements().series
                if s.metric in _TIMES and s.means.max() < SHORTEST_S
            }
            return Models(tuple(m for m in found if (m.callpath, m.metric) not in short))


@dataclass(frozen=True)
class Sweep:
    """A study that was run: interrupted by the user, or at the end of its budget, or to its end."""

    live: Live
    store: Store
    schedule: Schedule
    interrupted: bool
    budget_spent: bool


def schedule_of(prepared: Prepared, live: Live, experiments: Sequence[Experiment]) -> Schedule:
    """How often and in which order the given points are run."""
    runs = prepared.settings.runs
    first = Repeated(experiments, runs.repetitions, warmup=runs.warmup, seed=runs.seed)
    return (
        first
        if runs.until is None
        else UntilTight(first, runs.until, max(runs.most, runs.repetitions), live.times)
    )


def adaptive_schedule(prepared: Prepared, live: Live, models: Callable[[], Models]) -> Adaptive:
    """Points in batches until every model is identified: those that the plan suggests, then others
    of the design."""
    settings, analysis = prepared.settings, prepared.analysis
    runner = Runner(settings, analysis)
    every = points(settings, analysis)
    first = every
    if settings.design == "full" and not settings.points:
        first = points(replace(settings, design="lines"), analysis)
    return Adaptive(
        first,
        every,
        settings.vary,
        run=runner.at,
        batch=lambda experiments: schedule_of(prepared, live, experiments),
        models=models,
        modeler=live.modeler,
        seed=settings.runs.seed,
    )


def run_study(
    prepared: Prepared,
    folder: Path,
    *,
    live: Live | None = None,
    schedule: Schedule | None = None,
    on_start: Callable[[Experiment, Path], None] | None = None,
    on_run: Callable[[RunRecord, bool], None] | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> Sweep:
    """Build and sweep. `on_run` gets each run, and whether it was made just now; `say` a line for
    what Slurm is given."""
    store = Store(folder)
    program = build(prepared, folder)
    live = live or Live(prepared)
    schedule = schedule or schedule_of(prepared, live, prepared.experiments)
    budget = Budget(prepared.settings.runs.budget_s)
    try:
        for record, fresh in _made(prepared, program, schedule, store, budget, on_start, say):
            live.add(record)
            if on_run:
                on_run(record, fresh)
    except KeyboardInterrupt:
        return Sweep(live, store, schedule, True, False)
    return Sweep(live, store, schedule, False, budget.stopped)


def _made(
    prepared: Prepared,
    program: Program,
    schedule: Schedule,
    store: Store,
    budget: Budget,
    on_start: Callable[[Experiment, Path], None] | None,
    say: Callable[[str], None],
) -> Iterator[tuple[RunRecord, bool]]:
    """The runs of a schedule, made here or by job arrays."""
    settings = prepared.settings
    if settings.is_for_slurm:
        return run_on_slurm(
            schedule,
            store,
            settings.slurm,
            slurm_work(prepared, store.folder),
            budget=budget,
            say=say,
        )
    return run_sweep(
        program.executable,
        schedule,
        store,
        identity=prepared.identity,
        timeout_s=settings.runs.timeout_s,
        budget=budget,
        provenance=provenance(prepared),
        on_start=on_start,
        events=settings.events,
    )


def slurm_work(prepared: Prepared, folder: Path) -> Work:
    """What the tasks of job arrays have in common. Runs made on another partition, or by a command
    here, are others."""
    settings, kept = prepared.settings, provenance(prepared)
    places = [
        value
        for demand in settings.slurm.demands
        for name, value in sorted(demand.options.items())
        if name in ("partition", "constraint")
    ]
    return Work(
        folder.resolve(),
        executable_of(prepared, folder.resolve()),
        json.dumps([prepared.identity, "slurm", *places]),
        settings.runs.timeout_s,
        settings.runs.seed,
        kept.environment,
        kept.program,
    )


def job_scripts(prepared: Prepared, schedule: Schedule, folder: Path) -> list[Batch]:
    """The job arrays of the runs that are known beforehand; nothing is written."""
    work, slurm = slurm_work(prepared, folder), prepared.settings.slurm
    return [
        batch_of(array, work.study, work.identity, slurm)
        for array in arrays(known_runs(schedule), slurm, work.timeout_s)
    ]


def provenance(prepared: Prepared) -> Provenance:
    """What is kept beside the runs."""
    counters = [asdict(c) for c in places(prepared)]
    return Provenance(
        environment(prepared.settings), {"identity": prepared.identity, "counters": counters}
    )


def places(prepared: Prepared) -> tuple[CounterPlace, ...]:
    """What the counters of the plan are, in their order."""
    found = {s.kernel: s.parameters for s in prepared.symbols}
    return tuple(
        CounterPlace(
            c.at,
            c.function,
            prepared.plan.timed and c.nesting == 1,
            found.get((c.function, c.header)),
        )
        for c in prepared.plan.counters
    )


def finish(prepared: Prepared, live: Live) -> tuple[Comparison, Models, dict[str, object]]:
    """Fit, compare, and put everything into one JSON object."""
    models = live.models()
    comparison = compare(
        prepared.analysis,
        prepared.plan,
        observed_ranks(prepared, live.runs),
        models,
        prepared.lowest,
    )
    return comparison, models, to_json(prepared, live, comparison)


def _ranks(prepared: Prepared, live: Live, kernels: Set[str]) -> list[dict[str, object]]:
    """What the report says of the ranks of these kernels; nothing where all runs are of one
    process."""
    counters = places(prepared)
    observed = (
        o for run in live.runs for o in observations_of(run, counters) if o.callpath in kernels
    )
    found = by_rank_where_known(observed)
    return [] if found is None else ranks_section(fit_diverging(found))


def to_json(prepared: Prepared, live: Live, comparison: Comparison) -> dict[str, object]:
    """The object "looplaw-study/1" that tables and reports are made from."""
    settings, analysis = prepared.settings, prepared.analysis
    rows = comparison.rows
    processes = process_parameter({p.origin: p.name for p in analysis.parameters})
    sources, _ = sources_of(analysis, settings.program)
    origins = {p.name: p.origin for p in analysis.parameters}
    rank = rank_number(analysis)
    ranks = tuple(sorted({r.rank for run in live.runs for r in run.ranks})) if rank else ()
    values = {**settings.vary, **({rank: ranks} if rank and ranks else {})}
    failed = sum(r.status != "ok" for r in live.runs)
    return {
        "format": FORMAT,
        "title": ", ".join(p.name for p in settings.program),
        "about": settings.about,
        "program": [str(p) for p in settings.program],
        "created": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "parameters": [
            {"name": n, "origin": origins.get(n, "args"), "values": list(v)}
            for n, v in values.items()
        ],
        "environment": environment(settings),
        "runs": [
            {
                "params": dict(r.params),
                "repetition": r.repetition,
                "status": r.status,
                "exit_code": r.exit_code,
                "reason": r.reason,
                "elapsed_s": r.elapsed_s,
                "cpu_s": r.cpu_s,
                "stderr": r.stderr,
            }
            for r in live.runs
        ],
        "loops": [_loop(prepared, row, sources) for row in rows],
        "functions": [
            f.to_json() | {"display": displayed(f, processes)} for f in analysis.functions
        ],
        "calls": calls(prepared.module, analysis),
        "ranks": _ranks(prepared, live, {r.loop.at for r in rows if r.time_model is not None}),
        "sources": [{"file": file, "text": text} for file, text in sources.items()],
        "summary": {
            "loops": len(rows),
            "exact": sum(r.loop.total.kind == "exact" for r in rows),
            "obey": sum(r.obeys == "yes" for r in rows),
            "miscounted": len(comparison.miscounted),
            "failed_runs": failed,
            "runs": len(live.runs),
        },
    }


def _loop(prepared: Prepared, row: Row, sources: Mapping[str, str]) -> dict[str, object]:
    loop = row.loop
    data = loop.to_json()
    nest = [
        (r.nesting, r.matrix) for r in _nest(prepared.analysis, loop.at) if r.matrix is not None
    ]
    data |= {
        "source": line_of(sources, loop.at),
        "display": row.display or _shown(loop.total, prepared.lowest),
        "display_per_call": _shown(loop.per_call, prepared.lowest),
        "matrix": {"text": format_nest(nest)} if nest and loop.nesting == 1 else None,
        "counted": [c.to_json() for c in row.counted],
        "obeys": row.obeys,
        "iterations_model": row.iterations_model.to_json() if row.iterations_model else None,
        "kernel": row.kernel,
        "time": (
            None if row.times is None else [{"params": p, "values": list(v)} for p, v in row.times]
        ),
        "time_model": row.time_model.to_json() if row.time_model else None,
        "growth_ratio": row.growth_ratio,
        "verdict": row.verdict,
        "verdict_reason": row.reason,
    }
    return data


def _shown(count: Count, lowest: Mapping[str, int]) -> str | None:
    """The formula without the guards that are idle over the values swept."""
    return None if count.formula is None else str(in_range(count.formula, lowest))


def _nest(analysis: Analysis, at: str) -> list[LoopResult]:
    """The loop at `at` and those inside it, in the order of the source."""
    inside = {at}
    found = []
    for loop in analysis.loops:
        if loop.at == at or loop.parent in inside:
            inside.add(loop.at)
            found.append(loop)
    return found


def environment(settings: Settings) -> Environment:
    """What a measurement depends on besides the program."""
    return describe(
        source=settings.program[0],
        compiler=str(find_compiler()),
        flags=" ".join(("-O3", *settings.flags)),
        version=__version__,
    )


def write(folder: Path, study: Mapping[str, object], models: Models) -> None:
    """study.json and models.json; each is whole or not there."""
    for name, data in (("study.json", study), ("models.json", models.to_json())):
        write_whole(folder / name, json.dumps(data, indent=1))
