"""What users state of functions, in comments and in laws.toml, and whether it holds.

A law is held against the law of its function, or loop, in the function's own arguments: so it holds
for every caller. A relation is held against what the calls in the program pass; where that is not
known, it is for a run to tell.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from looplaw_common.errors import InputError
from modeling.expectations.expectations import Finding, Law
from modeling.expectations.formula_verdict import (
    Bound,
    Fit,
    FormulaVerdict,
    assuming,
    hold_growth,
    hold_values,
)
from modeling.pmnf.assumed_formula import AssumedFormula
from modeling.pmnf.law_comparison import compare_laws
from modeling.pmnf.region import EVERYWHERE, Number, Region

from ..check.comments import Statement, owner, read_comments
from ..check.evidence import Subject
from ..check.laws_toml import Assumed
from ..check.relations import Relation, Sign
from .call_sites import Passed, passed_at_calls
from .nests import Nest, nests
from .program import FunctionLaws, total_of
from .program import Law as Count
from .versions import Unit

_TURNED: dict[Sign, Sign] = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "=="}
_WORD = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True)
class Stated:
    """A statement, and the function it is about; None: all of its file. loop: the line of the loop
    that its law is about."""

    statement: Statement
    function: FunctionLaws | None
    loop: int | None = None


def stated_in(unit: Unit) -> tuple[Stated, ...]:
    """The statements in the sources of a program, in those that they include, too.

    Raises:
        InputError: one that cannot be read, is about nothing, or names what its function does not.
    """
    found: list[Stated] = []
    for name, text in unit.texts.items():
        if "looplaw" not in text.lower():
            continue
        functions = [f for f in unit.outline.functions if is_written(f.name, f.at, name, text)]
        lines = [(f.symbol, _line_of(f)) for f in functions]
        places = (at.rsplit(":", 2) for at in unit.outline.places)
        loops = [int(place[1]) for place in places if place[0] == name]
        for statement in read_comments(name, text):
            about = owner(statement, text, lines, loops)
            line, loop = about.line, None
            if about.kind == "loop":
                line, loop = max((n for _, n in lines if n <= line), default=0), line
            # several are instances of one template
            instances = [f for f in functions if _line_of(f) == line]
            found += [Stated(statement, f, loop) for f in instances or (None,)]
            _expect_known(found[-1], text)
    return tuple(found)


def is_written(function: str, at: str, file: str, text: str) -> bool:
    """Is a function written where it is said to be? Those that a compiler adds to a class are
    not."""
    known, _, line = at.rpartition(":")
    if known != file:
        return False
    name = re.sub(r"<.*", "", function).rpartition("::")[2]
    here = "\n".join(text.splitlines()[int(line) - 1 : int(line) + 2])
    return re.search(rf"{re.escape(name)}\s*(?:[(<]|$)", here, re.MULTILINE | re.I) is not None


def _line_of(f: FunctionLaws) -> int:
    return int(f.at.rpartition(":")[2])


def _expect_known(s: Stated, text: str) -> None:
    """That the names of a statement are written in the source outside of such comments."""
    names = {n for r in s.statement.relations for n in r.symbols}
    names |= s.statement.law.formula.symbols if s.statement.law is not None else set()
    said = {word for line in text.splitlines() if "looplaw" not in line for word in _words(line)}
    arguments = () if s.function is None else s.function.arguments
    for name in sorted(names - said - set(arguments)):
        where = "this file" if s.function is None else s.function.name
        known = f" ({', '.join(arguments[:6])})" if arguments else ""
        raise InputError(f"{s.statement.at}: {name}: nothing in {where} has this name{known}")


def _words(line: str) -> Iterable[str]:
    return _WORD.findall(line.split("//")[0])


def regions(
    units: Sequence[Unit], assumed: Sequence[Assumed] = ()
) -> Callable[[FunctionLaws], Region]:
    """What is stated of the arguments of each function."""
    known = [s for unit in units for s in stated_in(unit)]

    def region(f: FunctionLaws) -> Region:
        found = [r for s in known if _is_about(s, f) for r in s.statement.relations]
        found += [r for a in assumed if fnmatchcase(f.name, a.function) for r in a.relations]
        return Region(tuple(found)) if found else EVERYWHERE

    return region


def _is_about(s: Stated, f: FunctionLaws) -> bool:
    if s.function is None:
        return s.statement.file == f.at.rpartition(":")[0]
    return s.function.symbol == f.symbol and s.function.at == f.at


def hold_stated(units: Sequence[Unit], assumed: Sequence[Assumed] = ()) -> tuple[Finding, ...]:
    """Whether all that is stated holds, without a run."""
    region = regions(units, assumed)
    found: list[Finding] = []
    for unit in units:
        for s in stated_in(unit):
            if s.statement.law is not None and s.function is not None:
                found.append(_law(unit, s, region))
        found += _relations(unit, region)
    names = {f.name for unit in units for f in unit.outline.functions}
    for a in assumed if names else ():
        if not any(fnmatchcase(name, a.function) for name in names):
            found += [
                Finding(as_law(r, a.function), a.function, "unmatched", "no function has this name")
                for r in a.relations
            ]
    return tuple(found)


def as_law(r: Relation, function: str) -> Law:
    """A relation in the form of a law: the side that names a parameter is its metric."""
    if r.left.symbols:
        return Law(function, r.left.text, r.sign, r.right)
    return Law(function, r.right.text, _TURNED[r.sign], r.left)


def _law(unit: Unit, s: Stated, region: Callable[[FunctionLaws], Region]) -> Finding:
    assert s.function is not None
    assert s.statement.law is not None
    law, name = replace(s.statement.law, kernel=s.function.name), s.function.name
    laws = unit.alone(s.function)
    if laws is None:
        why = "the function cannot be analysed by itself"
        return Finding(law, name, "unchecked", why, at=s.statement.at)
    count = _count(laws, law, s)
    verdict = judge_count(law, count, region(s.function))
    remark = f"; stated at {s.statement.at}" if verdict.status == "broken" else ""
    return found_so(law, name, verdict, s.statement.at, remark)


def found_so(
    law: Law, name: str, verdict: FormulaVerdict, at: str | None, remark: str = ""
) -> Finding:
    """The finding that a verdict is."""
    reason = verdict.reason + remark
    is_open = verdict.is_open or verdict.status == "unchecked"
    return Finding(law, name, verdict.status, reason, at=at, where=verdict.where, is_open=is_open)


def _count(laws: FunctionLaws, law: Law, s: Stated) -> Count:
    """What a law bounds."""
    if s.loop is not None:
        at = f"{s.statement.file}:{s.loop}:"
        here = [loop for loop in laws.loops if loop.at.startswith(at)]
        if not here:
            return Count(reason="the loop is not in the code that is compiled, or never runs")
        if law.metric == "iterations":
            return total_of([loop.total for loop in here])
        around = [n for n in _all_nests(laws) if n.loop.at.startswith(at)]
        return around[0].law if len(around) == 1 else total_of([n.law for n in around])
    if law.metric == "work":
        return laws.work
    if law.metric == "library_steps" and laws.library is not None:
        return laws.library
    return laws.operations.get(law.metric, Count(reason=f"its {law.metric} are not known"))


def _all_nests(laws: FunctionLaws) -> list[Nest]:
    todo, found = list(nests(laws.loops)), []
    while todo:
        nest = todo.pop(0)
        found.append(nest)
        todo += nest.below
    return found


def judge_count(law: Law, count: Count, region: Region) -> FormulaVerdict:
    """Does a count keep a law at all points of a region where its assumptions hold?"""
    try:
        if law.relation == "O":
            return _growth(law, count, region)
        return _values(law, count, region)
    except InputError as error:
        return FormulaVerdict("unchecked", str(error))


def relieved(
    found: Sequence[Finding], subjects: Sequence[Subject], assumed: Sequence[Assumed]
) -> tuple[Finding, ...]:
    """Findings of laws of laws.toml, those that formulas break or leave open judged again where the
    relations that it states hold."""
    formulas = {(s.names[0], s.metric): s.evidence.formula for s in subjects}
    judged = []
    for f in found:
        formula = formulas.get((f.kernel, f.law.metric))
        name = f.kernel.partition("[")[0]
        stated = [r for a in assumed if fnmatchcase(name, a.function) for r in a.relations]
        if f.status in ("broken", "holds where", "unchecked") and formula is not None and stated:
            count = Count.of(formula)
            verdict = judge_count(f.law, count, Region(tuple(stated)))
            if verdict.status in ("holds", "holds where"):
                said = ", ".join(r.text for r in stated)
                judged.append(found_so(f.law, f.kernel, verdict, f.at, f", where {said}"))
                continue
        judged.append(f)
    return tuple(judged)


def _unbounded(law: Law, count: Count) -> list[str]:
    """What a formula depends on besides parameters, and the law does not name."""
    known = law.formula.symbols
    return [s.meaning for s in count.symbols if s.kind == "mean" and s.name not in known]


def _fit(region: Region) -> Fit | None:
    return None if region.is_everywhere else lambda at: region.fitted(at, ())


def _growth(law: Law, count: Count, region: Region) -> FormulaVerdict:
    fixed: dict[str, Number] = {s.name: 1 for s in count.symbols if s.kind == "fraction"}
    formula, upper, lower = map(count.guarded, (count.formula, count.upper, count.lower))
    said = assuming(count.words)
    unknown = _unbounded(law, count)
    if formula is not None and not unknown:
        grown = compare_laws(law.formula, formula, fixed=fixed, region=region)
        if grown.reason:
            return FormulaVerdict("unchecked", grown.reason)
        if grown.faster:
            faster = ", ".join(grown.faster)
            return FormulaVerdict("broken", f"grows like {formula.text}, faster in {faster}")
        return hold_growth(formula, _fit(region), f"the formula is {formula.text}{said}")
    means = {s.name for s in count.symbols if s.kind == "mean"}
    if upper is not None and not upper.symbols & means:
        most = compare_laws(law.formula, upper, fixed=fixed, region=region)
        if not most.faster and not most.reason:
            return hold_growth(upper, _fit(region), f"at most {upper.text}{said}")
    if lower is not None and not lower.symbols & means:
        least = compare_laws(law.formula, lower, fixed=fixed, region=region)
        if least.faster:
            faster = ", ".join(least.faster)
            return FormulaVerdict("broken", f"at least {lower.text}, faster in {faster}")
    why = count.reason or f"it depends on the {', '.join(unknown if formula else [])}"
    return FormulaVerdict("unchecked", f"{why}; hold it by a run: looplaw check STUDY")


def _values(law: Law, count: Count, region: Region) -> FormulaVerdict:
    """A bound of values, where the parameters may be by what is stated of them."""
    formula, upper, lower = map(count.guarded, (count.formula, count.upper, count.lower))
    unknown = {s.name for s in count.symbols if s.kind in ("mean", "fraction")}

    def held(relation: Bound, guarded: AssumedFormula, said: str) -> FormulaVerdict:
        given, fit = law.tolerance or 0.0, _fit(region)
        return hold_values(relation, law.formula, guarded, tolerance=given, fit=fit, said=said)

    if formula is not None and not formula.symbols & unknown:
        return held(law.relation, formula, "the formula is")
    sides: tuple[tuple[Bound, Bound, AssumedFormula | None, str], ...] = (
        ("<=", ">=", upper, "at most"),
        (">=", "<=", lower, "at least"),
    )
    for proves, refutes, bound, said in sides:
        if bound is None or bound.symbols & unknown:
            continue
        if law.relation == proves:
            verdict = held(proves, bound, said)
            if verdict.status in ("holds", "holds where"):
                return verdict
        else:
            verdict = held(refutes, bound, said)
            if verdict.status == "broken":
                return replace(verdict, reason=f"{said} {bound.text}: {verdict.reason}")
    return FormulaVerdict("unchecked", count.reason or "it is not known exactly")


def _relations(unit: Unit, region: Callable[[FunctionLaws], Region]) -> list[Finding]:
    """Relations against what the calls of each function pass: those of its arguments, and those
    that are stated of it and no other."""
    own = {
        (s.function.symbol, r)
        for s in stated_in(unit)
        if s.function is not None
        for r in s.statement.relations
    }
    known: dict[str, list[Relation]] = {}
    for f in unit.outline.functions:
        about = [
            r for r in region(f).relations if r.symbols & set(f.arguments) or (f.symbol, r) in own
        ]
        if about:
            known[f.symbol] = about
    found = []
    for f in unit.outline.functions:
        if f.symbol in known:
            passed = passed_at_calls(unit.code[0], f.symbol, known)
            found += [_relation(r, f, passed) for r in known[f.symbol]]
    return found


def _relation(r: Relation, f: FunctionLaws, passed: Mapping[Relation, Passed]) -> Finding:
    law, at = as_law(r, f.name), r.at or f.at
    known = passed.get(r)
    if known is None:
        why = "what the calls pass is not known without a run"
        return Finding(law, f.name, "unchecked", why, at=at)
    remark = f"; stated at {at}" if known.status == "broken" else ""
    return Finding(law, f.name, known.status, known.reason + remark, at=known.at or at)
