"""From settings to a study that is ready to run: compile, analyse, select, plan counters."""

from __future__ import annotations

import itertools
import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace

from looplaw_common.errors import LooplawWarning
from runtime import (
    Experiment,
    Kernel,
    Plan,
    Selection,
    affordable,
    kernels_of,
    leaving_handlers,
    plan_for,
    select,
)
from staticana import (
    Analysis,
    InputError,
    Module,
    ProgramParameter,
    analyze_module,
    canonical,
    compile_sources,
    parse_module,
)
from staticana.frontend.openmp.pragmas import FLAG, has_library, has_pragmas, is_decided, names_mpi
from staticana.launch import kernels_of as device_kernels

from ..documents.study import RANK
from ..laws.metrics import RECORDED
from ..laws.symbols import kernel_symbols
from ..settings.settings import Settings
from .design import (
    MPI_SIZE,
    OMP_THREADS,
    experiments,
    free_parameters,
    parallel_origins,
    planned,
    rank_number,
    with_team,
    words,
)
from .first_run import FirstRun
from .prepared import Prepared

THREADS = "threads"
"""The number of threads of each process of a program that has both."""
NO_FLAG = "--flag=-fno-openmp"


def prepare(settings: Settings, *, timed: bool = True, skip_exact: bool = False) -> Prepared:
    """Compile and analyse the program, plan what is counted (and timed) and what is run.

    Args:
        timed: measure the times of kernels; else it is for `verify`, which needs the formulas of
            single entries instead.
        skip_exact: count only loops whose count only a run can tell.

    Raises:
        InputError: the program does not compile, or a parameter does not exist or has no value.
    """
    if settings.entry != "main" and not settings.vary:
        raise InputError(
            f"--entry {settings.entry}: a study runs whole programs; use looplaw analyze for a"
            " function"
        )
    settings = _with_pragmas(settings)
    text, module = _compiled(settings)
    if _lacks_library(settings, module):
        settings = replace(settings, flags=(*settings.flags, FLAG))
        text, module = _compiled(settings)
    _say_what_is_left_out(settings)
    if device_kernels(module):
        raise InputError(
            f"{settings.program[0]} has kernels of graphics processors: looplaw study and verify"
            " launch them here and count; times are measured on a card and read by looplaw fit"
        )
    settings = _with_workers_named(module, settings)
    settings, analysis = _analysed(module, settings, timed)
    points = tuple(experiments(settings, analysis))
    _expect_within_types(points, analysis)
    handlers = leaving_handlers(module)
    planner = _Planner(module, analysis, timed, skip_exact, bool(handlers))
    kernels = planner.kernels(settings.selection)
    everything = Prepared(
        settings, text, module, analysis, planner.plan(kernels), points, handlers=handlers
    )
    return with_symbols(_within_budget(everything, planner, kernels))


def _expect_within_types(points: Sequence[Experiment], analysis: Analysis) -> None:
    """A value that the program's own integer does not hold wraps around when it is read: no formula
    is of such a run.

    Raises:
        InputError: a run would be given one.
    """
    for p in analysis.parameters:
        word = _WORD.fullmatch(p.origin)
        if word is None or p.range is None:
            continue
        low, high = p.range
        given = (e.argv[int(word[1]) - 1] for e in points if int(word[1]) <= len(e.argv))
        wrong = [w for w in given if _INTEGER.fullmatch(w) and not low <= int(w) <= high]
        if wrong:
            raise InputError(
                f"{p.name} = {wrong[0]}: the program reads {p.origin} into an integer that holds"
                f" {low} to {high}; larger values need a wider type there"
            )


_WORD = re.compile(r"argv\[([1-9]\d*)\]")
_INTEGER = re.compile(r"[-+]?\d{1,40}")


