"""Static law, counted truth and measured model side by side: one row per loop, a verdict each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from modeling import Model, Models, Term, grows_faster
from modeling.data.observations import Point, point_of
from runtime import Plan, RunRecord, is_disturbed
from staticana import Analysis, Count, LoopResult
from staticana.assumed import assumption
from staticana.expr import Expr, Number

from .binding import Counts, SweptLaw, bound_laws, counts_of, given_formulas
from .law_terms import in_range, lead_term, ratio
from .loop_call_tree import gathered
from .time_verdict import SCATTERED, FollowedPower, LongTimes, judge_time, long_times

SHORTEST_S = 2e-6
"""Shorter times are at the resolution of the clock: they are neither modelled nor judged."""
JUDGED_S = 2e-5
"""Shorter times are dominated by start-up and do not enter the verdict."""


@dataclass(frozen=True)
class Counted:
    """A loop at one parameter vector: counted iterations and entries, the static prediction or its
    bounds. outside: the assumptions of the prediction are violated here, so that it is not
    judged."""

    params: Mapping[str, int]
    iterations: int
    entries: int
    predicted: Number | None
    lower: Number | None
    upper: Number | None
    outside: bool = False

    @property
    def equal(self) -> bool | None:
        """Counted as predicted; None where there is no prediction."""
        return None if self.predicted is None else self.predicted == self.iterations

    @property
    def within(self) -> bool:
        return (self.lower is None or self.lower <= self.iterations) and (
            self.upper is None or self.iterations <= self.upper
        )

    def to_json(self) -> dict[str, object]:
        return {
            "params": dict(self.params),
            "iterations": self.iterations,
            "entries": self.entries,
            "predicted": _plain(self.predicted),
            "lower": _plain(self.lower),
            "upper": _plain(self.upper),
            "equal": self.equal,
        }


def _plain(value: Number | None) -> int | str | None:
    return None if value is None else int(value) if value == int(value) else str(value)


@dataclass(frozen=True)
class Row:
    """One loop compared. verdict: obeys, exceeds, below, miscounted, modeled, bounded, unchecked,
    unmeasured, not identifiable.

    model_quality, model_error: of the model that the verdict "modeled" rests on, see `Grade`.
    law: the iterations in the parameters of the study.
    """

    loop: LoopResult
    counted: tuple[Counted, ...]
    obeys: str
    display: str | None
    kernel: str
    times: tuple[tuple[Mapping[str, int | float], tuple[float, ...]], ...] | None
    iterations_model: Model | None
    time_model: Model | None
    growth_ratio: str | None
    verdict: str
    reason: str
    model_quality: str | None = None
    model_error: float | None = None
    law: SweptLaw | None = None

    @property
    def is_unchecked(self) -> bool:
        """Was the loop held against no law, neither its count nor its time?"""
        return self.obeys == "unchecked" and self.verdict not in _JUDGED and not self.is_bound

    @property
    def is_bound(self) -> bool:
        """Do its counts in all runs follow from its formula, with unknowns bound by observation?"""
        return self.law is not None and self.law.kind == "bound"


_BY_TIME = ("obeys", "exceeds", "below")
"""Verdicts that rest on times where there is a model of them."""
_JUDGED = ("obeys", "exceeds", "below", "miscounted")


@dataclass(frozen=True)
class Grade:
    """How far a model that stands for a loop can be trusted.

    quality: "weak" where predictions that leave a point out are off by more than a tenth;
    "extrapolating" where they are not, but the points are so few or so close together that what
    the model says beyond them was not seen; else "good". error: of these predictions, SMAPE in %.
    """

    quality: str
    error: float
    why: str = ""

    def __str__(self) -> str:
        return f"{self.quality} model, error {self.error:.3g} %" + (
            f" ({self.why})" if self.why else ""
        )


_WEAK = 10.0
_FEWEST_VALUES, _LEAST_RANGE = 5, 4.0
"""Of a parameter in a model's formula: Extra-P's rule of five values, and two doublings."""


def grade(model: Model, points: Iterable[Mapping[str, int | float]]) -> Grade:
    """Judge a model by its error at points left out, and by the parameter vectors it was fitted
    at."""
    error = model.quality.loo_smape
    if not np.isfinite(error):
        error = model.quality.smape
    if not error <= _WEAK:
        return Grade("weak", error)
    names = sorted({factor[0] for _, term in model.terms for factor in term.factors})
    at = list(points)
    for name in names:
        values = sorted({float(p[name]) for p in at if name in p})
        if not values:
            continue
        low, high = values[0], values[-1]
        if len(values) < _FEWEST_VALUES:
            return Grade("extrapolating", error, f"{len(values)} values of {name}")
        if low > 0 and high < _LEAST_RANGE * low:
            return Grade("extrapolating", error, f"{name} only from {low:g} to {high:g}")
    return Grade("good", error)


@dataclass(frozen=True)
class Comparison:
    """All loops of a study compared."""

    rows: tuple[Row, ...]

    @property
    def unchecked(self) -> tuple[Row, ...]:
        return tuple(r for r in self.rows if r.is_unchecked)

    @property
    def miscounted(self) -> tuple[Row, ...]:
        return tuple(r for r in self.rows if r.verdict == "miscounted")


def evaluate(
    count: Count, params: Mapping[str, int]
) -> tuple[Number | None, Number | None, Number | None]:
    """(predicted, lower, upper) at a parameter vector; a formula too long to add up counts as not
    predicted."""

    def value(e: Expr | None) -> Number | None:
        try:
            return None if e is None or not e.symbols <= params.keys() else e.evaluate(params)
        except (OverflowError, ZeroDivisionError):
            return None

    if not _holds(count, params):
        return None, None, None
    predicted = value(count.formula) if count.kind == "exact" else None
    if predicted is not None:
        return predicted, None, None
    return None, value(count.lower), value(count.upper)


def broken_assumptions(comparison: Comparison) -> list[str]:
    """One line for each loop of which a run broke an assumption: its count was not judged there."""
    found = []
    for row in comparison.rows:
        outside = [c for c in row.counted if c.outside]
        if not outside:
            continue
        params = outside[0].params
        broken = [n for n in row.loop.total.preconditions if _is_broken(n, params)]
        at = ", ".join(f"{k}={v}" for k, v in params.items())
        told = [f"{n} >= 0" for n in broken] or _ways(row.loop.total)[:1]
        what = "; ".join(told) or "an assumption"
        more = f" and {len(outside) - 1} more" if len(outside) > 1 else ""
        found.append(f"{row.loop.at}: not judged at {at}{more}: the run broke {what}")
    return found


def _is_broken(need: Expr, params: Mapping[str, int]) -> bool:
    try:
        return need.symbols <= params.keys() and need.evaluate(params) < 0
    except (OverflowError, ZeroDivisionError):
        return True


def _holds(count: Count, params: Mapping[str, int]) -> bool:
    try:
        return count.holds(params)
    except (OverflowError, ZeroDivisionError):
        return False


def counters_of(plan: Plan) -> dict[str, list[int]]:
    """Place of a loop -> ids of its counters (copies of a source loop have several)."""
    found: dict[str, list[int]] = {}
    for c in plan.counters:
        found.setdefault(c.at, []).append(c.id)
    return found


def kernels_of(plan: Plan) -> dict[str, str]:
    """Place of a loop -> place of the outermost loop around it, whose time is taken."""
    by_id = {c.id: c for c in plan.counters}
    return {c.at: by_id[c.kernel].at if c.kernel is not None else c.at for c in plan.counters}


def laws_of_kernels(
    analysis: Analysis, lowest: Mapping[str, int], laws: Mapping[str, SweptLaw]
) -> dict[str, Term]:
    """Place of a loop -> the fastest growing iteration count of what runs inside it, calls
    included; none where one of them is not known, from the program or by observation."""

    def lead(loop: LoopResult) -> Term | None:
        law = laws.get(loop.at)
        if law is not None and law.formula is not None and not law.open:
            return lead_term(law.formula)
        total = loop.total
        return (
            lead_term(in_range(total.formula, lowest))
            if total.kind == "exact" and total.formula is not None
            else None
        )

    leads = gathered(
        {loop.at: loop.inner for loop in (*analysis.loops, *analysis.library)},
        {loop.at: (lead(loop),) for loop in analysis.loops},
    )
    return {at: fastest for at, terms in leads.items() if (fastest := _fastest(terms)) is not None}


def _fastest(terms: Iterable[Term | None]) -> Term | None:
    """The term that outgrows the others; None where one is not known."""
    best: Term | None = None
    for term in terms:
        if term is None:
            return None
        if best is None or grows_faster(term, best):
            best = term
    return best


@dataclass(frozen=True)
class SweptLaws:
    """What the runs of a study say of its counts. points: each parameter vector once; laws: those
    of loops that have one, by place."""

    points: tuple[Counts, ...]
    laws: Mapping[str, SweptLaw]


def swept_laws(
    analysis: Analysis,
    plan: Plan,
    runs: Sequence[RunRecord],
    lowest: Mapping[str, int],
    words: Sequence[str] = (),
) -> SweptLaws:
    """The laws of loops in the parameters of a study (see `binding`).

    Args:
        runs: as for `compare`.
        lowest: smallest value of every parameter that was swept.
        words: the arguments of the program, with {name} for swept parameters.
    """
    good = _comparable(plan, runs)
    points = counts_of(analysis, good, counters_of(plan))
    names = tuple(good[0].params) if good else ()
    given = given_formulas(analysis.parameters, words, names)
    return SweptLaws(tuple(points), bound_laws(analysis, points, names, given, lowest))


def _comparable(plan: Plan, runs: Sequence[RunRecord]) -> list[RunRecord]:
    return [r for r in runs if r.status == "ok" and len(r.iterations) == len(plan.counters)]


def compare(
    analysis: Analysis,
    plan: Plan,
    runs: Sequence[RunRecord],
    models: Models,
    lowest: Mapping[str, int],
    swept: SweptLaws | None = None,
) -> Comparison:
    """Compare counts and models with the static formulas.

    Args:
        runs: finished runs; only those with status "ok" are compared.
        models: of the metrics "iterations" and "time", call path = place of the loop.
        lowest: smallest value of every parameter that was swept.
        swept: what `swept_laws` says of these runs; by default that without a command line.
    """
    ids, kernels = counters_of(plan), kernels_of(plan)
    good = _comparable(plan, runs)
    swept = swept_laws(analysis, plan, runs, lowest) if swept is None else swept
    known = {point_of(p.params): p.given for p in swept.points}
    leads = laws_of_kernels(analysis, lowest, swept.laws)
    rows = [
        _row(
            loop,
            ids.get(loop.at, []),
            kernels.get(loop.at, loop.at),
            leads,
            models,
            lowest,
            _observed(loop, ids.get(loop.at, []), good, known),
            swept.laws.get(loop.at),
        )
        for loop in analysis.loops
    ]
    return Comparison(tuple(rows))


@dataclass(frozen=True)
class _Observed:
    """What the runs say of one loop, by parameter vector. waited: seconds that another program took
    from the shortest run; clash: repetitions differ in count."""

    counted: Mapping[Point, Counted]
    times: Mapping[Point, list[float]]
    waited: Mapping[Point, float]
    clash: bool

    @property
    def rows(self) -> tuple[Counted, ...]:
        """The counts, in the order of the vectors."""
        return tuple(self.counted[k] for k in sorted(self.counted))

    @property
    def table(self) -> tuple[tuple[dict[str, float], tuple[float, ...]], ...] | None:
        """The times of each vector; None where no run was timed."""
        if not any(any(t) for t in self.times.values()):
            return None
        return tuple((dict(k), tuple(self.times[k])) for k in sorted(self.times))


def _observed(
    loop: LoopResult,
    ids: list[int],
    runs: Iterable[RunRecord],
    known: Mapping[Point, Mapping[str, int]],
) -> _Observed:
    """The runs' counts of a loop, and the times of its kernel."""
    counted: dict[Point, Counted] = {}
    clash = False
    times: dict[Point, list[float]] = {}
    waited: dict[Point, float] = {}
    for r in runs:
        key = point_of(r.params)
        iterations = r.iterations_of(ids) if ids else None
        if iterations is not None:
            found = _counted(loop, r, iterations, sum(r.entries[k] for k in ids), known[key])
            clash |= key in counted and counted[key].iterations != found.iterations
            if key not in counted or found.equal is False:
                counted[key] = found
        if any(r.seconds):
            seconds = sum(r.seconds[k] for k in ids)
            if seconds < min(times.setdefault(key, []), default=np.inf):
                waited[key] = r.waited_s if is_disturbed(r) else 0.0
            times[key].append(seconds)
    return _Observed(counted, times, waited, clash)


