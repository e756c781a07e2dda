"""Does a measured metric grow faster than expected? A model of the divergence, and a test.

The divergence of a metric is the measured over the expected value; an implementation meets its
expectation if the divergence does not grow (Shudler et al., "Exascaling Your Library: Will Your
Implementation Meet Your Expectations?", ICS 2015). A model of that ratio says how it grows; whether
it grows at all depends on the noise. The test compares

    H0: y = sum_i a_i E_i + sum_i b_i s_i        a_i, b_i >= 0
    H1: y = H0's + c E_i h(x)                    c > 0, h one of log(x/x0), (x/x0)**a - 1

E_i are the summands of the expectation, s_i functions that grow more slowly than one of them, x a
parameter and x0 its smallest value; with several parameters h may fall in another one. Residuals
are relative. A point's value is a robust location of its repetitions, so that disturbed runs do not
count. The noise is the larger of the scatter of the repetitions and the misfit of H1. With m kinds
of growth tried, the probability of a false alarm is at most about m times Student's tail.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from looplaw_common.errors import DataError, InputError
from looplaw_common.formula.formula import Formula

from ..data.measurements import Floats, Measurements, Series
from ..fitter.fit import fit
from ..least_squares.nnls import nonnegative
from ..pmnf.assumed_formula import NOTHING_ASSUMED, Assumed, AssumedFormula
from ..pmnf.law_comparison import compare_laws
from ..pmnf.model import Model

RISK_COUNT = 1e-7
"""Default probability of a false alarm per law, for metrics that count."""
RISK = 3e-3
"""Default probability of a false alarm per law, for metrics with noise."""

_Curve = Callable[[Floats], Floats]
_GROWTHS: tuple[tuple[str, _Curve], ...] = (
    ("log({0})", np.log2),
    ("{0}**(1/4)", lambda r: r**0.25 - 1),
    ("sqrt({0})", lambda r: r**0.5 - 1),
    ("{0}", lambda r: r - 1),
    ("{0}**2", lambda r: r**2 - 1),
)
_FALLS: tuple[_Curve, ...] = (
    lambda r: 1 / (1 + np.log2(r)),
    lambda r: r**-0.5,
    lambda r: r**-1.0,
    lambda r: r**-2.0,
)
_MIXED = ("sqrt({0})", "{0}", "{0}**2")
_EXACT = 1e-9  # relative misfit below this is rounding
# standard deviation of a normal sample over the median distance of its other values from its
# median, by sample size
_FROM_DISTANCE = {
    2: 2.085,
    3: 1.449,
    4: 2.062,
    5: 1.462,
    6: 1.9,
    7: 1.465,
    8: 1.778,
    9: 1.47,
    10: 1.703,
}
# Tukey's biweight: values this many standard deviations away have no weight; its efficiency
_TUKEY, _TUKEY_EFFICIENCY = 4.685, 0.95
# Huber's scale: where residuals are clipped, the variance of a normal variable clipped there, and
# the share of the degrees of freedom that clipping leaves
_HUBER, _HUBER_VARIANCE, _HUBER_FREEDOM = 1.5, 0.7785, 0.75
_EQUAL_FREEDOM = 0.4  # share of the degrees of freedom that values have that repeat exactly
_ROUNDS = 8  # of both iterations


@dataclass(frozen=True)
class Sample:
    """Measurements of one metric: parameters (m names), points (P, m), the repetitions at each."""

    parameters: tuple[str, ...]
    points: Floats
    repetitions: tuple[Floats, ...]

    def __post_init__(self) -> None:
        if self.points.shape != (len(self.repetitions), len(self.parameters)):
            raise DataError(
                f"points have the shape {self.points.shape}, not "
                f"({len(self.repetitions)}, {len(self.parameters)})"
            )
        if not self.repetitions or any(not len(r) for r in self.repetitions):
            raise DataError("a point without a value")

    @property
    def medians(self) -> Floats:
        """(P,) the median of the repetitions."""
        return np.array([float(np.median(r)) for r in self.repetitions])

    @property
    def counts(self) -> bool:
        """Whether all values are whole numbers that repeat exactly."""
        return all(bool((r == r[0]).all() and r[0] == round(r[0])) for r in self.repetitions)

    @cached_property
    def centers(self) -> Floats:
        """(P,) the value at each point without the influence of disturbed runs: Tukey's location of
        the logarithms; the medians if a value is not positive or repetitions are equal."""
        scale = self._scale[0]
        if scale <= 0 or any(r.min() <= 0 for r in self.repetitions):
            return self.medians
        return np.array([float(np.exp(_location(np.log(r), scale))) for r in self.repetitions])

    @cached_property
    def _scale(self) -> tuple[float, float]:
        """(relative standard deviation of one run, degrees of freedom), from the repetitions."""
        logs = [np.log(r) for r in self.repetitions if len(r) > 1 and r.min() > 0]
        if not logs:
            return 0.0, 0.0
        start = _from_distances(logs)
        if start <= 0:
            return 0.0, _EQUAL_FREEDOM * sum(len(r) - 1 for r in logs)
        residuals = np.concatenate([r - _location(r, start) for r in logs])
        left = 1 - len(logs) / len(residuals)  # share of freedom after estimating the locations
        sigma = start
        for _ in range(_ROUNDS):
            pulled = np.clip(residuals / sigma, -_HUBER, _HUBER)
            sigma = max(
                sigma * math.sqrt(float((pulled**2).mean()) / (left * _HUBER_VARIANCE)), 1e-12
            )
        return sigma, _HUBER_FREEDOM * (len(residuals) - len(logs))

    def noise(self) -> tuple[float, float]:
        """(relative standard deviation of a point's center, degrees of freedom), from the
        repetitions."""
        sigma, freedom = self._scale
        mean_size = float(np.mean([len(r) for r in self.repetitions]))
        return sigma * math.sqrt(1 / (_TUKEY_EFFICIENCY * mean_size)), freedom


def _from_distances(logs: Sequence[Floats]) -> float:
    """A first standard deviation: from the median distance of values from their point's median."""
    size = min(max(round(np.mean([len(r) for r in logs])), 2), 10)
    distances = np.concatenate(
        [
            np.delete(np.abs(np.sort(r) - np.median(r)), len(r) // 2 if len(r) % 2 else [])
            for r in logs
        ]
    )
    return float(np.median(distances)) * _FROM_DISTANCE[size]


def _location(logs: Floats, scale: float) -> float:
    """Tukey's biweight location of values with a known scale, starting from the median. A value
    five standard deviations away has no weight; the efficiency for normal values is 95 % (64 % for
    the median)."""
    center = float(np.median(logs))
    if len(logs) < 3:
        return center
    for _ in range(_ROUNDS):
        weights = np.clip(1 - ((logs - center) / (_TUKEY * scale)) ** 2, 0, None) ** 2
        if not weights.any():
            return center
        center = float((weights * logs).sum() / weights.sum())
    return center


@dataclass(frozen=True)
class GrowthFinding:
    """The result of the test. alarm: the metric grows faster than expected, by more than the
    tolerance and the risk allow; by: the kind of growth, as text; excess: its share of the value at
    the largest point; risk: probability of a result like this without such growth."""

    alarm: bool
    by: str | None
    excess: float
    risk: float
    reason: str


def expected_at(expected: Formula, sample: Sample) -> Floats:
    """(P,) the values of the expectation at the sample's points.

    Raises:
        InputError: a symbol that is no parameter, or no positive value at a point.
    """
    unknown = expected.symbols - set(sample.parameters)
    if unknown:
        raise InputError(
            f"{expected.text}: {', '.join(sorted(unknown))} is no parameter; there are "
            f"{', '.join(sample.parameters) or 'none'}"
        )
    return np.array(
        [
            float(expected.evaluate(dict(zip(sample.parameters, map(float, p), strict=True))))
            for p in sample.points
        ]
    )


def grows_beyond(
    sample: Sample, expected: Formula, *, tolerance: float = 0.1, risk: float | None = None
) -> GrowthFinding:
    """Test whether a metric grows faster than the expectation, up to constant factors and slower
    terms.

    Args:
        tolerance: admissible share of growth beyond the expectation in the value at the largest
            point.
        risk: probability of a false alarm (default: RISK_COUNT for values that count, else RISK).

    Raises:
        InputError: the expectation cannot be evaluated at the points.
    """
    risk = risk if risk is not None else RISK_COUNT if sample.counts else RISK
    y = sample.centers
    if (y <= 0).any():
        return (
            _no_growth("no growth in values that are not positive")
            if not y.any()
            else _above_zero(sample, expected, tolerance, risk)
        )
    columns = _columns(sample, expected)
    if columns is None:
        return _no_growth("the expectation is not positive at some point: measure at larger values")
    slow, fast = columns
    weighted = np.array(slow) / y
    allowed = nonnegative(weighted, np.ones_like(y))
    misfit = float(((1 - allowed @ weighted) ** 2).sum())
    if misfit < _EXACT**2 * len(y):
        return _no_growth("grows as expected, exactly")
    if not fast:
        return _no_growth("no parameter was varied")
    found = [(*_alternative(weighted, column / y), name, column) for name, column in fast]
    other, weights, used, name, column = min(found, key=lambda f: f[0])
    if len(y) <= used:
        return _no_growth(f"{len(y)} points do not tell: measure at least {used + 1}")
    probability = _false_alarm(sample, misfit, other, len(y) - used, len(fast))
    last = int(np.argmax(column))
    excess = float(weights[-1] * column[last] / y[last])
    alarm = probability < risk and excess > tolerance
    size = f"{excess:.0%} of the value at {_place(sample, last)}"
    if alarm:
        reason = f"grows as the expectation times {name}: {size}, risk {probability:.1g}"
    else:
        reason = (
            f"growth beyond the expectation is within noise or tolerance ({size}, risk"
            f" {probability:.1g})"
        )
    return GrowthFinding(alarm, name, excess, probability, reason)


def _no_growth(reason: str) -> GrowthFinding:
    return GrowthFinding(False, None, 0.0, 1.0, reason)


def _false_alarm(sample: Sample, misfit: float, other: float, left: int, kinds: int) -> float:
    """Probability that noise alone lowers the misfit of H0 to that of H1 (`other`), which leaves so
    many degrees of freedom, in the best of so many kinds of growth."""
    from scipy.special import stdtr  # takes a fifth of a second

    noise, freedom = sample.noise()
    variance = max(noise**2, other / left, _EXACT**2)
    statistic = max(misfit - other, 0.0) / variance
    return min(1.0, kinds * float(stdtr(left + freedom, -math.sqrt(statistic))))


def _above_zero(sample: Sample, expected: Formula, tolerance: float, risk: float) -> GrowthFinding:
    """The test without the points whose value is not positive."""
    kept = np.flatnonzero(sample.medians > 0)
    rest = Sample(
        sample.parameters, sample.points[kept], tuple(sample.repetitions[k] for k in kept)
    )
    return grows_beyond(rest, expected, tolerance=tolerance, risk=risk)


def _place(sample: Sample, index: int) -> str:
    return ", ".join(
        f"{n}={v:g}" for n, v in zip(sample.parameters, sample.points[index], strict=True)
    )


def _columns(
    sample: Sample, expected: Formula
) -> tuple[list[Floats], list[tuple[str, Floats]]] | None:
    """(columns (P,) of H0, (name, column) of each kind of growth that H1 adds); None if the
    expectation is not positive at some point."""
    whole = expected_at(expected, sample)
    parts = [expected_at(part, sample) for part in expected.parts]
    parts = [p for p in parts if (p >= 0).all() and p.any()] or [whole]
    if (whole <= 0).any():
        return None
    ratios = {
        name: sample.points[:, k] / sample.points[:, k].min()
        for k, name in enumerate(sample.parameters)
        if np.ptp(sample.points[:, k]) > 0 and sample.points[:, k].min() > 0
    }
    falls = _FALLS if len(ratios) > 1 else _FALLS[:-1]
    with np.errstate(over="ignore", invalid="ignore"):
        fast = [(label, column) for label, column in _growths(whole, ratios) if _is_finite(column)]
    slow = [*parts, *(p * fall(r) for p in parts for r in ratios.values() for fall in falls)]
    if _never_falls(sample, whole):
        slow.append(np.ones_like(whole))
    return slow, fast


def _growths(whole: Floats, ratios: Mapping[str, Floats]) -> Iterator[tuple[str, Floats]]:
    """The expectation times what grows in one parameter, and may fall in another: (name, column)
    of each. Where a parameter spans hundreds of decades, some are beyond floating point."""
    for name, r in ratios.items():
        for label, grow in _GROWTHS:
            yield label.format(name), whole * grow(r)
    # overhead such as p beside n**2/p grows in one parameter while its share falls in another
    for name, r in ratios.items():
        for other in ratios:
            for label, grow in _GROWTHS if other != name else ():
                for fall in _FALLS[1:] if label in _MIXED else ():
                    yield label.format(name), whole * grow(r) * fall(ratios[other])


def _is_finite(column: Floats) -> bool:
    return bool(np.isfinite(column).all())


def _never_falls(sample: Sample, whole: Floats) -> bool:
    """Whether the expectation falls in no parameter, so that a constant does not outgrow it."""
    for k in range(len(sample.parameters)):
        others = [tuple(np.delete(p, k)) for p in sample.points]
        for group in set(others):
            members = [i for i, o in enumerate(others) if o == group]
            members.sort(key=lambda i: float(sample.points[i, k]))
            if any(whole[b] < whole[a] * (1 - _EXACT) for a, b in pairwise(members)):
                return False
    return True


def _alternative(weighted: Floats, column: Floats) -> tuple[float, Floats, int]:
    """(misfit with one more column, coefficients, number of columns in use)."""
    table = np.vstack([weighted, column])
    found = nonnegative(table, np.ones(len(column)))
    return float(((1 - found @ table) ** 2).sum()), found, int((found > 0).sum())


def divergence_model(callpath: str, metric: str, sample: Sample, expected: Formula) -> Model | None:
    """A model of measured over expected; None if the expectation is not positive at some point."""
    whole = expected_at(expected, sample)
    if (whole <= 0).any():
        return None
    ratios = [r / e for r, e in zip(sample.repetitions, whole, strict=True)]
    series = Series.from_values(callpath, metric, sample.parameters, sample.points, ratios)
    return fit(Measurements((series,))).models[0]


def formula_grows_beyond(
    formula: Formula, expected: Formula, assumed: Assumed = NOTHING_ASSUMED
) -> str | None:
    """The parameters in which a formula outgrows the expectation, as text; None if there are none.

    Args:
        assumed: what the formula rests on; it is compared where that holds.

    Raises:
        InputError: it is not known how they compare.
    """
    found = compare_laws(expected, AssumedFormula(formula, assumed))
    if found.reason is not None:
        raise InputError(f"{formula.text}: {found.reason}")
    return " and ".join(found.faster) or None
