"""looplaw report: the HTML page of a study or of measurements."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from looplaw_common.files import write_whole

from ...laws.answer import answer
from ...laws.settle import with_remedies
from ...laws.study_diff import with_baseline
from ...loading import study_file, study_or_measurements
from ...report import render_html
from ..answer_options import cost_option
from ..common import debug_option, expect_place
from ..console import guarded, say


@click.command("report")
@click.argument("study")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("report.html"),
    show_default=True,
    help="File to write.",
)
@click.option("--baseline", metavar="STUDY", help="An earlier study to compare with.")
@cost_option
@debug_option
def report_command(
    study: str, out: Path, baseline: str | None, cost: float | None, debug: bool
) -> None:
    """Write the HTML page of a finished STUDY.

    STUDY may also be a file of measurements, of any format that looplaw fit reads.

    \b
    looplaw report looplaw-out/matmul --out report.html
    looplaw report looplaw-out/matmul --baseline looplaw-out/before
    looplaw report measurements.jsonl --out report.html
    """
    with guarded(debug):
        expect_place(out)
        data = study_or_measurements(study)
        if data.kind != "measurements" and not any(loop.settle for loop in data.loops):
            folder = study if Path(study).is_dir() else None  # made before studies told this
            data = with_remedies(answer(data, None, folder), folder).study
        if baseline is not None:
            data = with_baseline(data, study_file(baseline))
        if cost is not None:
            data = msgspec.structs.replace(data, cost_per_hour=cost)
        write_whole(out, render_html(data))
        say(f"report: {out.resolve()}")
