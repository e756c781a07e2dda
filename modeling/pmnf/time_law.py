"""The law of a kernel's time: iterations times what they cost, and what memory adds.

    t = ((C**p + M**p)**(r/p) + B**r)**(1/r) + fresh
    C = ((sum_k a_k N_k)**q + (l X)**q)**(1/q) + m Y b(L)
    M = sum_level b_level L_level + latency

N_k are iterations, L_level the lines that come from a cache or from behind it, B what those that
come from memory take, latency that of random accesses. X are the additions that wait for one
another (see `TimeLaw.chain`), l what one of them takes; whichever of both is slower counts (q =
`CHAINED`). Y are branches that data decide, which come again after L of them: b(L) is what the
machine's predictor loses of so many (see `Costs.branch`), m the part of them that it loses here.
Computing and memory add up where p = 1, and hide each other completely for large
p (the two ends are the ECM model's T_nOL + T_L... and the roofline's maximum: Stengel et al., ICS
2015; Williams, Waterman and Patterson, CACM 2009); p is learned.

All unknowns are positive and stand as their logarithms in one vector, of which mean and covariance
are kept: core costs a_k in ns; for each step from a cache to the next level, a factor on what the
machine measured and the shift of the logarithm of the capacity; factors of random accesses, of
first touches; p - 1; a factor of address translation; the shift of the logarithm of all capacities
as random accesses meet them; r - 1; the odds s / (1 - s) of the share s in which first touches rise
with their number as the machine's do; the factor of random accesses that miss the last cache; where
there is a chain, ns of an addition in it; where there are branches that come again, the factor on
what they cost, and the shift of the logarithm of L.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist
from typing import Any

import msgspec
import numpy as np
from msgspec.structs import force_setattr
from numpy.typing import NDArray

from looplaw_common.documents import builtins
from looplaw_common.errors import DataError
from looplaw_common.formula.formula import Formula, parse_formula

from .machine_costs import Costs
from .memory_traffic import LINE, Columns, Traffic, fresh_ns, missed, paged_ns, random_ns

Floats = NDArray[np.float64]
_NS = 1e-9
REST, OVERLAP, FAR_OVERLAP, RISE, FAR_RANDOM = 8, 2, 5, 6, 7
"""Unknowns behind those of counts and levels, and the places among them of both overlaps, of the
rise of first touches, and of random accesses beyond the last cache. Behind these stands that of the
chain, where there is one, and the two of branches, where there are any."""
_LATER = math.log(0.1), 12.0, 0.0
"""The last of those as laws had them that were learned without: lines from memory were hardly
hidden, first touches rose as the machine's do, and memory's latency was that of caches."""
CHAINED = 4.0
"""How sharply the slower of throughput and chain counts: where both are the same, they take a fifth
more than each (as at the knee of a roofline)."""


@dataclass(frozen=True)
class Design:
    """What a law needs of P points: iterations (G, P), the traffic per iteration of the first of
    them, and the additions that wait for one another (P,), where there are any. main (P,): what the
    traffic is multiplied with, where that is not the first row, which was counted. branches (2, P):
    those that come again, and after how many."""

    counts: Floats
    columns: Columns
    chain: Floats | None = None
    main: Floats | None = None
    branches: Floats | None = None


@dataclass(frozen=True)
class Parts:
    """Nanoseconds (..., P) of a kernel: computing alone; lines from each level behind the first
    (..., levels, P), random accesses, first touches; all together."""

    core: Floats
    levels: Floats
    latency: Floats
    fresh: Floats
    total: Floats


def parts(theta: Floats, design: Design, capacities: Floats, costs: Costs) -> Parts:
    """The parts of the time for unknowns theta (..., D)."""
    groups, steps = len(design.counts), len(costs.capacities)
    core = np.exp(theta[..., :groups]) @ design.counts
    if design.chain is not None:
        waited = np.exp(theta[..., groups + 2 * steps + REST, None]) * design.chain
        core = _larger(core, waited, CHAINED)
    if design.branches is not None:
        number, length = design.branches
        with np.errstate(over="ignore"):  # no pattern as long as that is known to a processor
            again = length * np.exp(theta[..., -1, None])
        lost = costs.branch(again)
        core = core + np.exp(theta[..., -2, None]) * number * lost
    main = design.counts[0] if design.main is None else design.main
    factors = np.exp(theta[..., groups : groups + steps])
    shifts = theta[..., groups + steps : groups + 2 * steps]
    lines = missed(design.columns, capacities, costs.capacities * np.exp(shifts))
    levels = (lines * costs.steps[:, None, :]).sum(axis=-1) * factors[..., None] * main
    rest = np.exp(theta[..., groups + 2 * steps :])
    held, missing = random_ns(design.columns, capacities, costs, rest[..., 4])
    latency = (rest[..., 0, None] * held + rest[..., FAR_RANDOM, None] * missing) * main
    latency = latency + rest[..., 3, None] * paged_ns(design.columns, capacities, costs) * main
    share = rest[..., RISE] / (1 + rest[..., RISE])
    provided = fresh_ns(design.columns, capacities, costs, share)
    fresh = rest[..., 1, None] * provided * main
    power, far = 1 + rest[..., OVERLAP, None], 1 + rest[..., FAR_OVERLAP, None]
    near = levels[..., :-1, :].sum(axis=-2) + latency
    total = _larger(_larger(core, near, power), levels[..., -1, :], far)
    return Parts(core, levels, latency, fresh, total + fresh)


def _larger(a: Floats, b: Floats, power: Floats | float) -> Floats:
    """(a**power + b**power)**(1/power): the sum for 1, the larger one for large powers."""
    top = np.maximum(np.maximum(a, b), 1e-12)
    found: Floats = top * ((a / top) ** power + (b / top) ** power) ** (1 / power)
    return found


class Count(msgspec.Struct, frozen=True):
    """Iterations of a loop: a formula; where it is fitted, the deviation of its logarithm for each
    doubling beyond the points, and the scatter about it anywhere."""

    formula: str
    deviation: float = 0.0
    scatter: float = 0.0


class Branches(msgspec.Struct, frozen=True):
    """Branches that data decide, as formulas: their number, and after how many of them the same
    data decide again."""

    number: str
    length: str


class TimeLaw(msgspec.Struct, frozen=True, dict=True):
    """A law that was learned.

    counts: the first is that of the most frequent loop. theta: the unknowns. root (D, k): root @
    root.T is their covariance. sigma: deviation of the logarithm of one observation. drift: what
    each doubling beyond the largest point adds to it. reach: largest measured value of each
    parameter. floor_s: absolute deviation of an observation. chain: formula of the additions that
    wait for one another, empty where there are none. branches: those that data decide again and
    again. repeats: deviation of the logarithm by which one run takes longer than the least of the
    repetitions, which the law is of; it is on the upper side of an interval alone.
    """

    counts: tuple[Count, ...]
    theta: tuple[float, ...]
    root: tuple[tuple[float, ...], ...]
    sigma: float
    drift: float
    floor_s: float
    reach: dict[str, tuple[float, float]]
    traffic: Traffic
    costs: Costs
    chain: str = ""
    branches: Branches | None = None
    repeats: float = 0.0

    def __post_init__(self) -> None:
        size = len(self.counts) + 2 * (len(self.costs.levels) - 1) + REST + bool(self.chain)
        size += 2 * (self.branches is not None)
        if self.counts and len(self.theta) == len(self.root) == size - len(_LATER):
            self._complete()
        if not self.counts or len(self.theta) != size or len(self.root) != size:
            raise ValueError(f"theta and root need {size} rows")

    def _complete(self) -> None:
        """Give a law of before `_LATER` were learned what was taken for them then, so that it says
        what it said: the latency of memory was that of caches."""
        first = len(self.counts) + 2 * (len(self.costs.levels) - 1)
        at, known = first + REST - len(_LATER), (0.0,) * len(self.root[0])
        theta = (*_LATER[:-1], self.theta[first])
        root = (*(known for _ in _LATER[:-1]), self.root[first])
        force_setattr(self, "theta", (*self.theta[:at], *theta, *self.theta[at:]))
        force_setattr(self, "root", (*self.root[:at], *root, *self.root[at:]))

    # -- evaluation
    @cached_property
    def formulas(self) -> tuple[Formula, ...]:
        return tuple(parse_formula(c.formula) for c in self.counts)

    @cached_property
    def chained(self) -> Formula | None:
        return parse_formula(self.chain) if self.chain else None

    @cached_property
    def branched(self) -> tuple[Formula, ...]:
        """Of `branches`: number and length."""
        b = self.branches
        return () if b is None else (parse_formula(b.number), parse_formula(b.length))

    @cached_property
    def parameters(self) -> frozenset[str]:
        """The parameters that need a value."""
        every = [*self.formulas, *([self.chained] if self.chained else []), *self.branched]
        return self.traffic.symbols.union(*(f.symbols for f in every))

    @cached_property
    def capacities(self) -> Floats:
        return np.array(self.traffic.capacities)

    def design(self, at: Mapping[str, Floats], *, crowded: bool = True) -> Design:
        """The design at points given by one array (P,) a parameter.

        Args:
            crowded: see `Traffic.at`.

        Raises:
            DataError: a parameter has no value.
        """
        missing = sorted(self.parameters - set(at))
        if missing:
            raise DataError(f"no value for {', '.join(missing)}")
        size = max((np.size(v) for v in at.values()), default=1)

        def values(f: Formula) -> Floats:
            found = np.broadcast_to(f.values({n: at[n] for n in f.symbols}), (size,))
            return np.maximum(found, 0.0)

        counts = np.stack([values(f) for f in self.formulas])
        with np.errstate(invalid="ignore"):  # a loop that does not run: 0 / 0
            chain = None if self.chained is None else np.nan_to_num(values(self.chained))
            branches = [np.nan_to_num(values(f)) for f in self.branched]
        again = np.stack(branches) if branches else None
        return Design(counts, self.traffic.at(at, crowded=crowded), chain, branches=again)

    def parts(self, at: Mapping[str, Floats], *, crowded: bool = True) -> Parts:
        """The parts of the time at points."""
        design = self.design(at, crowded=crowded)
        return parts(np.array(self.theta), design, self.capacities, self.costs)

    def seconds(self, at: Mapping[str, Floats | float]) -> Floats:
        """The time at parameter values, which broadcast."""
        columns, shape = _flat(at)
        found: Floats = (_NS * self.parts(columns).total).reshape(shape)
        return found

    def deviation(self, at: Mapping[str, Floats | float]) -> Floats:
        """Standard deviation of the logarithm of the least of as many repetitions as were measured
        at a point."""
        columns, shape = _flat(at)
        design = self.design(columns)
        theta = np.array(self.theta)
        jacobian = jacobian_of(theta, design, self.capacities, self.costs)
        learned = ((np.array(self.root).T @ jacobian) ** 2).sum(axis=0)
        beyond = self.beyond(columns)
        found = parts(theta, design, self.capacities, self.costs)
        counted = self._counted(design, found, beyond)
        seconds = _NS * found.total
        floor = (self.floor_s / np.maximum(seconds, 1e-12)) ** 2
        total = learned + self.sigma**2 + (self.drift * beyond) ** 2 + counted + floor
        deviation: Floats = np.sqrt(total).reshape(shape)
        return deviation

    def deviation_above(self, at: Mapping[str, Floats | float]) -> Floats:
        """Standard deviation of the logarithm of one new observation on its upper side."""
        found: Floats = np.hypot(self.deviation(at), self.repeats)
        return found

    def _counted(self, design: Design, found: Parts, beyond: Floats) -> Floats:
        """Variance (P,) of the logarithm that fitted counts leave: of each by its part of the time,
        all of them alike."""
        terms = np.exp(self.theta[: len(self.counts)])[:, None] * design.counts
        parts_of = terms / np.maximum(terms.sum(axis=0), 1e-300)
        apart = np.maximum(found.total - found.core, 0.0) / np.maximum(found.total, 1e-300)
        parts_of = parts_of * (1 - apart)
        parts_of[0] += apart  # lines are those of the first
        open_ = np.array([np.hypot(c.deviation * beyond, c.scatter) for c in self.counts])
        variance: Floats = (parts_of * open_).sum(axis=0) ** 2
        return variance

    def beyond(self, columns: Mapping[str, Floats]) -> Floats:
        """Doublings (P,) beyond the measured values, of all parameters together."""
        size = max((np.size(v) for v in columns.values()), default=1)
        total = np.zeros(size)
        for name, (low, high) in self.reach.items():
            if name in columns and low > 0:
                x = np.maximum(np.broadcast_to(columns[name], (size,)), 1e-300)
                away = np.maximum(np.log2(x / high), np.log2(low / x))
                total = total + np.maximum(away, 0.0)
        return total

    def to_json(self) -> dict[str, object]:
        """The law as documents hold it: for readers the formula and its regimes, and what was
        learned, from which they follow."""
        found: dict[str, Any] = builtins(TimeLawDocument(formula_of(self), regimes_of(self), self))
        found["learned"]["traffic"] |= self.traffic.columns_packed
        return found

    def interval(self, at: Mapping[str, Floats | float], level: float) -> tuple[Floats, Floats]:
        """Both ends of the prediction interval for one new observation: no shorter than the least
        of some, and longer as the repetitions were."""
        value, quantile = self.seconds(at), NormalDist().inv_cdf(0.5 + level / 2)
        below, above = self.deviation(at), self.deviation_above(at)
        low, high = (np.exp(np.minimum(quantile * d, 50.0)) for d in (below, above))
        return value / low, value * high


def jacobian_of(theta: Floats, design: Design, capacities: Floats, costs: Costs) -> Floats:
    """Derivatives (D, P) of the logarithm of the time."""
    size = len(theta)
    moved = np.concatenate((theta + _STEP * np.eye(size), theta - _STEP * np.eye(size)))
    # nothing runs where a law of counts ends, and no cost changes that
    values = np.log(np.maximum(parts(moved, design, capacities, costs).total, _NO_TIME))
    found: Floats = (values[:size] - values[size:]) / (2 * _STEP)
    return found


_NO_TIME = 1e-300
"""Stands for no time at all, whose logarithm is wanted."""
_STEP = 1e-4
"""Step of the difference quotients, in logarithms."""


def _flat(at: Mapping[str, Floats | float]) -> tuple[dict[str, Floats], tuple[int, ...]]:
    """Columns of one length and the shape to give back."""
    arrays = {name: np.asarray(v, dtype=float) for name, v in at.items()}
    shape = np.broadcast_shapes(*(a.shape for a in arrays.values())) if arrays else ()
    return {n: np.broadcast_to(a, shape).reshape(-1) for n, a in arrays.items()}, shape


def names_of(
    groups: int, costs: Costs, *, chain: bool = False, branches: bool = False
) -> Sequence[str]:
    """What each unknown stands for."""
    behind = [level.name for level in costs.levels[1:]]
    return (
        *(f"a{k}" for k in range(groups)),
        *(f"cost of {n}" for n in behind),
        *(f"capacity before {n}" for n in behind),
        "latency",
        "first touch",
        "overlap",
        "translation",
        "capacity for random accesses",
        "overlap of memory",
        "rise of first touches",
        "latency of memory",
        *(["addition in a chain"] if chain else []),
        *(["mispredicted branches", "length of their pattern"] if branches else []),
    )


class Regime(msgspec.Struct, frozen=True):
    """A range of sizes in which the lines of a kernel come from one level.

    until: where it ends, as "n < 724"; of the last one where it begins. level: the farthest level
    that most lines come from. ns_per_iteration: of the most frequent loop, in the middle of the
    range. bound_by: what takes most of the time there: core, a level, latency, or first touch.
    """

    until: str
    level: str
    ns_per_iteration: float
    bound_by: str


class TimeLawDocument(msgspec.Struct, frozen=True):
    """A law in a file of models."""

    formula: str
    regimes: tuple[Regime, ...]
    learned: TimeLaw


CORE, LATENCY, FRESH = "core", "latency", "first touch"
_PART = 0.25
"""Lines come from a level if at least this share of those that miss the first cache miss all
caches before it."""
_FEW_LINES = 1e-3
"""A kernel with fewer lines for each iteration lives in the first cache."""
_SCAN = 12
"""Sizes looked at for each doubling."""
_SCANNED = 16.0
"""Regimes are told up to so many times the largest measured value."""


def bound_by(law: TimeLaw, at: Mapping[str, Floats | float]) -> list[str]:
    """What takes most of the time at sizes whose rows share no sets: computing, a level, latency,
    or first touches."""
    columns, _ = _flat(at)
    found = law.parts(columns, crowded=False)
    names = [CORE, *(v.name for v in law.costs.levels[1:]), LATENCY, FRESH]
    shares = np.stack([found.core, *found.levels, found.latency, found.fresh])
    return [names[k] for k in shares.argmax(axis=0).tolist()]


UNEXPLAINED = "unexplained"
"""Time that was seen and that neither computing nor memory, as it was measured, accounts for."""
_DRAWS = 400
"""Draws of the unknowns by which it is told how sure a limit is; 9 of 10 are then known to 0.03."""
_MOST_FACTOR = 2.0
"""What memory takes in a kernel is believed up to so many times what the machine was measured to
take: beyond it, a fit has put something else there."""


def limits_at(law: TimeLaw, at: Mapping[str, float], misfit: float = 0.0) -> dict[str, float]:
    """Probability that each part takes most of the time at a point, the likeliest first.

    The unknowns are drawn from what was learned of them, so that parts which the runs do not tell
    apart are not told apart here. Each part errs besides as far as the law misses its points.

    Args:
        misfit: deviation of the logarithm by which the law misses points that it was not fitted to.
    """
    columns = {n: np.array([float(v)]) for n, v in at.items()}
    chosen = law.costs
    draw = np.random.default_rng(0)
    mean, root = np.array(law.theta), np.array(law.root)
    theta = mean + draw.standard_normal((_DRAWS, root.shape[1])) @ root.T
    groups, steps = len(law.counts), len(chosen.capacities)
    as_measured = theta.copy()
    as_measured[:, groups : groups + steps] = 0.0
    as_measured[:, [groups + 2 * steps + k for k in (0, 1, 3, FAR_RANDOM)]] = 0.0
    design = law.design(columns)
    found = parts(theta, design, law.capacities, chosen)
    memory = _of_memory(found)
    believed = np.minimum(
        memory, _MOST_FACTOR * _of_memory(parts(as_measured, design, law.capacities, chosen))
    )
    rest = (memory - believed).sum(axis=-1, keepdims=True)
    shares = np.concatenate([found.core, believed, rest], axis=-1)
    missed_by = float(np.hypot(np.hypot(law.sigma, misfit), law.drift * law.beyond(columns)[0]))
    shares = shares * np.exp(missed_by * draw.standard_normal(shares.shape))
    names = [CORE, *(v.name for v in chosen.levels[1:]), LATENCY, FRESH, UNEXPLAINED]
    largest = np.bincount(shares.argmax(axis=-1), minlength=len(names)) / _DRAWS
    order = np.argsort(-largest, kind="stable")
    return {names[k]: float(largest[k]) for k in order.tolist() if largest[k] > 0}


def _of_memory(found: Parts) -> Floats:
    """(S, levels + 2) nanoseconds at one point: from each level, random accesses, first touches."""
    return np.concatenate([found.levels[..., 0], found.latency, found.fresh], axis=-1)


def level_at(law: TimeLaw, columns: Mapping[str, Floats]) -> list[str]:
    """The farthest level that a good part of the lines comes from, at P points whose rows share no
    sets."""
    costs, theta = law.costs, np.array(law.theta)
    groups, steps = len(law.counts), len(costs.capacities)
    sizes = costs.capacities * np.exp(theta[groups + steps : groups + 2 * steps])
    design = law.design(columns, crowded=False)
    lines = missed(design.columns, law.capacities, sizes).sum(axis=-1)
    lines = lines + np.stack(
        [(design.columns.random * np.clip(1 - s / law.capacities, 0, 1)).sum(axis=1) for s in sizes]
    )
    level = np.zeros(lines.shape[1], dtype=np.int64)
    for k in range(steps):
        level[(lines[k] >= _PART * lines[0]) & (lines[0] > _FEW_LINES)] = k + 1
    return [costs.levels[k].name for k in level.tolist()]


def regimes_of(law: TimeLaw) -> tuple[Regime, ...]:
    """The regimes along the parameter that changes the traffic most, the others at their largest
    values."""
    at = {n: high for n, (_, high) in law.reach.items()}
    names = [n for n in law.traffic.parameters if n in law.reach] or list(law.reach)
    if not names:
        return (_regime(law, {}, "always"),)
    name = names[0]
    low, high = law.reach[name]
    most = min(_SCANNED * high, max((high, *(a[-1] for n, a in _axes(law) if n == name))))
    number = 2 + int(_SCAN * np.log2(max(most / max(low, 1.0), 1.0)))
    x = np.unique(np.round(np.geomspace(max(low, 1.0), most, number)))
    columns = {n: np.full(len(x), v) for n, v in at.items()} | {name: x}
    levels = level_at(law, columns)
    cuts = [k for k in range(1, len(x)) if levels[k] != levels[k - 1]]
    found = []
    for start, end in zip([0, *cuts], [*cuts, len(x)], strict=True):
        limit = f"{name} < {x[end]:.0f}" if end < len(x) else f"{name} >= {x[start]:.0f}"
        middle = {**at, name: float(np.sqrt(x[start] * x[end - 1]))}
        found.append(_regime(law, middle, limit, levels[start]))
    return tuple(found)


def _axes(law: TimeLaw) -> list[tuple[str, tuple[float, ...]]]:
    return list(zip(law.traffic.parameters, law.traffic.axes, strict=True))


def _regime(law: TimeLaw, at: Mapping[str, float], until: str, level: str | None = None) -> Regime:
    columns = {n: np.array([v]) for n, v in at.items()}
    total = float(law.parts(columns, crowded=False).total[0])
    count = float(law.design(columns).counts[0, 0])
    return Regime(
        until,
        level or level_at(law, columns)[0],
        float(f"{total / count:.4g}") if count else 0.0,
        bound_by(law, columns)[0],
    )


# -- the formula
def formula_of(law: TimeLaw) -> str:
    """The law in seconds as text that sympy reads, the same as what `seconds` computes."""
    theta = np.array(law.theta)
    groups = len(law.counts)
    core = " + ".join(
        f"{_number(np.exp(a))}*({c.formula})"
        for a, c in zip(theta[:groups], law.counts, strict=True)
    )
    if law.chain:
        q = _number(CHAINED)
        waited = _number(np.exp(theta[groups + 2 * (len(law.costs.levels) - 1) + REST]))
        core = f"(({core})**{q} + ({waited}*({law.chain}))**{q})**(1/{q})"
    if law.branches is not None:
        core = f"{core} + ({law.branches.number})*({_mispredicted(law, law.branches)})"
    near, far, fresh = _tabulated(law)
    main = law.counts[0].formula
    tail = groups + 2 * (len(law.costs.levels) - 1)
    power, beyond = (1 + float(np.exp(theta[tail + k])) for k in (OVERLAP, FAR_OVERLAP))
    text = core
    for part, hidden in ((near, power), (far, beyond)):
        if part != "0":
            p = _number(hidden)
            text = f"(({text})**{p} + (({main})*({part}))**{p})**(1/{p})"
    if fresh != "0":
        text = f"{text} + ({main})*({fresh})"
    return f"1e-9*({text})"


def _mispredicted(law: TimeLaw, branches: Branches) -> str:
    """What one of the branches that come again costs, ns, as text."""
    factor, shift = np.exp(law.theta[-2:])
    lengths = np.array(law.costs.branch_lengths) / shift
    costs = factor * law.costs.mispredicted
    if not costs.any():
        return "0"
    x = branches.length
    pieces = [f"(0, {x} <= {_number(lengths[0])})"]
    for k in range(1, len(lengths)):
        per = (costs[k] - costs[k - 1]) / float(np.log(lengths[k] / lengths[k - 1]))
        rise = f"{_number(per)}*log(({x})/{_number(lengths[k - 1])})"
        pieces.append(f"({_number(costs[k - 1])} + {rise}, {x} <= {_number(lengths[k])})")
    pieces.append(f"({_number(costs[-1])}, True)")
    return f"Piecewise({', '.join(pieces)})"


def _tabulated(law: TimeLaw) -> tuple[str, str, str]:
    """Caches, memory, and first touches per iteration, ns, as text."""
    theta, groups, costs = np.array(law.theta), len(law.counts), law.costs
    axes = [np.array(a) for a in law.traffic.axes]
    grid = law.traffic.grid
    blank = Design(np.ones((groups, len(grid.fresh))), grid)
    found = parts(theta, blank, law.capacities, costs)
    shape = law.traffic.shape
    near = found.levels[:-1].sum(axis=0) + found.latency
    names = list(law.traffic.parameters)
    texts = [
        _halved(law.traffic, [_interpolated(v, names, axes) for v in values.reshape(shape)])
        for values in (near, found.levels[-1], found.fresh)
    ]
    return texts[0], texts[1], texts[2]


def _halved(traffic: Traffic, tables: Sequence[str]) -> str:
    """One of the tables, by how often the distance of rows halves the sets, as text."""
    if len(set(tables)) == 1:
        return tables[0]
    most = len(tables) - 1
    pieces = [f"({tables[k]}, Mod({traffic.apart}, {LINE << k}) <= 0)" for k in range(most, 0, -1)]
    return f"Piecewise({', '.join([*pieces, f'({tables[0]}, True)'])})"


def _interpolated(values: Floats, names: Sequence[str], axes: Sequence[Floats]) -> str:
    """Values on a grid as text: linear in the logarithms of the parameters between them."""
    if not np.any(values):
        return "0"
    if not names:
        return _number(float(values))
    name, axis = names[0], axes[0]
    nodes = [_interpolated(v, names[1:], axes[1:]) for v in values]
    if len(set(nodes)) == 1:
        return nodes[0]
    pieces = [f"({nodes[0]}, {name} <= {axis[0]:.0f})"]
    for k in range(1, len(axis)):
        if nodes[k] == nodes[k - 1]:
            text = nodes[k]
        else:
            width = _number(float(np.log2(axis[k] / axis[k - 1])))
            share = f"log({name}/{axis[k - 1]:.0f}, 2)/{width}"
            text = f"({nodes[k - 1]})*(1 - {share}) + ({nodes[k]})*{share}"
        pieces.append(f"({text}, {name} <= {axis[k]:.0f})")
    pieces.append(f"({nodes[-1]}, True)")
    return f"Piecewise({', '.join(pieces)})"


def _number(value: float) -> str:
    return f"{value:.10g}"
