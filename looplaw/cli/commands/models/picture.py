"""looplaw plot: whole runs, kernels and measured series as a picture for papers and slides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import click

from modeling import DataError, Model
from staticana import InputError

from ....documents.study import StudyDocument, StudyLoop
from ....laws.whole_runs import Foretold, whole_run
from ....loading import study_or_measurements
from ....report.pictures.series import MOST, Ratio, draw, foretold_by, picture_of, unit_of
from ...common import debug_option
from ...console import guarded, say


@click.command("plot")
@click.argument("source")
@click.argument("kernels", nargs=-1, metavar="[KERNEL]...")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("plot.png"),
    show_default=True,
    help="Picture to write: .png, .svg or .pdf.",
)
@click.option(
    "--over", metavar="NAME", help="Parameter on the x-axis (default: the one with most values)."
)
@click.option(
    "--reach",
    type=click.FloatRange(min=1),
    default=2.0,
    show_default=True,
    help="Draw the model up to this multiple of the largest value.",
)
@click.option("--linear", is_flag=True, help="Linear axes.")
@click.option("--speedup", is_flag=True, help="Draw the speed-up over the fewest workers.")
@click.option(
    "--parallel-efficiency", "efficiency", is_flag=True, help="Draw the speed-up of each worker."
)
@debug_option
def picture_command(
    source: str,
    kernels: tuple[str, ...],
    out: Path,
    over: str | None,
    reach: float,
    linear: bool,
    speedup: bool,
    efficiency: bool,
    debug: bool,
) -> None:
    """Draw a study's whole run, or the series of a table (SOURCE); else each KERNEL named.

    A KERNEL is file:line, a function or a call path.

    \b
    looplaw plot looplaw-out/heat --over p --speedup
    looplaw plot looplaw-out/matmul matmul.c:7 --out matmul.svg
    looplaw plot sorts.csv --out versions.pdf
    """
    with guarded(debug):
        study = study_or_measurements(source)
        drawn, left = _drawn(study, kernels)
        ratio: Ratio | None = "efficiency" if efficiency else "speedup" if speedup else None
        title = drawn[0][0].at if len(drawn) == 1 else Path(source).name
        picture = picture_of(drawn, over, title=title, reach=reach, log=not linear, ratio=ratio)
        draw(picture, out)
        if left:
            say(f"{left} more: name a KERNEL to draw it")
        say(f"plot: {out.resolve()}")


def _drawn(
    study: StudyDocument, wanted: Sequence[str]
) -> tuple[list[tuple[StudyLoop, Foretold | None]], int]:
    """What is drawn, and how many series are left out.

    Raises:
        InputError: a kernel is not there, or several are meant by one name.
        DataError: nothing was measured.
    """
    if wanted:
        if len(wanted) > MOST:
            raise InputError(f"{len(wanted)} kernels: a picture holds {MOST} apart")
        found = [_kernel(study.loops, name) for name in wanted]
        return [(loop, _model(loop)) for loop in found], 0
    if study.kind != "measurements":
        return [whole_run(study)], 0
    timed = [loop for loop in study.loops if loop.time]
    if not timed:
        raise DataError("nothing was measured")
    unit = unit_of(timed[0].measured)
    alike = [loop for loop in timed if unit_of(loop.measured) == unit]
    return [(loop, _model(loop)) for loop in alike[:MOST]], len(timed) - len(alike[:MOST])


def _model(loop: StudyLoop) -> Foretold | None:
    return foretold_by(None if loop.time_model is None else Model.of(loop.time_model, loop.at))


def _kernel(loops: Sequence[StudyLoop], wanted: str) -> StudyLoop:
    """The measured loop at a place, in a function or on a call path; exactly one must fit.

    Raises:
        InputError: none fits, or several do.
    """
    timed = [loop for loop in loops if loop.time]
    ways: tuple[Callable[[str, str], bool], ...] = (
        lambda at, f: wanted == at,
        lambda at, f: at.startswith(f"{wanted}:") or f"/{wanted}:" in at,
        lambda at, f: wanted == f,
        lambda at, f: wanted in at,
    )
    for fits in ways:
        found = [loop for loop in timed if fits(loop.at, loop.function)]
        times = [loop for loop in found if loop.metric == "time"]
        if len(found) == 1 or len(times) == 1:  # of a call path's metrics its time is meant
            return (times or found)[0]
        if found:
            raise InputError(
                f"{wanted}: {len(found)} kernels fit: {', '.join(x.at for x in found[:5])}; name"
                " one of them"
            )
    known = ", ".join(x.at for x in timed[:5])
    raise InputError(
        f"{wanted}: no such kernel; measured are"
        f" {known or 'none'}{', ...' if len(timed) > 5 else ''}"
    )
