"""Kernels, and the selection of those that are instrumented.

A kernel is an outermost loop of a function with the loops inside it. A function that a kernel calls
has kernels of its own (the loop call graph of PEMOGEN, Bhattacharyya and Hoefler, PACT 2014). So a
selection never takes a loop without the loops around it in its function, and counts of a kernel are
never derived from those of one that was left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from fnmatch import fnmatchcase
from pathlib import PurePath

from looplaw_common.digraph import Digraph, circles
from looplaw_common.errors import InputError
from staticana.ir.loop_info import Loop, loop_forest
from staticana.ir.types import Function, Module

from .abnormal_exits import is_emitted

LoopKey = tuple[str, str]
"""A loop: symbol of its function, and its header."""
_MAX_NAMES = 5
"""Names that an error message suggests."""
_SIMILAR = 0.4
"""Least similarity of a suggested name (difflib's ratio; its default of 0.6 misses short names)."""
_PLACE = re.compile(r"(.*):(\d+):(\d+)$")


@dataclass(frozen=True)
class Kernel:
    """A kernel. Copies of a source loop (template instances, macros) belong to one kernel, whose
    counts are their sum.

    Attributes:
        names: by which it can be selected: function[k] for the k-th loop of the function in the
            source, the function's name in the source, its symbol, the places of the loops. The
            first is shown to users.
        at: place of its outermost loop.
        loops: all of its loops, outer ones before inner ones.
    """

    names: tuple[str, ...]
    at: str
    loops: tuple[LoopKey, ...]

    @property
    def file(self) -> str:
        """The path of its source file."""
        found = _PLACE.match(self.at)
        return found[1] if found else self.at

    def is_called(self, pattern: str) -> bool:
        """Does one of its names match the pattern? In solve[1], [1] is no class of characters."""
        escaped = re.sub(r"\[(?=\d+\]$)", "[[]", pattern)
        return any(name == pattern or fnmatchcase(name, escaped) for name in self.names)

    def is_in(self, pattern: str) -> bool:
        """Does the path of its file, or the end of the path, match the pattern?"""
        return fnmatchcase(self.file, pattern) or fnmatchcase(self.file, f"*/{pattern}")


@dataclass(frozen=True)
class Selection:
    """Which kernels are instrumented; by default all.

    Attributes:
        kernels: glob patterns of names. A pattern that begins with ! excludes. A kernel is selected
            if one of the other patterns matches it, or there are none, and no ! pattern does.
        files: likewise, of files.
        most_overhead: bound on the predicted instructions of the counters relative to those of the
            program, as 0.02 (see `counter_cost`).
    """

    kernels: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    most_overhead: float | None = None

    @property
    def is_all(self) -> bool:
        """Are all kernels selected?"""
        return not self.kernels and not self.files


def outermost(loops: Mapping[str, Loop], loop: Loop) -> tuple[Loop, int]:
    """The outermost source loop around a loop (the loop itself if there is none), and the nesting
    of the loop in it, from 1; `loops` are those of the function by header."""
    outer, nesting, above = loop, 1, loop.parent
    while above is not None:
        if loops[above].is_source:
            outer, nesting = loops[above], nesting + 1
        above = loops[above].parent
    return outer, nesting


def kernels_of(module: Module) -> tuple[Kernel, ...]:
    """All kernels of the module's emitted functions."""
    nests: list[Kernel] = []
    copies = Digraph[int | str]()  # edges both ways: nests, the places of their loops
    for function in module.functions.values():
        if not is_emitted(function):
            continue
        loops = loop_forest(function, module).by_header()
        source = [loop for loop in loops.values() if loop.is_source]
        number = {
            loop.header: k
            for k, loop in enumerate(sorted(source, key=lambda loop: _order(loop.at)), 1)
        }
        found: dict[str, list[Loop]] = {}
        for loop in source:
            found.setdefault(outermost(loops, loop)[0].header, []).append(loop)
        name = source_name(module, function)
        for header, inside in found.items():
            numbered = [f"{name}[{number[loop.header]}]" for loop in inside]
            names = dict.fromkeys((*numbered, name, function.name, *(loop.at for loop in inside)))
            nests.append(
                Kernel(
                    tuple(names),
                    loops[header].at,
                    tuple((function.name, loop.header) for loop in inside),
                )
            )
            copies.add_node(len(nests) - 1)
            for place in (place for loop in inside for place in (loop.at, *loop.collapsed)):
                copies.add_edges(((len(nests) - 1, place), (place, len(nests) - 1)))
    together = (sorted(k for k in part if isinstance(k, int)) for part in circles(copies))
    return tuple(_joined([nests[k] for k in part]) for part in sorted(together))


def _joined(copies: Sequence[Kernel]) -> Kernel:
    return Kernel(
        tuple(dict.fromkeys(n for k in copies for n in k.names)),
        copies[0].at,
        tuple(key for k in copies for key in k.loops),
    )


def source_name(module: Module, function: Function) -> str:
    """The function's name in the source, without its class; the symbol if it is not known."""
    return module.metadata_field(function.dbg, "name") or function.name


def _order(at: str) -> tuple[str, int, int]:
    found = _PLACE.match(at)
    return (found[1], int(found[2]), int(found[3])) if found else (at, 0, 0)


def select(
    kernels: Sequence[Kernel], selection: Selection, *, known: bool = True
) -> tuple[Kernel, ...]:
    """The selected kernels.

    Args:
        known: these are all kernels of the program, so that a pattern which matches none of them is
            an error.

    Raises:
        InputError: a pattern matches nothing, or everything is excluded.
    """
    if known:
        _check(
            "--kernel",
            selection.kernels,
            kernels,
            Kernel.is_called,
            [n for k in kernels for n in k.names],
        )
        _check(
            "--file",
            selection.files,
            kernels,
            Kernel.is_in,
            [PurePath(k.file).name for k in kernels],
        )
    chosen = tuple(
        k
        for k in kernels
        if _passes(selection.kernels, k.is_called) and _passes(selection.files, k.is_in)
    )
    if known and kernels and not chosen:
        raise InputError(
            "no kernel is left by "
            + " ".join(
                f"{option} {p}"
                for option, patterns in (
                    ("--kernel", selection.kernels),
                    ("--file", selection.files),
                )
                for p in patterns
            )
        )
    return chosen


def is_named(name: str, patterns: Iterable[str]) -> bool:
    """Do these patterns select what has one name?"""
    return _passes(patterns, lambda pattern: fnmatchcase(name, pattern))


def _passes(patterns: Iterable[str], matches: Callable[[str], bool]) -> bool:
    wanted = [p for p in patterns if not p.startswith("!")]
    return (not wanted or any(map(matches, wanted))) and not any(
        matches(p[1:]) for p in patterns if p.startswith("!")
    )


def _check(
    option: str,
    patterns: Iterable[str],
    kernels: Sequence[Kernel],
    matches: Callable[[Kernel, str], bool],
    names: Iterable[str],
) -> None:
    for p in patterns:
        text = p.removeprefix("!")
        if any(matches(k, text) for k in kernels):
            continue
        distinct = list(dict.fromkeys(names))
        if not distinct:
            raise InputError(f"{option} {p}: the program has no loops")
        near = get_close_matches(text, distinct, n=_MAX_NAMES, cutoff=_SIMILAR)
        more = ", ..." if len(distinct) > _MAX_NAMES else ""
        hint = (
            f"similar names: {', '.join(near)}"
            if near
            else f"there are {', '.join(distinct[:_MAX_NAMES])}{more}"
        )
        raise InputError(f"{option} {p}: no kernel matches; {hint}")
