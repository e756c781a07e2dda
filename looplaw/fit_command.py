"""looplaw fit: models of measurements; with --ranks one for each class of ranks, with --speedup a law of speed-up."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from modeling import METHODS, fit, read
from modeling.model import FORMAT
from staticana import InputError

from .common import debug_option, format_option, json_option, show, write_json
from .console import guarded, say
from .ranked import RankOptions, clusters_json, clusters_table, fit_ranked, rank_options
from .report import measured_study, render_html
from .report.tables import models_table
from .speedup import SpeedupOptions, fit_scaling, laws_json, laws_table, speedup_options, timed

_OF_RANKS = ("by", "threshold", "classes", "clusters", "values", "params")
_OF_SPEEDUP = ("processes", "nodes", "cores", "work", "law", "seed")


@click.command("fit")
@click.argument("file")
@click.option("--method", type=click.Choice(("default", *METHODS)), default="default", show_default=True,
              help="How terms are found; the others are those of the literature.")
@click.option("--html", type=click.Path(dir_okay=False, path_type=Path), help="Write a report as one HTML file.")
@click.option("--ranks", is_flag=True, help="Ranks that behave alike are a class with a model of its own; below: how they are "
                                            "told apart.")
@rank_options
@click.option("--speedup", is_flag=True, help="Laws of speed-up for the times; below: of what, and which.")
@speedup_options("--law")
@json_option
@format_option
@debug_option
@click.pass_context
def fit_command(context: click.Context, /, file: str, target: str | None, method: Any, html: Path | None, form: str, debug: bool,
                ranks: bool, speedup: bool, **given: Any) -> None:
    """Model the measurements in FILE (JSON Lines and others; - is stdin). No program is needed.

    \b
    looplaw fit measurements.jsonl --json models.json
    looplaw fit measurements.jsonl --html report.html
    looplaw fit ranks.jsonl --ranks --json models.json
    looplaw fit times.jsonl --speedup --work n^3
    """
    with guarded(debug):
        _refuse(context, ranks, speedup, html, method)
        if ranks:
            kernels = fit_ranked(file, RankOptions.of(given))
            classes = clusters_json(kernels)
            data: dict[str, object] = {"format": FORMAT, "models": [m.to_json() for k in kernels for m in k.models],
                                       "kernels": classes}
            table = clusters_table(classes)
        elif speedup:
            options = SpeedupOptions.of(given)
            laws = [fit_scaling(series, options) for series in timed(read(file).series)]
            data, table = laws_json(laws), laws_table(laws)
        else:
            measurements = read(file)
            models = fit(measurements, method=method)
            data = models.to_json()
            table = models_table(data)
            if html:
                html.write_text(render_html(measured_study(measurements, models, title=file)), encoding="utf-8")
                say(f"report: {html.resolve()}")
        if target:
            write_json(data, target)
        if target != "-":
            show(table, form)


def _refuse(context: click.Context, ranks: bool, speedup: bool, html: Path | None, method: str) -> None:
    """Options that would do nothing are mistakes.

    Raises:
        InputError: which, and what it needs.
    """
    def given(names: tuple[str, ...]) -> list[str]:
        return [n for n in names if context.get_parameter_source(n) is click.core.ParameterSource.COMMANDLINE]
    if ranks and speedup:
        raise InputError("--ranks and --speedup are two ways to model: choose one")
    if (ranks or speedup) and (html or method != "default"):
        raise InputError("--html and --method belong to models in the normal form: leave out --ranks and --speedup")
    if not ranks and (wrong := given(_OF_RANKS)):
        raise InputError(f"--{wrong[0]} tells ranks apart: add --ranks")
    if not speedup and (wrong := given(_OF_SPEEDUP)):
        raise InputError(f"--{wrong[0]} belongs to laws of speed-up: add --speedup")
