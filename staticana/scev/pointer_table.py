"""What a pointer may be that is read from a table: an entry for each offset."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import gcd
from typing import NamedTuple

from ..expr import ONE, ZERO, Expr, sym, symbols
from ..expr.predicates import literal


class PointerTable(NamedTuple):
    """What a load yields by what it reads: `values` at each offset in bytes that `offset` may be,
    None where it is not known. At other offsets stands nothing that a program may read."""

    offset: Expr
    values: Mapping[int, Expr | None]

    @property
    def reached(self) -> Iterator[tuple[int, Expr | None]]:
        """The entries that the offset may be that of: of a table of structures, one member."""
        step = 0
        for monomial, coefficient in self.offset.terms.items():
            if monomial:
                step = gcd(step, coefficient) if isinstance(coefficient, int) else 1
        start = self.offset.terms.get((), 0)
        for at, value in self.values.items():
            if not isinstance(start, int) or (
                at == start if step == 0 else not (at - start) % step
            ):
                yield at, value

    def calls(self, function: str) -> Expr | None:
        """1 where a call of what is read goes to a function, else 0; None where an entry may be
        that one or another, or none is known. `function`: its symbol."""
        entries, total = list(self.reached), ZERO
        if not entries:
            return None
        for at, value in entries:
            found = None if value is None else shares(value)
            if found is None:
                return None
            if function in found:
                total = total + literal("eq", self.offset - at).indicator() * found[function]
        return total


def shares(value: Expr) -> Mapping[str, Expr] | None:
    """Which functions, or other globals, a pointer may be, by their symbols, and for each a formula
    that is 1 where it is the one, else 0: `n > 9 ? fast : slow`. Nothing for null; None for other
    pointers."""
    found: dict[str, Expr] = {}
    rest = value
    for name in sorted(s for s in value.symbols if symbols.global_name(s) is not None):
        line = value.affine_in(name)
        if line is None:
            return None
        found[name] = line[0]
        rest = rest - found[name] * sym(name)
    # an address beside a function's is another one that is not called
    whole = sum(found.values(), ZERO)
    return found if rest == ZERO and whole in (ZERO, ONE) else None
