"""From the text of an LLVM module to the types of `ir`.

llvmlite's API offers neither predicates nor the types of address computations nor debug records,
and printing one instruction renumbers the whole module; so the module is printed once and that text
is read here. The printer's layout is regular (one instruction a line, continuation lines indented
deeper), which keeps this fast: some microseconds an instruction. A table maps each opcode to the
function that reads its operands; an opcode without an entry keeps the values that it mentions.

Source: LLVM Language Reference; LLVM's AsmWriter.cpp for the layout.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple, cast

from looplaw_common.collection import without_collection
from looplaw_common.errors import InputError

from .types import (
    Block,
    Function,
    Global,
    GlobalRef,
    Instruction,
    Module,
    Operand,
    Parameter,
    Register,
    Variable,
    operand,
    unquoted,
)

_NAME = r'(?:"(?:[^"\\]|\\.)*"|[-a-zA-Z$._0-9]+)'
_VALUE = re.compile(rf"[%@]{_NAME}")
_LABEL = re.compile(rf"label (%{_NAME})")
_BLOCK = re.compile(rf"({_NAME}):(?:\s|$)")
_ASSIGN = re.compile(rf"(%{_NAME}) = ")
_DEFINE = re.compile(rf"(?:define|declare)\b(?P<front>.*?)(?P<name>@{_NAME})\(")
_DEFINED = re.compile(rf"^define\b[^@\n]*@({_NAME})\(", re.MULTILINE)
_GLOBAL = re.compile(rf"@(?P<name>{_NAME}) = (?P<attributes>.*?\b(?:global|constant)) (?P<rest>.*)")
_ALIAS = re.compile(rf"@(?P<name>{_NAME}) = [^@]*?\balias\b.*ptr (?P<target>@{_NAME})")
_TYPE = re.compile(rf"(%{_NAME}) = type (.*)")
_RECORD = re.compile(
    rf"#dbg_(?:value|declare)\((?:[^ ]+|\[[^\]]*\]|{{[^}}]*}}) (?P<value>[%@]?{_NAME}),"
    r" (?P<node>!\d+),"
    r"(?: !DIExpression\((?:DW_OP_LLVM_fragment, (?P<bit>\d+), \d+)?)?"
)
_DBG = re.compile(r"!dbg (!\d+)")
_ATTACHMENT = re.compile(r"!(dbg|llvm\.loop|tbaa) (!\d+)")
_KINDS = ("dbg", "llvm.loop", "tbaa")
_PHI = re.compile(rf"\[ (.+?), (%{_NAME}) \]")
_CASE = re.compile(rf"\S+ (-?\d+|true|false), label (%{_NAME})")
_CALLEE = re.compile(rf"([%@]{_NAME})\(")
_TYPE_START = re.compile(
    r"(?:i\d+|ptr|void|float|double|half|bfloat|fp128|x86_fp80|ppc_fp128)$|[\[{<%]|target\("
)
_BRACKET = re.compile(r"""[(\[{<"]""")
_INNER = re.compile(r"""[("]""")
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
_CONSTANTS = _CASTS | frozenset(
    "getelementptr add sub xor shl splat blockaddress dso_local_equivalent no_cfi ptrauth".split()
)
"""How constant expressions begin."""
_BINARY = frozenset(
    "add sub mul udiv sdiv urem srem shl lshr ashr and or xor fadd fsub fmul fdiv frem".split()
)
_TAILS = ("tail", "musttail", "notail")
_NO_FLAGS: frozenset[str] = frozenset()

_BLOCK_ADDRESS = re.compile(r'blockaddress\(@(?:"[^"]*"|[\w.$\-]+), ')
_RANGE = re.compile(r"\binrange\(-?\d+, -?\d+\) ")
_GLOBAL_NAME = re.compile(rf"@({_NAME})")


def global_names(text: str) -> list[str]:
    """The globals and functions to which a constant (an initialiser, a constant expression)
    refers; the address of a block is no way to call its function."""
    if "@" not in text:
        return []
    if "blockaddress" in text:
        text = _BLOCK_ADDRESS.sub("", text)
    return [unquoted(name) for name in _GLOBAL_NAME.findall(text)]


def constant_address(token: str) -> tuple[Operand, str, tuple[Operand, ...]] | None:
    """(base, source element type, indices) of a constant `getelementptr (...)`; None for other
    constants."""
    if not token.startswith("getelementptr"):
        return None
    token = _RANGE.sub("", token)
    parts = split_top(token[token.index("(") + 1 : token.rindex(")")])
    values = tuple(operand(_bare(p)) for p in parts[1:])
    return (values[0], parts[0], values[1:]) if values else None


def split_top(text: str, separator: str = ",") -> list[str]:
    """Split at separators outside brackets and quotes; parts are stripped."""
    if not _BRACKET.search(text):
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
    at = text.find(" ")
    if not text[: max(at, 0)].isalnum():  # brackets, or nothing behind
        at = _find_top(text, " ")
    if at < 0:
        return text, ""
    rest = text[at + 1 :]
    if rest[:10] == "addrspace(":
        return text[:at], rest[rest.find(")") + 2 :]
    return text[:at], rest


def _matching(text: str, start: int) -> int:
    """Index of the bracket that closes the one at `start`."""
    end = text.find(")", start)
    if end >= 0 and not _INNER.search(text, start + 1, end):
        return end
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


def _bare(text: str) -> str:
    """The value in ``"i32 noundef %a"``; a constant expression stays whole."""
    text = split_type(text)[1] if " " in text else text
    if text.endswith(")") and not text.startswith(("%", "@")):
        # attributes may carry brackets (dereferenceable(8) %p ends otherwise); what is left is a
        # constant expression, perhaps behind attributes
        words = split_top(text, " ")
        starts = (at for at, word in enumerate(words) if word.split("(")[0] in _CONSTANTS)
        return " ".join(words[next(starts, 0) :])
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


class _Operands(dict[str, Operand]):
    """Text -> operand, one object for all mentions in a module."""

    def __missing__(self, text: str) -> Operand:
        made = self[text] = operand(text)
        return made


class _Parts(NamedTuple):
    """What an opcode's reader finds; see `Instruction` for the meaning of each."""

    type: str
    operands: tuple[Operand, ...]
    labels: tuple[str, ...] = ()
    cases: tuple[Operand, ...] = ()
    extra: tuple[str, ...] = ()
    flags: frozenset[str] = _NO_FLAGS


_Reader = Callable[[str, _Operands], _Parts]
"""Reads an instruction's text behind the opcode and the flags, metadata left out."""


def _labels(text: str) -> tuple[str, ...]:
    return tuple(unquoted(label[1:]) for label in _LABEL.findall(text))


def _binary(text: str, values: _Operands) -> _Parts:
    """``i32 %a, %b``"""
    kind, operands = split_type(text)
    left, right = split_top(operands)[:2]
    return _Parts(kind, (values[left], values[right]))


def _compare(text: str, values: _Operands) -> _Parts:
    """``slt i32 %a, %b``"""
    predicate, _, rest = text.partition(" ")
    kind, operands = split_type(rest)
    left, right = split_top(operands)[:2]
    return _Parts(kind, (values[left], values[right]), extra=(predicate,))


def _phi(text: str, values: _Operands) -> _Parts:
    """``i32 [ 0, %entry ], [ %next, %body ]``"""
    kind, operands = split_type(text)
    pairs = _PHI.findall(operands)
    return _Parts(
        kind, tuple(values[v] for v, _ in pairs), tuple(unquoted(label[1:]) for _, label in pairs)
    )


def _br(text: str, values: _Operands) -> _Parts:
    """``label %next`` or ``i1 %c, label %yes, label %no``"""
    condition = (values[_bare(split_top(text)[0])],) if text.startswith("i1 ") else ()
    return _Parts("void", condition, _labels(text))


def _switch(text: str, values: _Operands) -> _Parts:
    """``i32 %x, label %default [ i32 0, label %a i32 1, label %b ]``"""
    front, _, table = text.partition("[")
    cases = _CASE.findall(table)
    targets = (*_labels(front), *(unquoted(label[1:]) for _, label in cases))
    return _Parts(
        split_type(front)[0],
        (values[_bare(split_top(front)[0])],),
        targets,
        tuple(values[case] for case, _ in cases),
    )


def _ret(text: str, values: _Operands) -> _Parts:
    """``void`` or ``i32 %x``"""
    return _Parts("void", () if text in ("void", "") else (values[_bare(text)],))


def _load(text: str, values: _Operands) -> _Parts:
    """``i32, ptr %p, align 4``"""
    parts = split_top(text)
    return _Parts(parts[0], (values[_bare(parts[1])],))


def _store(text: str, values: _Operands) -> _Parts:
    """``i32 %x, ptr %p, align 4``"""
    parts = split_top(text)
    stored, address = _bare(parts[0]), _bare(parts[1])
    return _Parts(split_type(parts[0])[0], (values[stored], values[address]))


def _getelementptr(text: str, values: _Operands) -> _Parts:
    """``%struct.S, ptr %p, i64 0, i32 1``"""
    while text.startswith("inrange("):
        text = text[text.find(")") + 2 :]
    kind, *parts = split_top(text)
    return _Parts(
        kind, tuple(values[_bare(p)] for p in parts), extra=tuple(split_type(p)[0] for p in parts)
    )


def _select(text: str, values: _Operands) -> _Parts:
    """``i1 %c, i32 %a, i32 %b``"""
    parts = split_top(text)[:3]
    return _Parts(split_type(parts[1])[0], tuple(values[_bare(p)] for p in parts))


def _cast(text: str, values: _Operands) -> _Parts:
    """``i32 %x to i64``"""
    source, _, target = text.rpartition(" to ")
    return _Parts(target, (values[_bare(source)],), extra=(split_type(source)[0],))


def _call(text: str, values: _Operands) -> _Parts:
    """``i32 @f(i32 %a, ptr noundef @g) #1``; the words behind become flags.

    A function type in front of the callee, as in `call i32 (ptr, ...) @printf(`, is skipped by the
    search; inline assembly and calls through a constant expression have no callee that is a value.
    """
    match = _CALLEE.search(text)
    if match is None:
        return _assembly(text, values)
    end = _matching(text, match.end() - 1)
    inside = text[match.end() : end]
    arguments = split_top(inside) if inside.strip() else []
    return _Parts(
        _result_type(text[: match.start()]),
        (values[match.group(1)], *(values[_bare(a)] for a in arguments)),
        extra=tuple(split_type(a)[0] for a in arguments),
        flags=frozenset(text[end + 1 :].split()),
    )


def _assembly(text: str, values: _Operands) -> _Parts:
    """``void asm sideeffect "movl $$9, ($0)", "r,~{memory}"(ptr %p)``; the flag "memory" says that
    it may write memory: by a clobber, or by an operand that is an address (``=*m``).

    What has no callee and is no assembly, a call through a constant expression, is left out.
    """
    if " asm " not in f" {text} ":
        return _Parts(split_type(text)[0], (values["?"],))
    start = text.rfind('"(')
    end = _matching(text, start + 1) if start >= 0 else -1
    inside = text[start + 2 : end] if end > start else ""
    arguments = split_top(inside) if inside.strip() else []
    constraints = text[:start].rpartition('"')[2] if start >= 0 else "*"
    return _Parts(
        split_type(text)[0],
        (values["asm"], *(values[_bare(a)] for a in arguments)),
        extra=tuple(split_type(a)[0] for a in arguments),
        flags=frozenset({"memory"} if "memory" in constraints or "*" in constraints else ()),
    )


def _result_type(front: str) -> str:
    """The type among the words in front of a callee: calling convention, attributes, type."""
    words = front.split()
    for at, word in enumerate(words):
        if _TYPE_START.match(word):
            return split_type(" ".join(words[at:]) + " ")[0]
    return "void"


def _invoke(text: str, values: _Operands) -> _Parts:
    """A call with ``to label %next unwind label %pad`` behind."""
    return _call(text, values)._replace(labels=_labels(text))


def _freeze(text: str, values: _Operands) -> _Parts:
    """``i32 %x``"""
    return _Parts(split_type(text)[0], (values[_bare(text)],))


def _alloca(text: str, values: _Operands) -> _Parts:
    """``i32, i64 %n, align 4``: the operand is the number of elements, where it is given."""
    kind, *parts = split_top(text)
    count = parts[0] if parts and not parts[0].startswith(("align ", "addrspace(")) else None
    return _Parts(kind, (values[_bare(count)],) if count is not None else ())


def _extractvalue(text: str, values: _Operands) -> _Parts:
    """``{ i32, i1 } %pair, 0``; the indices are in `extra`."""
    aggregate, *indices = split_top(text)
    return _Parts(split_type(aggregate)[0], (values[_bare(aggregate)],), extra=tuple(indices))


def _insertvalue(text: str, values: _Operands) -> _Parts:
    """``{ ptr, i32 } %pair, ptr %value, 0``; the indices are in `extra`."""
    aggregate, value, *indices = split_top(text)
    operands = (values[_bare(aggregate)], values[_bare(value)])
    return _Parts(split_type(aggregate)[0], operands, extra=tuple(indices))


def _atomicrmw(text: str, values: _Operands) -> _Parts:
    """``add ptr %p, i32 1 acq_rel, align 4``; the type is that of the value."""
    parts = split_top(text)
    kind = split_type(parts[1])[0] if len(parts) > 1 else "?"
    return _Parts(kind, tuple(values[v] for v in _VALUE.findall(text)))


def _landingpad(text: str, values: _Operands) -> _Parts:
    """``{ ptr, i32 } cleanup``"""
    return _Parts(split_type(text)[0], ())


def _other(text: str, values: _Operands) -> _Parts:
    """An instruction that the analysis does not look into: whatever it mentions may be used."""
    labels = _labels(text)
    mentioned = tuple(v for v in _VALUE.findall(text) if unquoted(v[1:]) not in labels)
    return _Parts("?", tuple(values[v] for v in mentioned), labels)


_READERS: dict[str, _Reader] = {
    **dict.fromkeys(_BINARY, _binary),
    **dict.fromkeys(_CASTS, _cast),
    **dict.fromkeys(("icmp", "fcmp"), _compare),
    "alloca": _alloca,
    "atomicrmw": _atomicrmw,
    "br": _br,
    "call": _call,
    "extractvalue": _extractvalue,
    "freeze": _freeze,
    "getelementptr": _getelementptr,
    "insertvalue": _insertvalue,
    "invoke": _invoke,
    "landingpad": _landingpad,
    "load": _load,
    "phi": _phi,
    "ret": _ret,
    "select": _select,
    "store": _store,
    "switch": _switch,
}
"""Opcode -> reader; every other opcode is read by `_other`."""


def _instruction(text: str, line: int, values: _Operands) -> Instruction:
    """The instruction that stands in one (logical) line of the text."""
    dbg = loop = tbaa = None
    at = text.find(", !")
    if at >= 0:
        if text.startswith("!dbg ", at + 2) and text.find(",", at + 7) < 0:
            dbg = text[at + 7 :]
        else:
            attachments = dict(_ATTACHMENT.findall(text, at))
            dbg, loop, tbaa = map(attachments.get, _KINDS)
        text = text[:at]
    result = None
    if text[0] == "%":
        match = _ASSIGN.match(text)
        if match:
            result = values[match.group(1)]
            text = text[match.end() :]
    opcode, _, rest = text.partition(" ")
    if opcode in _TAILS:
        opcode, _, rest = rest.partition(" ")
    flags, rest = _take_flags(rest)
    kind, operands, labels, cases, extra, more = _READERS.get(opcode, _other)(rest, values)
    return Instruction(
        opcode,
        cast("Register | None", result),
        kind,
        operands,
        line,
        flags | more if more else flags,
        labels,
        cases,
        extra,
        dbg,
        loop,
        tbaa,
    )


_CONTINUING = (" ", "]")
"""The third character of a continuation line, and of a debug record."""


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


def _parameters(inside: str, values: _Operands) -> tuple[Parameter, ...]:
    found = []
    for at, part in enumerate(split_top(inside)) if inside.strip() else ():
        if part == "...":
            continue
        kind, rest = split_type(part)
        tokens = _VALUE.findall(rest)
        token = tokens[-1] if tokens and rest.endswith(tokens[-1]) else f"%{at}"
        register = cast("Register", values[token])
        found.append(Parameter(register, kind, rest.removesuffix(token).strip()))
    return tuple(found)


def _function(lines: list[str], start: int, end: int, values: _Operands) -> Function:
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
        body.append(_instruction(text.strip(), number, values))
    close()
    return Function(
        unquoted(match.group("name")[1:]),
        front[-1] if front else "void",
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
    values = _Operands()
    datalayout, number = "", 0
    while number < len(lines):
        line = lines[number]
        first = line[:1]
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
        functions = {
            name: f if known.function(f.line, f.end) is f else _resolved(f, aliases)
            for name, f in functions.items()
        }
    return Module(text, functions, variables, types, attributes, metadata, datalayout)


def edited(module: Module, text: str) -> Module:
    """Read the text of a module after edits: functions that had been taken out of the module stay
    out, and its global variables stay as they are.

    Raises:
        InputError: as `parse_module`.
    """
    found = parse_module(text, module)
    out = {unquoted(name) for name in _DEFINED.findall(module.text)} - module.functions.keys()
    if not out:
        return found
    return replace(
        found,
        functions={name: f for name, f in found.functions.items() if name not in out},
        globals={name: module.globals.get(name, g) for name, g in found.globals.items()},
    )


class _Shared:
    """What a module that is read has in common with one that was read before."""

    def __init__(self, module: Module | None, lines: list[str]) -> None:
        self._metadata = module.metadata if module is not None else {}
        self._functions: dict[int, Function] = {}
        if module is None:
            return
        old = module.text.split("\n")
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
        old = self._metadata.get(name)
        return old if old == text and old is not None else text


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
