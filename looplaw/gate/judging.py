"""Two laws compared: does the new one grow faster, and if that cannot be told, why not."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, NamedTuple

from looplaw_common.errors import InputError
from looplaw_common.formula.formula import Formula, parse_formula
from modeling.pmnf.assumed_formula import AssumedFormula
from modeling.pmnf.law_comparison import LawComparison, compare_laws, is_increasing, same_values
from modeling.pmnf.region import EVERYWHERE, Number, Region

from ..report.formulas import IF, with_condition
from .matching import Unified, renamed, unify, with_names
from .program import LENGTH, Law, Symbol

Kind = Literal["growth", "undecided", "new", "gone", "shrunk"]


class Arguments(NamedTuple):
    """The names of a function's arguments before and after; region: what is stated of them."""

    before: Sequence[str] = ()
    after: Sequence[str] = ()
    region: Region = EVERYWHERE


NO_ARGUMENTS = Arguments()
_CONSTANT = 16
"""A law of constants only that grows by this factor has got a loop of its own."""
_NEW_CONSTANT = 1024
"""Iterations of a constant loop that is no trifle where there was no loop."""
_BRANCH = Fraction(1, 3)
"""The fraction of cases that both versions share; any value between 0 and 1 serves."""
_LONG = 2000
"""Characters of two laws whose comparison would take longer than a reviewer waits."""
_READ = 100
"""Characters of a law that people read at a glance."""
IN_MORE_CASES = "also where it was not done before"
_MOST_FUNCTIONS = 3
_LINE, _LONG_NAME = 200, 60
"""Characters of a finding in one line, and of the arguments of a template in it."""
_FUNCTIONS = re.compile(r"\b(?:Max|Min|Sum|Piecewise|floor|ceiling|sqrt|log)\b|\[| if ")
"""What a law is made of that is more than sums, products and powers."""
_NUMBERED = re.compile(r"_\d+\b|_before\b")
_MANY = 1009
"""The value of symbols without a partner while others grow."""


@dataclass(frozen=True)
class Change:
    """A finding. before, after: laws over the same symbols; faster_in: the parameters in which the
    work grows faster than before. commit: the one that made the change, where it is known. unit:
    what the laws count where these are no iterations, such as "library steps"."""

    kind: Kind
    function: str
    at: str
    before: str
    after: str
    faster_in: tuple[str, ...] = ()
    reason: str = ""
    commit: str = ""
    unit: str = ""

    def to_json(self) -> dict[str, object]:
        """As the contract "looplaw-diff/1" has it."""
        commit = {"commit": self.commit} if self.commit else {}
        return {
            **commit,
            "kind": self.kind,
            "function": self.function,
            "at": self.at,
            "before": self.before,
            "after": self.after,
            "faster_in": list(self.faster_in),
            "reason": self.reason,
            **({"unit": self.unit} if self.unit else {}),
        }

    @property
    def laws(self) -> tuple[str, str]:
        """The laws before and after as people read them; empty where they would not."""
        written = _written(self.before), _written(self.after)
        return written if all(map(_is_plain, written)) else ("", "")

    @property
    def text(self) -> str:
        """One line, as in `scan.c:12 scan: n -> n*(n + 1)  (grows faster: n)`, so short that a
        reader takes it in: laws come first, and what does not fit is left out from the end."""
        where = f"{self.commit}: " * bool(self.commit) + f"{self.at} {_short(self.function)}"
        before, after = self.laws
        if self.kind in ("new", "gone"):
            return f"{where}: {self.kind}, {after or before}".rstrip(", ")
        is_told = {before, after} - {"unknown", ""} != set()
        faster = ", ".join(n for n in self.faster_in if is_told or _is_plain(n))
        remark = {
            "growth": "; ".join(filter(None, (faster, self.reason))),
            "shrunk": "grows more slowly",
            "undecided": self.reason,
        }[self.kind]
        head = {"growth": "grows faster: ", "undecided": "undecided: "}.get(self.kind, "")
        unit = f"{self.unit}: " * bool(self.unit)
        if is_told:
            is_by_factor = self.kind == "growth" and not self.faster_in
            said = f"{'' if is_by_factor else head}{remark}"
            whole = f"{where}: {unit}{before} -> {after}  ({said})"
            if len(whole) <= _LINE or not remark:
                return whole
        whole = f"{where}: {unit}{head}{remark}"
        return whole if len(whole) <= _LINE else f"{whole[: _LINE - 1]}…"


