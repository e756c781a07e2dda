"""A stack of cache lines in the order of their last use, simulated for many capacities at once.

Caches that hold the most recently used lines contain each other, so that one stack serves all
capacities (Mattson, Gecsei, Slutz and Traiger, IBM Systems Journal 1970). Instead of an exact
stack distance, each line knows the band that it lies in, between two capacities, and each band
knows its last line: a use moves one line to the top and one line over each boundary that it
crosses (Kim, Hill and Wood, SIGMETRICS 1991). Written lines carry one dirty bit for each capacity.

The code is built as IR, since it is called for every access of a simulated program.
"""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from llvmlite import ir

KINDS = 3
"""Streamed, strided, random."""
MAX_CAPACITIES = 31
"""Caches that are simulated at a time: each is a bit of the mask of dirty ones."""
MAX_LINES = 1 << 31
"""Lines that are told apart: their numbers are signed ones of 32 bits."""
_RECENT_PART, _RECENT_MOST = 64, 16
"""A line used within this part of the smallest cache, and at most so many moves ago, stays where it
is in the stack: it hits every cache, and distances are off by that many lines at most."""

I1, I32, I64, PTR = ir.IntType(1), ir.IntType(32), ir.IntType(64), ir.PointerType()
NODE = ir.LiteralStructType([I32] * 5)
PREV, NEXT, STAMP, BAND, DIRTY = range(5)
_NODE_BYTES = 20
"""Bytes of a `NODE`."""
_NONE = -1
"""Stands for the number of a line where there is none."""


_FIELDS: list[tuple[str, type[ctypes.c_void_p] | type[ctypes.c_int64]]] = [
    ("nodes", ctypes.c_void_p),  # NODE of each line; band 0: not in the stack
    ("span", ctypes.c_int64),  # number of nodes
    ("head", ctypes.c_int64),
    ("tail", ctypes.c_int64),
    ("used", ctypes.c_int64),  # lines in the stack
    ("clock", ctypes.c_int64),  # moves so far
    ("recent", ctypes.c_int64),
    ("capacities", ctypes.c_int64),
    ("capacity", ctypes.c_void_p),  # lines, ascending
    ("last_of", ctypes.c_void_p),  # last line inside each capacity once it is full
    ("written", ctypes.c_void_p),  # written lines that left each cache
    ("missed", ctypes.c_void_p),  # [reference][kind][band], band 0: never used before
    ("previous", ctypes.c_void_p),  # line that each reference touched before
    ("outside", ctypes.c_int64),  # accesses outside the nodes
    ("random", ctypes.c_int64),  # state of the generator
    ("counts", ctypes.c_void_p),  # iterations of each loop, executions of each guard
]


class State(ctypes.Structure):
    """What the compiled code works on; all fields have 8 bytes."""

    _fields_ = _FIELDS


_TYPES = {name: PTR if kind is ctypes.c_void_p else I64 for name, kind in _FIELDS}
_PLACES = {name: at for at, name in enumerate(_TYPES)}
STATE = ir.LiteralStructType(list(_TYPES.values()))


class Fields:
    """Loads and stores of the fields of a `State` in code that is being built."""

    def __init__(self, builder: Any, state: Any) -> None:
        self.builder, self.state = builder, state

    def at(self, name: str) -> Any:
        """The address of a field."""
        return self.builder.gep(
            self.state, [I32(0), I32(_PLACES[name])], source_etype=STATE, inbounds=True
        )

    def get(self, name: str) -> Any:
        return self.builder.load(self.at(name), typ=_TYPES[name])

    def set(self, name: str, value: Any) -> None:
        self.builder.store(value, self.at(name))

    def add(self, name: str, value: Any) -> None:
        self.set(name, self.builder.add(self.get(name), value))

    def element(self, name: str, index: Any) -> Any:
        """The address of an element of an array of integers."""
        return self.builder.gep(self.get(name), [index], source_etype=I64)


