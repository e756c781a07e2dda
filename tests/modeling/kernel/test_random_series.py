"""Models of random series are the same for every processor and however the series are made;
thousands of them: `python -m benchmarks.modeling_kernel`."""

from __future__ import annotations

from dataclasses import fields
from itertools import product

import numpy as np
import pytest

from benchmarks.modeling_kernel import Told, experiments, told
from modeling import Measurements, Series
from modeling.evidence.noise import Levels
from modeling.fitter.design import Design, groups_of
from modeling.least_squares.batched_gram_schmidt import factor
from modeling.pmnf.goodness import determination
from modeling.search.gathered import Gathered, fit_and_gather, widened
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


@pytest.mark.parametrize("parameters", [1, 2])
def test_a_series_has_the_same_fits_alone_and_among_a_thousand(parameters: int) -> None:
    """To the last bit, where what is known of the noise is the same."""
    generator, x = np.random.default_rng(5), 2.0 ** np.arange(2, 7)
    points = x[:, None] if parameters == 1 else np.array(list(product(x, x)))
    law = 3 + points[:, 0] ** generator.choice([0.5, 1.0, 2.0], (1000, 1)) * points[:, -1]
    values = law * generator.uniform(0.95, 1.05, law.shape)
    names = ("x", "y")[:parameters]
    series = tuple(
        Series.from_values(f"f{k}", "time", names, points, v) for k, v in enumerate(values)
    )
    (group,) = groups_of(Measurements(series), {})
    design, every = Design(group), np.arange(len(series) if parameters == 1 else 40)

    def fitted(rows: np.ndarray) -> Gathered:
        batch = design.batch(rows, Levels.every(), 0.0)
        return fit_and_gather(batch, design.candidates(batch))[0]

    together = fitted(every)
    for k in (0, 7, every[-1]):
        alone = widened(fitted(every[k : k + 1]), together.codes.shape[2])
        for f in fields(alone):
            own = getattr(alone, f.name)
            np.testing.assert_array_equal(own[0], getattr(together, f.name)[k], err_msg=f.name)
