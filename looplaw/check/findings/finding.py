"""A finding: one loop, one verdict, one place in the source."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from modeling import DataError

Json = Mapping[str, object]
Level = Literal["error", "warning", "note"]

RULES: dict[str, tuple[Level, str]] = {
    "miscounted": ("error", "A loop ran a different number of times than its law says."),
    "exceeds": ("warning", "The time of a kernel grows faster than the law of its iterations."),
    "not identifiable": ("note", "The measurements do not tell which of several models holds."),
    "below": ("note", "The time of a kernel grows more slowly than the law of its iterations."),
}
"""Verdict -> how grave it is and what it means; other verdicts are no findings."""

_PLACE = re.compile(r"(.+):(\d+):(\d+)")


@dataclass(frozen=True)
class Finding:
    """A loop whose verdict is one of RULES, at `line` and `column` (from 1) of `file`."""

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


def findings(study: Json) -> tuple[Finding, ...]:
    """The findings of a "looplaw-study/1" object in the order of its loops.

    Raises:
        DataError: this is not a study.
    """
    loops = study.get("loops")
    if not isinstance(loops, list) or not all(isinstance(loop, Mapping) for loop in loops):
        raise DataError(
            'this is not a study ("loops" is missing); make one with looplaw study PROGRAM'
        )
    return tuple(f for loop in loops if (f := _finding(loop)) is not None)


def _finding(loop: Json) -> Finding | None:
    verdict, place = str(loop.get("verdict")), _PLACE.fullmatch(str(loop.get("at")))
    if verdict not in RULES or place is None:
        return None
    total, model = loop.get("total"), loop.get("time_model")
    law = loop.get("display") or (total.get("formula") if isinstance(total, Mapping) else None)
    return Finding(
        verdict,
        place[1],
        max(int(place[2]), 1),
        max(int(place[3]), 1),
        str(loop.get("function")),
        str(loop.get("verdict_reason") or ""),
        None if law is None else str(law),
        str(model.get("formula")) if isinstance(model, Mapping) else None,
    )
