"""A forecast: the time of a run at a size, its parts, what limits it, what to measure next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite

from looplaw_common.errors import InputError
from runtime.machine.description import Machine

from ..documents.study import RANK, StudyDocument
from .limits import limit_sentence, place_text
from .machine_costs import costs_of
from .measured_times import as_measured
from .next_size import NextSize, next_size
from .run_seconds import CPU_TIME, clock_of
from .time_prediction import PredictedKernel, PredictedTime, predict_time

FORMAT = "looplaw-prediction/1"
TARGET = 4.0
"""Runs are foretold at so many times the largest measured sizes, where no size is asked for."""


@dataclass(frozen=True)
class Forecast:
    """A run's time at a point. ranges: parameter -> where the value lies among the measured ones;
    next: None where no size would halve the interval; machine: another one than that of the runs,
    where the program never ran; measured_on: the processor of the runs, None where it is not known;
    clock: see `run_seconds.clock_of`.
    """

    at: Mapping[str, float]
    time: PredictedTime
    ranges: Mapping[str, str]
    sentence: str
    next: NextSize | None
    machine: str | None = None
    measured_on: str | None = None
    clock: str = CPU_TIME

    def to_json(self) -> dict[str, object]:
        """The document "looplaw-prediction/1"; times in seconds, null where there is no bound."""
        t = self.time
        return {
            "format": FORMAT,
            "at": dict(self.at),
            "machine": self.machine,
            "measured_on": self.measured_on,
            "clock": self.clock,
            "measured": bool(t.runs),
            "value": _finite(t.seconds),
            "lower": _finite(t.low),
            "upper": _finite(t.high),
            "reason": t.unknown,
            "kernels": [_kernel(k) for k in t.kernels],
            "rest": {
                "value": _finite(t.outside.seconds),
                "lower": _finite(t.outside.low),
                "upper": _finite(t.outside.high),
                "formula": t.outside.formula,
            },
            "ranges": dict(self.ranges),
            "limit": self.sentence,
            "next": None
            if self.next is None
            else {
                "at": dict(self.next.at),
                "interval_ratio": self.next.ratio,
                "seconds": _finite(self.next.seconds),
                "command": self.next.command,
            },
        }


def _kernel(k: PredictedKernel) -> dict[str, object]:
    return {
        "at": k.at,
        "function": k.function,
        "value": _finite(k.seconds),
        "lower": _finite(k.low),
        "upper": _finite(k.high),
        "reason": k.unknown,
        "own": _finite(k.own),
        "part_of_another": k.is_part,
        "law": k.has_law,
        "bound_by": k.bound_by,
        "limits": None if k.limits is None else dict(k.limits),
        "level": k.level,
        "parts": None if k.parts is None else {n: _finite(v) for n, v in k.parts.items()},
    }


def _finite(value: float) -> float | None:
    return value if isfinite(value) else None


def forecast(
    study: StudyDocument,
    at: Mapping[str, float],
    folder: str | None = None,
    machine: Machine | None = None,
) -> Forecast:
    """What a study says of a run at a point.

    Args:
        folder: where the study is, for the command that measures more.
        machine: another one than that of the runs.

    Raises:
        InputError: a parameter is unknown, has no value, none that is positive, or one that differs
            from the only one that was run.
        DataError: the study has no model of a kernel's time, or none that tells what another
            machine takes.
    """
    values = {p.name: [float(v) for v in p.values] for p in study.parameters}
    known = ", ".join(values) or "none"
    if unknown := [n for n in at if n not in values]:
        raise InputError(f"--at {', '.join(unknown)}: the study varied {known}")
    ranks = {p.name: float(max(p.values)) for p in study.parameters if p.origin == RANK if p.values}
    single = {n: v[0] for n, v in values.items() if len(set(v)) == 1 and n not in at}
    single |= {n: last for n, last in ranks.items() if n not in at}
    if missing := [n for n in values if n not in at and n not in single]:
        asked = " ".join(f"--at {n}=NUMBER" for n in missing)
        raise InputError(f"the study varied {known}: add {asked}")
    if wrong := [n for n, v in at.items() if not v > 0 and n not in ranks]:
        raise InputError(f"--at {wrong[0]}={at[wrong[0]]:g}: a size is a positive number")
    expect_varied(at, values)
    point = {n: at.get(n, single.get(n, 0.0)) for n in values}
    ranges = {n: place(point[n], v) for n, v in values.items() if v}
    where, ran_on = place_text(study, point), study.environment.get("cpu")
    clock = clock_of(study)
    if machine is not None:
        time = predict_time(study, point, costs=costs_of(machine))
        said = limit_sentence(time, where)
        return Forecast(point, time, ranges, said, None, machine.cpu, ran_on, clock)
    time = as_measured(study, point, predict_time(study, point))
    step = None if time.runs else next_size(study, point, time, folder)
    return Forecast(point, time, ranges, limit_sentence(time, where), step, None, ran_on, clock)


def expect_varied(at: Mapping[str, float], values: Mapping[str, Sequence[float]]) -> None:
    """Runs at one value of a parameter do not tell what another one costs.

    Args:
        values: those that each parameter has in the runs.

    Raises:
        InputError: a parameter is to have a value other than the only one that was run.
    """
    for name, value in at.items():
        run = sorted(set(values.get(name, ())))
        if len(run) == 1 and value != run[0]:
            raise InputError(
                f"--at {name}={value:.15g}: all runs have {name} = {run[0]:.15g}, which does not"
                f" tell what other values cost; add some: --vary {name}={run[0]:.15g},..."
            )


def default_target(study: StudyDocument) -> dict[str, float]:
    """The size that a study is to foretell: the one it was given, else 4 times the largest value of
    each parameter that was varied; ranks are no size."""
    found = {}
    for p in study.parameters:
        if p.values:
            most = float(max(p.values))
            varied = len(set(p.values)) > 1 and p.origin != RANK
            found[p.name] = TARGET * most if varied else most
    return found | {n: float(v) for n, v in (study.target or {}).items() if n in found}


def place(value: float, measured: list[float]) -> str:
    """Where a value lies among the measured ones, in words."""
    least, most = min(measured), max(measured)
    if value > most:
        return f"{value / most:.3g} times the largest measured ({most:g})"
    if value < least:
        return f"below the smallest measured ({least:g})"
    return "measured" if value in measured else f"between the measured ({least:g} to {most:g})"
