"""The static analysis of a program, from IR text to counts for every loop and function."""

from __future__ import annotations

import gc
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from looplaw_common.collection import without_collection
from looplaw_common.errors import InputError

from .alias.outline import Outlines
from .count import Count
from .distinct_keys import most_nodes, with_new_keys
from .entry_formulas import entry_formulas
from .expr import ZERO
from .expr.budget import DEFAULT_SECONDS, Allowance, Budget, OverBudget
from .frontend.model_bodies import has_rows
from .frontend.models import with_models
from .frontend.openmp import team_module
from .frontend.openmp_regions import has_regions, has_tasks, is_outlined, is_rewritten
from .frontend.rust import countable
from .hidden_cost import hidden_costs, library_calls
from .interprocedural.dependence import Influences, influences
from .interprocedural.early_ends import EarlyEnds
from .interprocedural.inputs.program_parameters import ProgramParameter
from .interprocedural.loop_nesting import Key, inner_loops
from .interprocedural.named_calls import NamedCalls
from .interprocedural.program import Facts, Program
from .interprocedural.reader_copies import with_reader_copies
from .interprocedural.resolved_calls import with_calls_resolved
from .interprocedural.summaries import Summaries
from .ir.content import Contents, digest
from .ir.debug_members import MemberNames
from .ir.loop_info import loop_forest
from .ir.parser import parse_module
from .ir.specialization import specialized
from .ir.system_files import is_system_file
from .ir.types import Module
from .matrix import MatrixForm, matrix_form
from .naming import Naming
from .parallel import depth_and_efficiency
from .recursion import deep_recursion
from .results import Analysis, FunctionResult, LoopResult, merged_copies, merged_functions
from .scev.bounded_count import NOTHING, BoundedCount, unknown
from .scev.context import FunctionContext
from .scev.guards import taken

_HIDDEN = "it may only run where the program ends by an error or an exception is thrown"
_HIDDEN_LINKAGE = frozenset(
    "internal private available_externally linkonce linkonce_odr hidden".split()
)
"""Words before the name of a function that no other module calls, or that each has a copy of."""
_LARGE_TEXT = 8_000_000
"""Characters of IR beyond which the memory of what is given up is worth the search for it."""


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
    reserved: Collection[str] = (),
    allowance: Allowance | None = None,
) -> Analysis:
    """As `analyze`, for a parsed canonical module. `reserved`: names that no symbol of a formula
    but a parameter may have. `allowance`: what the whole analysis may take, instead of
    `seconds`."""
    entry = _entry(module, entry)
    allowance = allowance if allowance is not None else Allowance(seconds)
    with deep_recursion(), without_collection(), allowance.watched():
        plain = countable(module)
        modelled, hidden = (plain, frozenset[str]()) if strict else with_models(plain)
        known: Program | None = None
        if not strict:
            modelled, known = with_calls_resolved(modelled, entry, allowance=allowance)
            modelled, known = with_new_keys(modelled, known, entry, allowance=allowance)
            if len(plain.text) > _LARGE_TEXT:
                gc.collect(0)  # programs are circles of references, and those are given up
        serial, assumed = team_module(modelled)
        readers = with_reader_copies(serial, entry)
        copies = specialized(readers.module, entry).after(readers)
        if copies.module is not modelled:
            known = None
        program = known
        if program is None or parameters or argc is not None:
            program = Program(
                copies.module,
                entry=entry,
                parameters=parameters,
                argc=argc,
                strict=strict,
                allowance=allowance,
                facts=known.facts if known is not None else None,
            )
        program.assumed |= assumed
        thread = (
            Program(
                team_module(modelled, one_thread=True)[0],
                entry=entry,
                parameters=parameters,
                argc=argc,
                strict=strict,
                allowance=allowance,
            )
            if has_regions(module)
            else None
        )
        is_one = thread is None and not copies.origin
        analysis = _analyze(
            program,
            thread,
            copies.origin,
            matrix=matrix,
            entries=entries and is_one,
            reserved=reserved,
        )
        if hidden:
            shown = (r for r in analysis.library if hidden.isdisjoint(f for f, _ in r.headers))
            analysis = replace(analysis, library=tuple(shown))
        if is_one:
            return analysis
        if entries:  # of the program that runs: its loops are entered by each thread on its own
            running = Program(
                modelled,
                entry=entry,
                parameters=parameters,
                argc=argc,
                strict=strict,
                allowance=allowance,
            )
            analysis = replace(
                analysis, entries=tuple(entry_formulas(running, Naming(running, reserved)))
            )
        return analysis if thread is None else _with_headers_of(module, analysis)


