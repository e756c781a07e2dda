"""Laws of speed-up for measured times: what the commands read, fit, show and write of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from modeling import DataError, Series
from modeling.data.parameter_roles import EACH, RESOURCES, processes_of
from modeling.pmnf.formula import Formula, parse_formula
from staticana import InputError

from ...report import Table
from ...report.grid import Column

if TYPE_CHECKING:  # scikit-learn takes a second to load
    from modeling.data.timed_runs import Runs
    from modeling.scaling.greybox import GreyBox

FORMAT = "looplaw-speedups/1"
_SHOWN = 0.005  # weights below this are not shown
_ROUND = 12  # decimals to which a serial fraction is told


@dataclass(frozen=True)
class SpeedupOptions:
    """processes (if not told: n_resources, else p), or nodes and cores: the parameters that are
    their numbers; work: the size in units of work, a formula; method: how the law is found; seed:
    of the learners."""

    processes: str | None = None
    nodes: str | None = None
    cores: str | None = None
    work: str | None = None
    method: str = "auto"
    seed: int = 0

    @staticmethod
    def of(given: Mapping[str, Any]) -> SpeedupOptions:
        """From what the options of `speedup_options` are given.

        Raises:
            InputError: nodes without cores.
        """
        if bool(given["nodes"]) != bool(given["cores"]):
            raise InputError("--nodes and --cores go together")
        return SpeedupOptions(
            given["processes"],
            given["nodes"],
            given["cores"],
            given["work"],
            given["law"],
            given["seed"],
        )

    def roles(self, series: Series) -> dict[str, str]:
        """ "processes", or "nodes" and "cores" -> the parameter.

        Raises:
            InputError: the series has no parameter that is the number of processes.
        """
        if self.nodes and self.cores:
            return {"nodes": self.nodes, "cores": self.cores}
        return {"processes": processes_of(series, self.processes)}


def speedup_options(*names: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The options of `SpeedupOptions`; names: those of the one that chooses the method."""
    options = (
        click.option(
            "--processes",
            metavar="NAME",
            help="The parameter that is their number (default: n_resources, else p).",
        ),
        click.option(
            "--nodes",
            metavar="NAME",
            help="The parameter that is the number of nodes, with --cores.",
        ),
        click.option(
            "--cores",
            metavar="NAME",
            help="The parameter that is the number of processes on each node.",
        ),
        click.option(
            "--work",
            metavar="FORMULA",
            help=(
                "The size of the problem in units of work, as in n^3 (default: the "
                "parameter that is left)."
            ),
        ),
        click.option(
            *names,
            "law",
            default="auto",
            show_default=True,
            metavar="NAME",
            help="Law of speed-up: auto, Amdahl, Oliveira, RF, GBT, NN, costs, costs+GBT, PMNF.",
        ),
        click.option("--seed", type=int, default=0, show_default=True, help="Of the learners."),
    )

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


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
        missing = {*self.roles.values(), *self.formula.symbols} - set(at)
        if missing:
            raise InputError(
                f"{option}: no value for {', '.join(sorted(missing))}; write NAME=NUMBER with"
                " commas between"
            )
        nodes = at[self.roles.get("processes", self.roles.get("nodes", ""))] / self.runs.unit
        return (
            float(self.formula.evaluate(at)),
            nodes,
            at[self.roles["cores"]] if "cores" in self.roles else 1.0,
        )

    @property
    def mixture(self) -> str:
        """The methods that make up the law, those of the greatest weight first: costs 86%, GBT 9%."""
        ranked = sorted(self.box.weights.items(), key=lambda pair: -pair[1])
        return (
            ranked[0][0]
            if len(ranked) == 1
            else ", ".join(f"{m} {w:.0%}" for m, w in ranked if w >= _SHOWN)
        )

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

    def rows(self) -> list[dict[str, float | None]]:
        """Every run with speed-up, efficiency, serial fraction (Karp and Flatt) and what the law
        says, with its band."""
        from modeling.scaling.isoefficiency import karp_flatt

        runs = self.runs
        alone = runs.serial(runs.size)
        speedup = alone / runs.time
        p = self.box.predict(runs.size, runs.nodes, runs.cores)
        table = np.stack(
            [
                runs.size,
                runs.nodes,
                runs.cores,
                runs.time,
                speedup,
                speedup / runs.processes,
                np.round(karp_flatt(speedup, runs.processes), _ROUND),
                p.time,
                p.lower,
                p.upper,
                alone / p.time,
                alone / p.upper,
                alone / p.lower,
            ],
            axis=1,
        )
        keys = (
            "size",
            "nodes",
            "cores",
            "time",
            "speedup",
            "efficiency",
            "serial_fraction",
            "model",
            "lower",
            "upper",
            "model_speedup",
            "speedup_lower",
            "speedup_upper",
        )
        return [
            {k: float(v) if np.isfinite(v) else None for k, v in zip(keys, table[r], strict=True)}
            for r in np.lexsort((runs.processes, runs.size))
        ]


