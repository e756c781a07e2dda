"""The end of a study: fit, compare, and write down everything in one document."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence, Set
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from looplaw_common.documents import builtins, convert
from looplaw_common.files import write_whole
from modeling import Models
from modeling.data.ranks import by_rank_where_known
from modeling.pmnf.machine_costs import Costs
from modeling.rank_classes.class_models import fit_diverging
from runtime import RunRecord, is_disturbed, points_disturbed
from staticana import Analysis, Count, FunctionResult, LoopResult, format_nest
from staticana.parallel import process_parameter

from ..documents.analysis import FunctionDocument
from ..documents.study import (
    CountedDocument,
    LoopLaw,
    MatrixDocument,
    RankedKernel,
    RunDocument,
    SourceDocument,
    StudyDocument,
    StudyLoop,
    SummaryDocument,
    SweptParameter,
    TimesDocument,
)
from ..exchange import observations_of
from ..laws.annotate import displayed, sources_of
from ..laws.comparison import Comparison, Row, compare, swept_laws
from ..laws.law_terms import in_range
from ..report.cells import counted_noun
from ..report.ranks import ranks_section
from ..settings.settings import study_options
from ..settings.sources import line_of
from .calls import calls
from .design import rank_number, words
from .live import Live
from .prepared import Prepared
from .provenance import environment, places
from .time_laws import with_time_laws


def finish(
    prepared: Prepared, live: Live, costs: Costs | None = None
) -> tuple[Comparison, Models, StudyDocument]:
    """Fit, compare, and put everything into one document; `costs` of the machine that the runs were
    made on, None where it is not known: then times are modelled without memory."""
    analysis, plan, lowest = prepared.analysis, prepared.plan, prepared.lowest
    every, live = live.runs, live.of_undisturbed()
    runs = observed_ranks(prepared, live.runs)
    swept = swept_laws(analysis, plan, runs, lowest, words(prepared.settings, analysis))
    models = with_time_laws(live.models(), prepared, live.runs, costs, swept.laws)
    comparison = compare(analysis, plan, runs, models, lowest, swept)
    return comparison, models, study_document(prepared, live, comparison, every)


def observed_ranks(prepared: Prepared, records: Iterable[RunRecord]) -> list[RunRecord]:
    """The runs process by process, each with its rank where formulas name it: a formula is that of
    one process."""
    name = rank_number(prepared.analysis)
    return [process for record in records for process in record.of_ranks(name)]


def study_document(
    prepared: Prepared, live: Live, comparison: Comparison, every: Sequence[RunRecord]
) -> StudyDocument:
    """The document that tables and reports are made from; `every`: the runs as they were made."""
    settings, analysis, rows = prepared.settings, prepared.analysis, comparison.rows
    processes = process_parameter({p.origin: p.name for p in analysis.parameters})
    sources, _ = sources_of(analysis, settings.program)
    timed = {r.loop.at for r in rows if r.time_model is not None}
    return StudyDocument(
        title=", ".join(p.name for p in settings.program),
        about=settings.about,
        program=tuple(str(p) for p in settings.program),
        created=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        parameters=_parameters(prepared, live.runs),
        options=study_options(settings),
        environment=dict(environment(settings)),
        runs=tuple(_run(r) for r in every),
        loops=tuple(_loop(prepared, row, sources) for row in rows),
        functions=tuple(_function(f, processes) for f in analysis.functions),
        calls=calls(analysis),
        ranks=_ranks(prepared, live, timed),
        sources=tuple(SourceDocument(file, text) for file, text in sources.items()),
        summary=SummaryDocument(
            loops=len(rows),
            exact=sum(r.loop.total.kind == "exact" for r in rows),
            obey=sum(r.obeys == "yes" for r in rows),
            miscounted=len(comparison.miscounted),
            failed_runs=sum(r.status != "ok" for r in live.runs),
            runs=len(live.runs),
            disturbed_runs=sum(r.ok and is_disturbed(r) for r in every),
            disturbed_points=points_disturbed(every),
            unchecked=len(comparison.unchecked),
            conclusion=conclusion(len(comparison.unchecked), len(rows)),
            **{
                quality: sum(r.model_quality == quality for r in rows)
                for quality in ("good", "weak", "extrapolating")
            },
        ),
    )


def conclusion(unchecked: int, loops: int) -> str | None:
    """What to say first of a study in which most loops were held against no law."""
    if not loops:
        return "inconclusive: no loops"
    if 2 * unchecked > loops:
        return f"inconclusive: {unchecked} of {counted_noun(loops, 'loop')} unchecked"
    return None


def _parameters(prepared: Prepared, runs: Iterable[RunRecord]) -> tuple[SweptParameter, ...]:
    """The parameters with the values that were run; the rank of a process is one where formulas
    name it."""
    origins = {p.name: p.origin for p in prepared.analysis.parameters}
    rank = rank_number(prepared.analysis)
    ranks = tuple(sorted({r.rank for run in runs for r in run.ranks})) if rank else ()
    values = {**prepared.settings.vary, **({rank: ranks} if rank and ranks else {})}
    return tuple(SweptParameter(n, origins.get(n, "args"), tuple(v)) for n, v in values.items())


def _run(r: RunRecord) -> RunDocument:
    return RunDocument(
        dict(r.params),
        r.repetition,
        r.status,
        r.exit_code,
        r.reason,
        r.elapsed_s,
        r.cpu_s,
        r.stderr,
        r.waited_s,
    )


def _function(f: FunctionResult, processes: str | None) -> FunctionDocument:
    document = convert(f.to_json(), FunctionDocument, f.name)
    return msgspec.structs.replace(document, display=displayed(f, processes))


def _ranks(prepared: Prepared, live: Live, kernels: Set[str]) -> tuple[RankedKernel, ...]:
    """What the report says of the ranks of these kernels; nothing where all runs are of one
    process."""
    counters = places(prepared)
    observed = (
        o for run in live.runs for o in observations_of(run, counters) if o.callpath in kernels
    )
    found = by_rank_where_known(observed)
    return () if found is None else ranks_section(fit_diverging(found))


def _loop(prepared: Prepared, row: Row, sources: Mapping[str, str]) -> StudyLoop:
    """A loop with its law, what was counted and measured, and the verdict."""
    loop = row.loop
    nest = [
        (r.nesting, r.matrix) for r in _nest(prepared.analysis, loop.at) if r.matrix is not None
    ]
    return msgspec.structs.replace(
        convert(loop.to_json(), StudyLoop, loop.at),
        source=line_of(sources, loop.at),
        display=row.display or _shown(loop.total, prepared.lowest),
        display_per_call=_shown(loop.per_call, prepared.lowest),
        matrix=MatrixDocument(format_nest(nest)) if nest and loop.nesting == 1 else None,
        counted=tuple(convert(c.to_json(), CountedDocument, loop.at) for c in row.counted),
        obeys=row.obeys,
        iterations_model=row.iterations_model.document if row.iterations_model else None,
        kernel=row.kernel,
        time=None
        if row.times is None
        else tuple(TimesDocument(dict(p), tuple(v)) for p, v in row.times),
        time_model=row.time_model.document if row.time_model else None,
        growth_ratio=row.growth_ratio,
        verdict=row.verdict,
        verdict_reason=row.reason,
        model_quality=row.model_quality,
        model_error=row.model_error,
        law=None if row.law is None else convert(row.law.to_json(), LoopLaw, loop.at),
    )


def _shown(count: Count, lowest: Mapping[str, int]) -> str | None:
    """The formula without the guards that are idle over the values swept."""
    return None if count.formula is None else str(in_range(count.formula, lowest))


def _nest(analysis: Analysis, at: str) -> list[LoopResult]:
    """The loop at `at` and those inside it, in the order of the source."""
    inside = {at}
    found = []
    for loop in analysis.loops:
        if loop.at == at or loop.parent in inside:
            inside.add(loop.at)
            found.append(loop)
    return found


def write(folder: Path, study: StudyDocument, models: Models) -> None:
    """study.json and models.json; each is whole or not there."""
    for name, data in (("study.json", builtins(study)), ("models.json", models.to_json())):
        write_whole(folder / name, json.dumps(data, indent=1))
