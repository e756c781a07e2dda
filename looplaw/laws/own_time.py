"""The time that is a kernel's own: without the kernels that run inside it and nowhere else.

A loop in main that calls everything takes all of the time, and is not what limits a program.
"""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from math import inf

from modeling.data.observations import point_of

from ..documents.study import CallDocument, StudyDocument, StudyLoop

Callers = dict[str, tuple[str | None, ...]]
"""Timed kernel -> the timed kernels from whose nests it is entered; None is what is outside of all
kernels."""


def callers_of(study: StudyDocument, timed: Collection[str]) -> Callers:
    """For each timed kernel (by its place) those that it is entered from, without passing through
    another one: by the calls of functions, and by what is known to run inside of loops, which also
    holds for calls by pointers."""
    calls = _Calls(study, timed)
    found: dict[str, dict[str | None, None]] = {
        at: dict.fromkeys(calls.timed_around(at)) for at in timed
    }
    for kernel in calls.within(calls.entered):
        found[kernel][None] = None
    for call in study.calls:
        around = calls.around(call)
        if around is not None or call.caller in calls.entered:
            for kernel in calls.reached(call.callee):
                if kernel != around:
                    found[kernel][around] = None
    return {at: tuple(by) for at, by in found.items()}


def only_inside(callers: Callers) -> dict[str, tuple[str, ...]]:
    """For each timed kernel those of functions that are called from its nest and from no other
    place."""
    found: dict[str, list[str]] = {at: [] for at in callers}
    for kernel, by in callers.items():
        if len(by) == 1 and by[0] is not None:
            found[by[0]].append(kernel)
    return {at: tuple(inside) for at, inside in found.items()}


def shared_kernels(callers: Callers) -> Callers:
    """The kernels that several places enter, a kernel among them."""
    return {at: by for at, by in callers.items() if len(by) > 1}


def own_seconds(
    callers: Callers,
    seconds: Mapping[str, float],
    shares: Mapping[str, float] | None = None,
    *,
    rest: float = 0.0,
    most: float = inf,
) -> dict[str, float]:
    """Seconds of kernels less those of the kernels that run inside them; not below 0, as each is
    known on its own, and together no more than the run.

    A kernel that several others enter is taken from each in proportion to what these take: who
    pays how much of it was not measured.

    Args:
        shares: kernel -> the share of its time that is its own, where that is known better than
            the difference of two predictions (see `own_shares`).
        rest: seconds outside of all kernels, with those of shared kernels that are entered there.
        most: seconds of all kernels together.
    """
    known, inside = shares or {}, only_inside(callers)
    own: dict[str | None, float] = {
        at: whole * known[at]
        if at in known
        else max(whole - sum(seconds.get(k, 0.0) for k in inside.get(at, ())), 0.0)
        for at, whole in seconds.items()
    }
    own[None] = rest
    for at, by in shared_kernels(callers).items():
        around = sum(own.get(k, 0.0) for k in by)
        left = max(1 - seconds.get(at, 0.0) / around, 0.0) if around > 0 else 1.0
        own |= {k: own.get(k, 0.0) * left for k in by}
    found = {at: own[at] for at in seconds}
    together = sum(found.values())
    fitting = min(most / together, 1.0) if together > 0 else 1.0
    return {at: value * fitting for at, value in found.items()}


def own_shares(study: StudyDocument, inside: Mapping[str, Sequence[str]]) -> dict[str, float]:
    """The share of its time that is a kernel's own, as measured in its longest runs, for kernels
    with others inside them and without a law of time.

    What a fitted model says of such a kernel beyond the measured sizes less what models say of the
    kernels inside it is mostly the error of both.
    """
    times = {
        loop.at: {point_of(row.params): statistics.median(row.values) for row in loop.time or ()}
        for loop in study.loops
    }
    found = {}
    for loop in study.loops:
        others = inside.get(loop.at, ())
        law = loop.time_model is not None and loop.time_model.law
        if not others or law:
            continue
        common = [p for p in times[loop.at] if all(p in times[other] for other in others)]
        longest = max(common, key=lambda p: times[loop.at][p], default=None)
        if longest is not None and times[loop.at][longest] > 0:
            within = sum(times[other][longest] for other in others)
            found[loop.at] = max(1 - within / times[loop.at][longest], 0.0)
    return found


class _Calls:
    """Who calls which kernels; `entered` are the functions that no other one calls."""

    def __init__(self, study: StudyDocument, timed: Collection[str]) -> None:
        self._timed = timed
        self._kernel_of = {loop.at: loop.kernel or loop.at for loop in study.loops}
        self._within: dict[str, list[str]] = defaultdict(list)
        for loop in _known(study, timed):
            self._within[loop.function].append(loop.at)
        self._plain: dict[str, list[str]] = defaultdict(list)
        for call in study.calls:
            if self.around(call) is None:
                self._plain[call.caller].append(call.callee)
        self._around: dict[str, list[str]] = defaultdict(list)
        for loop in study.loops:
            for at in loop.inner:
                if self._kernel_of.get(at) == at != self._kernel_of[loop.at]:
                    self._around[at].append(self._kernel_of[loop.at])
        within = {loop.function for loop in study.loops if self._around.get(loop.at)}
        called = within | {call.callee for call in study.calls}
        functions = {loop.function for loop in study.loops} | {c.caller for c in study.calls}
        self.entered = functions - called

    def around(self, call: CallDocument) -> str | None:
        """The timed kernel that a call is made from."""
        kernel = self._kernel_of.get(call.loop) if call.loop is not None else None
        return kernel if kernel in self._timed else None

    def timed_around(self, kernel: str) -> list[str]:
        """The timed kernels next around a kernel, by what runs inside of loops."""
        seen, ahead = {kernel}, [kernel]
        found: list[str] = []
        while ahead:
            for around in self._around.get(ahead.pop(), ()):
                if around not in seen:
                    seen.add(around)
                    (found if around in self._timed else ahead).append(around)
        return found

    def within(self, functions: Iterable[str]) -> list[str]:
        """The timed kernels of functions."""
        return [at for name in sorted(functions) for at in self._within.get(name, ())]

    def reached(self, function: str) -> list[str]:
        """The timed kernels that a function reaches without passing through another one."""
        seen, ahead = {function}, [function]
        while ahead:
            more = set(self._plain.get(ahead.pop(), ())) - seen
            seen |= more
            ahead.extend(sorted(more))
        return self.within(seen)


def _known(study: StudyDocument, timed: Collection[str]) -> list[StudyLoop]:
    return [loop for loop in study.loops if loop.at in timed]
