"""What container functions do to their fields, as small bodies of IR.

The layouts are those that the library's inlined accessors read: libstdc++ (GCC 9 to 14) and libc++
(LLVM 14 to 22). A container of n elements that lie one behind the other begins at its storage and
ends n elements later, wherever the elements are in truth: `looplaw.storage` stands for that
address. What a model does not know it sets to `looplaw.unknown`.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ..ir.types import Module

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
_THROWS = "_ZSt20__throw_length_errorPKc"
_MOST = 1 << 59
"""More elements than any container holds; the library throws before."""


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


VECTOR = "looplaw.vector"
FIELDS = "%looplaw.fields"
FIELDS_TYPE = f"{{ {', '.join(['ptr'] * 16)} }}"
"""The type by which models reach the fields of containers, each of eight bytes."""


@dataclass(frozen=True)
class Shape:
    """A member function of a container.

    kinds: what its parameters are, a letter each: `n` a number, `v` a value by reference, `c` a
    container of this type, `m` one that is moved from, `s` one that is changed, `i` an iterator
    over contiguous memory, `l` a list of initial values, `o` another. Allocators are left out.
    element: size of an element. iterated: size of what the iterators point to. parameters: the
    registers, `this` first. returned: where an iterator over a deque is returned, by address.
    moved_from: (register, size) of the objects that are moved into the container.
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
    moved_from: tuple[tuple[str, int | None], ...] = ()
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
                    start, end = self.load(value, _BEGIN), self.load(value, _END)
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
            f"  call void @{_THROWS}(ptr null)",
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
        elif result == "ptr" and self.shape.kinds[:1] == "i":
            self.do(f"ret ptr {self.first}")
        elif result == "ptr" and self.shape.name in _ITSELF:
            self.do(f"ret ptr {self.this}")
        else:
            self.do(f"ret {result} {self.unknown(result)}")


_DEQUE_ITERATOR = 32
"""Bytes of libstdc++'s iterator over a deque."""
_ITSELF = ("operator=", "operator+=", "append", "assign", "operator++", "operator--")
Body = Callable[[Code], None]
Table = dict[str, Sequence[tuple[str, Body]]]


def body(shape: Shape) -> str | None:
    """The body of a function as text; None where it has no model."""
    table = _CONTAINERS.get((shape.library, shape.container))
    if table is None or ((shape.element or 0) < 1 and shape.container in _SIZED):
        return None
    if shape.name == f"~{shape.container}":
        return "entry:\n  ret void"
    for kinds, write in table.get(shape.name, ()):
        if re.fullmatch(kinds, shape.kinds):
            code = Code(shape)
            code.measure()
            for register, size in shape.moved_from:
                if size is None:
                    return None
                what = f"ptr {register}, i8 {code.unknown('i8')}, i64 {size}, i1 false"
                code.do(f"call void @llvm.memset.p0.i64({what})")
            write(code)
            return "\n".join(["entry:", *code.lines])
    return None


# -- contiguous containers: begin, end, end of the storage
_BEGIN, _END, _ROOM = 0, 8, 16


def _holds(c: Code, this: str, bytes_: str) -> None:
    c.tell(SIZED, c.shape.own, this, f"i64 {bytes_}")
    start = c.storage(this)
    c.store(start, this, _BEGIN)
    c.store(c.moved(start, bytes_), this, _END)
    c.store(c.unknown(), this, _ROOM)


def _element(c: Code) -> int:
    assert c.shape.element is not None
    return c.shape.element


def _empty(c: Code) -> None:
    _holds(c, c.this, "0")
    c.returned()


def _of_number(c: Code) -> None:
    c.check(c.first)
    c.new_rows(2 if "v" in c.shape.kinds else None)
    _holds(c, c.this, c.times(c.first, _element(c)))
    c.returned()


def _like(c: Code) -> None:
    c.same_rows(c.first)
    start, end = c.load(c.first, _BEGIN), c.end(c.first)
    _holds(c, c.this, c.between(start, end))
    c.returned()


