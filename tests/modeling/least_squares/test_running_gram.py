"""Sums that are kept while observations stream in are those of all observations at once."""

from __future__ import annotations

import numpy as np
import pytest

from modeling.least_squares.running_gram import RunningGram


def test_sums_are_those_of_all_rows() -> None:
    generator = np.random.default_rng(1)
    rows, y = generator.standard_normal((50, 4)), generator.standard_normal(50)
    weights, squares = generator.uniform(0.5, 2, 50), generator.uniform(0, 1, 50)
    sums = RunningGram(4)
    for row in zip(rows, y, weights, squares, strict=True):
        sums.add(*row)
    assert sums.gram == pytest.approx((rows * weights[:, None]).T @ rows)
    assert sums.moments == pytest.approx((rows * weights[:, None]).T @ y)
    assert sums.squares == pytest.approx((weights * y**2 + squares).sum())


def test_what_is_taken_out_leaves_nothing() -> None:
    generator = np.random.default_rng(2)
    kept, huge = generator.standard_normal((5, 3)), 1e9 * generator.standard_normal((200, 3))
    sums = RunningGram(3)
    for row in (*huge, *kept):
        sums.add(row, row[0], 1.0)
    for row in generator.permutation(huge):
        sums.add(row, row[0], -1.0)
    assert sums.gram == pytest.approx(kept.T @ kept, rel=1e-9)
    assert sums.moments == pytest.approx(kept.T @ kept[:, 0], rel=1e-9)
