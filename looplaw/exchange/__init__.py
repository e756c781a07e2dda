"""Observations in the formats of others: JSON Lines, Extra-P's text and JSON, CSV.

A format is one file here with `read_...(text, name)` and `write_...(observations)`, and one entry
in `FORMATS`. What a format has no place for is refused, never dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from .calls import PER_CALL, call_observations
from .csv import read_csv, write_csv
from .extrap_json import read_extrap_json, write_extrap_json
from .extrap_text import read_extrap_text, write_extrap_text
from .jsonlines import read_json_lines, write_json_lines
from .observations import Observation, merged, numbered
from .runs import observations_of, study_observations

Reader = Callable[[str, str], Sequence[Observation]]
Writer = Callable[[Sequence[Observation]], str]


@dataclass(frozen=True)
class Format:
    """A reader of (text, name for messages), a writer, and how files of the format end."""

    read: Reader
    write: Writer
    suffix: str


FORMATS: Mapping[str, Format] = {
    "jsonl": Format(read_json_lines, write_json_lines, ".jsonl"),
    "extrap": Format(read_extrap_text, write_extrap_text, ".txt"),
    "extrap-json": Format(read_extrap_json, write_extrap_json, ".json"),
    "csv": Format(read_csv, write_csv, ".csv"),
}

__all__ = [
    "FORMATS",
    "PER_CALL",
    "Format",
    "Observation",
    "call_observations",
    "merged",
    "numbered",
    "observations_of",
    "study_observations",
    "write_json_lines",
]
