"""What changed between the laws of two versions: growth, and what cannot be decided."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from looplaw_common.errors import InputError
from modeling.pmnf.formula import Formula, parse_formula

from ..laws.law_terms import without_guards
from .growth import Growth, Number, compare_growth
from .matching import Unified, match_functions, renamed, unify
from .program import FunctionLaws, Law, ProgramLaws, Symbol

FORMAT = "looplaw-diff/1"
Kind = Literal["growth", "undecided", "new", "gone", "shrunk"]
_CONSTANT = 16
"""A law of constants only that grows by this factor has got a loop of its own."""
_BRANCH = Fraction(1, 3)
"""The fraction of cases that both versions share; any value between 0 and 1 serves."""
Alone = Callable[[FunctionLaws], FunctionLaws | None]
"""A function by itself, its laws in its own arguments."""


@dataclass(frozen=True)
class Change:
    """A finding. before, after: laws over the same symbols; faster_in: the parameters in which the
    work grows faster than before."""

    kind: Kind
    function: str
    at: str
    before: str
    after: str
    faster_in: tuple[str, ...] = ()
    reason: str = ""

    def to_json(self) -> dict[str, object]:
        """As the contract "looplaw-diff/1" has it."""
        return {
            "kind": self.kind,
            "function": self.function,
            "at": self.at,
            "before": self.before,
            "after": self.after,
            "faster_in": list(self.faster_in),
            "reason": self.reason,
        }

    @property
    def text(self) -> str:
        """One line, as in `scan.c:12 scan: n -> n*(n + 1)  (grows faster: n)`."""
        where = f"{self.at} {self.function}"
        if self.kind in ("new", "gone"):
            return f"{where}: {self.kind}, {self.after or self.before}"
        remark = {
            "growth": f"grows faster: {', '.join(self.faster_in)}" if self.faster_in else "",
            "shrunk": "grows more slowly",
        }.get(self.kind, "")
        if self.kind == "undecided":
            remark = f"undecided: {self.reason}"
        return f"{where}: {self.before} -> {self.after}  ({remark or self.reason})"


def changes(
    before: ProgramLaws,
    after: ProgramLaws,
    *,
    factor: float | None = None,
    alone: tuple[Alone, Alone] | None = None,
) -> tuple[Change, ...]:
    """The findings, the entry's first.

    Args:
        factor: report constant factors above it, too.
        alone: analyses a function of either version by itself, to compare what it does for any
            arguments; functions whose code did not change are not asked for.
    """
    matched = match_functions(before.functions, after.functions)
    found: list[tuple[FunctionLaws, Change]] = []
    for old, new in matched.pairs:
        same = old.deep is not None and old.deep == new.deep
        change = _compared(old, new, factor, is_same_code=same)
        is_entry = new.name == after.entry
        if alone is not None and not same and not is_entry:
            own = (alone[0](old), alone[1](new))
            if own[0] is not None and own[1] is not None:
                change = _graver(_compared(own[0], own[1], factor, is_same_code=False), change)
        if change is not None:
            found.append((new, change))
    return (
        *_without_consequences(found, matched.pairs, after.entry),
        *(_only(f, "new") for f in matched.new),
        *(_only(f, "gone") for f in matched.gone),
    )


def _graver(own: Change | None, seen: Change | None) -> Change | None:
    """What a function's own laws say, unless growth is seen only in the whole program: there, what
    cannot be decided of the one is often known."""
    if seen is not None and seen.kind == "growth":
        return own if own is not None and own.kind == "growth" else seen
    return own


def _without_consequences(
    found: Sequence[tuple[FunctionLaws, Change]],
    pairs: Sequence[tuple[FunctionLaws, FunctionLaws]],
    entry: str | None,
) -> list[Change]:
    """Without callers whose own code is the same: what grew is below them. The entry stays."""
    unchanged = {new.name for old, new in pairs if old.own is not None and old.own == new.own}
    grave = {f.name for f, c in found if c.kind in ("growth", "undecided")}
    below = {new.name: _below(new, [n for _, n in pairs]) for _, new in pairs}
    kept = []
    for f, c in found:
        causes = below[f.name] & grave - {f.name}
        if c.kind != "shrunk" and f.name in unchanged and causes:
            if f.name != entry or c.kind == "undecided":
                continue
        kept.append((f.name != entry, c))
    return [c for _, c in sorted(kept, key=lambda pair: pair[0])]


def _below(f: FunctionLaws, functions: Sequence[FunctionLaws]) -> set[str]:
    by_name = {g.name: g for g in functions}
    seen, todo = set[str](), list(f.callees)
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo += by_name[name].callees if name in by_name else ()
    return seen


def _only(f: FunctionLaws, kind: Kind) -> Change:
    law = shown(f.work)
    sides = ("", law) if kind == "new" else (law, "")
    return Change(kind, f.name, f.at, *sides, reason=f"the function is {kind}")


def _compared(
    old: FunctionLaws, new: FunctionLaws, factor: float | None, *, is_same_code: bool
) -> Change | None:
    """A function before and after; None where nothing changed."""
    arguments = (old.arguments, new.arguments)
    change = judged(old.work, new.work, arguments, factor, is_same_code=is_same_code)
    if change is None or change.kind == "shrunk":
        deeper = None
        if (old.is_recursive or new.is_recursive) and not is_same_code:
            deeper = judged(_steps(old), _steps(new), arguments, factor, is_same_code=is_same_code)
        change = deeper or change
    if (change is None or change.kind == "shrunk") and not is_same_code:
        change = _grown_loop(old, new, arguments) or change
    return None if change is None else replace(change, function=new.name, at=new.at)


def _grown_loop(
    old: FunctionLaws, new: FunctionLaws, arguments: tuple[Sequence[str], Sequence[str]]
) -> Change | None:
    """A loop that grows faster than each loop before that it could be, where another loop of the
    function does so much that the work as a whole does not grow; None where loops can be paired
    without growth, in whatever order they stand now."""
    if len(old.loops) != len(new.loops) or old.own == new.own:
        return None
    verdicts = [[judged(a, b, arguments) for a in old.loops] for b in new.loops]
    if any(v is not None and v.kind == "undecided" for row in verdicts for v in row):
        return None
    partner: dict[int, int] = {}
    for k in range(len(new.loops)):
        if not _paired(k, verdicts, partner, set()):
            found = verdicts[k][k]
            if found is not None and found.kind == "growth":
                return replace(found, reason=f"loop {k + 1} of the function")
            return next((v for v in verdicts[k] if v is not None and v.kind == "growth"), None)
    return None


def _paired(
    k: int, verdicts: Sequence[Sequence[Change | None]], partner: dict[int, int], seen: set[int]
) -> bool:
    """Does loop k find a loop before that it does not outgrow (an augmenting path of Kuhn's
    matching)?"""
    for i, verdict in enumerate(verdicts[k]):
        if i in seen or (verdict is not None and verdict.kind == "growth"):
            continue
        seen.add(i)
        if i not in partner or _paired(partner[i], verdicts, partner, seen):
            partner[i] = k
            return True
    return False


def _steps(f: FunctionLaws) -> Law:
    """Iterations and calls together: what a recursive function does."""
    work, calls = f.work, f.calls
    symbols = {s.name: s for s in (*work.symbols, *calls.symbols)}

    def both(a: str | None, b: str | None) -> str | None:
        return None if a is None or b is None else f"({a}) + ({b})" if a != "0" else b

    return Law(
        both(work.formula, calls.formula),
        both(work.lower, calls.lower),
        both(work.upper, calls.upper),
        tuple(symbols.values()),
        calls.reason or work.reason,
    )


def judged(
    old: Law,
    new: Law,
    arguments: tuple[Sequence[str], Sequence[str]] = ((), ()),
    factor: float | None = None,
    *,
    is_same_code: bool = False,
) -> Change | None:
    """Two laws; None where the new one does not grow faster, nor more slowly."""
    united = unify(old, new, arguments)
    names = _names(old, new, united)
    texts = (renamed(shown(old), names), shown(new))
    try:
        verdict, growth = _verdict(old, new, united, names)
    except InputError as error:
        verdict, growth = f"a law cannot be read: {error}", Growth()
    if growth.faster:
        return Change("growth", "", "", *texts, growth.faster, verdict)
    if verdict:
        return None if is_same_code else Change("undecided", "", "", *texts, (), verdict)
    if growth.factor is not None:
        limit = factor if factor is not None else None
        constant = not _symbols(old) and not _symbols(new)
        if limit is None and constant:
            limit = _CONSTANT
        if limit is not None and growth.factor > limit and not is_same_code:
            times = f"{growth.factor:.3g} times as much as before"
            return Change("growth", "", "", *texts, (), times)
    if growth.slower:
        return Change("shrunk", "", "", *texts, (), f"less in {', '.join(growth.slower)}")
    return None


def _symbols(law: Law) -> frozenset[str]:
    return _read(law.formula).symbols if law.formula is not None else frozenset()


def _names(old: Law, new: Law, united: Unified) -> dict[str, str]:
    """Symbol before -> as it is called after; those without a partner keep a name of their own."""
    taken = {s.name for s in new.symbols}
    names = dict(united.rename)
    for s in united.only_before:
        if s.name in taken:
            names[s.name] = f"{s.name}_before"
    return names


def _verdict(old: Law, new: Law, united: Unified, names: dict[str, str]) -> tuple[str, Growth]:
    """(why it is undecided, or empty; how the law changed)."""
    rivals = {s.kind for s in united.only_after}
    gone = tuple(
        s
        for s in united.only_before
        if s.kind in ("mean", "loaded") or (s.kind != "fraction" and s.kind in rivals)
    )
    means = _of_kind(united.only_after, "mean")
    fixed: dict[str, Number] = {s.name: _BRANCH for s in new.symbols if s.kind == "fraction"}
    old_fractions = _of_kind(united.only_before, "fraction")
    fixed |= {names.get(s.name, s.name): Fraction(1) for s in old_fractions}
    fixed |= {s.name: Fraction(1) for s in _of_kind(united.only_after, "fraction")}

    def text(t: str | None) -> Formula | None:
        return None if t is None else _read(renamed(t, names))

    a, b = text(old.formula), None if new.formula is None else _read(new.formula)
    if a is not None and b is not None:
        if means or gone:
            return _with_strangers(a, b, united, names, fixed)
        growth = compare_growth(a, b, fixed=fixed)
        if growth.reason:
            return growth.reason, growth
        if not growth.faster and old_fractions:
            return f"it no longer depends on the {_meanings(old_fractions)}", growth
        return "", growth
    least = text(old.upper) if a is None else a
    most = (None if new.upper is None else _read(new.upper)) if b is None else b
    surely = (None if new.lower is None else _read(new.lower)) if b is None else b
    floor = text(old.lower) if a is None else a
    if not (means or gone):
        if least is not None and surely is not None:
            growth = compare_growth(least, surely, fixed=fixed)
            if growth.faster:
                return "by their bounds", growth
        if floor is not None and most is not None:
            growth = compare_growth(floor, most, fixed=fixed)
            if not growth.faster and not growth.reason:
                return "", growth
    sides = [name for name, law in (("before", a), ("after", b)) if law is None]
    why = (new.reason if b is None else old.reason) or "no formula was found"
    return f"the law {' and '.join(sides)} is not known: {why}", Growth()


def _with_strangers(
    a: Formula, b: Formula, united: Unified, names: dict[str, str], fixed: dict[str, Number]
) -> tuple[str, Growth]:
    """Laws with symbols that have no partner: growth only in what is known of both."""
    before = {names.get(s.name, s.name) for s in united.only_before}
    means = {s.name for s in _of_kind(united.only_after, "mean")}
    constant: dict[str, Number] = dict.fromkeys(before | means, 1009)
    growth = compare_growth(a, b, fixed={**constant, **fixed})
    rivals = {s.kind for s in united.only_before}
    ambiguous = {s.name for s in united.only_after if s.kind in rivals}
    faster = tuple(n for n in growth.faster if n not in ambiguous)
    if faster and not before:
        return "", replace(growth, faster=faster)
    return _unmatched(united), Growth()


def _unmatched(united: Unified) -> str:
    parts = []
    if united.only_before:
        parts.append(f"the law before depends on the {_meanings(united.only_before)}")
    if united.only_after:
        parts.append(f"the law after on the {_meanings(united.only_after)}")
    return ", ".join(parts)


def _meanings(found: Sequence[Symbol]) -> str:
    return ", ".join(f"{s.meaning} ({s.name})" for s in found[:3])


def _of_kind(found: Sequence[Symbol], *kinds: str) -> tuple[Symbol, ...]:
    return tuple(s for s in found if s.kind in kinds)


def _read(text: str) -> Formula:
    return parse_formula(text)


def shown(law: Law) -> str:
    """A law as people read it: without guards that matter for small values only."""
    if law.formula is not None:
        try:
            return without_guards(_read(law.formula)).text
        except InputError:
            return law.formula
    known = [f"at least {law.lower}"] * (law.lower not in (None, "0"))
    known += [f"at most {law.upper}"] * (law.upper is not None)
    return ", ".join(known) or "unknown"
