"""Series over commits, and the commits that changed them.

A commit changed a law where both laws are identified, one outgrows the other, and the value at the
point that is followed changed as well. It changed a value where the series has a change point.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from looplaw_common.errors import InputError
from looplaw_common.formula.formula import parse_formula
from modeling.data.observations import Number, Point, point_of
from modeling.pmnf.law_comparison import compare_laws
from modeling.stream.change_points import LEAST_CHANGE, LEAST_VALUES, RISK, change_points

from .records import Record


@dataclass(frozen=True)
class Entry:
    """A commit of a series and the value at the point that is followed."""

    record: Record
    value: float
    predicted: bool = False


@dataclass(frozen=True)
class Change:
    """What a commit changed. kind: "law" or "value"; before, after: the laws, or medians of the
    commits before and since; risk: probability of such a change by noise alone."""

    kind: str
    index: int
    commit: str
    subject: str
    before: str
    after: str
    is_worse: bool
    risk: float = 0.0

    def to_json(self) -> dict[str, object]:
        return {
            "kind": self.kind,
            "commit": self.commit,
            "subject": self.subject,
            "before": self.before,
            "after": self.after,
            "worse": self.is_worse,
            "risk": self.risk,
        }


@dataclass(frozen=True)
class Line:
    """A metric of a kernel over commits, at one point. remark: what could not be looked for."""

    kernel: str
    metric: str
    at: Mapping[str, Number]
    entries: tuple[Entry, ...]
    changes: tuple[Change, ...]
    remark: str = ""

    def to_json(self) -> dict[str, object]:
        return {
            "kernel": self.kernel,
            "metric": self.metric,
            "at": dict(self.at),
            "commits": [
                {
                    "commit": e.record.commit,
                    "subject": e.record.subject,
                    "date": e.record.date,
                    "value": e.value,
                    "predicted": e.predicted,
                    "formula": e.record.formula,
                }
                for e in self.entries
            ],
            "changes": [c.to_json() for c in self.changes],
            "remark": self.remark,
        }


def lines_of(
    records: Sequence[Record],
    *,
    at: Mapping[str, Number] | None = None,
    risk: float = RISK,
    least: float = LEAST_CHANGE,
) -> tuple[Line, ...]:
    """Each kernel and metric over commits.

    Args:
        at: the point to follow; by default the largest that most commits have measured. Commits
            that have not measured it are taken at what their model predicts.
    """
    groups: dict[tuple[str, str], list[Record]] = {}
    for record in records:
        groups.setdefault((record.kernel, record.metric), []).append(record)
    return tuple(_line(group, at, risk, least) for group in groups.values())


def _line(
    group: Sequence[Record], at: Mapping[str, Number] | None, risk: float, least: float
) -> Line:
    chosen = dict(at) if at is not None else _followed(group)
    entries = tuple(e for r in group if (e := _entry(r, chosen)) is not None)
    first = group[0]
    if len(entries) < 2:
        return Line(first.kernel, first.metric, chosen, entries, (), "one commit only")
    exact = all(e.record.exact for e in entries)
    values = [e.value for e in entries]
    found = _laws(entries, least)
    edges = [0, *(c.index for c in found), len(entries)]
    for start, end in pairwise(edges):  # another law is another series
        part = values[start:end]
        for c in change_points(part, risk=risk, least=least, noise=not exact):
            record, sides = entries[start + c.index].record, (f"{c.before:.4g}", f"{c.after:.4g}")
            worse, index = c.after > c.before, start + c.index
            found.append(
                Change("value", index, record.commit, record.subject, *sides, worse, c.risk)
            )
    few = not exact and len(entries) < LEAST_VALUES
    remark = f"change points need {LEAST_VALUES} commits" if few else ""
    ordered = tuple(sorted(found, key=lambda c: c.index))
    return Line(first.kernel, first.metric, chosen, entries, ordered, remark)


def _followed(group: Sequence[Record]) -> dict[str, Number]:
    """The largest of the points that most commits have."""
    seen: dict[Point, int] = {}
    points: dict[Point, dict[str, Number]] = {}
    for record in group:
        for value in record.values:
            key = point_of({k: float(v) for k, v in value.params.items()})
            seen[key] = seen.get(key, 0) + 1
            points[key] = dict(value.params)
    if not seen:
        return {}
    most = max(seen.values())
    return points[max(k for k, n in seen.items() if n == most)]


def _entry(record: Record, at: Mapping[str, Number]) -> Entry | None:
    for value in record.values:
        if {k: float(v) for k, v in value.params.items()} == {k: float(v) for k, v in at.items()}:
            return Entry(record, value.value) if value.value > 0 else None
    if record.formula is None:
        return None
    try:
        predicted = float(parse_formula(record.formula).evaluate(dict(at)))
    except (InputError, OverflowError):
        return None
    return Entry(record, predicted, predicted=True) if predicted > 0 else None


def _laws(entries: Sequence[Entry], least: float) -> list[Change]:
    """Commits whose law grows in another way than that of the commit before."""
    found = []
    for k in range(1, len(entries)):
        a, b = entries[k - 1], entries[k]
        old, new = a.record, b.record
        is_same = max(a.value, b.value) < (1 + least) * min(a.value, b.value)
        if not (old.identifiable and new.identifiable) or is_same:
            continue
        if old.formula is None or new.formula is None or old.formula == new.formula:
            continue
        try:
            grown = compare_laws(parse_formula(old.formula), parse_formula(new.formula))
        except InputError:
            continue
        if grown.faster or grown.slower:
            laws = (old.formula, new.formula)
            found.append(Change("law", k, new.commit, new.subject, *laws, bool(grown.faster)))
    return found
