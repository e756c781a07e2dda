"""What has to be measured: which loops need a counter, which parameters to vary, how many values
and points.

A model in the performance model normal form needs five values of a parameter to tell its terms
apart. Several parameters need no full grid: one line of five points for each, through a common
point, and one more point off the lines for parameters of the same kernel, which distinguishes a
sum from a product (Ritter et al., IPDPS 2020).
"""

from __future__ import annotations

import contextlib
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from looplaw_common.commands import as_argument
from looplaw_common.digraph import Digraph, circles
from staticana import Analysis, LoopResult, ProgramParameter
from staticana.expr import Expr, Number, Pow, Sum
from staticana.parallel import process_parameter
from staticana.traffic import Refused, Regime, serial_program, traffic
from staticana.traffic.access_tree import AccessTree, access_tree

from ..laws.law_terms import brief
from .regime_sizes import RegimeLimit, footprint_limits, regime_limits, with_regimes

FORMAT = "looplaw-plan/1"
VALUES = 5
_PROCESSES = (1, 2, 4, 8, 16)
_TOPS = (4096, 2048, 1024, 512, 256, 128, 64, 32)
_EXPONENTS = (20, 18, 16, 14, 12, 10, 8, 6)
"""Largest proposed value of a parameter, and of one that is an exponent (2**m), step by step
smaller."""
_FEW = (1, 2, 3, 4, 5)
"""Of one that an exponent is lessened by, as b in 2**(m - b)."""
_BUDGET = 200_000_000
"""Iterations of the longest proposed run: about a second."""
_SECONDS_PER_ITERATION, _SECONDS_PER_RUN = 5e-9, 5e-3
"""Of a loop that does some arithmetic on data in a cache, and of starting a program: what a plan
says of its duration is a rough guide."""


@dataclass(frozen=True)
class LoopPlan:
    """One loop: whether a run has to count it, and why."""

    at: str
    function: str
    nesting: int
    counter: bool
    kind: str
    display: str
    parameters: tuple[str, ...]
    why: str


@dataclass(frozen=True)
class ParameterPlan:
    """One parameter: the loops it may influence, and values to run; one value where it influences
    none."""

    name: str
    origin: str
    loops: int
    values: tuple[int, ...]


@dataclass(frozen=True)
class MeasurementPlan:
    """What `looplaw plan` says. groups: parameters that meet in a kernel; unaffected: outermost
    loops no parameter influences; points: parameter vectors on the lines; limits: where caches are
    outgrown; seconds: about what one run at each of the points takes; options: what a study of the
    program is given besides."""

    program: tuple[str, ...]
    entry: str
    options: tuple[str, ...]
    loops: tuple[LoopPlan, ...]
    parameters: tuple[ParameterPlan, ...]
    groups: tuple[tuple[str, ...], ...]
    unaffected: tuple[str, ...]
    points: tuple[Mapping[str, int], ...]
    limits: tuple[RegimeLimit, ...] = ()
    seconds: float = 0.0

    @property
    def varied(self) -> tuple[ParameterPlan, ...]:
        return tuple(p for p in self.parameters if p.loops)

    @property
    def grid(self) -> int:
        """Points of the full grid."""
        size = 1
        for p in self.varied:
            size *= len(p.values)
        return size if self.varied else 0

    @property
    def command(self) -> str | None:
        """The study that runs the full grid; None where there is nothing to vary, or no program to
        run."""
        if not self.varied or self.entry != "main":
            return None
        options = [
            f"--vary {p.name}={','.join(map(str, p.values))}"
            for p in self.parameters
            if p.loops or p.origin.startswith("argv[")
        ]
        return " ".join(
            (
                "looplaw study",
                *map(shlex.quote, map(as_argument, self.program)),
                *options,
                *self.options,
            )
        )

    def to_json(self) -> dict[str, object]:
        return {
            "format": FORMAT,
            "program": list(self.program),
            "loops": [
                {
                    "at": x.at,
                    "function": x.function,
                    "nesting": x.nesting,
                    "counter": x.counter,
                    "kind": x.kind,
                    "display": x.display,
                    "parameters": list(x.parameters),
                    "why": x.why,
                }
                for x in self.loops
            ],
            "parameters": [
                {
                    "name": p.name,
                    "origin": p.origin,
                    "loops": p.loops,
                    "vary": p.loops > 0,
                    "values": list(p.values),
                }
                for p in self.parameters
            ],
            "groups": [list(g) for g in self.groups],
            "unaffected": list(self.unaffected),
            "points": [dict(p) for p in self.points],
            "regime_limits": [
                {"level": x.level, "sizes": dict(x.sizes), "at": list(x.at)} for x in self.limits
            ],
            "grid": self.grid,
            "command": self.command,
        }


