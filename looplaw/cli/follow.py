"""Observations as they are appended to a file: models while they converge, and laws that change."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain
from pathlib import Path

from modeling import DataError, Measurements, OnlineFitter
from modeling.data.observations import Observation
from modeling.readers.jsonlines import parse_line
from staticana import InputError

from ..studies.modelers import Metered
from .console import messages, say
from .convergence import Convergence

_WAIT_S = 0.2
_MAX_LINE = 1 << 20


def followed(file: str, method: str) -> Measurements:
    """Everything that a file in JSON Lines held until Ctrl-C, or standard input (-) until its end;
    models and changes of laws are shown on the way.

    Raises:
        InputError: no such file.
        DataError: FILE:LINE: what is wrong with that line; nothing was observed.
    """
    name = "<stdin>" if file == "-" else file
    observed = _observations(_lines(file), name)
    try:
        first = next(observed, None)
    except KeyboardInterrupt:
        first = None
    if first is None:
        raise DataError(f"{name}: holds no observations")
    fitter = OnlineFitter(tuple(first.params), method=method)
    with (
        Convergence(
            Metered(fitter.models, fitter), messages, say, lambda: fitter.drifts, unit="observation"
        ) as shown,
        suppress(KeyboardInterrupt),
    ):
        for o in chain([first], observed):
            if set(o.params) != set(fitter.parameters):
                raise DataError(
                    f"{name}:{o.line}: the parameters are {', '.join(o.params) or 'none'}, but"
                    f" those of the first line are {', '.join(fitter.parameters) or 'none'}"
                )
            fitter.observe(o.callpath, o.metric, o.params, o.value)
            shown.finished()
    return fitter.measurements()


def _observations(lines: Iterable[str], name: str) -> Iterator[Observation]:
    for count, line in enumerate(lines, 1):
        if line.strip():
            yield parse_line(line, name, count)


def _lines(file: str) -> Iterator[str]:
    """Whole lines; of a file those that are appended later too."""
    if file == "-":
        yield from sys.stdin
        return
    path = Path(file)
    if not path.is_file():
        raise InputError(f"{file}: no such file")
    with path.open(encoding="utf-8") as stream:
        part = ""
        while True:
            part += stream.readline(_MAX_LINE)
            if part.endswith("\n") or len(part) >= _MAX_LINE:
                yield part
                part = ""
            else:
                time.sleep(_WAIT_S)
