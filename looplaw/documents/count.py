"""Counts in JSON documents: exact, parametric, bounded or unknown, as the contract has them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from looplaw_common.errors import DataError, InputError
from modeling.pmnf.assumed_formula import Assumed, AssumedFormula

_LARGEST = 1.7976931348623157e308
Finite = int | Annotated[float, msgspec.Meta(ge=-_LARGEST, le=_LARGEST)]
"""The value of a parameter: a number, and neither NaN nor an infinite one."""
Params = dict[str, Finite]
"""A parameter vector."""
_CASES = re.compile(r"Piecewise\(\((.*?), \d+\*floor\(block_x/\d+\) >= block_x\), \(.*, True\)\)")
"""A law for blocks of whole warps, and one for others."""
Kind = Literal["exact", "parametric", "bounded", "unknown"]


class OpaqueDocument(msgspec.Struct, frozen=True):
    """A symbol that stands for a value which the source does not tell."""

    symbol: str
    meaning: str
    at: str | None = None


class AssumptionDocument(msgspec.Struct, frozen=True):
    """One assumption: its kind, its place, and the formula that a run checks."""

    kind: str
    text: str
    at: str | None = None
    formula: str | None = None


def _kind(text: str) -> AssumptionDocument:
    """The assumption that these words state, of a document that has the words only."""
    from staticana.assumed import assumption

    found = assumption(text)
    return AssumptionDocument(found.kind, found.text, found.at, found.formula)


_BUDGET, _BUDGET_OF_ONE = "budget:", "budget: its count takes longer"
"""What the reasons of counts that were not found in time say (`Allowance.refusal`)."""


class CountDocument(msgspec.Struct, frozen=True):
    """How often something runs; formulas are texts that sympy reads."""

    kind: Kind
    formula: str | None = None
    lower: str | None = None
    upper: str | None = None
    opaque: tuple[OpaqueDocument, ...] = ()
    assumptions: tuple[str, ...] = ()
    reason: str | None = None
    assumed: tuple[AssumptionDocument, ...] | UnsetType = UNSET

    @property
    def of_whole_warps(self) -> CountDocument:
        """The law for blocks of whole warps, where another one holds for other blocks."""
        found = _CASES.fullmatch(self.formula or "")
        return self if found is None else msgspec.structs.replace(self, formula=found[1])

    @property
    def is_cut_short(self) -> bool:
        """Has it no formula since finding it took too long, or too much memory?"""
        return _BUDGET in (self.reason or "")

    @property
    def may_be_found(self) -> bool:
        """Is it cut short by what all counts share, so that another run may find it? What takes
        longer than one count may take, takes so again."""
        return self.is_cut_short and _BUDGET_OF_ONE not in (self.reason or "")

    def _sympy_(self) -> Any:
        return self.sympy

    @property
    def sympy(self) -> Any:
        """The formula as a sympy expression over plain symbols; `sympy.sympify(count)` is the same.

        The text is read by our grammar of formulas: nothing in it is run, whoever wrote the file.

        Raises:
            DataError: the count has no formula. InputError: what stands there is no formula, or
                sympy cannot express it.
        """
        if self.formula is None:
            raise DataError(f"this count is {self.kind} and has no formula: {self.reason}")
        from looplaw_common.formula.formula import (
            parse_formula,  # who reads documents need not have it
        )

        return parse_formula(self.formula).sympy

    @property
    def rests_on(self) -> Assumed:
        """What the formula and the bounds assume: conditions that a value decides, and words."""
        known = self.assumed if self.assumed is not UNSET else tuple(map(_kind, self.assumptions))
        formulas = [a.formula for a in known if a.formula is not None]
        ordinary = ("arguments",)  # that main is called with them
        words = [a.text for a in known if a.formula is None and a.kind not in ordinary]
        return Assumed.of(formulas, words)

    def guarded(
        self, text: str | None, ranges: Mapping[str, tuple[int, int]] | None = None
    ) -> AssumedFormula | None:
        """The formula, or a bound, with what it assumes; None where there is none, or none that
        can be read.

        Args:
            text: the formula or the bound.
            ranges: parameter -> its values by its type.
        """
        try:
            return None if text is None else AssumedFormula.read(text, self.rests_on, ranges)
        except InputError:
            return None

    @property
    def exact(self) -> str | None:
        """The formula of an exact count; None for other counts."""
        return self.formula if self.kind == "exact" else None

    @property
    def bounds(self) -> tuple[str, ...]:
        """The bounds that are known, as in ("at least n", "at most n**2")."""
        found = (("at least", self.lower), ("at most", self.upper))
        return tuple(f"{word} {bound}" for word, bound in found if bound is not None)
