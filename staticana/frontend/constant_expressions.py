"""Constant expressions that LLVM has given up since version 14: `mul (i64 ptrtoint (ptr ...), i64
60)`, `icmp ne (ptr @weak, ptr null)`, `select (...)` and the like.

The LLVM of llvmlite refuses text that has one. Here each that is a number (mostly a multiple of the
size of a type) is written as that number, and any other becomes an instruction before the one that
uses it, or at the end of the block that a phi has it from, as LLVM's own reader of bitcode does.
What surrounds one that became an instruction becomes one, too. In an initialiser, and inside of a
struct or vector, only numbers can take a place: the rest is left for LLVM to refuse.

Source: LLVM release notes 15 to 22; LLVM Language Reference, "Constant Expressions";
`BitcodeReader::materializeValue`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from ..ir.data_layout import Layout
from ..ir.integers import compared, computed, signed
from ..ir.tokens import CASTS, NAME, matching, split_top
from ..ir.types import Module

REFUSED = "constexprs are no longer supported"
"""How LLVM's message ends where it refuses one."""
_BINARY = frozenset(
    "add sub mul udiv sdiv urem srem and or xor shl lshr ashr fadd fsub fmul fdiv frem".split()
)
_OTHERS = frozenset("getelementptr select fneg extractvalue insertvalue".split())
_KEPT = frozenset(
    "getelementptr trunc ptrtoint ptrtoaddr inttoptr bitcast addrspacecast add sub xor".split()
)
"""Those that the LLVM of llvmlite reads."""
_COMPARE = frozenset(("icmp", "fcmp"))
_FLAG = (
    r"(?:nuw|nsw|exact|disjoint|nneg|samesign|inbounds|nusw|eq|ne|[us][gl][te]|[ou](?:eq|ne|[gl][te])"
    r"|ord|uno|true|false|inrange\(-?\d+, -?\d+\))"
)
_EXPRESSION = re.compile(
    rf"(?<![\w.@%$\"-])(?P<op>{'|'.join(sorted(_BINARY | CASTS | _OTHERS | _COMPARE))})"
    rf"(?P<flags>(?: {_FLAG})*) ?\("
)
_TYPE = re.compile(rf"(?m)^(%{NAME}) = type (.*)$")
_LAYOUT = re.compile(r'(?m)^target datalayout = "([^"\n]*)"')
_LABEL = re.compile(rf"({NAME}):(?:\s|$)")
_PHI = re.compile(rf"^  %{NAME} = phi ")
_TERMINATOR = re.compile(
    rf"^  (?:%{NAME} = )?(?:br|switch|indirectbr|invoke|callbr|ret|resume|unreachable"
    r"|catchswitch|catchret|cleanupret)\b"
)
_INTEGER = re.compile(r"i(\d+)$")
_INRANGE = re.compile(r" inrange\(-?\d+, -?\d+\)")
_LONGEST = 80
"""Digits of a number that is computed with."""
_NEW = "constant.expression."


def without_constant_expressions(text: str) -> str:
    """The text of a module, with numbers and instructions in place of constant expressions that
    LLVM no longer has, where that can be."""
    types = dict(_TYPE.findall(text))
    layout = _LAYOUT.search(text)
    known = Layout(Module("", {}, {}, types, {}, {}, layout.group(1) if layout else ""))
    result: list[str] = []
    body: list[str] | None = None
    numbers = iter(range(len(text)))
    for line in text.split("\n"):
        if body is None:
            result.append(_replaced(line, known, None) if line[:1] == "@" else line)
            if line.startswith("define "):
                body = []
        elif line == "}":
            result += [*_Body(body, known, numbers.__next__).edited(), line]
            body = None
        else:
            body.append(line)
    return "\n".join([*result, *(body or ())])


@dataclass(frozen=True)
class _Typed:
    """A constant behind its type; its number where it is one, as an address from null on."""

    type: str
    text: str
    number: int | None = None
    is_register: bool = False

    def __str__(self) -> str:
        return f"{self.type} {self.text}"


def _replaced(line: str, layout: Layout, new: Callable[[str], str] | None) -> str:
    """A line whose outermost constant expressions are put right.

    Args:
        new: adds an instruction, and returns the register that it defines, which cannot stand
            inside of a struct, an array or a vector; None where none may be added.
    """
    parts: list[str] = []
    at = depth = 0
    while match := _EXPRESSION.search(line, at):
        end = matching(line, match.end() - 1) + 1
        whole = line[match.start() : end]
        depth += _opened(line[at : match.start()])
        if any(m["op"] not in _KEPT for m in _EXPRESSION.finditer(whole)):
            whole = _Expressions(layout, None if depth else new).value("", whole).text
        parts += (line[at : match.start()], whole)
        at = end
    return "".join((*parts, line[at:]))


