"""Laws of time against models of the same times, by evidence."""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from modeling import Measurements, Model, Series, fit
from modeling.pmnf.machine_costs import Costs, Level
from modeling.pmnf.memory_traffic import Traffic
from modeling.pmnf.time_law import Count
from modeling.timelaw.choice import evidence_of, prefers_law
from modeling.timelaw.fit import fit_time_law

_SIZES = np.array([1000.0, 2000, 4000, 8000, 16000, 32000, 64000])
_COSTS = Costs(
    (Level("L1", 32 << 10, (0.5, 0.5, 1.0, 0.5)), Level("memory", None, (6.0, 9.0, 12.0, 8.0))),
    (8192.0, float(1 << 30)),
    (1.0, 20.0),
    (8192.0, float(1 << 30)),
    (1.0, 20.0),
    (float(1 << 20),),
    (10.0,),
)
_CAPACITIES = tuple(8192.0 * 2 ** (k / 2) for k in range(33))


def judged(seconds: np.ndarray) -> tuple[bool, Model]:
    """Is a law with n iterations preferred to the model of these times?"""
    points = {"n": _SIZES}
    ones = np.ones(len(_SIZES))
    series = Series("k", "time", ("n",), _SIZES[:, None], ones, seconds, 0 * ones)
    model = fit(Measurements((series,))).models[0]
    law = fit_time_law(seconds, points, [Count("n")], Traffic((), (), _CAPACITIES), _COSTS)
    return prefers_law(law, model, seconds, points), model


def noise(seed: int, share: float = 0.03) -> np.ndarray:
    found: np.ndarray = np.exp(share * np.random.default_rng(seed).normal(size=len(_SIZES)))
    return found


def test_the_law_is_preferred_where_it_explains_the_times() -> None:
    assert all(judged(3e-9 * _SIZES * noise(seed))[0] for seed in range(5))


def test_noise_does_not_make_a_sum_of_terms_the_better_model() -> None:
    assert all(judged(3e-9 * _SIZES * noise(seed, 0.15))[0] for seed in range(5))


def test_times_that_grow_with_another_power_have_their_own_model() -> None:
    assert not any(judged(3e-10 * _SIZES**1.5 * noise(seed, 0.01))[0] for seed in range(5))


def test_a_few_disturbed_times_are_no_reason_to_give_up_the_law() -> None:
    """The largest runs of a busy machine took longer: four points that n**2 happens to fit."""
    points = {"n": _SIZES[:4]}
    seconds = 3e-9 * _SIZES[:4] * np.array([1, 2, 4, 8])
    ones = np.ones(4)
    series = Series("k", "time", ("n",), _SIZES[:4, None], ones, seconds, 0 * ones)
    model = fit(Measurements((series,))).models[0]
    law = fit_time_law(seconds, points, [Count("n")], Traffic((), (), _CAPACITIES), _COSTS)
    open_model = replace(model, identifiable=False)
    assert prefers_law(law, open_model, seconds, points)
    assert not prefers_law(law, replace(model, identifiable=True), seconds, points)


def test_a_model_that_is_not_positive_explains_nothing() -> None:
    _, model = judged(3e-9 * _SIZES)
    wrong = model.__class__("k", "time", ("n",), -1.0, (), model.quality)
    assert evidence_of(wrong, 3e-9 * _SIZES, {"n": _SIZES}) == -np.inf
