"""looplaw scaling: speed-up, efficiency and serial fraction of timed runs, what larger machines will give, and how fast the
problem must grow to keep them busy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import click
import numpy as np

from modeling import DataError, Series, read
from modeling.formula import Formula, parse_formula
from staticana import InputError

from .common import debug_option, format_option, json_option, numbers_at, show, write_json
from .console import guarded, say
from .report import Table
from .report.grid import Column

if TYPE_CHECKING:  # scikit-learn takes a second to load
    from modeling.greybox import GreyBox
    from modeling.isoefficiency import Isoefficiency
    from modeling.runs import Runs

FORMAT = "looplaw-scaling/1"
_FAR = 64  # isoefficiency goes so many times beyond the processes that were run
_WIDE = 1e6  # and so many times beyond the sizes


@click.command("scaling", short_help="Speed-up, predictions and isoefficiency of times.")
@click.argument("file")
@click.option("--callpath", help="The call path to look at (default: the only one, or main).")
@click.option("--processes", default="p", show_default=True, metavar="NAME", help="The parameter that is their number.")
@click.option("--nodes", metavar="NAME", help="The parameter that is the number of nodes, with --cores.")
@click.option("--cores", metavar="NAME", help="The parameter that is the number of processes on each node.")
@click.option("--work", metavar="FORMULA", help="The size of the problem in units of work, as in n^3 (default: the parameter "
                                                "that is left).")
@click.option("--method", default="auto", show_default=True, help="auto, Amdahl, Oliveira, RF, GBT, NN, costs, costs+GBT, PMNF.")
@click.option("--at", "places", multiple=True, metavar="NAME=VALUE,...", help="Predict there; may be repeated.")
@click.option("--efficiency", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.5, show_default=True,
              help="The efficiency that growing problems keep.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the learners.")
@json_option
@format_option
@debug_option
def scaling_command(file: str, callpath: str | None, processes: str, nodes: str | None, cores: str | None, work: str | None,
                    method: str, places: tuple[str, ...], efficiency: float, seed: int, target: str | None, form: str,
                    debug: bool) -> None:
    """Speed-up of the times in FILE (JSON Lines; - is stdin), and predictions with 90 % intervals.

    \b
    looplaw scaling times.jsonl --at p=1024,n=4096
    looplaw scaling nodes.jsonl --nodes nodes --cores ppn --work n^3
    """
    with guarded(debug):
        from modeling.greybox import fit_greybox, task
        from modeling.isoefficiency import isoefficiency
        series = _series(read(file).series, callpath)
        levels = {"nodes": nodes, "cores": cores} if nodes and cores else {"processes": processes}
        if bool(nodes) != bool(cores):
            raise InputError("--nodes and --cores go together")
        roles = {role: name for role, name in levels.items() if name is not None}
        formula = _work(series, tuple(roles.values()), work)
        runs = _runs(series, roles, formula)
        box = fit_greybox(task(runs, float(runs.processes.max()), float(runs.size.max()), seed=seed), method)
        most, sizes = float(runs.processes.max()), (float(runs.size.min()), float(runs.size.max()) * _WIDE)

        def time(m: float, n: float) -> float:
            return float(box.times(np.array([m]), np.array([n]), np.ones(1))[0])
        steps = [2.0**k for k in range(1, int(np.log2(most * _FAR)) + 1)]
        iso = isoefficiency(time, efficiency, steps, sizes)
        asked = [_asked(box, roles, formula, numbers_at([place])) for place in places]
        if target:
            write_json({"format": FORMAT, "callpath": series.callpath, "method": box.method, "errors": box.errors,
                        "law": box.law.formula if box.law else None, "predictions": asked, "isoefficiency": _iso_json(iso),
                        "runs": _rows(runs, box)}, target)
        if target != "-":
            show(_table(runs, box), form)
            _say(box, iso, asked)


def _series(found: Sequence[Series], callpath: str | None) -> Series:
    times = [s for s in found if s.metric == "time" and callpath in (None, s.callpath)]
    if callpath is None and len(times) > 1:
        times = [s for s in times if s.callpath == "main"]
    if len(times) != 1:
        names = ", ".join(sorted({s.callpath for s in found if s.metric == "time"})) or "none"
        raise DataError(f"--callpath names the times to look at; there are {names}")
    return times[0]


def _work(series: Series, taken: Sequence[str], work: str | None) -> Formula:
    """The size in units of work, a formula in the parameters that are not processes."""
    left = [p for p in series.parameters if p not in taken]
    if work is not None:
        formula = parse_formula(work)
        if formula.symbols - set(left):
            raise InputError(f"--work {work}: there are the parameters {', '.join(left) or 'none'}")
        return formula
    if len(left) > 1:
        raise InputError(f"--work FORMULA says what {' and '.join(left)} make of the size, as in {'*'.join(left)}")
    return parse_formula(left[0] if left else "1")


def _sizes(formula: Formula, points: Sequence[Mapping[str, float]]) -> list[float]:
    return [float(formula.evaluate(at)) for at in points]


def _runs(series: Series, roles: Mapping[str, str], formula: Formula) -> Runs:
    from modeling.runs import Runs
    points = [dict(zip(series.parameters, map(float, p), strict=True)) for p in series.points]
    names = (*roles.values(), "work")
    missing = [n for n in roles.values() if n not in series.parameters]
    if missing:
        raise InputError(f"no parameter {', '.join(missing)}; there are {', '.join(series.parameters)}: name the processes "
                         f"with --processes")
    rows = [[*(at[n] for n in roles.values()), size] for at, size in zip(points, _sizes(formula, points), strict=True)]
    sized = Series.from_values(series.callpath, series.metric, names, rows, series.means)
    return Runs.from_series(sized, {**roles, "size": "work"})


def _asked(box: GreyBox, roles: Mapping[str, str], formula: Formula, at: Mapping[str, float]) -> dict[str, object]:
    needed = {*roles.values(), *formula.symbols}
    if needed - set(at):
        raise InputError(f"--at: no value for {', '.join(sorted(needed - set(at)))}; write NAME=NUMBER with commas between")
    size = float(formula.evaluate(at))
    nodes = at[roles.get("processes", roles.get("nodes", ""))]
    cores = at[roles["cores"]] if "cores" in roles else 1.0
    p = box.predict(np.array([size]), np.array([nodes]), np.array([cores]))
    alone = float(box.times(np.array([size]), np.ones(1), np.ones(1))[0])
    return {"at": dict(at), "time": float(p.time[0]), "lower": float(p.lower[0]), "upper": float(p.upper[0]),
            "speedup": alone / float(p.time[0]), "efficiency": alone / float(p.time[0]) / (nodes * cores)}


def _rows(runs: Runs, box: GreyBox) -> list[dict[str, float | None]]:
    from modeling.isoefficiency import karp_flatt
    speedup = runs.serial(runs.size) / runs.time
    serial = karp_flatt(speedup, runs.processes)
    p = box.predict(runs.size, runs.nodes, runs.cores)
    table = np.stack([runs.size, runs.nodes, runs.cores, runs.time, speedup, speedup / runs.processes, serial, p.time, p.lower,
                      p.upper], axis=1)
    order = np.lexsort((runs.processes, runs.size))
    keys = ("size", "nodes", "cores", "time", "speedup", "efficiency", "serial_fraction", "model", "lower", "upper")
    return [{k: float(v) if np.isfinite(v) else None for k, v in zip(keys, table[r], strict=True)} for r in order]


def _table(runs: Runs, box: GreyBox) -> Table:
    rows = _rows(runs, box)
    keys = tuple(rows[0])
    shown = ("size", "nodes", "cores", "time", "speedup", "efficiency", "serial_fraction", "model")
    columns = tuple(Column(k, k.replace("_", " "), "number") for k in shown)
    cells = tuple(tuple("" if r[k] is None else f"{r[k]:.4g}" for k in shown) for r in rows)
    return Table(columns, cells, records=Table(keys, tuple(tuple(r[k] for k in keys) for r in rows)))


def _iso_json(iso: Isoefficiency) -> dict[str, object]:
    return {"efficiency": iso.efficiency, "formula": None if iso.model is None else iso.model.formula,
            "sizes": [{"processes": float(n), "size": float(m) if np.isfinite(m) else None}
                      for n, m in zip(iso.processes, iso.sizes, strict=True)]}


def _say(box: GreyBox, iso: Isoefficiency, asked: Sequence[Mapping[str, object]]) -> None:
    say(f"method: {box.method}" + (f"; held-out errors {', '.join(f'{m} {e:.1%}' for m, e in box.errors.items())}"
                                   if box.errors else ""))
    if box.law is not None:
        say(f"law: {box.law.formula} (m size, N processes)")
    for a in asked:
        click.echo(f"at {', '.join(f'{k}={v:g}' for k, v in dict(a['at']).items())}: {a['time']:.4g} s "  # type: ignore[call-overload]
                   f"({a['lower']:.4g} to {a['upper']:.4g}), speed-up {a['speedup']:.4g}, efficiency {a['efficiency']:.1%}")
    known = np.isfinite(iso.sizes)
    if not known.any():
        click.echo(f"no size up to {_WIDE:g} times the largest keeps an efficiency of {iso.efficiency:g}")
        return
    last = int(np.flatnonzero(known)[-1])
    grows = f"the size must grow as {iso.model.lead} (N processes)" if iso.model is not None else "sizes that were run suffice"
    click.echo(f"to keep an efficiency of {iso.efficiency:g} {grows}; {iso.sizes[last]:.3g} at {iso.processes[last]:g} processes")
