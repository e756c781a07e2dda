"""Two shapes of a function compared: what is new in the one after, where no counts decide."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from staticana.alias.library import library_function
from staticana.ir.demangling import demangled

from .judging import Change
from .shapes import AGAIN, UNKNOWN_DEPTH, Chain, DepthOf
from .slices import ASKED, Walk

_MOST_WALKS = 4
"""Walks inside each other in a call that are looked for."""
_MORE_CASES = " in more cases than before"
_ENDS = "ends otherwise or later than before: see whether it can run longer"


@dataclass(frozen=True)
class Structure:
    """A function before and after, with calls that cost nothing among its chains: where what is
    called costs more than before, its callers do nothing new. depth: how deep a function is without
    a body in the file; depth_before: the same of one that may be gone."""

    before: tuple[Chain, ...]
    after: tuple[Chain, ...]
    depth: DepthOf = lambda *_: UNKNOWN_DEPTH
    depth_before: DepthOf = lambda *_: UNKNOWN_DEPTH

    def costs(self, name: str) -> bool | None:
        """Does a function walk anything? None where nobody knows."""
        entry = library_function(name) if self.depth(name, 1).costs is None else None
        return self.depth(name, 1).costs if entry is None else bool(entry.cost or entry.may_cost)

    @cached_property
    def old(self) -> tuple[Chain, ...]:
        """The chains before that cost something."""
        return tuple(c for c in self.before if not c.is_free)

    @cached_property
    def new(self) -> tuple[Chain, ...]:
        """The chains after that cost something."""
        return tuple(c for c in self.after if not c.is_free)

    @property
    def is_covered(self) -> bool:
        """Is each chain after a part of one before, under its conditions and with its ends? Then
        no count grows, of the function or of a loop."""
        if not self._calls_itself_no_more:
            return False
        return len(self._with_partners(is_strict=True)) == len(self.new)

    @property
    def foreign_calls(self) -> list[str] | None:
        """The functions whose bodies are elsewhere that are called otherwise than before; None
        where that is not all that is new. No law counts them."""
        known = self._with_partners(is_strict=True)
        strange = [c for c in self.new if not any(c is k for k in known)]
        if not self._calls_itself_no_more:
            return None
        if not all(c.is_foreign and c.call.isidentifier() for c in strange):
            return None
        return [c.call for c in strange]

    def does_nothing_new(self, *, of_library: bool = False) -> bool:
        """Is there nothing after that could cost more: is each chain one that was there before,
        part of a walk around it, in place of a call as deep, or a single call outside of loops in
        other cases? of_library: but for calls without a body."""

        def is_new(c: Chain) -> bool:
            if of_library and c.is_foreign:
                return False
            if not c.call:
                return not c.loops[-1].goes_on and not self._on_top(c)
            is_known = not c.is_foreign or self.costs(c.call) is True
            is_another = any(
                o.call and _same_moves(o.loops, c.loops) and self._depth(o) >= self._depth(c)
                for o in self._gone
                if o.needs <= c.needs
            )
            is_work = bool(c.loops) or (is_known and c.cases <= self._known_cases)
            return is_work and not is_another and not self._on_top(c)

        return self._calls_itself_no_more and not any(map(is_new, self._left))

    @property
    def is_shallower(self) -> bool:
        """Does all that is new stand for something that walked more inside each other?"""
        most = max(map(self._depth, self._gone), default=(0, 0))
        return self.does_nothing_new() and all(self._depth(c) < most for c in self._left)

    @property
    def walks_less(self) -> bool:
        """Did something before walk what nothing after does?"""
        return any(_depth(c) > (1, 0) for c in self._gone)

    def _with_partners(self, *, is_strict: bool) -> list[Chain]:
        """The chains after that have a partner before, the same one where that is there."""
        partner = dict[int, int]()
        every, found = range(len(self.new)), set[int]()
        for strictly in dict.fromkeys((True, is_strict)):
            found |= {
                k
                for k in every
                if k not in found and self._finds_partner(k, partner, set(), is_strict=strictly)
            }
        return [self.new[k] for k in sorted(found)]

    def _finds_partner(
        self, k: int, partner: dict[int, int], seen: set[int], *, is_strict: bool
    ) -> bool:
        """Is there a chain before that holds chain k? A loop needs one of its own, others changing
        theirs where they must (Kuhn's matching): a second loop is for laws to judge."""
        for i, o in enumerate(self.before):
            if i in seen or not _covers(o, self.new[k], is_strict=is_strict):
                continue
            if self.new[k].call:
                return True
            seen.add(i)
            holder = next((j for j, taken in partner.items() if taken == i), None)
            if holder is None or self._finds_partner(holder, partner, seen, is_strict=is_strict):
                partner[k] = i
                return True
        return False

    @cached_property
    def _calls_itself_no_more(self) -> bool:
        return self._again[1] <= self._again[0]

    @cached_property
    def _again(self) -> tuple[int, int]:
        """How many of the calls before and after come to the function itself."""
        before, after = (sum(c.call.endswith(AGAIN) for c in side) for side in (self.old, self.new))
        return before, after

    def _was_recursion(self, c: Chain) -> bool:
        """Does the outermost loop of a chain stand for the calls of itself that the function made,
        and makes no more?"""
        is_alone = not c.call and len(c.loops) == 1
        inner = replace(c, loops=c.loops[1:])
        return (
            self._again[0] > 0 == self._again[1]
            and len(c.loops) > 0
            and (
                is_alone
                or any(_covers(_without_again(o), inner, without_needs=True) for o in self.before)
            )
        )

    @cached_property
    def _left(self) -> list[Chain]:
        """The chains after that walk something else, or more, than all before; loops are alike here
        that walk the same in ways out as many, conditions where none went. A call in a loop that
        moves on otherwise than before, and not in the one before any more, is where it was."""
        stays = [c for _, c in self._moved]
        return [c for c in self._unlike if not any(c is m for m in stays)]

    @cached_property
    def _unlike(self) -> list[Chain]:
        found = self._with_partners(is_strict=False)
        return [c for c in self.new if not any(c is f for f in found)]

    @cached_property
    def _moved(self) -> list[tuple[Chain, Chain]]:
        """Calls before, and the same after inside as many loops that move on otherwise."""
        pairs, todo = list[tuple[Chain, Chain]](), [o for o in self._unlike_after if o.loops]
        for c in (c for c in self._unlike if c.call.isidentifier()):
            same = (o for o in todo if o.call == c.call and len(o.loops) == len(c.loops))
            if (o := next(same, None)) is not None:
                pairs.append((o, c))
                todo = [t for t in todo if t is not o]
        return pairs

    @property
    def sees_calls(self) -> bool:
        """Are the bodies of all that is called otherwise than before in these sources?"""
        calls = (c.call for c in self._left if c.call and c.is_foreign)
        return all(self.costs(name) is not None for name in calls)

    def finding(self) -> Change | None:
        """What the shapes say where laws do not decide; None where nothing is left that grows."""
        each = (*map(self._of, self._left), self.beyond_laws())
        found = [change for change in each if change is not None]
        if not self._calls_itself_no_more:
            chain = next(c for c in self.new if c.call.endswith(AGAIN))
            what = (
                "it calls itself in more places: see whether one call can come to several of them"
            )
            found.append(_change("undecided", chain, what))
        return min(found, key=lambda c: c.kind != "growth", default=None)

    def beyond_laws(self) -> Change | None:
        """Growth that laws cannot show: a callee that now starts from the beginning each time, one
        called in more cases, or two nested walks of one list."""
        strange = [c for c in self.new if not any(_covers(o, c, is_strict=True) for o in self.old)]
        anew = next(filter(None, map(self._anew, strange)), None)
        if anew is not None:
            return anew
        for c in self._left:
            if self._has_more_such_walks and not c.call and _walks_again(c):
                what = f"for each element of {c.loops[-1].said}, all of it is walked from its start"
                return _change("growth", c, what)
            known = any(_covers(o, c, without_needs=True) for o in self.before)
            if c.call and c.is_foreign and known and self.costs(c.call):
                who = f"{_spoken(c.call)}()"
                what = f"{who} is called in more cases than before: see what was done there instead"
                return _change("undecided", c, what)
        found = (*map(self._deeper_call, self._left), *map(self._of, self._uncounted))
        return min(filter(None, found), key=lambda c: c.kind != "growth", default=None)

    @property
    def _uncounted(self) -> list[Chain]:
        """The calls in loops that no law counts."""
        return [c for c in self._left if c.is_foreign and c.loops]

    @property
    def calls_elsewhere(self) -> set[str]:
        """The functions whose bodies are elsewhere that are called in loops otherwise than
        before."""
        return {c.call for c in self._uncounted if c.call.isidentifier()}

    def in_more_cases(self) -> Change | None:
        """A loop that runs where it did not before, of which numbers of iterations that only runs
        tell say nothing."""
        known = (c for c in self._left if any(_covers(o, c, without_needs=True) for o in self.old))
        found = (self._of(c) for c in known if not c.call)
        return next((c for c in found if c is not None and c.reason.endswith(_MORE_CASES)), None)

    def _in_more_cases(self, c: Chain) -> Change | None:
        known = [o.needs - c.needs for o in self.old if _covers(o, c, without_needs=True)]
        if not c.call:
            # failures that end the function no longer, of calls that are still made
            asked = all(n.endswith(ASKED) for gone in known for n in gone)
            is_failure = asked and len(c.loops) == 1 and not any(o.call for o in self._dropped)
            if is_failure and any(known):
                return None
            come = [c.needs - o.needs for o in self.old if _covers(o, c, without_needs=True)]
            if known and all(come):
                what = f"{_runs(c.loops[-1])} in other cases than before: see whether in more"
                return _change("undecided", c, what)
            return _change("growth", c, f"{_runs(c.loops[-1])}{_MORE_CASES}")
        shorter = [
            o
            for o in self._gone
            if o.call and o.needs >= c.needs and not any(k & o.needs for k in known)
        ]
        if not known or not shorter or max(map(self._depth, shorter)) >= self._depth(c):
            return None
        whom = _spoken(shorter[0].call)
        what = f"{_spoken(c.call)}() is called{_MORE_CASES}, where {whom}() was, which walks less"
        return _change("growth", c, what)

    @cached_property
    def _has_more_such_walks(self) -> bool:
        """Are there more walks of a list for each of its elements than before?"""
        before, after = (
            sum(not c.call and _walks_again(c) for c in side) for side in (self.old, self.new)
        )
        return after > before

    def _deeper_call(self, c: Chain) -> Change | None:
        """A call in a loop that walks more inside each other than each call that it may stand
        for."""
        if not c.call.isidentifier() or any(o.call == c.call for o in self.before):
            return None
        if not c.loops:
            return self._instead_of_idle(c)
        if not c.is_foreign:
            return None
        stood = [o for o in self._gone if o.call and _part(o.loops, c.loops)]
        if not stood:
            return self._instead_of_idle(c)
        depths = [self.depth_before(o.call, _MOST_WALKS) for o in stood]
        most = max(len(o.loops) + d.walks for o, d in zip(stood, depths, strict=True))
        more = max(most - len(c.loops) + 1, 1)
        if self.depth(c.call, more).walks < more:
            return None
        who, whom = f"{_spoken(c.call)}()", _spoken(stood[0].call)
        if not all(d.is_all for d in depths):
            what = f"{who} is called in place of {whom}(): see which walks more"
            return _change("undecided", c, what)
        what = f"{who} is called in place of {whom}(), and has more loops inside each other"
        return _change("growth", c, f"for each step of {_said(c.loops[-1])}, {what}")

    def _anew(self, c: Chain) -> Change | None:
        """What went on from call to call, and starts anew in each now; or a walk that goes back to
        where it began."""
        if not c.call and c.loops[-1].restarts:
            if any(o.loops[-1].restarts for o in self.old if o.loops and not o.call):
                return None
            what = f"{_said(c.loops[-1])} is walked from its start again after some of its steps"
            return _change("growth", c, what)
        if not c.call or c.on or (c.is_foreign and not c.loops) or c.call.endswith(AGAIN):
            return None
        before, after = (
            Counter(bool(o.on) for o in side if o.call == c.call) for side in (self.old, self.new)
        )
        if after[False] <= before[False] or after[True] >= before[True]:
            return None
        who = f"{_spoken(c.call)}()"
        what = f"{who} starts anew each time; it went on from where the last one had come to"
        costs = self.costs(c.call)
        return None if costs is False else _change("growth" if costs else "undecided", c, what)

    def _instead_of_idle(self, c: Chain) -> Change | None:
        """A call that walks, in place of one in the same cases that does not: in a loop, or outside
        of loops of the same arguments."""
        idle = (
            o
            for o in self.before
            if o.call.isidentifier() and o.needs == c.needs and _same_moves(o.loops, c.loops)
            if (o.is_free or self._is_idle(o)) and not any(o.call == n.call for n in self.after)
        )
        whom = next((o for o in idle if c.loops or o.passed == c.passed), None)
        if whom is None or not self.costs(c.call) or (not c.loops and self._on_top(c)):
            return None
        who = f"{_spoken(c.call)}(), which has loops of its own,"
        what = f"{who} is called in place of {_spoken(whom.call)}(), which has none"
        is_sure = whom.passed == c.passed and not self.depth(c.call, 1).is_rare
        return _change("growth" if is_sure else "undecided", c, what)

    def _on_top(self, c: Chain, *, of_kept: bool = False) -> bool:
        """Does something as deep run in all cases in which a chain runs, in the same loops, as
        before? Then there is more to do, but not more times. A loop that nothing is around may be
        longer than any other: it comes on top only of one that moves on alike. of_kept: of what
        something else after stands for."""
        around = c.loops if c.call else c.loops[:-1]

        def is_around(o: Chain) -> bool:
            if not (o.loops or c.call) or not o.needs <= c.needs or o.call.endswith(AGAIN):
                return False
            is_alike = bool(around) or bool(c.call) or _moves_alike(o.loops[-1], c.loops[-1])
            return is_alike and _moves_among(o.loops, around)

        def is_as_deep(o: Chain) -> bool:
            is_known = not o.is_foreign or self.depth_before(o.call, 1).costs is True
            return is_known and self._depth(o) >= self._depth(c)

        return any(is_as_deep(o) for o in (self._kept if of_kept else self.old) if is_around(o))

    def _depth(self, c: Chain) -> tuple[int, int]:
        """As `_depth`, with the walks inside each other in a call."""
        around, halved = _depth(c)
        inside = self.depth_before(c.call, _MOST_WALKS).walks if c.call.isidentifier() else 1
        return around + max(inside - 1, 0), halved

    def _of(self, c: Chain) -> Change | None:
        if c.call == AGAIN and self._forgets(c):
            what = "it calls itself also for what it was called for already: a test of that is gone"
            return _change("growth", c, what)
        if c.call.endswith(AGAIN):
            what = "it calls itself otherwise: see whether what is handed on still shrinks as fast"
            return _change("undecided", c, what)
        if not c.call and c.loops[-1].goes_on:
            return None
        if c.is_shift and not any(o.is_shift for o in self.before):
            what = f"{self._what(c)}, which moves all that is behind"
            return _change("growth", c, what)
        if not c.call and (what := self._instead_of_halving(c)):
            return _change("growth", c, what)
        if (longer := self._without_an_end(c)) is not None:
            what = f"a way out of {_said(longer)} is gone: see whether it can run longer"
            return _change("undecided", c, what)
        if self._on_top(c, of_kept=True):
            return None
        if not c.call and any(_covers(o, c) for o in self.old):
            return _change("undecided", c, f"{_said(c.loops[-1])} {_ENDS}")
        if any(_covers(o, c, without_needs=True) for o in self.before):
            return self._in_more_cases(c)
        if self._was_recursion(c):
            return None
        depth = _depth(c)
        if any(_inside_others(o, c) for o in self._gone):
            return None  # the loops around it are judged by themselves
        lost = (o for o in self._gone if not any(_inside_others(o, n) for n in self._left))
        deepest = max(map(_depth, lost), default=(0, 0))
        if deepest > depth and not c.call:
            return None  # it stands for what was nested deeper
        gone = deepest >= depth
        if c.call and (gone or not c.loops):
            return None  # it stands for another one, or comes on top
        if any(o.call == c.call and _same_moves(o.loops, c.loops) for o in self.before):
            if c.call:
                return None  # its loops are judged by themselves
            return _change("undecided", c, f"{_said(c.loops[-1])} {_ENDS}")
        goes_on = (o for o in self._gone if any(w.goes_on for w in o.loops))
        if gone or any((_depth(o)[0] + 1, _depth(o)[1]) >= depth for o in goes_on):
            runs = f"{_spoken(c.call)}() is called" if c.call else _runs(c.loops[-1])
            return _change("undecided", c, f"{runs}{self._instead(c)}: see which is longer")
        if self._on_top(c) or (depth < (2, 0) and self.old and not self._is_first(c)):
            return None
        costs = self.costs(c.call) if c.is_foreign else True
        if costs is False:
            return None
        if costs is None and not any(o.call == c.call for o in self.old):
            who = _spoken(c.call)
            what = f"it calls {who}(), whose body is not in the sources, in a loop"
            return _change("undecided", c, what)
        if c.may_end and any(o.call == c.call for o in self.old):
            return _change("undecided", c, f"{self._what(c)}: see whether the loop goes on then")
        if c.is_foreign and self.depth(c.call, 1).is_rare:
            what = f"{self._what(c)}, in some of its cases: see how often these come"
            return _change("undecided", c, what)
        if not c.cases <= self._known_cases:
            return _change("undecided", c, f"{self._what(c)}, in a case that is new: see how often")
        return _change("growth", c, self._what(c))

    @cached_property
    def _known_cases(self) -> frozenset[str]:
        """The conditions under which anything ran before."""
        return frozenset(n for o in self.before for n in o.needs)

    def _instead(self, c: Chain) -> str:
        """What a chain stands for, in words."""
        stood = max((o for o in self._gone if o.call or o.loops), key=_depth, default=None)
        if stood is None:
            return " instead of something else"
        what = f"{_spoken(stood.call)}()" if stood.call else _said(stood.loops[-1])
        return f" in place of {what} before"

    def _instead_of_halving(self, c: Chain) -> str:
        """What to say of a loop that stands for one that bisects; empty where it does not."""
        last = (o.loops[-1] for o in self._gone if not o.call and len(o.loops) == len(c.loops))
        halved = next((w for w in last if w.is_halved), None)
        if halved is None or c.loops[-1].is_halved:
            return ""
        return f"{_runs(c.loops[-1])} in place of one that halves or doubles what it moves by"

    def _forgets(self, c: Chain) -> bool:
        """Does a function no longer ask what it stores before it calls itself, several times in
        one call?"""
        again = [n for n in self.new if n.call == AGAIN]
        is_tree = len(again) > 1 or bool(c.loops)
        return is_tree and any(o.kept - c.needs for o in self.old if o.call == AGAIN)

    def _without_an_end(self, c: Chain) -> Walk | None:
        """The loop of a chain that has fewer ways out than before, and no others."""
        kept = [o for o in self.old if any(_covers(o, n, is_strict=True) for n in self.new)]
        for o in () if c.call else self.old:
            if not any(o is k for k in kept) and o.needs <= c.needs and not o.call:
                pairs = list(zip(o.loops, c.loops, strict=False))
                is_same = len(o.loops) == len(c.loops) and all(a.moves == b.moves for a, b in pairs)
                ends = [({w for w, _ in a.ways}, {w for w, _ in b.ways}) for a, b in pairs]
                if is_same and all(after <= before for before, after in ends):
                    fewer = (b for (_, b), (old, new) in zip(pairs, ends, strict=True) if new < old)
                    return next(fewer, None)
        return None

    def _is_first(self, c: Chain) -> bool:
        """Is a loop all that walks anything in the cases in which it runs?"""

        def may_walk(o: Chain) -> bool:
            return not o.is_foreign or self.costs(o.call) is not False

        return not c.call and not any(o.needs <= c.needs and may_walk(o) for o in self.old)

    @cached_property
    def _kept(self) -> list[Chain]:
        """The chains before that one after is like which is not looked for anywhere else."""
        found = [c for c in self.new if not any(c is left for left in self._left)]
        return [o for o in self.old if any(_covers(o, c) for c in found)]

    @cached_property
    def _gone(self) -> list[Chain]:
        """The chains before that nothing after is like, however it ends."""

        return [o for o in self._dropped if not self._is_idle(o)]

    @cached_property
    def _dropped(self) -> list[Chain]:
        """Those and calls that walked nothing."""
        moved = [o for o, _ in self._moved]
        return [o for o in self._unlike_after if not any(o is m for m in moved)]

    @cached_property
    def _unlike_after(self) -> list[Chain]:
        def is_like(o: Chain, c: Chain) -> bool:
            is_same = o.call == c.call and _same_moves(o.loops, c.loops)
            return is_same or _covers(c, o, without_needs=True)

        return [o for o in self.old if not any(is_like(o, c) for c in self.after)]

    def _is_idle(self, o: Chain) -> bool:
        return o.is_foreign and self.depth_before(o.call, 1).costs is False

    def _what(self, c: Chain) -> str:
        """The new factor in words."""
        around = c.loops if c.call else c.loops[:-1]
        inside = f"for each step of {_said(around[-1])}, " if around else ""
        if c.call:
            has_loops = ", which has loops of its own" * (c.is_foreign and bool(self.costs(c.call)))
            return f"{inside}{_spoken(c.call)}() is called{has_loops}"
        return inside + _runs(c.loops[-1])


def _inside_others(o: Chain, c: Chain) -> bool:
    """Are two chains as deep, and alike but for loops around what they end in, which move on by
    other steps as well, not by others?"""
    if len(o.loops) != len(c.loops) or o.call != c.call or len(c.loops) < 2:
        return False
    pairs = list(zip(o.loops, c.loops, strict=True))
    return _moves_alike(*pairs[-1]) and all(a.kinds & b.kinds for a, b in pairs[:-1])


def _walks_again(c: Chain) -> bool:
    """Is the last loop a walk along what a loop around it walks, from the same start?"""
    *around, last = c.loops or (None,)
    return last is not None and any(
        w.said and w.said == last.said and w.starts & last.starts for w in around if w is not None
    )


def _depth(c: Chain) -> tuple[int, int]:
    """Loops around and the call, which may walk something; and what takes as long as a logarithm:
    the loops that scale what moves, and a search of the library."""
    entry = library_function(c.call)
    is_search = entry is not None and (entry.cost or "").startswith("log")
    halved = sum(w.is_halved for w in c.loops)
    return len(c.loops) - halved + (bool(c.call) and not is_search), halved + is_search


def _without_again(c: Chain) -> Chain:
    """A chain whose call no longer comes to the function itself."""
    return replace(c, call=c.call.removesuffix(f" {AGAIN}"))


def _spoken(call: str) -> str:
    """A function as sources call it: memmove, not llvm.memmove.p0.p0.i64."""
    return call.split(".")[1] if call.startswith("llvm.") else demangled(call) or call


def _runs(walk: Walk) -> str:
    return f"{_said(walk)} {'is walked' if walk.said else 'runs'}"


def _said(walk: Walk) -> str:
    line = walk.at.split(":")[1] if walk.at.count(":") > 1 else walk.at
    return f"{walk.said} (line {line})" if walk.said else f"the loop in line {line}"


def _change(kind: str, c: Chain, reason: str) -> Change:
    place, _, column = c.at.rpartition(":")
    at = place if column.isdigit() and ":" in place else c.at
    return Change("growth" if kind == "growth" else "undecided", "", at, "", "", (), reason)


def _covers(o: Chain, c: Chain, *, is_strict: bool = False, without_needs: bool = False) -> bool:
    """Is chain c a part of chain o?"""
    if c.call != o.call:
        return False
    if is_strict and not o.passed <= c.passed:
        return False
    if c.call.endswith(AGAIN) and not o.parts <= c.parts:
        return False
    if is_strict and not c.call and len(c.loops) != len(o.loops):
        return False  # a loop that left others, or is one of several now, is for laws to judge
    if not c.call and not _alike(o.loops[-1], c.loops[-1], is_strict=is_strict):
        return False
    gone, come = o.needs - c.needs, c.needs - o.needs
    stands_for = len(gone) if any(n.endswith(ASKED) for n in come) else len(come)
    if not without_needs and len(gone) > (0 if is_strict else stands_for):
        return False
    return _part(o.loops, c.loops, is_strict=is_strict)


def _part(old: Iterable[Walk], new: Iterable[Walk], *, is_strict: bool = False) -> bool:
    """Are these loops, in their order, among others?"""
    rest = iter(old)
    return all(any(_alike(a, b, is_strict=is_strict) for a in rest) for b in new)


def _moves_among(old: Iterable[Walk], new: Iterable[Walk]) -> bool:
    """Do these loops move on like others, in their order, however they end?"""
    rest = iter(old)
    return all(any(_moves_alike(a, b) for a in rest) for b in new)


def _alike(a: Walk, b: Walk, *, is_strict: bool) -> bool:
    if a.moves != b.moves if is_strict else not _moves_alike(a, b):
        return False
    asked = [(way, needs, {n for w, n in b.ways if w == way}) for way, needs in a.ways]
    if is_strict:
        return all(any(n <= needs for n in now) for _, needs, now in asked)
    rarer = any(now and all(needs < n for n in now) for _, needs, now in asked)
    uncapped = a.is_capped and not b.is_capped
    return len(a.ways) <= len(b.ways) and not rarer and not uncapped


def _moves_alike(a: Walk, b: Walk) -> bool:
    """Do both move on by a step of the other, or by none that is known, or in the same way along
    something that is called otherwise, or along the same members from the same start? What was
    halved still is."""
    if a.is_halved and not b.is_halved:
        return False
    is_one_list = a.said == b.said and bool(a.starts & b.starts)
    is_one_way = bool(a.kinds) and a.kinds == b.kinds
    return a.moves == b.moves or bool(a.moves & b.moves) or is_one_way or is_one_list


def _same_moves(old: tuple[Walk, ...], new: tuple[Walk, ...]) -> bool:
    return len(old) == len(new) and all(map(_moves_alike, old, new))