def exported_functions(module: Module) -> tuple[str, ...]:
    """The functions of a library that others may call by name, those of system headers aside."""
    return tuple(
        sorted(
            f.name
            for f in module.functions.values()
            if not f.is_declaration
            and f.dbg is not None
            and _HIDDEN_LINKAGE.isdisjoint(f.header.partition("@")[0].split())
            and not is_system_file(module.file_of(f.dbg) or "")
        )
    )


def analyze_exports(
    module: Module,
    names: Sequence[str],
    *,
    strict: bool = False,
    allowance: Allowance | None = None,
) -> Iterator[Analysis]:
    """The laws of functions of a library, each in its own arguments: the loops that a call of it
    runs, and its work. See `Library`.

    Args:
        module: the library, canonical.
        names: as `exported_functions` has them.
    """
    library = Library(module, strict=strict)
    for name in names:
        yield library.analyse(name, allowance).analysis


@dataclass(frozen=True)
class ExportAnalysis:
    """The analysis of an exported function. rests_on: the functions whose content it rests on, as
    long as `Library.shared` is the same."""

    analysis: Analysis
    rests_on: frozenset[str]


class Library:
    """A library under analysis: the laws of each exported function in its own arguments.

    What may point where and who calls whom is found once for all. Calls through pointers are not
    followed into copies of functions, as `analyze` does for one entry; any exported function may be
    called from outside, with whatever pointers.

    Args:
        module: the library, canonical.
    """

    def __init__(self, module: Module, *, strict: bool = False) -> None:
        self._strict = strict
        with deep_recursion(), without_collection():
            plain = countable(module)
            modelled, self._hidden = (plain, frozenset[str]()) if strict else with_models(plain)
            self._module, self._assumed = team_module(modelled)
            self.names = exported_functions(self._module)
            self._facts = (
                Facts.of(self._module, self.names[0], strict=strict, exported=frozenset(self.names))
                if self.names
                else None
            )
            if self._facts is not None:
                self._facts.seen_from(self.names[0])  # found once, for workers too
            self._contents = Contents(self._module)

    def analyse(self, name: str, allowance: Allowance | None = None) -> ExportAnalysis:
        """The laws of one exported function.

        Args:
            name: one of `names`.
        """
        assert self._facts is not None
        allowance = allowance if allowance is not None else Allowance(DEFAULT_SECONDS)
        with deep_recursion(), without_collection(), allowance.watched():
            program = Program(
                self._module,
                entry=name,
                strict=self._strict,
                allowance=allowance,
                facts=self._facts.seen_from(name),
            )
            program.assumed |= self._assumed
            analysis = _of_export(program, self._hidden)
        rests_on = program.calls.reachable | program.viewed
        if has_rows(self._module):  # what happens to rows is asked of all functions
            rests_on = frozenset(program.defined)
        return ExportAnalysis(analysis, rests_on)

    @cached_property
    def shared(self) -> str:
        """A digest of what the laws of every exported function may rest on: the outlines of all
        functions, variables, types."""
        module, contents, facts = self._module, self._contents, self._facts
        if facts is None:
            return ""
        with deep_recursion(), without_collection():
            outlines = Outlines(module, facts.writes.aliasing, contents)
            parts = [
                module.datalayout,
                f"{self._strict} {module.is_fortran}",
                *self.names,
                *sorted(self._hidden),
            ]
            parts += (f"{name} = {text}" for name, text in sorted(module.types.items()))
            parts += (contents.variable(g) for _, g in sorted(module.globals.items()))
            parts += (
                contents.written(f.header.partition(" !dbg ")[0])
                if f.is_declaration
                else outlines.of(f)
                for _, f in sorted(module.functions.items())
            )
            nodes = MemberNames(module).described
            parts += (f"{name} {contents.metadata(node)}" for name, node in sorted(nodes.items()))
            return digest(parts)

    def content(self, name: str) -> str | None:
        """A digest of the content of a function; None where there is none of this name."""
        f = self._module.functions.get(name)
        return None if f is None or f.is_declaration else self._contents.function(name)


