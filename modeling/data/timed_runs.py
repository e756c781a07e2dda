"""Timed runs of a parallel program: problem size, nodes, cores of each node, time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from looplaw_common.errors import DataError

from .measurements import Floats, Series

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Runs:
    """R configurations, each (R,): problem `size` in units of work, `nodes`, `cores` per node,
    `time` in seconds.

    The number of processes is nodes * cores, in units of `unit` processes of the program.

    Raises:
        DataError: columns differ in length, or a value is not positive.
    """

    size: Floats
    nodes: Floats
    cores: Floats
    time: Floats
    unit: float = 1.0

    def __post_init__(self) -> None:
        rows = {len(self.size), len(self.nodes), len(self.cores), len(self.time)}
        if len(rows) != 1 or not rows.pop():
            raise DataError("runs need a size, nodes, cores and a time each")
        for name, column in (
            ("size", self.size),
            ("nodes", self.nodes),
            ("cores", self.cores),
            ("time", self.time),
        ):
            if not (np.isfinite(column).all() and (column > 0).all()):
                raise DataError(f"{name}: a run's {name} is a number above 0")

    @property
    def processes(self) -> Floats:
        """(R,) nodes times cores."""
        return self.nodes * self.cores

    def select(self, rows: Mask) -> Runs:
        """The runs of some rows (a mask).

        Raises:
            DataError: none is left.
        """
        return Runs(self.size[rows], self.nodes[rows], self.cores[rows], self.time[rows], self.unit)

    def serial(self, size: Floats) -> Floats:
        """The time of one process at each size; NaN if it was not run."""
        alone = self.processes == 1
        known = dict(zip(self.size[alone], self.time[alone], strict=True))
        return np.array([known.get(s, np.nan) for s in np.atleast_1d(size)])

    @staticmethod
    def from_series(series: Series, roles: Mapping[str, str]) -> Runs:
        """The runs of a series of times.

        Args:
            roles: "size", and "processes" or "nodes" and "cores" -> the parameter in that role.

        If no run has one process, processes are counted in units of the fewest (`unit`).

        Raises:
            DataError: the series does not have a parameter.
        """
        columns = {
            role: series.points[:, series.parameters.index(p)]
            for role, p in roles.items()
            if p in series.parameters
        }
        missing = [p for role, p in roles.items() if role not in columns]
        if missing:
            raise DataError(
                f"{series.callpath}: no parameter {', '.join(missing)}; there are"
                f" {', '.join(series.parameters)}"
            )
        ones = np.ones(len(series.points))
        nodes = columns.get("processes", columns.get("nodes", ones))
        size, cores = columns.get("size", ones), columns.get("cores", ones)
        unit = float((nodes * cores).min())
        return Runs(size, nodes / unit, cores, series.means, unit)
