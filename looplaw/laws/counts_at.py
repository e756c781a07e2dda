"""How often loops of a study run at a point."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite

from looplaw_common.errors import InputError
from modeling import Model
from modeling.pmnf.assumed_formula import NOTHING_ASSUMED, Assumed, AssumedFormula

from ..documents.study import StudyLoop


def iterations_at(loop: StudyLoop, at: Mapping[str, float]) -> float | None:
    """How often a loop runs at a point, by its law where what that assumes holds, else by the model
    of its counts."""
    assumed = assumed_at(loop, at)
    for text in (loop.law.formula if loop.law is not None else None, loop.static_law):
        if text is None:
            continue
        try:
            value = AssumedFormula.read(text, assumed).evaluate(whole(at))
            if value is not None and isfinite(float(value)):
                return float(value)
        except (InputError, TypeError, OverflowError):
            continue
    if loop.iterations_model is None:
        return None
    model = Model.of(loop.iterations_model, loop.at)
    if model.needed - set(at):
        return None
    value = float(model.evaluate(dict(at)))
    return value if isfinite(value) else None


def assumed_at(loop: StudyLoop, at: Mapping[str, float]) -> Assumed:
    """What a loop's count assumes of the parameters of a study."""
    return NOTHING_ASSUMED if loop.total is None else loop.total.rests_on.about(at)


def whole(at: Mapping[str, float]) -> dict[str, int | float]:
    """Sizes as whole numbers, for formulas that round."""
    return {n: int(v) if v == int(v) else v for n, v in at.items()}
