"""Metrics beside iterations and time: events of the processor, and operations from formulas and
counts.

Operations are formulas; where one speaks of what only a run can tell (a mean number of iterations,
a loaded value), the counted loops of the run are equations in the same symbols. An operation has a
value where it follows from them by a linear combination, as the executions of every block follow
from the counts of the loops around it. Fractions of cases are refused: they are weighted by what is
counted, and so differ from loop to loop.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from runtime import EVENTS, Plan, RunRecord, unavailable
from staticana import Analysis, Count, InputError
from staticana.expr import Monomial

from ..exchange import PER_CALL, Observation
from .comparison import counters_of
from .symbols import SYMBOLS

MEASURED = ("iterations", "time")
"""What every run measures."""
RECORDED = (SYMBOLS, *PER_CALL)
"""What needs calls to be kept apart; the name of all of it, or of one metric."""
OPERATIONS: Mapping[str, tuple[str, ...]] = {
    **{
        name: (name,)
        for name in (
            "flops",
            "divisions",
            "square_roots",
            "int_operations",
            "loads",
            "stores",
            "load_bytes",
            "store_bytes",
            "calls",
            "branches",
            "mpi_messages",
            "mpi_bytes",
        )
    },
    "bytes": ("load_bytes", "store_bytes"),
}
"""Metric -> the operations of a function that it is the sum of."""
_DERIVED = re.compile(
    r"(mean )?iterations of the loop|value |calls of |length of the string"
    r"|\w+( but the last)? that are read"
)
"""Beginnings of the meanings of symbols that counts of loops may determine."""


def check_metrics(metrics: Sequence[str]) -> None:
    """Raises:
    InputError: there is no such metric.
    """
    for name in metrics:
        if name not in (*MEASURED, *EVENTS, *OPERATIONS, *RECORDED):
            raise InputError(
                f"--metric {name}: there are"
                f" {', '.join((*MEASURED, *EVENTS, *OPERATIONS, *RECORDED))}"
            )


def modeled(metrics: Sequence[str]) -> frozenset[str]:
    """The metrics that models are made of where these are asked for."""
    return frozenset(metrics) | frozenset(PER_CALL if SYMBOLS in metrics else ())


def countable(metrics: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(the events among the metrics that can be counted here, a line for each of the others)."""
    events = tuple(dict.fromkeys(name for name in metrics if name in EVENTS))
    reasons = {name: unavailable(name) for name in events}
    return (
        tuple(name for name in events if reasons[name] is None),
        tuple(
            f"{name} cannot be counted and is left out: {why}"
            for name, why in reasons.items()
            if why
        ),
    )


class _Equations:
    """Linear equations in products of symbols; what follows from them."""

    def __init__(self) -> None:
        self._rows: dict[Monomial, tuple[dict[Monomial, Fraction], Fraction]] = {}
        self.contradict = False

    def add(self, terms: Mapping[Monomial, Fraction], value: Fraction) -> None:
        rest, value = self._reduced(terms, value)
        if not rest:
            self.contradict = self.contradict or value != 0
            return
        pivot, factor = next(iter(rest.items()))
        self._rows[pivot] = {m: c / factor for m, c in rest.items()}, value / factor

    def value(self, terms: Mapping[Monomial, Fraction]) -> Fraction | None:
        """The value of a sum of products; None where the equations do not tell it, or contradict
        each other."""
        rest, missing = self._reduced(terms, Fraction(0))
        return None if rest or self.contradict else -missing

    def _reduced(
        self, terms: Mapping[Monomial, Fraction], value: Fraction
    ) -> tuple[dict[Monomial, Fraction], Fraction]:
        """An equation less the multiples of those before it that take their pivots out. A row holds
        no pivot of an earlier one, so one pass in their order suffices."""
        rest = dict(terms)
        for pivot, (row, known) in self._rows.items():
            factor = rest.get(pivot)
            if factor is None:
                continue
            for m, c in row.items():
                rest[m] = rest.get(m, Fraction(0)) - factor * c
                if not rest[m]:
                    del rest[m]
            value -= factor * known
        return rest, value


def _split(
    count: Count, params: Mapping[str, int]
) -> tuple[dict[Monomial, Fraction], Fraction] | None:
    """(terms in symbols that only a run can tell, value of the others); None where there is nothing
    to rely on."""
    if count.formula is None:
        return None
    inside = [o for o in count.opaque if o.symbol in count.formula.symbols]
    if not all(_DERIVED.match(o.meaning) for o in inside):
        return None
    opaque = {o.symbol for o in inside}
    terms = {
        m: Fraction(c) for m, c in count.formula.terms.items() if not opaque.isdisjoint(_symbols(m))
    }
    known = type(count.formula)({m: c for m, c in count.formula.terms.items() if m not in terms})
    try:
        if not known.symbols <= params.keys() or not count.holds(params):
            return None
        return terms, Fraction(known.evaluate(params))
    except (ArithmeticError, KeyError):
        return None


def _symbols(m: Monomial) -> set[str]:
    return {name for atom, _ in m for name in atom.symbols}


@dataclass(frozen=True)
class Operations:
    """Operations of the functions of a program in a run: of one call each, with what it calls; of
    the entry, the run. `rank` is the parameter that is the number of a process, if there is one."""

    analysis: Analysis
    plan: Plan
    metrics: tuple[str, ...]
    rank: str | None

    @property
    def names(self) -> dict[str, str]:
        """Symbol of a function -> its name where no other function has that, else the symbol."""
        often = Counter(f.name for f in self.analysis.functions)
        return {
            f.symbol: f.name if often[f.name] == 1 else f.symbol for f in self.analysis.functions
        }

    def of(self, record: RunRecord) -> Iterator[Observation]:
        """What is known of a run, process by process; functions whose operations do not follow are
        left out."""
        if (
            not self.metrics
            or not record.ok
            or record.repetition < 0
            or len(record.iterations) != len(self.plan.counters)
        ):
            return
        names = self.names
        for process, named in zip(record.of_ranks(), record.of_ranks(self.rank), strict=True):
            equations = self._equations(named)
            for f in self.analysis.functions:
                for metric in self.metrics:
                    parts = [f.operations[part] for part in OPERATIONS[metric]]
                    if f.symbol != self.analysis.entry and any(
                        count.kind != "exact" for count in parts
                    ):
                        continue  # counts are those of the run, not of one call
                    if (value := _total(parts, named.params, equations)) is not None:
                        whole = int(value) if value.denominator == 1 else float(value)
                        yield Observation(
                            record.params,
                            names[f.symbol],
                            metric,
                            whole,
                            rank=process.rank,
                            repetition=record.repetition,
                        )

    def _equations(self, record: RunRecord) -> _Equations:
        """What the loops of a run were counted to be."""
        found = _Equations()
        ids = counters_of(self.plan)
        for loop in self.analysis.loops:
            split = _split(loop.total, record.params)
            iterations = record.iterations_of(ids[loop.at]) if ids.get(loop.at) else None
            if split is not None and iterations is not None:
                found.add(split[0], iterations - split[1])
        return found


def _total(
    counts: Sequence[Count], params: Mapping[str, int], equations: _Equations
) -> Fraction | None:
    total = Fraction(0)
    for count in counts:
        split = _split(count, params)
        value = None if split is None else equations.value(split[0])
        if split is None or value is None:
            return None
        total += split[1] + value
    return total
