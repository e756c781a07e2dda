"""Observations into Parquet, out of core: lines in any order become series, grouped by the points
they share.

Two passes over the disk. The first gives each series a number, in the order of appearance, and
appends each observation to the bucket that its number belongs to; the second takes the buckets one
by one. In memory are the names of the series and of the points, one bucket, and the series that
wait until enough of their group have come for a partition.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from modeling import DataError
from modeling.data.columns import Observation

from .dataset import MOST_ROWS, Block, Design, write_part

_RECORD = np.dtype([("series", "<i8"), ("point", "<i4"), ("value", "<f8")])
_BUCKET = 1 << 14
_BUFFERED = 1 << 20
_WAITING_BYTES = 256 << 20
Records = NDArray[np.void]
Params = tuple[tuple[str, float], ...]


def write_dataset(observations: Iterable[Observation], folder: Path, name: str) -> int:
    """Write a dataset; returns the number of series.

    Raises:
        DataError: there are no observations, or a series has different parameters at different
            points; `name` begins the message.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.glob("*.parquet")):
        raise DataError(f"{folder}: holds Parquet files already; name another directory")
    with tempfile.TemporaryDirectory(prefix=".import-", dir=folder) as scratch:
        spill = _Spill(Path(scratch))
        for o in observations:
            spill.add(o)
        if not spill.series:
            raise DataError(f"{name}: holds no observations")
        writer = _Writer(folder)
        names = list(spill.series)
        for bucket in spill.buckets():
            for block in _blocks(bucket, names, spill.points, name):
                writer.add(block)
        writer.finish()
        return len(names)


class _Spill:
    """Observations on the disk, in buckets of consecutive series."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.series: dict[tuple[str, str], int] = {}
        self._numbers: dict[Params, int] = {}
        self._rows: list[tuple[int, int, float]] = []

    @property
    def points(self) -> list[Params]:
        return list(self._numbers)

    def add(self, o: Observation) -> None:
        series = self.series.setdefault((o.callpath, o.metric), len(self.series))
        self._rows.append((series, self._numbers.setdefault(o.params, len(self._numbers)), o.value))
        if len(self._rows) >= _BUFFERED:
            self._flush()

    def _flush(self) -> None:
        rows = np.array(self._rows, dtype=_RECORD)
        self._rows.clear()
        bucket = rows["series"] // _BUCKET
        order = np.argsort(bucket, kind="stable")
        rows, bucket = rows[order], bucket[order]
        for number in np.unique(bucket).tolist():
            first, last = np.searchsorted(bucket, [number, number + 1])
            with (self._folder / str(number)).open("ab") as file:
                file.write(rows[first:last].tobytes())

    def buckets(self) -> Iterator[Records]:
        """The observations of one bucket after the other, by series, each in the order in which
        they came."""
        self._flush()
        for number in range((len(self.series) - 1) // _BUCKET + 1):
            path = self._folder / str(number)
            rows = np.frombuffer(path.read_bytes(), dtype=_RECORD)
            path.unlink()
            yield rows[np.argsort(rows["series"], kind="stable")]


def _blocks(
    rows: Records, names: Sequence[tuple[str, str]], points: Sequence[Params], name: str
) -> Iterator[Block]:
    """The series of a bucket, one a block."""
    known: dict[bytes, tuple[Design, NDArray[np.int64]]] = {}
    starts = np.concatenate([[0], np.flatnonzero(np.diff(rows["series"])) + 1, [len(rows)]])
    for first, last in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        some = rows[first:last]
        series = int(some["series"][0])
        signature = some["point"].tobytes()
        if signature not in known:
            known[signature] = _designed(
                some["point"].tolist(), points, ", ".join(names[series]), name
            )
        design, order = known[signature]
        yield Block(
            design, [series], [names[series][0]], [names[series][1]], some["value"][order][None]
        )


def _designed(
    numbers: Sequence[int], points: Sequence[Params], series: str, name: str
) -> tuple[Design, NDArray[np.int64]]:
    """The design of observations at points with these numbers, and the order that sorts them by
    point."""
    params = [points[k] for k in numbers]
    parameters = tuple(n for n, _ in params[0])
    for other in params:
        if tuple(n for n, _ in other) != parameters:
            raise DataError(
                f"{name}: {series}: some observations have the parameters {', '.join(parameters)},"
                f" others {', '.join(n for n, _ in other)}"
            )
    values = [tuple(v for _, v in p) for p in params]
    distinct = sorted(set(values))
    place = {point: k for k, point in enumerate(distinct)}
    label = np.array([place[v] for v in values])
    return Design(
        parameters, tuple(distinct), tuple(np.bincount(label, minlength=len(distinct)).tolist())
    ), np.argsort(label, kind="stable")


class _Writer:
    """Gathers series of a design and a metric, and writes a partition when there are enough of
    them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._waiting: dict[tuple[Design, str], list[Block]] = {}
        self._bytes = self._written = 0

    def add(self, block: Block) -> None:
        key = (block.design, block.metrics[0])
        waiting = self._waiting.setdefault(key, [])
        waiting.append(block)
        self._bytes += block.values.nbytes
        if len(waiting) >= MOST_ROWS:
            self._write([_joined(self._waiting.pop(key))])
        elif self._bytes > _WAITING_BYTES:
            self.finish()

    def finish(self) -> None:
        """Write what waits: small groups share a partition."""
        rows = 0
        some: list[Block] = []
        for blocks in self._waiting.values():
            if rows and rows + len(blocks) > MOST_ROWS:
                self._write(some)
                rows, some = 0, []
            some.append(_joined(blocks))
            rows += len(blocks)
        if some:
            self._write(some)
        self._waiting.clear()

    def _write(self, blocks: Sequence[Block]) -> None:
        write_part(self._folder / f"part-{self._written:06d}.parquet", blocks)
        self._written += 1
        self._bytes -= sum(b.values.nbytes for b in blocks)


def _joined(blocks: Sequence[Block]) -> Block:
    return Block(
        blocks[0].design,
        [n for b in blocks for n in b.numbers],
        [c for b in blocks for c in b.callpaths],
        [m for b in blocks for m in b.metrics],
        np.concatenate([b.values for b in blocks]),
    )
