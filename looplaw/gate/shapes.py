"""The shape of a function: what it walks, inside of what, and under which conditions.

A chain is a loop, or a call that costs something, with the loops around it and the conditions that
must hold. Loops are known by what moves on in them and by their ways out, which are slices of
values (Weiser, "Program Slicing", ICSE 1981) without what merely stands beside: what a body stores
elsewhere is not in them. Where each chain after is a part of one before, under at least its
conditions, the function does no more than before, whatever its counts are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256

from staticana.alias.library import library_function
from staticana.alias.whole_programs import is_elsewhere
from staticana.ir.graph import callee, closure
from staticana.ir.loop_info import Loop, LoopForest, loop_forest
from staticana.ir.types import Function, Instruction, IntLiteral, Module, Operand, Register

from .conditions import conjuncts, test_of
from .nested_calls import MEMBER, POINTER
from .words import Words

AGAIN = "itself"
"""What stands for a call of the function, or of one that calls it."""
_LARGE = 1024
"""Iterations of a loop that runs a constant number of times which are no trifle."""
_CHOICES = ("phi", "select")
_DEEP = 3000
"""Instructions of a slice that are looked at."""


@dataclass(frozen=True)
class Walk:
    """A loop. moves: what moves on from iteration to iteration; ways: its ways out, each with the
    conditions under which an iteration comes to it; said: what it walks, in words; is_constant: it
    runs a small constant number of times; is_capped: an end of it may be a constant."""

    at: str
    moves: frozenset[str]
    ways: frozenset[tuple[str, frozenset[str]]]
    said: str
    is_constant: bool = False
    is_capped: bool = False


@dataclass(frozen=True)
class Chain:
    """What runs inside loops, the outermost first: the last of them, or a call. passed: what a call
    is handed; needs: the conditions under which it is reached; is_foreign: nobody knows the body of
    what is called."""

    loops: tuple[Walk, ...]
    needs: frozenset[str]
    at: str
    call: str = ""
    passed: frozenset[str] = frozenset()
    is_foreign: bool = False

    def placed(self, place: Callable[[str], str]) -> Chain:
        """With places as a version has them."""
        loops = tuple(replace(walk, at=place(walk.at)) for walk in self.loops)
        return replace(self, loops=loops, at=place(self.at))


@dataclass(frozen=True)
class Shapes:
    """The functions of a version.

    inside: functions that count as part of those that call them, as the other version does not have
    them. names: function -> its name in the other version, where it has another.
    """

    module: Module
    inside: frozenset[str]
    names: Mapping[str, str]

    def of_function(self, symbol: str) -> tuple[Chain, ...] | None:
        """The chains of a function; None where it has loops with several entries."""
        f = self.module.functions[symbol]
        parts = {symbol, *(self._below(symbol) & self.inside)}
        found = (loop_forest(self.module.functions[n], self.module) for n in parts)
        return None if any(forest.irreducible for forest in found) else self.of(f, ())

    @cached_property
    def _words(self) -> Words:
        return Words(self.module)

    @cached_property
    def costs(self) -> frozenset[str]:
        """The functions that do more than a constant number of steps."""
        defined = [f for f in self.module.functions.values() if not f.is_declaration]
        called = {f.name: {n for i in f.calls if (n := callee(i))} for f in defined}
        above: dict[str, set[str]] = {}
        for name, found in called.items():
            for c in found:
                above.setdefault(c, set()).add(name)
        own = {f.name for f in defined if loop_forest(f, self.module).loops}
        own |= {f.name for f in defined if f.name in self._below(f.name)}
        own |= {f.name for f in defined for i in f.calls if self._is_costly_outside(i)}
        return frozenset(closure(own, lambda n: above.get(n, ())))

    @cached_property
    def _known(self) -> dict[str, set[str]]:
        return {}

    def _below(self, name: str) -> set[str]:
        """The functions that one calls, directly or not."""

        def called(n: str) -> list[str]:
            f = self.module.functions.get(n)
            return [c for i in f.calls if (c := callee(i))] if f is not None else []

        if name not in self._known:
            self._known[name] = closure(called(name), called)
        return self._known[name]

    def _is_costly_outside(self, i: Instruction) -> bool:
        name = callee(i)
        if name is None:
            return isinstance(i.operands[0], Register)
        entry, f = library_function(name), self.module.functions.get(name)
        if entry is not None:
            return bool(entry.cost)
        return f is not None and is_elsewhere(self.module, f)

    def walks(self, symbol: str) -> tuple[Walk, ...]:
        """The loops of a function, each by itself."""
        values = self._values(symbol)
        return tuple(values.walk(loop.header) for loop in values.forest.loops)

    def _values(self, symbol: str) -> _Values:
        if symbol not in self._read:
            f = self.module.functions[symbol]
            forest = loop_forest(f, self.module)
            self._read[symbol] = _Values(f, self._words, forest, self.names, self._written)
        return self._read[symbol]

    @cached_property
    def _read(self) -> dict[str, _Values]:
        return {}

    @cached_property
    def _writes(self) -> dict[str, frozenset[str]]:
        return {}

    def _written(self, name: str) -> frozenset[str]:
        """The members and variables that a function writes, or one that it calls."""
        if name not in self._writes:
            found = set[str]()
            for n in {name, *self._below(name)}:
                f = self.module.functions.get(n)
                if f is not None and not f.is_declaration:
                    found |= self._values(n).stored
            self._writes[name] = frozenset(found)
        return self._writes[name]

    def of(self, f: Function, above: tuple[str, ...]) -> tuple[Chain, ...]:
        """The chains of a function, those of the functions inside it among them."""
        values = self._values(f.name)
        found = [
            Chain(walks, values.needs(loop.header), loop.at)
            for loop in values.forest.loops
            if (walks := values.around(loop.header)) and walks[-1].at == loop.at
        ]
        for block in f.blocks.values():
            if block.terminator.opcode == "unreachable":
                continue  # reports of failures, which nothing follows
            for i in block.instructions:
                if i.is_call:
                    found += self._called(values, block.name, i, (*above, f.name))
        return tuple(found)

    def _called(
        self, values: _Values, block: str, i: Instruction, above: tuple[str, ...]
    ) -> Iterator[Chain]:
        """The chains of a call: its own, or those of the function inside."""
        name = callee(i)
        called = self.module.functions.get(name or "")
        is_here = called is not None and not called.is_declaration
        if (is_here and name not in self.costs) or not (is_here or self._is_costly_outside(i)):
            return
        walks, needs = values.around(block), values.needs(block)
        if called is not None and is_here and name in self.inside and name not in above:
            for chain in self.of(called, above):
                at = walks[-1].at if walks else chain.at
                loops = (*walks, *chain.loops)
                yield replace(chain, loops=loops, needs=needs | chain.needs, at=at)
            return
        spoken = name or values.pointer(i.operands[0])
        if name in above or (is_here and above[0] in self._below(spoken)):
            spoken = AGAIN if name in above else self.names.get(spoken, spoken) + f" {AGAIN}"
        else:
            spoken = self.names.get(spoken, spoken)
        passed = frozenset(
            f"{k} {values.text([o], None)} {values.motion(o)}" for k, o in enumerate(i.operands[1:])
        )
        at = walks[-1].at if walks else ""
        is_foreign = not is_here and library_function(spoken) is None
        yield Chain(walks, needs, at, spoken, passed, is_foreign)


@dataclass(frozen=True)
class _Values:
    """Slices of the values of a function."""

    f: Function
    words: Words
    forest: LoopForest
    names: Mapping[str, str]
    written: Callable[[str], frozenset[str]]

    @cached_property
    def _loops(self) -> dict[str, Loop]:
        return self.forest.by_header()

    @cached_property
    def _walks(self) -> dict[str, Walk]:
        return {}

    @cached_property
    def stored(self) -> frozenset[str]:
        """The members and variables that its stores write."""
        stores = (i for b in self.f.blocks.values() for i in b.instructions if i.opcode == "store")
        return frozenset(self._place(i.operands[1]) for i in stores) - {""}

    def walk(self, header: str) -> Walk:
        """The loop with a header."""
        if header not in self._walks:
            self._walks[header] = self._walk(self._loops[header])
        return self._walks[header]

    def around(self, block: str) -> tuple[Walk, ...]:
        """The loops around a block, the outermost first, without those that run a constant number
        of times."""
        header, found = self.forest.innermost.get(block), list[Walk]()
        while header is not None:
            walk = self.walk(header)
            if not walk.is_constant:
                found.insert(0, walk)
            header = self._loops[header].parent
        return tuple(found)

    def needs(self, block: str) -> frozenset[str]:
        """The conditions that hold wherever the block is reached."""
        return self._needs(block, "")

    def _needs(self, block: str, start: str) -> frozenset[str]:
        """Those below another block."""
        found, below = set[str](), block
        while below != start and (above := self.forest.dominator.get(below, below)) != below:
            branch = self.f.blocks[above].terminator
            around = [loop for loop in self._loops.values() if above in loop.blocks]
            is_of_loop = any(
                block not in loop.blocks or any(s not in loop.blocks for s in branch.labels)
                for loop in around
            )
            ways = [k for k, s in enumerate(branch.labels) if self._leads(above, s, block)]
            if len(branch.labels) > 1 and len(ways) == 1 and not is_of_loop:
                if branch.opcode == "br":
                    known = conjuncts(self.f, branch.operands[0], ways[0] == 0, self._loops)
                    found.update(self._condition(c, is_true) for c, is_true in known)
                else:
                    found.add(f"{ways[0]} {self.text(branch.operands[:1], None)}")
            below = above
        return frozenset(found)

    def _leads(self, above: str, way: str, block: str) -> bool:
        """Does control come to the block only by this way out of a block above?"""
        return self.f.predecessors[way] == (above,) and self.forest.dominates(way, block)

    def _condition(self, condition: Operand, is_true: bool) -> str:
        known = test_of(self.f.definitions.get(condition), is_true)
        if known is None:
            return f"{is_true} {self.text([condition], None)}"
        return f"{known[0]} {self.text(known[1], None)}"

    def _walk(self, loop: Loop) -> Walk:
        f, ways, said = self.f, set[tuple[str, frozenset[str]]](), ""
        is_constant = is_capped = False
        roots = list[Operand]()
        for block in loop.blocks:
            branch = f.blocks[block].terminator
            leaving = [s not in loop.blocks for s in branch.labels]
            if not any(leaving) or branch.opcode == "invoke":
                continue
            needs = self._needs(block, loop.header)
            if branch.opcode != "br" or not branch.operands:
                roots += branch.operands[:1]
                ways.add((self.text(branch.operands[:1], loop), needs))
                continue
            for condition, stays in conjuncts(f, branch.operands[0], not leaving[0], self._loops):
                is_true = not stays
                known = test_of(f.definitions.get(condition), is_true)
                operands = (condition,) if known is None else known[1]
                roots += operands
                is_capped |= known is not None and self._is_capped(known[1], loop)
                is_constant |= known is not None and self._is_constant(known[1], loop)
                word = str(is_true) if known is None else known[0]
                ways.add((f"{word} {self.text(operands, loop)}", needs))
        moves, members = self._moves(roots, loop)
        if members:
            said = "what " + " and ".join(f"{MEMBER}{m}" for m in sorted(members)) + " leads to"
        return Walk(loop.at, moves, frozenset(ways), said, is_constant, is_capped)

    def _is_constant(self, test: Sequence[Operand], loop: Loop) -> bool:
        """Is it a test of a counter that steps from a constant to one?"""
        bounds = [o for o in test if isinstance(o, IntLiteral)]
        reached = self._reached([o for o in test if not isinstance(o, IntLiteral)], loop)
        if not bounds or abs(bounds[0].value) > _LARGE:
            return False
        phis = [i for i in reached if i.opcode == "phi"]
        plain = {"phi", "add", "sub", "shl", "mul", "lshr", "ashr", "sext", "zext", "trunc"}
        return (
            len(phis) == 1
            and self.f.block_of[phis[0].token] == loop.header
            and len(reached) > 1
            and all(
                i.opcode in plain
                and all(
                    isinstance(o, (Register, IntLiteral)) and self._is_inner(o) for o in i.operands
                )
                for i in reached
            )
        )

    def _is_capped(self, test: Sequence[Operand], loop: Loop) -> bool:
        """Does a test compare with a value that may be a constant, as that of `n < 3 ? n : 3`?"""
        chosen = (o for o in test if (d := self.f.definitions.get(o)) and d.opcode in _CHOICES)
        return any(isinstance(o, IntLiteral) for o in self._leaves(list(chosen), loop))

    def _is_inner(self, o: Operand) -> bool:
        return not isinstance(o, Register) or o in self.f.definitions

    def _moves(self, roots: Iterable[Operand], loop: Loop) -> tuple[frozenset[str], frozenset[str]]:
        """What moves on in a loop, of that which its ends depend on; and the members by which."""
        reached = self._reached(roots, loop)
        phis = [i for i in reached if i.opcode == "phi" and self._block(i) == loop.header]
        steps = [
            o for i in phis for o, b in zip(i.operands, i.labels, strict=True) if b in loop.blocks
        ]
        moved = {self.text([o], loop, True) for o in self._leaves(steps, loop)}
        moved |= {
            self.text([s.operands[0]], loop, True)
            for i in reached
            if i.opcode == "load"
            for s in self._stores(loop).get(self._place(i.operands[0]), ())
        }
        moved |= {w for i in reached if i.opcode == "load" for w in self._writers(loop, i)}
        moved |= {f"{callee(i)}" for i in reached if i.is_call} if not moved else set()
        members = {
            last[1:]
            for i in self._reached([o for p in phis for o in p.operands], loop)
            if i.opcode == "load"
            and i.type == "ptr"
            and (last := self._place(i.operands[0])).startswith(".")
        }
        return frozenset(moved), frozenset(members)

    def motion(self, o: Operand) -> str:
        """How the variable of a loop moves on: a list walked from its start costs more than one
        walked from where the last iteration ended."""
        d = self.f.definitions.get(o)
        loop = self._loops.get(self._block(d)) if d is not None and d.opcode == "phi" else None
        if d is None or loop is None:
            return ""
        steps = [s for s, b in zip(d.operands, d.labels, strict=True) if b in loop.blocks]
        moved = sorted({self.text([s], loop, True) for s in self._leaves(steps, loop)})
        stays = any(i is d for i in self._reached_choices(steps, loop))
        return " ".join([*moved, "stays" * stays])

    def _reached_choices(self, roots: Sequence[Operand], loop: Loop) -> list[Instruction]:
        """The values of a loop that some are chosen from, one after another."""
        found, todo = dict[str, Instruction](), list(roots)
        while todo:
            d = self.f.definitions.get(todo.pop())
            if d is None or d.token in found or self._block(d) not in loop.blocks:
                continue
            found[d.token] = d
            if d.opcode in _CHOICES and self._block(d) != loop.header:
                todo += d.operands if d.opcode == "phi" else d.operands[1:]
        return list(found.values())

    def _leaves(self, roots: Sequence[Operand], loop: Loop) -> list[Operand]:
        """The values that some may be, whatever chooses among them; not what they were before."""
        found, todo = dict[Operand, None](), list(roots)
        while todo:
            o = todo.pop(0)
            d = self.f.definitions.get(o)
            if o in found or (
                d is not None and d.opcode == "phi" and self._block(d) == loop.header
            ):
                continue
            found[o] = None
            if d is not None and d.opcode == "phi" and self._block(d) in loop.blocks:
                todo += d.operands
            elif d is not None and d.opcode == "select":
                todo += d.operands[1:]
        return [
            o for o in found if (d := self.f.definitions.get(o)) is None or d.opcode not in _CHOICES
        ]

    def _reached(self, roots: Iterable[Operand], loop: Loop) -> list[Instruction]:
        """The instructions of a loop that values depend on."""
        found, todo = dict[str, Instruction](), list(roots)
        while todo:
            d = self.f.definitions.get(todo.pop())
            if d is None or d.token in found or self._block(d) not in loop.blocks:
                continue
            found[d.token] = d
            todo += d.operands[1:] if d.is_call else d.operands
            if d.opcode == "load":
                stores = self._stores(loop).get(self._place(d.operands[0]), ())
                todo += [s.operands[0] for s in stores]
        return list(found.values())

    def _block(self, i: Instruction) -> str:
        return self.f.block_of[i.token]

    def text(self, roots: Sequence[Operand], loop: Loop | None, is_inside: bool = False) -> str:
        """What values are made of, as a fingerprint. Variables of loops around are what they are
        called by their types; with `is_inside`, so is all that is made outside of the loop."""
        f = self.f
        numbers = {p.token: f"arg{k}" for k, p in enumerate(f.parameters)}
        lines, todo, seen = list[str](), list[Instruction](), 0

        def said(o: str) -> str:
            if not isinstance(o, Register):
                return self.words.content(o[1:].strip('"')) or o if o.startswith("@") else o
            if o in numbers:
                return numbers[o]
            d = f.definitions.get(o)
            if d is None:
                return "?"
            block = self._block(d)
            is_outer = loop is None or block not in loop.blocks
            is_variable = d.opcode == "phi" and block in self._loops
            if is_variable and is_inside and loop is not None and block == loop.header:
                numbers[o] = "self"
                return numbers[o]
            if is_outer and (is_variable or is_inside):
                numbers[o] = f"outer {d.type}"
                return numbers[o]
            numbers[o] = f"v{len(numbers)}"
            todo.append(d)
            return numbers[o]

        lines += [said(o) for o in roots]
        while todo and seen < _DEEP:
            i, seen = todo.pop(0), seen + 1
            if i.is_call:
                name = callee(i)
                called = self.pointer(i.operands[0]) if name is None else self.names.get(name, name)
                lines.append(" ".join(("call", called, *map(said, i.operands[1:]))))
                continue
            kind = [e for e in i.extra if "%" not in e and "!" not in e]
            given: Sequence[str] = self.words.of(i) if i.opcode == "getelementptr" else i.operands
            if i.opcode == "phi":
                given = tuple(dict.fromkeys(given))
            words = (i.opcode, i.type, *kind, *map(said, given))
            lines.append(" ".join(words))
            if i.opcode == "load" and loop is not None:
                stores = self._stores(loop).get(self._place(i.operands[0]), ())
                lines += [f"stored {said(s.operands[0])}" for s in stores]
                lines += self._writers(loop, i)
        return _hash("\n".join(lines))

    def pointer(self, o: Operand) -> str:
        """What stands for the functions that a pointer leads to: the member it was read from."""
        load = self.f.definitions.get(o)
        place = self._place(load.operands[0]) if load is not None and load.opcode == "load" else ""
        return f"{MEMBER}{place[1:]}" if place.startswith(".") else POINTER

    def _place(self, address: Operand) -> str:
        """The memory behind an address: a member, a variable; empty for others."""
        d = self.f.definitions.get(address)
        if d is not None and d.opcode == "getelementptr":
            last = self.words.of(d)[-1]
            return last if last.startswith(".") else ""
        return address if d is None or d.opcode == "alloca" else ""

    def _writers(self, loop: Loop, load: Instruction) -> list[str]:
        """The calls in a loop that write what it loads."""
        place = self._place(load.operands[0])
        found = {n for b in loop.blocks for i in self.f.blocks[b].instructions if (n := callee(i))}
        return sorted(self.names.get(n, n) for n in found if place and place in self.written(n))

    def _stores(self, loop: Loop) -> dict[str, list[Instruction]]:
        """Memory -> the stores to it in a loop."""
        known = self._stores_in.get(loop.header)
        if known is None:
            known = self._stores_in[loop.header] = {}
            for name, block in self.f.blocks.items():
                for i in block.instructions if name in loop.blocks else ():
                    if i.opcode == "store" and (place := self._place(i.operands[1])):
                        known.setdefault(place, []).append(i)
        return known

    @cached_property
    def _stores_in(self) -> dict[str, dict[str, list[Instruction]]]:
        return {}


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:24]
