"""The online fitter: observations stream in and are merged, models are there whenever they are
asked for.

Per call path, metric and distinct parameter vector it keeps number, mean, squared deviations, the
least and the greatest, nothing else: the cost of an observation and the memory do not depend on how
many came before, and no trace exists. These statistics are sufficient: the models are the same as
those of an offline fit to the single observations (PEMOGEN, PACT 2014).
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from looplaw_common.errors import DataError

from ..data.measurements import Measurements, Statistics, from_statistics
from ..fitter.fit import fit
from ..methods.lasso import Dictionary, GramLasso
from ..pmnf.model import Models
from ..pmnf.terms import NO_PRIOR, Prior
from .drift import BETWEEN_ALARMS, Drift, DriftDetector

LASSO = "lasso"
"""The method whose sums are kept while observations stream in."""


class OnlineFitter:
    """Accumulates observations of many series.

    Args:
        parameters: names, the coordinates of every point.
        priors: (callpath, metric) -> what the static analysis says of it.
        method: as in `fit`. "lasso" keeps the Gram matrix and the moments of its terms as well (see
            `modeling.methods.lasso`): an observation costs O(terms**2) once, and a model is made
            from these sums alone.
        between_alarms: watch for changes of the law while observations stream in, with so many
            observations of a series between two false alarms on average (see
            `modeling.stream.drift`); None does not watch.
    """

    def __init__(
        self,
        parameters: tuple[str, ...],
        priors: Mapping[tuple[str, str], Prior] | None = None,
        *,
        method: str = "default",
        between_alarms: float | None = BETWEEN_ALARMS,
    ) -> None:
        self.parameters = parameters
        self._between_alarms = between_alarms
        self._detectors: dict[tuple[str, str], DriftDetector] = {}
        self._drifts: list[Drift] = []
        self._priors = dict(priors or {})
        self._method = method
        self._cells: dict[tuple[str, str], dict[tuple[float, ...], Statistics]] = {}
        self._lassos: dict[tuple[str, str], GramLasso] = {}

    def observe(
        self, callpath: str, metric: str, params: Mapping[str, float], value: float
    ) -> None:
        """Take in one observation.

        Raises:
            DataError: a parameter has no value, or a number is not finite.
        """
        point = self._merged(callpath, metric, params, 1, value, 0.0)
        if self._between_alarms is None:
            return
        detector = self._detectors.get((callpath, metric))
        if detector is None:
            detector = DriftDetector(callpath, metric, self.parameters, self._between_alarms)
            self._detectors[callpath, metric] = detector
        drift = detector.observe(point, value)
        if drift is not None:
            self._drifts.append(drift)

    @property
    def drifts(self) -> tuple[Drift, ...]:
        """Changes of laws so far, in the order in which they became certain."""
        return tuple(self._drifts)

    def merge(
        self,
        callpath: str,
        metric: str,
        params: Mapping[str, float],
        count: float,
        mean: float,
        squares: float,
    ) -> None:
        """Take in observations aggregated elsewhere: their number, mean and sum of squared
        deviations. Their order is not known, so they are not watched.

        Raises:
            DataError: a parameter has no value, or a number is not finite.
        """
        self._merged(callpath, metric, params, count, mean, squares)

    def _merged(
        self,
        callpath: str,
        metric: str,
        params: Mapping[str, float],
        count: float,
        mean: float,
        squares: float,
    ) -> tuple[float, ...]:
        try:
            point = tuple(float(params[p]) for p in self.parameters)
        except KeyError as error:
            raise DataError(
                f"{callpath}, {metric}: no value for parameter {error.args[0]}"
            ) from None
        if not all(map(math.isfinite, (*point, mean, squares))) or count <= 0:
            raise DataError(f"{callpath}, {metric}: an observation is not a finite number")
        cell = self._cells.setdefault((callpath, metric), {})
        before = cell.get(point, Statistics())
        cell[point] = before.plus(
            Statistics.of(mean) if count == 1 else Statistics(count, mean, squares)
        )
        if self._method == LASSO:
            self._lasso(callpath, metric).update(point, before, cell[point])
        return point

    def _lasso(self, callpath: str, metric: str) -> GramLasso:
        """The sums of one series."""
        found = self._lassos.get((callpath, metric))
        if found is None:
            prior = self._priors.get((callpath, metric), NO_PRIOR)
            found = GramLasso(Dictionary.of(self.parameters, prior))
            self._lassos[callpath, metric] = found
        return found

    def measurements(self) -> Measurements:
        """What was observed so far, aggregated."""
        return Measurements(
            tuple(
                from_statistics(c, m, self.parameters, cells)
                for (c, m), cells in self._cells.items()
            )
        )

    def models(self) -> Models:
        """The models of everything observed so far."""
        measurements = self.measurements()
        if self._method == LASSO:
            return Models(
                tuple(self._lasso(s.callpath, s.metric).model(s) for s in measurements.series)
            )
        return fit(measurements, self._priors, method=self._method)
