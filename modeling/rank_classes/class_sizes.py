"""How the number of ranks in a class grows with the number p of all ranks: a polynomial in k - s,
where k = p**(1/d) is the number of parts along a side of the domain.

A domain of d dimensions with k parts along each side has 2**d corner ranks; the numbers of ranks
along its edges grow as k - 2, on its faces as (k - 2)**2, inside as (k - 2)**d (see Calotoiu et
al., "Empirical Modeling of Spatially Diverging Performance", section III.A). A class may be a sum
of these. Sizes are counts, so a law either reproduces all of them, with at least one more point
than coefficients, or is called approximate.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ..data.measurements import Floats

_NEAR = 0.15  # largest relative error of an approximate law
_LEAST_POINTS = 3
_SHIFTS = (2, 0, 1)  # values of s, the usual ones first


@dataclass(frozen=True)
class SizeLaw:
    """sum_j coefficients[j] (p**(1/dimensions) - shift)**j; the last coefficient is not 0."""

    coefficients: tuple[Fraction | float, ...]
    dimensions: int
    shift: int
    exact: bool = True

    def at(self, p: float) -> float:
        """The number of ranks in the class among p ranks."""
        side = max(p ** (1 / self.dimensions) - self.shift, 0.0)
        return float(sum(float(c) * side**j for j, c in enumerate(self.coefficients)))

    @property
    def order(self) -> Fraction:
        """The size grows as p to this power."""
        return Fraction(len(self.coefficients) - 1, self.dimensions)

    @property
    def formula(self) -> str:
        """Text that sympy reads."""
        root = (
            "p"
            if self.dimensions == 1
            else "sqrt(p)"
            if self.dimensions == 2
            else f"p**(1/{self.dimensions})"
        )
        base = f"({root} - {self.shift})" if self.shift else root
        text = ""
        for j, c in reversed(list(enumerate(self.coefficients))):
            if c or len(self.coefficients) == 1:
                power = "" if j == 0 else base if j == 1 else f"{base}**{j}"
                size = str(abs(c)) if isinstance(c, Fraction) else f"{abs(c):.3g}"
                part = power if size == "1" and power else f"{size}*{power}" if power else size
                text += (" - " if c < 0 else " + " if text else "") + part
        return text.strip()


def size_law(p: Sequence[int], sizes: Sequence[int]) -> SizeLaw | None:
    """The law that the sizes of a class follow; None if there are fewer than three values of p, or
    no law fits.

    Args:
        p: numbers of ranks of the experiments.
        sizes: number of ranks in the class, in the same order.
    """
    distinct = sorted(set(zip(p, sizes, strict=True)))
    if len({n for n, _ in distinct}) < len(distinct) or len(distinct) < _LEAST_POINTS:
        return None
    exact = list(_exact([n for n, _ in distinct], [s for _, s in distinct]))
    if exact:
        return min(exact, key=_unusual)
    near = list(
        _approximate(
            np.array([n for n, _ in distinct], dtype=float),
            np.array([s for _, s in distinct], dtype=float),
        )
    )
    error, law = min(near, key=lambda found: found[0], default=(np.inf, None))
    return law if error <= _NEAR else None


def _unusual(law: SizeLaw) -> tuple[int, int, int, int]:
    """Sort key: laws with few terms and no negative one first, then by degree, dimensions,
    shift."""
    c = law.coefficients
    return (
        sum(x != 0 for x in c) + 2 * any(x < 0 for x in c),
        len(c),
        law.dimensions,
        _SHIFTS.index(law.shift),
    )


def _exact(ranks: Sequence[int], sizes: Sequence[int]) -> Iterator[SizeLaw]:
    """Polynomials that reproduce every size, with more points than coefficients."""
    for dimensions in (1, 2, 3):
        sides = [round(p ** (1 / dimensions)) for p in ranks]
        if any(side**dimensions != p for side, p in zip(sides, ranks, strict=True)):
            continue
        for degree in range(min(dimensions, len(ranks) - 2) + 1):
            for shift in _SHIFTS if degree else (0,):
                at = [side - shift for side in sides]
                found = _interpolated(at[: degree + 1], sizes[: degree + 1])
                if found[-1] and all(
                    sum(c * x**j for j, c in enumerate(found)) == size
                    for x, size in zip(at, sizes, strict=True)
                ):
                    yield SizeLaw(tuple(found), dimensions, shift)


def _interpolated(x: Sequence[int], y: Sequence[int]) -> list[Fraction]:
    """Coefficients of the polynomial through the points, the constant first, by Newton's divided
    differences."""
    divided = [Fraction(v) for v in y]
    for level in range(1, len(x)):
        for k in range(len(x) - 1, level - 1, -1):
            divided[k] = (divided[k] - divided[k - 1]) / (x[k] - x[k - level])
    result = [Fraction(0)] * len(x)
    for k in reversed(range(len(x))):  # Horner: result = result (t - x_k) + divided_k
        result = [
            divided[k] - x[k] * result[0],
            *(result[j - 1] - x[k] * result[j] for j in range(1, len(x))),
        ]
    return result


def _approximate(ranks: Floats, sizes: Floats) -> Iterator[tuple[float, SizeLaw]]:
    """(largest relative error, c (p**(1/d) - s)**j) for each shape."""
    for dimensions, shift in ((d, s) for d in (1, 2, 3) for s in (0, 2)):
        side = ranks ** (1 / dimensions) - shift
        for power in range(1, dimensions + 1) if (side > 0).all() else ():
            c = float(np.exp(np.mean(np.log(sizes / side**power))))
            yield (
                float(np.abs(c * side**power / sizes - 1).max()),
                SizeLaw((*[0.0] * power, c), dimensions, shift, exact=False),
            )
