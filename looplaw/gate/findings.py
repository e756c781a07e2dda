"""What changed between the laws of two versions: growth, and what cannot be decided.

Where the code of both versions is known, only functions whose own code changed are analysed, each
by itself, its laws in its own arguments: where such a function does not grow for any arguments, no
caller of it does. A caller that hands it more has changed itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from time import process_time
from typing import Protocol

from msgspec.structs import replace as replaced

from looplaw_common.errors import LooplawError
from modeling.pmnf.region import EVERYWHERE, Region
from staticana.ir.graph import closure

from .judging import IN_MORE_CASES, Arguments, Change, Kind, is_equal, judged, shown
from .matching import Matched, match_functions
from .nests import compare_nests
from .program import LENGTH, FunctionLaws, Law, ProgramLaws, total_of
from .shapes import Chain, Depth
from .structure import Structure

FORMAT = "looplaw-diff/1"
Stated = Callable[[FunctionLaws], Region]
"""What is stated of the arguments of a function."""
_MOST_SECONDS = 15.0
"""CPU time after which only the shapes of functions are compared."""
_EARLY = 1 / 6
"""The part of that time in which laws of functions are sought that the change does not touch."""


class Code(Protocol):
    """The functions of a version, whose code is known."""

    def alone(self, f: FunctionLaws, far: Collection[str] = ()) -> FunctionLaws | None:
        """A function by itself, its laws in its own arguments; without the bodies of those far
        away."""

    def linked(self, f: FunctionLaws) -> FunctionLaws | None:
        """The same with the bodies that other sources have; None where they have none."""

    def shape(
        self, f: FunctionLaws, inside: Collection[str], names: Mapping[str, str]
    ) -> tuple[Chain, ...] | None:
        """The chains of a function, see `shapes.Shapes`."""

    def decides(self, f: FunctionLaws) -> str | None:
        """The fingerprint of what ends its loops."""

    def depth(self, name: str, enough: int) -> Depth:
        """How many walks stand inside each other in a function; no more are looked for than are
        enough."""

    def joins(self, name: str) -> bool:
        """Is there the body of a function, so that the laws of those that call it count it?"""

    def loops_that_call(self, f: FunctionLaws) -> Mapping[str, str]:
        """Function -> the place of a loop, in which it calls this one."""


_BY_ITSELF, _BY_POINTER = "calls itself", "through a pointer"
"""Reasons of laws that are not known, where more than the loops is not known."""
_FAILED = "the function cannot be analysed"
_NOT_RECORDED = Law(reason="it is not recorded")
_OF_LIBRARY = "library steps"
_IN_ONE = "a loop in one call of a function that calls itself"
_LONG = 200
"""Characters of two laws of a function that nobody reads; the loop that grew is shown instead."""
_NEAR = 1000
"""Instructions of the functions that one calls, whose bodies are looked at, nearest first; farther
ones that both versions have are taken for functions whose bodies are elsewhere."""
_MOST_CALLERS = 4
"""Functions that are looked at because of what those that changed return, where none of these has
grown."""
_MOST_TOLD = 2
"""Callers of a function that are named."""
_ORDER: tuple[Kind, ...] = ("growth", "shrunk", "new", "gone", "undecided")


def changes(
    before: ProgramLaws,
    after: ProgramLaws,
    *,
    factor: float | None = None,
    code: tuple[Code, Code] | None = None,
    total: float | None = None,
    region: Stated = lambda f: EVERYWHERE,
    metrics: Sequence[str] = (),
) -> tuple[Change, ...]:
    """The findings, the entry's first.

    Args:
        factor: report constant factors above it, too.
        code: of both versions; None: the laws are in `before` and `after`, and nothing is known of
            the code.
        total: CPU seconds after which laws are no longer sought and shapes decide; by default 15.
        region: what is stated of the arguments of a function after.
        metrics: operations that must not grow either, such as "flops".
    """
    judge = _Judge(factor, region, tuple(metrics))
    matched = match_functions(before.functions, after.functions)
    if code is None:
        found = [c for old, new in matched.pairs if (c := judge.compared(old, new)) is not None]
        only = [*(_only(f, "new") for f in matched.new), *(_only(f, "gone") for f in matched.gone)]
        return (*found, *only)
    started, seconds = process_time(), total or _MOST_SECONDS
    sides = _Sides(code, matched, started + seconds)
    pairs, found = list[_Pair](), list[Change]()
    for old, new in sorted(_causes(matched), key=lambda pair: pair[0].own == pair[1].own):
        structure = sides.structure(old, new)
        is_covered = structure is not None and structure.is_covered and not judge.counts_more
        if is_covered and not (structure and structure.walks_less and sides.is_small(new)):
            continue
        if structure is not None and not judge.counts_more and sides.is_beyond_laws(structure):
            found += _by_shape(structure, new)
            continue
        pairs.append((*sides.both(old, new, structure), new))
        change = judge.by_themselves(*pairs[-1])
        if is_covered:
            change = change if change is not None and change.kind == "shrunk" else None
        elif not judge.counts_more:
            change = decided(change, structure, new, pairs[-1][1])
            is_open = change is not None and not _is_proved(change, pairs[-1][1])
            if is_open and structure is not None and sides.has_moved(old, new):
                change = None
        found += [change] if change is not None else []
    has_grown = any(c.kind == "growth" for c in found)
    sides = replace(sides, until=started + seconds * _EARLY)
    for old, new in () if has_grown else _with_values_of(matched, sides):
        if sides.is_late:
            break
        change = judge.by_themselves(*sides.both(old, new), new)
        if change is not None and change.kind == "growth":
            found.append(change)
            break  # those that call it tell nothing new
    grown = {c.function for c in found if c.kind == "growth"}
    hidden = [c for c in _hidden_work(pairs, matched.gone, sides) if c.function not in grown]
    found = [*(c for c in found if c.function not in {h.function for h in hidden}), *hidden]
    if any(c.kind in ("growth", "undecided") for c in found):
        found += judge.entry(matched, after.entry, {c.function for c in found}, sides)
    found.sort(key=lambda c: (c.function != after.entry, _ORDER.index(c.kind)))
    named = {f.name: f for f in after.functions}
    found = [_with_loops_that_call(c, named.get(c.function), code[1]) for c in found]
    return (
        *found,
        *(_only(sides.known(f, 1) or f, "new") for f in matched.new),
        *(_only(sides.known(f, 0) or f, "gone") for f in matched.gone),
    )


_Pair = tuple[FunctionLaws | str, FunctionLaws | str, FunctionLaws]


def _by_shape(structure: Structure, new: FunctionLaws) -> list[Change]:
    """What the shapes of a function say."""
    change = structure.finding()
    return [] if change is None else [replace(change, function=new.name, at=change.at or new.at)]


def _with_loops_that_call(change: Change, f: FunctionLaws | None, code: Code) -> Change:
    """A finding with the loops elsewhere in which its growth counts more than once."""
    if change.kind != "growth" or f is None or not (around := code.loops_that_call(f)):
        return change
    told = [f"{at} ({name})" for name, at in islice(around.items(), _MOST_TOLD)]
    more = f" and {len(around) - len(told)} more" if len(around) > len(told) else ""
    loops = f"called in the loop{'s' * (len(around) > 1)} at {', '.join(told)}{more}"
    return replace(change, reason=f"{change.reason}; {loops}" if change.reason else loops)


def decided(
    change: Change | None, structure: Structure | None, new: FunctionLaws, laws: FunctionLaws | str
) -> Change | None:
    """A finding, by the shapes where laws do not decide; where they do, with the place and the
    words that shapes have for it."""
    if structure is None:
        return change
    if change is None or change.kind not in ("growth", "undecided"):
        unseen = structure.beyond_laws()
        if unseen is None and change is None and _is_left_to_runs(laws):
            unseen = structure.in_more_cases()
        if unseen is not None:
            return replace(unseen, function=new.name, at=unseen.at or new.at)
        return change
    by_shape = structure.finding()
    if change.kind == "growth":
        if change.unit == _OF_LIBRARY and structure.is_shallower:
            return None  # a search in place of a walk that numbers of runs bound
        if _is_told_by_runs(change, laws):
            if structure.does_nothing_new(of_library=change.unit == _OF_LIBRARY) or (
                by_shape is None and change.reason.startswith(IN_MORE_CASES)
            ):
                return None  # whatever the numbers of its runs
            if by_shape is not None and by_shape.kind == "undecided" and structure.sees_calls:
                at, why = by_shape.at or change.at, by_shape.reason
                return replace(change, kind="undecided", at=at, faster_in=(), reason=why)
        is_told = bool(change.reason) and not change.unit and not change.faster_in
        if by_shape is None or by_shape.kind != "growth" or is_told:
            return change
        return replace(change, reason=by_shape.reason, at=by_shape.at or change.at)
    if by_shape is None:
        return None
    if by_shape.kind == "undecided" and change.reason.startswith(_FAILED):
        return change
    known = replace(by_shape, before=change.before, after=change.after, unit=change.unit)
    return replace(known, function=new.name, at=by_shape.at or new.at)


def _is_left_to_runs(laws: FunctionLaws | str) -> bool:
    """Does only a run tell how often loops of a function run?"""
    if isinstance(laws, str):
        return False
    return laws.work.formula is None or any(s.kind == "mean" for s in laws.work.symbols)


def _is_proved(change: Change, new: FunctionLaws | str) -> bool:
    """Is it growth in what is known without a run?"""
    return bool(change.faster_in) and not _is_told_by_runs(change, new)


def _is_told_by_runs(change: Change, new: FunctionLaws | str) -> bool:
    """Is it growth in numbers alone that only a run can tell, lengths of strings among them, and
    sizes of what library functions work on where no argument is one?"""
    if isinstance(new, str) or not change.faster_in:
        return False
    laws = (new.work, *(loop.total for loop in new.loops), *([new.library] if new.library else []))
    symbols = (s for law in laws for s in law.symbols)
    kinds = ("mean", "fraction", *(["loaded"] if change.unit == _OF_LIBRARY else []))
    told = {s.name for s in symbols if s.kind in kinds or s.meaning.startswith(LENGTH)}
    told -= set(new.arguments)
    return told.issuperset(change.faster_in)


@dataclass(frozen=True)
class _Sides:
    """The functions of both versions by themselves. A function that cannot be analysed, for
    whatever reason, is no reason not to judge the others. until: the CPU time of the process after
    which no law is sought."""

    code: tuple[Code, Code]
    matched: Matched
    until: float

    def structure(
        self, old: FunctionLaws, new: FunctionLaws, *, is_whole: bool = False
    ) -> Structure | None:
        """The shapes of a function before and after; None where one is not known. is_whole: with
        those of all changed functions that it calls, among which work may have moved."""
        names = {b.symbol: a.symbol for a, b in self.matched.pairs if a.symbol != b.symbol}
        gone, come = ([f.symbol for f in fs] for fs in (self.matched.gone, self.matched.new))
        if is_whole:
            changed = [(a, b) for a, b in self.matched.pairs if a.own != b.own and b is not new]
            gone += [a.symbol for a, _ in changed]
            come += [b.symbol for _, b in changed]
        shapes = (self.code[0].shape(old, gone, {}), self.code[1].shape(new, come, names))
        if shapes[0] is None or shapes[1] is None:
            return None
        return Structure(shapes[0], shapes[1], self.code[1].depth, self.depth_before)

    def has_moved(self, old: FunctionLaws, new: FunctionLaws) -> bool:
        """Is all that a function does more what those that it calls do less?"""
        changed = {b.symbol for a, b in self.matched.pairs if a.own != b.own}
        if changed.isdisjoint(new.callees):
            return False
        whole = self.structure(old, new, is_whole=True)
        return whole is not None and whole.does_nothing_new() and whole.beyond_laws() is None

    def is_beyond_laws(self, structure: Structure) -> bool:
        """Is all that a function does otherwise calls of functions whose bodies are elsewhere?"""
        calls = structure.foreign_calls
        return bool(calls) and not any(map(self.code[1].joins, calls or ()))

    def depth_before(self, name: str, enough: int) -> Depth:
        """How deep a function is that may be gone."""
        deep = self.code[1].depth(name, enough)
        return deep if deep.costs is not None else self.code[0].depth(name, enough)

    def both(
        self, old: FunctionLaws, new: FunctionLaws, structure: Structure | None = None
    ) -> tuple[FunctionLaws | str, FunctionLaws | str]:
        """A function before and after; the reason where one cannot be analysed. Bodies that other
        sources have are asked for where calls of them decide."""
        far = self._far(new)
        before, after = self._tried(0, old, far), self._tried(1, new, far)
        if isinstance(before, str) or isinstance(after, str):
            return before, after
        called = structure.calls_elsewhere if structure is not None else ()
        if not any(map(self.code[1].joins, called)):
            return before, after
        whole = self._tried(0, old, is_linked=True), self._tried(1, new, is_linked=True)
        if isinstance(whole[0], str) or isinstance(whole[1], str):
            return before, after
        return whole

    def known(self, f: FunctionLaws, side: int) -> FunctionLaws | None:
        """A function of one side, where it can be analysed."""
        found = self._tried(side, f)
        return None if isinstance(found, str) else found

    def _far(self, f: FunctionLaws) -> frozenset[str]:
        """The functions that both versions have alike and that do not count as near."""
        reached, near, size = {f.symbol: None}, {f.symbol}, 0
        todo = [f.symbol]
        while todo:
            called = dict.fromkeys(c for n in todo for c in self._after[n].callees)
            todo = [c for c in called if c not in reached and c in self._after]
            reached |= dict.fromkeys(todo)
            for c in todo:
                if c not in self._alike or size + self._after[c].size <= _NEAR:
                    near.add(c)
                    size += self._after[c].size
        return frozenset(reached) - near

    def is_small(self, f: FunctionLaws) -> bool:
        """Are the laws of a function found at once, with all that it calls?"""
        known = self._after
        called = closure([f.symbol], lambda n: known[n].callees if n in known else ())
        return sum(known[n].size for n in called if n in known) <= _NEAR

    def below(self, f: FunctionLaws) -> int:
        """How many functions after one calls, directly or not."""
        return len(
            closure([f.symbol], lambda n: self._after[n].callees if n in self._after else ())
        )

    @cached_property
    def _after(self) -> dict[str, FunctionLaws]:
        found = (*(new for _, new in self.matched.pairs), *self.matched.new)
        return {f.symbol: f for f in found}

    @cached_property
    def _alike(self) -> frozenset[str]:
        """The functions that do the same in both versions, under the same name."""
        pairs = self.matched.pairs
        return frozenset(b.symbol for a, b in pairs if a.symbol == b.symbol and a.deep == b.deep)

    @property
    def is_late(self) -> bool:
        """Is the time for laws used up?"""
        return process_time() > self.until

    def _tried(
        self, side: int, f: FunctionLaws, far: Collection[str] = (), *, is_linked: bool = False
    ) -> FunctionLaws | str:
        """A function by itself, or why it cannot be analysed."""
        if self.is_late:
            return "the time for all is used up (--budget-total)"
        code = self.code[side]
        try:
            found = (code.linked(f) if is_linked else None) or code.alone(f, far)
            return found or f"{_FAILED} by itself"
        except Exception as error:
            return f"{_FAILED}: {said_of(error)}"


def said_of(error: Exception) -> str:
    """What an error says in one line; one of our own asks to be reported."""
    if isinstance(error, LooplawError):
        return str(error)
    return (
        f"internal error: {' '.join(f'{type(error).__name__}: {error}'.split())}; please report it"
    )


def _hidden_work(
    pairs: Sequence[_Pair], gone: Sequence[FunctionLaws], sides: _Sides
) -> list[Change]:
    """What loops do over and over and did not before, in these functions together: it may have
    moved from one to another, or out of one that is gone."""
    known = [
        (old, new)
        for old, new, _ in pairs
        if not isinstance(old, str) and not isinstance(new, str) and old.hidden is not None
    ]
    before = Counter(h.call for old, _ in known for h in old.hidden or ())
    if any(new.hidden for _, new in known):
        lost = (sides.known(f, 0) for f in gone)
        before.update(h.call for f in lost if f is not None for h in f.hidden or ())
    found = dict[str, Change]()
    for old, new in known:
        for h in new.hidden or ():
            before[h.call] -= 1
            if before[h.call] < 0:
                laws = (shown(old.work), shown(new.work))
                what = f"hidden cost: {h.message}"
                change = Change("growth", new.name, _line_of(h.at), *laws, (), what)
                found.setdefault(new.name, change)
    return list(found.values())


def _line_of(at: str) -> str:
    """A place without its column."""
    place, _, column = at.rpartition(":")
    return place if column.isdigit() and ":" in place else at


def _causes(matched: Matched) -> list[tuple[FunctionLaws, FunctionLaws]]:
    """Functions whose own code changed, or what they call."""
    now = dict.fromkeys((f.symbol for f in matched.gone), "")
    now |= {old.symbol: new.symbol for old, new in matched.pairs}
    differing = [(old, new) for old, new in matched.pairs if old.deep != new.deep]
    causes = [
        (old, new)
        for old, new in differing
        if old.own != new.own or tuple(now.get(c, c) for c in old.callees) != new.callees
    ]
    return causes or differing


def _with_values_of(matched: Matched, sides: _Sides) -> list[tuple[FunctionLaws, FunctionLaws]]:
    """Functions that did not change themselves, but whose loops are ended by what functions that
    did return or write, those that call the fewest first."""
    causes = {new.symbol for _, new in _causes(matched)}
    found = (
        (old, new)
        for old, new in sorted(matched.pairs, key=lambda pair: sides.below(pair[1]))
        if old.own == new.own
        and old.deep != new.deep
        and new.symbol not in causes
        and sides.code[0].decides(old) != sides.code[1].decides(new)
    )
    return list(islice(found, _MOST_CALLERS))


@dataclass(frozen=True)
class _Judge:
    """How functions are compared. factor: constant factors above it are growth, too."""

    factor: float | None
    region: Stated
    metrics: tuple[str, ...]

    @property
    def counts_more(self) -> bool:
        """Is more than what runs how often to be judged?"""
        return self.factor is not None or bool(self.metrics)

    def by_themselves(
        self, before: FunctionLaws | str, after: FunctionLaws | str, new: FunctionLaws
    ) -> Change | None:
        """A function before and after, each analysed by itself, or why it cannot be."""
        if isinstance(before, str) or isinstance(after, str):
            why = after if isinstance(after, str) else str(before)
            return Change("undecided", new.name, new.at, "unknown", "unknown", (), why)
        return self.compared(before, after)

    def entry(
        self, matched: Matched, entry: str | None, known: set[str], sides: _Sides
    ) -> list[Change]:
        """What growth further down means for a whole run."""
        for old, new in matched.pairs:
            if new.name == entry and entry not in known and old.deep != new.deep:
                change = self.by_themselves(*sides.both(old, new), new)
                return [change] if change is not None and change.kind == "growth" else []
        return []

    def compared(self, old: FunctionLaws, new: FunctionLaws) -> Change | None:
        """A function before and after; None where nothing changed."""
        arguments = Arguments(old.arguments, new.arguments, self.region(new))
        change = self._of_function(old, new, arguments)
        if change is not None and change.faster_in and _is_for_more(old, new, arguments, change):
            change = None
        if change is None or change.kind == "shrunk":
            change = self._of_metrics(old, new, arguments) or change
        if change is None:
            return None
        return replace(change, function=new.name, at=change.at or new.at)

    def _of_metrics(
        self, old: FunctionLaws, new: FunctionLaws, arguments: Arguments
    ) -> Change | None:
        """The gravest finding of the operations asked for."""
        found = []
        for metric in self.metrics:
            laws = [f.operations.get(metric, _NOT_RECORDED) for f in (old, new)]
            change = judged(laws[0], laws[1], arguments, self.factor)
            if change is not None and change.kind != "shrunk":
                reason = f"{metric}: {change.reason}".rstrip(": ")
                found.append(replace(change, reason=reason, unit=metric.replace("_", " ")))
        return min(found, key=lambda c: c.kind != "growth", default=None)

    def _of_function(
        self, old: FunctionLaws, new: FunctionLaws, arguments: Arguments
    ) -> Change | None:
        whole = judged(old.work, new.work, arguments, self.factor)
        if _took_another_form(old, new, arguments):
            return None
        if whole is not None and whole.faster_in and _loops_alone(old, new, arguments):
            whole = None
        if whole is not None and whole.kind == "growth":
            if len(whole.before) + len(whole.after) > _LONG and whole.faster_in:
                loop = compare_nests(old, new, arguments)
                return loop if loop is not None and loop.kind == "growth" else whole
            return whole
        steps = None
        if old.is_recursive or new.is_recursive:
            steps = judged(_steps(old), _steps(new), arguments, self.factor)
            steps = replace(steps, unit="iterations and calls") if steps is not None else None
        library = None
        if old.library is not None and new.library is not None:
            library = judged(old.library, new.library, arguments, self.factor)
        if library is not None:
            library = replace(
                library, unit=_OF_LIBRARY, reason=library.reason or "work of library functions"
            )
        for change in (steps, library):
            if change is not None and change.kind == "growth":
                return change
        loops = None
        if old.is_once == new.is_once and not is_equal(old.work, new.work, arguments):
            loops = compare_nests(old, new, arguments)
            if loops is not None and loops.kind == "growth":
                return loops
        activation = _activation(old, new, arguments)
        if activation is not None and activation.kind == "growth":
            return activation
        if whole is not None and whole.kind == "undecided" and _decided_by_loops(old, new, loops):
            whole = steps = None
        undecided = (
            c for c in (whole, steps, library, loops, activation) if c and c.kind == "undecided"
        )
        return next(undecided, whole)


def _took_another_form(old: FunctionLaws, new: FunctionLaws, arguments: Arguments) -> bool:
    """Did loops become calls of the function itself or of a library function, or the other way, and
    no more work of all three?"""
    if old.library is None or new.library is None:
        return False
    is_recursive = old.is_recursive or new.is_recursive
    parts = [
        [f.work, f.library or Law("0"), *([f.calls] if is_recursive else [])] for f in (old, new)
    ]
    verdicts = [judged(a, b, arguments) for a, b in zip(*parts, strict=True)]
    kinds = {v.kind for v in verdicts if v is not None}
    if "growth" not in kinds or "shrunk" not in kinds:
        return False
    total = judged(total_of(parts[0]), total_of(parts[1]), arguments)
    return total is None or total.kind == "shrunk"


def _loops_alone(old: FunctionLaws, new: FunctionLaws, arguments: Arguments) -> bool:
    """Do all loops together, outer ones with their own iterations, not grow? Work is that of the
    innermost loops; a short one put into a loop whose body often is idle is no growth."""
    if not old.loops or not new.loops or old.is_once != new.is_once:
        return False
    if any(loop.total.formula is None for f in (old, new) for loop in f.loops):
        return False
    before, after = (total_of([loop.total for loop in f.loops]) for f in (old, new))
    verdict = judged(before, after, arguments)
    return verdict is None or verdict.kind == "shrunk"


def _is_for_more(
    old: FunctionLaws, new: FunctionLaws, arguments: Arguments, change: Change
) -> bool:
    """Does a function only do more for what it was not handed before, once for each of it? Those
    who hand it nothing pay nothing."""
    more = [a for a in new.arguments if a not in old.arguments]
    if len(new.arguments) != len(old.arguments) + len(more) or not set(change.faster_in) <= {*more}:
        return False
    symbols = {s.name: s for law in (new.work, new.library) if law for s in law.symbols}
    once = Law(" + ".join(more), symbols=tuple(symbols[a] for a in more if a in symbols))
    sides = ((old.work, new.work), (old.library or Law("0"), new.library or Law("0")))
    verdicts = [judged(total_of([a, once]), b, arguments) for a, b in sides]
    return all(v is None or v.kind == "shrunk" for v in verdicts)


def _only(f: FunctionLaws, kind: Kind) -> Change:
    law = shown(f.work)
    sides = ("", law) if kind == "new" else (law, "")
    return Change(kind, f.name, f.at, *sides, reason=f"the function is {kind}")


def _activation(old: FunctionLaws, new: FunctionLaws, arguments: Arguments) -> Change | None:
    """The loops of one activation of a function that calls itself, which all of its calls together
    may hide: 8 iterations and n at each of 2**n nodes of a tree sum up alike."""
    sides = [_one_call(old), _one_call(new)]
    if (old.is_once and new.is_once) or is_equal(old.work, new.work, arguments):
        return None
    if sides[0] is None or sides[1] is None:
        return None
    found = compare_nests(sides[0], sides[1], arguments)
    return None if found is None else replace(found, reason=_IN_ONE)


def _one_call(f: FunctionLaws) -> FunctionLaws | None:
    """One activation of a function; None where it is not known what that does."""
    loops = f.loops if f.is_once else f.activation
    if loops is None:
        return None
    return replaced(f, loops=loops, work=total_of([loop.total for loop in loops]))


def _decided_by_loops(old: FunctionLaws, new: FunctionLaws, loops: Change | None) -> bool:
    """Do the loops, each found again, tell what the law of the whole function does not?"""
    reasons = [f.work.reason or "" for f in (old, new)]
    if any(_BY_POINTER in reason for reason in reasons):
        return False
    if any(_BY_ITSELF in reason for reason in reasons) and (
        old.recursion is None or old.recursion != new.recursion
    ):
        return False
    is_alike = old.is_once == new.is_once  # else the loops were not compared
    return is_alike and loops is None and bool(old.loops) and bool(new.loops)


def _steps(f: FunctionLaws) -> Law:
    """Iterations and calls together: what a recursive function does."""
    return total_of([f.work, f.calls])
