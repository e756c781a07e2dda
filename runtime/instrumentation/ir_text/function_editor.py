"""Edits in the text of one function: insertions before a line, and new blocks on edges.

The IR is edited as text because llvmlite has no API to insert instructions, and printing a module
once is cheaper than building one. Names of registers and blocks that instrumentation makes begin
with `ll.`, which no front end uses.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from staticana.ir.loop_info import Loop, loop_forest
from staticana.ir.types import Function, Instruction, Module, quoted

from .code_builder import CodeBuilder

_REGISTER = re.compile(r'%(?:"(?:[^"\\]|\\.)*"|[-a-zA-Z$._0-9]+)')
_POISON_FLAG = re.compile(r" (?:nsw|nuw|nneg|disjoint|inbounds)\b")
_LABEL = re.compile(r"(ll\.\d+):")
_ALLOCA = " = alloca "
_COMPUTED_SIZE = re.compile(r", i\d+ %")  # of an alloca: its stack slot is not fixed


def reference(name: str, sigil: str = "%") -> str:
    """A name as LLVM prints it, quoted where it has to be."""
    return f"{sigil}{quoted(name)}"


def closing_bracket(text: str, start: int) -> int:
    """The index of the bracket that closes the one at `start`.

    Raises:
        ValueError: there is none.
    """
    depth, quoted = 0, False
    for at in range(start, len(text)):
        quoted ^= text[at] == '"'
        if not quoted:
            depth += (text[at] == "(") - (text[at] == ")")
            if depth == 0:
                return at
    raise ValueError(f"no bracket closes: {text[start : start + 80]}")


class FunctionEditor:
    """The lines of a function and what is inserted between them.

    Args:
        lines: those of the whole module; only the function's are used, and copied.

    Attributes:
        prologue: instructions that the function begins with, such as its new local variables.
    """

    def __init__(self, module: Module, function: Function, lines: list[str]) -> None:
        self.function = function
        forest = loop_forest(function, module)
        self.loops: dict[str, Loop] = forest.by_header()
        self.reachable = forest.dominator
        self.prologue: list[str] = []
        self._lines = {at: lines[at] for at in range(function.line, function.end + 1)}
        self._before: dict[int, list[str]] = {}
        self._splits: dict[tuple[str, str], tuple[str, list[str]]] = {}
        self._number = 0

    def fresh(self) -> str:
        """A name for a register or a block."""
        self._number += 1
        return f"ll.{self._number}"

    def code(self, *, volatile: bool = False, note: str = "") -> CodeBuilder:
        """An empty sequence of instructions for this function."""
        return CodeBuilder(self.fresh, volatile=volatile, note=note)

    def insert(self, line: int, text: Iterable[str]) -> None:
        """Insert before a line of the module."""
        self._before.setdefault(line, []).extend(text)

    def insert_after(self, token: str, text: Iterable[str]) -> None:
        """Insert behind the instruction that sets a register."""
        block = self.function.blocks[self.function.block_of[token]]
        at = next(
            k for k, i in enumerate(block.instructions) if i.token == token and i.name is not None
        )
        if block.instructions[at].opcode == "phi":
            self.insert(self.insertion_point(block.name), text)
        elif at + 1 < len(block.instructions):
            self.insert(block.instructions[at + 1].line, text)
        else:  # an invoke ends its block: its result exists on the normal edge only
            self.on_edge(block.name, block.successors[0], list(text))

    def rematerialize(
        self,
        chain: Iterable[Instruction],
        token: str,
        code: CodeBuilder,
        *,
        given: Mapping[str, str] | None = None,
        certain: bool = False,
    ) -> str:
        """Compute a value again by the instructions that lead to it.

        Flags such as nsw are dropped: they may not hold where the instructions are repeated, and
        would then make the result poison.

        Args:
            given: registers -> what stands for them.
            certain: the instructions themselves follow for certain, with the same operands, so that
                their flags and the types of what they read hold here, too.
        """
        renamed: dict[str, str] = dict(given or {})
        for i in chain:
            renamed[i.token] = f"%{self.fresh()}"
            text, *notes = self._lines[i.line].split(", !")
            if certain:
                text += "".join(f", !{note}" for note in notes if note.startswith("tbaa "))
            else:
                text = _POISON_FLAG.sub("", text)
            code.lines.append(_REGISTER.sub(lambda m: renamed.get(m.group(), m.group()), text))
        return renamed.get(token, token)

    def line(self, at: int) -> str:
        """A line of the function as it stands now."""
        return self._lines[at]

    def replace(self, at: int, text: str) -> None:
        """Replace a line of the function."""
        self._lines[at] = text

    def insertion_point(self, block: str) -> int:
        """The line of a block's first instruction that may follow others."""
        return next(
            i.line
            for i in self.function.blocks[block].instructions
            if i.opcode not in ("phi", "landingpad")
        )

    def on_entry(self, loop: Loop, body: Callable[[], list[str]]) -> None:
        """Insert on every edge into the loop; `body` is called for each, since each copy needs
        registers of its own."""
        for p in dict.fromkeys(
            p for p in self.function.predecessors[loop.header] if p not in loop.blocks
        ):
            self.on_edge(p, loop.header, body())

    def on_exit(self, loop: Loop, body: Callable[[], list[str]]) -> None:
        """Insert on every edge out of the loop but those of exceptions."""
        for edge in loop.exits:
            if not edge.is_unwind:
                self.on_edge(edge.source, edge.target, body())

    def on_edge(self, source: str, target: str, body: list[str]) -> None:
        """Insert on an edge: at the end of its source if that leads nowhere else, at the start of
        its target if that is reached from nowhere else, or in a new block between them (a critical
        edge). The body may have labels of its own, as `CodeBuilder.only_if` writes them."""
        block = self.function.blocks[source]
        if set(block.successors) == {target} and block.terminator.opcode == "br":
            self.insert(block.terminator.line, body)
        elif self.function.predecessors[target] == (source,):
            self.insert(self.insertion_point(target), body)
        else:
            self._splits.setdefault((source, target), (self.fresh(), []))[1].extend(body)

    def on_edges(self, edges: Iterable[tuple[str, str]], body: Callable[[], list[str]]) -> None:
        """Insert on each of several edges; once for a block that is reached by them only. The edge
        ("", "") leads into the function."""
        sources: dict[str, set[str]] = {}
        for source, target in edges:
            sources.setdefault(target, set()).add(source)
        for target, found in sources.items():
            if not target:
                self.insert(self.insertion_point(self.function.entry.name), body())
            elif found == {p for p in self.function.predecessors[target] if p in self.reachable}:
                self.insert(self.insertion_point(target), body())
            else:
                for source in sorted(found):
                    self.on_edge(source, target, body())

    def text(self, header: str, *, before_entry: Iterable[str] = ()) -> str:
        """The edited function.

        Args:
            header: its first line.
            before_entry: blocks that come first; the prologue then belongs to the first of them.

        Local variables of fixed size precede everything else: the inlining of a call in front of
        them would split the block, and the optimiser takes those of the first block only apart.
        """
        for (source, target), (name, body) in self._splits.items():
            self._write_split(source, target, name, body)
        self._name_tails()
        start = list(before_entry)
        moved = self._fixed_allocas()
        prologue = [
            *(line for line in self.prologue if _ALLOCA in line),
            *(self._lines[at] for at in moved),
            *(line for line in self.prologue if _ALLOCA not in line),
        ]
        out = [header]
        if start:
            out += [f"{self.fresh()}:", *prologue, *start]
        else:
            first = self.function.entry.instructions[0].line
            self._before[first] = prologue + self._before.get(first, [])
        for at in range(self.function.line + 1, self.function.end + 1):
            out += self._before.get(at, ())
            if at not in moved:
                out.append(self._lines[at])
        return "\n".join(out)

    def _fixed_allocas(self) -> list[int]:
        """The lines of the entry block's local variables."""
        return [
            i.line
            for i in self.function.entry.instructions
            if i.opcode == "alloca" and not _COMPUTED_SIZE.search(self._lines[i.line])
        ]

    def _write_split(self, source: str, target: str, name: str, body: list[str]) -> None:
        """Write a block on the edge source -> target and put its name into the target's phis."""
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
            lines[phi.line] = pattern.sub(
                rf"\g<1>%{_tail(body) or name} ]", lines[phi.line], count=1
            )
            # the cases of a switch that led here are one edge now, with one entry in the phi
            for _ in range(edges - 1):
                lines[phi.line] = re.sub(rf", \[ [^\[\]]*, {own} \]", "", lines[phi.line], count=1)
        self.insert(self.function.end, ["", f"{name}:", *body, f"  br label {reference(target)}"])

    def _name_tails(self) -> None:
        """Where labels were inserted into a block, its last part is what its successors follow."""
        labelled = [at for at, body in self._before.items() if _tail(body)]
        for block in self.function.blocks.values() if labelled else ():
            last = block.terminator.line
            inside = [at for at in labelled if block.line <= at <= last]
            if not inside:
                continue
            tail, own = _tail(self._before[max(inside)]), re.escape(reference(block.name))
            for target in dict.fromkeys(block.successors):
                for phi in self.function.blocks[target].phis:
                    self._lines[phi.line] = re.sub(
                        rf", {own} \]", f", %{tail} ]", self._lines[phi.line]
                    )


def _tail(body: Iterable[str]) -> str | None:
    """The last label among inserted lines; None where there is none."""
    return next((m[1] for line in reversed([*body]) if (m := _LABEL.fullmatch(line))), None)
