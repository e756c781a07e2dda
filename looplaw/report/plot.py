"""Plots of kernels as files (PNG, SVG, PDF) through matplotlib, which is asked for only here."""

from __future__ import annotations

import importlib.util
import io
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from looplaw_common.files import replacing
from looplaw_common.text import visible
from modeling import DataError, InputError, Model
from modeling.data.measurements import Floats
from modeling.data.observations import Point
from modeling.data.parameter_roles import is_concurrency
from modeling.data.units import shown_metric

from ..documents.study import StudyLoop, TimesDocument

Ratio = Literal["speedup", "efficiency"]
SUFFIXES = (".png", ".svg", ".pdf")
_STEPS = 200


@dataclass(frozen=True)
class Points:
    """What was measured of a kernel at fixed values of all parameters but one: `x` (P,), `values`
    per point."""

    x: tuple[float, ...]
    values: tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class Picture:
    """A kernel to draw over `parameter`; `fixed` are the other parameters; `reach`: how far beyond
    the largest value; `span`: from where to where values are taken to reach, else as the points do;
    `ratio`: what its times are drawn as.
    """

    title: str
    metric: str
    parameter: str
    fixed: Mapping[str, float]
    points: Points
    model: Model | None
    reach: float = 2.0
    log: bool = True
    span: tuple[float, float] | None = None
    ratio: Ratio | None = None

    def shown(self, x: Floats | float, times: Floats) -> Floats:
        """Values as they are drawn: times at x, or what they gain over the fewest workers, which
        are taken to be used in full."""
        if self.ratio is None:
            return times
        first = min(range(len(self.points.x)), key=self.points.x.__getitem__)
        work = self.points.x[first] * float(np.median(self.points.values[first]))
        gained: Floats = work / times / (x if self.ratio == "efficiency" else 1.0)
        return gained


def draw(picture: Picture, file: Path) -> None:
    """Write the plot: points with their spread, the model with its 90 % interval.

    Raises:
        InputError: matplotlib is missing, or the file's suffix is not one of SUFFIXES.
    """
    if file.suffix not in SUFFIXES:
        raise InputError(f"{file}: the suffix says the kind of picture: {', '.join(SUFFIXES)}")
    with replacing(file) as temporary:
        _save(picture, temporary, file.suffix.removeprefix("."))


def svg(picture: Picture) -> str:
    """The plot as an SVG element, to stand inside a page.

    Raises:
        InputError: matplotlib is missing.
    """
    out = io.StringIO()
    _save(picture, out, "svg")
    _, start, rest = out.getvalue().partition("<svg")
    return (start + rest.rstrip()).replace("$", "&#36;")  # in a page dollar signs begin formulas


def available() -> bool:
    """Is matplotlib there?"""
    return importlib.util.find_spec("matplotlib") is not None


def _save(picture: Picture, target: Path | io.StringIO, form: str) -> None:
    if not available():
        raise InputError("looplaw plot needs matplotlib: pip install 'looplaw[plot]'")
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 4.2), layout="constrained")
    _paint(figure.add_subplot(), picture)
    save_figure(figure, target, form)


def save_figure(figure: Any, target: Path | io.StringIO, form: str) -> None:
    """Write a figure of matplotlib in the format `form`; words stay words, and the same data give
    the same file."""
    import matplotlib

    # no date and no random ids
    dates: dict[str, Any] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
    with matplotlib.rc_context({"svg.hashsalt": "looplaw", "svg.fonttype": "none"}):
        figure.savefig(target, format=form, dpi=150, metadata=dates.get(form))


