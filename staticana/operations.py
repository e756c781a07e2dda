"""Operations of each kind in a block: what is multiplied by the block's count to give operation formulas.

Floating-point operations count one for each element of a vector, two for a fused multiply-add; bytes are those of the
loads and stores in the unoptimised but register-promoted IR.
"""

from __future__ import annotations

import re

from .ir import Block, Instruction
from .layout import Layout

OPERATIONS = ("flops", "int_operations", "loads", "stores", "load_bytes", "store_bytes", "calls", "branches")
_FLOAT = frozenset(("fadd", "fsub", "fmul", "fdiv", "frem", "fneg"))
_INTEGER = frozenset("add sub mul udiv sdiv urem srem shl lshr ashr and or xor icmp".split())
_VECTOR = re.compile(r"<(\d+) x ")
_FLOAT_CALLS = re.compile(r"@(?:llvm\.)?(?:sqrt|fabs|fmin|fmax|minnum|maxnum)[fl.]?")
_FUSED = re.compile(r"@(?:llvm\.fmuladd|llvm\.fma|fma)\b")


def _lanes(kind: str) -> int:
    match = _VECTOR.match(kind)
    return int(match.group(1)) if match else 1


def _of(i: Instruction, layout: Layout) -> dict[str, int]:
    if i.opcode in _FLOAT:
        return {"flops": _lanes(i.type)}
    if i.opcode in _INTEGER:
        return {"int_operations": _lanes(i.type)}
    if i.opcode == "load":
        return {"loads": 1, "load_bytes": layout.size(i.type) or 0}
    if i.opcode == "store":
        return {"stores": 1, "store_bytes": layout.size(i.type) or 0}
    if i.opcode in ("call", "invoke"):
        callee = i.operands[0]
        if _FUSED.match(callee):
            return {"flops": 2 * _lanes(i.type)}
        if _FLOAT_CALLS.match(callee):
            return {"flops": _lanes(i.type)}
        return {} if callee.startswith("@llvm.") else {"calls": 1}
    if i.opcode in ("br", "switch") and len(i.labels) > 1:
        return {"branches": 1}
    return {}


def instruction_mix(block: Block, layout: Layout) -> dict[str, int]:
    """Operations of one execution of a block, by kind (a subset of `OPERATIONS`)."""
    total: dict[str, int] = {}
    for i in block.instructions:
        for kind, number in _of(i, layout).items():
            total[kind] = total.get(kind, 0) + number
    return total
