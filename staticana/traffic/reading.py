"""The tree of a program's loads and stores, from its IR.

Calls are put in place of the functions that they go to. Values that only a run tells become
symbols where they are the same in all iterations; trip counts that differ get the symbol of their
mean, conditions that of their fraction, and subscripts choose at random in their object.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..alias.library import library_function
from ..alias.memory_location import Pointer
from ..expr import (
    Atom,
    Expr,
    Floor,
    Loaded,
    TooComplex,
    Trunc,
    expr,
    floor_div,
    from_atom,
    sym,
    symbols,
)
from ..expr.predicates import literal
from ..interprocedural.program import Program
from ..ir.graph import callee
from ..ir.types import ATOMIC_UPDATES, GlobalRef, Instruction, Operand, Register
from ..naming import Naming
from ..scev.context import FunctionContext
from ..scev.unknowns import UnknownInfo
from .frames import Frame
from .loops_around import child_loop, loops_around
from .references import Guard, LoopNode, Nest, Node, Reference, Spread
from .refusal import Refused

_MAX_DEPTH = 12
"""Calls, one inside the other, that are read; deeper ones are refused."""
_NO_MEMORY = re.compile(
    r"llvm\.(?!mem)|(?:sqrt|exp|log|sin|cos|tan|pow|fabs|fmax|fmin|floor|ceil)f?$"
)
_MAX_TURNS = 4
"""Pointers that change places with each other from one iteration to the next."""
_UNALIGNED = frozenset(("malloc", "calloc", "realloc", "_Znwm", "_Znam"))
_BEGINNING = 16
"""Where local variables and allocations begin in a line: they are aligned to 16 bytes, and glibc's
large blocks begin behind a header of so many."""


def references(program: Program, function: str) -> Nest:
    """The loads and stores of one call of a function.

    Raises:
        Refused: an address or a trip count is no formula of iteration numbers and parameters.
    """
    reader = _Reader(program)
    try:
        body = reader.function(Frame(program.view(function)), 0)
    except TooComplex:
        raise Refused("the formula of an address or a trip count would be too long") from None
    return Nest(
        body,
        reader.names,
        tuple(sorted(reader.notes)),
        reader.unknowns,
        frozenset(reader.fractions),
    )


class _Reader:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.names: dict[str, str] = {}
        self.notes: set[str] = set()
        self.unknowns: dict[str, str] = {}
        self.fractions: set[str] = set()
        self.naming = Naming(program)
        self.starts: dict[Atom, Expr] = {}
        self.bytes: dict[str, Expr] = {}
        self.turns: dict[tuple[str, str], int] = {}

    def function(self, frame: Frame, depth: int) -> tuple[Node, ...]:
        if depth > _MAX_DEPTH:
            raise Refused("calls are nested too deeply")
        if frame.view.forest.irreducible:
            raise Refused(f"{frame.view.function.name}: a cycle with several entries")
        return self._blocks(frame, None, depth)

    def _blocks(self, frame: Frame, within: str | None, depth: int) -> tuple[Node, ...]:
        """The references of a loop's body (of the function), without its inner loops'."""
        view = frame.view
        found: list[Node] = []
        for name in self._in_order(view, within):
            if name in view.loops and name != within:
                here: list[Node] = [self._loop(frame, name, depth)]
            else:
                block = view.function.blocks[name]
                here = [
                    n for i in block.instructions for n in self._instruction(frame, name, i, depth)
                ]
            if here:
                found.extend(self._guarded(frame, name, within, here))
        return tuple(found)

    def _in_order(self, view: FunctionContext, within: str | None) -> list[str]:
        """The blocks directly in a loop and the headers of its inner loops, each behind all that
        come before it."""
        inside = view.function.blocks if within is None else view.loops[within].blocks
        start = view.function.entry.name if within is None else within
        found: list[str] = []
        seen: set[str] = set()

        def successors(name: str) -> list[str]:
            child = child_loop(view, name, within)
            names = view.loops[child].blocks if child is not None else (name,)
            targets = [s for n in names for s in view.function.blocks[n].successors]
            kept = [
                child_loop(view, s, within) or s
                for s in targets
                if s in inside and s != within and s not in names and s not in view.paths.dead
            ]
            return [s for s in dict.fromkeys(kept) if s in view.reachable]

        work: list[tuple[str, list[str]]] = [(start, successors(start))]
        seen.add(start)
        while work:
            name, rest = work[-1]
            while rest and rest[0] in seen:
                rest.pop(0)
            if rest:
                seen.add(rest[0])
                work.append((rest[0], successors(rest[0])))
            else:
                found.append(name)
                work.pop()
        return found[::-1]

    def _guarded(
        self, frame: Frame, block: str, within: str | None, here: list[Node]
    ) -> list[Node]:
        """Nodes of a block under the condition that control comes to it."""
        view = frame.view
        top = within if within is not None else view.function.entry.name
        if block == top:
            return here
        weight = view.paths.weight(top, block)
        if weight.formula is not None and weight.formula.constant == 1:
            return here
        at = view.place(view.function.blocks[block].instructions[0])
        if weight.formula is None:
            raise Refused(f"the condition at {at}: {weight.reason}")
        loops = loops_around(view, top)
        share = frame.in_terms(weight.formula, loops)
        infos = [self.program.unknowns.get(s) for s in share.symbols]
        is_fraction = any(i is not None and i.kind == "fraction" for i in infos)
        if not is_fraction:
            share = self._settled(frame, share)
        if is_fraction or _strange(share):
            name = self._unknown("f", f"fraction of the cases that come to {at}")
            self.fractions.add(name)
            return [Guard(sym(name), True, tuple(here), at)]
        return [Guard(share, False, tuple(here), at)]

    def _loop(self, frame: Frame, header: str, depth: int) -> LoopNode:
        view = frame.view
        loop = view.loops[header]
        index = view.variables.index(header)
        trips = self._trips(frame, header)
        turns = len(_cycle(view, header))
        if turns < 2:
            body = self._blocks(frame, header, depth)
            return LoopNode(index, trips, body, loop.at, view.function.name)
        guards: list[Node] = []
        rest = sym(index) - floor_div(sym(index), turns) * turns
        for turn in range(turns):
            self.turns[view.function.name, header] = turn
            share = literal("eq", rest - turn).indicator()
            guards.append(Guard(share, False, self._blocks(frame, header, depth), loop.at))
        return LoopNode(index, trips, tuple(guards), loop.at, view.function.name)

    def _trips(self, frame: Frame, header: str) -> Expr:
        """A loop's trip count; the symbol of its mean where data decide."""
        view = frame.view
        loop = view.loops[header]
        count = view.trip_counts.iterations(header)
        found: Expr | None = None
        if count.formula is not None and count.reason is None:
            found = frame.in_terms(count.formula, view.enclosing_loops(header))
            found = self._settled(frame, found)
            if not _strange(found):
                return found
        mean = sym(self._unknown("t", f"mean trip count of the loop at {loop.at}"))
        if found is not None:
            self._note_rows(found, mean)
        return mean

    def _note_rows(self, trips: Expr, mean: Expr) -> None:
        """In `for (k = row[i]; k < row[i + 1]; k++)` row[i] is the mean times i: rows follow each
        other."""
        loaded = [a for a in trips.all_atoms() if isinstance(a, Loaded)]
        if len(loaded) != 2:
            return
        for one, other in (loaded, loaded[::-1]):
            for index in sorted(s for s in one.address.symbols if symbols.is_iteration(s)):
                if one.address.substitute({index: sym(index) + 1}) == other.address:
                    self.starts[one] = mean * sym(index)
                    self.starts[other] = mean * (sym(index) + 1)

    def _unknown(self, letter: str, meaning: str) -> str:
        """The symbol of something that only a run tells, one for each meaning."""
        for name, known in self.unknowns.items():
            if known == meaning:
                return name
        taken = sum(name.startswith(letter) for name in self.unknowns)
        name = f"{letter}{taken + 1}"
        self.unknowns[name] = meaning
        return name

    def _settled(self, frame: Frame, e: Expr) -> Expr:
        """A formula with names for values that are the same in all iterations."""

        def change(a: Atom) -> Expr:
            if a in self.starts:
                return self.starts[a]
            if isinstance(a, Loaded) or (a.is_symbol and symbols.is_opaque(a)):
                if self._is_varying(frame, a):
                    return from_atom(a)
                name = self.naming.expr(from_atom(a))
                for symbol in name.symbols:
                    self.unknowns.setdefault(symbol, "a value that only a run tells")
                return name
            if a.is_symbol or not any(map(symbols.is_opaque, a.symbols)):
                return from_atom(a)
            return a.rebuild(tuple(p.map_atoms(change) for p in a.parts))

        return e.map_atoms(change) if _strange(e) else e

    def _is_varying(self, frame: Frame, a: Atom) -> bool:
        """May a value differ between iterations of the loops around?"""
        if isinstance(a, Loaded):
            return any(symbols.is_iteration(s) for s in a.symbols) or any(
                self._is_varying(frame, inner)
                for inner in a.address.all_atoms()
                if isinstance(inner, Loaded) or (inner.is_symbol and symbols.is_opaque(inner))
            )
        info = self.program.unknowns.get(str(a))
        if info is None or info.kind in ("mean", "fraction") or not info.function:
            return False
        return info.block in self.program.view(info.function).forest.innermost

    def _instruction(self, frame: Frame, block: str, i: Instruction, depth: int) -> Iterator[Node]:
        if i.opcode == "load":
            yield self._reference(frame, block, i, i.operands[0], False)
        elif i.opcode == "store":
            yield self._reference(frame, block, i, i.operands[1], True)
        elif i.opcode in ATOMIC_UPDATES:
            yield self._reference(frame, block, i, i.operands[0], False)
            yield self._reference(frame, block, i, i.operands[0], True)
        elif i.is_call:
            yield from self._call(frame, block, i, depth)

    def _call(self, frame: Frame, block: str, i: Instruction, depth: int) -> Iterator[Node]:
        view = frame.view
        target = self.program.target(view.function.name, i)
        if target is None:
            name = callee(i)
            if name is None:
                raise Refused(f"the call at {view.place(i)} goes through a pointer")
            if name.startswith(("llvm.memcpy", "llvm.memset", "llvm.memmove")):
                raise Refused(f"{name} at {view.place(i)} is not followed")
            known = library_function(name)
            if not _NO_MEMORY.match(name) and known is None:
                self.notes.add(f"{name} touches no memory that matters")
            return
        if frame.encloses(target.name):
            raise Refused(f"{target.name} calls itself")
        given = self.program.arguments(view, block, i, target)
        loops = loops_around(view, block)
        values = {s: frame.in_terms(e, loops) for s, e in given.items()}
        yield from self.function(
            Frame(self.program.view(target.name), frame, i, block, values), depth + 1
        )

    def _reference(
        self, frame: Frame, block: str, i: Instruction, token: Operand, is_store: bool
    ) -> Reference:
        place = frame.view.place(i)
        size = self.program.layout.size(i.type)
        if is_store and i.opcode == "store":
            size = self.program.layout.size(i.type)
        if not size:
            raise Refused(f"the access at {place} has no fixed size")
        key, offset, row = self._address(frame, block, token, place)
        offset = self._settled(frame, offset)
        if row is not None:
            row = self._settled(frame, row)
            if _strange(row):
                raise Refused(f"the array of pointers at {place} is read at places from data")
        loops = self._all_around(frame, block)
        spread = None
        if _strange(offset):
            offset, spread = self._chosen(frame, offset, key, size, loops)
        return Reference(key, offset, size, is_store, place, spread, row)

    def _all_around(self, frame: Frame, block: str) -> list[str]:
        """Iteration numbers of all loops around, in callers too."""
        own = [frame.view.variables.index(h) for h in loops_around(frame.view, block)]
        if frame.caller is None:
            return own
        return [*own, *self._all_around(frame.caller, frame.block)]

    def _chosen(
        self, frame: Frame, offset: Expr, key: str, size: int, loops: list[str]
    ) -> tuple[Expr, Spread]:
        """An offset that depends on data: what is left without them, and how they choose."""
        data = _data(offset)
        seeds: list[Expr] = []
        for a in data:
            if isinstance(a, Loaded) and not any(map(symbols.is_opaque, _numbers(a.address))):
                plain = {s: expr(0) for s in a.address.symbols if symbols.is_opaque(s)}
                seeds.append(a.address.substitute(plain))
            else:
                seeds += [sym(s) for s in loops]
        salt = sum(map(ord, " ".join(sorted(map(str, data))))) + 1
        rest, step = offset.by(data[0]) if len(data) == 1 else (offset, expr(0))
        extent = self.bytes.get(key)
        if extent is None:
            name = f"{re.sub(r'[^A-Za-z0-9_]', '_', self.names.get(key, 'object'))}_bytes"
            self.unknowns[name] = f"bytes of {self.names.get(key, 'an object')}"
            extent = sym(name)
        if len(data) != 1 or _strange(rest) or _strange(step) or not step:
            rest, step = expr(0), expr(size)
        carried = self._carried(data)
        level = self._halving(frame, offset, carried)
        if level is not None:
            seeds = [sym(s) for s in loops if sym(s) != level]
        number = step.constant
        if number is not None:
            step = expr(-1) * step if number < 0 else step
            count = floor_div(extent, step)
        else:
            count = floor_div(extent, step)
        unique = tuple(dict.fromkeys(seeds))
        is_guess = bool(carried) and level is None
        return rest, Spread(count, step, unique, salt, level, is_guess)

    def _carried(self, data: list[Atom]) -> list[UnknownInfo]:
        """The values that a loop carries from one iteration to the next."""
        infos = [self.program.unknowns.get(str(a)) for a in data if a.is_symbol]
        return [i for i in infos if i is not None and i.kind == "variable"]

    def _halving(self, frame: Frame, offset: Expr, carried: list[UnknownInfo]) -> Expr | None:
        """The number of the iteration, where an offset is the middle of a range that a loop makes
        smaller: a binary search."""
        blocks = {i.block for i in carried}
        names = {i.symbol for i in carried}
        if len(names) != 2 or len(blocks) != 1 or not blocks <= frame.view.loops.keys():
            return None
        halves = [
            a
            for a in offset.all_atoms()
            if isinstance(a, Floor | Trunc) and a.den.constant == 2 and names & a.num.symbols
        ]
        return sym(frame.view.variables.index(blocks.pop())) if halves else None

    def _address(
        self, frame: Frame, block: str, token: Operand, place: str
    ) -> tuple[str, Expr, Expr | None]:
        """(object, offset, row) of an address."""
        view = frame.view
        base, _ = self.program.memory.aliasing.underlying_object(view.function, token)
        e = view.scalars.value(token).expr
        loops = loops_around(view, block)
        if base is None:
            return self._in_turn(frame, block, token, place)
        if isinstance(base, GlobalRef):
            key = str(base)
            self.names.setdefault(key, base.name)
            found = self.program.module.globals.get(base.name)
            size = None if found is None else self.program.layout.size(found.type)
            if size:
                self.bytes.setdefault(key, expr(size))
            return key, frame.in_terms(e - view.scalars.value(base).expr, loops), None
        assert isinstance(base, Pointer)
        start = view.scalars.value(base.register).expr
        offset = frame.in_terms(e - start, loops)
        at = _argument_at(view, base.register)
        if at is not None and frame.caller is not None and frame.call is not None:
            key, shift, row = self._address(
                frame.caller, frame.block, frame.call.operands[at + 1], place
            )
            return key, shift + offset, row
        pointer = frame.in_terms(start, loops)
        if any(symbols.is_iteration(s) for s in pointer.symbols) or self._varies(
            view, base.register, loops
        ):
            return self._in_row(frame, base.register, offset, place)
        key = str(pointer)
        name = view.variable_name(base.register) or (
            view.parameter_names[at] if at is not None else str(base.register)
        )
        self.names.setdefault(key, name)
        made = view.function.definitions.get(base.register)
        if made is not None:
            allocated = self._allocated(frame, made)
            if allocated is not None:
                self.bytes.setdefault(key, allocated)
            if made.opcode == "alloca" or callee(made) in _UNALIGNED:
                offset = offset + _BEGINNING
        return key, offset, None

    def _in_turn(
        self, frame: Frame, block: str, token: Operand, place: str
    ) -> tuple[str, Expr, Expr | None]:
        """An address in one of several objects that take turns from iteration to iteration, as the
        old and the new grid do."""
        view = frame.view
        pointer = token
        made = view.function.definitions.get(pointer) if isinstance(pointer, str) else None
        while made is not None and made.opcode in ("getelementptr", "bitcast", "freeze"):
            pointer = made.operands[0]
            made = view.function.definitions.get(pointer) if isinstance(pointer, str) else None
        for header in loops_around(view, block):
            cycle = _cycle(view, header)
            if made is not None and pointer in cycle:
                turn = self.turns.get((view.function.name, header), 0)
                for _ in range(turn):
                    pointer = cycle[pointer][1]
                first = cycle[pointer][0]
                e, own = view.scalars.value(token).expr, view.scalars.value(made.token).expr
                shift = frame.in_terms(e - own, loops_around(view, block))
                outside = view.loops[header].parent
                key, offset, row = self._address(frame, outside or header, first, place)
                return key, offset + shift, row
        raise Refused(f"the object accessed at {place} is not known")

    def _in_row(
        self, frame: Frame, register: Register, offset: Expr, place: str
    ) -> tuple[str, Expr, Expr | None]:
        """An object that an array of pointers points to; those of one array are taken to have one
        size and to lie one behind the other."""
        view = frame.view
        made = view.function.definitions.get(register)
        if made is not None and made.is_call:
            return self._returned(frame, made, offset, place)
        if made is None or made.opcode != "load":
            raise Refused(f"the object accessed at {place} changes in the loop")
        block = view.function.block_of[register]
        key, row, outer = self._address(frame, block, made.operands[0], place)
        if outer is not None:
            raise Refused(f"the object accessed at {place} is reached through several pointers")
        self.notes.add(f"the rows of {self.names.get(key, 'an array')} have one size")
        found = f"[{key}]"
        self.names.setdefault(found, f"*{self.names.get(key, '')}")
        return found, offset, row.over(8)

    def _returned(
        self, frame: Frame, call: Instruction, offset: Expr, place: str
    ) -> tuple[str, Expr, Expr | None]:
        """An address that a function of the program returns, as operator[] does."""
        view = frame.view
        block = view.function.block_of[call.token]
        target = self.program.target(view.function.name, call)
        ends = (
            []
            if target is None
            else [b for b in target.blocks.values() if b.terminator.opcode == "ret"]
        )
        if target is None or frame.encloses(target.name) or len(ends) != 1:
            raise Refused(f"the object accessed at {place} changes in the loop")
        loops = loops_around(view, block)
        given = self.program.arguments(view, block, call, target)
        values = {s: frame.in_terms(e, loops) for s, e in given.items()}
        inner = Frame(self.program.view(target.name), frame, call, block, values)
        result = ends[0].terminator.operands[0]
        key, shift, row = self._address(inner, ends[0].name, result, place)
        return key, shift + offset, row

    def _allocated(self, frame: Frame, made: Instruction) -> Expr | None:
        """The bytes of a local variable or of an allocation; None where they are not known."""
        view = frame.view
        if made.opcode == "alloca":
            size = self.program.layout.size(made.type)
            return expr(size) if size else None
        name = (callee(made) or "") if made.is_call else ""
        chosen = {"malloc": (0,), "calloc": (0, 1), "aligned_alloc": (1,), "realloc": (1,)}.get(
            name, (0,) if name in ("_Znwm", "_Znam") else None
        )
        if chosen is None:
            return None
        found = expr(1)
        block = view.function.block_of.get(made.result or "", "")
        for at in chosen:
            word = view.scalars.value(made.operands[1 + at]).expr
            part = self._settled(frame, frame.in_terms(word, loops_around(view, block)))
            if any(symbols.is_internal(s) for s in part.symbols):
                return None
            found = found * part
        return found

    @staticmethod
    def _varies(view: FunctionContext, token: Register, loops: list[str]) -> bool:
        e = view.scalars.value(token).expr
        return any(view.varying(e, h) for h in loops)


