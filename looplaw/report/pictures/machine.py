"""The plot of a machine: what a line and a load cost, by working set, and what a branch costs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from runtime.machine.description import Curve, Machine

from .figures import expect_picture, new_figure, write_figure

_SERIES = (
    ("dependent load", "dependent"),
    ("independent load", "independent"),
    ("line read", "read"),
    ("line written", "written"),
    ("line updated", "updated"),
)


def draw_machine(machine: Machine, file: Path) -> None:
    """Write the curves of a machine as a picture; vertical lines are the capacities.

    Raises:
        InputError: matplotlib is missing, or the file's suffix is not one of SUFFIXES.
    """
    expect_picture(file)
    parts = 1 if machine.branches is None else 2
    figure = new_figure("--plot", 7.2, 4.4 if parts == 1 else 6.8)
    heights = (3, 1)[:parts]
    axes = figure.subplots(parts, 1, squeeze=False, height_ratios=heights)[:, 0]
    _paint(axes[0], machine)
    if machine.branches is not None:
        _paint_branches(axes[1], machine.branches)
    write_figure(figure, file)


def _paint(axes: Any, machine: Machine) -> None:
    for label, name in _SERIES:
        curve = getattr(machine, name)
        axes.plot(curve.bytes, curve.ns, marker=".", label=label)
    for level in machine.caches[:-1]:
        axes.axvline(level.bytes, color="0.6", linewidth=1, linestyle=":")
        axes.annotate(
            level.level,
            (level.bytes, 0.98),
            xycoords=("data", "axes fraction"),
            va="top",
            ha="right",
            color="0.4",
        )
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xlabel("working set, bytes")
    axes.set_ylabel("ns")
    axes.set_title(f"{machine.cpu} ({machine.host})")
    axes.legend()


def _paint_branches(axes: Any, curve: Curve) -> None:
    axes.plot(curve.bytes, curve.ns, marker=".", color="0.3")
    axes.set_xscale("log", base=2)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("branches on random data before the same data come again")
    axes.set_ylabel("ns/branch")
