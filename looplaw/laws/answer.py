"""What a study answers: how long a run takes at the size it is meant for, which kernels take that
time, what limits them, how far each is known, and which run would tell more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, isfinite
from typing import Literal, cast

import numpy as np

from looplaw_common.errors import DataError, InputError
from modeling.pmnf.prediction import Certainty, certainty

from ..documents.study import StudyDocument, StudyLoop
from .counts_at import iterations_at
from .forecast import default_target
from .measured_times import as_measured
from .next_size import NextSize, affordable_size
from .time_prediction import PredictedKernel, PredictedTime, predict_time

Standing = Literal["proved", "partly", "agrees", "open", "broken"]
"""What is known of a loop's law: proved from the source and counted so at every point; the same at
some points, the runs at others having broken what it assumes; agreed with by every run; not
settled; contradicted."""
BROKEN_TIME = "exceeds"
NEXT_WITHIN_S = 600.0
"""New runs that a study proposes take no longer than this together."""


def standing(loop: StudyLoop) -> Standing:
    """What the counts of a study say of a loop's law. Nothing is taken for granted: a loop that was
    not held against a law is open."""
    if loop.obeys == "no" or loop.verdict == "miscounted":
        return "broken"
    if loop.obeys == "yes":
        return "partly" if loop.unjudged else "proved"
    if loop.obeys == "bounded" or (loop.law is not None and loop.law.kind in ("bound", "counted")):
        return "agrees"
    return "open"


@dataclass(frozen=True)
class Ranked:
    """A kernel, or a loop that is not timed, in the order of an answer.

    work: the loop of the kernel that runs most often at the target. time: None where it has no
    model of time. share: of the run at the target, of its own time. ns: own nanoseconds for each
    iteration of `work` there.
    """

    loop: StudyLoop
    work: StudyLoop
    time: PredictedKernel | None = None
    share: float | None = None
    ns: float | None = None


@dataclass(frozen=True)
class RunCost:
    """What a run takes of a machine. nodes: that its processes fill; node_hours: these times the
    hours of a run; price: of all of them."""

    nodes: int
    node_hours: float
    price: float


@dataclass(frozen=True)
class Answer:
    """What a study says of a run at a size.

    time: None where no kernel ran long enough to model its time. sure: how far that is known.
    kernels: those with the largest share first, then those without a time, in the order of the
    source. standings: of all loops. open_share: of the time at the target, in kernels whose model
    is open or weak or which were held against no law. cost: of the run, where the study knows what
    an hour costs.
    """

    study: StudyDocument
    at: Mapping[str, float]
    time: PredictedTime | None
    sure: Certainty | None
    kernels: tuple[Ranked, ...]
    standings: Mapping[Standing, int]
    open_share: float
    next: NextSize | None
    cost: RunCost | None = None

    @property
    def unsettled(self) -> tuple[Ranked, ...]:
        """The kernels whose time is not settled."""
        return tuple(k for k in self.kernels if k.time is not None and is_unsettled(k.loop))


def is_unsettled(loop: StudyLoop) -> bool:
    """Is what the loop costs not known: no law of it was confirmed, or its model is weak?"""
    return loop.verdict in ("not identifiable", "unchecked", "unmeasured") or (
        loop.model_quality in ("weak", "extrapolating")
    )


def answer(
    study: StudyDocument,
    at: Mapping[str, float] | None = None,
    folder: str | None = None,
    *,
    with_next: bool = True,
) -> Answer:
    """What a study says of a run at a size.

    Args:
        at: values of parameters, else those that the study was made for, else 4 times the largest.
        folder: where the study is, for the command that measures more.
        with_next: look for the run that would tell more, too.

    Raises:
        InputError: a value is of no parameter of the study.
    """
    target = default_target(study)
    if unknown := [n for n in at or {} if n not in target]:
        known = ", ".join(target) or "none"
        raise InputError(f"--at {', '.join(unknown)}: the study varied {known}")
    target |= dict(at or {})
    time = _time(study, target)
    ranked = _ranked(study, target, time)
    return Answer(
        study,
        target,
        time,
        None if time is None else sureness(time.seconds, time.low, time.high),
        ranked,
        Counter(standing(loop) for loop in study.loops),
        min(sum(k.share or 0.0 for k in ranked if is_unsettled(k.loop)), 1.0),
        _next(study, target, time, folder) if with_next else None,
        None if time is None else run_cost(study, target, time.seconds),
    )


def run_cost(study: StudyDocument, at: Mapping[str, float], seconds: float) -> RunCost | None:
    """What a run of so many seconds costs, on nodes with as many cores as the machine of the study
    has; None where the study knows no price."""
    if study.cost_per_hour is None:
        return None
    nodes = ceil(_processes(study, at) / node_cores(study))
    hours = nodes * seconds / 3600
    return RunCost(nodes, hours, hours * study.cost_per_hour)


def node_cores(study: StudyDocument) -> int:
    """Processes that a node holds: the cores of the machine that the study was made on."""
    cores = study.environment.get("cores")
    return cores if isinstance(cores, int) and cores > 0 else 1


def _processes(study: StudyDocument, at: Mapping[str, float]) -> float:
    return next((at[p.name] for p in study.parameters if p.origin == "mpi:size"), 1.0)


def sureness(value: float, low: float, high: float) -> Certainty:
    """How far a time is known: sure, rough or open."""
    found = certainty(np.array(value), np.array(low), np.array(high))
    return cast(Certainty, found.item())


def _time(study: StudyDocument, at: Mapping[str, float]) -> PredictedTime | None:
    if not at:
        return None
    try:
        found = as_measured(study, at, predict_time(study, at))
    except DataError:
        return None
    return found if isfinite(found.seconds) and found.seconds > 0 else None


def _next(
    study: StudyDocument, at: Mapping[str, float], time: PredictedTime | None, folder: str | None
) -> NextSize | None:
    if time is None or time.runs or not any(len(set(p.values)) > 1 for p in study.parameters):
        return None
    return affordable_size(study, at, time, folder, NEXT_WITHIN_S)


def _ranked(
    study: StudyDocument, at: Mapping[str, float], time: PredictedTime | None
) -> tuple[Ranked, ...]:
    nests: dict[str, list[StudyLoop]] = {}
    for loop in study.loops:
        nests.setdefault(loop.kernel or loop.at, []).append(loop)
    known = {loop.at: loop for loop in study.loops}
    timed = []
    for k in time.kernels if time is not None else ():
        loop = known[k.at]
        work, runs = _busiest(nests.get(k.at, [loop]), at)
        share = min(k.own / time.seconds, 1.0) if time is not None else None
        ns = 1e9 * k.own / runs if runs and runs > 0 else None
        timed.append(Ranked(loop, work, k, share, ns))
    there = {k.loop.at for k in timed}
    rest = [
        Ranked(loops[0], _busiest(loops, at)[0])
        for loops in nests.values()
        if loops[0].at not in there
    ]
    return (*timed, *rest)


def _busiest(loops: Sequence[StudyLoop], at: Mapping[str, float]) -> tuple[StudyLoop, float | None]:
    """The loop that runs most often at a point, and how often; the first one where none is
    known."""
    known = [(runs, loop) for loop in loops if (runs := iterations_at(loop, at)) is not None]
    if not known:
        return loops[0], None
    runs, loop = max(known, key=lambda pair: pair[0])
    return loop, runs
