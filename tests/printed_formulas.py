"""Every formula that an analysis prints, read back by the formula language."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from looplaw_common.formula.formula import parse_formula
from staticana import Analysis, Count
from staticana.expr import Expr, Sum

_SCALES = (3, 10, 60)
_LARGE = 2**40


def check_printed(analysis: Analysis) -> int:
    """The text of every formula has the value of the formula itself; how many values were
    compared."""
    generator = random.Random(3)
    compared = 0
    for text, e in {str(e): e for e in _formulas(analysis)}.items():
        formula = parse_formula(text)
        assert parse_formula(formula.normal) == formula
        assert formula.symbols <= e.symbols
        closed = not any(isinstance(atom, Sum) for atom in e.all_atoms())
        for scale in (*_SCALES, *[_LARGE] * closed):
            low = -3 if scale < _LARGE else _LARGE // 2
            at = {name: generator.randint(low, scale) for name in sorted(e.symbols)}
            try:
                expected = e.evaluate(at)
            except (OverflowError, ZeroDivisionError):
                continue
            value = formula.evaluate(at)
            assert value == (
                pytest.approx(float(expected)) if isinstance(value, float) else expected
            ), (text, at)
            compared += 1
    return compared


def _formulas(analysis: Analysis) -> Iterator[Expr]:
    counts: list[Count] = [
        count
        for loop in (*analysis.loops, *analysis.library)
        for count in (loop.per_entry, loop.per_call, loop.total)
    ]
    for f in analysis.functions:
        counts += [f.work, f.depth, *f.operations.values()]
    for count in counts:
        yield from (e for e in (count.formula, count.lower, count.upper) if e is not None)
