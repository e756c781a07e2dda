"""What a load yields: an argument string, what was stored there, or one symbol for one value.

A load is followed to the store that it sees: in its function, in the functions called before it, in
those that called it. Where no store of the function comes before it, it yields what the function
found there (`Loaded`), which every caller answers for itself: a member set once by a constructor or
a global set from the command line becomes the formula that was stored. What cannot be followed is a
symbol, outside all loops that do not write there.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import networkx as nx

from ..alias.alias_analysis import Aliasing, Effects, Place
from ..expr import LOADED, ZERO, Expr, Loaded, TooComplex, carried, choose, expr, from_atom, sym
from ..expr.budget import Provisional
from ..expr.predicates import FALSE
from ..ir.debug_members import MemberNames
from ..ir.initialisers import number_at
from ..ir.types import Function, Instruction
from .context import FunctionContext, ProgramContext
from .source_names import access_text, last_part
from .unknowns import OpaqueInfo, is_internal
from .values import NO_NEEDS, Value
from .vector_ends import SIZE, vector_end

_MAX_DEPTH = 24
_MAX_EVENTS = 4_000
_MAX_MERGED = 4
_MAX_RELEVANT = 60


@dataclass(frozen=True)
class _Write:
    """An instruction that may write, where it stands, and its number among the writes of its
    function."""

    block: str
    instruction: Instruction
    effects: Effects
    number: int

    @cached_property
    def handed(self) -> tuple[Place, ...]:
        """Objects that library functions are handed."""
        return tuple(w for w in self.effects.writes if w.handed)


@dataclass(frozen=True)
class _Found:
    """What a load sees: `value`; else what was there on entry (`on_entry`); else something unknown.

    `outside`: unknown functions called in between, taken not to write there.
    """

    value: Value | None = None
    on_entry: bool = False
    outside: frozenset[str] = frozenset()


_UNKNOWN = _Found()


class Memory:
    """Loads and stores of a program."""

    def __init__(self, program: ProgramContext, *, strict: bool = False) -> None:
        self.program = program
        self.aliasing = Aliasing(program.module, program.layout, strict=strict)
        self.names = MemberNames(program.module)
        self.assumed: dict[str, frozenset[str]] = {}  # symbol -> functions taken not to write there
        self._globals: dict[str, Expr | None] = {}
        self._events: dict[str, list[_Write]] = {}
        self._by_kind: dict[str, dict[Place, dict[str | None, list[Place]]]] = {}
        self._passed: dict[tuple[str, int], dict[str | None, list[tuple[str, int | None]]]] = {}
        self._spared: dict[tuple[str, Place], list[frozenset[str] | None]] = {}
        self._arriving: dict[tuple[str, str], list[_Write]] = {}
        self._reach: dict[tuple[str, str], frozenset[str]] = {}
        self._exits: dict[tuple[str, Place], _Found] = {}
        self._bound: dict[tuple[str, str], Expr | None] = {}
        self._found: dict[tuple[str, int, Place], _Found] = {}
        self._lifted: dict[tuple[str, int, str], Expr] = {}
        self._leads: dict[tuple[str, str, str], frozenset[str]] = {}
        self._orders: dict[str, dict[str, int]] = {}
        self._active = 0

    # -- loads
    def load(self, view: FunctionContext, i: Instruction) -> Value:
        """The value of a load."""
        program = self.program
        address = view.scalars.value(i.operands[0])
        string = program.argv_string(address.expr)
        if string is not None:
            return Value(string)
        atom = address.expr.atom
        if atom is not None and atom.key in self.aliasing.private_globals:
            value = self.global_value(atom.key)
            if value is not None:
                return Value(value)
        out = program.out_parameter(view, i) or program.kept_argument(view, i)
        if out is not None:
            return Value(out)
        if (i.type != "ptr" and i.type[:1] != "i") or i.flags & {"volatile", "atomic"}:
            return Value(view.scalars.opaque(i))
        place = self.aliasing.place(view.function, i.operands[0], i.type, i.tbaa)
        block = view.function.block_of[i.token]
        found = self._reaching(view, place, block, i)
        if found.value is not None:
            program.assume_outside(found.outside)
            return found.value
        text, inside = access_text(view, i)
        if found.on_entry:
            vector = vector_end(view, i)
            if vector is not None:
                name, size = vector
                begin = Loaded(
                    address.expr - 8,
                    i.type,
                    f"{name}_begin",
                    (),
                    place._replace(offset=_less(place.offset, 8)),
                )
                number = Loaded(address.expr, SIZE, f"{name}_size", (), place)
                return Value(from_atom(begin) + from_atom(number) * size, address.needs)
            whole = Loaded(address.expr, i.type, text, inside, place)
            self._note(whole.key, found.outside)
            return Value(self._known(view, whole), address.needs)
        name = view.variable_name(i.token) or last_part(text) or "v"
        symbol = f"%{view.function.name}.{i.name}"
        where = self._hoisted(view, address.expr, place, block, symbol)
        return Value(
            program.opaques.add(
                OpaqueInfo(
                    symbol,
                    "value",
                    name,
                    f"value loaded from {text or 'memory'}",
                    view.place(i),
                    view.function.name,
                    where,
                    inside,
                )
            ),
            address.needs,
        )

    def _note(self, symbol: str, outside: frozenset[str]) -> None:
        if outside:
            self.assumed[symbol] = self.assumed.get(symbol, frozenset()) | outside

    def _hoisted(
        self, view: FunctionContext, address: Expr, place: Place, block: str, symbol: str
    ) -> str:
        """The block above all loops around that neither change the address nor write there; notes
        who is trusted not to."""
        where, header = block, view.forest.innermost.get(block)
        while (
            header is not None
            and not view.varying(address, header)
            and not self._written_in(view, view.loops[header].blocks, place)
        ):
            where = view.loops[header].preheader or view.function.entry.name
            self._note(
                symbol,
                frozenset().union(
                    *(
                        self._trusted(w, place)
                        for w in self._writes(view.function)
                        if w.block in view.loops[header].blocks
                    )
                ),
            )
            header = view.loops[header].parent
        return where

    def _written_in(self, view: FunctionContext, blocks: frozenset[str], place: Place) -> bool:
        return any(
            trusted is None and w.block in blocks
            for w, trusted in zip(
                self._writes(view.function), self._sparing(view.function, place), strict=True
            )
        )

    # -- what reaches a point
    def _writes(self, function: Function) -> list[_Write]:
        """All instructions of a function that may write."""
        found = self._events.get(function.name)
        if found is None:
            found = self._events[function.name] = []
            for b in function.blocks.values():
                for i in b.instructions:
                    if i.opcode in ("store", "call", "invoke", "atomicrmw", "cmpxchg"):
                        effects = self.aliasing.written_by(function, i)
                        if effects.writes or effects.outside:
                            found.append(_Write(b.name, i, effects, len(found)))
        return found

    def _trusted(self, write: _Write, place: Place) -> frozenset[str]:
        """Functions outside the program that are taken not to write the place."""
        if not write.handed:
            return write.effects.outside
        spared = (
            w.handed
            for w in write.handed
            if self.aliasing.spares(place, w) and not (w.root and self.aliasing.is_object(w.root))
        )
        return write.effects.outside.union(name for name in spared if name is not None)

    def _sparing(self, function: Function, place: Place) -> list[frozenset[str] | None]:
        """For each write of a function: None where it may touch the place, else who is trusted that
        it does not."""
        key = (function.name, place)
        found = self._spared.get(key)
        if found is None:
            touched = self._touching(function, place)
            found = self._spared[key] = [
                self._trusted(w, place) if touched.isdisjoint(w.effects.writes) else None
                for w in self._writes(function)
            ]
        return found

    def _touching(self, function: Function, place: Place) -> set[Place]:
        """The places a function writes that may be (a part of) this one; those alike but for where
        they are together."""
        aliasing, touched = self.aliasing, set[Place]()
        distinct: dict[str | None, bool] = {}
        for kind, by_root in self._places_written(function).items():
            if place.root is not None:
                touched.update(
                    w for w in by_root.get(place.root, ()) if aliasing.may_meet(place, w)
                )
            if not aliasing.types_agree(place, kind):
                continue
            for root, places in by_root.items():
                if root is not None and root == place.root:
                    continue
                if root not in distinct:
                    distinct[root] = aliasing.distinct(place.root, root)
                if not distinct[root] and aliasing.may_meet(place, places[0]):
                    touched.update(places)
        return touched

    def _places_written(self, function: Function) -> dict[Place, dict[str | None, list[Place]]]:
        """The places that a function writes, each once, by what they are and by root."""
        found = self._by_kind.get(function.name)
        if found is None:
            found = self._by_kind[function.name] = {}
            for place in dict.fromkeys(p for w in self._writes(function) for p in w.effects.writes):
                kind = place._replace(root=None, offset=None, size=None)
                found.setdefault(kind, {}).setdefault(place.root, []).append(place)
        return found

    def _writes_before(self, function: Function, block: str) -> list[_Write]:
        """The writes after which control may come to a block, and those in it."""
        key = (function.name, block)
        found = self._arriving.get(key)
        if found is None:
            above = self._above(function, block) | {block}
            found = self._arriving[key] = [w for w in self._writes(function) if w.block in above]
        return found

    def _above(self, function: Function, block: str) -> frozenset[str]:
        """Blocks after which control may come to `block`, itself only by a cycle."""
        key = (function.name, block)
        if key not in self._reach:
            seen: set[str] = set()
            work = list(function.predecessors[block])
            while work:
                name = work.pop()
                if name not in seen:
                    seen.add(name)
                    work.extend(function.predecessors[name])
            self._reach[key] = frozenset(seen)
        return self._reach[key]

    def _reaching(
        self, view: FunctionContext, place: Place, block: str, before: Instruction
    ) -> _Found:
        """What stands at the place when control is before an instruction of `block`."""
        key = (view.function.name, before.line, place)
        if key not in self._found:
            self._active += 1
            try:
                with Provisional(
                    self._found, key, _UNKNOWN
                ):  # what depends on itself, as in a loop
                    if self._active < _MAX_DEPTH:
                        self._found[key] = self._search(view, place, block, before)
            except TooComplex:
                pass
            finally:
                self._active -= 1
        return self._found[key]

    def _search(
        self, view: FunctionContext, place: Place, block: str, before: Instruction
    ) -> _Found:
        function = view.function
        outside: set[str] = set()
        relevant: list[_Write] = []
        if len(self._writes(function)) > _MAX_EVENTS:
            return _UNKNOWN
        sparing = self._sparing(function, place)
        again = block in self._above(function, block)
        for w in self._writes_before(function, block):
            if again or w.block != block or w.instruction.line < before.line:
                trusted = sparing[w.number]
                if trusted is None:
                    relevant.append(w)
                else:
                    outside |= trusted
        if relevant and (place.root is None or place.offset is None):
            return _UNKNOWN
        kept: list[_Write] = []
        for w in relevant:
            if (
                w.instruction.opcode in ("call", "invoke")
                and self._after_call(view, w, place).on_entry
            ):
                continue  # a call that leaves the place as it is
            kept.append(w)
            if len(kept) > _MAX_RELEVANT:
                return _UNKNOWN
        if not kept:
            return _Found(on_entry=True, outside=frozenset(outside))
        relevant = kept
        for w in reversed(relevant):
            if not self._dominates(view, w, block, before):
                continue
            if any(x is not w and self._avoids(function, x, w, block, before) for x in relevant):
                continue
            value = self._stored(view, w, place)
            if value is None or not self._holds(view, value, w.block, block):
                return _UNKNOWN
            return _Found(value, outside=frozenset(outside))
        value = self._merged(view, relevant, place)
        return _Found(value, outside=frozenset(outside)) if value is not None else _UNKNOWN

    def _merged(self, view: FunctionContext, writes: list[_Write], place: Place) -> Value | None:
        """What several writes leave of which each is made at most once, under conditions that are
        formulas."""
        if len(writes) > _MAX_MERGED or any(w.block in view.forest.innermost for w in writes):
            return None
        entry = view.function.entry.name
        order = self._orders.get(view.function.name)
        if order is None:
            order = self._orders[view.function.name] = self._order(view.function)
        result: Expr | None = None
        needs: frozenset[Expr] = NO_NEEDS
        for w in sorted(writes, key=lambda w: (order.get(w.block, 0), w.instruction.line)):
            value = self._stored(view, w, place)
            condition, more = view.paths.below(entry, w.block)
            if value is None or condition.is_opaque or view.is_data(condition):
                return None
            needs |= value.needs | more
            if condition.kind == "true":
                result = value.expr
                continue
            if result is None:
                result = self._before(view, place)
                if result is None:
                    return None
            result = choose(condition.indicator(), value.expr, result)
        return Value(result, needs) if result is not None else None

    @staticmethod
    def _order(function: Function) -> dict[str, int]:
        """Blocks in reverse postorder: of two that are in no loop, the one that runs first comes
        first."""
        graph = nx.DiGraph((b.name, s) for b in function.blocks.values() for s in b.successors)
        graph.add_node(function.entry.name)
        postorder = list(nx.dfs_postorder_nodes(graph, function.entry.name))
        return {name: at for at, name in enumerate(reversed(postorder))}

    def _before(self, view: FunctionContext, place: Place) -> Expr | None:
        """What a function found at a place when it was entered."""
        if (
            place.root is None
            or place.offset is None
            or (self.aliasing.is_object(place.root) and not place.root.startswith("@"))
        ):
            return None
        return self._known(
            view,
            Loaded(
                sym(self._symbol_of(view, place.root)) + place.offset, place.kind, "", (), place
            ),
        )

    def _dominates(self, view: FunctionContext, w: _Write, block: str, before: Instruction) -> bool:
        if w.block == block:
            return w.instruction.line < before.line
        return (
            w.block in view.reachable
            and block in view.reachable
            and view.forest.dominates(w.block, block)
        )

    def _avoids(
        self, function: Function, start: _Write, over: _Write, block: str, before: Instruction
    ) -> bool:
        """Is there a way from one write to the point that does not pass another?"""
        if start.block == over.block and start.instruction.line < over.instruction.line:
            return (
                start.block == block
                and start.instruction.line < before.line < over.instruction.line
            )
        if (
            start.block == block
            and start.instruction.line < before.line
            and not (
                over.block == block and start.instruction.line < over.instruction.line < before.line
            )
        ):
            return True
        if over.block == block and over.instruction.line < before.line:
            return False  # who comes into the block passes it
        leading = self._leading(function, over.block, block)
        return any(s in leading for s in function.blocks[start.block].successors)

    def _leading(self, function: Function, around: str, block: str) -> frozenset[str]:
        """Blocks from which control may come to `block` without passing the block `around`."""
        key = (function.name, around, block)
        if key not in self._leads:
            seen, work = {block}, [block]
            while work:
                for p in function.predecessors[work.pop()]:
                    if p not in seen and p != around:
                        seen.add(p)
                        work.append(p)
            self._leads[key] = frozenset(seen)
        return self._leads[key]

    def _holds(self, view: FunctionContext, value: Value, written: str, block: str) -> bool:
        """Is the value that of the last write: it does not change in loops that are left in
        between?"""
        header = view.forest.innermost.get(written)
        while header is not None and block not in view.loops[header].blocks:
            if view.varying(value.expr, header):
                return False
            header = view.loops[header].parent
        return True

    def _stored(self, view: FunctionContext, w: _Write, place: Place) -> Value | None:
        """The value that a write puts at exactly this place; None where it is not plain."""
        i = w.instruction
        if i.opcode == "store":
            own = self.aliasing.place(view.function, i.operands[1], i.type, i.tbaa)
            if (own.root, own.offset, own.kind) != (
                place.root,
                place.offset,
                place.kind,
            ) or i.flags & {"volatile"}:
                return None
            return view.scalars.value(i.operands[0])
        if i.opcode not in ("call", "invoke"):
            return None
        callee = i.operands[0].lstrip("@")
        if callee.startswith(("llvm.memcpy", "llvm.memmove", "llvm.memset")):
            return self._copied(view, w, place)
        return self._after_call(view, w, place).value

    def _copied(self, view: FunctionContext, w: _Write, place: Place) -> Value | None:
        """What memcpy or memset leaves at a place."""
        i = w.instruction
        target, offset = self.aliasing.root(view.function, i.operands[1])
        length = i.operands[3]
        if (
            target != place.root
            or offset is None
            or place.offset is None
            or place.size is None
            or not length.isdigit()
            or not offset <= place.offset <= offset + int(length) - place.size
        ):
            return None
        if i.operands[0].startswith("@llvm.memset"):
            return Value(ZERO) if i.operands[2] == "0" else None
        source, start = self.aliasing.root(view.function, i.operands[2])
        if source is None or start is None:
            return None
        moved = place.offset - offset
        found = self._reaching(view, place._replace(root=source, offset=start + moved), w.block, i)
        if found.value is not None:
            return found.value
        if not found.on_entry:
            return None
        address = view.scalars.value(i.operands[2]).expr + moved
        return Value(
            self._known(
                view,
                Loaded(
                    address, place.kind, "", (), place._replace(root=source, offset=start + moved)
                ),
            )
        )

    def _after_call(self, view: FunctionContext, w: _Write, place: Place) -> _Found:
        """What a call leaves at a place, in the caller's terms."""
        i = w.instruction
        target = self.program.target(view.function.name, i)
        if target is None or place.root is None or place.offset is None:
            return _UNKNOWN
        if place.root.startswith("@"):
            inner = place
        else:
            hits = self._roots_passed(view.function, i, target).get(place.root, ())
            if len(hits) != 1 or hits[0][1] is None:
                return _UNKNOWN
            inner = place._replace(root=hits[0][0], offset=place.offset - hits[0][1])
        found = self._on_exit(target, inner)
        if found.value is None:
            return found
        value = self.program.at_call(view, w.block, i, found.value)
        return _Found(value, outside=found.outside)

    def _roots_passed(
        self, function: Function, call: Instruction, target: Function
    ) -> dict[str | None, list[tuple[str, int | None]]]:
        """The objects that a call passes: root -> the callee's names for it, with the offsets they
        point to."""
        key = (function.name, call.line)
        found = self._passed.get(key)
        if found is None:
            found = self._passed[key] = {}
            for p, token in zip(target.parameters, call.operands[1:], strict=False):
                root, offset = self.aliasing.root(function, token)
                found.setdefault(root, []).append((f"{target.name}:{p.token}", offset))
        return found

    def _on_exit(self, function: Function, place: Place) -> _Found:
        """What a function leaves at a place when it returns, over its arguments."""
        key = (function.name, place)
        if key not in self._exits:
            with Provisional(self._exits, key, _UNKNOWN):
                self._exits[key] = self._find_exit(function, place)
        return self._exits[key]

    def _find_exit(self, function: Function, place: Place) -> _Found:
        if not any(
            self.aliasing.may_alias(place, w) for w in self.aliasing.effects(function.name).writes
        ):
            return _Found(on_entry=True)
        if function.name not in self.program.calls.recursive:
            view = self.program.view(function.name)
            returns = [
                b
                for b in function.blocks.values()
                if b.terminator.opcode == "ret" and b.name in view.reachable
            ]
            if len(returns) == 1:
                found = self._reaching(view, place, returns[0].name, returns[0].terminator)
                if found.value is None or self.program.is_portable(found.value):
                    return found
        return _UNKNOWN

    # -- values on entry
    def lift(
        self,
        view: FunctionContext,
        block: str,
        before: Instruction,
        e: Expr,
        arguments: Mapping[str, Expr],
    ) -> Expr:
        """A formula of a callee, its arguments put in, with the memory it reads as it is before an
        instruction."""
        return carried(e, arguments, lambda a: self._at(view, block, before, a))

    def _at(self, view: FunctionContext, block: str, before: Instruction, a: Loaded) -> Expr:
        key = (view.function.name, before.line, a.key)
        if key not in self._lifted:
            self._lifted[key] = self._lift_one(view, block, before, a)
        return self._lifted[key]

    def _lift_one(self, view: FunctionContext, block: str, before: Instruction, a: Loaded) -> Expr:
        place = self._place(view, a)
        found = self._reaching(view, place, block, before)
        if a.kind == SIZE:
            return from_atom(a) if found.on_entry else self._symbol(view, block, before, a, place)
        if found.value is not None:
            self.program.assume_outside(found.outside)
            return (
                found.value.expr
                if not found.value.needs
                else self._symbol(view, block, before, a, place)
            )
        if found.on_entry:
            self._note(a.key, found.outside)
            return self._known(view, a)
        return self._symbol(view, block, before, a, place)

    def _symbol(
        self, view: FunctionContext, block: str, before: Instruction, a: Loaded, place: Place
    ) -> Expr:
        if any(s.startswith("%i.") for s in a.symbols):
            raise TooComplex  # a value for each term of a sum: there is no symbol for all of them
        symbol = f"%{view.function.name}.at{before.line}.{a.key[len(LOADED) :]}"
        return self.program.opaques.add(
            OpaqueInfo(
                symbol,
                "value",
                last_part(a.text) or "v",
                f"value loaded from {a.text or 'memory'}",
                view.place(before),
                view.function.name,
                self._hoisted(view, a.address, place, block, symbol),
                a.inside,
            )
        )

    def _place(self, view: FunctionContext, a: Loaded) -> Place:
        """Where an address formula of a function points."""
        origin = a.origin if isinstance(a.origin, Place) else Place(None, kind=a.kind)
        roots: list[str | None] = []
        for monomial, coefficient in a.address.terms.items():
            for atom, n in monomial:
                root = self._root_of(view, atom.key)
                if root is not None:
                    roots.append(
                        root if coefficient == 1 and n == 1 and len(monomial) == 1 else None
                    )
        root = roots[0] if len(roots) == 1 else None
        rest = (a.address - sym(self._symbol_of(view, root))).constant if root is not None else None
        return origin._replace(root=root, offset=int(rest) if rest is not None else None)

    def _root_of(self, view: FunctionContext, symbol: str) -> str | None:
        """The object or pointer argument that a symbol of an address stands for."""
        if symbol.startswith("@"):
            return symbol
        for at, p in enumerate(view.function.parameters):
            if p.type == "ptr" and symbol == self.program.argument_symbol(view.function, at):
                return f"{view.function.name}:{p.token}"
        prefix = f"%{view.function.name}."
        if symbol.startswith(prefix):
            i = view.function.definitions.get("%" + symbol[len(prefix) :])
            if i is not None and (i.type == "ptr" or i.opcode == "alloca"):
                return f"{view.function.name}:{i.token}"
        return None

    def _symbol_of(self, view: FunctionContext, root: str) -> str:
        if root.startswith("@"):
            return root
        token = root.partition(":")[2]
        for at, p in enumerate(view.function.parameters):
            if p.token == token:
                return self.program.argument_symbol(view.function, at)
        return f"%{view.function.name}.{token[1:]}"

    def _known(self, view: FunctionContext, a: Loaded) -> Expr:
        """The value on entry where all callers agree on a formula in program parameters, else the
        symbol itself."""
        key = (view.function.name, a.key)
        if key not in self._bound:
            with contextlib.suppress(TooComplex), Provisional(self._bound, key, None):
                self._bound[key] = self._agreed(view.function, a)
        value = self._bound[key]
        return value if value is not None else from_atom(a)

    def _agreed(self, function: Function, a: Loaded) -> Expr | None:
        program = self.program
        if function.name == program.entry:
            return self._initial(a) if function.name == "main" else None
        if (
            function.name in program.calls.pointed
            or function.name in program.calls.recursive
            or function.name not in program.calls.reachable
        ):
            return None
        found: set[Expr] = set()
        for site in program.calls.callers.get(function.name, ()):
            caller = program.view(site.caller)
            if site.block not in caller.reachable:
                continue
            value = self.lift(
                caller,
                site.block,
                site.instruction,
                from_atom(a),
                program.arguments(caller, site.block, site.instruction, function),
            )
            if any(map(is_internal, value.symbols)):
                return None
            found.add(value)
            if len(found) > 1:
                return None
        return found.pop() if found else None

    def _initial(self, a: Loaded) -> Expr | None:
        """What a global holds when main is entered."""
        symbols = a.address.symbols
        if len(symbols) != 1 or "llvm.global_ctors" in self.program.module.globals:
            return None
        (name,) = symbols
        offset = (a.address - sym(name)).constant
        g = self.program.module.globals.get(name[1:]) if name.startswith("@") else None
        if g is None or not isinstance(offset, int):
            return None
        return number_at(self.program.layout, g.type, g.initializer, offset, a.kind)

    # -- globals that are set once
    def global_value(self, name: str) -> Expr | None:
        """The value of a global that no pointer reaches: its initialiser, or what one store in the
        entry sets."""
        if name in self._globals:
            return self._globals[name]
        self._globals[name] = None
        program = self.program
        g = program.module.globals[name[1:]]
        if (
            not any(
                word in g.attributes
                for word in ("internal", "private", "dso_local", "local_unnamed_addr")
            )
            and not g.initializer
        ):
            return None
        start = (
            expr(int(g.initializer))
            if g.initializer.lstrip("-").isdigit()
            else expr(0)
            if g.initializer == "zeroinitializer"
            else None
        )
        stores = self._accesses.get(name, [])
        if not stores:
            self._globals[name] = start
        elif (
            len(stores) == 1 and stores[0][0].name == program.entry and self._first(name, stores[0])
        ):
            self._globals[name] = self._set_once(stores[0], start)
        return self._globals[name]

    def _first(self, name: str, store: tuple[Function, str, Instruction]) -> bool:
        """Can nothing read the global before the store in the entry?"""
        function, block, i = store
        for b in function.blocks.values():
            for other in b.instructions:
                reads = (other.opcode == "load" and other.operands[0] == name) or (
                    other.opcode in ("call", "invoke")
                    and (
                        other.operands[0][0] != "@"
                        or other.operands[0][1:].strip('"') in self.program.defined
                    )
                )
                if reads and (
                    b.name in self._above(function, block)
                    or (b.name == block and other.line < i.line)
                ):
                    return False
        return True

    @cached_property
    def _accesses(self) -> Mapping[str, list[tuple[Function, str, Instruction]]]:
        found: dict[str, list[tuple[Function, str, Instruction]]] = {}
        for f in self.program.module.functions.values():
            for b in f.blocks.values():
                for i in b.instructions:
                    if (
                        i.opcode == "store"
                        and (root := self.aliasing.root(f, i.operands[1])[0] or "")[:1] == "@"
                    ):
                        found.setdefault(root, []).append((f, b.name, i))
        return found

    def _set_once(
        self, store: tuple[Function, str, Instruction], start: Expr | None
    ) -> Expr | None:
        function, block, i = store
        view = self.program.view(function.name)
        value = view.scalars.value(i.operands[0]).expr
        if (
            i.operands[1][0] != "@"
            or block in view.forest.innermost
            or any(map(is_internal, value.symbols))
        ):
            return None
        condition, _ = view.paths.below(function.entry.name, block)
        if condition.is_opaque or view.is_data(condition) or condition == FALSE:
            return None
        if start is None and condition.kind != "true":
            return None
        return choose(condition.indicator(), value, start if start is not None else value)


def _less(offset: int | None, number: int) -> int | None:
    return None if offset is None else offset - number
