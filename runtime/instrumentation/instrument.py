"""Counters put into a program's IR, as text, before it is optimised.

What is counted is chosen by `flow`. A counter is a local variable within the outermost nest around
it that always runs to its end and runs nothing long (`barriers`), so that the optimiser keeps it in
a register or folds it altogether; at the nest's exits it is added to the thread's words. Outside of
such nests it is counted in these words directly. So whatever ends a function from outside finds its
counts in memory. Small functions of the module add to their callers' local variables instead
(`carrying`), which inlining turns into registers as well.

A function with timed kernels has a copy of itself with time stamps, to which it hands over when its
turn comes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from staticana.ir.loop_info import loop_forest
from staticana.ir.types import Function, Module

from ..counters.word_layout import (
    GRANTED,
    LEFT,
    TIME_WORDS,
    TURN_WORDS,
    Kernel,
    Layout,
    LoopLayout,
    Sum,
)
from . import edge_profile as flow
from .abnormal_exits import find_barriers
from .call_tables import CallTable, call_tables
from .counter_forwarding import Carried, find_carried
from .counter_plan import LoopCounter, Plan
from .debug_info import CopiedScopes
from .entry_probes import ENTRIES_IR, EntryPlan, Probe
from .function_editor import reference
from .function_instrumenter import FunctionVersion
from .unit_descriptor import unit_ir, with_constructor, without_promises


@dataclass(frozen=True)
class Unit:
    """Instrumented IR and what its words mean."""

    text: str
    layout: Layout


def instrument(
    module: Module, plan: Plan, entries: EntryPlan | None = None, *, model: str = "localexec"
) -> Unit:
    """Put the plan's counters in, and the recording of loops' entries where that is asked for.

    `module` must come from canonical text; `model` is LLVM's name of how thread-local variables are
    reached ("localexec" in an executable, "generaldynamic" in what may become a shared object).
    """
    work = _Unit(module, plan, entries)
    layout = work.layout()
    recording = ENTRIES_IR if entries is not None and entries.probes else ""
    tables = sorted(work.tables.values(), key=lambda t: t.number)
    return Unit(work.rewritten() + recording + unit_ir(layout, tables, model), layout)


@dataclass(frozen=True)
class PlacedCounter:
    """One counter of instrumented code: the edges that change it, the loop (by header) that wanted
    it. region: the header of the nest in which it is in a register, None where it is in memory;
    follows: the loop's own variable counts."""

    function: str
    header: str
    edges: tuple[flow.Edge, ...]
    region: str | None
    follows: bool


def counters_in(module: Module, plan: Plan) -> Iterator[PlacedCounter]:
    """The counters that `instrument` puts in."""
    work = _Unit(module, plan, None)
    for name, counted in work.counted.items():
        version = FunctionVersion(work, module.functions[name], is_copy=False)
        for index in counted.words:
            if index:  # the first is the function's calls
                count = counted.counts[index]
                region = version.region(count.loop)
                yield PlacedCounter(
                    name,
                    counted.headers[index],
                    (*count.edges, *count.minus),
                    None if region is None else region.header,
                    region is not None and version.variable(count) is not None,
                )


@dataclass(frozen=True)
class _Counted:
    """What one function counts, and in which words. headers: of the loops that want the counts."""

    derivation: flow.Derivation
    counts: tuple[flow.EdgeCount, ...]
    headers: tuple[str, ...]
    words: Mapping[int, int]  # index of a measured count -> its word
    turns: int | None  # the first word of the function's turns

    @property
    def measured(self) -> Sequence[tuple[flow.EdgeCount, int]]:
        """What has a word of its own."""
        return [(self.counts[k], word) for k, word in self.words.items()]

    def total(self, index: int) -> Sum:
        """A wanted count in words."""
        found: dict[int, Fraction] = {}
        for measured, factor in self.derivation.derived[index].items():
            if measured in self.words:
                found[self.words[measured]] = factor
            elif self.turns is not None:  # calls of the function
                found[self.turns + GRANTED], found[self.turns + LEFT] = factor, -factor
        return found


