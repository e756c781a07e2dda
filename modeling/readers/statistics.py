"""Files `*.stats`: statistics that processes have aggregated, as a sequence of records, read one at
a time.

A record is a line of JSON and the data that it announces. {"layout": ID, "series": [{"callpath",
"metric", "parameters", "points"}]} gives the order of cells, ID being the first 32 digits of the
SHA-256 of the text of the series. {"statistics": ID, "cells": n} precedes the statistics of one
process: n numbers of observations, n means and n sums of squared deviations (64-bit floating point,
little-endian). {"sums": ID, "cells": n, "first": [number of the lowest limb, limbs], "second":
[...]} precedes those of many: n numbers of observations and the limbs of exact sums (64-bit
integers).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from looplaw_common.errors import DataError, InputError

from ..data.aggregate import Aggregate, Layout, Sums
from ..data.checks import number
from ..data.exact_sums import LIMBS
from ..data.measurements import Measurements
from .reader import FileReader

SUFFIX = ".stats"
_MOST_LINE = 256 << 20
_MOST_BYTES = 4 << 30
_DIGITS = 32


def write_statistics(stream: BinaryIO, measurements: Measurements) -> None:
    """Write the measurements of one process (see `OnlineFitter.measurements`) to a binary
    stream."""
    layout = Layout.of(measurements)
    name = write_layout(stream, layout)
    write_process(
        stream,
        name,
        *(
            np.concatenate([getattr(s, what) for s in measurements.series])
            for what in ("counts", "means", "squares")
        ),
    )


def write_layout(stream: BinaryIO, layout: Layout) -> str:
    """Write a layout, and return the name by which later records refer to it."""
    series = json.dumps(
        [
            {"callpath": c, "metric": m, "parameters": p, "points": points}
            for (c, m, p), points in zip(layout.series, layout.points, strict=True)
        ]
    )
    name = _digest(series.encode())
    stream.write(f'{{"layout": "{name}", "series": {series}}}\n'.encode())
    return name


def write_process(stream: BinaryIO, layout: str, counts: Any, means: Any, squares: Any) -> None:
    """Write the statistics (cells,) of one process in the order of the layout of that name."""
    stream.write(f'{{"statistics": "{layout}", "cells": {len(counts)}}}\n'.encode())
    for values in (counts, means, squares):
        stream.write(np.ascontiguousarray(values, dtype="<f8").tobytes())


def write_sums(stream: BinaryIO, merged: Aggregate) -> None:
    """Write merged statistics as exact sums, so that they can be merged further without
    rounding."""
    sums = merged.sums()
    name = write_layout(stream, merged.layout())
    stream.write(
        json.dumps(
            {
                "sums": name,
                "cells": len(sums.counts),
                "first": [sums.lowest_first, sums.first.shape[1]],
                "second": [sums.lowest_second, sums.second.shape[1]],
            }
        ).encode()
        + b"\n"
    )
    for values in (sums.counts, sums.first, sums.second):
        stream.write(np.ascontiguousarray(values, dtype="<i8").tobytes())


def read_statistics(path: Path) -> Measurements:
    """The measurements of all processes in a file.

    Raises:
        DataError: it is not such a file, or holds nothing.
    """
    return merged([path]).measurements()


def read_statistics_folder(folder: Path) -> Measurements:
    """The measurements of all processes in the files of a folder."""
    return merged(files_of([folder])).measurements()


def files_of(paths: Iterable[Path]) -> Iterator[Path]:
    """The files among the paths, and the files of statistics below the folders.

    Raises:
        InputError: a path does not exist, or a folder holds no such file.
    """
    for path in paths:
        if not path.is_dir():
            if not path.is_file():
                raise InputError(f"{path}: no such file or directory")
            yield path
            continue
        found = sorted(path.rglob(f"*{SUFFIX}"))
        if not found:
            raise InputError(f"{path}: holds no files *{SUFFIX}")
        yield from found


def merged(paths: Iterable[Path], into: Aggregate | None = None) -> Aggregate:
    """The statistics of all files together; memory holds these and one record.

    Raises:
        DataError: FILE: what is wrong with a record.
    """
    result = Aggregate() if into is None else into
    layouts: dict[str, Layout] = {}
    for path in paths:
        with path.open("rb") as stream:
            merge_stream(stream, str(path), result, layouts)
    return result


def merge_stream(
    stream: BinaryIO, name: str, into: Aggregate, layouts: dict[str, Layout] | None = None
) -> int:
    """Add all records of a stream to an aggregate.

    Args:
        layouts: known layouts by name; those of the stream are added.

    Returns:
        the number of records that held statistics.

    Raises:
        DataError: NAME, record K: what is wrong with it.
    """
    known = {} if layouts is None else layouts
    count = 0
    while line := stream.readline(_MOST_LINE):
        where = f"{name}, record {count + 1}"
        header = _header(line, where, known)
        if header is None:
            continue
        try:
            layout = known[str(header.get("statistics", header.get("sums")))]
            if header["cells"] != layout.cells:
                raise ValueError("its number of cells is not that of its layout")
            if "statistics" in header:
                values = _array(stream, "<f8", 3 * layout.cells).reshape(3, -1)
                into.add(layout, *values)
            else:
                into.plus(layout, _sums(stream, header, layout.cells))
        except (KeyError, ValueError, TypeError) as error:
            raise DataError(f"{where}: not statistics: {error}") from None
        except DataError as error:
            raise DataError(f"{where}: {error}") from None
        count += 1
    return count


def _header(line: bytes, where: str, known: dict[str, Layout]) -> Mapping[str, Any] | None:
    """The header of a record of statistics; None for a layout, which is added to the known ones."""
    if line.startswith(b'{"layout": "'):
        name = line[12 : 12 + _DIGITS].decode("ascii", errors="replace")
        series = line[12 + _DIGITS + len(b'", "series": ') :].rstrip(b"\n").removesuffix(b"}")
        if _digest(series) != name:
            raise DataError(f"{where}: a layout is damaged or not complete")
        if name not in known:
            known[name] = _layout(series, where)
        return None
    try:
        header = json.loads(line)
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict):
        raise DataError(f"{where}: not statistics that looplaw wrote (*{SUFFIX})")
    return header


def _layout(text: bytes, where: str) -> Layout:
    try:
        data = json.loads(text)
        series = tuple(
            (str(s["callpath"]), str(s["metric"]), tuple(map(str, s["parameters"]))) for s in data
        )
        points = tuple(
            tuple(tuple(number(x, "a coordinate", where) for x in p) for p in s["points"])
            for s in data
        )
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise DataError(f"{where}: not a layout: {error!r}") from None
    for (callpath, metric, names), of in zip(series, points, strict=True):
        if any(len(p) != len(names) for p in of) or len(set(of)) != len(of):
            raise DataError(
                f"{where}: {callpath}, {metric}: its points are not distinct, or lack a parameter"
            )
    if len(set(series)) != len(series):
        raise DataError(f"{where}: a series stands twice in a layout")
    return Layout(series, points)


def _sums(stream: BinaryIO, header: Mapping[str, Any], cells: int) -> Sums:
    limbs = {}
    counts = _array(stream, "<i8", cells)
    if (counts < 0).any():
        raise ValueError("a negative number of observations")
    for which in ("first", "second"):
        low, width = header[which]
        if not (
            isinstance(low, int) and isinstance(width, int) and 0 <= low <= low + width <= LIMBS
        ):
            raise ValueError("its limbs are not those of a sum")
        limbs[which] = _array(stream, "<i8", cells * width).reshape(cells, width), low
    return Sums(counts, *limbs["first"], *limbs["second"])


def _array(stream: BinaryIO, kind: str, size: int) -> Any:
    if size * 8 > _MOST_BYTES:
        raise ValueError(f"a record of more than {_MOST_BYTES >> 30} GiB")
    data = stream.read(size * 8)
    if len(data) != size * 8:
        raise ValueError("it ends too early")
    return np.frombuffer(data, dtype=kind)


def _digest(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()[:_DIGITS]


FILE_READERS = (FileReader(f"*{SUFFIX}", read_statistics_folder, read_statistics),)
