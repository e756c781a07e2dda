"""Write Extra-P's text: PARAMETER names, POINTS, and for each REGION and METRIC a line of DATA, its
repetitions, for each point.

PARAMETER n
POINTS 64 128
REGION main->solve
METRIC time
DATA 1.5 1.6
DATA 3.1 3.0
"""

from __future__ import annotations

from collections.abc import Sequence

from looplaw_common.text import encodable
from modeling import DataError
from modeling.data.observations import Observation, Point

from .value_tables import parameters_of, repetitions, shown

_FORM = "Extra-P's text format"
_MOST_PARAMETERS = 4


def write_extrap_text(observations: Sequence[Observation]) -> str:
    """All series at all points, which must be the same; values in the order of repetitions.

    Raises:
        DataError: ranks, threads, a point that one series lacks, more than four parameters, names
            that cannot be written.
    """
    names = parameters_of(observations, _FORM)
    if not 1 <= len(names) <= _MOST_PARAMETERS:
        raise DataError(
            f"{_FORM} has one to {_MOST_PARAMETERS} parameters, not {len(names)}; use --format"
            " extrap-json"
        )
    for name in names:
        if not name or any(c.isspace() for c in name):
            raise DataError(
                f"parameter {name!r}: {_FORM} has no blanks in names; use --format extrap-json"
            )
        if not encodable(name):
            raise DataError(
                f"parameter {name!r}: {_FORM} cannot hold this name; use --format extrap-json"
            )
    series = repetitions(observations, _FORM)
    points = list(dict.fromkeys(point for found in series.values() for point in found))
    lines = [f"PARAMETER {' '.join(names)}", f"POINTS {' '.join(_point(p, names) for p in points)}"]
    for (callpath, metric), found in series.items():
        for what, text in (("call path", callpath), ("metric", metric)):
            if not text or " ".join(text.split()) != text or not encodable(text):
                raise DataError(
                    f"{what} {text!r}: {_FORM} cannot hold this name; use --format extrap-json"
                )
        lacking = next((p for p in points if p not in found), None)
        if lacking is not None:
            raise DataError(
                f"{callpath}, {metric}: no value at {shown(lacking)}, where others have one;"
                f" {_FORM} has the same points everywhere: use --format extrap-json"
            )
        lines += ["", f"REGION {callpath}", f"METRIC {metric}"]
        lines += [f"DATA {' '.join(map(repr, found[p]))}" for p in points]
    return "\n".join(lines) + "\n"


def _point(point: Point, names: Sequence[str]) -> str:
    text = " ".join(repr(dict(point)[name]) for name in names)
    return text if len(names) == 1 else f"( {text} )"
