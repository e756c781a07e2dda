"""The default modeler on random functions: well above what least squares reach, calibrated, and
never negative."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from benchmarks.modeling_protocols import several_parameters
from modeling import METHODS, Measurements, Series, Term, fit
from modeling.least_squares.quadratic_forms import left_out_forms

POINTS = 2.0 ** np.arange(3, 8)
SHAPES = [("1", 0), ("2", 0), ("3", 0), ("0", 1), ("1/2", 0), ("3/2", 0), ("2/3", 0), ("0", 2)]


def random_series(count: int, noise: float, seed: int) -> list[tuple[Series, Term, float]]:
    generator = np.random.default_rng(seed)
    found = []
    for k in range(count):
        term = Term.of({"n": SHAPES[k % len(SHAPES)]})
        c0, c1 = 10 ** generator.uniform(-2, 3, 2)
        y = (c0 + c1 * term.evaluate({"n": POINTS})) * (
            1 + generator.uniform(-noise, noise, len(POINTS))
        )
        truth = c0 + c1 * float(term.evaluate({"n": 4 * POINTS[-1]}))
        found.append((Series.from_values(str(k), "time", ("n",), POINTS[:, None], y), term, truth))
    return found


def test_noise_of_two_percent() -> None:
    cases = random_series(120, 0.02, 1)
    models = fit(Measurements(tuple(s for s, *_ in cases))).models
    far = {"n": 4 * POINTS[-1]}
    close = [
        abs(float(m.evaluate(far)) / truth - 1) < 0.02
        for m, (_, _, truth) in zip(models, cases, strict=True)
    ]
    inside = [
        m.interval(far)[0] <= truth <= m.interval(far)[1]
        for m, (_, _, truth) in zip(models, cases, strict=True)
    ]
    assert np.mean(close) >= 0.75
    assert 0.85 <= np.mean(inside) <= 1
    assert all(float(m.evaluate({"n": x})) >= 0 for m in models for x in (256.0, 1024.0, 1e5))


@pytest.mark.parametrize(("parameters", "within"), [(2, 0.7), (3, 0.85)])
def test_noise_of_ten_percent_leaves_laws_of_several_parameters_known(
    parameters: int, within: float
) -> None:
    """Where noise is as large, factors with a coefficient too many on each line look better."""
    cases = list(several_parameters(100, parameters, 0.0, 1, 17))
    generator = np.random.default_rng(17)
    series = [
        Series.from_values(
            c.series.callpath,
            "time",
            c.series.parameters,
            c.series.points,
            c.series.means * (1 + 0.1 * generator.standard_normal(len(c.series.means))),
        )
        for c in cases
    ]
    models = fit(Measurements(tuple(series))).models
    off, held = [], []
    for case, model in zip(cases, models, strict=True):
        low, high = model.interval(case.query)
        off.append(abs(float(model.evaluate(case.query)) / case.truth - 1))
        held.append(low <= case.truth <= high)
    assert np.mean(np.array(off) < 0.1) >= within
    assert np.mean(held) >= 0.83
    sure = [e for e, m in zip(off, models, strict=True) if m.identifiable]
    assert np.mean(np.array(sure) > 0.25) <= 0.1


def test_three_values_with_noise_leave_laws_open() -> None:
    """x**(3/2) and x**(3/4) log(x)**2 are alike at three values, and far apart beyond."""
    generator = np.random.default_rng(3)
    axes = np.array([8.0, 16, 32]), 2.0 ** np.arange(2, 7)
    points = np.array(list(product(*axes)))
    x, y = points.T
    laws = [x**1.5 * y, x**0.75 * np.log2(x) ** 2 * y, 50 + x**2.25 + y, 900 + x + y**2]
    series = tuple(
        Series.from_values(
            f"{k}, {noise}",
            "time",
            ("x", "y"),
            points,
            law * (1 + noise * generator.standard_normal(len(law))),
        )
        for noise in (0.001, 0.15)
        for k, law in enumerate(laws)
    )
    models = [fit(Measurements((s,))).models[0] for s in series]
    assert all(m.identifiable for m in models[:4])
    leads = [any(n == "x" for n, *_ in m.terms[-1][1].factors) for m in models[4:7]]
    for model, with_x in zip(models[4:7], leads, strict=True):
        assert not (model.identifiable and with_x)
        assert model.identifiable or "measure at" in (model.reason or "")


@pytest.mark.parametrize(
    ("names", "values", "f"),
    [
        ("nmk", (4, 8, 16, 32, 64), lambda n, m, k: 1e-6 * n + 2e-6 * m + 5e-7 * k**2),
        ("xyz", (4, 8, 16, 32, 64), lambda x, y, z: 3 * x * y + 2 * y * z),
        ("xyzw", (4, 8, 16, 32), lambda x, y, z, w: 3 * x * y + 2 * z * w),
        ("pn", (4, 8, 16, 32, 64), lambda p, n: 5 * n / p + 3 * np.log2(p) + 1),
        ("abcde", (2, 4, 8), lambda a, b, c, d, e: a * b + 5 * c + 0 * d + 0.1 * e * e),
    ],
)
def test_structures(names: str, values: tuple[int, ...], f: object) -> None:
    assert callable(f)
    points = np.array(list(product(values, repeat=len(names))), dtype=float)
    model = fit(
        Measurements((Series.from_values("f", "time", tuple(names), points, f(*points.T)),))
    ).models[0]
    at = dict(zip(names, (200.0, 300.0, 500.0, 700.0, 100.0), strict=False))
    assert model.identifiable
    assert float(model.evaluate(at)) == pytest.approx(float(f(*at.values())), rel=1e-6)


def test_sparse_design() -> None:
    line = (
        [(x, 8, 8) for x in (4, 8, 16, 32, 64)]
        + [(8, x, 8) for x in (4, 16, 32, 64)]
        + [(8, 8, x) for x in (4, 16, 32, 64)]
        + [(64, 64, 64)]
    )
    series = Series.from_values(
        "f", "time", ("x", "y", "z"), line, [3 * x * y + 2 * z * z + 1 for x, y, z in line]
    )
    model = fit(Measurements((series,))).models[0]
    assert {str(t) for _, t in model.terms} == {"x*y", "z**2"}


def test_quadratic_forms_are_the_errors_of_fits_without_each_point() -> None:
    generator = np.random.default_rng(2)
    columns = np.stack([np.ones((6, 2)), generator.random((6, 2)), generator.random((6, 2))])
    y = generator.random((3, 6))
    for h, k in product(range(2), range(3)):
        matrix = columns[:, :, h].T
        left_out = 0.0
        for p in range(6):
            keep = np.arange(6) != p
            left_out += float(
                (y[k, p] - matrix[p] @ np.linalg.lstsq(matrix[keep], y[k, keep], rcond=None)[0])
                ** 2
            )
        assert left_out_forms(columns).errors(y)[k, h] == pytest.approx(left_out)
    errors = left_out_forms(columns).errors(y)
    assert left_out_forms(columns).best(y).tolist() == errors.argmin(axis=1).tolist()


@pytest.mark.parametrize("method", METHODS)
def test_methods_of_the_papers(method: str) -> None:
    series = Series.from_values("f", "time", ("n",), POINTS[:, None], 3 * POINTS**1.5 + 10)
    constant = Series.from_values("g", "time", ("n",), POINTS[:, None], [7.0] * 5)
    first, second = fit(Measurements((series, constant)), method=method).models
    assert float(first.evaluate({"n": 512.0})) == pytest.approx(3 * 512**1.5 + 10, rel=0.02)
    assert not second.terms


def test_models_do_not_depend_on_units_or_order() -> None:
    cases = [s for s, *_ in random_series(16, 0.02, 3)]
    scaled = [
        Series.from_values(s.callpath, s.metric, s.parameters, s.points, 1e6 * s.means)
        for s in reversed(cases)
    ]
    a, b = fit(Measurements(tuple(cases))).models, fit(Measurements(tuple(scaled))).models
    for one, other in zip(a, reversed(b), strict=True):
        assert [t for _, t in one.terms] == [t for _, t in other.terms]
        assert float(other.evaluate({"n": 999.0})) == pytest.approx(
            1e6 * float(one.evaluate({"n": 999.0})), rel=1e-6
        )
