"""Laws of kernels' times: counts from the analysis and the runs, traffic from the source, costs
from the machine, learned from the times of a study."""

from __future__ import annotations

import contextlib
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from looplaw_common.errors import LooplawError
from looplaw_common.formula.formula import parse_formula
from modeling import InputError, Model, Models
from modeling.pmnf.machine_costs import KINDS, Costs
from modeling.pmnf.memory_traffic import MOST_HALVED, Traffic
from modeling.pmnf.time_law import Branches, Count
from modeling.timelaw.choice import prefers_law
from modeling.timelaw.fit import DEFAULT_TIME, Fit, TimeSettings, fit_time_law, grouped
from modeling.timelaw.model import with_law
from modeling.timelaw.repetitions import excess
from runtime import RunRecord
from staticana.expr import Expr, Number, expr, sym
from staticana.frontend.openmp.regions import is_outlined
from staticana.traffic import serial_program
from staticana.traffic.access_tree import AccessTree, access_tree, repeated_branches
from staticana.traffic.layer_conditions import LINE, PAGE, SAMPLED, Apart, Touched, touched, visits

from ..laws.binding import SweptLaw, given_values
from ..laws.comparison import SHORTEST_S, counters_of
from ..laws.formula_reading import NotWritten, exact_formula
from ..laws.law_terms import in_range
from ..laws.loop_call_tree import gathered
from ..laws.run_seconds import are_shared
from .chained_work import chained_work
from .grown_counts import PowerLaw, growth_of, power_law
from .prepared import Prepared

Floats = NDArray[np.float64]
Params = Mapping[str, int]

CAPACITIES = tuple(8192.0 * 2 ** (k / 2) for k in range(33))
"""Capacities at which traffic is tabulated: 8 KiB to 512 MiB, two an octave."""
_BEYOND = 32.0
"""Traffic is tabulated up to so many times the largest values."""
_STEP, _MOST_GROWTH = math.sqrt(2.0), 16.0
"""From a value to the next: so much larger, with at most so many times the iterations."""
_MOST_KNOTS = (24, 7, 4)
"""Values of each parameter in a table of one, two, three parameters."""
_FEWEST_KNOTS = 4
_MOST_NODES, _NODE_POINTS = 20_000, 300_000
"""Traffic is not estimated of programs with more loads, stores and loops, all calls in their place;
of large ones for so many looks at them times points, some 20 s (10,000 take a second where much is
in each loop). Those in loops that others inside depend on are looked at several times."""
_SAMPLED = (SAMPLED, 3, 1)
"""Iterations of such loops that are looked at: fewer where the fewest points would be too much."""
_FREE = math.log(10.0)
"""So much more evidence a law needs in which the work of an iteration grows by a free power: what
that spends of its prior, from 1 for an exponent to some 0.1."""
_STREWN = 0.25
"""Deviation for each doubling of the time of an iteration that jumps about in an object of unknown
size, which may leave the next cache at any of them."""
_FLAT = 0.03
"""Traffic that a parameter changes less than this does not depend on it."""
_FITTED = (0.02,)
"""Deviation of a fitted count for each doubling beyond the points, where its law is identified."""
_FEWEST = 4
"""Points of a power law of counts, at least."""
_MOSTLY = 0.6
"""A fitted count is near in this share of the runs, and in the upper half of them."""
_OFF = 0.1
"""A fitted count is off by no more, relative to what was counted."""
_LINES = PAGE // LINE
_PART = 0.5
"""A loop that runs this share of the most frequent one can stand for it."""
_TEAM = 0.1
"""Deviation for each doubling of the time of a team: what share of memory each thread gets changes
from level to level."""


@dataclass(frozen=True)
class _Kernel:
    """A kernel with its times: points (P rows of parameter values), seconds (P,), and how much
    longer one run takes (see `excess`)."""

    at: str
    points: tuple[Params, ...]
    seconds: Floats
    repeats: float

    def columns(self, names: Sequence[str]) -> dict[str, Floats]:
        """The points as one array a parameter."""
        return {n: np.array([float(p[n]) for p in self.points]) for n in names}