def _taken(c: Code) -> None:
    c.same_rows(c.first)
    start, end = c.load(c.first, _BEGIN), c.end(c.first)
    c.tell(SIZED, c.shape.own, c.this, f"i64 {c.between(start, end)}")
    _holds(c, c.first, "0")
    c.store(start, c.this, _BEGIN)
    c.store(end, c.this, _END)
    c.store(c.unknown(), c.this, _ROOM)
    c.returned()


def _range_bytes(c: Code, start: str, end: str) -> str:
    """Bytes that as many elements take as lie between two iterators."""
    found = c.between(start, end)
    if c.shape.iterated == _element(c):
        return found
    number = c.new(f"sdiv exact i64 {found}, {c.shape.iterated}")
    return c.times(number, _element(c))


def _of_range(c: Code) -> None:
    c.unknown_rows()
    _holds(c, c.this, _range_bytes(c, c.shape.parameters[1], c.shape.parameters[2]))
    c.returned()


def _of_values(c: Code) -> None:
    c.unknown_rows()
    _holds(c, c.this, c.times(c.shape.parameters[2], _element(c)))
    c.returned()


def _grows(c: Code, bytes_: str) -> str:
    """The end moves; returns where it was."""
    c.tell(GROWN, c.shape.own, c.this, f"i64 {bytes_}")
    end = c.end(c.this)
    c.store(c.moved(end, bytes_), c.this, _END)
    c.store(c.unknown(), c.this, _ROOM)
    return end


def _pushed(c: Code) -> None:
    if len(c.shape.kinds) > 1:
        c.unknown_rows()
    else:
        c.new_rows(1 if c.shape.kinds else None)
    end = _grows(c, str(_element(c)))
    c.do("ret void" if c.shape.result == "void" else f"ret ptr {end}")


def _popped(c: Code) -> None:
    _grows(c, str(-_element(c)))
    c.returned()


def _inserted(c: Code) -> None:
    if c.shape.kinds == "iv":
        c.new_rows(2)
    else:
        c.unknown_rows()
    _grows(c, str(_element(c)))
    c.returned()


def _inserted_number(c: Code) -> None:
    c.check(c.shape.parameters[2])
    c.new_rows(3)
    _grows(c, c.times(c.shape.parameters[2], _element(c)))
    c.returned()


def _inserted_range(c: Code) -> None:
    c.unknown_rows()
    _grows(c, _range_bytes(c, c.shape.parameters[2], c.shape.parameters[3]))
    c.returned()


def _inserted_values(c: Code) -> None:
    c.unknown_rows()
    _grows(c, c.times(c.shape.parameters[3], _element(c)))
    c.returned()


def _erased_range(c: Code) -> None:
    _grows(c, c.minus(c.between(c.shape.parameters[1], c.shape.parameters[2])))
    c.returned()


def _cleared(c: Code) -> None:
    c.tell(SIZED, c.shape.own, c.this, "i64 0")
    c.store(c.load(c.this, _BEGIN), c.this, _END)
    c.returned()


def _room_changed(c: Code) -> None:
    c.store(c.unknown(), c.this, _ROOM)
    c.returned()


def _exchanged(c: Code) -> None:
    ones = c.load(c.this, _BEGIN), c.end(c.this)
    others = c.load(c.first, _BEGIN), c.end(c.first)
    c.same_rows(c.first)
    c.tell(SIZED, c.shape.own, c.this, f"i64 {c.between(*others)}")
    c.tell(SIZED, c.shape.own, c.first, f"i64 {c.between(*ones)}")
    for offset, one, other in zip((_BEGIN, _END), ones, others, strict=True):
        c.store(other, c.this, offset)
        c.store(one, c.first, offset)
    c.store(c.unknown(), c.this, _ROOM)
    c.store(c.unknown(), c.first, _ROOM)
    c.returned()


