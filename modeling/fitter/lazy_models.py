"""Models of many series, made when they are looked at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import overload

import numpy as np

from ..data.measurements import Floats
from ..pmnf.hypotheses import Codes
from ..pmnf.model import Model, ModelTable
from ..pmnf.prediction import Of
from ..settings import MODELS_TOGETHER
from .fitted import Fitted


class LazyModels(Sequence[Model]):
    """Models of many series: arrays until one of them is looked at."""

    def __init__(self, count: int) -> None:
        self._fitted: list[Fitted] = []
        self._where = np.full((2, count), -1)  # number of the Fitted, and of the series in it
        self._made: dict[int, Model] = {}

    def put(self, places: Codes, fitted: Fitted) -> None:
        """The series of `fitted` stand at these places."""
        self._where[0, places], self._where[1, places] = len(self._fitted), np.arange(len(places))
        self._fitted.append(fitted)

    def tables(self) -> Iterator[tuple[Codes, ModelTable]]:
        """All models as columns: some of the places at a time."""
        for fitted, places, rows in self.parts():
            yield places, fitted.table(rows.tolist())

    def values(self, at: Mapping[str, Floats | float]) -> Floats:
        """Values (K, ...) of all models at the same points."""
        flat, shape = _flat(at)
        found = np.empty((len(self), len(next(iter(flat.values())))))
        for fitted, places, rows in self.parts():
            found[places] = fitted.values(flat)[rows]
        return found.reshape(len(self), *shape)

    def interval(
        self, at: Mapping[str, Floats | float], level: float, of: Of = "mean"
    ) -> tuple[Floats, Floats]:
        """Lower and upper ends (K, ...) of all models' prediction intervals at the same points."""
        flat, shape = _flat(at)
        ends = np.empty((2, len(self), len(next(iter(flat.values())))))
        for fitted, places, rows in self.parts():
            ends[:, places] = np.array(fitted.interval(flat, level, of))[:, rows]
        low, high = ends.reshape(2, len(self), *shape)
        return low, high

    def parts(self) -> Iterator[tuple[Fitted, Codes, Codes]]:
        """Series modelled together: their places among all, and numbers among them."""
        order = np.argsort(self._where[0], kind="stable")
        ends = np.searchsorted(
            self._where[0], np.arange(len(self._fitted)), side="right", sorter=order
        )
        for fitted, places in zip(self._fitted, np.split(order, ends), strict=False):
            if len(places):  # others may have taken the places of all
                yield fitted, places, self._where[1, places]

    def __len__(self) -> int:
        return self._where.shape[1]

    def __iter__(self) -> Iterator[Model]:
        for start in range(0, len(self), MODELS_TOGETHER):
            yield from self._of(range(start, min(start + MODELS_TOGETHER, len(self))))

    def _of(self, places: range) -> list[Model]:
        """The models at these places, those that are not made yet made together."""
        missing = [k for k in places if k not in self._made]
        parts, rows = self._where[:, missing]
        for part in np.unique(parts).tolist():
            own = np.flatnonzero(parts == part).tolist()
            models = self._fitted[part].models(rows[own].tolist())
            self._made.update(zip([missing[k] for k in own], models, strict=True))
        return [self._made[k] for k in places]

    @overload
    def __getitem__(self, index: int) -> Model: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Model]: ...

    def __getitem__(self, index: int | slice) -> Model | Sequence[Model]:
        if isinstance(index, slice):
            return self._of(range(*index.indices(len(self))))
        place = range(len(self))[index]
        return self._made[place] if place in self._made else self._of(range(place, place + 1))[0]


def _flat(at: Mapping[str, Floats | float]) -> tuple[dict[str, Floats], tuple[int, ...]]:
    """Points given by name, broadcast and in one row, and the shape they had."""
    columns = dict(
        zip(
            at, np.broadcast_arrays(*(np.asarray(x, dtype=float) for x in at.values())), strict=True
        )
    )
    shape = next(iter(columns.values())).shape if columns else ()
    return {name: x.reshape(-1) for name, x in columns.items()} or {"": np.zeros(1)}, shape
