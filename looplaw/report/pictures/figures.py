"""What all pictures share: how a figure of matplotlib becomes a file, its colours, its ticks."""

from __future__ import annotations

import importlib.util
import io
from pathlib import Path
from typing import Any

from looplaw_common.files import replacing
from modeling import InputError

SUFFIXES = (".png", ".svg", ".pdf")
COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
"""Told apart by people who are colour-blind, too (Okabe and Ito, 2008)."""
_DECADES = 3
"""An axis of powers with fewer decades than this has ticks at 1, 2 and 5."""


def available() -> bool:
    """Is matplotlib there?"""
    return importlib.util.find_spec("matplotlib") is not None


def new_figure(what: str, width: float, height: float) -> Any:
    """An empty figure of so many inches.

    Raises:
        InputError: matplotlib is missing; `what` asked for it.
    """
    if not available():
        raise InputError(f"{what} needs matplotlib: pip install 'looplaw[plot]'")
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def expect_picture(file: Path) -> None:
    """That a file's name says a kind of picture.

    Raises:
        InputError: its suffix is not one of SUFFIXES.
    """
    if file.suffix not in SUFFIXES:
        raise InputError(f"{file}: the suffix says the kind of picture: {', '.join(SUFFIXES)}")


def write_figure(figure: Any, file: Path) -> None:
    """Write a figure, of a kind that its suffix says: whole, or not at all."""
    with replacing(file) as temporary:
        _save(figure, temporary, file.suffix.removeprefix("."))


def svg_text(figure: Any) -> str:
    """A figure as an SVG element, to stand inside a page."""
    out = io.StringIO()
    _save(figure, out, "svg")
    _, start, rest = out.getvalue().partition("<svg")
    return (start + rest.rstrip()).replace("$", "&#36;")  # in a page dollar signs begin formulas


def plain_ticks(axis: Any, low: float, high: float, base: int = 10) -> None:
    """Ticks of an axis of powers from `low` to `high`: 1, 2, 4, as people write them, not 2**k."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    between = (1.0, 2.0, 5.0) if base == 10 and high < low * 10**_DECADES else (1.0,)
    axis.set_major_locator(LogLocator(base=base, subs=between))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_minor_formatter(NullFormatter())


def _save(figure: Any, target: Path | io.StringIO, form: str) -> None:
    """Words stay words, and the same data give the same file."""
    import matplotlib

    # no date and no random ids
    dates: dict[str, Any] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
    with matplotlib.rc_context({"svg.hashsalt": "looplaw", "svg.fonttype": "none"}):
        figure.savefig(target, format=form, dpi=150, metadata=dates.get(form))