_VECTOR: Table = {
    "vector": (
        ("", _empty),
        ("nv?", _of_number),
        ("c", _like),
        ("m", _taken),
        ("ii", _of_range),
        ("l", _of_values),
    ),
    "operator=": (("c", _like), ("m", _taken), ("l", _of_values)),
    "assign": (("nv", _of_number), ("ii", _of_range), ("l", _of_values)),
    "resize": (("nv?", _of_number),),
    "reserve": (("n", _room_changed),),
    "shrink_to_fit": (("", _room_changed),),
    "push_back": (("v", _pushed),),
    "emplace_back": (("v*", _pushed),),
    "pop_back": (("", _popped),),
    "clear": (("", _cleared),),
    "insert": (
        ("iv", _inserted),
        ("inv", _inserted_number),
        ("iii", _inserted_range),
        ("il", _inserted_values),
    ),
    "emplace": (("iv*", _inserted),),
    "erase": (("i", _popped), ("ii", _erased_range)),
    "swap": (("s", _exchanged),),
}


# -- containers that keep the number of their elements, and begin with a node
def _counted(size: int, *links: int) -> dict[str, Body]:
    """What may be done to the number at an offset; `links` are fields that then hold something
    else: the first node."""

    def changed(c: Code, base: str) -> None:
        for link in links:
            c.store(c.unknown(), base, link)

    def put(c: Code, number: str, base: str | None = None) -> None:
        c.store(number, base or c.this, size, "i64")
        changed(c, base or c.this)

    def empty(c: Code) -> None:
        put(c, "0")
        c.returned()

    def of_number(c: Code) -> None:
        c.check(c.first)
        put(c, c.first)
        c.returned()

    def like(c: Code) -> None:
        put(c, c.load(c.first, size, "i64"))
        c.returned()

    def taken(c: Code) -> None:
        number = c.load(c.first, size, "i64")
        put(c, "0", c.first)
        put(c, number)
        c.returned()

    def of_values(c: Code) -> None:
        put(c, c.shape.parameters[2])
        c.returned()

    def by(amount: int) -> Body:
        def write(c: Code) -> None:
            put(c, c.new(f"add nsw i64 {c.load(c.this, size, 'i64')}, {amount}"))
            c.returned()

        return write

    def added(at: int) -> Body:
        """As many more as an argument says."""

        def write(c: Code) -> None:
            old = c.load(c.this, size, "i64")
            put(c, c.new(f"add nsw i64 {old}, {c.shape.parameters[at]}"))
            c.returned()

        return write

    def joined(c: Code) -> None:
        old, more = c.load(c.this, size, "i64"), c.load(c.first, size, "i64")
        put(c, c.new(f"add nsw i64 {old}, {more}"))
        c.returned()

    def exchanged(c: Code) -> None:
        one, other = c.load(c.this, size, "i64"), c.load(c.first, size, "i64")
        put(c, other)
        put(c, one, c.first)
        c.returned()

    def of_text(c: Code) -> None:
        put(c, c.new(f"call i64 @{LENGTH}(ptr {c.first})"))
        c.returned()

    def text_added(c: Code) -> None:
        old, more = c.load(c.this, size, "i64"), c.new(f"call i64 @{LENGTH}(ptr {c.first})")
        put(c, c.new(f"add nsw i64 {old}, {more}"))
        c.returned()

    def any_number(c: Code) -> None:
        put(c, c.unknown("i64"))
        c.returned()

    def number(c: Code) -> None:
        c.do(f"ret i64 {c.load(c.this, size, 'i64')}")

    def is_empty(c: Code) -> None:
        held = c.load(c.this, size, "i64")
        c.do(f"ret i1 {c.new(f'icmp eq i64 {held}, 0')}")

    return {
        "empty": empty,
        "of_number": of_number,
        "like": like,
        "taken": taken,
        "of_values": of_values,
        "more": by(1),
        "less": by(-1),
        "added_1": added(1),
        "added_2": added(2),
        "joined": joined,
        "exchanged": exchanged,
        "of_text": of_text,
        "text_added": text_added,
        "any": any_number,
        "number": number,
        "is_empty": is_empty,
    }


