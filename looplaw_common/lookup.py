"""Results by the names that people use: "lu.c:10", "lu.c:10:5" or a function's name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, TypeVar

from looplaw_common.errors import UnknownKey

_LISTED = 8
"""Names in a message."""


class Placed(Protocol):
    """Something with a place in the source, "file:line:col"."""

    @property
    def at(self) -> str: ...


class Named(Protocol):
    """Something with a name."""

    @property
    def name(self) -> str: ...


L = TypeVar("L", bound=Placed)
F = TypeVar("F", bound=Named)


def find(key: str, loops: Sequence[L], functions: Sequence[F]) -> L | F:
    """The loop at "file:line" or "file:line:col", or the function of that name.

    Of the file the last part of its path suffices, as in "lu.c:10" for src/lu.c.

    Raises:
        UnknownKey: nothing, or more than one thing, has that name; the message lists candidates.
    """
    if not isinstance(key, str):
        raise UnknownKey(f"{key!r}: write 'file:line', 'file:line:col' or the name of a function")
    named = [f for f in functions if f.name == key]
    placed = [loop for loop in loops if _is_at(loop.at, key)]
    if len(named) == 1:
        return named[0]
    if len(placed) == 1:
        return placed[0]
    several: Mapping[str, None]
    if named or placed:
        several = dict.fromkeys([f.name for f in named] or [loop.at for loop in placed])
        hint = "; name the column" if placed else ""
        raise UnknownKey(f"{key!r} names several: {_listed(list(several))}{hint}")
    file, _, rest = key.partition(":")
    near = [x.at for x in loops if rest and _ends(x.at.split(":")[0], file)]
    names = near or [*(x.at for x in loops), *(f.name for f in functions)]
    raise UnknownKey(
        f"{key!r} names no loop and no function; there are"
        f" {_listed(list(dict.fromkeys(names))) or 'none'}"
    )


def _is_at(at: str, key: str) -> bool:
    file, line, column = at.rsplit(":", 2) if at.count(":") >= 2 else (at, "", "")
    for rest in (f":{line}:{column}", f":{line}"):
        if line and key.endswith(rest) and _ends(file, key.removesuffix(rest)):
            return True
    return False


def _ends(path: str, name: str) -> bool:
    """Does one path end with the other, in whole parts?"""
    long, short = sorted(
        ([p for p in x.replace("\\", "/").split("/") if p not in ("", ".")] for x in (path, name)),
        key=len,
        reverse=True,
    )
    return bool(short) and long[-len(short) :] == short


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:_LISTED]) + f", ... ({len(names)} in all)" * (len(names) > _LISTED)
