"""The end of a C++ vector, modelled as begin + size elements.

`for (auto x : v)` compares two loads of the vector's fields once its iterators are inlined
(`frontend.containers`), and `end - begin` is `v.size()` times the size of an element. The layout is
that of libstdc++'s _Vector_impl_data and of libc++'s vector: begin, end, end of the storage. The
type of libstdc++ names the element; for libc++, whose IR has one name for all vectors, the debug
information of the member function that reads the field does.
"""

from __future__ import annotations

import re

from ..frontend.model_bodies import vector_type
from ..ir.matchers import is_any, is_gep
from ..ir.types import Instruction, Operand
from ..scev.context import FunctionContext
from ..scev.source_names import object_text

_VECTOR = re.compile(
    r'%"?(?:struct|class)\.std::(?:__1::)?_Vector_base<(?P<element>.+?),'
    r" std::(?:__1::)?allocator<.*"
    r"::_Vector_impl_data"
)
_MODEL = re.compile(rf"{re.escape(vector_type(0)[:-1])}(?P<size>\d+)$")
_LIBCXX_VECTOR = re.compile(r'%"?class\.std::__\d+::vector(?:\.\d+)*"?$')
_LIBCXX_NAME = re.compile(r"vector<(?P<element>.+?), ?std::__\d+::allocator<")
_VECTORS = re.compile(r"std::(?:__\d+::)?vector<")
_PLACE = re.compile(r"\{\d+\}")
_DEPTH = 8
"""Scopes, or typedefs, one inside the other, in debug information."""
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


def vector_end(view: FunctionContext, load: Instruction) -> tuple[str, int] | None:
    """(name of the vector, size of an element) for a load of a vector's second field, the address
    of its end."""
    field = view.function.definitions.get(load.operands[0])
    if load.type != "ptr" or not is_gep(field) or field.operands[1:] != ("0", "1"):
        return None
    model = _MODEL.match(field.type)
    if model is not None:
        return _name(view, field.operands[0]), int(model["size"])
    element = _element(view, load, field.type)
    size = _element_size(view, element) if element else None
    if element and size is None:
        size = _size_told(view, load)
    return (_name(view, field.operands[0]), size) if size is not None else None


def _element(view: FunctionContext, load: Instruction, kind: str) -> str | None:
    """The type of a vector's elements, as C++ writes it."""
    found = _VECTOR.match(kind)
    if found is not None:
        return found["element"]
    if _LIBCXX_VECTOR.match(kind) is None:
        return None
    module = view.program.module
    scope = load.dbg
    for _ in range(_DEPTH):  # place, block, function, class
        scope = module.metadata_field(scope, "scope")
        if scope is None:
            break
        named = _LIBCXX_NAME.match(module.metadata_field(scope, "name") or "")
        if named is not None and "DICompositeType(" in module.metadata.get(scope, ""):
            return named["element"]
    return None


def _size_told(view: FunctionContext, load: Instruction) -> int | None:
    """The size of a vector's elements as the debug information of the member function says that
    reads the field, of the vector or of its iterator: of enumerations and of templates."""
    field, module = view.program.module.metadata_field, view.program.module
    scope = load.dbg
    for _ in range(_DEPTH):  # place, block, function, class
        scope = field(scope, "scope")
        name = field(scope, "name") or ""
        if name.startswith(("vector<", "__normal_iterator<")) and "<" in name:
            break
    else:
        return None
    given = module.metadata_operands(field(scope, "templateParams"))
    kind = field(given[0], "type") if given else None
    if name.startswith("__normal_iterator<"):
        kind = field(kind, "baseType")
    for _ in range(_DEPTH):
        size = field(kind, "size")
        if size is not None and size.isdecimal() and int(size) % 8 == 0:
            return int(size) // 8
        kind = field(kind, "baseType")  # of a typedef
    return None


def _name(view: FunctionContext, token: Operand) -> str:
    """The vector that a base of it belongs to, as the source calls it."""
    for _ in range(_DEPTH):
        known, i = view.variable_name(token), view.function.definitions.get(token)
        if is_gep(i) and not (i.name or "_M").startswith("_M"):
            name = str(i.name).split(".")[
                0
            ]  # a member; further uses of it have a number behind the name
            first = name.rstrip("0123456789")
            return first if f"%{first}" in view.function.definitions else name
        if known is not None and not known.startswith("__"):
            return known
        if i is not None and i.is_call:
            return _PLACE.sub("k", object_text(view, token)[0]) or "v"
        if not is_any(i, "getelementptr", "load"):
            break
        token = i.operands[0]
    return "v"


def _element_size(view: FunctionContext, element: str) -> int | None:
    if element in _SIZES:
        return _SIZES[element]
    if element.endswith("*"):
        return 8
    if _VECTORS.match(element):
        return 24
    # a type that LLVM has met before in this process has a number behind its name
    named = re.compile(rf'%"?(?:struct|class)\.{re.escape(element)}(?:\.\d+)*"?$')
    sizes = {
        view.program.layout.size(token) for token in view.program.module.types if named.match(token)
    }
    return sizes.pop() if len(sizes) == 1 else None
