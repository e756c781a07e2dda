"""What is handed to sympy, as objects and as text, has our own value: under subs in any order and
at once, xreplace and lambdify, over plain and over integer symbols."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
import sympy
from hypothesis import given, settings

from looplaw_common.errors import DataError
from staticana import Analysis, Count
from staticana.expr import (
    Expr,
    Sum,
    ceil_div,
    ceil_log,
    choose,
    expr,
    floor_div,
    from_atom,
    maximum,
    minimum,
    power,
    root,
    step,
    sym,
    trunc_div,
)
from tests.twin import analysed

ROOT = Path(__file__).parent.parent.parent.parent
SOURCES = [
    *sorted((ROOT / "tests" / "programs").glob("*.c")),
    *sorted(
        f
        for f in (ROOT / "samples").glob("*/*.c")
        if f.stem not in ("boundary", "heat", "scaling", "triangle")
    ),  # which need MPI and OpenMP
]
NAMES = ("n", "m", "p", "r")
VALUES = st.fixed_dictionaries(
    {
        "n": st.integers(-4, 12),
        "m": st.integers(-3, 9),
        "p": st.sampled_from((1, 2, 3, 4, 6, 10, 12)),
        "r": st.integers(0, 6),
    }
)
n, m, p, r = map(sym, NAMES)


@st.composite
def formulas(draw: st.DrawFn, depth: int = 2) -> Expr:
    """Formulas of every shape, with products, and quotients by a symbol."""
    if depth == 0:
        name, number = draw(st.sampled_from(NAMES)), draw(st.integers(-4, 6))
        return draw(st.sampled_from([sym(name), sym(name), expr(number)]))
    a, b = draw(formulas(depth - 1)), draw(formulas(depth - 1))
    k = draw(st.sampled_from((2, 3, 4, 6, 10, 12)))
    shapes = [
        lambda: a + b,
        lambda: a - b,
        lambda: a * b,
        lambda: maximum(a, b),
        lambda: maximum(0, a * b),
        lambda: minimum(a, b),
        lambda: floor_div(a, k),
        lambda: floor_div(a * b, k),
        lambda: floor_div(a, p),
        lambda: floor_div(a * b, p),
        lambda: floor_div(maximum(0, a * b), p),
        lambda: ceil_div(a, k),
        lambda: trunc_div(a, k),
        lambda: step(a),
        lambda: choose(step(a - b), a, b),
        lambda: ceil_log(draw(st.sampled_from((2, 3))), a),
        lambda: root(draw(st.sampled_from((2, 3))), a),
        lambda: power(draw(st.sampled_from((2, 3))), r) * a,
        lambda: power(2, maximum(1, r)),
    ]
    return draw(st.sampled_from(shapes))()


def _readings(e: Expr, names: Sequence[str]) -> Iterator[tuple[str, Any, dict[str, Any]]]:
    """(what it is, the expression, its symbols): object and text, over plain and integer symbols,
    also where they are made integers afterwards."""
    plain = {name: sympy.Symbol(name) for name in names}
    whole = {name: sympy.Symbol(name, integer=True) for name in names}
    swap = {plain[name]: whole[name] for name in names}
    text = str(e)
    yield "object", sympy.sympify(e), plain
    yield "object, integers", e.sympy.xreplace(swap), whole
    yield "text", sympy.sympify(text, plain), plain
    yield "text, integers", sympy.sympify(text, whole), whole
    yield "text, made integers", sympy.sympify(text, plain).subs(swap), whole


def _with_numbers(found: Any, numbers: dict[Any, int]) -> dict[str, Any]:
    """The expression with numbers in the place of symbols, put in in every way that sympy has."""
    one_by_one = found
    for symbol, number in numbers.items():
        one_by_one = one_by_one.subs(symbol, number)
    return {
        "at once": found.subs(numbers),
        "one by one": one_by_one,
        "xreplace": found.xreplace({s: sympy.Integer(k) for s, k in numbers.items()}),
    }


def agrees(e: Expr, at: dict[str, int], order: Sequence[str]) -> None:
    """Every reading and every way to put numbers in gives what `evaluate` gives."""
    expected = sympy.Rational(Fraction(e.evaluate(at)))
    for what, found, symbols in _readings(e, order):
        try:
            values = _with_numbers(found, {symbols[name]: at[name] for name in order})
        except ValueError as error:
            # sympy's own Max compares a quotient by zero, also in a case that is not chosen
            if what.startswith("text") and "'zoo' is not comparable" in str(error):
                continue
            raise
        for how, value in values.items():
            if found.has(sympy.Sum) and what.startswith("text"):
                value = _added_up(value)
            if value.has(sympy.log):  # sympy leaves log(8)/log(2) as it is
                value = sympy.Rational(round(float(value) * 1e9), 10**9)
                assert abs(value - expected) < sympy.Rational(1, 10**8), (what, how, str(e), at)
                continue
            assert value == expected, (what, how, str(e), at)
        if what.startswith("object"):
            for modules in (None, "math"):
                compiled = sympy.lambdify([symbols[k] for k in order], found, modules=modules)
                value = float(compiled(*(at[k] for k in order)))
                assert value == pytest.approx(float(expected), rel=1e-12), (what, str(e), at)


def _added_up(e: Any) -> Any:
    """sympy's own sums, from the outside in: it stops where a limit rests on an outer index."""
    if isinstance(e, sympy.Sum):
        index, low, high = e.limits[-1]
        body = e.func(e.function, *e.limits[:-1]) if len(e.limits) > 1 else e.function
        terms = range(int(low.doit()), int(_added_up(high)) + 1)
        return sum((_added_up(body.subs(index, k)) for k in terms), sympy.Integer(0))
    return e.func(*map(_added_up, e.args)) if e.has(sympy.Sum) else e.doit()


