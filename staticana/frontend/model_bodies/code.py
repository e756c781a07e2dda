"""The language of models of containers: which function is modelled, the markers that stand for what
it does to sizes, and the instructions of its body."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ...ir import cxx_names as cxx
from ...ir.types import Module

STORAGE = "looplaw.storage"
"""A call that stands for the address of the elements of a container that is handed by address."""
UNKNOWN = "looplaw.unknown"
"""A call that stands for a value of which nothing is known."""
LENGTH = "looplaw.length"
"""A call that stands for the length of the text at an address."""
ROWS = "looplaw.rows"
"""Calls that say: (type, container, bytes) elements of this type, containers themselves, come to be
with so many bytes of elements each."""
SIZED, GROWN = "looplaw.sized", "looplaw.grown"
"""(type, container, bytes): a container of this type takes so many bytes, or so many more."""
SAME = "looplaw.same"
"""(type, container, container): what the elements of one are, those of the other are, too."""
_MOST = 1 << 59
"""More elements than any container holds; the library throws before."""
VECTOR = "looplaw.vector"
FIELDS = "%looplaw.fields"
FIELDS_TYPE = f"{{ {', '.join(['ptr'] * 16)} }}"
"""The type by which models reach the fields of containers, each of eight bytes."""
BEGIN, END = 0, 8
"""Offsets of the first two fields of contiguous containers."""
_DEQUE_ITERATOR = 32
"""Bytes of libstdc++'s iterator over a deque."""
_ITSELF = ("operator=", "operator+=", "append", "assign", "operator++", "operator--")


def vector_type(element: int) -> str:
    """The type by which models read a contiguous container with elements of this size."""
    return f"%{VECTOR}.{element}"


def container_number(name: str) -> int | None:
    """A number for a type of contiguous containers, by its name; vectors of bits are none."""
    if not name.startswith("vector<") or name.startswith("vector<bool"):
        return None
    return zlib.crc32(name.encode())


def has_rows(module: Module) -> bool:
    """Do models tell of elements that are containers?"""
    return f"call void @{ROWS}(" in module.text


@dataclass(frozen=True)
class Shape:
    """A member function of a container.

    kinds: what its parameters are, a letter each: `n` a number, `v` a value by reference, `c` a
    container of this type, `m` one that is moved from, `s` one that is changed, `i` an iterator
    over contiguous memory, `l` a list of initial values, `o` another. Allocators are left out.
    element: size of an element. iterated: size of what the iterators point to. parameters: the
    registers, `this` first. returned: where an iterator over a deque is returned, by address.
    moved_from: (register, size, whether null pointers are left) of the objects that are moved into
    the container.
    own: a number for the type of a contiguous container; rows: the same for its elements, where
    they are such containers; referred: for each parameter that for what it refers to.
    """

    library: str
    container: str
    name: str
    kinds: str
    element: int | None
    iterated: int | None
    parameters: tuple[str, ...]
    result: str
    returned: str | None = None
    moved_from: tuple[tuple[str, int | None, bool], ...] = ()
    own: int | None = None
    rows: int | None = None
    referred: tuple[int | None, ...] = ()


