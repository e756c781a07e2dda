"""The source expression of an access, as far as names tell: `s->n`, `rowptr[{0}]`."""

from __future__ import annotations

from ..expr import Expr
from ..ir.parser import constant_address
from ..ir.types import GlobalRef, Instruction, IntLiteral, Operand
from .context import FunctionContext

_MAX_DEPTH = 24


def access_text(view: FunctionContext, i: Instruction) -> tuple[str, tuple[Expr, ...]]:
    """The source expression that is loaded, as far as names tell: `s->n`, `rowptr[{0}]`, with its
    indices."""
    inside: list[Expr] = []
    text = _address_text(view, i.operands[0], inside, 0)
    if text.startswith("&"):
        text = text[1:]
    elif text:
        text = f"*{text}"
    return text, tuple(inside)


def target_name(view: FunctionContext, token: Operand) -> str | None:
    """The name of the variable or member at an address."""
    text = _address_text(view, token, [], 0)
    return _leaf(text) or None if text.startswith("&") else None


def _address_text(view: FunctionContext, token: Operand, inside: list[Expr], depth: int) -> str:
    """The expression for an address: `&s->n`, `p`."""
    if depth > _MAX_DEPTH:
        return ""
    if isinstance(token, GlobalRef):
        return f"&{token.name}"
    address = constant_address(token)
    d = view.function.definitions.get(token)
    if address is None and d is not None and d.opcode == "getelementptr":
        address = d.operands[0], d.type, d.operands[1:]
    if address is not None:
        return _member_text(view, address, inside, depth)
    known = view.variable_name(token)
    if d is None:
        parameters = zip(view.function.parameters, view.parameter_names, strict=True)
        return next((name for p, name in parameters if p.token == token), "")
    if d.opcode == "alloca":
        return "&" + (known or d.name or "")
    if known:
        return known
    if d.opcode == "load":
        text = _address_text(view, d.operands[0], inside, depth + 1)
        return text[1:] if text.startswith("&") else f"(*{text})" if text else ""
    return (d.name or "").rstrip("0123456789.") if d.opcode == "phi" else ""


def _member_text(
    view: FunctionContext,
    address: tuple[Operand, str, tuple[Operand, ...]],
    inside: list[Expr],
    depth: int,
) -> str:
    base, kind, indices = address
    text = _address_text(view, base, inside, depth + 1)
    layout = view.program.layout
    if not text:
        text = "?"
    pointer = not text.startswith("&")
    text = text.removeprefix("&")
    for at, index in enumerate(indices):
        if at and layout.is_struct(kind):
            number = index.value if isinstance(index, IntLiteral) else -1
            field = layout.offset(kind, number)
            if field is None:
                return ""
            name = view.program.memory.names.name(kind, field[0]) or f"field{index}"
            text = f"{text}{'->' if pointer else '.'}{name}"
            pointer, kind = False, field[1]
            continue
        if at:
            kind = layout.element(kind) or "?"
        if at == 0 and index == "0" and len(indices) > 1:
            continue
        if at == 0 and index == "0" and not pointer:
            continue
        inside.append(view.scalars.value(index).expr)
        text, pointer = f"{text}[{{{len(inside) - 1}}}]", False
    return f"&{text}" if not pointer else text


def last_part(text: str) -> str:
    """`csr->first[{0}]` -> `first[{0}]`."""
    return text.replace("->", ".").rsplit(".", 1)[-1].strip("*()?&")


def _leaf(text: str) -> str:
    """`csr->n` -> `n`."""
    return (
        text.replace("->", ".").rsplit(".", 1)[-1].partition("[")[0].strip("*()?&") if text else ""
    )
