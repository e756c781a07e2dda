"""Files of measurements as reports take them: aggregated, and again with their ranks kept apart."""

from __future__ import annotations

from pathlib import Path

from modeling import Measurements, read
from modeling.data.ranks import RankedMeasurements, by_rank_where_known
from modeling.readers import file_reader_of, read_observations, read_text, reader_of, text_of


def measured(
    source: str, *, strict: bool = False
) -> tuple[Measurements, RankedMeasurements | None]:
    """Measurements as `modeling.read` finds them, and again with ranks apart where they have any;
    "-" is stdin.

    Raises:
        InputError: no such file, or of a kind that no reader knows.
        DataError: the content is wrong.
    """
    path = Path(source)
    if source != "-" and (not path.is_file() or file_reader_of(path) is not None):
        return read(source, strict=strict), None
    text, name = text_of(source)
    measurements = read_text(text, name, path.suffix, strict=strict)
    if measurements.left_out or not reader_of(text, name, path.suffix).has_ranks(text):
        return measurements, None
    return measurements, by_rank_where_known(read_observations(text, name, path.suffix))


def title_of(source: str) -> str:
    """What a report calls a file of measurements."""
    return "standard input" if source == "-" else Path(source).name
