"""Member functions and algorithms of C++ containers in loops.

What the canonical form has inlined is still told by its debug locations: the outermost function of
the library that an instruction comes from, and the place of the call in the program.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ..alias.memory_location import Pointer, UnderlyingObject
from ..ir import cxx_names as cxx
from ..ir.graph import callee
from ..ir.matchers import is_alloca, is_any, is_load, is_store
from ..ir.types import Instruction, IntLiteral, Module, Operand, Register
from ..scev.context import FunctionContext
from .finding import HiddenCost
from .objects import base_name

_MEMBER = re.compile(
    r"(?:5(erase)|6(insert)|7(emplace)|6(substr)|3(str)|5(begin)|6(cbegin)|3(end)|4(cend)|4(size)"
    r"|9(push_back)|12(emplace_back)|10(push_front)|6(append))(?:B\w*?\d+)?[EI]"
)
_CLASSES = ("vector", "basic_string", "ostringstream", "stringstream", "list", "deque")
_SCANS = frozenset(
    "find find_if count count_if accumulate max_element min_element any_of all_of none_of"
    " find_if_not is_sorted".split()
)
_SORTS = frozenset("sort stable_sort".split())
_STEPS = frozenset("next prev advance distance".split())
_NODES = ("_List_", "__list", "_Rb_tree", "__tree", "_Fwd_list", "__forward")
"""Parts of the names of iterators that go from node to node."""
_ITERATOR = re.compile(r"__make_iter|__to_address|__unwrap_iter|\d(?:c?begin|c?end)[BE]")
"""Functions of libc++ that make iterators and take them apart."""
_GROWS = frozenset("push_back emplace_back insert emplace push_front append".split())
_TEMPORARIES = ("%agg.tmp", "%ref.tmp", "%byval")
"""How clang calls objects that the source has no name for."""
_OF_LIBRARY = ("__", "retval", "agg.tmp", "ref.tmp")
"""How the names of variables begin that the source of the program does not have."""
_MOST_DEPTH = 64
"""Scopes, one inside the other, from an instruction to its function."""


@dataclass
class _Event:
    """A call of a function of the library, as the program has it: `text` is the mangled name."""

    name: str
    text: str
    place: str
    line: int
    instructions: list[Instruction] = field(default_factory=list)


def container_calls(view: FunctionContext, header: str) -> Iterator[HiddenCost]:
    """The hidden costs among the uses of containers whose innermost loop is this one."""
    events = list(_events(view, header))
    for event in events:
        found = _judged(view, header, event, events)
        if found is not None:
            base, text = found
            argument = base_name(view, base) or "it"
            function = view.program.module.metadata_field(view.function.dbg, "name")
            yield HiddenCost(
                event.place,
                function or view.function.name,
                event.name,
                argument,
                f"{event.name}({argument}) {text} (loop at {view.loops[header].at})",
            )


def _events(view: FunctionContext, header: str) -> Iterator[_Event]:
    module = view.program.module
    found: dict[str, _Event] = {}
    for name, block in view.function.blocks.items():
        if view.forest.innermost.get(name) != header:
            continue
        for i in block.instructions:
            inlined = _inlined(module, i)
            if inlined is not None:
                text, node = inlined
                event = found.get(node)
                if event is None:
                    at = module.location(node)
                    event = found[node] = _Event(_short(text), text, str(at), at.line if at else 0)
                event.instructions.append(i)
            elif i.is_call and (called := callee(i)) is not None and called.startswith("_Z"):
                at = module.location(i.dbg)
                yield _Event(_short(called), called, view.place(i), at.line if at else 0, [i])
    yield from found.values()


def _inlined(module: Module, i: Instruction) -> tuple[str, str] | None:
    """(linkage name of the function that the program calls, the location of the call) for an
    instruction that was inlined."""
    node, inner = i.dbg, None
    for _ in range(_MOST_DEPTH):
        at = module.metadata_field(node, "inlinedAt")
        if at is None:
            break
        node, inner = at, node
    if inner is None or node is None:
        return None
    scope = module.metadata_field(inner, "scope")
    for _ in range(_MOST_DEPTH):
        if scope is None or "DISubprogram(" in module.metadata.get(scope, ""):
            break
        scope = module.metadata_field(scope, "scope")
    text = module.metadata_field(scope, "linkageName") if scope is not None else None
    return (text, node) if text else None


def _short(text: str) -> str:
    """The last name in a mangled name, as far as it matters here."""
    if cxx.STRING_SUM.match(text):
        return "operator+"
    if cxx.STRING_ASSIGNED.match(text):
        return "operator="
    if cxx.VECTOR_COPIED.match(text):
        return "vector"
    head = text[:60]
    if any(c in head for c in _CLASSES):
        member = _MEMBER.search(text)
        if member is not None:
            return next(g for g in member.groups() if g)
    found = cxx.CONTAINER.match(text)
    if found is None or not found[1]:
        return ""
    return text[found.end() : found.end() + int(found[1])]


def _judged(
    view: FunctionContext, header: str, event: _Event, events: list[_Event]
) -> tuple[UnderlyingObject, str] | None:
    """The object and what is wrong."""
    first = event.instructions[0]
    near = {e.name for e in events if e.line == event.line}
    if event.name in ("erase", "insert", "emplace") and (
        "vector" in event.text[:40] or "basic_string" in event.text[:40]
    ):
        if not _is_in_front(event, near):
            return None
        base = _object(view, event)
        return (base, "moves all elements behind one in every iteration") if base else None
    if event.name == "substr" and _operand(first, 4) == "-1":
        return _copied(view, first, 2, events, "copies what is left of it in every iteration")
    if event.name == "operator+":
        return _copied(view, first, 2, events, "copies it in every iteration")
    if event.name == "str" and len(first.operands) > 2:
        base = _base(view, first.operands[2])
        others = [e for e in events if e is not event and base in _bases(view, e)]
        return (base, "copies all of it in every iteration") if base and others else None
    if event.name == "vector" and cxx.VECTOR_COPIED.match(event.text):
        return _temporary(view, event)
    if event.name in _SCANS | _SORTS | _STEPS:
        return _algorithm(view, header, event, events)
    return None


def _temporary(view: FunctionContext, event: _Event) -> tuple[UnderlyingObject, str] | None:
    """A copy without a name: of what is handed on by value."""
    bases = [b for i in event.instructions for o in i.operands if (b := _base(view, o)) is not None]
    copies = [b for b in bases if isinstance(b, Pointer) and b.register.startswith(_TEMPORARIES)]
    source = next((b for b in bases if b not in copies), None)
    if not copies or source is None:
        return None
    return source, "copies all of it in every iteration"


def _is_in_front(event: _Event, near: set[str]) -> bool:
    """Is something put in or taken out at the front, or anywhere but at the end?"""
    first = event.instructions[0]
    if "basic_string" in event.text[:40] and len(first.operands) > 2 and first.is_call:
        if first.operands[2] == "0":
            return True
        if isinstance(first.operands[2], IntLiteral):
            return False
    if near & {"begin", "cbegin"}:
        return not near & {"end", "cend", "remove", "remove_if", "unique"}
    return False


def _copied(
    view: FunctionContext, call: Instruction, at: int, events: list[_Event], text: str
) -> tuple[UnderlyingObject, str] | None:
    """A text that is made of another, which it then replaces."""
    base = _base(view, call.operands[at]) if at < len(call.operands) else None
    for e in events:
        if base is not None and e.name == "operator=" and base in _bases(view, e):
            return base, text
    return None


def _algorithm(
    view: FunctionContext, header: str, event: _Event, events: list[_Event]
) -> tuple[UnderlyingObject, str] | None:
    base = _range_of(view, event)
    if base is None:
        return None
    if event.name in _SORTS:
        return base, "sorts all of it in every iteration"
    if event.name in _STEPS:
        if not any(part in event.text for part in _NODES):
            return None
        varies = any(_is_variable(view, o, header) for i in event.instructions for o in i.operands)
        return (base, "walks from node to node in every iteration") if varies else None
    grows = any(e.name in _GROWS and base in _bases(view, e) for e in events)
    if grows or _iterates(view, header, base):
        return base, "looks at all of it in every iteration"
    return None


def _is_variable(view: FunctionContext, token: Operand, header: str) -> bool:
    i = view.function.definitions.get(token)
    while is_any(i, "sext", "zext", "trunc"):
        i = view.function.definitions.get(i.operands[0])
    return i is not None and i in view.function.blocks[header].phis and i.type != "ptr"


def _iterates(view: FunctionContext, header: str, base: UnderlyingObject) -> bool:
    """Does the loop go over this container?"""
    for phi in view.function.blocks[header].phis:
        for o in phi.operands:
            if phi.type == "ptr" and _loaded_from(view, o) == base:
                return True
    return False


def _operand(i: Instruction, at: int) -> str:
    return str(i.operands[at]) if at < len(i.operands) else ""


def _base(view: FunctionContext, token: Operand) -> UnderlyingObject | None:
    """The variable or parameter that a pointer points to."""
    if not isinstance(token, Register):
        return None
    base = view.program.memory.aliasing.underlying_object(view.function, token)[0]
    if isinstance(base, Pointer):
        i = view.function.definitions.get(base.register)
        if i is not None and not is_alloca(i):
            return None
    return base


def _bases(view: FunctionContext, event: _Event) -> set[UnderlyingObject]:
    """The variables whose memory or address a call of the library uses."""
    found: set[UnderlyingObject] = set()
    for i in event.instructions:
        for o in i.operands[1:] if i.is_call else i.operands:
            base = _base(view, o)
            if base is not None:
                found.add(base)
    return found


def _object(view: FunctionContext, event: _Event) -> UnderlyingObject | None:
    """The container that a member function is called on."""
    for i in event.instructions:
        for o in i.operands[1:] if i.is_call else i.operands:
            base = _base(view, o)
            if base is not None:
                return base
    return None


def _loaded_from(view: FunctionContext, token: Operand) -> UnderlyingObject | None:
    """The container whose begin or end a pointer is: read from a field of it, or made by it."""
    i = view.function.definitions.get(token)
    if i is None or not (is_load(i) or (i.is_call and _ITERATOR.search(callee(i) or ""))):
        return None
    if is_load(i):
        return _base(view, i.operands[0])
    for o in i.operands[1:]:
        found = _base(view, o) or _loaded_from(view, o)
        if found is not None:
            return found
    return None


def _range_of(view: FunctionContext, event: _Event) -> UnderlyingObject | None:
    """The container between whose iterators an algorithm works."""
    for i in event.instructions:
        for o in i.operands[1:] if i.is_call else i.operands:
            base = _loaded_from(view, o)
            if base is not None:
                return _held_in(view, base) or base
            base = _base(view, o)
            held = _held_in(view, base) if base is not None else None
            if held is not None:
                return held
    return None


def _held_in(view: FunctionContext, base: UnderlyingObject) -> UnderlyingObject | None:
    """The container whose iterator a variable of inlined code holds."""
    if not isinstance(base, Pointer) or not (base_name(view, base) or "_").startswith(_OF_LIBRARY):
        return None
    for i in view.function.users.get(base.register, ()):
        if i.is_call or is_store(i):
            for o in i.operands:
                other = _loaded_from(view, o)
                if other is not None and other != base:
                    return other
    return None