def _list(size: int, *links: int) -> Table:
    does = _counted(size, *links)
    return {
        "list": (
            ("", does["empty"]),
            ("nv?", does["of_number"]),
            ("c", does["like"]),
            ("m", does["taken"]),
            ("l", does["of_values"]),
            (".*", does["any"]),
        ),
        "operator=": (("c", does["like"]), ("m", does["taken"]), ("l", does["of_values"])),
        "assign": (("nv", does["of_number"]), ("l", does["of_values"]), (".*", does["any"])),
        "resize": (("nv?", does["of_number"]),),
        "swap": (("s", does["exchanged"]),),
        **dict.fromkeys(("push_back", "push_front"), ((".", does["more"]),)),
        **dict.fromkeys(("emplace_back", "emplace_front"), ((".*", does["more"]),)),
        **dict.fromkeys(("pop_back", "pop_front"), (("", does["less"]),)),
        "clear": (("", does["empty"]),),
        "insert": (("ov", does["more"]), ("onv", does["added_2"]), (".*", does["any"])),
        "emplace": (("ov*", does["more"]),),
        "erase": (("o", does["less"]), (".*", does["any"])),
        **dict.fromkeys(("remove", "remove_if", "unique"), ((".*", does["any"]),)),
        "empty": (("", does["is_empty"]),),
    }


def _keyed(name: str, size: int, *links: int) -> Table:
    """Sets and maps: how many keys are new only a run can tell."""
    does = _counted(size, *links)
    some = ((".*", does["any"]),)
    return {
        name: (
            ("", does["empty"]),
            ("c", does["like"]),
            ("m", does["taken"]),
            ("l.*|o.*|i.*|n.*", does["any"]),
        ),
        "operator=": (("c", does["like"]), ("m", does["taken"]), ("l", does["any"])),
        "swap": (("s", does["exchanged"]),),
        "clear": (("", does["empty"]),),
        **dict.fromkeys(
            (
                "operator[]",
                "insert",
                "emplace",
                "emplace_hint",
                "try_emplace",
                "insert_or_assign",
                "erase",
            ),
            some,
        ),
    }


def _many_keyed(name: str, size: int, *links: int) -> Table:
    """Multisets and multimaps: every key is put in."""
    does = _counted(size, *links)
    return {
        **_keyed(name, size, *links),
        "insert": (("v", does["more"]), ("ov", does["more"]), (".*", does["any"])),
        "emplace": (("v*", does["more"]),),
        "erase": (("o", does["less"]), (".*", does["any"])),
    }


def _all_keyed(
    library: str, tree: tuple[int, ...], table: tuple[int, ...]
) -> dict[tuple[str, str], Table]:
    """`tree`, `table`: offsets of size and first node."""
    found: dict[tuple[str, str], Table] = {}
    for name in ("set", "map"):
        found[library, name] = _keyed(name, *tree)
        found[library, f"multi{name}"] = _many_keyed(f"multi{name}", *tree)
        found[library, f"unordered_{name}"] = _keyed(f"unordered_{name}", *table)
        many = f"unordered_multi{name}"
        found[library, many] = _many_keyed(many, *table)
    return found


# -- strings: where their characters are, and how many
_CHARACTERS, _LENGTH = 0, 8


def _string(own_accessors: bool) -> Table:
    """`own_accessors`: short strings lie elsewhere, so that the library's ways to read length and
    characters are modelled, too."""
    does = _counted(_LENGTH, 16)

    def made(name: str) -> Body:
        def write(c: Code) -> None:
            c.store(c.storage(c.this), c.this, _CHARACTERS)
            does[name](c)

        return write

    def characters(c: Code) -> None:
        c.do(f"ret ptr {c.load(c.this, _CHARACTERS)}")

    def last(c: Code) -> None:
        start, number = c.load(c.this, _CHARACTERS), c.load(c.this, _LENGTH, "i64")
        c.do(f"ret ptr {c.moved(start, number)}")

    def room_changed(c: Code) -> None:
        c.store(c.unknown(), c.this, 16)
        c.returned()

    table: Table = {
        **dict.fromkeys(("reserve", "shrink_to_fit"), (("n?", room_changed),)),
        "basic_string": (
            ("", made("empty")),
            ("nn", made("of_number")),
            ("c", made("like")),
            ("m", made("taken")),
            ("i", made("of_text")),
            (".*", made("any")),
        ),
        "operator=": (
            ("c", does["like"]),
            ("m", does["taken"]),
            ("i", does["of_text"]),
            (".*", does["any"]),
        ),
        "operator+=": (
            ("n", does["more"]),
            ("c", does["joined"]),
            ("i", does["text_added"]),
            (".*", does["any"]),
        ),
        "append": (
            ("i", does["text_added"]),
            ("nn", does["added_1"]),
            ("c", does["joined"]),
            ("in", does["added_2"]),
            (".*", does["any"]),
        ),
        "push_back": (("n", does["more"]),),
        "pop_back": (("", does["less"]),),
        "clear": (("", does["empty"]),),
        "resize": (("nn?", does["of_number"]),),
        "swap": (("s", does["exchanged"]),),
        **dict.fromkeys(("assign", "insert", "erase", "replace"), ((".*", does["any"]),)),
    }
    if own_accessors:
        table |= {
            **dict.fromkeys(("size", "length"), (("", does["number"]),)),
            "empty": (("", does["is_empty"]),),
            **dict.fromkeys(
                ("begin", "cbegin", "data", "c_str", "__get_pointer"), (("", characters),)
            ),
            **dict.fromkeys(("end", "cend"), (("", last),)),
        }
    return table


