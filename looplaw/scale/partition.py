"""The models of one partition: fitted together, written to a file of their own, and in short what they say.

Doing it again gives the same file, so a worker that is lost costs what it was at work on and no more.
"""

from __future__ import annotations

import contextlib
import heapq
import json
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from modeling import DataError, Measurements, Model, Term, fit
from modeling.fitting import Shared
from modeling.measurements import Floats

from .dataset import Block, read_blocks
from .packages import needed

_HORIZON = 2.0
"""Where values are predicted unless the user says it: so many times the largest value of each parameter."""
_LEVEL = 0.9


@dataclass(frozen=True)
class Job:
    """What is done with each partition. shared: of each metric (see `modeling.shared_by`); at: where values are
    predicted, twice the largest value for parameters not named; top: how many of the largest are told; out:
    folder of the Parquet files, lines: folder of the JSON lines, None for none."""

    shared: Mapping[str, Shared]
    method: str
    at: Mapping[str, float]
    top: int
    out: Path | None
    lines: Path | None


@dataclass(frozen=True, order=True)
class Ranked:
    """A model by the size of its predicted value; equal ones are in the order of the measurements."""

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
    """What the models of some series say: number of series, of those that are identifiable, the largest of each metric."""

    series: int
    sure: int
    largest: tuple[Ranked, ...]

    def with_other(self, other: Told, top: int) -> Told:
        """Both together."""
        return Told(self.series + other.series, self.sure + other.sure, largest((*self.largest, *other.largest), top))


def largest(found: Sequence[Ranked], top: int) -> tuple[Ranked, ...]:
    """The `top` largest of each metric, by metric, the largest first."""
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
        found = fit(Measurements(tuple(block.series())), method=job.method, shared=job.shared)
        top = block.design.table.max(axis=0).tolist()
        at = {n: _HORIZON * x for n, x in zip(block.design.parameters, top, strict=True)} | dict(job.at)
        models = list(found.models)
        values = _values(models, at)
        low, high = found.interval(at, _LEVEL)
        told = told.with_other(_told(block, models, values, low, high, job.top), job.top)
        if job.out is not None:
            tables.append(_table(block, models, at, values, low, high))
        if job.lines is not None:
            lines += [f"{n} {json.dumps(m.to_json())}\n" for n, m in zip(block.numbers, models, strict=True)]
    if job.out is not None and tables:
        with _whole(job.out / path.name) as partial:
            needed("pyarrow.parquet").write_table(needed("pyarrow").concat_tables(tables), partial, compression="zstd")
    if job.lines is not None:
        with _whole(job.lines / f"{path.stem}.lines") as partial:
            partial.write_text("".join(sorted(lines, key=lambda line: int(line.partition(" ")[0]))), encoding="utf-8")
    return told


@contextlib.contextmanager
def _whole(path: Path) -> Iterator[Path]:
    """A file to write that then takes its place in one step; two workers may be at it, each with a file of its own."""
    partial = path.with_name(f".{path.name}.{uuid.uuid4().hex[:8]}")
    try:
        yield partial
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def _values(models: Sequence[Model], at: Mapping[str, float]) -> Floats:
    """(K,) what the models say at a point; a term that many have is evaluated once.

    Raises:
        DataError: a parameter of a formula has no value.
    """
    terms: dict[Term, float] = {}
    values = np.empty(len(models))
    for k, m in enumerate(models):
        total = m.constant
        for coefficient, term in m.terms:
            if term not in terms:
                missing = sorted(set(term.parameters) - set(at))
                if missing:
                    raise DataError(f"{m.callpath}, {m.metric}: no value for {', '.join(missing)}")
                terms[term] = float(term.evaluate({name: np.asarray(x, dtype=float) for name, x in at.items()}))
            total += coefficient * terms[term]
        values[k] = total
    return values


def _told(block: Block, models: Sequence[Model], values: Floats, low: Floats, high: Floats, top: int) -> Told:
    rows: list[Ranked] = []
    size = np.nan_to_num(np.abs(values), nan=-1.0)
    for metric in sorted(set(block.metrics)):
        of = np.flatnonzero([m == metric for m in block.metrics])
        for k in of[np.argsort(-size[of], kind="stable")[:top]].tolist():
            m = models[k]
            rows.append(Ranked(float(size[k]), -int(block.numbers[k]), m.callpath, m.metric, m.formula, float(values[k]),
                               float(low[k]), float(high[k]), m.quality.smape, m.identifiable))
    return Told(len(models), sum(m.identifiable for m in models), tuple(rows))


def _table(block: Block, models: Sequence[Model], at: Mapping[str, float], values: Floats, low: Floats, high: Floats) -> Any:
    """One row a model; `terms` are (coefficient, term), `at` where value, lower and upper are."""
    pa = needed("pyarrow")
    texts: dict[Term, str] = {}
    offsets = np.concatenate([[0], np.cumsum([len(m.terms) for m in models])]).astype(np.int32)
    terms = pa.StructArray.from_arrays(
        [pa.array([c for m in models for c, _ in m.terms], type=pa.float64()),
         pa.array([texts.get(t) or texts.setdefault(t, str(t)) for m in models for _, t in m.terms], type=pa.string())],
        ["coefficient", "term"])
    place = json.dumps(dict(at))
    return pa.table({
        "number": pa.array(np.asarray(block.numbers, dtype=np.int64)),
        "callpath": pa.array(block.callpaths, type=pa.string()), "metric": pa.array(block.metrics, type=pa.string()),
        "formula": pa.array([m.formula for m in models], type=pa.string()),
        "constant": pa.array([m.constant for m in models], type=pa.float64()),
        "terms": pa.ListArray.from_arrays(pa.array(offsets), terms),
        "smape": pa.array([m.quality.smape for m in models], type=pa.float64()),
        "loo_smape": pa.array([m.quality.loo_smape for m in models], type=pa.float64()),
        "adjusted_r2": pa.array([m.quality.adjusted_r2 for m in models], type=pa.float64()),
        "points": pa.array([m.quality.points for m in models], type=pa.int32()),
        "identifiable": pa.array([m.identifiable for m in models], type=pa.bool_()),
        "reason": pa.array([m.reason for m in models], type=pa.string()),
        "at": pa.array([place] * len(models), type=pa.string()), "value": pa.array(values), "lower": pa.array(low),
        "upper": pa.array(high)})

