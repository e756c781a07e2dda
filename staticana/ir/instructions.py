"""One instruction: from its line of text to an `Instruction`.

A table maps each opcode to the function that reads its operands; an opcode without an entry keeps
the values that it mentions.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple, cast

from .tokens import CASTS, NAME, NO_FLAGS, VALUE, bare, matching, split_top, split_type, take_flags
from .types import Instruction, Operand, Register, operand, unquoted

_LABEL = re.compile(rf"label (%{NAME})")
_ASSIGN = re.compile(rf"(%{NAME}) = ")
_ATTACHMENT = re.compile(r"!(dbg|llvm\.loop|tbaa) (!\d+)")
_KINDS = ("dbg", "llvm.loop", "tbaa")
_PHI = re.compile(rf"\[ (.+?), (%{NAME}) \]")
_CASE = re.compile(rf"\S+ (-?\d+|true|false), label (%{NAME})")
_CALLEE = re.compile(rf"([%@]{NAME})\(")
_TYPE_START = re.compile(
    r"(?:i\d+|ptr|void|float|double|half|bfloat|fp128|x86_fp80|ppc_fp128)$|[\[{<%]|target\("
)
_ORDERING = re.compile(
    r' (?:syncscope\("[^"]*"\) )?(?:unordered|monotonic|acquire|release|acq_rel|seq_cst)$'
)
_BINARY = frozenset(
    "add sub mul udiv sdiv urem srem shl lshr ashr and or xor fadd fsub fmul fdiv frem".split()
)
_TAILS = ("tail", "musttail", "notail")


class Operands(dict[str, Operand]):
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
    flags: frozenset[str] = NO_FLAGS


_CATCH = re.compile(rf"\bcatch ptr (null|@{NAME})")
_Reader = Callable[[str, Operands], _Parts]
"""Reads an instruction's text behind the opcode and the flags, metadata left out."""


def _labels(text: str) -> tuple[str, ...]:
    return tuple(unquoted(label[1:]) for label in _LABEL.findall(text))


def _binary(text: str, values: Operands) -> _Parts:
    """``i32 %a, %b``"""
    kind, operands = split_type(text)
    left, right = split_top(operands)[:2]
    return _Parts(kind, (values[left], values[right]))


def _compare(text: str, values: Operands) -> _Parts:
    """``slt i32 %a, %b``"""
    predicate, _, rest = text.partition(" ")
    kind, operands = split_type(rest)
    left, right = split_top(operands)[:2]
    return _Parts(kind, (values[left], values[right]), extra=(predicate,))


def _phi(text: str, values: Operands) -> _Parts:
    """``i32 [ 0, %entry ], [ %next, %body ]``"""
    kind, operands = split_type(text)
    pairs = _PHI.findall(operands)
    return _Parts(
        kind, tuple(values[v] for v, _ in pairs), tuple(unquoted(label[1:]) for _, label in pairs)
    )


def _br(text: str, values: Operands) -> _Parts:
    """``label %next`` or ``i1 %c, label %yes, label %no``"""
    condition = (values[bare(split_top(text)[0])],) if text.startswith("i1 ") else ()
    return _Parts("void", condition, _labels(text))


def _switch(text: str, values: Operands) -> _Parts:
    """``i32 %x, label %default [ i32 0, label %a i32 1, label %b ]``"""
    front, _, table = text.partition("[")
    cases = _CASE.findall(table)
    targets = (*_labels(front), *(unquoted(label[1:]) for _, label in cases))
    return _Parts(
        split_type(front)[0],
        (values[bare(split_top(front)[0])],),
        targets,
        tuple(values[case] for case, _ in cases),
    )


def _ret(text: str, values: Operands) -> _Parts:
    """``void`` or ``i32 %x``"""
    return _Parts("void", () if text in ("void", "") else (values[bare(text)],))


def _load(text: str, values: Operands) -> _Parts:
    """``i32, ptr %p, align 4``"""
    parts = split_top(text)
    return _Parts(parts[0], (values[_address(parts[1])],))


def _store(text: str, values: Operands) -> _Parts:
    """``i32 %x, ptr %p, align 4``"""
    parts = split_top(text)
    stored, address = bare(parts[0]), _address(parts[1])
    return _Parts(split_type(parts[0])[0], (values[stored], values[address]))


def _address(text: str) -> str:
    """The address in ``ptr %p``, or in an atomic ``ptr %p syncscope("agent") acquire``."""
    return bare(text if text.count(" ") == 1 else _ORDERING.sub("", text))


def _getelementptr(text: str, values: Operands) -> _Parts:
    """``%struct.S, ptr %p, i64 0, i32 1``"""
    while text.startswith("inrange("):
        text = text[text.find(")") + 2 :]
    kind, *parts = split_top(text)
    return _Parts(
        kind, tuple(values[bare(p)] for p in parts), extra=tuple(split_type(p)[0] for p in parts)
    )


def _select(text: str, values: Operands) -> _Parts:
    """``i1 %c, i32 %a, i32 %b``"""
    parts = split_top(text)[:3]
    return _Parts(split_type(parts[1])[0], tuple(values[bare(p)] for p in parts))


