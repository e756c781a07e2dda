"""looplaw fit: models of measurements; with --ranks one for each class of ranks, with --speedup a
law of speed-up, and partition by partition where they do not fit into memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from modeling import METHODS

from ...common import debug_option, expect_place, format_option, json_option, show, write_json
from ...console import guarded, is_terminal, note_bare_logarithms
from ...fitting.options import (
    PartitionOptions,
    RankOptions,
    SpeedupOptions,
    choice_options,
    partition_options,
    rank_options,
    speedup_options,
)
from ...fitting.refusals import refuse

if TYPE_CHECKING:
    from modeling import Measurements
    from modeling.readers.choice import Choice

    from ....report import Table

_OF_PARTITIONS = tuple(f.name for f in fields(PartitionOptions))


@click.command("fit")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--pattern", metavar="PATTERN", help="Parameters in the paths of files, as in 'run_n{n}_p{p}'."
)
@click.option(
    "--method",
    type=click.Choice(("default", *METHODS)),
    default="default",
    show_default=True,
    help="How terms are found; the others are those of the literature.",
)
@click.option(
    "--law",
    "laws",
    multiple=True,
    metavar="[CALLPATH:METRIC=]FORMULA",
    help="A law whose form is known, as in rows*nnz_mean; only its coefficients are fitted.",
)
@click.option(
    "--analysis",
    metavar="FILE",
    help="What looplaw analyze --json wrote; restricts models of its loops.",
)
@click.option(
    "--follow",
    is_flag=True,
    help="Read JSON Lines as they are appended, and report when a law changes.",
)
@click.option(
    "--every-series",
    "strict",
    is_flag=True,
    help="Fail if a series cannot be used; otherwise such series are named and left out.",
)
@click.option(
    "--html",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write a report as one HTML file.",
)
@click.option(
    "--ranks", is_flag=True, help="Cluster ranks that behave alike, and model each class."
)
@rank_options
@click.option("--speedup", is_flag=True, help="Fit laws of speed-up to the times.")
@speedup_options
@choice_options
@partition_options
@json_option
@format_option
@debug_option
@click.pass_context
def fit_command(
    context: click.Context,
    /,
    files: tuple[str, ...],
    html: Path | None,
    target: str | None,
    form: str,
    debug: bool,
    **given: Any,
) -> None:
    """Model the measurements in FILEs and folders (- is stdin); the slowest at scale comes first.

    The content tells the format: Google Benchmark, pytest-benchmark, hyperfine, Go, JMH, criterion,
    asv, perf stat -j, Extra-P, Caliper, JSON Lines, tables. A folder may hold such files, CUBE or
    Caliper profiles, or Parquet files that do not fit into memory.

    \b
    looplaw fit measurements.jsonl --json models.json
    looplaw fit measurements.jsonl --html report.html
    looplaw fit runs/ --pattern 'size_{n}x{p}'
    looplaw fit ranks.jsonl --ranks --json classes.json
    looplaw fit times.jsonl --speedup --work n^3
    looplaw fit data --workers 8 --out largest --top 50 --at p=1e6
    """
    with guarded(debug):
        from ....bulk.dataset import is_dataset
        from ....loading import expect_measurements

        partitions = PartitionOptions(**{name: given[name] for name in _OF_PARTITIONS})
        is_partitioned = partitions.is_given or any(map(is_dataset, files))
        refuse(context, files, partitions, is_partitioned)
        expect_place(target, html)
        expect_measurements(files[0])
        if is_partitioned:
            from ...fitting.partitions import fit_partitions, largest_table

            # the models are written one by one, since all of them need not fit into memory
            told = fit_partitions(files[0], partitions, given["method"], target)
            data, table = None, largest_table(told)
        else:
            data, table = _fitted(files, html, {**given, "form": "" if target == "-" else form})
        if target and data is not None:
            write_json(data, target)
        if target != "-":
            show(table, form)


def _fitted(files: Sequence[str], html: Path | None, given: dict[str, Any]) -> tuple[Any, Table]:
    """The document to write and the table to show; each way to fit is imported when it is used."""
    if given["ranks"]:
        return _of_ranks(files[0], RankOptions.of(given))
    from ...fitting.series import SeriesOptions, fit_series, read_measurements

    if given["speedup"]:
        measurements = read_measurements(
            files, given["pattern"], strict=given["strict"], choice=_choice(given)
        )
        return _of_speedup(measurements, SpeedupOptions.of(given))
    return fit_series(
        files,
        SeriesOptions(
            given["pattern"],
            given["method"],
            given["laws"],
            given["analysis"],
            given["follow"],
            given["strict"],
            html,
            _choice(given),
            given["form"] == "text" and is_terminal(),
        ),
    )


def _choice(given: dict[str, Any]) -> Choice:
    from modeling.readers.choice import Choice

    return Choice(given["params"], given["values"], given["series"])


def _of_ranks(file: str, options: RankOptions) -> tuple[Any, Table]:
    from ....documents.models import MODELS, FittedDocument, kernel_classes
    from ...fitting.ranks import clusters_table, fit_ranked

    kernels = fit_ranked(file, options)
    models = tuple(m.document for k in kernels for m in k.models)
    document = FittedDocument(MODELS, models, kernel_classes(kernels))
    return document, clusters_table(document.kernels)


def _of_speedup(measurements: Measurements, options: SpeedupOptions) -> tuple[Any, Table]:
    from ...fitting.scaling_laws import fit_scaling, laws_document, timed
    from ...fitting.speedup import laws_table

    series = timed(measurements.series)
    found = [fit_scaling(s, options) for s in series]
    note_bare_logarithms(law.formula for law in found)
    return laws_document(found), laws_table(found)
