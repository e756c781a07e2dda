"""looplaw.analyze of numba functions: formulas over the Python arguments equal counts made in plain
Python."""

from __future__ import annotations

import re
import sys
from typing import Any

import numpy as np
import pytest

import looplaw
from staticana import InputError


@pytest.fixture
def numba() -> Any:
    return pytest.importorskip(
        "numba", reason="numba is not installed: pip install 'looplaw[numba]'"
    )


def kernel(n, m, a, b):  # type: ignore[no-untyped-def]
    s = 0.0
    for i in range(n):
        for j in range(i, m):
            s += i * j
    for i in range(len(a)):
        a[i] = s
    for i in range(0, a.shape[0], 3):
        s += a[i]
    for x in a:
        s += x
    for i in range(b.shape[0]):
        for j in range(b.shape[1]):
            s += b[i, j]
            if j > 4:
                break
    k = n
    while k > 1:
        k //= 2
    return s


def _counted(n: int, m: int, length: int, rows: int, columns: int) -> list[int]:
    halvings = max(0, n.bit_length() - 1) if n > 0 else 0
    return [
        max(0, n),
        sum(len(range(i, m)) for i in range(n)),
        length,
        len(range(0, length, 3)),
        length,
        rows,
        rows * min(columns, 6),
        halvings,
    ]


def test_loops_are_counted_over_the_arguments(numba: Any) -> None:
    analysis = looplaw.analyze(
        numba.njit(kernel), (numba.int64, numba.int64, numba.float64[::1], numba.float64[:, :])
    )
    loops = sorted(analysis.loops, key=lambda loop: int(loop.at.split(":")[-2]))
    assert len(loops) == 8
    for n, m, length, rows, columns in [
        (5, 7, 8, 3, 4),
        (0, 0, 0, 0, 0),
        (-2, 3, 1, 2, 9),
        (16, 9, 10, 1, 5),
    ]:
        values = {"n": n, "m": m, "a_len": length, "b_len": rows, "b_shape1": columns}
        assert [loop.total.evaluate(values) for loop in loops] == _counted(
            n, m, length, rows, columns
        )


def test_the_types_of_the_first_call_are_taken(numba: Any) -> None:
    function = numba.njit(lambda n: sum(list(range(n))))
    with pytest.raises(InputError, match="was not called yet"):
        looplaw.analyze(function)
    function(3)
    assert {p.name for p in looplaw.analyze(function).parameters} >= {"n"}


def test_without_numba_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)
    with pytest.raises(InputError, match="pip install 'looplaw\\[numba\\]'"):
        looplaw.analyze(kernel, ())


def test_other_functions_are_refused(numba: Any) -> None:
    with pytest.raises(InputError, match=r"decorate it with numba\.njit"):
        looplaw.analyze(kernel, (numba.int64,))


@pytest.mark.parametrize(
    "given",
    ["float64(float64[::1], int64)", "(float64[::1], int64)", ["float64(float64[::1], int64)"]],
)
def test_a_signature_is_given_as_numba_takes_it(numba: Any, given: Any) -> None:
    function = numba.njit(_summed)
    call = numba.float64(numba.float64[::1], numba.int64)
    for signature in (given, call):
        (loop,) = looplaw.analyze(function, signature).loops
        assert str(loop.total.formula) == "Max(0, n)"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("nonsense", "'nonsense' is no signature"),
        (5, "'5' is no signature"),
        (["int64(int64)", "float64(float64)"], "2 signatures: analyze takes one"),
        ("(int64,)", "numba does not compile it for"),
        ("(float64, int64)", "numba does not compile it for"),
    ],
)
def test_what_is_no_signature_is_named(numba: Any, given: Any, said: str) -> None:
    with pytest.raises(InputError, match=re.escape(said)):
        looplaw.analyze(numba.njit(_summed), given)