def _cast(text: str, values: Operands) -> _Parts:
    """``i32 %x to i64``"""
    source, _, target = text.rpartition(" to ")
    return _Parts(target, (values[bare(source)],), extra=(split_type(source)[0],))


def _call(text: str, values: Operands) -> _Parts:
    """``i32 @f(i32 %a, ptr noundef @g) #1``; the words behind become flags.

    A function type in front of the callee, as in `call i32 (ptr, ...) @printf(`, is skipped by the
    search; inline assembly and calls through a constant expression have no callee that is a value.
    """
    match = _CALLEE.search(text)
    if match is None:
        return _assembly(text, values)
    end = matching(text, match.end() - 1)
    inside = text[match.end() : end]
    arguments = split_top(inside) if inside.strip() else []
    front = text[: match.start()]
    return _Parts(
        _result_type(front),
        (values[match.group(1)], *(values[bare(a)] for a in arguments)),
        extra=tuple(split_type(a)[0] for a in arguments),
        flags=frozenset((*text[end + 1 :].split(), *(["..."] if "...)" in front else []))),
    )


def _assembly(text: str, values: Operands) -> _Parts:
    """``void asm sideeffect "movl $$9, ($0)", "r,~{memory}"(ptr %p)``; the flag "memory" says that
    it may write memory: by a clobber, or by an operand that is an address (``=*m``).

    What has no callee and is no assembly, a call through a constant expression, is left out.
    """
    if " asm " not in f" {text} ":
        return _Parts(split_type(text)[0], (values["?"],))
    start = text.rfind('"(')
    end = matching(text, start + 1) if start >= 0 else -1
    inside = text[start + 2 : end] if end > start else ""
    arguments = split_top(inside) if inside.strip() else []
    constraints = text[:start].rpartition('"')[2] if start >= 0 else "*"
    return _Parts(
        split_type(text)[0],
        (values["asm"], *(values[bare(a)] for a in arguments)),
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


def _invoke(text: str, values: Operands) -> _Parts:
    """A call with ``to label %next unwind label %pad`` behind."""
    return _call(text, values)._replace(labels=_labels(text))


def _freeze(text: str, values: Operands) -> _Parts:
    """``i32 %x``"""
    return _Parts(split_type(text)[0], (values[bare(text)],))


def _alloca(text: str, values: Operands) -> _Parts:
    """``i32, i64 %n, align 4``: the operand is the number of elements, where it is given."""
    kind, *parts = split_top(text)
    count = parts[0] if parts and not parts[0].startswith(("align ", "addrspace(")) else None
    return _Parts(kind, (values[bare(count)],) if count is not None else ())


def _extractvalue(text: str, values: Operands) -> _Parts:
    """``{ i32, i1 } %pair, 0``; the indices are in `extra`."""
    aggregate, *indices = split_top(text)
    return _Parts(split_type(aggregate)[0], (values[bare(aggregate)],), extra=tuple(indices))


def _insertvalue(text: str, values: Operands) -> _Parts:
    """``{ ptr, i32 } %pair, ptr %value, 0``; the indices are in `extra`."""
    aggregate, value, *indices = split_top(text)
    operands = (values[bare(aggregate)], values[bare(value)])
    return _Parts(split_type(aggregate)[0], operands, extra=tuple(indices))


def _atomicrmw(text: str, values: Operands) -> _Parts:
    """``add ptr %p, i32 1 syncscope("agent") acq_rel, align 4``; the type is that of the value."""
    address, value = split_top(text.partition(" ")[2])[:2]
    return _Parts(
        split_type(value)[0], (values[_address(address)], values[bare(_ORDERING.sub("", value))])
    )


def _cmpxchg(text: str, values: Operands) -> _Parts:
    """``ptr %p, i32 %old, i32 %new acq_rel monotonic, align 4``, perhaps behind ``weak``; the
    type is that of the values."""
    address, old, new = split_top(text.removeprefix("weak ").removeprefix("volatile "))[:3]
    new = _ORDERING.sub("", _ORDERING.sub("", new))
    operands = tuple(values[o] for o in (_address(address), bare(old), bare(new)))
    return _Parts(split_type(old)[0], operands)


def _landingpad(text: str, values: Operands) -> _Parts:
    """``{ ptr, i32 } cleanup catch ptr @type catch ptr null``"""
    kind, clauses = split_type(text)
    return _Parts(kind, (), extra=tuple(_CATCH.findall(clauses)))


def _other(text: str, values: Operands) -> _Parts:
    """An instruction that the analysis does not look into: whatever it mentions may be used."""
    labels = _labels(text)
    mentioned = tuple(v for v in VALUE.findall(text) if unquoted(v[1:]) not in labels)
    return _Parts("?", tuple(values[v] for v in mentioned), labels)


_READERS: dict[str, _Reader] = {
    **dict.fromkeys(_BINARY, _binary),
    **dict.fromkeys(CASTS, _cast),
    **dict.fromkeys(("icmp", "fcmp"), _compare),
    "alloca": _alloca,
    "atomicrmw": _atomicrmw,
    "br": _br,
    "call": _call,
    "cmpxchg": _cmpxchg,
    "extractvalue": _extractvalue,
    "fneg": _freeze,
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


def read_instruction(text: str, line: int, values: Operands) -> Instruction:
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
    flags, rest = take_flags(rest)
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
