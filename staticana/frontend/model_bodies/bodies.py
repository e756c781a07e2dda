"""Which container has which models, and the body of a function of one."""

from __future__ import annotations

import re

from .code import Code, Shape, Table
from .contiguous import VECTOR_MODELS
from .counted import keyed_models, list_models
from .deques import deque_models, iterator_models, numbered_deque_models
from .strings import string_models

_SIZED = ("vector", "deque", "_Deque_iterator", "__deque_iterator")
"""Containers whose models need the size of an element."""
_CONTAINERS: dict[tuple[str, str], Table] = {
    ("libstdc++", "vector"): VECTOR_MODELS,
    ("libc++", "vector"): VECTOR_MODELS,
    ("libstdc++", "list"): list_models(16, 0, 8),
    ("libc++", "list"): list_models(16, 0, 8),
    **keyed_models("libstdc++", (40, 24), (24, 16)),
    **keyed_models("libc++", (16, 0), (24, 16)),
    ("libstdc++", "basic_string"): string_models(own_accessors=False),
    ("libc++", "basic_string"): string_models(own_accessors=True),
    ("libstdc++", "deque"): deque_models(16, 48),
    ("libstdc++", "_Deque_iterator"): iterator_models(0),
    ("libc++", "deque"): numbered_deque_models(32, 40),
    ("libc++", "__deque_iterator"): iterator_models(8),
}


def body(shape: Shape) -> str | None:
    """The body of a function as text; None where it has no model."""
    table = _CONTAINERS.get((shape.library, shape.container))
    if table is None or ((shape.element or 0) < 1 and shape.container in _SIZED):
        return None
    if shape.name == f"~{shape.container}":
        return "entry:\n  ret void"
    for kinds, write in table.get(shape.name, ()):
        if re.fullmatch(kinds, shape.kinds):
            code = Code(shape)
            code.measure()
            for register, size in shape.moved_from:
                if size is None:
                    return None
                what = f"ptr {register}, i8 {code.unknown('i8')}, i64 {size}, i1 false"
                code.do(f"call void @llvm.memset.p0.i64({what})")
            write(code)
            return "\n".join(["entry:", *code.lines])
    return None
