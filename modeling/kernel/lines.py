"""The factors of one parameter that explain its lines best, by the kernel: see
`search.line_factors`."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from ctypes import c_double, c_int64, c_void_p
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..settings import ARITHMETIC, MOST_FORM_POINTS, CoefficientSettings
from .fits import rules
from .library import LANES, address, doubles, integers, kernel, pointer

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]


class _Alike(ctypes.Structure):
    _fields_ = [
        *((n, c_int64) for n in ("lines", "points", "labels")),
        *((n, c_void_p) for n in ("rows", "label", "weight")),
    ]


class _Sized(ctypes.Structure):
    _fields_ = [
        *((n, c_int64) for n in ("size", "hypotheses", "padded", "keep")),
        *((n, c_void_p) for n in ("rows", "prior", "scale", "forms", "bases")),
        *((n, c_double) for n in ("floor", "difference", "slack", "freedom", "constant")),
    ]


class _Search(ctypes.Structure):
    _fields_ = [
        *((n, c_int64) for n in ("series", "points", "kinds", "sizes", "factors", "width", "most")),
        ("formed", c_int64),
        *((n, c_void_p) for n in ("y", "alike", "sized")),
        ("tiny", c_double),
        ("mask", c_int64),
    ]


@dataclass(frozen=True)
class LineForms:
    """Quadratic forms of the residual sums of squares of hypotheses, padded to full vectors (P (P +
    1) / 2, H'), none where points are many, and their bases (H, k, P); and where these are."""

    forms: Floats
    bases: Floats
    at: tuple[int, int]

    @staticmethod
    def of(
        rows: Codes, columns: Floats, weight: Floats, settings: CoefficientSettings
    ) -> LineForms:
        """From factor numbers rows (H, k) of columns (T, P), at points of this weight (P,)."""
        count, k = rows.shape
        points = len(weight)
        padded = count + -count % LANES
        rows_of_forms = points * (points + 1) // 2 if points <= MOST_FORM_POINTS else 0
        found = np.empty((rows_of_forms, padded)), np.empty((count, k, points))
        data = [integers(rows), doubles(columns), doubles(weight)]
        kernel().line_forms(
            *map(c_int64, (count, padded, k, points)),
            *map(pointer, data),
            ctypes.byref(rules(settings, 0, True)),
            *(pointer(a) if a.size else None for a in found),
        )
        return LineForms(*found, (address(found[0]), address(found[1])))


@dataclass(frozen=True)
class Alike:
    """Lines that share their points: numbers rows (N, P) of these, labels (K, N) of the lines, and
    the weight (labels, P) of the points with each."""

    rows: Codes
    label: Codes
    weight: Floats


@dataclass(frozen=True, eq=False)
class Sized:
    """Hypotheses of one size whose errors are summed over lines: factor numbers rows (H, k), log
    prior and scale (H,) of the errors, which stands for it; how many are kept; what the squares of
    all values are together; and the log evidence of summed errors e, prior - freedom / 2 log(pi e)
    + constant."""

    rows: Codes
    prior: Floats
    scale: Floats
    keep: int
    squares: float
    freedom: float
    constant: float

    @property
    def size(self) -> int:
        """How many coefficients they have."""
        return int(self.rows.shape[1])

    @cached_property
    def _prepared(self) -> tuple[tuple[float, ...], tuple[float, ...], list[NDArray[Any]]]:
        """What stands before and behind the places of the forms as the kernel reads it, and the
        arrays that must live as long."""
        count, size = self.rows.shape
        padded = count + -count % LANES
        scales = np.full(padded, np.inf)
        scales[:count] = self.scale
        held: list[NDArray[Any]] = [integers(self.rows), doubles(self.prior), scales]
        numbers = (
            ARITHMETIC.error * self.squares,
            ARITHMETIC.difference * self.squares,
            ARITHMETIC.slack * self.squares * float(self.scale.max()),
            self.freedom,
            self.constant,
        )
        return (size, count, padded, self.keep, *map(address, held)), numbers, held

    def structure(self, forms: int, bases: int) -> _Sized:
        """With the places of the forms and bases for each label of the lines."""
        sizes, numbers, _ = self._prepared
        return _Sized(*sizes, forms, bases, *numbers)


def chosen_factors(
    y: Floats,
    lines: Sequence[Alike],
    sizes: Sequence[Sized],
    forms: Sequence[Sequence[LineForms | None]],
    factors: int,
    width: int,
    most: int,
) -> Codes:
    """The factors that come first in the most probable hypotheses of each series, at most `most` of
    so many, padded with zeros (K, width).

    Args:
        y: (K, P) values.
        lines: those along the parameter, by their points.
        sizes: the hypotheses by size.
        forms: for each size the forms for each label of each kind of lines in turn, None where the
            points are too few.
        factors: how many there are.
        width: see above.
        most: see above.

    Raises:
        MemoryError: there is no room for the errors.
    """
    y = doubles(y)
    held: list[NDArray[Any]] = [y]
    alike, sized = (_Alike * len(lines))(), (_Sized * len(sizes))()
    for k, line in enumerate(lines):
        arrays = [integers(line.rows), integers(line.label), doubles(line.weight)]
        alike[k] = _Alike(*line.rows.shape, len(line.weight), *map(address, arrays))
        held += arrays
    for k, (size, own) in enumerate(zip(sizes, forms, strict=True)):
        places = np.array([f.at if f else (0, 0) for f in own], dtype=np.int64).T.copy()
        sized[k] = size.structure(address(places[0]), address(places[1]))
        held.append(places)
    structure = _Search(
        *y.shape,
        len(lines),
        len(sizes),
        factors,
        width,
        most,
        all(line.rows.shape[1] <= MOST_FORM_POINTS for line in lines),
        address(y),
        ctypes.addressof(alike),
        ctypes.addressof(sized),
        ARITHMETIC.tiny,
        ARITHMETIC.place,
    )
    chosen = np.empty((len(y), width), dtype=np.int64)
    kernel().choose_factors(ctypes.byref(structure), pointer(chosen))
    return chosen
