"""Measurements that keep ranks apart, as commands read, cluster and show them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from looplaw_common.errors import DataError, InputError
from looplaw_common.formula.formula import parse_formula
from modeling.data.observations import sound
from modeling.data.ranks import RankedMeasurements, by_rank
from modeling.rank_classes.class_models import DivergingKernel, fit_diverging
from modeling.rank_classes.rank_rules import Rule, column_rule, formula_rule, grid_rule
from modeling.readers import read_observations, text_of
from modeling.readers.choice import Choice
from modeling.readers.tables import read_tables, table_of

from ...documents.models import KernelClasses
from ...report import Table
from ...report.formulas import fewer_digits
from ...report.grid import Column
from ..console import note_bare_logarithms
from .options import RankOptions

_COLUMN = "column:"


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
        choice = Choice(options.params, options.values)
        try:
            table_of(text, name, Choice((), options.values))
        except DataError:
            if options.values:
                raise
            raise InputError(
                f"{name}: which columns hold values? Name them, as in --values time_s; there are"
                f" {text.lstrip().partition(chr(10))[0][:200].strip()}"
            ) from None
        return by_rank(sound(read_tables(text, name, choice=choice)), name)
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
        formula = parse_formula(rule)
    except InputError:
        raise InputError(
            f"--classes {rule}: write grid:1, grid:2 or grid:3, a formula such as Mod(rank, 4), or"
            " column:NAME; other rules go through modeling.rank_classes.class_models"
        ) from None
    note_bare_logarithms([formula])
    return formula_rule(formula)


def clusters_table(kernels: Sequence[KernelClasses]) -> Table:
    """Every class with its number of ranks and its models, and the imbalance."""
    columns = (
        Column("callpath", "call path", "path", 10),
        Column("class", "class", "text", 8),
        Column("ranks", "ranks of p", "formula", 10),
        Column("metric", "metric", "text", 10),
        Column("model", "model", "formula", 16),
    )
    rows = [row for k in kernels for row in _rows(k)]
    shown = tuple((*row[:4], fewer_digits(row[4])) for row in rows)
    return Table(
        columns,
        shown,
        note=tuple(note for k in kernels for note in _notes(k)),
        records=Table(tuple(c.key for c in columns), tuple(rows)),
    )


def _rows(kernel: KernelClasses) -> Iterator[tuple[str, str, str, str, str]]:
    for c in kernel.classes:
        sizes = f"{min(c.sizes, default=0)} to {max(c.sizes, default=0)}"
        for m in c.models:
            ranks = c.size_law.formula if c.size_law else sizes
            yield kernel.callpath, c.name, ranks, m.metric, m.formula
    for m in kernel.imbalance if kernel.diverges else ():
        yield kernel.callpath, "", "", m.metric, m.formula


def _notes(kernel: KernelClasses) -> Iterator[str]:
    name, classes, experiments = kernel.callpath, len(kernel.classes), kernel.experiments
    if not kernel.diverges:
        yield f"{name}: all ranks behave alike"
        return
    by = f" by {', '.join(kernel.by)}" if kernel.by else ""
    yield f"{name}: {classes} classes{by}; imbalance is the largest rank's value over the mean"
    left_out = sorted({e.clusters for e in experiments if not e.matched})
    if left_out:
        kept = sum(e.matched for e in experiments)
        yield (
            f"{name}: modelled from the {kept} of {len(experiments)} experiments with {classes}"
            f" clusters; others have {', '.join(map(str, left_out))}"
        )
