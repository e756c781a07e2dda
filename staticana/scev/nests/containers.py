"""Numbers of elements of C++ containers as counters: `while (!q.empty()) q.pop();`.

The standard says by how much a member function changes the number of elements ([container.reqmts],
[sequence.reqmts], [associative.reqmts]); so a container that stays where it is in a nest is a
variable of its transition system like a counter in memory, where nothing else may write to it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property

from ...alias.memory_location import MemoryLocation
from ...expr import NUMBER, ZERO, Expr, symbols
from ...ir.demangling import demangled
from ...ir.graph import callee
from ...ir.matchers import is_alloca, is_any
from ...ir.types import GlobalRef, Instruction, Operand, Register
from ...ranking.linear import Linear, number
from ..nest_cells import CELL, Cell
from ..source_names import last_part, object_text
from ..unknowns import UnknownInfo
from ..values import Value
from .values import MOST_ELEMENTS, NestValues, Path

_TYPE = "i64"
_SEQUENCES = frozenset("vector deque list forward_list".split())
_ADAPTORS = frozenset("stack queue priority_queue".split())
_UNIQUE = frozenset("set map unordered_set unordered_map".split())
_CONTAINERS = _SEQUENCES | _ADAPTORS | _UNIQUE | {"basic_string"}
_ONE_MORE = frozenset("push push_back push_front emplace_back emplace_front".split())
_ONE_LESS = frozenset("pop pop_back pop_front".split())
_ONE_MORE_IF_NEW = frozenset("insert emplace try_emplace operator[]".split())
_AT = frozenset("insert emplace".split())
_TOLD = frozenset("resize assign".split())
_ASKS = frozenset("size length empty".split())
_ASKS_FOR_KEY = frozenset("count contains find".split())
_OF_ANY = re.compile(r"_ZN?St(?:3__1)?\d+(size|empty)I(?:N?St|Ss)")
"""Functions of namespace std that ask the same of a container of the library."""


_SWAP = re.compile(r"_ZN?St(?:3__1)?4swapI")
_LISTED = "St16initializer_list"
_ENDED = re.compile(r"_ZNSt13_Bvector_baseI.*D[12]Ev")
"""What ends a vector of bits."""


class Effect(Enum):
    """What a call does to the number of elements; TOLD: it becomes an argument. LISTED: it becomes
    the length of a list of values. TAKEN: it becomes that of the other container. ANY: it may
    become any number."""

    ONE_MORE = 1
    ONE_LESS = 2
    ONE_MORE_IF_NEW = 3
    LESS = 4
    NONE_LEFT = 5
    TOLD = 6
    LISTED = 7
    TAKEN = 8
    ANY = 9


@dataclass(frozen=True)
class Counted(Cell):
    """The number of elements of a container. effects: what the calls do that are known."""

    effects: Mapping[Instruction, Effect] = field(compare=False)


class NestContainers(NestValues):
    """The containers of a nest."""

    @cached_property
    def containers(self) -> dict[str, Counted | None]:
        """Those that were asked for, by their names as variables; None for those that other code
        may change."""
        return {}

    def _holds(self, path: Path, token: Operand, truth: bool) -> None:
        i = self.function.definitions.get(token)
        if is_any(i, "call", "invoke") and self._is_on(path, token) and _asked(i) == "empty":
            elements = self._number_of_elements(path, i)
            if elements is not None:
                if truth:
                    self._equal(path, elements)
                else:
                    path.facts.append(elements - 1)
                    self._look(path)
                return
        super()._holds(path, token, truth)

    def _number_of_elements(self, path: Path, i: Instruction) -> Linear | None:
        """What a call on a path is told that asks how many elements a container has."""
        if _asked(i) is None:
            return None
        cell = self._counted(i.operands[1])
        if cell is None:
            return None
        at = path.blocks.index(self._block(i))
        return self._held(path, cell, cell.last_change(self._way(path.blocks[: at + 1]), i))

    def _held(self, path: Path, cell: Cell, change: Instruction | None) -> Linear:
        effect = cell.effects.get(change) if isinstance(cell, Counted) and change else None
        if effect is None or change is None:
            return super()._held(path, cell, change)
        key = Register(f"{cell.name}.{change.line}"), True
        if key not in path.values:
            path.values[key] = self._after(path, cell, change, effect)
        return path.values[key]

    def _cell_first(self, cell: Cell) -> Linear:
        if isinstance(cell, Counted):
            return self._form(cell.first.expr)  # which needs nothing: it is below 0 in no run
        return super()._cell_first(cell)

    def _after(self, path: Path, cell: Cell, change: Instruction, effect: Effect) -> Linear:
        """The number of elements behind a call."""
        at = next(k for k, b in enumerate(path.blocks) if self._has(b, change))
        has_thrown = is_any(change, "invoke") and path.blocks[at + 1 : at + 2] == change.labels[1:]
        if effect is Effect.NONE_LEFT:
            return number(0)
        if effect is Effect.TOLD and not has_thrown:
            return self._value(path, change.operands[2], True, 64)
        before = self._held(path, cell, cell.last_change(self._way(path.blocks[: at + 1]), change))
        if effect is Effect.ONE_LESS and not has_thrown:
            path.facts.append(before - 1)  # there is one, or the call has no defined behaviour
            return before - 1
        if effect is Effect.ONE_MORE and not has_thrown:
            return before + 1
        if effect is Effect.TAKEN and not has_thrown:
            other = change.operands[1 if self._is_of(cell, change.operands[2]) else 2]
            taken = self._counted(other)
            if taken is not None:
                last = taken.last_change(self._way(path.blocks[: at + 1]), change)
                return self._held(path, taken, last)
        after = self._open(path, f"{cell.name}.{change.line}", True, 64)
        if effect is Effect.LISTED and not has_thrown:
            listed = self._value(path, change.operands[3], True, 64)
            path.facts.append(listed - after)
            if _member_of(change, _SEQUENCES):
                path.facts.append(after - listed)
        elif effect is Effect.LESS:
            path.facts += [before - after, after]
        elif effect in (Effect.ONE_MORE, Effect.ONE_MORE_IF_NEW):
            path.facts += [after - before, before + 1 - after]
        return after

    def _is_of(self, cell: Cell, container: Operand) -> bool:
        """Is it the address of the container whose elements a cell counts?"""
        base, offset = self.view.program.memory.aliasing.underlying_object(self.function, container)
        return f"{CELL}{base}+{offset}" == cell.name

    def _has(self, block: str, i: Instruction) -> bool:
        return any(i is other for other in self.function.blocks[block].instructions)

    def _counted(self, container: Operand) -> Counted | None:
        """The container at an address, where that does not change in the nest."""
        memory = self.view.program.memory
        base, offset = memory.aliasing.underlying_object(self.function, container)
        if base is None or offset is None:
            return None
        if not isinstance(base, GlobalRef):
            made = self.function.block_of.get(base.register)
            if made in self.blocks and made in self.view.forest.innermost:
                return None
        name = f"{CELL}{base}+{offset}"
        if name not in self.containers:
            changes = memory.changing(self.view, MemoryLocation(base, offset), self.blocks)
            effects: dict[Instruction, Effect] = {}
            for i in changes:
                of = [memory.aliasing.underlying_object(self.function, o) for o in i.operands[1:3]]
                own = of.index((base, offset)) if i.is_call and (base, offset) in of else None
                e = effect(i) if own == 0 else effect_on_other(i) if own == 1 else None
                if e is not None:
                    effects[i] = e
            # a variable that anything may change tells nothing and makes paths of its own
            self.containers[name] = (
                Counted(
                    name,
                    _TYPE,
                    True,
                    frozenset(),
                    changes,
                    self._at_first(container, name),
                    effects,
                )
                if effects and len(effects) == len(changes)
                else None
            )
        found = self.containers[name]
        if found is not None and name not in self.cells:
            self.cells[name] = found
            self.ranges.setdefault(name, (0, MOST_ELEMENTS))
        return found

    def _at_first(self, container: Operand, name: str) -> Value:
        """The number of elements where the nest is entered, by a name that people know; of a
        variable that its constructor has not made yet, none is asked."""
        base, _ = self.view.program.memory.aliasing.underlying_object(self.function, container)
        block, _ = self._entered()
        is_whole = self.root not in self.headers
        if is_whole and base is not None and not isinstance(base, GlobalRef):
            if is_alloca(self.function.definitions.get(base.register)):
                return Value(ZERO)
        text, inside = object_text(self.view, container)
        known: Expr = self.view.program.unknowns.add(
            UnknownInfo(
                symbols.unknown(self.function.name, "elements", f"{name}.{self.root}"),
                "value",
                f"{last_part(text) or 'v'}_size",
                f"{text or 'v'}{NUMBER}",
                "" if is_whole else self.view.loops[self.root].at,
                self.function.name,
                block,
                inside,
            )
        )
        return Value(known)


def _member(i: Instruction) -> tuple[str, str] | None:
    """The container and the name of a member function of the library that is called."""
    name = callee(i) or ""
    parts = demangled(name).split("::")
    if _ENDED.match(name):
        return "vector", "~vector"
    if len(parts) != 3 or parts[0] != "std" or parts[1] not in _CONTAINERS:
        return None
    return parts[1], parts[2]


def _asked(i: Instruction) -> str | None:
    """What a call asks of a container, where that is about its number of elements."""
    if not i.is_call or len(i.operands) != 2:
        return None
    free = _OF_ANY.match(callee(i) or "")
    if free is not None:
        return free[1]
    member = _member(i)
    return member[1] if member is not None and member[1] in _ASKS else None


def _member_of(i: Instruction, containers: Collection[str]) -> bool:
    member = _member(i)
    return member is not None and member[0] in containers


def elements_behind(i: Instruction) -> int | None:
    """Of a call that hands out the element at an index, how many there are behind the last one: a
    text has its 0; None for other calls."""
    member = _member(i)
    if member is None or member[1] != "operator[]" or i.extra[1:2] != (_TYPE,):
        return None
    return {"vector": 0, "deque": 0, "basic_string": 1}.get(member[0])


def asks_for_key(i: Instruction) -> bool:
    """Does a call ask a set or a map whether it has a key?"""
    member = _member(i) if i.is_call and len(i.operands) == 3 else None
    return member is not None and member[0] in _UNIQUE and member[1] in _ASKS_FOR_KEY


def effect_on_other(i: Instruction) -> Effect | None:
    """What a call does to the number of elements of the container that is its second argument."""
    if _SWAP.match(callee(i) or "") and len(i.operands) == 3:
        return Effect.TAKEN
    member = _member(i)
    if member is None or len(i.operands) != 3:
        return None
    if member[1] == "swap":
        return Effect.TAKEN
    return Effect.ANY if member[1] in ("operator=", member[0]) else None


def effect(i: Instruction) -> Effect | None:
    """What a call does to the number of elements of the container that is its first argument."""
    if _SWAP.match(callee(i) or "") and len(i.operands) == 3:
        return Effect.TAKEN
    member = _member(i) if i.is_call and len(i.operands) > 1 else None
    if member is None:
        return None
    (container, name), given = member, len(i.operands) - 2
    if name in ("clear", f"~{container}") or (name == container and not given):
        return Effect.NONE_LEFT
    is_made = name in (container, "operator=", "assign")
    if is_made and given > 1 and _LISTED in (callee(i) or "") and i.extra[2:3] == (_TYPE,):
        return Effect.LISTED
    if given == 1 and (name == "swap" or (is_made and i.extra[1:2] == ("ptr",))):
        return Effect.TAKEN
    if name in _ONE_MORE or (name == "emplace" and container in _ADAPTORS):
        return Effect.ONE_MORE
    if name in _ONE_LESS:
        return Effect.ONE_LESS
    if container in _UNIQUE and name in _ONE_MORE_IF_NEW:
        return Effect.ONE_MORE_IF_NEW if given == 1 or name != "insert" else Effect.ANY
    if container in _SEQUENCES and name in _AT and given == 2:
        return Effect.ONE_MORE
    if name == "erase" and container != "basic_string":
        return Effect.ONE_LESS if container in _SEQUENCES and given == 1 else Effect.LESS
    is_told = name in _TOLD or (name == container and container in _SEQUENCES)
    return Effect.TOLD if is_told and given and i.extra[1:2] == (_TYPE,) else Effect.ANY
