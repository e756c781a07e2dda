"""A small picture of a series and its law for terminals: points, law, 90 % interval, drawn with the
dots of braille, eight to a character."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from modeling import Model
from modeling.data.measurements import Floats, Series
from modeling.data.units import shown_metric

REACH = 4.0
"""The law is drawn up to this multiple of the largest size."""
_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
_POINT = "●"
_SPARSE = 5
"""Every fifth dot of the interval's ends is drawn."""


def picture(series: Series, model: Model, width: int = 64, height: int = 12) -> str:
    """Lines of text: the metric, the drawing with the ends of the axes, both logarithmic; empty
    where nothing is varied or a value is not above zero."""
    varied = [(len(set(series.points[:, k].tolist())), -k) for k in range(series.points.shape[1])]
    count, place = max(varied, default=(0, 0))
    if count < 2 or series.means.min() <= 0 or series.points[:, -place].min() <= 0:
        return ""
    name = series.parameters[-place]
    top = {n: float(series.points[:, k].max()) for k, n in enumerate(series.parameters)}
    others = [k for k, n in enumerate(series.parameters) if n != name]
    at_top = (series.points[:, others] == [top[series.parameters[k]] for k in others]).all(axis=1)
    xs, ys = series.points[at_top, -place], series.means[at_top]
    canvas = _Canvas(width, height, (float(xs.min()), REACH * float(xs.max())))
    sizes = canvas.sizes()
    place_of: Mapping[str, Floats | float] = {**top, name: sizes}
    with np.errstate(all="ignore"):
        law = np.broadcast_to(model.value_at(place_of), sizes.shape)
        low, high = (np.broadcast_to(x, sizes.shape) for x in model.interval(place_of))
    known = np.concatenate([ys, law[np.isfinite(law) & (law > 0)]])
    canvas.span = float(known.min()), float(known.max())
    canvas.curve(law, 1)
    canvas.curve(low, _SPARSE)
    canvas.curve(high, _SPARSE)
    for x, y in zip(xs.tolist(), ys.tolist(), strict=True):
        canvas.point(x, y)
    return canvas.text(f"{series.callpath}, {shown_metric(series.metric, series.unit)}", name)


class _Canvas:
    """A drawing of characters over logarithmic axes; span: the ends of the vertical one."""

    def __init__(self, width: int, height: int, ends: tuple[float, float]) -> None:
        self.width, self.height, self.ends = width, height, ends
        self.span = (1.0, 1.0)
        self.dots = np.zeros((height, width), dtype=int)
        self.points: set[tuple[int, int]] = set()

    def sizes(self) -> Floats:
        """(2 * width,) the size at each column of dots."""
        return np.geomspace(*self.ends, 2 * self.width)

    def curve(self, values: Floats, step: int) -> None:
        """Draw every `step`-th of the values (2 * width,) that lie in the drawing."""
        for k in range(0, 2 * self.width, step):
            row = self._row(float(values[k]))
            if row is not None:
                self.dots[row // 4, k // 2] |= _DOTS[row % 4][k % 2]

    def point(self, x: float, y: float) -> None:
        """Mark a measured point."""
        share = np.log(x / self.ends[0]) / np.log(self.ends[1] / self.ends[0])
        row = self._row(y)
        if row is not None:
            self.points.add((row // 4, min(self.width - 1, int(share * self.width))))

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
                _POINT if (k, m) in self.points else chr(0x2800 + int(self.dots[k, m]))
                for m in range(self.width)
            )
            lines.append(f"{label:>{margin}} │{cells}")
        first, last = (f"{v:.4g}" for v in self.ends)
        middle = f"{name} (law to {REACH:g} times the largest)"
        room = self.width - len(first) - len(last)
        lines.append(f"{'':>{margin}} └{first}{middle:^{max(room, len(middle) + 2)}}{last}")
        return "\n".join(lines)
