"""Proposed sizes show every regime of the caches that runs can afford."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from looplaw.laws.regime_sizes import RegimeLimit, regime_limits, with_regimes
from staticana.expr import expr, sym
from staticana.traffic import Regime

N, M = sym("n"), sym("m")
CACHES = {"L1": 32 << 10, "L2": 1 << 20}


def test_a_limit_is_the_last_size_that_fits() -> None:
    regimes = (Regime((), (N * M,), None), Regime(("a.c:3:1",), (N + expr(2),), None))
    limits = regime_limits(regimes, CACHES, {"n": 4096, "m": 2048})
    assert limits == (
        RegimeLimit("L1", {"n": 32, "m": 16}, ()),  # 32 KiB are 512 lines
        RegimeLimit("L2", {"n": 181, "m": 90}, ()),  # 1 MiB are 16,384
        RegimeLimit("L1", {"n": 510, "m": 255}, ("a.c:3:1",)),
    )
    assert regime_limits(regimes, CACHES, {"n": 8, "m": 8}) == ()
    assert regime_limits((Regime((), (N * sym("t3"),), None),), CACHES, {"n": 4096}) == ()


def test_a_regime_without_a_value_gets_one() -> None:
    assert with_regimes((32, 64, 128, 256, 512), (71, 454)) == (32, 64, 128, 256, 512)
    assert with_regimes((32, 64, 128, 256, 512), (70, 120)) == (32, 64, 91, 128, 256, 512)
    assert with_regimes((8,), (20,)) == (8,)


@given(
    st.sets(st.integers(1, 5000), min_size=1, max_size=6), st.sets(st.integers(1, 6000), max_size=5)
)
def test_every_wide_regime_is_shown(values: set[int], limits: set[int]) -> None:
    found = with_regimes(sorted(values), limits)
    assert set(found) >= values
    assert (min(found), max(found)) == (min(values), max(values))
    edges = [e for e in sorted(limits) if min(values) <= e < max(values)]
    for low, high in itertools.pairwise(edges):
        if high > 2 * low + 4:
            assert any(low < v <= high for v in found)
