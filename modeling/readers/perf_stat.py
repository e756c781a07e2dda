"""`perf stat -j`: one JSON object a line and event; a line {"params": {"n": 64}} (or # n=64 p=4)
before a run says where it was measured, since perf does not know. An optional "callpath" stands in
the same object."""

from __future__ import annotations

import json
from collections.abc import Iterator

from looplaw_common.errors import DataError

from ..data.checks import number_text, point
from ..data.columns import Observation


def read_perf_stat(text: str, name: str) -> Iterator[Observation]:
    """Parse the runs.

    Raises:
        DataError: FILE:LINE: what is wrong with that line.
    """
    params: tuple[tuple[str, float], ...] | None = None
    callpath = "main"
    for count, line in enumerate(text.split("\n"), 1):
        where = f"{name}:{count}"
        line = line.strip()
        if line.startswith("#"):
            pairs = [word.partition("=") for word in line[1:].split() if "=" in word]
            if pairs:
                params = tuple(
                    sorted((n, number_text(v, f"parameter {n}", where)) for n, _, v in pairs)
                )
            continue
        if not line:
            continue
        try:
            data = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise DataError(f"{where}: not JSON: {error}") from None
        if not isinstance(data, dict):
            raise DataError(f"{where}: not an object")
        if "params" in data:
            params, callpath = point(data["params"], where), str(data.get("callpath", "main"))
        elif "counter-value" in data:
            if params is None:
                raise DataError(
                    f"{where}: nothing says for which parameters; put a line # n=64 before each run"
                )
            value = str(data["counter-value"])
            if not value.startswith("<"):  # <not counted>, <not supported>
                yield Observation(
                    callpath,
                    str(data.get("event", "event")),
                    params,
                    number_text(value, "the counter", where),
                )


def is_perf_stat(text: str) -> bool:
    """Does it have perf's fields?"""
    return '"counter-value"' in text[: 1 << 16]
