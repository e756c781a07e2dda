"""looplaw show: law, count and model of a study side by side; with --at, which kernels dominate at
that scale."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from looplaw_common.documents import form_of
from modeling import DataError, Model, Models
from modeling.data.ranks import by_rank_where_known
from modeling.data.units import measures_time
from modeling.rank_classes.class_models import class_name, fit_diverging
from modeling.scaling.codesign import Need, needs
from modeling.scaling.ranking import Ranking, rank
from runtime import RunError

from ....documents.models import (
    MODELS,
    FittedDocument,
    KernelClasses,
    ModelsDocument,
    kernel_classes,
)
from ....documents.reading import load, load_any, named_floats
from ....documents.speedups import SPEEDUPS, SpeedupsDocument
from ....documents.study import STUDY, StudyDocument
from ....exchange import study_observations
from ....laws.answer import answer
from ....laws.settle import with_remedies
from ....loading import study_file
from ....report import Table
from ....report.formulas import fewer_digits
from ....report.grid import Cell, Column
from ....report.model_tables import models_table
from ...answer_options import answer_options, show_study
from ...common import debug_option, format_option, json_option, show, write_json
from ...console import guarded, say, tell
from ...fitting.ranks import clusters_table
from ...fitting.scaling_laws import Scaling, laws_of
from ...fitting.speedup import laws_table

F = TypeVar("F", bound=Callable[..., Any])
FORMAT = "looplaw-ranking/1"
Compared = StudyDocument | FittedDocument | SpeedupsDocument
_KINDS: Mapping[str, type[Any]] = {
    STUDY: StudyDocument,
    MODELS: FittedDocument,
    SPEEDUPS: SpeedupsDocument,
}
_UNLIKE = "neither a study, nor models, nor laws of speed-up"


_OPTIONS = (
    click.option(
        "--at",
        "places",
        multiple=True,
        metavar="NAME=VALUE",
        help="Rank the kernels at this scale.",
    ),
    click.option(
        "--from",
        "starts",
        multiple=True,
        metavar="NAME=VALUE",
        help="The scale to start from (default: the largest values of the study).",
    ),
    click.option(
        "--metric",
        metavar="METRIC",
        multiple=True,
        callback=lambda _, __, given: given[-1] if given else None,
        help="Compare or rank by this metric (default: the time).",
    ),
    click.option(
        "--rate",
        "rates",
        multiple=True,
        metavar="METRIC=NUMBER",
        help="Of a future machine: how much of it one process gets per second, as in bytes=2e10.",
    ),
    click.option(
        "--capacity",
        "capacities",
        multiple=True,
        metavar="METRIC=NUMBER",
        help="Of a future machine: how much of it one process has, as in memory=4e9.",
    ),
    json_option,
    answer_options,
    format_option,
    debug_option,
)


def show_options(command: F) -> F:
    """The options of `looplaw show`."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@click.command("show")
@click.argument("study")
@show_options
def show_command(study: str, form: str, debug: bool, **given: Any) -> None:
    """Print law, count and model of a finished study (its directory or study.json) side by side.

    With --at, rank the kernels at that scale, say where another kernel becomes the slowest, and
    show what each kernel needs. STUDY may then also be a file of models or of laws of speed-up.

    \b
    looplaw show looplaw-out/matmul
    looplaw show looplaw-out/matmul --all --sort iterations
    looplaw show models.json --at p=100000 --at n=1e6 --from p=64 --from n=1e4
    looplaw show models.json --at p=1e5,n=1e6 --rate bytes=2e11 --capacity memory=4e9
    """
    with guarded(debug):
        show_finished(study, form, given)


def is_finished(path: str) -> bool:
    """Is it a folder, as of a study, or a file of models or of laws of speed-up?"""
    file = Path(path)
    if file.is_dir():
        return True
    is_document = file.is_file() and file.suffix == ".json"
    return is_document and form_of(file.read_bytes(), path) in _KINDS