def _summed(a, n):  # type: ignore[no-untyped-def]
    s = 0.0
    for i in range(n):
        s += a[i]
    return s


def asked_twice(a, b, n, m):  # type: ignore[no-untyped-def]
    s = 0.0
    for x, y in zip(a, b):
        s += x * y
    for x, y in zip(a, a[1:]):  # noqa: RUF007
        s += x * y
    i = 0
    while i < n and i < m:
        i += 1
        s += i
    return s


def test_a_test_of_several_parts_starts_no_iteration(numba: Any) -> None:
    """numba asks one sequence after the other, and turns `while` around."""
    function = numba.njit(asked_twice)
    array, number = numba.float64[::1], numba.int64
    found = looplaw.analyze(function, (array, array, number, number)).loops
    loops = sorted(found, key=lambda loop: int(loop.at.split(":")[1]))
    for length, other, n, m in [(5, 3, 2, 9), (3, 5, 9, 2), (0, 4, 0, 3), (1, 1, 4, -1)]:
        given = {"a_len": length, "b_len": other, "n": n, "m": m}
        counted = [min(length, other), max(0, length - 1), max(0, min(n, m))]
        assert [int(loop.total.formula.evaluate(given)) for loop in loops] == counted  # type: ignore[union-attr]


def neighbours(x, k):  # type: ignore[no-untyped-def]
    n, d = x.shape
    nearest = np.empty((n, k))
    for i in range(n):
        distance = np.empty(n)
        for j in range(n):
            s = 0.0
            for t in range(d):
                s += (x[i, t] - x[j, t]) ** 2
            distance[j] = s
        distance.sort()
        for j in range(k):
            nearest[i, j] = distance[j]
    return nearest


def checked(a, limit):  # type: ignore[no-untyped-def]
    s = 0
    for x in a:
        if x > limit:
            raise ValueError("too large")
        s += x
    return s


def forgiving(a, limit):  # type: ignore[no-untyped-def]
    s = 0
    for x in a:
        try:
            if x > limit:
                raise ValueError("too large")
        except Exception:
            for _ in range(5):
                s += 1
    return s


def test_an_error_that_is_caught_is_not_assumed_away(numba: Any) -> None:
    loops = looplaw.analyze(numba.njit(forgiving), (numba.int64[::1], numba.int64)).loops
    line = max(int(loop.at.split(":")[-2]) for loop in loops)
    (inner,) = [x.total for x in loops if int(x.at.split(":")[-2]) == line]
    assert inner.kind != "exact"


def test_numpy_in_a_loop_and_errors_do_not_hide_its_law(numba: Any) -> None:
    """What numba brings along for arrays, powers and sorting is its library, and an error that is
    raised is an assumption."""
    analysis = looplaw.analyze(numba.njit(neighbours), (numba.float64[:, ::1], numba.int64))
    totals = [loop.total for loop in sorted(analysis.loops, key=lambda x: int(x.at.split(":")[-2]))]
    assert [t.kind for t in totals] == ["exact"] * 4
    for n, d, k in [(5, 3, 2), (0, 4, 1), (7, 1, 7)]:
        values = {"x_len": n, "x_shape1": d, "k": k}
        assert [t.evaluate(values) for t in totals] == [n, n * n, n * n * d, n * k]
    assert "allocations succeed" in totals[0].assumptions
    assert not any("neighbours" in loop.function for loop in analysis.library)


def test_an_error_that_may_be_raised_is_assumed_not_to_be(numba: Any) -> None:
    (loop,) = looplaw.analyze(numba.njit(checked), (numba.int64[::1], numba.int64)).loops
    assert loop.total.kind == "exact"
    assert loop.total.evaluate({"a_len": 9}) == 9
    assert any("error exit" in note for note in loop.total.assumptions)
    (loop,) = looplaw.analyze(
        numba.njit(checked), (numba.int64[::1], numba.int64), strict=True
    ).loops
    assert loop.total.kind != "exact"