def _of_export(program: Program, hidden: frozenset[str]) -> Analysis:
    """The analysis of what one call of the entry runs."""
    reached = program.calls.below_any((program.entry,))
    summaries, early, naming = Summaries(program), EarlyEnds(program), Naming(program)
    totals, reach = summaries.summary(program.entry).loops, Influences([], {}, {})
    named = NamedCalls(summaries)
    results = merged_copies(
        [
            _loop(summaries, named, early, naming, reach, f, loop.header, totals, (), matrix=False)
            for f in sorted(reached - hidden)
            for loop in program.view(f).forest.loops
            if loop.is_source
        ]
    )
    function = _function(summaries, early, naming, reach, program.entry, None)
    return Analysis(
        program.entry,
        tuple(
            ProgramParameter(name, origin)
            for origin, name in sorted(program.parameters.items())
            if _concerns(program, origin)
        ),
        tuple(r for r in results if not is_system_file(r.at)),
        (function,),
        tuple(r for r in results if is_system_file(r.at)),
        (),
    )


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
    ]
    if len(found) > 1:
        raise InputError(
            f"--entry {name}: several functions have this name; write one of {', '.join(found[:4])}"
        )
    return found[0] if found else name


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

    def found(loops: tuple[LoopResult, ...]) -> tuple[LoopResult, ...]:
        return tuple(
            replace(
                loop,
                headers=tuple(headers.get(loop.at, ())),
                function=_function_of(module, headers.get(loop.at, ())) or loop.function,
            )
            for loop in loops
        )

    return replace(
        analysis, loops=found((*analysis.loops, *lost.values())), library=found(analysis.library)
    )


def _function_of(module: Module, headers: Sequence[tuple[str, str]]) -> str | None:
    """The function of the source in which a loop stands, where it is no part of a region."""
    names = [name for name, _ in headers if not is_outlined(name)]
    if not names:
        return None
    return module.metadata_field(module.functions[names[0]].dbg, "name") or names[0]


def _analyze(
    program: Program,
    thread: Program | None,
    origin: Mapping[str, str],
    *,
    matrix: bool,
    entries: bool,
    reserved: Collection[str] = (),
) -> Analysis:
    """`thread`: the program as one thread of its teams runs it; `origin`: copy of a function -> the
    function."""
    entry = program.entry
    summaries = Summaries(program)
    summary = summaries.summary(entry)
    for name in program.defined:
        summaries.summary(name)
    shares = None if thread is None else Summaries(thread)
    naming, named = Naming(program, reserved), NamedCalls(summaries)
    reach = influences(program)
    inner = inner_loops(program)
    early = EarlyEnds(program)
    replaced = set(origin.values()) - program.calls.reachable
    results = [
        _loop(
            summaries,
            named,
            early,
            naming,
            reach,
            name,
            loop.header,
            summary.loops,
            inner[name, loop.header],
            matrix=matrix,
        )
        for name in program.defined
        if name not in replaced
        for loop in program.view(name).forest.loops
        if loop.is_source
    ]
    merged = merged_copies(
        [
            replace(r, headers=tuple((origin.get(f, f), header) for f, header in r.headers))
            for r in results
        ]
    )
    notes = [
        f"{name}: a cycle with several entries ({len(blocks)} blocks) is not counted"
        for name in program.defined
        for blocks in program.view(name).forest.irreducible
    ]
    notes += _collapsed_apart(program, {r.at for r in merged})
    functions = merged_functions(
        [
            (origin.get(name, name), _function(summaries, early, naming, reach, name, shares))
            for name in program.defined
            if not is_outlined(name) and name not in replaced
        ]
    )
    found = tuple(
        ProgramParameter(name, origin)
        for origin, name in sorted(program.parameters.items())
        if _concerns(program, origin)
    )
    return Analysis(
        entry,
        found,
        tuple(r for r in merged if not is_system_file(r.at)),
        tuple(f for f in functions if not is_system_file(f.file or "")),
        tuple(r for r in merged if is_system_file(r.at)),
        tuple(notes),
        tuple(entry_formulas(program, naming)) if entries else (),
        hidden_costs(program),
        library_calls(program, naming),
    )


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


