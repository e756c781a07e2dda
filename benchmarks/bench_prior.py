"""The value of the static prior: how many fewer observations, or how much more noise, still give
models of the same accuracy.

    make bench-prior ARGS='--functions 100 --seeds 1 2 3'

Programs are drawn at random: c0 + c1 n**i log2(n)**j in one parameter, or with a second one that
does not matter, and rows * nnz where nnz differs from run to run. A model is accurate if its value
at four times the largest n is within 10 %. Known are: nothing; which parameters matter; the terms
of the law (preferred); its exponents (fixed); "wrong": an exponent that is off by 1/2 (fixed);
"partly": the right term and the wrong one (fixed).

A last table for each kind says what models make of fixed laws: how many are within 10 % and within
a quarter, have an interval that holds the truth, are called sure, are called sure and off by more
than a quarter, and say that the points refute or do not bear out what was given.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from modeling import Measurements, Model, Prior, Series, Term, fit

Floats = NDArray[np.float64]

NOISE = (0.01, 0.02, 0.05, 0.1, 0.2, 0.4)
POINTS = (3, 4, 5, 6, 8)
REPETITIONS = (1, 2, 5, 10)
USUAL_POINTS, USUAL_NOISE, NEAR, WANTED = 5, 0.1, 0.1, 0.75
QUARTER = 0.25
FIXED = ("exponents", "wrong", "partly")
_POWERS = ("0", "1/2", "1", "3/2", "2", "5/2", "3")


@dataclass(frozen=True)
class Program:
    """A law to find: its one growing term, what can influence it, how it is measured, and its value
    where it is predicted."""

    term: Term
    influences: frozenset[str]
    series: Series
    at: Mapping[str, float]
    truth: float


KNOWN: Mapping[str, Callable[[Program], Prior]] = {
    "nothing": lambda p: Prior(),
    "parameters": lambda p: Prior(p.influences),
    "terms": lambda p: Prior(p.influences, (p.term,)),
    "exponents": lambda p: Prior(p.influences, (p.term,), fixed=True),
    "wrong": lambda p: Prior(p.influences, (_off(p.term),), fixed=True),
    "partly": lambda p: Prior(p.influences, (p.term, _off(p.term)), fixed=True),
}


def _off(term: Term) -> Term:
    """The term with the exponent of its first parameter off by 1/2."""
    name, power, log = term.factors[0]
    others = {n: (i, j) for n, i, j in term.factors[1:]}
    return Term.of({name: (power + Fraction(1, 2), log), **others})


def draw(
    kind: str,
    generator: np.random.Generator,
    name: str,
    points: int,
    noise: float,
    repetitions: int,
) -> Program:
    """A program of a kind and its measurements at 2, 4, 8, ... times the smallest n."""
    n = 8 * 2.0 ** np.arange(points)
    if kind == "rows*nnz":
        at = [(r, float(4 + 60 * generator.random())) for r in 64 * n]
        term, names, far = (
            Term.of({"rows": (1, 0), "nnz": (1, 0)}),
            ("rows", "nnz"),
            (float(256 * n[-1]), 30.0),
        )
        influences = frozenset(names)
    else:
        power, log = Fraction(str(generator.choice(_POWERS))), int(generator.integers(0, 3))
        term = Term.of({"n": (power, log)} if power or log else {"n": (1, 0)})
        several = kind == "two parameters"
        at = [
            (float(a), *((float(b),) if several else ()))
            for a in n
            for b in ((1, 2, 4, 8) if several else (1,))
        ]
        names, influences = ("n", "m")[: 1 + several], frozenset("n")
        far = (float(4 * n[-1]), *((32.0,) if several else ()))
    size = 10.0 ** generator.uniform(-2, 2)
    offset = size * float(generator.uniform(0, 2)) * _value(term, names, at[0])

    def law(point: Sequence[float]) -> float:
        return offset + size * _value(term, names, point)

    values = [
        law(p) * np.maximum(1 + noise * generator.standard_normal(repetitions), 0.05) for p in at
    ]
    series = Series.from_values(name, "time", names, at, values)
    return Program(term, influences, series, dict(zip(names, far, strict=True)), law(far))


def _value(term: Term, names: Sequence[str], point: Sequence[float]) -> float:
    return float(term.evaluate({n: np.asarray(x) for n, x in zip(names, point, strict=True)}))


def accuracy(
    kind: str,
    known: str,
    *,
    functions: int,
    seed: int,
    points: int,
    noise: float,
    repetitions: int = 1,
) -> float:
    """Share of programs predicted within 10 %; each is measured and modelled on its own."""
    models = modelled(kind, known, functions, seed, points, noise, repetitions)
    return float(np.mean([_off_by(model, program) < NEAR for program, model in models]))


def modelled(
    kind: str,
    known: str,
    functions: int,
    seed: int,
    points: int = USUAL_POINTS,
    noise: float = USUAL_NOISE,
    repetitions: int = 1,
) -> Iterator[tuple[Program, Model]]:
    """Programs with their models, each measured and modelled on its own."""
    for k in range(functions):
        program = draw(kind, np.random.default_rng((seed, k)), f"f{k}", points, noise, repetitions)
        prior = {(f"f{k}", "time"): KNOWN[known](program)}
        yield program, fit(Measurements((program.series,)), prior).models[0]


def _off_by(model: Model, program: Program) -> float:
    return abs(float(model.evaluate(program.at)) / program.truth - 1)


def believed(kind: str, known: str, functions: int, seeds: Sequence[int], noise: float) -> Floats:
    """(6,): what models make of fixed laws, see above."""
    rows = []
    for seed in seeds:
        for program, model in modelled(kind, known, functions, seed, noise=noise):
            off, sure = _off_by(model, program), model.certainty == "sure"
            low, high = (float(x) for x in model.interval(program.at))
            told = any("the given law" in note for note in model.notes)
            holds = low <= program.truth <= high
            rows.append((off < NEAR, off < QUARTER, holds, sure, sure and off > QUARTER, told))
    return np.asarray(np.mean(rows, axis=0))


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--functions", type=int, default=40, help="programs of each kind and seed")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    given = parser.parse_args()

    def share(kind: str, known: str, *, points: int, noise: float, repetitions: int = 1) -> float:
        shares = [
            accuracy(
                kind,
                known,
                functions=given.functions,
                seed=seed,
                points=points,
                noise=noise,
                repetitions=repetitions,
            )
            for seed in given.seeds
        ]
        return float(np.mean(shares))

    for kind in ("one parameter", "two parameters", "rows*nnz"):
        print(
            f"\n{kind}: predictions at 4x within {NEAR:.0%}, {given.functions} programs a seed,"
            f" seeds {given.seeds}"
        )
        _table(
            f"noise ({USUAL_POINTS} points of n)",
            {
                f"{x:.0%}": {
                    known: share(kind, known, points=USUAL_POINTS, noise=x) for known in KNOWN
                }
                for x in NOISE
            },
            last=True,
        )
        _table(
            f"points of n ({USUAL_NOISE:.0%} noise)",
            {
                str(x): {known: share(kind, known, points=x, noise=USUAL_NOISE) for known in KNOWN}
                for x in POINTS
            },
            last=False,
        )
        _table(
            f"repetitions ({USUAL_POINTS} points, {USUAL_NOISE:.0%})",
            {
                str(x): {
                    known: share(kind, known, points=USUAL_POINTS, noise=USUAL_NOISE, repetitions=x)
                    for known in KNOWN
                }
                for x in REPETITIONS
            },
            last=False,
        )
        heads = ("within 10%", "a quarter", "in interval", "sure", "sure, wrong", "said")
        print(f"{'fixed law, noise':<28}" + "".join(f"{head:>14}" for head in heads))
        for known in FIXED:
            for noise in NOISE:
                row = believed(kind, known, given.functions, given.seeds, noise)
                title = f"{known}, {noise:.0%}"
                print(f"  {title:<26}" + "".join(f"{x:>14.0%}" for x in row), flush=True)


def _table(title: str, rows: Mapping[str, Mapping[str, float]], *, last: bool) -> None:
    """Shares, and with what each kind of knowledge reaches the share wanted."""
    print(f"{title:<28}" + "".join(f"{known:>14}" for known in KNOWN))
    for name, row in rows.items():
        print(f"  {name:<26}" + "".join(f"{row[known]:>14.0%}" for known in KNOWN))
    reached = {
        known: [name for name, row in rows.items() if row[known] >= WANTED] for known in KNOWN
    }
    print(
        f"  {'most' if last else 'fewest'} for {WANTED:.0%}".ljust(28)
        + "".join(
            f"{(found[-1 if last else 0] if found else 'none'):>14}" for found in reached.values()
        )
    )


if __name__ == "__main__":
    main()
