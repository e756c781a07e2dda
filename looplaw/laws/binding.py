"""Laws in a study's own parameters: the unknowns of formulas, bound to them by what runs show.

The analysis gives counts in the terms of the program: `(nx + 1)**3` where nx is loaded from a
structure that an option loop fills. Counts are exact, so that a formula with a single unknown tells
its value in every run; with that value known, the next formula has a single unknown. The simplest
formula of the swept parameters that gives these values in all runs is put in the unknown's place,
and the law that results has to give every count of every run. What it says is then as certain as
observation makes it, which its kind and the number of runs say.

What stays unbound and is a whole number in every run, as the steps of a loop that ends by data,
remains a named count of the law.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import islice, product
from math import lcm
from random import Random
from typing import Literal

from modeling.integers.search import find_formula
from modeling.pmnf.count_law import CountLaw
from runtime import RunRecord
from staticana import Analysis, InputError, LoopResult, ProgramParameter
from staticana.expr import Expr, Number, Sum, TooComplex, expr, sym

from ..documents.study import at_values
from .formula_reading import NotWritten, exact_formula
from .law_terms import in_range

LawKind = Literal["exact", "bound", "counted"]
_INTEGER = re.compile(r"[+-]?(?:0|[1-9]\d*)$")
_IS_NUMBER = re.compile(r"value |result |extent ")
"""Beginnings of the meanings of unknowns that are numbers of the program: no means, no parts."""
_LARGEST = 1 << 48
"""Values of unknowns are looked for up to here."""
_MOST_PARTS = 64
"""The largest common denominator of the values of a mean that is bound."""
_ALIKE, _FEWEST, _SEED = 240, 24, 1
"""Points at which two texts of a law are compared, and how many of them have to be such that its
assumptions hold."""
_SCALES = (2, 6, 24, 100, 1000)
"""Each parameter is drawn up to one of these by itself, so that any of several is the largest."""
_MOST_ATOMS = 4_000
"""Texts of a law are not compared where more atoms of its sums' terms are evaluated, some 20 ms a
value."""
_MOST_TOGETHER, _LARGEST_TOGETHER = 2, 64
"""So many unknowns are looked for together among the numbers from 1 to this one: the sides of a
grid of thousands of processes."""
_ELSEWHERE = (-1, 0, _LARGEST_TOGETHER + 1, 2 * _LARGEST_TOGETHER, 1 << 20)
"""Where counts are the same for numbers like these, they tell none: a limit takes its place."""
_CONFIRMING = 2
"""Points at which a constant has to be seen beside the first."""
_LONGEST = 24
"""Terms of the longest formula that is solved for an unknown."""


@dataclass(frozen=True)
class SweptLaw:
    """The iterations of a loop in a run, in the parameters of a study.

    formula: over swept parameters, and over named counts where some remain; kind: "exact" from the
    program alone, "bound" with unknowns that runs bound to parameters, "counted" from the counts
    alone; where: unknown -> what it was bound to; open: the named counts that remain; seen: runs
    with these counts; values: parameter -> how many values of it they had; text: how it is written,
    if not as the formula; holds_for: see `CountLaw`.
    formula: None where only its text is known.
    """

    formula: Expr | None
    kind: LawKind
    where: Mapping[str, str] = field(default_factory=dict)
    open: tuple[str, ...] = ()
    seen: int = 0
    text: str = ""
    holds_for: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, int] = field(default_factory=dict)

    @property
    def told(self) -> str:
        """The law in words."""
        where = ", ".join(f"{name} = {text}" for name, text in self.where.items())
        return (
            f"counted as {self.written}"
            + (f" where {where}" if where else "")
            + f" (seen in {self.seen} of {self.seen} runs{at_values(self.values)})"
        )

    @property
    def written(self) -> str:
        """The formula as text."""
        return self.text or str(self.formula)

    def to_json(self) -> dict[str, object]:
        return {
            "formula": self.written,
            "kind": self.kind,
            "where": dict(self.where),
            "seen": self.seen,
            "holds_for": dict(self.holds_for),
            "values": dict(self.values),
        }


@dataclass(frozen=True)
class Counts:
    """One parameter vector: the swept parameters, what else the command line gives, and the
    iterations of each loop in a run."""

    params: Mapping[str, int]
    given: Mapping[str, int]
    iterations: Mapping[str, int]
    runs: int = 1


# -- the command line
def given_values(
    parameters: Iterable[ProgramParameter], params: Mapping[str, int], argv: Sequence[str]
) -> dict[str, int]:
    """Parameters with the values of a run: those that are varied, and words of the command line
    that are numbers."""
    found = dict(params)
    for p in parameters:
        if p.name in found:
            continue
        if p.origin == "argc":
            found[p.name] = len(argv) + 1
        elif p.origin.startswith("argv["):
            at = int(p.origin[5:-1])
            if 0 < at <= len(argv) and _INTEGER.match(argv[at - 1]):
                found[p.name] = int(argv[at - 1])
    return found


def given_formulas(
    parameters: Iterable[ProgramParameter], words: Sequence[str], swept: Iterable[str]
) -> dict[str, Expr]:
    """Parameters that the words of the command line give as a swept parameter or a number: with
    '{n} {n} 10', argv[2] is n and argv[3] is 10."""
    names = set(swept)
    found: dict[str, Expr] = {}
    for p in parameters:
        if p.name in names:
            continue
        if p.origin == "argc":
            found[p.name] = expr(len(words) + 1)
        elif p.origin.startswith("argv["):
            at = int(p.origin[5:-1])
            word = words[at - 1] if 0 < at <= len(words) else ""
            if word[1:-1] in names and word == f"{{{word[1:-1]}}}":
                found[p.name] = sym(word[1:-1])
            elif _INTEGER.match(word):
                found[p.name] = expr(int(word))
    return found


# -- values of unknowns
def _value(e: Expr, at: Mapping[str, Number]) -> Number | None:
    try:
        return e.evaluate(at)
    except (OverflowError, ZeroDivisionError, KeyError):
        return None


def _put(
    e: Expr, values: Mapping[str, Expr], lowest: Mapping[str, int] | None = None
) -> Expr | None:
    """The formula with values in the place of its symbols, simplified for parameters of at least
    `lowest`; None where it has no value there, or is too long to be written."""
    try:
        put = e.substitute({s: values[s] for s in e.symbols if s in values})
        return put if lowest is None else in_range(put, lowest)
    except (TooComplex, ZeroDivisionError, OverflowError):
        return None


def _solved(formula: Expr, name: str, known: Mapping[str, Number], count: int) -> Number | None:
    """The value of a formula's one unknown that gives the count; None where several do."""
    e = _put(formula, {s: expr(v) for s, v in known.items()})
    if e is None:
        return None
    line = e.affine_in(name)
    if line is not None and line[0]:
        slope, rest = line[0].constant, line[1].constant
        if not slope or rest is None:
            return None
        found = Fraction(count - rest) / Fraction(slope)
        return int(found) if found.denominator == 1 else found
    return _inverse(e, name, count)


