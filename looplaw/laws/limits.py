"""What limits a program at a size, and why, in a sentence."""

from __future__ import annotations

from collections.abc import Mapping

from modeling.pmnf.time_law import CORE, FRESH, LATENCY, UNEXPLAINED

from ..documents.study import RANK, StudyDocument
from .time_prediction import DISTURBED, PredictedKernel, PredictedTime

_NAMES = {
    CORE: "computing",
    LATENCY: "memory latency",
    FRESH: "first touch of memory",
    "memory": "memory bandwidth",
    UNEXPLAINED: "something else",
}
_WHY = {
    CORE: "memory keeps up",
    LATENCY: "each random access waits for its cache line",
    FRESH: "the system clears each page before its first use",
}
_SURE = 0.9
"""A limit is said where it holds in so many of the laws that agree with the runs."""
_WRITTEN_OUT = 1e12
_SMALL = 0.05
"""A ratio that is less above 1 is not worth a word."""


def place_text(study: StudyDocument, at: Mapping[str, float]) -> str:
    """A point as people say it: "n = 4096, p = 16 on rank 3"."""
    ranks = {p.name for p in study.parameters if p.origin == RANK}
    sizes = ", ".join(f"{n} = {size_text(v)}" for n, v in at.items() if n not in ranks)
    return sizes + "".join(f" on rank {size_text(v)}" for n, v in at.items() if n in ranks)


def limit_sentence(predicted: PredictedTime, where: str) -> str:
    """What most of the time goes to at a point, `where` in words, and what limits that."""
    if not predicted.outermost or predicted.seconds <= 0:
        return f"At {where}, no timed loop takes any time."
    first = predicted.kernels[0]
    share = min(first.own / predicted.seconds, 1.0)
    outside = predicted.outside.seconds / predicted.seconds
    if outside > share:
        return (
            f"At {where}, {percent(outside)} of the time is outside of the timed loops"
            f" ({first.at} takes {percent(share)})."
        )
    named = f"{first.function} ({first.at})" if first.function else first.at
    return f"At {where}, {named} takes {percent(share)} of the time; {why(first)}."


def size_text(value: float) -> str:
    """A size with all of its digits where it is a whole number that people write so."""
    return f"{value:.0f}" if value == int(value) and abs(value) < _WRITTEN_OUT else f"{value:g}"


def percent(share: float) -> str:
    """85 %."""
    return f"{100 * share:.0f} %"


def why(kernel: PredictedKernel) -> str:
    """What limits a kernel, where the runs exclude all else, and how sure that is; else what it may
    be."""
    if kernel.bound_by is None and not kernel.limits:
        return "what limits it is not known: no law of its time was found"
    limits = kernel.limits or {kernel.bound_by or "": 1.0}
    name = next(iter(limits))
    if name == UNEXPLAINED and limits[name] >= _SURE:
        return "what limits it is not known: computing and memory explain less time"
    if name == DISTURBED:
        return "what limits it is not known: other programs had the processor"
    if not is_sure(kernel):
        likely = _likely(limits)
        told = " or ".join(f"{_noun(name)} ({percent(p)})" for name, p in likely.items())
        return f"it is limited by {told}: the runs do not tell which"
    return f"it is limited by {_noun(name)} ({percent(limits[name])} sure): {_reason(kernel, name)}"


def is_sure(kernel: PredictedKernel) -> bool:
    """Do the runs exclude that anything but `bound_by` takes most of the time?"""
    return not kernel.limits or kernel.limits.get(kernel.bound_by or "", 0.0) >= _SURE


def _likely(limits: Mapping[str, float]) -> dict[str, float]:
    """The likeliest limits, as many as hold the truth in 9 of 10 cases."""
    found: dict[str, float] = {}
    for name, p in limits.items():
        if sum(found.values()) >= _SURE:
            break
        found[name] = p
    return found


def _noun(name: str) -> str:
    return _NAMES.get(name) or level_name(name)


def _reason(kernel: PredictedKernel, name: str) -> str:
    if name in _WHY:
        return _WHY[name]
    parts = kernel.parts or {}
    core = parts.get(CORE, 0.0)
    ratio = parts.get(name, 0.0) / core if core > 0 else 0.0
    more = f", which takes {ratio:.2g} times as long as computing" if ratio >= 1 + _SMALL else ""
    return f"its cache lines come from {level_name(name)}{more}"


def level_name(level: str) -> str:
    """A level as a noun: the L2 cache, memory."""
    return f"the {level} cache" if level.startswith("L") else level
