"""A column of a table: its numbers, and what they and its name say of it and of others."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from ...data.observations import Number
from .cells import Quantity, Style, in_unit, is_bound, is_missing, measures_time, quantity
from .names import NO_TIME, Kind, Named, named

_FLAG = re.compile(r"(?i:is|has|use[sd]?|with|enabled?)(?:[_ ]|(?=[A-Z]))")
_MOST_VARIANTS = 12
_MOST_STEPS = 256
"""Steps up to the largest of sizes that are no whole numbers."""
_LEAST_IDENTIFIER = 1000
"""Whole numbers are so many times what they span, where they only tell things apart."""
_MOST_UNRELATED = 24
"""Rows of a table in which a quantity need not depend on a size."""
_WORDS_OF_A_REMARK = 5
ROUNDING = 0.03
"""Relative error of what follows from other columns, which are printed with few digits."""
TITLES = frozenset(
    "name title benchmark test case algorithm method function query task workload".split()
)
"""Names of columns whose sentences name what was measured."""
_USED = frozenset("cpu gpu usage utilization utilisation util busy".split())
"""Words of what a share of which was used is told."""
EDITIONS = frozenset("version versions release commit revision hash year build".split())
"""Words for states of a program, of which each is a series of its own."""
_CONTINUOUS = frozenset(
    """h dt size sizes length len width height depth load capacity limit density radius window
    interval timeout period delay mesh stride groesse größe taille tamaño tamanho input""".split()
)
"""Sizes that are no counts, so that they may be any numbers."""
_STATUS = frozenset("true false yes no ok pass passed fail failed valid success y n".split())


@dataclass(frozen=True)
class Column:
    """A column of a sample of rows: its place, name, cells, and the style of its numbers."""

    place: int
    name: str
    cells: tuple[str, ...]
    style: Style
    is_version: bool = False

    @cached_property
    def said(self) -> Named:
        """What its name says; nothing where it is that of a version, as std is beside boost."""
        return Named(Kind.UNKNOWN, "", "", (self.name,)) if self.is_version else named(self.name)

    @cached_property
    def quantities(self) -> tuple[Quantity | None, ...]:
        """The numbers in its cells."""
        return tuple(quantity(c, self.style) for c in self.cells)

    @cached_property
    def known(self) -> tuple[bool, ...]:
        """Which cells hold anything; a bound among numbers is none of them."""
        has_bounds = len({q for q in self.quantities if q is not None}) > 1
        return tuple(
            q is not None or not (is_missing(c) or (has_bounds and is_bound(c)))
            for q, c in zip(self.quantities, self.cells, strict=True)
        )

    @cached_property
    def unit(self) -> str:
        """The unit of its numbers, by the first cell that has one, else by its name."""
        return next((q.unit for q in self.quantities if q and q.unit), "") or self.said.unit

    @cached_property
    def numbers(self) -> tuple[Number | None, ...]:
        """Its numbers in its unit."""
        return tuple(None if q is None else in_unit(q, self.unit) for q in self.quantities)

    @cached_property
    def is_numeric(self) -> bool:
        """Are at least half of its cells numbers of one kind?"""
        found = sum(n is not None for n in self.numbers)
        return found > 0 and 2 * found >= sum(self.known)

    @cached_property
    def distinct(self) -> int:
        """Distinct numbers, or distinct words."""
        return (
            len({n for n in self.numbers if n is not None})
            if self.is_numeric
            else len({c.strip() for c, k in zip(self.cells, self.known, strict=True) if k})
        )

    @cached_property
    def is_whole(self) -> bool:
        """Are its numbers whole ones?"""
        return all(float(n).is_integer() for n in self.numbers if n is not None)

    @property
    def comes_again(self) -> bool:
        """Does what it says vary, and each of it stand in two rows and more, as in a sweep?"""
        return self.distinct > 1 and 2 * self.distinct <= len(self.cells)

    @cached_property
    def is_stepped(self) -> bool:
        """Are all multiples of the least of its numbers and steps, as 0.5, 1, 1.5: set, though no
        whole ones?"""
        found = sorted({float(n) for n in self.numbers if n})
        step = min([*found, *(b - a for a, b in pairwise(found))], default=0.0)
        is_coarse = step > 0 and found[-1] <= _MOST_STEPS * step
        return is_coarse and all(abs(n / step - round(n / step)) < 1e-6 for n in found)

    @cached_property
    def is_positive(self) -> bool:
        """Is no number below zero, and one above?"""
        found = [n for n in self.numbers if n is not None]
        return bool(found) and min(found) >= 0 and max(found) > 0

    @property
    def kind(self) -> Kind:
        """What it holds by its name and the units of its cells."""
        kind = self.said.kind
        is_open = kind in (Kind.UNKNOWN, Kind.STATISTIC) and not self.said.is_spread
        is_size = kind is Kind.SIZE and bool(self.said.of) and not {*self.said.of} & _CONTINUOUS
        is_count = kind in (Kind.REPETITION, Kind.REPETITIONS) or (is_size and not self.is_stepped)
        if is_count and not self.is_whole and not self.unit:
            return Kind.UNKNOWN
        if self.unit == "%" and _USED & {*self.said.of}:
            return Kind.QUANTITY
        if kind is Kind.TIME and self.unit in ("x", "×", "X", "%"):
            return Kind.DERIVED
        if kind is Kind.UNKNOWN and self.unit.endswith("/s"):
            return Kind.RATE
        if kind is Kind.SIZE and not NO_TIME & {*self.said.of}:
            is_open = self.unit != self.said.unit  # "sort on CPU" of 3 ms
        return Kind.TIME if is_open and measures_time(self.unit) else kind

    @property
    def tells_variants(self) -> bool:
        """Do its numbers stand for words: is it a flag, or do they number variants?"""
        found = {n for n in self.numbers if n is not None}
        if self.unit:
            return False
        again = 1 < len(found) <= _MOST_VARIANTS
        if {*self.said.of[-1:]} & EDITIONS:  # 3.9, 3.10 and 2024
            return again and 2 * len(found) <= len(self.cells)
        is_flag = found == {0, 1} and (self.kind is Kind.UNKNOWN or bool(_FLAG.match(self.name)))
        return self.is_whole and (is_flag or (self.kind is Kind.VARIANT and again))

    def counts_rows(self) -> bool:
        """Does it count 0, 1, 2, ... or 1, 2, 3, ... over all rows?"""
        found = [n for n in self.numbers if n is not None]
        first = found[0] if found else 2
        return first in (0, 1) and found == [first + k for k in range(len(found))]


def is_variant_among(c: Column, columns: Sequence[Column]) -> bool:
    """Do the numbers of a column stand for words: does its name say so, or is it a flag beside
    what was measured and what may be a size?"""
    if c.is_numeric and _numbers_words(c) and _are_sizes_beside(c, columns):
        return True
    if not (c.is_numeric and c.tells_variants):
        return False
    others = [x for x in columns if x.is_numeric and x is not c]
    return c.kind in (Kind.VARIANT, Kind.DATE) or (
        any(x.kind in (Kind.TIME, Kind.RATE) for x in others)
        and any(x.distinct > 2 and x.kind in (Kind.SIZE, Kind.UNKNOWN) for x in others)
    )


def _numbers_words(c: Column) -> bool:
    """Is a column of no known name 1, 2, 3, ..., of which a few may be left out, as algorithms are
    numbered? Sizes double."""
    if c.kind is not Kind.UNKNOWN or c.unit or not c.is_whole or _is_plural(c):
        return False
    found = sorted({int(n) for n in c.numbers if n is not None})
    counts = 2 < len(found) <= _MOST_VARIANTS and found[0] in (0, 1) and found[-1] < 2 * len(found)
    return counts and any(n & (n - 1) for n in found)


def _is_plural(c: Column) -> bool:
    """Is it called as what is counted is, as passes, stages and hops?"""
    return c.said.of[-1:] != () and c.said.of[-1].endswith("s") and not c.said.of[-1].endswith("ss")


def _are_sizes_beside(c: Column, columns: Sequence[Column]) -> bool:
    """Does a size vary at each number of a column?"""
    sizes = [x for x in columns if x.is_numeric and x.kind is Kind.SIZE and x.distinct > 1]
    at: dict[Number | None, set[tuple[Number | None, ...]]] = {}
    for k, n in enumerate(c.numbers):
        at.setdefault(n, set()).add(tuple(x.numbers[k] for x in sizes))
    return bool(sizes) and all(len(points) > 1 for points in at.values())


def is_ratio(c: Column, a: Column, b: Column) -> bool:
    """Is a column the ratio of two others, as far as its digits tell?"""
    rows = [
        (float(x), float(y) / float(z))
        for x, y, z in zip(c.numbers, a.numbers, b.numbers, strict=True)
        if x and y and z
    ]
    return len(rows) > 2 and all(abs(x - r) <= ROUNDING * r for x, r in rows)


def may_be_time(c: Column, free: Sequence[Column]) -> bool:
    """Is a column named by a short unit or by a word of other meanings a time?"""
    if c.name.lower() in ("s", "ms", "us", "ns", "sec", "min", "max"):
        return not any(x.kind is Kind.TIME and x is not c and x.said.of for x in free)
    return True


def is_speedup(c: Column) -> bool:
    """Is it a measured speed-up or efficiency, and none that a law of scaling gives?"""
    words = set(c.said.of)
    laws = {"amdahl", "gustafson", "karp", "flatt", "ideal", "theoretical", "expected"}
    is_times = not words and c.unit in ("x", "×", "X")  # a mean of 1.25x
    return (is_times or bool({"speedup", "efficiency", "eff"} & words)) and not words & laws


def slopes(c: Column) -> tuple[float, ...] | None:
    """The powers of the parameter that the product of a column with a time may be: none for
    speed-ups, minus one for efficiencies, any for rates."""
    if c.kind is Kind.RATE:
        return None
    return (-1.0,) if {"efficiency", "eff"} & set(c.said.of) or c.name[:1] in "eE" else (0.0,)


def is_power(
    product: np.ndarray, at: np.ndarray, keys: Sequence[object], slopes: Sequence[float] | None
) -> bool:
    """Is a product, given in logarithms (N,), a power of a parameter within each of the groups that
    the keys name?"""
    if (at <= 0).any():
        return False
    numbers = {key: k for k, key in enumerate(dict.fromkeys(keys))}
    groups = np.array([numbers[key] for key in keys])
    counts = np.bincount(groups)
    if len(keys) - len(counts) < (2 if slopes else 3):
        return False

    def centred(x: np.ndarray) -> np.ndarray:
        return np.asarray(x - (np.bincount(groups, x) / counts)[groups])

    logs, rest = centred(np.log(at)), centred(product)
    if not float(logs @ logs):
        return False
    options = slopes or (float(logs @ rest) / float(logs @ logs),)
    return any(float(np.abs(rest - s * logs).max()) < ROUNDING for s in options)


def is_code(c: Column, words: Column) -> bool:
    """Is a column a number for each of the words of another, and a small
    one from 0 if its name is that of a size?"""
    numbers = {n for n in c.numbers if n is not None}
    is_count = min(numbers) == 0 and c.is_whole and max(numbers) <= 3 * len(numbers)
    if c.kind is Kind.SIZE and not is_count:
        return False
    pairs = {(text.strip(), n) for text, n in zip(words.cells, c.numbers, strict=True)}
    return 1 < words.distinct < len(words.cells) and len(pairs) == words.distinct


def are_identifiers(c: Column) -> bool:
    """Do its numbers differ by little beside what they are, as those of jobs and processes?"""
    found = [float(n) for n in c.numbers if n is not None]
    return c.is_whole and min(found) > _LEAST_IDENTIFIER * (max(found) - min(found))


def is_result(c: Column, words: Sequence[Column]) -> bool:
    """Is it a size that nobody sets, in no order, of rows that words tell apart, as those of
    executables by compiler and flags?"""
    rows = set(zip(*(w.cells for w in words), strict=True)) if words else set()
    is_set = c.is_whole or c.is_stepped or is_monotone(c)
    return not is_set and len(rows) == len(c.cells) > 1


def leads(c: Column) -> bool:
    """Is it a first column of rising bytes, as tables of messages have it?"""
    is_bare = c.kind is Kind.UNKNOWN and not c.said.of and c.said.unit == "bytes"
    return is_bare and c.place == 0 and (c.is_whole or c.is_stepped) and is_regular(c)


def is_monotone(c: Column) -> bool:
    """Do the values rise or fall from row to row?"""
    found = [n for n in c.numbers if n is not None]
    return found in (sorted(found), sorted(found, reverse=True))


def is_regular(c: Column) -> bool:
    """Do the values rise, or do few of them come back, as in a sweep?"""
    found = [n for n in c.numbers if n is not None]
    if len(found) < 2 or not c.is_positive:
        return False
    steps = [b - a for a, b in pairwise(found)]
    return all(s >= 0 for s in steps) or all(s <= 0 for s in steps) or 2 * c.distinct <= len(found)


def follows(x: Column, y: Column) -> bool:
    """Does one column rise or fall with the other (Spearman's rank correlation of at least a
    half)?"""
    pairs = [
        (float(a), float(b))
        for a, b in zip(x.numbers, y.numbers, strict=True)
        if a is not None and b is not None
    ]
    if len(pairs) < 3:
        return len(pairs) == 2
    a, b = (np.argsort(np.argsort(np.array(v), kind="stable")) for v in zip(*pairs, strict=True))
    if not np.ptp([p[1] for p in pairs]):
        return False
    return abs(float(np.corrcoef(a, b)[0, 1])) >= 0.5


def is_list(sizes: Sequence[Column], free: Sequence[Column], words: Sequence[Column]) -> bool:
    """Is it rather a list of things with what they have, as its rows are many, and no quantity
    depends on a size?"""
    if len(sizes[0].cells) <= _MOST_UNRELATED:
        return False
    labels = [w for w in words if 4 * w.distinct <= len(w.cells)]
    series: dict[tuple[str, ...], list[int]] = {}
    for k in range(len(sizes[0].cells)):
        series.setdefault(tuple(w.cells[k].strip() for w in labels), []).append(k)
    return not any(
        follows(s, c) or _repeats(s, c, list(series.values())) for s in sizes for c in free
    )


def _repeats(size: Column, c: Column, series: Sequence[Sequence[int]]) -> bool:
    """Do the rows of one size in a series differ by less than half of what the series does (the
    correlation ratio of the logarithms), whether it rises, falls or does both?"""
    within = between = 0.0
    for rows in series:
        groups: dict[Number, list[float]] = {}
        for k in rows:
            n, value = size.numbers[k], c.numbers[k]
            if n is not None and value is not None and value > 0:
                groups.setdefault(n, []).append(math.log(value))
        again = [g for g in groups.values() if len(g) > 1]
        if len(again) > 2:
            within += sum(float(np.var(g)) * len(g) for g in again)
            found = np.concatenate(again)
            between += float(np.var(found)) * len(found)
    return between > 0 and 2 * within < between


def is_status(c: Column) -> bool:
    return {text.strip().lower() for text in c.cells} <= _STATUS


def is_remark(c: Column) -> bool:
    """Are its words sentences?"""
    if c.said.of[-1:] and c.said.of[-1] in TITLES:
        return False
    texts = {text.strip() for text in c.cells if text.strip()}
    spaces = sorted(text.count(" ") for text in texts)
    return len(texts) > 2 and spaces[len(spaces) // 2] >= _WORDS_OF_A_REMARK


def may_repeat(c: Column) -> bool:
    return bool(
        {"epoch", "epochs", "iteration", "iter", "round", "step", "sample"} & set(c.said.of)
    )


def one_to_one(a: Column, b: Column) -> bool:
    pairs = {
        (x, y) for x, y in zip(a.numbers, b.numbers, strict=True) if x is not None or y is not None
    }
    return len(pairs) == a.distinct == b.distinct