@dataclass(frozen=True)
class _Case:
    """One loop before the judge. own: its times are its own, and not those of a loop around it;
    law: the leading term of its law, where it has one; bound: its law in the swept parameters."""

    loop: LoopResult
    seen: _Observed
    obeys: str
    kernel: str
    time_model: Model | None
    law: Term | None
    bound: SweptLaw | None
    is_counted: bool

    @property
    def own(self) -> bool:
        return self.kernel == self.loop.at

    def judged(self) -> tuple[str, str]:
        """The verdict on counts and times, and the reason."""
        long = long_times(self.seen.times, JUDGED_S, self.seen.waited)
        growth = _growth(long, self.law) if self.law is not None else None
        verdict, reason = self._of_counts() or self._of_times(growth)
        model = self.time_model
        if model is not None and model.law is not None and verdict in _BY_TIME:
            return judge_time(model.law, long) or (verdict, reason)
        return verdict, reason

    def _of_counts(self) -> tuple[str, str] | None:
        """The verdict where counts decide, or where there are no times."""
        rows = self.seen.rows
        if self.obeys == "no":
            return "miscounted", _miscounted(rows)
        if not rows:
            return "unmeasured", "no run was finished" if self.is_counted else "it is not counted"
        if self.time_model is not None:
            return None
        part = "" if self.own else f"; its time is part of {self.kernel}"
        if self.obeys == "yes":
            return "obeys", _counted_so(rows) + part
        if self.bound is not None and self.bound.kind == "bound":
            return "obeys", f"{self.bound.told}{part}"
        text = self.loop.total.reason or "no formula"
        return "modeled", ("repetitions differ in count; " if self.seen.clash else "") + text

    def _of_times(self, growth: FollowedPower | None) -> tuple[str, str]:
        """The verdict on times beside the law."""
        model, law = self.time_model, self.law
        assert model is not None
        if not model.identifiable:
            return "not identifiable", model.reason or "the points do not tell"
        if law is None or not law.factors:
            return "modeled", f"time grows as {model.lead}; no growing static law to compare with"
        if growth is None:
            return "modeled", f"too few or too short times to compare with the law {law}"
        seen = (
            f"time grows as the law to the power {growth.power:.2f} (law {law}, model {model.lead})"
        )
        return ("modeled", f"{SCATTERED}: {seen}") if growth.unknown else (growth.verdict, seen)

    def graded(
        self, verdict: str, reason: str, of_counts: Model | None
    ) -> tuple[str, str, Grade | None]:
        """How good the model is, where a model is all there is."""
        if verdict != "modeled":
            return verdict, reason, None
        if self.time_model is None and self.bound is not None and not self.seen.clash:
            exact = f"an exact formula of the counts of {self.bound.seen} runs"
            return verdict, f"{self.bound.told}; {reason}", Grade("good", 0.0, exact)
        model = of_counts if self.time_model is None else self.time_model
        if model is None or (self.time_model is None and not model.identifiable):
            return "bounded" if self.obeys == "bounded" else "unchecked", reason, None
        points = self.seen.counted if self.time_model is None else self.seen.times
        found = grade(model, [dict(k) for k in points])
        return verdict, f"{found}; {reason}", found


