"""Counts whose law the dictionary does not have, beside others that have theirs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from modeling import Measurements, Series, fit
from modeling.data.measurements import Floats

X = 2.0 ** np.arange(4, 10)
MISSING: dict[str, Callable[[Floats], Floats]] = {
    "primes": lambda x: np.round(x / np.log(x) * (1 + 1 / np.log(x))),
    "waves": lambda x: np.round(x**1.42 + 60 * np.sin(x)),
    "two powers": lambda x: np.round(3 * x**1.15 + 5 * x**0.8),
}


def counted(name: str, values: Floats) -> Series:
    return Series.from_values(name, "visits", ("x",), X[:, None], values[:, None])


def known(count: int) -> list[Series]:
    return [counted(f"a {k}", (k + 1) * X ** (1 + k % 2)) for k in range(count)]


def others() -> list[Series]:
    return [
        counted(f"{name} {k}", np.round(law(k * X) + k))
        for name, law in MISSING.items()
        for k in (1, 3, 5, 7)
    ]


@pytest.mark.parametrize("name", MISSING)
def test_the_last_points_of_counts_are_met(name: str) -> None:
    """Where other counts of a file have no noise, what is left of a law is none either: the law
    meets the largest points, and is nearer to those beyond."""
    law, far = MISSING[name], 4 * X[-1:]
    wanted = counted(f"{name} 1", np.round(law(X) + 1))
    models = {m.callpath: m for m in fit(Measurements((*known(24), *others()))).models}
    model = models[wanted.callpath]
    assert float(model.evaluate({"x": X[-1]})) == pytest.approx(wanted.means[-1], rel=0.003)
    assert float(model.evaluate({"x": far[0]})) == pytest.approx(law(far)[0], rel=0.05)