def _concerns(program: Program, origin: str) -> bool:
    """Is it a parameter of this run: given on the command line, and not one of a main that is not
    run?"""
    if (
        program.entry != "main"
        and "main" not in program.calls.reachable
        and not origin.startswith(("arg:", "global:", "thread:"))
    ):
        return False
    return (
        program.argc is None or not origin.startswith("argv[") or int(origin[5:-1]) < program.argc
    )


def _source_name(program: Program, name: str) -> str:
    return program.module.metadata_field(program.defined[name].dbg, "name") or name


def _total(
    summaries: Summaries, named: NamedCalls, name: str, header: str, found: BoundedCount | None
) -> BoundedCount:
    """The count of a whole run, or why there is none."""
    program = summaries.program
    if name not in program.calls.reachable:
        return NOTHING
    why = _untold(summaries, name)
    if why is not None:
        return named.by_data(name, header) or unknown(why)
    if found is None:
        return NOTHING
    if found.formula is None and found.upper is None:
        by_calls = named.by_data(name, header)
        if by_calls is None:
            return found
        return replace(by_calls, lower=found.lower, reason=found.reason)
    if named.is_by_library(found):
        return named.total(name, header) or found
    return found


def _untold(summaries: Summaries, name: str) -> str | None:
    """Why nobody can tell how often a function is called."""
    program = summaries.program
    guilty = _guilty(summaries, name)
    if guilty is not None:
        return guilty
    pointed = program.calls.pointed_above.get(name)
    if pointed is not None and name != program.entry:
        return (
            "it runs in an OpenMP construct that is not analysed (teams or target)"
            if is_outlined(pointed)
            else f"{pointed} may be called through a pointer"
        )
    return None


def _guilty(summaries: Summaries, name: str) -> str | None:
    """Why the calls of a function cannot be counted: a function that calls itself without a law,
    above or at it."""
    calls = summaries.program.calls
    for f in sorted(summaries.unsolved):
        if f in calls.reachable and (f == name or calls.calls(f, name)):
            return summaries.unsolved[f]
    return None