def _row(
    loop: LoopResult,
    ids: list[int],
    kernel: str,
    laws: Mapping[str, Term],
    models: Models,
    lowest: Mapping[str, int],
    seen: _Observed,
    bound: SweptLaw | None,
) -> Row:
    rows = seen.rows
    own = kernel == loop.at
    exact = loop.total.formula if loop.total.kind == "exact" else None
    time_model = models.find(loop.at, "time") if own else None
    iterations_model = models.find(loop.at, "iterations")
    law = laws.get(loop.at) if own else None
    case = _Case(loop, seen, _obeys(rows), kernel, time_model, law, bound, is_counted=bool(ids))
    verdict, reason, graded = case.graded(*case.judged(), iterations_model)
    return Row(
        loop,
        rows,
        case.obeys,
        None if exact is None else str(in_range(exact, lowest)),
        kernel,
        seen.table if own else None,
        iterations_model,
        time_model,
        ratio(time_model.lead, law) if time_model is not None and law is not None else None,
        verdict,
        reason,
        None if graded is None else graded.quality,
        None if graded is None else graded.error,
        bound,
    )


def _counted(
    loop: LoopResult, r: RunRecord, iterations: int, entries: int, values: Mapping[str, int]
) -> Counted:
    """One run's count beside the prediction; a run that never came to the loop took another way
    than the prediction says."""
    predicted, lower, upper = evaluate(loop.total, values)
    elsewhere = not entries and bool(predicted or lower) and bool(_ways(loop.total))
    if elsewhere or not _holds(loop.total, values):
        return Counted(r.params, iterations, entries, None, None, None, outside=True)
    return Counted(r.params, iterations, entries, predicted, lower, upper)


