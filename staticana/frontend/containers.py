"""C++ containers: the functions of their iterators are inlined, and what stores references.

`for (auto x : v)` compares addresses that calls return. With the library's functions that have no
loop inlined, these are loads of the vector's fields, which `scev.loads.vector_ends` reads. libc++
passes the arguments of `push_back` through lambda expressions; a variable whose address lies in one
could be written through any pointer that is read from memory.
"""

from __future__ import annotations

import re

from ..ir.loop_info import loop_forest
from ..ir.parser import parse_module
from .isolation import transformed

_LIBRARY = re.compile(r'(?m)^(!\d+) = !DIFile\(filename: "[^"]*/(?:c\+\+|libcxx/include)/')
_ATTRIBUTES = re.compile(r" #\d+(?= |$)")
# Functions that make, move and compare iterators, and lambda expressions of libc++, which keep
# references to what was passed by reference. The rest is analysed by call: copies cost time.
_ITERATOR = re.compile(
    r"__normal_iterator|__wrap_iter|\dc?r?(?:begin|end)[BE]|_ZZNSt3__1\w+ENKUl|16__if_likely_else"
)


def with_containers_inlined(text: str) -> str:
    """IR in which the library's iterator functions without loops are inlined."""
    if ("/c++/" not in text and "/libcxx/" not in text) or not _ITERATOR.search(text):
        return text
    text = transformed(text)
    module = parse_module(text)
    library = set(_LIBRARY.findall(text))
    lines = text.split("\n")
    for f in module.functions.values():
        if (
            f.is_declaration
            or module.metadata_field(f.dbg, "file") not in library
            or not _ITERATOR.search(f.name)
            or loop_forest(f, module).loops
        ):
            continue
        header = lines[f.line]
        at = header.rindex(")")
        lines[f.line] = header[:at] + _ATTRIBUTES.sub(" alwaysinline", header[at:], count=1)
    return transformed("\n".join(lines), ("always_inliner", "sroa") * 2)
