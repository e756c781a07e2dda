"""The command line."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from modeling import Models, fit, read
from runtime import Experiment, RunRecord
from staticana import InputError, analyze, canonical, compile_sources, format_nest

from . import __version__
from .annotate import sources_of, with_display
from .completion_command import completion_command
from .console import FINDING, INTERRUPTED, OK, UNUSABLE, colored, guarded, messages, say, width
from .difference import with_baseline
from .difference_command import difference_command
from .doctor import examine
from .findings_command import findings_command
from .laws import LEAST
from .options import debug_option as _debug
from .options import format_option as _format
from .options import load as _load
from .options import numbers_at
from .options import show as _show
from .options import write_json as _write_json
from .picture_command import picture_command
from .planning import measurement_plan
from .report import measured_study, render_html, render_listing
from .report.listing import listing_text, listings
from .report.plan_tables import parameters_table, plan_table
from .report.tables import Table, analysis_table, functions_table, models_table, roofline_table, study_table, verification_table
from .roofline import parse_at, parse_machine, with_rooflines
from .selection_options import selection_options, write_selection
from .settings import Settings, parse_parameters, parse_vary, read_study_file
from .studies import study_file as _study_file
from .study import finish, prepare, run_study, write
from .verify import verify
from .watch import Watch

_param = click.option("--param", "params", multiple=True, metavar="NAME=ORIGIN",
                      help="Name a parameter: n=argv[1], p=mpi:size, p=omp:threads, "
                           "n=global:VAR, n=arg:FUNCTION:0.")
_flags = click.option("--flag", "flags", multiple=True, metavar="FLAG", help="Pass a flag to the compiler, as in --flag=-DN=4.")


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
@click.option("--vary", multiple=True, metavar="NAME=V,V,...", help="Values of a parameter; also LOW:HIGH:STEP, LOW:HIGH:*2.")
@_param
@click.option("--args", "words", metavar="WORDS", help="The program's arguments, as in --args '{n} 10 {p}'.")
@click.option("--repetitions", type=click.IntRange(1, 1000), help="Runs at each point (default 3).")
@click.option("--timeout", type=click.FloatRange(min=0.01), help="Seconds a run may take (default 60).")
@click.option("--metric", multiple=True, help="Metrics to model: iterations, time (default both).")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Directory of the study.")
@click.option("--json", "target", metavar="FILE", help="Write the whole study as JSON as well; - is stdout.")
@click.option("--link", multiple=True, metavar="FLAG", help="Pass a flag to the linker, as in --link=-lblas.")
@_flags
@_format
@_debug
def study_command(program: tuple[str, ...], vary: tuple[str, ...], params: tuple[str, ...], words: str | None,
                  repetitions: int | None, timeout: float | None, metric: tuple[str, ...], out: Path | None,
                  target: str | None, link: tuple[str, ...], flags: tuple[str, ...], form: str, debug: bool) -> None:
    """Analyse, run and model PROGRAM (sources, .ll, .bc, or a study.toml) and write a report.

    \b
    looplaw study matmul.c --vary n=64,128,256,512
    looplaw study nest.c --vary n=64,256 --vary p=1,2,4 --vary m=100
    looplaw study study.toml
    """
    with guarded(debug):
        settings = _settings(program, vary, params, words, repetitions, timeout, flags, link)
        _check_metrics(metric)
        folder = out or Path("looplaw-out") / settings.program[0].stem
        sys.exit(_study(settings, folder, target, form, metric))


def _check_metrics(metrics: tuple[str, ...]) -> None:
    for m in metrics:
        if m not in ("time", "iterations"):
            raise InputError(f"--metric {m}: there are time and iterations")


def _settings(program: tuple[str, ...], vary: tuple[str, ...], params: tuple[str, ...], words: str | None,
              repetitions: int | None, timeout: float | None, flags: tuple[str, ...],
              link: tuple[str, ...], *, given: tuple[str, ...] | None = None, varied: bool = True) -> Settings:
    """A study file or the options; options win over the file. `given` are the program's arguments word by word."""
    import shlex
    if words is not None and given is not None:
        raise InputError("the program's arguments are given twice: leave out --args or what follows --")
    if len(program) == 1 and program[0].endswith(".toml"):
        s = read_study_file(Path(program[0]))
    else:
        s = Settings(tuple(map(Path, program)), {})
    try:
        args = tuple(shlex.split(words)) if words is not None else given if given is not None else s.args
    except ValueError as error:
        raise InputError(f"--args {words}: {error}") from None
    found = Settings(s.program, {**s.vary, **parse_vary(vary)}, {**s.parameters, **parse_parameters(params)}, args,
                     repetitions or s.repetitions, timeout or s.timeout_s, s.entry, (*s.flags, *flags),
                     (*s.link, *link), s.about)
    if varied and not found.vary:
        raise InputError("nothing is varied: add --vary NAME=VALUES as in --vary n=64,128,256,512")
    return found


