"""The laws of a program's loops and functions as results: totals, what they rest on, their names.

All that follows from many functions together is found once for a program; the results of single
loops and functions are read from it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property

from .alias.whole_programs import has_main, is_whole
from .count import Count, Unknown
from .distinct_keys import most_nodes
from .expr import ZERO
from .expr.budget import Budget, OutOfTime, OverBudget
from .frontend.openmp.regions import has_tasks, is_outlined, is_rewritten
from .frontend.threads import STARTED, has_threads
from .interprocedural.dependence import Influences
from .interprocedural.early_ends import EarlyEnds
from .interprocedural.inputs.program_parameters import ProgramParameter
from .interprocedural.loop_nesting import Key
from .interprocedural.named_calls import NamedCalls
from .interprocedural.operations import OPERATIONS
from .interprocedural.program import Program
from .interprocedural.summaries import Summaries
from .ir.graph import callee, calls_in
from .ir.linkage import is_own
from .ir.system_files import is_system_file
from .matrix import MatrixForm, matrix_form
from .naming import Naming
from .parallel import depth_and_efficiency
from .results import FunctionResult, LoopResult
from .scev.bounded_count import NOTHING, BoundedCount, unknown
from .scev.executions.guards import taken
from .scev.unknowns import MEAN_ITERATIONS, WEIGHTED

_BY_NAME = "code outside the program calls none of its functions by name"
_HIDDEN = "it may only run where the program ends by an error or an exception is thrown"


@dataclass(frozen=True)
class ProgramLaws:
    """What the results of a program are read from.

    influences: which parameters loops and functions depend on.
    totals: iterations of each loop in one call of the entry, those of functions that no call
        reaches aside.
    """

    program: Program
    summaries: Summaries
    named: NamedCalls
    early: EarlyEnds
    naming: Naming
    influences: Influences
    totals: Mapping[Key, BoundedCount] | None

    @staticmethod
    def of(
        summaries: Summaries,
        influences: Influences,
        reserved: Collection[str] = (),
        ends: EarlyEnds | None = None,
    ) -> ProgramLaws:
        """ends: those of the program's base."""
        program = summaries.program
        totals: Mapping[Key, BoundedCount] | None = None
        with suppress(OutOfTime):
            totals = summaries.summary(program.entry).loops
        _renew_once(summaries)
        return ProgramLaws(
            program,
            summaries,
            NamedCalls(summaries),
            EarlyEnds(program, ends),
            Naming(program, reserved),
            influences,
            totals,
        )

    @cached_property
    def callable_by_name(self) -> frozenset[str]:
        """Functions that files of the program which are not here may call, directly or through
        others; none where the program is whole."""
        program = self.program
        if not has_main(program.module) or is_whole(program.module):
            return frozenset()
        named = {
            n
            for n, f in program.defined.items()
            if n != program.entry
            and not is_own(f.header[:60])
            and not is_system_file(program.module.file_of(f.dbg) or "")
        }
        return program.calls.below_any(named)

    @cached_property
    def starting(self) -> frozenset[str]:
        """The functions on whose way threads are started."""
        module = self.program.module
        if not has_threads(module):
            return frozenset()
        own = {f.name for f, i in calls_in(module) if callee(i) == STARTED}
        return frozenset(
            n
            for n in self.program.defined
            if n in own or any(self.program.calls.calls(n, f) for f in own)
        )

    @property
    def parameters(self) -> tuple[ProgramParameter, ...]:
        """Parameters of this run: those that its command line has, and none of a main that does
        not run."""
        return tuple(
            ProgramParameter(name, origin, self.program.range_of_parameter(name, origin))
            for origin, name in sorted(self.program.parameters.items())
            if _concerns(self.program, origin)
        )

    def loop(
        self, name: str, header: str, inner: Sequence[Key] = (), *, matrix: bool
    ) -> LoopResult:
        """inner: the loops that run inside, those of called functions too."""
        if not _renew_once(self.summaries):
            with suppress(OutOfTime):
                return self._loop(name, header, inner, matrix=matrix)
        late = Count.unknown(self.program.late())
        parameters = self.influences.loop(name, header)
        return self._listed(name, header, inner, parameters, late, late, late)

    def _loop(self, name: str, header: str, inner: Sequence[Key], *, matrix: bool) -> LoopResult:
        program, naming = self.program, self.naming
        view = program.view(name)
        total = (
            Count.unknown(program.late())
            if self.totals is None
            else naming.count(self._total(name, header, self.totals))
        )
        own = self.early.in_call(
            name, header, taken(program, self.summaries.summary(name).loops[name, header])
        )
        if own.formula == ZERO and self.early.is_hidden_in(name, header):
            own = unknown(_HIDDEN)
        own = program.told_by_callers(name, own)
        if total.kind == "exact":
            assert total.formula is not None
            parameters = total.formula.symbols
        else:
            parameters = self.influences.loop(name, header) | (
                total.formula.symbols & set(program.parameters.values())
                if total.formula
                else frozenset[str]()
            )
        entered = program.within(lambda: view.trip_counts.iterations(header))
        entered = program.told_by_callers(name, entered)
        per_entry = naming.count(self.early.in_loop(name, header, entered))
        if per_entry.kind != "exact" and per_entry.upper is None:
            entered = program.within(lambda: view.executions.bounded_entry(header, entered, own))
            per_entry = naming.count(self.early.in_loop(name, header, entered))
        found = self._listed(name, header, inner, parameters, per_entry, naming.count(own), total)
        return replace(found, matrix=self._matrix(name, header)) if matrix else found

    def _listed(
        self,
        name: str,
        header: str,
        inner: Sequence[Key],
        parameters: Collection[str],
        per_entry: Count,
        per_call: Count,
        total: Count,
    ) -> LoopResult:
        """A loop and where it stands, with its counts."""
        view = self.program.view(name)
        loop = view.loops[header]
        around = [h for h in view.enclosing_loops(header) if view.loops[h].is_source]
        collapsed = sum(len(view.loops[h].collapsed) for h in (header, *around))
        parent = view.loops[around[0]].at if around else None
        return LoopResult(
            loop.at,
            self._source_name(name),
            len(around) + 1 + collapsed,
            loop.collapsed[-1] if loop.collapsed else parent,
            tuple(sorted(parameters)),
            _with_weights(per_entry, loop.at),
            _with_weights(per_call, loop.at),
            _with_weights(total, loop.at),
            ((name, header),),
            tuple(dict.fromkeys(self.program.view(f).loops[h].at for f, h in inner)),
        )

    def function(self, name: str, shares: Summaries | None = None) -> FunctionResult:
        """shares: counts of the program as one thread of its teams runs it."""
        if not _renew_once(self.summaries):
            with suppress(OutOfTime):
                return self._function(name, shares)
        late = Count.unknown(self.program.late())
        return self._stated(name, late, late, None, dict.fromkeys(OPERATIONS, late))

    def _function(self, name: str, shares: Summaries | None) -> FunctionResult:
        program, summary = self.program, self.summaries.summary(name)
        unsolved = self.summaries.unsolved
        guilty = sorted(f for f in unsolved if f == name or program.calls.calls(name, f))
        if guilty:
            cause = unknown(unsolved[guilty[0]])
            work, operations = cause, dict.fromkeys(summary.operations, cause)
        else:
            work, operations = summary.work, summary.operations
        work = self.early.in_whole(name, taken(program, work))
        operations = {
            kind: self.early.in_whole(name, taken(program, q)) for kind, q in operations.items()
        }
        share = _share(name, program, shares) if shares is not None else None
        depth, efficiency = depth_and_efficiency(
            program, self.naming, work, share, starts=name in self.starting
        )
        counted = self.naming.count(work)
        named = {kind: self.naming.count(q) for kind, q in operations.items()}
        return self._stated(name, counted, depth, efficiency, named)

    def _stated(
        self,
        name: str,
        work: Count,
        depth: Count,
        efficiency: str | None,
        operations: Mapping[str, Count],
    ) -> FunctionResult:
        """A function and where it stands, with its counts."""
        module, function = self.program.module, self.program.defined[name]
        line = module.metadata_field(function.dbg, "line")
        return FunctionResult(
            self._source_name(name),
            name,
            module.file_of(function.dbg),
            int(line) if line else None,
            tuple(sorted(self.influences.function(name))),
            _with_weights(work),
            depth,
            efficiency,
            {kind: _with_weights(q) for kind, q in operations.items()},
        )

    def _source_name(self, name: str) -> str:
        program = self.program
        return program.module.metadata_field(program.defined[name].dbg, "name") or name

    def _total(self, name: str, header: str, totals: Mapping[Key, BoundedCount]) -> BoundedCount:
        """The iterations of a loop in a whole run, and what they rest on."""
        program = self.program
        whole = self._counted(name, header, totals)
        whole = taken(program, _within_container(program, name, header, whole))
        if name in self.callable_by_name:
            whole = replace(whole, notes=whole.notes | {_BY_NAME})
        if name not in program.calls.reachable:
            return _proved(program, whole)
        told = whole.formula is not None
        if not told and whole.upper is None and program.allowance.is_used_up:
            return whole  # what might cut it short says nothing more of it
        whole = _proved(program, self.early.in_total(name, header, whole))
        if told and whole.formula is None and whole.upper is None:
            whole = self.named.of_calls_made(name, header, whole) or whole
        if whole.formula == ZERO and self.early.is_hidden(name, header):
            return unknown(_HIDDEN)
        return whole

    def _counted(self, name: str, header: str, totals: Mapping[Key, BoundedCount]) -> BoundedCount:
        """The count of a whole run as the summaries have it, or why there is none."""
        if name not in self.program.calls.reachable:
            return NOTHING
        why = self._untold(name)
        if why is not None:
            if self.program.allowance.is_used_up:
                return unknown(self.program.late())
            return self.named.by_data(name, header) or unknown(why)
        found = totals.get((name, header))
        if found is None:
            return NOTHING
        if found.formula is None and found.upper is None:
            by_calls = self.named.by_data(name, header)
            if by_calls is None:
                return found
            return replace(by_calls, lower=found.lower, reason=found.reason)
        if self.named.is_by_library(found):
            return self.named.total(name, header) or found
        return found

    def _untold(self, name: str) -> str | None:
        """Why nobody can tell how often a function is called."""
        program, unsolved = self.program, self.summaries.unsolved
        for f in sorted(unsolved):  # calls itself without a law, above the function or at it
            if f in program.calls.reachable and (f == name or program.calls.calls(f, name)):
                return unsolved[f]
        pointed = program.calls.pointed_above.get(name)
        if pointed is not None and name != program.entry:
            return (
                "it runs in an OpenMP construct that is not analysed (teams or target)"
                if is_outlined(pointed)
                else f"{pointed} may be called through a pointer"
            )
        return None

    def _matrix(self, name: str, header: str) -> MatrixForm | None:
        try:
            with Budget(self.program.seconds):
                return matrix_form(self.program.view(name), header, self.naming)
        except OverBudget:
            return None