def _paint(axes: Any, picture: Picture) -> None:
    low, high = picture.span or (min(picture.points.x), max(picture.points.x))
    log = picture.log and low > 0
    if picture.model is not None:
        xs: Floats = (
            np.geomspace(low, high * picture.reach, _STEPS)
            if log
            else np.linspace(low, high * picture.reach, _STEPS)
        )
        at: dict[str, Floats | float] = {**picture.fixed, picture.parameter: xs}
        ends = (picture.shown(xs, np.broadcast_to(e, xs.shape)) for e in picture.model.interval(at))
        lower, upper = np.sort(np.stack(list(ends)), axis=0)
        middle = picture.shown(xs, np.broadcast_to(picture.model.evaluate(at), xs.shape))
        if np.isfinite(upper).all():
            axes.fill_between(
                xs, lower, upper, color="#d55e00", alpha=0.18, linewidth=0, label="90 % interval"
            )
        axes.plot(xs, middle, color="#d55e00", label="model")
    drawn = [
        picture.shown(x, np.array(values))
        for x, values in zip(picture.points.x, picture.points.values, strict=True)
    ]
    if picture.ratio is not None:
        every = np.array(sorted(picture.points.x))
        ideal = every if picture.ratio == "speedup" else np.ones(len(every))
        axes.plot(every, ideal, "--", color="#777777", label="ideal")
    for x, values in zip(picture.points.x, drawn, strict=True):
        axes.plot([x] * len(values), values, ".", color="#777777", markersize=3)
    if picture.points.x:
        axes.plot(
            picture.points.x,
            [float(np.median(v)) for v in drawn],
            "o",
            color="black",
            markerfacecolor="white",
            label="measured (median)",
        )
    if log:
        axes.set_xscale("log", base=2)
        lines = [v for line in axes.get_lines() for v in line.get_ydata()]
        if min(lines) > 0:
            axes.set_yscale("log")
    others = ", ".join(f"{n} = {v:g}" for n, v in picture.fixed.items())
    axes.set_xlabel(
        visible(picture.parameter + (f"   ({others})" if others else "")), parse_math=False
    )
    named = "time, s" if picture.metric == "time" else visible(picture.metric)
    axes.set_ylabel(picture.ratio or named, parse_math=False)
    axes.set_title(visible(picture.title), fontsize="medium", parse_math=False)
    axes.legend(frameon=False)


def picture_of_model(model: Model) -> Picture | None:
    """A model alone over its first parameter, up to and beyond what it was fitted to; None where it
    does not say how far that reached."""
    tops = (
        {}
        if model.mixture is None
        else {name: top for name, top, *_ in model.mixture.reach if top > 0}
    )
    if not tops or model.needed - tops.keys():
        return None
    name = next(iter(tops))
    fixed = {n: top for n, top in tops.items() if n != name}
    return Picture(
        model.callpath,
        shown_metric(model.metric, model.unit),
        name,
        fixed,
        Points((), ()),
        model,
        span=(tops[name] / 16, tops[name]),
    )


def picture_of(
    loop: StudyLoop,
    model: Model | None,
    parameter: str | None,
    *,
    reach: float,
    log: bool,
    ratio: Ratio | None = None,
) -> Picture:
    """A kernel of a study over the parameter asked for, else the one with most values; others at
    their largest.

    Raises:
        DataError: nothing was measured of it, or not at several values of the parameter, or it has
            a ratio, and no number of workers was varied.
    """
    points = loop.time or ()
    if not points:
        raise DataError(
            f"{loop.at}: its time was not measured; looplaw show says which loops are kernels"
        )
    names = list(points[0].params)
    distinct = {n: sorted({p.params[n] for p in points if n in p.params}) for n in names}
    workers = [n for n in names if is_concurrency(n) and len(distinct[n]) > 1]
    name = parameter or max(
        workers if ratio and workers else names, key=lambda n: len(distinct[n]), default=""
    )
    if ratio and not parameter and not workers:
        raise DataError(f"{loop.at}: no number of workers was varied; say --over p if p is one")
    if name not in distinct:
        raise DataError(f"--over {name}: the parameters are {', '.join(names) or 'none'}")
    if any(p.params.keys() != points[0].params.keys() for p in points):
        raise DataError(f"{loop.at}: some of its points have other parameters than others")
    groups: dict[Point, list[TimesDocument]] = {}
    for p in points:
        rest = tuple((n, float(v)) for n, v in p.params.items() if n != name)
        groups.setdefault(rest, []).append(p)
    rest = max(groups, key=lambda key: (len(groups[key]), [v for _, v in key]))
    chosen = sorted(groups[rest], key=lambda p: float(p.params[name]))
    if len(chosen) < 2:
        raise DataError(f"{loop.at}: measured at one value of {name} only")
    return Picture(
        loop.at,
        loop.measured,
        name,
        dict(rest),
        Points(tuple(float(p.params[name]) for p in chosen), tuple(p.values for p in chosen)),
        model,
        reach,
        log,
        ratio=ratio,
    )
