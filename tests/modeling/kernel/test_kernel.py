"""The compiled kernel gives what numpy gives, and nothing breaks where there is none."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import gammaincinv, ndtri

from benchmarks.modeling_hard import hard_cases
from benchmarks.modeling_protocols import Case, one_parameter, several_parameters
from modeling import Measurements, Series, fit
from modeling.evidence.noise import Evidence, pooled_levels
from modeling.kernel import library
from modeling.kernel.intervals import quantiles
from modeling.kernel.normal import gamma_quantiles, normal_distribution, normal_quantiles
from modeling.kernel.ranking import Weighted, ranked
from modeling.pmnf.interval import _quantiles
from modeling.search.beam_search import beam_search
from modeling.settings import DEFAULT, FEWEST_TO_COMPILE

SAME = 1e-9


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    if library.kernel(FEWEST_TO_COMPILE) is None:
        pytest.skip("no C compiler")


@pytest.fixture
def numpy_alone(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setenv(library.SWITCH, "off")
    return monkeypatch


def _told(cases: list[Case]) -> list[tuple[float, ...]]:
    """Forecast, ends of both intervals, errors and certainty of each model."""
    models = fit(Measurements(tuple(c.series for c in cases))).models
    return [
        (
            float(m.evaluate(c.query)),
            *map(float, m.interval(c.query)),
            *map(float, m.interval(c.query, of="observation")),
            m.quality.smape + 1,
            m.identifiable + 1.0,
        )
        for m, c in zip(models, cases, strict=True)
    ]


@pytest.mark.parametrize(
    ("parameters", "functions", "noise", "repetitions"),
    [
        (1, 8, 0.0, 1),
        (1, 8, 0.02, 1),
        (1, 1, 0.1, 1),
        (1, 4, 0.05, 5),
        (2, 12, 0.05, 1),
        (2, 6, 0.2, 5),
        (2, 8, 0.0, 1),
        (3, 3, 0.02, 1),
        (3, 2, 0.0, 1),
    ],
)
def test_models_are_the_same_with_and_without_it(
    parameters: int, functions: int, noise: float, repetitions: int, numpy_alone: pytest.MonkeyPatch
) -> None:
    if parameters == 1:
        cases = list(one_parameter(functions, noise, repetitions, 7))
    else:
        cases = list(several_parameters(functions, parameters, noise, repetitions, 7))
    expected = _told(cases)
    numpy_alone.delenv(library.SWITCH)
    np.testing.assert_allclose(_told(cases), expected, rtol=SAME)


@pytest.mark.parametrize(
    "shape",
    [
        "protocol switch",
        "ceil(x / tile)",
        "sparse cross, 2 parameters",
        "step on a grid, 2 parameters",
    ],
)
@pytest.mark.parametrize("number", [6, pytest.param(12, marks=pytest.mark.slow)])
def test_shapes_that_no_term_describes_are_the_same(
    shape: str, number: int, numpy_alone: pytest.MonkeyPatch
) -> None:
    cases = list(hard_cases(shape, number, 7))
    expected = _told(cases)
    numpy_alone.delenv(library.SWITCH)
    np.testing.assert_allclose(_told(cases), expected, rtol=SAME)


def test_counts_and_falling_values_are_the_same(numpy_alone: pytest.MonkeyPatch) -> None:
    x = np.array([4.0, 8.0, 16.0, 32.0, 64.0, 128.0])
    points = x[:, None]
    laws = (x * 0 + 7, 3 * x**2, 1000 / x, x - 4, np.where(x > 16, 9 * x, 2 * x), -x)
    ones, zeros = np.ones(len(x)), np.zeros(len(x))
    cases = [
        Case(
            "law",
            Series(str(k), "time", ("x",), points, ones, law * (1 + 0.01 * np.sin(x)), zeros),
            frozenset(),
            None,
            {"x": 256.0},
            1.0,
        )
        for k, law in enumerate(laws)
    ]
    expected = _told(cases)
    numpy_alone.delenv(library.SWITCH)
    np.testing.assert_allclose(_told(cases), expected, rtol=SAME)


def test_the_same_sets_survive_the_beam(numpy_alone: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(3)
    tables = [np.concatenate([np.ones((1, 30)), generator.random((6, 30))]) for _ in range(2)]
    tables[0][5] = tables[0][4]  # one that depends on another
    codes = np.array([(i, j) for i in range(7) for j in range(3)])
    codes = np.stack([generator.permutation(codes) for _ in range(4)])
    weight, target = generator.uniform(0.5, 2, (4, 30)), generator.random((4, 30))
    cost = generator.random((4, 21)) * 2
    cost[:, -3:] = np.inf  # terms that stand twice
    given = codes, tables, weight, target, cost, DEFAULT.beam
    expected = beam_search(*given)
    numpy_alone.delenv(library.SWITCH)
    found = beam_search(*given)
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        some = np.isfinite(other.score)
        np.testing.assert_array_equal(one.chosen[some], other.chosen[some])
        np.testing.assert_allclose(one.score, other.score, rtol=SAME)
        np.testing.assert_allclose(one.left[some], other.left[some], rtol=SAME)
        np.testing.assert_allclose(one.parts[some], other.parts[some], rtol=SAME, atol=SAME)


@pytest.mark.parametrize("compiled", [False, True])
def test_the_beam_leaves_out_points_without_weight(
    numpy_alone: pytest.MonkeyPatch, compiled: bool
) -> None:
    generator = np.random.default_rng(4)
    tables = [np.concatenate([np.ones((1, 20)), generator.random((6, 20))]) for _ in range(2)]
    codes = np.stack([[(i, j) for i in range(7) for j in range(3)]] * 2)
    target, cost = generator.random((2, 20)), generator.random((2, 21))
    weight = generator.uniform(0.5, 2, (2, 20))
    kept = np.arange(20) % 3 > 0
    kept_few = np.arange(20) < 4  # fewer than the beam has levels
    weight[0, ~kept] = weight[1, ~kept_few] = 0.0
    target[weight == 0] = 0.0
    if compiled:
        numpy_alone.delenv(library.SWITCH)
    every = beam_search(codes, tables, weight, target, cost, DEFAULT.beam)
    for k, some in enumerate((kept, kept_few)):
        own = [np.ascontiguousarray(t[:, some]) for t in tables]
        given = [a[k : k + 1, some] for a in (weight, target)]
        alone = beam_search(codes[k : k + 1], own, *given, cost[k : k + 1], DEFAULT.beam)
        for one, other in zip(every, alone, strict=False):
            finite = np.isfinite(other.score[0])
            np.testing.assert_array_equal(one.chosen[k][finite], other.chosen[0][finite])
            np.testing.assert_allclose(one.score[k], other.score[0], rtol=SAME)
        assert all(np.isinf(level.score[k]).all() for level in every[len(alone) :])


@pytest.mark.parametrize("compiled", [False, True])
def test_the_beam_of_a_series_does_not_depend_on_others(
    numpy_alone: pytest.MonkeyPatch, compiled: bool
) -> None:
    generator = np.random.default_rng(8)
    tables = [np.concatenate([np.ones((1, 25)), generator.random((6, 25))]) for _ in range(2)]
    codes = np.stack([[(i, j) for i in range(7) for j in range(7)]] * 3)
    columns = tables[0][codes[..., 0]] * tables[1][codes[..., 1]]
    weight = np.ones((3, 25))
    target = columns[0, 8] + np.stack([0.01 * generator.normal(size=25), *np.zeros((2, 25))])
    target[2] += columns[0, 17] + columns[0, 30] + columns[0, 41]
    given = codes, tables, weight, target, np.full((3, 49), 0.5)
    if compiled:
        numpy_alone.delenv(library.SWITCH)
    every = beam_search(*given[:1], tables, *given[2:], DEFAULT.beam)
    for k in range(3):
        own = slice(k, k + 1)
        alone = beam_search(
            codes[own], tables, weight[own], target[own], given[4][own], DEFAULT.beam
        )
        for one, other in zip(alone, every, strict=False):
            some = np.isfinite(other.score[own])
            np.testing.assert_array_equal(one.chosen[some], other.chosen[own][some])
            np.testing.assert_allclose(one.score, other.score[own], rtol=SAME)
        assert all(np.isinf(level.score[own]).all() for level in every[len(alone) :])
    assert len(every) > 1


def test_quantiles_split_the_mass_of_mixtures() -> None:
    found = library.kernel()
    assert found is not None
    generator = np.random.default_rng(5)
    centres, widths = generator.normal(0, 9, (4, 50)), generator.uniform(1e-6, 3, (4, 50))
    weight = generator.dirichlet(np.ones(4), 50).T
    levels, normal = np.array([0.05, 0.95]), np.array([-1.6448536269514729, 1.6448536269514722])
    ends = quantiles(found, centres, widths, weight, levels, normal, 1e-13, 100)
    np.testing.assert_allclose(
        _quantiles(centres, widths, weight, (levels, normal)), ends, rtol=SAME
    )
    drawn = generator.standard_normal((4, 50, 20000)) * widths[..., None] + centres[..., None]
    below = ((drawn < ends[:, None, :, None]).mean(axis=3) * weight).sum(axis=1)
    np.testing.assert_allclose(below, np.repeat(levels[:, None], 50, axis=1), atol=0.02)


def test_normal_probabilities_and_quantiles(numpy_alone: pytest.MonkeyPatch) -> None:
    x = np.concatenate([np.linspace(-45, 12, 3000), [-np.inf, np.inf, 0.0]]).reshape(3, -1)
    by_scipy = normal_distribution(x)
    numpy_alone.undo()
    np.testing.assert_allclose(normal_distribution(x.T), by_scipy.T, rtol=1e-10, atol=1e-300)
    levels = np.array([1e-9, 0.05, 0.5, 0.95])
    np.testing.assert_allclose(normal_quantiles(levels), ndtri(levels), rtol=1e-13, atol=1e-15)


def test_gamma_quantiles_are_those_of_scipy() -> None:
    shares = np.linspace(0.0005, 0.9995, 499)
    for shape in (1.0, 1.5, 3.0, 6.0):
        np.testing.assert_allclose(
            gamma_quantiles(shape, shares), gammaincinv(shape, shares), rtol=1e-11
        )


@pytest.mark.parametrize("keep", [2, 8, 12, 20])
def test_the_least_errors_are_kept_whatever_their_number(keep: int) -> None:
    """Hypotheses that are equal, infinite in prior, or fewer than vectors hold."""
    found = library.kernel()
    assert found is not None
    generator = np.random.default_rng(keep)
    columns, y = generator.random((40, 6)), generator.uniform(1, 2, (9, 6))
    rows = np.array([(i, j) for i in range(40) for j in range(i)][: 5 * keep + 3])
    rows[7:15] = rows[7]  # the same law several times
    prior = -generator.random(len(rows))
    settings = DEFAULT.coefficients
    weighted = Weighted.of(found, rows, columns, np.ones(6), prior, settings)
    assert weighted is not None
    constants, slopes = np.zeros((9, 1, 1)), np.array([-0.5])
    given = [weighted], 2, prior, keep, np.ones((9, 1)), constants, slopes, settings
    number, _ = ranked(found, y, np.zeros(9, dtype=np.int64), *given)
    for k, own in enumerate(y):
        errors = [
            np.linalg.lstsq(columns[r].T, own, rcond=None)[1].sum() * np.exp(-p / 3)
            if r[0] != r[1]
            else np.inf
            for r, p in zip(rows, prior, strict=True)
        ]
        expected = np.sort(errors)[:keep]
        np.testing.assert_allclose(np.sort(np.array(errors)[number[k]]), expected, rtol=1e-6)


def test_what_series_share_is_learned_alike(numpy_alone: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(1)
    shape = 4, 30, len(DEFAULT.noise.sigmas), len(DEFAULT.noise.kappas)
    evidence = Evidence(
        generator.normal(0, 1, shape)
        - 9 * (np.arange(shape[2]) - 12)[:, None] ** 2
        - 20 * (np.arange(shape[3]) > 0),
        np.array([0.7, 0.1, 0.15, 0.05]),
        generator.normal(-8, 5, (2, *shape[1:3])),
    )
    expected = pooled_levels(evidence)
    numpy_alone.delenv(library.SWITCH)
    found = pooled_levels(evidence)
    assert found.pooled
    assert found.traits is not None
    np.testing.assert_allclose(found.prior, expected.prior, rtol=SAME)
    np.testing.assert_allclose(found.traits, expected.traits, rtol=SAME)
    np.testing.assert_allclose(found.changes, expected.changes, rtol=SAME)
    np.testing.assert_allclose(found.steps, expected.steps, rtol=SAME)


def test_without_a_compiler_numpy_does_the_work(
    tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("CC", "false")
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(library, "package_folder", lambda name: None)
    library._cached.cache_clear()
    library._compiled.cache_clear()
    try:
        assert library.kernel(FEWEST_TO_COMPILE) is None
        cases = list(one_parameter(1, 0.02, 1, 7))
        assert len(_told(cases)) == len(cases)
    finally:
        library._cached.cache_clear()
        library._compiled.cache_clear()
