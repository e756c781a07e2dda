"""Studies of kernels: each is launched at every point on this processor, and what threads, warps
and accesses did is held against the laws of the launch, and modelled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace

import msgspec

from looplaw_common.errors import InputError, RunError
from modeling import Models
from runtime import Experiment, LoopCounter, Plan, RunRecord
from runtime.instrumentation.kernels import is_named
from runtime.kernels import Counted, KernelProgram
from runtime.kernels.comparison import counted_in
from staticana import (
    Analysis,
    Count,
    LoopResult,
    Module,
    ProgramParameter,
    analyze_module,
    parse_module,
)
from staticana.results import Access, FunctionResult, LaunchSite, of_whole_launches

from ..documents.study import LAUNCHES, StudyDocument
from ..laws.binding import Counts, bound_laws
from ..laws.comparison import Comparison, Row, SweptLaws, compare
from ..settings.settings import Settings
from .design import every_point
from .finish import study_document
from .launched import Launched, Unknown, is_origin, launched, sites_of
from .live import Live
from .prepared import Prepared

_OF_LOOPS = ("work", "depth", "warps")


@dataclass(frozen=True)
class _Series:
    """A law of a launch. what: "work" of a loop, "sectors" of an access and the like; at: where the
    loop or access stands; kind: of an access, load or store."""

    result: LoopResult
    at: str
    what: str
    kind: str = ""

    def counted(self, found: Counted, values: Mapping[str, int]) -> int:
        """What a launch counted of it; -1 where it has nothing to say. Of warps that differ, the
        end that is not what the law says."""
        if not self.kind:
            loop = found.loops.get(self.at)
            return -1 if loop is None else int(getattr(loop, self.what))
        runs = [r for r in found.accesses.get((self.at, self.kind), ()) if r.full]
        if not runs:
            return -1
        ends = [r.ways if self.what == "conflicts" else r.sectors for r in runs]
        low, high = min(e[0] for e in ends), max(e[1] for e in ends)
        law = self.result.total
        said = law.evaluate(values) if law.kind == "exact" and law.holds(values) else None
        return low if high == said else high


@dataclass(frozen=True)
class _Part:
    """A kernel as the study launches it, and what is counted of it."""

    kernel: Launched
    series: tuple[_Series, ...]


@dataclass
class KernelStudy:
    """A study of kernels, ready to run. said: what a user is to know beforehand."""

    settings: Settings
    text: str
    module: Module
    analysis: Analysis
    parts: tuple[_Part, ...]
    said: tuple[str, ...]
    _files: ExitStack
    runs: list[RunRecord] = field(default_factory=list)

    @property
    def points(self) -> list[dict[str, int]]:
        """The parameter vectors of the study."""
        return every_point(self.settings)

    def run(self, params: Mapping[str, int]) -> RunRecord:
        """Launch all kernels at a point."""
        counted: list[int] = []
        failed: list[str] = []
        for part in self.parts:
            launch = part.kernel.at(params)
            try:
                found = counted_in(part.kernel.function, part.kernel.program, launch)
                counted += [s.counted(found, launch.values) for s in part.series]
            except RunError as error:
                failed.append(str(error))
                counted += [-1] * len(part.series)
        ran = len(failed) < len(self.parts)
        record = RunRecord(
            key="",
            params=dict(params),
            argv=(),
            repetition=0,
            status="ok" if ran else "failed",
            exit_code=0 if ran else 1,
            reason="; ".join(failed),
            stderr="",
            elapsed_s=0.0,
            cpu_s=0.0,
            entries=tuple(max(0, n) for n in counted),
            iterations=tuple(counted),
            seconds=(0.0,) * len(counted),
        )
        self.runs.append(record)
        return record

    def finish(self) -> tuple[Comparison, Models, StudyDocument]:
        """Hold what was counted against the laws, fit models, and put all into one document."""
        series = {s.result.at: s for part in self.parts for s in part.series}
        prepared = self._prepared([s.result for s in series.values()])
        live = Live(prepared)
        for run in self.runs:
            live.add(run)
        models = live.models()
        rows = tuple(_of_study(row) for found in self._compared(models) for row in found.rows)
        comparison = Comparison(rows)
        document = study_document(prepared, live, comparison, self.runs)
        named = [
            replace(m, callpath=s.at, metric=s.what)
            for m in models.models
            if (s := series.get(m.callpath))
        ]
        return comparison, Models(tuple(named)), msgspec.structs.replace(document, kind=LAUNCHES)

    def _prepared(self, loops: Sequence[LoopResult]) -> Prepared:
        """A study of these laws, as others are."""
        counters = (
            LoopCounter(k, loop.function, loop.headers[0][1], loop.at, 1, None)
            for k, loop in enumerate(loops)
        )
        plan = Plan(tuple(counters), timed=False)
        experiments = tuple(Experiment(p, ()) for p in self.points)
        analysis = replace(self.analysis, loops=tuple(loops))
        return Prepared(self.settings, self.text, self.module, analysis, plan, experiments)

    def _compared(self, models: Models) -> Iterator[Comparison]:
        """Kernel by kernel: what each is handed has names of its own."""
        begin = 0
        for part in self.parts:
            own = slice(begin, begin + len(part.series))
            begin = own.stop
            runs = [
                replace(
                    r, entries=r.entries[own], iterations=r.iterations[own], seconds=r.seconds[own]
                )
                for r in self.runs
            ]
            runs = [r for r in runs if any(n >= 0 for n in r.iterations)]
            prepared = self._prepared([s.result for s in part.series])
            points = [_counts(part, run) for run in runs]
            names, given = tuple(self.settings.vary), part.kernel.given
            laws = bound_laws(prepared.analysis, points, names, given, prepared.lowest)
            swept = SweptLaws(tuple(points), laws)
            yield compare(prepared.analysis, prepared.plan, runs, models, prepared.lowest, swept)

    def close(self) -> None:
        """Remove the programs."""
        self._files.close()


def _of_study(row: Row) -> Row:
    """The law as one of the study's parameters, with what each launch is given put in."""
    if row.law is None or row.law.kind != "exact":
        return row
    return replace(row, display=row.law.written)


