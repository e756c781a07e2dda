"""Models of C++ containers: what their member functions do to sizes, for the analysis alone.

`std::vector::push_back` is a hundred lines that allocate, move and release; what a count rests on
is that the end moves by one element. Functions of the library's containers are given bodies that
say just this (`model_bodies`), over the fields that the library's own accessors read. The program
that runs keeps the library's bodies.

A function is modelled where all that it calls belongs to the library or to the elements, and what
belongs to the elements has no loop, calls nothing unknown and writes only the object that it makes,
assigns or destroys, and what that is moved from: whatever a user's copy constructor does besides
is not to be lost. What is moved into a container holds then what nobody knows. What the library
calls through a pointer (a comparator, a hash, a deleter, a destructor) may be any function whose
address is taken and that has the result and the number of parameters of the call.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from ..ir import cxx_names as cxx
from ..ir.graph import address_taken, callee
from ..ir.loop_info import loop_forest
from ..ir.matchers import is_alloca, is_any, is_gep, is_store
from ..ir.parser import edited
from ..ir.types import Function, Instruction, Module, quoted
from .model_bodies import (
    BITS,
    FIELDS,
    FIELDS_TYPE,
    Shape,
    body,
    body_of_new_key,
    container_number,
    number_of_keys,
    vector_type,
)

_LIBRARY = re.compile(r"/(?:c\+\+|libcxx/include)/")
_NAMED = re.compile(r"([^<]+)")
_DESTRUCTOR = re.compile(r"D[012]Ev$")
_COPIES = ("llvm.memcpy", "llvm.memmove", "llvm.memset")
_POINTERS = ("DW_TAG_pointer_type", "DW_TAG_reference_type", "DW_TAG_rvalue_reference_type")
_OF_DESTRUCTORS = ("void", 1)
_OUTSIDE = " available_externally "
_DEPTH = 12
"""Typedefs and qualifiers around one type that are taken off."""
_KEYED = {"set": 1, "map": 2, "unordered_set": 2, "unordered_map": 3}
"""Containers that have each key once -> the parameter of the template that compares keys."""
_ORDERS = ("less", "greater", "equal_to")
_INSERTING = {
    **dict.fromkeys(("insert", "emplace", "operator[]", "try_emplace", "insert_or_assign"), 1),
    "emplace_hint": 2,
}
"""Functions that put an element in -> where its key is, `this` is 0; one more behind a hint."""
_QUALIFIED = ("DW_TAG_typedef", "DW_TAG_const_type", "DW_TAG_volatile_type", "DW_TAG_member")
_RELEASES = {
    "_Sp_counted_base": ("_M_release", "_M_add_ref_copy"),
    "__shared_weak_count": ("__release_shared", "__add_shared"),
}
"""Classes that count who shares an object -> functions that take part in it or give it up."""
_SHARES_READ = re.compile(r"use_count|_add_ref_lock|__shared_weak_count4lock|weak_ptr|3exp|6unique")
_OWNERS = {"unique_ptr": 8, "shared_ptr": 16, "weak_ptr": 16}
"""Classes whose objects hold null when they were moved from -> their bytes, with no deleter of a
size of its own."""
_APPENDING = ("push_back", "emplace_back", "push_front", "emplace_front")
"""Functions that move what they are handed, whatever the container has."""
_ITERATORS = ("__normal_iterator<", "__wrap_iter<")


def with_models(module: Module) -> tuple[Module, frozenset[str]]:
    """The module with the bodies of container functions replaced by models, and the functions that
    they called: what is counted there is not all that runs."""
    if not any(cxx.OF_STANDARD.match(name) for name in module.functions):
        return module, frozenset()
    models = _Models(module)
    found = dict(models.bodies())
    outside = {
        n for n, f in module.functions.items() if cxx.OF_STANDARD.match(n) and _OUTSIDE in f.header
    }
    if not found and not outside:
        return module, frozenset()
    lines = module.text.split("\n")
    for name in outside:  # the library's own copy runs, and does the same
        at = module.functions[name].line
        lines[at] = lines[at].replace(_OUTSIDE, " ", 1)
    longer: list[str] = []
    for name, text in found.items():
        f = module.functions[name]
        body, room = text.split("\n"), f.end - f.line - 1
        if len(body) <= room:
            lines[f.line + 1 : f.end] = [*body, *[""] * (room - len(body))]
            continue
        # at the end, so that what comes behind stays where it is and is not read again
        longer += (
            _definition(f, text).split("\n") if f.is_declaration else [lines[f.line], *body, "}"]
        )
        lines[f.line : f.end + 1] = [""] * (f.end + 1 - f.line)
    lines += longer
    lines += [f"{FIELDS} = type {FIELDS_TYPE}"]
    lines += [f"{vector_type(n)} = type {{ ptr, ptr, ptr }}" for n in sorted(models.elements)]
    modelled = edited(module, "\n".join([*lines, ""]))
    return modelled, models.called_by(found) | outside


@dataclass(frozen=True)
class KeyedInsertion:
    """A function that puts an element into a set or a map that has its key not yet, else does
    nothing. at: the parameter, from 0 for `this`, that points to the key; bits: those of the key, a
    whole number by which elements are equal; size: the offset at which the container keeps how many
    elements it has; definition: of a function of another name that does what this one does with a
    new key."""

    at: int
    bits: int
    size: int
    definition: str


def keyed_insertions(module: Module) -> Mapping[str, KeyedInsertion]:
    """The functions that put elements into sets and maps of whole numbers, with the orders and the
    equality of the library."""
    models = _Models(module)
    found = ((f.name, models.keyed_insertion(f)) for f in module.functions.values())
    return {name: k for name, k in found if k is not None}


class Member(NamedTuple):
    """A member function of a container: the container's name and its own, the letters of its
    parameters as `Shape` has them, whether it makes a container or ends one, and the bytes of an
    element, where they are known."""

    container: str
    name: str
    takes: str
    is_constructor: bool
    is_destructor: bool
    element: int | None


def container_member(module: Module, name: str) -> Member | None:
    """What a function is among those of a container of the library; None for others."""
    f = module.functions.get(name)
    if f is None or f.dbg is None or not cxx.OF_STANDARD.match(name):
        return None
    shape = _Models(module).shape(f)
    if shape is None:
        return None
    own = shape.container
    is_made, is_ended = shape.name == own, shape.name == f"~{own}"
    return Member(own, shape.name, shape.kinds, is_made, is_ended, shape.element)


@dataclass(frozen=True)
class _Type:
    """A type of the source: its class's name without namespaces, or "" for others."""

    node: str | None
    name: str
    tag: str
    is_const: bool


