"""Edits in the text of one function: insertions before a line, and blocks of their own on edges."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from staticana.ir.loop_info import Loop, loop_forest
from staticana.ir.types import Function, Instruction, Module

_PLAIN = re.compile(r"[-a-zA-Z$._][-a-zA-Z$._0-9]*$")

_TOKEN = re.compile(r'%(?:"(?:[^"\\]|\\.)*"|[-a-zA-Z$._0-9]+)')
_PROMISE = re.compile(r" (?:nsw|nuw|nneg|disjoint|inbounds)\b")
_VARIABLE = re.compile(r", i\d+ %")  # an alloca of a size that is computed


def reference(name: str, sigil: str = "%") -> str:
    """A name as the printer writes it."""
    return f"{sigil}{name}" if _PLAIN.match(name) or name.isdigit() else f'{sigil}"{name}"'


def closing(text: str, start: int) -> int:
    """Where the bracket at `start` is closed."""
    depth, quoted = 0, False
    for at in range(start, len(text)):
        quoted ^= text[at] == '"'
        if not quoted:
            depth += (text[at] == "(") - (text[at] == ")")
            if depth == 0:
                return at
    raise ValueError(f"no bracket closes: {text[start : start + 80]}")


class FunctionEditor:
    """A function's lines with what is to be added; `lines` are those of the whole module, of which
    only the function's are changed (in a copy)."""

    def __init__(self, module: Module, function: Function, lines: list[str]) -> None:
        self.function = function
        forest = loop_forest(function, module)
        self.loops: dict[str, Loop] = forest.by_header()
        self.reachable = forest.dominator
        self.setup: list[str] = []  # what the function begins with
        self._lines = {at: lines[at] for at in range(function.line, function.end + 1)}
        self._before: dict[int, list[str]] = {}
        self._splits: dict[tuple[str, str], tuple[str, list[str]]] = {}
        self._number = 0

    def fresh(self) -> str:
        """A name for a register or a block."""
        self._number += 1
        return f"ll.{self._number}"

    def insert(self, line: int, text: Iterable[str]) -> None:
        """Before a line of the module."""
        self._before.setdefault(line, []).extend(text)

    def after(self, token: str, text: Iterable[str]) -> None:
        """Behind the instruction that sets a register."""
        block = self.function.blocks[self.function.block_of[token]]
        at = next(
            k for k, i in enumerate(block.instructions) if i.token == token and i.name is not None
        )
        if block.instructions[at].opcode == "phi":
            self.insert(self.first(block.name), text)
        elif at + 1 < len(block.instructions):
            self.insert(block.instructions[at + 1].line, text)
        else:  # an invoke
            self.on_edge(block.name, block.successors[0], list(text))

    def again(self, chain: Iterable[Instruction], token: str, body: list[str]) -> str:
        """Compute a value again by the instructions that lead to it; what they promise may not hold
        here and is left out."""
        renamed: dict[str, str] = {}
        for i in chain:
            renamed[i.token] = f"%{self.fresh()}"
            text = _PROMISE.sub("", self._lines[i.line].split(", !")[0])
            body.append(_TOKEN.sub(lambda m: renamed.get(m.group(), m.group()), text))
        return renamed.get(token, token)

    def line(self, at: int) -> str:
        return self._lines[at]

    def replace(self, at: int, text: str) -> None:
        self._lines[at] = text

    def first(self, block: str) -> int:
        """The line of the first instruction that is no phi."""
        return next(
            i.line
            for i in self.function.blocks[block].instructions
            if i.opcode not in ("phi", "landingpad")
        )

    def on_entry(self, loop: Loop, body: Callable[[], list[str]]) -> None:
        """On every way into the loop, with registers of its own each."""
        for p in dict.fromkeys(
            p for p in self.function.predecessors[loop.header] if p not in loop.blocks
        ):
            self.on_edge(p, loop.header, body())

    def on_exit(self, loop: Loop, body: Callable[[], list[str]]) -> None:
        """On every way out of the loop but exceptions."""
        for edge in loop.exits:
            if not edge.is_unwind:
                self.on_edge(edge.source, edge.target, body())

    def on_edge(self, source: str, target: str, body: list[str]) -> None:
        """In the source where that leads nowhere else, else in the target where that is only
        reached so, else in a block of its own between them."""
        block = self.function.blocks[source]
        if set(block.successors) == {target} and block.terminator.opcode == "br":
            self.insert(block.terminator.line, body)
        elif self.function.predecessors[target] == (source,):
            self.insert(self.first(target), body)
        else:
            self._splits.setdefault((source, target), (self.fresh(), []))[1].extend(body)

    def on_edges(self, edges: Iterable[tuple[str, str]], body: Callable[[], list[str]]) -> None:
        """On each of several edges; once for a block that is only reached by them. ("", "") leads
        into the function."""
        sources: dict[str, set[str]] = {}
        for source, target in edges:
            sources.setdefault(target, set()).add(source)
        for target, found in sources.items():
            if not target:
                self.insert(self.first(self.function.entry.name), body())
            elif found == {p for p in self.function.predecessors[target] if p in self.reachable}:
                self.insert(self.first(target), body())
            else:
                for source in sorted(found):
                    self.on_edge(source, target, body())

    def text(self, header: str, *, before_entry: Iterable[str] = ()) -> str:
        """The function as edited. before_entry: blocks that come first; `setup` and the fixed local
        variables then belong to the first of them."""
        for (source, target), (name, body) in self._splits.items():
            self._write_split(source, target, name, body)
        entry = self.function.entry
        start = list(before_entry)
        moved = (
            [
                i.line
                for i in entry.instructions
                if i.opcode == "alloca" and not _VARIABLE.search(self._lines[i.line])
            ]
            if start
            else []
        )
        out = [header]
        if start:
            out += [f"{self.fresh()}:", *self.setup, *(self._lines[at] for at in moved), *start]
        else:
            self._before[entry.instructions[0].line] = self.setup + self._before.get(
                entry.instructions[0].line, []
            )
        for at in range(self.function.line + 1, self.function.end + 1):
            out += self._before.get(at, ())
            if at not in moved:
                out.append(self._lines[at])
        return "\n".join(out)

    def _write_split(self, source: str, target: str, name: str, body: list[str]) -> None:
        """A block on the edge source -> target; the target's phis learn its name."""
        lines = self._lines
        terminator = self.function.blocks[source].terminator
        at = terminator.line
        while True:  # a switch spans several lines
            lines[at] = re.sub(
                rf"label {re.escape(reference(target))}(?=[,\s\]]|$)", f"label %{name}", lines[at]
            )
            at += 1
            if (
                at >= self.function.end
                or not lines[at].startswith(("    ", "  ]"))
                or lines[at].startswith("    #dbg")
            ):
                break
        edges = sum(label == target for label in terminator.labels)
        own = re.escape(reference(source))
        for phi in self.function.blocks[target].phis:
            pattern = re.compile(rf"(\[ [^\[\]]*(?:\[[^\]]*\][^\[\]]*)*?, ){own} \]")
            lines[phi.line] = pattern.sub(rf"\g<1>%{name} ]", lines[phi.line], count=1)
            for _ in range(edges - 1):
                lines[phi.line] = re.sub(rf", \[ [^\[\]]*, {own} \]", "", lines[phi.line], count=1)
        self.insert(self.function.end, ["", f"{name}:", *body, f"  br label {reference(target)}"])
