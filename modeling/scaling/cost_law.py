"""Time on N processes as a sum of non-negative costs.

    T(m, N) = sum_k a_k phi_k(m, N),   a_k >= 0

The terms phi_k are the work per process m / N, serial work, a constant, and the usual growth of
communication: log N (reductions), N and sqrt(N) (masters, pipelines), (m / N)**(2/3) and
sqrt(m / N) (halos), and the same in the number of nodes and of cores per node. A static law
T <= W / N + D (Brent, JACM 1974) adds its two terms. Non-negative least squares on relative
residuals selects terms: since all costs add up, none can diverge against another beyond the data.
Terms that do not lower the error enough are dropped, and outlying residuals get a low weight
(Huber), so that disturbed runs count for little.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from looplaw_common.errors import DataError

from ..data.measurements import Floats
from ..data.timed_runs import Runs
from ..least_squares.nnls import nonnegative

Cost = tuple[str, Callable[[Floats, Floats, Floats], Floats]]
"""A term: its name, and its values at (size, nodes, cores)."""

_HUBER = 2.0  # standard deviations from which on residuals are weighted down
_ROUNDS = 8  # of reweighting
_LEAST_NOISE = 1e-9  # relative residuals below this are rounding

SHARED: tuple[Cost, ...] = (
    ("m/N", lambda m, a, c: m / (a * c)),
    ("m", lambda m, a, c: m),
    ("1", lambda m, a, c: np.ones_like(m)),
    ("log(m)*m/N", lambda m, a, c: m / (a * c) * np.log2(np.maximum(m, 2))),
)
"""Terms that a single process has as well."""

TALK: tuple[Cost, ...] = (
    ("log(N)", lambda m, a, c: np.log2(a * c)),
    ("sqrt(N)", lambda m, a, c: np.sqrt(a * c)),
    ("N", lambda m, a, c: a * c),
    ("1 [N>1]", lambda m, a, c: np.ones_like(m)),
    ("(m/N)^(2/3)", lambda m, a, c: (m / (a * c)) ** (2 / 3)),
    ("(m/N)^(1/2)", lambda m, a, c: (m / (a * c)) ** 0.5),
    ("m/N*log(N)", lambda m, a, c: m / (a * c) * np.log2(a * c)),
    ("m/N [N>1]", lambda m, a, c: m / (a * c)),
    ("m/N^(2/3)", lambda m, a, c: m / (a * c) ** (2 / 3)),
    ("m/N*sqrt(log(N))", lambda m, a, c: m / (a * c) * np.sqrt(np.log2(a * c))),
)
"""Terms that are 0 for one process."""

LEVELS: tuple[Cost, ...] = (
    ("log(nodes)", lambda m, a, c: np.log2(a)),
    ("nodes", lambda m, a, c: a),
    ("1 [nodes>1]", lambda m, a, c: np.ones_like(m)),
    ("m/nodes", lambda m, a, c: m / a),
    ("m/nodes^(2/3)", lambda m, a, c: m / a ** (2 / 3)),
    ("(m/N)^(2/3)*cores", lambda m, a, c: (m / (a * c)) ** (2 / 3) * c),
    ("(m/N)^(1/2)*cores", lambda m, a, c: (m / (a * c)) ** 0.5 * c),
)
"""Terms that are 0 on one node."""

LOCAL: tuple[Cost, ...] = (
    ("log(cores)", lambda m, a, c: np.log2(c)),
    ("m/N*cores", lambda m, a, c: m / a),
    ("m/N*max(cores-8,0)", lambda m, a, c: m / (a * c) * np.maximum(c - 8, 0)),
    ("m/N*max(cores-16,0)", lambda m, a, c: m / (a * c) * np.maximum(c - 16, 0)),
)
"""Terms that are 0 with one core per node."""


@dataclass(frozen=True)
class CostLaw:
    """K terms with coefficients (K,) in seconds; draws (B, K): coefficients of resampled fits and
    of rival laws; noise: relative standard deviation of a time."""

    terms: tuple[Cost, ...]
    coefficients: Floats
    draws: Floats
    noise: float

    def time(self, size: Floats, nodes: Floats, cores: Floats) -> Floats:
        """(R,) seconds."""
        return self.coefficients @ _table(self.terms, size, nodes, cores)

    def sampled(self, size: Floats, nodes: Floats, cores: Floats) -> Floats:
        """(B, R) seconds that the resampled fits and rivals predict."""
        return self.draws @ _table(self.terms, size, nodes, cores)

    @property
    def formula(self) -> str:
        """The terms in use with their coefficients, as text."""
        return (
            " + ".join(
                f"{a:.3g}*{name}"
                for a, (name, _) in zip(self.coefficients, self.terms, strict=True)
                if a > 0
            )
            or "0"
        )


def fit_costs(runs: Runs, extra: Sequence[Cost] = (), seed: int = 0, draws: int = 60) -> CostLaw:
    """Fit the law to measured times.

    Args:
        extra: terms of a static law, such as ("W/N", ...) and ("D", ...); see `brent_costs`.
        draws: how many resampled fits, and how many rivals, `CostLaw.draws` holds.

    Raises:
        DataError: fewer than three runs.
    """
    if len(runs.time) < 3:
        raise DataError(f"{len(runs.time)} runs do not make a law: time at least 3 configurations")
    terms = (*extra, *_terms(runs))
    table = _table(terms, runs.size, runs.nodes, runs.cores) / runs.time
    used = (np.ptp(table * runs.time, axis=1) > 0) | np.array(
        [name == "1" for name, _ in terms]
    )  # others equal the constant
    terms, table = tuple(t for t, u in zip(terms, used, strict=True) if u), table[used]
    fullest, weights = _robust(table)
    coefficients, noise = _sparse(table, weights, fullest)
    rng = np.random.default_rng(seed)
    fitted = coefficients @ table
    residual = (1 - fitted) * np.sqrt(weights)
    again = [
        _nonnegative(
            table,
            weights,
            fitted + rng.choice(residual, len(residual)) * rng.choice((-1.0, 1.0), len(residual)),
        )
        for _ in range(draws)
    ]
    return CostLaw(
        terms,
        coefficients,
        np.array([*again, *_rivals(table, weights, coefficients, rng, draws)]),
        noise,
    )


def _terms(runs: Runs) -> tuple[Cost, ...]:
    two_levels = len(np.unique(runs.cores)) > 1 and len(np.unique(runs.nodes)) > 1
    return (*SHARED, *TALK, *LEVELS, *LOCAL) if two_levels else (*SHARED, *TALK)


def _table(terms: Sequence[Cost], size: Floats, nodes: Floats, cores: Floats) -> Floats:
    """(K, R) values of the terms; a communication term is 0 where nothing is communicated."""
    rows = []
    for name, value in terms:
        column = np.asarray(value(size, nodes, cores), dtype=float) * np.ones_like(size)
        if any(name == n for n, _ in TALK):
            column = np.where(nodes * cores > 1, column, 0.0)
        elif any(name == n for n, _ in LEVELS):
            column = np.where(nodes > 1, column, 0.0)
        elif any(name == n for n, _ in LOCAL):
            column = np.where(cores > 1, column, 0.0)
        rows.append(column)
    return np.array(rows)


def _robust(table: Floats) -> tuple[Floats, Floats]:
    """Coefficients and weights of the runs, by iteratively reweighted fits of table' a = 1."""
    weights, one = np.ones(table.shape[1]), np.ones(table.shape[1])
    for _ in range(_ROUNDS):
        found = _nonnegative(table, weights, one)
        residual = np.abs(1 - found @ table)
        noise = max(1.4826 * float(np.median(residual)), _LEAST_NOISE)
        weights = np.minimum(1.0, _HUBER * noise / np.maximum(residual, 1e-300))
    return found, weights