def _short(function: str) -> str:
    """The name of a function without long arguments of templates."""
    name, _, given = function.partition("<")
    return f"{name}<...>" if len(given) > _LONG_NAME and name != "operator" else function


def _written(law: str) -> str:
    """A law with cases as a person writes it."""
    return with_condition(law).replace(IF, " if ") if "Piecewise(" in law else law


def _is_plain(law: str) -> bool:
    """Would a reader take in a law at a glance? Not where it is long or made of many functions, or
    where several of its names are told apart by numbers, as those of values without a name are."""
    is_short = len(law) <= _READ and len(_FUNCTIONS.findall(law)) <= _MOST_FUNCTIONS
    return is_short and not _NUMBERED.search(law)


def judged(
    old: Law,
    new: Law,
    arguments: Arguments = NO_ARGUMENTS,
    factor: float | None = None,
    *,
    is_same_code: bool = False,
) -> Change | None:
    """Two laws; None where the new one does not grow faster, nor more slowly."""
    if old == new:
        return None  # also where nothing tells what its symbols are, as in files
    united = unify(old, new, arguments[:2])
    names = _names(old, new, united)
    texts = (renamed(shown(old), names), shown(new))
    try:
        verdict, growth = _verdict(old, new, united, names, arguments.region)
    except InputError as error:
        verdict, growth = f"a law cannot be read: {error}", LawComparison()
    if growth.faster:
        return Change("growth", "", "", *texts, growth.faster, verdict)
    if verdict:
        return None if is_same_code else Change("undecided", "", "", *texts, (), verdict)
    if growth.factor is not None:
        limit = factor
        if limit is None and not _symbols(old) and not _symbols(new):
            limit = _CONSTANT if old.formula != "0" else _NEW_CONSTANT
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


def _verdict(
    old: Law, new: Law, united: Unified, names: dict[str, str], region: Region
) -> tuple[str, LawComparison]:
    """(why it is undecided, or empty; how the law changed)."""
    rivals = {s.kind for s in united.only_after}
    gone = tuple(
        s
        for s in united.only_before
        if s.kind in ("mean", "loaded") or (s.kind not in ("few", "fraction") and s.kind in rivals)
    )
    means = _of_kind(united.only_after, "mean")
    fixed: dict[str, Number] = {s.name: _BRANCH for s in new.symbols if s.kind == "fraction"}
    old_fractions = _of_kind(united.only_before, "fraction")
    fixed |= {names.get(s.name, s.name): Fraction(1) for s in old_fractions}
    fixed |= {s.name: Fraction(1) for s in _of_kind(united.only_after, "fraction")}
    fixed |= {names.get(s.name, s.name): Fraction(1) for s in _of_kind(old.symbols, "few")}
    fixed |= {s.name: Fraction(1) for s in _of_kind(new.symbols, "few")}

    old = with_names(old, names)
    a, b = old.guarded(old.formula), new.guarded(new.formula)
    if a is not None and b is not None and len(a.text) + len(b.text) > _LONG and a.text != b.text:
        return "its laws are too long to compare", LawComparison()
    if a is not None and b is not None:
        if means or gone:
            return _with_strangers(a, b, united, names, fixed, region)
        growth = compare_laws(a, b, fixed=fixed, region=region)
        if growth.reason:
            return growth.reason, growth
        if not growth.faster and old_fractions:
            return _always(a, b, united, names, fixed, region) or (
                f"it no longer depends on the {_meanings(old_fractions)}",
                growth,
            )
        return "", growth
    least = old.guarded(old.upper) if a is None else a
    most = new.guarded(new.upper) if b is None else b
    surely = new.guarded(new.lower) if b is None else b
    floor = old.guarded(old.lower) if a is None else a
    if not (means or gone):
        if least is not None and surely is not None:
            growth = compare_laws(least, surely, fixed=fixed, region=region)
            if growth.faster:
                return "by their bounds", growth
        if floor is not None and most is not None:
            growth = compare_laws(floor, most, fixed=fixed, region=region)
            if not growth.faster and not growth.reason:
                return "", growth
    sides = [name for name, law in (("before", a), ("after", b)) if law is None]
    why = (new.reason if b is None else old.reason) or "no formula was found"
    return f"the law {' and '.join(sides)} is not known: {why}", LawComparison()


