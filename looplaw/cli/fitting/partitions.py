"""What `looplaw fit` does with more series than fit into memory."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from rich.text import Text

from looplaw_common.errors import InputError
from looplaw_common.files import replacing
from looplaw_common.scratch import scratch_folder
from looplaw_common.text import in_one_line
from modeling.pmnf.model import FORMAT

from ...bulk.dataset import is_dataset, parameters_of, parts
from ...bulk.importer import write_dataset
from ...bulk.jobs import Each, distributed, in_workers, joined_lines, model_dataset, threaded
from ...bulk.lines import columns_of
from ...bulk.partition import Job, Told
from ...documents.reading import named_floats
from ...report.grid import Column, Table
from ..bar import bar
from ..console import messages, say
from .options import PartitionOptions

_MOST_THREADS = 4
"""More wait for each other, and each holds a partition."""


def _workers(given: PartitionOptions) -> Each:
    """What does the work.

    Raises:
        InputError: two options say different things.
    """
    names = [n for n in ("workers", "scheduler", "threads") if getattr(given, n) is not None]
    if len(names) > 1:
        raise InputError(f"--{' and --'.join(names)}: give only one of them; it does all the work")
    if given.workers:
        return in_workers(given.workers)
    if given.scheduler:
        return distributed(given.scheduler, say)
    return threaded(given.threads or min(_cores(), _MOST_THREADS))


def _cores() -> int:
    """Those that this process may use, where the system tells."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def fit_partitions(file: str, given: PartitionOptions, method: str, target: str | None) -> Told:
    """Model a dataset, or JSON Lines that become one first; the models go to `given.out` as Parquet
    and to `target` as JSON.

    Raises:
        InputError, DataError, RunError: as reading, modeling and the workers do.
    """
    each, at = _workers(given), named_floats(given.places)
    with contextlib.ExitStack() as stack:
        # workers elsewhere have to see it: in the current directory, as the results are
        scratch = stack.enter_context(scratch_folder("fit", Path()))
        source = file if is_dataset(file) else _imported(file, scratch / "data")
        if given.out is not None:
            given.out.mkdir(parents=True, exist_ok=True)
            if any(given.out.glob("*.parquet")):
                raise InputError(
                    f"{given.out}: holds Parquet files already; name another directory"
                )
        lines = scratch / "lines" if target else None
        if lines is not None:
            lines.mkdir()
        paths = [path.resolve() for path in parts(source)]
        known = parameters_of(paths)
        if idle := sorted(set(at) - known):
            raise InputError(
                f"--at {idle[0]}: no measurement has this parameter; they have"
                f" {', '.join(sorted(known))}"
            )
        job = Job(
            {}, method, at, given.top, given.out and given.out.resolve(), lines and lines.resolve()
        )
        with bar("modeling", len(paths)) as shown:
            told = model_dataset(paths, job, each, lambda _: shown.step())
        if target and lines is not None:
            _write_models(joined_lines(lines), target)
        return told


def _imported(file: str, folder: Path) -> str:
    if Path(file).is_dir() or (file != "-" and not Path(file).exists()):
        raise InputError(
            f"{file}: not a file of measurements; --workers, --threads, --scheduler and --out take"
            " JSON Lines and Parquet (looplaw import makes JSON Lines of other formats)"
        )
    with messages.status(Text(f"reading {in_one_line(file)}")):
        write_dataset(columns_of(file), folder, file)
    return str(folder)


def _write_models(lines: Iterator[str], target: str) -> None:
    """The object "looplaw-models/1", model by model; - is stdout."""
    if target == "-":
        _write(lines, sys.stdout)
        return
    with replacing(target) as temporary, temporary.open("w", encoding="utf-8") as stream:
        _write(lines, stream)


def _write(lines: Iterator[str], stream: TextIO) -> None:
    stream.write(f'{{"format": "{FORMAT}", "models": [')
    for k, line in enumerate(lines):
        stream.write(f"{',' if k else ''}\n{line}")
    stream.write("\n]}\n")


def largest_table(told: Told) -> Table:
    """The models with the largest predicted values, metric by metric."""
    columns = (
        Column("callpath", "call path", "path", 10),
        Column("metric", "metric", "path", 6),
        Column("formula", "model", "formula", 14),
        Column("value", "value", "number"),
        Column("lower", "lower", "number"),
        Column("upper", "upper", "number"),
        Column("smape", "SMAPE %", "number"),
        Column("identifiable", "identifiable", "word"),
    )
    rows = tuple(
        (
            r.callpath,
            r.metric,
            r.formula,
            f"{r.value:.4g}",
            f"{r.lower:.4g}",
            f"{r.upper:.4g}",
            f"{r.smape:.4g}",
            r.sure,
        )
        for r in told.largest
    )
    return Table(
        columns,
        rows,
        note=(
            f"{told.series} models, {told.sure} of them identifiable; shown are those of the "
            "largest values of each metric"
        ),
    )