def _ways(count: Count) -> list[str]:
    """The tests that the run is taken to pass, in words."""
    return [a for a in count.assumptions if assumption(a).kind == "way taken"]


def _growth(long: LongTimes | None, law: Term) -> FollowedPower | None:
    """How the times grow with the leading term of the law."""
    return None if long is None else long.growth(law.evaluate(long.columns))


def _obeys(rows: Sequence[Counted]) -> str:
    """Counted == predicted at every vector: yes, no; bounded: no prediction, but within bounds;
    unchecked: neither."""
    checked = [c.equal for c in rows if c.equal is not None]
    if any(c is False for c in checked) or any(not c.within for c in rows):
        return "no"
    if checked and len(checked) == sum(not c.outside for c in rows):
        return "yes"
    return "bounded" if rows and any(c.upper is not None for c in rows) else "unchecked"


def _counted_so(rows: Sequence[Counted]) -> str:
    """Where a loop was counted as predicted."""
    left = sum(c.outside for c in rows)
    if not left:
        return "counted as predicted"
    return (
        f"counted as predicted at {len(rows) - left} of {len(rows)} points; not judged at the"
        " others: the run broke an assumption of the formula"
    )


def _miscounted(rows: Sequence[Counted]) -> str:
    """Where a count differs from its formula first."""
    wrong = next((c for c in rows if c.equal is False or not c.within), rows[0])
    at = ", ".join(f"{k}={v}" for k, v in wrong.params.items())
    expected = wrong.predicted if wrong.predicted is not None else f"{wrong.lower} to {wrong.upper}"
    return f"counted {wrong.iterations}, the formula says {expected} at {at}"
