"""Types on the way down from a member tell accesses apart."""

from __future__ import annotations

import pytest

from staticana.ir.parser import parse_module
from staticana.ir.tbaa import TypeRules

# struct inner { int a; float b; }; struct outer { int x; struct inner i; };
TEXT = """
!0 = !{!"root"}
!1 = !{!"omnipotent char", !0, i64 0}
!2 = !{!"int", !1, i64 0}
!3 = !{!"float", !1, i64 0}
!4 = !{!"inner", !2, i64 0, !3, i64 4}
!5 = !{!"outer", !2, i64 0, !4, i64 4}
!10 = !{!2, !2, i64 0}
!11 = !{!3, !3, i64 0}
!12 = !{!1, !1, i64 0}
!13 = !{!4, !2, i64 0}
!14 = !{!4, !3, i64 4}
!15 = !{!5, !2, i64 0}
!16 = !{!5, !2, i64 4}
!17 = !{!5, !3, i64 8}
!18 = !{!"another format"}
"""
INT, FLOAT, CHAR, INNER_A, INNER_B, X, I_A, I_B, OTHER = (f"!{n}" for n in range(10, 19))


@pytest.mark.parametrize(
    ("one", "other", "may"),
    [
        (INT, FLOAT, False),
        (INT, CHAR, True),
        (INT, INNER_A, True),
        (INT, INNER_B, False),
        (INNER_A, INNER_B, False),
        (INNER_A, I_A, True),
        (INNER_B, I_B, True),
        (INNER_A, I_B, False),
        (X, I_A, False),
        (X, INNER_A, False),
        (X, INT, True),
        (I_B, FLOAT, True),
        (OTHER, FLOAT, True),
    ],
)
def test_accesses_that_may_touch(one: str, other: str, *, may: bool) -> None:
    rules = TypeRules(parse_module(TEXT))
    assert rules.may_alias(one, other) is may
    assert rules.may_alias(other, one) is may
    assert rules.may_alias(one, one)