def _counts(part: _Part, run: RunRecord) -> Counts:
    counted = zip(part.series, run.iterations, strict=True)
    iterations = {s.result.at: n for s, n in counted if n >= 0}
    return Counts(run.params, part.kernel.at(run.params).values, iterations)


def prepare_kernels(settings: Settings, text: str) -> KernelStudy:
    """Build all kernels of a canonical module.

    Raises:
        InputError: nothing is varied, something varied is no parameter, or what a kernel is handed
            has no value.
    """
    if not settings.vary:
        raise InputError("nothing is varied: add --vary NAME=VALUES as in --vary n=64,128,256,512")
    module = parse_module(text)
    origins = {n: o for n, o in settings.parameters.items() if is_origin(o)}
    analysis = analyze_module(module, entry=settings.entry, parameters=origins, matrix=False)
    said: list[str] = []
    with ExitStack() as files:
        parts = tuple(_parts(settings, text, analysis, files, said))
        if not parts:
            named = ", ".join(f.name for f in analysis.functions if f.kernel is not None)
            raise InputError("; ".join(said) or f"--kernel: the kernels are {named}")
        _expect_used(settings, analysis, [p.kernel for p in parts])
        lowest = {name: min(values) for name, values in settings.vary.items()}
        said += [line for p in parts if (line := p.kernel.told(lowest))]
        known = {p.name: p.origin for p in analysis.parameters}
        swept = (ProgramParameter(n, known.get(n, "launch")) for n in settings.vary)
        whole = replace(of_whole_launches(analysis), parameters=tuple(swept), calls=())
        study = KernelStudy(settings, text, module, whole, parts, tuple(said), files.pop_all())
    return study


def _parts(
    settings: Settings, text: str, analysis: Analysis, files: ExitStack, said: list[str]
) -> Iterator[_Part]:
    taken: set[str] = set()
    unknown: dict[str, str] = {}
    for function in analysis.functions:
        if function.kernel is None or not is_named(function.name, settings.selection.kernels):
            continue
        try:
            program = files.enter_context(KernelProgram.build(text, function.symbol))
        except InputError as error:
            said.append(f"{function.name} is not run: {error}")
            continue
        for site in sites_of(settings, function):
            try:
                kernel = launched(settings, function, program, site)
            except Unknown as error:
                unknown |= dict.fromkeys(error.names, function.name)
                continue
            series = tuple(_series(analysis, function, site, taken))
            yield _Part(kernel, series)
    if unknown:
        more = " ".join(f"--vary {n}=100" for n in unknown)
        raise InputError(
            f"no value of what kernels are handed: add {more}, or take one kernel with --kernel"
            f" {next(iter(unknown.values()))}"
        )


def _expect_used(settings: Settings, analysis: Analysis, kernels: Sequence[Launched]) -> None:
    """Every varied parameter is one of a kernel or of the host."""
    known = {n for k in kernels for n in k.parameters}
    used = known | {p.name for p in analysis.parameters if not p.origin.startswith("thread:")}
    for name in settings.vary:
        if name not in used:
            raise InputError(
                f"--vary {name}: the kernels have no parameter {name}; they have"
                f" {', '.join(sorted(known))}"
            )


def _series(
    analysis: Analysis, function: FunctionResult, site: LaunchSite | None, taken: set[str]
) -> Iterator[_Series]:
    """The laws of a kernel that are counted."""
    assert function.kernel is not None
    loops = {loop.at: loop for loop in analysis.loops}
    for at, launch in function.kernel.loops.items():
        for what in _OF_LOOPS:
            place = _place(at, what, function, site, taken)
            yield _Series(_result(place, function, getattr(launch, what), loops.get(at)), at, what)
    accesses = function.kernel.accesses
    for access in accesses:
        if sum((a.at, a.kind) == (access.at, access.kind) for a in accesses) > 1:
            continue  # not told apart
        what = "sectors" if access.conflicts is None else "conflicts"
        place = _place(access.at, what, function, site, taken, access.kind)
        yield _Series(
            _result(place, function, _of_access(access), None), access.at, what, access.kind
        )


def _of_access(access: Access) -> Count:
    return access.sectors if access.conflicts is None else access.conflicts


def _place(
    at: str,
    what: str,
    function: FunctionResult,
    site: LaunchSite | None,
    taken: set[str],
    kind: str = "",
) -> str:
    """The name of a law: its place, and what it is of. Kernels may share a loop of a function that
    both call, and be launched in several places."""
    candidates = [at] if what == "work" else [f"{at} [{what}]"]
    candidates += [f"{at} [{what} of the {kind}]"] if kind else []
    candidates.append(f"{at} [{what} of {function.name}]")
    if site is not None:
        candidates.append(f"{at} [{what}, launch at {site.at}]")
    candidates += [f"{at} [{what} {k}]" for k in range(2, len(taken) + 3)]
    found = next(c for c in candidates if c not in taken)
    taken.add(found)
    return found


def _result(
    place: str, function: FunctionResult, law: Count, loop: LoopResult | None
) -> LoopResult:
    nesting = 1 if loop is None else loop.nesting
    names = tuple(sorted({*function.parameters}))
    headers = ((function.symbol, place),)
    return LoopResult(place, function.name, nesting, None, names, law, law, law, headers)


__all__ = ["KernelStudy", "prepare_kernels"]
