"""The evidence that laws are checked with: static formulas, counts, times and models.

It comes from a study, an analysis, models or measurements, or from the sources of a program.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import numpy as np

from looplaw_common.documents import form_of
from looplaw_common.formula.formula import Formula, parse_formula
from modeling import DataError, InputError, Series, efficiency, speedup
from modeling.data.observations import Observation, Point, point_of
from modeling.data.ranks import RankedMeasurements, by_rank
from modeling.expectations.expectations import Evidence
from modeling.expectations.growth_test import Sample
from modeling.rank_classes.class_models import (
    class_name,
    class_samples,
    imbalance_of,
    imbalance_samples,
)
from modeling.rank_classes.match_clusters import match
from modeling.readers import read_observations, text_of
from modeling.readers.jsonlines import read_json_lines
from staticana import analyze, canonical, compile_sources

from ..documents.analysis import ANALYSIS, AnalysisDocument, KernelDocument, analysis_document
from ..documents.count import Params
from ..documents.launches import of_launches
from ..documents.models import MODELS, ModelsDocument
from ..documents.reading import load_any
from ..documents.study import STUDY, StudyDocument, StudyLoop

_KINDS: Mapping[str, type[Any]] = {
    STUDY: StudyDocument,
    ANALYSIS: AnalysisDocument,
    MODELS: ModelsDocument,
}
_MEASUREMENTS = (".jsonl", ".csv", ".xml")
"""Endings of files that only measurements have."""
_PROCESSES = "p"
_SHORTEST_S = 2e-6  # below this a time is the clock's resolution


@dataclass(frozen=True)
class Subject:
    """One metric of one kernel, and the evidence for it.

    names: its names, the first one for messages. at: file:line:column where known. derived: it
    follows from other metrics of the kernel or belongs to a class of ranks; --init writes no law
    for it. of_class: it belongs to a class of ranks; patterns match it only if they contain a
    parenthesis, as in `compute (*)`. identifiable: the points tell its models from their rivals.
    """

    names: tuple[str, ...]
    metric: str
    evidence: Evidence
    at: str | None = None
    derived: bool = False
    of_class: bool = False
    identifiable: bool = True

    def matches(self, kernel: str, metric: str) -> bool:
        pattern = not self.of_class or "(" in kernel
        return metric == self.metric and any(
            n == kernel or (pattern and fnmatchcase(n, kernel)) for n in self.names
        )


def gather(
    targets: Sequence[str], parameters: Mapping[str, str], flags: Sequence[str]
) -> list[Subject]:
    """The evidence in one study, file of models, file of measurements, or in the sources of a
    program.

    Raises:
        InputError: no such file.
        DataError: a file that holds none of these.
    """
    target = Path(targets[0])
    if len(targets) == 1 and (
        target.is_dir() or targets[0] == "-" or target.suffix in (".json", *_MEASUREMENTS)
    ):
        if targets[0] == "-" or target.suffix in _MEASUREMENTS:
            return list(_measured(*text_of(targets[0])))
        path = target / "study.json" if target.is_dir() else target
        if path.suffix == ".json" and path.is_file() and _is_of_others(path):
            return list(_measured(*text_of(targets[0])))
        return _of_document(load_any(path, _KINDS, "neither a study, an analysis nor models"))
    analysis = analyze(
        canonical(compile_sources(targets, flags=list(flags))),
        parameters=dict(parameters),
        matrix=False,
    )
    return subjects_of(analysis_document(analysis))


def _of_document(data: StudyDocument | AnalysisDocument | ModelsDocument) -> list[Subject]:
    if not isinstance(data, ModelsDocument):
        return subjects_of(data)
    return [
        Subject(
            (m.callpath,),
            m.metric,
            Evidence(models=_formulas([m.formula, *(r.formula for r in m.rivals)])),
            identifiable=m.identifiable,
        )
        for m in data.models
    ]


def _formulas(texts: Sequence[str]) -> tuple[Formula, ...]:
    return tuple(f for f in map(_formula, texts) if f is not None)


def _formula(text: str | None) -> Formula | None:
    """The formula; None where there is none, or none that can be read."""
    try:
        return None if text is None else parse_formula(text)
    except InputError:
        return None


def subjects_of(data: StudyDocument | AnalysisDocument) -> list[Subject]:
    """Loops, by their place and as function[k], the k-th loop of a function from 1; operations by
    function."""
    found, seen = [], dict[str, int]()
    launches = list(_of_launches(data)) if isinstance(data, AnalysisDocument) else []
    data = of_launches(data) if isinstance(data, AnalysisDocument) else data
    ranges = data.ranges if isinstance(data, AnalysisDocument) else {}
    for loop in data.loops:
        seen[loop.function] = seen.get(loop.function, 0) + 1
        names = (f"{loop.function}[{seen[loop.function]}]", loop.at)
        total = loop.total
        formula = total.guarded(total.exact, ranges) if total is not None else None
        counted, times = observed(loop) if isinstance(loop, StudyLoop) else ({}, {})
        found.append(Subject(names, "iterations", Evidence(sample_of(counted), formula), loop.at))
        if times:
            found.append(Subject(names, "time", Evidence(sample_of(times)), loop.at))
    for f in data.functions:
        at = f"{f.file}:{'' if f.line is None else f.line}" if f.file else None
        found += [
            Subject((f.name,), metric, Evidence(formula=formula), at)
            for metric, count in {"work": f.work, **f.operations}.items()
            if (formula := count.guarded(count.exact, ranges)) is not None
        ]
    return [*found, *launches]


def _of_launches(data: AnalysisDocument) -> Iterator[Subject]:
    """Of kernels: depth and warps of a launch, and of each array the most sectors that a warp
    touches, or ways of its banks, as kernel.array."""
    ranges = data.ranges
    for f in data.functions:
        if not isinstance(f.kernel, KernelDocument):
            continue
        at = f"{f.file}:{'' if f.line is None else f.line}" if f.file else None
        counts = [(f.name, m, getattr(f.kernel, m), at) for m in ("depth", "warps")]
        for access in f.kernel.accesses:
            shared = access.conflicts is not None
            count = access.conflicts or access.sectors
            name = f"{f.name}.{access.array or 'memory'}"
            counts.append((name, "conflicts" if shared else "sectors", count, access.at))
        for name, metric, count, place in counts:
            formula = count.guarded(count.exact if count.exact else count.upper, ranges)
            if formula is not None:
                derived = metric == "warps"
                yield Subject((name,), metric, Evidence(formula=formula), place, derived)


Values = dict[Point, Sequence[float]]


def observed(loop: StudyLoop) -> tuple[Values, Values]:
    """The iterations and the times of a loop at each point; times that the clock does not resolve
    are left out."""
    counted: Values = {_key(c.params): [float(c.iterations)] for c in loop.counted}
    times: Values = {_key(t.params): t.values for t in loop.time or ()}
    return counted, {k: v for k, v in times.items() if v and float(np.median(v)) > _SHORTEST_S}


def _key(params: Params) -> Point:
    return point_of({k: float(v) for k, v in params.items()})


def sample_of(values: Mapping[Point, Sequence[float]]) -> Sample | None:
    """Values at points as a sample; None where there are none.

    Raises:
        DataError: some points have other parameters than others.
    """
    if not values:
        return None
    keys = sorted(values)
    names = tuple(n for n, _ in keys[0])
    if any(tuple(n for n, _ in key) != names for key in keys):
        raise DataError("some observations have other parameters than others")
    return Sample(
        names,
        np.array([[v for _, v in key] for key in keys]).reshape(len(keys), len(names)),
        tuple(np.array(values[key], dtype=float) for key in keys),
    )


def _measured(text: str, name: str) -> Iterator[Subject]:
    """Observations in JSON Lines; the ranks and threads of one repetition are averaged. If every
    line has a rank, also the classes of ranks and the imbalance; if times vary with p processes,
    also speed-up and efficiency."""
    cells: dict[tuple[str, str], dict[Point, dict[object, list[float]]]] = {}
    observed = list(_observations(text.removeprefix("\ufeff"), name))
    for k, o in enumerate(observed):
        run = ("run", o.repetition or 0) if _is_part(o) else ("line", k)
        cells.setdefault((o.callpath, o.metric), {}).setdefault(o.point, {}).setdefault(
            run, []
        ).append(o.value)
    if not cells:
        raise DataError(f"{name}: holds no observations")
    for (callpath, metric), points in cells.items():
        sample = sample_of(
            {key: [float(np.mean(v)) for v in runs.values()] for key, runs in points.items()}
        )
        yield Subject((callpath,), metric, Evidence(sample))
        if metric == "time" and sample is not None and _PROCESSES in sample.parameters:
            yield from _of_speedup(callpath, sample)
    if all(o.rank is not None for o in observed):
        yield from _of_ranks(by_rank(observed, name))


def _observations(text: str, name: str) -> Iterable[Observation]:
    """Those of JSON Lines, whose errors name lines, or of any format that a reader knows."""
    suffix = Path(name).suffix
    if suffix in ("", ".jsonl") or (text.lstrip()[:1] == "{" and suffix not in (".json", ".xml")):
        return read_json_lines(text, name)
    return read_observations(text, name, suffix)


def _is_of_others(path: Path) -> bool:
    """Is it a JSON file of another tool?"""
    try:
        return not form_of(path.read_bytes(), str(path))
    except DataError:
        return False


def _is_part(o: Observation) -> bool:
    """Is the value that of one rank or thread of a run?"""
    return o.rank is not None or o.thread is not None


def _of_speedup(callpath: str, sample: Sample) -> Iterator[Subject]:
    """Speed-up and efficiency of every repetition relative to the median time of the fewest
    processes."""
    if all(r.min() > 0 for r in sample.repetitions):
        series = Series.from_values(
            callpath, "time", sample.parameters, sample.points, sample.medians
        )
        for metric, derive in (("speedup", speedup), ("efficiency", efficiency)):
            ratios = derive(series, _PROCESSES).means * sample.medians
            values = tuple(ratio / r for ratio, r in zip(ratios, sample.repetitions, strict=True))
            yield Subject(
                (callpath,),
                metric,
                Evidence(Sample(sample.parameters, sample.points, values)),
                derived=True,
            )


def _of_ranks(data: RankedMeasurements) -> Iterator[Subject]:
    """The classes of kernels whose ranks diverge, `compute (1 of 3)`, and the imbalance of every
    kernel."""
    for matched in match(data.kernels):
        callpath = matched.kernel.callpath
        for (c, metric), sample in class_samples(matched).items() if len(matched.names) > 1 else ():
            yield Subject(
                (class_name(callpath, matched.names[c]),),
                metric,
                Evidence(sample),
                derived=True,
                of_class=True,
            )
        for metric, sample in imbalance_samples(matched.kernel).items():
            yield Subject((callpath,), imbalance_of(metric), Evidence(sample), derived=True)
