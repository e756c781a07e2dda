"""Conditions of laws as people read them."""

from __future__ import annotations

import pytest

from looplaw.report.conditions import Condition, in_words
from staticana.expr import expr, sym

_WHOLE = "32*floor(block_x/32) - block_x"


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        (["4*n >= 32"], ["n >= 8"]),
        ([f"{_WHOLE} >= 0"], ["block_x is a multiple of 32"]),
        (["Max(n - 4, Min(16 - block_x, block_x - 16)) >= 0"], ["block_x == 16 or n >= 4"]),
        (["Min(n - 4, m) >= 0"], ["m >= 0 and n >= 4"]),
        (["the run ends"], ["the run ends"]),
        (["a <= b"], ["b >= a"]),
        (
            [f"Max({_WHOLE}, 4*n - 36) >= 0", "m >= 1", f"Max({_WHOLE}, m - 2) >= 0"],
            ["m >= 1", "block_x is a multiple of 32, or else", "  n >= 9", "  m >= 2"],
        ),
    ],
)
def test_conditions_in_words(texts: list[str], told: list[str]) -> None:
    assert in_words([Condition.read(text) for text in texts]) == told


def test_what_a_launch_settles() -> None:
    condition = Condition.read(f"Max({_WHOLE}, n - 8) >= 0")
    assert condition.holds_at({"block_x": expr(64)})
    assert not condition.holds_at({"block_x": expr(48)})
    assert not condition.holds_at({"block_x": sym("n")})
    assert in_words([condition.at({"block_x": expr(48)})]) == ["n >= 8"]
