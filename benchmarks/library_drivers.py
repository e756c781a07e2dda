"""Drivers of a library, in C: a program that calls one exported function with random arguments.

    DRIVER NUMBER FIRST LAST FOLDER

calls the function of this number once for each seed from FIRST to LAST. What its integers are, and
what expressions of the source have for values before the call, is told in FOLDER/told.SEED, a line
each: "a0 12" of an argument, "v3 7" of an expression; "ready" before the call, "done" behind it.
The counters are copied there, too, right before and behind it.

Integers are small numbers; a pointer gets memory of its own, filled with numbers, texts or, of a
structure, members by their types. A structure also comes from a function of the library that
returns one, or that begins one by its name. What a function does not take that way is left out:
pointers to functions, values of structures.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .library_types import Member, Signature, Type, Types

RUNTIME = Path(__file__).with_name("library_driver.h")
_BEGINS = re.compile(r"(?i)(?:init|reset|create|new|begin|clear)")
_MAKERS = 4
"""Functions of one type that make its structures, at most."""
_MEMBERS = 64
_ELEMENTS = 64
_POINTERS = 64
"""Pointers that a pointer to pointers leads to."""
_DEPTH = 3
"""Structures behind structures."""


@dataclass(frozen=True)
class Driver:
    """text: of the driver, in C. functions: those that it can call, by number; values: expressions
    that it tells the values of, by function."""

    text: str
    functions: tuple[Signature, ...]
    values: Mapping[str, tuple[str, ...]]


def driver_of(
    types: Types, signatures: Sequence[Signature], values: Mapping[str, Sequence[str]]
) -> Driver:
    """The driver of some exported functions.

    Args:
        values: function -> expressions of its source over its arguments; those that are no numbers
            in memory are left out.
    """
    writer = _Writer(types, signatures)
    chosen = tuple(s for s in signatures if all(map(writer.is_made, s.arguments)))
    read: dict[str, tuple[str, ...]] = {}
    cases: list[str] = []
    for number, s in enumerate(chosen):
        told: list[str] = []
        read[s.symbol] = tuple(v for v in values.get(s.symbol, ()) if types.read(v, s))
        for k, v in enumerate(read[s.symbol]):
            found = types.read(v, s)
            assert found is not None
            told.append(f'if (!sigsetjmp(driver_jump, 1)) driver_tell("v{k}", {found[0]});')
        cases.append(writer.case(number, s, told))
    body = "\n".join(cases)
    text = (
        f'#include "{RUNTIME}"\n{writer.declarations()}\n'
        "int main(int count, char **words) {\n    (void)count;\n    driver_limits(words);\n"
        "    for (long seed = atol(words[2]); seed <= atol(words[3]); seed++) {\n"
        "    driver_begin(seed);\n"
        f"    switch (atoi(words[1])) {{\n{body}\n    }}\n    driver_end(seed);\n    }}\n"
        "    return 0;\n}\n"
    )
    return Driver(text, chosen, read)


@dataclass
class _Writer:
    """Writes the parts of a driver; keeps which functions of the library and which fillers of
    structures they use."""

    types: Types
    signatures: Sequence[Signature]
    _used: dict[str, str] = field(default_factory=dict)
    _fillers: dict[str, str] = field(default_factory=dict)

    def is_made(self, kind: Type) -> bool:
        """Can arguments of this type be made?"""
        if kind.kind in ("integer", "real"):
            return True
        if kind.kind != "pointer" or kind.to is None:
            return False
        to = kind.to
        if to.kind == "pointer":
            return to.to is not None and to.to.kind in ("integer", "real", "record", "nothing")
        if to.kind == "array":
            return to.bytes > 0
        return to.kind in ("integer", "real", "record", "nothing")

    def declarations(self) -> str:
        """What stands before the main function."""
        heads = (f"static void {name}(char *p, int depth);" for name in self._fillers)
        return "\n".join((*self._used.values(), *heads, *self._fillers.values()))

    def case(self, number: int, s: Signature, told: Sequence[str]) -> str:
        """The part of the main function that calls a function of the library."""
        lines = [f"case {number}: {{  /* {s.symbol} */"]
        for k, kind in enumerate(s.arguments):
            lines.append(f"{_c_type(kind)} a{k} = ({_c_type(kind)}){self._made(kind, _DEPTH)};")
        for k, kind in enumerate(s.arguments):
            if kind.kind != "real":
                lines.append(f'driver_tell("a{k}", (int64_t)a{k});')
        lines += ["driver_reads(driver_caught);", *told, "driver_reads(SIG_DFL);"]
        arguments = ", ".join(f"a{k}" for k in range(len(s.arguments)))
        lines.append(f"driver_ready(seed); {self._called(s)}({arguments});")
        return "\n        ".join(lines) + "\n        break;\n    }"

    def _called(self, s: Signature) -> str:
        """The name of a function of the library, which is declared by its symbol."""
        if s.symbol not in self._used:
            number = len(self._used)
            arguments = ", ".join(map(_c_type, s.arguments)) or "void"
            result = "void *" if s.result.kind == "pointer" else "void "
            name = f"library_{number}"
            self._used[s.symbol] = f'extern {result}{name}({arguments}) __asm__("{s.symbol}");'
        return re.sub(r".*(library_\d+)\(.*", r"\1", self._used[s.symbol])

    def _made(self, kind: Type, depth: int) -> str:
        """C that makes a value of a type."""
        if kind.kind == "integer":
            bits = 1 if self.types.is_boolean(kind) else 8 * kind.bytes
            return f"driver_number({bits}, {int(kind.is_signed)})"
        if kind.kind == "real":
            return "driver_real()"
        to = kind.to
        if kind.kind != "pointer" or to is None:
            return "0"
        if to.kind == "record":
            return self._record(to, depth)
        if to.kind == "pointer":
            return self._pointers(to, depth)
        return self._buffer(to)

    def _buffer(self, of: Type) -> str:
        """C that makes memory of numbers."""
        while of.kind == "array" and of.to is not None:
            of = of.to
        if of.kind == "real":
            return f"driver_reals({of.bytes})"
        if of.kind == "integer" and of.bytes > 1:
            return f"driver_numbers({of.bytes}, {int(of.is_signed)})"
        return "driver_text()" if of.kind in ("integer", "nothing") else "driver_room()"

    def _pointers(self, of: Type, depth: int) -> str:
        """C that makes an array of pointers."""
        if depth <= 0:
            return "driver_room()"
        made = self._made(of, depth - 1) if self.is_made(of) else "0"
        return (
            f"({{ char **p = driver_room(); for (int k = 0; k < {_POINTERS}; k++)"
            f" p[k] = (char *)({made}); (char *)p; }})"
        )

    def _record(self, of: Type, depth: int) -> str:
        """C that makes a structure, in one of several ways."""
        if depth <= 0:
            return "driver_room()"
        filled = f"({{ char *p = driver_room(); {self._filler(of)}(p, {depth}); p; }})"
        ways = [filled]
        if depth == _DEPTH:
            ways += self._from_library(of)
            if of.bytes:
                ways.append("driver_room()")
        choice = ways[-1]
        for k, way in reversed(list(enumerate(ways[:-1]))):
            choice = f"way == {k} ? (char *)({way}) : (char *)({choice})"
        return f"({{ int way = driver_below({len(ways)}); (void)way; {choice}; }})"

    def _from_library(self, of: Type) -> list[str]:
        """C that has the library make a structure of a type."""
        found: list[str] = []
        for s in self.signatures:
            if not all(map(self._is_plain, s.arguments[1:])):
                continue
            first = s.arguments[0] if s.arguments else None
            rest = [f"({_c_type(t)}){self._made(t, 0)}" for t in s.arguments]
            if self._points_to(s.result, of) and (first is None or self._is_plain(first)):
                found.append(f"{self._called(s)}({', '.join(rest)})")
            elif first and self._points_to(first, of) and _BEGINS.search(s.symbol):
                arguments = ", ".join(("q", *rest[1:]))
                found.append(f"({{ char *q = driver_room(); {self._called(s)}({arguments}); q; }})")
        return found[:_MAKERS]

    def _points_to(self, kind: Type, record: Type) -> bool:
        return kind.kind == "pointer" and kind.to is not None and kind.to.node == record.node

    def _is_plain(self, kind: Type) -> bool:
        """Is it a number, or a pointer to numbers?"""
        if kind.kind == "pointer" and kind.to is not None:
            return kind.to.kind in ("integer", "real")
        return kind.kind in ("integer", "real")

    def _filler(self, of: Type) -> str:
        """The name of the C function that fills a structure."""
        name = f"driver_fill_{of.node.lstrip('!')}"
        if name not in self._fillers:
            self._fillers[name] = ""
            members = [m for m in self.types.members(of) if m.type.kind != "other"][:_MEMBERS]
            if self.types.is_union(of):
                members = members[:1]
            lines = [line for m in members for line in self._fill(m)]
            body = "\n    ".join(("(void)p; (void)depth;", *lines))
            self._fillers[name] = f"static void {name}(char *p, int depth) {{\n    {body}\n}}"
        return name

    def _fill(self, m: Member) -> Iterator[str]:
        """C that fills a member."""
        kind, at = m.type, f"p + {m.offset}"
        if kind.kind == "record":
            yield f"{self._filler(kind)}({at}, depth);"
        elif kind.kind == "array" and kind.to is not None:
            step, number = kind.to.bytes, min(kind.count, _ELEMENTS)
            inner = " ".join(self._fill(Member(m.name, 0, kind.to)))
            yield (
                f"for (int k = 0; k < {number}; k++) {{ char *o = {at} + k * {step};"
                f" {{ char *p = o; (void)p; {inner} }} }}"
            )
        elif kind.kind == "pointer" and kind.to is not None and kind.to.kind == "record":
            made = f"driver_room(); {self._filler(kind.to)}(q, depth - 1)"
            yield (
                f"if (depth > 1 && driver_below(4)) {{ char *q = {made};"
                f" memcpy({at}, &q, {kind.bytes}); }}"
            )
        elif kind.kind in ("integer", "real") or self.is_made(kind):
            name = _c_type(kind)
            made = f"{name} q = ({name}){self._made(kind, 1)}"
            yield f"{{ {made}; memcpy({at}, &q, {kind.bytes}); }}"


def _c_type(kind: Type) -> str:
    """The type of an argument in C; of pointers, any."""
    if kind.kind == "integer":
        return f"{'' if kind.is_signed else 'u'}int{8 * kind.bytes}_t"
    if kind.kind == "real":
        return "float" if kind.bytes == 4 else "double"
    return "void *"
