"""Which loops go through phases, and by which variables: those that have one of a few values and
that no data change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from ...ir.graph import callee, closure
from ...ir.loop_info import Loop, loop_forest
from ...ir.matchers import is_any, is_gep, is_load, is_phi
from ...ir.types import Function, Instruction, IntLiteral, Module, Operand, Register, int_bits

MOST_STEPS = 40
"""Instructions that a test may be made of."""
_MOST_BLOCKS = 40
"""Blocks of a loop whose phases are told apart."""
OWN = "looplaw."
"""How the names of loops begin that stand for one iteration."""

OTHER, FIRST, NOT = "not null", "first", "not "
"""What a phi may hold beside a number: an address that is not null, what the variable had at first,
and, before a number, anything but this."""
_WHOLE = {"true": 1, "false": 0, "null": 0}


class Unfit(Exception):
    """A loop is not written anew."""


@dataclass(frozen=True)
class Variables:
    """The variables of a loop that tell its phases apart.

    Attributes:
        web: header phi -> itself and the phis that hand its next value on.
        first: header phi -> what it holds at first.
        inner: the loops inside.
    """

    loop: Loop
    web: Mapping[str, frozenset[str]]
    first: Mapping[str, str]
    inner: tuple[Loop, ...]

    @cached_property
    def phis(self) -> frozenset[str]:
        return frozenset[str]().union(*self.web.values())


def candidates(f: Function, module: Module) -> Iterator[Variables]:
    """Loops that variables with a few values may tell the phases of, inner ones first."""
    forest = loop_forest(f, module)
    heads = {loop.header for loop in forest.loops}
    for loop in reversed(forest.loops):
        if loop.latch is None or loop.preheader is None or len(loop.blocks) > _MOST_BLOCKS:
            continue
        if loop.header.startswith(OWN) or any(loop.blocks & c for c in forest.irreducible):
            continue
        telling, others = dict[str, frozenset[str]](), dict[str, frozenset[str]]()
        for phi in f.blocks[loop.header].phis:
            web = _web(f, loop, phi, heads)
            if web is not None and (phi.type != "ptr" or _first(f, loop, phi.token) != FIRST):
                (telling if _has_constants(f, loop, web) else others)[phi.token] = web
        telling = {p: web for p, web in telling.items() if _is_told(f, loop, web)}
        if telling:
            webs = telling | {p: w for p, w in others.items() if _first(f, loop, p) != FIRST}
            first = {p: _first(f, loop, p) for p in webs}
            within = (x for x in forest.loops if x.header in loop.blocks - {loop.header})
            yield Variables(loop, webs, first, tuple(within))


def _web(f: Function, loop: Loop, phi: Instruction, heads: set[str]) -> frozenset[str] | None:
    """The phis that hand on the next value of a variable, if all that they may take is constants,
    the variable as it is, or addresses that are not null."""
    if int_bits(phi.type) is None and phi.type != "ptr":
        return None
    web, work = {str(phi.token)}, [phi.operands[phi.labels.index(loop.latch or "")]]
    while work:
        token = work.pop()
        if token in web:
            continue
        i = f.definitions.get(token)
        if i is None or f.block_of[token] not in loop.blocks:
            if number_of(token) is None:
                return None
        elif is_phi(i) and f.block_of[token] not in heads:
            web.add(str(token))
            work += i.operands
        elif not _is_moved_address(i):
            return None
    return frozenset(web)


def is_number(value: str) -> bool:
    return value.lstrip("-").isdecimal()


def number_of(token: Operand | str) -> int | None:
    return token.value if isinstance(token, IntLiteral) else _WHOLE.get(token)


def _is_moved_address(i: Instruction) -> bool:
    """Is it an address that another one was moved to, inside of an object?"""
    is_moved = any(isinstance(o, IntLiteral) and o.value for o in i.operands[1:])
    is_constant = all(isinstance(o, IntLiteral) for o in i.operands[1:])
    return is_gep(i) and "inbounds" in i.flags and is_moved and is_constant


def _changes(f: Function, loop: Loop, web: frozenset[str]) -> Iterator[str]:
    """The blocks from which a variable comes with a constant."""
    for w in web:
        i = f.definitions[w]
        for o, label in zip(i.operands, i.labels, strict=True):
            if label in loop.blocks and number_of(o) is not None:
                yield label


def _has_constants(f: Function, loop: Loop, web: frozenset[str]) -> bool:
    return any(True for _ in _changes(f, loop, web))


def _is_told(f: Function, loop: Loop, web: frozenset[str]) -> bool:
    """Is the variable tested, and is it no data that decides when it changes?"""
    is_tested = any(tested(f, loop, b, web) for b in loop.blocks)
    return is_tested and not any(_rests_on_data(f, loop, b) for b in _changes(f, loop, web))


def tested(f: Function, loop: Loop, block: str, phis: Iterable[str]) -> frozenset[str]:
    """The phis that the branch at the end of a block tests."""
    end = f.blocks[block].terminator
    if len(set(end.labels)) < 2 or not is_any(end, "br", "switch"):
        return frozenset()
    return frozenset(phis) & {str(o) for o in _made_of(f, loop, end.operands[0])}


def _made_of(f: Function, loop: Loop, token: Operand) -> set[Operand]:
    """What a condition is made of: registers of the loop, as far as truth values and comparisons
    with constants go."""
    found, work = {token}, [token]
    while work and len(found) < MOST_STEPS:
        i = f.definitions.get(work.pop())
        if i is not None and is_any(i, "icmp", "trunc", "zext", "xor", "and", "or", "freeze"):
            new = {o for o in i.operands if isinstance(o, Register)} - found
            found |= new
            work += new
    return found


def _rests_on_data(f: Function, loop: Loop, block: str) -> bool:
    """Does what is read in the loop decide whether control comes to a block?"""
    found, work = set[str](), [*_deciding(f, loop, block)]
    while work:
        token = work.pop()
        if token in found or f.block_of.get(token) not in loop.blocks:
            continue
        found.add(token)
        i = f.definitions[token]
        if is_load(i) or (i.is_call and not (callee(i) or "").startswith("llvm.")):
            return True
        work += [o for o in i.operands if isinstance(o, Register)]
    return False


def _deciding(f: Function, loop: Loop, block: str) -> Iterator[Operand]:
    """The conditions in an iteration by which control does not come to a block."""

    def before(b: str) -> Iterable[str]:
        return (p for p in f.predecessors[b] if p in loop.blocks) if b != loop.header else ()

    above = closure([block], before)
    for b in above - {block}:
        end = f.blocks[b].terminator
        if is_any(end, "br", "switch") and not above >= loop.blocks & {*end.labels}:
            yield end.operands[0]


def _first(f: Function, loop: Loop, phi: str) -> str:
    """What a variable holds at first."""
    i = f.definitions[phi]
    token = i.operands[i.labels.index(loop.preheader or "")]
    number = number_of(token)
    if number is not None:
        return str(number)
    made = f.definitions.get(token)
    is_there = "nonnull" in f.attributes_of.get(token, "") or (
        made is not None and (is_any(made, "alloca") or _is_moved_address(made))
    )
    return OTHER if is_there else FIRST
