"""Models as columns, where there are too many to look at one by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..data.measurements import Floats


@dataclass(frozen=True)
class ModelTable:
    """K models, a column for each thing that is known of them: formula, constant; lengths, the
    number of terms of each, with the coefficients and texts of all terms, one model's after the
    other's; smape, loo_smape, adjusted_r2 and points as in `Quality`; identifiable, and the reason
    where one is not."""

    formula: Sequence[str]
    constant: Sequence[float]
    lengths: Sequence[int]
    coefficients: Sequence[float]
    terms: Sequence[str]
    smape: Floats
    loo_smape: Floats
    adjusted_r2: Floats
    points: Sequence[int]
    identifiable: Sequence[bool]
    reason: Sequence[str | None]

    def __len__(self) -> int:
        return len(self.formula)
