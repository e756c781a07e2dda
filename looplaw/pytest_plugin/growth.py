"""Counts over sizes compared with a law: the power of the law that the counts follow at large
sizes.

Laws are formulas in the parameters (grammar: `looplaw_common.formula.formula`). Constant factors
cancel, so that the base of a logarithm does not matter here.
"""

from __future__ import annotations

import inspect
import itertools
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

import numpy as np

from looplaw_common.formula.formula import Formula, parse_formula
from modeling import DataError, InputError, Measurements, Model, Series, fit

from ..report.formulas import fewer_digits
from .counters import COUNTERS, Call, Counter, is_python, time_rounds

_SLACK = {"instructions": 0.05, "lines": 0.05, "time": 0.2}
"""How far above 1 the power of a law may be: n*log(n) seen as a power of n is 1.07 at a million.
Time is noisy."""
_CLEARLY = 0.5
"""How far above 1 the power of a law must be, of times beside lines that follow it, to show work
that lines do not: caches alone make times grow somewhat faster than work."""
_AGREE = 5 / 7
"""The share of rounds of timing that must say the same."""
_SHAPES = (
    "1",
    "log2(n)",
    "sqrt(n)",
    "n",
    "n*log2(n)",
    "n**1.5",
    "n**2",
    "n**2*log2(n)",
    "n**3",
    "n**4",
    "2**n",
)
"""Growth in words that people use, the simplest first, where there are too few sizes for a
model."""
_LEAST_SIZES, _LEAST_SPAN, _LEAST_MODELED = 4, 8, 5

Status = Literal["holds", "broken", "cannot tell"]


@dataclass(frozen=True)
class Held:
    """A law that a `Scaling` was compared with; relation: "no faster than" or "as"."""

    relation: str
    law: Formula
    status: Status

    @property
    def text(self) -> str:
        return f"{self.relation} {self.law.text}"


