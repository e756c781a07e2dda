"""A table whose columns have roles, and the observations in its rows.

In the tidy form, columns named callpath (or region, kernel, function), metric, rank, thread and
repetition have that meaning (in a table of ranks, rep and run number repetitions too), value and
metric:NAME hold what was measured, and every other column is a parameter where its cells are
numbers, and tells series apart where they are words. What the columns of other tables mean is
found by `roles`. A column unit names the unit of the values, as may the name of theirs or a cell;
an empty cell says that the observation has none of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from looplaw_common.errors import DataError, InputError
from looplaw_common.text import in_one_line

from ...data.checks import MAX_PARAMETERS, exact_text, label, measured_text, whole
from ...data.observations import Fault, Number, Observation
from ...data.units import is_unit, unit_of
from ..choice import NOTHING, Choice
from ..keys import labelled, say_dropped
from .cells import (
    Quantity,
    Style,
    is_bound,
    is_missing,
    measures_time,
    number_in_unit,
    quantity,
    unit_said,
)
from .column import Column
from .grid import MAX_COLUMNS, SEEN, Grid, Row
from .names import Kind, named
from .reshaped import (
    NAMELESS,
    gathered,
    melted,
    with_areas,
    with_names_in_cells,
    with_serial_as_one,
    with_sizes_from_words,
    without_nameless,
    without_sizes_in_words,
)
from .roles import Roles, roles_of

METRIC_PREFIX = "metric:"
_BESIDE_SCORES = ("error", "cnt")
"""What JMH says of a score."""
_RATIOS = frozenset(("x", "×", "X", "%"))
UNIT = "unit"
OF_CELLS = "say only more or less", "are no times"
"""Why cells of values are left out."""
_MEASURED = frozenset((Kind.TIME, Kind.RATE, Kind.QUANTITY))
_FEW = 12
_CALLPATH = ("callpath", "region", "kernel", "function")
_REPETITION = ("repetition", "rep", "run")


@dataclass(frozen=True)
class Tidy:
    """The columns that say what they are by a fixed name; None where there is none."""

    callpath: int | None = None
    metric: int | None = None
    rank: int | None = None
    thread: int | None = None
    repetition: int | None = None
    unit: int | None = None

    @property
    def places(self) -> set[int]:
        """The numbers of these columns."""
        own = (self.callpath, self.metric, self.rank, self.thread, self.repetition, self.unit)
        return {k for k in own if k is not None}


@dataclass(frozen=True)
class Table:
    """A grid with the roles of its columns. units: column -> unit of a parameter's numbers; series:
    how many series the labels tell apart in the rows that were looked at; is_stated: fixed names
    say all; fixed: parameters with one value, and it; times: columns whose cells have units of
    time -> that unit, empty where they have several; counts: such a column -> the labels whose
    cells have none."""

    grid: Grid
    tidy: Tidy
    roles: Roles
    style: Style
    units: Mapping[int, str] = field(default_factory=dict)
    series: int = 1
    is_stated: bool = False
    fixed: Mapping[str, str] = field(default_factory=dict)
    times: Mapping[int, str] = field(default_factory=dict)
    counts: Mapping[int, frozenset[tuple[str, ...]]] = field(default_factory=dict)

    @staticmethod
    def of(grid: Grid, choice: Choice = NOTHING, ignored: Sequence[str] = ()) -> Table:
        """Find out what the columns mean.

        Args:
            choice: what the user says of them.
            ignored: columns without a meaning here; a table that is read for one of these needs no
                values.

        Raises:
            InputError: there is no such column.
            DataError: two columns have the same name, there are too many, or nothing tells what was
                measured or varied.
        """
        grid = _long(with_names_in_cells(grid), (*choice.named, *ignored))
        header = grid.header
        if len(header) > MAX_COLUMNS:
            raise DataError(
                f"{grid.where}: {len(header)} columns, at most {MAX_COLUMNS} are read; write one"
                " observation a line with the columns callpath, metric and value"
            )
        if len({h for h in header if h}) != sum(map(bool, header)):
            raise DataError(f"{grid.where}: two columns have the same name; rename one")
        if missing := [c for c in (*choice.named, *ignored) if c not in header]:
            raise InputError(
                f"{grid.name}: no column {', '.join(missing)}; there are {', '.join(header)}"
            )
        grid = without_nameless(grid) if choice.named else melted(without_nameless(grid))
        if not choice:
            grid = with_sizes_from_words(without_sizes_in_words(grid))
        grid = with_areas(with_serial_as_one(grid))
        sample = grid.sample()
        if not sample:
            next(grid.rows(), None)  # raises what is wrong with the first row
        tidy = _tidy(grid, sample, choice)
        left = tidy.places | {grid.header.index(c) for c in ignored}
        style = grid.style(sample)
        marked = {} if choice.values else _marked(grid, sample, tidy)
        said = None if marked or choice else _metrics_in_words(grid, sample, left)
        if said is not None:
            tidy = replace(tidy, metric=said)
            roles = roles_of(grid, sample, choice, {*left, said})
            if len(roles.values) == 1:
                roles = replace(roles, values=dict.fromkeys(roles.values, "time"))
        elif not marked and not choice and (long := _long_names(grid.header)) is not None:
            tidy = replace(tidy, metric=long[0])
            chosen = Choice(values=(grid.header[long[1]],))
            roles = replace(
                roles_of(grid, sample, chosen, {*left, long[0]}), values={long[1]: "time"}
            )
        elif marked or choice.parameters or ignored:
            roles = _by_name(grid, sample, tidy, left, marked, choice)
        else:
            roles = roles_of(grid, sample, choice, left)
        nameless = [k for k, n in roles.values.items() if NAMELESS.fullmatch(n)]
        if len(nameless) == len(roles.values) == 1:
            roles = replace(roles, values={nameless[0]: "time"})
        units = {
            k: Column(k, n, tuple(r.cells[k] for r in sample), style).unit
            for n, k in roles.parameters.items()
        }
        if grid.is_loose and "%" in units.values() and not choice:
            raise DataError(f"{grid.where}: shares in % are no sizes; name these with --params")
        if not grid.is_named and not choice and len(roles.parameters) == len(roles.values) == 1:
            roles = replace(
                roles,
                parameters=dict.fromkeys(["n"], *roles.parameters.values()),
                values=dict.fromkeys(roles.values, "time"),
            )
        series = {tuple(r.cells[k].strip() for k in roles.labels.values()) for r in sample}
        cells = {n: {r.cells[k].strip() for r in sample} for n, k in roles.parameters.items()}
        fixed = {n: found.pop() for n, found in cells.items() if len(found) == 1}
        first = {k: Column(k, "", tuple(r.cells[k] for r in sample), style) for k in roles.values}
        times = {
            k: found.pop() if len(found := _units_of_time(c)) == 1 else ""
            for k, c in first.items()
            if measures_time(c.unit)
        }
        counts = {k: _counts(first[k], roles, sample) for k in times}
        is_stated = bool(marked) and not grid.notes
        table = Table(grid, tidy, roles, style, units, len(series), is_stated, fixed, times, counts)
        left_out = table._cells_left_out(sample)
        return replace(table, roles=replace(roles, left_out={**roles.left_out, **left_out}))

    def _cells_left_out(self, sample: Sequence[Row]) -> dict[str, str]:
        """How many cells of values are left out -> why."""
        found: dict[str, str] = {}
        least = "at least " if len(sample) == SEEN else ""
        for k in (*self.roles.values, *self.roles.versions):
            bounds = sum(is_bound(row.cells[k]) for row in sample)
            cells = [row for row in sample if k in self.times]
            others = sum(self._is_other(r, k, quantity(r.cells[k], self.style)) for r in cells)
            for number, why in zip((bounds, others), OF_CELLS, strict=True):
                if number:
                    of = "cell" if number == 1 else "cells"
                    found[f"{least}{number} {of} of {self.grid.header[k]}"] = why
        return found

    def _is_other(self, row: Row, k: int, read: Quantity | None) -> bool:
        """Is a cell among times the speed-up, or a count of what its labels name?"""
        if read is None or k not in self.times:
            return False
        told = tuple(row.cells[j].strip() for j in self.roles.labels.values())
        return read.unit in _RATIOS or (not read.unit and told in self.counts[k])

    @property
    def ranks(self) -> bool:
        """Does nothing vary in it, but do words tell apart what a name says was measured?"""
        if self.is_stated and self.tidy.unit is not None:
            return bool(self.roles.labels)
        said = [named(self.grid.header[k]).kind for k in self.roles.values]
        return bool(self.roles.labels) and any(kind in (Kind.TIME, Kind.RATE) for kind in said)

    @property
    def reading(self) -> str:
        """What was varied, measured and left out, in one line."""
        roles = self.roles
        varied = [n for n in roles.parameters if n not in self.fixed]
        said = [f"{_listed(varied)} varied" if varied else "nothing varied"]
        said += [f"{n} = {value}" for n, value in self.fixed.items()]
        columns = [
            self.grid.header[k] if self.grid.is_named else m for k, m in roles.values.items()
        ]
        measured = [f"{_listed(columns)} measured"] if columns else []
        if roles.versions:
            measured.append(f"{_listed(roles.versions.values())} are versions, timed")
        said += measured
        if roles.labels:
            verb = "tells" if len(roles.labels) == 1 else "tell"
            said.append(f"{_listed(roles.labels)} {verb} {self.series} series apart")
        if roles.repetition is not None:
            said.append(f"{self.grid.header[roles.repetition]} numbers repetitions")
        found = in_one_line("; ".join((*said, *self.grid.notes)))
        if roles.left_out:
            found += "; not used: " + ", ".join(
                f"{in_one_line(n)} ({why})" for n, why in roles.left_out.items()
            )
        return found

    def rank_of(self, row: Row) -> int | None:
        """The rank of a row, if it has one.

        Raises:
            DataError: FILE:LINE: it is not a whole number from 0.
        """
        text = self._cell(row, self.tidy.rank)
        return whole(text, "rank", row.where) if text else None

    def params(self, row: Row) -> dict[str, Number]:
        """The parameters of a row, without those whose cell is empty.

        Raises:
            DataError: FILE:LINE: a parameter is not a number.
        """
        found: dict[str, Number] = {}
        for name, k in self.roles.parameters.items():
            text = row.cells[k]
            if is_missing(text):
                continue
            number = number_in_unit(text, self.style, self.units.get(k, ""))
            found[name] = (
                exact_text(text, f"parameter {name}", row.where) if number is None else number
            )
        return found

    def observations(
        self, row: Row, *, strict: bool = False, prefix: str = ""
    ) -> Iterator[Observation]:
        """One observation for each column of values that is not empty.

        Args:
            strict: take names with the blanks around them, and number threads and repetitions.
            prefix: what the call paths of this table begin with.

        Raises:
            DataError: FILE:LINE: a cell is not a number.
        """
        tidy, roles = self.tidy, self.roles
        try:
            params, rank, fault = self.params(row), self.rank_of(row), None
        except DataError as error:
            params, rank, fault = {}, None, Fault(str(error))
        unit = unit_said(self._cell(row, tidy.unit))
        again = self._cell(
            row, tidy.repetition if tidy.repetition is not None else roles.repetition
        )
        thread = _index(self._cell(row, tidy.thread), "thread", row.where, strict)
        repetition = _index(again, "repetition", row.where, strict)
        callpath, metric = (
            cell if strict else cell.strip()
            for cell in (
                prefix or "main" if tidy.callpath is None else row.cells[tidy.callpath],
                "time" if tidy.metric is None else row.cells[tidy.metric],
            )
        )
        words = [(n, row.cells[k].strip()) for n, k in roles.labels.items()]
        own = [(n, word) for n, word in words if word]
        only = len(roles.values) + len(roles.versions) == 1
        for k, named_so in (*roles.values.items(), *((k, "time") for k in roles.versions)):
            text = row.cells[k]
            if is_missing(text) and not (strict and only):
                continue
            read = quantity(text, self.style)
            if self._is_other(row, k, read) or (not strict and is_bound(text)):
                continue
            version = roles.versions.get(k)
            path = callpath if version is None else f"{prefix}{': ' if prefix else ''}{version}"
            measured_in = self._unit(read, k, unit)
            known = "throughput" if measured_in.endswith("/s") else metric
            yield Observation(
                params,
                labelled(path, own) if own else path,
                (known if metric == "time" else metric) if named_so == "time" else named_so,
                fault
                or self._without_unit(read, k, unit, row)
                or (read.number if read else measured_text(text, named_so, row.where)),
                rank,
                thread,
                repetition,
                row.line,
                measured_in,
            )

    def _without_unit(self, read: Quantity | None, k: int, of_row: str, row: Row) -> Fault | None:
        if read is None or read.unit or of_row or self.times.get(k) != "":
            return None
        column = in_one_line(self.grid.header[k])
        return Fault(f"{row.where}: {column} has no unit, and several in other rows")

    def _unit(self, read: Quantity | None, k: int, of_row: str) -> str:
        if read and read.unit and (is_unit(read.unit) or read.unit.endswith("/s")):
            return unit_of(read.unit)
        said = self.grid.header[k]
        of_row = of_row or self.times.get(k, "")
        return of_row or (
            named(said.removeprefix(METRIC_PREFIX)).unit if self.grid.is_named else ""
        )

    def _cell(self, row: Row, column: int | None) -> str:
        return "" if column is None else row.cells[column].strip()


def _long(grid: Grid, named: Sequence[str]) -> Grid:
    """The table with a line for each repetition, unless the user names one of their columns."""
    found = gathered(grid)
    return grid if set(named) & (set(grid.header) - set(found.header)) else found


def _listed(names: object) -> str:
    found = list(map(str, names))  # type: ignore[call-overload]
    more = f" and {len(found) - 8} more" if len(found) > 8 else ""
    return ", ".join(found[:8]) + more


def _index(text: str, what: str, where: str, strict: bool) -> int | None:
    return None if not text else whole(text, what, where) if strict else label(text)


def _first(header: Sequence[str], names: Sequence[str]) -> int | None:
    return next((header.index(name) for name in names if name in header), None)


def _tidy(grid: Grid, sample: Sequence[Row], choice: Choice) -> Tidy:
    header = tuple(h if h not in choice.named else "" for h in grid.header)

    def is_numeric(k: int) -> bool:
        return Column(k, header[k], tuple(r.cells[k] for r in sample), Style()).is_numeric

    path = _first(header, _CALLPATH)
    if path is not None and header[path] != "callpath" and is_numeric(path):
        path = None
    metric = _first(header, ("metric",))
    is_measured = metric is not None and "value" not in header and is_numeric(metric)
    rank, thread = _first(header, ("rank",)), _first(header, ("thread",))
    unit = _first(tuple(h.lower() for h in header), (UNIT, "units", "time_unit", "scoreunit"))
    return Tidy(
        path,
        None if choice.values or metric is None or is_measured else metric,
        rank,
        thread,
        _first(header, _REPETITION if rank is not None else _REPETITION[:1]),
        unit,
    )


def _long_names(header: Sequence[str]) -> tuple[int, int] | None:
    """The columns of metrics and of their values where these are called so: MetricName and
    MetricValue, metric_name and metric_value."""
    said = ["".join(c for c in h.lower() if c.isalnum()) for h in header]
    names = [k for k, h in enumerate(said) if h in ("metric", "metricname", "measurename")]
    values = [k for k, h in enumerate(said) if h in ("metricvalue", "measuredvalue")]
    return (names[0], values[0]) if len(names) == len(values) == 1 else None


def _metrics_in_words(grid: Grid, sample: Sequence[Row], left: Collection[int]) -> int | None:
    """The column of words that name what was measured, of several kinds: Latency and Req/Sec."""
    for k in range(len(grid.header)):
        words = {row.cells[k].strip() for row in sample}
        if k in left or not 1 < len(words) <= _FEW or any(quantity(w, Style()) for w in words):
            continue
        kinds = {named(w).kind for w in words}
        if len(kinds) > 1 and kinds <= _MEASURED:
            return k
    return None


def _marked(grid: Grid, sample: Sequence[Row], tidy: Tidy) -> dict[int, str]:
    """The columns of values in the tidy form -> their metric."""
    found = {
        k: c.removeprefix(METRIC_PREFIX)
        for k, c in enumerate(grid.header)
        if c.startswith(METRIC_PREFIX)
    }
    plain = {
        k: "time"
        for k, c in enumerate(grid.header)
        if _is_value(c, has_unit=tidy.unit is not None) and _holds_values(sample, k)
    }
    times = any(named(c).kind is Kind.TIME for c in grid.header)
    own = (tidy.metric, tidy.callpath, tidy.unit)
    is_tidy = any(k is not None for k in own) or found or not times
    return found | plain if is_tidy else found


def _holds_values(sample: Sequence[Row], k: int) -> bool:
    """Are half of the cells numbers? Else it is a list of settings."""
    column = Column(k, "", tuple(r.cells[k] for r in sample), Style())
    return column.is_numeric or not any(column.known)


def _is_value(name: str, *, has_unit: bool) -> bool:
    """Does a column hold values by its name; that of harnesses is a score, whose unit is beside
    it."""
    said = name.lower()
    if said == "score" and has_unit:
        return True
    return said == "value" or (said.startswith("value") and named(name).of == ("value",))


def _by_name(
    grid: Grid,
    sample: Sequence[Row],
    tidy: Tidy,
    left: set[int],
    marked: Mapping[int, str],
    choice: Choice,
) -> Roles:
    """The roles in the tidy form, and where the parameters are chosen: what is no parameter and no
    value tells series apart where it is words."""
    header = grid.header
    style = grid.style(sample)
    values = {header.index(v): "time" if v == "value" else v for v in choice.values} or dict(marked)
    if not values and len(left) == len(tidy.places):
        asked = roles_of(grid, sample, choice, left)
        values = {**asked.values, **{k: header[k] for k in asked.versions}}
    rest = [k for k in range(len(header)) if k not in left and k not in values and header[k]]
    columns = [Column(k, header[k], tuple(r.cells[k] for r in sample), style) for k in rest]
    parameters: dict[str, int] = {}
    labels: dict[str, int] = {}
    dropped: dict[str, str] = {}
    for c in columns:
        is_statistic = tidy.metric is None and (
            (c.said.kind is Kind.STATISTIC and not c.comes_again)
            or c.name.lower() in _BESIDE_SCORES
        )
        if c.name in choice.series:
            labels[c.name] = c.place
        elif choice.parameters:
            if c.name in choice.parameters:
                parameters[c.name] = c.place
            elif not (c.is_numeric or choice.series or tidy.rank is not None) and any(c.known):
                labels[c.name] = c.place
            else:
                dropped[c.name] = "is not among --params"
        elif is_statistic or (c.is_numeric and any(_has_unit(q) for q in c.quantities)):
            dropped[c.name] = "is neither a size nor a variant"
        elif c.is_numeric or not any(c.known):
            parameters[c.name] = c.place
        else:
            labels[c.name] = c.place
    if len(parameters) > MAX_PARAMETERS:
        raise DataError(
            f"{grid.where}: {len(parameters)} columns would be parameters, at most"
            f" {MAX_PARAMETERS} can be; call those with values metric:NAME, or leave some out"
        )
    if not choice:
        say_dropped(grid.name, dropped, "are neither sizes nor variants")
        dropped = {}
    return Roles(parameters, values, labels, left_out=dropped)


def _units_of_time(c: Column) -> set[str]:
    return {q.unit for q in c.quantities if q is not None and measures_time(q.unit)}


def _counts(c: Column, roles: Roles, sample: Sequence[Row]) -> frozenset[tuple[str, ...]]:
    """The labels that tell rows apart, of those whose cells in a column never have a unit."""
    told = [tuple(row.cells[k].strip() for k in roles.labels.values()) for row in sample]
    have = {of for of, q in zip(told, c.quantities, strict=True) if _has_unit(q)}
    return frozenset(told) - have if roles.labels else frozenset()


def _has_unit(q: Quantity | None) -> bool:
    return q is not None and bool(q.unit)
