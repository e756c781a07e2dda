"""looplaw predict: models evaluated at a point."""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import isfinite
from typing import Any

import click
import numpy as np

from modeling import DataError, Model, Models

from ...documents.models import MODELS, ModelsDocument
from ...documents.reading import load, named_floats
from ...report import Table
from ..common import debug_option, format_option, show
from ..console import guarded, say


@click.command("predict")
@click.argument("models")
@click.option(
    "--at", "values", multiple=True, required=True, metavar="NAME=VALUE", help="Where to predict."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@format_option
@debug_option
def predict_command(
    models: str, values: tuple[str, ...], as_json: bool, form: str, debug: bool
) -> None:
    """Evaluate MODELS at a point, with 90 % prediction intervals.

    MODELS is a file that looplaw fit or looplaw study wrote.

    \b
    looplaw predict models.json --at n=4096 --at p=64
    """
    with guarded(debug):
        at = named_floats(values)
        loaded = Models.of(load(models, ModelsDocument, MODELS), models)
        _expect_parameters(loaded, at, models)
        rows = [_predicted(m, at) for m in loaded.models]
        if as_json:
            click.echo(json.dumps(rows, indent=1))
            return
        cells = tuple(
            (
                str(r["callpath"]),
                str(r["metric"]),
                _number(r["value"], "undefined"),
                _number(r["lower"]),
                _number(r["upper"]),
                "yes" if r["identifiable"] else "no",
            )
            for r in rows
        )
        show(
            Table(
                ("call path", "metric", "value", "lower", "upper", "identifiable"),
                cells,
                ("call path",),
            ),
            form,
        )


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


def _predicted(m: Model, at: Mapping[str, float]) -> dict[str, Any]:
    with np.errstate(all="ignore"):  # at 0 a logarithm is not defined: that is said, not warned of
        value, (low, high) = float(m.evaluate(at)), m.interval(at)
    return {
        "callpath": m.callpath,
        "metric": m.metric,
        "value": _finite(value),
        "lower": _finite(float(low)),
        "upper": _finite(float(high)),
        "identifiable": m.identifiable,
    }


def _finite(value: float) -> float | None:
    return value if isfinite(value) else None


def _number(value: object, otherwise: str = "unbounded") -> str:
    return f"{value:.6g}" if isinstance(value, float) else otherwise
