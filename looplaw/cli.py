"""The command line."""

from __future__ import annotations

import json
import sys
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from modeling import METHODS, Models, fit, read
from runtime import Experiment, RunRecord
from staticana import InputError, analyze, canonical, compile_sources, format_nest

from . import __version__
from .annotate import sources_of, with_display
from .check_command import check_command
from .clusters_command import clusters_command
from .common import debug_option as _debug
from .common import format_option as _format
from .common import load as _load
from .common import numbers_at
from .common import show as _show
from .common import write_json as _write_json
from .compare_command import compare_command
from .completion_command import completion_command
from .console import FINDING, INTERRUPTED, OK, UNUSABLE, colored, guarded, messages, say, width
from .convergence import Convergence
from .counting import counts_command, wrapper_command
from .difference import with_baseline
from .difference_command import difference_command
from .doctor import examine
from .dry_run import dry_run_text
from .exchange import observations_of, write_json_lines
from .exchange_commands import export_command, import_command, runs_command
from .findings_command import findings_command
from .laws import LEAST
from .merge_command import merge_command
from .modelers import Metered
from .options import (
    experiment_options,
    experiment_settings,
    flag_option,
    link_option,
    mpi_option,
    param_option,
    program_settings,
    timeout_option,
    vary_option,
    words_option,
)
from .picture_command import picture_command
from .planning import measurement_plan
from .progress import report_failure, report_sweep, shown_point
from .report import measured_study, render_html, render_listing
from .report.listing import listing_text, listings
from .report.plan_tables import parameters_table, plan_table
from .report.tables import Table, analysis_table, functions_table, models_table, roofline_table, study_table, verification_table
from .roofline import parse_at, parse_machine, with_rooflines
from .scale.command import Partitioned, fit_partitions, largest_table, partition_options
from .scaling_command import scaling_command
from .selection_options import selection_options, write_selection
from .settings import Settings, parse_parameters
from .studies import study_file as _study_file
from .study import Live, adaptive_schedule, finish, places, prepare, run_study, schedule_of, write
from .verify import verify
from .watch import Watch


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="looplaw")
def main() -> None:
    """Performance laws of compiled loops.

    \b
    looplaw study matmul.c --vary n=64,128,256,512    the whole way, to a report
    looplaw analyze matmul.c                          formulas only
    looplaw fit measurements.jsonl                    models only
    """


@main.command("study")
@click.argument("program", nargs=-1, required=True)
@experiment_options
@click.option("--adaptive", is_flag=True, help="Stop when every model is identified.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Directory of the study.")
@click.option("--json", "target", metavar="FILE", help="Write the whole study as JSON as well; - is stdout.")
@_format
@_debug
def study_command(program: tuple[str, ...], out: Path | None, target: str | None, form: str,
                  debug: bool, adaptive: bool, **given: Any) -> None:
    """Analyse, run and model PROGRAM (sources, .ll, .bc, or a study.toml) and write a report.

    \b
    looplaw study matmul.c --vary n=64,128,256,512
    looplaw study nest.c --vary n=64,256 --vary p=1,2,4 --vary m=100
    looplaw study matmul.c --design plan --until 5% --budget-time 10m
    looplaw study study.toml
    """
    with guarded(debug):
        settings = experiment_settings(program, given)
        folder = out or Path("looplaw-out") / settings.program[0].stem
        sys.exit(_study(settings, folder, target, form, settings.metrics, adaptive))


