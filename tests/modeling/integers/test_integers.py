"""Exact formulas of counts: recovered where they are in the family, never claimed where not."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np
import pytest
import sympy
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from modeling.integers.bounds import Envelope
from modeling.integers.codes import integer_bits
from modeling.integers.linear import Sieve, fitting, residues, solved, survives
from modeling.integers.search import find_formula
from modeling.pmnf.count_law import CountLaw, Found, NoLaw, is_among

LIGHT = settings(max_examples=12, deadline=None, derandomize=True)


def searched(f: Callable[..., int], points: Sequence[int | tuple[int, ...]], names: str) -> Found:
    vectors = tuple(p if isinstance(p, tuple) else (p,) for p in points)
    return find_formula(tuple(names.split()), vectors, tuple(f(*p) for p in vectors))


def ceil_log(n: int) -> int:
    return (n - 1).bit_length()


DOUBLED = [64, 128, 256, 512, 1024]
ONE: dict[str, tuple[Callable[[int], int], Sequence[int]]] = {
    "(n + 1)**3": (lambda n: (n + 1) ** 3, range(5, 13)),
    "n**3": (lambda n: n**3, DOUBLED[:4]),
    "n*(n - 1)/2": (lambda n: n * (n - 1) // 2, DOUBLED),
    "n*(n - 1)*(2*n - 1)/6": (lambda n: n * (n - 1) * (2 * n - 1) // 6, range(10, 70, 10)),
    "n*(n - 1)*(n + 1)/6": (lambda n: n * (n * n - 1) // 6, range(20, 130, 20)),
    "ceiling(n/8)": (lambda n: -(-n // 8), range(10, 101, 10)),
    "floor(n/3)": (lambda n: n // 3, range(3, 14)),
    "n*ceiling(log(n, 2))": (lambda n: n * ceil_log(n), range(2, 14)),
    "2**n - 1": (lambda n: 2**n - 1, range(3, 10)),
    "n*2**n": (lambda n: n * 2**n, range(60, 75, 2)),
    "floor(sqrt(n))": (math.isqrt, [10, 30, 100, 300, 1000, 3000, 10000]),
    "floor(n*(n + 3)/3)": (lambda n: n * n // 3 + n, range(3, 24)),
    "Min(100, n)": (lambda n: min(n, 100), [20, 40, 60, 80, 100, 150, 200, 300]),
    "n*ceiling(log(n, 2)) + 1 - 2**ceiling(log(n, 2))": (
        lambda n: n * ceil_log(n) - 2 ** ceil_log(n) + 1,
        range(2, 20),
    ),
}


@pytest.mark.parametrize("formula", ONE)
def test_the_formula_of_a_loop_is_found(formula: str) -> None:
    f, points = ONE[formula]
    found = searched(f, points, "n")
    assert isinstance(found, CountLaw)
    assert found.formula == formula
    assert not found.where
    expression = sympy.sympify(found.formula)
    for n in (*points, 2 * max(points)):
        value = found.value({"n": n})
        if formula != "Min(100, n)":
            assert value == f(n)
        assert expression.subs("n", n) == value


GRID = [(n, p) for n in (10, 16, 25, 48) for p in (1, 2, 4, 7, 11)]
BOX = [(n, m, s) for n in (8, 16, 24, 40) for m in (8, 16, 24, 32) for s in (1, 3)]
SEVERAL: dict[str, tuple[Callable[..., int], Sequence[tuple[int, ...]], str]] = {
    "n*ceiling(n/p)": (lambda n, p: n * -(-n // p), GRID, "n p"),
    "n*ceiling(log(p, 2)) + p": (lambda n, p: n * ceil_log(p) + p, GRID, "n p"),
    "3*Max(n, p)": (lambda n, p: 3 * max(n, p), [(n, 2 * p) for n, p in GRID], "n p"),
    "(n - 2)*(m - 2)*s": (lambda n, m, s: s * (n - 2) * (m - 2), BOX, "n m s"),
    "n*m*s": (lambda n, m, s: n * m * s, BOX, "n m s"),
    "(s + 1)**3*t": (
        lambda s, t: (s + 1) ** 3 * t,
        [(s, t) for s in (5, 8, 10, 12) for t in (1, 2, 5)],
        "s t",
    ),
    "n**2*p": (
        lambda n, p: n * n * p,
        [(10, 2), (20, 2), (30, 2), (40, 2), (10, 3), (10, 4), (10, 5)],
        "n p",
    ),
}


@pytest.mark.parametrize("formula", SEVERAL)
def test_formulas_in_several_parameters_are_found(formula: str) -> None:
    f, points, names = SEVERAL[formula]
    found = searched(f, points, names)
    assert isinstance(found, CountLaw)
    assert found.formula == formula
    for p in ((33, 5, 7), (7, 9, 2)):
        at = dict(zip(names.split(), p, strict=False))
        assert found.value(at) == f(*at.values())


def test_a_parameter_without_influence_is_left_out() -> None:
    found = searched(lambda n, p: n * (n + 1), GRID, "n p")
    assert isinstance(found, CountLaw)
    assert found.formula == "n*(n + 1)"


def test_a_rounding_that_the_points_do_not_show_is_said() -> None:
    even = searched(lambda n: n // 16, DOUBLED, "n")
    assert isinstance(even, CountLaw)
    assert even.formula == "n/16"
    assert even.where == {"n": "multiple of 64"}
    assert even.value({"n": 640}) == 40
    assert even.value({"n": 650}) is None
    doubling = searched(lambda n: n * ceil_log(n), DOUBLED, "n")
    assert isinstance(doubling, CountLaw)
    assert doubling.where == {"n": "power of two"}
    between = searched(ceil_log, [5, 10, 20, 50, 100, 300, 1000], "n")
    assert isinstance(between, CountLaw)
    assert between.where == {"n": "no power of two"}  # there floor(log2(n)) + 1 says otherwise
    assert between.value({"n": 64}) is None


def test_parameters_that_change_together_are_told() -> None:
    found = searched(lambda n, p: n * p, [(10, 1), (20, 2), (40, 4), (80, 8)], "n p")
    assert isinstance(found, NoLaw)
    assert len(found.rivals) == 2


def test_formulas_that_cannot_be_told_apart_are_both_named() -> None:
    points = [(n, p) for n in (10, 16, 25, 48) for p in (1, 2, 4, 7, 9)]
    found = searched(lambda n, p: n * ceil_log(p), points, "n p")
    assert isinstance(found, NoLaw)
    assert found.rivals == ("n*ceiling(log(p, 2))", "n*floor(p/2)")
    assert found.decide is not None
    assert ceil_log(found.decide["p"]) != found.decide["p"] // 2


def test_a_single_wrong_count_is_pointed_out() -> None:
    found = searched(lambda n: n * n + (n == 256), DOUBLED, "n")
    assert isinstance(found, NoLaw)
    assert found.reason == "all counts but the one at n = 256 follow n**2"


NONE: dict[str, Sequence[int]] = {
    "primes": [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37],
    "iterations of a solver": [41, 52, 66, 70, 81, 97, 105],
    "fibonacci": [5, 8, 13, 21, 34, 55, 89, 144, 233],
    "powers with a fraction": [int(n**1.5) for n in range(10, 30, 3)],
    "noise": [n * n + e for n, e in zip(range(50, 57), [3, -2, 1, 5, -4, 2, 0], strict=True)],
}


@pytest.mark.parametrize("name", NONE)
def test_nothing_is_claimed_of_counts_without_a_formula(name: str) -> None:
    values = NONE[name]
    found = find_formula(("n",), tuple((n,) for n in range(3, 3 + len(values))), tuple(values))
    assert isinstance(found, NoLaw)


def test_two_points_are_never_enough() -> None:
    assert isinstance(find_formula(("n",), ((10,), (20,)), (100, 400)), NoLaw)
    assert isinstance(find_formula(("n",), ((10,), (20,)), (7, 7)), NoLaw)


def test_numbers_beyond_doubles_stay_exact() -> None:
    points = [10**7 * k for k in range(1, 8)]
    found = searched(lambda n: n**3 + 1, points, "n")
    assert isinstance(found, CountLaw)
    assert found.value({"n": 10**9 + 7}) == (10**9 + 7) ** 3 + 1
    assert isinstance(searched(lambda n: n**3 + (n == points[3]), points, "n"), NoLaw)


polynomials = st.lists(st.integers(-3, 6), min_size=1, max_size=4).filter(lambda c: c[-1] > 0)
sweeps = st.tuples(st.integers(2, 30), st.integers(1, 12)).map(
    lambda s: [s[0] + s[1] * k for k in range(10)]
)


@LIGHT
@given(polynomials, sweeps)
def test_random_polynomials_are_recovered(coefficients: list[int], points: list[int]) -> None:
    def f(n: int) -> int:
        return sum(c * n**k for k, c in enumerate(coefficients))

    assume(all(f(n) >= 0 for n in range(min(points), 2 * max(points))))
    found = searched(f, points, "n")
    assert isinstance(found, CountLaw)
    assert all(
        found.value({"n": n}) == f(n)
        for n in range(min(points), 2 * max(points))
        if found.holds({"n": n})
    )


@LIGHT
@given(
    st.integers(1, 3), st.sampled_from([2, 3, 4, 5]), st.integers(0, 2), st.integers(0, 4), sweeps
)
def test_a_claimed_quotient_is_right_at_what_was_measured_and_whole_between(
    m: int, b: int, e: int, a: int, points: list[int]
) -> None:
    found = searched(lambda n: m * n**e * (n // b) + a, points, "n")
    if isinstance(found, CountLaw):
        for n in points:
            assert found.value({"n": n}) == m * n**e * (n // b) + a
        for n in range(min(points), max(points)):
            if found.holds({"n": n}):
                assert found.value({"n": n}) is not None


@LIGHT
@given(polynomials, sweeps, st.integers(0, 9), st.sampled_from([-1, 1]))
def test_a_count_that_is_off_by_one_is_not_explained(
    coefficients: list[int], points: list[int], place: int, error: int
) -> None:
    def f(n: int) -> int:
        return sum(c * n**k for k, c in enumerate(coefficients)) + error * (n == points[place])

    assume(all(f(n) >= 0 for n in points))
    assert isinstance(searched(f, points, "n"), NoLaw)


@LIGHT
@given(st.lists(st.integers(0, 10**6), min_size=6, max_size=10))
def test_random_counts_get_no_formula(values: list[int]) -> None:
    assume(len(set(values)) > 3)
    points = tuple((n,) for n in range(4, 4 + len(values)))
    found = find_formula(("n",), points, tuple(values))
    straight = len({b - a for a, b in pairwise(values)}) == 1
    assert straight or isinstance(found, NoLaw)


def test_every_part_of_a_formula_is_seen_at_three_points() -> None:
    ramp, spike = (1, 2, 3, 4, 5), (0, 0, 1, 0, 0)
    assert survives([ramp], 2)
    assert not survives([ramp, spike], 1)


@LIGHT
@given(st.lists(st.integers(-9, 9), min_size=3, max_size=3))
def test_linear_systems_are_solved_exactly(coefficients: list[int]) -> None:
    columns = [[0, 1, 0, 2, 5], [1, 1, 0, 3, 7], [1, 0, 4, 10**20, 1]]
    values = [
        sum(c * col[r] for c, col in zip(coefficients, columns, strict=True)) for r in range(5)
    ]
    assert solved(columns, values) == tuple(map(Fraction, coefficients))
    values[2] += 1
    assert solved(columns, values) is None


def test_lengths_of_integers_are_those_of_a_code() -> None:
    assert sum(2 ** -integer_bits(v) for v in range(-5000, 5000)) < 2


def test_counts_that_only_grow_bound_those_between() -> None:
    found = Envelope.of(("n",), ((10,), (20,), (40,)), (7, 19, 80))
    assert found is not None
    assert found.at({"n": 30}) == (19, 80)
    assert found.at({"n": 50}) == (80, None)
    lower, upper = sympy.sympify(found.lower), sympy.sympify(found.upper)
    for n in range(10, 41):
        assert (lower.subs("n", n), upper.subs("n", n)) == found.at({"n": n})
    assert Envelope.of(("n",), ((10,), (20,)), (7, 6)) is None


@pytest.mark.parametrize(
    ("kind", "among", "other"),
    [
        ("even", 8, 7),
        ("odd", 7, 8),
        ("multiple of 12", 24, 25),
        ("3 modulo 8", 19, 20),
        ("power of two", 64, 65),
        ("no power of two", 65, 64),
        ("no multiple of 32", 33, 64),
    ],
)
def test_what_values_have_in_common_is_checked(kind: str, among: int, other: int) -> None:
    assert is_among(kind, among)
    assert not is_among(kind, other)


@pytest.mark.parametrize("formula", ["b", "7*b", "a*b"])
def test_two_values_of_a_parameter_suffice_where_two_others_change_nothing(formula: str) -> None:
    points = [(a, b, c) for a in (16, 32, 64) for b in (16, 48) for c in (5, 10)]
    law = sympy.sympify(formula)
    found = searched(lambda a, b, c: int(law.subs({"a": a, "b": b})), points, "a b c")
    assert isinstance(found, CountLaw)
    assert sympy.expand(sympy.sympify(found.formula) - law) == 0


@pytest.mark.parametrize("formula", ["p - 1", "n*(p - 1)", "n*p*(p - 1)", "7*(p - 2)"])
def test_what_can_be_shifted_needs_more_values_of_that_parameter(formula: str) -> None:
    """The neighbours of a rank are p - 1 for 1, 2 and 4 ranks, at any number of sizes, and not for
    16."""
    law = sympy.sympify(formula)

    def found(ranks: Sequence[int]) -> CountLaw | NoLaw:
        points = [(n, p) for n in (8, 16, 24, 32) for p in ranks]
        return searched(lambda n, p: int(law.subs({"n": n, "p": p})), points, "n p")

    assert isinstance(found((2, 4, 8)), NoLaw)
    assert isinstance(found((2, 4, 8, 16, 32)), CountLaw)


def test_few_values_of_one_parameter_of_a_grid_confirm_nothing() -> None:
    """A cubic through four values of n explains twelve points, as a sum of rounded quotients does:
    the other parameter only multiplies."""
    points = [(n, x) for n in (16, 64, 128, 256) for x in (2, 3, 5)]
    chance = {16: 11, 64: 32, 128: 74, 256: 137}
    assert isinstance(searched(lambda n, x: x * chance[n], points, "n x"), NoLaw)
    quotients = {n: 4 * (11 * (n // 6) - 21 * (n // 12)) for n in chance}
    assert isinstance(searched(lambda n, x: x * quotients[n], points, "n x"), NoLaw)
    law = searched(lambda n, x: x * n * n, points, "n x")
    assert isinstance(law, CountLaw)
    assert sympy.sympify(law.formula) == sympy.sympify("n**2*x")


@given(st.integers(0, 2**32 - 1), st.integers(1, 3))
@LIGHT
def test_a_sieve_leaves_the_sets_that_elimination_finds(seed: int, size: int) -> None:
    generator = np.random.default_rng(seed)
    exact = generator.integers(-3, 4, (9, 8))
    exact[0] = 2 * exact[1]  # dependent columns are among them
    columns = residues(exact.tolist())
    sets = np.array(list(combinations(range(9), size)))
    sieve = Sieve(columns, sets)
    for _ in range(5):  # the first values are tried by elimination
        chosen = exact[sets[generator.integers(len(sets))]]
        made = generator.integers(-5, 6, size) @ chosen
        values = residues([made.tolist()])[:, 0]
        tried = np.flatnonzero(generator.random(len(sets)) < 0.8)
        expected = tried[fitting(columns, sets[tried], values)]
        assert sieve.fitting(values, tried).tolist() == expected.tolist()
