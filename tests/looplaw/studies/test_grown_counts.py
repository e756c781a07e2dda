"""Power laws of counts against series whose growth is known."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from looplaw.studies.grown_counts import PowerLaw, growth_of, power_law
from looplaw_common.formula.formula import parse_formula


def law_of(count: Callable[[int], float], sizes: tuple[int, ...]) -> PowerLaw:
    return power_law([{"n": float(n)} for n in sizes], np.array([count(n) for n in sizes]))


@pytest.mark.parametrize("alpha", [0.31, 0.6, 0.73])
@pytest.mark.parametrize("power", [2, 3])
def test_cells_of_a_box_grow_by_a_whole_power_whatever_their_steps(
    alpha: float, power: int
) -> None:
    def cells(n: int) -> float:
        return 7.0 * math.floor(alpha * n) ** power

    found = law_of(cells, (8, 10, 12, 14, 17, 20))
    assert found.exponents == (power,)
    assert abs(math.log(found.at({"n": 80.0}) / cells(80))) < 2 * (found.scatter + 2 * found.open)


def test_a_quantity_that_goes_up_and_down_does_not_grow() -> None:
    """Mean numbers of atoms in a cell."""
    found = law_of(lambda n: 4 * n**3 / math.floor(0.6 * n) ** 3, (5, 6, 7, 8, 9, 10))
    assert found.exponents == (0.0,)
    assert found.at({"n": 40.0}) == pytest.approx(18.5, rel=0.5)


def test_a_power_without_noise_is_found_and_stays_open() -> None:
    found = law_of(lambda n: 3.5 * n**1.5, (10, 20, 40, 80))
    assert found.exponents == (1.5,)
    assert found.scatter < 1e-6
    assert 0.05 < found.open < 0.2


def test_growth_by_a_logarithm_takes_the_exponent_of_least_squares() -> None:
    found = law_of(lambda n: n * math.log2(n), (1000, 2000, 4000, 8000, 16000))
    assert found.at({"n": 64000.0}) == pytest.approx(64000 * math.log2(64000), rel=0.05)


def test_few_noisy_points_leave_the_exponent_open() -> None:
    rng = np.random.default_rng(3)
    noisy = {n: n**2 * math.exp(0.4 * rng.normal()) for n in (5, 6, 7, 8, 9, 10)}
    clear = law_of(lambda n: n**2, (5, 6, 7, 8, 9, 10))
    assert law_of(lambda n: noisy[n], tuple(noisy)).open > 2 * clear.open


def test_two_parameters_have_an_exponent_each_and_idle_ones_none() -> None:
    points = [{"n": float(n), "m": float(m), "k": 7.0} for n in (4, 8, 16) for m in (3, 9)]
    found = power_law(points, np.array([2 * p["n"] ** 2 * p["m"] for p in points]))
    assert dict(zip(found.names, found.exponents, strict=True)) == {"n": 2.0, "m": 1.0, "k": 0.0}
    at = {"n": 100.0, "m": 50.0}
    assert float(parse_formula(found.formula).values(at)) == pytest.approx(2 * 100**2 * 50)
    assert found.at({**at, "k": 7.0}) == pytest.approx(2 * 100**2 * 50)


@pytest.mark.parametrize("values", [[0.5, 0.0, 0.25, 0.0], [0.0, 1.0], [0.0] * 5])
def test_counts_that_are_none_here_and_there_tell_of_no_power(values: list[float]) -> None:
    points = [{"n": 32.0 * 2**k} for k in range(len(values))]
    found = growth_of(points, np.array(values))
    assert found.at({"n": 1e6}) == pytest.approx(max(values))


def test_counts_that_are_none_at_the_smallest_sizes_grow_as_the_others() -> None:
    points = [{"n": 4.0 * 2**k} for k in range(5)]
    found = growth_of(points, np.array([0.0, 1000.0, 2000.0, 4000.0, 8000.0]))
    assert found.at({"n": 1024.0}) == pytest.approx(128_000, rel=0.01)
