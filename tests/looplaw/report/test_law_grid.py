"""Laws of time as the report draws them."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from looplaw.report.law_grid import law_grid
from modeling.pmnf.time_law import TimeLawDocument, bound_by, formula_of, regimes_of
from tests.modeling.timelaw.test_time_law import learned, machine


def test_a_page_has_the_values_of_the_law_and_where_levels_begin() -> None:
    law = msgspec.structs.replace(learned(machine(l2=1 << 20, memory_ns=60.0)), repeats=0.3)
    grid = law_grid(TimeLawDocument(formula_of(law), regimes_of(law), law))
    assert grid is not None
    [[name, sizes]] = grid["axes"]
    assert name == "n"
    at = {"n": np.array(sizes)}
    np.testing.assert_allclose(np.exp(grid["seconds"]), law.seconds(at), rtol=1e-3)
    low, high = law.interval(at, 0.9)
    seconds = np.array(grid["seconds"])
    np.testing.assert_allclose(np.exp(seconds - np.array(grid["below"])), low, rtol=2e-3)
    np.testing.assert_allclose(np.exp(seconds + np.array(grid["above"])), high, rtol=2e-3)
    assert [grid["names"][k] for k in grid["by"]] == [
        {"L2": "the L2 cache"}.get(k, k) for k in bound_by(law, at)
    ]
    assert grid["memory"] is not None
    assert all(m <= s + 0.01 for m, s in zip(grid["memory"], grid["seconds"], strict=True))
    assert [level for _, _, level in grid["regimes"]][-1] == "memory"
    assert grid["regimes"][-1][1] == pytest.approx(362, rel=0.2)  # 8 * n**2 is one megabyte
