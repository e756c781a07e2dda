"""Loops whose bound is read anew in each iteration of the loop around them, as the rows of a sparse
matrix are.

For such a loop the number of iterations k_out - s, from its start s to its variable's value k_out
on the way out, is split at a value e that is known when the loop is entered:

    k_out - s = (e - s) + (k_out - e).

Any e is right. With the bound as e the second part is 0 wherever the loop runs to its end and has
iterations, which the optimiser sees and drops. Where the rows lie one behind the other (s is read
from a[i] and e from a[i + 1]) the first parts telescope: with v the last row's e, and any value at
first, v - s is added for each row, and the last v when the outer loop is left. If nothing
overwrites the array, the optimiser has one register for v and s, and nothing is left in the loop;
if something may, it subtracts what was read. So no count rests on what may be written where.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from staticana.ir.graph import callee
from staticana.ir.loop_info import Loop
from staticana.ir.tbaa import TypeRules
from staticana.ir.types import Function, Instruction, Module, Operand, Register

from .abnormal_exits import is_own
from .induction_variables import InductionVariable

_MAX_CHAIN = 10
"""Instructions that compute a bound; they are repeated in front of the loop, where the optimiser
finds them to be the same."""
_MAX_ACCESSOR = 12
"""Instructions of a function that is repeated, too, where it is called."""
_CASTS = frozenset(("sext", "zext"))
_PURE = frozenset(
    ("add", "sub", "mul", "shl", "and", "or", "xor", "sext", "zext", "trunc", "getelementptr")
)
_PREDICATES = {"slt": 0, "ult": 0, "ne": 0, "sle": 1, "ule": 1}
"""Relation of variable and bound while the loop goes on -> the variable on the way out less the
bound."""
_SWAPPED = {"sgt": "slt", "ugt": "ult", "ne": "ne", "sge": "sle", "uge": "ule"}
_NEGATED = {"sge": "slt", "uge": "ult", "eq": "ne", "sgt": "sle", "ugt": "ule"}
_COMPUTING = tuple(
    f"@llvm.{name}."
    for name in (
        "fma fmuladd fabs sqrt floor ceil trunc rint nearbyint round copysign minnum maxnum exp log"
        " pow sin cos abs smin smax umin umax ctpop ctlz cttz bswap fshl fshr expect"
    ).split()
)
_WRITING = frozenset(("store", "call", "invoke", "callbr", "cmpxchg", "atomicrmw", "fence"))


@dataclass(frozen=True)
class FirstRow:
    """What the first row begins at, known when the outer loop is entered.

    Attributes:
        test: instructions that compute whether there is a first row; `condition` is their result,
            None where there always is one. `when` is the outcome with which there is.
        chain: instructions that compute the row's start.
        given: header phi of the outer loop -> its value on entry.
    """

    test: tuple[Instruction, ...]
    condition: Operand | None
    when: bool
    chain: tuple[Instruction, ...]
    given: tuple[tuple[Register, Operand], ...]


@dataclass(frozen=True)
class DataBound:
    """The bound of a loop.

    Attributes:
        token: what the loop's variable is compared with, of type `type`.
        more: the variable on the way out less the bound.
        chain: the instructions inside of the loop that compute it, to be repeated in front of it.
        outer: the loop around it.
        first: where rows lie one behind the other: the start of the first; else None.
    """

    token: Operand
    type: str
    more: int
    chain: tuple[Instruction, ...]
    outer: Loop
    first: FirstRow | None

    @property
    def reads_address(self) -> bool:
        """Is the address of the array read in each iteration, too, or asked of a function?"""
        return any(i.is_call or (i.opcode == "load" and i.type == "ptr") for i in self.chain)


def find_data_bound(
    function: Function, loop: Loop, outer: Loop, variable: InductionVariable, accesses: Accesses
) -> DataBound | None:
    """The bound of a loop that the loop around it reads anew in each iteration; None where it has
    no such bound, or none that is known when it is entered."""
    if variable.step != "1" or variable.type == "ptr" or loop.preheader is None:
        return None
    header = function.blocks[loop.header]
    test = function.definitions.get(header.terminator.operands[0]) if _is_test(loop) else None
    if test is None or test.opcode != "icmp" or len(header.terminator.labels) != 2:
        return None
    found = _bound(function, test, variable, header.terminator.labels[0] in loop.blocks)
    if found is None:
        return None
    token, more = found
    slices = _Slices(function, accesses)
    chain = slices.leading_to(token, loop.blocks, {loop.header})
    if chain is None or not slices.is_first(header.instructions, chain):
        return None
    whole = slices.leading_to(token, outer.blocks, {loop.header})
    start = slices.leading_to(variable.start, outer.blocks, {loop.header})
    if (
        whole is None
        or start is None
        # then the optimiser has to compare at the loop's end, and nothing is gained
        or slices.stores(loop.blocks, (*whole, *start))
        or not (slices.reads(whole, outer) or slices.reads(start, outer))
    ):
        return None
    first = None
    if _are_rows(function, variable.start, token):
        first = _first_row(slices, loop, outer, start)
    return DataBound(token, test.type, more, chain, outer, first)


def _is_test(loop: Loop) -> bool:
    return any(e.source == loop.header and e.is_test for e in loop.exits)


def _bound(
    function: Function, test: Instruction, variable: InductionVariable, goes_on: bool
) -> tuple[Operand, int] | None:
    """The bound in a loop's test, and how far beyond it the variable is on the way out."""
    relation = test.extra[0]
    if not goes_on:
        relation = _NEGATED.get(relation, "")
    left, right = test.operands
    for mine, other, predicate in (
        (left, right, relation),
        (right, left, _SWAPPED.get(relation, "")),
    ):
        if predicate in _PREDICATES and _is_variable(function, mine, variable):
            return other, _PREDICATES[predicate]
    return None


