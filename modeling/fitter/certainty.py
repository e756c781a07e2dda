"""What may be said of chosen laws: how far their values are known, why a model is not identifiable,
and what to measure next."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..data.measurements import Floats
from ..evidence.goodness_of_fit import poor_fits
from ..pmnf.interval import beyond_few
from ..pmnf.prediction import LEVEL, Certainty, certainty
from ..search.identifiability import (
    NOISE,
    design_fault,
    discriminating_points,
    few_points_question,
    few_values_question,
    further_points,
    open_question,
    outlier_question,
)
from .laws import ChosenLaws


@dataclass(frozen=True)
class Verdicts:
    """How sure the laws of K series are, and what makes them doubtful."""

    laws: ChosenLaws

    @cached_property
    def certainty(self) -> list[Certainty]:
        """How far each value is known at four times the largest point, as `Model.certainty_at`
        tells it there: never "sure" where the design or the fit forbids it, or where a parameter
        had too few values; "open" where only one point was measured."""
        laws, settings = self.laws, self.laws.settings.identifiability
        if laws.reach and not laws.free:
            return ["open"] * len(laws.series)
        found = self._certainty_of(self._ends[1]) if laws.has_unseen else self.determined
        few = beyond_few(laws.reach, self._far, settings.fewest_values)
        return ["rough" if c == "sure" and few else c for c in found]

    @cached_property
    def _far(self) -> dict[str, Floats]:
        """The point at which certainty is told."""
        laws = self.laws
        top = {n: laws.series.points[:, p].max() for n, p in laws.varying}
        at = {n: np.array([x * laws.settings.batch.far[-1]]) for n, x in top.items()}
        return at or {"": np.zeros(1)}

    @cached_property
    def determined(self) -> list[Certainty]:
        """The same as far as the points tell, which do not tell of laws that end beyond them."""
        return self._certainty_of(self._ends[0])

    @cached_property
    def _ends(self) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
        """The intervals there, as the points tell them alone, and with what they do not tell."""
        return self.laws.both_intervals(self._far, LEVEL)

    @cached_property
    def _values(self) -> Floats:
        """(K,): the values there."""
        result: Floats = self.laws.values(self._far)[:, 0]
        return result

    def _certainty_of(self, ends: tuple[Floats, Floats]) -> list[Certainty]:
        found: list[Certainty] = certainty(self._values, ends[0][:, 0], ends[1][:, 0]).tolist()
        return [
            "rough" if c == "sure" and (few or why is not None) else c
            for c, few, why in zip(found, self._few_values.tolist(), self._faults, strict=True)
        ]

    @cached_property
    def reasons(self) -> list[str | None]:
        """Why a model is not identifiable, with what to measure next; None where it is."""
        laws = self.laws
        parameters, points = laws.series.parameters, laws.series.points
        reasons = [
            why or ("" if c != "sure" else None)
            for why, c in zip(self._faults, self.determined, strict=True)
        ]
        for k, law in laws.curves.items():
            reasons[k] = reasons[k] or law.doubt
        doubtful = np.array([k for k, why in enumerate(reasons) if why == ""], dtype=np.int64)
        if not laws.free:
            return [NOISE if why == "" else why for why in reasons]
        if len(doubtful):
            further = further_points(points.max(axis=0), laws.free, laws.settings.identifiability)
            flat = further.reshape(-1, points.shape[1])
            columns = [
                t.columns(flat[:, p]) for t, p in zip(laws.terms.tables, laws.free, strict=True)
            ]
            values = laws.summed(laws.values_at_columns(columns, len(flat), doubtful), doubtful)
            multiple, direction = discriminating_points(
                values.reshape(*values.shape[:2], *further.shape[:2]),
                laws.weight[doubtful],
                laws.found.sigma[doubtful],
                laws.settings.identifiability,
            )
            for k, point in zip(doubtful.tolist(), further[multiple, direction], strict=True):
                reasons[k] = open_question(parameters, point, float(laws.found.lead_share[k]))
        return reasons

    @cached_property
    def _faults(self) -> list[str | None]:
        """Why nothing may be sure whatever the interval says; None where it may be."""
        laws = self.laws
        parameters, points = laws.series.parameters, laws.series.points
        settings = laws.settings.identifiability
        fault = design_fault(parameters, points, settings)
        if fault is not None:
            return [fault] * len(laws.series)
        poor = poor_fits(laws.series, laws.errors.fitted, laws.settings.goodness)
        found = [poor.get(k) for k in range(len(laws.series))]
        if not laws.free:
            return found
        for k in np.flatnonzero(self._outlier).tolist():
            found[k] = found[k] or outlier_question(laws.errors.fitted[k], laws.batch.y[k])
        for k, names in self._two_values.items():
            found[k] = found[k] or few_values_question(names, settings)
        shown = laws.shown
        for k in np.flatnonzero(shown <= settings.most_top).tolist():
            found[k] = found[k] or few_points_question(int(shown[k]), laws.chosen(k)[1])
        for k in laws.curves:  # those above ask about the terms of a law that does not hold
            found[k] = poor.get(k)
        return found

    @cached_property
    def _two_values(self) -> dict[int, list[str]]:
        """Number of a series -> the parameters of its law that had too few values to tell any
        exponent."""
        laws = self.laws
        few = {
            n
            for n, *_, count in laws.reach
            if 1 < count < laws.settings.identifiability.fewest_points
        }
        found = {}
        for k in range(len(laws.series)) if few else ():
            names = {n for _, term in laws.chosen(k)[1] for n in term.parameters} & few
            if names:
                found[k] = sorted(names)
        return found

    @cached_property
    def _few_values(self) -> NDArray[np.bool_]:
        """(K,): has the leading term a parameter of so few values that with this noise many laws
        are like it there, and unlike it beyond?"""
        laws = self.laws
        settings, lead = laws.settings.identifiability, laws.leading
        few = [
            i
            for i, (_, column) in enumerate(laws.varying)
            if len(np.unique(laws.series.points[:, column])) < settings.fewest_values
        ]
        noisy = laws.found.sigma[:, 0] > settings.quiet
        codes = laws.found.codes[np.arange(len(lead)), 0, np.maximum(lead, 0)]
        result: NDArray[np.bool_] = noisy & (lead >= 0) & (codes[:, few] > 0).any(axis=1)
        return result

    @cached_property
    def _outlier(self) -> NDArray[np.bool_]:
        """(K,): is the largest point taken for an outlier?"""
        laws = self.laws
        outlier = laws.settings.noise.outlier
        weight = np.where(laws.found.profile == outlier, laws.weight, 0.0).sum(axis=1)
        result: NDArray[np.bool_] = (laws.found.profile[:, 0] == outlier) | (
            weight > 0.5 * laws.weight.sum(axis=1)
        )
        return result
