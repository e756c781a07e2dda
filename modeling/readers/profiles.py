"""Folders of profiles of one run each: CUBE (profile.cubex) through pycubexr, Caliper (.cali)
through caliper-reader.

The name of the folder or file gives the parameters as in Extra-P: kripke.p64.n8.r1 is p = 64, n =
8, the first repetition. If it has none, the whole numbers in Caliper's metadata are taken. Values
of single ranks are repetitions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from looplaw_common.errors import DataError, InputError

from ..data.columns import Columns
from ..data.measurements import Measurements
from ..data.observations import Observation, Point
from .collect import collect
from .keys import labelled
from .reader import FileReader
from .run_names import Labels, parameters_of, told_apart

_NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[-+]?[0-9]+)?")
NO_METRIC = re.compile(r"rank|thread|slot|^loop\.|address|timeoffset", re.IGNORECASE)
"""Names of recorded values that are no metrics."""


def read_cube(folder: Path) -> Measurements:
    """All *.cubex below a folder.

    Raises:
        InputError: pycubexr is not installed.
        DataError: a file cannot be read, or its name holds no parameter.
    """
    try:
        from pycubexr import CubexParser
    except ImportError:
        raise InputError("CUBE files need pycubexr: pip install 'looplaw[hpc]'") from None
    found = _each(folder, "*.cubex", lambda path: _cube(CubexParser, path))
    return collect(Columns.of(found), str(folder))


def read_caliper(folder: Path) -> Measurements:
    """All *.cali below a folder.

    Raises:
        InputError: caliper-reader is not installed.
        DataError: a file cannot be read, or neither its name nor its metadata hold a parameter.
    """
    try:
        import caliperreader
    except ImportError:
        raise InputError("Caliper files need caliper-reader: pip install 'looplaw[hpc]'") from None
    runs = _runs(folder, caliperreader)
    found = _each(folder, "*.cali", lambda path: _caliper(runs[path], path))
    return collect(Columns.of(found), str(folder))


def _each(
    folder: Path, pattern: str, read: Callable[[Path], Iterator[Observation]]
) -> Iterator[Observation]:
    files = sorted(folder.rglob(pattern))
    if not files:
        raise DataError(f"{folder}: holds no {pattern}")
    for path in files:
        try:
            yield from read(path)
        except (DataError, InputError):
            raise
        except Exception as error:  # the readers raise whatever a broken file makes them raise
            raise DataError(f"{path}: {type(error).__name__}: {error}") from None


def _cube(parser: Any, path: Path) -> Iterator[Observation]:
    params = parameters_of(path.parent.name) or parameters_of(path.stem)
    if not params:
        raise DataError(
            f"{path}: the name of its folder says no parameter; name it like run.p64.n8.r1"
        )
    from pycubexr.utils.exceptions import MissingMetricError

    at = dict(params)
    with parser(str(path)) as cube:
        paths: dict[int, str] = {}
        for root in cube.get_root_cnodes():
            _name(root, "", cube, paths)
        for metric in cube.get_metrics():
            try:
                values = cube.get_metric_values(metric=metric, cache=False)
            except MissingMetricError:  # declared, but no data in the file
                continue
            if not isinstance(
                values.values, np.ndarray
            ):  # extremes of single calls: no amounts that add up
                continue
            for index, name in paths.items():
                if index in values.cnode_indices:
                    for value in values.cnode_values(
                        cube.get_cnode(index), convert_to_exclusive=True
                    ).tolist():
                        yield Observation(at, name, metric.name, float(value))


def _name(node: Any, prefix: str, cube: Any, paths: dict[int, str]) -> None:
    path = f"{prefix}{cube.get_region(node).name}"
    paths[node.id] = path
    for child in node.get_children():
        _name(child, f"{path}->", cube, paths)


def _runs(folder: Path, module: Any) -> dict[Path, tuple[Any, Point, Labels]]:
    """path -> (Caliper's reader with the file's content, parameters, what tells its series apart).
    If the names of files and folders have no parameters, these are the numbers of the metadata that
    differ between the runs, except dates and results."""
    readers = {}
    for path in sorted(folder.rglob("*.cali")):
        readers[path] = module.CaliperReader()
        try:
            readers[path].read(str(path))
        except Exception as error:  # the reader raises whatever a broken file makes it raise
            raise DataError(f"{path}: {type(error).__name__}: {error}") from None
    told = told_apart([r.globals for r in readers.values()], str(folder))
    return {
        path: (r, parameters_of(path.stem) or parameters_of(path.parent.name) or point, labels)
        for (path, r), (point, labels) in zip(readers.items(), told, strict=True)
    }


def _caliper(run: tuple[Any, Point, Labels], path: Path) -> Iterator[Observation]:
    reader, params, labels = run
    if not params:
        raise DataError(
            f"{path}: neither its name nor its metadata say a parameter; name it like run.p64.cali"
        )
    at = dict(params)
    usable: dict[str, bool] = {}
    for record in reader.records:
        callpath = record.get("path", record.get("region", record.get("function")))
        if callpath is None:
            continue
        named = "->".join(callpath) if isinstance(callpath, list) else str(callpath)
        named = labelled(named, labels)
        for metric, value in record.items():
            if not isinstance(value, str) or not _NUMBER.fullmatch(value):
                continue
            if metric not in usable:
                usable[metric] = (
                    not NO_METRIC.search(metric) and reader.attribute(metric).is_value()
                )
            if usable[metric]:
                yield Observation(at, named, metric, float(value))


FILE_READERS = (FileReader("*.cubex", read_cube), FileReader("*.cali", read_caliper))