def _inverse(e: Expr, name: str, count: int) -> int | None:
    """The whole number where a formula that does not decrease has this value, if there is one
    only."""
    high = 1
    while (above := _value(e, {name: high})) is not None and above <= count:
        high *= 2
        if high > _LARGEST:
            return None
    if above is None:
        return None
    low = 0
    while low < high:  # the first value above the count
        middle = (low + high) // 2
        at = _value(e, {name: middle})
        if at is None:
            return None
        low, high = (low, middle) if at > count else (middle + 1, high)
    at, before = _value(e, {name: low - 1}), _value(e, {name: low - 2})
    return low - 1 if at == count and before is not None and before < count else None


@dataclass(frozen=True)
class Observed:
    """Values of unknowns at each point, and for each unknown the loop whose count first told it."""

    values: tuple[Mapping[str, Number], ...]
    source: Mapping[str, str]


def _observed(
    formulas: Mapping[str, Expr],
    guards: Iterable[str],
    points: Sequence[Counts],
    numbers: frozenset[str] = frozenset(),
) -> Observed:
    """Values of unknowns as far as counts tell them one after the other, and of `numbers`, which
    are no means, together; `guards`: those that are 0 or 1."""
    order = sorted(formulas, key=lambda at: (len(formulas[at].terms), len(str(formulas[at]))))
    order = [at for at in order if len(formulas[at].terms) <= _LONGEST]
    multiples = {g: _multiples(g, formulas, order) for g in sorted(guards)}
    found: list[Mapping[str, Number]] = []
    source: dict[str, str] = {}
    untold: set[frozenset[str]] = set()
    for point in points:
        known: dict[str, Number] = {**point.params, **point.given}
        start = frozenset(known)
        known |= {
            g: int(any(point.iterations[at] for at in behind))
            for g, behind in multiples.items()
            if behind
        }
        passed = {g: expr(known[g]) for g in multiples if g in known}
        here = {at: e for at in order if (e := _put(formulas[at], passed)) is not None}
        _one_by_one(here, known, point.iterations, source)
        if told := _together(here, known, point.iterations, numbers, untold):
            known |= told
            _one_by_one(here, known, point.iterations, source)
        found.append({s: v for s, v in known.items() if s not in start})
    return Observed(tuple(found), source)


