"""A short study of one build: the laws of its loops in swept parameters, bound by observation."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any


def study_worker(job: dict[str, Any]) -> dict[str, Any]:
    """Place of a loop -> its law: kind, formula, and the value at each point that is checked (None
    where a named count remains in it)."""
    from looplaw.api import study

    sweep = job["sweep"]
    with tempfile.TemporaryDirectory() as folder:
        # programs write files where they are run, and read those that were made for them
        prepared = Path(job["cwd"]).is_relative_to(job["folder"])
        os.chdir(job["cwd"] if prepared else folder)
        found = study(
            job["sources"],
            vary=sweep["vary"],
            args=sweep["args"],
            flags=job["flags"],
            repetitions=1,
            machine="none",
            out=Path(folder) / "study",
        )
        os.chdir("/")
    laws: dict[str, Any] = {}
    for loop in found.document.loops:
        if loop.law is not None:
            values = [_value(loop.law.formula, point) for point in sweep["check"]]
            laws[loop.at] = {
                "kind": loop.law.kind,
                "formula": loop.law.formula,
                "where": loop.law.where,
                "values": values,
                "swept": all(v is not None for v in values),
            }
    return {"laws": laws}


def _value(formula: str, at: Mapping[str, int]) -> int | float | None:
    from looplaw_common.formula.formula import parse_formula

    law = parse_formula(formula)
    if not law.symbols <= at.keys():
        return None
    number = law.evaluate(at)
    return int(number) if number == int(number) else float(number)


def command_lines(sweep: Mapping[str, Any]) -> list[list[str]]:
    """The command lines of the points that are checked."""
    return [[word.format(**point) for word in sweep["args"]] for point in sweep["check"]]


def broken_laws(laws: Mapping[str, Any], runs: Sequence[Mapping[str, Any]]) -> list[str]:
    """Laws that do not give what a run at a point outside the sweep counts."""
    return [
        f"law {law['formula'][:200]} ({law['kind']}) at {at} gives {value}, counted {n}"
        for at, law in laws.items()
        for value, run in zip(law["values"], runs, strict=True)
        if run["good"] and value is not None and (n := run["counts"].get(at, 0)) != value
    ]
