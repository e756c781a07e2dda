"""What registers hold on the paths of a nest of loops, and what branches say of them.

What a register holds is taken from the arithmetic of the path; where that may wrap around, is not
linear or comes from memory, it is a new name of which only the type is known.

A name of a state stands for the number that a register holds: as unsigned where nothing reads it as
signed, else as signed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ...expr import Assumptions, Expr, Monomial, Sym, is_nonnegative
from ...ir.types import GlobalRef, Instruction, IntLiteral, Operand, Register, int_bits
from ...ranking.linear import ZERO_FORM, Linear, name_, names_of, number
from ...ranking.polyhedra import connected, implies
from ...ranking.transitions import OPEN, PARAMETER
from ..arithmetic.fits import fitting, may_wrap_around, readers
from ..context import FunctionContext
from ..nest_cells import Cell, cell_of
from ..values import Value

_SMALL = 16
"""Bits of integers whose range is a fact of each path; wider ones are only asked whether they
fit."""
_READ_AS_SIGNED = ("sext", "sdiv", "srem", "ashr", "call")
_READ_AS_UNSIGNED = ("zext", "udiv", "urem", "lshr", "and")
"""Instructions whose result is a signed, or an unsigned, number, whoever reads it."""
_PASSED_ON = ("phi", "select", "freeze", "add", "sub", "mul", "shl")
_MOST_USERS = 64
"""Registers made of a value that are looked at."""
MOST_ELEMENTS = (1 << 63) - 1
"""No container has more elements, no text more characters."""
_ORDERED = {"gt": (1, -1), "ge": (1, 0), "lt": (-1, -1), "le": (-1, 0)}
"""Sign of left - right, and what is added: the fact `>= 0` that holds where the comparison does."""
_OPPOSITE = {"eq": "ne", "ne": "eq", "gt": "le", "ge": "lt", "lt": "ge", "le": "gt"}


class NotLinear(Exception):
    """The nest has no such system, or too large a one."""


class Choice(Exception):
    """A path goes on in two ways, told apart by `key`."""

    def __init__(self, key: str) -> None:
        self.key = key


class Impossible(Exception):
    """No run takes this path."""


@dataclass
class Path:
    """One path: its blocks in order, the choices made on it, and what was found of it. told: the
    conditions that branches asked for."""

    blocks: tuple[str, ...]
    choices: Mapping[str, bool]
    facts: list[Linear] = field(default_factory=list)
    values: dict[tuple[str, bool], Linear] = field(default_factory=dict)
    opened: int = 0
    told: dict[Operand, bool] = field(default_factory=dict)

    def onto(self, block: str, choices: Mapping[str, bool]) -> Path:
        """The path with a block more, these choices, and all that was found of it."""
        blocks = (*self.blocks, block)
        return Path(blocks, choices, [*self.facts], {**self.values}, self.opened, {**self.told})


def is_unsigned(view: FunctionContext, token: Operand) -> bool:
    """Is a register read as unsigned, and as signed at most by what takes any bits: stores and
    calls?"""
    read = readers(view, token)
    return read.unsigned and not (read.signed and _is_read_as_signed(view, token))


def _is_read_as_signed(view: FunctionContext, token: Operand) -> bool:
    """Is a register, or what is made of it, compared as signed, or extended so?"""
    seen, work = {token}, [token]
    while work:
        for user in view.function.users.get(work.pop(), ()):
            if user.opcode in ("sext", "sdiv", "srem", "ashr", "sitofp"):
                return True
            if user.opcode == "icmp" and user.extra[0][0] == "s":
                return True
            if user.opcode in _PASSED_ON and user.token not in seen:
                if len(seen) > _MOST_USERS:
                    return True
                seen.add(user.token)
                work.append(user.token)
    return False


class NestValues:
    """The registers of the nest around one header, and what its branches say, path by path."""

    def __init__(
        self,
        view: FunctionContext,
        root: str | None,
        *,
        with_largest: bool = False,
        with_objects: bool = False,
        with_marks: bool = False,
        with_shares: bool = False,
    ) -> None:
        """root: the header of the nest; None: all loops of the function. with_largest: values that
        a run reads are no more than the largest one, which is a parameter. with_objects: accesses
        stay inside their objects. with_marks: cells of arrays that hold what a guard asks for are
        counted. with_shares: quotients by what varies are all, or no more than half."""
        self.with_largest, self.with_objects = with_largest, with_objects
        self.with_marks, self.with_shares = with_marks, with_shares
        self.tests_reads = False
        self.divides = False  # by what varies, a number that is not negative
        self.is_inside = False  # do accesses tell something?
        self._reads: set[str] = set()
        self.cells: dict[str, Cell] = {}
        self._cells_of: dict[str, Cell | None] = {}
        self._cell_at: dict[tuple[Expr, str], Cell | None] = {}
        self.view = view
        self.function = view.function
        self.root = root or view.function.entry.name
        self.blocks = frozenset(view.reachable) if root is None else view.loops[root].blocks
        self.headers = {h for h in view.loops if h in self.blocks}
        self.values: dict[str, Expr] = {}
        self.needs: set[Expr] = set()
        self.ranges: dict[str, tuple[int, int]] = {}
        self._outside: dict[tuple[str, bool], Linear] = {}
        self._steady_forms: dict[tuple[str, bool], Linear | None] = {}
        self._unsigned: dict[str, bool] = {}
        self._known: Assumptions = (
            view.program.assumptions
            if root is None
            else view.assumptions_on_entry(view.loops[root])
        )

    def _computed(self, path: Path, i: Instruction, unsigned: bool, bits: int) -> Linear | None:
        """What an instruction of a path makes of its operands; None where that is not linear."""
        raise NotImplementedError

    def _address(self, path: Path, token: Operand) -> Linear:
        """Where an address is, in bytes; only differences of addresses mean anything."""
        raise NotImplementedError

    def _incoming_operand(self, path: Path, phi: Instruction) -> Operand:
        at = path.blocks.index(self._block(phi))
        if at == 0:
            raise NotLinear
        return phi.operands[phi.labels.index(path.blocks[at - 1])]

    # -- conditions
    def _equal(self, path: Path, difference: Linear) -> None:
        path.facts += [difference, -difference]
        self._look(path)

    def _look(self, path: Path) -> None:
        if any(f.constant is not None and f.constant < 0 for f in path.facts[-2:]):
            raise Impossible

    def _holds(self, path: Path, token: Operand, truth: bool) -> None:
        """Add what holds where a condition has this value."""
        if token in ("true", "false"):
            if (token == "true") != truth:
                raise Impossible
            return
        i = self.function.definitions.get(token)
        if i is None or not self._is_on(path, token):
            if i is None or self.function.block_of[token] in self.view.forest.innermost:
                self._is_truth(path, token, truth)
            return
        if i.opcode == "icmp":
            self._compared(path, i, truth)
        elif i.opcode == "freeze":
            self._holds(path, i.operands[0], truth)
        elif i.opcode == "xor" and i.operands[1] == "true":
            self._holds(path, i.operands[0], not truth)
        elif i.opcode in ("and", "or"):
            self._joined(path, i, i.operands, i.opcode == "and", truth)
        elif i.opcode == "select" and i.operands[2] in ("false", "0"):
            self._joined(path, i, i.operands[:2], True, truth)
        elif i.opcode == "select" and i.operands[1] in ("true", "1"):
            self._joined(path, i, (i.operands[0], i.operands[2]), False, truth)
        elif i.opcode == "phi" and self._block(i) != path.blocks[0]:
            self._holds(path, self._incoming_operand(path, i), truth)
        elif i.opcode == "phi":
            self._is_truth(path, token, truth)

    def _is_truth(self, path: Path, token: Operand, truth: bool) -> None:
        """A truth value that is a variable."""
        form = self._value(path, token, True)
        path.facts.append(form - 1 if truth else -form)
        self._look(path)

    def _joined(
        self, path: Path, i: Instruction, parts: Sequence[Operand], is_and: bool, truth: bool
    ) -> None:
        """Two conditions of which both hold, or one."""
        if is_and == truth:
            for p in parts:
                self._holds(path, p, truth)
        elif self._chosen(path, f"{i.token}"):
            self._holds(path, parts[0], truth)
        else:
            self._holds(path, parts[0], not truth)
            self._holds(path, parts[1], truth)

    def _chosen(self, path: Path, key: str) -> bool:
        found = path.choices.get(key)
        if found is None:
            raise Choice(key)
        return found

    def _compared(self, path: Path, i: Instruction, truth: bool) -> None:
        if int_bits(i.type) is None and i.type != "ptr":
            return
        kind = i.extra[0] if truth else self._negated(i.extra[0])
        inner = self._extended_truth(i)
        if inner is not None:
            self._holds(path, inner, kind == "ne")
            return
        unsigned, bits = kind[0] == "u", int_bits(i.type)
        if kind in ("eq", "ne"):
            unsigned = self._is_unsigned(i.operands[0]) or self._is_unsigned(i.operands[1])
        left, right = (self._value(path, o, unsigned, bits) for o in i.operands)
        difference = left - right
        if kind == "eq":
            self._equal(path, difference)
            return
        if kind == "ne":
            if difference.constant == 0:
                raise Impossible
            if all(n.startswith(OPEN) for n in difference.names) and difference.names:
                return  # data alone decide
            if i.type == "ptr":
                self._ordered(i)
            is_more = self._chosen(path, f"{i.token} <")
            path.facts.append(difference - 1 if is_more else -difference - 1)
        else:
            sign, more = _ORDERED[kind[1:]]
            path.facts.append(difference.times(sign) + more)
        self._look(path)

    def _ordered(self, i: Instruction) -> None:
        """Note what is needed of two addresses that are asked whether they differ."""
        raise NotImplementedError

    @staticmethod
    def _negated(kind: str) -> str:
        return _OPPOSITE[kind] if len(kind) == 2 else kind[0] + _OPPOSITE[kind[1:]]

    def _extended_truth(self, i: Instruction) -> Operand | None:
        """The truth value b where zext(b) is compared with 0 for equality."""
        made = self.function.definitions.get(i.operands[0])
        is_bit = made is not None and made.opcode == "zext" and made.extra[0] == "i1"
        if made is None or not is_bit or i.extra[0] not in ("eq", "ne"):
            return None
        is_zero = isinstance(i.operands[1], IntLiteral) and i.operands[1].value == 0
        return made.operands[0] if is_zero else None

    # -- values
    def _block(self, i: Instruction) -> str:
        return self.function.block_of[i.token]

    def _is_on(self, path: Path, token: Operand) -> bool:
        """Is a register set on the path, the header that it leads to aside?"""
        return self.function.block_of.get(token) in path.blocks[:-1]

    def _is_unsigned(self, token: Operand) -> bool:
        if not isinstance(token, Register):
            return False
        found = self._unsigned.get(token)
        if found is None:
            found = self._unsigned[token] = is_unsigned(self.view, token)
        return found

    def _type(self, token: Operand) -> str:
        i = self.function.definitions.get(token)
        if i is not None and i.opcode == "extractvalue":
            return self._part_type(i)
        if i is not None:
            return {"icmp": "i1", "getelementptr": "ptr"}.get(i.opcode, i.type)
        return next((p.type for p in self.function.parameters if p.token == token), "")

    def _part_type(self, i: Instruction) -> str:
        """The type of the part that is taken out of a structure or an array."""
        kind = i.type
        for at in i.extra:
            members = self.view.program.layout.members(kind)
            if not at.isdecimal() or int(at) >= len(members):
                return ""
            kind = members[int(at)]
        return kind

    def _value(self, path: Path, token: Operand, unsigned: bool, bits: int | None = None) -> Linear:
        """What a register holds, read as signed or as unsigned."""
        if token == "null":
            return self._open(path, token, unsigned, None)
        if isinstance(token, IntLiteral):
            return number(token.value % (1 << bits) if unsigned and bits else token.value)
        if token in ("true", "false"):
            return number(int(token == "true"))
        if isinstance(token, GlobalRef):
            return self._address(path, token)
        if not isinstance(token, Register):
            return self._open(path, token, unsigned, None)
        key = (token, unsigned)
        if key not in path.values:
            path.values[key] = self._found(path, token, unsigned)
        return path.values[key]

    def _found(self, path: Path, token: Register, unsigned: bool) -> Linear:
        kind = self._type(token)
        bits = int_bits(kind)
        if bits is None and not kind.startswith("ptr"):  # a part of a structure, a fraction
            return self._open(path, token, unsigned, None)
        if bits is None:
            return self._address(path, token)
        if bits == 1:
            unsigned = True
        i = self.function.definitions.get(token)
        if i is None or self._is_given(i):
            return self._from_outside(token, unsigned)
        own = self._is_unsigned(token) or bits == 1
        if not self._is_on(path, token) or (i.opcode == "phi" and self._block(i) == path.blocks[0]):
            name = str(token)
            self._ranged(name, bits, own)
            found = name_(name)
        else:
            found = self._made(path, i, own, bits)
        return found if own == unsigned else self._read_as(path, found, unsigned, bits, token)

    def _made(self, path: Path, i: Instruction, unsigned: bool, bits: int) -> Linear:
        """What an instruction of a path yields, read as its readers do."""
        found = self._computed(path, i, unsigned, bits)
        if found is None:
            return self._uncomputed(path, i, unsigned, bits)
        if i.opcode in (_READ_AS_SIGNED if unsigned else _READ_AS_UNSIGNED):
            return self._read_as(path, found, unsigned, bits, i.token)
        return found

    def _uncomputed(self, path: Path, i: Instruction, unsigned: bool, bits: int) -> Linear:
        """What a register holds that no arithmetic of the path tells."""
        if self._block(i) not in self.view.forest.innermost:
            return self._from_outside(i.token, unsigned)
        return self._steady(i, unsigned) or self._read(path, i, unsigned, bits)

    def _read(self, path: Path, i: Instruction, unsigned: bool, bits: int) -> Linear:
        """What a run reads: what a cell holds, or a new name, no more than the largest such
        value."""
        cell = self._cell(i) if i.opcode == "load" else None
        if cell is not None:
            at = path.blocks.index(self._block(i))
            found = self._held(path, cell, cell.last_change(self._way(path.blocks[: at + 1]), i))
            if cell.unsigned == unsigned:
                return found
            return self._read_as(path, found, unsigned, bits, i.token)
        found = self._open(path, i.token, unsigned, bits)
        if i.opcode not in ("load", "call", "invoke"):
            return found
        self._reads |= found.names
        if self.with_largest and unsigned == self._is_unsigned(i.token):
            atom = self.view.scalars.value(i.token).expr.atom
            most = None
            if isinstance(atom, Sym):
                most = self.view.program.unknowns.extreme(atom.name, self.function)
            if most is not None:
                path.facts.append(self._form(most) - found)
        return found

    # -- cells
    def _cell(self, load: Instruction) -> Cell | None:
        """The cell that a load of the nest reads."""
        if load.token not in self._cells_of:
            address = self.view.scalars.value(load.operands[0])
            found = None
            if not address.preconditions and not self._changes(address.expr):
                key = (address.expr, load.type)
                if key not in self._cell_at:
                    unsigned = self._is_unsigned(load.token)
                    self._cell_at[key] = cell_of(
                        self.view, load, address.expr, unsigned, self.blocks, self._entered()
                    )
                found = self._cell_at[key]
            if found is not None and found.name not in self.cells:
                self.cells[found.name] = found
                self._ranged(found.name, found.bits, found.unsigned)
            self._cells_of[load.token] = found
        return self._cells_of[load.token]

    def _entered(self) -> tuple[str, Instruction]:
        """The block and the instruction at which the nest is entered."""
        if self.root not in self.headers:
            return self.root, self.function.blocks[self.root].instructions[0]
        before = self.view.loops[self.root].preheader
        if before is None:
            raise NotLinear
        return before, self.function.blocks[before].terminator

    def _way(self, blocks: Sequence[str]) -> list[Sequence[Instruction]]:
        return [self.function.blocks[b].instructions for b in blocks]

    def _held(self, path: Path, cell: Cell, change: Instruction | None) -> Linear:
        """What a cell holds on a path behind its last change there."""
        if change is None:
            return name_(cell.name) if path.blocks[0] in self.headers else self._cell_first(cell)
        if change in cell.stores:
            return self._value(path, change.operands[0], cell.unsigned, cell.bits)
        key = Register(f"{cell.name}.{change.line}"), cell.unsigned
        if key not in path.values:
            path.values[key] = self._open(path, key[0], cell.unsigned, cell.bits)
        return path.values[key]

    def _cell_first(self, cell: Cell) -> Linear:
        """What a cell holds on entry of the nest, which must be a number of its type."""
        e = cell.first.expr
        low = 0 if cell.unsigned else -(1 << (cell.bits - 1))
        needed = {e - low, low + (1 << cell.bits) - 1 - e} if e.atom is None else set()
        if cell.unsigned:
            needed.add(e)
        self.needs |= cell.first.preconditions
        self.needs |= {n for n in needed if not is_nonnegative(n, self._known)}
        return self._form(e)

    def _read_as(
        self, path: Path, form: Linear, unsigned: bool, bits: int, token: Operand
    ) -> Linear:
        """The same bits read the other way, which is the same number where it is small."""
        if form.constant is not None:
            low = 0 if unsigned else -(1 << (bits - 1))
            return number((int(form.constant) - low) % (1 << bits) + low)
        if self._fits(path, form, bits, unsigned):
            return form
        if any(n.startswith(OPEN) for n in form.names):
            return self._open(path, f"{token}.{unsigned}", unsigned, bits)
        # the upper half of unsigned numbers are the negative ones
        half = 1 << (bits - 1)
        is_low = self._chosen(path, f"{token}.{unsigned} half")
        below = form if unsigned else number(half - 1) - form
        path.facts.append(below if is_low else -below - 1)
        self._look(path)
        return form if is_low else form + (2 * half if unsigned else -2 * half)

    def _ranged(self, name: str, bits: int | None, unsigned: bool) -> None:
        if bits is not None:
            low = 0 if unsigned else -(1 << (bits - 1))
            self.ranges.setdefault(name, (low, low + (1 << bits) - 1))

    def _range_facts(self, name: str, *, narrow: bool) -> Iterator[Linear]:
        """What its type says of a name; narrow: only what small ones say, and that unsigned ones
        are not negative."""
        low, high = self.ranges.get(name, (None, None))
        if low is None or high is None:
            return
        is_small = high - low < 1 << _SMALL
        if low == 0 or is_small or not narrow:
            yield name_(name) - low
        if is_small or not narrow:
            yield number(high) - name_(name)

    def _facts(self, path: Path, *, narrow: bool = True) -> list[Linear]:
        """What holds on a path so far."""
        names = names_of((*path.facts, *path.values.values()))
        ranged = [f for n in sorted(names) for f in self._range_facts(n, narrow=narrow)]
        return [*path.facts, *ranged]

    def _fits(self, path: Path, form: Linear, bits: int, unsigned: bool) -> bool:
        """Is a form a number of this type wherever the path is taken?"""
        low = 0 if unsigned else -(1 << (bits - 1))
        facts = connected([*path.facts, *self._known_facts], form)
        for n in sorted(names_of((*facts, form))):
            facts += self._range_facts(n, narrow=False)
        return implies(facts, form - low) and implies(facts, number(low + (1 << bits) - 1) - form)

    def _open(self, path: Path, token: str, unsigned: bool, bits: int | None) -> Linear:
        """A new name for what is not known on a path."""
        path.opened += 1
        name = f"?{token}.{path.opened}"
        self._ranged(name, bits, unsigned)
        return name_(name)

    def _is_given(self, i: Instruction) -> bool:
        """Is a register set outside of what is read, or before all loops from what the function is
        given?"""
        block = self._block(i)
        if block not in self.blocks:
            return True
        if block in self.view.forest.innermost:
            return False
        e = self.view.scalars.value(i.token).expr
        return all(self.view.program.unknowns.get(s) is None for s in e.symbols)

    def _from_outside(self, token: Register, unsigned: bool) -> Linear:
        """A register that does not change in the nest, over parameters."""
        key = (str(token), unsigned)
        if key not in self._outside:
            value = self._number(token, unsigned)
            self.needs |= value.preconditions
            self._outside[key] = self._form(value.expr)
        return self._outside[key]

    def _number(self, token: Register, unsigned: bool) -> Value:
        """The number that a register is read as, which what made it must not have wrapped."""
        value = self.view.scalars.value(token)
        i, bits = self.function.definitions.get(token), int_bits(self._type(token))
        needed: set[Expr] = set()
        if i is not None and bits is not None and bits > 1:
            value = fitting(self.view, value, i, self._type(token), not unsigned)
            if may_wrap_around(self.view, token):
                low = 0 if unsigned else -(1 << (bits - 1))
                needed = {value.expr - low, low + (1 << bits) - 1 - value.expr}
        if unsigned:
            needed.add(value.expr)
        more = {n for n in needed if not is_nonnegative(n, self._known)}
        return Value(value.expr, value.preconditions | more)

    def _form(self, e: Expr) -> Linear:
        """A formula as a form over its monomials."""
        result = ZERO_FORM
        for monomial, c in e.terms.items():
            result = result + (number(c) if not monomial else self._parameter(monomial).times(c))
        return result

    def _parameter(self, monomial: Monomial) -> Linear:
        value = Expr({monomial: 1})
        name = f"{PARAMETER}{value}"
        if name not in self.values:
            self.values[name] = value
            if len(monomial) == 1 and monomial[0][1] == 1:
                a = monomial[0][0]
                found = self.view.program.range_of(a.key)
                if found is None and a.is_never_negative:
                    found = 0, MOST_ELEMENTS
                if found is not None:
                    self.ranges[name] = found
        return name_(name)

    def _square_facts(self, name: str) -> Iterator[Linear]:
        """A parameter that is a square is no less than what it is one of, nor than its opposite."""
        (monomial,) = self.values[name].terms
        is_square = len(monomial) == 1 and monomial[0][1] == 2
        if is_square and self.view.program.range_of(monomial[0][0].key) is not None:  # an integer
            root = self._parameter(((monomial[0][0], 1),))
            yield from (name_(name) - root, name_(name) + root)

    @cached_property
    def _known_facts(self) -> list[Linear]:
        """What is known where the nest is entered."""
        return [self._form(k) for k in self._known.known]

    def _steady(self, i: Instruction, unsigned: bool) -> Linear | None:
        """What a register of the nest holds in all iterations, where that does not change: a value
        that is loaded again and again."""
        if i.opcode not in ("load", "mul", "call", "sdiv", "udiv", "srem", "urem", "shl"):
            return None
        key = (str(i.token), unsigned)
        if key not in self._steady_forms:
            value = self._number(i.token, unsigned)
            is_steady = not any(map(self._changes, (value.expr, *value.preconditions)))
            # a value that wraps around for certain is not the number of its formula
            is_steady &= not any((n.constant or 0) < 0 for n in value.preconditions)
            self._steady_forms[key] = self._form(value.expr) if is_steady else None
            if is_steady:
                self.needs |= value.preconditions
        return self._steady_forms[key]

    def _changes(self, e: Expr) -> bool:
        """May a formula have several values in the nest?"""
        if self.root in self.headers and self.view.varying(e, self.root):
            return True
        own = {self.view.variables.index(h) for h in self.headers}
        return not e.symbols.isdisjoint(own) or any(
            (info := self.view.program.unknowns.get(s)) is not None
            and info.function == self.function.name
            and info.block in self.view.forest.innermost
            and info.block in self.blocks
            for s in e.symbols
        )
