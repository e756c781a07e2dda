"""Candidates with several parameters.

The factors of each parameter are chosen one at a time (see `line_factors`). Their products are then
combined by a beam search, so sums of products come out as well as products of sums.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from ..data.measurements import Floats
from ..evidence.noise import Levels
from ..kernel.beam import States, Weigher
from ..pmnf.dictionary import FactorTable
from ..pmnf.hypotheses import Candidates, Codes, limit_of
from ..settings import ARITHMETIC, HypothesisSettings, Settings, SeveralSettings, at
from .beam_search import Level, beam_search
from .line_factors import LineFactors, LineHypotheses


@dataclass(frozen=True, eq=False)
class SeveralDesign:
    """What series share whose points are the same: the factor table and columns (T_l, P) of each
    parameter, how its factors are chosen, which points count (P,), and how many functions of each
    parameter besides the constant its values tell apart (m,)."""

    tables: Sequence[FactorTable]
    columns: Sequence[Floats]
    factors: Sequence[LineFactors]
    rows: NDArray[np.bool_]
    distinguishable: Codes

    @staticmethod
    def of(
        points: Floats,
        rows: NDArray[np.bool_],
        columns: Sequence[Floats],
        hypotheses: Sequence[LineHypotheses],
    ) -> SeveralDesign:
        """For points (P, m), of which those of some rows (P,) count, with the factors (T_l, P) and
        hypotheses along lines of each parameter."""
        factors = [
            LineFactors.of(points, rows, k, own, h)
            for k, (own, h) in enumerate(zip(columns, hypotheses, strict=True))
        ]
        apart = np.array([len(np.unique(x)) - 1 for x in points[rows].T])
        return SeveralDesign([h.table for h in hypotheses], columns, factors, rows, apart)


def several_candidates(
    designs: Sequence[SeveralDesign],
    which: Codes,
    y: Floats,
    magnitude: Floats,
    spread: Floats,
    known: Sequence[Codes],
    noise: Levels,
    repetitions: Floats,
) -> list[Candidates]:
    """The hypotheses worth an exact fit, by size.

    Args:
        designs: what the series share, with the same columns, and which of the points count.
        which: (K,) numbers of the designs of the series.
        y, magnitude, spread: (K, P) as in `Batch`.
        known: terms (each m factor numbers) that are always among those combined.
        noise: levels of the noise.
        repetitions: (K, S) log likelihood of the repetitions under each level.
    """
    parameters, settings = len(designs[0].tables), noise.settings
    tables, columns = designs[0].tables, designs[0].columns
    counts = np.array([d.rows.sum() for d in designs])[which]
    apart = np.stack([d.distinguishable for d in designs])[which]
    width = at(settings.several.factors, parameters - 2)
    selected = _selected(designs, which, y, magnitude, spread)
    weight = 1 / (magnitude * np.sqrt(spread))
    found: dict[int, Candidates] = {}
    cached, least_together = settings.several.cached, settings.several.least_together
    together = max(least_together, cached // (y.shape[1] * (1 + width) ** parameters))
    for start in range(0, len(y), together):
        rows = slice(start, start + together)
        terms, copies = _products([s[rows] for s in selected], known)
        cost = np.where(copies, np.inf, _term_cost(terms, tables, settings))
        target = y[rows] * weight[rows]
        levels = beam_search(terms, columns, weight[rows], target, cost, settings.beam)
        states = _weighed(
            levels, terms, counts[rows], tables, apart[rows], noise, repetitions[rows]
        )
        for some in _worthy(levels, states, noise):
            _, n, size, _ = some.codes.shape
            if len(some.codes) == len(y):
                found[size] = some
                continue
            if size not in found:
                codes = np.zeros((len(y), n, size, parameters), dtype=np.int64)
                found[size] = Candidates(codes, np.full((len(y), n), -np.inf))
            found[size].codes[rows], found[size].prior[rows] = some.codes, some.prior
    result = [found[size] for size in sorted(found)]
    enough = counts > settings.several.expanded_terms
    if enough.any():
        expanded, absent = _expanded_products(selected, settings.several)
        prior = hypothesis_prior(expanded, tables, apart, settings.hypotheses)
        prior[absent | ~enough[:, None]] = -np.inf
        result.append(Candidates(expanded, prior))
    return result


def _selected(
    designs: Sequence[SeveralDesign], which: Codes, y: Floats, magnitude: Floats, spread: Floats
) -> list[Codes]:
    """(K, width) of each parameter: the factors that explain its lines best."""
    if len(designs) == 1:
        return [f.chosen(y, magnitude, spread) for f in designs[0].factors]
    found = [np.empty((len(y), f.width), dtype=np.int64) for f in designs[0].factors]
    for number, design in enumerate(designs):
        rows = np.flatnonzero(which == number)
        own = y[rows], magnitude[rows], spread[rows]
        for chosen, factors in zip(found, design.factors, strict=True):
            chosen[rows] = factors.chosen(*own)
    return found


def _worthy(levels: Sequence[Level], states: Sequence[States], noise: Levels) -> list[Candidates]:
    """The states of each level of the beam as candidates; those that are not worth an exact fit
    have no probability."""
    worth = _worth(levels, [s.evidence for s in states], noise)
    return [
        Candidates(s.codes, np.where(some, s.prior, -np.inf))
        for s, some in zip(states, worth, strict=True)
    ]


def _weighed(
    levels: Sequence[Level],
    terms: Codes,
    points: Codes,
    tables: Sequence[FactorTable],
    distinguishable: Codes,
    noise: Levels,
    repetitions: Floats,
) -> list[States]:
    """Prior and evidence of the states of each level, for series of which
    so many points (K,) count and tell apart so many functions of each parameter (K, m)."""
    weigher = Weigher(
        *(terms, [t.costs for t in tables], [t.together for t in tables], distinguishable),
        *(repetitions + noise.prior[:, 0], noise.sigmas, points.astype(float), noise.settings),
    )
    return [weigher.states(v.chosen, v.score, v.left, v.parts) for v in levels]


def _worth(
    levels: Sequence[Level], evidence: Sequence[Floats], noise: Levels
) -> list[NDArray[np.bool_]]:
    """(K, B) of each level: is the state worth an exact fit? It must not be hopeless, and where the
    noise is known it must be among the most probable of its series. The best states of the first
    levels always are, so that something is left where better fits turn negative beyond the
    data."""
    settings = noise.settings.several
    score = np.concatenate([level.score for level in levels], axis=1)
    worth = score > score.max(axis=1, keepdims=True) - settings.hopeless
    every = np.concatenate(evidence, axis=1)
    if noise.pooled:
        worth &= every >= limit_of(every, settings.most) - ARITHMETIC.evidence
    found = np.split(worth, np.cumsum([e.shape[1] for e in evidence])[:-1], axis=1)
    for some, e in zip(found[: settings.always], evidence, strict=False):
        some |= e >= limit_of(e, settings.always) - ARITHMETIC.evidence
    return found


def _expanded_products(
    selected: Sequence[Codes], settings: SeveralSettings
) -> tuple[Codes, NDArray[np.bool_]]:
    """(K, n, 4, m) sets of terms of c(z) (f(x) + a) (g(y) + b), as nested loops with offsets have
    them, from the first factors of each pair of parameters and the first of the others, and (K, n)
    those whose factors do not exist.

    Where y has two values only, every g fits alike: the beam, which adds term by term, fills up
    with mixtures of them.
    """
    places = _expanded(len(selected), settings)
    sets = np.zeros((len(selected[0]), *places.shape), dtype=np.int64)
    absent = np.zeros((len(sets), len(places)), dtype=np.bool_)
    for k, own in enumerate(selected):
        used = places[..., k]
        sets[..., k] = np.where(used > 0, own[:, used - 1], 0)
        absent |= ((used > 0) & (sets[..., k] == 0)).any(axis=2)
    return sets, absent


@lru_cache
def _expanded(parameters: int, settings: SeveralSettings) -> Codes:
    """(n, 4, m): which of the chosen factors of each parameter stand in the terms of each set,
    counted from one; zero for none."""
    sets = []
    for x, y in combinations(range(parameters), 2):
        others = [k for k in range(parameters) if k not in (x, y)]
        common = [0, 1] if parameters <= settings.most_common else [0]
        first = range(at(settings.first_factors, parameters - 2))
        for f, g, *rest in product(first, first, *(common for _ in others)):
            places = np.zeros((settings.expanded_terms, parameters), dtype=np.int64)
            places[1::2, x], places[2:, y] = f + 1, g + 1
            for k, with_common in zip(others, rest, strict=True):
                places[:, k] = with_common
            sets.append(places)
    return np.stack(sets)


def hypothesis_prior(
    codes: Codes,
    tables: Sequence[FactorTable],
    distinguishable: Codes,
    settings: HypothesisSettings,
) -> Floats:
    """Log prior (K, n) of hypotheses with codes (K, n, k, m).

    A factor that several terms have in common is paid for once: f(x) + f(x) g(y) is more probable
    than f(x) + h(x) g(y). A parameter with d values has d linearly independent functions, the
    constant and d - 1 (distinguishable, (K, m)) others; a hypothesis with more factors of it is a
    simpler one in disguise.
    """
    cost = np.zeros(codes.shape[:2])
    for k, table in enumerate(tables):
        used = np.sort(codes[..., k], axis=2)
        first = np.ones(used.shape, dtype=bool)
        first[..., 1:] = used[..., 1:] != used[..., :-1]
        cost += (table.costs[used] * first).sum(axis=2) + table.cost_together(used)
        cost += settings.disguised * (
            ((used > 0) & first).sum(axis=2) > distinguishable[:, k, None]
        )
    involved = (codes > 0).sum(axis=-1)
    cost += settings.interaction * np.maximum(involved - 1, 0).sum(axis=2)
    number = (involved > 0).sum(axis=2)
    cost += number * np.log(2.0 ** codes.shape[-1] - 1)
    terms = settings.log_several_terms
    result: Floats = terms[np.minimum(number, len(terms) - 1)] - cost
    return result


def _term_cost(terms: Codes, tables: Sequence[FactorTable], settings: Settings) -> Floats:
    """Rough negative log prior (K, T) of a term inside a hypothesis."""
    unusual = sum(
        (table.unusual[terms[..., k]] for k, table in enumerate(tables)), np.zeros(terms.shape[:2])
    )
    involved = (terms > 0).sum(axis=2)
    several = settings.several
    rough: Floats = (
        np.where(involved > 0, several.entry_cost, several.constant_cost)
        + several.oddness * unusual
        + settings.hypotheses.interaction * np.maximum(involved - 1, 0)
    )
    return rough


def _products(selected: Sequence[Codes], known: Sequence[Codes]) -> tuple[Codes, NDArray[np.bool_]]:
    """All products of the selected factors, the constant first, then the known terms: (codes (K, T,
    m), copies (K, T)): those that stand twice because a parameter has fewer factors."""
    index = _places(tuple(s.shape[1] for s in selected))
    series = len(selected[0])
    terms = np.zeros((series, len(index) + len(known), len(selected)), dtype=np.int64)
    copies = np.zeros(terms.shape[:2], dtype=np.bool_)
    own = slice(0, len(index))
    for k, chosen in enumerate(selected):
        used = index[:, k] > 0
        terms[:, own, k] = np.where(used, chosen[:, index[:, k] - 1], 0)
        copies[:, own] |= used & (terms[:, own, k] == 0)
    if len(known):
        terms[:, len(index) :] = np.stack(list(known))
    return terms, copies


@lru_cache
def _places(counts: tuple[int, ...]) -> Codes:
    """(T, m): which of so many factors of each parameter stand in their products, counted from one;
    zero for none."""
    return np.array(list(product(*(range(1 + n) for n in counts))), dtype=np.int64)
