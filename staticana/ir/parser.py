"""From the text of an LLVM module to the types of `ir`.

llvmlite's API offers neither predicates nor the types of address computations nor debug records,
and printing one instruction renumbers the whole module; so the module is printed once and that text
is read here. The printer's layout is regular (one instruction a line, continuation lines indented
deeper), which keeps this fast: some microseconds an instruction.

Source: LLVM Language Reference; LLVM's AsmWriter.cpp for the layout.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import cast

from looplaw_common.collection import without_collection
from looplaw_common.errors import InputError

from .instructions import Operands, read_instruction
from .tokens import NAME, VALUE, matching, split_top, split_type, strip_metadata
from .types import (
    Block,
    Function,
    Global,
    GlobalRef,
    Instruction,
    Module,
    Parameter,
    Register,
    Variable,
    unquoted,
)

_BLOCK = re.compile(rf"({NAME}):(?:\s|$)")
_DEFINE = re.compile(rf"(?:define|declare)\b(?P<front>.*?)(?P<name>@{NAME})\(")
_OPENING, _CLOSING = ("{", "[", "<"), ("}", "]", ">")
_DEFINED = re.compile(rf"^define\b[^@\n]*@({NAME})\(", re.MULTILINE)
_GLOBAL = re.compile(rf"@(?P<name>{NAME}) = (?P<attributes>.*?\b(?:global|constant)) (?P<rest>.*)")
_ALIAS = re.compile(rf"@(?P<name>{NAME}) = [^@]*?\balias\b.*ptr (?P<target>@{NAME})")
_TYPE = re.compile(rf"(%{NAME}) = type (.*)")
_RECORD = re.compile(
    rf"#dbg_(?:value|declare)\((?:[^ ]+|\[[^\]]*\]|{{[^}}]*}}) (?P<value>[%@]?{NAME}),"
    r" (?P<node>!\d+),"
    r"(?: !DIExpression\((?:DW_OP_LLVM_fragment, (?P<bit>\d+), \d+)?)?"
)
_DBG = re.compile(r"!dbg (!\d+)")
_CONTINUING = (" ", "]")
"""The third character of a continuation line, and of a debug record."""


_CONTINUED = re.compile(r"\n  (?=\]| (?!  ?#dbg)[^\n])")


def one_line_each(text: str) -> str:
    """The text of a module with all of an instruction on one line: the table of a switch and the
    targets of an invoke, too, so that what is put at the end of a line stands behind them."""
    return _CONTINUED.sub(" ", text)


def _logical_lines(lines: list[str], start: int, end: int) -> Iterator[tuple[int, str]]:
    """Lines of a body with continuations (switch tables, invoke targets, clauses) joined to their
    first line."""
    pending, at = "", start
    for number in range(start, end):
        line = lines[number]
        if (
            line[2:3] in _CONTINUING
            and line[0] == " "  # not a label of one character
            and (line[2] == "]" or line[3:8] not in (" #dbg", ""))
        ):
            pending += " " + line.strip()
            continue
        if pending:
            yield at, pending
        pending, at = line.rstrip(), number
    if pending:
        yield at, pending


def _parameters(inside: str, values: Operands) -> tuple[Parameter, ...]:
    found = []
    for at, part in enumerate(split_top(inside)) if inside.strip() else ():
        if part == "...":
            continue
        kind, rest = split_type(part)
        tokens = VALUE.findall(rest)
        token = tokens[-1] if tokens and rest.endswith(tokens[-1]) else f"%{at}"
        register = cast("Register", values[token])
        found.append(Parameter(register, kind, rest.removesuffix(token).strip()))
    return tuple(found)


def head(line: str) -> tuple[str, str | None]:
    """The name and the debug information of a function, by its first line."""
    match = _DEFINE.match(line)
    if match is None:
        raise InputError(f"cannot read the function header: {line[:100]}")
    found = _DBG.search(line)
    return unquoted(match.group("name")[1:]), found.group(1) if found else None


def _last_type(front: str) -> str:
    """The type of a function's result, at the end of what stands before its name: one word, or
    brackets and what is in them, as in `{ ptr, i8 }`."""
    text = front.rstrip()
    if text[-1:] not in _CLOSING:
        return text.split()[-1] if text else "void"
    depth = 0
    for at in range(len(text) - 1, -1, -1):
        depth += (text[at] in _CLOSING) - (text[at] in _OPENING)
        if depth == 0:
            return text[at:]
    return "void"


def _function(lines: list[str], start: int, end: int, values: Operands) -> Function:
    header = lines[start]
    match = _DEFINE.match(header)
    if match is None:
        raise InputError(f"IR line {start + 1}: cannot read the function header: {header[:100]}")
    closing = matching(header, match.end() - 1)
    found = _DBG.search(header)
    front = match.group("front")
    blocks: dict[str, Block] = {}
    variables: list[Variable] = []
    current: str | None = None
    label_line, body = start, list[Instruction]()

    def close() -> None:
        if current is not None and body:
            blocks[current] = Block(current, tuple(body), label_line)

    for number, text in _logical_lines(lines, start + 1, end):
        if not text:
            continue
        if text[0] != " ":
            label = _BLOCK.match(text)
            if label:
                close()
                current, label_line, body = unquoted(label.group(1)), number, []
            continue
        if text[4:8] == "#dbg":
            record = _RECORD.search(text)
            if record and current is not None:
                bit = record.group("bit")
                variables.append(
                    Variable(
                        values[record.group("value")],
                        record.group("node"),
                        current,
                        None if bit is None else int(bit),
                    )
                )
            continue
        if current is None:  # an entry block printed without a label
            current, label_line = "0", number
        body.append(read_instruction(text.strip(), number, values))
    close()
    return Function(
        unquoted(match.group("name")[1:]),
        _last_type(front),
        _parameters(header[match.end() : closing], values),
        blocks,
        tuple(variables),
        header,
        start,
        end,
        found.group(1) if found else None,
    )


def parse_module(
    text: str, like: Module | None = None, wanted: Callable[[Sequence[str]], bool] | None = None
) -> Module:
    """Read a module as LLVM 22 prints it (llvmlite prints what older compilers wrote in that form).

    Args:
        like: a module that this one was made from; functions that stand in both, in the same lines,
            are not read again but shared.
        wanted: which of the functions with a body are read, by the lines of their text; the others
            are left out.

    Raises:
        InputError: the text is not laid out as the printer lays it out.
    """
    with without_collection():
        return _parsed(text, like, wanted)


def _parsed(
    text: str, like: Module | None, wanted: Callable[[Sequence[str]], bool] | None
) -> Module:
    lines = text.split("\n")
    known = _Shared(like, lines)
    functions: dict[str, Function] = {}
    variables: dict[str, Global] = {}
    types: dict[str, str] = {}
    attributes: dict[str, str] = {}
    metadata: dict[str, str] = {}
    aliases: dict[str, GlobalRef] = {}
    values = Operands()
    datalayout, number = "", 0
    while number < len(lines):
        line = lines[number]
        first = line[:1]
        if first == "!" and number == known.metadata.start:
            metadata |= known.texts
            number = known.metadata.stop
            continue
        if first == "!":
            name, _, value = line.partition(" = ")
            metadata[name] = known.text_of(name, value)
        elif first == "d" and line.startswith(("define", "declare")):
            end = number
            if line.startswith("define"):
                try:
                    end = lines.index("}", number)
                except ValueError:
                    raise InputError(f"IR line {number + 1}: the function has no end") from None
                if wanted is not None and not wanted(lines[number:end]):
                    number = end + 1
                    continue
            function = known.function(number, end) or _function(lines, number, end, values)
            functions[function.name] = function
            number = end
        elif first == "@":
            match = _GLOBAL.match(line)
            alias = None if match else _ALIAS.match(line)
            if alias:
                aliases["@" + alias.group("name")] = GlobalRef(alias.group("target"))
            elif match:
                name = unquoted(match.group("name"))
                kind, rest = split_type(split_top(strip_metadata(match.group("rest")))[0])
                dbg = _DBG.search(line)
                variables[name] = Global(
                    name, match.group("attributes"), kind, rest, dbg.group(1) if dbg else None
                )
        elif first == "%":
            match = _TYPE.match(line)
            if match:
                types[match.group(1)] = match.group(2)
        elif first == "a" and line.startswith("attributes #"):
            name, _, value = line[len("attributes ") :].partition(" = ")
            attributes[name] = value
        elif line.startswith("target datalayout"):
            datalayout = line.split('"')[1]
        number += 1
    if aliases:
        functions = {
            name: f if known.function(f.line, f.end) is f else _resolved(f, aliases)
            for name, f in functions.items()
        }
    return Module(text, functions, variables, types, attributes, metadata, datalayout)


def edited(module: Module, text: str) -> Module:
    """Read the text of a module after edits: functions that had been taken out of the module stay
    out, and its global variables stay as they are. Functions that stand elsewhere than before keep
    their place among the others.

    Raises:
        InputError: as `parse_module`.
    """
    found = parse_module(text, module)
    functions = {
        name: found.functions[name] for name in module.functions if name in found.functions
    }
    found = replace(found, functions={**functions, **found.functions})
    bodies = sum(not f.is_declaration for f in module.functions.values())
    if module.text.count("\ndefine ") == bodies:
        return found
    out = {unquoted(name) for name in _DEFINED.findall(module.text)} - module.functions.keys()
    return replace(
        found,
        functions={name: f for name, f in found.functions.items() if name not in out},
        globals={name: module.globals.get(name, g) for name, g in found.globals.items()},
    )


class _Shared:
    """What a module that is read has in common with one that was read before."""

    def __init__(self, module: Module | None, lines: list[str]) -> None:
        self.texts: Mapping[str, str] = module.metadata if module is not None else {}
        self.metadata = range(-1, -1)  # the lines of all nodes, where both have the same
        self._functions: dict[int, Function] = {}
        if module is None:
            return
        old = module.text.split("\n")
        nodes = _metadata_lines(old)
        written = old[nodes.start : nodes.stop]
        is_all = bool(nodes) and len(self.texts) == len(nodes) - written.count("")
        if is_all and written == lines[nodes.start : nodes.stop]:
            self.metadata = nodes
        if _aliases(old) == _aliases(lines):
            self._functions = {
                f.line: f
                for f in module.functions.values()
                if old[f.line : f.end + 1] == lines[f.line : f.end + 1]
            }

    def function(self, line: int, end: int) -> Function | None:
        """The function that has these lines in both."""
        found = self._functions.get(line)
        return found if found is not None and found.end == end else None

    def text_of(self, name: str, text: str) -> str:
        """The text of a metadata node, one object where both have the same."""
        old = self.texts.get(name)
        return old if old == text and old is not None else text


def _metadata_lines(lines: list[str]) -> range:
    """The first lines that follow each other and are metadata, or empty."""
    start = next((k for k, line in enumerate(lines) if line[:1] == "!"), len(lines))
    for end in range(start, len(lines)):
        if lines[end][:1] not in ("!", ""):
            return range(start, end)
    return range(start, len(lines))


def _aliases(lines: list[str]) -> list[str]:
    return [line for line in lines if line[:1] == "@" and "alias" in line and _ALIAS.match(line)]


def _resolved(function: Function, aliases: dict[str, GlobalRef]) -> Function:
    """Calls through an alias (C++ constructors have them) as calls of what it stands for."""

    def instruction(i: Instruction) -> Instruction:
        if not any(o in aliases for o in i.operands):
            return i
        return replace(i, operands=tuple(aliases.get(o, o) for o in i.operands))

    return replace(
        function,
        blocks={
            name: replace(b, instructions=tuple(map(instruction, b.instructions)))
            for name, b in function.blocks.items()
        },
    )
