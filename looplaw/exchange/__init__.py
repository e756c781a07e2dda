"""Observations out and in: JSON Lines, Extra-P's text and JSON, CSV.

Readers are those of `modeling.readers`, asked to be strict; a writer is one function in a file
here. What a format has no place for is refused, never dropped, so that what was written comes back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from modeling.data.observations import Observation, numbered
from modeling.readers import READERS

from .calls import PER_CALL, call_observations
from .runs import observations_of, study_observations
from .value_tables import merged
from .write_csv import for_spreadsheets, write_csv
from .write_extrap_json import write_extrap_json
from .write_extrap_text import write_extrap_text
from .write_json_lines import write_json_lines

Writer = Callable[[Sequence[Observation]], str]


@dataclass(frozen=True)
class Format:
    """A format that is read and written. reader: its name in `modeling.readers`; suffix: how files
    of the format end."""

    reader: str
    write: Writer
    suffix: str

    def read(self, text: str, name: str) -> tuple[Observation, ...]:
        """Parse a text in this format.

        Raises:
            DataError: FILE:LINE: what is wrong with that line.
        """
        reader = next(r for r in READERS if r.name == self.reader)
        return tuple(reader.observations(text, name, strict=True))


FORMATS: Mapping[str, Format] = {
    "jsonl": Format("JSON Lines", write_json_lines, ".jsonl"),
    "extrap": Format("Extra-P text", write_extrap_text, ".txt"),
    "extrap-json": Format("Extra-P JSON", write_extrap_json, ".json"),
    "csv": Format("CSV", write_csv, ".csv"),
}

__all__ = [
    "FORMATS",
    "PER_CALL",
    "Format",
    "Observation",
    "call_observations",
    "for_spreadsheets",
    "merged",
    "numbered",
    "observations_of",
    "study_observations",
    "write_json_lines",
]