def show_finished(study: str, form: str, given: Mapping[str, Any]) -> None:
    """What `looplaw show` prints.

    Args:
        given: the other options of `show_options` by name.

    Raises:
        InputError: no such file, or an option that does not fit it.
        DataError: it is no study, models or laws of speed-up, or holds none.
    """
    places, starts, target = given["places"], given["starts"], given["target"]
    data = study_file(study) if Path(study).is_dir() else load_any(study, _KINDS, _UNLIKE)
    if not places:
        _show_all(study, data, form, given)
        return
    at, start = named_floats(places), named_floats(starts)
    if isinstance(data, SpeedupsDocument):
        _show_laws(laws_of(data, study), at, form, target)
        return
    models = _slowest(_models(study, data), data, at)
    if not models.models:
        raise DataError(f"{study}: holds no models")
    if given["rates"] or given["capacities"]:
        machine = (
            named_floats(given["rates"], "--rate"),
            named_floats(given["capacities"], "--capacity"),
        )
        show(_needs_table(needs(models.models, at, *machine)), form)
        return
    start = {**{n: v for n, v in _largest(study, data).items() if n in at}, **start}
    _show_ranking(
        _Ranked(study, models, given["metric"] or _time_of(models), at, start), form, target
    )


def _time_of(models: Models) -> str:
    """The metric that kernels are ranked by where nobody says which."""
    times = {m.metric for m in models.models if _is_time(m)}
    return times.pop() if len(times) == 1 else "time"


def _is_time(model: Model) -> bool:
    return measures_time(model.metric, model.unit)


@dataclass(frozen=True)
class _Ranked:
    """What is ranked: the models in a file, by a metric, at a scale, on the way from `start`."""

    file: str
    models: Models
    metric: str
    at: Mapping[str, float]
    start: Mapping[str, float]

    def ranking(self) -> Ranking:
        """The kernels by what their models predict.

        Raises:
            DataError: no model is of the metric.
        """
        chosen = [m for m in self.models.models if m.metric == self.metric]
        if not chosen:
            raise DataError(
                f"{self.file}: no model of {self.metric}; there are"
                f" {', '.join(sorted({m.metric for m in self.models.models}))}"
            )
        return rank(chosen, self.at, self.start or None)


def _show_ranking(asked: _Ranked, form: str, target: str | None) -> None:
    found = asked.ranking()
    if target:
        write_json(_json(found, asked.at, asked.start), target)
    if target == "-":
        return
    show(_table(found), form)
    if form == "text":
        _say_crossings(found, asked.metric, known=bool(asked.start))
        if len({m.metric for m in asked.models.models}) > 1:
            tell()
            show(_requirements(asked.models.models, asked.at), form)


def _show_all(path: str, data: Compared, form: str, given: Mapping[str, Any]) -> None:
    """The study, or the laws in a file, and the classes of ranks that are known."""
    if isinstance(data, SpeedupsDocument):
        show(laws_table(laws_of(data, path)), form)
    elif isinstance(data, FittedDocument):
        show(clusters_table(data.kernels) if data.kernels else models_table(data), form)
    else:
        folder = path if Path(path).is_dir() else None
        show_study(data, form, given, with_remedies(answer(data, None, folder), folder))
        classes = _classes(Path(path)) if form == "text" and Path(path).is_dir() else ()
        if classes:
            tell()
            show(clusters_table(classes), form)


def _classes(folder: Path) -> tuple[KernelClasses, ...]:
    """The classes that counts tell apart among the ranks of a study's kernels, where it ran several
    and they diverge."""
    try:
        found, _ = study_observations(folder)
    except (DataError, RunError):
        return ()
    counted = by_rank_where_known(o for o in found if o.metric == "iterations")
    return (
        () if counted is None else kernel_classes(k for k in fit_diverging(counted) if k.diverges)
    )


def _slowest(models: Models, data: Compared, at: Mapping[str, float]) -> Models:
    """Of a kernel's classes of ranks the one with the greatest value there, since the others wait
    for it."""
    kernels = data.kernels if isinstance(data, FittedDocument) else ()
    kernel_of = {class_name(k.callpath, c.name): k.callpath for k in kernels for c in k.classes}
    best: dict[tuple[str, str], Model] = {}
    for m in models.models:
        key = kernel_of.get(m.callpath, m.callpath), m.metric
        if key not in best or float(m.evaluate(at)) > float(best[key].evaluate(at)):
            best[key] = m
    return Models(tuple(best.values()))