# -- deques, as if their elements lay one behind the other
def _deque(start: int, end: int) -> Table:
    """libstdc++: `start`, `end`: where the two iterators are, which begin with an address."""

    def span(c: Code, this: str, bytes_: str) -> None:
        first = c.storage(this)
        c.store(first, this, start)
        c.store(c.moved(first, bytes_), this, end)

    def bytes_of(c: Code, base: str) -> str:
        return c.between(c.load(base, start), c.load(base, end))

    def empty(c: Code) -> None:
        span(c, c.this, "0")
        c.returned()

    def of_number(c: Code) -> None:
        c.check(c.first)
        span(c, c.this, c.times(c.first, _element(c)))
        c.returned()

    def like(c: Code) -> None:
        span(c, c.this, bytes_of(c, c.first))
        c.returned()

    def taken(c: Code) -> None:
        held = bytes_of(c, c.first)
        span(c, c.first, "0")
        span(c, c.this, held)
        c.returned()

    def of_values(c: Code) -> None:
        span(c, c.this, c.times(c.shape.parameters[2], _element(c)))
        c.returned()

    def moves(field_: int, sign: int) -> Body:
        def write(c: Code) -> None:
            c.store(c.moved(c.load(c.this, field_), str(sign * _element(c))), c.this, field_)
            c.returned()

        return write

    def number(c: Code) -> None:
        c.do(f"ret i64 {c.new(f'sdiv exact i64 {bytes_of(c, c.this)}, {_element(c)}')}")

    def exchanged(c: Code) -> None:
        one, other = bytes_of(c, c.this), bytes_of(c, c.first)
        span(c, c.this, other)
        span(c, c.first, one)
        c.returned()

    def any_number(c: Code) -> None:
        c.store(c.unknown(), c.this, start)
        c.store(c.unknown(), c.this, end)
        c.returned()

    return {
        "deque": (
            ("", empty),
            ("nv?", of_number),
            ("c", like),
            ("m", taken),
            ("l", of_values),
            (".*", any_number),
        ),
        "operator=": (("c", like), ("m", taken), ("l", of_values)),
        "assign": (("nv", of_number), ("l", of_values), (".*", any_number)),
        "resize": (("nv?", of_number),),
        "clear": (("", empty),),
        "push_back": ((".", moves(end, 1)),),
        "emplace_back": ((".*", moves(end, 1)),),
        "pop_back": (("", moves(end, -1)),),
        "push_front": ((".", moves(start, -1)),),
        "emplace_front": ((".*", moves(start, -1)),),
        "pop_front": (("", moves(start, 1)),),
        "size": (("", number),),
        "swap": (("s", exchanged),),
        "operator[]": ((".*", _somewhere),),
        "at": ((".*", _somewhere),),
        **dict.fromkeys(("front", "back"), (("", _somewhere),)),
        **dict.fromkeys(("insert", "emplace", "erase"), ((".*", any_number),)),
    }


