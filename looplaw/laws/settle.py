"""What would settle a loop that a study leaves open: one command, how long its runs take, and why.

Counts have no noise: where a loop has no law yet, more values of its parameters show whether one
formula fits all counts. A model of time that is open, weak or rests on few sizes wants what it
lacks: another size, times long enough for the clock, or more repetitions.
"""

from __future__ import annotations

import re
import shlex
import statistics
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from itertools import pairwise, product
from math import isfinite, prod, sqrt

import msgspec

from looplaw_common.errors import DataError
from modeling import Model
from modeling.data.observations import Point, point_of

from ..documents.study import SettleDocument, StudyLoop
from .answer import NEXT_WITHIN_S, Answer, is_unsettled, standing
from .next_size import measured_again, sizes_towards, swept, width_ratio
from .time_prediction import RunModels, rest_model, run_models

_ENOUGH = 8
"""Values of a parameter from which on an exact formula of counts is found or ruled out: a cubic
takes four, and as many again confirm it."""
_CLEAR_S = 1e-3
"""Times that are longer are not made by start-up and interrupts."""
_NOISY = 0.05
"""Repetitions that spread by more want company."""
_HALF = 0.5
_STEP = 4
"""Every fourth of the sizes that could be measured is tried: one command settles many loops."""
_TIMES = 3
"""Repetitions are multiplied by this: four would halve the spread of a mean."""
_MOST_REPETITIONS = 30

_ADVICE = re.compile(r": (?:measure|repeat) ")
"""Behind it a model says what to measure, not knowing what that costs."""

Values = dict[str, tuple[int, ...]]


def with_remedies(found: Answer, folder: str | None) -> Answer:
    """The answer, its study with `settle` set for each loop that is open, weak or unchecked.

    Args:
        folder: where the study is, for the commands.
    """
    study = found.study
    if study.options is None or not study.parameters:
        return found
    runs = _Runs(found, folder)
    loops = tuple(
        msgspec.structs.replace(loop, settle=_remedy(loop, runs)) if _is_open(loop) else loop
        for loop in study.loops
    )
    return replace(found, study=msgspec.structs.replace(study, loops=loops))


def _is_open(loop: StudyLoop) -> bool:
    return is_unsettled(loop) or standing(loop) == "open"


def _remedy(loop: StudyLoop, runs: _Runs) -> SettleDocument:
    """The command for one loop."""
    if not loop.counted:
        return _first_run(loop, runs)
    why: list[str] = []
    values, repetitions = runs.values, runs.repetitions
    model = None if loop.time_model is None else Model.of(loop.time_model, loop.at)
    varies = "repetitions differ in count" in (loop.verdict_reason or "")
    if varies:
        why.append("its count differs from run to run, so that only its mean can have a law")
        repetitions = runs.more_repetitions
    elif standing(loop) == "open":
        told = loop.total.reason if loop.total is not None else None
        why.append(f"no law of its count is known{f': {told}' if told else ''}")
        values = runs.wider(loop.parameters)
    if model is not None and is_unsettled(loop):
        reason, needs = _lacks(loop, model)
        why.append(reason)
        if needs == "repetitions":
            repetitions = runs.more_repetitions
        elif needs == "values":
            values = _merged(values, runs.wider(loop.parameters))
        if needs != "repetitions":
            values = _merged(values, runs.towards(model, loop.parameters))
    if not why:
        why.append(loop.verdict_reason or "it was held against no law")
        values = runs.at_target(loop.parameters)
    return SettleDocument(
        "; ".join(why), runs.command(values, repetitions), runs.seconds(values, repetitions)
    )


def _lacks(loop: StudyLoop, model: Model) -> tuple[str, str]:
    """Why the model of a loop's time is not settled, and what it wants: repetitions, values or a
    size."""
    if loop.verdict == "not identifiable":
        told = loop.verdict_reason or model.reason or "other laws fit as well"
        return _ADVICE.split(told)[0].replace(" (", ", ").replace(") ", ", "), "size"
    if loop.model_quality == "extrapolating":
        return "its sizes are too few or too close together", "values"
    error = loop.model_error
    missed = "its model is weak" if error is None else f"its model misses points by {error:.0f} %"
    longest = max((statistics.median(row.values) for row in loop.time or ()), default=0.0)
    if longest < _CLEAR_S:
        return f"{missed}: its times are below 1 ms", "size"
    spread = statistics.median(
        [(max(v) - min(v)) / statistics.median(v) for row in loop.time or () if (v := row.values)]
    )
    if spread > _NOISY:
        return f"{missed}: its repetitions differ by {100 * spread:.0f} %", "repetitions"
    return f"{missed}: it does not grow by one law over these sizes", "values"


def _first_run(loop: StudyLoop, runs: _Runs) -> SettleDocument:
    """For a loop that was never counted."""
    failed = next((r for r in runs.study.runs if r.status != "ok"), None)
    if failed is not None and not any(r.status == "ok" for r in runs.study.runs):
        why = f"no run succeeded: {failed.reason or failed.status}"
    else:
        why = loop.verdict_reason or "no run reached it"
    values = runs.values
    return SettleDocument(
        why, runs.command(values, runs.repetitions, every=True), runs.seconds({}, 0, every=True)
    )


