"""Extra-P as a peer: runs in its own environment, series in and models out as JSON.

EXTRAP_PYTHON=/path/to/venv/bin/python   (python -m venv DIR && DIR/bin/pip install extrap)
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from modeling import Series, Term

_SCRIPT = r"""
import json, sys, time, warnings, logging
warnings.simplefilter("ignore"); logging.disable(logging.CRITICAL)
from extrap.entities.callpath import Callpath
from extrap.entities.coordinate import Coordinate
from extrap.entities.experiment import Experiment
from extrap.entities.measurement import Measurement
from extrap.entities.metric import Metric
from extrap.entities.parameter import Parameter
from extrap.modelers.model_generator import ModelGenerator
data = json.load(sys.stdin)
def parts(compound):
    i = j = "0"
    for t in compound.simple_terms:
        if t.term_type == "polynomial": i = str(t.exponent)
        else: j = str(t.exponent)
    return [i, j]
found, spent = [], 0.0
for one in data["series"]:
    e = Experiment(); metric, path = Metric("time"), Callpath("main")
    for n in one["parameters"]: e.add_parameter(Parameter(n))
    e.add_metric(metric); e.add_callpath(path)
    for p, v in zip(one["points"], one["values"]):
        c = Coordinate(*p); e.add_coordinate(c); e.add_measurement(Measurement(c, path, metric, v))
    started = time.process_time()
    g = ModelGenerator(e, modeler=data["modeler"], use_median=False); g.model_all()
    spent += time.process_time() - started
    f = g.models[(path, metric)].hypothesis.function
    terms = []
    for t in f.compound_terms:
        if hasattr(t, "parameter_term_pairs"):
            names = one["parameters"]
            factors = {names[k]: parts(c) for k, c in t.parameter_term_pairs}
            terms.append([float(t.coefficient), factors])
        else:
            terms.append([float(t.coefficient), {one["parameters"][0]: parts(t)}])
    found.append({"constant": float(f.constant_coefficient), "terms": terms})
json.dump({"models": found, "seconds": spent}, sys.stdout)
"""


@dataclass(frozen=True)
class PeerModel:
    """constant + sum of coefficient * term."""

    constant: float
    terms: tuple[tuple[float, Term], ...]

    def evaluate(self, at: dict[str, float]) -> float:
        """Value at a point."""
        point: Any = at
        return self.constant + sum(c * float(t.evaluate(point)) for c, t in self.terms)


def extra_p(
    series: Sequence[Series], modeler: str = "default"
) -> tuple[list[PeerModel], float] | None:
    """(models, CPU seconds of modeling alone); None when EXTRAP_PYTHON is not set.

    Raises:
        SystemExit: it is set and does not run.
    """
    python = os.environ.get("EXTRAP_PYTHON")
    if not python:
        return None
    data = {
        "modeler": modeler,
        "series": [
            {
                "parameters": s.parameters,
                "points": s.points.tolist(),
                "values": [[v] for v in s.means.tolist()],
            }
            for s in series
        ],
    }
    done = subprocess.run(
        [python, "-c", _SCRIPT], input=json.dumps(data), capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"EXTRAP_PYTHON={python}: {done.stderr.strip().splitlines()[-1:]}")
    answer = json.loads(done.stdout[done.stdout.index('{"models"') :])
    return [_model(m) for m in answer["models"]], float(answer["seconds"])


def _model(data: dict[str, object]) -> PeerModel:
    terms = []
    for coefficient, factors in data["terms"]:  # type: ignore[attr-defined]
        terms.append(
            (
                coefficient,
                Term.of({n: (_fraction(i), _fraction(j)) for n, (i, j) in factors.items()}),
            )
        )
    return PeerModel(float(data["constant"]), tuple(terms))  # type: ignore[arg-type]


def _fraction(text: str) -> Fraction:
    return Fraction(text).limit_denominator(60)
