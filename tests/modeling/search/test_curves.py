"""Laws that are no sums of powers: told by name where they hold, values foretold, and no power or
logarithm taken for one."""

from __future__ import annotations

import json
from math import factorial, sqrt

import numpy as np
import pytest

from looplaw.report.html import render_html
from looplaw.report.measured import measured_study
from looplaw_common.errors import DataError
from looplaw_common.formula.formula import parse_formula
from modeling import Measurements, Model, Models, Series, fit
from modeling.pmnf.inverse import size_for
from modeling.pmnf.law_names import law_name

WORKERS = 2.0 ** np.arange(8)


def series(name: str, metric: str, x: object, values: object, noise: float = 0.02) -> Series:
    rng = np.random.default_rng(3)
    values = np.asarray(values, dtype=float) * np.exp(noise * rng.standard_normal(len(values)))  # type: ignore[arg-type]
    return Series.from_values("f", metric, (name,), [[v] for v in x], values.tolist())  # type: ignore[attr-defined]


def one(*args: object, **options: float) -> Model:
    return fit(Measurements((series(*args, **options),)))[0]  # type: ignore[arg-type]


def test_factorial_growth() -> None:
    x = range(4, 12)
    model = one("n", "time_s", x, [1e-7 * factorial(n) for n in x])
    assert law_name(model) == "factorial growth: like n!"
    told = model.predict({"n": 14})
    assert told.low <= 1e-7 * factorial(14) <= told.high
    assert told.high < 1.5 * told.low
    assert parse_formula(model.formula).evaluate({"n": 14}) == pytest.approx(told.value, rel=1e-6)
    assert "n!" in model.latex()


def test_exponential_growth_above_a_floor() -> None:
    x = range(4, 22, 2)
    model = one("n", "time_s", x, [0.01 + 1e-5 * 2.0**n for n in x])
    assert law_name(model) == "exponential growth: x2 for each step of n"
    assert model.predict({"n": 26}).value == pytest.approx(1e-5 * 2.0**26, rel=0.1)
    assert model.predict({"n": 2}).value == pytest.approx(0.01, rel=0.1)


@pytest.mark.parametrize(("sigma", "kappa"), [(0.03, 0.0004), (0.01, 0.002)])
def test_throughput_has_a_peak(sigma: float, kappa: float) -> None:
    def law(n: object) -> object:
        return 700 * n / (1 + sigma * (n - 1) + kappa * n * (n - 1))  # type: ignore[operator]

    model = one("threads", "throughput", WORKERS, law(WORKERS))
    name = str(law_name(model))
    assert name.startswith("universal scalability law: contention")
    at, low, high = (
        float(w.strip("()")) for w in name.split("threads = ")[1].replace(" to", "").split()
    )
    assert low <= sqrt((1 - sigma) / kappa) <= high
    assert at == pytest.approx(sqrt((1 - sigma) / kappa), rel=0.1)
    told = model.predict({"threads": 512})
    assert told.low <= law(512) <= told.high


def test_saturation_and_amdahl() -> None:
    sizes = 2.0 ** np.arange(3, 21)
    model = one("size", "bandwidth_MBps", sizes, 12000 * sizes / (sizes + 8192))
    assert str(law_name(model)).startswith("saturates at 1.2")
    assert model.predict({"size": 2**24}).value == pytest.approx(12000, rel=0.05)
    rate = one("threads", "ops/s", WORKERS, 50 * WORKERS / (1 + 0.1 * (WORKERS - 1)))
    assert "Amdahl's law: serial share 0.1" in str(law_name(rate))
    times = one("threads", "time_s", WORKERS, 0.1 + 0.9 / WORKERS)
    assert "Amdahl's law: serial share 0.0" in str(law_name(times))


@pytest.mark.parametrize("metric", ["time_s", "throughput", "cost"])
def test_powers_and_logarithms_are_none(metric: str) -> None:
    x = 8 * 2.0 ** np.arange(7)
    laws = (x, x**2, x**3.5, 5 + np.log2(x), x * np.log2(x), np.sqrt(x), 3 + 0 * x, 40 / x)
    rows = [series("n", metric, x, values) for values in laws]
    rows = [
        Series.from_values(f"f{k}", metric, ("n",), r.points.tolist(), r.means.tolist())
        for k, r in enumerate(rows)
    ]
    assert all(m.curve is None for m in fit(Measurements(tuple(rows))))


def test_files_and_pages_hold_them() -> None:
    law = 700 * WORKERS / (1 + 0.03 * (WORKERS - 1) + 0.0004 * WORKERS * (WORKERS - 1))
    measurements = Measurements((series("threads", "throughput", WORKERS, law),))
    models = fit(measurements)
    again = Models.from_json(json.loads(json.dumps(models.to_json())))[0]
    assert again.predict({"threads": 300}) == models[0].predict({"threads": 300})
    assert float(again.sympy.subs("threads", 300)) == pytest.approx(
        float(again.evaluate({"threads": 300}))
    )
    page = render_html(measured_study(measurements, models, title="t"))
    assert '"below"' in page


@pytest.mark.parametrize(
    ("power", "name"),
    [(0, "constant"), (1, "linear"), (2, "quadratic"), (3, "cubic"), (1.5, "grows like n**(3/2)")],
)
def test_names_of_powers(power: float, name: str) -> None:
    x = 2.0 ** np.arange(5, 12)
    assert law_name(one("n", "time_s", x, 1e-6 * x**power, noise=0.002)) == name


def test_n_log_n_is_spelled() -> None:
    x = 2.0 ** np.arange(5, 12)
    model = one("n", "time_s", x, 1e-6 * x * np.log2(x), noise=0.001)
    assert law_name(model) == "grows like n log n"


def test_the_size_of_a_time_has_both_ends() -> None:
    x = range(4, 12)
    model = one("n", "time_s", x, [1e-7 * factorial(n) for n in x])
    found = size_for(model, 1e-7 * factorial(14), {})
    assert found.low <= 14 <= found.high < 14.2


def test_exponential_laws_of_earlier_versions_are_refused() -> None:
    x = range(4, 22, 2)
    told = Models((one("n", "time_s", x, [0.01 + 1e-5 * 2.0**n for n in x]),)).to_json()
    written = json.loads(json.dumps(told))
    written["models"][0]["exponential"] = written["models"][0].pop("curve")
    with pytest.raises(DataError, match="earlier version; fit the measurements again"):
        Models.from_json(written)
