"""Every formula against the truth at every entry of its loop, and the totals of exact loops.

The program is built once, counted and with its entries recorded, and run at each parameter vector.
An entry is a counterexample when its formula, with the values that its symbols had there, gives
another number than the iterations that were made, although all that the formula needs was true.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from looplaw_common.documents import builtins, convert
from looplaw_common.scratch import scratch_folder
from modeling import Models
from runtime import (
    EntryPlan,
    Recorded,
    RunError,
    RunRecord,
    Seen,
    build_program,
    files_of_run,
    plan_entries,
    rank_of,
    read_entries,
    run,
)
from staticana import Analysis, Count, EntryFormula, LoopResult
from staticana.expr import Expr, Number, Sum

from ..documents.count import CountDocument
from ..documents.study import CountedDocument
from ..documents.verification import (
    VERIFICATION,
    CounterexampleDocument,
    VerificationDocument,
    VerificationSummary,
    VerifiedLoop,
    VerifiedRun,
)
from ..laws.binding import given_values
from ..laws.comparison import Comparison, Row, compare, swept_laws
from .building import is_cxx
from .design import rank_number, words
from .finish import observed_ranks
from .prepared import Prepared

Outcome = Literal["agrees", "wrong", "outside", "open"]
_UNREAD = (-(1 << 31), -1, 0, 1, 2, 3, (1 << 31) - 1)
_MOST_SUMS = 200


@dataclass(frozen=True)
class Counterexample:
    """An entry that its formula does not fit: values by readable name, the command line's
    parameters among them."""

    iterations: int
    expected: str
    values: Mapping[str, int]
    formula: str
    note: str


@dataclass(frozen=True)
class LoopCheck:
    """One source loop. entries: those that were made; checked: agreeing and wrong ones; outside:
    what the formula needs was not true; open: a value that the formula uses was never computed, or
    it cannot be evaluated; missed: the table was full. `kind` is what was checked: "formula",
    "bounds" or "nothing", for the `reason` given.
    """

    loop: LoopResult
    kind: Literal["formula", "bounds", "nothing"]
    entries: int
    agree: int
    wrong: int
    outside: int
    open: int
    missed: int
    reason: str | None
    counterexample: Counterexample | None

    @property
    def checked(self) -> int:
        return self.agree + self.wrong

    @property
    def elsewhere(self) -> int:
        """Entries that were not left by the loop's own exits: by exceptions, exit(), longjmp(), or
        not at all."""
        return max(0, self.entries - self.checked - self.outside - self.open - self.missed)

    def document(self, totals: Row) -> VerifiedLoop:
        """The loop as documents hold it, with its totals run by run."""
        found = self.counterexample
        return VerifiedLoop(
            at=self.loop.at,
            function=self.loop.function,
            nesting=self.loop.nesting,
            per_entry=_count(self.loop.per_entry),
            checked_by=self.kind,
            entries=self.entries,
            checked=self.checked,
            agree=self.agree,
            outside_assumptions=self.outside,
            undetermined=self.open,
            not_recorded=self.missed,
            not_left=self.elsewhere,
            reason=self.reason,
            counterexample=None
            if found is None
            else CounterexampleDocument(
                found.iterations, found.expected, dict(found.values), found.formula, found.note
            ),
            total=_count(self.loop.total),
            total_obeys=totals.obeys,
            total_counted=tuple(
                convert(n.to_json(), CountedDocument, self.loop.at) for n in totals.counted
            ),
        )


def _count(count: Count) -> CountDocument:
    return convert(count.to_json(), CountDocument, "count")


@dataclass(frozen=True)
class Verification:
    """All loops checked: at their entries, and by totals."""

    loops: tuple[LoopCheck, ...]
    totals: Comparison
    runs: tuple[RunRecord, ...]
    interrupted: bool

    @property
    def failed(self) -> int:
        return sum(r.status != "ok" for r in self.runs)

    @property
    def wrong(self) -> tuple[LoopCheck, ...]:
        return tuple(c for c in self.loops if c.wrong)

    @property
    def document(self) -> VerificationDocument:
        """The document "looplaw-verification/1"."""
        totals = {row.loop.at: row for row in self.totals.rows}
        return VerificationDocument(
            VERIFICATION,
            tuple(VerifiedRun(dict(r.params), r.argv, r.status, r.reason) for r in self.runs),
            tuple(c.document(totals[c.loop.at]) for c in self.loops),
            VerificationSummary(
                loops=len(self.loops),
                wrong_at_entry=len(self.wrong),
                wrong_totals=len(self.totals.miscounted),
                runs=len(self.runs),
                failed=self.failed,
                entries_checked=sum(c.checked for c in self.loops),
            ),
        )

    def to_json(self) -> dict[str, object]:
        """The document as dictionaries and lists."""
        return builtins(self.document)


# -- one entry
def _value(e: Expr, values: Mapping[str, int]) -> Number | None:
    """None where it has no value: a division by zero, or too much to add up."""
    try:
        return e.evaluate(values)
    except (OverflowError, ZeroDivisionError):
        return None


def _possible(e: Expr, values: Mapping[str, int]) -> set[Number | None]:
    """The value; where symbols were never computed in the run, what the formula gives for several
    values of them."""
    unread = e.symbols - values.keys()
    return {
        _value(e, {**values, **dict.fromkeys(unread, v)}) for v in (_UNREAD if unread else (0,))
    }


def judge(claim: EntryFormula, seen: Seen, params: Mapping[str, int]) -> tuple[Outcome, str]:
    """Hold one entry against a claim; the text is what the claim says instead."""
    values = {**params, **seen.values}
    if seen.error_exit:
        return "outside", ""
    sure = not claim.unproved
    for need in claim.preconditions:
        found = _possible(need, values)
        if all(v is not None and v < 0 for v in found):
            return "outside", ""
        sure &= all(v is not None and v >= 0 for v in found)
    n = seen.iterations
    if claim.formula is not None:
        expected = _possible(claim.formula, values)
        if expected == {n}:
            return "agrees", ""
        return (
            ("wrong", str(expected.pop()))
            if sure and len(expected) == 1 and None not in expected
            else ("open", "")
        )
    for bound, sign, text in ((claim.lower, 1, "at least"), (claim.upper, -1, "at most")):
        if bound is None:
            continue
        found = _possible(bound, values)
        if not all(v is not None and sign * (n - v) >= 0 for v in found):
            return (
                ("wrong", f"{text} {found.pop()}")
                if sure and len(found) == 1 and None not in found
                else ("open", "")
            )
    return "agrees", ""


# -- one loop
@dataclass
class _Tally:
    """Counts of one source loop over its copies and all runs."""

    outcomes: Counter[Outcome] = field(default_factory=Counter)
    missed: int = 0
    entries: int = 0
    counterexample: Counterexample | None = None
    reasons: list[str] = field(default_factory=list)

    def add(
        self,
        claim: EntryFormula,
        recorded: Recorded,
        params: Mapping[str, int],
        names: Sequence[str],
    ) -> None:
        """Entries of one copy of the loop in one run; `names` are the program's parameters."""
        self.missed += recorded.missed
        missing = sorted(
            (_claimed(claim) & set(names)) - params.keys() - {h.symbol for h in claim.holders}
        )
        if missing:
            self.reasons.append(f"the value of {missing[0]} is not on the command line")
        rows = sorted(recorded.seen, key=lambda s: -s.times)
        if any(isinstance(a, Sum) for e in _parts(claim) for a in e.all_atoms()):
            self.outcomes["open"] += sum(s.times for s in rows[_MOST_SUMS:])
            rows = rows[:_MOST_SUMS]
        for seen in rows:
            if missing:
                self.outcomes["open"] += seen.times
                continue
            outcome, expected = judge(claim, seen, params)
            changed = sorted(h.name for h in claim.holders if h.symbol in seen.changed)
            if outcome == "agrees" and changed:
                outcome, expected = "wrong", f"the same, but {changed[0]} does not keep its value"
            self.outcomes[outcome] += seen.times
            if outcome == "wrong" and self.counterexample is None:
                self.counterexample = _counterexample(claim, seen, params, expected, changed)


