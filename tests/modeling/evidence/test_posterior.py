"""The Laplace approximation: fits against scipy's least squares, densities against their
definitions, the kernel against numpy."""

from __future__ import annotations

import numpy as np
import pytest

from modeling.evidence.posterior import (
    Fits,
    Observed,
    fit_rows,
    level_constants,
    level_likelihood,
    log_sum,
)
from modeling.settings import DEFAULT
from tests.lazily import Package
from tests.modeling.kernel import twins

optimize, stats = Package("scipy.optimize"), Package("scipy.stats")
RULES = DEFAULT.coefficients
X = 2.0 ** np.arange(6)


def data(seed: int, noise: float, n: int = 12) -> tuple[np.ndarray, Observed]:
    """Laws of a constant and a power of x, with relative noise and unequal deviations."""
    generator = np.random.default_rng(seed)
    powers = generator.choice([0.5, 1.0, 1.5, 2.0], n)
    columns = np.stack([np.ones((len(X), n)), X[:, None] ** powers])
    factors = 10 ** generator.uniform(-2, 2, (2, n))
    y = np.einsum("kn,kpn->pn", factors, columns)
    y *= np.exp(noise * generator.standard_normal(y.shape))
    return columns, Observed.of(y.T, y.T, generator.uniform(0.5, 2, y.T.shape))


def test_fits_are_those_of_scipy() -> None:
    columns, observed = data(1, 0.1)
    found = fit_rows(columns, observed, RULES, steps=30)
    for n in range(columns.shape[2]):
        design, y, deviation = columns[..., n].T, observed.y[:, n], observed.deviation[:, n]

        def off(
            c: np.ndarray, d: np.ndarray = design, y: np.ndarray = y, s: np.ndarray = deviation
        ):
            return np.log(np.maximum(d @ c, 1e-9 * y) / y) / s

        best = optimize.least_squares(off, found.coefficients[:, n], x_scale="jac", xtol=1e-15)
        assert found.rss[n] == pytest.approx(2 * best.cost, rel=1e-3)
        assert found.coefficients[:, n] == pytest.approx(best.x, rel=0.02)
        assert found.residual[:, n] == pytest.approx(off(found.coefficients[:, n]) * deviation)
        value = design @ found.coefficients[:, n]
        weighted = design / (value * deviation)[:, None]
        covariance = np.linalg.inv(weighted.T @ weighted)
        assert found.root[..., n] @ found.root[..., n].T == pytest.approx(covariance, rel=0.1)
        # of coefficients known up to their noise, times the volume that the data leave
        noise = np.sqrt(found.rss[n] / 4 * np.diag(found.root[..., n] @ found.root[..., n].T))
        base = twins.coefficient_evidence(found.coefficients[:, [n]], noise[:, None], RULES)[0]
        base += np.log(np.abs(np.linalg.det(found.root[..., n]))) - np.log(deviation).sum()
        assert found.base[n] == pytest.approx(base, abs=1e-6)


def same(one: Fits, other: Fits) -> None:
    for name in ("base", "rss", "coefficients", "residual"):
        np.testing.assert_allclose(getattr(one, name), getattr(other, name), rtol=1e-9, atol=1e-12)
    covariances = [np.einsum("ijn,ljn->iln", f.root, f.root) for f in (one, other)]
    np.testing.assert_allclose(*covariances, rtol=1e-9)


@pytest.mark.parametrize("noise", [0.0, 0.1, 1.5, 4.0])
@pytest.mark.parametrize("steps", [0, 1, 3])
def test_numpy_and_kernel_do_the_same(noise: float, steps: int) -> None:
    """Also where a law is far off, and its steps are bounded."""
    columns, observed = data(2, noise, 40)
    for some in (columns, columns[1:]):
        found = fit_rows(some, observed, RULES, steps=steps)
        same(twins.fit_rows(some, observed, RULES, steps=steps), found)


