"""Places in memory that the loops of a nest read and write: counters that are kept in memory, which
are variables of its transition system like those in registers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ..expr import Expr, is_storage
from ..ir.types import Instruction, int_bits
from .context import FunctionContext
from .values import Value

CELL = "@"
"""How the names of such variables begin."""


@dataclass(frozen=True)
class Cell:
    """A place in memory at an address that does not change in the nest.

    unsigned: how what it holds is read. stores: the instructions that write all of it; changes: all
    that may write to it; first: what it holds before the nest.
    """

    name: str
    type: str
    unsigned: bool
    stores: frozenset[Instruction]
    changes: frozenset[Instruction]
    first: Value

    @property
    def bits(self) -> int:
        found = int_bits(self.type)
        assert found is not None
        return found

    def last_change(
        self, way: Sequence[Sequence[Instruction]], until: Instruction | None
    ) -> Instruction | None:
        """The last instruction that may write to it in these blocks, up to `until`, which is in the
        last one."""
        is_before = until is None
        for block in reversed(way):
            for i in reversed(block):
                if is_before and i in self.changes:
                    return i
                is_before = is_before or i is until
        return None


def cell_of(
    view: FunctionContext,
    load: Instruction,
    address: Expr,
    unsigned: bool,
    blocks: Collection[str],
    before: tuple[str, Instruction],
) -> Cell | None:
    """The cell that a load of these blocks reads, at an address that does not change in them; None
    where nothing there writes it, or where it is not known what that is. before: the block and the
    instruction at which the nest is entered."""
    memory, function = view.program.memory, view.function
    if (int_bits(load.type) or 0) < 2 or is_storage(address):
        return None
    place = memory.aliasing.location(function, load.operands[0], load.type, load.tbaa)
    changes = memory.changing(view, place, blocks)
    known = Value(address)
    stores = frozenset(
        i
        for i in changes
        if i.opcode == "store"
        and i.type == load.type
        and not i.flags & {"volatile", "atomic"}
        and view.scalars.value(i.operands[1]) == known
    )
    first = memory.standing(view, load, *before) if stores else None
    if first is None:
        return None
    return Cell(f"{CELL}{load.token}", load.type, unsigned, stores, changes, first)
