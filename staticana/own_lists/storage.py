"""Which memory a pointer of a program may point to: classes of storage, found by unification.

Whatever two pointers may be the same point into one class (Steensgaard, "Points-to analysis in
almost linear time", POPL 1996); pointers in one class differ by a number of bytes that is known, so
that members of structures stay apart. Where it is not known, because an index varies, members that
lie a multiple of the step apart are one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import gcd
from typing import NamedTuple

from ..ir.types import Function, Instruction

_OPEN_END = 1 << 60
"""The end of an array whose length is not known."""


POINTER = 8
"""Bytes of a pointer."""


class Access(NamedTuple):
    """A load, a store or a library function's access to storage. offset: from where the class
    counts; size: bytes, None for no known end; is_pointer: one pointer is read or written, and
    nothing else."""

    offset: int
    size: int | None
    is_pointer: bool
    function: Function
    instruction: Instruction


class Array(NamedTuple):
    """Members in [start, end) that lie a multiple of `step` bytes apart are one."""

    start: int
    end: int
    step: int


@dataclass(eq=False)
class Storage:
    """A class of storage. makers: the calls that allocate it; accesses: filled in when all classes
    are found; has_others: some of it is no memory that is allocated; step: all that lies a multiple
    of it apart is one, 0 for none; escapes: what is not seen here may read and write it."""

    makers: list[tuple[Function, Instruction, int]] = field(default_factory=list)
    accesses: list[Access] = field(default_factory=list)
    contents: dict[int, Pointer] = field(default_factory=dict)
    arrays: list[Array] = field(default_factory=list)
    has_others: bool = False
    escapes: bool = False
    step: int = 0
    parent: Storage | None = None
    shift: int = 0  # bytes by which the parent's offsets are greater

    def member(self, offset: int) -> int:
        """The offset that stands for all members that may be the one at an offset."""
        for a in self.arrays:
            if a.start <= offset < a.end:
                offset = a.start + (offset - a.start) % a.step
        return offset % self.step if self.step else offset

    @property
    def is_plain(self) -> bool:
        """Is it allocated memory whose every access is seen?"""
        return bool(self.makers) and not (self.has_others or self.escapes or self.step)


class Pointer(NamedTuple):
    """The address of a byte of a class."""

    storage: Storage
    offset: int


class Classes:
    """The classes of a program, while they are found."""

    def __init__(self) -> None:
        self._equal: list[tuple[Pointer, Pointer]] = []
        self.changes = 0  # how often classes have become one, or members of one

    def found(self, p: Pointer) -> Pointer:
        """A pointer in terms of the class that its own has become part of."""
        storage, offset = p
        path = []
        while storage.parent is not None:
            path.append(storage)
            offset += storage.shift
            storage = storage.parent
        total = 0
        for s in reversed(path):  # compressed, so that the way is short the next time
            total += s.shift
            s.parent, s.shift = storage, total
        return Pointer(storage, offset)

    def content(self, p: Pointer) -> Pointer:
        """What the pointer at an address points to."""
        storage, offset = self.found(p)
        at = storage.member(offset)
        if at not in storage.contents:
            storage.contents[at] = Pointer(Storage(), 0)
        return self.found(storage.contents[at])

    def unify(self, one: Pointer, other: Pointer) -> None:
        """Two pointers may be the same."""
        self._equal.append((one, other))
        self._settle()

    def _settle(self) -> None:
        while self._equal:
            a, b = map(self.found, self._equal.pop())
            if a.storage is b.storage:
                if a.storage.member(a.offset) != a.storage.member(b.offset):
                    self._coarsen(a.storage, gcd(a.storage.step, a.offset - b.offset))
            elif len(a.storage.contents) < len(b.storage.contents):
                self._join(b.storage, a.storage, b.offset - a.offset)
            else:
                self._join(a.storage, b.storage, a.offset - b.offset)

    def _join(self, into: Storage, s: Storage, shift: int) -> None:
        """Makes one class a part of another, which has no fewer members: so all members together
        are moved no more than their number times its logarithm."""
        self.changes += 1
        s.parent, s.shift = into, shift
        into.makers += [(f, i, at + shift) for f, i, at in s.makers]
        into.has_others |= s.has_others
        into.escapes |= s.escapes
        before = into.step, into.arrays
        into.step = gcd(into.step, s.step)
        contents = [(at + shift, p) for at, p in s.contents.items()]
        arrays = [Array(a.start + shift, a.end + shift, a.step) for a in s.arrays]
        s.contents, s.makers, s.arrays = {}, [], []
        for a in arrays:
            self._add(into, a)
        if (into.step, into.arrays) == before:
            self._insert(into, contents)
        else:
            self._reorder(into, contents)

    def vary(self, p: Pointer, length: int | None, step: int) -> None:
        """An index varies: members from an address on lie `step` bytes apart, for `length` bytes;
        None where that is not known to end, on either side."""
        storage, offset = self.found(p)
        if length is None:
            self._coarsen(storage, gcd(storage.step, step))
        else:
            self._add(storage, Array(offset, offset + (length or _OPEN_END), step))
            self._reorder(storage, [])
        self._settle()

    def leave(self, p: Pointer, offset: int) -> None:
        """A pointer to an element of an array, no matter which, moves on by some bytes."""
        storage, at = self.found(p)
        for a in storage.arrays:
            if a.start <= at < a.end:
                here, there = at - a.start, at + offset - a.start
                if here // a.step != there // a.step:
                    self._coarsen(storage, gcd(storage.step, a.step))
                break
        self._settle()

    def _coarsen(self, s: Storage, step: int) -> None:
        coarser = gcd(step, *(a.step for a in s.arrays))
        if coarser != s.step or s.arrays:
            self.changes += 1
            s.step, s.arrays = coarser, []
            self._reorder(s, [])

    def _add(self, s: Storage, new: Array) -> None:
        if s.step:
            s.step = gcd(s.step, new.step)
            return
        apart = []
        for a in s.arrays:
            if a.end <= new.start or new.end <= a.start:
                apart.append(a)
            else:
                step = gcd(a.step, new.step, a.start - new.start)
                new = Array(min(a.start, new.start), max(a.end, new.end), step)
        s.arrays = [*apart, new]

    def _reorder(self, s: Storage, more: list[tuple[int, Pointer]]) -> None:
        contents = [*s.contents.items(), *more]
        s.contents = {}
        self._insert(s, contents)

    def _insert(self, s: Storage, contents: list[tuple[int, Pointer]]) -> None:
        for at, p in contents:
            known = s.contents.setdefault(s.member(at), p)
            if known is not p:
                self._equal.append((known, p))


def touching(s: Storage, member: int) -> Iterator[Access]:
    """The accesses that may touch a pointer at an offset that stands for itself and others."""
    return (a for a in s.accesses if may_touch(s, member, a))


def may_touch(s: Storage, member: int, a: Access) -> bool:
    """May an access touch a pointer at an offset that stands for itself and others?

    Elements of an array are told apart by nothing but where in an element they are.
    """
    if a.size is None:
        return True
    low, high = a.offset, a.offset + a.size
    if s.step:
        return (member - low) % s.step < a.size or (low - member) % s.step < POINTER
    for x in s.arrays:
        is_inside, is_met = x.start <= low < x.end, low < x.end and x.start < high
        if x.start <= member < x.end and is_met:
            is_met = not is_inside or (
                (member - low) % x.step < a.size or (low - member) % x.step < POINTER
            )
            if is_met:
                return True
        elif is_inside and x.start - POINTER < member < x.end + a.size:
            return True
    if any(x.start <= low < x.end and x.start <= member < x.end for x in s.arrays):
        return False  # they have been compared
    return low < member + POINTER and member < high
