"""looplaw next: the most informative run that can be afforded."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping
from pathlib import Path

import click

from looplaw_common.commands import own_environment, own_python, passed_on
from looplaw_common.errors import DataError, InputError

from ...documents.reading import load, named_floats
from ...documents.study import STUDY, StudyDocument
from ...laws.forecast import default_target, forecast
from ...laws.limits import place_text, size_text
from ...laws.next_size import NextSize, affordable_size
from ...loading import is_measured
from ...report.forecast_table import seconds_text
from ...settings.settings import parse_duration
from ..common import debug_option, json_option, write_json
from ..console import guarded, say, tell


def _of_measurements(file: str) -> None:
    """For each series of a file, which points would settle its law."""
    from ..fitting.series import fitted

    for m in fitted(file).models:
        tell(f"{m.callpath}, {m.metric}: {m.reason or 'identified: no further point is needed'}")


@click.command("next")
@click.argument("study", metavar="STUDY", type=click.Path(path_type=Path))
@click.option(
    "--at",
    "values",
    multiple=True,
    metavar="NAME=VALUE",
    help="Where to predict.  [default: 4 times the largest values measured]",
)
@click.option(
    "--within",
    metavar="TIME",
    default="10m",
    show_default=True,
    help="How long all new runs together may take, as in 90s or 10m.",
)
@click.option("--run", "run_it", is_flag=True, help="Make the runs, and the report anew.")
@json_option
@debug_option
def next_command(
    study: Path,
    values: tuple[str, ...],
    within: str,
    *,
    run_it: bool,
    target: str | None,
    debug: bool,
) -> None:
    """Say which size to measure next to predict a run better, and how long that takes.

    STUDY is the folder of a study, or a file of measurements. The size is the smallest that halves
    the interval of the predicted time, or the one that narrows it most within --within.

    \b
    looplaw next looplaw-out/lu
    looplaw next looplaw-out/lu --at n=1024 --within 2s --run
    """
    with guarded(debug):
        if is_measured(str(study)):
            _of_measurements(str(study))
            return
        folder = study if study.is_dir() else study.parent
        file = folder / "study.json"
        if not file.is_file():
            raise InputError(f"{study}: no study.json in this folder; looplaw study makes one")
        document = load(str(file), StudyDocument, STUDY)
        at = named_floats(values) or default_target(document)
        found = forecast(document, at, str(folder))
        chosen = affordable_size(
            document, found.at, found.time, str(folder), parse_duration(within, "--within")
        )
        if target:
            write_json({"at": dict(found.at), "next": _json(chosen)}, target)
        if target != "-":
            t = found.time
            tell(
                f"At {place_text(document, found.at)} a run takes {seconds_text(t.seconds)}"
                f" ({seconds_text(t.low)} to {seconds_text(t.high)})."
            )
            tell(_sentence(chosen, within))
            if chosen is not None and chosen.command is not None:
                tell(chosen.command)
        if run_it and chosen is not None:
            _run(chosen, str(file))


def _sentence(chosen: NextSize | None, within: str) -> str:
    if chosen is None:
        return (
            f"No size that can be measured within {within} narrows this. The runs are noisy, or the"
            " models differ: try more repetitions (--until 2%) or more time (--within)."
        )
    return (
        f"Measure {_sizes(chosen.at)} next (about {seconds_text(chosen.seconds)}): the interval"
        f" shrinks to {chosen.ratio:.0%}."
    )


def _sizes(at: Mapping[str, float]) -> str:
    return ", ".join(f"{n} = {size_text(v)}" for n, v in at.items())


def _json(chosen: NextSize | None) -> dict[str, object] | None:
    if chosen is None:
        return None
    return {
        "at": dict(chosen.at),
        "interval_ratio": chosen.ratio,
        "seconds": chosen.seconds,
        "command": chosen.command,
    }


def _run(chosen: NextSize, file: str) -> None:
    """Make the runs by the command that the study tells.

    Raises:
        DataError: it tells none.
    """
    if chosen.command is None:
        raise DataError(f"{file}: does not tell how it was made; give looplaw study the sizes")
    words = shlex.split(chosen.command)[1:]
    say(chosen.command)
    sys.exit(passed_on(own_python("-m", "looplaw", *words), own_environment()))
