"""Which size to measure next: the smallest that would halve the interval of a predicted time.

What a measurement would tell of a law of time follows from the law: the covariance of what was
learned shrinks by one more observation (the update of a Gaussian posterior, e.g. MacKay,
"Information-based objective functions for active data selection", Neural Computation 1992), and the
distance to the largest measured size becomes less. Of other models only the distance is known: the
interval becomes what it is now as far from the measured sizes.
"""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import log10

import msgspec
import numpy as np

from looplaw_common.commands import as_argument
from modeling import Model
from modeling.pmnf.time_law import TimeLaw, jacobian_of

from ..documents.study import RANK, StudyDocument, SweptParameter
from .time_prediction import (
    PredictedTime,
    RestModel,
    rest_at,
    rest_model,
    run_models,
    time_models,
    together,
)

_HALF = 0.5
_WORTH_IT = 0.9
"""A measurement that leaves more of the interval than this is not proposed."""
_STEPS = 12
"""Sizes tried between the largest measured one and the target, evenly on logarithms."""
_LEVEL = 0.9
SELECTING = ("--kernel", "--file", "--max-overhead")
"""Options of a study that leave kernels out."""
_WITHOUT_VALUE = ("--mpi",)


@dataclass(frozen=True)
class NextSize:
    """A size to measure. at: parameter values; ratio: the width of the interval after it, over
    that before; seconds: of all new runs together; command: what to type; None where the study does
    not tell how it was made."""

    at: Mapping[str, int]
    ratio: float
    seconds: float
    command: str | None


def next_size(
    study: StudyDocument, at: Mapping[str, float], predicted: PredictedTime, folder: str | None
) -> NextSize | None:
    """The smallest size that would halve the interval at a point; None where none would, since it
    is the noise of the runs that makes it wide, or nothing lies between the sizes and the point."""
    return next((c for c in candidates(study, at, predicted, folder) if c.ratio <= _HALF), None)


def affordable_size(
    study: StudyDocument,
    at: Mapping[str, float],
    predicted: PredictedTime,
    folder: str | None,
    seconds: float,
) -> NextSize | None:
    """What narrows the interval at a point most in a given time: the smallest size that halves it,
    else that after which it is narrowest; None where nothing narrows it."""
    every = [c for c in candidates(study, at, predicted, folder) if c.seconds <= seconds]
    halving = next((c for c in every if c.ratio <= _HALF), None)
    best = halving or min(every, key=lambda c: c.ratio, default=None)
    return best if best is not None and best.ratio <= _WORTH_IT else None


def candidates(
    study: StudyDocument, at: Mapping[str, float], predicted: PredictedTime, folder: str | None
) -> Iterator[NextSize]:
    """Sizes that could be measured, with what they would tell of a point, the smallest first."""
    top = {p.name: float(max(p.values)) for p in swept(study) if p.values}
    before = predicted.high - predicted.low
    models, rest = time_models(study), rest_model(study)
    whole = run_models(study, rest)
    outermost = {k.at for k in predicted.outermost}
    measured = {p.name: set(p.values) for p in swept(study)}
    ranks = {p.name for p in study.parameters} - measured.keys()
    led = {place: model for place, (_, model) in models.items() if place in outermost}
    for size in sizes_towards(top, at):
        if all(size[n] in measured.get(n, (size[n],)) for n in size):
            continue
        after = _width_after(led, rest, at, size, top)
        points = [{**at, **point} for point in _new_points(study, size)]
        seconds = _runs_of_a_point(study) * float(whole.seconds(points).sum())
        ratio = after / before if before > 0 else 1.0
        given = {n: v for n, v in size.items() if n not in ranks}
        yield NextSize(given, ratio, seconds, _command(study, at, size, folder))


def sizes_towards(top: Mapping[str, float], at: Mapping[str, float]) -> list[dict[str, int]]:
    """Points between the largest measured one and the target, which is the last one."""
    found: list[dict[str, int]] = []
    for step in range(1, _STEPS + 1):
        share = step / _STEPS
        point = {
            n: round(v)
            if step == _STEPS or not 0 < top.get(n, v) < v
            else _round(top[n] ** (1 - share) * v**share)
            for n, v in at.items()
        }
        if point not in found:
            found.append(point)
    return found


def _round(value: float) -> int:
    """A whole number of two digits and zeros."""
    unit = int(10 ** max(0, int(log10(max(value, 1))) - 1))
    return max(1, round(value / unit) * unit)


def _width_after(
    models: Mapping[str, Model],
    rest: RestModel,
    at: Mapping[str, float],
    size: Mapping[str, int],
    top: Mapping[str, float],
) -> float:
    """Width of the interval at a point once a size was measured."""
    nearer = {
        n: v * top[n] / min(size[n], v) if n in top and size[n] > top[n] else v
        for n, v in at.items()
    }
    columns = {n: float(v) for n, v in at.items()}
    found = []
    for model in models.values():
        value = float(model.evaluate(columns))
        if model.law is not None:
            law = measured_at(model.law, size)
            low, high = (float(v) for v in law.interval(columns, _LEVEL))
        else:
            there = float(model.evaluate(nearer))
            low, high = (
                float(v) * value / there if there > 0 else float(v)
                for v in model.interval(nearer, _LEVEL)
            )
        found.append((value, max(low, 0.0), high))
    below, above = together(found)
    here, there_rest = rest_at(rest, at), rest_at(rest, nearer)
    scale = here.seconds / there_rest.seconds if there_rest.seconds > 0 else 1.0
    return float(
        np.hypot(below, scale * (there_rest.seconds - there_rest.low))
        + np.hypot(above, scale * (there_rest.high - there_rest.seconds))
    )


