"""Nodes that are appended to lists, put in front of them instead, in the text of a module."""

from __future__ import annotations

from collections.abc import Sequence

from ..ir.data_layout import Layout
from ..ir.matchers import is_gep, is_store
from ..ir.parser import edited
from ..ir.types import Function, Instruction, Module, Operand
from .append_sites import Site, constant_offset


def put_in_front(module: Module, sites: Sequence[Site], layout: Layout) -> Module:
    """The module in which the nodes of sites are put in front of their lists."""
    lines = module.text.split("\n")
    added: dict[int, list[str]] = {}
    gone: set[int] = set()
    for k, s in enumerate(sites):
        f, name = s.function, f"%looplaw.front{k}"
        new = [_clone(lines, f.definitions[s.link.operands[1]], f"{name}.next", s.made.token)]
        head: Operand | str
        if s.first is not None:
            address, texts = _cloned(f, lines, s, s.first.operands[1], name)
            new += texts
            head = f"{name}.head"
            new.append(f"  {head} = load ptr, ptr {address}{_behind(lines, s.first)}")
            kept = [f"  store ptr {s.made.token}, ptr {address}{_behind(lines, s.first)}"]
            gone.add(s.first.line)
        else:
            assert s.merged is not None
            head, kept = s.head, []
            line, old = lines[s.merged.line], f"[ {head}, %"
            assert old in line, line
            lines[s.merged.line] = line.replace(old, f"[ {s.made.token}, %")
        new.append(f"  store ptr {head}, ptr {name}.next{_behind(lines, s.link)}")
        new += kept
        added[f.blocks[s.test].terminator.line] = new
        gone.add(s.link.line)
        for field in f.users[s.made.token]:
            ends = f.users.get(field.token, ()) if is_gep(field) else (field,)
            at = constant_offset(field, layout) if is_gep(field) else 0
            link = constant_offset(f.definitions[s.link.operands[1]], layout)
            if at == link:
                gone |= {i.line for i in ends if is_store(i) and i.operands[0] == "null"}
    text: list[str] = []
    for n, line in enumerate(lines):
        text += added.get(n, ())
        if n not in gone:
            text.append(line)
    return edited(module, "\n".join(text))


def _behind(lines: list[str], i: Instruction) -> str:
    """What follows the operands of a store: its alignment and metadata."""
    found = lines[i.line].find(", align ")
    return lines[i.line][found:] if found >= 0 else ""


def _clone(lines: list[str], i: Instruction, name: str, base: Operand) -> str:
    line = lines[i.line].replace(f"{i.token} = ", f"{name} = ", 1)
    old = f"ptr {i.operands[0]}"
    assert old in line, line
    return line.replace(old, f"ptr {base}", 1)


def _cloned(
    f: Function, lines: list[str], s: Site, address: Operand, name: str
) -> tuple[Operand | str, list[str]]:
    """An address, and the instructions that compute it again where it is not yet known."""
    i = f.definitions.get(address)
    if not is_gep(i) or f.block_of[i.token] != s.empty:
        return address, []
    base, texts = _cloned(f, lines, s, i.operands[0], name)
    here = f"{name}.at{len(texts)}"
    return here, [*texts, _clone(lines, i, here, base)]  # type: ignore[arg-type]
