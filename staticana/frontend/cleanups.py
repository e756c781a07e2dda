"""Ways out of scopes, each on a way of its own.

Where a scope with variables to end is left in several ways (it is done, `return`, `break`,
`continue`), clang joins them in one block that ends the variables, and a number in
`cleanup.dest.slot` says where each goes on. A loop that is left by an early return then seems to be
followed by all that stands behind it, whatever way was taken. Here each way has a copy of such a
block and goes straight to its target, as LLVM's jump threading does with a switch on a constant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..ir.graph import closure
from ..ir.loop_info import loop_forest
from ..ir.matchers import is_alloca, is_any, is_branch, is_load, is_store
from ..ir.parser import parse_module
from ..ir.types import Block, Function, Instruction, IntLiteral, Module, quoted

_SLOT = "cleanup.dest"
_READ = re.compile(r"= load i32, (?:ptr|i32\*) %cleanup\.dest")
_MOST_INSTRUCTIONS = 40
"""Instructions of one block that is copied: the destructors of a scope."""
_MOST_BLOCKS = 12
"""Blocks in a row that one way passes: scopes that a return leaves at once."""


def has_cleanups(text: str) -> bool:
    """May there be something to do? Only where a slot is read: scopes that are left in one way
    write to theirs as well."""
    return _READ.search(text) is not None


def with_cleanups_apart(text: str) -> str:
    """The text with a copy of each block that ends a scope for each way that comes to it.

    Args:
        text: a module as LLVM prints it, whose registers all have names and whose variables are in
            memory.
    """
    # a scope that is left in one way writes to its slot, but nothing reads that
    module = parse_module(
        text, wanted=lambda lines: any(_SLOT in x and has_cleanups(x) for x in lines)
    )
    lines = text.split("\n")
    for f in module.functions.values():
        if not f.is_declaration:
            ways = list(_Function(f, module).ways())
            for way in ways:
                _put(way, lines)
            if ways:
                _drop_unreached(f, ways, lines)
    return "\n".join(lines)


@dataclass(frozen=True)
class _Way:
    """A way that leaves scopes: from the end of `source` over copies of `passed` to `target`."""

    source: Block
    passed: tuple[Block, ...]
    target: str


class _Function:
    """Finds the ways of one function."""

    def __init__(self, function: Function, module: Module) -> None:
        self.function = function
        self.slots = {
            i.token
            for i in function.entry.instructions
            if is_alloca(i) and i.token.name.startswith(_SLOT)
        }
        self.headers: frozenset[str] = frozenset()
        if self.slots:
            self.headers = frozenset(loop.header for loop in loop_forest(function, module).loops)

    def ways(self) -> Iterator[_Way]:
        """Every way whose target is known where it begins."""
        if not self.slots:
            return
        for block in self.function.blocks.values():
            number = self._number(block)
            terminator = block.terminator
            if number is None or not is_branch(terminator) or len(terminator.labels) != 1:
                continue
            way = self._way(block, *number)
            if way is not None:
                yield way

    def _number(self, block: Block) -> tuple[str, int] | None:
        """The slot and the number that a block leaves in it."""
        found = None
        for i in block.instructions:
            if is_store(i) and i.operands[1] in self.slots:
                value = i.operands[0]
                if not isinstance(value, IntLiteral):
                    return None
                found = str(i.operands[1]), value.value
        return found

    def _way(self, source: Block, slot: str, number: int) -> _Way | None:
        passed: list[Block] = []
        known: _Way | None = None
        name = source.terminator.labels[0]
        while len(passed) < _MOST_BLOCKS:
            block = self.function.blocks[name]
            if not self._may_copy(block) or block in passed:
                break
            passed.append(block)
            end = block.terminator
            if is_branch(end) and len(end.labels) == 1:
                name = end.labels[0]
            elif self._reads(block, slot):
                cases = zip(end.cases, end.labels[1:], strict=True)
                chosen = (label for c, label in cases if c == str(number))
                name = next(chosen, end.labels[0])
                known = _Way(source, tuple(passed), name)
            else:
                break
        return known if known and not self.function.blocks[known.target].phis else None

    def _may_copy(self, block: Block) -> bool:
        """Is it short, without values that others use, and no header of a loop?"""
        if block.phis or block.name in self.headers:
            return False
        if len(block.instructions) > _MOST_INSTRUCTIONS:
            return False
        own = self.function.block_of
        return all(
            own.get(u.token) == block.name if u.result is not None else u in block.instructions
            for i in block.instructions
            if i.result is not None
            for u in self.function.users.get(i.token, ())
        ) and not any(is_store(i) and i.operands[1] in self.slots for i in block.instructions)

    def _reads(self, block: Block, slot: str) -> bool:
        """Does a block end in a switch on the slot?"""
        end = block.terminator
        if not is_any(end, "switch"):
            return False
        read = self.function.definitions.get(end.operands[0])
        return is_load(read) and read.operands[0] == slot


def _put(way: _Way, lines: list[str]) -> None:
    """Write the copies in place of the jump to the first block that they are made of."""
    branch = way.source.terminator
    copies: list[str] = []
    for block in way.passed:
        names = {str(i.token) for i in block.instructions if i.result is not None}
        for i in block.instructions[:-1]:
            if not (is_load(i) and i.result is not None and _is_slot(i)):
                copies.append(_renamed(lines[i.line], names, branch.line))
    last = way.passed[-1].terminator
    dbg = f", !dbg {last.dbg}" if last.dbg else ""
    copies.append(f"  br label %{quoted(way.target)}{dbg}")
    lines[branch.line] = "\n".join(copies)


def _is_slot(i: Instruction) -> bool:
    return str(i.operands[0]).startswith((f"%{_SLOT}", f'%"{_SLOT}'))


def _renamed(line: str, names: set[str], number: int) -> str:
    """A line whose registers have new names."""
    for name in names:
        if name in line:
            plain = name[1:].strip('"')
            new = f"%{quoted(f'{plain}.way{number}')}"
            line = re.sub(rf"{re.escape(name)}(?![-\w$.])", new.replace("\\", r"\\"), line)
    return line


def _drop_unreached(f: Function, ways: list[_Way], lines: list[str]) -> None:
    """Leave out the blocks that all ways have copies of, and those that nothing came to before:
    they would go to blocks that are left out."""
    target = {w.source.name: w.target for w in ways}

    def after(name: str) -> tuple[str, ...]:
        return (target[name],) if name in target else f.blocks[name].successors

    lost = f.blocks.keys() - closure([f.entry.name], after)
    blocks = list(f.blocks.values())
    for at, block in enumerate(blocks):
        if block.name in lost:
            end = blocks[at + 1].line if at + 1 < len(blocks) else f.end
            lines[block.line : end] = [""] * (end - block.line)
    for block in blocks:
        if block.name in lost or not lost.intersection(f.predecessors[block.name]):
            continue
        for phi in block.phis:
            for name in lost.intersection(phi.labels):
                label = re.escape(quoted(name))
                lines[phi.line] = re.sub(
                    rf",? \[ [^\[\]]*, %{label} \]", "", lines[phi.line]
                ).replace(f"phi {phi.type},", f"phi {phi.type}", 1)
