"""A finding: one loop, one verdict, one place in the source."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from staticana import Analysis

from ...documents.study import StudyDocument, StudyLoop

Level = Literal["error", "warning", "note"]

RULES: dict[str, tuple[Level, str]] = {
    "miscounted": ("error", "A loop ran a different number of times than its law says."),
    "exceeds": ("warning", "The time of a kernel grows faster than the law of its iterations."),
    "not judged": ("note", "A run broke what the count of a loop assumes: nothing is said there."),
    "hidden cost": ("warning", "A loop does work over again that grows with its iterations."),
    "not identifiable": ("note", "The measurements do not tell which of several models holds."),
    "below": ("note", "The time of a kernel grows more slowly than the law of its iterations."),
}
"""Verdict -> how grave it is and what it means; other verdicts are no findings."""

_PLACE = re.compile(r"(.+):(\d+):(\d+)", re.DOTALL)


@dataclass(frozen=True)
class Finding:
    """A loop, or a call in one, whose verdict is one of RULES, at `line` and `column` (from 1) of
    `file`."""

    verdict: str
    file: str
    line: int
    column: int
    function: str
    reason: str
    law: str | None
    model: str | None

    @property
    def level(self) -> Level:
        return RULES[self.verdict][0]

    @property
    def message(self) -> str:
        known = [f"law: {self.law}"] * bool(self.law) + [f"time: {self.model} s"] * bool(self.model)
        return f"{self.verdict}: {self.reason}" + (f" ({'; '.join(known)})" if known else "")


def findings(study: StudyDocument) -> tuple[Finding, ...]:
    """The findings of a study in the order of its loops."""
    return tuple(f for loop in study.loops for f in _findings(loop))


def hidden_costs(analysis: Analysis) -> tuple[Finding, ...]:
    """The accidental quadratics of a program, which need no study."""
    found = []
    for f in analysis.findings:
        place = _PLACE.fullmatch(f.at)
        if place is not None:
            line, column = (max(int(n), 1) for n in place.groups()[1:])
            found.append(
                Finding("hidden cost", place[1], line, column, f.function, f.message, None, None)
            )
    return tuple(found)


def _findings(loop: StudyLoop) -> Iterator[Finding]:
    place = _PLACE.fullmatch(loop.at)
    if place is None:
        return
    told = {loop.verdict: loop.verdict_reason or ""} if loop.verdict in RULES else {}
    if loop.unjudged:
        told["not judged"] = unjudged_text(loop)
    for verdict, reason in told.items():
        yield Finding(
            verdict,
            place[1],
            max(int(place[2]), 1),
            max(int(place[3]), 1),
            loop.function,
            reason,
            loop.static_law,
            loop.time_model.formula if loop.time_model is not None else None,
        )


def unjudged_text(loop: StudyLoop) -> str:
    """At which points a count is not judged, and what the runs there broke."""
    points, total = loop.unjudged, loop.total
    first = points[0].params
    broken = () if total is None else total.rests_on.about(first).broken(first)
    where = ", ".join(f"{n}={v}" for n, v in first.items())
    more = f" and {len(points) - 1} more" if len(points) > 1 else ""
    return f"at {where}{more} the run broke {' and '.join(broken) or 'what the count assumes'}"
