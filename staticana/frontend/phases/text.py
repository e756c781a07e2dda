"""The text of a loop that is written once for each of its phases."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ...ir.matchers import is_any, is_gep, is_invoke, is_phi
from ...ir.tokens import NAME
from ...ir.types import Instruction, Module, Operand, Register, quoted
from .graph import Node, PhaseGraph
from .variables import OWN, Unfit

_TOKEN = re.compile(rf"%{NAME}")
_LABEL = re.compile(rf"\blabel (%{NAME})")
_PLACED = re.compile(r", !dbg !\d+")
_MARKED = re.compile(r", !llvm\.loop !\d+")


@dataclass(frozen=True)
class Written:
    """A loop written anew.

    Attributes:
        changes: line of the module -> what stands there instead: the loops in place of the
            header's label, and what the blocks behind them get from each.
        exits: edges that leave phases -> whether they are tests of the loops that these become.
    """

    changes: Mapping[int, str]
    exits: Mapping[tuple[str, str], bool]


def written(
    graph: PhaseGraph, module: Module, lines: Sequence[str | None], types: frozenset[str], tag: str
) -> Written:
    """The loop of a graph, once for each phase.

    Args:
        lines: the lines of the module; None where one was taken away.
        types: the names of the module's types.
        tag: what the names of new blocks and values have in them.

    Raises:
        Unfit: a value is read behind the loop but by phis, the loop has no place in the source, or
            which exit a phase is left by cannot be said.
    """
    text = _Text(graph, module, lines, types, tag)
    return Written(text.changes(), text.exits)


class _Text:
    def __init__(
        self,
        graph: PhaseGraph,
        module: Module,
        lines: Sequence[str | None],
        types: frozenset[str],
        tag: str,
    ) -> None:
        self.graph, self.f, self.loop = graph, graph.f, graph.loop
        self.lines, self.tag = lines, tag
        self.own = _values_of(graph)
        mark = self.f.blocks[self.loop.latch or ""].terminator.loop
        places = (o for o in module.metadata_operands(mark) if o != mark)
        start = next((o for o in places if module.location(o) is not None), None)
        if mark is None or start is None or types & self.own.keys():
            raise Unfit
        self.mark, self.start = mark, start
        self.suffix = {n: f".{tag}.{k}" if k else "" for n, k in self._numbers()}
        self.phis: dict[tuple[str, Node], str] = {}
        self.incoming: dict[str, tuple[str, Node, list[tuple[str, str]]]] = {}
        self.aliases: dict[str, str] = {}
        self.exits: dict[tuple[str, str], bool] = {}

    def _numbers(self) -> Iterator[tuple[Node, int]]:
        """Each node with a number that no other node of its block has, 0 in the first phase
        alone."""
        number: dict[str, int] = {}
        for n in self.graph.edges:
            if (
                self.graph.circle[n] == self.graph.circle[self.graph.roots[0]]
                and n[0] not in number
            ):
                yield n, number.setdefault(n[0], 0)
            else:
                number[n[0]] = number.get(n[0], 0) + 1
                yield n, number[n[0]]

    # -- at first
    def _first_name(self, preheader: str) -> str:
        return preheader if self.graph.asked is None else f"%{self._first_block}"

    @property
    def _first_block(self) -> str:
        return f"looplaw.{self.tag}.first.{self.f.blocks[self.loop.header].line - self.f.line}"

    def _first_test(self) -> list[str]:
        """The block before the loop that asks for what a variable is at first."""
        if self.graph.asked is None:
            return []
        (phi, number), own = self.graph.asked, self._first_block
        i = self.f.definitions[phi]
        ((_, given),) = self._from_outside(i)
        yes, no = map(self._name, self.graph.roots)
        return [
            f"{own}:",
            f"  %{own}.c = icmp eq {i.type} {given}, {number}",
            f"  br i1 %{own}.c, label %{yes}, label %{no}, !dbg {self.start}",
        ]

    # -- blocks
    def changes(self) -> dict[int, str]:
        """Lines that take the place of others: the loops in place of the header's label, and what
        the blocks behind them get from each."""
        made = {n: self._block(n) for n in self.graph.edges}  # asks for what is joined at each
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
        if self.graph.asked is not None:
            at = self.f.blocks[self.loop.preheader or ""].terminator.line
            behind[at] = f"  br label %{self._first_block}"
        known = {old: self._resolved(old) for old in self.aliases}
        return {
            at: _TOKEN.sub(lambda m: known.get(m[0], m[0]), text) for at, text in behind.items()
        }

    def _name(self, n: Node) -> str:
        return quoted(f"{n[0]}{self.suffix[n]}")

    def _defined(self, token: str, n: Node) -> str:
        return f"%{quoted(Register(token).name + self.suffix[n])}"

    def _at_end(self, token: str, n: Node) -> str:
        """What a value is called at the end of a node."""
        if token not in self.own:
            return token
        if self.f.block_of[token] == n[0]:
            return self._defined(token, n)
        return self._at_start(token, n)

    def _at_start(self, token: str, n: Node) -> str:
        key = (token, n)
        if key not in self.phis:
            before = self.graph.before[n]
            if n in self.graph.roots or not before:
                raise Unfit  # it is read where it is not set
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
                raise Unfit
            return "i1"
        if is_any(i, "alloca", "cmpxchg", "landingpad", "catchpad", "cleanuppad", "catchswitch"):
            raise Unfit
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

    def _block(self, n: Node) -> tuple[list[str], list[str]]:
        """The lines of a node, and those of its end."""
        b = self.f.blocks[n[0]]
        by_line = {i.line: i for i in b.instructions}
        body: list[str] = []
        for number in range(b.line + 1, b.terminator.line):
            line = self.lines[number]
            if line is None:
                raise Unfit
            i = by_line.get(number)
            if is_phi(i):
                body.append(self._phi(n, i, line))
            elif line.lstrip().startswith("#dbg"):
                try:
                    body.append(self._renamed(n, line))
                except Unfit:
                    continue  # the variable has no value here
            else:
                body.append(self._renamed(n, line))
        end, marks = self._end(n)
        return body, [*end, *marks]

    def _renamed(self, n: Node, line: str) -> str:
        def name(m: re.Match[str]) -> str:
            return self._at_end(m[0], n) if m[0] in self.own else m[0]

        return _TOKEN.sub(name, line)

    def _phi(self, n: Node, i: Instruction, line: str) -> str:
        given = dict(zip(i.labels, i.operands, strict=True))
        pairs = [
            (self._at_end(given[p[0]], p), at)
            for p in self.graph.before[n]
            for at in self._ways(p, n[0], n)
        ]
        if n in self.graph.roots:
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

    def _ways(self, n: Node, label: str, to: Node | None) -> list[str]:
        """The blocks from which control comes to a block behind a node, each as often as it
        does."""
        if self.graph.is_marked(n, label, to):
            return [f"%{self._mark_name(n, label)}.e"]
        labels = self.f.blocks[n[0]].terminator.labels
        number = 1 if len(self.graph.edges[n]) == 1 else labels.count(label)
        return [f"%{self._name(n)}"] * number

    # -- ends of iterations
    def _mark_name(self, n: Node, label: str) -> str:
        successors = list(dict.fromkeys(self.f.blocks[n[0]].successors))
        return f"{OWN}{self.tag}.{self._index[n]}.{successors.index(label)}"

    @cached_property
    def _index(self) -> Mapping[Node, int]:
        line = self.f.blocks[self.loop.header].line - self.f.line
        return {n: line * 1000 + k for k, n in enumerate(self.graph.edges)}

    def _end(self, n: Node) -> tuple[list[str], list[str]]:
        """The line of the branch at the end of a node, and the loops that mark iterations."""
        block = self.f.blocks[n[0]]
        line = self.lines[block.terminator.line]
        if line is None:
            raise Unfit
        names: dict[str, str] = {}
        marks: list[str] = []
        is_way_back = tests = others = False
        for label, to in self.graph.edges[n]:
            target = quoted(label) if to is None else self._name(to)
            if self.graph.is_marked(n, label, to):
                own = self._mark_name(n, label)
                marks += self._mark(own, target)
                target = own
            names[label] = target
            if to is not None:
                is_way_back |= to in self.graph.turns and self.graph.is_back(n, to)
            leaves = to is None or self.graph.leaves(n, to)
            if n in self.graph.turns and leaves and not self.graph.is_unwind(n, label):
                is_test = self.graph.is_test(n, label, to)
                tests |= is_test
                others |= not is_test
                self.exits[self._name(n), names[label]] = is_test
        if (tests and (is_way_back or others)) or (
            (tests or others) and is_invoke(block.terminator)
        ):
            raise Unfit
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

    def _renamed_end(self, n: Node, line: str, names: Mapping[str, str]) -> str:
        def target(m: re.Match[str]) -> str:
            return f"label %{names[Register(m[1]).name]}"

        labels = [m.span() for m in _LABEL.finditer(line)]
        out, at = "", 0
        for start, stop in labels:
            out += self._renamed(n, line[at:start]) + _LABEL.sub(target, line[start:stop])
            at = stop
        return out + self._renamed(n, line[at:])

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
                n
                for n, e in self.graph.edges.items()
                if any(x == target and to is None for x, to in e)
            ]
            for phi in self.f.blocks[target].phis:
                line = self.lines[phi.line]
                if line is None:
                    raise Unfit
                given = dict(zip(phi.labels, phi.operands, strict=True))
                pairs = [(str(o), at) for at, o in self._from_outside(phi)]
                pairs += [
                    (self._at_end(given[n[0]], n), at)
                    for n in ways
                    for at in self._ways(n, target, None)
                ]
                yield phi.line, self._joined(str(phi.token), phi, pairs, line)


def _values_of(graph: PhaseGraph) -> Mapping[str, Instruction]:
    """The values that the loop makes.

    Raises:
        Unfit: not all that is read behind the loop comes by phis.
    """
    f, blocks = graph.f, [graph.f.blocks[b] for b in graph.loop.blocks]
    own = {str(i.result): i for b in blocks for i in b.instructions if i.result is not None}
    inside = {id(i) for b in blocks for i in b.instructions}
    users = (user for token in own for user in f.users.get(token, ()))
    if any(not is_phi(user) and id(user) not in inside for user in users):
        raise Unfit
    return own
