"""`perf stat -j`: one JSON object for each line and event.

perf does not know the parameters, so a line {"params": {"n": 64}} or # n=64 p=4 before each run
gives them; an optional "callpath" stands in the same object.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from looplaw_common.documents import what_is_wrong
from looplaw_common.errors import DataError, InputError

from ..data.checks import exact_text, measured_text, parameters
from ..data.observations import Number, Observation
from ..data.units import unit_of
from .reader import TextReader


def read_perf_stat(text: str, name: str) -> Iterator[Observation]:
    """Parse the runs.

    Raises:
        DataError: FILE:LINE: what is wrong with that line.
    """
    params: dict[str, Number] | None = None
    callpath = "main"
    for count, line in enumerate(text.split("\n"), 1):
        where = f"{name}:{count}"
        line = line.strip()
        if line.startswith("#"):
            pairs = [word.partition("=") for word in line[1:].split() if "=" in word]
            if pairs:
                params = {n: exact_text(v, f"parameter {n}", where) for n, _, v in pairs}
            continue
        if not line:
            continue
        try:
            data = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise DataError(f"{where}: {what_is_wrong(error)}") from None
        if not isinstance(data, dict):
            raise DataError(f"{where}: not an object")
        if "params" in data:
            params, callpath = parameters(data["params"], where), str(data.get("callpath", "main"))
        elif "counter-value" in data:
            if params is None:
                raise DataError(
                    f"{where}: nothing says for which parameters; put a line # n=64 before each run"
                )
            value = str(data["counter-value"])
            if not value.startswith("<"):  # <not counted>, <not supported>
                yield Observation(
                    params,
                    callpath,
                    str(data.get("event", "event")),
                    measured_text(value, "the counter", where),
                    line=count,
                    unit=unit_of(str(data.get("unit") or "")),
                )


def is_perf_stat(text: str) -> bool:
    """Does it have perf's fields?"""
    return '"counter-value"' in text[: 1 << 16]


def _refuse_table(text: str, name: str) -> None:
    """Refuse the table that perf stat writes without -j."""
    if text.startswith("# started on") or "Performance counter stats for" in text[: 1 << 12]:
        raise InputError(
            f"{name}: perf stat without -j; run perf stat -j -o FILE and write a line '# n=64'"
            " before each run, since perf does not know the parameters"
        )


READERS = (
    TextReader(
        "perf stat -j", ".txt", is_perf_stat, read_perf_stat, order=10, diagnose=_refuse_table
    ),
)