def _study(settings: Settings, folder: Path, target: str | None, form: str, metrics: tuple[str, ...], adapt: bool) -> int:
    with messages.status("compiling and analysing"):
        prepared = prepare(settings)
    exact = sum(loop.total.kind == "exact" for loop in prepared.analysis.loops)
    live = Live(prepared)
    schedule = adaptive_schedule(prepared, live, live.models) if adapt else None
    runs = len(prepared.experiments) * (prepared.settings.runs.repetitions + prepared.settings.runs.warmup)
    say(f"{len(prepared.analysis.loops)} loops found, {exact} with an exact formula; "
        + (f"up to {runs} runs to make" if adapt else f"{runs} runs to make"))
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    reused = made = 0
    with Progress(*columns, console=messages, transient=True, disable=not messages.is_terminal) as progress:
        task = progress.add_task("building", total=runs)

        def started(e: Experiment, cells: Path) -> None:
            at = shown_point(e.params)
            progress.update(task, description=at)
            watch.follow(cells, lambda n: progress.update(task, description=f"{at}: {n:.3g} iterations"))

        def finished(record: RunRecord, fresh: bool) -> None:
            nonlocal reused, made
            reused, made = reused + (not fresh), made + 1
            progress.update(task, advance=1, total=max(runs, made))
            report_failure(record)
        with Watch(enabled=messages.is_terminal) as watch:
            sweep = run_study(prepared, folder, live=live, schedule=schedule, on_start=started, on_run=finished, say=say)
    if reused:
        say(f"{reused} runs were finished before and are reused")
    report_sweep(prepared, sweep)
    with messages.status("fitting and comparing"):
        comparison, models, data = finish(prepared, live)
    if metrics:
        models = Models(tuple(m for m in models.models if m.metric in metrics))
    write(folder, data, models)
    report = folder / "report.html"
    report.write_text(render_html(data), encoding="utf-8")
    if target:
        _write_json(data, target)
    if target != "-":
        _show(study_table(data), form)
    for row in comparison.miscounted:
        say(f"{row.loop.at}: {row.reason}")
    say(f"report: {report.resolve()}")
    if sweep.interrupted:
        say(f"interrupted after {made} of {max(runs, made)} runs; the same command goes on there")
        return INTERRUPTED
    if not any(r.ok for r in live.runs):
        say("looplaw: no run succeeded")
        return UNUSABLE
    return FINDING if comparison.miscounted else OK


@main.command("analyze")
@click.argument("program", nargs=-1, required=True)
@click.option("--entry", default="main", help="Function whose run is counted.")
@param_option
@click.option("--matrix", is_flag=True, help="Print A, b, c, g and the folded closed form of every nest.")
@click.option("--functions", "per_function", is_flag=True, help="Work, depth, efficiency, operations per function.")
@click.option("--annotate", is_flag=True, help="Print the source with each loop's count in the margin.")
@click.option("--html", type=click.Path(dir_okay=False, path_type=Path), help="Write the annotated source as one HTML file.")
@click.option("--function", "only", multiple=True, metavar="NAME", help="Annotate only this function; may be repeated.")
@click.option("--context", type=click.IntRange(0), default=4, show_default=True, metavar="LINES",
              help="Lines of source shown around loops; longer stretches become '...'.")
@click.option("--wide", is_flag=True, help="Annotate with exact formulas in full and cut nothing off.")
@click.option("--peak-flops", metavar="RATE", help="Roofline: the machine's peak, as in 50e9 or 50Gflop/s.")
@click.option("--peak-bandwidth", metavar="RATE", help="Roofline: bytes from memory a second, as in 20e9 or 20GB/s.")
@click.option("--at", "places", multiple=True, metavar="NAME=VALUE", help="Evaluate the roofline at a value.")
@click.option("--strict", is_flag=True, help="Functions outside the program may write whatever others can reach.")
@click.option("--budget", type=click.FloatRange(min=0.01), default=2.0, show_default=True, metavar="SECONDS",
              help="CPU time that the count of one loop may take.")
