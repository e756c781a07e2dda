"""C++: containers seen through. Their small functions are inlined; the end of a vector is its begin
and its size.

`for (auto x : v)` compares addresses that calls return. With the library's functions that have no
loop inlined, these are loads of the vector's fields, and `end - begin` is `v.size()` times the size
of an element.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import llvmlite.binding as llvm

from ..ir.loop_info import loop_forest
from ..ir.parser import parse_module
from ..ir.types import Instruction

if TYPE_CHECKING:
    from ..scev.function_analysis import FunctionView

_LIBRARY = re.compile(r'(?m)^(!\d+) = !DIFile\(filename: "[^"]*/(?:c\+\+|libcxx/include)/')
_ATTRIBUTES = re.compile(r" #\d+(?= |$)")
_VECTOR = re.compile(
    r'%"?(?:struct|class)\.std::(?:__1::)?_Vector_base<(?P<element>.+?),'
    r" std::(?:__1::)?allocator<.*"
    r"::_Vector_impl_data"
)
# What makes, moves and compares iterators; all else is seen through where it is called, and copies
# cost time.
_ITERATOR = re.compile(r"__normal_iterator|__wrap_iter|\dc?r?(?:begin|end)E")
_DEPTH = 8
SIZE = "size"
"""The kind of the value that stands for a vector's number of elements."""
_SIZES = {
    "double": 8,
    "float": 4,
    "char": 1,
    "signed char": 1,
    "unsigned char": 1,
    "short": 2,
    "unsigned short": 2,
    "int": 4,
    "unsigned int": 4,
    "long": 8,
    "unsigned long": 8,
    "long long": 8,
    "unsigned long long": 8,
}


def with_containers_inlined(text: str) -> str:
    """IR in which what the C++ library does without a loop stands where it is called."""
    from .compile import target_machine

    if ("/c++/" not in text and "/libcxx/" not in text) or not _ITERATOR.search(text):
        return text
    text = str(llvm.parse_assembly(text))
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
    inlined = llvm.parse_assembly("\n".join(lines))
    inlined.verify()
    builder = llvm.create_pass_builder(
        target_machine(inlined), llvm.create_pipeline_tuning_options(0)
    )
    passes = llvm.create_new_module_pass_manager()
    for _ in range(2):
        passes.add_always_inliner_pass()
        passes.add_sroa_pass()
    passes.run(inlined, builder)
    return str(inlined)


def vector_end(view: FunctionView, load: Instruction) -> tuple[str, int] | None:
    """(name of the vector, size of an element) for a load of a vector's second field, the address
    of its end."""
    field = view.function.definitions.get(load.operands[0])
    if (
        load.type != "ptr"
        or field is None
        or field.opcode != "getelementptr"
        or field.operands[1:] != ("0", "1")
    ):
        return None
    found = _VECTOR.match(field.type)
    size = _element_size(view, found["element"]) if found else None
    return (_name(view, field.operands[0]), size) if size is not None else None


def _name(view: FunctionView, token: str) -> str:
    """The vector that a base of it belongs to, as the source calls it."""
    for _ in range(_DEPTH):
        known, i = view.variable_name(token), view.function.definitions.get(token)
        if i is not None and i.opcode == "getelementptr" and not (i.name or "_M").startswith("_M"):
            name = str(i.name).split(".")[
                0
            ]  # a member; further uses of it have a number behind the name
            first = name.rstrip("0123456789")
            return first if f"%{first}" in view.function.definitions else name
        if known is not None and not known.startswith("__"):
            return known
        if i is None or i.opcode not in ("getelementptr", "load"):
            break
        token = i.operands[0]
    return "v"


def _element_size(view: FunctionView, element: str) -> int | None:
    if element in _SIZES:
        return _SIZES[element]
    if element.endswith("*"):
        return 8
    if element.startswith("std::vector<"):
        return 24
    # a type that LLVM has met before in this process has a number behind its name
    named = re.compile(rf'%"?(?:struct|class)\.{re.escape(element)}(?:\.\d+)*"?$')
    sizes = {
        view.program.layout.size(token) for token in view.program.module.types if named.match(token)
    }
    return sizes.pop() if len(sizes) == 1 else None