def _merged(a: Values, b: Values) -> Values:
    return {n: tuple(sorted({*v, *b.get(n, ())})) for n, v in a.items()}


class _Runs:
    """The runs of a study, and what others would take."""

    def __init__(self, found: Answer, folder: str | None) -> None:
        study = found.study
        self.study, self._at, self._folder = study, found.at, folder
        self._first = [] if found.next is None else [dict(found.next.at)]
        self.values: Values = {
            p.name: tuple(sorted({int(v) for v in p.values})) for p in swept(study)
        }
        points: dict[Point, int] = {}
        for run in study.runs:
            points[point_of(run.params)] = points.get(point_of(run.params), 0) + 1
        self._points = points
        self.repetitions = max(points.values(), default=3)
        self._known: dict[Point, float] = {}
        self._wider: dict[str, tuple[int, ...]] = {}

    def wider(self, names: Iterable[str]) -> Values:
        """More values between those that were run, of the parameters that a loop depends on; of
        all that were varied where none is known."""
        return self.values | {n: self._more(n) for n in self._of(names)}

    def at_target(self, names: Iterable[str]) -> Values:
        """With the values of the target, of the parameters that a loop depends on."""
        added: Values = {n: (round(self._at[n]),) for n in self._of(names) if n in self._at}
        return _merged(self.values, added)

    @property
    def more_repetitions(self) -> int:
        """Repetitions that halve what noise leaves open."""
        return max(min(_TIMES * self.repetitions, _MOST_REPETITIONS), self.repetitions + 1)

    def _of(self, names: Iterable[str]) -> list[str]:
        varied = [n for n, v in self.values.items() if len(v) > 1] or list(self.values)
        return [n for n in names if n in varied] or varied

    def _more(self, name: str) -> tuple[int, ...]:
        if name not in self._wider:
            found = set(self.values[name])
            while found and len(found) < max(_ENOUGH, len(self.values[name]) + 2):
                gaps = [(b / a, round(sqrt(a * b))) for a, b in pairwise(sorted(found)) if a > 0]
                between = [(ratio, v) for ratio, v in gaps if v not in found]
                found.add(max(between)[1] if between else max(found) + max(max(found) // 4, 1))
            self._wider[name] = tuple(sorted(found))
        return self._wider[name]

    def towards(self, model: Model, names: Iterable[str]) -> Values:
        """With a size that halves the interval of a model at the target, of those that can be
        afforded: the one that the whole run wants, too, else the smallest; else the largest."""
        top = {n: float(max(v)) for n, v in self.values.items() if v}
        moved, best = set(self._of(names)), None
        for step in (*self._first, *sizes_towards(top, self._at)[_STEP - 1 :: _STEP]):
            size = {n: v if n in moved else round(top.get(n, v)) for n, v in step.items()}
            added: Values = {n: (v,) for n, v in size.items() if n in moved}
            values = _merged(self.values, added)
            if best is not None and self.seconds(values, self.repetitions) > NEXT_WITHIN_S:
                continue
            best = values
            if width_ratio(model, self._at, size, top) <= _HALF:
                break
        return best or self.values

    def seconds(self, values: Values, repetitions: int, *, every: bool = False) -> float:
        """What the runs take that were not made yet; of all once more for `every`."""
        if every:
            return sum(self._run(dict(p)) * n for p, n in self._points.items())
        wanted = [dict(zip(values, p, strict=True)) for p in product(*values.values())]
        return sum(
            self._run(p) * max(repetitions - self._points.get(point_of(p), 0), 0) for p in wanted
        )

    def _run(self, at: Mapping[str, float]) -> float:
        """The time of one run: as measured, as foretold, else in proportion to the sizes."""
        key = point_of(at)
        if key not in self._known:
            self._known[key] = self._measured.get(key) or self._foretold(at)
        return self._known[key]

    @cached_property
    def _measured(self) -> dict[Point, float]:
        found: dict[Point, list[float]] = {}
        for r in self.study.runs:
            if r.status == "ok" and r.elapsed_s:
                found.setdefault(point_of(r.params), []).append(r.elapsed_s)
        return {p: statistics.median(v) for p, v in found.items()}

    def _foretold(self, at: Mapping[str, float]) -> float:
        most = max(self._measured, key=lambda p: prod(v for _, v in p), default=None)
        try:
            seconds = float(self._models.seconds([at])[0]) if self._models else 0.0
        except DataError:
            seconds = 0.0
        if isfinite(seconds) and seconds > 0:
            return seconds
        if most is None:
            return 0.0
        larger = [at[n] / v for n, v in most if n in at and v > 0]
        return self._measured[most] * max(prod(larger), 0.0)

    @cached_property
    def _models(self) -> RunModels | None:
        try:
            return run_models(self.study, rest_model(self.study))
        except DataError:
            return None

    def command(self, values: Values, repetitions: int, *, every: bool = False) -> str | None:
        """The study once more with these values. every: without a selection of kernels."""
        more = ["--repetitions", str(repetitions)] if repetitions != self.repetitions else []
        words = measured_again(self.study, self._at, values, self._folder, more, every=every)
        return None if words is None else shlex.join(words)
