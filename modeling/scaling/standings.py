"""Series that were measured at one size: which is first, by how much, and where nobody can tell.

Series are compared with the first of them by the rank test of Mann and Whitney (1947) and the
interval of Hodges and Lehmann (1963). Where words name cases beside the variants (files, kernels),
the variants are compared case by case: the geometric mean of their ratios, with the interval of
Student's t on logarithms, and the signed-rank test of Wilcoxon (1945). Several comparisons share
the level as Holm (1979) has it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from scipy import stats

from ..data.measurements import Floats, Series
from .versions import LEVEL, SIGNIFICANT, Ratio, p_value, shift, values_at

Standing = Literal["first", "behind", "cannot tell"]
_FEWEST_CASES = 3
RANKED = 6
"""Cases of which signed ranks tell anything: of five, no order is rarer than 1 in 16."""
_NAMES_ALL = 0.9
"""A label with another word in this share of the series, or more, names these, and no case."""
_LABELLED = re.compile(r"(.*?)\[(.+=.*)\]", re.DOTALL)


@dataclass(frozen=True)
class Place:
    """A series, or a variant over all cases, in its place. value: its median, or its geometric mean
    over the cases; ratio: how many times worse than the first, with a 90 % interval whose ends are
    NaN where nothing tells them; count: its observations, or the cases where it is paired; p_value:
    NaN where there are too few."""

    name: str
    metric: str
    unit: str
    value: float
    ratio: Ratio
    count: int
    p_value: float
    standing: Standing
    is_paired: bool = False


def is_at_one_size(series: Sequence[Series]) -> bool:
    """Can series be compared, but none grows?"""
    return len(series) > 1 and all(len(s.means) == 1 for s in series)


def standings(
    series: Sequence[Series], *, more_is_better: bool = False
) -> tuple[tuple[Place, ...], ...]:
    """The places of the series of one metric, the best first: of all of them, or of those of each
    case apart where the words that tell series apart name cases and not all variants were measured
    in each.

    Args:
        series: each at one point, of one unit; values of zero and below take no part.
        more_is_better: as of rates; times are better where they are less.
    """
    usable = [s for s in series if s.means[0] > 0]
    cases = _cases(usable)
    if not cases:
        return (_single(usable, more_is_better),) if len(usable) > 1 else ()
    variants = {v for case in cases for v in case}
    whole = [c for c in cases if set(c) == variants]
    if len(whole) >= max(_FEWEST_CASES, len(cases) / 2):
        return (_paired(usable[0], whole, more_is_better),)
    apart = [list(case.values()) for case in cases if len(case) > 1]
    return tuple(_single(case, more_is_better) for case in apart)


def _single(series: Sequence[Series], more_is_better: bool) -> tuple[Place, ...]:
    samples = [values_at(s, 0) for s in series]
    medians = [float(np.median(v)) for v in samples]
    order = sorted(range(len(series)), key=lambda k: -medians[k] if more_is_better else medians[k])
    first = order[0]
    found = []
    for k in order:
        s, own = series[k], samples[k]
        pair = (samples[first], own) if more_is_better else (own, samples[first])
        ratio = medians[first] / medians[k] if more_is_better else medians[k] / medians[first]
        low, high = shift(*pair)
        count = int(s.counts[0])
        p = p_value(own, samples[first])
        found.append(
            Place(
                s.callpath, s.metric, s.unit, medians[k], Ratio(ratio, low, high), count, p, "first"
            )
        )
    return _judged(found)


def _paired(like: Series, cases: Sequence[Mapping[str, Series]], more: bool) -> tuple[Place, ...]:
    """The places of variants over cases, each of which has all of them."""
    names = list(cases[0])
    medians = [[float(np.median(values_at(case[n], 0))) for n in names] for case in cases]
    logs = np.log(medians)  # (cases, variants)
    worse = -logs if more else logs
    order = np.argsort(worse.mean(axis=0), kind="stable")
    found = []
    for k in order:
        difference = worse[:, k] - worse[:, order[0]]
        value = float(np.exp(logs[:, k].mean()))
        ratio, p = _of_differences(difference)
        found.append(
            Place(names[k], like.metric, like.unit, value, ratio, len(cases), p, "first", True)
        )
    return _judged(found)


def _of_differences(logs: Floats) -> tuple[Ratio, float]:
    """The geometric mean of ratios with its interval, and the p-value of their ranks."""
    mean = float(logs.mean())
    error = float(stats.sem(logs)) * float(stats.t.ppf((1 + LEVEL) / 2, len(logs) - 1))
    is_same = not np.any(logs)
    p = float("nan") if len(logs) < RANKED or is_same else float(stats.wilcoxon(logs).pvalue)
    ends = (mean, mean - error, mean + error)
    return Ratio(*(float(np.exp(x)) for x in ends)), p


def _judged(places: Sequence[Place]) -> tuple[Place, ...]:
    """The places with what is said of each: behind where Holm's step-down test says so."""
    behind = places[1:]
    order = sorted(range(len(behind)), key=lambda k: np.nan_to_num(behind[k].p_value, nan=2.0))
    sure: set[int] = set()
    for step, k in enumerate(order):
        if not behind[k].p_value * (len(behind) - step) < SIGNIFICANT:
            break
        sure.add(k)
    said: list[Standing] = ["behind" if k in sure else "cannot tell" for k in range(len(behind))]
    found = (replace(p, standing=s) for p, s in zip(behind, said, strict=True))
    lead = replace(places[0], ratio=Ratio(1.0, 1.0, 1.0), p_value=float("nan"))
    return (lead, *found)


def _cases(series: Sequence[Series]) -> list[dict[str, Series]]:
    """The series of variants in each case, where the words that tell series apart name both: the
    variants are those of the label that puts most series beside others."""
    labels = [_labels(s.callpath) for s in series]
    known = [found for found in labels if found is not None]
    if not known or len(known) < len(series):
        return []
    words = {n: {f[n] for f in known} for n in known[0] if all(n in f for f in known)}
    varied = [n for n, of in words.items() if 1 < len(of) <= _NAMES_ALL * len(known)]
    best: tuple[int, int] = (0, 0)
    chosen: list[dict[str, Series]] = []
    for variant in (n for n in varied if n and len(varied) > 1):
        cases: dict[tuple[str, ...], dict[str, Series]] = {}
        for s, found in zip(series, known, strict=True):
            case = tuple(found[n] for n in varied if n != variant)
            cases.setdefault(case, {})[found[variant]] = s
        beside = sum(len(case) for case in cases.values() if len(case) > 1)
        if (key := (beside, -len(words[variant]))) > best and beside:
            best, chosen = key, [dict(sorted(case.items())) for case in cases.values()]
    return chosen


def _labels(callpath: str) -> dict[str, str] | None:
    """The words behind a call path, by name; None where it has none."""
    if (match := _LABELLED.fullmatch(callpath)) is None:
        return None
    parts = re.split(r", (?=[^=,]+=)", match[2])
    found = dict(part.split("=", 1) for part in parts)
    return {"": match[1], **found}
