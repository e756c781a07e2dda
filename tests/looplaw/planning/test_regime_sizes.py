"""Proposed sizes show every regime of the caches that runs can afford."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from looplaw.planning.regime_sizes import RegimeLimit, footprint_limits, regime_limits, with_regimes
from staticana.expr import expr, sym, symbols
from staticana.traffic import Regime
from staticana.traffic.access_tree import AccessNode, AccessTree, LoopNode

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


def test_programs_without_a_memory_law_have_limits_of_all_they_touch() -> None:
    index = symbols.iteration("main", "loop")
    store = AccessNode("a", sym("a") + 8 * sym(index), 8, True, "a.c:4:9", None, frozenset())
    tree = AccessTree((LoopNode(index, N * M, (store,), "a.c:3:1", "main"),), ("a gap",))
    limits = footprint_limits(tree, CACHES, {"n": 2048, "m": 1024})
    assert [(x.level, x.at) for x in limits] == [("L1", ()), ("L2", ())]
    for limit, size in zip(limits, CACHES.values(), strict=True):
        n, m = limit.sizes["n"], limit.sizes["m"]
        assert 8 * n * m <= size <= 8 * (n + 16) * (m + 8) + 4096
    assert footprint_limits(tree, CACHES, {"n": 16, "m": 16}) == ()


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
