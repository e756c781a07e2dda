"""Libraries: the laws of every exported function in its own arguments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

from looplaw_common.collection import without_collection

from .alias.outline import Outlines
from .expr.budget import DEFAULT_SECONDS, Allowance, MemoryLimit, OutOfTime, shared_out
from .expr.caches import forget_formulas
from .interprocedural.dependence import Influences
from .interprocedural.early_ends import EarlyEnds
from .interprocedural.facts import Facts
from .interprocedural.program import Program
from .interprocedural.summaries import Summaries
from .ir.content import Contents, Place, digest
from .ir.debug_members import MemberNames
from .ir.system_files import is_system_file
from .ir.types import Module
from .preparation import prepared_library
from .program_laws import ProgramLaws
from .recursion import deep_recursion
from .results import Analysis, merged_copies


@dataclass(frozen=True)
class Limits:
    """What an analysis of many functions may take. seconds: CPU time of one count; total: of all;
    grace: what may come on top for what needs no formula; memory: bytes of the process."""

    seconds: float = DEFAULT_SECONDS
    total: float | None = None
    grace: float = 0.0
    memory: int | None = None

    def for_each(self, number: int) -> Iterator[Allowance]:
        """What one after the other of so many functions may take."""
        memory = None if self.memory is None else MemoryLimit(self.memory)
        each = None if self.total is None else self.total / max(1, number)
        for total, grace in shared_out(number, each, self.grace / max(1, number)):
            yield Allowance(self.seconds, total, memory=memory, grace=grace)


_HIDDEN_LINKAGE = frozenset(
    "internal private available_externally linkonce linkonce_odr hidden".split()
)
"""Words before the name of a function that no other module calls, or that each has a copy of."""


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
        forget_formulas()
        with deep_recursion(), without_collection():
            ready = prepared_library(module, strict=strict, allowance=Allowance(DEFAULT_SECONDS))
            self._module, self._hidden, self._assumed = ready.module, ready.hidden, ready.assumed
            self.names = exported_functions(self._module)
            self._facts = (
                Facts.of(self._module, self.names[0], strict=strict, exported=frozenset(self.names))
                if self.names
                else None
            )
            if self._facts is not None:
                self._facts.seen_from(self.names[0])
                self._facts.find_for_all()
            self._contents = Contents(self._module)
        self._bases: dict[bool, _Base] = {}
        self._is_prepared = False

    def prepare(self, names: Iterable[str], limits: Limits) -> None:
        """Find what is known of all functions that some exported ones come to, each once, in its
        own arguments. What a function leaves of its time goes to those that call it."""
        assert self._facts is not None
        calls = self._facts.calls
        with deep_recursion(), without_collection():
            by_class = {True: list[str](), False: list[str]()}
            for name in names:
                by_class[calls.calls_anything(name)].append(name)
            to_do = [
                (base, function)
                for calls_anything, exported in by_class.items()
                if exported
                for base in (self._base(calls_anything=calls_anything),)
                for function in base.missing(exported)
            ]
            for (base, function), allowance in zip(to_do, limits.for_each(len(to_do)), strict=True):
                base.program.allowance = allowance
                with allowance.watched():
                    base.settle(function)
        self._is_prepared = True

    def analyse(self, name: str, allowance: Allowance | None = None) -> ExportAnalysis:
        """The laws of one exported function.

        Args:
            name: one of `names`.
        """
        assert self._facts is not None
        allowance = allowance if allowance is not None else Allowance(DEFAULT_SECONDS)
        with deep_recursion(), without_collection(), allowance.watched():
            base = self._base(calls_anything=self._facts.calls.calls_anything(name))
            base.program.allowance = allowance
            for function in base.missing((name,)):
                base.settle(function)
            for lender in base.program.shared.programs():
                lender.allowance = allowance
            found = self._of_export(name, base, allowance)
            if found is None:
                found = self._of_export(name, base, allowance, may_borrow=False)
            assert found is not None
            program, analysis = found
        if allowance.is_used_up and not self._is_prepared:
            self._bases.clear()  # what is not found there for want of time, others have time for
        rests_on = program.calls.reachable | program.viewed
        if self._facts.of_module.has_rows:  # what happens to rows is asked of all functions
            rests_on = frozenset(program.defined)
        return ExportAnalysis(analysis, rests_on)

    def _of_export(
        self, name: str, base: _Base, allowance: Allowance, *, may_borrow: bool = True
    ) -> tuple[Program, Analysis] | None:
        """The analysis of one exported function; None where it took functions from runs before that
        turned out to be others in its own."""
        assert self._facts is not None
        program = Program(
            self._module,
            entry=name,
            strict=self._strict,
            allowance=allowance,
            facts=self._facts.seen_from(name),
            base=base.program,
            may_borrow=may_borrow,
        )
        program.assumed |= self._assumed
        summaries = Summaries(program, base=base.summaries)
        analysis = _of_export(program, summaries, base, self._hidden)
        contexts = program.contexts
        assert contexts is not None
        if not contexts.is_right():
            return None
        if may_borrow and not summaries.is_late:
            contexts.lend(program, summaries)
        return program, analysis

    def _base(self, *, calls_anything: bool) -> _Base:
        """The counts of every function in its own arguments, for runs that call functions through
        pointers which are not followed, or for those that do not."""
        assert self._facts is not None
        if calls_anything not in self._bases:
            shared = next(iter(self._bases.values()), None)
            program = Program(
                self._module,
                entry="",
                strict=self._strict,
                rows=False,
                facts=self._facts.seen_from_anywhere(calls_anything=calls_anything),
                asks_callers=False,
                base=None if shared is None else shared.program,
            )
            self._bases[calls_anything] = _Base(program)
        return self._bases[calls_anything]

    def reach(self, name: str) -> int:
        """How much one call may run: functions, those that call each other as one."""
        assert self._facts is not None
        return self._facts.calls.circles_below(name).bit_count()

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

    def place(self, name: str) -> Place | None:
        """Where a function stands; None where there is none of this name, or it is not known."""
        f = self._module.functions.get(name)
        return None if f is None or f.is_declaration else self._contents.place(name)


class _Base:
    """What is known of every function in its own arguments: found where it is asked for, kept for
    all runs that come to the function."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.summaries = Summaries(program)
        self.ends = EarlyEnds(program)
        self._settled: set[str] = set()

    def missing(self, entries: Iterable[str]) -> list[str]:
        """The functions that some exported ones come to and of which nothing is known yet, callees
        before their callers."""
        calls = self.program.calls
        return [f for f in reversed(calls.callers_first(*entries)) if f not in self._settled]

    def settle(self, name: str) -> None:
        """Find the counts of a function whose callees are known, what it asks of callers, and what
        it hands on. Of one that none calls, the run that begins there knows the counts."""
        self._settled.add(name)
        if self.program.calls.callers.get(name):
            with suppress(OutOfTime):
                self.summaries.summary(name)
        self.program.questions.settle(name)


def _of_export(
    program: Program, summaries: Summaries, base: _Base, hidden: frozenset[str]
) -> Analysis:
    """The analysis of what one call of the entry runs."""
    reached = program.calls.below_any((program.entry,))
    laws = ProgramLaws.of(summaries, Influences([], {}, {}), ends=base.ends)
    results = merged_copies(
        [
            laws.loop(f, loop.header, matrix=False)
            for f in sorted(reached - hidden)
            for loop in program.view(f).forest.loops
            if loop.is_source
        ]
    )
    function = laws.function(program.entry)
    return Analysis(
        program.entry,
        laws.parameters,
        tuple(r for r in results if not is_system_file(r.at)),
        (function,),
        tuple(r for r in results if is_system_file(r.at)),
        laws.naming.notes,
    )
