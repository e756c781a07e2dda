"""The options of the ways to fit, and what they say; nothing heavy is imported here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from looplaw_common.errors import InputError

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class RankOptions:
    """How ranks are clustered. by, threshold, classes, clusters: as the options say; values and
    params: columns of CSV."""

    by: tuple[str, ...] = ()
    threshold: float | None = None
    classes: str | None = None
    clusters: int | None = None
    values: tuple[str, ...] = ()
    params: tuple[str, ...] = ()

    @staticmethod
    def of(given: Mapping[str, Any]) -> RankOptions:
        """From what the options of `rank_options` are given."""
        return RankOptions(
            given["by"],
            given["threshold"],
            given["classes"],
            given["clusters"],
            given["values"],
            given["params"],
        )


def _names(texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name.strip() for text in texts for name in text.split(",") if name.strip())


_CHOICE = (
    click.option(
        "--params",
        multiple=True,
        metavar="NAME,...",
        callback=lambda _, __, texts: _names(texts),
        help="The columns, or names, that are parameters.",
    ),
    click.option(
        "--values",
        multiple=True,
        metavar="NAME,...",
        callback=lambda _, __, texts: _names(texts),
        help="The columns that hold what was measured, or the metrics to take.",
    ),
    click.option(
        "--series",
        multiple=True,
        metavar="NAME,...",
        callback=lambda _, __, texts: _names(texts),
        help="The columns, or parameters, that tell series apart.",
    ),
)


def choice_options(command: F) -> F:
    """What the user says of measurements: --params, --values and --series."""
    for option in reversed(_CHOICE):
        command = option(command)
    return command


def rank_options(command: F) -> F:
    """The options of `RankOptions`."""
    for option in reversed(
        (
            click.option(
                "--by",
                multiple=True,
                metavar="METRIC",
                help="Cluster ranks by this metric (default: by all).",
            ),
            click.option(
                "--threshold",
                type=click.FloatRange(min=0),
                metavar="DISTANCE",
                help=(
                    "Relative distance that separates clusters (default 0.1; counts: any"
                    " difference)."
                ),
            ),
            click.option(
                "--classes",
                metavar="RULE",
                help=(
                    "Classify ranks by a rule: grid:1, grid:2, grid:3 (corner, edge, inner), a"
                    " formula in rank, ranks and parameters, column:NAME of a CSV file."
                ),
            ),
            click.option(
                "--clusters",
                type=click.IntRange(min=1),
                metavar="NUMBER",
                help="Model the experiments with so many clusters (default: what most have).",
            ),
        )
    ):
        command = option(command)
    return command


@dataclass(frozen=True)
class SpeedupOptions:
    """processes (default: n_resources, else p), or nodes and cores: the parameters that are
    their numbers; work: the size in units of work, a formula; method: how the law is found; seed:
    of the learners."""

    processes: str | None = None
    nodes: str | None = None
    cores: str | None = None
    work: str | None = None
    method: str = "auto"
    seed: int = 0

    @staticmethod
    def of(given: Mapping[str, Any]) -> SpeedupOptions:
        """From what the options of `speedup_options` are given.

        Raises:
            InputError: nodes without cores.
        """
        if bool(given["nodes"]) != bool(given["cores"]):
            raise InputError("--nodes and --cores go together")
        return SpeedupOptions(
            given["processes"],
            given["nodes"],
            given["cores"],
            given["work"],
            given["law"],
            given["seed"],
        )


_SPEEDUP_OPTIONS = (
    click.option(
        "--processes",
        metavar="NAME",
        help="The parameter that is the number of processes (default: n_resources, else p).",
    ),
    click.option(
        "--nodes", metavar="NAME", help="The parameter that is the number of nodes, with --cores."
    ),
    click.option(
        "--cores",
        metavar="NAME",
        help="The parameter that is the number of processes on each node.",
    ),
    click.option(
        "--work",
        metavar="FORMULA",
        help=(
            "The size of the problem in units of work, as in n^3 (default: the "
            "parameter that is left)."
        ),
    ),
    click.option(
        "--speedup-law",
        "law",
        default="auto",
        show_default=True,
        metavar="NAME",
        help="Law of speed-up: auto, Amdahl, Oliveira, RF, GBT, NN, costs, costs+GBT, PMNF.",
    ),
    click.option("--seed", type=int, default=0, show_default=True, help="Seed of the learners."),
)


def speedup_options(command: F) -> F:
    """The options of `SpeedupOptions`."""
    for option in reversed(_SPEEDUP_OPTIONS):
        command = option(command)
    return command


_PARTITION_OPTIONS = (
    click.option(
        "--workers",
        type=click.IntRange(1),
        help="Model partitions by so many processes on this machine.",
    ),
    click.option(
        "--scheduler",
        metavar="ADDRESS",
        help="Model partitions by the workers of a Dask scheduler, as in tls://head:8786.",
    ),
    click.option(
        "--threads",
        type=click.IntRange(1),
        help="Model partitions by so many threads (default: one per core, at most 4).",
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
            "With partitions: print so many models of each metric, those of the largest predicted"
            " values."
        ),
    ),
    click.option(
        "--at",
        "places",
        multiple=True,
        metavar="NAME=VALUE",
        help=(
            "With --top: predict at these values; other parameters are at twice their largest"
            " values."
        ),
    ),
)


@dataclass(frozen=True)
class PartitionOptions:
    """How a dataset is modelled, as the options say it."""

    workers: int | None
    scheduler: str | None
    threads: int | None
    out: Path | None
    top: int
    places: tuple[str, ...]

    @property
    def is_given(self) -> bool:
        """Does one of the options ask for partitions?"""
        asked = (self.workers, self.scheduler, self.threads, self.out)
        return any(value is not None for value in asked)


def partition_options(command: F) -> F:
    """Adds the options; the command gets them as keywords."""
    for option in reversed(_PARTITION_OPTIONS):
        command = option(command)
    return command
