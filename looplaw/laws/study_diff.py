"""Two studies of one program, before and after a change: which formulas, counts and models differ.

A loop is found again by its function and its place among that function's loops, since lines move
when a file is edited; where loops came or went, the others are recognised by their nesting and law.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

import numpy as np
from msgspec.structs import replace

from modeling import Model, Term, grows_faster
from modeling.data.observations import point_of

from ..documents.study import BaselineDocument, BeforeDocument, StudyDocument, StudyLoop

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

    old: StudyLoop | None
    new: StudyLoop | None
    changes: tuple[str, ...]
    ratio: float | None = None

    @property
    def loop(self) -> StudyLoop:
        """The loop as it is now; as it was where it is gone."""
        found = self.new or self.old
        assert found is not None, "a pair has a loop on one side at least"
        return found

    @property
    def at(self) -> str:
        return self.loop.at

    @property
    def slower(self) -> bool:
        return "grows faster" in self.changes or "slower" in self.changes

    def to_json(self) -> dict[str, object]:
        sides = {
            name: None
            if side is None
            else {
                "at": side.at,
                "law": law_of(side),
                "kind": side.total.kind if side.total else None,
                "model": side.time_model.formula if side.time_model else None,
                "verdict": side.verdict,
            }
            for name, side in (("old", self.old), ("new", self.new))
        }
        return {
            "at": self.at,
            "function": self.loop.function,
            "changes": list(self.changes),
            "time_ratio": self.ratio,
            **sides,
        }


def difference(old: StudyDocument, new: StudyDocument) -> tuple[Pair, ...]:
    """The loops of two studies in pairs: those of the new one in its order, then those that are
    gone."""
    matched = _matched(old.loops, new.loops)
    gone = {loop.at for loop in old.loops} - {o.at for o, _ in matched if o is not None}
    found = [_pair(o, n) for o, n in matched]
    return (*found, *(Pair(loop, None, ("gone",)) for loop in old.loops if loop.at in gone))


def with_baseline(study: StudyDocument, old: StudyDocument) -> StudyDocument:
    """The new study with what each of its loops was before, for the report."""
    found = difference(old, study)
    pairs = {p.at: p for p in found if p.new is not None}
    loops = tuple(
        replace(
            loop,
            before=_before(pairs[loop.at].old),
            changes=pairs[loop.at].changes,
            time_ratio=pairs[loop.at].ratio,
        )
        for loop in study.loops
    )
    revision = old.environment.get("revision")
    baseline = BaselineDocument(
        old.title,
        old.created,
        None if revision is None else str(revision),
        tuple(p.at for p in found if p.new is None),
    )
    return replace(study, loops=loops, baseline=baseline)


def _before(loop: StudyLoop | None) -> BeforeDocument | None:
    if loop is None:
        return None
    return BeforeDocument(loop.at, law_of(loop), loop.verdict, loop.time, loop.time_model)


def law_of(loop: StudyLoop) -> str | None:
    """The loop's iterations in a run as people read them, or their bounds; None where nothing is
    known."""
    return loop.static_law or (", ".join(loop.total.bounds) if loop.total else None) or None


def _matched(
    old: Sequence[StudyLoop], new: Sequence[StudyLoop]
) -> list[tuple[StudyLoop | None, StudyLoop]]:
    """Each new loop with its old one, function by function."""
    before, found = _by_function(old), dict[int, StudyLoop]()
    for function, loops in _by_function(new).items():
        found.update({id(n): o for o, n in _aligned(before.get(function, []), loops)})
    return [(found.get(id(loop)), loop) for loop in new]


def _aligned(
    old: Sequence[StudyLoop], new: Sequence[StudyLoop]
) -> list[tuple[StudyLoop, StudyLoop]]:
    """Loops of one function: in order where there are as many; else the longest common run of
    nestings and laws."""
    if len(old) == len(new):
        return list(zip(old, new, strict=True))
    a, b = ([(loop.nesting, law_of(loop)) for loop in side] for side in (old, new))
    blocks = SequenceMatcher(a=a, b=b, autojunk=False).get_matching_blocks()
    return [(old[block.a + k], new[block.b + k]) for block in blocks for k in range(block.size)]


def _by_function(loops: Sequence[StudyLoop]) -> dict[str, list[StudyLoop]]:
    found: dict[str, list[StudyLoop]] = {}
    for loop in loops:
        found.setdefault(loop.function, []).append(loop)
    return found


def _pair(old: StudyLoop | None, new: StudyLoop) -> Pair:
    if old is None:
        return Pair(None, new, ("new",))
    changes = []
    if _shape(old) != _shape(new):
        changes.append("law")
    if old.verdict != new.verdict:
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


def _shape(loop: StudyLoop) -> tuple[str | None, ...]:
    total = loop.total
    return () if total is None else (total.kind, total.formula, total.lower, total.upper)


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


def _common(old: StudyLoop, new: StudyLoop) -> dict[str, float] | None:
    """The largest parameter vector that both measured."""
    seen = [{point_of(p.params) for p in loop.time or ()} for loop in (old, new)]
    both = seen[0] & seen[1]
    if not both:
        return None
    return {k: float(v) for k, v in max(both, key=lambda key: [float(v) for _, v in key])}


def _ratio(before: Model, after: Model, old: StudyLoop, new: StudyLoop) -> float | None:
    at = _common(old, new)
    if at is None:
        return None
    a, b = float(before.evaluate(at)), float(after.evaluate(at))
    return b / a if a > 0 and b > 0 and np.isfinite(a) and np.isfinite(b) else None


def _speed(before: Model, after: Model, old: StudyLoop, new: StudyLoop, ratio: float | None) -> str:
    """faster or slower: by more than a tenth, and outside each other's 90 % interval."""
    at = _common(old, new)
    if ratio is None or at is None or abs(np.log(ratio)) < np.log1p(_NOISE):
        return ""
    (low_a, high_a), (low_b, high_b) = before.interval(at), after.interval(at)
    value_a, value_b = float(before.evaluate(at)), float(after.evaluate(at))
    if low_b <= value_a <= high_b or low_a <= value_b <= high_a:
        return ""
    return "slower" if ratio > 1 else "faster"


def _model(loop: StudyLoop) -> Model | None:
    return None if loop.time_model is None else Model.of(loop.time_model, loop.at)