class _Expressions:
    """Constant expressions and what becomes of them."""

    def __init__(self, layout: Layout, new: Callable[[str], str] | None) -> None:
        self._layout = layout
        self._new = new

    def value(self, kind: str, text: str) -> _Typed:
        """A constant of a type: a literal, an address or an expression."""
        match = _EXPRESSION.match(text)
        if match is None:
            return _Typed(kind, text, _literal(kind, text), text[:1] == "%")
        inside = text[match.end() : matching(text, match.end() - 1)]
        op, flags = match["op"], match["flags"]
        target = ""
        if op in CASTS:
            inside, _, target = inside.rpartition(" to ")
        parts = split_top(inside)
        source = parts.pop(0) if op == "getelementptr" else ""
        operands = [self._typed(part) for part in parts]
        number = self._number(op, flags, source, operands, target)
        if number is not None and (width := _width(target or _result(op, operands))):
            kind = target or _result(op, operands)
            return _Typed(kind, _written(number, width), signed(number, width))
        first = [source] if source else []
        if self._new is not None and (op not in _KEPT or any(o.is_register for o in operands)):
            line = _instruction(op, _INRANGE.sub("", flags), first, operands, target)
            return _Typed(target or _result(op, operands), self._new(line), None, True)
        inner = ", ".join([*first, *map(str, operands)]) + (f" to {target}" if target else "")
        return _Typed(target or _result(op, operands), f"{op}{flags} ({inner})", number)

    def _typed(self, text: str) -> _Typed:
        """An operand such as `i64 mul (...)`; of an index without a type, the index."""
        words = split_top(text, " ")
        starts = (
            k
            for k, w in enumerate(words)
            if k and _EXPRESSION.match(" ".join(words[k:])) is not None
        )
        start = next(starts, len(words) - 1)
        return self.value(" ".join(words[:start]), " ".join(words[start:]))

    def _number(
        self, op: str, flags: str, source: str, operands: list[_Typed], target: str
    ) -> int | None:
        """What an expression is where its operands are numbers."""
        values = [o.number for o in operands]
        if op == "getelementptr":
            return self._offset(source, values)
        if any(v is None for v in values):
            return None
        known = [v for v in values if v is not None]
        width = _width(operands[0].type)
        if op in ("ptrtoint", "ptrtoaddr", "trunc", "sext") and _width(target):
            return -known[0] if op == "sext" and width == 1 else known[0]
        if width is None or len(known) < 1:
            return None
        if op == "zext" and _width(target):
            return known[0] % (1 << width)
        if op == "select":
            return known[1] if known[0] else known[2]
        if op == "icmp":
            return int(compared(flags.split()[-1], known[0], known[1], width))
        return computed(op, known[0], known[1], width) if op in _BINARY else None

    def _offset(self, source: str, values: list[int | None]) -> int | None:
        """Bytes from null on to what a `getelementptr` leads to."""
        size = self._layout.size(source)
        if None in values or size is None:
            return None
        base, first, *further = (v for v in values if v is not None)
        at, kind = base + first * size, source
        for index in further:
            element = self._layout.element(kind)
            if element is not None and (size := self._layout.size(element)) is not None:
                at, kind = at + index * size, element
            elif (field := self._layout.offset(kind, index)) is not None:
                at, kind = at + field[0], field[1]
            else:
                return None
        return at


def _result(op: str, operands: list[_Typed]) -> str:
    """The type of an expression that names none."""
    if op in _COMPARE:
        return "i1"
    return operands[1 if op == "select" else 0].type


def _instruction(op: str, flags: str, first: list[str], operands: list[_Typed], target: str) -> str:
    """The instruction that does what an expression says."""
    if op in _BINARY | _COMPARE:
        return f"{op}{flags} {operands[0]}, {operands[1].text}"
    words = ", ".join([*first, *(str(o).strip() for o in operands)])
    return f"{op}{flags} {words}" + (f" to {target}" if target else "")


def _width(kind: str) -> int | None:
    match = _INTEGER.match(kind)
    return int(match.group(1)) if match else None


def _literal(kind: str, text: str) -> int | None:
    """The number in a literal; null is the address 0."""
    if text in ("true", "false"):
        return int(text == "true")
    if text == "null":
        return 0
    is_number = _width(kind) and len(text) <= _LONGEST and text.lstrip("-").isdecimal()
    return int(text) if is_number else None


def _written(number: int, width: int) -> str:
    value = signed(number, width)
    return ("false", "true")[value] if width == 1 else str(value)


class _Body:
    """The lines of a function, and the instructions that are put between them."""

    def __init__(self, lines: list[str], layout: Layout, number: Callable[[], int]) -> None:
        self._lines = lines
        self._layout = layout
        self._number = number
        self._before: dict[int, list[str]] = {}

    def edited(self) -> list[str]:
        changed = [self._put_right(at, line) for at, line in enumerate(self._lines)]
        return [new for at, line in enumerate(changed) for new in (*self._before.get(at, ()), line)]

    def _put_right(self, at: int, line: str) -> str:
        if line[:2] != "  " or not _EXPRESSION.search(line):
            return line
        if _PHI.match(line) is not None:
            return self._phi(line)

        def new(instruction: str) -> str:
            return self._added(at, instruction)

        return _replaced(line, self._layout, new)

    def _phi(self, line: str) -> str:
        """A phi, whose values are made at the end of the blocks that they come from."""
        head, _, rest = line.partition(" [ ")
        done = head
        for part in rest.split(" [ "):
            source = part.rpartition("]")[0].rpartition(", %")[2].strip().strip('"')

            def new(instruction: str, source: str = source) -> str:
                return self._added(self._end_of(source), instruction)

            done += " [ " + _replaced(part, self._layout, new)
        return done

    def _end_of(self, block: str) -> int:
        """The line of a block's last instruction; what has no label is the first block."""
        start = next(
            (
                at + 1
                for at, line in enumerate(self._lines)
                if (m := _LABEL.match(line)) and m.group(1).strip('"') == block
            ),
            0,
        )
        return next(
            at for at in range(start, len(self._lines)) if _TERMINATOR.match(self._lines[at])
        )

    def _added(self, at: int, instruction: str) -> str:
        name = f"%{_NEW}{self._number()}"
        self._before.setdefault(at, []).append(f"  {name} = {instruction}")
        return name


def _opened(text: str) -> int:
    """How many more structs, arrays and vectors are open behind a part of a line than before."""
    depth, quoted = 0, False
    for char in text:
        if char == '"':
            quoted = not quoted
        elif not quoted:
            depth += (char in "{[<") - (char in "}]>")
    return depth
