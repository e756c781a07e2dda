"""Write JSON Lines: {"params": {"n": 64}, "callpath": "main->solve", "metric": "time", "value":
1.2}, one observation a line."""

from __future__ import annotations

import json
from collections.abc import Sequence

from modeling.data.observations import Observation


def write_json_lines(observations: Sequence[Observation]) -> str:
    """One line for each observation; everything has its place here."""
    return "".join(json.dumps(_fields(o)) + "\n" for o in observations)


def _fields(o: Observation) -> dict[str, object]:
    known = {"rank": o.rank, "thread": o.thread, "repetition": o.repetition}
    return {
        "params": dict(o.params),
        "callpath": o.callpath,
        "metric": o.metric,
        "value": o.value,
        **{name: value for name, value in known.items() if value is not None},
        **({"unit": o.unit} if o.unit else {}),
    }
