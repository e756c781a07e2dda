"""Atoms: the factors of monomials, and the two plainest of them.

An atom is a symbol or one of the few non-polynomial shapes that counting needs; each shape says in
its own file how it is normalised, evaluated, written, and what is known of its sign.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Self

from .polynomial import Expr, from_atom
from .terms import Number, TooComplex

if TYPE_CHECKING:
    from .proofs import Assumptions

MAX_TEXT = 100_000
"""As many characters as an atom may have: one may stand in another, and be written out there."""


class Atom(str):
    """A factor of a monomial: a text in normal form, which orders and identifies it, with the parts
    it stands for.

    Being the text, atoms are compared and hashed as strings are, in C: nothing is done more often.
    Subclasses are immutable; `key` is the plain text.
    """

    __slots__ = ("__dict__", "key")
    key: str
    is_whole = True  # an integer for integer symbols
    is_never_negative = False
    is_symbol = False
    is_free = False  # nothing but what is assumed tells its sign, or bounds it
    is_indicator = False  # 0 or 1: its own square
    is_power = False  # of a number: several in a product may be one
    is_rounded = False  # a fraction rounded down, which its bounds are less than 1 beside

    @classmethod
    def _of(cls, key: str, **fields: object) -> Self:
        """The atom of this key, with its fields; equal keys mean equal atoms.

        Raises:
            TooComplex: it is longer than `MAX_TEXT`.
        """
        if len(key) > MAX_TEXT:
            raise TooComplex
        self = str.__new__(cls, key)
        self.key = key
        for name, value in fields.items():
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        return self.key

    @property
    def parts(self) -> tuple[Expr, ...]:
        """The formulas inside."""
        return ()

    def rebuild(self, parts: tuple[Expr, ...]) -> Expr:
        """The same shape over other parts, normalised anew."""
        return Expr({((self, 1),): 1})

    def evaluate(self, values: Mapping[str, Number]) -> Number:
        raise NotImplementedError

    def substitute(self, values: Mapping[str, Expr]) -> Expr:
        """Replace symbols, of which there is one at least."""
        return self.rebuild(tuple(p.substitute(values) for p in self.parts))

    def merged(self, power: int, other: Atom, other_power: int) -> tuple[Atom, ...] | None:
        """The product of two powers of such atoms as fewer factors; None where they have nothing in
        common."""
        return None

    def written(self) -> str:
        """How sympy reads it."""
        raise NotImplementedError

    def written_opposite(self, *, is_negative: bool) -> str | None:
        """How sympy reads minus this atom, where that has a shape of its own; `is_negative`: minus
        stands before it."""
        return None

    @property
    def is_parity_hidden(self) -> bool:
        """Can sympy never tell that it is even while a symbol is left in it? See
        `printing.rounded`."""
        return True

    # What the shape alone says, for proofs.
    def never_negative(self, assumptions: Assumptions | None) -> bool | None:
        """Is it >= 0 everywhere? None: that is up to the assumptions."""
        return None

    def never_positive(self, assumptions: Assumptions | None) -> bool:
        """Can it be shown to be <= 0 everywhere?"""
        return False

    def bounds(self, assumptions: Assumptions | None = None) -> Sequence[Expr]:
        """Formulas that are at least zero."""
        return [from_atom(self)] if self.is_never_negative else []

    @property
    def alternatives(self) -> tuple[Expr, ...]:
        """The formulas of which it is the least or the greatest."""
        return ()

    @property
    def is_least(self) -> bool:
        """Is it the least of its alternatives?"""
        return False

    def where_positive(self) -> Expr | None:
        """A simpler formula that is the same where either is positive."""
        return None

    @cached_property
    def symbols(self) -> frozenset[str]:
        """Names of the free symbols."""
        return frozenset().union(*(p.symbols for p in self.parts)) if self.parts else frozenset()

    @cached_property
    def has_sum(self) -> bool:
        """Is it a sum without closed form, or is there one in it?"""
        return any(a.has_sum for p in self.parts for m in p.terms for a, _ in m)


class Sym(Atom):
    """An integer symbol."""

    __slots__ = ("name",)
    name: str
    is_symbol = True
    is_free = True

    def __new__(cls, name: str) -> Self:
        self = cls._of(name)
        self.name = name
        self.symbols = frozenset((name,))
        return self

    def substitute(self, values: Mapping[str, Expr]) -> Expr:
        return values[self.name]

    def written(self) -> str:
        return self.key

    def evaluate(self, values: Mapping[str, Number]) -> Number:
        try:
            return values[self.name]
        except KeyError:
            raise KeyError(f"no value for {self.name}") from None


class OfOne(Atom):
    """A function of one formula; subclasses name it in `name` and normalise in `rebuild`."""

    __slots__ = ("arg",)
    name = ""
    arg: Expr

    def __new__(cls, arg: Expr) -> Self:
        return cls._of(f"{cls.name}({arg})", arg=arg)

    @property
    def parts(self) -> tuple[Expr, ...]:
        return (self.arg,)


@lru_cache(maxsize=4096)
def sym(name: str) -> Expr:
    """The formula that is one symbol."""
    return from_atom(Sym(name))
