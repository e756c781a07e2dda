"""What the columns of a table mean: parameters, values, labels of series, repetitions, and what
follows from others.

Names and units say most (`names`); where they do not, values decide: what has a value of its own in
nearly every row was measured, what comes back was set, as was what makes a difference among rows
at one point (`design`); numbers that count on within each point are repetitions; a rate whose
product with a time is a power of the parameters follows from both.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations, product

import numpy as np

from looplaw_common.errors import DataError, InputError
from looplaw_common.text import in_one_line

from ...data.checks import MAX_PARAMETERS
from ...data.observations import Number
from ..choice import Choice
from .column import (
    EDITIONS,
    ROUNDING,
    TITLES,
    Column,
    are_identifiers,
    follows,
    is_code,
    is_list,
    is_monotone,
    is_power,
    is_ratio,
    is_regular,
    is_remark,
    is_result,
    is_speedup,
    is_status,
    is_variant_among,
    leads,
    may_be_time,
    may_repeat,
    one_to_one,
    slopes,
)
from .design import is_crossed, share_explained, spread
from .grid import Grid, Row
from .names import Kind, named

_LIBRARY = "std"
"""A standard deviation, and the library of C++."""
_MOST_VERSIONS = 64
_MANY_ROWS = 8
_MANY_SIZES = 32
"""Sizes that are no whole numbers: nobody sets more of them, out of order."""
_MOST_SPREAD = 1.1 * math.pi / math.sqrt(6)
"""Standard deviation of logarithms, a little more than that of waiting times without memory: no
repetitions of one run differ by as much."""
_ALIKE = math.log(2)
"""That of rows that words tell apart, which are repetitions all the same."""
_FEWEST_UNNAMED = 5
"""Rows whose numbers with fractions rise by no accident."""
_PLAIN = frozenset(
    "time times elapsed runtime wall walltime real duration latency execution exec run cpu".split()
)
"""Words of the time of a run as a whole, which a statistic without a name is of."""
_ROUNDS = frozenset("iterations iters iter niter loops rounds count counts calls samples".split())
_WHY = {
    kind: f"is {kind.value}" for kind in (Kind.RESULT, Kind.STATISTIC, Kind.QUANTITY, Kind.DATE)
} | {Kind.DERIVED: "follows from times"}
_MAY_BE_SET = (Kind.SIZE, Kind.VARIANT, Kind.UNKNOWN)
_OTHERS = (Kind.QUANTITY, Kind.RESULT)


@dataclass(frozen=True)
class Roles:
    """The number of the column of each role. values: column -> metric; versions: column -> the
    name of its series, of which the metric is time; parameters and labels: name -> column;
    left_out: name -> why."""

    parameters: Mapping[str, int]
    values: Mapping[int, str]
    labels: Mapping[str, int] = field(default_factory=dict)
    versions: Mapping[int, str] = field(default_factory=dict)
    repetition: int | None = None
    left_out: Mapping[str, str] = field(default_factory=dict)


def roles_of(
    grid: Grid, sample: Sequence[Row], choice: Choice, taken: Collection[int] = ()
) -> Roles:
    """What the columns of a table mean.

    Args:
        taken: columns that have a meaning already; where one has ranks, no column whose name says
            nothing is taken for a measured one.

    Raises:
        InputError: a column that is chosen does not exist.
        DataError: FILE:LINE: nothing tells what was measured or varied; how to say it.
    """
    if missing := [c for c in choice.named if c not in grid.header]:
        raise InputError(
            f"{grid.name}: no column {', '.join(missing)}; there are {', '.join(grid.header)}"
        )
    if grid.beside and not choice:
        raise DataError(
            f"{grid.name}:{grid.beside}: has other cells than the rows beside it; leave out one of"
            " both, and name the columns in a line above"
        )
    style = grid.style(sample)
    columns = [
        Column(k, name, tuple(row.cells[k] for row in sample), style)
        for k, name in enumerate(grid.header)
    ]
    if not sample and any(c.kind is Kind.TIME for c in columns):
        raise DataError(f"{grid.name}: holds no observations")
    columns = _with_versions(columns)
    known = [c for c in columns if any(c.known) or not sample]
    assignment = _Assignment(grid, [c for c in known if c.place not in taken], choice)
    assignment.context = [c for c in known if c.place in taken]
    assignment.may_guess = not any(c.name == "rank" for c in assignment.context)
    found = assignment.roles()
    if len(found.parameters) > MAX_PARAMETERS:
        raise DataError(
            f"{grid.where}: {len(found.parameters)} columns would be parameters, at most"
            f" {MAX_PARAMETERS} can be; name them, as in --params n"
        )
    return found


def _with_versions(columns: Sequence[Column]) -> list[Column]:
    """The columns, of which those are versions that are called as a quantity is, but stand among
    others of which no name says what was measured: std beside boost, Heap beside Merge."""
    if any(named(c.name).kind in (Kind.TIME, Kind.RATE) for c in columns if c.name != _LIBRARY):
        return list(columns)
    unknown = [c for c in columns if c.is_numeric and c.kind is Kind.UNKNOWN and c.distinct > 1]
    is_wide = len(unknown) > 1 and not all(c.is_whole for c in unknown)
    return [
        replace(c, is_version=True)
        if c.name == _LIBRARY or (is_wide and c.kind in _OTHERS and len(c.said.of) == 1)
        else c
        for c in columns
    ]


class _Assignment:
    """The columns of a table on their way to roles: what is chosen first, then values, then
    parameters, then labels; each step takes from what is left."""

    def __init__(self, grid: Grid, columns: Sequence[Column], choice: Choice) -> None:
        self.grid, self.choice, self.may_guess = grid, choice, True
        self.context: Sequence[Column] = ()
        self.columns = columns
        words = [c for c in columns if not c.is_numeric or c.name in choice.series]
        words += [c for c in columns if is_variant_among(c, columns) and not choice]
        self.words = sorted({c.place: c for c in words}.values(), key=lambda c: c.place)
        self.numeric = [c for c in columns if c not in self.words]
        self.left_out: dict[str, str] = {}
        self.of_ratios: set[str] = set()

    def roles(self) -> Roles:
        if self.choice.values:
            values = [c for c in self.columns if c.name in self.choice.values]
        else:
            values = self._measured()
        parameters, repetition = self._parameters(values)
        versions: dict[int, str] = {}
        if not values:
            values, parameters, versions = self._of_unnamed(parameters)
        parameters = self._independent(parameters)
        derived = {} if self.choice.values else self._derived(values, parameters)
        self.left_out |= derived
        values = [c for c in values if c.name not in derived] or values
        parameters, labels = self._grown(parameters, self._labels(parameters), values)
        parameters, labels, repetition = self._explained(values, parameters, labels, repetition)
        if versions and not any(c.distinct > 1 for c in parameters):
            raise self._refuse("which column was measured?")  # a list of settings
        if not (
            self.choice
            or labels
            or versions
            or repetition
            or any(c.distinct > 1 for c in parameters)
        ):
            self._check_repetitions(values)
        taken = {c.name for c in (*values, *parameters, *labels)}
        rest = [c for c in self.numeric if c.name not in taken and c is not repetition]
        for c in (c for c in rest if c.distinct > 1):
            is_open = c.kind is Kind.UNKNOWN and any(p.distinct > 1 for p in parameters)
            why = "makes no difference of its own" if is_open else "is neither a size nor a time"
            self.left_out.setdefault(c.name, _WHY.get(c.kind, why))
        return Roles(
            {c.name: c.place for c in parameters},
            {c.place: _metric(c, values) for c in values if c.place not in versions},
            {c.name: c.place for c in labels},
            versions,
            None if repetition is None else repetition.place,
            self.left_out,
        )

    def _refuse(self, what: str) -> DataError:
        names = in_one_line(", ".join(c.name for c in self.columns)[:200])
        return DataError(
            f"{self.grid.where}: {what} Name it value or metric:NAME, or say --params NAME --values"
            f" NAME (--series NAME); there are {names}"
        )

    def _check_repetitions(self, values: Sequence[Column]) -> None:
        """Refuse rows that would be repetitions of one run, but are of several configurations, or
        statistics of nothing that is named.

        Raises:
            DataError: they are.
        """
        for c in self.numeric:
            if c.kind is Kind.VARIANT and 2 * c.distinct > len(c.cells):
                raise self._refuse(f"each row is another {in_one_line(c.name)}: is it a size?")
        if all(c.said.statistic and not c.said.of for c in values) and len(self.columns) > 1:
            raise self._refuse("what are these statistics of?")

    # values

    def _measured(self) -> list[Column]:
        """The columns of values: times with what else was measured beside them, else rates, else
        quantities, else a speed-up."""
        free = [c for c in self.numeric if c.name not in self.choice.parameters and c.is_positive]
        free = self._without_constant(free)
        times = self._preferred([c for c in free if c.kind is Kind.TIME and may_be_time(c, free)])
        rates = self._preferred([c for c in free if c.kind is Kind.RATE])
        quantities = self._preferred([c for c in free if c.kind is Kind.QUANTITY])
        derived = [c for c in free if c.kind is Kind.DERIVED and is_speedup(c)]
        if times:
            derived = [c for c in derived if "vs" not in c.said.of]
            return sorted([*times, *rates, *quantities, *derived], key=lambda c: c.place)
        if derived and not rates and not quantities and (of := self._of_ratios(derived, free)):
            self.left_out |= of
            return []
        return rates or quantities or derived

    def _of_ratios(self, derived: Sequence[Column], free: Sequence[Column]) -> dict[str, str]:
        """Speed-ups that are ratios of two columns beside them, which are times then -> how."""
        unknown = [c for c in free if c.kind is Kind.UNKNOWN and c.distinct > 1]
        found: dict[str, str] = {}
        for c, (a, b) in product(derived, permutations(unknown, 2)):
            if is_ratio(c, a, b):
                found[c.name] = f"= {a.name}/{b.name}"
                self.of_ratios |= {a.name, b.name}
        return found

    def _without_constant(self, columns: Sequence[Column]) -> list[Column]:
        """Those without times and quantities that are the same in each of many rows, where others
        are not: they were set, as the cycles of a loop."""
        kinds = Kind.TIME, Kind.RATE, Kind.QUANTITY
        measured = [c for c in columns if c.kind in kinds]
        varies = any(c.distinct > 1 for c in measured)
        same = [c for c in measured if c.distinct == 1 and varies and len(c.cells) >= _MANY_ROWS]
        self.left_out |= {c.name: "is the same in all rows" for c in same}
        return [c for c in columns if c not in same]

    def _preferred(self, columns: Sequence[Column]) -> list[Column]:
        """One column for each quantity: that of single runs, else of its statistics the best."""
        runs = {c.said.of for c in columns if c.name in self.grid.of_runs}
        means = [c for c in columns if c.said.of in runs and c.name not in self.grid.of_runs]
        self.left_out |= {c.name: "is a statistic" for c in means}
        columns = [c for c in columns if c not in means]
        best: dict[tuple[str, ...], Column] = {}
        for c in columns:
            key = c.said.of
            if key not in best or c.said.preference < best[key].said.preference:
                best[key] = c
        usable = [c for c in best.values() if not c.said.is_spread] or list(best.values())[:1]
        whole = [c for c in usable if not c.said.statistic or c.said.preference < 3]
        whole = whole if any({*c.said.of} <= _PLAIN for c in whole) else []
        kept = usable if not whole else [c for c in usable if c in whole or c.said.of]
        for c in columns:
            if c not in kept:
                self.left_out[c.name] = "is a statistic"
        return kept

    # parameters

    def _parameters(self, values: Sequence[Column]) -> tuple[list[Column], Column | None]:
        """The columns that were varied, and the one that numbers repetitions."""
        if self.choice.parameters:
            chosen = [c for c in self.columns if c.name in self.choice.parameters]
            free = [c for c in self.numeric if c not in chosen and c not in values]
            return chosen, next((c for c in free if c.kind is Kind.REPETITION), None)
        free = [c for c in self.numeric if c not in values and c.name not in self.left_out]
        free = [c for c in free if c.name not in self.grid.of_runs]
        sure = self._surely_varied(free)
        is_varied = any(x.distinct > 1 for x in sure)
        open_ = [c for c in free if c not in sure and values and self._may_be_varied(c)]
        open_ = [] if is_varied else open_  # beside what was set, rows tell what else was
        sure, open_ = self._without_codes(sure, open_)
        sure, repetition = self._without_repetitions(free, sure, open_)
        return sorted([*sure, *open_], key=lambda c: c.place), repetition

    def _surely_varied(self, free: Sequence[Column]) -> list[Column]:
        """Sizes, columns that lead the table, and numbers of repetitions that stand for one."""
        sizes = [c for c in free if c.kind is Kind.SIZE and not self._fills_time(c)]
        results = [c for c in sizes if is_result(c, self.words)]
        self.left_out |= {c.name: "is a result" for c in results}
        sizes = [c for c in sizes if c not in results]
        opening = [c for c in free if c.name in self.grid.opening and self._may_be_varied(c)]
        opening = [c for c in opening if not c.counts_rows()]
        sure = [c for c in free if (c in sizes and not self._is_outcome(c)) or leads(c)]
        sure += [c for c in opening if c not in sure]
        for c in (c for c in free if c.kind is Kind.REPETITIONS):
            is_alone = not any(x.distinct > 1 for x in sure)
            if c.distinct > 1 and ("samples" in c.said.of or is_alone):
                sure.append(c)
            else:
                self.left_out[c.name] = "counts repetitions"
        return sure

    def _may_be_varied(self, c: Column) -> bool:
        """Is it a column of which nothing is said, that has a number in each row, and these
        again?"""
        return c.kind is Kind.UNKNOWN and all(c.known) and self._comes_back(c)

    def _without_codes(
        self, sure: Sequence[Column], open_: Sequence[Column]
    ) -> tuple[list[Column], list[Column]]:
        """Both without the columns that number the words of another one."""
        codes = {c.name: w.name for c in (*open_, *sure) for w in self.words if is_code(c, w)}
        self.left_out |= {c: f"follows from {w}" for c, w in codes.items()}
        return [c for c in sure if c.name not in codes], [c for c in open_ if c.name not in codes]

    def _without_repetitions(
        self, free: Sequence[Column], sure: Sequence[Column], maybe: Sequence[Column]
    ) -> tuple[list[Column], Column | None]:
        """What was surely varied, without the column that numbers repetitions; and that one."""
        again = [c for c in free if c.kind is Kind.REPETITION]
        left = list(sure)
        repetition: Column | None = None
        for c in [*again, *(c for c in sure if c.distinct > 1 and may_repeat(c))]:
            others = [x for x in (*left, *maybe) if x is not c]
            varied = [x for x in others if x.distinct > 1]
            if repetition is None and self._numbers_repetitions(
                c,
                others if c in again else varied,
                alone=not varied and (c in again or may_repeat(c)),
            ):
                repetition = c
                left = [x for x in left if x is not c]
            elif c in again and varied:
                self.left_out[c.name] = "counts rows"
            elif c in again and not others:
                left.append(c)
        return left, repetition

    def _fills_time(self, c: Column) -> bool:
        """Does a harness choose how often it repeats, so that all of it takes as long?"""
        if not {*c.said.of[-1:]} & _ROUNDS or not c.is_whole or c.said.of == ("count",):
            return False
        for time in (t for t in self.numeric if t.kind is Kind.TIME):
            pairs = [
                (math.log(n), math.log(n * t))
                for n, t in zip(c.numbers, time.numbers, strict=True)
                if n and t and n > 0 and t > 0
            ]
            if len(pairs) > 2 and (spans := np.ptp(pairs, axis=0))[0] > 2 * spans[1]:
                self.left_out[c.name] = "counts repetitions"
                return True
        return False

    def _is_outcome(self, c: Column) -> bool:
        """Is a size another in most rows, without order, and beside words: the size of a result?"""
        again = 4 * c.distinct <= len(c.cells)
        if not (c.is_whole or c.is_stepped or all(c.known)):
            self.left_out[c.name] = "is not known in all rows"
            return True
        if not (c.is_whole or again or c.distinct <= _MANY_SIZES or is_monotone(c)):
            self.left_out[c.name] = "is another in most rows"
            return True
        if self._is_one_for_each_point(c):
            self.left_out[c.name] = "follows from what was varied"
            return True
        if len(c.cells) < 4 or 5 * c.distinct <= 3 * len(c.cells) or is_regular(c):
            return False
        found = any(1 < w.distinct < len(w.cells) for w in self.words)
        found = found and not any(follows(c, t) for t in self.numeric if t.kind is Kind.TIME)
        if found:
            self.left_out[c.name] = "is another in most rows"
        return found

    def _is_one_for_each_point(self, c: Column) -> bool:
        """Has it one value, and another one, at each point of two other sizes and more?"""
        others = [x for x in self.numeric if x.kind is Kind.SIZE and 1 < x.distinct < c.distinct]
        points = self._points(others)
        both = len(set(zip(points, c.numbers, strict=True)))
        return len(others) > 1 and both == len(set(points)) == c.distinct < len(c.cells)

    def _comes_back(self, c: Column) -> bool:
        """Is a column of no known name one that was set: whole numbers, or few that come back?"""
        if not c.distinct or c.distinct == 1:
            return False
        if are_identifiers(c) and any(w.distinct > 1 for w in self.words):
            return False
        return 2 * c.distinct <= len(c.cells) or (c.is_whole and c.is_positive and is_regular(c))

    def _numbers_repetitions(
        self, c: Column, others: Sequence[Column], *, alone: bool = False
    ) -> bool:
        """Does a column count on within each point of the others, or within the words if there are
        some and it is `alone`?"""
        varied = [x for x in others if x.distinct > 1]
        words = [x for x in (*self.words, *self.context) if x.distinct > 1]
        if not c.is_whole or not (others or (alone and words)):
            return False
        points: dict[tuple[object, ...], list[Number]] = {}
        for k, n in enumerate(c.numbers):
            if n is not None:
                key = *(x.numbers[k] for x in varied), *(x.cells[k].strip() for x in words)
                points.setdefault(key, []).append(n)
        most = max(map(len, points.values()))
        start = min(min(p) for p in points.values())
        counts_on = start in (0, 1) and all(
            sorted(p) == [start + k for k in range(len(p))] for p in points.values()
        )
        return most > 1 and (counts_on or "seed" in c.said.of)

    def _independent(self, parameters: Sequence[Column]) -> list[Column]:
        """The parameters without those that follow one to one from another: a fit could not tell
        them apart."""
        if self.choice.parameters:
            return list(parameters)
        kept: list[Column] = []

        def doubt(c: Column) -> tuple[bool, bool]:
            """What opens a section was set; what else is in it may have come out."""
            was_set = c.name in self.grid.opening and not c.counts_rows()
            return not was_set, c.kind is not Kind.SIZE

        for c in sorted(parameters, key=doubt):
            twin = next((k for k in kept if c.distinct > 2 and one_to_one(k, c)), None)
            if twin is None:
                kept.append(c)
            else:
                self.left_out[c.name] = f"follows from {twin.name}"
        return sorted(kept, key=lambda c: c.place)

    # versions side by side

    def _of_unnamed(
        self, parameters: Sequence[Column]
    ) -> tuple[list[Column], list[Column], dict[int, str]]:
        """The roles in a table of which no name tells what was measured: a size and, beside it,
        one quantity, or the times of several versions.

        Raises:
            DataError: it may be something else.
        """
        free = [
            c
            for c in self.numeric
            if c not in parameters
            and c.name not in self.left_out
            and c.kind in (Kind.UNKNOWN, Kind.STATISTIC)
            and not c.said.is_spread
            and (c.name in self.of_ratios or not self.of_ratios)
        ]
        sizes = [c for c in parameters if c.distinct > 1 and c.kind is Kind.SIZE]
        if self.grid.is_loose:  # behind what came out, only sizes in order were set
            early = (s for s in sizes if 2 * sum(s.place < c.place for c in free) >= len(free))
            sizes = sorted({*early, *filter(is_regular, sizes)}, key=lambda s: s.place)
            parameters = [p for p in parameters if p in sizes or p.kind is not Kind.SIZE]
        is_count = self.grid.is_loose and not sizes and all(c.is_whole for c in free)
        if not self.may_guess or (is_count and not self.choice.parameters):
            raise self._refuse("which column was measured?")
        if not sizes and self.of_ratios:
            raise self._refuse("which column is the size?")
        if not sizes and free and not self.choice.parameters:
            first = next((c for c in parameters if c.distinct > 1), None) or free.pop(0)
            names_rows = any(w.distinct == len(w.cells) for w in self.words)
            is_named_so = names_rows and not self.grid.is_named
            is_short = not first.is_whole and len(first.cells) < _FEWEST_UNNAMED
            if is_named_so or (is_short and not self.grid.is_named):
                raise self._refuse("which column was measured?")
            is_number = first.counts_rows() and (len(first.cells) > _MOST_VERSIONS or names_rows)
            followers = sum(follows(first, c) for c in free)
            if is_number or not is_regular(first) or 4 * followers < 3 * max(1, len(free)):
                raise self._refuse("which column was measured?")
            sizes = [first]
        ratios = free
        if not all(c.is_whole for c in free):  # times have fractions: what has none was set
            free = [c for c in free if not (c.is_whole and 3 * c.distinct <= 2 * len(c.cells))]
        rows = max((len(c.cells) for c in self.columns), default=0)
        is_usable = (
            (sizes or self.choice.parameters) and free and rows > 1 and len(free) <= _MOST_VERSIONS
        )
        if base := next((c for c in ratios if len(ratios) > 2 and set(c.numbers) == {1}), None):
            raise self._refuse(
                f"{base.name} is 1 throughout, so the others seem to be ratios to it."
            )
        if (
            not is_usable
            or not all(c.is_positive for c in free)
            or is_list(sizes, free, self.words)
        ):
            raise self._refuse("which column was measured?")
        parameters = parameters if not sizes or sizes[0] in parameters else sizes
        if len(free) == 1:
            return free, list(parameters), {}
        return free, list(parameters), {c.place: c.name for c in free}

    # what follows from other columns

    def _derived(self, values: Sequence[Column], parameters: Sequence[Column]) -> dict[str, str]:
        """Rates, speed-ups and efficiencies that follow from the times beside them -> how."""
        times = [c for c in values if c.kind is Kind.TIME]
        found: dict[str, str] = {}
        for c in values:
            if c.kind in (Kind.RATE, Kind.DERIVED):
                for time in times:
                    if why := self._follows_from(c, time, parameters):
                        found[c.name] = why
                        break
        return found

    def _follows_from(self, c: Column, time: Column, parameters: Sequence[Column]) -> str:
        """How a column follows from a time; empty where it does not."""
        words = [x for x in self.words if x.distinct > 1]
        rows = [
            k
            for k, (a, b) in enumerate(zip(c.numbers, time.numbers, strict=True))
            if a is not None and b is not None and a > 0 and b > 0
        ]
        if len(rows) < 3:
            return f"follows from {time.name}" if c.kind is Kind.DERIVED else ""
        product = np.array(
            [math.log(float(c.numbers[k] or 1) * float(time.numbers[k] or 1)) for k in rows]
        )
        if np.ptp(product) < ROUNDING:
            return f"= {math.exp(float(product.mean())):.3g}/{time.name}"
        varied = [x for x in parameters if x.distinct > 1]
        for p, free in ((p, w) for p in varied for w in (None, *words)):
            keys = [
                (
                    *(x.numbers[k] for x in parameters if x is not p),
                    *(x.cells[k].strip() for x in words if x is not free),
                )
                for k in rows
            ]
            at = np.array([float(p.numbers[k] or 0) for k in rows])
            if is_power(product, at, keys, slopes(c)):
                return f"follows from {time.name}"
        return ""

    # labels

    def _labels(self, parameters: Sequence[Column]) -> list[Column]:
        """The columns of words that tell series apart: all but dates, what is said of a run, and
        what follows from the parameters."""
        varied = [c for c in parameters if c.distinct > 1]
        found = []
        for c in self.words:
            if c.name in self.choice.series:
                found.append(c)
            elif c.name in self.choice.named or c.distinct < 2 or self.choice.series:
                continue
            elif is_remark(c) and (varied or c.place):
                self.left_out[c.name] = "is a remark"
            elif self._is_date(c) or is_status(c) or not self._tells_apart(c, varied):
                self.left_out[c.name] = "does not tell series apart"
            elif twin := next((x for x in found if x.cells == c.cells), None):
                self.left_out[c.name] = f"follows from {twin.name}"
            else:
                found.append(c)
        return found

    def _is_date(self, c: Column) -> bool:
        """Does it say when a row was measured, and not of which state of a program, of several
        sizes each?"""
        is_edition = bool({*c.said.of[-1:]} & EDITIONS) and 2 * c.distinct <= len(c.cells)
        return c.kind is Kind.DATE and not is_edition

    def _tells_apart(self, c: Column, varied: Sequence[Column]) -> bool:
        """Do the words of a column differ at one point?"""
        if not all(all(v.known) for v in varied) or not varied:
            return True
        points = self._points(varied)
        if {*c.said.of[-1:]} & TITLES and c.distinct < len(c.cells):
            return True  # each may have sizes of its own
        pairs = {(text.strip(), point) for text, point in zip(c.cells, points, strict=True)}
        return len(pairs) > len(set(points))

    def _points(self, columns: Sequence[Column]) -> list[tuple[Number | None, ...]]:
        size = len(self.columns[0].cells) if self.columns else 0
        return [tuple(c.numbers[k] for c in columns) for k in range(size)]

    def _grown(
        self, parameters: list[Column], labels: list[Column], values: Sequence[Column]
    ) -> tuple[list[Column], list[Column]]:
        """The parameters and labels of a table in which something grows within a series: where no
        series has two points, a label that names the point is left out, else the sizes, which
        follow from the series then. Sizes behind all values that are in no order are outcomes of
        what the rows name."""
        varied = [c for c in parameters if c.distinct > 1]
        if self.choice or not labels or not varied or self._grows(varied, labels):
            return parameters, labels
        points = self._points(varied)
        are_behind = values and min(c.place for c in varied) > max(c.place for c in values)
        are_outcomes = are_behind and not all(c.distinct > 2 and is_regular(c) for c in varied)
        for c in sorted(labels, key=lambda c: -c.distinct) if not are_outcomes else ():
            texts = [text.strip() for text in c.cells]
            rest = [x for x in labels if x is not c]
            names_points = len(set(zip(texts, points, strict=True))) == len(set(texts))
            agree = max((*_spreads(values, self._keys(varied, rest)), 0.0)) <= _ALIKE
            if names_points and agree and self._grows(varied, rest):
                self.left_out[c.name] = "names the point"
                return parameters, rest
        self.left_out |= {c.name: "differs between series only" for c in varied}
        for c in self.words:
            self.left_out.pop(c.name, None)
        return [c for c in parameters if c not in varied], self._labels([])

    # what the rows say of both

    def _explained(
        self,
        values: Sequence[Column],
        parameters: list[Column],
        labels: list[Column],
        repetition: Column | None,
    ) -> tuple[list[Column], list[Column], Column | None]:
        """All three, with those columns among the first two that make a difference among rows at
        one point, or that a sweep crosses with the parameters.

        Raises:
            DataError: such rows differ by more than repetitions do, and nothing tells why.
        """
        if self.choice:
            return parameters, labels, repetition
        taken = {c.name for c in (*values, *parameters, *labels)}
        free = [c for c in self.columns if c.name not in taken]
        free = [c for c in free if c is repetition or self._may_make_a_difference(c)]
        while (c := self._next_of(free, values, parameters, labels, repetition)) is not None:
            free.remove(c)
            parameters, labels = (
                (parameters, [*labels, c]) if c in self.words else ([*parameters, c], labels)
            )
            repetition = None if c is repetition else repetition
            self.left_out.pop(c.name, None)
        keys = self._keys(parameters, labels)
        spreads = _spreads(values, keys)
        if spreads and min(spreads) > _MOST_SPREAD and not self.context:
            raise DataError(
                f"{self.grid.where}: rows at one point differ by more than noise; add the column"
                " that tells them apart, or take their means by --params NAMES --values NAME"
            )
        parameters, labels = (sorted(of, key=lambda c: c.place) for of in (parameters, labels))
        return parameters, labels, repetition

    def _next_of(
        self,
        free: Sequence[Column],
        values: Sequence[Column],
        parameters: Sequence[Column],
        labels: Sequence[Column],
        repetition: Column | None,
    ) -> Column | None:
        """The column that explains most of what is left; repetitions that agree need no reason."""
        keys = self._keys(parameters, labels)
        open_ = [c for c in free if c is not repetition]
        asked = open_ if max((*_spreads(values, keys), 0.0)) <= _ALIKE else free
        shares = [_share(c, values, keys) for c in asked]
        if any(shares):
            return asked[shares.index(max(shares))]
        points = self._points([p for p in parameters if p.distinct > 1])
        numeric = (c for c in open_ if c in self.numeric)
        return next((c for c in numeric if is_crossed(points, c.numbers)), None)

    def _may_make_a_difference(self, c: Column) -> bool:
        """May a column have been set, as its name does not say otherwise and what it says comes
        again?"""
        is_told = c in self.words and not (is_status(c) or is_remark(c) or c.kind is Kind.DATE)
        return (is_told or c.kind in _MAY_BE_SET) and all(c.known) and c.comes_again

    def _keys(
        self, parameters: Sequence[Column], labels: Sequence[Column]
    ) -> list[tuple[object, ...]]:
        """The point and the series of each row."""
        words = [c for c in (*labels, *self.context) if c.distinct > 1]
        points = self._points(parameters)
        return [(*p, *(c.cells[k].strip() for c in words)) for k, p in enumerate(points)]

    def _grows(self, varied: Sequence[Column], labels: Sequence[Column]) -> bool:
        """Are half of the rows in series of two points and more?"""
        series: dict[tuple[str, ...], list[tuple[Number | None, ...]]] = {}
        context = [c for c in self.context if c.distinct > 1]
        for k, point in enumerate(self._points(varied)):
            key = tuple(c.cells[k].strip() for c in (*labels, *context))
            series.setdefault(key, []).append(point)
        grown = sum(len(points) for points in series.values() if len(set(points)) > 1)
        return 2 * grown >= sum(map(len, series.values()))


def _spreads(values: Sequence[Column], keys: Sequence[tuple[object, ...]]) -> list[float]:
    """How far the rows of one key spread, in each value."""
    return [spread(v, keys) for v in values if v.is_positive]


def _share(c: Column, values: Sequence[Column], keys: Sequence[tuple[object, ...]]) -> float:
    """The share of what is left to explain at one point that a column does, in the value that it
    explains best."""
    levels = c.numbers if c.is_numeric else [text.strip() for text in c.cells]
    return max((share_explained(v, keys, levels) for v in values if v.is_positive), default=0.0)


def _metric(c: Column, values: Sequence[Column]) -> str:
    """The metric of a column: time for one that is only called by its unit or as a statistic."""
    is_bare = not c.said.of and c.kind is Kind.TIME and c.name.lower() not in ("time", "value")
    alone = sum(1 for v in values if not v.said.of and v.kind is Kind.TIME) == 1
    named_time = any(v.name == "time" for v in values)
    return "time" if c.name == "value" or (is_bare and alone and not named_time) else c.name
