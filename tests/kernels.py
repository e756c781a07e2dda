"""Kernels of the tests: compiled once for all of them, where there is a clang."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from staticana import Analysis, analyze_module, canonical, compile_sources, parse_module
from staticana.frontend.clang import usable_compilers
from staticana.results import FunctionResult

PROGRAMS = Path(__file__).parent / "programs"
FOLDER = PROGRAMS / "kernels"


@cache
def text_of(path: Path) -> str:
    """The canonical module of a file of kernels."""
    if all(c.kind != "clang" for c in usable_compilers()):
        pytest.skip("no clang with targets for graphics processors")
    return canonical(compile_sources([path]))


@cache
def analysed(path: Path, warp: int | None = None) -> Analysis:
    """The analysis of a file of kernels."""
    return analyze_module(parse_module(text_of(path)), matrix=False, warp=warp)


def kernel(analysis: Analysis, name: str) -> FunctionResult:
    """A kernel by the name that the source gives it."""
    return next(f for f in analysis.functions if f.name == name and f.kernel is not None)
