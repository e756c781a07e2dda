"""Tables of profilers of graphics processors: Nsight Compute (`ncu --csv`), rocprof and rocprofv3.

A row is a launch of a kernel, or one metric of it. Of its grid and its blocks, those numbers are
parameters that differ in the file, by their names in laws of launches (grid_x, block_x); lines
# n=64 before the launches tell more.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from looplaw_common.errors import DataError

from ..data.checks import exact_text, measured_text
from ..data.observations import Number, Observation
from ..data.units import unit_of
from .reader import TextReader

_AXES = "xyz"
_WHOLE = re.compile(r"[0-9]{1,19}").fullmatch
_TRIPLE = re.compile(r"\(\s*(\d{1,19})\s*,\s*(\d{1,19})\s*,\s*(\d{1,19})\s*\)", re.ASCII)
_GIVEN = re.compile(r"#\s*(?=\w+\s*=)")
_UNITS = {f"{p}second": f"{p[:1]}s" for p in ("n", "u", "m", "")} | {
    "Kbyte": "kB",
    "Mbyte": "MB",
    "Gbyte": "GB",
}
"""Units of Nsight Compute that no other tool writes so."""
_DURATION = "gpu__time_duration.sum"
_OF_ROCPROF = frozenset(
    (
        "Index KernelName gpu-id queue-id queue-index pid tid grd wgr lds scr vgpr arch_vgpr"
        " accum_vgpr sgpr fbar wave_size sig obj DispatchNs BeginNs EndNs CompleteNs DurationNs"
    ).split()
)
"""Columns of rocprof that are no counters."""


@dataclass(frozen=True)
class _Row:
    """A value of a launch. sizes: of its grid and its blocks; given: by lines before it."""

    line: int
    kernel: str
    metric: str
    value: str
    unit: str
    sizes: Mapping[str, int]
    given: Mapping[str, Number]


def _observed(rows: Sequence[_Row], name: str) -> Iterator[Observation]:
    """The observations, with the sizes that differ in the file for parameters."""
    seen: dict[str, set[int]] = {}
    for row in rows:
        for size, number in row.sizes.items():
            seen.setdefault(size, set()).add(number)
    varied = [size for size, numbers in seen.items() if len(numbers) > 1]
    if rows and not varied and not any(row.given for row in rows):
        varied = [size for size in ("grid_x", "block_x") if size in seen]
    for row in rows:
        params = dict(row.given) or {size: row.sizes[size] for size in varied if size in row.sizes}
        if not params:
            raise DataError(
                f"{name}:{row.line}: nothing says for which parameters; put a line # n=64 before"
                " the launches"
            )
        value = measured_text(row.value.replace(",", ""), row.metric, f"{name}:{row.line}")
        yield Observation(params, row.kernel, row.metric, value, line=row.line, unit=row.unit)


def _lines(
    text: str, name: str, head: str, kernel: str
) -> Iterator[tuple[int, dict[str, str], dict[str, Number]]]:
    """(line, cells by column, parameters of the lines # before it) of the rows of all tables.

    Args:
        head, kernel: columns that a table must have; a line that names the first is its head.

    Raises:
        DataError: a table lacks one of them, or a row has too few cells.
    """
    columns: list[str] = []
    given: dict[str, Number] = {}
    for count, line in enumerate(text.split("\n"), 1):
        line = line.strip()
        if _GIVEN.match(line):
            where = f"{name}:{count}"
            pairs = [word.partition("=") for word in line[1:].split() if "=" in word]
            given = {n: exact_text(v, f"parameter {n}", where) for n, _, v in pairs}
        elif f'"{head}"' in line:
            columns = _cells(line, f"{name}:{count}")
            for column in (head, kernel):
                if column not in columns:
                    raise DataError(f"{name}:{count}: no column {column}")
        elif columns and line and not line.startswith(("=", "#")):
            cells = _cells(line, f"{name}:{count}")
            if len(cells) < len(columns):
                raise DataError(f"{name}:{count}: {len(cells)} cells under {len(columns)} columns")
            yield count, dict(zip(columns, cells, strict=False)), dict(given)


def _cells(line: str, where: str) -> list[str]:
    try:
        return next(csv.reader([line]))
    except csv.Error as error:
        raise DataError(f"{where}: not a row of CSV: {error}") from None


def _kernel(text: str) -> str:
    """A kernel's name without its result and its arguments, as its source has it."""
    text = text.removesuffix(" [clone .kd]").removesuffix(".kd")
    depth = 0
    for at, sign in enumerate(text):
        depth += (sign == "<") - (sign == ">")
        if sign == "(" and depth == 0 and at:
            text = text[:at]
            break
    return text.removeprefix("void ").strip()


def _read_ncu(text: str, name: str) -> Iterator[Observation]:
    """The rows of Nsight Compute; metrics that were not measured are left out.

    Raises:
        DataError: FILE:LINE: what is wrong with that line.
    """
    rows = []
    for line, cells, given in _lines(text, name, "Metric Value", "Kernel Name"):
        metric, value = cells.get("Metric Name", ""), cells["Metric Value"]
        if not metric or value in ("", "n/a"):
            continue
        sizes = {}
        for what, column in (("grid", "Grid Size"), ("block", "Block Size")):
            found = _TRIPLE.search(cells.get(column, ""))
            for axis, number in zip(_AXES, found.groups() if found else (), strict=False):
                sizes[f"{what}_{axis}"] = int(number)
        unit = cells.get("Metric Unit", "")
        metric = "time" if metric in (_DURATION, "Duration") else metric
        known = _UNITS.get(unit) or unit_of(unit)
        rows.append(_Row(line, _kernel(cells["Kernel Name"]), metric, value, known, sizes, given))
    return _observed(rows, name)


def _read_rocprof(text: str, name: str) -> Iterator[Observation]:
    """The rows of rocprof: times and counters of launches.

    Raises:
        DataError: FILE:LINE: what is wrong with that line.
    """
    rows = []
    for line, cells, given in _lines(text, name, "KernelName", "KernelName"):
        sizes = _blocks({"x": (cells.get("grd", ""), cells.get("wgr", ""))})
        measured = [(n, v, "") for n, v in cells.items() if n not in _OF_ROCPROF and v]
        duration = cells.get("DurationNs") or _between(cells, "BeginNs", "EndNs")
        measured += [("time", duration, "ns")] if duration else []
        kernel = _kernel(cells["KernelName"])
        rows += [_Row(line, kernel, n, v, unit, sizes, given) for n, v, unit in measured]
    return _observed(rows, name)


def _read_rocprofv3(text: str, name: str) -> Iterator[Observation]:
    """The rows of rocprofv3: traces of kernels, or their counters.

    Raises:
        DataError: FILE:LINE: what is wrong with that line.
    """
    rows = []
    for line, cells, given in _lines(text, name, "Kernel_Name", "Kernel_Name"):
        along = {a: (f"Grid_Size_{a.upper()}", f"Workgroup_Size_{a.upper()}") for a in _AXES}
        along |= {} if "Grid_Size_X" in cells else {"x": ("Grid_Size", "Workgroup_Size")}
        sizes = _blocks({a: (cells.get(g, ""), cells.get(b, "")) for a, (g, b) in along.items()})
        counter, duration = (
            cells.get("Counter_Name"),
            _between(cells, "Start_Timestamp", "End_Timestamp"),
        )
        kernel = _kernel(cells["Kernel_Name"])
        if counter:
            value = cells.get("Counter_Value", "")
            rows.append(_Row(line, kernel, counter, value, "", sizes, given))
        elif duration:
            rows.append(_Row(line, kernel, "time", duration, "ns", sizes, given))
    return _observed(rows, name)


def _between(cells: Mapping[str, str], first: str, last: str) -> str | None:
    begin, end = cells.get(first, ""), cells.get(last, "")
    return str(int(end) - int(begin)) if _WHOLE(begin) and _WHOLE(end) else None


def _blocks(along: Mapping[str, tuple[str, str]]) -> dict[str, int]:
    """Blocks of a grid and threads of a block: AMD's tools say threads of both."""
    sizes = {}
    for axis, (threads, block) in along.items():
        if _WHOLE(threads) and _WHOLE(block) and int(block):
            sizes[f"grid_{axis}"] = -(-int(threads) // int(block))
            sizes[f"block_{axis}"] = int(block)
    return sizes


def _has(*columns: str) -> re.Pattern[str]:
    return re.compile("".join(rf"(?=.*\"{c}\")" for c in columns))


_NCU = _has("Kernel Name", "Metric Name", "Metric Value")
_ROCPROF = _has("KernelName", "grd", "wgr")
_ROCPROFV3 = _has("Kernel_Name", "Dispatch_Id|Queue_Id")


def _matches(head: re.Pattern[str], text: str) -> bool:
    return any(head.match(line) for line in text[: 1 << 14].split("\n"))


READERS = tuple(
    TextReader(title, ".csv", partial(_matches, head), read, order=5)
    for title, head, read in (
        ("Nsight Compute --csv", _NCU, _read_ncu),
        ("rocprof", _ROCPROF, _read_rocprof),
        ("rocprofv3", _ROCPROFV3, _read_rocprofv3),
    )
)