def _analysed(module: Module, settings: Settings, timed: bool) -> tuple[Settings, Analysis]:
    """The settings with their values, and the analysis for the number of arguments that the program
    is then called with."""
    entries = not timed or not set(RECORDED).isdisjoint(settings.metrics)

    def analysed(argc: int | None) -> Analysis:
        found = analyze_module(
            module,
            entry=settings.entry,
            parameters=settings.parameters,
            argc=argc,
            matrix=timed,
            entries=entries,
            ranks=True,
            reserved=_varied(settings),
        )
        found = _without_idle_rank(found, settings)
        return replace(found, parameters=(*found.parameters, *_unused(module, settings, found)))

    def told_apart(argc: int | None) -> tuple[Settings, Analysis]:
        nonlocal settings
        found = analysed(argc)
        # under another name, a word may show others: each has one in the end
        while (apart := _told_apart(module, settings, found)) is not settings:
            settings = apart
            found = analysed(argc)
        return settings, found

    settings, analysis = told_apart(None)
    # the number of words follows from the words
    values = tuple(p for p in analysis.parameters if p.origin != "argc")
    counted = len(values) < len(analysis.parameters)
    settings = planned(settings, replace(analysis, parameters=values), needed=timed)
    settings = with_team(settings, analysis)
    if _told_apart(module, settings, analysis) is not settings:  # from what the design proposes
        settings, analysis = told_apart(None)
    count = len(words(settings, analysis))
    differs = any(
        note.startswith("the program is called") and f"called with {count} arguments" not in note
        for loop in analysis.loops
        for note in loop.total.assumptions
    )
    if differs or counted or settings.args is not None:
        settings, analysis = told_apart(count + 1)
    return settings, analysis


def _varied(settings: Settings) -> tuple[str, ...]:
    """The parameters that the study gives values: by --vary, or at single points."""
    return tuple(dict.fromkeys((*settings.vary, *itertools.chain(*settings.points))))


def _told_apart(module: Module, settings: Settings, analysis: Analysis) -> Settings:
    """The settings with other names for what the program reads from one word and calls as the study
    calls what it varies in another one: with '{n} 37', the second word is not n."""
    given = settings.args or ()
    placed = "".join((*settings.given, *settings.runs.launcher))
    has_workers = bool(parallel_origins(module))
    varied = _varied(settings)
    named = dict(settings.parameters)
    for p in analysis.parameters:
        at = int(p.origin[5:-1]) if p.origin.startswith("argv[") else 0
        is_other = 0 < at <= len(given) and given[at - 1] != f"{{{p.name}}}"
        is_placed = f"{{{p.name}}}" in placed or (p.name == "p" and has_workers)
        is_varied = p.name in varied and p.name not in settings.parameters
        if is_other and is_placed and is_varied:
            taken = {*named, *varied}
            free = (f"{p.name}{k}" for k in itertools.count(2))
            named[next(n for n in free if n not in taken)] = p.origin
    return settings if named == settings.parameters else replace(settings, parameters=named)


def _without_idle_rank(analysis: Analysis, settings: Settings) -> Analysis:
    """The analysis without the number of a process, if no formula has it and nobody named it."""
    rank = rank_number(analysis)
    if rank is None or RANK in settings.parameters.values():
        return analysis
    counts = (c for x in analysis.loops for c in (x.per_entry, x.per_call, x.total))
    told = (e for c in counts for e in (c.formula, c.lower, c.upper, *c.preconditions) if e)
    if any(rank in e.symbols for e in told):
        return analysis
    return replace(analysis, parameters=tuple(p for p in analysis.parameters if p.name != rank))


def _compiled(settings: Settings) -> tuple[str, Module]:
    text = canonical(compile_sources(settings.program, flags=settings.flags, host_alone=True))
    return text, parse_module(text)


def _has_open_pragmas(settings: Settings) -> bool:
    """Has the program pragmas of which nobody says whether they are on?"""
    return not is_decided(settings.flags) and has_pragmas(settings.program) and has_library()


def _with_pragmas(settings: Settings) -> Settings:
    """The settings with OpenMP turned on, where threads are varied and the program has pragmas."""
    shares_p = names_mpi(settings.program) or "p" in settings.parameters
    varied = _varied(settings)
    are_varied = THREADS in varied or ("p" in varied and not shares_p)
    if are_varied and _has_open_pragmas(settings):
        return replace(settings, flags=(*settings.flags, FLAG))
    return settings


def _lacks_library(settings: Settings, module: Module) -> bool:
    """Does it call functions of OpenMP's library, which it is linked with only if OpenMP is on?"""
    called = any(
        f.is_declaration and name.startswith("omp_") for name, f in module.functions.items()
    )
    return called and _has_open_pragmas(settings)