def _is_variable(function: Function, token: Operand, variable: InductionVariable) -> bool:
    i = function.definitions.get(token)
    return token == variable.token or (
        i is not None and i.opcode == variable.extension and i.operands == (variable.token,)
    )


class Accesses:
    """How a module reads and writes memory, as far as types and small functions tell."""

    def __init__(self, module: Module) -> None:
        self._functions = module.functions
        self._may_alias = TypeRules(module).may_alias
        self._accessors: dict[str, tuple[Instruction, ...] | None] = {}

    def loads(self, i: Instruction) -> tuple[Instruction, ...] | None:
        """What an instruction reads that only computes or loads a value; None for others. It may
        be a call of an accessor, as `v[i]` of a std::vector is."""
        if i.opcode == "load":
            return (i,) if i.flags.isdisjoint(("volatile", "atomic")) else None
        if i.opcode in _PURE:
            return ()
        name = callee(i) if i.opcode == "call" else None
        return self._inside(name) if name is not None else None

    def _inside(self, name: str) -> tuple[Instruction, ...] | None:
        """What a function reads that does nothing else; None where it may do more."""
        if name not in self._accessors:
            self._accessors[name] = None  # one that calls itself is none
            self._accessors[name] = self._read_by(self._functions.get(name))
        return self._accessors[name]

    def _read_by(self, function: Function | None) -> tuple[Instruction, ...] | None:
        if not is_own(function) or function is None or len(function.blocks) != 1:
            return None
        *body, last = function.entry.instructions
        read = [self.loads(i) for i in body if not _is_note(i)]
        if last.opcode != "ret" or len(body) > _MAX_ACCESSOR:
            return None
        found = tuple(i for loads in read for i in loads or ())
        return None if None in read else found

    def may_change(self, i: Instruction, chain: Iterable[Instruction]) -> bool:
        """May a write change what the instructions of a chain read?"""
        read = {load.tbaa for c in chain for load in self.loads(c) or ()}
        if i.opcode != "store" or i.tbaa is None or None in read:
            return True
        return any(t is not None and self._may_alias(i.tbaa, t) for t in read)