def with_time_laws(
    models: Models,
    prepared: Prepared,
    runs: Sequence[RunRecord],
    costs: Costs | None,
    laws: Mapping[str, SweptLaw],
    settings: TimeSettings = DEFAULT_TIME,
) -> Models:
    """The models with laws of time in place of those of kernels for which one can be learned.

    Args:
        costs: of the machine; where they are not known, the models stay as they are.
        laws: of the counts, in the parameters of the study.
        settings: constants of the laws.
    """
    team = _team(prepared, runs)
    if costs is None or team is None:
        return models
    learner = _Learner(models, prepared, runs, costs, costs.of_team(team), laws, settings)
    return Models(tuple(learner.model(m) for m in models.models))


def _team(prepared: Prepared, runs: Sequence[RunRecord]) -> int | None:
    """The threads of all runs, 1 without OpenMP; None where there are several processes, or runs
    with different numbers of threads."""
    origins = {p.name: p.origin for p in prepared.analysis.parameters}
    if any(r.ranks for r in runs) or any(o.startswith("mpi:") for o in origins.values()):
        return None
    teams = [
        {r.params.get(name) for r in runs}
        for name, origin in origins.items()
        if origin.startswith("omp:")
    ]
    if not teams:  # threads of its own, or as many as the environment says
        return None if are_shared((r.cpu_s, r.elapsed_s) for r in runs) else 1
    found = teams[0].pop() if len(teams) == 1 and len(teams[0]) == 1 else None
    return found if found is not None and found >= 1 else None


