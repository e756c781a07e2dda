"""What a program counts by itself: variables that change by a fixed step each time a block runs.

`if (close) pairs++;` needs no counter for the loops that run once for each pair: what the variable
has gained while a nest of loops ran, over the step, is how often the block ran. The variable may be
one in registers, or a global one whose address nobody else has and that one thread writes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from staticana.ir.graph import address_taken, callee, is_intrinsic
from staticana.ir.loop_info import Loop, LoopForest
from staticana.ir.tokens import global_names
from staticana.ir.types import (
    Function,
    GlobalRef,
    Instruction,
    IntLiteral,
    Module,
    Operand,
    Register,
)

from .abnormal_exits import AbnormalExits, is_own, linkage

_TYPES = ("i64", "i32")
"""Differences of 64 bits are right even if a variable wraps, those of 32 bits if it may not."""
_MAX_STEP = 1 << 16


@dataclass(frozen=True)
class OwnCount:
    """A variable that counts the runs of a block while control is in a nest of loops.

    Attributes:
        region: the header of the nest.
        block: the block; `step` is what the variable gains each time.
        type: of the variable.
        cell: where it is in memory; None for one in registers.
        start: its value on entry, `now` that at the end of each block with an edge out of the nest,
            where it is in registers.
    """

    region: str
    block: str
    step: int
    type: str
    cell: GlobalRef | None = None
    start: Operand | None = None
    now: tuple[tuple[str, Operand], ...] = ()


class OwnCounts:
    """The variables of a module's functions that count."""

    def __init__(self, module: Module, abnormal: AbnormalExits) -> None:
        self._module, self._abnormal = module, abnormal

    def find(self, function: Function, forest: LoopForest) -> Iterator[OwnCount]:
        """Variables that count blocks which not every iteration of their loop runs: those that
        every iteration runs are counted by its induction variable."""
        loops = forest.by_header()
        for loop in forest.loops:
            if self._region(function, loops, loop) is not loop:
                continue
            inside = {
                name
                for name in loop.blocks
                if not all(
                    forest.dominates(name, latch) for latch in loops[forest.innermost[name]].latches
                )
            }
            for name in sorted(inside):
                yield from self._in_memory(function, loop, name)
            for phi in function.blocks[loop.header].phis:
                found = _in_registers(function, loop, phi)
                if found is not None and found.block in inside:
                    yield found

    def is_region(self, function: Function, loops: Mapping[str, Loop], loop: Loop) -> bool:
        """Does all of a loop surely run to its end?"""
        return self._region(function, loops, loop) is not None

    def _region(self, function: Function, loops: Mapping[str, Loop], loop: Loop) -> Loop | None:
        """The outermost nest around a loop that surely runs to its end."""
        region: Loop | None = None
        header: str | None = loop.header
        while header is not None:
            around = loops[header]
            lasting = any(
                self._abnormal.may_last(i)
                for name in around.blocks
                for i in function.blocks[name].instructions
            )
            if lasting:
                break
            region, header = around, around.parent
        return region

    # -- variables in memory
    def _in_memory(self, function: Function, region: Loop, name: str) -> Iterator[OwnCount]:
        block = function.blocks[name]
        for store in block.instructions:
            if store.opcode != "store" or not isinstance(store.operands[1], GlobalRef):
                continue
            cell, change = store.operands[1], function.definitions.get(store.operands[0])
            found = _step(change)
            if found is None or change not in block.instructions:
                continue
            old, step = found
            load = function.definitions.get(old)
            if load is None or load.opcode != "load" or load not in block.instructions:
                continue
            if load.operands[0] != cell or "volatile" in load.flags | store.flags:
                continue
            if "atomic" in load.flags | store.flags or not self._is_private(cell):
                continue
            if self._is_only(function, region, store, cell):
                yield OwnCount(region.header, name, step, store.type, cell)

    def _is_only(self, function: Function, region: Loop, store: Instruction, cell: Operand) -> bool:
        """Does nothing else in the nest write the variable?"""
        for name in region.blocks:
            for i in function.blocks[name].instructions:
                if i.opcode == "store" and i is not store and cell in i.operands:
                    return False
                if i.is_call and not is_intrinsic(i) and is_own(self._called(i)):
                    return False
        return True

    def _called(self, i: Instruction) -> Function | None:
        return self._module.functions.get(callee(i) or "")

    @cached_property
    def _mentions(self) -> Counter[str]:
        return Counter(global_names(self._module.text))

    @cached_property
    def _uses(self) -> dict[str, list[str]]:
        """Global -> functions of the loads and stores that use its address, one for each."""
        found: dict[str, list[str]] = {}
        for f in self._module.functions.values():
            for b in f.blocks.values():
                for i in b.instructions:
                    if i.opcode in ("load", "store") and isinstance(i.operands[-1], GlobalRef):
                        found.setdefault(i.operands[-1], []).append(f.name)
        return found

    @cached_property
    def _called_by_main_only(self) -> frozenset[str]:
        """Functions that run in the main thread only: main, and those that are called directly,
        from functions of this kind."""
        taken = address_taken(self._module)
        inside = {
            name
            for name, f in self._module.functions.items()
            if name == "main" or (linkage(f) & {"internal", "private"} and name not in taken)
        }
        while True:
            left = {
                name
                for name in inside
                if self._abnormal.callers.get(name, frozenset()) <= inside
                and (name != "main" or not self._abnormal.callers.get("main"))
            }
            if left == inside:
                return frozenset(inside)
            inside = left

    def _is_private(self, cell: GlobalRef) -> bool:
        """Is a variable reached by its name only, and by the main thread?"""
        variable = self._module.globals.get(cell.name)
        if variable is None or not set(variable.attributes.split()) & {"internal", "private"}:
            return False
        uses = self._uses.get(cell, [])
        return self._mentions[cell.name] == len(uses) + 1 and self._called_by_main_only.issuperset(
            uses
        )


