"""Conditions of branches, taken apart: `a && b` is two, however a compiler writes it."""

from __future__ import annotations

from collections.abc import Container

from staticana.ir.types import Function, Instruction, Operand

_OPPOSITE = {
    "eq": "ne",
    "ne": "eq",
    "slt": "sge",
    "sge": "slt",
    "sgt": "sle",
    "sle": "sgt",
    "ult": "uge",
    "uge": "ult",
    "ugt": "ule",
    "ule": "ugt",
}
_SWAPPED = {"sgt": "slt", "sge": "sle", "ugt": "ult", "uge": "ule"}
"""The predicate of the same test with its operands swapped."""
_BOTH = {("and", True), ("or", False)}
Known = tuple[Operand, bool]
"""A condition and its value."""


def conjuncts(
    f: Function, condition: Operand, is_true: bool, headers: Container[str] = ()
) -> list[Known]:
    """What must hold for a condition to be true, or false: the parts of `a && b`, of `!(a || b)`.

    Args:
        headers: blocks whose phi instructions are variables of a loop, no choices.
    """
    d = f.definitions.get(condition)
    parts = [] if d is None else _parts(f, d, is_true, headers)
    if not parts:
        return [(condition, is_true)]
    return [known for o, value in parts for known in conjuncts(f, o, value, headers)]


def _parts(f: Function, d: Instruction, is_true: bool, headers: Container[str]) -> list[Known]:
    """The parts of a condition; none where it is one."""
    if d.opcode == "xor" and d.operands[1] == "true":
        return [(d.operands[0], not is_true)]
    if d.type == "i1" and (d.opcode, is_true) in _BOTH:
        return [(o, is_true) for o in d.operands]
    if d.opcode == "select" and d.operands[1 if not is_true else 2] == str(not is_true).lower():
        other = d.operands[1 if is_true else 2]
        return [(d.operands[0], is_true), (other, is_true)]
    here = f.block_of[d.token]
    if d.opcode != "phi" or here in headers:
        return []
    found: list[Known] = []
    for value, label in zip(d.operands, d.labels, strict=True):
        before = f.blocks[label].terminator
        if value not in ("true", "false"):
            found.append((value, is_true))
        elif (value == "true") == is_true or len(before.labels) != 2:
            return []
        else:
            found.append((before.operands[0], before.labels[0] != here))
    return found


def test_of(d: Instruction | None, is_true: bool) -> tuple[str, tuple[Operand, ...]] | None:
    """(predicate, operands) of a comparison that is true, or false: i < n is false in the same
    cases as i >= n, or n <= i, is true."""
    predicate = None if d is None else next((e for e in d.extra if e in _OPPOSITE), None)
    if d is None or d.opcode != "icmp" or predicate is None:
        return None
    holds = predicate if is_true else _OPPOSITE[predicate]
    operands = d.operands[::-1] if holds in _SWAPPED else d.operands
    return _SWAPPED.get(holds, holds), operands
