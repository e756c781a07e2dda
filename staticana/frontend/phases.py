"""Loops that go through phases, one loop for each of them.

`a.iter().chain(b)`, `.skip(k)`, a flag that says "the first time" and one that is set for the last
item leave one loop whose iterations do different things: a variable of it has one of a few
values, and never comes back to one that it has left. The loop is written once for each value
(control-flow refinement: Gulwani, Jain and Koskinen, PLDI 2009; Doménech, Gallagher and Genaim,
TPLP 2019), branches on the variable are decided then, and each part counts as loops do. An
iteration that runs at most once is no loop any more: an empty loop of one iteration stands beside
it, since the source says that it was one.

For the analysis alone: the program that runs keeps its loop.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

from looplaw_common.digraph import Digraph, circles
from looplaw_common.errors import LooplawWarning

from ..ir.graph import callee, closure
from ..ir.loop_info import Loop, loop_forest
from ..ir.matchers import is_any, is_gep, is_icmp, is_invoke, is_load, is_phi
from ..ir.parser import one_line_each, parse_module
from ..ir.tokens import NAME
from ..ir.types import (
    Function,
    Instruction,
    IntLiteral,
    Module,
    Operand,
    Register,
    int_bits,
    quoted,
)
from .isolation import BrokeDown, Refused, transformed

_MOST_BLOCKS = 40
_MOST_NODES = 100
_MOST_STATES = 4
_MOST_ROUNDS = 3
"""Loops in each other that are written anew, one after another."""
_MOST_STEPS = 40
"""Instructions that a test may be made of."""
_TOKEN = re.compile(rf"%{NAME}")
_LABEL = re.compile(rf"\blabel (%{NAME})")
_TYPE = re.compile(rf"(?m)^(%{NAME}) = type\b")
_OWN = "looplaw."
"""How the names of loops begin that stand for one iteration."""
_PHASE = re.compile(r"\.phase\d+\.")
_PLACED = re.compile(r", !dbg !\d+")
_MARKED = re.compile(r", !llvm\.loop !\d+")

_State = tuple[tuple[str, str], ...]
"""What phis hold: a number, `_OTHER` for an address that is not null, `_FIRST` for what the
variable had at first, `_NOT` before a number that this is not."""
_OTHER, _FIRST, _NOT = "not null", "first", "not "
_WHOLE = {"true": 1, "false": 0, "null": 0}


class _Unfit(Exception):
    """A loop is not written anew."""


def is_phase(header: str) -> bool:
    """Is it the header of a loop that stands for one phase of another one?"""
    return _PHASE.search(header) is not None


def headers_that_run(module: Module, function: str, at: str) -> list[str]:
    """The headers in a function of the program that runs, which has one loop in place of the phases
    of that of a place."""
    found = loop_forest(module.functions[function], module).loops
    return [loop.header for loop in found if loop.at == at]


def with_phases_apart(module: Module) -> Module:
    """The module in which loops with phases are several loops."""
    for number in range(_MOST_ROUNDS):
        found = [
            f.name
            for f in module.functions.values()
            if not f.is_declaration and any(True for _ in _candidates(f, module))
        ]
        text = _checked(module, found, f"phase{number}") if found else None
        if text is None:
            break
        try:
            module = parse_module(transformed(text, ("loop_simplify", "lcssa")))
        except (BrokeDown, Refused) as error:  # its loops are counted as they stand
            say = f"loops are not told apart by their phases: {error}"
            warnings.warn(say, LooplawWarning, stacklevel=2)
            break
    return module


def _checked(module: Module, names: list[str], tag: str) -> str | None:
    """The text with the loops of these functions written anew, where it can be told from it what
    was meant; None where there is nothing to write."""
    exits: dict[str, dict[tuple[str, str], bool]] = {}
    text = _written_anew(module, names, tag, exits)
    if text is None:
        return None
    again = parse_module(text)
    wrong = {
        name
        for name, meant in exits.items()
        for loop in loop_forest(again.functions[name], again).loops
        for e in loop.exits
        if meant.get((quoted(e.source), quoted(e.target)), e.is_test) != e.is_test
    }
    return _checked(module, [n for n in names if n not in wrong], tag) if wrong else text


def _written_anew(
    module: Module, names: Iterable[str], tag: str, exits: dict[str, dict[tuple[str, str], bool]]
) -> str | None:
    """The text with the loops of these functions written anew, but for those around others; None
    where there is nothing to write. exits: what edges are meant to be, for each function."""
    types = frozenset(_TYPE.findall(module.text))
    module = parse_module(one_line_each(module.text))
    lines: list[str | None] = [*module.text.split("\n")]
    is_changed = False
    for f in map(module.functions.__getitem__, names):
        touched: set[str] = set()
        for variables in _candidates(f, module):
            blocks = variables.loop.blocks
            phases = None
            if touched.isdisjoint(blocks):
                phases = _phases_of(f, module, variables, lines, types, tag)
            if phases is None:
                continue
            exits.setdefault(f.name, {}).update(phases.exits)
            touched |= {*blocks, *(e.target for e in variables.loop.exits)}
            for b in map(f.blocks.__getitem__, blocks):
                for number in range(b.line, b.terminator.line + 1):
                    lines[number] = None
            for number, text in phases.changes.items():
                lines[number] = text
            is_changed = True
    return "\n".join(line for line in lines if line is not None) if is_changed else None


def _phases_of(
    f: Function,
    module: Module,
    variables: _Variables,
    lines: list[str | None],
    types: frozenset[str],
    tag: str,
) -> _Phases | None:
    """A loop written anew; None where the phases cannot be told apart. An
    iteration goes over to the next phase as soon as nothing asks any more which one it began in,
    or at its end: whichever leaves fewer iterations outside of loops."""
    found: list[_Phases] = []
    for is_kept in (False, True):
        with suppress(_Unfit):
            found.append(_Phases(f, module, variables, lines, types, tag, is_kept=is_kept))
    return min(found, key=lambda phases: phases.alone, default=None)


# -- which loops, and by which variables
@dataclass(frozen=True)
class _Variables:
    """The variables of a loop that tell its phases apart. web: header phi -> itself and the phis
    that hand its next value on; first: header phi -> what it holds at first."""

    loop: Loop
    web: Mapping[str, frozenset[str]]
    first: Mapping[str, str]

    @cached_property
    def phis(self) -> frozenset[str]:
        return frozenset[str]().union(*self.web.values())


def _candidates(f: Function, module: Module) -> Iterator[_Variables]:
    """Loops that variables with a few values may tell the phases of, inner ones first."""
    forest = loop_forest(f, module)
    heads = {loop.header for loop in forest.loops}
    for loop in reversed(forest.loops):
        if loop.latch is None or loop.preheader is None or len(loop.blocks) > _MOST_BLOCKS:
            continue
        if loop.header.startswith(_OWN) or any(loop.blocks & c for c in forest.irreducible):
            continue
        telling, others = dict[str, frozenset[str]](), dict[str, frozenset[str]]()
        for phi in f.blocks[loop.header].phis:
            web = _web(f, loop, phi, heads)
            if web is not None and (phi.type != "ptr" or _first(f, loop, phi.token) != _FIRST):
                (telling if _has_constants(f, loop, web) else others)[phi.token] = web
        telling = {p: web for p, web in telling.items() if _is_told(f, loop, web)}
        if telling:
            webs = telling | {p: w for p, w in others.items() if _first(f, loop, p) != _FIRST}
            yield _Variables(loop, webs, {p: _first(f, loop, p) for p in webs})


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
            if _number(token) is None:
                return None
        elif is_phi(i) and f.block_of[token] not in heads:
            web.add(str(token))
            work += i.operands
        elif not _is_moved_address(i):
            return None
    return frozenset(web)


def _is_number(value: str) -> bool:
    return value.lstrip("-").isdecimal()


def _number(token: Operand | str) -> int | None:
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
            if label in loop.blocks and _number(o) is not None:
                yield label


def _has_constants(f: Function, loop: Loop, web: frozenset[str]) -> bool:
    return any(True for _ in _changes(f, loop, web))


def _is_told(f: Function, loop: Loop, web: frozenset[str]) -> bool:
    """Is the variable tested, and is it no data that decides when it changes?"""
    is_tested = any(_tested(f, loop, b, web) for b in loop.blocks)
    return is_tested and not any(_rests_on_data(f, loop, b) for b in _changes(f, loop, web))


def _tested(f: Function, loop: Loop, block: str, phis: Iterable[str]) -> frozenset[str]:
    """The phis that the branch at the end of a block tests."""
    end = f.blocks[block].terminator
    if len(set(end.labels)) < 2 or end.opcode not in ("br", "switch"):
        return frozenset()
    return frozenset(phis) & {str(o) for o in _made_of(f, loop, end.operands[0])}


def _made_of(f: Function, loop: Loop, token: Operand) -> set[Operand]:
    """What a condition is made of: registers of the loop, as far as truth values and comparisons
    with constants go."""
    found, work = {token}, [token]
    while work and len(found) < _MOST_STEPS:
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
        if end.opcode in ("br", "switch") and not above >= loop.blocks & {*end.labels}:
            yield end.operands[0]


def _first(f: Function, loop: Loop, phi: str) -> str:
    """What a variable holds at first."""
    i = f.definitions[phi]
    token = i.operands[i.labels.index(loop.preheader or "")]
    number = _number(token)
    if number is not None:
        return str(number)
    made = f.definitions.get(token)
    is_there = "nonnull" in f.attributes_of.get(token, "") or (
        made is not None and (is_any(made, "alloca") or _is_moved_address(made))
    )
    return _OTHER if is_there else _FIRST


# -- one loop
_Node = tuple[str, _State]


class _Phases:
    """One loop, written once for each phase."""

    def __init__(
        self,
        f: Function,
        module: Module,
        variables: _Variables,
        lines: list[str | None],
        types: frozenset[str],
        tag: str,
        *,
        is_kept: bool,
    ) -> None:
        self.f, self.lines, self.tag, self.is_kept = f, lines, tag, is_kept
        self.loop, self.variables = variables.loop, variables
        self.own = {
            str(i.result): i
            for b in self.loop.blocks
            for i in f.blocks[b].instructions
            if i.result is not None
        }
        inside = {id(i) for b in self.loop.blocks for i in f.blocks[b].instructions}
        mark = f.blocks[self.loop.latch or ""].terminator.loop
        places = (o for o in module.metadata_operands(mark) if o != mark)
        start = next((o for o in places if module.location(o) is not None), None)
        if any(
            not is_phi(user) and id(user) not in inside
            for token in self.own
            for user in f.users.get(token, ())
        ):
            raise _Unfit  # not all that is read behind it comes by phis
        if mark is None or start is None or types & self.own.keys():
            raise _Unfit
        self.mark, self.start = mark, start
        self.live = self._live()
        self.edges: dict[_Node, list[tuple[str, _Node | None]]] = {}
        """Node -> its edges: the label as the block has it, and the node, None outside."""
        self.asked = self._asked_at_first()
        self.roots: list[_Node] = [
            (self.loop.header, self._kept(self.loop.header, {**variables.first, **held}))
            for held in self._firsts()
        ]
        self.is_decided = False
        self._walk()
        self.before: dict[_Node, list[_Node]] = {n: [] for n in self.edges}
        for n, edges in self.edges.items():
            for _, to in edges:
                if to is not None and n not in self.before[to]:
                    self.before[to].append(n)
        heads = [n for n in self.edges if n[0] == self.loop.header]
        if len(heads) < 2 or len(heads) > _MOST_STATES or not self.is_decided:
            raise _Unfit
        graph = Digraph(self.edges, [(a, b) for a, e in self.edges.items() for _, b in e if b])
        self.circle = {n: k for k, c in enumerate(circles(graph)) for n in c}
        again = {
            self.circle[n]
            for n in heads
            if any(self.circle[p] == self.circle[n] for p in self.before[n])
        }
        self.turns = {n for n in self.edges if self.circle[n] in again}
        if len({self.circle[n] for n in heads}) < len(heads):
            raise _Unfit  # a phase comes back
        self.suffix = {n: f".{tag}.{k}" if k else "" for n, k in self._numbers()}
        self.phis: dict[tuple[str, _Node], str] = {}
        self.incoming: dict[str, tuple[str, _Node, list[tuple[str, str]]]] = {}
        self.aliases: dict[str, str] = {}
        self.exits: dict[tuple[str, str], bool] = {}
        """Edges that leave phases: whether they are tests of the loops that these become."""
        self.changes = self._made()

    def _numbers(self) -> Iterator[tuple[_Node, int]]:
        """Each node with a number that no other node of its block has, 0 in the first phase
        alone."""
        number: dict[str, int] = {}
        for n in self.edges:
            if self.circle[n] == self.circle[self.roots[0]] and n[0] not in number:
                yield n, number.setdefault(n[0], 0)
            else:
                number[n[0]] = number.get(n[0], 0) + 1
                yield n, number[n[0]]

    @cached_property
    def alone(self) -> int:
        """The number of edges on which an iteration ends that no loop counts."""
        return sum(self._is_marked(n, label, to) for n, e in self.edges.items() for label, to in e)

    # -- at first
    def _asked_at_first(self) -> tuple[str, str] | None:
        """A variable of which it matters whether it is a number at first, and the number."""
        for phi, value in self.variables.first.items():
            if value == _FIRST:
                numbers = {
                    n
                    for w in self.variables.web[phi]
                    for o in self.f.definitions[w].operands
                    if (n := _number(o)) is not None
                }
                return (phi, str(numbers.pop())) if len(numbers) == 1 else None
        return None

    def _firsts(self) -> list[dict[str, str]]:
        if self.asked is None:
            return [{}]
        phi, number = self.asked
        return [{phi: number}, {phi: _NOT + number}]

    def _first_name(self, preheader: str) -> str:
        return preheader if self.asked is None else f"%{self._first_block}"

    @property
    def _first_block(self) -> str:
        return f"looplaw.{self.tag}.first.{self.f.blocks[self.loop.header].line - self.f.line}"

    def _first_test(self) -> list[str]:
        """The block before the loop that asks for what a variable is at first."""
        if self.asked is None:
            return []
        (phi, number), own = self.asked, self._first_block
        i = self.f.definitions[phi]
        ((_, given),) = self._from_outside(i)
        yes, no = map(self._name, self.roots)
        return [
            f"{own}:",
            f"  %{own}.c = icmp eq {i.type} {given}, {number}",
            f"  br i1 %{own}.c, label %{yes}, label %{no}, !dbg {self.start}",
        ]

    # -- states
    def _live(self) -> dict[str, frozenset[str]]:
        """Block -> the phis of variables whose values matter behind its phis."""
        f, loop, phis = self.f, self.loop, self.variables.phis
        used = {b: set(_tested(f, loop, b, phis)) for b in loop.blocks}
        for p, web in self.variables.web.items():
            # what says that it is the first iteration says so to its end
            if self.is_kept or len(web) == 1:
                used[loop.latch or ""].add(p)
        for w in phis:
            i = f.definitions[w]
            for o, label in zip(i.operands, i.labels, strict=True):
                if label in loop.blocks and o in phis:
                    used[label].add(str(o))
        found = {b: frozenset(u) for b, u in used.items()}
        changed = True
        while changed:
            changed = False
            for b in loop.blocks:
                inside = [s for s in f.blocks[b].successors if s in loop.blocks]
                more = found[b].union(*(found[s] - self._set_in(s) for s in inside))
                if more != found[b]:
                    found[b], changed = more, True
        return found

    def _set_in(self, block: str) -> frozenset[str]:
        return frozenset(p.token for p in self.f.blocks[block].phis) & self.variables.phis

    def _kept(self, block: str, values: Mapping[str, str]) -> _State:
        return tuple(sorted((p, v) for p, v in values.items() if p in self.live[block]))

    def _walk(self) -> None:
        work = self.roots[::-1]
        while work:
            node = work.pop()
            if node in self.edges:
                continue
            if len(self.edges) > _MOST_NODES:
                raise _Unfit
            block, state = node
            held, edges = dict(state), list[tuple[str, _Node | None]]()
            for target in self._targets(block, held):
                if target not in self.loop.blocks:
                    edges.append((target, None))
                    continue
                values = dict(held)
                for p in self._set_in(target):
                    i = self.f.definitions[p]
                    values[p] = self._handed(i.operands[i.labels.index(block)], held)
                edges.append((target, (target, self._kept(target, values))))
            self.edges[node] = edges
            work += [to for _, to in edges if to is not None]

    def _handed(self, token: Operand, held: Mapping[str, str]) -> str:
        number = _number(token)
        if number is not None:
            return str(number)
        return held[token] if token in self.variables.phis else _OTHER

    def _targets(self, block: str, held: Mapping[str, str]) -> list[str]:
        """Where control may go from the end of a block."""
        end = self.f.blocks[block].terminator
        all_ = list(dict.fromkeys(end.labels))
        if len(all_) < 2 or end.opcode not in ("br", "switch"):
            return all_
        value = self._decided(end.operands[0], held)
        if value is None:
            return all_
        self.is_decided = True
        if end.opcode == "br":
            return [end.labels[0 if value else 1]]
        cases = zip(end.cases, end.labels[1:], strict=True)
        return [next((to for c, to in cases if _number(c) == value), end.labels[0])]

    def _decided(self, token: Operand, held: Mapping[str, str], depth: int = 0) -> int | None:
        """The number that a register holds in this phase; None where that is open."""
        number = _number(token)
        if number is not None:
            return number
        if token in held:
            return int(held[token]) if _is_number(held[token]) else None
        i = self.f.definitions.get(token)
        if i is None or depth > _MOST_STEPS or f"{token}" not in self.own:
            return None
        if is_icmp(i):
            return self._compared(i, held, depth)
        if not is_any(i, "trunc", "zext", "xor", "and", "or", "freeze"):
            return None
        values = [self._decided(o, held, depth + 1) for o in i.operands]
        if is_any(i, "and", "or") and i.type == "i1":
            settling = int(i.opcode == "or")
            if settling in values:
                return settling
        if None in values:
            return None
        numbers = [v for v in values if v is not None]
        if i.opcode == "trunc":
            return numbers[0] % (1 << (int_bits(i.type) or 64))
        if i.opcode in ("xor", "and", "or"):
            a, b = numbers
            if i.type != "i1":
                return None
            return {"xor": a ^ b, "and": a & b, "or": a | b}[i.opcode] & 1
        return numbers[0] if i.opcode == "freeze" or numbers[0] >= 0 else None

    def _compared(self, i: Instruction, held: Mapping[str, str], depth: int) -> int | None:
        if i.extra[0] not in ("eq", "ne"):
            return None
        sides = [self._decided(o, held, depth + 1) for o in i.operands]
        is_equal: bool | None = None
        if None not in sides:
            bits = 1 << (int_bits(i.type) or 64)
            is_equal = (sides[0] or 0) % bits == (sides[1] or 0) % bits
        else:
            side = 0 if sides[1] is None else 1
            other = _OTHER if i.type == "ptr" and sides[side] == 0 else f"{_NOT}{sides[side]}"
            is_equal = False if held.get(i.operands[1 - side]) == other else None
        return None if is_equal is None else int(is_equal == (i.extra[0] == "eq"))

    # -- text
    def _made(self) -> dict[int, str]:
        """Lines that take the place of others: the loops in place of the header's label, and what
        the blocks behind them get from each."""
        made = {n: self._block(n) for n in self.edges}  # asks for what is joined at each
        behind = dict(self._behind())
        self._drop_trivial()
        out = self._first_test()
        for n, (body, end) in made.items():
            joined = [
                f"  {name} = phi {kind} " + ", ".join(f"[ {v}, {p} ]" for p, v in values)
                for name, (kind, at, values) in self.incoming.items()
                if at == n
            ]
            out += [f"{self._name(n)}:", *joined, *body, *end]
        behind[self.f.blocks[self.loop.header].line] = "\n".join(out)
        if self.asked is not None:
            at = self.f.blocks[self.loop.preheader or ""].terminator.line
            behind[at] = f"  br label %{self._first_block}"
        known = {old: self._resolved(old) for old in self.aliases}
        return {
            at: _TOKEN.sub(lambda m: known.get(m[0], m[0]), text) for at, text in behind.items()
        }

    def _name(self, n: _Node) -> str:
        return quoted(f"{n[0]}{self.suffix[n]}")

    def _defined(self, token: str, n: _Node) -> str:
        return f"%{quoted(Register(token).name + self.suffix[n])}"

    def _at_end(self, token: str, n: _Node) -> str:
        """What a value is called at the end of a node."""
        if token not in self.own:
            return token
        if self.f.block_of[token] == n[0]:
            return self._defined(token, n)
        return self._at_start(token, n)

    def _at_start(self, token: str, n: _Node) -> str:
        key = (token, n)
        if key not in self.phis:
            before = self.before[n]
            if n in self.roots or not before:
                raise _Unfit  # it is read where it is not set
            if len(before) == 1:
                self.phis[key] = self._at_end(token, before[0])
            else:
                name = f"%{quoted(f'{Register(token).name}.{self.tag}.at.{len(self.incoming)}')}"
                self.phis[key] = name
                values: list[tuple[str, str]] = []
                self.incoming[name] = (self._type(self.own[token]), n, values)
                for p in before:
                    values += [(at, self._at_end(token, p)) for at in self._ways(p, n[0], n)]
        return self.phis[key]

    @staticmethod
    def _type(i: Instruction) -> str:
        if is_any(i, "icmp", "fcmp"):
            if i.type.startswith("<"):
                raise _Unfit
            return "i1"
        if is_any(i, "alloca", "cmpxchg", "landingpad", "catchpad", "cleanuppad", "catchswitch"):
            raise _Unfit
        return "ptr" if is_gep(i) else i.type

    def _drop_trivial(self) -> None:
        """Forget joins of one value."""
        changed = True
        while changed:
            changed = False
            for name, (_, _, values) in [*self.incoming.items()]:
                different = {self._resolved(v) for _, v in values} - {name}
                if len(different) == 1:
                    self.aliases[name] = different.pop()
                    del self.incoming[name]
                    changed = True

    def _resolved(self, name: str) -> str:
        while name in self.aliases:
            name = self.aliases[name]
        return name

    def _block(self, n: _Node) -> tuple[list[str], list[str]]:
        """The lines of a node, and those of its end."""
        b = self.f.blocks[n[0]]
        by_line = {i.line: i for i in b.instructions}
        body: list[str] = []
        for number in range(b.line + 1, b.terminator.line):
            line = self.lines[number]
            if line is None:
                raise _Unfit
            i = by_line.get(number)
            if is_phi(i):
                body.append(self._phi(n, i, line))
            elif line.lstrip().startswith("#dbg"):
                try:
                    body.append(self._renamed(n, line))
                except _Unfit:
                    continue  # the variable has no value here
            else:
                body.append(self._renamed(n, line))
        end, marks = self._end(n)
        return body, [*end, *marks]

    def _renamed(self, n: _Node, line: str) -> str:
        def name(m: re.Match[str]) -> str:
            return self._at_end(m[0], n) if m[0] in self.own else m[0]

        return _TOKEN.sub(name, line)

    def _phi(self, n: _Node, i: Instruction, line: str) -> str:
        given = dict(zip(i.labels, i.operands, strict=True))
        pairs = [
            (self._at_end(given[p[0]], p), at)
            for p in self.before[n]
            for at in self._ways(p, n[0], n)
        ]
        if n in self.roots:
            pairs += [(str(o), self._first_name(at)) for at, o in self._from_outside(i)]
        return self._joined(self._defined(i.token, n), i, pairs, line)

    def _from_outside(self, phi: Instruction) -> Iterator[tuple[str, Operand]]:
        for o, label in zip(phi.operands, phi.labels, strict=True):
            if label not in self.loop.blocks:
                yield f"%{quoted(label)}", o

    @staticmethod
    def _joined(name: str, i: Instruction, pairs: list[tuple[str, str]], line: str) -> str:
        dbg = _PLACED.search(line)
        joined = ", ".join(f"[ {v}, {at} ]" for v, at in pairs)
        made = f"phi {i.type} {joined}" if pairs else f"freeze {i.type} poison"
        return f"  {name} = {made}{dbg[0] if dbg else ''}"

    def _ways(self, n: _Node, label: str, to: _Node | None) -> list[str]:
        """The blocks from which control comes to a block behind a node, each as often as it
        does."""
        if self._is_marked(n, label, to):
            return [f"%{self._mark_name(n, label)}.e"]
        labels = self.f.blocks[n[0]].terminator.labels
        number = 1 if len(self.edges[n]) == 1 else labels.count(label)
        return [f"%{self._name(n)}"] * number

    # -- ends of iterations
    def _leaves(self, n: _Node, to: _Node) -> bool:
        """Does an edge lead from one phase to another?"""
        return self.circle[n] != self.circle[to]

    def _is_marked(self, n: _Node, label: str, to: _Node | None) -> bool:
        """Does an iteration end on an edge that no loop counts?"""
        if (
            self._is_unwind(n, label)
            or n in self.counted
            or (n in self.turns and n not in self.late)
        ):
            return False
        if to is not None:
            return to[0] == self.loop.header
        return self._is_break(n, label)

    @cached_property
    def late(self) -> frozenset[_Node]:
        """The nodes of phases that begin within an iteration in which the next one has begun: the
        loop that a phase becomes goes round once more before it counts that one."""
        found: set[_Node] = set()
        for circle in {self.circle[n] for n in self.turns}:
            head = self._head(circle)
            work = [n for n in self.turns if n[0] == self.loop.header and self.circle[n] == circle]
            work = [] if head[0] == self.loop.header else work
            while work:
                n = work.pop()
                if n not in found and n != head:
                    found.add(n)
                    work += [to for _, to in self.edges[n] if to and self.circle[to] == circle]
        return frozenset(found)

    @cached_property
    def counted(self) -> frozenset[_Node]:
        """The nodes behind a phase in which an iteration of it comes to its end, whatever way it
        takes there: one that leaves the phase for them has been one of its iterations."""
        graph = {n: e for n, e in self.edges.items() if n not in self.turns}
        found, before = {n for n in graph if n[0] != self.loop.header}, self.turns - self.late
        changed = True
        while changed:
            left = {
                n
                for n in found
                if all(p in before or p in found for p in self.before[n])
                and all(
                    self._is_break(n, label)
                    if to is None
                    else to in found or to[0] == self.loop.header
                    for label, to in graph[n]
                    if not self._is_unwind(n, label)
                )
            }
            changed, found = left != found, left
        return frozenset(found)

    def _is_test(self, n: _Node, label: str, to: _Node | None) -> bool:
        """Is the iteration in which a phase is left by an edge none of its own: one that ends by
        the loop's test, or that goes on in another phase, which counts it?"""
        if n in self.late:
            return False
        if to is None:
            return not self._is_break(n, label)
        return to[0] != self.loop.header and to not in self.counted

    def _is_break(self, n: _Node, label: str) -> bool:
        """Does an edge leave the loop by another way than its test?"""
        return any(
            e.source == n[0] and e.target == label and not e.is_test for e in self.loop.exits
        )

    def _is_unwind(self, n: _Node, label: str) -> bool:
        """Does an exception leave the loop by an edge?"""
        return (n[0], label) in self.unwinds

    @cached_property
    def unwinds(self) -> frozenset[tuple[str, str]]:
        return frozenset((e.source, e.target) for e in self.loop.exits if e.is_unwind)

    def _mark_name(self, n: _Node, label: str) -> str:
        successors = list(dict.fromkeys(self.f.blocks[n[0]].successors))
        return f"{_OWN}{self.tag}.{self._index[n]}.{successors.index(label)}"

    @cached_property
    def _index(self) -> Mapping[_Node, int]:
        line = self.f.blocks[self.loop.header].line - self.f.line
        return {n: line * 1000 + k for k, n in enumerate(self.edges)}

    def _end(self, n: _Node) -> tuple[list[str], list[str]]:
        """The line of the branch at the end of a node, and the loops that mark iterations."""
        block = self.f.blocks[n[0]]
        line = self.lines[block.terminator.line]
        if line is None:
            raise _Unfit
        names: dict[str, str] = {}
        marks: list[str] = []
        is_way_back = tests = others = False
        for label, to in self.edges[n]:
            target = quoted(label) if to is None else self._name(to)
            if self._is_marked(n, label, to):
                own = self._mark_name(n, label)
                marks += self._mark(own, target)
                target = own
            names[label] = target
            if to is not None:
                is_way_back |= to in self.turns and self._is_back(n, to)
            leaves = to is None or self._leaves(n, to)
            if n in self.turns and leaves and not self._is_unwind(n, label):
                is_test = self._is_test(n, label, to)
                tests |= is_test
                others |= not is_test
                self.exits[self._name(n), names[label]] = is_test
        if (tests and (is_way_back or others)) or (
            (tests or others) and is_invoke(block.terminator)
        ):
            raise _Unfit
        if len(names) == 1 and len(block.terminator.labels) > 1:
            dbg = _PLACED.search(line)
            line = f"  br label %{next(iter(names.values()))}{dbg[0] if dbg else ''}"
        else:
            line = self._renamed_end(n, line, names)
        if tests or others:  # loops tell by its place whether an iteration has begun
            line = _PLACED.sub("", line) + (f", !dbg {self.start}" if tests else "")
        if is_way_back and not _MARKED.search(line):
            line += f", !llvm.loop {self.mark}"
        return [line], marks

    def _renamed_end(self, n: _Node, line: str, names: Mapping[str, str]) -> str:
        def target(m: re.Match[str]) -> str:
            return f"label %{names[Register(m[1]).name]}"

        labels = [m.span() for m in _LABEL.finditer(line)]
        out, at = "", 0
        for start, stop in labels:
            out += self._renamed(n, line[at:start]) + _LABEL.sub(target, line[start:stop])
            at = stop
        return out + self._renamed(n, line[at:])

    def _is_back(self, n: _Node, to: _Node) -> bool:
        """Is an edge the way back of a phase, rather than of a loop in it?"""
        if self.circle[n] != self.circle[to]:
            return False
        return to == self._head(self.circle[to])

    def _head(self, circle: int) -> _Node:
        """Where control comes to a phase."""
        if circle not in self._heads:
            found = {
                n
                for n in self.edges
                if self.circle[n] == circle
                and (n in self.roots or any(self.circle[p] != circle for p in self.before[n]))
            }
            if len(found) != 1:
                raise _Unfit
            self._heads[circle] = found.pop()
        return self._heads[circle]

    @cached_property
    def _heads(self) -> dict[int, _Node]:
        return {}

    def _mark(self, name: str, target: str) -> list[str]:
        """An empty loop of one iteration."""
        return [
            f"{name}:",
            f"  br label %{name}.h",
            f"{name}.h:",
            f"  %{name}.i = phi i32 [ 0, %{name} ], [ 1, %{name}.b ]",
            f"  %{name}.c = icmp eq i32 %{name}.i, 0",
            f"  br i1 %{name}.c, label %{name}.b, label %{name}.e, !dbg {self.start}",
            f"{name}.b:",
            f"  br label %{name}.h, !dbg {self.start}, !llvm.loop {self.mark}",
            f"{name}.e:",
            f"  br label %{target}",
        ]

    # -- blocks behind
    def _behind(self) -> Iterator[tuple[int, str]]:
        """The lines of phis behind the loop, with what each node hands them."""
        for target in sorted({e.target for e in self.loop.exits}):
            ways = [
                n for n, e in self.edges.items() if any(x == target and to is None for x, to in e)
            ]
            for phi in self.f.blocks[target].phis:
                line = self.lines[phi.line]
                if line is None:
                    raise _Unfit
                given = dict(zip(phi.labels, phi.operands, strict=True))
                pairs = [(str(o), at) for at, o in self._from_outside(phi)]
                pairs += [
                    (self._at_end(given[n[0]], n), at)
                    for n in ways
                    for at in self._ways(n, target, None)
                ]
                yield phi.line, self._joined(str(phi.token), phi, pairs, line)
