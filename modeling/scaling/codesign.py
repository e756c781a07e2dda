"""Requirements of a program compared with the rates and capacities of a planned machine.

Models predict how many operations, bytes and messages a kernel needs at a target scale, and how
much memory; a machine processes so many of each per second, or holds so much. The requirement that
takes longest is a lower bound of the kernel's time; one beyond a capacity rules the machine out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from looplaw_common.errors import DataError

from ..pmnf.model import Model


@dataclass(frozen=True)
class Need:
    """The requirements of one kernel. amounts: metric -> amount needed; seconds: metric -> time for
    that amount at the machine's rate; overfull: metrics needed beyond the capacity."""

    callpath: str
    amounts: Mapping[str, float]
    seconds: Mapping[str, float]
    overfull: tuple[str, ...]

    @property
    def bound(self) -> str | None:
        """The metric that takes longest; None where no rate is known."""
        return max(self.seconds, key=lambda m: self.seconds[m]) if self.seconds else None


def needs(
    models: Sequence[Model],
    at: Mapping[str, float],
    rates: Mapping[str, float],
    capacities: Mapping[str, float] | None = None,
) -> tuple[Need, ...]:
    """Compare the requirements of every kernel with a machine.

    Args:
        at: the target scale, a value for each parameter.
        rates: metric -> amount per second that one process gets.
        capacities: metric -> amount that one process may use.

    Raises:
        DataError: a rate or capacity is not above 0, or no model has its metric.
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
