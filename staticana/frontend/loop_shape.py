"""Loops shaped as clang writes them, for IR of other compilers.

clang gives a loop one latch (but for `continue` in a `while`), and each `break` an edge of its own;
`ir.loop_info` tells tests from breaks by that. rustc, flang and numba share blocks between them,
which is undone here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from ..ir.loop_info import Loop, loop_forest
from ..ir.parser import one_line_each, parse_module
from ..ir.tokens import NAME
from ..ir.types import Function, Module, quoted
from .isolation import transformed

_MARK = re.compile(r", !llvm\.loop !\d+")
_TARGET = re.compile(r'\blabel %("[^"]*"|[\w.$\-]+)')
_BLOCK = re.compile(r'("[^"]*"|[\w.$\-]+):')
_PLAIN = re.compile(
    rf"(?m)^  (?:(?:%{NAME} = )?(?:tail )?(?:load|store|getelementptr|alloca|call|icmp|fcmp"
    r"|f?(?:add|sub|mul)|and|or|[sz]ext|trunc) |  #dbg_).*"
)
"""Instructions that neither end a block nor merge values, and debug records."""


def may_share_heads(text: str) -> bool:
    """May a loop have several latches? False where no two branches close the same loop."""
    marks = _MARK.findall(text)
    return len(set(marks)) < len(marks)


def folded(text: str) -> str:
    """Inline iterators: the pair that one returns (is there a next item, which) becomes a
    branch."""
    return transformed(
        text,
        (
            *("always_inliner", "sroa") * 3,
            # fold the pairs, then send the constant of each case straight to where it leads
            *("instruction_combine", "jump_threading", "instruction_combine"),
            "global_dead_code_eliminate",
        ),
    )


def one_latch(text: str) -> str:
    """`continue` jumps to a loop's head, which LLVM may take for a loop of its own: all ways back
    meet in one block."""
    text = one_line_each(text)
    # edges and phis are all that is asked for here, and half of the reading is that of the rest
    module = parse_module(_PLAIN.sub("", text), wanted=_may_have_latches)
    lines = text.split("\n")
    for f in module.functions.values():
        if f.is_declaration or (module.file_of(f.dbg) or "").startswith("library/"):
            continue
        for loop in loop_forest(f, module).loops:
            if len(loop.latches) > 1 and all(
                f.blocks[b].successors.count(loop.header) == 1 for b in loop.latches
            ):
                _merge_latches(f, loop, lines)
    return "\n".join(lines)


def _may_have_latches(lines: Sequence[str]) -> bool:
    """May a loop of a function have several latches? False where no two edges lead back to one
    block in a depth-first search: the header of a natural loop is on its way to each latch."""
    successors: dict[str, list[str]] = {"": []}
    current, entry = "", None
    for line in lines[1:]:
        if line[:1] not in ("", " ") and (label := _BLOCK.match(line)):
            current = label[1]
            successors[current] = []
            entry = entry if entry is not None or successors[""] else current
        elif "label %" in line:
            successors[current] += _TARGET.findall(line)
    start = entry or ""
    closed: set[str] = set()
    seen, on_way = {start}, {start}
    work = [(start, iter(dict.fromkeys(successors[start])))]
    while work:
        block, ahead = work[-1]
        for target in ahead:
            if target in on_way:
                if target in closed:
                    return True
                closed.add(target)
            elif target not in seen:
                seen.add(target)
                on_way.add(target)
                work.append((target, iter(dict.fromkeys(successors.get(target, ())))))
                break
        else:
            on_way.discard(block)
            work.pop()
    return False


def _merge_latches(f: Function, loop: Loop, lines: list[str]) -> None:
    name = f"looplaw.latch.{f.blocks[loop.header].line - f.line}"
    body = [f"{name}:"]
    for phi in f.blocks[loop.header].phis:
        pairs = dict(zip(phi.labels, phi.operands, strict=True))
        inside = ", ".join(f"[ {pairs[b]}, %{quoted(b)} ]" for b in loop.latches)
        outside = [f"[ {o}, %{quoted(b)} ]" for b, o in pairs.items() if b not in loop.latches]
        value = f"%{name}.{phi.line - f.line}"
        body.append(f"  {value} = phi {phi.type} {inside}")
        dbg = f", !dbg {phi.dbg}" if phi.dbg else ""
        lines[phi.line] = (
            f"  {phi.token} = phi {phi.type} {', '.join([*outside, f'[ {value}, %{name} ]'])}{dbg}"
        )
    for b in loop.latches:
        at = f.blocks[b].terminator.line
        lines[at] = _MARK.sub("", _label(loop.header).sub(f"label %{name}", lines[at]))
    ends = [f.blocks[b].terminator for b in loop.latches]
    mark = next((i.loop for i in ends if i.loop is not None), None)
    place = next((i.dbg for i in ends if i.loop is not None and i.dbg), ends[0].dbg)
    body.append(
        f"  br label %{quoted(loop.header)}"
        + (f", !dbg {place}" if place else "")
        + (f", !llvm.loop {mark}" if mark else "")
    )
    lines[f.end] = "\n".join([*body, lines[f.end]])


def own_exits(text: str) -> str:
    """A `break` leaves by a block of its own; where a test and a break lead to one block, LLVM
    would merge the two."""
    text = one_line_each(text)
    module = parse_module(text)
    lines = text.split("\n")
    for f in module.functions.values():
        if f.is_declaration or (module.file_of(f.dbg) or "").startswith("library/"):
            continue
        edges = dict.fromkeys(
            (e.source, e.target)
            for loop in loop_forest(f, module).loops
            for e in loop.exits
            if not e.is_unwind
        )
        for source, target in edges:
            if (
                f.blocks[source].successors.count(target) != 1
                or sum(t == target for _, t in edges) < 2
            ):
                continue
            branch = f.blocks[source].terminator
            name = f"looplaw.exit.{branch.line - f.line}.{f.blocks[target].line - f.line}"
            lines[branch.line] = _label(target).sub(f"label %{name}", lines[branch.line])
            here = re.compile(rf"%(?:{re.escape(source)}|\"{re.escape(source)}\") \]")
            for phi in f.blocks[target].phis:
                lines[phi.line] = here.sub(f"%{name} ]", lines[phi.line])
            dbg = f", !dbg {branch.dbg}" if branch.dbg else ""
            lines[f.end] = f"{name}:\n  br label %{quoted(target)}{dbg}\n{lines[f.end]}"
    return "\n".join(lines)


def source_lines(module: Module, node: str) -> list[str]:
    """The lines of the source file that a DILocation is in; none where it is not here."""
    place = module.location(node)
    if place is None:
        return []
    try:
        folder = module.folder_of(module.metadata_field(node, "scope"))
        text = (Path(folder) / place.file).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    return text.splitlines()


class LoopMarks:
    """Adds `!llvm.loop` metadata, which says where a loop starts, to the lines of a module."""

    def __init__(self, module: Module, lines: list[str]) -> None:
        self._lines = lines
        self._free = module.free_metadata

    def add(self, function: Function, loop: Loop, node: str) -> None:
        """Mark a loop as one that starts at the DILocation `node`, as clang does."""
        for latch in loop.latches:
            self._lines[function.blocks[latch].terminator.line] += f", !llvm.loop !{self._free}"
        self._lines.append(f"!{self._free} = distinct !{{!{self._free}, {node}}}")
        self._free += 1


def _label(name: str) -> re.Pattern[str]:
    return re.compile(rf'label %(?:"{re.escape(name)}"|{re.escape(name)}(?![-a-zA-Z$._0-9]))')