@given(formulas(), VALUES, st.permutations(NAMES))
@settings(max_examples=60, deadline=None)
def test_random_formulas(e: Expr, at: dict[str, int], order: list[str]) -> None:
    agrees(e, at, order)


@pytest.mark.parametrize(
    "e",
    [
        floor_div(maximum(0, 2 * r), 6),
        floor_div(maximum(0, n * (r + 1)), p),
        floor_div(n * (m * p + r), p * 2),
        floor_div(n * maximum(0, m * r), 6),
        floor_div(maximum(0, n * (r + 1)) * minimum(m, n * r), p),
        ceil_div(power(2, maximum(1, r)), p),
        floor_div(n * floor_div(m * r + p, 2), p),
        from_atom(Sum(floor_div(maximum(0, 2 * sym("i") * r), 6), "i", n - m)),
    ],
    ids=str,
)
def test_floors_that_sympy_would_drop(e: Expr) -> None:
    generator = random.Random(5)
    for _ in range(8):
        at = {"n": generator.choice((1, 2, 4, 7)), "m": generator.choice((-3, 2, 4, 5))}
        at |= {"p": generator.choice((3, 6, 10, 12)), "r": generator.choice((0, 1, 2, 4, 5))}
        agrees(e, at, generator.sample(NAMES, 4))


def _counts(analysis: Analysis) -> Iterator[Count]:
    for loop in (*analysis.loops, *analysis.library):
        yield from (loop.per_entry, loop.per_call, loop.total)
    for function in analysis.functions:
        yield from (function.work, function.depth, *function.operations.values())


_SHORT = 120
_seen: set[str] = set()


def _formulas_agree(source: Path, lengths: range) -> None:
    """Formulas that another program has as well are held once."""
    bounds = (e for c in _counts(analysed([source])) for e in (c.formula, c.lower, c.upper))
    found = {str(e): e for e in bounds if e is not None and len(str(e)) in lengths}
    generator = random.Random(3)
    for text in sorted(found.keys() - _seen):
        e, names = found[text], sorted(found[text].symbols)
        at = {name: generator.choice((0, 1, 2, 3, 5, 6, 8, 12)) for name in names}
        _seen.add(text)
        try:
            value = Fraction(e.evaluate(at))
        except (ZeroDivisionError, OverflowError):
            continue
        if value.denominator < 1 << 20:  # bounds with logarithms are no rational numbers
            agrees(e, at, generator.sample(names, len(names)))


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(f, id=f.stem, marks=pytest.mark.slow if k % 4 else ())
        for k, f in enumerate(SOURCES)
    ],
)
def test_formulas_of_programs(source: Path) -> None:
    _formulas_agree(source, range(_SHORT))


