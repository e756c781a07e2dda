"""looplaw analyze: how often every loop runs, as formulas."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from looplaw_common.files import write_whole
from looplaw_common.limits import memory_of_machine, parse_size
from looplaw_common.text import in_one_line
from staticana import (
    Analysis,
    InputError,
    analyze_module,
    canonical,
    compile_sources,
    format_nest,
    of_launches,
    parse_module,
)
from staticana.frontend.uncompiled import tell_left_out

from ...check.stated_bounds import with_stated_bounds
from ...documents.analysis import AnalysisDocument, analysis_document
from ...documents.reading import named_numbers
from ...projects.compiled import compiled_and_remembered, known_digest
from ...projects.kept import digest, kept, kept_or
from ...projects.linking import is_library
from ...report.analysis_tables import analysis_table, functions_table, functions_text
from ...report.kernel_text import is_of_kernels, kernels_text
from ...settings.settings import parse_parameters
from ..analysis_json import version_option, write_analysis
from ..common import debug_option, format_option, json_option, show
from ..console import INTERRUPTED, colored, guarded, say, tell_lines, width
from ..ending import endable
from ..options import compile_options, param_option
from ..project_view import asked_for, show_library, show_project

if TYPE_CHECKING:
    from ...laws.roofline import Machine

_MOST_CALLS = 12
"""Calls of the library that are told after the table."""
_SHARE_OF_MEMORY = 0.75
"""Of the machine's memory: beyond it an analysis goes on without further formulas, and is not
killed by the system."""
_NO_MATRIX = "no matrix form: its variables do not change in an affine way"


def _bytes(_: click.Context, parameter: click.Parameter, text: str | None) -> int:
    """What --budget-memory says, or how much a machine spares."""
    if text is None:
        return int(memory_of_machine() * _SHARE_OF_MEMORY)
    try:
        return parse_size(text)
    except ValueError:
        raise click.BadParameter(
            f"{text!r}: write a size as in --budget-memory 1.5G", param=parameter
        ) from None


@click.command("analyze")
@click.argument("program", nargs=-1)
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
@click.option("--wide", is_flag=True, help="Show formulas in full and cut nothing off.")
@click.option(
    "--peak-flops", metavar="RATE", help="Roofline: the machine's peak, as in 50e9 or 50Gflop/s."
)
@click.option(
    "--peak-bandwidth",
    metavar="RATE",
    help="Roofline: bytes from memory a second, as in 20e9 or 20GB/s.",
)
@click.option(
    "--warp",
    type=click.IntRange(1, 1024),
    metavar="LANES",
    help="Threads of a kernel that run in step; by default 32, and 64 on AMD's machines.",
)
@click.option(
    "--at",
    "places",
    multiple=True,
    metavar="NAME=VALUE",
    help="Evaluate the roofline, or what is exported, at a value.",
)
@click.option(
    "--memory", is_flag=True, help="Lines that loops touch, and those that miss each cache."
)
@click.option(
    "--machine",
    "machine_file",
    metavar="FILE",
    help="The caches of --memory and of the roofline, from looplaw machine --json; else this"
    " machine's.",
)
@click.option(
    "--strict",
    is_flag=True,
    help="Assume nothing but the rules of the language; counts that rest on more are unknown.",
)
@click.option(
    "--budget",
    type=click.FloatRange(min=0.01),
    default=2.0,
    show_default=True,
    metavar="SECONDS",
    help="CPU time that the count of one loop may take.",
)
@click.option(
    "--budget-total",
    type=click.FloatRange(min=0),
    metavar="SECONDS",
    help="CPU time of the whole analysis, beyond which no more formulas are sought.",
)
@click.option(
    "--budget-memory",
    callback=_bytes,
    metavar="SIZE",
    help="Memory of the process, as in 1.5G, beyond which no more formulas are sought; by default"
    " three quarters of the machine's.",
)
@click.option(
    "--compile-commands",
    "database",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Analyse the files of a compile_commands.json, linked by name; without a main function,"
    " every exported function.",
)
@click.option(
    "--main",
    "main_file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="With --compile-commands: the file whose main function is run, where several have one.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1),
    metavar="N",
    help="With --compile-commands: processes side by side; by default one for each core.",
)
@click.option(
    "--export",
    type=click.Choice(("unwindset", "flowfacts", "loopbound")),
    help="Write the bounds of loops, at the values of --at, for CBMC, for OTAWA, or as pragmas of"
    " TACLeBench.",
)
@click.option("--no-cache", is_flag=True, help="Analyse again what was analysed before.")
@json_option
@version_option
@compile_options
@format_option
@debug_option
def analyze_command(
    program: tuple[str, ...], target: str | None, form: str, debug: bool, **given: Any
) -> None:
    """Derive how often every loop of PROGRAM runs.

    \b
    looplaw analyze matmul.c
    looplaw analyze nest.c --matrix
    looplaw analyze nest.c --annotate
    looplaw analyze a.c b.c --entry solve --json -
    looplaw analyze --compile-commands build/compile_commands.json --jobs 8
    looplaw analyze matmul.c --peak-flops 50G --peak-bandwidth 20GB/s --at n=1000
    looplaw analyze lu.c --export unwindset --at n=100
    """
    with guarded(debug):
        view = View(
            program, form, **{f.name: given[f.name] for f in fields(View) if f.name in given}
        )
        machine, at = _machine(given), view.at
        view.refuse(machine)
        if given["machine_file"] and not given["memory"] and machine is None:
            raise InputError(
                "--machine needs --memory or a roofline: its caches are those of the memory law"
            )
        if given["database"] is None and not program:
            given["database"] = _database()
        if given["database"] is not None:
            show_project(program, given, view.refused_in_projects, form, target)
            return
        _refuse_options_of_projects(program, given)
        plain = machine is None and not (view.matrix or view.is_annotated or given["memory"])
        if plain and not given["no_cache"]:
            _show_plain(view, program, given, target)
            return
        ir = compile_sources(program, flags=given["flags"], left_out=tell_left_out)
        if plain and _is_library(view, ir):
            show_library(ir, program, given, view.form, target)
            return
        text = canonical(ir)
        with endable(given["budget"], given["budget_total"], given["budget_memory"]) as allowance:
            analysis = analyze_module(
                parse_module(text),
                entry=given["entry"],
                parameters=parse_parameters(given["params"]),
                strict=given["strict"],
                matrix=view.matrix,
                ranks=True,
                allowance=allowance,
                warp=given["warp"],
            )
        document = with_stated_bounds(analysis_document(analysis), say)
        if machine is not None:
            from ...laws.roofline import with_rooflines

            moved = _moved(text, analysis, given, at)
            document = with_rooflines(document, of_launches(analysis), machine, at, moved)
        if given["memory"]:
            from runtime.machine.known import read_machine, this_machine

            from ...laws.memory import with_memory

            found = this_machine() if not (f := given["machine_file"]) else read_machine(f)
            parameters = parse_parameters(given["params"])
            document = with_memory(document, text, given["entry"], parameters, found, at)
        if view.is_annotated:
            from ...laws.annotate import with_display

            document = with_display(document, analysis)
        sources = view.sources(analysis)
        view.write_html(document, sources)
        if target:
            write_analysis(document, target, given["version"])
        if target != "-":
            view.show(document, analysis, sources)
        if allowance.is_stopped:
            sys.exit(INTERRUPTED)


def _show_plain(
    view: View, program: tuple[str, ...], given: Mapping[str, Any], target: str | None
) -> None:
    """Loops or functions, from the cache where they are in it."""
    asked = asked_for(given)
    known = known_digest(program, given["flags"])
    document = None if known is None else kept(known, asked)
    is_stopped = False
    if document is None:
        ir = compiled_and_remembered(program, given["flags"])
        if _is_library(view, ir):
            show_library(ir, program, given, view.form, target)
            return
        with endable(given["budget"], given["budget_total"], given["budget_memory"]) as allowance:
            document = kept_or(
                digest(ir),
                asked,
                lambda: analyze_module(
                    parse_module(canonical(ir)),
                    entry=asked.entry,
                    parameters=asked.parameters,
                    strict=asked.strict,
                    matrix=False,
                    ranks=True,
                    allowance=allowance,
                    warp=given["warp"],
                ),
            )
        is_stopped = allowance.is_stopped
    document = with_stated_bounds(document, say)
    if target:
        write_analysis(document, target, given["version"], without_floats=True)
    if target != "-":
        view.show(document, None, {})
    if is_stopped:
        sys.exit(INTERRUPTED)


def _is_library(view: View, ir: str) -> bool:
    """Is every exported function asked for: there is no main function, and none is named?"""
    return not (view.per_function or _is_given("entry")) and is_library(ir)


def _is_given(option: str) -> bool:
    """Was an option typed, or has it the value that it has by default?"""
    source = click.get_current_context().get_parameter_source(option)
    return source is not click.core.ParameterSource.DEFAULT


def _refuse_options_of_projects(program: tuple[str, ...], given: Mapping[str, Any]) -> None:
    for option, name in (("--main", "main_file"), ("--jobs", "jobs")):
        if given[name] is not None:
            raise InputError(f"{option} needs --compile-commands FILE")


def _database() -> Path:
    """The compilation database of the folder, which is said.

    Raises:
        UsageError: there is none.
    """
    from ...gate.flags import known_commands

    found = known_commands(Path())
    if found is None:
        raise click.UsageError("Missing PROGRAM, and there is no compile_commands.json here.")
    say(f"the files of {found}")
    return found


def _machine(given: Mapping[str, Any]) -> Machine | None:
    """The machine of the roofline, where one is asked for."""
    if given["peak_flops"] is None and given["peak_bandwidth"] is None:
        return None
    from ...laws.roofline import parse_machine

    return parse_machine(given["peak_flops"], given["peak_bandwidth"])


def _moved(
    text: str, analysis: Analysis, given: Mapping[str, Any], at: Mapping[str, int | Fraction]
) -> dict[str, Fraction]:
    """Bytes between memory and the last cache, of functions with arithmetic, at given values."""
    if not at:
        return {}
    kernels = {f.symbol: f.kernel for f in analysis.functions if f.kernel is not None}
    if kernels:  # of a card, which has no caches of this machine
        uppers = {name: kernel.moved.upper for name, kernel in kernels.items()}
        return {
            name: Fraction(upper.evaluate(at))
            for name, upper in uppers.items()
            if upper is not None and upper.symbols <= at.keys()
        }
    from runtime.machine.known import read_machine
    from runtime.machine.measure import nominal_caches

    from ...laws.memory import bytes_from_memory

    file = given["machine_file"]
    sizes = [c.bytes for c in read_machine(file).caches if c.bytes] if file else []
    capacity = sizes[-1] if sizes else nominal_caches()[-1][1]
    functions = [f.symbol for f in analysis.functions if f.operations["flops"].formula]
    parameters = parse_parameters(given["params"])
    return bytes_from_memory(text, functions, given["entry"], parameters, capacity, at)


@dataclass(frozen=True)
class View:
    """What is shown of an analysis, as the options say."""

    program: tuple[str, ...]
    form: str
    matrix: bool = False
    per_function: bool = False
    annotate: bool = False
    html: Path | None = None
    only: tuple[str, ...] = ()
    context: int = 4
    wide: bool = False
    memory: bool = False
    places: tuple[str, ...] = ()
    export: str | None = None

    @property
    def at(self) -> dict[str, int | Fraction]:
        """Where the roofline is evaluated."""
        return named_numbers(self.places)

    @property
    def is_annotated(self) -> bool:
        """Is source shown, in the terminal or as HTML?"""
        return self.annotate or self.html is not None

    @property
    def refused_in_projects(self) -> bool:
        """Is something asked for that projects do not show?"""
        is_shown = self.matrix or self.is_annotated or self.memory or bool(self.places)
        return is_shown or self.export is not None

    def refuse(self, machine: Machine | None) -> None:
        """Refuse options that would do nothing.

        Raises:
            InputError: which option, and what it needs.
        """
        if self.places and machine is None and not self.memory and self.export is None:
            raise InputError(
                "--at needs a roofline: add --peak-flops 50G --peak-bandwidth 20GB/s, as in"
                " --peak-flops 50G --peak-bandwidth 20GB/s --at n=1000"
            )
        if self.only and not self.is_annotated:
            raise InputError("--function needs annotated source: add --annotate or --html FILE")
        if self.annotate and self.form != "text":
            raise InputError(
                f"--annotate --format {self.form}: annotated source is text; use --html FILE or"
                " --json FILE"
            )

    def sources(self, analysis: Analysis) -> dict[str, str]:
        """File -> text of the sources to annotate; none where nothing is annotated."""
        if not self.is_annotated:
            return {}
        from ...laws.annotate import sources_of

        found, missing = sources_of(analysis, tuple(map(Path, self.program)), self.only)
        for file, why in missing.items():
            say(f"{file}: {why}; it is not annotated")
        return found

    def write_html(self, document: AnalysisDocument, sources: Mapping[str, str]) -> None:
        """The annotated source as one HTML file, where it is asked for."""
        if self.html is None:
            return
        title = ", ".join(Path(p).name for p in self.program)
        from ...laws.law_terms import LEAST
        from ...report import render_listing  # draws laws of time too: half the start-up

        page = render_listing(document, sources, functions=self.only, title=title, least=LEAST)
        write_whole(self.html, page)
        say(f"annotated source: {self.html.resolve()}")

    def show(
        self, document: AnalysisDocument, analysis: Analysis | None, sources: Mapping[str, str]
    ) -> None:
        """The source, the matrices (of `analysis`) or a table on stdout; the notes on stderr."""
        if self.matrix and not self.annotate and analysis is not None:
            tell_lines(_matrices(analysis), nl=False)
            return
        if self.export is not None:
            from ...exchange.bounds import EXPORTERS, loop_bounds

            tell_lines(EXPORTERS[self.export](loop_bounds(document, self.at)), nl=False)
        elif self.annotate:
            from ...laws.law_terms import LEAST
            from ...report.listings.listing import listings
            from ...report.listings.listing_text import listing_text

            found = listings(document, sources, functions=self.only, context=self.context)
            text = listing_text(found, width=width(), wide=self.wide, color=colored(), least=LEAST)
            tell_lines(text)
        elif document.memory:
            from ...laws.memory import memory_text

            tell_lines(memory_text(document.memory))
        elif document.roofline:
            from ...report.roofline_table import roofline_table

            show(roofline_table(document), self.form)
        elif self.per_function:
            if self.form == "text":
                tell_lines(functions_text(document, width=width(), wide=self.wide))
            else:
                show(functions_table(document), self.form)
        elif is_of_kernels(document) and self.form == "text":
            tell_lines(kernels_text(document, wide=self.wide))
        else:
            show(analysis_table(document, wide=self.wide), self.form)
        for note in document.notes:
            say(note)
        for call in document.library_calls[:_MOST_CALLS]:
            say(f"library: {call.call}: {call.steps.formula} per call ({call.at})")
        if len(document.library_calls) > _MOST_CALLS:
            say(f"library: {len(document.library_calls) - _MOST_CALLS} further calls (--json)")
        for f in document.findings:
            say(f"{f.at}: {f.message}")


def _matrices(analysis: Analysis) -> str:
    """A, b, c, g and the folded closed form of every nest."""
    found = []
    for loop in analysis.loops:
        if loop.nesting != 1:
            continue
        inside = [loop]
        for other in analysis.loops:
            if other.parent in {x.at for x in inside}:
                inside.append(other)
        forms = [(x.nesting, x.matrix) for x in inside if x.matrix is not None]
        text = format_nest(forms) if forms else _NO_MATRIX
        found.append(f"{in_one_line(f'{loop.at} in {loop.function}')}\n{text}\n\n")
    return "".join(found)