@click.option("--json", "target", metavar="FILE", help="Write the analysis as JSON; - is stdout.")
@flag_option
@_format
@_debug
def analyze_command(program: tuple[str, ...], entry: str, params: tuple[str, ...], matrix: bool, per_function: bool,
                    annotate: bool, html: Path | None, only: tuple[str, ...], context: int, wide: bool,
                    peak_flops: str | None, peak_bandwidth: str | None, places: tuple[str, ...], strict: bool,
                    budget: float, target: str | None, flags: tuple[str, ...], form: str, debug: bool) -> None:
    """Derive how often every loop of PROGRAM runs.

    \b
    looplaw analyze matmul.c
    looplaw analyze nest.c --matrix
    looplaw analyze nest.c --annotate
    looplaw analyze a.c b.c --entry solve --json -
    looplaw analyze matmul.c --peak-flops 50G --peak-bandwidth 20GB/s --at n=1000
    """
    with guarded(debug):
        machine, at = parse_machine(peak_flops, peak_bandwidth), parse_at(places)
        if at and machine is None:
            raise InputError("--at: a roofline is evaluated there: add --peak-flops 50G --peak-bandwidth 20GB/s")
        if (only or wide) and not (annotate or html):
            raise InputError(f"{'--function' if only else '--wide'}: it is for annotated source: add --annotate")
        if annotate and form != "text":
            raise InputError(f"--annotate --format {form}: annotated source is text; use --html FILE or --json FILE")
        text = canonical(compile_sources(program, flags=flags))
        analysis = analyze(text, entry=entry, parameters=parse_parameters(params), strict=strict, seconds=budget,
                           matrix=matrix)
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
            html.write_text(render_listing(data, sources, functions=only, title=title, least=LEAST), encoding="utf-8")
            say(f"annotated source: {html.resolve()}")
        if target:
            _write_json(data, target)
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
                    click.echo(format_nest(forms) if forms else "no matrix form: its variables do not change in an affine way")
                    click.echo()
            return
        if machine is not None:
            _show(roofline_table(data), form)
        else:
            _show(functions_table(data) if per_function else analysis_table(data), form)
        for note in analysis.notes:
            say(note)


@main.command("plan")
@click.argument("program", nargs=-1, required=True)
@click.option("--entry", default="main", help="Function whose run is counted.")
@param_option
@click.option("--json", "target", metavar="FILE", help="Write the plan as JSON; - is stdout.")
@flag_option
@_format
@_debug
@selection_options
def plan_command(program: tuple[str, ...], entry: str, params: tuple[str, ...], target: str | None, flags: tuple[str, ...],
                 form: str, debug: bool, **filters: Path | None) -> None:
    """Say which loops need a counter and why, which parameters to vary, and how many values and runs that takes.

    \b
    looplaw plan matmul.c
    looplaw plan matmul.c --json plan.json
    looplaw plan matmul.c --scorep filter.txt --profile-list profile.txt --xray xray.txt
    """
    with guarded(debug):
        analysis = analyze(canonical(compile_sources(program, flags=flags)), entry=entry, parameters=parse_parameters(params),
                           matrix=False)
        options = (*(f"--param={p}" for p in params), *(f"--flag={f}" for f in flags))
        write_selection(analysis, filters)
        plan = measurement_plan(analysis, tuple(map(Path, program)), options).to_json()
        if target:
            _write_json(plan, target)
        if target == "-":
            return
        _show(plan_table(plan), form)
        if form not in ("json", "csv"):
            click.echo()
            _show(parameters_table(plan, broken=form == "text"), form)


