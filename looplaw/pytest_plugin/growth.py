"""Counts over sizes compared with a law: the power of the law that the counts follow at large
sizes.

Laws are formulas in the parameters (grammar: `modeling.pmnf.formula`). Constant factors cancel, so
that the base of a logarithm does not matter here.
"""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from modeling import DataError, InputError, Measurements, Model, Series, fit
from modeling.pmnf.formula import Formula, parse_formula

from ..report.formulas import fewer_digits
from .counters import COUNTERS, Call, Counter, importable

_SLACK = {"instructions": 0.05, "lines": 0.05, "time": 0.2}
"""How far above 1 the power of a law may be: n*log(n) seen as a power of n is 1.07 at a million.
Time is noisy."""
_LEAST_SIZES, _LEAST_SPAN, _LEAST_MODELED = 4, 8, 5


@dataclass(frozen=True)
class Held:
    """A law that a `Scaling` was compared with; relation: "no faster than" or "as"."""

    relation: str
    law: Formula
    holds: bool

    @property
    def text(self) -> str:
        return f"{self.relation} {self.law.text}"


@dataclass(frozen=True, repr=False)
class Scaling:
    """Counts of a function at points of its parameters.

    counter: instructions, lines or time; points (P) with a value each; comparisons are for `assert`
    and explain themselves. held: the laws compared so far.
    """

    name: str
    counter: str
    points: tuple[Mapping[str, float], ...]
    values: tuple[float, ...]
    held: list[Held] = field(default_factory=list, compare=False)

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
        power = self.power_of(law)
        return self._held(law, power, power <= 1 + _SLACK[self.counter], "no faster than")

    def grows_as(self, law: str) -> Verdict:
        """True if along every parameter of the law the counts grow as the law: not faster, and not
        more slowly."""
        __tracebackhide__ = True
        formula = self._read(law)
        powers = [self._power(formula, name) for name in formula.symbols]
        power = max([self.power_of(law), *powers])
        slack = _SLACK[self.counter]
        return self._held(
            law,
            min(powers) if power <= 1 + slack else power,
            power <= 1 + slack and min(powers, default=1.0) >= 1 - 4 * slack,
            "as",
        )

    def _read(self, law: str) -> Formula:
        __tracebackhide__ = True
        formula = parse_formula(law)
        for name in sorted(formula.symbols - self.points[0].keys()):
            raise InputError(
                f"the law {law} has the parameter {name}, which has no values: give {name}=[...]"
            )
        return formula

    def _held(self, law: str, power: float, holds: bool, relation: str) -> Verdict:
        self.held.append(Held(relation, parse_formula(law), holds))
        allowed = f"up to {1 + _SLACK[self.counter]:g} is no faster"
        return Verdict(
            holds,
            f"{self.name}: {self.counter} grow as the law {law} to the power {power:.2f}, {allowed}"
            f" (model: {self.formula}; {self._shown()})",
        )

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
    """True or false, with the reason that pytest prints when an assertion fails."""

    holds: bool
    reason: str

    def __bool__(self) -> bool:
        return self.holds

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
        counter: "instructions", "lines" or "time" (see `counters`); "auto" is instructions where
            valgrind is installed and the function can be imported, else lines.
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
    chosen = counter if counter != "auto" else _best(function, make)
    if chosen not in COUNTERS:
        raise DataError(f"counter={counter!r}: there are auto, {', '.join(COUNTERS)}")
    points = [
        dict(zip(sizes, values, strict=True)) for values in itertools.product(*sizes.values())
    ]
    count: Counter = COUNTERS[chosen]
    name = str(getattr(function, "__qualname__", function))
    return Scaling(name, chosen, tuple(points), tuple(count(function, make, points)))


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


def _best(function: Call, make: Call | None) -> str:
    import shutil

    found = shutil.which("valgrind") is not None and all(
        importable(f) for f in (function, make) if f is not None
    )
    return "instructions" if found else "lines"
