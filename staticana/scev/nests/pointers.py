"""Addresses as counters: `for (p = a; p != a + n; p++)`, and the iterators of containers.

An address that moves in a nest is told by the number of steps from where it starts, in steps of
which all its moves are multiples; so `p != end` says which of the two is behind the other, and by
how many elements at least. Addresses that do not move are told by how far they are from the first
one that is met.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from math import gcd

from ...expr import Expr, floor_div, is_nonnegative
from ...ir.matchers import is_gep, is_phi, is_select
from ...ir.types import Instruction, Operand
from ...ranking.linear import Linear, name_
from ...ranking.transitions import OPEN
from ..addresses import has_address
from .objects import NestObjects, address_parts
from .values import Path

_MOST_MOVES = 64
"""Registers that a pointer is moved through."""


class NestPointers(NestObjects):
    """The addresses on a path."""

    _origin: Expr | None = None

    @cached_property
    def _webs(self) -> dict[str, dict[str, int]]:
        return {}

    @cached_property
    def steps(self) -> dict[str, int]:
        """Phi of a header of the nest -> the step that all its moves are multiples of, in bytes."""
        found: dict[str, int] = {}
        for h in sorted(self.headers):
            for phi in self.function.blocks[h].phis:
                if phi.type == "ptr" and phi.token not in found:
                    web = self._web(phi)
                    step = 0 if web is None else gcd(*web.values())
                    if web is not None and step:
                        found |= dict.fromkeys((p for p in web if self._is_header(p)), step)
                        self._webs |= dict.fromkeys(web, web)
        return found

    def _moves(self, token: Operand) -> bool:
        """Is a register set in a loop of the nest?"""
        block = self.function.block_of.get(token)
        return block in self.blocks and block in self.view.forest.innermost

    def _is_header(self, token: str) -> bool:
        return is_phi(self.function.definitions.get(token)) and (
            self.function.block_of[token] in self.headers
        )

    def _web(self, phi: Instruction) -> dict[str, int] | None:
        """The addresses that a variable hands on or is made of in the nest, each with the divisor
        of its move; None where something else is among them."""
        web: dict[str, int] = {}
        work: list[Operand] = [phi.token]
        while work:
            token = work.pop()
            i = self.function.definitions.get(token)
            if token in web or i is None or not self._moves(token):
                if token == "null":
                    return None
                continue
            web[str(token)] = 0
            if is_phi(i):
                work += i.operands
            elif is_select(i):
                work += i.operands[1:]
            elif is_gep(i):
                moved = address_parts(self.view, token, moves=1)
                if moved is None:
                    return None
                web[str(token)] = gcd(moved.offset, *(size for _, size in moved.indices))
                work.append(i.operands[0])
            else:
                return None
            if len(web) > _MOST_MOVES:
                return None
        return web

    def _address(self, path: Path, token: Operand) -> Linear:
        """Where an address is, in bytes from the first one that is met."""
        i = self.function.definitions.get(token)
        if i is None or self._is_given(i):
            return self._still(path, token)
        is_here = self._is_on(path, token)
        if token in self.steps and (not is_here or self._block(i) == path.blocks[0]):
            return name_(str(token)).times(self.steps[token])
        if is_here and is_phi(i) and self._block(i) != path.blocks[0]:
            return self._value(path, self._incoming_operand(path, i), True)
        if is_here and is_select(i):
            holds = self._chosen(path, str(i.token))
            self._holds(path, i.operands[0], holds)
            return self._value(path, i.operands[1 if holds else 2], True)
        return self._moved(path, i) if is_here and is_gep(i) else self._still(path, token)

    def _moved(self, path: Path, i: Instruction) -> Linear:
        parts = address_parts(self.view, i.token, moves=1)
        if parts is None:
            return self._open(path, str(i.token), True, None)
        total = self._value(path, i.operands[0], True) + parts.offset
        for index, size in parts.indices:
            total = total + self._value(path, index, False, 64).times(size)
        return total

    def _ordered(self, i: Instruction) -> None:
        """Where an address moves one way towards one that does not move, it starts before it: it
        would leave the object."""
        for side, token in enumerate(i.operands):
            if token not in self.steps:
                continue
            way, ended = self._way_of(token), self._apart(i.operands[1 - side])
            started = [self._apart(o) for o in self._starts_of(token)]
            if way and ended is not None and len(started) == 1 and started[0] is not None:
                # each as `_still` tells it, from where addresses are counted
                step = self.steps[token]
                needed = (floor_div(ended, step) - floor_div(started[0], step)) * way
                if not is_nonnegative(needed, self._known):
                    self.needs.add(needed)

    def _way_of(self, token: str) -> int:
        """1 for an address that only moves upwards in the nest, -1 downwards; else 0."""
        ways: set[int] = set()
        for t in self._webs[token]:
            i = self.function.definitions[t]
            if is_gep(i):
                moved = address_parts(self.view, i.token, moves=1)
                if moved is None or moved.indices or not moved.offset:
                    return 0
                ways.add(1 if moved.offset > 0 else -1)
        return ways.pop() if len(ways) == 1 else 0

    def _starts_of(self, token: str) -> set[Operand]:
        """The addresses outside of the nest that a variable starts from."""
        return {
            o
            for t in self._webs[token]
            for o in self.function.definitions[t].operands
            if is_phi(self.function.definitions[t]) and not self._moves(o)
        }

    def _apart(self, token: Operand) -> Expr | None:
        """How far an address that does not move is from the first one that is met."""
        value = self.view.scalars.value(token)
        if value.preconditions or self._changes(value.expr):
            return None
        if self._origin is None:
            self._origin = value.expr
        return value.expr - self._origin

    def _still(self, path: Path, token: Operand) -> Linear:
        """An address that does not move in the nest."""
        apart = self._apart(token)
        if apart is None:
            return self._open(path, str(token), True, None)
        step = gcd(*self.steps.values())
        if step < 2 or not has_address(self.view.program, apart):
            return self._form(apart)
        return self._form(floor_div(apart, step)).times(step)

    def _steps_to(self, phi: Instruction, address: Linear) -> Linear:
        """The number of steps to an address, of a variable."""
        found = address.times(Fraction(1, self.steps[phi.token]))
        if any(c.denominator != 1 for c in found.terms.values()):
            return name_(f"{OPEN}{phi.token}")
        return Linear({n: int(c) for n, c in found.terms.items()})
