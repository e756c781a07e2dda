"""looplaw scaling: speed-up, efficiency and serial fraction of timed runs, what larger machines
will give, and how fast the problem must grow to keep them busy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from looplaw_common.documents import builtins
from looplaw_common.formula.formula import parse_formula
from modeling import DataError, InputError, Series, read

from ....documents.reading import load, named_floats
from ....documents.speedups import TimedRun
from ....documents.study import RANK, STUDY, StudyDocument
from ....loading import expect_measurements
from ....report import Table
from ....report.grid import Column
from ....report.pictures.speedups import ScalingPicture, draw_scaling
from ...common import debug_option, format_option, json_option, show, write_json
from ...console import guarded, say, tell
from ...fitting.options import SpeedupOptions, speedup_options
from ...fitting.proved_work import WORKERS, proved_work
from ...fitting.scaling_laws import Scaling, fit_scaling, timed

if TYPE_CHECKING:  # scikit-learn takes a second to load
    from modeling.data.measurements import Floats
    from modeling.scaling.isoefficiency import Isoefficiency

FORMAT = "looplaw-scaling/1"
_FAR = 64  # isoefficiency goes so many times beyond the processes that were run
_WIDE = 1e6  # and so many times beyond the sizes


@click.command("scaling")
@click.argument("file")
@click.option("--callpath", help="The call path to look at (default: the only one, or main).")
@speedup_options
@click.option(
    "--at",
    "places",
    multiple=True,
    metavar="NAME=VALUE,...",
    help="Predict there; a name given again begins another point.",
)
@click.option(
    "--efficiency",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.5,
    show_default=True,
    help="The efficiency that growing problems keep.",
)
@click.option(
    "--plot",
    "picture",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="PICTURE",
    help="Draw time, speed-up and efficiency over processes (.png, .svg, .pdf).",
)
@json_option
@format_option
@debug_option
def scaling_command(
    file: str,
    callpath: str | None,
    places: tuple[str, ...],
    efficiency: float,
    picture: Path | None,
    target: str | None,
    form: str,
    debug: bool,
    **given: Any,
) -> None:
    """Speed-up of the times in FILE (- is stdin), and predictions with 90 % intervals.

    Of a study (its folder) they are the times of its runs.

    \b
    looplaw scaling looplaw-out/heat --at p=64,n=4096 --plot speedup.pdf
    looplaw scaling times.jsonl --at p=1024,n=4096
    looplaw scaling nodes.jsonl --nodes nodes --cores ppn --work n^3
    looplaw scaling times.jsonl --work 'p*n^3'        each process has n^3 cells (weak scaling)
    """
    with guarded(debug):
        at = _points(places)
        times, options = _times(file, callpath, SpeedupOptions.of(given))
        found = fit_scaling(times, options, at)
        iso = _isoefficiency(found, efficiency)
        asked = [found.predict(place) for place in at]
        if target:
            box = found.box
            write_json(
                {
                    "format": FORMAT,
                    "callpath": found.callpath,
                    "method": box.method,
                    "weights": box.weights,
                    "errors": box.errors,
                    "law": found.cost_formula,
                    "predictions": asked,
                    "isoefficiency": _iso_json(iso),
                    "unit": found.runs.unit,
                    "runs": [builtins(run) for run in found.rows()],
                },
                target,
            )
        if target != "-":
            show(_table(found), form)
            _say(found, iso, asked, messages_only=form != "text")
        if picture is not None:
            draw_scaling(_picture(found, file, asked), picture)
            say(f"picture: {picture.resolve()}")


def _times(
    file: str, callpath: str | None, options: SpeedupOptions
) -> tuple[Series, SpeedupOptions]:
    """The times to look at, and which parameter is the number of processes.

    Raises:
        InputError: no such file, or a study without a number of processes.
        DataError: there are no such times.
    """
    folder = Path(file)
    if not (folder / "study.json").is_file():
        expect_measurements(file, "scaling")
        return _chosen(timed(read(file).series), callpath), options
    study = load(folder / "study.json", StudyDocument, STUDY)
    options = _with_workers(study, options, file)
    series = _of_runs(study, callpath, options)
    known = proved_work(study, callpath) if options.work is None else None
    if known is None or not parse_formula(known.formula).symbols <= {*series.parameters}:
        return series, options
    say(f"size: {known.formula}, as {known.at} grows; --work FORMULA says otherwise")
    return series, replace(options, work=known.formula)


def _with_workers(study: StudyDocument, options: SpeedupOptions, file: str) -> SpeedupOptions:
    """The options with the parameters that are numbers of processes and of threads.

    Raises:
        InputError: there is none.
    """
    if options.processes or options.nodes:
        return options
    workers = [p for w in WORKERS for p in study.parameters if p.origin == w]
    varied = [p.name for p in workers if len(p.values) > 1] or [p.name for p in workers[:1]]
    if not varied:
        raise InputError(
            f"{file}: the study varied no number of processes or threads: --processes NAME says"
            " which parameter is one"
        )
    if len(varied) > 1:
        return replace(options, nodes=varied[0], cores=varied[1])
    return replace(options, processes=varied[0])


def _of_runs(study: StudyDocument, callpath: str | None, options: SpeedupOptions) -> Series:
    """The times of a study's runs, or of one of its kernels, over all but the workers whose number
    is always the same."""
    if callpath in (None, "main"):
        rows = [(r.params, r.elapsed_s) for r in study.runs if r.status == "ok"]
        found = [(params, s) for params, s in rows if s is not None]
    else:
        of_kernel = [row for k in study.loops if k.at == callpath for row in k.time or ()]
        found = [(row.params, v) for row in of_kernel for v in row.values]
    if not found:
        known = ", ".join(k.at for k in study.loops if k.time) or "none"
        raise DataError(f"--callpath {callpath}: no times of it; kernels with times: {known}")
    used = {options.processes, options.nodes, options.cores}
    fixed = {p.name for p in study.parameters if p.origin in WORKERS} - used
    names = [p.name for p in study.parameters if p.origin != RANK and p.name not in fixed]
    points = [[float(params[n]) for n in names] for params, _ in found]
    values = [value for _, value in found]
    return Series.from_values(callpath or "main", "time", names, points, values)


def _picture(found: Scaling, file: str, asked: Sequence[Mapping[str, Any]]) -> ScalingPicture:
    """The figure; it goes as far as the largest number of processes that was asked for."""
    unit = found.runs.unit
    name = found.roles.get("processes") or " x ".join(found.roles.values())
    far = [found.place(a["at"])[1] * found.place(a["at"])[2] * unit for a in asked]

    def law(size: float, processes: Floats) -> tuple[Floats, Floats, Floats]:
        ones = np.ones(len(processes))
        p = found.box.predict(size * ones, processes, ones)
        return p.time, p.lower, p.upper

    what = "whole runs" if found.callpath == "main" else found.callpath
    title = f"{what}, {Path(file).name}" if file != "-" else what
    work, furthest = found.formula.text, max(far, default=0.0)
    return ScalingPicture(title, found.rows(), law, name, work, unit, furthest)


def _points(places: Sequence[str]) -> list[dict[str, float]]:
    """The points of --at: a name that is given again begins another one."""
    found: list[dict[str, float]] = []
    for place in places:
        values = named_floats([place])
        if found and not values.keys() & found[-1].keys():
            found[-1].update(values)
        else:
            found.append(values)
    return found


def _chosen(times: Sequence[Series], callpath: str | None) -> Series:
    fitting = [s for s in times if callpath in (None, s.callpath)]
    if callpath is None and len(fitting) > 1:
        fitting = [s for s in times if s.callpath == "main"]
    if len(fitting) != 1:
        raise DataError(
            "--callpath names the times to look at; there are"
            f" {', '.join(sorted(s.callpath for s in times))}"
        )
    return fitting[0]


def _isoefficiency(found: Scaling, efficiency: float) -> Isoefficiency:
    from modeling.scaling.isoefficiency import isoefficiency

    runs = found.runs
    steps = [2.0**k for k in range(1, int(np.log2(runs.processes.max() * _FAR)) + 1)]

    def time(m: Floats, n: Floats) -> Floats:
        return found.box.times(m, n, np.ones(len(m)))

    return isoefficiency(
        time, efficiency, steps, (float(runs.size.min()), float(runs.size.max()) * _WIDE)
    )


def _table(found: Scaling) -> Table:
    """Measured speed-up and efficiency beside the law's, with its band."""
    rows, unit = found.rows(), found.runs.unit
    keys = TimedRun.__struct_fields__
    levels = ("nodes", "cores") if "cores" in found.roles else ("nodes",)
    titles = {
        "size": found.formula.text,
        "nodes": found.roles.get("processes") or found.roles["nodes"],
        "cores": found.roles.get("cores", "cores"),
        "serial_fraction": "serial fraction",
    }
    shown = ("size", *levels, "time", "speedup", "efficiency", "serial_fraction", "model_speedup")
    columns = (
        *(
            Column(
                k, titles.get(k, k.replace("_", " ").replace("model speedup", "model")), "number"
            )
            for k in shown
        ),
        Column("band", "90 % band", "number"),
    )
    cells = tuple(
        (
            *(_cell(getattr(r, k), unit if k == "nodes" else 1.0) for k in shown),
            ("" if r.speedup_lower is None else f"{r.speedup_lower:.3g}..{r.speedup_upper:.3g}"),
        )
        for r in rows
    )
    return Table(
        columns,
        cells,
        note="model and band are of the speed-up"
        + (f" against {unit:g} processes, the fewest that were run" if unit != 1 else ""),
        records=Table(keys, tuple(tuple(getattr(r, k) for k in keys) for r in rows)),
    )