def test_points_of_infinite_variance_do_not_count() -> None:
    columns, observed = data(3, 0.1)
    variance = observed.deviation.T**2
    some = np.array([True, True, False, True, False, True])
    part = [np.ascontiguousarray(a.T[:, some]) for a in (observed.y, observed.magnitude)]
    expected = fit_rows(
        np.ascontiguousarray(columns[:, some]),
        Observed.of(*part, variance[:, some]),
        RULES,
        steps=2,
    )
    masked = Observed.of(observed.y.T, observed.magnitude.T, np.where(some, variance, np.inf))
    found = fit_rows(columns, masked, RULES, steps=2)
    for name in ("base", "rss", "coefficients", "root"):
        np.testing.assert_allclose(getattr(found, name), getattr(expected, name), rtol=1e-9)


def test_a_power_of_x_alone_meets_the_middle_of_the_logarithms() -> None:
    """With one coefficient the least squares of logarithms are known; values may be far off."""
    y = np.array([100.0, 1, 1, 1, 1, 1])[:, None] * X[:, None]
    observed = Observed.of(y.T, y.T, np.ones_like(y.T))
    found = fit_rows(X[None, :, None], observed, RULES, steps=60)
    assert 1 < found.coefficients[0, 0] <= 100 ** (1 / 6) * 1.01


def test_levels_are_weighed_as_normal_densities_are() -> None:
    """With no coefficients, and base zero, the evidence is the density of the residuals."""
    sigmas, residual = np.array([0.01, 0.1, 1.0]), np.array([0.02, -0.1, 0.05])
    rss = np.array([(residual**2).sum(), 0.0])
    found = level_likelihood(np.zeros(2), rss, 3.0, sigmas)
    for s, row in zip(sigmas, found, strict=True):
        assert row[0] == pytest.approx(stats.norm.logpdf(residual, scale=s).sum())
        assert row[1] == pytest.approx(3 * stats.norm.logpdf(0, scale=s))
    prior = np.log(np.array([[0.1, 0.2], [0.3, 0.1], [0.2, 0.1]]))
    of_repetitions = np.array([[0.5, -1.0, 2.0], [0.0, 0.0, 0.0]])
    constants = level_constants(3.0, sigmas, prior, of_repetitions)
    assert constants.shape == (2, 2, 3)
    for k, v, s in np.ndindex(2, 2, 3):
        expected = prior[s, v] + of_repetitions[k, s] + found[s, 1]
        assert constants[k, v, s] == pytest.approx(expected)


def test_sums_of_probabilities_too_small_for_floats() -> None:
    logs = np.array([[-2000.0, -np.inf, 3.0], [-2001.0, -np.inf, -np.inf], [-1999.0, -np.inf, 3.0]])
    expected = np.logaddexp.reduce(logs, axis=0)
    assert log_sum(logs.copy()) == pytest.approx(expected)


def test_coefficients_are_probable_by_sign_and_magnitude() -> None:
    """Log-uniform over L nats: equally probable for each factor; negative ones are rare."""
    rare, length = RULES.negative, RULES.log_width

    def of(*coefficients: float, noise: float = 1e-12) -> float:
        c = np.array(coefficients)[:, None]
        return float(twins.coefficient_evidence(c, np.full_like(c, noise), RULES)[0])

    for c in (1e-3, 1.0, 50.0):
        assert of(c) == pytest.approx(np.log(1 - rare) - length - np.log(c))
        assert of(-c) == pytest.approx(np.log(rare) - length - np.log(c))
    assert of(2.0, -3.0) == pytest.approx(of(2.0) + of(-3.0))
    assert of(0.0, noise=0.1) == pytest.approx(np.log(0.5) - length - np.log(0.1))
    one = stats.norm.cdf(1)
    mixed = np.log((1 - rare) * one + rare * (1 - one))
    assert of(0.1, noise=0.1) == pytest.approx(mixed - length - np.log(0.1 * np.sqrt(2)))


@pytest.mark.parametrize("steps", [0, 2])
def test_fits_do_not_depend_on_what_is_fitted_beside_them(steps: int) -> None:
    columns, observed = data(8, 0.02, n=29)
    every = fit_rows(columns, observed, RULES, steps=steps)
    for some in ([3], [3, 17], list(range(1, 29))):
        rows = np.array(some)
        part = fit_rows(columns[..., rows], observed.take(rows), RULES, steps=steps)
        for name, array in vars(part).items():
            np.testing.assert_array_equal(array, getattr(every, name)[..., rows])
