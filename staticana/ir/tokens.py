"""The text of IR, cut into parts: names, types, brackets, flags, constant expressions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from looplaw_common.errors import InputError

from .types import Operand, operand, unquoted

NAME = r'(?:"(?:[^"\\]|\\.)*"|[-a-zA-Z$._0-9]+)'
VALUE = re.compile(rf"[%@]{NAME}")
_BRACKET = re.compile(r"""[(\[{<"]""")
_INNER = re.compile(r"""[("]""")
_OPENING, _CLOSING = "([{<", ")]}>"
_FLAGS = frozenset(
    (
        "nsw nuw exact inbounds nusw nneg disjoint samesign volatile atomic fast nnan ninf nsz arcp"
        " contract afn reassoc tail musttail notail"
    ).split()
)
CASTS = frozenset(
    (
        "trunc zext sext fptrunc fpext fptoui fptosi uitofp sitofp ptrtoint inttoptr bitcast "
        "addrspacecast ptrtoaddr"
    ).split()
)
_CONSTANTS = CASTS | frozenset(
    "getelementptr add sub xor shl splat blockaddress dso_local_equivalent no_cfi ptrauth".split()
)
"""How constant expressions begin."""
NO_FLAGS: frozenset[str] = frozenset()
_BLOCK_ADDRESS = re.compile(r'blockaddress\(@(?:"[^"]*"|[\w.$\-]+), ')
_RANGE = re.compile(r"\binrange\(-?\d+, -?\d+\) ")
_ARITHMETIC = re.compile(
    r"(?:(?P<op>add|sub)(?: n[us]w)*|(?P<cast>ptrtoint|inttoptr)) "
    r"\((?P<inside>.*(?(cast) to (?:i64|ptr)))\)$"
)
_TEXT = re.compile(r' c"[^"]*"')
_GLOBAL_NAME = re.compile(rf"@({NAME})")


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
    values = tuple(operand(bare(p)) for p in parts[1:])
    return (values[0], parts[0], values[1:]) if values else None


def constant_arithmetic(token: str) -> tuple[str, tuple[Operand, ...]] | None:
    """What a constant expression computes of 64-bit numbers and addresses: "add" or "sub" of two,
    or "same" for a conversion between both; None for other constants."""
    match = _ARITHMETIC.match(token)
    if match is None:
        return None
    parts = split_top(match["inside"].rpartition(" to ")[0] if match["cast"] else match["inside"])
    if not all(p.startswith(("i64 ", "ptr ")) for p in parts):
        return None
    return match["op"] or "same", tuple(operand(bare(p)) for p in parts)


def constant_addresses(text: str) -> Iterator[str]:
    """The constant `getelementptr (...)` that stand in an initialiser."""
    if "getelementptr" not in text:
        return
    text = _TEXT.sub(' ""', text)
    at = text.find("getelementptr")
    while at >= 0:
        end = matching(text, text.index("(", at))
        yield text[at : end + 1]
        at = text.find("getelementptr", end)


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


def matching(text: str, start: int) -> int:
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


def bare(text: str) -> str:
    """The value in ``"i32 noundef %a"``; a constant expression stays whole."""
    if text[-1:] != ")" and '"' not in text:
        return text[text.rfind(" ") + 1 :]  # as most are
    text = split_type(text)[1] if " " in text else text
    if text.endswith(")") and not text.startswith(("%", "@")):
        # attributes may carry brackets (dereferenceable(8) %p ends otherwise); what is left is a
        # constant expression, perhaps behind attributes
        words = split_top(text, " ")
        starts = (at for at, word in enumerate(words) if word.split("(")[0] in _CONSTANTS)
        return " ".join(words[next(starts, 0) :])
    return text.rsplit(" ", 1)[-1] if '"' not in text else (VALUE.findall(text) or [text])[-1]


def take_flags(text: str) -> tuple[frozenset[str], str]:
    flags: list[str] = []
    while True:
        word, _, rest = text.partition(" ")
        if word not in _FLAGS:
            return (frozenset(flags) if flags else NO_FLAGS), text
        flags.append(word)
        text = rest


def strip_metadata(text: str) -> str:
    at = text.find(", !")
    return text if at < 0 else text[:at]
