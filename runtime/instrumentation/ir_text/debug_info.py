"""New metadata: debug information of copied functions, since LLVM's verifier demands a DISubprogram
of its own for each function definition, and the type of memory that only counters touch."""

from __future__ import annotations

import re

from staticana.ir.types import Function, Module

_FOREIGN = re.compile(r", (?:retainedNodes|declaration|templateParams): !\d+")
_DEBUG = re.compile(r",? !dbg !\d+")
_LOOP = re.compile(r"!llvm\.loop (!\d+)")
_TYPE_ROOT = re.compile(r'!\{!"Simple C(?:\+\+|/C\+\+) TBAA"\}')
_LINKAGE_NAME = re.compile(r'linkageName: "([^"]*)"')


class CopiedScopes:
    """New metadata for copies of functions, created on demand: a scope (DISubprogram), a location
    in it, and one in the function itself. Calls need a location, since the inliner attaches the
    callee's locations to it."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._next = module.free_metadata
        # function -> scope of the copy, location in it, location in the function itself
        self._nodes: dict[str, tuple[int, int, int]] = {}
        self._lines: list[str] = []
        self._private: str | None = None

    def private_type(self) -> str:
        """The metadata of accesses that touch nothing of the program, as a suffix: a type beside
        all of the program's (see `staticana.ir.tbaa`); nothing where its types are not told."""
        if self._private is None:
            roots = [n for n, text in self._module.metadata.items() if _TYPE_ROOT.fullmatch(text)]
            self._private = ""
            for root in roots[:1]:
                kind, tag = self._next, self._next + 1
                self._next += 2
                self._lines += [
                    f'!{kind} = !{{!"looplaw", {root}, i64 0}}',
                    f"!{tag} = !{{!{kind}, !{kind}, i64 0}}",
                ]
                self._private = f", !tbaa !{tag}"
        return self._private

    def copied_header(self, function: Function, text: str) -> str:
        """The end of the copy's header, with its scope."""
        return _DEBUG.sub(f" !dbg !{self._of(function)[0]}", text) if function.dbg else text

    def place(self, function: Function) -> str:
        """The location of a new instruction of the function itself, as a suffix."""
        return f", !dbg !{self._of(function)[2]}" if function.dbg else ""

    def in_copy(self, function: Function, line: str) -> str:
        """A line of the function with the locations of its copy."""
        if not function.dbg or "!" not in line:
            return line
        line = _DEBUG.sub(f", !dbg !{self._of(function)[1]}", line)
        return _LOOP.sub(lambda m: f"!llvm.loop {self._loop(m.group(1))}", line)

    def _loop(self, node: str) -> str:
        """A copy of a loop's node without its locations, which belong to the other scope."""
        kept = [
            o
            for o in self._module.metadata_operands(node)
            if o != node and "!DILocation(" not in self._module.metadata.get(o, "")
        ]
        new = f"!{self._next}"
        self._next += 1
        self._lines.append(f"{new} = distinct !{{{', '.join([new, *kept])}}}")
        return new

    def text(self) -> str:
        """The new nodes."""
        return "".join(f"{line}\n" for line in self._lines)

    def _of(self, function: Function) -> tuple[int, int, int]:
        if function.name not in self._nodes:
            scope, inside, own = range(self._next, self._next + 3)
            self._next += 3
            line = self._module.metadata_field(function.dbg, "line") or "0"
            node = _FOREIGN.sub("", self._module.metadata[function.dbg or ""])
            node = _LINKAGE_NAME.sub(r'linkageName: "\1.looplaw.timed"', node)
            self._lines += [
                f"!{scope} = {node}",
                f"!{inside} = !DILocation(line: {line}, scope: !{scope})",
                f"!{own} = !DILocation(line: {line}, scope: {function.dbg})",
            ]
            self._nodes[function.name] = scope, inside, own
        return self._nodes[function.name]
