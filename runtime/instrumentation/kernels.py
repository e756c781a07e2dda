"""Kernels and which of them are instrumented: an outermost loop of a function with the loops inside
it.

A function that a kernel calls has kernels of its own (the loop call graph of PEMOGEN, Bhattacharyya
& Hoefler, PACT 2014), so a selection never takes a loop without the loops around it in its
function, and counts of one kernel are never derived from those of another one that was left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from fnmatch import fnmatchcase
from pathlib import PurePath

import networkx as nx

from looplaw_common.errors import InputError
from staticana.ir.loop_info import Loop, loop_forest
from staticana.ir.types import Function, Module

from .abnormal_exits import is_emitted

LoopKey = tuple[str, str]
"""Symbol of the function and header."""
_MOST_NAMES = 5
_PLACE = re.compile(r"(.*):(\d+):(\d+)$")


@dataclass(frozen=True)
class Kernel:
    """A kernel. names: what it goes by, the first for people: function[k] for the k-th loop of the
    function in the source, the function's name in the source and its symbol, the places. at: of its
    outermost loop; loops: all of them, outer before inner. Copies of a source loop (of a template,
    a macro) are of one kernel: their counts are added up."""

    names: tuple[str, ...]
    at: str
    loops: tuple[LoopKey, ...]

    @property
    def file(self) -> str:
        found = _PLACE.match(self.at)
        return found[1] if found else self.at

    def is_called(self, pattern: str) -> bool:
        """Does one of its names match? solve[1] is a name, not a class of characters."""
        escaped = re.sub(r"\[(?=\d+\]$)", "[[]", pattern)
        return any(name == pattern or fnmatchcase(name, escaped) for name in self.names)

    def is_in(self, pattern: str) -> bool:
        """Does the path of its file, or the end of that, match?"""
        return fnmatchcase(self.file, pattern) or fnmatchcase(self.file, f"*/{pattern}")


@dataclass(frozen=True)
class Selection:
    """Which kernels are instrumented: all where nothing is said.

    kernels: glob patterns of names, files: of files; one that begins with ! excludes. A kernel is
    in if one of the other patterns matches, or there are none, and none of those with ! does.
    most_overhead: the counters' predicted cost in instructions, as a part of the program's, that is
    allowed (see `costs`).
    """

    kernels: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    most_overhead: float | None = None

    @property
    def is_all(self) -> bool:
        return not self.kernels and not self.files


def outermost(loops: Mapping[str, Loop], loop: Loop) -> tuple[Loop, int]:
    """The outermost loop of the source around a loop (itself if there is none), and how deep the
    loop is in it, from 1; `loops` are those of the function by header."""
    outer, nesting, above = loop, 1, loop.parent
    while above is not None:
        if loops[above].is_source:
            outer, nesting = loops[above], nesting + 1
        above = loops[above].parent
    return outer, nesting


def kernels_of(module: Module) -> tuple[Kernel, ...]:
    """All kernels of the program that code is made of."""
    nests: list[Kernel] = []
    copies = nx.Graph()  # between nests and the places of their loops
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
            copies.add_edges_from((len(nests) - 1, loop.at) for loop in inside)
    together = (
        sorted(k for k in part if isinstance(k, int)) for part in nx.connected_components(copies)
    )
    return tuple(_joined([nests[k] for k in part]) for part in sorted(together))


def _joined(copies: Sequence[Kernel]) -> Kernel:
    return Kernel(
        tuple(dict.fromkeys(n for k in copies for n in k.names)),
        copies[0].at,
        tuple(key for k in copies for key in k.loops),
    )


def source_name(module: Module, function: Function) -> str:
    """The function's name as the source has it, without the class it is in; the symbol where that
    is not known."""
    return module.metadata_field(function.dbg, "name") or function.name


def _order(at: str) -> tuple[str, int, int]:
    found = _PLACE.match(at)
    return (found[1], int(found[2]), int(found[3])) if found else (at, 0, 0)


def select(
    kernels: Sequence[Kernel], selection: Selection, *, known: bool = True
) -> tuple[Kernel, ...]:
    """The kernels whose names and files match.

    known: these are all kernels of the program, so that a pattern which matches none of them is an
    error.

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
        near = get_close_matches(text, distinct, n=_MOST_NAMES, cutoff=0.4)
        raise InputError(
            f"{option} {p}: no kernel matches; "
            + (
                f"near it are {', '.join(near)}"
                if near
                else (
                    "there are"
                    f" {', '.join(distinct[:_MOST_NAMES])}{', ...' if len(distinct) > _MOST_NAMES else ''}"
                )
            )
        )