@pytest.mark.slow
@pytest.mark.parametrize("source", SOURCES, ids=lambda f: f.stem)
def test_long_formulas_of_programs(source: Path) -> None:
    _formulas_agree(source, range(_SHORT, 1000))


def test_an_object_is_read_as_it_is_written() -> None:
    e = sympy.sympify(floor_div(n, 2) * n + ceil_div(m, 3))
    assert str(e) == "n*floor(n/2) + ceiling(m/3)"
    assert sympy.latex(sympy.sympify(floor_div(n, 2))) == r"\left\lfloor{\frac{n}{2}}\right\rfloor"
    assert floor_div(n, 2).latex() == r"\lfloor \frac{n}{2} \rfloor"
    assert e.subs("n", 7).subs("m", 4) == 23
    assert (n * (n + 1)).sympy.diff("n") == 2 * sympy.Symbol("n") + 1
    assert e.rewrite(sympy.floor).has(sympy.floor)
    assert sympy.sympify(n + 1) == sympy.sympify(n + 1)


def test_sums_are_added_up_when_their_range_is_known() -> None:
    e = from_atom(Sum(floor_div(n, sym("i") + 1), "i", m)).sympy
    assert e.free_symbols == {sympy.Symbol("n"), sympy.Symbol("m")}
    assert e.subs("m", -3) == 0
    assert e.subs("m", 3).subs("n", 7) == e.subs({"n": 7, "m": 3}) == 7 + 3 + 2
    assert e.subs({"n": 10**4, "m": 1000}) == sum(10**4 // k for k in range(1, 1001))
    assert str(e) == "Sum(floor(n/(i + 1)), (i, 0, m - 1))"


def test_logarithms_and_roots_are_exact_where_they_are_compiled() -> None:
    symbol = sympy.Symbol("n")
    log = sympy.lambdify(symbol, ceil_log(2, n).sympy)
    cube = sympy.lambdify(symbol, root(3, n).sympy)
    assert [log(2**k) for k in range(62)] == list(range(62))
    assert [cube(k**3) for k in range(200)] == list(range(200))
    assert log(np.array([1, 8, 2**29])).tolist() == [0, 3, 29]
    text = sympy.lambdify(symbol, sympy.sympify(str(root(3, n))))
    assert [text(k**3) for k in range(200)] == list(range(200))


def test_quotients_of_arrays_are_no_numbers_where_the_divisor_is_zero() -> None:
    symbols = sympy.symbols("n p")
    for e, expected in ((floor_div(n, p), [7, 3, -4, -1]), (ceil_div(n, p), [7, 4, -3, -1])):
        law = sympy.lambdify(symbols, e.sympy)
        assert law(7, np.array([1, 2, -2, -7])).tolist() == expected
        found = law(np.array([7, 7, 8]), np.array([0, 1, 2]))
        assert np.isnan(found[0])
        assert found[1:].tolist() == [7, 4]
        assert np.isnan(law(8, np.array([0, 2]))).tolist() == [True, False]


def test_functions_of_formulas() -> None:
    law = (n * floor_div(m, 2)).lambdify("n", "m")
    assert law(10**30, 5) == 2 * 10**30
    assert law(n=3, m=5) == 6
    assert law(np.arange(3), 4).tolist() == [0, 2, 4]
    assert law([[1], [2]], [4, 6]).tolist() == [[2, 3], [4, 6]]
    with pytest.raises(TypeError, match="m as well"):
        (n * m).lambdify("n")
    with pytest.raises(TypeError, match="arguments are n, m"):
        law(3)


def test_counts_without_a_formula_say_what_they_have() -> None:
    assert sympy.sympify(Count("exact", n + 1)) == sympy.Symbol("n") + 1
    assert Count("exact", n + 1).lambdify()(4) == 5
    with pytest.raises(DataError, match="unknown and has no formula: it depends on data"):
        sympy.sympify(Count.unknown("it depends on data"))
    bounded = Count("bounded", lower=expr(0), upper=n)
    with pytest.raises(DataError, match=r"bounds \.lower and \.upper"):
        _ = bounded.sympy
    assert bounded.upper is not None
    assert bounded.upper.sympy == sympy.Symbol("n")
    assert repr(bounded) == "Count(bounded: at least 0, at most n)"
