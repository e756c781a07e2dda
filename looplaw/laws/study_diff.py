"""Two studies of one program, before and after a change: which formulas, counts and models differ.

A loop is found again by its function and its place among that function's loops, since lines move
when a file is edited; where loops came or went, the others are recognised by their nesting and law.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

import numpy as np

from modeling import DataError, Model, Models, Term, grows_faster

Json = Mapping[str, object]

FORMAT = "looplaw-difference/1"
_APART = 0.5
"""Exponents that differ by this are different laws."""
_NOISE = 0.1
"""Modeled times that differ by less than a tenth where both were measured are equal unless
intervals say otherwise."""


@dataclass(frozen=True)
class Pair:
    """A loop before and after; None where it does not exist. `changes` says what differs, empty
    where nothing does.

    ratio: time after / time before, from the models, at the largest parameter values that both
    studies measured.
    """

    old: Json | None
    new: Json | None
    changes: tuple[str, ...]
    ratio: float | None = None

    @property
    def at(self) -> str:
        return str((self.new or self.old or {}).get("at"))

    @property
    def slower(self) -> bool:
        return "grows faster" in self.changes or "slower" in self.changes

    def to_json(self) -> dict[str, object]:
        sides = {
            name: None
            if side is None
            else {
                "at": side.get("at"),
                "law": law_of(side),
                "kind": _object(side.get("total")).get("kind"),
                "model": _object(side.get("time_model")).get("formula"),
                "verdict": side.get("verdict"),
            }
            for name, side in (("old", self.old), ("new", self.new))
        }
        return {
            "at": self.at,
            "function": (self.new or self.old or {}).get("function"),
            "changes": list(self.changes),
            "time_ratio": self.ratio,
            **sides,
        }


def difference(old: Json, new: Json) -> tuple[Pair, ...]:
    """The loops of two "looplaw-study/1" objects in pairs: those of the new one in its order, then
    those that are gone."""
    matched = _matched(_loops(old), _loops(new))
    gone = {str(loop.get("at")) for loop in _loops(old)} - {
        str(o.get("at")) for o, _ in matched if o is not None
    }
    found = [_pair(o, n) for o, n in matched]
    return (
        *found,
        *(Pair(loop, None, ("gone",)) for loop in _loops(old) if str(loop.get("at")) in gone),
    )


def with_baseline(study: Json, old: Json) -> dict[str, object]:
    """The new study with what each of its loops was before, for the report."""
    pairs = {p.at: p for p in difference(old, study) if p.new is not None}
    loops = []
    for loop in _loops(study):
        pair = pairs[str(loop.get("at"))]
        before = (
            None
            if pair.old is None
            else {
                "at": pair.old.get("at"),
                "law": law_of(pair.old),
                "verdict": pair.old.get("verdict"),
                "time": pair.old.get("time"),
                "time_model": pair.old.get("time_model"),
            }
        )
        loops.append(
            {**loop, "before": before, "changes": list(pair.changes), "time_ratio": pair.ratio}
        )
    named = {
        "title": old.get("title"),
        "created": old.get("created"),
        "revision": _object(old.get("environment")).get("revision"),
        "gone": [p.at for p in difference(old, study) if p.new is None],
    }
    return {**study, "loops": loops, "baseline": named}


def law_of(loop: Json) -> str | None:
    """The loop's iterations in a run as people read them, or their bounds; None where nothing is
    known."""
    total = _object(loop.get("total"))
    text = loop.get("display") or total.get("formula")
    if text is not None:
        return str(text)
    bounds = [
        f"{word} {total[key]}"
        for word, key in (("at least", "lower"), ("at most", "upper"))
        if total.get(key) is not None
    ]
    return ", ".join(bounds) or None


def _matched(old: Sequence[Json], new: Sequence[Json]) -> list[tuple[Json | None, Json]]:
    """Each new loop with its old one, function by function."""
    before, found = _by_function(old), {}
    for function, loops in _by_function(new).items():
        found.update({id(n): o for o, n in _aligned(before.get(function, []), loops)})
    return [(found.get(id(loop)), loop) for loop in new]


def _aligned(old: Sequence[Json], new: Sequence[Json]) -> list[tuple[Json, Json]]:
    """Loops of one function: in order where there are as many; else the longest common run of
    nestings and laws."""
    if len(old) == len(new):
        return list(zip(old, new, strict=True))
    a, b = ([(loop.get("nesting"), law_of(loop)) for loop in side] for side in (old, new))
    blocks = SequenceMatcher(a=a, b=b, autojunk=False).get_matching_blocks()
    return [(old[block.a + k], new[block.b + k]) for block in blocks for k in range(block.size)]


def _by_function(loops: Sequence[Json]) -> dict[str, list[Json]]:
    found: dict[str, list[Json]] = {}
    for loop in loops:
        found.setdefault(str(loop.get("function")), []).append(loop)
    return found


def _pair(old: Json | None, new: Json) -> Pair:
    if old is None:
        return Pair(None, new, ("new",))
    changes = []
    if _shape(old) != _shape(new):
        changes.append("law")
    if old.get("verdict") != new.get("verdict"):
        changes.append("verdict")
    before, after = _model(old), _model(new)
    ratio = None
    if before is not None and after is not None:
        ratio = _ratio(before, after, old, new)
        speed = _speed(before, after, old, new, ratio)
        changes += [_growth(before, after, speed), speed]
    elif (before is None) != (after is None):
        changes.append("model")
    return Pair(old, new, tuple(c for c in changes if c), ratio)


def _shape(loop: Json) -> tuple[object, ...]:
    total = _object(loop.get("total"))
    return tuple(total.get(k) for k in ("kind", "formula", "lower", "upper"))


def _growth(before: Model, after: Model, speed: str) -> str:
    """How the growth changed. Leading terms that are less than a square root apart may be one law
    seen through noise: these count only where the times themselves differ in that direction."""
    if before.lead == after.lead or not (before.identifiable and after.identifiable):
        return ""
    faster, slower = grows_faster(after.lead, before.lead), grows_faster(before.lead, after.lead)
    if not _far(before.lead, after.lead) and speed != ("slower" if faster else "faster"):
        return ""
    return "grows faster" if faster else "grows slower" if slower else "grows otherwise"


def _far(a: Term, b: Term) -> bool:
    powers = [{name: float(i) for name, i, _ in term.factors} for term in (a, b)]
    return any(
        abs(powers[0].get(n, 0) - powers[1].get(n, 0)) >= _APART for n in powers[0] | powers[1]
    )


def _common(old: Json, new: Json) -> dict[str, float] | None:
    """The largest parameter vector that both measured."""
    seen = [
        {tuple(sorted(_object(p.get("params")).items())) for p in _points(loop)}
        for loop in (old, new)
    ]
    both = seen[0] & seen[1]
    return (
        {
            str(k): float(str(v))
            for k, v in max(both, key=lambda key: [float(str(v)) for _, v in key])
        }
        if both
        else None
    )


def _ratio(before: Model, after: Model, old: Json, new: Json) -> float | None:
    at = _common(old, new)
    if at is None:
        return None
    a, b = float(before.evaluate(at)), float(after.evaluate(at))
    return b / a if a > 0 and b > 0 and np.isfinite(a) and np.isfinite(b) else None


def _speed(before: Model, after: Model, old: Json, new: Json, ratio: float | None) -> str:
    """faster or slower: by more than a tenth, and outside each other's 90 % interval."""
    at = _common(old, new)
    if ratio is None or at is None or abs(np.log(ratio)) < np.log1p(_NOISE):
        return ""
    (low_a, high_a), (low_b, high_b) = before.interval(at), after.interval(at)
    value_a, value_b = float(before.evaluate(at)), float(after.evaluate(at))
    if low_b <= value_a <= high_b or low_a <= value_b <= high_a:
        return ""
    return "slower" if ratio > 1 else "faster"


def _model(loop: Json) -> Model | None:
    data = loop.get("time_model")
    if not isinstance(data, Mapping):
        return None
    return Models.from_json(
        {"format": "looplaw-models/1", "models": [data]}, str(loop.get("at"))
    ).models[0]


def _loops(study: Json) -> list[Json]:
    loops = study.get("loops")
    if not isinstance(loops, list) or not all(isinstance(loop, Mapping) for loop in loops):
        raise DataError(
            'this is not a study ("loops" is missing); make one with looplaw study PROGRAM'
        )
    return loops


def _points(loop: Json) -> list[Json]:
    points = loop.get("time")
    return [p for p in points if isinstance(p, Mapping)] if isinstance(points, list) else []


def _object(value: object) -> Json:
    return value if isinstance(value, Mapping) else {}
