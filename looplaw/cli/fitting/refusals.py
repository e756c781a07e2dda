"""Options of `looplaw fit` that would do nothing are mistakes: what goes with what."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields

import click

from looplaw_common.errors import InputError

from .options import PartitionOptions, RankOptions

_OF_RANKS = tuple(f.name for f in fields(RankOptions) if f.name not in ("values", "params"))
_OF_SPEEDUP = ("processes", "nodes", "cores", "work", "law", "seed")
_SPELLED = {"law": "speedup-law", "laws": "law", "places": "at"}
_PARTITIONS = "--workers, --threads, --scheduler or --out"


def refuse(
    context: click.Context, files: Sequence[str], partitions: PartitionOptions, is_partitioned: bool
) -> None:
    """Refuse options that do not go together.

    Raises:
        InputError: which option is wrong, and what it needs.
    """

    def given(*names: str) -> list[str]:
        return [
            f"--{_SPELLED.get(n, n)}"
            for n in names
            if context.get_parameter_source(n) is click.core.ParameterSource.COMMANDLINE
        ]

    ranks, speedup = context.params["ranks"], context.params["speedup"]
    if ranks and speedup:
        raise InputError("--ranks and --speedup are two ways to model: choose one")
    if (ranks or speedup) and (wrong := given("html", "method", "laws", "analysis", "follow")):
        raise InputError(
            f"{wrong[0]} belongs to models in the normal form: leave out --ranks and --speedup"
        )
    if not ranks and (wrong := given(*_OF_RANKS)):
        raise InputError(f"{wrong[0]} says how ranks are clustered: add --ranks")
    if not speedup and (wrong := given(*_OF_SPEEDUP)):
        raise InputError(f"{wrong[0]} belongs to laws of speed-up: add --speedup")
    several = len(files) > 1 or bool(given("pattern"))
    if ranks and several:
        raise InputError("--ranks reads one file")
    if context.params["follow"] and several:
        raise InputError("--follow follows one file, or - for standard input")
    if is_partitioned:
        _refuse_partitioned(given, several=len(files) > 1 or ranks or speedup)
    elif partitions.places:
        raise InputError(f"--at needs {_PARTITIONS}; to evaluate models use looplaw predict")


def _refuse_partitioned(given: Callable[..., list[str]], *, several: bool) -> None:
    if several:
        raise InputError(
            "Parquet files, --workers, --threads, --scheduler and --out: one file or folder is"
            " fitted, without --ranks and --speedup"
        )
    if wrong := given("pattern", "laws", "analysis", "follow", "html"):
        raise InputError(
            f"{wrong[0]} needs measurements that fit into memory: leave out {_PARTITIONS}, or fit"
            " a part of the measurements"
        )
