"""looplaw predict: models evaluated at a point."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from pathlib import Path
from typing import Any, get_args

import click
import numpy as np

from looplaw_common.documents import form_of
from modeling import DataError, InputError, Model, Models
from modeling.data.units import factor, is_time, label_of, measures_time
from modeling.pmnf.inverse import measured_to, size_for
from modeling.pmnf.prediction import Of
from modeling.readers.tables.cells import Style, quantity
from runtime.machine.known import read_machine

from ....documents.models import MODELS, ModelsDocument
from ....documents.reading import load, named_floats
from ....documents.study import STUDY, StudyDocument
from ....laws.forecast import forecast
from ....laws.limits import size_text
from ....loading import is_measured
from ....report import Table
from ....report.forecast_table import forecast_table
from ...common import debug_option, format_option, json_option, show, write_json
from ...console import guarded, say


@click.command("predict")
@click.argument("models", metavar="MODELS|STUDY")
@click.option("--at", "values", multiple=True, metavar="NAME=VALUE", help="Where to predict.")
@click.option(
    "--time",
    "goal",
    metavar="TIME",
    help="The inverse: the size that takes this time, as in 1s, 250ms or 1m30s; --at gives the"
    " other parameters.",
)
@click.option(
    "--interval",
    "of",
    type=click.Choice(get_args(Of)),
    default="mean",
    help="What the interval holds: the mean of as many repetitions as were measured, or one"
    " observation.",
)
@click.option(
    "--machine",
    metavar="FILE",
    help="Of a study: the time on another machine, from looplaw machine --json made there.",
)
@json_option
@click.option("--all", "every", is_flag=True, help="Show kernels with less than 1 % of a run, too.")
@format_option
@debug_option
def predict_command(
    models: str,
    values: tuple[str, ...],
    goal: str | None,
    of: Of,
    machine: str | None,
    target: str | None,
    form: str,
    *,
    every: bool,
    debug: bool,
) -> None:
    """Evaluate MODELS at a point, with 90 % prediction intervals.

    MODELS is a file that looplaw fit or looplaw study wrote, or one of measurements. Of a study,
    the time of the whole run is predicted, kernel by kernel, with what limits each,
    also on another machine. A value is
    sure if its interval lies within a quarter of it, rough if within a factor of two, else open.

    \b
    looplaw predict models.json --at n=4096 --at p=64
    looplaw predict looplaw-out/lu --at n=1024
    looplaw predict looplaw-out/lu --at n=1024 --machine there.json
    looplaw predict models.json --time 1s --at p=64
    """
    with guarded(debug):
        at = named_floats(values)
        if not at and goal is None:
            raise InputError("say where to predict: --at NAME=VALUE, or the inverse: --time 1s")
        if goal is not None:
            _show_sizes(_models(models), goal, at, form, target)
            return
        if (path := _study_at(models)) is not None:
            study = load(str(path), StudyDocument, STUDY)
            there = None if machine is None else read_machine(machine)
            found = forecast(study, at, str(path.parent), there)
            if target:
                write_json(found.to_json(), target)
            if target != "-":
                show(forecast_table(found, every=every), form)
            return
        if machine is not None:
            raise InputError(f"--machine needs a study, which knows what {models} does not: loops")
        loaded = _models(models)
        _expect_parameters(loaded, at, models)
        _say_reach(loaded, at)
        rows = [_predicted(m, at, of) for m in loaded.models]
        if target:
            write_json(rows, target)
        if target == "-":
            return
        cells = tuple(
            (
                str(r["callpath"]),
                label_of(m.metric, m.unit),
                "not known" if r["reason"] else _number(r["value"], "undefined"),
                _number(r["lower"]),
                _number(r["upper"]),
                str(r["certainty"]),
            )
            for r, m in zip(rows, loaded.models, strict=True)
        )
        notes = [f"{r['callpath']}, {r['metric']}: {r['reason']}" for r in rows if r["reason"]]
        head = ("call path", "metric", "value", "lower", "upper", "certainty")
        show(Table(head, cells, ("call path",), note="\n".join(notes)), form)


def _models(source: str) -> Models:
    """The models in a file or in a study's folder, or those of a file of measurements.

    Raises:
        InputError: no such file.
        DataError: what is in it is wrong.
    """
    if is_measured(source):
        from ...fitting.series import fitted

        return fitted(source)
    inside = Path(source) / "models.json"
    file = str(inside) if inside.is_file() else source
    return Models.of(load(file, ModelsDocument, MODELS), file)


def _show_sizes(
    models: Models, goal: str, at: Mapping[str, float], form: str, target: str | None
) -> None:
    """The size at which each model of a time reaches a time.

    Raises:
        InputError: it is no time.
        DataError: no model is of a time, or not one parameter is left.
    """
    asked = quantity(goal, Style())
    if asked is None or not is_time(asked.unit or "s"):
        raise InputError(f"--time {goal}: no time; write it as 1s, 250ms or 1m30s")
    timed = [m for m in models.models if measures_time(m.metric, m.unit) and m.needed - set(at)]
    if not timed:
        raise DataError("no model is of a time that grows with a parameter that --at leaves open")
    rows: list[dict[str, object]] = []
    for m in timed:
        scale = factor(asked.unit or "s", m.unit or "s", m.callpath)
        size = size_for(m, float(asked.number) * scale, at)
        top = measured_to(m).get(size.parameter)
        rows.append(
            {
                "callpath": m.callpath,
                "metric": m.metric,
                "parameter": size.parameter,
                "size": _finite(size.value),
                "lower": _finite(size.low),
                "upper": _finite(size.high),
                "times_measured": None if top is None else _finite(size.value / top),
            }
        )
    if target:
        write_json(rows, target)
    if target == "-":
        return
    head = ("call path", "parameter", "size", "lower", "upper", "times largest")
    cells = tuple(
        (
            str(r["callpath"]),
            str(r["parameter"]),
            _number(r["size"], "never" if r["lower"] is None else "not known"),
            _number(r["lower"]),
            _number(r["upper"]),
            f"{r['times_measured']:.3g}" if isinstance(r["times_measured"], float) else "",
        )
        for r in rows
    )
    show(Table(head, cells, ("call path",)), form)


def _say_reach(models: Models, at: Mapping[str, float]) -> None:
    """How far beyond what was measured a point lies."""
    tops: dict[str, float] = {}
    for m in models.models:
        for name, top in measured_to(m).items():
            tops[name] = max(top, tops.get(name, top))
    beyond = [
        f"{n} = {size_text(at[n])} is {at[n] / top:.3g} times the largest measured ({top:g})"
        for n, top in tops.items()
        if top > 0 and at.get(n, 0.0) > 1.001 * top
    ]
    if beyond:
        say("; ".join(beyond))


def _study_at(target: str) -> Path | None:
    """The file of the study that a target is; None where it is no study.

    Raises:
        InputError: a folder without one.
    """
    path = Path(target)
    if is_measured(target):
        return None
    if path.is_dir():
        if not (path / "study.json").is_file():
            raise InputError(f"{target}: no study.json in this folder; looplaw study makes one")
        return path / "study.json"
    if not path.is_file() or form_of(path.read_bytes(), target) != STUDY:
        return None
    return path


def _expect_parameters(models: Models, at: Mapping[str, float], file: str) -> None:
    """Check that every parameter has a value; warn of values that no model uses.

    Raises:
        DataError: there are no models, or a parameter has no value.
    """
    if not models.models:
        raise DataError(f"{file}: holds no models")
    if missing := sorted(frozenset().union(*(m.needed for m in models.models)) - set(at)):
        raise DataError(
            f"{file}: the models also need {', '.join(missing)}: add"
            f" {' '.join(f'--at {n}=NUMBER' for n in missing)}"
        )
    known = dict.fromkeys(name for m in models.models for name in m.parameters)
    if idle := [name for name in at if known and name not in known]:
        say(f"--at {', '.join(idle)}: no model has this parameter; they have {', '.join(known)}")


def _predicted(m: Model, at: Mapping[str, float], of: Of) -> dict[str, Any]:
    with np.errstate(all="ignore"):  # at 0 a logarithm is not defined: that is said, not warned of
        value, (low, high) = float(m.value_at(at)), m.interval(at, of=of)
        known, reason = str(m.certainty_at(at)), m.why_unknown(at)
    return {
        "callpath": m.callpath,
        "metric": m.metric,
        "unit": m.unit or None,
        "value": _finite(value),
        "lower": _finite(float(low)),
        "upper": _finite(float(high)),
        "interval": of,
        "certainty": known,
        "identifiable": m.identifiable,
        "reason": reason,
    }


def _finite(value: float) -> float | None:
    return value if isfinite(value) else None


def _number(value: object, otherwise: str = "unbounded") -> str:
    return f"{value:.6g}" if isinstance(value, float) else otherwise
