"""Lines that several streams touch: of those that follow each other through the same ones (Wolf and
Lam, PLDI 1991), and of those that meet by chance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from .streams import LINE, PAGE, Floats, Stream

_UNITS = np.array([float(LINE), float(PAGE)])
_SAME_STEP, _SAME_TRIPS, _MORE_TRIPS = 0.01, 0.1, 2.0
"""Streams move alike if their steps differ by this share at most, and their trips by this share and
so many: boundaries are treated otherwise than what lies between them."""
_PAIRS = 1 << 18
"""Pairs of streams that are compared at a time: a matter of memory, not of results."""
_MOSTLY = 0.5
"""Streams that share more than this part of their lines read and write the same ones."""


def held_by(streams: Sequence[Stream]) -> Floats:
    """Bytes of the lines and of the pages that streams touch."""
    found: Floats = unshared(streams).sum(axis=1) * _UNITS
    return found


def unshared(streams: Sequence[Stream]) -> Floats:
    """(2, S): lines and pages of each stream that no earlier one touches."""
    found = _own(streams)
    groups: dict[str, list[int]] = {}
    for k, s in enumerate(streams):
        groups.setdefault(s.access.object, []).append(k)
    for places in groups.values():
        if len(places) > 1:
            members = [streams[k] for k in places]
            most = _most(members, found[:, places])
            found[:, places] *= _shares(members)
            total = found[:, places].sum(axis=1)
            found[:, places] *= np.minimum(1.0, most / np.maximum(total, 1e-300))[:, None]
    return found


def _own(streams: Sequence[Stream]) -> Floats:
    """(2, S): distinct lines and pages of each stream."""
    return np.array([[s.lines for s in streams], [s.pages for s in streams]]).reshape(2, -1)


def _shares(streams: Sequence[Stream]) -> Floats:
    """(2, S): the shares of the lines and pages of each stream of one object that earlier ones,
    which move alike, do not touch."""
    shares = np.ones((2, len(streams)))
    alike: dict[int, dict[tuple[float, tuple[tuple[float, float], ...]], int]] = {}
    chosen_by_data = False
    for k, s in enumerate(streams):
        if s.random is not None:
            shares[:, k] = float(not chosen_by_data)
            chosen_by_data = True
        elif alike.setdefault(len(s.moves), {}).setdefault((s.start, s.moves), k) != k:
            shares[:, k] = 0.0  # the very same lines
    for firsts in alike.values():
        if len(firsts) > 1:
            places = list(firsts.values())
            for rows, found in _beside([streams[k] for k in places]):
                earlier = np.arange(len(places)) < np.arange(len(places))[rows, None]
                least = np.where(earlier, found, 1.0).min(axis=2, initial=1.0)
                shares[:, places[rows]] = least
    return shares


def _beside(streams: Sequence[Stream]) -> Iterator[tuple[slice, Floats]]:
    """(rows, (2, R, S)): shares of the lines and pages of the streams in these rows that each
    stream does not touch: 1 where they move differently. All are in equally many loops."""
    count, depth = len(streams), len(streams[0].moves)
    moves = np.array([s.moves for s in streams]).reshape(count, depth, 2)
    widest = np.array([sorted(s.moves, reverse=True) for s in streams]).reshape(count, depth, 2)
    start = np.array([s.start for s in streams])
    size = np.array([s.access.size for s in streams])
    rows = max(1, _PAIRS // count)
    for low in range(0, count, rows):
        mine = slice(low, low + rows)
        apart = np.abs(start[mine, None] - start)
        share = np.zeros(apart.shape)
        for step, trips in widest[mine].transpose(1, 2, 0)[:, :, :, None]:
            with np.errstate(divide="ignore", invalid="ignore"):
                number = np.where((step > 0) & (trips > 1), np.rint(apart / step), 0.0)
            share += np.minimum(1.0, number / np.maximum(trips, 1.0))
            apart = np.abs(apart - number * step)
        apart -= size[mine, None]
        one, other = moves[mine, None], moves[None]
        limits = np.maximum(one, other) * (_SAME_STEP, _SAME_TRIPS) + (0.0, _MORE_TRIPS)
        like = (np.abs(one - other) <= limits).all(axis=(2, 3))
        both = share + np.clip(apart / _UNITS[:, None, None], 0.0, 1.0)
        yield mine, np.where(like, both, 1.0)


def _most(streams: Sequence[Stream], own: Floats) -> Floats:
    """(2,): lines and pages from the first to the last address of streams of one object.

    Args:
        own: (2, S) distinct ones of each.
    """
    chosen = np.array([s.random is not None for s in streams])
    if chosen.any():
        widest = max(s.random or 0.0 for s in streams)
        rest: Floats = own[:, ~chosen].sum(axis=1)
        return np.maximum(1.0, widest / _UNITS) + rest
    first = min(s.start for s in streams)
    last = max(s.start + s.reach for s in streams)
    most: Floats = np.maximum((last - first) / _UNITS + 1, own.max(axis=1))
    return most


def touch_first(streams: Sequence[Stream]) -> None:
    """Credit the lines and pages of a program to the streams that touch them first.

    Streams that do not move alike are taken to meet by chance, where their ranges overlap: what
    earlier ones left of a range is the share that later ones find untouched. But loads find what
    was stored: where a store goes to their range, it goes to all that they read.
    """
    groups: dict[str, list[Stream]] = {}
    for s in streams:
        groups.setdefault(s.access.object, []).append(s)
    for members in groups.values():
        members.sort(key=lambda s: not s.access.is_store)
        start = np.array([s.start for s in members])
        end = start + [s.reach for s in members]
        anywhere = np.array([s.random is not None for s in members])
        start[anywhere], end[anywhere] = start.min(), end.max()
        stores = np.array([s.access.is_store for s in members])
        of_both = np.zeros((2, len(members)))
        for own, unit, first in zip(_own(members) * _shares(members), _UNITS, of_both, strict=True):
            room = np.maximum((end - start) / unit + 1, own)
            for k in range(len(members)):
                common = np.minimum(end[:k], end[k]) - np.maximum(start[:k], start[k])
                known = first[:k] * np.maximum(common, 0) / (end[:k] - start[:k])
                if stores[k] or not (stores[:k] & (common > 0)).any():
                    first[k] = max(0.0, own[k] * (1 - known.sum() / room[k]))
        for s, lines, pages in zip(members, *of_both.tolist(), strict=True):
            s.fresh_lines, s.fresh_pages = lines, pages


def unfollowed(streams: Sequence[Stream]) -> list[float]:
    """The shares of the turns of each stream that data choose which go to another line than those
    of earlier ones in the same iteration: none for a store where a load was just before."""
    shares = [1.0] * len(streams)
    groups: dict[tuple[str, tuple[str, ...]], list[int]] = {}
    for k, s in enumerate(streams):
        if s.random is not None:
            groups.setdefault((s.access.object, s.owners), []).append(k)
    for places in groups.values():
        for n, k in enumerate(places):
            for other in places[:n]:
                apart = (streams[k].access.address - streams[other].access.address).constant
                if apart is not None:
                    shares[k] = min(shares[k], abs(float(apart)) / LINE)
    return shares


def mark_updated(streams: Sequence[Stream]) -> None:
    """Mark the streams that read lines which their loop writes as well: the lines go back."""
    groups: dict[tuple[str, tuple[str, ...]], list[Stream]] = {}
    for s in streams:
        if s.random is None:
            groups.setdefault((s.access.object, s.owners), []).append(s)
    for group in groups.values():
        for depth in {len(s.moves) for s in group}:
            alike = [s for s in group if len(s.moves) == depth]
            stores = np.array([s.access.is_store for s in alike])
            if stores.any() and not stores.all():
                for rows, shares in _beside(alike):
                    meets = (shares[0][:, stores] < _MOSTLY).any(axis=1)
                    for s, met in zip(alike[rows], meets.tolist(), strict=True):
                        s.is_updated = met and not s.access.is_store
