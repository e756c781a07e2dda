"""What `looplaw fit` does with more series than fit into memory, and the options for it."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO, TypeVar

import click
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from looplaw_common.files import replacing
from modeling import InputError
from modeling.pmnf.model import FORMAT

from ...bulk.dataset import is_dataset, parameters_of, parts
from ...bulk.importer import write_dataset
from ...bulk.jobs import Each, distributed, joined_lines, model_dataset, threaded
from ...bulk.lines import columns_of
from ...bulk.partition import Job, Told
from ...documents.reading import named_floats
from ...report.grid import Column, Table
from ..console import messages

F = TypeVar("F", bound=Callable[..., Any])
_MOST_THREADS = 4
"""More wait for each other, and each holds a partition."""
_OPTIONS = (
    click.option(
        "--workers",
        type=click.IntRange(1),
        help="Model partitions by so many processes of Dask on this machine.",
    ),
    click.option(
        "--scheduler",
        metavar="ADDRESS",
        help="... by the workers of a Dask scheduler, as in tcp://head:8786.",
    ),
    click.option(
        "--threads",
        type=click.IntRange(1),
        help="... by so many threads (default: one a core, 4 at most).",
    ),
    click.option(
        "--out",
        type=click.Path(file_okay=False, path_type=Path),
        help="Write the models as Parquet into a directory.",
    ),
    click.option(
        "--top",
        type=click.IntRange(1),
        default=20,
        show_default=True,
        help=(
            "So many models of each metric are printed where there are partitions: the largest"
            " predicted values."
        ),
    ),
    click.option(
        "--at",
        "places",
        multiple=True,
        metavar="NAME=VALUE",
        help=(
            "Where those are predicted; parameters that are not named are at twice their largest"
            " values."
        ),
    ),
)


@dataclass(frozen=True)
class Partitioned:
    """How a dataset is modelled, as the options say it."""

    workers: int | None
    scheduler: str | None
    threads: int | None
    out: Path | None
    top: int
    places: tuple[str, ...]

    @property
    def each(self) -> Each:
        """What does the work.

        Raises:
            InputError: two options say different things.
        """
        given = [
            f"--{name}"
            for name in ("workers", "scheduler", "threads")
            if getattr(self, name) is not None
        ]
        if len(given) > 1:
            raise InputError(f"{' and '.join(given)}: one of them says who does the work")
        if self.workers or self.scheduler:
            return distributed(workers=self.workers or 0, scheduler=self.scheduler or "")
        return threaded(self.threads or min(_cores(), _MOST_THREADS))

    def is_asked(self, file: str) -> bool:
        """Is `file` modelled partition by partition?"""
        return any(
            value is not None for value in (self.workers, self.scheduler, self.threads, self.out)
        ) or is_dataset(file)


def _cores() -> int:
    """Those that this process may use, where the system tells."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def partition_options(command: F) -> F:
    """Adds the options; the command gets them as keywords."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def fit_partitions(file: str, given: Partitioned, method: str, target: str | None) -> Told:
    """Model a dataset, or JSON Lines that become one first; the models go to `given.out` as Parquet
    and to `target` as JSON.

    Raises:
        InputError, DataError, RunError: as reading, modeling and the workers do.
    """
    each, at = given.each, named_floats(given.places)
    with contextlib.ExitStack() as stack:
        # workers elsewhere have to see it: in the current directory, as the results are
        scratch = Path(
            stack.enter_context(tempfile.TemporaryDirectory(prefix=".looplaw-fit-", dir="."))
        )
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
        with _shown(len(paths)) as finished:
            told = model_dataset(paths, job, each, lambda _: finished())
        if target and lines is not None:
            _write_models(joined_lines(lines), target)
        return told


def _imported(file: str, folder: Path) -> str:
    if Path(file).is_dir() or (file != "-" and not Path(file).exists()):
        raise InputError(
            f"{file}: not a file of measurements; --workers, --threads, --scheduler and --out take"
            " JSON Lines and Parquet (looplaw import makes JSON Lines of other formats)"
        )
    with messages.status(f"reading {file}"):
        write_dataset(columns_of(file), folder, file)
    return str(folder)


@contextlib.contextmanager
def _shown(total: int) -> Iterator[Callable[[], None]]:
    columns = (TextColumn("modeling"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(
        *columns, console=messages, transient=True, disable=not messages.is_terminal
    ) as progress:
        task = progress.add_task("", total=total)
        yield lambda: progress.advance(task)


def _write_models(lines: Iterator[str], target: str) -> None:
    """The object "looplaw-models/1", model by model; - is stdout."""
    with contextlib.ExitStack() as stack:
        stream: TextIO = sys.stdout
        if target != "-":
            file = stack.enter_context(replacing(target))
            stream = stack.enter_context(file.open("w", encoding="utf-8"))
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
        Column("identifiable", "sure", "word"),
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
