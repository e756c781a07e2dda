"""looplaw analyze: how often every loop runs, as formulas."""

from __future__ import annotations

from pathlib import Path

import click

from looplaw_common.files import write_whole
from staticana import InputError, analyze, canonical, compile_sources, format_nest

from ...documents.reading import named_numbers
from ...laws.annotate import sources_of, with_display
from ...laws.law_terms import LEAST
from ...laws.roofline import parse_machine, with_rooflines
from ...report import render_listing
from ...report.listing import listing_text, listings
from ...report.tables import analysis_table, functions_table, roofline_table
from ...settings.settings import parse_parameters
from ..common import debug_option, format_option, show, write_json
from ..console import colored, guarded, say, width
from ..options import flag_option, param_option


@click.command("analyze")
@click.argument("program", nargs=-1, required=True)
@click.option("--entry", default="main", help="Function whose run is counted.")
@param_option
@click.option(
    "--matrix", is_flag=True, help="Print A, b, c, g and the folded closed form of every nest."
)
@click.option(
    "--functions",
    "per_function",
    is_flag=True,
    help="Work, depth, efficiency, operations per function.",
)
@click.option(
    "--annotate", is_flag=True, help="Print the source with each loop's count in the margin."
)
@click.option(
    "--html",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the annotated source as one HTML file.",
)
@click.option(
    "--function",
    "only",
    multiple=True,
    metavar="NAME",
    help="Annotate only this function; may be repeated.",
)
@click.option(
    "--context",
    type=click.IntRange(0),
    default=4,
    show_default=True,
    metavar="LINES",
    help="Lines of source shown around loops; longer stretches become '...'.",
)
@click.option(
    "--wide", is_flag=True, help="Annotate with exact formulas in full and cut nothing off."
)
@click.option(
    "--peak-flops", metavar="RATE", help="Roofline: the machine's peak, as in 50e9 or 50Gflop/s."
)
@click.option(
    "--peak-bandwidth",
    metavar="RATE",
    help="Roofline: bytes from memory a second, as in 20e9 or 20GB/s.",
)
@click.option(
    "--at", "places", multiple=True, metavar="NAME=VALUE", help="Evaluate the roofline at a value."
)
@click.option(
    "--strict",
    is_flag=True,
    help="Functions outside the program may write whatever others can reach.",
)
@click.option(
    "--budget",
    type=click.FloatRange(min=0.01),
    default=2.0,
    show_default=True,
    metavar="SECONDS",
    help="CPU time that the count of one loop may take.",
)
@click.option("--json", "target", metavar="FILE", help="Write the analysis as JSON; - is stdout.")
@flag_option
@format_option
@debug_option
def analyze_command(
    program: tuple[str, ...],
    entry: str,
    params: tuple[str, ...],
    matrix: bool,
    per_function: bool,
    annotate: bool,
    html: Path | None,
    only: tuple[str, ...],
    context: int,
    wide: bool,
    peak_flops: str | None,
    peak_bandwidth: str | None,
    places: tuple[str, ...],
    strict: bool,
    budget: float,
    target: str | None,
    flags: tuple[str, ...],
    form: str,
    debug: bool,
) -> None:
    """Derive how often every loop of PROGRAM runs.

    \b
    looplaw analyze matmul.c
    looplaw analyze nest.c --matrix
    looplaw analyze nest.c --annotate
    looplaw analyze a.c b.c --entry solve --json -
    looplaw analyze matmul.c --peak-flops 50G --peak-bandwidth 20GB/s --at n=1000
    """
    with guarded(debug):
        machine, at = parse_machine(peak_flops, peak_bandwidth), named_numbers(places)
        if at and machine is None:
            raise InputError(
                "--at: a roofline is evaluated there: add --peak-flops 50G --peak-bandwidth 20GB/s"
            )
        if (only or wide) and not (annotate or html):
            raise InputError(
                f"{'--function' if only else '--wide'}: it is for annotated source: add --annotate"
            )
        if annotate and form != "text":
            raise InputError(
                f"--annotate --format {form}: annotated source is text; use --html FILE or --json"
                " FILE"
            )
        text = canonical(compile_sources(program, flags=flags))
        analysis = analyze(
            text,
            entry=entry,
            parameters=parse_parameters(params),
            strict=strict,
            seconds=budget,
            matrix=matrix,
        )
        data = analysis.to_json()
        if machine is not None:
            data = with_rooflines(data, analysis, machine, at)
        if annotate or html:
            data = with_display(data, analysis)
            sources, missing = sources_of(analysis, tuple(map(Path, program)), only)
            for file, why in missing.items():
                say(f"{file}: {why}; it is not annotated")
        if html:
            title = ", ".join(Path(p).name for p in program)
            write_whole(
                html, render_listing(data, sources, functions=only, title=title, least=LEAST)
            )
            say(f"annotated source: {html.resolve()}")
        if target:
            write_json(data, target)
        if target == "-":
            return
        if annotate:
            found = listings(data, sources, functions=only, context=context)
            click.echo(listing_text(found, width=width(), wide=wide, color=colored(), least=LEAST))
            for note in analysis.notes:
                say(note)
            return
        if matrix:
            for loop in analysis.loops:
                if loop.nesting == 1:
                    inside = [loop]
                    for other in analysis.loops:
                        if other.parent in {x.at for x in inside}:
                            inside.append(other)
                    forms = [(x.nesting, x.matrix) for x in inside if x.matrix is not None]
                    click.echo(f"{loop.at} in {loop.function}")
                    click.echo(
                        format_nest(forms)
                        if forms
                        else "no matrix form: its variables do not change in an affine way"
                    )
                    click.echo()
            return
        if machine is not None:
            show(roofline_table(data), form)
        else:
            show(functions_table(data) if per_function else analysis_table(data), form)
        for note in analysis.notes:
            say(note)
