"""Measurements in Parquet, partitioned by groups of series that share their points.

A dataset is a folder of files `part-*.parquet`, each of which can be read alone. The metadata key
"looplaw" of a file holds JSON: the format and the groups in the file, {"parameters": ["n"],
"points": [[64.0], ...], "counts": [5, ...]}. A row is a series: `number` (the order of first
appearance), `group`, `callpath`, `metric`, `positive` (whether all means are), and `values`, the
repetitions of all points one after the other. So the points are stored once, and a partition is a
matrix.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from looplaw_common.files import replacing
from modeling import DataError, InputError, Measurements, Series
from modeling.data.measurements import Floats, Stack

from .packages import needed

FORMAT = "looplaw-measurements/1"
MOST_ROWS = 16384
"""Series of a partition; as many as `modeling` fits in one batch with one parameter."""
_KEY = b"looplaw"
_COLUMNS = ("number", "group", "callpath", "metric", "positive", "values")


@dataclass(frozen=True)
class Design:
    """The points of some series: parameters (m), points (P, m) in ascending order, number of
    repetitions at each (P,)."""

    parameters: tuple[str, ...]
    points: tuple[tuple[float, ...], ...]
    counts: tuple[int, ...]

    @property
    def starts(self) -> list[int]:
        """(P,) the place of the first repetition of each point among the values."""
        return (
            np.concatenate([[0], np.cumsum(self.counts)[:-1]]).astype(int).tolist()
            if self.counts
            else []
        )

    @property
    def free(self) -> int:
        """The number of parameters that vary."""
        table = self.table
        return int((np.ptp(table, axis=0) > 0).sum()) if len(table) else 0

    @property
    def table(self) -> Floats:
        """The points (P, m)."""
        return np.array(self.points, dtype=float).reshape(len(self.points), len(self.parameters))

    def statistics(self, values: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Means, sums of squared deviations, minima and maxima, each (K, P), of values (K, sum of
        counts)."""
        counts = np.array(self.counts)
        with np.errstate(over="ignore", invalid="ignore"):
            means = np.add.reduceat(values, self.starts, axis=1) / counts
            squares = np.add.reduceat(
                (values - np.repeat(means, counts, axis=1)) ** 2, self.starts, axis=1
            )
        return (
            means,
            squares,
            np.minimum.reduceat(values, self.starts, axis=1),
            np.maximum.reduceat(values, self.starts, axis=1),
        )

    def to_json(self) -> dict[str, object]:
        return {"parameters": self.parameters, "points": self.points, "counts": self.counts}


@dataclass(frozen=True)
class Block:
    """K series of one design: numbers, call paths and metrics (K,), values (K, sum of counts);
    `group` is the number of the design in its partition."""

    design: Design
    numbers: Sequence[int]
    callpaths: Sequence[str]
    metrics: Sequence[str]
    values: Floats
    group: int = 0

    def stack(self, rows: Sequence[int] | slice = slice(None)) -> Stack:
        """The series of these rows."""
        found = self.design.statistics(self.values[rows])
        numbers = range(len(self.callpaths))[rows] if isinstance(rows, slice) else rows
        counts: Floats = np.broadcast_to(np.array(self.design.counts, dtype=float), found[0].shape)
        return Stack(
            [self.callpaths[k] for k in numbers],
            [self.metrics[k] for k in numbers],
            self.design.parameters,
            self.design.table,
            counts,
            *found,
        )

    def series(self, rows: Sequence[int] | slice = slice(None)) -> list[Series]:
        """The series of these rows, one by one."""
        stack = self.stack(rows)
        return [stack.series(k) for k in range(len(stack))]


def write_part(path: Path, blocks: Sequence[Block]) -> None:
    """Write one partition; after a failure there is no file."""
    pa, pq = needed("pyarrow"), needed("pyarrow.parquet")
    designs = list(dict.fromkeys(b.design for b in blocks))
    place = {design: k for k, design in enumerate(designs)}
    header = json.dumps({"format": FORMAT, "groups": [d.to_json() for d in designs]})
    tables = []
    for b in blocks:
        means, *_ = b.design.statistics(b.values)
        rows, width = b.values.shape
        values = pa.ListArray.from_arrays(
            pa.array(np.arange(0, rows * width + 1, width or 1, dtype=np.int32)[: rows + 1]),
            pa.array(np.ascontiguousarray(b.values, dtype=float).reshape(-1)),
        )
        tables.append(
            pa.table(
                {
                    "number": pa.array(np.asarray(b.numbers, dtype=np.int64)),
                    "group": pa.array(np.full(rows, place[b.design], dtype=np.int32)),
                    "callpath": pa.array(b.callpaths, type=pa.string()),
                    "metric": pa.array(b.metrics, type=pa.string()),
                    "positive": pa.array((means > 0).all(axis=1)),
                    "values": values,
                }
            )
        )
    table = pa.concat_tables(tables).replace_schema_metadata({_KEY: header.encode()})
    with replacing(path) as partial:
        pq.write_table(
            table,
            partial,
            row_group_size=MOST_ROWS,
            use_dictionary=["group", "metric"],
            compression="none",
        )