def _parts(claim: EntryFormula) -> list[Expr]:
    return [
        e
        for e in (
            claim.formula,
            *((claim.lower, claim.upper) if claim.formula is None else ()),
            *claim.preconditions,
        )
        if e is not None
    ]


def _claimed(claim: EntryFormula) -> frozenset[str]:
    return frozenset().union(*(e.symbols for e in _parts(claim)))


def _counterexample(
    claim: EntryFormula,
    seen: Seen,
    params: Mapping[str, int],
    expected: str,
    changed: Sequence[str],
) -> Counterexample:
    used = _claimed(claim)
    readable = {h.symbol: h.name for h in claim.holders}
    values = {n: v for n, v in params.items() if n in used} | {
        readable[s]: v for s, v in seen.values.items() if s in used
    }
    shown = (
        claim.formula
        if claim.formula is not None
        else claim.lower
        if expected.startswith("at least")
        else claim.upper
    )
    text = str(shown)
    for symbol, name in sorted(readable.items(), key=lambda item: -len(item[0])):
        text = text.replace(symbol, name)
    note = "; ".join(f"{name} has more than one value" for name in changed)
    return Counterexample(seen.iterations, expected, values, text, note)


# -- a program
def _claims(analysis: Analysis) -> list[EntryFormula]:
    """What can be checked: formulas, and bounds that say something."""
    own = {key for loop in analysis.loops for key in loop.headers}
    return [
        c
        for c in analysis.entries
        if (c.function, c.header) in own
        and (c.formula is not None or c.upper is not None or (c.lower is not None and c.lower != 0))
    ]


