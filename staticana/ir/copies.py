"""Functions that have a copy for each of their calls, in the text of a module; calls that hand over
the same functions share one.

What a function does may rest on which call runs it, and is lost where it has one result for all of
them. Copies are for the analysis, as an inliner makes them; the program that runs is the one that
was compiled.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from .graph import callee
from .parser import edited
from .types import GlobalRef, Instruction, Module, quoted

_MOST_CALLS = 24
"""Calls of one function that is copied."""
_MOST_COPIES = 160
"""Copies of all functions together."""
_MOST_LINES_ADDED = 3_000
"""Lines of all copies together: of a program that wants more, none is made, since all that is
copied is analysed once more."""
_ROUNDS = 6
"""Functions may hand on what their calls tell, so deep."""


@dataclass(frozen=True)
class Copied:
    """A module with copies; origin: copy -> the function that it is a copy of."""

    module: Module
    origin: Mapping[str, str] = field(default_factory=dict)

    def after(self, earlier: Copied) -> Copied:
        """With the copies that were made before."""
        origin = {copy: earlier.origin.get(name, name) for copy, name in self.origin.items()}
        return Copied(self.module, {**earlier.origin, **origin})


def copied_for_calls(
    module: Module, wanted: Callable[[Module, Mapping[str, str]], Mapping[str, Collection[int]]]
) -> Copied:
    """The module with functions copied for each of their calls but the first; itself where there
    are none, or too many.

    Args:
        wanted: the functions of a module to be copied, by what each copy so far is a copy of; with
            the arguments by which their calls differ.
    """
    origin: dict[str, str] = {}
    found, lines = module, module.text.count("\n")
    for _ in range(_ROUNDS):
        text = _copied(found, wanted(found, origin), origin)
        if text is None:
            break
        if len(origin) > _MOST_COPIES or text.count("\n") > lines + _MOST_LINES_ADDED:
            return Copied(module)
        found = edited(found, text)
    return Copied(found, origin)


def _copied(
    module: Module, wanted: Mapping[str, Collection[int]], origin: dict[str, str]
) -> str | None:
    """One round: those of the functions that no other function calls which waits to be copied."""
    sites: dict[str, list[tuple[str, Instruction]]] = {name: [] for name in wanted}
    for f in module.functions.values():
        for i in f.calls:
            if (name := callee(i) or "") in sites:
                sites[name].append((f.name, i))
    waiting = {name for name, calls in sites.items() if 1 < len(calls) <= _MOST_CALLS}
    first = [n for n in sorted(waiting) if not any(caller in waiting for caller, _ in sites[n])]
    original = module.text.split("\n")
    lines, added = list(original), list[str]()
    for name in first:
        f = module.functions[name]
        for group in _alike(module, [call for _, call in sites[name]], wanted[name])[1:]:
            copy = f"{name}.for.{len(origin)}"
            while copy in module.functions:  # made by those who copied before
                copy += ".again"
            origin[copy] = origin.get(name, name)
            old, new = f"@{quoted(name)}(", f"@{quoted(copy)}("
            for call in group:
                lines[call.line] = lines[call.line].replace(old, new, 1)
            head, *body = original[f.line : f.end + 1]
            added += [head.replace(old, new, 1), *body]
    return "\n".join([*lines, *added, ""]) if added else None


def _alike(
    module: Module, calls: Sequence[Instruction], places: Collection[int]
) -> list[list[Instruction]]:
    """Calls of one function, those together that hand over the same functions at some places."""
    groups: dict[object, list[Instruction]] = {}
    for call in calls:
        handed = tuple(call.operands[k + 1] for k in sorted(places) if k + 1 < len(call.operands))
        are_functions = all(isinstance(o, GlobalRef) and o.name in module.functions for o in handed)
        groups.setdefault(handed if handed and are_functions else id(call), []).append(call)
    return list(groups.values())
