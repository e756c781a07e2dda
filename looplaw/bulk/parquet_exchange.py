"""Observations into datasets in Parquet, and out of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

import numpy as np

from looplaw_common.text import encodable
from modeling import DataError
from modeling.data.columns import Columns
from modeling.data.observations import Observation

from .dataset import parts, read_blocks

_BATCH = 1 << 16


def columns_for_parquet(observations: Iterable[Observation], *, merge: bool) -> Iterator[Columns]:
    """Observations as a dataset holds them: the repetitions of a point in their order.

    Args:
        merge: make ranks and threads repetitions too.

    Raises:
        DataError: there are ranks or threads and they are not merged, or a number that floating
            point cannot hold.
    """
    rest = iter(observations)
    while some := tuple(islice(rest, _BATCH)):
        for o in some:
            _expect_place(o, merge)
        yield Columns.of(some)


def _expect_place(o: Observation, merge: bool) -> None:
    for what, number in (("rank", o.rank), ("thread", o.thread)):
        if number is not None and not merge:
            raise DataError(
                f"{o.callpath}, {o.metric}: parquet has no place for a {what}; add --merge to"
                " make ranks and threads repetitions, or use --format csv or jsonl"
            )
    if not all(map(encodable, (*o.params, o.callpath, o.metric))):
        raise DataError(
            f"{o.callpath!r}, {o.metric!r}: a name is not text that parquet can hold; use --format"
            " jsonl"
        )
    if any(float(x) != x for x in (*o.params.values(), o.value)):
        raise DataError(
            f"{o.callpath}, {o.metric}: a whole number beyond 2**53 has no place in parquet,"
            " which holds floating point"
        )


def dataset_observations(path: str | Path) -> Iterator[Observation]:
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
