"""Functions and symbols of two versions in pairs."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

import msgspec

from modeling.pmnf.law_comparison import is_increasing

from .program import LENGTH, FunctionLaws, Law, Symbol

_ALIKE = 0.6
"""Functions that share this much of their laws, calls and names are one that was renamed."""
_OF_ARGUMENT = re.compile(rf"(argument |parameter |{LENGTH})(\w+)")
_WORD = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True)
class Matched:
    """pairs: functions before and after, in the order after; gone, new: those of one side only."""

    pairs: tuple[tuple[FunctionLaws, FunctionLaws], ...]
    gone: tuple[FunctionLaws, ...]
    new: tuple[FunctionLaws, ...]


def match_functions(before: Sequence[FunctionLaws], after: Sequence[FunctionLaws]) -> Matched:
    """By name; then by equal code, wherever it moved; then those that are most alike."""
    found: dict[int, FunctionLaws] = {}
    left = list(before)
    picks: tuple[Callable[[FunctionLaws, FunctionLaws], bool], ...] = (
        lambda a, b: a.symbol == b.symbol and a.name == b.name and _file(a) == _file(b),
        lambda a, b: a.name == b.name and a.deep is not None and a.deep == b.deep,
        lambda a, b: a.name == b.name and _file(a) == _file(b),
        lambda a, b: a.name == b.name,
        lambda a, b: a.deep is not None and a.deep == b.deep,
        lambda a, b: a.own is not None and a.own == b.own,
    )
    for pick in picks:
        for k, new in enumerate(after):
            if k not in found and (old := next((o for o in left if pick(o, new)), None)):
                found[k] = old
                left.remove(old)
    rest = sorted(
        (
            (_likeness(old, new), i, k)
            for i, old in enumerate(left)
            for k, new in enumerate(after)
            if k not in found
        ),
        reverse=True,
    )
    taken = set[int]()
    for likeness, i, k in rest:
        if likeness >= _ALIKE and i not in taken and k not in found:
            found[k] = left[i]
            taken.add(i)
    gone = tuple(f for i, f in enumerate(left) if i not in taken)
    pairs = tuple((found[k], new) for k, new in enumerate(after) if k in found)
    return Matched(pairs, gone, tuple(f for k, f in enumerate(after) if k not in found))


def _file(f: FunctionLaws) -> str:
    return f.at.rpartition(":")[0]


def _likeness(a: FunctionLaws, b: FunctionLaws) -> float:
    """Between 0 and 1: how alike name, arguments and callees are."""
    if len(a.arguments) != len(b.arguments):
        return 0.0
    left, right = (f"{f.name} {' '.join(f.arguments)} {' '.join(f.callees)}" for f in (a, b))
    return SequenceMatcher(None, left, right, autojunk=False).ratio()


@dataclass(frozen=True)
class Unified:
    """Two laws over the same symbols. rename: symbol before -> symbol after; only_before,
    only_after: symbols without a partner."""

    rename: dict[str, str]
    only_before: tuple[Symbol, ...]
    only_after: tuple[Symbol, ...]


def unify(
    before: Law, after: Law, arguments: tuple[Sequence[str], Sequence[str]] = ((), ())
) -> Unified:
    """The symbols of two laws, matched by what they mean.

    Args:
        arguments: the names of the function's arguments before and after, which pair renamed ones.
    """
    left, right = list(before.symbols), list(after.symbols)
    rename: dict[str, str] = {}

    def pair(a: Symbol, b: Symbol) -> None:
        rename[a.name] = b.name
        left.remove(a)
        right.remove(b)

    depth = max((len(s.keys) for s in (*left, *right)), default=0)
    for level in range(depth):
        for a in tuple(left):
            keys = a.keys[: level + 1]
            partner = next(
                (b for b in right if a.kind == b.kind and set(keys) & set(b.keys[: level + 1])),
                None,
            )
            if partner is not None:
                pair(a, partner)
    names = _new_names(*arguments)
    for a in tuple(left):
        said = renamed(a.meaning, names)
        partner = next((b for b in right if a.kind == b.kind and b.meaning == said), None)
        if partner is not None and said != a.meaning:  # such as an element of a renamed array
            pair(a, partner)
    for a in tuple(left):
        at = _of_argument(a, arguments[0])
        if at is None:
            continue
        partner = next((b for b in right if _of_argument(b, arguments[1]) == at), None)
        if partner is not None and _word(a) not in arguments[1]:
            pair(a, partner)
    for a in tuple(left):
        # where the loop only has further ways out, it ends no later
        partner = next((b for b in right if _ends_no_later(a, b)), None)
        if partner is not None and is_increasing(after.formula, partner.name):
            pair(a, partner)
    taken = {s.name for s in after.symbols}
    for a in tuple(left):
        known = _known(a, arguments[0], arguments[1])
        if known is not None and known not in taken:
            rename[a.name] = known
            left.remove(a)
    kept = (b for b in right if _known(b, arguments[1], arguments[0]) is None)
    return Unified(rename, tuple(left), tuple(kept))


def _ends_no_later(a: Symbol, b: Symbol) -> bool:
    """Has the loop of a symbol after all ways out of that before, and more?"""
    return bool(a.ways_out) and set(a.ways_out) < set(b.ways_out)


def _new_names(own: Sequence[str], other: Sequence[str]) -> dict[str, str]:
    """Arguments that only one version has under their names, by their places."""
    if len(own) != len(other):
        return {}
    pairs = zip(own, other, strict=True)
    return {a: b for a, b in pairs if a not in other and b not in own}


def _known(s: Symbol, own: Sequence[str], other: Sequence[str]) -> str | None:
    """The name of an argument in the other version, whose law does not depend on it."""
    at = _position(s, own)
    if at is None or len(own) != len(other):
        return None
    return own[at] if own[at] in other else other[at] if other[at] not in own else None


def _of_argument(s: Symbol, arguments: Sequence[str]) -> tuple[str, int] | None:
    """What the symbol is of which argument: its value, or the length of its string."""
    found = _OF_ARGUMENT.match(s.meaning)
    if found is None or found[2] not in arguments:
        return None
    return found[1] if found[1] == LENGTH else "", arguments.index(found[2])


def _word(s: Symbol) -> str:
    found = re.match(r"(?:argument|parameter) (\w+)", s.meaning)
    return found[1] if found else ""


def _position(s: Symbol, arguments: Sequence[str]) -> int | None:
    word = _word(s)
    return arguments.index(word) if word in arguments else None


def renamed(text: str, names: dict[str, str]) -> str:
    """A formula with other symbols, all replaced at once."""
    return _WORD.sub(lambda m: names.get(m[0], m[0]), text)


def with_names(law: Law, names: dict[str, str]) -> Law:
    """A law over other symbols, with what it assumes."""

    def text(formula: str | None) -> str | None:
        return None if formula is None else renamed(formula, names)

    return msgspec.structs.replace(
        law,
        formula=text(law.formula),
        lower=text(law.lower),
        upper=text(law.upper),
        conditions=tuple(renamed(c, names) for c in law.conditions),
        ranges={names.get(n, n): r for n, r in law.ranges.items()},
    )