def _study(settings: Settings, folder: Path, target: str | None, form: str, metrics: tuple[str, ...]) -> int:
    with messages.status("compiling and analysing"):
        prepared = prepare(settings)
    exact = sum(loop.total.kind == "exact" for loop in prepared.analysis.loops)
    say(f"{len(prepared.analysis.loops)} loops found, {exact} with an exact formula; "
        f"{len(prepared.experiments)} runs to make")
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    reused = 0
    with Progress(*columns, console=messages, transient=True, disable=not messages.is_terminal) as progress:
        task = progress.add_task("building", total=len(prepared.experiments))

        def started(e: Experiment, cells: Path) -> None:
            at = ", ".join(f"{k}={v}" for k, v in e.params.items())
            progress.update(task, description=at)
            watch.follow(cells, lambda n: progress.update(task, description=f"{at}: {n:.3g} iterations"))

        def finished(record: RunRecord, fresh: bool) -> None:
            nonlocal reused
            reused += not fresh
            progress.advance(task)
            if record.status != "ok":
                at = ", ".join(f"{k}={v}" for k, v in record.params.items())
                last = record.stderr.strip().splitlines()[-1:] or [""]
                say(f"run {at} failed: {record.reason}{': ' + last[0] if last[0] else ''}")
        with Watch(enabled=messages.is_terminal) as watch:
            live, store, interrupted = run_study(prepared, folder, on_start=started, on_run=finished)
    if reused:
        say(f"{reused} runs were finished before and are reused")
    if store.torn:
        say(f"{store.path}: {store.torn} damaged line(s) ignored")
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
    if interrupted:
        say(f"interrupted after {len(live.runs)} of {len(prepared.experiments)} runs; the same command goes on there")
        return INTERRUPTED
    if not any(r.status == "ok" for r in live.runs):
        say("looplaw: no run succeeded")
        return UNUSABLE
    return FINDING if comparison.miscounted else OK


@main.command("analyze")
@click.argument("program", nargs=-1, required=True)
@click.option("--entry", default="main", help="Function whose run is counted.")
@_param
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
@_flags
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
@_param
@click.option("--json", "target", metavar="FILE", help="Write the plan as JSON; - is stdout.")
@_flags
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
@click.option("--vary", multiple=True, metavar="NAME=V,V,...", help="Values of a parameter; a run for each.")
@_param
@click.option("--args", "words", metavar="WORDS", help="The program's arguments, as in --args '{n} 10 {p}'.")
@click.option("--timeout", type=click.FloatRange(min=0.01), help="Seconds a run may take (default 60).")
@click.option("--json", "target", metavar="FILE", help="Write every check as JSON; - is stdout.")
@click.option("--link", multiple=True, metavar="FLAG", help="Pass a flag to the linker, as in --link=-lblas.")
@_flags
@_format
@_debug
@click.pass_context
def verify_command(ctx: click.Context, program: tuple[str, ...], vary: tuple[str, ...], params: tuple[str, ...],
                   words: str | None, timeout: float | None, target: str | None, link: tuple[str, ...],
                   flags: tuple[str, ...], form: str, debug: bool) -> None:
    """Hold every formula of PROGRAM against the truth at every entry of its loop; exit code 1 if one is wrong.

    \b
    looplaw verify matmul.c --vary n=0,1,7,64
    looplaw verify solver.c -- 100 input.txt
    """
    with guarded(debug):
        settings = _settings(program, vary, params, words, 1, timeout, flags, link, given=ctx.obj, varied=False)
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
@click.option("--vary", multiple=True, metavar="NAME=V,V,...", help="Values of a parameter.")
@_param
@click.option("--args", "words", metavar="WORDS", help="The program's arguments, as in --args '{n} 10 {p}'.")
@click.option("--repetitions", type=click.IntRange(1, 1000), help="Runs at each point (default 3).")
@click.option("--timeout", type=click.FloatRange(min=0.01), help="Seconds a run may take (default 60).")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), default=Path("looplaw-out/run"),
              help="Directory of the runs.")
