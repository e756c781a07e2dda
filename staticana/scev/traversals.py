"""Loops over all nodes of a container: `for (auto &x : list)`, for sets, maps and hash tables, too.

The next node is read from memory, so that nothing a formula says of the iterator ends the loop. But
from the first node on there are as many as the container says, where nothing is put in or taken out
from then on. The nodes' types, which only the library has, tell what is walked along. A loop that
erases the node where it stands goes on with the next one, too: `it = list.erase(it)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ..alias.memory_location import MemoryLocation, UnderlyingObject
from ..expr import NUMBER, Loaded
from ..ir import cxx_names as cxx
from ..ir.graph import callee
from ..ir.loop_info import ExitEdge, Loop
from ..ir.matchers import is_any, is_branch, is_gep, is_icmp, is_load, is_phi
from ..ir.types import Instruction, Operand
from .context import FunctionContext
from .values import Value

_SIZE_TYPE = "i64"
_MOST_STEPS = 8
"""Ways in which an iteration may go on to the next node."""
_HASH_END = "null"


class _Nodes(NamedTuple):
    """Offsets in a container: of its first node, of what stands for its end (None: a null pointer),
    of its size; and of the next node in a node (None: a function finds it). is_backwards: the walk
    goes from the end to the first node."""

    first: int
    end: int | None
    size: int
    next: int | None
    is_backwards: bool = False


class _Walk(NamedTuple):
    """The kind of nodes, the load of the first one, the end at which the loop leaves, and the calls
    that erase the node where the loop stands."""

    kind: _Nodes
    start: Instruction
    end: Operand
    erasing: tuple[Instruction, ...]


_LINKED = (
    (re.compile(r'!"_ZTSNSt8__detail15_List_node_baseE'), _Nodes(0, 0, 16, 0)),
    (re.compile(r'!"_ZTSNSt3__1\d+__list_node_baseI'), _Nodes(8, 0, 16, 8)),
    (re.compile(r'!"_ZTSNSt8__detail15_List_node_baseE'), _Nodes(0, 0, 16, 8, True)),
    (re.compile(r'!"_ZTSNSt3__1\d+__list_node_baseI'), _Nodes(8, 0, 16, 0, True)),
    (re.compile(r'!"_ZTSNSt8__detail15_Hash_node_baseE'), _Nodes(16, None, 24, 0)),
    (re.compile(r'!"_ZTSNSt3__1\d+__hash_node_baseI'), _Nodes(16, None, 24, 0)),
)
_STEPPED = (
    (re.compile(r"_ZSt18_Rb_tree_incrementPK?St"), _Nodes(24, 8, 40, None)),
    (re.compile(r"_ZNSt3__1\d+__tree_next_iter"), _Nodes(0, 8, 16, None)),
    (re.compile(r"_ZSt18_Rb_tree_decrementPK?St"), _Nodes(24, 8, 40, None, True)),
    (re.compile(r"_ZNSt3__1\d+__tree_prev_iter"), _Nodes(0, 8, 16, None, True)),
    (re.compile(r"_ZNKSt8__detail10_Hash_nodeI.*E7_M_nextEv$"), _Nodes(16, None, 24, None)),
)
_TAKEN_OUT = (
    (re.compile(r"_ZNSt(?:7__cxx11)?4listI.*E5eraseE"), _Nodes(0, 0, 16, None)),
    (re.compile(r"_ZNSt3__14listI.*E5eraseB?\w*E"), _Nodes(8, 0, 16, None)),
    (re.compile(r"_ZNSt(?:8multi|3)(?:set|map)I.*E5eraseB?\w*E"), _Nodes(24, 8, 40, None)),
    (re.compile(r"_ZNSt3__1(?:8multi|3)(?:set|map)I.*E5eraseB?\w*E"), _Nodes(0, 8, 16, None)),
    (re.compile(r"_ZNSt13unordered_(?:set|map)I.*E5eraseE"), _Nodes(16, None, 24, None)),
    (re.compile(r"_ZNSt3__113unordered_(?:set|map)I.*E5eraseB?\w*E"), _Nodes(16, None, 24, None)),
)
"""Functions that erase the node that they are handed, and return the next one."""


def traversed(view: FunctionContext, loop: Loop, edge: ExitEdge) -> Value | None:
    """How many nodes are walked along until a loop leaves by an edge at the end of a container;
    None where it does something else."""
    walk = _walk(view, loop, edge)
    return None if walk is None else _size(view, loop, walk)


def container_of(view: FunctionContext, loop: Loop) -> UnderlyingObject | None:
    """The object, itself a container, whose nodes a loop walks along until its end or less."""
    for edge in loop.exits:
        walk = _walk(view, loop, edge)
        place = None if walk is None else _place_of_container(view, walk)
        if place is not None and place[1] == 0:
            return place[0]
    return None


def _walk(view: FunctionContext, loop: Loop, edge: ExitEdge) -> _Walk | None:
    """What a loop walks along until it leaves by an edge."""
    ends = _compared(view, edge)
    if ends is None or loop.latch is None or loop.preheader is None:
        return None
    if view.forest.innermost[edge.source] != loop.header or not view.forest.dominates(
        edge.source, loop.latch
    ):
        return None
    function = view.function
    for node, end in (ends, ends[::-1]):
        phi = function.definitions.get(node)
        if not is_phi(phi) or function.block_of[node] != loop.header:
            continue
        incoming = dict(zip(phi.labels, phi.operands, strict=True))
        steps = list(_steps(view, loop, incoming.pop(loop.latch, Operand("")), node))
        token = next(iter(incoming.values()), Operand(""))
        found = _kind_of_steps(view, steps, node) if len(incoming) == 1 else None
        if found is None:
            continue
        kind, erasing = found
        # backwards it begins where the other way ends, and ends at the first node
        last, begin = (token, end) if kind.is_backwards else (end, token)
        start = function.definitions.get(begin)
        if is_load(start):
            return _Walk(kind, start, last, erasing)
    return None


def _steps(
    view: FunctionContext, loop: Loop, token: Operand, node: Operand
) -> Iterator[Instruction | None]:
    """What the next node may be in the next iteration; None for what is no instruction of the loop
    itself."""
    work, seen = [token], {node}
    while work:
        token = work.pop()
        if token in seen:
            if token == node:
                yield None  # it may stay where it is
            continue
        seen.add(token)
        i = view.function.definitions.get(token)
        block = view.function.block_of.get(token)
        if i is None or block is None or view.forest.innermost.get(block) != loop.header:
            yield None
        elif is_phi(i) and len(seen) <= _MOST_STEPS:
            work += i.operands
        else:
            yield i


def _kind_of_steps(
    view: FunctionContext, steps: list[Instruction | None], node: Operand
) -> tuple[_Nodes, tuple[Instruction, ...]] | None:
    """What is walked along, from how the next node is found, and the calls that erase a node to
    find it."""
    kinds: list[_Nodes] = []
    erasing: list[Instruction] = []
    for step in steps:
        kind = None if step is None else _kind(view, step, node)
        if kind is None and step is not None:
            kind = _erased(step, node)
            erasing.append(step)
        if kind is None:
            return None
        kinds.append(kind)
    if not kinds or len({(k.first, k.end, k.size, k.is_backwards) for k in kinds}) > 1:
        return None
    return kinds[0], tuple(erasing)


def _erased(step: Instruction, node: Operand) -> _Nodes | None:
    """What is walked along where the node is erased to find the next one."""
    if not step.is_call or step.type != "ptr" or step.operands[2:] != (node,):
        return None
    name = callee(step) or ""
    return next((k for pattern, k in _TAKEN_OUT if pattern.match(name)), None)


def _compared(view: FunctionContext, edge: ExitEdge) -> tuple[Operand, Operand] | None:
    """The two pointers that are equal where control takes an edge."""
    function = view.function
    branch = function.blocks[edge.source].terminator
    if not is_branch(branch) or len(branch.labels) != 2:
        return None
    taken = branch.labels[0] == edge.target
    test = function.definitions.get(branch.operands[0])
    while is_any(test, "xor") and test.operands[1] in ("true", "1"):
        taken, test = not taken, function.definitions.get(test.operands[0])
    if not is_icmp(test) or test.extra[0] != ("eq" if taken else "ne"):
        return None
    return test.operands[0], test.operands[1]


def _kind(view: FunctionContext, step: Instruction, node: Operand) -> _Nodes | None:
    """What is walked along, from how the next node is found."""
    function = view.function
    if step.is_call:
        name = callee(step) or ""
        found = next((k for pattern, k in _STEPPED if pattern.match(name)), None)
        return found if found is not None and step.operands[1:2] == (node,) else None
    if not is_load(step) or step.tbaa is None:
        return None
    owner = _owner(view, step.tbaa)
    address, offset = step.operands[0], 0
    field = function.definitions.get(address)
    if address != node and is_gep(field):
        at = view.program.memory.aliasing.constant_offset(field.type, field.operands[1:])
        address, offset = field.operands[0], -1 if at is None else at
    if address != node:
        return None
    kinds = (k for pattern, k in _LINKED if k.next == offset and pattern.search(owner))
    return next(kinds, None)


def _owner(view: FunctionContext, tag: str) -> str:
    """The structure type of a !tbaa node, which the nodes of containers are told by."""
    module = view.program.module
    types = module.metadata_operands(tag)
    return module.metadata.get(types[0], "") if types else ""


def _place_of_container(view: FunctionContext, walk: _Walk) -> tuple[UnderlyingObject, int] | None:
    """The object and the offset in it at which the container stands whose first node a load reads;
    None where the end is that of another."""
    kind, start, end, erasing = walk
    base, offset = view.program.memory.aliasing.underlying_object(view.function, start.operands[0])
    if base is None or offset is None:
        return None
    whole = offset - kind.first
    if kind.end is None:
        if end != _HASH_END:
            return None
    elif _place_of(view, end) != (base, whole + kind.end):
        return None
    if any(_place_of(view, i.operands[1]) != (base, whole) for i in erasing):
        return None
    return base, whole


def _size(view: FunctionContext, loop: Loop, walk: _Walk) -> Value | None:
    """The size of the container whose first node a load reads, where it stays what it is."""
    memory, function = view.program.memory, view.function
    kind, start, erasing = walk.kind, walk.start, walk.erasing
    container = _place_of_container(view, walk)
    if container is None:
        return None
    base, whole = container
    first = memory.aliasing.location(function, start.operands[0], "ptr", start.tbaa)
    # the library and the models of its functions go by a member there
    place = MemoryLocation(base, whole + kind.size, 8, _SIZE_TYPE, by_bytes=True)
    block, since = function.block_of[start.token], start
    if kind.is_backwards:
        assert loop.preheader is not None
        block, since = loop.preheader, function.blocks[loop.preheader].terminator
    if not (
        memory.stays(view, place, block, since, loop, erasing)
        and memory.stays(view, first, block, since, loop, erasing)
    ):
        return None
    found = memory.reaching(view, place, block, since)
    if found.value is not None:
        view.program.assume_outside(found.outside, function.name)
        return found.value
    if not found.on_entry:
        return None
    address = view.scalars.value(start.operands[0])
    name = (view.variable_name(str(base.register)) if hasattr(base, "register") else None) or "v"
    number = Loaded(address.expr - kind.first + kind.size, _SIZE_TYPE, f"{name}{NUMBER}", (), place)
    return Value(memory.on_entry(view, number), address.preconditions)


def _place_of(view: FunctionContext, end: Operand) -> tuple[UnderlyingObject | None, int | None]:
    """The object and the offset in it that stand for the end of a container."""
    i = view.function.definitions.get(end)
    if i is not None and is_address_of(i):
        end = i.operands[1]
    return view.program.memory.aliasing.underlying_object(view.function, end)


def is_address_of(i: Instruction) -> bool:
    """Is it a call that yields the address that it is handed?"""
    return i.is_call and cxx.POINTER_TO.match(callee(i) or "") is not None