class _Slices:
    """Instructions of a function that lead to a value."""

    def __init__(self, function: Function, accesses: Accesses) -> None:
        self.function, self.accesses = function, accesses

    def leading_to(
        self, token: Operand, blocks: Collection[str], without: Collection[str]
    ) -> tuple[Instruction, ...] | None:
        """The instructions within some blocks that compute a value, in their order; phis are where
        it ends. None where there are too many or other ones, or a phi of the blocks `without`."""
        found: dict[Operand, Instruction] = {}
        function = self.function

        def visit(of: Operand) -> bool:
            is_known = of in found or not isinstance(of, Register)
            if is_known or function.block_of.get(of) not in blocks:
                return True
            i = function.definitions[of]
            if i.opcode == "phi":
                return function.block_of[of] not in without
            if (
                self.accesses.loads(i) is None
                or len(found) >= _MAX_CHAIN
                or not all(map(visit, i.operands))
            ):
                return False
            found[of] = i
            return True

        return tuple(found.values()) if visit(token) else None

    def writes(self, i: Instruction) -> bool:
        """May it write to memory?"""
        is_harmless = _is_note(i) or _computes(i) or self.accesses.loads(i) is not None
        return i.opcode in _WRITING and not is_harmless

    def is_first(self, before: tuple[Instruction, ...], chain: tuple[Instruction, ...]) -> bool:
        """Is the chain computed at the front of a block, with nothing before it that may write?"""
        left = set(chain)
        for i in before:
            left.discard(i)
            if not left:
                return True
            if self.writes(i):
                return False
        return False

    def changes(self, blocks: Iterable[str], chain: Sequence[Instruction]) -> bool:
        """May something in these blocks change what a chain reads?"""
        return any(
            self.writes(i) and self.accesses.may_change(i, chain)
            for name in blocks
            for i in self.function.blocks[name].instructions
        )

    def stores(self, blocks: Iterable[str], chain: Sequence[Instruction]) -> bool:
        """May a store in these blocks change what a chain reads?"""
        return any(
            i.opcode == "store" and self.accesses.may_change(i, chain)
            for name in blocks
            for i in self.function.blocks[name].instructions
        )

    def loads(self, chain: tuple[Instruction, ...]) -> int:
        """How many values of memory are read in it."""
        return sum(len(self.accesses.loads(i) or ()) for i in chain)

    def reads(self, chain: tuple[Instruction, ...], outer: Loop) -> bool:
        """Does a chain read memory at a place that changes with the outer loop's variables?"""
        function = self.function
        return self.loads(chain) > 0 and any(
            function.block_of.get(o) == outer.header and function.definitions[o].opcode == "phi"
            for i in chain
            for o in i.operands
            if isinstance(o, Register)
        )


def _are_rows(function: Function, start: Operand, end: Operand) -> bool:
    """Are both read from one array? Then most likely the end of a row is the start of the next; if
    not, the count is right all the same."""
    one, other = (_address(function, token) for token in (start, end))
    if one is None or other is None:
        return False
    return _array(function, one) == _array(function, other)


def _address(function: Function, token: Operand) -> Instruction | None:
    """The address of what is loaded, where it is an element of an array."""
    i = function.definitions.get(token)
    while i is not None and i.opcode in _CASTS:
        i = function.definitions.get(i.operands[0])
    if i is None or i.opcode != "load":
        return None
    address = function.definitions.get(i.operands[0])
    if address is None:
        return None
    is_element = address.opcode == "getelementptr" and len(address.operands) == 2
    is_accessor = address.opcode == "call" and len(address.operands) == 3
    return address if is_element or is_accessor else None


