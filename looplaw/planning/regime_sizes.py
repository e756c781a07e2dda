"""Sizes that show every regime of a program's memory: on which side of each cache limit they lie.

A model of time learns what a cache level costs from runs in which the data fill that level. The
sizes at which a loop's iterations outgrow a cache follow from the memory law; a size between two
such limits shows the regime between them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import isqrt

from staticana.expr import Expr
from staticana.traffic import Regime
from staticana.traffic.access_tree import AccessTree
from staticana.traffic.layer_conditions import LINE, PAGE, touched

_MOST_NODES = 5000
"""Footprints of programs with more loads, stores and loops are not looked for: one takes 0.3 s."""
_CLEAR = 1.15
"""A size shows a regime if it is so far from its limits: in between caches fade into each other
(`staticana.traffic.layer_conditions`)."""


@dataclass(frozen=True)
class RegimeLimit:
    """Where a cache is outgrown when all parameters grow together. sizes: the largest that fit; at:
    the loops of which one iteration fits up to there, none where everything does."""

    level: str
    sizes: Mapping[str, int]
    at: tuple[str, ...]


def regime_limits(
    regimes: Iterable[Regime], caches: Mapping[str, int], top: Mapping[str, int]
) -> tuple[RegimeLimit, ...]:
    """The limits that lie below the largest sizes, smallest first.

    Args:
        caches: level -> bytes.
        top: the largest value of each parameter; they grow together, in this proportion.
    """
    if not top:
        return ()
    lead = max(top, key=lambda n: top[n])
    found: list[tuple[int, RegimeLimit]] = []
    for regime in regimes:
        if any(e.symbols - top.keys() for e in regime.needs):
            continue
        for level, size in caches.items():
            last = _last_that_fits(regime.needs, size // LINE, top, lead)
            if last is not None:
                found.append((last, RegimeLimit(level, _along(top, lead, last), regime.at)))
    found.sort(key=lambda pair: pair[0])
    kept: dict[int, RegimeLimit] = {}
    for last, limit in found:
        kept.setdefault(last, limit)
    return tuple(kept.values())


def footprint_limits(
    tree: AccessTree, caches: Mapping[str, int], top: Mapping[str, int]
) -> tuple[RegimeLimit, ...]:
    """The limits at which all that a program touches outgrows a cache, as estimated: for programs
    that have no memory law.

    Args:
        caches: level -> bytes.
        top: as for `regime_limits`.
    """
    if not top or tree.size > _MOST_NODES:
        return ()
    lead = max(top, key=lambda n: top[n])

    @cache
    def held(value: int) -> float:
        found = touched(tree, _along(top, lead, value), (float(PAGE), 2.0 * PAGE), {})
        return PAGE * max((entry.all_pages for entry in found.values()), default=0.0)

    kept: dict[int, RegimeLimit] = {}
    for level, size in caches.items():
        last = _last(lambda value, size=size: held(value) <= size, top[lead])  # type: ignore[misc]
        if last is not None:
            kept.setdefault(last, RegimeLimit(level, _along(top, lead, last), ()))
    return tuple(kept[k] for k in sorted(kept))


def _along(top: Mapping[str, int], lead: str, value: int) -> dict[str, int]:
    return {n: max(1, round(value * v / top[lead])) for n, v in top.items()}


def _last_that_fits(
    needs: Sequence[Expr], lines: int, top: Mapping[str, int], lead: str
) -> int | None:
    """The largest value of the leading parameter for which all needs fit; None where they always
    fit, or never do."""

    def fits(value: int) -> bool:
        sizes = _along(top, lead, value)
        return all(e.evaluate(sizes) <= lines for e in needs)

    try:
        return _last(fits, top[lead])
    except (ArithmeticError, KeyError):
        return None


def _last(fits: Callable[[int], bool], high: int) -> int | None:
    """The largest value below the highest one that fits; None where that fits, or 1 does not."""
    low = 1
    if not fits(low) or fits(high):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


def with_regimes(values: Sequence[int], limits: Iterable[int]) -> tuple[int, ...]:
    """The values of a parameter and one more for each regime up to the largest that none of them
    shows."""
    found = sorted(values)
    edges = [e for e in sorted({*limits}) if found[0] <= e < found[-1]]
    for low, high in zip([found[0], *edges], [*edges, found[-1]], strict=True):
        # the ends of the range have no other regime beside them
        least = low * _CLEAR if low in edges else low
        most = high / _CLEAR if high in edges else high
        between = isqrt(low * high)
        if not any(least <= v <= most for v in found) and least <= between <= most:
            found.append(between)
    return tuple(sorted(set(found)))