def _argument_at(view: FunctionContext, token: Register) -> int | None:
    for at, parameter in enumerate(view.function.parameters):
        if parameter.token == token:
            return at
    return None


def _cycle(view: FunctionContext, header: str) -> dict[Operand, tuple[Operand, Operand]]:
    """The pointers of a loop that take each other's place in each iteration: each with its value on
    entry and the one whose place it takes next; empty where there are none, or too many."""
    loop = view.loops[header]
    found: dict[Operand, tuple[Operand, Operand]] = {}
    for phi in view.function.blocks[header].phis:
        if phi.type != "ptr" or len(phi.operands) != 2:
            continue
        inside = [label in loop.blocks for label in phi.labels]
        if inside == [False, True]:
            found[phi.token] = (phi.operands[0], phi.operands[1])
        elif inside == [True, False]:
            found[phi.token] = (phi.operands[1], phi.operands[0])
    while any(after not in found for _, after in found.values()):
        found = {p: (first, after) for p, (first, after) in found.items() if after in found}
    is_one_cycle = len({after for _, after in found.values()}) == len(found) <= _MAX_TURNS
    return found if len(found) > 1 and is_one_cycle else {}


def _strange(e: Expr) -> bool:
    """Does a formula depend on what is not known?"""
    return any(map(symbols.is_opaque, e.symbols))


def _data(e: Expr) -> list[Atom]:
    """The outermost atoms of a formula that are values from data."""
    found: dict[Atom, None] = {}
    for a in sorted(e.atoms):
        if isinstance(a, Loaded) or (a.is_symbol and symbols.is_opaque(a)):
            found[a] = None
        elif any(map(symbols.is_opaque, a.symbols)):
            for part in a.parts:
                found.update(dict.fromkeys(_data(part)))
    return list(found)


def _numbers(address: Expr) -> set[str]:
    """The symbols of an address without its base."""
    return {s for s in address.symbols if symbols.is_loaded(s)}
