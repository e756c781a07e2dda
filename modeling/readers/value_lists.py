"""Formats that list the values of a point: their order numbers the repetitions."""

from __future__ import annotations

from collections.abc import Iterable

from looplaw_common.errors import DataError

from ..data.observations import Observation, numbered
from .reader import Observe


def numbered_repetitions(observe: Observe) -> Observe:
    """A reader that numbers the values of each point as repetitions, and refuses a file without
    any."""

    def read(text: str, name: str) -> Iterable[Observation]:
        found = tuple(numbered(observe(text, name)))
        if not found:
            raise DataError(f"{name}: holds no observations")
        return found

    return read
