"""Models of random series are the same for every processor and however the series are made;
thousands of them: `python -m benchmarks.modeling_kernel`."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.modeling_kernel import Told, experiments, told
from modeling import Series
from modeling.least_squares.batched_gram_schmidt import factor
from modeling.pmnf.goodness import determination
from modeling.settings import ARITHMETIC

NUMBER = {"1 parameter": 75, "2 parameters": 50, "3 parameters": 25}


def _both(series: tuple[Series, ...]) -> list[tuple[Told, Told]]:
    found = (told(series, generic=generic) for generic in (False, True))
    return list(zip(*found, strict=True))


@pytest.mark.parametrize(
    ("kind", "number"),
    [
        *((kind, number // 2) for kind, number in NUMBER.items()),
        *(pytest.param(*each, marks=pytest.mark.slow) for each in NUMBER.items()),
    ],
)
def test_every_processor_says_the_same_of_random_series(kind: str, number: int) -> None:
    pairs = [p for e in experiments(number, 2, kind) for p in _both(e.series)]
    apart = [one.apart(other) for one, other in pairs]
    assert len(pairs) >= number
    assert not any(apart)


def test_dependent_columns_add_nothing() -> None:
    x = np.linspace(1, 2, 6)
    columns = np.stack([np.ones(6), x, x * (1 + 0.1 * ARITHMETIC.dependent)])[..., None]
    found = factor(columns.copy())
    assert np.isinf(found.log_volume[0])
    assert not found.basis[2].any()
    np.testing.assert_array_equal(found.basis[:2], factor(columns[:2].copy()).basis)
    assert np.isfinite(found.root).all()


def test_rounding_is_no_variation() -> None:
    y = np.full(5, 0.1) * (1 + np.array([0, 1, 0, -1, 0]) * 2e-16)
    assert determination(y, np.full(5, 0.1)) == 1
