"""Text of an LLVM module -> the types of `ir`.

llvmlite's API knows neither predicates nor types of address computations nor debug records, and
printing one instruction renumbers the whole module; so the module is printed once and that text is
read here. The printer's layout is regular (one instruction a line, continuation lines indented
deeper), which keeps this fast: some microseconds an instruction. Instructions that the analysis has
no use for are kept with their opcode and operands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from looplaw_common.errors import InputError

from .types import Block, Function, Global, Instruction, Module, Parameter, Variable

_NAME = r'(?:"(?:[^"\\]|\\.)*"|[-a-zA-Z$._0-9]+)'
_VALUE = re.compile(rf"[%@]{_NAME}")
_LABEL = re.compile(rf"label (%{_NAME})")
_BLOCK = re.compile(rf"({_NAME}):(?:\s|$)")
_ASSIGN = re.compile(rf"(%{_NAME}) = ")
_DEFINE = re.compile(rf"(?:define|declare)\b(?P<front>.*?)(?P<name>@{_NAME})\(")
_GLOBAL = re.compile(rf"@(?P<name>{_NAME}) = (?P<attributes>.*?\b(?:global|constant)) (?P<rest>.*)")
_ALIAS = re.compile(rf"@(?P<name>{_NAME}) = [^@]*?\balias\b.*ptr (?P<target>@{_NAME})")
_TYPE = re.compile(rf"(%{_NAME}) = type (.*)")
_RECORD = re.compile(
    rf"#dbg_(?:value|declare)\((?:[^ ]+|\[[^\]]*\]|{{[^}}]*}}) (?P<value>[%@]?{_NAME}),"
    r" (?P<node>!\d+),"
    r"(?: !DIExpression\((?:DW_OP_LLVM_fragment, (?P<bit>\d+), \d+)?)?"
)
_DBG = re.compile(r"!dbg (!\d+)")
_LOOP = re.compile(r"!llvm\.loop (!\d+)")
_TBAA = re.compile(r"!tbaa (!\d+)")
_PHI = re.compile(rf"\[ (.+?), (%{_NAME}) \]")
_CASE = re.compile(rf"\S+ (-?\d+|true|false), label (%{_NAME})")
_CALLEE = re.compile(rf"([%@]{_NAME})\(")
_TYPE_START = re.compile(
    r"(?:i\d+|ptr|void|float|double|half|bfloat|fp128|x86_fp80|ppc_fp128)$|[\[{<%]|target\("
)
_OPENING, _CLOSING = "([{<", ")]}>"
_FLAGS = frozenset(
    (
        "nsw nuw exact inbounds nusw nneg disjoint samesign volatile atomic fast nnan ninf nsz arcp"
        " contract afn reassoc tail musttail notail"
    ).split()
)
_CASTS = frozenset(
    (
        "trunc zext sext fptrunc fpext fptoui fptosi uitofp sitofp ptrtoint inttoptr bitcast "
        "addrspacecast ptrtoaddr"
    ).split()
)
_BINARY = frozenset(
    "add sub mul udiv sdiv urem srem shl lshr ashr and or xor fadd fsub fmul fdiv frem".split()
)
_NO_FLAGS: frozenset[str] = frozenset()


_GLOBAL_NAME = re.compile(rf"@({_NAME})")


def global_names(text: str) -> list[str]:
    """The globals and functions that a constant (an initialiser, a constant expression) refers to."""
    return [_unquote(name) for name in _GLOBAL_NAME.findall(text)] if "@" in text else []


def constant_address(token: str) -> tuple[str, str, tuple[str, ...]] | None:
    """(base, source element type, indices) of a constant `getelementptr (...)`; None for other
    constants."""
    if not token.startswith("getelementptr"):
        return None
    parts = split_top(token[token.index("(") + 1 : token.rindex(")")])
    values = tuple(_value(p) for p in parts[1:])
    return (values[0], parts[0], values[1:]) if values else None


def split_top(text: str, separator: str = ",") -> list[str]:
    """Split at separators outside brackets and quotes; parts are stripped."""
    if not any(c in text for c in '([{<"'):
        return [part.strip() for part in text.split(separator)]
    parts, start = [], 0
    while (at := _find_top(text, separator, start)) >= 0:
        parts.append(text[start:at].strip())
        start = at + 1
    parts.append(text[start:].strip())
    return parts


def _find_top(text: str, separator: str, start: int = 0) -> int:
    """Index of the first separator outside brackets and quotes, -1 where there is none."""
    depth, quoted = 0, False
    for at in range(start, len(text)):
        char = text[at]
        if char == '"':
            quoted = not quoted
        elif quoted:
            continue
        elif char in _OPENING:
            depth += 1
        elif char in _CLOSING:
            depth -= 1
        elif char == separator and depth == 0:
            return at
    return -1


def split_type(text: str) -> tuple[str, str]:
    """``"[4 x i32] %a"`` -> ``("[4 x i32]", "%a")``: the type that stands first, and the rest."""
    at = _find_top(text, " ")
    if at < 0:
        return text, ""
    rest = text[at + 1 :]
    if rest.startswith("addrspace("):
        return text[:at], rest[rest.find(")") + 2 :]
    return text[:at], rest


def _unquote(token: str) -> str:
    return token[1:-1] if token.startswith('"') else token


def _matching(text: str, start: int) -> int:
    """Index of the bracket that closes the one at `start`."""
    depth, quoted = 0, False
    for at in range(start, len(text)):
        char = text[at]
        if char == '"':
            quoted = not quoted
        elif not quoted:
            if char == "(":
                depth += 1
            elif char == ")":
                depth -= 1
                if depth == 0:
                    return at
    raise InputError(f"IR: unbalanced brackets in: {text[:80]}")


def _value(text: str) -> str:
    """The value token of ``"i32 noundef %a"``; a constant expression stays whole."""
    text = split_type(text)[1] if " " in text else text
    if text.endswith(")") and not text.startswith(("%", "@")):
        # attributes may carry brackets (dereferenceable(8) %p ends otherwise); what is left is a
        # constant expression
        return text
    return text.rsplit(" ", 1)[-1] if '"' not in text else (_VALUE.findall(text) or [text])[-1]


def _take_flags(text: str) -> tuple[frozenset[str], str]:
    flags: list[str] = []
    while True:
        word, _, rest = text.partition(" ")
        if word not in _FLAGS:
            return (frozenset(flags) if flags else _NO_FLAGS), text
        flags.append(word)
        text = rest


def _strip_metadata(text: str) -> str:
    at = text.find(", !")
    return text if at < 0 else text[:at]


def _call(text: str) -> tuple[str, tuple[str, ...], tuple[str, ...], str]:
    """(return type, callee and argument tokens, argument types, trailing attributes) of a call's
    text."""
    match = _CALLEE.search(text)
    # A function type in front of the callee, as in `call i32 (ptr, ...) @printf(`, is skipped by
    # the search; inline assembly and calls through a constant expression have no callee token.
    if match is None:
        return split_type(text)[0], ("asm" if " asm " in f" {text} " else "?",), (), ""
    end = _matching(text, match.end() - 1)
    inside = text[match.end() : end]
    arguments = split_top(inside) if inside.strip() else []
    front = text[: match.start()].split()
    kind = "void"
    for at, word in enumerate(front):
        if _TYPE_START.match(word):
            kind = split_type(" ".join(front[at:]) + " ")[0]
            break
    tokens = tuple(_value(a) for a in arguments)
    types = tuple(split_type(a)[0] for a in arguments)
    return kind, (match.group(1), *tokens), types, text[end + 1 :]


def _instruction(text: str, line: int) -> Instruction:
    name: str | None = None
    dbg = loop = tbaa = None
    if "!" in text:
        found = _DBG.search(text)
        dbg = found.group(1) if found else None
        if "!llvm.loop" in text:
            found = _LOOP.search(text)
            loop = found.group(1) if found else None
        if "!tbaa" in text:
            found = _TBAA.search(text)
            tbaa = found.group(1) if found else None
        text = _strip_metadata(text)
    match = _ASSIGN.match(text)
    if match:
        name = match.group(1)[1:]
        text = text[match.end() :]
    opcode, _, rest = text.partition(" ")
    if opcode in ("tail", "musttail", "notail"):
        opcode, _, rest = rest.partition(" ")
    flags, rest = _take_flags(rest)
    if opcode in _BINARY:
        kind, values = split_type(rest)
        left, right = split_top(values)[:2]
        return Instruction(opcode, name, kind, (left, right), line, flags, dbg=dbg)
    if opcode == "phi":
        kind, values = split_type(rest)
        pairs = _PHI.findall(values)
        return Instruction(
            opcode,
            name,
            kind,
            tuple(p[0] for p in pairs),
            line,
            labels=tuple(_unquote(p[1][1:]) for p in pairs),
            dbg=dbg,
        )
    if opcode == "br":
        labels = tuple(_unquote(label[1:]) for label in _LABEL.findall(rest))
        condition = (_value(split_top(rest)[0]),) if rest.startswith("i1 ") else ()
        return Instruction(opcode, None, "void", condition, line, labels=labels, dbg=dbg, loop=loop)
    if opcode in ("icmp", "fcmp"):
        predicate, _, rest = rest.partition(" ")
        kind, values = split_type(rest)
        left, right = split_top(values)[:2]
        return Instruction(
            opcode, name, kind, (left, right), line, flags, extra=(predicate,), dbg=dbg
        )
    if opcode == "load":
        parts = split_top(rest.removeprefix("atomic ").removeprefix("volatile "))
        return Instruction(
            opcode, name, parts[0], (_value(parts[1]),), line, flags, dbg=dbg, tbaa=tbaa
        )
    if opcode == "store":
        parts = split_top(rest.removeprefix("atomic ").removeprefix("volatile "))
        return Instruction(
            opcode,
            None,
            split_type(parts[0])[0],
            (_value(parts[0]), _value(parts[1])),
            line,
            flags,
            dbg=dbg,
            tbaa=tbaa,
        )
    if opcode == "getelementptr":
        while rest.startswith("inrange("):
            rest = rest[rest.find(")") + 2 :]
        parts = split_top(rest)
        return Instruction(
            opcode,
            name,
            parts[0],
            tuple(_value(p) for p in parts[1:]),
            line,
            flags,
            extra=tuple(split_type(p)[0] for p in parts[1:]),
            dbg=dbg,
        )
    if opcode in ("call", "invoke"):
        kind, tokens, types, trailing = _call(rest)
        labels = (
            tuple(_unquote(label[1:]) for label in _LABEL.findall(rest))
            if opcode == "invoke"
            else ()
        )
        return Instruction(
            opcode,
            name,
            kind,
            tokens,
            line,
            flags | frozenset(trailing.split()),
            labels=labels,
            extra=types,
            dbg=dbg,
        )
    if opcode == "select":
        parts = split_top(rest)
        return Instruction(
            opcode,
            name,
            split_type(parts[1])[0],
            tuple(_value(p) for p in parts[:3]),
            line,
            flags,
            dbg=dbg,
        )
    if opcode in _CASTS:
        source, _, target = rest.rpartition(" to ")
        return Instruction(
            opcode,
            name,
            target,
            (_value(source),),
            line,
            flags,
            extra=(split_type(source)[0],),
            dbg=dbg,
        )
    if opcode == "switch":
        front, _, table = rest.partition("[")
        cases = _CASE.findall(table)
        default = [_unquote(label[1:]) for label in _LABEL.findall(front)]
        return Instruction(
            opcode,
            None,
            split_type(front)[0],
            (_value(split_top(front)[0]),),
            line,
            labels=(*default, *(_unquote(c[1][1:]) for c in cases)),
            cases=tuple(c[0] for c in cases),
            dbg=dbg,
            loop=loop,
        )
    if opcode == "ret":
        return Instruction(
            opcode, None, "void", () if rest in ("void", "") else (_value(rest),), line, dbg=dbg
        )
    labels = tuple(_unquote(label[1:]) for label in _LABEL.findall(rest))
    operands = tuple(v for v in _VALUE.findall(rest) if _unquote(v[1:]) not in labels)
    kind = (
        split_type(rest)[0].rstrip(",")
        if opcode in ("alloca", "freeze", "extractvalue", "landingpad")
        else "?"
    )
    extra = tuple(rest.rsplit(",", 1)[-1].split()) if opcode in ("extractvalue", "alloca") else ()
    if opcode == "freeze":
        operands = (_value(rest),)
    return Instruction(opcode, name, kind, operands, line, flags, labels, extra=extra, dbg=dbg)


def _logical_lines(lines: list[str], start: int, end: int) -> Iterator[tuple[int, str]]:
    """Lines of a body with continuations (switch tables, invoke targets, clauses) joined to their
    first line."""
    pending, at = "", start
    for number in range(start, end):
        line = lines[number]
        if (line.startswith("    ") and not line.startswith("    #dbg")) or line.startswith("  ]"):
            pending += " " + line.strip()
            continue
        if pending:
            yield at, pending
        pending, at = line.rstrip(), number
    if pending:
        yield at, pending


def _parameters(inside: str) -> tuple[Parameter, ...]:
    found = []
    for at, part in enumerate(split_top(inside)) if inside.strip() else ():
        if part == "...":
            continue
        kind, rest = split_type(part)
        tokens = _VALUE.findall(rest)
        token = tokens[-1] if tokens and rest.endswith(tokens[-1]) else f"%{at}"
        found.append(Parameter(token, kind, rest.removesuffix(token).strip()))
    return tuple(found)


def _function(lines: list[str], start: int, end: int) -> Function:
    header = lines[start]
    match = _DEFINE.match(header)
    if match is None:
        raise InputError(f"IR line {start + 1}: cannot read the function header: {header[:100]}")
    closing = _matching(header, match.end() - 1)
    found = _DBG.search(header)
    front = match.group("front").split()
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
                current, label_line, body = _unquote(label.group(1)), number, []
            continue
        if text.startswith("    #dbg"):
            record = _RECORD.search(text)
            if record and current is not None:
                bit = record.group("bit")
                variables.append(
                    Variable(
                        record.group("value"),
                        record.group("node"),
                        current,
                        None if bit is None else int(bit),
                    )
                )
            continue
        if current is None:  # an entry block printed without a label
            current, label_line = "0", number
        body.append(_instruction(text.strip(), number))
    close()
    return Function(
        _unquote(match.group("name")[1:]),
        front[-1] if front else "void",
        _parameters(header[match.end() : closing]),
        blocks,
        tuple(variables),
        header,
        start,
        end,
        found.group(1) if found else None,
    )


def parse_module(text: str) -> Module:
    """Read a module as LLVM 22 prints it (llvmlite prints what older compilers wrote in that form).

    Raises:
        InputError: the text is not laid out as the printer lays it out.
    """
    lines = text.split("\n")
    functions: dict[str, Function] = {}
    variables: dict[str, Global] = {}
    types: dict[str, str] = {}
    attributes: dict[str, str] = {}
    metadata: dict[str, str] = {}
    aliases: dict[str, str] = {}
    datalayout, number = "", 0
    while number < len(lines):
        line = lines[number]
        first = line[:1]
        if first == "!":
            name, _, value = line.partition(" = ")
            metadata[name] = value
        elif first == "d" and line.startswith(("define", "declare")):
            end = number
            if line.startswith("define"):
                try:
                    end = lines.index("}", number)
                except ValueError:
                    raise InputError(f"IR line {number + 1}: the function has no end") from None
            function = _function(lines, number, end)
            functions[function.name] = function
            number = end
        elif first == "@":
            match = _GLOBAL.match(line)
            alias = None if match else _ALIAS.match(line)
            if alias:
                aliases["@" + alias.group("name")] = alias.group("target")
            elif match:
                name = _unquote(match.group("name"))
                kind, rest = split_type(split_top(_strip_metadata(match.group("rest")))[0])
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
        functions = {name: _resolved(f, aliases) for name, f in functions.items()}
    return Module(text, functions, variables, types, attributes, metadata, datalayout)


def _resolved(function: Function, aliases: dict[str, str]) -> Function:
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
