"""Finished runs taken in one by one; models of all of them at any time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from threading import RLock

from modeling import Drift, DriftDetector, Measurements, Models, OnlineFitter, Prior
from modeling.data.observations import Point
from runtime import CallRow, Experiment, RunRecord, undisturbed

from ..exchange import call_observations
from ..laws.comparison import SHORTEST_S, counters_of
from ..laws.priors import analysis_priors
from .design import free_parameters
from .modelers import Modeler, PerCall
from .prepared import Prepared
from .provenance import places

_TIMES = ("time", "time_per_call")


def priors(prepared: Prepared) -> dict[tuple[str, str], Prior]:
    """What the static result allows each series: which parameters, which terms are known, which
    bounds counts keep."""
    return analysis_priors(
        prepared.analysis,
        prepared.settings.vary.keys(),
        prepared.lowest,
        free_parameters(prepared.settings, prepared.analysis),
    )


class Live:
    """Takes in finished runs one by one; models are there at any time.

    Args:
        modeler: what fits; the online fitter with what the static analysis allows if none is given.
    """

    def __init__(self, prepared: Prepared, modeler: Modeler | None = None) -> None:
        self._prepared, self._is_chosen = prepared, modeler is not None
        self._ids = counters_of(prepared.plan)
        self._kernels = {c.at for c in prepared.plan.counters if c.nesting == 1}
        self.modeler = modeler or OnlineFitter(
            tuple(prepared.settings.vary), priors(prepared), between_alarms=None
        )
        self._calls = PerCall()
        self._over: set[tuple[Point, int]] = set()
        self._busy = RLock()
        self._places = places(prepared)
        self.runs: list[RunRecord] = []
        self.drifts: list[Drift] = []
        self._detectors: dict[tuple[str, str], DriftDetector] = {}
        self._known: set[tuple[str, str]] = set()
        self._loops = [loop.at for loop in prepared.analysis.loops]

    def add(self, record: RunRecord) -> None:
        """One finished run; failed ones are kept for the report but not fitted, those that warm up
        are neither."""
        with self._busy:
            self._over.add((tuple(record.params.items()), record.repetition))
            self._calls.so_far(())
            if record.repetition < 0:
                return
            self.runs.append(record)
            if record.status == "ok" and len(record.iterations) == len(
                self._prepared.plan.counters
            ):
                self._learn(record)

    def _learn(self, record: RunRecord) -> None:
        observed: dict[tuple[str, str], list[float]] = {}
        for process in record.of_ranks():
            self._observe(process, observed)
        self._watch(record.params, observed)
        for name, count in record.events.items():
            self.modeler.observe("main", name, record.params, count)
        for o in self._prepared.operations.of(record):
            self._known.add((o.callpath, o.metric))
            self.modeler.observe(o.callpath, o.metric, record.params, o.value)
        self._calls.add(call_observations(record.calls, self._places, record.params))

    def so_far(self, experiment: Experiment, rows: Sequence[CallRow]) -> bool:
        """Take in the calls that the current run has made so far, from another thread; False if the
        run has ended, or is a warm-up."""
        with self._busy:
            if (
                experiment.repetition < 0
                or (tuple(experiment.params.items()), experiment.repetition) in self._over
            ):
                return False
            self._calls.so_far(call_observations(rows, self._places, experiment.params))
            return True

    def measurements(self) -> Measurements:
        """Everything observed so far, aggregated."""
        with self._busy:
            return Measurements((*self.modeler.measurements().series, *self._calls.measurements()))

    def _watch(
        self, params: Mapping[str, int], observed: Mapping[tuple[str, str], Sequence[float]]
    ) -> None:
        """Has a law changed? Ranks differ for other reasons, so their mean is watched."""
        names = tuple(self._prepared.settings.vary)
        for key, values in observed.items():
            detector = self._detectors.setdefault(key, DriftDetector(*key, names))
            drift = detector.observe(
                tuple(float(params[n]) for n in names), sum(values) / len(values)
            )
            if drift is not None:
                self.drifts.append(drift)

    def _observe(self, record: RunRecord, observed: dict[tuple[str, str], list[float]]) -> None:
        for at in self._loops:
            ids = self._ids.get(at, [])
            if not ids:
                continue
            iterations = record.iterations_of(ids)
            if iterations is not None:
                self.modeler.observe(at, "iterations", record.params, iterations)
                observed.setdefault((at, "iterations"), []).append(iterations)
            seconds = sum(record.seconds[k] for k in ids)
            if at in self._kernels and seconds > 0:
                self.modeler.observe(at, "time", record.params, seconds)
                observed.setdefault((at, "time"), []).append(seconds)

    def of_undisturbed(self) -> Live:
        """The same without the times that other programs disturbed, where a repetition has quieter
        ones; this where there are none, or where someone else's modeler has learned them."""
        runs = undisturbed(self.runs)
        if self._is_chosen or runs == self.runs:
            return self
        found = Live(self._prepared)
        for record in runs:
            found.add(record)
        return found

    def without_operations(self) -> list[str]:
        """A line for each metric that no run determines for some functions."""
        operations = self._prepared.operations
        names = operations.names.values()
        lacking = {m: [n for n in names if (n, m) not in self._known] for m in operations.metrics}
        return [
            f"{metric} of {', '.join(found)} does not follow from what is counted; looplaw analyze"
            " --functions shows the formulas"
            for metric, found in lacking.items()
            if found
        ]

    def times(self, record: RunRecord) -> list[float]:
        """The times of a run's kernels, in a fixed order."""
        return [sum(record.seconds[k] for k in self._ids[at]) for at in sorted(self._kernels)]

    def models(self) -> Models:
        """Models of everything so far; kernels faster than the clock resolves are left out."""
        with self._busy:
            found = (*self.modeler.models().models, *self._calls.models())
            short = {
                (s.callpath, s.metric)
                for s in self.measurements().series
                if s.metric in _TIMES and s.means.max() < SHORTEST_S
            }
            return Models(tuple(m for m in found if (m.callpath, m.metric) not in short))