def verify(
    prepared: Prepared, *, on_run: Callable[[RunRecord], None] | None = None
) -> Verification:
    """Build, run at every parameter vector, and compare.

    Raises:
        InputError, RunError: the program cannot be built or started.
    """
    analysis = prepared.analysis
    plan = plan_entries(_claims(analysis))
    runs: list[RunRecord] = []
    recorded: list[tuple[Mapping[str, int], tuple[Recorded, ...]]] = []
    interrupted = False
    with scratch_folder("verify") as folder:
        program = build_program(
            prepared.text,
            prepared.plan,
            folder / "program",
            entries=plan,
            cxx=is_cxx(prepared),
            link_flags=prepared.link_flags,
        )
        try:
            for record, entries in _runs(prepared, program.executable, plan, folder):
                runs.append(record)
                recorded += entries
                if on_run:
                    on_run(record)
        except KeyboardInterrupt:
            interrupted = True
    counted = observed_ranks(prepared, runs)
    given = words(prepared.settings, analysis)
    swept = swept_laws(analysis, prepared.plan, counted, prepared.lowest, given)
    totals = compare(analysis, prepared.plan, counted, Models(()), prepared.lowest, swept)
    return Verification(
        tuple(_checks(prepared, plan, runs, recorded)), totals, tuple(runs), interrupted
    )


def _runs(
    prepared: Prepared, executable: Path, plan: EntryPlan, folder: Path
) -> Iterator[tuple[RunRecord, list[tuple[Mapping[str, int], tuple[Recorded, ...]]]]]:
    """Each run, and the entries of each of its processes with the parameters that hold there."""
    cells, table = folder / "cells", folder / "entries"
    rank = rank_number(prepared.analysis)
    for e in prepared.experiments:
        done = run(
            [*e.environment, str(executable), *e.argv],
            timeout_s=prepared.settings.runs.timeout_s,
            cells=cells,
            entries=table,
            launcher=e.launcher,
            ranks=e.ranks,
            stdin=e.input,
            files=e.files,
        )
        params = given_values(prepared.analysis.parameters, e.params, e.argv)
        recorded: list[tuple[Mapping[str, int], tuple[Recorded, ...]]] = []
        try:
            # a process's file is read with those of the children that it forked
            ranks = [path for path in files_of_run(table) if rank_of(path) is not None]
            for path in ranks or [table] if plan.probes else []:
                number = rank_of(path)
                of_rank = {} if rank is None or number is None else {rank: number}
                recorded.append((params | of_rank, read_entries(path, plan)))
        except RunError:
            if done.status == "ok":
                raise
            recorded = []  # it ended before it began
        yield RunRecord.of("", params, e.argv, 0, done), recorded


def _checks(
    prepared: Prepared,
    plan: EntryPlan,
    runs: Sequence[RunRecord],
    recorded: Sequence[tuple[Mapping[str, int], tuple[Recorded, ...]]],
) -> Iterable[LoopCheck]:
    names = [p.name for p in prepared.analysis.parameters]
    ids = {(c.function, c.header): c.id for c in prepared.plan.counters}
    probes = {(p.formula.function, p.formula.header): p for p in plan.probes}
    claims = {(c.function, c.header): c for c in prepared.analysis.entries}
    for loop in prepared.analysis.loops:
        tally = _Tally()
        for key in loop.headers:
            if key in ids:
                tally.entries += sum(r.entries[ids[key]] for r in runs if r.entries)
            if key in probes:
                for params, entries in recorded:
                    tally.add(claims[key], entries[probes[key].id], params, names)
            if key not in claims:
                tally.reasons.append("this copy of the loop was not analysed")
            elif claims[key].formula is None:
                tally.reasons.append(claims[key].reason or "no formula was found")
        kinds = {
            (
                "formula"
                if k in claims and claims[k].formula is not None
                else "bounds"
                if k in claims and claims[k].upper is not None
                else "nothing"
            )
            for k in loop.headers
        }
        kind: Literal["formula", "bounds", "nothing"] = (
            "nothing" if "nothing" in kinds else "bounds" if "bounds" in kinds else "formula"
        )
        count = tally.outcomes
        yield LoopCheck(
            loop,
            kind,
            tally.entries,
            count["agrees"],
            count["wrong"],
            count["outside"],
            count["open"],
            tally.missed,
            tally.reasons[0] if tally.reasons else None,
            tally.counterexample,
        )