def _say_what_is_left_out(settings: Settings) -> None:
    if _has_open_pragmas(settings):
        warnings.warn(
            f"{settings.program[0]}: its OpenMP pragmas are left out; --vary {THREADS}=1,2,4 turns"
            f" them on, {NO_FLAG} says that this is meant",
            LooplawWarning,
            stacklevel=3,
        )


def _with_workers_named(module: Module, settings: Settings) -> Settings:
    """The settings in which p is the number of processes and `threads` that of the threads of
    each, where a program has both and nobody says otherwise."""
    origins = parallel_origins(module)
    varied = _varied(settings)
    names = {
        name: origin
        for name, origin in (("p", MPI_SIZE), (THREADS, OMP_THREADS))
        if name in varied and name not in settings.parameters
        if origin in origins and origin not in settings.parameters.values()
    }
    if len(origins) < 2 and THREADS not in names:
        return settings
    return replace(settings, parameters={**settings.parameters, **names})


def _unused(module: Module, settings: Settings, analysis: Analysis) -> list[ProgramParameter]:
    """Parameters that are varied although no count depends on them, as the number of threads that
    share out a loop: those that --param names, and p of a parallel program."""
    known = {p.name for p in analysis.parameters} | free_parameters(settings, analysis)
    origins = {p.origin for p in analysis.parameters}
    wanted = dict(settings.parameters)
    varied = _varied(settings)
    for origin in parallel_origins(module):
        if origin not in wanted.values():
            wanted.setdefault("p", origin)
    return [
        ProgramParameter(name, origin)
        for name, origin in wanted.items()
        if name in varied
        and name not in known
        and origin not in origins
        and not origin.startswith(("global:", "arg:"))
    ]


@dataclass(frozen=True)
class _Planner:
    """Plans counters for kernels of a program. skip_exact: none for loops with exact counts;
    precise: counters are kept in memory at every moment."""

    module: Module
    analysis: Analysis
    timed: bool
    skip_exact: bool
    precise: bool

    @property
    def _keys(self) -> list[tuple[str, str]]:
        return [key for loop in self.analysis.loops for key in loop.headers]

    def kernels(self, selection: Selection) -> Sequence[Kernel]:
        """The kernels with loops of the analysis that are selected."""
        reached = set(self._keys)
        found = [k for k in kernels_of(self.module) if not reached.isdisjoint(k.loops)]
        return select(found, selection)

    def plan(self, kernels: Sequence[Kernel]) -> Plan:
        """The counters of these kernels."""
        chosen = {key for kernel in kernels for key in kernel.loops}
        known = [
            key
            for loop in self.analysis.loops
            if self.skip_exact and loop.total.kind == "exact"
            for key in loop.headers
        ]
        return plan_for(
            self.module,
            [key for key in self._keys if key in chosen],
            known=known,
            timed=self.timed,
            precise=self.precise,
        )


def _within_budget(prepared: Prepared, planner: _Planner, kernels: Sequence[Kernel]) -> Prepared:
    """Without the kernels whose counters would cost more than --max-overhead allows.

    Raises:
        InputError: no kernel is left.
    """
    most = prepared.settings.selection.most_overhead
    if most is None:
        return prepared
    first = FirstRun(prepared)
    kept, left = affordable(
        planner.module, kernels, planner.plan, most, first.executed(), first.overhead
    )
    if not kept and left:
        raise InputError(
            f"--max-overhead {100 * most:g}%: no kernel is left; the counters of"
            f" {left[-1].kernel.names[0]} alone are predicted to cost {100 * left[-1].overhead:.2g}"
            " % of the program's instructions"
        )
    return replace(prepared, plan=planner.plan(kept), left_out=left)


def with_symbols(prepared: Prepared) -> Prepared:
    """With a plan that distinguishes calls of a kernel by the values of its formula, for --metric
    symbols.

    Raises:
        InputError: no formula speaks of a value that can be recorded.
    """
    if set(RECORDED).isdisjoint(prepared.settings.metrics):
        return prepared
    found = kernel_symbols(prepared.module, prepared.analysis, prepared.plan)
    if not found:
        raise InputError(
            "--metric symbols: the formulas of the kernels depend on no value of a call, only on"
            " the parameters of the run"
        )
    symbols = tuple((s.kernel, s.values) for s in found)
    plan = replace(prepared.plan, calls=True, sampled=True, symbols=symbols)
    return replace(prepared, plan=plan, symbols=found)