def width_ratio(
    model: Model, at: Mapping[str, float], size: Mapping[str, int], top: Mapping[str, float]
) -> float:
    """How much of a model's interval at a point is left once a size was measured."""
    none = RestModel(None, 0.0, 0.0, 0.0)
    low, high = (float(v) for v in model.interval({n: float(v) for n, v in at.items()}, _LEVEL))
    before = high - max(low, 0.0)
    after = _width_after({model.callpath: model}, none, at, size, top)
    return after / before if before > 0 else 1.0


def measured_at(law: TimeLaw, size: Mapping[str, int]) -> TimeLaw:
    """The law as it would be known after a measurement that it foretold."""
    columns = {n: np.array([float(v)]) for n, v in size.items()}
    gradient = jacobian_of(np.array(law.theta), law.design(columns), law.capacities, law.costs)[
        :, 0
    ]
    root = np.array(law.root)
    covariance = root @ root.T
    towards = covariance @ gradient
    noise = law.sigma**2
    after = covariance - np.outer(towards, towards) / (noise + float(gradient @ towards))
    values, vectors = np.linalg.eigh((after + after.T) / 2)
    small = vectors * np.sqrt(np.maximum(values, 0.0))
    reach = {
        n: (low, max(high, float(size[n])) if n in size else high)
        for n, (low, high) in law.reach.items()
    }
    return msgspec.structs.replace(law, root=tuple(map(tuple, small.tolist())), reach=reach)


def swept(study: StudyDocument) -> list[SweptParameter]:
    """The parameters whose values runs are given; each run has all ranks."""
    return [p for p in study.parameters if p.origin != RANK]


def _new_points(study: StudyDocument, size: Mapping[str, int]) -> list[dict[str, float]]:
    """What a sweep over all combinations runs besides, where it has the values of a size, too."""
    old = [tuple(p.values) for p in swept(study)]
    names = [p.name for p in swept(study)]
    wider = [tuple(dict.fromkeys((*v, size.get(n, v[0])))) for n, v in zip(names, old, strict=True)]
    known = set(product(*old))
    return [dict(zip(names, map(float, p), strict=True)) for p in product(*wider) if p not in known]


def _runs_of_a_point(study: StudyDocument) -> int:
    points: dict[tuple[tuple[str, float], ...], int] = {}
    for run in study.runs:
        key = tuple(sorted((n, float(v)) for n, v in run.params.items()))
        points[key] = points.get(key, 0) + 1
    return max(points.values(), default=1)


def _command(
    study: StudyDocument, at: Mapping[str, float], size: Mapping[str, int], folder: str | None
) -> str | None:
    """The study once more with the values of a size, for the same target; runs that were made are
    reused."""
    values = {
        p.name: tuple(sorted({*map(int, p.values), size.get(p.name, int(p.values[0]))}))
        for p in swept(study)
    }
    words = measured_again(study, at, values, folder)
    return None if words is None else shlex.join(words)


def measured_again(
    study: StudyDocument,
    at: Mapping[str, float],
    values: Mapping[str, Sequence[int]],
    folder: str | None,
    more: Sequence[str] = (),
    *,
    every: bool = False,
) -> list[str] | None:
    """The words of the command that makes a study once more; None where it does not tell how.

    Args:
        at: the target: else another one would be foretold, as that depends on the values.
        values: of each parameter, old ones too.
        more: options that replace those of the study.
        every: without the options that select kernels.
    """
    if study.options is None:
        return None
    words = ["looplaw", "study", *map(as_argument, study.program)]
    for name, chosen in values.items():
        words += ["--vary", f"{name}={','.join(map(str, chosen))}"]
    ranks = {p.name for p in study.parameters} - {p.name for p in swept(study)}
    for name, value in at.items():
        if name not in ranks and tuple(values.get(name, ())) != (value,):
            words += ["--at", f"{name}={value:.15g}"]
    if study.cost_per_hour is not None:
        words += ["--cost-per-hour", f"{study.cost_per_hour:.15g}"]
    dropped = {*more[::2], *(SELECTING if every else ())}
    words += [*_without(study.options, dropped), *more]
    return [*words, *(["--out", folder] if folder else [])]


def _without(options: Sequence[str], dropped: Collection[str]) -> list[str]:
    """Options and their values without some of them."""
    kept: list[str] = []
    rest = iter(options)
    for word in rest:
        if word in dropped:
            next(rest, None)
        else:
            kept.append(word)
            if word.startswith("--") and "=" not in word and word not in _WITHOUT_VALUE:
                kept.append(next(rest, ""))
    return kept
