"""Estimate the noise that the series of a dataset share, from the same sample of series that `fit`
takes of all series."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from modeling import Measurements, Series, pool_noise, sampled
from modeling.fitter.batches import UNPOOLED, PooledNoise

from .dataset import names_of, read_blocks
from .packages import needed

_FEW_POINTS = 2
Codes = NDArray[np.int64]
Key = tuple[tuple[str, ...], tuple[tuple[float, ...], ...], str]
"""(parameters, points, metric); the number of repetitions does not matter."""
Place = tuple[int, int, int]
"""(partition, group in it, row in that)."""


@dataclass(frozen=True)
class _Piece:
    """Series of positive values of one group and metric of a partition: their rows and names,
    and how many parameters vary."""

    partition: int
    group: int
    free: int
    rows: Codes
    names: Any


def pooled_noise_of(paths: Sequence[Path]) -> Mapping[str, PooledNoise]:
    """The pooled noise of each metric. Memory holds the names of all series, but
    values of the sample only.

    Raises:
        DataError: a file is no partition of measurements.
    """
    pieces, metrics = _pieces(paths)
    wanted: list[Place] = []
    for metric in metrics:
        of = [(some[0].free, some) for (_, _, name), some in pieces.items() if name == metric]
        slices = sampled([(free, sum(len(p.rows) for p in some)) for free, some in of])
        wanted += [
            place
            for (_, some), rows in zip(of, slices, strict=True)
            for place in _sorted(some, rows)
        ]
    series = _series(paths, wanted)
    pooled = pool_noise(Measurements(tuple(series[place] for place in wanted)))
    return {metric: pooled.get(metric, UNPOOLED) for metric in metrics}


def _pieces(paths: Sequence[Path]) -> tuple[dict[Key, list[_Piece]], list[str]]:
    """(pieces of each design and metric, in the order of their first appearance; all metrics)."""
    found: dict[Key, list[_Piece]] = {}
    first: dict[Key, int] = {}
    metrics: dict[str, None] = {}
    for partition, path in enumerate(paths):
        columns, designs = names_of(path)
        encoded = columns["metric"].dictionary_encode()
        names, codes = encoded.dictionary.to_pylist(), encoded.indices.to_numpy()
        metrics |= dict.fromkeys(names)
        group, number = columns["group"].to_numpy(), columns["number"].to_numpy()
        positive = columns["positive"].to_numpy(zero_copy_only=False)
        for g, design in enumerate(designs):
            rows = np.flatnonzero(group == g)
            for code, name in enumerate(names if len(design.points) > _FEW_POINTS else ()):
                some = np.flatnonzero((codes[rows] == code) & positive[rows])
                if len(some):
                    key, lowest = (
                        (design.parameters, design.points, name),
                        int(number[rows[some]].min()),
                    )
                    callpaths = columns["callpath"].take(rows[some])
                    found.setdefault(key, []).append(
                        _Piece(partition, g, design.free, some, callpaths)
                    )
                    first[key] = min(first.get(key, lowest), lowest)
    return {key: found[key] for key in sorted(found, key=lambda k: first[k])}, list(metrics)


def _sorted(pieces: Sequence[_Piece], rows: slice) -> Iterator[Place]:
    """The places of the series at these rows, among all in the order of their names."""
    pa, pc = needed("pyarrow"), needed("pyarrow.compute")
    order = (
        pc.sort_indices(pa.chunked_array([p.names for p in pieces]))
        .to_numpy()[rows]
        .astype(np.int64)
    )
    starts = np.cumsum([0] + [len(p.rows) for p in pieces])
    for place, k in zip(np.searchsorted(starts, order, side="right") - 1, order, strict=True):
        piece = pieces[place]
        yield piece.partition, piece.group, int(piece.rows[k - starts[place]])


def _series(paths: Sequence[Path], places: Sequence[Place]) -> dict[Place, Series]:
    """The series at these places; each partition is read once."""
    found: dict[Place, Series] = {}
    for partition in sorted({p for p, _, _ in places}):
        for block in read_blocks(paths[partition]):
            rows = sorted({row for p, g, row in places if (p, g) == (partition, block.group)})
            found |= {
                (partition, block.group, row): s
                for row, s in zip(rows, block.series(rows), strict=True)
            }
    return found
