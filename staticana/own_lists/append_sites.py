"""Where programs append nodes to lists: `if (tail) tail->next = q; else head = q; tail = q;`.

The shape of the blocks and of their instructions alone; what holds of the pointers is told by
`tails`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..ir import cxx_names as cxx
from ..ir.data_layout import Layout
from ..ir.graph import callee, instructions, is_intrinsic
from ..ir.matchers import is_any, is_branch, is_gep, is_icmp, is_load, is_store
from ..ir.tokens import constant_address
from ..ir.types import Function, GlobalRef, Instruction, IntLiteral, Operand, Register


class Key(NamedTuple):
    """What an address is computed from, and the bytes from there; equal ones are the same address
    wherever the registers that they are computed from are."""

    root: object
    at: int


@dataclass(frozen=True)
class Site:
    """One place where a new node is appended.

    made: the call that makes it; test: the block that asks whether the list is empty; filled and
    empty: the blocks for a list with nodes and without (the join itself where nothing is done);
    join: where they meet; link: the store to the last node; tail: the pointer to that; tested: the
    pointer that is compared with null; first: the store of the first node, where a pointer to it is
    in memory; merged: else the phi that has the new first node; last: the store of the new node as
    the last one, where that is in memory.
    """

    function: Function
    made: Instruction
    test: str
    filled: str
    empty: str
    join: str
    link: Instruction
    tail: Register
    tested: Operand
    first: Instruction | None
    merged: Instruction | None
    last: Instruction | None

    @property
    def head(self) -> Operand:
        """The pointer to the first node before, where it is no memory."""
        assert self.merged is not None
        return self.merged.operands[self.merged.labels.index(self.filled)]


def append_sites(f: Function, layout: Layout) -> Iterator[Site]:
    """The places of a function where nodes are appended."""
    for i in instructions(f):
        if is_store(i) and i.type == "ptr" and made_of(f, i) is not None:
            site = _site(f, i, layout)
            if site is not None:
                yield site


def base_of(f: Function, address: Operand) -> Operand:
    """The pointer that the address of a member is computed from."""
    while is_gep(i := f.definitions.get(address)):
        address = i.operands[0]
    return address


def address_key(f: Function, o: Operand, layout: Layout) -> Key:
    """What an address is computed from."""
    i = f.definitions.get(o)
    if is_gep(i):
        base, kind, indices = i.operands[0], i.type, i.operands[1:]
    else:
        constant = constant_address(o) if i is None and not isinstance(o, GlobalRef) else None
        if constant is None:
            return Key(o, 0)
        base, kind, indices = constant[0], constant[1], tuple(constant[2])
    under = address_key(f, base, layout)
    offset = _offset(kind, indices, layout)
    return Key((under, kind, indices), 0) if offset is None else Key(under.root, under.at + offset)


def null_stores(f: Function, cell: Key, layout: Layout) -> Iterator[Instruction]:
    """The stores of null to an address."""
    for i in instructions(f):
        if is_store(i) and i.operands[0] == "null":
            if address_key(f, i.operands[1], layout) == cell:
                yield i


def made_of(f: Function, store: Instruction) -> Instruction | None:
    """The call that makes the node which a store writes the address of."""
    made = f.definitions.get(store.operands[0])
    is_new = made is not None and made.is_call and callee(made) in cxx.NEW_STRUCTURE
    return made if is_new else None


def is_note(i: Instruction) -> bool:
    """Does an instruction only tell of variables and where they live?"""
    return is_intrinsic(i) and (callee(i) or "").startswith(("llvm.dbg.", "llvm.lifetime."))


def constant_offset(i: Instruction, layout: Layout) -> int | None:
    """The bytes that a getelementptr adds; None where they vary."""
    return _offset(i.type, i.operands[1:], layout)


def _offset(kind: str, indices: Sequence[Operand], layout: Layout) -> int | None:
    offset = 0
    for at, index in enumerate(indices):
        if not isinstance(index, IntLiteral):
            return None
        if at and layout.is_struct(kind):
            field = layout.offset(kind, index.value)
            if field is None:
                return None
            offset, kind = offset + field[0], field[1]
            continue
        if at:
            kind = layout.element(kind) or "?"
        size = layout.size(kind)
        if index.value and size is None:
            return None
        offset += index.value * (size or 0)
    return offset


class _Fork(NamedTuple):
    """A block that asks, one that it goes to and that has no other way in, one for the other answer
    (the join itself where nothing is done), and the block in which both ways meet."""

    test: str
    filled: str
    empty: str
    join: str

    @property
    def asked(self) -> str:
        """The block from which control comes to the join where the list was empty."""
        return self.test if self.empty == self.join else self.empty


def _site(f: Function, link: Instruction, layout: Layout) -> Site | None:
    field = f.definitions.get(link.operands[1])
    if not is_gep(field) or constant_offset(field, layout) is None:
        return None
    tail = f.definitions.get(field.operands[0])
    fork = _fork(f, f.block_of[field.token])
    if not is_any(tail, "phi", "load") or fork is None:
        return None
    made = f.definitions[link.operands[0]]
    tested = _tested(f, f.blocks[fork.test].terminator, fork.filled)
    stores = [i for i in _inside(f, fork) if is_store(i) and i is not link]
    is_link_inside = link in f.blocks[fork.filled].instructions
    if tested is None or not is_link_inside or not _does_nothing_else(f, fork):
        return None
    if not all(_is_first(f, i, fork, made) for i in stores) or len(stores) > 1:
        return None
    first = stores[0] if stores else None
    merged = None if first is not None else _merged(f, fork.join, fork.asked, made)
    if first is None and merged is None:
        return None
    last = _last(f, fork, made)
    return Site(f, made, *fork, link, tail.token, tested, first, merged, last)


def _fork(f: Function, filled: str) -> _Fork | None:
    """The fork of which a block is one way."""
    out, before = f.blocks[filled].successors, f.predecessors
    if len(before[filled]) != 1 or len(out) != 1:
        return None
    (test,), (join,) = before[filled], out
    branch = f.blocks[test].terminator
    if not is_branch(branch) or len(set(branch.labels)) != 2:
        return None
    empty = next(b for b in branch.labels if b != filled)
    if empty == join:
        return _Fork(test, filled, empty, join) if set(before[join]) == {filled, test} else None
    is_alone = before[empty] == (test,) and tuple(f.blocks[empty].successors) == (join,)
    is_fork = is_alone and set(before[join]) == {filled, empty}
    return _Fork(test, filled, empty, join) if is_fork else None


def _is_first(f: Function, store: Instruction, fork: _Fork, made: Instruction) -> bool:
    """Does a store set the pointer to the first node to the new one, where the list was empty?"""
    is_new = store.type == "ptr" and store.operands[0] == made.token
    return is_new and store in f.blocks[fork.empty].instructions


def _last(f: Function, fork: _Fork, made: Instruction) -> Instruction | None:
    """The store that sets a pointer to the last node."""
    stores = (i for i in f.blocks[fork.join].instructions if is_store(i) and i.type == "ptr")
    return next((i for i in stores if i.operands[0] == made.token), None)


def _tested(f: Function, branch: Instruction, filled: str) -> Operand | None:
    """The pointer that is null where control does not go to a block."""
    test = f.definitions.get(branch.operands[0])
    if not is_icmp(test) or "null" not in test.operands:
        return None
    if test.extra[0] != ("ne" if branch.labels[0] == filled else "eq"):
        return None
    others = [o for o in test.operands if o != "null"]
    return others[0] if len(others) == 1 else None


def _inside(f: Function, fork: _Fork) -> Iterator[Instruction]:
    yield from f.blocks[fork.filled].instructions
    if fork.empty != fork.join:
        yield from f.blocks[fork.empty].instructions


def _does_nothing_else(f: Function, fork: _Fork) -> bool:
    return all(
        is_any(i, "getelementptr", "br", "store") or (is_load(i) and i.type == "ptr")
        for i in _inside(f, fork)
    ) and not any(f.blocks[b].phis for b in {fork.filled, fork.empty} - {fork.join})


def _merged(f: Function, join: str, empty: str, made: Instruction) -> Instruction | None:
    """The phi of the first node, new where the list was empty."""
    found = [
        p
        for p in f.blocks[join].phis
        if p.type == "ptr"
        and p.operands[p.labels.index(empty)] == made.token
        and any(o != made.token for o in p.operands)
    ]
    return found[0] if len(found) == 1 else None
