"""What each function of a unit measures, and in which of the thread's words.

A unit is what is instrumented together: a program, or one object file. Planning comes before any
text is written, since a function has to know what its callees forward to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from staticana.ir.data_layout import Layout as DataLayout
from staticana.ir.loop_info import Loop, LoopForest, loop_forest
from staticana.ir.types import Function, Module

from ..counters.entries import EntryPlan, Probe
from ..counters.word_layout import (
    COVERED,
    GRANTED,
    KEEPING_WORDS,
    TIME_WORDS,
    TURN_WORDS,
    CallLayout,
    Layout,
    LoopLayout,
    Sum,
)
from .abnormal_exits import find_abnormal_exits
from .call_tables import CallTable, call_tables
from .counter_forwarding import Forwarding, find_forwarding
from .counter_plan import LoopCounter, Plan
from .data_bounds import Accesses
from .edge_profile import (
    CALLS,
    CycleSpace,
    Derivation,
    EdgeCount,
    choose_counters,
    entries,
    iterations,
    runs,
)
from .induction_variables import InductionVariable, find_induction_variable, fixed_count
from .ir_text.function_editor import reference
from .own_counts import OwnCounts
from .register_regions import RegisterRegions
from .single_calls import called_once
from .thread_words import Entered, find_entered

_LEVEL_COST = 4
"""Cost of a counter for each loop around it, so that outer ones are preferred; between counters of
one level iterations are preferred to entries, which cost one more."""


@dataclass(frozen=True)
class FunctionCounts:
    """What one function counts.

    Attributes:
        counts: the wanted counts; the first is the function's calls.
        headers: of the loops that want them.
        words: index of a measured count -> its word.
        turns: the first word of the function's sampling, None where it has no timed kernel, and
            none of whose calls some are kept.
        keeps: it has one of these.
        iterations: id of a loop -> the index of the count of its iterations.
    """

    derivation: Derivation
    counts: tuple[EdgeCount, ...]
    headers: tuple[str, ...]
    words: Mapping[int, int]
    iterations: Mapping[int, int]
    turns: int | None = None
    keeps: bool = False

    @property
    def measured(self) -> Sequence[tuple[EdgeCount, int]]:
        """The counts that have a word of their own."""
        return [(self.counts[k], word) for k, word in self.words.items()]

    def total(self, index: int) -> Sum:
        """A wanted count as a sum of words."""
        found: dict[int, Fraction] = {}
        for measured, factor in self.derivation.derived[index].items():
            found[self.words[measured]] = factor
        return found


class UnitPlan:
    """The plan of a module.

    Attributes:
        accesses: how the module reads and writes memory.
        groups: function -> the plan's counters in it.
        probes: function -> loops whose entries are recorded.
        tables: id of a kernel -> its table of calls.
        times: id of a timed kernel -> its first word of time.
        counted: function -> what it counts.
        forwarding: function -> what it forwards to its callers.
        words: words of a thread, in all.
        entered: which functions test whether their thread has words, and which need not.
        at_end: id of a kernel that keeps some of its calls where it ends, in the function itself
            -> the first word of its sampling.
    """

    def __init__(
        self,
        module: Module,
        plan: Plan,
        entry_plan: EntryPlan | None = None,
        *,
        is_program: bool = False,
    ) -> None:
        self.module, self.plan = module, plan
        self.abnormal = find_abnormal_exits(module)
        self.accesses = Accesses(module)
        self._sizes = DataLayout(module)
        self.tables = self._tables() if plan.calls else {}
        self.groups: dict[str, list[LoopCounter]] = {}
        for counter in plan.counters:
            self.groups.setdefault(counter.function, []).append(counter)
        self.probes: dict[str, list[Probe]] = {}
        for probe in entry_plan.probes if entry_plan is not None else ():
            self.probes.setdefault(probe.formula.function, []).append(probe)
        self.words = 0
        self._own = OwnCounts(module, self.abnormal)
        self._sums: dict[tuple[int, str], Sum] = {}  # id of a loop, "iterations" or "entries"
        self.times = {c.id: self._take(TIME_WORDS) for c in plan.counters if self._is_timed(c)}
        self.counted = {name: self._choose(name) for name in self.groups}
        self.forwarding: Mapping[str, Forwarding] = {}
        if not plan.precise:
            own = {name: tuple(c.words.values()) for name, c in self.counted.items()}
            self.forwarding = find_forwarding(module, self.abnormal, own, self.accesses)
        self.at_end = {
            c.id: self._take(TURN_WORDS + KEEPING_WORDS)
            for c in plan.counters
            if self._is_kept_at_end(c)
        }
        self.counted = {name: self._with_turns(name, c) for name, c in self.counted.items()}
        alone = is_program and not plan.precise
        self.entered = find_entered(module, self.abnormal, self.counted) if alone else Entered()

    @property
    def groups_of_turns(self) -> tuple[int, ...]:
        """The first word of the sampling of each function, and of each kernel, that has one."""
        copies = (c.turns for c in self.counted.values() if c.turns is not None)
        return (*copies, *self.at_end.values())

    @cached_property
    def keepers(self) -> dict[int, tuple[int, int]]:
        """id of a kernel that keeps calls where it ends -> the first word of its sampling, and the
        number of that."""
        return {k: (at, self.groups_of_turns.index(at)) for k, at in self.at_end.items()}

    def regions(self, function: Function, loops: Mapping[str, Loop]) -> RegisterRegions:
        """Where counters of a function may be in registers; `loops` are its loops by header."""
        precise = self.plan.precise
        return RegisterRegions(self.abnormal, self.forwarding, function, loops, precise=precise)

    def at_hand(
        self, kernel: LoopCounter, regions: RegisterRegions
    ) -> dict[int, tuple[tuple[int, int], ...]]:
        """Loops of a kernel whose iterations in one call of it are at hand where it ends.

        Counts of edges in the kernel that follow from each other in every run do so in each call of
        it: what leads to the kernel and away from it closes each way through it to a cycle.

        Returns:
            For each such loop words and factors: the iterations are the sum of these words' local
            variables, which count since the kernel was entered, times the factors.
        """
        counted, found = self.counted[kernel.function], dict[int, tuple[tuple[int, int], ...]]()

        def is_local(count: EdgeCount) -> bool:
            region = regions.region(count.loop)
            return region is not None and region.header == kernel.header and count.own is None

        for k in self.tables[kernel.id].loops:
            index = counted.iterations[k]
            parts = counted.derivation.derived[index]
            used = [counted.counts[m] for m in parts]
            if used and all(map(is_local, (counted.counts[index], *used))):
                if all(f.denominator == 1 for f in parts.values()):
                    found[k] = tuple((counted.words[m], int(f)) for m, f in parts.items())
        return found

    def _is_kept_at_end(self, kernel: LoopCounter) -> bool:
        """Is a kernel's call known where it ends, without anything more in its loops? Then its
        function needs no copy that records calls, and can be inlined. One that calls itself is not
        inlined in any case, and a call at its end would cost its shortest calls a frame."""
        if self.plan.timed or not self._is_sampled(kernel):
            return False
        if self.abnormal.is_recursive(kernel.function):
            return False
        table, function = self.tables[kernel.id], self.module.functions[kernel.function]
        regions = self.regions(function, loop_forest(function, self.module).by_header())
        at_hand = self.at_hand(kernel, regions)
        return (
            bool(at_hand)
            and len(at_hand) == len(table.loops)
            and not any(v.inside for v in table.values)
        )

    def _with_turns(self, name: str, counted: FunctionCounts) -> FunctionCounts:
        """With words for the sampling of a function that gets a copy."""
        own = self.groups[name]
        keeps = any(self._is_sampled(c) and c.id not in self.at_end for c in own)
        if not keeps and not any(c.id in self.times for c in own):
            return counted
        return replace(counted, turns=self._take(TURN_WORDS + keeps * KEEPING_WORDS), keeps=keeps)

    @cached_property
    def called_once(self) -> frozenset[str]:
        """The functions that a copy of their caller would keep from being inlined."""
        copied = [name for name, c in self.counted.items() if c.turns is not None]
        return called_once(self.module, copied)

    def _tables(self) -> dict[int, CallTable]:
        """The kernels' tables; in functions that cannot have a copy all calls are kept."""
        module, plan = self.module, self.plan
        functions = {c.id: module.functions[c.function] for c in plan.counters}
        return {
            k: replace(table, sampled=plan.sampled and _is_copyable(module, functions[k]))
            for k, table in call_tables(module, plan).items()
        }

    def _is_sampled(self, counter: LoopCounter) -> bool:
        return counter.id in self.tables and self.tables[counter.id].sampled

    def _is_timed(self, counter: LoopCounter) -> bool:
        return (
            self.plan.timed
            and counter.nesting == 1
            and _is_copyable(self.module, self.module.functions[counter.function])
        )

    def _take(self, words: int) -> int:
        """The first of so many new words."""
        self.words += words
        return self.words - words

    def _choose(self, name: str) -> FunctionCounts:
        """Choose what a function measures, and give it words."""
        function = self.module.functions[name]
        forest = loop_forest(function, self.module)
        loops, reachable = forest.by_header(), forest.dominator
        counts, costs, headers = [CALLS], [0], [""]
        wanted: dict[tuple[int, str], int] = {}
        for c in self.groups[name]:
            loop = loops[c.header]
            kinds = [("iterations", self._iterations(function, forest, loop))] if c.counted else []
            if self.plan.entries or self._is_sampled(c):  # how many calls are not kept
                kinds.append(("entries", entries(function, loop, reachable)))
            for kind, count in kinds:
                wanted[c.id, kind] = len(counts)
                counts.append(count)
                headers.append(c.header)
                depth = loops[count.loop].depth if count.loop else 0
                costs.append(_LEVEL_COST * depth + (kind == "entries"))
        if self.plan.precise:  # nothing is derived: every count is right at every moment
            alone = tuple({k: Fraction(1)} for k in range(len(counts)))
            derivation = Derivation(tuple(range(1, len(counts))), alone)
        else:
            derivation = self._derived(function, forest, counts, costs)
            headers += [forest.innermost[c.own.block] for c in counts if c.own is not None]
        used = {m for index in wanted.values() for m in derivation.derived[index]}
        words = {
            k: self._take(1) for k in derivation.measured if k in used or counts[k].own is None
        }
        own = {k: index for (k, kind), index in wanted.items() if kind == "iterations"}
        result = FunctionCounts(derivation, tuple(counts), tuple(headers), words, own)
        self._sums |= {key: result.total(index) for key, index in wanted.items()}
        return result

    def _derived(
        self, function: Function, forest: LoopForest, counts: list[EdgeCount], costs: list[int]
    ) -> Derivation:
        """Which counts a function measures. Instead of counters that change within loops it takes
        variables of the program that count the same, and appends them to the counts."""
        loops, reachable = forest.by_header(), forest.dominator
        cycles = CycleSpace(function, self.abnormal, reachable)
        found = choose_counters(cycles, counts, costs, unwanted=(0,))
        cheap = tuple(
            k for k in found.measured if not self._changes_inside(function, loops, counts[k])
        )
        if not set(found.measured) - set(cheap):
            return found
        own = list(self._own.find(function, forest))
        if not own:
            return found
        for o in own:
            counts.append(runs(function, o, forest.innermost[o.block], reachable))
            costs.append(-1)
        return choose_counters(cycles, counts, costs, free=cheap, unwanted=(0,))

    def _changes_inside(
        self, function: Function, loops: Mapping[str, Loop], count: EdgeCount
    ) -> bool:
        """Would a counter change within a loop, where no induction variable has it?"""
        if count.loop is None:
            return False
        return not count.iterates or self.induction_variable(function, loops[count.loop]) is None

    def induction_variable(self, function: Function, loop: Loop) -> InductionVariable | None:
        """What counts a loop's iterations by itself."""
        return find_induction_variable(function, loop, self._sizes)

    def _iterations(self, function: Function, forest: LoopForest, loop: Loop) -> EdgeCount:
        """The iterations of a loop; where they are always as many, by its entries."""
        reachable = forest.dominator
        if not self.plan.precise and self._own.is_region(function, forest.by_header(), loop):
            fixed = fixed_count(function, loop)
            if fixed is not None:
                return replace(entries(function, loop, reachable), times=fixed)
        return iterations(function, loop, reachable)

    def layout(self) -> Layout:
        """What the words mean."""
        return Layout(self.words, tuple(self._loop_layout(c) for c in self.plan.counters))

    def _loop_layout(self, c: LoopCounter) -> LoopLayout:
        time, table = self.times.get(c.id), self.tables.get(c.id)
        turns = self.counted[c.function].turns if time is not None else None
        covered = COVERED if self.counted[c.function].keeps else GRANTED
        return LoopLayout(
            c.function,
            c.header,
            c.at,
            c.nesting,
            c.kernel,
            self._sums.get((c.id, "iterations")),
            self._sums.get((c.id, "entries")),
            time,
            turns,
            None
            if table is None
            else CallLayout(table.number, table.loops, table.names, table.sampled),
            None if turns is None else turns + covered,
        )


def _is_copyable(module: Module, function: Function) -> bool:
    """Can a copy of the function take over a call of it? It takes over by a tail call with the same
    arguments, and has blocks of its own."""
    if "musttail" in module.text:
        body = "\n".join(module.text.split("\n")[function.line : function.end])
        if "musttail" in body:
            return False
    return not (
        "..." in function.header
        or "presplitcoroutine" in function.header
        or "swifterror" in function.header
        or " naked " in function.header
        or f"blockaddress({reference(function.name, '@')}," in module.text
    )
