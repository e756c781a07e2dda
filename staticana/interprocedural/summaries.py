"""Counts per call of each function, composed over the call graph from callees to callers.

A function's count is the sum over its own blocks, plus at each call the callee's count with the
arguments put in, summed over the executions of the call (slides 004, "Program analysis").
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce

from looplaw_common.digraph import postorder

from ..alias.call_graph import Site
from ..expr import ZERO, TooComplex, has_loaded, symbols
from ..expr.budget import Budget, OutOfTime, OverBudget
from ..ir.loop_info import NEST_LOOP, Loop
from ..scev.bounded_count import NOTHING, ONCE, BoundedCount, exactly, unknown, weighted_sum
from ..scev.context import FunctionContext
from ..scev.unknowns import UnknownInfo
from .activations import plain_name
from .call_substitution import carried, is_steady
from .loop_nesting import Key
from .operations import OPERATIONS, argument_operations, instruction_mix
from .pointer_calls import Entry, PointerCalls
from .program import Program
from .recursion import Ring, ring, solve
from .self_calls import Recursion

_MAX_FACTORS = 5  # means and fractions in one product
_MAX_OPAQUE = 8  # terms of one count that only a run can tell: nobody reads more


@dataclass
class Summary:
    """Counts per call of one function: iterations of loops by (function, header), operations by
    kind, work."""

    loops: dict[tuple[str, str], BoundedCount]
    operations: dict[str, BoundedCount]
    work: BoundedCount


def _members(found: Ring) -> tuple[str, ...]:
    return (found.head, *found.others)


class Summaries:
    """Counts per call of the functions of a program. `apart`: functions whose calls count nothing,
    as they are counted by themselves. `base`: counts of the program's base."""

    def __init__(
        self, program: Program, apart: frozenset[str] = frozenset(), base: Summaries | None = None
    ) -> None:
        self.program = program
        self.base = base
        self.apart = apart
        self.unsolved: dict[str, str] = {}  # function that calls itself -> why there is no formula
        self._pointer_calls = PointerCalls(program)
        self._summaries: dict[str, Summary] = {}
        self._runs_loops: dict[str, bool] = {}  # does a call run loops of the source?
        # (function, what is counted) of which one number stands for each call of the function
        self._late_counts: set[tuple[str, ...]] = set()
        self._untold: set[str] = set()  # functions above one without a law
        self._apart_from: dict[int, int] = {}  # other summaries -> circles that differ from theirs
        self.is_closed = False  # are no further ones found?
        # (function, those below it that count nothing) -> its counts, where it is of the base
        self._of_base_apart: dict[tuple[str, frozenset[str]], tuple[Summary, bool]] = {}

    def apart_from(self, names: Iterable[str]) -> Summaries:
        """Counts without what runs in these functions, and theirs for one activation."""
        apart = frozenset(names)
        found = Summaries(self.program, apart)
        found._of_base_apart = (self.base or self)._of_base_apart
        for f, summary in self._summaries.items():
            if (
                f in self._totalled
                and f not in apart
                and apart.isdisjoint(self.program.calls.below(f))
            ):
                found._summaries[f] = summary
                found._runs_loops[f] = self._runs_loops[f]
        return found

    def summary(self, name: str) -> Summary:
        """Counts per call of a function, callees included; calls that close a recursion are left
        out.

        Counts that nobody may read are left out, too: the operations and the work of a function
        that calls one without a law, and the loops of callees whose total is not told.

        Raises:
            OutOfTime: they are not known yet, and nothing is counted any more.
        """
        if name not in self._summaries:
            if self.is_closed:
                raise OutOfTime
            passed: set[str] = set()
            for f in postorder(self.program.calls.graph, name):
                self.program.allowance.go_on()
                passed.add(f)
                found = self._rings.get(f)
                other = None if f in self._summaries else self._known_by(f)
                if other is not None:
                    self._take_over(f, other)
                    continue
                if f in self._summaries or (found and not passed.issuperset(_members(found))):
                    continue  # what a ring calls is known when all of it was passed
                if found is None and self._is_known_apart(f):
                    continue
                if found:
                    try:
                        self._summarise_ring(found)
                    except OutOfTime:  # what is known of some of them is not all that they do
                        for g in _members(found):
                            self._summaries.pop(g, None)
                        raise
                else:
                    self._summaries[f] = self._summarise(f)
                    self._remember_apart(f)
                for g in _members(found) if found else (f,):
                    if g in self.unsolved or self._is_untold(g):
                        self._untold.add(g)
                self.program.allowance.progress(len(self._summaries), len(self.program.defined))
        return self._summaries[name]

    def _known_by(self, name: str) -> Summaries | None:
        """Whose summary of a function this one's is: of the base, or of a run before, where the
        function and all that it calls are analysed as there, those that call each other are entered
        from the same ones, and the same may have a count in a whole run."""
        program, contexts = self.program, self.program.contexts
        if self.base is None or contexts is None:
            return None
        lender = contexts.lender(name)
        other = self.base if lender is None else lender.summaries
        if lender is None and program.home(name) is program:
            return None
        if lender is not None and name not in other._summaries:
            return None
        if id(other) not in self._apart_from:
            self._apart_from[id(other)] = self._circles_apart_from(other)
        below = program.calls.circles_below(name)
        return None if below & self._apart_from[id(other)] else other

    def _circles_apart_from(self, base: Summaries) -> int:
        """The circles of functions whose summaries are not those of others, as bits."""
        calls = self.program.calls
        reached = calls.below_any((self.program.entry,))
        other = (self._totalled ^ base._totalled) | (self._lawless ^ base._lawless)
        rings = {f for f in calls.recursive & reached if self._rings.get(f) != base._rings.get(f)}
        return calls.circles_with((other & reached) | rings)

    def _apart_below(self, name: str) -> tuple[str, frozenset[str]] | None:
        """What counts of a function rest on that leave out others, where it and all that it calls
        are those of the base."""
        if not self.apart or self.program.home(name) is self.program:
            return None
        if name in self.program.calls.recursive:
            return None
        return name, self.apart & self.program.calls.below(name)

    def _is_known_apart(self, name: str) -> bool:
        """Is it known what a function counts without what others do?"""
        key = self._apart_below(name)
        if key is None or key not in self._of_base_apart:
            return False
        self._summaries[name], self._runs_loops[name] = self._of_base_apart[key]
        self._untold.add(name)
        return True

    def _remember_apart(self, name: str) -> None:
        key = self._apart_below(name)
        if key is not None:
            self._of_base_apart[key] = self._summaries[name], self._runs_loops[name]

    def _take_over(self, name: str, other: Summaries) -> None:
        self._summaries[name] = other.summary(name)
        self._runs_loops[name] = other._runs_loops[name]
        if name in other.unsolved:
            self.unsolved[name] = other.unsolved[name]
        if name in other._untold:
            self._untold.add(name)

    @property
    def is_late(self) -> bool:
        """Did something take too long?"""
        return bool(self._late_counts) or self.program.allowance.is_used_up

    def close(self) -> None:
        """Find no further ones: what is known is written down."""
        self.is_closed = True

    def _summarise(self, name: str) -> Summary:
        """Counts of one activation; those of a recursive function are summed over all of them."""
        circle = self.program.calls.circle(name)
        summary = self._activation(name, circle)
        if name not in self.program.calls.recursive or name in self.apart:
            return summary
        view = self.program.view(name)
        again = [
            (site,)
            for site in self.program.calls.sites_in.get(name, ())
            if site.callee == name and site.block in view.reachable
        ]
        return self._over_self_calls(name, summary, again)

    def _summarise_ring(self, found: Ring) -> None:
        """Counts of functions that call each other through one of them: those of the others up to
        their calls of it make its activation; and its calls make theirs."""
        head = frozenset((found.head,))
        for f in found.others:
            self._summaries[f] = self._activation(f, head)
        one = self._activation(found.head, head)
        paths = [p for p in found.paths if self._may_run(p)]
        total = self._over_self_calls(found.head, one, paths)
        if found.head in self.unsolved:
            for f in _members(found):
                self.unsolved[f] = f"{f} calls itself through other functions"
                self._summaries[f] = self._activation(f, self.program.calls.circle(f))
            return
        self._summaries[found.head] = total
        for f in found.others:
            self._summaries[f] = self._activation(f, frozenset(), "whole")

    def _may_run(self, path: Sequence[Site]) -> bool:
        return all(s.block in self.program.view(s.caller).reachable for s in path)

    @cached_property
    def _rings(self) -> Mapping[str, Ring]:
        """The rings of functions for which a law is sought, by their members."""
        calls, found = self.program.calls, dict[str, Ring]()
        for f in sorted(calls.recursive):
            if f not in found and (of := ring(calls, f)) and self.apart.isdisjoint(_members(of)):
                found.update(dict.fromkeys(_members(of), of))
        return found

    def _activation(self, name: str, left_out: frozenset[str], *mark: str) -> Summary:
        """Counts of one activation, without the calls of some functions. `mark` tells what only a
        run can tell of it from the same of another activation."""
        view = self.program.view(name)
        sites = self._composed(view, left_out)
        is_told = not self._is_untold(name)
        own = self._of_own_blocks(view, with_operations=is_told)
        loops, operations, work = own.loops, own.operations, own.work
        for site in sites:
            self.program.allowance.go_on()
            callee = self._summaries[site.callee]
            inner = self._totalled_loops(callee) if name in self._totalled else ()
            add = self._adder(view, site)
            for key, each in inner:
                loops[key] = add(loops.get(key, NOTHING), each, "loop", *key, *mark)
            if is_told:
                for kind, each in callee.operations.items():
                    if each is NOTHING:
                        continue
                    operations[kind] = add(operations[kind], each, kind, *mark)
                work = add(work, callee.work, "work", *mark)
        return Summary(
            {key: self._in_few_terms(view, q, "loop", *key, *mark) for key, q in loops.items()},
            {kind: self._in_few_terms(view, q, kind, *mark) for kind, q in operations.items()},
            self._in_few_terms(view, work, "work", *mark),
        )

    def _in_few_terms(self, view: FunctionContext, q: BoundedCount, *counted: str) -> BoundedCount:
        """A count of one activation; one mean for what would be a sum of many that only a run can
        tell, each for a way to the same place."""
        formula, unknowns = q.formula, self.program.unknowns
        if formula is None or unknowns.linear_terms(formula) <= _MAX_OPAQUE:
            return q
        name = view.function.name
        called = self.program.module.metadata_field(view.function.dbg, "name") or name
        what, base, at = counted[0], counted[0], view.place(view.function.entry.terminator)
        if what == "loop":
            at = self.program.view(counted[1]).loops[counted[2]].at
            what, base = f"iterations of the loop at {at}", f"iterations_{at.split(':')[-2]}"
        mean = unknowns.add(
            UnknownInfo(
                symbols.unknown(name, "few", *counted, *sorted(self.apart)),
                "mean",
                f"{base}_per_{plain_name(called)}",
                f"mean {what} for each call of {called}",
                at,
                name,
                view.function.entry.name,
            )
        )
        if q.upper is None and not q.lower.terms:
            return BoundedCount(mean, notes=q.notes, reason=q.reason)
        return replace(q, formula=mean)

    def _totalled_loops(self, callee: Summary) -> list[tuple[Key, BoundedCount]]:
        return [(key, each) for key, each in callee.loops.items() if key[0] in self._totalled]

    def _composed(self, view: FunctionContext, left_out: frozenset[str]) -> list[Site]:
        """The calls of a function that its counts are composed of; one that closes a cycle is the
        recursion's."""
        name = view.function.name
        sites = [
            site
            for site in self.program.calls.sites_in.get(name, ())
            if site.block in view.reachable
            and site.callee in self._summaries
            and site.callee not in left_out
            and site.callee not in self.apart
        ]
        self._runs_loops[name] = any(loop.is_source for loop in view.forest.loops) or any(
            self._runs_loops[site.callee] for site in sites
        )
        return sites

    @cached_property
    def _lawless(self) -> frozenset[str]:
        """Functions that call themselves and for which no law is sought."""
        calls = self.program.calls
        return frozenset(
            f
            for f in calls.recursive
            if f in calls.pointed or (len(calls.circle(f)) > 1 and f not in self._rings)
        )

    @cached_property
    def _totalled(self) -> frozenset[str]:
        """Functions whose loops may have a count in a whole run: not those that may be called
        through a pointer that is not followed, or by a function without a law, nor what these
        call."""
        calls = self.program.calls
        if self.apart:
            return calls.reachable
        if (
            self.base is not None or not self.program.entry
        ):  # what calls one without a law, others tell
            pointed = calls.below_any(calls.pointed)
            return calls.reachable - pointed - self._lawless
        roots = (calls.pointed - {self.program.entry}) | (self._lawless & calls.reachable)
        return calls.reachable - roots - calls.below_any(roots)

    def _is_untold(self, name: str) -> bool:
        """Is a function without a law, or does it call one?"""
        if self.apart:
            return True  # only loops are asked for
        callees = self.program.calls.graph.successors(name)
        return name in self._lawless or not self._untold.isdisjoint(callees)

    def _of_own_blocks(self, view: FunctionContext, *, with_operations: bool) -> Summary:
        """Counts of a function without what it calls."""
        name = view.function.name
        loops: dict[tuple[str, str], BoundedCount] = {}
        work = NOTHING
        for loop in view.forest.loops:
            loops[name, loop.header] = count = self.of_loop(view, loop)
            if self._is_innermost(view, loop):
                work = work.plus(count)
        if not with_operations:
            return Summary(loops, dict.fromkeys(OPERATIONS, NOTHING), work)
        try:
            with Budget(self.program.seconds):
                operations = self._own_operations(view)
        except TooComplex:
            operations = dict.fromkeys(OPERATIONS, unknown("the formula would be too long"))
        except OverBudget:
            operations = dict.fromkeys(OPERATIONS, unknown(self.program.late()))
        return Summary(loops, operations, work)

    def of_loop(self, view: FunctionContext, loop: Loop) -> BoundedCount:
        """Iterations of a loop per call of its function; one number for all of them where finding a
        formula takes too long."""
        try:
            with Budget(self.program.seconds):
                return view.executions.iterations_per_call(loop.header)
        except TooComplex:
            return unknown("the formula would be too long")
        except OverBudget:
            words = f"iterations of the loop at {loop.at} for each call of its function"
            return self._late(view, words, loop.at, loop.header)

    def _late_in(self, view: FunctionContext, site: Site, counted: tuple[str, ...]) -> BoundedCount:
        """A count of one call of a function, its own and what it calls, where finding a formula
        takes too long."""
        self._late_counts.add((view.function.name, *counted))
        name = self.program.module.metadata_field(view.function.dbg, "name") or view.function.name
        words = f"{counted[0]} for each call of {name}"
        if counted[0] == "loop":
            place = self.program.view(counted[1]).loops[counted[2]].at
            words = f"iterations of the loop at {place} for each call of {name}"
        return self._late(view, words, view.place(site.instruction), *counted)

    def _late(self, view: FunctionContext, words: str, at: str, *key: object) -> BoundedCount:
        """One number for all calls of a function, instead of a formula that takes too long."""
        symbol = self.program.unknowns.add(
            UnknownInfo(
                symbols.unknown(view.function.name, "budget", *key),
                "mean",
                "t",
                f"mean {words}",
                at,
                view.function.name,
                view.function.entry.name,
            )
        )
        return BoundedCount(symbol, reason=self.program.late())

    def _is_innermost(self, view: FunctionContext, loop: Loop) -> bool:
        """Does no loop of the source run inside it, in the function or in what it calls?"""
        if not loop.is_source or loop.header.startswith(NEST_LOOP):
            return False
        calls_loops = any(
            s.block in loop.blocks and self._runs_loops.get(s.callee, False)
            for s in self.program.calls.sites_in.get(view.function.name, ())
        )
        return not calls_loops and not any(
            other.is_source and other.blocks < loop.blocks for other in view.forest.loops
        )

    def _adder(self, view: FunctionContext, site: Site) -> Callable[..., BoundedCount]:
        """Adds a callee's count, summed over the executions of one call, to a total."""
        carry = carried(self.program, view, site)

        def add(total: BoundedCount, each: BoundedCount, *counted: str) -> BoundedCount:
            if (view.function.name, *counted) in self._late_counts:
                return total  # which stands for what all calls add
            if each.formula == ZERO and not each.preconditions:  # what that rests on stays
                new = each.notes - total.notes
                return replace(total, notes=total.notes | new) if new else total
            try:
                with Budget(self.program.seconds):
                    return total.plus(self._at_site(view, site, each, carry, counted))
            except TooComplex:
                return unknown("the formula would be too long")
            except OverBudget:
                return self._late_in(view, site, counted)

        return add

    def _over_self_calls(
        self, name: str, one: Summary, again: Sequence[tuple[Site, ...]]
    ) -> Summary:
        """Counts of one activation of a function that calls itself, over these paths -> of one call
        from outside."""
        found: Recursion | str = f"{name} calls itself through other functions"
        if name not in self._lawless and all(s.certain for path in again for s in path):
            try:
                with Budget(self.program.seconds):
                    found = solve(self.program, name, again)
            except TooComplex:
                found = f"{name} calls itself, the formula would be too long"
            except OverBudget:
                found = f"{name} calls itself, and {self.program.late()}"
        if isinstance(found, str):
            self.unsolved[name] = found
            return one
        of_any, operations = found.of_any, found.operations or found.total

        def over_all(
            q: BoundedCount, total: Callable[[BoundedCount], BoundedCount] = found.total
        ) -> BoundedCount:
            q = q if of_any is None else of_any(q)
            if not all(
                is_steady(self.program, again, e)
                for e in (q.formula, q.lower, q.upper, *q.preconditions)
                if e is not None
            ):
                return unknown(
                    f"{name} calls itself, and what its counts find in memory may change in"
                    " between",
                    q.lower,
                )
            return self.program.within(lambda: total(q))

        return Summary(
            {k: over_all(q) for k, q in one.loops.items()},
            {k: over_all(q, operations) for k, q in one.operations.items()},
            over_all(one.work),
        )

    def _at_site(
        self,
        view: FunctionContext,
        site: Site,
        each: BoundedCount,
        carry: Callable[[BoundedCount], BoundedCount],
        counted: tuple[str, ...],
    ) -> BoundedCount:
        """A callee's count, summed over the executions of one call."""
        if not site.certain or (each.formula is not None and has_loaded(each.formula)):
            entries = self._pointer_calls.entries(view, site)
            if entries is not None:
                return self._over_entries(view, site, entries, each, carry, counted)
        found = self._at_certain(view, site, each, carry, counted)
        if site.certain:
            return found
        share = self._pointer_calls.share(view, site)
        return found.times(BoundedCount(share, ZERO, ONCE.formula))

    def _over_entries(
        self,
        view: FunctionContext,
        site: Site,
        entries: Sequence[Entry],
        each: BoundedCount,
        carry: Callable[[BoundedCount], BoundedCount],
        counted: tuple[str, ...],
    ) -> BoundedCount:
        """The same over the ways in which a call goes to the function, with what it is handed."""
        is_told = each.formula is not None and has_loaded(each.formula)
        if not is_told or not all(e.passed for e in entries):
            entries = [Entry(sum((e.taken for e in entries), ZERO), {})]
        parts = (self._at_entry(view, site, entry, each, carry, counted) for entry in entries)
        return reduce(BoundedCount.plus, parts, NOTHING)

    def _at_entry(
        self,
        view: FunctionContext,
        site: Site,
        entry: Entry,
        each: BoundedCount,
        carry: Callable[[BoundedCount], BoundedCount],
        counted: tuple[str, ...],
    ) -> BoundedCount:
        taken = exactly(entry.taken)
        if entry.passed:
            carry = carried(self.program, view, site, entry.passed)
            counted = (*counted, str(entry.taken))
        return self._at_certain(
            view, site, each.times(taken), lambda _: carry(each).times(taken), counted
        )

    def _at_certain(
        self,
        view: FunctionContext,
        site: Site,
        each: BoundedCount,
        carry: Callable[[BoundedCount], BoundedCount],
        counted: tuple[str, ...],
    ) -> BoundedCount:
        """A callee's count, summed over the executions of one call that goes to no other."""
        if each.formula is not None and not each.formula.symbols and not each.preconditions:
            if each.formula == ZERO:
                return each
            return view.executions.of(site.block).times(each)
        try:
            inner = carry(each)
            if inner.formula is None and each.formula is not None and inner.reason != each.reason:
                # what it finds in memory may be different at each call
                mean = self._mean_at(view, site, replace(inner, reason=None), counted)
                return view.executions.of(site.block).times(mean)
            executions = view.executions.of(site.block)
            if (
                inner.formula is not None
                and executions.formula is not None
                and self.program.unknowns.linear_factors(inner.formula)
                + self.program.unknowns.linear_factors(executions.formula)
                > _MAX_FACTORS
            ):
                return executions.times(self._mean_at(view, site, inner, counted))
            if not self._changes_around(view, site.block, inner):
                return executions.times(inner)
            return view.executions.total(
                site.block,
                inner,
                self._words(site, counted),
                key=f"{view.function.offset_of(site.instruction)}.{site.callee}.{'.'.join(counted)}",
            )
        except TooComplex:
            return unknown("the formula would be too long")

    def _changes_around(self, view: FunctionContext, block: str, count: BoundedCount) -> bool:
        """May one of a count's symbols (means and fractions aside) differ between executions of a
        block in one call?"""
        header = view.forest.innermost.get(block)
        if header is None:
            return False
        names = set[str]().union(
            *(e.symbols for e in (count.formula, count.lower, count.upper) if e is not None),
            *(n.symbols for n in count.preconditions),
        )
        while header is not None:
            for s in names:
                info = self.program.unknowns.get(s)
                if symbols.is_iteration(s) or (
                    info is not None
                    and info.kind in ("value", "variable")
                    and view.varies(s, header)
                ):
                    return True
            header = view.loops[header].parent
        return False

    def _mean_at(
        self, view: FunctionContext, site: Site, inner: BoundedCount, counted: tuple[str, ...]
    ) -> BoundedCount:
        """One mean for what would be a product of many: nobody reads f1*t2*f3*t4*f5*n."""
        place = view.place(site.instruction)
        symbol = self.program.unknowns.add(
            UnknownInfo(
                symbols.unknown(
                    site.caller,
                    "mean",
                    view.function.offset_of(site.instruction),
                    site.callee,
                    *counted,
                ),
                "mean",
                "u",
                f"mean {self._words(site, counted)} for each call at {place}",
                place,
                site.caller,
                site.block,
            )
        )
        upper = (
            inner.upper
            if inner.upper is not None and not any(map(symbols.is_internal, inner.upper.symbols))
            else None
        )
        return BoundedCount(
            symbol,
            ZERO,
            upper,
            inner.preconditions,
            inner.notes,
            inner.reason or "it rests on values in memory and decisions by data",
        )

    def _words(self, site: Site, counted: tuple[str, ...]) -> str:
        """What is counted at a call, for the reader."""
        name = (
            self.program.module.metadata_field(self.program.defined[site.callee].dbg, "name")
            or site.callee
        )
        if counted[0] == "loop":
            loop = self.program.view(counted[1]).loops[counted[2]]
            return f"iterations of the loop at {loop.at} in {name}"
        return f"{counted[0]} in {name}"

    def _own_operations(self, view: FunctionContext) -> dict[str, BoundedCount]:
        """Each block's mix times its count."""
        groups: dict[BoundedCount, dict[str, int]] = {}
        found: dict[str, list[tuple[BoundedCount, int]]] = {kind: [] for kind in OPERATIONS}
        for block in view.function.blocks.values():
            if block.name not in view.reachable or block.name in view.paths.dead:
                continue
            mix = instruction_mix(block, self.program.layout)
            if mix:
                total = groups.setdefault(view.executions.of(block.name), {})
                for kind, number in mix.items():
                    total[kind] = total.get(kind, 0) + number
            for kind, each in argument_operations(view, block).items():
                total_of_kind = view.executions.total(
                    block.name,
                    each,
                    f"{kind} at {view.place(block.instructions[0])}",
                    key=f"{kind}.{block.name}",
                )
                found[kind].append((total_of_kind, 1))
        for count, mix in groups.items():
            for kind, number in mix.items():
                found[kind].append((count, number))
        return {kind: weighted_sum(parts) for kind, parts in found.items()}
