"""The laws of a kernel's launches, from the counts of one thread."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property

from ..closed_forms.telescoping import telescoped
from ..count import Count, Unknown
from ..expr import ONE, ZERO, Atom, Expr, Loaded, Sum, TooComplex, expr, from_atom, sym, symbols
from ..expr.budget import Budget, OutOfTime, OverBudget
from ..interprocedural.inputs.thread_numbers import ONE_THREAD
from ..interprocedural.loop_nesting import Key
from ..naming import Naming
from ..program_laws import ProgramLaws
from ..results import KernelResult, LaunchCounts
from ..scev.bounded_count import BoundedCount, unknown
from ..scev.executions.guards import taken
from ..scev.unknowns import UnknownInfo
from .geometry import Launch
from .kernels import Kernel, space_of, variable_of
from .moved import blocks_by_shared_memory, bytes_moved

_BY_DATA = "threads differ in what data tell: {}"
_NO_MAXIMUM = "the largest number of one thread was not found"
_COPIES = "the loop was copied into several places of the kernel"
_SHARED = "what other threads leave in shared memory"
_ONE_THREAD = "what one thread does"
_NAMES = {"work": "mean_thread", "depth": "longest_thread", "warps": "longest_lanes"}
_OF_ALL = {
    "work": ", mean over threads",
    "depth": ", of the thread that does most",
    "warps": ", of the lane of a warp that does most, mean over warps",
}
"""Of what data decide of threads: which value of a launch it is."""
_MEMORY = "what memory holds at places that differ"
_RISING = "offsets read by the threads of {} do not decrease"
_DYNAMIC = Unknown("dynamic_shared_bytes", "shared memory that the launch asks for, in bytes", "")


@dataclass(frozen=True)
class KernelLaws:
    """The laws of a kernel and of all loops that its threads run, by (function, header)."""

    kernel: KernelResult
    loops: Mapping[Key, LaunchCounts]
    totals: LaunchTotals


@dataclass(frozen=True)
class LaunchTotals:
    """What one launch does, over symbols of the kernel's analysis, for those who launch it.

    arguments: symbol -> number of the kernel's argument. sizes: symbol -> "grid.x" and the like.
    """

    work: BoundedCount
    warps: BoundedCount
    arguments: Mapping[str, int]
    sizes: Mapping[str, str]


def kernel_laws(laws: ProgramLaws, kernel: Kernel) -> KernelLaws:
    """The laws of a kernel, of a program whose entry it is."""
    from .accesses import AccessFinder

    threads = LaunchLaws(laws, kernel)
    loops = {
        key: threads.counts(taken(laws.program, count))
        for key, count in (laws.totals or {}).items()
    }
    work = laws.summaries.summary(kernel.symbol).work
    finder = AccessFinder(threads)
    accesses, divergent = finder.accesses(), finder.divergent()
    if not loops:
        work = finder.last_executions() or BoundedCount(ONE, ONE, ONE)
    counts = threads.counts(taken(laws.program, work))
    kinds = laws.summaries.summary(kernel.symbol).operations
    works = {
        count: threads.work(taken(laws.program, count)) for count in dict.fromkeys(kinds.values())
    }
    operations = {kind: works[count] for kind, count in kinds.items()}
    found = KernelResult(
        kernel.dimensions,
        kernel.lanes,
        counts,
        _efficiency(counts),
        _shared_bytes(kernel),
        None,
        accesses,
        divergent if _efficiency(counts) != "1" else (),
        operations,
        *bytes_moved(accesses, kernel.lanes),
        blocks_by_shared_memory(kernel),
    )
    return KernelLaws(found, loops, threads.totals(taken(laws.program, work)))


def _efficiency(counts: LaunchCounts) -> str | None:
    work, warps = counts.work.formula, counts.warps.formula
    if work is None or warps is None or not warps:
        return None
    return "1" if work == warps else f"({work})/({warps})"


def _shared_bytes(kernel: Kernel) -> Count:
    fixed = expr(kernel.shared_bytes)
    if not kernel.dynamic:
        return Count("exact", fixed, fixed, fixed)
    total = fixed + sym(_DYNAMIC.symbol)
    return Count("parametric", total, fixed, None, (_DYNAMIC,), reason="the launch says how much")


def by_place(loops: Sequence[tuple[str, LaunchCounts]]) -> dict[str, LaunchCounts]:
    """The laws of a kernel's loops by place. Of copies of a loop the work adds up; what a thread or
    a warp does in all of them is at most the sum of the most that it does in each."""
    found: dict[str, list[LaunchCounts]] = {}
    for at, counts in loops:
        found.setdefault(at, []).append(counts)

    def together(copies: list[LaunchCounts]) -> LaunchCounts:
        if len(copies) == 1:
            return copies[0]
        most = [Count.sum([getattr(c, what) for c in copies]) for what in ("depth", "warps")]
        depth, warps = (
            Count("bounded", None, ZERO, m.upper, (), m.assumptions, _COPIES, m.preconditions)
            if m.upper is not None
            else Count.unknown(_COPIES)
            for m in most
        )
        return LaunchCounts(Count.sum([c.work for c in copies]), depth, warps)

    return {at: together(copies) for at, copies in found.items()}


def _counted(naming: Naming, found: BoundedCount) -> Count:
    """A count over readable names. Bounds of what has a formula are this formula: none without
    sums are sought."""
    formula = found.formula
    if formula is None or not found.lower is found.upper is formula:
        return naming.count(found)
    count = naming.count(replace(found, lower=ZERO, upper=None))
    if count.formula is None:
        return count
    return replace(count, lower=count.formula, upper=count.formula)


@dataclass(frozen=True)
class _Data:
    """What data decide of a count of one thread: times * what `info` stands for; None: all of it.
    why: in words."""

    times: Expr
    info: UnknownInfo | None
    why: str


def _reads(e: Expr, numbers: Collection[str]) -> bool:
    """Does a formula hold what memory has at a place that depends on these?"""
    atoms = e.all_atoms()
    return any(isinstance(a, Loaded) and not a.symbols.isdisjoint(numbers) for a in atoms)


class LaunchLaws:
    """Counts of one thread as counts of all threads."""

    def __init__(self, laws: ProgramLaws, kernel: Kernel) -> None:
        self.laws, self.kernel = laws, kernel
        program = laws.program
        self.launch = Launch.of(program.parameters, kernel.dimensions, kernel.lanes, kernel.sizes)
        self._fixed = {} if kernel.sizes is None else self._sizes(kernel.sizes)
        self._known: dict[BoundedCount, LaunchCounts] = {}

    def _sizes(self, sizes: tuple[int, int, int]) -> dict[str, Expr]:
        parameters = self.laws.program.parameters
        names = (parameters.get(f"thread:block.{axis}") for axis in "xyz")
        return {name: expr(size) for name, size in zip(names, sizes, strict=True) if name}

    @cached_property
    def _single(self) -> dict[str, Expr]:
        """Along axes that the kernel does not use there is one thread."""
        parameters = self.laws.program.parameters
        unused = "xyz"[self.kernel.dimensions :]
        ones = {parameters.get(f"thread:{w}.{a}"): ONE for w in ("block", "grid") for a in unused}
        zeros = {parameters.get(f"thread:{w}.{a}"): ZERO for w in ("tid", "ctaid") for a in unused}
        return {name: value for name, value in (ones | zeros).items() if name is not None}

    def counts(self, count: BoundedCount) -> LaunchCounts:
        """Sum, maximum, and what warps take, of a count of one thread."""
        found = self._known.get(count)
        if found is None:
            found = self._known[count] = self._counts(count)
        return found

    def _counts(self, count: BoundedCount) -> LaunchCounts:
        own = self.of_thread(count)
        return LaunchCounts(
            self._named(lambda: self._work(own)),
            self._named(lambda: self._depth(own)),
            self._named(lambda: self._warps(own)),
        )

    def totals(self, count: BoundedCount) -> LaunchTotals:
        """What a launch does of something, for those who launch it."""
        own, symbol = self.of_thread(count), self.kernel.symbol

        def found(find: Callable[[BoundedCount], BoundedCount]) -> BoundedCount:
            try:
                with Budget(self.laws.program.allowance.each):
                    return find(own)
            except (TooComplex, OverBudget, OutOfTime):
                return unknown("the law of one launch is too long")

        arguments, sizes = dict[str, int](), dict[str, str]()
        for origin, name in self.laws.program.parameters.items():
            kind, _, rest = origin.partition(":")
            if kind == "arg" and rest.startswith(f"{symbol}:"):
                arguments[name] = int(rest.rpartition(":")[2])
            elif kind == "thread":
                sizes[name] = rest
        return LaunchTotals(found(self._work), found(self._warps), arguments, sizes)

    def work(self, count: BoundedCount) -> Count:
        """The sum over all threads."""
        known = self._known.get(count)
        if known is not None:
            return known.work
        return self._named(lambda: self._work(self.of_thread(count)))

    def of_thread(self, count: BoundedCount) -> BoundedCount:
        """The count of a thread of a launch of this kernel: sizes put in."""
        return count.substitute(self.fixed)

    @cached_property
    def fixed(self) -> dict[str, Expr]:
        """Symbols that have one value in all launches of the kernel."""
        return self._fixed | self._single

    @cached_property
    def numbers(self) -> frozenset[str]:
        """The symbols that tell threads and blocks apart."""
        parameters = self.laws.program.parameters.items()
        return frozenset(
            name for origin, name in parameters if origin.startswith(("thread:tid", "thread:ctaid"))
        )

    @staticmethod
    def of_all(count: Count) -> Count:
        """A count that is no longer one of a single thread."""
        return replace(count, assumptions=tuple(a for a in count.assumptions if a != ONE_THREAD))

    def _named(self, find: Callable[[], BoundedCount]) -> Count:
        """A count over readable names; unknown where it takes too long or is too long."""
        program, naming = self.laws.program, self.laws.naming
        found = unknown(program.late())
        with suppress(OutOfTime):
            try:
                with Budget(program.allowance.each):
                    found = find()
            except TooComplex:
                found = unknown("the formula would be too long")
            except OverBudget:
                pass
        try:
            count = _counted(naming, found)
        except OutOfTime:
            count = Count.unknown(program.late())
        return self.of_all(count)

    # -- preconditions of all threads
    def _rests_on(self, count: BoundedCount) -> tuple[frozenset[Expr], frozenset[str]]:
        """What must hold so that it holds for all threads, as formulas and in words."""
        kept: set[Expr] = set()
        words = set(count.notes)
        for needed in count.preconditions:
            lowest = self.launch.lowest_at_ends(needed)
            if lowest is not None:
                kept.add(lowest)
            else:
                words.add(f"for all threads: {self.laws.naming.precondition(needed)}")
        return frozenset(kept), frozenset(words)

    # -- sums
    def _work(self, count: BoundedCount) -> BoundedCount:
        needs, words = self._rests_on(count)
        lower = self._summed(count.lower) or ZERO
        upper = None if count.upper is None else self._summed(count.upper)
        data = self._data(count.formula, sums=True)
        if data is not None and count.formula is not None:
            formula = self._summed(data.times)
            named = None if formula is None else formula * self._named_value(data, "work")
            return BoundedCount(named, lower, upper, needs, words, data.why)
        formula = None if count.formula is None else self.launch.total(count.formula)
        if formula is not None:
            formula, rises = self._telescoped(formula)
            words |= {_RISING.format(self.kernel.symbol)} if rises else frozenset()
            is_told = count.lower is count.formula and count.upper is count.formula
            lower, upper = (formula, formula) if is_told else (lower, upper)
        return BoundedCount(formula, lower, upper, needs, words, count.reason)

    def _telescoped(self, total: Expr) -> tuple[Expr, bool]:
        """A sum over threads of what memory holds at neighbouring places, as the length of rows, by
        its ends; and whether that rests on rising offsets."""
        rises = False

        def change(a: Atom) -> Expr:
            nonlocal rises
            if not isinstance(a, Sum) or not _reads(a.body, {a.index}):
                return from_atom(a)
            found = telescoped(a.body, a.index, a.count, self.launch.known)
            if found is None:
                return from_atom(a)
            rises |= bool(found[1])
            return found[0]

        return total.map_atoms(change), rises

    def _summed(self, bound: Expr) -> Expr | None:
        with suppress(TooComplex):
            return self.launch.total(bound)
        return None

    # -- maxima
    def _depth(self, count: BoundedCount) -> BoundedCount:
        def over_threads(e: Expr) -> tuple[Expr, frozenset[Expr]] | None:
            found = self.launch.highest(e)
            return (found, frozenset()) if found is not None else self.launch.highest_of_warps(e)

        return self._extreme(count, over_threads, "depth")

    def _warps(self, count: BoundedCount) -> BoundedCount:
        return self._extreme(count, self.launch.of_warps, "warps")

    def _extreme(
        self,
        count: BoundedCount,
        find: Callable[[Expr], tuple[Expr, frozenset[Expr]] | None],
        what: str,
    ) -> BoundedCount:
        """A maximum, with what it needs; of the upper bound where the formula has none."""
        needs, words = self._rests_on(count)
        data = self._data(count.formula, sums=False)
        found = None if count.formula is None or data is not None else find(count.formula)
        if found is not None:
            formula, more = found
            return BoundedCount(formula, formula, formula, needs | more, words)
        bound = None if count.upper is None else find(count.upper)
        upper, more = bound if bound is not None else (None, frozenset[Expr]())
        named = None
        if data is not None and (times := find(data.times)) is not None:
            named, more = times[0] * self._named_value(data, what), more | times[1]
        why = data.why if data is not None else count.reason or _NO_MAXIMUM
        return BoundedCount(named, ZERO, upper, needs | more, words, why)

    # -- what data decide
    def _data(self, formula: Expr | None, *, sums: bool) -> _Data | None:
        """What data decide of what one thread does, so that nothing follows for all threads; None:
        nothing.

        A mean over all executions adds up over threads; another value need not be the same for two
        of them, but for what memory holds at a place that is.
        """
        if formula is None:
            return None
        unknowns = self.laws.program.unknowns
        found = [
            info
            for name in sorted(formula.symbols)
            if (info := unknowns.get(name)) is not None and not symbols.is_loaded(name)
            if not (sums and info.kind in ("mean", "fraction"))
        ]
        shared = any(isinstance(a, Loaded) and self._is_shared(a) for a in formula.all_atoms())
        differs = not sums and _reads(formula, self.numbers)
        if not (found or shared or differs):
            return None
        why = _BY_DATA.format(found[0].meaning if found else _SHARED if shared else _MEMORY)
        if len(found) == 1 and not (shared or differs):
            affine = formula.affine_in(found[0].symbol)
            if affine is not None and not affine[1]:
                return _Data(affine[0], found[0], why)
        return _Data(ONE if found or shared else self._not_read(formula), None, why)

    def _not_read(self, formula: Expr) -> Expr:
        """The factors of a product in which nothing is read at places that differ."""
        if len(formula.terms) != 1:
            return ONE
        ((monomial, _),) = formula.terms.items()
        kept = tuple((a, n) for a, n in monomial if not _reads(from_atom(a), self.numbers))
        return Expr({kept: 1})

    def _named_value(self, data: _Data, what: str) -> Expr:
        """The symbol for what data decide of all threads together, over what they do not decide."""
        info, symbol = data.info, self.kernel.symbol
        of = _ONE_THREAD if info is None else info.meaning
        known = UnknownInfo(
            symbols.unknown(symbol, what, str(data.times), "" if info is None else info.symbol),
            "mean",
            _NAMES[what],
            of + _OF_ALL[what],
            "" if info is None else info.at,
            symbol,
            self.laws.program.module.functions[symbol].entry.name,
        )
        return self.laws.program.unknowns.add(
            known if info is None else replace(known, inside=info.inside)
        )

    def _is_shared(self, atom: Loaded) -> bool:
        module = self.laws.program.module
        for name in atom.symbols:
            variable = variable_of(name)
            if variable is not None and "addrspace(3)" in self.head_of(variable):
                return True
            argument = symbols.as_argument(name)
            if argument is not None and argument.function in module.functions:
                if space_of(module.functions[argument.function], argument.at) == "3":
                    return True
        return False

    def head_of(self, variable: str) -> str:
        """How the declaration of a variable begins."""
        return self._heads.get(variable, "")

    @cached_property
    def _heads(self) -> dict[str, str]:
        lines = self.laws.program.module.text.splitlines()
        heads = (line.partition(" = ") for line in lines if line.startswith("@"))
        return {
            head[1:].strip('"'): re.split(r" (?:global|constant) ", rest)[0]
            for head, _, rest in heads
        }
