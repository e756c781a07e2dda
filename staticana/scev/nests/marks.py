"""Marks: `if (!seen[w]) { seen[w] = 1; q.push(w); }` runs once for each element of `seen`.

How many cells of an array hold what a guard asks for is a ghost variable of the transition system.
A store behind the guard of the same cell, of what the guard does not ask for, lowers it by one;
any other store to the array raises it by one at most, and what else may write there makes it all
cells. So it is never less than the number of such cells, and never more than all cells: it is a
potential that pays for what each mark lets happen (Tarjan, "Amortized computational complexity",
1985).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property

from ...expr import NUMBER, Expr, symbols
from ...ir import cxx_names as cxx
from ...ir.graph import callee
from ...ir.matchers import is_any, is_icmp, is_load
from ...ir.types import Instruction, IntLiteral, Operand, Register
from ...ranking.linear import Linear, name_
from ...ranking.polyhedra import implies, is_empty
from ..nest_cells import CELL, Cell
from ..source_names import last_part, object_text
from ..unknowns import LARGEST, UnknownInfo
from .array_cells import Access, NestCells, Place
from .containers import Counted, Effect, asks_for_key, effect
from .values import MOST_ELEMENTS, Choice, Impossible, Path

_TYPE = "i64"
_MOST_MARKS = 3
"""Marks of a nest."""
_MOST_USERS = 12
"""Registers made of what is loaded that are looked at for a guard."""
_BIT = "bit"
_EXTENSIONS = ("sext", "zext", "freeze")
_STEPS = ("getelementptr", "add", "sub", "mul", "shl", "trunc", *_EXTENSIONS)
"""Instructions that make the same of the same."""
_ANY_MOMENT = frozenset({"volatile", "atomic"})


@dataclass(frozen=True)
class Asked:
    """What a guard asks of a cell: its value minus `least` is 0 (eq), is not (ne), is no less (ge)
    or no more (le); or it is an odd number (bit)."""

    kind: str
    unsigned: bool
    least: Operand

    def of_number(self, value: int, bits: int) -> bool | None:
        """Does a number have it? None where that is compared to no number."""
        if self.kind == _BIT:
            return value % 2 == 1
        if not isinstance(self.least, IntLiteral):
            return None
        low = 0 if self.unsigned else -(1 << (bits - 1))
        a, b = ((v - low) % (1 << bits) + low for v in (value, self.least.value))
        return {"eq": a == b, "ne": a != b, "ge": a >= b, "le": a <= b}[self.kind]


class Move(Enum):
    """What an instruction does to a number of marks; ANY: it may become all cells."""

    FEWER = -1
    SAME = 0
    MORE = 1
    ANY = 2


@dataclass(frozen=True)
class Marks(Cell):
    """How many cells of a place may hold what is asked for, or do not if `holds` is false. first:
    all of them."""

    accesses: Mapping[Instruction, Access] = field(compare=False)
    asked: Asked = field(compare=False)
    holds: bool


class NestMarks(NestCells):
    """The marks of a nest."""

    @cached_property
    def limits(self) -> dict[str, Linear]:
        """What names of the state are no more than."""
        return {}

    def has_marks(self) -> bool:
        """Is there a store behind a load of the same cells, or what puts into a set, in a loop, or
        a distance?"""
        found = (self._marked(), self._put_in(), self.distances)
        return any(True for way in found for _ in way)

    # -- guards
    def _marked(self) -> Iterator[tuple[Place, Mapping[Instruction, Access], list[Asked]]]:
        """The places that stores and guards of a loop have in common, with what these ask."""
        for place, accesses in self._accesses_by_place.items():
            inside = [a for a in accesses.values() if self._is_in_loop(a.i)]
            if not any(a.is_store for a in inside):
                continue
            asked = list(dict.fromkeys(q for a in inside if not a.is_store for q in self._asked(a)))
            if asked:
                yield place, accesses, asked

    def _is_in_loop(self, i: Instruction) -> bool:
        return self._blocks_of[i] in self.view.forest.innermost

    def _asked(self, load: Access) -> Iterator[Asked]:
        """What comparisons ask of what is loaded."""
        if load.bits == 1:
            yield Asked(_BIT, True, IntLiteral("0"))
            return
        work: list[tuple[Operand, int]] = [(load.value, 0)]
        seen = 0
        while work and seen < _MOST_USERS:
            token, added = work.pop()
            seen += 1
            for user in self.function.users.get(token, ()):
                if user.opcode in _EXTENSIONS:
                    work.append((user.token, added))
                elif user.opcode == "trunc" and user.type == "i1":
                    yield Asked(_BIT, True, IntLiteral("0"))
                elif user.opcode == "add" and isinstance(user.operands[1], IntLiteral):
                    work.append((user.token, added + user.operands[1].value))
                elif is_icmp(user) and user.operands[0] == token:
                    yield from self._compared_to(user, added, load)

    def _compared_to(self, i: Instruction, added: int, load: Access) -> Iterator[Asked]:
        """What a comparison asks of what is loaded, and what is near to that: of a number that is
        counted down to 0, whether it is more."""
        least, kind = i.operands[1], i.extra[0]
        unsigned = kind[0] == "u" if len(kind) == 3 else self._is_unsigned(load.value)
        if isinstance(least, IntLiteral):
            low = 0 if unsigned else -(1 << (load.bits - 1))
            for end in (least.value - added + k for k in (0, -1, 1)):
                if low <= end < low + (1 << load.bits):  # as a number of its own type
                    kinds = ("eq", "ne", "ge", "le") if end + added == least.value else ("ge", "le")
                    yield from (Asked(k, unsigned, IntLiteral(str(end))) for k in kinds)
        elif isinstance(least, Register) and not added and not self._moves(least):
            kinds = ("eq", "ne", "ge", "le") if len(kind) == 2 else ("ge", "le")
            yield from (Asked(k, unsigned, least) for k in kinds)

    # -- what paths do to marks
    def find_marks(self, paths: Sequence[Path]) -> None:
        """Make variables of the marks that these paths set, and add what each needs to be set."""
        found: list[Marks] = []
        for place, accesses, asked in self._marked():
            if len(found) == _MOST_MARKS:
                break
            first = self._number_of_cells(place, accesses)
            changes = self._changing_cells(accesses.values())
            if changes is None:
                continue
            best, marks = 0, None
            for k, (q, holds) in enumerate((q, h) for q in asked for h in (True, False)):
                if not holds and q.kind != _BIT:
                    continue
                name = f"{CELL}marks{len(found)}.{k}"
                tried = Marks(name, _TYPE, True, frozenset(), changes, first, accesses, q, holds)
                moves = [set(self._moves_of(p, tried)) for p in paths]
                score = sum(len(paths) * (Move.FEWER in m) - (Move.MORE in m) for m in moves)
                if score > best:
                    best, marks = score, tried
            if marks is not None:
                self.needs |= first.preconditions
                found.append(marks)
        for i in self._put_in():
            cell = self._counted(i.operands[1])
            if cell is not None and cell.name not in self.limits:
                self.limits[cell.name] = self._form(self._most_elements(i.operands[1], cell))
                for p in paths:
                    last = cell.last_change(self._way(p.blocks[:-1]), None)
                    self._held(p, cell, last)
        for marks in found:
            self.cells[marks.name] = marks
            self.limits[marks.name] = self._form(marks.first.expr)
            self.ranges[marks.name] = (0, MOST_ELEMENTS)
            for p in paths:
                self._left(p, marks)

    # -- sets
    def _put_in(self) -> Iterator[Instruction]:
        """The calls in loops that put a key into a set or a map, which has each once."""
        for i, block in self._blocks_of.items():
            if i.is_call and block in self.view.forest.innermost:
                if effect(i) is Effect.ONE_MORE_IF_NEW:
                    yield i

    def _most_elements(self, container: Operand, cell: Counted) -> Expr:
        """The largest number of elements that a set has, which keys it is told bound."""
        view = self.view
        text = object_text(view, container)[0] or "keys"
        return view.program.unknowns.add(
            UnknownInfo(
                symbols.unknown(view.function.name, "most elements", cell.name),
                "value",
                f"most {last_part(text)}_size",
                f"{LARGEST}{text}{NUMBER}",
                view.place(view.function.entry.instructions[0]),
                view.function.name,
                view.function.entry.name,
            )
        )

    def _after(self, path: Path, cell: Cell, change: Instruction, effect: Effect) -> Linear:
        after = super()._after(path, cell, change, effect)
        most = self.limits.get(cell.name)
        if most is not None:
            path.facts.append(most - after)
            thrown = is_any(change, "invoke") and change.labels[1] in path.blocks
            if effect is Effect.ONE_MORE_IF_NEW and not thrown:
                at = next(k for k, b in enumerate(path.blocks) if self._has(b, change))
                last = cell.last_change(self._way(path.blocks[: at + 1]), change)
                before = self._held(path, cell, last)
                is_new = self._is_new(path, cell, change)
                if is_new is not None:
                    path.facts.append(after - before - 1 if is_new else before - after)
        return after

    def _is_new(self, path: Path, cell: Cell, insertion: Instruction) -> bool | None:
        """Has a set a key not yet that is put in, by what it says then, or was asked before?"""
        parts = [u for u in self.function.users.get(insertion.token, ()) if u.extra[:1] == ("1",)]
        for token in (t for p in parts if p.opcode == "extractvalue" for t in self._truths(p)):
            if token in path.told:
                return path.told[token]
        key, name = insertion.operands[2], callee(insertion) or ""
        if len(insertion.operands) > 3 and "map" not in name:
            return None  # a key that is made of several
        is_number = cxx.KEYS_ARE_NUMBERS.search(name) is not None
        location = self.view.program.memory.aliasing.location(self.function, key, "")
        changes = cell.changes | self.view.program.memory.changing(
            self.view, location._replace(size=None), self.blocks
        )
        found: bool | None = None
        for i in (i for way in self._way(path.blocks[:-1]) for i in way):
            if i is insertion:
                return found
            if i in changes or (i.may_write and not is_number and not asks_for_key(i)):
                found = None
            elif asks_for_key(i) and self._is_of(cell, i.operands[1]):
                if self._is_same(path, key, i.operands[2]):
                    found = self._is_missing(path, i)
        return None

    def _truths(self, part: Instruction) -> Iterator[Operand]:
        """A truth value that is a part of what a call returns, as a bit or as a byte."""
        yield part.token
        for u in self.function.users.get(part.token, ()):
            if u.opcode == "trunc" and u.type == "i1":
                yield u.token

    def _is_missing(self, path: Path, asked: Instruction) -> bool | None:
        """Has a set a key not, by what a path knows of the answer: a number, an iterator or a truth
        value?"""
        if asked.token in path.told:
            return not path.told[asked.token]
        for u in self.function.users.get(asked.token, ()):
            if is_icmp(u) and u.token in path.told and u.operands[1] in ("0", "null"):
                if u.extra[0] in ("eq", "ne"):
                    return path.told[u.token] == (u.extra[0] == "eq")
        return None

    def _moves_of(self, path: Path, marks: Marks) -> Iterator[Move]:
        """What the instructions of a path do to the number of marks, in order."""
        return (move for _, move, _ in self._changes_of(path, marks))

    def _changes_of(
        self, path: Path, marks: Marks
    ) -> Iterator[tuple[Instruction, Move, Sequence[Access]]]:
        """The instructions of a path that may change the number of marks, in order, what they do
        to it, and the accesses that tell what cells hold before them."""
        known: list[Access] = []  # of one cell, or read since anything was written
        for i in (i for b in path.blocks[:-1] for i in self.function.blocks[b].instructions):
            access = marks.accesses.get(i)
            if access is not None and not access.is_store:
                known.append(access)
            elif access is not None:
                same = [k for k in known if self._is_same(path, k.address, access.address)]
                yield i, self._stored(path, marks, same, access), known
                known = [access]
            elif i in marks.changes:
                yield i, Move.ANY, known
                known = []

    @cached_property
    def _same(self) -> dict[tuple[tuple[str, ...], Operand, Operand], bool]:
        """Pairs of registers that were asked for on ways: are they the same?"""
        return {}

    def _is_same(self, path: Path, one: Operand, other: Operand) -> bool:
        """Are two registers of a path the same: by the same steps from the same values, which
        nothing has changed in between?"""
        if one == other:
            return True
        key = path.blocks, one, other
        known = self._same.get(key)
        if known is None:
            known = self._same[key] = self._has_same_steps(path, one, other)
        return known

    def _has_same_steps(self, path: Path, one: Operand, other: Operand) -> bool:
        a, b = self.function.definitions.get(one), self.function.definitions.get(other)
        if a is None or b is None or a.type != b.type:
            return False
        x, y = self.view.scalars.value(one), self.view.scalars.value(other)
        if x == y and not x.preconditions:
            return True
        if is_load(a) and is_load(b):
            return self._is_read_twice(path, a, b)
        return self._is_same_step(a, b) and all(
            self._is_same(path, x, y) for x, y in zip(a.operands, b.operands, strict=True)
        )

    @staticmethod
    def _is_same_step(a: Instruction, b: Instruction) -> bool:
        """Do two instructions make the same of the same operands?"""
        is_step = is_any(a, *_STEPS) or (
            a.is_call and cxx.ELEMENT.match(callee(a) or "") is not None
        )
        return (
            is_step
            and (a.opcode in _STEPS) == (b.opcode in _STEPS)
            and (a.is_call or a.opcode == b.opcode)
            and a.extra[:1] == b.extra[:1]
            and len(a.operands) == len(b.operands)
        )

    def _is_read_twice(self, path: Path, one: Instruction, other: Instruction) -> bool:
        """Do two loads of a path read the same place, which nothing on the way between them may
        write to?"""
        way = [i for instructions in self._way(path.blocks[:-1]) for i in instructions]
        at = sorted(k for k, i in enumerate(way) if i is one or i is other)
        if len(at) != 2 or one.tbaa != other.tbaa or (one.flags | other.flags) & _ANY_MOMENT:
            return False
        if not self._is_same(path, one.operands[0], other.operands[0]):
            return False
        memory = self.view.program.memory
        place = memory.aliasing.location(self.function, one.operands[0], one.type, one.tbaa)
        if memory.may_change_at_any_time(place):
            return False
        changes = memory.changing(self.view, place, self.blocks)
        return changes.isdisjoint(way[at[0] + 1 : at[1]])

    def _stored(self, path: Path, marks: Marks, known: Sequence[Access], store: Access) -> Move:
        """What a store does to the number of marks; known: what the cell was read as before."""
        same = (self._is_marked(path, marks, k) for k in known)
        before = next((truth for truth in same if truth is not None), None)
        after = self._is_marked(path, marks, store)
        if before is True:
            return Move.FEWER if after is False else Move.SAME
        if after is False:
            return Move.SAME
        is_kept = any(self._is_kept(path, marks, k, store) for k in known)
        return Move.SAME if is_kept else Move.MORE

    def _is_kept(self, path: Path, marks: Marks, load: Access, store: Access) -> bool:
        """Does what is stored hold what is asked for only where what was read did?"""
        if marks.asked.kind not in ("ge", "le"):
            return False
        try:
            old, new = (self._over(path, marks.asked, a) for a in (load, store))
        except (Choice, Impossible):
            return False
        sign = 1 if marks.asked.kind == "ge" else -1
        return is_empty([*self._facts(path), -old.times(sign) - 1, new.times(sign)])

    def _left(self, path: Path, marks: Marks) -> Linear:
        """The marks at the end of a path."""
        key = Register(f"{marks.name}.left"), True
        if key not in path.values:
            most = self._form(marks.first.expr)
            left = name_(marks.name) if path.blocks[0] in self.headers else most
            for move in self._moves_of(path, marks):
                if move is Move.FEWER:
                    path.facts.append(left - 1)
                    left = left - 1
                elif move is Move.ANY:
                    left = most
                elif move is Move.MORE:
                    own = self._open(path, marks.name, True, 64)
                    path.facts += [own - left, left + 1 - own, most - own]
                    left = own
            path.values[key] = left
        return path.values[key]

    def _held(self, path: Path, cell: Cell, change: Instruction | None) -> Linear:
        return (
            self._left(path, cell) if isinstance(cell, Marks) else super()._held(path, cell, change)
        )

    def _cell_first(self, cell: Cell) -> Linear:
        return self._form(cell.first.expr) if isinstance(cell, Marks) else super()._cell_first(cell)

    def _range_facts(self, name: str, *, narrow: bool) -> Iterator[Linear]:
        yield from super()._range_facts(name, narrow=narrow)
        if name in self.limits:
            yield self.limits[name] - name_(name)

    def _holds(self, path: Path, token: Operand, truth: bool) -> None:
        path.told[token] = truth
        super()._holds(path, token, truth)

    # -- what cells hold
    def _is_marked(self, path: Path, marks: Marks, access: Access) -> bool | None:
        """Does a cell hold what is asked for, by what is read or stored there on a path? None where
        that is not known."""
        found = self._is_as_asked(path, marks.asked, access)
        return None if found is None else found == marks.holds

    def _is_as_asked(self, path: Path, asked: Asked, access: Access) -> bool | None:
        value = access.value
        if value in ("true", "false"):
            value = IntLiteral(str(int(value == "true")))
        if isinstance(value, IntLiteral):
            own = asked.of_number(value.value, access.bits)
            if own is not None:
                return own
        if asked.kind == _BIT:
            return self._is_odd(path, value)
        told = self._told(path, asked, value)
        return self._follows(path, asked, access) if told is None else told

    def _is_odd(self, path: Path, value: Operand) -> bool | None:
        """The truth value that a register is, or that is its lowest bit, as a path tells it."""
        made = self.function.definitions.get(value)
        if is_any(made, "zext") and made.extra[0] == "i1":
            value = made.operands[0]
        tokens = [value, *(u.token for u in self.function.users.get(value, ()) if u.type == "i1")]
        for token in tokens:
            made = self.function.definitions.get(token)
            if token in path.told and (token == value or is_any(made, "trunc")):
                return path.told[token]
        return None

    def _told(self, path: Path, asked: Asked, value: Operand) -> bool | None:
        """What a branch on the same comparison says."""
        wide = "zext" if asked.unsigned else "sext"  # as which it is the same number
        tokens = [value]
        for token in tokens:
            for user in self.function.users.get(token, ()):
                if user.opcode in (wide, "freeze") and len(tokens) < _MOST_USERS:
                    tokens.append(user.token)
                if is_icmp(user) and user.token in path.told and user.operands[0] == token:
                    kind = user.extra[0]
                    if user.operands[1] == asked.least and {kind, asked.kind} <= {"eq", "ne"}:
                        return path.told[user.token] == (kind == asked.kind)
        return None

    def _over(self, path: Path, asked: Asked, access: Access) -> Linear:
        """What is read or stored, less what it is compared to."""
        least = self._value(path, asked.least, asked.unsigned, access.bits)
        return self._value(path, access.value, asked.unsigned, access.bits) - least

    def _follows(self, path: Path, asked: Asked, access: Access) -> bool | None:
        """What the facts of a path say."""
        try:
            over = self._over(path, asked, access)
        except (Choice, Impossible):
            return None
        facts = [*self._facts(path), *self._rising(over)]
        is_over, is_under = implies(facts, over), implies(facts, -over)
        match asked.kind:
            case "ge":
                return True if is_over else False if implies(facts, -over - 1) else None
            case "le":
                return True if is_under else False if implies(facts, over - 1) else None
        is_other = implies(facts, over - 1) or implies(facts, -over - 1)
        is_equal = True if is_over and is_under else False if is_other else None
        return is_equal if is_equal is None or asked.kind == "eq" else not is_equal

    def _rising(self, form: Linear) -> Iterator[Linear]:
        """That variables which only rise are no less than what they start with."""
        for name in sorted(form.names):
            least = self._least(name)
            if least is not None:
                yield name_(name) - least

    def _least(self, name: str) -> int | None:
        """The least number that a variable starts with that nothing lowers."""
        if name not in self._lowest:
            found: int | None = MOST_ELEMENTS
            work, seen = list[Operand]([Register(name)]), set[Operand]()
            while work and found is not None:
                token = work.pop()
                if token in seen:
                    continue
                seen.add(token)
                i = self.function.definitions.get(token)
                if isinstance(token, IntLiteral):
                    found = min(found, token.value)
                elif is_any(i, "phi", "freeze"):
                    work += i.operands
                elif is_any(i, "select"):
                    work += i.operands[1:]
                elif is_any(i, "add") and "nsw" in i.flags and _is_rise(i.operands[1]):
                    work.append(i.operands[0])
                else:
                    found = None
            self._lowest[name] = None if found == MOST_ELEMENTS else found
        return self._lowest[name]

    @cached_property
    def _lowest(self) -> dict[str, int | None]:
        return {}


def _is_rise(o: Operand) -> bool:
    return isinstance(o, IntLiteral) and o.value >= 0
