"""Reads the transitions of a nest of loops from its instructions.

What a register holds is taken from the arithmetic of the path; where that may wrap around, is not
linear or comes from memory, it is a new name of which only the type is known. Selections and
comparisons that hold in two ways make two paths of one (control-flow refinement).

A name of a state stands for the number that a register holds: as unsigned where nothing reads it as
signed, else as signed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ..alias.library import Control, library_function
from ..expr import Assumptions, Expr, Monomial, Sym, is_nonnegative
from ..expr.budget import check_values
from ..ir.graph import callee
from ..ir.types import Instruction, IntLiteral, Operand, Register, int_bits
from ..ranking.linear import ZERO_FORM, Linear, name_, names_of, number
from ..ranking.polyhedra import implies, is_empty, spend, without_implied
from ..ranking.transitions import OPEN, PARAMETER, Transition, TransitionSystem
from .arithmetic.fits import fitting, may_wrap_around, readers
from .context import FunctionContext
from .nest_cells import Cell, cell_of
from .values import Value

_STEPS_OF_A_PATH = 2_000
_END = ""
"""Where a path leads to that ends the function."""
_MOST_PATHS = 96
_MOST_BLOCKS = 240
_MOST_CHOICES = 8
_SMALL = 16
"""Bits of integers whose range is a fact of each path; wider ones are only asked whether they
fit."""
_READ_AS_SIGNED = ("sext", "sdiv", "srem", "ashr", "call")
_READ_AS_UNSIGNED = ("zext", "udiv", "urem", "lshr", "and")
"""Instructions whose result is a signed, or an unsigned, number, whoever reads it."""
_DIVISIONS = ("sdiv", "udiv", "srem", "urem")
_SELECTED = {"llvm.smax": 1, "llvm.umax": 1, "llvm.smin": -1, "llvm.umin": -1}
_ORDERED = {"gt": (1, -1), "ge": (1, 0), "lt": (-1, -1), "le": (-1, 0)}
"""Sign of left - right, and what is added: the fact `>= 0` that holds where the comparison does."""
_OPPOSITE = {"eq": "ne", "ne": "eq", "gt": "le", "ge": "lt", "lt": "ge", "le": "gt"}


class NotLinear(Exception):
    """The nest has no such system, or too large a one."""


class _Choice(Exception):
    """A path goes on in two ways, told apart by `key`."""

    def __init__(self, key: str) -> None:
        self.key = key


class _Impossible(Exception):
    """No run takes this path."""


@dataclass
class _Path:
    """One path: its blocks in order, the choices made on it, and what was found of it."""

    blocks: tuple[str, ...]
    choices: Mapping[str, bool]
    facts: list[Linear] = field(default_factory=list)
    values: dict[tuple[str, bool], Linear] = field(default_factory=dict)
    opened: int = 0

    def again(self, key: str, value: bool) -> _Path:
        """The same path from its start, with one more choice."""
        return _Path(self.blocks, {**self.choices, key: value})


def is_unsigned(view: FunctionContext, token: Operand) -> bool:
    """Is a register read as unsigned alone?"""
    read = readers(view, token)
    return read.unsigned and not read.signed


class Reader:
    """Reads the transitions of the nest around one header."""

    def __init__(
        self, view: FunctionContext, root: str | None, *, with_largest: bool = False
    ) -> None:
        """root: the header of the nest; None: all loops of the function. with_largest: values that
        a run reads are no more than the largest one, which is a parameter."""
        self.with_largest = with_largest
        self.tests_reads = False
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
        self._unsigned: dict[str, bool] = {}
        self._known: Assumptions = (
            view.program.assumptions
            if root is None
            else view.assumptions_on_entry(view.loops[root])
        )

    def system(self) -> TransitionSystem:
        """
        Raises:
            NotLinear: the nest is too large or has no single entry.
        """
        if len(self.blocks) > _MOST_BLOCKS or self.view.forest.irreducible:
            raise NotLinear
        if any(self.view.loops[h].is_shared for h in self.headers):
            raise NotLinear
        library = (library_function(callee(i) or "") for i in self.function.calls)
        if any(f is not None and f.control is Control.TWICE for f in library):
            raise NotLinear  # a jump back begins loops anew
        sources = sorted({self.root, *self.headers})
        found = [p for h in sources for p in self._paths(h)]
        state = self._state(found)
        transitions = []
        for path, target, starts in found:
            made = self._transition(path, target, starts, state)
            if made is not None and made not in transitions:
                transitions.append(made)
            if len(transitions) > _MOST_PATHS:
                raise NotLinear
        first = self._first(state[self.root])
        known = tuple(self._fact(k) for k in self._known.known)
        ranges = [r for p in self.values for r in self._range_facts(p, narrow=False)]
        ranges += [r for p in tuple(self.values) for r in self._square_facts(p)]
        parents = {h: self.view.loops[h].parent for h in self.headers}
        if self.root in parents:
            parents[self.root] = None
        return TransitionSystem(
            self.root,
            parents,
            tuple(transitions),
            state,
            first,
            without_implied((*known, *ranges)),
            self.values,
            frozenset(self.needs),
            {n: r for n, r in self.ranges.items() if not n.startswith(OPEN)},
        )

    # -- paths
    def _paths(self, header: str) -> list[tuple[_Path, str | None, bool]]:
        """The paths from a header to the next ones, each with what it is known by."""
        found: list[tuple[_Path, str | None, bool]] = []
        work: list[tuple[str, ...]] = [(header,)]
        while work:
            blocks = work.pop()
            check_values()
            for target in dict.fromkeys(self.function.blocks[blocks[-1]].successors or (_END,)):
                if target in self.blocks and target not in self.headers:
                    work.append((*blocks, target))
                    continue
                end = target if target in self.blocks else None
                found += self._refined(_Path((*blocks, target), {}), end)
                if len(found) > _MOST_PATHS:
                    raise NotLinear
        return found

    def _refined(self, path: _Path, end: str | None) -> Iterator[tuple[_Path, str | None, bool]]:
        """The ways in which control takes a path."""
        work = [path]
        while work:
            path = work.pop()
            spend(_STEPS_OF_A_PATH)
            try:
                self._pass(path)
                if end is not None:
                    for phi in self.function.blocks[end].phis:
                        if int_bits(phi.type) is not None:
                            self._incoming(path, phi)
            except _Choice as choice:
                if len(path.choices) >= _MOST_CHOICES:
                    raise NotLinear from None
                work += [path.again(choice.key, True), path.again(choice.key, False)]
                continue
            except _Impossible:
                continue
            if not is_empty(self._facts(path)):
                yield path, end, self._starts(path)

    def _starts(self, path: _Path) -> bool:
        """Does an iteration of the loop begin, rather than end by its own test?"""
        loop = self.view.loops.get(path.blocks[0])
        if loop is None:
            return False
        for source, target in zip(path.blocks, path.blocks[1:], strict=False):
            if target not in loop.blocks:
                return not any(
                    e.source == source and e.target == target and e.is_test for e in loop.exits
                )
        return True

    def _pass(self, path: _Path) -> None:
        """Collect what holds on a path by its branches."""
        for source, target in zip(path.blocks, path.blocks[1:], strict=False):
            end = self.function.blocks[source].terminator
            if end.opcode == "br" and len(set(end.labels)) == 2:
                self._holds(path, end.operands[0], end.labels[0] == target)
            elif end.opcode == "switch" and int_bits(end.type or "i32") is not None:
                self._switched(path, end, target)

    def _switched(self, path: _Path, end: Instruction, target: str) -> None:
        cases = [c for c, label in zip(end.cases, end.labels[1:], strict=True) if label == target]
        if end.labels[0] != target and len(cases) == 1 and isinstance(cases[0], IntLiteral):
            value = self._value(path, end.operands[0], False)
            self._equal(path, value - cases[0].value)

    # -- conditions
    def _equal(self, path: _Path, difference: Linear) -> None:
        path.facts += [difference, -difference]
        self._look(path)

    def _look(self, path: _Path) -> None:
        if any(f.constant is not None and f.constant < 0 for f in path.facts[-2:]):
            raise _Impossible

    def _holds(self, path: _Path, token: Operand, truth: bool) -> None:
        """Add what holds where a condition has this value."""
        if token in ("true", "false"):
            if (token == "true") != truth:
                raise _Impossible
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

    def _is_truth(self, path: _Path, token: Operand, truth: bool) -> None:
        """A truth value that is a variable."""
        form = self._value(path, token, True)
        path.facts.append(form - 1 if truth else -form)
        self._look(path)

    def _joined(
        self, path: _Path, i: Instruction, parts: Sequence[Operand], is_and: bool, truth: bool
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

    def _chosen(self, path: _Path, key: str) -> bool:
        found = path.choices.get(key)
        if found is None:
            raise _Choice(key)
        return found

    def _compared(self, path: _Path, i: Instruction, truth: bool) -> None:
        if int_bits(i.type) is None:
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
                raise _Impossible
            if all(n.startswith(OPEN) for n in difference.names) and difference.names:
                return  # data alone decide
            is_more = self._chosen(path, f"{i.token} <")
            path.facts.append(difference - 1 if is_more else -difference - 1)
        else:
            sign, more = _ORDERED[kind[1:]]
            path.facts.append(difference.times(sign) + more)
        self._look(path)

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

    def _is_on(self, path: _Path, token: Operand) -> bool:
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
        if i is not None:
            return i.type if i.opcode != "icmp" else "i1"
        return next((p.type for p in self.function.parameters if p.token == token), "")

    def _value(
        self, path: _Path, token: Operand, unsigned: bool, bits: int | None = None
    ) -> Linear:
        """What a register holds, read as signed or as unsigned."""
        if isinstance(token, IntLiteral):
            return number(token.value % (1 << bits) if unsigned and bits else token.value)
        if token in ("true", "false"):
            return number(int(token == "true"))
        if not isinstance(token, Register):
            return self._open(path, token, unsigned, None)
        key = (token, unsigned)
        if key not in path.values:
            path.values[key] = self._found(path, token, unsigned)
        return path.values[key]

    def _found(self, path: _Path, token: Register, unsigned: bool) -> Linear:
        bits = int_bits(self._type(token))
        if bits is None:
            return self._open(path, token, unsigned, None)
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

    def _made(self, path: _Path, i: Instruction, unsigned: bool, bits: int) -> Linear:
        """What an instruction of a path yields, read as its readers do."""
        found = self._computed(path, i, unsigned, bits)
        if found is None:
            return self._uncomputed(path, i, unsigned, bits)
        if i.opcode in (_READ_AS_SIGNED if unsigned else _READ_AS_UNSIGNED):
            return self._read_as(path, found, unsigned, bits, i.token)
        return found

    def _uncomputed(self, path: _Path, i: Instruction, unsigned: bool, bits: int) -> Linear:
        """What a register holds that no arithmetic of the path tells."""
        if self._block(i) not in self.view.forest.innermost:
            return self._from_outside(i.token, unsigned)
        return self._steady(i, unsigned) or self._read(path, i, unsigned, bits)

    def _read(self, path: _Path, i: Instruction, unsigned: bool, bits: int) -> Linear:
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
                most = self.view.program.unknowns.largest(atom.name, self.function)
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

    def _held(self, path: _Path, cell: Cell, change: Instruction | None) -> Linear:
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
        self, path: _Path, form: Linear, unsigned: bool, bits: int, token: Operand
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

    def _facts(self, path: _Path, *, narrow: bool = True) -> list[Linear]:
        """What holds on a path so far."""
        names = names_of((*path.facts, *path.values.values()))
        ranged = [f for n in sorted(names) for f in self._range_facts(n, narrow=narrow)]
        return [*path.facts, *ranged]

    def _fits(self, path: _Path, form: Linear, bits: int, unsigned: bool) -> bool:
        """Is a form a number of this type wherever the path is taken?"""
        low = 0 if unsigned else -(1 << (bits - 1))
        facts = [*path.facts]
        facts += [self._fact(k) for k in self._known.known]
        for n in sorted(names_of((*facts, form))):
            facts += self._range_facts(n, narrow=False)
        return implies(facts, form - low) and implies(facts, number(low + (1 << bits) - 1) - form)

    def _open(self, path: _Path, token: str, unsigned: bool, bits: int | None) -> Linear:
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
            value = fitting(self.view, value, i, i.type, not unsigned)
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
                found = self.view.program.range_of(monomial[0][0].key)
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

    def _fact(self, e: Expr) -> Linear:
        return self._form(e)

    def _steady(self, i: Instruction, unsigned: bool) -> Linear | None:
        """What a register of the nest holds in all iterations, where that does not change: a value
        that is loaded again and again."""
        if i.opcode not in ("load", "mul", "call", "sdiv", "udiv", "srem", "urem", "shl"):
            return None
        value = self._number(i.token, unsigned)
        is_steady = not value.preconditions and not self._changes(value.expr)
        return self._form(value.expr) if is_steady else None

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

    # -- arithmetic
    def _computed(self, path: _Path, i: Instruction, unsigned: bool, bits: int) -> Linear | None:
        """What an instruction of a path makes of its operands; None where that is not linear."""
        match i.opcode:
            case "phi":
                return self._value(path, self._incoming_operand(path, i), unsigned, bits)
            case "freeze":
                return self._value(path, i.operands[0], unsigned, bits)
            case "add" | "sub" | "mul" | "shl":
                return self._sum(path, i, unsigned, bits)
            case "sext" | "zext":
                return self._extended(path, i)
            case "trunc":
                return self._cut(path, i, unsigned, bits)
            case "select":
                return self._selected(path, i, unsigned, bits)
            case "sdiv" | "udiv" | "srem" | "urem" | "lshr" | "ashr" | "and":
                return self._quotient(path, i, bits)
            case "call":
                return self._extreme(path, i, bits)
        return None

    def _extended(self, path: _Path, i: Instruction) -> Linear | None:
        source = i.operands[0]
        if i.extra[0] != "i1":
            return self._value(path, source, i.opcode == "zext", int_bits(i.extra[0]))
        holds = self._chosen(path, f"{i.token} bit")
        self._holds(path, source, holds)
        return number((1 if i.opcode == "zext" else -1) * holds)

    def _cut(self, path: _Path, i: Instruction, unsigned: bool, bits: int) -> Linear | None:
        if bits == 1:
            return None
        source = i.operands[0]
        inner = self._value(path, source, self._is_unsigned(source), int_bits(i.extra[0]))
        return inner if self._fits(path, inner, bits, unsigned) else None

    def _sum(self, path: _Path, i: Instruction, unsigned: bool, bits: int) -> Linear | None:
        """Sums, differences and multiples, which must not wrap around."""
        if unsigned and "nuw" not in i.flags:
            # a number that is added may stand for its opposite
            left, right = (
                number(o.value) if isinstance(o, IntLiteral) else self._value(path, o, True, bits)
                for o in i.operands
            )
        else:
            left, right = (self._value(path, o, unsigned, bits) for o in i.operands)
        found = self._combined(i.opcode, left, right)
        if found is None:
            is_product = i.opcode == "mul" and ("nuw" if unsigned else "nsw") in i.flags
            return self._product(path, i, left, right, unsigned) if is_product else None
        is_right = ("nuw" if unsigned else "nsw") in i.flags
        return found if is_right or self._fits(path, found, bits, unsigned) else None

    def _product(
        self, path: _Path, i: Instruction, x: Linear, y: Linear, unsigned: bool
    ) -> Linear | None:
        """A product that does not wrap around, by what is known of the signs of its factors."""
        steady = self._steady(i, unsigned)
        if steady is not None:
            return steady
        if x == y:
            own = self._open(path, str(i.token), unsigned, None)
            # of neighbours k and k + 1, a whole number lies between none: (x - k)(x - k - 1) >= 0
            path.facts += [own - x.times(2 * k + 1) + k * (k + 1) for k in (-2, -1, 0, 1)]
            path.facts.append(own)
            return own
        facts = self._facts(path)
        left, right = _side(facts, x), _side(facts, y)
        if left is None or right is None:
            return None
        (s, a), (t, b) = left, right
        own = self._open(path, str(i.token), unsigned, None)
        # (s x - a)(t y - b) >= 0
        path.facts.append(own.times(s * t) - x.times(s * b) - y.times(t * a) + a * b)
        path.facts.append(own.times(s * t) - a * b)
        return own

    @staticmethod
    def _combined(opcode: str, left: Linear, right: Linear) -> Linear | None:
        if opcode == "add":
            return left + right
        if opcode == "sub":
            return left - right
        by = right.constant
        if opcode == "shl":
            return left.times(1 << int(by)) if by is not None and 0 <= by < 62 else None
        if by is not None:
            return left.times(by)
        return right.times(left.constant) if left.constant is not None else None

    def _selected(self, path: _Path, i: Instruction, unsigned: bool, bits: int) -> Linear | None:
        holds = self._chosen(path, str(i.token))
        self._holds(path, i.operands[0], holds)
        return self._value(path, i.operands[1 if holds else 2], unsigned, bits)

    def _extreme(self, path: _Path, i: Instruction, bits: int) -> Linear | None:
        """llvm.smax and the like, llvm.abs."""
        name = callee(i) or ""
        kind = name.rpartition(".")[0]
        if kind == "llvm.abs" and i.operands[2:3] == ("true",):
            inner = self._value(path, i.operands[1], False, bits)
            holds = self._chosen(path, str(i.token))
            path.facts.append(inner if holds else -inner - 1)
            return inner if holds else -inner
        if kind not in _SELECTED or self._is_unsigned(i.token) != (kind[5] == "u"):
            return None
        left, right = (self._value(path, o, kind[5] == "u", bits) for o in i.operands[1:3])
        holds = self._chosen(path, str(i.token))
        over = (left - right).times(_SELECTED[kind])
        path.facts.append(over if holds else -over - 1)
        return left if holds else right

    def _quotient(self, path: _Path, i: Instruction, bits: int) -> Linear | None:
        """A quotient by a number is a new name between two forms; what is left, or a mask keeps,
        too."""
        by = i.operands[1]
        if isinstance(by, Register) and i.opcode in _DIVISIONS:
            return self._divided(path, i, bits)
        if not isinstance(by, IntLiteral) or (by.value <= 0 and i.opcode != "ashr"):
            return None
        if i.opcode in ("lshr", "ashr") and not 0 <= by.value < bits - 1:
            return None
        divisor = 1 << by.value if i.opcode in ("lshr", "ashr") else by.value
        if i.opcode == "and":
            return self._masked(path, i, by.value, bits)
        is_unsigned = i.opcode in ("udiv", "urem", "lshr")
        inner = self._value(path, i.operands[0], is_unsigned, bits)
        is_least = i.opcode == "ashr" or is_unsigned or implies(self._facts(path), inner)
        if not is_least:
            holds = self._chosen(path, f"{i.token} sign")
            path.facts.append(inner if holds else -inner - 1)
            is_least = holds
        own = self._open(path, str(i.token), is_unsigned, None)
        rest = inner - own.times(divisor)
        if not is_least or i.opcode != "ashr" or implies(self._facts(path), inner):
            path.facts.append(own if is_least else -own)
        path.facts += (
            [rest, number(divisor - 1) - rest] if is_least else [-rest, rest + (divisor - 1)]
        )
        return rest if i.opcode in ("srem", "urem") else own

    def _divided(self, path: _Path, i: Instruction, bits: int) -> Linear | None:
        """A quotient, or what is left, where the divisor varies and is positive."""
        is_unsigned = i.opcode in ("udiv", "urem")
        x, y = (self._value(path, o, is_unsigned, bits) for o in i.operands)
        if not is_unsigned and not self._is_least(path, f"{i.token} divisor", y, 1):
            return None
        own = self._open(path, str(i.token), is_unsigned, None)
        path.facts.append(y - 1)
        if i.opcode in ("srem", "urem"):
            path.facts += [y - 1 - own, own if is_unsigned else y - 1 + own]
        elif is_unsigned or self._is_least(path, f"{i.token} sign", x, 0):
            path.facts += [own, x - own]
        else:
            path.facts += [-own, own - x]
        return own

    def _is_least(self, path: _Path, key: str, form: Linear, least: int) -> bool:
        """Is a form at least a number? Both ways are gone where that is open."""
        if form.constant is not None:
            return form.constant >= least
        holds = self._chosen(path, key)
        path.facts.append(form - least if holds else -form + (least - 1))
        return holds

    def _masked(self, path: _Path, i: Instruction, mask: int, bits: int) -> Linear:
        """Between 0 and the mask, and no more than a number that is not negative."""
        own = self._open(path, str(i.token), True, None)
        inner = self._value(path, i.operands[0], self._is_unsigned(i.operands[0]), bits)
        path.facts += [own, number(mask) - own]
        if implies(self._facts(path), inner):
            path.facts.append(inner - own)
        return own

    # -- states
    def _incoming_operand(self, path: _Path, phi: Instruction) -> Operand:
        at = path.blocks.index(self._block(phi))
        if at == 0:
            raise NotLinear
        return phi.operands[phi.labels.index(path.blocks[at - 1])]

    def _incoming(self, path: _Path, phi: Instruction) -> Linear:
        """What a path hands to a variable of the header that it leads to."""
        given = phi.operands[phi.labels.index(path.blocks[-2])]
        return self._value(
            path, given, self._is_unsigned(phi.token) or phi.type == "i1", int_bits(phi.type)
        )

    def _state(
        self, found: Sequence[tuple[_Path, str | None, bool]]
    ) -> Mapping[str, frozenset[str]]:
        """The names that matter at each header: those that its paths test, and those that go into
        what matters behind them."""
        state: dict[str, set[str]] = {h: set() for h in (self.root, *self.headers)}
        for path, _, _ in found:
            state[path.blocks[0]] |= _variables(path.facts)
        changed = True
        while changed:
            changed = False
            for path, target, _ in found:
                spend(_STEPS_OF_A_PATH)
                own = state[path.blocks[0]]
                handed = (self._handed(path, n, target) for n in state[target]) if target else ()
                more = _variables(tuple(handed)) - own
                if more:
                    changed = True
                    own |= more
        return {h: frozenset(names) for h, names in state.items()}

    def _handed(self, path: _Path, name: str, target: str) -> Linear:
        """The value of a name of the target's state at the end of a path."""
        token = Register(name)
        try:
            if name in self.cells:
                cell = self.cells[name]
                way = self._way(path.blocks[:-1])
                return self._held(path, cell, cell.last_change(way, None))
            i = self.function.definitions[token]
            if i.opcode == "phi" and self._block(i) == target:
                return self._incoming(path, i)
            return self._value(path, token, self._is_unsigned(token) or self._type(token) == "i1")
        except (_Choice, _Impossible):
            return name_(f"{OPEN}{name}")

    def _transition(
        self, path: _Path, target: str | None, starts: bool, state: Mapping[str, frozenset[str]]
    ) -> Transition | None:
        update = (
            {n: self._handed(path, n, target) for n in state[target]} if target is not None else {}
        )
        ranged = names_of((*path.facts, *update.values()))
        facts = [*path.facts]
        for n in sorted(ranged | state[path.blocks[0]]):
            facts += self._range_facts(n, narrow=True)
        guard = without_implied(facts)
        if is_empty(guard):
            return None
        self.tests_reads |= not self._reads.isdisjoint(names_of(guard))
        return Transition(path.blocks[0], target, guard, update, path.blocks[0] if starts else None)

    def _first(self, names: frozenset[str]) -> Mapping[str, Linear]:
        """The state on entry of the nest."""
        found: dict[str, Linear] = {}
        for name in sorted(names):
            if name in self.cells:
                found[name] = self._cell_first(self.cells[name])
                continue
            loop = self.view.loops[self.root]
            i = self.function.definitions[Register(name)]
            unsigned = self._is_unsigned(Register(name)) or i.type == "i1"
            if i.opcode != "phi" or self._block(i) != self.root:
                raise NotLinear
            outside = {o for o, b in zip(i.operands, i.labels, strict=True) if b not in loop.blocks}
            if len(outside) != 1:
                raise NotLinear
            given = outside.pop()
            bits = int_bits(i.type)
            if isinstance(given, Register):
                found[name] = self._from_outside(given, unsigned)
            elif isinstance(given, IntLiteral) or given in ("true", "false"):
                found[name] = self._value(_Path((self.root,), {}), given, unsigned, bits)
            else:
                raise NotLinear
        return found


def _side(facts: Sequence[Linear], x: Linear) -> tuple[int, int] | None:
    """Sign s and a small number a, of which facts say that s x >= a."""
    for sign in (1, -1):
        if implies(facts, x.times(sign)):
            return sign, next(a for a in (2, 1, 0) if a == 0 or implies(facts, x.times(sign) - a))
    return None


def _variables(forms: Sequence[Linear]) -> set[str]:
    """The names of registers in these forms."""
    return {n for n in names_of(forms) if not n.startswith((PARAMETER, OPEN))}