def _one_by_one(
    formulas: Mapping[str, Expr],
    known: dict[str, Number],
    counts: Mapping[str, int],
    source: dict[str, str],
) -> None:
    """Add what formulas with one unknown tell to what is known, until no more of them does."""
    waiting = list(formulas)
    progress = True
    while progress:
        progress = False
        for at in list(waiting):
            unknown = formulas[at].symbols - known.keys()
            if len(unknown) > 1:
                continue
            waiting.remove(at)
            if unknown:
                (name,) = unknown
                value = _solved(formulas[at], name, known, counts[at])
                if value is not None:
                    known[name], progress = value, True
                    source.setdefault(name, at)


def _together(
    formulas: Mapping[str, Expr],
    known: Mapping[str, Number],
    counts: Mapping[str, int],
    numbers: frozenset[str],
    untold: set[frozenset[str]],
) -> dict[str, Number]:
    """The values of one or two unknowns that give the counts of several loops, as the sides of a
    grid of processes do: small whole numbers, where one choice of them only gives all counts.

    Args:
        untold: unknowns of which some point did not tell the values, so that no law has them; more
            are added.
    """
    sets: dict[frozenset[str], list[str]] = {}
    for at, e in formulas.items():
        unknown = e.symbols - known.keys()
        if 0 < len(unknown) <= _MOST_TOGETHER and unknown <= numbers:
            sets.setdefault(frozenset(unknown), []).append(at)
    found: dict[str, Number] = {}
    for names in sorted(sets, key=lambda names: (-len(names), sorted(names))):
        told = [at for some in sets if some <= names for at in sets[some]]
        if len(told) <= len(names) or names in untold or not names.isdisjoint(found):
            continue
        ways = _ways(
            [
                (formulas[at], counts[at])
                for at in sorted(told, key=lambda at: len(str(formulas[at])))
            ],
            sorted(names),
            known,
        )
        if len(ways) == 1:
            found |= ways[0]
        else:
            untold.add(names)
    return found


def _ways(
    equations: Sequence[tuple[Expr, int]], names: Sequence[str], known: Mapping[str, Number]
) -> list[dict[str, Number]]:
    """The choice of small whole numbers that gives the counts; more where others do, too, so that
    it is not told."""
    here = {s: expr(v) for s, v in known.items()}
    put = [(e, n) for formula, n in equations if (e := _put(formula, here)) is not None]

    def giving(choices: Iterable[Mapping[str, Number]]) -> Iterator[dict[str, Number]]:
        return ({**at} for at in choices if all(_value(e, at) == n for e, n in put))

    small = product(range(1, _LARGEST_TOGETHER + 1), repeat=len(names))
    found = list(islice(giving(dict(zip(names, v, strict=True)) for v in small), 2))
    if len(found) == 1:
        others = [{**found[0], n: v} for n in names for v in _ELSEWHERE]
        others += [dict.fromkeys(names, v) for v in _ELSEWHERE]
        found += islice(giving(others), 1)
    return found


def _multiples(guard: str, formulas: Mapping[str, Expr], among: Iterable[str]) -> list[str]:
    """The loops that do not run where a guard is 0. If one of them ran, the guard was 1; if none
    did, it may as well have been 0."""
    return [
        at
        for at in among
        if guard in formulas[at].symbols and _put(formulas[at], {guard: expr(0)}) == expr(0)
    ]


