"""Laws of speed-up for measured times: fitted, read back and written.

Amdahl's law, Oliveira's and learned overheads compete; see `modeling.scaling.greybox`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from looplaw_common.errors import DataError, InputError
from looplaw_common.formula.formula import Formula, FormulaError, parse_formula
from modeling import Series
from modeling.data.parameter_roles import EACH, RESOURCES, processes_of
from modeling.data.units import factor, measures_time

from ...documents.speedups import SPEEDUPS, BandDocument, SpeedupLaw, SpeedupsDocument, TimedRun
from .options import SpeedupOptions

if TYPE_CHECKING:  # scikit-learn takes a second to load
    from modeling.data.timed_runs import Runs
    from modeling.scaling.greybox import GreyBox

_OF_COSTS = re.compile(r"\b(?:m|N|nodes|cores)\b")
"""What the terms of a law of costs are written in."""
_IS_SUM = re.compile(r"[-+/ ]")
_CONSTANT = re.compile(r"\*1(?= \+|$)")
_SHOWN = 0.005
"""Weights below this are not shown."""
_ROUND = 12
"""Decimals to which a serial fraction is rounded."""


@dataclass(frozen=True)
class Scaling:
    """One call path: its runs, the law that was fitted to them; roles and formula lead from
    parameters to both."""

    callpath: str
    roles: Mapping[str, str]
    formula: Formula
    runs: Runs
    box: GreyBox
    seed: int = 0

    def place(self, at: Mapping[str, float], option: str = "--at") -> tuple[float, float, float]:
        """(size, nodes, cores) at values of the parameters, nodes in units of the fewest processes
        that were run.

        Raises:
            InputError: a parameter has no value.
        """
        _complete(at, self.roles, self.formula, option)
        nodes = at[self.roles.get("processes", self.roles.get("nodes", ""))] / self.runs.unit
        return (
            float(self.formula.evaluate(at)),
            nodes,
            at[self.roles["cores"]] if "cores" in self.roles else 1.0,
        )

    @property
    def mixture(self) -> str:
        """The methods that make up the law, the greatest weight first: costs 86%, GBT 9%."""
        ranked = sorted(self.box.weights.items(), key=lambda pair: -pair[1])
        return (
            ranked[0][0]
            if len(ranked) == 1
            else ", ".join(f"{m} {w:.0%}" for m, w in ranked if w >= _SHOWN)
        )

    @property
    def cost_formula(self) -> str | None:
        """The law of costs in m, N, nodes and cores, in seconds; None where another method
        foretells the times better."""
        law = self.box.law if self.box.method == "costs" else None
        return None if law is None else law.formula

    @property
    def law_text(self) -> str | None:
        """`cost_formula` in the names of the parameters."""
        found = self.cost_formula
        return None if found is None else _CONSTANT.sub("", self.in_own_names(found))

    def in_own_names(self, text: str) -> str:
        """A formula in m (size), N (processes), nodes and cores in the names of the parameters."""
        work, workers = self.formula.text, "*".join(self.roles.values())
        names = {
            "m": f"({work})" if _IS_SUM.search(work) else work,
            "N": workers if len(self.roles) == 1 else f"({workers})",
            "nodes": self.roles.get("nodes", "nodes"),
            "cores": self.roles.get("cores", "cores"),
        }
        return _OF_COSTS.sub(lambda found: names[found[0]], text)

    def predict(self, at: Mapping[str, float]) -> dict[str, Any]:
        """Time with its interval, speed-up and efficiency at a place."""
        size, nodes, cores = self.place(at)
        p = self.box.predict(np.array([size]), np.array([nodes]), np.array([cores]))
        alone = float(self.box.times(np.array([size]), np.ones(1), np.ones(1))[0])
        return {
            "at": dict(at),
            "time": float(p.time[0]),
            "lower": float(p.lower[0]),
            "upper": float(p.upper[0]),
            "speedup": alone / float(p.time[0]),
            "efficiency": alone / float(p.time[0]) / (nodes * cores),
        }

    def rows(self) -> tuple[TimedRun, ...]:
        """Every run with speed-up, efficiency, serial fraction (Karp and Flatt, CACM 1990) and what
        the law says, with its band; by size, then by processes."""
        from modeling.scaling.isoefficiency import karp_flatt

        runs = self.runs
        alone = runs.serial(runs.size)
        speedup = alone / runs.time
        p = self.box.predict(runs.size, runs.nodes, runs.cores)
        columns = {
            "size": runs.size,
            "nodes": runs.nodes,
            "cores": runs.cores,
            "time": runs.time,
            "speedup": speedup,
            "efficiency": speedup / runs.processes,
            "serial_fraction": np.round(karp_flatt(speedup, runs.processes), _ROUND),
            "model": p.time,
            "lower": p.lower,
            "upper": p.upper,
            "model_speedup": alone / p.time,
            "speedup_lower": alone / p.upper,
            "speedup_upper": alone / p.lower,
        }
        return tuple(
            TimedRun(**{k: _finite(float(v[r])) for k, v in columns.items()})  # type: ignore[arg-type]
            for r in np.lexsort((runs.processes, runs.size))
        )

    @property
    def document(self) -> SpeedupLaw:
        """The law as documents hold it."""
        band = self.box.band
        return SpeedupLaw(
            self.callpath,
            dict(self.roles),
            self.formula.text,
            self.seed,
            self.box.method,
            dict(self.box.weights),
            dict(self.box.errors),
            BandDocument(band.near, band.far, band.factor),
            self.cost_formula,
            self.runs.unit,
            self.rows(),
        )


def _finite(value: float) -> float | None:
    return value if np.isfinite(value) else None


def _complete(
    at: Mapping[str, float], roles: Mapping[str, str], formula: Formula, option: str
) -> None:
    missing = {*roles.values(), *formula.symbols} - set(at)
    if missing:
        raise InputError(
            f"{option}: no value for {', '.join(sorted(missing))}; write NAME=NUMBER with"
            " commas between"
        )


def fit_scaling(
    series: Series, options: SpeedupOptions, places: Sequence[Mapping[str, float]] = ()
) -> Scaling:
    """Fit a law of speed-up to the times of one call path.

    Args:
        places: where it will be asked for, checked before anything is fitted.

    Raises:
        InputError: a parameter that is not there, a place without one, or no such method.
        DataError: the runs do not suffice.
    """
    from modeling.scaling.greybox import fit_greybox, task

    roles = _roles(series, options)
    formula = _work(series, tuple(roles.values()), options.work)
    for place in places:
        _complete(place, roles, formula, "--at")
    runs = _runs(series, roles, formula)
    box = fit_greybox(
        task(runs, float(runs.processes.max()), float(runs.size.max()), seed=options.seed),
        options.method,
    )
    return Scaling(series.callpath, roles, formula, runs, box, options.seed)


def timed(found: Sequence[Series]) -> list[Series]:
    """The series of times.

    Raises:
        DataError: there are none.
    """
    times = [s for s in found if measures_time(s.metric, s.unit)]
    named = [s for s in times if s.metric == "time"]
    times = named or times
    if not times:
        raise DataError(
            "no times to find a law of speed-up in; there are"
            f" {', '.join(sorted({s.metric for s in found}))}"
        )
    return times


def _work(series: Series, taken: Sequence[str], work: str | None) -> Formula:
    """The size in units of work, a formula; processes are in it where each has a problem of its own
    (weak scaling)."""
    left = [p for p in series.parameters if p not in taken]
    if work is not None:
        try:
            formula = parse_formula(work)
        except FormulaError as error:
            raise error.within("--work") from None
        if formula.symbols - set(series.parameters):
            raise InputError(
                f"--work {work}: there are the parameters {', '.join(series.parameters) or 'none'}"
            )
        return formula
    if left == [EACH] and taken == (RESOURCES,):
        return parse_formula(f"{EACH}*{RESOURCES}")
    if len(left) > 1:
        raise InputError(
            f"--work FORMULA says what {' and '.join(left)} make of the size, as in"
            f" {'*'.join(left)}"
        )
    return parse_formula(left[0] if left else "1")


def _runs(series: Series, roles: Mapping[str, str], formula: Formula) -> Runs:
    from modeling.data.timed_runs import Runs

    missing = [n for n in roles.values() if n not in series.parameters]
    if missing:
        raise InputError(
            f"no parameter {', '.join(missing)}; there are {', '.join(series.parameters)}: name the"
            " processes with --processes"
        )
    points = [dict(zip(series.parameters, map(float, p), strict=True)) for p in series.points]
    rows = [[*(at[n] for n in roles.values()), float(formula.evaluate(at))] for at in points]
    seconds = series.means * factor(series.unit, "s", f"{series.callpath}: {series.metric}")
    sized = Series.from_values(
        series.callpath, series.metric, (*roles.values(), "work"), rows, seconds
    )
    return Runs.from_series(sized, {**roles, "size": "work"})


def _roles(series: Series, options: SpeedupOptions) -> dict[str, str]:
    """ "processes", or "nodes" and "cores" -> the parameter.

    Raises:
        InputError: the series has no parameter that is the number of processes.
    """
    if options.nodes and options.cores:
        return {"nodes": options.nodes, "cores": options.cores}
    return {"processes": processes_of(series, options.processes)}


def laws_document(found: Sequence[Scaling]) -> SpeedupsDocument:
    """What `laws_of` reads: the runs, and what was found in them."""
    return SpeedupsDocument(SPEEDUPS, tuple(s.document for s in found))


def laws_of(document: SpeedupsDocument, name: str) -> list[Scaling]:
    """Laws of speed-up as documents hold them, fitted again to the runs that stand there.

    Raises:
        DataError: a law's runs or its formula of the work cannot be used.
    """
    try:
        return [_scaling(law) for law in document.laws]
    except (InputError, ValueError, KeyError) as error:
        raise DataError(f"{name}: a law of speed-up cannot be fitted again: {error}") from None


def _scaling(law: SpeedupLaw) -> Scaling:
    from modeling.data.timed_runs import Runs
    from modeling.scaling.greybox import Band, refit, task

    table = np.array([(run.size, run.nodes, run.cores, run.time) for run in law.runs], dtype=float)
    size, nodes, cores, time = table.reshape(-1, 4).T
    runs = Runs(size, nodes, cores, time, law.unit)
    t = task(runs, float(runs.processes.max()), float(runs.size.max()), seed=law.seed)
    box = refit(t, law.weights, Band(law.band.near, law.band.far, law.band.factor))
    return Scaling(law.callpath, law.roles, parse_formula(law.work), runs, box, law.seed)
