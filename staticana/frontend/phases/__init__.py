"""Loops that go through phases, one loop for each of them.

`a.iter().chain(b)`, `.skip(k)`, a flag that says "the first time" and one that is set for the last
item leave one loop whose iterations do different things: a variable of it has one of a few
values, and never comes back to one that it has left. The loop is written once for each value
(control-flow refinement: Gulwani, Jain and Koskinen, PLDI 2009; Doménech, Gallagher and Genaim,
TPLP 2019), branches on the variable are decided then, and each part counts as loops do. An
iteration that runs at most once is no loop any more: an empty loop of one iteration stands beside
it, since the source says that it was one.

For the analysis alone: the program that runs keeps its loop.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Sequence
from contextlib import suppress

from looplaw_common.errors import LooplawWarning

from ...ir.loop_info import loop_forest
from ...ir.parser import one_line_each, parse_module
from ...ir.tokens import NAME
from ...ir.types import Function, Module, quoted
from ..isolation import BrokeDown, Refused, transformed
from .graph import PhaseGraph
from .text import Written, written
from .variables import Unfit, Variables, candidates

_MOST_ROUNDS = 3
"""Loops in each other that are written anew, one after another."""
_TYPE = re.compile(rf"(?m)^(%{NAME}) = type\b")
_PHASE = re.compile(r"\.phase\d+\.")


def is_phase(header: str) -> bool:
    """Is it the header of a loop that stands for one phase of another one?"""
    return _PHASE.search(header) is not None


def headers_that_run(module: Module, function: str, at: str) -> list[str]:
    """The headers in a function of the program that runs, which has one loop in place of the phases
    of that of a place."""
    found = loop_forest(module.functions[function], module).loops
    return [loop.header for loop in found if loop.at == at]


def with_phases_apart(module: Module) -> Module:
    """The module in which loops with phases are several loops."""
    for number in range(_MOST_ROUNDS):
        found = [
            f.name
            for f in module.functions.values()
            if not f.is_declaration and any(True for _ in candidates(f, module))
        ]
        text = _checked(module, found, f"phase{number}") if found else None
        if text is None:
            break
        try:
            module = parse_module(transformed(text, ("loop_simplify", "lcssa")))
        except (BrokeDown, Refused) as error:  # its loops are counted as they stand
            say = f"loops are not told apart by their phases: {error}"
            warnings.warn(say, LooplawWarning, stacklevel=2)
            break
    return module


def _checked(module: Module, names: list[str], tag: str) -> str | None:
    """The text with the loops of these functions written anew, where it can be told from it what
    was meant; None where there is nothing to write."""
    exits: dict[str, dict[tuple[str, str], bool]] = {}
    text = _written_anew(module, names, tag, exits)
    if text is None:
        return None
    again = parse_module(text)
    wrong = {
        name
        for name, meant in exits.items()
        for loop in loop_forest(again.functions[name], again).loops
        for e in loop.exits
        if meant.get((quoted(e.source), quoted(e.target)), e.is_test) != e.is_test
    }
    return _checked(module, [n for n in names if n not in wrong], tag) if wrong else text


def _written_anew(
    module: Module, names: Iterable[str], tag: str, exits: dict[str, dict[tuple[str, str], bool]]
) -> str | None:
    """The text with the loops of these functions written anew, but for those around others; None
    where there is nothing to write.

    Args:
        exits: filled: function -> what edges that leave phases are meant to be.
    """
    types = frozenset(_TYPE.findall(module.text))
    module = parse_module(one_line_each(module.text))
    lines: list[str | None] = [*module.text.split("\n")]
    for f in map(module.functions.__getitem__, names):
        touched: set[str] = set()
        for variables in candidates(f, module):
            blocks = variables.loop.blocks
            if not touched.isdisjoint(blocks):
                continue
            found = _phases_of(f, module, variables, lines, types, tag)
            if found is not None:
                exits.setdefault(f.name, {}).update(found.exits)
                touched |= {*blocks, *(e.target for e in variables.loop.exits)}
                for b in map(f.blocks.__getitem__, blocks):
                    lines[b.line : b.terminator.line + 1] = [None] * (
                        b.terminator.line + 1 - b.line
                    )
                for number, text in found.changes.items():
                    lines[number] = text
    return "\n".join(line for line in lines if line is not None) if exits else None


def _phases_of(
    f: Function,
    module: Module,
    variables: Variables,
    lines: Sequence[str | None],
    types: frozenset[str],
    tag: str,
) -> Written | None:
    """A loop written anew; None where its phases cannot be told apart.

    An iteration goes over to the next phase as soon as nothing asks any more which one it began in,
    or at its end: whichever leaves fewer iterations outside of loops.
    """
    graphs: list[tuple[int, PhaseGraph]] = []
    for is_kept in (False, True):
        with suppress(Unfit):
            graph = PhaseGraph(f, variables, is_kept=is_kept)
            graphs.append((graph.alone, graph))
    for _, graph in sorted(graphs, key=lambda found: found[0]):
        with suppress(Unfit):
            return written(graph, module, lines, types, tag)
    return None
