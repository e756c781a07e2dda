"""Whether what users state holds in the runs of a study.

Relations are held against the parameters of every run. A law is held against the formula of its
function where there is one that decides, else against the counts: of its loop, or of all loops of a
function that a run calls once.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from operator import or_

from looplaw_common.errors import InputError
from modeling.data.observations import Point
from modeling.expectations.expectations import Evidence, Finding, Law, judge
from modeling.expectations.formula_verdict import FormulaVerdict
from modeling.pmnf.assumed_formula import NOTHING_ASSUMED
from modeling.pmnf.region import Region

from ..check.comments import Statement, owner, read_comments
from ..check.evidence import observed, sample_of
from ..check.laws_toml import Assumed
from ..check.relations import Relation
from ..documents.count import CountDocument
from ..documents.study import StudyDocument, StudyLoop
from .program import Law as Count
from .program import Symbol
from .stated import as_law, found_so, is_written, judge_count

_MANY_CALLS = "its counts are those of a whole run, in which it may be called several times"


def hold_in_study(study: StudyDocument, assumed: Sequence[Assumed] = ()) -> tuple[Finding, ...]:
    """The findings of the comments in a study's sources, and of the relations of laws.toml."""
    known: list[tuple[str, Relation]] = []
    laws: list[tuple[str, Statement, StudyLoop | None]] = []
    for source in study.sources:
        if "looplaw" not in source.text.lower():
            continue
        lines = [
            (f.name, f.line)
            for f in study.functions
            if f.line
            and _is_same(f.file, source.file)
            and is_written(f.name, f"{source.file}:{f.line}", source.file, source.text)
        ]
        loops = {int(loop.at.split(":")[1]): loop for loop in _loops_in(study, source.file)}
        for statement in read_comments(source.file, source.text):
            about = owner(statement, source.text, lines, tuple(loops))
            known += [(about.name or "*", r) for r in statement.relations]
            if statement.law is not None:
                loop = loops.get(about.line) if about.kind == "loop" else None
                name = about.name if loop is None else loop.function
                laws.append((name, statement, loop))
    found = [_relation(study, name, r) for name, r in known]
    found += [_relation(study, a.function, r) for a in assumed for r in a.relations]
    for name, statement, loop in laws:
        region = Region(tuple(r for owner_, r in known if owner_ in (name, "*")))
        found.append(_law(study, name, statement, loop, region))
    return tuple(found)


def _loops_in(study: StudyDocument, file: str) -> list[StudyLoop]:
    return [loop for loop in study.loops if _is_same(loop.at.partition(":")[0], file)]


def _is_same(file: str | None, known: str) -> bool:
    return file is not None and (file == known or file.endswith(f"/{known}"))


def _relation(study: StudyDocument, name: str, r: Relation) -> Finding:
    law, at, where = as_law(r, name), r.at or None, f"stated at {r.at}" if r.at else "stated"
    runs = [run for run in study.runs if run.status == "ok"]
    judged = 0
    for run in runs:
        values = {k: Fraction(str(v)) for k, v in run.params.items()}
        try:
            verdict = r.holds(values)
        except InputError:
            continue
        judged += verdict is not None
        if verdict is False:
            point = ", ".join(f"{k}={v}" for k, v in run.params.items() if k in r.symbols)
            return Finding(law, name, "broken", f"a run had {point}; {where}", at=at)
    if judged:
        return Finding(law, name, "holds", f"in all {judged} runs", at=at)
    names = {p.name for p in study.parameters}
    unknown = ", ".join(sorted(r.symbols - names)) or "the runs"
    return Finding(law, name, "unchecked", f"no parameter of the study: {unknown}", at=at)


def _law(
    study: StudyDocument, name: str, statement: Statement, loop: StudyLoop | None, region: Region
) -> Finding:
    assert statement.law is not None
    law = replace(statement.law, kernel=name)
    loops = _run_by(study, law, name, loop)
    by_runs = None if isinstance(loops, str) else _by_counts(law, name, loops)
    if by_runs is not None and by_runs.status == "broken":
        return replace(by_runs, at=statement.at)
    verdict = _by_formula(study, law, name, loop, region)
    if verdict.status == "unchecked":
        if isinstance(loops, str):
            return found_so(
                law, name, replace(verdict, reason=loops or verdict.reason), statement.at
            )
        verdict = _by_laws(law, loops, region)
    if verdict.status == "broken" or by_runs is None:
        return found_so(law, name, verdict, statement.at)
    if verdict.status == "unchecked":
        return replace(by_runs, at=statement.at)
    return found_so(law, name, verdict, statement.at)