def _show_laws(
    laws: Sequence[Scaling], at: Mapping[str, float], form: str, target: str | None
) -> None:
    """Each call path at the target: time with its interval, speed-up, efficiency; the slowest
    first."""
    found = sorted(
        ((law.callpath, law.predict(at)) for law in laws), key=lambda pair: -float(pair[1]["time"])
    )
    total = sum(float(p["time"]) for _, p in found)
    keys = ("time", "lower", "upper", "speedup", "efficiency")
    records: tuple[tuple[Cell, ...], ...] = tuple(
        (name, *(float(p[k]) for k in keys), float(p["time"]) / total) for name, p in found
    )
    columns = (
        Column("callpath", "kernel", "path", 12),
        *(Column(k, k.replace("speedup", "speed-up"), "number") for k in keys),
        Column("share", "share", "number"),
    )
    if target:
        write_json(
            {
                "format": FORMAT,
                "at": dict(at),
                "kernels": [dict(zip([c.key for c in columns], r, strict=True)) for r in records],
            },
            target,
        )
    if target != "-":
        rows = tuple(
            (name, *(f"{float(p[k]):.4g}" for k in keys), f"{float(p['time']) / total:.1%}")
            for name, p in found
        )
        show(Table(columns, rows, records=Table(tuple(c.key for c in columns), records)), form)


def _models(path: str, data: StudyDocument | FittedDocument) -> Models:
    """The models in a study's directory, in a study or in a file of models."""
    inside = Path(path) / "models.json"
    if inside.is_file():
        return Models.of(load(inside, ModelsDocument, MODELS), str(inside))
    if isinstance(data, FittedDocument):
        return Models.of(data, path)
    found = (m for loop in data.loops for m in (loop.iterations_model, loop.time_model))
    return Models.of(ModelsDocument(MODELS, tuple(m for m in found if m is not None)), path)


def _largest(path: str, data: StudyDocument | FittedDocument) -> dict[str, float]:
    """The largest value of each parameter of a study in a directory."""
    if isinstance(data, FittedDocument) or not Path(path).is_dir():
        return {}
    return {p.name: float(max(p.values)) for p in data.parameters if p.values}


def _table(found: Ranking) -> Table:
    columns = (
        Column("callpath", "kernel", "path", 12),
        Column("value", "predicted", "number"),
        Column("lower", "lower", "number"),
        Column("upper", "upper", "number"),
        Column("share", "share", "number"),
        Column("before", "share before", "number"),
        Column("grows", "grows as", "formula", 10),
        Column("model", "model", "formula", 12),
    )
    rows = tuple(
        (
            r.model.callpath,
            f"{r.value:.4g}",
            _end(r.lower),
            _end(r.upper),
            f"{r.share:.1%}",
            "" if r.share_before is None else f"{r.share_before:.1%}",
            " ".join(f"{n}^{e:.2g}" for n, e in r.exponents.items()) or "constant",
            fewer_digits(r.model.formula),
        )
        for r in found.ranked
    )
    records = tuple(
        (
            r.model.callpath,
            r.value,
            r.lower,
            r.upper,
            r.share,
            r.share_before,
            str(dict(r.exponents)),
            r.model.formula,
        )
        for r in found.ranked
    )
    unsure = [r.model.callpath for r in found.ranked if not r.model.identifiable]
    note = f"not identifiable from its points: {', '.join(unsure)}" if unsure else ""
    told = Table(tuple(c.key for c in columns), records)
    left = ("share", "before") if _are_versions(found) else ()  # of a whole that they do not make
    kept = [k for k, c in enumerate(columns) if c.key not in left]
    shown = tuple(tuple(row[k] for k in kept) for row in rows)
    return Table(tuple(columns[k] for k in kept), shown, note=note, records=told)


