"""The functions worth measuring, as the filters of other tools: Score-P, clang's profile lists,
XRay.

Whoever profiles with these profits from the analysis at once: functions whose loops all run a
constant number of times, and functions without loops, are left out before they cost anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from staticana import Analysis


@dataclass(frozen=True)
class Selected:
    """A function as people write it and as the linker knows it."""

    name: str
    symbol: str


def selected(analysis: Analysis) -> tuple[Selected, ...]:
    """The entry, and functions with a loop that a parameter can influence or whose count is not
    exact."""
    wanted = {
        symbol
        for loop in analysis.loops
        if loop.parameters or loop.total.kind != "exact"
        for symbol, _ in loop.headers
    }
    return tuple(
        Selected(f.name, f.symbol)
        for f in analysis.functions
        if f.symbol in wanted or analysis.entry in (f.symbol, f.name)
    )


def scorep_filter(functions: Sequence[Selected]) -> str:
    """For SCOREP_FILTERING_FILE and scorep --instrument-filter: everything out, the selected in by
    their linker names."""
    lines = [f"  INCLUDE MANGLED {_escaped(f.symbol)}" for f in functions]
    return "\n".join(
        ["SCOREP_REGION_NAMES_BEGIN", "  EXCLUDE *", *lines, "SCOREP_REGION_NAMES_END", ""]
    )


def profile_list(functions: Sequence[Selected]) -> str:
    """For clang -fprofile-list=FILE (16 and later) with -fprofile-instr-generate: counters in the
    selected functions."""
    return "\n".join(
        ["default:skip", *(f"function:{_escaped(f.symbol)}=allow" for f in functions), ""]
    )


def xray_list(functions: Sequence[Selected]) -> str:
    """For clang -fxray-instrument -fxray-attr-list=FILE: always the selected functions (always
    wins), never the others."""
    return "\n".join(
        ["[always]", *(f"fun:{_escaped(f.symbol)}" for f in functions), "", "[never]", "fun:*", ""]
    )


def _escaped(symbol: str) -> str:
    """Symbols stand for themselves: characters that patterns read otherwise become "any one
    character"."""
    return "".join(c if c.isalnum() or c in "_.$" else "?" for c in symbol)
