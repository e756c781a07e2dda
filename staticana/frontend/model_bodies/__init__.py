"""What container functions do to their fields, as small bodies of IR.

The layouts are those that the library's inlined accessors read: libstdc++ (GCC 9 to 14) and libc++
(LLVM 14 to 22). A container of n elements that lie one behind the other begins at its storage and
ends n elements later, wherever the elements are in truth: `looplaw.storage` stands for that
address. What a model does not know it sets to `looplaw.unknown`.
"""

from .bits import BITS
from .bodies import body, body_of_new_key, number_of_keys
from .code import (
    FIELDS,
    FIELDS_TYPE,
    GROWN,
    LENGTH,
    ROWS,
    SAME,
    SIZED,
    STORAGE,
    UNKNOWN,
    Shape,
    container_number,
    has_rows,
    vector_type,
)

__all__ = [
    "BITS",
    "FIELDS",
    "FIELDS_TYPE",
    "GROWN",
    "LENGTH",
    "ROWS",
    "SAME",
    "SIZED",
    "STORAGE",
    "UNKNOWN",
    "Shape",
    "body",
    "body_of_new_key",
    "container_number",
    "has_rows",
    "number_of_keys",
    "vector_type",
]
