"""Pictures of kernels, whole runs and measured series over one parameter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from msgspec import UNSET

from looplaw_common.text import visible
from modeling import DataError, Model
from modeling.data.measurements import Floats
from modeling.data.observations import Point
from modeling.data.parameter_roles import is_concurrency
from modeling.data.units import shown_metric

from ...documents.study import StudyLoop, TimesDocument
from ...laws.whole_runs import Foretold
from .figures import COLORS, expect_picture, new_figure, plain_ticks, svg_text, write_figure

Ratio = Literal["speedup", "efficiency"]
MOST = len(COLORS)
"""Series that a picture holds apart."""
_NAMES: Mapping[Ratio, str] = {"speedup": "speed-up", "efficiency": "parallel efficiency"}
_ALONE = ("#d55e00", "black")
"""Colours of a series that has a picture of its own: what is foretold, what was measured."""
_STEPS = 200
_GREY = "#777777"


@dataclass(frozen=True)
class Drawn:
    """A series at fixed values of all parameters but one: `x` (P,), `values` per point."""

    name: str
    x: tuple[float, ...]
    values: tuple[tuple[float, ...], ...]
    foretold: Foretold | None

    @property
    def medians(self) -> list[float]:
        """(P,) the median of each point."""
        return [float(np.median(v)) for v in self.values]


@dataclass(frozen=True)
class Picture:
    """Series to draw over `parameter`; `fixed` are the other parameters; `reach`: how far beyond
    the largest value; `span`: from where to where values are taken to reach, else as the points do;
    `ratio`: what times are drawn as.
    """

    title: str
    metric: str
    parameter: str
    fixed: Mapping[str, float]
    drawn: tuple[Drawn, ...]
    reach: float = 2.0
    log: bool = True
    span: tuple[float, float] | None = None
    ratio: Ratio | None = None

    @property
    def ends(self) -> tuple[float, float]:
        """The least and the largest value that was measured."""
        xs = [x for series in self.drawn for x in series.x]
        return self.span or (min(xs), max(xs))

    def shown(self, series: Drawn, x: Floats | float, times: Floats) -> Floats:
        """Values as they are drawn: times at x, or what they gain over the fewest workers, which
        are taken to be used in full."""
        if self.ratio is None:
            return times
        first = min(range(len(series.x)), key=series.x.__getitem__)
        work = series.x[first] * series.medians[first]
        gained: Floats = work / times / (x if self.ratio == "efficiency" else 1.0)
        return gained


def foretold_by(model: Model | None) -> Foretold | None:
    """What a model says, with its 90 % interval."""
    return None if model is None else lambda at: (model.evaluate(at), *model.interval(at))


def draw(picture: Picture, file: Path) -> None:
    """Write the picture: points with their spread, what is foretold with its 90 % interval.

    Raises:
        InputError: matplotlib is missing, or the file's suffix is not one of `SUFFIXES`.
    """
    expect_picture(file)
    write_figure(_figure(picture), file)


def svg(picture: Picture) -> str:
    """The picture as an SVG element, to stand inside a page.

    Raises:
        InputError: matplotlib is missing.
    """
    return svg_text(_figure(picture))


def _figure(picture: Picture) -> Any:
    figure = new_figure("looplaw plot", 6.4, 4.2)
    axes = figure.add_subplot()
    log = picture.log and picture.ends[0] > 0
    if picture.ratio is not None:
        _ideal(axes, picture)
    alone = len(picture.drawn) == 1
    for series, color in zip(picture.drawn, COLORS, strict=False):
        line, dots = _ALONE if alone else (color, color)
        _foretold(axes, picture, series, line, "model" if alone else None, log)
        _points(axes, picture, series, dots, "measured (median)" if alone else series.name)
    if log:
        _powers(axes, picture)
    _words(axes, picture)
    return figure


def _ideal(axes: Any, picture: Picture) -> None:
    low, high = picture.ends
    x = np.array([low, high * picture.reach])
    ideal = x if picture.ratio == "speedup" else np.ones(2)
    axes.plot(x, ideal, "--", color=_GREY, linewidth=1, label="ideal")


def _foretold(
    axes: Any, picture: Picture, series: Drawn, color: str, label: str | None, log: bool
) -> None:
    if series.foretold is None:
        return
    low, high = picture.ends
    spaced = np.geomspace if log else np.linspace
    xs: Floats = spaced(low, high * picture.reach, _STEPS)
    at: dict[str, Floats | float] = {**picture.fixed, picture.parameter: xs}
    found = [np.broadcast_to(values, xs.shape) for values in series.foretold(at)]
    middle, *ends = (picture.shown(series, xs, values) for values in found)
    lower, upper = np.sort(np.stack(ends), axis=0)
    if np.isfinite(upper).all():
        name = None if label is None else "90 % interval"
        axes.fill_between(xs, lower, upper, color=color, alpha=0.18, linewidth=0, label=name)
    axes.plot(xs, middle, color=color, label=label)


def _points(axes: Any, picture: Picture, series: Drawn, color: str, label: str) -> None:
    for x, values in zip(series.x, series.values, strict=True):
        shown = picture.shown(series, x, np.array(values))
        axes.plot([x] * len(values), shown, ".", color=_GREY, markersize=3)
    if series.x:
        shown = picture.shown(series, np.array(series.x), np.array(series.medians))
        style = {"color": color, "markerfacecolor": "white", "label": visible(label)}
        axes.plot(series.x, shown, "o", **style)


def _powers(axes: Any, picture: Picture) -> None:
    """Both axes in powers, so far as values allow it."""
    low, high = picture.ends
    axes.set_xscale("log", base=2)
    plain_ticks(axes.xaxis, low, high * picture.reach, base=2)
    values = [v for line in axes.get_lines() for v in line.get_ydata()]
    if min(values) > 0:
        axes.set_yscale("log")
        plain_ticks(axes.yaxis, *axes.get_ylim())


def _words(axes: Any, picture: Picture) -> None:
    others = ", ".join(f"{n} = {v:g}" for n, v in picture.fixed.items())
    over = picture.parameter + (f"   ({others})" if others else "")
    axes.set_xlabel(visible(over), parse_math=False)
    named = "time, s" if picture.metric == "time" else visible(picture.metric)
    axes.set_ylabel(_NAMES[picture.ratio] if picture.ratio else named, parse_math=False)
    axes.set_title(visible(picture.title), fontsize="medium", parse_math=False)
    for text in axes.legend(frameon=False).get_texts():
        text.set_parse_math(False)


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
    metric = shown_metric(model.metric, model.unit)
    alone = Drawn(model.callpath, (), (), foretold_by(model))
    span = (tops[name] / 16, tops[name])
    return Picture(model.callpath, metric, name, fixed, (alone,), span=span)


def picture_of(
    kernels: Sequence[tuple[StudyLoop, Foretold | None]],
    parameter: str | None,
    *,
    title: str | None = None,
    reach: float = 2.0,
    log: bool = True,
    ratio: Ratio | None = None,
) -> Picture:
    """Kernels of a study, or measured series, over the parameter asked for, else the one with most
    values of the first; others at their largest. title: else the first one's place.

    Raises:
        DataError: nothing was measured of one, or not at several values of the parameter, or it has
            a ratio, and no number of workers was varied.
    """
    first = kernels[0][0]
    name = _parameter(first, parameter, ratio)
    groups = _groups(first, name)
    rest = max(groups, key=lambda key: (len(groups[key]), [v for _, v in key]))
    drawn = tuple(
        _drawn(loop, called, name, rest, foretold)
        for (loop, foretold), called in zip(kernels, _names([k for k, _ in kernels]), strict=True)
    )
    metrics = {loop.measured for loop, _ in kernels}
    metric = first.measured if len(metrics) == 1 else unit_of(first.measured)
    return Picture(title or first.at, metric, name, dict(rest), drawn, reach, log, ratio=ratio)


def unit_of(metric: str) -> str:
    """What a metric is measured in, without its name: metrics of one unit share an axis."""
    name, _, unit = metric.rpartition("[")
    return unit.removesuffix("]") if name else metric


def _parameter(loop: StudyLoop, wanted: str | None, ratio: Ratio | None) -> str:
    points = _measured(loop)
    names = list(points[0].params)
    distinct = {n: {p.params[n] for p in points if n in p.params} for n in names}
    workers = [n for n in names if is_concurrency(n) and len(distinct[n]) > 1]
    if ratio and not wanted and not workers:
        raise DataError(f"{loop.at}: no number of workers was varied; say --over p if p is one")
    name = wanted or max(workers if ratio else names, key=lambda n: len(distinct[n]), default="")
    if name not in distinct:
        raise DataError(f"--over {name}: the parameters are {', '.join(names) or 'none'}")
    return name


def _measured(loop: StudyLoop) -> tuple[TimesDocument, ...]:
    points = loop.time or ()
    if not points:
        raise DataError(
            f"{loop.at}: its time was not measured; looplaw show says which loops are kernels"
        )
    if any(p.params.keys() != points[0].params.keys() for p in points):
        raise DataError(f"{loop.at}: some of its points have other parameters than others")
    return points


def _groups(loop: StudyLoop, name: str) -> dict[Point, list[TimesDocument]]:
    """Points that differ in one parameter alone, by the values of the others."""
    groups: dict[Point, list[TimesDocument]] = {}
    for p in _measured(loop):
        rest = tuple((n, float(v)) for n, v in p.params.items() if n != name)
        groups.setdefault(rest, []).append(p)
    return groups


def _names(loops: Sequence[StudyLoop]) -> list[str]:
    """What tells the series apart: columns of one table by what they measure."""
    of_one = len({loop.callpath for loop in loops}) == 1 and loops[0].callpath is not UNSET
    return [loop.measured if of_one and len(loops) > 1 else loop.at for loop in loops]


def _drawn(
    loop: StudyLoop, called: str, name: str, rest: Point, foretold: Foretold | None
) -> Drawn:
    chosen = sorted(_groups(loop, name).get(rest, ()), key=lambda p: float(p.params.get(name, 0)))
    if len(chosen) < 2:
        raise DataError(f"{loop.at}: measured at one value of {name} only")
    values = tuple(p.values for p in chosen)
    return Drawn(called, tuple(float(p.params[name]) for p in chosen), values, foretold)