def _always(
    a: AssumedFormula,
    b: AssumedFormula,
    united: Unified,
    names: dict[str, str],
    fixed: dict[str, Number],
    region: Region,
) -> tuple[str, LawComparison] | None:
    """Work that was done on some ways only, which the law before tells by 0 or 1, and is always
    done now; None where it is not seen that more is done where it was not."""
    ways = [s for s in united.only_before if s.meaning.startswith("whether ")]
    if united.only_after or len(ways) != len(_of_kind(united.only_before, "fraction")):
        return None
    idle: dict[str, Number] = {**fixed, **{names.get(s.name, s.name): 0 for s in ways}}
    growth = compare_laws(a, b, fixed=idle, region=region)
    if not growth.faster:
        return None
    return f"{IN_MORE_CASES}: {_meanings(ways)} was 0", replace(growth, slower=())


def _with_strangers(
    a: AssumedFormula,
    b: AssumedFormula,
    united: Unified,
    names: dict[str, str],
    fixed: dict[str, Number],
    region: Region,
) -> tuple[str, LawComparison]:
    """Laws with symbols that have no partner: growth only in what is known of both."""
    without = _without_gone(a, b, united, names, fixed, region)
    if without is not None:
        return "", without
    before = {names.get(s.name, s.name) for s in united.only_before}
    means = {s.name for s in _of_kind(united.only_after, "mean")}
    if means and not before:
        # what ran before still runs if the new loops turn once: they came on top
        least = compare_laws(a, b, fixed={**dict.fromkeys(means, 1), **fixed}, region=region)
        grown = compare_laws(a, b, fixed=fixed, region=region)
        if not least.slower and not least.reason and set(grown.faster) & means:
            return "", replace(grown, slower=())
    constant: dict[str, Number] = dict.fromkeys(before | means, _MANY)
    growth = compare_laws(a, b, fixed={**constant, **fixed}, region=region)
    rivals = {s.kind for s in united.only_before}
    ambiguous = {s.name for s in united.only_after if s.kind in rivals}
    faster = tuple(n for n in growth.faster if n not in ambiguous)
    if faster and not before:
        return "", replace(growth, faster=faster)
    return _unmatched(united), LawComparison()


def _without_gone(
    a: AssumedFormula,
    b: AssumedFormula,
    united: Unified,
    names: dict[str, str],
    fixed: dict[str, Number],
    region: Region,
) -> LawComparison | None:
    """How laws compare where the one before is taken without what has gone from it, which only adds
    to it; None where that does not show that there is no growth."""
    gone = [names.get(s.name, s.name) for s in united.only_before]
    is_added = all(
        s.kind in ("mean", "few", "fraction") or s.meaning.startswith(LENGTH)
        for s in united.only_before
    )
    if not gone or united.only_after or not is_added:
        return None
    if not all(is_increasing(a.text, name) for name in gone):
        return None
    growth = compare_laws(a, b, fixed={**fixed, **dict.fromkeys(gone, 0)}, region=region)
    is_more = not growth.slower and (growth.factor is None or growth.factor > 1)
    if growth.faster or growth.reason or is_more:
        return None
    return replace(growth, slower=tuple(gone), factor=None)


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
    from ..laws.law_terms import without_guards

    if law.formula is not None:
        try:
            return without_guards(_read(law.formula)).text
        except InputError:
            return law.formula
    known = [f"at least {law.lower}"] * (law.lower not in (None, "0"))
    known += [f"at most {law.upper}"] * (law.upper is not None)
    return ", ".join(known) or "unknown"


def is_equal(old: Law, new: Law, arguments: Arguments = NO_ARGUMENTS) -> bool:
    """Are two laws the same, in whatever form? No where one of them is not known."""
    if old.formula is None or new.formula is None:
        return False
    united = unify(old, new, arguments[:2])
    if united.only_after or united.only_before:
        return False
    before = with_names(old, _names(old, new, united))
    a, b = before.guarded(before.formula), new.guarded(new.formula)
    try:
        return a is not None and b is not None and same_values(a, b)
    except InputError:
        return False