class _WithWords(click.Command):
    """A command with the program's own arguments behind --."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if "--" in args:
            ctx.obj = tuple(args[args.index("--") + 1:])
            args = args[:args.index("--")]
        return super().parse_args(ctx, args)


@main.command("verify", cls=_WithWords, options_metavar="[OPTIONS] PROGRAM... [-- WORD...]")
@click.argument("program", nargs=-1, required=True, metavar="")
@vary_option
@param_option
@words_option
@timeout_option
@click.option("--json", "target", metavar="FILE", help="Write every check as JSON; - is stdout.")
@link_option
@mpi_option
@flag_option
@_format
@_debug
@click.pass_context
def verify_command(ctx: click.Context, program: tuple[str, ...], vary: tuple[str, ...], params: tuple[str, ...],
                   words: str | None, timeout: float | None, target: str | None, link: tuple[str, ...], mpi: bool,
                   flags: tuple[str, ...], form: str, debug: bool) -> None:
    """Hold every formula of PROGRAM against the truth at every entry of its loop; exit code 1 if one is wrong.

    \b
    looplaw verify matmul.c --vary n=0,1,7,64
    looplaw verify solver.c -- 100 input.txt
    """
    with guarded(debug):
        if words is not None and ctx.obj is not None:
            raise InputError("the program's arguments are given twice: leave out --args or what follows --")
        settings = program_settings(program, vary, params, words, flags, link, mpi=mpi)
        runs = replace(settings.runs, timeout_s=timeout or settings.runs.timeout_s)
        settings = replace(settings, runs=runs, args=ctx.obj if ctx.obj is not None else settings.args)
        with messages.status("compiling and analysing"):
            prepared = prepare(settings, timed=False)
        with messages.status("building and running") as status:
            found = verify(prepared, on_run=lambda r: status.update(f"{len(prepared.experiments)} runs: {' '.join(r.argv)}"))
        data = found.to_json()
        if target:
            _write_json(data, target)
        if target != "-":
            _show(verification_table(data), form)
        for r in found.runs:
            if r.status != "ok":
                say(f"run {' '.join(r.argv)} failed: {r.reason} {' '.join(r.stderr.strip().splitlines()[-1:])}".rstrip())
        if found.interrupted:
            sys.exit(INTERRUPTED)
        if found.wrong or found.totals.miscounted:
            sys.exit(FINDING)
        sys.exit(UNUSABLE if found.failed == len(found.runs) else OK)


@main.command("run")
@click.argument("program", nargs=-1, required=True)
@experiment_options
@click.option("--live", is_flag=True, help="Show the models while they converge, and what the fitting costs.")
@click.option("--adaptive", is_flag=True, help="Stop when every model is identified; exit code 3 if that never is.")
@click.option("--models", "target", metavar="FILE", help="Write the models as JSON.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), default=Path("looplaw-out/run"),
              help="Directory of the runs.")
@click.option("--planned", is_flag=True, help="Count only loops whose count is not known exactly (looplaw plan lists them).")
@click.option("--dry-run", is_flag=True, help="Print the job scripts (--launcher slurm) or the command lines, and run nothing.")
@_debug
def run_command(program: tuple[str, ...], live: bool, adaptive: bool, target: str | None, out: Path, planned: bool,
                dry_run: bool, debug: bool, **given: Any) -> None:
    """Run PROGRAM (sources, .ll, .bc, or a study.toml) instrumented and print measurements as JSON Lines, ready for
    looplaw fit.

    \b
    looplaw run matmul.c --vary n=64,128,256 | looplaw fit -
    looplaw run study.toml --live --adaptive --models models.json > measurements.jsonl
    looplaw run study.toml --launcher slurm --slurm time=30m --dry-run
    """
    with guarded(debug):
        prepared = prepare(experiment_settings(program, given), skip_exact=planned)
        learned = Live(prepared)
        if dry_run:
            click.echo(dry_run_text(prepared, schedule_of(prepared, learned, prepared.experiments), out), nl=False)
            return
        metered = Metered(learned.models, learned.modeler)
        with Convergence(metered, messages, say) if live else nullcontext() as shown:
            schedule = adaptive_schedule(prepared, learned, shown.models if shown else metered.models) if adaptive else None

            def started(e: Experiment, _: Path) -> None:
                if shown:
                    shown.running(shown_point(e.params))

            def finished(record: RunRecord, _: bool) -> None:
                report_failure(record)
                if shown:
                    shown.finished()
            sweep = run_study(prepared, out, live=learned, schedule=schedule, on_start=started, on_run=finished, say=say)
        report_sweep(prepared, sweep)
        for record in learned.runs:
            rows = (*observations_of(record, places(prepared)), *prepared.operations.of(record))
            click.echo(write_json_lines(rows), nl=False)
        if target:
            _write_json(learned.models().to_json(), target)
        if sweep.interrupted:
            sys.exit(INTERRUPTED)
        unusable = not any(r.ok for r in learned.runs) or (schedule is not None and not schedule.identified)
        sys.exit(UNUSABLE if unusable else OK)


@main.command("fit")
@click.argument("file")
@click.option("--json", "target", metavar="OUT", help="Write the models as JSON; - is stdout.")
@click.option("--method", type=click.Choice(("default", *METHODS)), default="default", show_default=True,
              help="How terms are found; the others are those of the literature.")
@click.option("--html", type=click.Path(dir_okay=False, path_type=Path), help="Write a report as one HTML file.")
@partition_options
@_format
@_debug
def fit_command(file: str, target: str | None, method: Any, html: Path | None, form: str, debug: bool, **given: Any) -> None:
    """Model the measurements in FILE (JSON Lines; - is stdin). No program is needed.

    What does not fit into memory is modelled partition by partition: FILE is then a directory of Parquet files (looplaw
    export --format parquet), or JSON Lines with --workers, --threads, --scheduler or --out.

    \b
    looplaw fit measurements.jsonl --json models.json
    looplaw fit measurements.jsonl --html report.html
    looplaw fit data --workers 8 --out models --top 50 --at p=1e6
    """
    with guarded(debug):
        partitioned = Partitioned(**given)
        if partitioned.is_asked(file):
            if html:
                raise InputError("--html: a report holds what fits into memory; fit a part of the measurements for it")
            told = fit_partitions(file, partitioned, method, target)
            if target != "-":
                _show(largest_table(told), form)
            return
        if partitioned.places:
            raise InputError("--at: it is for partitions (--workers, --threads, --scheduler, --out); use looplaw predict")
        measurements = read(file)
        models = fit(measurements, method=method)
        data = models.to_json()
        if html:
            html.write_text(render_html(measured_study(measurements, models, title=file)), encoding="utf-8")
            say(f"report: {html.resolve()}")
        if target:
            _write_json(data, target)
        if target != "-":
            _show(models_table(data), form)


@main.command("predict")
@click.argument("models")
@click.option("--at", "values", multiple=True, required=True, metavar="NAME=VALUE", help="Where to predict.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@_format
@_debug
def predict_command(models: str, values: tuple[str, ...], as_json: bool, form: str, debug: bool) -> None:
    """Evaluate models (a file that looplaw fit or study wrote) at a point, with 90 % prediction intervals.

    \b
    looplaw predict models.json --at n=1024
    """
    with guarded(debug):
        at = numbers_at(values)
        loaded = Models.from_json(_load(models, "looplaw-models/1"), models)
        rows = []
        for m in loaded.models:
            low, high = m.interval(at)
            rows.append({"callpath": m.callpath, "metric": m.metric, "value": float(m.evaluate(at)),
                         "lower": _finite(float(low)), "upper": _finite(float(high)), "identifiable": m.identifiable})
        if as_json:
            click.echo(json.dumps(rows, indent=1))
            return
        cells = tuple((str(r["callpath"]), str(r["metric"]), f"{r['value']:.6g}", _number(r["lower"]),
                       _number(r["upper"]), "yes" if r["identifiable"] else "no") for r in rows)
        _show(Table(("call path", "metric", "value", "lower", "upper", "identifiable"), cells, ("call path",)), form)


def _finite(value: float) -> float | None:
    return value if abs(value) != float("inf") else None


def _number(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else "unbounded"




@main.command("report")
@click.argument("study")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), default=Path("report.html"), help="File to write.")
@click.option("--baseline", metavar="STUDY", help="An earlier study to compare with.")
@_debug
def report_command(study: str, out: Path, baseline: str | None, debug: bool) -> None:
    """Write the HTML page of a finished study again.

    \b
    looplaw report looplaw-out/matmul --out report.html
    looplaw report looplaw-out/matmul --baseline looplaw-out/before
    """
    with guarded(debug):
        data = _study_file(study)
        out.write_text(render_html(data if baseline is None else with_baseline(data, _study_file(baseline))), encoding="utf-8")
        say(f"report: {out.resolve()}")


@main.command("doctor")
@_debug
def doctor_command(debug: bool) -> None:
    """Say which compiler and tools are used and what is missing.

    \b
    looplaw doctor
    """
    with guarded(debug):
        checks = examine()
        for check in checks:
            click.echo(f"{'ok     ' if check.ok else 'missing' if check.needed else 'absent '}  {check.name}: {check.found}")
        sys.exit(OK if all(c.ok or not c.needed for c in checks) else FINDING)


main.add_command(export_command)
main.add_command(import_command)
main.add_command(runs_command)
main.add_command(wrapper_command("cc", cxx=False))
main.add_command(wrapper_command("c++", cxx=True))
main.add_command(counts_command)
for command in (check_command, clusters_command, compare_command, completion_command, difference_command, findings_command,
                merge_command, picture_command, scaling_command):
    main.add_command(command)

if __name__ == "__main__":
    main()
