"""A study from source to comparison: compile, analyse, instrument, build, run, fit, compare, write.

Every finished run is on disk before the next one starts; the same study started again goes on where it stopped.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from modeling import Models, OnlineFitter, Prior, Term
from runtime import Experiment, Plan, Program, RunRecord, Store, build_program, plan_for, run_sweep
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
from staticana.frontend import CXX_SUFFIXES
from staticana.parallel import process_parameter

from . import __version__
from .annotate import displayed, sources_of
from .calltree import calls
from .compare import SHORTEST_S, Comparison, Row, compare, counters_of
from .laws import in_range, law_terms
from .settings import Settings, experiments, words
from .sources import line_of

FORMAT = "looplaw-study/1"


@dataclass(frozen=True)
class Prepared:
    """A study ready to run: everything that does not depend on measurements."""

    settings: Settings
    text: str
    module: Module
    analysis: Analysis
    plan: Plan
    experiments: tuple[Experiment, ...]

    @property
    def identity(self) -> str:
        """Changes when the program or what is counted changes, so that old runs are not taken for new ones."""
        return hashlib.sha256((self.text + self.plan.digest + str(find_compiler())).encode()).hexdigest()[:24]

    @property
    def lowest(self) -> dict[str, int]:
        """Smallest swept value of every parameter."""
        return {name: min(values) for name, values in self.settings.vary.items()}


def prepare(settings: Settings, *, timed: bool = True) -> Prepared:
    """Compile and analyse the program, plan what is counted (and timed) and what is run.

    timed: measure the times of kernels; else it is for `verify`, which needs the formulas of single entries instead.

    Raises:
        InputError: the program does not compile, or a parameter does not exist or has no value.
    """
    text = canonical(compile_sources(settings.program, flags=settings.flags))
    module = parse_module(text)
    if settings.entry != "main" and not settings.vary:
        raise InputError(f"--entry {settings.entry}: a study runs whole programs; use looplaw analyze for a function")
    analysis = analyze_module(module, entry=settings.entry, parameters=settings.parameters, matrix=timed,
                              entries=not timed)
    template = words(settings, analysis)
    given = len(template) + 1
    if any(f"called with {len(template)} arguments" not in note for loop in analysis.loops
           for note in loop.total.assumptions if note.startswith("the program is called")) or settings.args is not None:
        analysis = analyze_module(module, entry=settings.entry, parameters=settings.parameters, argc=given, matrix=timed,
                                  entries=not timed)
    plan = plan_for(module, [key for loop in analysis.loops for key in loop.headers], timed=timed)
    return Prepared(settings, text, module, analysis, plan, tuple(experiments(settings, analysis, template)))


def is_cxx(prepared: Prepared) -> bool:
    """Does the program need the C++ library?"""
    return any(path.suffix in CXX_SUFFIXES for path in prepared.settings.program) \
        or "@__gxx_personality_v0" in prepared.text or "@_ZSt" in prepared.text


def build(prepared: Prepared, folder: Path) -> Program:
    """Build the instrumented program."""
    return build_program(prepared.text, prepared.plan, folder / "program", cxx=is_cxx(prepared),
                         link_flags=prepared.settings.link)


def priors(prepared: Prepared) -> dict[tuple[str, str], Prior]:
    """What the static result allows each series: which parameters, which terms are known."""
    found: dict[tuple[str, str], Prior] = {}
    influence: dict[str, frozenset[str]] = {}
    for f in prepared.analysis.functions:
        influence[f.symbol] = frozenset(f.parameters)
    for loop in prepared.analysis.loops:
        terms: tuple[Term, ...] = ()
        if loop.total.formula is not None and loop.total.kind == "exact":
            terms = law_terms(in_range(loop.total.formula, prepared.lowest))[:6]
        found[loop.at, "iterations"] = Prior(frozenset(loop.parameters), terms)
        wider = frozenset(loop.parameters).union(*(influence.get(name, frozenset()) for name, _ in loop.headers))
        found[loop.at, "time"] = Prior(wider, terms)
    return found


class Live:
    """Takes in finished runs one by one; models are there at any time."""

    def __init__(self, prepared: Prepared) -> None:
        self._ids = counters_of(prepared.plan)
        self._kernels = {c.at for c in prepared.plan.counters if c.nesting == 1}
        self.fitter = OnlineFitter(tuple(prepared.settings.vary), priors(prepared))
        self.runs: list[RunRecord] = []
        self._loops = [loop.at for loop in prepared.analysis.loops]

    def add(self, record: RunRecord) -> None:
        """One finished run; failed ones are kept for the report but not fitted."""
        self.runs.append(record)
        if record.status != "ok" or not record.iterations:
            return
        for at in self._loops:
            ids = self._ids.get(at, [])
            if not ids:
                continue
            self.fitter.observe(at, "iterations", record.params, sum(record.iterations[k] for k in ids))
            seconds = sum(record.seconds[k] for k in ids)
            if at in self._kernels and seconds > 0:
                self.fitter.observe(at, "time", record.params, seconds)

    def models(self) -> Models:
        """Models of everything so far; kernels faster than the clock resolves are left out."""
        found = self.fitter.models().models
        short = {s.callpath for s in self.fitter.measurements().series
                 if s.metric == "time" and s.means.max() < SHORTEST_S}
        return Models(tuple(m for m in found if not (m.metric == "time" and m.callpath in short)))


def run_study(prepared: Prepared, folder: Path, *, on_start: Callable[[Experiment, Path], None] | None = None,
              on_run: Callable[[RunRecord, bool], None] | None = None) -> tuple[Live, Store, bool]:
    """Build and sweep. Returns what was measured, the store, and whether the user interrupted it."""
    program = build(prepared, folder)
    store = Store(folder)
    live = Live(prepared)
    try:
        for record, fresh in run_sweep(program, prepared.experiments, store, identity=prepared.identity,
                                       timeout_s=prepared.settings.timeout_s, on_start=on_start):
            live.add(record)
            if on_run:
                on_run(record, fresh)
    except KeyboardInterrupt:
        return live, store, True
    return live, store, False


def finish(prepared: Prepared, live: Live) -> tuple[Comparison, Models, dict[str, object]]:
    """Fit, compare, and put everything into one JSON object."""
    models = live.models()
    comparison = compare(prepared.module, prepared.analysis, prepared.plan, live.runs, models, prepared.lowest)
    return comparison, models, to_json(prepared, live, comparison)


def to_json(prepared: Prepared, live: Live, comparison: Comparison) -> dict[str, object]:
    """The object "looplaw-study/1" that tables and reports are made from."""
    settings, analysis = prepared.settings, prepared.analysis
    rows = comparison.rows
    processes = process_parameter({p.origin: p.name for p in analysis.parameters})
    sources, _ = sources_of(analysis, settings.program)
    origins = {p.name: p.origin for p in analysis.parameters}
    failed = sum(r.status != "ok" for r in live.runs)
    return {
        "format": FORMAT, "title": ", ".join(p.name for p in settings.program), "about": settings.about,
        "program": [str(p) for p in settings.program], "created": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "parameters": [{"name": n, "origin": origins[n], "values": list(v)} for n, v in settings.vary.items()],
        "environment": environment(settings),
        "runs": [{"params": dict(r.params), "repetition": r.repetition, "status": r.status, "exit_code": r.exit_code,
                  "reason": r.reason, "elapsed_s": r.elapsed_s, "cpu_s": r.cpu_s, "stderr": r.stderr}
                 for r in live.runs],
        "loops": [_loop(prepared, row, sources) for row in rows],
        "functions": [f.to_json() | {"display": displayed(f, processes)} for f in analysis.functions],
        "calls": calls(prepared.module, analysis),
        "sources": [{"file": file, "text": text} for file, text in sources.items()],
        "summary": {"loops": len(rows), "exact": sum(r.loop.total.kind == "exact" for r in rows),
                    "obey": sum(r.obeys == "yes" for r in rows), "miscounted": len(comparison.miscounted),
                    "failed_runs": failed, "runs": len(live.runs)},
    }


def _loop(prepared: Prepared, row: Row, sources: Mapping[str, str]) -> dict[str, object]:
    loop = row.loop
    data = loop.to_json()
    nest = [(r.nesting, r.matrix) for r in _nest(prepared.analysis, loop.at) if r.matrix is not None]
    data |= {
        "source": line_of(sources, loop.at),
        "display": row.display or _shown(loop.total, prepared.lowest),
        "display_per_call": _shown(loop.per_call, prepared.lowest),
        "matrix": {"text": format_nest(nest)} if nest and loop.nesting == 1 else None,
        "counted": [c.to_json() for c in row.counted], "obeys": row.obeys,
        "iterations_model": row.iterations_model.to_json() if row.iterations_model else None, "kernel": row.kernel,
        "time": None if row.times is None else [{"params": p, "values": list(v)} for p, v in row.times],
        "time_model": row.time_model.to_json() if row.time_model else None, "growth_ratio": row.growth_ratio,
        "verdict": row.verdict, "verdict_reason": row.reason,
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


def environment(settings: Settings) -> dict[str, object]:
    """What a measurement depends on besides the program."""
    return {"host": platform.node(), "cpu": _cpu(), "cores": os.cpu_count(), "os": platform.platform(),
            "python": platform.python_version(), "compiler": str(find_compiler()),
            "flags": " ".join(("-O3", *settings.flags)), "looplaw": __version__, "revision": _revision(settings)}


def _cpu() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def _revision(settings: Settings) -> str | None:
    """The git revision of the program's folder."""
    try:
        done = subprocess.run(["git", "-C", str(settings.program[0].resolve().parent), "rev-parse", "--short=12", "HEAD"],
                              capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() or None if done.returncode == 0 else None


def write(folder: Path, study: Mapping[str, object], models: Models) -> None:
    """study.json and models.json; each is whole or not there."""
    for name, data in (("study.json", study), ("models.json", models.to_json())):
        partial = folder / f".{name}.partial"
        partial.write_text(json.dumps(data, indent=1), encoding="utf-8")
        partial.replace(folder / name)
