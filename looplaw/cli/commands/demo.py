"""looplaw demo: the whole way on a small program, and a prediction held against a run."""

from __future__ import annotations

from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import click
import msgspec

from looplaw_common.errors import RunError
from looplaw_common.files import write_whole

from ...laws.answer import answer
from ...laws.forecast import forecast
from ...laws.machine_costs import costs_for
from ...laws.settle import with_remedies
from ...report import render_html
from ...report.answer_text import advice, answer_text
from ...report.forecast_table import seconds_text
from ...settings.settings import Runs, Settings
from ...studies.finish import finish, write
from ...studies.live import Live
from ...studies.prepare import prepare
from ...studies.sweep import run_study
from ..bar import bar
from ..common import debug_option
from ..console import colored, guarded, messages, say, tell, tell_lines, width

_SIZES, _TARGET, _STEPS = (64, 128, 256, 512, 768), 3072, 10


@click.command("demo")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("looplaw-demo"),
    show_default=True,
    help="Where the program and its report are put.",
)
@debug_option
def demo_command(out: Path, debug: bool) -> None:
    """Study a small program, predict a larger run, and make it.

    \b
    looplaw demo
    """
    with guarded(debug):
        out.mkdir(parents=True, exist_ok=True)
        program = out / "stencil.c"
        write_whole(program, (files("looplaw.cli") / "demo.c").read_bytes())
        settings = Settings(
            (program,),
            {"n": _SIZES, "steps": (_STEPS,)},
            about="A five-point stencil on a grid of n x n points.",
            runs=Runs(repetitions=5),
        )
        costs = costs_for(None, say)
        with messages.status("compiling and analysing"):
            prepared = prepare(settings)
        live = Live(prepared)
        with bar("running", len(prepared.experiments) * settings.runs.repetitions) as shown:
            run_study(prepared, out, live=live, on_run=lambda record, fresh: shown.step())
        with messages.status("fitting and comparing"):
            _, models, document = finish(prepared, live, costs)
            found = forecast(document, {"n": float(_TARGET), "steps": float(_STEPS)})
            document = msgspec.structs.replace(document, target=dict(found.at))
            told = with_remedies(answer(document, found.at, str(out)), str(out))
            document = msgspec.structs.replace(told.study, advice=advice(told))
        write(out, document, models)
        report = out / "report.html"
        write_whole(report, render_html(document))
        tell_lines(answer_text(told, width=width(), color=colored()))
        tell()
        t = found.time
        seconds = _measured(settings, out)
        held = t.low <= seconds <= t.high
        tell(
            f"Predicted for n = {_TARGET}: {seconds_text(t.seconds)} ({seconds_text(t.low)} to"
            f" {seconds_text(t.high)}). Measured there: {seconds_text(seconds)}, "
            + ("within the interval." if held else _OUTSIDE)
        )
        say(f"report: {report.resolve()}")
        tell(f"Next, with a program of yours: looplaw init FILE.c, or looplaw analyze {program}")


_OUTSIDE = (
    "outside of the interval.\nOne run in ten may be. Other work on the machine makes it more: try"
    " again when it is quiet."
)


def _measured(settings: Settings, out: Path) -> float:
    """CPU seconds of a run at the target, the least of three.

    Raises:
        RunError: none succeeded.
    """
    larger = replace(
        settings,
        vary={"n": (_TARGET,), "steps": (_STEPS,)},
        runs=replace(settings.runs, repetitions=3),
    )
    prepared = prepare(larger)
    with bar("running the larger size", 3) as shown:
        sweep = run_study(prepared, out / "larger", on_run=lambda record, fresh: shown.step())
    seconds = [r.cpu_s for r in sweep.live.runs if r.ok and r.cpu_s]
    if not seconds:
        raise RunError("the run at the larger size failed")
    return min(seconds)