class _Models:
    """The container functions of one module."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._harmless: dict[str, bool] = {}
        self.elements: set[int] = set()

    def bodies(self) -> Iterator[tuple[str, str]]:
        """(function, its definition as text)."""
        for name, f in self._module.functions.items():
            if f.dbg is None or not cxx.OF_STANDARD.match(name):
                continue
            if self._is_release(f) and self._is_clear(f):
                yield name, "entry:\n  ret void"
                continue
            shape = self.shape(f)
            found = body(shape) if shape is not None else None
            if shape is not None and found is not None and self._is_clear(f):
                self.elements.add(shape.element or 0)
                yield name, found

    def _is_release(self, f: Function) -> bool:
        """Does it count who shares an object, in a program that never asks how many do? Whoever
        has it still finds it as it was: it is destroyed with the last one that has it."""
        if self._asks_who_shares:
            return False
        field = self._module.metadata_field
        owner = (field(field(f.dbg, "scope"), "name") or "").partition("<")[0]
        is_one = owner in _RELEASES and field(f.dbg, "name") in _RELEASES[owner]
        return is_one and f.type == "void" and len(f.parameters) == 1 and not f.is_declaration

    @cached_property
    def _asks_who_shares(self) -> bool:
        return any(map(_SHARES_READ.search, self._module.functions))

    def keyed_insertion(self, f: Function) -> KeyedInsertion | None:
        """See `keyed_insertions`."""
        if f.dbg is None or f.is_declaration or not cxx.OF_STANDARD.match(f.name):
            return None
        shape = self.shape(f)
        if shape is None or shape.container not in _KEYED or shape.name not in _INSERTING:
            return None
        field, scope = self._module.metadata_field, self._module.metadata_field(f.dbg, "scope")
        templates = self._module.metadata_operands(field(scope, "templateParams"))
        given = [self._type(field(node, "type")) for node in templates]
        at, types = _INSERTING[shape.name] + (shape.kinds[:2] == "ov"), self._parameter_types(f)
        pointer = types[at] if at < len(types) else None
        if len(given) < 3 or pointer is None:
            return None
        key, order = given[0], given[_KEYED[shape.container]]
        text = self._module.metadata.get(key.node or "", "")
        bits = field(key.node, "size") if "DW_ATE_" in text and "signed" in text else None
        passed = self._type(field(pointer.node, "baseType"))
        if passed.name.startswith("pair<") and shape.container.endswith("map"):
            passed = self._template_type(passed.node) or passed
        is_plain = order.name.partition("<")[0] in _ORDERS and self._is_library(order.node)
        if bits is None or not is_plain or passed.name != key.name or passed.node is None:
            return None
        if not self._is_clear(f):
            return None  # a hash or a constructor of the program does more than that
        parameters = ", ".join(f"{p.type} {p.token}" for p in f.parameters)
        head = f"define internal {f.type} @{quoted(new_key_name(f.name))}({parameters})"
        text = f"{head} !dbg {f.dbg} {{\n{body_of_new_key(shape)}\n}}"
        return KeyedInsertion(at, int(bits), number_of_keys(shape), text)

    # -- what a function is, from the debug information
    def shape(self, f: Function) -> Shape | None:
        field = self._module.metadata_field
        scope = field(f.dbg, "scope")
        if scope is None or "DICompositeType(" not in self._module.metadata.get(scope, ""):
            return self._of_number_written(f)
        name = _NAMED.match(field(f.dbg, "name") or "")
        container = _NAMED.match(field(scope, "name") or "")
        if name is None or container is None or not self._is_library(scope):
            return None
        registers = _registers(f)
        has_result = bool(f.parameters) and "sret" in f.parameters[0].attributes
        if has_result and not (field(scope, "name") or "").startswith("deque<"):
            return None
        element = self._template_type(scope)
        if element is None:
            return None
        is_bits = element.name == "bool" and container[1] == "vector"
        parameters = [self._type(p) for p in self._parameters(f)]
        letters = [self._kind(p, scope) for p in parameters]
        contiguous = [p for p, k in zip(parameters, letters, strict=True) if k == "i"]
        return Shape(
            "libc++" if "St3__1" in f.name else "libstdc++",
            BITS if is_bits else container[1],
            name[1],
            "".join(letters),
            self._size(element.node),
            self._size(self._pointee(contiguous[0])) if contiguous else None,
            registers[1:] if has_result else registers,
            f.type,
            registers[0] if has_result else None,
            self._moved_from(f),
            self._number(self._type(scope)),
            self._number(element),
            tuple(self._number(self._referred(p)) for p in parameters),
        )

    def _of_number_written(self, f: Function) -> Shape | None:
        """std::to_string, which makes a string like a constructor."""
        if not cxx.TO_STRING.match(f.name) or "sret" not in f.parameters[0].attributes:
            return None
        return Shape("libstdc++", "basic_string", "to_string", "n", 1, None, _registers(f), f.type)

    def _number(self, t: _Type | None) -> int | None:
        """A number for a type of contiguous containers, which all translation units agree on."""
        if t is None or not self._is_library(t.node):
            return None
        return container_number(t.name)

    def _referred(self, t: _Type) -> _Type | None:
        """What a reference is to."""
        if t.tag not in ("DW_TAG_reference_type", "DW_TAG_rvalue_reference_type"):
            return None
        return self._type(self._module.metadata_field(t.node, "baseType"))

    def _moved_from(self, f: Function) -> tuple[tuple[str, int | None, bool], ...]:
        """(register, size, whether null pointers are left) of what a function moves from where to
        move is more than to copy, containers of its own type aside."""
        field, found = self._module.metadata_field, []
        for token, t in zip(_registers(f), self._parameter_types(f), strict=True):
            if t is None or t.tag != "DW_TAG_rvalue_reference_type":
                continue
            inner = self._type(field(t.node, "baseType"))
            text = self._module.metadata.get(inner.node or "", "")
            is_copied = "DICompositeType(" not in text or "DIFlagTypePassByValue" in text
            if not is_copied and inner.node != field(f.dbg, "scope"):
                size = self._size(inner.node)
                is_owner = self._is_library(inner.node) and size == _OWNERS.get(
                    inner.name.partition("<")[0]
                )
                name = field(f.dbg, "name") or ""
                found.append((token, size, is_owner and name.startswith(_APPENDING)))
        return tuple(found)

    def _is_library(self, scope: str | None) -> bool:
        return _LIBRARY.search(self._module.file_of(scope) or "") is not None

    def _parameters(self, f: Function) -> list[str]:
        """The types of a member function's parameters, without `this`."""
        field = self._module.metadata_field
        types = field(field(f.dbg, "type"), "types")
        text = self._module.metadata.get(types or "", "")
        return [t.strip() for t in text[text.find("{") + 1 : text.rfind("}")].split(",")][2:]

    def _type(self, node: str | None) -> _Type:
        """A type without typedefs; const where it is so."""
        field, is_const = self._module.metadata_field, False
        for _ in range(_DEPTH):
            tag = field(node, "tag") or ""
            if tag not in _QUALIFIED:
                return _Type(node, field(node, "name") or "", tag, is_const)
            is_const |= tag == "DW_TAG_const_type"
            node = field(node, "baseType")
        return _Type(None, "", "", is_const)

    def _kind(self, found: _Type, scope: str) -> str:
        """The letter of a parameter; see `Shape`."""
        if found.tag in ("DW_TAG_reference_type", "DW_TAG_rvalue_reference_type"):
            inner = self._type(self._module.metadata_field(found.node, "baseType"))
            if inner.node == scope:
                if found.tag == "DW_TAG_rvalue_reference_type":
                    return "m"
                return "c" if inner.is_const else "s"
            return "" if inner.name.startswith("allocator<") else "v"
        if found.tag == "DW_TAG_pointer_type" or found.name.startswith(_ITERATORS):
            return "i"
        if found.name.startswith("initializer_list<"):
            return "l"
        return "n" if "DIBasicType(" in self._module.metadata.get(found.node or "", "") else "o"

    def _template_type(self, scope: str | None) -> _Type | None:
        """The first argument of a template."""
        field = self._module.metadata_field
        for node in self._module.metadata_operands(field(scope, "templateParams")):
            return self._type(field(node, "type"))
        return None

    def _pointee(self, iterator: _Type) -> str | None:
        """What an iterator points to."""
        field = self._module.metadata_field
        if iterator.tag != "DW_TAG_pointer_type":
            inner = self._template_type(iterator.node)
            return None if inner is None else field(inner.node, "baseType")
        return field(iterator.node, "baseType")

    def _size(self, node: str | None) -> int | None:
        found = self._type(node)
        if found.tag in ("DW_TAG_pointer_type", "DW_TAG_reference_type"):
            return 8
        text = self._module.metadata_field(found.node, "size")
        return int(text) // 8 if text and text.isdecimal() and int(text) % 8 == 0 else None

    # -- may it be left out what the library does
    def _is_clear(self, f: Function) -> bool:
        """Is nothing lost but the library's own work?"""
        for name in self.called_by([f.name]):
            current = self._module.functions[name]
            if current.is_declaration:
                continue
            if not self._is_library(current.dbg):
                if not self._is_harmless(name):
                    return False
            elif any(self._is_out_of_sight(current, i) for i in _calls(current)):
                return False
        return True

    def _is_out_of_sight(self, f: Function, call: Instruction) -> bool:
        """May a call of the library's go to a function of the program that is not known?"""
        name = callee(call)
        if name is None:
            return not self._targets(f, call) and not _is_virtual(f, call)
        target = self._module.functions.get(name)
        if target is not None and not target.is_declaration:
            return False
        return name.startswith("_Z") and not cxx.OF_LANGUAGE.match(name)

    def _targets(self, f: Function, call: Instruction) -> Iterable[str]:
        """The defined functions to which a call of the library's may go."""
        name = callee(call)
        if name is not None:
            target = self._module.functions.get(name)
            is_known = (
                target is not None and not target.is_declaration and name != cxx.CALLS_TERMINATE
            )
            return (name,) if is_known else ()
        kind = call.type, len(call.operands) - 1
        if _is_virtual(f, call) and kind == _OF_DESTRUCTORS:
            return self._destructors
        return self._taken.get(kind, ())

    @cached_property
    def _taken(self) -> Mapping[tuple[str, int], Sequence[str]]:
        """The functions whose address is taken, by result and number of parameters."""
        found: dict[tuple[str, int], list[str]] = {}
        for name in sorted(address_taken(self._module)):
            f = self._module.functions[name]
            found.setdefault((f.type, len(f.parameters)), []).append(name)
        return found

    @cached_property
    def _destructors(self) -> Sequence[str]:
        """What a virtual function without arguments and result may be that the library calls: a
        destructor, or a function of its own."""
        return [
            name
            for name in self._taken.get(_OF_DESTRUCTORS, ())
            if _DESTRUCTOR.search(name) or self._is_library(self._module.functions[name].dbg)
        ]

    def called_by(self, names: Iterable[str]) -> frozenset[str]:
        """The defined functions that these call, directly or not, and they themselves."""
        seen = set(names)
        work = list(seen)
        while work:
            current = self._module.functions[work.pop()]
            if current.name not in names and not self._is_library(current.dbg):
                continue
            for i in _calls(current):
                for target in self._targets(current, i):
                    if target not in seen:
                        seen.add(target)
                        work.append(target)
        return frozenset(seen)

    def _is_harmless(self, name: str) -> bool:
        """A function of the program without loops that writes only what it is handed."""
        if name not in self._harmless:
            self._harmless[name] = False  # what calls itself
            self._harmless[name] = self._finds_harmless(self._module.functions[name])
        return self._harmless[name]

    def _finds_harmless(self, f: Function) -> bool:
        if loop_forest(f, self._module).loops:
            return False
        for b in f.blocks.values():
            for i in b.instructions:
                if is_any(i, "atomicrmw", "cmpxchg", "fence"):
                    return False
                if is_store(i) and not self._is_own(f, i.operands[1]):
                    return False
        return all(self._leaves_others(f, i) for i in _calls(f))

    def _leaves_others(self, f: Function, call: Instruction) -> bool:
        """Does a call in a function of the program write only what is the function's own?"""
        name = callee(call)
        if name is None:
            return False
        target = self._module.functions.get(name)
        if name.startswith(_COPIES):
            return self._is_own(f, call.operands[1])
        if name.startswith(cxx.MODELLED_OTHERWISE):
            return True
        if target is None or target.is_declaration:
            return False
        arguments = zip(call.operands[1:], self._written(target), strict=False)
        if not all(self._is_own(f, o) for o, is_written in arguments if is_written):
            return False
        return self._is_clear(target) if self._is_library(target.dbg) else self._is_harmless(name)

    def _parameter_types(self, f: Function) -> list[_Type | None]:
        """The types of all parameters, `this` too; None where they are not known."""
        field = self._module.metadata_field
        text = self._module.metadata.get(field(field(f.dbg, "type"), "types") or "", "")
        nodes = text[text.find("{") + 1 : text.rfind("}")].split(",")[1:]
        known = [self._type(n.strip()) for n in nodes]
        result = [p for p in f.parameters[:1] if "sret" in p.attributes]
        if len(known) + len(result) != len(f.parameters):
            return [None for _ in f.parameters]
        return [*(None for _ in result), *known]

    def _written(self, f: Function) -> list[bool]:
        """For each parameter: may the function write what it points to?"""
        field = self._module.metadata_field
        return [
            p.type == "ptr"
            and not (
                t is not None
                and t.tag in _POINTERS
                and self._type(field(t.node, "baseType")).is_const
            )
            for p, t in zip(f.parameters, self._parameter_types(f), strict=True)
        ]

    def _makes(self, f: Function) -> bool:
        """Is it a constructor, an assignment or a destructor?"""
        field = self._module.metadata_field
        name, scope = field(f.dbg, "name") or "", field(f.dbg, "scope")
        if "DICompositeType(" not in self._module.metadata.get(scope or "", ""):
            return False
        own = (field(scope, "name") or "").partition("<")[0]
        return name.startswith("~") or name.partition("<")[0] in (own, "operator=")

    def _is_own(self, f: Function, address: str) -> bool:
        """Does an address lie in a local variable, in an object that the function makes, assigns
        or destroys, in a copy that it is handed, or in what is moved from?"""
        for _ in range(_DEPTH):
            i = f.definitions.get(address)
            if i is None:
                break
            if is_alloca(i):
                return True
            if not is_gep(i) and not (i.is_call and (callee(i) or "").startswith(cxx.PASSED_ON)):
                return False
            address = i.operands[1 if i.is_call else 0]
        types = self._parameter_types(f)
        for k, (p, t) in enumerate(zip(f.parameters, types, strict=True)):
            if p.token != address:
                continue
            if k == 0 and self._makes(f):
                return True
            return t is not None and t.tag not in ("DW_TAG_pointer_type", "DW_TAG_reference_type")
        return False


