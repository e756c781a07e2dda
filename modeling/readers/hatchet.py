"""Measurements from Hatchet and Thicket, and models as columns of their tables.

A Thicket holds one profile for each run: its table is indexed by (node, profile), its metadata have
a row for each profile, and the numbers in them that differ are the parameters. A GraphFrame of
Hatchet is one run. Only tables and paths of nodes are used, so any object that has these will do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from looplaw_common.errors import DataError, InputError

from ..data.measurements import Measurements
from ..pmnf.model import Models
from .keys import labelled
from .run_names import told_apart

_NO_METRIC = ("name", "nid", "type", "rank", "thread", "line", "file", "module", "Node name")


def callpath_of(node: Any) -> str:
    """The call path of a node: its name after those of its ancestors, as in main->solve."""
    return "->".join(
        str(n.frame.get("name", n.frame.get("file", n.frame.get("type")))) for n in _path(node)
    )


def _path(node: Any) -> Sequence[Any]:
    found: Sequence[Any] = node.path()
    return found[0] if found and isinstance(found[0], (list, tuple)) else found


def from_thicket(
    thicket: Any, parameters: Sequence[str] | None = None, metrics: Sequence[str] | None = None
) -> Measurements:
    """Measurements of all nodes and profiles; ranks and profiles at one point are repetitions.

    Args:
        thicket: anything with `dataframe` indexed by (node, profile) and `metadata` indexed by
            profile.
        parameters: columns of the metadata; by default the numbers that differ between profiles.
        metrics: columns of the table; by default those that the Thicket names as metrics, else all
            numeric columns.

    Raises:
        InputError: no such column, or nothing differs between the profiles.
        DataError: a value is infinite, or a profile has no value of a parameter.
    """
    metadata, table = thicket.metadata, thicket.dataframe
    names, words = _told_apart(metadata) if parameters is None else (list(parameters), [])
    for name in names:
        if name not in metadata.columns:
            raise InputError(
                f"the metadata have no column {name}, only {', '.join(map(str, metadata.columns))}"
            )
    profiles = table.index.get_level_values(metadata.index.name or "profile")
    columns = {name: metadata[name].reindex(profiles).to_numpy(dtype=float) for name in names}
    labels = [metadata[name].reindex(profiles).tolist() for name in words]
    return _measurements(thicket, table, columns, metrics, dict(zip(words, labels, strict=True)))


def from_graphframes(
    runs: Sequence[tuple[Any, Mapping[str, float]]], metrics: Sequence[str] | None = None
) -> Measurements:
    """Measurements of GraphFrames of one run each, given with the parameters of the run.

    Raises:
        InputError: no such metric, or no run.
        DataError: a value is infinite, or a run lacks a parameter.
    """
    import pandas

    if not runs:
        raise InputError("no GraphFrame is given")
    parts = [
        _measurements(
            graph,
            graph.dataframe,
            {n: np.full(len(graph.dataframe), v) for n, v in params.items()},
            metrics,
        )
        for graph, params in runs
    ]
    return Measurements.from_pandas(
        pandas.concat([p.to_pandas() for p in parts], ignore_index=True)
    )


def _measurements(
    holder: Any,
    table: Any,
    columns: Mapping[str, Any],
    metrics: Sequence[str] | None,
    labels: Mapping[str, Sequence[Any]] | None = None,
) -> Measurements:
    """Measurements of the metrics in every row, by the call path of its node and by the labels of
    its profile."""
    import pandas

    wanted = _metrics(holder, table) if metrics is None else list(metrics)
    for name in wanted:
        if name not in table.columns:
            raise InputError(
                f"the table has no column {name}, only {', '.join(map(str, table.columns))}"
            )
    nodes = table.index.get_level_values("node")
    known = {id(n): callpath_of(n) for n in nodes}
    paths = [known[id(n)] for n in nodes]
    for name, words in (labels or {}).items():
        paths = [labelled(p, [(name, word)]) for p, word in zip(paths, words, strict=True)]
    parts = [
        pandas.DataFrame(
            {
                "callpath": paths,
                "metric": str(name),
                **columns,
                "value": table[name].to_numpy(dtype=float),
            }
        )
        for name in wanted
    ]
    tidy = (
        pandas.concat(parts, ignore_index=True).dropna(subset=["value"])
        if parts
        else pandas.DataFrame()
    )
    if tidy.empty:
        raise DataError("the table holds no values")
    return Measurements.from_pandas(tidy, list(columns))


def _metrics(holder: Any, table: Any) -> list[str]:
    named = [
        m
        for m in (
            *(getattr(holder, "exc_metrics", None) or ()),
            *(getattr(holder, "inc_metrics", None) or ()),
        )
        if m in table.columns
    ]
    return named or [
        c for c in table.columns if c not in _NO_METRIC and table[c].dtype.kind in "iuf"
    ]


def _told_apart(metadata: Any) -> tuple[list[str], list[str]]:
    """The numbers in the metadata with several values, except dates and results, and the words that
    sort the profiles into series."""
    rows = metadata.to_dict("records")
    runs = [{str(n): v for n, v in row.items()} for row in rows]
    told = told_apart(runs, "the profiles") if runs else []
    known = {str(n): n for n in metadata.columns}
    found = [
        known[n]
        for n in dict.fromkeys(n for point, _ in told for n, _ in point)
        if len({dict(point).get(n) for point, _ in told}) > 1
    ]
    if not found:
        raise InputError(
            "no number in the metadata differs between the profiles; name the parameters, as in "
            "parameters=['problem_size']"
        )
    return found, [known[n] for n in dict.fromkeys(n for _, own in told for n, _ in own)]


def with_models(
    holder: Any, models: Models, metric: str, at: Mapping[str, float] | None = None
) -> Any:
    """A copy of a Thicket's table of statistics (of the table itself for other objects) with
    columns for the models of a metric: formula, SMAPE in % and, if `at` is given, the value there.
    They are empty for nodes without a model.

    Raises:
        InputError: there is no model of that metric.
    """
    import pandas

    table = getattr(holder, "statsframe", holder)
    table = table.dataframe.copy()
    known = {m.callpath: m for m in models.models if m.metric == metric}
    if not known:
        raise InputError(
            f"no model of {metric}; there are"
            f" {', '.join(sorted({m.metric for m in models.models}))}"
        )
    found = [known.get(callpath_of(n)) for n in table.index.get_level_values("node")]
    columns: dict[str, list[object]] = {
        f"{metric}_model": [m and m.formula for m in found],
        f"{metric}_model_smape": [m and m.quality.smape for m in found],
    }
    if at is not None:
        columns[f"{metric}_predicted"] = [m and float(m.evaluate(at)) for m in found]
    return table.join(pandas.DataFrame(columns, index=table.index))
