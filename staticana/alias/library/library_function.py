"""What one library function does with memory and control: the type of a row of the table."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from types import EllipsisType

Arguments = tuple[int | EllipsisType, ...]
"""Numbers of arguments from 0; `...` at the end: and all that follow the last one."""

ALL: Arguments = (0, ...)


class Control(Enum):
    """Whether and how control comes back from a call."""

    RETURNS = "returns, and soon"
    WAITS = "returns, perhaps late: it does I/O, sleeps, waits for others, or makes a process"
    MAY_LEAVE = "may return, or end the program, or go on elsewhere"
    LEAVES = "never returns where it does its work (exec and swapcontext may fail)"
    TWICE = "may return a second time, when a jump comes back to it"


class Parses(Enum):
    """What number a function reads from the text in its first argument."""

    INTEGER = "an integer"
    UNSIGNED = "an integer of an unsigned type"
    FLOAT = "a floating-point number"


class Handler(Enum):
    """How the second argument of a function sets a signal handler."""

    FUNCTION = "it is the handler"
    STRUCTURE = "it points to a structure with the handler"


@dataclass(frozen=True, slots=True)
class Buffer:
    """Where an MPI call says how much it moves: the numbers of the arguments with count and
    datatype (None: they are arrays, or somewhere else), and whether that is for each process."""

    count: int | None
    datatype: int | None = None
    per_process: bool = False


NOTHING_SENT = -1
"""The `Buffer.count` of a message without data."""


@dataclass(frozen=True, slots=True)
class Message:
    """What an MPI call moves. `in_place`: the count that holds where the send buffer is
    MPI_IN_PLACE; `starts`: it starts requests that other calls have described."""

    sends: Buffer | None = None
    receives: Buffer | None = None
    in_place: Buffer | None = None
    starts: bool = False


@dataclass(frozen=True, slots=True)
class LibraryFunction:
    """What one library function does with memory and control.

    name: as in IR; a `*` at its end stands for any ending.
    reads, writes: the pointer arguments through which it reads and writes.
    length: the argument that says how many bytes it writes through the first of them.
    size: how many bytes it writes through each of them, where that is always the same.
    fills: the arguments with the count and the datatype of what an MPI call writes through the
    first of them.
    arguments: how many arguments an MPI function has in C. In Fortran it has one more, the error
    code.
    behind: the pointer arguments where pointers stand through which it writes: the text of strsep,
    the buffers of readv.
    keeps: the pointer arguments that may be found again later, elsewhere than in the result.
    attaches: those of them through which the functions that use `to` write from then on.
    registers: the arguments with functions, or with structures that hold some, that the functions
    which use `to` call from then on.
    to: what memory is attached to, or functions are registered with: "stream", "random", "fork".
    uses: what it writes the attached memory and calls the registered functions of.
    goes_on: it does so only where its first argument is null. of: it does so of what one call has
    attached, the one that returned this argument.
    own: its result is memory of the library's own that later calls write.
    sets: variables of the library that it writes, which programs can name.
    calls_through: variables of the library that hold functions which it calls.
    anywhere: it may write to all memory that others than functions of the program can reach, as
    what goes by pointers in an argument list (va_list) or in a vector does.
    calls_anything: it may call any function whose address the program takes.
    returns: the argument that its result is equal to; into: that its result points into.
    allocates: the result is memory that no other pointer reaches.
    calls_back: the arguments that it may call before it returns.
    errno: beside `writes`, it writes errno.
    throws: it may throw a C++ exception.
    control: see `Control`.
    parses: see `Parses`. base: the argument that says in which base. of_string: the text is that
    of a std::string.
    in_header: programs may hold its body, in which calls are not followed; it does no more than its
    row says.
    handler: see `Handler`. message: see `Message`.
    concurrent: functions of the program may run beside the caller from then on.
    meanwhile: the pointer arguments through which, and through the pointers that stand there,
    something is written beside the caller from then on.
    forks: from then on a second process runs the same code.
    leaves_argv: it is handed argc and argv by address, and leaves them as they are.
    format: the argument that says what it prints; with `%n` there, it writes through the pointers
    behind it, with `%p` the text tells them.
    scans: the argument that says what it reads, and so how much it writes through the pointers
    behind it.
    cost: its work, a sum of products of a0 (the value of argument 0), len0 (the length of the
    string there), log0 (its logarithm) and len0|len1 (the shorter of two strings); None where it is
    constant or not known.
    may_cost: the same, as the most that it may do and often does not: realloc moves what it holds
    only where it cannot grow in its place.
    """

    name: str
    reads: Arguments = ()
    writes: Arguments = ()
    length: int | None = None
    size: int | None = None
    fills: Buffer | None = None
    arguments: int | None = None
    behind: Arguments = ()
    keeps: Arguments = ()
    attaches: Arguments = ()
    registers: Arguments = ()
    to: str = ""
    uses: tuple[str, ...] = ()
    goes_on: bool = False
    of: int | None = None
    own: bool = False
    sets: tuple[str, ...] = ()
    calls_through: tuple[str, ...] = ()
    anywhere: bool = False
    calls_anything: bool = False
    returns: int | None = None
    into: int | None = None
    allocates: bool = False
    calls_back: Arguments = ()
    errno: bool = False
    throws: bool = False
    control: Control = Control.RETURNS
    parses: Parses | None = None
    base: int | None = None
    of_string: bool = False
    in_header: bool = False
    concurrent: bool = False
    meanwhile: Arguments = ()
    forks: bool = False
    handler: Handler | None = None
    message: Message | None = None
    leaves_argv: bool = False
    format: int | None = None
    scans: int | None = None
    cost: str | None = None
    may_cost: str | None = None

    @property
    def only_reads(self) -> bool:
        """Does it write nothing that a program can read, and call nothing?"""
        written = (self.writes, self.behind, self.sets, self.anywhere, self.own, self.meanwhile)
        attached = (self.attaches, self.registers, self.uses)
        called = (self.calls_back, self.calls_through, self.calls_anything, self.handler)
        others = (self.errno, self.concurrent, self.forks)
        known = (self.scans, self.format)
        return not any((*written, *attached, *called, *others)) and known == (None, None)

    def writes_through(self, at: int) -> bool:
        """May it write through its argument number `at`?"""
        return _has(self.writes, at)

    def writes_behind(self, at: int) -> bool:
        """May it write through the pointers that stand where its argument number `at` points to?"""
        return _has(self.behind, at)

    def attaches_argument(self, at: int) -> bool:
        """May other functions write through its argument number `at` later?"""
        return _has(self.attaches, at)

    def registers_argument(self, at: int) -> bool:
        """May other functions call what its argument number `at` is or holds later?"""
        return _has(self.registers, at)

    def goes_on_writing(self, at: int) -> bool:
        """May something be written through its argument number `at` beside the caller?"""
        return _has(self.meanwhile, at)

    def keeps_argument(self, at: int) -> bool:
        """May the pointer in its argument number `at` be found again later?"""
        return _has(self.keeps, at)

    def may_call(self, at: int) -> bool:
        """May it call the function in its argument number `at`?"""
        return _has(self.calls_back, at)

    @property
    def returns_soon(self) -> bool:
        """Does every call return to its caller, without delay and without running code of the
        program?"""
        calls = self.calls_back or self.calls_anything
        return self.control is Control.RETURNS and not self.throws and not calls


def _has(arguments: Arguments, at: int) -> bool:
    if arguments[-1:] == (...,):
        last = arguments[-2]
        return at in arguments or (isinstance(last, int) and at > last)
    return at in arguments