def new_key_name(name: str) -> str:
    """The name of a function that puts an element in where its key is a new one."""
    return f"{name}.looplaw.new"


def _calls(f: Function) -> Iterator[Instruction]:
    return (i for b in f.blocks.values() for i in b.instructions if i.is_call)


def _is_virtual(f: Function, call: Instruction) -> bool:
    """Is the function read from a table that the object it is called for points to?"""
    slot = f.definitions.get(call.operands[0])
    table = f.definitions.get(slot.operands[0]) if slot is not None else None
    if is_gep(table):
        table = f.definitions.get(table.operands[0])
    if slot is None or table is None or (slot.opcode, table.opcode) != ("load", "load"):
        return False
    return table.operands[0] in call.operands[1:]


def _registers(f: Function) -> tuple[str, ...]:
    """The parameters of a function; those of a declaration have no names."""
    if f.is_declaration:
        return tuple(f"%p{k}" for k in range(len(f.parameters)))
    return tuple(str(p.token) for p in f.parameters)


def _definition(f: Function, text: str) -> str:
    """A function that is only declared, with a body."""
    kinds = (p.type for p in f.parameters)
    parameters = ", ".join(f"{kind} {p}" for kind, p in zip(kinds, _registers(f), strict=True))
    return f"define {f.type} @{quoted(f.name)}({parameters}) !dbg {f.dbg} {{\n{text}\n}}"
