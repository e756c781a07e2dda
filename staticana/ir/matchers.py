"""Matchers for instructions: what `i` is, where there is one (as LLVM's PatternMatch has them)."""

from __future__ import annotations

from typing import TypeGuard

from .types import Instruction


def is_any(i: Instruction | None, *opcodes: str) -> TypeGuard[Instruction]:
    """Is there an instruction, with one of these opcodes?"""
    return i is not None and i.opcode in opcodes


def is_load(i: Instruction | None) -> TypeGuard[Instruction]:
    """Does it read memory?"""
    return i is not None and i.opcode == "load"


def is_store(i: Instruction | None) -> TypeGuard[Instruction]:
    """Does it write a value to memory?"""
    return i is not None and i.opcode == "store"


def is_phi(i: Instruction | None) -> TypeGuard[Instruction]:
    """Does it take a value by the block that control comes from?"""
    return i is not None and i.opcode == "phi"


def is_select(i: Instruction | None) -> TypeGuard[Instruction]:
    """Does it take one of two values?"""
    return i is not None and i.opcode == "select"


def is_choice(i: Instruction | None) -> TypeGuard[Instruction]:
    """Does it take one of several values?"""
    return i is not None and i.opcode in ("phi", "select")


def is_gep(i: Instruction | None) -> TypeGuard[Instruction]:
    """Does it compute the address of a member or an element?"""
    return i is not None and i.opcode == "getelementptr"


def is_alloca(i: Instruction | None) -> TypeGuard[Instruction]:
    """Does it make a local variable?"""
    return i is not None and i.opcode == "alloca"


def is_icmp(i: Instruction | None) -> TypeGuard[Instruction]:
    """Does it compare integers or pointers?"""
    return i is not None and i.opcode == "icmp"


def is_return(i: Instruction | None) -> TypeGuard[Instruction]:
    """Does it return from the function?"""
    return i is not None and i.opcode == "ret"


def is_branch(i: Instruction | None) -> TypeGuard[Instruction]:
    """Is it a branch, on a condition or not?"""
    return i is not None and i.opcode == "br"


def is_invoke(i: Instruction | None) -> TypeGuard[Instruction]:
    """Is it a call that may throw?"""
    return i is not None and i.opcode == "invoke"