class _Unit:
    """The instrumentation of a module."""

    def __init__(self, module: Module, plan: Plan, entries: EntryPlan | None) -> None:
        self.module, self.plan = module, plan
        self.lines, self.attributes = without_promises(module, module.text.split("\n"))
        self.barriers = find_barriers(module)
        self.tables: dict[int, CallTable] = call_tables(module, plan) if plan.calls else {}
        self.groups: dict[str, list[LoopCounter]] = {}
        for counter in plan.counters:
            self.groups.setdefault(counter.function, []).append(counter)
        self.probes: dict[str, list[Probe]] = {}
        for probe in entries.probes if entries is not None else ():
            self.probes.setdefault(probe.claim.function, []).append(probe)
        self.debug = CopiedScopes(module)
        self.words = 0
        self.places: dict[int, tuple[Sum | None, Sum | None, int | None, int | None]] = {}
        self.times = {c.id: self._take(TIME_WORDS) for c in plan.counters if self._is_timed(c)}
        self.counted = {name: self._choose(name) for name in self.groups}
        self.carried: Mapping[str, Carried] = (
            {}
            if plan.precise
            else find_carried(
                module, self.barriers, {n: tuple(c.words.values()) for n, c in self.counted.items()}
            )
        )

    def counted_in(self, function: str) -> _Counted | None:
        """None where nothing is counted."""
        return self.counted.get(function)

    def _is_timed(self, counter: LoopCounter) -> bool:
        return (
            self.plan.timed
            and counter.nesting == 1
            and _is_copyable(self.module, self.module.functions[counter.function])
        )

    def _take(self, words: int) -> int:
        self.words += words
        return self.words - words

    def _choose(self, name: str) -> _Counted:
        """What to measure in a function."""
        function = self.module.functions[name]
        forest = loop_forest(function, self.module)
        loops, reachable = forest.by_header(), forest.dominator
        counts: list[flow.EdgeCount] = [flow.CALLS]
        costs, headers = [0], [""]
        wanted: dict[tuple[int, str], int] = {}
        for c in self.groups[name]:
            loop = loops[c.header]
            kinds = (
                [("iterations", flow.iterations(function, loop, reachable))] if c.counted else []
            )
            if self.plan.entries:
                kinds.append(("entries", flow.entries(function, loop, reachable)))
            for kind, count in kinds:
                wanted[c.id, kind] = len(counts)
                counts.append(count)
                headers.append(c.header)
                costs.append(
                    4 * (loops[count.loop].depth if count.loop else 0) + (kind == "entries")
                )
        timed = any(c.id in self.times for c in self.groups[name])
        turns = self._take(TURN_WORDS) if timed else None
        if self.plan.precise:
            alone: list[Mapping[int, Fraction]] = [{k: Fraction(1)} for k in range(len(counts))]
            derivation = flow.Derivation(tuple(range(1, len(counts))), tuple(alone))
        else:
            cycles = flow.Cycles(function, self.barriers, reachable)
            derivation = flow.derive(
                cycles, counts, costs, free=(0,) if timed else (), unwanted=() if timed else (0,)
            )
        words = {k: self._take(1) for k in derivation.measured if k or not timed}
        result = _Counted(derivation, tuple(counts), tuple(headers), words, turns)
        for c in self.groups[name]:

            def of(kind: str, key: int = c.id) -> Sum | None:
                return result.total(wanted[key, kind]) if (key, kind) in wanted else None

            self.places[c.id] = (of("iterations"), of("entries"), self.times.get(c.id), turns)
        return result

    def layout(self) -> Layout:
        """What the words mean."""
        rows = []
        for c in self.plan.counters:
            iterations, entries, time, turns = self.places[c.id]
            table = self.tables.get(c.id)
            rows.append(
                LoopLayout(
                    c.function,
                    c.header,
                    c.at,
                    c.nesting,
                    c.kernel,
                    iterations,
                    entries,
                    time,
                    turns if time is not None else None,
                    None if table is None else Kernel(table.number, table.loops, table.names),
                )
            )
        return Layout(self.words, tuple(rows))

    def rewritten(self) -> str:
        """The module's text."""
        functions: dict[int, tuple[int, str]] = {}
        calling = {
            caller for name in self.carried for caller in self.barriers.callers.get(name, ())
        }
        for name in dict.fromkeys((*self.groups, *self.probes, *self.carried, *sorted(calling))):
            function = self.module.functions[name]
            versions = [FunctionVersion(self, function, is_copy=False).text()]
            if name in self.counted and self.counted[name].turns is not None:
                versions.append(FunctionVersion(self, function, is_copy=True).text())
            functions[function.line] = function.end, "\n\n".join(versions)
        out: list[str] = []
        at = 0
        while at < len(self.lines):
            end, text = functions.get(at, (at, self.lines[at]))
            out.append(text)
            at = end + 1
        return with_constructor("\n".join(out)) + self.attributes + self.debug.text()


def _is_copyable(module: Module, function: Function) -> bool:
    """Can a second version of the function take over a call of it?"""
    body = (
        "\n".join(module.text.split("\n")[function.line : function.end])
        if "musttail" in module.text
        else ""
    )
    return not (
        "musttail" in body
        or "..." in function.header
        or "presplitcoroutine" in function.header
        or "swifterror" in function.header
        or " naked " in function.header
        or f"blockaddress({reference(function.name, '@')}," in module.text
    )
