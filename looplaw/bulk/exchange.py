"""Observations of the other formats into Parquet, and out of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from modeling import DataError
from modeling.data.columns import Observation as Plain

from ..exchange import Observation
from ..exchange.jsonlines import read_json_lines
from .dataset import parts, read_blocks


def json_line_observations(path: str) -> Iterator[Observation]:
    """The observations of a file of JSON Lines, line by line, with ranks, threads and repetitions.

    Raises:
        DataError: FILE:LINE: what is wrong with that line.
    """
    with Path(path).open("rb") as stream:
        for number, line in enumerate(stream, 1):
            try:
                yield from read_json_lines(line.decode("utf-8").rstrip("\n"), path)
            except UnicodeDecodeError:
                raise DataError(f"{path}:{number}: not text in UTF-8") from None
            except DataError as error:
                raise DataError(str(error).replace(f"{path}:1:", f"{path}:{number}:", 1)) from None


def plain(observations: Iterable[Observation], *, merge: bool) -> Iterator[Plain]:
    """Observations as a dataset has them: repetitions of a point in their order. `merge`: so are
    ranks and threads.

    Raises:
        DataError: there are ranks or threads and they are not merged, or a number that is not one
            in floating point.
    """
    for o in observations:
        for what, number in (("rank", o.rank), ("thread", o.thread)):
            if number is not None and not merge:
                raise DataError(
                    f"{o.callpath}, {o.metric}: parquet has no place for a {what}; add --merge to"
                    " make ranks and threads repetitions, or use --format csv or jsonl"
                )
        if any(float(x) != x for x in (*o.params.values(), o.value)):
            raise DataError(
                f"{o.callpath}, {o.metric}: a whole number beyond 2**53 has no place in parquet,"
                " which holds floating point"
            )
        yield Plain(
            o.callpath,
            o.metric,
            tuple(sorted((n, float(x)) for n, x in o.params.items())),
            float(o.value),
        )


def dataset_observations(path: str) -> Iterator[Observation]:
    """The observations of a dataset; repetitions are numbered, whole numbers are integers.

    Raises:
        DataError: a file is no partition of measurements.
    """
    for part in parts(path):
        for block in read_blocks(part):
            points = [
                dict(zip(block.design.parameters, map(_number, p), strict=True))
                for p in block.design.points
            ]
            places = [(k, r) for k, n in enumerate(block.design.counts) for r in range(n)]
            for callpath, metric, values in zip(
                block.callpaths, block.metrics, np.asarray(block.values), strict=True
            ):
                for (k, r), value in zip(places, values.tolist(), strict=True):
                    yield Observation(points[k], callpath, metric, _number(value), repetition=r)


def _number(value: float) -> int | float:
    return int(value) if value.is_integer() else value
