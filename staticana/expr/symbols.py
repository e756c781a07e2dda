"""The names of symbols: the one place that builds and classifies them.

A symbol of a formula is a string. A parameter of the program has a plain name (``n``); all others
are internal and have names that no source gives: they begin with ``%`` (values of registers,
arguments, iteration numbers, means, fractions), with ``@`` (addresses of globals) or with ``load[``
(`loaded.Loaded`). Functions in this module make such names and tell what a name stands for; nobody
else takes one apart.
"""

from __future__ import annotations

import re
from typing import NamedTuple

LOADED = "load["
"""How the key of every `Loaded` begins; the key also stands among the symbols of formulas that hold
it."""
ARGV = "%argv"
"""The address of the array of words on the command line."""
NO_COUNT = "%unknown"
"""Stands for a number of iterations that is not known."""

_ARGUMENT = re.compile(r"%(?P<function>.+)\.arg#(?P<at>\d+)(?::(?P<shift>\d+):(?P<width>\d+))?$")
"""What `argument` and `argument_part` build."""
_ARGV_WORD = re.compile(r"%argv\[(\d+)\]$")
"""What `argv_word` builds."""
_ITERATION = "%i."
"""How iteration numbers begin."""
_CONSTANT = "%const."
"""How constants that are no integers begin; their text follows."""


# -- symbols of the program
def register(function: str, name: str) -> str:
    """The value of a register (its name without sigil) of a function."""
    return f"%{function}.{name}"


def register_name(symbol: str, function: str) -> str | None:
    """The register's name where the symbol may be the value of a register of the function."""
    prefix = f"%{function}."
    return symbol[len(prefix) :] if symbol.startswith(prefix) else None


def argument(function: str, at: int) -> str:
    """Argument `at` of a function (no register has a name with #)."""
    return f"%{function}.arg#{at}"


def argument_part(function: str, at: int, shift: int, width: int) -> str:
    """Bits `shift` to `shift + width` of an argument."""
    return f"{argument(function, at)}:{shift}:{width}"


class ArgumentSymbol(NamedTuple):
    """What the symbol of an argument stands for; `shift` and `width`: of a part of it."""

    function: str
    at: int
    shift: int | None = None
    width: int | None = None


def as_argument(symbol: str) -> ArgumentSymbol | None:
    """The argument that a symbol stands for."""
    found = _ARGUMENT.match(symbol)
    if found is None:
        return None
    shift, width = found.group("shift", "width")
    return ArgumentSymbol(
        found["function"],
        int(found["at"]),
        None if shift is None else int(shift),
        None if width is None else int(width),
    )


def argv_word(at: int) -> str:
    """The address of word `at` of the command line."""
    return f"{ARGV}[{at}]"


def as_argv_word(symbol: str) -> int | None:
    """k for the address of word k of the command line."""
    found = _ARGV_WORD.match(symbol)
    return int(found.group(1)) if found else None


def constant(text: str) -> str:
    """A constant of the IR whose value is not an integer."""
    return f"{_CONSTANT}{text}"


def as_constant(symbol: str) -> str | None:
    """The text of the constant that a symbol stands for."""
    return symbol[len(_CONSTANT) :] if symbol.startswith(_CONSTANT) else None


def global_name(symbol: str) -> str | None:
    """The name of the global whose address a symbol is, without the quotes that IR puts around
    unusual names."""
    return symbol[1:].strip('"') if symbol.startswith("@") else None


# -- symbols of loops
def iteration(function: str, header: str) -> str:
    """The iteration number of a loop, from 0."""
    return f"{_ITERATION}{function}.{header}"


def call_depth(function: str) -> str:
    """The number of calls of a function in itself, from 0."""
    return f"{_ITERATION}{function}.call"


FOLDED = f"{_ITERATION}fold"
"""The iteration number in the folded form of a loop (`matrix`)."""


def nested(index: str) -> str:
    """A further index of a sum, for each value of `index`."""
    return f"{index}'"


def initial(symbol: str) -> str:
    """The value of a variable before its loop."""
    return f"{symbol}%0"


# -- symbols of what only a run can tell
def unknown(function: str, *what: object) -> str:
    """A value, mean or fraction in a function, told from all others by `what`."""
    return f"%{function}.{'.'.join(map(str, what))}"


_ASSUMED = "%assumed "


def assumed(words: str) -> str:
    """A number that is >= 0 where these words are true: it stands among what counts need."""
    return f"{_ASSUMED}{words}"


def assumed_words(symbol: str) -> str | None:
    """The words of such a symbol."""
    return symbol.removeprefix(_ASSUMED) if symbol.startswith(_ASSUMED) else None


# -- what a symbol is
def is_internal(symbol: str) -> bool:
    """Is it a name that only the analysis knows (not a program parameter)?"""
    return symbol[0] in "%@" or symbol.startswith(LOADED)


def is_iteration(symbol: str) -> bool:
    """Is it an iteration number?"""
    return symbol.startswith(_ITERATION)


def is_opaque(symbol: str) -> bool:
    """Is it a value that only the analysis knows, other than an iteration number?"""
    return is_internal(symbol) and not is_iteration(symbol)


def is_loaded(symbol: str) -> bool:
    """Is it a value from memory (`loaded.Loaded`)?"""
    return symbol.startswith(LOADED)


def loaded_kind(symbol: str) -> str:
    """The type of a value from memory."""
    return symbol[len(LOADED) : symbol.index("]", len(LOADED))]


def is_global_address(symbol: str) -> bool:
    """Is it the address of a global variable or of a function, which is never zero?"""
    return symbol.startswith("@")


def is_from_outside(symbol: str) -> bool:
    """Is it the same in all functions: a parameter, the address of a global or of argv?"""
    return not is_internal(symbol) or symbol.startswith(("@", ARGV))
