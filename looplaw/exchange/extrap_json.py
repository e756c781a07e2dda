"""Extra-P's JSON: {"parameters": ["n"], "measurements": {callpath: {metric: [{"point": [64],
"values": [1.5, 1.6]}]}}}.

Its older form, with lists of numbered parameters, coordinates, call paths and metrics, is read as
well.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from modeling.readers import extrap_json

from .observations import Observation, parameters_of, repeated, repetitions

_FORM = "Extra-P's JSON"


def write_extrap_json(observations: Sequence[Observation]) -> str:
    """All series with their points; values in the order of repetitions.

    Raises:
        DataError: ranks, threads, differing parameters, or gaps in the numbers of repetitions.
    """
    names = parameters_of(observations, _FORM)
    measurements: dict[str, dict[str, list[dict[str, object]]]] = {}
    for (callpath, metric), points in repetitions(observations, _FORM).items():
        measurements.setdefault(callpath, {})[metric] = [
            {"point": [dict(point)[name] for name in names], "values": values}
            for point, values in points.items()
        ]
    return json.dumps({"parameters": list(names), "measurements": measurements}, indent=1) + "\n"


def read_extrap_json(text: str, name: str) -> tuple[Observation, ...]:
    """Parse observations; the values of a point become its repetitions.

    Raises:
        DataError: FILE: what is wrong.
    """
    return repeated(extrap_json.read_extrap_json(text, name), name)
