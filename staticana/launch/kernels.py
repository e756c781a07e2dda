"""The kernels of a module: which functions they are, what each of them is with all that it calls,
and what they say of their launches."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache

from ..expr import symbols
from ..interprocedural.inputs.thread_numbers import AXES, axes_read, is_kernel
from ..ir.data_layout import Layout
from ..ir.graph import closure
from ..ir.tokens import global_names, split_top
from ..ir.types import Function, Module, unquoted

_PART = re.compile(
    r'(?:^define\b[^@\n]*@("[^"\n]+"|[\w$.-]+)\([\s\S]*?^\}\n|^@("[^"\n]+"|[\w$.-]+) = .*\n)', re.M
)
"""A function's definition, or a variable."""
_ANNOTATIONS = re.compile(r"^!nvvm\.annotations = .*\n", re.M)
_NODE = re.compile(r"^(!(\d+) = (?:distinct )?)(.*)\n", re.M)
_REFERENCE = re.compile(r"!(\d+)")
_SIZES = re.compile(
    r'!reqd_work_group_size (!\d+)|"nvvm\.reqntid"="([\d,]+)"|"amdgpu-flat-work-group-size"'
)
_NUMBER = re.compile(r"i32 (\d+)")


def kernels_of(module: Module) -> tuple[str, ...]:
    """The kernels that a module defines, by symbol."""
    return tuple(f.name for f in module.functions.values() if not f.is_declaration and is_kernel(f))


def kernel_text(text: str, kernels: Collection[str], keep: str | None) -> str:
    """The text of a module with one kernel and what it refers to, or, where `keep` is None, with
    all that only kernels refer to left out."""
    parts = _parts(text)
    below = {name: _below(text, name) for name in (kernels if keep is None else (keep,))}
    if keep is not None:
        kept = below[keep]
    else:
        roots = parts.bodies.keys() - frozenset[str]().union(*below.values())
        kept = frozenset(closure(tuple(roots), lambda f: parts.named.get(f, ()))) - {*kernels}
    gone = parts.bodies.keys() - kept
    found = "".join(p if name is None or name in kept else "" for name, p in parts.pieces)

    def node(number: str) -> str:
        head, body, names = parts.nodes.get(number, ("", "", frozenset()))
        return head + ("!{}" if not gone.isdisjoint(names) else body)

    needed = closure(_REFERENCE.findall(found), lambda n: _REFERENCE.findall(node(n), len(n) + 1))
    nodes = (node(n) for n in sorted(needed, key=int) if n in parts.nodes)
    return "\n".join((found, *nodes)) + "\n"


@dataclass(frozen=True)
class _Parts:
    """The text of a module in parts.

    bodies: functions and variables by name. named: which of them each of them refers to. pieces:
    the text in order, (name, text) of these and (None, text) of what is between. nodes: metadata by
    number: (the head of its line, the rest, functions and variables in it).
    """

    bodies: dict[str, str]
    named: dict[str, frozenset[str]]
    pieces: tuple[tuple[str | None, str], ...]
    nodes: dict[str, tuple[str, str, frozenset[str]]]


@lru_cache(maxsize=2)
def _parts(text: str) -> _Parts:
    nodes: dict[str, tuple[str, str, frozenset[str]]] = {}

    def taken(m: re.Match[str]) -> str:
        is_list = m[3].startswith("!{") and "@" in m[3]
        nodes[m[2]] = m[1], m[3], frozenset(global_names(m[3]) if is_list else ())
        return ""

    text = _ANNOTATIONS.sub("", _NODE.sub(taken, text))
    bodies: dict[str, str] = {}
    pieces: list[tuple[str | None, str]] = []
    end = 0
    for m in _PART.finditer(text):
        name = unquoted(m[1] or m[2])
        bodies[name] = m[0]
        pieces += [(None, text[end : m.start()]), (name, m[0])]
        end = m.end()
    pieces.append((None, text[end:]))
    named = {name: frozenset(global_names(body)) & bodies.keys() for name, body in bodies.items()}
    return _Parts(bodies, named, tuple(pieces), nodes)


@lru_cache(maxsize=512)
def _below(text: str, name: str) -> frozenset[str]:
    """What a function refers to, directly or not, itself included."""
    named = _parts(text).named
    return frozenset(closure((name,), lambda f: named.get(f, ())))


@dataclass(frozen=True)
class Kernel:
    """What a kernel says of its launches.

    Attributes:
        symbol: its name in IR.
        dimensions: axes that it reads, 1 at least.
        sizes: threads of a block along each axis, where it fixes them.
        shared_bytes: bytes of shared memory that its variables take.
        dynamic: is there shared memory of a size that the launch says?
        lanes: threads of a warp.
    """

    symbol: str
    dimensions: int
    sizes: tuple[int, int, int] | None
    shared_bytes: int
    dynamic: bool
    lanes: int

    @staticmethod
    def of(module: Module, symbol: str, warp: int | None = None) -> Kernel:
        """A kernel of a module that holds no other one."""
        function = module.functions[symbol]
        used = [axis for axis in AXES if axis in axes_read(module)]
        fixed, dynamic = _shared(module, function)
        lanes = warp or (64 if "amdgpu_kernel" in function.header else 32)
        return Kernel(
            symbol,
            max((AXES.index(axis) + 1 for axis in used), default=1),
            _sizes(module, function),
            fixed,
            dynamic,
            lanes,
        )


def _sizes(module: Module, function: Function) -> tuple[int, int, int] | None:
    """The block that a kernel is compiled for (OpenCL's reqd_work_group_size)."""
    found = _SIZES.search(function.header)
    if found is None:
        text = " ".join(module.attributes.get(g, "") for g in re.findall(r"#\d+", function.header))
        found = _SIZES.search(text)
    if found is None:
        return None
    numbers = (
        _NUMBER.findall(module.metadata.get(found[1], ""))
        if found[1]
        else (found[2] or "").split(",")
    )
    sizes = [int(n) for n in numbers if n]
    return (*sizes, *[1] * (3 - len(sizes)))[:3] if sizes else None  # type: ignore[return-value]


def _shared(module: Module, function: Function) -> tuple[int, bool]:
    """(bytes of shared variables, whether a launch adds some)."""
    layout = Layout(module)
    total, dynamic = 0, any(space_of(function, at) == "3" for at in range(len(function.parameters)))
    for line in module.text.splitlines():
        head, is_variable, rest = line.partition(" global ")
        if not is_variable or not head.startswith("@") or "addrspace(3)" not in head:
            continue
        size = layout.size(split_top(rest)[0].removesuffix(" undef").removesuffix(" poison"))
        dynamic |= not size
        total += size or 0
    return total, dynamic


def variable_of(name: str) -> str | None:
    """The global variable whose address a symbol is, in whatever space of addresses."""
    found = symbols.global_name(name)
    if found is None and (text := symbols.as_constant(name)) is not None:
        found = next(iter(global_names(text)), None)
    return found


def space_of(function: Function, at: int) -> str:
    """The number of the space that an argument points into, "" for the general one."""
    token = re.escape(function.parameters[at].token)
    found = re.search(rf"ptr addrspace\((\d+)\)[^,]*? {token}(?=[,)])", function.header)
    return found[1] if found else ""