@dataclass(frozen=True, repr=False)
class Scaling:
    """Counts of a function at points of its parameters.

    counter: lines, time or instructions; points (P) with a value each; comparisons are for `assert`
    and explain themselves. rounds: times of all points, round after round. held: the laws compared
    so far. timed: beside lines, which do not see work in C, the times of the same calls.
    """

    name: str
    counter: str
    points: tuple[Mapping[str, float], ...]
    values: tuple[float, ...]
    held: list[Held] = field(default_factory=list, compare=False)
    rounds: tuple[tuple[float, ...], ...] = ()
    timed: Scaling | None = field(default=None, compare=False)

    @property
    def counted(self) -> str:
        """What was counted, in words."""
        return self.counter if self.timed is None else f"{self.counter}, {self.timed.counter}"

    @cached_property
    def model(self) -> Model | None:
        """The model of the counts in performance model normal form; None where fewer than five
        sizes could not tell one."""
        names = tuple(self.points[0])
        if any(len({p[n] for p in self.points}) < _LEAST_MODELED for n in names):
            return None
        series = Series.from_values(
            self.name,
            self.counter,
            names,
            [[p[n] for n in names] for p in self.points],
            self.values,
        )
        return fit(Measurements((series,))).models[0]

    @property
    def formula(self) -> str:
        """The model as text, with "or another" where others fit as well; else what it takes to have
        one."""
        if self.model is None:
            return f"none, it takes {_LEAST_MODELED} sizes"
        return fewer_digits(self.model.formula) + ("" if self.model.identifiable else " or another")

    def __repr__(self) -> str:
        return f"<{self.counter} of {self.name} at {len(self.points)} points>"

    def power_of(self, law: str) -> float:
        """The largest power of the law that the counts follow along a parameter, over the upper
        half of its values.

        Raises:
            InputError: the law is not readable or has a parameter without values.
            DataError: it is not positive and finite at some point.
        """
        __tracebackhide__ = True
        formula = self._read(law)
        return max(self._power(formula, name) for name in self.points[0])

    def grows_no_faster_than(self, law: str) -> Verdict:
        """True if along every parameter the counts grow at most as the law."""
        __tracebackhide__ = True
        limit = 1 + _SLACK[self.counter]
        power = self.power_of(law)
        status = self._status(lambda one: one.power_of(law) <= limit)
        return self._held(law, power, *self._beside(law, status), "no faster than")

    def grows_as(self, law: str) -> Verdict:
        """True if along every parameter of the law the counts grow as the law: not faster, and not
        more slowly."""
        __tracebackhide__ = True
        formula = self._read(law)
        powers = [self._power(formula, name) for name in formula.symbols]
        power = max([self.power_of(law), *powers])
        slack = _SLACK[self.counter]

        def follows(one: Scaling) -> bool:
            along = [one._power(formula, name) for name in formula.symbols]
            fast = max([one.power_of(law), *along])
            return fast <= 1 + slack and min(along, default=1.0) >= 1 - 4 * slack

        shown = min(powers) if powers and power <= 1 + slack else power
        return self._held(law, shown, *self._beside(law, self._status(follows)), "as")

    def _status(self, holds: Callable[[Scaling], bool]) -> Status:
        """What the counts say; of times, what nearly all rounds say."""
        __tracebackhide__ = True
        if not self.rounds:
            return "holds" if holds(self) else "broken"
        said = [holds(replace(self, values=values, rounds=(), held=[])) for values in self.rounds]
        said.append(holds(self))
        if sum(said) >= _AGREE * len(said):
            return "holds"
        return "broken" if len(said) - sum(said) >= _AGREE * len(said) else "cannot tell"

    def _beside(self, law: str, status: Status) -> tuple[Status, str]:
        """What counts of lines say when the times of the same calls have been asked, too: lines
        that follow a law say nothing of work in C, which times see; and what there is to say of
        it."""
        __tracebackhide__ = True
        if self.timed is None or status == "broken":
            return status, ""
        try:
            power = self.timed.power_of(law)
            clear = self.timed._status(lambda one: one.power_of(law) <= 1 + _CLEARLY)
            within = self.timed._status(lambda one: one.power_of(law) <= 1 + _SLACK["time"])
        except DataError:  # no time at all at some size
            return status, ""
        if within == "holds":
            return status, ""
        told = (
            f"{self.name}: CPU time grows like {self.timed.shape} ({self._sizes()}); allowed {law},"
            " which lines follow, but they do not see work in C, such as `in` on a list: time grows"
            f" as the law to the power {power:.2f} ({self.timed._shown()}); counter='lines' limits"
            " lines alone\n"
        )
        return ("broken" if clear == "broken" else "cannot tell"), told

    def _read(self, law: str) -> Formula:
        __tracebackhide__ = True
        formula = parse_formula(law)
        for name in sorted(formula.symbols - self.points[0].keys()):
            raise InputError(
                f"the law {law} has the parameter {name}, which has no values: give {name}=[...]"
            )
        return formula

    def _held(self, law: str, power: float, status: Status, beside: str, relation: str) -> Verdict:
        self.held.append(Held(relation, parse_formula(law), status))
        allowed = f"up to {1 + _SLACK[self.counter]:g} is no faster"
        unsure = "cannot tell whether it grows faster: " if status == "cannot tell" else ""
        return Verdict(
            status,
            f"{beside}{self.name}: {unsure}grows like {self.shape} ({self._sizes()});"
            f" allowed {law}\n"
            f"{self.name}: {self.counter} grow as the law {law} to the power {power:.2f}, {allowed}"
            f" (model: {self.formula}; {self._shown()})",
        )

    def _sizes(self) -> str:
        """As in "4 sizes, n = 64 to 512"."""
        spans = (
            f"{n} = {min(p[n] for p in self.points):g} to {max(p[n] for p in self.points):g}"
            for n in self.points[0]
        )
        return f"{len(self.points)} sizes, {', '.join(spans)}"

    @property
    def shape(self) -> str:
        """The growth in one term: of one parameter, the well-known one that the larger sizes are
        nearest to; of several, the model."""
        if len(self.points[0]) > 1:
            return self.formula
        (name,) = self.points[0]
        line = sorted((p[name], v) for p, v in zip(self.points, self.values, strict=True))
        upper = [(x, v) for x, v in line[len(line) // 2 - (len(line) < 6) :] if v > 0]
        best, least = "1", math.inf
        for text in _SHAPES:
            formula = parse_formula(text)
            try:
                ratios = [math.log(v / float(formula.evaluate({"n": x}))) for x, v in upper]
            except (InputError, OverflowError, ZeroDivisionError, ValueError):
                continue
            spread = float(np.std(ratios))
            if spread < 0.9 * least:  # a simpler one first
                best, least = text, spread
        return re.sub(r"\bn\b", name, best)

    def _power(self, law: Formula, name: str) -> float:
        """Least squares on logarithms over the upper half of the line along a parameter, the others
        at their largest."""
        top = {n: max(p[n] for p in self.points) for n in self.points[0]}
        line = sorted(
            (p[name], _value(law, p), v)
            for p, v in zip(self.points, self.values, strict=True)
            if all(p[n] == top[n] for n in p if n != name)
        )
        upper = line[len(line) // 2 - (len(line) < 6) :]
        laws, values = (np.array([row[k] for row in upper]) for k in (1, 2))
        if (laws <= 0).any():
            raise DataError(
                f"the law {law.text} is not positive at {name}={upper[0][0]:g}: start with larger"
                " values"
            )
        if (values <= 0).any():
            raise DataError(
                f"{self.name}: no {self.counter} at {name}={upper[0][0]:g}: the sizes are too small"
                " to tell"
            )
        if np.ptp(laws) == 0:  # the law says that nothing changes along this parameter
            return 1.0 + float(np.polyfit(np.log([r[0] for r in upper]), np.log(values), 1)[0])
        return float(np.polyfit(np.log(laws), np.log(values), 1)[0])

    def _shown(self) -> str:
        rows = [
            f"{', '.join(f'{n}={x:g}' for n, x in p.items())}: {v:g}"
            for p, v in zip(self.points, self.values, strict=True)
        ]
        return "; ".join(rows if len(rows) <= 6 else [*rows[:2], "...", *rows[-3:]])


@dataclass(frozen=True)
class Verdict:
    """False where a law is broken, with the reason that pytest prints. What times cannot tell is
    no failure; the table at the end of the run says so."""

    status: Status
    reason: str

    @property
    def holds(self) -> bool:
        return self.status == "holds"

    def __bool__(self) -> bool:
        return self.status != "broken"

    def __repr__(self) -> str:
        return self.reason


def _value(law: Formula, point: Mapping[str, float]) -> float:
    try:
        return float(law.evaluate(point))
    except (InputError, OverflowError):
        where = ", ".join(f"{n}={v:g}" for n, v in point.items())
        raise DataError(f"the law {law.text} has no finite value at {where}") from None


def scaling(
    function: Call, *, make: Call | None = None, counter: str = "auto", **sizes: Sequence[float]
) -> Scaling:
    """Count what calls of a function do over sizes.

    Args:
        function: called as function(*make(n=...)), without `make` as function(n=...).
        make: makes the arguments (one, or a tuple of several) of a size; its cost is not counted.
        counter: "lines", "time" or "instructions" (see `counters`); "auto" is lines with the times
            of the same calls beside them, and times alone where the lines of the function do not
            change with the sizes: what it does, it does in C.
        sizes: for each parameter at least four values, the largest at least eight times the
            smallest.

    Raises:
        DataError: too few sizes, no such counter, or the counter cannot be used here.
    """
    __tracebackhide__ = True
    if not sizes:
        raise DataError("no sizes: give them by name, as in scaling(f, n=[64, 128, 256, 512])")
    for name, values in sizes.items():
        positive = sorted({float(v) for v in values if v > 0})
        if len(positive) < _LEAST_SIZES or positive[-1] < _LEAST_SPAN * positive[0]:
            raise DataError(
                f"{name}={list(values)}: too few to tell how it grows: give at least {_LEAST_SIZES}"
                f" positive values, the largest at least {_LEAST_SPAN} times the smallest"
            )
    _expect_callable(function, make, sizes)
    if counter not in ("auto", *COUNTERS):
        raise DataError(f"counter={counter!r}: there are auto, {', '.join(COUNTERS)}")
    points = [
        dict(zip(sizes, values, strict=True)) for values in itertools.product(*sizes.values())
    ]
    name = str(getattr(function, "__qualname__", None) or getattr(function, "__name__", function))
    chosen = counter if counter != "auto" else "lines" if is_python(function) else "time"
    counts: Sequence[float] = ()
    if chosen != "time":
        count: Counter = COUNTERS[chosen]
        counts = count(function, make, points)
        if counter != "auto":
            return Scaling(name, chosen, tuple(points), tuple(counts))
    rounds = tuple(map(tuple, time_rounds(function, make, points)))
    least = tuple(min(times) for times in zip(*rounds, strict=True))
    timed = Scaling(name, "time", tuple(points), least, rounds=rounds)
    if len(set(counts)) > 1:
        return Scaling(name, chosen, tuple(points), tuple(counts), timed=timed)
    return timed


def _expect_callable(
    function: Call, make: Call | None, sizes: Mapping[str, Sequence[float]]
) -> None:
    """That what is called takes the sizes by their names; functions without a signature are tried.

    Raises:
        DataError: it does not.
    """
    __tracebackhide__ = True
    called = function if make is None else make
    try:
        signature = inspect.signature(called)
    except (TypeError, ValueError):
        return
    try:
        signature.bind(**dict.fromkeys(sizes))
    except TypeError:
        name, wanted = getattr(called, "__qualname__", called), ", ".join(sizes)
        mend = (
            "give make=, a function of {} that makes its arguments"
            if make is None
            else "make is called with {}"
        )
        raise DataError(
            f"{name}({', '.join(signature.parameters)}) cannot be called with {wanted} alone: "
            f"{mend.format(wanted)}"
        ) from None
