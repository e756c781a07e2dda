"""A small picture of a series and its law for terminals: points, law, 90 % interval, drawn with the
dots of braille, eight to a character."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from modeling import Model
from modeling.data.measurements import Floats, Series
from modeling.data.units import shown_metric
from modeling.pmnf.law_names import law_name

REACH = 4.0
"""The law is drawn up to this multiple of the largest size."""
_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
_MARKS = "●○"
_SPARSE = 5
"""Every fifth dot of the interval's ends is drawn."""


def picture(series: Series, model: Model, width: int = 64, height: int = 12) -> str:
    """Lines of text: the metric, the drawing with the ends of the axes, both logarithmic; empty
    where nothing is varied or a value is not above zero."""
    title = f"{series.callpath}, {shown_metric(series.metric, series.unit)}"
    name = law_name(model)
    if name is not None:
        title += f": {name}"
    return _drawn(((series, model),), title, width, height)


def picture_of_two(
    series: Sequence[Series], models: Sequence[Model], width: int = 64, height: int = 12
) -> str:
    """The same of two versions, the points of the first filled."""
    title = f"{_MARKS[0]} A, {_MARKS[1]} B: {shown_metric(series[0].metric, series[0].unit)}"
    return _drawn(tuple(zip(series, models, strict=True)), title, width, height)


def _drawn(parts: Sequence[tuple[Series, Model]], title: str, width: int, height: int) -> str:
    first = parts[0][0]
    counts = [len(set(first.points[:, k].tolist())) for k in range(len(first.parameters))]
    if max(counts, default=0) < 2:
        return ""
    name = first.parameters[counts.index(max(counts))]
    seen = [_along(series, name) for series, _ in parts]
    if any(len(x) == 0 or min(x.min(), y.min()) <= 0 for x, y in seen):
        return ""
    ends = min(float(x.min()) for x, _ in seen), REACH * max(float(x.max()) for x, _ in seen)
    canvas = _Canvas(width, height, ends)
    curves = [_curves(series, model, name, canvas.sizes()) for series, model in parts]
    known = [y for _, y in seen] + [law[np.isfinite(law) & (law > 0)] for law, *_ in curves]
    canvas.span = (
        float(min(v.min() for v in known if len(v))),
        max(float(v.max()) for v in known if len(v)),
    )
    for law, low, high in curves:
        canvas.curve(law, 1)
        canvas.curve(low, _SPARSE)
        canvas.curve(high, _SPARSE)
    for mark, (xs, ys) in zip(_MARKS, seen, strict=False):
        for x, y in zip(xs.tolist(), ys.tolist(), strict=True):
            canvas.point(x, y, mark)
    return canvas.text(title, name)


def _along(series: Series, name: str) -> tuple[Floats, Floats]:
    """Sizes and values (P,) along a parameter, the others at their largest."""
    place = series.parameters.index(name)
    others = [k for k in range(len(series.parameters)) if k != place]
    at_top = (series.points[:, others] == series.points[:, others].max(axis=0)).all(axis=1)
    return series.points[at_top, place], series.means[at_top]


def _curves(
    series: Series, model: Model, name: str, sizes: Floats
) -> tuple[Floats, Floats, Floats]:
    """The law and the ends of its interval at sizes, each of their shape."""
    top = {n: float(series.points[:, k].max()) for k, n in enumerate(series.parameters)}
    place: Mapping[str, Floats | float] = {**top, name: sizes}
    with np.errstate(all="ignore"):
        found = model.value_at(place), *model.interval(place)
    law, low, high = (np.broadcast_to(x, sizes.shape) for x in found)
    return law, low, high


class _Canvas:
    """A drawing of characters over logarithmic axes; span: the ends of the vertical one."""

    def __init__(self, width: int, height: int, ends: tuple[float, float]) -> None:
        self.width, self.height, self.ends = width, height, ends
        self.span = (1.0, 1.0)
        self.dots = np.zeros((height, width), dtype=int)
        self.points: dict[tuple[int, int], str] = {}

    def sizes(self) -> Floats:
        """(2 * width,) the size at each column of dots."""
        return np.geomspace(*self.ends, 2 * self.width)

    def curve(self, values: Floats, step: int) -> None:
        """Draw every `step`-th of the values (2 * width,) that lie in the drawing."""
        for k in range(0, 2 * self.width, step):
            row = self._row(float(values[k]))
            if row is not None:
                self.dots[row // 4, k // 2] |= _DOTS[row % 4][k % 2]

    def point(self, x: float, y: float, mark: str) -> None:
        """Mark a measured point."""
        share = np.log(x / self.ends[0]) / np.log(self.ends[1] / self.ends[0])
        row = self._row(y)
        if row is not None:
            self.points[row // 4, min(self.width - 1, int(share * self.width))] = mark

    def _row(self, value: float) -> int | None:
        low, high = self.span
        if not np.isfinite(value) or not low <= value <= high:
            return None
        share = np.log(value / low) / np.log(high / low) if high > low else 0.5
        return min(4 * self.height - 1, int((1 - share) * 4 * self.height))

    def text(self, title: str, name: str) -> str:
        """The drawing with the ends of its axes."""
        labels = [f"{v:.3g}" for v in reversed(self.span)]
        margin = max(map(len, labels))
        lines = [title]
        for k in range(self.height):
            label = labels[0] if k == 0 else labels[1] if k == self.height - 1 else ""
            cells = "".join(
                self.points.get((k, m)) or chr(0x2800 + int(self.dots[k, m]))
                for m in range(self.width)
            )
            lines.append(f"{label:>{margin}} │{cells}")
        first, last = (f"{v:.4g}" for v in self.ends)
        middle = f"{name} (law to {REACH:g} times the largest)"
        room = self.width - len(first) - len(last)
        lines.append(f"{'':>{margin}} └{first}{middle:^{max(room, len(middle) + 2)}}{last}")
        return "\n".join(lines)
