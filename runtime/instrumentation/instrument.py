"""The entry: counters put into a program's IR, as text, before it is optimised.

`edge_profile` chooses what is counted. A counter is a local variable within the outermost nest of
loops around it that surely runs to its end (`register_regions`), which the optimiser keeps in a
register or folds away; at the exits of the nest it is added to the thread's words. Elsewhere counts
go to these words at once, so that whatever ends the function from outside (`abnormal_exits`) finds
them in memory. Small functions add to their callers' variables instead (`counter_forwarding`).

A function with timed kernels gets a copy with time stamps, to which it hands over when its turn
comes (`kernel_timer`). After PEMOGEN (Bhattacharyya and Hoefler, PACT 2014), which instruments
loops in LLVM; inserting before -O3 and counting in registers is what makes it nearly free.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from staticana.ir.loop_info import loop_forest
from staticana.ir.types import Module

from ..counters.entries import EntryPlan
from ..counters.word_layout import Layout
from . import world_size
from .call_tables import keeper_ir
from .counter_plan import Plan
from .data_bounds import find_data_bound
from .edge_profile import Edge
from .entry_probes import ENTRIES_IR
from .function_instrumenter import FunctionVersion
from .ir_text.debug_info import CopiedScopes
from .ir_text.signature import Signature
from .unit_descriptor import HINTS, unit_ir, with_constructor, without_promises
from .unit_plan import UnitPlan

PROGRAM = "localexec"
"""LLVM's model of thread-local variables in a whole program."""


@dataclass(frozen=True)
class Unit:
    """Instrumented IR, and what the words that it counts in mean."""

    text: str
    layout: Layout


def instrument(
    module: Module, plan: Plan, entries: EntryPlan | None = None, *, model: str = PROGRAM
) -> Unit:
    """Put the plan's counters in.

    Args:
        module: a module parsed from canonical text.
        entries: loops whose entries are recorded, for `looplaw verify`.
        model: LLVM's thread-local storage model of the thread's words: "localexec" in an
            executable, "generaldynamic" in what may become a shared object.
    """
    unit = UnitPlan(module, plan, entries, is_program=model == PROGRAM)
    layout = unit.layout()
    recording = ENTRIES_IR if entries is not None and entries.probes else ""
    tables = sorted(unit.tables.values(), key=lambda t: t.number)
    # the program may declare them itself: a second declaration is not valid
    hints = "".join(f"\n{text}" for name, text in HINTS.items() if name not in module.functions)
    early = "main" in unit.entered.with_words
    text = (
        _rewritten(unit)
        + recording
        + unit_ir(layout, tables, unit.groups_of_turns, model, early=early)
        + "".join(keeper_ir(unit.tables[k], *at) for k, at in unit.keepers.items())
        + f"{hints}\n"
    )
    return Unit(world_size.told(module, text), layout)


@dataclass(frozen=True)
class PlacedCounter:
    """A counter of instrumented code.

    Attributes:
        header: of the loop that wants it.
        edges: those that change it.
        region: the header of the nest in which it is in a register, None where it is in memory.
        follows: the loop's induction variable counts, so that no edge changes it.
        telescopes: neither do the ends of the loop, which goes over rows that lie one behind the
            other.
        stays: in memory, it is found without a test.
    """

    function: str
    header: str
    edges: tuple[Edge, ...]
    region: str | None
    follows: bool
    telescopes: bool
    stays: bool


def counters_in(module: Module, plan: Plan) -> Iterator[PlacedCounter]:
    """The counters that `instrument` puts in."""
    unit = UnitPlan(module, plan, is_program=True)
    for name, counted in unit.counted.items():
        function = module.functions[name]
        loops = loop_forest(function, module).by_header()
        regions = unit.regions(function, loops)
        for index in counted.words:
            if not index:  # the function's calls: no loop's counter
                continue
            count = counted.counts[index]
            if count.own is not None:  # read where its nest is entered and left
                header = count.own.region
                yield PlacedCounter(name, header, (), header, True, False, True)
                continue
            region = regions.region(count.loop)
            variable = bound = None
            if region is not None and count.iterates:
                loop = loops[count.loop or ""]
                variable = unit.induction_variable(function, loop)
                if variable is not None and loop is not region and loop.parent is not None:
                    outer = loops[loop.parent]
                    bound = find_data_bound(function, loop, outer, variable, unit.accesses)
            yield PlacedCounter(
                name,
                counted.headers[index],
                (*count.edges, *count.minus),
                None if region is None else region.header,
                variable is not None,
                bound is not None and bound.first is not None,
                name not in unit.abnormal.leaving,
            )


def _rewritten(unit: UnitPlan) -> str:
    """The module's text with the functions that count, and those that pass the address of a
    variable to one that does, replaced."""
    module = unit.module
    lines, attributes = without_promises(module, module.text.split("\n"))
    for name in unit.called_once:
        at = module.functions[name].line
        lines[at] = Signature.of(module.functions[name], lines[at]).always_inlined().text()
    debug = CopiedScopes(module)
    calling = {caller for name in unit.forwarding for caller in unit.abnormal.callers.get(name, ())}
    functions: dict[int, tuple[int, str]] = {}
    for name in dict.fromkeys((*unit.groups, *unit.probes, *unit.forwarding, *sorted(calling))):
        function, counted = module.functions[name], unit.counted.get(name)
        versions = [FunctionVersion(unit, function, lines, debug, is_copy=False).text()]
        if counted is not None and counted.turns is not None:
            versions.append(FunctionVersion(unit, function, lines, debug, is_copy=True).text())
        functions[function.line] = function.end, "\n\n".join(versions)
    out: list[str] = []
    at = 0
    while at < len(lines):
        end, text = functions.get(at, (at, lines[at]))
        out.append(text)
        at = end + 1
    return with_constructor("\n".join(out)) + attributes + debug.text()