class _Learner:
    def __init__(
        self,
        models: Models,
        prepared: Prepared,
        runs: Sequence[RunRecord],
        costs: Costs,
        team: Costs,
        laws: Mapping[str, SweptLaw],
        settings: TimeSettings,
    ) -> None:
        self.laws, self.settings = laws, settings
        self.models, self.prepared = models, prepared
        self.costs, self.team = costs, team
        self.names = tuple(prepared.settings.vary)
        self.runs = [r for r in runs if r.ok and len(r.iterations) == len(prepared.plan.counters)]
        self.ids = counters_of(prepared.plan)
        self.loops = {loop.at: loop for loop in prepared.analysis.loops}
        self.inside = gathered(
            {
                loop.at: loop.inner
                for loop in (*prepared.analysis.loops, *prepared.analysis.library)
            },
            {loop.at: (loop.at,) for loop in prepared.analysis.loops},
        )
        self.tree = _tree(prepared)
        self.repeated = {} if self.tree is None else repeated_branches(self.tree)
        self.latency: dict[str, int] = {}
        self.leaves: dict[str, bool] = {}
        for loop in () if self.tree is None else self.tree.loops:
            self.latency[loop.at] = max(self.latency.get(loop.at, 0), loop.chain)
            self.leaves[loop.at] = self.leaves.get(loop.at, False) or loop.leaves > 0
        self.strewn = frozenset(_strewn(self.tree))
        # what the source does not tell may make their iterations longer as sizes grow: a library's
        # sort of n values, too
        self.blind = self.strewn.union(at for at, calls in self.leaves.items() if calls)
        self.bound = self._bound()
        self._visits, self._sampled = self._effort()
        self._touched: dict[tuple[int, ...], tuple[dict[str, Touched], list[Apart | None]]] = {}
        self._grown_trips: dict[str, PowerLaw] = {}
        self._counts: dict[str, Count | None] = {}
        self._growths: dict[tuple[str, int, int, tuple[tuple[str, int], ...]], float] = {}

    def _bound(self) -> dict[str, Expr]:
        """The program's other parameters and the unknowns of its formulas: numbers that are the
        same in all runs, or parameters that they follow, as where one size stands on the command
        line twice."""
        parameters = self.prepared.analysis.parameters
        every = [given_values(parameters, e.params, e.argv) for e in self.prepared.experiments]
        found: dict[str, Expr] = {}
        for name in every[0].keys() - set(self.names):
            values = [v.get(name) for v in every]
            like = [n for n in self.names if values == [v[n] for v in every]]
            if like:
                found[name] = sym(like[0])
            elif values[0] is not None and len(set(values)) == 1:
                found[name] = expr(values[0])
        for law in self.laws.values():
            for name, text in law.where.items():
                with contextlib.suppress(NotWritten, InputError):
                    found.setdefault(name, exact_formula(text))
        return found

    def _effort(self) -> tuple[int, int]:
        """Loads, stores and loops that are looked at for one point, and sampled iterations."""
        if self.tree is None or not self.runs:
            return 1, SAMPLED
        top = {n: max(int(r.params[n]) for r in self.runs) for n in self.names}
        points = _FEWEST_KNOTS ** min(len(self.names), len(_MOST_KNOTS))
        for sampled in _SAMPLED:
            found = visits(self.tree, self._given(top), sampled)
            if found * points <= _NODE_POINTS:
                break
        return found, sampled

    def _given(self, params: Params) -> dict[str, Number]:
        """The values of what formulas contain, where the swept parameters have these."""
        return {**params, **{n: e.evaluate(params) for n, e in self.bound.items()}}

    def model(self, model: Model) -> Model:
        """A model with a law of time, or as it was."""
        if model.metric != "time" or model.callpath not in self.ids:
            return model
        kernel = self._kernel(model.callpath)
        if kernel is None or len(kernel.points) < 2 or kernel.seconds.max() < SHORTEST_S:
            return model
        fit = self.fit(kernel)
        columns = kernel.columns(self.names)
        if fit is None or not prefers_law(fit, model, kernel.seconds, columns, self.settings):
            return model
        return with_law(model, fit, columns)

    def _kernel(self, at: str) -> _Kernel | None:
        """The least of the repetitions: what disturbs a run makes it longer."""
        found: dict[tuple[int, ...], list[float]] = {}
        for r in self.runs:
            seconds = sum(r.seconds[k] for k in self.ids[at])
            if seconds > 0:
                found.setdefault(tuple(r.params[n] for n in self.names), []).append(seconds)
        if not found:
            return None
        points = sorted(found)
        return _Kernel(
            at,
            tuple(dict(zip(self.names, p, strict=True)) for p in points),
            np.array([min(found[p]) for p in points]),
            excess(found.values()),
        )

    def fit(self, kernel: _Kernel) -> Fit | None:
        """Learn the law of a kernel; None where no count of it is known."""
        inside = [at for at in self.inside.get(kernel.at, (kernel.at,)) if at in self.loops]
        counts = [(at, c) for at in inside if (c := self._count(at)) is not None]
        if self.tree is None or not counts or not self._is_led(inside):
            return None
        top = {n: float(max(p[n] for p in kernel.points)) for n in self.names}
        ahead = [top, {n: 2 * v for n, v in top.items()}]
        columns = {
            n: np.array([p[n] for p in kernel.points] + [a[n] for a in ahead]) for n in self.names
        }
        values = np.stack([_values(c, columns) for _, c in counts])
        for row, (at, count) in zip(values, counts, strict=True):
            if count.deviation or count.scatter:
                row[: len(kernel.points)] = self._seen(at, kernel.points, row)
        costs = self._costs(inside)
        leaves = [self.leaves.get(at, False) for at, _ in counts]
        groups = grouped(values, leaves, self.settings)
        if not groups:
            return None
        chosen = [g.loop for g in groups]
        counted = values[chosen, : len(kernel.points)]
        own = [counts[j][1] for j in chosen]
        apart = _TEAM if costs.threads > 1 else 0.0
        apart = apart if self.strewn.isdisjoint(inside) else math.hypot(apart, _STREWN)
        own[0] = replace(own[0], deviation=math.hypot(own[0].deviation, apart))

        def learned(own: Sequence[Count], counted: Floats) -> Fit:
            return fit_time_law(
                kernel.seconds,
                kernel.columns(self.names),
                own,
                self._traffic(kernel, own[0]),
                costs,
                self.settings,
                chain=self._chain(dict(counts)),
                branches=self._branches(dict(counts), top),
                counted=counted,
                called=[g.called for g in groups],
                repeats=kernel.repeats,
            )

        found = learned(own, counted)
        if self.blind.isdisjoint(inside) or (counted[0] <= 0).any():
            return found
        each_s = kernel.seconds / counted[0]
        work = power_law(kernel.points, each_s / each_s.max()).one_at(top)
        if not any(work.exponents):
            return found
        main = replace(own[0], formula=f"({own[0].formula})*({work.formula})")
        main = replace(main, deviation=math.hypot(main.deviation, work.open))
        each = np.array([work.at(p) for p in kernel.points])
        grown = learned([main, *own[1:]], np.vstack([counted[:1] * each, counted[1:]]))
        return grown if grown.evidence > found.evidence + _FREE else found

    def _costs(self, inside: Sequence[str]) -> Costs:
        """Those of the team for what it works on, else of one thread."""
        functions = (f for at in inside for f, _ in self.loops[at].headers)
        return self.team if any(map(is_outlined, functions)) else self.costs

    def _seen(self, at: str, points: Sequence[Params], otherwise: Floats) -> list[float]:
        """What the runs counted of a loop at some points, on average."""
        seen = self._means(at)
        keys = [tuple(p[n] for n in self.names) for p in points]
        return [seen.get(k, float(o)) for k, o in zip(keys, otherwise, strict=False)]

    def _branches(self, counts: Mapping[str, Count], top: Mapping[str, float]) -> Branches | None:
        """The branches in the loops of a kernel that the same data decide again: of the loop that
        has most of them where sizes are largest."""
        columns = {n: np.array([float(v)]) for n, v in top.items()}
        found: tuple[float, Branches] | None = None
        for at, count in counts.items():
            again = self.repeated.get(at)
            around = None if again is None else self._count(again.around)
            if again is None or around is None or "Sum(" in count.formula + around.formula:
                continue
            number = f"{again.branches}*({count.formula})"
            most = again.branches * float(_values(count, columns)[0])
            if found is None or most > found[0]:
                found = most, Branches(number, f"({number})/({around.formula})")
        return None if found is None else found[1]

    def _chain(self, counts: Mapping[str, Count]) -> str:
        """The formula of what waits in the loops of a kernel with these counts."""

        def values(count: Count, points: Sequence[Params]) -> Floats:
            return _values(count, {n: np.array([float(p[n]) for p in points]) for n in self.names})

        parents = {at: self.loops[at].parent for at in counts}
        return chained_work(self.latency, counts, parents, self._entered, values)

    def _entered(self, at: str) -> list[tuple[Params, int]]:
        """The runs with their executions of a loop, the largest last."""
        ids = self.ids.get(at, [])
        rows = [(r.params, sum(r.entries[k] for k in ids)) for r in self.runs] if ids else []
        return sorted(rows, key=lambda row: row[1])

    # -- counts
    def _count(self, at: str) -> Count | None:
        """The iterations of a loop in the swept parameters; None where there is no formula, and of
        loops that the compiler made of regions, which the source has not."""
        if at not in self._counts:
            self._counts[at] = self._found_count(at) if at in self.loops else None
        return self._counts[at]

    def _found_count(self, at: str) -> Count | None:
        """Closed formulas come before sums, which may have too many terms to be evaluated."""
        proved = self._proved_count(at)
        model = self.models.find(at, "iterations")
        if proved is not None and (model is None or "Sum(" not in proved.formula):
            return proved
        if model is not None:
            is_exact = model.counted is not None and model.counted.formula is not None
            if is_exact or (proved is None and model.identifiable):
                found = Count(model.formula, *(() if is_exact else _FITTED))
                if self._holds(at, found):
                    return found
        return proved or self._grown_count(at)

    def _grown_count(self, at: str) -> Count | None:
        """A power law of what the runs counted; None where they did not, or nothing runs."""
        seen = self._means(at)
        if len(seen) < _FEWEST or min(seen.values()) <= 0:
            return None
        points = [dict(zip(self.names, map(float, p), strict=True)) for p in seen]
        law = power_law(points, np.array(list(seen.values())))
        return Count(law.formula, law.open, law.scatter)

    def _means(self, at: str) -> dict[tuple[int, ...], float]:
        """Iterations of a loop by parameter values, the mean of the runs."""
        found: dict[tuple[int, ...], list[int]] = {}
        for params, number in self._counted(at):
            found.setdefault(tuple(params[n] for n in self.names), []).append(number)
        return {p: sum(v) / len(v) for p, v in sorted(found.items())}

    def _proved_count(self, at: str) -> Count | None:
        """The iterations of a loop as the analysis tells, or the runs bind them."""
        total = self.loops[at].total
        if total.kind == "exact" and total.formula is not None:
            formula = in_range(total.formula.substitute(self.bound), self.prepared.lowest)
            if formula.symbols <= set(self.names):
                return Count(str(formula))
        law = self.laws.get(at)
        return Count(law.written) if law is not None and not law.open else None

    def _counted(self, at: str) -> list[tuple[Params, int]]:
        """The runs with their iterations of a loop."""
        ids = self.ids.get(at, [])
        rows = [(r.params, r.iterations_of(ids)) for r in self.runs] if ids else []
        return [(p, n) for p, n in rows if n is not None]

    def _holds(self, at: str, count: Count) -> bool:
        """Is a fitted count near what was counted? The smallest sizes may be run otherwise, by
        programs that have a least one."""
        rows = self._counted(at)
        if not any(n > 0 for _, n in rows):
            return False
        columns = {n: np.array([float(p[n]) for p, _ in rows]) for n in self.names}
        seen = np.array([float(n) for _, n in rows])
        near = np.abs(_values(count, columns) - seen) <= _OFF * seen + 1
        upper = seen >= np.median(seen)
        return bool(near[upper].all() and near.mean() >= _MOSTLY)

    def _is_led(self, inside: Sequence[str]) -> bool:
        """Has the loop that runs most, of those in a kernel, a count in formulas?"""
        most = {at: max((n for _, n in self._counted(at)), default=0) for at in inside}
        lead = max(most.values(), default=0)
        return any(self._count(at) is not None and n >= _PART * lead for at, n in most.items())

    # -- traffic
    def _trips(self, params: Params) -> dict[str, float]:
        """Mean trip counts of all loops at parameter values, from those of the runs."""
        return {at: self._extrapolated(at, seen, params) for at, seen in self._seen_trips.items()}

    @cached_property
    def _seen_trips(self) -> dict[str, dict[tuple[int, ...], float]]:
        """Mean trip counts of all loops, by parameter values of the runs."""
        found: dict[str, dict[tuple[int, ...], float]] = {}
        for at, ids in self.ids.items():
            for r in self.runs:
                entries = sum(r.entries[k] for k in ids)
                iterations = r.iterations_of(ids)
                if entries > 0 and iterations is not None:
                    key = tuple(r.params[n] for n in self.names)
                    found.setdefault(at, {})[key] = iterations / entries
        return found

    def _extrapolated(
        self, at: str, seen: Mapping[tuple[int, ...], float], params: Params
    ) -> float:
        """The mean trip count of a loop, which is known at some points, at another."""
        key = tuple(params[n] for n in self.names)
        if key in seen:
            return seen[key]
        if at not in self._grown_trips:
            points = [dict(zip(self.names, map(float, p), strict=True)) for p in seen]
            self._grown_trips[at] = growth_of(points, np.array(list(seen.values())))
        return self._grown_trips[at].at(params)

    def touched(self, params: Params) -> tuple[dict[str, Touched], list[Apart | None]]:
        """What all loops touch in a run, for each way that rows share sets; and these ways."""
        key = tuple(params[n] for n in self.names)
        if key not in self._touched:
            found: dict[str, Touched] = {}
            ways: list[Apart | None] = [None]
            steps = dict.fromkeys(float(e.evaluate(params)) for e in self._distances)
            ways += [Apart(step, halved) for step in steps for halved in range(MOST_HALVED + 1)]
            if self.tree is not None:
                given, trips = self._given(params), self._trips(params)
                found = touched(self.tree, given, CAPACITIES, trips, self._sampled, ways)
            self._touched[key] = found, ways
        return self._touched[key]

    @cached_property
    def _distances(self) -> list[Expr]:
        """The distances of rows of all kernels."""
        found = [self._apart(at) for at in self.ids]
        return list(dict.fromkeys(e for e in found if e is not None))

    def _rates(self, at: str, params: Params, main: Count, apart: Apart | None = None) -> Floats:
        """Traffic of a kernel for each iteration of its main loop: rows lines by kind, random by
        size, pages by size, and the first touches in the last row's first place."""
        found = np.zeros((len(KINDS) + 3, len(CAPACITIES)))
        every, ways = self.touched(params)
        entry = every.get(at)
        columns = {n: np.array([float(v)]) for n, v in params.items()}
        number = float(_values(main, columns)[0])
        if entry is None or not number > 0:
            return found
        first = ways.index(apart) * len(CAPACITIES)
        own = slice(first, first + len(CAPACITIES))
        found[: len(KINDS)] = (entry.lines - entry.provided)[:, own]
        for accesses, size in entry.random:
            found[len(KINDS)] += accesses * _spread(size)
        # jumps to pages that come again after so many bytes of others
        paged = entry.paged[own]
        found[len(KINDS) + 1] = paged
        found[len(KINDS) + 1, :-1] -= paged[1:]
        found[-1] = _LINES * entry.fresh_pages * _spread(entry.all_pages * PAGE)
        return found / number

    def _traffic(self, kernel: _Kernel, main: Count) -> Traffic:
        """The traffic of a kernel, tabulated over the parameters that it depends on."""
        top = {n: max(p[n] for p in kernel.points) for n in self.names}
        depends = [n for n in self.names if self._depends(kernel.at, n, top, main)]
        depends = depends[: len(_MOST_KNOTS)]
        most = self._knots(len(depends))
        axes = [self._axis(n, [p[n] for p in kernel.points], top, most) for n in depends]
        rows = [{**top, **dict(zip(depends, x, strict=True))} for x in product(*axes)]
        apart = self._crowded(kernel.at, rows[len(rows) // 2 :: 3], top, main)
        tables = [self._table(kernel.at, rows, main, apart, 0)]
        while apart is not None and len(tables) <= MOST_HALVED:
            following = self._table(kernel.at, rows, main, apart, len(tables))
            if np.abs(following - tables[-1]).max() <= _FLAT * np.abs(following).max():
                break
            tables.append(following)
        grid = np.concatenate(tables)

        def flat(values: Floats) -> tuple[float, ...]:
            return tuple(float(f"{v:.4g}") for v in values.ravel()) if values.any() else ()

        kinds = len(KINDS)
        return Traffic(
            tuple(depends),
            tuple(tuple(map(float, axis)) for axis in axes),
            CAPACITIES,
            flat(grid[:, 0]),
            flat(grid[:, 1]),
            flat(grid[:, 2]),
            flat(grid[:, 3]),
            flat(grid[:, kinds]),
            flat(grid[:, kinds + 1]),
            flat(grid[:, kinds + 2]),
            str(apart) if len(tables) > 1 else "",
            len(tables) - 1,
            self._is_renewed(kernel.at, top),
        )

    def _is_renewed(self, at: str, top: Params) -> bool:
        """Were most pages that a kernel touches first given back to the system before?"""
        entry = self.touched(top)[0].get(at)
        return entry is not None and 2 * entry.renewed_pages > entry.fresh_pages

    def _table(
        self, at: str, rows: Sequence[Params], main: Count, apart: Expr | None, halved: int
    ) -> Floats:
        """(points, kinds, capacities) The traffic of a kernel at points, where the distance of rows
        halves the sets that they go to so often."""
        found = []
        for params in rows:
            step = None if apart is None else apart.evaluate(params)
            found.append(
                self._rates(at, params, main, None if step is None else Apart(float(step), halved))
            )
        return np.stack(found)

    def _crowded(self, at: str, rows: Sequence[Params], top: Params, main: Count) -> Expr | None:
        """The distance of rows that changes the traffic at some of these points; None where none
        does."""
        apart = self._apart(at)
        if apart is None:
            return None
        free, crowded = (self._table(at, rows, main, apart, k) for k in (0, MOST_HALVED))
        return apart if np.abs(crowded - free).max() > _FLAT * np.abs(crowded).max() else None

    def _apart(self, at: str) -> Expr | None:
        """Bytes from row to row of the matrices of a kernel, of most of its accesses, where they
        follow the parameters: the sets that rows share are others at each size."""
        top = {n: max((int(r.params[n]) for r in self.runs), default=1) for n in self.names}
        found: Counter[Expr] = Counter()
        for loop in () if self.tree is None else self.tree.loops:
            for access, around in loop.accesses() if loop.at == at else ():
                for outer in around:
                    line = access.address.affine_in(outer.index)
                    step = None if line is None else line[0].substitute(self.bound)
                    if step is not None and step.symbols and step.symbols <= set(self.names):
                        found[step] += abs(float(step.evaluate(top))) > LINE
        return max(found, key=lambda e: (found[e], str(e))) if any(found.values()) else None

    def _knots(self, dimensions: int) -> int:
        """Values of each parameter in a table: fewer for large programs."""
        if not dimensions or self.tree is None:
            return 1
        affordable = _NODE_POINTS / max(1, self._visits)
        return min(
            _MOST_KNOTS[dimensions - 1], max(_FEWEST_KNOTS, int(affordable ** (1 / dimensions)))
        )

    def _depends(self, at: str, name: str, top: Params, main: Count) -> bool:
        if len(self.names) == 1:
            return True
        values = {v[name] for v in (dict(r.params) for r in self.runs)}
        here = self._rates(at, top, main)
        for value in (min(values), 4 * max(values)):
            there = self._rates(at, {**top, name: value}, main)
            if np.abs(here - there).max() > _FLAT * np.abs(here).max():
                return True
        return False

    def _axis(self, name: str, values: Sequence[int], top: Params, most: int) -> list[int]:
        """Values to tabulate: those measured, and on beyond them."""
        known = sorted(set(values))
        if len(known) > most // 2:
            places = np.linspace(0, len(known) - 1, max(2, most // 2)).round().astype(int)
            known = [known[k] for k in dict.fromkeys(places.tolist())]
        x = known[-1]
        stretch = _STEP if most > 10 else 2 * _STEP
        while len(known) < most and x < _BEYOND * max(values):
            following = max(x + 1, round(x * stretch))
            while following > x + 1 and self._growth(name, x, following, top) > _MOST_GROWTH:
                following = x + max(1, (following - x) // 2)
            x = following
            known.append(x)
        return known

    def _growth(self, name: str, low: int, high: int, top: Params) -> float:
        """Ratio of all iterations of the program at two values of a parameter."""
        key = (name, low, high, tuple(top.items()))
        if key not in self._growths:
            self._growths[key] = self._found_growth(name, low, high, top)
        return self._growths[key]

    def _found_growth(self, name: str, low: int, high: int, top: Params) -> float:
        columns = {n: np.array([float(v), float(v)]) for n, v in top.items()}
        columns[name] = np.array([float(low), float(high)])
        total = np.zeros(2)
        for at in self.loops:
            count = self._count(at)
            if count is not None:
                total = total + _values(count, columns)
        return float(total[1] / total[0]) if total[0] > 0 else 1.0


def _strewn(tree: AccessTree | None) -> Iterator[str]:
    """The loops that jump about in an object of unknown size."""
    for loop in () if tree is None else tree.loops:
        if any(a.jumps and a.extent is None for a, _ in loop.accesses()):
            yield loop.at


def _tree(prepared: Prepared) -> AccessTree | None:
    """The program's accesses; None where they cannot be read."""
    try:
        settings = prepared.settings
        lengths = {len(e.argv) for e in prepared.experiments}
        program = serial_program(
            prepared.text,
            entry=settings.entry,
            parameters=settings.parameters,
            argc=lengths.pop() + 1 if len(lengths) == 1 else None,
        )
        found = access_tree(program)
        return found if found.size <= _MOST_NODES else None
    except LooplawError:
        return None


def _values(count: Count, columns: Mapping[str, Floats]) -> Floats:
    """Iterations at points; 0 where the formula has no value."""
    formula = parse_formula(count.formula)
    size = max((len(v) for v in columns.values()), default=1)
    try:
        found = formula.values({n: columns[n] for n in formula.symbols})
    except InputError:
        return np.zeros(size)
    return np.nan_to_num(np.broadcast_to(found, (size,)), nan=0.0, posinf=0.0, neginf=0.0)


def _spread(size: float) -> Floats:
    """Shares of the capacities whose mean logarithm is that of a size."""
    found = np.zeros(len(CAPACITIES))
    place = math.log(max(size, CAPACITIES[0]) / CAPACITIES[0]) / math.log(
        CAPACITIES[1] / CAPACITIES[0]
    )
    low = min(int(place), len(CAPACITIES) - 2)
    share = min(1.0, place - low)
    found[low], found[low + 1] = 1 - share, share
    return found
