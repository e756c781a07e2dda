"""looplaw plan: what needs a counter, what to vary, how many runs."""

from __future__ import annotations

from pathlib import Path

import click

from runtime.machine.known import known_caches
from staticana import analyze, canonical, compile_sources

from ...planning.measurement_plan import plan_of_program
from ...report.plan_tables import parameters_table, plan_table
from ...settings.settings import parse_parameters
from ..common import debug_option, format_option, json_option, show, write_json
from ..console import guarded, tell
from ..options import compile_options, param_option
from ..selection_options import selection_options, write_selection


@click.command("plan")
@click.argument("program", nargs=-1, required=True)
@click.option("--entry", default="main", help="Function whose run is counted.")
@param_option
@json_option
@click.option(
    "--machine",
    "machine_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The caches that sizes are chosen for, from looplaw machine --json; else this machine's.",
)
@compile_options
@format_option
@debug_option
@selection_options
def plan_command(
    program: tuple[str, ...],
    entry: str,
    params: tuple[str, ...],
    target: str | None,
    machine_file: Path | None,
    flags: tuple[str, ...],
    form: str,
    debug: bool,
    **filters: Path | None,
) -> None:
    """Plan a study: which loops need a counter and why, and which parameters to vary.

    Also says how many values and runs that takes. Where runs stay short, it proposes a size on
    either side of each size at which the program outgrows a cache.

    \b
    looplaw plan matmul.c
    looplaw plan matmul.c --json plan.json
    looplaw plan matmul.c --scorep filter.txt --profile-list profile.txt --xray xray.txt
    """
    with guarded(debug):
        text, parameters = (
            canonical(compile_sources(program, flags=flags)),
            parse_parameters(params),
        )
        analysis = analyze(text, entry=entry, parameters=parameters, matrix=False)
        options = (*(f"--param={p}" for p in params), *(f"--flag={f}" for f in flags))
        write_selection(analysis, filters)
        plan = plan_of_program(
            text,
            analysis,
            tuple(map(Path, program)),
            parameters=parameters,
            options=options,
            caches=dict(known_caches(machine_file)),
        )
        if target:
            write_json(plan.to_json(), target)
        if target == "-":
            return
        show(plan_table(plan), form)
        if form not in ("json", "csv"):
            tell()
            show(parameters_table(plan, broken=form == "text"), form)