def _by_laws(law: Law, loops: Sequence[StudyLoop], region: Region) -> FormulaVerdict:
    """By the laws that were found in the counts of all runs, or proved."""
    laws = [k.law.formula for k in loops if k.law is not None and not k.law.holds_for]
    if not laws or len(laws) < len(loops):
        return FormulaVerdict("unchecked", "no run counted it")
    totals = [loop.total for loop in loops if loop.total is not None]
    assumed = reduce(or_, (t.rests_on for t in totals), NOTHING_ASSUMED)
    names = [n for loop in loops if loop.law is not None for n in loop.law.values]
    conditions = tuple(c.text for c in assumed.about(names).conditions)
    return judge_count(
        law, Count(" + ".join(f"({text})" for text in laws), conditions=conditions), region
    )


def _by_counts(law: Law, name: str, loops: Sequence[StudyLoop]) -> Finding | None:
    """By the counts of all runs; None where there are none."""
    counted = _counted(loops)
    if not counted:
        return None
    try:
        found = judge(law, name, Evidence(sample_of(counted)))
    except InputError as error:
        return Finding(law, name, "unchecked", str(error))
    return replace(found, reason=f"{found.reason} (counted)")


def _by_formula(
    study: StudyDocument, law: Law, name: str, loop: StudyLoop | None, region: Region
) -> FormulaVerdict:
    if loop is not None:
        if loop.inner and law.metric != "iterations":
            return FormulaVerdict("unchecked", "the loops inside are counted by themselves")
        return judge_count(law, _count(loop.total), region)
    f = next((f for f in study.functions if f.name == name), None)
    if f is None:
        return FormulaVerdict("unchecked", "the function is not in the study")
    count = f.work if law.metric == "work" else f.operations.get(law.metric)
    return judge_count(law, _count(count), region)


def _count(c: CountDocument | None) -> Count:
    if c is None:
        return Count(reason="it is not known")
    symbols = (
        Symbol(o.symbol, "fraction" if o.meaning.startswith("fraction ") else "mean", (), o.meaning)
        for o in c.opaque
        if c.formula is None or re.search(rf"\b{re.escape(o.symbol)}\b", c.formula)
    )
    assumed = c.rests_on
    conditions = (*(r.text for r in assumed.conditions), *assumed.unread)
    return Count(c.formula, c.lower, c.upper, tuple(symbols), c.reason, conditions, assumed.words)


def _run_by(
    study: StudyDocument, law: Law, name: str, loop: StudyLoop | None
) -> list[StudyLoop] | str:
    """The loops whose counts are those of a law; else why there are none."""
    if loop is not None:
        at = {loop.at, *(_below(study, loop) if law.metric != "iterations" else ())}
        return [other for other in study.loops if other.at in at]
    if law.metric != "work":
        return f"its {law.metric} are not counted"
    if name == "main":
        return list(study.loops)
    if not _is_called_once(study, name, ()):
        return _MANY_CALLS
    if any(call.caller == name for call in study.calls):
        return "the loops of what it calls are counted by themselves"
    return [other for other in study.loops if other.function == name]


def _counted(loops: Sequence[StudyLoop]) -> dict[Point, list[float]]:
    """Iterations of all loops together at each point."""
    total: dict[Point, list[float]] = {}
    for other in loops:
        for point, values in observed(other)[0].items():
            total[point] = [sum(values) + sum(total.get(point, ()))]
    return total


def _below(study: StudyDocument, loop: StudyLoop) -> set[str]:
    by_place = {other.at: other for other in study.loops}
    todo, found = list(loop.inner), set[str]()
    while todo:
        at = todo.pop()
        if at not in found and at in by_place:
            found.add(at)
            todo += by_place[at].inner
    return found


def _is_called_once(study: StudyDocument, name: str, above: tuple[str, ...]) -> bool:
    calls = [call for call in study.calls if call.callee == name]
    if name == "main":
        return not calls
    if len(calls) != 1 or calls[0].loop is not None or name in above:
        return False
    return _is_called_once(study, calls[0].caller, (*above, name))
