"""Measurements that keep ranks apart, as commands read, cluster and show them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import click

from looplaw_common.errors import InputError as FormulaError
from modeling import DataError
from modeling.data.ranks import RankedMeasurements, by_rank
from modeling.pmnf.formula import parse_formula
from modeling.rank_classes.class_models import DivergingKernel, fit_diverging
from modeling.rank_classes.rank_rules import Rule, column_rule, formula_rule, grid_rule
from modeling.readers import read_observations, text_of
from modeling.readers.tidy_csv import is_csv, read_csv
from staticana import InputError

from ...report import Table
from ...report.formulas import fewer_digits
from ...report.grid import Column

Json = Mapping[str, Any]
_COLUMN = "column:"


@dataclass(frozen=True)
class RankOptions:
    """How ranks are told apart. by, threshold, classes, clusters: as the options say; values,
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
            _names(given["values"]),
            _names(given["params"]),
        )


def _names(texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name.strip() for text in texts for name in text.split(",") if name.strip())


def rank_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options of `RankOptions`."""
    for option in reversed(
        (
            click.option(
                "--by",
                multiple=True,
                metavar="METRIC",
                help="Tell ranks apart by this metric (default: by all).",
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
                    "Place ranks by a rule instead: grid:1, grid:2, grid:3 (corner, edge, inner), a"
                    " formula in rank, ranks and parameters, column:NAME of a CSV file."
                ),
            ),
            click.option(
                "--clusters",
                type=click.IntRange(min=1),
                metavar="NUMBER",
                help="Model the experiments with so many clusters (default: what most have).",
            ),
            click.option(
                "--values",
                multiple=True,
                metavar="COLUMN,...",
                help="CSV: the columns that hold metrics.",
            ),
            click.option(
                "--params",
                multiple=True,
                metavar="COLUMN,...",
                help="CSV: the columns that are parameters.",
            ),
        )
    ):
        command = option(command)
    return command


def fit_ranked(file: str, options: RankOptions) -> tuple[DivergingKernel, ...]:
    """Cluster the ranks in a file (JSON Lines with "rank" or CSV; - is stdin) and model each class.

    Raises:
        InputError: no such file, too large, not text; an option that does not fit it.
        DataError: a line is wrong.
    """
    text, name = text_of(file)
    data = _measurements(text, name, options)
    return fit_diverging(
        data,
        by=options.by,
        threshold=options.threshold,
        rule=_rule(text, name, options),
        number=options.clusters,
    )


def _is_csv(text: str) -> bool:
    return not text.lstrip("\ufeff \t\r\n").startswith("{")


def _measurements(text: str, name: str, options: RankOptions) -> RankedMeasurements:
    if _is_csv(text):
        if not options.values and not is_csv(text):
            raise InputError(
                f"{name}: which columns hold values? Name them, as in --values time_s; there are"
                f" {text.lstrip().partition(chr(10))[0][:200].strip()}"
            )
        return by_rank(read_csv(text, name, values=options.values, parameters=options.params), name)
    if options.values or options.params:
        raise InputError(
            f"{name}: --values and --params name columns of CSV; JSON Lines say themselves what"
            " they hold"
        )
    return by_rank(read_observations(text, name, ".jsonl"), name)


def _rule(text: str, name: str, options: RankOptions) -> Rule | None:
    rule = options.classes
    if rule is None:
        return None
    if options.by or options.threshold is not None or options.clusters:
        raise InputError(
            "--classes places ranks by itself: leave --by, --threshold and --clusters out"
        )
    if rule.startswith(_COLUMN):
        if not _is_csv(text):
            raise InputError(
                f"--classes {rule}: {name} has no columns; a rule is grid:2 or a formula in rank"
                " and ranks"
            )
        return column_rule(text, name, rule.removeprefix(_COLUMN), options.params)
    kind, _, dimensions = rule.partition(":")
    if kind == "grid" and dimensions in ("1", "2", "3"):
        return grid_rule(int(dimensions))
    try:
        return formula_rule(parse_formula(rule))
    except FormulaError:
        raise InputError(
            f"--classes {rule}: write grid:1, grid:2 or grid:3, a formula such as Mod(rank, 4), or"
            " column:NAME; other rules go through modeling.rank_classes.class_models"
        ) from None


def clusters_json(kernels: Sequence[DivergingKernel]) -> list[Json]:
    """What `clusters_table` shows and files keep."""
    return [k.to_json() for k in kernels]


def clusters_table(kernels: Sequence[Json]) -> Table:
    """Every class with its number of ranks and its models, and the imbalance.

    Raises:
        DataError: the objects are not as `clusters_json` makes them.
    """
    columns = (
        Column("callpath", "call path", "path", 10),
        Column("class", "class", "text", 8),
        Column("ranks", "ranks of p", "formula", 10),
        Column("metric", "metric", "text", 10),
        Column("model", "model", "formula", 16),
    )
    try:
        rows = [row for k in kernels for row in _rows(k)]
        note = "\n".join(note for k in kernels for note in _notes(k))
    except (KeyError, TypeError, ValueError) as error:
        raise DataError(
            f"classes of ranks are not as looplaw fit --ranks writes them: {error!r}"
        ) from None
    shown = tuple((*row[:4], fewer_digits(row[4])) for row in rows)
    return Table(
        columns, shown, note=note, records=Table(tuple(c.key for c in columns), tuple(rows))
    )


def _rows(kernel: Json) -> Iterator[tuple[str, str, str, str, str]]:
    callpath = str(kernel["callpath"])
    for c in kernel["classes"]:
        sizes = [int(n) for n in c["sizes"]]
        ranks = str(c["size_law"]["formula"]) if c["size_law"] else f"{min(sizes)} to {max(sizes)}"
        for m in c["models"]:
            yield callpath, str(c["name"]), ranks, str(m["metric"]), str(m["formula"])
    for m in kernel["imbalance"] if _diverges(kernel) else ():
        yield callpath, "", "", str(m["metric"]), str(m["formula"])


def _diverges(kernel: Json) -> bool:
    """Do its ranks fall into several classes anywhere?"""
    return max(int(e["clusters"]) for e in kernel["experiments"]) > 1


def _notes(kernel: Json) -> Iterator[str]:
    callpath, classes, experiments = (
        kernel["callpath"],
        len(kernel["classes"]),
        kernel["experiments"],
    )
    if not _diverges(kernel):
        yield f"{callpath}: all ranks behave alike"
        return
    by = f" by {', '.join(kernel['by'])}" if kernel["by"] else ""
    yield f"{callpath}: {classes} classes{by}; imbalance is the largest rank's value over the mean"
    left_out = sorted({int(e["clusters"]) for e in experiments if not e["matched"]})
    if left_out:
        kept = sum(bool(e["matched"]) for e in experiments)
        yield (
            f"{callpath}: modelled from the {kept} of {len(experiments)} experiments with {classes}"
            f" clusters; others have {', '.join(map(str, left_out))}"
        )