def _somewhere(c: Code) -> None:
    """An element, wherever it is."""
    c.do(f"ret ptr {c.storage(c.this)}")


def _steps(field_: int) -> Table:
    """An iterator over a deque; `field_`: where its address is."""

    def by(sign: int) -> Body:
        def write(c: Code) -> None:
            c.store(c.moved(c.load(c.this, field_), str(sign * _element(c))), c.this, field_)
            c.do(f"ret ptr {c.this}")

        return write

    return {"operator++": (("", by(1)),), "operator--": (("", by(-1)),)}


def _numbered_deque(start: int, size: int) -> Table:
    """libc++: the number of the first element in its blocks, and how many there are."""
    does = _counted(size)

    def moved_start(amount: int, then: Body) -> Body:
        def write(c: Code) -> None:
            c.store(
                c.new(f"add nsw i64 {c.load(c.this, start, 'i64')}, {amount}"), c.this, start, "i64"
            )
            then(c)

        return write

    def from_zero(then: Body) -> Body:
        def write(c: Code) -> None:
            c.store("0", c.this, start, "i64")
            then(c)

        return write

    def iterator(at_end: bool) -> Body:
        def write(c: Code) -> None:
            at = c.load(c.this, start, "i64")
            if at_end:
                at = c.new(f"add nsw i64 {at}, {c.load(c.this, size, 'i64')}")
            place = c.moved(c.storage(c.this), c.times(at, _element(c)))
            pair = c.new("alloca { ptr, ptr }, align 8")
            c.store("null", pair, 0)
            c.store(place, pair, 8)
            c.do(f"ret {{ ptr, ptr }} {c.load(pair, 0, '{ ptr, ptr }')}")

        return write

    made = {name: from_zero(does[name]) for name in ("empty", "of_number", "like", "of_values")}
    return {
        "deque": (
            ("", made["empty"]),
            ("nv?", made["of_number"]),
            ("c", made["like"]),
            ("m", from_zero(does["taken"])),
            ("l", made["of_values"]),
            (".*", from_zero(does["any"])),
        ),
        "operator=": (
            ("c", made["like"]),
            ("m", from_zero(does["taken"])),
            ("l", does["of_values"]),
        ),
        "assign": (("nv", does["of_number"]), ("l", does["of_values"]), (".*", does["any"])),
        "resize": (("nv?", does["of_number"]),),
        "clear": (("", does["empty"]),),
        "push_back": ((".", does["more"]),),
        "emplace_back": ((".*", does["more"]),),
        "pop_back": (("", does["less"]),),
        "push_front": ((".", moved_start(-1, does["more"])),),
        "emplace_front": ((".*", moved_start(-1, does["more"])),),
        "pop_front": (("", moved_start(1, does["less"])),),
        "swap": (("s", does["exchanged"]),),
        **dict.fromkeys(("begin", "cbegin"), (("", iterator(False)),)),
        **dict.fromkeys(("end", "cend"), (("", iterator(True)),)),
        **dict.fromkeys(("operator[]", "at", "front", "back"), ((".*", _somewhere),)),
        **dict.fromkeys(("insert", "emplace", "erase"), ((".*", does["any"]),)),
    }


_SIZED = ("vector", "deque", "_Deque_iterator", "__deque_iterator")
"""Containers whose models need the size of an element."""
_CONTAINERS: dict[tuple[str, str], Table] = {
    ("libstdc++", "vector"): _VECTOR,
    ("libc++", "vector"): _VECTOR,
    ("libstdc++", "list"): _list(16, 0, 8),
    ("libc++", "list"): _list(16, 0, 8),
    **_all_keyed("libstdc++", (40, 24), (24, 16)),
    **_all_keyed("libc++", (16, 0), (24, 16)),
    ("libstdc++", "basic_string"): _string(own_accessors=False),
    ("libc++", "basic_string"): _string(own_accessors=True),
    ("libstdc++", "deque"): _deque(16, 48),
    ("libstdc++", "_Deque_iterator"): _steps(0),
    ("libc++", "deque"): _numbered_deque(32, 40),
    ("libc++", "__deque_iterator"): _steps(8),
}
