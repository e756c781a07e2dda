"""Runs no more points than the models need: after each batch the models are looked at, and where
all are identified the sweep is over. The next points are those that the modeler proposes, else the
next of the design.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence

from modeling import Models
from modeling.data.observations import point_of
from runtime import Experiment, RunRecord, Schedule

from .modelers import Advisor, Modeler

_REACH = 2
"""A proposed value is at most so many times the largest that the user gave: a run must not take for
ever."""


class Adaptive:
    """Batches of points until every model is identified.

    Args:
        first: points that are run in any case, before models are asked for.
        rest: further points, run one by one in random order.
        values: the user's values of each parameter; proposals may not leave their range, save for
            `_REACH`.
        run: the run at a parameter vector.
        batch: the schedule of the runs at some points.
        models: of everything so far.
        modeler: asked for proposals if it is an `Advisor`.
    """

    def __init__(
        self,
        first: Sequence[Mapping[str, int]],
        rest: Sequence[Mapping[str, int]],
        values: Mapping[str, Sequence[int]],
        *,
        run: Callable[[Mapping[str, int]], Experiment],
        batch: Callable[[Sequence[Experiment]], Schedule],
        models: Callable[[], Models],
        modeler: Modeler,
        seed: int = 0,
    ) -> None:
        self.seed, self._run, self._batch_of, self._models, self._modeler = (
            seed,
            run,
            batch,
            models,
            modeler,
        )
        self._range = {name: (min(found), _REACH * max(found)) for name, found in values.items()}
        self._planned = {point_of(p) for p in first}
        self._rest = [p for p in rest if point_of(p) not in self._planned]
        random.Random(seed).shuffle(self._rest)
        self._batch = batch([run(p) for p in first])
        self.open: tuple[str, ...] = ("nothing was measured",)

    @property
    def identified(self) -> bool:
        """Were all models identified when they were looked at last?"""
        return not self.open

    @property
    def waits(self) -> bool:
        return self._batch.waits

    def next_round(self) -> Sequence[Experiment]:
        while not (found := self._batch.next_round()):
            self.open = unidentified(self._models())
            points = self._more() if self.open else []
            if not points:
                return ()
            self._planned.update(map(point_of, points))
            self._batch = self._batch_of([self._run(p) for p in points])
        return found

    def add(self, record: RunRecord) -> None:
        self._batch.add(record)

    def _more(self) -> list[Mapping[str, int]]:
        proposed = [p for p in self._proposed() if point_of(p) not in self._planned]
        return list(proposed) or [self._rest.pop() for _ in self._rest[:1]]

    def _proposed(self) -> list[dict[str, int]]:
        """Proposals with a whole value in range for every parameter."""
        if not isinstance(self._modeler, Advisor):
            return []
        found = []
        for point in self._modeler.propose():
            whole = {name: round(value) for name, value in point.items()}
            if whole.keys() == self._range.keys() and all(
                low <= whole[n] <= high for n, (low, high) in self._range.items()
            ):
                found.append(whole)
        self._rest = [p for p in self._rest if p not in found]
        return found


def unidentified(models: Models) -> tuple[str, ...]:
    """What the points do not tell yet, a line for each model; one line where there is no model at
    all."""
    if not models.models:
        return ("there are no models yet",)
    return tuple(
        f"{m.callpath}, {m.metric}: {m.reason or 'not identifiable from these points'}"
        for m in models.models
        if not m.identifiable
    )