def is_dataset(path: str | Path) -> bool:
    """Whether a path is a folder of partitions, or one of them."""
    place = Path(path)
    return (place.is_dir() and any(place.glob("*.parquet"))) or (
        place.suffix == ".parquet" and place.is_file()
    )


def parts(path: str | Path) -> list[Path]:
    """The partitions of a dataset, in order.

    Raises:
        InputError: there are none.
    """
    place = Path(path)
    found = (
        sorted(place.glob("*.parquet")) if place.is_dir() else [place] if place.is_file() else []
    )
    if not found:
        raise InputError(
            f"{path}: no Parquet files; make them with looplaw export FILE --format parquet"
            " --out DIR"
        )
    return found


def read_blocks(path: Path) -> Iterator[Block]:
    """The series of a partition, design by design.

    Raises:
        DataError: it is no partition of measurements.
    """
    table, designs = _read(path, _COLUMNS)
    groups = table["group"].to_numpy()
    for k, design in enumerate(designs):
        rows = table if len(designs) == 1 else table.filter(groups == k)
        if rows.num_rows == 0:
            continue
        width = sum(design.counts)
        values = rows["values"].combine_chunks()
        flat = values.flatten().to_numpy(zero_copy_only=False)
        if (
            values.null_count
            or len(flat) != rows.num_rows * width
            or (np.diff(values.offsets.to_numpy()) != width).any()
        ):
            raise DataError(f"{path}: a series does not have the {width} values of its group")
        if not np.isfinite(flat).all():
            raise DataError(f"{path}: a value is not a finite number")
        yield Block(
            design,
            rows["number"].to_numpy(),
            rows["callpath"].to_pylist(),
            rows["metric"].to_pylist(),
            flat.reshape(rows.num_rows, width),
            k,
        )


def read_part(path: Path) -> Measurements:
    """The series of a partition.

    Raises:
        DataError: it is no partition of measurements.
    """
    return Measurements(tuple(s for block in read_blocks(path) for s in block.series()))


def names_of(path: Path) -> tuple[Mapping[str, Any], list[Design]]:
    """(columns number, group, callpath, metric, positive as numpy arrays, designs) of a partition,
    without its values.

    Raises:
        DataError: it is no partition of measurements.
    """
    table, designs = _read(path, _COLUMNS[:-1])
    return {name: table[name].combine_chunks() for name in _COLUMNS[:-1]}, designs


def parameters_of(paths: Iterable[Path]) -> set[str]:
    """The parameters of all series of some partitions.

    Raises:
        DataError: one is no partition of measurements.
    """
    return {
        name for path in paths for design in _read(path, ["group"])[1] for name in design.parameters
    }


def _read(path: Path, columns: Sequence[str]) -> tuple[Any, list[Design]]:
    pa, pq = needed("pyarrow"), needed("pyarrow.parquet")
    try:
        with pq.ParquetFile(path) as file:
            header = json.loads((file.schema_arrow.metadata or {})[_KEY])
            if header["format"] != FORMAT:
                raise ValueError(f"its format is {header['format']!r}")
            designs = [_design(g) for g in header["groups"]]
            table = file.read(columns=list(columns))
        if any(table[name].null_count for name in columns):
            raise ValueError("a field is empty")
        groups = table["group"].to_numpy()
        if len(groups) and not 0 <= groups.min() <= groups.max() < len(designs):
            raise ValueError("a series is of a group that does not exist")
        return table, designs
    except (pa.ArrowException, ValueError, KeyError, TypeError, RecursionError) as error:
        raise DataError(
            f"{path}: not measurements in Parquet as looplaw export writes them: {error}"
        ) from None


def _design(data: Mapping[str, Any]) -> Design:
    found = Design(
        tuple(map(str, data["parameters"])),
        tuple(tuple(map(float, p)) for p in data["points"]),
        tuple(map(int, data["counts"])),
    )
    if (
        len(found.points) != len(found.counts)
        or not found.counts
        or min(found.counts) < 1
        or any(len(p) != len(found.parameters) for p in found.points)
        or list(found.points) != sorted(set(found.points))
    ):
        raise ValueError("its points and counts do not fit together")
    return found
