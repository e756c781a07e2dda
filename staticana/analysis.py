"""The static analysis of a program, from IR text to counts for every loop and function."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

from looplaw_common.collection import without_collection
from looplaw_common.errors import InputError

from .alias.library import may_call_back
from .alias.whole_programs import RESERVED
from .calls import calls
from .count import Count
from .entry_formulas import entry_formulas, recordable
from .expr.budget import DEFAULT_SECONDS, Allowance, OutOfTime
from .expr.caches import forget_formulas
from .frontend.openmp.regions import has_regions, is_outlined
from .frontend.openmp.teams import team_module
from .frontend.phases import headers_that_run, is_phase
from .hidden_cost import hidden_costs, library_calls
from .interprocedural.dependence import influences
from .interprocedural.facts import Facts
from .interprocedural.loop_nesting import inner_loops
from .interprocedural.program import Program
from .interprocedural.summaries import Summaries
from .ir.loop_info import loop_forest
from .ir.parser import parse_module
from .ir.system_files import is_system_file
from .ir.types import Module
from .launch import (
    Kernel,
    KernelLaws,
    by_place,
    copies_beside_launches,
    kernel_findings,
    kernel_laws,
    kernel_of_stub,
    kernel_text,
    kernels_of,
    with_launches,
)
from .naming import Naming
from .preparation import Prepared, prepared
from .program_laws import ProgramLaws
from .recursion import deep_recursion
from .results import Analysis, LoopResult, merged_copies, merged_functions, with_kernels


def analyze(
    canonical_text: str,
    *,
    entry: str = "main",
    parameters: Mapping[str, str] | None = None,
    argc: int | None = None,
    strict: bool = False,
    seconds: float = DEFAULT_SECONDS,
    matrix: bool = True,
    entries: bool = False,
    ranks: bool = False,
) -> Analysis:
    """Analyse a program.

    Args:
        canonical_text: IR as `frontend.canonical` returns it.
        entry: the function whose run is counted.
        parameters: name -> origin (argv[1], mpi:size, global:VAR, arg:FUNCTION:0), as --param gives
            them.
        argc: number of words on the command line when known; else every argument that is read is
            taken as given.
        strict: assume nothing but the rules of the language: functions outside the program may
            write all that others can reach and need not return, allocations may fail, errors may
            happen, and the number of arguments is a parameter. A count that rests on more is
            unknown.
        seconds: CPU time that the count of one loop may take.
        matrix: bring loops into matrix form, too.
        entries: keep the formulas of single entries in internal symbols, for `verify`.
        ranks: take the number of an MPI process for a parameter, `rank`, where `parameters` do not
            name it.

    Raises:
        InputError: the entry or a parameter does not exist.
    """
    return analyze_module(
        parse_module(canonical_text),
        entry=entry,
        parameters=parameters,
        argc=argc,
        strict=strict,
        seconds=seconds,
        matrix=matrix,
        entries=entries,
        ranks=ranks,
    )


def analyze_module(
    module: Module,
    *,
    entry: str = "main",
    parameters: Mapping[str, str] | None = None,
    argc: int | None = None,
    strict: bool = False,
    seconds: float = DEFAULT_SECONDS,
    matrix: bool = True,
    entries: bool = False,
    ranks: bool = False,
    reserved: Collection[str] = (),
    allowance: Allowance | None = None,
    warp: int | None = None,
) -> Analysis:
    """As `analyze`, for a parsed canonical module. `reserved`: names that no symbol of a formula
    but a parameter may have. `allowance`: what the whole analysis may take, instead of
    `seconds`. `warp`: lanes of a warp, where kernels are not to have those of their machine."""
    if ranks:
        parameters = _with_rank(parameters or {})
    forget_formulas()
    kernels = kernels_of(module)
    analysed = partial(
        _analyze_whole,
        strict=strict,
        matrix=matrix,
        reserved=reserved,
        allowance=allowance if allowance is not None else Allowance(seconds),
    )
    program = partial(analysed, parameters=parameters, argc=argc, entries=entries)
    if not kernels:
        return program(module, entry=entry)
    host = parse_module(kernel_text(module.text, kernels, None))
    named = _entry(module, entry)
    chosen = [named] if named in kernels else list(kernels)
    laws: dict[str, KernelLaws] = {}
    found = [
        analysed(
            parse_module(kernel_text(module.text, kernels, name)),
            entry=name,
            kernel=name,
            kernels=laws,
            warp=warp,
        )
        for name in chosen
    ]
    own = None
    if named in host.functions and not host.functions[named].is_declaration:
        own = program(host, entry=named, kernels=laws)
    whole = with_kernels(own, found, {name: law.kernel for name, law in laws.items()})
    return replace(whole, findings=(*whole.findings, *kernel_findings(whole)))


def _analyze_whole(
    module: Module,
    *,
    entry: str,
    parameters: Mapping[str, str] | None = None,
    argc: int | None = None,
    strict: bool,
    matrix: bool,
    reserved: Collection[str],
    allowance: Allowance,
    entries: bool = False,
    kernel: str | None = None,
    kernels: dict[str, KernelLaws] | None = None,
    warp: int | None = None,
) -> Analysis:
    """A program for one machine: one kernel with what it calls, or a program without kernels.

    kernels: the laws of kernels by symbol, to which those of `kernel` are added, and, of a program
    that launches them, what it launches.
    """
    entry = _entry(module, entry)
    with deep_recursion(), without_collection(), allowance.watched():
        ready = prepared(module, entry, strict=strict, allowance=allowance)

        def program_of(rewritten: Module, facts: Facts | None = None) -> Program:
            return Program(
                rewritten,
                entry=entry,
                parameters=parameters,
                argc=argc,
                strict=strict,
                allowance=allowance,
                facts=facts,
            )

        program = ready.program
        if program is None or parameters or argc is not None:
            program = program_of(ready.module, None if program is None else program.facts)
        program.assumed |= ready.assumed
        if allowance.is_bounded:
            with allowance.uncounted():
                program.facts.find_for_all()
        thread = program_of(_one_thread(ready)) if has_regions(module) else None
        is_one = thread is None and not ready.origin
        analysis = _analyze(
            module,
            program,
            thread,
            ready.origin,
            matrix=matrix,
            entries=entries and is_one,
            reserved=reserved,
            kernel=None if kernel is None else Kernel.of(program.module, kernel, warp),
            kernels=kernels,
        )
        if ready.written is not None and not allowance.is_over:
            # pointers to lists have become their lengths
            analysis = replace(analysis, findings=hidden_costs(program_of(ready.written)))
        if ready.hidden:
            shown = (
                r for r in analysis.library if ready.hidden.isdisjoint(f for f, _ in r.headers)
            )
            analysis = replace(analysis, library=tuple(shown))
        if is_one:
            analysis = _with_headers_of_phases(module, analysis)
            return replace(analysis, entries=tuple(recordable(analysis.entries, module)))
        if entries:  # of the program that runs: its loops are entered by each thread on its own
            running = program_of(ready.parallel)
            found = entry_formulas(running, Naming(running, reserved))
            analysis = replace(analysis, entries=tuple(recordable(found, module)))
        return analysis if thread is None else _with_headers_of(module, analysis)


def _one_thread(ready: Prepared) -> Module:
    """The serial program that counts as one thread of the teams does."""
    return team_module(
        ready.parallel, entry=ready.entry, calls_back=may_call_back, one_thread=True
    )[0]


def _with_rank(parameters: Mapping[str, str]) -> Mapping[str, str]:
    """The parameters, and the number of an MPI process, where it has no name yet."""
    is_named = _RANK in parameters.values() or "rank" in parameters
    return parameters if is_named else {**parameters, "rank": _RANK}


_RANK = "mpi:rank"


def _is_of_library(loop: LoopResult) -> bool:
    """Does a loop stand in a header of the system, or in a function that a compiler made, of which
    no file is known: __mlir_math_ipowi_i32?"""
    return is_system_file(loop.at) or (loop.at.startswith(RESERVED) and ":%" in loop.at)


def _entry(module: Module, name: str) -> str:
    """The function of this name, or the one that the source calls so (C++ and Rust give it another
    symbol)."""
    function = module.functions.get(name)
    if function is not None and not function.is_declaration and function.dbg is not None:
        return name
    found = [
        f.name
        for f in module.functions.values()
        if not f.is_declaration
        and module.metadata_field(f.dbg, "name") == name
        and not is_system_file(module.file_of(f.dbg) or "")
        and kernel_of_stub(f.name) is None  # it launches the kernel of this name
    ]
    if len(found) > 1:
        raise InputError(
            f"--entry {name}: several functions have this name; write one of {', '.join(found[:4])}"
        )
    return found[0] if found else name


def _with_headers_of_phases(module: Module, analysis: Analysis) -> Analysis:
    """The analysis with the headers of the program that runs for loops that were written apart."""

    def of(loop: LoopResult) -> LoopResult:
        if not any(is_phase(header) for _, header in loop.headers):
            return loop
        functions = dict.fromkeys(f for f, _ in loop.headers)
        headers = ((f, h) for f in functions for h in headers_that_run(module, f, loop.at))
        return replace(loop, headers=tuple(headers))

    return replace(
        analysis, loops=tuple(map(of, analysis.loops)), library=tuple(map(of, analysis.library))
    )


def _with_headers_of(module: Module, analysis: Analysis) -> Analysis:
    """The analysis of a rewritten module, its loops found again by their place in the one that
    runs."""
    headers: dict[str, list[tuple[str, str]]] = {}
    lost: dict[str, LoopResult] = {}
    known = {loop.at for loop in (*analysis.loops, *analysis.library)}
    for f in module.functions.values():
        for loop in loop_forest(f, module).loops:
            if not loop.is_source:
                continue
            headers.setdefault(loop.at, []).append((f.name, loop.header))
            if loop.at not in known and not is_system_file(loop.at) and f.dbg is not None:
                why = Count.unknown("the parallel construct around it is not analysed")
                lost.setdefault(
                    loop.at,
                    LoopResult(
                        loop.at,
                        module.metadata_field(f.dbg, "name") or f.name,
                        loop.depth,
                        None,
                        tuple(p.name for p in analysis.parameters),
                        why,
                        why,
                        why,
                        (),
                    ),
                )

    def found(loop: LoopResult) -> LoopResult:
        copies = tuple(headers.get(loop.at, ()))
        function = _function_of(module, copies) or loop.function
        per_call = loop.per_call
        if function != loop.function:  # what was counted is a call of another function
            per_call = Count.unknown(
                f"its function was inlined into {loop.function}, whose calls were counted"
            )
        return replace(loop, headers=copies, function=function, per_call=per_call)

    return replace(
        analysis,
        loops=tuple(map(found, (*analysis.loops, *lost.values()))),
        library=tuple(map(found, analysis.library)),
    )


def _function_of(module: Module, headers: Sequence[tuple[str, str]]) -> str | None:
    """The function of the source in which a loop stands, where it is no part of a region."""
    names = [name for name, _ in headers if not is_outlined(name)]
    if not names:
        return None
    return module.metadata_field(module.functions[names[0]].dbg, "name") or names[0]


def _analyze(
    module: Module,
    program: Program,
    thread: Program | None,
    origin: Mapping[str, str],
    *,
    matrix: bool,
    entries: bool,
    reserved: Collection[str] = (),
    kernel: Kernel | None = None,
    kernels: dict[str, KernelLaws] | None = None,
) -> Analysis:
    """`module`: the program before it was rewritten; `thread`: the program as one thread of its
    teams runs it; `origin`: copy of a function -> the function."""
    summaries = _summaries(program)
    laws = ProgramLaws.of(summaries, influences(program), reserved)
    replaced = set(origin.values()) - program.calls.reachable
    loops = _source_loops(program, replaced)
    inner = inner_loops(program)
    # names go to the program's own loops first: `n` is not to be what a library calls so
    found = {
        (name, header): laws.loop(name, header, inner[name, header], matrix=matrix)
        for name, header in sorted(loops, key=lambda at: _is_library(program, at[0]))
    }
    if kernel is not None and kernels is not None:
        found = _with_kernel_laws(found, laws, kernel, kernels)
    costs = () if program.allowance.is_over else hidden_costs(program)
    if kernels and kernel is None:
        launched = with_launches(laws, kernels)
        kernels |= {n: replace(law, kernel=launched[n]) for n, law in kernels.items()}
        costs += copies_beside_launches(laws, launched)
    merged = merged_copies([_of_source(found[at], origin) for at in loops])
    notes = [*_irreducible(program), *_collapsed_apart(program, {r.at for r in merged})]
    shares = None if thread is None else Summaries(thread)
    functions = merged_functions(
        [
            (origin.get(name, name), laws.function(name, shares))
            for name in program.defined
            if not is_outlined(name) and name not in replaced
        ]
    )
    own = tuple(f for f in functions if not is_system_file(f.file or ""))
    is_over = program.allowance.is_over
    return Analysis(
        program.entry,
        laws.parameters,
        tuple(r for r in merged if not _is_of_library(r)),
        own,
        tuple(r for r in merged if _is_of_library(r)),
        (*notes, *laws.naming.notes),
        tuple(entry_formulas(program, laws.naming)) if entries else (),
        costs,
        () if is_over else library_calls(program, laws.naming),
        calls(laws, module, origin, found, {f.symbol for f in own}),
    )


def _summaries(program: Program) -> Summaries:
    """The summaries of the program, made from its entry down: values are sought from callers."""
    summaries = Summaries(program)
    with suppress(OutOfTime):
        for name in (program.entry, *program.defined):
            summaries.summary(name)
    return summaries


def _source_loops(program: Program, replaced: Collection[str]) -> list[tuple[str, str]]:
    """Function and header of each loop of the source, without functions that copies replace."""
    return [
        (name, loop.header)
        for name in program.defined
        if name not in replaced
        for loop in program.view(name).forest.loops
        if loop.is_source
    ]


def _with_kernel_laws(
    found: Mapping[tuple[str, str], LoopResult],
    laws: ProgramLaws,
    kernel: Kernel,
    kernels: dict[str, KernelLaws],
) -> dict[tuple[str, str], LoopResult]:
    """The loops of a kernel with their laws per launch; the kernel's own are added to `kernels`."""
    launch = kernel_laws(laws, kernel)
    loops = {at: replace(r, launch=launch.loops.get(at)) for at, r in found.items()}
    of_kernel = by_place([(r.at, r.launch) for r in loops.values() if r.launch is not None])
    kernels[kernel.symbol] = replace(launch, kernel=replace(launch.kernel, loops=of_kernel))
    return loops


def _of_source(loop: LoopResult, origin: Mapping[str, str]) -> LoopResult:
    """A loop with its headers in the functions that copies were made of."""
    return replace(loop, headers=tuple((origin.get(f, f), header) for f, header in loop.headers))


def _irreducible(program: Program) -> list[str]:
    """What is said of cycles that are no loops."""
    return [
        f"{name}: a cycle with several entries ({len(blocks)} blocks) is not counted"
        for name in program.defined
        for blocks in program.view(name).forest.irreducible
    ]


def _is_library(program: Program, name: str) -> bool:
    return is_system_file(program.module.file_of(program.defined[name].dbg) or "")


def _collapsed_apart(program: Program, listed: set[str]) -> list[str]:
    """The loops that are made one loop with those inside them, and whose own counts cannot be told
    from that."""
    missing = {
        place: loop.at
        for name in program.defined
        for loop in program.view(name).forest.loops
        for place in loop.collapsed
        if place not in listed
    }
    return [
        f"{place}: collapsed with the loop at {at}, its own iterations are not counted"
        for place, at in missing.items()
    ]
