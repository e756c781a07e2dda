"""Parameters of a program: the symbols that formulas of a whole run are written in.

A parameter is known by its origin: argv[1], mpi:size, mpi:rank, omp:threads, thread:tid.x,
global:VAR or arg:FUNCTION:0. It gets its name from --param, else from the source.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING

from looplaw_common.errors import InputError

from ...expr import Expr, sym
from ...ir.types import Module
from ...scev.arithmetic.fits import Readers

if TYPE_CHECKING:
    from .communicators import Communicator

_NAME = re.compile(r"[A-Za-z_]\w*$")
_ORIGIN = re.compile(r"argv\[\d+\]|mpi:size|mpi:rank|omp:threads|thread:.+|global:.+|arg:.+:\d+")


@dataclass(frozen=True)
class WordReadings:
    """The numbers that all readings of a word take for what they are: from `low` to `high`; is_cut:
    one of them makes such a number of any other."""

    origin: str
    low: int
    high: int
    is_cut: bool = False


@dataclass(frozen=True)
class ProgramParameter:
    """A parameter of the program and its origin. range: the least and the largest value by its
    type; None where the type is not known."""

    name: str
    origin: str
    range: tuple[int, int] | None = None

    def to_json(self) -> dict[str, object]:
        known = {} if self.range is None else {"range": list(self.range)}
        return {"name": self.name, "origin": self.origin, **known}


class ProgramParameters:
    """The parameters that an analysis has met, by origin.

    named: origin -> name, as --param gives them. names: origin -> name of those met so far.
    ranges: name -> the least and the largest value, where the type of the integer is known.
    halved: name -> the largest value as a signed integer, of those that may be larger by their type
    but are read as signed, too: it must not be exceeded. readings: name -> what all calls that
    read a word of the command line read as the number that it is. communicators: those that the
    program makes, by handle; chosen: names of extents that MPI_Dims_create chooses, and products:
    what they multiply to; these are one for all analyses of a program, and none is replaced.

    Raises:
        InputError: --param names an origin that does not exist.
    """

    def __init__(self, module: Module, named: Mapping[str, str]) -> None:
        self.named = _checked(module, named)
        self.names: dict[str, str] = {}
        self.ranges: dict[str, tuple[int, int]] = {}
        self.halved: dict[str, int] = {}
        self.readings: dict[str, WordReadings] = {}
        self.communicators: dict[str, Communicator] = {}
        self.chosen: set[str] = set()
        self.products: dict[Expr, Expr] = {}

    def copy(self) -> ProgramParameters:
        """The same for an analysis of its own, which may meet further ones."""
        other = copy(self)
        for name in ("names", "ranges", "halved", "readings"):
            setattr(other, name, dict(getattr(self, name)))
        return other

    def has_width(self, e: Expr, bits: int, *, may_be_unsigned: bool = False) -> Expr:
        """The parameter that a formula is, with the bits that it is read with."""
        (name,) = e.symbols
        low, high = integer_range(bits, may_be_unsigned=may_be_unsigned)
        least, most = self.ranges.get(name, (low, high))
        self.ranges[name] = min(low, least), max(high, most)
        return e

    def is_read(self, e: Expr, bits: int, read: Readers) -> Expr:
        """The parameter that a formula is, by who reads the integer of so many bits."""
        if read.unsigned and read.signed:
            self.halved[next(iter(e.symbols))] = (1 << (bits - 1)) - 1
        return self.has_width(e, bits, may_be_unsigned=read.unsigned)

    def is_word(self, e: Expr, origin: str, low: int, high: int, *, is_cut: bool) -> Expr:
        """The parameter that a formula is, of which one reading takes the numbers from `low` to
        `high` for what they are; `is_cut`: it makes one of these of any other, which C allows."""
        (name,) = e.symbols
        before = self.readings.get(name, WordReadings(origin, low, high))
        self.readings[name] = WordReadings(
            origin, max(low, before.low), min(high, before.high), is_cut or before.is_cut
        )
        return e

    def words(self, used: Collection[str]) -> list[tuple[str, tuple[Expr, ...]]]:
        """Between which numbers words of the command line must lie, of these parameters: in words
        and as formulas that must be >= 0. Two readings of one word may both be right only of the
        numbers that both take for what they are."""
        return [
            (
                f"{w.origin} lies between {w.low} and {w.high}",
                (sym(name) - w.low, w.high - sym(name)),
            )
            for name, w in self.readings.items()
            if name in used and (w.is_cut or self.ranges.get(name) != (w.low, w.high))
        ]

    def given(self, origin: str, name: str) -> Expr:
        """As `introduce`, with the name that --param gives the origin, else `name`."""
        return self.introduce(origin, self.named.get(origin) or name)

    def introduce(self, origin: str, name: str) -> Expr:
        """The symbol of the parameter with this origin; `name` as far as it is free and a name.
        What --param names keeps its name, however late it is met."""
        if origin not in self.names:
            reserved = (n for o, n in self.named.items() if o != origin)
            taken = {*self.names.values(), *reserved}
            if name in taken or not _NAME.match(name):
                name = (
                    "".join(c if c.isalnum() else "_" for c in name)
                    if not _NAME.match(name)
                    else name
                )
                number = 1
                base = name
                while name in taken:
                    number += 1
                    name = f"{base}{number}"
            self.names[origin] = name
        return sym(self.names[origin])


def integer_range(bits: int, *, may_be_unsigned: bool) -> tuple[int, int]:
    """The least and the largest number that integers of so many bits are read as."""
    return -(1 << (bits - 1)), (1 << (bits if may_be_unsigned else bits - 1)) - 1


def _checked(module: Module, parameters: Mapping[str, str]) -> dict[str, str]:
    """The words of --param NAME=ORIGIN, as origin -> name."""
    found: dict[str, str] = {}
    for name, origin in parameters.items():
        if not _NAME.match(name):
            raise InputError(f"--param {name}={origin}: {name!r} is not a name")
        if not _ORIGIN.fullmatch(origin):
            raise InputError(
                f"--param {name}={origin}: write argv[1], mpi:size, omp:threads, global:VAR or "
                "arg:FUNCTION:0"
            )
        if origin.startswith("global:") and origin[7:] not in module.globals:
            raise InputError(
                f"--param {name}={origin}: the program has no global variable {origin[7:]}"
            )
        if origin.startswith("arg:"):
            _, function, at = origin.split(":")
            target = module.functions.get(function)
            if target is None or int(at) >= len(target.parameters):
                raise InputError(
                    f"--param {name}={origin}: there is no argument {at} of a function {function}"
                )
        if origin in found:
            raise InputError(
                f"--param {name}={origin}: {origin} is named {found[origin]} already; give one name"
            )
        found[origin] = name
    return found
