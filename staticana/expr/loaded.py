"""Values from memory as atoms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Self

from .atoms import Sum
from .polynomial import Atom, Expr, from_atom, rebuilt
from .symbols import LOADED, is_loaded
from .terms import Number

STORAGE_OF = "storage"
"""The kind of the value that stands for the address of a container's elements; its address is that
of the container. Behind a dot follows a number for the type of elements that are containers."""


LENGTH_OF = "length"
"""The kind of the value that stands for the length of the text at an address, looked at once."""

SIZE = "size"
"""The kind of the value that stands for a container's number of elements, where that is the
distance of two pointers."""

NUMBER = ".size()"
"""How the source expression of a container's number of elements ends."""


class Loaded(Atom):
    """What a function finds in memory at an address when it is entered.

    `text` is the source expression, with {0}, {1}, ... for the formulas `inside` (indices);
    `origin` is what the analysis knows of the access. Both describe; two loads of one address and
    type are one value.
    """

    __slots__ = ("address", "inside", "is_never_negative", "kind", "origin", "text")
    is_free = True
    address: Expr
    kind: str
    text: str
    inside: tuple[Expr, ...]
    origin: object

    def __new__(
        cls,
        address: Expr,
        kind: str,
        text: str = "",
        inside: tuple[Expr, ...] = (),
        origin: object = None,
    ) -> Self:
        self = cls._of(f"{LOADED}{kind}]({address})")
        self.address, self.kind, self.text, self.inside, self.origin = (
            address,
            kind,
            text,
            inside,
            origin,
        )
        self.is_never_negative = kind in (SIZE, LENGTH_OF) or text.endswith(NUMBER)
        return self

    @property
    def what(self) -> str:
        """The key without its beginning: type and address."""
        return self.key[len(LOADED) :]

    @property
    def parts(self) -> tuple[Expr, ...]:
        return (self.address, *self.inside)

    def over(self, parts: tuple[Expr, ...]) -> Loaded:
        """The value at another address: `parts` are the address and the formulas inside."""
        return Loaded(parts[0], self.kind, self.text, parts[1:], self.origin)

    @cached_property
    def symbols(self) -> frozenset[str]:
        return self.address.symbols | {self.key}

    def evaluate(self, values: Mapping[str, Number]) -> Number:
        try:
            return values[self.key]
        except KeyError:
            raise KeyError(f"no value for {self.key}") from None


@rebuilt.register(Loaded)
def _loaded(a: Loaded, parts: tuple[Expr, ...]) -> Expr:
    return from_atom(a.over(parts))


def has_loaded(e: Expr) -> bool:
    """Does the formula hold values from memory?"""
    return any(map(is_loaded, e.symbols))


def is_storage(e: Expr) -> bool:
    """Does an address lie among the elements of a container?"""
    return any(s.startswith(f"{LOADED}{STORAGE_OF}") for s in e.symbols)


def elements_of(address: Expr) -> Loaded | None:
    """The elements of a container that an address lies among, or is behind."""
    found = [
        (a, power, address.terms[m])
        for m in address.terms
        for a, power in m
        if len(m) == 1 and isinstance(a, Loaded) and a.kind.startswith(STORAGE_OF)
    ]
    return found[0][0] if [f[1:] for f in found] == [(1, 1)] else None


def carried(e: Expr, values: Mapping[str, Expr], change: Callable[[Loaded], Expr]) -> Expr:
    """Symbols replaced by formulas, and values from memory by what `change` says of them with their
    addresses replaced.

    What the formulas in `values` hold stays as it is: it may have been in memory at another time.
    """
    if e.symbols.isdisjoint(values) and not has_loaded(e):
        return e

    def replace(a: Atom) -> Expr:
        if a.is_symbol:
            return values.get(a, from_atom(a))
        if isinstance(a, Sum):
            a = a.clear_of(values)
        parts = tuple(carried(p, values, change) for p in a.parts)
        if isinstance(a, Loaded):
            return change(a.over(parts))
        return from_atom(a) if parts == a.parts else a.rebuild(parts)

    return e.map_atoms(replace)
