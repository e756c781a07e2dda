"""Two versions: the right one is called faster, and the crossing lies in its interval."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from modeling import DataError
from modeling.data.measurements import Series
from modeling.scaling.versions import compare

SIZES = [64.0 * 2**k for k in range(8)]


def series(law: Callable[[float], float], noise: float, seed: int, repeats: int = 3) -> Series:
    random = np.random.default_rng(seed)
    values = [
        [law(n) * np.exp(noise * random.standard_normal()) for _ in range(repeats)] for n in SIZES
    ]
    return Series.from_values("kernel", "time", ("n",), [[n] for n in SIZES], values)


def test_the_crossing_and_the_ratio_are_found() -> None:
    a = series(lambda n: n**2, 0.02, 1)
    b = series(lambda n: 1e5 + 100 * n, 0.02, 2)
    truth = 50 + np.sqrt(50**2 + 1e5)
    found = compare(a, b)
    assert (found.faster, found.at) == ("B", {"n": 8192.0})
    assert found.ratio.low <= 8192**2 / (1e5 + 100 * 8192) <= found.ratio.high
    (turn,) = found.crossings
    assert turn.low <= truth <= turn.high
    assert turn.then == "B"
    back = compare(b, a)
    assert (back.faster, back.crossings[0].then) == ("A", "A")


def test_equal_versions_cannot_be_told_apart() -> None:
    found = compare(series(lambda n: n, 0.05, 3), series(lambda n: n, 0.05, 4))
    assert (found.faster, found.crossings) == ("cannot tell", ())
    assert found.ratio.low < 1 < found.ratio.high


def test_repeated_values_at_one_point_are_compared_by_ranks() -> None:
    a = Series.from_values("f", "time", (), [()], [[1.0, 1.1, 1.05, 1.02, 1.08]])
    b = Series.from_values("f", "time", (), [()], [[0.5, 0.52, 0.51, 0.55, 0.49]])
    found = compare(a, b)
    assert found.faster == "B"
    assert 1.8 < found.ratio.low < found.ratio.value < found.ratio.high < 2.3
    (point,) = found.points
    assert point.p_value == pytest.approx(2 / 252)  # of the 252 ways to rank five among ten
    once = Series.from_values("f", "time", (), [()], [[1.0]])
    assert compare(once, b).faster == "cannot tell"


def test_series_of_other_parameters_are_refused() -> None:
    other = Series.from_values("f", "time", ("m",), [[1.0], [2.0], [3.0]], [1.0, 2.0, 3.0])
    with pytest.raises(DataError, match="A varies n, B m"):
        compare(series(lambda n: n, 0.01, 1), other)
