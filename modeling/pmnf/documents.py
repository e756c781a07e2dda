"""The JSON document "looplaw-models/1" as types: what a file of models holds, before it is a Model.

`Models.to_json` writes it and `Models.from_json` reads it; keys not listed here are ignored, so
that files of later versions can be read; what earlier versions did not write is unset.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, UnsetType

from .count_law import Counted
from .curve import CurveDocument
from .time_law import TimeLawDocument

Rational = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^[+-]?\d{1,18}(/0*[1-9]\d{0,17}|\.\d{1,18})?$",
        description="a rational number such as 3/2",
    ),
]
Exponents = dict[str, tuple[Rational, Rational]]
"""Parameter -> (exponent of the parameter, exponent of its binary logarithm), rational numbers."""


class TermDocument(msgspec.Struct, frozen=True):
    """A coefficient times powers and logarithms of the parameters."""

    coefficient: float
    exponents: Exponents


class QualityDocument(msgspec.Struct, frozen=True):
    """Errors of a model on the points it was fitted to; SMAPE in %."""

    smape: float
    adjusted_r2: float
    loo_smape: float
    points: int


class RivalDocument(msgspec.Struct, frozen=True):
    """Another formula that fits as well."""

    formula: str
    smape: float


class RegimeDocument(msgspec.Struct, frozen=True):
    """The law where a parameter is less than `until`, as `modeling.pmnf.regime.Regime`."""

    parameter: str
    until: float
    constant: float
    terms: tuple[TermDocument, ...]
    formula: str = ""


class AlternativeDocument(msgspec.Struct, frozen=True):
    """One law that the data allow, as `modeling.pmnf.interval.Alternative`."""

    weight: float
    sigma: float
    kappa: float
    constant: float
    terms: tuple[TermDocument, ...]
    root: tuple[tuple[float, ...], ...]
    before: RegimeDocument | UnsetType | None = UNSET


class IntervalDocument(msgspec.Struct, frozen=True):
    """What prediction intervals are made of; reach: parameter -> (largest value, step, number of
    values; 0, or without it, where that is not known); scatter: relative variance of one value
    beyond that of the mean of a point; widened: how much wider they are than the alternatives say;
    unseen: may the law end beyond the data? shown: the number of points that show the leading
    term."""

    positive: bool
    reach: dict[str, Annotated[tuple[float, ...], msgspec.Meta(min_length=2, max_length=3)]]
    alternatives: tuple[AlternativeDocument, ...]
    scatter: float | UnsetType = UNSET
    widened: float | UnsetType = UNSET
    unseen: bool | UnsetType = UNSET
    shown: int | UnsetType = UNSET


class ModelDocument(msgspec.Struct, frozen=True):
    """One model. `parameters` is None in files that do not list them; `law` is set where it is one
    of time that knows counts and memory, `counted` where it is one of counts, `curve` where no sum
    of powers and logarithms holds, in place of which earlier versions wrote `exponential`."""

    callpath: str
    metric: str
    constant: float
    terms: tuple[TermDocument, ...]
    formula: str
    quality: QualityDocument
    identifiable: bool
    reason: str | None = None
    rivals: tuple[RivalDocument, ...] = ()
    parameters: tuple[str, ...] | None = None
    interval: IntervalDocument | None = None
    before: RegimeDocument | UnsetType | None = UNSET
    notes: tuple[str, ...] | UnsetType = UNSET
    law: TimeLawDocument | None = None
    counted: Counted | None = None
    certainty: Literal["sure", "rough", "open"] | UnsetType | None = UNSET
    unit: str | UnsetType | None = UNSET
    curve: CurveDocument | UnsetType = UNSET
    exponential: object | UnsetType = UNSET
    name: str | UnsetType | None = UNSET


class ModelsDocument(msgspec.Struct, frozen=True):
    """All models of a set of measurements."""

    format: Literal["looplaw-models/1"]
    models: tuple[ModelDocument, ...]
