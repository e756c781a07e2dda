"""Short functions of the program of which only their callers can tell what they do, inlined.

An object that a constructor or a factory makes (`impl_(std::make_unique<Impl>(n))`) has no name in
the functions that call it: what its members hold is not known behind the call. Whether a key is new
to a map (`void add(int id) { names_[id] = 0; }`) is known in the loop that calls the method. At
which place of a table a function stands that is handed to `void add(fn f) { tests[count++] = f; }`
follows from the calls before. Where such functions have no loop, their callers do themselves what
they do. For the analysis alone: the program that runs keeps its calls.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from ..ir import cxx_names as cxx
from ..ir.graph import address_taken, callee, calls_in, closure, instructions
from ..ir.loop_info import loop_forest
from ..ir.matchers import is_gep, is_store
from ..ir.parser import parse_module
from ..ir.system_files import is_system_file
from ..ir.types import Function, GlobalRef, Module, Register
from .isolation import transformed
from .models import keyed_insertions

_LONGEST = 250
"""Instructions of a function that is copied to its callers."""
_MOST_COPIED = 2_000
"""Instructions that all copies together may have."""
_MOST_OF_KERNELS = 20_000
"""The same, of functions for kernels."""
_KERNEL = re.compile(r"^define [^@\n]*\b(?:ptx_kernel|amdgpu_kernel|spir_kernel) [^\n]*\n", re.M)
_ATTRIBUTES = re.compile(r" #\d+(?= |$)")
_ALIAS = re.compile(r"(?m)^@([\w$.]+) = [^@\n]*\balias\b.*ptr @([\w$.]+)$")
_OPEN = re.compile(r"define (?:dso_local )?(?:hidden |protected )?")
_GOING = (" linkonce_odr ", " internal ", " available_externally ", " weak_odr ")
"""Linkages with which a function goes when nobody calls it any more."""


def with_short_functions_inlined(module: Module, entry: str | None = None) -> Module:
    """The module in which functions without loops that make objects, put in keys or, in a program
    that runs from an entry, enter functions into tables are inlined. The last ones go: what nobody
    calls any more would enter any function.
    """
    entering = _entering(module, entry) if entry is not None else {}
    found = dict(entering)
    if any(name.startswith("_Z") for name in module.functions):
        shared = filter(cxx.NEW_SHARED.match, module.functions)
        wanted = cxx.NEW_OBJECT.union(keyed_insertions(module), shared)
        if not wanted.isdisjoint(module.functions):
            calls = {name: _called(module, f) for name, f in module.functions.items()}
            found |= _chosen(module, calls, wanted)
    return inlined(module, found, going=entering)


def with_device_functions_inlined(text: str) -> str:
    """A canonical module in which kernels do themselves what functions without loops do for them:
    what a warp touches together is known only beside the numbers of its threads."""
    if _KERNEL.search(text) is None:
        return text
    module = parse_module(text)
    defined = {n: f for n, f in module.functions.items() if not f.is_declaration}
    kernels = [n for n, f in defined.items() if _KERNEL.match(f"{f.header}\n")]
    calls = {n: [c for c in _called(module, f) if c in defined] for n, f in defined.items()}
    below = closure(kernels, lambda n: calls[n])
    callers: dict[str, int] = {}
    for name in below:
        for called in calls[name]:
            callers[called] = callers.get(called, 0) + 1
    found, room, taken = dict[str, Function](), _MOST_OF_KERNELS, address_taken(module)
    sizes = {n: callers[n] * _length(defined[n]) for n in callers if n not in kernels}
    for name in sorted(sizes, key=lambda n: (sizes[n], n)):
        f = defined[name]
        if _length(f) > _LONGEST or name in closure(calls[name], lambda n: calls[n]):
            continue
        if loop_forest(f, module).loops or name in taken:
            continue
        room -= sizes[name]
        if room < 0:
            break
        found[name] = f
    return inlined(module, found, going=found).text


def inlined(
    module: Module, found: Mapping[str, Function], *, going: Collection[str] = ()
) -> Module:
    """The module with copies of functions in place of their calls; they stay beside them, but for
    those that are going."""
    if not found:
        return module
    lines = module.text.split("\n")
    for f in found.values():
        header = _inlined(lines[f.line])
        is_going = f.name in going
        lines[f.line] = _OPEN.sub("define internal ", header) if is_going else header
    text = "\n".join(lines)
    for name, target in _ALIAS.findall(text):
        if target in found:  # complete constructors are other names of those of base classes
            text = text.replace(f"@{name}(", f"@{target}(")
    return parse_module(transformed(text, ("always_inliner", "sroa")))


def _entering(module: Module, entry: str) -> dict[str, Function]:
    """The functions that put a function that they are handed at a varying place of a table, and
    that are only called."""
    taken = address_taken(module) | {entry}
    handed: dict[str, set[int]] = {}
    calls: dict[str, int] = {}
    for _, i in calls_in(module):
        name = callee(i)
        if name is None or name not in module.functions:
            continue
        calls[name] = calls.get(name, 0) + 1
        for at, o in enumerate(i.operands[1:]):
            if isinstance(o, GlobalRef) and o.name in module.functions:
                handed.setdefault(name, set()).add(at)
    found, room = dict[str, Function](), _MOST_COPIED
    for name, places in sorted(handed.items()):
        f = module.functions[name]
        if name in taken or not _is_short(module, f) or not _enters(f, places):
            continue
        room -= calls[name] * _length(f)
        if room < 0:
            break
        if name not in _called(module, f):
            found[name] = f
    return found


def _enters(f: Function, places: Collection[int]) -> bool:
    """Does a function store one of these parameters behind a subscript that varies?"""
    tokens = {p.token for at, p in enumerate(f.parameters) if at in places}
    for i in instructions(f):
        if is_store(i) and i.operands[0] in tokens:
            to = f.definitions.get(i.operands[1])
            while is_gep(to):
                if any(isinstance(o, Register) for o in to.operands[1:]):
                    return True
                to = f.definitions.get(to.operands[0])
    return False


def _chosen(
    module: Module, calls: Mapping[str, Sequence[str]], wanted: frozenset[str]
) -> dict[str, Function]:
    """The functions to be copied, the shortest copies first, as far as there is room."""
    callers: dict[str, int] = {}
    for names in calls.values():
        for name in names:
            callers[name] = callers.get(name, 0) + 1
    fitting = [
        (callers[f.name] * _length(f), f.name)
        for f in module.functions.values()
        if f.name in callers and _is_short(module, f) and not wanted.isdisjoint(calls[f.name])
    ]
    found, room = dict[str, Function](), _MOST_COPIED
    for copied, name in sorted(fitting):
        room -= copied
        if room < 0:
            break
        if name not in closure(calls[name], lambda n: calls[n]):
            found[name] = module.functions[name]
    return found


def _called(module: Module, f: Function) -> list[str]:
    """The functions that a function calls directly, once for each call."""
    names = (callee(i) for b in f.blocks.values() for i in b.instructions if i.is_call)
    return [n for n in names if n is not None and n in module.functions]


def _is_short(module: Module, f: Function) -> bool:
    if f.is_declaration or f.dbg is None or f.name == "main" or _length(f) > _LONGEST:
        return False
    if is_system_file(module.file_of(f.dbg) or ""):
        return False
    return not loop_forest(f, module).loops


def _length(f: Function) -> int:
    return sum(len(b.instructions) for b in f.blocks.values())


def _inlined(header: str) -> str:
    """The first line of a function that is to be copied to its callers, and that stays."""
    for linkage in _GOING:
        header = header.replace(linkage, " ", 1)
    header = header.replace(" comdat ", " ", 1)
    at = header.rindex(")")
    return header[:at] + _ATTRIBUTES.sub(" alwaysinline", header[at:], count=1)
