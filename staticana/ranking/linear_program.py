"""Linear programs, solved by HiGHS (Huangfu and Hall, Mathematical Programming Computation 10,
2018)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Any

from .polyhedra import spend

_MOST_COLUMNS = 4_000
"""Columns of a linear program."""
_STEPS = 40
"""What a column of a linear program takes, in the steps of proofs."""
_MOST_ITERATIONS = 20_000
"""Of the simplex method: a limit that does not depend on the machine, as one of time would."""


class TooLarge(Exception):
    """A linear program has more columns than are worth solving."""


class LinearProgram:
    """A linear program under construction: minimise cost over columns of at least 0, where rows
    equal a number or are at least one."""

    def __init__(self) -> None:
        self.cost: list[float] = []
        self.upper: list[float | None] = []
        self._rows: list[Mapping[int, float]] = []
        self._least: list[float] = []
        self._most: list[float | None] = []

    def column(self, cost: float = 0.0, upper: float | None = None) -> int:
        """A new variable; its number.

        Raises:
            TooLarge: there are too many.
        """
        if len(self.cost) == _MOST_COLUMNS:
            raise TooLarge
        self.cost.append(cost)
        self.upper.append(upper)
        return len(self.cost) - 1

    def equal(self, row: Mapping[int, float], value: float = 0.0) -> None:
        """A row, column -> factor, equals a value."""
        self._row(row, value, value)

    def at_least(self, row: Mapping[int, float], value: float = 0.0) -> None:
        """A row is at least a value."""
        self._row(row, value, None)

    def _row(self, row: Mapping[int, float], least: float, most: float | None) -> None:
        is_sparse = 0.0 not in row.values()
        self._rows.append(row if is_sparse else {k: v for k, v in row.items() if v})
        self._least.append(least)
        self._most.append(most)

    def solution(self) -> Sequence[float] | None:
        """The value of each column in an optimum; None where there is none.

        Raises:
            TooMuch: the proof that asks has no steps left.
        """
        spend(_STEPS * len(self.cost))
        import highspy  # a tenth of a second with numpy, which few analyses need

        # a new one each time, so that no answer depends on earlier questions; of the class without
        # callbacks, since `Highs` announces itself on stdout
        solver = highspy._Highs()  # type: ignore[attr-defined]
        solver.passOptions(_options(highspy))
        solver.passModel(self._model(highspy))
        solver.run()
        if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return None
        return [float(x) for x in solver.getSolution().col_value]

    def _model(self, highspy: Any) -> Any:
        import numpy as np

        def ends(values: Sequence[float | None]) -> Any:
            return np.array([highspy.kHighsInf if v is None else v for v in values], dtype=float)

        model = highspy.HighsLp()
        model.num_col_, model.num_row_ = len(self.cost), len(self._rows)
        model.col_cost_ = np.array(self.cost)
        model.col_lower_, model.col_upper_ = np.zeros(len(self.cost)), ends(self.upper)
        model.row_lower_, model.row_upper_ = ends(self._least), ends(self._most)
        matrix = model.a_matrix_
        matrix.format_ = highspy.MatrixFormat.kRowwise
        matrix.start_ = np.cumsum([0, *map(len, self._rows)], dtype=np.int32)
        matrix.index_ = np.array([*chain.from_iterable(self._rows)], dtype=np.int32)
        matrix.value_ = np.array([*chain.from_iterable(r.values() for r in self._rows)])
        return model


@cache
def _options(highspy: Any) -> Any:
    """For small programs: what is made ready for large ones takes longer than they do."""
    options = highspy.HighsOptions()
    options.output_flag = False
    options.presolve = "off"
    options.solver = "simplex"
    options.threads = 1
    options.simplex_iteration_limit = _MOST_ITERATIONS
    return options
