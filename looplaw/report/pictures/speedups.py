"""The figure of a scaling study: times, speed-up and efficiency over processes, with the law."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from looplaw_common.text import visible
from modeling.data.measurements import Floats

from ...documents.speedups import TimedRun
from .figures import COLORS, expect_picture, new_figure, write_figure

_MOST_SIZES = 6
"""Lines that a panel holds apart: of more sizes those that lie evenly between them."""
_STEPS = 80


@dataclass(frozen=True)
class ScalingPicture:
    """What is drawn. runs: as measured, processes in units of `unit`; law: size and processes (P,)
    -> seconds with the lower and the upper end of their interval, (P,) each; processes, work:
    what the horizontal axis and the size are called; reach: how many processes it goes to.
    """

    title: str
    runs: Sequence[TimedRun]
    law: Callable[[float, Floats], tuple[Floats, Floats, Floats]]
    processes: str
    work: str
    unit: float
    reach: float


def draw_scaling(picture: ScalingPicture, file: Path) -> None:
    """Write the figure.

    Raises:
        InputError: matplotlib is missing, or the file's suffix is not one of SUFFIXES.
    """
    expect_picture(file)
    figure = new_figure("looplaw scaling --plot", 9.6, 3.4)
    from matplotlib.ticker import ScalarFormatter

    panels = figure.subplots(1, 3)
    for k, (title, label) in enumerate(
        (("time", "s"), ("speed-up", ""), ("efficiency", "speed-up per process"))
    ):
        panels[k].set_title(title, fontsize="medium")
        panels[k].set_xlabel(visible(picture.processes), parse_math=False)
        panels[k].set_ylabel(label)
        panels[k].set_xscale("log", base=2)
        panels[k].xaxis.set_major_formatter(ScalarFormatter())
    _paint(panels, picture)
    figure.suptitle(visible(picture.title), fontsize="medium", parse_math=False)
    write_figure(figure, file)


def _paint(panels: Any, picture: ScalingPicture) -> None:
    from matplotlib.ticker import StrMethodFormatter

    sizes = sorted({r.size for r in picture.runs})
    chosen = [sizes[k] for k in _spread(len(sizes))]
    last = max(picture.reach / picture.unit, max(r.nodes * r.cores for r in picture.runs))
    x = np.geomspace(1.0, last, _STEPS)
    for size, color in zip(chosen, COLORS, strict=False):
        of_size = [r for r in picture.runs if r.size == size]
        middle, low, high = picture.law(size, x)
        alone = middle[0]
        _line(
            panels[0], picture, x, (middle, low, high), color, visible(f"{picture.work} = {size:g}")
        )
        _line(panels[1], picture, x, (alone / middle, alone / high, alone / low), color, "")
        shares = (alone / middle / x, alone / high / x, alone / low / x)
        _line(panels[2], picture, x, shares, color, "")
        n = [picture.unit * r.nodes * r.cores for r in of_size]
        _points(panels[0], n, [r.time for r in of_size], color)
        _points(panels[1], n, [r.speedup for r in of_size], color)
        _points(panels[2], n, [r.efficiency for r in of_size], color)
    ideal = picture.unit * x
    panels[1].plot(ideal, x, ":", color="#777777", label="ideal")
    panels[0].set_yscale("log")
    panels[1].set_yscale("log", base=2)
    panels[1].yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    panels[2].set_ylim(0, 1.1)
    panels[0].legend(frameon=False, fontsize="small")
    panels[1].legend(frameon=False, fontsize="small")


def _spread(number: int) -> list[int]:
    """The places of at most `_MOST_SIZES` of so many, first and last among them."""
    if number <= _MOST_SIZES:
        return list(range(number))
    return sorted({round(k * (number - 1) / (_MOST_SIZES - 1)) for k in range(_MOST_SIZES)})


def _line(
    axes: Any,
    picture: ScalingPicture,
    x: Floats,
    values: tuple[Floats, Floats, Floats],
    color: str,
    label: str,
) -> None:
    middle, low, high = values
    at = picture.unit * x
    if np.isfinite(high).all():
        axes.fill_between(at, low, high, color=color, alpha=0.15, linewidth=0)
    axes.plot(at, middle, color=color, linewidth=1.2, label=label or None)


def _points(axes: Any, x: Sequence[float], y: Sequence[float | None], color: str) -> None:
    known = [(a, b) for a, b in zip(x, y, strict=True) if b is not None]
    axes.plot(
        [a for a, _ in known],
        [b for _, b in known],
        "o",
        color=color,
        markersize=4,
        markerfacecolor="white",
    )
