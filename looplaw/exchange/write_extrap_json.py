"""Write Extra-P's JSON: {"parameters": ["n"], "measurements": {callpath: {metric: [{"point": [64],
"values": [1.5, 1.6]}]}}}."""

from __future__ import annotations

import json
from collections.abc import Sequence

from modeling.data.observations import Observation

from .value_tables import parameters_of, repetitions

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
