"""The universal scalability law: its coefficients and peak are found again, and nothing is told of
what it does not describe."""

from __future__ import annotations

import numpy as np
import pytest

from modeling.data.measurements import Series
from modeling.scaling.usl import scalability

WORKERS = np.array([1.0, 2, 4, 8, 16, 32, 64])


def series(values: np.ndarray, metric: str = "time", name: str = "threads") -> Series:
    return Series.from_values("f", metric, (name,), [[n] for n in WORKERS], values.tolist())


def rates(sigma: float, kappa: float, noise: float = 0.0) -> np.ndarray:
    law = 5 * WORKERS / (1 + sigma * (WORKERS - 1) + kappa * WORKERS * (WORKERS - 1))
    return law * np.exp(noise * np.random.default_rng(1).standard_normal(len(WORKERS)))


@pytest.mark.parametrize(("sigma", "kappa"), [(0.03, 0.0004), (0.2, 0.001), (0.0, 0.01)])
def test_the_law_and_its_peak_are_found_again(sigma: float, kappa: float) -> None:
    found = scalability(series(1 / rates(sigma, kappa)))
    assert found is not None
    assert (found.rate, found.contention[0]) == pytest.approx((5, sigma), abs=1e-6)
    assert found.peak[0] == pytest.approx(np.sqrt((1 - sigma) / kappa))
    noisy = scalability(series(1 / rates(sigma, kappa, 0.02)))
    assert noisy is not None
    assert noisy.peak[1] <= np.sqrt((1 - sigma) / kappa) <= noisy.peak[2]


def test_without_coherency_it_is_amdahls_law() -> None:
    found = scalability(series(0.1 + 0.9 / WORKERS))
    assert found is not None
    assert found.contention[0] == pytest.approx(0.1)
    assert found.peak[0] > 1000


def test_nothing_is_told_of_other_series() -> None:
    times = 1 / rates(0.03, 0.0004)
    assert scalability(series(times, name="n")) is None
    assert scalability(series(times, "latency")) is None
    assert scalability(series(1 + 0.01 * WORKERS)) is None  # weak scaling