@dataclass
class Code:
    """Instructions of a body that is being written."""

    shape: Shape
    lines: list[str] = field(default_factory=list)
    at: int = 0
    sizes: dict[int, str] = field(default_factory=dict)

    def measure(self) -> None:
        """Read how large the rows are that are handed, before they are moved from."""
        if self.shape.rows is not None:
            for at, referred in enumerate(self.shape.referred, 1):
                if referred == self.shape.rows:
                    value = self.shape.parameters[at]
                    start, end = self.load(value, BEGIN), self.load(value, END)
                    self.sizes[at] = self.between(start, end)

    def new(self, text: str) -> str:
        """An instruction that sets a register; returns the register."""
        self.at += 1
        self.lines.append(f"  %m{self.at} = {text}")
        return f"%m{self.at}"

    def do(self, text: str) -> None:
        self.lines.append(f"  {text}")

    @property
    def this(self) -> str:
        return self.shape.parameters[0]

    @property
    def first(self) -> str:
        return self.shape.parameters[1]

    @property
    def element(self) -> int:
        """The size of an element, where the model needs it."""
        assert self.shape.element is not None
        return self.shape.element

    def field(self, base: str, offset: int) -> str:
        """The address of a field, which goes by a member: the alias analysis takes what is only
        ever written by its name for out of reach of other accesses."""
        return self.new(f"getelementptr inbounds {FIELDS}, ptr {base}, i32 0, i32 {offset // 8}")

    def load(self, base: str, offset: int, kind: str = "ptr") -> str:
        return self.new(f"load {kind}, ptr {self.field(base, offset)}, align 8")

    def store(self, value: str, base: str, offset: int, kind: str = "ptr") -> None:
        self.do(f"store {kind} {value}, ptr {self.field(base, offset)}, align 8")

    def end(self, base: str) -> str:
        """The end of a contiguous container, by a type that says how large its elements are."""
        kind = vector_type(self.shape.element or 0)
        place = self.new(f"getelementptr inbounds {kind}, ptr {base}, i32 0, i32 1")
        return self.new(f"load ptr, ptr {place}, align 8")

    def storage(self, base: str) -> str:
        rows = "" if self.shape.rows is None else f", i64 {self.shape.rows}"
        return self.new(f"call ptr @{STORAGE}(ptr {base}{rows})")

    def tell(self, marker: str, kind: int | None, base: str, what: str) -> None:
        """Tell of containers and of elements that are containers; see `ROWS`."""
        if kind is not None:
            self.do(f"call void @{marker}(i64 {kind}, ptr {base}, {what})")

    def new_rows(self, at: int | None = None) -> None:
        """Tell that elements come to be: like the parameter number `at`, which is counted from
        `this`, or empty."""
        if self.shape.rows is None:
            return
        if at is None:
            self.tell(ROWS, self.shape.rows, self.this, "i64 0")
        elif self.shape.referred[at - 1 : at] != (self.shape.rows,):
            self.unknown_rows()
        else:
            self.tell(ROWS, self.shape.rows, self.this, f"i64 {self.sizes[at]}")

    def unknown_rows(self) -> None:
        """Tell that elements come to be of which nothing is known."""
        if self.shape.rows is not None:
            self.tell(ROWS, self.shape.rows, self.this, f"i64 {self.unknown('i64')}")

    def same_rows(self, other: str) -> None:
        """Tell that elements come from another container."""
        self.tell(SAME, self.shape.rows, self.this, f"ptr {other}")

    def unknown(self, kind: str = "ptr") -> str:
        return self.new(f"call {kind} @{UNKNOWN}()")

    def moved(self, base: str, bytes_: str) -> str:
        return self.new(f"getelementptr inbounds i8, ptr {base}, i64 {bytes_}")

    def times(self, number: str, factor: int) -> str:
        return number if factor == 1 else self.new(f"mul nsw i64 {number}, {factor}")

    def between(self, start: str, end: str) -> str:
        """Bytes from one address to another."""
        low, high = (self.new(f"ptrtoint ptr {p} to i64") for p in (start, end))
        return self.new(f"sub nsw i64 {high}, {low}")

    def minus(self, number: str) -> str:
        return self.new(f"sub nsw i64 0, {number}")

    def check(self, number: str) -> None:
        """Throws where a number of elements is more than there can be."""
        big = self.new(f"icmp ugt i64 {number}, {_MOST}")
        self.do(f"br i1 {big}, label %throws, label %fits")
        self.lines += [
            "",
            "throws:",
            f"  call void @{cxx.LENGTH_ERROR}(ptr null)",
            "  unreachable",
            "",
            "fits:",
        ]

    def returned(self) -> None:
        """Returns what the function returns: itself, or the place that it was handed."""
        result = self.shape.result
        if self.shape.returned is not None:
            for offset in range(0, _DEQUE_ITERATOR, 8):
                self.store(self.unknown(), self.shape.returned, offset)
            self.do("ret void")
        elif result == "void":
            self.do("ret void")
        elif result == "ptr" and self._returns_itself():
            self.do(f"ret ptr {self.this}")
        elif result == "ptr" and self.shape.kinds[:1] == "i":
            self.do(f"ret ptr {self.first}")
        else:
            self.do(f"ret {result} {self.unknown(result)}")

    def _returns_itself(self) -> bool:
        """Does the function return a reference to its container? Those of strings do that count in
        positions, not in iterators."""
        name, is_text = self.shape.name, self.shape.container == "basic_string"
        by_position = is_text and self.shape.kinds[:1] == "n"
        return (
            name in _ITSELF
            or (is_text and name == "replace")
            or (by_position and name in ("insert", "erase"))
        )


Body = Callable[[Code], None]
Table = dict[str, Sequence[tuple[str, Body]]]
