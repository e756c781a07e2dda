"""Requirements of a program against the capacity of a machine to come.

A kernel needs so many operations, bytes, messages and so much memory at a target scale, as its
models say; a machine serves so many of each in a second, or holds so much. What takes longest
bounds the kernel's time from below; what does not fit rules the machine out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from looplaw_common.errors import DataError

from ..pmnf.model import Model


@dataclass(frozen=True)
class Need:
    """One kernel. amounts: metric -> what it needs; seconds: metric -> time that its rate takes for
    it; bound: the metric that takes longest (None: no rate is known); overfull: metrics of which it
    needs more than there is."""

    callpath: str
    amounts: Mapping[str, float]
    seconds: Mapping[str, float]
    overfull: tuple[str, ...]

    @property
    def bound(self) -> str | None:
        return max(self.seconds, key=lambda m: self.seconds[m]) if self.seconds else None


def needs(
    models: Sequence[Model],
    at: Mapping[str, float],
    rates: Mapping[str, float],
    capacities: Mapping[str, float] | None = None,
) -> tuple[Need, ...]:
    """Hold every kernel's requirements at a scale against a machine.

    Args:
        rates: metric -> how many a second the machine serves to one process.
        capacities: metric -> how much there is for one process.

    Raises:
        DataError: a rate or capacity that is not above 0, or of a metric that no model is of.
    """
    capacities = capacities or {}
    known = {m.metric for m in models}
    for name, value in (*rates.items(), *capacities.items()):
        if not value > 0:
            raise DataError(f"{name}={value:g}: a rate or capacity is above 0")
        if name not in known:
            raise DataError(
                f"{name}: no model of it; there are models of {', '.join(sorted(known))}"
            )
    found = []
    for callpath in dict.fromkeys(m.callpath for m in models):
        amounts = {
            m.metric: max(float(m.evaluate(at)), 0.0) for m in models if m.callpath == callpath
        }
        found.append(
            Need(
                callpath,
                amounts,
                {m: amounts[m] / r for m, r in rates.items() if m in amounts},
                tuple(m for m, c in capacities.items() if amounts.get(m, 0.0) > c),
            )
        )
    return tuple(found)
