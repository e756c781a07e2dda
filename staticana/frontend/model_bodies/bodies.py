"""Which container has which models, and the body of a function of one."""

from __future__ import annotations

import re

from .bits import BITS, bit_models
from .code import Code, Shape, Table
from .contiguous import VECTOR_MODELS
from .counted import keyed_models, list_models, new_key
from .deques import deque_models, iterator_models, numbered_deque_models
from .strings import string_models

_SIZED = ("vector", "deque", "_Deque_iterator", "__deque_iterator")
"""Containers whose models need the size of an element."""
_TREE, _TABLE = {"libstdc++": (40, 24), "libc++": (16, 0)}, (24, 16)
"""Offsets of the number of elements and of the first one, in sets and maps, ordered and not."""
_CONTAINERS: dict[tuple[str, str], Table] = {
    ("libstdc++", "vector"): VECTOR_MODELS,
    ("libc++", "vector"): VECTOR_MODELS,
    ("libstdc++", BITS): bit_models(5),
    ("libc++", BITS): bit_models(3),
    ("libstdc++", "list"): list_models(16, 0, 8),
    ("libc++", "list"): list_models(16, 0, 8),
    **{k: t for name, tree in _TREE.items() for k, t in keyed_models(name, tree, _TABLE).items()},
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
            for register, size, leaves_null in shape.moved_from:
                if size is None:
                    return None
                left = "0" if leaves_null else code.unknown("i8")
                what = f"ptr {register}, i8 {left}, i64 {size}, i1 false"
                code.do(f"call void @llvm.memset.p0.i64({what})")
            write(code)
            return "\n".join(["entry:", *code.lines])
    return None


def body_of_new_key(shape: Shape) -> str:
    """The body of a function that puts an element into a set or a map, where its key is a new
    one."""
    code = Code(shape)
    new_key(*_keyed_fields(shape))(code)
    return "\n".join(["entry:", *code.lines])


def number_of_keys(shape: Shape) -> int:
    """The offset at which a set or a map keeps how many elements it has."""
    return _keyed_fields(shape)[0]


def _keyed_fields(shape: Shape) -> tuple[int, ...]:
    is_table = shape.container.startswith("unordered_")
    return _TABLE if is_table else _TREE[shape.library]
