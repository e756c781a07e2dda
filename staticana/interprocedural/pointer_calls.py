"""Calls whose pointers are read from tables: which function each goes to, and with which object.

A loop over `shape *all[] = {&small, &large}` calls a function for each object. Its count is the sum
over the entries of the table, with what each of them holds: `n` cells of one and `m` of the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ..alias.call_graph import Site
from ..expr import ZERO, Expr, symbols
from ..expr.predicates import literal
from ..ir.demangling import demangled
from ..ir.types import quoted
from ..scev.context import FunctionContext
from ..scev.executions.guards import is_guarded
from ..scev.unknowns import UnknownInfo
from ..scev.values import PointerTable, shares
from .program import Program

_MOST_ENTRIES = 24
"""Entries of a table whose objects are told apart."""


class Entry(NamedTuple):
    """One way in which a call goes to a function. taken: 1 where it is the one, else 0; passed: the
    objects that are handed then, by the symbols of the function's arguments."""

    taken: Expr
    passed: Mapping[str, Expr]


class PointerCalls:
    """The calls of one program, each looked at once."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._entries: dict[tuple[str, int, str], tuple[Entry, ...] | None] = {}

    def entries(self, view: FunctionContext, site: Site) -> tuple[Entry, ...] | None:
        """The ways in which a call goes to its function; None where data decide, or where nothing
        is chosen."""
        key = (site.caller, site.instruction.line, site.callee)
        if key not in self._entries:
            found = self._found(view, site)
            if found is not None and any(view.is_varying_data(e.taken) for e in found):
                found = None
            self._entries[key] = found
        return self._entries[key]

    def _found(self, view: FunctionContext, site: Site) -> tuple[Entry, ...] | None:
        token = site.instruction.operands[0]
        pointer = view.function.definitions.get(token)
        table = self._program.memory.table(view, pointer) if pointer is not None else None
        if site.certain:
            return self._of_objects(view, site)
        name = f"@{quoted(site.callee)}"
        if table is None:
            value = view.scalars.value(token)
            found = None if value.preconditions else shares(value.expr)
            return (Entry(found.get(name, ZERO), {}),) if found else None
        chosen = table.calls(name)
        if chosen is None:
            return None
        passed = self._passed(view, site, table)
        if not passed:
            return (Entry(chosen, {}),)
        entries = [(at, shares(value) or {}) for at, value in table.reached if value is not None]
        return tuple(
            Entry(literal("eq", table.offset - at).indicator() * found[name], passed[at])
            for at, found in entries
            if name in found and at in passed
        )

    def _of_objects(self, view: FunctionContext, site: Site) -> tuple[Entry, ...] | None:
        """The same of a call of one function, by the objects that it is handed."""
        if site.block not in view.forest.innermost:
            return None
        for operand in site.instruction.operands[1:]:
            i = view.function.definitions.get(operand)
            table = None if i is None else self._program.memory.table(view, i)
            passed = None if table is None else self._passed(view, site, table)
            if table is not None and passed:
                return tuple(
                    Entry(literal("eq", table.offset - at).indicator(), objects)
                    for at, objects in passed.items()
                )
        return None

    def _passed(
        self, view: FunctionContext, site: Site, table: PointerTable
    ) -> Mapping[int, Mapping[str, Expr]]:
        """The objects that a call hands on for each entry of a table; nothing where one of them is
        not known."""
        reached = [at for at, _ in table.reached]
        found: dict[int, dict[str, Expr]] = {at: {} for at in reached}
        if len(reached) > _MOST_ENTRIES:
            return {}
        for number, operand in enumerate(site.instruction.operands[1:]):
            i = view.function.definitions.get(operand)
            other = None if i is None else self._program.memory.table(view, i)
            if other is None or other.offset != table.offset:
                continue
            symbol = symbols.argument(site.callee, number)
            for at, objects in found.items():
                value = other.values.get(at)
                if value is None:
                    return {}
                objects[symbol] = value
        return found if any(found.values()) else {}

    # -- where data decide
    def share(self, view: FunctionContext, site: Site) -> Expr:
        """How many of the calls through a pointer go to a function: all or none where the pointer
        is the same in all calls of a run."""
        program, place = self._program, view.place(site.instruction)
        is_one = is_guarded(view) and self._is_steady(view, site)
        return program.unknowns.add(
            UnknownInfo(
                symbols.unknown(
                    site.caller, "share", view.function.offset_of(site.instruction), site.callee
                ),
                "value" if is_one else "fraction",
                f"calls_{self._short_name(site.callee)}" if is_one else "f",
                f"whether the call at {place} goes to {site.callee} (1) or not (0)"
                if is_one
                else f"fraction of the calls at {place} that go to {site.callee}",
                place,
                site.caller,
                site.block,
            )
        )

    @staticmethod
    def _is_steady(view: FunctionContext, site: Site) -> bool:
        """Does no loop around a call change the pointer that it goes through?"""
        header = view.forest.innermost.get(site.block)
        if header is None:
            return True
        token = site.instruction.operands[0]
        if view.program.memory.aliasing.virtual_slot(view.function, token) is not None:
            token = view.function.definitions[token].operands[0]  # nothing writes virtual tables
        pointer = view.scalars.value(token).expr
        return not any(view.varying(pointer, h) for h in (header, *view.enclosing_loops(header)))

    def _short_name(self, function: str) -> str:
        """A function's name in the source, with its class where it has one."""
        module = self._program.module
        name = module.metadata_field(self._program.defined[function].dbg, "name")
        owner = demangled(function).rpartition("::")[0].rpartition("::")[2]
        return f"{owner}_{name}" if name and owner.isidentifier() else name or function