def add_touch(module: Any) -> Any:
    """The function touch(state, line, reference, is_random, is_store) of a module."""
    touch = ir.Function(module, ir.FunctionType(ir.VoidType(), [PTR] + [I64] * 4), "touch")
    move = _add_move(module)
    state, line, reference, is_random, is_store = touch.args
    b = ir.IRBuilder(touch.append_basic_block())
    f = Fields(b, state)
    with b.if_then(b.icmp_unsigned(">=", line, f.get("span")), likely=False):
        f.add("outside", I64(1))
        b.ret_void()
    node = b.gep(f.get("nodes"), [line], source_etype=NODE)
    at = f.element("previous", reference)
    before = b.load(at, typ=I64)
    b.store(line, at)
    band = b.load(_part(b, node, BAND), typ=I32)
    age = b.sub(b.trunc(f.get("clock"), I32), b.load(_part(b, node, STAMP), typ=I32))
    is_recent = b.and_(
        b.icmp_unsigned("!=", band, I32(0)), b.icmp_unsigned("<", b.zext(age, I64), f.get("recent"))
    )
    with b.if_then(b.not_(is_recent), likely=False):
        distance = b.sub(line, before)
        near = b.icmp_unsigned("<=", b.add(distance, I64(1)), I64(2))
        kind = b.select(b.icmp_unsigned("!=", is_random, I64(0)), I64(2), b.zext(b.not_(near), I64))
        b.call(move, [state, line, b.add(b.mul(reference, I64(KINDS)), kind)])
    with b.if_then(b.icmp_unsigned("!=", is_store, I64(0))):
        b.store(I32(-1), _part(b, node, DIRTY))
    b.ret_void()
    return touch


def _part(b: Any, node: Any, field: int) -> Any:
    return b.gep(node, [I32(0), I32(field)], source_etype=NODE, inbounds=True)


class _Nodes:
    """Nodes by line number in code that is being built."""

    def __init__(self, b: Any, nodes: Any) -> None:
        self.b, self.nodes = b, nodes

    def at(self, line: Any, field: int) -> Any:
        return _part(self.b, self.b.gep(self.nodes, [line], source_etype=NODE), field)

    def get(self, line: Any, field: int) -> Any:
        return self.b.load(self.at(line, field), typ=I32)

    def line(self, line: Any, field: int) -> Any:
        return self.b.sext(self.get(line, field), I64)

    def set(self, line: Any, field: int, value: Any) -> None:
        self.b.store(value, self.at(line, field))


def _add_move(module: Any) -> Any:
    """The function move(state, line, row of `missed`): count the miss, bring the line to the
    top."""
    move = ir.Function(module, ir.FunctionType(ir.VoidType(), [PTR, I64, I64]), "move")
    move.attributes.add("noinline")
    state, line, row = move.args
    b = ir.IRBuilder(move.append_basic_block())
    f = Fields(b, state)
    nodes = _Nodes(b, f.get("nodes"))
    band = b.zext(nodes.get(line, BAND), I64)
    number = f.get("capacities")
    is_new = b.icmp_unsigned("==", band, I64(0))
    with b.if_then(b.icmp_unsigned("!=", band, I64(1))):
        cell = f.element("missed", b.add(b.mul(row, b.add(number, I64(2))), band))
        b.store(b.add(b.load(cell, typ=I64), I64(1)), cell)
    nodes.set(line, STAMP, b.trunc(f.get("clock"), I32))
    f.add("clock", I64(1))
    head = f.get("head")
    with b.if_then(b.icmp_unsigned("==", head, line)):
        b.ret_void()
    _shift(b, f, nodes, line, b.select(is_new, number, b.sub(band, I64(1))), is_new)
    with b.if_then(b.not_(is_new)):
        _unlink(b, f, nodes, line)
    nodes.set(line, PREV, I32(_NONE))
    nodes.set(line, NEXT, b.trunc(head, I32))
    nodes.set(line, BAND, I32(1))
    with b.if_then(b.icmp_signed(">=", head, I64(0))):
        nodes.set(head, PREV, b.trunc(line, I32))
    f.set("head", line)
    with b.if_then(is_new):
        with b.if_then(b.icmp_signed("<", f.get("tail"), I64(0))):
            f.set("tail", line)
        f.add("used", I64(1))
        nodes.set(line, DIRTY, I32(0))
        with each(b, number) as k:
            is_full = b.icmp_signed("==", b.load(f.element("capacity", k), typ=I64), f.get("used"))
            with b.if_then(is_full):
                b.store(f.get("tail"), f.element("last_of", k))
    b.ret_void()
    return move


def _shift(b: Any, f: Fields, nodes: _Nodes, line: Any, crossed: Any, is_new: Any) -> None:
    """Move the last line of each of the smallest `crossed` caches that are full out of it. The line
    itself may be the last one of the cache that it was in."""
    with each(b, crossed) as k:
        at = f.element("last_of", k)
        last = b.load(at, typ=I64)
        with b.if_then(b.icmp_signed(">=", last, I64(0))):
            nodes.set(last, BAND, b.trunc(b.add(k, I64(2)), I32))
            dirty = nodes.get(last, DIRTY)
            bit = b.shl(I32(1), b.trunc(k, I32))
            with b.if_then(b.icmp_unsigned("!=", b.and_(dirty, bit), I32(0))):
                nodes.set(last, DIRTY, b.and_(dirty, b.not_(bit)))
                cell = f.element("written", k)
                b.store(b.add(b.load(cell, typ=I64), I64(1)), cell)
            b.store(nodes.line(last, PREV), at)
    with b.if_then(b.and_(b.not_(is_new), b.icmp_signed("<", crossed, f.get("capacities")))):
        at = f.element("last_of", crossed)
        with b.if_then(b.icmp_signed("==", b.load(at, typ=I64), line)):
            b.store(nodes.line(line, PREV), at)


