"""How far an address that moves is from the one that ends its loop, where both are set anew in a
loop around it: `for (int w : adj[u])`, `for (int u : q)`.

The distance, in steps, is a variable of the transition system: nothing need be known of where the
two are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import gcd

from ...expr import Expr, Monomial
from ...ir.matchers import is_gep, is_icmp, is_load
from ...ir.types import Instruction, Operand, Register
from ...ranking.linear import ZERO_FORM, Linear, name_, number
from ..addresses import has_address
from ..executions.largest import largest
from ..nest_cells import CELL, Cell
from ..values import Value
from .pointers import NestPointers
from .values import MOST_ELEMENTS, NotLinear, Path

_TYPE = "i64"
_END = 8
"""Where in a contiguous container the end of its elements stands, in both libraries."""


@dataclass(frozen=True)
class Distance(Cell):
    """How many steps an address is behind another: a phi, whose header is `header`, and what it is
    compared to. step: in bytes."""

    moving: Register
    end: Register
    header: str
    step: int


class NestDistances(NestPointers):
    """The distances of a nest."""

    @cached_property
    def distances(self) -> Mapping[Instruction, Distance]:
        """Comparison -> the distance that it asks for."""
        found: dict[Instruction, Distance] = {}
        for b in self.blocks if self.with_marks else ():
            for i in self.function.blocks[b].instructions:
                if is_icmp(i) and i.type == "ptr" and i.extra[0] in ("eq", "ne"):
                    distance = self._distance(i.operands[0], i.operands[1])
                    if distance is not None:
                        found[i] = distance
        return found

    def _distance(self, moving: Operand, end: Operand) -> Distance | None:
        phi = self.function.definitions.get(moving)
        if not isinstance(moving, Register) or not isinstance(end, Register) or phi is None:
            return None
        header = self.function.block_of[moving]
        if moving in self.steps or not self._is_header(moving) or not self._moves(end):
            return None
        loop = self.view.loops[header]
        if self.function.block_of[end] in loop.blocks:
            return None
        moves = [
            self._moved_by(o, moving)
            for o, b in zip(phi.operands, phi.labels, strict=True)
            if b in loop.blocks
        ]
        step = gcd(*(m for m in moves if m is not None))
        if None in moves or not step:
            return None
        name = f"{CELL}{moving}~{end}"
        nothing = frozenset[Instruction]()
        made = Distance(
            name, _TYPE, False, nothing, nothing, Value(Expr({})), moving, end, header, step
        )
        return self.cells.setdefault(name, made)  # type: ignore[return-value]

    def _moved_by(self, token: Operand, start: Operand) -> int | None:
        """By how many bytes an address is behind another, where only numbers were added."""
        total = 0
        while token != start:
            i = self.function.definitions.get(token)
            by = (
                self.view.program.memory.aliasing.constant_offset(i.type, i.operands[1:])
                if is_gep(i)
                else None
            )
            if i is None or by is None:
                return None
            total, token = total + by, i.operands[0]
        return total

    def _compared(self, path: Path, i: Instruction, truth: bool) -> None:
        distance = self.distances.get(i)
        if distance is None:
            super()._compared(path, i, truth)
            return
        form = name_(distance.name)
        if (i.extra[0] == "eq") == truth:
            self._equal(path, form)
        else:
            path.facts.append(form - 1 if self._chosen(path, f"{i.token} <") else -form - 1)
            self._look(path)

    def _held(self, path: Path, cell: Cell, change: Instruction | None) -> Linear:
        if not isinstance(cell, Distance):
            return super()._held(path, cell, change)
        key = Register(f"{cell.name}.left"), True
        if key not in path.values:
            found = self._steps_apart(path, cell)
            path.values[key] = self._open(path, cell.name, False, None) if found is None else found
        return path.values[key]

    def _cell_first(self, cell: Cell) -> Linear:
        if isinstance(cell, Distance):  # it is set on the way to its loop
            raise NotLinear
        return super()._cell_first(cell)

    def _steps_apart(self, path: Path, cell: Distance) -> Linear | None:
        """A distance at the end of a path."""
        is_set = self.function.block_of[cell.end] in path.blocks[:-1]
        if path.blocks[-1] != cell.header:
            return None if is_set or path.blocks[0] not in self.headers else name_(cell.name)
        phi = self.function.definitions[cell.moving]
        given = phi.operands[phi.labels.index(path.blocks[-2])]
        moved = self._moved_by(given, cell.moving)
        if moved is not None:
            return None if is_set else name_(cell.name) + moved // cell.step
        elements = self._all_elements(path, given, cell.end)
        if elements is not None:
            size, form = elements
            return -form.times(size // cell.step) if size % cell.step == 0 else None
        begin, end = (self.view.scalars.value(o) for o in (given, cell.end))
        apart = begin.expr - end.expr
        if begin.preconditions or end.preconditions or has_address(self.view.program, apart):
            return None
        if any(c % cell.step for c in apart.terms.values()):
            return None
        total = ZERO_FORM
        for monomial, c in apart.terms.items():
            total = total + self._term(path, monomial).times(int(c) // cell.step)
        return total

    def _term(self, path: Path, monomial: Monomial) -> Linear:
        """A value as a parameter, or, where it differs between iterations, as a name of the path,
        no more than the largest one."""
        value = Expr({monomial: 1})
        if not monomial:
            return number(1)
        if not self._changes(value):
            return self._form(value)
        key = Register(f"~{value}"), True
        if key not in path.values:
            own = path.values[key] = self._open(path, f"{value}", False, None)
            atom = value.atom
            if atom is not None and atom.is_never_negative:
                (name,) = own.names
                self.ranges[name] = 0, MOST_ELEMENTS
            most = None if atom is None else largest(self.view, atom)
            if most is not None and not self._changes(most):
                path.facts.append(self._form(most) - own)
        return path.values[key]

    def _all_elements(self, path: Path, begin: Operand, end: Operand) -> tuple[int, Linear] | None:
        """The bytes of an element and the number of elements from where a contiguous container
        begins to where it ends, as it was when these two were read."""
        loads = [self.function.definitions.get(o) for o in (begin, end)]
        if not all(is_load(i) and self._is_on(path, i.token) for i in loads):
            return None
        first, last = (i for i in loads if i is not None)
        aliasing = self.view.program.memory.aliasing
        (base, offset), (other, behind) = (
            aliasing.underlying_object(self.function, i.operands[0]) for i in (first, last)
        )
        if base is None or base != other or offset is None or behind != offset + _END:
            return None
        size = self.view.program.memory.size_before_end(self.view, last)
        cell = self._counted(first.operands[0])
        if cell is None or size is None:
            return None
        changes = [
            cell.last_change(self._way(path.blocks[: path.blocks.index(self._block(i)) + 1]), i)
            for i in (first, last)
        ]
        return (size, self._held(path, cell, changes[1])) if changes[0] is changes[1] else None