# -- bindings
class Finder:
    """Finds formulas of the swept parameters, each question once."""

    def __init__(self, names: Sequence[str], points: Sequence[Counts]) -> None:
        self.names = tuple(names)
        self.points = points
        self._laws: dict[tuple[tuple[int, Number], ...], CountLaw | None] = {}
        self._found: dict[tuple[tuple[int, Number], ...], tuple[Expr, str] | None] = {}

    def formula(self, values: Mapping[int, Number]) -> tuple[Expr, str] | None:
        """The formula of values at some points (their places), and its text."""
        key = tuple(sorted(values.items()))
        if key not in self._found:
            self._found[key] = self._find(values)
        return self._found[key]

    def law(self, values: Mapping[int, Number]) -> CountLaw | None:
        """The exact formula of whole values, perhaps for some parameter values only."""
        key = tuple(sorted(values.items()))
        if key not in self._laws:
            at = tuple(tuple(self.points[k].params[n] for n in self.names) for k in values)
            law = find_formula(self.names, at, tuple(int(v) for v in values.values()))
            self._laws[key] = law if isinstance(law, CountLaw) else None
        return self._laws[key]

    def _find(self, values: Mapping[int, Number]) -> tuple[Expr, str] | None:
        parts = lcm(*(Fraction(v).denominator for v in values.values())) if values else 1
        if not values or parts > _MOST_PARTS:
            return None
        if len(set(values.values())) == 1 and len(values) == len(self.points) > _CONFIRMING:
            value = next(iter(values.values()))
            return expr(value), str(value)
        law = self.law({k: int(v * parts) for k, v in values.items()})
        if law is None or law.where:
            return None
        text = law.formula if parts == 1 else f"({law.formula})/{parts}"
        try:
            found = exact_formula(text)
            return found, text if parts == 1 else str(found)
        except (NotWritten, InputError):
            return None


def bound_laws(
    analysis: Analysis,
    points: Sequence[Counts],
    names: Sequence[str],
    given: Mapping[str, Expr],
    lowest: Mapping[str, int],
) -> dict[str, SweptLaw]:
    """The law of each loop that has one, by its place.

    Args:
        points: each parameter vector that was run, once.
        names: the swept parameters.
        given: other parameters of the program as the command line gives them.
        lowest: the smallest value of each swept parameter.
    """
    loops = [
        loop for loop in analysis.loops if points and all(loop.at in p.iterations for p in points)
    ]
    seen = sum(p.runs for p in points)
    values = {n: len({p.params[n] for p in points}) for n in names if points}
    formulas = {
        loop.at: e
        for loop in loops
        if loop.total.formula is not None and (e := _put(loop.total.formula, given)) is not None
    }
    guards = {o.symbol for loop in loops for o in loop.total.opaque if o.is_guard}
    numbers = {o.symbol for x in loops for o in x.total.opaque if _IS_NUMBER.match(o.meaning)}
    observed = _observed(formulas, guards, points, frozenset(numbers))
    finder = Finder(names, points)
    bound = _bindings(finder, observed)
    found: dict[str, SweptLaw] = {}
    named: dict[str, tuple[int, ...]] = {}
    for loop in loops:
        law = (
            _of_formula(loop, formulas[loop.at], finder, observed, bound, lowest)
            if loop.at in formulas
            else None
        ) or _of_counts(loop, finder, observed, lowest)
        if law is None and loop.at in formulas:
            law = _of_data(loop, formulas[loop.at], finder, bound, lowest, named)
        if law is not None:
            found[loop.at] = replace(law, seen=seen, values=values)
    return found


def _bindings(finder: Finder, observed: Observed) -> dict[str, tuple[Expr, str]]:
    """Unknown -> the formula of its values, where every run that tells it agrees."""
    found: dict[str, tuple[Expr, str]] = {}
    for name in sorted({s for values in observed.values for s in values}):
        values = {k: at[name] for k, at in enumerate(observed.values) if name in at}
        formula = finder.formula(values)
        if formula is not None:
            found[name] = formula
    return found