def _sparse(table: Floats, weights: Floats, fullest: Floats) -> tuple[Floats, float]:
    """Backward elimination: (coefficients of the remaining terms, relative noise of the residuals).

    The term whose removal raises the error least is dropped as long as n ln(RSS) rises by less than
    ln(n), the price of a term in the Bayesian information criterion. What remains extrapolates
    far better than the full least-squares fit.
    """
    runs = table.shape[1]
    one = np.ones(runs)

    def without(kept: Floats) -> tuple[float, Floats]:
        a = np.zeros(len(table))
        chosen = np.flatnonzero(kept)
        a[chosen] = _nonnegative(table[chosen], weights, one)
        return max(float((weights * (1 - a @ table) ** 2).sum()), runs * _LEAST_NOISE**2), a

    error, best = without(fullest)
    while (best > 0).sum() > 1:
        tried = [
            without(np.where(np.arange(len(best)) == k, 0, best)) for k in np.flatnonzero(best)
        ]
        less, fewer = min(tried, key=lambda t: t[0])
        if runs * np.log(less / error) > np.log(runs):
            break
        error, best = less, fewer
    return best, float(np.sqrt(error / max(runs - int((best > 0).sum()), 1)))


def _rivals(
    table: Floats, weights: Floats, best: Floats, rng: np.random.Generator, draws: int
) -> list[Floats]:
    """Coefficients of laws with one term of the best law replaced by another, drawn with
    probability proportional to the likelihood exp(-n ln(RSS ratio) / 2)."""
    runs, one = table.shape[1], np.ones(table.shape[1])
    kept = np.flatnonzero(best)
    found, error = [best], [float((weights * (1 - best @ table) ** 2).sum())]
    for k in kept:
        for j in np.flatnonzero(best == 0):
            chosen = np.where(kept == k, j, kept)
            a = np.zeros(len(table))
            a[chosen] = _nonnegative(table[chosen], weights, one)
            found.append(a)
            error.append(float((weights * (1 - a @ table) ** 2).sum()))
    odds = np.maximum(np.array(error), runs * _LEAST_NOISE**2)
    odds = (odds / odds.min()) ** (-runs / 2)
    return [found[k] for k in rng.choice(len(found), draws, p=odds / odds.sum())]


def _nonnegative(table: Floats, weights: Floats, target: Floats) -> Floats:
    """argmin sum_r w_r (target_r - a . table_r)**2 over a >= 0."""
    root = np.sqrt(weights)
    return nonnegative(table * root, target * root)


def brent_costs(
    work: Callable[[Floats], Floats], depth: Callable[[Floats], Floats]
) -> tuple[Cost, Cost]:
    """The terms of the static law T <= W / N + D for `fit_costs`.

    Args:
        work, depth: W and D as functions of the problem size.
    """
    return (("W/N", lambda m, a, c: work(m) / (a * c)), ("D", lambda m, a, c: depth(m)))
