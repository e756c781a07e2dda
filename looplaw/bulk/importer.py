"""Write observations in any order to Parquet, out of core: as series, grouped by shared points.

Two passes over the disk. The first numbers the series in the order of appearance and appends each
observation to the bucket of its series' number; the second reads one bucket after the other. Memory
holds the names of the series and of the points, one bucket, and the series that wait until their
group fills a partition.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from looplaw_common.scratch import scratch_folder
from modeling import DataError
from modeling.data.columns import Columns, Numbers
from modeling.data.observations import Point, SeriesName

from .dataset import MOST_ROWS, Block, Design, write_part

_RECORD = np.dtype([("series", "<i8"), ("point", "<i4"), ("value", "<f8")])
_BUCKET = 1 << 14  # series of a bucket
_BUFFERED = 1 << 20  # observations in memory before they are appended to buckets
_WAITING_BYTES = 256 << 20  # of series whose partitions are not full
Records = NDArray[np.void]


def write_dataset(pieces: Iterable[Columns], folder: Path, name: str) -> int:
    """Write the observations of all pieces as a dataset, and return the number of series.

    Raises:
        DataError: there are no observations, or a series has different parameters at different
            points; `name` begins the message.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.glob("*.parquet")):
        raise DataError(f"{folder}: holds Parquet files already; name another directory")
    with scratch_folder("import", folder) as scratch:
        spill = _Spill(scratch)
        for piece in pieces:
            spill.add(piece)
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
    """Observations on the disk, in buckets of consecutive series; the files are scratch, gone when
    the dataset is written."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.series: Numbers[SeriesName] = Numbers()
        self._numbers: Numbers[Point] = Numbers()
        self._waiting: list[Records] = []
        self._rows = 0

    @property
    def points(self) -> list[Point]:
        return list(self._numbers)

    def add(self, piece: Columns) -> None:
        for fault in piece.faults.values():
            raise DataError(fault)
        series, points, values = piece.arrays()
        rows = np.empty(len(values), dtype=_RECORD)
        rows["series"] = self.series.of(piece.series)[series]
        rows["point"] = self._numbers.of(piece.points)[points]
        rows["value"] = values
        self._waiting.append(rows)
        self._rows += len(rows)
        if self._rows >= _BUFFERED:
            self._flush()

    def _flush(self) -> None:
        if not self._waiting:
            return
        rows = np.concatenate(self._waiting)
        self._waiting.clear()
        self._rows = 0
        bucket = rows["series"] // _BUCKET
        order = np.argsort(bucket, kind="stable")
        rows, bucket = rows[order], bucket[order]
        for number in np.unique(bucket).tolist():
            first, last = np.searchsorted(bucket, [number, number + 1])
            with (self._folder / str(number)).open("ab") as file:
                file.write(rows[first:last].tobytes())

    def buckets(self) -> Iterator[Records]:
        """The observations of one bucket after the other, ordered by series, then by appearance."""
        self._flush()
        for number in range((len(self.series) - 1) // _BUCKET + 1):
            path = self._folder / str(number)
            rows = np.frombuffer(path.read_bytes(), dtype=_RECORD)
            path.unlink()
            yield rows[np.argsort(rows["series"], kind="stable")]


def _blocks(
    rows: Records, names: Sequence[tuple[str, str]], points: Sequence[Point], name: str
) -> Iterator[Block]:
    """The series of a bucket, one block each."""
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
    numbers: Sequence[int], points: Sequence[Point], series: str, name: str
) -> tuple[Design, NDArray[np.int64]]:
    """(the design of a series with observations at the points of these numbers, the order that
    sorts its observations by point)."""
    params = [points[k] for k in numbers]
    parameters = tuple(n for n, _ in params[0])
    for other in params:
        if tuple(n for n, _ in other) != parameters:
            raise DataError(
                f"{name}: {series}: some observations have the parameters {', '.join(parameters)},"
                f" others {', '.join(n for n, _ in other)}"
            )
    values = [tuple(float(v) for _, v in p) for p in params]
    distinct = sorted(set(values))
    place = {point: k for k, point in enumerate(distinct)}
    label = np.array([place[v] for v in values])
    return Design(
        parameters, tuple(distinct), tuple(np.bincount(label, minlength=len(distinct)).tolist())
    ), np.argsort(label, kind="stable")


class _Writer:
    """Gathers series by design and metric, and writes a partition when a group is large enough."""

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
        """Write the groups that wait; small ones share a partition."""
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