def _end(value: float) -> str:
    return "unbounded" if abs(value) == float("inf") else f"{value:.4g}"


def _say_crossings(found: Ranking, metric: str, *, known: bool) -> None:
    """Which kernel is the slowest at the target, and where another one becomes it on the way; of
    versions of one thing also how much slower it is than the fastest."""
    is_time = all(_is_time(r.model) for r in found.ranked)
    what = "the slowest" if is_time else f"the one with the most {metric}"
    if not known:
        say(f"where another one becomes {what}: add --from p=64")
    for c in found.crossings if known else ():
        where = ", ".join(f"{n}={v:.3g}" for n, v in c.at.items())
        say(f"beyond {where} {what} is {c.after}, before that {c.before}")
    first, last = found.ranked[0], found.ranked[-1]
    if not _are_versions(found):
        if known:
            say(f"at the target {what} is {first.model.callpath}, with {first.share:.0%} of all")
        return
    least = "fastest" if is_time else "least"
    ratio = f", {first.value / last.value:.3g} times {last.value:.4g}" if last.value > 0 else ""
    told = f"at the target the {least} is {last.model.callpath}, and {what} {first.model.callpath}"
    sure = last.upper < first.lower
    say(told + ratio if sure else f"{told}, as far as the intervals tell them apart: they overlap")


def _are_versions(found: Ranking) -> bool:
    """Are the kernels versions of one thing, as f[impl=list] and f[impl=set] are? Their values are
    no parts of a whole."""
    bases = {r.model.callpath.partition("[")[0] for r in found.ranked}
    labelled = all(r.model.callpath.endswith("]") for r in found.ranked)
    return len(found.ranked) > 1 and len(bases) == 1 and labelled


def _requirements(models: Sequence[Model], at: Mapping[str, float]) -> Table:
    """Every kernel's metrics at the target, side by side."""
    metrics = tuple(dict.fromkeys(m.metric for m in models))
    kernels = tuple(dict.fromkeys(m.callpath for m in models))
    cells = {(m.callpath, m.metric): (f"{float(m.evaluate(at)):.4g}", str(m.lead)) for m in models}
    columns = (
        Column("callpath", "requirements of", "path", 12),
        *(Column(m, m, "formula", 10) for m in metrics),
    )
    return Table(columns, tuple((k, *(cells.get((k, m), "") for m in metrics)) for k in kernels))


def _needs_table(found: Sequence[Need]) -> Table:
    """Each kernel's requirements against a machine: the time each resource takes at least, and what
    binds."""
    metrics = tuple(dict.fromkeys(m for n in found for m in n.seconds))
    columns = (
        Column("callpath", "kernel", "path", 12),
        *(Column(m, f"{m}, s", "number") for m in metrics),
        Column("bound", "bound by", "word"),
        Column("overfull", "does not fit", "text", 8),
    )
    rows = tuple(
        (
            n.callpath,
            *(f"{n.seconds[m]:.4g}" if m in n.seconds else "" for m in metrics),
            n.bound or "-",
            ", ".join(f"{m} ({n.amounts[m]:.4g})" for m in n.overfull),
        )
        for n in found
    )
    total = sum(max(n.seconds.values(), default=0.0) for n in found)
    return Table(
        columns, rows, note=f"at least {total:.4g} s in all, if nothing overlaps between kernels"
    )


def _json(found: Ranking, at: Mapping[str, float], start: Mapping[str, float]) -> dict[str, object]:
    def finite(value: float) -> float | None:
        return value if abs(value) != float("inf") else None

    return {
        "format": FORMAT,
        "at": dict(at),
        "from": dict(start),
        "kernels": [
            {
                "callpath": r.model.callpath,
                "metric": r.model.metric,
                "value": r.value,
                "lower": finite(r.lower),
                "upper": finite(r.upper),
                "share": r.share,
                "share_before": r.share_before,
                "exponents": dict(r.exponents),
                "identifiable": r.model.identifiable,
            }
            for r in found.ranked
        ],
        "crossings": [
            {"before": c.before, "after": c.after, "at": dict(c.at)} for c in found.crossings
        ],
    }
