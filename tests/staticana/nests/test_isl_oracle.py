"""Affine nests against isl: the formula of every loop equals the number of integer points of its
iteration domain.

The domain is written from the same drawn nest as the C text, and its points are counted by isl; no
program is run.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

import hypothesis.strategies as st
import islpy
from hypothesis import HealthCheck, given, settings

from tests.twin import analysed

_VECTORS = [(0, 0), (1, 1), (-2, 3), (5, 2), (8, 9), (13, 4), (7, 16), (16, -1), (12, 12)]


@dataclass(frozen=True)
class Nest:
    """C lines; by line number within them the (variables, constraints) of each loop's domain."""

    lines: tuple[str, ...]
    domains: dict[int, tuple[tuple[str, ...], tuple[str, ...]]]


def _affine(draw: st.DrawFn, names: tuple[str, ...]) -> str:
    coefficients = [(draw(st.sampled_from((0, 0, 1, 1, -1, 2, 3))), name) for name in names]
    parts = [f"{c} * {name}" for c, name in coefficients if c]
    return " + ".join([*parts[:3], str(draw(st.integers(-3, 5)))])


def _condition(draw: st.DrawFn, names: tuple[str, ...]) -> tuple[str, str]:
    """A condition in C and the same for isl."""
    left, right = _affine(draw, names), _affine(draw, names)
    if draw(st.integers(0, 3)) == 0:
        modulus = draw(st.integers(2, 5))
        residue = draw(st.integers(0, modulus - 1))
        # C's remainder has the sign of the dividend; this one is that of isl
        return (
            f"((({left}) % {modulus}) + {modulus}) % {modulus} == {residue}",
            f"({left}) mod {modulus} = {residue}",
        )
    sign = draw(st.sampled_from(("<", "<=", ">", ">=", "==", "!=")))
    return f"{left} {sign} {right}", f"{left} {'=' if sign == '==' else sign} {right}"


def _loop(
    draw: st.DrawFn,
    names: tuple[str, ...],
    known: tuple[str, ...],
    lines: list[str],
    domains: dict[int, tuple[tuple[str, ...], tuple[str, ...]]],
    depth: int,
) -> None:
    level = len(names) - 2
    v, e, pad = f"i{level}", f"e{len(domains)}", "    " * (level + 1)
    low, high, step = _affine(draw, names), _affine(draw, names), draw(st.integers(1, 4))
    strict = draw(st.booleans())
    if draw(st.booleans()):
        head = f"{v} = {low}; {v} {'<' if strict else '<='} {high}; {v} += {step}"
        own = (
            (
                f"exists {e} : {e} >= 0 and {v} = {low} + {step} * {e} and {v}"
                f" {'<' if strict else '<='} {high}"
            ),
        )
    else:
        head = f"{v} = {high}; {v} {'>' if strict else '>='} {low}; {v} -= {step}"
        own = (
            (
                f"exists {e} : {e} >= 0 and {v} = {high} - {step} * {e} and {v}"
                f" {'>' if strict else '>='} {low}"
            ),
        )
    lines.append(f"{pad}for (int {head}) {{")
    inner, constraints = (*names, v), (*known, *own)
    domains[len(lines)] = (inner, constraints)
    lines.append(f"{pad}    s++;")
    if depth > 0:
        for _ in range(draw(st.integers(0, 2))):
            if draw(st.integers(0, 2)) == 0:
                c, isl = _condition(draw, inner)
                lines.append(f"{pad}    if ({c}) {{")
                _loop(draw, inner, (*constraints, isl), lines, domains, depth - 1)
                if draw(st.booleans()):
                    lines.append(f"{pad}    }} else {{")
                    _loop(draw, inner, (*constraints, f"not ({isl})"), lines, domains, depth - 1)
                lines.append(f"{pad}    }}")
            else:
                _loop(draw, inner, constraints, lines, domains, depth - 1)
    lines.append(f"{pad}}}")


@st.composite
def nests(draw: st.DrawFn) -> Nest:
    lines: list[str] = ["long entry(int n, int m) {", "    long s = 0;"]
    domains: dict[int, tuple[tuple[str, ...], tuple[str, ...]]] = {}
    _loop(draw, ("n", "m"), (), lines, domains, 2)
    return Nest((*lines, "    return s;", "}"), domains)


def points(names: tuple[str, ...], constraints: tuple[str, ...], vector: tuple[int, int]) -> int:
    """The integer points of a domain at given parameters."""
    fixed = " and ".join(f"{name} = {value}" for name, value in zip(names, vector))
    text = " and ".join([fixed, *(f"({c})" for c in constraints)])
    return int(islpy.Set(f"{{ [{', '.join(names)}] : {text} }}").count_val().to_python())


def test_points_of_a_known_domain() -> None:
    assert (
        points(
            ("n", "m", "i0", "i1"),
            ("0 <= i0 < n", "exists e : i1 = i0 + 2 * e and e >= 0 and i1 < m"),
            (4, 5),
        )
        == 8
    )


@given(nests())
@settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
def test_formula_is_the_number_of_points(nest: Nest) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "nest.c"
        path.write_text("\n".join(nest.lines) + "\n")
        analysis = analysed([path], entry="entry")
    assert len(analysis.loops) == len(nest.domains)
    for loop in analysis.loops:
        line = int(loop.at.split(":")[-2])
        if loop.total.kind == "unknown" and "takes longer" in (loop.total.reason or ""):
            continue  # on a slow machine
        assert loop.total.kind == "exact", (loop.total.reason, "\n".join(nest.lines))
        assert not loop.total.assumptions
        for vector in _VECTORS:
            counted = points(*nest.domains[line], vector)
            predicted = loop.total.evaluate(dict(zip(("n", "m"), vector)))
            assert predicted == counted, (str(loop.total.formula), vector, "\n".join(nest.lines))