def plan_of_program(
    text: str,
    analysis: Analysis,
    files: Sequence[Path],
    *,
    parameters: Mapping[str, str] | None = None,
    options: Sequence[str] = (),
    caches: Mapping[str, int] | None = None,
) -> MeasurementPlan:
    """Plan the measurements of a program, with sizes on either side of each limit at which it
    outgrows a cache.

    Args:
        text: its IR in canonical form.
        options: those that its studies need, such as --flag=-DN=4.
        caches: level -> bytes.
    """
    program = serial_program(text, entry=analysis.entry, parameters=parameters)
    regimes: tuple[Regime, ...] = ()
    with contextlib.suppress(Refused):  # then what it touches is estimated
        regimes = traffic(program).regimes
    return measurement_plan(analysis, files, options, regimes, caches, lambda: access_tree(program))


def measurement_plan(
    analysis: Analysis,
    program: Sequence[Path],
    options: Sequence[str] = (),
    regimes: Sequence[Regime] = (),
    caches: Mapping[str, int] | None = None,
    tree: Callable[[], AccessTree] | None = None,
) -> MeasurementPlan:
    """Plan the measurements of a program.

    Args:
        options: those that its studies need, such as --flag=-DN=4.
        regimes: of its memory law; the values that are proposed show each of them that the budget
            of iterations allows.
        caches: level -> bytes.
        tree: what the program loads and stores; asked for where the memory law shows no regime.
    """
    # the number of words follows from the words
    values_given = tuple(p for p in analysis.parameters if p.origin != "argc")
    analysis = replace(analysis, parameters=values_given)
    loops = tuple(_loop(loop) for loop in analysis.loops)
    kernels = _kernels(analysis.loops)
    influence = {
        p.name: sum(p.name in loop.parameters for loop in analysis.loops)
        for p in analysis.parameters
    }
    graph = Digraph[str]()
    for members in kernels.values():
        together = sorted(
            {name for loop in members for name in loop.parameters if name in influence}
        )
        graph.add_edges(e for n in together for e in ((n, together[0]), (together[0], n)))
    groups = tuple(sorted(tuple(sorted(part)) for part in circles(graph)))
    roles = _roles(analysis)
    values = _proposed(analysis, [name for name, used in influence.items() if used], roles)
    sizes = [name for name in values if name not in roles.others]
    top = {name: values[name][-1] for name in sizes}
    limits = regime_limits(regimes, caches or {}, top)
    if caches and not limits and tree is not None:
        limits = footprint_limits(tree(), caches, top)
    for name in sizes:
        values[name] = with_regimes(values[name], (x.sizes[name] for x in limits))
    parameters = tuple(
        ParameterPlan(p.name, p.origin, influence[p.name], values.get(p.name, (1,)))
        for p in sorted(analysis.parameters, key=_by_place)
    )
    points = tuple(_lines(parameters, groups))
    formulas = [loop.total.formula for loop in analysis.loops if loop.total.formula is not None]
    unaffected = tuple(
        at
        for at, members in kernels.items()
        if all(not loop.parameters and loop.total.kind == "exact" for loop in members)
    )
    return MeasurementPlan(
        tuple(map(str, program)),
        analysis.entry,
        tuple(map(shlex.quote, options)),
        loops,
        parameters,
        groups,
        unaffected,
        points,
        limits,
        sum(seconds_of_run(formulas, p) for p in points),
    )


def _by_place(p: ProgramParameter) -> tuple[bool, int, str]:
    """The order of the command line, then other parameters."""
    return (
        not p.origin.startswith("argv["),
        int(p.origin[5:-1]) if p.origin.startswith("argv[") else 0,
        p.name,
    )


def _loop(loop: LoopResult) -> LoopPlan:
    total = loop.total
    display = "?"
    if total.formula is not None:
        display = brief(total.formula, {o.symbol for o in total.opaque})
    elif total.upper is not None:
        display = f"{total.lower} .. {total.upper}"
    if total.kind != "exact":
        return LoopPlan(
            loop.at,
            loop.function,
            loop.nesting,
            True,
            total.kind,
            display,
            loop.parameters,
            total.reason or f"only {total.kind}",
        )
    why = (
        "exact"
        if total.formula is None or total.formula.constant is None
        else "not reached"
        if total.formula.constant == 0
        else "constant"
    )
    return LoopPlan(
        loop.at, loop.function, loop.nesting, False, total.kind, display, loop.parameters, why
    )


