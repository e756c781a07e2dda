"""Every loop of small whole programs has the law that a person would write, and no run contradicts
one."""

from __future__ import annotations

from pathlib import Path

import pytest

from staticana import analyze_module, canonical, compile_sources, find_compiler, parse_module

from .laws import Whole, programs, same_law, verdicts

SAMPLE = ("options_struct", "guards_joined", "time_loop", "counted_header", "phases", "tables")
"""The programs that the suite runs by default; the others are slow together."""
_MISSING = {"sparse_file.c", "wrapper.c"}
"""Programs of which a law is still missing."""


def _cases() -> list[object]:
    return [
        pytest.param(w, id=w.path.name, marks=() if w.path.stem in SAMPLE else pytest.mark.slow)
        for w in programs()
    ]


@pytest.mark.parametrize("whole", _cases())
def test_every_loop_has_its_law_in_the_inputs(whole: Whole, tmp_path: Path) -> None:
    compiler = find_compiler()
    found = list(
        verdicts(whole, tmp_path, compiler, compiler if compiler.kind == "clang" else None)
    )
    assert found
    assert not [str(v) for v in found if v.sort == "wrong"]
    if whole.path.name not in _MISSING:
        assert not [str(v) for v in found if v.sort != "law"]


def test_laws_are_compared_by_value_whatever_named_counts_are_called() -> None:
    known = frozenset({"n"})
    assert same_law("n*steps", "cycle*Max(0, n)", known)
    assert not same_law("n*steps", "n**2", known)
    assert not same_law("n*(n - 1)/2", "n*n/2", known)


def test_names_of_varied_parameters_are_left_to_them() -> None:
    (whole,) = programs(("options_strcmp",))
    module = parse_module(canonical(compile_sources([whole.path])))
    analysis = analyze_module(module, matrix=False, reserved=("n",))
    symbols = {o.symbol for loop in analysis.loops for o in loop.total.opaque}
    assert "n" not in symbols
    assert "n_2" in symbols