def _array(function: Function, address: Instruction) -> object:
    """The array that an address lies in, as what it is read from."""
    if address.is_call:  # of an accessor: the object and the index are its arguments
        called, place_of, _ = address.operands
        return called, _place(function, place_of)
    i = function.definitions.get(address.operands[0])
    if i is None or i.opcode != "load":
        return address.type, address.operands[0]
    return address.type, _place(function, i.operands[0])


def _place(function: Function, token: Operand) -> object:
    """Where something is in memory."""
    place = function.definitions.get(token)
    if place is None or place.opcode != "getelementptr":
        return token
    return place.type, place.operands


def _first_row(
    slices: _Slices, loop: Loop, outer: Loop, start: tuple[Instruction, ...]
) -> FirstRow | None:
    """The start of the first row as it is known when the outer loop is entered; None where it need
    not be read then: where something lies between that decides whether it is, or may write what
    leads to it."""
    function = slices.function
    if outer.preheader is None or function.blocks[outer.preheader].terminator.opcode != "br":
        return None
    if len(function.blocks[outer.preheader].successors) != 1:
        return None
    head = function.blocks[outer.header]
    labels = head.terminator.labels
    inside = [label for label in labels if label in outer.blocks]
    if head.terminator.opcode != "br" or len(inside) != 1:
        return None
    condition = head.terminator.operands[0] if len(labels) == 2 else None
    path = [outer.header]
    while path[-1] != loop.preheader:
        block = function.blocks[path[-1]]
        following = inside if block is head else list(block.successors)
        if len(following) != 1 or following[0] in path or following[0] not in outer.blocks:
            return None
        path.append(following[0])
    # the start itself may be any value, but what is read on the way to it must be an address
    if slices.loads(start) > 1 and slices.changes(path, start):
        return None
    written = any(slices.writes(i) for name in path for i in function.blocks[name].instructions)
    if written and _calls(slices, path):
        return None
    test: tuple[Instruction, ...] = ()
    if condition is not None:
        found = _condition(slices, outer, condition)
        if found is None or (slices.loads(found) and slices.changes(path, found)):
            return None
        test = found
    phis = {p.token: p for p in head.phis}
    used = {o for i in (*start, *test) for o in i.operands if isinstance(o, Register)}
    given: list[tuple[Register, Operand]] = []
    for phi in phis.values():
        if phi.token in used:
            given.append(
                (phi.token, dict(zip(phi.labels, phi.operands, strict=True))[outer.preheader])
            )
    strange = {
        o
        for o in used
        if function.block_of.get(o) in outer.blocks
        and function.definitions[o].opcode == "phi"
        and o not in phis
    }
    if strange:
        return None
    return FirstRow(test, condition, bool(labels) and labels[0] == inside[0], start, tuple(given))


def _condition(slices: _Slices, outer: Loop, condition: Operand) -> tuple[Instruction, ...] | None:
    """The instructions that compute the outer loop's test."""
    function = slices.function
    i = function.definitions.get(condition)
    if i is None or i.opcode != "icmp" or function.block_of[condition] != outer.header:
        return None
    found: dict[Operand, Instruction] = {}
    for o in i.operands:
        chain = slices.leading_to(o, outer.blocks, ())
        if chain is None:
            return None
        found |= {c.token: c for c in chain}
    return (*found.values(), i)


def _is_note(i: Instruction) -> bool:
    """Is it a call that the optimiser drops, of a debug record or the like?"""
    return i.is_call and i.operands[0].startswith(("@llvm.dbg.", "@llvm.lifetime."))


def _computes(i: Instruction) -> bool:
    """Is it a call of an intrinsic that only computes a value?"""
    return i.opcode == "call" and i.operands[0].startswith(_COMPUTING)


def _calls(slices: _Slices, path: Collection[str]) -> bool:
    """Is something called that may end the life of memory?"""
    return any(
        i.is_call and not i.operands[0].startswith("@llvm.") and slices.accesses.loads(i) is None
        for name in path
        for i in slices.function.blocks[name].instructions
    )
