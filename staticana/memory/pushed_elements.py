"""Elements of vectors that a function fills one by one: `all.push_back(new circle(r))`.

Models of containers say how many elements there are, not which. Where a vector is empty when it is
made, and all that reaches it from then on are a few calls of push_back on the way to a load, the
calls in their order are a table of what the load reads.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property, cmp_to_key
from typing import NamedTuple

from ..alias.memory_location import MemoryLocation, Pointer, UnderlyingObject
from ..expr import Expr, Loaded, elements_of, from_atom, sym, symbols
from ..frontend.models import Member, container_member
from ..ir.graph import callee
from ..ir.tokens import split_top
from ..ir.types import Block, GlobalRef, Instruction, IntLiteral, Operand
from ..scev.context import FunctionContext
from ..scev.pointer_table import Point, PointerTable
from .reaching_stores import ReachingStores
from .row_addresses import stepped
from .writes import Write

_MOST_PUSHED = 24
"""Elements of a vector that are told apart."""
_FIELDS = 24
"""Bytes of a vector, in both libraries."""
_MOST_CALLS = 3
"""Calls through which a vector is handed on."""
_MOST_SITES = 8
"""Calls of one function that is handed a vector."""
_FILLING = re.compile(r"_ZNSt.*vector.*(?:push_back|emplace_back|initializer_list)")
_LEFT_ALONE = ("reserve", "shrink_to_fit")
_PUSHES = ("push_back", "emplace_back")


class _Sought(NamedTuple):
    """What is read of a vector: an element, and the fields that lead to it; as accesses, wherever
    the vector is."""

    element: MemoryLocation
    field: MemoryLocation

    def fields(self, base: Pointer, offset: int) -> MemoryLocation:
        """The fields of the vector at a place in an object."""
        return self.field._replace(underlying_object=base, offset=offset, size=_FIELDS)

    def elsewhere(self) -> _Sought:
        """The same as another function knows it."""
        return self._replace(element=self.element.somewhere())


class _Handed(NamedTuple):
    """A vector so many bytes behind a parameter, and the calls that hand it on, with its address
    there."""

    parameter: Pointer
    offset: int
    calls: Sequence[tuple[Point, Expr]]


class _Call(NamedTuple):
    """A call of a vector's own function, and the calls that lead to it, outermost first."""

    member: Member
    path: tuple[Point, ...]

    @property
    def operands(self) -> tuple[Operand, ...]:
        return self.path[-1].before.operands