def _of_formula(
    loop: LoopResult,
    formula: Expr,
    finder: Finder,
    observed: Observed,
    bound: Mapping[str, tuple[Expr, str]],
    lowest: Mapping[str, int],
) -> SweptLaw | None:
    """The loop's own formula with what its unknowns are bound to; None where a count differs."""
    used = {s: bound[s] for s in sorted(formula.symbols & bound.keys())}
    put = _put(formula, {s: e for s, (e, _) in used.items()}, lowest)
    if put is None:
        return None
    open_ = tuple(sorted(put.symbols - set(finder.names)))
    for k, point in enumerate(finder.points):
        values = {**observed.values[k], **point.given, **point.params}
        if any(not isinstance(values.get(s), int) for s in open_):
            return None
        if _value(put, values) != point.iterations[loop.at]:
            return None
    if any(observed.source.get(s) == loop.at for s in open_):
        return None  # its count alone says what the unknown is
    where = {s: text for s, (_, text) in used.items()}
    if used:
        # the name of a count alone says nothing of the program
        kind: LawKind = "counted" if formula == sym(next(iter(used))) else "bound"
        if kind == "counted":
            where = {}
    else:
        kind = "exact" if loop.total.kind == "exact" and not open_ else "bound"
    text = _text(loop, formula, put, {s: e for s, (e, _) in used.items()}, finder, lowest)
    return SweptLaw(put, kind, where, open_, text=text)


def _text(
    loop: LoopResult,
    formula: Expr,
    law: Expr,
    used: Mapping[str, Expr],
    finder: Finder,
    lowest: Mapping[str, int],
) -> str:
    """The shortest text that has the values of the loop's own formula, wherever its assumptions
    hold: also at sizes that no run had, such as those where another branch of it is taken.

    Args:
        law: the formula for parameters of at least `lowest`. used: what unknowns are bound to.
    """
    whole = _put(formula, used, {n: 0 for n, low in lowest.items() if low >= 0})
    counts = finder.formula({k: p.iterations[loop.at] for k, p in enumerate(finder.points)})
    texts: dict[str, Expr] = {str(law): law}
    if counts is not None:
        texts[counts[1]] = counts[0]
    points = _where_it_holds(loop, formula, used, lowest)
    for text in sorted(texts, key=len):
        if whole is None or len(text) > len(str(whole)):
            break
        if len(points) >= _FEWEST and _have_same_values(texts[text], formula, points):
            return text
    return str(law if whole is None else whole)


def _where_it_holds(
    loop: LoopResult, formula: Expr, used: Mapping[str, Expr], lowest: Mapping[str, int]
) -> list[dict[str, Number]]:
    """Points at random where the assumptions of a count hold, with the values of all symbols."""
    chance, found = Random(_SEED), list[dict[str, Number]]()
    others = formula.symbols.union(*(e.symbols for e in used.values())) - used.keys()
    names = sorted({*lowest, *others})
    for _ in range(_ALIKE):
        at: dict[str, Number] = {
            n: chance.randint(min(lowest.get(n, 0), 0), chance.choice(_SCALES)) for n in names
        }
        values = {s: _value(e, at) for s, e in used.items()}
        at.update({s: v for s, v in values.items() if v is not None})
        if loop.total.holds(at):
            found.append(at)
    return found


def _have_same_values(law: Expr, formula: Expr, points: Sequence[Mapping[str, Number]]) -> bool:
    return not any(
        _is_long(law, at) or _is_long(formula, at) or _value(law, at) != _value(formula, at)
        for at in points
    )


def _is_long(law: Expr, values: Mapping[str, Number]) -> bool:
    """Would the value of a law take sums over very many terms, or very long ones?"""
    sums = [a for a in law.all_atoms() if isinstance(a, Sum)]
    return any((_value(a.count, values) or 0) * len(a.body.all_atoms()) > _MOST_ATOMS for a in sums)


def _of_counts(
    loop: LoopResult, finder: Finder, observed: Observed, lowest: Mapping[str, int]
) -> SweptLaw | None:
    """A formula of the counts alone, of those for each of a named count where there is none."""
    counts: dict[int, Number] = {k: p.iterations[loop.at] for k, p in enumerate(finder.points)}
    formula = finder.formula(counts)
    if formula is not None:
        return SweptLaw(in_range(formula[0], lowest), "counted", text=formula[1])
    found = finder.law(counts)
    if found is not None:
        return SweptLaw(None, "counted", text=found.formula, holds_for=found.where)
    opaque = [o.symbol for o in loop.total.opaque]
    for name in opaque:
        times = [at.get(name) for at in observed.values]
        if not all(isinstance(t, int) and t > 0 for t in times):
            continue
        each = finder.formula({k: Fraction(n, int(times[k] or 1)) for k, n in counts.items()})
        if each is not None and each[0] != expr(1):
            return SweptLaw(sym(name) * in_range(each[0], lowest), "counted", {}, (name,))
    return None