def _kernels(loops: Sequence[LoopResult]) -> dict[str, list[LoopResult]]:
    """Outermost loop -> the loops of its nest."""
    parents = {loop.at: loop.parent for loop in loops}
    found: dict[str, list[LoopResult]] = {}
    for loop in loops:
        at, seen = loop.at, {loop.at}
        while (above := parents.get(at)) is not None and above not in seen:
            at = above
            seen.add(at)
        found.setdefault(at, []).append(loop)
    return found


@dataclass(frozen=True)
class _Roles:
    """Parameters that are not sizes: the number of processes, exponents (2**m), and what exponents
    are lessened by."""

    processes: str | None
    exponents: frozenset[str]
    divisors: frozenset[str]

    @property
    def others(self) -> frozenset[str | None]:
        return self.exponents | self.divisors | {self.processes}


def _roles(analysis: Analysis) -> _Roles:
    formulas = [loop.total.formula for loop in analysis.loops if loop.total.formula is not None]
    powers = [a.exponent for e in formulas for a in e.all_atoms() if isinstance(a, Pow)]
    return _Roles(
        process_parameter({p.origin: p.name for p in analysis.parameters}),
        frozenset(name for e in powers for name in e.symbols),
        frozenset(
            name
            for e in powers
            for m, c in e.terms.items()
            if c < 0
            for a, _ in m
            for name in a.symbols
        ),
    )


def _proposed(
    analysis: Analysis, names: Sequence[str], roles: _Roles
) -> dict[str, tuple[int, ...]]:
    """Values for each parameter: powers of two, equal steps for exponents, processes from 1; as
    large as the known iterations of a run allow."""
    formulas = [loop.total.formula for loop in analysis.loops if loop.total.formula is not None]
    processes = roles.processes
    found: dict[str, tuple[int, ...]] = {}
    for top, exponent in zip(_TOPS, _EXPONENTS, strict=True):
        found = {
            name: _PROCESSES
            if name == processes
            else _FEW
            if name in roles.divisors
            else tuple(range(exponent - 2 * (VALUES - 1), exponent + 1, 2))
            if name in roles.exponents
            else tuple(top >> k for k in reversed(range(VALUES)))
            for name in names
        }
        found = {name: tuple(max(v, 1) for v in values) for name, values in found.items()}
        if (
            _iterations(
                formulas,
                {name: values[-1] if name != processes else 1 for name, values in found.items()},
            )
            <= _BUDGET
        ):
            break
    return {name: tuple(sorted(set(values))) for name, values in found.items()}


def seconds_of_run(formulas: Sequence[Expr], values: Mapping[str, int]) -> float:
    """What a run takes if an iteration takes what it takes on most machines; see `_iterations`."""
    return _SECONDS_PER_RUN + _SECONDS_PER_ITERATION * float(_iterations(formulas, values))


def _iterations(formulas: Sequence[Expr], values: Mapping[str, int]) -> Number:
    """Iterations of a run as far as formulas tell; means and fractions count as 1, sums without
    closed form not at all."""
    total: Number = 0
    for e in formulas:
        if e.has(Sum):
            continue
        try:
            total += max(e.evaluate({name: values.get(name, 1) for name in e.symbols}), 0)
        except (ArithmeticError, KeyError):
            continue
    return total


def _lines(
    parameters: Sequence[ParameterPlan], groups: Sequence[Sequence[str]]
) -> list[dict[str, int]]:
    varied = {p.name: p.values for p in parameters if p.loops}
    kept = {p.name: p.values[0] for p in parameters if not p.loops}
    return [
        {p.name: (kept | point)[p.name] for p in parameters}
        for point in sparse_points(varied, groups)
    ]


def sparse_points(
    values: Mapping[str, Sequence[int]], groups: Sequence[Sequence[str]]
) -> list[dict[str, int]]:
    """Every parameter along its values with the others at their smallest, and a point off the lines
    for each group."""
    if not values:
        return []
    base = {name: min(found) for name, found in values.items()}
    second = {name: sorted(found)[min(1, len(found) - 1)] for name, found in values.items()}
    points = [base | {name: v} for name, found in values.items() for v in found]
    points += [
        base | {name: second[name] for name in group if name in second}
        for group in groups
        if len(group) > 1
    ]
    return [dict(t) for t in dict.fromkeys(tuple(p.items()) for p in points)]
