"""The loops of a function before and after: growth that larger work beside it hides.

The work of a function is as large as its largest nest; what a smaller one does shows in the loops.
They are seen as a forest, through calls, with the work below each loop in one call of the function,
so that it does not matter in which function a loop stands or which of two loops is the outer one.
On each level, loops are paired with loops before that they do not outgrow (Kuhn's matching). What
is left over has grown, or is new.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from .judging import Arguments, Change, is_equal, judged
from .program import FunctionLaws, Law, LoopLaw, total_of

_ONCE = Law("1", "1", "1")


@dataclass(frozen=True)
class Nest:
    """A loop and what runs inside it. law: all iterations below and including the loop in one call
    of the function; ends: what ends each of them."""

    loop: LoopLaw
    below: tuple[Nest, ...]

    @cached_property
    def law(self) -> Law:
        return total_of([loop.total for loop in self.loops.values()])

    @cached_property
    def loops(self) -> dict[str, LoopLaw]:
        """All loops of the nest by place, each once."""
        found = {self.loop.at: self.loop}
        for nest in self.below:
            found |= nest.loops
        return found

    @cached_property
    def ends_in_order(self) -> tuple[str | None, ...]:
        """What ends each of them, from the outermost inwards."""
        inner = (end for nest in self.below for end in nest.ends_in_order)
        return (self.loop.ends or "", *inner)

    @cached_property
    def ends(self) -> tuple[str | None, ...]:
        return tuple(sorted((loop.ends or "") for loop in self.loops.values()))


def nests(loops: Sequence[LoopLaw]) -> tuple[Nest, ...]:
    """The outermost loops, with what runs inside each."""
    by_place = {loop.at: loop for loop in loops}

    def nest(loop: LoopLaw, above: frozenset[str]) -> Nest:
        around = above | {loop.at}
        inner = (by_place[at] for at in loop.inner if at in by_place and at not in around)
        return Nest(loop, tuple(nest(i, around) for i in inner))

    inside = {at for loop in by_place.values() for at in loop.inner if at != loop.at}
    roots = [loop for loop in by_place.values() if loop.at not in inside]
    return tuple(nest(loop, frozenset()) for loop in roots or by_place.values())


def compare_nests(old: FunctionLaws, new: FunctionLaws, arguments: Arguments) -> Change | None:
    """A loop that grows faster than each loop before that it could be, or one for which that cannot
    be decided; None where there is none."""
    grown = _called(old, new, arguments)
    if grown is not None:
        return grown
    moves_no_more = is_equal(old.accesses, new.accesses, arguments)
    level = _Level(nests(old.loops), nests(new.loops), arguments, old.work, _ONCE, moves_no_more)
    return level.finding()


def _called(old: FunctionLaws, new: FunctionLaws, arguments: Arguments) -> Change | None:
    """A loop of a function that both versions call, and that runs more often now: the call moved
    into a loop."""
    before: dict[tuple[str, str | None], list[LoopLaw]] = {}
    for loop in old.loops:
        before.setdefault((loop.function, loop.ends), []).append(loop)
    for loop in new.loops:
        alike = before.get((loop.function, loop.ends), []) if loop.function != new.name else []
        known = alike.pop(0) if alike else None  # a function may have several with such an end
        if known is None or known.ends is None:
            continue
        verdict = judged(known.total, loop.total, arguments)
        if verdict is not None and verdict.kind == "growth" and verdict.faster_in:
            return _at(verdict, Nest(loop, ()))
    return None


@dataclass(frozen=True)
class _Level:
    """Loops side by side. whole: the work of the level before; around: how often the level runs
    now; moves_no_more: the function accesses memory as often as before, so that what is new is a
    loop that was split."""

    old: tuple[Nest, ...]
    new: tuple[Nest, ...]
    arguments: Arguments
    whole: Law
    around: Law
    moves_no_more: bool

    def finding(self) -> Change | None:
        """The gravest finding of the level and those below."""
        partner = self._partners()
        found = [self._left(k, partner) for k in range(len(self.new)) if k not in partner]
        for k, i in partner.items():
            old, new = self.old[i], self.new[k]
            verdict = self._verdict(k, i)
            if verdict is not None and verdict.kind == "undecided":
                found.append(_at(verdict, new))
            elif old.below != new.below and not _are_alike(old, new):
                inner = replace(
                    self, old=old.below, new=new.below, whole=old.law, around=new.loop.total
                )
                found.append(inner.finding())
        graver = sorted((c for c in found if c is not None), key=lambda c: c.kind != "growth")
        return next((c for c in graver if c.kind in ("growth", "undecided")), None)

    @cached_property
    def _known(self) -> dict[tuple[int, int], Change | None]:
        return {}

    def _verdict(self, k: int, i: int) -> Change | None:
        """How loop k grows, taken for loop i before."""
        if (k, i) not in self._known:
            self._known[k, i] = _judged(self.old[i], self.new[k], self.arguments)
        return self._known[k, i]

    def _partners(self) -> dict[int, int]:
        """Loop -> the loop before that it does not outgrow, the same one where that is there.

        Loops that would be findings without a partner choose first: a new loop that turns a
        constant number of times needs none, and must not take that of another one.
        """
        partner: dict[int, int] = {}
        for is_same in (_are_alike_in_order, _are_alike):
            for k, b in enumerate(self.new):
                for i, a in enumerate(self.old):
                    if k in partner or i in partner.values() or not is_same(a, b):
                        continue
                    if self._verdict(k, i) is None:
                        partner[k] = i
        same = frozenset(partner.values())
        left = [k for k in range(len(self.new)) if k not in partner]
        needy = [k for k in left if self._added(self.new[k]) is not None]
        for group in (needy, left):
            for allowed in ((), ("shrunk",), ("shrunk", "undecided")):
                for k in group:
                    if k not in partner:
                        self._pair(k, allowed, partner, set(same))
        return partner

    def _pair(
        self, k: int, allowed: tuple[str, ...], partner: dict[int, int], seen: set[int]
    ) -> bool:
        """Does loop k find a partner, others changing theirs where they must?"""
        for i in range(len(self.old)):
            if i in seen:
                continue
            verdict = self._verdict(k, i)
            if verdict is not None and verdict.kind not in allowed:
                continue
            seen.add(i)
            holder = next((j for j, taken in partner.items() if taken == i), None)
            if holder is None or self._pair(holder, allowed, partner, seen):
                partner[k] = i
                return True
        return False

    def _left(self, k: int, partner: dict[int, int]) -> Change | None:
        """A loop without a partner: grown from one before that has none either, else new."""
        new = self.new[k]
        free = [i for i in range(len(self.old)) if i not in partner.values()]
        left = [j for j in range(len(self.new)) if j not in partner]
        if left.index(k) < len(free):
            verdict = self._verdict(k, free[left.index(k)])
            return None if verdict is None else _at(verdict, new)
        return self._added(new)

    def _added(self, new: Nest) -> Change | None:
        """A new loop: nothing where it runs a constant number of times each time it is entered,
        where one loop was split in two, or where, inside no other loop, it only multiplies the work
        of the function by a constant."""
        each = judged(self.around, new.law, self.arguments)
        if each is None or each.kind == "shrunk" or not (each.faster_in or each.kind != "growth"):
            return None
        if each.kind == "undecided":
            return _at(each, new)
        beside = judged(self.whole, new.law, self.arguments)
        is_factor = beside is None or (beside.kind == "growth" and not beside.faster_in)
        if self.moves_no_more or (is_factor and self.around is _ONCE):
            return None
        if beside is not None and beside.kind == "undecided":
            return _at(beside, new)
        return _at(replace(each, before="0", reason="a new loop"), new)


def _judged(a: Nest, b: Nest, arguments: Arguments) -> Change | None:
    known = a.law.formula is not None and b.law.formula is not None
    if not known and _are_alike(a, b):
        return None
    return judged(a.law, b.law, arguments)


def _are_alike(a: Nest, b: Nest) -> bool:
    """Is everything that ends their loops the same?"""
    return a.ends == b.ends and "" not in a.ends


def _are_alike_in_order(a: Nest, b: Nest) -> bool:
    """Are they so, and nested alike?"""
    return a.ends_in_order == b.ends_in_order and "" not in a.ends


def _at(change: Change, nest: Nest) -> Change:
    """The finding with the place of the loop."""
    place, _, column = nest.loop.at.rpartition(":")
    where = place if column.isdigit() and ":" in place else nest.loop.at
    return replace(change, at=where, reason=change.reason or "a loop of the function")
