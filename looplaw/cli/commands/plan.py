"""looplaw plan: what needs a counter, what to vary, how many runs."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from pathlib import Path

import click

from looplaw_common.errors import LooplawError
from runtime.machine.known import known_caches
from staticana import analyze, canonical, compile_sources
from staticana.frontend.openmp import team_module
from staticana.frontend.rust import countable
from staticana.interprocedural.program import Program
from staticana.ir.parser import parse_module
from staticana.traffic import Refused, Regime, traffic_of
from staticana.traffic.access_tree import AccessTree, access_tree

from ...laws.planning import measurement_plan
from ...report.plan_tables import parameters_table, plan_table
from ...settings.settings import parse_parameters
from ..common import debug_option, format_option, show, write_json
from ..console import guarded
from ..options import flag_option, param_option
from ..selection_options import selection_options, write_selection


@click.command("plan")
@click.argument("program", nargs=-1, required=True)
@click.option("--entry", default="main", help="Function whose run is counted.")
@param_option
@click.option("--json", "target", metavar="FILE", help="Write the plan as JSON; - is stdout.")
@click.option(
    "--machine",
    "machine_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The caches that sizes are chosen for, from looplaw machine --json; else this machine's.",
)
@flag_option
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

    Also says how many values and runs that takes, and proposes a size on either side of each limit
    at which the program outgrows a cache, as far as runs stay short.

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
        regimes: tuple[Regime, ...] = ()
        with contextlib.suppress(Refused):  # then what it touches is estimated
            regimes = traffic_of(text, entry=entry, parameters=parameters).regimes
        caches = dict(known_caches(machine_file))
        files = tuple(map(Path, program))
        plan = measurement_plan(
            analysis, files, options, regimes, caches, tree=lambda: _tree(text, entry, parameters)
        )
        if target:
            write_json(plan.to_json(), target)
        if target == "-":
            return
        show(plan_table(plan), form)
        if form not in ("json", "csv"):
            click.echo()
            show(parameters_table(plan, broken=form == "text"), form)


def _tree(text: str, entry: str, parameters: Mapping[str, str]) -> AccessTree | None:
    """What a program loads and stores, where that can be read."""
    try:
        serial, _ = team_module(countable(parse_module(text)))
        return access_tree(Program(serial, entry=entry, parameters=parameters))
    except LooplawError:
        return None