class PushedElements:
    """Vectors of one program."""

    def __init__(self, stores: ReachingStores) -> None:
        self._stores = stores
        self._memory = stores.memory
        self._aliasing = stores.aliasing
        self._members: dict[str, Member | None] = {}

    def table(self, view: FunctionContext, load: Instruction) -> PointerTable | None:
        """The elements of a vector that a load reads one of: of a local variable of the function,
        or of one that its caller hands it."""
        if not self._are_any or load.flags & {"volatile", "atomic"}:
            return None
        block = view.function.block_of[load.token]
        address = stepped(view, view.scalars.value(load.operands[0]).expr, block)
        storage = elements_of(address) or _begin_of(address)
        if storage is None:
            return None
        place = self._aliasing.location(view.function, load.operands[0], load.type, load.tbaa)
        if self._stores.writes.may_come_at_any_time(place):
            return None
        origin = storage.origin if isinstance(storage.origin, MemoryLocation) else None
        tag = origin.tag if origin is not None and origin.kind == "ptr" else None
        field = MemoryLocation(None, kind="" if tag is None else "ptr", tag=tag)
        sought = _Sought(place, field)
        way = address - from_atom(storage)
        start = way.terms.get((), 0)
        at = Point(view, block, load)
        found = self._known(at, storage.address, sought, start) if isinstance(start, int) else None
        if found is None:
            return None
        values, points = found
        return PointerTable(way, values, () if points == (at,) else points)

    @cached_property
    def _are_any(self) -> bool:
        """Does the program fill vectors one by one, or with lists of values?"""
        return any(map(_FILLING.search, self._memory.program.module.functions))

    def _known(
        self, at: Point, address: Expr, sought: _Sought, start: int, depth: int = 0
    ) -> tuple[dict[int, Expr | None], tuple[Point, ...]] | None:
        """What the elements hold of a vector at an address, and where they are known to; None where
        they are not."""
        base, offset = self._container(at.view, address)
        if base is not None and offset is not None:
            values = self._elements(at, base, offset, sought, start)
            return None if values is None else (values, (at,))
        handed = self._handed(at, address) if depth < _MOST_CALLS else None
        if handed is None:
            return None
        outside = sought.elsewhere()
        found = [self._known(a, outer, outside, start, depth + 1) for a, outer in handed.calls]
        known = [f for f in found if f is not None]
        if not known or len(known) < len(found) or any(v != known[0][0] for v, _ in known):
            return None
        if not self._leaves_alone(at, handed.parameter, handed.offset, sought):
            return None
        return known[0][0], tuple(point for _, points in known for point in points)

    def _handed(self, at: Point, address: Expr) -> _Handed | None:
        """How a function is handed the vector at an address; None where others may call it."""
        function, names = at.view.function, list(address.symbols)
        argument = symbols.as_argument(names[0]) if len(names) == 1 else None
        offset = (address - sym(names[0])).constant if argument is not None else None
        if (
            argument is None
            or (argument.function, argument.shift) != (function.name, None)
            or not isinstance(offset, int)
            or function.name in self._aliasing.address_taken
            or function.name in self._aliasing.exported
        ):
            return None
        sites = self._aliasing.call_sites.get(function.name, ())
        if len(sites) > _MOST_SITES:
            return None
        calls: list[tuple[Point, Expr]] = []
        for caller, call in sites:
            view = self._memory.program.view(caller.name)
            block = next(
                n for n, b in caller.blocks.items() if any(i is call for i in b.instructions)
            )
            value = view.scalars.value(call.operands[argument.at + 1])
            if value.preconditions:
                return None
            calls.append((Point(view, block, call), value.expr + offset))
        parameter = Pointer(function.name, function.parameters[argument.at].token)
        return _Handed(parameter, offset, calls)

    def _leaves_alone(self, at: Point, base: Pointer, offset: int, sought: _Sought) -> bool:
        """Does a function, on its way to a point, write neither a vector nor its elements?"""
        writes, function = self._stores.writes, at.view.function
        of_fields = writes.sparing(function, sought.fields(base, offset))
        of_elements = writes.sparing(function, sought.element)
        outside = frozenset[str]()
        for w in writes.before(function, at.block, at.before):
            spared, kept = of_fields[w.number], of_elements[w.number]
            if spared is None or kept is None:
                if self._stores.never_runs(at.view, w):
                    continue
                return False
            outside |= spared | kept
        self._memory.program.assume_outside(outside)
        return True

    def _container(self, view: FunctionContext, address: Expr) -> tuple[Pointer | None, int | None]:
        """The local variable that is, or has as a member, the vector at an address."""
        names = list(address.symbols)
        base = self._memory.object_of(view, names[0]) if len(names) == 1 else None
        made = view.function.definitions.get(base.register) if isinstance(base, Pointer) else None
        if not isinstance(base, Pointer) or made is None or made.opcode != "alloca":
            return None, None
        found = self._aliasing.underlying_object(view.function, made.token)[1]
        offset = (address - view.scalars.value(made.token).expr).constant
        return (base, offset) if found == 0 and isinstance(offset, int) else (None, None)

    def _elements(
        self, point: Point, base: Pointer, offset: int, sought: _Sought, start: int
    ) -> dict[int, Expr | None] | None:
        """What the elements of a local variable hold that are read, by their offset in bytes."""
        calls = self._calls(point, base, offset, sought)
        if not calls:
            return None
        found: dict[int, Expr | None] = {}
        made, *pushes = calls
        if not made.member.is_constructor or made.member.takes not in ("", "l"):
            return None
        at = 0
        if made.member.takes == "l":
            values = self._initial(made, sought.element, start)
            if values is None:
                return None
            found, at = values, len(values) * (made.member.element or 0)
        for call in pushes:
            member = call.member
            if member.name in _LEFT_ALONE:
                continue
            if member.name not in _PUSHES or member.takes != "v" or len(found) >= _MOST_PUSHED:
                return None
            if not member.element or (member.name == "emplace_back" and member.element != 8):
                return None
            inner = start % member.element
            value = self._held(call.path, call.operands[2], inner, sought.element)
            if member.name == "emplace_back" and not self._is_plain(call.path[0], value):
                return None
            found[at + inner] = value
            at += member.element
        return found

    # -- what may reach the vector
    def _calls(
        self, point: Point, base: Pointer, offset: int, sought: _Sought
    ) -> list[_Call] | None:
        """All calls that may have changed a vector or its elements before a point, in their order;
        None where there is more than calls of its own functions, each of which is made once."""
        view, block, before = point
        writes = self._stores.writes.before(view.function, block, before)
        steps = self._steps(view, writes, base, offset, sought, 0)
        if not steps or any(not self._precedes(view, w, block, before) for w, _ in steps):
            return None
        made = [w for w, _ in steps]
        if not self._are_once_each(view, made) or self._may_be_cut_short(view, made, [block]):
            return None
        return [call for _, calls in self._in_order(view, steps) for call in calls]

    def _steps(
        self,
        view: FunctionContext,
        writes: Sequence[Write],
        base: Pointer,
        offset: int,
        sought: _Sought,
        depth: int,
    ) -> list[tuple[Write, list[_Call]]] | None:
        """What each of some writes of a function does to a vector, those that leave it alone
        aside."""
        of_fields = self._stores.writes.sparing(view.function, sought.fields(base, offset))
        of_elements = self._stores.writes.sparing(view.function, sought.element)
        found: list[tuple[Write, list[_Call]]] = []
        outside = frozenset[str]()
        for w in writes:
            i = w.instruction
            if self._is_on(view, i, base, offset):
                member = self._member(i)
                if member is not None:
                    found.append((w, [_Call(member, (Point(view, w.block, i),))]))
                continue
            spared, kept = of_fields[w.number], of_elements[w.number]
            if spared is not None and (kept is not None or self._is_elsewhere(w, sought.element)):
                outside |= spared | (kept or frozenset())
            elif not self._stores.never_runs(view, w):
                inside = self._inside(Point(view, w.block, i), base, offset, sought, depth)
                if inside is None:
                    return None
                found.append((w, inside))
        self._memory.program.assume_outside(outside)
        return found

    def _inside(
        self, point: Point, base: Pointer, offset: int, sought: _Sought, depth: int
    ) -> list[_Call] | None:
        """What a function of the program does to a vector in an object that it is handed, once in
        each call."""
        view, _, call = point
        target = self._memory.program.defined.get(callee(call) or "") if call.is_call else None
        if target is None or depth >= _MOST_CALLS or self._member(call) is not None:
            return None
        handed = [
            (number, start)
            for number, operand in enumerate(call.operands[1:])
            for found, start in (self._aliasing.underlying_object(view.function, operand),)
            if found == base
        ]
        if len(handed) != 1 or handed[0][1] is None or handed[0][0] >= len(target.parameters):
            return None
        inner = self._memory.program.view(target.name)
        parameter = Pointer(target.name, target.parameters[handed[0][0]].token)
        writes = self._stores.writes.of(target)
        steps = self._steps(
            inner, writes, parameter, offset - handed[0][1], sought.elsewhere(), depth + 1
        )
        if steps is None or not self._are_always_made(inner, [w for w, _ in steps]):
            return None
        return [
            _Call(c.member, (point, *c.path))
            for _, calls in self._in_order(inner, steps)
            for c in calls
        ]

    def _may_be_cut_short(
        self, view: FunctionContext, calls: list[Write], ends: Sequence[str]
    ) -> bool:
        """May the run come to one of some blocks although an exception has left one of some calls:
        `try { all.add(s); } catch (...) {}`?"""
        return any(
            handler == end or self._stores.writes.comes_to(view.function, handler, end)
            for w in calls
            if w.instruction.opcode == "invoke"
            for handler in w.instruction.labels[1:]
            for end in ends
        )

    def _are_always_made(self, view: FunctionContext, calls: list[Write]) -> bool:
        """Is each of some calls made exactly once before a function returns?"""
        ends = [b.name for b in view.function.blocks.values() if b.terminator.opcode == "ret"]
        return not self._may_be_cut_short(view, calls, ends) and all(
            w.block not in view.forest.innermost
            and all(view.forest.dominates(w.block, end) for end in ends)
            for w in calls
        )

    def _in_order(
        self, view: FunctionContext, steps: list[tuple[Write, list[_Call]]]
    ) -> list[tuple[Write, list[_Call]]]:
        def order(a: tuple[Write, list[_Call]], b: tuple[Write, list[_Call]]) -> int:
            return -1 if self._precedes(view, a[0], b[0].block, b[0].instruction) else 1

        return sorted(steps, key=cmp_to_key(order))

    def _is_on(self, view: FunctionContext, i: Instruction, base: Pointer, offset: int) -> bool:
        """Is it a call of a member function of the vector?"""
        if not i.is_call or len(i.operands) < 2 or self._member(i) is None:
            return False
        return self._aliasing.underlying_object(view.function, i.operands[1]) == (base, offset)

    def _member(self, call: Instruction) -> Member | None:
        name = callee(call) or ""
        if name not in self._members:
            member = container_member(self._memory.program.module, name)
            is_vector = member is not None and member.container == "vector"
            self._members[name] = member if is_vector else None
        return self._members[name]

    def _is_elsewhere(self, w: Write, place: MemoryLocation) -> bool:
        """Does it write variables and memory that the program allocates? A vector's elements are in
        memory that the library has allocated."""
        return all(
            p.fresh
            or isinstance(p.underlying_object, GlobalRef)
            or self._aliasing.is_object(p.underlying_object)
            for p in w.effects.writes
            if self._aliasing.may_meet(place, p)
        )

    @staticmethod
    def _precedes(view: FunctionContext, w: Write, block: str, before: Instruction) -> bool:
        if w.block == block:
            return w.instruction.line < before.line
        return view.forest.dominates(w.block, block)

    def _are_once_each(self, view: FunctionContext, calls: list[Write]) -> bool:
        """Is each call made once from the one that makes the vector on?"""
        made = next(
            w
            for w in calls
            if all(x is w or self._precedes(view, w, x.block, x.instruction) for x in calls)
        )
        for w in calls:
            again = self._memory.leading(view.function, made.block, w.block)
            if w.block != made.block and any(
                s in again for s in view.function.blocks[w.block].successors
            ):
                return False
        return True

    # -- what is put in
    def _initial(
        self, made: _Call, place: MemoryLocation, start: int
    ) -> dict[int, Expr | None] | None:
        """What a list of initial values holds: `std::vector<shape *> all{&circle, &square}`."""
        array, number = made.operands[2:4]
        element = made.member.element
        if not element or not isinstance(number, IntLiteral):
            return None
        if not 0 <= number.value <= _MOST_PUSHED:
            return None
        inner = start % element
        return {
            k * element + inner: self._held(made.path, array, k * element + inner, place)
            for k in range(number.value)
        }

    def _held(
        self, path: tuple[Point, ...], address: Operand, offset: int, place: MemoryLocation
    ) -> Expr | None:
        """The pointer that stands behind an argument of the last call of a path when it is made, in
        terms of the function that makes the first one."""
        view, block, call = path[-1]
        base, start = self._aliasing.underlying_object(view.function, address)
        if base is None or start is None:
            return None
        at = place._replace(underlying_object=base, offset=start + offset, extent=None)
        found = self._memory.reaching(view, at, block, call)
        self._memory.program.assume_outside(found.outside)
        if found.value is not None:
            is_plain = not found.value.preconditions
            return self._lifted(path, found.value.expr) if is_plain else None
        number = _parameter(view, base) if found.on_entry else None
        if number is None or len(path) < 2:
            return None
        return self._held(path[:-1], path[-2].before.operands[number + 1], start + offset, place)

    def _lifted(self, path: tuple[Point, ...], e: Expr) -> Expr | None:
        """A pointer in terms of the last function of a path, in those of the first."""
        names = [s for s in e.symbols if symbols.global_name(s) is None]
        if len(path) == 1 or not names:
            return e
        argument = symbols.as_argument(names[0]) if len(names) == 1 else None
        if argument is None or argument.shift is not None:
            return None
        outer = path[-2]
        value = outer.view.scalars.value(outer.before.operands[argument.at + 1])
        if value.preconditions:
            return None
        return self._lifted(path[:-1], e.substitute({names[0]: value.expr}))

    def _is_plain(self, point: Point, pointer: Expr | None) -> bool:
        """Is a pointer to an object the same as one to its base classes? What emplace_back converts
        is not seen; with one virtual table, all of them begin where the object does."""
        atom = pointer.atom if pointer is not None else None
        if pointer is None or atom is None:
            return False
        if isinstance(atom.key, str) and atom.key.startswith("@"):
            return True
        view, block, call = point
        base = self._memory.object_of(view, atom.key)
        if base is None:
            return False
        at = MemoryLocation(base, 0, 8, "ptr")
        found = self._memory.reaching(view, at, block, call).value
        names = list(found.expr.symbols) if found is not None else []
        g = self._memory.program.module.globals.get(names[0][1:].strip('"')) if names else None
        return g is not None and len(names) == 1 and len(list(_groups(g.initializer))) == 1


def _groups(table: str) -> Iterator[str]:
    """The parts of a virtual table: one for the first base class, one for each other."""
    text = table.strip()
    yield from split_top(text[1:-1].strip()) if text[:1] == "{" else [text]


def _parameter(view: FunctionContext, base: UnderlyingObject) -> int | None:
    """Which parameter of a function a pointer is."""
    tokens: list[Operand] = [p.token for p in view.function.parameters]
    is_one = isinstance(base, Pointer) and base.register in tokens
    return tokens.index(base.register) if is_one and isinstance(base, Pointer) else None


def _begin_of(address: Expr) -> Loaded | None:
    """The pointer that a function has found in memory, and that an address is computed from."""
    found = [
        (a, power, address.terms[m])
        for m in address.terms
        for a, power in m
        if isinstance(a, Loaded) and a.kind == "ptr"
    ]
    return found[0][0] if [f[1:] for f in found] == [(1, 1)] else None


def _holds(block: Block, call: Instruction) -> bool:
    return any(i is call for i in block.instructions)
