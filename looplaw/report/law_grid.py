"""A law of time as a page draws it: tabulated, since a browser has no machine model.

Logarithms of seconds on a grid of sizes, from the smallest measured one to `_BEYOND` times the
largest; the page interpolates them, which is exact for products of powers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from modeling.pmnf.curve import CurveDocument
from modeling.pmnf.time_law import TimeLawDocument, bound_by

from ..laws.limits import level_name

_BEYOND = 64.0
_KNOTS = (49, 17, 9)
"""Values of each parameter, by the number of parameters."""
_QUANTILE = 1.6448536269514722
"""Of the normal distribution, for 90 %."""
_NS = 1e-9
_MOST = 700.0
"""Of the logarithm of a double."""
_LEAST = 1e-3
"""Share of the time below which a bound by memory is not drawn."""


def law_grid(document: TimeLawDocument) -> dict[str, Any] | None:
    """axes: [name, values]; seconds, below, above: logarithms (row by row) of the time and of how
    far its 90 % interval reaches to both sides; memory: logarithm of what the machine's memory
    alone takes, None where it takes next to nothing; by: place in `names` of what takes most;
    regimes: [parameter, value, level that begins there]; None for a law of more than three
    parameters."""
    law = document.learned
    names = [n for n in sorted(law.parameters) if n in law.reach]
    if not names or len(names) > len(_KNOTS) or set(names) != set(law.parameters):
        return None
    axes = [
        np.geomspace(max(law.reach[n][0], 1e-9), _BEYOND * law.reach[n][1], _KNOTS[len(names) - 1])
        for n in names
    ]
    mesh = np.meshgrid(*axes, indexing="ij")
    columns = {n: m.ravel() for n, m in zip(names, mesh, strict=True)}
    parts = law.parts(columns)
    seconds = np.maximum(_NS * parts.total, 1e-30)
    memory = _NS * (parts.levels.sum(axis=0) + parts.latency + parts.fresh)
    said = bound_by(law, columns)
    kinds = list(dict.fromkeys(said))
    return {
        "axes": [[n, _rounded(a)] for n, a in zip(names, axes, strict=True)],
        "seconds": _rounded(np.log(seconds)),
        "below": _rounded(_QUANTILE * law.deviation(columns)),
        "above": _rounded(_QUANTILE * law.deviation_above(columns)),
        "memory": _rounded(np.log(np.maximum(memory, 1e-30)))
        if (memory > _LEAST * seconds).any()
        else None,
        "by": [kinds.index(k) for k in said],
        "names": [level_name(k) for k in kinds],
        "regimes": _limits(document),
    }


def curve_grid(document: CurveDocument, top: float) -> dict[str, Any]:
    """formula; axes: [name, values]; below, above: logarithms of how far the 90 % interval of a
    curve reaches to both sides, up to `_BEYOND` times the largest value `top`."""
    law = document.learned
    axis = np.geomspace(top / _BEYOND, _BEYOND * top, _KNOTS[0])
    at = {law.parameter: axis}
    with np.errstate(all="ignore"):
        low, high = law.interval(at, 0.9)
        value = law.evaluate(at)
        ends = [np.nan_to_num(np.log(e), posinf=_MOST) for e in (value / low, high / value)]
    return {
        "formula": document.formula,
        "name": document.name,
        "axes": [[law.parameter, _rounded(axis)]],
        "below": _rounded(np.clip(ends[0], 0, _MOST)),
        "above": _rounded(np.clip(ends[1], 0, _MOST)),
    }


def _limits(document: TimeLawDocument) -> list[list[Any]]:
    """Where a level begins: the end of the regime before it."""
    found: list[list[Any]] = []
    for before, after in zip(document.regimes, document.regimes[1:], strict=False):
        name, relation, value = before.until.partition(" < ")
        if relation:
            found.append([name, float(value), after.level])
    return found


def _rounded(values: np.ndarray) -> list[float]:
    return [float(f"{v:.5g}") for v in values.tolist()]
