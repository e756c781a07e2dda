"""Names that the source gives: to an access (`s->n`, `rowptr[{0}]`), to a value, and to the
iterations of a loop that ends by data (`steps`, `lines`, the variable that counts them).

A loop that a run enters at most once has one number of iterations in the run, which is as good a
value as one that was read, and gets a name that a person would give it. Others have a mean.
"""

from __future__ import annotations

import re

from ..alias.library import source_name
from ..alias.memory_location import Pointer
from ..expr import NUMBER, Expr, Loaded, expr, symbols
from ..ir import cxx_names as cxx
from ..ir.graph import callee
from ..ir.matchers import is_alloca, is_any, is_gep, is_load, is_phi
from ..ir.tokens import constant_address
from ..ir.types import GlobalRef, Instruction, IntLiteral, Operand
from .context import FunctionContext

_BYTE = "i8"
THIS = "this"
"""What a member function calls its object."""
_MAX_DEPTH = 24
"""Instructions that an address is followed through to a name in the source."""
_MOST_DEPTH = 4
"""Instructions that a name of a value goes through."""
_CALLS = (
    (re.compile(r"getopt(_long)?(_only)?$"), "options"),
    (re.compile(r"fgets(_unlocked)?$|getline$|getdelim$|_ZSt7getline|_ZNSt3__17getline"), "lines"),
    (re.compile(r"f?getw?c(_unlocked)?$|getw?char(_unlocked)?$|_ZNSi3getE"), "characters"),
    (
        re.compile(r"(__isoc\d+_)?[fs]?scanf$|_ZNSirsE|_ZStrs|_ZNSi10_M_extract|_ZNSt3__1rs"),
        "values",
    ),
    (re.compile(r"f?read$|recv$|_ZNSi4readE"), "blocks"),
    (re.compile(r"readdir(64)?$"), "entries"),
    (re.compile(r"strtok(_r)?$|strsep$"), "words"),
)
"""What a loop reads, by the call that its end depends on."""
_COUNTS = (
    ("class.std::__cxx11::basic_string", 1),
    ("class.std::_Hashtable", 3),
    ("struct.std::_Rb_tree_header", 1),
    ("struct.std::__detail::_List_node_header", 1),
)
"""Types of libstdc++ and which of their fields holds a number of elements."""
_LIBRARY_PART = re.compile(r"(->|\.)(_M_\w+|field\d+)")
"""A member of a container's own."""
_OF_LIBRARY = re.compile(rf"({THIS}|__\w+)\b")
"""A name that says nothing to who calls the function."""
_TIME = re.compile(r"t$|(?i:.*time)")
_SHORT = 2
"""Letters up to which a counter's name says nothing: i, it."""


def access_text(view: FunctionContext, i: Instruction) -> tuple[str, tuple[Expr, ...]]:
    """The source expression that is loaded, as far as names tell: `s->n`, `rowptr[{0}]`, with its
    indices."""
    inside: list[Expr] = []
    text = _address_text(view, i.operands[0], inside, 0)
    known = None
    if not view.program.layout.is_struct(i.type):
        known = _in_global(view, i.operands[0]) or _in_bytes(view, i)
    if known is not None:
        text, inside = known[0], [expr(k) for k in known[1]]
    if text.startswith("&"):
        text = text[1:]
    elif text:
        text = f"*{text}"
    return text, tuple(inside)


def target_name(view: FunctionContext, token: Operand) -> str | None:
    """The name of the variable or member at an address."""
    known = _in_global(view, token)
    text = _address_text(view, token, [], 0) if known is None else known[0]
    return _leaf(text) or None if text.startswith("&") else None