# -- variables in registers
def _in_registers(function: Function, region: Loop, phi: Instruction) -> OwnCount | None:
    """A variable that begins as a phi of the nest's header, and that one addition changes."""
    if phi.type not in _TYPES or region.preheader is None:
        return None
    web = _web(function, region, phi)
    if web is None:
        return None
    phis, change = web
    step = _step(change)
    ends = _ends(function, region, phi, phis, change)
    if step is None or ends is None:
        return None
    start = dict(zip(phi.labels, phi.operands, strict=True)).get(region.preheader)
    if start is None or not isinstance(start, Register | IntLiteral):
        return None
    if any(e.source not in ends for e in region.exits):
        return None
    now = tuple((e.source, ends[e.source]) for e in region.exits)
    return OwnCount(
        region.header, function.block_of[change.token], step[1], phi.type, None, start, now
    )


def _web(
    function: Function, region: Loop, phi: Instruction
) -> tuple[frozenset[str], Instruction] | None:
    """The phis in the nest that a variable goes through, and the only addition that changes it."""
    phis: set[str] = {phi.token}
    changes: dict[str, Instruction] = {}
    work = [o for o, at in zip(phi.operands, phi.labels, strict=True) if at in region.blocks]
    while work:
        token = work.pop()
        if token in phis or token in changes:
            continue
        i = function.definitions.get(token)
        if i is None or function.block_of[token] not in region.blocks:
            return None
        if i.opcode == "phi":
            phis.add(token)
            work += i.operands
            continue
        found = _step(i)
        if found is None or changes:
            return None
        changes[token] = i
        work.append(found[0])
    return (frozenset(phis), next(iter(changes.values()))) if changes else None


def _ends(
    function: Function, region: Loop, phi: Instruction, phis: frozenset[str], change: Instruction
) -> dict[str, Operand] | None:
    """The variable at the end of each block of the nest; None where it is not always one value of
    the web, changed by every run of the addition."""
    before: dict[str, Operand] = {region.header: phi.token}
    after: dict[str, Operand] = {}
    work = [region.header]
    while work:
        name = work.pop()
        block, value = function.blocks[name], before[name]
        if change in block.instructions:
            if _operand(change) != value:
                return None
            value = change.token
        after[name] = value
        for target in dict.fromkeys(block.successors):
            if target in region.blocks and target not in before:
                own = [p.token for p in function.blocks[target].phis if p.token in phis]
                if len(own) > 1:
                    return None
                before[target] = own[0] if own else value
                work.append(target)
    for name, value in after.items():  # every way to a block brings the same value
        for target in dict.fromkeys(function.blocks[name].successors):
            if target not in region.blocks:
                continue
            merged = next((p for p in function.blocks[target].phis if p.token in phis), None)
            brought = value if merged is None else _brought(merged, name)
            if brought != value or (merged is None and before[target] != value):
                return None
    return after


def _brought(phi: Instruction, source: str) -> Operand | None:
    return dict(zip(phi.labels, phi.operands, strict=True)).get(source)


def _operand(change: Instruction) -> Operand:
    found = _step(change)
    assert found is not None
    return found[0]


def _step(i: Instruction | None) -> tuple[Operand, int] | None:
    """What an addition of a number changes, and by how much; None for other instructions, and
    where 32 bits may wrap."""
    if i is None or i.opcode not in ("add", "sub") or i.type not in _TYPES:
        return None
    if i.type != "i64" and "nsw" not in i.flags:
        return None
    left, right = i.operands
    if i.opcode == "add" and isinstance(left, IntLiteral):
        left, right = right, left
    if not isinstance(left, Register) or not isinstance(right, IntLiteral):
        return None
    step = right.value if i.opcode == "add" else -right.value
    return (left, step) if 0 < abs(step) <= _MAX_STEP else None
