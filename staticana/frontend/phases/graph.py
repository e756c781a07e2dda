"""The iterations of a loop by what its variables hold: which phases there are, and on which edges
an iteration of each comes to its end."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from looplaw_common.digraph import Digraph, circles

from ...ir.loop_info import Loop
from ...ir.matchers import is_any, is_branch, is_icmp
from ...ir.types import Function, Instruction, Operand, int_bits
from .variables import FIRST, MOST_STEPS, NOT, OTHER, Unfit, Variables, is_number, number_of, tested

_MOST_NODES = 100
"""Blocks times states of a loop that is written anew."""
_MOST_STATES = 4
"""Phases of a loop."""

State = tuple[tuple[str, str], ...]
"""Phis of variables, each with what it holds."""
Node = tuple[str, State]
"""A block, and the state in which control comes to it."""
Edge = tuple[str, Node | None]
"""The label as the block has it, and the node it leads to; None outside of the loop."""


class PhaseGraph:
    """The blocks of a loop, once for each state in which control comes to them.

    Args:
        is_kept: an iteration goes over to the next phase at its end, rather than as soon as nothing
            asks any more which one it began in.

    Attributes:
        edges: node -> its edges.
        is_decided: the variables decide a branch.

    Raises:
        Unfit: the variables tell no phases that follow one another.
    """

    def __init__(self, f: Function, variables: Variables, *, is_kept: bool) -> None:
        self.f, self.loop, self.variables, self.is_kept = f, variables.loop, variables, is_kept
        self.edges: dict[Node, list[Edge]] = {}
        self.is_decided = False
        self._walk()
        heads = [n for n in self.edges if n[0] == self.loop.header]
        if not 1 < len(heads) <= _MOST_STATES or not self.is_decided:
            raise Unfit
        if len({self.circle[n] for n in heads}) < len(heads):
            raise Unfit  # a phase comes back
        if any(self._loses_iterations(x, n) for x in variables.inner for n in self.edges):
            raise Unfit

    def _loses_iterations(self, inner: Loop, n: Node) -> bool:
        """Does control come to a loop inside in a state in which it does not come back to it,
        though an iteration begins there, which nothing would count then?"""
        if n[0] != inner.header:
            return False
        seen: set[Node] = set()
        work = [to for _, to in self.edges[n] if to is not None and to[0] in inner.blocks]
        while work:
            node = work.pop()
            if node not in seen:
                seen.add(node)
                ways = self.edges[node]
                work += [to for _, to in ways if to is not None and to[0] in inner.blocks]
        is_tested_first = any(e.source == inner.header and e.is_test for e in inner.exits)
        return n not in seen and (bool(seen) or not is_tested_first)

    @cached_property
    def alone(self) -> int:
        """The number of edges on which an iteration ends that no loop counts."""
        return sum(self.is_marked(n, label, to) for n, e in self.edges.items() for label, to in e)

    # -- at first
    @cached_property
    def asked(self) -> tuple[str, str] | None:
        """A variable of which it matters whether it is a number at first, and the number."""
        for phi, value in self.variables.first.items():
            if value == FIRST:
                numbers = {
                    n
                    for w in self.variables.web[phi]
                    for o in self.f.definitions[w].operands
                    if (n := number_of(o)) is not None
                }
                return (phi, str(numbers.pop())) if len(numbers) == 1 else None
        return None

    @cached_property
    def roots(self) -> list[Node]:
        """The header with what variables hold at first."""
        header, first = self.loop.header, self.variables.first
        if self.asked is None:
            return [(header, self._kept(header, first))]
        phi, number = self.asked
        return [
            (header, self._kept(header, {**first, phi: held})) for held in (number, NOT + number)
        ]

    # -- states
    @cached_property
    def live(self) -> dict[str, frozenset[str]]:
        """Block -> the phis of variables whose values matter behind its phis."""
        f, loop, phis = self.f, self.loop, self.variables.phis
        used = {b: set(tested(f, loop, b, phis)) for b in loop.blocks}
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

    def _kept(self, block: str, values: Mapping[str, str]) -> State:
        return tuple(sorted((p, v) for p, v in values.items() if p in self.live[block]))

    def _walk(self) -> None:
        work = self.roots[::-1]
        while work:
            node = work.pop()
            if node in self.edges:
                continue
            if len(self.edges) > _MOST_NODES:
                raise Unfit
            block, state = node
            held, edges = dict(state), list[tuple[str, Node | None]]()
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
        number = number_of(token)
        if number is not None:
            return str(number)
        return held[token] if token in self.variables.phis else OTHER

    def _targets(self, block: str, held: Mapping[str, str]) -> list[str]:
        """Where control may go from the end of a block."""
        end = self.f.blocks[block].terminator
        all_ = list(dict.fromkeys(end.labels))
        if len(all_) < 2 or not is_any(end, "br", "switch"):
            return all_
        value = self._decided(end.operands[0], held)
        if value is None:
            return all_
        self.is_decided = True
        if is_branch(end):
            return [end.labels[0 if value else 1]]
        cases = zip(end.cases, end.labels[1:], strict=True)
        return [next((to for c, to in cases if number_of(c) == value), end.labels[0])]

    def _decided(self, token: Operand, held: Mapping[str, str], depth: int = 0) -> int | None:
        """The number that a register holds in this phase; None where that is open."""
        number = number_of(token)
        if number is not None:
            return number
        if token in held:
            return int(held[token]) if is_number(held[token]) else None
        i = self.f.definitions.get(token)
        if i is None or depth > MOST_STEPS or self.f.block_of.get(token) not in self.loop.blocks:
            return None
        if is_icmp(i):
            return self._compared(i, held, depth)
        if not is_any(i, "trunc", "zext", "xor", "and", "or", "freeze"):
            return None
        values = [self._decided(o, held, depth + 1) for o in i.operands]
        if is_any(i, "and", "or") and i.type == "i1":
            settling = int(is_any(i, "or"))
            if settling in values:
                return settling
        if None in values:
            return None
        numbers = [v for v in values if v is not None]
        if is_any(i, "trunc"):
            return numbers[0] % (1 << (int_bits(i.type) or 64))
        if is_any(i, "xor", "and", "or"):
            a, b = numbers
            if i.type != "i1":
                return None
            return {"xor": a ^ b, "and": a & b, "or": a | b}[i.opcode] & 1
        return numbers[0] if is_any(i, "freeze") or numbers[0] >= 0 else None

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
            other = OTHER if i.type == "ptr" and sides[side] == 0 else f"{NOT}{sides[side]}"
            is_equal = False if held.get(i.operands[1 - side]) == other else None
        return None if is_equal is None else int(is_equal == (i.extra[0] == "eq"))

    # -- phases
    @cached_property
    def before(self) -> Mapping[Node, list[Node]]:
        """The nodes from which control comes to each."""
        found: dict[Node, list[Node]] = {n: [] for n in self.edges}
        for n, edges in self.edges.items():
            for _, to in edges:
                if to is not None and n not in found[to]:
                    found[to].append(n)
        return found

    @cached_property
    def circle(self) -> Mapping[Node, int]:
        """Node -> the number of its phase: nodes that control comes back to share one."""
        graph = Digraph(self.edges, [(a, b) for a, e in self.edges.items() for _, b in e if b])
        return {n: k for k, c in enumerate(circles(graph)) for n in c}

    @cached_property
    def turns(self) -> frozenset[Node]:
        """The nodes of phases of more than one iteration."""
        again = {
            self.circle[n]
            for n in self.edges
            if n[0] == self.loop.header
            and any(self.circle[p] == self.circle[n] for p in self.before[n])
        }
        return frozenset(n for n in self.edges if self.circle[n] in again)

    # -- ends of iterations
    def leaves(self, n: Node, to: Node) -> bool:
        """Does an edge lead from one phase to another?"""
        return self.circle[n] != self.circle[to]

    def is_marked(self, n: Node, label: str, to: Node | None) -> bool:
        """Does an iteration end on an edge that no loop counts?"""
        if (
            self.is_unwind(n, label)
            or n in self.counted
            or (n in self.turns and n not in self.late)
        ):
            return False
        if to is not None:
            return to[0] == self.loop.header
        return self._is_break(n, label)

    @cached_property
    def late(self) -> frozenset[Node]:
        """The nodes of phases that begin within an iteration in which the next one has begun: the
        loop that a phase becomes goes round once more before it counts that one."""
        found: set[Node] = set()
        for circle in {self.circle[n] for n in self.turns}:
            head = self.head(circle)
            work = [n for n in self.turns if n[0] == self.loop.header and self.circle[n] == circle]
            work = [] if head[0] == self.loop.header else work
            while work:
                n = work.pop()
                if n not in found and n != head:
                    found.add(n)
                    work += [to for _, to in self.edges[n] if to and self.circle[to] == circle]
        return frozenset(found)

    @cached_property
    def counted(self) -> frozenset[Node]:
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
                    if not self.is_unwind(n, label)
                )
            }
            changed, found = left != found, left
        return frozenset(found)

    def is_test(self, n: Node, label: str, to: Node | None) -> bool:
        """Is the iteration in which a phase is left by an edge none of its own: one that ends by
        the loop's test, or that goes on in another phase, which counts it?"""
        if n in self.late:
            return False
        if to is None:
            return not self._is_break(n, label)
        return to[0] != self.loop.header and to not in self.counted

    def _is_break(self, n: Node, label: str) -> bool:
        """Does an edge leave the loop by another way than its test?"""
        return any(
            e.source == n[0] and e.target == label and not e.is_test for e in self.loop.exits
        )

    def is_unwind(self, n: Node, label: str) -> bool:
        """Does an exception leave the loop by an edge?"""
        return (n[0], label) in self.unwinds

    @cached_property
    def unwinds(self) -> frozenset[tuple[str, str]]:
        return frozenset((e.source, e.target) for e in self.loop.exits if e.is_unwind)

    def is_back(self, n: Node, to: Node) -> bool:
        """Is an edge the way back of a phase, rather than of a loop in it?"""
        if self.circle[n] != self.circle[to]:
            return False
        return to == self.head(self.circle[to])

    def head(self, circle: int) -> Node:
        """Where control comes to a phase."""
        if circle not in self._heads:
            found = {
                n
                for n in self.edges
                if self.circle[n] == circle
                and (n in self.roots or any(self.circle[p] != circle for p in self.before[n]))
            }
            if len(found) != 1:
                raise Unfit
            self._heads[circle] = found.pop()
        return self._heads[circle]

    @cached_property
    def _heads(self) -> dict[int, Node]:
        return {}
