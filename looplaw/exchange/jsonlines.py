"""JSON Lines: {"params": {"n": 64}, "callpath": "main->solve", "metric": "time", "value": 1.2}, one
observation a line."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from modeling import DataError
from modeling.data.checks import exact, observation_fields

from .observations import Observation

_FIELDS = ("params", "callpath", "metric", "value", "rank", "thread", "repetition")


def write_json_lines(observations: Sequence[Observation]) -> str:
    """Everything has its place here."""
    return "".join(json.dumps(_fields(o)) + "\n" for o in observations)


def _fields(o: Observation) -> dict[str, object]:
    known = {"rank": o.rank, "thread": o.thread, "repetition": o.repetition}
    return {
        "params": dict(o.params),
        "callpath": o.callpath,
        "metric": o.metric,
        "value": o.value,
        **{name: value for name, value in known.items() if value is not None},
    }


def read_json_lines(text: str, name: str) -> tuple[Observation, ...]:
    """Parse observations.

    Raises:
        DataError: FILE:LINE: what is wrong with that line.
    """
    return tuple(
        _observation(line, f"{name}:{k}")
        for k, line in enumerate(text.split("\n"), 1)
        if line.strip()
    )


def _observation(line: str, where: str) -> Observation:
    data, callpath, metric = observation_fields(line, where)
    if not isinstance(data.get("params"), Mapping):
        raise DataError(f'{where}: "params" is missing')
    unknown = sorted(set(data) - set(_FIELDS))
    if unknown:
        raise DataError(f"{where}: unknown field {unknown[0]!r}; there are {', '.join(_FIELDS)}")
    return Observation(
        {str(k): exact(v, f"parameter {k}", where) for k, v in data["params"].items()},
        callpath,
        metric,
        exact(data["value"], "value", where),
        *(_index(data.get(k), k, where) for k in _FIELDS[4:]),
    )


def _index(value: object, what: str, where: str) -> int | None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 0):
        raise DataError(f"{where}: {what} is {str(value)[:40]!r}, not a number from 0 on")
    return value