def _in_global(view: FunctionContext, token: Operand) -> tuple[str, list[int]] | None:
    """The member of a global structure at a constant address, by the structure's own description:
    IR calls the first member by the structure's address, and a type without a name by none."""
    offset, address = 0, token
    while not isinstance(address, GlobalRef):
        made = constant_address(address)
        step = view.program.memory.aliasing.constant_offset(*made[1:]) if made else None
        if made is None or step is None:
            return None
        offset, address = offset + step, made[0]
    names = view.program.memory.names
    text, inside = f"&{address.name}", list[int]()
    parts = names.path(names.variable(address.name), offset)
    if not any(isinstance(p, str) for p in parts):
        return None
    for p in parts:
        text += f".{p}" if isinstance(p, str) else f"[{{{len(inside)}}}]"
        inside += [p] if isinstance(p, int) else []
    return text, inside


def _in_bytes(view: FunctionContext, load: Instruction) -> tuple[str, list[int]] | None:
    """The member of a local structure, or of one that a variable points to, by the description of
    that, where IR only says how many bytes behind its start it lies: so are structures read that
    are handed by value."""
    address = view.function.definitions.get(load.operands[0])
    if not is_gep(address) or address.type != _BYTE:
        return None
    base, offset = view.program.memory.aliasing.underlying_object(view.function, address.token)
    names, field = view.program.memory.names, view.program.module.metadata_field
    records = view.function.variables_in
    of_base = records.get(base.register, ()) if isinstance(base, Pointer) else ()
    for _, variable in sorted({*records.get(load.token, ()), *of_base}):
        text, node = field(variable.node, "name"), variable.node
        found: tuple[str | int, ...] = ()
        if variable.value == load.token and variable.bit is not None:
            text, found = f"{text}.", names.path(node, variable.bit // 8)
        elif isinstance(base, Pointer) and variable.value == base.register:
            if variable.bit is None and offset is not None:
                text, found = f"{text}->", names.pointed(node, offset)
        if found and all(isinstance(p, str) for p in found):
            return f"&{text}{'.'.join(map(str, found))}", []
    return None


def _address_text(view: FunctionContext, token: Operand, inside: list[Expr], depth: int) -> str:
    """The expression for an address: `&s->n`, `p`."""
    if depth > _MAX_DEPTH:
        return ""
    if isinstance(token, GlobalRef):
        return f"&{token.name}"
    address = constant_address(token)
    d = view.function.definitions.get(token)
    if address is None and is_gep(d):
        address = d.operands[0], d.type, d.operands[1:]
    if address is not None:
        return _member_text(view, address, inside, depth)
    known = view.variable_name(token)
    if d is None:
        parameters = zip(view.function.parameters, view.parameter_names, strict=True)
        return next((name for p, name in parameters if p.token == token), "")
    if is_alloca(d):
        return "&" + (known or d.name or "")
    if known:
        return known
    if cxx.ELEMENT.match(callee(d) or ""):
        text = _object_text(view, d.operands[1], inside, depth + 1)
        inside.append(view.scalars.value(d.operands[2]).expr)
        return f"&{text}[{{{len(inside) - 1}}}]" if text else ""
    if is_load(d):
        text = _address_text(view, d.operands[0], inside, depth + 1)
        return text[1:] if text.startswith("&") else f"(*{text})" if text else ""
    return (d.name or "").rstrip("0123456789.") if is_phi(d) else ""


def object_text(view: FunctionContext, token: Operand) -> tuple[str, tuple[Expr, ...]]:
    """The expression for the object at an address, with its indices; "" where it has no name."""
    inside: list[Expr] = []
    text = _object_text(view, token, inside, 0)
    return text, tuple(inside)


def _object_text(view: FunctionContext, token: Operand, inside: list[Expr], depth: int) -> str:
    """The expression for the object at an address, as one that refers to it is written."""
    text = _address_text(view, token, inside, depth)
    return text.removeprefix("&")


def seen_by_caller(view: FunctionContext, call: Instruction, a: Loaded) -> Loaded:
    """A value that a function finds in its object, or one of the library in what it is handed,
    called as its caller calls that."""
    target = view.program.target(view.function.name, call) if call.is_call else None
    named = _OF_LIBRARY.match(a.text)
    if target is None or named is None:
        return a
    names = view.program.view(target.name).parameter_names
    if named[0] not in names or len(names) >= len(call.operands):
        return a
    inside = [*a.inside]
    text = _object_text(view, call.operands[names.index(named[0]) + 1], inside, 0)
    if not text or text == named[0]:
        return a
    return Loaded(a.address, a.kind, text + a.text[named.end() :], tuple(inside), a.origin)


def _member_text(
    view: FunctionContext,
    address: tuple[Operand, str, tuple[Operand, ...]],
    inside: list[Expr],
    depth: int,
) -> str:
    base, kind, indices = address
    text = _address_text(view, base, inside, depth + 1)
    layout = view.program.layout
    if not text:
        text = "?"
    pointer = not text.startswith("&")
    text = text.removeprefix("&")
    for at, index in enumerate(indices):
        if at and layout.is_struct(kind):
            number = index.value if isinstance(index, IntLiteral) else -1
            field = layout.offset(kind, number)
            if field is None:
                return ""
            if _counts(kind, number):
                text = f"{_LIBRARY_PART.sub('', text)}{NUMBER}"
            else:
                name = view.program.memory.names.name(kind, field[0]) or f"field{index}"
                text = f"{text}{'->' if pointer else '.'}{name}"
            pointer, kind = False, field[1]
            continue
        if at:
            kind = layout.element(kind) or "?"
        if at == 0 and index == "0" and len(indices) > 1:
            continue
        if at == 0 and index == "0" and not pointer:
            continue
        inside.append(view.scalars.value(index).expr)
        text, pointer = f"{text}[{{{len(inside) - 1}}}]", False
    return f"&{text}" if not pointer else text


def _counts(kind: str, number: int) -> bool:
    """Does this field hold how many elements a container of libstdc++ has?"""
    return any(number == at and kind.startswith(f'%"{name}') for name, at in _COUNTS)


def last_part(text: str) -> str:
    """`csr->first[{0}]` -> `first[{0}]`."""
    return _without_call(text).replace("->", ".").rsplit(".", 1)[-1].strip("*()?&")


def _leaf(text: str) -> str:
    """`csr->n` -> `n`."""
    text = _without_call(text).replace("->", ".").rsplit(".", 1)[-1]
    return text.partition("[")[0].strip("*()?&")


def _without_call(text: str) -> str:
    """`words.size()` -> `words_size`."""
    whole = text.removesuffix(NUMBER)
    return text if whole == text else f"{whole}{'' if whole.endswith(']') else '_'}size"


def _literal(view: FunctionContext, token: GlobalRef) -> str | None:
    """The text of a string literal in quotes, shortened; the compiler's name says nothing."""
    found = view.program.module.globals.get(token.name)
    if found is None or not token.name.startswith((".str", "__const")):
        return None
    match = re.fullmatch(r'c"(.*?)(?:\\00)?"', found.initializer)
    if match is None:
        return None
    text = match[1].replace("\\0A", "\\n")
    return f'"{text if len(text) <= _LITERAL else text[:_LITERAL] + "..."}"'


_LITERAL = 16
"""Characters of a literal that are shown."""


def value_name(view: FunctionContext, token: Operand, depth: int = 0) -> str | None:
    """A value in source words: a variable, a member, a call, a constant."""
    if isinstance(token, IntLiteral):
        return str(token.value)
    if token == "null":
        return "NULL"
    if isinstance(token, GlobalRef):
        return _literal(view, token) or token.name
    i = view.function.definitions.get(token)
    if i is None:
        parameters = zip(view.function.parameters, view.parameter_names, strict=True)
        return next((name for p, name in parameters if p.token == token), None)
    held = view.held_by(i)
    if held is not None:
        return held
    if depth == _MOST_DEPTH:
        return None
    if is_load(i):
        text, inside = access_text(view, i)
        return text if text and not inside and "?" not in text else None
    if is_any(i, "call", "invoke"):
        name = callee(i)
        known = view.program.module.functions.get(name) if name is not None else None
        if known is not None and known.dbg is not None:
            name = view.program.module.metadata_field(known.dbg, "name") or name
        if name is None or name.startswith(("_Z", "llvm.")):
            return None
        return f"{source_name(name)}(...)"
    if is_any(i, "sext", "zext", "trunc", "freeze", "fpext", "fptrunc", "sitofp"):
        return value_name(view, i.operands[0], depth + 1)
    return None


# -- the iterations of loops that end by data
def is_entered_once(view: FunctionContext, header: str) -> bool:
    """Does a run enter a loop at most once?"""
    if view.loops[header].parent is not None or view.forest.irreducible:
        return False
    return view.program.runs_once(view.function.name)


def trips_name(view: FunctionContext, header: str) -> str | None:
    """What the iterations of a loop are called; None where nothing tells."""
    found = (
        _counter(view, header)
        or _read(view, header)
        or _walked(view, header)
        or ("options" if _reads_words(view, header) else None)
    )
    if found is None and is_entered_once(view, header):
        return "steps" if _is_over_time(view, header) else "iterations"
    return found


def _counter(view: FunctionContext, header: str) -> str | None:
    """The variable that counts the iterations from 0."""
    inside = view.loops[header].blocks
    for phi in view.function.blocks[header].phis:
        name = view.variable_name(phi.token)
        if name is None or len(name) <= _SHORT or phi.type[:1] != "i":
            continue
        arriving = list(zip(phi.operands, phi.labels, strict=True))
        steps = [view.function.definitions.get(o) for o, label in arriving if label in inside]
        if all(o == "0" for o, label in arriving if label not in inside) and all(
            is_any(i, "add") and i.operands[:2] == (phi.token, "1") for i in steps
        ):
            return name
    return None


def _tests(view: FunctionContext, header: str) -> list[Operand]:
    """The conditions of the loop's exits."""
    blocks = view.function.blocks
    return [
        o
        for e in view.loops[header].exits
        if not e.is_unwind and e.target not in view.paths.dead
        for o in blocks[e.source].terminator.operands[:1]
    ]


def _behind(view: FunctionContext, header: str) -> list[Instruction]:
    """The instructions of a loop that its exits are decided by, the nearest first."""
    found: list[Instruction] = []
    seen: set[Operand] = set()
    work = _tests(view, header)
    inside = view.loops[header].blocks
    while work:
        token = work.pop(0)
        i = view.function.definitions.get(token)
        if i is None or token in seen or view.function.block_of[token] not in inside:
            continue
        seen.add(token)
        found.append(i)
        work += i.operands
    return found


def _read(view: FunctionContext, header: str) -> str | None:
    for i in _behind(view, header):
        word = what_is_read(callee(i) or "")
        if word is not None:
            return word
    return None


def what_is_read(name: str) -> str | None:
    """What a function of the library reads, in a word."""
    return next((word for pattern, word in _CALLS if pattern.match(name)), None)


def _reads_words(view: FunctionContext, header: str) -> bool:
    """Does a loop read words of the command line?"""
    return any(
        is_load(i)
        and i.type == "ptr"
        and symbols.ARGV in view.scalars.value(i.operands[0]).expr.symbols
        for b in view.loops[header].blocks
        for i in view.function.blocks[b].instructions
    )


def _walked(view: FunctionContext, header: str) -> str | None:
    """A list that is walked: the next address is read through the last."""
    for phi in view.function.blocks[header].phis:
        if phi.type != "ptr":
            continue
        for token, label in zip(phi.operands, phi.labels, strict=True):
            i = view.function.definitions.get(token)
            if label not in view.loops[header].blocks or not is_load(i):
                continue
            base = view.function.definitions.get(i.operands[0])
            start = base.operands[0] if base and is_gep(base) else i.operands[0]
            if start == phi.token:
                return "nodes"
    return None


def _is_over_time(view: FunctionContext, header: str) -> bool:
    """Is a number that is called a time compared?"""
    return any(
        is_any(i, "fcmp")
        and any(_TIME.match((value_name(view, o) or "").split(".")[-1]) for o in i.operands)
        for i in _behind(view, header)
    )