def _loop(
    summaries: Summaries,
    named: NamedCalls,
    early: EarlyEnds,
    naming: Naming,
    reach: Influences,
    name: str,
    header: str,
    totals: Mapping[Key, BoundedCount],
    inner: Sequence[Key],
    *,
    matrix: bool,
) -> LoopResult:
    program = summaries.program
    view = program.view(name)
    loop = view.loops[header]
    whole = _total(summaries, named, name, header, totals.get((name, header)))
    whole = taken(program, _within_container(program, name, header, whole))
    if name in program.calls.reachable:
        told = whole.formula is not None
        whole = _proved(program, early.in_total(name, header, whole))
        if told and whole.formula is None and whole.upper is None:
            whole = named.of_calls_made(name, header, whole) or whole
        if whole.formula == ZERO and early.is_hidden(name, header):
            whole = unknown(_HIDDEN)
    total = naming.count(whole)
    if total.kind == "exact":
        assert total.formula is not None
        parameters = total.formula.symbols
    else:
        parameters = reach.loop(name, header) | (
            total.formula.symbols & set(program.parameters.values())
            if total.formula
            else frozenset[str]()
        )
    own = early.in_call(name, header, taken(program, summaries.summary(name).loops[name, header]))
    if own.formula == ZERO and early.is_hidden_in(name, header):
        own = unknown(_HIDDEN)
    around = [h for h in view.enclosing_loops(header) if view.loops[h].is_source]
    collapsed = sum(len(view.loops[h].collapsed) for h in (header, *around))
    parent = view.loops[around[0]].at if around else None
    return LoopResult(
        loop.at,
        _source_name(program, name),
        len(around) + 1 + collapsed,
        loop.collapsed[-1] if loop.collapsed else parent,
        tuple(sorted(parameters)),
        naming.count(
            early.in_loop(name, header, program.within(lambda: view.trip_counts.iterations(header)))
        ),
        naming.count(own),
        total,
        ((name, header),),
        tuple(dict.fromkeys(program.view(f).loops[h].at for f, h in inner)),
        _matrix(program, view, header, naming) if matrix else None,
    )


def _within_container(
    program: Program, name: str, header: str, whole: BoundedCount
) -> BoundedCount:
    """The iterations of a loop in a run, bounded by what is put into the container that it walks
    along: of functions that run once."""
    view = program.view(name)
    if whole.upper is not None or not program.runs_once(name):
        return whole
    most = most_nodes(program, view, header)
    if most is None:
        return whole
    entries = view.executions.of(view.loops[header].preheader or view.function.entry.name)
    bound = entries.times(most)
    return replace(
        whole,
        upper=bound.upper,
        preconditions=whole.preconditions | bound.preconditions,
        notes=whole.notes | bound.notes,
    )


def _proved(program: Program, count: BoundedCount) -> BoundedCount:
    """Code that only runs on a way which is taken not to be gone, or with another number of
    arguments, is not code that never runs."""
    if count.formula == ZERO and program.argc_hides_code:
        return unknown("it may run where the program is called with another number of arguments")
    if count.formula == ZERO and count.notes:
        return unknown(f"it may run where this is not so: {min(count.notes)}")
    return count


def _matrix(
    program: Program, view: FunctionContext, header: str, naming: Naming
) -> MatrixForm | None:
    try:
        with Budget(program.seconds):
            return matrix_form(view, header, naming)
    except OverBudget:
        return None


def _function(
    summaries: Summaries,
    early: EarlyEnds,
    naming: Naming,
    reach: Influences,
    name: str,
    shares: Summaries | None,
) -> FunctionResult:
    """`shares`: counts of the program as one thread of its teams runs it."""
    program, summary = summaries.program, summaries.summary(name)
    module, function = program.module, program.defined[name]
    line = module.metadata_field(function.dbg, "line")
    guilty = sorted(f for f in summaries.unsolved if f == name or program.calls.calls(name, f))
    if guilty:
        cause = unknown(summaries.unsolved[guilty[0]])
        work, operations = cause, dict.fromkeys(summary.operations, cause)
    else:
        work, operations = summary.work, summary.operations
    share = (
        shares.summary(name).work if shares is not None and name in shares.program.defined else None
    )
    if share is not None and shares is not None:
        if has_tasks(program.module):
            share = unknown("tasks run on any thread")
        elif not is_rewritten(shares.program.module):
            share = unknown("the parallel regions are not as clang writes them")
    work = early.in_whole(name, taken(program, work))
    operations = {kind: early.in_whole(name, taken(program, q)) for kind, q in operations.items()}
    depth, efficiency = depth_and_efficiency(program, naming, work, share)
    return FunctionResult(
        _source_name(program, name),
        name,
        module.file_of(function.dbg),
        int(line) if line else None,
        tuple(sorted(reach.function(name))),
        naming.count(work),
        depth,
        efficiency,
        {kind: naming.count(q) for kind, q in operations.items()},
    )
