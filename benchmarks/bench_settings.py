"""What each constant of the default fitter is worth: each one halved and doubled alone.

    python -m benchmarks.bench_settings [--functions 15] [--seed 1] [--real FILE.jsonl]
        [--every 10] [--only noise,beam] [--json FILE]

Synthetic functions follow the protocols of `bench_modeling`: one parameter with 5 % noise, the same
with five repetitions, one parameter with 20 % noise, and two parameters with 5 % noise. "lead" and
"within" are shares of functions in %, averaged over these protocols (see `bench_modeling`), "error"
the mean relative error in % of the held-out points of real measurements, every so many of the
series of a file. Probabilities that sum to one are flattened (square root) and sharpened (square)
instead. Differences of a few tenths of a percent are within the choice of functions: 100 / (number
of functions) is one function.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy is imported

import argparse
import json
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from modeling import DataError, Measurements, fit
from modeling.settings import DEFAULT, Settings

from .bench_modeling import lead
from .modeling_protocols import (
    TOLERANCE,
    Case,
    one_parameter,
    real_cases,
    relative_error,
    several_parameters,
)

Groups = Sequence[Sequence[Case]]


@dataclass(frozen=True)
class Score:
    """Shares of right leading terms and of predictions within the tolerance in %, mean relative
    error on real series in %, CPU seconds."""

    lead: float
    within: float
    error: float
    cpu_s: float

    def against(self, usual: Score) -> str:
        """Differences to another score."""
        return (
            f"lead {self.lead - usual.lead:+.1f}, within {self.within - usual.within:+.1f}, "
            f"error {self.error - usual.error:+.2f}, CPU x{self.cpu_s / usual.cpu_s:.2f}"
        )


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--functions", type=int, default=15)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--real", type=Path)
    parser.add_argument("--every", type=int, default=10)
    parser.add_argument("--only", help="parts of the settings")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    groups = protocols(options.functions, options.seed)
    real = list(real_cases(options.real))[:: options.every] if options.real else []
    measured(DEFAULT, groups, real)  # so that imports and caches are none of the first one's time
    usual = measured(DEFAULT, groups, real)
    print(f"{sum(map(len, groups))} functions, {len(real)} real series; as they are: {usual}")
    found: dict[str, dict[str, str]] = {}
    for name, changes in varied(options.only.split(",") if options.only else None):
        row = {}
        for label, settings in changes:
            try:
                row[label] = measured(settings, groups, real).against(usual)
            except (DataError, ValueError, IndexError, np.linalg.LinAlgError) as error:
                row[label] = f"impossible ({type(error).__name__})"
        found[name] = row
        print(f"{name}: " + "; ".join(f"{k}: {v}" for k, v in row.items()), flush=True)
        if options.json:
            options.json.write_text(json.dumps(found, indent=1) + "\n")


def protocols(functions: int, seed: int) -> Groups:
    """The synthetic functions."""
    return (
        list(one_parameter(functions, 0.05, 1, seed)),
        list(one_parameter(functions, 0.05, 5, seed)),
        list(one_parameter(functions, 0.2, 1, seed)),
        list(several_parameters(7 * functions, 2, 0.05, 1, seed)),
    )


def measured(settings: Settings, groups: Groups, real: Sequence[Case]) -> Score:
    """How well and how fast these settings do."""
    started = time.process_time()
    answers = [
        fit(Measurements(tuple(c.series for c in cases)), settings=settings).models
        for cases in (*groups, real)
    ]
    cpu_s = time.process_time() - started
    rows = [
        [
            (
                lead(model, case) == case.lead,
                abs(float(model.evaluate(case.query)) / case.truth - 1) <= TOLERANCE,
            )
            for case, model in zip(cases, models, strict=True)
        ]
        for cases, models in zip(groups, answers, strict=False)
    ]
    leads, within = 100 * np.mean([np.mean(row, axis=0) for row in rows], axis=0)
    errors = [
        relative_error(float(m.evaluate(c.query)), c.truth)  # type: ignore[arg-type]
        for c, m in zip(real, answers[-1], strict=True)
    ]
    return Score(leads, within, float(np.mean(errors)) if errors else math.nan, cpu_s)


def varied(only: Sequence[str] | None) -> Iterator[tuple[str, list[tuple[str, Settings]]]]:
    """Every number of the settings, and the settings with it halved and doubled."""
    for part in fields(DEFAULT):
        if only and part.name not in only:
            continue
        group = getattr(DEFAULT, part.name)
        for field in fields(group):
            value = getattr(group, field.name)
            changes = [
                (label, replace(DEFAULT, **{part.name: replace(group, **{field.name: other})}))
                for label, other in _around(value)
            ]
            if changes:
                yield f"{part.name}.{field.name}", changes


def _around(value: Any) -> list[tuple[str, Any]]:
    """The value halved and doubled; nothing for what is no number."""
    if isinstance(value, tuple):
        if not all(isinstance(v, (int, float)) for v in value):
            return []
        if abs(sum(value) - 1) < 1e-9:
            return [
                (label, _power(value, p)) for label, p in (("flattened", 0.5), ("sharpened", 2))
            ]
        halves, doubles = (tuple(_times(v, f) for v in value) for f in (0.5, 2))
    else:
        halves, doubles = _times(value, 0.5), _times(value, 2)
    return [("halved", halves), ("doubled", doubles)]


def _power(shares: Sequence[float], power: float) -> tuple[float, ...]:
    total = sum(p**power for p in shares)
    return tuple(p**power / total for p in shares)


def _times(value: float, factor: float) -> float:
    return max(1, round(value * factor)) if isinstance(value, int) else value * factor


if __name__ == "__main__":
    main()
