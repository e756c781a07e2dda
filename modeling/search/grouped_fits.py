"""Fits that stand for others in the distribution of forecasts."""

from __future__ import annotations

import numpy as np

from ..data.measurements import Floats
from ..pmnf.hypotheses import Codes
from ..settings import SelectionSettings


def with_groups(
    order: Codes, share: Floats, value: Floats, settings: SelectionSettings
) -> tuple[Codes, Floats]:
    """Numbers and shares (K, kept) of the fits that are kept, from those of all fits by their
    probability, order (K, A), and their shares and values at the last point beyond (K, A).

    The most probable fits are kept as they are. The others, of which there may be dozens of nearly
    equal probability, are sorted by their values and cut into groups of equal probability; each
    group is held by the fit in its middle and has the share of all its members, so that nothing
    that the data allow is lost from the distribution of forecasts.
    """
    kept = min(settings.kept, order.shape[1])
    if kept == order.shape[1]:
        return order, np.take_along_axis(share, order, axis=1)
    groups = settings.grouped
    rest = order[:, kept - groups :]
    possible = np.where(share > 0, np.abs(value), 0.0)
    unit = np.take_along_axis(possible, rest, axis=1).max(axis=1, keepdims=True)
    rounded = np.rint(value / np.where(unit > 0, unit, np.inf) / settings.rounding)
    places = np.argsort(np.take_along_axis(rounded, rest, axis=1), axis=1, kind="stable")
    rest = np.take_along_axis(rest, places, axis=1)
    own = np.take_along_axis(share, rest, axis=1)
    total = own.sum(axis=1, keepdims=True)
    middle = (np.cumsum(own, axis=1) - own / 2) / np.where(total > 0, total, 1.0)
    group = np.minimum(((middle + settings.rounding) * groups).astype(np.int64), groups - 1)
    held, given = [], []
    for g in range(groups):
        some = np.where(group == g, own, 0.0)
        mass = some.sum(axis=1, keepdims=True)
        reached = np.cumsum(some, axis=1) - some
        last = np.where(
            (some > 0) & (reached <= mass * (0.5 + settings.rounding)), np.arange(some.shape[1]), 0
        )
        held.append(np.take_along_axis(rest, last.max(axis=1)[:, None], axis=1))
        given.append(mass)
    first = order[:, : kept - groups]
    return (
        np.concatenate([first, *held], axis=1),
        np.concatenate([np.take_along_axis(share, first, axis=1), *given], axis=1),
    )
