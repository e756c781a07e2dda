"""Constants of laws of time, chosen on some machines to be tried on another.

A constant is the mean and the deviation that an unknown of the laws has before any run of a kernel.
Laws are learned from all sizes that were run, those that the benchmark foretells included; their
unknowns, with what is left open of each, give the constants anew: one step of expectation and
maximisation of the hierarchical model (Dempster, Laird and Rubin, 1977).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from math import sqrt

import numpy as np

from modeling.pmnf.time_law import TimeLaw, names_of
from modeling.timelaw.fit import DEFAULT_TIME, TimeSettings

_FIELDS: Mapping[str, str] = {
    "a0": "core",
    "latency": "random",
    "first touch": "fresh",
    "overlap": "overlap",
    "translation": "paged",
    "capacity for random accesses": "room",
    "overlap of memory": "far",
    "rise of first touches": "rise",
    "latency of memory": "missing",
    "addition in a chain": "chain",
    "mispredicted branches": "mispredicted",
    "length of their pattern": "pattern",
}
_BEGINNINGS = {"cost of": "level", "capacity before": "capacity", "a": "outer"}
FEWEST = 8
"""Laws that tell a constant, at least; with fewer it stays."""


def constants_of(laws: Iterable[TimeLaw], before: TimeSettings = DEFAULT_TIME) -> TimeSettings:
    """The constants that laws which were learned with those of `before` speak for.

    Those of calls of libraries, and of the noise, stay.
    """
    seen: dict[str, list[tuple[float, float]]] = {}
    for law in laws:
        names = names_of(
            len(law.counts), law.costs, chain=bool(law.chain), branches=law.branches is not None
        )
        variances = (np.array(law.root) ** 2).sum(axis=1)
        for name, value, variance in zip(names, law.theta, variances.tolist(), strict=True):
            seen.setdefault(field_of(name), []).append((value, variance))
    found = {}
    for field, values in seen.items():
        if len(values) >= FEWEST:
            mean = sum(v for v, _ in values) / len(values)
            spread = sum((v - mean) ** 2 + open_ for v, open_ in values) / len(values)
            found[field] = (mean, sqrt(spread))
    return replace(before, **found)  # type: ignore[arg-type]


def field_of(unknown: str) -> str:
    """The constant that stands for an unknown of a law."""
    if unknown in _FIELDS:
        return _FIELDS[unknown]
    return next(field for start, field in _BEGINNINGS.items() if unknown.startswith(start))


def changed(chosen: TimeSettings, before: TimeSettings = DEFAULT_TIME) -> str:
    """The constants that are others than before, in a line."""
    fields = dict.fromkeys([*_FIELDS.values(), *_BEGINNINGS.values()])
    pairs = {f: getattr(chosen, f) for f in fields if getattr(chosen, f) != getattr(before, f)}
    return ", ".join(f"{f} {mean:.2f} ({deviation:.2f})" for f, (mean, deviation) in pairs.items())
