"""Model one partition: fit its series together, write the models to a file, and summarise them.

Repeating it gives the same file, so the loss of a worker costs no more than its current partition.
"""

from __future__ import annotations

import heapq
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from looplaw_common.files import replacing, write_whole
from modeling import Measurements, Models, fit
from modeling.data.measurements import Floats
from modeling.fitter.batches import PooledNoise
from modeling.fitter.fit import fit_stack
from modeling.pmnf.model import ModelTable

from .dataset import Block, read_blocks
from .packages import needed

_HORIZON = 2.0
"""Values are predicted at this multiple of the largest value of each parameter by default."""
_LEVEL = 0.9


@dataclass(frozen=True)
class Job:
    """What to do with each partition. pooled: noise estimated from all series of each metric (see
    `modeling.pool_noise`); at: where values are predicted, by default at twice the largest value of
    a parameter; top: how many of the largest values to report; out: folder for Parquet files,
    lines: folder for JSON lines, each None to write none."""

    pooled: Mapping[str, PooledNoise]
    method: str
    at: Mapping[str, float]
    top: int
    out: Path | None
    lines: Path | None


@dataclass(frozen=True)
class Forecasts:
    """Predictions of K models at one point: values and the ends of their intervals (K,)."""

    at: Mapping[str, float]
    values: Floats
    low: Floats
    high: Floats


@dataclass(frozen=True, order=True)
class Ranked:
    """A model by the size of its predicted value; equal ones are in the order of the
    measurements."""

    size: float
    before: int
    callpath: str
    metric: str
    formula: str
    value: float
    lower: float
    upper: float
    smape: float
    sure: bool


@dataclass(frozen=True)
class Told:
    """Summary of the models of some series: the number of series, how many are identifiable, and
    the models with the largest predictions of each metric."""

    series: int
    sure: int
    largest: tuple[Ranked, ...]

    def with_other(self, other: Told, top: int) -> Told:
        """The summary of both together."""
        return Told(
            self.series + other.series,
            self.sure + other.sure,
            largest((*self.largest, *other.largest), top),
        )


def largest(found: Sequence[Ranked], top: int) -> tuple[Ranked, ...]:
    """The `top` largest predictions of each metric, in descending order, by metric."""
    by_metric: dict[str, list[Ranked]] = {}
    for one in found:
        by_metric.setdefault(one.metric, []).append(one)
    return tuple(r for metric in sorted(by_metric) for r in heapq.nlargest(top, by_metric[metric]))


def model_partition(path: Path, job: Job) -> Told:
    """Model the series of a partition.

    Raises:
        DataError: it cannot be read.
        OSError: a file cannot be written.
    """
    told = Told(0, 0, ())
    tables: list[Any] = []
    lines: list[str] = []
    for block in read_blocks(path):
        stack = block.stack()
        found = (
            Models(fit_stack(stack, job.pooled))
            if job.method == "default"
            else fit(Measurements(tuple(block.series())), method=job.method)
        )
        top = block.design.table.max(axis=0).tolist()
        at = {n: _HORIZON * x for n, x in zip(block.design.parameters, top, strict=True)} | dict(
            job.at
        )
        forecasts = Forecasts(at, found.values(at), *found.interval(at, _LEVEL))
        parts = list(found.tables())
        sure = sum(sum(table.identifiable) for _, table in parts)
        told = told.with_other(
            Told(len(stack), sure, _largest(block, found, forecasts, job.top)), job.top
        )
        if job.out is not None:
            tables.append(_table(block, parts, forecasts))
        if job.lines is not None:
            lines += [
                f"{n} {json.dumps(m.to_json())}\n"
                for n, m in zip(block.numbers, found.models, strict=True)
            ]
    if job.out is not None and tables:
        with replacing(job.out / path.name) as partial:
            needed("pyarrow.parquet").write_table(
                needed("pyarrow").concat_tables(tables), partial, compression="zstd"
            )
    if job.lines is not None:
        ordered = sorted(lines, key=lambda line: int(line.partition(" ")[0]))
        write_whole(job.lines / f"{path.stem}.lines", "".join(ordered))
    return told


def _largest(block: Block, found: Models, forecasts: Forecasts, top: int) -> tuple[Ranked, ...]:
    rows: list[Ranked] = []
    size = np.nan_to_num(np.abs(forecasts.values), nan=-1.0)
    metrics = np.array(block.metrics)
    for metric in sorted(set(block.metrics)):
        of = np.flatnonzero(metrics == metric)
        for k in of[np.argsort(-size[of], kind="stable")[:top]].tolist():
            m = found.models[k]
            rows.append(
                Ranked(
                    float(size[k]),
                    -int(block.numbers[k]),
                    m.callpath,
                    m.metric,
                    m.formula,
                    float(forecasts.values[k]),
                    float(forecasts.low[k]),
                    float(forecasts.high[k]),
                    m.quality.smape,
                    m.identifiable,
                )
            )
    return tuple(rows)


def _table(
    block: Block, found: Sequence[tuple[NDArray[np.int64], ModelTable]], forecasts: Forecasts
) -> Any:
    """One row for each model; `terms` are (coefficient, term), `at` is the point of the
    prediction."""
    pa = needed("pyarrow")
    place = json.dumps(dict(forecasts.at))
    parts = []
    for rows, t in found:
        numbers = rows.tolist()
        terms = pa.StructArray.from_arrays(
            [pa.array(t.coefficients, type=pa.float64()), pa.array(t.terms, type=pa.string())],
            ["coefficient", "term"],
        )
        offsets = np.concatenate([[0], np.cumsum(t.lengths)]).astype(np.int32)
        parts.append(
            pa.table(
                {
                    "number": pa.array(np.asarray(block.numbers, dtype=np.int64)[rows]),
                    "callpath": pa.array([block.callpaths[k] for k in numbers], type=pa.string()),
                    "metric": pa.array([block.metrics[k] for k in numbers], type=pa.string()),
                    "formula": pa.array(t.formula, type=pa.string()),
                    "constant": pa.array(t.constant, type=pa.float64()),
                    "terms": pa.ListArray.from_arrays(pa.array(offsets), terms),
                    "smape": pa.array(t.smape),
                    "loo_smape": pa.array(t.loo_smape),
                    "adjusted_r2": pa.array(t.adjusted_r2),
                    "points": pa.array(t.points, type=pa.int32()),
                    "identifiable": pa.array(t.identifiable, type=pa.bool_()),
                    "reason": pa.array(t.reason, type=pa.string()),
                    "at": pa.array([place] * len(t), type=pa.string()),
                    "value": pa.array(forecasts.values[rows]),
                    "lower": pa.array(forecasts.low[rows]),
                    "upper": pa.array(forecasts.high[rows]),
                }
            )
        )
    return pa.concat_tables(parts).take(
        pa.array(np.argsort(np.concatenate([rows for rows, _ in found]), kind="stable"))
    )
