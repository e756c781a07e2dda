"""What limits a program at a size, and why, in a sentence."""

from __future__ import annotations

from collections.abc import Mapping

from modeling.pmnf.time_law import CORE, FRESH, LATENCY

from .time_prediction import PredictedKernel, PredictedTime

_WHY = {
    CORE: "computing limits it: its lines arrive faster than they are worked on",
    LATENCY: "random accesses limit it: each waits for its line",
    FRESH: "the system limits it: its pages are touched for the first time",
}
_WRITTEN_OUT = 1e12
_SMALL = 0.05
"""A ratio that is less above 1 is not worth a word."""


def limit_sentence(predicted: PredictedTime, at: Mapping[str, float]) -> str:
    """What most of the time goes to at a point, and what limits that."""
    where = ", ".join(f"{n} = {size_text(v)}" for n, v in at.items())
    if not predicted.outermost or predicted.seconds <= 0:
        return f"At {where} nothing that was timed takes time."
    first = predicted.kernels[0]
    share = min(first.own / predicted.seconds, 1.0)
    outside = predicted.outside.seconds / predicted.seconds
    if outside > share:
        return (
            f"At {where}, {percent(outside)} of the time is outside of the loops that were timed"
            f" ({first.at} takes {percent(share)})."
        )
    named = f"{first.at} in {first.function}" if first.function else first.at
    return f"At {where}, {percent(share)} of the time is {named}; {why(first)}."


def size_text(value: float) -> str:
    """A size with all of its digits where it is a whole number that people write so."""
    return f"{value:.0f}" if value == int(value) and abs(value) < _WRITTEN_OUT else f"{value:g}"


def percent(share: float) -> str:
    """85 %."""
    return f"{100 * share:.0f} %"


def why(kernel: PredictedKernel) -> str:
    """What limits a kernel."""
    if kernel.bound_by is None:
        return "what limits it is not known: no law of its time was found"
    if kernel.bound_by in _WHY:
        return _WHY[kernel.bound_by]
    parts = kernel.parts or {}
    core = parts.get(CORE, 0.0)
    ratio = parts.get(kernel.bound_by, 0.0) / core if core > 0 else 0.0
    name = level_name(kernel.bound_by)
    more = f", which takes {ratio:.2g} times as long as computing" if ratio >= 1 + _SMALL else ""
    return f"{name} limits it: its lines come from there{more}"


def level_name(level: str) -> str:
    """A level as a noun: the L2 cache, memory."""
    return f"the {level} cache" if level.startswith("L") else level
