"""C++ containers: the functions of their iterators are inlined, and what stores references.

`for (auto x : v)` compares addresses that calls return. With the library's functions that have no
loop inlined, these are loads of the vector's fields, which `memory.vector_ends` reads. libc++
passes the arguments of `push_back` through lambda expressions; a variable whose address lies in one
could be written through any pointer that is read from memory.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ..ir import cxx_names as cxx
from ..ir.loop_info import loop_forest
from ..ir.parser import head, parse_module
from ..ir.types import Function, Module
from .isolation import transformed

_HEAD = re.compile(r"(?m)^define .*")
_LIBRARY = re.compile(r'(?m)^(!\d+) = !DIFile\(filename: "[^"]*/(?:c\+\+|libcxx/include)/')
_ATTRIBUTES = re.compile(r" #\d+(?= |$)")
_KEYED = ("set", "map", "multiset", "multimap")
_OWNERS = ("vector", "basic_string", "list", "deque", *_KEYED, *(f"unordered_{k}" for k in _KEYED))
_CHANGING = (
    *("insert", "assign", "erase", "emplace", "append", "replace"),
    *("try_emplace", "insert_or_assign", "emplace_hint"),
)
# Functions that make, move and compare iterators, and lambda expressions of libc++, which keep
# references to what was passed by reference. The rest is analysed by call: copies cost time.
_HOLDERS = (
    *("pair", "tuple", "_Tuple_impl", "_Head_base", "__tuple_impl", "__tuple_leaf"),
    *("unique_ptr", "__uniq_ptr_impl", "__uniq_ptr_data", "default_delete"),
    *("__compressed_pair", "__compressed_pair_elem"),
    *("shared_ptr", "__shared_ptr", "__shared_ptr_access", "__shared_count", "__allocated_ptr"),
    *("_Sp_counted_ptr_inplace", "_Sp_ebo_helper", "_Impl", "__shared_ptr_emplace", "_Storage"),
    *("__aligned_buffer", "__aligned_membuf", "__allocation_guard"),
    *("allocator_traits", "allocator", "new_allocator", "__new_allocator"),
    *("back_insert_iterator", "front_insert_iterator"),
    *("optional", "_Optional_base", "_Optional_base_impl", "_Optional_payload"),
    *("_Optional_payload_base", "__optional_destruct_base", "__optional_storage_base"),
    *("__optional_copy_base", "__optional_move_base", "__optional_copy_assign_base"),
    *("__optional_move_assign_base",),
)
"""Classes whose functions are inlined, so that what they hold is in registers."""
_COUNTED = ("_Sp_counted_ptr_inplace", "__shared_ptr_emplace")
_PLAIN = ("_M_ptr", "_M_alloc", "__get_alloc", "__get_elem")
"""Of these classes only the constructors and these: the others are called through a pointer."""
_MAKERS = (
    *("back_inserter", "front_inserter"),
    *("make_pair", "make_tuple", "tie", "get", "__get_helper", "forward", "move"),
    *("make_unique", "make_shared", "allocate_shared", "__make_shared", "addressof"),
    *("__addressof", "__to_address", "construct_at", "_Construct", "__allocate_guarded"),
)
_EXCHANGES = ("swap", "exchange")
"""Functions that are inlined for numbers and pointers."""
_PLAIN_TYPE = re.compile("DIBasicType|DW_TAG_pointer_type|DW_TAG_enumeration_type")
_WANTED = re.compile(
    rf"{cxx.ITERATORS.pattern}|St[34]?(?:pair|tuple)I|(?:unique|shared)_ptr|_insert_iterator|optional"
    "|4swap[IB]|8exchange[IB]"
)


def _iterates(name: str) -> bool:
    return (
        cxx.ITERATORS.search(name) is not None and cxx.CONTAINERS_AS_THEY_ARE.search(name) is None
    )


def _holds(module: Module, dbg: str | None) -> bool:
    """Does a function make or open what holds a value: a pair, a tuple, a pointer that owns?"""
    field = module.metadata_field
    scope = field(dbg, "scope")
    owner = (field(scope, "name") or "").partition("<")[0]
    name = (field(dbg, "name") or "").partition("<")[0]
    if scope is not None and "DICompositeType(" in module.metadata.get(scope, ""):
        return owner in _HOLDERS and not (owner in _COUNTED and name not in (owner, *_PLAIN))
    return name in _MAKERS or (name in _EXCHANGES and _is_plain(module, dbg))


def _is_plain(module: Module, dbg: str | None) -> bool:
    """Is it a function of one type, a number or a pointer?"""
    field = module.metadata_field
    arguments = module.metadata_operands(field(dbg, "templateParams"))
    kinds = [module.metadata.get(_bare(module, field(a, "type")) or "", "") for a in arguments]
    return bool(kinds) and all(_PLAIN_TYPE.search(kind) for kind in kinds)


def _bare(module: Module, node: str | None) -> str | None:
    """A type without typedefs."""
    for _ in range(8):
        text = module.metadata.get(node or "", "")
        if "DIDerivedType(" not in text or "DW_TAG_pointer_type" in text:
            break
        node = module.metadata_field(node, "baseType")
    return node


def _changes(module: Module, dbg: str | None) -> bool:
    """Is it a function that makes or changes a container, and names iterators for what it is
    handed?"""
    field = module.metadata_field
    owner = (field(field(dbg, "scope"), "name") or "").partition("<")[0]
    name = (field(dbg, "name") or "").partition("<")[0]
    return owner in _OWNERS and (name == owner or name in _CHANGING)


def _extremum(module: Module, f: Function) -> str | None:
    """The body of std::min, max or clamp over numbers without a branch: the reference to the value
    that it chooses."""
    field = module.metadata_field
    name = (field(f.dbg, "name") or "").partition("<")[0]
    wanted = {"min": 2, "max": 2, "clamp": 3}.get(name)
    if wanted != len(f.parameters) or any(p.type != "ptr" for p in f.parameters):
        return None
    arguments = module.metadata_operands(field(f.dbg, "templateParams"))
    number = _number(module, field(arguments[0], "type")) if len(arguments) == 1 else None
    if number is None:
        return None
    kind, less = number
    a, b, *c = (str(p.token) for p in f.parameters)
    loads = [f"  %v{k} = load {kind}, ptr {p}" for k, p in enumerate((a, b, *c))]
    if name == "clamp":
        chosen = [
            f"  %low = {less} {kind} %v0, %v1",
            f"  %high = {less} {kind} %v2, %v0",
            f"  %top = select i1 %high, ptr {c[0]}, ptr {a}",
            f"  %chosen = select i1 %low, ptr {b}, ptr %top",
        ]
    else:
        pair = "%v1, %v0" if name == "min" else "%v0, %v1"
        chosen = [
            f"  %other = {less} {kind} {pair}",
            f"  %chosen = select i1 %other, ptr {b}, ptr {a}",
        ]
    return "\n".join(["entry:", *loads, *chosen, "  ret ptr %chosen"])


def _number(module: Module, node: str | None) -> tuple[str, str] | None:
    """(type, comparison) in IR of a number of the source."""
    field = module.metadata_field
    node = _bare(module, node)
    text, size = module.metadata.get(node or "", ""), field(node, "size")
    if "DIBasicType(" not in text or size is None:
        return None
    if "DW_ATE_float" in text:
        kind = {"32": "float", "64": "double"}.get(size)
        return (kind, "fcmp olt") if kind is not None else None
    is_signed = "DW_ATE_signed" in text
    if is_signed or "DW_ATE_unsigned" in text:
        return f"i{size}", "icmp slt" if is_signed else "icmp ult"
    return None


def has_wanted(text: str) -> bool:
    """Does a module name a function that may be inlined?"""
    return any(part in text for part in cxx.PARTS_OF_ITERATORS) and _WANTED.search(text) is not None


def with_containers_inlined(text: str, *, is_printed: bool = False) -> str:
    """IR in which the library's iterator functions without loops are inlined.

    Args:
        is_printed: the text is laid out as this LLVM prints it.
    """
    if "/c++/" not in text and "/libcxx/" not in text:
        return text
    if not has_wanted("\n".join(_HEAD.findall(text))):
        return text
    if not is_printed:
        text = transformed(text)
    module = parse_module(text, wanted=_candidates(text))
    lines = text.split("\n")
    for f in module.functions.values():
        if f.is_declaration or loop_forest(f, module).loops:
            continue
        header = lines[f.line]
        at = header.rindex(")")
        lines[f.line] = header[:at] + _ATTRIBUTES.sub(" alwaysinline", header[at:], count=1)
        chosen = _extremum(module, f)
        if chosen is not None:
            lines[f.line + 1 : f.end] = [chosen, *[""] * (f.end - f.line - 2)]
    return transformed("\n".join(lines), ("always_inliner", "sroa") * 2)


def _candidates(text: str) -> Callable[[Sequence[str]], bool]:
    """Which functions are inlined if they have no loop, by the lines of their text: only these are
    read."""
    library = set(_LIBRARY.findall(text))
    module = parse_module(text, wanted=lambda lines: False)

    def may_be_inlined(lines: Sequence[str]) -> bool:
        name, dbg = head(lines[0])
        return module.metadata_field(dbg, "file") in library and (
            _holds(module, dbg) or (_iterates(name) and not _changes(module, dbg))
        )

    return may_be_inlined
