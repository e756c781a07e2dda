"""Nothing that the data allow is lost from forecasts because other fits are more probable."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from benchmarks.modeling_hard import hard_cases
from modeling import Measurements, fit
from modeling.kernel.choice import chosen
from modeling.settings import SelectionSettings

SETTINGS = SelectionSettings(action_share=1.0)  # so that the first fit is chosen


def _held(share: np.ndarray, value: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Numbers and shares (K, kept) of the fits that are kept, from shares, descending, and values
    at the last point beyond (K, A)."""
    settings = replace(SETTINGS, compared=share.shape[1])
    beyond = np.repeat(value[..., None], settings.horizon, axis=2)
    one, lead = np.ones(len(share)), np.zeros((*share.shape, 1), dtype=np.int64)
    with np.errstate(divide="ignore"):
        logs = np.log(share)
    line = np.ones((len(share), settings.horizon))
    found = chosen(logs, one, beyond, lead, line, 0 * one, settings)
    return found.order, found.share


def test_groups_have_all_the_probability_in_its_place() -> None:
    generator = np.random.default_rng(2)
    share = -np.sort(-generator.dirichlet(np.full(60, 0.5), 200), axis=1)
    value = np.exp(generator.normal(0, 0.5, share.shape))
    order = np.tile(np.arange(60), (200, 1))
    held, given = _held(share, value)
    alone = SETTINGS.kept - SETTINGS.grouped
    np.testing.assert_array_equal(held[:, :alone], order[:, :alone])
    np.testing.assert_allclose(given[:, :alone], share[:, :alone])
    np.testing.assert_allclose(given.sum(axis=1), 1.0)
    rest = given[:, alone:].sum(axis=1)
    for limit in (0.6, 0.8, 1.0, 1.3, 1.8):
        there = np.take_along_axis(value, held, axis=1)
        apart = (given * (there > limit)).sum(axis=1) - (share * (value > limit)).sum(axis=1)
        # half a group on either side, and the fit in whose middle it is cut
        assert (np.abs(apart) <= rest / SETTINGS.grouped / 2 + share[:, alone]).all()


def test_few_fits_are_held_as_they_are() -> None:
    share = np.array([[0.7, 0.2, 0.1]])
    held, given = _held(share, np.ones((1, 3)))
    assert held.tolist() == [[0, 1, 2]]
    np.testing.assert_allclose(given, share)


def test_fits_without_probability_leave_nothing_undefined() -> None:
    share = np.zeros((1, 20))
    share[0, 0] = 1.0
    held, given = _held(share, np.zeros((1, 20)))
    assert np.isfinite(given).all()
    assert given.sum() == 1.0
    assert held.max() < 20


def test_sure_models_of_terms_that_cross_at_the_top_are_right() -> None:
    """x + x**2 or x + x**3, equal at about the largest point: other laws fit as well."""
    cases = list(hard_cases("crossover near the top", 60, 11))
    models = [fit(Measurements((c.series,))).models[0] for c in cases]
    sure = [(m, c) for m, c in zip(models, cases, strict=True) if m.identifiable]
    wrong = [c for m, c in sure if abs(float(m.evaluate(c.query)) / c.truth - 1) > 0.25]
    assert len(sure) >= 5
    assert len(wrong) <= 0.1 * len(sure) + 1
    ends = [m.interval(c.query) for m, c in zip(models, cases, strict=True)]
    held = [low <= c.truth <= high for (low, high), c in zip(ends, cases, strict=True)]
    assert np.mean(held) >= 0.85
