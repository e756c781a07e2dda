"""The matrix form of the slides' nest is the one the slides print (004, "Counting arbitrary affine
loop nests")."""

from __future__ import annotations

from staticana import format_nest
from staticana.matrix import Affine
from tests.places import SAMPLES
from tests.twin import analysed

SLIDES = SAMPLES / "slides" / "slides.c"


def rows(statement: Affine | None) -> tuple[list[list[str]], list[str]]:
    assert statement is not None
    return [[str(v) for v in row] for row in statement.A], [str(v) for v in statement.b]


def test_the_nest_of_the_slides() -> None:
    analysis = analysed([SLIDES])
    outer, inner = (loop.matrix for loop in analysis.loops)
    assert outer is not None
    assert inner is not None
    assert outer.state == inner.state == ("j", "k")
    assert rows(outer.start) == ([["0", "0"], ["0", "1"]], ["1", "0"])
    assert [([str(v) for v in c], str(g)) for c, g in outer.guard] == [
        (["1", "0"], "floor(n/p) + 1")
    ]
    assert rows(inner.start) == ([["1", "0"], ["1", "0"]], ["0", "0"])
    assert [([str(v) for v in c], str(g)) for c, g in inner.guard] == [(["0", "1"], "m")]
    assert rows(inner.update) == ([["1", "0"], ["1", "1"]], ["0", "0"])
    assert rows(inner.folded) == ([["1", "0"], ["i", "1"]], ["0", "0"])
    assert inner.n == "Max(0, ceiling((m - k_0)/j_0))"
    assert rows(outer.update) == ([["2", "0"], ["0", "1"]], ["0", "0"])
    assert rows(outer.folded) == ([["2", "0"], ["i + 1", "0"]], ["0", "0"])
    text = format_nest([(loop.nesting, loop.matrix) for loop in analysis.loops if loop.matrix])
    assert "while ((1 0) x < floor(n/p) + 1) {" in text
    assert "while ((0 1) x < m) {" in text