def fit_scaling(series: Series, options: SpeedupOptions) -> Scaling:
    """Fit a law of speed-up to the times of one call path.

    Raises:
        InputError: a parameter that is not there, or no such method.
        DataError: the runs do not suffice.
    """
    from modeling.scaling.greybox import fit_greybox, task

    roles = options.roles(series)
    formula = _work(series, tuple(roles.values()), options.work)
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
    times = [s for s in found if s.metric == "time"]
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
        formula = parse_formula(work)
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
    sized = Series.from_values(
        series.callpath, series.metric, (*roles.values(), "work"), rows, series.means
    )
    return Runs.from_series(sized, {**roles, "size": "work"})


def laws_table(found: Sequence[Scaling]) -> Table:
    """One row a call path: its law, how well that predicted larger runs than it had seen, what it
    gives at the most processes."""
    columns = (
        Column("callpath", "call path", "path", 12),
        Column("method", "method", "text", 8),
        Column("error", "error held out", "number"),
        Column("processes", "most processes", "number"),
        Column("speedup", "speed-up there", "number"),
        Column("efficiency", "efficiency", "number"),
        Column("law", "law (m size, N processes)", "formula", 16),
    )
    rows = []
    for s in found:
        last = max(s.rows(), key=lambda r: ((r["nodes"] or 0) * (r["cores"] or 0), r["size"] or 0))
        error = s.box.errors.get(s.box.method)
        rows.append(
            (
                s.callpath,
                s.mixture,
                None if error is None else error,
                float((s.runs.processes).max()),
                last["model_speedup"],
                (
                    None
                    if last["model_speedup"] is None
                    else last["model_speedup"] / float(s.runs.processes.max())
                ),
                s.box.law.formula if s.box.law else None,
            )
        )
    shown = tuple(
        (r[0], r[1], _percent(r[2]), f"{r[3]:g}", _short(r[4]), _percent(r[5]), r[6] or "-")
        for r in rows
    )
    return Table(columns, shown, records=Table(tuple(c.key for c in columns), tuple(rows)))


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{value:.1%}"


def _short(value: float | None) -> str:
    return "-" if value is None else f"{value:.4g}"


def laws_json(found: Sequence[Scaling]) -> dict[str, object]:
    """What `laws_of` reads: the runs, and what was found in them."""
    return {
        "format": FORMAT,
        "laws": [
            {
                "callpath": s.callpath,
                "roles": dict(s.roles),
                "work": s.formula.text,
                "seed": s.seed,
                "method": s.box.method,
                "weights": dict(s.box.weights),
                "errors": dict(s.box.errors),
                "band": {
                    "near": s.box.band.near,
                    "far": s.box.band.far,
                    "factor": s.box.band.factor,
                },
                "law": s.box.law.formula if s.box.law else None,
                "unit": s.runs.unit,
                "runs": s.rows(),
            }
            for s in found
        ],
    }


def laws_of(data: Mapping[str, Any], name: str) -> list[Scaling]:
    """Laws of speed-up as `laws_json` wrote them, fitted again to the runs that stand there.

    Raises:
        DataError: they are not as they should be.
    """
    from modeling.data.timed_runs import Runs
    from modeling.scaling.greybox import Band, refit, task

    try:
        found = []
        for law in data["laws"]:
            size, nodes, cores, time = (
                np.array([float(run[key]) for run in law["runs"]])
                for key in ("size", "nodes", "cores", "time")
            )
            runs = Runs(size, nodes, cores, time, float(law["unit"]))
            t = task(
                runs, float(runs.processes.max()), float(runs.size.max()), seed=int(law["seed"])
            )
            band = Band(*(float(law["band"][key]) for key in ("near", "far", "factor")))
            weights = {str(m): float(w) for m, w in law["weights"].items()}
            roles = {str(r): str(p) for r, p in law["roles"].items()}
            found.append(
                Scaling(
                    str(law["callpath"]),
                    roles,
                    parse_formula(str(law["work"])),
                    runs,
                    refit(t, weights, band),
                    int(law["seed"]),
                )
            )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise DataError(
            f"{name}: a law of speed-up is not as looplaw fit --speedup writes it: {error!r}"
        ) from None
    return found
