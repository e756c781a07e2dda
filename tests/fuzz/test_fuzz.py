"""The fuzzer itself: it counts right, leaves meaningless runs away, sees a wrong formula and makes
it minimal."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from staticana import Count, analyze_module
from staticana.expr import expr
from tests.fuzz import batch, hunt
from tests.fuzz.batch import LoopFinding
from tests.fuzz.generator import SHAPES, Case, case_of, random_case

_NEST = """static long PRE_h(int a) {
    long s = 0;
    for (int i = 0; i < a; i++) { /* inner */
        s++;
    }
    return s;
}

long PRE(int n, int m) {
    long s = 0;
    for (int i = 0; i != n; i++) { /* outer */
        s += PRE_h(i);
        s += PRE_h(m);
    }
    return s;
}
"""
_OVERFLOW = """long PRE(int n, int m) {
    int x = 2147483647;
    for (int i = 0; i < n; i++) { /* up */
        x += i;
    }
    return x;
}
"""


def _case(source: str) -> Case:
    return Case(source, ("int", "int"), ())


def _spoil(monkeypatch: pytest.MonkeyPatch, spoiled: Count) -> None:
    """Every total of the analysis is another one."""

    def wrong(*args: object, **options: object) -> object:
        analysis = analyze_module(*args, **options)  # type: ignore[arg-type]
        return replace(
            analysis, loops=tuple(replace(loop, total=spoiled) for loop in analysis.loops)
        )

    monkeypatch.setattr(batch, "analyze_module", wrong)


def test_right_formulas_are_compared_where_the_program_ends() -> None:
    nest, overflow = batch.check([_case(_NEST), _case(_OVERFLOW)])
    assert [(f.shape, f.kind, f.wrong) for f in (*nest, *overflow)] == [
        ("inner", "exact", None),
        ("outer", "exact", None),
        ("work", "exact", None),
        ("up", "exact", None),
    ]
    for f in nest:  # != is never met by a negative n
        assert {tuple(values.values()) for values, _ in f.counts} == {
            v for v in batch.vectors(("int", "int")) if v[0] >= 0
        }
    for values, counted in nest[0].counts:
        n, m = values.values()
        assert counted == sum(len(range(i)) + len(range(m)) for i in range(n))
    assert all(values["n"] < 2 for values, _ in overflow[1].counts)
    assert overflow[1].counts


@pytest.mark.parametrize(
    ("count", "fault"),
    [
        (Count("exact", expr(3), expr(3), expr(3)), "total predicted"),
        (Count("bounded", None, expr(3), None, reason="-"), "total lower bound"),
        (Count("bounded", None, expr(0), expr(5), reason="-"), "total upper bound"),
    ],
)
def test_a_wrong_count_is_found(count: Count, fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _spoil(monkeypatch, count)
    findings = batch.check([_case(_NEST)])[0]
    assert {f.fault for f in findings} == {fault}
    assert "long entry(int n, int m)" in (findings[0].wrong or "")


def test_a_count_need_not_hold_against_its_assumptions(monkeypatch: pytest.MonkeyPatch) -> None:
    _spoil(monkeypatch, Count("exact", expr(3), expr(3), expr(3), assumptions=("n + m <= -100",)))
    assert all(f.wrong is None and not f.counts for f in batch.check([_case(_NEST)])[0])


def test_a_failing_case_becomes_minimal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever holds a loop that halves is taken to be wrong: the least such case is one loop."""

    def halves(cases: list[Case], compiler: object = None) -> list[list[LoopFinding]]:
        return [
            [LoopFinding("halving", "exact", 1, "", c.source, "fault")]
            if "/= 2" in c.source
            else []
            for c in cases
        ]

    monkeypatch.setattr(hunt, "check", halves)
    generator = random.Random(3)
    case = next(
        c
        for c in (random_case(generator) for _ in range(1000))
        if "/= 2" in c.source and c.source.count("\n") > 25
    )
    least, text = hunt.minimal(case)
    assert text == least.source
    assert "/= 2" in text
    assert text.count("\n") <= 12


def test_cases_are_written_again_by_their_choices_and_have_every_shape() -> None:
    cases = hunt.draw(range(3 * len(SHAPES)), seed=5)
    assert [case_of(case.choices) for case in cases] == cases
    assert len({case.source for case in cases}) > 2.8 * len(SHAPES)
