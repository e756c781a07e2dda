"""looplaw fit: models of measurements; with --ranks one for each class of ranks, with --speedup a
law of speed-up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import click

from looplaw_common.files import write_whole
from modeling import METHODS, Measurements, fit, read, read_files
from modeling.pmnf.model import FORMAT
from staticana import InputError

from ...documents.observations import measured, title_of
from ...laws.priors import doubtful, file_priors, law_priors
from ...loading import expect_measurements
from ...report import measured_study, ranked_models, render_html
from ...report.tables import models_table
from ..common import debug_option, expect_place, format_option, json_option, show, write_json
from ..console import guarded, say
from ..follow import followed
from .fit_partitions import Partitioned, fit_partitions, largest_table, partition_options
from .fit_ranks import RankOptions, clusters_json, clusters_table, fit_ranked, rank_options
from .fit_speedup import SpeedupOptions, fit_scaling, laws_json, laws_table, speedup_options, timed

_OF_RANKS = ("by", "threshold", "classes", "clusters", "values", "params")
_OF_SPEEDUP = ("processes", "nodes", "cores", "work", "law", "seed")
_OF_PARTITIONS = tuple(f.name for f in fields(Partitioned))
_PARAMETERS = (
    "hyperfine has them with --parameter-list n 64,128 './prog {n}', Google Benchmark with"
    " ->Arg(64), pytest-benchmark with pytest.mark.parametrize"
)
_SPELLED = {"law": "speedup-law", "laws": "law"}


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
    help="A law whose form is known, as in rows*nnz_mean: only its coefficients are fitted.",
)
@click.option(
    "--analysis",
    metavar="FILE",
    help="What looplaw analyze --json wrote; restricts models of its loops.",
)
@click.option(
    "--follow",
    is_flag=True,
    help=(
        "Take in JSON Lines as they are appended, show models while they converge, and "
        "say when a law changes. Ctrl-C ends it."
    ),
)
@click.option(
    "--html",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write a report as one HTML file.",
)
@click.option(
    "--ranks",
    is_flag=True,
    help=(
        "Ranks that behave alike are a class with a model of its own; below: how they are "
        "told apart."
    ),
)
@rank_options
@click.option(
    "--speedup", is_flag=True, help="Laws of speed-up for the times; below: of what, and which."
)
@speedup_options("--speedup-law")
@partition_options
@json_option
@format_option
@debug_option
@click.pass_context
def fit_command(
    context: click.Context,
    /,
    files: tuple[str, ...],
    pattern: str | None,
    target: str | None,
    method: Any,
    laws: tuple[str, ...],
    analysis: str | None,
    follow: bool,
    html: Path | None,
    form: str,
    debug: bool,
    ranks: bool,
    speedup: bool,
    **given: Any,
) -> None:
    """Model the measurements in all FILEs and folders (- is stdin), the slowest at scale first. No program and no compiler
    is needed.

    Files of Google Benchmark, pytest-benchmark, hyperfine, perf stat -j, Extra-P (text, JSON), Caliper's JSON, JSON Lines and
    CSV are told apart by what is in them; a folder may hold them, or CUBE or Caliper profiles.

    What does not fit into memory is modelled partition by partition: FILE is then a directory of Parquet files (looplaw
    export --format parquet), or JSON Lines with --workers, --threads, --scheduler or --out.

    \b
    looplaw fit measurements.jsonl --json models.json
    looplaw fit measurements.jsonl --html report.html
    looplaw fit runs/ --pattern 'size_{n}x{p}'
    looplaw fit ranks.jsonl --ranks --json classes.json
    looplaw fit times.jsonl --speedup --work n^3
    looplaw fit data --workers 8 --out largest --top 50 --at p=1e6
    """
    with guarded(debug):
        partitioned = Partitioned(**{name: given[name] for name in _OF_PARTITIONS})
        _refuse(context, files, partitioned)
        expect_place(target, html)
        expect_measurements(files[0])
        if ranks:
            kernels = fit_ranked(files[0], RankOptions.of(given))
            classes = clusters_json(kernels)
            data: dict[str, object] = {
                "format": FORMAT,
                "models": [m.to_json() for k in kernels for m in k.models],
                "kernels": classes,
            }
            table = clusters_table(classes)
        elif speedup:
            options = SpeedupOptions.of(given)
            found = [fit_scaling(series, options) for series in timed(_read(files, pattern).series)]
            data, table = laws_json(found), laws_table(found)
        elif partitioned.is_asked(files[0]):
            told = fit_partitions(files[0], partitioned, method, target)
            if target != "-":
                show(largest_table(told), form)
            return
        else:
            measurements, separate = (
                (followed(files[0], method), None)
                if follow
                else (
                    measured(files[0])
                    if html and len(files) == 1 and pattern is None
                    else (_read(files, pattern), None)
                )
            )
            if not measurements.parameters:
                say(
                    f"{title_of(files[0])}: no observation has a parameter, so nothing grows;"
                    f" {_PARAMETERS}"
                )
            known = law_priors(laws, measurements)
            models = fit(
                measurements,
                (file_priors(analysis, measurements) if analysis else {}) | known,
                method=method,
            )
            for remark in doubtful(known, measurements):
                say(remark)
            data = models.to_json()
            table = models_table(ranked_models(measurements, models).to_json())
            if html:
                title = ", ".join(map(title_of, files[:3]))
                write_whole(
                    html,
                    render_html(measured_study(measurements, models, title=title, ranked=separate)),
                )
                say(f"report: {html.resolve()}")
        if target:
            write_json(data, target)
        if target != "-":
            show(table, form)


def _read(files: Sequence[str], pattern: str | None) -> Measurements:
    return read(files[0]) if len(files) == 1 and pattern is None else read_files(files, pattern)


def _refuse(context: click.Context, files: Sequence[str], partitioned: Partitioned) -> None:
    """Options that would do nothing are mistakes.

    Raises:
        InputError: which, and what it needs.
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
        raise InputError(f"{wrong[0]} tells ranks apart: add --ranks")
    if not speedup and (wrong := given(*_OF_SPEEDUP)):
        raise InputError(f"{wrong[0]} belongs to laws of speed-up: add --speedup")
    if ranks and (len(files) > 1 or given("pattern")):
        raise InputError("--ranks: one file is read")
    if context.params["follow"] and (len(files) > 1 or given("pattern")):
        raise InputError("--follow: one file or - is followed")
    if any(map(partitioned.is_asked, files)):
        if len(files) > 1 or ranks or speedup:
            raise InputError(
                "partitions (Parquet, --workers, --threads, --scheduler, --out): one file or folder"
                " is fitted, without --ranks and --speedup"
            )
        if wrong := given("pattern", "laws", "analysis", "follow", "html"):
            raise InputError(
                f"{wrong[0]}: it is for what fits into memory; fit a part of the measurements"
                " for it"
            )
    elif partitioned.places:
        raise InputError(
            "--at: it is for partitions (--workers, --threads, --scheduler, --out); use looplaw"
            " predict"
        )