def _cell(value: float | None, factor: float) -> str:
    return "" if value is None else f"{value * factor:.4g}"


def _iso_json(iso: Isoefficiency) -> dict[str, object]:
    return {
        "efficiency": iso.efficiency,
        "formula": None if iso.model is None else iso.model.formula,
        "sizes": [
            {"processes": float(n), "size": float(m) if np.isfinite(m) else None}
            for n, m in zip(iso.processes, iso.sizes, strict=True)
        ],
    }


def _say(
    found: Scaling, iso: Isoefficiency, asked: Sequence[Mapping[str, Any]], *, messages_only: bool
) -> None:
    """The law, what it predicts and how problems must grow: below the table, or on stderr where
    stdout holds data."""
    box = found.box
    say(f"methods, by their weight: {found.mixture}")
    if box.errors:
        missed = ", ".join(f"{m} {e:.1%}" for m, e in box.errors.items())
        say(f"how far each missed runs that were kept back: {missed}")
    if found.law_text is not None:
        say(f"law: {found.law_text} seconds")
    told = say if messages_only else tell
    for a in asked:
        told(
            f"at {', '.join(f'{k}={v:g}' for k, v in a['at'].items())}: {a['time']:.4g} s"
            f" ({a['lower']:.4g} to {a['upper']:.4g}), speed-up {a['speedup']:.4g}, efficiency"
            f" {a['efficiency']:.1%}"
        )
    known = np.isfinite(iso.sizes)
    if not known.any():
        told(f"no size up to {_WIDE:g} times the largest keeps an efficiency of {iso.efficiency:g}")
        return
    last = int(np.flatnonzero(known)[-1])
    grows = (
        f"{found.formula.text} must grow as {found.in_own_names(str(iso.model.lead))}"
        if iso.model is not None
        else "sizes that were run suffice"
    )
    told(
        f"to keep an efficiency of {iso.efficiency:g}, {grows}; {iso.sizes[last]:.3g} at "
        f"{iso.processes[last] * found.runs.unit:g} processes"
    )