def _of_data(
    loop: LoopResult,
    formula: Expr,
    finder: Finder,
    bound: Mapping[str, tuple[Expr, str]],
    lowest: Mapping[str, int],
    named: dict[str, tuple[int, ...]],
) -> SweptLaw | None:
    """A product of what is bound and a named count: steps*iterations_2063, where means and
    fractions of data stand in the formula.

    The count is what is left of the loop's own when it is divided by the bound part. It has to be
    a whole number in every run and the same wherever only parameters of that part differ, as some
    of the runs must show. `named`: the counts of other loops at all points, by their names; one
    that is the same in every run, or a multiple, has the same name.
    """
    used = {s: bound[s] for s in sorted(formula.symbols & bound.keys())}
    put = _put(formula, {s: e for s, (e, _) in used.items()}, lowest)
    if put is None:
        return None
    swept = set(finder.names)
    known, left = _split(put, swept)
    if not known.symbols or not left:
        return None
    outside = [k for k, name in enumerate(finder.names) if name not in known.symbols]
    each: dict[tuple[int, ...], set[int]] = {}
    seen: dict[tuple[int, ...], set[Number]] = {}
    counts: list[int] = []
    for point in finder.points:
        times = _value(known, point.params)
        count = Fraction(point.iterations[loop.at]) / Fraction(times) if times else None
        if times is None or count is None or count.denominator != 1:
            return None
        key = tuple(point.params[finder.names[k]] for k in outside)
        counts.append(int(count))
        each.setdefault(key, set()).add(int(count))
        seen.setdefault(key, set()).add(times)
    if any(len(same) > 1 for same in each.values()) or not all(
        len(times) > 1 for times in seen.values()
    ):
        return None
    name, multiple = _named_alike(tuple(counts), named)
    if not name:
        name = _count_name(loop.at, {*finder.names, *formula.symbols, *named})
        named[name] = tuple(counts)
    where = {s: text for s, (_, text) in used.items() if known.symbols & bound[s][0].symbols}
    return SweptLaw(sym(name) * known * multiple, "bound", where, (name,))


def _named_alike(counts: tuple[int, ...], named: Mapping[str, tuple[int, ...]]) -> tuple[str, int]:
    """(name, k) of a count that is a k-th of this one in every run; no name where there is none."""
    for name, others in named.items():
        k = next((n // o for n, o in zip(counts, others, strict=True) if o), 0)
        if k > 0 and counts == tuple(o * k for o in others):
            return name, k
    return "", 1


def _split(e: Expr, swept: set[str]) -> tuple[Expr, bool]:
    """(the factors of a single product that hold swept parameters alone, are there others?)."""
    if len(e.terms) != 1:
        common, rest = e.common_factor()
        e = Expr({common: 1})
        others = bool(rest.symbols - swept) and not rest.symbols & swept
        if not others:
            return expr(1), False
    else:
        others = False
    ((monomial, _),) = e.terms.items()
    mine = tuple((a, n) for a, n in monomial if a.symbols <= swept)
    mixed = any(a.symbols & swept for a, _ in monomial if not a.symbols <= swept)
    return Expr({mine: 1}), not mixed and (others or len(mine) < len(monomial))


def _count_name(at: str, taken: set[str]) -> str:
    """iterations_LINE, for the loop of that line."""
    line = at.split(":")[-2] if at.count(":") > 1 else ""
    name = f"iterations_{line}" if line.isdigit() else "iterations"
    while name in taken:
        name += "_"
    return name


def counts_of(
    analysis: Analysis, runs: Sequence[RunRecord], ids: Mapping[str, Sequence[int]]
) -> list[Counts]:
    """Each parameter vector once, with the loops whose counts all its runs agree on."""
    found: dict[tuple[tuple[str, int], ...], Counts] = {}
    for r in runs:
        key = tuple(sorted(r.params.items()))
        iterations = {
            loop.at: n
            for loop in analysis.loops
            if (at := ids.get(loop.at)) and (n := r.iterations_of(list(at))) is not None
        }
        before = found.get(key)
        if before is not None:
            iterations = {at: n for at, n in iterations.items() if before.iterations.get(at) == n}
        found[key] = Counts(
            dict(r.params),
            given_values(analysis.parameters, r.params, r.argv),
            iterations,
            1 if before is None else before.runs + 1,
        )
    return list(found.values())
