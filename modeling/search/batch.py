"""What a batch of series is fitted with: observations, factors, noise levels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..data.measurements import Floats
from ..evidence.noise import Levels
from ..evidence.noise_shape import Repetitions
from ..evidence.posterior import level_constants
from ..pmnf.hypotheses import Codes
from ..settings import Settings
from .changes import Changes


@dataclass(frozen=True)
class Batch:
    """K series that share their P points, with all that their fits need.

    y, magnitude, spread (K, P): observed means, what their noise is relative to, and variances of
    the means in units of the mean one, infinite where a point does not count. distance (P,): steps
    below the largest point. tables[l] (T_l, P) and far[l] (T_l, F): factors of parameter l at the
    points and beyond them; the leading term is judged at the last point beyond. nonnegative (K,):
    whether values can be negative. levels, repetitions (K, S): noise levels, and the log likelihood
    of the repetitions under each. local (horizon, P): matrix of local extrapolation to the last
    points beyond, on logarithms, whether the design has one (extrapolates), and
    extrapolation_weight, 0 to 1, its weight against the law (see `local_extrapolation`).
    following[l] (T_l, 1), following_line (P,): factors and extrapolation at the next point of the
    design. observed: the repetitions, from which the shape of noise is inferred. changes: the
    places from which on a law may hold.
    """

    y: Floats
    magnitude: Floats
    spread: Floats
    distance: Floats
    tables: Sequence[Floats]
    far: Sequence[Floats]
    nonnegative: NDArray[np.bool_]
    levels: Levels
    repetitions: Floats
    local: Floats
    extrapolates: bool
    extrapolation_weight: float
    following: Sequence[Floats]
    following_line: Floats
    observed: Repetitions
    changes: Changes

    @property
    def settings(self) -> Settings:
        """The constants of the fitter."""
        return self.levels.settings

    @cached_property
    def points(self) -> Floats:
        """(K,): how many points count: those whose mean has a finite variance."""
        found: Floats = np.isfinite(self.spread).sum(axis=1).astype(float)
        return found

    @cached_property
    def _constants(self) -> dict[int, Floats]:
        """What `constants` found."""
        return {}

    def constants(self, size: int) -> Floats:
        """(K, V, S): the log evidence at each noise level of fits of so many coefficients, but for
        base and rss."""
        found = self._constants.get(size)
        if found is None:
            freedom, levels = self.points - size, self.levels
            found = level_constants(freedom, levels.sigmas, levels.prior, self.repetitions)
            self._constants[size] = found
        return found

    def part(self, rows: slice | Codes) -> Batch:
        """Some of the series."""
        return replace(
            self,
            y=self.y[rows],
            magnitude=self.magnitude[rows],
            spread=self.spread[rows],
            nonnegative=self.nonnegative[rows],
            repetitions=self.repetitions[rows],
            observed=self.observed.part(rows),
        )