def _unlink(b: Any, f: Fields, nodes: _Nodes, line: Any) -> None:
    """Take a line that is not the first out of the stack."""
    before, after = nodes.get(line, PREV), nodes.get(line, NEXT)
    nodes.set(b.sext(before, I64), NEXT, after)
    with b.if_else(b.icmp_signed("<", after, I32(0))) as (is_last, is_inside):
        with is_last:
            f.set("tail", b.sext(before, I64))
        with is_inside:
            nodes.set(b.sext(after, I64), PREV, before)


@contextmanager
def each(b: Any, n: Any) -> Iterator[Any]:
    """with each(builder, n) as k: code for k = 0 .. n - 1."""
    start = b.block
    test, body, end = (b.append_basic_block() for _ in range(3))
    b.branch(test)
    b.position_at_end(test)
    k = b.phi(I64)
    k.add_incoming(I64(0), start)
    b.cbranch(b.icmp_signed("<", k, n), body, end)
    b.position_at_end(body)
    yield k
    k.add_incoming(b.add(k, I64(1)), b.block)
    b.branch(test)
    b.position_at_end(end)


def add_dirty(module: Any) -> Any:
    """The function dirty(state, found): written lines that are left in each cache are added."""
    dirty = ir.Function(module, ir.FunctionType(ir.VoidType(), [PTR, PTR]), "dirty")
    state, found = dirty.args
    b = ir.IRBuilder(dirty.append_basic_block())
    f = Fields(b, state)
    nodes = _Nodes(b, f.get("nodes"))
    number = f.get("capacities")
    at = b.alloca(I64)
    b.store(f.get("head"), at)
    with each(b, f.get("used")):
        line = b.load(at, typ=I64)
        left = nodes.get(line, DIRTY)
        with each(b, number) as k:
            bit = b.and_(b.lshr(left, b.trunc(k, I32)), I32(1))
            is_inside = b.icmp_unsigned("<=", nodes.get(line, BAND), b.trunc(b.add(k, I64(1)), I32))
            cell = b.gep(found, [k], source_etype=I64)
            more = b.select(is_inside, b.zext(bit, I64), I64(0))
            b.store(b.add(b.load(cell, typ=I64), more), cell)
        b.store(nodes.line(line, NEXT), at)
    b.ret_void()
    return dirty


class Stack:
    """The lines of one simulation.

    capacities: lines of each cache, ascending, at least 2. span: lines that may be touched.
    references, counters: how many the compiled code has.
    """

    def __init__(
        self, capacities: Sequence[int], span: int, references: int, counters: int
    ) -> None:
        assert 0 < len(capacities) <= MAX_CAPACITIES
        assert 0 < span <= MAX_LINES
        self.capacities = np.array(capacities, dtype=np.int64)
        k = len(capacities)
        self.last_of = np.full(k, _NONE, dtype=np.int64)
        self.written = np.zeros(k, dtype=np.int64)
        self.missed = np.zeros((references, KINDS, k + 2), dtype=np.int64)
        self.previous = np.full(max(references, 1), -4, dtype=np.int64)
        self.counts = np.zeros(max(counters, 1), dtype=np.int64)
        # Pages of nodes come into being when they are touched; a matrix of which a part is
        # simulated costs no more than that part.
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | getattr(mmap, "MAP_NORESERVE", 0)
        self.memory = mmap.mmap(-1, span * _NODE_BYTES, flags=flags)
        self.nodes = np.frombuffer(self.memory, dtype=np.uint8)
        self.state = State(
            nodes=self.nodes.ctypes.data,
            span=span,
            head=_NONE,
            tail=_NONE,
            recent=max(1, min(_RECENT_MOST, int(self.capacities[0]) // _RECENT_PART)),
            capacities=k,
            capacity=self.capacities.ctypes.data,
            last_of=self.last_of.ctypes.data,
            written=self.written.ctypes.data,
            missed=self.missed.ctypes.data,
            previous=self.previous.ctypes.data,
            random=88172645463325252,
            counts=self.counts.ctypes.data,
        )

    def clear(self) -> None:
        """Empty all caches; counts stay."""
        self.memory.madvise(mmap.MADV_DONTNEED)
        self.state.head = self.state.tail = _NONE
        self.state.used = 0
        self.last_of[:] = _NONE
        self.previous[:] = -4