def _renew_once(summaries: Summaries) -> bool:
    """Is the time for all counts over? Where it ends, what was found of functions by then is
    written down in another grace, once."""
    allowance = summaries.program.allowance
    if not allowance.is_over:
        return False
    if summaries.is_closed:
        return True
    summaries.close()
    allowance.renew()
    return False


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


def _share(name: str, program: Program, shares: Summaries) -> BoundedCount | None:
    """The work of one thread in a function; None where it does not run there."""
    if name not in shares.program.defined:
        return None
    if has_tasks(program.module):
        return unknown("tasks run on any thread")
    if not is_rewritten(shares.program.module):
        return unknown("the parallel regions are not as clang writes them")
    return shares.summary(name).work


def _with_weights(count: Count, own: str = "") -> Count:
    """A count that tells of means of other loops than its own that they are weighted: each of
    their entries by what runs inside it. A plain mean, put in for it, would give another count
    where entries that run more inside have more iterations, too."""

    def told(o: Unknown) -> Unknown:
        place = o.meaning.removeprefix(MEAN_ITERATIONS)
        if place in (o.meaning, own) or " " in place:
            return o
        return replace(o, meaning=f"{o.meaning} {WEIGHTED}")

    opaque = tuple(told(o) for o in count.opaque)
    return count if opaque == count.opaque else replace(count, opaque=opaque)
