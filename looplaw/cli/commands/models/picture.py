"""looplaw plot: one kernel as a picture for papers and slides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import click

from modeling import Model
from staticana import InputError

from ....documents.study import StudyLoop
from ....loading import study_or_measurements
from ....report.plot import Ratio, draw, picture_of
from ...common import debug_option
from ...console import guarded, say


@click.command("plot")
@click.argument("source")
@click.argument("kernel")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("kernel.png"),
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
    kernel: str,
    out: Path,
    over: str | None,
    reach: float,
    linear: bool,
    speedup: bool,
    efficiency: bool,
    debug: bool,
) -> None:
    """Draw KERNEL (file:line, function or call path) of a study or of measurements (SOURCE).

    \b
    looplaw plot looplaw-out/matmul matmul.c:7 --out matmul.svg
    looplaw plot measurements.jsonl "main->io" --out io.png --over p --speedup
    """
    with guarded(debug):
        loop = _kernel(study_or_measurements(source).loops, kernel)
        model = None if loop.time_model is None else Model.of(loop.time_model, loop.at)
        ratio: Ratio | None = "efficiency" if efficiency else "speedup" if speedup else None
        draw(picture_of(loop, model, over, reach=reach, log=not linear, ratio=ratio), out)
        say(f"plot: {out.resolve()}")


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