@_flags
@_debug
def run_command(program: tuple[str, ...], vary: tuple[str, ...], params: tuple[str, ...], words: str | None,
                repetitions: int | None, timeout: float | None, out: Path, flags: tuple[str, ...], debug: bool) -> None:
    """Run PROGRAM instrumented and print measurements as JSON Lines, ready for looplaw fit.

    \b
    looplaw run matmul.c --vary n=64,128,256 | looplaw fit -
    """
    with guarded(debug):
        prepared = prepare(_settings(program, vary, params, words, repetitions, timeout, flags, ()))
        live, _, interrupted = run_study(prepared, out, on_run=_report_failure)
        for r in live.runs:
            if r.status != "ok":
                continue
            for c in prepared.plan.counters:
                rows = [("iterations", float(r.iterations[c.id]))]
                rows += [("time", r.seconds[c.id])] if c.nesting == 1 else []
                for metric, value in rows:
                    click.echo(json.dumps({"params": dict(r.params), "callpath": c.at, "metric": metric,
                                           "value": value, "repetition": r.repetition}))
        sys.exit(INTERRUPTED if interrupted else OK if any(r.status == "ok" for r in live.runs) else UNUSABLE)


def _report_failure(record: RunRecord, fresh: bool) -> None:
    if record.status != "ok":
        say(f"run {', '.join(f'{k}={v}' for k, v in record.params.items())} failed: {record.reason}")


@main.command("fit")
@click.argument("file")
@click.option("--json", "target", metavar="OUT", help="Write the models as JSON; - is stdout.")
@click.option("--method", type=click.Choice(("search", "lasso")), default="search", help="How terms are found.")
@click.option("--html", type=click.Path(dir_okay=False, path_type=Path), help="Write a report as one HTML file.")
@_format
@_debug
def fit_command(file: str, target: str | None, method: Any, html: Path | None, form: str, debug: bool) -> None:
    """Model the measurements in FILE (JSON Lines; - is stdin). No program is needed.

    \b
    looplaw fit measurements.jsonl --json models.json
    looplaw fit measurements.jsonl --html report.html
    """
    with guarded(debug):
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


@main.command("compare")
@click.argument("study")
@_format
@_debug
def compare_command(study: str, form: str, debug: bool) -> None:
    """Print law, count and model of a finished study (its directory or study.json) side by side.

    \b
    looplaw compare looplaw-out/matmul
    """
    with guarded(debug):
        _show(study_table(_study_file(study)), form)


@main.command("check")
@click.argument("study")
@_debug
def check_command(study: str, debug: bool) -> None:
    """Exit with 1 if a loop of a finished study was miscounted or a kernel grows faster than its law.

    \b
    looplaw check looplaw-out/matmul
    """
    with guarded(debug):
        bad = [loop for loop in _study_file(study)["loops"] if loop["verdict"] in ("miscounted", "exceeds")]
        for loop in bad:
            click.echo(f"{loop['at']}: {loop['verdict']}: {loop['verdict_reason']}")
        if not bad:
            click.echo("every loop obeys its law")
        sys.exit(FINDING if bad else OK)


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


for _command in (completion_command, difference_command, findings_command, picture_command):
    main.add_command(_command)


if __name__ == "__main__":
    main()
