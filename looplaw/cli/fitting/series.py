"""Models of measurements series by series, in the performance model normal form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, isfinite
from pathlib import Path
from typing import TYPE_CHECKING

from looplaw_common.errors import InputError
from looplaw_common.files import write_whole
from modeling import Measurements, fit, read, read_files
from modeling.data.units import measures_time
from modeling.fitter.fit import fittable
from modeling.readers.choice import NOTHING, Choice

from ...documents.observations import measured, title_of
from ...report.measured import measured_study, ranked_models
from ...report.model_tables import models_table
from ..console import note_bare_logarithms, say, tell_lines

if TYPE_CHECKING:
    from modeling.data.ranks import RankedMeasurements
    from modeling.pmnf.documents import ModelsDocument
    from modeling.pmnf.model import Models
    from modeling.pmnf.terms import Prior

    from ...report.grid import Table

_MOST_LAWS = 16
"""Series of which the law of scalability is said."""
_PARAMETERS = (
    "hyperfine has them with --parameter-list n 64,128 './prog {n}', Google Benchmark with"
    " ->Arg(64), pytest-benchmark with pytest.mark.parametrize"
)


@dataclass(frozen=True)
class SeriesOptions:
    """What is read and how it is fitted. pattern: parameters in the paths of files; laws: forms
    that are known; analysis: a file of `looplaw analyze --json`; html: where a report is written;
    draws: whether the leading series is drawn before the table.
    """

    pattern: str | None
    method: str
    laws: tuple[str, ...]
    analysis: str | None
    follow: bool
    strict: bool
    html: Path | None
    choice: Choice = NOTHING
    draws: bool = False


def fit_series(files: Sequence[str], options: SeriesOptions) -> tuple[ModelsDocument, Table]:
    """Model every series; the models, and the table with the slowest at scale first.

    Raises:
        InputError: no such file, or an option that does not fit the measurements.
        DataError: the measurements cannot be read.
    """
    measurements, ranks = _measured(files, options)
    title = ", ".join(map(title_of, files[:3]))
    ranking = _ranking(measurements)
    if not measurements.parameters:
        done = "its series are ranked" if ranking is not None else _PARAMETERS
        say(f"{title_of(files[0])}: no observation has a parameter, so nothing grows; {done}")
    static, known = _known(options, measurements)
    if not options.strict and options.method == "default":
        before = len(measurements.left_out)
        measurements = fittable(measurements, static | known)
        for reason in measurements.left_out[before:]:
            say(f"{reason}; the series is left out")
    models = fit(measurements, static | known, method=options.method)
    if known:
        from ...laws.priors import doubtful

        for remark in doubtful(known, measurements):
            say(remark)
    _say_scalability(measurements)
    if options.html:
        from ...report.html import render_html

        page = render_html(measured_study(measurements, models, title=title, ranked=ranks))
        write_whole(options.html, page)
        say(f"report: {options.html.resolve()}")
    if ranking is not None:
        return models.document, ranking
    if options.draws and (drawn := _drawn(measurements, models)):
        tell_lines(drawn + "\n")
    return models.document, models_table(ranked_models(measurements, models).document)


def _ranking(measurements: Measurements) -> Table | None:
    """The table of series in their places, where none of several grows."""
    if len(measurements.series) < 2 or any(len(s.means) > 1 for s in measurements.series):
        return None
    from ...report.standings import standings_of, standings_table

    found = standings_of(measurements.series)
    return standings_table(found) if found else None


def _say_scalability(measurements: Measurements) -> None:
    """One line for each series of times over a number of workers that follows the universal
    scalability law: contention, coherency, and where the peak is."""
    from modeling.scaling.usl import scalability

    for series in measurements.series[:_MOST_LAWS]:
        law = scalability(series)
        if law is None:
            continue
        contention, coherency = law.contention[0], law.coherency[0]
        peak, low, high = law.peak
        told = f"contention {contention:.2g}, coherency {coherency:.2g}"
        if peak == inf:
            most = f", so at most {1 / contention:.3g} times as fast" if contention > 0 else ""
            told = f"no peak (Amdahl's law with serial share {contention:.2g}{most})"
        elif peak < 1.5:
            told += f"; more {law.parameter} never help"
        else:
            end = f"{high:.3g}" if isfinite(high) else "none"
            told += f"; peak at {law.parameter} = {peak:.3g} ({low:.3g} to {end})"
        say(f"{series.callpath}, {series.metric}: universal scalability law: {told}")


def _drawn(measurements: Measurements, models: Models) -> str:
    """The picture of the series whose law is the greatest beyond its points; of times, where there
    are any."""
    from ...report.braille import REACH, picture

    best: tuple[bool, float] = (False, -1.0)
    chosen = None
    for series in measurements.series:
        model = models.find(series.callpath, series.metric)
        if model is None or not series.parameters:
            continue
        at = {n: REACH * float(series.points[:, k].max()) for k, n in enumerate(series.parameters)}
        key = measures_time(series.metric, series.unit), float(model.value_at(at))
        if key > best:
            best, chosen = key, (series, model)
    return "" if chosen is None else picture(*chosen)


def fitted(source: str) -> Models:
    """The models of the series in a file of measurements that can be fitted.

    Raises:
        InputError: no such file, or of a kind that no reader knows.
        DataError: the content is wrong.
    """
    measurements = fittable(read_measurements([source], None), {})
    found: Models = fit(measurements)
    return found


def _known(
    options: SeriesOptions, measurements: Measurements
) -> tuple[dict[tuple[str, str], Prior], dict[tuple[str, str], Prior]]:
    """What the analysis says, and the forms of laws that the options give."""
    if not options.laws and not options.analysis:
        return {}, {}
    from ...laws.priors import file_priors, law_priors, parse_law_option

    laws = tuple(map(parse_law_option, options.laws))
    note_bare_logarithms(law.formula for law in laws)
    known = law_priors(laws, measurements)
    return file_priors(options.analysis, measurements) if options.analysis else {}, known


def _measured(
    files: Sequence[str], options: SeriesOptions
) -> tuple[Measurements, RankedMeasurements | None]:
    """The measurements; for a report also with their ranks apart."""
    if options.follow:
        from ..follow import followed

        return followed(files[0], options.method), None
    if options.html and len(files) == 1 and options.pattern is None and not options.choice:
        return measured(files[0], strict=options.strict)
    return read_measurements(
        files, options.pattern, strict=options.strict, choice=options.choice
    ), None


def read_measurements(
    files: Sequence[str], pattern: str | None, *, strict: bool = False, choice: Choice = NOTHING
) -> Measurements:
    """What one file or several hold; `strict` refuses them where a series cannot be used. How the
    columns of a table were taken is said in a line.

    Raises:
        InputError: no such file, or of a kind that no reader knows.
        DataError: the content is wrong.
    """
    if not files:
        raise InputError("name a file of measurements")
    if len(files) == 1 and pattern is None:
        found = read(files[0], strict=strict, choice=choice)
    else:
        found = read_files(files, pattern, strict=strict, choice=choice)
    if found.reading and not choice:
        say(f"{title_of(files[0])}: {found.reading}")
    return found
